/* SPDX-License-Identifier: MIT */
/* roce devices: what ibstat and ibv_devinfo show, in one format. */
#include "command/context.h"
#include "model/verbs.h"
#include "view/json.h"
#include "view/listing.h"
#include "view/rows.h"

struct device_row {
    const struct device *device;
    const struct pci *pci; /* NULL if none, or not read */
};

static const struct device *device_of(const void *row)
{
    return ((const struct device_row *)row)->device;
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

/* An MTU that libibverbs reports for the port. */
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

/* The smallest among its ports. */
static struct value least_mtu(const struct device *device)
{
    struct num least = { 0 };
    for (size_t i = 0; i < device->nports; i++) {
        struct num active = active_mtu(&device->ports[i]);
        least = active.known && (!least.known || active.value < least.value) ? active : least;
    }
    return value_num(least);
}

/* What the device reports: for people port by port, with what the netdev's MTU allows if that differs. */
static struct value make_mtu(const struct cell_context *context, const void *row)
{
    const struct device *device = device_of(row);
    struct bytes text = { 0 };
    bool differs = false, known = false;
    if (!context->for_people)
        return least_mtu(device);
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

static struct value get_active_mtu(const void *row)
{
    return value_num(active_mtu(((const struct port_row *)row)->port));
}

static struct value get_max_mtu(const void *row)
{
    return value_num(max_mtu(((const struct port_row *)row)->port));
}

static struct value get_pkeys(const void *row)
{
    const struct port *port = ((const struct port_row *)row)->port;
    json_t *array = json_array();
    for (size_t i = 0; i < port->npkeys; i++)
        json_array_append_new(array, json_integer(port->pkeys[i].value));
    return (struct value){ .type = VALUE_JSON, .json = array };
}

#define OF_PORT_ROW(id)                 \
    {                                   \
        ATTR(id, struct port_row, port) \
    }
static const struct column port_columns[] = {
    OF_PORT_ROW(PORT_NUMBER),
    OF_PORT_ROW(PORT_STATE),
    OF_PORT_ROW(PORT_PHYS_STATE),
    OF_PORT_ROW(PORT_LINK_LAYER),
    OF_PORT_ROW(PORT_TRANSPORT),
    OF_PORT_ROW(PORT_RATE_TEXT),
    OF_PORT_ROW(PORT_RATE_MBPS),
    OF_PORT_ROW(PORT_LID),
    OF_PORT_ROW(PORT_SM_LID),
    OF_PORT_ROW(PORT_LMC),
    OF_PORT_ROW(PORT_SM_SL),
    OF_PORT_ROW(PORT_CAP_MASK),
    OF_PORT_ROW(PORT_GID_TABLE_LEN),
    { "ngids", .help = "filled ones", MEMBER_AS(VALUE_UNSIGNED, struct port_row, port, ngids) },
    OF_PORT_ROW(PORT_PKEY_TABLE_LEN),
    { "pkeys", .help = "filled ones", .type = VALUE_JSON, .get = get_pkeys },
    OF_PORT_ROW(PORT_NETDEV),
    { "max_mtu", .help = "the largest RoCE MTU that the device is capable of, in bytes", .type = VALUE_UNSIGNED,
      .get = get_max_mtu },
    { "active_mtu", .help = "the RoCE MTU in force, as the device says, in bytes", .type = VALUE_UNSIGNED,
      .get = get_active_mtu },
    { .key = "expected_mtu", ATTR(PORT_MTU, struct port_row, port) },
    OF_PORT_ROW(PORT_TRAFFIC_CLASS),
    OF_PORT_ROW(PORT_TTL),
    { 0 },
};

static struct value make_ports(const struct cell_context *context, const void *row)
{
    const struct device *device = device_of(row);
    struct port_row *rows = arena_alloc(context->arena, device->nports + 1, sizeof(*rows));
    for (size_t i = 0; i < device->nports; i++)
        rows[i].port = &device->ports[i];
    return (struct value){ .type = VALUE_JSON,
                           .json = listing_json(LISTING(context->host, port_columns, rows, device->nports)) };
}

#define MTU_NEEDS (NEED_VERBS | NEED_NETDEV | NEED_NLDEV | NEED_GID_SUMMARY)
#define PORT_NEEDS (MTU_NEEDS | NEED_STATE | NEED_RATE | NEED_IB | NEED_PKEYS | NEED_GIDS | NEED_TC)

static const struct column columns[] = {
    { ATTR(DEVICE_NAME, struct device_row, device) },
    { ATTR(DEVICE_INDEX, struct device_row, device), .flags = COLUMN_HIDDEN },
    { ATTR(DEVICE_TRANSPORT, struct device_row, device) },
    { ATTR(DEVICE_NODE_TYPE, struct device_row, device), .flags = COLUMN_HIDDEN },
    { ATTR(DEVICE_NODE_GUID, struct device_row, device), .rank = 2 },
    { ATTR(DEVICE_SYS_IMAGE_GUID, struct device_row, device), .flags = COLUMN_HIDDEN },
    { ATTR(DEVICE_FW_VER, struct device_row, device), .rank = 3 },
    { ATTR(DEVICE_HCA_TYPE, struct device_row, device), .flags = COLUMN_CUT, .rank = 5 },
    { ATTR(DEVICE_HW_REV, struct device_row, device), .flags = COLUMN_HIDDEN },
    { ATTR(DEVICE_BOARD_ID, struct device_row, device), .flags = COLUMN_CUT, .rank = 6 },
    { ATTR(DEVICE_NODE_DESC, struct device_row, device), .flags = COLUMN_HIDDEN | COLUMN_CUT },
    { ATTR(DEVICE_DRIVER, struct device_row, device), .rank = 1 },
    { ATTR(DEVICE_PCI, struct device_row, device) },
    { ATTR(DEVICE_PARENT, struct device_row, device), .flags = COLUMN_HIDDEN },
    { ATTR(DEVICE_PARENT_BUS, struct device_row, device), .flags = COLUMN_HIDDEN },
    { ATTR(PCI_VENDOR_ID, struct device_row, pci), .flags = COLUMN_HIDDEN },
    { ATTR(PCI_DEVICE_ID, struct device_row, pci), .flags = COLUMN_HIDDEN },
    { ATTR(PCI_NUMA_NODE, struct device_row, pci), .rank = 4 },
    { ATTR(PCI_LINK_SPEED, struct device_row, pci), .flags = COLUMN_HIDDEN },
    { ATTR(PCI_LINK_SPEED_MAX, struct device_row, pci), .flags = COLUMN_HIDDEN },
    { ATTR(PCI_LINK_WIDTH, struct device_row, pci), .flags = COLUMN_HIDDEN },
    { ATTR(PCI_LINK_WIDTH_MAX, struct device_row, pci), .flags = COLUMN_HIDDEN },
    { ATTR(PCI_VFS, struct device_row, pci), .flags = COLUMN_HIDDEN },
    { ATTR(PCI_VFS_MAX, struct device_row, pci), .flags = COLUMN_HIDDEN },
    { ATTR(PCI_PHYSFN, struct device_row, pci), .flags = COLUMN_HIDDEN },
    { ATTR(DEVICE_ROCE_ENABLED, struct device_row, device), .flags = COLUMN_HIDDEN },
    { "mtu",
      .help = "RoCE MTU in bytes, as the device says (it is opened for that), and what the netdev's MTU allows "
              "when that differs",
      .rank = 3, .needs = MTU_NEEDS, .type = VALUE_UNSIGNED, .make = make_mtu },
    { ATTR(DEVICE_UVERBS, struct device_row, device), .flags = COLUMN_HIDDEN },
    { "usable", .help = "can this process open it: yes, or the error", .needs = NEED_NODES, .get = get_usable },
    { ATTR(DEVICE_ABI, struct device_row, device), .flags = COLUMN_HIDDEN },
    { "umads", .help = "device nodes for management datagrams", .flags = COLUMN_HIDDEN, .needs = NEED_NODES,
      .type = VALUE_STRINGS, .make = make_umads },
    { "umads_usable", .help = "can this process open each of them: yes, or the error", .flags = COLUMN_HIDDEN,
      .needs = NEED_NODES, .type = VALUE_STRINGS, .make = make_umads_usable },
    { ATTR(DEVICE_NPORTS, struct device_row, device), .flags = COLUMN_HIDDEN },
    { "ports", .help = "its ports: state, rate, LIDs, tables", .flags = COLUMN_JSON_ONLY, .needs = PORT_NEEDS,
      .type = VALUE_JSON, .make = make_ports },
    { 0 },
};

/* For --caps: one attribute of a device. */
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
    { ATTR(DEVICE_NAME, struct cap_row, device) },
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
    if (verbs->comp_cntr_known) {
        ADD_CAP(U32, max_comp_cntr)
        ADD_CAP(U32, comp_cntr_attach_ops)
    }
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
    /* for a device that the user named it is an error; without one, the warnings are enough */
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
    .options = options,
    .columns = columns,
    .plural = "devices",
    .pages = true,
    .run = run,
};
