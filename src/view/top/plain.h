/* SPDX-License-Identifier: MIT */
/* A frame of `roce top` on standard output, for terminals that can't do more, files and programs. */
#pragma once

#include "model/frame.h"
#include "view/look.h"

/* As look asks: a line of totals and a table, lines, or one JSON object. first: a heading is wanted where the
 * format has one for all rows. */
void top_print(const struct frame *frame, const struct look *look, bool first);
/* "97.1 Gb/s", "512 kb/s", or with bytes "12.1 GB/s": of a rate in bytes a second. "-" when it isn't known. */
void top_rate_text(struct rate rate, bool bytes, char *text, size_t size);
/* "12:34:56" of this machine's clock. */
void top_time_text(uint64_t ms, char text[static 16]);
