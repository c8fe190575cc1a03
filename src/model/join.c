/* SPDX-License-Identifier: MIT */
/* What follows from combining the parts of a host: order, each port's netdev and the MTU it can carry, and what
 * its counters mean. */
#include "model/host.h"
#include "model/statistics.h"

static int by_device_name(const void *a, const void *b)
{
    return text_version_compare(((const struct device *)a)->name, ((const struct device *)b)->name);
}

static int by_netdev(const void *a, const void *b)
{
    return text_version_compare(((const struct qos *)a)->netdev, ((const struct qos *)b)->netdev);
}

static int by_pci_address(const void *a, const void *b)
{
    return strcmp((*(struct pci *const *)a)->address, (*(struct pci *const *)b)->address);
}

/* Computing distances looks functions up thousands of times. */
static void order_pcis(struct host *host)
{
    host->pci_order = arena_alloc(host->arena, host->npcis + 1, sizeof(*host->pci_order));
    for (size_t i = 0; i < host->npcis; i++)
        host->pci_order[i] = &host->pcis[i];
    if (host->npcis)
        qsort(host->pci_order, host->npcis, sizeof(struct pci *), by_pci_address);
    host->npci_order = host->npcis;
    for (size_t i = 0; i < host->npcis; i++)
        host->pcis[i].above = host_find_pci(host, host->pcis[i].upstream);
}

static int by_port_number(const void *a, const void *b)
{
    uint32_t x = ((const struct port *)a)->number, y = ((const struct port *)b)->number;
    return (x > y) - (x < y);
}

static int by_gid_index(const void *a, const void *b)
{
    uint32_t x = ((const struct gid *)a)->index, y = ((const struct gid *)b)->index;
    return (x > y) - (x < y);
}

#define SORT(items, count, order)                               \
    do {                                                        \
        if (count)                                              \
            qsort((items), (count), sizeof(*(items)), (order)); \
    } while (0)

/* Ports of one PCI function differ in dev_port, before Linux 3.15 in dev_id; both count from 0. */
static bool is_nth_port(const struct netdev *netdev, uint32_t number)
{
    uint64_t dev_port = netdev->dev_port.known ? netdev->dev_port.value : 0;
    uint64_t dev_id = netdev->dev_id.known ? netdev->dev_id.value : 0;
    return (dev_port > dev_id ? dev_port : dev_id) + 1 == number;
}

static const char *netdev_on_parent(const struct host *host, const struct port *port)
{
    const char *parent = port->device->parent, *found = NULL;
    bool is_virtual = text_is(port->device->parent_bus, "virtual");
    if (parent && is_virtual)
        return host_find_netdev(host, parent) ? parent : NULL;
    if (device_is_smi(port->device)) /* they share the real device's function */
        return NULL;
    for (size_t i = 0; parent && i < host->nnetdevs; i++) {
        const struct netdev *netdev = &host->netdevs[i];
        if (!netdev->parent || strcmp(netdev->parent, parent) != 0 || !is_nth_port(netdev, port->number))
            continue;
        bool is_uplink = !netdev_is_representor_name(netdev->phys_port_name);
        if (!found || is_uplink)
            found = netdev->name;
        if (is_uplink)
            break;
    }
    return found;
}

/* nldev names a port's netdev only if that is in the caller's namespace (fill_port_info() of core/nldev.c); a
 * kernel that reports its namespace mode (5.2) is new enough to name it (4.18). That there is a netdev at all
 * shows in a GID's netdev, or in the device being soft RDMA, which is always based on one. */
static bool has_netdev_elsewhere(const struct host *host, const struct port *port)
{
    if (!port->nldev_answered || port->netdev_nldev || !host->system.netns_mode.known)
        return false;
    for (size_t i = 0; i < port->ngids; i++)
        if (port->gids[i].netdev)
            return true;
    return text_is(port->device->parent_bus, "virtual");
}

/* A port has a default GID for its netdev: link-local, with the MAC as EUI-64, however the netdev generates its
 * addresses (make_default_gid() of core/roce_gid_mgmt.c). */
