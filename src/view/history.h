/* SPDX-License-Identifier: MIT */
/* What the flight recorder kept, as pictures. */
#pragma once

#include "history/history.h"
#include "view/output.h"

/* A series of each port over time, by its name ("pauses_received", "pfc_received_3"). */
struct plot;

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

/* "03:12:04" in local time, or with its day if that isn't today's. */
void history_time_text(uint64_t ms, uint64_t now_ms, char text[static 32]);
