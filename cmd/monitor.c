/* SPDX-License-Identifier: MIT */
/* roce monitor: what changes, as it changes. */
#include "source/monitor.h"
#include "base/clock.h"
#include "command/context.h"
#include "selftest/queues/wait.h"
#include "view/json.h"
#include "view/terminal.h"

enum { A_WHILE_MS = 1000 };

static void print_json(const struct event *event)
{
    json_t *line = json_envelope(NULL);
    json_put_time(line, "time", event->time_ms);
    json_put_text(line, "event", event_kind_name(event->kind));
    json_put_text(line, "device", event->device);
    json_put_num(line, "port", event->port);
    json_put_num(line, "index", event->index);
    json_put_text(line, "netdev", event->netdev);
    json_put_text(line, "from", event->from);
    json_put_text(line, "to", event->to);
    json_put_text(line, "note", event->note);
    json_print_line(line);
}

static enum tone tone_of(const struct event *event)
{
    switch (event->kind) {
    case EVENT_GAP:
        return TONE_WARN;
    case EVENT_DEVICE_REMOVED:
    case EVENT_GID_REMOVED:
    case EVENT_ADDRESS_REMOVED:
    case EVENT_NETDEV_REMOVED:
        return TONE_BAD;
    case EVENT_PORT_STATE:
        return text_is(event->to, "ACTIVE") ? TONE_GOOD : TONE_BAD;
    case EVENT_NETDEV_STATE:
        return text_is(event->to, "up") ? TONE_GOOD : TONE_BAD;
    default:
        return TONE_PLAIN;
    }
}

static void print_line(const struct event *event, bool color)
{
    char time[16];
    clock_day_text(event->time_ms, time);
    printf("%s.%03u  %s%-15s%s", time, (unsigned)(event->time_ms % 1000), tone_start(tone_of(event), color),
           event_kind_name(event->kind), tone_end(tone_of(event), color));
    struct bytes text = { 0 };
    event_describe(event, &text);
    char *clean = text_clean(text.data, TEXT_ONE_LINE);
    printf(" %s\n", clean);
    free(clean);
    bytes_free(&text);
    fflush(stdout);
}

static void print(void *data, const struct event *event)
{
    const struct look *look = data;
    if (look->json)
        print_json(event);
    else
        print_line(event, look->color);
}

static int watch(struct monitor *monitor, uint64_t seconds)
{
    uint64_t end = seconds ? clock_ms() + seconds * 1000 : UINT64_MAX;
    for (uint64_t now; !wait_interrupted() && !ferror(stdout) && (now = clock_ms()) < end;) {
        int r = monitor_wait(monitor, end - now < A_WHILE_MS ? (int)(end - now) : A_WHILE_MS);
        if (r < 0 && r != -EINTR)
            return r;
    }
    return 0;
}

COMMAND(monitor)
{
    const struct args *args = context->args;
    struct look look = args->look;
    struct monitor_options options = { .async = args_given(args, "async") };
    struct monitor *monitor;
    interrupts_end_cleanly();
    int r = monitor_open(context->source, &options, print, &look, &monitor);
    if (r == -EROFS)
        say_error("a recording does not change: monitor watches the live machine");
    else if (r < 0)
        say_error("cannot watch the machine: %s", say_errno(r));
    if (r < 0)
        return STATUS_ERROR;
    if (!args->look.json)
        say_note("watching; control-C ends it");
    r = watch(monitor, args_number(args, "seconds", 0));
    monitor_close(monitor);
    if (r < 0)
        say_error("cannot watch on: %s", say_errno(r));
    return r < 0 ? STATUS_ERROR : STATUS_OK;
}
