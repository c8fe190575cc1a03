/* SPDX-License-Identifier: MIT */
/* Where each port sits, and what sits on it, as a tree: NUMA node, PCI, device, port, netdev, GIDs. */
#pragma once

#include "model/host.h"
#include "model/selection.h"
#include "view/tree.h"

/* Hangs the selected ports below root, in the host's arena; the caller ends it with tree_free(). */
void topo_make(struct host *host, const struct selection *selection, struct tree_node *root);
