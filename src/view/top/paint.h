/* SPDX-License-Identifier: MIT */
/* Paints the full screen of `roce top`, of any size from 20×4. */
#pragma once

#include "view/grid.h"
#include "view/top/state.h"

/* Sets state->page and state->top to what is seen. */
void top_paint(struct grid *grid, struct top_state *state);
