/* SPDX-License-Identifier: MIT */
/* What selftest and ping test, and in which order. */
#pragma once

#include "command/command.h"
#include "selftest/result.h"

/* The options of selftest and ping: which trials to run, and how. */

extern const struct option_def trial_options[];
/* duration: of a measurement in ms, if none is given. Returns 0, or -EINVAL after saying what is wrong. */
int trial_options_read(const struct args *args, uint32_t duration, struct test_options *options);
/* --memory. *memory stays as it is without it. Returns 0, or -errno after saying what is wrong. */
int memory_choose(const struct args *args, struct memory **memory);
/* For struct run: prints one of several measurements. context: struct context. */
void trial_interval(void *context, const struct result *result);

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
/* The same among rails that were measured at once. */
void rails_judge(struct results *results);
