/* SPDX-License-Identifier: MIT */
/* Joins RDMA objects with the services and processes that hold them. */
#include "model/users.h"

static int compare_text(const char *a, const char *b)
{
    return a == b ? 0 : a && b ? strcmp(a, b) : (a != NULL) - (b != NULL);
}

static int compare_num(struct num32 a, struct num32 b)
{
    if (a.known != b.known)
        return a.known - b.known;
    return (a.value > b.value) - (a.value < b.value);
}

/* An object and, if it is the kernel's, the module that it was created for. */
struct holding {
    const struct resource *item;
    const char *module;
    bool claimed; /* it belongs to a service */
};

struct found {
    const struct host *host;
    struct user *users;
    size_t count;
    struct holding **held;          /* all of them by owner */
    struct holding **ids, **queues; /* the kernel's CM ids, and its queue pairs by device and number */
    size_t nheld, nids, nqueues;
};

/* Groups objects by owner and device, the kernel's first. */
static int compare_owner(const struct holding *a, const struct holding *b)
{
    int r = compare_num(a->item->pid, b->item->pid);
    if (r == 0 && !a->item->pid.known)
        r = compare_text(a->module, b->module);
    return r ? r : text_version_compare(a->item->device, b->item->device);
}

static int by_owner(const void *a, const void *b)
{
    const struct holding *x = *(struct holding *const *)a, *y = *(struct holding *const *)b;
    int r = compare_owner(x, y);
    if (r == 0)
        r = (int)x->item->type - (int)y->item->type;
    return r ? r : compare_num(x->item->id, y->item->id);
}

static int by_queue(const void *a, const void *b)
{
    const struct resource *x = (*(struct holding *const *)a)->item, *y = (*(struct holding *const *)b)->item;
    int r = text_version_compare(x->device, y->device);
    return r ? r : compare_num(x->lqpn, y->lqpn);
}

/* The kernel queue pair that a CM id connects; NULL if not known. */
static struct holding *queue_of(const struct found *found, const struct resource *id)
{
    struct holding wanted = { .item = id }, *key = &wanted, **queue = NULL;
    if (id->lqpn.known && found->nqueues)
        queue = bsearch(&key, found->queues, found->nqueues, sizeof(struct holding *), by_queue);
    return queue ? *queue : NULL;
}

/* Sorts them: there may be thousands of ids and queue pairs, too many to search linearly for each other. */
static void find_holdings(struct found *found)
{
    static const struct resources none;
    struct arena *arena = found->host->arena;
    const struct resources *resources = found->host->resources ? found->host->resources : &none;
    size_t most = resources->nitems + 1;
    struct holding *all = arena_alloc(arena, most, sizeof(*all));
    found->held = arena_alloc(arena, most, sizeof(struct holding *));
    found->ids = arena_alloc(arena, most, sizeof(struct holding *));
    found->queues = arena_alloc(arena, most, sizeof(struct holding *));
    for (size_t i = 0; i < resources->nitems; i++) {
        const struct resource *item = &resources->items[i];
        if (!item->pid.known && text_is(item->comm, "ib_core"))
            continue;
        all[i] = (struct holding){ .item = item, .module = item->comm };
        found->held[found->nheld++] = &all[i];
        if (item->type == RESOURCE_QP && !item->pid.known && item->lqpn.known)
            found->queues[found->nqueues++] = &all[i];
    }
    qsort(found->queues, found->nqueues, sizeof(struct holding *), by_queue);
    /* The kernel reports "rdma_cm" for queue pairs created by RDMA_CM: their actual owner is the CM id's. */
    for (size_t i = 0; i < found->nheld; i++) {
        const struct resource *id = found->held[i]->item;
        struct holding *queue = id->type == RESOURCE_CM_ID ? queue_of(found, id) : NULL;
        if (queue && text_is(queue->item->comm, "rdma_cm"))
            queue->module = id->comm;
    }
    qsort(found->held, found->nheld, sizeof(struct holding *), by_owner);
    for (size_t i = 0; i < found->nheld; i++)
        if (found->held[i]->item->type == RESOURCE_CM_ID && !found->held[i]->item->pid.known)
            found->ids[found->nids++] = found->held[i];
}

