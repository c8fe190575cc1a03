/* SPDX-License-Identifier: MIT */
/* What roce top's screen shows, and what each key does to it. */
#include "view/top/top.h"

static void keep_text(char to[static TOP_TEXT], const char *text)
{
    snprintf(to, TOP_TEXT, "%s", text ? text : "");
}

/* -- which rows, in which order ------------------------------------------------------------------------- */

/* Applies a filter and an order. False: message says why it can't, and nothing changes. */
static bool set_query(struct top_state *state, const char *filter, const char *sort)
{
    struct query query = { 0 };
    struct bytes said = { 0 };
    struct look look = { .json = true, .filter = *filter ? filter : NULL, .sort = *sort ? sort : NULL };
    say_into(&said);
    int r = query_make(&query, top_columns, &look);
    say_into(NULL);
    if (r < 0) {
        const char *colon = said.data ? strstr(said.data, ": ") : NULL; /* after "roce: " */
        keep_text(state->message, colon ? colon + 2 : "that can't be understood");
        query_free(&query);
        bytes_free(&said);
        return false;
    }
    if (state->query_made)
        query_free(&state->query);
    state->query = query;
    state->query_made = true;
    memmove(state->filter, filter, strlen(filter) + 1);
    memmove(state->sort, sort, strlen(sort) + 1);
    return true;
}

static bool is_selected(const struct top_state *state, const struct frame_port *port)
{
    return port->number == state->port && strcmp(port->device, state->device) == 0;
}

static void select_row(struct top_state *state, size_t row)
{
    if (!state->nrows)
        return;
    state->selected = row < state->nrows ? row : state->nrows - 1;
    keep_text(state->device, state->rows[state->selected]->device);
    state->port = state->rows[state->selected]->number;
}

static void arrange(struct top_state *state)
{
    free(state->rows);
    state->rows = NULL;
    state->nrows = 0;
    if (!state->frame)
        return;
    struct cell_context cells = { .arena = arena_new() };
    state->rows = (const struct frame_port **)query_rows(&state->query, &cells, state->frame->ports,
                                                         state->frame->nports, sizeof(*state->frame->ports),
                                                         &state->nrows);
    arena_free(cells.arena);
    for (size_t i = 0; i < state->nrows; i++)
        if (is_selected(state, state->rows[i])) {
            state->selected = i;
            return;
        }
    select_row(state, state->selected); /* it's gone: select the one in its place */
}

const struct frame_port *top_state_selected(const struct top_state *state)
{
    return state->selected < state->nrows ? state->rows[state->selected] : NULL;
}

void top_state_make(struct top_state *state, const char *filter, const char *sort)
{
    *state = (struct top_state){ .recent = recent_new(), .interval = 1, .page = 1 };
    char own_filter[TOP_TEXT], own_sort[TOP_TEXT];
    keep_text(own_filter, filter);
    keep_text(own_sort, sort);
    if (!set_query(state, own_filter, own_sort))
        set_query(state, "", "");
}

static void free_events(struct top_event *events, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(events[i].device);
        free(events[i].text);
    }
}

void top_state_free(struct top_state *state)
{
    frame_free(state->frame);
    recent_free(state->recent);
    free_events(state->events, state->nevents);
    free(state->rows);
    if (state->query_made)
        query_free(&state->query);
}

/* Takes over its text; of the device the name is copied. */
static void add_event(struct top_state *state, struct top_event event)
{
    if (state->nevents == TOP_EVENTS) {
        free_events(state->events, 1);
        memmove(state->events, state->events + 1, (TOP_EVENTS - 1) * sizeof(event));
        state->nevents--;
    }
    event.device = event.device ? mem_strdup(event.device) : NULL;
    state->events[state->nevents++] = event;
}

void top_state_fail(struct top_state *state, const struct trace_shown *failure)
{
    const struct trace_step *step = failure->step;
    char *text = trace_step_text(step);
    add_event(state, (struct top_event){ .time_ms = failure->utc_ms,
                                         .device = *step->device ? (char *)step->device : NULL,
                                         .text = mem_printf("connection-failed %s", text),
                                         .ink = INK_BAD });
    free(text);
}

