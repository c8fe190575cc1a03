/* SPDX-License-Identifier: MIT */
/* What comparing found, while it is put together. Private to fleet/. */
#pragma once

#include "fleet/compare.h"

struct findings {
    struct fleet *fleet;
    struct arena *arena;
    const struct fleet_host *const *hosts;
    const struct fleet_wish *wish;
    struct draft {
        struct fleet_finding finding;
        const char **subjects;
        size_t nsubjects, nvalues; /* nvalues: of groups[0] that were told */
        uint64_t mark;             /* of key and members: equal ones are looked at closely */
    } * drafts;
    size_t count;
};

bool findings_wants(const struct findings *findings, const char *key);
/* Takes over groups and their members, which are of the arena. One of the same key, and the same hosts in
 * each group, becomes one with it. */
void findings_add(struct findings *findings, const struct fleet_rule *rule, const char *key,
                  const char *subject, struct fleet_group *groups, size_t ngroups, size_t more_values);
/* Folds names, leaves out what others explain, sorts. */
void findings_finish(struct findings *findings, struct fleet_report *report);
/* A value as people read it. */
const char *findings_value(struct findings *findings, fleet_value value);
