#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/mem.h"
#include "base/text.h"
#include "command/testing.h"
#include "model/counters.h"
#include "view/json.h"
#include "view/listing.h"
#include "view/terminal.h"

static const struct result *result_of(const void *row)
{
    return row;
}

#define GETTER(name, expression)                                                        \
    static struct value get_##name(const struct cell_context *context, const void *row) \
    {                                                                                   \
        (void)context;                                                                  \
        const struct result *r = result_of(row);                                        \
        return expression;                                                              \
    }

/* Three digits are all of a measurement that another one repeats. */
static struct value real(const struct cell_context *context, bool known, double number)
{
    if (!known)
        return (struct value){ 0 };
    if (!context->for_people)
        return (struct value){ .type = VALUE_REAL, .real = number };
    int digits = number < 10 ? 2 : number < 100 ? 1 : 0;
    return value_text(arena_printf(context->arena, "%.*f", digits, number));
}

static const enum tone tones[] = {
    [TEST_PASS] = TONE_GOOD, [TEST_WARN] = TONE_WARN, [TEST_FAIL] = TONE_BAD, [TEST_NA] = TONE_DIM
};

GETTER(device, value_text(r->device))
GETTER(port, r->port ? value_unsigned(r->port) : (struct value){ 0 })
GETTER(gid_index, value_num(r->gid_index))
GETTER(gid, value_text(r->gid))
GETTER(operation, value_text(r->operation))
GETTER(verdict, value_with_tone(value_text(test_verdict_text(r->verdict)), tones[r->verdict]))
GETTER(size_min, r->messages ? value_unsigned(r->size_min) : (struct value){ 0 })
GETTER(messages, value_unsigned(r->messages))
GETTER(lost, value_unsigned(r->lost))
GETTER(latency_min, real(context, r->latency.count, r->latency.min))
GETTER(latency_median, real(context, r->latency.count, r->latency.median))
GETTER(latency_mean, real(context, r->latency.count, r->latency.mean))
GETTER(latency_p99, real(context, r->latency.count, r->latency.p99))
GETTER(latency_p999, real(context, r->latency.count, r->latency.p999))
GETTER(latency_max, real(context, r->latency.count, r->latency.max))
GETTER(histogram, r->latency.count ? value_text(r->picture) : (struct value){ 0 })
GETTER(bandwidth, real(context, r->mbytes_per_second > 0, r->mbytes_per_second))
GETTER(rate, real(context, r->messages_per_second > 0, r->messages_per_second))

static const char *size_text(struct arena *arena, uint32_t size)
{
    if (size >= 1 << 20 && size % (1 << 20) == 0)
        return arena_printf(arena, "%u MiB", size >> 20);
    if (size >= 1024 && size % 1024 == 0)
        return arena_printf(arena, "%u KiB", size >> 10);
    return arena_printf(arena, "%u B", size);
}

static struct value get_size(const struct cell_context *context, const void *row)
{
    const struct result *r = result_of(row);
    if (r->size == 0)
        return (struct value){ 0 };
    if (!context->for_people)
        return value_unsigned(r->size);
    const char *text = size_text(context->arena, r->size);
    if (r->size_min != r->size)
        text = arena_printf(context->arena, "%s to %s", size_text(context->arena, r->size_min), text);
    return value_text(text);
}

static struct value get_note(const struct cell_context *context, const void *row)
{
    const struct result *r = result_of(row);
    if (*r->note)
        return value_text(r->note);
    if (r->verdict != TEST_FAIL)
        return (struct value){ 0 };
    struct diagnosis d;
    diagnose(&r->failure, &(struct facts){ 0 }, &d);
    return value_text(arena_strdup(context->arena, d.what));
}

static struct value get_step(const struct cell_context *context, const void *row)
{
    (void)context;
    const struct result *r = result_of(row);
    return r->failure.step ? value_text(step_text(r->failure.step)) : (struct value){ 0 };
}

static struct value get_error(const struct cell_context *context, const void *row)
{
    (void)context;
    const struct failure *f = &result_of(row)->failure;
    if (f->step == STEP_NONE)
        return (struct value){ 0 };
    return value_text(f->wc_status > 0 ? wc_name(f->wc_status) : f->err ? strerrorname_np(f->err) : NULL);
}

