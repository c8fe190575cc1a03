/* SPDX-License-Identifier: MIT */
/* Whose turn it is: this host's peers each play their rounds, and answer those that call them in the same
 * one. Calls say which round they are of in the greeting's program (see struct wire_hello). The peer with the
 * lower number goes first. Thread-safe. */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fleet/mesh/peers.h"

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
