/* SPDX-License-Identifier: MIT */
/* What drop-ins share: they print what the original prints, in its order. */
#pragma once

#include "model/host.h"
#include "model/verbs.h"

/* The host's devices sorted by name: order is strcmp() if the original is a C program or uses sh's globs,
 * strcoll() if it uses ls. The array lives in the host's arena. */
typedef int dropin_order(const char *a, const char *b);
const struct device **dropin_devices(const struct host *host, dropin_order *order);

/* The devices that libibverbs shows, in its order; ends with NULL. */
const struct device **dropin_verbs_devices(const struct host *host);

/* Ports and slots in directory-listing order: 1, 10, 2. These arrays also live in the host's arena. */
const struct port **dropin_ports(const struct host *host, const struct device *device);
const struct gid **dropin_gids(const struct host *host, const struct port *port, size_t *count); /* bare too */

/* Text from the machine, made safe for a terminal; unchanged wherever a kernel made it. NULL gives "". */
const char *dropin_text(const struct host *host, const char *text);

/* The output of ibv_devinfo (rdma-core 44) for a device that was opened. */

/* Prints device and the given port of it (0: all). Returns the status that ibv_devinfo would exit with; its
 * messages about failures go to standard error. */
int devinfo_print(const struct host *host, const struct device *device, unsigned port, bool verbose);
