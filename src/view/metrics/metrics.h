/* SPDX-License-Identifier: MIT */
/* What `roce metrics` prints, the formats that Prometheus reads, and one HTTP request for it. */
#pragma once

#include "check/check.h"
#include "model/selection.h"

/* The two formats that Prometheus reads: its own text format, version 0.0.4, and OpenMetrics 1.0. The caller
 * must pass valid names; help and label values may be any bytes. */

enum metric_type { METRIC_GAUGE, METRIC_COUNTER, METRIC_INFO };
/* "gauge", "counter", "info": an info is a gauge whose labels carry the information, and whose value is 1. */
const char *metric_type_name(enum metric_type type);

struct exposition {
    struct bytes out; /* written so far; the caller frees it */
    bool openmetrics;
    size_t samples;
};

/* The lines before a family's samples. name is complete, including a counter's "_total" and an info's "_info";
 * unit is the part of the name before that, "bytes" or "seconds"; NULL: none. */
void exposition_family(struct exposition *to, const char *name, enum metric_type type, const char *unit,
                       const char *help);
/* labels comes from exposition_label(); "": none. */
void exposition_sample(struct exposition *to, const char *name, const char *labels, uint64_t value);
/* value is written as it is. */
void exposition_sample_text(struct exposition *to, const char *name, const char *labels, const char *value);
/* OpenMetrics requires an end mark. */
void exposition_end(struct exposition *to);

/* labels with one more appended, in arena. Terminal controls and invalid UTF-8 become \xNN text; backslashes
 * and quotes are escaped. value NULL is "", which Prometheus treats as no label. */
const char *exposition_label(struct arena *arena, const char *labels, const char *name, const char *value);

/* What `roce metrics` prints: families of samples, from one moment of a host. Pure. */

/* What is printed only if asked for. */
enum {
    WITH_CHECKS = 1,
    WITH_GID_INFO = 2,
    WITH_PROCESSES = 4,
    WITH_LIMITS = 8,
    WITH_GIDS = 16,
    WITH_NEIGHBORS = 32,
};

extern const struct metrics_option {
    unsigned with;
    const char *name;
} metrics_options[]; /* ends with one without a name */

/* Which families to print. The lists name them, comma-separated, with or without "roce_", patterns allowed;
 * NULL: no choice. */
struct metrics_choice {
    const char *only, *skip;
    unsigned with;
};

/* Copies the first word of a list that names no family to word, without "roce_"; false if all do. */
bool metrics_list_unknown(const char *list, char word[static 128]);
/* The option missing for the first family that the list names literally, not by a pattern, but that isn't
 * printed without it; word is that family. NULL if there is none. */
const char *metrics_list_lacks(const struct metrics_choice *choice, const char *list, char word[static 128]);
/* A family's name for text_nearest(); NULL after the last. */
const char *metrics_name_at(size_t i, const void *data);
size_t metrics_count(void);
/* What host_read() must read for the chosen ones, except for the checks' own needs. */
needs_t metrics_needs(const struct metrics_choice *choice);

struct metrics {
    const struct host *host;
    const struct selection *selection;
    const struct report *report; /* with WITH_CHECKS */
    struct num microseconds;     /* that reading took; not printed if unknown */
};

/* Appends them to to, including its end. */
void metrics_write(const struct metrics *metrics, const struct metrics_choice *choice, struct exposition *to);

/* The families of node_exporter's infiniband collector, as in version 1.11.1. */
void metrics_write_as_node_exporter(const struct metrics *metrics, struct exposition *to);
#define NODE_EXPORTER_NEEDS (NEED_STATE | NEED_RATE | NEED_FW | NEED_BOARD | NEED_COUNTERS)

/* One family, for a list of them. */
struct metrics_row {
    const char *name, *labels, *help;
    enum metric_type type;
    const char *option;   /* the one it needs to be printed; NULL: always printed */
    const char *counters; /* a neutral family's: "mlx5: out_of_buffer; bnxt_re: …"; else NULL */
};
/* All of them in printing order, those of the dictionary's counters last, in arena. */
struct metrics_row *metrics_rows(struct arena *arena, size_t *count);

/* One HTTP request for metrics, from an untrusted client, and the answer (RFC 9110, RFC 9112). Pure. */

enum { HTTP_HEAD_MOST = 8192 };

/* The length of the request head that text begins with, including its blank line; 0 if it isn't complete yet.
 */
size_t http_head_length(const char *text, size_t len);

struct http_request {
    unsigned status;  /* 200, or the error: 400, 404, 405, 431, 505 */
    bool head;        /* HEAD: only the answer's head is wanted */
    bool openmetrics; /* the client prefers it */
};
/* len is from http_head_length(). */
struct http_request http_parse(const char *head, size_t len);

/* Writes the whole answer to out; page is the metrics for status 200, otherwise a line of text is generated. */
void http_answer(struct bytes *out, const struct http_request *request, const struct bytes *page);
