/* SPDX-License-Identifier: MIT */
/* Findings about a mesh, for people and as JSON; its tables, for pages too. */
#include "view/comparison.h"

#include "fleet/hosts.h"
#include "view/json.h"
#include "view/page.h"
#include "view/rows.h"
#include "view/table.h"
#include "view/terminal.h"

enum { LABEL = 10, ROWS_MOST = 32 };

/* -- words --------------------------------------------------------------------------------------------- */

/* "h[0-3]". The caller frees it. */
static char *hosts_of(const struct mesh_page *page, const uint32_t *members, size_t count)
{
    const char **names = mem_alloc(count + 1, sizeof(*names));
    for (size_t i = 0; i < count; i++)
        names[i] = page->peers->items[members[i]].host;
    char *folded = nodeset_fold(names, count);
    free(names);
    return folded;
}

/* The same, or where a host has several rails "h3 (mlx5_0)". */
static char *names_of(const struct mesh_page *page, const uint32_t *members, size_t count)
{
    char *folded = hosts_of(page, members, count);
    if (page->peers->count == page->peers->nhosts || count == 0)
        return folded;
    char *text = mem_printf("%s (%s)", folded, page->peers->items[members[0]].rail);
    free(folded);
    return text;
}

static char *measured_text(double value, enum mesh_measure measure)
{
    if (measure == MESH_BANDWIDTH && value < 1) /* soft-RoCE, or throttled */
        return mem_printf("%.*f Mb/s", value < 0.01 ? 2 : 1, value * 1000);
    return measure == MESH_BANDWIDTH ? mem_printf("%.*f Gb/s", value < 10 ? 2 : 1, value)
                                     : mem_printf("%.*f us", value < 10 ? 2 : 1, value);
}

static char *slow_text(const struct mesh_odd *odd, const char *from, const char *to)
{
    char *found = measured_text(odd->found, odd->measure),
         *expected = measured_text(odd->expected, odd->measure);
    const char *what = odd->measure == MESH_BANDWIDTH ? "bandwidth" : "latency";
    char *who = odd->kind == ODD_SENDER     ? mem_printf("%s sends slowly", from)
                : odd->kind == ODD_RECEIVER ? mem_printf("%s receives slowly", to)
                : odd->kind == ODD_PEER     ? mem_printf("%s is slow both ways", from)
                : odd->kind == ODD_GROUPS   ? mem_printf("between %s and %s it is slow", from, to)
                                            : mem_printf("%s %s %s %s slow", from, odd->both ? "and" : "to", to,
                                                       odd->both ? "are" : "is");
    char *text = odd->kind == ODD_GROUPS
                     ? mem_printf("%s: %s of %zu directions", who, what, odd->cells)
                     : mem_printf("%s: %s %s, by the others %s", who, what, found, expected);
    free(who);
    free(found);
    free(expected);
    return text;
}

static char *failed_text(const struct mesh_odd *odd, const char *from, const char *to)
{
    switch (odd->kind) {
    case ODD_DEAD:
        return mem_printf("%s is gone: it answered none of the %zu that called it, and left no results", to,
                          odd->tried);
    case ODD_UNHEARD:
        return mem_printf("%s left no results%s: its file is missing, or it ended early", to,
                          odd->tried ? ", though others reached it" : "");
    case ODD_LEFT:
        return mem_printf("%s went away in the middle: its last result is of round %.0f of %.0f", to,
                          odd->found, odd->expected);
    case ODD_PEER:
        return mem_printf("%s fails in %zu of %zu tests, with others as sender and receiver", from, odd->cells,
                          odd->tried);
    case ODD_SENDER:
        return mem_printf("%s can't send: %zu of %zu tests fail", from, odd->cells, odd->tried);
    case ODD_RECEIVER:
        return mem_printf("%s can't receive: %zu of %zu tests fail", to, odd->cells, odd->tried);
    case ODD_GROUPS:
        return mem_printf("nothing gets between %s and %s: %zu of %zu tests fail", from, to, odd->cells,
                          odd->tried);
    case ODD_PATHS:
        return mem_printf("%s to %s: %zu of %zu source ports are bad: one path of several", from, to,
                          odd->cells, odd->tried);
    default:
        return mem_printf(odd->both ? "%s and %s fail, both ways" : "%s to %s fails", from, to);
    }
}

