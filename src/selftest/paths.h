/* SPDX-License-Identifier: MIT */
/* Many paths between two ports: what ECMP hides from a single connection. Each queue pair has its own UDP
 * source port, by which switches choose the path; one bad path among several shows as some ports that lose,
 * delay or throttle what the others carry well. */
#pragma once

#include "model/verdict.h"
#include "selftest/peer/peer.h"

/* One direction with one source port. */
enum way_state {
    WAY_UNKNOWN, /* could not be tested */
    WAY_CLEAN,
    WAY_DEAD,  /* loses everything */
    WAY_LARGE, /* loses large packets */
    WAY_GAPS,  /* falls silent again and again */
    WAY_LOSSY, /* loses some */
    WAY_SLOW,  /* takes longer than its siblings */
    WAY_RATE,  /* carries less than its siblings */
    WAY_STATES
};

struct way {
    struct num port;                    /* UDP source port of what it carries, if known */
    uint32_t qpn;                       /* of the sending queue pair, if the port isn't known */
    uint32_t sent, arrived;             /* small messages */
    uint32_t large_sent, large_arrived; /* messages of the path MTU */
    uint32_t mtu;                       /* bytes of the largest message that arrived; 0: not tested */
    uint32_t rounds, resent;            /* messages with their answer; and those with a loss */
    uint32_t tries, tries_resent;       /* at playing rounds; and those with a loss */
    double rtt;                         /* µs per round: the best try's lower quartile; 0: not measured */
    double gbits;                       /* 10^9 bits/s; 0: not measured */
    double late_chance, low_chance;     /* that chance alone puts its rtt, or gbits, so far behind its siblings'
                                           (the largest of all tries); 0: not looked at */
    struct silences silences;           /* while it was watched the second time */
    enum way_state state;               /* filled by paths_judge() */
};

/* THERE: what this host sends. */
enum direction { THERE, BACK, DIRECTIONS };

/* Whose the losses of round trips are. */
enum loss {
    LOSS_NONE,
    LOSS_UNCLEAR, /* too few to tell the next two apart */
    LOSS_SHARED,  /* of what all ports share: they lose alike */
    LOSS_SPLIT    /* of some ports: that chance would part them so is less likely than 1 in 10,000 */
};

/* Why answers took long: a host held them back, or the path is slow. */
struct slowness {
    uint32_t rounds, slow, by_peer, by_us; /* the rest of slow: the path */
    double most_peer;                      /* µs, the longest that the other host held one */
};

struct datagrams {
    uint32_t sent, arrived, answered, reordered[DIRECTIONS];
    uint16_t traffic_class[DIRECTIONS]; /* as the last arrived, or one that was rewritten; EXCHANGE_NO_CLASS */
    bool by_device[DIRECTIONS];         /* the other (this) end's device clock says how long it held them */
    struct slowness slowness;
    uint32_t duplicated; /* that came again, or whose answers did */
    /* Source ports whose datagrams came, there and back; and those on which they came with another DSCP, or
     * some were marked (ECN: CE). */
    uint32_t ports, rewritten[DIRECTIONS], marked[DIRECTIONS];
};

struct paths {
    uint32_t count, mtu; /* mtu: of the path, in bytes */
    uint8_t traffic_class;
    struct way ways[DIRECTIONS][PATHS_MOST];
    enum loss loss[DIRECTIONS]; /* filled by paths_judge() */
    unsigned watched_ms;        /* for what comes and goes, in all */
    struct slowness slowness;
    struct datagrams datagrams; /* sent is 0 if the devices have none */
};

struct paths_spec {
    uint32_t count; /* 1 to PATHS_MOST */
    uint8_t traffic_class;
    bool rates;  /* measure them as well */
    double loss; /* that is to be seen on any of them, as a share; 0: no more than is quick */
    void (*progress)(void *data, const char *text);
};

/* Tests them with an open client, whose other queue pairs are closed. Fills and judges paths. Returns 0, or
 * -errno with failure filled if the test itself broke off. */
int paths_run(struct client *client, const struct paths_spec *spec, struct paths *paths,
              struct failure *failure);
/* Only the datagrams (numbered, both ways), with any traffic class. */
int paths_datagrams(struct client *client, uint8_t traffic_class, struct datagrams *datagrams,
                    struct failure *failure);

