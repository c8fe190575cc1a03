/* SPDX-License-Identifier: MIT */
/* roce report: a machine as one HTML page. */
#include "check/check.h"
#include "command/context.h"
#include "source/recording/recording.h"
#include "source/source.h"
#include "view/html.h"
#include "view/rows.h"
#include "view/tree.h"

static const struct column *columns_of(const char *command)
{
    return command_find(command)->columns;
}

static bool is_trouble(const struct counter *counter)
{
    return counter->def && counter->def->severity != COUNTER_INFO && counter->def->kind == COUNTER_TOTAL;
}

/* Adds the counters above zero: those that signal trouble, or the others. */
static void add_counters(const struct host *host, struct counter_row **rows, size_t *count, bool trouble)
{
    for (size_t d = 0; d < host->ndevices; d++) {
        const struct device *device = &host->devices[d];
        for (size_t i = 0; i < device->ncounters; i++)
            if (device->counters[i].raw.value && is_trouble(&device->counters[i]) == trouble)
                *ARENA_PUSH(host->arena, *rows,
                            *count) = (struct counter_row){ .device = device, .counter = &device->counters[i] };
        for (size_t p = 0; p < device->nports; p++)
            for (size_t i = 0; i < device->ports[p].ncounters; i++) {
                const struct counter *counter = &device->ports[p].counters[i];
                if (counter->raw.value && is_trouble(counter) == trouble)
                    *ARENA_PUSH(host->arena, *rows, *count) = (struct counter_row){ .device = device,
                                                                                    .port = &device->ports[p],
                                                                                    .counter = counter };
            }
    }
}

static struct listing user_listing(const struct host *host)
{
    size_t count;
    const struct user *users = users_find(host, &count);
    struct user_row *rows = arena_alloc(host->arena, count + 1, sizeof(*rows));
    for (size_t i = 0; i < count; i++)
        rows[i].user = &users[i];
    return (struct listing){ host, columns_of("users"), rows, count, sizeof(*rows) };
}

static struct listing counter_listing(const struct host *host, size_t *ntrouble)
{
    struct counter_row *rows = NULL;
    size_t count = 0;
    add_counters(host, &rows, &count, true);
    *ntrouble = count;
    add_counters(host, &rows, &count, false);
    return (struct listing){ host, columns_of("counters"), rows, count, sizeof(*rows) };
}

static void make(const struct context *context, struct arena *arena, struct bytes *out)
{
    struct host *host = context->host;
    const struct report report = check_run(host, NULL, 0, &(struct check_selection){ 0 }, arena);
    struct tree_node topology = { .kind = "host", .name = "roce" };
    size_t nports;
    struct port_row *ports = port_rows(host, &context->selection, &nports);
    port_rows_judge(ports, nports, &report);
    struct report_page page = {
        .host = host, .from = context->args->root, .report = &report, .topology = &topology
    };
    page.ports = (struct listing){ host, columns_of("status"), ports, nports, sizeof(*ports) };
    page.users = user_listing(host);
    page.counters = counter_listing(host, &page.ntrouble);
    page.without_users =
        resources_listed_anywhere(host, RESOURCE_QP)
            ? "No process and no service of the kernel holds anything."
            : "Who holds RDMA resources is not known: the kernel or the recording has no answer.";
    topo_make(host, &context->selection, &topology);
    qos_subjects_of(host, &context->selection, &page.qos);
    report_page(out, &page);
    tree_free(&topology);
}

static int save(const char *path, const struct bytes *out)
{
    if (text_is(path, "-")) {
        fwrite(out->data, 1, out->len, stdout);
        return STATUS_OK;
    }
    int r = recording_save(path, out);
    if (r == -EEXIST)
        say_error("'%s' exists; a report needs the name of a new file", path);
    else if (r == -EISDIR)
        say_error("'%s' is a directory; a report is one file", path);
    else if (r < 0)
        say_error("cannot write '%s': %s", path, say_errno(r));
    return r < 0 ? STATUS_ERROR : STATUS_OK;
}

static int run(struct context *context)
{
    const struct args *args = context->args;
    if (args->noperands != 1)
        return say_unable(args->noperands ? "report takes one file"
                                          : "report needs the name of a new file, or '-'");
    if (look_is_exact(&args->look))
        return say_unable("a report is HTML: other commands print JSON");
    needs_t needs = check_needs(&(struct check_selection){ 0 }) | command_find("status")->needs |
                    command_find("topo")->needs | command_find("qos")->needs | NEED_RATE | NEED_COUNTERS |
                    NEED_RESOURCES | NEED_SERVICES;
    if (context_read(context, needs) < 0 || context_select(context, NULL, 0) < 0)
        return STATUS_ERROR;
    host_read_name(context->source, context->host);
    struct arena *arena = arena_new();
    struct bytes out = { 0 };
    make(context, arena, &out);
    int status = save(args->operands[0], &out);
    bytes_free(&out);
    arena_free(arena);
    return status;
}

static const char *const words[] = { "FILE", NULL };

const struct command cmd_report = {
    .name = "report",
    .group = GROUP_JUDGE,
    .operands_text = "FILE",
    .words = words,
    .summary = "a machine as one HTML page: findings, ports, topology, priorities, counters, users",
    .no_host = true,
    .run = run,
};
