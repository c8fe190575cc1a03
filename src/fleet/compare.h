/* SPDX-License-Identifier: MIT */
/* Comparing hosts. */
#pragma once

#include "fleet/fleet.h"
#include "model/facts.h"
#include "model/verdict.h"

/* Which port of one host stands where which port of another does. Names may differ, and are compared then.
 * Pure. */

enum { SLOTS_MOST = 1024, NO_SUBJECT = -1 };

/* One place that hosts have a port at: a rail. */
struct slot {
    const char *name;    /* what most hosts call it */
    fleet_value subnets; /* most hosts' there; FLEET_ABSENT: each has its own, or none is known */
    int16_t *members;    /* a host's subject by the host's place in the list; NO_SUBJECT: it has none there */
    size_t count;        /* hosts that have one */
};

struct alignment {
    struct slot *slots; /* in version order of names */
    size_t nslots;
    size_t left_out; /* subjects for which there was no room */
};

/* Ports are put together by their subnet where several hosts have that, then by PCI function and model, by
 * name and model, and by their order among those of a model: the first that fits. Memory is of arena. hosts:
 * count of them. */
struct alignment fleet_align(const struct fleet *fleet, const struct fleet_host *const *hosts, size_t count,
                             struct arena *arena);

/* What must be so of a fact between hosts: one row a key. Pure. */

enum rule_kind {
    RULE_NONE,   /* differs by nature, or is what subjects are put together by */
    RULE_EQUAL,  /* all the same */
    RULE_UNIQUE, /* no two hosts have one in common */
    RULE_PAIR,   /* any two fit each other */
    RULE_NUMBER, /* NAME=NUMBER items: none far above the others' */
};

struct fleet_rule {
    enum fact_of of;
    const char *key;
    enum rule_kind kind;
    enum verdict verdict;
    bool each;       /* items of the list are NAME=VALUE, and compared each by its name */
    bool own_values; /* each rail has its own: what differs on several stands together */
    /* key of the device or port: only those with the same value of it are compared; or NULL */
    const char *within;
    /* keys, comma-separated, whose finding on the same hosts explains this one's; or NULL */
    const char *because;
    const char *why, *fix;
    /* of RULE_PAIR; NULL: only the same do. Lists as FLEET_ITEM has them */
    bool (*fits)(const char *a, const char *b);
    const char *with; /* of RULE_PAIR: each is a pair that fits anyhow where both have "yes" of this key */
    unsigned least;   /* of RULE_NUMBER: fewer are no finding, whatever others have */
};

/* NULL: there are no more. */
const struct fleet_rule *fleet_rule_at(size_t i);
/* The row of a fact; a row is there for each. */
const struct fleet_rule *fleet_rule(enum fact_of of, const char *key);
/* Is it the first row of its key? */
bool fleet_rule_first(const struct fleet_rule *rule);
/* Is there a fact or a pseudo fact ("port", "findings", "host", "family") of that name? */
bool fleet_rule_known(const char *key);

/* Facts of many hosts held against each other, by the rules. Pure. */

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
/* What is other than in a file of facts that says how hosts should be: any keys left out, names perhaps
 * patterns. */
struct fleet_report fleet_against(struct fleet *fleet, const struct fleet_host *should,
                                  const struct fleet_host *const *hosts, size_t count,
                                  const struct fleet_wish *wish, struct arena *arena);
/* What changed on one host between two records of it: hosts[0] and, later, hosts[1]. */
struct fleet_report fleet_changes(struct fleet *fleet, const struct fleet_host *const *hosts,
                                  const struct fleet_wish *wish, struct arena *arena);
/* The worst verdict; VERDICT_PASS: there is nothing. */
enum verdict fleet_verdict(const struct fleet_report *report);

/* What comparing found, while it is put together. Private to fleet/. */

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
