/* SPDX-License-Identifier: MIT */
/* /sys/class/infiniband, infiniband_verbs, infiniband_mad: devices, ports, GID tables, counters. */
#include "source/files/files.h"
#include "source/files/forms.h"

#define CLASS "sys/class/infiniband"

static void read_state(struct reader *reader, struct root_dir *dir, const char *form, const char *name,
                       struct num *number, const char **text)
{
    const char *line = read_text_at(reader, dir, form, name);
    uint64_t value;
    const char *rest;
    if (!line)
        return;
    if (state_parse(line, &value, &rest) < 0) {
        host_problem(reader->host, EBADMSG, "it should read like \"4: ACTIVE\"", "%s/%s", dir->path, name);
        return;
    }
    *number = num_of(value);
    *text = *rest ? rest : NULL;
}

static void read_rate(struct reader *reader, struct root_dir *dir, struct port *port)
{
    struct span span;
    int r = root_dir_read(dir, FORM_RATE, "rate", &span);
    if (r < 0) {
        port->rate_err = -r;
        read_problem(reader, r, "%s/rate", dir->path);
        return;
    }
    port->rate_text = text_trim(arena_strndup(reader->arena, span.data, strlen(span.data)));
    uint64_t mbps;
    if (rate_parse(port->rate_text, &mbps) == 0)
        port->rate_mbps = num_of(mbps);
}

static void read_ib_attributes(struct reader *reader, struct root_dir *dir, struct port *port)
{
    port->lid = read_num_at(reader, dir, 16, "lid");
    port->sm_lid = read_num_at(reader, dir, 16, "sm_lid");
    port->lmc = read_num_at(reader, dir, 10, "lid_mask_count");
    port->sm_sl = read_num_at(reader, dir, 10, "sm_sl");
    port->cap_mask = read_num_at(reader, dir, 16, "cap_mask");
}

static void read_pkeys(struct reader *reader, struct root_dir *port_dir, struct port *port)
{
    struct root_dir dir = { 0 };
    struct names names = { 0 };
    int r = root_dir_open_in(port_dir, &dir, "pkeys");
    if (r < 0) {
        read_problem(reader, r, "%s/pkeys", port_dir->path);
        return;
    }
    if (root_dir_list(&dir, reader->arena, &names) == 0) {
        port->pkey_table_len = num_of(names.count);
        for (size_t i = 0; i < names.count; i++) {
            struct num value = read_num_at(reader, &dir, 16, names.items[i]);
            uint64_t index;
            if (!value.known || value.value == 0 || text_to_u64(names.items[i], 10, &index) < 0)
                continue;
            struct pkey *pkey = ARENA_PUSH(reader->arena, port->pkeys, port->npkeys);
            *pkey = (struct pkey){ .index = (uint32_t)index, .value = (uint16_t)value.value };
        }
    }
    root_dir_close(&dir);
}

/* MLNX_OFED's tc/N: empty when unset, "Global tclass=106" when set. */
static void read_tc(struct reader *reader, const struct device *device, struct port *port)
{
    const char *text = read_text(reader, "Global tclass={number}", CLASS "/%s/tc/%u/traffic_class",
                                 device->name, port->number);
    port->has_tc = text != NULL;
    const char *equals = text ? strchr(text, '=') : NULL;
    port->traffic_class = num_read(equals ? equals + 1 : NULL, 10);
    port->ttl = read_num(reader, 10, CLASS "/%s/ttl/%u/ttl", device->name, port->number);
}

/* -- the counters of ports and devices, one file each -------------------------------------------------------
 */

/* A driver without a PMA says so in words ("N/A (no PMA)", before Linux 4.5) or with an errno; neither is a
 * problem with the host. */
static void read_counter(struct reader *reader, struct root_dir *dir, struct counter *counter)
{
    struct span span;
    uint64_t value;
    int r = root_dir_read(dir, FORM_NUMBER, counter->name, &span);
    if (r == 0 && text_to_u64(span.data, 0, &value) == 0) {
        counter->raw = num_of(value);
        return;
    }
    if (r == 0 && !text_starts(span.data, "N/A")) {
        host_problem(reader->host, EBADMSG, "it should hold a number", "%s/%s", dir->path, counter->name);
        counter->err = EBADMSG;
        return;
    }
    counter->err = r == 0 ? ENODATA : -r;
    read_problem(reader, r, "%s/%s", dir->path, counter->name);
}

/* The firmware restricts some functions: each read of a counter is a command that it refuses, with EINVAL and a
 * line in the kernel log (github.com/prometheus/node_exporter/issues/3434). If the first ones in a directory
 * are refused like that, the rest aren't read. */
