/* SPDX-License-Identifier: MIT */
#include "command/mesh/play.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/say.h"
#include "command/mesh/player.h"
#include "command/near.h"
#include "selftest/peer/privilege.h"
#include "view/json.h"

/* PLACES: of clients at a time, besides two a peer: strangers take some. PER_ADDRESS: a partner that is told
 * "not yet" calls often, see limits.h. */
enum { PLACES = 16, PER_ADDRESS = 16, IDLE_MS = 10000, TEST_MS = 120000, SESSION_MS = 300000 };

/* -- results ------------------------------------------------------------------------------------------- */

static json_t *paths_json(const struct mesh_cell *cell)
{
    json_t *object = json_object(), *ports = json_array();
    json_put_unsigned(object, "tried", cell->paths);
    json_put_unsigned(object, "bad", cell->bad_paths);
    for (unsigned i = 0; i < cell->bad_paths; i++)
        json_array_append_new(ports, json_integer(cell->ports[i]));
    json_object_set_new(object, "ports", ports);
    json_put_text(object, "what", cell->bad_paths ? cell->what : NULL);
    return object;
}

static json_t *number_json(double number)
{
    return number > 0 ? json_real(number) : json_null();
}

static json_t *cell_json(const struct play *play, size_t round, const struct mesh_cell *cell)
{
    const struct peers *peers = play->spec->peers;
    json_t *object = json_object();
    json_put_unsigned(object, "round", round);
    json_put_text(object, "from", peers->items[cell->from].address);
    json_put_text(object, "to", peers->items[cell->to].address);
    json_put_text(object, "outcome", cell_state_word(cell->state));
    json_object_set_new(object, "gbits", number_json(cell->gbits));
    json_object_set_new(object, "latency_us", number_json(cell->latency));
    json_put_text(object, "step", cell->step);
    json_put_text(object, "what", cell->bad_paths ? NULL : cell->what);
    json_put_text(object, "likely", cell->likely);
    json_object_set_new(object, "paths", cell->paths ? paths_json(cell) : json_null());
    return object;
}

static json_t *port_json(const struct play *play, const struct player *player)
{
    const struct mesh_peer *peer = &play->spec->peers->items[player->peer];
    json_t *object = json_object(), *served = json_array();
    json_put_text(object, "address", peer->address);
    json_put_text(object, "device", player->gids[0].gid.device);
    json_put_text(object, "rail", peer->rail);
    json_object_set_new(object, "rate_gbits", number_json(player->rate));
    for (size_t round = 0; round < play->spec->rounds; round++)
        if (player->served[round])
            json_array_append_new(served, json_integer((json_int_t)round));
    json_object_set_new(object, "served", served);
    return object;
}

static json_t *results_json(const struct play *play)
{
    json_t *top = json_envelope(NULL), *mesh = json_object(), *ports = json_array(), *cells = json_array();
    char stamp[16];
    snprintf(stamp, sizeof(stamp), "%08x", play->spec->peers->stamp);
    json_put_text(mesh, "host", play->host);
    json_put_text(mesh, "stamp", stamp);
    json_put_unsigned(mesh, "rounds", play->spec->rounds);
    json_put_bool(mesh, "finished", play->finished);
    json_object_set_new(top, "mesh", mesh);
    for (size_t i = 0; i < play->nplayers; i++) {
        const struct player *player = play->players[i];
        json_array_append_new(ports, port_json(play, player));
        for (size_t round = 0; round < play->spec->rounds; round++)
            if (player->cells[round].state != CELL_NONE)
                json_array_append_new(cells, cell_json(play, round, &player->cells[round]));
    }
    json_object_set_new(top, "ports", ports);
    json_object_set_new(top, "cells", cells);
    return top;
}

