/* SPDX-License-Identifier: MIT */
/* Text in columns, aligned and fitted to the terminal. */
#include "view/table.h"

#include "base/glyph.h"
#include "view/terminal.h"

/* How the columns of a table share a terminal's width. */

enum { FIT_INDENT = 4 }; /* of a row's continuation */

enum fit_form {
    FIT_LINE,    /* one line per row */
    FIT_FOLDED,  /* two lines per row */
    FIT_RECORDS, /* a block per row, one line per column */
};

struct fit {
    enum fit_form form;
    size_t *widths; /* of each column */
    bool *hidden;   /* left out */
    size_t second;  /* FIT_FOLDED: the column that begins the second line */
};

/* Fits a table into width columns (0: unlimited): first what may be cut is cut, then columns are dropped, the
 * highest rank first, and any room gained is given back. If what must stay is still too wide, it goes on a
 * second line, or each row becomes a block. Free with fit_free(). */
static void fit_make(struct fit *fit, const struct table *table, bool header, size_t width);
static void fit_free(struct fit *fit);

struct table *table_new(size_t ncolumns, size_t nrows)
{
    struct table *table = mem_alloc(1, sizeof(*table));
    table->columns = mem_alloc(ncolumns, sizeof(*table->columns));
    table->ncolumns = ncolumns;
    table->cells = mem_alloc(ncolumns * nrows, sizeof(*table->cells));
    table->nrows = nrows;
    table->arena = arena_new();
    return table;
}

void table_free(struct table *table)
{
    arena_free(table->arena);
    free(table->cells);
    free(table->columns);
    free(table);
}

void table_set(struct table *table, size_t row, size_t column, char *text, enum tone tone)
{
    struct table_cell *cell = &table->cells[row * table->ncolumns + column];
    const char *above = row ? (cell - table->ncolumns)->text : NULL;
    bool same = text && text_is(above, text);
    *cell = (struct table_cell){ same ? above : arena_strdup(table->arena, text), tone };
    free(text);
}

void table_set_text(struct table *table, size_t row, size_t column, const char *text, enum tone tone)
{
    table_set(table, row, column, text_clean(text, TEXT_ONE_LINE), tone);
}

enum {
    WIDEST = 1 << 10
}; /* nothing is aligned to what is wider: rows get no longer by what is in one of them */

static void print_spaces(size_t count)
{
    printf("%*s", (int)count, "");
}

static void print_cell(const char *text, const struct table_column *column, size_t width, bool last,
                       enum tone tone, bool color)
{
    size_t needed = text_width(text), shown = needed > width ? width : needed;
    const char *end;
    size_t bytes = fold_cut(text, width, &end);
    if (column->right)
        print_spaces(width - shown);
    printf("%s%.*s%s%s", tone_start(tone, color), (int)bytes, text, end, tone_end(tone, color));
    if (!column->right && !last)
        print_spaces(width - shown);
}

/* A row's cells from begin up to, but not including, end. */
static void print_part(const struct table *table, const struct fit *fit, const struct table_cell *cells,
                       size_t begin, size_t end, bool color)
{
    size_t last = 0;
    bool first = true;
    for (size_t c = begin; c < end; c++)
        if (!fit->hidden[c])
            last = c;
    for (size_t c = begin; c < end; c++) {
        if (fit->hidden[c])
            continue;
        if (!first)
            print_spaces(FIT_GAP);
        first = false;
        const char *text = cells[c].text ? cells[c].text : "";
        size_t width = fit->widths[c] < WIDEST ? fit->widths[c] : text_width(text);
        print_cell(text, &table->columns[c], width, c == last, cells[c].tone, color);
    }
    putchar('\n');
}

/* Wraps a text that is alone on a row's second line. */
static bool print_folded(const struct table *table, const struct fit *fit, const struct table_cell *cells,
                         bool color)
{
    const struct table_cell *cell = &cells[fit->second];
    for (size_t c = fit->second + 1; c < table->ncolumns; c++)
        if (!fit->hidden[c])
            return false;
    char *text = fold_text(cell->text ? cell->text : "", fit->widths[fit->second], 0);
    for (char *at = text, *next; at; at = next) {
        next = strchr(at, '\n');
        printf("%*s%s%.*s%s\n", FIT_INDENT, "", tone_start(cell->tone, color),
               next ? (int)(next - at) : (int)strlen(at), at, tone_end(cell->tone, color));
        next = next ? next + 1 : NULL;
    }
    free(text);
    return true;
}

static void print_row(const struct table *table, const struct fit *fit, const struct table_cell *cells,
                      bool color)
{
    print_part(table, fit, cells, 0, fit->form == FIT_FOLDED ? fit->second : table->ncolumns, color);
    if (fit->form != FIT_FOLDED || print_folded(table, fit, cells, color))
        return;
    print_spaces(FIT_INDENT);
    print_part(table, fit, cells, fit->second, table->ncolumns, color);
}

/* The caller frees it. */
static char *heading_text(const struct table *table, size_t c)
{
    char *text = glyph_text(table->columns[c].heading);
    for (char *at = text; *at; at++)
        *at = (char)toupper((unsigned char)*at);
    return text;
}

