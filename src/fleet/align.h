/* SPDX-License-Identifier: MIT */
/* Which port of one host stands where which port of another does. Names may differ, and are compared then. Pure. */
#pragma once

#include "fleet/fleet.h"

enum { SLOTS_MOST = 1024, NO_SUBJECT = -1 };

/* One place that hosts have a port at: a rail. */
struct slot {
    const char *name;    /* what most hosts call it */
    fleet_value subnets; /* most hosts' there; FLEET_ABSENT: each has its own, or none is known */
    int16_t *members;    /* a host's subject by the host's place in the list; NO_SUBJECT: it has none there */
    size_t count;        /* hosts that have one */
};

struct alignment {
    struct slot *slots; /* in version order of names */
    size_t nslots;
    size_t left_out; /* subjects for which there was no room */
};

/* Ports are put together by their subnet where several hosts have that, then by PCI function and model, by
 * name and model, and by their order among those of a model: the first that fits. Memory is of arena. hosts:
 * count of them. */
struct alignment fleet_align(const struct fleet *fleet, const struct fleet_host *const *hosts, size_t count,
                             struct arena *arena);
