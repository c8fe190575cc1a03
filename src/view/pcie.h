/* SPDX-License-Identifier: MIT */
/* PCIe of every function between ports and accelerators: links, sizes of requests, ACS, ATS, IOMMU, errors. */
#pragma once

#include "model/selection.h"
#include "view/column.h"
#include "view/look.h"

/* What must be read for it. */
#define PCIE_NEEDS (NEED_PCI | NEED_PEERS | NEED_CONFIG | NEED_AER | NEED_PCIE)

extern const struct column pcie_columns[]; /* a row a function */

/* Ports' functions and accelerators, each below the bridges above it. Of a selection: with the accelerators
 * that share a switch with it. */
void pcie_print(const struct host *host, const struct selection *selection, const struct look *look);
