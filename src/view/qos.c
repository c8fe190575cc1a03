/* SPDX-License-Identifier: MIT */
#include "view/qos.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/say.h"
#include "base/text.h"
#include "model/host.h"
#include "view/cell.h"
#include "view/listing.h"
#include "view/rows.h"

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
    { "tsa", .help = "how the class is scheduled", .get = get_tsa },
    { "bandwidth", .help = "its share", .flags = COLUMN_RIGHT, .make = make_bandwidth },
    { "pfc", .help = "is it lossless?", .get = get_pfc },
    { "sent", .help = "PFC frames sent", .type = VALUE_UNSIGNED, .get = get_sent },
    { "received", .help = "PFC frames received", .type = VALUE_UNSIGNED, .get = get_received },
    { "buffer", .help = "receive buffer", .type = VALUE_UNSIGNED, .get = get_buffer },
    { "size", .help = "its size", .type = VALUE_BYTES, .get = get_buffer_size },
    { "ecn", .help = "congestion control: sender/receiver", .make = make_ecn },
    { 0 },
};

static void print_title(const struct qos_subject *subject)
{
    char *name = text_clean(subject->netdev->name, TEXT_ONE_LINE);
    fputs(name, stdout);
    free(name);
    for (size_t i = 0; i < subject->nports; i++) {
        char *device = text_clean(subject->ports[i]->device->name, TEXT_ONE_LINE);
        printf("%s%s/%u%s", i ? ", " : " (", device, subject->ports[i]->number,
               i + 1 == subject->nports ? ")" : "");
        free(device);
    }
    puts("");
}

static const char *on_off(enum tristate tristate)
{
    return tristate == TRI_YES ? "on" : tristate == TRI_NO ? "off" : "unknown";
}

static void print_count(const char *what, struct num count)
{
    if (count.known)
        printf(", %" PRIu64 " %s", count.value, what);
}

static void print_link(const struct qos_ethtool *ethtool)
{
    printf("  link          ");
    if (ethtool->link == TRI_NO) {
        printf("none%s%s", ethtool->link_ext_state ? ": " : "",
               ethtool->link_ext_state ? ethtool->link_ext_state : "");
    } else {
        struct value speed = value_num_as(VALUE_MBPS, ethtool->speed_mbps);
        struct value most = value_num_as(VALUE_MBPS, ethtool->supported_mbps);
        char *text = cell_text(&speed), *most_text = cell_text(&most);
        if (ethtool->supported_mbps.value > ethtool->speed_mbps.value)
            printf("%s of %s, %s duplex", text, most_text, ethtool->duplex ? ethtool->duplex : "unknown");
        else
            printf("%s %s duplex", text, ethtool->duplex ? ethtool->duplex : "unknown");
        free(text);
        free(most_text);
    }
    print_count("lanes", ethtool->lanes);
    printf(", autonegotiation %s\n", on_off(ethtool->autoneg));
}

static void print_ethtool(const struct qos_ethtool *ethtool)
{
    if (ethtool->speed_mbps.known || ethtool->link == TRI_NO)
        print_link(ethtool);
    if (ethtool->fec_active) {
        printf("  FEC           %s", ethtool->fec_active);
        print_count("blocks corrected", ethtool->fec_corrected);
        print_count("uncorrectable", ethtool->fec_uncorrectable);
        puts("");
    }
    if (ethtool->pause_rx != TRI_UNKNOWN) {
        printf("  pause         rx %s, tx %s", on_off(ethtool->pause_rx), on_off(ethtool->pause_tx));
        print_count("frames received", ethtool->pause_frames_received);
        print_count("sent", ethtool->pause_frames_sent);
        puts("");
    }
}

static void print_way(const struct qos_subject *subject, const struct port *port, const char *what,
                      unsigned tos, const struct netdev *vlan)
{
    struct qos_path path = qos_follow(subject->qos, tos, vlan);
    const char *loss = qos_loss_text(path.loss);
    char *device = text_clean(port->device->name, TEXT_ONE_LINE);
    char *name = vlan ? text_clean(vlan->name, TEXT_ONE_LINE) : NULL;
    printf("  %-13s %u on %s/%u%s%s: DSCP %u", what, tos, device, port->number, name ? " by " : "",
           name ? name : "", path.dscp);
    if (vlan && path.pcp.known)
        printf(", PCP %" PRIu64, path.pcp.value);
    if (path.trust != TRUST_UNKNOWN)
        printf(", priority %u, PFC %s", path.priority, path.pfc ? "on" : "off");
    printf("%s%s\n", loss ? "; " : "", loss ? loss : "");
    free(name);
    free(device);
}

