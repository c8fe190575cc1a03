/* SPDX-License-Identifier: MIT */
/* The circle method: rounds in which everybody meets everybody once, each meeting one at a time. Pure. */
#pragma once

#include <stddef.h>

enum { CIRCLE_NOBODY = -1 };

/* How many rounds count players need: count - 1, or count where that is odd and one rests in each. */
size_t circle_rounds(size_t count);
/* Whom player i of count meets in that round; CIRCLE_NOBODY: it rests. */
int circle_partner(size_t count, size_t round, size_t i);
