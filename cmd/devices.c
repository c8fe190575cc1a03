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

static const struct pci *pci_of(const void *row)
{
    return ((const struct device_row *)row)->pci;
}

/* A getter for a field of the device or of its PCI function. */
#define DEVICE_GETTER(name, expression)                                                 \
    static struct value get_##name(const struct cell_context *context, const void *row) \
    {                                                                                   \
        (void)context;                                                                  \
        const struct device *device = device_of(row);                                   \
        return expression;                                                              \
    }
#define PCI_GETTER(name, expression)                                                    \
    static struct value get_##name(const struct cell_context *context, const void *row) \
    {                                                                                   \
        (void)context;                                                                  \
        const struct pci *pci = pci_of(row);                                            \
        return pci ? expression : (struct value){ 0 };                                  \
    }

DEVICE_GETTER(device, value_text(device->name))
DEVICE_GETTER(index, value_num(device->index))
DEVICE_GETTER(transport, value_text(transport_text(device->transport)))
DEVICE_GETTER(node_type, value_text(device->node_type_text))
DEVICE_GETTER(node_guid, value_guid(device->node_guid))
DEVICE_GETTER(sys_image_guid, value_guid(device->sys_image_guid))
DEVICE_GETTER(fw_ver, value_text(device->fw_ver && * device->fw_ver ? device->fw_ver : NULL))
DEVICE_GETTER(hw_rev, value_text(device->hw_rev))
DEVICE_GETTER(hca_type, value_text(device->hca_type))
DEVICE_GETTER(board_id, value_text(device->board_id))
DEVICE_GETTER(node_desc, value_text(device->node_desc))
DEVICE_GETTER(driver, value_text(device->driver))
DEVICE_GETTER(pci, value_text(device->pci))
DEVICE_GETTER(parent, value_text(device->parent))
DEVICE_GETTER(parent_bus, value_text(device->parent_bus))
DEVICE_GETTER(roce_enabled, value_tristate(device->roce_enabled))
DEVICE_GETTER(uverbs, value_text(device->uverbs.path))
DEVICE_GETTER(abi, value_num(device->uverbs.abi))
DEVICE_GETTER(nports, value_unsigned(device->nports))
PCI_GETTER(vendor_id, value_hex(pci->vendor, 4))
PCI_GETTER(device_id, value_hex(pci->device, 4))
PCI_GETTER(numa_node, value_snum(pci->numa_node))
PCI_GETTER(link_speed, value_text(pci->link_speed))
PCI_GETTER(link_speed_max, value_text(pci->link_speed_max))
PCI_GETTER(link_width, value_num(pci->link_width))
PCI_GETTER(link_width_max, value_num(pci->link_width_max))
PCI_GETTER(vfs, value_num(pci->sriov_vfs))
PCI_GETTER(vfs_max, value_num(pci->sriov_vfs_max))
PCI_GETTER(physfn, value_text(pci->physfn))

/* "yes", or why not: the name of the error. */
static const char *usable(const struct device_node *node)
{
    return !node->tried ? "no node" : node->err ? strerrorname_np(node->err) : "yes";
}

static struct value get_usable(const struct cell_context *context, const void *row)
{
    (void)context;
    const struct device_node *node = &device_of(row)->uverbs;
    return value_with_tone(value_text(usable(node)), node->tried && !node->err ? TONE_GOOD : TONE_BAD);
}

static struct value get_umads(const struct cell_context *context, const void *row)
{
    const struct device *device = device_of(row);
    const char **paths = arena_alloc(context->arena, device->numads, sizeof(*paths));
    for (size_t i = 0; i < device->numads; i++)
        paths[i] = device->umads[i].path;
    return value_texts(paths, device->numads);
}

static struct value get_umads_usable(const struct cell_context *context, const void *row)
{
    const struct device *device = device_of(row);
    const char **texts = arena_alloc(context->arena, device->numads, sizeof(*texts));
    for (size_t i = 0; i < device->numads; i++)
        texts[i] = usable(&device->umads[i]);
    return value_texts(texts, device->numads);
}

