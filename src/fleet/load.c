/* SPDX-License-Identifier: MIT */
/* Loads the facts of many hosts from files, recordings and pipes. */
#include "fleet/fleet.h"

#include "base/hash.h"

#include <jansson.h>

enum { FIRST_SLOTS = 1 << 12 };

/* The slot that the text has, or would have. */
static uint32_t *slot_of(const struct intern *intern, const char *text, size_t len)
{
    size_t at = seeded_hash(intern->seed, text, len) & (intern->nslots - 1);
    while (intern->slots[at]) {
        const char *known = intern->texts[intern->slots[at]];
        if (strncmp(known, text, len) == 0 && known[len] == '\0')
            break;
        at = (at + 1) & (intern->nslots - 1);
    }
    return &intern->slots[at];
}

static void grow(struct intern *intern)
{
    free(intern->slots);
    if (!intern->nslots)
        intern->seed = hash_seed();
    intern->nslots = intern->nslots ? intern->nslots * 2 : FIRST_SLOTS;
    intern->slots = mem_alloc(intern->nslots, sizeof(*intern->slots));
    for (size_t i = 1; i <= intern->count; i++)
        *slot_of(intern, intern->texts[i], strlen(intern->texts[i])) = (uint32_t)i;
}

uint32_t intern(struct intern *intern, const char *text, size_t len)
{
    if (intern->count * 2 >= intern->nslots)
        grow(intern);
    uint32_t *slot = slot_of(intern, text, len);
    if (*slot)
        return *slot;
    if (intern->count + 2 > intern->size) {
        intern->size = intern->size ? intern->size * 2 : FIRST_SLOTS;
        intern->texts = mem_resize(intern->texts, intern->size, sizeof(*intern->texts));
        intern->texts[0] = NULL;
    }
    *slot = (uint32_t)++intern->count;
    intern->texts[intern->count] = arena_strndup(intern->arena, text, len);
    return *slot;
}

const char *intern_text(const struct intern *intern, uint32_t number)
{
    return number ? intern->texts[number] : NULL;
}

void intern_free(struct intern *intern)
{
    free(intern->texts);
    free(intern->slots);
}

/* A device or port as in its object, before they are joined; or the host. */
struct record {
    fleet_value values[FLEET_FACTS_MOST];
};

struct load {
    struct fleet *fleet;
    struct bytes text; /* of the value being read */
    struct fleet_fault *fault;
    unsigned line; /* where the object begins */
    struct record host, *records[FACT_KINDS];
    size_t nrecords[FACT_KINDS];
    bool lists;
    int error;
};

static size_t count_facts(void)
{
    static size_t count;
    while (count == 0 || fact_at(count))
        count++;
    return count;
}

size_t fleet_fact(enum fact_of of, const char *key)
{
    size_t count = count_facts();
    for (size_t i = 0; i < count; i++)
        if (fact_of(fact_at(i)) == of && strcmp(fact_at(i)->key, key) == 0)
            return i;
    return of == FACT_PORT && text_is(key, "family")     ? count
           : of == FACT_HOST && text_is(key, "findings") ? count + 1
                                                         : (size_t)FLEET_NO_FACT;
}

const char *fleet_text(const struct fleet *fleet, fleet_value value)
{
    return intern_text(&fleet->texts, value);
}

struct fleet *fleet_new(void)
{
    struct fleet *fleet = mem_alloc(1, sizeof(*fleet));
    fleet->arena = arena_new();
    fleet->texts.arena = fleet->arena;
    return fleet;
}

void fleet_free(struct fleet *fleet)
{
    if (!fleet)
        return;
    intern_free(&fleet->texts);
    arena_free(fleet->arena);
    free(fleet);
}

static bool PRINTF_LIKE(2, 3) wrong(struct load *load, const char *format, ...)
{
    va_list args;
    if (load->error)
        return false;
    load->error = -EINVAL;
    load->fault->line = load->line;
    va_start(args, format);
    vsnprintf(load->fault->what, sizeof(load->fault->what), format, args);
    va_end(args);
    return false;
}

/* -- values -------------------------------------------------------------------------------------------- */

static void append_clean(struct load *load, const json_t *string)
{
    const char *text = json_string_value(string);
    size_t len = json_string_length(string), plain = 0;
    while (plain < len && text[plain] >= 0x20 && text[plain] != 0x7f) /* ASCII, as nearly always */
        plain++;
    char *clean = plain < len ? text_clean(text, TEXT_ONE_LINE) : NULL;
    bytes_append(&load->text, clean ? clean : text, clean ? strlen(clean) : len);
    free(clean);
}

