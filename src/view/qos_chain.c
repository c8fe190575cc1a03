/* SPDX-License-Identifier: MIT */
/* The chain from DSCP to buffer, for people. */
#include "view/qos.h"

#include "base/glyph.h"
#include "tables.h"
#include "view/page.h"

enum { LABEL = 13 }; /* width of the label that says what a line is about */

/* A row of the chain: one priority of a netdev. */
struct priority_row {
    const struct qos *qos;
    unsigned priority;
    struct num tc, bandwidth, maxrate_kbps, sent, received, buffer, buffer_size;
    const char *tsa;
    enum tristate has_pfc, ecn_sender, ecn_receiver;
};

bool qos_statistic_matters(const struct qos_statistic *statistic)
{
    const struct counter_def *def = statistic->def;
    return def && ((def->role && def->role != ROLE_FRAMES_RECEIVED) || def->severity != COUNTER_INFO);
}

const char *qos_loss_text(enum qos_loss loss)
{
    static const char *const words[] = { LOSS_TEXTS };
    return loss == QOS_KEPT ? NULL : words[loss];
}

const char *qos_absence_text(const struct qos_subject *subject)
{
    return subject->netdev->kind == NETDEV_IPOIB
               ? "none: IPoIB uses service levels, which the subnet manager sets"
               : "not known: this netdev has none of its own, and there is no NIC below it to ask";
}

static struct priority_row row_of(const struct qos_subject *subject, unsigned priority)
{
    const struct qos_dcb *dcb = &subject->qos->dcb;
    unsigned tc = dcb->priority_tc[priority], buffer = dcb->priority_buffer[priority];
    bool has_tc = dcb->has_ets && tc < PRIORITIES, has_buffer = dcb->has_buffer && buffer < PRIORITIES;
    return (struct priority_row){
        .qos = subject->qos,
        .priority = priority,
        .tc = num_if(dcb->has_ets, tc),
        .tsa = has_tc ? qos_tsa_text(dcb->tc_tsa[tc]) : NULL,
        .bandwidth = num_if(has_tc, has_tc ? dcb->tc_bandwidth[tc] : 0),
        .maxrate_kbps = num_if(dcb->has_maxrate && has_tc, has_tc ? dcb->tc_maxrate[tc] : 0),
        .has_pfc = dcb->has_pfc ? tri_of(dcb->pfc_enabled >> priority & 1) : TRI_UNKNOWN,
        .sent = num_if(dcb->has_pfc, dcb->pfc_sent[priority]),
        .received = num_if(dcb->has_pfc, dcb->pfc_received[priority]),
        .buffer = num_if(dcb->has_buffer, buffer),
        .buffer_size = num_if(has_buffer, has_buffer ? dcb->buffer_size[buffer] : 0),
        .ecn_sender = subject->netdev->ecn_enabled[priority],
        .ecn_receiver = subject->netdev->ecn_np[priority],
    };
}

/* For people, as ranges. */
static struct value make_dscps(const struct cell_context *context, const void *data)
{
    const struct priority_row *row = data;
    if (qos_trust(row->qos) != TRUST_DSCP)
        return NO_VALUE;
    uint64_t *dscps = arena_alloc(context->arena, DSCPS, sizeof(*dscps));
    size_t count = 0;
    bool mapped;
    for (unsigned dscp = 0; dscp < DSCPS; dscp++)
        if (qos_dscp_priority(row->qos, dscp, &mapped) == row->priority)
            dscps[count++] = dscp;
    return context->for_people ? value_text(runs_text(context->arena, dscps, count, ","))
                               : value_numbers(dscps, count);
}

static bool is_by_ets(const struct priority_row *row)
{
    return row->tsa && row->tsa == qos_tsa_text(QOS_TSA_ETS);
}

/* Other classes' bandwidth has no effect. */
static struct value make_bandwidth(const struct cell_context *context, const void *data)
{
    const struct priority_row *row = data;
    if (!context->for_people)
        return value_num(row->bandwidth);
    return value_text(is_by_ets(row) ? arena_printf(context->arena, "%u%%", (unsigned)row->bandwidth.value)
                                     : NULL);
}

