/* SPDX-License-Identifier: MIT */
/* Rates of the last minutes, drawn as a line. */
#include "view/top/top.h"

#include "base/glyph.h"
#include "base/hash.h"

/* Three minutes at the shortest interval; ports beyond PORTS_MOST have no line. */
enum { MOMENTS = 1800, SPAN_MS = 180000, PORTS_MOST = 1024 };

/* What is kept of a frame. */
struct moment {
    uint64_t time_ms;
    size_t count;
    struct port_bytes {
        uint64_t port; /* its key */
        double bytes;
    } * ports;
};

struct recent {
    struct moment moments[MOMENTS]; /* a ring */
    size_t count, next;
    uint64_t step_ms; /* how long the last frame was */
};

struct recent *recent_new(void)
{
    return mem_alloc(1, sizeof(struct recent));
}

void recent_free(struct recent *recent)
{
    for (size_t i = 0; recent && i < MOMENTS; i++)
        free(recent->moments[i].ports);
    free(recent);
}

/* The moment i before the last. */
static const struct moment *moment_at(const struct recent *recent, size_t i)
{
    return &recent->moments[(recent->next + MOMENTS - 1 - i) % MOMENTS];
}

static uint64_t key_of(const char *device, uint32_t port)
{
    return device ? (uint64_t)hash_text(HASH_BEGIN, device) << 32 | port : 0;
}

static void add(struct moment *moment, const char *device, const struct frame_port *port)
{
    struct rate rate = rate_sum(port->flows[FLOW_SENT_BYTES], port->flows[FLOW_RECEIVED_BYTES]);
    if (rate.known && moment->count <= PORTS_MOST)
        moment->ports[moment->count++] = (struct port_bytes){ key_of(device, port->number), rate.value };
}

void recent_add(struct recent *recent, const struct frame *frame)
{
    struct frame_port totals = frame_totals(frame);
    if (recent->count && frame->time_ms < moment_at(recent, 0)->time_ms) /* the clock was set back */
        recent->count = 0;
    struct moment *moment = &recent->moments[recent->next];
    free(moment->ports);
    *moment = (struct moment){ .time_ms = frame->time_ms,
                               .ports = mem_alloc(frame->nports + 1, sizeof(*moment->ports)) };
    add(moment, NULL, &totals);
    for (size_t i = 0; i < frame->nports; i++)
        add(moment, frame->ports[i].device, &frame->ports[i]);
    recent->next = (recent->next + 1) % MOMENTS;
    recent->count += recent->count < MOMENTS;
    recent->step_ms = (uint64_t)(frame->seconds * 1000);
}

/* A port's rate at a moment. *hint: its index in the moment looked at before, mostly the same here. */
static const double *find_bytes(const struct moment *moment, uint64_t port, size_t *hint)
{
    for (size_t i = 0; i < moment->count; i++) {
        size_t at = (*hint + i) % moment->count;
        if (moment->ports[at].port == port) {
            *hint = at;
            return &moment->ports[at].bytes;
        }
    }
    return NULL;
}

char *recent_line(const struct recent *recent, const char *device, uint32_t port, size_t width)
{
    double values[RECENT_CELLS_MOST] = { 0 }, most = 0;
    bool known[RECENT_CELLS_MOST] = { false };
    struct bytes text = { 0 };
    size_t hint = 0;
    width = width < RECENT_CELLS_MOST ? width : RECENT_CELLS_MOST;
    /* if frames are long, at least one character for each */
    uint64_t long_ms = (recent->step_ms + recent->step_ms / 8) * width;
    double piece = (double)(long_ms > SPAN_MS ? long_ms : SPAN_MS) / (double)(width ? width : 1);
    for (size_t i = 0; i < recent->count; i++) {
        const struct moment *moment = moment_at(recent, i);
        size_t back = (size_t)((double)(moment_at(recent, 0)->time_ms - moment->time_ms) / piece);
        if (back >= width)
            break;
        const double *bytes = find_bytes(moment, key_of(device, port), &hint);
        if (!bytes)
            continue;
        double *value = &values[width - 1 - back];
        known[width - 1 - back] = true;
        *value = *bytes > *value ? *bytes : *value;
        most = *bytes > most ? *bytes : most;
    }
    bytes_append(&text, "", 0);
    for (size_t i = 0; i < width; i++) {
        unsigned height = most > 0 ? (unsigned)(values[i] / most * (GLYPH_BARS - 1) + 0.5) : 0;
        bytes_printf(&text, "%s", known[i] ? glyph_bar(height) : " ");
    }
    return text.data;
}