/* The number of the text being read, which ends here. */
static fleet_value take_text(struct load *load)
{
    fleet_value value = intern(&load->fleet->texts, load->text.data ? load->text.data : "", load->text.len);
    load->text.len = 0;
    return value;
}

static bool read_item(struct load *load, enum value_type type, const json_t *item)
{
    switch (type) {
    case VALUE_BOOLEAN:
        if (json_is_boolean(item))
            bytes_printf(&load->text, "%s", json_is_true(item) ? "yes" : "no");
        return json_is_boolean(item);
    case VALUE_STRING:
    case VALUE_STRINGS:
    case VALUE_GUID:
        if (json_is_string(item))
            append_clean(load, item);
        return json_is_string(item);
    default:
        if (!json_is_integer(item) || (type != VALUE_SIGNED && json_integer_value(item) < 0))
            return false;
        bytes_printf(&load->text, "%" JSON_INTEGER_FORMAT, json_integer_value(item));
        return true;
    }
}

/* "fail port-active mlx5_0/1" is stored as "port-active=fail mlx5_0/1", so that it compares as NAME=VALUE
 * does. */
static bool read_finding(struct load *load, enum value_type type, const json_t *item)
{
    (void)type;
    char *text = text_clean(json_string_value(item), TEXT_ONE_LINE);
    if (!text) /* of another type: passed over */
        return true;
    size_t verdict = strcspn(text, " ");
    char *id = text[verdict] ? text + verdict + 1 : text + verdict;
    size_t len = strcspn(id, " ");
    bytes_printf(&load->text, "%.*s=%.*s%s", (int)len, id, (int)verdict, text, id + len);
    free(text);
    return true;
}

/* A value, or the items of a list, joined. */
static void read_value(struct load *load, const char *key, enum value_type type, const json_t *json,
                       bool (*read)(struct load *load, enum value_type type, const json_t *item),
                       fleet_value *value)
{
    bool list = value_type_is_list(type), right = !list || json_is_array(json);
    load->text.len = 0;
    if (json_array_size(json) > FLEET_ITEMS_MOST) {
        wrong(load, "'%s' has more than %d items", key, FLEET_ITEMS_MOST);
        return;
    }
    for (size_t i = 0, count = list ? json_array_size(json) : 1; right && i < count; i++) {
        if (i)
            bytes_append(&load->text, &(char){ FLEET_ITEM }, 1);
        right = read(load, type, list ? json_array_get(json, i) : json);
    }
    if (right)
        *value = take_text(load);
    else
        wrong(load, "'%s' has a value of another type than facts have", key);
}

/* -- objects ------------------------------------------------------------------------------------------- */

/* Reads the facts of this kind in an object. */
static void read_facts(struct load *load, enum fact_of of, const json_t *object, struct record *record)
{
    for (size_t i = 0; i < count_facts() && !load->error; i++) {
        const struct attribute *fact = fact_at(i);
        const json_t *value = fact_of(fact) == of && !fact_is_expected_only(fact)
                                  ? json_object_get(object, fact->key)
                                  : NULL;
        if (value && !json_is_null(value))
            read_value(load, fact->key, attribute_type(fact), value, read_item, &record->values[i]);
    }
}

static void read_records(struct load *load, enum fact_of of, const json_t *list)
{
    size_t count = json_array_size(list);
    if (!list)
        return;
    load->lists = true;
    if (!json_is_array(list) || count > FLEET_PORTS_MOST) {
        if (json_is_array(list))
            wrong(load, "more than %d %s", FLEET_PORTS_MOST, fact_list(of));
        else
            wrong(load, "'%s' is not an array", fact_list(of));
        return;
    }
    load->records[of] = mem_alloc(count ? count : 1, sizeof(struct record));
    for (size_t i = 0; i < count && !load->error; i++) {
        json_t *object = json_array_get(list, i);
        if (json_is_object(object))
            read_facts(load, of, object, &load->records[of][load->nrecords[of]++]);
        else
            wrong(load, "'%s' holds something that isn't an object", fact_list(of));
    }
}

/* A short text of the object itself; NULL if there is none. */
static const char *read_text(struct load *load, const json_t *top, const char *key)
{
    const json_t *string = json_object_get(top, key);
    size_t len = json_string_length(string);
    if (len == 0 || len > 255)
        return NULL;
    load->text.len = 0;
    append_clean(load, string);
    return fleet_text(load->fleet, take_text(load));
}

