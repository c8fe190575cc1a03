/* SPDX-License-Identifier: MIT */
/* What the flight recorder kept, as pictures. */
#pragma once

#include "history/history.h"
#include "view/listing.h"

/* A series of each port over time, by its name ("pauses_received", "pfc_received_3"): the most of each column.
 */
struct plot_row {
    char *device;
    uint32_t port;
    double *most; /* of each column; below 0: not known */
    double last, peak;
    uint64_t peak_ms;
};

struct plot {
    unsigned series;
    uint64_t since_ms, until_ms, last_ms;
    size_t columns, last_column;
    struct plot_row *rows;
    size_t nrows, row_at; /* row_at: behind the one that was found last */
};

/* Returns NULL if no series is called so. The plot covers [since_ms, until_ms] in so many columns. */
struct plot *plot_new(const char *series, uint64_t since_ms, uint64_t until_ms, size_t columns);
int plot_take(void *plot, const struct frame *frame); /* a history_seen */
/* A line a port, the highest value of each column as a bar; all ports have one scale. Returns how many. */
size_t plot_print(const struct plot *plot);
void plot_free(struct plot *plot); /* NULL is fine */
/* For "did you mean": the names in order; NULL behind the last. */
const char *plot_name_at(size_t i, const void *unused);
/* Columns that a plot has on a terminal of that width (0: none) beside what is printed with it. */
size_t plot_columns(size_t width);

/* What a series' value is in words, "41.2k/s" or "12 Gb/s" of bytes. Returns text. */
const char *history_rate_text(unsigned series, double value, char text[static 32]);
/* Of what stood out: "up to 50.0k/s at 03:12:04; at most 3.00/s in 60 min before; no other port". */
const char *history_stretch_text(const struct moment *moment, struct arena *arena);
/* "03:12:04" in local time, or with its day if that isn't today's. */
void history_time_text(uint64_t ms, uint64_t now_ms, char text[static 32]);
/* The same in a listing; for programs RFC 3339 in UTC. */
struct value history_time_value(const struct cell_context *context, uint64_t now_ms, uint64_t ms);

/* As part of an HTML page: each series of a port that stood out with what happened meanwhile, and a table of
 * all moments, which the listing has. */
struct history_picture {
    uint64_t since_ms, until_ms;
    struct listing moments;
    struct plot **plots; /* one of each series that stood out */
    size_t nplots;
};
enum { HISTORY_PICTURE_COLUMNS = 600 };
void history_html(struct bytes *out, const struct history_picture *picture);