/* About hosts, not about what was measured between them. */
static char *host_text(const struct mesh_page *page, const struct mesh_odd *odd)
{
    char *hosts = hosts_of(page, odd->to, odd->nto), *text;
    if (odd->kind == ODD_VERSION)
        text = mem_printf("%s: roce %s, where most have %s: what they measure may differ for that", hosts,
                          odd->version, odd->usual_version);
    else
        text = mem_printf("%s came late: the first %.0f rounds were played without it", hosts, odd->found);
    free(hosts);
    return text;
}

char *mesh_odd_text(const struct mesh_page *page, const struct mesh_odd *odd)
{
    if (odd->kind == ODD_VERSION || odd->kind == ODD_LATE)
        return host_text(page, odd);
    char *from = names_of(page, odd->from, odd->nfrom), *to = names_of(page, odd->to, odd->nto);
    char *text = odd->failed ? failed_text(odd, from, to) : slow_text(odd, from, to);
    free(from);
    free(to);
    return text;
}

/* -- facts --------------------------------------------------------------------------------------------- */

static bool is_among(const struct mesh_page *page, const uint32_t *members, size_t count, const char *host)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(page->peers->items[members[i]].host, host) == 0)
            return true;
    return false;
}

static bool is_about(const struct mesh_page *page, const struct mesh_odd *odd, const char *host)
{
    return is_among(page, odd->from, odd->nfrom, host) || is_among(page, odd->to, odd->nto, host);
}

static const struct fleet_group *group_about(const struct mesh_page *page, const struct mesh_odd *odd,
                                             const struct fleet_finding *finding)
{
    for (size_t g = 0; g < finding->ngroups; g++)
        for (size_t m = 0; finding->groups[g].odd && m < finding->groups[g].count; m++)
            if (is_about(page, odd, page->facts->hosts[finding->groups[g].members[m]]->name))
                return &finding->groups[g];
    return NULL;
}

/* What the facts of the hosts involved say; returns how many there are. */
static size_t facts_of(const struct mesh_page *page, const struct mesh_odd *odd, struct arena *arena,
                       const char *facts[static MESH_FACTS_MOST])
{
    size_t count = 0;
    for (size_t f = 0; page->facts && count < MESH_FACTS_MOST && f < page->facts->nfindings; f++) {
        const struct fleet_finding *finding = &page->facts->findings[f];
        const struct fleet_group *group = finding->verdict >= VERDICT_WARN ? group_about(page, odd, finding)
                                                                           : NULL;
        if (group)
            facts[count++] = arena_printf(arena, "%s%s%s of %s is %s, unlike the others': %s", finding->key,
                                          finding->subject ? " of " : "",
                                          finding->subject ? finding->subject : "", group->hosts, group->value,
                                          packed_line(finding->rule->why));
    }
    return count;
}

/* -- tables -------------------------------------------------------------------------------------------- */

static enum mesh_measure measure_of(const struct mesh_matrix *m)
{
    for (size_t i = 0; i < m->nknown; i++)
        if (m->known[i]->gbits > 0)
            return MESH_BANDWIDTH;
    return MESH_LATENCY;
}

void mesh_cell_text(const struct mesh_matrix *m, size_t from, size_t to, char text[static 16])
{
    const struct mesh_cell *cell = m->cells[from * m->count + to];
    double value = mesh_value(cell, m->measure);
    if (from == to)
        snprintf(text, 16, "\\");
    else if (!cell)
        snprintf(text, 16, ".");
    else if (cell->state == CELL_FAILED)
        snprintf(text, 16, "FAIL");
    else if (cell->state == CELL_UNREACHABLE)
        snprintf(text, 16, "gone");
    else if (cell->state == CELL_SKIPPED || value <= 0)
        snprintf(text, 16, "?");
    else
        snprintf(text, 16, "%.*f%s", value < 10 ? 2 : value < 100 ? 1 : 0, value, cell->bad_paths ? "!" : "");
}

const char *mesh_host_at(const struct mesh_matrix *m, size_t place)
{
    return m->page->peers->items[m->members[place]].host;
}

void mesh_choose(struct mesh_matrix *m, size_t most)
{
    const struct mesh_peer *peers = m->page->peers->items;
    size_t *shown = mem_alloc(m->n + 1, sizeof(*shown)); /* from 1 */
    for (size_t i = 0; i < m->n && m->count < most; i++)
        if (m->n <= most || m->about[m->members[i]]) {
            m->places[m->count++] = i;
            shown[i] = m->count;
        }
    m->cells = mem_alloc(m->count * m->count + 1, sizeof(*m->cells));
    for (size_t i = 0; i < m->nknown && m->count; i++) {
        const struct mesh_cell *cell = m->known[i];
        size_t from = shown[peers[cell->from].place], to = shown[peers[cell->to].place];
        if (from && to)
            m->cells[(from - 1) * m->count + to - 1] = cell;
    }
    free(shown);
}

