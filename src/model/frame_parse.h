/* SPDX-License-Identifier: MIT */
/* A frame as a line of JSON has it: of a file that somebody else may have written. Pure. */
#pragma once

#include <stddef.h>

#include "model/frame.h"

enum {
    FRAME_LINE_MOST = 8 << 20, /* bytes of a line */
    FRAME_ROWS_MOST = 8192,    /* of ports, counters, users, events: more than any machine has */
    FRAME_TEXT_MOST = 1024,    /* bytes of a text */
};

struct frame_fault {
    char what[256];
};

/* What `roce top --record` wrote as one line. 0, and the caller frees *frame; -EINVAL: fault says what is wrong. */
int frame_parse(const char *text, size_t len, struct frame **frame, struct frame_fault *fault);
