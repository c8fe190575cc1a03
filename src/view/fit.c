/* SPDX-License-Identifier: MIT */
#include "view/fit.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"

enum { LEAST_CUT = 24 }; /* below that many columns a cut text says nothing: then others go */

static size_t natural(const struct table *table, bool header, size_t c)
{
    size_t most = header ? text_width(table->columns[c].heading) : 0;
    for (size_t r = 0; r < table->nrows; r++) {
        const char *text = table->cells[r * table->ncolumns + c].text;
        size_t width = text ? text_width(text) : 0;
        if (width > most)
            most = width;
    }
    return most;
}

static size_t cut_width(const struct table *table, const size_t *naturals, size_t c)
{
    bool may_cut = table->columns[c].flags & COLUMN_CUT;
    return may_cut && naturals[c] > LEAST_CUT ? LEAST_CUT : naturals[c];
}

/* Of the columns from begin to before end. */
static size_t total(const struct table *table, const struct fit *fit, size_t begin, size_t end)
{
    size_t sum = 0;
    bool any = false;
    for (size_t c = begin; c < end && c < table->ncolumns; c++) {
        if (fit->hidden[c])
            continue;
        sum += fit->widths[c] + (any ? FIT_GAP : 0);
        any = true;
    }
    return sum;
}

static size_t whole(const struct table *table, const struct fit *fit)
{
    return total(table, fit, 0, table->ncolumns);
}

static bool may_go(const struct table_column *column)
{
    return !(column->flags & COLUMN_WHOLE) && column->rank > 0;
}

/* How soon it goes: what tells nothing goes before all else. */
static int rank_of(const struct table *table, size_t c)
{
    enum { EMPTY = 100 };
    for (size_t r = 0; r < table->nrows; r++) {
        const char *text = table->cells[r * table->ncolumns + c].text;
        if (text && *text && strcmp(text, "-") != 0)
            return table->columns[c].rank;
    }
    return table->columns[c].rank + EMPTY;
}

/* The shown column that goes first, or the hidden one that comes back first; ncolumns: none. */
static size_t next_by_rank(const struct table *table, const struct fit *fit, bool hidden, const bool *tried)
{
    size_t best = table->ncolumns;
    int mark = 0; /* the best one's rank */
    for (size_t c = 0; c < table->ncolumns; c++) {
        if (fit->hidden[c] != hidden || !may_go(&table->columns[c]) || (tried && tried[c]))
            continue;
        int rank = rank_of(table, c);
        if (best == table->ncolumns || (hidden ? rank < mark : rank >= mark)) {
            best = c;
            mark = rank;
        }
    }
    return best;
}

/* What went in vain: a wider column went behind it, and left room. */
static void bring_back(const struct table *table, struct fit *fit, size_t width)
{
    bool *tried = mem_alloc(table->ncolumns, sizeof(*tried));
    for (size_t c; (c = next_by_rank(table, fit, true, tried)) < table->ncolumns;) {
        tried[c] = true;
        fit->hidden[c] = false;
        fit->hidden[c] = whole(table, fit) > width;
    }
    free(tried);
}

/* The narrowest of those that were cut first, so that all end up equal or whole. */
static void widen(const struct table *table, struct fit *fit, const size_t *naturals, size_t room)
{
    while (room) {
        size_t narrowest = table->ncolumns;
        for (size_t c = 0; c < table->ncolumns; c++)
            if (!fit->hidden[c] && fit->widths[c] < naturals[c] &&
                (narrowest == table->ncolumns || fit->widths[c] < fit->widths[narrowest]))
                narrowest = c;
        if (narrowest == table->ncolumns)
            return;
        fit->widths[narrowest]++;
        room--;
    }
}

/* Where a row is folded into two lines that both fit; 0: nowhere. As much as can be stands on the first. */
static size_t fold_at(const struct table *table, const struct fit *fit, size_t width)
{
    for (size_t second = table->ncolumns - 1; second > 0; second--)
        if (!fit->hidden[second] && total(table, fit, 0, second) <= width &&
            total(table, fit, second, table->ncolumns) + FIT_INDENT <= width)
            return second;
    return 0;
}

static void fold(const struct table *table, struct fit *fit, const size_t *naturals, size_t width)
{
    fit->second = fold_at(table, fit, width);
    fit->form = fit->second ? FIT_FOLDED : FIT_RECORDS;
    if (!fit->second)
        return;
    /* what may be cut is folded where it stands alone, and takes what is left of the line else */
    for (size_t c = 0; c < table->ncolumns; c++) {
        bool first = c < fit->second;
        size_t used = first ? total(table, fit, 0, fit->second)
                            : total(table, fit, fit->second, table->ncolumns) + FIT_INDENT;
        size_t room = width > used ? width - used : 0, lacks = naturals[c] - fit->widths[c];
        if (!fit->hidden[c])
            fit->widths[c] += lacks < room ? lacks : room;
    }
}

void fit_make(struct fit *fit, const struct table *table, bool header, size_t width)
{
    size_t *naturals = mem_alloc(table->ncolumns, sizeof(*naturals));
    *fit = (struct fit){ .widths = mem_alloc(table->ncolumns, sizeof(*fit->widths)),
                         .hidden = mem_alloc(table->ncolumns, sizeof(*fit->hidden)) };
    for (size_t c = 0; c < table->ncolumns; c++) {
        naturals[c] = natural(table, header, c);
        fit->widths[c] = width ? cut_width(table, naturals, c) : naturals[c];
    }
    for (size_t c;
         width && whole(table, fit) > width && (c = next_by_rank(table, fit, false, NULL)) < table->ncolumns;)
        fit->hidden[c] = true;
    if (width && whole(table, fit) <= width) {
        bring_back(table, fit, width);
        widen(table, fit, naturals, width - whole(table, fit));
    } else if (width) {
        fold(table, fit, naturals, width);
    }
    free(naturals);
}

void fit_free(struct fit *fit)
{
    free(fit->widths);
    free(fit->hidden);
}
