/* SPDX-License-Identifier: MIT */
/* struct host: one moment of one machine, plain data. Filled by source/, read by everything else. All memory
 * belongs to host->arena. What is absent is NULL, !known, TRI_UNKNOWN or an empty array, with the reason in
 * problems. */
#pragma once

#include "model/netdev.h"
#include "model/route.h"
#include "model/system.h"

struct arena;
struct qos;         /* model/qos.h */
struct resources;   /* model/resources.h */
struct expectation; /* model/facts.h */

/* What a command asks host_read() for. Each one means a few files or requests; nothing else is read. */
typedef uint64_t needs_t;
enum {
    /* device names, node_type, port numbers and link layers are always read */
    NEED_GUIDS = 1 << 0,        /* node_guid, sys_image_guid */
    NEED_FW = 1 << 1,           /* fw_ver */
    NEED_IDENT = 1 << 2,        /* hca_type, hw_rev, board_id, node_desc */
    NEED_PCI = 1 << 3,          /* the parent: driver, ids, NUMA, link, SR-IOV, upstream bridges */
    NEED_NODES = 1 << 4,        /* uverbs, umad, rdma_cm device nodes and whether they open */
    NEED_STATE = 1 << 5,        /* state, phys_state */
    NEED_RATE = 1 << 6,         /* rate */
    NEED_IB = 1 << 7,           /* lid, sm_lid, lmc, sm_sl, cap_mask */
    NEED_PKEYS = 1 << 8,        /* the pkey table */
    NEED_GIDS = 1 << 9,         /* the whole GID table, with types and netdevs of filled slots */
    NEED_GID_SUMMARY = 1 << 10, /* only until a v1, a v2 and a routable v2 address were seen */
    NEED_TC = 1 << 11,          /* tc/N/traffic_class and ttl */
    NEED_COUNTERS = 1 << 12,    /* counters, hw_counters, counters_ext */
    NEED_NETDEV = 1 << 13,      /* the netdevs of ports: name, MTU, state */
    NEED_NETDEV_ALL = 1 << 14,  /* every netdev of the machine, with all its attributes */
    NEED_NLDEV = 1 << 15,       /* nldev: devices and ports */
    NEED_RESOURCES = 1 << 16,   /* nldev: QPs, CQs, MRs and who owns them */
    NEED_ADDRESSES = 1 << 17,   /* rtnetlink: addresses, links, bonds, VLANs */
    NEED_ROUTES = 1 << 18,      /* rtnetlink: routes, neighbours, rules */
    NEED_QOS = 1 << 19,         /* dcbnl, ethtool netlink, devlink, ecn */
    NEED_MODE = 1 << 20,        /* configfs: RDMA_CM's default RoCE mode and TOS */
    NEED_SYSTEM = 1 << 21,      /* limits, capabilities, modules, sysctls, distribution, firewall */
    NEED_VERBS = 1 << 22,       /* libibverbs: device and port attributes (opens devices) */
    NEED_VERBS_LIST = 1 << 23,  /* libibverbs: which devices it shows, in its order (opens none) */
    NEED_GID_FIRST = 1 << 24,   /* slot 0's value only, which ibstat calls the port GUID */
    NEED_ENVIRONMENT = 1 << 25, /* variables and files of RDMA libraries */
    NEED_USERS = 1 << 26,       /* of NEED_RESOURCES, only queue pairs and CM ids: is a port in use? */
    NEED_HEALTH = 1 << 27,      /* with NEED_QOS: devlink's health reporters, the modules of ports */
    NEED_SERVICES = 1 << 28,    /* kernel services that use RDMA; the origin of processes that do */
    NEED_AER = 1 << 29,         /* with NEED_PCI: errors that PCIe functions and bridges counted */
    NEED_VPD = 1 << 30, /* vital product data of PCI functions: slow on real hardware, root only; only when
                           asked for by name */
};
/* An enum holds no more than those above. With NEED_PCI: accelerators, NVMe drives, adapters that have brought
 * neither a netdev nor an RDMA device, NUMA nodes. */
#define NEED_PEERS ((needs_t)1 << 31)
/* Of NEED_RESOURCES, how many of each kind a device has: a single request. */
#define NEED_TOTALS ((needs_t)1 << 32)
/* Of NEED_QOS: counters of PFC and pause frames; FEC, CRC errors and the counters of bond members; where ECN is
 * on; all of them. */
