/* SPDX-License-Identifier: MIT */
/* Uses only ncurses' knowledge of terminals (libtinfo): curses' own windows would add 300 kB to the program,
 * and need an installed UTF-8 locale to show non-ASCII text. */
#include "view/screen.h"

#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <termios.h>

#include <curses.h>
#include <term.h>

#include "tables.h"

/* How long the rest of a key's bytes may take; after that, it was Escape. */
enum { KEY_MS = 25, KEY_BYTES = 64 };

struct screen {
    int keys; /* where they come from */
    bool own_keys, color;
    int colors;       /* that it supports */
    struct grid seen; /* what is on it */
    enum palette palette;
    char typed[KEY_BYTES]; /* bytes of keys, not yet decoded */
    size_t ntyped;
};

/* Restoring the terminal, whatever ends or stops the program: signal handlers may only write what was prepared
 * and restore what was saved. */

struct prepared {
    char bytes[256];
    size_t len;
};

static struct {
    volatile sig_atomic_t open;
    volatile sig_atomic_t changed,
        news; /* its size, or somebody else wrote to it: to be redrawn, to be reported */
    struct prepared enter, leave;
    int keys;
    struct termios before, own;
} terminal;

static void write_prepared(const struct prepared *prepared)
{
    ssize_t written = write(STDOUT_FILENO, prepared->bytes, prepared->len);
    (void)written;
}

static void enter(void)
{
    tcsetattr(terminal.keys, TCSANOW, &terminal.own);
    write_prepared(&terminal.enter);
    terminal.changed = terminal.news = 1;
}

static void leave(void)
{
    if (!terminal.open)
        return;
    write_prepared(&terminal.leave);
    tcsetattr(terminal.keys, TCSANOW, &terminal.before);
}

static void end(void)
{
    leave();
    terminal.open = 0;
}

static void on_fatal(int number)
{
    end();
    signal(number, SIG_DFL);
    raise(number);
}

static void on_resize(int number)
{
    (void)number;
    terminal.changed = terminal.news = 1;
}

static void on_stop(int number);
static void on_continue(int number)
{
    (void)number;
    int err = errno;
    struct sigaction action = { .sa_handler = on_stop };
    sigaction(SIGTSTP, &action, NULL);
    if (terminal.open)
        enter();
    errno = err;
}

/* Restores the terminal, then stops as the program would have; SIGCONT does the rest. */
static void on_stop(int number)
{
    int err = errno;
    sigset_t set;
    leave();
    signal(number, SIG_DFL);
    sigemptyset(&set);
    sigaddset(&set, number);
    raise(number);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    errno = err;
}

static const struct {
    int number;
    void (*handler)(int number);
} signals[] = { { SIGSEGV, on_fatal },   { SIGBUS, on_fatal },     { SIGFPE, on_fatal },  { SIGILL, on_fatal },
                { SIGABRT, on_fatal },   { SIGSYS, on_fatal },     { SIGTRAP, on_fatal }, { SIGXCPU, on_fatal },
                { SIGWINCH, on_resize }, { SIGCONT, on_continue }, { SIGTSTP, on_stop } };

static void take_signals(bool take)
{
    static bool registered;
    for (size_t i = 0; i < ARRAY_SIZE(signals); i++) {
        struct sigaction action = { .sa_handler = take ? signals[i].handler : SIG_DFL };
        sigaction(signals[i].number, &action, NULL);
    }
    if (!registered)
        atexit(end);
    registered = true;
}

/* -- what is written ------------------------------------------------------------------------------------- */

static struct bytes output; /* static, as tputs(3) passes no context */

static int put_byte(int byte)
{
    char c = (char)byte;
    bytes_append(&output, &c, 1);
    return byte;
}

/* NULL: the terminal has no such capability. */
static const char *capability(const char *name)
{
    const char *text = tigetstr(name);
    return text == (const char *)(intptr_t)-1 ? NULL : text; /* as terminfo(3) says */
}

static void put_capability(const char *name)
{
    const char *text = capability(name);
    if (text)
        tputs(text, 1, put_byte);
}

static void put_number(const char *name, int number, int other)
{
    const char *text = capability(name), *made = text ? tparm(text, number, other, 0, 0, 0, 0, 0, 0, 0) : NULL;
    if (made)
        tputs(made, 1, put_byte);
}

static void flush_output(void)
{
    size_t done = 0;
    while (done < output.len) {
        ssize_t n = write(STDOUT_FILENO, output.data + done, output.len - done);
        if (n < 0 && errno != EINTR)
            break; /* it's gone, as poll(2) will report */
        done += n > 0 ? (size_t)n : 0;
    }
    output.len = 0;
}

static void prepare(struct prepared *prepared, const char *const *names, size_t count)
{
    output.len = 0;
    for (size_t i = 0; i < count; i++)
        put_capability(names[i]);
    prepared->len = output.len < sizeof(prepared->bytes) ? output.len : 0;
    if (prepared->len)
        memcpy(prepared->bytes, output.data, prepared->len);
    output.len = 0;
}