static bool read_top(struct load *load, const json_t *top)
{
    const json_t *version = json_object_get(top, "version"),
                 *findings = json_object_get(top, "found_by_doctor");
    if (!json_is_object(top))
        return wrong(load, "not an object, which is what 'roce facts' prints");
    if (version && (!json_is_integer(version) || json_integer_value(version) != 1))
        return wrong(load, "'version' must be 1: this roce knows no other");
    if (json_is_array(findings))
        read_value(load, "found_by_doctor", VALUE_STRINGS, findings, read_finding,
                   &load->host.values[fleet_fact(FACT_HOST, "findings")]);
    read_facts(load, FACT_HOST, top, &load->host);
    read_records(load, FACT_DEVICE, json_object_get(top, fact_list(FACT_DEVICE)));
    read_records(load, FACT_PORT, json_object_get(top, fact_list(FACT_PORT)));
    return !load->error &&
           (load->lists || wrong(load, "these are not the facts of a host, as 'roce facts' prints them"));
}

/* -- joined -------------------------------------------------------------------------------------------- */

const char *fleet_next_item(const char **at, size_t *len)
{
    return text_next_item(at, FLEET_ITEM, len);
}

bool fleet_has_item(const char *list, const char *item, size_t len)
{
    const char *other;
    for (size_t other_len; (other = fleet_next_item(&list, &other_len));)
        if (other_len == len && strncmp(other, item, len) == 0)
            return true;
    return false;
}

static fleet_value family_of(struct fleet *fleet, fleet_value addresses)
{
    const char *text = fleet_text(fleet, addresses), *at = text, *item;
    bool four = false, six = false;
    for (size_t len; (item = fleet_next_item(&at, &len));) {
        bool colon = memchr(item, ':', len);
        four |= !colon;
        six |= colon && !text_starts(item, "fe80:");
    }
    const char *family = four && six ? "IPv4\x1fIPv6" : four ? "IPv4" : six ? "IPv6" : "";
    return text ? intern(&fleet->texts, family, strlen(family)) : FLEET_ABSENT;
}

/* A port with its device, or one of them without the other. */
static void keep_subject(struct load *load, struct fleet_host *host, const struct record *port,
                         const struct record *device, bool first)
{
    static const struct record none;
    struct fleet *fleet = load->fleet;
    struct fleet_subject *subject = &host->subjects[host->nsubjects++];
    size_t family = fleet_fact(FACT_PORT, "family");
    subject->first = first;
    subject->values = arena_alloc(fleet->arena, family + 1, sizeof(*subject->values));
    for (size_t i = 0; i < family; i++) {
        const struct record *own = fact_of(fact_at(i)) == FACT_PORT ? port : device;
        subject->values[i] = (own && fact_of(fact_at(i)) != FACT_HOST ? own : &none)->values[i];
    }
    if (!port) {
        const char *of = fleet_text(fleet, device->values[fleet_fact(FACT_DEVICE, "device")]);
        subject->name = of ? of : "?";
        return;
    }
    const char *of = fleet_text(fleet, port->values[fleet_fact(FACT_PORT, "device")]),
               *at = fleet_text(fleet, port->values[fleet_fact(FACT_PORT, "port")]);
    char text[300];
    snprintf(text, sizeof(text), "%s%s%s", of ? of : "?", at ? "/" : "", at ? at : "");
    subject->name = fleet_text(fleet, intern(&fleet->texts, text, strlen(text)));
    subject->values[family] = family_of(fleet, port->values[fleet_fact(FACT_PORT, "addresses")]);
}

/* Ports with their devices' facts, then devices without ports. */
static void keep_subjects(struct load *load, struct fleet_host *host)
{
    size_t of = fleet_fact(FACT_PORT, "device"), name = fleet_fact(FACT_DEVICE, "device");
    const struct record *ports = load->records[FACT_PORT], *devices = load->records[FACT_DEVICE];
    size_t nports = load->nrecords[FACT_PORT], ndevices = load->nrecords[FACT_DEVICE];
    bool used[FLEET_PORTS_MOST + 1] = { false };
    host->subjects = arena_alloc(load->fleet->arena, nports + ndevices, sizeof(*host->subjects));
    for (size_t p = 0; p < nports; p++) {
        size_t d = 0;
        while (d < ndevices && (!ports[p].values[of] || devices[d].values[name] != ports[p].values[of]))
            d++;
        keep_subject(load, host, &ports[p], d < ndevices ? &devices[d] : NULL, d < ndevices && !used[d]);
        used[d] = true;
    }
    for (size_t d = 0; d < ndevices; d++)
        if (!used[d])
            keep_subject(load, host, NULL, &devices[d], true);
}

