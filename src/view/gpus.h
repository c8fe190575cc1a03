/* SPDX-License-Identifier: MIT */
/* Accelerators and ports: how far apart they are, and what NCCL and RCCL make of it. */
#pragma once

#include "consumer/gpu.h"
#include "model/selection.h"
#include "view/column.h"
#include "view/output.h"

/* What must be read for these; for accelerators also what lends their memory. */
#define PORT_PATHS_NEEDS (NEED_PCI | NEED_PEERS | NEED_PCI_NAMES | NEED_STATE | NEED_RATE | NEED_ENVIRONMENT)
#define GPUS_NEEDS (PORT_PATHS_NEEDS | NEED_PEER_MEMORY | NEED_DMABUF)

extern const struct column gpu_columns[];       /* one row per accelerator */
extern const struct column port_path_columns[]; /* one row per port */

/* The addresses of the accelerators nearest to a function; NULL if there are none. */
struct value near_accelerators(const struct cell_context *context, const struct pci *pci);

/* Which of these ports each accelerator takes: {"accelerator", "distance", "ports"}, and in words
 * "0000:18:00.0 mlx5_0:1 (PIX), …". Empty without an accelerator, and if any accelerator's ports are unclear or
 * not among these. */
json_t *rails_json(const struct host *host, const struct port *const *ports, size_t nports, struct bytes *text);

/* The accelerator × port matrix, the accelerators below it, and what the library makes of it; or what look
 * asks for. */
void gpus_print(const struct host *host, const struct selection *selection, const struct look *look);
/* The port × port matrix, and the ports. */
void port_paths_print(const struct host *host, const struct selection *selection, const struct look *look);

/* The interrupts of RDMA devices: which CPUs take them, and whether those are near. */

#define IRQS_NEEDS (NEED_PCI | NEED_PEERS | NEED_IRQS | NEED_SYSTEM)

extern const struct column irq_columns[]; /* one row per device */

void irqs_print(const struct host *host, const struct selection *selection, const struct look *look);

/* PCIe of every function between ports and accelerators: links, request sizes, ACS, ATS, IOMMU, errors. */

#define PCIE_NEEDS (NEED_PCI | NEED_PEERS | NEED_CONFIG | NEED_AER | NEED_PCIE)

extern const struct column pcie_columns[]; /* one row per function */

/* Ports' functions and accelerators, each listed under its upstream bridges. A selection includes the
 * accelerators that share a switch with it. */
void pcie_print(const struct host *host, const struct selection *selection, const struct look *look);
