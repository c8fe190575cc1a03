/* SPDX-License-Identifier: MIT */
/* Width and colours of a terminal, and when there is one. */
#include "view/terminal.h"

#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>

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

static bool progress_shown;

void progress_show(void *data, const char *text)
{
    (void)data;
    if (!terminal_is())
        return;
    size_t width = terminal_width();
    char *clean = text_clean(text, TEXT_ONE_LINE);
    printf("\r%.*s\033[K", (int)text_prefix(clean, width ? width - 1 : 79), clean);
    fflush(stdout);
    free(clean);
    progress_shown = true;
}

void progress_end(void)
{
    if (progress_shown)
        fputs("\r\033[K", stdout);
    progress_shown = false;
}

static pid_t pager;
static int own_stderr = -1; /* kept while the pager has its place */

bool pager_is_on(void)
{
    return pager > 0;
}

/* Is there a program of that name? A shell that didn't find it would swallow all the output. */
static bool is_installed(const char *name)
{
    const char *path = getenv("PATH");
    char *copy = mem_strdup(path ? path : "/usr/bin:/bin"), *rest = copy;
    bool found = false;
    for (char *directory; !found && (directory = strsep(&rest, ":"));) {
        char *file = mem_printf("%s/%s", directory, name);
        found = access(file, X_OK) == 0;
        free(file);
    }
    free(copy);
    return found;
}

/* The user's pager; NULL: none. */
static const char *chosen(void)
{
    static const char *const names[] = { "ROCE_PAGER", "PAGER" };
    for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
        const char *command = getenv(names[i]);
        if (command)
            return *command && strcmp(command, "cat") != 0 ? command : NULL;
    }
    return is_installed("less") ? "less" : NULL;
}

static void wait_for_pager(void)
{
    fclose(stdout);
    if (own_stderr >= 0)
        dup2(own_stderr, STDERR_FILENO); /* else the pager would wait for more messages */
    while (waitpid(pager, NULL, 0) < 0 && errno == EINTR)
        ;
}

static void become_pager(const char *command, int in)
{
    dup2(in, STDIN_FILENO);
    signal(SIGPIPE, SIG_DFL);
    setenv("LESS", "FRX", 0); /* as git does: quit if it fits, keep colours, keep the screen */
    setenv("LV", "-c", 0);
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
}

void pager_start(void)
{
    int ends[2];
    const char *term = getenv("TERM");
    bool dumb = term && strcmp(term, "dumb") == 0; /* it can't move back */
    const char *command = terminal_is() && !dumb ? chosen() : NULL;
    if (!command || pager > 0 || pipe2(ends, O_CLOEXEC) < 0)
        return;
    fflush(stdout);
    pager = fork();
    if (pager == 0)
        become_pager(command, ends[0]);
    if (pager > 0) {
        dup2(ends[1], STDOUT_FILENO);
        if (isatty(STDERR_FILENO) == 1 && (own_stderr = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)) >= 0)
            dup2(ends[1], STDERR_FILENO); /* else messages would land in the middle of its screen */
        signal(SIGINT, SIG_IGN);          /* the pager handles it, and roce ends with it */
        atexit(wait_for_pager);
    }
    close(ends[0]);
    close(ends[1]);
}
