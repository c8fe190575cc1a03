/* SPDX-License-Identifier: MIT */
/* Columns: choosing them, their values, and their list. */
#include "view/column.h"

#include "base/glyph.h"

struct value value_share(const struct cell_context *context, double percent)
{
    if (!context->for_people || percent <= 0)
        return value_real(percent);
    return value_text(arena_printf(context->arena, percent < 10 ? "%.2g%%" : "%.0f%%", percent));
}

bool column_is_end(const struct column *column)
{
    return !column->key && column->attribute == ATTR_NONE;
}

/* ATTR_NONE's is empty. */
static const struct attribute *attribute_of(const struct column *column)
{
    return &attributes[column->attribute];
}

const char *column_key(const struct column *column)
{
    return column->key ? column->key : attribute_of(column)->key;
}

const char *column_heading(const struct column *column)
{
    if (column->heading || column->key)
        return column->heading ? column->heading : column->key;
    const struct attribute *attribute = attribute_of(column);
    return attribute->heading ? attribute->heading : attribute->key;
}

const char *column_help(const struct column *column)
{
    return packed_line(column->help ? column->help : attribute_of(column)->help);
}

needs_t column_needs(const struct column *column)
{
    return column->needs | attribute_of(column)->needs;
}

struct value column_value(const struct column *column, const struct cell_context *context, const void *row)
{
    const struct member *member = &column->member;
    if (column->make)
        return column->make(context, row);
    if (column->get)
        return column->get(row);
    if (member->type != MEMBER_OBJECT)
        return member_value(member, row);
    return attribute_value(attribute_of(column), context, (enum attribute_of)member->digits,
                           member_object(member, row));
}

static size_t column_count(const struct column *all)
{
    size_t count = 0;
    while (!column_is_end(&all[count]))
        count++;
    return count;
}

static const char *column_name(size_t i, const void *data)
{
    const struct column *all = data;
    size_t count = column_count(all);
    return i < count ? column_heading(&all[i]) : column_key(&all[i - count]); /* what people see, first */
}

const struct column *columns_find(const struct column *all, const char *name)
{
    for (; !column_is_end(all); all++)
        if (strcasecmp(column_key(all), name) == 0 || strcasecmp(column_heading(all), name) == 0)
            return all;
    return NULL;
}

enum value_type column_type(const struct column *column)
{
    if (column->make || column->get)
        return column->type == VALUE_ABSENT ? VALUE_STRING : column->type;
    return column->member.type == MEMBER_OBJECT ? attribute_type(attribute_of(column))
                                                : member_value_type(&column->member);
}

static void add(struct column_set *set, const struct column *column)
{
    for (size_t i = 0; i < set->count; i++)
        if (set->items[i] == column)
            return;
    if (set->count < ARRAY_SIZE(set->items))
        set->items[set->count++] = column;
}

void columns_all(struct column_set *set, const struct column *all)
{
    for (; !column_is_end(all); all++)
        add(set, all);
}

int columns_say_unknown(const struct column *all, const char *where, const char *name)
{
    const char *near = text_nearest(name, 2 * column_count(all), column_name, all);
    if (text_in_list("json,csv,table,pairs,jsonl", name))
        return say_invalid("%sunknown column '%s': that is a format, '--format %s'", where, name, name);
    return say_invalid("%sunknown column '%s'%s%s%s; --list-columns shows them", where, name,
                       near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static void leave_out(struct column_set *set, const struct column *column)
{
    size_t kept = 0;
    for (size_t i = 0; i < set->count; i++)
        if (set->items[i] != column)
            set->items[kept++] = set->items[i];
    set->count = kept;
}

int columns_choose(struct column_set *set, const struct column *all, const char *list, bool verbose)
{
    *set = (struct column_set){ 0 };
    bool usual = !list || *list == '+' || *list == '-';
    for (const struct column *column = all; usual && !column_is_end(column); column++)
        if (!(column->flags & COLUMN_JSON_ONLY) && (verbose || !(column->flags & COLUMN_HIDDEN)))
            add(set, column);
    for (const char *at = list; at; at = strchr(at, ','), at = at ? at + 1 : NULL) {
        bool leaves = *at == '-';
        at += *at == '+' || leaves;
        char name[64];
        snprintf(name, sizeof(name), "%.*s", (int)strcspn(at, ","), at);
        const struct column *column = columns_find(all, name);
        if (!column && strcasecmp(name, "all") != 0)
            return columns_say_unknown(all, "", name);
        if (column && leaves)
            leave_out(set, column);
        else if (column)
            add(set, column);
        else
            columns_all(set, all);
    }
    return 0;
}

void columns_print_list(const struct column *all, size_t terminal)
{
    size_t width = 0;
    for (const struct column *column = all; !column_is_end(column); column++)
        if (strlen(column_key(column)) > width)
            width = strlen(column_key(column));
    for (; !column_is_end(all); all++) {
        char *line = mem_printf("%-*s  %s%s", (int)width, column_key(all), column_help(all),
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
