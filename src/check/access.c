/* Is there an RDMA device, and may it be used from here? */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/say.h"
#include "base/text.h"
#include "check/judge.h"

/* Ethernet drivers whose NICs have an RDMA part, and the module that is it. Not every model can do RDMA (an
 * X722 can, other i40e NICs can't), so a missing device is a warning. */
/* clang-format off */
static const struct {
    const char *driver, *module, *how;
} rdma_drivers[] = {
    { "mlx5_core", "mlx5_ib", NULL },
    { "mlx4_en", "mlx4_ib", NULL },
    { "mlx4_core", "mlx4_ib", NULL },
    { "bnxt_en", "bnxt_re", NULL },
    { "ice", "irdma", NULL },
    { "hns3", "hns_roce_hw_v2", NULL },
    { "qede", "qedr", NULL },
    { "mana", "mana_ib", NULL },
    { "ionic", "ionic_rdma", NULL },
    { "cxgb4", "iw_cxgb4", NULL },
};
/* clang-format on */

static const char *rdma_module(const char *driver)
{
    for (size_t i = 0; driver && i < ARRAY_SIZE(rdma_drivers); i++)
        if (strcmp(rdma_drivers[i].driver, driver) == 0)
            return rdma_drivers[i].module;
    return NULL;
}

static const struct netdev *capable_netdev(const struct host *host)
{
    for (size_t i = 0; i < host->nnetdevs; i++)
        if (rdma_module(host->netdevs[i].driver))
            return &host->netdevs[i];
    return NULL;
}

static enum verdict judge_device_present(const struct subject *s, struct judgement *j)
{
    const struct host *host = s->host;
    if (host->ndevices)
        return judge_pass(j, "/sys/class/infiniband: %zu %s", host->ndevices,
                          host->ndevices == 1 ? "device" : "devices");
    const struct netdev *netdev = capable_netdev(host);
    if (netdev)
        fix_module(j, &host->system, rdma_module(netdev->driver));
    return judge_fail(j, "%s",
                      !host->system.has_infiniband_class
                          ? "/sys/class/infiniband is not there: the RDMA core is not loaded"
                          : "/sys/class/infiniband is empty");
}

static bool has_rdma_device(const struct host *host, const struct netdev *netdev)
{
    if (netdev->nibdevs)
        return true;
    for (size_t i = 0; i < host->ndevices; i++)
        if (netdev->pci && host->devices[i].pci && strcmp(host->devices[i].pci, netdev->pci) == 0)
            return true;
    return false;
}

/* A bonded NIC's second port has none of its own: RoCE LAG has merged both. */
static bool is_merged(const struct host *host, const struct netdev *netdev)
{
    const struct netdev *master = host_find_netdev(host, netdev->master);
    for (size_t i = 0; master && i < master->nmembers; i++) {
        const struct netdev *member = host_find_netdev(host, master->members[i]);
        if (member && has_rdma_device(host, member))
            return true;
    }
    return false;
}

static enum verdict judge_nic_has_device(const struct subject *s, struct judgement *j)
{
    const struct netdev *netdev = s->netdev;
    const char *module = rdma_module(netdev->driver);
    if (!module || netdev->kind != NETDEV_PHYSICAL)
        return judge_na(j, "%s is no NIC with an RDMA part", netdev->name);
    if (has_rdma_device(s->host, netdev))
        return judge_pass(j, "%s (%s) has an RDMA device", netdev->name, netdev->driver);
    if (is_merged(s->host, netdev))
        return judge_na(j, "%s shares the RDMA device of its bond", netdev->name);
    if (!s->host->system.modules_known)
        return judge_warn(j, "%s (%s) has no RDMA device; /proc/modules could not be read", netdev->name,
                          netdev->driver);
    bool loaded = system_has_module(&s->host->system, module);
    if (!loaded)
        fix_module(j, &s->host->system, module);
    else if (strcmp(netdev->driver, "mlx5_core") == 0 && netdev->pci)
        judge_fix(
            j,
            "devlink dev param set pci/%s name enable_roce value true cmode driverinit && devlink dev reload pci/%s; in an exclusive RDMA namespace the device may be in another one",
            netdev->pci, netdev->pci);
    return judge_warn(j, "%s (%s) has no RDMA device; module %s is %s", netdev->name, netdev->driver, module,
                      loaded ? "loaded" : "not loaded");
}

