/* SPDX-License-Identifier: MIT */
/* The full screen of top, without a terminal: grids, history, keys, pictures. */
#include <criterion/criterion.h>

#include "model/counters.h"
#include "model/frame.h"
#include "source/source.h"
#include "tree.h"
#include "view/screen.h"
#include "view/top/top.h"

/* A row as text, without trailing blanks. The caller frees it. */
static char *grid_row(const struct grid *grid, size_t y)
{
    struct bytes row = { 0 };
    bytes_append(&row, "", 0);
    for (size_t x = 0; x < grid->width; x++)
        bytes_printf(&row, "%s", grid->cells[y * grid->width + x].text);
    while (row.len && row.data[row.len - 1] == ' ')
        row.data[--row.len] = '\0';
    return row.data;
}

static void expect_row(const struct grid *grid, size_t y, const char *want)
{
    char *row = grid_row(grid, y);
    cr_expect_str_eq(row, want);
    free(row);
}

Test(grid, puts_and_cuts)
{
    struct grid grid;
    grid_make(&grid, 10, 5, false);
    cr_expect_eq(grid_put(&grid, 0, 0, 10, INK_PLAIN, "abc"), 3);
    cr_expect_eq(grid_put(&grid, 8, 1, 10, INK_PLAIN, "abc"), 2);
    cr_expect_eq(grid_put(&grid, 0, 2, 4, INK_PLAIN, "漢字漢字"), 3);
    grid_put_right(&grid, 0, 3, 6, INK_PLAIN, "42");
    cr_expect_eq(grid_put(&grid, 0, 4, 10, INK_PLAIN, "\033[31m"), 8);
    cr_expect_eq(grid_put(&grid, 0, 9, 10, INK_PLAIN, "outside"), 0);
    cr_expect_eq(grid_put(&grid, 10, 0, 10, INK_PLAIN, "outside"), 0);
    expect_row(&grid, 0, "abc");
    expect_row(&grid, 1, "        a…");
    expect_row(&grid, 2, "漢…");
    expect_row(&grid, 3, "    42");
    expect_row(&grid, 4, "\\x1b[31m");
    grid_free(&grid);
}

Test(grid, bars_and_ascii)
{
    struct grid grid;
    grid_make(&grid, 8, 5, false);
    grid_bar(&grid, 0, 0, 8, INK_OUT, 0.5);
    grid_bar(&grid, 0, 1, 8, INK_OUT, 1.0 / 64);
    grid_bar(&grid, 0, 2, 8, INK_OUT, 17);
    grid_bar(&grid, 0, 3, 8, INK_OUT, -1);
    expect_row(&grid, 0, "████");
    expect_row(&grid, 1, "▏");
    expect_row(&grid, 2, "████████");
    expect_row(&grid, 3, "");
    grid_free(&grid);
    grid_make(&grid, 8, 2, true);
    grid_bar(&grid, 0, 0, 8, INK_OUT, 0.5);
    grid_put(&grid, 0, 1, 8, INK_PLAIN, "é·█…漢");
    expect_row(&grid, 0, "####");
    expect_row(&grid, 1, "?-#~??");
    grid_free(&grid);
}

Test(top, numbers_are_short)
{
    static const struct {
        double value;
        const char *count, *bits, *bytes;
    } cases[] = { { 0, "0", "0 b/s", "0 B/s" },
                  { 0.25, "0.25", "2 b/s", "0 B/s" },
                  { 7, "7.0", "56 b/s", "7 B/s" },
                  { 12.4, "12", "99 b/s", "12 B/s" },
                  { 999, "999", "7.99 kb/s", "999 B/s" },
                  { 1500, "1.5k", "12.0 kb/s", "1.50 kB/s" },
                  { 12.5e9, "12G", "100 Gb/s", "12.5 GB/s" },
                  { 50e9, "50G", "400 Gb/s", "50.0 GB/s" } };
    char text[32];
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct rate rate = { .value = cases[i].value, .known = true };
        top_count_text(rate, text, sizeof(text));
        cr_expect_str_eq(text, cases[i].count);
        top_rate_text(rate, false, text, sizeof(text));
        cr_expect_str_eq(text, cases[i].bits);
        top_rate_text(rate, true, text, sizeof(text));
        cr_expect_str_eq(text, cases[i].bytes);
    }
    top_rate_text((struct rate){ .value = 125, .known = true, .least = true }, false, text, sizeof(text));
    cr_expect_str_eq(text, "≥1.00 kb/s");
    top_rate_text((struct rate){ 0 }, false, text, sizeof(text));
    cr_expect_str_eq(text, "-");
}

