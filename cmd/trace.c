/* SPDX-License-Identifier: MIT */
/* roce trace: what connections on this host do, live, and why they fail. */
#include "base/clock.h"
#include "command/trace_feed.h"
#include "selftest/queues/wait.h"
#include "source/recording/recording.h"

enum { A_WHILE_MS = 50, A_MOMENT_MS = 1000 };

/* What is shown, and how. */
struct showing {
    const struct args *args;
    bool failures, is_address, failed, told;
    const char *device;           /* NULL: any */
    struct trace_address address; /* port 0: any */
    uint64_t pid;
    const char *comm;
    size_t nrecordings; /* the first operands */
};

static bool has_address(const struct showing *showing, const struct trace_address *address)
{
    return address->known && memcmp(address->raw, showing->address.raw, sizeof(address->raw)) == 0 &&
           (!showing->address.port || showing->address.port == address->port);
}

static bool is_wanted(const struct showing *showing, const struct trace_shown *shown)
{
    const struct trace_step *step = shown->step;
    if (step->kind == STEP_OF_GAP || (step->kind == STEP_OF_COUNTERS && showing->told && !showing->device))
        return true;
    return !(showing->failures && ((step->kind < STEP_OF_UNKNOWN && !shown->nlog) || shown->arose)) &&
           !(showing->pid && !num_is(step->pid, showing->pid)) &&
           !(showing->comm && !text_matches(showing->comm, step->name)) &&
           !(showing->device && !text_matches(showing->device, step->device)) &&
           !(showing->is_address && !has_address(showing, &step->from) && !has_address(showing, &step->to));
}

static void show_step(void *data, const struct trace_shown *shown)
{
    struct showing *showing = data;
    const struct look *look = &showing->args->look;
    bool start = shown->step->kind == STEP_OF_START;
    if (start ? !look->json : !is_wanted(showing, shown))
        return;
    showing->failed |= trace_is_failure(shown);
    showing->told |= !start;
    if (look->json)
        json_print_line(trace_step_json(shown));
    else
        trace_step_print(shown, look->color, look->width);
}

/* ADDRESS[:PORT], [ADDRESS]:PORT, or else a device. */
static bool parse_address(const char *text, struct trace_address *address)
{
    char with_port[TRACE_ADDRESS_SIZE];
    if (trace_address_parse(text, address))
        return true;
    snprintf(with_port, sizeof(with_port), strchr(text, ':') ? "[%s]:0" : "%s:0", text);
    return trace_address_parse(with_port, address);
}

/* Names of files are recordings, which are put first; the other one is what to show. No device has a name with
 * one of these in it, so that a file that isn't there is missed. */
static int read_operands(const struct args *args, struct showing *showing)
{
    const char *operand = NULL;
    for (size_t i = 0; i < args->noperands; i++) {
        char *one = args->operands[i];
        if (!parse_address(one, &showing->address) && (strpbrk(one, "/.") || access(one, F_OK) == 0))
            args->operands[showing->nrecordings++] = one;
        else if (operand)
            return say_invalid("trace takes one device or address; '%s' is no recording", one);
        else
            operand = one;
    }
    if (showing->nrecordings && args->root)
        return say_invalid("name each recording in the same way: without --root");
    showing->is_address = operand && parse_address(operand, &showing->address);
    showing->device = showing->is_address ? NULL : operand;
    return 0;
}

static int read_options(const struct args *args, struct showing *showing)
{
    showing->args = args;
    showing->failures = args_given(args, "failures");
    showing->pid = args_number(args, "pid", 0);
    showing->comm = args_value(args, "comm");
    return read_operands(args, showing);
}

static int64_t left_ms(uint64_t begin, uint64_t seconds)
{
    return seconds ? (int64_t)(seconds * 1000) - (int64_t)(clock_ms() - begin) : A_MOMENT_MS;
}

/* Until its module is loaded, there is nothing to hear. */
static int open_when_there(struct context *context, const struct trace_seer *seer, uint64_t begin,
                           struct trace_feed **feed)
{
    const struct args *args = context->args;
    const struct trace_wish wish = { .records = args_given(args, "record"),
                                     .queue_pairs = args_given(args, "queue-pairs"),
                                     .behind = true,
                                     .lists = !args_given(args, "record") && !args_given(args, "failures") };
    uint64_t seconds = args_number(context->args, "for", 0);
    bool told = false;
    int r;
    while ((r = trace_feed_open(context, seer, &wish, feed)) == -ENOENT && !wait_interrupted() &&
           left_ms(begin, seconds) > 0) {
        if (!told)
            say_warning("module rdma_cm is not loaded, so nothing can connect by RDMA_CM yet: waiting for it");
        told = true;
        struct timespec moment = { .tv_sec = A_MOMENT_MS / 1000 };
        nanosleep(&moment, NULL);
    }
    return r;
}

static int watch(struct context *context, const struct trace_seer *seer)
{
    const struct args *args = context->args;
    const char *path = args_value(args, "record");
    uint64_t begin = clock_ms(), seconds = args_number(args, "for", 0);
    struct trace_feed *feed = NULL;
    int r = path ? recording_check_new(path) : 0;
    if (r < 0) {
        say_error("cannot record into '%s': %s", path, say_errno(r));
        return r;
    }
    r = open_when_there(context, seer, begin, &feed);
    if (r < 0)
        return r == -ENOENT ? 0 : r;
    if (!args->look.json)
        say_note("watching; control-C ends it");
    while (r == 0 && !wait_interrupted() && !ferror(stdout) && left_ms(begin, seconds) > 0) {
        r = trace_feed_wait(feed, A_WHILE_MS);
        r = r == -EINTR ? 0 : r;
        fflush(stdout);
    }
    if (r < 0)
        say_error("cannot watch on: %s", say_errno(r));
    else
        r = trace_feed_end(feed, path);
    trace_feed_close(feed);
    return r;
}

COMMAND(trace)
{
    struct showing showing = { 0 };
    struct trace_seer seer = { show_step, &showing };
    if (read_options(context->args, &showing) < 0)
        return STATUS_ERROR;
    interrupts_end_cleanly();
    int r = showing.nrecordings                    ? trace_exchange(context, showing.nrecordings, &seer)
            : source_is_recording(context->source) ? trace_feed_replay(context, &seer, NULL)
                                                   : watch(context, &seer);
    if (r == 0 && !showing.told)
        say_note("nothing of what was asked for was seen");
    return r < 0 ? STATUS_ERROR : showing.failed ? STATUS_FOUND : STATUS_OK;
}
