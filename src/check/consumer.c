#include "check/consumer.h"

#include <string.h>

#include "base/base.h"
#include "base/text.h"

static const struct {
    const char *name, *rule, *variable;
} consumers[CONSUMERS] = {
    [CONSUMER_NCCL] = {
        .name = "nccl",
        .variable = "NCCL_IB_GID_INDEX",
        .rule = "NCCL starts at index 0 and moves on to an IPv4 GID, preferably of RoCE v2; it stays at 0 when none fits",
    },
    [CONSUMER_UCX] = {
        .name = "ucx",
        .variable = "UCX_IB_GID_INDEX",
        .rule = "UCX takes the first RoCE v2 IPv4 GID, else v2 IPv6 global, v2 IPv6 link-local, v1 IPv4, v1 IPv6",
    },
    [CONSUMER_PERFTEST] = {
        .name = "perftest",
        .rule = "perftest scores each GID (IPv4 100, not link-local 10, v2 2, v1 1) and takes the highest, of equals the lowest index",
    },
    [CONSUMER_RDMA_CM] = {
        .name = "rdma_cm",
        .rule = "RDMA_CM takes the GID of the source IP address, in the port's default RoCE version",
    },
    [CONSUMER_MPI] = {
        .name = "mpi",
        .variable = "UCX_IB_GID_INDEX",
        .rule = "Open MPI and MPICH go through UCX: the first RoCE v2 IPv4 GID, else v2 IPv6 global, v2 link-local, v1",
    },
};

const char *consumer_name(enum consumer consumer)
{
    return consumers[consumer].name;
}

const char *consumer_rule(enum consumer consumer)
{
    return consumers[consumer].rule;
}

enum consumer consumer_parse(const char *name)
{
    enum consumer consumer = 0;
    while (consumer < CONSUMERS && strcmp(consumers[consumer].name, name) != 0)
        consumer++;
    return consumer;
}

static bool is_v4(const struct gid *gid)
{
    return gid_is_v4_mapped(gid->raw);
}

static bool is_v2(const struct gid *gid)
{
    return gid->type == GID_TYPE_ROCE_V2;
}

/* ncclUpdateGidIndex() for the usual settings (AF_INET, version 2, no address range): an empty slot counts as
 * IPv6. */
static const struct gid *nccl(const struct port *port)
{
    const struct gid *current = port->ngids && port->gids[0].index == 0 ? &port->gids[0] : NULL;
    for (size_t i = 0; i < port->ngids; i++) {
        const struct gid *candidate = &port->gids[i];
        if (candidate->index == 0 || !is_v4(candidate))
            continue;
        if (!current || !is_v4(current))
            current = candidate;
        else if (is_v2(candidate) && (!is_v2(current) || gid_is_zero(current->raw)))
            current = candidate;
    }
    return current;
}

static int ucx_order(const struct gid *gid)
{
    if (is_v2(gid))
        return is_v4(gid) ? 0 : gid_is_routable(gid->raw) ? 1 : 2;
    return is_v4(gid) ? 3 : 4;
}

static const struct gid *ucx(const struct port *port)
{
    const struct gid *best = NULL;
    for (size_t i = 0; i < port->ngids; i++)
        if (!best || ucx_order(&port->gids[i]) < ucx_order(best))
            best = &port->gids[i];
    return best;
}

static int perftest_score(const struct gid *gid)
{
    return (is_v4(gid) ? 100 : 0) + (gid_is_routable(gid->raw) ? 10 : 0) + (is_v2(gid) ? 2 : 1);
}

static const struct gid *perftest(const struct port *port)
{
    const struct gid *best = NULL;
    for (size_t i = 0; i < port->ngids; i++)
        if (!best || perftest_score(&port->gids[i]) > perftest_score(best))
            best = &port->gids[i];
    return best;
}

/* The source address is the caller's; shown is the one an application bound to the port's first routable
 * address gets. The default version is v2 where the device has it (cma.c: CMA_PREFERRED_ROCE_GID_TYPE) unless
 * configfs says otherwise. */
static const struct gid *rdma_cm(const struct port *port)
{
    enum gid_type wanted = port->cm_mode.known ? (enum gid_type)port->cm_mode.value : GID_TYPE_ROCE_V2;
    bool offered = false;
    for (size_t i = 0; i < port->ngids; i++)
        offered |= port->gids[i].type == wanted;
    const struct gid *best = NULL;
    for (size_t i = 0; i < port->ngids; i++) {
        const struct gid *gid = &port->gids[i];
        if ((!offered || gid->type == wanted) &&
            (!best || (!gid_is_routable(best->raw) && gid_is_routable(gid->raw))))
            best = gid;
    }
    return best;
}

/* What keeps a port from being used at all, as far as the host was read. */
static const char *flaw_of_port(const struct host *host, const struct port *port, const struct gid *gid)
{
    if (port->state.known && !num_is(port->state, PORT_STATE_ACTIVE))
        return "the port is not ACTIVE";
    if ((host->needs & NEED_NODES) && (!port->device->uverbs.tried || port->device->uverbs.err))
        return "this process can't open the device";
    if ((host->needs & NEED_NETDEV) && gid && gid->netdev && !host_find_netdev(host, gid->netdev))
        return "its netdev is in another network namespace";
    return NULL;
}

static const char *flaw_of(const struct choice *choice)
{
    if (!choice->gid)
        return choice->pinned ? "the environment pins an index whose slot is empty"
                              : "there is no GID to use: connections will fail";
    if (gid_is_link_local(choice->gid->raw))
        return "link-local: reaches the same Ethernet segment only, often nothing at all";
    if (gid_is_v4_link_local(choice->gid->raw))
        return "169.254.0.0/16: the interface has no configured address";
    if (!is_v2(choice->gid))
        return "RoCE v1: not routed, and unreachable for peers that use v2";
    return NULL;
}

static const char *reason(enum consumer consumer, const struct gid *gid)
{
    if (!gid)
        return "the table has no entry that its rule accepts";
    if (consumer == CONSUMER_NCCL && gid->index == 0)
        return "no IPv4 GID: it stays at index 0";
    if (is_v2(gid))
        return is_v4(gid)                  ? "first RoCE v2 GID with an IPv4 address"
               : gid_is_routable(gid->raw) ? "no IPv4 GID: first RoCE v2 GID with a global IPv6 address"
                                           : "there is nothing better than a link-local v2 GID";
    return "no RoCE v2 GID that its rule prefers";
}

struct choice consumer_choose(enum consumer consumer, const struct host *host, const struct port *port)
{
    static const struct gid *(*const rules[CONSUMERS])(const struct port *) = {
        [CONSUMER_NCCL] = nccl,       [CONSUMER_UCX] = ucx, [CONSUMER_PERFTEST] = perftest,
        [CONSUMER_RDMA_CM] = rdma_cm, [CONSUMER_MPI] = ucx,
    };
    struct choice choice = { 0 };
    const char *variable = consumers[consumer].variable;
    const char *pin = variable ? system_variable(&host->system, variable) : NULL;
    uint64_t index;
    if (pin && text_to_u64(pin, 10, &index) == 0 && index <= UINT32_MAX) {
        choice.pinned = true;
        choice.index = (uint32_t)index;
        choice.gid = port_gid(port, choice.index);
        choice.why = variable;
    } else {
        choice.gid = rules[consumer](port);
        choice.index = choice.gid ? choice.gid->index : 0;
        choice.why = reason(consumer, choice.gid);
    }
    choice.flaw = flaw_of_port(host, port, choice.gid);
    if (!choice.flaw)
        choice.flaw = flaw_of(&choice);
    return choice;
}
