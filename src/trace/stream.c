/* SPDX-License-Identifier: MIT */
/* The stream of a trace as a recording has it: a JSON object a line. */
#include <jansson.h>

#include "trace/trace.h"

/* What a line's number and text are called, by its kind. */
static const struct {
    const char *number, *text;
} line_keys[] = {
    [LINE_HEAD] = { NULL, "release" },   [LINE_CLOCK] = { "utc_ms", NULL }, [LINE_OWNER] = { NULL, NULL },
    [LINE_PLACE] = { "of", "place" },    [LINE_LOST] = { "lost", NULL },    [LINE_DEVICE] = { NULL, "iwarp" },
    [LINE_NOW] = { NULL, "now" },        [LINE_LOG] = { NULL, "log" },      [LINE_END] = { "end", NULL },
    [LINE_MOVED] = { "of_us", "moved" },
};

static void put_text(json_t *object, const char *key, const char *text)
{
    char *clean = *text ? text_clean(text, TEXT_ONE_LINE) : NULL;
    if (clean)
        json_object_set_new(object, key, json_string(clean));
    free(clean);
}

static void put_number(json_t *object, const char *key, int64_t number)
{
    json_object_set_new(object, key, json_integer(number));
}

static void put_ends(json_t *object, const struct trace_address *from, const struct trace_address *to)
{
    char text[TRACE_ADDRESS_SIZE];
    trace_address_format(from, text);
    put_text(object, "from", text);
    trace_address_format(to, text);
    put_text(object, "to", text);
}

static const char *point_name(enum trace_point point)
{
    const char *name = trace_point_names[point].name;
    return name ? name : "modify_qp";
}

/* Which events the kernel had: by name, as the numbers are another version's. */
static void put_points(json_t *object, uint64_t points)
{
    json_t *names = json_array();
    for (unsigned i = 0; i < TRACE_POINTS; i++)
        if (points >> i & 1)
            json_array_append_new(names, json_string(point_name(i)));
    json_object_set_new(object, "points", names);
}

static void put_event(json_t *object, const struct trace_event *event)
{
    put_text(object, "point", point_name(event->point));
    put_number(object, "cpu", event->cpu);
    put_number(object, "pid", event->pid);
    put_number(object, "thread", event->tid);
    put_text(object, "task", event->task);
    for (unsigned i = 0; i < TRACE_NUMBERS; i++)
        if (trace_has(event, i))
            put_number(object, trace_number_names[i], event->numbers[i]);
    put_ends(object, &event->from, &event->to);
    put_text(object, "device", event->device);
}

static void put_owner(json_t *object, const struct trace_event *owner, bool connected)
{
    put_text(object, "owner", owner->task[0] ? owner->task : "?");
    put_number(object, "pid", owner->pid);
    put_ends(object, &owner->from, &owner->to);
    put_text(object, "device", owner->device);
    if (connected)
        json_object_set_new(object, "connected", json_true());
}

void trace_line_write(const struct trace_line *line, struct bytes *out)
{
    json_t *object = json_object();
    put_number(object, "t", (int64_t)line->time_us);
    if (line->kind == LINE_EVENT)
        put_event(object, &line->event);
    else if (line->kind == LINE_OWNER)
        put_owner(object, &line->event, line->number);
    else if (line_keys[line->kind].number)
        put_number(object, line_keys[line->kind].number, (int64_t)line->number);
    if (line->kind != LINE_EVENT && line->kind != LINE_OWNER && line_keys[line->kind].text)
        put_text(object, line_keys[line->kind].text, line->text[0] ? line->text : "?");
    if (line->kind == LINE_HEAD)
        put_points(object, line->number);
    if (line->kind == LINE_NOW)
        put_ends(object, &line->event.from, &line->event.to);
    if (line->kind == LINE_LOG || line->kind == LINE_MOVED)
        put_text(object, "device", line->event.device);
    char *text = json_dumps(object, JSON_COMPACT | JSON_PRESERVE_ORDER);
    bytes_printf(out, "%s\n", text ? text : "{}");
    free(text);
    json_decref(object);
}

/* -- reading --------------------------------------------------------------------------------------------- */

static bool take_number(const json_t *object, const char *key, int64_t *number)
{
    const json_t *value = json_object_get(object, key);
    *number = json_integer_value(value);
    return json_is_integer(value);
}

static uint32_t narrow(const json_t *object, const char *key)
{
    int64_t number;
    return take_number(object, key, &number) && number >= 0 && number <= UINT32_MAX ? (uint32_t)number : 0;
}

