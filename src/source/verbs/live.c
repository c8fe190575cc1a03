/* SPDX-License-Identifier: MIT */
/* libibverbs. A device is opened only if its node could be opened before: otherwise ibv_open_device() waits 5 s
 * for udev (rdma-core util/open_cdev.c). */
#include <endian.h>
#include <infiniband/verbs.h>

#include "model/topology.h"
#include "source/verbs/verbs.h"

enum { MOST_ENTRIES = 1 << 20 };

/* Held while one host is read: the list of devices and its entries belong to the library. */
static struct ibv_device **shown;

static void list(struct reader *reader)
{
    struct host *host = reader->host;
    errno = 0;
    shown = ibv_get_device_list(NULL);
    if (!shown)
        host->system.verbs_err = errno ? errno : ENOSYS;
    for (size_t i = 0; shown && shown[i]; i++) {
        struct device *device = host_find_device(host, ibv_get_device_name(shown[i]));
        if (device)
            device->verbs_order = num_of(i);
    }
}

static void end(void)
{
    if (shown)
        ibv_free_device_list(shown);
    shown = NULL;
}

#define TAKE(kind, name) to->name = (VERBS_##kind)from->name;
#define TAKE_FROM(kind, name, path) to->name = (VERBS_##kind)from->path;

static void take_device(struct verbs_device *to, const struct ibv_device_attr *from)
{
    to->node_guid = be64toh(from->node_guid);
    to->sys_image_guid = be64toh(from->sys_image_guid);
    VERBS_DEVICE_ATTRS(TAKE)
}

static void take_extended(struct verbs_device *to, const struct ibv_device_attr_ex *from)
{
    VERBS_DEVICE_EX_ATTRS(TAKE_FROM)
}

static void take_port(struct verbs_port *to, const struct ibv_port_attr *from)
{
    VERBS_PORT_ATTRS(TAKE)
}

#if RDMA_CORE >= 65
static void query_new_of_port(struct ibv_context *context, struct verbs_port *port,
                              const struct ibv_port_attr *attr)
{
    uint64_t speed = 0;
    port->active_speed_ex = attr->active_speed_ex;
    port->effective_speed_known = ibv_query_port_speed(context, port->number, &speed) == 0;
    port->effective_speed = port->effective_speed_known && speed <= UINT32_MAX ? (uint32_t)speed : 0;
}

static void query_new(struct ibv_context *context, struct verbs_device *device)
{
    struct ibv_comp_cntr_caps caps = { 0 };
    device->comp_cntr_known = ibv_query_comp_cntr_caps(context, &caps) == 0;
    device->max_comp_cntr = caps.max_counters;
    device->comp_cntr_attach_ops = caps.supported_qp_attach_ops;
}
#else
#define query_new_of_port(context, port, attr) ((void)0)
#define query_new(context, device) ((void)0)
#endif

static void query_ports(struct arena *arena, struct ibv_context *context, struct verbs_device *device)
{
    device->ports = arena_alloc(arena, device->phys_port_cnt, sizeof(*device->ports));
    for (; device->nports < device->phys_port_cnt; device->nports++) {
        struct verbs_port *port = &device->ports[device->nports];
        struct ibv_port_attr attr = { 0 };
        port->number = (uint32_t)device->nports + 1;
        int err = ibv_query_port(context, (uint8_t)port->number, &attr);
        port->err = (uint32_t)(err < 0 ? -err : err);
        if (err)
            continue;
        take_port(port, &attr);
        query_new_of_port(context, port, &attr);
    }
}

static void add_gid(struct arena *arena, struct verbs_device *device, const struct ibv_gid_entry *entry)
{
    struct verbs_port *port = verbs_device_port(device, entry->port_num);
    if (!port)
        return;
    struct gid *gid = ARENA_PUSH(arena, port->gids, port->ngids);
    gid->index = entry->gid_index;
    memcpy(gid->raw, entry->gid.raw, sizeof(gid->raw));
    gid->type = entry->gid_type == IBV_GID_TYPE_ROCE_V2 ? GID_TYPE_ROCE_V2 : GID_TYPE_IB_ROCE_V1;
    gid->ifindex = entry->ndev_ifindex;
}

