/* roce links: which netdev a port is, and what stands above and below it: bond, VLAN, macvlan, IPoIB. */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "command/context.h"
#include "view/listing.h"
#include "view/rows.h"

struct link_row {
    struct port_row port_row;
    const struct netdev *netdev; /* NULL: the port has none, or it is in another namespace */
    const char *name;            /* of the netdev, also when it can't be seen */
    const char *role;
    const struct pci *pci;
};

enum { MOST_DEPTH = 8 };

static const struct link_row *row_of(const void *row)
{
    return row;
}

#define NETDEV_GETTER(field, expression)                                                 \
    static struct value get_##field(const struct cell_context *context, const void *row) \
    {                                                                                    \
        (void)context;                                                                   \
        const struct netdev *netdev = row_of(row)->netdev;                               \
        return netdev ? expression : (struct value){ 0 };                                \
    }

NETDEV_GETTER(kind, value_text(netdev->kind_text))
NETDEV_GETTER(ifindex, value_num(netdev->ifindex))
NETDEV_GETTER(mac, value_text(netdev->mac))
NETDEV_GETTER(mtu, value_num(netdev->mtu))
NETDEV_GETTER(carrier, value_tristate(netdev->carrier))
NETDEV_GETTER(speed, value_mbps(netdev->speed_mbps))
NETDEV_GETTER(duplex, value_text(netdev->duplex))
NETDEV_GETTER(vlan_id, value_num(netdev->vlan_id))
NETDEV_GETTER(lower, value_text(netdev->lower))
NETDEV_GETTER(master, value_text(netdev->master))
NETDEV_GETTER(bond_mode, value_text(netdev->bond ? netdev->bond->mode_text : NULL))
NETDEV_GETTER(members, netdev->kind == NETDEV_BOND || netdev->kind == NETDEV_BRIDGE
                           ? value_texts(netdev->members, netdev->nmembers)
                           : (struct value){ 0 })
NETDEV_GETTER(member_state, netdev->member && netdev->member->state.known
                                ? value_text(netdev->member->state.value ? "backup" : "active")
                                : (struct value){ 0 })
NETDEV_GETTER(mii_status, value_text(netdev->member ? netdev->member->mii_status : NULL))
NETDEV_GETTER(ipoib_mode, value_text(netdev->ipoib_mode))
NETDEV_GETTER(ipoib_pkey, value_hex(netdev->ipoib_pkey, 4))
NETDEV_GETTER(driver, value_text(netdev->driver))
NETDEV_GETTER(dev_port, value_num(netdev->dev_port))
NETDEV_GETTER(dev_id, value_num(netdev->dev_id))
NETDEV_GETTER(phys_port_name, value_text(netdev->phys_port_name))

/* LACP: the bond sends through the members of one aggregator only. */
static struct value get_lacp(const struct cell_context *context, const void *row)
{
    const struct netdev *netdev = row_of(row)->netdev;
    const struct netdev *master = netdev && netdev->master ? host_find_netdev(context->host, netdev->master)
                                                           : NULL;
    if (!netdev || !netdev->member || !netdev->member->aggregator.known || !master || !master->bond ||
        !master->bond->ad_aggregator.known)
        return (struct value){ 0 };
    bool in_use = netdev->member->aggregator.value == master->bond->ad_aggregator.value;
    return value_with_tone(value_text(in_use ? "in use" : "left out"), in_use ? TONE_GOOD : TONE_BAD);
}

static struct value get_state(const struct cell_context *context, const void *row)
{
    (void)context;
    const struct netdev *netdev = row_of(row)->netdev;
    if (!netdev)
        return (struct value){ 0 };
    bool up = netdev->operstate && strcmp(netdev->operstate, "up") == 0;
    bool down = netdev->operstate && strstr(netdev->operstate, "down");
    return value_with_tone(value_text(netdev->operstate), up ? TONE_GOOD : down ? TONE_BAD : TONE_PLAIN);
}

static struct value get_name(const struct cell_context *context, const void *row)
{
    (void)context;
    return value_text(row_of(row)->name);
}

static struct value get_role(const struct cell_context *context, const void *row)
{
    (void)context;
    return value_text(row_of(row)->role);
}

static struct value get_pci(const struct cell_context *context, const void *row)
{
    (void)context;
    return value_text(row_of(row)->pci ? row_of(row)->pci->address : NULL);
}

static struct value get_numa(const struct cell_context *context, const void *row)
{
    (void)context;
    return row_of(row)->pci ? value_snum(row_of(row)->pci->numa_node) : (struct value){ 0 };
}

static struct value get_physfn(const struct cell_context *context, const void *row)
{
    (void)context;
    return value_text(row_of(row)->pci ? row_of(row)->pci->physfn : NULL);
}

