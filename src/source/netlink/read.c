/* SPDX-License-Identifier: MIT */
/* Asks rtnetlink about the host's netdevs, their addresses, and how packets leave the host. */
#include "source/netlink/read.h"
#include "source/netlink/ask.h"

/* -- netdevs, and their relations, which rtnetlink gives by index ------------------------------------------ */

/* What takes the frames of one that is wanted tells what its addresses are worth. */
static bool is_wanted(const struct reader *reader, const struct netdev *netdev)
{
    if (reader->needs & NEED_NETDEV_ALL || find_wanted(reader, netdev->name) ||
        (netdev->kind == NETDEV_MACVLAN && find_wanted(reader, netdev->lower)))
        return true;
    for (size_t i = 0; i < netdev->nmembers; i++)
        if (find_wanted(reader, netdev->members[i]))
            return true;
    return false;
}

static struct netdev *by_index(const struct host *host, struct num ifindex)
{
    return ifindex.known ? host_find_netdev_by_index(host, ifindex.value) : NULL;
}

/* Resolves a netdev's references to others from index to name. The members of a bond, team, bridge, VRF, … are
 * those that name it. A master of no kind has one netdev below it: hv_netvsc its VF. */
static void name_relations(struct reader *reader, struct netdev *netdev)
{
    struct netdev *master = by_index(reader->host, netdev->master_ifindex);
    struct netdev *lower = netdev->lower_netnsid.known ? NULL : by_index(reader->host, netdev->lower_ifindex);
    struct netdev *active = netdev->bond ? by_index(reader->host, netdev->bond->active_ifindex) : NULL;
    netdev->lower = lower ? lower->name : netdev->lower;
    netdev->master = master ? master->name : NULL;
    if (active)
        netdev->bond->active_member = active->name;
    if (master && master->kind_text)
        *ARENA_PUSH(reader->arena, master->members, master->nmembers) = netdev->name;
    else if (master && !master->lower_ifindex.known)
        master->lower = netdev->name;
}

static int take_links(struct reader *reader, struct span reply, void *data)
{
    (void)data;
    struct host *host = reader->host;
    struct answers answers = answers_of(&rtnl_links, reply.data, reply.len, reader->arena);
    ANSWERS_PUSH(&answers, &host->netdevs, &host->nnetdevs, NETDEVS_MOST);
    bool too_many = host->nnetdevs == NETDEVS_MOST && answers_next(&answers);
    size_t count = host->nnetdevs, kept = 0;
    host_order_netdevs(host);
    for (size_t i = 0; i < count; i++)
        name_relations(reader, &host->netdevs[i]);
    for (size_t i = 0; i < count; i++)
        if (is_wanted(reader, &host->netdevs[i]) &&
            (!kept || strcmp(host->netdevs[kept - 1].name, host->netdevs[i].name) != 0))
            host->netdevs[kept++] = host->netdevs[i];
    host->nnetdevs = kept;
    host_order_netdevs(host);
    return too_many ? -E2BIG : answers_result(&answers);
}

/* -- addresses, and how packets leave the host --------------------------------------------------------------
 */

static void read_addresses(struct reader *reader)
{
    struct host *host = reader->host;
    struct rtnl_addresses addresses = { 0 };
    int r = netlink_read(reader, ASK_ADDRESSES, NULL, NULL, &addresses);
    for (size_t i = 0; i < host->nnetdevs; i++)
        host->netdevs[i].addresses_known = r == 0 || r == -EBADMSG;
    for (size_t i = 0; i < addresses.count; i++) {
        struct netdev *netdev = host_find_netdev_by_index(host, addresses.items[i].ifindex.value);
        if (netdev)
            *ARENA_PUSH(reader->arena, netdev->addresses, netdev->naddresses) = addresses.items[i].address;
    }
}

static const char *name_of(const struct host *host, struct num ifindex)
{
    const struct netdev *netdev = by_index(host, ifindex);
    return netdev ? netdev->name : NULL;
}

static void read_routes(struct reader *reader)
{
    struct host *host = reader->host;
    host->routes_known = netlink_read(reader, ASK_ROUTES, NULL, NULL, host) == 0;
    host->rules_known = netlink_read(reader, ASK_RULES, NULL, NULL, host) == 0;
    for (size_t i = 0; i < host->nroutes; i++)
        host->routes[i].netdev = name_of(host, host->routes[i].ifindex);
}

static void read_neighbours(struct reader *reader)
{
    struct host *host = reader->host;
    netlink_read(reader, ASK_NEIGHBOURS, NULL, NULL, host);
    for (size_t i = 0; i < host->nneighbours; i++)
        host->neighbours[i].netdev = name_of(host, host->neighbours[i].ifindex);
}

void read_rtnl(struct reader *reader)
{
    if (netlink_read(reader, ASK_LINKS, NULL, take_links, NULL) == 0 && reader->needs & NEED_ADDRESSES)
        read_addresses(reader);
    if (reader->needs & NEED_ROUTES) {
        read_routes(reader);
        read_neighbours(reader);
    }
}

