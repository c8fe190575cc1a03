/* SPDX-License-Identifier: MIT */
/* Facts: what of a host others must agree with. The one list of their keys: `facts` prints by it, an
 * expectation is read and compared by it. Pure. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "model/host.h"

struct arena;

/* What a fact is about. */
enum fact_of { FACT_HOST, FACT_DEVICE, FACT_PORT, FACT_KINDS };

/* How JSON writes it. */
enum fact_type { FACT_TEXT, FACT_NUMBER, FACT_YES_NO, FACT_TEXTS, FACT_NUMBERS };

struct fact_subject {
    const struct host *host;
    const struct device *device; /* of FACT_DEVICE and FACT_PORT */
    const struct port *port;     /* of FACT_PORT */
};

enum fact_state {
    FACT_UNKNOWN, /* it could not be read, or isn't offered */
    FACT_NONE,    /* it was looked for, and there is none */
    FACT_KNOWN,
};

/* Texts are clean; numbers are decimal, yes and no are these words. */
struct fact_value {
    enum fact_state state;
    const char **items; /* one, but of lists */
    size_t nitems;
};

struct fact {
    const char *key;
    enum fact_of of;
    enum fact_type type;
    bool own;     /* one host has it, not its like: addresses, GUIDs */
    bool passing; /* it tells of the moment: nobody expects it */
    bool pattern; /* a name: an expectation may give a pattern for it, as fnmatch(3) has them */
    /* NULL: only an expectation has it */
    struct fact_value (*get)(const struct fact_subject *subject, struct arena *arena);
};

/* In the order that they are printed in; NULL when there are no more. */
const struct fact *fact_at(size_t i);
const struct fact *fact_find(enum fact_of of, const char *key); /* NULL: none */
const char *fact_list(enum fact_of of); /* the key of the array: "devices", "ports"; NULL for FACT_HOST */

/* What host_read() must read for all of them. */
#define FACT_NEEDS                                                                                          \
    (NEED_STATE | NEED_RATE | NEED_FW | NEED_IDENT | NEED_GUIDS | NEED_PCI | NEED_NETDEV_ALL | NEED_NLDEV | \
     NEED_GIDS | NEED_ADDRESSES | NEED_QOS | NEED_MODE | NEED_SYSTEM | NEED_PEERS | NEED_CONFIG |           \
     NEED_ENVIRONMENT | NEED_ROUTES | NEED_TC | NEED_COUNTERS)

/* What is expected of a host: facts, any keys left out, of devices and ports that are named, perhaps by a
 * pattern. Pure. */

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