static bool has_mac_of_default_gid(const struct port *port, const struct netdev *netdev)
{
    uint8_t mac[6], raw[16];
    if (!netdev_mac(netdev, mac))
        return false;
    gid_of_mac(mac, raw);
    return port_next_gid(port, raw, NULL) != NULL;
}

/* Does this netdev merely share the name of the port's, which is in another namespace? One created on top of
 * the port's and moved here doesn't (VLAN, macvlan, ipvlan, and what sysfs alone can't distinguish from these),
 * nor does one on the same function; any other does. */
static bool has_only_the_name(const struct host *host, const struct port *port, const struct netdev *netdev)
{
    const struct netdev *base = netdev_base(host, netdev);
    if ((netdev->parent && text_is(port->device->parent, netdev->parent)) ||
        has_mac_of_default_gid(port, netdev))
        return false;
    switch (base->kind) {
    case NETDEV_PHYSICAL:
        return base->parent_bus && has_netdev_elsewhere(host, port);
    case NETDEV_BOND:
    case NETDEV_BRIDGE:
    case NETDEV_VETH:
    case NETDEV_VXLAN:
    case NETDEV_LOOPBACK:
    case NETDEV_DUMMY:
        return has_netdev_elsewhere(host, port);
    default:
        return false;
    }
}

/* A GID's netdev may be in another network namespace, while another netdev here has the same name: the ifindex,
 * the function that this one belongs to, or nldev tells them apart. */
static bool is_elsewhere(const struct host *host, const struct port *port, const struct gid *gid)
{
    const struct netdev *netdev = host_find_netdev(host, gid->netdev);
    if (!netdev)
        return false;
    bool other_index = gid->ifindex && netdev->ifindex.known && netdev->ifindex.value != gid->ifindex;
    return other_index || netdev_is_of_another(host, port->device, netdev) ||
           has_only_the_name(host, port, netdev);
}

/* A GID's netdev is the port's own or one above it (VLAN, macvlan, bond). The default GID in the lowest
 * link-local slot belongs to the port's own netdev, or to its bond. In a container that has only a macvlan on
 * top of it, the macvlan is the one to report. */
static const char *netdev_of_gids(const struct host *host, const struct port *port)
{
    const struct gid *best = NULL;
    bool best_here = false;
    for (size_t i = 0; i < port->ngids; i++) {
        const struct gid *gid = &port->gids[i];
        bool here = gid_netdev(host, gid) != NULL;
        if (!gid->netdev || (best && best_here && !here))
            continue;
        bool better_place = !best || (here && !best_here);
        if (better_place || (gid_is_link_local(gid->raw) && !gid_is_link_local(best->raw))) {
            best = gid;
            best_here = here;
        }
    }
    return best ? best->netdev : NULL;
}

/* An iWARP port's GID is its netdev's MAC. VLANs on top of it have the same one. */
static const char *netdev_of_mac(const struct host *host, const struct port *port)
{
    char mac[18];
    if (!port->ngids)
        return NULL;
    const uint8_t *raw = port->gids[0].raw;
    snprintf(mac, sizeof(mac), "%02x:%02x:%02x:%02x:%02x:%02x", raw[0], raw[1], raw[2], raw[3], raw[4], raw[5]);
    for (size_t i = 0; i < host->nnetdevs; i++)
        if (text_is(host->netdevs[i].mac, mac) && !host->netdevs[i].lower)
            return host->netdevs[i].name;
    return NULL;
}

/* RoCE LAG: for a device that represents all members of a bond, nldev names one member
 * (mlx5_lag_get_roce_netdev() of mlx5/core/lag; "netdev reth0" of mlx5_bond_0 in public outputs). Members that
 * were not merged each have their own device. */
static bool is_lag_of(const struct host *host, const struct port *port, const struct netdev *bond)
{
    const struct netdev *member = host_find_netdev(host, port->netdev_nldev);
    if (!bond || !bond->bond || !member || !text_is(member->master, bond->name) || device_is_soft(port->device))
        return false;
    for (const struct port *other = NULL; (other = host_next_port(host, other));) {
        const struct netdev *netdev = other == port ? NULL : host_find_netdev(host, other->netdev_nldev);
        if (netdev && text_is(netdev->master, bond->name))
            return false;
    }
    return true;
}

