/* SPDX-License-Identifier: MIT */
/* The table of attributes, and what computes those that don't lie in a structure as they are. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "model/attribute.h"
#include "model/counters.h"
#include "model/qos.h"
#include "model/route.h"

typedef const struct cell_context context_t;

/* -- lists ----------------------------------------------------------------------------------------------- */

struct texts {
    struct arena *arena;
    const char **items;
    size_t count;
};

static void add_text(struct texts *texts, const char *text)
{
    *ARENA_PUSH(texts->arena, texts->items, texts->count) = text;
}

static bool has_text(const struct texts *texts, const char *text)
{
    for (size_t i = 0; i < texts->count; i++)
        if (strcmp(texts->items[i], text) == 0)
            return true;
    return false;
}

static struct value texts_if(bool known, const struct texts *texts)
{
    return known ? value_texts(texts->items, texts->count) : NO_VALUE;
}

static struct value number_if(bool known, uint64_t number)
{
    return value_num(num_if(known, number));
}

/* The numbers of the bits that are set, of a priority each. */
static struct value bits(context_t *context, unsigned mask)
{
    uint64_t *numbers = arena_alloc(context->arena, PRIORITIES, sizeof(*numbers));
    size_t count = 0;
    for (unsigned i = 0; i < PRIORITIES; i++)
        if (mask & 1U << i)
            numbers[count++] = i;
    return value_numbers(numbers, count);
}

/* -- of the host ----------------------------------------------------------------------------------------- */

static struct value get_rdma_netns(const void *object)
{
    static const char *const words[] = { "exclusive", "shared" };
    return value_text(NUM_WORD(words, ((const struct host *)object)->system.netns_mode));
}

static struct value get_device_count(const void *object)
{
    const struct host *host = object;
    return number_if(!host_devices_unknown(host), host->ndevices);
}

static struct value make_memlock(context_t *context, const void *object)
{
    struct num limit = ((const struct host *)object)->system.memlock_soft;
    return num_is(limit, UINT64_MAX) ? value_text("unlimited")
           : limit.known             ? value_text(arena_printf(context->arena, "%" PRIu64, limit.value))
                                     : NO_VALUE;
}

static struct value get_libraries(const void *object)
{
    const struct system *system = &((const struct host *)object)->system;
    return system->providers_known ? value_texts(system->providers, system->nproviders) : NO_VALUE;
}

/* What is loaded besides is a matter of what a host is used for at the moment. */
static struct value make_modules(context_t *context, const void *object)
{
    static const char *const names[] = { "gdrdrv",   "ib_uverbs", "nv_peer_mem", "nvidia_peermem",
                                         "rdma_ucm", "rdma_rxe",  "siw" };
    const struct system *system = &((const struct host *)object)->system;
    struct texts texts = { .arena = context->arena };
    for (size_t i = 0; i < ARRAY_SIZE(names); i++)
        if (system_has_module(system, names[i]))
            add_text(&texts, names[i]);
    return texts_if(system->modules_known, &texts);
}

static struct value make_environment(context_t *context, const void *object)
{
    const struct system *system = &((const struct host *)object)->system;
    struct texts texts = { .arena = context->arena };
    for (size_t i = 0; i < system->nenvironment; i++)
        add_text(&texts, arena_printf(context->arena, "%s=%s", system->environment[i].name,
                                      system->environment[i].value));
    return texts_if(system->environment_known, &texts);
}

/* Of one file the first line of a name holds; a user's file and the machine's may both have it. */
static struct value make_settings(context_t *context, const void *object)
{
    const struct system *system = &((const struct host *)object)->system;
    struct texts texts = { .arena = context->arena };
    for (size_t i = 0; i < system->nsettings; i++) {
        const struct setting *setting = &system->settings[i];
        if (setting->file && setting->value)
            add_text(&texts,
                     arena_printf(context->arena, "%s %s=%s", setting->file, setting->name, setting->value));
    }
    return texts_if(system->environment_known, &texts);
}

/* A range has a tab in it. */
static void add_sysctl(struct texts *texts, const char *name, const char *text)
{
    char *line = arena_printf(texts->arena, "%s=%s", name, text);
    for (char *tab = line; (tab = strchr(tab, '\t'));)
        *tab = ' ';
    add_text(texts, line);
}

static struct value make_sysctls(context_t *context, const void *object)
{
    const struct system *system = &((const struct host *)object)->system;
    struct texts texts = { .arena = context->arena };
    for (size_t i = 0; i < system->nsysctls; i++) {
        const struct sysctl *sysctl = &system->sysctls[i];
        if (!strstr(sysctl->name, "/conf/") || strstr(sysctl->name, "/conf/all/"))
            add_sysctl(&texts, sysctl->name, sysctl->value);
    }
    return texts_if(system->nsysctls > 0, &texts);
}

/* -- of a device ----------------------------------------------------------------------------------------- */

static struct value get_fw_ver(const void *object)
{
    const char *version = ((const struct device *)object)->fw_ver;
    return value_text(version && *version ? version : NULL);
}

static struct value get_device_transport(const void *object)
{
    return value_text(transport_text(((const struct device *)object)->transport));
}

/* Of the driver, where devlink doesn't say. */
static struct value make_roce_enabled(context_t *context, const void *object)
{
    const char *source;
    return value_tristate(device_roce_parameter(context->host, object, &source));
}

