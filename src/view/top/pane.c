/* SPDX-License-Identifier: MIT */
/* The lower part of roce top's screen: one port and who uses it. */
#include "view/top/top.h"

#include "base/clock.h"
#include "base/glyph.h"
#include "view/value.h"

enum { PARTS = 3 };
enum { LABEL = 11 }; /* width of "processes" and its like */

/* Lines of the pane, made before it is known which of them fit. */
struct lines {
    struct arena *arena;
    struct line {
        const char *text;
        enum ink ink;
    } * items;
    size_t count;
};

static void PRINTF_LIKE(3, 4) add_line(struct lines *lines, enum ink ink, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    *ARENA_PUSH(lines->arena, lines->items,
                lines->count) = (struct line){ arena_vprintf(lines->arena, format, args), ink };
    va_end(args);
}

/* -- what it does --------------------------------------------------------------------------------------- */

/* Flows that are counting, or those that are at 0: "retx 12/s". */
static void add_flows(struct lines *lines, const struct frame_port *port, bool counting)
{
    static const char *const names[FLOWS] = {
        [FLOW_SENT_PACKETS] = "packets out",
        [FLOW_RECEIVED_PACKETS] = "packets in",
        [FLOW_PAUSES_SENT] = "pauses out",
        [FLOW_PAUSES_RECEIVED] = "pauses in",
        [FLOW_CNPS_SENT] = "CNPs out",
        [FLOW_CNPS_RECEIVED] = "CNPs in",
        [FLOW_MARKS] = "marks",
        [FLOW_RETRANSMISSIONS] = "retransmissions",
        [FLOW_OUT_OF_SEQUENCE] = "out of sequence",
        [FLOW_RNR_SENT] = "RNR out",
        [FLOW_RNR_RECEIVED] = "RNR in",
        [FLOW_DROPS] = "drops",
        [FLOW_FAILURES] = "failures",
    };
    for (enum flow flow = 0; flow < FLOWS; flow++) {
        struct rate rate = port->flows[flow];
        char count[32];
        top_count_text(rate, count, sizeof(count));
        if (names[flow] && rate.known && (rate.value > 0) == counting)
            add_line(lines, top_flow_ink(rate, flow_tone(flow)), "%s %s%s/s", names[flow],
                     rate.least ? glyph(GLYPH_AT_LEAST) : "", count);
    }
}

static void add_pfc(struct lines *lines, const char *name, const struct rate rates[static PRIORITIES],
                    bool counting)
{
    char *text = top_pfc_text(rates);
    if (text && (top_pfc_sum(rates).value > 0) == counting)
        add_line(lines, counting ? INK_WARN : INK_DIM, "%s %s", name, text);
    free(text);
}

/* What is counting comes first, as there may be no room for more. */
static struct lines flow_words(struct arena *arena, const struct frame_port *port)
{
    struct lines words = { .arena = arena };
    if (!port->counts_bytes)
        add_line(&words, INK_WARN, "its driver has no byte counter: what it carries is not known");
    struct rate size = frame_packet_size(port);
    if (size.known)
        add_line(&words, INK_PLAIN, "mean packet %.0f B", size.value);
    for (unsigned quiet = 0; quiet < 2; quiet++) {
        add_flows(&words, port, !quiet);
        add_pfc(&words, "PFC in by priority", port->pfc_received, !quiet);
        add_pfc(&words, "PFC out by priority", port->pfc_sent, !quiet);
    }
    return words;
}

/* Words one after another, on as many lines as they need; returns how many. */
static size_t paint_words(struct grid *grid, const struct lines *words, size_t y, size_t most)
{
    size_t x = 0, used = 0;
    for (size_t i = 0; i < words->count; i++) {
        size_t width = text_width(words->items[i].text), gap = x ? 3 : 0;
        if (x && x + gap + width > grid->width) {
            x = gap = 0;
            used++;
        }
        if (used == most)
            return used;
        if (gap)
            grid_put(grid, x + 1, y + used, 1, INK_DIM, "·");
        x += gap + grid_put(grid, x + gap, y + used, grid->width, words->items[i].ink, words->items[i].text);
    }
    return used + (words->count > 0);
}

/* -- who uses it, what it counts, what happened --------------------------------------------------------- */

static bool is_of(const struct frame_port *port, const char *device, struct num number)
{
    return text_is(device, port->device) && (!number.known || number.value == port->number);
}

static struct lines user_lines(struct arena *arena, const struct top_state *state,
                               const struct frame_port *port)
{
    struct lines lines = { .arena = arena };
    const struct frame *frame = state->frame;
    for (size_t i = 0; i < frame->nusers; i++) {
        const struct frame_user *user = &frame->users[i];
        if (!is_of(port, user->device, user->port))
            continue;
        char pid[24] = "";
        const char *bytes = user->registered.known
                                ? value_in_words(arena, value_num_as(VALUE_BYTES, user->registered))
                                : NULL;
        const struct {
            const char *before, *text;
        } parts[] = {
            { "  ", user->queues }, { "  ", bytes }, { "  ", user->started_by }, { "  to ", user->peer }
        };
        if (user->pid.known)
            snprintf(pid, sizeof(pid), " %" PRIu64, user->pid.value);
        const char *text = arena_printf(arena, "%s%s", user->name ? user->name : user->kind, pid);
        for (size_t k = 0; k < ARRAY_SIZE(parts); k++)
            if (parts[k].text)
                text = arena_printf(arena, "%s%s%s", text, parts[k].before, parts[k].text);
        add_line(&lines, INK_PLAIN, "%s", text);
    }
    if (!lines.count && frame->users_known)
        add_line(&lines, INK_DIM, "nobody uses it");
    else if (!lines.count && (frame->seconds > 0 || !state->replay))
        add_line(&lines, INK_DIM, "the kernel doesn't say here who uses it");
    return lines;
}

