/* SPDX-License-Identifier: MIT */
/* Puts the parts of roce top's screen together. */
#include "view/top/top.h"

enum { PANE_LEAST = 5, ROWS_LEAST = 5 };

/* Lines above and below the table; where there is little room, the table has it. */
static size_t head_of(const struct grid *grid)
{
    return grid->height < 8 ? 1 : 2;
}

static size_t foot_of(const struct grid *grid, const struct top_state *state)
{
    return state->prompt || grid->height >= 6;
}

/* Puts a word behind the last, where it still fits whole. */
static size_t put_word(struct grid *grid, size_t x, size_t y, enum ink ink, const char *text)
{
    size_t gap = x ? 2 : 0;
    if (!*text || x + gap + text_width(text) > grid->width)
        return x;
    return x + gap + grid_put(grid, x + gap, y, grid->width, ink, text);
}

static void paint_title(struct grid *grid, const struct top_state *state)
{
    const struct frame *frame = state->frame;
    char text[TOP_TEXT * 2];
    size_t x = put_word(grid, 0, 0, INK_TITLE, "roce top");
    if (state->paused)
        x = put_word(grid, x, 0, INK_WARN, "PAUSED");
    if (state->replay)
        x = put_word(grid, x, 0, INK_WARN, state->ended ? "REPLAY, at its end" : "REPLAY");
    if (frame) {
        top_time_text(frame->time_ms, text);
        x = put_word(grid, x, 0, INK_PLAIN, text);
        x = put_word(grid, x, 0, INK_BOLD, frame->hostname ? frame->hostname : "");
        if (state->nrows == frame->nports)
            snprintf(text, sizeof(text), "%zu port%s", frame->nports, frame->nports == 1 ? "" : "s");
        else
            snprintf(text, sizeof(text), "%zu of %zu ports", state->nrows, frame->nports);
        x = put_word(grid, x, 0, INK_PLAIN, text);
    }
    if (!state->replay) {
        snprintf(text, sizeof(text), "every %g s", state->interval);
        x = put_word(grid, x, 0, INK_PLAIN, text);
    }
    if (*state->filter) {
        snprintf(text, sizeof(text), "/ %s", state->filter);
        x = put_word(grid, x, 0, INK_WARN, text);
    }
    if (*state->sort) {
        snprintf(text, sizeof(text), "by %s", state->sort);
        put_word(grid, x, 0, INK_PLAIN, text);
    }
}

static size_t put_total(struct grid *grid, size_t x, const struct top_state *state, const char *name,
                        struct rate rate, enum ink ink)
{
    char data[32], text[64];
    top_rate_text(rate, state->bytes, data, sizeof(data));
    snprintf(text, sizeof(text), "%s %s", name, data);
    return put_word(grid, x, 1, ink, text);
}

static size_t put_count(struct grid *grid, size_t x, const char *name, struct rate rate)
{
    char count[32], text[64];
    if (!rate.known)
        return x;
    top_count_text(rate, count, sizeof(count));
    snprintf(text, sizeof(text), "%s %s/s", name, count);
    return put_word(grid, x, 1, rate.value > 0 ? INK_WARN : INK_DIM, text);
}

static void paint_totals(struct grid *grid, const struct top_state *state)
{
    if (!state->frame || head_of(grid) < 2)
        return;
    struct frame_port totals = frame_totals(state->frame);
    size_t x = put_total(grid, 0, state, "out", totals.flows[FLOW_SENT_BYTES], INK_OUT);
    x = put_total(grid, x, state, "in", totals.flows[FLOW_RECEIVED_BYTES], INK_IN);
    x = put_count(grid, x, "retx", totals.flows[FLOW_RETRANSMISSIONS]);
    x = put_count(grid, x, "drops", totals.flows[FLOW_DROPS]);
    x = put_count(grid, x, "marks", totals.flows[FLOW_MARKS]);
    if (x + 12 > grid->width)
        return;
    size_t room = grid->width - x - 2;
    char *line = history_line(state->history, NULL, 0, room < 60 ? room : 60);
    put_word(grid, x, 1, INK_OUT, line);
    free(line);
}