enum { REFUSED_READS = 2 };

static bool is_wanted(const struct reader *reader, const char *device, const char *group, const char *name)
{
    const struct source *source = reader->source;
    return !source->count_roles || text_is(source->count_all, device) ||
           source->count_roles & ROLES_OF(counter_role_find(NULL, group, name)) & ~ROLES_OF(ROLE_NONE);
}

static void read_group(struct reader *reader, const char *device, const struct root_dir *parent,
                       const char *group, struct counter **counters, size_t *count)
{
    struct root_dir dir = { 0 };
    struct names names = { 0 };
    size_t refused = 0, tried = 0;
    int r = root_dir_open_in(parent, &dir, group);
    if (r == 0)
        r = root_dir_list(&dir, reader->arena, &names);
    read_problem(reader, r, "%s/%s", parent->path, group);
    for (size_t i = 0; r == 0 && i < names.count; i++) {
        if (!is_wanted(reader, device, group, names.items[i]))
            continue;
        struct counter *counter = ARENA_PUSH(reader->arena, *counters, *count);
        counter->dir = group;
        counter->name = names.items[i];
        bool all_refused = refused >= REFUSED_READS && refused == tried;
        tried++;
        if (all_refused) {
            counter->err = EINVAL;
            const char *path = arena_printf(reader->arena, "%s/%s", dir.path, counter->name);
            root_tell_file(reader->root, NULL, path, NULL, 0, -EINVAL); /* as if it had been read */
            refused++;
            continue;
        }
        read_counter(reader, &dir, counter);
        refused += counter->err == EINVAL;
    }
    root_dir_close(&dir);
}

static void read_port_counters(struct reader *reader, const char *device, struct root_dir *port_dir,
                               struct port *port)
{
    read_group(reader, device, port_dir, "counters", &port->counters, &port->ncounters);
    read_group(reader, device, port_dir, "counters_ext", &port->counters, &port->ncounters);
    read_group(reader, device, port_dir, "hw_counters", &port->counters, &port->ncounters);
}

static void read_device_counters(struct reader *reader, struct root_dir *device_dir, struct device *device)
{
    read_group(reader, device->name, device_dir, "hw_counters", &device->counters, &device->ncounters);
}

/* -- ports and devices ------------------------------------------------------------------------------------ */

static bool read_port(struct reader *reader, const struct root_dir *device_dir, struct device *device,
                      struct port *port)
{
    struct root_dir dir = { 0 };
    char name[32];
    snprintf(name, sizeof(name), "ports/%u", port->number);
    int r = root_dir_open_in(device_dir, &dir, name);
    if (r < 0) {
        host_problem(reader->host, -r, "the port vanished while it was read", CLASS "/%s/ports/%u",
                     device->name, port->number);
        return false;
    }
    port->link_layer_text = read_text_at(reader, &dir, "{Ethernet|InfiniBand|Unknown}", "link_layer");
    port->link_layer = port->link_layer_text ? link_layer_parse(port->link_layer_text) : LINK_LAYER_UNKNOWN;
    if (reader->needs & NEED_STATE) {
        read_state(reader, &dir, FORM_PORT_STATE, "state", &port->state, &port->state_text);
        read_state(reader, &dir, FORM_PHYS_STATE, "phys_state", &port->phys_state, &port->phys_state_text);
    }
    if (reader->needs & NEED_RATE)
        read_rate(reader, &dir, port);
    if (reader->needs & NEED_IB)
        read_ib_attributes(reader, &dir, port);
    if (reader->needs & NEED_PKEYS)
        read_pkeys(reader, &dir, port);
    if (reader->needs & (NEED_GIDS | NEED_GID_SUMMARY | NEED_GID_FIRST))
        read_gids(reader, device, &dir, port);
    if (reader->needs & NEED_COUNTERS)
        read_port_counters(reader, device->name, &dir, port);
    if (reader->needs & NEED_TC)
        read_tc(reader, device, port);
    root_dir_close(&dir);
    return true;
}

static void read_ports(struct reader *reader, const struct root_dir *device_dir, struct device *device)
{
    struct root_dir ports = { 0 };
    struct names names = { 0 };
    int r = root_dir_open_in(device_dir, &ports, "ports");
    r = r == 0
            ? root_dir_list(&ports, reader->arena, &names)
            : root_list(reader->root, reader->arena, &names, CLASS "/%s/ports", device->name); /* records why */
    root_dir_close(&ports); /* descriptors may be scarce */
    device->ports_err = r < 0 ? -r : 0;
    read_problem(reader, r, CLASS "/%s/ports", device->name);
    for (size_t i = 0; i < names.count; i++) {
        uint64_t number;
        if (text_to_u64(names.items[i], 10, &number) < 0 || number == 0 || number > UINT32_MAX) {
            host_problem(reader->host, EBADMSG, "it should be a port's number", CLASS "/%s/ports/%s",
                         device->name, names.items[i]);
            continue;
        }
        struct port port = { .number = (uint32_t)number };
        if (read_port(reader, device_dir, device, &port))
            *ARENA_PUSH(reader->arena, device->ports, device->nports) = port;
    }
}

