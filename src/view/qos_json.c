/* SPDX-License-Identifier: MIT */
/* The chain from DSCP to buffer, for programs. */
#include "model/host.h"
#include "view/json.h"
#include "view/qos.h"
#include "view/rows.h"

bool qos_statistic_matters(const char *name)
{
    static const char *const words[] = { "prio", "pause", "discard", "pfc", "ecn",    "cnp", "buffer",
                                         "roce", "drop",  "rdma",    "fec", "symbol", "crc", "out_of_range" };
    for (size_t i = 0; i < ARRAY_SIZE(words); i++)
        if (strcasestr(name, words[i]))
            return true;
    return false;
}

static json_t *dscps_of(const struct qos *qos, unsigned priority)
{
    json_t *array = json_array();
    for (unsigned dscp = 0; dscp < DSCPS; dscp++) {
        bool mapped;
        if (qos_dscp_priority(qos, dscp, &mapped) == priority)
            json_array_append_new(array, json_integer(dscp));
    }
    return array;
}

static json_t *priority_json(const struct qos_subject *subject, unsigned priority)
{
    const struct qos *qos = subject->qos;
    const struct qos_dcb *dcb = &qos->dcb;
    unsigned tc = dcb->has_ets ? dcb->priority_tc[priority] : 0;
    unsigned buffer = dcb->has_buffer ? dcb->priority_buffer[priority] : 0;
    bool has_tc = dcb->has_ets && tc < PRIORITIES, has_buffer = dcb->has_buffer && buffer < PRIORITIES;
    json_t *object = json_object();
    json_put_unsigned(object, "priority", priority);
    json_object_set_new(object, "dscps", qos_trust(qos) == TRUST_DSCP ? dscps_of(qos, priority) : json_null());
    json_put_num(object, "tc", num_if(dcb->has_ets, tc));
    json_put_text(object, "tsa", has_tc ? qos_tsa_text(dcb->tc_tsa[tc]) : NULL);
    json_put_num(object, "bandwidth", num_if(has_tc, has_tc ? dcb->tc_bandwidth[tc] : 0));
    json_put_num(object, "maxrate_kbps", num_if(dcb->has_maxrate && has_tc, has_tc ? dcb->tc_maxrate[tc] : 0));
    json_put_tristate(object, "has_pfc", dcb->has_pfc ? tri_of(dcb->pfc_enabled >> priority & 1) : TRI_UNKNOWN);
    json_put_num(object, "pfc_frames_sent", num_if(dcb->has_pfc, dcb->pfc_sent[priority]));
    json_put_num(object, "pfc_frames_received", num_if(dcb->has_pfc, dcb->pfc_received[priority]));
    json_put_num(object, "buffer", num_if(dcb->has_buffer, buffer));
    json_put_num(object, "buffer_size", num_if(has_buffer, has_buffer ? dcb->buffer_size[buffer] : 0));
    json_put_tristate(object, "ecn_sender", subject->netdev->ecn_enabled[priority]);
    json_put_tristate(object, "ecn_receiver", subject->netdev->ecn_np[priority]);
    return object;
}

static json_t *dcbx_json(struct num dcbx)
{
    static const char *const words[] = { "host", "lld-managed", "cee", "ieee", "static" };
    if (!dcbx.known)
        return json_null();
    json_t *array = json_array();
    for (size_t i = 0; i < ARRAY_SIZE(words); i++)
        if (dcbx.value >> i & 1)
            json_array_append_new(array, json_string(words[i]));
    return array;
}

static json_t *apps_json(const struct qos_dcb *dcb)
{
    json_t *array = json_array();
    for (size_t i = 0; i < dcb->napps; i++) {
        const struct qos_app *app = &dcb->apps[i];
        const char *selector = app->selector == QOS_APP_ETHERTYPE ? "ethertype"
                               : app->selector == QOS_APP_STREAM  ? "stream-port"
                               : app->selector == QOS_APP_DGRAM   ? "dgram-port"
                               : app->selector == QOS_APP_ANY     ? "port"
                               : app->selector == QOS_APP_DSCP    ? "dscp"
                               : app->selector == QOS_APP_PCP     ? "pcp"
                                                                  : NULL;
        json_t *object = json_object();
        json_put_text(object, "selector", selector);
        json_put_unsigned(object, "protocol", app->protocol);
        json_put_unsigned(object, "priority", app->priority);
        json_array_append_new(array, object);
    }
    return array;
}

