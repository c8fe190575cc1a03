/* SPDX-License-Identifier: MIT */
#include "model/facts.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "model/counters.h"
#include "model/qos.h"
#include "model/route.h"

/* -- values -------------------------------------------------------------------------------------------- */

static const struct fact_value none = { .state = FACT_NONE };
static const struct fact_value unknown = { .state = FACT_UNKNOWN };

static void add_text(struct fact_value *value, struct arena *arena, const char *text)
{
    char *clean = text_clean(text, TEXT_ONE_LINE);
    value->state = FACT_KNOWN;
    *ARENA_PUSH(arena, value->items, value->nitems) = arena_strdup(arena, clean);
    free(clean);
}

static void add_number(struct fact_value *value, struct arena *arena, uint64_t number)
{
    value->state = FACT_KNOWN;
    *ARENA_PUSH(arena, value->items, value->nitems) = arena_printf(arena, "%" PRIu64, number);
}

static struct fact_value of_text(struct arena *arena, const char *text)
{
    struct fact_value value = unknown;
    if (text)
        add_text(&value, arena, text);
    return value;
}

static struct fact_value of_num(struct arena *arena, struct num num)
{
    struct fact_value value = unknown;
    if (num.known)
        add_number(&value, arena, num.value);
    return value;
}

static struct fact_value of_tristate(struct arena *arena, enum tristate tristate)
{
    return of_text(arena, tristate == TRI_UNKNOWN ? NULL : tristate == TRI_YES ? "yes" : "no");
}

typedef const struct fact_subject subject_t;

/* -- of the host ------------------------------------------------------------------------------------------ */

static struct fact_value get_kernel(subject_t *s, struct arena *arena)
{
    return of_text(arena, s->host->system.kernel);
}

static struct fact_value get_os(subject_t *s, struct arena *arena)
{
    return of_text(arena, s->host->system.os_name);
}

static struct fact_value get_netns(subject_t *s, struct arena *arena)
{
    static const char *const words[] = { "exclusive", "shared" };
    return of_text(arena, NUM_WORD(words, s->host->system.netns_mode));
}

static struct fact_value get_device_count(subject_t *s, struct arena *arena)
{
    return of_num(arena, num_if(!host_devices_unknown(s->host), s->host->ndevices));
}

static struct fact_value get_memlock(subject_t *s, struct arena *arena)
{
    struct num limit = s->host->system.memlock_soft;
    return num_is(limit, UINT64_MAX) ? of_text(arena, "unlimited")
           : limit.known             ? of_text(arena, arena_printf(arena, "%" PRIu64, limit.value))
                                     : unknown;
}

static struct fact_value get_libraries(subject_t *s, struct arena *arena)
{
    const struct system *system = &s->host->system;
    struct fact_value value = { .state = system->providers_known ? FACT_KNOWN : FACT_UNKNOWN };
    for (size_t i = 0; i < system->nproviders; i++)
        add_text(&value, arena, system->providers[i]);
    return value;
}

/* What is loaded besides is a matter of what a host is used for at the moment. */
static struct fact_value get_modules(subject_t *s, struct arena *arena)
{
    static const char *const names[] = { "gdrdrv",   "ib_uverbs", "nv_peer_mem", "nvidia_peermem",
                                         "rdma_ucm", "rdma_rxe",  "siw" };
    struct fact_value value = { .state = s->host->system.modules_known ? FACT_KNOWN : FACT_UNKNOWN };
    for (size_t i = 0; i < ARRAY_SIZE(names); i++)
        if (system_has_module(&s->host->system, names[i]))
            add_text(&value, arena, names[i]);
    return value;
}

static struct fact_value get_environment(subject_t *s, struct arena *arena)
{
    const struct system *system = &s->host->system;
    struct fact_value value = { .state = system->environment_known ? FACT_KNOWN : FACT_UNKNOWN };
    for (size_t i = 0; i < system->nenvironment; i++)
        add_text(&value, arena,
                 arena_printf(arena, "%s=%s", system->environment[i].name, system->environment[i].value));
    return value;
}

