/* SPDX-License-Identifier: MIT */
/* counters/, hw_counters/ and counters_ext/ of ports and devices. */
#pragma once

#include "source/reader.h"

void read_port_counters(struct reader *reader, const char *device, struct root_dir *port_dir,
                        struct port *port);
void read_device_counters(struct reader *reader, struct root_dir *device_dir, struct device *device);