/* A frame of some ports a second, the first of which carries bytes. */
static struct frame *make_frame(uint64_t second, size_t nports, double bytes)
{
    struct frame *frame = frame_new();
    frame->time_ms = second * 1000;
    frame->seconds = 1;
    for (size_t i = 0; i < nports; i++) {
        struct frame_port *port = ARENA_PUSH(frame->arena, frame->ports, frame->nports);
        *port = (struct frame_port){ .device = arena_printf(frame->arena, "mlx5_%zu", i),
                                     .state = "ACTIVE",
                                     .number = 1,
                                     .rate_mbps = num_of(100000),
                                     .counts_bytes = true };
        port->flows[FLOW_SENT_BYTES] = (struct rate){ .value = i ? 0 : bytes, .known = true };
        port->flows[FLOW_DROPS] = (struct rate){ .value = (double)i, .known = true };
    }
    return frame;
}

Test(top, history_is_of_three_minutes)
{
    struct recent *recent = recent_new();
    char *line = recent_line(recent, "mlx5_0", 1, 9);
    cr_expect_str_eq(line, "         ", "nothing is known of a port that isn't there");
    free(line);
    for (uint64_t second = 1000; second < 1180; second++) {
        struct frame *frame = make_frame(second, 1, second < 1090 ? 0 : 1e9);
        recent_add(recent, frame);
        frame_free(frame);
    }
    line = recent_line(recent, "mlx5_0", 1, 10);
    cr_expect_str_eq(line, "▁▁▁▁▁█████");
    free(line);
    line = recent_line(recent, NULL, 0, 10);
    cr_expect_str_eq(line, "▁▁▁▁▁█████", "all together");
    free(line);
    struct frame *frame = make_frame(1300, 1, 5e8); /* two minutes of nothing: a gap */
    recent_add(recent, frame);
    frame_free(frame);
    line = recent_line(recent, "mlx5_0", 1, 9);
    cr_expect_str_eq(line, "███     ▅");
    free(line);
    recent_free(recent);
}

static void type(struct top_state *state, const char *text)
{
    for (; *text; text++)
        top_state_key(state, *text);
    top_state_key(state, PRESSED_ENTER);
}

Test(top, keys_filter_sort_and_select)
{
    struct top_state state;
    top_state_make(&state, NULL, NULL);
    top_state_take(&state, make_frame(1, 5, 1e9));
    cr_assert_eq(state.nrows, 5);
    top_state_key(&state, 'G');
    cr_expect_str_eq(top_state_selected(&state)->device, "mlx5_4");
    type(&state, "/drops>2");
    cr_expect_eq(state.nrows, 2);
    cr_expect_str_eq(top_state_selected(&state)->device, "mlx5_4", "it stays the selected one");
    type(&state, "s-drops");
    cr_expect_str_eq(state.rows[0]->device, "mlx5_4");
    type(&state, "/");
    cr_expect_eq(state.nrows, 2, "the old one is there to be changed");
    top_state_key(&state, '/');
    top_state_key(&state, PRESSED_CONTROL('U'));
    type(&state, "nonsense>1");
    cr_expect_eq(state.prompt, PROMPT_FILTER, "it stays open");
    cr_expect_not_null(strstr(state.message, "unknown column 'nonsense'"));
    cr_expect_eq(state.nrows, 2, "and the old one in force");
    top_state_key(&state, PRESSED_ESCAPE);
    cr_expect_str_eq(state.filter, "drops>2");
    cr_expect_eq(state.prompt, PROMPT_NONE);
    cr_expect_not(state.quit);
    top_state_key(&state, 'q');
    cr_expect(state.quit);
    top_state_free(&state);
}

