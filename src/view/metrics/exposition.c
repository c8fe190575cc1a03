/* SPDX-License-Identifier: MIT */
/* Samples in the text formats that Prometheus reads. */
#include "view/metrics/metrics.h"

static const char *const type_names[] = { "gauge", "counter", "info" };

const char *metric_type_name(enum metric_type type)
{
    return type_names[type];
}

static void put(struct bytes *out, const char *text)
{
    bytes_append(out, text, strlen(text));
}

/* text, with these characters and newlines escaped by a backslash. */
static void put_escaped(struct bytes *out, const char *text, const char *escaped)
{
    while (*text) {
        size_t plain = strcspn(text, escaped);
        bytes_append(out, text, plain);
        text += plain;
        if (*text) {
            bytes_append(out, "\\", 1);
            bytes_append(out, *text == '\n' ? "n" : text, 1);
            text++;
        }
    }
}

/* In OpenMetrics the family's name lacks the suffix that its samples have. */
static int family_length(const struct exposition *to, const char *name, enum metric_type type)
{
    const char *ending = type == METRIC_COUNTER ? "_total" : type == METRIC_INFO ? "_info" : "";
    size_t len = strlen(name);
    return (int)(to->openmetrics && text_ends(name, ending) ? len - strlen(ending) : len);
}

void exposition_family(struct exposition *to, const char *name, enum metric_type type, const char *unit,
                       const char *help)
{
    int len = family_length(to, name, type);
    const char *word = type == METRIC_INFO && !to->openmetrics ? "gauge" : type_names[type];
    bytes_printf(&to->out, "# HELP %.*s ", len, name);
    put_escaped(&to->out, help, to->openmetrics ? "\\\n\"" : "\\\n");
    bytes_printf(&to->out, "\n# TYPE %.*s %s\n", len, name, word);
    if (unit && to->openmetrics)
        bytes_printf(&to->out, "# UNIT %.*s %s\n", len, name, unit);
}

static void put_series(struct exposition *to, const char *name, const char *labels)
{
    put(&to->out, name);
    if (*labels) {
        bytes_append(&to->out, "{", 1);
        put(&to->out, labels);
        bytes_append(&to->out, "}", 1);
    }
    to->samples++;
}

void exposition_sample(struct exposition *to, const char *name, const char *labels, uint64_t value)
{
    char text[24] = " ", *end = text_put_u64(text + 1, value);
    *end++ = '\n';
    put_series(to, name, labels);
    bytes_append(&to->out, text, (size_t)(end - text));
}

void exposition_sample_text(struct exposition *to, const char *name, const char *labels, const char *value)
{
    put_series(to, name, labels);
    bytes_printf(&to->out, " %s\n", value);
}

void exposition_end(struct exposition *to)
{
    if (to->openmetrics)
        put(&to->out, "# EOF\n");
}

const char *exposition_label(struct arena *arena, const char *labels, const char *name, const char *value)
{
    struct bytes text = { 0 };
    char *clean = text_clean(value, TEXT_ONE_LINE);
    bytes_printf(&text, "%s%s%s=\"", labels, *labels ? "," : "", name);
    put_escaped(&text, clean ? clean : "", "\\\n\"");
    bytes_append(&text, "\"", 1);
    free(clean);
    return arena_take(arena, text.data);
}