static struct value get_pci(const void *object)
{
    const struct device *device = object;
    return device->pci || !device->parent_bus ? value_text(device->pci) : NO_SUCH_VALUE;
}

/* Redirects a bridge above it what goes from one function to another? Bits of the control register that do
 * are P2P Request Redirect, Completion Redirect and Egress Control (linux/pci_regs.h). */
static struct value make_acs(context_t *context, const void *object)
{
    enum { REDIRECTS = 0x04 | 0x08 | 0x20, MOST_BRIDGES = 32 };
    const struct pci *pci = host_find_pci(context->host, ((const struct device *)object)->pci);
    enum tristate acs = TRI_UNKNOWN;
    for (int i = 0; pci && i < MOST_BRIDGES && acs != TRI_YES; i++) {
        pci = host_find_pci(context->host, pci->upstream);
        if (pci && (pci->acs.known || pci->acs_err == ENODATA))
            acs = tri_of(pci->acs.known && pci->acs.value & REDIRECTS);
        else if (pci)
            return NO_VALUE;
    }
    return value_tristate(acs);
}

/* -- of a port ------------------------------------------------------------------------------------------- */

static struct value get_port_transport(const void *object)
{
    return value_text(transport_text(((const struct port *)object)->transport));
}

static struct value get_state(const void *object)
{
    const struct port *port = object;
    return value_with_tone(value_text(port->state_text), port_is_active(port) ? TONE_GOOD : TONE_BAD);
}

static struct value get_link_layer(const void *object)
{
    return value_text(link_layer_text(((const struct port *)object)->link_layer));
}

/* "4X" of "100 Gb/sec (4X EDR)" */
static struct value make_width(context_t *context, const void *object)
{
    const char *rate = ((const struct port *)object)->rate_text;
    const char *at = rate ? strchr(rate, '(') : NULL;
    size_t len = at ? strspn(at + 1, "0123456789") : 0;
    return len && at[1 + len] == 'X' ? value_text(arena_strndup(context->arena, at + 1, len + 1)) : NO_VALUE;
}

static struct value make_port_netdev(context_t *context, const void *object)
{
    return port_has_no_netdev(context->host, object) ? NO_SUCH_VALUE
                                                     : value_text(((const struct port *)object)->netdev);
}

static struct value make_mtu(context_t *context, const void *object)
{
    const struct port *port = object;
    return port_has_no_netdev(context->host, port) && port_is_roce(port) ? NO_SUCH_VALUE
                                                                         : value_num(port->roce_mtu);
}

/* Does a route lead through a router by its netdev? Then peers of other subnets can perhaps be reached. */
static struct value make_routed(context_t *context, const void *object)
{
    const struct host *host = context->host;
    const char *netdev = ((const struct port *)object)->netdev;
    if (!host->routes_known || !netdev)
        return NO_VALUE;
    bool routed = false;
    for (size_t i = 0; i < host->nroutes && !routed; i++)
        routed = host->routes[i].has_gateway && text_is(host->routes[i].netdev, netdev);
    return value_tristate(tri_of(routed));
}

/* Types say nothing where none is told, and an empty table nothing where it wasn't read. */
static bool knows_gids(const struct port *port)
{
    return port->ngids ? port_tells_types(port) : port->gid_table_len.known;
}

static struct value make_gid_types(context_t *context, const void *object)
{
    const struct port *port = object;
    struct texts texts = { .arena = context->arena };
    for (size_t i = 0; i < port->ngids; i++) {
        const char *kind = gid_kind(&port->gids[i]);
        if (kind && !has_text(&texts, kind))
            add_text(&texts, kind);
    }
    return texts_if(knows_gids(port), &texts);
}

static struct value get_routable_v2(const void *object)
{
    return value_tristate(knows_gids(object) ? tri_of(port_first_routable(object) != NULL) : TRI_UNKNOWN);
}

static struct value no_routable(const struct port *port)
{
    return knows_gids(port) ? NO_SUCH_VALUE : NO_VALUE;
}

static struct value get_gid_index(const void *object)
{
    const struct gid *gid = port_first_routable(object);
    return gid ? value_unsigned(gid->index) : no_routable(object);
}

static struct value make_vlan(context_t *context, const void *object)
{
    const struct gid *gid = port_first_routable(object);
    const struct netdev *netdev = gid ? gid_netdev(context->host, gid) : NULL;
    const struct netdev *vlan = netdev ? netdev_vlan(context->host, netdev) : NULL;
    return !gid ? no_routable(object) : vlan ? value_num(vlan->vlan_id) : number_if(netdev != NULL, 0);
}

static const struct qos *qos_of(context_t *context, const void *port)
{
    const struct netdev *netdev = port_netdev(context->host, port);
    return netdev ? host_find_qos(context->host, netdev) : NULL;
}

static struct value make_pfc(context_t *context, const void *object)
{
    const struct qos *qos = qos_of(context, object);
    return qos && qos->dcb.has_pfc ? bits(context, qos->dcb.pfc_enabled) : NO_VALUE;
}

static struct value make_trust(context_t *context, const void *object)
{
    const struct qos *qos = qos_of(context, object);
    return value_text(qos ? qos_trust_text(qos_trust(qos)) : NULL);
}