/* The one that has gone isn't selected any more; the one that stands there is. */
Test(top, a_device_goes)
{
    struct top_state state;
    top_state_make(&state, NULL, NULL);
    top_state_take(&state, make_frame(1, 3, 1e9));
    top_state_key(&state, 'G');
    top_state_take(&state, make_frame(2, 2, 1e9));
    cr_expect_str_eq(top_state_selected(&state)->device, "mlx5_1");
    top_state_take(&state, make_frame(3, 0, 1e9));
    cr_expect_null(top_state_selected(&state));
    top_state_key(&state, PRESSED_DOWN);
    top_state_key(&state, 'r');
    top_state_free(&state);
}

Test(top, a_pause_keeps_the_picture_and_goes_on_behind_it)
{
    struct top_state state;
    top_state_make(&state, NULL, NULL);
    top_state_take(&state, make_frame(1, 1, 1e9));
    top_state_key(&state, ' ');
    top_state_take(&state, make_frame(2, 1, 1e9));
    cr_expect_eq(state.frame->time_ms, 1000);
    top_state_key(&state, 'p');
    top_state_take(&state, make_frame(3, 1, 1e9));
    cr_expect_eq(state.frame->time_ms, 3000);
    top_state_free(&state);
}

Test(top, interval_has_steps_and_bounds)
{
    struct top_state state;
    top_state_make(&state, NULL, NULL);
    top_state_key(&state, '+');
    cr_expect_float_eq(state.interval, 2, 1e-9);
    for (int i = 0; i < 20; i++)
        top_state_key(&state, '+');
    cr_expect_float_eq(state.interval, 60, 1e-9);
    for (int i = 0; i < 20; i++)
        top_state_key(&state, '-');
    cr_expect_float_eq(state.interval, 0.1, 1e-9);
    top_state_key(&state, 'd');
    top_state_key(&state, PRESSED_CONTROL('U'));
    type(&state, "61");
    cr_expect_float_eq(state.interval, 0.1, 1e-9, "refused");
    top_state_key(&state, PRESSED_BACKSPACE);
    top_state_key(&state, PRESSED_ENTER);
    cr_expect_float_eq(state.interval, 6, 1e-9);
    top_state_free(&state);
}

/* Whatever the size, nothing is wider, and the selected row is seen. */
Test(top, every_size_is_painted)
{
    struct top_state state;
    top_state_make(&state, NULL, NULL);
    top_state_take(&state, make_frame(1, 40, 1e9));
    for (size_t width = 20; width <= 220; width += 25)
        for (size_t height = 1; height <= 60; height += 3) {
            struct grid grid;
            bool seen = false;
            grid_make(&grid, width, height, false);
            top_state_key(&state, width % 2 ? PRESSED_PAGE_DOWN : PRESSED_UP);
            top_paint(&grid, &state);
            for (size_t y = 0; y < height; y++) {
                char *row = grid_row(&grid, y);
                cr_expect_leq(text_width(row), width);
                seen |= *row == '>' && strstr(row, state.device);
                free(row);
            }
            cr_expect(seen || height < 4, "%zu×%zu", width, height);
            grid_free(&grid);
        }
    top_state_free(&state);
}

static bool shows(struct top_state *state, size_t width, size_t height, const char *text)
{
    struct grid grid;
    bool seen = false;
    grid_make(&grid, width, height, false);
    top_paint(&grid, state);
    for (size_t y = 0; y < height; y++) {
        char *row = grid_row(&grid, y);
        seen |= strstr(row, text) != NULL;
        free(row);
    }
    grid_free(&grid);
    return seen;
}

static bool help_shows(struct top_state *state, const char *text)
{
    return shows(state, 40, 10, text);
}

