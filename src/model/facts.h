/* SPDX-License-Identifier: MIT */
/* Facts: what hosts must agree on, the attributes with ATTRIBUTE_COMPARED. `facts` prints them; expectations
 * are read and compared in terms of them. Pure. */
#pragma once

#include "model/attribute.h"

/* The objects that have them: the host, its devices with their PCI functions, its ports with their netdevs. */
enum fact_of { FACT_HOST, FACT_DEVICE, FACT_PORT, FACT_KINDS };

struct fact_subject {
    const struct host *host;
    const struct device *device; /* of FACT_DEVICE and FACT_PORT */
    const struct port *port;     /* of FACT_PORT */
};

/* In the order they are printed; NULL when there are no more. */
const struct attribute *fact_at(size_t i);
enum fact_of fact_of(const struct attribute *fact);
const struct attribute *fact_find(enum fact_of of, const char *key); /* NULL: none */
const char *fact_list(enum fact_of of); /* the key of the array: "devices", "ports"; NULL for FACT_HOST */
bool fact_is_expected_only(const struct attribute *fact); /* only an expectation has it */
struct value fact_value(const struct attribute *fact, const struct fact_subject *subject, struct arena *arena);

/* What host_read() must read for all of them. */
#define NEED_FACTS                                                                                          \
    (NEED_STATE | NEED_RATE | NEED_FW | NEED_IDENT | NEED_GUIDS | NEED_PCI | NEED_NETDEV_ALL | NEED_NLDEV | \
     NEED_GIDS | NEED_ADDRESSES | NEED_QOS | NEED_MODE | NEED_SYSTEM | NEED_PEERS | NEED_CONFIG |           \
     NEED_ENVIRONMENT | NEED_ROUTES | NEED_TC | NEED_COUNTERS)

/* What is expected of a host: facts, any of which may be left out, of devices and ports named exactly or by
 * pattern. Pure. */

/* A key of the file; a null there means nothing is expected. */
struct expected {
    const struct attribute *fact;
    const char **items; /* as from value_items(); one, except for lists */
    size_t nitems;
};

/* An object in the file: what is expected of all devices or ports that it names. */
struct expected_entry {
    enum fact_of of;             /* FACT_HOST: the file's own keys */
    const char *device, *netdev; /* patterns; NULL: any. At least one is set, except for FACT_HOST */
    struct num port, count;      /* count: how many it must match; if not known, at least one */
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

/* Parses a file's text: JSON as `facts` prints it. Returns 0, with *out in arena, or -EINVAL; fault says
 * why. */
int expectation_parse(const char *text, size_t len, struct arena *arena, struct expectation **out,
                      struct expectation_fault *fault);

/* What an entry is about, for a person: "mlx5_*", "mlx5_3/1", "rail[0-7]"; perhaps in arena. */
const char *expectation_name(const struct expected_entry *entry, struct arena *arena);
/* Are so many of what it names as many as there must be? */
bool expectation_is_counted(const struct expected_entry *entry, size_t count);
bool expectation_takes_device(const struct expected_entry *entry, const char *device);
/* For an entry of devices, every port of the device. port: 0, and netdev: NULL, if there is none. */
bool expectation_takes_port(const struct expected_entry *entry, const char *device, uint64_t port,
                            const char *netdev);
/* Does it name the port as one in use? False for one expected not to be ACTIVE, or to have no routable RoCE v2
 * GID: a whole machine's facts include its spare ports. False if expectation is NULL. */
bool expectation_names(const struct expectation *expectation, const struct port *port);
/* Are a value's items what is expected? Their order doesn't matter. */
bool expectation_is_met(const struct expected *expected, const char *const *items, size_t nitems);
