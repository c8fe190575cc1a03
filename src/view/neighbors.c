/* SPDX-License-Identifier: MIT */
/* The other ends of cables: a line for people, an object for programs. */
#include "view/json.h"
#include "view/qos.h"

/* What it says of priorities, after what differs here in brackets. */
static void put_dcb(struct bytes *text, struct arena *arena, const struct qos_dcb *dcb,
                    const struct qos_dcb *here)
{
    if (dcb->has_pfc)
        bytes_printf(text, ", PFC %s", qos_priorities_text(arena, dcb->pfc_enabled));
    if (dcb->has_pfc && here && here->has_pfc && here->pfc_enabled != dcb->pfc_enabled)
        bytes_printf(text, " (here %s)", qos_priorities_text(arena, here->pfc_enabled));
    unsigned roce, own;
    bool has_roce = qos_roce_priority(dcb, &roce);
    if (has_roce)
        bytes_printf(text, ", RoCE v2 on %u", roce);
    if (has_roce && qos_roce_priority(here, &own) && own != roce)
        bytes_printf(text, " (here on %u)", own);
    for (size_t i = 0; i < dcb->napps; i++)
        if (dcb->apps[i].selector == QOS_APP_DSCP)
            bytes_printf(text, ", DSCP %u on %u", dcb->apps[i].protocol, dcb->apps[i].priority);
    unsigned tc = dcb->has_ets && has_roce ? dcb->priority_tc[roce] : PRIORITIES;
    if (tc < PRIORITIES && dcb->tc_tsa[tc] == QOS_TSA_ETS)
        bytes_printf(text, ", TC%u %u %%", tc, dcb->tc_bandwidth[tc]);
    if (dcb->has_ets)
        bytes_printf(text, ", %s", dcb->willing ? "willing" : "not willing");
}

const char *neighbor_text(struct arena *arena, const struct lldp_neighbor *neighbor, const struct qos_dcb *here)
{
    struct bytes text = { 0 };
    const struct qos_dcb *dcb = lldp_dcb(neighbor);
    bytes_printf(&text, "%s%s", lldp_text(arena, neighbor), lldp_is_host(neighbor) ? " (a host)" : "");
    size_t named = text.len;
    if (dcb)
        put_dcb(&text, arena, dcb, here);
    else
        bytes_printf(&text, ", %s",
                     neighbor->source == LLDP_ANSWERED ? "no more is told: --listen hears its settings"
                                                       : "no DCBX: its PFC isn't known");
    if (neighbor->max_frame.known)
        bytes_printf(&text, ", frames to %" PRIu64, neighbor->max_frame.value);
    if (neighbor->pvid.known && neighbor->pvid.value)
        bytes_printf(&text, ", VLAN %" PRIu64 " without a tag", neighbor->pvid.value);
    if (neighbor->aggregated == TRI_YES)
        bytes_printf(&text, ", in a link aggregation");
    text.data[named] = ':';
    return arena_take(arena, text.data);
}

json_t *qos_apps_json(const struct qos_dcb *dcb)
{
    static const char *const selectors[UINT8_MAX + 1] = {
        [QOS_APP_ETHERTYPE] = "ethertype", [QOS_APP_STREAM] = "stream-port",
        [QOS_APP_DGRAM] = "dgram-port",    [QOS_APP_ANY] = "port",
        [QOS_APP_DSCP] = "dscp",           [QOS_APP_PCP] = "pcp",
    };
    json_t *array = json_array();
    for (size_t i = 0; i < dcb->napps; i++) {
        const struct qos_app *app = &dcb->apps[i];
        json_array_append_new(array, json_pack("{s:s?,s:i,s:i}", "selector", selectors[app->selector],
                                               "protocol", app->protocol, "priority", app->priority));
    }
    return array;
}

static json_t *ets_json(const struct qos_dcb *dcb)
{
    json_t *array = json_array();
    for (unsigned tc = 0; tc < PRIORITIES; tc++) {
        json_t *object = json_push_object(array), *priorities = json_add_array(object, "of_priorities");
        for (unsigned i = 0; i < PRIORITIES; i++)
            if (dcb->priority_tc[i] == tc)
                json_array_append_new(priorities, json_integer(i));
        json_put_unsigned(object, "tc", tc);
        json_put_text(object, "tsa", qos_tsa_text(dcb->tc_tsa[tc]));
        json_put_unsigned(object, "bandwidth", dcb->tc_bandwidth[tc]);
    }
    return array;
}

static struct value get_system(const void *row)
{
    return value_text(lldp_system_name(row));
}

static struct value get_port(const void *row)
{
    return value_text(lldp_port_name(row));
}

static struct value get_is_host(const void *row)
{
    return value_tristate(tri_of(lldp_is_host(row)));
}

static struct value get_source(const void *row)
{
    static const char *const words[] = { "networkd's file", "networkd's answer", "heard" };
    return value_text(words[((const struct lldp_neighbor *)row)->source]);
}

/* The IEEE dialect's if it speaks both. */
static struct value make_pfc(const struct cell_context *context, const void *row)
{
    const struct qos_dcb *dcb = lldp_dcb(row);
    return dcb && dcb->has_pfc ? qos_priorities_value(context->arena, dcb->pfc_enabled) : NO_VALUE;
}

static struct value get_priority(const void *row)
{
    unsigned priority;
    return qos_roce_priority(lldp_dcb(row), &priority) ? value_unsigned(priority) : NO_VALUE;
}

static struct value get_willing(const void *row)
{
    const struct qos_dcb *dcb = lldp_dcb(row);
    return value_tristate(dcb && dcb->has_ets ? tri_of(dcb->willing) : TRI_UNKNOWN);
}

static struct value get_pfc_willing(const void *row)
{
    const struct lldp_neighbor *neighbor = row;
    const struct qos_dcb *dcb = lldp_dcb(neighbor);
    return value_tristate(dcb && dcb->has_pfc ? tri_of(neighbor->pfc_willing) : TRI_UNKNOWN);
}

static struct value get_ets(const void *row)
{
    const struct qos_dcb *dcb = lldp_dcb(row);
    return dcb && dcb->has_ets ? value_json(ets_json(dcb), "") : NO_VALUE;
}

static struct value get_apps(const void *row)
{
    const struct qos_dcb *dcb = lldp_dcb(row);
    return dcb && dcb->apps_known ? value_json(qos_apps_json(dcb), "") : NO_VALUE;
}

static struct value get_dialects(const void *row)
{
    static const char *const both[] = { "ieee", "cee" };
    const struct lldp_neighbor *neighbor = row;
    return value_texts(both + (neighbor->ieee == NULL), (neighbor->ieee != NULL) + (neighbor->cee != NULL));
}

static const struct column neighbor_fields[] = { NEIGHBOR_FIELDS };

json_t *neighbors_json(const struct host *host, const struct netdev *netdev)
{
    return listing_json(LISTING(host, neighbor_fields, netdev->lldp.neighbors, netdev->lldp.count));
}