/* Of one file the first line of a name holds; a user's file and the machine's may both have it. */
static struct fact_value get_settings(subject_t *s, struct arena *arena)
{
    const struct system *system = &s->host->system;
    struct fact_value value = { .state = system->environment_known ? FACT_KNOWN : FACT_UNKNOWN };
    for (size_t i = 0; i < system->nsettings; i++) {
        const struct setting *setting = &system->settings[i];
        if (setting->file && setting->value)
            add_text(&value, arena,
                     arena_printf(arena, "%s %s=%s", setting->file, setting->name, setting->value));
    }
    return value;
}

/* A range has a tab in it. */
static void add_sysctl(struct fact_value *value, struct arena *arena, const char *name, const char *text)
{
    char *line = arena_printf(arena, "%s=%s", name, text);
    for (char *tab = line; (tab = strchr(tab, '\t'));)
        *tab = ' ';
    add_text(value, arena, line);
}

static struct fact_value get_sysctls(subject_t *s, struct arena *arena)
{
    const struct system *system = &s->host->system;
    struct fact_value value = { .state = system->nsysctls ? FACT_KNOWN : FACT_UNKNOWN };
    for (size_t i = 0; i < system->nsysctls; i++) {
        const struct sysctl *sysctl = &system->sysctls[i];
        if (!strstr(sysctl->name, "/conf/") || strstr(sysctl->name, "/conf/all/"))
            add_sysctl(&value, arena, sysctl->name, sysctl->value);
    }
    return value;
}

/* -- of a device ------------------------------------------------------------------------------------------ */

#define TEXT_OF_DEVICE(member)                                               \
    static struct fact_value get_##member(subject_t *s, struct arena *arena) \
    {                                                                        \
        return of_text(arena, s->device->member);                            \
    }
TEXT_OF_DEVICE(name)
TEXT_OF_DEVICE(board_id)
TEXT_OF_DEVICE(hca_type)
TEXT_OF_DEVICE(fw_ver)
TEXT_OF_DEVICE(driver)
TEXT_OF_DEVICE(hw_rev)

static struct fact_value get_transport(subject_t *s, struct arena *arena)
{
    return of_text(arena, transport_text(s->device->transport));
}

static struct fact_value get_roce_enabled(subject_t *s, struct arena *arena)
{
    const char *source;
    return of_tristate(arena, device_roce_parameter(s->host, s->device, &source));
}

static struct fact_value get_pci(subject_t *s, struct arena *arena)
{
    return s->device->pci || !s->device->parent_bus ? of_text(arena, s->device->pci) : none;
}

static struct fact_value get_link_speed(subject_t *s, struct arena *arena)
{
    const struct pci *pci = host_find_pci(s->host, s->device->pci);
    return of_text(arena, pci ? pci->link_speed : NULL);
}

static struct fact_value get_link_width(subject_t *s, struct arena *arena)
{
    const struct pci *pci = host_find_pci(s->host, s->device->pci);
    return pci ? of_num(arena, pci->link_width) : unknown;
}

static struct fact_value get_numa_node(subject_t *s, struct arena *arena)
{
    const struct pci *pci = host_find_pci(s->host, s->device->pci);
    if (!pci || !pci->numa_node.known || pci->numa_node.value < 0)
        return unknown;
    return of_num(arena, num_of((uint64_t)pci->numa_node.value));
}

static struct fact_value get_iommu(subject_t *s, struct arena *arena)
{
    const struct pci *pci = host_find_pci(s->host, s->device->pci);
    return of_text(arena, pci ? pci->iommu_type : NULL);
}

static struct fact_value get_mps(subject_t *s, struct arena *arena)
{
    const struct pci *pci = host_find_pci(s->host, s->device->pci);
    return pci ? of_num(arena, pci->payload) : unknown;
}

static struct fact_value get_mrrs(subject_t *s, struct arena *arena)
{
    const struct pci *pci = host_find_pci(s->host, s->device->pci);
    return pci ? of_num(arena, pci->read_request) : unknown;
}

static struct fact_value get_relaxed_ordering(subject_t *s, struct arena *arena)
{
    const struct pci *pci = host_find_pci(s->host, s->device->pci);
    return of_tristate(arena, pci ? pci->relaxed_ordering : TRI_UNKNOWN);
}