static void count_queue(struct arena *arena, struct user *user, const struct resource *item)
{
    for (size_t i = 0; i < user->nqueues; i++)
        if (compare_text(user->queues[i].kind, item->kind) == 0 &&
            compare_text(user->queues[i].state, item->state) == 0) {
            user->queues[i].count++;
            return;
        }
    *ARENA_PUSH(arena, user->queues, user->nqueues) = (struct queue_count){ item->kind, item->state, 1 };
}

/* "0.0.0.0:0" and ":::0" aren't peers: they belong to CM ids that are unbound, or listen. */
static bool is_peer(const char *address)
{
    return address && *address && !text_starts(address, "0.0.0.0:") && !text_starts(address, ":::") &&
           !text_starts(address, "[::]:");
}

static size_t host_length(const char *address)
{
    const char *colon = strrchr(address, ':');
    return colon ? (size_t)(colon - address) : strlen(address);
}

/* By address without port: all connections of a host count as one peer. */
static int compare_hosts(const void *a, const void *b)
{
    const char *x = *(const char *const *)a, *y = *(const char *const *)b;
    size_t m = host_length(x), n = host_length(y);
    int r = memcmp(x, y, m < n ? m : n);
    return r ? r : (m > n) - (m < n);
}

static void take_addresses(struct arena *arena, struct user *user)
{
    const char **peers = arena_alloc(arena, user->counts[RESOURCE_CM_ID].value + 1, sizeof(*peers)),
               *listener = NULL;
    size_t count = 0;
    if (!user->counts[RESOURCE_CM_ID].value) /* keep what the service itself reports */
        return;
    for (size_t i = 0; i < user->nitems; i++) {
        const struct resource *item = user->items[i];
        if (item->type != RESOURCE_CM_ID)
            continue;
        if (!is_peer(item->destination)) {
            listener = listener ? listener : item->source;
            continue;
        }
        if (!count)
            user->local = item->source;
        peers[count++] = item->destination;
    }
    user->peer = count ? peers[0] : NULL;
    if (listener)
        user->local = listener;
    qsort(peers, count, sizeof(*peers), compare_hosts);
    for (size_t i = 0; i < count; i++)
        user->npeers += i == 0 || compare_hosts(&peers[i], &peers[i - 1]) != 0;
}

/* Sums up what user->items hold. */
static void sum_up(const struct host *host, struct user *user)
{
    bool one_port = true;
    if (!user->nitems) /* all that is known is what the service reports */
        return;
    for (int type = 0; type < RESOURCE_TYPES; type++)
        user->counts[type].known = resources_listed(host->resources, user->device, (enum resource_type)type);
    for (size_t i = 0; i < user->nitems; i++) {
        const struct resource *item = user->items[i];
        user->counts[item->type].value++;
        if (item->type == RESOURCE_MR && item->length.known)
            user->registered += item->length.value;
        if (item->type == RESOURCE_QP)
            count_queue(host->arena, user, item);
        if (!item->port.known || !one_port)
            continue;
        one_port = !user->port.known || user->port.value == item->port.value;
        user->port = one_port ? num_wide(item->port) : (struct num){ 0 };
    }
    take_addresses(host->arena, user);
    const struct device *device = user->device ? host_find_device(host, user->device) : NULL;
    if (!user->port.known && one_port && device && device->nports == 1)
        user->port = num_of(device->ports[0].number);
}

static int compare_pid(const void *key, const void *element)
{
    uint64_t x = *(const uint64_t *)key, y = ((const struct process *)element)->pid;
    return (x > y) - (x < y);
}

static const struct process *find_process(const struct services *services, struct num pid)
{
    if (!services || !services->nprocesses || !pid.known)
        return NULL;
    return bsearch(&pid.value, services->processes, services->nprocesses, sizeof(*services->processes),
                   compare_pid);
}

static struct user *add_user(struct found *found)
{
    return ARENA_PUSH(found->host->arena, found->users, found->count);
}

static bool has_port(const char *with_port, struct num port)
{
    uint64_t value;
    const char *colon = with_port ? strrchr(with_port, ':') : NULL;
    return colon && text_to_u64(colon + 1, 10, &value) == 0 && num_is(port, value);
}

