/* SPDX-License-Identifier: MIT */
/* Readings of a host that sessions share: a stranger who asks for one after the other gets the same one again. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct host;
struct readings;

/* read: called by one thread at a time; NULL when it fails. The caller frees it with readings_free() when all
 * readings have been given back. NULL: no memory. */
struct readings *readings_new(struct host *(*read)(void *data), void *data);
void readings_free(struct readings *readings); /* NULL is fine */

/* The last reading, or a new one when it is older than since (ns, as wait_now()). READINGS_BURST new ones are
 * made at once, then one in READINGS_MS and in so many times what it costs. NULL: none could be made. */
enum { READINGS_BURST = 16, READINGS_SHARE = 16, READINGS_MS = 250 };
const struct host *readings_take(struct readings *readings, uint64_t since);
void readings_give_back(struct readings *readings, const struct host *reading); /* NULL is fine */
/* Pure: may another one be made now, when each costs so much time? */
struct account {
    double left;
    uint64_t counted; /* when that was so */
};
bool readings_afford(struct account *account, uint64_t cost, uint64_t now);
