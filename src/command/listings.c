/* SPDX-License-Identifier: MIT */
/* Makes other commands' listings for pages that show several. */
#include "command/listings.h"

needs_t page_needs(void)
{
    return check_needs(&(struct check_selection){ 0 }) | command_find("status")->needs |
           command_find("topo")->needs | command_find("qos")->needs | NEED_RATE | NEED_COUNTERS |
           NEED_RESOURCES | NEED_SERVICES;
}

const struct column *columns_of_command(const char *command)
{
    return command_find(command)->columns;
}

struct listing port_listing(const struct context *context, const struct report *report)
{
    size_t count;
    struct port_row *rows = port_rows(context->host, &context->selection, &count);
    port_rows_judge(rows, count, report);
    return (struct listing){ context->host, columns_of_command("status"), rows, count, sizeof(*rows) };
}

struct listing user_listing(const struct context *context)
{
    const struct host *host = context->host;
    size_t nusers, count = 0;
    const struct user *users = users_find(host, &nusers);
    struct user_row *rows = arena_alloc(host->arena, nusers + 1, sizeof(*rows));
    for (size_t i = 0; i < nusers; i++) {
        const struct device *device = host_find_device(host, users[i].device);
        if (!context->selection.some || (device && selection_has_device(&context->selection, device)))
            rows[count++].user = &users[i];
    }
    return (struct listing){ host, columns_of_command("users"), rows, count, sizeof(*rows) };
}

const char *no_user_text(const struct host *host)
{
    return resources_listed_anywhere(host, RESOURCE_QP)
               ? "No process and no service of the kernel holds anything."
               : "Who holds RDMA resources is not known: the kernel or the recording has no answer.";
}

struct counter_rows {
    struct counter_row *rows;
    size_t count;
};

static void add_counters(struct counter_rows *rows, struct arena *arena, const struct device *device,
                         const struct port *port, bool trouble)
{
    const struct counter *counters = port ? port->counters : device->counters;
    size_t count = port ? port->ncounters : device->ncounters;
    for (size_t i = 0; i < count; i++)
        if (counters[i].raw.value && counter_signals_trouble(counters[i].def) == trouble)
            *ARENA_PUSH(arena, rows->rows, rows->count) = (struct counter_row){ .device = device,
                                                                                .port = port,
                                                                                .counter = &counters[i] };
}

static void add_all_counters(struct counter_rows *rows, const struct context *context, bool trouble)
{
    const struct host *host = context->host;
    for (size_t d = 0; d < host->ndevices; d++) {
        const struct device *device = &host->devices[d];
        if (selection_has_device(&context->selection, device))
            add_counters(rows, host->arena, device, NULL, trouble);
        for (size_t p = 0; p < device->nports; p++)
            if (selection_has_port(&context->selection, &device->ports[p]))
                add_counters(rows, host->arena, device, &device->ports[p], trouble);
    }
}

struct listing counter_listing(const struct context *context, size_t *ntrouble)
{
    struct counter_rows rows = { 0 };
    add_all_counters(&rows, context, true);
    *ntrouble = rows.count;
    add_all_counters(&rows, context, false);
    return (struct listing){ context->host, columns_of_command("counters"), rows.rows, rows.count,
                             sizeof(*rows.rows) };
}
