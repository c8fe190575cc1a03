/* SPDX-License-Identifier: MIT */
/* The list that the hosts of a mesh share: who takes part, and who tries whom. Text, a line a rail of a host:
 *
 *   ADDRESS HOST DEVICE [RAIL]   a peer; RAIL, where none is given, is DEVICE
 *   rails all                    pairs are made across rails, too
 *   pair ADDRESS ADDRESS         only the pairs that such lines name are tried
 *
 * '#' begins a comment. Each host reads the same file, and is told apart by its addresses. Pure. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"

enum {
    PEERS_MOST = 8192,
    PEERS_RAIL_MOST = 2048, /* of one rail; of all where pairs are made across rails */
    PEERS_PAIRS_MOST = 1 << 20,
    PEERS_WORD_MOST = 63,
    PEERS_TEXT_MOST = 64 << 20,
    PEERS_NOBODY = -1,
};

struct mesh_peer {
    const char *address, *host, *device, *rail;
    uint8_t raw[16]; /* the address as a GID: IPv4 mapped into IPv6 */
    uint32_t rails;  /* number of its rail: those of one name have one */
    uint32_t hosts;  /* number of its host */
    uint32_t place;  /* among those that it can be paired with, itself among them: members[first + place] */
    uint32_t first, together; /* together: how many these are */
};

struct peers {
    struct mesh_peer *items;
    size_t count, nrails, nhosts;
    uint32_t *members; /* peers by number, those of a rail together */
    size_t *order;     /* by address */
    bool all_rails;
    struct {
        uint32_t a, b; /* a < b; sorted */
    } * pairs;
    size_t npairs;  /* 0: all */
    uint32_t stamp; /* of what the list says: two hosts with one stamp have the same list */
};

struct peers_fault {
    unsigned line; /* 0: it is about no line */
    char what[160];
};

/* Memory is of arena. 0; -EINVAL: fault says why; -E2BIG: it is out of bounds, fault says of what. */
int peers_parse(const char *text, size_t len, struct arena *arena, struct peers *peers,
                struct peers_fault *fault);
/* The number of the peer with that address; PEERS_NOBODY. */
int peers_find(const struct peers *peers, const char *address);
/* May the two try each other? Those of one host never do. */
bool peers_try(const struct peers *peers, size_t a, size_t b);
/* Whom peer i tries in a round of peers_rounds(peers); PEERS_NOBODY: it rests. If a tries b, b tries a. */
int peers_partner(const struct peers *peers, size_t i, size_t round);
size_t peers_rounds(const struct peers *peers);

/* The text of a list: the head, and a line a peer. */
void peers_head(struct bytes *out);
void peers_line(struct bytes *out, const char *address, const char *host, const char *device,
                const char *rail);
