/* SPDX-License-Identifier: MIT */
/* Who uses a port. */
#include <netinet/in.h>

#include "check/judge.h"
#include "check/use.h"
#include "model/facts.h"

/* -- a name in a variable -------------------------------------------------------------------------------- */

/* "mlx5_0", "mlx5_0:1" for port 1; for UCX also "mlx5_0:1" alone. */
static bool word_names(const char *word, size_t len, const struct port *port)
{
    const char *name = port->device->name;
    size_t of_name = strlen(name);
    char number[16];
    if (len < of_name || strncmp(word, name, of_name) != 0)
        return false;
    if (len == of_name)
        return true;
    snprintf(number, sizeof(number), ":%" PRIu32, port->number);
    size_t more = strlen(number), rest = len - of_name;
    /* NCCL accepts a third field, the rail's plane */
    return rest >= more && strncmp(word + of_name, number, more) == 0 &&
           (rest == more || word[of_name + more] == ':');
}

/* "^" excludes, "=" is NCCL's "exactly". */
static bool value_names(const char *value, const struct port *port)
{
    if (!value || *value == '^')
        return false;
    const char *list = value + (*value == '='), *word;
    for (size_t len; (word = text_next_item(&list, ',', &len));)
        if (word_names(word, len, port))
            return true;
    return false;
}

/* The variable, from the environment or a library's file, that names the port; NULL if none. */
static const char *variable_naming(const struct system *system, const struct port *port)
{
    for (size_t i = 0; i < system->nenvironment; i++)
        if (value_names(system->environment[i].value, port))
            return system->environment[i].name;
    for (size_t i = 0; i < system->nsettings; i++)
        if (!system->settings[i].conditional && !system_variable(system, system->settings[i].name) &&
            value_names(system->settings[i].value, port))
            return system->settings[i].name;
    return NULL;
}

bool port_is_named(const struct host *host, const struct port *port)
{
    return variable_naming(&host->system, port) || expectation_names(host->expectation, port);
}

/* -- an address -------------------------------------------------------------------------------------------- */

static bool is_usable(const struct address *address)
{
    enum { LOOPBACK_NET = 127 };
    if (address->family == AF_INET)
        return address->raw[0] != LOOPBACK_NET;
    return address->family == AF_INET6 && !gid_is_link_local(address->raw);
}

static const char *address_of(const struct netdev *netdev, struct arena *arena)
{
    for (size_t i = 0; i < netdev->naddresses; i++)
        if (is_usable(&netdev->addresses[i]))
            return arena_printf(arena, "%s has %s", netdev->name, arena_address(arena, &netdev->addresses[i]));
    return NULL;
}

/* On any kind of netdev, even a bridge: ib_core makes a GID from each (is_eth_port_of_netdev_filter() in
 * core/roce_gid_mgmt.c, which calls netdev_has_upper_dev_all_rcu()). */
static const char *address_above(const struct host *host, const struct port *port, struct arena *arena)
{
    const struct netdev *own = port_netdev(host, port);
    for (size_t i = 0; own && i < host->nnetdevs; i++) {
        const struct netdev *netdev = &host->netdevs[i];
        const char *text = netdev_is_above(host, netdev, own) ? address_of(netdev, arena) : NULL;
        if (text)
            return text;
    }
    return NULL;
}

static bool has_gid_elsewhere(const struct host *host, const struct port *port)
{
    for (size_t i = 0; i < port->ngids; i++)
        if (port->gids[i].netdev && !gid_netdev(host, &port->gids[i]))
            return true;
    return false;
}

/* What could not be read of its GIDs; of a tree that may lack anything, what is there has to do. */
static const struct unread *unread_gids(const struct host *host, const struct port *port, const char *part)
{
    char path[PATH_MAX];
    snprintf(path, sizeof(path), "sys/class/infiniband/%s/ports/%" PRIu32 "/%s", port->device->name,
             port->number, part);
    return host->nunread && !host->partial ? host_unread(host, path) : NULL;
}

static const char *gid_here(const struct host *host, const struct port *port, struct arena *arena)
{
    bool looked = (host->needs & NEED_NETDEV_ALL) && host_knows_netdevs(host);
    /* an iWARP GID is its MAC; a GID whose netdev is unknown may be elsewhere */
    if (port->transport == TRANSPORT_IWARP || unread_gids(host, port, "gid_attrs/ndevs"))
        return NULL;
    for (size_t i = 0; i < port->ngids; i++) {
        const struct gid *gid = &port->gids[i];
        if (!gid_is_routable(gid->raw) || (looked && gid->netdev && !gid_netdev(host, gid)))
            continue;
        return arena_printf(arena, "GID %" PRIu32 " is %s", gid->index, gid_address_text(arena, gid->raw));
    }
    return NULL;
}