static enum verdict judge_roce_enabled(const struct subject *s, struct judgement *j)
{
    const struct device *device = s->device;
    bool ethernet = false, switchdev = false, table = false, known = false;
    for (size_t i = 0; i < device->nports; i++) {
        const struct port *port = &device->ports[i];
        const struct netdev *netdev = port_netdev(s->host, port);
        const struct subject at = { .host = s->host, .device = device, .port = port, .netdev = netdev };
        if (!port_is_roce(port) || !port_carries_traffic(&at))
            continue;
        /* mlx5's uplink in switchdev mode has raw Ethernet queue pairs only: RoCE is its functions' */
        bool is_uplink = netdev && netdev->phys_switch_id && num_is(port->gid_table_len, 0);
        switchdev |= is_uplink;
        if (is_uplink)
            continue;
        ethernet = true;
        known |= port->gid_table_len.known;
        table |= port->gid_table_len.known && port->gid_table_len.value > 0;
    }
    if (!ethernet)
        return judge_na(j, switchdev ? "switchdev mode: RoCE is with its functions" : "no Ethernet port");
    if (device->pci && text_starts(device->driver, "mlx5"))
        fix_enable_roce(j, "pci", device->pci);
    else if (device->pci && text_starts(device->driver, "bnxt"))
        judge_fix(
            j,
            "devlink dev param set pci/%s name enable_roce value true cmode permanent, then restart the host",
            device->pci);
    const char *source;
    enum tristate parameter = device_roce_parameter(s->host, device, &source);
    if (parameter == TRI_NO)
        return judge_fail(j, "devlink parameter enable_roce of %s is false", source ? source : device->name);
    if (table || parameter == TRI_YES)
        return judge_pass(j, "the GID table has slots");
    if (!known)
        return judge_unknown(j, "/sys/class/infiniband/%s/ports/*/gids could not be read", device->name);
    return judge_fail(j, "/sys/class/infiniband/%s/ports/1/gids has no slot: RoCE is off", device->name);
}

static const char *node_reason(const struct host *host, int err)
{
    switch (err) {
    case ENOENT:
        return host->system.user_namespace ? "it was not passed into this container" : "udev did not make it";
    case EACCES:
        return "its mode or owner doesn't let this user in";
    case EPERM:
        return "the device controller of this cgroup denies it";
    case ENXIO:
    case ENODEV:
        return "it is the node of a device that is gone";
    default:
        return "it can't be opened";
    }
}

static void fix_node(struct judgement *j, const struct host *host, const char *path, int err)
{
    if (err == EACCES)
        judge_fix(j, "chmod 0666 %s (what rdma-core's udev rules give it)", path);
    else if (err == EPERM)
        judge_fix(j, "start the container with --device=%s (Kubernetes: the RDMA device plugin's resource)",
                  path);
    else if (host->system.user_namespace)
        judge_fix(j, "start the container with --device=%s", path);
    else
        judge_fix(j, "udevadm trigger --subsystem-match=infiniband_verbs --subsystem-match=misc");
}

static enum verdict judge_node(const struct subject *s, struct judgement *j, const struct device_node *node)
{
    if (!node->tried)
        return judge_unknown(j, "%s was not tried", node->path ? node->path : "the node");
    if (node->err == 0)
        return judge_pass(j, "%s can be opened", node->path);
    fix_node(j, s->host, node->path, node->err);
    return judge_fail(j, "%s: %s; %s", node->path, say_errno(node->err), node_reason(s->host, node->err));
}

static bool some_node_opens(const struct host *host)
{
    for (size_t i = 0; i < host->ndevices; i++)
        if (host->devices[i].uverbs.name && host->devices[i].uverbs.err == 0)
            return true;
    return false;
}

