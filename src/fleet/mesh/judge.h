/* SPDX-License-Identifier: MIT */
/* What the cells of a mesh say: which hosts are gone, which send or receive badly, which pairs, which groups.
 * Pure. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "fleet/mesh/peers.h"

/* Of one direction: from sends. */
enum cell_state {
    CELL_NONE,        /* nobody has tried, or has told */
    CELL_GOOD,        /* measured */
    CELL_FAILED,      /* they spoke, and data didn't flow */
    CELL_UNREACHABLE, /* nobody answered */
    CELL_SKIPPED,     /* tried, but not at the same time: nothing is known */
    CELL_STATES
};

enum mesh_measure { MESH_BANDWIDTH, MESH_LATENCY, MESH_MEASURES };

enum { CELL_TEXT_SIZE = 320, CELL_PORTS_MOST = 32 };

struct mesh_cell {
    uint32_t from, to; /* peers by number */
    enum cell_state state;
    double gbits, latency;            /* 10^9 bits/s; µs; 0: not measured */
    unsigned paths, bad_paths;        /* source ports looked at; paths 0: none */
    uint16_t ports[CELL_PORTS_MOST];  /* the bad ones; 0: not known which */
    const char *step, *what, *likely; /* of a failure; may be NULL. what: of bad paths, too */
};

enum odd_kind {
    ODD_DEAD,     /* answers nobody and has left no results */
    ODD_PEER,     /* sends and receives badly */
    ODD_SENDER,   /* from[] */
    ODD_RECEIVER, /* to[] */
    ODD_GROUPS,   /* between from[] and to[], both ways */
    ODD_PAIR,     /* from[0] to to[0]; both: and back */
    ODD_PATHS,    /* of the pair from[0] to to[0]: some source ports */
    ODD_KINDS
};

struct mesh_odd {
    enum odd_kind kind;
    bool failed; /* data doesn't flow; else it is slow */
    bool both;
    enum mesh_measure measure; /* that is slow */
    const uint32_t *from, *to; /* peers */
    size_t nfrom, nto;
    double found, expected;       /* of what is slow: in the measure's unit; medians */
    size_t cells, tried;          /* that are bad, of so many */
    const struct mesh_cell *cell; /* one that tells more; may be NULL */
};

struct mesh_verdicts {
    struct mesh_odd *odd; /* worst first */
    size_t nodd;
    size_t measured, failed, unreachable, skipped, missing; /* cells; missing: of those that could be tried */
    size_t judged[MESH_MEASURES];                           /* cells that could be held against others */
};

/* cells: at most one of each direction. rates: of each peer in 10^9 bits/s, 0: not known. told: has the peer
 * left results? rounds: so many of peers_rounds() were to be played. Memory is of arena. */
struct mesh_verdicts mesh_judge(const struct peers *peers, const struct mesh_cell *cells, size_t count,
                                const double *rates, const bool *told, size_t rounds, struct arena *arena);
/* Is what was found about what these two do with each other? */
bool mesh_odd_has(const struct mesh_odd *odd, uint32_t a, uint32_t b);
