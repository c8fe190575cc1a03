/* SPDX-License-Identifier: MIT */
/* What hosts found in a mesh, read from the files that they wrote. */
#include "fleet/mesh/mesh.h"

#include <jansson.h>
#include <math.h>

static const char *const states[] = { [CELL_NONE] = "none",
                                      [CELL_GOOD] = "measured",
                                      [CELL_FAILED] = "failed",
                                      [CELL_UNREACHABLE] = "unreachable",
                                      [CELL_SKIPPED] = "skipped" };

static const double GBITS_MOST = 1e5, MICROSECONDS_MOST = 1e9;

const char *cell_state_word(enum cell_state state)
{
    return WORD_AT(states, state);
}

struct mesh_results mesh_results_new(const struct peers *peers, struct arena *arena)
{
    return (struct mesh_results){ .arena = arena,
                                  .peers = peers,
                                  .rates = arena_alloc(arena, peers->count, sizeof(double)),
                                  .heard = arena_alloc(arena, peers->count, sizeof(struct mesh_heard)),
                                  .served = arena_alloc(arena, peers->count, sizeof(bool *)) };
}

char *mesh_results_name(const char *host)
{
    char *name = mem_printf("%s.mesh.json", host);
    for (char *c = name; *c; c++)
        if (*c == '/' || (c == name && *c == '.'))
            *c = '_';
    return name;
}

/* A number in (0, most]; otherwise 0, not known. */
static double number_of(const json_t *object, const char *key, double most)
{
    double number = json_number_value(json_object_get(object, key));
    return number > 0 && number <= most && isfinite(number) ? number : 0;
}

static unsigned count_of(const json_t *object, const char *key, unsigned most)
{
    json_int_t number = json_integer_value(json_object_get(object, key));
    return number > 0 && number <= most ? (unsigned)number : 0;
}

static struct num32 number32_of(const json_t *object, const char *key)
{
    const json_t *number = json_object_get(object, key);
    json_int_t value = json_integer_value(number);
    return json_is_integer(number) && value >= 0 && value <= UINT32_MAX ? num32_of((uint32_t)value)
                                                                        : (struct num32){ 0 };
}

static const char *text_of(struct mesh_results *results, const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text && *text ? text_clean_copy(results->arena, text, CELL_TEXT_SIZE - 1) : NULL;
}

static enum cell_state state_of(const json_t *object)
{
    const char *word = json_string_value(json_object_get(object, "outcome"));
    for (enum cell_state state = CELL_GOOD; state < CELL_STATES; state++)
        if (text_is(word, states[state]))
            return state;
    return CELL_NONE;
}

static void take_paths(struct mesh_results *results, const json_t *paths, struct mesh_cell *cell)
{
    const json_t *ports = json_object_get(paths, "bad_ports");
    cell->paths = count_of(paths, "tried", CELL_PORTS_MOST);
    cell->bad_paths = count_of(paths, "bad", cell->paths);
    for (size_t i = 0; i < cell->bad_paths && i < json_array_size(ports); i++) {
        json_int_t port = json_integer_value(json_array_get(ports, i));
        cell->ports[i] = port > 0 && port < 65536 ? (uint16_t)port : 0;
    }
    if (cell->bad_paths)
        cell->what = text_of(results, paths, "what");
}

/* The peer with that address, which is mostly the guess. */
static int peer_like(const struct mesh_results *results, const json_t *object, const char *key, int guess)
{
    const char *address = json_string_value(json_object_get(object, key));
    if (guess >= 0 && text_is(address, results->peers->items[guess].address))
        return guess;
    return address ? peers_find(results->peers, address) : PEERS_NOBODY;
}

/* last: the peer that sent in the cell before. */
static bool take_cell(struct mesh_results *results, const json_t *object, const char *host, int *last)
{
    size_t rounds = results->peers->rounds, round = count_of(object, "round", (unsigned)rounds);
    int from = *last = peer_like(results, object, "from", *last);
    int to = from < 0 ? PEERS_NOBODY
                      : peer_like(results, object, "to", peers_partner(results->peers, (size_t)from, round));
    struct mesh_cell cell = { .state = state_of(object) };
    if (from < 0 || to < 0 || cell.state == CELL_NONE)
        return false;
    cell.from = (uint32_t)from;
    cell.to = (uint32_t)to;
    if (strcmp(results->peers->items[from].host, host) != 0 || !peers_try(results->peers, cell.from, cell.to))
        return false;
    struct mesh_heard *heard = &results->heard[from];
    if (round + 1 > heard->last)
        heard->last = round + 1;
    if (cell.state != CELL_SKIPPED && (!heard->first || round + 1 < heard->first))
        heard->first = round + 1;
    cell.gbits = number_of(object, "gbits", GBITS_MOST);
    cell.latency = number_of(object, "latency_us", MICROSECONDS_MOST);
    cell.retransmissions = number32_of(object, "retransmission_count");
    cell.cnps = number32_of(object, "cnp_count");
    cell.step = text_of(results, object, "step");
    cell.what = text_of(results, object, "what");
    cell.likely = text_of(results, object, "likely");
    take_paths(results, json_object_get(object, "path_check"), &cell);
    *ARENA_PUSH_MANY(results->arena, results->cells, results->ncells) = cell;
    return true;
}