static struct value make_pfc(const struct cell_context *context, const void *data)
{
    const struct priority_row *row = data;
    if (!context->for_people || row->has_pfc == TRI_UNKNOWN)
        return value_tristate(row->has_pfc);
    bool on = row->has_pfc == TRI_YES;
    return value_with_tone(value_text(on ? "on" : "off"), on ? TONE_GOOD : TONE_DIM);
}

/* For people, preceded by the sender's. */
static struct value make_ecn(const struct cell_context *context, const void *data)
{
    const struct priority_row *row = data;
    if (!context->for_people || (row->ecn_sender == TRI_UNKNOWN && row->ecn_receiver == TRI_UNKNOWN))
        return value_tristate(row->ecn_receiver);
    return value_text(arena_printf(context->arena, "%s/%s", row->ecn_sender == TRI_YES ? "on" : "off",
                                   row->ecn_receiver == TRI_YES ? "on" : "off"));
}

static const struct column chain_columns[] = { CHAIN_COLUMNS };

const char qos_priorities_shown[] =
    "dscps,priority,tc,tsa,bandwidth,has_pfc,pfc_frames_sent,pfc_frames_received,"
    "buffer,buffer_size,ecn_receiver";

static void print_title(size_t width, const struct qos_subject *subject)
{
    struct bytes line = { 0 };
    bytes_printf(&line, "%s", subject->netdev->name);
    for (size_t i = 0; i < subject->nports; i++)
        bytes_printf(&line, "%s%s/%u%s", i ? ", " : " (", subject->ports[i].port->device->name,
                     subject->ports[i].port->number, i + 1 == subject->nports ? ")" : "");
    line_print(width, LABEL + 3, "%s", line.data);
    bytes_free(&line);
}

static const char *on_off(enum tristate tristate)
{
    return tristate == TRI_YES ? "on" : tristate == TRI_NO ? "off" : "unknown";
}

/* ", 4 lanes"; "" if it isn't known. */
static const char *count_text(struct arena *arena, const char *what, struct num count)
{
    return count.known ? arena_printf(arena, ", %" PRIu64 " %s", count.value, what) : "";
}

static void print_link(size_t width, struct arena *arena, const struct qos_ethtool *ethtool)
{
    bool slower = ethtool->supported_mbps.value > ethtool->speed_mbps.value;
    const char *lanes = count_text(arena, "lanes", ethtool->lanes), *autoneg = on_off(ethtool->autoneg);
    if (ethtool->link == TRI_NO)
        block_printf("link", LABEL, width, "none%s%s%s, autonegotiation %s",
                     ethtool->link_ext_state ? ": " : "",
                     ethtool->link_ext_state ? ethtool->link_ext_state : "", lanes, autoneg);
    else if (ethtool->speed_mbps.known)
        block_printf(
            "link", LABEL, width, "%s%s%s %s duplex%s, autonegotiation %s",
            value_in_words(arena, value_num_as(VALUE_MBPS, ethtool->speed_mbps)), slower ? " of " : "",
            slower ? arena_printf(arena, "%s,",
                                  value_in_words(arena, value_num_as(VALUE_MBPS, ethtool->supported_mbps)))
                   : "",
            ethtool->duplex ? ethtool->duplex : "unknown", lanes, autoneg);
}

static void print_ethtool(size_t width, struct arena *arena, const struct qos_ethtool *ethtool)
{
    print_link(width, arena, ethtool);
    if (ethtool->fec_active)
        block_printf("FEC", LABEL, width, "%s%s%s", ethtool->fec_active,
                     count_text(arena, "blocks corrected", ethtool->fec_corrected),
                     count_text(arena, "uncorrectable", ethtool->fec_uncorrectable));
    if (ethtool->pause_rx != TRI_UNKNOWN)
        block_printf("pause", LABEL, width, "rx %s, tx %s%s%s", on_off(ethtool->pause_rx),
                     on_off(ethtool->pause_tx),
                     count_text(arena, "frames received", ethtool->pause_frames_received),
                     count_text(arena, "sent", ethtool->pause_frames_sent));
}