/* -- opening --------------------------------------------------------------------------------------------- */

/* Is the description of the terminal on standard output installed, or compiled in? */
static bool set_up(void)
{
    const char *name = getenv("TERM");
    int err = 0;
    if (!name || !*name)
        return false;
    if (setupterm(name, STDOUT_FILENO, &err) == OK)
        return true;
    struct terminfo own;
    return terminfo_find(name, &own) && setenv("TERMINFO", own.entry, 1) == 0 &&
           setupterm(own.name, STDOUT_FILENO, &err) == OK;
}

static void prepare_terminal(int keys)
{
    static const char *const enters[] = { "smcup", "smkx", "civis", "sgr0", "clear" };
    static const char *const leaves[] = { "sgr0", "op", "rmkx", "cnorm", "rmcup" };
    prepare(&terminal.enter, enters, ARRAY_SIZE(enters));
    prepare(&terminal.leave, leaves, ARRAY_SIZE(leaves));
    terminal.keys = keys;
    terminal.own = terminal.before;
    terminal.own.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    terminal.own.c_cc[VMIN] = 0;
    terminal.own.c_cc[VTIME] = 0;
}

int screen_open(struct screen **out, bool color)
{
    bool is_stdin = isatty(STDIN_FILENO);
    int keys = is_stdin ? STDIN_FILENO : open("/dev/tty", O_RDWR | O_CLOEXEC);
    int r = keys < 0 || !isatty(STDOUT_FILENO) || tcgetattr(keys, &terminal.before) < 0 ? -ENOTTY : 0;
    if (r == 0 && (!set_up() || !capability("cup") || !capability("clear")))
        r = -ENOTSUP;
    if (r < 0) {
        if (keys >= 0 && !is_stdin)
            close(keys);
        return r;
    }
    struct screen *screen = mem_alloc(1, sizeof(*screen));
    *screen = (struct screen){ .keys = keys, .own_keys = !is_stdin, .colors = tigetnum("colors") };
    screen->color = color && screen->colors >= 8 && capability("setaf");
    prepare_terminal(keys);
    terminal.open = 1;
    take_signals(true);
    enter();
    *out = screen;
    return 0;
}

void screen_close(struct screen *screen)
{
    if (!screen)
        return;
    end();
    take_signals(false);
    del_curterm(cur_term);
    if (screen->own_keys)
        close(screen->keys);
    grid_free(&screen->seen);
    bytes_free(&output);
    free(screen);
}

void screen_size(const struct screen *screen, size_t *width, size_t *height)
{
    struct winsize size = { 0 };
    (void)screen;
    bool told = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col && size.ws_row;
    int across = told ? size.ws_col : tigetnum("cols"), down = told ? size.ws_row : tigetnum("lines");
    *width = across > 0 ? (size_t)across : 80;
    *height = down > 0 ? (size_t)down : 24;
}

int screen_fd(const struct screen *screen)
{
    return screen->keys;
}

/* -- showing --------------------------------------------------------------------------------------------- */

/* Colours out of 256 (Okabe and Ito's, distinct to all kinds of colour vision, as near as the palette has them)
 * and out of 8. 0: the terminal's default. */
static const struct {
    short many, few;
} inks[2][INKS] = {
    [PALETTE_SAFE] = { [INK_GOOD] = { 74, COLOR_CYAN },
                       [INK_WARN] = { 214, COLOR_YELLOW },
                       [INK_BAD] = { 202, COLOR_MAGENTA },
                       [INK_OUT] = { 74, COLOR_CYAN },
                       [INK_IN] = { 214, COLOR_YELLOW },
                       [INK_TITLE] = { 74, COLOR_CYAN } },
    [PALETTE_USUAL] = { [INK_GOOD] = { 71, COLOR_GREEN },
                        [INK_WARN] = { 220, COLOR_YELLOW },
                        [INK_BAD] = { 196, COLOR_RED },
                        [INK_OUT] = { 71, COLOR_GREEN },
                        [INK_IN] = { 75, COLOR_BLUE },
                        [INK_TITLE] = { 75, COLOR_CYAN } },
};

static void put_ink(const struct screen *screen, enum ink ink)
{
    static const char *const attributes[INKS] = {
        [INK_DIM] = "dim", [INK_BOLD] = "bold", [INK_BAD] = "bold", [INK_MARKED] = "rev", [INK_TITLE] = "bold"
    };
    put_capability("sgr0");
    if (attributes[ink])
        put_capability(attributes[ink]);
    if (!screen->color || screen->palette == PALETTE_NONE)
        return;
    short color = screen->colors >= 256 ? inks[screen->palette][ink].many : inks[screen->palette][ink].few;
    if (color > 0)
        put_number("setaf", color, 0);
}

