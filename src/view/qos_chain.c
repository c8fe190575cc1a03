/* SPDX-License-Identifier: MIT */
/* The chain from DSCP to buffer, for people. */
#include "view/qos.h"

#include "base/glyph.h"
#include "model/host.h"
#include "view/listing.h"
#include "view/page.h"
#include "view/rows.h"
#include "view/value.h"

enum { LABEL = 13 }; /* columns that are set aside for what a line is about */

/* A row of the chain: one priority of a netdev. */
struct priority_row {
    const struct qos_subject *subject;
    unsigned priority;
};

static const struct priority_row *row_of(const void *row)
{
    return row;
}

static const struct qos_dcb *dcb_of(const void *row)
{
    return &row_of(row)->subject->qos->dcb;
}

static struct num tc_of(const void *row)
{
    const struct qos_dcb *dcb = dcb_of(row);
    return num_if(dcb->has_ets, dcb->priority_tc[row_of(row)->priority]);
}

/* Has the row a traffic class that there is? */
static bool has_tc(const void *row)
{
    struct num tc = tc_of(row);
    return tc.known && tc.value < PRIORITIES;
}

static struct num buffer_of(const void *row)
{
    const struct qos_dcb *dcb = dcb_of(row);
    return num_if(dcb->has_buffer, dcb->priority_buffer[row_of(row)->priority]);
}

static struct value get_tc(const void *row)
{
    return value_num(tc_of(row));
}

static struct value get_tsa(const void *row)
{
    return value_text(has_tc(row) ? qos_tsa_text(dcb_of(row)->tc_tsa[tc_of(row).value]) : NULL);
}

static struct value get_sent(const void *row)
{
    return value_num(num_if(dcb_of(row)->has_pfc, dcb_of(row)->pfc_sent[row_of(row)->priority]));
}

static struct value get_received(const void *row)
{
    return value_num(num_if(dcb_of(row)->has_pfc, dcb_of(row)->pfc_received[row_of(row)->priority]));
}

static struct value get_buffer(const void *row)
{
    return value_num(buffer_of(row));
}

static struct value get_buffer_size(const void *row)
{
    struct num buffer = buffer_of(row);
    return buffer.known && buffer.value < PRIORITIES
               ? value_num_as(VALUE_BYTES, num_of(dcb_of(row)->buffer_size[buffer.value]))
               : NO_VALUE;
}

static struct value make_dscps(const struct cell_context *context, const void *row)
{
    const struct qos *qos = row_of(row)->subject->qos;
    if (qos_trust(qos) != TRUST_DSCP)
        return NO_VALUE;
    struct bytes text = { 0 };
    for (unsigned dscp = 0, start; dscp < DSCPS; dscp++) {
        bool mapped;
        for (start = dscp; dscp < DSCPS && qos_dscp_priority(qos, dscp, &mapped) == row_of(row)->priority;)
            dscp++;
        if (dscp > start)
            bytes_printf(&text, dscp - start > 1 ? "%s%u-%u" : "%s%u", text.len ? "," : "", start, dscp - 1);
    }
    const char *copy = text.len ? arena_strndup(context->arena, text.data, text.len) : NULL;
    bytes_free(&text);
    return value_text(copy);
}

static struct value make_bandwidth(const struct cell_context *context, const void *row)
{
    const struct qos_dcb *dcb = dcb_of(row);
    uint64_t tc = tc_of(row).value;
    if (!has_tc(row) || dcb->tc_tsa[tc] != QOS_TSA_ETS)
        return NO_VALUE;
    return value_text(arena_printf(context->arena, "%u%%", dcb->tc_bandwidth[tc]));
}

static struct value get_pfc(const void *row)
{
    if (!dcb_of(row)->has_pfc)
        return NO_VALUE;
    bool on = dcb_of(row)->pfc_enabled >> row_of(row)->priority & 1;
    return value_with_tone(value_text(on ? "on" : "off"), on ? TONE_GOOD : TONE_DIM);
}

