/* SPDX-License-Identifier: MIT */
/* Facts of many hosts. */
#pragma once

#include "model/facts.h"

/* Texts by number: each is stored once, so two are equal if their numbers are. */

struct intern {
    struct arena *arena; /* the caller's; holds the texts */
    const char **texts;  /* by number; free with intern_free() */
    uint32_t *slots;     /* numbers by hash; 0: free */
    size_t count, size, nslots;
    uint64_t seed; /* of the hash: a stranger's file can't choose texts that meet in one slot */
};

/* The text's number, at least 1. */
uint32_t intern(struct intern *intern, const char *text, size_t len);
const char *intern_text(const struct intern *intern, uint32_t number); /* NULL for 0 */
void intern_free(struct intern *intern);

/* Facts of many hosts, as `roce facts` prints them: texts are kept as numbers, so that tens of thousands of
 * hosts fit and comparing is cheap. The facts are untrusted: anything out of bounds is refused, with its
 * line. */

/* Values are indexed by a fact's place in the list of facts (fact_at()); derived values come after those. */
enum {
    FLEET_FACTS_MOST = 96,
    FLEET_NO_FACT = FLEET_FACTS_MOST - 1,
    FLEET_PORTS_MOST = 512,  /* per host */
    FLEET_ITEMS_MOST = 1024, /* per list */
    FLEET_HOSTS_MOST = 1 << 17,
    FLEET_OBJECT_MOST = 4 << 20, /* bytes of one host's facts */
    FLEET_ITEM = '\x1f', /* separates the items of a list: a control character, which no clean text has */
};

/* The number of a text; a list is its items joined by FLEET_ITEM. */
typedef uint32_t fleet_value;
enum { FLEET_ABSENT = 0 }; /* the key is missing or null: not known */

/* A port with its device: facts of both; or a device without a port. */
struct fleet_subject {
    const char *name;    /* "mlx5_0/1" */
    bool first;          /* of its device, so that the device's facts are compared only once */
    fleet_value *values; /* by fact */
};

struct fleet_host {
    const char *name;    /* clean; the file's name if the facts have none */
    const char *time;    /* NULL if the facts have none */
    const char *file;    /* where they came from */
    size_t order;        /* order of arrival */
    fleet_value *values; /* facts of the host */
    struct fleet_subject *subjects;
    size_t nsubjects;
    bool replaced;    /* a later record of the same host is present */
    const char *twin; /* the name that it shares with another machine; NULL if its name is unique */
};

struct fleet {
    struct arena *arena;
    struct intern texts;
    struct fleet_host *hosts;
    size_t nhosts;
};

/* What is wrong with facts, a plan of cables or a list of peers. */
struct fleet_fault {
    unsigned line; /* of facts: where the host begins, or the line that isn't JSON; 0 if it concerns no line */
    char what[160];
};

struct fleet *fleet_new(void);
void fleet_free(struct fleet *fleet); /* NULL is fine */

/* Adds the host whose facts are in text. file and line say where it begins (file is copied); name is used
 * unless the facts have one. Returns 0; -EINVAL, and fault says why; -E2BIG if it is out of bounds, or there
 * are too many. */
int fleet_add(struct fleet *fleet, const char *text, size_t len, const char *file, unsigned line,
              const char *name, struct fleet_fault *fault);

/* A fact's index in values: its place in the list of facts; or that of one of two made here: a port's "family"
 * ("IPv4", "IPv6" or both, from its addresses), and a host's "findings", doctor's. FLEET_NO_FACT if there is
 * none. */
size_t fleet_fact(enum fact_of of, const char *key);
const char *fleet_text(const struct fleet *fleet, fleet_value value); /* NULL for FLEET_ABSENT */

/* The list item at *at, which then moves past it; NULL if there are no more. */
const char *fleet_next_item(const char **at, size_t *len);
bool fleet_has_item(const char *list, const char *item, size_t len);

/* The hosts that count, in fleet's arena: of two records of one host the later one does, and the other is
 * marked. A name shared by hosts with different GUIDs is made unique for each: NAME_1, NAME_2, NAME. */
const struct fleet_host **fleet_settle(struct fleet *fleet, size_t *count);
