/* SPDX-License-Identifier: MIT */
/* The table of ports on the full screen of `roce top`. */
#pragma once

#include "view/grid.h"
#include "view/top/state.h"

/* Headings in row y, and height - 1 rows of ports below. */
void top_paint_rows(struct grid *grid, struct top_state *state, size_t y, size_t height);
/* "1.2k", "0.50": how many a second. "-" when it isn't known. */
void top_count_text(struct rate rate, char *text, size_t size);
