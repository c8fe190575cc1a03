/* SPDX-License-Identifier: MIT */
/* A host: looks things up in it, and combines what several sources reported. */
#include "model/host.h"

#include "base/hash.h"

struct host *host_new(void)
{
    struct host *host = mem_alloc(1, sizeof(*host));
    host->arena = arena_new();
    host->seed = hash_seed();
    return host;
}

void host_free(struct host *host)
{
    if (!host)
        return;
    bytes_free(&host->history);
    arena_free(host->arena);
    free(host);
}

/* A problem, in a tree ordered by a seeded hash of its subject: a stranger's recording may have as many as
 * files, and can't unbalance it. Of several with the same subject, the first added is found first. */
struct noted {
    uint64_t hash;
    const char *what;
    int err;
    struct noted *sides[2];
};

/* The place of the problem, or where to insert it. err 0: any. */
static struct noted **place_of(struct noted **at, uint64_t hash, const char *what, int err)
{
    while (*at && !((*at)->hash == hash && (!err || (*at)->err == err) && strcmp((*at)->what, what) == 0))
        at = &(*at)->sides[hash > (*at)->hash];
    return at;
}

#define FORMAT_WHAT(what, format)                        \
    do {                                                 \
        va_list args;                                    \
        va_start(args, format);                          \
        vsnprintf((what), sizeof(what), (format), args); \
        va_end(args);                                    \
    } while (0)

void host_problem(struct host *host, int err, const char *note, const char *format, ...)
{
    char what[512];
    FORMAT_WHAT(what, format);
    uint64_t hash = seeded_hash(host->seed, what, strlen(what));
    struct noted **place = place_of(&host->noted, hash, what, err);
    if (*place)
        return;
    const char *copy = arena_strdup(host->arena, what);
    *ARENA_PUSH(host->arena, host->problems,
                host->nproblems) = (struct problem){ copy, err, arena_strdup(host->arena, note) };
    *place = arena_alloc(host->arena, 1, sizeof(**place));
    **place = (struct noted){ .hash = hash, .what = copy, .err = err };
}

int host_problem_of(const struct host *host, const char *format, ...)
{
    char what[512];
    FORMAT_WHAT(what, format);
    struct noted *root = host->noted;
    const struct noted *noted = *place_of(&root, seeded_hash(host->seed, what, strlen(what)), what, 0);
    return noted ? noted->err : 0;
}

void host_unread_add(struct host *host, const char *path, int err)
{
    if (host->nunread < HOST_UNREAD_MOST)
        *ARENA_PUSH(host->arena, host->unread,
                    host->nunread) = (struct unread){ arena_strdup(host->arena, path), err };
}

/* The first that begins like this; of those that do, the shortest is first. */
static const struct unread *unread_from(const struct host *host, const char *path, size_t len)
{
    size_t from = 0, to = host->nunread;
    while (from < to) {
        size_t middle = (from + to) / 2;
        if (strncmp(host->unread[middle].path, path, len) < 0)
            from = middle + 1;
        else
            to = middle;
    }
    return from < host->nunread && strncmp(host->unread[from].path, path, len) == 0 ? &host->unread[from]
                                                                                    : NULL;
}

static const struct unread *unread_at(const struct host *host, const char *path, size_t len)
{
    const struct unread *found = unread_from(host, path, len);
    return found && !found->path[len] ? found : NULL;
}

const struct unread *host_unread(const struct host *host, const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t len = strlen(path);
    if (!host->nunread || !slash)
        return NULL;
    if (!slash[1])
        return unread_at(host, path, len - 1);
    const struct unread *found = unread_at(host, path, len);
    if (!found)
        found = unread_at(host, path, (size_t)(slash - path));
    if (!found) {
        char *below = mem_printf("%s/", path);
        found = unread_from(host, below, len + 1);
        free(below);
    }
    return found;
}

int host_starved(const struct host *host)
{
    for (size_t i = 0; i < host->nproblems; i++)
        if (strncmp(host->problems[i].what, "sys/", 4) == 0 &&
            (host->problems[i].err == EMFILE || host->problems[i].err == ENFILE ||
             host->problems[i].err == ENOMEM))
            return host->problems[i].err;
    return 0;
}

int host_devices_unknown(const struct host *host)
{
    int err = host_problem_of(host, "sys/class/infiniband");
    if (host->ndevices)
        return 0;
    const struct unread *device = err ? NULL : host_unread(host, "sys/class/infiniband");
    if (device && strlen(device->path) > strlen("sys/class/infiniband"))
        err = device->err ? device->err : ENOENT;
    return err ? err : host->system.no_sys ? ENOENT : host_starved(host);
}

struct device *host_find_device(const struct host *host, const char *name)
{
    for (size_t i = 0; i < host->ndevices; i++)
        if (text_is(name, host->devices[i].name))
            return &host->devices[i];
    return NULL;
}

static int compare_name(const void *name, const void *netdev)
{
    return text_version_compare(name, ((const struct netdev *)netdev)->name);
}

struct netdev *host_find_netdev(const struct host *host, const char *name)
{
    struct netdev *found = name && host->nsorted ? bsearch(name, host->netdevs, host->nsorted,
                                                           sizeof(*host->netdevs), compare_name)
                                                 : NULL;
    for (size_t i = host->nsorted; !found && i < host->nnetdevs; i++)
        if (text_is(name, host->netdevs[i].name))
            found = &host->netdevs[i];
    return found;
}

