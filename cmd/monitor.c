/* SPDX-License-Identifier: MIT */
/* roce monitor: what changes, as it changes. */
#include "source/monitor.h"
#include "base/clock.h"
#include "command/context.h"
#include "selftest/queues/wait.h"
#include "view/json.h"
#include "view/terminal.h"

enum { A_WHILE_MS = 1000 };

static void format_time(const struct timespec *time, char *text, size_t size)
{
    struct tm tm;
    char clock[16];
    strftime(clock, sizeof(clock), "%H:%M:%S", localtime_r(&time->tv_sec, &tm));
    snprintf(text, size, "%s.%03ld", clock, time->tv_nsec / 1000000);
}

static void put_unless_empty(json_t *line, const char *key, const char *text)
{
    json_put_text(line, key, *text ? text : NULL);
}

static void print_json(const struct event *event)
{
    char time[CLOCK_TEXT_SIZE];
    clock_utc_text((uint64_t)event->time.tv_sec * 1000 + (uint64_t)event->time.tv_nsec / 1000000, time);
    json_t *line = json_envelope(NULL);
    json_put_text(line, "time", time);
    json_put_text(line, "event", event_kind_name(event->kind));
    put_unless_empty(line, "device", event->device);
    json_put_num(line, "port", event->port);
    json_put_num(line, "index", event->index);
    put_unless_empty(line, "netdev", event->netdev);
    put_unless_empty(line, "from", event->from);
    put_unless_empty(line, "to", event->to);
    put_unless_empty(line, "note", event->note);
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
        return strcmp(event->to, "ACTIVE") == 0 ? TONE_GOOD : TONE_BAD;
    case EVENT_NETDEV_STATE:
        return strcmp(event->to, "up") == 0 ? TONE_GOOD : TONE_BAD;
    default:
        return TONE_PLAIN;
    }
}

static void print_line(const struct event *event, bool color)
{
    char time[80];
    format_time(&event->time, time, sizeof(time));
    printf("%s  %s%-15s%s", time, tone_start(tone_of(event), color), event_kind_name(event->kind),
           tone_end(tone_of(event), color));
    struct bytes text = { 0 };
    event_describe(event, &text);
    char *clean = text_clean(text.data, TEXT_ONE_LINE);
    printf(" %s\n", clean);
    free(clean);
    bytes_free(&text);
    fflush(stdout);
}

struct printing {
    bool json, color;
};

static void print(void *data, const struct event *event)
{
    const struct printing *printing = data;
    if (printing->json)
        print_json(event);
    else
        print_line(event, printing->color);
}

static int watch(struct monitor *monitor, uint64_t seconds)
{
    struct timespec start, now;
    clock_gettime(CLOCK_MONOTONIC, &start);
    while (!wait_interrupted() && !ferror(stdout)) {
        clock_gettime(CLOCK_MONOTONIC, &now);
        int64_t left = A_WHILE_MS;
        if (seconds) {
            left = ((int64_t)seconds - (now.tv_sec - start.tv_sec)) * 1000 -
                   (now.tv_nsec - start.tv_nsec) / 1000000;
            if (left <= 0)
                break;
        }
        int r = monitor_wait(monitor, left < A_WHILE_MS ? (int)left : A_WHILE_MS);
        if (r < 0 && r != -EINTR)
            return r;
    }
    return 0;
}

COMMAND(monitor)
{
    const struct args *args = context->args;
    struct printing printing = { .json = args->look.json, .color = args->look.color };
    struct monitor_options options = { .async = args_given(args, "async") };
    struct monitor *monitor;
    interrupts_end_cleanly();
    int r = monitor_open(context->source, &options, print, &printing, &monitor);
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
