/* SPDX-License-Identifier: MIT */
/* One peer of this host, in its own thread: tests its partner of each round. */
#include "command/mesh/mesh.h"

#include "model/counter_roles.h"
#include "selftest/paths.h"
#include "selftest/test_run.h"

/* PAUSE_MS: between calls to a partner that says "not yet". GRACE_MS: how long a partner that has just ended a
 * session may take to report that it is done. */
enum { PAUSE_MS = 100, LOOK_MS = 10, GRACE_MS = 2000 };

static const char *keep_text(struct player *player, const char *text)
{
    struct play *play = player->play;
    pthread_mutex_lock(&play->lock);
    const char *kept = text && *text ? arena_strdup(play->arena, text) : NULL;
    pthread_mutex_unlock(&play->lock);
    return kept;
}

/* -- one test ------------------------------------------------------------------------------------------ */

static void tell_failure(struct player *player, const struct failure *failure, bool through,
                         struct mesh_cell *cell)
{
    struct diagnosis diagnosis;
    struct facts facts = { 0 };
    if (player->client.offer.ngids && player->ngids)
        near_facts_of(player->play->spec->context->host, &player->gids[player->client.pair.near], &facts);
    facts.came_through = through;
    diagnose(failure, &facts, &diagnosis);
    cell->step = keep_text(player, step_text(failure->step));
    cell->what = keep_text(player, failure->step == STEP_GID_PAIR && *player->client.pair.why
                                       ? player->client.pair.why
                                       : diagnosis.what);
    cell->likely = keep_text(player, diagnosis.causes[0]);
}

static void take_results(struct player *player, const struct run *run, const struct results *results,
                         struct mesh_cell *cell)
{
    cell->state = CELL_GOOD;
    for (size_t i = 0; i < results->count; i++) {
        const struct result *result = &results->items[i];
        if (result->verdict == VERDICT_FAIL && cell->state == CELL_GOOD) {
            cell->state = CELL_FAILED;
            tell_failure(player, &result->failure, run->through, cell);
        }
        if (result->latency.count)
            cell->latency = result->latency.median;
        if (result->mbytes_per_second > 0)
            cell->gbits = result->mbytes_per_second * 8 / 1000;
    }
    if (cell->state == CELL_GOOD && cell->latency <= 0 && cell->gbits <= 0) {
        cell->state = CELL_SKIPPED;
        cell->what = keep_text(player, "the device of one of them can't run such a test");
    }
}

static void look_at_paths(struct player *player, struct mesh_cell *cell)
{
    struct paths_spec spec = { .count = player->play->spec->paths,
                               .traffic_class = player->play->spec->options.traffic_class };
    struct paths *paths = mem_alloc(1, sizeof(*paths));
    struct failure failure;
    char text[PATHS_TEXT_SIZE] = "";
    if (paths_run(&player->client, &spec, paths, &failure) == 0) {
        cell->paths = paths->count;
        for (uint32_t i = 0; i < paths->count; i++) {
            const struct way *way = &paths->ways[THERE][i];
            if (way->state == WAY_UNKNOWN || way->state == WAY_CLEAN)
                continue;
            cell->ports[cell->bad_paths++] = (uint16_t)way->port.value;
            snprintf(text, sizeof(text), "%s", way_state_text(way->state));
        }
        cell->what = keep_text(player, text);
    }
    free(paths);
}

static const struct port *own_port(const struct player *player, const struct host *host)
{
    const struct wire_gid *gid = &player->gids[player->client.pair.near].gid;
    const struct device *device = host ? host_find_device(host, gid->device) : NULL;
    return device ? device_port(device, gid->port) : NULL;
}

/* How much more of it this host's port has counted since: also what others caused, for which a mesh needs quiet
 * hosts. */
static struct num32 grown(const struct port *before, const struct port *after, enum counter_role role)
{
    if (!before || !after)
        return (struct num32){ 0 };
    const struct role_value then = port_role_value(before, role), now = port_role_value(after, role);
    bool known = then.sum.known && now.sum.known && now.sum.value >= then.sum.value &&
                 now.sum.value - then.sum.value <= UINT32_MAX;
    return known ? num32_of((uint32_t)(now.sum.value - then.sum.value)) : (struct num32){ 0 };
}