static void fail_at(struct top_state *state, const char *device, uint16_t port)
{
    struct trace_step step = { .kind = STEP_OF_EVENT, .event = num_of(CM_REJECTED), .status = snum_of(8) };
    snprintf(step.device, sizeof(step.device), "%s", device);
    snprintf(step.name, sizeof(step.name), "rping");
    cr_assert(trace_address_parse("10.0.0.1:5000", &step.from) && trace_address_parse("10.0.0.2:0", &step.to));
    step.to.port = port;
    top_state_fail(state, &(struct trace_shown){ .step = &step, .utc_ms = 1790000000000 });
}

/* Those of the selected port, the last first, and those of which the kernel didn't tell a device. */
Test(top, the_last_connections_that_failed)
{
    struct top_state state;
    top_state_make(&state, NULL, NULL);
    top_state_take(&state, make_frame(1, 2, 1e9));
    top_state_key(&state, PRESSED_ENTER);
    cr_expect_not(shows(&state, 120, 40, "failed"));
    for (uint16_t port = 7001; port <= 7080; port++)
        fail_at(&state, "mlx5_0", port);
    fail_at(&state, "mlx5_1", 9001);
    fail_at(&state, "", 9002);
    cr_expect(shows(&state, 120, 40, "failed"));
    cr_expect(shows(&state, 120, 40, "10.0.0.2:9002  REJECTED 8  invalid service ID"));
    cr_expect(shows(&state, 120, 40, "10.0.0.2:7080  REJECTED 8"));
    cr_expect(shows(&state, 120, 40, "10.0.0.2:7079  REJECTED 8"));
    cr_expect_not(shows(&state, 120, 40, "10.0.0.2:7001"));
    cr_expect_not(shows(&state, 120, 40, "10.0.0.2:9001"));
    top_state_key(&state, PRESSED_DOWN);
    cr_expect(shows(&state, 120, 40, "10.0.0.2:9001  REJECTED 8"));
    top_state_free(&state);
}

Test(top, help_is_folded_and_scrolls_on_a_small_terminal)
{
    struct top_state state;
    top_state_make(&state, NULL, NULL);
    top_state_take(&state, make_frame(1, 4, 1e9));
    top_state_key(&state, '?');
    cr_expect(help_shows(&state, "q          quit"));
    cr_expect_not(help_shows(&state, "has no counter"));
    top_state_key(&state, PRESSED_END);
    cr_expect(help_shows(&state, "has no counter"));
    cr_expect_not(help_shows(&state, "q          quit"));
    top_state_key(&state, PRESSED_HOME);
    bool seen = false;
    for (int i = 0; i < 40 && !seen; i++, top_state_key(&state, PRESSED_DOWN))
        seen = help_shows(&state, "were dropped, or a queue pair"); /* in two lines */
    cr_expect_not(seen);
    cr_expect(help_shows(&state, "has no counter"));
    top_state_free(&state);
}

Test(terminfo, usual_terminals_are_compiled_in)
{
    static const char *const names[] = {
        "xterm", "xterm-256color", "screen", "tmux-256color", "linux", "vt100"
    };
    struct terminfo own;
    for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
        cr_assert(terminfo_find(names[i], &own), "%s", names[i]);
        cr_expect_str_eq(own.name, names[i]);
        cr_expect(text_starts(own.entry, "hex:"));
    }
    cr_expect(terminfo_find("xterm-ghostty", &own));
    cr_expect_str_eq(own.name, "xterm-256color");
    cr_expect(terminfo_find("foot-extra", &own));
    cr_expect_str_eq(own.name, "xterm-256color");
    cr_expect_not(terminfo_find("nonsense", &own));
}

/* Frames of top: what two readings say, whatever the driver calls its counters. */

/* A machine of one port with these hw_counters, read. */
struct told {
    const char *name;
    const char *value;
};

