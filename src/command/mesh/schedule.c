/* SPDX-License-Identifier: MIT */
/* Whose turn it is in a mesh, what calls say, and which peers of the list this host is. */
#include "command/mesh/mesh.h"

void mesh_call_text(const struct mesh_call *call, char text[static CALL_TEXT_SIZE])
{
    snprintf(text, CALL_TEXT_SIZE, "mesh %08x %u %u %u %s", call->stamp, call->round, call->from, call->to,
             call->done ? "done" : "test");
}

bool mesh_call_parse(const char *text, struct mesh_call *call)
{
    char word[8] = "";
    int end = 0;
    *call = (struct mesh_call){ 0 };
    if (sscanf(text, "mesh %8x %9u %9u %9u %4s%n", &call->stamp, &call->round, &call->from, &call->to, word,
               &end) != 5 ||
        text[end])
        return false;
    call->done = word[0] == 'd';
    char again[CALL_TEXT_SIZE]; /* the same meaning spelled differently isn't ours */
    mesh_call_text(call, again);
    return strcmp(again, text) == 0;
}

void turns_begin(struct turns *turns, const struct peers *peers, const uint32_t *selves, size_t count)
{
    *turns = (struct turns){ .peers = peers, .items = mem_alloc(count, sizeof(*turns->items)), .count = count };
    for (size_t i = 0; i < count; i++)
        turns->items[i] = (struct turn){ .peer = selves[i], .partner = PEERS_NOBODY };
    pthread_mutex_init(&turns->lock, NULL);
}

void turns_end(struct turns *turns)
{
    pthread_mutex_destroy(&turns->lock);
    free(turns->items);
}

void turns_next(struct turns *turns, size_t i, uint32_t round, int partner, uint64_t now)
{
    pthread_mutex_lock(&turns->lock);
    turns->items[i] = (struct turn){
        .peer = turns->items[i].peer, .round = round, .partner = partner, .moved = now
    };
    pthread_mutex_unlock(&turns->lock);
}

void turns_did(struct turns *turns, size_t i, uint64_t now)
{
    pthread_mutex_lock(&turns->lock);
    turns->items[i].own_done = true;
    turns->items[i].moved = now;
    pthread_mutex_unlock(&turns->lock);
}

struct turn turns_look(struct turns *turns, size_t i)
{
    pthread_mutex_lock(&turns->lock);
    struct turn turn = turns->items[i];
    pthread_mutex_unlock(&turns->lock);
    return turn;
}

static struct turn *find_turn(struct turns *turns, uint32_t peer)
{
    for (size_t i = 0; i < turns->count; i++)
        if (turns->items[i].peer == peer)
            return &turns->items[i];
    return NULL;
}

static int say_why(const char **why, const char *text, int answer)
{
    *why = text;
    return answer;
}

/* The lock must be held. */
static int answer_call(struct turn *turn, const struct mesh_call *call, uint64_t now, const char **why)
{
    if (call->round < turn->round)
        return say_why(why, "that round is over here", TURN_OVER);
    if (call->round > turn->round || turn->partner == PEERS_NOBODY)
        return say_why(why, "not yet: an earlier round is still played here", TURN_NOT_YET);
    if (turn->partner != (int)call->from)
        return say_why(why, "this round is played with another peer", TURN_STRANGER);
    turn->heard = true;
    turn->moved = now;
    turn->theirs_done |= call->done;
    if (call->done)
        return say_why(why, "noted", TURN_NOTED);
    if (call->to < call->from && !turn->own_done)
        return say_why(why, "not yet: it is this host's turn", TURN_NOT_YET);
    turn->open++;
    return 0;
}

int turns_answer(struct turns *turns, const struct mesh_call *call, uint64_t now, const char **why)
{
    if (call->stamp != turns->peers->stamp)
        return say_why(why, "a mesh is run here, by another list of peers", TURN_STRANGER);
    pthread_mutex_lock(&turns->lock);
    struct turn *turn = find_turn(turns, call->to);
    *why = "a mesh is run here, and that peer isn't on this host";
    int r = turn ? answer_call(turn, call, now, why) : TURN_STRANGER;
    pthread_mutex_unlock(&turns->lock);
    return r;
}

void turns_ended(struct turns *turns, const struct mesh_call *call, uint64_t now)
{
    pthread_mutex_lock(&turns->lock);
    struct turn *turn = find_turn(turns, call->to);
    if (turn && turn->round == call->round && turn->partner == (int)call->from) {
        turn->open -= turn->open > 0;
        turn->moved = now;
    }
    pthread_mutex_unlock(&turns->lock);
}

static bool goes_by(const struct mesh_peer *peer, const struct near_gid *gid)
{
    return gid->active && memcmp(gid->gid.raw, peer->raw, sizeof(peer->raw)) == 0;
}

size_t self_gids(const struct mesh_peer *peer, const struct near_gid *gids, size_t ngids, struct near_gid *own)
{
    size_t nown = 0;
    for (size_t i = 0; i < ngids; i++)
        if (goes_by(peer, &gids[i]))
            own[nown++] = gids[i];
    return nown;
}

int self_find(const struct peers *peers, const struct near_gid *gids, size_t ngids, uint32_t *selves,
              size_t most, size_t *count, char why[static SELF_WHY_SIZE])
{
    *count = 0;
    for (uint32_t peer = 0; peer < peers->count && *count < most; peer++)
        for (size_t i = 0; i < ngids; i++)
            if (goes_by(&peers->items[peer], &gids[i])) {
                selves[(*count)++] = peer;
                break;
            }
    if (*count == 0) {
        snprintf(why, SELF_WHY_SIZE,
                 "none of the list's addresses is one of an active RoCE or iWARP port of this host");
        return -EADDRNOTAVAIL;
    }
    const char *host = peers->items[selves[0]].host;
    for (size_t i = 1; i < *count; i++)
        if (strcmp(peers->items[selves[i]].host, host) != 0) {
            snprintf(why, SELF_WHY_SIZE, "the list calls this host both '%s' and '%s'", host,
                     peers->items[selves[i]].host);
            return -EINVAL;
        }
    return 0;
}
