/* SPDX-License-Identifier: MIT */
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
struct qos;         /* model/qos.h */
struct resources;   /* model/resources.h */
struct expectation; /* model/facts.h */

/* What a command asks host_read() for. Each stands for a few files or requests; nothing else is read. */
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
    NEED_GIDS = 1 << 9,         /* the whole GID table with types and netdevs of filled slots */
    NEED_GID_SUMMARY = 1 << 10, /* only as many slots as status needs: see struct port.gids_complete */
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
    NEED_GID_FIRST = 1 << 24,   /* slot 0's value only, what ibstat calls the port GUID */
    NEED_ENVIRONMENT = 1 << 25, /* variables and files of RDMA libraries */
    NEED_USERS = 1 << 26,       /* of NEED_RESOURCES, queue pairs and CM ids only: does anybody use a port */
    NEED_HEALTH = 1 << 27,      /* with NEED_QOS: devlink's health reporters, the modules of ports */
    NEED_SERVICES = 1 << 28,    /* kernel services that use RDMA; where processes that do come from */
    NEED_AER = 1 << 29,         /* with NEED_PCI: errors that PCIe functions and bridges counted */
    NEED_VPD = 1 << 30, /* vital product data of PCI functions: slow on real hardware, root only; asked for
                            by name only */
};
/* An enum can hold no more than is above. With NEED_PCI: accelerators and NVMe drives, NUMA nodes. */
#define NEED_PEERS ((needs_t)1 << 31)
/* Of NEED_RESOURCES, how many of each kind a device has: one question. */
#define NEED_TOTALS ((needs_t)1 << 32)
/* Of NEED_QOS, what counts PFC and pause frames; FEC, ECN and what members of bonds count; both. */
#define NEED_PAUSES ((needs_t)1 << 33)
#define NEED_FEC_ECN ((needs_t)1 << 34)
#define NEED_FLOW (NEED_PAUSES | NEED_FEC_ECN)
/* Of NEED_PCI, the functions below devices: NUMA node, width of the link. */
#define NEED_PCI_LINK ((needs_t)1 << 35)
/* With NEED_PEERS: who lends accelerators' and drives' memory. */
#define NEED_PEER_MEMORY ((needs_t)1 << 44)
/* Of NEED_VERBS, where there is an accelerator: do the devices know dma-buf? */
#define NEED_DMABUF ((needs_t)1 << 45)
/* With NEED_PEERS: what is in configuration space (each register of it is asked of the hardware) of devices,
 * accelerators and the bridges above them, and the IOMMU groups of both. */
#define NEED_CONFIG ((needs_t)1 << 42)
/* With NEED_CONFIG: IOMMU groups and counted errors of all functions between devices and accelerators. */
#define NEED_PCIE ((needs_t)1 << 36)
/* With NEED_PCI: the interrupt vectors of what RDMA devices sit on. */
#define NEED_IRQS ((needs_t)1 << 37)
/* Of NEED_GUIDS, node_guid; of NEED_IDENT, hca_type and board_id. */
#define NEED_NODE_GUID ((needs_t)1 << 39)
#define NEED_BOARD ((needs_t)1 << 40)
/* Of NEED_NETDEV, name and MTU. */
#define NEED_NETDEV_MTU ((needs_t)1 << 41)
/* With NEED_PEERS: names of devices' functions, accelerators and drives, from pci.ids. */
#define NEED_PCI_NAMES ((needs_t)1 << 43)
#define NEED_ALL                                                                                              \
    ((needs_t)(NEED_VPD - 1) | NEED_PEERS | NEED_TOTALS | NEED_FLOW | NEED_PCI_LINK | NEED_PCIE | NEED_IRQS | \
     NEED_NODE_GUID | NEED_BOARD | NEED_NETDEV_MTU | NEED_CONFIG | NEED_PCI_NAMES | NEED_PEER_MEMORY |        \
     NEED_CONTAINER)
/* Of NEED_SYSTEM, whether this is a container; in one, of NEED_NODES, which devices it was given. */
#define NEED_CONTAINER ((needs_t)1 << 46)
/* CPUs of NUMA nodes; asked for by name only. */
#define NEED_NUMA ((needs_t)1 << 38)

