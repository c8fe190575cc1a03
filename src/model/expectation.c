/* SPDX-License-Identifier: MIT */
/* Reads what is expected of a host, and compares values with it. */
#include "model/facts.h"

#include <jansson.h>

#include "tables.h"

struct parse {
    const char *text;
    size_t len;
    size_t keys; /* visited so far: objects keep the order of the text */
    struct arena *arena;
    struct expectation *out;
    struct expectation_fault *fault;
};

/* -- line numbers ---------------------------------------------------------------------------------------- */

/* The index after the string that begins at i. */
static size_t string_end(const struct parse *p, size_t i)
{
    for (i++; i < p->len && p->text[i] != '"'; i++)
        i += p->text[i] == '\\';
    return i + 1;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* The line of the key visited last. jansson, which doesn't report lines of what it has parsed, has found the
 * text to be valid JSON: a string before a colon is a key. */
static unsigned line_of_key(const struct parse *p)
{
    size_t keys = 0;
    unsigned line = 1;
    for (size_t i = 0; i < p->len;) {
        size_t next = p->text[i] == '"' ? string_end(p, i) : i + 1, colon = next;
        while (colon < p->len && is_blank(p->text[colon]))
            colon++;
        keys += p->text[i] == '"' && colon < p->len && p->text[colon] == ':';
        if (keys == p->keys)
            return line;
        line += p->text[i] == '\n';
        i = next;
    }
    return line;
}

static int PRINTF_LIKE(2, 3) wrong(struct parse *p, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = mem_vprintf(format, args), *clean = text_clean(text, TEXT_ONE_LINE);
    va_end(args);
    p->fault->line = p->keys ? line_of_key(p) : 1;
    snprintf(p->fault->what, sizeof(p->fault->what), "%s", clean);
    free(clean);
    free(text);
    return -EINVAL;
}

/* -- values ---------------------------------------------------------------------------------------------- */

static const char *const type_texts[] = { EXPECTED_TYPES };

/* NULL if it has another type. */
static const char *item_text(const json_t *json, enum value_type type, struct arena *arena)
{
    switch (type) {
    case VALUE_STRING:
    case VALUE_STRINGS:
    case VALUE_GUID:
        return arena_strdup(arena, json_string_value(json));
    case VALUE_BOOLEAN:
        return !json_is_boolean(json) ? NULL : json_is_true(json) ? "yes" : "no";
    default:
        return json_is_integer(json) && (type == VALUE_SIGNED || json_integer_value(json) >= 0)
                   ? arena_printf(arena, "%lld", (long long)json_integer_value(json))
                   : NULL;
    }
}

static int parse_value(struct parse *p, const json_t *json, struct expected *expected)
{
    enum value_type type = attribute_type(expected->fact);
    bool list = value_type_is_list(type), right = !list || json_is_array(json);
    size_t count = list ? json_array_size(json) : 1;
    for (size_t i = 0; i < count && right; i++) {
        const char *text = item_text(list ? json_array_get(json, i) : json, type, p->arena);
        right = text != NULL;
        if (right)
            *ARENA_PUSH(p->arena, expected->items, expected->nitems) = text;
    }
    return right ? 0 : wrong(p, "'%s' must be %s", expected->fact->key, type_texts[type]);
}

static struct num number_of(const struct expected *expected)
{
    return num_of(strtoull(expected->items[0], NULL, 10));
}

/* Some of an entry's keys say what it applies to. */
static void note_subject(struct expected_entry *entry, const struct expected *key)
{
    if (entry->of == FACT_HOST)
        return;
    if (text_is(key->fact->key, "device"))
        entry->device = key->items[0];
    else if (text_is(key->fact->key, "netdev"))
        entry->netdev = key->items[0];
    else if (text_is(key->fact->key, "port"))
        entry->port = number_of(key);
    else if (text_is(key->fact->key, "count"))
        entry->count = number_of(key);
}

/* -- keys ----------------------------------------------------------------------------------------------- */

/* The file's own keys, ignored: whose facts they are, and from when, isn't an expectation. */
static const char *const own_keys[] = { "version", "host", "time", "roce", "found_by_doctor", "problems" };

/* For "did you mean". */
static const char *key_at(size_t i, const void *data)
{
    const enum fact_of *of = data;
    for (size_t f = 0; fact_at(f); f++)
        if (fact_of(fact_at(f)) == *of && i-- == 0)
            return fact_at(f)->key;
    return *of == FACT_HOST && i < FACT_KINDS - 1 ? fact_list((enum fact_of)(i + 1)) : NULL;
}

static int unknown_key(struct parse *p, enum fact_of of, const char *key)
{
    size_t count = 0;
    while (key_at(count, &of))
        count++;
    const char *nearest = text_nearest(key, count, key_at, &of);
    const char *where = fact_list(of);
    return wrong(p, "there is no key '%.64s'%s%s%s%s%s", key, where ? " in " : "", where ? where : "",
                 nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
}

/* The number of keys in a value that is skipped. */
static size_t count_keys(json_t *json)
{
    size_t count = 0, i;
    const char *key;
    json_t *value;
    json_object_foreach(json, key, value) count += 1 + count_keys(value);
    json_array_foreach(json, i, value) count += count_keys(value);
    return count;
}

static int parse_key(struct parse *p, struct expected_entry *entry, const char *key, json_t *json)
{
    struct expected expected = { .fact = fact_find(entry->of, key) };
    p->keys++;
    if (!expected.fact)
        return unknown_key(p, entry->of, key);
    bool passing = expected.fact->flags & ATTRIBUTE_PASSING;
    if (passing)
        p->keys += count_keys(json);
    if (json_is_null(json) || passing)
        return 0;
    int r = parse_value(p, json, &expected);
    if (r < 0)
        return r;
    *ARENA_PUSH(p->arena, entry->keys, entry->nkeys) = expected;
    note_subject(entry, &expected);
    return 0;
}

static int parse_entry(struct parse *p, enum fact_of of, json_t *json)
{
    struct expected_entry entry = { .of = of };
    const char *key;
    json_t *value;
    int r = 0;
    if (!json_is_object(json))
        return wrong(p, "'%s' must be an array of objects", fact_list(of));
    json_object_foreach(json, key, value)
    {
        r = parse_key(p, &entry, key, value);
        if (r < 0)
            return r;
    }
    if (!entry.device && of == FACT_DEVICE)
        return wrong(p, "an object of '%s' has no 'device': which one is it about?", fact_list(of));
    if (!entry.device && !entry.netdev)
        return wrong(p, "an object of '%s' has neither 'device' nor 'netdev': which one is it about?",
                     fact_list(of));
    *ARENA_PUSH(p->arena, p->out->entries, p->out->nentries) = entry;
    return 0;
}

static int parse_list(struct parse *p, enum fact_of of, const json_t *json)
{
    p->keys++;
    if (!json_is_array(json))
        return wrong(p, "'%s' must be an array of objects", fact_list(of));
    int r = 0;
    for (size_t i = 0; i < json_array_size(json) && r == 0; i++)
        r = parse_entry(p, of, json_array_get(json, i));
    return r;
}

static int parse_own(struct parse *p, const char *key, json_t *json)
{
    p->keys++;
    if (text_is(key, "version") && !(json_is_integer(json) && json_integer_value(json) == 1))
        return wrong(p, "'version' must be 1: this roce knows no other");
    p->keys += count_keys(json);
    return 0;
}

static int parse_top(struct parse *p, json_t *top)
{
    struct expected_entry host = { .of = FACT_HOST };
    const char *key;
    json_t *value;
    json_object_foreach(top, key, value)
    {
        bool own = false;
        for (size_t i = 0; i < ARRAY_SIZE(own_keys) && !own; i++)
            own = text_is(key, own_keys[i]);
        int r = own                                    ? parse_own(p, key, value)
                : text_is(key, fact_list(FACT_DEVICE)) ? parse_list(p, FACT_DEVICE, value)
                : text_is(key, fact_list(FACT_PORT))   ? parse_list(p, FACT_PORT, value)
                                                       : parse_key(p, &host, key, value);
        if (r < 0)
            return r;
    }
    if (host.nkeys)
        *ARENA_PUSH(p->arena, p->out->entries, p->out->nentries) = host;
    return p->out->nentries ? 0 : wrong(p, "nothing is expected in it");
}

int expectation_parse(const char *text, size_t len, struct arena *arena, struct expectation **out,
                      struct expectation_fault *fault)
{
    struct parse parse = { .text = text, .len = len, .arena = arena, .fault = fault };
    json_error_t error;
    json_t *top = json_loadb(text, len, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &error);
    *fault = (struct expectation_fault){ 0 };
    if (!top) {
        int r = wrong(&parse, "not valid JSON: %s", error.text);
        fault->line = error.line > 0 ? (unsigned)error.line : 1;
        return r;
    }
    parse.out = arena_alloc(arena, 1, sizeof(*parse.out));
    int r = json_is_object(top) ? parse_top(&parse, top)
                                : wrong(&parse, "it must be one object, as 'roce facts' prints it");
    json_decref(top);
    if (r == 0)
        *out = parse.out;
    return r;
}

/* -- comparing ------------------------------------------------------------------------------------------ */

const char *expectation_name(const struct expected_entry *entry, struct arena *arena)
{
    const char *name = entry->device ? entry->device : entry->netdev;
    return entry->port.known ? arena_printf(arena, "%s/%" PRIu64, name, entry->port.value) : name;
}

bool expectation_is_counted(const struct expected_entry *entry, size_t count)
{
    return entry->count.known ? num_is(entry->count, count) : count > 0;
}

bool expectation_takes_device(const struct expected_entry *entry, const char *device)
{
    return entry->of != FACT_HOST && (!entry->device || text_matches(entry->device, device));
}

bool expectation_takes_port(const struct expected_entry *entry, const char *device, uint64_t port,
                            const char *netdev)
{
    if (!expectation_takes_device(entry, device) || (entry->port.known && !num_is(entry->port, port)))
        return false;
    return entry->device || (netdev && text_matches(entry->netdev, netdev));
}

static bool expects(const struct expected_entry *entry, const char *key, const char *text)
{
    for (size_t i = 0; i < entry->nkeys; i++)
        if (text_is(entry->keys[i].fact->key, key))
            return text_is(entry->keys[i].items[0], text);
    return true;
}

bool expectation_names(const struct expectation *expectation, const struct port *port)
{
    bool named = false;
    for (size_t i = 0; expectation && i < expectation->nentries; i++) {
        const struct expected_entry *entry = &expectation->entries[i];
        if (!expectation_takes_port(entry, port->device->name, port->number, port->netdev))
            continue;
        if (!expects(entry, "state", "ACTIVE") || !expects(entry, "routable_v2", "yes"))
            return false;
        named = true;
    }
    return named;
}

static bool holds_all(const struct expected *expected, const char *const *items, size_t nitems)
{
    for (size_t i = 0; i < expected->nitems; i++) {
        const char *wanted = expected->items[i];
        bool found = false;
        for (size_t v = 0; v < nitems && !found; v++)
            found = expected->fact->flags & ATTRIBUTE_PATTERN ? text_matches(wanted, items[v])
                                                              : text_is(items[v], wanted);
        if (!found)
            return false;
    }
    return true;
}

bool expectation_is_met(const struct expected *expected, const char *const *items, size_t nitems)
{
    return expected->nitems == nitems && holds_all(expected, items, nitems);
}
