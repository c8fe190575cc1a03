/* SPDX-License-Identifier: MIT */
/* Every pair of a cluster: who tests whom and when, with what result, and what the results mean. */
#pragma once

#include "fleet/compare.h"

/* The list that the hosts of a mesh share: who takes part, and who tests whom. Text, one line per rail and
 * host:
 *
 *   ADDRESS HOST DEVICE [RAIL [LEAF]]   a peer; RAIL defaults to DEVICE
 *   rails all                    also pair across rails
 *   rounds N                     a sample: only so many of the rounds in which each meets each
 *   pair ADDRESS ADDRESS         try only the pairs named by such lines
 *
 * '#' begins a comment. All hosts read the same file; each finds itself by its addresses. Pure. */

enum {
    PEERS_MOST = 1 << 17,
    PEERS_PAIRS_MOST = 1 << 20,
    PEERS_WORD_MOST = 63,
    PEERS_TEXT_MOST = 64 << 20,
    PEERS_NOBODY = -1,
};

struct mesh_peer {
    const char *address, *host, *device, *rail;
    const char *leaf; /* NULL if not known */
    uint8_t raw[16];  /* the address as a GID: IPv4 mapped into IPv6 */
    uint32_t rails;   /* number of its rail; peers with the same rail name share it */
    uint32_t hosts;   /* number of its host */
    uint32_t leaves;  /* number of its leaf, from 1; 0: not known */
    uint32_t place;   /* its index among those it can be paired with, itself included: members[first + place] */
    uint32_t first, together; /* together: how many of these there are */
};

struct peers {
    struct mesh_peer *items;
    size_t count, nrails, nhosts, nleaves;
    uint32_t *members; /* peers by number, grouped by rail */
    size_t *order;     /* by address */
    bool all_rails;
    struct {
        uint32_t a, b; /* a < b; sorted */
    } * pairs;
    size_t npairs;            /* 0 for all */
    size_t rounds, rounds_of; /* that are played, of how many */
    uint32_t stamp;           /* hash of the list: hosts with equal stamps have the same list */
};

/* Memory comes from arena. 0; -EINVAL, and fault says why; -E2BIG if a limit is exceeded, fault says which. */
int peers_parse(const char *text, size_t len, struct arena *arena, struct peers *peers,
                struct fleet_fault *fault);
/* The number of the peer with that address, or PEERS_NOBODY. */
int peers_find(const struct peers *peers, const char *address);
/* For qsort(3) and bsearch(3): the order of what begins with the numbers of two peers (uint32_t). */
int ways_compare(const void *one, const void *other);
/* May the two test each other? Peers on the same host never do. */
bool peers_try(const struct peers *peers, size_t a, size_t b);
/* Whom peer i tests in one of peers->rounds; PEERS_NOBODY if it rests. If a tests b, b tests a. */
int peers_partner(const struct peers *peers, size_t i, size_t round);

/* The text of a list: the head, and one line per peer. leaf may be NULL. */
void peers_head(struct bytes *out);
void peers_line(struct bytes *out, const char *address, const char *host, const char *device, const char *rail,
                const char *leaf);

/* The circle method: rounds in which everybody meets everybody once, one meeting at a time. Pure. */

/* How many rounds count players need: count - 1, or count if that is odd, so that one rests in each round. */
size_t circle_rounds(size_t count);
/* Whom player i of count meets in that round; PEERS_NOBODY if it rests. */
int circle_partner(size_t count, size_t round, size_t i);

/* Makes a list of peers from the facts of hosts. Pure. */

struct plan_wish {
    const char *rails; /* comma-separated; NULL for each of them, within itself; "all": across them, too */
    size_t rounds;     /* a sample of so many; 0 for all */
};

struct plan_made {
    size_t ports;      /* without an address reachable from other hosts: they got no line */
    size_t peers;      /* that got one */
    const char *rails; /* all that there are, comma-separated */
    /* What leaves, the switches that ports are in, are known by: "LLDP", "subnets"; or NULL. */
    const char *leaves_by;
    /* by plan_cover(): how many pairs of leaves there are on rails, how many have no pair of peers, and how
     * many peers have no partner */
    size_t pairs, unmet, alone;
};

