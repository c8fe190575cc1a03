/* SPDX-License-Identifier: MIT */
/* What a failure may come from. Each is right only under its condition. Pure. */
#pragma once

#include <stdbool.h>

#include "selftest/diagnosis/facts.h"

enum cause {
    CAUSE_NONE,
    CAUSE_PORT_DOWN,
    CAUSE_BOND_MEMBER,
    CAUSE_ADDRESS_GONE,
    CAUSE_LINK_LOCAL,
    CAUSE_MTU_PATH,
    CAUSE_MTU_DIFFERS,
    CAUSE_MTU_SWITCH,
    CAUSE_OUTPUT_DROP,
    CAUSE_PEER_OUTPUT_DROP,
    CAUSE_FIREWALL,
    CAUSE_FIREWALL_SINCE, /* it was let through before */
    CAUSE_FIREWALL_IWARP,
    CAUSE_ONE_PATH,
    CAUSE_LOSS,
    CAUSE_NO_ROUTE,
    CAUSE_NEIGHBOUR,
    CAUSE_VLAN,
    CAUSE_GID_MOVED,
    CAUSE_PEER_GONE,
    CAUSE_MEMLOCK,
    CAUSE_PINNABLE,
    CAUSE_CGROUP,
    CAUSE_DEVICE_FULL,
    CAUSE_PERMISSION,
    CAUSE_CONTAINER,
    CAUSE_DEVICE_GONE,
    CAUSE_PROVIDER,
    CAUSE_FAMILIES,
    CAUSE_CORRUPTION,
    CAUSE_PCIE,
    CAUSE_RECEIVER_SLOW,
    CAUSE_SOFT_RETRY,
    CAUSE_SERVER,
    CAUSE_TCP_FIREWALL,
    CAUSE_VERSION,
    CAUSE_ANY_GID,
    CAUSE_NOT_ALLOWED,
    CAUSE_UCM,
    CAUSE_BUSY,
    /* of other programs than roce */
    CAUSE_KEY,
    CAUSE_RIGHTS,
    CAUSE_BUFFER,
    CAUSE_FIRST_ERROR,
    CAUSE_FIRMWARE,
    CAUSE_RAILS,
    CAUSE_GPU_MEMORY,
    CAUSES
};

enum { CAUSE_TEXT_SIZE = 320 };

/* Can it be, by what is known? */
bool cause_applies(enum cause cause, const struct facts *facts);
/* A line for a person: what it is, and what to do. */
/* The same as far as it can be said without facts. */
const char *cause_general(enum cause cause);
void cause_text(enum cause cause, const struct facts *facts, char text[static CAUSE_TEXT_SIZE]);
