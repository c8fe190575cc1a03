/* SPDX-License-Identifier: MIT */
/* The GID table of a port: values, types and netdevs of its slots. */
#include "source/files/files.h"
#include "source/files/forms.h"

#include "source/verbs/verbs.h"

struct table {
    struct reader *reader;
    const struct device *device;
    struct port *port;
    struct root_dir values, types, ndevs;
    const char *asked; /* the netdev that was_here is about; most GIDs of a port share one */
    bool was_here;
};

/* What the kernel prints for an empty slot. Most slots are empty, so this one isn't parsed. */
static const char zero[] = "0000:0000:0000:0000:0000:0000:0000:0000\n";

static void set_type(struct arena *arena, struct gid *gid, const char *text)
{
    gid->type = gid_type_parse(text);
    if (gid->type == GID_TYPE_UNKNOWN && strcspn(text, "\n"))
        gid->unknown_type = arena_printf(arena, "%.*s", (int)strcspn(text, "\n"), text);
}

/* An iWARP port's GID is its MAC and zeros, whatever link layer it shows. */
static bool is_infiniband(const struct table *table)
{
    return device_transport(table->device->node_type, &table->port->link_layer, 1) == TRANSPORT_INFINIBAND;
}

/* Tables aren't divided by network namespace: is the GID's netdev in this one? */
static bool is_here(struct table *table, const char *netdev)
{
    struct root *root = table->reader->root;
    if (!text_is(table->asked, netdev)) {
        char path[64];
        snprintf(path, sizeof(path), "sys/class/net/%s", netdev);
        table->was_here = root_exists(root, path) || !root_exists(root, "sys/class/net");
        table->asked = netdev;
    }
    return table->was_here;
}

/* Returns 0 if the slot is filled or empty, -errno if it doesn't exist. */
static int read_slot(struct table *table, const char *name, uint32_t index)
{
    struct reader *reader = table->reader;
    struct span span;
    int r = root_dir_read(&table->values, "{gid}", name, &span);
    if (index == 0)
        table->port->gid0_err = -r;
    if (r < 0)
        return r;
    if (span.len == sizeof(zero) - 1 && memcmp(span.data, zero, span.len) == 0)
        return 0;
    struct gid gid = { .index = index };
    if (gid_parse(span.data, gid.raw) < 0) {
        host_problem(reader->host, EBADMSG, "it should hold a GID: 8 groups of 4 hex digits", "%s/%s",
                     table->values.path, name);
        return 0;
    }
    if (gid_is_zero(gid.raw))
        return 0;
    /* mlx4 and others put the subnet prefix into each slot of an InfiniBand port; ibv_devinfo goes by the GUID
     * alone */
    bool bare = is_infiniband(table) && gid_is_bare(gid.raw);
    if (table->types.path && (r = root_dir_read(&table->types, FORM_GID_TYPE, name, &span)) == 0)
        set_type(reader->arena, &gid, span.data);
    else if (table->types.path)
        read_problem(reader, r, "%s/%s", table->types.path, name);
    if (table->ndevs.path)
        gid.netdev = read_text_at(reader, &table->ndevs, "{name}", name);
    if (gid.netdev && !*gid.netdev)
        gid.netdev = NULL;
    gid.elsewhere = gid.netdev && !is_here(table, gid.netdev);
    if (bare)
        *ARENA_PUSH(reader->arena, table->port->bare_gids, table->port->nbare_gids) = gid;
    else
        *ARENA_PUSH(reader->arena, table->port->gids, table->port->ngids) = gid;
    return 0;
}

/* Status shows the versions and one address: the first routable v2 GID whose netdev is here, and is of use: of
 * software RoCE, its own (gid_is_cut_off()). Once all are seen the rest can't change them. The lowest slots are
 * reserved for the default GID of each version that the device supports, v1 first (core/cache.c): if slot 0 has
 * v2 there is no v1, as on rxe. */
static bool summary_done(const struct device *device, const struct port *port)
{
    bool v1 = false, v2 = false, address = false;
    for (size_t i = 0; i < port->ngids; i++) {
        const struct gid *gid = &port->gids[i];
        v1 |= gid->type == GID_TYPE_IB_ROCE_V1 || gid->index == 0;
        v2 |= gid->type == GID_TYPE_ROCE_V2;
        address |= gid->type == GID_TYPE_ROCE_V2 && !gid_is_link_local(gid->raw) &&
                   !gid_is_v4_link_local(gid->raw) && !gid->elsewhere &&
                   (!device_is_rxe(device) || text_is(gid->netdev, device->parent));
    }
    return v1 && v2 && address;
}

