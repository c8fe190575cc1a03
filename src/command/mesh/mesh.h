/* SPDX-License-Identifier: MIT */
/* A host's part of a mesh. */
#pragma once

#include "command/context.h"
#include "command/test_ends.h"
#include "fleet/mesh/mesh.h"

/* Which peers of the list this host is: those whose address an active port here has. No rank is needed, nor a
 * name known to others. Pure. */

/* The numbers of its peers in list order, at most `most`; gids: what near_gids() found. Returns 0;
 * -EADDRNOTAVAIL if it is none of them; -EINVAL if the list has two names for this host; why then explains
 * it. */
enum { SELF_WHY_SIZE = 200 };
int self_find(const struct peers *peers, const struct near_gid *gids, size_t ngids, uint32_t *selves,
              size_t most, size_t *count, char why[static SELF_WHY_SIZE]);
/* Finds which GIDs have the peer's address; own has room for all of them. Returns how many. */
size_t self_gids(const struct mesh_peer *peer, const struct near_gid *gids, size_t ngids, struct near_gid *own);

/* Whose turn it is: each of this host's peers plays its rounds, and answers those that call it in the same
 * round. The program field of a call's greeting says which round it is for (see struct wire_hello). The peer
 * with the lower number goes first. Thread-safe. */

/* A call, as its greeting describes it. */
struct mesh_call {
    uint32_t stamp, round, from, to;
    bool done; /* not for a test: `from` has done its part of the round */
};
enum { CALL_TEXT_SIZE = 64 };
void mesh_call_text(const struct mesh_call *call, char text[static CALL_TEXT_SIZE]);
bool mesh_call_parse(const char *text, struct mesh_call *call); /* pure; false if it isn't one */

/* Answers to a call other than a session. */
enum {
    TURN_NOT_YET = 11, /* EAGAIN on every architecture that Linux has: it travels between hosts */
    TURN_OVER = 62,    /* ETIME: this host is past that round */
    TURN_NOTED = 114,  /* EALREADY */
    TURN_STRANGER = 1, /* EPERM */
};

struct turn {
    uint32_t peer;    /* of this host */
    uint32_t round;   /* the one it is playing */
    int partner;      /* PEERS_NOBODY while it rests */
    bool own_done;    /* its own test is over */
    bool theirs_done; /* the partner has said so */
    bool heard;       /* the partner has called in this round */
    unsigned open;    /* with the partner */
    uint64_t moved;   /* when the partner was last heard from, as wait_now() */
};

struct turns {
    const struct peers *peers;
    pthread_mutex_t lock;
    struct turn *items; /* one for each peer of this host */
    size_t count;
};

/* selves: the peers of this host. */
void turns_begin(struct turns *turns, const struct peers *peers, const uint32_t *selves, size_t count);
void turns_end(struct turns *turns);
/* Peer i of this host begins a round. */
void turns_next(struct turns *turns, size_t i, uint32_t round, int partner, uint64_t now);
void turns_did(struct turns *turns, size_t i, uint64_t now); /* its own test is over */
struct turn turns_look(struct turns *turns, size_t i);
/* Returns 0 if the call may have a session, which counts as open from now on; else the answer to it. */
int turns_answer(struct turns *turns, const struct mesh_call *call, uint64_t now, const char **why);
/* A session for the call has ended. */
void turns_ended(struct turns *turns, const struct mesh_call *call, uint64_t now);

/* This host's part of a mesh: it answers calls, and each of its peers tests its partner in each round. */

/* LATE: how many times a step's longest wait a partner may keep saying "not yet". */
enum { PLAY_LATE = 60 };

struct play_spec {
    struct context *context;
    const struct peers *peers;
    struct test_options options; /* one operation, to measure */
    size_t rounds;
    uint32_t paths; /* source ports to look at; 0: none */
    uint32_t wait;  /* ms from the start during which hosts may still be starting */
    uint16_t port;
    const char *directory;             /* for the results */
    const struct mesh_results *before; /* for --resume; NULL if none */
};

/* The outcome, as this host's peers know it. */
struct play_outcome {
    const char *host; /* of the list's memory */
    size_t peers, counts[CELL_STATES];
};

/* Plays all rounds, and writes the outcome of each as it ends. Returns 0, or -errno after saying why. */
int play(const struct play_spec *spec, struct play_outcome *outcome);

/* One peer of this host, with its own thread. Private to command/mesh/. */

struct player {
    struct play *play;
    size_t number; /* its index among this host's peers, and of its turn */
    uint32_t peer;
    struct near_gid gids[CLIENT_GIDS_MOST]; /* those with its address */
    size_t ngids;
    double rate; /* of its port, 10^9 bits/s; 0: not known */
    struct client client;
    struct mesh_cell *cells; /* by round; NONE if not played; under the play's lock */
    bool *served;            /* by round: the partner has done its part */
    pthread_t thread;
};

struct play {
    const struct play_spec *spec;
    struct arena *arena; /* holds texts; under the lock */
    struct player **players;
    size_t nplayers, playing;
    struct turns turns;
    struct server *server;
    struct hosting hosting;
    uint64_t begun;
    const char *host;
    pthread_mutex_t lock; /* protects cells, served, arena, playing, failed, and the file */
    int failed;           /* -errno from writing */
    bool finished;
};

/* Takes over what --resume has for it. */
void player_recall(struct player *player);
void *player_run(void *player);
/* Writes the file of results as it is now; the lock must be held. Returns 0 or -errno. */
int play_write(struct play *play);