/* Is with_port "10.0.0.1:20049", "fd00::1:20049" or "[fd00::1]:20049" of this address and, if that is known,
 * this port? */
static bool is_at(const char *with_port, const char *address, struct num port)
{
    if (!with_port || !address)
        return false;
    size_t len = host_length(with_port), bracket = *with_port == '[' && len > 2;
    len -= 2 * bracket;
    return strlen(address) == len && strncmp(with_port + bracket, address, len) == 0 &&
           (!port.known || has_port(with_port, port));
}

/* Is this CM id one of the service's? A listener and the connections it has accepted are identified by the
 * local port, an interface by the local address, a connection by the peer. */
static bool is_of_service(const struct holding *held, const struct service *service)
{
    const struct resource *id = held->item;
    if (held->claimed || id->type != RESOURCE_CM_ID || id->pid.known ||
        !service_has_module(service->kind, held->module))
        return false;
    if (service->listens)
        return has_port(id->source, service->port);
    if (service->kind == SERVICE_LUSTRE) /* an interface, which listens and connects */
        return is_at(id->source, service->local, service->port);
    return is_at(id->destination, service->peer, service->port);
}

static void take(struct found *found, struct user *user, struct holding *held)
{
    held->claimed = true;
    *ARENA_PUSH(found->host->arena, user->items, user->nitems) = held->item;
}

static const char *with_port(struct arena *arena, const char *address, struct num port)
{
    if (!address || !port.known)
        return address;
    return arena_printf(arena, strchr(address, ':') ? "[%s]:%llu" : "%s:%llu", address,
                        (unsigned long long)port.value);
}

static struct user of_service(struct arena *arena, const struct service *service)
{
    return (struct user){ .kind = service_kind_name(service->kind),
                          .name = service->name,
                          .handle = service->handle,
                          .state = service->state,
                          .device = service->device,
                          .port = service->device_port,
                          .local = service->listens ? with_port(arena, service->local, service->port)
                                                    : service->local,
                          .peer = service->listens ? NULL : with_port(arena, service->peer, service->port),
                          .npeers = !service->listens && service->peer,
                          .service = service };
}

/* A service that has connections on several devices is a user of each. The ids it takes are removed, so that
 * the next service needn't search them. */
static void add_service(struct found *found, const struct service *service)
{
    struct user *user = NULL;
    size_t left = 0;
    for (size_t i = 0; i < found->nids; i++) {
        struct holding *id = found->ids[i];
        if (!is_of_service(id, service)) {
            found->ids[left++] = id;
            continue;
        }
        if (!user || strcmp(user->device, id->item->device) != 0) {
            user = add_user(found);
            *user = of_service(found->host->arena, service);
            user->device = id->item->device;
            user->local = user->peer = NULL;
            user->npeers = 0;
        }
        take(found, user, id);
        struct holding *queue = queue_of(found, id->item);
        if (queue && !queue->claimed)
            take(found, user, queue);
    }
    found->nids = left;
    if (!user)
        *add_user(found) = of_service(found->host->arena, service);
}

/* For services that connect without RDMA_CM: no CM id tells which queue pairs are theirs, but the service
 * itself reports its device. */
static bool names_device(const struct user *user)
{
    return user->service && user->service->device;
}

/* The number of users on the object's device through its module, and the last of them. */
static size_t users_of_module(struct found *found, const struct holding *held, struct user **last)
{
    size_t count = 0;
    for (size_t i = 0; i < found->count; i++) {
        struct user *user = &found->users[i];
        if (!user->service || (!user->nitems && !names_device(user)) ||
            !text_is(user->device, held->item->device) ||
            !service_has_module(user->service->kind, held->module))
            continue;
        *last = user;
        count++;
    }
    return count;
}

/* Adds what one owner holds and no service has claimed. Memory and completion queues don't say which connection
 * they serve, nor do queue pairs connected without RDMA_CM: they belong to the only service of their module on
 * the device, or, if there are several, to none. */