#define NEED_PAUSES ((needs_t)1 << 33)
#define NEED_FEC ((needs_t)1 << 34)
#define NEED_ECN ((needs_t)1 << 52)
#define NEED_FLOW (NEED_PAUSES | NEED_FEC | NEED_ECN)
/* Of NEED_QOS, the driver's own statistics: hundreds of names a netdev. */
#define NEED_STATISTICS ((needs_t)1 << 53)
/* Of NEED_PCI, the functions below devices: NUMA node, link width. */
#define NEED_PCI_LINK ((needs_t)1 << 35)
/* With NEED_PEERS: how the memory of accelerators and drives is shared. */
#define NEED_PEER_MEMORY ((needs_t)1 << 44)
/* Of NEED_VERBS, where there is an accelerator: do the devices support dma-buf? */
#define NEED_DMABUF ((needs_t)1 << 45)
/* With NEED_PEERS: the configuration space (reading each register asks the hardware) of devices, accelerators
 * and the bridges above them, and the IOMMU groups of devices and accelerators. */
#define NEED_CONFIG ((needs_t)1 << 42)
/* With NEED_CONFIG: IOMMU groups and counted errors of all functions between devices and accelerators. */
#define NEED_PCIE ((needs_t)1 << 36)
/* With NEED_PCI: the interrupt vectors of the functions below RDMA devices. */
#define NEED_IRQS ((needs_t)1 << 37)
/* Of NEED_GUIDS, node_guid; of NEED_IDENT, hca_type and board_id. */
#define NEED_NODE_GUID ((needs_t)1 << 39)
#define NEED_BOARD ((needs_t)1 << 40)
/* Of NEED_NETDEV, name and MTU. */
#define NEED_NETDEV_MTU ((needs_t)1 << 41)
/* With NEED_PEERS: names of devices' functions, accelerators and drives, from pci.ids. */
#define NEED_PCI_NAMES ((needs_t)1 << 43)
/* The checks' verdict: stands for what they need at a glance (see struct check_selection). */
#define NEED_VERDICT ((needs_t)1 << 47)
/* With NEED_NETDEV_ALL: what is at the other end of cables, by LLDP. */
#define NEED_LLDP ((needs_t)1 << 48)
#define NEED_ALL                                                                                              \
    ((needs_t)(NEED_VPD - 1) | NEED_PEERS | NEED_TOTALS | NEED_FLOW | NEED_PCI_LINK | NEED_PCIE | NEED_IRQS | \
     NEED_NODE_GUID | NEED_BOARD | NEED_NETDEV_MTU | NEED_CONFIG | NEED_PCI_NAMES | NEED_PEER_MEMORY |        \
     NEED_CONTAINER | NEED_LLDP | NEED_TRACE | NEED_HISTORY | NEED_STATISTICS)
/* Of NEED_SYSTEM, whether this is a container; in one, of NEED_NODES, which devices it was given. */
#define NEED_CONTAINER ((needs_t)1 << 46)
/* Of NEED_USERS, CM ids alone, which cost the device nothing; only when asked for by name. */
#define NEED_CM_IDS ((needs_t)1 << 49)
/* What roce trace --record heard. */
#define NEED_TRACE ((needs_t)1 << 50)
/* What roce record --history took along. */
#define NEED_HISTORY ((needs_t)1 << 51)
/* CPUs of NUMA nodes; only when asked for by name. */
#define NEED_NUMA ((needs_t)1 << 38)

/* Something that could not be read although the kernel offers it. */
struct problem {
    const char *what; /* path below the root, "netlink FAMILY REQUEST" or "verbs DEVICE" */
    int err;          /* positive errno */
    const char *note; /* what it means for the reader; may be NULL */
};

/* A path below the root that could not be read: a file, a directory, "netlink/rtnl-links", "verbs/mlx5_0". */
struct unread {
    const char *path;
    int err; /* positive; 0: absent from a tree that may lack anything (struct host.partial) */
};

struct host {
    struct arena *arena;
    needs_t needs;           /* what was asked for */
    const char *hostname;    /* NULL: not known */
    struct num time_ms;      /* when it was read, in milliseconds since 1970; not every recording says */
    const char *recorded_by; /* the roce that made this recording; NULL: not known, or it is none */
    bool partial;            /* a tree made by another tool: what isn't in it may not have been captured */

    struct device *devices; /* in version order of their names */
    size_t ndevices;
    struct netdev *netdevs; /* in version order of their names */
    size_t nnetdevs;
    size_t nsorted; /* so many of them are in that order; the rest, while they are read, isn't */
    /* set by host_order_netdevs(): sorted by ifindex; stale when nby_index differs from nnetdevs */
    struct netdev **by_index;
    size_t nby_index;
    struct pci *pcis; /* functions below devices and netdevs, and the bridges above these functions */
    size_t npcis;
    /* set by host_finish(): sorted by address; stale when npci_order differs from npcis */
    struct pci **pci_order;
    size_t npci_order;
    bool routes_known; /* false: not asked, or netlink didn't answer */
    struct route *routes;
    size_t nroutes;
    struct neighbour *neighbours;
    size_t nneighbours;
    bool rules_known; /* as routes_known */
    struct rule *rules;
    size_t nrules;

