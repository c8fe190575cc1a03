/* SPDX-License-Identifier: MIT */
/* The full screen of top, without a terminal: grids, history, keys, pictures. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "model/frame.h"
#include "view/terminfo.h"
#include "view/top/paint.h"
#include "view/top/plain.h"
#include "view/top/rows.h"

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
    struct history *history = history_new();
    char *line = history_line(history, "mlx5_0", 1, 9);
    cr_expect_str_eq(line, "         ", "nothing is known of a port that isn't there");
    free(line);
    for (uint64_t second = 1000; second < 1180; second++) {
        struct frame *frame = make_frame(second, 1, second < 1090 ? 0 : 1e9);
        history_add(history, frame);
        frame_free(frame);
    }
    line = history_line(history, "mlx5_0", 1, 10);
    cr_expect_str_eq(line, "▁▁▁▁▁█████");
    free(line);
    line = history_line(history, NULL, 0, 10);
    cr_expect_str_eq(line, "▁▁▁▁▁█████", "all together");
    free(line);
    struct frame *frame = make_frame(1300, 1, 5e8); /* two minutes of nothing: a gap */
    history_add(history, frame);
    frame_free(frame);
    line = history_line(history, "mlx5_0", 1, 9);
    cr_expect_str_eq(line, "███     ▅");
    free(line);
    history_free(history);
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

Test(terminfo, usual_terminals_are_compiled_in)
{
    static const char *const names[] = { "xterm",         "xterm-256color", "screen",
                                         "tmux-256color", "linux",          "vt100" };
    for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
        const struct terminfo *own = terminfo_find(names[i]);
        cr_assert_not_null(own, "%s", names[i]);
        cr_expect_str_eq(own->name, names[i]);
        cr_expect(text_starts(own->entry, "b64:"));
    }
    cr_expect_str_eq(terminfo_find("xterm-ghostty")->name, "xterm-256color");
    cr_expect_str_eq(terminfo_find("foot-extra")->name, "xterm-256color");
    cr_expect_null(terminfo_find("nonsense"));
}
