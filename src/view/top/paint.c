/* SPDX-License-Identifier: MIT */
/* Puts the parts of roce top's screen together. */
#include "view/top/top.h"

#include "base/clock.h"

EMBED(top_help, "src/view/top/help.txt");

enum { PANE_LEAST = 5, ROWS_LEAST = 5 };

/* Lines above and below the table; if room is scarce, the table gets it. */
static size_t head_of(const struct grid *grid)
{
    return grid->height < 8 ? 1 : 2;
}

static size_t foot_of(const struct grid *grid, const struct top_state *state)
{
    return state->prompt || grid->height >= 6;
}

/* A line being filled with words. */
struct words {
    struct grid *grid;
    size_t x, y;
};

/* Puts a word after the last, if it still fits whole. */
static void PRINTF_LIKE(3, 4) put_word(struct words *words, enum ink ink, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = mem_vprintf(format, args);
    va_end(args);
    size_t at = words->x + (words->x ? 2 : 0);
    if (*text && at + text_width(text) <= words->grid->width)
        words->x = at + grid_put(words->grid, at, words->y, words->grid->width, ink, text);
    free(text);
}

static void paint_title(struct grid *grid, const struct top_state *state)
{
    const struct frame *frame = state->frame;
    struct words words = { grid, 0, 0 };
    put_word(&words, INK_TITLE, "roce top");
    if (state->paused)
        put_word(&words, INK_WARN, "PAUSED");
    if (state->replay)
        put_word(&words, INK_WARN, "REPLAY%s", state->ended ? ", at its end" : "");
    if (frame) {
        char time[16];
        clock_day_text(frame->time_ms, time);
        put_word(&words, INK_PLAIN, "%s", time);
        put_word(&words, INK_BOLD, "%s", frame->hostname ? frame->hostname : "");
        if (state->nrows == frame->nports)
            put_word(&words, INK_PLAIN, "%zu port%s", frame->nports, frame->nports == 1 ? "" : "s");
        else
            put_word(&words, INK_PLAIN, "%zu of %zu ports", state->nrows, frame->nports);
    }
    if (!state->replay)
        put_word(&words, INK_PLAIN, "every %g s", state->interval);
    if (*state->filter)
        put_word(&words, INK_WARN, "/ %s", state->filter);
    if (*state->sort)
        put_word(&words, INK_PLAIN, "by %s", state->sort);
}

static void paint_totals(struct grid *grid, const struct top_state *state)
{
    static const enum flow counts[] = { FLOW_RETRANSMISSIONS, FLOW_DROPS, FLOW_MARKS };
    static const char *const names[] = { "retx", "drops", "marks" };
    struct words words = { grid, 0, 1 };
    char text[32];
    if (!state->frame || head_of(grid) < 2)
        return;
    struct frame_port totals = frame_totals(state->frame);
    top_rate_text(totals.flows[FLOW_SENT_BYTES], state->bytes, text, sizeof(text));
    put_word(&words, INK_OUT, "out %s", text);
    top_rate_text(totals.flows[FLOW_RECEIVED_BYTES], state->bytes, text, sizeof(text));
    put_word(&words, INK_IN, "in %s", text);
    for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
        struct rate rate = totals.flows[counts[i]];
        top_count_text(rate, text, sizeof(text));
        if (rate.known)
            put_word(&words, rate.value > 0 ? INK_WARN : INK_DIM, "%s %s/s", names[i], text);
    }
    if (words.x + 12 > grid->width)
        return;
    size_t room = grid->width - words.x - 2;
    char *line = recent_line(state->recent, NULL, 0, room < 60 ? room : 60);
    put_word(&words, INK_OUT, "%s", line);
    free(line);
}

static void paint_foot(struct grid *grid, const struct top_state *state)
{
    static const char *const questions[] = { [PROMPT_FILTER] = "filter: ",
                                             [PROMPT_SORT] = "sort by [-]COLUMN[,...]: ",
                                             [PROMPT_INTERVAL] = "seconds between readings: " };
    size_t y = grid->height - 1;
    if (!state->prompt) {
        static const char *const keys[] = { "? help",       "q quit",       "/ filter",
                                            "< > sort",     "Enter detail", "space pause",
                                            "u bits/bytes", "+ - interval", "c colours" };
        struct words words = { grid, 0, y };
        for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
            put_word(&words, INK_DIM, "%s", keys[i]);
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

/* How much of a text goes on a line: up to its last blank that fits, unless that is none. */
static size_t that_fits(const char *text, size_t len, size_t width)
{
    size_t at = len <= width ? len : width;
    while (at < len && at > 0 && text[at] != ' ')
        at--;
    return at ? at : width < len ? width : len;
}

/* Puts lines from top on, at most height of them, folded behind the column of keys. Returns how many there are.
 */
static size_t put_help(struct grid *grid, size_t top, size_t height)
{
    enum { KEYS = 11 };
    size_t at = 0, y = head_of(grid);
    for (const char *text = top_help; *text;) {
        const char *end = text + strcspn(text, "\n");
        size_t x = 0;
        do {
            size_t n = that_fits(text, (size_t)(end - text), grid->width > x ? grid->width - x : 1);
            char *piece = mem_printf("%.*s", (int)n, text);
            if (at >= top && at - top < height)
                grid_put(grid, x, y + at - top, grid->width, INK_PLAIN, piece);
            free(piece);
            at++;
            text += n;
            text += strspn(text, " ");
            x = grid->width > 2 * KEYS ? KEYS : 0;
        } while (text < end);
        text = end + 1;
    }
    return at;
}

static void paint_help(struct grid *grid, struct top_state *state, size_t height)
{
    size_t count = put_help(grid, SIZE_MAX, 0), most = count > height ? count - height : 0;
    state->page = height;
    state->help_top = state->help_top < most ? state->help_top : most;
    put_help(grid, state->help_top, height);
}

/* The table's lines, including its heading, out of those between head and foot. */
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
        paint_help(grid, state, between);
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