void top_state_take(struct top_state *state, struct frame *frame)
{
    recent_add(state->recent, frame);
    for (size_t i = 0; i < frame->nevents; i++) {
        const struct frame_event *event = &frame->events[i];
        char *text = mem_printf("%s %s", event->kind, event->text ? event->text : "");
        add_event(state,
                  (struct top_event){ event->time_ms, (char *)event->device, text, event->port, INK_PLAIN });
    }
    if (state->paused && state->frame) {
        frame_free(frame);
        return;
    }
    frame_free(state->frame);
    state->frame = frame;
    arrange(state);
}

/* -- keys ----------------------------------------------------------------------------------------------- */

static void open_prompt(struct top_state *state, enum top_prompt prompt, const char *text)
{
    state->prompt = prompt;
    state->message[0] = '\0';
    keep_text(state->typed, text);
}

static bool set_interval(struct top_state *state, const char *text)
{
    double seconds;
    char end;
    if (sscanf(text, "%lf%c", &seconds, &end) != 1 || !(seconds >= 0.1 && seconds <= 60)) {
        keep_text(state->message, "seconds from 0.1 to 60");
        return false;
    }
    state->interval = seconds;
    return true;
}

static void close_prompt(struct top_state *state)
{
    char typed[TOP_TEXT];
    keep_text(typed, state->typed);
    bool done = state->prompt == PROMPT_FILTER ? set_query(state, typed, state->sort)
                : state->prompt == PROMPT_SORT ? set_query(state, state->filter, typed)
                                               : set_interval(state, typed);
    if (!done)
        return;
    state->prompt = PROMPT_NONE;
    state->message[0] = '\0';
    arrange(state);
}

static void erase_last(char *text)
{
    size_t len = strlen(text);
    while (len && ((unsigned char)text[--len] & 0xc0) == 0x80)
        continue;
    text[len] = '\0';
}

static void prompt_key(struct top_state *state, int key)
{
    size_t len = strlen(state->typed);
    if (key == PRESSED_ESCAPE) {
        state->prompt = PROMPT_NONE;
        state->message[0] = '\0';
    } else if (key == PRESSED_ENTER || key == '\r') {
        close_prompt(state);
    } else if (key == PRESSED_BACKSPACE || key == '\b') {
        erase_last(state->typed);
    } else if (key == PRESSED_CONTROL('U')) {
        state->typed[0] = '\0';
    } else if (key >= ' ' && key < 127 && len + 1 < TOP_TEXT) {
        state->typed[len] = (char)key;
        state->typed[len + 1] = '\0';
    }
}

/* What < and > step through. */
static const char *const orders[] = { "",       "-sent_bytes",    "-received_bytes",  "-sent_packets",
                                      "-pfc",   "-cnps_received", "-retransmissions", "-out_of_sequence",
                                      "-drops", "-rate_mbps" };

static void sort_next(struct top_state *state, size_t step)
{
    size_t at = 0;
    for (size_t i = 0; i < ARRAY_SIZE(orders); i++)
        if (strcmp(orders[i], state->sort) == 0)
            at = i;
    char filter[TOP_TEXT];
    keep_text(filter, state->filter);
    set_query(state, filter, orders[(at + step) % ARRAY_SIZE(orders)]);
    arrange(state);
}

static void sort_backwards(struct top_state *state)
{
    char sort[TOP_TEXT + 1];
    const char *now = *state->sort ? state->sort : "device,port";
    snprintf(sort, sizeof(sort), "%s%s", *now == '-' ? "" : "-", *now == '-' ? now + 1 : now);
    if (strlen(sort) < TOP_TEXT)
        set_query(state, state->filter, sort);
    arrange(state);
}

static void change_interval(struct top_state *state, bool longer)
{
    static const double steps[] = { 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60 };
    double next = state->interval;
    for (size_t i = 0; i < ARRAY_SIZE(steps); i++)
        if (longer ? steps[ARRAY_SIZE(steps) - 1 - i] > state->interval : steps[i] < state->interval)
            next = longer ? steps[ARRAY_SIZE(steps) - 1 - i] : steps[i];
    state->interval = next;
}

