/* SPDX-License-Identifier: MIT */
/* The cells of one rail as a matrix, for text and for pages. */
#include "view/comparison.h"

static struct mesh_matrix matrix_make(const struct mesh_page *page, const struct mesh_peer *first)
{
    struct mesh_matrix m = { .page = page,
                             .members = page->peers->members + first->first,
                             .n = first->together };
    m.cells = mem_alloc(m.n * m.n + 1, sizeof(*m.cells));
    size_t bandwidths = 0;
    for (size_t i = 0; i < page->results->ncells; i++) {
        const struct mesh_cell *cell = &page->results->cells[i];
        const struct mesh_peer *from = &page->peers->items[cell->from], *to = &page->peers->items[cell->to];
        if (from->first != first->first || to->first != first->first)
            continue;
        m.cells[from->place * m.n + to->place] = cell;
        bandwidths += cell->gbits > 0;
    }
    m.measure = bandwidths ? MESH_BANDWIDTH : MESH_LATENCY;
    return m;
}

void mesh_cell_text(const struct mesh_matrix *m, size_t from, size_t to, char text[static 16])
{
    const struct mesh_cell *cell = m->cells[from * m->n + to];
    double value = cell ? m->measure == MESH_BANDWIDTH ? cell->gbits : cell->latency : 0;
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

size_t mesh_choose_odd(const struct mesh_matrix *m, size_t *places)
{
    const struct mesh_verdicts *v = m->page->verdicts;
    size_t count = 0;
    for (size_t i = 0; i < m->n; i++) {
        bool in = false;
        for (size_t o = 0; o < v->nodd && !in; o++) {
            for (size_t j = 0; j < v->odd[o].nfrom; j++)
                in |= v->odd[o].from[j] == m->members[i];
            for (size_t j = 0; j < v->odd[o].nto; j++)
                in |= v->odd[o].to[j] == m->members[i];
        }
        if (in)
            places[count++] = i;
    }
    return count;
}

void mesh_for_each_matrix(const struct mesh_page *page, void (*show)(const struct mesh_matrix *m, void *data),
                          void *data)
{
    for (size_t i = 0; i < page->peers->count; i++) {
        const struct mesh_peer *peer = &page->peers->items[i];
        if (peer->place != 0)
            continue;
        struct mesh_matrix m = matrix_make(page, peer);
        show(&m, data);
        free(m.cells);
    }
}
