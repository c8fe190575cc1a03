/* SPDX-License-Identifier: MIT */
/* What is known of the selected port, below the table of `roce top`. */
#pragma once

#include "view/grid.h"
#include "view/top/state.h"

void top_paint_pane(struct grid *grid, const struct top_state *state, size_t y, size_t height);
