/* SPDX-License-Identifier: MIT */
/* Which GID a library takes, by its own rule and what its variables tell it. Pure. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "model/device.h"
#include "model/host.h"

enum consumer {
    CONSUMER_NCCL,
    CONSUMER_RCCL,
    CONSUMER_UCX,
    CONSUMER_PERFTEST,
    CONSUMER_RDMA_CM,
    CONSUMER_LIBFABRIC,
    CONSUMER_MPI,
    CONSUMERS
};
/* "nccl", "ucx", … and back; CONSUMERS when it is none. */
const char *consumer_name(enum consumer consumer);
enum consumer consumer_parse(const char *name);
/* The rule in one sentence, and where it is written. */
const char *consumer_rule(enum consumer consumer);

struct choice {
    const struct gid *gid; /* NULL: index names an empty slot, or there is nothing to take */
    uint32_t index;
    bool taken;       /* index is one; false: there is none to tell */
    bool pinned;      /* an environment variable decided, and why is its name */
    bool unused;      /* the consumer leaves the port out, and nothing is wrong with that */
    const char *why;  /* static text */
    const char *flaw; /* why the choice is bad, static text; NULL: it is good */
};

/* What consumer takes on a port, InfiniBand's and iWARP's too, with the variables of the host. Which
 * versions' rules these are stands where each is written: consumer_nccl.c, consumer_ucx.c, consumer.c. Files
 * that configure a library (nccl.conf, ucx.conf) are not looked at. */
struct choice consumer_choose(enum consumer consumer, const struct host *host, const struct port *port);
/* What it would take if nothing were pinned or filtered; with told, if it were told what it needs to be told on
 * this port: NCCL and RCCL to look for IPv6, UCX the index where it leaves the port out because GID 0 is empty. */
struct choice consumer_advise(enum consumer consumer, const struct host *host, const struct port *port,
                              bool told);
/* Is the port one that a variable such as NCCL_IB_HCA leaves to the consumer? */
bool consumer_takes_port(enum consumer consumer, const struct system *settings, const struct port *port);
/* The index that a variable such as NCCL_IB_GID_INDEX pins; false: none does. */
bool consumer_pin(enum consumer consumer, const struct system *settings, uint32_t *index);
