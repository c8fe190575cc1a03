/* SPDX-License-Identifier: MIT */
/* The state of ports, what their counters come to, and their GIDs. */
#include <errno.h>
#include <string.h>

#include "base/hash.h"
#include "base/text.h"
#include "check/consumer.h"
#include "view/metrics/family.h"

/* -- state ------------------------------------------------------------------------------------------------ */

static void fill_port_info(struct filling *filling)
{
    for (size_t i = 0; i < filling->ports.count; i++) {
        const struct target *target = &filling->ports.items[i];
        const char *labels = with_label(filling, target->labels, "netdev", target->port->netdev);
        put(filling, with_label(filling, labels, "link_layer", link_layer_text(target->port->link_layer)), 1);
    }
}

static struct num active(const struct target *target)
{
    return num_if(target->port->state.known, port_is_active(target->port));
}

static struct num state(const struct target *target)
{
    return target->port->state;
}

static struct num physical_state(const struct target *target)
{
    return target->port->phys_state;
}

static struct num rate(const struct target *target)
{
    return num_if(target->port->rate_mbps.known, target->port->rate_mbps.value * (1000000 / 8));
}

static struct num mtu(const struct target *target)
{
    return target->port->roce_mtu;
}

static struct num roce_enabled(const struct target *target)
{
    const struct port *port = target->port;
    return num_if(port_is_roce(port) && port->gid_table_len.known, !port_has_roce_off(port));
}

/* -- counters --------------------------------------------------------------------------------------------- */

/* How many of the port's counters, and on the first port of the device's, are so. */
static struct num count_counters(const struct target *target, bool (*is)(const struct counter *counter))
{
    const struct port *port = target->port;
    const struct device *device = target->device;
    size_t ndevice = port == &device->ports[0] ? device->ncounters : 0;
    uint64_t count = 0;
    for (size_t i = 0; i < port->ncounters; i++)
        count += is(&port->counters[i]);
    for (size_t i = 0; i < ndevice; i++)
        count += is(&device->counters[i]);
    return num_if(port->ncounters + ndevice > 0, count);
}

static bool is_saturated(const struct counter *counter)
{
    return counter_is_saturated(counter->def, counter->raw) == TRI_YES && counter_end_hides(counter->def);
}

static struct num saturated(const struct target *target)
{
    return count_counters(target, is_saturated);
}

static bool is_near_wrap(const struct counter *counter)
{
    return counter_wraps_soon(counter->def, counter->raw);
}

static struct num near_wrap(const struct target *target)
{
    return count_counters(target, is_near_wrap);
}

static bool is_unreadable(const struct counter *counter)
{
    return !counter->raw.known;
}

static struct num unreadable(const struct target *target)
{
    return count_counters(target, is_unreadable);
}

/* -- GIDs ------------------------------------------------------------------------------------------------- */

static const char *version_of(const struct port *port, const struct gid *gid)
{
    if (port->transport == TRANSPORT_IWARP)
        return "iwarp";
    if (gid->type == GID_TYPE_ROCE_V2)
        return "v2";
    if (gid->type == GID_TYPE_IB_ROCE_V1)
        return port_is_roce(port) ? "v1" : "ib";
    return "unknown";
}

/* An iWARP port's GID is its MAC, which has none. */
static const char *scope_of(const struct port *port, const struct gid *gid)
{
    return port->transport == TRANSPORT_IWARP ? "" : gid_is_routable(gid->raw) ? "global" : "link";
}

static uint64_t count_gids(const struct port *port, const char *version, const char *scope)
{
    uint64_t count = 0;
    for (size_t i = 0; i < port->ngids; i++)
        count += strcmp(version_of(port, &port->gids[i]), version) == 0 &&
                 strcmp(scope_of(port, &port->gids[i]), scope) == 0;
    return count;
}

/* Those of the kinds that a port can have are told of also when there are none. */
static bool is_usual(const struct port *port, const char *version)
{
    return *version == 'v'                 ? port_is_roce(port)
           : strcmp(version, "ib") == 0    ? port->transport == TRANSPORT_INFINIBAND
           : strcmp(version, "iwarp") == 0 ? port->transport == TRANSPORT_IWARP
                                           : false;
}

static void fill_gids(struct filling *filling)
{
    static const char *const kinds[][2] = { { "v1", "link" },      { "v1", "global" },
                                            { "v2", "link" },      { "v2", "global" },
                                            { "ib", "link" },      { "ib", "global" },
                                            { "unknown", "link" }, { "unknown", "global" },
                                            { "iwarp", "" } };
    for (size_t i = 0; i < filling->ports.count; i++) {
        const struct target *target = &filling->ports.items[i];
        for (size_t k = 0; k < ARRAY_SIZE(kinds) && target->port->gid_table_len.known; k++) {
            uint64_t count = count_gids(target->port, kinds[k][0], kinds[k][1]);
            if (!count && !is_usual(target->port, kinds[k][0]))
                continue;
            const char *labels = with_label(filling, target->labels, "version", kinds[k][0]);
            put(filling, with_label(filling, labels, "scope", kinds[k][1]), count);
        }
    }
}

/* Without the variables of a job, which aren't known here. */
static void fill_gid_choice(struct filling *filling)
{
    static const enum consumer consumers[] = { CONSUMER_NCCL, CONSUMER_UCX, CONSUMER_PERFTEST };
    for (size_t i = 0; i < filling->ports.count; i++) {
        const struct target *target = &filling->ports.items[i];
        if (!port_is_roce(target->port) || !target->port->gid_table_len.known)
            continue;
        for (size_t k = 0; k < ARRAY_SIZE(consumers); k++) {
            struct choice choice = consumer_advise(consumers[k], filling->metrics->host, target->port, false);
            put_signed(filling, with_label(filling, target->labels, "consumer", consumer_name(consumers[k])),
                       choice.taken && choice.gid ? (int64_t)choice.index : -1);
        }
    }
}

