/* SPDX-License-Identifier: MIT */
/* A report of a mesh as a page for a browser. */
#include "view/comparison.h"
#include "view/html.h"

/* With more hosts than MOST, a map shows only those with findings; with more than NUMBERED, cells show their
 * numbers only as tooltips. */
enum { MOST = 160, NUMBERED = 24 };

struct html_page {
    struct bytes out;
    struct arena *arena;
};

static void print_odd(struct html_page *html, const struct mesh_page *page, const struct mesh_odd *odd)
{
    const char *name = verdict_name(odd->failed ? VERDICT_FAIL : VERDICT_WARN);
    struct mesh_line lines[MESH_LINES_MOST];
    char *text = mesh_odd_text(page, odd);
    size_t count = mesh_odd_lines(page, odd, html->arena, lines);
    bytes_printf(&html->out, "<section>\n<h2><span class=\"%s\">%s</span> %s</h2>\n", name, name,
                 html_safe(html->arena, text));
    for (size_t i = 0; i < count; i++)
        bytes_printf(&html->out, "<p>%s%s%s</p>\n", lines[i].label, *lines[i].label ? ": " : "",
                     html_safe(html->arena, lines[i].text));
    bytes_printf(&html->out, "</section>\n");
    free(text);
}

/* -- the map ------------------------------------------------------------------------------------------- */

/* Of those that are shown; 0 if there is none. */
static double median(const struct mesh_matrix *m)
{
    double *values = mem_alloc(m->count * m->count + 1, sizeof(*values)), middle;
    size_t count = 0;
    for (size_t i = 0; i < m->count * m->count; i++)
        if (mesh_value(m->cells[i], m->measure) > 0)
            values[count++] = mesh_value(m->cells[i], m->measure);
    middle = count ? polish_quantile(values, count, 0.5) : 0;
    free(values);
    return middle;
}

/* How much worse than the median it is: for colours only; what is odd is judged elsewhere. */
static const char *shade(const struct mesh_matrix *m, size_t from, size_t to, double middle)
{
    static const double steps[] = { 0.9, 0.7, 0.5 };
    static const char *const shades[] = { "slow3", "slow2", "slow1", "good" };
    const struct mesh_cell *cell = m->cells[from * m->count + to];
    double value = mesh_value(cell, m->measure), share;
    if (from == to || !cell)
        return "none";
    if (cell->state == CELL_FAILED || cell->state == CELL_UNREACHABLE || cell->bad_paths)
        return "fail";
    if (value <= 0 || middle <= 0)
        return "none";
    share = m->measure == MESH_BANDWIDTH ? value / middle : middle / value;
    return shades[(share >= steps[0]) + (share >= steps[1]) + (share >= steps[2])];
}

static void print_row(struct html_page *html, const struct mesh_matrix *m, size_t row, double middle)
{
    char text[16];
    const char *from = html_safe(html->arena, mesh_host_at(m, m->places[row]));
    bytes_printf(&html->out, "<tr><th>%s</th>", from);
    for (size_t i = 0; i < m->count; i++) {
        mesh_cell_text(m, row, i, text);
        const struct mesh_cell *cell = m->cells[row * m->count + i];
        const char *counted = cell ? mesh_counted_text(num_wide(cell->retransmissions), num_wide(cell->cnps),
                                                       html->arena)
                                   : NULL;
        bytes_printf(&html->out, "<td class=\"%s\" title=\"%s to %s: %s%s%s\">%s</td>",
                     shade(m, row, i, middle), from, html_safe(html->arena, mesh_host_at(m, m->places[i])),
                     text, counted ? ", " : "", counted ? counted : "", m->count <= NUMBERED ? text : "");
    }
    bytes_printf(&html->out, "</tr>\n");
}

static void print_map(struct mesh_matrix *m, void *data)
{
    struct html_page *html = data;
    mesh_choose(m, MOST);
    double middle = median(m);
    if (m->count) {
        bytes_printf(&html->out,
                     "<h2>%s</h2>\n<p>%s, from the row's host to the column's%s; the median is %.*f. Shaded is "
                     "what is below 90, 70 and 50 %% of it%s. "
                     "In a cell, a dot: not tried; ?: nothing is known; !: some paths are "
                     "bad.</p>\n<table>\n<tr><th></th>",
                     html_safe(html->arena, m->rail),
                     m->measure == MESH_BANDWIDTH ? "Gb/s" : "Latency in \302\265s",
                     m->count < m->n ? "; only hosts of findings" : "", middle < 10 ? 2 : 1, middle,
                     m->measure == MESH_BANDWIDTH ? "" : ", as a speed");
        for (size_t i = 0; i < m->count; i++)
            bytes_printf(&html->out, "<th>%s</th>", html_safe(html->arena, mesh_host_at(m, m->places[i])));
        bytes_printf(&html->out, "</tr>\n");
        for (size_t row = 0; row < m->count; row++)
            print_row(html, m, row, middle);
        bytes_printf(&html->out, "</table>\n");
    }
}

void mesh_print_html(const struct mesh_page *page)
{
    struct html_page html = { .arena = arena_new() };
    char *summary = mesh_summary_text(page);
    html_page_begin(&html.out, "roce mesh");
    html_element(&html.out, "p", NULL, summary);
    for (size_t i = 0; i < page->verdicts->nodd; i++)
        print_odd(&html, page, &page->verdicts->odd[i]);
    mesh_for_each_matrix(page, print_map, &html);
    refused_html(&html.out, page->refused, page->nrefused);
    html_page_end(&html.out);
    fwrite(html.out.data, 1, html.out.len, stdout);
    bytes_free(&html.out);
    free(summary);
    arena_free(html.arena);
}
