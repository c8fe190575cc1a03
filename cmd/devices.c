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
    return value_json(array, "");
}

static const struct column port_columns[] = { PORT_COLUMNS };

static struct value make_ports(const struct cell_context *context, const void *row)
{
    const struct device *device = device_of(row);
    struct port_row *rows = arena_alloc(context->arena, device->nports + 1, sizeof(*rows));
    for (size_t i = 0; i < device->nports; i++)
        rows[i].port = &device->ports[i];
    return value_json(listing_json(LISTING(context->host, port_columns, rows, device->nports)), "");
}

#define MTU_NEEDS (NEED_VERBS | NEED_NETDEV | NEED_NLDEV | NEED_GID_SUMMARY)
#define PORT_NEEDS (MTU_NEEDS | NEED_STATE | NEED_RATE | NEED_IB | NEED_PKEYS | NEED_GIDS | NEED_TC)

const struct column devices_columns[] = { DEVICES_COLUMNS };

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

const struct column cap_columns[] = { CAP_COLUMNS };

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

COMMAND(devices)
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
                                                                         device_function(host, device) };
    }
    context_list(context, rows, count, sizeof(*rows), no_device_text(host));
    return STATUS_OK;
}
