/* SPDX-License-Identifier: MIT */
/* Writes what a host has found to a file for mesh report. */
#include "command/mesh/mesh.h"
#include "source/recording/recording.h"
#include "view/json.h"

static json_t *paths_json(const struct mesh_cell *cell)
{
    json_t *object = json_object();
    json_put_unsigned(object, "tried", cell->paths);
    json_put_unsigned(object, "bad", cell->bad_paths);
    json_t *ports = json_add_array(object, "bad_ports");
    for (unsigned i = 0; i < cell->bad_paths; i++)
        json_array_append_new(ports, json_integer(cell->ports[i]));
    json_put_text(object, "what", cell->bad_paths ? cell->what : NULL);
    return object;
}

static void put_cell(json_t *array, const struct play *play, size_t round, const struct mesh_cell *cell)
{
    const struct peers *peers = play->spec->peers;
    json_t *object = json_push_object(array);
    json_put_unsigned(object, "round", round);
    json_put_text(object, "from", peers->items[cell->from].address);
    json_put_text(object, "to", peers->items[cell->to].address);
    json_put_text(object, "outcome", cell_state_word(cell->state));
    json_put_real(object, "gbits", cell->gbits);
    json_put_real(object, "latency_us", cell->latency);
    json_put_num(object, "retransmission_count", num_wide(cell->retransmissions));
    json_put_num(object, "cnp_count", num_wide(cell->cnps));
    json_put_text(object, "step", cell->step);
    json_put_text(object, "what", cell->bad_paths ? NULL : cell->what);
    json_put_text(object, "likely", cell->likely);
    json_object_set_new(object, "path_check", cell->paths ? paths_json(cell) : json_null());
}

static void put_port(json_t *array, const struct play *play, const struct player *player)
{
    const struct mesh_peer *peer = &play->spec->peers->items[player->peer];
    json_t *object = json_push_object(array);
    json_put_text(object, "address", peer->address);
    json_put_text(object, "device", player->gids[0].gid.device);
    json_put_text(object, "rail_name", peer->rail);
    json_put_real(object, "rate_gbits", player->rate);
    json_t *served = json_add_array(object, "served");
    for (size_t round = 0; round < play->spec->rounds; round++)
        if (player->served[round])
            json_array_append_new(served, json_integer((json_int_t)round));
}

static json_t *results_json(const struct play *play)
{
    json_t *top = json_envelope(NULL), *mesh = json_add_object(top, "mesh"),
           *ports = json_add_array(top, "ports"), *cells = json_add_array(top, "cells");
    char stamp[16];
    snprintf(stamp, sizeof(stamp), "%08x", play->spec->peers->stamp);
    json_put_text(mesh, "host", play->host);
    json_put_text(mesh, "stamp", stamp);
    json_put_unsigned(mesh, "rounds", play->spec->rounds);
    json_put_bool(mesh, "finished", play->finished);
    for (size_t i = 0; i < play->nplayers; i++) {
        const struct player *player = play->players[i];
        put_port(ports, play, player);
        for (size_t round = 0; round < play->spec->rounds; round++)
            if (player->cells[round].state != CELL_NONE)
                put_cell(cells, play, round, &player->cells[round]);
    }
    return top;
}

int play_write(struct play *play)
{
    json_t *top = results_json(play);
    char *name = mesh_results_name(play->host), *path = mem_printf("%s/%s", play->spec->directory, name);
    struct bytes text = { .data = json_dumps(top, JSON_INDENT(1) | json_flags()) };
    text.len = text.data ? strlen(text.data) : 0;
    int r = text.data ? file_replace(path, &text) : -ENOMEM;
    free(name);
    free(path);
    bytes_free(&text);
    json_decref(top);
    return r;
}