static void paint_foot(struct grid *grid, const struct top_state *state)
{
    static const char *const questions[] = { [PROMPT_FILTER] = "filter: ",
                                             [PROMPT_SORT] = "sort by [-]COLUMN[,...]: ",
                                             [PROMPT_INTERVAL] = "seconds between readings: " };
    size_t y = grid->height - 1;
    if (!state->prompt) {
        size_t x = put_word(grid, 0, y, INK_DIM, "? help");
        static const char *const keys[] = { "q quit",      "/ filter",     "< > sort",     "Enter detail",
                                            "space pause", "u bits/bytes", "+ - interval", "c colours" };
        for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
            x = put_word(grid, x, y, INK_DIM, keys[i]);
        return;
    }
    const char *question = questions[state->prompt];
    size_t x = grid_put(grid, 0, y, grid->width, INK_TITLE, question);
    size_t room = grid->width > x ? grid->width - x : 0, typed = strlen(state->typed); /* ASCII */
    x += grid_put(grid, x, y, room, INK_PLAIN,
                  typed + 1 > room && room ? state->typed + (typed + 1 - room) : state->typed);
    grid_put(grid, x, y, 1, INK_MARKED, "_");
    if (*state->message && y > 0) {
        for (size_t i = 0; i < grid->width; i++)
            grid_put(grid, i, y - 1, 1, INK_PLAIN, " ");
        grid_put(grid, 0, y - 1, grid->width, INK_BAD, state->message);
    }
}

static void paint_help(struct grid *grid)
{
    static const char *const lines[] = {
        "q          quit",
        "? h        this help, on and off",
        "up down    select a port (k j; PgUp PgDn; Home End)",
        "Enter      more of the selected port, and back",
        "/          filter: retx>0 and state=ACTIVE",
        "s          sort: -out,device   < > next   r reverse",
        "space      pause, and go on",
        "d + -      interval",
        "u          bits or bytes",
        "c          colours: safe for colour-blind, usual, none",
        "",
        "OUT, IN    data, its share of the port's rate in %",
        "3 MIN      both, the last minutes; highest: the most",
        "PFC        frames both ways; which priority: below",
        "CNP, MARKS congestion control at work",
        "RETX, OOS  sent again, received out of order: loss",
        "RNR, DROP  no receive posted; thrown away",
        "! or red   packets were dropped, or a queue pair failed",
        "-          the driver has no counter for it",
    };
    size_t head = head_of(grid);
    for (size_t i = 0; i < ARRAY_SIZE(lines) && head + i + 1 < grid->height; i++)
        grid_put(grid, 0, head + i, grid->width, INK_PLAIN, lines[i]);
}

/* Lines of the table with its heading, of those between head and foot. */
static size_t table_height(const struct top_state *state, size_t between)
{
    size_t wanted = state->nrows + 1;
    if (state->detail && between > PANE_LEAST + 2)
        return 2;
    if (between < ROWS_LEAST + PANE_LEAST)
        return between;
    size_t half = between / 2 > ROWS_LEAST ? between / 2 : ROWS_LEAST;
    size_t most = wanted > half ? between - between * 2 / 5 : wanted;
    return wanted < most ? wanted : most;
}

static const char *why_empty(const struct top_state *state)
{
    return !state->frame           ? "reading ..."
           : !state->frame->nports ? "this machine shows no RDMA device"
                                   : "no port fits the filter";
}

void top_paint(struct grid *grid, struct top_state *state)
{
    size_t head = head_of(grid), foot = foot_of(grid, state);
    if (grid->height < head + foot + 2) {
        grid_put(grid, 0, 0, grid->width, INK_WARN, "too small");
        return;
    }
    size_t between = grid->height - head - foot;
    paint_title(grid, state);
    paint_totals(grid, state);
    if (state->help) {
        paint_help(grid);
    } else {
        size_t table = table_height(state, between);
        top_paint_rows(grid, state, head, table);
        if (!state->nrows)
            grid_put(grid, 1, head + 1, grid->width, INK_WARN, why_empty(state));
        top_paint_pane(grid, state, head + table, between - table);
    }
    if (foot)
        paint_foot(grid, state);
}