static struct value make_default_priority(context_t *context, const void *object)
{
    const struct qos *qos = qos_of(context, object);
    return qos && qos->dcb.apps_known ? value_unsigned(qos_default_priority(qos)) : NO_VALUE;
}

/* "50 50 0 0 0 0 strict strict": what each traffic class is given, ETS in percent */
static struct value make_ets(context_t *context, const void *object)
{
    const struct qos *qos = qos_of(context, object);
    const char *text = "";
    if (!qos || !qos->dcb.has_ets)
        return NO_VALUE;
    for (unsigned i = 0; i < PRIORITIES; i++) {
        uint8_t tsa = qos->dcb.tc_tsa[i];
        const char *name = qos_tsa_text(tsa), *blank = i ? " " : "";
        if (tsa == QOS_TSA_ETS)
            text = arena_printf(context->arena, "%s%s%u", text, blank, qos->dcb.tc_bandwidth[i]);
        else
            text = arena_printf(context->arena, "%s%s%s", text, blank, name ? name : "unknown");
    }
    return value_text(text);
}

static struct value make_priority_tc(context_t *context, const void *object)
{
    const struct qos *qos = qos_of(context, object);
    const char *text = "";
    if (!qos || !qos->dcb.has_ets)
        return NO_VALUE;
    for (unsigned i = 0; i < PRIORITIES; i++)
        text = arena_printf(context->arena, "%s%s%u", text, i ? " " : "", qos->dcb.priority_tc[i]);
    return value_text(text);
}

/* "24-31:3 48:6": the DSCPs that an entry of the APP table names, and the priority of each. */
static struct value make_dscp_priority(context_t *context, const void *object)
{
    const struct qos *qos = qos_of(context, object);
    const char *text = "";
    if (!qos || !qos->dcb.apps_known)
        return NO_VALUE;
    for (unsigned dscp = 0, end; dscp < DSCPS; dscp = end) {
        bool mapped, too, same = true;
        unsigned priority = qos_dscp_priority(qos, dscp, &mapped);
        for (end = dscp + 1; end < DSCPS && same; end += same)
            same = qos_dscp_priority(qos, end, &too) == priority && too == mapped;
        const char *blank = *text ? " " : "";
        if (mapped && end - dscp > 1)
            text = arena_printf(context->arena, "%s%s%u-%u:%u", text, blank, dscp, end - 1, priority);
        else if (mapped)
            text = arena_printf(context->arena, "%s%s%u:%u", text, blank, dscp, priority);
    }
    return value_text(text);
}

static struct value switches(context_t *context, const enum tristate *switches)
{
    unsigned mask = 0;
    for (unsigned i = 0; switches && i < PRIORITIES; i++) {
        if (switches[i] == TRI_UNKNOWN)
            return NO_VALUE;
        mask |= (unsigned)(switches[i] == TRI_YES) << i;
    }
    return switches ? bits(context, mask) : NO_VALUE;
}

static struct value make_ecn_rp(context_t *context, const void *object)
{
    const struct netdev *netdev = port_netdev(context->host, object);
    return switches(context, netdev ? netdev->ecn_enabled : NULL);
}

static struct value make_ecn_np(context_t *context, const void *object)
{
    const struct netdev *netdev = port_netdev(context->host, object);
    return switches(context, netdev ? netdev->ecn_np : NULL);
}

static struct value make_pause(context_t *context, const void *object)
{
    static const char *const words[] = { "off", "rx", "tx", "rx tx" };
    const struct qos *qos = qos_of(context, object);
    if (!qos || qos->ethtool.pause_rx == TRI_UNKNOWN || qos->ethtool.pause_tx == TRI_UNKNOWN)
        return NO_VALUE;
    return value_text(words[(qos->ethtool.pause_rx == TRI_YES) + 2 * (qos->ethtool.pause_tx == TRI_YES)]);
}

static struct value make_fec(context_t *context, const void *object)
{
    const struct qos *qos = qos_of(context, object);
    return value_text(qos ? qos->ethtool.fec_active : NULL);
}

/* -1: the driver could force one, and doesn't. */
static struct value get_traffic_class(const void *object)
{
    const struct port *port = object;
    struct num class = port->traffic_class;
    return port->has_tc ? value_snum(snum_of(class.known ? (int64_t) class.value : -1)) : NO_VALUE;
}

/* "arp_ignore=1": those of its netdev */
static struct value make_port_sysctls(context_t *context, const void *object)
{
    const char *netdev = ((const struct port *)object)->netdev;
    const struct system *system = &context->host->system;
    const char *before = arena_printf(context->arena, "net/ipv4/conf/%s/", netdev ? netdev : "");
    struct texts texts = { .arena = context->arena };
    for (size_t i = 0; netdev && i < system->nsysctls; i++)
        if (text_starts(system->sysctls[i].name, before))
            add_sysctl(&texts, system->sysctls[i].name + strlen(before), system->sysctls[i].value);
    return texts_if(texts.count > 0, &texts);
}

static struct value get_cm_mode(const void *object)
{
    struct num mode = ((const struct port *)object)->cm_mode;
    return value_text(mode.known ? gid_type_text((enum gid_type)mode.value) : NULL);
}

static bool counts_errors(const struct counter *counter)
{
    return counter->def && counter->def->severity == COUNTER_ERROR && counter->def->kind == COUNTER_TOTAL &&
           counter->raw.known;
}

