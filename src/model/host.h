/* struct host: one moment of one machine, plain data. Filled by source/, read by everything else.
 * All memory belongs to host->arena. Absent is NULL, !known, TRI_UNKNOWN or an empty array with its reason in
 * problems. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/device.h"
#include "model/netdev.h"
#include "model/num.h"
#include "model/route.h"
#include "model/system.h"

struct arena;
struct qos;       /* model/qos.h */
struct resources; /* model/resources.h */

/* What a command asks host_read() for. Each stands for a few files or requests; nothing else is read. */
typedef uint64_t needs_t;
#define NEED(n) ((needs_t)1 << (n))
enum {
    /* device names, node_type, port numbers and link layers are always read */
    NEED_GUIDS_BIT,       /* node_guid, sys_image_guid */
    NEED_FW_BIT,          /* fw_ver */
    NEED_IDENT_BIT,       /* hca_type, hw_rev, board_id, node_desc */
    NEED_PCI_BIT,         /* the parent: driver, ids, NUMA, link, SR-IOV, upstream bridges */
    NEED_NODES_BIT,       /* uverbs, umad, rdma_cm device nodes and whether they open */
    NEED_STATE_BIT,       /* state, phys_state */
    NEED_RATE_BIT,        /* rate */
    NEED_IB_BIT,          /* lid, sm_lid, lmc, sm_sl, cap_mask */
    NEED_PKEYS_BIT,       /* the pkey table */
    NEED_GIDS_BIT,        /* the whole GID table with types and netdevs of filled slots */
    NEED_GID_SUMMARY_BIT, /* only as many slots as status needs: see struct port.gids_complete */
    NEED_TC_BIT,          /* tc/N/traffic_class and ttl */
    NEED_COUNTERS_BIT,    /* counters, hw_counters, counters_ext */
    NEED_NETDEV_BIT,      /* the netdevs of ports: name, MTU, state */
    NEED_NETDEV_ALL_BIT,  /* every netdev of the machine, with all its attributes */
    NEED_NLDEV_BIT,       /* nldev: devices and ports */
    NEED_RESOURCES_BIT,   /* nldev: QPs, CQs, MRs and who owns them */
    NEED_ADDRESSES_BIT,   /* rtnetlink: addresses, links, bonds, VLANs */
    NEED_ROUTES_BIT,      /* rtnetlink: routes, neighbours, rules */
    NEED_QOS_BIT,         /* dcbnl, ethtool netlink, devlink, ecn */
    NEED_MODE_BIT,        /* configfs: RDMA_CM's default RoCE mode and TOS */
    NEED_SYSTEM_BIT,      /* limits, capabilities, modules, sysctls, distribution, firewall */
    NEED_VERBS_BIT,       /* libibverbs: device and port attributes (opens devices) */
    NEED_VERBS_LIST_BIT,  /* libibverbs: which devices it shows, in its order (opens none) */
    NEED_GID_FIRST_BIT,   /* slot 0's value only, what ibstat calls the port GUID */
    NEED_VPD_BIT,         /* vital product data of devices' PCI functions: slow on real hardware, root only */
    NEED_BITS
};
#define NEED_GUIDS NEED(NEED_GUIDS_BIT)
#define NEED_FW NEED(NEED_FW_BIT)
#define NEED_IDENT NEED(NEED_IDENT_BIT)
#define NEED_PCI NEED(NEED_PCI_BIT)
#define NEED_NODES NEED(NEED_NODES_BIT)
#define NEED_STATE NEED(NEED_STATE_BIT)
#define NEED_RATE NEED(NEED_RATE_BIT)
#define NEED_IB NEED(NEED_IB_BIT)
#define NEED_PKEYS NEED(NEED_PKEYS_BIT)
#define NEED_GIDS NEED(NEED_GIDS_BIT)
#define NEED_GID_SUMMARY NEED(NEED_GID_SUMMARY_BIT)
#define NEED_TC NEED(NEED_TC_BIT)
#define NEED_COUNTERS NEED(NEED_COUNTERS_BIT)
#define NEED_NETDEV NEED(NEED_NETDEV_BIT)
#define NEED_NETDEV_ALL NEED(NEED_NETDEV_ALL_BIT)
#define NEED_NLDEV NEED(NEED_NLDEV_BIT)
#define NEED_RESOURCES NEED(NEED_RESOURCES_BIT)
#define NEED_ADDRESSES NEED(NEED_ADDRESSES_BIT)
#define NEED_ROUTES NEED(NEED_ROUTES_BIT)
#define NEED_QOS NEED(NEED_QOS_BIT)
#define NEED_MODE NEED(NEED_MODE_BIT)
#define NEED_SYSTEM NEED(NEED_SYSTEM_BIT)
#define NEED_VERBS NEED(NEED_VERBS_BIT)
#define NEED_VERBS_LIST NEED(NEED_VERBS_LIST_BIT)
#define NEED_GID_FIRST NEED(NEED_GID_FIRST_BIT)
#define NEED_VPD NEED(NEED_VPD_BIT)
#define NEED_ALL ((NEED(NEED_BITS) - 1) & ~NEED_VPD)

/* Something that could not be read although the kernel offers it. */
struct problem {
    const char *what; /* path below the root, or "netlink FAMILY REQUEST", or "verbs DEVICE" */
    int err;          /* positive errno */
    const char *note; /* what it means for the reader; may be NULL */
};

struct host {
    struct arena *arena;
    needs_t needs; /* what was asked for */

    struct device *devices; /* in version order of their names */
    size_t ndevices;
    struct netdev *netdevs; /* in version order of their names */
    size_t nnetdevs;
    struct pci *pcis; /* functions that devices and netdevs sit on, and the bridges above them */
    size_t npcis;
    bool routes_known; /* false: not asked, or netlink didn't answer */
    struct route *routes;
    size_t nroutes;
    struct neighbour *neighbours;
    size_t nneighbours;
    struct rule *rules;
    size_t nrules;

    struct problem *problems;
    size_t nproblems;

    struct system system;
    struct qos *qos; /* one per netdev that answers, NULL when not asked */
    size_t nqos;
    struct resources *resources; /* NULL when not asked or not offered */
};

struct host *host_new(void);
void host_free(struct host *host); /* NULL is fine */
void host_free_ptr(struct host **host);

/* Adds a problem; what and note are copied. The same path with the same errno is kept once. */
void host_problem(struct host *host, int err, const char *note, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The errno of the problem noted for a path; 0: there is none. */
int host_problem_of(const struct host *host, const char *format, ...) __attribute__((format(printf, 2, 3)));

struct device *host_find_device(const struct host *host, const char *name);
struct netdev *host_find_netdev(const struct host *host, const char *name);
struct netdev *host_find_netdev_by_index(const struct host *host, uint64_t ifindex);
struct pci *host_find_pci(const struct host *host, const char *address);

/* Sorts devices, ports, netdevs; joins ports to their netdevs (see port->netdev) and computes what follows
 * from both. Called once, when reading has ended. */
void host_finish(struct host *host);
