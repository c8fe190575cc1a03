/* SPDX-License-Identifier: MIT */
/* Joins RDMA objects with the services and processes that hold them. */
#include "model/users.h"

#include "model/egress.h"

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

/* An object and, of the kernel's, the module that it is there for. */
struct holding {
    const struct resource *item;
    const char *module;
    bool claimed; /* a service has it */
};

/* Objects of one owner on one device stand together; the kernel's first. */
static int compare_owner(const struct holding *a, const struct holding *b)
{
    int r = compare_num(a->item->pid, b->item->pid);
    if (r == 0 && !a->item->pid.known)
        r = compare_text(a->module, b->module);
    return r ? r : text_version_compare(a->item->device, b->item->device);
}

static int compare_holdings(const void *a, const void *b)
{
    const struct holding *x = a, *y = b;
    int r = compare_owner(x, y);
    if (r == 0)
        r = (int)x->item->type - (int)y->item->type;
    return r ? r : compare_num(x->item->id, y->item->id);
}

static int compare_queue(const void *a, const void *b)
{
    const struct resource *x = *(const struct resource *const *)a, *y = *(const struct resource *const *)b;
    int r = compare_text(x->device, y->device);
    return r ? r : compare_num(x->lqpn, y->lqpn);
}

/* The CM ids that have a queue pair, by it. */
static const struct resource **connections(const struct host *host, const struct resources *resources,
                                           size_t *count)
{
    const struct resource **ids = NULL;
    *count = 0;
    for (size_t i = 0; i < resources->nitems; i++)
        if (resources->items[i].type == RESOURCE_CM_ID && resources->items[i].lqpn.known)
            *ARENA_PUSH(host->arena, ids, *count) = &resources->items[i];
    if (ids)
        qsort(ids, *count, sizeof(*ids), compare_queue);
    return ids;
}