/* -- who holds its resources ---------------------------------------------------------------------------- */

/* The kernel's own management queue pairs are on every port; contexts are ignored, because libraries open every
 * device to look at it. */
bool resource_is_use(const struct resource *item)
{
    if (item->type == RESOURCE_QP)
        return !text_is(item->kind, "GSI") && !text_is(item->kind, "SMI") && !text_is(item->comm, "ib_core");
    /* one that listens on any address is on every device, used or not */
    return item->type == RESOURCE_CM_ID && text_is(item->state, "LISTEN") && item->source &&
           !text_starts(item->source, "0.0.0.0") && !text_starts(item->source, "[::]") &&
           !text_starts(item->source, ":::");
}

bool resource_is_on(const struct resource *item, const struct port *port)
{
    return text_is(item->device, port->device->name) &&
           (item->port.known ? item->port.value == port->number : port->device->nports == 1);
}

static const char *user_of(const struct host *host, const struct port *port, struct arena *arena)
{
    const struct resources *resources = host->resources;
    for (size_t i = 0; resources && i < resources->nitems; i++) {
        const struct resource *item = &resources->items[i];
        if (resource_is_on(item, port) && resource_is_use(item))
            return arena_printf(arena, "a %s of %s", item->type == RESOURCE_QP ? "queue pair" : "listener",
                                item->comm ? item->comm : "a process");
    }
    return NULL;
}

static const char *service_of(const struct host *host, const struct port *port, struct arena *arena)
{
    const struct services *services = host->system.services;
    for (size_t i = 0; services && i < services->count; i++) {
        const struct service *service = &services->items[i];
        bool here = text_is(service->device, port->device->name) &&
                    (service->device_port.known ? service->device_port.value == port->number
                                                : port->device->nports == 1);
        if (here)
            return arena_printf(arena, "%s%s%s", service_kind_name(service->kind), service->handle ? " " : "",
                                service->handle ? service->handle : "");
    }
    return NULL;
}

/* Fails closed: missing information must not make a port unused. */
static const char *cannot_tell(const struct host *host, const struct port *port, struct arena *arena)
{
    const struct unread *unread = host_unread(host, "probe/environment");

    const struct netdev *netdev = port_netdev(host, port);
    bool summary = (host->needs & NEED_GID_SUMMARY) && !(host->needs & NEED_GIDS);
    bool tables = summary || port->ngids || port->gid_table_len.known;
    bool addresses = netdev && netdev->addresses_known;
    if (port->transport == TRANSPORT_UNKNOWN || !port->state.known || (!tables && !addresses))
        return "it is unknown who uses it";
    static const char *const elsewhere[] = { "netlink/rtnl-addresses", "netlink/rtnl-links",
                                             "probe/container" };
    for (size_t i = 0; i < ARRAY_SIZE(elsewhere) && !unread && !host->partial; i++)
        unread = host_unread(host, elsewhere[i]);
    unread = unread ? unread : unread_gids(host, port, "gids");
    unread = unread ? unread : unread_gids(host, port, "gid_attrs/ndevs");
    return unread
               ? arena_printf(arena, "it is unknown who uses it: %s can't be read", unread_path(arena, unread))
               : NULL;
}

/* -- together ------------------------------------------------------------------------------------------- */

/* The link state decides if there is no address to go by. */
static bool goes_by_link(const struct port *port)
{
    return port->transport != TRANSPORT_ROCE && port->transport != TRANSPORT_IWARP &&
           port->transport != TRANSPORT_UNKNOWN;
}

/* A new virtual function has GUID 0 (github.com/openshift/sriov-network-operator/pull/243) and its card's
 * physical link: until it is given to somebody, no subnet manager brings it up. */
static bool lacks_guid(const struct port *port)
{
    return port->device->node_guid.known && !port->device->node_guid.value && !port_is_active(port);
}

static bool link_is_up(const struct port *port)
{
    return !lacks_guid(port) &&
           (port_is_active(port) || num_is(port->state, PORT_STATE_INIT) ||
            num_is(port->state, PORT_STATE_ARMED) || num_is(port->phys_state, PHYS_STATE_LINK_UP));
}

/* A sub-function's PCI function is its parent's. */
static uint64_t virtual_functions(const struct host *host, const struct port *port)
{
    const struct pci *pci = device_function(host, port->device);
    return pci && text_is(port->device->parent_bus, "pci") && pci->sriov_vfs.known ? pci->sriov_vfs.value : 0;
}