static struct value make_errors(context_t *context, const void *object)
{
    const struct port *port = object;
    struct texts texts = { .arena = context->arena };
    bool known = false;
    for (size_t i = 0; i < port->ncounters; i++) {
        const struct counter *counter = &port->counters[i];
        known |= counts_errors(counter);
        if (counts_errors(counter) && counter->raw.value)
            add_text(&texts, arena_printf(context->arena, "%s=%" PRIu64, counter->name,
                                          counter_value(counter->def, counter->raw.value)));
    }
    return texts_if(known, &texts);
}

/* -- of a netdev ----------------------------------------------------------------------------------------- */

static struct value get_netdev_state(const void *object)
{
    const char *state = ((const struct netdev *)object)->operstate;
    bool down = state && strstr(state, "down");
    return value_with_tone(value_text(state), text_is(state, "up") ? TONE_GOOD : down ? TONE_BAD : TONE_PLAIN);
}

static struct value make_addresses(context_t *context, const void *object)
{
    const struct netdev *netdev = object;
    struct texts texts = { .arena = context->arena };
    for (size_t i = 0; i < netdev->naddresses; i++) {
        char text[64];
        address_format(&netdev->addresses[i], text);
        add_text(&texts, arena_strdup(context->arena, text));
    }
    return texts_if(netdev->addresses_known, &texts);
}

/* Where its routable addresses are at home: what puts ports of hosts on one rail. */
static struct value make_subnets(context_t *context, const void *object)
{
    const struct netdev *netdev = object;
    struct texts texts = { .arena = context->arena };
    for (size_t i = 0; i < netdev->naddresses; i++) {
        struct address net = netdev->addresses[i];
        char text[64];
        if (!address_is_routable(&net))
            continue;
        for (unsigned bit = net.prefix; bit < sizeof(net.raw) * 8; bit++)
            net.raw[bit / 8] &= (uint8_t) ~(0x80U >> bit % 8);
        address_format(&net, text);
        if (!has_text(&texts, text))
            add_text(&texts, arena_strdup(context->arena, text));
    }
    return texts_if(netdev->addresses_known, &texts);
}

static struct value make_bond(context_t *context, const void *object)
{
    const struct netdev *netdev = object;
    const struct netdev *above = netdev->master ? host_find_netdev(context->host, netdev->master) : netdev;
    return value_text(above && above->bond ? above->bond->mode_text : "none");
}

static struct value get_members(const void *object)
{
    const struct netdev *netdev = object;
    bool has_members = netdev->kind == NETDEV_BOND || netdev->kind == NETDEV_BRIDGE;
    return has_members ? value_texts(netdev->members, netdev->nmembers) : NO_VALUE;
}

static struct value get_member_state(const void *object)
{
    static const char *const words[] = { "active", "backup" };
    const struct netdev *netdev = object;
    return value_text(netdev->member ? NUM_WORD(words, netdev->member->state) : NULL);
}

/* LACP: the bond sends through the members of one aggregator only. */
static struct value make_lacp(context_t *context, const void *object)
{
    const struct netdev *netdev = object, *master = host_find_netdev(context->host, netdev->master);
    if (!netdev->member || !netdev->member->aggregator.known || !master || !master->bond ||
        !master->bond->ad_aggregator.known)
        return NO_VALUE;
    bool in_use = netdev->member->aggregator.value == master->bond->ad_aggregator.value;
    return value_with_tone(value_text(in_use ? "in use" : "left out"), in_use ? TONE_GOOD : TONE_BAD);
}

/* -- of a GID -------------------------------------------------------------------------------------------- */

static struct value make_gid(context_t *context, const void *object)
{
    char *text = arena_alloc(context->arena, 1, GID_TEXT_SIZE);
    gid_format(((const struct gid *)object)->raw, text);
    return value_text(text);
}

static struct value get_gid_type(const void *object)
{
    const struct gid *gid = object;
    return value_with_tone(value_text(gid_kind(gid)), gid->type == GID_TYPE_ROCE_V2 ? TONE_GOOD : TONE_PLAIN);
}

static struct value make_gid_address(context_t *context, const void *object)
{
    return value_text(gid_address_text(context->arena, ((const struct gid *)object)->raw));
}

static struct value get_scope(const void *object)
{
    return value_text(gid_is_routable(((const struct gid *)object)->raw) ? "global" : "link");
}

/* -- the table ------------------------------------------------------------------------------------------- */

enum {
    COMPARED = ATTRIBUTE_COMPARED,
    OWN = ATTRIBUTE_COMPARED | ATTRIBUTE_OWN,
    PASSING = ATTRIBUTE_COMPARED | ATTRIBUTE_PASSING,
    PATTERN = ATTRIBUTE_COMPARED | ATTRIBUTE_PATTERN,
    ALWAYS = ATTRIBUTE_ALWAYS,
};
#define NETDEV_NEEDS (NEED_NETDEV | NEED_NLDEV | NEED_GID_SUMMARY)

/* A row: what of, its name in enum attribute_id, key, help, flags, needs, and where the value comes from. */
#define ATTRIBUTE_ROW(kind, name, key_, help_, flags_, needs_, ...)                                        \
    [ATTR_##kind##_##name] = {                                                                             \
        .key = (key_), .help = (help_), .of = OF_##kind, .flags = (flags_), .needs = (needs_), __VA_ARGS__ \
    }