/* Redirects a bridge above it what goes from one function to another? Bits of the control register that do
 * are P2P Request Redirect, Completion Redirect and Egress Control (linux/pci_regs.h). */
static struct fact_value get_acs(subject_t *s, struct arena *arena)
{
    enum { REDIRECTS = 0x04 | 0x08 | 0x20, MOST_BRIDGES = 32 };
    const struct pci *pci = host_find_pci(s->host, s->device->pci);
    enum tristate acs = TRI_UNKNOWN;
    for (int i = 0; pci && i < MOST_BRIDGES && acs != TRI_YES; i++) {
        pci = host_find_pci(s->host, pci->upstream);
        if (pci && (pci->acs.known || pci->acs_err == ENODATA))
            acs = tri_of(pci->acs.known && pci->acs.value & REDIRECTS);
        else if (pci)
            return unknown;
    }
    return of_tristate(arena, acs);
}

static struct fact_value get_node_guid(subject_t *s, struct arena *arena)
{
    char text[GUID_TEXT_SIZE];
    if (!s->device->node_guid.known)
        return unknown;
    guid_format(s->device->node_guid.value, text);
    return of_text(arena, text);
}

/* -- of a port ---------------------------------------------------------------------------------------------- */

static struct fact_value get_port(subject_t *s, struct arena *arena)
{
    return of_num(arena, num_of(s->port->number));
}

static struct fact_value get_state(subject_t *s, struct arena *arena)
{
    return of_text(arena, s->port->state_text);
}

static struct fact_value get_link_layer(subject_t *s, struct arena *arena)
{
    return of_text(arena, link_layer_text(s->port->link_layer));
}

static struct fact_value get_rate(subject_t *s, struct arena *arena)
{
    return of_num(arena, s->port->rate_mbps);
}

/* "4X" of "100 Gb/sec (4X EDR)" */
static struct fact_value get_width(subject_t *s, struct arena *arena)
{
    const char *at = s->port->rate_text ? strchr(s->port->rate_text, '(') : NULL;
    size_t len = at ? strspn(at + 1, "0123456789") : 0;
    return len && at[1 + len] == 'X' ? of_text(arena, arena_strndup(arena, at + 1, len + 1)) : unknown;
}

static struct fact_value get_netdev(subject_t *s, struct arena *arena)
{
    return s->port->netdev || !host_knows_netdevs(s->host) ? of_text(arena, s->port->netdev) : none;
}

static bool has_no_netdev(subject_t *s)
{
    return !s->port->netdev && host_knows_netdevs(s->host);
}

static struct fact_value get_mtu(subject_t *s, struct arena *arena)
{
    return has_no_netdev(s) && port_is_roce(s->port) ? none : of_num(arena, s->port->roce_mtu);
}

static struct fact_value get_netdev_mtu(subject_t *s, struct arena *arena)
{
    const struct netdev *netdev = port_netdev(s->host, s->port);
    return has_no_netdev(s) ? none : netdev ? of_num(arena, netdev->mtu) : unknown;
}

static struct fact_value get_mac(subject_t *s, struct arena *arena)
{
    const struct netdev *netdev = port_netdev(s->host, s->port);
    return has_no_netdev(s) ? none : of_text(arena, netdev ? netdev->mac : NULL);
}

static struct fact_value get_addresses(subject_t *s, struct arena *arena)
{
    const struct netdev *netdev = port_netdev(s->host, s->port);
    struct fact_value value = { .state = netdev && netdev->addresses_known ? FACT_KNOWN : FACT_UNKNOWN };
    for (size_t i = 0; netdev && i < netdev->naddresses; i++) {
        char text[64];
        address_format(&netdev->addresses[i], text);
        add_text(&value, arena, text);
    }
    return value;
}

static bool has_item(const struct fact_value *value, const char *text)
{
    for (size_t i = 0; i < value->nitems; i++)
        if (text_is(value->items[i], text))
            return true;
    return false;
}

/* Types say nothing where none is told, and an empty table nothing where it wasn't read. */
static bool knows_gids(const struct port *port)
{
    return port->ngids ? port_tells_types(port) : port->gid_table_len.known;
}

