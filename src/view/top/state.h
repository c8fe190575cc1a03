/* SPDX-License-Identifier: MIT */
/* What the full screen of `roce top` shows, and what keys make of it. No terminal is needed for any of it. */
#pragma once

#include "model/frame.h"
#include "view/grid.h"
#include "view/key.h"
#include "view/query.h"
#include "view/top/history.h"

enum { TOP_TEXT = 256, TOP_EVENTS = 128 };

enum top_prompt { PROMPT_NONE, PROMPT_FILTER, PROMPT_SORT, PROMPT_INTERVAL };
struct top_event {
    uint64_t time_ms;
    char *device; /* NULL: it is about none */
    char *text;
    struct num port;
};

struct top_state {
    struct frame *frame; /* what is shown; NULL: nothing yet */
    struct history *history;
    struct top_event events[TOP_EVENTS]; /* the oldest first */
    size_t nevents;

    char filter[TOP_TEXT], sort[TOP_TEXT]; /* that are in force; "": none */
    struct query query;                    /* of them */
    bool query_made;
    const struct frame_port **rows; /* of frame, as they are wanted, in their order */
    size_t nrows;

    char device[TOP_TEXT]; /* of the selected port; "": none yet */
    uint32_t port;
    size_t selected, top; /* rows[selected]; the first row that is seen */
    size_t page;          /* rows that are seen: set by painting */

    enum top_prompt prompt;
    char typed[TOP_TEXT];
    char message[TOP_TEXT]; /* of what was typed last; "": none */
    bool help, detail, paused, bytes, ended, quit;
    bool replay;
    double interval;
    enum palette palette;
    const char *deaf; /* why there are no events; NULL: there are */
};

/* filter and sort may be NULL; they have been found sound (query_make). */
void top_state_make(struct top_state *state, const char *filter, const char *sort);
void top_state_free(struct top_state *state);
/* Takes over a frame: what is shown, unless it is paused; its history and its events in any case. */
void top_state_take(struct top_state *state, struct frame *frame);
/* Does what a key means (see view/key.h). */
void top_state_key(struct top_state *state, int key);
/* The selected row; NULL: there is none. */
const struct frame_port *top_state_selected(const struct top_state *state);
