/* SPDX-License-Identifier: MIT */
/* What is so now of the way from here to an address. Pure. */
#pragma once

#include "check/check.h"

struct way_fact {
    enum verdict verdict;
    const char *check; /* NULL: none of doctor's */
    const char *text;
};
needs_t way_needs(void);
/* from and to: as GIDs, NULL if not known; without to, which neighbours don't answer. *facts is of arena;
 * returns how many. */
size_t way_facts(const struct host *host, const uint8_t *from, const uint8_t *to, struct arena *arena,
                 struct way_fact **facts);
