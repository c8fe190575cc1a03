/* SPDX-License-Identifier: MIT */
#include "view/column.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/glyph.h"
#include "base/mem.h"
#include "base/say.h"
#include "base/text.h"

struct value value_share(const struct cell_context *context, double percent)
{
    if (!context->for_people || percent <= 0)
        return value_real(percent);
    return value_text(arena_printf(context->arena, percent < 10 ? "%.2g%%" : "%.0f%%", percent));
}

struct value column_value(const struct column *column, const struct cell_context *context, const void *row)
{
    if (column->make)
        return column->make(context, row);
    return column->get ? column->get(row) : member_value(&column->member, row);
}

static const char *heading(const struct column *column)
{
    return column->heading ? column->heading : column->key;
}

static size_t column_count(const struct column *all)
{
    size_t count = 0;
    while (all[count].key)
        count++;
    return count;
}

static const char *column_name(size_t i, const void *data)
{
    const struct column *all = data;
    size_t count = column_count(all);
    return i < count ? heading(&all[i]) : all[i - count].key; /* what a person saw, first */
}

const struct column *columns_find(const struct column *all, const char *name)
{
    for (; all->key; all++)
        if (strcasecmp(all->key, name) == 0 || strcasecmp(heading(all), name) == 0)
            return all;
    return NULL;
}

enum value_type column_type(const struct column *column)
{
    if (column->make || column->get)
        return column->type == VALUE_ABSENT ? VALUE_STRING : column->type;
    return member_value_type(&column->member);
}

static void add(struct column_set *set, const struct column *column)
{
    for (size_t i = 0; i < set->count; i++)
        if (set->items[i] == column)
            return;
    if (set->count < ARRAY_SIZE(set->items))
        set->items[set->count++] = column;
}

static void add_usual(struct column_set *set, const struct column *all, bool verbose)
{
    for (; all->key; all++)
        if (!(all->flags & COLUMN_JSON_ONLY) && (verbose || !(all->flags & COLUMN_HIDDEN)))
            add(set, all);
}

static void add_all(struct column_set *set, const struct column *all)
{
    for (; all->key; all++)
        add(set, all);
}

int columns_say_unknown(const struct column *all, const char *where, const char *name)
{
    const char *near = text_nearest(name, 2 * column_count(all), column_name, all);
    say_error("%sunknown column '%s'%s%s%s; --list-columns shows them", where, name,
              near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    return -EINVAL;
}

int columns_choose(struct column_set *set, const struct column *all, const char *list, bool verbose)
{
    *set = (struct column_set){ 0 };
    if (!list || *list == '+')
        add_usual(set, all, verbose);
    for (const char *at = list; at; at = strchr(at, ','), at = at ? at + 1 : NULL) {
        at += *at == '+';
        char name[64];
        snprintf(name, sizeof(name), "%.*s", (int)strcspn(at, ","), at);
        const struct column *column = columns_find(all, name);
        if (!column && strcasecmp(name, "all") == 0) {
            add_all(set, all);
            continue;
        }
        if (!column)
            return columns_say_unknown(all, "", name);
        add(set, column);
    }
    return 0;
}

void columns_all(struct column_set *set, const struct column *all)
{
    *set = (struct column_set){ 0 };
    add_all(set, all);
}

needs_t columns_needs(const struct column_set *set)
{
    needs_t needs = 0;
    for (size_t i = 0; i < set->count; i++)
        needs |= set->items[i]->needs;
    return needs;
}

void columns_print_list(const struct column *all, size_t terminal)
{
    size_t width = 0;
    for (const struct column *column = all; column->key; column++)
        if (strlen(column->key) > width)
            width = strlen(column->key);
    for (; all->key; all++) {
        char *line = mem_printf("%-*s  %s%s", (int)width, all->key, all->help,
                                all->flags & COLUMN_HIDDEN      ? " (with -v, -o or -j)"
                                : all->flags & COLUMN_JSON_ONLY ? " (with -o or -j)"
                                                                : "");
        char *own = glyph_text(line), *folded = fold_text(own, terminal, width + 2);
        puts(folded);
        free(folded);
        free(own);
        free(line);
    }
}

static uint64_t integer_at(const void *at, size_t size)
{
    union {
        unsigned char c;
        unsigned short s;
        unsigned i;
        unsigned long long l;
    } number;
    memcpy(&number, at, size);
    return size == sizeof(number.c)   ? number.c
           : size == sizeof(number.s) ? number.s
           : size == sizeof(number.i) ? number.i
                                      : number.l;
}

static struct value number_as(const struct member *member, struct num num)
{
    struct value value = value_num_as(member->as, num);
    value.digits = member->digits;
    return value;
}

enum value_type member_value_type(const struct member *member)
{
    switch (member->type) {
    case MEMBER_NONE:
    case MEMBER_TEXT:
    case MEMBER_CHARS:
        break;
    case MEMBER_NUM:
    case MEMBER_NUM32:
    case MEMBER_INTEGER:
        return member->as;
    case MEMBER_SNUM:
        return VALUE_SIGNED;
    case MEMBER_TRISTATE:
        return VALUE_BOOLEAN;
    case MEMBER_REAL:
        return VALUE_REAL;
    case MEMBER_RATE:
        return VALUE_RATE;
    }
    return VALUE_STRING;
}

struct value member_value(const struct member *member, const void *row)
{
    const char *at = row;
    for (size_t i = 0; i + 1 < member->steps; i++) {
        const char *next; /* copied, for it is a pointer to whatever type */
        memcpy(&next, at + member->offsets[i], sizeof(next));
        if (!next)
            return NO_VALUE;
        at = next;
    }
    at += member->offsets[member->steps - 1];
    switch (member->type) {
    case MEMBER_NONE:
        break;
    case MEMBER_TEXT:
        return value_text(*(const char *const *)at);
    case MEMBER_CHARS:
        return value_text(at);
    case MEMBER_NUM:
        return number_as(member, *(const struct num *)at);
    case MEMBER_NUM32:
        return number_as(member, num_wide(*(const struct num32 *)at));
    case MEMBER_SNUM:
        return value_snum(*(const struct snum *)at);
    case MEMBER_INTEGER:
        return number_as(member, num_of(integer_at(at, member->size)));
    case MEMBER_TRISTATE:
        return value_tristate(*(const enum tristate *)at);
    case MEMBER_REAL:
        return value_real(*(const double *)at);
    case MEMBER_RATE:
        return value_rate(*(const struct rate *)at);
    }
    return NO_VALUE;
}
