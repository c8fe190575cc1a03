/* SPDX-License-Identifier: MIT */
/* The list of peers that facts of hosts lead to. Pure. */
#pragma once

#include "base/mem.h"
#include "fleet/align.h"

/* What there was no line for. */
struct plan_left {
    size_t ports; /* without an address that other hosts could reach */
    size_t peers;
};

/* Appends it to out: a line a rail of a host, IPv4 addresses where all hosts have one there, else IPv6. */
void plan_write(struct fleet *fleet, const struct fleet_host *const *hosts, size_t count, bool all_rails,
                struct arena *arena, struct bytes *out, struct plan_left *left);
