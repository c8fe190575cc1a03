/* SPDX-License-Identifier: MIT */
/* A host's part of a mesh. */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "command/context.h"
#include "command/test_ends.h"
#include "fleet/mesh/mesh.h"
#include "selftest/peer/client.h"
#include "selftest/peer/server.h"

/* Which peers of the list this host is: those whose address an active port here has. It needs no rank, and no
 * name that others would know it by. Pure. */

/* Numbers of its peers, at most so many, as the list has them; gids: what near_gids() found. 0;
 * -EADDRNOTAVAIL: it is none of them; -EINVAL: the list has two names for this host. why says so. */
enum { SELF_WHY_SIZE = 200 };
int self_find(const struct peers *peers, const struct near_gid *gids, size_t ngids, uint32_t *selves,
              size_t most, size_t *count, char why[static SELF_WHY_SIZE]);
/* Those of the GIDs that a peer goes by; own: room for all of them. How many. */
size_t self_gids(const struct mesh_peer *peer, const struct near_gid *gids, size_t ngids, struct near_gid *own);

/* Whose turn it is: this host's peers each play their rounds, and answer those that call them in the same
 * one. Calls say which round they are of in the greeting's program (see struct wire_hello). The peer with the
 * lower number goes first. Thread-safe. */

/* A call, as its greeting says it. */
struct mesh_call {
    uint32_t stamp, round, from, to;
    bool done; /* no test: from has done its part of the round */
};
enum { CALL_TEXT_SIZE = 64 };
void mesh_call_text(const struct mesh_call *call, char text[static CALL_TEXT_SIZE]);
bool mesh_call_parse(const char *text, struct mesh_call *call); /* pure; false: it is none */

/* What is answered to a call besides a session. */
enum {
    TURN_NOT_YET = 11, /* EAGAIN on every architecture that Linux has: it travels between hosts */
    TURN_OVER = 62,    /* ETIME: this host is past that round */
    TURN_NOTED = 114,  /* EALREADY */
    TURN_STRANGER = 1, /* EPERM */
};

struct turn {
    uint32_t peer;    /* of this host */
    uint32_t round;   /* that it plays */
    int partner;      /* PEERS_NOBODY: it rests */
    bool own_done;    /* its own test is over */
    bool theirs_done; /* the partner has said so */
    bool heard;       /* the partner has called in this round */
    unsigned open;    /* sessions of the partner's */
    uint64_t moved;   /* when the partner was heard last, as wait_now() */
};

struct turns {
    const struct peers *peers;
    pthread_mutex_t lock;
    struct turn *items; /* one a peer of this host */
    size_t count;
};

void turns_begin(struct turns *turns, const struct peers *peers, struct turn *items, size_t count);
void turns_end(struct turns *turns);
/* Peer number i of this host's begins a round. */
void turns_next(struct turns *turns, size_t i, uint32_t round, int partner, uint64_t now);
void turns_did(struct turns *turns, size_t i, uint64_t now); /* its own test is over */
struct turn turns_look(struct turns *turns, size_t i);
/* 0: the call may have a session, which counts as open from now on; or what it is answered. */
int turns_answer(struct turns *turns, const struct mesh_call *call, uint64_t now, const char **why);
/* A session of the call has ended. */
void turns_ended(struct turns *turns, const struct mesh_call *call, uint64_t now);

/* This host's part of a mesh: it answers, and each of its peers tests its partner of each round. */

/* LATE: so many times the longest wait of a step a partner may say "not yet". */
enum { PLAY_LATE = 60 };

struct play_spec {
    struct context *context;
    const struct peers *peers;
    struct test_options options; /* one operation, to be measured */
    size_t rounds;
    uint32_t paths; /* source ports to look at; 0: none */
    uint32_t wait;  /* ms from the beginning on in which hosts may still be starting */
    uint16_t port;
    int directory;                     /* to write results into */
    const struct mesh_results *before; /* of --resume; NULL: none */
};

/* What came of it: told by this host's peers. */
struct play_outcome {
    char host[PEERS_WORD_MOST + 1];
    size_t peers, counts[CELL_STATES];
    bool interrupted;
};

/* Plays all rounds, and writes what came of each as it ends. 0; -errno after saying why. */
int play(const struct play_spec *spec, struct play_outcome *outcome);

/* One peer of this host, in a thread of its own. Private to command/mesh/. */

struct player {
    struct play *play;
    size_t number; /* among this host's, and of its turn */
    uint32_t peer;
    struct near_gid gids[CLIENT_GIDS_MOST]; /* of its address */
    size_t ngids;
    double rate; /* of its port, 10^9 bits/s; 0: not known */
    struct client client;
    struct mesh_cell *cells; /* by round; NONE: not played. With the play's lock */
    bool *served;            /* by round: the partner has done its part */
    pthread_t thread;
};

struct play {
    const struct play_spec *spec;
    struct arena *arena; /* of texts, with the lock */
    struct player **players;
    size_t nplayers, playing;
    struct turns turns;
    struct turn *items;
    struct server *server;
    struct hosting hosting;
    uint64_t begun;
    const char *host;
    pthread_mutex_t lock; /* of cells, served, arena, playing, failed, and the file */
    int failed;           /* -errno of writing */
    bool finished;
};

/* What --resume has of it. */
void player_recall(struct player *player);
void *player_run(void *player);
/* The file of results as it is now; with the lock held. 0 or -errno. */
int play_write(struct play *play);
