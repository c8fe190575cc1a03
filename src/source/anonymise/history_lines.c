/* SPDX-License-Identifier: MIT */
/* The flight recorder's lines: what happened when stays, whose machine it is goes. Only keys that are known
 * here are kept. */
#include <jansson.h>

#include "base/clock.h"
#include "base/glyph.h"
#include "model/facts.h"
#include "model/frame.h"
#include "model/services.h"
#include "source/anonymise/anonymise.h"

enum { DIGITS = 6, NUMBER_MOST = 10 };

/* -- texts ------------------------------------------------------------------------------------------------- */

static bool is_decimal(const char *text, size_t len)
{
    return len && len <= NUMBER_MOST && strspn(text, "0123456789.") >= len;
}

/* Keeps an address's structure, numbers and known words; anything else is taken for a name. */
static void put_token(const char *text, size_t len, struct bytes *out)
{
    struct bytes other = { 0 };
    char word[64];
    snprintf(word, sizeof(word), "%.*s", (int)len, text);
    anonymise_text(text, len, &other);
    bool is_address = other.len != len || memcmp(other.data, text, len) != 0;
    if (is_address)
        bytes_append(out, other.data, other.len);
    else if (is_decimal(word, len) || words_have("[events]", text, len) || words_have("[modules]", text, len) ||
             text_is(word, "->") || text_is(word, glyph(GLYPH_ARROW)))
        bytes_append(out, text, len);
    else
        anonymise_name(text, len, out);
    bytes_free(&other);
}

static void put_text(const char *text, size_t len, struct bytes *out)
{
    for (size_t at = 0, size; at < len; at += size) {
        size = words_length(text + at, len - at, " ,()[]/%");
        if (size)
            put_token(text + at, size, out);
        else
            bytes_append(out, text + at, size = 1);
    }
}

/* "mtu: 4096 -> 1500" */
static void put_fact(const char *text, size_t len, struct bytes *out)
{
    size_t key = words_length(text, len, ":");
    char *name = mem_printf("%.*s", (int)key, text);
    bool known = false;
    for (enum fact_of of = 0; of <= FACT_PORT; of++)
        known |= fact_find(of, name) != NULL;
    bytes_printf(out, "%s", known ? name : "other");
    if (key < len) {
        bytes_append(out, ":", 1);
        put_text(text + key + 1, len - key - 1, out);
    }
    free(name);
}

static void put_event_kind(const char *text, size_t len, struct bytes *out)
{
    for (enum event_kind kind = 0; kind < EVENT_KINDS; kind++)
        if (text_is(text, event_kind_name(kind))) {
            bytes_append(out, text, len);
            return;
        }
    words_put_known("[event kinds]", "other", text, len, out);
}

static void put_user_kind(const char *text, size_t len, struct bytes *out)
{
    bool known = len == strlen("process") && text_starts(text, "process");
    for (enum service_kind kind = 0; kind < SERVICE_OTHER && !known; kind++)
        known = text_is(service_kind_name(kind), text);
    bytes_printf(out, "%s", known ? text : "other");
}

/* What a kernel service has mounted, connected or offered; else its module. */
static void put_service_name(const char *text, size_t len, struct bytes *out)
{
    if (words_have("[modules]", text, len))
        bytes_append(out, text, len);
    else if (strstr(text, ":/"))
        services_put_mount_source(text, len, out);
    else if (text_starts(text, "nqn.") || text_starts(text, "iqn."))
        services_put_qualified_name(text, len, out);
    else if (*text == '/')
        services_put_mount_point(text, len, out);
    else
        services_put_host(text, len, out);
}

static void put_peer(const char *text, size_t len, struct bytes *out)
{
    struct bytes other = { 0 };
    anonymise_text(text, len, &other);
    if (text_is(text, other.data))
        services_put_host(text, len, out);
    else
        bytes_append(out, other.data, other.len);
    bytes_free(&other);
}

/* -- lines ------------------------------------------------------------------------------------------------- */

/* Texts of rows; NULL: what the row is decides. */
static const struct text_key {
    const char *list, *key;
    put_value *put;
} texts[] = {
    { "ports", "device", anonymise_name },
    { "ports", "netdev", anonymise_name },
    { "ports", "state", put_text },
    { "ports", "neighbor", lldp_put_neighbor },
    { "users", "kind", put_user_kind },
    { "users", "name", NULL },
    { "users", "device", anonymise_name },
    { "users", "queues", put_text },
    { "users", "peer", put_peer },
    { "users", "started_by", services_put_started_by },
    { "events", "event", put_event_kind },
    { "events", "device", anonymise_name },
    { "events", "text", NULL },
};

static put_value *put_of_row(const json_t *row)
{
    const char *event = json_string_value(json_object_get(row, "event"));
    if (text_is(json_string_value(json_object_get(row, "kind")), "process"))
        return words_put_program;
    if (!event)
        return put_service_name;
    return text_is(event, "kernel-log") ? words_put_log : text_is(event, "fact-changed") ? put_fact : put_text;
}

