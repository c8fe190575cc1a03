/* SPDX-License-Identifier: MIT */
/* The chain from DSCP to buffer, for programs. */
#include "view/json.h"
#include "view/qos.h"

static json_t *dcbx_json(struct num dcbx)
{
    static const char *const words[] = { "host", "lld-managed", "cee", "ieee", "static" };
    json_t *array = dcbx.known ? json_array() : json_null();
    for (size_t i = 0; i < ARRAY_SIZE(words); i++)
        if (dcbx.value >> i & 1)
            json_array_append_new(array, json_string(words[i]));
    return array;
}

static void put_dcb(json_t *object, const struct host *host, const struct qos_subject *subject)
{
    const struct qos *qos = subject->qos;
    const struct qos_dcb *dcb = &qos->dcb;
    const struct listing priorities = qos_priorities(host, subject);
    json_put_text(object, "trust", qos_trust_text(qos_trust(qos)));
    json_put_unsigned(object, "default_priority", qos_default_priority(qos));
    json_object_set_new(object, "dcbx", dcbx_json(dcb->dcbx));
    json_put_tristate(object, "willing", dcb->has_ets ? tri_of(dcb->willing) : TRI_UNKNOWN);
    json_put_num(object, "pfc_capability", num_if(dcb->has_pfc, dcb->pfc_cap));
    json_put_num(object, "pfc_delay", num_if(dcb->has_pfc, dcb->pfc_delay));
    json_put_tristate(object, "pfc_macsec_bypass", dcb->has_pfc ? tri_of(dcb->macsec_bypass) : TRI_UNKNOWN);
    json_put_tristate(object, "ets_cbs", dcb->has_ets ? tri_of(dcb->cbs) : TRI_UNKNOWN);
    json_put_num(object, "ets_capability", num_if(dcb->has_ets, dcb->ets_cap));
    json_put_num(object, "buffer_total", num_if(dcb->has_buffer, dcb->buffer_total));
    json_object_set_new(object, "apps", qos_apps_json(dcb));
    json_object_set_new(object, "priorities", listing_json(&priorities));
}

static const struct column pause_fields[] = { PAUSE_FIELDS };

static const struct column link_fields[] = { LINK_FIELDS };

static struct value get_fec_configured(const void *row)
{
    const struct qos_ethtool *ethtool = row;
    return value_texts(ethtool->fec_configured, ethtool->nfec_configured);
}

static const struct column fec_fields[] = { FEC_FIELDS };

static const struct column parameter_fields[] = { PARAMETER_FIELDS };

static const struct column port_fields[] = { PORT_FIELDS };

static json_t *statistics_json(const struct qos *qos, bool all)
{
    json_t *array = json_array();
    for (size_t i = 0; i < qos->nstatistics; i++)
        if (all || qos_statistic_matters(&qos->statistics[i]))
            json_array_append_new(array, json_pack("{s:o,s:o}", "name", json_text(qos->statistics[i].name),
                                                   "value", json_unsigned(qos->statistics[i].value)));
    return array;
}

static json_t *egress_json(const struct netdev *vlan)
{
    json_t *array = vlan->egress_known ? json_array() : json_null();
    for (size_t i = 0; vlan->egress_known && i < vlan->negress; i++)
        json_array_append_new(array,
                              json_pack("{s:I,s:i}", "kernel_priority", (json_int_t)vlan->egress[i].priority,
                                        "pcp", vlan->egress[i].pcp));
    return array;
}

static json_t *classes_json(const struct netdev *vlan)
{
    if (!vlan->classes)
        return json_null();
    json_t *map = json_array();
    for (size_t i = 0; i < KERNEL_PRIORITIES; i++)
        json_array_append_new(map, json_integer(vlan->classes->of_priority[i]));
    return json_pack("{s:o,s:o}", "by", json_text(vlan->classes->by), "of_priority", map);
}