static struct num gid_hash(const struct target *target)
{
    const struct port *port = target->port;
    uint32_t hash = HASH_BEGIN;
    for (size_t i = 0; i < port->ngids; i++) {
        const struct gid *gid = &port->gids[i];
        hash = hash_number(hash, (uint64_t)gid->index, sizeof(gid->index));
        hash = hash_more(hash, gid->raw, sizeof(gid->raw));
        hash = hash_number(hash, (uint64_t)gid->type, sizeof(gid->type));
        hash = hash_text(hash, gid->netdev);
    }
    return num_if(port->gid_table_len.known, hash);
}

static void fill_gid_info(struct filling *filling)
{
    for (size_t i = 0; i < filling->ports.count; i++) {
        const struct target *target = &filling->ports.items[i];
        for (size_t k = 0; k < target->port->ngids; k++) {
            const struct gid *gid = &target->port->gids[k];
            char text[GID_TEXT_SIZE];
            gid_format(gid->raw, text);
            const char *labels = with_number(filling, target->labels, "index", gid->index);
            labels = with_label(filling, labels, "gid", text);
            labels = with_label(filling, labels, "version", version_of(target->port, gid));
            labels = with_label(filling, labels, "scope", scope_of(target->port, gid));
            put(filling, with_label(filling, labels, "netdev", gid->netdev), 1);
        }
    }
}

#define PORT_FAMILY(key, text, kind, ...)                                                             \
    {                                                                                                 \
        .name = "port_" key, .labels = "device,port", .help = text, .type = kind, .over = OVER_PORTS, \
        __VA_ARGS__                                                                                   \
    }
#define UNIT_EVENTS NULL
#define UNIT_PACKETS NULL
#define UNIT_BYTES "bytes"
#define ROLE_FAMILY(which, key, counted, meaning)                                                       \
    PORT_FAMILY(#key "_total", meaning, METRIC_COUNTER, .unit = UNIT_##counted, .needs = NEED_COUNTERS, \
                .role = ROLE_##which),

const struct family families_ports[] = {
    { "port_info", "device,port,netdev,link_layer", "a port, and the netdev that it is", METRIC_INFO,
      .needs = NEED_NETDEV_MTU | NEED_NLDEV, .fill = fill_port_info },
    PORT_FAMILY("active", "1: the port is ACTIVE; 0: it isn't", METRIC_GAUGE, .needs = NEED_STATE,
                .number = active),
    PORT_FAMILY("state_id", "state of the port: 1 DOWN, 2 INIT, 3 ARMED, 4 ACTIVE, 5 ACTIVE_DEFER",
                METRIC_GAUGE, .needs = NEED_STATE, .number = state),
    PORT_FAMILY(
        "physical_state_id",
        "physical state of the port: 1 Sleep, 2 Polling, 3 Disabled, 4 training, 5 LinkUp, 6 error recovery",
        METRIC_GAUGE, .needs = NEED_STATE, .number = physical_state),
    PORT_FAMILY("rate_bytes_per_second", "what the port can carry in each direction", METRIC_GAUGE,
                .unit = "bytes_per_second", .needs = NEED_RATE, .number = rate),
    PORT_FAMILY("mtu_bytes",
                "largest payload of a RoCE packet, as the kernel computes it from the netdev's MTU",
                METRIC_GAUGE, .unit = "bytes", .needs = NEED_NETDEV_MTU | NEED_NLDEV, .number = mtu),
    PORT_FAMILY("roce_enabled", "1: the Ethernet port does RoCE; 0: it has no GID table, RoCE is switched off",
                METRIC_GAUGE, .needs = NEED_GIDS, .with = WITH_GIDS, .number = roce_enabled),
    COUNTER_ROLE_LIST(ROLE_FAMILY) PORT_FAMILY(
        "counters_saturated",
        "counters of the port that have stopped at their highest value: what more happens isn't counted",
        METRIC_GAUGE, .needs = NEED_COUNTERS, .number = saturated),
    PORT_FAMILY("counters_near_wrap",
                "counters of the port in the last quarter of their range, which will start again from 0",
                METRIC_GAUGE, .needs = NEED_COUNTERS, .number = near_wrap),
    PORT_FAMILY("counters_unreadable", "counters of the port that have a file but no value", METRIC_GAUGE,
                .needs = NEED_COUNTERS, .number = unreadable),
    { "port_gids", "device,port,version,scope",
      "GIDs of the port by RoCE version (v1, v2) and scope (link: reaches the same Ethernet segment only; global: can be routed)",
      METRIC_GAUGE, .needs = NEED_GIDS, .with = WITH_GIDS, .fill = fill_gids },
    { "port_gid_choice", "device,port,consumer",
      "index of the GID that the consumer's rule takes on the port when no variable tells it otherwise; -1: it takes none",
      METRIC_GAUGE, .needs = NEED_STATE | NEED_GIDS | NEED_NETDEV_MTU | NEED_NLDEV, .with = WITH_GIDS,
      .fill = fill_gid_choice },
    PORT_FAMILY("gid_table_hash",
                "stands for the port's whole GID table: when it changes, a GID came, went or moved",
                METRIC_GAUGE, .needs = NEED_GIDS, .with = WITH_GIDS, .number = gid_hash),
    { "port_gid_info", "device,port,index,gid,version,scope,netdev", "a filled slot of the port's GID table",
      METRIC_INFO, .needs = NEED_GIDS, .with = WITH_GID_INFO, .fill = fill_gid_info },
    { 0 },
};
