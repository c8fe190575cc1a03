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

struct listing counter_listing(const struct context *context, size_t *ntrouble)
{
    const struct host *host = context->host;
    size_t nall, count = 0;
    const struct counter_row *all = counter_rows(host, &context->selection, &nall);
    struct counter_row *rows = arena_alloc(host->arena, nall + 1, sizeof(*rows));
    for (int quiet = 0; quiet < 2; quiet++) {
        for (size_t i = 0; i < nall; i++)
            if (all[i].counter->raw.value && counter_signals_trouble(all[i].counter->def) == !quiet)
                rows[count++] = all[i];
        *ntrouble = quiet ? *ntrouble : count;
    }
    return (struct listing){ host, columns_of_command("counters"), rows, count, sizeof(*rows) };
}