static int read_numbered(struct table *table, uint32_t index)
{
    char name[16];
    *text_put_u64(name, index) = '\0'; /* printf takes longer than all else that roce does for a slot */
    return read_slot(table, name, index);
}

/* Reads slots from 0 up, without listing the directory; true once status needs no more. */
static bool read_summary(struct table *table)
{
    for (uint32_t index = 0; index < 64; index++) {
        if (read_numbered(table, index) < 0)
            return false;
        if (summary_done(table->device, table->port))
            return true;
    }
    return false;
}

/* Reads slots from 0 up to the first missing one, whose number goes to *end. Returns 0 or -errno. */
static int read_run(struct table *table, uint32_t *end)
{
    for (uint32_t index = 0;; index++) {
        int r = read_numbered(table, index);
        if (r < 0) {
            *end = index;
            return r == -ENOENT ? 0 : r;
        }
    }
}

/* Reads the slots that the directory lists, from first up. */
static void read_listed(struct table *table, uint32_t first)
{
    struct names names = { 0 };
    int r = root_dir_list(&table->values, table->reader->arena, &names);
    if (r < 0) {
        read_problem(table->reader, r, "%s", table->values.path);
        return;
    }
    /* an empty directory is one that another tool didn't fill */
    if (names.count || !table->reader->host->partial)
        table->port->gid_table_len = num_of(names.count);
    for (size_t i = 0; i < names.count; i++) {
        uint64_t index;
        if (text_to_u64(names.items[i], 10, &index) < 0 || index > UINT32_MAX || index < first)
            continue;
        r = read_slot(table, names.items[i], (uint32_t)index);
        read_problem(table->reader, r, "%s/%s", table->values.path, names.items[i]);
    }
}

static bool has_slot(struct table *table, const char *name)
{
    struct span span;
    return root_dir_read(&table->values, "{gid}", name, &span) != -ENOENT;
}

/* Reads only the filled slots, if the kernel says which they are; false if it doesn't. Every rxe so far has
 * 1024 slots. */
static bool read_filled(struct table *table)
{
    struct port *port = table->port;
    struct gid_slot *slots = NULL;
    size_t count = 0;
    if (gid_slots_filled(table->reader, table->device->name, &slots, &count) < 0 || !has_slot(table, "1023") ||
        has_slot(table, "1024") || read_numbered(table, 0) < 0)
        return false;
    for (size_t i = 0; i < count; i++)
        if (slots[i].port == port->number && slots[i].index && read_numbered(table, slots[i].index) < 0)
            return false;
    port->gid_table_len = num_of(1024);
    return true;
}

static void forget(struct port *port)
{
    port->gids = port->bare_gids = NULL;
    port->ngids = port->nbare_gids = 0;
}

/* The kernel numbers slots from 0 without a gap, so they aren't listed and sorted first: that would take a
 * quarter as long as reading them. Recordings by other tools may lack the empty slots (one that has an empty
 * slot before the first gap doesn't), and a table without slots must be told from one that can't be read: then
 * the directory is listed, as for any table whose slots are all filled. */
static void read_whole(struct table *table)
{
    struct port *port = table->port;
    uint32_t end;

    forget(port);
    if (read_filled(table))
        return;
    forget(port);
    int r = read_run(table, &end);
    if (r < 0 || end == 0 || port->ngids == end) {
        read_listed(table, end);
        return;
    }
    if (end || !table->reader->host->partial)
        port->gid_table_len = num_of(end);
}

void read_gids(struct reader *reader, const struct device *device, struct root_dir *port_dir, struct port *port)
{
    struct table table = { .reader = reader, .device = device, .port = port };
    int r = root_dir_open_in(port_dir, &table.values, "gids");
    port->gid0_err = r < 0 ? -r : ENOENT;
    if (r < 0) {
        read_problem(reader, r, "%s/gids", port_dir->path);
        return;
    }
    if (!(reader->needs & (NEED_GIDS | NEED_GID_SUMMARY))) {
        r = read_slot(&table, "0", 0);
        read_problem(reader, r, "%s/0", table.values.path);
        root_dir_close(&table.values);
        return;
    }
    /* without gid_attrs (before Linux 4.5, or an upper namespace) the values are still useful */
    (void)root_dir_open(reader->root, &table.types, "%s/gid_attrs/types", port_dir->path);
    (void)root_dir_open(reader->root, &table.ndevs, "%s/gid_attrs/ndevs", port_dir->path);
    if ((reader->needs & NEED_GIDS) || !read_summary(&table))
        read_whole(&table);
    root_dir_close(&table.values);
    root_dir_close(&table.types);
    root_dir_close(&table.ndevs);
}
