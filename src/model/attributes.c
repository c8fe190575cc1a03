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
    return value_with_tone(value_text(state), text_is(state, "up") ? TONE_GOOD
                                              : down               ? TONE_BAD
                                                                   : TONE_PLAIN);
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

const struct attribute attributes[ATTRIBUTES] = {
    [ATTR_HOST_KERNEL] = { "kernel", NULL, "release of the kernel", OF_HOST, COMPARED, NEED_SYSTEM,
                           MEMBER(struct host, system.kernel) },
    [ATTR_HOST_OS] = { "os", NULL, "name and version of the distribution", OF_HOST, COMPARED, NEED_SYSTEM,
                       MEMBER(struct host, system.os_name) },
    [ATTR_HOST_RDMA_NETNS] = { "rdma_netns", NULL,
                               "shared: RDMA devices are in all network namespaces; exclusive: in one each",
                               OF_HOST, COMPARED, NEED_NLDEV, .get = get_rdma_netns },
    [ATTR_HOST_DEVICE_COUNT] = { "device_count", NULL, "how many RDMA devices there are", OF_HOST, COMPARED,
                                 0, .type = VALUE_UNSIGNED, .get = get_device_count },
    [ATTR_HOST_MEMLOCK] = { "memlock", NULL, "bytes that the process that ran roce may lock, or unlimited",
                            OF_HOST, PASSING, NEED_SYSTEM, .make = make_memlock },
    [ATTR_HOST_LIBRARIES] = { "libraries", NULL, "providers of libibverbs that are installed", OF_HOST,
                              COMPARED, NEED_SYSTEM, .type = VALUE_STRINGS, .get = get_libraries },
    [ATTR_HOST_MODULES] = { "modules", NULL,
                            "those that are loaded of gdrdrv, ib_uverbs, nv_peer_mem, nvidia_peermem, rdma_ucm, rdma_rxe and siw",
                            OF_HOST, COMPARED, NEED_SYSTEM, .type = VALUE_STRINGS, .make = make_modules },
    [ATTR_HOST_ENVIRONMENT] = { "environment", NULL,
                                "variables of RDMA libraries that roce was run with, as NAME=VALUE", OF_HOST,
                                PASSING, NEED_ENVIRONMENT, .type = VALUE_STRINGS, .make = make_environment },
    [ATTR_HOST_SETTINGS] = { "settings", NULL, "lines of files that RDMA libraries read: FILE NAME=VALUE",
                             OF_HOST, COMPARED, NEED_ENVIRONMENT, .type = VALUE_STRINGS,
                             .make = make_settings },
    [ATTR_HOST_SYSCTLS] = { "sysctls", NULL, "those of the host that matter to RoCE, as NAME=VALUE", OF_HOST,
                            COMPARED, NEED_SYSTEM, .type = VALUE_STRINGS, .make = make_sysctls },

    [ATTR_DEVICE_NAME] = { "device", NULL, "RDMA device", OF_DEVICE, PATTERN | ALWAYS, 0,
                           MEMBER(struct device, name) },
    [ATTR_DEVICE_INDEX] = { "index", NULL, "the kernel's number for it (nldev)", OF_DEVICE, 0, NEED_NLDEV,
                            MEMBER(struct device, index) },
    [ATTR_DEVICE_COUNT] = { "count", NULL, "of an expectation: how many devices the object names", OF_DEVICE,
                            COMPARED, 0, .type = VALUE_UNSIGNED },
    [ATTR_DEVICE_BOARD_ID] = { "board_id", "board", "board id (PSID)", OF_DEVICE, COMPARED, NEED_IDENT,
                               MEMBER(struct device, board_id) },
    [ATTR_DEVICE_HCA_TYPE] = { "hca_type", NULL, "the driver's name for the model", OF_DEVICE, COMPARED,
                               NEED_IDENT, MEMBER(struct device, hca_type) },
    [ATTR_DEVICE_HW_REV] = { "hw_rev", NULL, "hardware revision", OF_DEVICE, COMPARED, NEED_IDENT,
                             MEMBER(struct device, hw_rev) },
    [ATTR_DEVICE_FW_VER] = { "fw_ver", "fw", "firmware version", OF_DEVICE, COMPARED, NEED_FW,
                             .get = get_fw_ver },
    [ATTR_DEVICE_NODE_DESC] = { "node_desc", NULL, "description, often the host name", OF_DEVICE, 0,
                                NEED_IDENT, MEMBER(struct device, node_desc) },
    [ATTR_DEVICE_DRIVER] = { "driver", NULL, "kernel driver", OF_DEVICE, COMPARED, NEED_PCI,
                             MEMBER(struct device, driver) },
    [ATTR_DEVICE_TRANSPORT] = { "transport", NULL, "RoCE, InfiniBand, iWARP, usNIC, unspecified, or mixed",
                                OF_DEVICE, COMPARED, 0, .get = get_device_transport },
    [ATTR_DEVICE_NODE_TYPE] = { "node_type", NULL, "the kernel's node type: CA, RNIC, …", OF_DEVICE, 0, 0,
                                MEMBER(struct device, node_type_text) },
    [ATTR_DEVICE_ROCE_ENABLED] = { "roce_enabled", NULL, "RoCE switched on (where the driver tells)",
                                   OF_DEVICE, COMPARED, NEED_IDENT | NEED_QOS, .type = VALUE_BOOLEAN,
                                   .make = make_roce_enabled },
    [ATTR_DEVICE_PCI] = { "pci", NULL, "PCI address of the function below it", OF_DEVICE, COMPARED, NEED_PCI,
                          .get = get_pci },
    [ATTR_DEVICE_PARENT] = { "parent", NULL,
                             "what it sits on: PCI function, auxiliary device, or a soft device's netdev",
                             OF_DEVICE, 0, NEED_PCI, MEMBER(struct device, parent) },
    [ATTR_DEVICE_PARENT_BUS] = { "parent_bus", NULL, "pci, auxiliary or virtual", OF_DEVICE, 0, NEED_PCI,
                                 MEMBER(struct device, parent_bus) },
    [ATTR_DEVICE_UVERBS] = { "uverbs", NULL, "device node that applications open", OF_DEVICE, 0, NEED_NODES,
                             MEMBER(struct device, uverbs.path) },
    [ATTR_DEVICE_ABI] = { "abi", NULL, "version of the interface between kernel driver and user space provider",
                          OF_DEVICE, 0, NEED_NODES, MEMBER(struct device, uverbs.abi) },
    [ATTR_DEVICE_NPORTS] = { "nports", NULL, "number of ports", OF_DEVICE, ALWAYS, 0,
                             MEMBER_AS(VALUE_UNSIGNED, struct device, nports) },
    [ATTR_PCI_VENDOR_ID] = { "vendor_id", NULL, "PCI vendor", OF_PCI, 0, NEED_PCI,
                             MEMBER_HEX(4, struct pci, vendor) },
    [ATTR_PCI_DEVICE_ID] = { "device_id", NULL, "PCI device", OF_PCI, 0, NEED_PCI,
                             MEMBER_HEX(4, struct pci, device) },
    [ATTR_PCI_LINK_SPEED] = { "link_speed", NULL, "PCIe speed in force", OF_PCI, COMPARED, NEED_PCI,
                              MEMBER(struct pci, link_speed) },
    [ATTR_PCI_LINK_SPEED_MAX] = { "link_speed_max", NULL, "PCIe speed the function is capable of", OF_PCI, 0,
                                  NEED_PCI, MEMBER(struct pci, link_speed_max) },
    [ATTR_PCI_LINK_WIDTH] = { "link_width", NULL, "PCIe lanes in use", OF_PCI, COMPARED, NEED_PCI,
                              MEMBER(struct pci, link_width) },
    [ATTR_PCI_LINK_WIDTH_MAX] = { "link_width_max", NULL, "PCIe lanes the function is capable of", OF_PCI, 0,
                                  NEED_PCI, MEMBER(struct pci, link_width_max) },
    [ATTR_PCI_VFS] = { "vfs", NULL, "SR-IOV virtual functions switched on", OF_PCI, 0, NEED_PCI,
                       MEMBER(struct pci, sriov_vfs) },
    [ATTR_PCI_VFS_MAX] = { "vfs_max", NULL, "SR-IOV virtual functions it can have", OF_PCI, 0, NEED_PCI,
                           MEMBER(struct pci, sriov_vfs_max) },
    [ATTR_PCI_PHYSFN] = { "physfn", NULL, "of a virtual function: its physical function", OF_PCI, 0, NEED_PCI,
                          MEMBER(struct pci, physfn) },
    [ATTR_PCI_NUMA_NODE] = { "numa_node", "numa", "NUMA node, -1: the firmware doesn't say", OF_PCI, COMPARED,
                             NEED_PCI, MEMBER(struct pci, numa_node) },
    [ATTR_PCI_IOMMU] = { "iommu", NULL,
                         "type of its IOMMU domain: identity doesn't translate, DMA and DMA-FQ do", OF_PCI,
                         COMPARED, NEED_CONFIG, MEMBER(struct pci, iommu_type) },
    [ATTR_PCI_MPS] = { "mps", NULL, "largest payload of a PCIe packet, in bytes", OF_PCI, COMPARED,
                       NEED_CONFIG, MEMBER(struct pci, payload) },
    [ATTR_PCI_MRRS] = { "mrrs", NULL, "largest PCIe read request, in bytes", OF_PCI, COMPARED, NEED_CONFIG,
                        MEMBER(struct pci, read_request) },
    [ATTR_PCI_RELAXED_ORDERING] = { "relaxed_ordering", NULL, "whether PCIe writes may overtake each other",
                                    OF_PCI, COMPARED, NEED_CONFIG,
                                    MEMBER_YES_NO(struct pci, relaxed_ordering) },
    [ATTR_DEVICE_ACS] = { "acs", NULL,
                          "whether ACS of a bridge above sends what goes to another function up to the root port",
                          OF_DEVICE, COMPARED, NEED_CONFIG, .type = VALUE_BOOLEAN, .make = make_acs },
    [ATTR_DEVICE_NODE_GUID] = { "node_guid", NULL, "GUID of the device", OF_DEVICE, OWN, NEED_GUIDS,
                                MEMBER_AS(VALUE_GUID, struct device, node_guid) },
    [ATTR_DEVICE_SYS_IMAGE_GUID] = { "sys_image_guid", NULL,
                                     "GUID of the board: devices of one card share it", OF_DEVICE, 0,
                                     NEED_GUIDS, MEMBER_AS(VALUE_GUID, struct device, sys_image_guid) },

    [ATTR_PORT_DEVICE] = { "device", NULL, "RDMA device", OF_PORT, PATTERN | ALWAYS, 0,
                           MEMBER(struct port, device, name) },
    [ATTR_PORT_NUMBER] = { "port", NULL, "port number, from 1", OF_PORT, COMPARED | ALWAYS, 0,
                           MEMBER_AS(VALUE_UNSIGNED, struct port, number) },
    [ATTR_PORT_COUNT] = { "count", NULL, "of an expectation: how many ports the object names", OF_PORT,
                          COMPARED, 0, .type = VALUE_UNSIGNED },
    [ATTR_PORT_NETDEV] = { "netdev", NULL, "network interface of the port", OF_PORT, PATTERN, NETDEV_NEEDS,
                           .make = make_port_netdev },
    [ATTR_PORT_TRANSPORT] = { "transport", NULL, "RoCE, InfiniBand, iWARP, usNIC or unspecified", OF_PORT, 0,
                              0, .get = get_port_transport },
    [ATTR_PORT_STATE] = { "state", NULL, "logical state: ACTIVE carries traffic", OF_PORT, COMPARED,
                          NEED_STATE, .get = get_state },
    [ATTR_PORT_PHYS_STATE] = { "phys_state", NULL, "physical state: LinkUp, Polling (no signal), Disabled",
                               OF_PORT, 0, NEED_STATE, MEMBER(struct port, phys_state_text) },
    [ATTR_PORT_LINK_LAYER] = { "link_layer", NULL, "Ethernet or InfiniBand", OF_PORT, COMPARED, 0,
                               .get = get_link_layer },
    [ATTR_PORT_RATE_MBPS] = { "rate_mbps", "rate", "signalling rate of the port", OF_PORT, COMPARED,
                              NEED_RATE, MEMBER_AS(VALUE_MBPS, struct port, rate_mbps) },
    [ATTR_PORT_RATE_TEXT] = { "rate_text", NULL, "the rate as the kernel writes it: 100 Gb/sec (4X EDR)",
                              OF_PORT, 0, NEED_RATE, MEMBER(struct port, rate_text) },
    [ATTR_PORT_WIDTH] = { "width", NULL, "lanes of the link: 4X", OF_PORT, COMPARED, NEED_RATE,
                          .make = make_width },
    [ATTR_PORT_MTU] = { "mtu", NULL,
                        "RoCE MTU in bytes, expected from the netdev's MTU (devices asks the device)",
                        OF_PORT, COMPARED, NETDEV_NEEDS, .type = VALUE_UNSIGNED, .make = make_mtu },
    [ATTR_PORT_LID] = { "lid", NULL, "InfiniBand: local identifier", OF_PORT, 0, NEED_IB,
                        MEMBER(struct port, lid) },
    [ATTR_PORT_SM_LID] = { "sm_lid", NULL, "InfiniBand: LID of the subnet manager", OF_PORT, 0, NEED_IB,
                           MEMBER(struct port, sm_lid) },
    [ATTR_PORT_LMC] = { "lmc", NULL, "InfiniBand: LID mask control", OF_PORT, 0, NEED_IB,
                        MEMBER(struct port, lmc) },
    [ATTR_PORT_SM_SL] = { "sm_sl", NULL, "InfiniBand: service level to the subnet manager", OF_PORT, 0,
                          NEED_IB, MEMBER(struct port, sm_sl) },
    [ATTR_PORT_CAP_MASK] = { "cap_mask", NULL, "capability mask", OF_PORT, 0, NEED_IB,
                             MEMBER(struct port, cap_mask) },
    [ATTR_PORT_GID_TABLE_LEN] = { "gid_table_len", NULL, "slots of the GID table", OF_PORT, 0, NEED_GIDS,
                                  MEMBER(struct port, gid_table_len) },
    [ATTR_PORT_PKEY_TABLE_LEN] = { "pkey_table_len", NULL, "slots of the partition key table", OF_PORT, 0,
                                   NEED_PKEYS, MEMBER(struct port, pkey_table_len) },
    [ATTR_NETDEV_NAME] = { "netdev", NULL, "network interface", OF_NETDEV, 0, NETDEV_NEEDS,
                           MEMBER(struct netdev, name) },
    [ATTR_NETDEV_KIND] = { "kind", NULL, "physical, vlan, bond, bridge, macvlan, ipoib, representor, …",
                           OF_NETDEV, 0, NETDEV_NEEDS, MEMBER(struct netdev, kind_text) },
    [ATTR_NETDEV_LOWER] = { "lower", NULL, "of a VLAN or macvlan: the netdev below", OF_NETDEV, 0,
                            NETDEV_NEEDS, MEMBER(struct netdev, lower) },
    [ATTR_NETDEV_VLAN_ID] = { "vlan_id", "vlan", "VLAN id", OF_NETDEV, 0, NETDEV_NEEDS,
                              MEMBER(struct netdev, vlan_id) },
    [ATTR_NETDEV_STATE] = { "netdev_state", NULL, "operational state of the netdev", OF_NETDEV, 0,
                            NETDEV_NEEDS, .get = get_netdev_state },
    [ATTR_NETDEV_CARRIER] = { "carrier", NULL, "is there a signal", OF_NETDEV, 0, NETDEV_NEEDS,
                              MEMBER_YES_NO(struct netdev, carrier) },
    [ATTR_NETDEV_SPEED_MBPS] = { "speed_mbps", "speed", "speed of the netdev", OF_NETDEV, 0, NETDEV_NEEDS,
                                 MEMBER_AS(VALUE_MBPS, struct netdev, speed_mbps) },
    [ATTR_NETDEV_DUPLEX] = { "duplex", NULL, "full or half", OF_NETDEV, 0, NETDEV_NEEDS,
                             MEMBER(struct netdev, duplex) },
    [ATTR_NETDEV_MTU] = { "netdev_mtu", NULL, "MTU of the netdev in bytes", OF_NETDEV, COMPARED, NETDEV_NEEDS,
                          MEMBER(struct netdev, mtu) },
    [ATTR_NETDEV_IFINDEX] = { "ifindex", NULL, "number of the interface", OF_NETDEV, 0, NETDEV_NEEDS,
                              MEMBER(struct netdev, ifindex) },
    [ATTR_NETDEV_MAC] = { "mac", NULL, "hardware address", OF_NETDEV, OWN, NETDEV_NEEDS,
                          MEMBER(struct netdev, mac) },
    [ATTR_NETDEV_ADDRESSES] = { "addresses", NULL, "IP addresses (null: netlink did not answer)", OF_NETDEV,
                                OWN, NEED_ADDRESSES, .type = VALUE_STRINGS, .make = make_addresses },
    [ATTR_NETDEV_SUBNETS] = { "subnets", NULL, "the subnets of its routable addresses", OF_NETDEV, OWN,
                              NEED_ADDRESSES, .type = VALUE_STRINGS, .make = make_subnets },
    [ATTR_NETDEV_MASTER] = { "master", NULL, "the bond or bridge above", OF_NETDEV, 0, NETDEV_NEEDS,
                             MEMBER(struct netdev, master) },
    [ATTR_NETDEV_BOND_MODE] = { "bond_mode", NULL, "of a bond: 802.3ad, active-backup, …", OF_NETDEV, 0,
                                NETDEV_NEEDS, MEMBER(struct netdev, bond, mode_text) },
    [ATTR_NETDEV_MEMBERS] = { "members", NULL, "of a bond or bridge: the netdevs below", OF_NETDEV, 0,
                              NETDEV_NEEDS, .type = VALUE_STRINGS, .get = get_members },
    [ATTR_NETDEV_MEMBER_STATE] = { "member_state", NULL, "of a bond's member: active or backup", OF_NETDEV, 0,
                                   NETDEV_NEEDS, .get = get_member_state },
    [ATTR_NETDEV_MII_STATUS] = { "mii_status", NULL, "of a bond's member: up, going down, down, going back",
                                 OF_NETDEV, 0, NETDEV_NEEDS, MEMBER(struct netdev, member, mii_status) },
    [ATTR_NETDEV_LACP] = { "lacp", NULL,
                           "of an 802.3ad bond's member: in use, or left out of the active aggregator",
                           OF_NETDEV, 0, NETDEV_NEEDS, .make = make_lacp },
    [ATTR_NETDEV_IPOIB_MODE] = { "ipoib_mode", NULL, "of an IPoIB interface: datagram or connected",
                                 OF_NETDEV, 0, NETDEV_NEEDS, MEMBER(struct netdev, ipoib_mode) },
    [ATTR_NETDEV_IPOIB_PKEY] = { "ipoib_pkey", NULL, "of an IPoIB interface: its partition key", OF_NETDEV, 0,
                                 NETDEV_NEEDS, MEMBER_HEX(4, struct netdev, ipoib_pkey) },
    [ATTR_NETDEV_DRIVER] = { "driver", NULL, "kernel driver", OF_NETDEV, 0, NETDEV_NEEDS,
                             MEMBER(struct netdev, driver) },
    [ATTR_NETDEV_DEV_PORT] = { "dev_port", NULL, "number of the port on its PCI function, from 0", OF_NETDEV,
                               0, NETDEV_NEEDS, MEMBER(struct netdev, dev_port) },
    [ATTR_NETDEV_DEV_ID] = { "dev_id", NULL, "the older form of dev_port", OF_NETDEV, 0, NETDEV_NEEDS,
                             MEMBER(struct netdev, dev_id) },
    [ATTR_NETDEV_PHYS_PORT_NAME] = { "phys_port_name", NULL, "switchdev's name for the port: p0, pf0vf1",
                                     OF_NETDEV, 0, NETDEV_NEEDS, MEMBER(struct netdev, phys_port_name) },
    [ATTR_PORT_ROUTED] = { "routed", NULL, "whether a route leads by the netdev to a gateway", OF_PORT,
                           COMPARED, NEED_ROUTES, .type = VALUE_BOOLEAN, .make = make_routed },
    [ATTR_NETDEV_BOND] = { "bond", NULL, "mode of the bond that the netdev is, or is in; none", OF_NETDEV,
                           COMPARED, NETDEV_NEEDS, .make = make_bond },
    [ATTR_PORT_GID_TYPES] = { "gid_types", NULL, "types of the filled GIDs: RoCE v2, IB/RoCE v1", OF_PORT,
                              COMPARED, NEED_GIDS, .type = VALUE_STRINGS, .make = make_gid_types },
    [ATTR_PORT_ROUTABLE_V2] = { "routable_v2", NULL, "whether there is a RoCE v2 GID that can be routed",
                                OF_PORT, COMPARED, NEED_GIDS, .type = VALUE_BOOLEAN, .get = get_routable_v2 },
    [ATTR_PORT_GID_INDEX] = { "gid_index", NULL, "index of the first such GID", OF_PORT, COMPARED, NEED_GIDS,
                              .type = VALUE_UNSIGNED, .get = get_gid_index },
    [ATTR_PORT_VLAN] = { "vlan", NULL, "VLAN of that GID; 0: its frames have no tag", OF_PORT, COMPARED,
                         NEED_GIDS | NEED_NETDEV_ALL, .type = VALUE_UNSIGNED, .make = make_vlan },
    [ATTR_PORT_PFC] = { "pfc", NULL, "priorities with PFC", OF_PORT, COMPARED, NEED_QOS,
                        .type = VALUE_NUMBERS, .make = make_pfc },
    [ATTR_PORT_TRUST] = { "trust", NULL, "what priorities go by: dscp, pcp", OF_PORT, COMPARED, NEED_QOS,
                          .make = make_trust },
    [ATTR_PORT_DEFAULT_PRIORITY] = { "default_priority", NULL, "priority of frames that say nothing", OF_PORT,
                                     COMPARED, NEED_QOS, .type = VALUE_UNSIGNED,
                                     .make = make_default_priority },
    [ATTR_PORT_DSCP_PRIORITY] = { "dscp_priority", NULL, "which DSCPs have which priority: 24-31:3 48:6",
                                  OF_PORT, COMPARED, NEED_QOS, .make = make_dscp_priority },
    [ATTR_PORT_PRIORITY_TC] = { "priority_tc", NULL, "the traffic class of each priority, from 0 on", OF_PORT,
                                COMPARED, NEED_QOS, .make = make_priority_tc },
    [ATTR_PORT_ETS] = { "ets", NULL,
                        "the share of each traffic class in percent, from 0 on, or strict, cbs, vendor",
                        OF_PORT, COMPARED, NEED_QOS, .make = make_ets },
    [ATTR_PORT_ECN_RP] = { "ecn_rp", NULL, "priorities on which it slows down when congestion is notified",
                           OF_PORT, COMPARED, NEED_QOS, .type = VALUE_NUMBERS, .make = make_ecn_rp },
    [ATTR_PORT_ECN_NP] = { "ecn_np", NULL, "priorities on which it notifies congestion", OF_PORT, COMPARED,
                           NEED_QOS, .type = VALUE_NUMBERS, .make = make_ecn_np },
    [ATTR_PORT_PAUSE] = { "pause", NULL, "link-level pause frames: off, rx, tx, rx tx", OF_PORT, COMPARED,
                          NEED_QOS, .make = make_pause },
    [ATTR_PORT_FEC] = { "fec", NULL, "forward error correction in force", OF_PORT, COMPARED, NEED_QOS,
                        .make = make_fec },
    [ATTR_PORT_TRAFFIC_CLASS] = { "traffic_class", NULL,
                                  "traffic class that the driver forces on queue pairs; -1: none", OF_PORT,
                                  COMPARED, NEED_TC, .type = VALUE_SIGNED, .get = get_traffic_class },
    [ATTR_PORT_TTL] = { "ttl", NULL, "TTL that the driver forces on queue pairs", OF_PORT, 0, NEED_TC,
                        MEMBER(struct port, ttl) },
    [ATTR_PORT_SYSCTLS] = { "sysctls", NULL, "those of the netdev, as NAME=VALUE", OF_PORT, COMPARED,
                            NEED_SYSTEM, .type = VALUE_STRINGS, .make = make_port_sysctls },
    [ATTR_PORT_CM_MODE] = { "cm_mode", NULL, "RDMA_CM's default: RoCE v2, IB/RoCE v1", OF_PORT, COMPARED,
                            NEED_MODE, .get = get_cm_mode },
    [ATTR_PORT_CM_TOS] = { "cm_tos", NULL, "RDMA_CM's default TOS byte", OF_PORT, COMPARED, NEED_MODE,
                           MEMBER(struct port, cm_tos) },
    [ATTR_PORT_ERRORS] = { "errors", NULL,
                           "counters of errors that aren't 0, as NAME=VALUE, since whenever they began",
                           OF_PORT, OWN | PASSING, NEED_COUNTERS, .type = VALUE_STRINGS, .make = make_errors },

    [ATTR_GID_INDEX] = { "index", NULL,
                         "slot of the GID table: what NCCL_IB_GID_INDEX, ib_write_bw -x and ibv_rc_pingpong -g take",
                         OF_GID, ALWAYS, 0, MEMBER_AS(VALUE_UNSIGNED, struct gid, index) },
    [ATTR_GID_GID] = { "gid", NULL, "the GID itself, as sysfs prints it", OF_GID, 0, 0, .make = make_gid },
    [ATTR_GID_TYPE] = { "type", NULL,
                        "RoCE v2 (UDP, can be routed), IB/RoCE v1 (Ethernet only; also what InfiniBand and iWARP show)",
                        OF_GID, 0, 0, .get = get_gid_type },
    [ATTR_GID_ADDRESS] = { "address", NULL, "the IP address that the GID stands for", OF_GID, 0, 0,
                           .make = make_gid_address },
    [ATTR_GID_NETDEV] = { "netdev", NULL, "interface that the GID belongs to", OF_GID, 0, 0,
                          MEMBER(struct gid, netdev) },
    [ATTR_GID_SCOPE] = { "scope", NULL, "link: reaches the same Ethernet segment only; global: can be routed",
                         OF_GID, 0, 0, .get = get_scope },
};