static void set_num(json_t *object, const char *key, struct num num)
{
    json_object_set_new(object, key, num.known ? json_integer((json_int_t)num.value) : json_null());
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
static struct value get_mtu(const struct cell_context *context, const void *row)
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
    json_object_set_new(object, "port", json_integer(port->number));
    json_object_set_new(object, "state", json_text(port->state_text));
    json_object_set_new(object, "phys_state", json_text(port->phys_state_text));
    json_object_set_new(object, "link_layer", json_text(port->link_layer_text));
    json_object_set_new(object, "transport", json_text(transport_text(port->transport)));
    json_object_set_new(object, "rate", json_text(port->rate_text));
    set_num(object, "rate_mbps", port->rate_mbps);
    set_num(object, "lid", port->lid);
    set_num(object, "sm_lid", port->sm_lid);
    set_num(object, "lmc", port->lmc);
    set_num(object, "sm_sl", port->sm_sl);
    set_num(object, "cap_mask", port->cap_mask);
    set_num(object, "gid_table_len", port->gid_table_len);
    set_num(object, "gids", num_of(port->ngids));
    set_num(object, "pkey_table_len", port->pkey_table_len);
    for (size_t i = 0; i < port->npkeys; i++)
        json_array_append_new(pkeys, json_integer(port->pkeys[i].value));
    json_object_set_new(object, "pkeys", pkeys);
    json_object_set_new(object, "netdev", json_text(port->netdev));
    set_num(object, "max_mtu", max_mtu(port));
    set_num(object, "active_mtu", active_mtu(port));
    set_num(object, "expected_mtu", port->roce_mtu);
    set_num(object, "traffic_class", port->traffic_class);
    set_num(object, "ttl", port->ttl);
    return object;
}

static struct value get_ports(const struct cell_context *context, const void *row)
{
    (void)context;
    const struct device *device = device_of(row);
    json_t *array = json_array();
    for (size_t i = 0; i < device->nports; i++)
        json_array_append_new(array, port_json(&device->ports[i]));
    return (struct value){ .type = VALUE_JSON, .json = array };
}

#define MTU_NEEDS (NEED_VERBS | NEED_NETDEV | NEED_NLDEV | NEED_GID_SUMMARY)
#define PORT_NEEDS (MTU_NEEDS | NEED_STATE | NEED_RATE | NEED_IB | NEED_PKEYS | NEED_GIDS | NEED_TC)

static const struct column columns[] = {
    { "device", .help = "RDMA device", .get = get_device },
    { "index", .help = "the kernel's number for it (nldev)", .flags = COLUMN_HIDDEN, .needs = NEED_NLDEV,
      .get = get_index },
    { "transport", .help = "RoCE, InfiniBand, iWARP, usNIC, unspecified, or mixed", .get = get_transport },
    { "node_type", .help = "the kernel's node type: CA, RNIC, …", .flags = COLUMN_HIDDEN,
      .get = get_node_type },
    { "node_guid", .help = "GUID of the device", .rank = 2, .needs = NEED_GUIDS, .get = get_node_guid },
    { "sys_image_guid", .help = "GUID of the board: devices of one card share it", .flags = COLUMN_HIDDEN,
      .needs = NEED_GUIDS, .get = get_sys_image_guid },
    { "fw_ver", "fw", "firmware version", .rank = 3, .needs = NEED_FW, .get = get_fw_ver },
    { "hca_type", .help = "the driver's name for the model", .flags = COLUMN_CUT, .rank = 5,
      .needs = NEED_IDENT, .get = get_hca_type },
    { "hw_rev", .help = "hardware revision", .flags = COLUMN_HIDDEN, .needs = NEED_IDENT, .get = get_hw_rev },
    { "board_id", "board", "board id (PSID)", .flags = COLUMN_CUT, .rank = 6, .needs = NEED_IDENT,
      .get = get_board_id },
    { "node_desc", .help = "description, often the host name", .flags = COLUMN_HIDDEN | COLUMN_CUT,
      .needs = NEED_IDENT, .get = get_node_desc },
    { "driver", .help = "kernel driver", .rank = 1, .needs = NEED_PCI, .get = get_driver },
    { "pci", .help = "PCI address of the function below it", .needs = NEED_PCI, .get = get_pci },
    { "parent", .help = "what it sits on: PCI function, auxiliary device, or a soft device's netdev",
      .flags = COLUMN_HIDDEN, .needs = NEED_PCI, .get = get_parent },
    { "parent_bus", .help = "pci, auxiliary or virtual", .flags = COLUMN_HIDDEN, .needs = NEED_PCI,
      .get = get_parent_bus },
    { "vendor_id", .help = "PCI vendor", .flags = COLUMN_HIDDEN, .needs = NEED_PCI, .get = get_vendor_id },
    { "device_id", .help = "PCI device", .flags = COLUMN_HIDDEN, .needs = NEED_PCI, .get = get_device_id },
    { "numa_node", "numa", "NUMA node, -1: the firmware doesn't say", .rank = 4, .needs = NEED_PCI,
      .get = get_numa_node },
    { "link_speed", .help = "PCIe speed in force", .flags = COLUMN_HIDDEN, .needs = NEED_PCI,
      .get = get_link_speed },
    { "link_speed_max", .help = "PCIe speed the function is capable of", .flags = COLUMN_HIDDEN,
      .needs = NEED_PCI, .get = get_link_speed_max },
    { "link_width", .help = "PCIe lanes in use", .flags = COLUMN_HIDDEN, .needs = NEED_PCI,
      .get = get_link_width },
    { "link_width_max", .help = "PCIe lanes the function is capable of", .flags = COLUMN_HIDDEN,
      .needs = NEED_PCI, .get = get_link_width_max },
    { "vfs", .help = "SR-IOV virtual functions switched on", .flags = COLUMN_HIDDEN, .needs = NEED_PCI,
      .get = get_vfs },
    { "vfs_max", .help = "SR-IOV virtual functions it can have", .flags = COLUMN_HIDDEN, .needs = NEED_PCI,
      .get = get_vfs_max },
    { "physfn", .help = "of a virtual function: its physical function", .flags = COLUMN_HIDDEN,
      .needs = NEED_PCI, .get = get_physfn },
    { "roce_enabled", .help = "RoCE switched on (where the driver tells)", .flags = COLUMN_HIDDEN,
      .needs = NEED_IDENT | NEED_QOS, .get = get_roce_enabled },
    { "mtu",
      .help = "RoCE MTU in bytes, as the device says (it is opened for that), and what the netdev's MTU "
              "allows when that differs",
      .rank = 3, .needs = MTU_NEEDS, .get = get_mtu },
    { "uverbs", .help = "device node that applications open", .flags = COLUMN_HIDDEN, .needs = NEED_NODES,
      .get = get_uverbs },
    { "usable", .help = "can this process open it: yes, or the error", .needs = NEED_NODES, .get = get_usable },
    { "abi", .help = "version of the interface between kernel driver and user space provider",
      .flags = COLUMN_HIDDEN, .needs = NEED_NODES, .get = get_abi },
    { "umads", .help = "device nodes for management datagrams", .flags = COLUMN_HIDDEN, .needs = NEED_NODES,
      .get = get_umads },
    { "umads_usable", .help = "can this process open each of them: yes, or the error", .flags = COLUMN_HIDDEN,
      .needs = NEED_NODES, .get = get_umads_usable },
    { "nports", .help = "number of ports", .flags = COLUMN_HIDDEN, .get = get_nports },
    { "ports", .help = "its ports: state, rate, LIDs, tables", .flags = COLUMN_JSON_ONLY, .needs = PORT_NEEDS,
      .get = get_ports },
    { 0 },
};

