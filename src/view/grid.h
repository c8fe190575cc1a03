/* SPDX-License-Identifier: MIT */
/* A screenful of characters, painted before any terminal sees it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

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
