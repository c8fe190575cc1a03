/* SPDX-License-Identifier: MIT */
/* Accelerators and NICs, as NCCL and RCCL see them. Pure. */
#pragma once

#include "consumer/consumer.h"
#include "model/topology.h"

/* Which ports NCCL and RCCL take for an accelerator, and whether they let them reach its memory. Pure. */

/* RCCL for AMD's accelerators, NCCL for all others. */
enum consumer gpu_consumer(const struct pci *accelerator);

/* Is the port one that the library uses at all: ACTIVE as far as that is known, of a PCI function, RoCE or
 * InfiniBand, and not left out by NCCL_IB_HCA? */
bool gpu_port_counts(const struct host *host, enum consumer consumer, const struct port *port);

/* Up to which distance memory is reached directly (GDR). by.value NULL: the default. */
struct gpu_reach {
    enum distance most; /* DISTANCE_SELF: never */
    struct setting by;  /* NCCL_NET_GDR_LEVEL */
};
struct gpu_reach gpu_reach(const struct host *host, enum consumer consumer);
/* Is a port at the CPU of a superchip's accelerator, which it reaches by NVLink-C2C? (NCCL's PATH_P2C.) */
bool gpu_is_over_c2c(const struct host *host, const struct pci *accelerator, const struct port *port);
/* Is a port at this distance within reach? Not known where the distance isn't. */
enum tristate gpu_reaches(const struct host *host, const struct pci *accelerator, const struct port *port);

struct gpu_nics {
    const struct port **ports; /* those that it takes, in the order of its channels; in arena */
    size_t nports;
    enum distance distance; /* of them all */
    bool unclear; /* a port's state isn't known, or it depends on the link between sockets, whose speed NCCL
                     takes from a table of CPUs */
};
/* What is taken for the accelerator that is number index of all (in the order of their addresses). */
struct gpu_nics gpu_nics(const struct host *host, const struct pci *const *accelerators, size_t naccelerators,
                         size_t index, struct arena *arena);

/* The rails of a host as NCCL makes them: number i is the i-th card that accelerators take, in their order.
 * Rank i of each host talks to rank i of the others over it. Not known of all as soon as it isn't of one. */
struct gpu_rails {
    const struct port **ports; /* the first that is taken of each; in arena */
    size_t count;
};
struct gpu_rails gpu_rails(const struct gpu_nics *nics, size_t count, struct arena *arena);
/* Which rail a port is of; not known: of none. */
struct num gpu_rail_of(const struct gpu_rails *rails, const struct port *port);

/* The accelerators nearest to a function; in arena. */
const struct pci **nearest_accelerators(const struct host *host, const struct pci *pci, struct arena *arena,
                                        size_t *count);

/* The ports nearest to a function, of those that count (consumer CONSUMERS: of all that have a PCI function);
 * in arena. */
const struct port **nearest_ports(const struct host *host, const struct pci *pci, enum consumer consumer,
                                  struct arena *arena, size_t *count, enum distance *distance);

/* By what NCCL and RCCL register accelerators' memory with a NIC (GPUDirect RDMA), if by anything. Pure. */

enum gpu_way {
    GPU_WAY_UNKNOWN,
    GPU_WAY_DMABUF,
    GPU_WAY_MODULE, /* one that lends memory: nvidia_peermem, MLNX_OFED's memory_peers */
    GPU_WAY_NONE,   /* all goes through the host's memory */
};

struct gpu_memory {
    enum gpu_way way;
    const char *module; /* of GPU_WAY_MODULE: "nvidia_peermem", "nv_mem", "nv_mem_nc", "amdkfd" */
    const char *why;    /* what decided, in words; in arena or static */
};

/* The module that lends the memory of accelerators of that library; NULL: none is loaded, as far as is known.
 */
const char *gpu_memory_module(const struct host *host, enum consumer consumer);
/* Does the driver of a port's device know dma-buf, by the kernel's own answer? */
enum tristate device_knows_dmabuf(const struct device *device);
struct gpu_memory gpu_memory(const struct host *host, const struct pci *accelerator, const struct port *port,
                             struct arena *arena);

/* Does the library use GDRCopy where its module is loaded? By default it doesn't. */
bool gpu_copies_by_gdrcopy(const struct host *host, enum consumer consumer);
