/* SPDX-License-Identifier: MIT */
/* The device nodes that applications open. */
#include "check/judge.h"
#include "check/use.h"

static const char *node_reason(const struct host *host, int err)
{
    if (err == ENOENT)
        return system_is_container(&host->system) ? "it was not given to this container"
                                                  : "udev did not make it";
    if (err == EACCES)
        return "its mode or owner keeps this user out";
    if (err == EPERM)
        return "the device controller of this cgroup denies it";
    return err == ENXIO || err == ENODEV ? "it is the node of a device that is gone" : "it can't be opened";
}

static void fix_node(struct judgement *j, const struct host *host, const char *path, int err)
{
    if (err == ENXIO || err == ENODEV)
        judge_advice(j, "%s",
                     system_is_container(&host->system)
                         ? "start the container again: the device has gone, or come back under another number"
                         : "udevadm trigger --subsystem-match=infiniband_verbs --subsystem-match=misc");
    else if (err == EACCES && system_is_container(&host->system))
        judge_advice(j, "run as root in the container, or as a member of the group that %s belongs to", path);
    else if (err == EACCES)
        judge_command(j, "chmod 0666 %s # what rdma-core's udev rules give it", path);
    else if (err == EPERM || system_is_container(&host->system))
        fix_give_node(j, &host->system, path);
    else
        judge_command(j, "udevadm trigger --subsystem-match=infiniband_verbs --subsystem-match=misc");
}

static enum verdict judge_node(const struct subject *s, struct judgement *j, const struct device_node *node)
{
    if (!node->tried)
        return judge_unknown(j, "%s was not tried", node->path ? node->path : "the node");
    if (node->err == 0)
        return judge_pass(j, "%s can be opened", node->path);
    fix_node(j, s->host, node->path, node->err);
    return judge_fail(j, "%s: %s; %s", node->path, judge_errno(j, node->err), node_reason(s->host, node->err));
}

static bool some_node_opens(const struct host *host)
{
    for (size_t i = 0; i < host->ndevices; i++)
        if (host->devices[i].uverbs.name && host->devices[i].uverbs.err == 0)
            return true;
    return false;
}

/* The node opens, and the kernel gives no context: for EAGAIN, mlx5_ib_alloc_ucontext() of hw/mlx5/main.c, and
 * rdmacg_try_charge() of kernel/cgroup/rdma.c. What else it answers may be for the age of roce's own library.
 */
static enum verdict judge_context(const struct subject *s, struct judgement *j)
{
    const char *path = s->device->uverbs.path;
    int err = s->device->verbs_err;
    if (!err || err == ENOENT || err == ENODATA || err == EOPNOTSUPP || err == EBADMSG)
        return judge_pass(j, "%s can be opened", path);
    bool sure = err == EAGAIN || err == EIO || err == ENODEV || err == ENOMEM || err == ETIMEDOUT;
    judge_advice(j, "dmesg says whether its driver gave {device} up%s",
                 err == EAGAIN ? "; else raise hca_handle in rdma.max of this control group" : "");
    return judge_as(j, sure ? VERDICT_FAIL : VERDICT_UNKNOWN, "%s can be opened; ibv_open_device: %s", path,
                    judge_errno(j, err));
}

JUDGE(uverbs_node)
{
    if (!s->system->has_uverbs_class)
        return s->host->partial ? judge_unknown(j, "/sys/class/infiniband_verbs is not in this tree")
                                : judge_na(j, "ib_uverbs is not loaded");
    if (!s->device->uverbs.name)
        return judge_na(j, "the kernel offers no node for it");
    if (s->device->uverbs.err && some_node_opens(s->host))
        return judge_na(j, "%s can't be opened, others can: see device-hidden", s->device->uverbs.path);
    enum verdict verdict = judge_node(s, j, &s->device->uverbs);
    if (verdict == VERDICT_FAIL && s->system->stray_device && system_is_container(s->system))
        judge_advice(j,
                     "give the container the node of {device} instead of %s, which is of %s, a device that is "
                     "not here: device plugin and network must take the same function",
                     s->system->stray_node.path, fix_name(j, s->system->stray_device));
    return verdict == VERDICT_PASS ? judge_context(s, j) : verdict;
}

/* With shared RDMA namespaces every container sees all devices in sysfs, and may open those it was given. */
JUDGE(device_hidden)
{
    const struct device_node *node = &s->device->uverbs;
    if (!s->system->has_uverbs_class || !node->name)
        return judge_na(j, "there is no node to open");
    if (!node->tried)
        return judge_unknown(j, "%s was not tried", node->path);
    if (node->err == 0)
        return judge_pass(j, "%s can be opened", node->path);
    if (!device_is_given(s->host, s->device))
        return judge_na(j, "%s was not given to this container", node->path);
    if (!some_node_opens(s->host))
        return judge_na(j, "no node can be opened: see uverbs-node");
    fix_node(j, s->host, node->path, node->err);
    return judge_warn(j, "%s is in /sys/class/infiniband, but %s: %s; %s", s->device->name, node->path,
                      judge_errno(j, node->err), node_reason(s->host, node->err));
}

/* A container gets only the nodes that its job needs. */
static enum verdict judge_rdma_cm_not_given(const struct subject *s, struct judgement *j)
{
    const struct device_node *node = &s->system->rdma_cm;
    fix_node(j, s->host, node->path, node->err);
    return judge_without_cm(j, s->host,
                            arena_printf(j->arena, "%s: %s; %s", node->path, judge_errno(j, node->err),
                                         node_reason(s->host, node->err)));
}

