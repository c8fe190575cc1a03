/* SPDX-License-Identifier: MIT */
/* Asks rtnetlink about the host's netdevs, their addresses, and how packets leave the host. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "model/services.h"
#include "source/netlink/ask.h"
#include "source/netlink/parsers.h"
#include "source/netlink/read.h"

static int take_addresses(struct reader *reader, struct span reply, void *data)
{
    (void)data;
    struct host *host = reader->host;
    struct rtnl_address *addresses = NULL;
    size_t count = 0;
    int r = rtnl_parse_addresses(reply.data, reply.len, reader->arena, &addresses, &count);
    for (size_t i = 0; i < host->nnetdevs; i++)
        host->netdevs[i].addresses_known = true;
    for (size_t i = 0; i < count; i++) {
        struct netdev *netdev = host_find_netdev_by_index(host, addresses[i].ifindex.value);
        if (netdev)
            *ARENA_PUSH(reader->arena, netdev->addresses, netdev->naddresses) = addresses[i].address;
    }
    return r;
}

static const char *name_of(const struct host *host, struct num ifindex)
{
    const struct netdev *netdev = ifindex.known ? host_find_netdev_by_index(host, ifindex.value) : NULL;
    return netdev ? netdev->name : NULL;
}

static int take_routes(struct reader *reader, struct span reply, void *data)
{
    (void)data;
    struct host *host = reader->host;
    int r = rtnl_parse_routes(reply.data, reply.len, reader->arena, &host->routes, &host->nroutes);
    for (size_t i = 0; i < host->nroutes; i++)
        host->routes[i].netdev = name_of(host, host->routes[i].ifindex);
    host->routes_known = r == 0;
    return r;
}

static int take_neighbours(struct reader *reader, struct span reply, void *data)
{
    (void)data;
    struct host *host = reader->host;
    int r = rtnl_parse_neighbours(reply.data, reply.len, reader->arena, &host->neighbours, &host->nneighbours);
    for (size_t i = 0; i < host->nneighbours; i++)
        host->neighbours[i].netdev = name_of(host, host->neighbours[i].ifindex);
    return r;
}

static int take_rules(struct reader *reader, struct span reply, void *data)
{
    (void)data;
    struct host *host = reader->host;
    int r = rtnl_parse_rules(reply.data, reply.len, reader->arena, &host->rules, &host->nrules);
    host->rules_known = r == 0;
    return r;
}

static void read_routes(struct reader *reader)
{
    netlink_read(reader, ASK_ROUTES, NULL, take_routes, NULL);
    netlink_read(reader, ASK_RULES, NULL, take_rules, NULL);
}

void read_rtnl(struct reader *reader)
{
    if (read_links(reader) == 0 && reader->needs & NEED_ADDRESSES)
        netlink_read(reader, ASK_ADDRESSES, NULL, take_addresses, NULL);
    if (reader->needs & NEED_ROUTES) {
        read_routes(reader);
        netlink_read(reader, ASK_NEIGHBOURS, NULL, take_neighbours, NULL);
    }
}

/* Does it name a peer, and nothing that tells the device? */
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

/* Asks nldev and puts the answers into the host. */

static void merge_device(struct host *host, const struct nldev_device *from)
{
    struct device *device = host_find_device(host, from->name);
    if (!device)
        return;
    device->index = from->index;
    device->protocol = from->protocol;
    device->nldev_node_type = from->node_type;
    device->nldev_cap_flags = from->cap_flags;
    device->nldev_dim = from->dim;
    device->nldev_fw = from->fw_ver;
}

static int take_devices(struct reader *reader, struct span reply, void *data)
{
    (void)data;
    struct nldev_device *devices = NULL;
    size_t count = 0;
    int r = nldev_parse_devices(reply.data, reply.len, reader->arena, &devices, &count);
    for (size_t i = 0; i < count; i++)
        merge_device(reader->host, &devices[i]);
    return r;
}

int read_nldev_indexes(struct reader *reader)
{
    return netlink_take(reader, ASK_DEVICES, NULL, take_devices, NULL);
}

static int take_ports(struct reader *reader, struct span reply, void *data)
{
    struct device *device = data;
    struct nldev_port *ports = NULL;
    size_t count = 0;
    int r = nldev_parse_ports(reply.data, reply.len, reader->arena, &ports, &count);
    for (size_t i = 0; i < count; i++) {
        struct port *port = device_port(device, (uint32_t)ports[i].number.value);
        if (!port || ports[i].device_index.value != device->index.value)
            continue;
        port->nldev_answered = true;
        port->netdev_nldev = ports[i].netdev;
        port->netdev_nldev_index = ports[i].netdev_index;
    }
    return r;
}