static struct value make_ecn(const struct cell_context *context, const void *row)
{
    enum tristate sender = row_of(row)->subject->netdev->ecn_enabled[row_of(row)->priority];
    enum tristate receiver = row_of(row)->subject->netdev->ecn_np[row_of(row)->priority];
    if (sender == TRI_UNKNOWN && receiver == TRI_UNKNOWN)
        return NO_VALUE;
    return value_text(arena_printf(context->arena, "%s/%s", sender == TRI_YES ? "on" : "off",
                                   receiver == TRI_YES ? "on" : "off"));
}

static const struct column columns[] = {
    { "dscp", .help = "DSCPs that lead here", .make = make_dscps },
    { "priority", .help = "802.1p priority; a tagged frame's PCP",
      MEMBER_AS(VALUE_UNSIGNED, struct priority_row, priority) },
    { "tc", .help = "traffic class", .type = VALUE_UNSIGNED, .get = get_tc },
    { "tsa", .help = "how the class is scheduled", .rank = 5, .get = get_tsa },
    { "bandwidth", "share", .help = "its share of the link", .rank = 4, .flags = COLUMN_RIGHT,
      .make = make_bandwidth },
    { "pfc", .help = "is it lossless?", .get = get_pfc },
    { "sent", .help = "PFC frames sent", .rank = 1, .type = VALUE_UNSIGNED, .get = get_sent },
    { "received", .help = "PFC frames received", .rank = 2, .type = VALUE_UNSIGNED, .get = get_received },
    { "buffer", .help = "receive buffer", .rank = 6, .type = VALUE_UNSIGNED, .get = get_buffer },
    { "size", .help = "its size", .rank = 7, .type = VALUE_BYTES, .get = get_buffer_size },
    { "ecn", .help = "congestion control: sender/receiver", .rank = 3, .make = make_ecn },
    { 0 },
};

static void print_title(size_t width, const struct qos_subject *subject)
{
    struct bytes line = { 0 };
    bytes_printf(&line, "%s", subject->netdev->name);
    for (size_t i = 0; i < subject->nports; i++)
        bytes_printf(&line, "%s%s/%u%s", i ? ", " : " (", subject->ports[i]->device->name,
                     subject->ports[i]->number, i + 1 == subject->nports ? ")" : "");
    line_print(width, LABEL + 3, "%s", line.data);
    bytes_free(&line);
}

static const char *on_off(enum tristate tristate)
{
    return tristate == TRI_YES ? "on" : tristate == TRI_NO ? "off" : "unknown";
}

/* line is printed and emptied. */
static void print_line(size_t width, const char *label, struct bytes *line)
{
    block_print(label, LABEL, line->data, width);
    bytes_free(line);
}

static void add_count(struct bytes *line, const char *what, struct num count)
{
    if (count.known)
        bytes_printf(line, ", %" PRIu64 " %s", count.value, what);
}

static void print_link(size_t width, const struct qos_ethtool *ethtool)
{
    struct bytes line = { 0 };
    if (ethtool->link == TRI_NO) {
        bytes_printf(&line, "none%s%s", ethtool->link_ext_state ? ": " : "",
                     ethtool->link_ext_state ? ethtool->link_ext_state : "");
    } else {
        struct value speed = value_num_as(VALUE_MBPS, ethtool->speed_mbps);
        struct value most = value_num_as(VALUE_MBPS, ethtool->supported_mbps);
        char *text = cell_text(&speed), *most_text = cell_text(&most);
        if (ethtool->supported_mbps.value > ethtool->speed_mbps.value)
            bytes_printf(&line, "%s of %s, %s duplex", text, most_text,
                         ethtool->duplex ? ethtool->duplex : "unknown");
        else
            bytes_printf(&line, "%s %s duplex", text, ethtool->duplex ? ethtool->duplex : "unknown");
        free(text);
        free(most_text);
    }
    add_count(&line, "lanes", ethtool->lanes);
    bytes_printf(&line, ", autonegotiation %s", on_off(ethtool->autoneg));
    print_line(width, "link", &line);
}

