/* SPDX-License-Identifier: MIT */
/* Facts of many hosts held against each other, by the rules. Pure. */
#pragma once

#include "fleet/align.h"
#include "fleet/rules.h"

/* Hosts that have one value. */
struct fleet_group {
    const char *value; /* for people; "" is never there */
    const char *hosts; /* folded: h[0-4,6-7] */
    const uint32_t *members;
    size_t count;
    bool odd; /* it is these that the finding is about */
};

struct fleet_finding {
    const struct fleet_rule *rule;
    enum verdict verdict;
    const char *key;     /* of the fact, or "errors.NAME" */
    const char *subject; /* "mlx5_[0-11]/1"; NULL: the host */
    struct fleet_group *groups;
    size_t ngroups;
    size_t more_values; /* groups that were left out */
    const char **also;  /* keys whose findings this one explains */
    size_t nalso;
    size_t odd; /* hosts that it is about */
};

struct fleet_wish {
    const char *only, *skip;    /* keys, comma-separated; NULL: no choice made */
    bool no_uniques, no_others; /* hosts in parts: what must be unique is so among all */
};

struct fleet_report {
    const char *part; /* of --by: the value that its hosts share; NULL: it is of all */
    const struct fleet_host *const *hosts;
    size_t nhosts;
    struct alignment alignment;
    struct fleet_finding *findings; /* worst first */
    size_t nfindings;
    size_t keys;    /* columns that were compared: a key of a rail, or of the hosts */
    size_t unknown; /* values that some hosts tell and others don't: they weren't judged */
};

/* hosts: those that count, as fleet_settle() left them. Memory is of arena. */
struct fleet_report fleet_compare(struct fleet *fleet, const struct fleet_host *const *hosts, size_t count,
                                  const struct fleet_wish *wish, struct arena *arena);
/* What is other than in a file of facts that says how hosts should be: any keys left out, names perhaps patterns. */
struct fleet_report fleet_against(struct fleet *fleet, const struct fleet_host *should,
                                  const struct fleet_host *const *hosts, size_t count,
                                  const struct fleet_wish *wish, struct arena *arena);
/* What changed on one host between two records of it: hosts[0] and, later, hosts[1]. */
struct fleet_report fleet_changes(struct fleet *fleet, const struct fleet_host *const *hosts,
                                  const struct fleet_wish *wish, struct arena *arena);
/* The worst verdict; VERDICT_PASS: there is nothing. */
enum verdict fleet_verdict(const struct fleet_report *report);