/* Pure: fills the rounds of a try. trips: `most` places for each way, of which played[i] were, in ascending
 * order. */
void ways_fill(struct way *ways, uint32_t count, const struct round_trip *trips, uint32_t most,
               const uint32_t *played);
/* Pure: adds the rounds of another try, made at another time. Trouble in only one of them isn't a pattern. */
void way_add_try(struct way *way, const struct way *another);
/* Pure: adds what the way was measured with once more, beside a sibling: ns a bit of so many transfers of each.
 */
void way_add_slices(struct way *way, const double *own, const double *others, size_t count);
/* Pure: the chance that values which differ from the rest by chance alone rank so high: Wilcoxon's rank sum,
 * one-sided, ties share their rank, by the normal approximation. Both in ascending order; all: `own` and the
 * rest. 1 where there is no rest. */
double rank_chance(const double *own, size_t n, const double *all, size_t count);
/* Pure: judges each way against its siblings. */
void paths_judge(struct paths *paths);
unsigned paths_in(const struct paths *paths, enum direction direction, enum way_state state);
const char *way_state_text(
    enum way_state state); /* "loses everything", …: "2 of 16 source ports lose …" has the plural */
/* Does every way that could be tested carry everything as well as the others? */
bool paths_are_clean(const struct paths *paths);
/* Pure: how many equal paths of a fabric so many source ports, of which each takes one by chance, all reach
 * with 95 %. */
unsigned paths_reached(unsigned ports);
/* Pure: of how many equal paths one would be that bad ports of so many take, with 95 %: from least to most. */
struct paths_range {
    unsigned least, most;
};
struct paths_range paths_like(unsigned bad, unsigned ports);
/* Pure: how many rounds a look needs for that bound, from least to most; least for 0. */
double paths_rounds(double loss, double least, double most);

enum { PATHS_TEXT_SIZE = 400 };
/* Pure: adds those of another source port. sum: zero before the first. */
void datagrams_add(struct datagrams *sum, const struct datagrams *port, uint8_t traffic_class);
/* Pure, in words: were any lost, did the DSCP change on the way? Returns false if not. */
bool datagrams_lost(const struct datagrams *datagrams, char text[static PATHS_TEXT_SIZE]);
bool datagrams_rewritten(const struct datagrams *datagrams, uint8_t traffic_class,
                         char text[static PATHS_TEXT_SIZE]);
/* The conclusions in words, in arena; returns how many. */
size_t paths_words(const struct paths *paths, struct arena *arena, const char ***words);

/* Traffic classes between two ports: numbered datagrams are sent in each, whose headers show the DSCP on
 * arrival; port counters on both ends, where they count by priority, show which priority they used. */

/* By DIRECTION: the priority on which one end sent, and on which the other received. */
struct class_priorities {
    struct priority_found sent[DIRECTIONS], received[DIRECTIONS];
};

/* One end. */
struct class_counter {
    bool known;                /* it counts by priority, and its counters have kept up so far */
    struct wire_priorities at; /* the last reading */
};

struct class_counting {
    struct client *client;
    struct priority_counts (*read)(void *data); /* what this host has counted by now */
    void *data;
    struct class_counter near, far;
};

/* Takes the first reading of both ends; the caller fills near.at.netdevs. Returns 0, or -errno with failure
 * filled. */
int classes_begin(struct class_counting *counting, struct failure *failure);
/* What was counted for these datagrams, just sent. Waits for counters that lag (bnxt's by up to a second).
 * Returns 0, or -errno with failure filled. */
int classes_count(struct class_counting *counting, const struct datagrams *datagrams,
                  struct class_priorities *priorities, struct failure *failure);

/* Pure: the verdict, with an explanation ("" if there is nothing to say). */
enum verdict classes_judge(uint8_t traffic_class, const struct datagrams *datagrams,
                           const struct class_priorities *priorities, char text[static PATHS_TEXT_SIZE]);
/* Pure: says which end doesn't count by priority. Returns false if both do. far_host: the other host's name. */
bool classes_silent(const struct class_counting *counting, const char *far_host,
                    char text[static PATHS_TEXT_SIZE]);