static void print_ethtool(size_t width, const struct qos_ethtool *ethtool)
{
    struct bytes line = { 0 };
    if (ethtool->speed_mbps.known || ethtool->link == TRI_NO)
        print_link(width, ethtool);
    if (ethtool->fec_active) {
        bytes_printf(&line, "%s", ethtool->fec_active);
        add_count(&line, "blocks corrected", ethtool->fec_corrected);
        add_count(&line, "uncorrectable", ethtool->fec_uncorrectable);
        print_line(width, "FEC", &line);
    }
    if (ethtool->pause_rx != TRI_UNKNOWN) {
        bytes_printf(&line, "rx %s, tx %s", on_off(ethtool->pause_rx), on_off(ethtool->pause_tx));
        add_count(&line, "frames received", ethtool->pause_frames_received);
        add_count(&line, "sent", ethtool->pause_frames_sent);
        print_line(width, "pause", &line);
    }
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
    bytes_printf(&line, "%s%s", loss ? "; " : "", loss ? loss : "");
    print_line(width, what, &line);
}

/* Where PCPs count, a VLAN is another way. */
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
        const struct port *port = subject->ports[i];
        print_default(width, subject, port, "RDMA_CM TOS", port->cm_tos);
        if (!port->cm_tos.known && port->cm_err)
            block_printf("RDMA_CM TOS", LABEL, width, "not read: %s", cm_unread_text(port->cm_err));
        if (port->traffic_class.known) /* its PCP is the application's */
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

/* What counts in the place of the VLAN's own map. RDMA_CM knows four of the kernel's priorities. */
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
                 dcb->dcbx.value & 1 ? "the host decides" : "the firmware decides (LLDP)",
                 dcb->dcbx.value & 4 ? ", CEE" : "", dcb->dcbx.value & 8 ? ", IEEE" : "",
                 dcb->dcbx.value & 16 ? ", static" : "",
                 dcb->has_ets && dcb->willing ? "; takes over what the peer says (willing)" : "");
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
        bool wanted = look->verbose || (statistic->value && qos_statistic_matters(statistic->name));
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
        rows[i] = (struct priority_row){ subject, i };
    return (struct listing){ host, columns, rows, PRIORITIES, sizeof(*rows) };
}

void qos_print(const struct look *look, const struct host *host, const struct qos_subject *subject)
{
    const struct qos *qos = subject->qos;
    size_t width = look->width;
    print_title(width, subject);
    if (!qos) {
        block_printf("priorities", LABEL, width, "%s", qos_absence_text(subject));
        print_ports(width, subject);
        return;
    }
    print_ethtool(width, &qos->ethtool);
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
    listing_table_beside(look, &priorities, NULL);
}

static const char *ecn_text(unsigned ecn)
{
    static const char *const words[] = { "not ECN-capable", "ECT(1)", "ECT(0)", "CE" };
    return words[ecn & 3];
}

enum { STEP_LABEL = 9 };

static void print_steps(size_t width, const struct qos_path *path, const struct qos_subject *subject)
{
    const struct qos_dcb *dcb = &subject->qos->dcb;
    unsigned tc = path->tc;
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
    bytes_printf(&line, "%u", tc);
    if (dcb->has_ets && tc < PRIORITIES && qos_tsa_text(dcb->tc_tsa[tc]))
        bytes_printf(&line, ", %s", qos_tsa_text(dcb->tc_tsa[tc]));
    if (dcb->has_ets && tc < PRIORITIES && dcb->tc_tsa[tc] == QOS_TSA_ETS)
        bytes_printf(&line, " %u%%", dcb->tc_bandwidth[tc]);
    block_print("class", STEP_LABEL, line.data, width);
    bytes_free(&line);
    block_print("PFC", STEP_LABEL, path->pfc ? "on" : "off", width);
    if (path->buffer.known)
        block_printf("buffer", STEP_LABEL, width, "%" PRIu64 ", %" PRIu64 " bytes", path->buffer.value,
                     path->buffer_size.value);
    enum tristate sender = subject->netdev->ecn_enabled[path->priority];
    enum tristate receiver = subject->netdev->ecn_np[path->priority];
    if (sender != TRI_UNKNOWN || receiver != TRI_UNKNOWN)
        block_printf("ECN", STEP_LABEL, width, "sender %s, receiver %s", on_off(sender), on_off(receiver));
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
