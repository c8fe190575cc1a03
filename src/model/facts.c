/* SPDX-License-Identifier: MIT */
#include "model/facts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "model/qos.h"

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

/* Types say nothing where none is told, and an empty table nothing where it wasn't read. */
static bool knows_gids(const struct port *port)
{
    return port->ngids ? port_tells_types(port) : port->gid_table_len.known;
}

static bool has_item(const struct fact_value *value, const char *text)
{
    for (size_t i = 0; i < value->nitems; i++)
        if (text_is(value->items[i], text))
            return true;
    return false;
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

    { "device", FACT_DEVICE, FACT_TEXT, .pattern = true, .get = get_name },
    { "count", FACT_DEVICE, FACT_NUMBER, .get = NULL },
    { "board_id", FACT_DEVICE, FACT_TEXT, .get = get_board_id },
    { "hca_type", FACT_DEVICE, FACT_TEXT, .get = get_hca_type },
    { "fw_ver", FACT_DEVICE, FACT_TEXT, .get = get_fw_ver },
    { "driver", FACT_DEVICE, FACT_TEXT, .get = get_driver },
    { "transport", FACT_DEVICE, FACT_TEXT, .get = get_transport },
    { "roce_enabled", FACT_DEVICE, FACT_YES_NO, .get = get_roce_enabled },
    { "pci", FACT_DEVICE, FACT_TEXT, .get = get_pci },
    { "link_speed", FACT_DEVICE, FACT_TEXT, .get = get_link_speed },
    { "link_width", FACT_DEVICE, FACT_NUMBER, .get = get_link_width },
    { "node_guid", FACT_DEVICE, FACT_TEXT, .own = true, .get = get_node_guid },

    { "device", FACT_PORT, FACT_TEXT, .pattern = true, .get = get_name },
    { "port", FACT_PORT, FACT_NUMBER, .get = get_port },
    { "count", FACT_PORT, FACT_NUMBER, .get = NULL },
    { "netdev", FACT_PORT, FACT_TEXT, .pattern = true, .get = get_netdev },
    { "state", FACT_PORT, FACT_TEXT, .get = get_state },
    { "link_layer", FACT_PORT, FACT_TEXT, .get = get_link_layer },
    { "rate_mbps", FACT_PORT, FACT_NUMBER, .get = get_rate },
    { "mtu", FACT_PORT, FACT_NUMBER, .get = get_mtu },
    { "netdev_mtu", FACT_PORT, FACT_NUMBER, .get = get_netdev_mtu },
    { "mac", FACT_PORT, FACT_TEXT, .own = true, .get = get_mac },
    { "addresses", FACT_PORT, FACT_TEXTS, .own = true, .get = get_addresses },
    { "gid_types", FACT_PORT, FACT_TEXTS, .get = get_gid_types },
    { "routable_v2", FACT_PORT, FACT_YES_NO, .get = get_routable_v2 },
    { "gid_index", FACT_PORT, FACT_NUMBER, .get = get_gid_index },
    { "pfc", FACT_PORT, FACT_NUMBERS, .get = get_pfc },
    { "trust", FACT_PORT, FACT_TEXT, .get = get_trust },
    { "default_priority", FACT_PORT, FACT_NUMBER, .get = get_default_priority },
    { "cm_mode", FACT_PORT, FACT_TEXT, .get = get_cm_mode },
    { "cm_tos", FACT_PORT, FACT_NUMBER, .get = get_cm_tos },
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
