/* SPDX-License-Identifier: MIT */
/* roce devices: what ibstat and ibv_devinfo know, in one shape. */
#include <inttypes.h>
#include <string.h>

#include "base/mem.h"
#include "base/say.h"
#include "command/context.h"
#include "model/verbs.h"
#include "view/json.h"
#include "view/listing.h"
#include "view/rows.h"

struct device_row {
    const struct device *device;
    const struct pci *pci; /* NULL: none, or not read */
};

static const struct device *device_of(const void *row)
{
    return ((const struct device_row *)row)->device;
}

static struct value get_transport(const void *row)
{
    return value_text(transport_text(device_of(row)->transport));
}

static struct value get_fw_ver(const void *row)
{
    const char *version = device_of(row)->fw_ver;
    return value_text(version && *version ? version : NULL);
}

/* "yes", or why not: the name of the error. */
static const char *usable(const struct device_node *node)
{
    return !node->tried ? "no node" : node->err ? strerrorname_np(node->err) : "yes";
}

static struct value get_usable(const void *row)
{
    const struct device_node *node = &device_of(row)->uverbs;
    return value_with_tone(value_text(usable(node)), node->tried && !node->err ? TONE_GOOD : TONE_BAD);
}

static struct value make_umads(const struct cell_context *context, const void *row)
{
    const struct device *device = device_of(row);
    const char **paths = arena_alloc(context->arena, device->numads, sizeof(*paths));
    for (size_t i = 0; i < device->numads; i++)
        paths[i] = device->umads[i].path;
    return value_texts(paths, device->numads);
}

static struct value make_umads_usable(const struct cell_context *context, const void *row)
{
    const struct device *device = device_of(row);
    const char **texts = arena_alloc(context->arena, device->numads, sizeof(*texts));
    for (size_t i = 0; i < device->numads; i++)
        texts[i] = usable(&device->umads[i]);
    return value_texts(texts, device->numads);
}

/* An MTU that libibverbs told of the port. */
static struct num mtu_bytes(const struct verbs_port *port, uint32_t mtu)
{
    unsigned bytes = port && !port->err ? verbs_mtu_bytes(mtu) : 0;
    return bytes ? num_of(bytes) : (struct num){ 0 };
}

static const struct verbs_port *verbs_of(const struct port *port)
{
    return port->device->verbs ? verbs_device_port(port->device->verbs, port->number) : NULL;
}

static struct num active_mtu(const struct port *port)
{
    const struct verbs_port *verbs = verbs_of(port);
    return mtu_bytes(verbs, verbs ? verbs->active_mtu : 0);
}

static struct num max_mtu(const struct port *port)
{
    const struct verbs_port *verbs = verbs_of(port);
    return mtu_bytes(verbs, verbs ? verbs->max_mtu : 0);
}

static bool mtu_differs(const struct port *port)
{
    struct num active = active_mtu(port);
    return active.known && port->roce_mtu.known && active.value != port->roce_mtu.value;
}

/* What the device says, port by port; beside it what the netdev's MTU allows when that is something else. */
static struct value make_mtu(const struct cell_context *context, const void *row)
{
    const struct device *device = device_of(row);
    struct bytes text = { 0 };
    bool differs = false, known = false;
    for (size_t i = 0; i < device->nports; i++) {
        const struct port *port = &device->ports[i];
        struct num active = active_mtu(port);
        known = known || active.known;
        differs = differs || mtu_differs(port);
        bytes_printf(&text, "%s", i ? ", " : "");
        bytes_printf(&text, active.known ? "%" PRIu64 : "-", active.value);
        if (mtu_differs(port))
            bytes_printf(&text, " (expected %" PRIu64 ")", port->roce_mtu.value);
    }
    struct value value = value_text(known ? arena_strdup(context->arena, text.data) : NULL);
    bytes_free(&text);
    return value_with_tone(value, differs ? TONE_WARN : TONE_PLAIN);
}

