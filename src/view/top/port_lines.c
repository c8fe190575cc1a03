/* SPDX-License-Identifier: MIT */
/* The ports on roce top's screen, a line each. */
#include "view/top/top.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/text.h"

enum { NAME_MOST = 20, NETDEV_MOST = 15, BAR_MOST = 20, LINE_LEAST = 8, LINE_MOST = 90 };

/* What is shown of a port, from left to right. */
enum lane {
    LANE_NAME,
    LANE_NETDEV,
    LANE_STATE,
    LANE_RATE,
    LANE_OUT,
    LANE_OUT_BAR,
    LANE_OUT_SHARE,
    LANE_IN,
    LANE_IN_BAR,
    LANE_IN_SHARE,
    LANE_OUT_PACKETS,
    LANE_IN_PACKETS,
    LANE_SIZE,
    LANE_PFC,
    LANE_CNP_IN,
    LANE_CNP_OUT,
    LANE_MARKS,
    LANE_RETX,
    LANE_OOS,
    LANE_RNR,
    LANE_DROPS,
    LANE_LINE,
    LANES
};

static const struct lane_def {
    const char *heading, *sort; /* the column that it is sorted by */
    size_t width;
    unsigned rank; /* on a narrow terminal the highest goes first; 0: never */
    bool right;
} lanes[LANES] = {
    [LANE_NAME] = { "PORT", "device", 0, 0, false },
    [LANE_NETDEV] = { "NETDEV", "netdev", 0, 8, false },
    [LANE_STATE] = { "STATE", "state", 6, 5, false },
    [LANE_RATE] = { "RATE", "rate_mbps", 4, 16, true },
    [LANE_OUT] = { "OUT", "sent_bytes", 9, 0, true },
    [LANE_OUT_BAR] = { "", "sent_percent", 5, 4, false },
    [LANE_OUT_SHARE] = { "%", "sent_percent", 3, 3, true },
    [LANE_IN] = { "IN", "received_bytes", 9, 1, true },
    [LANE_IN_BAR] = { "", "received_percent", 5, 4, false },
    [LANE_IN_SHARE] = { "%", "received_percent", 3, 3, true },
    [LANE_OUT_PACKETS] = { "PKT OUT", "sent_packets", 7, 14, true },
    [LANE_IN_PACKETS] = { "PKT IN", "received_packets", 6, 14, true },
    [LANE_SIZE] = { "B/PKT", "packet_size", 5, 15, true },
    [LANE_PFC] = { "PFC", "pfc", 4, 9, true },
    [LANE_CNP_IN] = { "CNP IN", "cnps_received", 6, 10, true },
    [LANE_CNP_OUT] = { "CNP OUT", "cnps_sent", 7, 13, true },
    [LANE_MARKS] = { "MARKS", "marks", 5, 12, true },
    [LANE_RETX] = { "RETX", "retransmissions", 4, 6, true },
    [LANE_OOS] = { "OOS", "out_of_sequence", 4, 9, true },
    [LANE_RNR] = { "RNR", "rnr_received", 4, 11, true },
    [LANE_DROPS] = { "DROP", "drops", 4, 6, true },
    [LANE_LINE] = { "3 MIN", "", LINE_LEAST, 7, false },
};

struct layout {
    size_t widths[LANES]; /* 0: it isn't shown */
};

void top_count_text(struct rate rate, char *text, size_t size)
{
    static const char *const letters[] = { "", "k", "M", "G", "T", "P" };
    size_t i = 0;
    double value = rate.value;
    for (; value >= 999.5 && i + 1 < ARRAY_SIZE(letters); i++)
        value /= 1000;
    int decimals = value >= 9.95 || rate.value <= 0 ? 0 : i == 0 && value < 1 ? 2 : 1;
    if (!rate.known)
        snprintf(text, size, "-");
    else
        snprintf(text, size, "%.*f%s", decimals, value, letters[i]);
}

static void name_of(const struct frame_port *port, char text[static TOP_TEXT])
{
    snprintf(text, TOP_TEXT, "%.200s/%" PRIu32, port->device, port->number);
}

static size_t total(const struct layout *layout)
{
    size_t sum = 0;
    for (enum lane lane = 0; lane < LANES; lane++)
        sum += layout->widths[lane] ? layout->widths[lane] + (sum ? 1 : 0) : 0;
    return sum;
}

