/* SPDX-License-Identifier: MIT */
#include "view/table.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "view/terminal.h"

enum { GAP = 2, LEAST_CUT = 24 }; /* below that many columns a cut text says nothing: then others go */

struct layout {
    size_t *widths;
    bool *hidden;
};

struct table *table_new(size_t ncolumns, size_t nrows)
{
    struct table *table = mem_alloc(1, sizeof(*table));
    table->columns = mem_alloc(ncolumns, sizeof(*table->columns));
    table->ncolumns = ncolumns;
    table->cells = mem_alloc(ncolumns * nrows, sizeof(*table->cells));
    table->nrows = nrows;
    return table;
}

void table_free(struct table *table)
{
    for (size_t i = 0; i < table->ncolumns * table->nrows; i++)
        free(table->cells[i].text);
    free(table->cells);
    free(table->columns);
    free(table);
}

void table_set(struct table *table, size_t row, size_t column, char *text, enum tone tone)
{
    table->cells[row * table->ncolumns + column] = (struct table_cell){ text, tone };
}

static void measure(const struct table *table, bool header, struct layout *layout)
{
    for (size_t c = 0; c < table->ncolumns; c++) {
        layout->widths[c] = header ? text_width(table->columns[c].heading) : 0;
        for (size_t r = 0; r < table->nrows; r++) {
            const char *text = table->cells[r * table->ncolumns + c].text;
            size_t width = text ? text_width(text) : 0;
            if (width > layout->widths[c])
                layout->widths[c] = width;
        }
    }
}

static size_t total(const struct table *table, const struct layout *layout)
{
    size_t sum = 0;
    for (size_t c = 0; c < table->ncolumns; c++)
        if (!layout->hidden[c])
            sum += layout->widths[c] + (sum ? GAP : 0);
    return sum;
}

/* First what may be cut is cut, the widest first; then columns go, the highest rank first. */
static void fit(const struct table *table, struct layout *layout, size_t width)
{
    while (total(table, layout) > width) {
        size_t widest = table->ncolumns, last = table->ncolumns;
        for (size_t c = 0; c < table->ncolumns; c++) {
            if (layout->hidden[c])
                continue;
            bool may_cut = (table->columns[c].flags & COLUMN_CUT) && layout->widths[c] > LEAST_CUT;
            if (may_cut && (widest == table->ncolumns || layout->widths[c] > layout->widths[widest]))
                widest = c;
            bool may_go = !(table->columns[c].flags & COLUMN_WHOLE) && table->columns[c].rank > 0;
            if (may_go && (last == table->ncolumns || table->columns[c].rank >= table->columns[last].rank))
                last = c;
        }
        if (widest < table->ncolumns)
            layout->widths[widest]--;
        else if (last < table->ncolumns)
            layout->hidden[last] = true;
        else
            return;
    }
}

static void print_spaces(size_t count)
{
    printf("%*s", (int)count, "");
}

static void print_cell(const char *text, const struct table_column *column, size_t width, bool last,
                       enum tone tone, bool color)
{
    size_t needed = text_width(text);
    bool cut = needed > width;
    size_t bytes = cut ? text_prefix(text, width - 1) : strlen(text);
    size_t shown = cut ? width : needed;
    if (column->right)
        print_spaces(width - shown);
    printf("%s%.*s%s%s", tone_start(tone, color), (int)bytes, text, cut ? "…" : "", tone_end(tone, color));
    if (!column->right && !last)
        print_spaces(width - shown);
}

static void print_row(const struct table *table, const struct layout *layout, const struct table_cell *cells,
                      bool color)
{
    size_t last = 0;
    bool first = true;
    for (size_t c = 0; c < table->ncolumns; c++)
        if (!layout->hidden[c])
            last = c;
    for (size_t c = 0; c < table->ncolumns; c++) {
        if (layout->hidden[c])
            continue;
        if (!first)
            print_spaces(GAP);
        first = false;
        print_cell(cells[c].text ? cells[c].text : "", &table->columns[c], layout->widths[c], c == last,
                   cells[c].tone, color);
    }
    putchar('\n');
}

static void print_header(const struct table *table, const struct layout *layout, bool color)
{
    struct table_cell *cells = mem_alloc(table->ncolumns, sizeof(*cells));
    for (size_t c = 0; c < table->ncolumns; c++) {
        cells[c] = (struct table_cell){ mem_strdup(table->columns[c].heading), TONE_BOLD };
        for (char *at = cells[c].text; *at; at++)
            *at = (char)toupper((unsigned char)*at);
    }
    print_row(table, layout, cells, color);
    for (size_t c = 0; c < table->ncolumns; c++)
        free(cells[c].text);
    free(cells);
}

static void print_left_out(const struct table *table, const struct layout *layout, bool color)
{
    size_t count = 0;
    for (size_t c = 0; c < table->ncolumns; c++) {
        if (!layout->hidden[c])
            continue;
        printf("%s%s%s", count ? ", " : tone_start(TONE_DIM, color),
               count ? "" : "left out to fit: ", table->columns[c].heading);
        count++;
    }
    if (count)
        printf(" (-o chooses)%s\n", tone_end(TONE_DIM, color));
}

void table_print(const struct table *table, bool header, bool color, size_t width)
{
    struct layout layout = { mem_alloc(table->ncolumns, sizeof(size_t)),
                             mem_alloc(table->ncolumns, sizeof(bool)) };
    measure(table, header, &layout);
    if (width)
        fit(table, &layout, width);
    if (header)
        print_header(table, &layout, color);
    for (size_t r = 0; r < table->nrows; r++)
        print_row(table, &layout, table->cells + r * table->ncolumns, color);
    print_left_out(table, &layout, color);
    free(layout.widths);
    free(layout.hidden);
}
