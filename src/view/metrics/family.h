/* SPDX-License-Identifier: MIT */
/* What the files beside this one share: how a family is described and filled. */
#pragma once

#include "view/metrics/metrics.h"

#define PREFIX "roce_"

/* What samples are about, and the labels that say so. */
struct target {
    const struct device *device;
    const struct pci *pci; /* of the device; NULL: none, or not read */
    const struct port *port;
    const struct netdev *netdev;
    const struct qos *qos; /* of the netdev */
    const char *labels;
};
struct targets {
    struct target *items;
    size_t count;
    bool unclean; /* a name among them is no text as it is */
};

struct family;
struct filling {
    const struct metrics *metrics;
    const struct metrics_choice *choice;
    struct targets devices, ports, netdevs;
    struct exposition *to;
    struct arena *arena;
    const struct family *family; /* that is filled */
    char name[64];               /* its name, with PREFIX */
    bool begun;                  /* its head was written */
};

enum over { OVER_DEVICES, OVER_PORTS, OVER_NETDEVS };

struct family {
    const char *name;   /* without PREFIX; NULL ends a list */
    const char *labels; /* comma-separated */
    const char *help;   /* a sentence without its capital and its full stop */
    enum metric_type type;
    const char *unit; /* of exposition_family() */
    needs_t needs;
    unsigned with; /* of WITH_*: 0 is always */
    /* Where samples come from, one of three: a number of each, as far as it is known; the counters that play
     * a role; or the family's own way. */
    enum over over;
    struct num (*number)(const struct target *target);
    enum counter_role role;
    void (*fill)(struct filling *filling);
};

/* The lines in front of a family whose name is whole; help is made a sentence. */
void put_head(struct filling *filling, const char *name, enum metric_type type, const char *unit,
              const char *help);
/* A sample of the family that is filled. */
void put(struct filling *filling, const char *labels, uint64_t value);
void put_signed(struct filling *filling, const char *labels, int64_t value);
void put_seconds(struct filling *filling, const char *labels, uint64_t microseconds);
/* labels and one more. */
const char *with_label(struct filling *filling, const char *labels, const char *name, const char *value);
const char *with_number(struct filling *filling, const char *labels, const char *name, uint64_t value);
/* The next name of a comma-separated list, at most 127 bytes of it; false: it was empty. */
bool list_next_word(const char **list, char word[static 128]);
const char *without_prefix(const char *word);
/* Is a family wanted? name without PREFIX. */
bool is_wanted(const struct metrics_choice *choice, const char *name);

extern const struct family families_devices[], families_ports[], families_netdevs[], families_extra[];

/* counters.c: what plays a role; and each counter under a name of its own. */
void fill_role(struct filling *filling);
void fill_counters(struct filling *filling);
/* node_exporter.c: all of it. */
void fill_as_node_exporter(struct filling *filling);
/* Do the names of counters' families begin with the plain beginning of this pattern, or it with theirs? */
bool counters_may_match(const char *pattern);
/* "mlx5: packet_seq_err, local_ack_timeout_err; …", in arena. */
const char *counters_of_role(struct arena *arena, enum counter_role role);
/* A row for each counter of the dictionary. */
void counters_list(struct arena *arena, struct metrics_row **rows, size_t *count);