static void add_dcb(json_t *object, const struct qos_subject *subject)
{
    const struct qos *qos = subject->qos;
    const struct qos_dcb *dcb = &qos->dcb;
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
    json_object_set_new(object, "apps", apps_json(dcb));
    json_t *priorities = json_array();
    for (unsigned i = 0; i < PRIORITIES; i++)
        json_array_append_new(priorities, priority_json(subject, i));
    json_object_set_new(object, "priorities", priorities);
}

static json_t *pause_json(const struct qos_ethtool *ethtool)
{
    json_t *object = json_object();
    json_put_tristate(object, "autoneg", ethtool->pause_autoneg);
    json_put_tristate(object, "rx", ethtool->pause_rx);
    json_put_tristate(object, "tx", ethtool->pause_tx);
    json_put_num(object, "frames_received", ethtool->pause_frames_received);
    json_put_num(object, "frames_sent", ethtool->pause_frames_sent);
    return object;
}

static json_t *link_json(const struct qos_ethtool *ethtool)
{
    json_t *object = json_object();
    json_put_tristate(object, "detected", ethtool->link);
    json_put_text(object, "reason", ethtool->link_ext_state);
    json_put_num(object, "speed_mbps", ethtool->speed_mbps);
    json_put_num(object, "supported_mbps", ethtool->supported_mbps);
    json_put_num(object, "advertised_mbps", ethtool->advertised_mbps);
    json_put_num(object, "lanes", ethtool->lanes);
    json_put_text(object, "duplex", ethtool->duplex);
    json_put_tristate(object, "autoneg", ethtool->autoneg);
    return object;
}

static json_t *fec_json(const struct qos_ethtool *ethtool)
{
    json_t *configured = json_array(), *object = json_object();
    for (size_t i = 0; i < ethtool->nfec_configured; i++)
        json_array_append_new(configured, json_text(ethtool->fec_configured[i]));
    json_put_text(object, "active", ethtool->fec_active);
    json_object_set_new(object, "configured", configured);
    json_put_tristate(object, "auto", ethtool->fec_auto);
    json_put_num(object, "corrected", ethtool->fec_corrected);
    json_put_num(object, "uncorrectable", ethtool->fec_uncorrectable);
    return object;
}

static json_t *parameters_json(const struct qos *qos)
{
    json_t *array = json_array();
    for (size_t i = 0; i < qos->nparameters; i++) {
        const struct qos_parameter *parameter = &qos->parameters[i];
        json_t *object = json_object();
        json_put_text(object, "device", parameter->device);
        json_put_text(object, "name", parameter->name);
        json_put_text(object, "mode", parameter->mode);
        json_put_text(object, "setting", parameter->text);
        json_array_append_new(array, object);
    }
    return array;
}

static json_t *statistics_json(const struct qos *qos, bool all)
{
    json_t *array = json_array();
    for (size_t i = 0; i < qos->nstatistics; i++) {
        if (!all && !qos_statistic_matters(qos->statistics[i].name))
            continue;
        json_t *object = json_object();
        json_put_text(object, "name", qos->statistics[i].name);
        json_put_unsigned(object, "value", qos->statistics[i].value);
        json_array_append_new(array, object);
    }
    return array;
}

static json_t *ports_json(const struct qos_subject *subject)
{
    json_t *array = json_array();
    for (size_t i = 0; i < subject->nports; i++) {
        const struct port *port = subject->ports[i];
        json_t *object = json_object();
        json_put_text(object, "device", port->device->name);
        json_put_unsigned(object, "port", port->number);
        json_put_num(object, "cm_tos", port->cm_tos);
        json_put_num(object, "traffic_class", port->traffic_class);
        json_put_num(object, "ttl", port->ttl);
        json_array_append_new(array, object);
    }
    return array;
}

