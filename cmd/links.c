/* SPDX-License-Identifier: MIT */
/* roce links: each port's netdev, and what is above and below it: bond, VLAN, macvlan, IPoIB. */
#include "command/link_change.h"
#include "view/gpus.h"
#include "view/qos.h"

struct link_row {
    const struct port *port;
    const struct netdev *netdev; /* NULL if there is none, or in another namespace */
    const char *name;            /* of the netdev, even if it can't be seen */
    const char *role;
    const struct pci *pci;
    const struct netdev *cabled; /* netdev if it has a cable, else NULL */
};

enum { MOST_DEPTH = 8 };

static const struct link_row *row_of(const void *row)
{
    return row;
}

static struct value get_expected_mtu(const void *row)
{
    const struct link_row *link = row_of(row);
    if (!link->netdev || !link->netdev->mtu.known || link->port->transport != TRANSPORT_ROCE)
        return NO_VALUE;
    return value_unsigned(roce_mtu(link->netdev->mtu.value, link->port->device->driver));
}

static struct value make_egress(const struct cell_context *context, const void *row)
{
    const struct netdev *netdev = row_of(row)->netdev;
    return value_text(netdev ? vlan_map_text(context->arena, netdev) : NULL);
}

/* The indexes of the port's GIDs that belong to this netdev. */
static struct value make_gids(const struct cell_context *context, const void *row)
{
    const struct link_row *link = row_of(row);
    uint64_t *indexes = arena_alloc(context->arena, link->port->ngids, sizeof(*indexes));
    size_t count = 0;
    for (size_t i = 0; link->name && i < link->port->ngids; i++)
        if (text_is(link->port->gids[i].netdev, link->name))
            indexes[count++] = link->port->gids[i].index;
    return context->for_people ? value_text(runs_text(context->arena, indexes, count, ", "))
                               : value_numbers(indexes, count);
}

static struct value make_near(const struct cell_context *context, const void *row)
{
    return near_accelerators(context, row_of(row)->pci);
}

const struct column links_columns[] = { LINKS_COLUMNS };

struct link_rows {
    const struct host *host;
    struct link_row *items;
    size_t count;
    const struct port **met; /* by index in the host's netdevs: for which port it got a row last */
};

static void add_row(struct link_rows *rows, const struct port *port, const struct netdev *netdev,
                    const char *name, const char *role)
{
    if (netdev)
        rows->met[netdev - rows->host->netdevs] = port;
    *ARENA_PUSH(rows->host->arena, rows->items,
                rows->count) = (struct link_row){ port,
                                                  netdev,
                                                  name,
                                                  role,
                                                  device_function(rows->host, port->device),
                                                  netdev && netdev_has_cable(netdev) ? netdev : NULL };
}

/* The netdevs above, each once, depth first. */
static void add_uppers(struct link_rows *rows, const struct port *port, const struct netdev *netdev, int depth)
{
    for (size_t i = 0; depth < MOST_DEPTH && i < netdev->nuppers; i++) {
        const struct netdev *upper = netdev->uppers[i];
        if (rows->met[upper - rows->host->netdevs] == port)
            continue;
        add_row(rows, port, upper, upper->name, "upper");
        add_uppers(rows, port, upper, depth + 1);
    }
}

static void add_port(struct link_rows *rows, const struct port *port)
{
    const struct netdev *netdev = port_netdev(rows->host, port);
    add_row(rows, port, netdev, port->netdev, "port");
    if (!netdev)
        return;
    for (size_t i = 0; i < netdev->nmembers; i++)
        add_row(rows, port, host_find_netdev(rows->host, netdev->members[i]), netdev->members[i], "member");
    add_uppers(rows, port, netdev, 0);
}

static int list(struct context *context)
{
    struct arena *arena = context->host->arena;
    struct link_rows rows = { .host = context->host,
                              .met = arena_alloc(arena, context->host->nnetdevs + 1, sizeof(*rows.met)) };
    size_t nports;
    const struct port_row *ports = port_rows(context->host, &context->selection, &nports);
    for (size_t i = 0; i < nports; i++)
        add_port(&rows, ports[i].port);
    context_list(context, rows.items, rows.count, sizeof(*rows.items), no_device_text(context->host));
    context_say_unheard(context);
    return STATUS_OK;
}

COMMAND(links)
{
    const struct args *args = context->args;
    if (link_is_change(args))
        return link_change(context);
    for (const struct option_def *def = link_options; def->name; def++)
        if (args_given(args, def->name))
            return say_unable("--%s belongs to 'links add' and 'links delete'", def->name);
    if (context_read(context, context->needs) < 0 ||
        context_select(context, args->operands, args->noperands) < 0)
        return STATUS_ERROR;
    return list(context);
}
