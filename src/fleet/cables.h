/* SPDX-License-Identifier: MIT */
/* The cables of many hosts: whether each ends where its like do, and a plan of them. Pure. */
#pragma once

#include "fleet/compare.h"

/* Adds what is odd about the cables of the hosts compared: one in another switch than the same rail of its unit
 * (hosts that share most switches), two swapped, one at another port than its host's other rails, a host out of
 * the order of its unit. Each only where most hosts obey the rule. */
void cables_judge(struct findings *findings);

/* A port of a host and where its cable ends, as LLDP or a plan has it. */
struct cable {
    const char *host, *nic, *netdev; /* nic: "mlx5_0/1"; in a plan whatever it calls that */
    const char *rail;                /* what most hosts call the port there; NULL in a plan */
    const char *system, *port;       /* the switch and its port; NULL: not known */
    const char *chassis;             /* NULL: not known */
    unsigned line;                   /* of the plan */
};

/* Those of all hosts compared, host by host, in arena. */
struct cable *cables_list(const struct fleet *fleet, const struct fleet_report *report, struct arena *arena,
                          size_t *count);

/* Parses a plan: lines of fields with commas, semicolons or tabs between, some in quotes; the first names them,
 * by what roce compare --cables calls them or what spreadsheets do (server, leaf port). text is NUL-terminated.
 * Returns 0 and the cables in arena, or -EINVAL: fault says why. */
int cables_parse_plan(const char *text, struct arena *arena, struct cable **cables, size_t *count,
                      struct fleet_fault *fault);
/* What differs from the plan: a cable elsewhere, a port or host that isn't there, one that the plan doesn't
 * have. */
struct fleet_report cables_against(struct fleet *fleet, const struct cable *plan, size_t nplan,
                                   const struct fleet_host *const *hosts, size_t count,
                                   const struct fleet_wish *wish, struct arena *arena);
