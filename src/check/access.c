/* SPDX-License-Identifier: MIT */
/* Is there an RDMA device, and is RoCE on? */
#include "check/judge.h"
#include "check/use.h"
#include "model/topology.h"

enum { ICE_RDMA_FUNCTIONS = 4 };

/* The number of functions of an Intel card, if ice can't do RDMA on so many: it drops RDMA from the
 * capabilities of a card with more than four (ice_recalc_port_limited_caps() of Linux 6.12,
 * drivers/net/ethernet/intel/ice/ice_common.c). 0 if that isn't the reason. */
static unsigned functions_without_rdma(const struct host *host, const struct netdev *netdev)
{
    unsigned seen = 0, count = 0;
    if (!text_is(netdev->driver, "ice") || !netdev->pci)
        return 0;
    for (size_t i = 0; i < host->nnetdevs; i++) {
        const struct netdev *other = &host->netdevs[i];
        const char *dot = text_is(other->driver, "ice") && other->pci ? strrchr(other->pci, '.') : NULL;
        if (!dot || !pci_is_one_card(other->pci, netdev->pci) || dot[1] < '0' || dot[1] > '7')
            continue;
        unsigned bit = 1U << (dot[1] - '0');
        count += !(seen & bit);
        seen |= bit;
    }
    return count > ICE_RDMA_FUNCTIONS ? count : 0;
}

/* "", or what keeps the NIC from having an RDMA device, no matter what is loaded or set. */
static const char *no_rdma_here(struct judgement *j, const struct host *host, const struct netdev *netdev)
{
    unsigned count = functions_without_rdma(host, netdev);
    return count ? arena_printf(j->arena, "; the card of %s has %u ports, and ice does RDMA on %d at most",
                                netdev->name, count, ICE_RDMA_FUNCTIONS)
                 : "";
}

/* Drivers where devlink's enable_rdma removes the RDMA device and brings it back: mlx5 (is_ib_enabled() of
 * mlx5/core/dev.c), ice (ICE_FLAG_RDMA_ENA). Without enable_roce the device stays. */
static void fix_no_device(struct judgement *j, const struct host *host, const struct netdev *netdev)
{
    bool loaded = system_has_module(&host->system, rdma_module_of(netdev->driver));
    bool by_devlink = strcmp(netdev->driver, "mlx5_core") == 0 || strcmp(netdev->driver, "ice") == 0;
    if (functions_without_rdma(host, netdev))
        judge_advice(j,
                     "give the card of %s %d ports or fewer (an E810 by Intel's EPCT, one on the chip in the "
                     "BIOS), then restart the host",
                     fix_name(j, netdev->name), ICE_RDMA_FUNCTIONS);
    else if (host->system.modules_known && !loaded)
        fix_module(j, &host->system, rdma_module_of(netdev->driver));
    else if (num_is(host->system.netns_mode, 0))
        fix_missing_device(j, host);
    else if (by_devlink && netdev->pci && !system_is_container(&host->system))
        fix_devlink_on(j, "pci", netdev->pci, "enable_rdma");
    else if (system_is_container(&host->system))
        fix_give_device(j, &host->system);
}

/* Without RDMA hardware: a software device above a netdev that has a link, best of all with an address. */
static void fix_soft(const struct host *host, struct judgement *j)
{
    const struct netdev *best = NULL;
    for (size_t i = 0; i < host->nnetdevs; i++) {
        const struct netdev *netdev = &host->netdevs[i];
        bool fits = netdev->kind == NETDEV_PHYSICAL && netdev->carrier == TRI_YES;
        if (fits && (!best || (!best->naddresses && netdev->naddresses)))
            best = netdev;
    }
    if (best)
        judge_advice(
            j,
            "plug in an RDMA-capable NIC, load its driver's RDMA module (mlx5_ib, bnxt_re, irdma, ...), or "
            "make a software device: roce links add rxe0 type rxe netdev %s",
            fix_name(j, best->name));
}

