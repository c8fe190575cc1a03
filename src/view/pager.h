/* SPDX-License-Identifier: MIT */
/* Long output for a person, a screen at a time. */
#pragma once

#include <stdbool.h>

/* From here on what is printed goes through $ROCE_PAGER, else $PAGER, else less, where standard output is a
 * terminal, and what is said on standard error, where that is one too; "" and "cat" mean none, as does a dumb
 * terminal. less leaves at once when all fits the screen (-F), unless $LESS says
 * otherwise. Without a pager to be had nothing changes. At the program's end it is waited for. */
void pager_start(void);
/* Was one started? Then it is no failure that the reader has left before the end. */
bool pager_is_on(void);
