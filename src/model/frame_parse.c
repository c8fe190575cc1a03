/* SPDX-License-Identifier: MIT */
/* A frame from the JSON that roce top prints. */
#include "model/frame.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/text.h"

struct parse {
    struct frame *frame;
    struct frame_fault *fault;
    const char *list; /* what is being read: "ports" */
    size_t row;
};

static int PRINTF_LIKE(2, 3) wrong(struct parse *p, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = mem_vprintf(format, args), *clean = text_clean(text, TEXT_ONE_LINE);
    va_end(args);
    if (p->list)
        snprintf(p->fault->what, sizeof(p->fault->what), "%s[%zu]: %s", p->list, p->row, clean);
    else
        snprintf(p->fault->what, sizeof(p->fault->what), "%s", clean);
    free(clean);
    free(text);
    return -EINVAL;
}

/* What is missing is as null: each of these leaves *to as it is. 0 or -EINVAL. */
static int take_text(struct parse *p, const json_t *object, const char *key, const char **to)
{
    const json_t *value = json_object_get(object, key);
    if (!value || json_is_null(value))
        return 0;
    if (!json_is_string(value) || json_string_length(value) > FRAME_TEXT_MOST ||
        strlen(json_string_value(value)) != json_string_length(value))
        return wrong(p, "'%s' should be a string of at most %d bytes", key, FRAME_TEXT_MOST);
    *to = arena_strdup(p->frame->arena, json_string_value(value));
    return 0;
}

static int take_num(struct parse *p, const json_t *object, const char *key, uint64_t most, struct num *to)
{
    const json_t *value = json_object_get(object, key);
    if (!value || json_is_null(value))
        return 0;
    if (!json_is_integer(value) || json_integer_value(value) < 0 || (uint64_t)json_integer_value(value) > most)
        return wrong(p, "'%s' should be a whole number, not below 0", key);
    *to = num_of((uint64_t)json_integer_value(value));
    return 0;
}

static bool is_rate(const json_t *value)
{
    return json_is_number(value) && isfinite(json_number_value(value)) && json_number_value(value) >= 0 &&
           json_number_value(value) <= 1e18;
}

static int take_rate(struct parse *p, const json_t *object, const char *key, struct rate *to)
{
    const json_t *value = json_object_get(object, key);
    if (!value || json_is_null(value))
        return 0;
    if (!is_rate(value))
        return wrong(p, "'%s' should be a number from 0 to 1e18", key);
    *to = (struct rate){ .value = json_number_value(value), .known = true };
    return 0;
}

static int take_rates(struct parse *p, const json_t *object, const char *key,
                      struct rate to[static PRIORITIES])
{
    const json_t *value = json_object_get(object, key);
    if (!value || json_is_null(value))
        return 0;
    if (!json_is_array(value) || json_array_size(value) != PRIORITIES)
        return wrong(p, "'%s' should be an array of %d numbers", key, PRIORITIES);
    for (unsigned i = 0; i < PRIORITIES; i++) {
        const json_t *rate = json_array_get(value, i);
        if (!is_rate(rate))
            return wrong(p, "'%s' should be an array of %d numbers", key, PRIORITIES);
        to[i] = (struct rate){ .value = json_number_value(rate), .known = true };
    }
    return 0;
}

static int take_time(struct parse *p, const json_t *object, uint64_t *ms)
{
    const json_t *value = json_object_get(object, "time");
    if (!json_is_string(value) || clock_utc_parse(json_string_value(value), ms) < 0)
        return wrong(p, "'time' should be a time like 2026-11-22T19:00:00.123Z");
    return 0;
}

static void take_least(const json_t *object, struct frame_port *port)
{
    const json_t *list = json_object_get(object, "least");
    for (size_t i = 0; i < json_array_size(list); i++)
        for (enum flow flow = 0; flow < FLOWS; flow++)
            if (text_is(json_string_value(json_array_get(list, i)), flow_name(flow)))
                port->flows[flow].least = true;
}

/* The device that a row is of has a name; its port, where it has one, a number. */
static int take_port_number(struct parse *p, const json_t *object, struct num *number)
{
    return take_num(p, object, "port", UINT32_MAX, number);
}

static int take_port(struct parse *p, const json_t *object)
{
    struct frame_port *port = ARENA_PUSH_MANY(p->frame->arena, p->frame->ports, p->frame->nports);
    struct num number = { 0 };
    int r = take_text(p, object, "device", &port->device);
    r = r < 0 ? r : take_text(p, object, "netdev", &port->netdev);
    r = r < 0 ? r : take_text(p, object, "state", &port->state);
    r = r < 0 ? r : take_port_number(p, object, &number);
    r = r < 0 ? r : take_num(p, object, "rate_mbps", UINT32_MAX, &port->rate_mbps);
    r = r < 0 ? r : take_rates(p, object, "pfc_sent", port->pfc_sent);
    r = r < 0 ? r : take_rates(p, object, "pfc_received", port->pfc_received);
    for (enum flow flow = 0; flow < FLOWS && r == 0; flow++)
        r = take_rate(p, object, flow_name(flow), &port->flows[flow]);
    if (r == 0 && (!port->device || !*port->device || !number.known || !number.value))
        return wrong(p, "it has no 'device', or no 'port'");
    port->number = (uint32_t)number.value;
    port->counts_bytes = json_is_true(json_object_get(object, "byte_counter"));
    take_least(object, port);
    return r;
}

