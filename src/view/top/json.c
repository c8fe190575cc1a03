/* SPDX-License-Identifier: MIT */
#include "view/top/json.h"

#include "base/clock.h"
#include "view/json.h"
#include "view/listing.h"
#include "view/top/columns.h"

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