/* Where its routable addresses are at home: what puts ports of hosts on one rail. */
static struct fact_value get_subnets(subject_t *s, struct arena *arena)
{
    const struct netdev *netdev = port_netdev(s->host, s->port);
    struct fact_value value = { .state = netdev && netdev->addresses_known ? FACT_KNOWN : FACT_UNKNOWN };
    for (size_t i = 0; netdev && i < netdev->naddresses; i++) {
        struct address net = netdev->addresses[i];
        char text[64];
        if (!address_is_routable(&net))
            continue;
        for (unsigned bit = net.prefix; bit < sizeof(net.raw) * 8; bit++)
            net.raw[bit / 8] &= (uint8_t) ~(0x80U >> bit % 8);
        address_format(&net, text);
        if (!has_item(&value, text))
            add_text(&value, arena, text);
    }
    return value;
}

/* Does a route lead through a router by its netdev? Then peers of other subnets can perhaps be reached. */
static struct fact_value get_routed(subject_t *s, struct arena *arena)
{
    if (!s->host->routes_known || !s->port->netdev)
        return unknown;
    bool routed = false;
    for (size_t i = 0; i < s->host->nroutes && !routed; i++)
        routed = s->host->routes[i].has_gateway && text_is(s->host->routes[i].netdev, s->port->netdev);
    return of_tristate(arena, tri_of(routed));
}

static struct fact_value get_vlan(subject_t *s, struct arena *arena)
{
    const struct gid *gid = port_first_routable(s->port);
    const struct netdev *netdev = gid ? gid_netdev(s->host, gid) : NULL, *vlan;
    if (!gid)
        return knows_gids(s->port) ? none : unknown;
    vlan = netdev ? netdev_vlan(s->host, netdev) : NULL;
    return vlan ? of_num(arena, vlan->vlan_id) : netdev ? of_num(arena, num_of(0)) : unknown;
}

static struct fact_value get_bond(subject_t *s, struct arena *arena)
{
    const struct netdev *netdev = port_netdev(s->host, s->port);
    const struct netdev *above = netdev && netdev->master ? host_find_netdev(s->host, netdev->master) : netdev;
    if (!netdev)
        return has_no_netdev(s) ? none : unknown;
    return of_text(arena, above && above->bond ? above->bond->mode_text : "none");
}

static struct fact_value get_gid_types(subject_t *s, struct arena *arena)
{
    struct fact_value value = { .state = knows_gids(s->port) ? FACT_KNOWN : FACT_UNKNOWN };
    for (size_t i = 0; i < s->port->ngids; i++) {
        const char *kind = gid_kind(&s->port->gids[i]);
        if (kind && !has_item(&value, kind))
            add_text(&value, arena, kind);
    }
    return value;
}

static struct fact_value get_routable_v2(subject_t *s, struct arena *arena)
{
    enum tristate has = !knows_gids(s->port) ? TRI_UNKNOWN : tri_of(port_first_routable(s->port) != NULL);
    return of_tristate(arena, has);
}

static struct fact_value get_gid_index(subject_t *s, struct arena *arena)
{
    const struct gid *gid = port_first_routable(s->port);
    if (!gid)
        return knows_gids(s->port) ? none : unknown;
    return of_num(arena, num_of(gid->index));
}

static const struct qos *qos_of(subject_t *s)
{
    const struct netdev *netdev = port_netdev(s->host, s->port);
    return netdev ? host_find_qos(s->host, netdev) : NULL;
}

static struct fact_value get_pfc(subject_t *s, struct arena *arena)
{
    const struct qos *qos = qos_of(s);
    struct fact_value value = { .state = qos && qos->dcb.has_pfc ? FACT_KNOWN : FACT_UNKNOWN };
    for (unsigned i = 0; value.state == FACT_KNOWN && i < PRIORITIES; i++)
        if (qos->dcb.pfc_enabled & 1U << i)
            add_number(&value, arena, i);
    return value;
}

static struct fact_value get_trust(subject_t *s, struct arena *arena)
{
    const struct qos *qos = qos_of(s);
    return of_text(arena, qos ? qos_trust_text(qos_trust(qos)) : NULL);
}

static struct fact_value get_default_priority(subject_t *s, struct arena *arena)
{
    const struct qos *qos = qos_of(s);
    return qos && qos->dcb.apps_known ? of_num(arena, num_of(qos_default_priority(qos))) : unknown;
}