static struct num read_guid(struct reader *reader, struct root_dir *dir, const char *name)
{
    const char *text = read_text_at(reader, dir, "{guid}", name);
    uint64_t guid;
    if (text && guid_parse(text, &guid) == 0)
        return num_of(guid);
    if (text)
        host_problem(reader->host, EBADMSG, "it should hold a GUID: 4 groups of 4 hex digits", "%s/%s",
                     dir->path, name);
    return (struct num){ 0 };
}

static void read_firmware(struct reader *reader, struct root_dir *dir, struct device *device)
{
    struct span span;
    int r = root_dir_read(dir, "{version}", "fw_ver", &span);
    if (r == 0) {
        device->fw_ver_raw = arena_strndup(reader->arena, span.data, span.len);
        device->fw_ver = text_trim(arena_strdup(reader->arena, device->fw_ver_raw));
    } else {
        read_problem(reader, r, "%s/fw_ver", dir->path);
    }
}

static void read_attributes(struct reader *reader, struct root_dir *dir, struct device *device)
{
    const char *line = read_text_at(reader, dir, FORM_NODE_TYPE, "node_type");
    uint64_t value;
    if (line && state_parse(line, &value, &device->node_type_text) == 0)
        device->node_type = num_of(value);
    if (reader->needs & (NEED_GUIDS | NEED_NODE_GUID))
        device->node_guid = read_guid(reader, dir, "node_guid");
    if (reader->needs & NEED_GUIDS)
        device->sys_image_guid = read_guid(reader, dir, "sys_image_guid");
    if (reader->needs & NEED_FW)
        read_firmware(reader, dir, device);
    if (reader->needs & (NEED_IDENT | NEED_BOARD)) {
        device->hca_type = read_text_at(reader, dir, FORM_HCA_TYPE, "hca_type");
        device->board_id = read_text_at(reader, dir, FORM_BOARD_ID, "board_id");
    }
    if (reader->needs & NEED_IDENT) {
        device->hw_rev = read_text_at(reader, dir, "{version}\n{hex}", "hw_rev");
        device->node_desc = read_text_at(reader, dir, "{node-desc}", "node_desc");
    }
}

static void set_transport(struct reader *reader, struct device *device)
{
    enum link_layer *layers = arena_alloc(reader->arena, device->nports, sizeof(*layers));
    for (size_t i = 0; i < device->nports; i++)
        layers[i] = device->ports[i].link_layer;
    device->transport = device_transport(device->node_type, layers, device->nports);
    for (size_t i = 0; i < device->nports; i++)
        device->ports[i].transport = device_transport(device->node_type, &layers[i], 1);
}

/* The soft drivers have no parent device: rxe has a file "parent" with its netdev's name, siw has neither. */
static void read_soft_parent(struct reader *reader, struct device *device)
{
    device->parent_bus = "virtual";
    device->parent = read_text(reader, "{name}", CLASS "/%s/parent", device->name);
    if (device->parent)
        device->driver = "rxe";
    else if (num_is(device->node_type, 4))
        device->driver = "siw";
}

/* Where device/ leads: .../pci0000:16/0000:16:02.0/0000:17:00.0[/mlx5_core.sf.4]. */
static void read_parent(struct reader *reader, struct root_dir *dir, struct device *device)
{
    struct span span;
    int r = root_dir_link(dir, "device", &span);
    if (r < 0 && !root_absent(r)) {
        read_problem(reader, r, CLASS "/%s/device", device->name);
        return;
    }
    if (r < 0) {
        read_soft_parent(reader, device);
        return;
    }
    device->parent = link_name(reader->arena, span.data);
    device->parent_bus = read_link_at(reader, dir, "device/subsystem");
    device->driver = read_link_at(reader, dir, "device/driver");
}

