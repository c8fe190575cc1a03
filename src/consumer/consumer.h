/* SPDX-License-Identifier: MIT */
/* Which GID a library takes, by its own rule and what its variables tell it. Pure. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/device.h"
#include "model/host.h"
#include "model/system.h"

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
    bool taken;        /* index is one; false: there is none to tell */
    bool pinned;       /* a setting decided, and why is its name */
    bool left_out;     /* a setting leaves the port out, and why is its name */
    bool unused;       /* the consumer leaves the port out, and nothing is wrong with that */
    const char *why;   /* static text */
    struct setting by; /* the setting of pinned and left_out */
    const char *flaw;  /* why the choice is bad, static text; NULL: it is good */
};

/* What consumer takes on a port, InfiniBand's and iWARP's too, with the variables of the host. Which
 * versions' rules these are stands where each is written: nccl.c, ucx.c, consumer.c. A
 * setting is the environment's, or of the library's own files (nccl.conf, rccl.conf, ucx.conf). */
struct choice consumer_choose(enum consumer consumer, const struct host *host, const struct port *port);
/* What it would take if nothing were pinned or filtered; with told, if it were told what it needs to be told
 * on this port: NCCL and RCCL to look for IPv6, UCX the index where it leaves the port out because GID 0 is
 * empty, and all three the index where GIDs that are no use here come before the good one. */
struct choice consumer_advise(enum consumer consumer, const struct host *host, const struct port *port,
                              bool told);
/* Does the GID belong to a tunnel (VXLAN, GENEVE, GRE), whose header a card doesn't put around RoCE's
 * packets? Of a device in software it may. Goes by NEED_NETDEV_ALL. */
bool gid_is_of_tunnel(const struct host *host, const struct port *port, const struct gid *gid);
/* Is the port one that a variable such as NCCL_IB_HCA leaves to the consumer? */
bool consumer_takes_port(enum consumer consumer, const struct system *system, const struct port *port);
/* The index that a variable such as NCCL_IB_GID_INDEX pins; false: none does. */
bool consumer_pin(enum consumer consumer, const struct system *system, uint32_t *index);
/* What the consumer is told for a name; value NULL: nothing. */
struct setting consumer_setting(enum consumer consumer, const struct system *system, const char *name);
/* The names that decide about ports and GIDs; NULL ends. */
const char *const *consumer_variables(enum consumer consumer);
/* Does the environment or a file tell NCCL, RCCL or UCX anything? Then it is used here. */
bool consumer_is_configured(enum consumer consumer, const struct system *system);
/* A number as ncclLoadParam() of NCCL's src/misc/param.cc reads it: what is no number is 0, what is too
 * large, or NULL, the default. */
int64_t nccl_number(const char *text, int64_t otherwise);
/* NCCL and RCCL: does NCCL_IB_DISABLE say so? */
bool consumer_is_disabled(enum consumer consumer, const struct system *system);
/* Does NCCL's list of interfaces (NCCL_SOCKET_IFNAME) take this one? */
bool consumer_takes_socket(const char *list, const char *netdev);
/* Does UCX_TLS leave a transport that the host's RDMA devices have? */
bool consumer_offers_rdma(const char *tls, const struct host *host);

/* What marks a consumer's packets on RoCE ports; the application's own wishes aside. */
struct traffic {
    unsigned tos;                 /* what the frames carry */
    unsigned sl;                  /* the PCP of tagged ones */
    struct setting tos_by, sl_by; /* value NULL: its default */
};
struct traffic consumer_traffic(enum consumer consumer, const struct system *system);

/* The rules of consumers, a file a library. Private to consumer/. */

/* What a library is told: the variables and the library's files of the machine, or what is advised. */
struct settings {
    const struct system *system;
    enum library library;
};
/* NULL: not set. */
static inline const char *settings_value(const struct settings *settings, const char *name)
{
    return system_setting(settings->system, settings->library, name).value;
}

/* What a rule comes to when no slot fits it. */
enum { NO_SLOT = -1 };

/* Each rule is asked about a RoCE port with a GID table, and gives the slot's index, which may be an empty
 * one's, or NO_SLOT. */

int64_t nccl_choose(const struct settings *settings, const struct port *port);
/* The same for an InfiniBand port. */
int64_t nccl_choose_infiniband(const struct settings *settings, const struct port *port);
bool nccl_is_disabled(const struct settings *settings);                         /* NCCL_IB_DISABLE */
bool nccl_takes_port(const struct settings *settings, const struct port *port); /* NCCL_IB_HCA */
bool nccl_pin(const struct settings *settings, uint32_t *index);                /* NCCL_IB_GID_INDEX */
bool nccl_wants_v6(const struct settings *settings);                            /* NCCL_IB_ADDR_FAMILY */
bool nccl_has_range(const struct settings *settings);                           /* NCCL_IB_ADDR_RANGE */
/* NCCL_IB_TC and NCCL_IB_SL */
void nccl_traffic(const struct settings *settings, unsigned *tos, unsigned *sl);

int64_t ucx_choose(const struct settings *settings, const struct port *port);
bool ucx_takes_port(const struct settings *settings, const struct port *port); /* UCX_NET_DEVICES */
bool ucx_pin(const struct settings *settings, uint32_t *index);                /* UCX_IB_GID_INDEX */
/* Will UCX use the port at all? It wants a GID with an interface id in the slot it is pinned to, else in 0. */
bool ucx_accepts(const struct settings *settings, const struct port *port);
bool ucx_has_subnets(const struct settings *settings); /* UCX_IB_ROCE_SUBNETS */
/* UCX_IB_TRAFFIC_CLASS and UCX_IB_SL */
void ucx_traffic(const struct settings *settings, unsigned *tos, unsigned *sl);

int64_t perftest_choose(const struct settings *settings, const struct port *port);
int64_t rdma_cm_choose(const struct settings *settings, const struct port *port);