/* Appends it to out: one line per rail of a host, IPv4 addresses where all hosts have one there, else IPv6. For
 * a sample, lines are in an order without pattern, so that the first rounds lead everywhere. */
void plan_write(struct fleet *fleet, const struct fleet_host *const *hosts, size_t count,
                const struct plan_wish *wish, struct arena *arena, struct bytes *out, struct plan_made *made);
/* What the rounds of that plan, as read, cover. */
void plan_cover(const struct peers *peers, struct plan_made *made);

/* Some cells of a square table, by row and then by column. */
struct grid {
    size_t n, count;
    size_t *rows;     /* n + 1: where each row begins */
    uint32_t *across; /* the cells by column and then by row */
    size_t *columns;  /* n + 1: where each column begins in across */
};

/* The cells of those that can be paired with each other, whose peers have the same `first`: in order from
 * cells[starts[first]] to before cells[starts[first + 1]]. */
struct mesh_split {
    const struct mesh_cell **cells;
    size_t *starts;
};
struct mesh_cell;
struct mesh_split mesh_split(const struct peers *peers, const struct mesh_cell *cells, size_t count,
                             struct arena *arena);

/* Tukey's median polish of such a table: overall + row + column + residual. A row or column that differs as a
 * whole shows in its effect, a single cell in its residual, without affecting each other. Pure. */

struct polish {
    const struct grid *grid;
    double overall;
    double *rows, *columns; /* n each; NAN if nothing is known */
    double *residuals;      /* by cell; NAN where there was no value */
    double sigma;           /* of the residuals, from their median absolute deviation */
};

/* values: of each cell of the grid, which must outlive polish; NAN for none. quantile: 0.5 is the median;
 * higher ones treat a row's upper cells as usual. Free with polish_free(). */
void polish_fit(const double *values, const struct grid *grid, double quantile, struct polish *polish);
void polish_free(struct polish *polish);

/* Sorts values (none of them NAN). Returns NAN if there are none. */
double polish_quantile(double *values, size_t count, double quantile);
/* 1.4826 × the median absolute deviation of those that aren't NAN; 0 for fewer than two. */
double polish_spread(const double *values, size_t count);

/* What the cells of a mesh mean: which hosts are dead, which send or receive badly, which pairs and which
 * groups are bad. Pure. */

/* Of one direction: `from` sends. */
enum cell_state {
    CELL_NONE,        /* nobody tried, or reported it */
    CELL_GOOD,        /* measured */
    CELL_FAILED,      /* they talked, but data didn't flow */
    CELL_UNREACHABLE, /* nobody answered */
    CELL_SKIPPED,     /* tried, but never at the same time: nothing is known */
    CELL_STATES
};

enum mesh_measure { MESH_BANDWIDTH, MESH_LATENCY, MESH_MEASURES };

enum { CELL_TEXT_SIZE = 320, CELL_PORTS_MOST = 32 };

struct mesh_cell {
    uint32_t from, to; /* peers by number */
    enum cell_state state;
    double gbits, latency; /* 10^9 bits/s; µs; 0: not measured */
    /* of the port of `from` while it was measured, whoever caused them; CNPs: those that it received */
    struct num32 retransmissions, cnps;
    unsigned paths, bad_paths;        /* source ports tested; paths is 0 if none */
    uint16_t ports[CELL_PORTS_MOST];  /* the bad ones; 0 where not known */
    const char *step, *what, *likely; /* about a failure; may be NULL. what: also about bad paths */
};

