/* SPDX-License-Identifier: MIT */
/* Facts of many hosts. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/facts.h"

/* Texts by number: each is kept once, and two are the same when their numbers are. */

struct intern {
    struct arena *arena; /* the caller's; holds the texts */
    const char **texts;  /* by number; owned, intern_free() */
    uint32_t *slots;     /* numbers by hash; 0: free */
    size_t count, size, nslots;
};

/* The text's number, at least 1. */
uint32_t intern(struct intern *intern, const char *text, size_t len);
const char *intern_text(const struct intern *intern, uint32_t number); /* NULL: 0 */
void intern_free(struct intern *intern);

/* Facts of many hosts, as `roce facts` prints them: numbers for texts, so that tens of thousands fit and two
 * can be compared by their numbers. Facts are a stranger's: what is out of bounds is refused, with its line. */

/* Values are held by a fact's place in the list of facts (fact_at()); behind those come what is made of them.
 */
enum {
    FLEET_FACTS_MOST = 96,
    FLEET_PORTS_MOST = 512,  /* of a host */
    FLEET_ITEMS_MOST = 1024, /* of a list */
    FLEET_HOSTS_MOST = 1 << 17,
    FLEET_OBJECT_MOST = 4 << 20, /* bytes of one host's facts */
    FLEET_ITEM = '\x1f',         /* between the items of a list: a control character, which no clean text has */
};

/* A value is the number of its text; of a list, of its items with FLEET_ITEM between. */
typedef uint32_t fleet_value;
enum { FLEET_ABSENT = 0 }; /* the key isn't there, or is null: not known */

/* A port, with what its device has: device's facts and port's; or a device without one. */
struct fleet_subject {
    const char *name;    /* "mlx5_0/1" */
    bool first;          /* of its device: the device's facts are compared once */
    fleet_value *values; /* by fact */
};

struct fleet_host {
    const char *name; /* clean; the file's where the facts don't say */
    const char *time; /* NULL: they don't say */
    const char *file; /* where they came from, and the line there */
    unsigned line;
    size_t order;        /* in which they came */
    fleet_value *values; /* facts of the host */
    struct fleet_subject *subjects;
    size_t nsubjects;
    bool replaced;    /* a later one of the same host is here */
    const char *twin; /* the name that it shares with another machine; NULL: its name is its own */
};

struct fleet {
    struct arena *arena;
    struct intern texts;
    struct fleet_host *hosts;
    size_t nhosts;
};

struct fleet_fault {
    unsigned line; /* where the host begins; of what is no JSON, that line; 0: it is about no line */
    char what[160];
};

struct fleet *fleet_new(void);
void fleet_free(struct fleet *fleet); /* NULL is fine */

/* Adds the host whose facts text is; file and line: where it begins (file is copied), name: what it is called
 * unless it says. 0; -EINVAL: fault says why; -E2BIG: it is out of bounds, or there are too many. */
int fleet_add(struct fleet *fleet, const char *text, size_t len, const char *file, unsigned line,
              const char *name, struct fleet_fault *fault);

/* Where in values a fact is. fleet_family: "IPv4", "IPv6" or both, of the addresses; fleet_findings: what
 * doctor found, of the host. */
size_t fleet_fact(enum fact_of of, const char *key);
size_t fleet_family(void);
size_t fleet_findings(void);
const char *fleet_text(const struct fleet *fleet, fleet_value value); /* NULL: FLEET_ABSENT */

/* The item of a list that *at begins with, behind which *at moves then; NULL: there is none (any more). */
const char *fleet_next_item(const char **at, size_t *len);
bool fleet_has_item(const char *list, const char *item, size_t len);

/* Of two records of one host the later counts; the other is marked. Returns how many were. A name that hosts
 * of different GUIDs have is made one for each: NAME_1, NAME_2, NAME. */
size_t fleet_settle(struct fleet *fleet);
