/* SPDX-License-Identifier: MIT */
/* The ports on roce top's screen, one per line. */
#include "view/top/top.h"

enum { NAME_MOST = 20, NETDEV_MOST = 15, BAR_MOST = 20, LINE_LEAST = 8, LINE_MOST = 90 };

/* Lanes that need more than their row of the table. */
enum { LANE_NAME, LANE_NETDEV, LANE_OUT_BAR = 5, LANE_IN_BAR = 8, LANE_LINE = 21, LANES };

/* What is shown of a port, from left to right: heading, the column to sort by, width, rank. */
static const struct lane {
    const char *heading, *sort;
    size_t width;
    unsigned rank; /* on a narrow terminal the highest goes first; 0: never */
    enum { NAME, NETDEV, STATE, LINE, BAR, RIGHT, RATE = RIGHT, DATA, SHARE, SIZE, COUNT, PFC, RNR } shows;
    enum flow flow;
} lanes[LANES] = {
    [LANE_NAME] = { "PORT", "device", 0, 0, NAME, 0 },
    [LANE_NETDEV] = { "NETDEV", "netdev", 0, 8, NETDEV, 0 },
    { "STATE", "state", 6, 5, STATE, 0 },
    { "RATE", "rate_mbps", 4, 16, RATE, 0 },
    { "OUT", "sent_bytes", 9, 0, DATA, FLOW_SENT_BYTES },
    [LANE_OUT_BAR] = { "", "sent_percent", 5, 4, BAR, FLOW_SENT_BYTES },
    { "%", "sent_percent", 3, 3, SHARE, FLOW_SENT_BYTES },
    { "IN", "received_bytes", 9, 1, DATA, FLOW_RECEIVED_BYTES },
    [LANE_IN_BAR] = { "", "received_percent", 5, 4, BAR, FLOW_RECEIVED_BYTES },
    { "%", "received_percent", 3, 3, SHARE, FLOW_RECEIVED_BYTES },
    { "PKT OUT", "sent_packets", 7, 14, COUNT, FLOW_SENT_PACKETS },
    { "PKT IN", "received_packets", 6, 14, COUNT, FLOW_RECEIVED_PACKETS },
    { "B/PKT", "packet_size", 5, 15, SIZE, 0 },
    { "PFC", "pfc_per_second", 4, 9, PFC, FLOW_PAUSES_RECEIVED },
    { "CNP IN", "cnps_received", 6, 10, COUNT, FLOW_CNPS_RECEIVED },
    { "CNP OUT", "cnps_sent", 7, 13, COUNT, FLOW_CNPS_SENT },
    { "MARKS", "marks", 5, 12, COUNT, FLOW_MARKS },
    { "RETX", "retransmissions", 4, 6, COUNT, FLOW_RETRANSMISSIONS },
    { "OOS", "out_of_sequence", 4, 9, COUNT, FLOW_OUT_OF_SEQUENCE },
    { "RNR", "rnr_received", 4, 11, RNR, FLOW_RNR_RECEIVED },
    { "DROP", "drops", 4, 6, COUNT, FLOW_DROPS },
    [LANE_LINE] = { "3 MIN", "", LINE_LEAST, 7, LINE, 0 },
};

struct layout {
    size_t widths[LANES]; /* 0: not shown */
};

enum ink top_flow_ink(struct rate rate, enum tone tone)
{
    return !rate.known || rate.value <= 0 ? INK_DIM
           : tone == TONE_BAD             ? INK_BAD
           : tone == TONE_WARN            ? INK_WARN
                                          : INK_PLAIN;
}

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
    for (size_t lane = 0; lane < LANES; lane++)
        sum += layout->widths[lane] ? layout->widths[lane] + (sum ? 1 : 0) : 0;
    return sum;
}

static size_t first_to_go(const struct layout *layout)
{
    size_t last = LANE_NAME;
    for (size_t lane = 0; lane < LANES; lane++)
        if (layout->widths[lane] && lanes[lane].rank && lanes[lane].rank >= lanes[last].rank)
            last = lane;
    return last;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The lanes' widths: for texts, what the rows need, between 6 and the most allowed. */
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
    for (size_t lane = 0; lane < LANES; lane++)
        layout->widths[lane] = lanes[lane].width;
    layout->widths[LANE_NAME] = least(name, NAME_MOST);
    layout->widths[LANE_NETDEV] = least(netdev, NETDEV_MOST);
}