static const char *unused_text(const struct host *host, const struct port *port, struct arena *arena)
{
    uint64_t functions = virtual_functions(host, port);
    const char *text = arena_printf(arena, "no address%s%s",
                                    resources_listed_anywhere(host, RESOURCE_QP) ? ", no queue pair" : "",
                                    host->system.environment_known ? ", no variable names it" : "");
    if (goes_by_link(port))
        text = arena_printf(arena, "no %s%s", lacks_guid(port) ? "GUID" : "link",
                            resources_listed_anywhere(host, RESOURCE_QP) ? ", no queue pair" : "");
    return functions ? arena_printf(arena, "%s; it has %" PRIu64 " virtual function%s", text, functions,
                                    functions == 1 ? "" : "s")
                     : text;
}

struct port_use port_use(const struct host *host, const struct port *port, struct arena *arena)
{
    const char *variable = variable_naming(&host->system, port);
    const char *reason = variable ? arena_printf(arena, "%s names it", variable) : NULL;
    if (!reason)
        reason = address_above(host, port, arena);
    if (!reason)
        reason = gid_here(host, port, arena);
    if (!reason && goes_by_link(port) && link_is_up(port))
        reason = "its link is up";
    if (!reason)
        reason = user_of(host, port, arena);
    if (!reason)
        reason = service_of(host, port, arena);
    const char *unsure = reason ? NULL : cannot_tell(host, port, arena);
    bool looked = (host->needs & NEED_NETDEV_ALL) && host_knows_netdevs(host);
    bool elsewhere = looked && ((port->netdev && !port_netdev(host, port)) || has_gid_elsewhere(host, port));
    /* a host's facts also cover what its containers have */
    if (!reason && !unsure && !elsewhere && expectation_names(host->expectation, port))
        reason = "the expectation names it";
    if (reason || unsure)
        return (struct port_use){ USE_HERE, reason ? reason : unsure, !reason };
    if (elsewhere)
        return (struct port_use){ USE_ELSEWHERE, "its netdev is in another network namespace", false };
    return (struct port_use){ USE_NONE, unused_text(host, port, arena), false };
}

bool host_uses_rdma_here(const struct host *host, struct arena *arena)
{
    for (const struct port *port = NULL; (port = host_next_port(host, port));) {
        struct port_use use = port_use(host, port, arena);
        if (use.use == USE_HERE && !use.unsure)
            return true;
    }
    return false;
}

/* k3s, RKE2 and MicroK8s have kubelet in a process of their own. */
static bool is_node_of_kubernetes(const struct system *system)
{
    for (size_t i = 0; i < system->ndaemons; i++) {
        const char *unit = system->daemons[i].unit;
        if (text_starts(unit, "kubelet") || text_starts(unit, "k3s") || text_starts(unit, "rke2") ||
            text_starts(unit, "snap.microk8s"))
            return true;
    }
    return false;
}

/* A node of Kubernetes or a hypervisor has its devices for its pods and guests: they take virtual functions, or
 * the netdevs of ports, into their namespaces, or macvlans above them. In a container, what others have isn't
 * its own use. */
bool host_serves_others(const struct host *host, struct arena *arena)
{
    if (!system_has_first_netns(&host->system))
        return false;
    if (is_node_of_kubernetes(&host->system))
        return true;
    for (const struct port *port = NULL; (port = host_next_port(host, port));)
        if (virtual_functions(host, port) || port_use(host, port, arena).use == USE_ELSEWHERE)
            return true;
    return false;
}

bool host_uses_rdma(const struct host *host, struct arena *arena)
{
    return host_uses_rdma_here(host, arena) || host_serves_others(host, arena);
}

bool port_is_judged(const struct host *host, const struct port *port, struct arena *arena)
{
    return port_use(host, port, arena).use == USE_HERE ||
           (!host_uses_rdma(host, arena) && device_is_given(host, port->device));
}

static int by_port(const void *a, const void *b)
{
    const struct port *x = ((const struct idle *)a)->port, *y = ((const struct idle *)b)->port;
    return (x > y) - (x < y);
}

void order_idle(struct idle *idle, size_t count)
{
    if (count)
        qsort(idle, count, sizeof(*idle), by_port);
}

const char *why_idle(const struct subject *subject, const struct port *port)
{
    const struct idle wanted = { .port = port }, *found = NULL;
    if (subject->nidle)
        found = bsearch(&wanted, subject->idle, subject->nidle, sizeof(*found), by_port);
    return found ? found->unsure : NULL;
}

bool port_is_idle(const struct subject *subject, const struct port *port)
{
    const char *why = why_idle(subject, port);
    return why && !*why;
}