static struct value get_expected_mtu(const struct cell_context *context, const void *row)
{
    (void)context;
    const struct link_row *link = row_of(row);
    if (!link->netdev || !link->netdev->mtu.known || link->port_row.port->transport != TRANSPORT_ROCE)
        return (struct value){ 0 };
    return value_unsigned(roce_mtu(link->netdev->mtu.value, link->port_row.port->device->driver));
}

static struct value get_addresses(const struct cell_context *context, const void *row)
{
    const struct netdev *netdev = row_of(row)->netdev;
    if (!netdev || !netdev->addresses_known)
        return (struct value){ 0 };
    const char **texts = arena_alloc(context->arena, netdev->naddresses, sizeof(*texts));
    for (size_t i = 0; i < netdev->naddresses; i++) {
        char text[64];
        address_format(&netdev->addresses[i], text);
        texts[i] = arena_strdup(context->arena, text);
    }
    return value_texts(texts, netdev->naddresses);
}

/* The indexes of the port's GIDs that belong to this netdev: an array, for people with runs drawn together:
 * "0-3, 8". */
static struct value get_gids(const struct cell_context *context, const void *row)
{
    const struct link_row *link = row_of(row);
    const struct port *port = link->port_row.port;
    struct bytes text = { 0 };
    json_t *array = json_array();
    bytes_append(&text, "", 0);
    for (size_t i = 0, start = 0; i < port->ngids; i++) {
        const struct gid *gid = &port->gids[i];
        if (!link->name || !gid->netdev || strcmp(gid->netdev, link->name) != 0)
            continue;
        json_array_append_new(array, json_integer(gid->index));
        const struct gid *before = i ? &port->gids[i - 1] : NULL,
                         *after = i + 1 < port->ngids ? &port->gids[i + 1] : NULL;
        bool goes_on = before && before->netdev && before->index + 1 == gid->index &&
                       strcmp(before->netdev, link->name) == 0;
        bool ends = !after || !after->netdev || after->index != gid->index + 1 ||
                    strcmp(after->netdev, link->name) != 0;
        if (!goes_on) {
            start = gid->index;
            bytes_printf(&text, "%s%u", text.len ? ", " : "", gid->index);
        }
        if (ends && gid->index != start)
            bytes_printf(&text, "-%u", gid->index);
    }
    struct value value = { .type = VALUE_JSON, .json = array, .text = arena_strdup(context->arena, text.data) };
    bytes_free(&text);
    return value;
}

#define LINK_NEEDS (NEED_NETDEV_ALL | NEED_NLDEV | NEED_GID_SUMMARY | NEED_PCI)

static const struct column columns[] = {
    { "device", .help = "RDMA device", .get = get_row_device },
    { "port", .help = "port number", .get = get_row_port },
    { "netdev", .help = "network interface", .flags = COLUMN_WHOLE, .get = get_name },
    { "role", .help = "how it stands to the port: port (its own), member (below a bond), upper (above it)",
      .get = get_role },
    { "kind", .help = "physical, vlan, bond, bridge, macvlan, ipoib, representor, …", .get = get_kind },
    { "lower", .help = "of a VLAN or macvlan: the netdev below", .rank = 5, .get = get_lower },
    { "vlan_id", "vlan", "VLAN id", .rank = 4, .get = get_vlan_id },
    { "state", .help = "operational state", .get = get_state },
    { "carrier", .help = "is there a signal", .flags = COLUMN_HIDDEN, .get = get_carrier },
    { "speed_mbps", "speed", "speed of the netdev", .rank = 3, .get = get_speed },
    { "duplex", .help = "full or half", .flags = COLUMN_HIDDEN, .get = get_duplex },
    { "mtu", .help = "MTU of the netdev in bytes", .rank = 2, .get = get_mtu },
    { "expected_mtu", .help = "RoCE MTU that this MTU allows, in bytes", .flags = COLUMN_HIDDEN,
      .get = get_expected_mtu },
    { "addresses", .help = "IP addresses (null: netlink did not answer)", .needs = NEED_ADDRESSES, .rank = 1,
      .get = get_addresses },
    { "gids", .help = "indexes of the port's GIDs that belong to it", .rank = 2, .needs = NEED_GIDS,
      .get = get_gids },
    { "ifindex", .help = "number of the interface", .flags = COLUMN_HIDDEN, .get = get_ifindex },
    { "mac", .help = "hardware address", .flags = COLUMN_HIDDEN, .get = get_mac },
    { "master", .help = "the bond or bridge above", .flags = COLUMN_HIDDEN, .get = get_master },
    { "bond_mode", .help = "of a bond: 802.3ad, active-backup, …", .flags = COLUMN_HIDDEN,
      .get = get_bond_mode },
    { "members", .help = "of a bond or bridge: the netdevs below", .flags = COLUMN_HIDDEN, .get = get_members },
    { "member_state", .help = "of a bond's member: active or backup", .flags = COLUMN_HIDDEN,
      .get = get_member_state },
    { "mii_status", .help = "of a bond's member: up, going down, down, going back", .flags = COLUMN_HIDDEN,
      .get = get_mii_status },
    { "lacp", .help = "of an 802.3ad bond's member: in use, or left out of the active aggregator",
      .flags = COLUMN_HIDDEN, .get = get_lacp },
    { "ipoib_mode", .help = "of an IPoIB interface: datagram or connected", .flags = COLUMN_HIDDEN,
      .get = get_ipoib_mode },
    { "ipoib_pkey", .help = "of an IPoIB interface: its partition key", .flags = COLUMN_HIDDEN,
      .get = get_ipoib_pkey },
    { "driver", .help = "kernel driver", .flags = COLUMN_HIDDEN, .get = get_driver },
    { "dev_port", .help = "number of the port on its PCI function, from 0", .flags = COLUMN_HIDDEN,
      .get = get_dev_port },
    { "dev_id", .help = "the older form of dev_port", .flags = COLUMN_HIDDEN, .get = get_dev_id },
    { "phys_port_name", .help = "switchdev's name for the port: p0, pf0vf1", .flags = COLUMN_HIDDEN,
      .get = get_phys_port_name },
    { "pci", .help = "PCI function below the port", .flags = COLUMN_HIDDEN, .get = get_pci },
    { "numa_node", "numa", "NUMA node", .flags = COLUMN_HIDDEN, .get = get_numa },
    { "physfn", .help = "of a virtual function: its physical function", .flags = COLUMN_HIDDEN,
      .get = get_physfn },
    { 0 },
};

