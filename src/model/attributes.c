/* SPDX-License-Identifier: MIT */
/* The attribute table, and the getters of attributes that aren't simply structure members. */
#include "model/attribute.h"
#include "model/qos.h"

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

/* -- host ------------------------------------------------------------------------------------------------ */

static struct value get_rdma_netns(const void *object)
{
    static const char *const words[] = { "exclusive", "shared" };
    return value_text(NUM_WORD(words, ((const struct host *)object)->system.netns_mode));
}

static struct value get_device_count(const void *object)
{
    const struct host *host = object;
    return value_num(num_if(!host_devices_unknown(host), host->ndevices));
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

/* Which other modules are loaded depends on what the host is currently used for. */
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

/* Within a file a name's first line applies; the user's file and the system-wide one may both set it. */
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

/* The kernel separates the ends of a range with a tab. */
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

/* -- devices --------------------------------------------------------------------------------------------- */

static struct value get_fw_ver(const void *object)
{
    const char *version = ((const struct device *)object)->fw_ver;
    return value_text(version && *version ? version : NULL);
}

static struct value get_device_transport(const void *object)
{
    return value_text(transport_text(((const struct device *)object)->transport));
}

/* From the driver, if devlink doesn't say. */
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

/* Does a bridge above it redirect traffic between functions? The bits of the ACS control register that make it
 * do so are P2P Request Redirect, Completion Redirect and Egress Control (linux/pci_regs.h). */
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

/* -- ports ----------------------------------------------------------------------------------------------- */

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

/* Does a route through its netdev have a gateway? Then peers in other subnets may be reachable. */
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

/* Are the GID types conclusive? Not if none was reported, nor if the table is empty because it wasn't read. */
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
    return gid ? value_num(vlan ? vlan->vlan_id : num_if(netdev != NULL, 0)) : no_routable(object);
}

static const struct qos *qos_of(context_t *context, const void *port)
{
    const struct netdev *netdev = port_netdev(context->host, port);
    return netdev ? host_find_qos(context->host, netdev) : NULL;
}

static struct value make_pfc(context_t *context, const void *object)
{
    const struct qos *qos = qos_of(context, object);
    return qos && qos->dcb.has_pfc ? qos_priorities_value(context->arena, qos->dcb.pfc_enabled) : NO_VALUE;
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

/* "50 50 0 0 0 0 strict strict": each traffic class's share, ETS in percent */
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

/* "24-31:3 48:6": the DSCPs with an APP table entry, and their priorities. */
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
    return switches ? qos_priorities_value(context->arena, mask) : NO_VALUE;
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

/* -1: the driver could force one but doesn't. */
static struct value get_traffic_class(const void *object)
{
    const struct port *port = object;
    struct num class = port->traffic_class;
    return port->has_tc ? value_snum(snum_of(class.known ? (int64_t) class.value : -1)) : NO_VALUE;
}

/* Its netdev's: "arp_ignore=1" */
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

/* -- netdevs --------------------------------------------------------------------------------------------- */

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
    for (size_t i = 0; i < netdev->naddresses; i++)
        add_text(&texts, arena_address(context->arena, &netdev->addresses[i]));
    return texts_if(netdev->addresses_known, &texts);
}

/* The subnets of its routable addresses, which tell which ports of different hosts are on the same rail. */
static struct value make_subnets(context_t *context, const void *object)
{
    const struct netdev *netdev = object;
    struct texts texts = { .arena = context->arena };
    for (size_t i = 0; i < netdev->naddresses; i++) {
        if (!address_is_routable(&netdev->addresses[i]))
            continue;
        const char *subnet = arena_subnet(context->arena, &netdev->addresses[i]);
        if (!has_text(&texts, subnet))
            add_text(&texts, subnet);
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
    return has_members || netdev->nmembers ? value_texts(netdev->members, netdev->nmembers) : NO_VALUE;
}

static struct value get_member_state(const void *object)
{
    static const char *const words[] = { "active", "backup" };
    const struct netdev *netdev = object;
    return value_text(netdev->member ? NUM_WORD(words, netdev->member->state) : NULL);
}

/* LACP: the bond transmits only through members of one aggregator. */
static struct value make_lacp(context_t *context, const void *object)
{
    const struct netdev *netdev = object, *master = host_find_netdev(context->host, netdev->master);
    if (!netdev->member || !netdev->member->aggregator.known || !master || !master->bond ||
        !master->bond->ad_aggregator.known)
        return NO_VALUE;
    bool in_use = netdev->member->aggregator.value == master->bond->ad_aggregator.value;
    return value_with_tone(value_text(in_use ? "in use" : "left out"), in_use ? TONE_GOOD : TONE_BAD);
}

/* What the other end of its cable says of itself. */
static const struct lldp_neighbor *neighbor_of(context_t *context, const void *netdev)
{
    static const struct lldp_neighbor none;
    const struct lldp_neighbor *neighbor = netdev_neighbor(netdev_cabled(context->host, netdev));
    return neighbor ? neighbor : &none;
}

static struct value make_switch(context_t *context, const void *object)
{
    const struct lldp_neighbor *neighbor = neighbor_of(context, object);
    const struct netdev *cabled = netdev_cabled(context->host, object);
    if (!neighbor->chassis && context->for_people && cabled->lldp.count > 1)
        return value_text("several");
    return value_text(neighbor->chassis ? lldp_system_name(neighbor) : NULL);
}

static struct value make_switch_port(context_t *context, const void *object)
{
    const struct lldp_neighbor *neighbor = neighbor_of(context, object);
    return value_text(neighbor->port ? lldp_port_name(neighbor) : NULL);
}

static struct value make_switch_chassis(context_t *context, const void *object)
{
    return value_text(neighbor_of(context, object)->chassis);
}

static struct value make_switch_pfc(context_t *context, const void *object)
{
    const struct qos_dcb *dcb = netdev_peer_dcb(context->host, object);
    return dcb && dcb->has_pfc ? qos_priorities_value(context->arena, dcb->pfc_enabled) : NO_VALUE;
}

static struct value make_switch_priority(context_t *context, const void *object)
{
    unsigned priority = 0;
    bool known = qos_roce_priority(netdev_peer_dcb(context->host, object), &priority);
    return value_num(num_if(known, priority));
}

static struct value make_switch_max_frame(context_t *context, const void *object)
{
    return value_num(neighbor_of(context, object)->max_frame);
}

static struct value make_switch_pvid(context_t *context, const void *object)
{
    return value_num(neighbor_of(context, object)->pvid);
}

static struct value make_switch_lag(context_t *context, const void *object)
{
    return value_tristate(neighbor_of(context, object)->aggregated);
}

/* -- GIDs ------------------------------------------------------------------------------------------------ */

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
#include "attribute_rows.h"
};
