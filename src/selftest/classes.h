/* SPDX-License-Identifier: MIT */
/* Traffic classes between two ports: each by numbered datagrams, whose header says with which DSCP they came;
 * the counters of both ports, where they count by priority, say on which one. */
#pragma once

#include "model/priority_counts.h"
#include "model/verdict.h"
#include "selftest/paths.h"

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
