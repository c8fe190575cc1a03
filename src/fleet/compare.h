/* SPDX-License-Identifier: MIT */
/* Comparing hosts. */
#pragma once

#include "base/gzip.h"
#include "fleet/fleet.h"
#include "model/verdict.h"

/* Which ports of different hosts correspond. Their names may differ, and are then compared as well. Pure. */

enum { SLOTS_MOST = 1024, NO_SUBJECT = -1 };

/* A place at which hosts have a port: a rail. */
struct slot {
    const char *name;    /* what most hosts call it */
    fleet_value subnets; /* of most hosts; FLEET_ABSENT if each has its own, or none is known */
    int16_t *members;    /* each host's subject, by the host's place in the list; NO_SUBJECT if it has none */
    size_t count;        /* hosts that have one */
};

struct alignment {
    struct slot *slots; /* in version order of names */
    size_t nslots;
};

/* Matches ports by subnet where several hosts share it, then by PCI function and model, by name and model, by
 * order among those of a model, and another model in their place: the first that applies. Memory comes from
 * arena. hosts has count items. */
struct alignment fleet_align(const struct fleet *fleet, const struct fleet_host *const *hosts, size_t count,
                             struct arena *arena);

/* How a fact may differ between hosts. */

enum rule_kind {
    RULE_NONE,   /* differs by nature, or is what subjects are matched by */
    RULE_EQUAL,  /* all the same */
    RULE_UNIQUE, /* no two hosts may share a value */
    RULE_PAIR,   /* any two values must fit each other */
    RULE_NUMBER, /* NAME=NUMBER items: none may be far above the others' */
};

struct fleet_rule {
    enum fact_of of;
    const char *key;
    enum rule_kind kind;
    enum verdict verdict;
    bool each;       /* the items of the list are NAME=VALUE, each compared by name */
    bool own_values; /* each rail has its own: differences on several rails are reported together */
    bool common;     /* for RULE_PAIR: lists fit if they have an item in common, not only if they are equal */
    unsigned least;  /* for RULE_NUMBER: fewer than this are never a finding */
    /* keys of the device or port, comma-separated: only those with the same value of the first that is known
     * are compared; of a host, and of "port", those of a generation; or NULL */
    const char *within;
    /* keys, comma-separated, whose findings on the same hosts explain this one; or NULL */
    const char *because;
    const char *with;  /* for RULE_PAIR: a pair whose hosts both have "yes" for this key always fits */
    uint16_t why, fix; /* for packed_line() */
};

/* Made of rules.txt: a row for each fact, and for "port", "findings", "host" and "family". One without a key
 * ends them. */
extern const struct fleet_rule fleet_rules[];
/* The row of a fact; of FACT_KINDS: the first of that key. NULL if there is none. */
const struct fleet_rule *fleet_rule(enum fact_of of, const char *key);

/* Comparing the facts of many hosts by the rules. Pure. */

/* Hosts that share a value. */
struct fleet_group {
    const char *value; /* for people; never "" */
    const char *hosts; /* folded: h[0-4,6-7] */
    const uint32_t *members;
    size_t count;
    bool odd; /* the finding is about these */
};

struct fleet_finding {
    const struct fleet_rule *rule;
    enum verdict verdict;
    const char *key;     /* of the fact, or "errors.NAME" */
    const char *subject; /* "mlx5_[0-11]/1"; NULL for the host */
    struct fleet_group *groups;
    size_t ngroups;
    size_t more_values; /* groups left out */
    const char **also;  /* keys whose findings this one explains */
    size_t nalso;
    size_t odd; /* how many hosts it is about */
};

struct fleet_wish {
    const char *only, *skip;    /* keys, comma-separated; NULL for no restriction */
    bool no_uniques, no_others; /* when comparing in parts: uniqueness is checked among all hosts */
};

struct fleet_report {
    const char *part; /* with --by: the value that its hosts share; NULL for all hosts */
    const struct fleet_host *const *hosts;
    size_t nhosts;
    struct alignment alignment;
    struct fleet_finding *findings; /* worst first */
    size_t nfindings;
    size_t keys;    /* columns compared: a key of a rail, or of the hosts */
    size_t unknown; /* values that some hosts have and others don't; not judged */
};

/* hosts: those that count, as fleet_settle() left them. Memory comes from arena. */
struct fleet_report fleet_compare(struct fleet *fleet, const struct fleet_host *const *hosts, size_t count,
                                  const struct fleet_wish *wish, struct arena *arena);
/* What differs from how each host should be. What is one host's own, or passes, isn't asked of others. */
struct fleet_report fleet_against(struct fleet *fleet, const struct expectation *should,
                                  const struct fleet_host *const *hosts, size_t count,
                                  const struct fleet_wish *wish, struct arena *arena);
/* What changed on one host between two records: hosts[0] and the later hosts[1]. */
struct fleet_report fleet_changes(struct fleet *fleet, const struct fleet_host *const *hosts,
                                  const struct fleet_wish *wish, struct arena *arena);
/* The worst verdict; VERDICT_PASS if there is no finding. */
enum verdict fleet_verdict(const struct fleet_report *report);

/* Values of hosts, to be sorted and grouped. Private to fleet/. */

struct fleet_row {
    fleet_value within, value, with; /* within and with: what it is compared within and with; 0 if nothing */
    uint32_t host;
    const char *subject;
};

struct fleet_rows {
    struct fleet_row *items; /* the user frees them */
    size_t count, size;
};

void rows_add(struct fleet_rows *rows, struct fleet_row row);
void rows_sort(struct fleet_rows *rows); /* by within, value, with and host */
/* How many of count sorted rows have the first's within and value. */
size_t rows_alike(const struct fleet_row *rows, size_t count);

/* Findings being put together. Private to fleet/. */

struct findings {
    struct fleet *fleet;
    struct arena *arena;
    struct fleet_report *report;
    const struct fleet_wish *wish;
    struct draft {
        struct fleet_finding finding;
        const char **subjects;
        size_t nsubjects, nvalues; /* nvalues: of groups[0], that were known */
        uint32_t mark;             /* of key and members; equal marks need a closer look */
    } * drafts;
    size_t count;
    fleet_value *generations; /* of each host; hosts of one have models in common */
    struct fold {
        const struct fleet_rule *rule;
        const char *subject;
    } * folds; /* what differs between those that are compared apart */
    size_t nfolds;
};

bool findings_wants(const struct findings *findings, const char *key);
/* The hosts of rows with one value, sorted by host. */
struct fleet_group findings_group(struct findings *findings, const struct fleet_row *rows, size_t count,
                                  bool odd);
/* Takes over groups and their members, which live in the arena. Merges with an earlier one of the same key
 * whose groups have the same hosts. */
void findings_add(struct findings *findings, const struct fleet_rule *rule, const char *key,
                  const char *subject, struct fleet_group *groups, size_t ngroups, size_t more_values);
/* Folds names, drops what other findings explain, and sorts. */
void findings_finish(struct findings *findings);
/* A value for people to read. */
const char *findings_value(struct findings *findings, fleet_value value);