    struct problem *problems;
    size_t nproblems;
    struct unread *unread; /* sorted by host_finish(), each path once; at most HOST_UNREAD_MOST */
    size_t nunread;
    struct noted *noted; /* private to host_problem(): a tree, */
    uint64_t seed;       /* ordered by hashes with this seed */

    struct host_lldp lldp; /* with NEED_LLDP */
    struct system system;
    struct qos *qos;          /* one per netdev that answers, NULL when not asked */
    size_t nqos, nqos_sorted; /* so many of them are in version order of their netdevs: set by host_finish() */
    struct resources *resources;           /* NULL when not asked or not offered */
    const char *trace;                     /* with NEED_TRACE: the stream that a recording has, else NULL */
    struct bytes history;                  /* with NEED_HISTORY: lines as history/ reads them; empty: none */
    const struct expectation *expectation; /* what the host should be like; NULL: none given */
};

struct host *host_new(void);
void host_free(struct host *host); /* NULL is fine */

/* Adds a problem; what and note are copied. A path is kept once per errno. */
void host_problem(struct host *host, int err, const char *note, const char *format, ...) PRINTF_LIKE(4, 5);

/* The errno of a problem that is roce's own shortage, EMFILE, ENFILE or ENOMEM: then anything may be missing.
 * 0 if there is none. */
int host_starved(const struct host *host);
/* The errno of what prevents finding out whether there is an RDMA device; 0 if nothing does. */
int host_devices_unknown(const struct host *host);
/* The errno of the problem noted for a path; 0 if there is none. */
int host_problem_of(const struct host *host, const char *format, ...) PRINTF_LIKE(2, 3);

enum { HOST_UNREAD_MOST = 1 << 16 };
void host_unread_add(struct host *host, const char *path, int err);
/* What could not be read of path: itself, the directory it is in, or something below it; of "DIRECTORY/" the
 * directory alone, which wasn't listed. NULL: nothing. */
const struct unread *host_unread(const struct host *host, const char *path);
/* Its path as people know it: with a slash in front, unless it is an answer and no file. In arena. */
const char *unread_path(struct arena *arena, const struct unread *unread);

/* NULL if there is none, or if name or address is NULL. */
struct device *host_find_device(const struct host *host, const char *name);
struct netdev *host_find_netdev(const struct host *host, const char *name);
struct netdev *host_find_netdev_by_index(const struct host *host, uint64_t ifindex);
struct pci *host_find_pci(const struct host *host, const char *address);
/* The PCI function below a device; NULL if there is none, or it isn't known. */
const struct pci *device_function(const struct host *host, const struct device *device);
/* Does a line of the kernel's log mention a device: its name, its PCI function or a bridge above that, one of
 * its netdevs? */
bool kernel_log_is_about(const struct host *host, const char *line, const struct device *device);

/* Were netdevs read, and reported? Every network namespace has one, lo: none at all means that nothing reported
 * them. */
bool host_knows_netdevs(const struct host *host);
/* Does the device belong to a function in switchdev mode? Its ports are the switch's: the uplink and the
 * representors, without GIDs. RoCE belongs to its virtual functions and sub-functions. */
bool device_is_switch(const struct host *host, const struct device *device);
/* A port's netdev; NULL if it has none, if that is in another namespace, or if netdevs weren't read. */
struct netdev *port_netdev(const struct host *host, const struct port *port);
/* Is the port known to have no netdev? */
bool port_has_no_netdev(const struct host *host, const struct port *port);
/* The netdev that a GID names; NULL as above. */
struct netdev *gid_netdev(const struct host *host, const struct gid *gid);
/* Does a netdev belong to another RDMA device, sharing its parent (PCI function, sub-function)? Each pod can
 * have its own net1, and devices shared between namespaces show only the name. False if device is NULL. */
bool netdev_is_of_another(const struct host *host, const struct device *device, const struct netdev *netdev);
/* Does a device name this netdev as its base (`parent` of rxe and siw)? */
bool host_has_device_on(const struct host *host, const char *netdev);
/* The port after port, in order of devices and numbers; with NULL the first; returns NULL when there are no
 * more. In loops: for (const struct port *port = NULL; (port = host_next_port(host, port));) */
struct port *host_next_port(const struct host *host, const struct port *port);

/* Puts netdevs in order, so that they are found at once; pointers to them are void. */
void host_order_netdevs(struct host *host);
/* Sorts devices, ports and netdevs; joins ports to their netdevs (see port->netdev) and computes what follows
 * from both. Called once, after reading. */
void host_finish(struct host *host);