static const char *choose_netdev(const struct host *host, const struct port *port)
{
    const char *parent = netdev_on_parent(host, port);
    const char *gids = port_is_roce(port)                   ? netdev_of_gids(host, port)
                       : port->transport == TRANSPORT_IWARP ? netdev_of_mac(host, port)
                                                            : NULL;
    const struct netdev *bond = host_find_netdev(host, gids);
    if (port->netdev_nldev)
        return is_lag_of(host, port, bond) ? gids : port->netdev_nldev;
    if (parent && bond && bond->bond && !device_is_soft(port->device))
        return gids; /* RoCE LAG: the bond carries addresses and traffic */
    return parent ? parent : gids;
}

/* The reader notes for each GID whether a netdev of that name is here. If there is none for any, the whole port
 * belongs to another namespace, and its GIDs don't differ. */
static void join_gids(const struct host *host, struct port *port)
{
    bool any_here = false;
    for (size_t i = 0; i < port->ngids; i++)
        any_here |= port->gids[i].netdev && !port->gids[i].elsewhere;
    for (size_t i = 0; i < port->ngids; i++) {
        struct gid *gid = &port->gids[i];
        gid->elsewhere = (gid->elsewhere && any_here) || is_elsewhere(host, port, gid);
    }
}

static void join_port(struct host *host, struct port *port)
{
    SORT(port->gids, port->ngids, by_gid_index);
    port_order_gids(port, host->arena);
    join_gids(host, port);
    port->netdev = choose_netdev(host, port);
    const struct netdev *named = host_find_netdev(host, port->netdev);
    port->elsewhere = named && has_only_the_name(host, port, named);
    const struct netdev *netdev = port_netdev(host, port);
    if (netdev && netdev->mtu.known && port_is_roce(port))
        port->roce_mtu = num_of(roce_mtu(netdev->mtu.value, port->device->driver));
}

/* The counters joined last: a machine's devices are mostly alike, and so are their counters. */
struct joined {
    const char *driver;
    const struct counter *counters;
    size_t count;
};

static void join_counters(const struct device *device, struct counter *counters, size_t count,
                          struct joined *last)
{
    /* a virtual function in a container may have no driver link, but its default name still tells */
    const char *driver = counter_family(device->driver) ? device->driver : device->name;
    bool same_driver = last->driver && strcmp(last->driver, driver) == 0;
    for (size_t i = 0; i < count; i++) {
        struct counter *counter = &counters[i];
        bool both = same_driver && i < last->count;
        const struct counter *like = both ? counter_like(&last->counters[i], 1, counter) : NULL;
        counter->def = like ? like->def : counter_def_find(driver, counter->dir, counter->name);
        counter->role = like ? like->role : counter_role_find(counter->def, counter->dir, counter->name);
    }
    if (count)
        *last = (struct joined){ .driver = driver, .counters = counters, .count = count };
}

/* Drivers that set traffic classes on their netdev themselves; the kernel doesn't expose the map. i40e and ice
 * always have at least one, which makes every PCP 0 (i40e_vsi_config_netdev_tc(), ice_vsi_cfg_netdev_tc());
 * hns3 and bnxt_en have none if DCB has only one (hns3_nic_net_open(), bnxt_setup_mq_tc()). */
static bool has_classes_of_driver(const struct host *host, const struct netdev *netdev)
{
    static const struct {
        const char *name;
        bool always;
    } drivers[] = { { "i40e", true }, { "ice", true }, { "hns3", false }, { "bnxt_en", false } };
    bool is_one = false, several = false;
    for (size_t i = 0; i < ARRAY_SIZE(drivers); i++) {
        if (!text_is(netdev->driver, drivers[i].name))
            continue;
        is_one = true;
        several = drivers[i].always;
    }
    const struct qos *qos = is_one ? host_qos_of(host, netdev->name) : NULL;
    for (size_t p = 0; qos && p < PRIORITIES; p++)
        several |= qos->dcb.has_ets && qos->dcb.priority_tc[p];
    return several;
}

