/* SPDX-License-Identifier: MIT */
/* By what NCCL and RCCL register accelerators' memory with a NIC (GPUDirect RDMA), if by anything. Pure. */
#pragma once

#include "check/consumer.h"
#include "model/topology.h"

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

/* The module that lends the memory of accelerators of that library; NULL: none is loaded, as far as is known. */
const char *gpu_memory_module(const struct host *host, enum consumer consumer);
/* Does the driver of a port's device know dma-buf, by the kernel's own answer? */
enum tristate device_knows_dmabuf(const struct device *device);
struct gpu_memory gpu_memory(const struct host *host, const struct pci *accelerator, const struct port *port,
                             struct arena *arena);

/* Does the library use GDRCopy where its module is loaded? By default it doesn't. */
bool gpu_copies_by_gdrcopy(const struct host *host, enum consumer consumer);
