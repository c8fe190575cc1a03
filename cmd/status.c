/* roce status: one line a port. */
#include <string.h>

#include "base/mem.h"
#include "check/check.h"
#include "command/context.h"
#include "view/listing.h"
#include "view/rows.h"

static const struct port *port_of(const void *row)
{
    return ((const struct port_row *)row)->port;
}

static struct value get_transport(const struct cell_context *context, const void *row)
{
    (void)context;
    return value_text(transport_text(port_of(row)->transport));
}

static struct value get_state(const struct cell_context *context, const void *row)
{
    (void)context;
    const struct port *port = port_of(row);
    return value_with_tone(value_text(port->state_text),
                           num_is(port->state, PORT_STATE_ACTIVE) ? TONE_GOOD : TONE_BAD);
}

static struct value get_phys_state(const struct cell_context *context, const void *row)
{
    (void)context;
    return value_text(port_of(row)->phys_state_text);
}

static struct value get_rate(const struct cell_context *context, const void *row)
{
    (void)context;
    return value_mbps(port_of(row)->rate_mbps);
}

static struct value get_mtu(const struct cell_context *context, const void *row)
{
    (void)context;
    return value_num(port_of(row)->roce_mtu);
}

static struct value get_netdev(const struct cell_context *context, const void *row)
{
    (void)context;
    return value_text(port_of(row)->netdev);
}

static struct value get_netdev_mtu(const struct cell_context *context, const void *row)
{
    const struct port *port = port_of(row);
    const struct netdev *netdev = port->netdev ? host_find_netdev(context->host, port->netdev) : NULL;
    return netdev ? value_num(netdev->mtu) : (struct value){ 0 };
}

static struct value get_netdev_state(const struct cell_context *context, const void *row)
{
    const struct port *port = port_of(row);
    const struct netdev *netdev = port->netdev ? host_find_netdev(context->host, port->netdev) : NULL;
    return netdev ? value_text(netdev->operstate) : (struct value){ 0 };
}

static struct value get_address(const struct cell_context *context, const void *row)
{
    const struct gid *gid = port_main_gid(port_of(row));
    if (!gid)
        return (struct value){ 0 };
    char text[GID_ADDRESS_SIZE];
    gid_address(gid->raw, text);
    return value_text(arena_strdup(context->arena, text));
}

static struct value get_roce(const struct cell_context *context, const void *row)
{
    static const char *const names[] = { "v1", "v2" };
    (void)context;
    const struct port *port = port_of(row);
    if (port->transport != TRANSPORT_ROCE)
        return (struct value){ 0 };
    bool v1 = false, v2 = false;
    for (size_t i = 0; i < port->ngids; i++) {
        v1 |= port->gids[i].type == GID_TYPE_IB_ROCE_V1;
        v2 |= port->gids[i].type == GID_TYPE_ROCE_V2;
    }
    return value_texts(names + !v1, (size_t)v1 + (size_t)v2);
}

static struct value get_verdict(const struct cell_context *context, const void *row)
{
    static const enum tone tones[VERDICTS] = {
        [VERDICT_PASS] = TONE_GOOD,
        [VERDICT_WARN] = TONE_WARN,
        [VERDICT_FAIL] = TONE_BAD,
        [VERDICT_UNKNOWN] = TONE_DIM,
    };
    struct port_verdict verdict = check_port_verdict(context->host, port_of(row));
    return value_with_tone(value_text(verdict.word), tones[verdict.verdict]);
}

static const struct column columns[] = {
    { "device", .help = "RDMA device", .get = get_row_device },
    { "port", .help = "port number, from 1", .get = get_row_port },
    { "transport", .help = "RoCE, InfiniBand, iWARP, usNIC or unspecified", .rank = 5, .get = get_transport },
    { "state", .help = "logical state: ACTIVE carries traffic", .needs = NEED_STATE, .get = get_state },
    { "phys_state", .help = "physical state: LinkUp, Polling (no signal), Disabled", .flags = COLUMN_HIDDEN,
      .needs = NEED_STATE, .get = get_phys_state },
    { "rate_mbps", "rate", .help = "signalling rate of the port", .needs = NEED_RATE, .rank = 1,
      .get = get_rate },
    { "mtu", .help = "RoCE MTU in bytes, expected from the netdev's MTU (devices asks the device)",
      .needs = NEED_NETDEV | NEED_NLDEV | NEED_GID_SUMMARY, .rank = 3, .get = get_mtu },
    { "netdev", .help = "network interface of the port", .needs = NEED_NETDEV | NEED_NLDEV | NEED_GID_SUMMARY,
      .get = get_netdev },
    { "netdev_state", .help = "operational state of the netdev", .flags = COLUMN_HIDDEN,
      .needs = NEED_NETDEV | NEED_NLDEV | NEED_GID_SUMMARY, .get = get_netdev_state },
    { "netdev_mtu", .help = "MTU of the netdev in bytes", .flags = COLUMN_HIDDEN,
      .needs = NEED_NETDEV | NEED_NLDEV | NEED_GID_SUMMARY, .get = get_netdev_mtu },
    { "address", .help = "address of the first routable RoCE v2 GID, else of the first GID",
      .needs = NEED_GID_SUMMARY, .flags = COLUMN_WHOLE, .rank = 2, .get = get_address },
    { "roce", .help = "RoCE versions that its GIDs offer", .needs = NEED_GID_SUMMARY, .rank = 4,
      .get = get_roce },
    { "verdict",
      .help = "ok, or what stands out first: down, no-gid, link-local, v1-only, …; doctor looks at everything",
      .flags = COLUMN_WHOLE, .needs = NEED_STATE | NEED_GID_SUMMARY | NEED_NETDEV | NEED_NLDEV,
      .get = get_verdict },
    { 0 },
};

static int run(struct context *context)
{
    size_t count;
    const struct port_row *rows = port_rows(context->host, &context->selection, &count);
    context_list(context, rows, count, sizeof(*rows), no_device_text(context->host));
    return STATUS_OK;
}

const struct command cmd_status = {
    .name = "status",
    .group = GROUP_SHOW,
    .operands_text = "[DEVICE[/PORT]|NETDEV]...",
    .operands = OPERANDS_DEVICES,
    .summary = "one line a port: state, rate, MTU, netdev, address, RoCE versions, verdict",
    .columns = columns,
    .plural = "ports",
    .run = run,
};