static json_t *port_json(const struct port *port)
{
    json_t *object = json_object(), *pkeys = json_array();
    json_put_unsigned(object, "port", port->number);
    json_put_text(object, "state", port->state_text);
    json_put_text(object, "phys_state", port->phys_state_text);
    json_put_text(object, "link_layer", port->link_layer_text);
    json_put_text(object, "transport", transport_text(port->transport));
    json_put_text(object, "rate", port->rate_text);
    json_put_num(object, "rate_mbps", port->rate_mbps);
    json_put_num(object, "lid", port->lid);
    json_put_num(object, "sm_lid", port->sm_lid);
    json_put_num(object, "lmc", port->lmc);
    json_put_num(object, "sm_sl", port->sm_sl);
    json_put_num(object, "cap_mask", port->cap_mask);
    json_put_num(object, "gid_table_len", port->gid_table_len);
    json_put_num(object, "gids", num_of(port->ngids));
    json_put_num(object, "pkey_table_len", port->pkey_table_len);
    for (size_t i = 0; i < port->npkeys; i++)
        json_array_append_new(pkeys, json_integer(port->pkeys[i].value));
    json_object_set_new(object, "pkeys", pkeys);
    json_put_text(object, "netdev", port->netdev);
    json_put_num(object, "max_mtu", max_mtu(port));
    json_put_num(object, "active_mtu", active_mtu(port));
    json_put_num(object, "expected_mtu", port->roce_mtu);
    json_put_num(object, "traffic_class", port->traffic_class);
    json_put_num(object, "ttl", port->ttl);
    return object;
}

static struct value get_ports(const void *row)
{
    const struct device *device = device_of(row);
    json_t *array = json_array();
    for (size_t i = 0; i < device->nports; i++)
        json_array_append_new(array, port_json(&device->ports[i]));
    return (struct value){ .type = VALUE_JSON, .json = array };
}

#define MTU_NEEDS (NEED_VERBS | NEED_NETDEV | NEED_NLDEV | NEED_GID_SUMMARY)
#define PORT_NEEDS (MTU_NEEDS | NEED_STATE | NEED_RATE | NEED_IB | NEED_PKEYS | NEED_GIDS | NEED_TC)