/* Each lane at its least width, dropping lanes until they fit; the line and the bars get what is left. */
static struct layout lay_out(const struct top_state *state, size_t width)
{
    struct layout layout;
    measure(state, &layout);
    while (total(&layout) > width) {
        size_t lane = first_to_go(&layout);
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

/* Are the rows sorted by what this lane shows? */
static bool is_sorted_by(const struct top_state *state, size_t lane)
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
    for (size_t lane = 0; lane < LANES; lane++) {
        size_t width = layout->widths[lane];
        if (!width)
            continue;
        char text[32];
        snprintf(text, sizeof(text), "%s%s", lane == LANE_NAME ? " " : "", lanes[lane].heading);
        enum ink ink = is_sorted_by(state, lane) ? INK_TITLE : INK_BOLD;
        if (lanes[lane].shows >= RIGHT)
            grid_put_right(grid, x, y, width, ink, text);
        else
            grid_put(grid, x, y, width, ink, text);
        x += width + 1;
    }
}

static bool in_trouble(const struct frame_port *port)
{
    bool trouble = false;
    for (enum flow flow = 0; flow < FLOWS; flow++)
        trouble |= flow_tone(flow) == TONE_BAD && port->flows[flow].known && port->flows[flow].value > 0;
    return trouble;
}

/* A text lane's text for a port; returns its ink. */
static enum ink lane_text(const struct lane *lane, const struct top_state *state, const struct frame_port *port,
                          char text[static TOP_TEXT])
{
    struct rate rate = port->flows[lane->flow];
    double mbps = (double)port->rate_mbps.value;
    if (lane->shows == PFC)
        rate = rate_sum(top_pfc_sum(port->pfc_sent), top_pfc_sum(port->pfc_received));
    else if (lane->shows == RNR)
        rate = rate_sum(port->flows[FLOW_RNR_SENT], rate);
    else if (lane->shows == SHARE)
        rate = frame_share(port, lane->flow);
    else if (lane->shows == SIZE)
        rate = frame_packet_size(port);
    snprintf(text, TOP_TEXT, "-");
    switch (lane->shows) {
    case NETDEV:
        snprintf(text, TOP_TEXT, "%s", port->netdev ? port->netdev : "-");
        return INK_PLAIN;
    case STATE:
        snprintf(text, TOP_TEXT, "%s", port->state ? port->state : "-");
        return !port->state ? INK_DIM : text_is(port->state, "ACTIVE") ? INK_GOOD : INK_WARN;
    case RATE:
        if (port->rate_mbps.known)
            snprintf(text, TOP_TEXT, mbps >= 1000 ? "%.4gG" : "%gM", mbps >= 1000 ? mbps / 1000 : mbps);
        return INK_PLAIN;
    case DATA:
        top_rate_text(rate, state->bytes, text, TOP_TEXT);
        if (!port->counts_bytes)
            snprintf(text, TOP_TEXT, "uncounted");
        break;
    case SHARE:
    case SIZE:
        if (rate.known)
            snprintf(text, TOP_TEXT, "%.0f", rate.value * (lane->shows == SHARE ? 100 : 1));
        break;
    default:
        top_count_text(rate, text, TOP_TEXT);
        return top_flow_ink(rate, flow_tone(lane->flow));
    }
    return rate.known ? INK_PLAIN : INK_DIM;
}

static void paint_lane(struct grid *grid, size_t x, size_t y, size_t width, const struct lane *lane,
                       const struct top_state *state, const struct frame_port *port)
{
    char text[TOP_TEXT];
    if (lane->shows == NAME) {
        bool trouble = in_trouble(port), selected = port == top_state_selected(state);
        name_of(port, text);
        bool found = top_is_found(port);
        grid_put(grid, x, y, 1, trouble ? INK_BAD : INK_WARN, selected ? ">" : trouble || found ? "!" : " ");
        grid_put(grid, x + 1, y, width - 1, trouble ? INK_BAD : found ? INK_WARN : INK_BOLD, text);
    } else if (lane->shows == LINE) {
        char *line = recent_line(state->recent, port->device, port->number, width);
        grid_put(grid, x, y, width, INK_OUT, line);
        free(line);
    } else if (lane->shows == BAR) {
        struct rate share = frame_share(port, lane->flow);
        if (share.known)
            grid_bar(grid, x, y, width, lane->flow == FLOW_SENT_BYTES ? INK_OUT : INK_IN, share.value);
    } else {
        enum ink ink = lane_text(lane, state, port, text);
        if (lane->shows >= RIGHT)
            grid_put_right(grid, x, y, width, ink, text);
        else
            grid_put(grid, x, y, width, ink, text);
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
        size_t x = 0, row = state->top + i;
        for (size_t lane = 0; lane < LANES; lane++) {
            size_t width = layout.widths[lane];
            if (width)
                paint_lane(grid, x, y + 1 + i, width, &lanes[lane], state, state->rows[row]);
            x += width ? width + 1 : 0;
        }
        if (row == state->selected)
            grid_mark(grid, y + 1 + i, INK_MARKED);
    }
}
