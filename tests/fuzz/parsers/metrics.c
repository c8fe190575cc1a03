/* SPDX-License-Identifier: MIT */
/* A machine whose names are any bytes, and a page of metrics made of it: each line is one that Prometheus
 * reads, no series stands there twice, and a label says what the name was. The input is names, one a line. */
#include "target.h"

#include "model/host.h"
#include "model/qos.h"
#include "view/metrics/metrics.h"

static void must(bool so, const char *what, const char *line)
{
    if (so)
        return;
    fprintf(stderr, "%s: %.*s\n", what, (int)strcspn(line, "\n"), line);
    abort();
}

/* -- a reader of the text format, apart from the code that writes it
 * ------------------------------------------- */

static bool in_name(char c, bool first)
{
    return (c >= 'a' && c <= 'z') || c == '_' || (!first && c >= '0' && c <= '9');
}

static size_t name_length(const char *text)
{
    size_t len = 0;
    while (in_name(text[len], len == 0))
        len++;
    return len;
}

/* Behind the closing quote; NULL: there is none. */
static const char *end_of_value(const char *at)
{
    for (; *at && *at != '\n'; at++) {
        if (*at == '"')
            return at + 1;
        if (*at == '\\' && !strchr("\\\"n", *++at))
            return NULL;
    }
    return NULL;
}

static const char *end_of_labels(const char *at)
{
    while (*at != '}') {
        size_t len = name_length(at);
        if (!len || at[len] != '=' || at[len + 1] != '"' || !(at = end_of_value(at + len + 2)))
            return NULL;
        if (*at == ',' && at[1] != '}')
            at++;
        else if (*at != '}')
            return NULL;
    }
    return at + 1;
}

static size_t series_length(const char *line)
{
    const char *at = line + name_length(line);
    must(at != line, "no name", line);
    if (*at == '{')
        at = end_of_labels(at + 1);
    must(at && *at == ' ', "no series", line);
    return (size_t)(at - line);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void read_page(const char *page, bool openmetrics)
{
    char *series[4096];
    size_t count = 0;
    for (const char *line = page; *line; line += strcspn(line, "\n") + 1) {
        must(strchr(line, '\n') != NULL, "no end", line);
        if (*line == '#') {
            must(text_starts(line, "# HELP roce_") || text_starts(line, "# TYPE roce_") ||
                     (openmetrics && (text_starts(line, "# UNIT roce_") || text_starts(line, "# EOF\n"))),
                 "no comment that means something", line);
            continue;
        }
        size_t len = series_length(line);
        char *end;
        strtod(line + len, &end);
        must(end != line + len && *end == '\n', "no number", line);
        must(count < sizeof(series) / sizeof(*series), "too many", line);
        series[count++] = strndup(line, len);
    }
    qsort(series, count, sizeof(*series), by_text);
    for (size_t i = 1; i < count; i++)
        must(strcmp(series[i - 1], series[i]) != 0, "twice", series[i]);
    for (size_t i = 0; i < count; i++)
        free(series[i]);
}

/* -- the machine ---------------------------------------------------------------------------------------- */

enum { NAMES = 48 };

static size_t split(char *text, const char *names[static NAMES])
{
    size_t count = 0;
    for (char *at = text; at && count < NAMES; at = at ? at + 1 : NULL) {
        char *end = strchr(at, '\n');
        names[count++] = at;
        if (end)
            *end = '\0';
        at = end;
    }
    return count;
}

static struct host *make_host(const char *const *names, size_t count)
{
    static const char *const dirs[] = { "counters", "hw_counters", "counters_ext" };
    static const char *const drivers[] = { "mlx5_core", "hfi1", "ice", "what" };
    struct host *host = host_new();
    struct netdev *netdev = ARENA_PUSH(host->arena, host->netdevs, host->nnetdevs);
    *netdev = (struct netdev){ .name = names[count - 1], .rx_crc_errors = num_of(7) };
    struct qos *qos = ARENA_PUSH(host->arena, host->qos, host->nqos);
    *qos = (struct qos){ .netdev = netdev->name, .dcb = { .has_pfc = true } };
    for (size_t d = 0; d < 3 && d < count; d++) {
        if (host_find_device(host, names[d])) /* no directory has a name twice */
            continue;
        struct device *device = ARENA_PUSH(host->arena, host->devices, host->ndevices);
        *device = (struct device){ .name = names[d], .fw_ver = names[count - 1 - d], .driver = drivers[d % 4] };
        device->board_id = names[count / 2];
        struct port *port = ARENA_PUSH(host->arena, device->ports, device->nports);
        *port = (struct port){ .number = 1, .netdev = netdev->name, .gid_table_len = num_of(1) };
        for (size_t i = 0; i < count; i++) {
            struct counter counter = { .dir = dirs[i % 3], .name = names[i], .raw = num_of(i << i % 60) };
            if (i % 4)
                *ARENA_PUSH(host->arena, port->counters, port->ncounters) = counter;
            else
                *ARENA_PUSH(host->arena, device->counters, device->ncounters) = counter;
        }
    }
    host_finish(host);
    return host;
}

static void check_label(const char *name)
{
    struct arena *arena = arena_new();
    const char *label = exposition_label(arena, "", "a", name);
    char *clean = text_clean(name, TEXT_ONE_LINE), *back = mem_alloc(strlen(label) + 1, 1);
    size_t len = 0;
    must(text_starts(label, "a=\"") && text_is_clean(label), "no label", label);
    for (const char *at = label + 3; *at != '"' || at[1]; at++)
        back[len++] = *at == '\\' ? *++at : *at;
    must(strcmp(back, clean) == 0, "another text", label);
    free(back);
    free(clean);
    arena_free(arena);
}

TARGET(metrics)
{
    static const struct selection everything;
    static const struct metrics_choice choices[] = { { 0 },
                                                     { .only = "*counters*" },
                                                     { .skip = "port_*", .with = WITH_GID_INFO } };
    const char *names[NAMES];
    char *text = mem_alloc(size + 1, 1);
    memcpy(text, data, size);
    size_t count = split(text, names);
    for (size_t i = 0; i < count; i++)
        check_label(names[i]);
    struct host *host = make_host(names, count);
    for (size_t i = 0; i < 2 * sizeof(choices) / sizeof(*choices); i++) {
        struct exposition page = { .openmetrics = i % 2 };
        metrics_write(&(struct metrics){ .host = host, .selection = &everything }, &choices[i / 2], &page);
        bytes_append(&page.out, "", 0);
        must(strlen(page.out.data) == page.out.len, "a NUL", page.out.data);
        read_page(page.out.data, page.openmetrics);
        bytes_free(&page.out);
    }
    host_free(host);
    free(text);
    return 0;
}
