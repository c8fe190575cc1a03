/* SPDX-License-Identifier: MIT */
/* The verbs back end: asks libibverbs, or a recording of it. */
#include "source/verbs/verbs.h"

#include <infiniband/verbs.h>
#include <poll.h>
#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/rdma_user_ioctl_cmds.h>
#include <sys/ioctl.h>

#include "model/topology.h"

static const char *why(int err)
{
    switch (err) {
    case EACCES:
    case EPERM:
        return "its device node may not be opened";
    case EOPNOTSUPP:
        return "libibverbs here has no provider for it, or none for this kernel's interface";
    case EBADMSG:
        return "the recorded answer isn't one";
    }
    return NULL;
}

static bool are_asked(const struct reader *reader)
{
    return reader->needs & NEED_VERBS || (reader->needs & NEED_DMABUF && host_has_accelerator(reader->host));
}

void read_verbs(struct reader *reader)
{
    struct host *host = reader->host;
    const struct verbs_backend *backend = reader->source->verbs_backend;
    backend->list(reader);
    const char *only = reader->source->open_only;
    for (size_t i = 0; i < host->ndevices && are_asked(reader); i++) {
        struct device *device = &host->devices[i];
        if (only && strcmp(only, device->name) != 0)
            continue;
        device->verbs_err = backend->query(reader, device, &device->verbs);
        if (device->verbs_err && device->verbs_err != ENOENT)
            host_problem(host, device->verbs_err, why(device->verbs_err), "verbs %s", device->name);
    }
    if (backend->end)
        backend->end();
}

/* Recorded answers: verbs/DEVICE. */

static int read_recorded(struct reader *reader, const struct device *device, struct span *span)
{
    return root_read_big(reader->root, span, "{verbs}", arena_printf(reader->arena, "verbs/%s", device->name));
}

static bool is_shown(struct reader *reader, const struct device *device)
{
    struct span span;
    return device->uverbs.name && read_recorded(reader, device, &span) != -EOPNOTSUPP;
}

/* libibverbs lists devices in the order of nldev's indexes, which increase as devices appear. */
static void list(struct reader *reader)
{
    struct host *host = reader->host;
    for (size_t i = 0; i < host->ndevices; i++)
        if (is_shown(reader, &host->devices[i]))
            host->devices[i].verbs_order = host->devices[i].index.known ? host->devices[i].index : num_of(i);
    host->system.verbs_err = host->system.has_uverbs_class ? 0 : ENOSYS;
}

static int query(struct reader *reader, struct device *device, struct verbs_device **out)
{
    struct span span;
    int r = read_recorded(reader, device, &span);
    return r < 0 ? -r : -verbs_decode(span.data, span.len, reader->arena, out);
}

const struct verbs_backend verbs_recorded = { list, query, NULL };

/* Uses the ioctl itself: libibverbs would first scan all of sysfs and load providers. */

enum { MOST_ATTRS = 3, MOST_SLOTS = 1024 }; /* an attribute's length is 16 bits; rxe has 1024 slots */

union command {
    struct ib_uverbs_ioctl_hdr header;
    char room[sizeof(struct ib_uverbs_ioctl_hdr) + MOST_ATTRS * sizeof(struct ib_uverbs_attr)];
};

static void put(union command *command, uint16_t attr, uint16_t len, uint64_t data)
{
    command->header.attrs[command->header.num_attrs++] = (struct ib_uverbs_attr){
        .attr_id = attr, .len = len, .flags = UVERBS_ATTR_F_MANDATORY, .data = data
    };
}

static int ask(int fd, uint16_t method, union command *command)
{
    struct ib_uverbs_ioctl_hdr *header = &command->header;
    header->length = (uint16_t)(sizeof(*header) + header->num_attrs * sizeof(header->attrs[0]));
    header->object_id = UVERBS_OBJECT_DEVICE;
    header->method_id = method;
    header->driver_id = RDMA_DRIVER_RXE;
    return ioctl(fd, RDMA_VERBS_IOCTL, command) < 0 ? -errno : 0;
}

static int query_slots(int fd, struct ib_uverbs_gid_entry entries[static MOST_SLOTS], uint64_t *count)
{
    uint32_t vectors;
    union command open = { .room = { 0 } }, table = { .room = { 0 } };
    put(&open, UVERBS_ATTR_GET_CONTEXT_NUM_COMP_VECTORS, sizeof(vectors), (uintptr_t)&vectors);
    put(&table, UVERBS_ATTR_QUERY_GID_TABLE_ENTRY_SIZE, sizeof(uint64_t), sizeof(*entries));
    put(&table, UVERBS_ATTR_QUERY_GID_TABLE_RESP_ENTRIES, MOST_SLOTS * sizeof(*entries), (uintptr_t)entries);
    put(&table, UVERBS_ATTR_QUERY_GID_TABLE_RESP_NUM_ENTRIES, sizeof(*count), (uintptr_t)count);
    int r = ask(fd, UVERBS_METHOD_GET_CONTEXT, &open);
    if (r == 0)
        r = ask(fd, UVERBS_METHOD_QUERY_GID_TABLE, &table);
    return r == 0 && *count > MOST_SLOTS ? -EBADMSG : r;
}

