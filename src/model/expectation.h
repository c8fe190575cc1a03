/* SPDX-License-Identifier: MIT */
/* What is expected of a host: facts, any keys left out, of devices and ports that are named, perhaps by a
 * pattern. Pure. */
#pragma once

#include "model/facts.h"

/* As of a key of the file; what is null there is not expected. */
struct expected {
    const struct fact *fact;
    struct fact_value value; /* FACT_KNOWN */
};

/* An object of the file: what is expected of all devices or ports that it names. */
struct expected_entry {
    enum fact_of of;             /* FACT_HOST: the file's own keys */
    const char *device, *netdev; /* patterns; NULL: any. One of them is there, but of FACT_HOST */
    struct num port, count;      /* count: how many it names; not known: at least one */
    struct expected *keys;
    size_t nkeys;
};

struct expectation {
    struct expected_entry *entries;
    size_t nentries;
};

struct expectation_fault {
    unsigned line; /* of the text, from 1 */
    char what[256];
};

/* Understands a file's text: JSON as `facts` prints it. 0, in arena's memory; -EINVAL: fault says why. */
int expectation_parse(const char *text, size_t len, struct arena *arena, struct expectation **out,
                      struct expectation_fault *fault);

bool expectation_takes_device(const struct expected_entry *entry, const struct device *device);
/* Also of an entry of devices: each port of the device. */
bool expectation_takes_port(const struct expected_entry *entry, const struct port *port);
/* Does it name the port, and as one that is used? Not one that it expects not to be ACTIVE, or to have no
 * routable RoCE v2 GID: facts of a whole machine tell of its spare ports, too. expectation may be NULL: no.
 */
bool expectation_names(const struct expectation *expectation, const struct port *port);
/* Is the value what is expected? value is FACT_KNOWN. The order in lists is no matter. */
bool expectation_is_met(const struct expected *expected, const struct fact_value *value);
