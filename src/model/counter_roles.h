/* SPDX-License-Identifier: MIT */
/* What drivers' counters have in common: which of a port's counters play a role (enum counter_role), and what
 * they add up to. A counter's row in the dictionary names its role. Pure. */
#pragma once

#include "model/device.h"

const char *counter_role_name(enum counter_role role); /* "retransmissions"; NULL for ROLE_NONE */

/* A set of roles. */
typedef uint64_t roles_t;
#define ROLES_OF(role) ((roles_t)1 << (role))

/* The port's next counter after `after` (NULL: the first) that plays one of these roles; NULL when there are no
 * more. Some drivers count the same thing in two directories (rxe in Linux 7: counters/ and hw_counters/), so a
 * role's counters come from only one, the first of counters_ext, counters and hw_counters where one could be
 * read. If no counter of the port plays a role, the device's own do, on its first port: many count only for the
 * whole device. */
const struct counter *port_next_in_role(const struct port *port, roles_t roles, const struct counter *after);

struct role_value {
    bool offered;   /* a counter with the role exists, whether or not it could be read */
    struct num sum; /* in the role's unit; not known if one of them could not be read */
    bool saturated; /* one has stopped at its highest value: the sum is a lower bound */
};
/* Is this the only counter with its role on the port, so that the port's value is its own? */
bool port_role_is_one(const struct port *port, const struct counter *counter);
struct role_value port_role_value(const struct port *port, enum counter_role role);
