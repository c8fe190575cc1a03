/* SPDX-License-Identifier: MIT */
#include "view/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/text.h"

bool terminal_is(void)
{
    return isatty(STDOUT_FILENO) == 1;
}

static size_t width_of(int fd)
{
    struct winsize size = { 0 };
    uint64_t columns;
    if (isatty(fd) != 1)
        return 0;
    const char *wanted = getenv("COLUMNS");
    if (wanted && text_to_u64(wanted, 10, &columns) == 0 && columns > 0 && columns < 100000)
        return (size_t)columns;
    return ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col : 80;
}

size_t terminal_width(void)
{
    return width_of(STDOUT_FILENO);
}

size_t terminal_error_width(void)
{
    return width_of(STDERR_FILENO);
}

bool terminal_color(enum color_mode mode)
{
    if (mode != COLOR_AUTO)
        return mode == COLOR_ALWAYS;
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    return terminal_is() && !(no_color && *no_color) && !(term && strcmp(term, "dumb") == 0);
}

static const char *const sequences[] = {
    [TONE_GOOD] = "\033[32m", [TONE_WARN] = "\033[33m", [TONE_BAD] = "\033[31m",
    [TONE_DIM] = "\033[2m",   [TONE_BOLD] = "\033[1m",
};

const char *tone_start(enum tone tone, bool color)
{
    return color && tone != TONE_PLAIN ? sequences[tone] : "";
}

const char *tone_end(enum tone tone, bool color)
{
    return color && tone != TONE_PLAIN ? "\033[0m" : "";
}