/* Written beside its place, then put there: whoever reads it sees a whole one. */
static int write_whole(int directory, const char *name, const char *text, size_t len)
{
    char *beside = mem_printf(".%s.new", name);
    int fd = openat(directory, beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0644);
    int r = fd < 0 ? -errno : 0;
    for (size_t done = 0; r == 0 && done < len;) {
        ssize_t n = write(fd, text + done, len - done);
        if (n < 0 && errno != EINTR)
            r = -errno;
        done += n > 0 ? (size_t)n : 0;
    }
    if (fd >= 0 && close(fd) < 0 && r == 0)
        r = -errno;
    if (r == 0 && renameat(directory, beside, directory, name) < 0)
        r = -errno;
    if (r < 0 && fd >= 0)
        unlinkat(directory, beside, 0);
    free(beside);
    return r;
}

/* A host's name in the list may be any word. */
static char *file_name(const char *host)
{
    char *name = mem_printf("%s.mesh.json", host);
    for (char *c = name; *c; c++)
        if (*c == '/' || (c == name && *c == '.'))
            *c = '_';
    return name;
}

int play_write(struct play *play)
{
    json_t *top = results_json(play);
    char *text = json_dumps(top, JSON_INDENT(1) | json_flags()), *name = file_name(play->host);
    int r = text ? write_whole(play->spec->directory, name, text, strlen(text)) : -ENOMEM;
    free(name);
    free(text);
    json_decref(top);
    return r;
}

/* -- this host's peers --------------------------------------------------------------------------------- */

static double rate_of(const struct host *host, const struct wire_gid *gid)
{
    const struct device *device = host_find_device(host, gid->device);
    const struct port *port = device ? device_port(device, gid->port) : NULL;
    return port && port->rate_mbps.known ? (double)port->rate_mbps.value / 1000 : 0;
}

static void add_player(struct play *play, uint32_t peer, const struct near_gid *gids, size_t ngids)
{
    struct player *player = mem_alloc(1, sizeof(*player));
    player->play = play;
    player->peer = peer;
    player->number = play->nplayers;
    memcpy(player->gids, gids, ngids * sizeof(*gids));
    player->ngids = ngids;
    player->rate = rate_of(play->spec->context->host, &gids[0].gid);
    player->cells = mem_alloc(play->spec->rounds + 1, sizeof(*player->cells));
    player->served = mem_alloc(play->spec->rounds + 1, sizeof(*player->served));
    play->players = mem_resize(play->players, play->nplayers + 1, sizeof(struct player *));
    play->players[play->nplayers++] = player;
    player_recall(player);
}

/* By its addresses: those of the list that a port here has. */
static int find_self(struct play *play)
{
    const struct peers *peers = play->spec->peers;
    struct near_gid *all = mem_alloc(CLIENT_GIDS_MOST, sizeof(*all)),
                    *own = mem_alloc(CLIENT_GIDS_MOST, sizeof(*own));
    size_t count = near_gids(play->spec->context->host, all, CLIENT_GIDS_MOST);
    for (uint32_t peer = 0; peer < peers->count && play->nplayers < SERVER_ADDRESSES_MOST; peer++) {
        size_t nown = 0;
        for (size_t i = 0; i < count; i++)
            if (all[i].active && memcmp(all[i].gid.raw, peers->items[peer].raw, 16) == 0)
                own[nown++] = all[i];
        if (nown)
            add_player(play, peer, own, nown);
    }
    free(all);
    free(own);
    if (play->nplayers == 0) {
        say_error("none of the list's addresses is one of an active RoCE or iWARP port of this host");
        return -EADDRNOTAVAIL;
    }
    play->host = peers->items[play->players[0]->peer].host;
    for (size_t i = 1; i < play->nplayers; i++)
        if (strcmp(peers->items[play->players[i]->peer].host, play->host) != 0) {
            say_error("the list calls this host both '%s' and '%s'", play->host,
                      peers->items[play->players[i]->peer].host);
            return -EINVAL;
        }
    return 0;
}

/* -- answering ----------------------------------------------------------------------------------------- */

static int admits(void *data, const struct wire_hello *hello, const char **why)
{
    struct play *play = data;
    struct mesh_call call;
    *why = "a mesh is run here, and no 'roce serve'";
    if (!mesh_call_parse(hello->program, &call))
        return TURN_STRANGER;
    return turns_answer(&play->turns, &call, wait_now(), why);
}