/* Keeps as much of it as fits; false if there is none. */
static bool take_text(const json_t *object, const char *key, char *text, size_t size)
{
    const char *value = json_string_value(json_object_get(object, key));
    snprintf(text, size, "%s", value ? value : "");
    return value != NULL;
}

static void take_ends(const json_t *object, struct trace_address *from, struct trace_address *to)
{
    char text[TRACE_ADDRESS_SIZE];
    if (take_text(object, "from", text, sizeof(text)))
        (void)trace_address_parse(text, from);
    if (take_text(object, "to", text, sizeof(text)))
        (void)trace_address_parse(text, to);
}

/* TRACE_POINTS if it is none. */
static enum trace_point point_named(const char *name)
{
    unsigned point = 0;
    while (point < TRACE_POINTS && !text_is(point_name(point), name))
        point++;
    return point;
}

/* Those that another version knows, and this doesn't, are passed over. */
static uint64_t take_points(const json_t *object)
{
    const json_t *names = json_object_get(object, "points");
    uint64_t points = 0;
    for (size_t i = 0; i < json_array_size(names); i++) {
        const char *name = json_string_value(json_array_get(names, i));
        enum trace_point point = name ? point_named(name) : TRACE_POINTS;
        if (point < TRACE_POINTS)
            points |= UINT64_C(1) << point;
    }
    return points;
}

static bool take_event(const json_t *object, struct trace_event *event)
{
    char name[TRACE_NAME_SIZE];
    int64_t number;
    if (!take_text(object, "point", name, sizeof(name)))
        return false;
    enum trace_point point = point_named(name);
    if (point == TRACE_POINTS)
        return false;
    event->point = point;
    event->cpu = narrow(object, "cpu");
    event->pid = narrow(object, "pid");
    event->tid = narrow(object, "thread");
    take_text(object, "task", event->task, sizeof(event->task));
    for (unsigned i = 0; i < TRACE_NUMBERS; i++)
        if (take_number(object, trace_number_names[i], &number) && (number >= 0 || i == TRACE_STATUS))
            trace_put(event, i, number);
    take_ends(object, &event->from, &event->to);
    take_text(object, "device", event->device, sizeof(event->device));
    return true;
}

static bool take_owner(const json_t *object, struct trace_line *line)
{
    struct trace_event *owner = &line->event;
    if (!take_text(object, "owner", owner->task, sizeof(owner->task)))
        return false;
    line->kind = LINE_OWNER;
    line->number = json_is_true(json_object_get(object, "connected"));
    owner->pid = narrow(object, "pid");
    take_text(object, "device", owner->device, sizeof(owner->device));
    take_ends(object, &owner->from, &owner->to);
    return true;
}

/* A line of another kind: by the key that only that has. */
static bool take_other(const json_t *object, struct trace_line *line)
{
    int64_t number = 0;
    for (unsigned i = 0; i < ARRAY_SIZE(line_keys); i++) {
        const char *text = line_keys[i].text, *key = line_keys[i].number;
        if ((!text && !key) || !json_object_get(object, text ? text : key))
            continue;
        line->kind = i;
        bool sound = (!text || take_text(object, text, line->text, sizeof(line->text))) &&
                     (!key || (take_number(object, key, &number) && number >= 0)) &&
                     (i != LINE_HEAD || json_is_array(json_object_get(object, "points")));
        line->number = i == LINE_HEAD ? take_points(object) : (uint64_t)number;
        take_ends(object, &line->event.from, &line->event.to);
        take_text(object, "device", line->event.device, sizeof(line->event.device));
        return sound;
    }
    return false;
}

int trace_line_parse(const char *text, size_t len, struct trace_line *line)
{
    struct trace_line made = { .kind = LINE_EVENT };
    int64_t time = 0;
    json_t *object = json_loadb(text, len, JSON_REJECT_DUPLICATES, NULL);
    bool sound = json_is_object(object) && take_number(object, "t", &time) && time >= 0 &&
                 time < INT64_MAX / 1000;
    made.time_us = made.event.time_us = (uint64_t)time;
    if (sound && json_object_get(object, "point"))
        sound = take_event(object, &made.event);
    else
        sound = sound && (take_owner(object, &made) || take_other(object, &made));
    json_decref(object);
    if (!sound)
        return -EBADMSG;
    *line = made;
    return 0;
}

int trace_line_next(const char **text, struct trace_line *line)
{
    const char *at = *text;
    size_t len = strcspn(at, "\n");
    *text = at + len + (at[len] == '\n');
    return !*at ? 0 : trace_line_parse(at, len, line) < 0 ? -EBADMSG : 1;
}