static struct host *machine(const char *device, const char *dir, const struct told *told, size_t count)
{
    struct source *source;
    struct host *host;
    char path[160];
    tree_make();
    snprintf(path, sizeof(path), "sys/class/infiniband/%s/node_type", device);
    tree_file(path, "1: CA\n");
    snprintf(path, sizeof(path), "sys/class/infiniband/%s/ports/1/link_layer", device);
    tree_file(path, "Ethernet\n");
    snprintf(path, sizeof(path), "sys/class/infiniband/%s/ports/1/state", device);
    tree_file(path, "4: ACTIVE\n");
    snprintf(path, sizeof(path), "sys/class/infiniband/%s/ports/1/rate", device);
    tree_file(path, "100 Gb/sec (4X EDR)\n");
    for (size_t i = 0; i < count; i++) {
        snprintf(path, sizeof(path), "sys/class/infiniband/%s/ports/1/%s/%s", device, dir, told[i].name);
        tree_file(path, told[i].value);
    }
    cr_assert_eq(source_open_recording(tree_top(), &source, NULL), 0);
    source_count_only(source, frame_roles(false), NULL);
    cr_assert_eq(host_read(source, NEED_COUNTERS | NEED_STATE | NEED_RATE, &host), 0);
    source_close(source);
    tree_remove();
    return host;
}

#define MACHINE(device, dir, ...)                              \
    machine(device, dir, (const struct told[]){ __VA_ARGS__ }, \
            sizeof((const struct told[]){ __VA_ARGS__ }) / sizeof(struct told))

static void expect_rate(struct rate rate, double value, bool least, const char *what)
{
    cr_expect(rate.known, "%s", what);
    cr_expect_float_eq(rate.value, value, 1e-6, "%s: %g", what, rate.value);
    cr_expect_eq(rate.least, least, "%s", what);
}

/* mlx5 counts data in words of four bytes, and what it sends again in three counters of 32 bits. */
Test(frame, rates_of_two_readings)
{
    struct host *before = MACHINE("mlx5_0", "counters", { "port_xmit_data", "1000\n" },
                                  { "port_rcv_data", "0\n" }),
                *now = MACHINE("mlx5_0", "counters", { "port_xmit_data", "3001000\n" },
                               { "port_rcv_data", "500\n" });
    struct frame *frame = frame_make(before, now, NULL, 2);
    cr_assert_eq(frame->nports, 1);
    expect_rate(frame->ports[0].flows[FLOW_SENT_BYTES], 6e6, false, "sent");
    expect_rate(frame->ports[0].flows[FLOW_RECEIVED_BYTES], 1000, false, "received");
    expect_rate(frame_share(&frame->ports[0], FLOW_SENT_BYTES), 6e6 * 8 / 100e9, false, "share");
    cr_expect(frame->ports[0].counts_bytes);
    cr_expect_not(frame->ports[0].flows[FLOW_MARKS].known, "no counter of it");
    frame_free(frame);
    host_free(before);
    host_free(now);
}

Test(frame, fec_is_told_apart_from_the_link)
{
    struct host *hosts[2];
    struct qos qos[2] = { { .netdev = "eth0" }, { .netdev = "eth0" } };
    for (unsigned i = 0; i < 2; i++) {
        hosts[i] = MACHINE("mlx5_0", "counters", { "symbol_error", "0\n" });
        hosts[i]->devices[0].ports[0].netdev = "eth0";
        qos[i].ethtool.fec_corrected = num_of(100 + 5000 * i);
        qos[i].ethtool.fec_uncorrectable = num_of(i);
        hosts[i]->qos = &qos[i];
        hosts[i]->nqos = 1;
    }
    struct frame *frame = frame_make(hosts[0], hosts[1], NULL, 1);
    expect_rate(frame->ports[0].flows[FLOW_FEC_ERRORS], 1, false, "given up");
    expect_rate(frame->ports[0].flows[FLOW_FEC_CORRECTED], 5000, false, "corrected");
    frame_free(frame);
    host_free(hosts[0]);
    host_free(hosts[1]);
}

