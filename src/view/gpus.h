/* SPDX-License-Identifier: MIT */
/* Accelerators and ports: how far from each other, and what NCCL and RCCL make of it. */
#pragma once

#include "model/selection.h"
#include "model/topology.h"
#include "view/column.h"
#include "view/look.h"

/* What must be read for these. */
#define GPUS_NEEDS (NEED_PCI | NEED_PEERS | NEED_STATE | NEED_RATE | NEED_ENVIRONMENT)

extern const struct column gpu_columns[];       /* a row an accelerator */
extern const struct column port_path_columns[]; /* a row a port */

/* The addresses of the accelerators that are nearest to a function; NULL: none. */
struct value near_accelerators(const struct cell_context *context, const struct pci *pci);

/* The matrix accelerator × port, the accelerators below it, and what the library makes of it; or what look asks for. */
void gpus_print(const struct host *host, const struct selection *selection, const struct look *look);
/* The matrix port × port, and the ports. */
void port_paths_print(const struct host *host, const struct selection *selection, const struct look *look);
