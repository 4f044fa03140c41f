/*
 * pty.c - runs a program at a terminal of its own and prints what it wrote there
 *
 *   pty COLUMNS FDS PROGRAM ARGUMENT...      FDS: 1, 2 or 12, the descriptors that are the terminal
 *
 * The other descriptors are the caller's. The exit status is the program's. Not script(1): its options differ everywhere.
 */
#define _XOPEN_SOURCE 700
#define _DEFAULT_SOURCE
#define __BSD_VISIBLE 1
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

static int fail(const char *what) {
    fprintf(stderr, "pty: %s: %s\n", what, strerror(errno));
    return 125;
}

int main(int argc, char **argv) {
    if (argc < 4) return 125;
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0) return fail("no pseudo terminal");
    int terminal = open(ptsname(master), O_RDWR | O_NOCTTY);
    if (terminal < 0) return fail("cannot open the terminal");
    struct winsize size = {.ws_row = 24, .ws_col = (unsigned short)atoi(argv[1])};
    struct termios mode;
    if (ioctl(terminal, TIOCSWINSZ, &size) != 0 || tcgetattr(terminal, &mode) != 0) return fail("no terminal");
    mode.c_oflag &= ~(tcflag_t)OPOST; /* line ends as they are written */
    tcsetattr(terminal, TCSANOW, &mode);
    pid_t child = fork();
    if (child < 0) return fail("fork");
    if (child == 0) {
        if (strchr(argv[2], '1')) dup2(terminal, STDOUT_FILENO);
        if (strchr(argv[2], '2')) dup2(terminal, STDERR_FILENO);
        close(master);
        close(terminal);
        execv(argv[3], argv + 3);
        _exit(126);
    }
    close(terminal);
    char bytes[4096];
    for (ssize_t n; (n = read(master, bytes, sizeof bytes)) > 0 || (n < 0 && errno == EINTR);)
        if (n > 0)
            fwrite(bytes, 1, (size_t)n,
                   stdout); /* ends with an error when the last descriptor of the terminal is closed */
    fflush(stdout);
    int status;
    if (waitpid(child, &status, 0) != child) return fail("wait");
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