static bool read_device(struct reader *reader, struct device *device)
{
    struct root_dir dir = { 0 };
    int r = root_dir_open(reader->root, &dir, CLASS "/%s", device->name);
    if (r < 0) {
        host_problem(reader->host, -r,
                     "listed, but not there: its link leads nowhere or the device has just gone", CLASS "/%s",
                     device->name);
        return false;
    }
    read_attributes(reader, &dir, device);
    if (reader->needs &
        (NEED_PCI | NEED_PCI_LINK | NEED_NETDEV | NEED_NETDEV_MTU | NEED_NETDEV_ALL | NEED_COUNTERS))
        read_parent(reader, &dir, device);
    read_ports(reader, &dir, device);
    if (reader->needs & NEED_COUNTERS)
        read_device_counters(reader, &dir, device);
    set_transport(reader, device);
    bool gone = !device->node_type.known && device->nports == 0;
    root_dir_close(&dir);
    if (gone && !host_problem_of(reader->host, CLASS "/%s/ports", device->name))
        host_problem(reader->host, ENODEV, "the device vanished while it was read", CLASS "/%s", device->name);
    return !gone;
}

struct device_node read_node(struct reader *reader, const char *name, const char *path)
{
    struct device_node node = { .name = name, .path = path };
    node.err = -root_try_node(reader->root, node.path + 1);
    node.tried = node.err != ENODATA && !(reader->host->partial && node.err == ENOENT);
    return node;
}

static struct device_node read_rdma_node(struct reader *reader, const char *name)
{
    return read_node(reader, name, arena_printf(reader->arena, "/dev/infiniband/%s", name));
}

/* ib_uverbs' class isn't divided by namespace, its devices' is: in exclusive mode a container may see, and have
 * been given, a node whose device it can't see. */
static void read_stray_node(struct reader *reader, const char *node, const char *ibdev)
{
    struct system *system = &reader->host->system;
    struct device_node stray = read_rdma_node(reader, node);
    if (system->stray_device || !stray.tried || stray.err == ENOENT)
        return;
    system->stray_node = stray;
    system->stray_device = ibdev;
}

static void read_uverbs_nodes(struct reader *reader)
{
    struct host *host = reader->host;
    struct names names = read_list(reader, "sys/class/infiniband_verbs");
    for (size_t i = 0; i < names.count; i++) {
        if (!text_starts(names.items[i], "uverbs"))
            continue;
        const char *ibdev = read_text(reader, "{name}", "sys/class/infiniband_verbs/%s/ibdev", names.items[i]);
        struct device *device = ibdev ? host_find_device(host, ibdev) : NULL;
        if (ibdev && !device)
            read_stray_node(reader, names.items[i], ibdev);
        if (!device)
            continue;
        device->uverbs = read_rdma_node(reader, names.items[i]);
        device->uverbs.abi = read_num(reader, 10, "sys/class/infiniband_verbs/%s/abi_version", names.items[i]);
    }
}

void read_given_nodes(struct reader *reader)
{
    if (system_is_container(&reader->host->system) && !(reader->needs & NEED_NODES))
        read_uverbs_nodes(reader);
}

static void read_nodes(struct reader *reader)
{
    struct host *host = reader->host;
    read_uverbs_nodes(reader);
    struct names names = read_list(reader, "sys/class/infiniband_mad");
    for (size_t i = 0; i < names.count; i++) {
        if (!text_starts(names.items[i], "umad"))
            continue;
        const char *ibdev = read_text(reader, "{name}", "sys/class/infiniband_mad/%s/ibdev", names.items[i]);
        struct device *device = ibdev ? host_find_device(host, ibdev) : NULL;
        if (device)
            *ARENA_PUSH(reader->arena, device->umads, device->numads) = read_rdma_node(reader, names.items[i]);
    }
    host->system.rdma_cm = read_rdma_node(reader, "rdma_cm");
    host->system.has_uverbs_class = read_text(reader, "{number}", "sys/class/infiniband_verbs/abi_version") !=
                                    NULL;
}

void read_devices(struct reader *reader)
{
    struct host *host = reader->host;
    struct names names = { 0 };
    int r = root_list(reader->root, reader->arena, &names, CLASS);
    read_problem(reader, r, CLASS);
    host->system.has_infiniband_class = r == 0;
    /* any kernel with networking has the other one; a chroot or container without /sys has neither */
    struct names others = { 0 };
    if (r < 0 && root_list(reader->root, reader->arena, &others, "sys/class/net") < 0)
        host->system.no_sys = root_list(reader->root, reader->arena, &others, "sys") < 0 || !others.count
                                  ? "/sys"
                                  : "/sys/class";
    for (size_t i = 0; i < names.count; i++) {
        struct device device = { .name = names.items[i] };
        if (read_device(reader, &device))
            *ARENA_PUSH(reader->arena, host->devices, host->ndevices) = device;
    }
    if (reader->needs & NEED_NODES)
        read_nodes(reader);
}