json_t *qos_json(const struct host *host, const struct qos_subject *subject, bool all_statistics)
{
    json_t *object = json_object();
    const struct qos *qos = subject->qos;
    bool known = qos && qos->dcb_err == 0;
    json_put_text(object, "netdev", subject->netdev->name);
    json_object_set_new(object, "ports",
                        listing_json(LISTING(host, port_fields, subject->ports, subject->nports)));
    json_t *vlans = json_add_array(object, "vlans"), *maps = json_add_array(object, "vlan_maps");
    for (size_t i = 0; i < subject->nvlans; i++) {
        const struct netdev *vlan = subject->vlans[i];
        json_t *map = json_push_object(maps);
        json_array_append_new(vlans, json_text(vlan->name));
        json_put_text(map, "netdev", vlan->name);
        json_put_num(map, "vlan_id", vlan->vlan_id);
        json_object_set_new(map, "egress", egress_json(vlan));
        json_object_set_new(map, "classes", classes_json(vlan));
    }
    json_object_set_new(object, "neighbors", neighbors_json(host, subject->netdev));
    json_put_bool(object, "dcb", known);
    if (known)
        put_dcb(object, host, subject);
    if (!qos)
        return object;
    json_object_set_new(object, "link_pause", columns_json(host, pause_fields, &qos->ethtool));
    json_object_set_new(object, "link", columns_json(host, link_fields, &qos->ethtool));
    json_object_set_new(object, "error_correction", columns_json(host, fec_fields, &qos->ethtool));
    json_put_text(object, "devlink", qos->devlink);
    json_object_set_new(object, "parameters",
                        listing_json(LISTING(host, parameter_fields, qos->parameters, qos->nparameters)));
    json_object_set_new(object, "statistics", statistics_json(qos, all_statistics));
    return object;
}

json_t *qos_path_json(const struct qos_path *path, const char *netdev)
{
    bool known = path->trust != TRUST_UNKNOWN;
    json_t *object = json_object();
    json_put_text(object, "netdev", netdev);
    json_put_unsigned(object, "tos", path->tos);
    json_put_unsigned(object, "dscp", path->dscp);
    json_put_unsigned(object, "ecn", path->ecn);
    json_put_num(object, "sl", path->pcp);
    json_put_bool(object, "tagged", path->tagged);
    json_put_unsigned(object, "kernel_priority", path->skb_priority);
    json_put_num(object, "pcp", path->pcp);
    json_put_text(object, "trust", qos_trust_text(path->trust));
    json_put_num(object, "priority", num_if(known, path->priority));
    json_put_num(object, "tc", num_if(known, path->tc));
    json_put_tristate(object, "has_pfc", known ? tri_of(path->pfc) : TRI_UNKNOWN);
    json_put_num(object, "buffer", path->buffer);
    json_put_num(object, "buffer_size", path->buffer_size);
    json_put_tristate(object, "is_lost",
                      path->loss == QOS_LOST_UNKNOWN ? TRI_UNKNOWN : tri_of(path->loss != QOS_KEPT));
    json_put_text(object, "why", qos_loss_text(path->loss));
    return object;
}

struct qos_subject *qos_subject_of(struct host *host, struct qos_subjects *subjects,
                                   const struct netdev *netdev)
{
    const struct qos *qos = host_find_qos(host, netdev);
    const struct netdev *settings = qos ? host_find_netdev(host, qos->netdev) : netdev;
    for (size_t i = 0; i < subjects->count; i++)
        if (subjects->items[i].netdev == settings)
            return &subjects->items[i];
    struct qos_subject *subject = ARENA_PUSH(host->arena, subjects->items, subjects->count);
    subject->netdev = settings;
    subject->qos = qos;
    for (size_t i = 0; i < host->nnetdevs; i++) {
        const struct netdev *upper = &host->netdevs[i];
        if (upper->kind == NETDEV_VLAN && netdev_is_above(host, upper, settings))
            *ARENA_PUSH(host->arena, subject->vlans, subject->nvlans) = upper;
    }
    return subject;
}

void qos_subjects_of(struct host *host, const struct selection *selection, struct qos_subjects *subjects)
{
    size_t count;
    const struct port_row *rows = port_rows(host, selection, &count);
    for (size_t i = 0; i < count; i++) {
        const struct netdev *netdev = port_netdev(host, rows[i].port);
        struct qos_subject *subject = netdev ? qos_subject_of(host, subjects, netdev) : NULL;
        if (subject)
            *ARENA_PUSH(host->arena, subject->ports, subject->nports) = rows[i];
    }
}
