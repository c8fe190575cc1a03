#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "model/host.h"
#include "view/json.h"
#include "view/qos.h"

static json_t *number(struct num num)
{
    return num.known ? json_integer((json_int_t)num.value) : json_null();
}

static json_t *yes_no(enum tristate tristate)
{
    return tristate == TRI_UNKNOWN ? json_null() : json_boolean(tristate == TRI_YES);
}

static json_t *only_if(bool known, uint64_t value)
{
    return known ? json_integer((json_int_t)value) : json_null();
}

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
    json_object_set_new(object, "priority", json_integer(priority));
    json_object_set_new(object, "dscps", qos_trust(qos) == TRUST_DSCP ? dscps_of(qos, priority) : json_null());
    json_object_set_new(object, "tc", only_if(dcb->has_ets, tc));
    json_object_set_new(object, "tsa", has_tc ? json_text(qos_tsa_text(dcb->tc_tsa[tc])) : json_null());
    json_object_set_new(object, "bandwidth", only_if(has_tc, has_tc ? dcb->tc_bandwidth[tc] : 0));
    json_object_set_new(object, "maxrate_kbps",
                        only_if(dcb->has_maxrate && has_tc, has_tc ? dcb->tc_maxrate[tc] : 0));
    json_object_set_new(object, "pfc",
                        dcb->has_pfc ? json_boolean(dcb->pfc_enabled >> priority & 1) : json_null());
    json_object_set_new(object, "pfc_sent", only_if(dcb->has_pfc, dcb->pfc_sent[priority]));
    json_object_set_new(object, "pfc_received", only_if(dcb->has_pfc, dcb->pfc_received[priority]));
    json_object_set_new(object, "buffer", only_if(dcb->has_buffer, buffer));
    json_object_set_new(object, "buffer_size", only_if(has_buffer, has_buffer ? dcb->buffer_size[buffer] : 0));
    json_object_set_new(object, "ecn_sender", yes_no(subject->netdev->ecn_enabled[priority]));
    json_object_set_new(object, "ecn_receiver", yes_no(subject->netdev->ecn_np[priority]));
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
        json_object_set_new(object, "selector", json_text(selector));
        json_object_set_new(object, "protocol", json_integer(app->protocol));
        json_object_set_new(object, "priority", json_integer(app->priority));
        json_array_append_new(array, object);
    }
    return array;
}

static void add_dcb(json_t *object, const struct qos_subject *subject)
{
    const struct qos *qos = subject->qos;
    const struct qos_dcb *dcb = &qos->dcb;
    json_object_set_new(object, "trust", json_text(qos_trust_text(qos_trust(qos))));
    json_object_set_new(object, "default_priority", json_integer(qos_default_priority(qos)));
    json_object_set_new(object, "dcbx", dcbx_json(dcb->dcbx));
    json_object_set_new(object, "willing", dcb->has_ets ? json_boolean(dcb->willing) : json_null());
    json_object_set_new(object, "pfc_capability", only_if(dcb->has_pfc, dcb->pfc_cap));
    json_object_set_new(object, "pfc_delay", only_if(dcb->has_pfc, dcb->pfc_delay));
    json_object_set_new(object, "pfc_macsec_bypass",
                        dcb->has_pfc ? json_boolean(dcb->macsec_bypass) : json_null());
    json_object_set_new(object, "ets_cbs", dcb->has_ets ? json_boolean(dcb->cbs) : json_null());
    json_object_set_new(object, "ets_capability", only_if(dcb->has_ets, dcb->ets_cap));
    json_object_set_new(object, "buffer_total", only_if(dcb->has_buffer, dcb->buffer_total));
    json_object_set_new(object, "apps", apps_json(dcb));
    json_t *priorities = json_array();
    for (unsigned i = 0; i < PRIORITIES; i++)
        json_array_append_new(priorities, priority_json(subject, i));
    json_object_set_new(object, "priorities", priorities);
}

static json_t *pause_json(const struct qos_ethtool *ethtool)
{
    json_t *object = json_object();
    json_object_set_new(object, "autoneg", yes_no(ethtool->pause_autoneg));
    json_object_set_new(object, "rx", yes_no(ethtool->pause_rx));
    json_object_set_new(object, "tx", yes_no(ethtool->pause_tx));
    json_object_set_new(object, "frames_received", number(ethtool->pause_frames_received));
    json_object_set_new(object, "frames_sent", number(ethtool->pause_frames_sent));
    return object;
}