/* The session is open. */
static void measure(struct player *player, struct mesh_cell *cell)
{
    struct client *client = &player->client;
    struct test_options options = player->play->spec->options;
    struct results results = { 0 };
    if (options.duration > client->test_ms)
        options.duration = client->test_ms;
    struct run run = { .options = &options,
                       .set = client->side.set,
                       .peer = &client->peer,
                       .results = &results,
                       .template = { .device = player->gids[client->pair.near].gid.device },
                       .mtu = client->path.mtu,
                       .session = (uint16_t)(wait_now() >> 10) };
    struct host *before = hosting_read(&player->play->hosting, NEED_COUNTERS);
    int r = selftest_run(&run);
    take_results(player, &run, &results, cell);
    struct host *after = hosting_read(&player->play->hosting, NEED_COUNTERS);
    const struct port *then = own_port(player, before), *now = own_port(player, after);
    cell->retransmissions = grown(then, now, ROLE_RETRANSMISSIONS);
    cell->cnps = grown(then, now, ROLE_CNP_HANDLED);
    host_free(before);
    host_free(after);
    free(results.items);
    if (r == -EINTR)
        *cell = (struct mesh_cell){ .from = cell->from, .to = cell->to };
    else if (r == 0 && cell->state == CELL_GOOD && player->play->spec->paths)
        look_at_paths(player, cell);
}

/* -- calls --------------------------------------------------------------------------------------------- */

static struct client_spec spec_of(struct player *player, const struct mesh_call *call)
{
    const struct play_spec *play = player->play->spec;
    struct client_spec spec = { .near = { player->gids, player->ngids, NULL, -1 },
                                .options = &play->options,
                                .size = plan_largest(&play->options) };
    _Static_assert(sizeof(spec.program) >= CALL_TEXT_SIZE, "a call fits into a greeting");
    mesh_call_text(call, spec.program);
    snprintf(spec.host, sizeof(spec.host), "%.*s", (int)sizeof(spec.host) - 1, player->play->host);
    gid_sockaddr(play->peers->items[call->to].raw, play->port, 0, &spec.address);
    return spec;
}

/* Waits a little; returns false if the program is to end. */
static bool pause_for(int ms)
{
    poll(NULL, 0, ms);
    return !wait_interrupted();
}

static uint64_t in_ms(uint64_t ms)
{
    return wait_now() + ms * 1000000;
}

static bool server_says(const struct failure *failure, int err)
{
    return failure->remote && failure->step == STEP_HANDSHAKE && failure->err == err;
}

/* The state that a failed call leads to; CELL_NONE to call again. */
static enum cell_state judge_call(struct player *player, const struct failure *failure, uint64_t reach,
                                  uint64_t late, struct mesh_cell *cell)
{
    bool waits = server_says(failure, TURN_NOT_YET) || server_says(failure, EBUSY);
    bool silent = !failure->remote && failure->step == STEP_CONNECT;
    if ((waits && wait_now() < late) || (silent && wait_now() < reach))
        return CELL_NONE;
    if (waits || server_says(failure, TURN_OVER)) {
        cell->what = keep_text(player, waits ? "the other host never came to this round"
                                             : "the other host was past this round already");
        return CELL_SKIPPED;
    }
    tell_failure(player, failure, false, cell);
    return silent ? CELL_UNREACHABLE : CELL_FAILED;
}

/* Calls until it is the partner's turn, or until it clearly never will be. */
static void test_partner(struct player *player, const struct mesh_call *call, struct mesh_cell *cell)
{
    const struct play_spec *play = player->play->spec;
    struct client_spec spec = spec_of(player, call);
    uint64_t reach = in_ms(play->options.timeout), start = player->play->begun + play->wait * UINT64_C(1000000),
             late = in_ms(play->options.timeout * (uint64_t)PLAY_LATE);
    reach = start > reach ? start : reach;
    while (cell->state == CELL_NONE && !wait_interrupted()) {
        struct failure failure = { 0 };
        int r = client_open(&player->client, &spec, &failure);
        if (r == 0)
            measure(player, cell);
        else if (r != -EINTR)
            cell->state = judge_call(player, &failure, reach, late, cell);
        client_close(&player->client);
        if (cell->state == CELL_NONE && !pause_for(PAUSE_MS))
            break;
    }
}