Test(frame, wraps_resets_and_saturation)
{
    struct host *before = MACHINE("mlx5_0", "hw_counters", { "packet_seq_err", "4294967290\n" },
                                  { "out_of_sequence", "1000\n" }, { "np_cnp_sent", "7\n" }),
                *now = MACHINE("mlx5_0", "hw_counters", { "packet_seq_err", "4\n" },
                               { "out_of_sequence", "10\n" }, { "np_cnp_sent", "7\n" });
    struct frame *frame = frame_make(before, now, NULL, 1);
    expect_rate(frame->ports[0].flows[FLOW_RETRANSMISSIONS], 10, false, "through 0");
    expect_rate(frame->ports[0].flows[FLOW_OUT_OF_SEQUENCE], 10, true, "began anew");
    expect_rate(frame->ports[0].flows[FLOW_CNPS_SENT], 0, false, "nothing");
    frame_free(frame);
    host_free(before);
    host_free(now);
    before = MACHINE("mlx5_0", "counters", { "port_xmit_discards", "65000\n" });
    now = MACHINE("mlx5_0", "counters", { "port_xmit_discards", "65535\n" });
    frame = frame_make(before, now, NULL, 1);
    expect_rate(frame->ports[0].flows[FLOW_DROPS], 535, true, "stopped at the highest value");
    frame_free(frame);
    host_free(before);
    host_free(now);
}

Test(frame, every_drivers_own_names)
{
    static const struct {
        const char *device;
        struct told before, now;
        enum flow flow;
        double rate;
    } cases[] = {
        { "bnxt_re0", { "tx_bytes", "10" }, { "tx_bytes", "30" }, FLOW_SENT_BYTES, 20 },
        { "rxe0", { "sent_bytes", "10" }, { "sent_bytes", "30" }, FLOW_SENT_BYTES, 20 },
        { "rxe0", { "completer_retry_err", "10" }, { "completer_retry_err", "30" }, FLOWS, 0 },
        { "irdma0", { "ip4OutOctets", "10" }, { "ip4OutOctets", "30" }, FLOW_SENT_BYTES, 20 },
        { "irdma0", { "cnpHandled", "10" }, { "cnpHandled", "30" }, FLOW_CNPS_RECEIVED, 20 },
        { "efa_0", { "rx_bytes", "10" }, { "rx_bytes", "30" }, FLOW_RECEIVED_BYTES, 20 },
        { "mana_0", { "rx_bytes", "10" }, { "rx_bytes", "30" }, FLOW_RECEIVED_BYTES, 20 },
        { "ionic_0",
          { "rx_rdma_ucast_bytes", "10" },
          { "rx_rdma_ucast_bytes", "30" },
          FLOW_RECEIVED_BYTES,
          20 },
        { "erdma_0", { "tx_bytes_cnt", "10" }, { "tx_bytes_cnt", "30" }, FLOW_SENT_BYTES, 20 },
        { "hns_0", { "tx_cnp_pkt", "10" }, { "tx_cnp_pkt", "30" }, FLOW_CNPS_SENT, 20 },
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct host *before = machine(cases[i].device, "hw_counters", &cases[i].before, 1),
                    *now = machine(cases[i].device, "hw_counters", &cases[i].now, 1);
        struct frame *frame = frame_make(before, now, NULL, 1);
        bool bytes = cases[i].flow == FLOW_SENT_BYTES || cases[i].flow == FLOW_RECEIVED_BYTES;
        cr_expect_eq(frame->ports[0].counts_bytes, bytes, "%s %s", cases[i].device, cases[i].now.name);
        if (cases[i].flow < FLOWS)
            expect_rate(frame->ports[0].flows[cases[i].flow], cases[i].rate, false, cases[i].now.name);
        frame_free(frame);
        host_free(before);
        host_free(now);
    }
}

Test(frame, one_reading_has_no_rates)
{
    struct host *now = MACHINE("mlx5_0", "counters", { "port_xmit_data", "1000\n" });
    struct frame *frame = frame_make(NULL, now, NULL, 1);
    cr_assert_eq(frame->nports, 1);
    cr_expect(frame->ports[0].counts_bytes);
    for (enum flow flow = 0; flow < FLOWS; flow++)
        cr_expect_not(frame->ports[0].flows[flow].known, "%s", flow_name(flow));
    frame_free(frame);
    host_free(now);
}

