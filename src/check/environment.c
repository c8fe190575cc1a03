/* SPDX-License-Identifier: MIT */
/* What the environment and config files tell RDMA libraries must fit this machine. */
#include <net/if.h>

#include "check/judge.h"
#include "consumer/consumer.h"

/* Open MPI's files have the bare name. */
static const char *name_in(const struct setting *setting)
{
    static const char prefix[] = "OMPI_MCA_";
    return setting->name + (setting->library == LIBRARY_MPI ? strlen(prefix) : 0);
}

const char *setting_text(struct judgement *j, const struct setting *setting)
{
    if (!setting->file)
        return arena_printf(j->arena, "%s=%s", setting->name, setting->value);
    return arena_printf(j->arena, "%s=%s (%s:%u)", name_in(setting), setting->value, setting->file,
                        setting->line);
}

const char *setting_undo(struct judgement *j, const struct setting *setting)
{
    if (!setting->file)
        return arena_printf(j->arena, "unset %s", setting->name);
    return arena_printf(j->arena, "take %s out of %s, line %u", name_in(setting), setting->file, setting->line);
}

const char *gid_complaint(const struct port *port, uint32_t index)
{
    const struct gid *gid = port_gid(port, index);
    if (!gid)
        return "is an empty slot";
    if (gid->type == GID_TYPE_IB_ROCE_V1)
        return "is RoCE v1";
    if (gid_is_link_local(gid->raw) || (gid_is_v4_link_local(gid->raw) && port_first_routable(port)))
        return "is link-local";
    /* NVIDIA/nccl issue 1573, k8s-rdma-shared-dev-plugin 164: the host's GIDs come before the pod's */
    if (gid->elsewhere)
        return "belongs to a netdev in another network namespace";
    return NULL;
}

/* What to do about an index that doesn't fit: unset it and the library chooses, unless its rule doesn't lead to
 * the good GID. */
static void fix_pin(const struct host *host, struct judgement *j, const struct setting *setting,
                    enum consumer consumer, const struct port *port)
{
    struct choice told = consumer_best(consumer, host, port);
    if (!told.flaw && told.pinned && !setting->file)
        judge_advice(j, "export %s=%" PRIu32 " # other GIDs come before the good one", setting->name,
                     told.index);
    else
        judge_advice(j, "%s (roce gids --for %s says which GID it would choose)", setting_undo(j, setting),
                     consumer_name(consumer));
}

static enum verdict judge_pin(const struct subject *s, struct judgement *j, const struct setting *setting,
                              enum consumer consumer)
{
    const char *text = setting_text(j, setting);
    const char *more = NULL;
    uint32_t index;
    size_t looked = 0;
    if (!consumer_pin(consumer, s->system, &index))
        return judge_na(j, "%s pins no index", text);
    for (const struct port *port = NULL; (port = host_next_port(s->host, port));) {
        if (!port_is_roce(port) || !port_is_active(port) || !consumer_takes_port(consumer, s->system, port) ||
            !device_is_given(s->host, port->device))
            continue;
        looked++;
        const char *complaint = gid_complaint(port, index);
        if (!complaint || !judge_about(j, port->device))
            continue;
        if (!more)
            fix_pin(s->host, j, setting, consumer, port);
        more = arena_printf(j->arena, "%s%s%s/%u %s", more ? more : "", more ? ", of " : "", port->device->name,
                            port->number, complaint);
    }
    if (more)
        return judge_fail(j, "%s: GID %" PRIu32 " of %s", text, index, more);
    return looked ? judge_pass(j, "%s fits all %zu ports", text, looked)
                  : judge_na(j, "%s: no ACTIVE RoCE port", text);
}

static enum verdict judge_pinned(const struct subject *s, struct judgement *j, const char *name,
                                 enum consumer consumer)
{
    struct setting setting = consumer_setting(consumer, s->system, name);
    return setting.value ? judge_pin(s, j, &setting, consumer) : judge_na(j, "%s is not set", name);
}

/* NCCL's and RCCL's variables have the same names, their files don't. */
typedef enum verdict judge_of(const struct subject *s, struct judgement *j, const char *name,
                              enum consumer consumer);
static enum verdict judge_both(const struct subject *s, struct judgement *j, const char *name, judge_of *judge)
{
    struct judgement rccl = { .arena = j->arena, .subject = s };
    enum verdict verdict = judge(s, j, name, CONSUMER_NCCL);
    enum verdict other = judge(s, &rccl, name, CONSUMER_RCCL);
    if (other > verdict) {
        *j = rccl;
        return other;
    }
    return verdict;
}

JUDGE(nccl_gid_index)
{
    return judge_both(s, j, "NCCL_IB_GID_INDEX", judge_pinned);
}

JUDGE(ucx_gid_index)
{
    return judge_pinned(s, j, "UCX_IB_GID_INDEX", CONSUMER_UCX);
}

