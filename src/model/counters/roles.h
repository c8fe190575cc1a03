/* SPDX-License-Identifier: MIT */
/* What drivers' counters tell alike: which of a port's counters play a role (enum counter_role), and what
 * they come to. Which counter plays which stands in its row of the dictionary. Pure. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "model/counters.h"
#include "model/device.h"
#include "model/num.h"

/* "retransmissions"; one line of what it is, at most 100 characters, whatever the driver. NULL for ROLE_NONE.
 */
const char *counter_role_name(enum counter_role role);
const char *counter_role_meaning(enum counter_role role);
enum counter_unit counter_role_unit(enum counter_role role);

/* A set of roles. */
typedef uint32_t roles_t;
#define ROLES_OF(role) ((roles_t)1 << (role))

/* The port's counter after `after` (NULL: the first) that plays one of these roles; NULL: there are no more.
 * Some drivers count the same in two directories (rxe of Linux 7: counters/ and hw_counters/): those of a
 * role are of one only, the first of counters_ext, counters and hw_counters where one could be read. A role
 * that no counter of the port plays is played by the device's own, on its first port: many count for the
 * whole device alone. */
const struct counter *port_next_in_role(const struct port *port, roles_t roles, const struct counter *after);

struct role_value {
    bool offered;   /* one that plays the role is there, whether or not it could be read */
    struct num sum; /* in the role's unit; not known when one of them could not be read */
    bool saturated; /* one has stopped at its highest value: the sum is the least */
};
/* Is the counter all that plays its role on the port: is the port's value its own? */
bool port_role_is_one(const struct port *port, const struct counter *counter);
struct role_value port_role_value(const struct port *port, enum counter_role role);
