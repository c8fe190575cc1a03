/* SPDX-License-Identifier: MIT */
/* Which GID a library takes, by its own rule and its variables. Pure. */
#pragma once

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
/* "nccl", "ucx", … and back; CONSUMERS if it isn't one. */
const char *consumer_name(enum consumer consumer);
enum consumer consumer_parse(const char *name);

struct choice {
    const struct gid *gid; /* NULL: index names an empty slot, or there is nothing to take */
    uint32_t index;
    bool taken;        /* index is valid; false: none to report */
    bool pinned;       /* a setting decided; why is its name */
    bool left_out;     /* a setting excludes the port; why is its name */
    bool unused;       /* the consumer doesn't use the port, which is fine */
    bool unknown;      /* what it takes can't be told: the port's GIDs aren't known */
    const char *why;   /* static text */
    struct setting by; /* for pinned and left_out */
    const char *flaw;  /* why the choice is bad, static text; NULL if it is good */
};

/* What consumer takes on a port, including InfiniBand and iWARP ports, with the host's variables. nccl.c, ucx.c
 * and consumer.c say which versions' rules these are. Settings come from the environment or from the library's
 * own files (nccl.conf, rccl.conf, ucx.conf). */
struct choice consumer_choose(enum consumer consumer, const struct host *host, const struct port *port);
/* What it would take if nothing were pinned or filtered; with told, if it had the settings it needs on this
 * port: for NCCL and RCCL to look for IPv6, for UCX the index if it skips the port because GID 0 is empty, and
 * for all three the index if GIDs that are useless here precede the good one. */
struct choice consumer_advise(enum consumer consumer, const struct host *host, const struct port *port,
                              bool told);
/* The better of both: not told, if that is good. */
struct choice consumer_best(enum consumer consumer, const struct host *host, const struct port *port);
/* Does the GID belong to a tunnel (VXLAN, GENEVE, GRE), whose header a card doesn't add to RoCE packets? A
 * software device's GID may. Needs NEED_NETDEV_ALL. */
bool gid_is_of_tunnel(const struct host *host, const struct port *port, const struct gid *gid);
/* Does a variable such as NCCL_IB_HCA let the consumer use the port? */
bool consumer_takes_port(enum consumer consumer, const struct system *system, const struct port *port);
/* The index that a variable such as NCCL_IB_GID_INDEX pins; false if none does. */
bool consumer_pin(enum consumer consumer, const struct system *system, uint32_t *index);
/* The consumer's setting of that name; value NULL if not set. */
struct setting consumer_setting(enum consumer consumer, const struct system *system, const char *name);
/* The names of settings that decide on ports and GIDs; ends with NULL. */
const char *const *consumer_variables(enum consumer consumer);
/* Does the environment or a file configure NCCL, RCCL or UCX? Then it is used here. */
bool consumer_is_configured(enum consumer consumer, const struct system *system);
/* A number as ncclLoadParam() in NCCL's src/misc/param.cc reads it: 0 if it isn't a number, the default if it
 * is too large or NULL. */
int64_t nccl_number(const char *text, int64_t otherwise);
/* NCCL and RCCL: does NCCL_IB_DISABLE disable it? */
bool consumer_is_disabled(enum consumer consumer, const struct system *system);
/* Does NCCL's list of interfaces (NCCL_SOCKET_IFNAME) include this one? */
bool consumer_takes_socket(const char *list, const char *netdev);
/* Does UCX_TLS allow a transport that the host's RDMA devices offer? */
bool consumer_offers_rdma(const char *tls, const struct host *host);

/* How a consumer's packets are marked on RoCE ports, unless the application asks otherwise. */
struct traffic {
    unsigned tos;                 /* in the frames */
    unsigned sl;                  /* the PCP of tagged ones */
    struct setting tos_by, sl_by; /* value NULL: its default */
};
struct traffic consumer_traffic(enum consumer consumer, const struct system *system);

/* The consumers' rules, one file per library. Private to consumer/. */

/* A library's settings: the machine's variables and library files, or what is advised. */
struct settings {
    const struct system *system;
    enum library library;
};
/* NULL: not set. */
static inline const char *settings_value(const struct settings *settings, const char *name)
{
    return system_setting(settings->system, settings->library, name).value;
}

/* A rule's result when no slot fits. */
enum { NO_SLOT = -1 };

/* Each rule takes a RoCE port with a GID table, and returns the index of a slot, which may be empty, or
 * NO_SLOT. */

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
/* Will UCX use the port at all? It needs a GID with an interface id in the pinned slot, or else in slot 0. */
bool ucx_accepts(const struct settings *settings, const struct port *port);
bool ucx_has_subnets(const struct settings *settings); /* UCX_IB_ROCE_SUBNETS */
/* UCX_IB_TRAFFIC_CLASS and UCX_IB_SL */
void ucx_traffic(const struct settings *settings, unsigned *tos, unsigned *sl);
