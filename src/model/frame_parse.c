/* SPDX-License-Identifier: MIT */
/* What a frame's JSON consists of, and a frame from it. */
#include "model/frame.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
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
    bool lacks; /* a field that it needs */
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

#define FIELD(row, key, kind, member, most, needed)                           \
    {                                                                         \
        key, FRAME_##kind, offsetof(struct frame_##row, member), most, needed \
    }
#define LIST(list, row, lacks_what)                                                                           \
    {                                                                                                         \
        .key = #list, .fields = row##_fields, .size = sizeof(struct frame_##row),                             \
        .rows = offsetof(struct frame, list), .count = offsetof(struct frame, n##list), .lacks = (lacks_what) \
    }

/* What a port counts stands beside, by the names of flows. */
static const struct frame_field port_fields[] = {
    FIELD(port, "device", TEXT, device, 0, true),
    FIELD(port, "port", PORT, number, UINT32_MAX, true),
    FIELD(port, "netdev", TEXT, netdev, 0, false),
    FIELD(port, "state", TEXT, state, 0, false),
    FIELD(port, "rate_mbps", NUMBER, rate_mbps, UINT32_MAX, false),
    { 0 },
};
static const struct frame_field counter_fields[] = {
    FIELD(counter, "device", TEXT, device, 0, true),
    FIELD(counter, "port", NUMBER, port, UINT32_MAX, false),
    FIELD(counter, "name", TEXT, name, 0, true),
    FIELD(counter, "rate", RATE, rate, 0, true),
    FIELD(counter, "at_least", LEAST, rate, 0, false),
    FIELD(counter, "unit", TEXT, unit, 0, false),
    FIELD(counter, "severity", TEXT, severity, 0, false),
    FIELD(counter, "meaning", TEXT, meaning, 0, false),
    { 0 },
};
static const struct frame_field user_fields[] = {
    FIELD(user, "kind", TEXT, kind, 0, true),
    FIELD(user, "name", TEXT, name, 0, false),
    FIELD(user, "pid", NUMBER, pid, INT32_MAX, false),
    FIELD(user, "device", TEXT, device, 0, false),
    FIELD(user, "port", NUMBER, port, UINT32_MAX, false),
    FIELD(user, "queues", TEXT, queues, 0, false),
    FIELD(user, "mr_bytes", NUMBER, registered, INT64_MAX, false),
    FIELD(user, "peer", TEXT, peer, 0, false),
    FIELD(user, "started_by", TEXT, started_by, 0, false),
    { 0 },
};
static const struct frame_field event_fields[] = {
    FIELD(event, "time", TIME, time_ms, 0, false),  FIELD(event, "event", TEXT, kind, 0, true),
    FIELD(event, "device", TEXT, device, 0, false), FIELD(event, "port", NUMBER, port, UINT32_MAX, false),
    FIELD(event, "text", TEXT, text, 0, false),     { 0 },
};
static const struct frame_list frame_ports = LIST(ports, port, "it has no 'device', or no 'port'");
const struct frame_list frame_counters = LIST(counters, counter, "it has no 'device', 'name' or 'rate'"),
                        frame_users = LIST(users, user, "it has no 'kind'"),
                        frame_events = LIST(events, event, "it has no 'event'");

static int take_field(struct parse *p, const json_t *object, const struct frame_field *field, void *row)
{
    void *to = (char *)row + field->offset;
    const char **text = to;
    struct num *number = to, port = { 0 };
    struct rate *rate = to;
    bool known = true;
    int r = 0;
    switch (field->type) {
    case FRAME_TEXT:
        r = take_text(p, object, field->key, text);
        known = *text && **text;
        break;
    case FRAME_NUMBER:
        r = take_num(p, object, field->key, field->most, number);
        break;
    case FRAME_PORT:
        r = take_num(p, object, field->key, field->most, &port);
        *(uint32_t *)to = (uint32_t)port.value;
        known = port.value > 0;
        break;
    case FRAME_RATE:
        r = take_rate(p, object, field->key, rate);
        known = rate->known;
        break;
    case FRAME_LEAST:
        rate->least = json_is_true(json_object_get(object, field->key));
        break;
    case FRAME_TIME:
        r = take_time(p, object, to);
        break;
    }
    p->lacks |= field->needed && !known;
    return r;
}

/* The rates of a port. */
static int take_flows(struct parse *p, const json_t *object, struct frame_port *port)
{
    int r = take_rates(p, object, "pfc_sent", port->pfc_sent);
    r = r < 0 ? r : take_rates(p, object, "pfc_received", port->pfc_received);
    for (enum flow flow = 0; flow < FLOWS && r == 0; flow++)
        r = take_rate(p, object, flow_name(flow), &port->flows[flow]);
    port->counts_bytes = json_is_true(json_object_get(object, "byte_counter"));
    take_least(object, port);
    return r;
}

static int take_row(struct parse *p, const struct frame_list *list, const json_t *object, void *row)
{
    int r = json_is_object(object) ? 0 : wrong(p, "it should be an object");
    p->lacks = false;
    for (const struct frame_field *field = list->fields; field->key && r == 0; field++)
        r = take_field(p, object, field, row);
    if (r == 0 && list == &frame_ports)
        r = take_flows(p, object, row);
    return r == 0 && p->lacks ? wrong(p, "%s", list->lacks) : r;
}

static int take_list(struct parse *p, const json_t *top, const struct frame_list *list)
{
    const json_t *array = json_object_get(top, list->key);
    size_t count = json_array_size(array);
    if (!array || json_is_null(array))
        return 0;
    if (!json_is_array(array) || count > FRAME_ROWS_MOST)
        return wrong(p, "'%s' should be an array of at most %d objects", list->key, FRAME_ROWS_MOST);
    char *rows = count ? arena_alloc(p->frame->arena, count, list->size) : NULL;
    int r = 0;
    p->list = list->key;
    for (p->row = 0; p->row < count && r == 0; p->row++)
        r = take_row(p, list, json_array_get(array, p->row), rows + p->row * list->size);
    p->list = NULL;
    memcpy((char *)p->frame + list->rows, &rows, sizeof(rows)); /* a pointer to rows of whatever type */
    memcpy((char *)p->frame + list->count, &count, sizeof(count));
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
    r = r < 0 ? r : take_list(p, top, &frame_ports);
    r = r < 0 ? r : take_list(p, top, &frame_counters);
    r = r < 0 ? r : take_list(p, top, &frame_users);
    r = r < 0 ? r : take_list(p, top, &frame_events);
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
