/* SPDX-License-Identifier: MIT */
#include "view/screen.h"

#include <curses.h>
#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>

#include "base/base.h"
#include "base/glyph.h"
#include "base/mem.h"
#include "base/text.h"
#include "view/key.h"
#include "view/terminfo.h"

struct screen {
    SCREEN *curses;
    FILE *keys; /* NULL: standard input */
    bool color, ascii;
    int colors_made; /* enum palette of the pairs; -1: none yet */
};

/* -- whatever ends the program
 * ------------------------------------------------------------------------------------ */

/* What a handler of a fatal signal may do is little: write what was prepared, set what was saved. */
static struct {
    bool open;
    char bytes[256];
    size_t len;
    int fd;
    struct termios modes;
    bool has_modes;
} rescue;

static const int fatal[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS, SIGTRAP, SIGXCPU };

static void put_back(void)
{
    if (!rescue.open)
        return;
    rescue.open = false;
    ssize_t written = write(STDOUT_FILENO, rescue.bytes, rescue.len);
    (void)written;
    if (rescue.has_modes)
        tcsetattr(rescue.fd, TCSANOW, &rescue.modes);
}

static void on_fatal(int number)
{
    put_back();
    signal(number, SIG_DFL);
    raise(number);
}

static void add_capability(const char *name)
{
    const char *text = tigetstr(name);
    if (!text || text == (const char *)-1) /* NOLINT: what terminfo(3) says */
        return;
    size_t len = strlen(text);
    if (rescue.len + len > sizeof(rescue.bytes))
        return;
    memcpy(rescue.bytes + rescue.len, text, len);
    rescue.len += len;
}

static void prepare_rescue(int fd, const struct termios *modes)
{
    static bool registered;
    static const char *const names[] = { "sgr0", "op", "rmkx", "cnorm", "rmcup" };
    rescue.len = 0;
    for (size_t i = 0; i < ARRAY_SIZE(names); i++)
        add_capability(names[i]);
    rescue.fd = fd;
    rescue.has_modes = modes != NULL;
    if (modes)
        rescue.modes = *modes;
    rescue.open = true;
    struct sigaction action = { .sa_handler = on_fatal, .sa_flags = (int)SA_RESETHAND };
    for (size_t i = 0; i < ARRAY_SIZE(fatal); i++)
        sigaction(fatal[i], &action, NULL);
    if (!registered)
        atexit(put_back);
    registered = true;
}

/* -- opening
 * -------------------------------------------------------------------------------------------------------- */

/* Is UTF-8 what the environment asks for? The locale itself need not be installed: it's the terminal that counts. */
static bool wants_utf8(void)
{
    static const char *const variables[] = { "LC_ALL", "LC_CTYPE", "LANG" };
    for (size_t i = 0; i < ARRAY_SIZE(variables); i++) {
        const char *value = getenv(variables[i]);
        if (value && *value)
            return strcasestr(value, "utf-8") || strcasestr(value, "utf8");
    }
    return false;
}

/* Only locales of UTF-8 are set: another's conversions are shared libraries, which a static program can't load. */
static bool set_utf8(void)
{
    static const char *const names[] = { "C.UTF-8", "C.utf8", "en_US.UTF-8", "" };
    bool set = false;
    for (size_t i = 0; wants_utf8() && i < ARRAY_SIZE(names) && !set; i++)
        set = setlocale(LC_CTYPE, names[i]) && strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    if (!set)
        setlocale(LC_CTYPE, "C");
    return set;
}

/* The name that the terminal is known by, here or compiled in; NULL: it isn't. It is on standard output. */
static const char *known_name(void)
{
    const char *name = getenv("TERM");
    int err = 0;
    if (!name || !*name)
        return NULL;
    if (setupterm(name, STDOUT_FILENO, &err) == OK) {
        del_curterm(cur_term);
        return name;
    }
    const struct terminfo *own = terminfo_find(name);
    if (!own || setenv("TERMINFO", own->entry, 1) < 0)
        return NULL;
    return own->name;
}

static bool can_move(void)
{
    const char *move = tigetstr("cup");
    return move && move != (const char *)-1; /* NOLINT: what terminfo(3) says */
}

static void close_keys(struct screen *screen)
{
    if (screen->keys)
        fclose(screen->keys);
}

int screen_open(struct screen **out, bool color)
{
    struct screen *screen = mem_alloc(1, sizeof(*screen));
    struct termios modes;
    bool own_keys = isatty(STDIN_FILENO);
    *screen = (struct screen){ .color = color, .ascii = !set_utf8() || glyph_is_ascii(), .colors_made = -1 };
    if (!own_keys)
        screen->keys = fopen("/dev/tty", "re");
    FILE *keys = own_keys ? stdin : screen->keys;
    if (!keys || !isatty(STDOUT_FILENO)) {
        free(screen);
        return -ENOTTY;
    }
    bool has_modes = tcgetattr(fileno(keys), &modes) == 0;
    const char *name = known_name();
    set_escdelay(25);
    screen->curses = name ? newterm(name, stdout, keys) : NULL;
    if (!screen->curses || !can_move()) {
        if (screen->curses) {
            endwin();
            delscreen(screen->curses);
        }
        close_keys(screen);
        free(screen);
        return -ENOTSUP;
    }
    prepare_rescue(fileno(keys), has_modes ? &modes : NULL);
    cbreak();
    noecho();
    nonl();
    intrflush(stdscr, FALSE);
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    curs_set(0);
    if (screen->color && has_colors() && start_color() == OK)
        use_default_colors();
    else
        screen->color = false;
    *out = screen;
    return 0;
}

