/* SPDX-License-Identifier: MIT */
/* Accelerators and ports: how far from each other, and what NCCL and RCCL make of it. */
#pragma once

#include <jansson.h>

#include "base/mem.h"
#include "model/selection.h"
#include "model/topology.h"
#include "view/column.h"
#include "view/look.h"

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
json_t *rails_json(const struct host *host, const struct port *const *ports, size_t nports,
                   struct bytes *text);

/* The matrix accelerator × port, the accelerators below it, and what the library makes of it; or what look asks for. */
void gpus_print(const struct host *host, const struct selection *selection, const struct look *look);
/* The matrix port × port, and the ports. */
void port_paths_print(const struct host *host, const struct selection *selection, const struct look *look);
