/* SPDX-License-Identifier: MIT */
/* The columns of roce top, for its tables and its JSON. */
#include "view/top/top.h"

#include "check/check.h"
#include "view/value.h"

enum tone flow_tone(enum flow flow)
{
    switch (flow) {
    case FLOW_FAILURES:
    case FLOW_DROPS:
        return TONE_BAD;
    case FLOW_RETRANSMISSIONS:
    case FLOW_OUT_OF_SEQUENCE:
    case FLOW_RNR_SENT:
    case FLOW_RNR_RECEIVED:
    case FLOW_PAUSES_RECEIVED:
    case FLOW_CNPS_RECEIVED:
        return TONE_WARN;
    default:
        return TONE_PLAIN;
    }
}

struct rate top_pfc_sum(const struct rate rates[static PRIORITIES])
{
    struct rate sum = { 0 };
    for (unsigned i = 0; i < PRIORITIES; i++)
        sum = rate_sum(sum, rates[i]);
    return sum;
}

char *top_pfc_text(const struct rate rates[static PRIORITIES])
{
    struct bytes text = { 0 };
    if (!top_pfc_sum(rates).known)
        return NULL;
    for (unsigned i = 0; i < PRIORITIES; i++) {
        if (!rates[i].known || rates[i].value <= 0)
            continue;
        struct value value = value_rate(rates[i]);
        char *rate = cell_text(&value);
        bytes_printf(&text, "%s%u: %s", text.len ? ", " : "", i, rate);
        free(rate);
    }
    return text.len ? text.data : mem_strdup("0/s");
}

static const struct frame_port *port_of(const void *row)
{
    return row;
}

static struct value make_bits(const struct cell_context *context, const struct frame_port *port, enum flow flow)
{
    double mbps = port->flows[flow].value * 8 / 1e6;
    if (context->for_people && !port->counts_bytes && flow == FLOW_SENT_BYTES)
        return value_with_tone(value_text("no byte counter"), TONE_DIM);
    if (!port->flows[flow].known)
        return NO_VALUE;
    if (context->for_people && mbps < 10)
        return value_text(
            arena_printf(context->arena, mbps < 1 ? "%.0f kb/s" : "%.1f Mb/s", mbps < 1 ? mbps * 1000 : mbps));
    return (struct value){ .type = VALUE_MBPS, .number = (uint64_t)mbps };
}

static struct value make_sent(const struct cell_context *context, const void *row)
{
    return make_bits(context, row, FLOW_SENT_BYTES);
}

static struct value make_received(const struct cell_context *context, const void *row)
{
    return make_bits(context, row, FLOW_RECEIVED_BYTES);
}

static struct value real_of(const struct rate *rate, double times)
{
    return rate->known ? (struct value){ .type = VALUE_REAL, .real = rate->value * times } : NO_VALUE;
}

static struct value get_sent_percent(const void *row)
{
    struct rate share = frame_share(row, FLOW_SENT_BYTES);
    return real_of(&share, 100);
}

static struct value get_received_percent(const void *row)
{
    struct rate share = frame_share(row, FLOW_RECEIVED_BYTES);
    return real_of(&share, 100);
}

static struct value get_packet_size(const void *row)
{
    struct rate size = frame_packet_size(row);
    return real_of(&size, 1);
}

static struct value make_pfc(const struct cell_context *context, const struct rate rates[static PRIORITIES])
{
    if (!top_pfc_sum(rates).known)
        return NO_VALUE;
    if (context->for_people) {
        char *text = top_pfc_text(rates);
        struct value value = value_text(arena_strdup(context->arena, text));
        free(text);
        return value;
    }
    struct value value = { .type = VALUE_JSON, .json = json_array() };
    for (unsigned i = 0; i < PRIORITIES; i++)
        json_array_append_new(value.json, json_real(rates[i].value));
    return value;
}

static struct value make_pfc_sent(const struct cell_context *context, const void *row)
{
    return make_pfc(context, port_of(row)->pfc_sent);
}

static struct value make_pfc_received(const struct cell_context *context, const void *row)
{
    return make_pfc(context, port_of(row)->pfc_received);
}

static struct value get_pfc(const void *row)
{
    const struct frame_port *port = port_of(row);
    return value_rate(rate_sum(top_pfc_sum(port->pfc_sent), top_pfc_sum(port->pfc_received)));
}

static struct value get_state(const void *row)
{
    const struct frame_port *port = port_of(row);
    bool active = port->state && strcmp(port->state, "ACTIVE") == 0;
    return value_with_tone(value_text(port->state), active ? TONE_PLAIN : TONE_WARN);
}

bool top_is_found(const struct frame_port *port)
{
    return port->verdict && check_find(port->verdict);
}

static struct value get_verdict(const void *row)
{
    return value_with_tone(value_text(port_of(row)->verdict),
                           top_is_found(port_of(row)) ? TONE_WARN : TONE_PLAIN);
}

static struct value make_least(const struct cell_context *context, const void *row)
{
    const char **names = arena_alloc(context->arena, FLOWS, sizeof(*names));
    size_t count = 0;
    for (enum flow flow = 0; flow < FLOWS; flow++)
        if (port_of(row)->flows[flow].least)
            names[count++] = flow_name(flow);
    return value_texts(names, count);
}

static struct value get_byte_counter(const void *row)
{
    return value_tristate(tri_of(port_of(row)->counts_bytes));
}