static struct lines counter_lines(struct arena *arena, const struct frame *frame, const struct frame_port *port)
{
    struct lines lines = { .arena = arena };
    for (size_t i = 0; i < frame->ncounters; i++) {
        const struct frame_counter *counter = &frame->counters[i];
        if (!is_of(port, counter->device, counter->port))
            continue;
        char rate[32];
        if (text_is(counter->unit, "bytes")) {
            top_rate_text(counter->rate, true, rate, sizeof(rate));
        } else {
            char count[24];
            top_count_text(counter->rate, count, sizeof(count));
            snprintf(rate, sizeof(rate), "%s%s/s", counter->rate.least ? glyph(GLYPH_AT_LEAST) : "", count);
        }
        enum ink ink = text_is(counter->severity, "error")     ? INK_BAD
                       : text_is(counter->severity, "warning") ? INK_WARN
                                                               : INK_PLAIN;
        add_line(&lines, ink, "%9s  %-26s  %s", rate, counter->name, counter->meaning ? counter->meaning : "");
    }
    return lines;
}

static struct lines event_lines(struct arena *arena, const struct top_state *state,
                                const struct frame_port *port)
{
    struct lines lines = { .arena = arena };
    for (size_t i = state->nevents; i > 0; i--) {
        const struct top_event *event = &state->events[i - 1];
        char time[16];
        clock_day_text(event->time_ms, time);
        if (!event->device || is_of(port, event->device, event->port))
            add_line(&lines, event->ink, "%s  %s", time, event->text);
    }
    if (!lines.count && state->deaf)
        add_line(&lines, INK_WARN, "can't be watched: %s", state->deaf);
    else if (!lines.count)
        add_line(&lines, INK_DIM, "none since it runs");
    return lines;
}

static size_t paint_lines(struct grid *grid, const char *label, const struct lines *lines, size_t y,
                          size_t most)
{
    size_t count = lines->count < most ? lines->count : most;
    for (size_t i = 0; i < count; i++) {
        bool more = i + 1 == most && lines->count > most;
        const char *text = lines->items[i].text;
        if (more)
            text = arena_printf(lines->arena, "… and %zu more", lines->count - i);
        if (i == 0)
            grid_put(grid, 0, y, LABEL, INK_BOLD, label);
        grid_put(grid, LABEL, y + i, grid->width, more ? INK_DIM : lines->items[i].ink, text);
    }
    return count;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* All but counters get at most a third of the lines each, unless others leave more; counters get the rest. */
static void share_out(size_t height, const size_t wanted[static PARTS], size_t given[static PARTS])
{
    size_t third = height / 3 ? height / 3 : 1, left = height;
    for (unsigned i = 0; i < PARTS; i++) {
        given[i] = smaller(smaller(wanted[i], third), left);
        left -= given[i];
    }
    for (unsigned i = 0; i < PARTS; i++) {
        size_t more = smaller(wanted[i] - given[i], left);
        given[i] += more;
        left -= more;
    }
}

static void paint_heading(struct grid *grid, const struct frame_port *port, size_t y)
{
    for (size_t x = 0; x < grid->width; x++)
        grid_put(grid, x, y, 1, INK_DIM, "─");
    char text[TOP_TEXT];
    snprintf(text, sizeof(text), " %.64s/%" PRIu32 "%s%.64s%s%.64s%s%.48s ", port->device, port->number,
             port->netdev ? "  " : "", port->netdev ? port->netdev : "", port->neighbor ? "  cabled to " : "",
             port->neighbor ? port->neighbor : "", top_is_found(port) ? "  doctor: " : "",
             top_is_found(port) ? port->verdict : "");
    grid_put(grid, 2, y, grid->width > 4 ? grid->width - 4 : 0, INK_TITLE, text);
}

void top_paint_pane(struct grid *grid, const struct top_state *state, size_t y, size_t height)
{
    const struct frame_port *port = top_state_selected(state);
    if (!port || height < 2)
        return;
    struct arena *arena = arena_new();
    paint_heading(grid, port, y);
    struct lines words = flow_words(arena, port);
    size_t used = 1 + paint_words(grid, &words, y + 1, state->detail ? height / 2 : height > 6 ? 2 : 1);
    const struct lines parts[PARTS] = { user_lines(arena, state, port), event_lines(arena, state, port),
                                        counter_lines(arena, state->frame, port) };
    static const char *const labels[] = { "processes", "events", "counters" };
    size_t wanted[PARTS], given[PARTS];
    for (unsigned i = 0; i < PARTS; i++)
        wanted[i] = parts[i].count;
    share_out(height - used, wanted, given);
    for (unsigned i = 0; i < PARTS; i++)
        used += paint_lines(grid, labels[i], &parts[i], y + used, given[i]);
    arena_free(arena);
}
