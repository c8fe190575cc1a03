/* SPDX-License-Identifier: MIT */
/* The counter dictionary: looks a name up in its driver's table. */
#include "model/counters.h"

#include "base/gzip.h"
#include "tables.h"

static const struct {
    const char *prefix, *family;
} families[] = { COUNTER_FAMILIES };

static const char *const severity_names[] = { WORDS_COUNTER_SEVERITY };

static const char *const unit_names[] = { WORDS_COUNTER_UNIT };

static const char *const kind_names[] = { WORDS_COUNTER_KIND };

static const char *const change_names[] = { WORDS_COUNTER_CHANGE };

const char *counter_severity_name(enum counter_severity severity)
{
    return severity_names[severity];
}

const char *counter_unit_name(enum counter_unit unit)
{
    return unit_names[unit];
}

const char *counter_kind_name(enum counter_kind kind)
{
    return kind_names[kind];
}

const char *counter_change_name(enum counter_change change)
{
    return change_names[change];
}

const char *counter_meaning(const struct counter_def *def)
{
    return def ? packed_line(def->meaning) : NULL;
}

const char *counter_family(const char *driver)
{
    for (size_t i = 0; i < ARRAY_SIZE(families); i++)
        if (text_starts(driver, families[i].prefix) &&
            !isalpha((unsigned char)driver[strlen(families[i].prefix)]))
            return families[i].family;
    return NULL;
}

static int compare_name(const void *name, const void *def)
{
    return strcmp(name, ((const struct counter_def *)def)->name);
}

static bool begins_with_a_block(const struct counter_table *table, const char *name)
{
    for (size_t i = 0; table->blocks[i]; i++)
        if (text_starts(name, table->blocks[i]))
            return true;
    return false;
}

const struct counter_def *counter_table_find(const struct counter_table *table, const char *name)
{
    const struct counter_def *def = bsearch(name, table->defs, table->count, sizeof(*def), compare_name);
    size_t len = strlen(name);
    char base[64];
    if (def || !table->endings || len >= sizeof(base))
        return def;
    memcpy(base, name, len + 1);
    if (text_ends(base, ",32")) {
        base[len - 3] = '\0';
        return counter_table_find(table, base);
    }
    for (def = table->endings; def->name && begins_with_a_block(table, base); def++)
        if (text_ends(base, def->name + 1))
            return def;
    while (len > 1 && isdigit((unsigned char)base[len - 1]))
        len--;
    if (!base[len])
        return NULL;
    base[len] = '\0';
    return counter_table_find(table, base);
}

const struct counter_def *counter_def_find(const char *driver, const char *dir, const char *name)
{
    const char *family = counter_family(driver);
    for (const struct counter_table *table = counter_tables; table->count; table++) {
        bool fits = strcmp(table->dir, dir) == 0 && (!table->family || text_is(family, table->family));
        const struct counter_def *def = fits ? counter_table_find(table, name) : NULL;
        if (def)
            return def;
    }
    return NULL;
}

enum counter_role counter_role_find(const struct counter_def *def, const char *dir, const char *name)
{
    for (const struct counter_table *table = counter_tables; !def && table->count; table++)
        if (strcmp(table->dir, dir) == 0)
            def = counter_table_find(table, name);
    return def ? def->role : ROLE_NONE;
}

uint64_t counter_value(const struct counter_def *def, uint64_t raw)
{
    uint64_t value;
    return __builtin_mul_overflow(raw, def ? def->scale : 1u, &value) ? UINT64_MAX : value;
}

static uint64_t all_ones(unsigned width)
{
    return width < 64 ? (UINT64_C(1) << width) - 1 : UINT64_MAX;
}

static bool saturates_at(const struct counter_def *def, uint64_t before, uint64_t after)
{
    if (!def->saturates)
        return false;
    if (def->width && after == all_ones(def->width))
        return true;
    return def->narrow && after == all_ones(def->narrow) && before == after;
}

bool counter_signals_trouble(const struct counter_def *def)
{
    return def && def->severity != COUNTER_INFO && def->kind == COUNTER_TOTAL;
}

enum tristate counter_is_saturated(const struct counter_def *def, struct num raw)
{
    if (!raw.known || !def || def->kind != COUNTER_TOTAL)
        return TRI_UNKNOWN;
    return tri_of(saturates_at(def, raw.value, raw.value));
}

bool counter_end_hides(const struct counter_def *def)
{
    return !text_in_list("port_xmit_wait,VL15_dropped", def->name);
}

bool counter_wraps_soon(const struct counter_def *def, struct num raw)
{
    if (!raw.known || !def || def->kind != COUNTER_TOTAL || def->saturates || !def->width || def->width > 63)
        return false;
    uint64_t cap = all_ones(def->width);
    return raw.value <= cap && raw.value > cap - cap / 4;
}

struct counter_delta counter_compare(const struct counter_def *def, uint64_t before, uint64_t after)
{
    static const struct counter_def unknown = { .scale = 1 };
    if (!def)
        def = &unknown;
    if (def->kind != COUNTER_TOTAL)
        return (struct counter_delta){ .change = COUNTER_LEVEL };
    if (saturates_at(def, before, after)) {
        uint64_t least = after > before ? after - before : 0;
        return (struct counter_delta){ COUNTER_SATURATED, counter_value(def, least) };
    }
    if (after >= before)
        return (struct counter_delta){ COUNTER_COUNTED, counter_value(def, after - before) };

    uint64_t cap = all_ones(def->width);
    if (!def->saturates && def->width && def->width < 64 && before <= cap) {
        uint64_t way_round = (after - before) & cap;
        if (way_round <= cap / 4)
            return (struct counter_delta){ COUNTER_WRAPPED, counter_value(def, way_round) };
    }
    return (struct counter_delta){ COUNTER_RESET, counter_value(def, after) };
}