static uint64_t index_of(const struct netdev *netdev)
{
    return netdev->ifindex.known ? netdev->ifindex.value : UINT64_MAX;
}

static int compare_index(const void *ifindex, const void *netdev)
{
    uint64_t a = *(const uint64_t *)ifindex, b = index_of(*(struct netdev *const *)netdev);
    return (a > b) - (a < b);
}

static int by_index(const void *a, const void *b)
{
    uint64_t ifindex = index_of(*(struct netdev *const *)a);
    return compare_index(&ifindex, b);
}

static int by_name(const void *a, const void *b)
{
    return compare_name(((const struct netdev *)a)->name, b);
}

void host_order_netdevs(struct host *host)
{
    size_t count = host->nnetdevs;
    if (count)
        qsort(host->netdevs, count, sizeof(*host->netdevs), by_name);
    host->by_index = arena_alloc(host->arena, count + 1, sizeof(*host->by_index));
    for (size_t i = 0; i < count; i++)
        host->by_index[i] = &host->netdevs[i];
    qsort(host->by_index, count, sizeof(*host->by_index), by_index);
    host->nsorted = host->nby_index = count;
}

struct netdev *host_find_netdev_by_index(const struct host *host, uint64_t ifindex)
{
    if (host->nby_index && host->nby_index == host->nnetdevs) {
        struct netdev **found = bsearch(&ifindex, host->by_index, host->nby_index, sizeof(*found),
                                        compare_index);
        return found && (*found)->ifindex.known ? *found : NULL;
    }
    for (size_t i = 0; i < host->nnetdevs; i++)
        if (num_is(host->netdevs[i].ifindex, ifindex))
            return &host->netdevs[i];
    return NULL;
}

static int address_of_pci(const void *address, const void *pci)
{
    return strcmp(address, (*(struct pci *const *)pci)->address);
}

struct pci *host_find_pci(const struct host *host, const char *address)
{
    if (!address)
        return NULL;
    if (host->npcis && host->npci_order == host->npcis) {
        struct pci **found = bsearch(address, host->pci_order, host->npcis, sizeof(*found), address_of_pci);
        return found ? *found : NULL;
    }
    for (size_t i = 0; i < host->npcis; i++)
        if (text_is(address, host->pcis[i].address))
            return &host->pcis[i];
    return NULL;
}

const struct pci *device_function(const struct host *host, const struct device *device)
{
    return device->function ? device->function : host_find_pci(host, device->pci);
}

bool kernel_log_is_about(const struct host *host, const char *line, const struct device *device)
{
    if (kernel_log_says(line, device->name) || kernel_log_names(line, device->pci))
        return true;
    const struct pci *at = device_function(host, device);
    for (int layers = 0; at && at->upstream && layers < 32; layers++) {
        if (kernel_log_names(line, at->upstream))
            return true;
        at = host_find_pci(host, at->upstream);
    }
    for (size_t i = 0; i < device->nports; i++)
        if (device->ports[i].netdev && kernel_log_says(line, device->ports[i].netdev))
            return true;
    return false;
}

bool netdev_is_of_another(const struct host *host, const struct device *device, const struct netdev *netdev)
{
    if (!netdev->parent || !device || !device->parent || strcmp(netdev->parent, device->parent) == 0 ||
        text_is(device->parent_bus, "virtual"))
        return false;
    for (size_t i = 0; i < host->ndevices; i++)
        if (text_is(host->devices[i].parent, netdev->parent) &&
            !text_is(host->devices[i].parent_bus, "virtual"))
            return true;
    return false;
}

bool host_knows_netdevs(const struct host *host)
{
    return (host->needs & (NEED_NETDEV | NEED_NETDEV_MTU | NEED_NETDEV_ALL)) && host->nnetdevs > 0;
}

struct netdev *port_netdev(const struct host *host, const struct port *port)
{
    if (port->is_joined)
        return port->its_netdev;
    struct netdev *netdev = host_find_netdev(host, port->netdev);
    return netdev && (port->elsewhere || netdev_is_of_another(host, port->device, netdev)) ? NULL : netdev;
}

bool port_has_no_netdev(const struct host *host, const struct port *port)
{
    return !port->netdev && host_knows_netdevs(host);
}

struct netdev *gid_netdev(const struct host *host, const struct gid *gid)
{
    return gid->elsewhere ? NULL : host_find_netdev(host, gid->netdev);
}

bool host_has_device_on(const struct host *host, const char *netdev)
{
    for (size_t d = 0; d < host->ndevices; d++)
        if (text_is(host->devices[d].parent, netdev))
            return true;
    return false;
}

struct port *host_next_port(const struct host *host, const struct port *port)
{
    const struct device *device = port ? port->device : host->devices;
    size_t next = port ? (size_t)(port - device->ports) + 1 : 0;
    for (; device && device < host->devices + host->ndevices; device++, next = 0)
        if (next < device->nports)
            return &device->ports[next];
    return NULL;
}

const char *unread_path(struct arena *arena, const struct unread *unread)
{
    bool answer = text_starts(unread->path, "netlink/") || text_starts(unread->path, "probe/");
    return arena_printf(arena, "%s%s", answer ? "" : "/", unread->path);
}
