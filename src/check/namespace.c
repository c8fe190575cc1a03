/* SPDX-License-Identifier: MIT */
/* RDMA namespaces and network namespaces. */
#include "base/say.h"
#include "check/judge.h"
#include "check/use.h"

#define EXCLUSIVE \
    "rdma system set netns exclusive # before any container starts, and only where each gets a device of its own: the shared RDMA device plugin of Kubernetes needs shared mode. For every boot: options ib_core netns_mode=0 in /etc/modprobe.d"

/* Of a device that this container was given, or on a host of any. */
static const struct gid *foreign_gid(const struct host *host, const struct port **where)
{
    for (const struct port *port = NULL; (port = host_next_port(host, port));)
        for (size_t g = 0; port_is_roce(port) && device_is_given(host, port->device) && g < port->ngids; g++)
            if (port->gids[g].netdev && !gid_netdev(host, &port->gids[g])) {
                *where = port;
                return &port->gids[g];
            }
    return NULL;
}

/* From inside another namespace the machine's mode is nobody's to change: others run by it. */
static void fix_namespace(struct judgement *j, const struct system *system, const char *device)
{
    if (system_is_container(system))
        fix_give_netdev(j, system, device);
    else if (system->first_netns == TRI_NO)
        judge_fix(
            j,
            "this is another network namespace than the host's: give it a netdev of %s (a macvlan, ipvlan or VLAN of the one that the host has), or run in the host's: nsenter --net=/proc/1/ns/net COMMAND",
            device);
    else if (system->first_netns == TRI_UNKNOWN)
        judge_fix(
            j,
            "where this is another network namespace than the host's (as root, roce doctor knows): give it a netdev of %s; in the host's own: %s",
            device, EXCLUSIVE);
}

static enum verdict judge_netns_mode(const struct subject *s, struct judgement *j)
{
    const struct host *host = s->host;
    const struct port *port = NULL;
    if (!host->system.netns_mode.known && !host->system.has_infiniband_class)
        return judge_na(j, "the RDMA core is not loaded");
    if (!host->system.netns_mode.known)
        return judge_unknown(j, "netlink RDMA SYS_GET: %s",
                             host->system.nldev_err ? say_errno(host->system.nldev_err)
                                                    : "it reports no mode");
    bool shared = host->system.netns_mode.value == 1;
    const struct gid *gid = shared && host_knows_netdevs(host) ? foreign_gid(host, &port) : NULL;
    if (gid && host_uses_rdma(host, j->arena))
        return judge_pass(j, "RDMA namespaces are shared; %s/%u is used in another network namespace",
                          port->device->name, port->number);
    if (gid) {
        fix_namespace(j, &host->system, port->device->name);
        return judge_warn(j, "RDMA namespaces are shared, but the netdev %s of %s/%u GID %u is in another one",
                          gid->netdev, port->device->name, port->number, gid->index);
    }
    if (!shared && !host->ndevices && host_rdma_capable_netdev(host)) {
        fix_missing_device(j, &host->system);
        return judge_warn(j, "RDMA namespaces are exclusive, and %s is here without its RDMA device",
                          host_rdma_capable_netdev(host)->name);
    }
    return judge_pass(j, "RDMA namespaces are %s", shared ? "shared" : "exclusive");
}

/* k8s-rdma-shared-dev-plugin, which shares one device among pods, doesn't start in exclusive mode: its issue 87. */
const struct check checks_namespace[] = {
    { .id = "rdma-namespace-mode",
      .topic = "access",
      .healthy = "the RDMA namespace mode fits the namespaces in use",
      .why = "In shared mode a container sees devices whose netdevs it doesn't have (RDMA_CM: ADDR_ERROR -19); in exclusive mode a device is only in the namespace that it was moved to.",
      .fix = EXCLUSIVE,
      .fires_on = "fault-netns",
      .scope = SCOPE_HOST,
      .needs = NEED_USE | NEED_NODES | NEED_SYSTEM,
      .fits_container = true,
      .judge = judge_netns_mode },
    { 0 },
};
