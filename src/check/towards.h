/* SPDX-License-Identifier: MIT */
/* What is so now of the way from here to an address. Pure. */
#pragma once

#include "check/check.h"

/* What decides between the causes of a failure. */
enum way_about {
    WAY_OTHER,
    WAY_REFUSES,  /* this host's route refuses the address */
    WAY_DOWN,     /* the port that leads there, or its netdev */
    WAY_SILENT,   /* the next hop doesn't answer on its link */
    WAY_RESOLVED, /* it did once: the kernel has its MAC */
    WAY_ANSWERS,  /* and has just heard from it */
    WAY_BY_HAND   /* somebody wrote its MAC there, which may be wrong */
};

struct way_fact {
    enum verdict verdict;
    enum way_about about;
    const char *check; /* NULL: none of doctor's */
    const char *text;
};
needs_t way_needs(void);
/* from and to: as GIDs, NULL if not known; without to, which neighbours don't answer. *facts is of arena;
 * returns how many. */
size_t way_facts(const struct host *host, const uint8_t *from, const uint8_t *to, struct arena *arena,
                 struct way_fact **facts);