/* Where PCPs count, a VLAN is another way. */
static void print_default(const struct qos_subject *subject, const struct port *port, const char *what,
                          struct num tos)
{
    if (!tos.known)
        return;
    print_way(subject, port, what, (unsigned)tos.value & 255, NULL);
    bool by_pcp = subject->qos && subject->qos->dcb_err == 0 && qos_trust(subject->qos) == TRUST_PCP;
    for (size_t i = 0; by_pcp && i < subject->nvlans; i++)
        print_way(subject, port, what, (unsigned)tos.value & 255, subject->vlans[i]);
}

static void print_ports(const struct qos_subject *subject)
{
    for (size_t i = 0; i < subject->nports; i++) {
        const struct port *port = subject->ports[i];
        print_default(subject, port, "RDMA_CM TOS", port->cm_tos);
        if (!port->cm_tos.known && port->cm_err)
            printf("  RDMA_CM TOS   not read: %s\n", cm_unread_text(port->cm_err));
        if (port->traffic_class.known) /* its PCP is the application's */
            print_way(subject, port, "traffic class", (unsigned)port->traffic_class.value & 255, NULL);
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
static void print_classes(const struct host *host, const struct netdev *vlan, const char *name)
{
    static const unsigned used[] = { 0, 2, 4, 6 };
    const struct netdev *real = netdev_vlan_real(host, vlan);
    char *below = text_clean(real ? real->name : "", TEXT_ONE_LINE);
    if (vlan->classes) {
        printf("  VLAN          %s: PCP by the kernel's priority", name);
        for (size_t i = 0; i < ARRAY_SIZE(used); i++)
            printf(" %u:%u", used[i], vlan->classes->of_priority[used[i]] & 7);
        printf(" (the map of %s on %s, instead of its own)\n", vlan->classes->by, below);
    } else {
        printf("  VLAN          %s: PCP by a map that the driver of %s has made, and that nobody tells\n",
               name, below);
    }
    free(below);
}

static void print_vlans(const struct host *host, const struct qos_subject *subject)
{
    for (size_t i = 0; i < subject->nvlans; i++) {
        const struct netdev *vlan = subject->vlans[i];
        const char *map = vlan_map_text(host->arena, vlan);
        char *name = text_clean(vlan->name, TEXT_ONE_LINE);
        if (vlan->classes || vlan->classes_unknown) {
            print_classes(host, vlan, name);
            free(name);
            continue;
        }
        printf("  VLAN          %s: %s%s\n", name,
               !map   ? "its egress map is not known"
               : *map ? "PCP by the kernel's priority "
                      : "PCP 0 for every packet (its egress map is empty)",
               map ? map : "");
        free(name);
    }
}

static void print_dcbx(const struct qos_dcb *dcb)
{
    if (!dcb->dcbx.known)
        return;
    printf("  DCBX          %s%s%s%s%s\n",
           dcb->dcbx.value & 1 ? "the host decides" : "the firmware decides (LLDP)",
           dcb->dcbx.value & 4 ? ", CEE" : "", dcb->dcbx.value & 8 ? ", IEEE" : "",
           dcb->dcbx.value & 16 ? ", static" : "",
           dcb->has_ets && dcb->willing ? "; takes over what the peer says (willing)" : "");
}

static void print_parameters(const struct qos *qos)
{
    for (size_t i = 0; i < qos->nparameters; i++) {
        const struct qos_parameter *parameter = &qos->parameters[i];
        char *value = text_clean(parameter->text ? parameter->text : "-", TEXT_ONE_LINE);
        char *name = text_clean(parameter->name, TEXT_ONE_LINE);
        printf("  parameter     %s = %s (%s)\n", name, value, parameter->mode ? parameter->mode : "?");
        free(value);
        free(name);
    }
}

static void print_statistics(const struct look *look, const struct qos *qos)
{
    for (size_t i = 0; i < qos->nstatistics; i++) {
        const struct qos_statistic *statistic = &qos->statistics[i];
        bool wanted = look->verbose || (statistic->value && qos_statistic_matters(statistic->name));
        if (!wanted)
            continue;
        char *name = text_clean(statistic->name, TEXT_ONE_LINE);
        printf("  statistic     %s = %" PRIu64 "\n", name, statistic->value);
        free(name);
    }
}

static const char *dcb_err_text(int err)
{
    if (err == ENOENT)
        return "the recording does not have them";
    return err == EOPNOTSUPP ? "the driver offers no DCB" : say_errno(err);
}

void qos_print(const struct look *look, const struct host *host, const struct qos_subject *subject)
{
    const struct qos *qos = subject->qos;
    print_title(subject);
    if (!qos) {
        puts("  nothing is known of its priorities: no hardware of its own below it");
        print_ports(subject);
        return;
    }
    print_ethtool(&qos->ethtool);
    if (qos->dcb_err) {
        printf("  priorities    not known: %s\n", dcb_err_text(qos->dcb_err));
    } else {
        const char *trust = qos_trust_text(qos_trust(qos));
        print_dcbx(&qos->dcb);
        printf("  trust         %s; default priority %u\n", trust ? trust : "not known",
               qos_default_priority(qos));
    }
    print_ports(subject);
    print_vlans(host, subject);
    print_parameters(qos);
    print_statistics(look, qos);
    if (qos->dcb_err)
        return;
    struct priority_row rows[PRIORITIES];
    for (unsigned i = 0; i < PRIORITIES; i++)
        rows[i] = (struct priority_row){ subject, i };
    listing_table_of(look, LISTING(host, columns, rows, PRIORITIES), NULL);
}

static const char *ecn_text(unsigned ecn)
{
    static const char *const words[] = { "not ECN-capable", "ECT(1)", "ECT(0)", "CE" };
    return words[ecn & 3];
}

static void print_steps(const struct qos_path *path, const struct qos_subject *subject)
{
    const struct qos_dcb *dcb = &subject->qos->dcb;
    unsigned tc = path->tc;
    printf("  trust     %s: ", qos_trust_text(path->trust));
    if (path->trust == TRUST_DSCP)
        printf("DSCP %u%s → priority %u\n", path->dscp, path->mapped ? "" : " (no entry)", path->priority);
    else if (path->tagged)
        printf("PCP %" PRIu64 " → priority %u\n", path->pcp.value, path->priority);
    else
        printf("no tag, the default → priority %u\n", path->priority);
    printf("  class     %u", tc);
    if (dcb->has_ets && tc < PRIORITIES && qos_tsa_text(dcb->tc_tsa[tc]))
        printf(", %s", qos_tsa_text(dcb->tc_tsa[tc]));
    if (dcb->has_ets && tc < PRIORITIES && dcb->tc_tsa[tc] == QOS_TSA_ETS)
        printf(" %u%%", dcb->tc_bandwidth[tc]);
    printf("\n  PFC       %s\n", path->pfc ? "on" : "off");
    if (path->buffer.known)
        printf("  buffer    %" PRIu64 ", %" PRIu64 " bytes\n", path->buffer.value, path->buffer_size.value);
    enum tristate sender = subject->netdev->ecn_enabled[path->priority];
    enum tristate receiver = subject->netdev->ecn_np[path->priority];
    if (sender != TRI_UNKNOWN || receiver != TRI_UNKNOWN)
        printf("  ECN       sender %s, receiver %s\n", on_off(sender), on_off(receiver));
}

void qos_path_print(const struct qos_path *path, const struct qos_subject *subject, const char *netdev)
{
    char *name = text_clean(netdev, TEXT_ONE_LINE);
    printf("TOS %u (0x%02x) on %s\n", path->tos, path->tos, name);
    free(name);
    printf("  DSCP      %u, ECN bits %u (%s)\n", path->dscp, path->ecn, ecn_text(path->ecn));
    printf("  tag       ");
    if (!path->tagged)
        puts("none, and so no PCP");
    else if (path->pcp.known)
        printf("PCP %" PRIu64 " and SL, by RDMA_CM: what the %s has for priority %u of the kernel\n",
               path->pcp.value, path->pcp_by ? path->pcp_by : "egress map", path->skb_priority);
    else
        printf("PCP not known: the map that gives it can't be read\n");
    if (path->trust != TRUST_UNKNOWN)
        print_steps(path, subject);
    const char *loss = qos_loss_text(path->loss);
    printf("  %s%s\n",
           path->loss == QOS_KEPT           ? "kept: it arrives on a lossless priority"
           : path->loss == QOS_LOST_UNKNOWN ? "not known: "
                                            : "lost: ",
           loss ? loss : "");
}