/* Names end up in command lines: replaces whatever a shell or ClusterShell could misread. */
static const char *safe_name(struct fleet *fleet, const char *name)
{
    char *safe = arena_strdup(fleet->arena, name && *name ? name : "unnamed");
    for (char *c = safe; *c; c++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-", *c))
            *c = '_';
    return safe;
}

int fleet_add(struct fleet *fleet, const char *text, size_t len, const char *file, unsigned line,
              const char *name, struct fleet_fault *fault)
{
    struct load load = { .fleet = fleet, .line = line ? line : 1, .fault = fault };
    json_error_t error;
    *fault = (struct fleet_fault){ 0 };
    if (len > FLEET_OBJECT_MOST || fleet->nhosts >= FLEET_HOSTS_MOST) {
        snprintf(fault->what, sizeof(fault->what), "more than %d %s",
                 len > FLEET_OBJECT_MOST ? FLEET_OBJECT_MOST >> 20 : FLEET_HOSTS_MOST,
                 len > FLEET_OBJECT_MOST ? "MiB for one host" : "hosts");
        return -E2BIG;
    }
    json_t *top = json_loadb(text, len, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &error);
    if (!top) {
        load.line += error.line > 0 ? (unsigned)error.line - 1 : 0;
        wrong(&load, "not valid JSON: %s", error.text);
    } else if (read_top(&load, top)) {
        size_t count = fleet_fact(FACT_HOST, "findings") + 1;
        const char *own = read_text(&load, top, "host");
        struct fleet_host *host = ARENA_PUSH_MANY(fleet->arena, fleet->hosts, fleet->nhosts);
        *host = (struct fleet_host){ .name = safe_name(fleet, own ? own : name),
                                     .time = read_text(&load, top, "time"),
                                     .file = fleet_text(fleet, intern(&fleet->texts, file, strlen(file))),
                                     .order = fleet->nhosts,
                                     .values = arena_alloc(fleet->arena, count, sizeof(*host->values)) };
        memcpy(host->values, load.host.values, count * sizeof(*host->values));
        keep_subjects(&load, host);
    }
    json_decref(top);
    bytes_free(&load.text);
    for (size_t i = 0; i < FACT_KINDS; i++)
        free(load.records[i]);
    return load.error;
}

/* -- hosts with several records -------------------------------------------------------------------------- */

static fleet_value first_guid(const struct fleet_host *host)
{
    size_t guid = fleet_fact(FACT_DEVICE, "node_guid");
    for (size_t i = 0; i < host->nsubjects; i++)
        if (host->subjects[i].values[guid])
            return host->subjects[i].values[guid];
    return FLEET_ABSENT;
}

/* By name, then by time if both have one, else by arrival. */
static int compare_hosts(const void *one, const void *other)
{
    const struct fleet_host *a = one, *b = other;
    int r = text_version_compare(a->name, b->name);
    if (r == 0 && a->time && b->time)
        r = strcmp(a->time, b->time);
    return r ? r : number_order(a->order, b->order);
}

/* Records with the same name, by time. */
static void settle_name(struct fleet *fleet, struct fleet_host *hosts, size_t count)
{
    const char *name = hosts[0].name;
    for (size_t i = 0; i + 1 < count; i++) {
        fleet_value guid = first_guid(&hosts[i]), later = first_guid(&hosts[i + 1]);
        bool other = guid && later && guid != later;
        hosts[i].replaced = !other;
        if (other) {
            hosts[i].twin = hosts[i + 1].twin = name;
            hosts[i].name = arena_printf(fleet->arena, "%s_%zu", name, i + 1);
        }
    }
}

const struct fleet_host **fleet_settle(struct fleet *fleet, size_t *count)
{
    const struct fleet_host **hosts = arena_alloc(fleet->arena, fleet->nhosts + 1, sizeof(struct fleet_host *));
    *count = 0;
    if (fleet->nhosts)
        qsort(fleet->hosts, fleet->nhosts, sizeof(*fleet->hosts), compare_hosts);
    for (size_t i = 0, end; i < fleet->nhosts; i = end) {
        for (end = i + 1; end < fleet->nhosts && strcmp(fleet->hosts[i].name, fleet->hosts[end].name) == 0;)
            end++;
        settle_name(fleet, &fleet->hosts[i], end - i);
    }
    for (size_t i = 0; i < fleet->nhosts; i++)
        if (!fleet->hosts[i].replaced)
            hosts[(*count)++] = &fleet->hosts[i];
    return hosts;
}
