/* SPDX-License-Identifier: MIT */
/* What comparing hosts found, as a page for a browser. */
#include "fleet/hosts.h"
#include "view/comparison.h"
#include "view/html.h"

enum { MOST_COLUMNS = 200, MOST_ROWS = 2000 };

static void print_finding(struct bytes *out, const struct fleet_finding *finding, struct arena *arena)
{
    const char *name = verdict_name(finding->verdict);
    bytes_printf(out,
                 "<section>\n<h2><span class=\"%s\">%s</span> %s%s%s</h2>\n"
                 "<table>\n<tr><th>hosts</th><th>value</th><th>how many</th></tr>\n",
                 name, name, html_safe(arena, finding->key), finding->subject ? " of " : "",
                 html_safe(arena, finding->subject));
    for (size_t g = 0; g < finding->ngroups; g++) {
        const struct fleet_group *group = &finding->groups[g];
        bytes_printf(out, "<tr><td%s>%s</td><td>%s</td><td>%zu</td></tr>\n",
                     group->odd ? " class=\"warn\"" : "", html_safe(arena, group->hosts),
                     html_safe(arena, group->value), group->count);
    }
    bytes_printf(out, "</table>\n");
    if (finding->more_values)
        bytes_printf(out, "<p>and %zu values more</p>\n", finding->more_values);
    html_element(out, "p", NULL, packed_line(finding->rule->why));
    bytes_printf(out, "<p>Fix: <code>%s</code></p>\n</section>\n",
                 html_safe(arena, packed_line(finding->rule->fix)));
}

/* -- the map ------------------------------------------------------------------------------------------- */

/* A host's marks: which findings are about it, one byte each; hosts with the same marks share a row. */
struct map {
    const struct fleet_report *report;
    size_t columns;
    struct map_row {
        unsigned char *marks; /* 0: like most hosts; else its group + 1 */
        uint32_t host;
        size_t columns, odd;
    } * rows;
};

static int compare_rows(const void *one, const void *other)
{
    const struct map_row *a = one, *b = other;
    int r = number_order(b->odd, a->odd);
    r = r ? r : memcmp(a->marks, b->marks, a->columns);
    return r ? r : number_order(a->host, b->host);
}

static void mark(struct map *map)
{
    for (size_t f = 0; f < map->columns; f++) {
        const struct fleet_finding *finding = &map->report->findings[f];
        for (size_t g = 0; g < finding->ngroups; g++)
            for (size_t i = 0; finding->groups[g].odd && i < finding->groups[g].count; i++) {
                struct map_row *row = &map->rows[finding->groups[g].members[i]];
                row->odd += row->marks[f] == 0;
                row->marks[f] = (unsigned char)(g + 1);
            }
    }
}

static void print_row(struct bytes *out, const struct map *map, const struct map_row *rows, size_t count,
                      struct arena *arena)
{
    const char **names = mem_alloc(count, sizeof(*names));
    for (size_t i = 0; i < count; i++)
        names[i] = map->report->hosts[rows[i].host]->name;
    char *folded = nodeset_fold(names, count);
    bytes_printf(out, "<tr><th>%s</th>", html_safe(arena, folded));
    for (size_t f = 0; f < map->columns; f++) {
        const struct fleet_finding *finding = &map->report->findings[f];
        bool odd = rows->marks[f] > 0;
        bytes_printf(out, "<td class=\"%s\">%s</td>", odd ? verdict_name(finding->verdict) : "good",
                     odd ? html_safe(arena, finding->groups[rows->marks[f] - 1].value) : "");
    }
    bytes_printf(out, "</tr>\n");
    free(folded);
    free(names);
}

static void print_map(struct bytes *out, const struct fleet_report *report, struct arena *arena)
{
    struct map map = { .report = report,
                       .columns = report->nfindings < MOST_COLUMNS ? report->nfindings : MOST_COLUMNS };
    if (map.columns == 0)
        return;
    unsigned char *marks = mem_alloc(report->nhosts, map.columns);
    map.rows = mem_alloc(report->nhosts, sizeof(*map.rows));
    for (size_t h = 0; h < report->nhosts; h++)
        map.rows[h] = (struct map_row){ &marks[h * map.columns], (uint32_t)h, map.columns, 0 };
    mark(&map);
    qsort(map.rows, report->nhosts, sizeof(*map.rows), compare_rows);
    bytes_printf(out, "<table>\n<tr><th>hosts</th>");
    for (size_t f = 0; f < map.columns; f++)
        bytes_printf(out, "<th>%s<br>%s</th>", html_safe(arena, report->findings[f].key),
                     html_safe(arena, report->findings[f].subject));
    bytes_printf(out, "</tr>\n");
    size_t printed = 0;
    for (size_t i = 0, end; i < report->nhosts && printed < MOST_ROWS; i = end, printed++) {
        for (end = i + 1;
             end < report->nhosts && memcmp(map.rows[i].marks, map.rows[end].marks, map.columns) == 0;)
            end++;
        print_row(out, &map, &map.rows[i], end - i, arena);
    }
    bytes_printf(out, "</table>\n");
    free(map.rows);
    free(marks);
}

void refused_html(struct bytes *out, const struct refused *refused, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char line[24] = "";
        if (refused[i].line)
            snprintf(line, sizeof(line), ", line %u", refused[i].line);
        char *text = mem_printf("passed over: %s%s: %s", refused[i].file, line, refused[i].what);
        html_element(out, "p", "info", text);
        free(text);
    }
}

void comparison_print_html(const struct comparison *comparison)
{
    struct bytes page = { 0 }, *out = &page;
    struct arena *arena = arena_new();
    size_t findings = 0;
    for (size_t r = 0; r < comparison->nreports; r++)
        findings += comparison->reports[r].nfindings;
    html_page_begin(out, comparison->changes ? "What changed" : "Hosts compared");
    bytes_printf(out, "<p>%zu %s, %zu %s.</p>\n", comparison->nhosts,
                 comparison->nhosts == 1 ? "host" : "hosts", findings, findings == 1 ? "finding" : "findings");
    for (size_t r = 0; r < comparison->nreports; r++) {
        const struct fleet_report *report = &comparison->reports[r];
        if (report->part)
            html_element(out, "h2", NULL, report->part);
        if (!comparison->changes)
            print_map(out, report, arena);
        for (size_t i = 0; i < report->nfindings; i++)
            print_finding(out, &report->findings[i], arena);
    }
    refused_html(out, comparison->refused, comparison->nrefused);
    html_page_end(out);
    fwrite(page.data, 1, page.len, stdout);
    bytes_free(&page);
    arena_free(arena);
}