static void print_header(const struct table *table, const struct fit *fit, bool color)
{
    struct table_cell *cells = mem_alloc(table->ncolumns, sizeof(*cells));
    char **texts = mem_alloc(table->ncolumns, sizeof(*texts));
    for (size_t c = 0; c < table->ncolumns; c++) {
        texts[c] = heading_text(table, c);
        cells[c] = (struct table_cell){ texts[c], TONE_BOLD };
    }
    print_row(table, fit, cells, color);
    for (size_t c = 0; c < table->ncolumns; c++)
        free(texts[c]);
    free(texts);
    free(cells);
}

/* One block per row: heading and value of each column. */
static void print_record(const struct table *table, size_t r, bool header, bool color, size_t width)
{
    size_t label = 0;
    for (size_t c = 0; header && c < table->ncolumns; c++)
        if (text_width(table->columns[c].heading) > label)
            label = text_width(table->columns[c].heading);
    size_t indent = header ? label + FIT_GAP : 0;
    for (size_t c = 0; c < table->ncolumns; c++) {
        const struct table_cell *cell = &table->cells[r * table->ncolumns + c];
        char *heading = heading_text(table, c);
        char *text = fold_text(cell->text ? cell->text : "", width > indent ? width - indent : width, 0);
        for (char *at = text, *line; (line = strsep(&at, "\n"));) {
            if (header)
                printf("%s%-*s%s", tone_start(TONE_BOLD, color), (int)indent, line == text ? heading : "",
                       tone_end(TONE_BOLD, color));
            printf("%s%s%s\n", tone_start(cell->tone, color), line, tone_end(cell->tone, color));
        }
        free(text);
        free(heading);
    }
}

static void print_left_out(const struct table *table, const struct fit *fit, bool color, size_t width)
{
    struct bytes line = { 0 };
    for (size_t c = 0; c < table->ncolumns; c++)
        if (fit->hidden[c])
            bytes_printf(&line, "%s%s", line.len ? ", " : "left out to fit: ", table->columns[c].heading);
    if (!line.len)
        return;
    bytes_printf(&line, table->beside ? " (a wider terminal shows them)" : " (-o chooses)");
    char *text = fold_text(line.data, width, FIT_INDENT);
    printf("%s%s%s\n", tone_start(TONE_DIM, color), text, tone_end(TONE_DIM, color));
    free(text);
    bytes_free(&line);
}

void table_print(const struct table *table, bool header, bool color, size_t width)
{
    struct fit fit;
    fit_make(&fit, table, header, width);
    if (header && fit.form != FIT_RECORDS)
        print_header(table, &fit, color);
    for (size_t r = 0; r < table->nrows; r++) {
        if (fit.form == FIT_RECORDS && r)
            putchar('\n');
        if (fit.form == FIT_RECORDS)
            print_record(table, r, header, color, width);
        else
            print_row(table, &fit, table->cells + r * table->ncolumns, color);
    }
    if (fit.form != FIT_RECORDS)
        print_left_out(table, &fit, color, width);
    fit_free(&fit);
}

/* The first column after those that fit next to the names when begin is the first; at least one does. */
static size_t block_end(const struct fit *fit, size_t ncolumns, size_t begin, size_t width)
{
    size_t end = begin + 1, used = fit->widths[0] + FIT_GAP + fit->widths[begin];
    while (end < ncolumns && (!width || used + FIT_GAP + fit->widths[end] <= width))
        used += FIT_GAP + fit->widths[end++];
    return end;
}

void table_print_matrix(const struct table *table, bool color, size_t width)
{
    struct fit fit;
    fit_make(&fit, table, false, 0);
    for (size_t begin = 1, end; begin < table->ncolumns; begin = end) {
        end = block_end(&fit, table->ncolumns, begin, width);
        for (size_t c = 1; c < table->ncolumns; c++)
            fit.hidden[c] = c < begin || c >= end;
        if (begin > 1)
            putchar('\n');
        for (size_t r = 0; r < table->nrows; r++)
            print_part(table, &fit, table->cells + r * table->ncolumns, 0, table->ncolumns, color);
    }
    fit_free(&fit);
}

enum { LEAST_CUT = 24 }; /* a text cut to less says nothing: other columns go instead */

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

/* The columns from begin up to, but not including, end. */
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

/* How soon it goes: a column that says nothing goes before all others. */
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

/* The next shown column to go, or the next hidden one to come back; ncolumns if there is none. */
static size_t next_by_rank(const struct table *table, const struct fit *fit, bool hidden, const bool *tried)
{
    size_t best = table->ncolumns;
    int mark = 0; /* rank of best */
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

/* Columns that went in vain: a wider one went after them and left room. */
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

/* Widens the narrowest of the cut columns first, so that all end up equally wide or whole. */
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

/* Where to fold a row into two lines that both fit; 0: nowhere. The first gets as much as possible. */
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
    /* what may be cut is wrapped if it's alone on its line, else it gets the rest of the line */
    for (size_t c = 0; c < table->ncolumns; c++) {
        bool first = c < fit->second;
        size_t used = first ? total(table, fit, 0, fit->second)
                            : total(table, fit, fit->second, table->ncolumns) + FIT_INDENT;
        size_t room = width > used ? width - used : 0, lacks = naturals[c] - fit->widths[c];
        if (!fit->hidden[c])
            fit->widths[c] += lacks < room ? lacks : room;
    }
}

static void fit_make(struct fit *fit, const struct table *table, bool header, size_t width)
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

static void fit_free(struct fit *fit)
{
    free(fit->widths);
    free(fit->hidden);
}