static void print_way(size_t width, const struct qos_subject *subject, const struct port *port,
                      const char *what, unsigned tos, const struct netdev *vlan)
{
    struct qos_path path = qos_follow(subject->qos, tos, vlan);
    const char *loss = qos_loss_text(path.loss);
    struct bytes line = { 0 };
    bytes_printf(&line, "%u on %s/%u%s%s: DSCP %u", tos, port->device->name, port->number, vlan ? " by " : "",
                 vlan ? vlan->name : "", path.dscp);
    if (vlan && path.pcp.known)
        bytes_printf(&line, ", PCP %" PRIu64, path.pcp.value);
    if (path.trust != TRUST_UNKNOWN)
        bytes_printf(&line, ", priority %u, PFC %s", path.priority,
                     path.pfc                             ? "on"
                     : qos_has_global_pause(subject->qos) ? "off, global pause on"
                                                          : "off");
    block_printf(what, LABEL, width, "%s%s%s", line.data, loss ? "; " : "", loss ? loss : "");
    bytes_free(&line);
}

/* If PCPs are trusted, each VLAN is another way. */
static void print_default(size_t width, const struct qos_subject *subject, const struct port *port,
                          const char *what, struct num tos)
{
    if (!tos.known)
        return;
    print_way(width, subject, port, what, (unsigned)tos.value & 255, NULL);
    bool by_pcp = subject->qos && subject->qos->dcb_err == 0 && qos_trust(subject->qos) == TRUST_PCP;
    for (size_t i = 0; by_pcp && i < subject->nvlans; i++)
        print_way(width, subject, port, what, (unsigned)tos.value & 255, subject->vlans[i]);
}

static void print_ports(size_t width, const struct qos_subject *subject)
{
    for (size_t i = 0; i < subject->nports; i++) {
        const struct port *port = subject->ports[i].port;
        print_default(width, subject, port, "RDMA_CM TOS", port->cm_tos);
        if (!port->cm_tos.known && port->cm_err)
            block_printf("RDMA_CM TOS", LABEL, width, "not read: %s", cm_unread_text(port->cm_err));
        if (port->traffic_class.known) /* the application chooses its PCP */
            print_way(width, subject, port, "traffic class", (unsigned)port->traffic_class.value & 255, NULL);
        if (port->ttl.known)
            printf("  TTL           %" PRIu64 "\n", port->ttl.value);
    }
}

const char *vlan_map_text(struct arena *arena, const struct netdev *vlan)
{
    if (!vlan->egress_known)
        return NULL;
    const char *text = "";
    for (size_t i = 0; i < vlan->negress; i++)
        text = arena_printf(arena, "%s%s%" PRIu32 ":%u", text, i ? " " : "", vlan->egress[i].priority,
                            vlan->egress[i].pcp);
    return text;
}

/* What applies instead of the VLAN's own map. RDMA_CM uses four of the kernel's priorities. */
static void print_classes(size_t width, const struct host *host, const struct netdev *vlan)
{
    static const unsigned used[] = { 0, 2, 4, 6 };
    const struct netdev *real = netdev_vlan_real(host, vlan);
    const char *below = real ? real->name : "";
    char map[64];
    size_t len = 0;
    if (!vlan->classes) {
        block_printf("VLAN", LABEL, width,
                     "%s: PCP by a map that the driver of %s has made, and that nobody tells", vlan->name,
                     below);
        return;
    }
    for (size_t i = 0; i < ARRAY_SIZE(used); i++)
        len += (size_t)snprintf(map + len, sizeof(map) - len, " %u:%u", used[i],
                                vlan->classes->of_priority[used[i]] & 7);
    block_printf("VLAN", LABEL, width,
                 "%s: PCP by the kernel's priority%s (the map of %s on %s, instead of its own)", vlan->name,
                 map, vlan->classes->by, below);
}

