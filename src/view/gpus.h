/* SPDX-License-Identifier: MIT */
/* Accelerators and ports: how far from each other, and what NCCL and RCCL make of it. */
#pragma once

#include <jansson.h>

#include "base/mem.h"
#include "consumer/gpu.h"
#include "model/selection.h"
#include "model/topology.h"
#include "view/column.h"
#include "view/output.h"

/* What must be read for these; of accelerators also who lends their memory. */
#define PORT_PATHS_NEEDS (NEED_PCI | NEED_PEERS | NEED_PCI_NAMES | NEED_STATE | NEED_RATE | NEED_ENVIRONMENT)
#define GPUS_NEEDS (PORT_PATHS_NEEDS | NEED_PEER_MEMORY | NEED_DMABUF)

extern const struct column gpu_columns[];       /* a row an accelerator */
extern const struct column port_path_columns[]; /* a row a port */

/* The addresses of the accelerators that are nearest to a function; NULL: none. */
struct value near_accelerators(const struct cell_context *context, const struct pci *pci);

/* Of these ports the ones that each accelerator takes: {"accelerator", "distance", "ports"}, and in words
 * "0000:18:00.0 mlx5_0:1 (PIX), …". Empty without an accelerator, and where one's ports aren't clear or are
 * not among these. */
json_t *rails_json(const struct host *host, const struct port *const *ports, size_t nports, struct bytes *text);

/* The matrix accelerator × port, the accelerators below it, and what the library makes of it; or what look asks
 * for. */
void gpus_print(const struct host *host, const struct selection *selection, const struct look *look);
/* The matrix port × port, and the ports. */
void port_paths_print(const struct host *host, const struct selection *selection, const struct look *look);

/* Who lends accelerators' memory to NICs, in words and as JSON. */

/* "dma-buf", "nvidia_peermem", "nv_mem", "amdkfd", "none"; NULL: it isn't known. */
const char *gpu_memory_text(const struct gpu_memory *memory);

/* By what a library registers the memory of accelerators, of which one stands for all: a line of a block.
 * whose: "their memory", "the memory of 0000:17:00.0, …". */
void gpu_memory_print(const struct host *host, enum consumer consumer, const struct gpu_memory *memory,
                      const char *whose, size_t width);
/* What else its settings and GDRCopy make of it. */
void gpu_copies_print(const struct host *host, enum consumer consumer, size_t width);
/* Memory of accelerators and drives that P2PDMA lends, a line each; nothing where there is none. */
void p2pmem_print(const struct host *host, size_t width);
/* The key "peer_memory": all that is known of it. */
json_t *gpu_memory_json(const struct host *host);

/* The interrupts of RDMA devices: which CPUs take them, and are those near. */

/* What must be read for it. */
#define IRQS_NEEDS (NEED_PCI | NEED_PEERS | NEED_IRQS | NEED_SYSTEM)

extern const struct column irq_columns[]; /* a row a device */

void irqs_print(const struct host *host, const struct selection *selection, const struct look *look);

/* PCIe of every function between ports and accelerators: links, sizes of requests, ACS, ATS, IOMMU, errors. */

/* What must be read for it. */
#define PCIE_NEEDS (NEED_PCI | NEED_PEERS | NEED_CONFIG | NEED_AER | NEED_PCIE)

extern const struct column pcie_columns[]; /* a row a function */

/* Ports' functions and accelerators, each below the bridges above it. Of a selection: with the accelerators
 * that share a switch with it. */
void pcie_print(const struct host *host, const struct selection *selection, const struct look *look);