/* Does it name a peer, but nothing that identifies the device? */
static bool asks_for_route(const struct service *service)
{
    return service->peer && !service->device && !service->reason;
}

void read_routes_of_services(struct reader *reader)
{
    const struct services *services = reader->host->system.services;
    bool asked = reader->needs & NEED_ROUTES || !(reader->needs & NEED_ADDRESSES);
    for (size_t i = 0; i < services->count && !asked; i++) {
        asked = asks_for_route(&services->items[i]);
        if (asked)
            read_routes(reader);
    }
}

/* -- nldev ----------------------------------------------------------------------------------------------- */

static int take_devices(struct reader *reader, struct span reply, void *data)
{
    struct answers answers = answers_of(&nldev_devices, reply.data, reply.len, reader->arena);
    while (answers_next(&answers)) {
        const char *name = attr_text(answers_attr(&answers, RDMA_NLDEV_ATTR_DEV_NAME), reader->arena);
        struct device *device = host_find_device(data, name);
        if (device)
            answers_fill(&answers, device);
    }
    return answers_result(&answers);
}

int read_nldev_indexes(struct reader *reader)
{
    return netlink_take(reader, ASK_DEVICES, NULL, take_devices, reader->host);
}

static int take_ports(struct reader *reader, struct span reply, void *data)
{
    struct device *device = data;
    struct answers answers = answers_of(&nldev_ports, reply.data, reply.len, reader->arena);
    while (answers_next(&answers)) {
        uint64_t of = attr_value(answers_attr(&answers, RDMA_NLDEV_ATTR_DEV_INDEX), 4, UINT64_MAX);
        uint64_t number = attr_value(answers_attr(&answers, RDMA_NLDEV_ATTR_PORT_INDEX), 4, UINT64_MAX);
        struct port *port = number <= UINT32_MAX ? device_port(device, (uint32_t)number) : NULL;
        if (port && of == device->index.value)
            answers_fill(&answers, port);
    }
    return answers_result(&answers);
}

void read_nldev(struct reader *reader)
{
    struct host *host = reader->host;
    int r = read_nldev_indexes(reader);
    if (r < 0) {
        host->system.nldev_err = -r;
        netlink_problem(reader, r, ASK_DEVICES, NULL);
        return;
    }
    netlink_read(reader, ASK_SYSTEM, NULL, NULL, &host->system);
    for (size_t i = 0; i < host->ndevices; i++) {
        struct device *device = &host->devices[i];
        struct subject subject = { .name = device->name, .index = (uint32_t)device->index.value };
        if (device->index.known)
            netlink_read(reader, ASK_PORTS, &subject, take_ports, device);
    }
}

/* -- SMC, if its module is loaded: asking would load it -------------------------------------------------- */

void read_smc(struct reader *reader)
{
    struct services *services = reader->host->system.services;
    struct subject subject = { 0 };
    if (netlink_read(reader, ASK_SMC, NULL, NULL, &subject) < 0)
        return;
    struct smc *smc = arena_alloc(reader->arena, 1, sizeof(*smc));
    (void)netlink_read(reader, ASK_SMC_LINKS, &subject, NULL, smc);
    (void)netlink_read(reader, ASK_SMC_STATISTICS, &subject, NULL, smc);
    (void)netlink_read(reader, ASK_SMC_FALLBACKS, &subject, NULL, smc);
    smc->sockets_known = netlink_read(reader, ASK_SMC_SOCKETS, NULL, NULL, smc) == 0;
    smc_add_services(smc, reader->arena, services);
    services->smc = smc;
}

/* Asks for the firewall's rules where they can affect RDMA: soft-RoCE is UDP sent by the kernel, hardware
 * bypasses the firewall. */

static bool has_soft_roce(const struct host *host)
{
    for (size_t i = 0; i < host->ndevices; i++)
        if (host->devices[i].driver && strcmp(host->devices[i].driver, "rxe") == 0)
            return true;
    return false;
}

/* "filter\nnat\n" → "filter nat". */
static const char *legacy_tables(struct reader *reader, const char *file)
{
    const char *text = read_text(reader, "{filter|nat|mangle|raw|security}\n", "proc/net/%s", file);
    if (!text || !*text)
        return NULL;
    char *names = arena_strdup(reader->arena, text);
    for (char *at = names; (at = strchr(at, '\n'));)
        *at = ' ';
    return names;
}

void read_firewall(struct reader *reader)
{
    static const char *const requests[] = { "GETTABLE", "GETCHAIN", "GETRULE" };
    struct firewall *firewall = &reader->host->system.firewall;
    if (!has_soft_roce(reader->host))
        return;
    firewall->asked = true;
    for (unsigned i = 0; i < ARRAY_SIZE(requests) && !firewall->err; i++) {
        firewall->err = -netlink_take(reader, ASK_NFT_TABLES + i, NULL, NULL, firewall);
        firewall->missing = requests[i];
    }
    if (firewall->err == EPERM || firewall->err == EACCES)
        return; /* then these may not be seen either */
    firewall->legacy = legacy_tables(reader, "ip_tables_names");
    firewall->legacy6 = legacy_tables(reader, "ip6_tables_names");
}
