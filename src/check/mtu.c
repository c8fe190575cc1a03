/* SPDX-License-Identifier: MIT */
/* MTUs of netdevs and ports. */
#include "check/judge.h"
#include "check/use.h"
#include "model/verbs.h"

enum { MTU_FOR_4096 = 4200, FAST_MBPS = 25000, SMALLEST_USUAL = 1024 };

/* A sibling port in use whose MTU is larger: then 1500 isn't the network's choice. NULL if none. */
static const struct port *larger_beside(const struct subject *s, struct judgement *j)
{
    for (const struct port *port = NULL; (port = host_next_port(s->host, port));)
        if (port != s->port && port_is_roce(port) && port_is_active(port) && port->roce_mtu.known &&
            port->roce_mtu.value > s->port->roce_mtu.value &&
            devices_are_siblings(s->host, port->device, s->device) &&
            port_use(s->host, port, j->arena).use == USE_HERE)
            return port;
    return NULL;
}

/* What leads to the outside has the MTU of the outside: a front end on the board that the rails have, too. */
static enum verdict judge_smaller(const struct subject *s, struct judgement *j, const struct port *larger,
                                  const char *evidence)
{
    enum tristate front_end = port_has_default_route(s->host, s->port);
    evidence = arena_printf(j->arena, "%s; %s/%u of the same board has %" PRIu64, evidence,
                            larger->device->name, larger->number, larger->roce_mtu.value);
    if (front_end == TRI_UNKNOWN)
        return judge_unknown(j, "%s; whether the default route leaves here isn't known: no routes were read",
                             evidence);
    if (front_end == TRI_YES)
        return judge_info(j, "%s, and the default route leaves here", evidence);
    return judge_warn(j, "%s", evidence);
}

JUDGE(netdev_mtu)
{
    if (!port_does_roce(s) || !s->netdev)
        return judge_na(j, "not a RoCE port with a netdev here");
    if (s->port->state.known && !port_is_active(s->port))
        return judge_na(j, "the port is not ACTIVE: see port-active");
    if (!s->netdev->mtu.known || !s->port->roce_mtu.known)
        return judge_unknown(j, "/sys/class/net/%s/mtu could not be read", s->netdev->name);
    const char *evidence = arena_printf(j->arena,
                                        "/sys/class/net/%s/mtu: %" PRIu64 ", hence a RoCE MTU of %" PRIu64,
                                        s->netdev->name, s->netdev->mtu.value, s->port->roce_mtu.value);
    bool fast = s->port->rate_mbps.known && s->port->rate_mbps.value >= FAST_MBPS;
    uint64_t most = s->netdev->mtu_max.known && s->netdev->mtu_max.value ? s->netdev->mtu_max.value
                                                                         : MTU_FOR_4096;
    fix_mtu(j, s->system, most < MTU_FOR_4096 ? (unsigned)most : MTU_FOR_4096);
    if (s->port->roce_mtu.value == 0)
        return judge_fail(j, "%s", evidence);
    const struct port *larger = larger_beside(s, j);
    if (larger)
        return judge_smaller(s, j, larger, evidence);
    if (s->port->roce_mtu.value < SMALLEST_USUAL)
        return judge_warn(j, "%s", evidence);
    return fast && s->port->roce_mtu.value < 2048 ? judge_info(j, "%s", evidence)
                                                  : judge_pass(j, "%s", evidence);
}

JUDGE(active_mtu)
{
    if (!port_does_roce(s) || !s->port->roce_mtu.known)
        return judge_na(j, "not a RoCE port with a netdev here");
    const struct verbs_port *verbs = s->port->device->verbs
                                         ? verbs_device_port(s->port->device->verbs, s->port->number)
                                         : NULL;
    if (!verbs || verbs->err)
        return judge_unknown(j, "libibverbs did not report the active MTU: %s",
                             verbs                        ? judge_errno(j, (int)verbs->err)
                             : s->port->device->verbs_err ? judge_errno(j, s->port->device->verbs_err)
                                                          : "the device was not asked");
    unsigned active = verbs_mtu_bytes(verbs->active_mtu), most = verbs_mtu_bytes(verbs->max_mtu);
    uint64_t allowed = most && most < s->port->roce_mtu.value ? most : s->port->roce_mtu.value;
    const char *evidence = arena_printf(
        j->arena, "ibv_query_port: active_mtu %u, max_mtu %u; MTU of %s: %" PRIu64 " allows %" PRIu64, active,
        most, s->netdev ? s->netdev->name : "its netdev", s->netdev ? s->netdev->mtu.value : 0,
        s->port->roce_mtu.value);
    if (s->netdev)
        judge_interrupting(j,
                           "ip link set dev {netdev} down && ip link set dev {netdev} mtu %" PRIu64
                           " && ip link set dev {netdev} up",
                           s->netdev->mtu.value);
    return judge_as(j, active < allowed ? VERDICT_WARN : VERDICT_PASS, "%s", evidence);
}