/* "50 50 0 0 0 0 strict strict": what each traffic class is given, ETS in percent */
static struct fact_value get_ets(subject_t *s, struct arena *arena)
{
    const struct qos *qos = qos_of(s);
    const char *text = "";
    if (!qos || !qos->dcb.has_ets)
        return unknown;
    for (unsigned i = 0; i < PRIORITIES; i++) {
        uint8_t tsa = qos->dcb.tc_tsa[i];
        const char *name = qos_tsa_text(tsa), *blank = i ? " " : "";
        if (tsa == QOS_TSA_ETS)
            text = arena_printf(arena, "%s%s%u", text, blank, qos->dcb.tc_bandwidth[i]);
        else
            text = arena_printf(arena, "%s%s%s", text, blank, name ? name : "unknown");
    }
    return of_text(arena, text);
}

static struct fact_value get_priority_tc(subject_t *s, struct arena *arena)
{
    const struct qos *qos = qos_of(s);
    const char *text = "";
    if (!qos || !qos->dcb.has_ets)
        return unknown;
    for (unsigned i = 0; i < PRIORITIES; i++)
        text = arena_printf(arena, "%s%s%u", text, i ? " " : "", qos->dcb.priority_tc[i]);
    return of_text(arena, text);
}

/* "24-31:3 48:6": the DSCPs that an entry of the APP table names, and the priority of each. */
static struct fact_value get_dscp_priority(subject_t *s, struct arena *arena)
{
    const struct qos *qos = qos_of(s);
    const char *text = "";
    if (!qos || !qos->dcb.apps_known)
        return unknown;
    for (unsigned dscp = 0, end; dscp < DSCPS; dscp = end) {
        bool mapped, too, same = true;
        unsigned priority = qos_dscp_priority(qos, dscp, &mapped);
        for (end = dscp + 1; end < DSCPS && same; end += same)
            same = qos_dscp_priority(qos, end, &too) == priority && too == mapped;
        const char *blank = *text ? " " : "";
        if (mapped && end - dscp > 1)
            text = arena_printf(arena, "%s%s%u-%u:%u", text, blank, dscp, end - 1, priority);
        else if (mapped)
            text = arena_printf(arena, "%s%s%u:%u", text, blank, dscp, priority);
    }
    return of_text(arena, text);
}

static struct fact_value of_switches(struct arena *arena, const enum tristate *switches)
{
    struct fact_value value = { .state = switches ? FACT_KNOWN : FACT_UNKNOWN };
    for (unsigned i = 0; switches && i < PRIORITIES; i++) {
        if (switches[i] == TRI_UNKNOWN)
            return unknown;
        if (switches[i] == TRI_YES)
            add_number(&value, arena, i);
    }
    return value;
}

static struct fact_value get_ecn_rp(subject_t *s, struct arena *arena)
{
    const struct netdev *netdev = port_netdev(s->host, s->port);
    return of_switches(arena, netdev ? netdev->ecn_enabled : NULL);
}

static struct fact_value get_ecn_np(subject_t *s, struct arena *arena)
{
    const struct netdev *netdev = port_netdev(s->host, s->port);
    return of_switches(arena, netdev ? netdev->ecn_np : NULL);
}

static struct fact_value get_pause(subject_t *s, struct arena *arena)
{
    static const char *const words[] = { "off", "rx", "tx", "rx tx" };
    const struct qos *qos = qos_of(s);
    if (!qos || qos->ethtool.pause_rx == TRI_UNKNOWN || qos->ethtool.pause_tx == TRI_UNKNOWN)
        return unknown;
    return of_text(arena, words[(qos->ethtool.pause_rx == TRI_YES) + 2 * (qos->ethtool.pause_tx == TRI_YES)]);
}

static struct fact_value get_fec(subject_t *s, struct arena *arena)
{
    const struct qos *qos = qos_of(s);
    return of_text(arena, qos ? qos->ethtool.fec_active : NULL);
}

static struct fact_value get_traffic_class(subject_t *s, struct arena *arena)
{
    struct num tc = s->port->traffic_class;
    if (!s->port->has_tc)
        return unknown;
    return of_text(arena, tc.known ? arena_printf(arena, "%" PRIu64, tc.value) : "unset");
}