static enum lane first_to_go(const struct layout *layout)
{
    enum lane last = LANE_NAME;
    for (enum lane lane = 0; lane < LANES; lane++)
        if (layout->widths[lane] && lanes[lane].rank && lanes[lane].rank >= lanes[last].rank)
            last = lane;
    return last;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Columns that texts of the rows take, from 6 to most. */
static void measure(const struct top_state *state, struct layout *layout)
{
    size_t name = 6, netdev = 6;
    for (size_t i = 0; i < state->nrows; i++) {
        char text[TOP_TEXT];
        name_of(state->rows[i], text);
        size_t one = text_width(text) + 1,
               other = state->rows[i]->netdev ? text_width(state->rows[i]->netdev) : 0;
        name = one > name ? one : name;
        netdev = other > netdev ? other : netdev;
    }
    for (enum lane lane = 0; lane < LANES; lane++)
        layout->widths[lane] = lanes[lane].width;
    layout->widths[LANE_NAME] = least(name, NAME_MOST);
    layout->widths[LANE_NETDEV] = least(netdev, NETDEV_MOST);
}

/* Each lane at its least width; while they don't fit, one goes; what is left over is the line's and the bars'. */
static struct layout lay_out(const struct top_state *state, size_t width)
{
    struct layout layout;
    measure(state, &layout);
    while (total(&layout) > width) {
        enum lane lane = first_to_go(&layout);
        if (lane == LANE_NAME)
            break;
        layout.widths[lane] = 0;
    }
    size_t left = width > total(&layout) ? width - total(&layout) : 0;
    for (unsigned bar = 0; bar < 2 && left; bar++) {
        size_t *grown = &layout.widths[bar ? LANE_IN_BAR : LANE_OUT_BAR];
        size_t more = *grown ? least(left / (layout.widths[LANE_LINE] ? 4 : 2 - bar), BAR_MOST - *grown) : 0;
        *grown += more;
        left -= more;
    }
    if (layout.widths[LANE_LINE])
        layout.widths[LANE_LINE] += least(left, LINE_MOST - LINE_LEAST);
    return layout;
}

/* Is it by what this lane shows that the rows are in their order? */
static bool is_sorted_by(const struct top_state *state, enum lane lane)
{
    const char *sort = state->sort + (*state->sort == '-' || *state->sort == '+');
    char name[TOP_TEXT];
    snprintf(name, sizeof(name), "%.*s", *sort ? (int)strcspn(sort, ",") : TOP_TEXT - 1,
             *sort ? sort : "device");
    const struct column *column = columns_find(top_columns, name);
    return column && strcmp(column_key(column), lanes[lane].sort) == 0;
}

static void paint_headings(struct grid *grid, const struct top_state *state, const struct layout *layout,
                           size_t y)
{
    size_t x = 0;
    for (enum lane lane = 0; lane < LANES; lane++) {
        size_t width = layout->widths[lane];
        if (!width)
            continue;
        char text[32];
        snprintf(text, sizeof(text), "%s%s", lane == LANE_NAME ? " " : "", lanes[lane].heading);
        enum ink ink = is_sorted_by(state, lane) ? INK_TITLE : INK_BOLD;
        if (lanes[lane].right)
            grid_put_right(grid, x, y, width, ink, text);
        else
            grid_put(grid, x, y, width, ink, text);
        x += width + 1;
    }
}

struct place {
    struct grid *grid;
    size_t x, y, width;
    const struct top_state *state;
    const struct frame_port *port;
};

static enum ink ink_of(enum tone tone)
{
    return tone == TONE_BAD ? INK_BAD : tone == TONE_WARN ? INK_WARN : INK_PLAIN;
}

static void paint_count(const struct place *place, struct rate rate, enum tone tone)
{
    char text[32];
    top_count_text(rate, text, sizeof(text));
    enum ink ink = !rate.known || rate.value <= 0 ? INK_DIM : ink_of(tone);
    grid_put_right(place->grid, place->x, place->y, place->width, ink, text);
}

static void paint_flow(const struct place *place, enum flow flow)
{
    paint_count(place, place->port->flows[flow], flow_tone(flow));
}

static bool in_trouble(const struct frame_port *port)
{
    bool trouble = false;
    for (enum flow flow = 0; flow < FLOWS; flow++)
        trouble |= flow_tone(flow) == TONE_BAD && port->flows[flow].known && port->flows[flow].value > 0;
    return trouble;
}

static void paint_name(const struct place *place)
{
    char text[TOP_TEXT];
    name_of(place->port, text);
    bool trouble = in_trouble(place->port);
    bool selected = place->port == top_state_selected(place->state);
    grid_put(place->grid, place->x, place->y, 1, INK_BAD, selected ? ">" : trouble ? "!" : " ");
    grid_put(place->grid, place->x + 1, place->y, place->width - 1, trouble ? INK_BAD : INK_BOLD, text);
}

static void paint_data(const struct place *place, enum flow flow)
{
    char text[32];
    top_rate_text(place->port->flows[flow], place->state->bytes, text, sizeof(text));
    if (!place->port->counts_bytes)
        snprintf(text, sizeof(text), "uncounted");
    grid_put_right(place->grid, place->x, place->y, place->width,
                   place->port->flows[flow].known ? INK_PLAIN : INK_DIM, text);
}

static void paint_bar(const struct place *place, enum flow flow)
{
    struct rate share = frame_share(place->port, flow);
    if (share.known)
        grid_bar(place->grid, place->x, place->y, place->width, flow == FLOW_SENT_BYTES ? INK_OUT : INK_IN,
                 share.value);
}

static void paint_share(const struct place *place, enum flow flow)
{
    char text[32] = "-";
    struct rate share = frame_share(place->port, flow);
    if (share.known)
        snprintf(text, sizeof(text), "%.0f", share.value * 100);
    grid_put_right(place->grid, place->x, place->y, place->width, share.known ? INK_PLAIN : INK_DIM, text);
}

static void paint_rate(const struct place *place)
{
    char text[32] = "-";
    struct num mbps = place->port->rate_mbps;
    if (mbps.known)
        snprintf(text, sizeof(text), mbps.value >= 1000 ? "%.4gG" : "%gM",
                 mbps.value >= 1000 ? (double)mbps.value / 1000 : (double)mbps.value);
    grid_put_right(place->grid, place->x, place->y, place->width, INK_PLAIN, text);
}

static void paint_state(const struct place *place)
{
    const char *state = place->port->state;
    enum ink ink = !state ? INK_DIM : strcmp(state, "ACTIVE") == 0 ? INK_GOOD : INK_WARN;
    grid_put(place->grid, place->x, place->y, place->width, ink, state ? state : "-");
}

static void paint_line(const struct place *place)
{
    char *line = history_line(place->state->history, place->port->device, place->port->number, place->width);
    grid_put(place->grid, place->x, place->y, place->width, INK_OUT, line);
    free(line);
}

static void paint_size(const struct place *place)
{
    char text[32] = "-";
    struct rate size = frame_packet_size(place->port);
    if (size.known)
        snprintf(text, sizeof(text), "%.0f", size.value);
    grid_put_right(place->grid, place->x, place->y, place->width, size.known ? INK_PLAIN : INK_DIM, text);
}

static void paint_lane(const struct place *place, enum lane lane)
{
    static const enum flow plain[LANES] = {
        [LANE_OUT_PACKETS] = FLOW_SENT_PACKETS,
        [LANE_IN_PACKETS] = FLOW_RECEIVED_PACKETS,
        [LANE_CNP_IN] = FLOW_CNPS_RECEIVED,
        [LANE_CNP_OUT] = FLOW_CNPS_SENT,
        [LANE_MARKS] = FLOW_MARKS,
        [LANE_RETX] = FLOW_RETRANSMISSIONS,
        [LANE_OOS] = FLOW_OUT_OF_SEQUENCE,
        [LANE_DROPS] = FLOW_DROPS,
    };
    const struct frame_port *port = place->port;
    switch (lane) {
    case LANE_NAME:
        paint_name(place);
        break;
    case LANE_NETDEV:
        grid_put(place->grid, place->x, place->y, place->width, INK_PLAIN, port->netdev ? port->netdev : "-");
        break;
    case LANE_STATE:
        paint_state(place);
        break;
    case LANE_RATE:
        paint_rate(place);
        break;
    case LANE_OUT:
    case LANE_IN:
        paint_data(place, lane == LANE_OUT ? FLOW_SENT_BYTES : FLOW_RECEIVED_BYTES);
        break;
    case LANE_OUT_BAR:
    case LANE_IN_BAR:
        paint_bar(place, lane == LANE_OUT_BAR ? FLOW_SENT_BYTES : FLOW_RECEIVED_BYTES);
        break;
    case LANE_OUT_SHARE:
    case LANE_IN_SHARE:
        paint_share(place, lane == LANE_OUT_SHARE ? FLOW_SENT_BYTES : FLOW_RECEIVED_BYTES);
        break;
    case LANE_SIZE:
        paint_size(place);
        break;
    case LANE_PFC:
        paint_count(place, rate_sum(top_pfc_sum(port->pfc_sent), top_pfc_sum(port->pfc_received)), TONE_WARN);
        break;
    case LANE_RNR:
        paint_count(place, rate_sum(port->flows[FLOW_RNR_SENT], port->flows[FLOW_RNR_RECEIVED]), TONE_WARN);
        break;
    case LANE_LINE:
        paint_line(place);
        break;
    default:
        paint_flow(place, plain[lane]);
        break;
    }
}

void top_paint_rows(struct grid *grid, struct top_state *state, size_t y, size_t height)
{
    struct layout layout = lay_out(state, grid->width);
    paint_headings(grid, state, &layout, y);
    state->page = height > 1 ? height - 1 : 1;
    if (state->selected < state->top)
        state->top = state->selected;
    if (state->selected >= state->top + state->page)
        state->top = state->selected - state->page + 1;
    if (state->top + state->page > state->nrows)
        state->top = state->nrows > state->page ? state->nrows - state->page : 0;
    for (size_t i = 0; i + 1 < height && state->top + i < state->nrows; i++) {
        struct place place = {
            .grid = grid, .y = y + 1 + i, .state = state, .port = state->rows[state->top + i]
        };
        for (enum lane lane = 0; lane < LANES; lane++) {
            place.width = layout.widths[lane];
            if (place.width)
                paint_lane(&place, lane);
            place.x += place.width ? place.width + 1 : 0;
        }
        if (state->top + i == state->selected)
            grid_mark(grid, place.y, INK_MARKED);
    }
}