/* By peer: is some finding about it? */
static bool *peers_in_findings(const struct mesh_page *page)
{
    bool *about = mem_alloc(page->peers->count + 1, sizeof(*about));
    for (size_t o = 0; o < page->verdicts->nodd; o++) {
        const struct mesh_odd *odd = &page->verdicts->odd[o];
        for (size_t i = 0; i < odd->nfrom; i++)
            about[odd->from[i]] = true;
        for (size_t i = 0; i < odd->nto; i++)
            about[odd->to[i]] = true;
    }
    return about;
}

void mesh_for_each_matrix(const struct mesh_page *page, void (*show)(struct mesh_matrix *m, void *data),
                          void *data)
{
    struct mesh_split split = mesh_split(page->peers, page->results->cells, page->results->ncells,
                                         page->results->arena);
    bool *about = peers_in_findings(page);
    for (size_t i = 0; i < page->peers->count; i++) {
        const struct mesh_peer *peer = &page->peers->items[i];
        if (peer->place != 0)
            continue;
        struct mesh_matrix m = { .page = page,
                                 .rail = page->peers->all_rails ? "all rails" : peer->rail,
                                 .members = page->peers->members + peer->first,
                                 .n = peer->together,
                                 .about = about,
                                 .known = split.cells + split.starts[peer->first],
                                 .nknown = split.starts[peer->first + 1] - split.starts[peer->first],
                                 .places = mem_alloc(peer->together + (size_t)1, sizeof(*m.places)) };
        m.measure = measure_of(&m);
        show(&m, data);
        free(m.places);
        free(m.cells);
    }
    free(about);
}

/* -- for a person -------------------------------------------------------------------------------------- */

/* "49153, 50211"; NULL if none is known. */
static const char *ports_text(const struct mesh_cell *cell, struct arena *arena)
{
    const char *text = NULL;
    for (unsigned i = 0; i < cell->bad_paths && i < CELL_PORTS_MOST; i++)
        if (cell->ports[i])
            text = arena_printf(arena, "%s%s%u", text ? text : "", text ? ", " : "", cell->ports[i]);
    return text;
}

const char *mesh_counted_text(struct num retransmissions, struct num cnps, struct arena *arena)
{
    const char *again = retransmissions.value
                            ? arena_printf(arena, "%" PRIu64 " sent again", retransmissions.value)
                            : NULL;
    return cnps.value ? arena_printf(arena, "%s%s%" PRIu64 " congestion notifications (CNPs)",
                                     again ? again : "", again ? ", " : "", cnps.value)
                      : again;
}

size_t mesh_odd_lines(const struct mesh_page *page, const struct mesh_odd *odd, struct arena *arena,
                      struct mesh_line lines[static MESH_LINES_MOST])
{
    static const struct mesh_cell none = { 0 };
    const struct mesh_cell *cell = odd->cell && odd->failed ? odd->cell : &none;
    const char *facts[MESH_FACTS_MOST];
    const struct mesh_line all[] = { { "found", cell->what },
                                     { "ports", odd->kind == ODD_PATHS ? ports_text(cell, arena) : NULL },
                                     { "likely", cell->likely },
                                     { "counted", mesh_counted_text(odd->retransmissions, odd->cnps, arena) } };
    size_t count = 0, nfacts = facts_of(page, odd, arena, facts);
    for (size_t i = 0; i < ARRAY_SIZE(all); i++)
        if (all[i].text)
            lines[count++] = all[i];
    for (size_t i = 0; i < nfacts; i++)
        lines[count++] = (struct mesh_line){ i ? "" : "facts", facts[i] };
    return count;
}