static struct value get_vendor_err(const struct cell_context *context, const void *row)
{
    (void)context;
    const struct failure *f = &result_of(row)->failure;
    return f->step && f->wc_status > 0 ? value_unsigned(f->vendor_err) : (struct value){ 0 };
}

const struct column testing_columns[] = {
    { "device", .help = "RDMA device", .get = get_device },
    { "port", .help = "port number, from 1", .get = get_port },
    { "gid_index", "gid", .help = "index of the GID that was used", .get = get_gid_index },
    { "gid", "address", .help = "its address", .flags = COLUMN_HIDDEN, .get = get_gid },
    { "operation", .help = "kind of queue pair, operation, and how", .flags = COLUMN_WHOLE,
      .get = get_operation },
    { "size_min", .help = "smallest message, bytes", .flags = COLUMN_JSON_ONLY, .get = get_size_min },
    { "size", .help = "bytes of a message: the largest, or the one that failed", .get = get_size },
    { "verdict", .help = "pass, warn, fail, or n/a when it can't be done here", .get = get_verdict },
    { "messages", .help = "messages that came through, all their bytes compared (measurements: counted)",
      .flags = COLUMN_HIDDEN, .get = get_messages },
    { "lost", .help = "messages that an unreliable transport lost and that were sent again",
      .flags = COLUMN_HIDDEN, .get = get_lost },
    { "latency_min_us", "min µs", .help = "latency, the least: half a round trip, or a whole request",
      .flags = COLUMN_HIDDEN | COLUMN_RIGHT, .get = get_latency_min },
    { "latency_median_us", "median µs", .help = "latency, the median", .flags = COLUMN_RIGHT,
      .get = get_latency_median },
    { "latency_mean_us", "mean µs", .help = "latency, the mean", .flags = COLUMN_HIDDEN,
      .get = get_latency_mean },
    { "latency_p99_us", "p99 µs", .help = "latency that 99% stay below", .flags = COLUMN_RIGHT,
      .get = get_latency_p99 },
    { "latency_p999_us", "p99.9 µs", .help = "latency that 99.9% stay below",
      .flags = COLUMN_HIDDEN | COLUMN_RIGHT, .get = get_latency_p999 },
    { "latency_max_us", "max µs", .help = "latency, the most", .flags = COLUMN_RIGHT, .rank = 2,
      .get = get_latency_max },
    { "histogram",
      .help = "how latencies are spread from the least to the 99.9th percentile, on a logarithmic scale",
      .rank = 3, .get = get_histogram },
    { "mbytes_per_second", "MB/s", .help = "bandwidth in 10^6 bytes per second", .flags = COLUMN_RIGHT,
      .get = get_bandwidth },
    { "messages_per_second", "messages/s", .help = "message rate", .rank = 4, .flags = COLUMN_HIDDEN,
      .get = get_rate },
    { "step", .help = "the step that failed", .flags = COLUMN_JSON_ONLY, .get = get_step },
    { "error", .help = "errno or completion status of it", .flags = COLUMN_JSON_ONLY, .get = get_error },
    { "vendor_err", .help = "the device's own code beside a completion status", .flags = COLUMN_JSON_ONLY,
      .get = get_vendor_err },
    { "note", .help = "why it failed or can't be done", .flags = COLUMN_CUT, .rank = 1, .get = get_note },
    { 0 },
};

/* -- tables ------------------------------------------------------------------------------------------------
 */

/* For people: what passed at one GID in one row. */
static void fold(const struct results *results, bool whole, struct results *folded)
{
    size_t passed = 0;
    for (size_t i = 0; i < results->count; i++) {
        const struct result *r = &results->items[i];
        struct result *last = folded->count ? &folded->items[folded->count - 1] : NULL;
        if (r->kind != 'v')
            continue;
        bool plain = r->verdict == TEST_PASS && r->messages && !*r->note && !whole;
        if (plain && last && passed && r->gid == last->gid) {
            last->messages += r->messages;
            last->size_min = r->size_min < last->size_min ? r->size_min : last->size_min;
            last->size = r->size > last->size ? r->size : last->size;
            snprintf(last->operation, sizeof(last->operation), "%zu operations", ++passed);
            continue;
        }
        *results_add(folded) = *r;
        passed = plain;
    }
}

static void print_some(const struct test_report *report, const struct results *results, const char *columns)
{
    struct column_set set;
    if (results->count && columns_choose(&set, testing_columns, columns, false) == 0)
        listing_table(report->context, &set, results->items, results->count, sizeof(*results->items));
}