static void print_vlans(size_t width, const struct host *host, const struct qos_subject *subject)
{
    for (size_t i = 0; i < subject->nvlans; i++) {
        const struct netdev *vlan = subject->vlans[i];
        const char *map = vlan_map_text(host->arena, vlan);
        if (vlan->classes || vlan->classes_unknown)
            print_classes(width, host, vlan);
        else
            block_printf("VLAN", LABEL, width, "%s: %s%s", vlan->name,
                         !map   ? "its egress map is not known"
                         : *map ? "PCP by the kernel's priority "
                                : "PCP 0 for every packet (its egress map is empty)",
                         map ? map : "");
    }
}

static void print_dcbx(size_t width, const struct qos_dcb *dcb)
{
    if (!dcb->dcbx.known)
        return;
    block_printf("DCBX", LABEL, width, "%s%s%s%s%s",
                 dcb->dcbx.value & DCBX_HOST ? "the host decides" : "the firmware decides (LLDP)",
                 dcb->dcbx.value & DCBX_CEE ? ", CEE" : "", dcb->dcbx.value & DCBX_IEEE ? ", IEEE" : "",
                 dcb->dcbx.value & DCBX_STATIC ? ", static" : "",
                 dcb->has_ets && dcb->willing ? "; takes over what the peer says (willing)" : "");
}

static void print_neighbors(size_t width, const struct host *host, const struct qos_subject *subject)
{
    const struct netdev_lldp *lldp = &subject->netdev->lldp;
    const struct qos_dcb *here = subject->qos && subject->qos->dcb_err == 0 ? &subject->qos->dcb : NULL;
    for (size_t i = 0; i < lldp->count; i++)
        block_printf(lldp_is_host(&lldp->neighbors[i]) ? "neighbor" : "switch", LABEL, width, "%s",
                     neighbor_text(host->arena, &lldp->neighbors[i], here));
}

static void print_parameters(size_t width, const struct qos *qos)
{
    for (size_t i = 0; i < qos->nparameters; i++) {
        const struct qos_parameter *parameter = &qos->parameters[i];
        block_printf("parameter", LABEL, width, "%s = %s (%s)", parameter->name,
                     parameter->text ? parameter->text : "-", parameter->mode ? parameter->mode : "?");
    }
}

static void print_statistics(const struct look *look, const struct qos *qos)
{
    for (size_t i = 0; i < qos->nstatistics; i++) {
        const struct qos_statistic *statistic = &qos->statistics[i];
        bool wanted = look->verbose || (statistic->value && qos_statistic_matters(statistic));
        if (!wanted)
            continue;
        block_printf("statistic", LABEL, look->width, "%s = %" PRIu64, statistic->name, statistic->value);
    }
}

static const char *dcb_err_text(int err)
{
    if (err == ENOENT)
        return "the recording does not have them";
    return err == EOPNOTSUPP ? "the driver offers no DCB" : say_errno(err);
}

struct listing qos_priorities(const struct host *host, const struct qos_subject *subject)
{
    struct priority_row *rows = arena_alloc(host->arena, PRIORITIES, sizeof(*rows));
    for (unsigned i = 0; i < PRIORITIES; i++)
        rows[i] = row_of(subject, i);
    return (struct listing){ host, chain_columns, rows, PRIORITIES, sizeof(*rows) };
}

