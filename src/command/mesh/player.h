/* SPDX-License-Identifier: MIT */
/* One peer of this host, in a thread of its own. Private to command/mesh/. */
#pragma once

#include "command/hosting.h"
#include "command/mesh/play.h"
#include "selftest/peer/server.h"

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
