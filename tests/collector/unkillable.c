/*
 * unkillable.c - a stand-in for a command that is stuck in the kernel: KILL does not make it go away.
 *
 * A process in uninterruptible sleep cannot be made to order without a broken disk. This is the nearest thing any
 * container allows, with and without root: a second process attaches to this one as its tracer and never looks at it
 * again. After KILL the kernel keeps the remains for the tracer, so for the parent the process is still there (kill -0
 * succeeds) and, as with a real D state, whoever waits for it blocks. It ends when the tracer does: by itself after
 * HOLD_SECONDS, or when somebody kills the process whose id it has added to $STORDX_TEST_PATH/tracer.
 *
 * Exit status 77: tracing is not allowed here, so nothing can be held.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

enum { HOLD_SECONDS = 200, MAX_FD = 256, CANNOT_HOLD = 77 };

static void hold(pid_t victim, int ready) {
    char name[4096];
    const char *dir = getenv("STORDX_TEST_PATH");
    if (dir != NULL && snprintf(name, sizeof name, "%s/tracer", dir) < (int)sizeof name) {
        FILE *f = fopen(name, "a");
        if (f != NULL) {
            fprintf(f, "%ld\n", (long)getpid());
            fclose(f);
        }
    }
    setsid();
    char held = ptrace(PTRACE_SEIZE, victim, 0, 0) == 0;
    if (write(ready, &held, 1) != 1 || !held) _exit(1);
    for (int fd = 0; fd < MAX_FD; fd++) close(fd); /* the outputs must end with the victim, not with its holder */
    sleep(HOLD_SECONDS);
    _exit(0);
}

int main(void) {
    int ready[2];
    char held = 0;
    /* before it is held: on a busy machine the limit may come right after that */
    puts("first words of a command that hangs");
    fflush(stdout);
    if (pipe(ready) != 0) return CANNOT_HOLD;
    /* where tracing is limited to descendants this allows it to everybody; elsewhere it fails and is not needed */
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
    pid_t victim = getpid();
    /* not a child of the victim: who ends the victim ends what is below it, too */
    pid_t between = fork();
    if (between < 0) return CANNOT_HOLD;
    if (between == 0) {
        pid_t holder = fork();
        if (holder == 0) hold(victim, ready[1]);
        _exit(holder < 0);
    }
    waitpid(between, NULL, 0);
    if (read(ready[0], &held, 1) != 1 || !held) return CANNOT_HOLD;
    for (;;) pause();
}
