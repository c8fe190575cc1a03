/* SPDX-License-Identifier: MIT */
/* A full screen: characters, keys, and the terminal below them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* A screenful of characters, painted before any terminal sees it. */

/* What a place is painted with; the terminal decides which colour or attribute that is. */
enum ink {
    INK_PLAIN,
    INK_DIM,
    INK_BOLD,
    INK_GOOD,
    INK_WARN,
    INK_BAD,
    INK_OUT,    /* data sent */
    INK_IN,     /* data received */
    INK_MARKED, /* the selected row */
    INK_TITLE,
    INKS
};

/* Colours that those who don't tell red from green tell apart, the usual ones, or none. */
enum palette { PALETTE_SAFE, PALETTE_USUAL, PALETTE_NONE, PALETTES };

struct grid_cell {
    char text[16]; /* one character, with what combines with it; "": it is the right half of the one before */
    enum ink ink;
};

struct grid {
    size_t width, height;
    struct grid_cell *cells; /* row by row */
    bool ascii;              /* nothing else may be in it */
};

/* Blank. The caller frees it with grid_free(). */
void grid_make(struct grid *grid, size_t width, size_t height, bool ascii);
void grid_free(struct grid *grid);
/* Puts text, which is cleaned first, at a place, and cuts it to room columns, with "…" in the last where
 * something was cut. Outside of the grid nothing is put. The columns that it took. */
size_t grid_put(struct grid *grid, size_t x, size_t y, size_t room, enum ink ink, const char *text);
/* The same, at the right edge of room. */
void grid_put_right(struct grid *grid, size_t x, size_t y, size_t room, enum ink ink, const char *text);
/* All that is in a row of it, in that ink. */
void grid_mark(struct grid *grid, size_t y, enum ink ink);
/* A bar of width columns, filled from the left by share (0 to 1). */
void grid_bar(struct grid *grid, size_t x, size_t y, size_t width, enum ink ink, double share);
/* A row as text, without blanks at its end; the caller frees it. */
char *grid_row(const struct grid *grid, size_t y);

/* Keys that a person presses: bytes, and those that have no byte. */

enum key {
    PRESSED_NONE = -1,
    PRESSED_ENTER = '\n',
    PRESSED_ESCAPE = 27,
    PRESSED_BACKSPACE = 127,
    PRESSED_UP = 0x110000, /* beyond Unicode */
    PRESSED_DOWN,
    PRESSED_PAGE_UP,
    PRESSED_PAGE_DOWN,
    PRESSED_HOME,
    PRESSED_END,
    PRESSED_F1,
    PRESSED_F10,
    PRESSED_RESIZE, /* no key: the terminal has another size */
};
#define PRESSED_CONTROL(letter) ((letter) - '@') /* of a capital */

/* The terminal as a full screen: the thin back end of a grid. Whatever ends the program, the terminal is put
 * back. */

struct screen;

/* The terminal on standard output, with keys from standard input or, where that is something else, /dev/tty. 0;
 * -ENOTTY: there is none; -ENOTSUP: it can't do this, or nobody knows how it does. color: it may be asked for.
 */
int screen_open(struct screen **screen, bool color);
void screen_close(struct screen *screen); /* NULL is fine */

void screen_size(const struct screen *screen, size_t *width, size_t *height);
void screen_show(struct screen *screen, const struct grid *grid, enum palette palette);
/* Where keys come from, to be waited for. */
int screen_fd(const struct screen *screen);

/* The next key that has been pressed (see above); PRESSED_NONE: there is none. */
int screen_key(struct screen *screen);

/* Descriptions of the usual terminals, compiled in: for machines and containers that have none. */

struct terminfo {
    const char *name;
    const char *entry; /* as $TERMINFO takes it: "b64:…" (ncurses 6.1 and later) */
};

/* The one for a terminal of that name ($TERM), or for another that it is like; NULL: there is none. */
const struct terminfo *terminfo_find(const char *name);

/* Made by make from what infocmp(1) prints; ends with a NULL name. */
extern const struct terminfo terminfo_all[];