/* Tells the partner that it needn't wait for us any longer. */
static void say_done(struct player *player, struct mesh_call call)
{
    struct failure failure = { 0 };
    call.done = true;
    struct client_spec spec = spec_of(player, &call);
    client_open(&player->client, &spec, &failure);
    client_close(&player->client);
}

/* Waits for the partner, whose turn comes after ours. */
static bool wait_for_partner(struct player *player, const struct mesh_cell *own)
{
    struct play *play = player->play;
    uint64_t limit = in_ms(play->spec->options.timeout * (uint64_t)PLAY_LATE);
    for (;;) {
        struct turn turn = turns_look(&play->turns, player->number);
        uint64_t quiet = turn.moved + (play->spec->options.timeout + GRACE_MS) * UINT64_C(1000000);
        if (turn.theirs_done)
            return true;
        if ((own->state == CELL_UNREACHABLE && !turn.heard) || wait_now() > limit ||
            (turn.open == 0 && wait_now() > quiet) || !pause_for(LOOK_MS))
            return false;
    }
}

/* -- rounds -------------------------------------------------------------------------------------------- */

static const struct mesh_cell *find_cell(const struct mesh_results *results, uint32_t from, uint32_t to)
{
    struct mesh_cell key = { .from = from, .to = to };
    return results && results->ncells
               ? bsearch(&key, results->cells, results->ncells, sizeof(key), ways_compare)
               : NULL;
}

void player_recall(struct player *player)
{
    const struct play_spec *spec = player->play->spec;
    for (size_t round = 0; spec->before && round < spec->rounds; round++) {
        int partner = peers_partner(spec->peers, player->peer, round);
        const struct mesh_cell *cell = partner == PEERS_NOBODY
                                           ? NULL
                                           : find_cell(spec->before, player->peer, (uint32_t)partner);
        if (cell)
            player->cells[round] = *cell;
        player->served[round] = spec->before->served[player->peer] && spec->before->served[player->peer][round];
    }
}

/* Both directions have been measured before; the partner knows that too, from its own results or from ours. */
static bool is_known(struct player *player, size_t round, uint32_t partner)
{
    const struct mesh_results *before = player->play->spec->before;
    const struct mesh_cell *there = find_cell(before, player->peer, partner),
                           *back = find_cell(before, partner, player->peer);
    if (!there || there->state != CELL_GOOD)
        return false;
    if (before->heard[partner].told)
        return back && back->state == CELL_GOOD;
    return before->served[player->peer] && before->served[player->peer][round];
}

static void end_round(struct player *player, size_t round, const struct mesh_cell *cell, bool served)
{
    struct play *play = player->play;
    pthread_mutex_lock(&play->lock);
    bool tells = cell->state != CELL_NONE && cell->state != CELL_SKIPPED;
    if (tells || player->cells[round].state == CELL_NONE)
        player->cells[round] = *cell;
    player->served[round] |= served;
    int r = play_write(play);
    if (r < 0)
        play->failed = r;
    pthread_mutex_unlock(&play->lock);
}

static void play_round(struct player *player, size_t round, uint32_t partner)
{
    struct play *play = player->play;
    struct mesh_call call = {
        .stamp = play->spec->peers->stamp, .round = (uint32_t)round, .from = player->peer, .to = partner
    };
    struct mesh_cell cell = { .from = player->peer, .to = partner };
    turns_next(&play->turns, player->number, call.round, (int)partner, wait_now());
    test_partner(player, &call, &cell);
    turns_did(&play->turns, player->number, wait_now());
    bool served = cell.state == CELL_GOOD || cell.state == CELL_FAILED;
    if (player->peer < partner)
        served = wait_for_partner(player, &cell);
    else if (served)
        say_done(player, call);
    end_round(player, round, &cell, served);
}

void *player_run(void *data)
{
    struct player *player = data;
    struct play *play = player->play;
    for (size_t round = 0; round < play->spec->rounds && !wait_interrupted(); round++) {
        int partner = peers_partner(play->spec->peers, player->peer, round);
        if (partner != PEERS_NOBODY && !is_known(player, round, (uint32_t)partner))
            play_round(player, round, (uint32_t)partner);
    }
    turns_next(&play->turns, player->number, UINT32_MAX, PEERS_NOBODY, wait_now());
    pthread_mutex_lock(&play->lock);
    bool last = --play->playing == 0;
    pthread_mutex_unlock(&play->lock);
    if (last)
        server_stop(play->server);
    return NULL;
}
