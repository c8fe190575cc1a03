/* SPDX-License-Identifier: MIT */
/* Accelerators and NICs, as NCCL and RCCL see them. Pure. */
#pragma once

#include "consumer/consumer.h"
#include "model/topology.h"

/* Which ports NCCL and RCCL take for an accelerator, and whether these may access its memory directly. Pure. */

/* RCCL for AMD accelerators, NCCL for all others. */
enum consumer gpu_consumer(const struct pci *accelerator);

/* Does the library use the port at all: ACTIVE if the state is known, on a PCI function, RoCE or InfiniBand,
 * and not excluded by NCCL_IB_HCA? */
bool gpu_port_counts(const struct host *host, enum consumer consumer, const struct port *port);

/* The greatest distance at which memory is accessed directly (GDR). by.value NULL: the default. */
struct gpu_reach {
    enum distance most; /* DISTANCE_SELF: never */
    struct setting by;  /* NCCL_NET_GDR_LEVEL */
};
struct gpu_reach gpu_reach(const struct host *host, enum consumer consumer);
/* Is the port on the CPU of a superchip's accelerator, reached over NVLink-C2C? (NCCL's PATH_P2C.) */
bool gpu_is_over_c2c(const struct host *host, const struct pci *accelerator, const struct port *port);
/* Is the port within reach? Unknown if the distance is. */
enum tristate gpu_reaches(const struct host *host, const struct pci *accelerator, const struct port *port);

struct gpu_nics {
    const struct port **ports; /* those it takes, in the order of its channels; in arena */
    size_t nports;
    enum distance distance; /* the same for all */
    bool unclear; /* a port's state is unknown, or the choice depends on the link between sockets, whose speed
                     NCCL takes from a table of CPUs */
};
/* The ports taken for accelerators[index] (sorted by address). */
struct gpu_nics gpu_nics(const struct host *host, const struct pci *const *accelerators, size_t naccelerators,
                         size_t index, struct arena *arena);

/* A host's rails as NCCL makes them: rail i is the i-th card that accelerators take, in their order; rank i of
 * each host uses it to talk to rank i of the others. If one is unknown, all are. */
struct gpu_rails {
    const struct port **ports; /* the first one taken of each card; in arena */
    size_t count;
};
struct gpu_rails gpu_rails(const struct gpu_nics *nics, size_t count, struct arena *arena);
/* The rail a port belongs to; unknown if none. */
struct num gpu_rail_of(const struct gpu_rails *rails, const struct port *port);

/* The accelerators nearest to a function; in arena. */
const struct pci **nearest_accelerators(const struct host *host, const struct pci *pci, struct arena *arena,
                                        size_t *count);

/* The ports nearest to a function, among those that count (consumer CONSUMERS: all that have a PCI function);
 * in arena. */
const struct port **nearest_ports(const struct host *host, const struct pci *pci, enum consumer consumer,
                                  struct arena *arena, size_t *count, enum distance *distance);

/* How NCCL and RCCL register accelerators' memory with a NIC (GPUDirect RDMA), if at all. Pure. */

enum gpu_way {
    GPU_WAY_UNKNOWN,
    GPU_WAY_DMABUF,
    GPU_WAY_MODULE, /* one that exposes its memory: nvidia_peermem, MLNX_OFED's memory_peers */
    GPU_WAY_NONE,   /* everything goes through host memory */
};

struct gpu_memory {
    enum gpu_way way;
    const char *module; /* for GPU_WAY_MODULE: "nvidia_peermem", "nv_mem", "nv_mem_nc", "amdkfd" */
    const char *why;    /* the reason, in words; in arena or static */
};

/* The module that exposes the memory of that library's accelerators; NULL if none is known to be loaded. */
const char *gpu_memory_module(const struct host *host, enum consumer consumer);
/* Does the driver of a port's device support dma-buf, according to the kernel? */
enum tristate device_knows_dmabuf(const struct device *device);
struct gpu_memory gpu_memory(const struct host *host, const struct pci *accelerator, const struct port *port,
                             struct arena *arena);

/* Does the library use GDRCopy if its module is loaded? By default it doesn't. */
bool gpu_copies_by_gdrcopy(const struct host *host, enum consumer consumer);