static void print_odd(const struct mesh_page *page, const struct mesh_odd *odd, struct arena *arena)
{
    enum verdict verdict = odd->failed ? VERDICT_FAIL : VERDICT_WARN;
    char *text = mesh_odd_text(page, odd);
    size_t width = page->look->width;
    putchar('\n');
    printf("%s%s%s ", tone_start(verdict_tone(verdict), page->look->color), odd->failed ? "FAIL" : "WARN",
           tone_end(verdict_tone(verdict), page->look->color));
    line_print(width > 5 ? width - 5 : width, 2, "%s", text);
    free(text);
    struct mesh_line lines[MESH_LINES_MOST];
    size_t count = mesh_odd_lines(page, odd, arena, lines);
    for (size_t i = 0; i < count; i++)
        block_print(lines[i].label, LABEL - 1, lines[i].text, width);
}

/* Rows send, columns receive. Of more than ROWS_MOST only those that findings are about are shown. */
static void print_matrix(struct mesh_matrix *m, void *data)
{
    (void)data;
    mesh_choose(m, ROWS_MOST);
    if (!m->count)
        return;
    struct table *table = table_new(m->count + 1, m->count + 1);
    for (size_t i = 0; i < m->count; i++) {
        table->columns[i + 1].right = true;
        table_set_text(table, 0, i + 1, mesh_host_at(m, m->places[i]), TONE_BOLD);
        table_set_text(table, i + 1, 0, mesh_host_at(m, m->places[i]), TONE_BOLD);
        for (size_t j = 0; j < m->count; j++) {
            char text[16];
            mesh_cell_text(m, i, j, text);
            bool failed = strcmp(text, "FAIL") == 0 || strcmp(text, "gone") == 0;
            table_set_text(table, i + 1, j + 1, text, failed ? verdict_tone(VERDICT_FAIL) : TONE_PLAIN);
        }
    }
    printf("\n%s: %s, from the row's host to the column's%s\n", m->rail,
           m->measure == MESH_BANDWIDTH ? "Gb/s" : "latency in us",
           m->count < m->n ? "; only hosts of findings" : "");
    table_print_matrix(table, m->page->look->color, m->page->look->width);
    table_free(table);
}

char *mesh_summary_text(const struct mesh_page *page)
{
    const struct mesh_verdicts *v = page->verdicts;
    struct bytes out = { 0 };
    bytes_printf(&out, "%zu hosts, %zu ports: %zu directions measured", page->peers->nhosts, page->peers->count,
                 v->counts[CELL_GOOD]);
    if (page->peers->rounds < page->peers->rounds_of)
        bytes_printf(&out, " (a sample: %zu of %zu rounds)", page->peers->rounds, page->peers->rounds_of);
    if (v->counts[CELL_FAILED])
        bytes_printf(&out, ", %zu failed", v->counts[CELL_FAILED]);
    if (v->counts[CELL_UNREACHABLE])
        bytes_printf(&out, ", %zu unreachable", v->counts[CELL_UNREACHABLE]);
    if (v->counts[CELL_SKIPPED] + v->missing)
        bytes_printf(&out, ", %zu not tried", v->counts[CELL_SKIPPED] + v->missing);
    bool judged = v->judged[MESH_BANDWIDTH] || v->judged[MESH_LATENCY];
    if (v->nodd)
        bytes_printf(&out, ": %zu %s", v->nodd, v->nodd == 1 ? "finding" : "findings");
    else
        bytes_printf(&out, ": %s",
                     v->counts[CELL_GOOD] == 0 ? "nothing can be said"
                     : judged                  ? "nothing odd"
                                               : "all that were tried work; too few to tell which is slow");
    return out.data;
}

void mesh_print(const struct mesh_page *page)
{
    struct arena *arena = arena_new();
    char *summary = mesh_summary_text(page);
    puts(summary);
    free(summary);
    mesh_for_each_matrix(page, print_matrix, NULL);
    for (size_t i = 0; i < page->verdicts->nodd; i++)
        print_odd(page, &page->verdicts->odd[i], arena);
    arena_free(arena);
}

/* -- for a program ------------------------------------------------------------------------------------- */

static void put_peers(json_t *odd, const char *key, const struct mesh_page *page, const uint32_t *members,
                      size_t count)
{
    json_t *array = json_add_array(odd, key);
    for (size_t i = 0; i < count; i++) {
        const struct mesh_peer *peer = &page->peers->items[members[i]];
        json_t *object = json_push_object(array);
        json_put_text(object, "host", peer->host);
        json_put_text(object, "address", peer->address);
        json_put_text(object, "device", peer->device);
        json_put_text(object, "rail_name", peer->rail);
    }
}

