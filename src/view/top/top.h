/* SPDX-License-Identifier: MIT */
/* The views of `roce top`: the full screen, lines, JSON. */
#pragma once

#include <jansson.h>

#include "model/frame.h"
#include "view/column.h"
#include "view/output.h"
#include "view/query.h"
#include "view/screen.h"
#include "view/trace.h"

/* The columns of `roce top`, for rows of struct frame_port. Their keys are those of a frame in JSON. */

extern const struct column top_columns[];

/* Does a nonzero flow mean trouble (TONE_BAD), or cost performance (TONE_WARN)? */
enum tone flow_tone(enum flow flow);
/* The ink for what a flow with that tone counts. */
enum ink top_flow_ink(struct rate rate, enum tone tone);
/* Does doctor warn of something about the port? */
bool top_is_found(const struct frame_port *port);
/* "3: 120/s, 4: 2/s", the priorities that count anything; "0/s" if none does, NULL if unknown. */
char *top_pfc_text(const struct rate rates[static PRIORITIES]);
/* All priorities. */
struct rate top_pfc_sum(const struct rate rates[static PRIORITIES]);

/* What ports carried in recent minutes. Pure. */

struct recent;

struct recent *recent_new(void);
void recent_free(struct recent *recent);
/* Adds a frame's rates for each of its ports, and for all together. */
void recent_add(struct recent *recent, const struct frame *frame);

enum { RECENT_CELLS_MOST = 256 };

/* A line of width (at most RECENT_CELLS_MOST) characters, the newest last: the peak of each interval, both
 * directions together, relative to the overall peak. A blank is an interval without data. device NULL: all
 * ports together. The caller frees it. */
char *recent_line(const struct recent *recent, const char *device, uint32_t port, size_t width);

/* What the full screen of `roce top` shows, and what keys do to it. None of it needs a terminal. */

enum { TOP_TEXT = 256, TOP_EVENTS = 128 };

enum top_prompt { PROMPT_NONE, PROMPT_FILTER, PROMPT_SORT, PROMPT_INTERVAL };
struct top_event {
    uint64_t time_ms;
    char *device; /* NULL: not about one */
    char *text;
    struct num port;
    enum ink ink;
};

struct top_state {
    struct frame *frame; /* the one shown; NULL: none yet */
    struct recent *recent;
    struct top_event events[TOP_EVENTS]; /* the oldest first; connections that failed, too */
    size_t nevents;

    char filter[TOP_TEXT], sort[TOP_TEXT]; /* in force; "": none */
    struct query query;                    /* made from them */
    bool query_made;
    const struct frame_port **rows; /* the wanted ones of frame, in order */
    size_t nrows;

    char device[TOP_TEXT]; /* the selected port's; "": none yet */
    uint32_t port;
    size_t selected, top; /* rows[selected]; the first visible row */
    size_t page;          /* visible rows, of help lines: set by painting */
    size_t help_top;      /* the first visible line of help */

    enum top_prompt prompt;
    char typed[TOP_TEXT];
    char message[TOP_TEXT]; /* about what was typed last; "": none */
    bool help, detail, paused, bytes, ended, quit;
    bool replay;
    double interval;
    enum palette palette;
    const char *deaf; /* why there are no events; NULL if there are */
};

/* filter and sort may be NULL, and must be valid (query_make). */
void top_state_make(struct top_state *state, const char *filter, const char *sort);
void top_state_free(struct top_state *state);
/* Takes over a frame: shows it unless paused; adds its history and events in any case. */
void top_state_take(struct top_state *state, struct frame *frame);
/* A connection failed, as roce trace tells it: an event. */
void top_state_fail(struct top_state *state, const struct trace_shown *failure);
/* Handles a key (see view/screen.h). */
void top_state_key(struct top_state *state, int key);
/* The selected row; NULL if there is none. */
const struct frame_port *top_state_selected(const struct top_state *state);

/* Paints the full screen of `roce top`, at any size from 20×4. */

/* Sets state->page and state->top to what is visible. */
void top_paint(struct grid *grid, struct top_state *state);

/* What is known about the selected port, below the table of `roce top`. */

void top_paint_pane(struct grid *grid, const struct top_state *state, size_t y, size_t height);

/* The table of ports on the full screen of `roce top`. */

/* Headings in row y, and height - 1 rows of ports below. */
void top_paint_rows(struct grid *grid, struct top_state *state, size_t y, size_t height);
/* "1.2k", "0.50": how many per second. "-" if unknown. */
void top_count_text(struct rate rate, char *text, size_t size);

/* A frame of `roce top` on standard output, for terminals that can't do more, files and programs. */

/* As look asks: a line of totals and a table, lines, or one JSON object. first: print a heading, if the format
 * has one for all rows. */
void top_print(const struct frame *frame, const struct look *look, bool first);
/* A rate in bytes per second as "97.1 Gb/s", "512 kb/s", or with bytes as "12.1 GB/s". "-" if unknown. */
void top_rate_text(struct rate rate, bool bytes, char *text, size_t size);

/* A frame of `roce top` as JSON; model/frame.h reads it. */

/* One object, with the ports, columns and order that look asks for: a new reference. */
json_t *top_json(const struct frame *frame, const struct look *look);