static const struct column columns[] = {
    { "device", .help = "RDMA device", MEMBER(struct device_row, device, name) },
    { "index", .help = "the kernel's number for it (nldev)", .flags = COLUMN_HIDDEN, .needs = NEED_NLDEV,
      MEMBER(struct device_row, device, index) },
    { "transport", .help = "RoCE, InfiniBand, iWARP, usNIC, unspecified, or mixed", .get = get_transport },
    { "node_type", .help = "the kernel's node type: CA, RNIC, …", .flags = COLUMN_HIDDEN,
      MEMBER(struct device_row, device, node_type_text) },
    { "node_guid", .help = "GUID of the device", .rank = 2, .needs = NEED_GUIDS,
      MEMBER_AS(VALUE_GUID, struct device_row, device, node_guid) },
    { "sys_image_guid", .help = "GUID of the board: devices of one card share it", .flags = COLUMN_HIDDEN,
      .needs = NEED_GUIDS, MEMBER_AS(VALUE_GUID, struct device_row, device, sys_image_guid) },
    { "fw_ver", "fw", "firmware version", .rank = 3, .needs = NEED_FW, .get = get_fw_ver },
    { "hca_type", .help = "the driver's name for the model", .flags = COLUMN_CUT, .rank = 5,
      .needs = NEED_IDENT, MEMBER(struct device_row, device, hca_type) },
    { "hw_rev", .help = "hardware revision", .flags = COLUMN_HIDDEN, .needs = NEED_IDENT,
      MEMBER(struct device_row, device, hw_rev) },
    { "board_id", "board", "board id (PSID)", .flags = COLUMN_CUT, .rank = 6, .needs = NEED_IDENT,
      MEMBER(struct device_row, device, board_id) },
    { "node_desc", .help = "description, often the host name", .flags = COLUMN_HIDDEN | COLUMN_CUT,
      .needs = NEED_IDENT, MEMBER(struct device_row, device, node_desc) },
    { "driver", .help = "kernel driver", .rank = 1, .needs = NEED_PCI,
      MEMBER(struct device_row, device, driver) },
    { "pci", .help = "PCI address of the function below it", .needs = NEED_PCI,
      MEMBER(struct device_row, device, pci) },
    { "parent", .help = "what it sits on: PCI function, auxiliary device, or a soft device's netdev",
      .flags = COLUMN_HIDDEN, .needs = NEED_PCI, MEMBER(struct device_row, device, parent) },
    { "parent_bus", .help = "pci, auxiliary or virtual", .flags = COLUMN_HIDDEN, .needs = NEED_PCI,
      MEMBER(struct device_row, device, parent_bus) },
    { "vendor_id", .help = "PCI vendor", .flags = COLUMN_HIDDEN, .needs = NEED_PCI,
      MEMBER_HEX(4, struct device_row, pci, vendor) },
    { "device_id", .help = "PCI device", .flags = COLUMN_HIDDEN, .needs = NEED_PCI,
      MEMBER_HEX(4, struct device_row, pci, device) },
    { "numa_node", "numa", "NUMA node, -1: the firmware doesn't say", .rank = 4, .needs = NEED_PCI,
      MEMBER(struct device_row, pci, numa_node) },
    { "link_speed", .help = "PCIe speed in force", .flags = COLUMN_HIDDEN, .needs = NEED_PCI,
      MEMBER(struct device_row, pci, link_speed) },
    { "link_speed_max", .help = "PCIe speed the function is capable of", .flags = COLUMN_HIDDEN,
      .needs = NEED_PCI, MEMBER(struct device_row, pci, link_speed_max) },
    { "link_width", .help = "PCIe lanes in use", .flags = COLUMN_HIDDEN, .needs = NEED_PCI,
      MEMBER(struct device_row, pci, link_width) },
    { "link_width_max", .help = "PCIe lanes the function is capable of", .flags = COLUMN_HIDDEN,
      .needs = NEED_PCI, MEMBER(struct device_row, pci, link_width_max) },
    { "vfs", .help = "SR-IOV virtual functions switched on", .flags = COLUMN_HIDDEN, .needs = NEED_PCI,
      MEMBER(struct device_row, pci, sriov_vfs) },
    { "vfs_max", .help = "SR-IOV virtual functions it can have", .flags = COLUMN_HIDDEN, .needs = NEED_PCI,
      MEMBER(struct device_row, pci, sriov_vfs_max) },
    { "physfn", .help = "of a virtual function: its physical function", .flags = COLUMN_HIDDEN,
      .needs = NEED_PCI, MEMBER(struct device_row, pci, physfn) },
    { "roce_enabled", .help = "RoCE switched on (where the driver tells)", .flags = COLUMN_HIDDEN,
      .needs = NEED_IDENT | NEED_QOS, MEMBER_YES_NO(struct device_row, device, roce_enabled) },
    { "mtu",
      .help =
          "RoCE MTU in bytes, as the device says (it is opened for that), and what the netdev's MTU allows when that differs",
      .rank = 3, .needs = MTU_NEEDS, .make = make_mtu },
    { "uverbs", .help = "device node that applications open", .flags = COLUMN_HIDDEN, .needs = NEED_NODES,
      MEMBER(struct device_row, device, uverbs.path) },
    { "usable", .help = "can this process open it: yes, or the error", .needs = NEED_NODES, .get = get_usable },
    { "abi", .help = "version of the interface between kernel driver and user space provider",
      .flags = COLUMN_HIDDEN, .needs = NEED_NODES, MEMBER(struct device_row, device, uverbs.abi) },
    { "umads", .help = "device nodes for management datagrams", .flags = COLUMN_HIDDEN, .needs = NEED_NODES,
      .type = VALUE_STRINGS, .make = make_umads },
    { "umads_usable", .help = "can this process open each of them: yes, or the error", .flags = COLUMN_HIDDEN,
      .needs = NEED_NODES, .type = VALUE_STRINGS, .make = make_umads_usable },
    { "nports", .help = "number of ports", .flags = COLUMN_HIDDEN,
      MEMBER_AS(VALUE_UNSIGNED, struct device_row, device, nports) },
    { "ports", .help = "its ports: state, rate, LIDs, tables", .flags = COLUMN_JSON_ONLY, .needs = PORT_NEEDS,
      .type = VALUE_JSON, .get = get_ports },
    { 0 },
};