static enum verdict judge_uverbs_node(const struct subject *s, struct judgement *j)
{
    if (!s->host->system.has_uverbs_class)
        return judge_na(j, "ib_uverbs is not loaded");
    if (!s->device->uverbs.name)
        return judge_na(j, "the kernel offers no node for it");
    if (s->device->uverbs.err && some_node_opens(s->host))
        return judge_na(j, "%s can't be opened, others can: see device-hidden", s->device->uverbs.path);
    return judge_node(s, j, &s->device->uverbs);
}

/* With shared RDMA namespaces every container sees all devices in sysfs, and may open those it was given. */
static enum verdict judge_device_hidden(const struct subject *s, struct judgement *j)
{
    const struct device_node *node = &s->device->uverbs;
    if (!s->host->system.has_uverbs_class || !node->name)
        return judge_na(j, "there is no node to open");
    if (node->err == 0)
        return judge_pass(j, "%s can be opened", node->path);
    if (!some_node_opens(s->host))
        return judge_na(j, "no node can be opened: see uverbs-node");
    fix_node(j, s->host, node->path, node->err);
    return judge_warn(j, "%s is in /sys/class/infiniband, but %s: %s; %s", s->device->name, node->path,
                      say_errno(node->err), node_reason(s->host, node->err));
}

static enum verdict judge_rdma_cm_node(const struct subject *s, struct judgement *j)
{
    const struct system *system = &s->host->system;
    if (!s->host->ndevices)
        return judge_na(j, "no RDMA device");
    if (system->rdma_cm.err == ENOENT && system->modules_known && !system_has_module(system, "rdma_ucm"))
        return judge_na(j, "rdma_ucm is not loaded: see rdma-ucm-module");
    return judge_node(s, j, &system->rdma_cm);
}

static enum verdict judge_umad_node(const struct subject *s, struct judgement *j)
{
    bool infiniband = false;
    for (size_t i = 0; i < s->device->nports; i++)
        infiniband |= s->device->ports[i].transport == TRANSPORT_INFINIBAND;
    if (!infiniband)
        return judge_na(j, "only an InfiniBand port is managed through it");
    if (!s->device->numads)
        return judge_na(j, "ib_umad is not loaded: see ib-umad-module");
    for (size_t i = 0; i < s->device->numads; i++)
        if (s->device->umads[i].err) {
            judge_fix(j, "run InfiniBand's management tools as root, or chmod 0660 %s and give it their group",
                      s->device->umads[i].path);
            return judge_warn(j, "%s: %s; %s", s->device->umads[i].path, say_errno(s->device->umads[i].err),
                              node_reason(s->host, s->device->umads[i].err));
        }
    return judge_pass(j, "%s can be opened", s->device->umads[0].path);
}

enum { MIB = 1 << 20, MEMLOCK_ENOUGH = 512 * MIB, MEMLOCK_USUAL = 8 * MIB };

static void fix_memlock(struct judgement *j, const struct system *system)
{
    if (system->user_namespace)
        judge_fix(
            j,
            "start the container with --ulimit memlock=-1:-1 (rootless: also LimitMEMLOCK=infinity for user@.service on the host)");
    else
        judge_fix(
            j,
            "echo '* - memlock unlimited' >/etc/security/limits.d/90-rdma.conf and log in again; of a service: LimitMEMLOCK=infinity in its unit");
}

static enum verdict judge_memlock(const struct subject *s, struct judgement *j)
{
    const struct system *system = &s->host->system;
    if (!s->host->ndevices)
        return judge_na(j, "no RDMA device");
    if (!system->memlock_soft.known)
        return judge_unknown(j, "/proc/self/limits could not be read");
    if (system->memlock_soft.value == UINT64_MAX)
        return judge_pass(j, "/proc/self/limits: Max locked memory unlimited");
    if (system_has_capability(system, CAPABILITY_IPC_LOCK) && !system->user_namespace)
        return judge_pass(j, "CAP_IPC_LOCK in CapEff: the limit doesn't bind this user (it binds others)");
    fix_memlock(j, system);
    uint64_t limit = system->memlock_soft.value;
    return judge_as(
        j, limit < MEMLOCK_ENOUGH ? (limit <= MEMLOCK_USUAL ? VERDICT_FAIL : VERDICT_WARN) : VERDICT_PASS,
        "/proc/self/limits: Max locked memory %" PRIu64 " KiB", limit / 1024);
}

