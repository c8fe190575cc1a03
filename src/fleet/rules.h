/* SPDX-License-Identifier: MIT */
/* What must be so of a fact between hosts: one row a key. Pure. */
#pragma once

#include "model/facts.h"
#include "model/verdict.h"

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
    const char *because; /* keys, comma-separated, whose finding on the same hosts explains this one's; or NULL */
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
