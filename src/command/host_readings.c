/* SPDX-License-Identifier: MIT */
/* Reads a machine twice, or once and compares with what an earlier run kept. */
#include "command/host_readings.h"

#include "base/clock.h"
#include "command/history.h"
#include "view/terminal.h"

void checks_take_operands(const struct context *context, struct check_selection *selection)
{
    if (context->args->noperands)
        selection->named = &context->selection;
}

static int read_recorded_before(const char *path, needs_t needs, struct host_readings *moments)
{
    struct source *source = NULL;
    int r = machine_open(path, &source);
    if (r < 0)
        return r;
    r = host_read(source, needs, &moments->before);
    source_close(source);
    if (r < 0)
        machine_say_unread(path, r);
    return r;
}

static int read_host(struct source *source, needs_t needs, struct host **host)
{
    int r = host_read(source, needs, host);
    if (r < 0)
        machine_say_unread(NULL, r);
    return r;
}

/* Reads what the last run kept, and replaces it by this run's reading. An unusable state is no reason not to
 * check. */
static void read_state(struct context *context, const char *path, needs_t needs, struct host_readings *moments)
{
    struct state *state = NULL;
    int r = state_open(path, &state);
    if (r == 0)
        r = state_before(state, needs, &moments->before, &moments->interval_ms);
    if (r == 0)
        r = state_keep(state, context->source, needs);
    state_close(state);
    if (r == -EAGAIN)
        say_warning("--state: another roce has '%s'", path);
    else if (r < 0)
        say_warning("--state: cannot keep '%s': %s", path,
                    r == -EEXIST ? "it is there, and nothing that --state made: name another file"
                                 : say_errno(r));
}

/* Is it of this boot, and are both of the machine's own network? */
static bool is_comparable(const struct context *context, const struct kept_reading *kept,
                          const struct host *before)
{
    struct timespec up;
    struct host *now = NULL;
    if (source_is_recording(context->source))
        return true;
    clock_gettime(CLOCK_BOOTTIME, &up);
    uint64_t booted_ms = clock_utc_ms() - (uint64_t)up.tv_sec * 1000;
    bool same = kept->time_ms > booted_ms && host_read(context->source, NEED_CONTAINER, &now) == 0 &&
                before->system.first_netns == TRI_YES && now->system.first_netns == TRI_YES;
    host_free(now);
    return same;
}

/* The last reading of a recorder that runs here, or ran where the recording was made. */
static void read_kept(struct context *context, needs_t needs, struct host_readings *moments)
{
    enum { OLDEST_MS = 150 * 1000, LEAST_MS = 1000 };
    struct kept_readings kept = { 0 };
    struct history_place place;
    struct history_tally tally = { 0 };
    struct host *before = NULL;
    if (place_look(context, NULL, &place) < 0)
        return;
    const struct stretch_meant stretch = { place.now_ms - OLDEST_MS, place.now_ms - LEAST_MS };
    int r = place_tell(&place, &stretch, kept_readings_take, &kept, &tally);
    const struct kept_reading *last = kept.count && !kept.is_cut ? &kept.items[kept.count - 1] : NULL;
    if (r == 0 && last && kept_reading_host(last, needs | NEED_CONTAINER, &before) == 0 &&
        is_comparable(context, last, before)) {
        moments->before = before;
        moments->interval_ms = place.now_ms - last->time_ms;
    } else {
        host_free(before);
    }
    kept_readings_free(&kept);
    host_free(context->host); /* which held the place */
    context->host = NULL;
}

/* Reads the live machine twice, the checks' interval apart: counters first, then everything. Skips the interval
 * if there is no device, as nothing could count then. */
int host_readings_take(struct context *context, const struct check_selection *selection,
                       const struct host_readings_options *wishes, struct host_readings *moments)
{
    bool wants = check_wants_interval(selection) || wishes->whole;
    needs_t earlier = wishes->whole ? check_needs(selection) : check_interval_needs(selection);
    earlier &= ~NEED_LLDP; /* listened once */
    uint64_t start = clock_ms();
    int r = 0;
    if (wishes->state)
        read_state(context, wishes->state, check_interval_needs(NULL) | earlier, moments);
    else if (wishes->kept && wants && !wishes->before)
        read_kept(context, earlier & kept_readings_needs(NULL), moments);
    if (moments->before) {
        /* which is the earlier one */
    } else if (wishes->before && wants) {
        r = read_recorded_before(wishes->before, earlier, moments);
    } else if (wants && wishes->seconds && !source_is_recording(context->source)) {
        r = read_host(context->source, earlier, &moments->before);
        struct timespec pause = { .tv_sec = (time_t)wishes->seconds };
        while (r == 0 && moments->before->ndevices &&
               clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, &pause) == EINTR)
            ;
        moments->interval_ms = clock_ms() - start;
    }
    context->needs = check_needs(selection) | wishes->needs |
                     selection_needs(context->args->operands, context->args->noperands);
    r = r ? r : read_host(context->source, context->needs, &moments->host);
    progress_end();
    return r;
}