static enum verdict judge_mlock_trial(const struct subject *s, struct judgement *j)
{
    const struct mlock_trial *trial = &s->host->system.mlock;
    if (!s->host->ndevices)
        return judge_na(j, "no RDMA device");
    if (!trial->tried)
        return judge_unknown(j, "nobody tried: this is a recording without a trial, or memory was short");
    if (trial->err == 0)
        return judge_pass(j, "mlock of %" PRIu64 " MiB succeeded (no more was tried)", trial->bytes / MIB);
    fix_memlock(j, &s->host->system);
    return judge_fail(j, "mlock of %" PRIu64 " MiB: %s%s", trial->bytes / MIB, say_errno(trial->err),
                      s->host->system.user_namespace ? ", in a user namespace" : "");
}

static const struct gid *foreign_gid(const struct host *host, const struct port **where)
{
    for (const struct port *port = NULL; (port = host_next_port(host, port));)
        for (size_t g = 0; port_is_roce(port) && g < port->ngids; g++)
            if (port->gids[g].netdev && !host_find_netdev(host, port->gids[g].netdev)) {
                *where = port;
                return &port->gids[g];
            }
    return NULL;
}

static enum verdict judge_netns_mode(const struct subject *s, struct judgement *j)
{
    const struct host *host = s->host;
    const struct port *port = NULL;
    if (!host->system.netns_mode.known && !host->system.has_infiniband_class)
        return judge_na(j, "the RDMA core is not loaded");
    if (!host->system.netns_mode.known)
        return judge_unknown(j, "netlink RDMA SYS_GET: %s",
                             host->system.nldev_err ? say_errno(host->system.nldev_err) : "it says no mode");
    bool shared = host->system.netns_mode.value == 1;
    const struct gid *gid = shared ? foreign_gid(host, &port) : NULL;
    if (gid)
        return judge_warn(j, "RDMA namespaces are shared, but the netdev %s of %s/%u GID %u is in another one",
                          gid->netdev, port->device->name, port->number, gid->index);
    if (!shared && !host->ndevices && capable_netdev(host)) {
        judge_fix(
            j,
            "from where the device is: rdma dev set DEVICE netns %s; or on the host: rdma system set netns shared",
            "NAME");
        return judge_warn(j, "RDMA namespaces are exclusive, and %s is here without its RDMA device",
                          capable_netdev(host)->name);
    }
    return judge_pass(j, "RDMA namespaces are %s", shared ? "shared" : "exclusive");
}