static json_t *egress_json(const struct netdev *vlan)
{
    if (!vlan->egress_known)
        return json_null();
    json_t *array = json_array();
    for (size_t i = 0; i < vlan->negress; i++) {
        json_t *entry = json_object();
        json_put_unsigned(entry, "kernel_priority", vlan->egress[i].priority);
        json_put_unsigned(entry, "pcp", vlan->egress[i].pcp);
        json_array_append_new(array, entry);
    }
    return array;
}

static json_t *classes_json(const struct netdev *vlan)
{
    if (!vlan->classes)
        return json_null();
    json_t *object = json_object(), *map = json_array();
    for (size_t i = 0; i < KERNEL_PRIORITIES; i++)
        json_array_append_new(map, json_integer(vlan->classes->of_priority[i]));
    json_put_text(object, "by", vlan->classes->by);
    json_object_set_new(object, "of_priority", map);
    return object;
}

static json_t *vlan_maps_json(const struct qos_subject *subject)
{
    json_t *array = json_array();
    for (size_t i = 0; i < subject->nvlans; i++) {
        json_t *object = json_object();
        json_put_text(object, "netdev", subject->vlans[i]->name);
        json_put_num(object, "vlan_id", subject->vlans[i]->vlan_id);
        json_object_set_new(object, "egress", egress_json(subject->vlans[i]));
        json_object_set_new(object, "classes", classes_json(subject->vlans[i]));
        json_array_append_new(array, object);
    }
    return array;
}

json_t *qos_json(const struct qos_subject *subject, bool all_statistics)
{
    json_t *object = json_object(), *vlans = json_array();
    const struct qos *qos = subject->qos;
    bool known = qos && qos->dcb_err == 0;
    for (size_t i = 0; i < subject->nvlans; i++)
        json_array_append_new(vlans, json_text(subject->vlans[i]->name));
    json_put_text(object, "netdev", subject->netdev->name);
    json_object_set_new(object, "ports", ports_json(subject));
    json_object_set_new(object, "vlans", vlans);
    json_object_set_new(object, "vlan_maps", vlan_maps_json(subject));
    json_put_bool(object, "dcb", known);
    if (known)
        add_dcb(object, subject);
    if (qos) {
        json_object_set_new(object, "link_pause", pause_json(&qos->ethtool));
        json_object_set_new(object, "link", link_json(&qos->ethtool));
        json_object_set_new(object, "error_correction", fec_json(&qos->ethtool));
        json_put_text(object, "devlink", qos->devlink);
        json_object_set_new(object, "parameters", parameters_json(qos));
        json_object_set_new(object, "statistics", statistics_json(qos, all_statistics));
    }
    return object;
}

const char *qos_loss_text(enum qos_loss loss)
{
    static const char *const words[] = {
        [QOS_LOST_UNKNOWN] = "the netdev does not tell its settings",
        [QOS_LOST_TRUST] =
            "the netdev trusts PCP and the frames have no VLAN tag: all of them get the default priority",
        [QOS_LOST_MAP] = "no DSCP entry: it shares the default priority with all other traffic",
        [QOS_LOST_PFC] = "no PFC on its priority: the switch may drop it",
        [QOS_LOST_BUFFER] = "PFC is on, but its buffer has no room",
    };
    return loss == QOS_KEPT ? NULL : words[loss];
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
        const struct port *port = rows[i].port;
        const struct netdev *netdev = port_netdev(host, port);
        if (!netdev)
            continue;
        struct qos_subject *subject = qos_subject_of(host, subjects, netdev);
        *ARENA_PUSH(host->arena, subject->ports, subject->nports) = port;
    }
}

const char *qos_absence_text(const struct qos_subject *subject)
{
    return subject->netdev->kind == NETDEV_IPOIB
               ? "none: IPoIB uses service levels, which the subnet manager sets"
               : "not known: this netdev has none of its own, and there is no NIC below it to ask";
}