#define FLOW(KEY, FLOW, ...)                                     \
    {                                                            \
        KEY, __VA_ARGS__, MEMBER(struct frame_port, flows[FLOW]) \
    }

const struct column top_columns[] = {
    { .attribute = ATTR_PORT_DEVICE, MEMBER(struct frame_port, device) },
    { .attribute = ATTR_PORT_NUMBER, MEMBER_AS(VALUE_UNSIGNED, struct frame_port, number) },
    { .attribute = ATTR_PORT_NETDEV, .rank = 9, MEMBER(struct frame_port, netdev) },
    { .attribute = ATTR_PORT_STATE, .rank = 8, .get = get_state },
    { .attribute = ATTR_PORT_RATE_MBPS, .rank = 10, MEMBER_AS(VALUE_MBPS, struct frame_port, rate_mbps) },
    { "neighbor", .help = "the switch and its port at the other end of the cable, by LLDP",
      .flags = COLUMN_HIDDEN, MEMBER(struct frame_port, neighbor) },
    { "verdict",
      .help =
          "ok, or the check of the worst that doctor finds about the port ('roce explain' knows it); looked at "
          "once a minute",
      .flags = COLUMN_CUT, .needs = NEED_VERDICT, .rank = 14, .get = get_verdict },
    { "sent_mbps", "out", .help = "data sent", .flags = COLUMN_WHOLE | COLUMN_RIGHT, .type = VALUE_MBPS,
      .make = make_sent },
    { "sent_percent", "out%", .help = "of the port's rate", .rank = 4, .type = VALUE_REAL,
      .get = get_sent_percent },
    { "received_mbps", "in", .help = "data received", .flags = COLUMN_WHOLE | COLUMN_RIGHT, .type = VALUE_MBPS,
      .make = make_received },
    { "received_percent", "in%", .help = "of the port's rate", .rank = 4, .type = VALUE_REAL,
      .get = get_received_percent },
    FLOW("sent_bytes", FLOW_SENT_BYTES, .help = "data sent, bytes a second", .flags = COLUMN_HIDDEN),
    FLOW("received_bytes", FLOW_RECEIVED_BYTES, .help = "data received, bytes a second",
         .flags = COLUMN_HIDDEN),
    FLOW("sent_packets", FLOW_SENT_PACKETS, "pkts out", .help = "packets sent", .rank = 12),
    FLOW("received_packets", FLOW_RECEIVED_PACKETS, "pkts in", .help = "packets received", .rank = 12),
    { "packet_size", "B/pkt", .help = "mean bytes a packet: near the path's MTU where messages are large",
      .rank = 13, .type = VALUE_REAL, .get = get_packet_size },
    { "pfc_per_second", "pfc", .help = "PFC frames of all priorities, both ways", .rank = 5, .type = VALUE_RATE,
      .get = get_pfc },
    { "pfc_sent", "pfc out", .help = "PFC frames sent by priority: peers were stopped", .flags = COLUMN_HIDDEN,
      .type = VALUE_JSON, .make = make_pfc_sent },
    { "pfc_received", "pfc in", .help = "PFC frames received by priority: this port was stopped",
      .flags = COLUMN_HIDDEN, .type = VALUE_JSON, .make = make_pfc_received },
    FLOW("pauses_sent", FLOW_PAUSES_SENT, "pause out", .help = "pause frames of the whole link sent",
         .flags = COLUMN_HIDDEN),
    FLOW("pauses_received", FLOW_PAUSES_RECEIVED, "pause in", .help = "pause frames of the whole link received",
         .flags = COLUMN_HIDDEN),
    FLOW("cnps_sent", FLOW_CNPS_SENT, "cnp out", .help = "CNPs sent: peers were asked to slow down", .rank = 7),
    FLOW("cnps_received", FLOW_CNPS_RECEIVED, "cnp in",
         .help = "CNPs received: this port was asked to slow down", .rank = 7),
    FLOW("marks", FLOW_MARKS, .help = "packets received that a switch had marked for congestion", .rank = 11),
    FLOW("retransmissions", FLOW_RETRANSMISSIONS, "retx", .help = "times that something was sent again",
         .rank = 1),
    FLOW("out_of_sequence", FLOW_OUT_OF_SEQUENCE, "oos", .help = "packets received out of order", .rank = 3),
    FLOW("rnr_sent", FLOW_RNR_SENT, "rnr out", .help = "RNR NAKs sent: no receive was posted here", .rank = 6),
    FLOW("rnr_received", FLOW_RNR_RECEIVED, "rnr in",
         .help = "RNR NAKs received: the peer had no receive ready", .rank = 6),
    FLOW("drops", FLOW_DROPS, .help = "packets dropped: no receive posted, port down, congested or limited",
         .rank = 2),
    FLOW("failures", FLOW_FAILURES,
         .help = "queue pairs that gave up: the peer never answered, or was never ready",
         .flags = COLUMN_HIDDEN),
    { "byte_counter", .help = "does the driver count bytes", .flags = COLUMN_HIDDEN, .type = VALUE_BOOLEAN,
      .get = get_byte_counter },
    { "least", .help = "what was at least this much: a counter stopped at its highest value, or started again",
      .flags = COLUMN_HIDDEN, .type = VALUE_STRINGS, .make = make_least },
    { 0 },
};