static enum verdict judge_hca(const struct subject *s, struct judgement *j, const char *name,
                              enum consumer consumer)
{
    struct setting setting = consumer_setting(consumer, s->system, name);
    bool used = false;
    if (!setting.value || !*setting.value)
        return judge_na(j, "%s is not set", name);
    for (const struct port *port = NULL; (port = host_next_port(s->host, port));)
        used |= consumer_takes_port(consumer, s->system, port);
    judge_advice(j, "name devices that roce devices lists, or %s", setting_undo(j, &setting));
    /* ncclIbInitDevices() of NCCL's net_ib takes ^ and = at the very beginning only */
    for (const char *at = strchr(setting.value, ','); at; at = strchr(at + 1, ','))
        if (at[1] == '^' || at[1] == '=')
            return judge_warn(j, "%s: %c counts at the list's beginning only: '%.*s' is taken for a name",
                              setting_text(j, &setting), at[1], (int)strcspn(at + 1, ","), at + 1);
    return used ? judge_pass(j, "%s leaves a device that is here", setting_text(j, &setting))
                : judge_warn(j, "%s leaves none of this machine's devices", setting_text(j, &setting));
}

JUDGE(nccl_ib_hca)
{
    return judge_both(s, j, "NCCL_IB_HCA", judge_hca);
}

/* A netdev that NCCL's sockets can use: ncclOsFindInterfaces() of NCCL 2.30.7 (NVIDIA/nccl 5067397,
 * src/os/linux.cc) requires it to be running and to have an address. What isn't known about it counts in its
 * favour. */
static bool can_bootstrap(const struct netdev *netdev)
{
    bool runs = !netdev->flags.known || netdev->flags.value & IFF_RUNNING;
    return runs && (!netdev->addresses_known || netdev->naddresses);
}

/* NCCL connects its ranks over TCP before it looks at any RDMA device: without an interface
 * ncclCommInitRank() fails with "Bootstrap : no socket interface found" (src/bootstrap.cc). */
static enum verdict judge_socket(const struct subject *s, struct judgement *j, const char *name,
                                 enum consumer consumer)
{
    struct setting setting = consumer_setting(consumer, s->system, name);
    const struct netdev *named = NULL;
    if (!setting.value || strlen(setting.value) < 2) /* as ncclFindInterfaces() */
        return judge_na(j, "%s is not set", name);
    if (!s->host->nnetdevs)
        return judge_unknown(j, "no netdev could be read");
    for (size_t i = 0; i < s->host->nnetdevs; i++) {
        const struct netdev *netdev = &s->host->netdevs[i];
        if (!consumer_takes_socket(setting.value, netdev->name))
            continue;
        if (can_bootstrap(netdev))
            return judge_pass(j, "%s: %s is here", setting_text(j, &setting), netdev->name);
        named = netdev;
    }
    judge_advice(j, "name an interface that ip address lists, or %s", setting_undo(j, &setting));
    if (named)
        return judge_fail(j, "%s: %s has no address, or no link", setting_text(j, &setting), named->name);
    return judge_fail(j, "%s names no interface of this machine", setting_text(j, &setting));
}

JUDGE(nccl_socket_ifname)
{
    return judge_both(s, j, "NCCL_SOCKET_IFNAME", judge_socket);
}

/* Does NCCL or RCCL carry the traffic over RDMA, according to its variables? Then UCX or Open MPI, when told to
 * use TCP, merely starts the ranks, as in scripts of Oracle's cloud (UCX_TLS=tcp UCX_NET_DEVICES=eth0),
 * Google's, and NVIDIA's for the DGX Spark. */
static bool is_carried_by_nccl(const struct host *host)
{
    static const enum consumer both[] = { CONSUMER_NCCL, CONSUMER_RCCL };
    for (size_t i = 0; i < ARRAY_SIZE(both); i++) {
        const char *net = consumer_setting(both[i], &host->system, "NCCL_NET").value;
        if (!consumer_is_configured(both[i], &host->system) || consumer_is_disabled(both[i], &host->system) ||
            (net && strcasecmp(net, "Socket") == 0))
            continue;
        for (const struct port *port = NULL; (port = host_next_port(host, port));)
            if (consumer_takes_port(both[i], &host->system, port))
                return true;
    }
    return false;
}

/* The verdict on a library that is told to use TCP. */
static enum verdict judge_by_tcp(const struct subject *s, struct judgement *j, const char *evidence)
{
    if (!is_carried_by_nccl(s->host))
        return judge_warn(j, "%s", evidence);
    return judge_info(j, "%s; NCCL, which is set up too, uses RDMA", evidence);
}

/* What older releases don't understand: a device without its port (openucx/ucx f3a1ae1, before 1.21),
 * "mlx5_[0-3]:1" (597005c, before 1.22). NULL if nothing. */
static const char *newer_than_ucx(const struct host *host, const char *list)
{
    if (strchr(list, '['))
        return "UCX before 1.22 doesn't know ranges: name each port";
    list += *list == '^';
    for (size_t i = 0; i < host->ndevices; i++)
        if (text_in_list(list, host->devices[i].name))
            return "UCX before 1.21 wants the port, too, as in mlx5_0:1, and finds no such device";
    return NULL;
}

