/* SPDX-License-Identifier: MIT */
/* Every pair of a cluster: who tries whom and when, what came of it, and what that says. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "fleet/compare.h"

/* The list that the hosts of a mesh share: who takes part, and who tries whom. Text, a line a rail of a host:
 *
 *   ADDRESS HOST DEVICE [RAIL]   a peer; RAIL, where none is given, is DEVICE
 *   rails all                    pairs are made across rails, too
 *   pair ADDRESS ADDRESS         only the pairs that such lines name are tried
 *
 * '#' begins a comment. Each host reads the same file, and is told apart by its addresses. Pure. */

enum {
    PEERS_MOST = 8192,
    PEERS_RAIL_MOST = 2048, /* of one rail; of all where pairs are made across rails */
    PEERS_PAIRS_MOST = 1 << 20,
    PEERS_WORD_MOST = 63,
    PEERS_TEXT_MOST = 64 << 20,
    PEERS_NOBODY = -1,
};

struct mesh_peer {
    const char *address, *host, *device, *rail;
    uint8_t raw[16]; /* the address as a GID: IPv4 mapped into IPv6 */
    uint32_t rails;  /* number of its rail: those of one name have one */
    uint32_t hosts;  /* number of its host */
    uint32_t place;  /* among those that it can be paired with, itself among them: members[first + place] */
    uint32_t first, together; /* together: how many these are */
};

struct peers {
    struct mesh_peer *items;
    size_t count, nrails, nhosts;
    uint32_t *members; /* peers by number, those of a rail together */
    size_t *order;     /* by address */
    bool all_rails;
    struct {
        uint32_t a, b; /* a < b; sorted */
    } * pairs;
    size_t npairs;  /* 0: all */
    uint32_t stamp; /* of what the list says: two hosts with one stamp have the same list */
};

struct peers_fault {
    unsigned line; /* 0: it is about no line */
    char what[160];
};

/* Memory is of arena. 0; -EINVAL: fault says why; -E2BIG: it is out of bounds, fault says of what. */
int peers_parse(const char *text, size_t len, struct arena *arena, struct peers *peers,
                struct peers_fault *fault);
/* The number of the peer with that address; PEERS_NOBODY. */
int peers_find(const struct peers *peers, const char *address);
/* May the two try each other? Those of one host never do. */
bool peers_try(const struct peers *peers, size_t a, size_t b);
/* Whom peer i tries in a round of peers_rounds(peers); PEERS_NOBODY: it rests. If a tries b, b tries a. */
int peers_partner(const struct peers *peers, size_t i, size_t round);
size_t peers_rounds(const struct peers *peers);

/* The text of a list: the head, and a line a peer. */
void peers_head(struct bytes *out);
void peers_line(struct bytes *out, const char *address, const char *host, const char *device, const char *rail);

/* The circle method: rounds in which everybody meets everybody once, each meeting one at a time. Pure. */

enum { CIRCLE_NOBODY = -1 };

/* How many rounds count players need: count - 1, or count where that is odd and one rests in each. */
size_t circle_rounds(size_t count);
/* Whom player i of count meets in that round; CIRCLE_NOBODY: it rests. */
int circle_partner(size_t count, size_t round, size_t i);

/* The list of peers that facts of hosts lead to. Pure. */

/* What there was no line for. */
struct plan_left {
    size_t ports; /* without an address that other hosts could reach */
    size_t peers;
};

/* Appends it to out: a line a rail of a host, IPv4 addresses where all hosts have one there, else IPv6. */
void plan_write(struct fleet *fleet, const struct fleet_host *const *hosts, size_t count, bool all_rails,
                struct arena *arena, struct bytes *out, struct plan_left *left);

/* Tukey's median polish of a square table: overall + row + column + residual. A row or a column that differs
 * as a whole shows in its effect, a single cell in its residual, and neither spoils the other. Pure. */

struct polish {
    size_t n;
    double overall;
    double *rows, *columns; /* n each; NAN: nothing is known of it */
    double *residuals;      /* n × n, by row; NAN: there was no value */
    double sigma;           /* of the residuals, from their median absolute deviation */
};

/* values: n × n by row, NAN: none. quantile: 0.5 is the median; higher ones take the upper cells of a row for
 * what is usual. Ended with polish_free(). */
void polish_fit(const double *values, size_t n, double quantile, struct polish *polish);
void polish_free(struct polish *polish);

/* Sorts values (none of them NAN). NAN: there are none. */
double polish_quantile(double *values, size_t count, double quantile);
/* 1.4826 × the median absolute deviation of those that aren't NAN; 0: fewer than two. */
double polish_spread(const double *values, size_t count);

/* What the cells of a mesh say: which hosts are gone, which send or receive badly, which pairs, which groups.
 * Pure. */

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

/* What hosts found in a mesh: a JSON file each, which roce mesh run writes and which here is a stranger's.
 * Its keys are in roce-json(5). Pure. */

enum { RESULTS_FILE_MOST = 64 << 20, RESULTS_CELLS_MOST = 4 << 20 };

struct mesh_results {
    struct arena *arena; /* the caller's */
    const struct peers *peers;
    struct mesh_cell *cells;
    size_t ncells;
    double *rates;   /* by peer */
    bool *told;      /* by peer */
    bool **served;   /* by peer: rounds in which its partner had done its part; NULL: none */
    size_t rounds;   /* the most that a host was to play */
    bool unfinished; /* some host hasn't come to its end */
};

struct mesh_results mesh_results_new(const struct peers *peers, struct arena *arena);
/* Adds a file's. 0; -EINVAL: it is none, what (of arena) says why; -ESTALE: of another list of peers. */
int mesh_results_add(struct mesh_results *results, const char *text, size_t len, const char **what);
/* Of a direction that was told twice, what came last stays. */
void mesh_results_settle(struct mesh_results *results);

const char *cell_state_word(enum cell_state state); /* as the file has it: "measured" */