/* Opens the device's node. Returns a descriptor or -errno. */
static int open_node(struct reader *reader, const char *device)
{
    char path[512];
    struct names names = { 0 };
    int r = root_list(reader->root, reader->arena, &names, "sys/class/infiniband_verbs");
    for (size_t i = 0; r == 0 && i < names.count; i++) {
        const char *ibdev = text_starts(names.items[i], "uverbs")
                                ? read_text(reader, "{name}", "sys/class/infiniband_verbs/%s/ibdev",
                                            names.items[i])
                                : NULL;
        if (!ibdev || strcmp(ibdev, device) != 0)
            continue;
        snprintf(path, sizeof(path), "dev/infiniband/%s", names.items[i]);
        return root_open_stream(reader->root, path);
    }
    return r < 0 ? r : -ENOENT;
}

int gid_slots_filled(struct reader *reader, const char *device, struct gid_slot **slots, size_t *count)
{
    struct ib_uverbs_gid_entry *entries;
    uint64_t found = 0;
    char parent[512];
    snprintf(parent, sizeof(parent), "sys/class/infiniband/%s/parent", device); /* only rxe has it */
    if (reader->source->thorough || root_is_recorded(reader->root) || !root_exists(reader->root, parent))
        return -EOPNOTSUPP;
    int fd = open_node(reader, device);
    if (fd < 0)
        return fd;
    entries = mem_alloc(MOST_SLOTS, sizeof(*entries));
    int r = query_slots(fd, entries, &found);
    close(fd);
    if (r == 0)
        *slots = arena_alloc(reader->arena, found, sizeof(**slots));
    *count = r == 0 ? found : 0;
    for (size_t i = 0; i < *count; i++)
        (*slots)[i] = (struct gid_slot){ entries[i].port_num, entries[i].gid_index };
    free(entries);
    return r;
}

struct async {
    struct ibv_context *context;
    char *name;
    bool dead;
};

static struct ibv_context *open_named(const char *name)
{
    struct ibv_device **list = ibv_get_device_list(NULL);
    struct ibv_context *context = NULL;
    for (size_t i = 0; list && list[i] && !context; i++)
        if (strcmp(ibv_get_device_name(list[i]), name) == 0)
            context = ibv_open_device(list[i]);
    if (list)
        ibv_free_device_list(list);
    return context;
}

struct async *async_open(const struct device *device, int *fd)
{
    if (!device->uverbs.name || device->uverbs.err) /* libibverbs waits 5 s on a forbidden node */
        return NULL;
    struct ibv_context *context = open_named(device->name);
    if (!context)
        return NULL;
    int flags = fcntl(context->async_fd, F_GETFL);
    if (flags < 0 || fcntl(context->async_fd, F_SETFL, flags | O_NONBLOCK) < 0) {
        ibv_close_device(context);
        return NULL;
    }
    struct async *async = mem_alloc(1, sizeof(*async));
    async->context = context;
    async->name = mem_strdup(device->name);
    *fd = context->async_fd;
    return async;
}

static bool is_about_port(enum ibv_event_type type)
{
    switch (type) {
    case IBV_EVENT_PORT_ACTIVE:
    case IBV_EVENT_PORT_ERR:
    case IBV_EVENT_LID_CHANGE:
    case IBV_EVENT_PKEY_CHANGE:
    case IBV_EVENT_SM_CHANGE:
    case IBV_EVENT_CLIENT_REREGISTER:
    case IBV_EVENT_GID_CHANGE:
        return true;
    default:
        return false;
    }
}

int async_next(struct async *async, struct async_event *event)
{
    struct ibv_async_event verbs;
    struct pollfd pollfd = { .fd = async->context->async_fd, .events = POLLIN };
    if (async->dead)
        return -ENODEV;
    if (poll(&pollfd, 1, 0) <= 0)
        return 0;
    errno = 0;
    if (ibv_get_async_event(async->context, &verbs) < 0)
        return errno == EAGAIN ? 0 : -(errno ? errno : EIO);
    *event = (struct async_event){ .device = async->name, .what = ibv_event_type_str(verbs.event_type) };
    if (is_about_port(verbs.event_type))
        event->port = num_of((uint64_t)verbs.element.port_num);
    async->dead = verbs.event_type == IBV_EVENT_DEVICE_FATAL;
    ibv_ack_async_event(&verbs);
    return 1;
}

void async_close(struct async *async)
{
    if (!async)
        return;
    ibv_close_device(async->context);
    free(async->name);
    free(async);
}