struct link_rows {
    const struct host *host;
    struct link_row *items;
    size_t count, first; /* first row of the port at work */
};

static bool has_row(const struct link_rows *rows, const struct netdev *netdev)
{
    for (size_t i = rows->first; i < rows->count; i++)
        if (rows->items[i].netdev == netdev)
            return true;
    return false;
}

static void add_row(struct link_rows *rows, const struct port *port, const struct netdev *netdev,
                    const char *name, const char *role)
{
    const char *pci = port->device->pci;
    *ARENA_PUSH(rows->host->arena, rows->items, rows->count) = (struct link_row){
        { port }, netdev, name, role, pci ? host_find_pci(rows->host, pci) : NULL
    };
}

static bool stands_on(const struct netdev *upper, const struct netdev *netdev)
{
    return (upper->lower && strcmp(upper->lower, netdev->name) == 0) ||
           (netdev->master && strcmp(netdev->master, upper->name) == 0);
}

/* The netdevs above, each once, depth first. */
static void add_uppers(struct link_rows *rows, const struct port *port, const struct netdev *netdev, int depth)
{
    for (size_t i = 0; depth < MOST_DEPTH && i < rows->host->nnetdevs; i++) {
        const struct netdev *upper = &rows->host->netdevs[i];
        if (!stands_on(upper, netdev) || has_row(rows, upper))
            continue;
        add_row(rows, port, upper, upper->name, "upper");
        add_uppers(rows, port, upper, depth + 1);
    }
}

static void add_port(struct link_rows *rows, const struct port *port)
{
    rows->first = rows->count;
    const struct netdev *netdev = port->netdev ? host_find_netdev(rows->host, port->netdev) : NULL;
    add_row(rows, port, netdev, port->netdev, "port");
    if (!netdev)
        return;
    for (size_t i = 0; i < netdev->nmembers && netdev->kind == NETDEV_BOND; i++)
        add_row(rows, port, host_find_netdev(rows->host, netdev->members[i]), netdev->members[i], "member");
    add_uppers(rows, port, netdev, 0);
}

static int run(struct context *context)
{
    struct link_rows rows = { .host = context->host };
    size_t nports;
    const struct port_row *ports = port_rows(context->host, &context->selection, &nports);
    for (size_t i = 0; i < nports; i++)
        add_port(&rows, ports[i].port);
    context_list(context, rows.items, rows.count, sizeof(*rows.items), no_device_text(context->host));
    return STATUS_OK;
}

const struct command cmd_links = {
    .name = "links",
    .group = GROUP_SHOW,
    .operands_text = "[DEVICE[/PORT]|NETDEV]...",
    .operands = OPERANDS_DEVICES,
    .summary = "which netdev each port is, with the bonds, VLANs and addresses above it",
    .description = "The first line of a port is its own netdev (what ibdev2netdev shows); behind it come the "
                   "members of a bond, and all that stands\n"
                   "above: VLANs, macvlans, bonds. Each has the addresses that GIDs are made of, and the "
                   "indexes of those GIDs.",
    .examples = "roce links\tevery port\nroce links eth2\tthe port behind a netdev\nroce links -o "
                "device,port,netdev --no-header\tfor a script",
    .columns = columns,
    .plural = "links",
    .needs = LINK_NEEDS,
    .run = run,
};