const struct check checks_access[] = {
    { .id = "rdma-device",
      .topic = "access",
      .healthy = "there is an RDMA device",
      .why = "Without one nothing can speak RDMA; MPI, NCCL and storage fall back to TCP or stop.",
      .fix = "plug in an RDMA-capable NIC, load its driver's RDMA module (mlx5_ib, bnxt_re, irdma, ...), or make a software device: roce link add rxe0 type rxe netdev eth0",
      .fires_on = "no-rdma",
      .scope = SCOPE_HOST,
      .needs = NEED_NETDEV_ALL | NEED_SYSTEM,
      .judge = judge_device_present },
    { .id = "nic-rdma-device",
      .topic = "access",
      .healthy = "each RDMA-capable NIC has its RDMA device",
      .why = "The NIC's Ethernet driver is loaded but its RDMA part isn't, is switched off, or the device was moved to another network namespace: applications don't see the NIC.",
      .fix = "load the RDMA module of its driver; if this model can't do RDMA, skip the check",
      .fires_on = "fault-driver",
      .scope = SCOPE_NETDEV,
      .needs = NEED_NETDEV_ALL | NEED_PCI | NEED_SYSTEM,
      .judge = judge_nic_has_device },
    { .id = "roce-enabled",
      .topic = "access",
      .healthy = "RoCE is on",
      .why = "With RoCE switched off the device has no GIDs and only raw Ethernet queue pairs work.",
      .fix = "switch RoCE on in the device's parameters (devlink dev param show)",
      .fires_on = "broken",
      .scope = SCOPE_DEVICE,
      .needs = NEED_GIDS | NEED_PCI | NEED_NETDEV_ALL | NEED_QOS,
      .judge = judge_roce_enabled },
    { .id = "uverbs-node",
      .topic = "access",
      .healthy = "the device's uverbs node can be opened",
      .why = "Every verbs application opens it; when it can't, libibverbs says \"Failed to open device\", perhaps after waiting 5 seconds.",
      .fix = "give this user or container access to /dev/infiniband/uverbsN",
      .fires_on = "broken",
      .scope = SCOPE_DEVICE,
      .needs = NEED_NODES | NEED_SYSTEM,
      .judge = judge_uverbs_node },
    { .id = "device-hidden",
      .topic = "access",
      .healthy = "every device that sysfs shows can be opened",
      .why = "sysfs shows all devices, but this container or user was given only some: NCCL and UCX try the others and fail or warn.",
      .fix = "name only usable devices (NCCL_IB_HCA, UCX_NET_DEVICES), or use exclusive RDMA namespaces",
      .fires_on = "fault-access",
      .scope = SCOPE_DEVICE,
      .needs = NEED_NODES | NEED_SYSTEM,
      .judge = judge_device_hidden },
    { .id = "rdma-cm-node",
      .topic = "access",
      .healthy = "/dev/infiniband/rdma_cm can be opened",
      .why = "Applications that connect by IP address (NVMe-oF tools, perftest -R, rping, NFS, Lustre) need it.",
      .fix = "give this user or container access to /dev/infiniband/rdma_cm",
      .fires_on = "fault-access",
      .scope = SCOPE_HOST,
      .needs = NEED_NODES | NEED_SYSTEM,
      .judge = judge_rdma_cm_node },
    { .id = "umad-node",
      .topic = "access",
      .healthy = "an InfiniBand port's umad node can be opened",
      .why = "opensm, perfquery, ibdiagnet and all management tools send through it.",
      .fix = "run InfiniBand's management tools as root",
      .fires_on = "fault-ib",
      .scope = SCOPE_DEVICE,
      .needs = NEED_NODES | NEED_SYSTEM,
      .judge = judge_umad_node },
    { .id = "memlock-limit",
      .topic = "access",
      .healthy = "enough memory may be locked",
      .why = "Registering memory locks it: above the limit ibv_reg_mr and ibv_create_cq say \"Cannot allocate memory\", and UCX gives up RDMA below some hundred MB.",
      .fix = "raise the limit: ulimit -l unlimited, where the application is started",
      .fires_on = "fault-access",
      .scope = SCOPE_HOST,
      .needs = NEED_SYSTEM,
      .judge = judge_memlock },
    { .id = "memlock-trial",
      .topic = "access",
      .healthy = "memory can really be locked",
      .why = "In a user namespace (rootless container) the limit may read unlimited and still not be honoured.",
      .fix = "raise the limit on the host, for the service that starts the container",
      .fires_on = "fault-memlock",
      .scope = SCOPE_HOST,
      .needs = NEED_SYSTEM,
      .judge = judge_mlock_trial },
    { .id = "rdma-namespace-mode",
      .topic = "access",
      .healthy = "the RDMA namespace mode fits the namespaces in use",
      .why = "In shared mode a container sees devices whose netdevs it doesn't have (RDMA_CM: ADDR_ERROR -19); in exclusive mode a device is where it was moved to, and nowhere else.",
      .fix = "before any container starts: rdma system set netns exclusive; for every boot: options ib_core netns_mode=0 in /etc/modprobe.d",
      .fires_on = "mlx5-vf-container",
      .scope = SCOPE_HOST,
      .needs = NEED_NLDEV | NEED_GIDS | NEED_NETDEV_ALL | NEED_SYSTEM,
      .judge = judge_netns_mode },
    { 0 },
};