JUDGE(rdma_cm_node)
{
    if (s->system->rdma_cm.err == ENOENT && s->system->modules_known &&
        !system_has_module(s->system, "rdma_ucm"))
        return judge_na(j, "rdma_ucm is not loaded: see rdma-ucm-module");
    if (system_is_container(s->system) && s->system->rdma_cm.tried &&
        (s->system->rdma_cm.err == ENOENT || s->system->rdma_cm.err == EPERM))
        return judge_rdma_cm_not_given(s, j);
    return judge_node(s, j, &s->system->rdma_cm);
}

JUDGE(umad_node)
{
    bool infiniband = false;
    for (size_t i = 0; i < s->device->nports; i++)
        infiniband |= s->device->ports[i].transport == TRANSPORT_INFINIBAND;
    if (!infiniband)
        return judge_na(j, "only an InfiniBand port is managed through it");
    if (!s->device->numads && s->host->partial)
        return judge_unknown(j, "/sys/class/infiniband_mad is not in this tree");
    if (!s->device->numads)
        return judge_na(j, "ib_umad is not loaded: see ib-umad-module");
    for (size_t i = 0; i < s->device->numads; i++)
        if (!s->device->umads[i].tried)
            return judge_unknown(j, "%s was not tried", s->device->umads[i].path);
        else if (s->device->umads[i].err) {
            judge_command(j, "chgrp {GROUP} %s && chmod 0660 %s # or run InfiniBand's management tools as root",
                          s->device->umads[i].path, s->device->umads[i].path);
            return judge_warn(j, "%s: %s; %s", s->device->umads[i].path,
                              judge_errno(j, s->device->umads[i].err),
                              node_reason(s->host, s->device->umads[i].err));
        }
    return judge_pass(j, "%s can be opened", s->device->umads[0].path);
}

/* RDMA namespaces and network namespaces. */

/* A foreign GID of a device that was given to this container, or on a host, of any device. */
static const struct gid *foreign_gid(const struct host *host, struct judgement *j, const struct port **where)
{
    for (const struct port *port = NULL; (port = host_next_port(host, port));)
        for (size_t g = 0; port_is_roce(port) && device_is_given(host, port->device) && g < port->ngids; g++)
            if (port->gids[g].netdev && !gid_netdev(host, &port->gids[g]) && judge_about(j, port->device)) {
                *where = port;
                return &port->gids[g];
            }
    return NULL;
}

/* The machine's mode can't be changed from inside another namespace: others depend on it. */
static void fix_namespace(struct judgement *j, const struct system *system, const char *device)
{
    if (system_is_container(system))
        fix_give_netdev(j, system, device);
    else if (system->first_netns == TRI_NO)
        judge_advice(
            j,
            "this is another network namespace than the host's: give it a netdev of %s (a macvlan, ipvlan or "
            "VLAN of the one that the host has), or run in the host's: nsenter --net=/proc/1/ns/net COMMAND; "
            "COMMAND: what uses RDMA",
            fix_name(j, device));
}

/* In exclusive mode: what is here though its device stayed elsewhere. On the host itself a node says only that
 * a container has the device. NULL if nothing is. */
static const char *left_behind(const struct host *host, struct judgement *j)
{
    const struct netdev *netdev = host_rdma_capable_netdev(host);
    const struct system *system = &host->system;
    if (system->stray_device && system_has_first_netns(system))
        return NULL;
    if (netdev)
        return arena_printf(j->arena, "%s is here without its RDMA device", netdev->name);
    return !system->stray_device ? NULL
                                 : arena_printf(j->arena, "%s is here without its device, %s",
                                                system->stray_node.path, system->stray_device);
}

JUDGE(rdma_namespace_mode)
{
    const struct port *port = NULL;
    if (!s->system->netns_mode.known && !s->system->has_infiniband_class)
        return judge_na(j, "the RDMA core is not loaded");
    if (!s->system->netns_mode.known)
        return judge_unknown(j, "netlink RDMA SYS_GET: %s",
                             s->system->nldev_err ? judge_errno(j, s->system->nldev_err)
                                                  : "it reports no mode");
    bool shared = s->system->netns_mode.value == 1;
    const struct gid *gid = shared && host_knows_netdevs(s->host) ? foreign_gid(s->host, j, &port) : NULL;
    if (gid && host_uses_rdma(s->host, j->arena) && !host_uses_rdma_here(s->host, j->arena) &&
        s->system->first_netns == TRI_UNKNOWN)
        return judge_unknown(j,
                             "RDMA namespaces are shared, and %s of %s/%u is in another network namespace; "
                             "whether this one is the host's own, /proc/1/ns/net doesn't tell: %s",
                             gid->netdev, port->device->name, port->number, judge_errno(j, EACCES));
    if (gid && host_uses_rdma(s->host, j->arena))
        return judge_pass(j, "RDMA namespaces are shared; %s/%u is used in another network namespace",
                          port->device->name, port->number);
    if (gid) {
        fix_namespace(j, s->system, port->device->name);
        return judge_warn(j, "RDMA namespaces are shared, but the netdev %s of %s/%u GID %u is in another one",
                          gid->netdev, port->device->name, port->number, gid->index);
    }
    const char *left = shared || s->host->ndevices ? NULL : left_behind(s->host, j);
    if (left) {
        fix_missing_device(j, s->host);
        return judge_warn(j, "RDMA namespaces are exclusive, and %s", left);
    }
    return judge_pass(j, "RDMA namespaces are %s", shared ? "shared" : "exclusive");
}

/* k8s-rdma-shared-dev-plugin, which shares one device among pods, doesn't start in exclusive mode: its
 * issue 87. */
