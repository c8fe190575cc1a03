/* SPDX-License-Identifier: MIT */
/* The text of ibv_devinfo (rdma-core 44) for a device that was opened. */
#pragma once

#include <stdbool.h>

#include "model/host.h"
#include "model/verbs.h"

/* Prints device and, of its ports, the one numbered (0: all). The status that ibv_devinfo would end with;
 * what it has to say about failures goes to standard error. */
int devinfo_print(const struct host *host, const struct device *device, unsigned port, bool verbose);
