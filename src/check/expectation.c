/* SPDX-License-Identifier: MIT */
/* Compares the host with what is expected of it. */
#include "model/facts.h"

#include "check/judge.h"

enum { MOST_TOLD = 24, MOST_TOLD_APART = 1024 };

/* A difference that several devices share is printed once. */
struct difference {
    const char *text, *last; /* last: of the subjects */
    struct bytes subjects;
};

struct comparison {
    const struct subject *subject;
    struct arena *arena;
    struct difference *differences;
    size_t ndifferences, more; /* more: that aren't told apart any more */
    size_t met;
    const char *unknown; /* the first that can't be determined */
    size_t nunknown;
};

static void add_difference(struct comparison *c, const char *subject, const char *text)
{
    for (size_t i = 0; i < c->ndifferences; i++) {
        struct difference *known = &c->differences[i];
        if (strcmp(known->text, text) != 0)
            continue;
        if (strcmp(known->last, subject) != 0)
            bytes_printf(&known->subjects, ", %s", subject);
        known->last = subject;
        return;
    }
    if (c->ndifferences == MOST_TOLD_APART) {
        c->more++;
        return;
    }
    struct difference *new = ARENA_PUSH(c->arena, c->differences, c->ndifferences);
    *new = (struct difference){ .text = text, .last = subject };
    bytes_printf(&new->subjects, "%s", subject);
}

static const char *list_text(struct arena *arena, const char *const *items, size_t count)
{
    if (count == 0)
        return "none";
    const char *text = items[0];
    for (size_t i = 1; i < count; i++)
        text = arena_printf(arena, "%s, %s", text, items[i]);
    return *text ? text : "an empty text";
}

static void compare_key(struct comparison *c, const struct expected *expected,
                        const struct fact_subject *subject, const char *name)
{
    if (fact_is_expected_only(expected->fact))
        return;
    struct value found = fact_value(expected->fact, subject, c->arena);
    size_t count;
    const char **items = value_items(&found, c->arena, &count);
    if (value_is_known(&found) && expectation_is_met(expected, items, count)) {
        c->met++;
    } else if (found.type == VALUE_ABSENT) {
        if (c->nunknown++ == 0)
            c->unknown = arena_printf(c->arena, "%s%s%s", name, *name ? " " : "", expected->fact->key);
    } else {
        add_difference(c, name,
                       arena_printf(c->arena, "%s: expected %s, found %s", expected->fact->key,
                                    list_text(c->arena, expected->items, expected->nitems),
                                    list_text(c->arena, items, count)));
    }
}

static void compare_keys(struct comparison *c, const struct expected_entry *entry,
                         const struct fact_subject *subject, const char *name)
{
    for (size_t i = 0; i < entry->nkeys; i++)
        compare_key(c, &entry->keys[i], subject, name);
}

/* The number of devices concerns the whole host. */
static void compare_count(struct comparison *c, const struct expected_entry *entry, size_t count,
                          bool device_here)
{
    if (c->subject->named)
        return;
    const char *name = expectation_name(entry, c->arena);
    if (expectation_is_counted(entry, count))
        c->met += entry->count.known;
    else if (entry->count.known)
        add_difference(
            c, name,
            arena_printf(c->arena, "count: expected %" PRIu64 ", found %zu", entry->count.value, count));
    else
        add_difference(c, entry->device && !device_here ? entry->device : name, "is not here");
}

static void compare_devices(struct comparison *c, const struct expected_entry *entry)
{
    const struct host *host = c->subject->host;
    size_t count = 0;
    for (size_t i = 0; i < host->ndevices; i++) {
        const struct device *device = &host->devices[i];
        if (!expectation_takes_device(entry, device->name))
            continue;
        count++;
        if (check_takes_device(c->subject->selection, device))
            compare_keys(c, entry, &(struct fact_subject){ host, device, NULL }, device->name);
    }
    compare_count(c, entry, count, count > 0);
}

static void compare_ports(struct comparison *c, const struct expected_entry *entry)
{
    const struct host *host = c->subject->host;
    size_t count = 0;
    bool device_here = false;
    for (const struct port *port = NULL; (port = host_next_port(host, port));) {
        device_here |= expectation_takes_device(entry, port->device->name);
        if (!expectation_takes_port(entry, port->device->name, port->number, port->netdev))
            continue;
        count++;
        if (check_takes_port(c->subject->selection, port))
            compare_keys(c, entry, &(struct fact_subject){ host, port->device, port },
                         arena_printf(c->arena, "%s/%" PRIu32, port->device->name, port->number));
    }
    compare_count(c, entry, count, device_here);
}

static void compare_entry(struct comparison *c, const struct expected_entry *entry)
{
    if (entry->of == FACT_HOST)
        compare_keys(c, entry, &(struct fact_subject){ .host = c->subject->host }, "");
    else if (entry->of == FACT_DEVICE)
        compare_devices(c, entry);
    else
        compare_ports(c, entry);
}

static const char *differences_text(const struct comparison *c)
{
    const char *text = "";
    for (size_t i = 0; i < c->ndifferences && i < MOST_TOLD; i++) {
        const struct difference *one = &c->differences[i];
        text = arena_printf(c->arena, "%s%s%s%s%s", text, i ? "; " : "", one->subjects.data,
                            one->subjects.len ? " " : "", one->text);
    }
    if (c->ndifferences > MOST_TOLD)
        text = arena_printf(c->arena, "%s; and %zu more", text, c->ndifferences + c->more - MOST_TOLD);
    for (size_t i = 0; i < c->ndifferences; i++)
        bytes_free(&c->differences[i].subjects);
    return text;
}

JUDGE(as_expected)
{
    const struct expectation *expectation = s->host->expectation;
    struct comparison c = { .subject = s, .arena = j->arena };
    if (!expectation)
        return judge_na(j, "nothing is expected: --expect names a file");
    int err = host_devices_unknown(s->host);
    if (err)
        return judge_unknown(j, "it is unknown whether there are devices: %s", judge_errno(j, err));
    for (size_t i = 0; i < expectation->nentries; i++)
        compare_entry(&c, &expectation->entries[i]);
    if (c.ndifferences)
        return judge_fail(j, "%s", differences_text(&c));
    if (c.nunknown)
        return judge_unknown(j, "%zu of the expectations can't be checked, first %s", c.nunknown, c.unknown);
    return judge_pass(j, "%zu values are as expected", c.met);
}