static bool take_port(struct mesh_results *results, const json_t *object, const char *host, bool finished,
                      const char *version)
{
    int peer = peer_like(results, object, "address", PEERS_NOBODY);
    const json_t *served = json_object_get(object, "served");
    size_t rounds = results->peers->rounds;
    if (peer < 0 || strcmp(results->peers->items[peer].host, host) != 0)
        return false;
    results->heard[peer].told = true;
    results->heard[peer].finished |= finished;
    results->heard[peer].version = version;
    results->rates[peer] = number_of(object, "rate_gbits", GBITS_MOST);
    if (results->served && !results->served[peer])
        results->served[peer] = arena_alloc(results->arena, rounds + 1, sizeof(bool));
    for (size_t i = 0; results->served && i < json_array_size(served); i++) {
        json_int_t round = json_integer_value(json_array_get(served, i));
        if (round >= 0 && (size_t)round < rounds)
            results->served[peer][round] = true;
    }
    return true;
}

static int take_file(struct mesh_results *results, const json_t *top, const char **what)
{
    const json_t *mesh = json_object_get(top, "mesh"), *ports = json_object_get(top, "ports"),
                 *cells = json_object_get(top, "cells");
    const char *host = json_string_value(json_object_get(mesh, "host")),
               *stamp = json_string_value(json_object_get(mesh, "stamp"));
    bool finished = json_is_true(json_object_get(mesh, "finished"));
    const char *version = text_of(results, top, "roce");
    char own[16];
    int last = PEERS_NOBODY;
    snprintf(own, sizeof(own), "%08x", results->peers->stamp);
    *what = "these are no results that 'roce mesh run' wrote";
    if (json_integer_value(json_object_get(top, "version")) != 1 || !host || !json_is_array(ports) ||
        !json_is_array(cells))
        return -EINVAL;
    *what = "with it there are more results than a report can hold";
    if (json_array_size(cells) > RESULTS_CELLS_MOST - results->ncells)
        return -E2BIG;
    *what = "they are of another list of peers";
    if (!text_is(stamp, own))
        return -ESTALE;
    *what = "it says that it is of another host than its name";
    char *name = mesh_results_name(host);
    bool named = !results->file || strcmp(results->file, name) == 0;
    free(name);
    if (!named)
        return -EINVAL;
    *what = "'ports' has something in it that is none of the host's peers";
    for (size_t i = 0; i < json_array_size(ports); i++)
        if (!take_port(results, json_array_get(ports, i), host, finished, version))
            return -EINVAL;
    *what = "'cells' has something in it that the list of peers has no pair for";
    for (size_t i = 0; i < json_array_size(cells); i++)
        if (!take_cell(results, json_array_get(cells, i), host, &last))
            return -EINVAL;
    unsigned rounds = count_of(mesh, "rounds", (unsigned)results->peers->rounds);
    results->rounds = rounds > results->rounds ? rounds : results->rounds;
    return 0;
}

int mesh_results_add(struct mesh_results *results, const char *text, size_t len, const char **what)
{
    json_error_t error;
    *what = "it is too large";
    if (len > RESULTS_FILE_MOST)
        return -EINVAL;
    json_t *top = json_loadb(text, len, JSON_REJECT_DUPLICATES, &error);
    if (!top)
        *what = arena_printf(results->arena, "line %d: not valid JSON: %s", error.line, error.text);
    int r = top ? take_file(results, top, what) : -EINVAL;
    json_decref(top);
    return r;
}

/* A cell's place in the order of directions, and of reports of one. */
struct order {
    uint64_t direction;
    size_t cell;
};

static int compare_order(const void *one, const void *other)
{
    const struct order *a = one, *b = other;
    int r = number_order(a->direction, b->direction);
    return r ? r : number_order(a->cell, b->cell);
}

void mesh_results_settle(struct mesh_results *results)
{
    size_t n = results->ncells, kept = 0;
    struct order *order = mem_alloc(n + 1, sizeof(*order));
    struct mesh_cell *cells = arena_alloc(results->arena, n + 1, sizeof(*cells));
    for (size_t i = 0; i < n; i++)
        order[i] = (struct order){ (uint64_t)results->cells[i].from << 32 | results->cells[i].to, i };
    qsort(order, n, sizeof(*order), compare_order);
    for (size_t i = 0; i < n; i++) {
        kept -= i && order[i].direction == order[i - 1].direction;
        cells[kept++] = results->cells[order[i].cell];
    }
    free(order);
    results->cells = cells;
    results->ncells = kept;
}
