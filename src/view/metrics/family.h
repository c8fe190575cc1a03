/* SPDX-License-Identifier: MIT */
/* What the files in this directory share: what samples are about, and how a family is described. */
#pragma once

#include "view/column.h"
#include "view/metrics/metrics.h"

#define PREFIX "roce_"

enum samples_of {
    OF_MACHINE,
    OF_DEVICES,
    OF_DEVICE_INFO,
    OF_RESOURCES,
    OF_LIMITS,
    OF_PORTS,
    OF_PORT_INFO,
    OF_NEIGHBORS,
    OF_GID_KINDS,
    OF_GID_CHOICES,
    OF_GIDS,
    OF_NETDEVS,
    OF_PRIORITIES,
    OF_ECN_ROLES,
    OF_DROPS,
    OF_USERS,
    OF_CHECKS,
    OF_FINDINGS,
    OF_SOURCES,
    OF_BUILD,
    OF_NODE_DEVICES, /* of node_exporter's names */
    SAMPLES_OF
};

/* What a sample is about, and the labels that say so. */
struct target {
    enum samples_of of;
    const char *labels;
    const struct metrics *metrics;
    const struct device *device;
    const struct pci *pci; /* the device's; NULL: none, or not read */
    const struct port *port;
    const struct gid *gid;
    const struct netdev *netdev;
    const struct qos *qos; /* the netdev's */
    const struct user *user;
    const struct finding *finding;
    const char *what, *how; /* words for labels */
    unsigned priority;
    struct num pfc_enabled, pfc_received, pfc_sent; /* the priority's */
    struct snum count;                              /* of things counted, not read */
};
struct targets {
    struct target *items;
    size_t count;
    bool found;   /* already looked for */
    bool unclean; /* some name needs cleaning to be text */
};

/* How families are named and written. */
struct naming {
    const char *prefix;
    bool own; /* roce's: help becomes a sentence, and units are given */
    /* NULL: plain digits */
    void (*number)(char text[static 32], uint64_t value);
};

struct filling {
    const struct metrics *metrics;
    const struct metrics_choice *choice;
    const struct naming *naming;
    struct targets targets[SAMPLES_OF];
    struct exposition *to;
    struct arena *arena;
};

/* All targets of that kind; they are found once and kept. */
const struct targets *targets_of(struct filling *filling, enum samples_of of);
/* The label names, comma-separated, in arena. */
const char *targets_labels(struct arena *arena, enum samples_of of);

/* What all families about one kind of thing have in common. */
struct samples_kind {
    enum samples_of parent; /* each thing belongs to one of these, and has its labels and more */
    void (*add)(struct filling *filling, struct target parent);
    const struct column *labels;
    needs_t needs;
    unsigned with; /* WITH_* flags; 0: always */
    bool summed;   /* targets with equal labels make one series, whose values are added */
};
extern const struct samples_kind samples_kinds[SAMPLES_OF];

struct family {
    /* Without its prefix; NULL ends a list. It implies the type ("_total", "_info") and unit ("_bytes"); what
     * is in seconds is read in microseconds. */
    const char *name;
    const char *help; /* a sentence without its capital and full stop */
    enum samples_of of;
    needs_t needs; /* in addition to its kind's */
    unsigned with; /* the same */
    /* Where values come from, if they are known: a member, a function, how many of the port's counters are so,
     * the counters with a role, or one counter; if none is set: the target's count, or 1 if the labels say
     * everything.
     */
    struct member member;
    struct num (*number)(const struct target *target);
    bool (*counts)(const struct counter *counter);
    enum counter_role role;
    const char *dir, *file;
};

extern const struct family families_of_ports[], families_of_others[];

/* The lines before a family's samples; name is complete. */
void put_head(struct filling *filling, const char *name, enum metric_type type, const char *unit,
              const char *help);
void put_families(struct filling *filling, const struct family *families);
/* Is a family wanted? name is without PREFIX. */
bool is_wanted(const struct metrics_choice *choice, const char *name);
/* The next name of a comma-separated list that may be NULL, at most 127 bytes of it; false if there are no
 * more. */
bool next_word(const char **list, char word[static 128]);
const char *without_prefix(const char *word); /* "gid_count" of "roce_gid_count" */
/* What the target carries, converted from Mb/s. */
struct num port_bytes_per_second(const struct target *target);

/* counter_families.c: each counter under its own name. */
void fill_counters(struct filling *filling);
/* Is the literal beginning of this pattern a prefix of the name of some counter family, or the reverse? */
bool counters_may_match(const char *pattern);
/* "mlx5: packet_seq_err, local_ack_timeout_err; …", in arena. */
const char *counters_of_role(struct arena *arena, enum counter_role role);
/* One row per counter in the dictionary. */
void counters_list(struct arena *arena, struct metrics_row **rows, size_t *count);