static json_t *link_json(const struct qos_ethtool *ethtool)
{
    json_t *object = json_object();
    json_object_set_new(object, "detected", yes_no(ethtool->link));
    json_object_set_new(object, "reason", json_text(ethtool->link_ext_state));
    json_object_set_new(object, "speed_mbps", number(ethtool->speed_mbps));
    json_object_set_new(object, "supported_mbps", number(ethtool->supported_mbps));
    json_object_set_new(object, "advertised_mbps", number(ethtool->advertised_mbps));
    json_object_set_new(object, "lanes", number(ethtool->lanes));
    json_object_set_new(object, "duplex", json_text(ethtool->duplex));
    json_object_set_new(object, "autoneg", yes_no(ethtool->autoneg));
    return object;
}

static json_t *fec_json(const struct qos_ethtool *ethtool)
{
    json_t *configured = json_array(), *object = json_object();
    for (size_t i = 0; i < ethtool->nfec_configured; i++)
        json_array_append_new(configured, json_text(ethtool->fec_configured[i]));
    json_object_set_new(object, "active", json_text(ethtool->fec_active));
    json_object_set_new(object, "configured", configured);
    json_object_set_new(object, "auto", yes_no(ethtool->fec_auto));
    json_object_set_new(object, "corrected", number(ethtool->fec_corrected));
    json_object_set_new(object, "uncorrectable", number(ethtool->fec_uncorrectable));
    return object;
}

static json_t *parameters_json(const struct qos *qos)
{
    json_t *array = json_array();
    for (size_t i = 0; i < qos->nparameters; i++) {
        const struct qos_parameter *parameter = &qos->parameters[i];
        json_t *object = json_object();
        json_object_set_new(object, "device", json_text(parameter->device));
        json_object_set_new(object, "name", json_text(parameter->name));
        json_object_set_new(object, "mode", json_text(parameter->mode));
        json_object_set_new(object, "value",
                            parameter->is_boolean ? json_boolean(parameter->boolean)
                                                  : json_text(parameter->text));
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
        json_object_set_new(object, "name", json_text(qos->statistics[i].name));
        json_object_set_new(object, "value", json_integer((json_int_t)qos->statistics[i].value));
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
        json_object_set_new(object, "device", json_text(port->device->name));
        json_object_set_new(object, "port", json_integer(port->number));
        json_object_set_new(object, "cm_tos", number(port->cm_tos));
        json_object_set_new(object, "traffic_class", number(port->traffic_class));
        json_object_set_new(object, "ttl", number(port->ttl));
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
    json_object_set_new(object, "netdev", json_text(subject->netdev->name));
    json_object_set_new(object, "ports", ports_json(subject));
    json_object_set_new(object, "vlans", vlans);
    json_object_set_new(object, "dcb", json_boolean(known));
    if (known)
        add_dcb(object, subject);
    if (qos) {
        json_object_set_new(object, "pause", pause_json(&qos->ethtool));
        json_object_set_new(object, "link", link_json(&qos->ethtool));
        json_object_set_new(object, "fec", fec_json(&qos->ethtool));
        json_object_set_new(object, "devlink", json_text(qos->devlink));
        json_object_set_new(object, "parameters", parameters_json(qos));
        json_object_set_new(object, "statistics", statistics_json(qos, all_statistics));
    }
    return object;
}

const char *qos_loss_text(enum qos_loss loss)
{
    static const char *const words[] = {
        [QOS_LOST_UNKNOWN] = "the netdev does not tell its settings",
        [QOS_LOST_TRUST] = "the netdev goes by PCP and the frames have no VLAN tag: all of them get the "
                           "default priority",
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
    json_object_set_new(object, "netdev", json_text(netdev));
    json_object_set_new(object, "tos", json_integer(path->tos));
    json_object_set_new(object, "dscp", json_integer(path->dscp));
    json_object_set_new(object, "ecn", json_integer(path->ecn));
    json_object_set_new(object, "sl", json_integer(path->sl));
    json_object_set_new(object, "tagged", json_boolean(path->tagged));
    json_object_set_new(object, "pcp", only_if(path->tagged, path->pcp));
    json_object_set_new(object, "trust", json_text(qos_trust_text(path->trust)));
    json_object_set_new(object, "priority", only_if(known, path->priority));
    json_object_set_new(object, "tc", only_if(known, path->tc));
    json_object_set_new(object, "pfc", known ? json_boolean(path->pfc) : json_null());
    json_object_set_new(object, "buffer", number(path->buffer));
    json_object_set_new(object, "buffer_size", number(path->buffer_size));
    json_object_set_new(object, "lost",
                        path->loss == QOS_LOST_UNKNOWN ? json_null() : json_boolean(path->loss != QOS_KEPT));
    json_object_set_new(object, "why", json_text(qos_loss_text(path->loss)));
    return object;
}
