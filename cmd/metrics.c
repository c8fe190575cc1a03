/* SPDX-License-Identifier: MIT */
/* roce metrics: metrics for Prometheus and the like, to stdout, to a file, or for one HTTP request. */
#include <poll.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "command/host_readings.h"
#include "source/recording/recording.h"
#include "view/json.h"
#include "view/listing.h"
#include "view/metrics/metrics.h"

/* -- what is asked for ------------------------------------------------------------------------------------ */

static bool for_node_exporter(const struct args *args)
{
    return text_is(args_value(args, "names"), "node-exporter");
}

static int list_error(const char *option, const char *list)
{
    char word[128];
    if (!metrics_list_unknown(list, word))
        return 0;
    const char *nearest = text_nearest(word, metrics_count(), metrics_name_at, NULL); /* without "roce_" */
    if (nearest)
        return say_invalid("--%s: no family is called '%s'; did you mean '%s'?", option, word, nearest);
    return say_invalid("--%s: no family is called '%s'; 'roce metrics --list' shows them", option, word);
}

static int make_choice(const struct args *args, struct metrics_choice *choice)
{
    *choice = (struct metrics_choice){ .only = args_value(args, "only"), .skip = args_value(args, "skip") };
    for (const struct metrics_option *option = metrics_options; option->name; option++)
        if (args_given(args, option->name))
            choice->with |= option->with;
    int r = list_error("only", choice->only);
    r = r ? r : list_error("skip", choice->skip);
    if (r == 0 && text_list_is_empty(choice->only))
        r = say_invalid("--only names no family; 'roce metrics --list' shows them");
    char word[128];
    const char *lacks = r ? NULL : metrics_list_lacks(choice, choice->only, word);
    return lacks ? say_invalid("--only: '%s' is printed with --%s", word, lacks) : r;
}

/* Options that exclude each other. */
static int options_error(const struct args *args)
{
    static const struct {
        const char *one, *other, *why;
    } pairs[] = {
        { "http", "output", "--http answers a client, --output writes a file: give one" },
        { "http", "openmetrics", "--http prints what the client asks for: leave --openmetrics out" },
        { "state", "interval", "--state is an earlier reading: leave --interval out" },
    };
    for (size_t i = 0; i < ARRAY_SIZE(pairs); i++)
        if (args_given(args, pairs[i].one) && args_given(args, pairs[i].other))
            return say_invalid("%s", pairs[i].why);
    if (args->look.json && !args_given(args, "list"))
        return say_invalid(
            "metrics have formats of their own: leave --json out; 'roce -j counters' has the counters");
    const char *output = args_value(args, "output");
    if (output && text_ends(output, ".prom") && args_given(args, "openmetrics"))
        return say_invalid(
            "--openmetrics: node_exporter reads no OpenMetrics from a .prom file, and refuses the whole of it");
    for (const struct metrics_option *option = metrics_options; option->name && for_node_exporter(args);
         option++)
        if (args_given(args, option->name))
            return say_invalid("--names node-exporter has nothing for --%s: leave one out", option->name);
    if (for_node_exporter(args) && (args_given(args, "only") || args_given(args, "skip")))
        return say_invalid(
            "--names node-exporter prints all that node_exporter does: leave --only and --skip out");
    return 0;
}

/* -- making the page -------------------------------------------------------------------------------------- */

struct moment {
    struct host_readings moments;
    struct check_selection checks;
    struct num microseconds; /* spent reading it */
};

static int read_moment(struct context *context, const struct metrics_choice *choice, struct moment *moment)
{
    const struct args *args = context->args;
    struct host_readings_options wishes = { .state = args_value(args, "state"),
                                            .seconds = args_number(args, "interval", 1) };
    checks_take_operands(context, &moment->checks);
    wishes.needs = for_node_exporter(args) ? NODE_EXPORTER_NEEDS : metrics_needs(choice);
    uint64_t start = clock_us();
    int r = 0;
    if (choice->with & WITH_CHECKS) {
        r = host_readings_take(context, &moment->checks, &wishes, &moment->moments);
        context->host = moment->moments.host; /* main frees it */
    } else {
        r = context_read(context, wishes.needs);
    }
    moment->microseconds = num_if(!source_is_recording(context->source), clock_us() - start);
    return r < 0 ? r : context_select(context, args->operands, args->noperands);
}

static void write_page(const struct context *context, const struct metrics_choice *choice,
                       const struct moment *moment, struct exposition *page)
{
    struct arena *arena = arena_new();
    struct report report;
    struct metrics metrics = { .host = context->host,
                               .selection = &context->selection,
                               .microseconds = moment->microseconds };
    if (choice->with & WITH_CHECKS) {
        report = check_run(context->host, moment->moments.before, moment->moments.interval_ms, &moment->checks,
                           arena);
        metrics.report = &report;
    }
    if (for_node_exporter(context->args))
        metrics_write_as_node_exporter(&metrics, page);
    else
        metrics_write(&metrics, choice, page);
    arena_free(arena);
}

/* Returns 0, or -errno after saying what is wrong. */
static int make_page(struct context *context, const struct metrics_choice *choice, struct exposition *page)
{
    struct moment moment = { 0 };
    int r = read_moment(context, choice, &moment);
    if (r == 0)
        write_page(context, choice, &moment, page);
    host_free(moment.moments.before);
    return r;
}