/* A device that has come meanwhile has no rate yet; one that has gone no row. */
Test(frame, devices_come_and_go)
{
    struct host *before = MACHINE("mlx5_0", "counters", { "port_xmit_data", "1000\n" }),
                *now = MACHINE("mlx5_1", "counters", { "port_xmit_data", "9000\n" });
    struct frame *frame = frame_make(before, now, NULL, 1);
    cr_assert_eq(frame->nports, 1);
    cr_expect_str_eq(frame->ports[0].device, "mlx5_1");
    cr_expect_not(frame->ports[0].flows[FLOW_SENT_BYTES].known);
    frame_free(frame);
    host_free(before);
    host_free(now);
}

Test(frame, totals_and_packet_size)
{
    struct frame_port ports[2] = { { .number = 1 }, { .number = 2 } };
    for (unsigned i = 0; i < 2; i++) {
        ports[i].flows[FLOW_SENT_BYTES] = (struct rate){ .value = 4096, .known = true };
        ports[i].flows[FLOW_SENT_PACKETS] = (struct rate){ .value = 4, .known = true };
    }
    ports[1].flows[FLOW_DROPS] = (struct rate){ .value = 3, .known = true, .least = true };
    struct frame frame = { .ports = ports, .nports = 2 };
    struct frame_port totals = frame_totals(&frame);
    expect_rate(totals.flows[FLOW_SENT_BYTES], 8192, false, "sum");
    expect_rate(totals.flows[FLOW_DROPS], 3, true, "of those that are known");
    cr_expect_not(totals.flows[FLOW_RECEIVED_BYTES].known);
    expect_rate(frame_packet_size(&ports[0]), 1024, false, "one way is enough");
    cr_expect_not(frame_share(&ports[0], FLOW_SENT_BYTES).known, "no rate of the port");
}

/* Nothing else is read: each file of counters/ is a command to the device. */
Test(frame, reads_only_what_is_shown)
{
    struct host *host = MACHINE("mlx5_0", "counters", { "port_xmit_data", "1\n" }, { "symbol_error", "1\n" },
                                { "VL15_dropped", "1\n" });
    cr_assert_eq(host->devices[0].ports[0].ncounters, 1);
    cr_expect_str_eq(host->devices[0].ports[0].counters[0].name, "port_xmit_data");
    host_free(host);
}

static int parse(const char *text, struct frame **frame, struct frame_fault *fault)
{
    return frame_parse(text, strlen(text), NULL, frame, fault);
}

#define LINE(ports) "{\"version\":1,\"time\":\"2026-11-22T19:00:00.123Z\",\"interval\":1,\"ports\":" ports "}"

Test(frame, a_line_is_read)
{
    struct frame *frame = NULL;
    struct frame_fault fault;
    cr_assert_eq(
        parse(LINE("[{\"device\":\"a\",\"port\":2,\"drops\":1.5,\"least\":[\"drops\"],\"byte_counter\":true,"
                   "\"pfc_sent\":[0,1,2,3,4,5,6,7],\"more\":{}}]"),
              &frame, &fault),
        0);
    cr_expect_eq(frame->time_ms % 1000, 123);
    cr_expect_eq(frame->ports[0].number, 2);
    expect_rate(frame->ports[0].flows[FLOW_DROPS], 1.5, true, "drops");
    expect_rate(frame->ports[0].pfc_sent[7], 7, false, "by priority");
    cr_expect_not(frame->ports[0].pfc_received[0].known);
    cr_expect_not(frame->users_known);
    frame_free(frame);
}