void screen_close(struct screen *screen)
{
    if (!screen)
        return;
    endwin();
    rescue.open = false;
    delscreen(screen->curses);
    close_keys(screen);
    free(screen);
}

void screen_size(const struct screen *screen, size_t *width, size_t *height)
{
    (void)screen;
    *width = (size_t)getmaxx(stdscr);
    *height = (size_t)getmaxy(stdscr);
}

bool screen_is_ascii(const struct screen *screen)
{
    return screen->ascii;
}

int screen_fd(const struct screen *screen)
{
    return screen->keys ? fileno(screen->keys) : STDIN_FILENO;
}

/* -- showing ---------------------------------------------------------------------------------------------------------- */

/* Colours of 256 (Okabe's and Ito's, which all kinds of colour vision tell apart, as near as the palette has
 * them) and of 8. -1: as the terminal has it. */
static const struct {
    short many, few;
} inks[2][INKS] = {
    [PALETTE_SAFE] = { [INK_PLAIN] = { -1, -1 },
                       [INK_DIM] = { -1, -1 },
                       [INK_BOLD] = { -1, -1 },
                       [INK_GOOD] = { 74, COLOR_CYAN },
                       [INK_WARN] = { 214, COLOR_YELLOW },
                       [INK_BAD] = { 202, COLOR_MAGENTA },
                       [INK_OUT] = { 74, COLOR_CYAN },
                       [INK_IN] = { 214, COLOR_YELLOW },
                       [INK_MARKED] = { -1, -1 },
                       [INK_TITLE] = { 74, COLOR_CYAN } },
    [PALETTE_USUAL] = { [INK_PLAIN] = { -1, -1 },
                        [INK_DIM] = { -1, -1 },
                        [INK_BOLD] = { -1, -1 },
                        [INK_GOOD] = { 71, COLOR_GREEN },
                        [INK_WARN] = { 220, COLOR_YELLOW },
                        [INK_BAD] = { 196, COLOR_RED },
                        [INK_OUT] = { 71, COLOR_GREEN },
                        [INK_IN] = { 75, COLOR_BLUE },
                        [INK_MARKED] = { -1, -1 },
                        [INK_TITLE] = { 75, COLOR_CYAN } },
};

static void make_colors(struct screen *screen, enum palette palette)
{
    if (!screen->color || palette == PALETTE_NONE || screen->colors_made == (int)palette)
        return;
    for (short ink = 0; ink < INKS; ink++)
        init_pair((short)(ink + 1), COLORS >= 256 ? inks[palette][ink].many : inks[palette][ink].few, -1);
    screen->colors_made = (int)palette;
}

static void set_ink(const struct screen *screen, enum ink ink, enum palette palette)
{
    static const attr_t attributes[INKS] = {
        [INK_DIM] = A_DIM, [INK_BOLD] = A_BOLD, [INK_BAD] = A_BOLD, [INK_MARKED] = A_REVERSE, [INK_TITLE] = A_BOLD
    };
    bool colored = screen->color && palette != PALETTE_NONE;
    attr_set(attributes[ink], (short)(colored ? ink + 1 : 0), NULL);
}

static void show_row(const struct screen *screen, const struct grid *grid, size_t y, enum palette palette)
{
    const struct grid_cell *cells = &grid->cells[y * grid->width];
    struct bytes run = { 0 };
    move((int)y, 0);
    for (size_t x = 0; x < grid->width; x++) {
        bytes_append(&run, cells[x].text, strlen(cells[x].text));
        if (x + 1 < grid->width && cells[x + 1].ink == cells[x].ink)
            continue;
        set_ink(screen, cells[x].ink, palette);
        addstr(run.data);
        run.len = 0;
    }
    bytes_free(&run);
}

void screen_show(struct screen *screen, const struct grid *grid, enum palette palette)
{
    make_colors(screen, palette);
    set_ink(screen, INK_PLAIN, palette);
    erase();
    for (size_t y = 0; y < grid->height; y++)
        show_row(screen, grid, y, palette);
    refresh();
}

int screen_key(struct screen *screen)
{
    static const struct {
        int curses, own;
    } keys[] = {
        { ERR, PRESSED_NONE },          { KEY_UP, PRESSED_UP },           { KEY_DOWN, PRESSED_DOWN },
        { KEY_PPAGE, PRESSED_PAGE_UP }, { KEY_NPAGE, PRESSED_PAGE_DOWN }, { KEY_HOME, PRESSED_HOME },
        { KEY_END, PRESSED_END },       { KEY_F(1), PRESSED_F1 },         { KEY_F(10), PRESSED_F10 },
        { KEY_RESIZE, PRESSED_RESIZE }, { KEY_ENTER, PRESSED_ENTER },     { KEY_BACKSPACE, PRESSED_BACKSPACE }
    };
    (void)screen;
    int key = getch();
    for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
        if (keys[i].curses == key)
            return keys[i].own;
    return key;
}