/* -- HTTP ------------------------------------------------------------------------------------------------- */

enum { READ_MS = 5000, WRITE_MS = 10000, LINGER_MS = 500, LINGER_BYTES = 65536, PIECE = 4096 };

/* Returns false if the deadline passes first. */
static bool wait_for(int fd, short events, uint64_t deadline)
{
    struct pollfd poll_fd = { .fd = fd, .events = events };
    int n;
    do {
        uint64_t now = clock_ms();
        n = now < deadline ? poll(&poll_fd, 1, (int)(deadline - now)) : 0;
    } while (n < 0 && errno == EINTR);
    return n > 0;
}

/* Reads the head of a request. Returns 200, 400, 408 or 431 if it doesn't come whole, or 0 if nothing comes. */
static unsigned read_head(char head[static HTTP_HEAD_MOST], size_t *len)
{
    uint64_t deadline = clock_ms() + READ_MS;
    *len = 0;
    for (;;) {
        if (*len == HTTP_HEAD_MOST)
            return 431;
        if (!wait_for(STDIN_FILENO, POLLIN, deadline))
            return 408;
        ssize_t n = read(STDIN_FILENO, head + *len, HTTP_HEAD_MOST - *len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return *len ? 400 : 0;
        *len += (size_t)n;
        if (http_head_length(head, *len))
            return 200;
    }
}

/* A client that doesn't read must not keep the process alive. */
static int write_all(const struct bytes *answer)
{
    uint64_t deadline = clock_ms() + WRITE_MS;
    for (size_t done = 0; done < answer->len;) {
        size_t len = answer->len - done < PIECE ? answer->len - done : PIECE;
        if (!wait_for(STDOUT_FILENO, POLLOUT, deadline))
            return -ETIMEDOUT;
        ssize_t n = send(STDOUT_FILENO, answer->data + done, len, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (n < 0 && errno == ENOTSOCK)
            n = write(STDOUT_FILENO, answer->data + done, len);
        if (n < 0 && errno != EINTR && errno != EAGAIN)
            return -errno;
        done += n < 0 ? 0 : (size_t)n;
    }
    return 0;
}

/* Reads what the client still sends: closing the socket before that would discard the answer. */
static void linger(void)
{
    char rest[PIECE];
    uint64_t deadline = clock_ms() + LINGER_MS;
    if (shutdown(STDOUT_FILENO, SHUT_WR) < 0)
        return;
    for (size_t taken = 0; taken < LINGER_BYTES && wait_for(STDIN_FILENO, POLLIN, deadline);) {
        ssize_t n = read(STDIN_FILENO, rest, sizeof(rest));
        if (n <= 0)
            return;
        taken += (size_t)n;
    }
}

static int serve(struct context *context, const struct metrics_choice *choice)
{
    char head[HTTP_HEAD_MOST];
    struct exposition page = { 0 };
    struct bytes answer = { 0 };
    size_t len;
    unsigned status = read_head(head, &len);
    if (!status)
        return STATUS_OK; /* a port scanner, or a health check of a load balancer */
    struct http_request request = { .status = status };
    if (status == 200)
        request = http_parse(head, http_head_length(head, len));
    page.openmetrics = request.openmetrics;
    bool failed = request.status == 200 && make_page(context, choice, &page) < 0;
    if (failed)
        request.status = 500;
    http_answer(&answer, &request, &page.out);
    int r = write_all(&answer);
    if (r == 0)
        linger();
    problems_say(context->host);
    bytes_free(&answer);
    bytes_free(&page.out);
    return failed ? STATUS_ERROR : STATUS_OK;
}

/* -- the list --------------------------------------------------------------------------------------------- */

static struct value get_type(const void *row)
{
    return value_text(metric_type_name(((const struct metrics_row *)row)->type));
}

const struct column metrics_list_columns[] = { METRICS_LIST_COLUMNS };

static int print_list(const struct context *context)
{
    struct arena *arena = arena_new();
    size_t count;
    const struct metrics_row *rows = metrics_rows(arena, &count);
    listing_print(&context->args->look, LISTING(NULL, metrics_list_columns, rows, count), "families", NULL);
    arena_free(arena);
    return STATUS_OK;
}

/* -- the command ------------------------------------------------------------------------------------------ */

static int write_out(const struct context *context, const struct exposition *page)
{
    const char *output = args_value(context->args, "output");
    if (!output) {
        fwrite(page->out.data, 1, page->out.len, stdout);
        return STATUS_OK;
    }
    int r = file_replace(output, &page->out);
    if (r == 0)
        return STATUS_OK;
    if (r == -EEXIST)
        return say_unable("cannot write '%s': it is there, and no regular file", output);
    return say_unable("cannot write '%s': %s", output, say_errno(r));
}

COMMAND(metrics)
{
    const struct args *args = context->args;
    struct metrics_choice choice;
    struct exposition page = { .openmetrics = args_given(args, "openmetrics") };
    if (options_error(args) < 0 || make_choice(args, &choice) < 0)
        return STATUS_ERROR;
    if (args_given(args, "list"))
        return print_list(context);
    if (args_given(args, "http"))
        return serve(context, &choice);
    int status = make_page(context, &choice, &page) < 0 ? STATUS_ERROR : write_out(context, &page);
    problems_say(context->host);
    bytes_free(&page.out);
    return status;
}
