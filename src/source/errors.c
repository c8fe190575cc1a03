/* SPDX-License-Identifier: MIT */
#include "source/errors.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

int errno_from_name(const char *name)
{
    for (int err = 1; err < 134; err++) {
        const char *known = strerrorname_np(err);
        if (known && strcmp(known, name) == 0)
            return err;
    }
    return strcmp(name, "ENOTSUP") == 0 ? EOPNOTSUPP : 0;
}

static char *copy(const char *text, size_t len)
{
    char *result = mem_alloc(len + 1, 1);
    memcpy(result, text, len);
    return result;
}

/* "[4-255]tail" → range and tail; false when it isn't one. */
static int parse_range(struct error_line *line, const char *text)
{
    char *end = NULL;
    line->first = strtoul(text + 1, &end, 10);
    line->last = line->first;
    if (*end == '-')
        line->last = strtoul(end + 1, &end, 10);
    if (*end != ']' || line->last < line->first)
        return 0;
    line->is_range = 1;
    line->tail = copy(end + 1, strlen(end + 1));
    return 1;
}

static int parse_line(struct error_line *line, const char *path, int err)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *bracket = strchr(name, '[');
    if (!*name)
        return 0;
    line->err = err;
    if (bracket && !parse_range(line, bracket))
        return 0;
    line->dir = copy(path, slash ? (size_t)(slash - path) : 0);
    line->name = copy(name, bracket ? (size_t)(bracket - name) : strlen(name));
    return 1;
}

static int by_directory(const void *a, const void *b)
{
    const struct error_line *x = a, *y = b;
    int order = strcmp(x->dir, y->dir);
    return order ? order : (x->order > y->order) - (x->order < y->order);
}

struct error_table error_table_parse(const char *text, size_t len, size_t *bad)
{
    struct error_table table = { 0 };
    const char *end = text + len;
    *bad = 0;
    for (const char *at = text; at < end;) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        size_t size = (size_t)((newline ? newline : end) - at);
        char *line = copy(at, size);
        at += size + 1;
        char *tab = strchr(line, '\t');
        int err = tab ? errno_from_name(tab + 1) : 0;
        struct error_line parsed = { 0 };
        if (err) {
            *tab = '\0';
            if ((table.count & (table.count - 1)) == 0)
                table.lines = mem_resize(table.lines, table.count ? table.count * 2 : 1, sizeof(*table.lines));
        }
        if (err && parse_line(&parsed, line, err)) {
            parsed.order = table.count;
            table.lines[table.count++] = parsed;
        } else {
            free(parsed.tail);
            *bad += size > 0;
        }
        free(line);
    }
    if (table.count)
        qsort(table.lines, table.count, sizeof(*table.lines), by_directory);
    return table;
}

void error_table_free(struct error_table *table)
{
    for (size_t i = 0; i < table->count; i++) {
        free(table->lines[i].dir);
        free(table->lines[i].name);
        free(table->lines[i].tail);
    }
    free(table->lines);
    *table = (struct error_table){ 0 };
}

static int matches(const struct error_line *line, const char *name)
{
    if (!line->is_range)
        return strcmp(line->name, name) == 0;
    size_t before = strlen(line->name);
    if (strncmp(line->name, name, before) != 0 || name[before] < '0' || name[before] > '9')
        return 0;
    char *end = NULL;
    unsigned long number = strtoul(name + before, &end, 10);
    return number >= line->first && number <= line->last && strcmp(end, line->tail) == 0;
}

bool error_table_has_name(const struct error_table *table, const char *name)
{
    for (size_t i = 0; i < table->count; i++)
        if (matches(&table->lines[i], name))
            return true;
    return false;
}

/* The first line about the directory. */
static size_t first_of(const struct error_table *table, const char *dir, size_t len)
{
    size_t low = 0, high = table->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strncmp(table->lines[middle].dir, dir, len) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int error_table_find(const struct error_table *table, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    size_t len = slash ? (size_t)(slash - path) : 0;
    for (size_t i = first_of(table, path, len); i < table->count; i++) {
        const struct error_line *line = &table->lines[i];
        if (strncmp(line->dir, path, len) != 0 || line->dir[len])
            break; /* the shortest of those that begin alike comes first */
        if (matches(line, name))
            return line->err;
    }
    return 0;
}
