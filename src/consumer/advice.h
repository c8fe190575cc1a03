/* SPDX-License-Identifier: MIT */
/* The best settings for a consumer on a host: which ports, which GID, and the line to paste. Pure. */
#pragma once

#include "consumer/consumer.h"

struct advised_port {
    const struct port *port;
    struct choice choice;  /* as things are now */
    struct choice advised; /* with the line pasted */
    bool not_taken;        /* NCCL: every accelerator has a port on its switch, and this isn't one of them */
    bool apart;            /* its address is of another kind than that of most: neither reaches the other */
    bool other_prefix;     /* or has another prefix length than those of the ports like it */
};

struct advice {
    enum consumer consumer;
    const struct host *host;
    bool asked;                 /* the user named ports: all of them are wanted */
    struct advised_port *ports; /* those the rules cover */
    size_t count;
    uint64_t rail_mbps; /* NCCL: slower ports are for something else; 0: they are all alike */
    bool indexes_differ, transports_differ;
    bool none_left;                        /* a setting excludes all ports: what it names isn't here */
    bool by_tcp;                           /* or is an interface, which UCX uses over TCP */
    size_t bad;                            /* bad choices that matter to the caller, who sets it */
    const struct advised_port *first_good; /* NULL: none is good */
};

/* For nports ports, of which some may have another prefix length (NULL: none). Memory is the host's. */
struct advice consumer_advice(enum consumer consumer, const struct host *host, const struct port *const *ports,
                              const bool *other_prefix, size_t nports, bool asked);
/* Which GID it takes, in one sentence. */
const char *consumer_rule(enum consumer consumer);
/* In one sentence. */
const char *advice_text(const struct advice *advice);
/* NULL if there is nothing good to paste. */
const char *advice_line(const struct advice *advice);
/* Is the port in that line? One left aside would be used, but is slower than the rails, no accelerator's, or
 * out of the others' reach. */
bool advice_names(const struct advice *advice, const struct advised_port *port);
bool advice_leaves_aside(const struct advice *advice, const struct advised_port *port);
bool advice_is_slower(const struct advice *advice, const struct advised_port *port);
