/* SPDX-License-Identifier: MIT */
/* Many paths between two ports: what ECMP hides from one connection. Each queue pair has a UDP source port of
 * its own, and switches choose the path by it; so one bad path of several shows as some ports that lose,
 * delay or throttle what the others carry well. */
#pragma once

#include "model/qos.h"
#include "model/verdict.h"
#include "selftest/peer/client.h"
#include "selftest/trial/exchange.h"

/* One direction by one source port. */
enum way_state {
    WAY_UNKNOWN, /* could not be looked at */
    WAY_CLEAN,
    WAY_DEAD,  /* loses everything */
    WAY_LARGE, /* loses large packets */
    WAY_LOSSY, /* loses some */
    WAY_SLOW,  /* takes longer than its siblings */
    WAY_RATE,  /* carries less than its siblings */
    WAY_STATES
};

struct way {
    struct num port;                    /* UDP source port of what it carries; where it is known */
    uint32_t qpn;                       /* of the queue pair that sent, for where the port isn't known */
    uint32_t sent, arrived;             /* small messages */
    uint32_t large_sent, large_arrived; /* messages of the path MTU */
    uint32_t mtu;                       /* bytes of the largest message that came; 0: not looked for */
    uint32_t rounds, resent;      /* messages with their answer; those of them that something was lost of */
    uint32_t tries, tries_resent; /* to play rounds; with some lost */
    double rtt;                   /* µs, of a round: the lower quartile, of the best try; 0: not measured */
    double gbits;                 /* 10^9 bits/s; 0: not measured */
    enum way_state state;         /* paths_judge() fills it */
};

/* There: what this host sends. */
enum direction { THERE, BACK, DIRECTIONS };

/* Why an answer took long: somebody kept it, or the way. */
struct slowness {
    uint32_t rounds, slow, by_peer, by_us; /* the rest of slow: the way */
    double most_peer;                      /* µs, the longest that the other host kept one */
};

struct datagrams {
    uint32_t sent, arrived, answered, reordered[DIRECTIONS];
    uint16_t traffic_class[DIRECTIONS]; /* as they came; EXCHANGE_NO_CLASS: not known */
    bool by_device[DIRECTIONS]; /* how long the other end, or this one, kept them is told by its device's clock
                                 */
    struct slowness slowness;
};

struct paths {
    uint32_t count, mtu; /* mtu: of the path, bytes */
    uint8_t traffic_class;
    bool apart; /* the directions were measured apart, each beside one clean way of the other */
    struct way ways[DIRECTIONS][PATHS_MOST];
    struct slowness slowness;
    struct datagrams datagrams; /* sent 0: the devices have none */
};

struct paths_spec {
    uint32_t count; /* 1 to PATHS_MOST */
    uint8_t traffic_class;
    bool rates; /* measure them, too */
    void (*progress)(void *data, const char *text);
    void *data;
};

/* Looks at them, by a client that is open; its other queue pairs are closed. Fills paths and judges them. 0,
 * or -errno with failure filled: the test itself broke off. */
int paths_run(struct client *client, const struct paths_spec *spec, struct paths *paths,
              struct failure *failure);
/* Only the datagrams (numbered, both ways), with any traffic class. */
int paths_datagrams(struct client *client, uint8_t traffic_class, struct datagrams *datagrams,
                    struct failure *failure);

/* Pure: adds the rounds of another try, at another time. What disturbed one of them alone is no pattern. */
void way_add_try(struct way *way, const struct way *another);
/* Pure: what each way is, beside its siblings. */
void paths_judge(struct paths *paths);
unsigned paths_in(const struct paths *paths, enum direction direction, enum way_state state);
const char *way_state_text(
    enum way_state state); /* "loses everything", …: "2 of 16 source ports lose …" has the plural */
/* Does every way that could be looked at carry all as well as the others? */
bool paths_are_clean(const struct paths *paths);

enum { PATHS_TEXT_SIZE = 400 };
/* Pure, in words: did any get lost; did the DSCP change on the way? false: no. */
bool datagrams_lost(const struct datagrams *datagrams, char text[static PATHS_TEXT_SIZE]);
bool datagrams_rewritten(const struct datagrams *datagrams, uint8_t traffic_class,
                         char text[static PATHS_TEXT_SIZE]);
/* What it comes to, in words: number i, false when there is no more. */
bool paths_words(const struct paths *paths, unsigned i, char text[static PATHS_TEXT_SIZE]);

/* Traffic classes between two ports: each by numbered datagrams, whose header says with which DSCP they came;
 * the counters of both ports, where they count by priority, say on which one. */

/* By DIRECTION: on which priority one end sent, and the other received. */
struct class_priorities {
    struct priority_found sent[DIRECTIONS], received[DIRECTIONS];
};

/* One end of it. */
struct class_counter {
    bool known;                /* it counts by priority, and its counters have followed so far */
    struct wire_priorities at; /* the last reading */
};

struct class_counting {
    struct client *client;
    struct priority_counts (*read)(void *data); /* what this host has counted by now */
    void *data;
    struct class_counter near, far;
};

/* The first reading of both ends; near.at.netdevs is the caller's to fill. 0; -EOPNOTSUPP: the server is
 * older than this question and has ended the session; else -errno, with failure filled. */
int classes_begin(struct class_counting *counting, struct failure *failure);
/* What was counted of these datagrams, just sent. Counters that come late (bnxt's once a second) are waited
 * for. 0, or -errno with failure filled. */
int classes_count(struct class_counting *counting, const struct datagrams *datagrams,
                  struct class_priorities *priorities, struct failure *failure);

/* Pure: what it comes to, with words to it ("": nothing to say). */
enum verdict classes_judge(uint8_t traffic_class, const struct datagrams *datagrams,
                           const struct class_priorities *priorities, char text[static PATHS_TEXT_SIZE]);
/* Pure: whose counters don't tell, in words. false: both tell. far_host: what the other one calls itself. */
bool classes_silent(const struct class_counting *counting, const char *far_host,
                    char text[static PATHS_TEXT_SIZE]);
