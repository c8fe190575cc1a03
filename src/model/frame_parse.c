/* SPDX-License-Identifier: MIT */
/* The fields of a frame's JSON, and its parser. */
#include "model/frame.h"

#include <jansson.h>
#include <math.h>

#include "base/clock.h"

struct parse {
    struct frame *frame;
    struct frame_fault *fault;
    struct frame *before;     /* what it changes; NULL: it is whole */
    bool takes;               /* from the one before */
    struct frame_port *named; /* of what changed, if it takes; else in the arena */
    const char *list;         /* what is being read: "ports" */
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

static bool is_rate(const json_t *value)
{
    double number = json_number_value(value);
    return json_is_number(value) && isfinite(number) && number >= 0 && number <= 1e18;
}

/* What null says where *to may have held something. */
static void forget(int type, void *to)
{
    if (type == MEMBER_TEXT)
        *(const char **)to = NULL;
    else if (type == MEMBER_NUM)
        *(struct num *)to = (struct num){ 0 };
    else if (type == MEMBER_RATE)
        *(struct rate *)to = (struct rate){ 0 };
}

/* Reads a value of a type of struct member: MEMBER_TEXT, _NUM, _INTEGER (32 bits) or _RATE. Without its key *to
 * is left unchanged. 0 or -EINVAL. */
static int take(struct parse *p, const json_t *object, const char *key, int type, void *to)
{
    const json_t *value = json_object_get(object, key);
    const char *text = json_string_value(value);
    json_int_t number = json_integer_value(value), most = text_is(key, "port") ? UINT32_MAX : INT64_MAX;
    if (json_is_null(value))
        forget(type, to);
    if (!value || json_is_null(value))
        return 0;
    if (type == MEMBER_TEXT &&
        (!text || json_string_length(value) > FRAME_TEXT_MOST || strlen(text) != json_string_length(value)))
        return wrong(p, "'%s' should be a string of at most %d bytes", key, FRAME_TEXT_MOST);
    if ((type == MEMBER_NUM || type == MEMBER_INTEGER) &&
        (!json_is_integer(value) || number < 0 || number > most))
        return wrong(p, "'%s' should be a whole number, not below 0", key);
    if (type == MEMBER_RATE && !is_rate(value))
        return wrong(p, "'%s' should be a number from 0 to 1e18", key);
    if (type == MEMBER_TEXT)
        *(const char **)to = text_clean_copy(p->frame->arena, text, SIZE_MAX);
    else if (type == MEMBER_NUM)
        *(struct num *)to = num_of((uint64_t)number);
    else if (type == MEMBER_INTEGER)
        *(uint32_t *)to = (uint32_t)number;
    else
        *(struct rate *)to = (struct rate){ .value = json_number_value(value), .known = true };
    return 0;
}

static int take_rates(struct parse *p, const json_t *object, const char *key, struct rate to[static PRIORITIES])
{
    const json_t *value = json_object_get(object, key);
    bool right = json_array_size(value) == PRIORITIES;
    if (json_is_null(value))
        memset(to, 0, PRIORITIES * sizeof(*to));
    if (!value || json_is_null(value))
        return 0;
    for (unsigned i = 0; i < PRIORITIES && right; i++) {
        const json_t *rate = json_array_get(value, i);
        right = is_rate(rate);
        to[i] = (struct rate){ .value = json_number_value(rate), .known = true };
    }
    return right ? 0 : wrong(p, "'%s' should be an array of %d numbers", key, PRIORITIES);
}

static int take_time(struct parse *p, const json_t *object, uint64_t *ms)
{
    const json_t *value = json_object_get(object, "time");
    if (!json_is_string(value) || clock_utc_parse(json_string_value(value), ms) < 0)
        return wrong(p, "'time' should be a time like 2026-11-22T19:00:00.123Z");
    return 0;
}

/* Without the key it is as it was. */
static int take_clock(struct parse *p, const json_t *top)
{
    const json_t *value = json_object_get(top, "clock"), *error = json_object_get(value, "error_ms");
    struct frame_clock *clock = &p->frame->clock;
    if (p->before)
        *clock = p->before->clock;
    if (!value || json_is_null(value))
        return 0;
    if (!json_is_boolean(json_object_get(value, "synchronised")) || (!json_is_null(error) && !is_rate(error)))
        return wrong(p, "'clock' should have 'synchronised' and 'error_ms'");
    *clock = (struct frame_clock){ .known = true,
                                   .synchronised = json_is_true(json_object_get(value, "synchronised")),
                                   .error_ms = json_number_value(error) };
    return 0;
}

static void take_least(const json_t *object, struct frame_port *port)
{
    const json_t *list = json_object_get(object, "least");
    for (enum flow flow = 0; flow < FLOWS && list; flow++)
        port->flows[flow].least = false;
    for (size_t i = 0; i < json_array_size(list); i++)
        for (enum flow flow = 0; flow < FLOWS; flow++)
            if (text_is(json_string_value(json_array_get(list, i)), flow_name(flow)))
                port->flows[flow].least = true;
}

static struct value get_least(const void *row)
{
    return value_tristate(tri_of(((const struct frame_counter *)row)->rate.least));
}

static struct value make_time(const struct cell_context *context, const void *row)
{
    char text[CLOCK_TEXT_SIZE];
    clock_utc_text(((const struct frame_event *)row)->time_ms, text);
    return value_text(arena_strdup(context->arena, text));
}

#define TEXT(row, member) MEMBER(struct frame_##row, member)
#define NUMBER(row, member) MEMBER_AS(VALUE_UNSIGNED, struct frame_##row, member)
#define NEEDED .flags = ATTRIBUTE_ALWAYS

#define LIST(list, row)                                                                 \
    {                                                                                   \
        .key = #list, .fields = row##_fields, .size = sizeof(struct frame_##row),       \
        .rows = offsetof(struct frame, list), .count = offsetof(struct frame, n##list), \
    }

/* A port's rates are separate keys, named as the flows. */
static const struct attribute port_fields[] = {
    { "device", NEEDED, TEXT(port, device) }, { "port", NEEDED, NUMBER(port, number) },
    { "netdev", TEXT(port, netdev) },         { "state", TEXT(port, state) },
    { "rate_mbps", NUMBER(port, rate_mbps) }, { "neighbor", TEXT(port, neighbor) },
    { "verdict", TEXT(port, verdict) },       { 0 },
};
static const struct attribute counter_fields[] = {
    { "device", NEEDED, TEXT(counter, device) },
    { "port", NUMBER(counter, port) },
    { "name", NEEDED, TEXT(counter, name) },
    { "rate", NEEDED, MEMBER(struct frame_counter, rate) },
    { "at_least", .get = get_least },
    { "unit", TEXT(counter, unit) },
    { "severity", TEXT(counter, severity) },
    { "meaning", TEXT(counter, meaning) },
    { 0 },
};
static const struct attribute user_fields[] = {
    { "kind", NEEDED, TEXT(user, kind) },
    { "name", TEXT(user, name) },
    { "pid", NUMBER(user, pid) },
    { "device", TEXT(user, device) },
    { "port", NUMBER(user, port) },
    { "queues", TEXT(user, queues) },
    { "mr_bytes", NUMBER(user, registered) },
    { "peer", TEXT(user, peer) },
    { "started_by", TEXT(user, started_by) },
    { 0 },
};
static const struct attribute event_fields[] = {
    { "time", .make = make_time },   { "event", NEEDED, TEXT(event, kind) }, { "device", TEXT(event, device) },
    { "port", NUMBER(event, port) }, { "text", TEXT(event, text) },          { 0 },
};
static const struct frame_list frame_ports = LIST(ports, port);
const struct frame_list frame_counters = LIST(counters, counter), frame_users = LIST(users, user),
                        frame_events = LIST(events, event);

static int take_field(struct parse *p, const json_t *object, const struct attribute *field, void *row)
{
    const struct member *member = &field->member;
    if (member->type == MEMBER_NONE)
        return 0;
    int r = take(p, object, field->key, member->type, (char *)row + member->offsets[0]);
    struct value value = member_value(member, row);
    bool empty = !value_is_known(&value) || (member->type == MEMBER_TEXT && !*value.text) ||
                 (member->type == MEMBER_INTEGER && !value.number);
    return r == 0 && field->flags & ATTRIBUTE_ALWAYS && empty ? wrong(p, "it has no '%s'", field->key) : r;
}

/* The rates of a port. */
static int take_flows(struct parse *p, const json_t *object, struct frame_port *port)
{
    int r = take_rates(p, object, "pfc_sent", port->pfc_sent);
    r = r < 0 ? r : take_rates(p, object, "pfc_received", port->pfc_received);
    for (enum flow flow = 0; flow < FLOWS && r == 0; flow++)
        r = take(p, object, flow_name(flow), MEMBER_RATE, &port->flows[flow]);
    if (json_object_get(object, "byte_counter"))
        port->counts_bytes = json_is_true(json_object_get(object, "byte_counter"));
    take_least(object, port);
    return r;
}

static int take_row(struct parse *p, const struct frame_list *list, const json_t *object, void *row)
{
    int r = json_is_object(object) ? 0 : wrong(p, "it should be an object");
    for (const struct attribute *field = list->fields; field->key && r == 0; field++)
        r = take_field(p, object, field, row);
    if (r == 0 && list == &frame_ports)
        r = take_flows(p, object, row);
    if (r == 0 && list == &frame_counters)
        ((struct frame_counter *)row)->rate.least = json_is_true(json_object_get(object, "at_least"));
    if (r == 0 && list == &frame_events)
        r = take_time(p, object, &((struct frame_event *)row)->time_ms);
    return r;
}

/* Makes a row's texts outlive the frame that it was copied from. */
static void own_texts(const struct parse *p, const struct frame_list *list, void *row)
{
    for (const struct attribute *field = list->fields; field->key && !p->takes; field++) {
        const char **text = (const char **)(void *)((char *)row + field->member.offsets[0]);
        if (field->member.type == MEMBER_TEXT)
            *text = arena_strdup(p->frame->arena, *text);
    }
}

/* What a row says of a port that was there before is only what changed. */
static void begin_port(const struct parse *p, const json_t *object, struct frame_port *port)
{
    const char *device = json_string_value(json_object_get(object, "device"));
    json_int_t number = json_integer_value(json_object_get(object, "port"));
    const struct frame_port *was = device && number > 0 && number <= UINT32_MAX
                                       ? frame_find_port(p->before, device, (uint32_t)number)
                                       : NULL;
    if (!was)
        return;
    *port = *was;
    own_texts(p, &frame_ports, port);
}

/* Those that the line doesn't name, in their old order, with those that it names in their places. */
static void keep_ports(const struct parse *p)
{
    struct frame *frame = p->frame;
    const struct frame_port *named = frame->ports;
    size_t count = frame->nports;
    frame->ports = p->takes ? p->before->ports : NULL;
    frame->nports = p->takes ? p->before->nports : 0;
    for (size_t i = frame->nports; i < p->before->nports; i++) {
        struct frame_port *port = ARENA_PUSH(frame->arena, frame->ports, frame->nports);
        *port = p->before->ports[i];
        own_texts(p, &frame_ports, port);
    }
    for (size_t i = 0; i < count; i++) {
        struct frame_port *place = frame_find_port(frame, named[i].device, named[i].number);
        place = place ? place : ARENA_PUSH(frame->arena, frame->ports, frame->nports);
        *place = named[i];
    }
}

static void keep_users(const struct parse *p)
{
    struct frame *frame = p->frame;
    frame->users = p->takes ? p->before->users : NULL;
    frame->nusers = p->takes ? p->before->nusers : 0;
    for (size_t i = frame->nusers; i < p->before->nusers; i++) {
        struct frame_user *user = ARENA_PUSH(frame->arena, frame->users, frame->nusers);
        *user = p->before->users[i];
        own_texts(p, &frame_users, user);
    }
    frame->users_known = p->before->users_known;
}

static int take_list(struct parse *p, const json_t *top, const struct frame_list *list)
{
    const json_t *array = json_object_get(top, list->key);
    size_t count = json_array_size(array);
    if (!array || json_is_null(array))
        return 0;
    if (!json_is_array(array) || count > FRAME_ROWS_MOST)
        return wrong(p, "'%s' should be an array of at most %d objects", list->key, FRAME_ROWS_MOST);
    bool named = p->takes && list == &frame_ports;
    char *rows = named   ? mem_alloc(count + 1, list->size)
                 : count ? arena_alloc(p->frame->arena, count, list->size)
                         : NULL;
    int r = 0;
    p->named = named ? (struct frame_port *)(void *)rows : p->named;
    p->list = list->key;
    for (p->row = 0; p->row < count && r == 0; p->row++) {
        const json_t *object = json_array_get(array, p->row);
        char *row = rows + p->row * list->size;
        if (p->before && list == &frame_ports)
            begin_port(p, object, (struct frame_port *)(void *)row);
        r = take_row(p, list, object, row);
    }
    p->list = NULL;
    memcpy((char *)p->frame + list->rows, &rows, sizeof(rows)); /* a pointer to rows of any type */
    memcpy((char *)p->frame + list->count, &count, sizeof(count));
    return r;
}

static int take_readings(struct parse *p, const json_t *top)
{
    const json_t *value = json_object_get(top, "readings");
    const char *text = json_string_value(value);
    if (!value || json_is_null(value))
        return 0;
    if (!text || strlen(text) != json_string_length(value))
        return wrong(p, "'readings' should be the text of a recording");
    p->frame->readings = arena_strdup(p->frame->arena, text);
    p->frame->readings_changed = json_is_true(json_object_get(top, "readings_changed"));
    return 0;
}

static int newer(struct parse *p)
{
    (void)wrong(p, "a newer roce wrote it: read it with that one");
    return -ENOTSUP;
}

static int take_frame(struct parse *p, const json_t *top)
{
    struct rate seconds = { 0 };
    if (!json_is_object(top))
        return wrong(p, "it should be a JSON object");
    if (json_integer_value(json_object_get(top, "version")) > 1)
        return newer(p);
    if (json_integer_value(json_object_get(top, "version")) != 1)
        return wrong(p, "'version' should be 1");
    if (!json_is_true(json_object_get(top, "changes")))
        p->before = NULL;
    else if (!p->before)
        return wrong(p, "it holds only what changed since a line before it, which is missing");
    if (!p->before && !json_is_array(json_object_get(top, "ports")))
        return wrong(p, "it has no 'ports': is it what roce top --record wrote?");
    p->takes = p->before && p->before->gives;
    if (p->takes) {
        arena_free(p->frame->arena);
        p->frame->arena = p->before->arena;
    }
    static const struct frame_list *const lists[] = { &frame_ports, &frame_counters, &frame_users,
                                                      &frame_events };
    int r = take_time(p, top, &p->frame->time_ms);
    r = r < 0 ? r : take(p, top, "host", MEMBER_TEXT, &p->frame->hostname);
    r = r < 0 ? r : take(p, top, "interval", MEMBER_RATE, &seconds);
    r = r < 0 ? r : take_clock(p, top);
    for (size_t i = 0; i < ARRAY_SIZE(lists) && r == 0; i++)
        r = take_list(p, top, lists[i]);
    r = r < 0 ? r : take_readings(p, top);
    double since_1970 = (double)p->frame->time_ms / 1000;
    p->frame->seconds = seconds.value < since_1970 ? seconds.value : since_1970;
    p->frame->users_known = json_is_array(json_object_get(top, "users"));
    if (p->before && r == 0)
        keep_ports(p);
    if (p->before && r == 0 && !json_object_get(top, "users"))
        keep_users(p);
    return r;
}

bool frame_reads_port_key(const char *key)
{
    static const char *const others[] = { "pfc_sent", "pfc_received", "byte_counter", "least" };
    bool found = false;
    for (const struct attribute *field = port_fields; field->key && !found; field++)
        found = strcmp(field->key, key) == 0;
    for (enum flow flow = 0; flow < FLOWS && !found; flow++)
        found = strcmp(flow_name(flow), key) == 0;
    for (size_t i = 0; i < ARRAY_SIZE(others) && !found; i++)
        found = strcmp(others[i], key) == 0;
    return found;
}

int frame_parse(const char *text, size_t len, struct frame *before, struct frame **out,
                struct frame_fault *fault)
{
    struct parse p = { .frame = frame_new(), .fault = fault, .before = before };
    json_error_t error;
    json_t *top = len > FRAME_LINE_MOST ? NULL : json_loadb(text, len, JSON_REJECT_DUPLICATES, &error);
    int r = len > FRAME_LINE_MOST ? wrong(&p, "it is longer than %d MB", FRAME_LINE_MOST >> 20)
            : top                 ? take_frame(&p, top)
                                  : wrong(&p, "not JSON: %s at column %d", error.text, error.column);
    json_decref(top);
    free(p.named);
    if (p.takes)
        *(r < 0 ? &p.frame->arena : &p.before->arena) = NULL;
    if (r < 0)
        frame_free(p.frame);
    else
        *out = p.frame;
    return r;
}
