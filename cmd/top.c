/* SPDX-License-Identifier: MIT */
/* roce top: what happens on the ports, live. */
#include <poll.h>
#include <signal.h>

#include "command/context.h"
#include "command/top/top.h"
#include "selftest/queues/wait.h"
#include "source/source.h"
#include "view/screen.h"
#include "view/terminal.h"
#include "view/top/top.h"

static void on_signal(int number)
{
    (void)number;
    wait_interrupt();
}

/* A running top. */
struct run {
    struct context *context;
    struct feed *feed;
    struct record record;
};

static int wait_until_due(struct feed *feed)
{
    for (;;) {
        struct pollfd fds[FEED_FDS];
        int left = feed_wait_ms(feed);
        if (left == 0 || wait_interrupted())
            return 0;
        if (poll(fds, feed_fds(feed, fds), left < 1000 ? left : 1000) < 0 && errno != EINTR)
            return -errno;
        feed_hear(feed);
    }
}

/* Prints frames as plain lines, endlessly if count is 0. A frame without rates is only the base for the
 * next. */
static int print_frames(const struct run *run, uint64_t count)
{
    const struct look *look = &run->context->args->look;
    bool replay = feed_is_replay(run->feed);
    uint64_t shown = 0;
    while ((count == 0 || shown < count) && !wait_interrupted() && !ferror(stdout)) {
        struct frame *frame = NULL;
        struct look now = *look;
        if ((!replay || shown) && wait_until_due(run->feed) < 0)
            return STATUS_ERROR;
        if (wait_interrupted())
            break;
        if (feed_next(run->feed, &frame) < 0)
            return STATUS_ERROR;
        if (!frame)
            break;
        bool counts = replay || frame->seconds > 0;
        now.width = look->width ? terminal_width() : 0; /* the window may have been resized */
        if (counts)
            top_print(frame, &now, shown++ == 0);
        if (counts && shown == 1 && !frame->nports && !replay)
            say_note("no port to show: this machine shows no RDMA device");
        int r = record_add(&run->record, frame);
        frame_free(frame);
        if (r < 0)
            return STATUS_ERROR;
    }
    return STATUS_OK;
}

static bool is_plain(const struct args *args)
{
    const char *term = getenv("TERM");
    return args_given(args, "once") || args_given(args, "batch") || look_is_exact(&args->look) ||
           !terminal_is() || !term || !*term || strcmp(term, "dumb") == 0;
}

static void catch_signals(void)
{
    static const int ends[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
    struct sigaction action = { .sa_handler = on_signal };
    for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
        sigaction(ends[i], &action, NULL);
}

/* Full-screen if there is a terminal for it, else lines. */
static int show(const struct run *run, double interval, bool plain, uint64_t count)
{
    struct screen *screen = NULL;
    int r = plain ? -ENOTTY : screen_open(&screen, run->context->args->look.color);
    if (r == -ENOTSUP)
        say_note("$TERM '%s' is not a terminal known here: printing plain lines", getenv("TERM"));
    if (r < 0)
        return print_frames(run, count);
    return full_run(run->context, run->feed, &run->record, screen, interval) < 0 ? STATUS_ERROR : STATUS_OK;
}

static int run_with(struct context *context, const struct feed_options *feed_options, bool plain,
                    uint64_t count)
{
    struct run run = { .context = context, .record = { .path = args_value(context->args, "record") } };
    int status = STATUS_ERROR;
    catch_signals();
    if (record_open(&run.record) == 0 && feed_open(context, feed_options, &run.feed) == 0)
        status = show(&run, feed_options->interval, plain, count);
    feed_close(run.feed);
    return record_close(&run.record) < 0 ? STATUS_ERROR : status;
}

/* What is played, if anything is, and from when on. A recording of a machine does not change: what it holds of
 * its history is played. Returns 0, or -errno after saying why not. */
static int find_replay(struct context *context, struct feed_options *feed, struct history_place *place)
{
    const struct args *args = context->args;
    const char *at = args_value(args, "at");
    if (!args_given(args, "replay") && !at && !source_is_recording(context->source))
        return 0;
    int r = place_find(context, args_value(args, "replay"), place);
    feed->replay = place;
    return r == 0 && at ? option_time(args, "at", place->now_ms, &feed->at_ms) : r;
}

COMMAND(top)
{
    const struct args *args = context->args;
    struct history_place place;
    struct feed_options feed = { .interval = args_real(args, "interval", 1),
                                 .speed = args_real(args, "speed", 1) };
    if (args_given(args, "speed") && !args_given(args, "replay") && !args_given(args, "at"))
        return say_unable("--speed is of a replay: give --replay FILE or --at TIME, too");
    if (find_replay(context, &feed, &place) < 0)
        return STATUS_ERROR;
    bool plain = is_plain(args);
    if (!plain || args->look.json || args->look.format == FORMAT_JSON_LINES || args_given(args, "record"))
        feed.people = true;
    feed.verdicts = !plain || args_given(args, "record") || context->needs & NEED_VERDICT;
    return run_with(context, &feed, plain, args_number(args, "batch", 1));
}
