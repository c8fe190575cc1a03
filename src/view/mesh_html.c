/* SPDX-License-Identifier: MIT */
/* A report of a mesh as a page for a browser. */
#include "fleet/mesh/mesh.h"
#include "view/comparison.h"
#include "view/html.h"

/* More hosts than MOST in a map, and those of findings alone are shown; more than NUMBERED, and cells have
 * their numbers as a hint only. */
enum { MOST = 160, NUMBERED = 24 };

static void print_labelled(struct bytes *out, const char *label, const char *text)
{
    if (!text)
        return;
    bytes_printf(out, "<p>%s: ", label);
    html_text(out, text);
    bytes_printf(out, "</p>\n");
}

static void print_odd(struct bytes *out, const struct mesh_page *page, const struct mesh_odd *odd,
                      struct arena *arena)
{
    const char *name = verdict_name(odd->failed ? VERDICT_FAIL : VERDICT_WARN);
    char *text = mesh_odd_text(page, odd), *ports = odd->kind == ODD_PATHS ? mesh_ports_text(odd->cell) : NULL;
    bytes_printf(out, "<section>\n<h2><span class=\"%s\">%s</span> ", name, name);
    html_text(out, text);
    bytes_printf(out, "</h2>\n");
    if (odd->cell && odd->failed) {
        print_labelled(out, "Found", odd->cell->what);
        print_labelled(out, "Likely", odd->cell->likely);
    }
    print_labelled(out, "Source ports", ports);
    for (size_t i = 0; i < MESH_FACTS_MOST; i++)
        print_labelled(out, "Facts", mesh_odd_fact(page, odd, i, arena));
    bytes_printf(out, "</section>\n");
    free(ports);
    free(text);
}

/* -- the map ------------------------------------------------------------------------------------------- */

static double value_at(const struct mesh_matrix *m, size_t from, size_t to)
{
    const struct mesh_cell *cell = m->cells[from * m->n + to];
    if (!cell || cell->state != CELL_GOOD)
        return 0;
    return m->measure == MESH_BANDWIDTH ? cell->gbits : cell->latency;
}

/* 0: there is none. */
static double median(const struct mesh_matrix *m)
{
    double *values = mem_alloc(m->n * m->n + 1, sizeof(*values)), middle;
    size_t count = 0;
    for (size_t i = 0; i < m->n * m->n; i++) {
        double value = value_at(m, i / m->n, i % m->n);
        if (value > 0)
            values[count++] = value;
    }
    middle = count ? polish_quantile(values, count, 0.5) : 0;
    free(values);
    return middle;
}

/* By how much it is worse than the middle of all: colours only; what is odd is judged elsewhere. */
static const char *shade(const struct mesh_matrix *m, size_t from, size_t to, double middle)
{
    static const double steps[] = { 0.9, 0.7, 0.5 };
    static const char *const shades[] = { "slow3", "slow2", "slow1", "good" };
    const struct mesh_cell *cell = m->cells[from * m->n + to];
    double value = value_at(m, from, to), share;
    if (from == to || !cell)
        return "none";
    if (cell->state == CELL_FAILED || cell->state == CELL_UNREACHABLE || cell->bad_paths)
        return "fail";
    if (value <= 0 || middle <= 0)
        return "none";
    share = m->measure == MESH_BANDWIDTH ? value / middle : middle / value;
    return shades[(share >= steps[0]) + (share >= steps[1]) + (share >= steps[2])];
}

static void print_row(struct bytes *out, const struct mesh_matrix *m, const size_t *places, size_t count,
                      size_t row, double middle)
{
    char text[16];
    bytes_printf(out, "<tr><th>");
    html_text(out, mesh_host_at(m, places[row]));
    bytes_printf(out, "</th>");
    for (size_t i = 0; i < count; i++) {
        mesh_cell_text(m, places[row], places[i], text);
        bytes_printf(out, "<td class=\"%s\" title=\"", shade(m, places[row], places[i], middle));
        html_text(out, mesh_host_at(m, places[row]));
        bytes_printf(out, " to ");
        html_text(out, mesh_host_at(m, places[i]));
        bytes_printf(out, ": ");
        html_text(out, text);
        bytes_printf(out, "\">");
        html_text(out, count <= NUMBERED ? text : "");
        bytes_printf(out, "</td>");
    }
    bytes_printf(out, "</tr>\n");
}

static void print_map(const struct mesh_matrix *m, void *data)
{
    struct bytes *out = data;
    size_t *places = mem_alloc(m->n + 1, sizeof(*places)), count = m->n;
    for (size_t i = 0; i < m->n; i++)
        places[i] = i;
    if (count > MOST)
        count = mesh_choose_odd(m, places);
    count = count > MOST ? MOST : count;
    if (count) {
        double middle = median(m);
        bytes_printf(out, "<h2>");
        html_text(out, m->page->peers->all_rails ? "all rails" : m->page->peers->items[m->members[0]].rail);
        bytes_printf(out,
                     "</h2>\n<p>%s, from the row's host to the column's%s; the median is %.*f. Shaded is what "
                     "is below 90, 70 and 50 %% of it%s. "
                     "In a cell, a dot: not tried; ?: nothing is known; !: some paths are "
                     "bad.</p>\n<table>\n<tr><th></th>",
                     m->measure == MESH_BANDWIDTH ? "Gb/s" : "Latency in \302\265s",
                     count < m->n ? "; only hosts of findings" : "", middle < 10 ? 2 : 1, middle,
                     m->measure == MESH_BANDWIDTH ? "" : ", as a speed");
        for (size_t i = 0; i < count; i++) {
            bytes_printf(out, "<th>");
            html_text(out, mesh_host_at(m, places[i]));
            bytes_printf(out, "</th>");
        }
        bytes_printf(out, "</tr>\n");
        for (size_t row = 0; row < count; row++)
            print_row(out, m, places, count, row, middle);
        bytes_printf(out, "</table>\n");
    }
    free(places);
}

void mesh_print_html(const struct mesh_page *page)
{
    struct bytes out = { 0 };
    struct arena *arena = arena_new();
    char *summary = mesh_summary_text(page);
    html_page_begin(&out, "roce mesh");
    html_element(&out, "p", NULL, summary);
    for (size_t i = 0; i < page->verdicts->nodd; i++)
        print_odd(&out, page, &page->verdicts->odd[i], arena);
    mesh_for_each_matrix(page, print_map, &out);
    refused_html(&out, page->refused, page->nrefused);
    html_page_end(&out);
    fwrite(out.data, 1, out.len, stdout);
    bytes_free(&out);
    free(summary);
    arena_free(arena);
}