JUDGE(ucx_net_devices)
{
    static const char name[] = "UCX_NET_DEVICES";
    struct setting setting = consumer_setting(CONSUMER_UCX, s->system, name);
    if (!setting.value)
        return judge_na(j, "%s is not set", name);
    const char *text = setting_text(j, &setting);
    for (const struct port *port = NULL; (port = host_next_port(s->host, port));)
        if (consumer_takes_port(CONSUMER_UCX, s->system, port)) {
            const char *newer = newer_than_ucx(s->host, setting.value);
            return newer ? judge_info(j, "%s: %s", text, newer)
                         : judge_pass(j, "%s names a port that is here", text);
        }
    const struct port *first = host_next_port(s->host, NULL);
    if (first)
        judge_advice(j, "name ports that roce status lists, such as %s:%" PRIu32 ", or %s",
                     fix_name(j, first->device->name), first->number, setting_undo(j, &setting));
    struct setting tls = consumer_setting(CONSUMER_UCX, s->system, "UCX_TLS");
    bool tcp_alone = tls.value && !consumer_offers_rdma(tls.value, s->host);
    for (size_t i = 0; i < s->host->nnetdevs; i++)
        if (!text_in_list(setting.value, s->host->netdevs[i].name))
            continue;
        else if (tcp_alone)
            return judge_na(j, "%s: UCX is told to take TCP alone: see rdma-switched-off", text);
        else
            return judge_by_tcp(
                s, j,
                arena_printf(j->arena, "%s names %s, which UCX uses by TCP, and no RDMA device of this machine",
                             text, s->host->netdevs[i].name));
    return judge_warn(j, "%s names no device of this machine", text);
}

/* NCCL_NET is compared with the plugins' names, and "IB" and "Socket" are its own (src/plugin/net.cc); a number
 * is read as by strtoll(). */
static enum verdict judge_nccl_off(const struct subject *s, struct judgement *j, const char *name,
                                   enum consumer consumer)
{
    struct setting net = consumer_setting(consumer, s->system, "NCCL_NET");
    struct setting off = consumer_setting(consumer, s->system, name);
    if (net.value && strcasecmp(net.value, "Socket") == 0) {
        judge_advice(j, "%s", setting_undo(j, &net));
        return judge_warn(j, "%s", setting_text(j, &net));
    }
    if (off.value && consumer_is_disabled(consumer, s->system)) {
        judge_advice(j, "%s", setting_undo(j, &off));
        return judge_warn(j, "%s", setting_text(j, &off));
    }
    return judge_pass(j, "nothing switches RDMA off");
}

static enum verdict judge_ucx_off(const struct subject *s, struct judgement *j)
{
    struct setting tls = consumer_setting(CONSUMER_UCX, s->system, "UCX_TLS");
    if (!tls.value || consumer_offers_rdma(tls.value, s->host))
        return judge_pass(j, "nothing switches RDMA off");
    judge_advice(j, "%s, or add rc to it", setting_undo(j, &tls));
    return judge_by_tcp(
        s, j,
        arena_printf(j->arena, "%s leaves no RDMA transport of this machine's devices", setting_text(j, &tls)));
}

/* With the PML ob1, Open MPI doesn't use UCX; its BTLs decide. A list of them without one for RDMA means TCP
 * between hosts: the openib BTL was in Open MPI 4, uct and ofi still exist (docs.open-mpi.org, v5.0.x,
 * tuning-apps/networking). */
static enum verdict judge_mpi_off(const struct subject *s, struct judgement *j)
{
    static const char *const rdma[] = { "openib", "uct", "ofi", "usnic", "portals4", "ugni" };
    struct setting pml = consumer_setting(CONSUMER_MPI, s->system, "OMPI_MCA_pml");
    struct setting btl = consumer_setting(CONSUMER_MPI, s->system, "OMPI_MCA_btl");
    bool without_ucx = text_is(pml.value, "ob1"), by_rdma = !btl.value || *btl.value == '^';
    for (size_t i = 0; btl.value && i < ARRAY_SIZE(rdma); i++)
        by_rdma |= text_in_list(btl.value, rdma[i]);
    if (!without_ucx || by_rdma)
        return judge_pass(j, "nothing switches RDMA off");
    judge_advice(j, "%s, and use the PML ucx", setting_undo(j, &pml));
    return judge_by_tcp(
        s, j,
        arena_printf(j->arena, "%s and %s: Open MPI uses TCP", setting_text(j, &pml), setting_text(j, &btl)));
}

JUDGE(rdma_switched_off)
{
    static enum verdict (*const others[])(const struct subject *, struct judgement *) = { judge_ucx_off,
                                                                                          judge_mpi_off };
    enum verdict verdict = judge_both(s, j, "NCCL_IB_DISABLE", judge_nccl_off);
    for (size_t i = 0; verdict == VERDICT_PASS && i < ARRAY_SIZE(others); i++)
        verdict = others[i](s, j);
    return verdict;
}
