/* SPDX-License-Identifier: MIT */
/* Whom a server listens to, and for how much: by where a connection comes from. Pure but for the table's
 * memory: the caller passes the time (ns, as wait_now()) and the dice. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

/* One source of connections: an IPv4 address, the /64 of an IPv6 one, or a link-local address on its link. */
struct source_key {
    uint8_t address[16];
    uint32_t scope;
};
struct source_key source_key(const struct sockaddr_storage *address);

enum limit {
    LIMIT_NONE,
    LIMIT_PENALTY, /* it has misbehaved before */
    LIMIT_RATE,    /* it calls too often */
    LIMIT_CALLERS, /* too many connections of it haven't greeted yet */
    LIMIT_PLACES,  /* too many of it are being served */
};
const char *limit_text(enum limit limit); /* for the one who is turned away; NULL for NONE */

/* For each place of a source: LIMIT_BURST connections at once, then LIMIT_RATE_S a second. */
enum { LIMIT_BURST = 8, LIMIT_RATE_S = 2, LIMIT_CALLERS_LEAST = 8 };
/* The first penalty, and what doubling ends at. A source that has been quiet for LIMIT_FORGIVEN_S starts anew. */
enum { LIMIT_PENALTY_S = 1, LIMIT_PENALTY_MOST_S = 60, LIMIT_FORGIVEN_S = 300 };

struct sources;
/* per_address: clients of one source at a time; connections: of all sources, callers and clients. NULL: no memory. */
struct sources *sources_new(unsigned per_address, unsigned connections);
void sources_free(struct sources *sources); /* NULL is fine */

/* A connection comes. LIMIT_NONE: it counts as a caller from now on. */
enum limit sources_call(struct sources *sources, const struct source_key *key, uint64_t now);
/* The caller has greeted. LIMIT_NONE: it counts as a client from now on; else it is still a caller. */
enum limit sources_greet(struct sources *sources, const struct source_key *key);
/* A caller or a client is gone. bad: it broke the rules, and its source is refused for a while. */
void sources_leave(struct sources *sources, const struct source_key *key, bool client, bool bad, uint64_t now);

/* As OpenSSH's MaxStartups start:rate:full: must one of so many callers go, for the sake of the next? From
 * start on it is so in rate of 100 cases, growing to all of them at full. dice: random. */
struct early_drop {
    unsigned start, rate, full;
};
bool early_drop(const struct early_drop *drop, unsigned callers, uint32_t dice);
