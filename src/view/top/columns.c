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
    if (context->for_people)
        return value_text(arena_take(context->arena, top_pfc_text(rates)));
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

const struct column top_columns[] = { TOP_COLUMNS };