static void move_by(struct top_state *state, long step)
{
    long to = (long)state->selected + step;
    select_row(state, to < 0 ? 0 : (size_t)to);
}

static void escape(struct top_state *state)
{
    if (!state->help && !state->detail)
        state->quit = state->ended;
    state->help = state->detail = false;
}

/* The key with the same effect. */
static int meant(int key)
{
    /* clang-format off */
    static const int same[][2] = {
        { 'Q', 'q' }, { PRESSED_CONTROL('C'), 'q' }, { PRESSED_F10, 'q' }, { 'h', '?' }, { PRESSED_F1, '?' },
        { 'p', ' ' }, { '\r', PRESSED_ENTER }, { 'b', 'u' }, { '\\', '/' }, { 'i', 'd' }, { '=', '+' },
        { '.', '>' }, { ',', '<' }, { 'I', 'r' }, { 'k', PRESSED_UP }, { 'j', PRESSED_DOWN },
        { 'g', PRESSED_HOME }, { 'G', PRESSED_END },
    };
    /* clang-format on */
    for (size_t i = 0; i < ARRAY_SIZE(same); i++)
        if (same[i][0] == key)
            return same[i][1];
    return key;
}

/* Keys that choose which ports are shown, and in which order. */
static void arrange_key(struct top_state *state, int key)
{
    char interval[32];
    snprintf(interval, sizeof(interval), "%g", state->interval);
    if (key == '/')
        open_prompt(state, PROMPT_FILTER, state->filter);
    else if (key == 's')
        open_prompt(state, PROMPT_SORT, state->sort);
    else if (key == 'd')
        open_prompt(state, PROMPT_INTERVAL, interval);
    else if (key == '+' || key == '-')
        change_interval(state, key == '+');
    else if (key == '>' || key == '<')
        sort_next(state, key == '>' ? 1 : ARRAY_SIZE(orders) - 1);
    else if (key == 'r')
        sort_backwards(state);
    else if (key == PRESSED_UP || key == PRESSED_DOWN)
        move_by(state, key == PRESSED_UP ? -1 : 1);
    else if (key == PRESSED_PAGE_UP || key == PRESSED_PAGE_DOWN)
        move_by(state, key == PRESSED_PAGE_UP ? -(long)state->page : (long)state->page);
    else if (key == PRESSED_HOME || key == PRESSED_END)
        select_row(state, key == PRESSED_HOME ? 0 : SIZE_MAX);
}

/* Painting keeps it within the text. */
static void scroll_help(struct top_state *state, int key)
{
    size_t step = key == PRESSED_PAGE_UP || key == PRESSED_PAGE_DOWN ? state->page : 1;
    if (key == PRESSED_UP || key == PRESSED_PAGE_UP)
        state->help_top -= step < state->help_top ? step : state->help_top;
    else if (key == PRESSED_DOWN || key == PRESSED_PAGE_DOWN)
        state->help_top += step;
    else if (key == PRESSED_HOME || key == PRESSED_END)
        state->help_top = key == PRESSED_HOME ? 0 : 1 << 16;
    else
        arrange_key(state, key);
}

void top_state_key(struct top_state *state, int key)
{
    int what = meant(key);
    if (state->prompt)
        prompt_key(state, key);
    else if (what == 'q')
        state->quit = true;
    else if (what == '?')
        state->help = !state->help;
    else if (what == PRESSED_ESCAPE)
        escape(state);
    else if (what == ' ')
        state->paused = !state->paused;
    else if (what == PRESSED_ENTER)
        state->detail = !state->detail;
    else if (what == 'u')
        state->bytes = !state->bytes;
    else if (what == 'c')
        state->palette = (enum palette)((state->palette + 1) % PALETTES);
    else if (state->help)
        scroll_help(state, what);
    else
        arrange_key(state, what);
}