static void put_odd(json_t *array, const struct mesh_page *page, const struct mesh_odd *odd,
                    struct arena *arena)
{
    static const char *const kinds[] = { "dead",     "unheard", "left", "late",  "peer",   "sender",
                                         "receiver", "groups",  "pair", "paths", "version" };
    json_t *object = json_push_object(array);
    const char *texts[MESH_FACTS_MOST];
    char *text = mesh_odd_text(page, odd);
    json_put_text(object, "kind", WORD_AT(kinds, odd->kind));
    json_put_text(object, "verdict", verdict_name(odd->failed ? VERDICT_FAIL : VERDICT_WARN));
    json_put_text(object, "text", text);
    json_put_text(object, "measure",
                  odd->failed || odd->kind == ODD_LATE || odd->kind == ODD_VERSION ? NULL
                  : odd->measure == MESH_BANDWIDTH                                 ? "bandwidth"
                                                                                   : "latency");
    put_peers(object, "from_ports", page, odd->from, odd->nfrom);
    put_peers(object, "to_ports", page, odd->to, odd->nto);
    json_put_bool(object, "both_ways", odd->both || odd->kind == ODD_PEER);
    json_put_unsigned(object, "bad", odd->cells);
    json_put_unsigned(object, "tried", odd->tried);
    json_put_real(object, "measured_value", odd->found);
    json_put_real(object, "usual_value", odd->expected);
    json_put_num(object, "retransmission_count", odd->retransmissions);
    json_put_num(object, "cnp_count", odd->cnps);
    json_put_text(object, "what", odd->cell && odd->failed ? odd->cell->what : NULL);
    json_put_text(object, "likely", odd->cell && odd->failed ? odd->cell->likely : NULL);
    json_t *ports = json_add_array(object, "source_ports");
    for (unsigned i = 0; odd->kind == ODD_PATHS && i < odd->cell->bad_paths; i++)
        if (odd->cell->ports[i])
            json_array_append_new(ports, json_integer(odd->cell->ports[i]));
    json_object_set_new(object, "facts", json_texts(texts, facts_of(page, odd, arena, texts)));
    free(text);
}

static void put_cell(json_t *array, const struct mesh_page *page, const struct mesh_cell *cell)
{
    const struct mesh_peer *from = &page->peers->items[cell->from], *to = &page->peers->items[cell->to];
    json_t *object = json_push_object(array);
    json_put_text(object, "from_host", from->host);
    json_put_text(object, "from", from->address);
    json_put_text(object, "to_host", to->host);
    json_put_text(object, "to", to->address);
    json_put_text(object, "outcome", cell_state_word(cell->state));
    json_put_real(object, "gbits", cell->gbits);
    json_put_real(object, "latency_us", cell->latency);
    json_put_num(object, "retransmission_count", num_wide(cell->retransmissions));
    json_put_num(object, "cnp_count", num_wide(cell->cnps));
    json_put_text(object, "what", cell->what);
}

static void put_summary(json_t *top, const struct mesh_page *page)
{
    const struct mesh_verdicts *v = page->verdicts;
    json_t *summary = json_add_object(top, "summary");
    json_put_unsigned(summary, "nhosts", page->peers->nhosts);
    json_put_unsigned(summary, "nports", page->peers->count);
    json_put_unsigned(summary, "rounds", page->results->rounds);
    json_put_unsigned(summary, "measured", v->counts[CELL_GOOD]);
    json_put_unsigned(summary, "failed", v->counts[CELL_FAILED]);
    json_put_unsigned(summary, "unreachable", v->counts[CELL_UNREACHABLE]);
    json_put_unsigned(summary, "not_tried", v->counts[CELL_SKIPPED] + v->missing);
    json_put_unsigned(summary, "bandwidths_judged", v->judged[MESH_BANDWIDTH]);
    json_put_unsigned(summary, "latencies_judged", v->judged[MESH_LATENCY]);
}

void mesh_print_json(const struct mesh_page *page)
{
    struct arena *arena = arena_new();
    json_t *top = json_envelope(NULL);
    put_summary(top, page);
    json_t *odd = json_add_array(top, "findings");
    for (size_t i = 0; i < page->verdicts->nodd; i++)
        put_odd(odd, page, &page->verdicts->odd[i], arena);
    json_t *cells = json_add_array(top, "cells");
    for (size_t i = 0; i < page->results->ncells; i++)
        put_cell(cells, page, &page->results->cells[i]);
    refused_put(top, page->refused, page->nrefused);
    json_print(top);
    arena_free(arena);
}