static bool is_same_model(const struct pci *a, const struct pci *b)
{
    return a && a != b && a->vendor.known && a->device.known && num_is(b->vendor, a->vendor.value) &&
           num_is(b->device, a->device.value) && !a->physfn == !b->physfn;
}

/* Has a function, of those that brought neither a netdev nor an RDMA device, no driver, or, as InfiniBand's
 * have no netdev, no module that makes the device? One that vfio-pci has is a guest's; what a container sees of
 * its host's functions doesn't tell. */
static const struct pci *idle_adapter(const struct host *host)
{
    for (size_t i = 0; i < host->npcis && system_has_first_netns(&host->system); i++) {
        const struct pci *pci = &host->pcis[i];
        const char *module = rdma_module_of(pci->driver);
        bool for_want_of_module = module && pci_is_infiniband(pci) && host->system.modules_known &&
                                  !system_has_module(&host->system, module);
        if (pci->is_adapter && (!pci->driver || for_want_of_module))
            return pci;
    }
    return NULL;
}

static const char *no_driver_here(struct judgement *j, const struct pci *pci)
{
    return pci->driver ? arena_printf(j->arena, "; %s of %s makes an RDMA device only with the module %s",
                                      pci->driver, pci->address, rdma_module_of(pci->driver))
                       : arena_printf(j->arena, "; %s, an adapter for RDMA, has no driver", pci->address);
}

static void fix_adapter(struct judgement *j, const struct host *host, const struct pci *pci)
{
    if (pci->driver)
        fix_module(j, &host->system, rdma_module_of(pci->driver));
    else
        judge_command(j,
                      "modprobe \"$(cat /sys/bus/pci/devices/%s/modalias)\" # if its driver is loaded already, "
                      "dmesg says why it left the function alone",
                      pci->address);
}

JUDGE(rdma_device)
{
    if (s->host->ndevices)
        return judge_pass(j, "/sys/class/infiniband: %zu %s", s->host->ndevices,
                          s->host->ndevices == 1 ? "device" : "devices");
    int err = host_devices_unknown(s->host);
    if (err && s->system->no_sys)
        return judge_unknown(
            j, "%s is not here%s", s->system->no_sys,
            s->host->partial ? "" : ": mount /sys, or run roce outside of this chroot or container");
    if (err)
        return judge_unknown(j, "/sys/class/infiniband could not be read: %s", judge_errno(j, err));
    if (s->host->partial && !s->system->has_infiniband_class)
        return judge_unknown(j, "/sys/class/infiniband is not in this tree");
    const struct netdev *netdev = host_rdma_capable_netdev(s->host);
    const struct pci *adapter = idle_adapter(s->host);
    bool moved = s->system->stray_device && num_is(s->system->netns_mode, 0);
    if (moved && system_has_first_netns(s->system))
        return judge_info(j,
                          "/sys/class/infiniband is empty: RDMA namespaces are exclusive, and %s is in another",
                          s->system->stray_device);
    if (netdev)
        fix_no_device(j, s->host, netdev);
    else if (moved)
        fix_missing_device(j, s->host);
    else if (system_is_container(s->system))
        fix_give_device(j, s->system);
    else if (adapter)
        fix_adapter(j, s->host, adapter);
    else
        fix_soft(s->host, j);
    return judge_fail(j, "%s%s",
                      !s->system->has_infiniband_class
                          ? "/sys/class/infiniband doesn't exist: the RDMA core is not loaded"
                          : "/sys/class/infiniband is empty",
                      netdev    ? no_rdma_here(j, s->host, netdev)
                      : adapter ? no_driver_here(j, adapter)
                                : "");
}

static bool has_own_driver(const struct pci *pci)
{
    return pci->driver && strcmp(pci->driver, "vfio-pci") != 0;
}

