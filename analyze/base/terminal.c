#include "terminal.h"

#include "str.h"

#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { USUAL_COLUMNS = 80, MOST_COLUMNS = 10000 };

bool terminal_is(int fd) {
    Str term = str_of(getenv("TERM"));
    return term.len && !str_is(term, "dumb") && isatty(fd);
}

int terminal_columns(int fd) {
    uint64_t columns;
    if (str_u64(str_of(getenv("COLUMNS")), &columns) && columns > 0 && columns < MOST_COLUMNS) return (int)columns;
    struct winsize size;
    if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
    return USUAL_COLUMNS;
}
