/* SPDX-License-Identifier: MIT */
/* Rates of the last minutes, drawn as a line. */
#include "view/top/top.h"

#include "base/glyph.h"

/* Three minutes of the shortest interval; more ports than that have no line. */
enum { SAMPLES = 1800, SPAN_MS = 180000, TRACKS_MOST = 1024 };

struct sample {
    uint64_t time_ms;
    double bytes;
};

struct track {
    char *device; /* NULL: all ports together */
    uint32_t port;
    struct sample samples[SAMPLES]; /* a ring */
    size_t count, next;
};

struct history {
    struct track **tracks;
    size_t ntracks, room;
    uint64_t now_ms, step_ms; /* of the last frame, and how long it was */
};

struct history *history_new(void)
{
    return mem_alloc(1, sizeof(struct history));
}

static void track_free(struct track *track)
{
    free(track->device);
    free(track);
}

void history_free(struct history *history)
{
    if (!history)
        return;
    for (size_t i = 0; i < history->ntracks; i++)
        track_free(history->tracks[i]);
    free(history->tracks);
    free(history);
}

static struct track *find(const struct history *history, const char *device, uint32_t port)
{
    for (size_t i = 0; i < history->ntracks; i++) {
        struct track *track = history->tracks[i];
        bool same = device ? text_is(track->device, device) && track->port == port : !track->device;
        if (same)
            return track;
    }
    return NULL;
}

static struct track *find_or_make(struct history *history, const char *device, uint32_t port)
{
    struct track *track = find(history, device, port);
    if (track || history->ntracks == TRACKS_MOST)
        return track;
    if (history->ntracks == history->room) {
        history->room = history->room ? history->room * 2 : 16;
        history->tracks = mem_resize(history->tracks, history->room, sizeof(*history->tracks));
    }
    track = mem_alloc(1, sizeof(*track));
    track->device = device ? mem_strdup(device) : NULL;
    track->port = port;
    history->tracks[history->ntracks++] = track;
    return track;
}

static void add(struct history *history, const char *device, const struct frame_port *port)
{
    struct rate rate = rate_sum(port->flows[FLOW_SENT_BYTES], port->flows[FLOW_RECEIVED_BYTES]);
    if (!rate.known)
        return;
    struct track *track = find_or_make(history, device, port->number);
    if (!track)
        return;
    track->samples[track->next] = (struct sample){ history->now_ms, rate.value };
    track->next = (track->next + 1) % SAMPLES;
    track->count += track->count < SAMPLES;
}

/* The span that a line tells of: where frames are long, a character for each at least. */
static uint64_t span_of(const struct history *history, size_t width)
{
    uint64_t least = (history->step_ms + history->step_ms / 8) * width;
    return least > SPAN_MS ? least : SPAN_MS;
}

static void forget(struct history *history)
{
    uint64_t span = span_of(history, HISTORY_CELLS_MOST);
    for (size_t i = 0; i < history->ntracks;) {
        struct track *track = history->tracks[i];
        uint64_t last = track->samples[(track->next + SAMPLES - 1) % SAMPLES].time_ms;
        if (history->now_ms - last <= span) {
            i++;
            continue;
        }
        track_free(track);
        history->tracks[i] = history->tracks[--history->ntracks];
    }
}

void history_add(struct history *history, const struct frame *frame)
{
    if (frame->time_ms < history->now_ms) /* the clock was set back */
        for (size_t i = 0; i < history->ntracks; i++)
            history->tracks[i]->count = 0;
    history->now_ms = frame->time_ms;
    history->step_ms = (uint64_t)(frame->seconds * 1000);
    for (size_t i = 0; i < frame->nports; i++)
        add(history, frame->ports[i].device, &frame->ports[i]);
    struct frame_port totals = frame_totals(frame);
    add(history, NULL, &totals);
    forget(history);
}

struct line {
    double values[HISTORY_CELLS_MOST], most;
    bool known[HISTORY_CELLS_MOST];
};

static void fill(const struct history *history, const struct track *track, size_t width, struct line *line)
{
    double piece = (double)span_of(history, width) / (double)width;
    for (size_t i = 0; i < track->count; i++) {
        const struct sample *sample = &track->samples[(track->next + SAMPLES - 1 - i) % SAMPLES];
        size_t back = (size_t)((double)(history->now_ms - sample->time_ms) / piece);
        if (back >= width)
            break;
        size_t at = width - 1 - back;
        line->known[at] = true;
        line->values[at] = sample->bytes > line->values[at] ? sample->bytes : line->values[at];
        line->most = sample->bytes > line->most ? sample->bytes : line->most;
    }
}

char *history_line(const struct history *history, const char *device, uint32_t port, size_t width)
{
    const struct track *track = find(history, device, port);
    struct line line = { 0 };
    struct bytes text = { 0 };
    width = width < HISTORY_CELLS_MOST ? width : HISTORY_CELLS_MOST;
    if (track && width)
        fill(history, track, width, &line);
    bytes_append(&text, "", 0);
    for (size_t i = 0; i < width; i++) {
        unsigned height = line.most > 0 ? (unsigned)(line.values[i] / line.most * (GLYPH_BARS - 1) + 0.5) : 0;
        bytes_printf(&text, "%s", line.known[i] ? glyph_bar(height) : " ");
    }
    return text.data;
}