/* Something that could not be read although the kernel offers it. */
struct problem {
    const char *what; /* path below the root, or "netlink FAMILY REQUEST", or "verbs DEVICE" */
    int err;          /* positive errno */
    const char *note; /* what it means for the reader; may be NULL */
};

struct host {
    struct arena *arena;
    needs_t needs;        /* what was asked for */
    const char *hostname; /* NULL: not known */
    struct num time_ms;   /* when it was read, in milliseconds since 1970; a recording doesn't tell */
    bool partial;         /* a tree that somebody else made: what isn't in it has perhaps not been looked at */

    struct device *devices; /* in version order of their names */
    size_t ndevices;
    struct netdev *netdevs; /* in version order of their names */
    size_t nnetdevs;
    bool sorted;      /* by host_finish(): they are in that order already, and stay so */
    struct pci *pcis; /* functions that devices and netdevs sit on, and the bridges above them */
    size_t npcis;
    /* by host_finish(): all of them by address; npci_order is another number otherwise */
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
    struct problem_index *problem_index; /* host_problem()'s own; NULL: there are few */

    struct system system;
    struct qos *qos; /* one per netdev that answers, NULL when not asked */
    size_t nqos;
    struct resources *resources;           /* NULL when not asked or not offered */
    const struct expectation *expectation; /* what somebody says that it should be; NULL: nobody does */
};

struct host *host_new(void);
void host_free(struct host *host); /* NULL is fine */

/* Adds a problem; what and note are copied. The same path with the same errno is kept once. */
void host_problem(struct host *host, int err, const char *note, const char *format, ...) PRINTF_LIKE(4, 5);

/* The errno of a problem that is the reader's own want, EMFILE, ENFILE or ENOMEM: anything may be missing
 * then. 0: there is none. */
int host_starved(const struct host *host);
/* Why it can't be told whether there is an RDMA device: the errno; 0: it can. */
int host_devices_unknown(const struct host *host);
/* The errno of the problem noted for a path; 0: there is none. */
int host_problem_of(const struct host *host, const char *format, ...) PRINTF_LIKE(2, 3);

/* NULL: there is none, or name or address is NULL. */
struct device *host_find_device(const struct host *host, const char *name);
struct netdev *host_find_netdev(const struct host *host, const char *name);
struct netdev *host_find_netdev_by_index(const struct host *host, uint64_t ifindex);
struct pci *host_find_pci(const struct host *host, const char *address);

/* Were netdevs read, and told of? Every network namespace has one, lo: none means that nothing told of them. */
bool host_knows_netdevs(const struct host *host);
/* Does the device belong to a function in switchdev mode? Its ports are the switch's: the uplink and the
 * representors, without GIDs. RoCE is its virtual and sub-functions'. */
bool device_is_switch(const struct host *host, const struct device *device);
/* A port's netdev; NULL: it has none, or it is in another namespace, or netdevs weren't read. */
struct netdev *port_netdev(const struct host *host, const struct port *port);
/* Is it known to have none? */
bool port_has_no_netdev(const struct host *host, const struct port *port);
/* The netdev that a GID names; NULL: as above. */
struct netdev *gid_netdev(const struct host *host, const struct gid *gid);
/* Is a netdev another RDMA device's: does it sit on that one's parent (PCI function, sub-function)? Each pod
 * can have its net1, and devices that are shared between namespaces show only the name. device may be NULL: no.
 */
bool netdev_is_of_another(const struct host *host, const struct device *device, const struct netdev *netdev);
/* Does a device name this netdev as the one that it stands on (`parent` of rxe and siw)? */
bool host_has_device_on(const struct host *host, const char *netdev);
/* The port after port, in the order of devices and numbers; the first after NULL; NULL: there are no more.
 * For loops: for (const struct port *port = NULL; (port = host_next_port(host, port));) */
struct port *host_next_port(const struct host *host, const struct port *port);

/* Sorts devices, ports, netdevs; joins ports to their netdevs (see port->netdev) and computes what follows
 * from both. Called once, when reading has ended. */
void host_finish(struct host *host);
