/* SPDX-License-Identifier: MIT */
/* What a consumer is best told on a host: which ports, which GID, and the line to paste. Pure. */
#pragma once

#include "consumer/consumer.h"

struct advised_port {
    const struct port *port;
    struct choice choice;  /* as things are */
    struct choice advised; /* what it would be with the line to paste */
    bool not_taken;        /* NCCL: each accelerator has a port on its switch, and this one is none's */
};

struct advice {
    enum consumer consumer;
    const struct host *host;
    bool asked;                 /* for some ports: all of them are wanted */
    struct advised_port *ports; /* those that the rules speak of */
    size_t count;
    uint64_t rail_mbps; /* NCCL: ports below that rate are for something else; 0: they are all alike */
    bool indexes_differ, transports_differ;
    bool none_left;                        /* a setting leaves all ports out: what it names isn't here */
    bool by_tcp;                           /* or is an interface, which UCX uses by TCP */
    size_t bad;                            /* choices that matter to who asks, who sets it */
    const struct advised_port *first_good; /* NULL: there is nothing good */
};

/* Of ports[], nports of them. Memory is the host's. */
struct advice consumer_advice(enum consumer consumer, const struct host *host, const struct port *const *ports,
                              size_t nports, bool asked);
/* In one sentence. */
const char *advice_text(const struct advice *advice);
/* NULL when there is nothing good to paste. */
const char *advice_line(const struct advice *advice);
/* Is the port in that line? One that is aside would be used, and is slower than the rails, or no accelerator's.
 */
bool advice_names(const struct advice *advice, const struct advised_port *port);
bool advice_leaves_aside(const struct advice *advice, const struct advised_port *port);
bool advice_is_slower(const struct advice *advice, const struct advised_port *port);