enum odd_kind {
    ODD_DEAD,    /* answers nobody and has left no results */
    ODD_UNHEARD, /* has left no results, though others were answered, or didn't try */
    ODD_LEFT, /* stopped in the middle, while others played to the end; found: its last round, of `expected` */
    ODD_LATE, /* came when `found` rounds had been played */
    ODD_PEER, /* sends and receives badly */
    ODD_SENDER,   /* from[] */
    ODD_RECEIVER, /* to[] */
    ODD_GROUPS,   /* between from[] and to[], both ways */
    ODD_PAIR,     /* from[0] to to[0]; and back if both */
    ODD_PATHS,    /* some source ports of the pair from[0] to to[0] */
    ODD_VERSION,  /* run another roce than most hosts: a peer of each */
    ODD_KINDS
};

struct mesh_odd {
    enum odd_kind kind;
    bool failed; /* data doesn't flow; otherwise it is slow */
    bool both;
    enum mesh_measure measure; /* the one that is slow */
    const uint32_t *from, *to; /* peers */
    size_t nfrom, nto;
    double found, expected;              /* if slow, in the measure's unit; medians */
    size_t cells, tried;                 /* bad ones, out of those tried */
    const char *version, *usual_version; /* with ODD_VERSION */
    struct num retransmissions, cnps;    /* of a sender's, receiver's, peer's or pair's directions together */
    const struct mesh_cell *cell;        /* one with details; may be NULL */
};

struct mesh_verdicts {
    struct mesh_odd *odd; /* worst first */
    size_t nodd;
    size_t counts[CELL_STATES], missing; /* cells; missing: could have been tried */
    size_t judged[MESH_MEASURES];        /* cells with others to compare them to */
};

/* What a peer's host has left. */
struct mesh_heard {
    bool told, finished;
    size_t first, last;  /* the rounds between which it has results, other than "skipped", from 1; 0: none */
    const char *version; /* of roce there; NULL: not known */
};

/* cells: at most one per direction, in the order of these. rates: of each peer in 10^9 bits/s, 0 if not known.
 * heard: of each peer. rounds: how many of peers->rounds were to be played. Memory comes from arena. */
struct mesh_verdicts mesh_judge(const struct peers *peers, const struct mesh_cell *cells, size_t count,
                                const double *rates, const struct mesh_heard *heard, size_t rounds,
                                struct arena *arena);
/* Its part about versions of roce: adds a finding for each but the usual one, which most hosts have; of as many
 * on each side, the newer. */
void mesh_judge_versions(const struct peers *peers, const struct mesh_heard *heard, struct arena *arena,
                         struct mesh_verdicts *out);
/* What was measured; 0 if nothing was. cell may be NULL. */
double mesh_value(const struct mesh_cell *cell, enum mesh_measure measure);
/* Is the finding about what each of from[] and each of to[] do with each other, and not about them? */
bool mesh_odd_is_of_pairs(const struct mesh_odd *odd);

/* What hosts found in a mesh: one JSON file each, written by roce mesh run but untrusted here. Its keys are in
 * roce-json(5). Pure. */

enum { RESULTS_FILE_MOST = 64 << 20, RESULTS_CELLS_MOST = 4 << 20 };

struct mesh_results {
    struct arena *arena; /* the caller's */
    const struct peers *peers;
    const char *file; /* the name of the one that is added; NULL: it has none */
    struct mesh_cell *cells;
    size_t ncells;
    double *rates;            /* by peer */
    struct mesh_heard *heard; /* by peer */
    bool **served;            /* by peer: rounds in which its partner did its part; NULL if none, or not kept */
    size_t rounds;            /* the most that any host was to play */
};

struct mesh_results mesh_results_new(const struct peers *peers, struct arena *arena);
/* Adds the results of one file. Returns 0; -EINVAL if it isn't such a file, and *what, in arena, says why;
 * -ESTALE if it is for another list of peers. */
int mesh_results_add(struct mesh_results *results, const char *text, size_t len, const char **what);
/* If a direction was reported twice, keeps the later report. */
void mesh_results_settle(struct mesh_results *results);

/* The name of a host's file. A host's name in the list may be any word. The caller frees it. */
char *mesh_results_name(const char *host);

const char *cell_state_word(enum cell_state state); /* as in the file: "measured" */