static bool is_number_key(const char *list, const char *key)
{
    return text_is(key, "port") ||
           (text_is(list, "users") && (text_is(key, "pid") || text_is(key, "mr_bytes"))) ||
           (text_is(list, "ports") && frame_reads_port_key(key));
}

/* Numbers, and what is made of them; of "least" the names of flows. */
static json_t *numbers_of(json_t *value)
{
    size_t i;
    json_t *item;
    if (json_is_string(value))
        return NULL;
    json_array_foreach(value, i, item) if (!json_is_number(item) &&
                                           !(json_is_string(item) &&
                                             frame_reads_port_key(json_string_value(item)))) return NULL;
    return json_is_object(value) ? NULL : json_incref(value);
}

static json_t *time_of(const json_t *value)
{
    uint64_t ms;
    char text[CLOCK_TEXT_SIZE];
    if (!json_is_string(value) || clock_utc_parse(json_string_value(value), &ms) < 0)
        return NULL;
    clock_utc_text(ms, text);
    return json_string(text);
}

static json_t *text_of(put_value *put, const char *text)
{
    struct bytes out = { 0 };
    if (*text)
        put(text, strlen(text), &out);
    json_t *made = out.len ? json_stringn(out.data, out.len) : NULL;
    bytes_free(&out);
    return made;
}

static json_t *row_value(const char *list, const char *key, json_t *value, const json_t *row)
{
    for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
        if (text_is(texts[i].list, list) && text_is(texts[i].key, key))
            return json_is_null(value) ? json_incref(value)
                   : json_is_string(value)
                       ? text_of(texts[i].put ? texts[i].put : put_of_row(row), json_string_value(value))
                       : NULL;
    if (text_is(list, "events") && text_is(key, "time"))
        return time_of(value);
    return is_number_key(list, key) ? numbers_of(value) : NULL;
}

static json_t *rows_of(const char *list, json_t *rows)
{
    json_t *made = json_array(), *row, *value;
    size_t i;
    const char *key;
    json_array_foreach(rows, i, row)
    {
        json_t *own = json_object();
        json_object_foreach(row, key, value) json_object_set_new(own, key, row_value(list, key, value, row));
        json_array_append_new(made, own);
    }
    return made;
}

/* Readings on which others build. */
struct readings {
    char *whole;          /* as they were recorded; NULL: none yet */
    struct bytes cleaned; /* the same, anonymised */
};

clean_reading *history_clean_reading;

static void put_readings(struct readings *readings, const json_t *from, json_t *to)
{
    const char *text = json_string_value(json_object_get(from, "readings"));
    bool changed = json_is_true(json_object_get(from, "readings_changed"));
    struct bytes cleaned = { 0 };
    if (text && !changed) {
        free(readings->whole);
        readings->whole = mem_strdup(text);
    }
    const char *before = readings->cleaned.len ? readings->cleaned.data : NULL;
    if (text && readings->whole && history_clean_reading &&
        history_clean_reading(readings->whole, changed ? text : NULL, before, &cleaned, &changed) == 0) {
        json_object_set_new(to, "readings", json_stringn(cleaned.data, cleaned.len));
        json_object_set_new(to, "readings_changed", json_boolean(changed));
        if (!changed) {
            bytes_free(&readings->cleaned);
            readings->cleaned = cleaned;
            cleaned = (struct bytes){ 0 };
        }
    }
    bytes_free(&cleaned);
}

static void put_line(struct readings *readings, const char *line, size_t len, struct bytes *out)
{
    json_t *from = json_loadb(line, len, JSON_REJECT_DUPLICATES, NULL), *value, *to = json_object();
    const char *key;
    json_object_foreach(from, key, value)
    {
        bool rows = text_is(key, "ports") || text_is(key, "users") || text_is(key, "events");
        bool number = text_is(key, "version") || text_is(key, "interval");
        json_t *own = rows                              ? rows_of(key, value)
                      : text_is(key, "time")            ? time_of(value)
                      : text_is(key, "host")            ? json_string("host")
                      : text_is(key, "changes")         ? json_boolean(json_is_true(value))
                      : number && json_is_number(value) ? json_incref(value)
                                                        : NULL;
        json_object_set_new(to, key, own);
    }
    put_readings(readings, from, to);
    char *text = from ? json_dumps(to, JSON_COMPACT | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(DIGITS)) : NULL;
    if (text)
        bytes_printf(out, "%s\n", text);
    free(text);
    json_decref(from);
    json_decref(to);
}

void history_put_lines(const char *data, size_t len, struct bytes *out)
{
    struct readings readings = { 0 };
    for (size_t at = 0, size; at < len; at += size + 1) {
        size = words_length(data + at, len - at, "\n");
        put_line(&readings, data + at, size, out);
    }
    free(readings.whole);
    bytes_free(&readings.cleaned);
}
