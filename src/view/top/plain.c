/* SPDX-License-Identifier: MIT */
/* roce top without a screen: a table or an object a frame. */
#include "view/top/top.h"

#include <stdio.h>
#include <time.h>

#include "base/base.h"
#include "base/clock.h"
#include "base/glyph.h"
#include "view/json.h"
#include "view/listing.h"

void top_time_text(uint64_t ms, char text[static 16])
{
    time_t seconds = (time_t)(ms / 1000);
    struct tm tm;
    *text = '\0';
    if (localtime_r(&seconds, &tm))
        strftime(text, 16, "%H:%M:%S", &tm);
}

void top_rate_text(struct rate rate, bool bytes, char *text, size_t size)
{
    static const char *const letters[] = { "", "k", "M", "G", "T", "P" };
    double value = bytes ? rate.value : rate.value * 8;
    size_t i = 0;
    for (; value >= 1000 && i + 1 < ARRAY_SIZE(letters); i++)
        value /= 1000;
    if (!rate.known)
        snprintf(text, size, "-");
    else
        snprintf(text, size, "%s%.*f %s%s", rate.least ? glyph(GLYPH_AT_LEAST) : "",
                 i == 0 || value >= 100 ? 0
                 : value >= 10          ? 1
                                        : 2,
                 value, letters[i], bytes ? "B/s" : "b/s");
}

static void print_totals(const struct frame *frame)
{
    char time[16], out[32], in[32];
    struct frame_port totals = frame_totals(frame);
    top_time_text(frame->time_ms, time);
    top_rate_text(totals.flows[FLOW_SENT_BYTES], false, out, sizeof(out));
    top_rate_text(totals.flows[FLOW_RECEIVED_BYTES], false, in, sizeof(in));
    printf("%s, %.1f s, %zu port%s: out %s, in %s\n", time, frame->seconds, frame->nports,
           frame->nports == 1 ? "" : "s", out, in);
}

void top_print(const struct frame *frame, const struct look *look, bool first)
{
    if (look->json || look->format == FORMAT_JSON_LINES) {
        json_print_line(top_json(frame, look));
        return;
    }
    struct look own = *look;
    own.no_header |= look->format == FORMAT_CSV && !first;
    if (look->format == FORMAT_TABLE && !first)
        putchar('\n');
    if (look->format == FORMAT_TABLE)
        print_totals(frame);
    if (frame->nports || look->format == FORMAT_CSV)
        listing_table(&own, LISTING(NULL, top_columns, frame->ports, frame->nports));
    fflush(stdout);
}

static void put_time(json_t *object, uint64_t ms)
{
    char text[CLOCK_TEXT_SIZE];
    clock_utc_text(ms, text);
    json_put_text(object, "time", text);
}

static json_t *counters_json(const struct frame *frame)
{
    json_t *array = json_array();
    for (size_t i = 0; i < frame->ncounters; i++) {
        const struct frame_counter *counter = &frame->counters[i];
        json_t *object = json_object();
        json_put_text(object, "device", counter->device);
        json_put_num(object, "port", counter->port);
        json_put_text(object, "name", counter->name);
        json_object_set_new(object, "rate", json_real(counter->rate.value));
        json_put_bool(object, "least", counter->rate.least);
        json_put_text(object, "unit", counter->unit);
        json_put_text(object, "severity", counter->severity);
        json_put_text(object, "meaning", counter->meaning);
        json_array_append_new(array, object);
    }
    return array;
}

static json_t *users_json(const struct frame *frame)
{
    if (!frame->users_known)
        return json_null();
    json_t *array = json_array();
    for (size_t i = 0; i < frame->nusers; i++) {
        const struct frame_user *user = &frame->users[i];
        json_t *object = json_object();
        json_put_text(object, "kind", user->kind);
        json_put_text(object, "name", user->name);
        json_put_num(object, "pid", user->pid);
        json_put_text(object, "device", user->device);
        json_put_num(object, "port", user->port);
        json_put_text(object, "queues", user->queues);
        json_put_num(object, "mr_bytes", user->registered);
        json_put_text(object, "peer", user->peer);
        json_put_text(object, "started_by", user->started_by);
        json_array_append_new(array, object);
    }
    return array;
}

static json_t *events_json(const struct frame *frame)
{
    json_t *array = json_array();
    for (size_t i = 0; i < frame->nevents; i++) {
        const struct frame_event *event = &frame->events[i];
        json_t *object = json_object();
        put_time(object, event->time_ms);
        json_put_text(object, "event", event->kind);
        json_put_text(object, "device", event->device);
        json_put_num(object, "port", event->port);
        json_put_text(object, "text", event->text);
        json_array_append_new(array, object);
    }
    return array;
}

json_t *top_json(const struct frame *frame, const struct look *look)
{
    json_t *top = json_envelope(NULL);
    json_put_text(top, "host", frame->hostname);
    put_time(top, frame->time_ms);
    json_object_set_new(top, "interval", json_real(frame->seconds));
    json_object_set_new(top, "ports",
                        listing_wanted_json(look, LISTING(NULL, top_columns, frame->ports, frame->nports)));
    json_object_set_new(top, "counters", counters_json(frame));
    json_object_set_new(top, "users", users_json(frame));
    json_object_set_new(top, "events", events_json(frame));
    return top;
}