static void print_tables(const struct test_report *report)
{
    struct results verified = { 0 }, measured = { 0 };
    fold(report->results, report->context->args->verbose > 0, &verified);
    for (size_t i = 0; i < report->results->count; i++)
        if (report->results->items[i].kind != 'v')
            *results_add(&measured) = report->results->items[i];
    print_some(report, &verified, "device,port,gid_index,operation,size,verdict,note");
    if (verified.count && measured.count)
        putchar('\n');
    print_some(report, &measured,
               "device,port,gid_index,operation,size,verdict,latency_median_us,latency_p99_us,latency_max_us,"
               "histogram,"
               "mbytes_per_second,note");
    free(verified.items);
    free(measured.items);
}

/* -- progress ----------------------------------------------------------------------------------------------
 */

static bool progress_shown;

void testing_progress(void *data, const char *text)
{
    (void)data;
    if (!terminal_is())
        return;
    size_t width = terminal_width();
    char *clean = text_clean(text, TEXT_ONE_LINE);
    printf("\r%.*s\033[K", (int)text_prefix(clean, width ? width - 1 : 79), clean);
    fflush(stdout);
    free(clean);
    progress_shown = true;
}

void testing_progress_end(void)
{
    if (progress_shown)
        fputs("\r\033[K", stdout);
    progress_shown = false;
}

/* -- what failed, and why ----------------------------------------------------------------------------------
 */

static void print_clean(const char *before, const char *text)
{
    char *clean = text_clean(text, TEXT_ONE_LINE);
    printf("%s%s\n", before, clean);
    free(clean);
}

static bool same_failure(const struct failure *a, const struct failure *b)
{
    return a->step == b->step && a->err == b->err && a->wc_status == b->wc_status && a->remote == b->remote;
}

static void explain(const struct result *result, const struct facts *facts, bool color)
{
    struct diagnosis d;
    diagnose(&result->failure, facts, &d);
    char place[160];
    if (result->gid_index.known)
        snprintf(place, sizeof(place), "%s/%u GID %u, %s", result->device, result->port,
                 (unsigned)result->gid_index.value, result->operation);
    else if (!result->device)
        snprintf(place, sizeof(place), "%s", result->operation);
    else
        snprintf(place, sizeof(place), "%s/%u, %s", result->device, result->port, result->operation);
    char *clean = text_clean(place, TEXT_ONE_LINE);
    printf("\n%s%s%s\n", tone_start(TONE_BOLD, color), clean, tone_end(TONE_BOLD, color));
    free(clean);
    print_clean("  ", d.what);
    if (d.meaning)
        printf("  %s\n", d.meaning);
    for (size_t i = 0; i < DIAGNOSIS_CAUSES && *d.causes[i]; i++)
        print_clean(i == 0 ? "  likely: " : "      or: ", d.causes[i]);
    if (d.checks)
        printf("  look at: roce doctor --only %s\n", d.checks);
}

static void print_failures(const struct test_report *report, bool color)
{
    const struct results *results = report->results;
    for (size_t i = 0; i < results->count; i++) {
        const struct result *r = &results->items[i];
        bool before = false;
        if (r->verdict != TEST_FAIL || r->failure.step == STEP_NONE)
            continue;
        for (size_t j = 0; j < i && !before; j++)
            before = results->items[j].verdict == TEST_FAIL &&
                     same_failure(&results->items[j].failure, &r->failure);
        if (!before)
            explain(r, &report->facts[i], color);
    }
}

static void print_growth(const struct test_report *report)
{
    for (size_t i = 0; i < report->ngrowths; i++) {
        const struct growth *g = &report->growths[i];
        if (g->counters.ncounters == 0)
            continue;
        char head[200];
        snprintf(head, sizeof(head), "%s/%u%s%s, counters that grew meanwhile:", g->device, g->port,
                 strcmp(g->host, "local") == 0 ? "" : " of ", strcmp(g->host, "local") == 0 ? "" : g->host);
        putchar('\n');
        print_clean("", head);
        for (uint32_t c = 0; c < g->counters.ncounters; c++) {
            char line[120];
            snprintf(line, sizeof(line), "%-28s +%" PRIu64, g->counters.counters[c].name,
                     g->counters.counters[c].delta);
            print_clean("  ", line);
        }
    }
}

