/* SPDX-License-Identifier: MIT */
/* What `roce metrics` prints: families of samples, made from one moment of a host. Pure. */
#pragma once

#include "check/check.h"
#include "model/selection.h"
#include "view/exposition.h"

/* What is printed only when it is asked for. */
enum {
    WITH_CHECKS = 1,
    WITH_GID_INFO = 2,
    WITH_PROCESSES = 4,
    WITH_LIMITS = 8,
    WITH_GIDS = 16,
};

/* Which families. The lists name them, comma-separated, with "roce_" in front or without, as patterns too;
 * NULL: no choice made. */
struct metrics_choice {
    const char *only, *skip;
    unsigned with;
};

/* The first word of a list that names no family, copied to word without "roce_"; false: all do. */
bool metrics_list_unknown(const char *list, char word[static 128]);
/* The option without which the first family that a word of the list names, as it is and not by a pattern,
 * isn't printed; word is that family. NULL: there is none. */
const char *metrics_list_lacks(const struct metrics_choice *choice, const char *list, char word[static 128]);
/* A family's name for text_nearest(): NULL behind the last. */
const char *metrics_name_at(size_t i, const void *data);
size_t metrics_count(void);
/* What host_read() must read for the chosen ones, but for the checks' own needs. */
needs_t metrics_needs(const struct metrics_choice *choice);

struct metrics {
    const struct host *host;
    const struct selection *selection;
    const struct report *report; /* with WITH_CHECKS */
    struct num microseconds;     /* that reading it took; not known: it isn't told */
};

/* Appends them to to, its end included. */
void metrics_write(const struct metrics *metrics, const struct metrics_choice *choice, struct exposition *to);

/* The families of node_exporter's infiniband collector, as its version 1.11.1 has them. */
void metrics_write_as_node_exporter(const struct metrics *metrics, struct exposition *to);
#define NODE_EXPORTER_NEEDS (NEED_STATE | NEED_RATE | NEED_FW | NEED_BOARD | NEED_COUNTERS)

/* One family, for a list of them. */
struct metrics_row {
    const char *name, *labels, *help;
    enum metric_type type;
    const char *option;   /* with which it is printed; NULL: always */
    const char *counters; /* of a neutral family: "mlx5: out_of_buffer; bnxt_re: …"; else NULL */
};
/* All of them in the order of printing, those of the counters that the dictionary has behind the rest, in arena. */
struct metrics_row *metrics_rows(struct arena *arena, size_t *count);