static int take_counter(struct parse *p, const json_t *object)
{
    struct frame_counter *counter = ARENA_PUSH_MANY(p->frame->arena, p->frame->counters, p->frame->ncounters);
    int r = take_text(p, object, "device", &counter->device);
    r = r < 0 ? r : take_text(p, object, "name", &counter->name);
    r = r < 0 ? r : take_text(p, object, "severity", &counter->severity);
    r = r < 0 ? r : take_text(p, object, "unit", &counter->unit);
    r = r < 0 ? r : take_text(p, object, "meaning", &counter->meaning);
    r = r < 0 ? r : take_port_number(p, object, &counter->port);
    r = r < 0 ? r : take_rate(p, object, "rate", &counter->rate);
    if (r == 0 && (!counter->device || !counter->name || !counter->rate.known))
        return wrong(p, "it has no 'device', 'name' or 'rate'");
    counter->rate.least = json_is_true(json_object_get(object, "least"));
    return r;
}

static int take_user(struct parse *p, const json_t *object)
{
    struct frame_user *user = ARENA_PUSH_MANY(p->frame->arena, p->frame->users, p->frame->nusers);
    int r = take_text(p, object, "kind", &user->kind);
    r = r < 0 ? r : take_text(p, object, "name", &user->name);
    r = r < 0 ? r : take_text(p, object, "device", &user->device);
    r = r < 0 ? r : take_text(p, object, "queues", &user->queues);
    r = r < 0 ? r : take_text(p, object, "started_by", &user->started_by);
    r = r < 0 ? r : take_text(p, object, "peer", &user->peer);
    r = r < 0 ? r : take_num(p, object, "pid", INT32_MAX, &user->pid);
    r = r < 0 ? r : take_port_number(p, object, &user->port);
    r = r < 0 ? r : take_num(p, object, "mr_bytes", INT64_MAX, &user->registered);
    return r == 0 && !user->kind ? wrong(p, "it has no 'kind'") : r;
}

static int take_event(struct parse *p, const json_t *object)
{
    struct frame_event *event = ARENA_PUSH_MANY(p->frame->arena, p->frame->events, p->frame->nevents);
    int r = take_time(p, object, &event->time_ms);
    r = r < 0 ? r : take_text(p, object, "event", &event->kind);
    r = r < 0 ? r : take_text(p, object, "device", &event->device);
    r = r < 0 ? r : take_text(p, object, "text", &event->text);
    r = r < 0 ? r : take_port_number(p, object, &event->port);
    return r == 0 && !event->kind ? wrong(p, "it has no 'event'") : r;
}

static int take_list(struct parse *p, const json_t *top, const char *key,
                     int (*take)(struct parse *p, const json_t *object))
{
    const json_t *list = json_object_get(top, key);
    if (!list || json_is_null(list))
        return 0;
    if (!json_is_array(list) || json_array_size(list) > FRAME_ROWS_MOST)
        return wrong(p, "'%s' should be an array of at most %d objects", key, FRAME_ROWS_MOST);
    int r = 0;
    p->list = key;
    for (p->row = 0; p->row < json_array_size(list) && r == 0; p->row++) {
        const json_t *object = json_array_get(list, p->row);
        r = json_is_object(object) ? take(p, object) : wrong(p, "it should be an object");
    }
    p->list = NULL;
    return r;
}

static int take_frame(struct parse *p, const json_t *top)
{
    struct rate seconds = { 0 };
    if (!json_is_object(top))
        return wrong(p, "it should be a JSON object");
    if (json_integer_value(json_object_get(top, "version")) != 1)
        return wrong(p, "'version' should be 1");
    if (!json_is_array(json_object_get(top, "ports")))
        return wrong(p, "it has no 'ports': is it what roce top --record wrote?");
    int r = take_time(p, top, &p->frame->time_ms);
    r = r < 0 ? r : take_text(p, top, "host", &p->frame->hostname);
    r = r < 0 ? r : take_rate(p, top, "interval", &seconds);
    r = r < 0 ? r : take_list(p, top, "ports", take_port);
    r = r < 0 ? r : take_list(p, top, "counters", take_counter);
    r = r < 0 ? r : take_list(p, top, "users", take_user);
    r = r < 0 ? r : take_list(p, top, "events", take_event);
    p->frame->seconds = seconds.value;
    p->frame->users_known = json_is_array(json_object_get(top, "users"));
    return r;
}

int frame_parse(const char *text, size_t len, struct frame **out, struct frame_fault *fault)
{
    struct parse p = { .frame = frame_new(), .fault = fault };
    json_error_t error;
    json_t *top = len > FRAME_LINE_MOST ? NULL : json_loadb(text, len, JSON_REJECT_DUPLICATES, &error);
    int r = len > FRAME_LINE_MOST ? wrong(&p, "it is longer than %d MB", FRAME_LINE_MOST >> 20)
            : top                 ? take_frame(&p, top)
                                  : wrong(&p, "not JSON: %s at column %d", error.text, error.column);
    json_decref(top);
    if (r < 0)
        frame_free(p.frame);
    else
        *out = p.frame;
    return r;
}