static void log_session(void *data, const char *client, const struct session_report *ended)
{
    struct play *play = data;
    struct mesh_call call;
    (void)client;
    if (ended && mesh_call_parse(ended->program, &call))
        turns_ended(&play->turns, &call, wait_now());
}

static int open_server(struct play *play)
{
    struct server_spec spec = { .found = true,
                                .max_clients = PLACES + 2 * (unsigned)play->nplayers,
                                .per_address = PER_ADDRESS,
                                .admits = admits,
                                .log = log_session,
                                .data = play,
                                .host = { .offer = hosting_offer,
                                          .counters = hosting_counters,
                                          .give_back = hosting_give_back,
                                          .data = &play->hosting,
                                          .idle_ms = IDLE_MS,
                                          .test_ms = TEST_MS,
                                          .session_ms = SESSION_MS } };
    size_t failed = SERVER_ADDRESSES_MOST;
    for (size_t i = 0; i < play->nplayers; i++) {
        const struct player *player = play->players[i];
        spec.lengths[i] = gid_sockaddr(player->gids[0].gid.raw, play->spec->port, player->gids[0].ifindex,
                                       &spec.addresses[i]);
    }
    spec.naddresses = play->nplayers;
    int r = hosting_begin(&play->hosting, play->spec->context->source);
    if (r == 0)
        r = server_open(&spec, &play->server, &failed);
    if (r < 0)
        say_error("cannot listen on '%s': %s",
                  failed < play->nplayers ? play->spec->peers->items[play->players[failed]->peer].address : "",
                  say_errno(r));
    return r;
}

/* -- the play ------------------------------------------------------------------------------------------ */

static int run_threads(struct play *play)
{
    size_t started = 0;
    int r = 0;
    play->begun = wait_now();
    play->playing = play->nplayers;
    for (; r == 0 && started < play->nplayers; started += r == 0)
        r = -pthread_create(&play->players[started]->thread, NULL, player_run, play->players[started]);
    if (r == 0)
        server_run(play->server);
    else
        wait_interrupt();
    for (size_t i = 0; i < started; i++)
        pthread_join(play->players[i]->thread, NULL);
    return r;
}

static void sum_up(struct play *play, struct play_outcome *outcome)
{
    *outcome = (struct play_outcome){ .peers = play->nplayers, .interrupted = wait_interrupted() };
    snprintf(outcome->host, sizeof(outcome->host), "%s", play->host);
    for (size_t i = 0; i < play->nplayers; i++)
        for (size_t round = 0; round < play->spec->rounds; round++)
            outcome->counts[play->players[i]->cells[round].state]++;
}

static int run_play(struct play *play, struct play_outcome *outcome)
{
    int r = play_write(play); /* before anything takes time */
    if (r == 0)
        r = run_threads(play);
    play->finished = !wait_interrupted();
    if (r == 0)
        r = play_write(play);
    r = r ? r : play->failed;
    if (r < 0)
        say_error("the results could not be written: %s", say_errno(r));
    sum_up(play, outcome);
    return r;
}

int play(const struct play_spec *spec, struct play_outcome *outcome)
{
    struct play play = { .spec = spec };
    int r = find_self(&play);
    play.arena = arena_new();
    pthread_mutex_init(&play.lock, NULL);
    play.items = mem_alloc(play.nplayers + 1, sizeof(*play.items));
    for (size_t i = 0; i < play.nplayers; i++)
        play.items[i] = (struct turn){ .peer = play.players[i]->peer, .partner = PEERS_NOBODY };
    turns_begin(&play.turns, spec->peers, play.items, play.nplayers);
    if (r == 0)
        r = open_server(&play);
    if (r == 0 && privilege_drop() < 0)
        say_warning("mesh keeps its privileges");
    if (r == 0)
        r = run_play(&play, outcome);
    if (play.server)
        server_close(play.server);
    hosting_end(&play.hosting);
    turns_end(&play.turns);
    pthread_mutex_destroy(&play.lock);
    for (size_t i = 0; i < play.nplayers; i++) {
        free(play.players[i]->cells);
        free(play.players[i]->served);
        free(play.players[i]);
    }
    free(play.players);
    free(play.items);
    arena_free(play.arena);
    return r;
}