/* --caps: one attribute of a device. */
struct cap_row {
    const struct device *device;
    const char *name;
    struct value value;
};

static struct value get_cap(const void *row)
{
    return ((const struct cap_row *)row)->value;
}

static const struct column cap_columns[] = {
    { "device", .help = "RDMA device", MEMBER(struct cap_row, device, name) },
    { "name", .help = "attribute, by libibverbs' name", MEMBER(struct cap_row, name) },
    { "value", .help = "its value", .flags = COLUMN_WHOLE | COLUMN_RIGHT, .type = VALUE_JSON, .get = get_cap },
    { 0 },
};

struct cap_rows {
    struct arena *arena;
    struct cap_row *items;
    size_t count;
};

static void add_cap(struct cap_rows *rows, const struct device *device, const char *name, struct value value)
{
    *ARENA_PUSH(rows->arena, rows->items, rows->count) = (struct cap_row){ device, name, value };
}

#define CAP_INT(member) value_snum(snum_of(verbs->member))
#define CAP_U32(member) value_unsigned(verbs->member)
#define CAP_HEX(member) value_hex(num_of(verbs->member), 1)
#define ADD_CAP(kind, member, ...) add_cap(rows, device, #member, CAP_##kind(member));

static void add_caps(struct cap_rows *rows, const struct device *device)
{
    const struct verbs_device *verbs = device->verbs;
    add_cap(rows, device, "num_comp_vectors", value_unsigned(verbs->num_comp_vectors));
    VERBS_DEVICE_ATTRS(ADD_CAP)
    VERBS_DEVICE_EX_ATTRS(ADD_CAP)
}

static int run_caps(const struct context *context)
{
    struct cap_rows rows = { .arena = context->host->arena };
    for (size_t i = 0; i < context->host->ndevices; i++) {
        const struct device *device = &context->host->devices[i];
        if (!selection_has_device(&context->selection, device))
            continue;
        if (device->verbs) {
            add_caps(&rows, device);
            continue;
        }
        say_warning("'%s' could not be asked: %s", device->name, say_errno(device->verbs_err));
    }
    if (context->args->look.json) {
        json_print_answer("caps",
                          listing_wanted_json(&context->args->look,
                                              LISTING(context->host, cap_columns, rows.items, rows.count)),
                          context->host);
    } else if (rows.count) {
        listing_table(&context->args->look, LISTING(context->host, cap_columns, rows.items, rows.count));
    } else if (context->host->ndevices == 0) {
        say_note("%s", no_device_text(context->host));
    }
    /* who named a device wanted to know of it; without one, what can't be asked is only said */
    return rows.count == 0 && context->args->noperands ? STATUS_ERROR : STATUS_OK;
}

static const struct option_def options[] = {
    { "caps", 'c', .help = "every attribute that the device tells libibverbs: limits, capabilities",
      .needs = NEED_VERBS, .columns = cap_columns },
    { 0 },
};

static int run(struct context *context)
{
    const struct host *host = context->host;
    struct device_row *rows = NULL;
    size_t count = 0;
    if (args_given(context->args, "caps"))
        return run_caps(context);
    for (size_t i = 0; i < host->ndevices; i++) {
        const struct device *device = &host->devices[i];
        if (selection_has_device(&context->selection, device))
            *ARENA_PUSH(host->arena, rows, count) = (struct device_row){ device,
                                                                         host_find_pci(host, device->pci) };
    }
    context_list(context, rows, count, sizeof(*rows), no_device_text(host));
    return STATUS_OK;
}

const struct command cmd_devices = {
    .name = "devices",
    .group = GROUP_SHOW,
    .operands_text = "[DEVICE|NETDEV]...",
    .operands = OPERANDS_DEVICES,
    .summary = "each RDMA device: GUIDs, firmware, driver, PCI, MTU; --caps",
    .examples = "roce devices\tone line per device\n"
                "roce devices -o +link_speed,link_width\twith the PCIe link\n"
                "roce devices -j mlx5_0\teverything, with ports\n"
                "roce devices --caps mlx5_0\twhat the device can do",
    .options = options,
    .columns = columns,
    .plural = "devices",
    .pages = true,
    .run = run,
};
