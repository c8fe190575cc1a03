/* SPDX-License-Identifier: MIT */
/* The loop of roce top on a terminal: frames and keys in, pictures out. */
#include "command/top/top.h"

#include <poll.h>

#include "base/glyph.h"
#include "command/trace_feed.h"
#include "selftest/queues/wait.h"
#include "view/top/top.h"

/* How often to look for changes that aren't announced, among them what is traced, whose rings are small. */
enum { A_WHILE_MS = 1000, TRACED_MS = 200 };

struct full {
    struct feed *feed;
    const struct record *record;
    struct screen *screen;
    struct top_state state;
    bool dirty;
    struct context *context;
    struct bytes said;        /* messages would spoil the screen */
    struct trace_feed *trace; /* while more of a port is shown, where that is permitted */
    bool traces;              /* that was tried */
};

static void show(struct full *full)
{
    struct grid grid;
    size_t width, height;
    screen_size(full->screen, &width, &height);
    grid_make(&grid, width, height, glyph_is_ascii());
    top_paint(&grid, &full->state);
    screen_show(full->screen, &grid, full->state.palette);
    grid_free(&grid);
    full->dirty = false;
}

static int take_frame(struct full *full)
{
    struct frame *frame = NULL;
    int r = feed_next(full->feed, &frame);
    if (r < 0)
        return r;
    full->dirty = true;
    if (!frame) {
        full->state.ended = true;
        return 0;
    }
    r = record_add(full->record, frame);
    top_state_take(&full->state, frame);
    return r;
}

static void take_keys(struct full *full)
{
    double interval = full->state.interval;
    for (int key; (key = screen_key(full->screen)) != PRESSED_NONE;) {
        if (key != PRESSED_RESIZE)
            top_state_key(&full->state, key);
        full->dirty = true;
    }
    if (full->state.interval < interval || full->state.interval > interval)
        feed_set_interval(full->feed, full->state.interval);
    const struct frame_port *selected = top_state_selected(&full->state);
    feed_look_at(full->feed, selected ? selected->device : NULL);
}

static void see_step(void *data, const struct trace_shown *shown)
{
    struct full *full = data;
    if (!trace_is_failure(shown))
        return;
    top_state_fail(&full->state, shown);
    full->dirty = true;
}

/* What isn't shown costs nothing, and where it can't be, nothing is said. */
static void follow_failures(struct full *full)
{
    bool shown = full->state.detail && !full->state.replay;
    size_t said = full->said.len;
    if (shown && !full->traces)
        (void)trace_feed_open(full->context, &(struct trace_seer){ see_step, full },
                              &(struct trace_wish){ .bare = true }, &full->trace);
    else if (full->trace && shown)
        (void)trace_feed_wait(full->trace, 0);
    full->traces = shown;
    if (full->said.len > said)
        full->said.data[full->said.len = said] = '\0';
    if (shown)
        return;
    trace_feed_close(full->trace);
    full->trace = NULL;
}

/* A replay that is paused or over has no more frames; a live machine is still read while paused. */
static bool expects_frame(const struct full *full)
{
    return !(feed_is_replay(full->feed) && (full->state.paused || full->state.ended));
}

/* -EIO if the terminal is gone. */
static int wait_for_any(const struct full *full)
{
    struct pollfd fds[FEED_FDS + 1] = { { .fd = screen_fd(full->screen), .events = POLLIN } };
    size_t count = 1 + feed_fds(full->feed, fds + 1);
    int left = expects_frame(full) ? feed_wait_ms(full->feed) : A_WHILE_MS;
    int most = full->trace ? TRACED_MS : A_WHILE_MS;
    if (poll(fds, count, left < most ? left : most) < 0 && errno != EINTR)
        return -errno;
    return fds[0].revents & (POLLHUP | POLLERR | POLLNVAL) ? -EIO : 0;
}

static int loop(struct full *full)
{
    int r = 0;
    while (r == 0 && !wait_interrupted() && !full->state.quit) {
        if (expects_frame(full) && feed_wait_ms(full->feed) == 0)
            r = take_frame(full);
        take_keys(full);
        if (full->dirty && r == 0)
            show(full);
        if (r == 0 && !full->state.quit)
            r = wait_for_any(full);
        feed_hear(full->feed);
        follow_failures(full);
    }
    trace_feed_close(full->trace);
    return r;
}

int full_run(struct context *context, struct feed *feed, const struct record *record, struct screen *screen,
             double interval)
{
    const struct look *look = &context->args->look;
    struct full full = { .feed = feed, .record = record, .screen = screen, .dirty = true, .context = context };
    top_state_make(&full.state, look->filter, look->sort);
    full.state.interval = interval;
    full.state.replay = feed_is_replay(feed);
    full.state.deaf = feed_deaf(feed);
    say_into(&full.said);
    int r = loop(&full);
    say_into(NULL);
    screen_close(screen);
    if (full.said.len && r < 0)
        say_raw("%s\n", full.said.data);
    bytes_free(&full.said);
    top_state_free(&full.state);
    return r;
}
