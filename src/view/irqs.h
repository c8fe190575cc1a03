/* SPDX-License-Identifier: MIT */
/* The interrupts of RDMA devices: which CPUs take them, and are those near. */
#pragma once

#include "model/selection.h"
#include "view/column.h"
#include "view/look.h"

/* What must be read for it. */
#define IRQS_NEEDS (NEED_PCI | NEED_PEERS | NEED_IRQS | NEED_SYSTEM)

extern const struct column irq_columns[]; /* a row a device */

void irqs_print(const struct host *host, const struct selection *selection, const struct look *look);