static void add_owner(struct found *found, struct holding **held, size_t count)
{
    const struct host *host = found->host;
    struct user *only = NULL, user = { .pid = num_wide(held[0]->item->pid), .device = held[0]->item->device };
    size_t others = held[0]->item->pid.known ? 0 : users_of_module(found, held[0], &only);
    for (size_t i = 0; i < count; i++) {
        enum resource_type type = held[i]->item->type;
        if (held[i]->claimed)
            continue;
        bool anybodys = type != RESOURCE_QP && type != RESOURCE_CM_ID;
        if (others == 1 && (anybodys || names_device(only)))
            take(found, only, held[i]);
        else if (!others || !anybodys)
            take(found, &user, held[i]);
    }
    if (!user.nitems)
        return;
    bool listens = false;
    for (size_t i = 0; i < user.nitems; i++)
        listens |= user.items[i]->type == RESOURCE_CM_ID && text_is(user.items[i]->state, "LISTEN");
    const struct process *process = find_process(host->system.services, user.pid);
    user.kind = user.pid.known ? "process"
                               : service_kind_name(service_kind_of_module(held[0]->module, listens));
    user.name = user.pid.known ? held[0]->item->comm : held[0]->module;
    user.software = user.pid.known ? program_software(user.name) : NULL;
    if (process)
        user.started_by = cgroup_words(host->arena, process->cgroup);
    *add_user(found) = user;
}

/* Does the address say nothing about where the service is? */
static bool is_any(const char *address)
{
    return !address || strcmp(address, "0.0.0.0") == 0 || strcmp(address, "::") == 0;
}

/* Finds the device of a user with no visible objects: a controller that is connecting, or, without permission
 * to see them, any service. */
static void place(const struct host *host, struct user *user)
{
    const struct service *service = user->service;
    const struct port *port = NULL;
    if (user->device) {
        user->device_by = user->nitems ? BY_OBJECTS : BY_SERVICE;
        return;
    }
    if (!service || service->reason)
        return;
    if (!is_any(service->local)) {
        port = egress_of_own(host, service->local);
        user->device_by = BY_ADDRESS;
    } else if (!service->listens) {
        port = egress_towards(host, service->peer);
        user->device_by = BY_ROUTE;
    }
    if (port) {
        user->device = port->device->name;
        user->port = num_of(port->number);
    } else {
        user->device_by = BY_NOTHING;
    }
}

/* The address by which peers know a netdev; NULL if it has none. */
static const char *own_address(struct arena *arena, const struct netdev *netdev)
{
    const struct address *address = netdev_main_address(netdev);
    uint8_t raw[16];
    if (!address)
        return NULL;
    gid_of_address(address->family, address->raw, raw);
    return gid_address_text(arena, raw);
}

/* Each IPoIB netdev is a service of its own, which only the netdev itself shows. */
static void add_ipoib(struct found *found)
{
    const struct host *host = found->host;
    for (size_t i = 0; host->system.services && i < host->nnetdevs; i++) {
        const struct netdev *netdev = &host->netdevs[i];
        if (netdev->kind != NETDEV_IPOIB)
            continue;
        const struct port *port = egress_of_ipoib(host, netdev);
        struct service *service = arena_alloc(host->arena, 1, sizeof(*service));
        *service = (struct service){ .kind = SERVICE_IPOIB,
                                     .name = netdev->name,
                                     .state = netdev->operstate,
                                     .note = netdev->ipoib_mode,
                                     .local = own_address(host->arena, netdev),
                                     .device = port ? port->device->name : NULL,
                                     .device_port = num_if(port, port ? port->number : 0) };
        add_service(found, service);
    }
}

struct user *users_find(const struct host *host, size_t *count)
{
    struct found found = { .host = host };
    const struct services *services = host->system.services;
    find_holdings(&found);
    for (size_t i = 0; i < (services ? services->count : 0); i++)
        add_service(&found, &services->items[i]);
    add_ipoib(&found);
    for (size_t i = 0, end; i < found.nheld; i = end) {
        for (end = i + 1; end < found.nheld && compare_owner(found.held[i], found.held[end]) == 0;)
            end++;
        add_owner(&found, found.held + i, end - i);
    }
    for (size_t i = 0; i < found.count; i++) {
        sum_up(host, &found.users[i]);
        place(host, &found.users[i]);
    }
    *count = found.count;
    return found.users;
}