void qos_print(const struct look *look, const struct host *host, const struct qos_subject *subject)
{
    const struct qos *qos = subject->qos;
    size_t width = look->width;
    print_title(width, subject);
    print_neighbors(width, host, subject);
    if (!qos) {
        block_printf("priorities", LABEL, width, "%s", qos_absence_text(subject));
        print_ports(width, subject);
        return;
    }
    print_ethtool(width, host->arena, &qos->ethtool);
    if (qos->dcb_err) {
        block_printf("priorities", LABEL, width, "not known: %s", dcb_err_text(qos->dcb_err));
    } else {
        const char *trust = qos_trust_text(qos_trust(qos));
        print_dcbx(width, &qos->dcb);
        printf("  trust         %s; default priority %u\n", trust ? trust : "not known",
               qos_default_priority(qos));
    }
    print_ports(width, subject);
    print_vlans(width, host, subject);
    print_parameters(width, qos);
    print_statistics(look, qos);
    if (qos->dcb_err)
        return;
    const struct listing priorities = qos_priorities(host, subject);
    listing_table_beside(look, &priorities, qos_priorities_shown);
}

static const char *ecn_text(unsigned ecn)
{
    static const char *const words[] = { "not ECN-capable", "ECT(1)", "ECT(0)", "CE" };
    return words[ecn & 3];
}

enum { STEP_LABEL = 9 };

static void print_steps(size_t width, const struct qos_path *path, const struct qos_subject *subject)
{
    const struct priority_row row = row_of(subject, path->priority);
    struct bytes line = { 0 };
    bytes_printf(&line, "%s: ", qos_trust_text(path->trust));
    if (path->trust == TRUST_DSCP)
        bytes_printf(&line, "DSCP %u%s", path->dscp, path->mapped ? "" : " (no entry)");
    else if (path->tagged)
        bytes_printf(&line, "PCP %" PRIu64, path->pcp.value);
    else
        bytes_printf(&line, "no tag, the default");
    block_printf("trust", STEP_LABEL, width, "%s %s priority %u", line.data, glyph(GLYPH_ARROW),
                 path->priority);
    bytes_free(&line);
    bytes_printf(&line, "%u%s%s", path->tc, row.tsa ? ", " : "", row.tsa ? row.tsa : "");
    if (is_by_ets(&row))
        bytes_printf(&line, " %u%%", (unsigned)row.bandwidth.value);
    block_print("class", STEP_LABEL, line.data, width);
    bytes_free(&line);
    block_print("PFC", STEP_LABEL, path->pfc ? "on" : "off", width);
    if (path->buffer.known)
        block_printf("buffer", STEP_LABEL, width, "%" PRIu64 ", %" PRIu64 " bytes", path->buffer.value,
                     path->buffer_size.value);
    if (row.ecn_sender != TRI_UNKNOWN || row.ecn_receiver != TRI_UNKNOWN)
        block_printf("ECN", STEP_LABEL, width, "sender %s, receiver %s", on_off(row.ecn_sender),
                     on_off(row.ecn_receiver));
}

void qos_path_print(const struct look *look, const struct qos_path *path, const struct qos_subject *subject,
                    const char *netdev)
{
    size_t width = look->width;
    line_print(width, 2, "TOS %u (0x%02x) on %s", path->tos, path->tos, netdev);
    block_printf("DSCP", STEP_LABEL, width, "%u, ECN bits %u (%s)", path->dscp, path->ecn, ecn_text(path->ecn));
    if (!path->tagged)
        block_print("tag", STEP_LABEL, "none, and so no PCP", width);
    else if (path->pcp.known)
        block_printf("tag", STEP_LABEL, width,
                     "PCP %" PRIu64 " and SL, by RDMA_CM: what the %s has for priority %u of the kernel",
                     path->pcp.value, path->pcp_by ? path->pcp_by : "egress map", path->skb_priority);
    else
        block_print("tag", STEP_LABEL, "PCP not known: the map that gives it can't be read", width);
    if (path->trust != TRUST_UNKNOWN)
        print_steps(width, path, subject);
    const char *loss = qos_loss_text(path->loss);
    line_print(width, 4, "  %s%s",
               path->loss == QOS_KEPT && !path->pfc ? "kept: global pause is on, and stops all priorities"
               : path->loss == QOS_KEPT             ? "kept: it arrives on a lossless priority"
               : path->loss == QOS_LOST_UNKNOWN     ? "not known: "
                                                    : "lost: ",
               loss ? loss : "");
}