static json_t *growth_json(const struct test_report *report)
{
    json_t *array = json_array();
    for (size_t i = 0; i < report->ngrowths; i++) {
        const struct growth *g = &report->growths[i];
        for (uint32_t c = 0; c < g->counters.ncounters; c++) {
            json_t *object = json_object();
            json_object_set_new(object, "host", json_text(g->host));
            json_object_set_new(object, "device", json_text(g->device));
            json_object_set_new(object, "port", json_integer(g->port));
            json_object_set_new(object, "name", json_text(g->counters.counters[c].name));
            json_object_set_new(object, "delta", json_integer((json_int_t)g->counters.counters[c].delta));
            json_array_append_new(array, object);
        }
    }
    return array;
}

static json_t *diagnosis_json(const struct failure *failure, const struct facts *facts)
{
    struct diagnosis d;
    diagnose(failure, facts, &d);
    json_t *object = json_object(), *causes = json_array();
    json_object_set_new(object, "what", json_text(d.what));
    json_object_set_new(object, "meaning", json_text(d.meaning));
    for (size_t i = 0; i < DIAGNOSIS_CAUSES && *d.causes[i]; i++)
        json_array_append_new(causes, json_text(d.causes[i]));
    json_object_set_new(object, "causes", causes);
    json_object_set_new(object, "checks", json_text(d.checks));
    return object;
}

static void print_json(const struct test_report *report)
{
    const struct results *results = report->results;
    json_t *top = json_envelope();
    json_t *rows = listing_json(report->context, testing_columns, results->items, results->count,
                                sizeof(*results->items));
    for (size_t i = 0; i < results->count; i++)
        json_object_set_new(json_array_get(rows, i), "diagnosis",
                            results->items[i].failure.step
                                ? diagnosis_json(&results->items[i].failure, &report->facts[i])
                                : json_null());
    json_object_set_new(top, "results", rows);
    json_object_set_new(top, "counters", growth_json(report));
    if (report->more)
        json_object_update(top, report->more);
    json_add_problems(top, report->context->host);
    json_print(top);
}

int testing_report(const struct test_report *report)
{
    const struct results *results = report->results;
    bool failed = false, done = false;
    testing_progress_end();
    for (size_t i = 0; i < results->count; i++) {
        failed |= results->items[i].verdict == TEST_FAIL;
        done |= results->items[i].messages > 0;
    }
    if (report->context->args->json && !report->context->args->columns) {
        print_json(report);
    } else if (!report->context->args->columns && results->count) {
        print_tables(report);
        print_failures(report, terminal_color(report->context->args));
        print_growth(report);
    } else {
        listing_print(
            report->context, results->items, results->count, sizeof(*results->items),
            "no active RoCE port with a usable GID: nothing to test; 'roce doctor' looks for the reason");
    }
    json_decref(report->more);
    return failed || !done ? STATUS_FOUND : STATUS_OK;
}

/* -- the host ----------------------------------------------------------------------------------------------
 */

const char *testing_node(const struct device *device)
{
    return device->uverbs.path;
}

void testing_facts(const struct host *host, const struct port *port, const struct gid *gid,
                   struct facts *facts)
{
    const struct netdev *netdev = port->netdev ? host_find_netdev(host, port->netdev) : NULL;
    const struct netdev *owner = gid && gid->netdev ? host_find_netdev(host, gid->netdev) : NULL;
    facts->soft = port->device->driver && strcmp(port->device->driver, "rxe") == 0;
    facts->port_down = port->state.known && port->state.value != PORT_STATE_ACTIVE;
    facts->bond_member = netdev && netdev->master && host_find_netdev(host, netdev->master) &&
                         host_find_netdev(host, netdev->master)->kind == NETDEV_BOND;
    facts->port_mtu = port->roce_mtu.known ? (uint32_t)port->roce_mtu.value : 0;
    if (!gid)
        return;
    facts->link_local = gid_is_link_local(gid->raw);
    facts->address_known = owner && owner->addresses_known;
    facts->address_gone = facts->address_known;
    for (size_t i = 0; facts->address_known && i < owner->naddresses; i++) {
        const struct address *a = &owner->addresses[i];
        size_t len = a->family == AF_INET ? 4 : 16;
        if (memcmp(a->peer, gid->raw + 16 - len, len) == 0 || memcmp(a->raw, gid->raw + 16 - len, len) == 0)
            facts->address_gone = false;
    }
}