/* If the buffer is too short, the kernel returns EINVAL and no part of the table; if a port could not be
 * queried, we can only guess the table's length. */
static int query_gids(struct arena *arena, struct ibv_context *context, struct verbs_device *device)
{
    size_t size = 0;
    for (size_t i = 0; i < device->nports; i++)
        size += device->ports[i].gid_tbl_len > 0 ? (size_t)device->ports[i].gid_tbl_len : 0;
    if (size == 0)
        return 0;
    for (;; size *= 2) {
        struct ibv_gid_entry *entries = mem_alloc(size, sizeof(*entries));
        ssize_t n = ibv_query_gid_table(context, entries, size, 0);
        for (ssize_t i = 0; i < n; i++)
            add_gid(arena, device, &entries[i]);
        free(entries);
        if (n != -EINVAL || size > MOST_ENTRIES)
            return n < 0 ? (int)-n : 0;
    }
}

static int by_index(const void *a, const void *b)
{
    uint32_t x = ((const struct gid *)a)->index, y = ((const struct gid *)b)->index;
    return (x > y) - (x < y);
}

/* Asks as NCCL does (ibDmaBufSupportInitOnce() of src/transport/net_ib/gdr.cc): nothing is registered. */
static int ask_dmabuf(struct ibv_context *context)
{
    struct ibv_pd *pd = ibv_alloc_pd(context);
    if (!pd)
        return 0;
    errno = 0;
    struct ibv_mr *mr = ibv_reg_dmabuf_mr(pd, 0, 0, 0, -1, 0);
    int err = errno;
    if (mr)
        ibv_dereg_mr(mr);
    ibv_dealloc_pd(pd);
    return mr ? EBADF : err;
}

static int query_open(struct arena *arena, struct ibv_context *context, struct verbs_device **out)
{
    struct ibv_device_attr_ex attr = { 0 };
    int err = ibv_query_device_ex(context, NULL, &attr);
    if (err)
        return err < 0 ? -err : err;
    struct verbs_device *device = arena_alloc(arena, 1, sizeof(*device));
    device->transport_type = context->device->transport_type;
    device->fw_ver = arena_strndup(arena, attr.orig_attr.fw_ver,
                                   strnlen(attr.orig_attr.fw_ver, sizeof(attr.orig_attr.fw_ver)));
    device->num_comp_vectors = (uint32_t)context->num_comp_vectors;
    take_device(device, &attr.orig_attr);
    take_extended(device, &attr);
    query_new(context, device);
    query_ports(arena, context, device);
    device->gids_err = (uint32_t)query_gids(arena, context, device);
    for (size_t i = 0; i < device->nports; i++)
        if (device->ports[i].ngids)
            qsort(device->ports[i].gids, device->ports[i].ngids, sizeof(struct gid), by_index);
    *out = device;
    return 0;
}

static int query_live(struct reader *reader, struct device *device, struct verbs_device **out)
{
    if (!device->uverbs.name)
        return ENOENT;
    if (device->uverbs.err)
        return device->uverbs.err;
    if (!shown)
        return reader->host->system.verbs_err;
    struct ibv_device **found = shown;
    while (*found && strcmp(ibv_get_device_name(*found), device->name) != 0)
        found++;
    if (!*found)
        return EOPNOTSUPP;
    errno = 0;
    struct ibv_context *context = ibv_open_device(*found);
    if (!context)
        return errno ? errno : EIO;
    device->verbs_opened = true;
    int err = query_open(reader->arena, context, out);
    if (err == 0 && host_has_accelerator(reader->host))
        (*out)->dmabuf_err = ask_dmabuf(context);
    ibv_close_device(context);
    return err;
}

static int query(struct reader *reader, struct device *device, struct verbs_device **out)
{
    int err = query_live(reader, device, out);
    if (!reader->source->thorough)
        return err;
    struct bytes text = { 0 };
    if (err == 0)
        verbs_encode(*out, &text);
    root_tell_file(reader->root, "{verbs}", arena_printf(reader->arena, "verbs/%s", device->name), text.data,
                   text.len, err);
    bytes_free(&text);
    return err;
}

const struct verbs_backend verbs_live = { list, query, end };
