/* SPDX-License-Identifier: MIT */
/* devlink: parameters of devices, and which netdev is a port of which. Pure, as in nldev.h. */
#pragma once

#include <stddef.h>

#include "model/qos.h"

struct arena;

struct devlink_port {
    const char *device; /* "pci/0000:17:00.0" */
    struct num ifindex;
};

int devlink_parse_ports(const void *bytes, size_t len, struct arena *arena, struct devlink_port **ports,
                        size_t *count);
int devlink_parse_health(const void *bytes, size_t len, struct arena *arena, struct qos_reporter **reporters,
                         size_t *count);
int devlink_parse_parameters(const void *bytes, size_t len, struct arena *arena,
                             struct qos_parameter **parameters, size_t *count);