/* "arp_ignore=1": those of its netdev */
static struct fact_value get_port_sysctls(subject_t *s, struct arena *arena)
{
    const struct system *system = &s->host->system;
    const char *before = arena_printf(arena, "net/ipv4/conf/%s/", s->port->netdev ? s->port->netdev : "");
    struct fact_value value = unknown;
    for (size_t i = 0; s->port->netdev && i < system->nsysctls; i++)
        if (text_starts(system->sysctls[i].name, before))
            add_sysctl(&value, arena, system->sysctls[i].name + strlen(before), system->sysctls[i].value);
    return value;
}

/* Counters that count faults, since whenever they began, in so far as they aren't 0. */
static struct fact_value get_errors(subject_t *s, struct arena *arena)
{
    struct fact_value value = unknown;
    for (size_t i = 0; i < s->port->ncounters; i++) {
        const struct counter *counter = &s->port->counters[i];
        if (!counter->def || counter->def->severity != COUNTER_ERROR || counter->def->kind != COUNTER_TOTAL ||
            !counter->raw.known)
            continue;
        value.state = FACT_KNOWN;
        if (counter->raw.value)
            add_text(&value, arena,
                     arena_printf(arena, "%s=%" PRIu64, counter->name,
                                  counter_value(counter->def, counter->raw.value)));
    }
    return value;
}

static struct fact_value get_cm_mode(subject_t *s, struct arena *arena)
{
    struct num mode = s->port->cm_mode;
    return of_text(arena, mode.known ? gid_type_text((enum gid_type)mode.value) : NULL);
}

static struct fact_value get_cm_tos(subject_t *s, struct arena *arena)
{
    return of_num(arena, s->port->cm_tos);
}

/* -- the list ------------------------------------------------------------------------------------------------ */