JUDGE(adapter_driver)
{
    const struct pci *adapter = idle_adapter(s->host), *like = NULL;
    for (size_t i = 0; adapter && i < s->host->npcis && !like; i++)
        like = has_own_driver(&s->host->pcis[i]) && is_same_model(&s->host->pcis[i], adapter)
                   ? &s->host->pcis[i]
                   : NULL;
    if (s->host->partial)
        return judge_unknown(j, "which functions have no driver may not be in this tree");
    if (!s->host->npcis || !system_has_first_netns(s->system))
        return judge_na(j, "no PCI function of this host's is seen here");
    if (!s->host->ndevices)
        return judge_na(j, "there is no RDMA device at all: see rdma-device");
    if (!adapter || (!adapter->driver && !like))
        return judge_pass(j, "/sys/bus/pci/devices: none lacks a driver that others of its model have");
    fix_adapter(j, s->host, adapter);
    if (adapter->driver)
        return judge_warn(j, "/sys/bus/pci/devices/%s%s", adapter->address, no_driver_here(j, adapter));
    return judge_warn(j, "/sys/bus/pci/devices/%s has no driver, unlike %s, which is of the same model",
                      adapter->address, like->address);
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

/* A bonded NIC's second port has no device of its own: RoCE LAG has merged the two. */
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

/* A NIC of the same model that has its RDMA device; NULL if none. */
static const char *like_nic_with_device(const struct host *host, const struct netdev *netdev)
{
    const struct pci *own = host_find_pci(host, netdev->pci);
    for (size_t i = 0; own && i < host->nnetdevs; i++)
        if (is_same_model(host_find_pci(host, host->netdevs[i].pci), own) &&
            has_rdma_device(host, &host->netdevs[i]))
            return host->netdevs[i].name;
    return NULL;
}

JUDGE(nic_rdma_device)
{
    const char *module = rdma_module_of(s->netdev->driver);
    if (!module || s->netdev->kind != NETDEV_PHYSICAL)
        return judge_na(j, "%s isn't a NIC with an RDMA part", s->netdev->name);
    int err = host_devices_unknown(s->host);
    if (err)
        return judge_unknown(j, "/sys/class/infiniband could not be read: %s", judge_errno(j, err));
    if (has_rdma_device(s->host, s->netdev))
        return judge_pass(j, "%s (%s) has an RDMA device", s->netdev->name, s->netdev->driver);
    if (is_merged(s->host, s->netdev))
        return judge_na(j, "%s shares the RDMA device of its bond", s->netdev->name);
    if (s->host->partial)
        return judge_unknown(j, "no RDMA device of %s is in this tree", s->netdev->name);
    if (!s->system->modules_known)
        return judge_warn(j, "%s (%s) has no RDMA device; /proc/modules could not be read", s->netdev->name,
                          s->netdev->driver);
    bool loaded = system_has_module(s->system, module);
    fix_no_device(j, s->host, s->netdev);
    /* many LOMs can't do RDMA or aren't meant to, unless a NIC of the same model does; all of NVIDIA's can */
    const char *like = like_nic_with_device(s->host, s->netdev);
    bool meant = like || !s->host->ndevices || (!loaded && text_starts(s->netdev->driver, "mlx"));
    const char *why = no_rdma_here(j, s->host, s->netdev);
    if (*why)
        return judge_as(j, s->host->ndevices ? VERDICT_INFO : VERDICT_WARN, "%s (%s) has no RDMA device%s",
                        s->netdev->name, s->netdev->driver, why);
    return judge_as(j, meant ? VERDICT_WARN : VERDICT_INFO, "%s (%s) has no RDMA device%s%s; module %s is %s",
                    s->netdev->name, s->netdev->driver, like ? ", unlike " : "", like ? like : "", module,
                    loaded ? "loaded" : "not loaded");
}

static bool device_is_asked_for(const struct subject *s)
{
    for (size_t i = 0; i < s->device->nports; i++)
        if (port_is_named(s->host, &s->device->ports[i]))
            return true;
    return s->named;
}

/* A RoCE port in use, if no port in use is on a device of this kind and no variable names this one: then this
 * is the management NIC, on which RoCE was switched off or never bought. NULL if that isn't so. */
static const struct port *roce_elsewhere(const struct subject *s)
{
    const struct port *found = NULL;
    if (device_is_asked_for(s))
        return NULL;
    for (const struct port *port = NULL; (port = host_next_port(s->host, port));) {
        if (port->device == s->device || !port_is_roce(port) || !port_first_routable(port))
            continue;
        if (devices_are_siblings(s->host, port->device, s->device))
            return NULL;
        found = found ? found : port;
    }
    return found;
}

/* No setting on this host can give it RDMA. */
static enum verdict judge_raw(const struct subject *s, struct judgement *j)
{
    judge_advice(j, "nothing, where DPDK uses it or nobody; for RDMA take another device: the cloud gives it "
                    "one of its own, to machine types that have it");
    return judge_as(j, device_is_asked_for(s) ? VERDICT_WARN : VERDICT_INFO,
                    "/sys/class/infiniband/%s/ports/1/gids has no slot: raw Ethernet packets only, no RDMA",
                    s->device->name);
}

JUDGE(roce_enabled)
{
    bool ethernet = false, switchdev = false, table = false, known = false, raw = false;
    for (size_t i = 0; i < s->device->nports; i++) {
        const struct port *port = &s->device->ports[i];
        const struct netdev *netdev = port_netdev(s->host, port);
        const struct subject at = { .host = s->host, .device = s->device, .port = port, .netdev = netdev };
        raw |= port_is_raw(port);
        if (!port_is_roce(port) || !port_carries_traffic(&at))
            continue;
        /* mlx5's uplink in switchdev mode has only raw Ethernet queue pairs: RoCE is on its functions */
        bool is_uplink = num_is(port->gid_table_len, 0) && device_is_switch(s->host, s->device);
        switchdev |= is_uplink;
        if (is_uplink)
            continue;
        ethernet = true;
        known |= port->gid_table_len.known;
        table |= port->gid_table_len.known && port->gid_table_len.value > 0;
    }
    if (!ethernet && raw)
        return judge_raw(s, j);
    if (!ethernet)
        return judge_na(j, switchdev ? "switchdev mode: RoCE belongs to its functions" : "no Ethernet port");
    if (s->device->pci && text_starts(s->device->driver, "mlx5"))
        fix_devlink_on(j, "pci", s->device->pci, "enable_roce");
    else if (s->device->pci && text_starts(s->device->driver, "bnxt"))
        judge_command(j, "devlink dev param set pci/{pci} name enable_roce value true cmode permanent # then "
                         "restart the host");
    const char *source;
    enum tristate parameter = device_roce_parameter(s->host, s->device, &source);
    const struct port *infiniband = host_infiniband_port(s->host);
    if (infiniband && (parameter == TRI_NO || (known && !table && parameter != TRI_YES)))
        return judge_na(j, "RoCE is off, and the host uses InfiniBand (%s/%u)", infiniband->device->name,
                        infiniband->number);
    const struct port *other = roce_elsewhere(s);
    if (other && (parameter == TRI_NO || (known && !table && parameter != TRI_YES)))
        return judge_info(j, "RoCE is off, and on for other NICs (%s/%u)", other->device->name, other->number);
    if (parameter == TRI_NO)
        return judge_fail(j, "devlink parameter enable_roce of %s is false", source ? source : s->device->name);
    if (table || parameter == TRI_YES)
        return judge_pass(j, "the GID table has slots");
    if (!known)
        return judge_unknown(j, "/sys/class/infiniband/%s/ports/*/gids could not be read", s->device->name);
    return judge_fail(j, "/sys/class/infiniband/%s/ports/1/gids has no slot: RoCE is off", s->device->name);
}
