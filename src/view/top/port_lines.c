/* SPDX-License-Identifier: MIT */
/* The ports on roce top's screen, a line each. */
#include "view/top/top.h"

enum { NAME_MOST = 20, NETDEV_MOST = 15, BAR_MOST = 20, LINE_LEAST = 8, LINE_MOST = 90 };

struct place {
    struct grid *grid;
    size_t x, y, width;
    const struct top_state *state;
    const struct frame_port *port;
};

/* Lanes that are more than a row of the table. */
enum { LANE_NAME, LANE_NETDEV, LANE_OUT_BAR = 5, LANE_IN_BAR = 8, LANE_LINE = 21, LANES };

static const struct lane_def {
    const char *heading, *sort; /* the column that it is sorted by */
    size_t width;
    unsigned rank; /* on a narrow terminal the highest goes first; 0: never */
    bool right;
    void (*paint)(const struct place *place, enum flow flow);
    enum flow flow;
} lanes[LANES];

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
    for (size_t lane = 0; lane < LANES; lane++)
        layout->widths[lane] = lanes[lane].width;
    layout->widths[LANE_NAME] = least(name, NAME_MOST);
    layout->widths[LANE_NETDEV] = least(netdev, NETDEV_MOST);
}

/* Each lane at its least width; while they don't fit, one goes; what is left over is the line's and the bars'.
 */
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

/* Is it by what this lane shows that the rows are in their order? */
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
        if (lanes[lane].right)
            grid_put_right(grid, x, y, width, ink, text);
        else
            grid_put(grid, x, y, width, ink, text);
        x += width + 1;
    }
}

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

static void paint_name(const struct place *place, enum flow flow)
{
    (void)flow;
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

static void paint_rate(const struct place *place, enum flow flow)
{
    (void)flow;
    char text[32] = "-";
    struct num mbps = place->port->rate_mbps;
    if (mbps.known)
        snprintf(text, sizeof(text), mbps.value >= 1000 ? "%.4gG" : "%gM",
                 mbps.value >= 1000 ? (double)mbps.value / 1000 : (double)mbps.value);
    grid_put_right(place->grid, place->x, place->y, place->width, INK_PLAIN, text);
}

static void paint_state(const struct place *place, enum flow flow)
{
    (void)flow;
    const char *state = place->port->state;
    enum ink ink = !state ? INK_DIM : strcmp(state, "ACTIVE") == 0 ? INK_GOOD : INK_WARN;
    grid_put(place->grid, place->x, place->y, place->width, ink, state ? state : "-");
}

static void paint_line(const struct place *place, enum flow flow)
{
    (void)flow;
    char *line = history_line(place->state->history, place->port->device, place->port->number, place->width);
    grid_put(place->grid, place->x, place->y, place->width, INK_OUT, line);
    free(line);
}

static void paint_size(const struct place *place, enum flow flow)
{
    (void)flow;
    char text[32] = "-";
    struct rate size = frame_packet_size(place->port);
    if (size.known)
        snprintf(text, sizeof(text), "%.0f", size.value);
    grid_put_right(place->grid, place->x, place->y, place->width, size.known ? INK_PLAIN : INK_DIM, text);
}

static void paint_netdev(const struct place *place, enum flow flow)
{
    (void)flow;
    grid_put(place->grid, place->x, place->y, place->width, INK_PLAIN,
             place->port->netdev ? place->port->netdev : "-");
}

static void paint_pfc(const struct place *place, enum flow flow)
{
    (void)flow;
    paint_count(place, rate_sum(top_pfc_sum(place->port->pfc_sent), top_pfc_sum(place->port->pfc_received)),
                TONE_WARN);
}

static void paint_rnr(const struct place *place, enum flow flow)
{
    paint_count(place, rate_sum(place->port->flows[FLOW_RNR_SENT], place->port->flows[flow]), TONE_WARN);
}

/* What is shown of a port, from left to right. */
static const struct lane_def lanes[LANES] = {
    [LANE_NAME] = { "PORT", "device", 0, 0, false, paint_name, 0 },
    [LANE_NETDEV] = { "NETDEV", "netdev", 0, 8, false, paint_netdev, 0 },
    { "STATE", "state", 6, 5, false, paint_state, 0 },
    { "RATE", "rate_mbps", 4, 16, true, paint_rate, 0 },
    { "OUT", "sent_bytes", 9, 0, true, paint_data, FLOW_SENT_BYTES },
    [LANE_OUT_BAR] = { "", "sent_percent", 5, 4, false, paint_bar, FLOW_SENT_BYTES },
    { "%", "sent_percent", 3, 3, true, paint_share, FLOW_SENT_BYTES },
    { "IN", "received_bytes", 9, 1, true, paint_data, FLOW_RECEIVED_BYTES },
    [LANE_IN_BAR] = { "", "received_percent", 5, 4, false, paint_bar, FLOW_RECEIVED_BYTES },
    { "%", "received_percent", 3, 3, true, paint_share, FLOW_RECEIVED_BYTES },
    { "PKT OUT", "sent_packets", 7, 14, true, paint_flow, FLOW_SENT_PACKETS },
    { "PKT IN", "received_packets", 6, 14, true, paint_flow, FLOW_RECEIVED_PACKETS },
    { "B/PKT", "packet_size", 5, 15, true, paint_size, 0 },
    { "PFC", "pfc_per_second", 4, 9, true, paint_pfc, 0 },
    { "CNP IN", "cnps_received", 6, 10, true, paint_flow, FLOW_CNPS_RECEIVED },
    { "CNP OUT", "cnps_sent", 7, 13, true, paint_flow, FLOW_CNPS_SENT },
    { "MARKS", "marks", 5, 12, true, paint_flow, FLOW_MARKS },
    { "RETX", "retransmissions", 4, 6, true, paint_flow, FLOW_RETRANSMISSIONS },
    { "OOS", "out_of_sequence", 4, 9, true, paint_flow, FLOW_OUT_OF_SEQUENCE },
    { "RNR", "rnr_received", 4, 11, true, paint_rnr, FLOW_RNR_RECEIVED },
    { "DROP", "drops", 4, 6, true, paint_flow, FLOW_DROPS },
    [LANE_LINE] = { "3 MIN", "", LINE_LEAST, 7, false, paint_line, 0 },
};

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
        for (size_t lane = 0; lane < LANES; lane++) {
            place.width = layout.widths[lane];
            if (place.width)
                lanes[lane].paint(&place, lanes[lane].flow);
            place.x += place.width ? place.width + 1 : 0;
        }
        if (state->top + i == state->selected)
            grid_mark(grid, place.y, INK_MARKED);
    }
}