static int take_system(struct reader *reader, struct span reply, void *data)
{
    (void)data;
    struct system *system = &reader->host->system;
    struct nldev_system found;
    int r = nldev_parse_system(reply.data, reply.len, &found);
    if (r < 0)
        return r;
    system->netns_mode = found.netns_mode;
    system->copy_on_fork = found.copy_on_fork;
    system->privileged_qkey = found.privileged_qkey;
    return 0;
}

static int take_chardev(struct reader *reader, struct span reply, void *data)
{
    struct device *device = data;
    struct nldev_chardev chardev;
    int r = nldev_parse_chardev(reply.data, reply.len, reader->arena, &chardev);
    if (r == 0)
        device->uverbs_driver_id = chardev.driver_id;
    return r;
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
    netlink_read(reader, ASK_SYSTEM, NULL, take_system, NULL);
    for (size_t i = 0; i < host->ndevices; i++) {
        struct device *device = &host->devices[i];
        struct subject subject = { .name = device->name, .index = (uint32_t)device->index.value };
        if (!device->index.known)
            continue;
        netlink_read(reader, ASK_PORTS, &subject, take_ports, device);
        /* Asking for a character device of a client that isn't there makes the kernel load its module, so
         * it's only asked for where sysfs shows the client. */
        if (reader->needs & NEED_NODES && device->uverbs.name)
            netlink_read(reader, ASK_UVERBS, &subject, take_chardev, device);
    }
}

/* Asks SMC where its module is loaded: asking would load it. */

static int take_links(struct reader *reader, struct span reply, void *smc)
{
    return smc_parse_links(reply.data, reply.len, reader->arena, smc);
}

static int take_smc_devices(struct reader *reader, struct span reply, void *smc)
{
    return smc_parse_devices(reply.data, reply.len, reader->arena, smc);
}

static int take_statistics(struct reader *reader, struct span reply, void *smc)
{
    (void)reader;
    return smc_parse_statistics(reply.data, reply.len, smc);
}

static int take_fallbacks(struct reader *reader, struct span reply, void *smc)
{
    return smc_parse_fallbacks(reply.data, reply.len, reader->arena, smc);
}

static int take_sockets(struct reader *reader, struct span reply, void *smc)
{
    return smc_parse_sockets(reply.data, reply.len, reader->arena, smc);
}

void read_smc(struct reader *reader)
{
    static const struct {
        enum question_id id;
        netlink_taker *take;
    } questions[] = {
        { ASK_SMC_LINKS, take_links },
        { ASK_SMC_DEVICES, take_smc_devices },
        { ASK_SMC_STATISTICS, take_statistics },
        { ASK_SMC_FALLBACKS, take_fallbacks },
    };
    struct services *services = reader->host->system.services;
    struct subject subject = { 0 };
    if (netlink_family(reader, ASK_SMC, &subject.family) < 0)
        return;
    struct smc *smc = arena_alloc(reader->arena, 1, sizeof(*smc));
    for (size_t i = 0; i < ARRAY_SIZE(questions); i++)
        (void)netlink_read(reader, questions[i].id, &subject, questions[i].take, smc);
    smc->sockets_known = netlink_read(reader, ASK_SMC_SOCKETS, NULL, take_sockets, smc) == 0;
    smc_add_services(smc, reader->arena, services);
    services->smc = smc;
}

/* Asks for the firewall's rules where they can concern RDMA: soft-RoCE is UDP of the kernel, hardware passes
 * the firewall by. */

static bool has_soft_roce(const struct host *host)
{
    for (size_t i = 0; i < host->ndevices; i++)
        if (host->devices[i].driver && strcmp(host->devices[i].driver, "rxe") == 0)
            return true;
    return false;
}

static int take_firewall(struct reader *reader, struct span reply, void *firewall)
{
    return nft_parse(reply.data, reply.len, reader->arena, firewall);
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
        firewall->err = -netlink_take(reader, ASK_NFT_TABLES + i, NULL, take_firewall, firewall);
        firewall->missing = requests[i];
    }
    if (firewall->err == EPERM || firewall->err == EACCES)
        return; /* whoever may not see the one may not see the other */
    firewall->legacy = legacy_tables(reader, "ip_tables_names");
    firewall->legacy6 = legacy_tables(reader, "ip6_tables_names");
}
