/* SPDX-License-Identifier: MIT */
/* What selftest and ping test, and in which order. */
#pragma once

#include "command/command.h"
#include "model/host.h"
#include "selftest/result.h"
#include "selftest/trial/trial.h"

/* The options of selftest and ping: which trials to run, and how. */

/* Rows of struct command.options. */
#define TRIAL_OPTIONS                                                                                        \
    { "op", 0, ARG_TEXT, .arg = "LIST",                                                                      \
      .help = "only these: send,write,write-imm,read,compare-swap,fetch-add" },                              \
        { "size", 0, ARG_TEXT, .arg = "LIST", .help = "measure these message sizes: 8,64k,1m" },             \
        { "duration", 0, ARG_TEXT, .arg = "SECONDS", .help = "duration of each measurement" },               \
        { "iterations", 0, ARG_TEXT, .arg = "N",                                                             \
          .help = "number of messages per measurement, instead of a duration" },                             \
        { "queues", 0, ARG_TEXT, .arg = "N", .help = "queue pairs for bandwidth (default 1)" },              \
        { "both-ways", 0, ARG_NONE, .help = "bandwidth in both directions at once" },                        \
        { "mtu", 0, ARG_TEXT, .arg = "BYTES", .help = "path MTU: 256, 512, 1024, 2048 or 4096" },            \
        { "traffic-class", 0, ARG_TEXT, .arg = "N",                                                          \
          .help = "traffic class (TOS) of the packets: 106 is DSCP 26" },                                    \
        { "hop-limit", 0, ARG_TEXT, .arg = "N",                                                              \
          .help = "hop limit (TTL) to ask for (default 64); for RoCE v2 Linux uses the route's instead" },   \
        { "timeout", 0, ARG_TEXT, .arg = "SECONDS", .help = "longest wait in any single step (default 5)" }, \
        { "thorough", 0, ARG_NONE, .help = "verify up to 8 MiB with every operation and GID" },              \
        { "verify", 0, ARG_NONE, .help = "verify only, unless something to measure is asked for as well" },  \
        { "measure", 0, ARG_NONE, .help = "measure only: latency and bandwidth" },                           \
        { "latency", 0, ARG_NONE, .help = "measure latency only" },                                          \
    {                                                                                                        \
        "bandwidth", 0, ARG_NONE, .help = "measure bandwidth only"                                           \
    }

/* duration: of a measurement in ms, if none is given. Returns 0, or -EINVAL after saying what is wrong. */
int trial_options(const struct args *args, uint32_t duration, struct test_options *options);

/* Testing two ports of one host against each other: with which GIDs, and whether routing allows it. Pure. Needs
 * NEAR_NEEDS and NEED_ROUTES. */

struct port_pair {
    const struct port *from, *to;
    const struct gid *from_gid, *to_gid; /* NULL if they share no kind; why then says so */
    enum tristate same_network;
    const char *why; /* in the host's memory: why they can't reach each other; NULL if they may */
};

/* The best pair of GIDs of the same type and kind (IPv4, IPv6, link-local). */
struct port_pair port_pair_of(const struct host *host, const struct port *from, const struct port *to);

/* A failure that only shows that there is no route between them isn't one: makes it N/A, with a note. */
void port_pair_judge(const struct host *host, const struct port_pair *pair, struct result *result);

/* Measurements with memory and thread on each NUMA node: which are slower than they should be. Pure. */

/* Marks measurements whose node is known: WARN if one is much slower than those of similar ports from an
 * equally near node (it takes two of them); otherwise notes its share of the port's best node. */
void by_node_judge(const struct host *host, struct results *results);