/* get_vlan_ndev_tc() of core/cma.c: uses the map of the netdev below if that has classes. */
static void join_classes(const struct host *host, struct netdev *netdev)
{
    const struct netdev *real = netdev->kind == NETDEV_VLAN ? netdev_vlan_real(host, netdev) : NULL;
    if (!real)
        return;
    netdev->classes = real->classes;
    netdev->classes_unknown = !real->classes && has_classes_of_driver(host, real);
}

static int by_place(const void *a, const void *b)
{
    const struct netdev *x = *(const struct netdev *const *)a, *y = *(const struct netdev *const *)b;
    return (x > y) - (x < y);
}

static void join_uppers(struct host *host)
{
    for (size_t i = 0; i < host->nnetdevs; i++) {
        struct netdev *netdev = &host->netdevs[i], *lower = host_find_netdev(host, netdev->lower);
        const struct netdev *master = host_find_netdev(host, netdev->master);
        if (lower)
            *ARENA_PUSH(host->arena, lower->uppers, lower->nuppers) = netdev;
        if (master)
            *ARENA_PUSH(host->arena, netdev->uppers, netdev->nuppers) = master;
    }
    for (size_t i = 0; i < host->nnetdevs; i++) {
        struct netdev *netdev = &host->netdevs[i];
        if (netdev->nuppers)
            qsort((void *)netdev->uppers, netdev->nuppers, sizeof(*netdev->uppers), by_place);
        netdev_order_addresses(netdev, host->arena);
    }
}

/* By the driver of each netdev. */
static void join_statistics(struct host *host)
{
    for (size_t i = 0; i < host->nqos; i++) {
        struct qos *qos = &host->qos[i];
        struct netdev *netdev = host_find_netdev(host, qos->netdev);
        if (netdev)
            netdev->qos = qos;
        statistics_join(qos->statistics, qos->nstatistics, netdev ? netdev->driver : NULL);
        statistics_fill(qos);
    }
}

static int by_path(const void *a, const void *b)
{
    return strcmp(((const struct unread *)a)->path, ((const struct unread *)b)->path);
}

static void sort_unread(struct host *host)
{
    size_t kept = 0;
    SORT(host->unread, host->nunread, by_path);
    for (size_t i = 0; i < host->nunread; i++)
        if (i == 0 || strcmp(host->unread[i].path, host->unread[kept - 1].path) != 0)
            host->unread[kept++] = host->unread[i];
    host->nunread = kept;
}

void host_finish(struct host *host)
{
    struct joined of_devices = { 0 }, of_ports = { 0 };
    SORT(host->devices, host->ndevices, by_device_name);
    host_order_netdevs(host);
    SORT(host->qos, host->nqos, by_netdev);
    host->nqos_sorted = host->nqos;
    sort_unread(host);
    order_pcis(host);
    for (size_t i = 0; i < host->nnetdevs; i++)
        join_classes(host, &host->netdevs[i]);
    join_uppers(host);
    join_statistics(host);
    for (size_t d = 0; d < host->ndevices; d++) {
        struct device *device = &host->devices[d];
        SORT(device->ports, device->nports, by_port_number);
        device->function = host_find_pci(host, device->pci);
        for (size_t p = 0; p < device->nports; p++) {
            device->ports[p].device = device;
            device->ports[p].is_joined = false;
        }
    }
    for (size_t d = 0; d < host->ndevices; d++) {
        struct device *device = &host->devices[d];
        join_counters(device, device->counters, device->ncounters, &of_devices);
        for (size_t p = 0; p < device->nports; p++) {
            join_port(host, &device->ports[p]);
            join_counters(device, device->ports[p].counters, device->ports[p].ncounters, &of_ports);
        }
    }
    for (struct port *port = NULL; (port = host_next_port(host, port));) {
        port->its_netdev = port_netdev(host, port);
        port->is_joined = true;
    }
}
