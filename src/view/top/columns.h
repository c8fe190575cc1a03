/* SPDX-License-Identifier: MIT */
/* The columns of `roce top`: of rows that are struct frame_port. Their keys are those of a frame in JSON. */
#pragma once

#include "model/frame.h"
#include "view/column.h"

extern const struct column top_columns[];

/* Does a flow mean trouble when it flows at all (TONE_BAD), or cost performance (TONE_WARN)? */
enum tone flow_tone(enum flow flow);
/* "3: 120/s, 4: 2/s", of priorities that count anything; "0/s": none does. NULL: it isn't known. */
char *top_pfc_text(const struct rate rates[static PRIORITIES]);
/* All priorities. */
struct rate top_pfc_sum(const struct rate rates[static PRIORITIES]);