Test(frame, a_wrong_line_is_refused)
{
    static const struct {
        const char *text, *what;
    } cases[] = {
        { "", "not JSON" },
        { "[]", "it should be a JSON object" },
        { "{\"version\":0,\"ports\":[]}", "'version' should be 1" },
        { "{\"version\":1}", "it has no 'ports'" },
        { "{\"version\":1,\"ports\":[]}", "'time' should be" },
        { LINE("[7]"), "ports[0]: it should be an object" },
        { LINE("[{}]"), "ports[0]: it has no 'device'" },
        { LINE("[{\"device\":\"a\"}]"), "ports[0]: it has no 'port'" },
        { LINE("[{\"device\":\"a\",\"port\":0}]"), "ports[0]: it has no" },
        { LINE("[{\"device\":\"a\",\"port\":4294967296}]"), "ports[0]: 'port' should be a whole number" },
        { LINE("[{\"device\":\"a\",\"port\":1,\"drops\":-1}]"), "ports[0]: 'drops' should be a number from 0" },
        { LINE("[{\"device\":\"a\",\"port\":1,\"drops\":\"7\"}]"),
          "ports[0]: 'drops' should be a number from 0" },
        { LINE("[{\"device\":\"a\",\"port\":1},{\"device\":7,\"port\":1}]"),
          "ports[1]: 'device' should be a string" },
        { LINE("[{\"device\":\"a\",\"port\":1,\"pfc_sent\":[1]}]"),
          "ports[0]: 'pfc_sent' should be an array of 8" },
        { LINE("[],\"users\":{}"), "'users' should be an array" },
        { LINE("[],\"events\":[{\"event\":\"x\",\"time\":\"now\"}]"), "events[0]: 'time' should be" },
        { LINE("[],\"ports\":[]"), "not JSON: duplicate" },
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct frame *frame = NULL;
        struct frame_fault fault = { "" };
        cr_expect_lt(parse(cases[i].text, &frame, &fault), 0, "%s", cases[i].text);
        cr_expect_eq(strncmp(fault.what, cases[i].what, strlen(cases[i].what)), 0, "%s: %s", cases[i].text,
                     fault.what);
    }
}

Test(frame, events_are_taken_over_whole)
{
    struct frame *to = frame_new(), *from = frame_new();
    frame_add_event(from, &(struct event){ .kind = EVENT_PORT_STATE,
                                           .device = "mlx5_0",
                                           .port = num_of(1),
                                           .from = "ACTIVE",
                                           .to = "DOWN",
                                           .time_ms = 5 });
    frame_add_event(from, &(struct event){ .kind = EVENT_NETDEV_STATE, .netdev = "eth0", .to = "down" });
    frame_take_events(to, from);
    cr_assert_eq(from->nevents, 0);
    frame_take_events(to, from); /* nothing more */
    frame_free(from);
    cr_assert_eq(to->nevents, 2);
    cr_expect_str_eq(to->events[0].device, "mlx5_0");
    cr_expect(num_is(to->events[0].port, 1) && to->events[0].time_ms == 5);
    cr_expect(strstr(to->events[0].text, "ACTIVE") && strstr(to->events[0].text, "DOWN"));
    cr_expect_null(to->events[1].device);
    cr_expect_str_eq(to->events[1].text, "eth0 down");
    frame_free(to);
}

Test(frame, ports_by_name)
{
    struct frame_port ports[] = { { .device = "mlx5_0", .number = 1, .netdev = "rail0" },
                                  { .device = "mlx5_0", .number = 2, .netdev = "rail1" },
                                  { .device = "mlx5_10", .number = 1 } };
    static const struct {
        char name[16];
        size_t count;
    } cases[] = { { "mlx5_0", 2 }, { "mlx5_0/2", 1 }, { "mlx5_0:2", 1 }, { "rail[0-7]", 2 },
                  { "mlx5_*", 3 }, { "rail1", 1 },    { "none", 0 } };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct frame_port copy[3];
        memcpy(copy, ports, sizeof(ports));
        struct frame frame = { .ports = copy, .nports = 3 };
        char name[16], *names[] = { name };
        memcpy(name, cases[i].name, sizeof(name));
        frame_select(&frame, names, 1);
        cr_expect_eq(frame.nports, cases[i].count, "%s: %zu", cases[i].name, frame.nports);
    }
}
