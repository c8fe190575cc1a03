/* SPDX-License-Identifier: MIT */
/* A full screen: characters, keys, and the terminal below them. */
#pragma once

/* A screenful of characters, painted before a terminal sees it. */

/* What a cell is painted with; the terminal decides which colour or attribute that means. */
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

/* Colours that people who can't tell red from green can distinguish, the usual ones, or none. */
enum palette { PALETTE_SAFE, PALETTE_USUAL, PALETTE_NONE, PALETTES };

struct grid_cell {
    char text[16]; /* one character with its combining marks; "": the right half of the previous one */
    enum ink ink;
};

struct grid {
    size_t width, height;
    struct grid_cell *cells; /* row by row */
    bool ascii;              /* ASCII only */
};

/* Blank. The caller frees it with grid_free(). */
void grid_make(struct grid *grid, size_t width, size_t height, bool ascii);
void grid_free(struct grid *grid);
/* Writes text, cleaned, at x and y, cut to room columns with "…" in the last one if something was cut. Nothing
 * is written outside the grid. Returns the columns used. */
size_t grid_put(struct grid *grid, size_t x, size_t y, size_t room, enum ink ink, const char *text);
/* The same, at the right edge of room. */
void grid_put_right(struct grid *grid, size_t x, size_t y, size_t room, enum ink ink, const char *text);
/* Repaints a whole row in ink. */
void grid_mark(struct grid *grid, size_t y, enum ink ink);
/* A bar of width columns, filled from the left by share (0 to 1). */
void grid_bar(struct grid *grid, size_t x, size_t y, size_t width, enum ink ink, double share);

/* Keys that a person presses: bytes, and keys that have none. */

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
    PRESSED_RESIZE, /* not a key: the terminal's size changed */
};
#define PRESSED_CONTROL(letter) ((letter) - '@') /* of a capital */

/* The terminal as a full screen: the thin back end of a grid. The terminal is restored, whatever ends the
 * program. */

struct screen;

/* The terminal on standard output, with keys from standard input or, if that isn't a terminal, /dev/tty.
 * Returns 0; -ENOTTY if there is none; -ENOTSUP if it can't do this, or its description is unknown. color:
 * colour may be used. */
int screen_open(struct screen **screen, bool color);
void screen_close(struct screen *screen); /* NULL is fine */

void screen_size(const struct screen *screen, size_t *width, size_t *height);
void screen_show(struct screen *screen, const struct grid *grid, enum palette palette);
/* Where keys come from, for poll(). */
int screen_fd(const struct screen *screen);

/* The next key pressed (see above); PRESSED_NONE if there is none. */
int screen_key(struct screen *screen);

/* Descriptions of the usual terminals, compiled in for machines and containers that have none. */

struct terminfo {
    const char *name;
    const char *entry; /* in the form $TERMINFO accepts: "hex:…" (ncurses 6.1 and later) */
};

/* The one for a terminal of that name ($TERM), or for a similar one, as long as the program runs; false if
 * there is none. */
bool terminfo_find(const char *name, struct terminfo *found);

/* Made from the output of infocmp(1): "NAME hex:…" a line. */
extern const unsigned char terminals_packed[];
extern const size_t terminals_packed_size;