static struct holding *holdings(const struct host *host, size_t *count)
{
    static const struct resources none;
    const struct resources *resources = host->resources ? host->resources : &none;
    struct holding *held = arena_alloc(host->arena, resources->nitems + 1, sizeof(*held));
    size_t nids;
    const struct resource **ids = connections(host, resources, &nids);
    *count = 0;
    for (size_t i = 0; i < resources->nitems; i++) {
        const struct resource *item = &resources->items[i];
        if (!item->pid.known && text_is(item->comm, "ib_core"))
            continue;
        /* The kernel says "rdma_cm" of the queue pairs that RDMA_CM made: who wanted them is the CM id's owner.
         */
        const struct resource **id = NULL;
        if (ids && item->type == RESOURCE_QP && !item->pid.known && text_is(item->comm, "rdma_cm"))
            id = bsearch(&item, ids, nids, sizeof(*ids), compare_queue);
        held[(*count)++] = (struct holding){ .item = item, .module = id ? (*id)->comm : item->comm };
    }
    qsort(held, *count, sizeof(*held), compare_holdings);
    return held;
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

/* "0.0.0.0:0" and ":::0" are nobody: of a CM id that isn't bound, or listens. */
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

/* By the address without its port: connections of one host are one peer. */
static int compare_hosts(const void *a, const void *b)
{
    const char *x = *(const char *const *)a, *y = *(const char *const *)b;
    size_t m = host_length(x), n = host_length(y);
    int r = memcmp(x, y, m < n ? m : n);
    return r ? r : (m > n) - (m < n);
}

static void take_addresses(struct arena *arena, struct user *user)
{
    const char **peers = arena_alloc(arena, user->counts[RESOURCE_CM_ID] + 1, sizeof(*peers)), *listener = NULL;
    size_t count = 0;
    if (!user->counts[RESOURCE_CM_ID]) /* what the service itself says stays */
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
    if (!user->nitems) /* nothing but what the service says */
        return;
    for (size_t i = 0; i < user->nitems; i++) {
        const struct resource *item = user->items[i];
        user->counts[item->type]++;
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

struct found {
    const struct host *host;
    struct user *users;
    size_t count;
    struct holding **ids, **queues; /* the kernel's CM ids by device, its queue pairs by device and number */
    size_t nids, nqueues;
};

static int compare_ids(const void *a, const void *b)
{
    const struct holding *x = *(struct holding *const *)a, *y = *(struct holding *const *)b;
    int r = text_version_compare(x->item->device, y->item->device);
    return r ? r : compare_num(x->item->id, y->item->id);
}

static int compare_numbers(const void *a, const void *b)
{
    const struct holding *x = *(struct holding *const *)a, *y = *(struct holding *const *)b;
    int r = text_version_compare(x->item->device, y->item->device);
    return r ? r : compare_num(x->item->lqpn, y->item->lqpn);
}

static int compare_wanted(const void *key, const void *element)
{
    const struct resource *x = *(const struct resource *const *)key,
                          *y = (*(struct holding *const *)element)->item;
    int r = text_version_compare(x->device, y->device);
    return r ? r : compare_num(x->lqpn, y->lqpn);
}

/* Thousands of each must not be looked through for each other. */
static void index_kernels(struct found *found, struct holding *held, size_t count)
{
    struct arena *arena = found->host->arena;
    found->ids = arena_alloc(arena, count + 1, sizeof(*found->ids));
    found->queues = arena_alloc(arena, count + 1, sizeof(*found->queues));
    for (size_t i = 0; i < count; i++) {
        if (held[i].item->pid.known)
            continue;
        if (held[i].item->type == RESOURCE_CM_ID)
            found->ids[found->nids++] = &held[i];
        else if (held[i].item->type == RESOURCE_QP && held[i].item->lqpn.known)
            found->queues[found->nqueues++] = &held[i];
    }
    qsort(found->ids, found->nids, sizeof(struct holding *), compare_ids);
    qsort(found->queues, found->nqueues, sizeof(struct holding *), compare_numbers);
}

static struct user *add_user(struct found *found)
{
    return ARENA_PUSH(found->host->arena, found->users, found->count);
}

/* Is with_port "10.0.0.1:20049", "fd00::1:20049" or "[fd00::1]:20049" of this address and, if that is known,
 * this port? */
static bool is_at(const char *with_port, const char *address, struct num port)
{
    uint64_t value;
    if (!with_port || !address)
        return false;
    size_t len = host_length(with_port);
    bool brackets = *with_port == '[' && len > 2;
    const char *host = with_port + brackets;
    return strlen(address) == len - 2 * (size_t)brackets &&
           strncmp(host, address, len - 2 * (size_t)brackets) == 0 &&
           (!port.known || (with_port[len] == ':' && text_to_u64(with_port + len + 1, 10, &value) == 0 &&
                            value == port.value));
}

static bool has_port(const char *with_port, struct num port)
{
    uint64_t value;
    const char *colon = with_port ? strrchr(with_port, ':') : NULL;
    return colon && port.known && text_to_u64(colon + 1, 10, &value) == 0 && value == port.value;
}

/* Is this CM id one of the service's? Of a listener and what it has accepted the own port tells, of an
 * interface the own address, of a connection the peer. */
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

/* A CM id of the service's, and the queue pair that it connects. */
static void gather(struct found *found, struct user *user, struct holding *id)
{
    const struct resource key = { .device = id->item->device, .lqpn = id->item->lqpn }, *wanted = &key;
    take(found, user, id);
    if (!key.lqpn.known || !found->nqueues)
        return;
    struct holding **queue = bsearch(&wanted, found->queues, found->nqueues, sizeof(struct holding *),
                                     compare_wanted);
    if (queue && !(*queue)->claimed)
        take(found, user, *queue);
}

/* A service that has connections on several devices is a user of each. What it takes the next one needn't
 * look through. */
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
        gather(found, user, id);
    }
    found->nids = left;
    if (!user)
        *add_user(found) = of_service(found->host->arena, service);
}

/* The run of holdings that have the owner of the first. */
static size_t owner_run(const struct holding *held, size_t count)
{
    size_t run = 1;
    while (run < count && compare_owner(&held[0], &held[run]) == 0)
        run++;
    return run;
}

/* Services that connect without RDMA_CM: no CM id tells which queue pairs are whose, but the service says
 * itself which device it is on. */
static bool names_device(const struct user *user)
{
    return user->service && user->service->device;
}

/* The users that are on a device through a module: how many, and the last of them. */
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

/* What no service has claimed. Memory and completion queues don't say which connection they serve, nor do the
 * queue pairs of what connects without RDMA_CM: they are those of the only service of their module on the
 * device; where there are several, nobody's. */
static void add_owner(struct found *found, struct holding *held, size_t count)
{
    const struct host *host = found->host;
    struct user *only = NULL, user = { .pid = num_wide(held[0].item->pid), .device = held[0].item->device };
    size_t others = held[0].item->pid.known ? 0 : users_of_module(found, &held[0], &only);
    for (size_t i = 0; i < count; i++) {
        enum resource_type type = held[i].item->type;
        if (held[i].claimed)
            continue;
        bool anybodys = type != RESOURCE_QP && type != RESOURCE_CM_ID;
        if (others == 1 && (anybodys || names_device(only)))
            take(found, only, &held[i]);
        else if (!others || !anybodys)
            take(found, &user, &held[i]);
    }
    if (!user.nitems)
        return;
    bool listens = false;
    for (size_t i = 0; i < user.nitems; i++)
        listens |= user.items[i]->type == RESOURCE_CM_ID && text_is(user.items[i]->state, "LISTEN");
    const struct process *process = find_process(host->system.services, user.pid);
    user.kind = user.pid.known ? "process" : service_kind_name(service_kind_of_module(held[0].module, listens));
    user.name = user.pid.known ? held[0].item->comm : held[0].module;
    if (process)
        user.started_by = cgroup_words(host->arena, process->cgroup);
    *add_user(found) = user;
}

/* An address of which the service says nothing, as there are many. */
static bool is_any(const char *address)
{
    return !address || strcmp(address, "0.0.0.0") == 0 || strcmp(address, "::") == 0;
}

/* The device of what holds nothing that could be seen: a controller that is connecting, or all to who may not
 * look. */
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

/* What its peers know a netdev by; NULL: it has no address. */
static const char *own_address(struct arena *arena, const struct netdev *netdev)
{
    const struct address *address = netdev_main_address(netdev);
    uint8_t raw[16];
    char text[GID_ADDRESS_SIZE];
    if (!address)
        return NULL;
    gid_of_address(address->family, address->raw, raw);
    gid_address(raw, text);
    return arena_strdup(arena, text);
}

/* Each IPoIB netdev is a service of its own: the netdev says so, nothing else does. */
static void add_ipoib(struct found *found)
{
    const struct host *host = found->host;
    for (size_t i = 0; host->system.services && i < host->nnetdevs; i++) {
        const struct netdev *netdev = &host->netdevs[i];
        if (netdev->kind != NETDEV_IPOIB)
            continue;
        const struct port *port = egress_of_ipoib(host, netdev);
        struct service *service = arena_alloc(host->arena, 1, sizeof(*service));
        service->kind = SERVICE_IPOIB;
        service->name = netdev->name;
        service->state = netdev->operstate;
        service->note = netdev->ipoib_mode;
        service->local = own_address(host->arena, netdev);
        service->device = port ? port->device->name : NULL;
        service->device_port = port ? num_of(port->number) : (struct num){ 0 };
        add_service(found, service);
    }
}

struct user *users_find(const struct host *host, size_t *count)
{
    struct found found = { .host = host };
    const struct services *services = host->system.services;
    size_t nheld = 0;
    struct holding *held = holdings(host, &nheld);
    index_kernels(&found, held, nheld);
    for (size_t i = 0; i < (services ? services->count : 0); i++)
        add_service(&found, &services->items[i]);
    add_ipoib(&found);
    for (size_t i = 0, run; i < nheld; i += run) {
        run = owner_run(held + i, nheld - i);
        add_owner(&found, held + i, run);
    }
    for (size_t i = 0; i < found.count; i++) {
        sum_up(host, &found.users[i]);
        place(host, &found.users[i]);
    }
    *count = found.count;
    return found.users;
}
