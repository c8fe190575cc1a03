/* SPDX-License-Identifier: MIT */
/* A host's part of a mesh: finds itself in the list, answers others, and runs a thread per peer. */
#include "command/mesh/mesh.h"

/* PLACES: clients at a time, in addition to two per peer, as strangers take some. PER_ADDRESS: a partner that
 * gets "not yet" calls often, see selftest/peer/server.h. */
enum { PLACES = 16, PER_ADDRESS = 16, IDLE_MS = 10000, TEST_MS = 120000, SESSION_MS = 300000 };

/* -- this host's peers --------------------------------------------------------------------------------- */

static void add_player(struct play *play, uint32_t peer, const struct near_gid *gids, size_t ngids)
{
    struct player *player = mem_alloc(1, sizeof(*player));
    player->play = play;
    player->peer = peer;
    player->number = play->nplayers;
    player->ngids = self_gids(&play->spec->peers->items[peer], gids, ngids, player->gids);
    player->rate = player->gids[0].rate_gbits;
    player->cells = mem_alloc(play->spec->rounds + 1, sizeof(*player->cells));
    player->served = mem_alloc(play->spec->rounds + 1, sizeof(*player->served));
    play->players = mem_resize(play->players, play->nplayers + 1, sizeof(struct player *));
    play->players[play->nplayers++] = player;
    player_recall(player);
}

static int find_self(struct play *play)
{
    const struct peers *peers = play->spec->peers;
    uint32_t selves[SERVER_ADDRESSES_MOST];
    size_t count = 0;
    char why[SELF_WHY_SIZE];
    struct near_gid *gids = mem_alloc(CLIENT_GIDS_MOST, sizeof(*gids));
    size_t ngids = near_gids(play->spec->context->host, gids, CLIENT_GIDS_MOST);
    int r = self_find(peers, gids, ngids, selves, SERVER_ADDRESSES_MOST, &count, why);
    turns_begin(&play->turns, peers, selves, count);
    for (size_t i = 0; r == 0 && i < count; i++)
        add_player(play, selves[i], gids, ngids);
    if (r < 0)
        say_error("%s", why);
    else
        play->host = peers->items[selves[0]].host;
    free(gids);
    return r;
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
                                .host = hosting_session(&play->hosting, IDLE_MS, TEST_MS, SESSION_MS) };
    size_t failed;
    for (size_t i = 0; i < play->nplayers; i++) {
        const struct player *player = play->players[i];
        gid_sockaddr(player->gids[0].gid.raw, play->spec->port, player->gids[0].ifindex, &spec.addresses[i]);
    }
    spec.naddresses = play->nplayers;
    hosting_begin(&play->hosting, play->spec->context->source);
    int r = server_open(&spec, &play->server, &failed);
    if (r < 0)
        say_error("cannot listen on '%s': %s", play->spec->peers->items[play->players[failed]->peer].address,
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

static int run_play(struct play *play)
{
    int r = play_write(play); /* before anything that takes time */
    if (r == 0)
        r = run_threads(play);
    play->finished = !wait_interrupted();
    if (r == 0)
        r = play_write(play);
    r = r ? r : play->failed;
    if (r < 0)
        say_error("the results could not be written: %s", say_errno(r));
    return r;
}

static void end_play(struct play *play, struct play_outcome *outcome)
{
    *outcome = (struct play_outcome){ .host = play->host, .peers = play->nplayers };
    for (size_t i = 0; i < play->nplayers; i++) {
        struct player *player = play->players[i];
        for (size_t round = 0; round < play->spec->rounds; round++)
            outcome->counts[player->cells[round].state]++;
        free(player->cells);
        free(player->served);
        free(player);
    }
    free(play->players);
    arena_free(play->arena);
}

int play(const struct play_spec *spec, struct play_outcome *outcome)
{
    struct play play = { .spec = spec, .arena = arena_new() };
    pthread_mutex_init(&play.lock, NULL);
    int r = find_self(&play);
    if (r == 0)
        r = open_server(&play);
    if (r == 0) {
        if (privilege_drop() < 0)
            say_warning("mesh keeps its privileges");
        r = run_play(&play);
        server_close(play.server);
    }
    hosting_end(&play.hosting);
    turns_end(&play.turns);
    pthread_mutex_destroy(&play.lock);
    end_play(&play, outcome);
    return r;
}