/* --caps: one attribute of a device. */
struct cap_row {
    const struct device *device;
    const char *name;
    struct value value;
};

static struct value get_cap_device(const struct cell_context *context, const void *row)
{
    (void)context;
    return value_text(((const struct cap_row *)row)->device->name);
}

static struct value get_cap_name(const struct cell_context *context, const void *row)
{
    (void)context;
    return value_text(((const struct cap_row *)row)->name);
}

static struct value get_cap_value(const struct cell_context *context, const void *row)
{
    (void)context;
    return ((const struct cap_row *)row)->value;
}

static const struct column cap_columns[] = {
    { "device", .help = "RDMA device", .get = get_cap_device },
    { "name", .help = "attribute, by libibverbs' name", .get = get_cap_name },
    { "value", .help = "its value", .flags = COLUMN_WHOLE | COLUMN_RIGHT, .get = get_cap_value },
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

#define CAP_INT(member)                                \
    (struct value)                                     \
    {                                                  \
        .type = VALUE_SIGNED, .integer = verbs->member \
    }
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
        json_t *top = json_envelope();
        json_object_set_new(top, "caps",
                            listing_json(LISTING(context->host, cap_columns, rows.items, rows.count)));
        json_add_problems(top, context->host);
        json_print(top);
    } else if (rows.count) {
        listing_table_of(&context->args->look, LISTING(context->host, cap_columns, rows.items, rows.count),
                         NULL);
    } else if (context->host->ndevices == 0) {
        say_note("%s", no_device_text(context->host));
    }
    /* who named a device wanted to know of it; without one, what can't be asked is only said */
    return rows.count == 0 && context->args->noperands ? STATUS_ERROR : STATUS_OK;
}

static const struct option_def options[] = {
    { "caps", 'c', .help = "every attribute that the device tells libibverbs: limits, capabilities",
      .needs = NEED_VERBS },
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
            *ARENA_PUSH(host->arena, rows,
                        count) = (struct device_row){ device,
                                                      device->pci ? host_find_pci(host, device->pci) : NULL };
    }
    context_list(context, rows, count, sizeof(*rows), no_device_text(host));
    return STATUS_OK;
}

const struct command cmd_devices = {
    .name = "devices",
    .group = GROUP_SHOW,
    .operands_text = "[DEVICE|NETDEV]...",
    .operands = OPERANDS_DEVICES,
    .summary =
        "each RDMA device: GUIDs, firmware, board, driver, PCI, NUMA, MTU, whether it can be opened; --caps",
    .examples = "roce devices\tone line a device\nroce devices -o +link_speed,link_width\tthe PCIe link "
                "beside it\nroce devices -j mlx5_0\teverything, with ports\nroce devices --caps mlx5_0\twhat "
                "the device can do",
    .options = options,
    .columns = columns,
    .plural = "devices",
    .run = run,
};