#define HOST(...) ATTRIBUTE_ROW(HOST, __VA_ARGS__)
#define DEVICE(...) ATTRIBUTE_ROW(DEVICE, __VA_ARGS__)
#define PCI(...) ATTRIBUTE_ROW(PCI, __VA_ARGS__)
#define PORT(...) ATTRIBUTE_ROW(PORT, __VA_ARGS__)
#define NETDEV(...) ATTRIBUTE_ROW(NETDEV, __VA_ARGS__)
#define GID(...) ATTRIBUTE_ROW(GID, __VA_ARGS__)

const struct attribute attributes[ATTRIBUTES] = {
    HOST(KERNEL, "kernel", "release of the kernel", COMPARED, NEED_SYSTEM, MEMBER(struct host, system.kernel)),
    HOST(OS, "os", "name and version of the distribution", COMPARED, NEED_SYSTEM,
         MEMBER(struct host, system.os_name)),
    HOST(RDMA_NETNS, "rdma_netns", "shared: RDMA devices are in all network namespaces; exclusive: in one each",
         COMPARED, NEED_NLDEV, .get = get_rdma_netns),
    HOST(DEVICE_COUNT, "device_count", "how many RDMA devices there are", COMPARED, 0, .type = VALUE_UNSIGNED,
         .get = get_device_count),
    HOST(MEMLOCK, "memlock", "bytes that the process that ran roce may lock, or unlimited", PASSING,
         NEED_SYSTEM, .make = make_memlock),
    HOST(LIBRARIES, "libraries", "providers of libibverbs that are installed", COMPARED, NEED_SYSTEM,
         .type = VALUE_STRINGS, .get = get_libraries),
    HOST(MODULES, "modules",
         "those that are loaded of gdrdrv, ib_uverbs, nv_peer_mem, nvidia_peermem, rdma_ucm, rdma_rxe and siw",
         COMPARED, NEED_SYSTEM, .type = VALUE_STRINGS, .make = make_modules),
    HOST(ENVIRONMENT, "environment", "variables of RDMA libraries that roce was run with, as NAME=VALUE",
         PASSING, NEED_ENVIRONMENT, .type = VALUE_STRINGS, .make = make_environment),
    HOST(SETTINGS, "settings", "lines of files that RDMA libraries read: FILE NAME=VALUE", COMPARED,
         NEED_ENVIRONMENT, .type = VALUE_STRINGS, .make = make_settings),
    HOST(SYSCTLS, "sysctls", "those of the host that matter to RoCE, as NAME=VALUE", COMPARED, NEED_SYSTEM,
         .type = VALUE_STRINGS, .make = make_sysctls),

    DEVICE(NAME, "device", "RDMA device", PATTERN | ALWAYS, 0, MEMBER(struct device, name)),
    DEVICE(INDEX, "index", "the kernel's number for it (nldev)", 0, NEED_NLDEV, MEMBER(struct device, index)),
    DEVICE(COUNT, "count", "of an expectation: how many devices the object names", COMPARED, 0,
           .type = VALUE_UNSIGNED),
    DEVICE(BOARD_ID, "board_id", "board id (PSID)", COMPARED, NEED_IDENT, .heading = "board",
           MEMBER(struct device, board_id)),
    DEVICE(HCA_TYPE, "hca_type", "the driver's name for the model", COMPARED, NEED_IDENT,
           MEMBER(struct device, hca_type)),
    DEVICE(HW_REV, "hw_rev", "hardware revision", COMPARED, NEED_IDENT, MEMBER(struct device, hw_rev)),
    DEVICE(FW_VER, "fw_ver", "firmware version", COMPARED, NEED_FW, .heading = "fw", .get = get_fw_ver),
    DEVICE(NODE_DESC, "node_desc", "description, often the host name", 0, NEED_IDENT,
           MEMBER(struct device, node_desc)),
    DEVICE(DRIVER, "driver", "kernel driver", COMPARED, NEED_PCI, MEMBER(struct device, driver)),
    DEVICE(TRANSPORT, "transport", "RoCE, InfiniBand, iWARP, usNIC, unspecified, or mixed", COMPARED, 0,
           .get = get_device_transport),
    DEVICE(NODE_TYPE, "node_type", "the kernel's node type: CA, RNIC, …", 0, 0,
           MEMBER(struct device, node_type_text)),
    DEVICE(ROCE_ENABLED, "roce_enabled", "RoCE switched on (where the driver tells)", COMPARED,
           NEED_IDENT | NEED_QOS, .type = VALUE_BOOLEAN, .make = make_roce_enabled),
    DEVICE(PCI, "pci", "PCI address of the function below it", COMPARED, NEED_PCI, .get = get_pci),
    DEVICE(PARENT, "parent", "what it sits on: PCI function, auxiliary device, or a soft device's netdev", 0,
           NEED_PCI, MEMBER(struct device, parent)),
    DEVICE(PARENT_BUS, "parent_bus", "pci, auxiliary or virtual", 0, NEED_PCI,
           MEMBER(struct device, parent_bus)),
    DEVICE(UVERBS, "uverbs", "device node that applications open", 0, NEED_NODES,
           MEMBER(struct device, uverbs.path)),
    DEVICE(ABI, "abi", "version of the interface between kernel driver and user space provider", 0, NEED_NODES,
           MEMBER(struct device, uverbs.abi)),
    DEVICE(NPORTS, "nports", "number of ports", ALWAYS, 0, MEMBER_AS(VALUE_UNSIGNED, struct device, nports)),
    PCI(VENDOR_ID, "vendor_id", "PCI vendor", 0, NEED_PCI, MEMBER_HEX(4, struct pci, vendor)),
    PCI(DEVICE_ID, "device_id", "PCI device", 0, NEED_PCI, MEMBER_HEX(4, struct pci, device)),
    PCI(LINK_SPEED, "link_speed", "PCIe speed in force", COMPARED, NEED_PCI, MEMBER(struct pci, link_speed)),
    PCI(LINK_SPEED_MAX, "link_speed_max", "PCIe speed the function is capable of", 0, NEED_PCI,
        MEMBER(struct pci, link_speed_max)),
    PCI(LINK_WIDTH, "link_width", "PCIe lanes in use", COMPARED, NEED_PCI, MEMBER(struct pci, link_width)),
    PCI(LINK_WIDTH_MAX, "link_width_max", "PCIe lanes the function is capable of", 0, NEED_PCI,
        MEMBER(struct pci, link_width_max)),
    PCI(VFS, "vfs", "SR-IOV virtual functions switched on", 0, NEED_PCI, MEMBER(struct pci, sriov_vfs)),
    PCI(VFS_MAX, "vfs_max", "SR-IOV virtual functions it can have", 0, NEED_PCI,
        MEMBER(struct pci, sriov_vfs_max)),
    PCI(PHYSFN, "physfn", "of a virtual function: its physical function", 0, NEED_PCI,
        MEMBER(struct pci, physfn)),
    PCI(NUMA_NODE, "numa_node", "NUMA node, -1: the firmware doesn't say", COMPARED, NEED_PCI,
        .heading = "numa", MEMBER(struct pci, numa_node)),
    PCI(IOMMU, "iommu", "type of its IOMMU domain: identity doesn't translate, DMA and DMA-FQ do", COMPARED,
        NEED_CONFIG, MEMBER(struct pci, iommu_type)),
    PCI(MPS, "mps", "largest payload of a PCIe packet, in bytes", COMPARED, NEED_CONFIG,
        MEMBER(struct pci, payload)),
    PCI(MRRS, "mrrs", "largest PCIe read request, in bytes", COMPARED, NEED_CONFIG,
        MEMBER(struct pci, read_request)),
    PCI(RELAXED_ORDERING, "relaxed_ordering", "whether PCIe writes may overtake each other", COMPARED,
        NEED_CONFIG, MEMBER_YES_NO(struct pci, relaxed_ordering)),
    DEVICE(ACS, "acs", "whether ACS of a bridge above sends what goes to another function up to the root port",
           COMPARED, NEED_CONFIG, .type = VALUE_BOOLEAN, .make = make_acs),
    DEVICE(NODE_GUID, "node_guid", "GUID of the device", OWN, NEED_GUIDS,
           MEMBER_AS(VALUE_GUID, struct device, node_guid)),
    DEVICE(SYS_IMAGE_GUID, "sys_image_guid", "GUID of the board: devices of one card share it", 0, NEED_GUIDS,
           MEMBER_AS(VALUE_GUID, struct device, sys_image_guid)),

    PORT(DEVICE, "device", "RDMA device", PATTERN | ALWAYS, 0, MEMBER(struct port, device, name)),
    PORT(NUMBER, "port", "port number, from 1", COMPARED | ALWAYS, 0,
         MEMBER_AS(VALUE_UNSIGNED, struct port, number)),
    PORT(COUNT, "count", "of an expectation: how many ports the object names", COMPARED, 0,
         .type = VALUE_UNSIGNED),
    PORT(NETDEV, "netdev", "network interface of the port", PATTERN, NETDEV_NEEDS, .make = make_port_netdev),
    PORT(TRANSPORT, "transport", "RoCE, InfiniBand, iWARP, usNIC or unspecified", 0, 0,
         .get = get_port_transport),
    PORT(STATE, "state", "logical state: ACTIVE carries traffic", COMPARED, NEED_STATE, .get = get_state),
    PORT(PHYS_STATE, "phys_state", "physical state: LinkUp, Polling (no signal), Disabled", 0, NEED_STATE,
         MEMBER(struct port, phys_state_text)),
    PORT(LINK_LAYER, "link_layer", "Ethernet or InfiniBand", COMPARED, 0, .get = get_link_layer),
    PORT(RATE_MBPS, "rate_mbps", "signalling rate of the port", COMPARED, NEED_RATE, .heading = "rate",
         MEMBER_AS(VALUE_MBPS, struct port, rate_mbps)),
    PORT(RATE_TEXT, "rate_text", "the rate as the kernel writes it: 100 Gb/sec (4X EDR)", 0, NEED_RATE,
         MEMBER(struct port, rate_text)),
    PORT(WIDTH, "width", "lanes of the link: 4X", COMPARED, NEED_RATE, .make = make_width),
    PORT(MTU, "mtu", "RoCE MTU in bytes, expected from the netdev's MTU (devices asks the device)", COMPARED,
         NETDEV_NEEDS, .type = VALUE_UNSIGNED, .make = make_mtu),
    PORT(LID, "lid", "local identifier; 0 on RoCE", 0, NEED_IB, MEMBER(struct port, lid)),
    PORT(SM_LID, "sm_lid", "InfiniBand: LID of the subnet manager", 0, NEED_IB, MEMBER(struct port, sm_lid)),
    PORT(LMC, "lmc", "InfiniBand: LID mask control", 0, NEED_IB, MEMBER(struct port, lmc)),
    PORT(SM_SL, "sm_sl", "InfiniBand: service level to the subnet manager", 0, NEED_IB,
         MEMBER(struct port, sm_sl)),
    PORT(CAP_MASK, "cap_mask", "capability mask", 0, NEED_IB, MEMBER(struct port, cap_mask)),
    PORT(GID_TABLE_LEN, "gid_table_len", "slots of the GID table", 0, NEED_GIDS,
         MEMBER(struct port, gid_table_len)),
    PORT(PKEY_TABLE_LEN, "pkey_table_len", "slots of the partition key table", 0, NEED_PKEYS,
         MEMBER(struct port, pkey_table_len)),
    NETDEV(NAME, "netdev", "network interface", 0, NETDEV_NEEDS, MEMBER(struct netdev, name)),
    NETDEV(KIND, "kind", "physical, vlan, bond, bridge, macvlan, ipoib, representor, …", 0, NETDEV_NEEDS,
           MEMBER(struct netdev, kind_text)),
    NETDEV(LOWER, "lower", "of a VLAN or macvlan: the netdev below", 0, NETDEV_NEEDS,
           MEMBER(struct netdev, lower)),
    NETDEV(VLAN_ID, "vlan_id", "VLAN id", 0, NETDEV_NEEDS, .heading = "vlan", MEMBER(struct netdev, vlan_id)),
    NETDEV(STATE, "netdev_state", "operational state of the netdev", 0, NETDEV_NEEDS, .get = get_netdev_state),
    NETDEV(CARRIER, "carrier", "is there a signal", 0, NETDEV_NEEDS, MEMBER_YES_NO(struct netdev, carrier)),
    NETDEV(SPEED_MBPS, "speed_mbps", "speed of the netdev", 0, NETDEV_NEEDS, .heading = "speed",
           MEMBER_AS(VALUE_MBPS, struct netdev, speed_mbps)),
    NETDEV(DUPLEX, "duplex", "full or half", 0, NETDEV_NEEDS, MEMBER(struct netdev, duplex)),
    NETDEV(MTU, "netdev_mtu", "MTU of the netdev in bytes", COMPARED, NETDEV_NEEDS, MEMBER(struct netdev, mtu)),
    NETDEV(IFINDEX, "ifindex", "number of the interface", 0, NETDEV_NEEDS, MEMBER(struct netdev, ifindex)),
    NETDEV(MAC, "mac", "hardware address", OWN, NETDEV_NEEDS, MEMBER(struct netdev, mac)),
    NETDEV(ADDRESSES, "addresses", "IP addresses (null: netlink did not answer)", OWN, NEED_ADDRESSES,
           .type = VALUE_STRINGS, .make = make_addresses),
    NETDEV(SUBNETS, "subnets", "the subnets of its routable addresses", OWN, NEED_ADDRESSES,
           .type = VALUE_STRINGS, .make = make_subnets),
    NETDEV(MASTER, "master", "the bond or bridge above", 0, NETDEV_NEEDS, MEMBER(struct netdev, master)),
    NETDEV(BOND_MODE, "bond_mode", "of a bond: 802.3ad, active-backup, …", 0, NETDEV_NEEDS,
           MEMBER(struct netdev, bond, mode_text)),
    NETDEV(MEMBERS, "members", "of a bond or bridge: the netdevs below", 0, NETDEV_NEEDS, .type = VALUE_STRINGS,
           .get = get_members),
    NETDEV(MEMBER_STATE, "member_state", "of a bond's member: active or backup", 0, NETDEV_NEEDS,
           .get = get_member_state),
    NETDEV(MII_STATUS, "mii_status", "of a bond's member: up, going down, down, going back", 0, NETDEV_NEEDS,
           MEMBER(struct netdev, member, mii_status)),
    NETDEV(LACP, "lacp", "of an 802.3ad bond's member: in use, or left out of the active aggregator", 0,
           NETDEV_NEEDS, .make = make_lacp),
    NETDEV(IPOIB_MODE, "ipoib_mode", "of an IPoIB interface: datagram or connected", 0, NETDEV_NEEDS,
           MEMBER(struct netdev, ipoib_mode)),
    NETDEV(IPOIB_PKEY, "ipoib_pkey", "of an IPoIB interface: its partition key", 0, NETDEV_NEEDS,
           MEMBER_HEX(4, struct netdev, ipoib_pkey)),
    NETDEV(VRF_TABLE, "vrf_table", "of a VRF: the routing table of what is in it", 0, NETDEV_NEEDS,
           MEMBER(struct netdev, vrf_table)),
    NETDEV(DRIVER, "driver", "kernel driver", 0, NETDEV_NEEDS, MEMBER(struct netdev, driver)),
    NETDEV(DEV_PORT, "dev_port", "number of the port on its PCI function, from 0", 0, NETDEV_NEEDS,
           MEMBER(struct netdev, dev_port)),
    NETDEV(DEV_ID, "dev_id", "the older form of dev_port", 0, NETDEV_NEEDS, MEMBER(struct netdev, dev_id)),
    NETDEV(PHYS_PORT_NAME, "phys_port_name", "switchdev's name for the port: p0, pf0vf1", 0, NETDEV_NEEDS,
           MEMBER(struct netdev, phys_port_name)),
    PORT(ROUTED, "routed", "whether a route leads by the netdev to a gateway", COMPARED, NEED_ROUTES,
         .type = VALUE_BOOLEAN, .make = make_routed),
    NETDEV(BOND, "bond", "mode of the bond that the netdev is, or is in; none", COMPARED, NETDEV_NEEDS,
           .make = make_bond),
    PORT(GID_TYPES, "gid_types", "types of the filled GIDs: RoCE v2, IB/RoCE v1", COMPARED, NEED_GIDS,
         .type = VALUE_STRINGS, .make = make_gid_types),
    PORT(ROUTABLE_V2, "routable_v2", "whether there is a RoCE v2 GID that can be routed", COMPARED, NEED_GIDS,
         .type = VALUE_BOOLEAN, .get = get_routable_v2),
    PORT(GID_INDEX, "gid_index", "index of the first such GID", COMPARED, NEED_GIDS, .type = VALUE_UNSIGNED,
         .get = get_gid_index),
    PORT(VLAN, "vlan", "VLAN of that GID; 0: its frames have no tag", COMPARED, NEED_GIDS | NEED_NETDEV_ALL,
         .type = VALUE_UNSIGNED, .make = make_vlan),
    PORT(PFC, "pfc", "priorities with PFC", COMPARED, NEED_QOS, .type = VALUE_NUMBERS, .make = make_pfc),
    PORT(TRUST, "trust", "what priorities go by: dscp, pcp", COMPARED, NEED_QOS, .make = make_trust),
    PORT(DEFAULT_PRIORITY, "default_priority", "priority of frames that say nothing", COMPARED, NEED_QOS,
         .type = VALUE_UNSIGNED, .make = make_default_priority),
    PORT(DSCP_PRIORITY, "dscp_priority", "which DSCPs have which priority: 24-31:3 48:6", COMPARED, NEED_QOS,
         .make = make_dscp_priority),
    PORT(PRIORITY_TC, "priority_tc", "the traffic class of each priority, from 0 on", COMPARED, NEED_QOS,
         .make = make_priority_tc),
    PORT(ETS, "ets", "the share of each traffic class in percent, from 0 on, or strict, cbs, vendor", COMPARED,
         NEED_QOS, .make = make_ets),
    PORT(ECN_RP, "ecn_rp", "priorities on which it slows down when congestion is notified", COMPARED, NEED_QOS,
         .type = VALUE_NUMBERS, .make = make_ecn_rp),
    PORT(ECN_NP, "ecn_np", "priorities on which it notifies congestion", COMPARED, NEED_QOS,
         .type = VALUE_NUMBERS, .make = make_ecn_np),
    PORT(PAUSE, "pause", "link-level pause frames: off, rx, tx, rx tx", COMPARED, NEED_QOS, .make = make_pause),
    PORT(FEC, "fec", "forward error correction in force", COMPARED, NEED_QOS, .make = make_fec),
    PORT(TRAFFIC_CLASS, "traffic_class",
         "traffic class that the driver forces on every packet, 0 to 255; -1: none", COMPARED, NEED_TC,
         .type = VALUE_SIGNED, .get = get_traffic_class),
    PORT(TTL, "ttl", "TTL that the driver forces on every packet; null: none", 0, NEED_TC,
         MEMBER(struct port, ttl)),
    PORT(SYSCTLS, "sysctls", "those of the netdev, as NAME=VALUE", COMPARED, NEED_SYSTEM, .type = VALUE_STRINGS,
         .make = make_port_sysctls),
    PORT(CM_MODE, "cm_mode", "RDMA_CM's default: RoCE v2, IB/RoCE v1", COMPARED, NEED_MODE, .get = get_cm_mode),
    PORT(CM_TOS, "cm_tos", "RDMA_CM's default TOS byte", COMPARED, NEED_MODE, MEMBER(struct port, cm_tos)),
    PORT(ERRORS, "errors", "counters of errors that aren't 0, as NAME=VALUE, since whenever they began",
         OWN | PASSING, NEED_COUNTERS, .type = VALUE_STRINGS, .make = make_errors),

    GID(INDEX, "index",
        "slot of the GID table: what NCCL_IB_GID_INDEX, ib_write_bw -x and ibv_rc_pingpong -g take", ALWAYS, 0,
        MEMBER_AS(VALUE_UNSIGNED, struct gid, index)),
    GID(GID, "gid", "the GID itself, as sysfs prints it", 0, 0, .make = make_gid),
    GID(TYPE, "type",
        "RoCE v2 (UDP, can be routed), IB/RoCE v1 (Ethernet only; also what InfiniBand and iWARP show)", 0, 0,
        .get = get_gid_type),
    GID(ADDRESS, "address", "the IP address that the GID stands for", 0, 0, .make = make_gid_address),
    GID(NETDEV, "netdev", "interface that the GID belongs to", 0, 0, MEMBER(struct gid, netdev)),
    GID(SCOPE, "scope", "link: reaches the same Ethernet segment only; global: can be routed", 0, 0,
        .get = get_scope),
};
