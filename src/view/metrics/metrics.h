/* SPDX-License-Identifier: MIT */
/* What `roce metrics` prints, the formats that Prometheus reads, and one HTTP request for it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "check/check.h"
#include "model/selection.h"

/* The two formats that Prometheus reads: its own text, version 0.0.4, and OpenMetrics 1.0. What becomes a
 * name is the caller's matter; help and the values of labels may be any bytes. */

enum metric_type { METRIC_GAUGE, METRIC_COUNTER, METRIC_INFO };
/* "gauge", "counter", "info": an info is a gauge whose labels tell, and whose value is 1. */
const char *metric_type_name(enum metric_type type);

struct exposition {
    struct bytes out; /* what was written so far: the caller frees it */
    bool openmetrics;
    size_t samples;
};

/* The lines in front of a family's samples. name is whole, "_total" of a counter and "_info" of an info
 * included; unit is what its name has in front of that, "bytes" or "seconds"; NULL: nothing. */
void exposition_family(struct exposition *to, const char *name, enum metric_type type, const char *unit,
                       const char *help);
/* labels as exposition_label() makes them; "": none. */
void exposition_sample(struct exposition *to, const char *name, const char *labels, uint64_t value);
void exposition_sample_signed(struct exposition *to, const char *name, const char *labels, int64_t value);
void exposition_sample_seconds(struct exposition *to, const char *name, const char *labels,
                               uint64_t microseconds);
/* value as it shall be written. */
void exposition_sample_text(struct exposition *to, const char *name, const char *labels, const char *value);
/* OpenMetrics has an end. */
void exposition_end(struct exposition *to);

/* labels and one more behind them, in arena. What a terminal could obey and what is no UTF-8 becomes \xNN
 * text; a backslash and a quote are escaped. value NULL is "", which Prometheus takes for no label. */
const char *exposition_label(struct arena *arena, const char *labels, const char *name, const char *value);

/* What `roce metrics` prints: families of samples, made from one moment of a host. Pure. */

/* What is printed only when it is asked for. */
enum {
    WITH_CHECKS = 1,
    WITH_GID_INFO = 2,
    WITH_PROCESSES = 4,
    WITH_LIMITS = 8,
    WITH_GIDS = 16,
};

extern const struct metrics_option {
    unsigned with;
    const char *name;
} metrics_options[]; /* up to one without a name */

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
/* All of them in the order of printing, those of the counters that the dictionary has behind the rest, in
 * arena. */
struct metrics_row *metrics_rows(struct arena *arena, size_t *count);

/* One HTTP request for metrics, from a stranger, and the answer to it (RFC 9110, RFC 9112). Pure. */

enum { HTTP_HEAD_MOST = 8192 };

/* How long the head of a request is that text begins with, its blank line included; 0: it isn't whole yet. */
size_t http_head_length(const char *text, size_t len);

struct http_request {
    unsigned status;  /* 200, or what is wrong with it: 400, 404, 405, 431, 505 */
    bool head;        /* HEAD: the answer's head alone is wanted */
    bool openmetrics; /* that is what the client would rather have */
};
/* head: of http_head_length(). */
struct http_request http_parse(const char *head, size_t len);

/* The whole answer, in out; page is the metrics, with a status of 200, else a line of text is made for it. */
void http_answer(struct bytes *out, const struct http_request *request, const struct bytes *page);