static bool same_cell(const struct grid_cell *a, const struct grid_cell *b)
{
    return a->ink == b->ink && strcmp(a->text, b->text) == 0;
}

/* The part of a row that differs: from the first such cell (never the right half of a character) to the last.
 */
static bool find_changed(const struct screen *screen, const struct grid *grid, size_t y, size_t *from,
                         size_t *to)
{
    const struct grid_cell *now = &grid->cells[y * grid->width], *then = &screen->seen.cells[y * grid->width];
    *from = 0;
    *to = grid->width;
    while (*from < *to && same_cell(&now[*from], &then[*from]))
        ++*from;
    while (*to > *from && same_cell(&now[*to - 1], &then[*to - 1]))
        --*to;
    if (*from == *to)
        return false;
    while (*from > 0 && (!*now[*from].text || !*then[*from].text))
        --*from;
    return true;
}

static void put_row(const struct screen *screen, const struct grid *grid, size_t y)
{
    const struct grid_cell *cells = &grid->cells[y * grid->width];
    size_t from, to;
    if (!find_changed(screen, grid, y, &from, &to))
        return;
    /* writing to the very last cell may scroll the screen */
    bool scrolls = y + 1 == grid->height && tigetflag("am") > 0 && tigetflag("xenl") <= 0;
    if (scrolls && to == grid->width)
        to--;
    put_number("cup", (int)y, (int)from);
    for (size_t x = from; x < to; x++) {
        if (x == from || cells[x].ink != cells[x - 1].ink)
            put_ink(screen, cells[x].ink);
        bytes_append(&output, cells[x].text, strlen(cells[x].text));
    }
}

/* Clears the screen, and what is remembered of it. */
static void forget(struct screen *screen, const struct grid *grid)
{
    grid_free(&screen->seen);
    grid_make(&screen->seen, grid->width, grid->height, grid->ascii);
    put_capability("sgr0");
    put_capability("clear");
}

void screen_show(struct screen *screen, const struct grid *grid, enum palette palette)
{
    bool other = screen->palette != palette || screen->seen.width != grid->width ||
                 screen->seen.height != grid->height;
    screen->palette = palette;
    if (other || terminal.changed) {
        terminal.changed = 0;
        forget(screen, grid);
    }
    for (size_t y = 0; y < grid->height; y++)
        put_row(screen, grid, y);
    put_capability("sgr0");
    flush_output();
    memcpy(screen->seen.cells, grid->cells, grid->width * grid->height * sizeof(*grid->cells));
}

/* -- keys ------------------------------------------------------------------------------------------------ */

static const struct {
    const char *name, *bytes;
    int key;
} keys[] = { SCREEN_KEYS };

static bool begins(const struct screen *screen, const char *bytes, size_t *len)
{
    *len = bytes ? strlen(bytes) : 0;
    return *len && *len <= screen->ntyped && memcmp(screen->typed, bytes, *len) == 0;
}

/* The length of an unknown sequence; 1 for Escape itself. */
static size_t sequence_length(const struct screen *screen)
{
    size_t len = 2;
    if (screen->ntyped < 2 || (screen->typed[1] != '[' && screen->typed[1] != 'O'))
        return 1;
    while (len < screen->ntyped && (screen->typed[len] < 0x40 || screen->typed[len] > 0x7e))
        len++;
    return len < screen->ntyped ? len + 1 : len;
}

static int understand(const struct screen *screen, size_t *len)
{
    for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
        if (begins(screen, keys[i].name ? capability(keys[i].name) : NULL, len) ||
            begins(screen, keys[i].bytes, len))
            return keys[i].key;
    *len = 1;
    unsigned char byte = (unsigned char)screen->typed[0];
    if (byte != PRESSED_ESCAPE)
        return byte < 0x80 ? byte : PRESSED_NONE;
    *len = sequence_length(screen);
    return *len == 1 ? PRESSED_ESCAPE : PRESSED_NONE;
}

static void read_typed(struct screen *screen, int milliseconds)
{
    struct pollfd fd = { .fd = screen->keys, .events = POLLIN };
    if (screen->ntyped == KEY_BYTES || poll(&fd, 1, milliseconds) <= 0)
        return;
    ssize_t n = read(screen->keys, screen->typed + screen->ntyped, KEY_BYTES - screen->ntyped);
    screen->ntyped += n > 0 ? (size_t)n : 0;
}

int screen_key(struct screen *screen)
{
    if (terminal.news) {
        terminal.news = 0;
        return PRESSED_RESIZE;
    }
    for (;;) {
        read_typed(screen, 0);
        if (!screen->ntyped)
            return PRESSED_NONE;
        if (screen->typed[0] == PRESSED_ESCAPE && screen->ntyped < 3)
            read_typed(screen, KEY_MS);
        size_t len;
        int key = understand(screen, &len);
        screen->ntyped -= len;
        memmove(screen->typed, screen->typed + len, screen->ntyped);
        if (key != PRESSED_NONE)
            return key;
    }
}