static const struct fact facts[] = {
    { "kernel", FACT_HOST, FACT_TEXT, .get = get_kernel },
    { "os", FACT_HOST, FACT_TEXT, .get = get_os },
    { "rdma_netns", FACT_HOST, FACT_TEXT, .get = get_netns },
    { "device_count", FACT_HOST, FACT_NUMBER, .get = get_device_count },
    { "memlock", FACT_HOST, FACT_TEXT, .passing = true, .get = get_memlock },
    { "libraries", FACT_HOST, FACT_TEXTS, .get = get_libraries },
    { "modules", FACT_HOST, FACT_TEXTS, .get = get_modules },
    { "environment", FACT_HOST, FACT_TEXTS, .passing = true, .get = get_environment },
    { "settings", FACT_HOST, FACT_TEXTS, .get = get_settings },
    { "sysctls", FACT_HOST, FACT_TEXTS, .get = get_sysctls },

    { "device", FACT_DEVICE, FACT_TEXT, .pattern = true, .get = get_name },
    { "count", FACT_DEVICE, FACT_NUMBER, .get = NULL },
    { "board_id", FACT_DEVICE, FACT_TEXT, .get = get_board_id },
    { "hca_type", FACT_DEVICE, FACT_TEXT, .get = get_hca_type },
    { "hw_rev", FACT_DEVICE, FACT_TEXT, .get = get_hw_rev },
    { "fw_ver", FACT_DEVICE, FACT_TEXT, .get = get_fw_ver },
    { "driver", FACT_DEVICE, FACT_TEXT, .get = get_driver },
    { "transport", FACT_DEVICE, FACT_TEXT, .get = get_transport },
    { "roce_enabled", FACT_DEVICE, FACT_YES_NO, .get = get_roce_enabled },
    { "pci", FACT_DEVICE, FACT_TEXT, .get = get_pci },
    { "link_speed", FACT_DEVICE, FACT_TEXT, .get = get_link_speed },
    { "link_width", FACT_DEVICE, FACT_NUMBER, .get = get_link_width },
    { "numa_node", FACT_DEVICE, FACT_NUMBER, .get = get_numa_node },
    { "iommu", FACT_DEVICE, FACT_TEXT, .get = get_iommu },
    { "mps", FACT_DEVICE, FACT_NUMBER, .get = get_mps },
    { "mrrs", FACT_DEVICE, FACT_NUMBER, .get = get_mrrs },
    { "relaxed_ordering", FACT_DEVICE, FACT_YES_NO, .get = get_relaxed_ordering },
    { "acs", FACT_DEVICE, FACT_YES_NO, .get = get_acs },
    { "node_guid", FACT_DEVICE, FACT_TEXT, .own = true, .get = get_node_guid },

    { "device", FACT_PORT, FACT_TEXT, .pattern = true, .get = get_name },
    { "port", FACT_PORT, FACT_NUMBER, .get = get_port },
    { "count", FACT_PORT, FACT_NUMBER, .get = NULL },
    { "netdev", FACT_PORT, FACT_TEXT, .pattern = true, .get = get_netdev },
    { "state", FACT_PORT, FACT_TEXT, .get = get_state },
    { "link_layer", FACT_PORT, FACT_TEXT, .get = get_link_layer },
    { "rate_mbps", FACT_PORT, FACT_NUMBER, .get = get_rate },
    { "width", FACT_PORT, FACT_TEXT, .get = get_width },
    { "mtu", FACT_PORT, FACT_NUMBER, .get = get_mtu },
    { "netdev_mtu", FACT_PORT, FACT_NUMBER, .get = get_netdev_mtu },
    { "mac", FACT_PORT, FACT_TEXT, .own = true, .get = get_mac },
    { "addresses", FACT_PORT, FACT_TEXTS, .own = true, .get = get_addresses },
    { "subnets", FACT_PORT, FACT_TEXTS, .own = true, .get = get_subnets },
    { "routed", FACT_PORT, FACT_YES_NO, .get = get_routed },
    { "bond", FACT_PORT, FACT_TEXT, .get = get_bond },
    { "gid_types", FACT_PORT, FACT_TEXTS, .get = get_gid_types },
    { "routable_v2", FACT_PORT, FACT_YES_NO, .get = get_routable_v2 },
    { "gid_index", FACT_PORT, FACT_NUMBER, .get = get_gid_index },
    { "vlan", FACT_PORT, FACT_NUMBER, .get = get_vlan },
    { "pfc", FACT_PORT, FACT_NUMBERS, .get = get_pfc },
    { "trust", FACT_PORT, FACT_TEXT, .get = get_trust },
    { "default_priority", FACT_PORT, FACT_NUMBER, .get = get_default_priority },
    { "dscp_priority", FACT_PORT, FACT_TEXT, .get = get_dscp_priority },
    { "priority_tc", FACT_PORT, FACT_TEXT, .get = get_priority_tc },
    { "ets", FACT_PORT, FACT_TEXT, .get = get_ets },
    { "ecn_rp", FACT_PORT, FACT_NUMBERS, .get = get_ecn_rp },
    { "ecn_np", FACT_PORT, FACT_NUMBERS, .get = get_ecn_np },
    { "pause", FACT_PORT, FACT_TEXT, .get = get_pause },
    { "fec", FACT_PORT, FACT_TEXT, .get = get_fec },
    { "traffic_class", FACT_PORT, FACT_TEXT, .get = get_traffic_class },
    { "sysctls", FACT_PORT, FACT_TEXTS, .get = get_port_sysctls },
    { "cm_mode", FACT_PORT, FACT_TEXT, .get = get_cm_mode },
    { "cm_tos", FACT_PORT, FACT_NUMBER, .get = get_cm_tos },
    { "errors", FACT_PORT, FACT_TEXTS, .own = true, .passing = true, .get = get_errors },
};

const struct fact *fact_at(size_t i)
{
    return i < ARRAY_SIZE(facts) ? &facts[i] : NULL;
}

const struct fact *fact_find(enum fact_of of, const char *key)
{
    for (size_t i = 0; i < ARRAY_SIZE(facts); i++)
        if (facts[i].of == of && strcmp(facts[i].key, key) == 0)
            return &facts[i];
    return NULL;
}

const char *fact_list(enum fact_of of)
{
    static const char *const lists[] = { [FACT_DEVICE] = "devices", [FACT_PORT] = "ports" };
    return WORD_AT(lists, of);
}
