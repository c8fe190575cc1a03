/* SPDX-License-Identifier: MIT */
/* Tracepoints: formats of four kernels, perf's rings, and what follows from recorded streams. */
#include <criterion/criterion.h>
#include <linux/perf_event.h>
#include <sys/socket.h>

#include "check/check.h"
#include "command/trace_feed.h"
#include "source/anonymise/anonymise.h"
#include "source/tracing.h"
#include "trace/trace.h"

/* -- streams --------------------------------------------------------------------------------------------- */

/* "request-sent cmt[164] 10.0.0.1:39564 10.0.0.2:7000 …" */
static void describe(void *data, const struct trace_step *step)
{
    struct bytes *text = data;
    char from[TRACE_ADDRESS_SIZE], to[TRACE_ADDRESS_SIZE];
    trace_address_format(&step->from, from);
    trace_address_format(&step->to, to);
    bytes_printf(text, "> %s %s", trace_step_name(step->kind), *step->name ? step->name : "?");
    if (step->pid.known)
        bytes_printf(text, "[%u]", (unsigned)step->pid.value);
    if (*from || *to)
        bytes_printf(text, " %s>%s", from, to);
    if (*step->device)
        bytes_printf(text, " %s", step->device);
    if (step->event.known)
        bytes_printf(text, " event %u", (unsigned)step->event.value);
    if (step->status.known)
        bytes_printf(text, " status %d", (int)step->status.value);
    if (step->tries.known)
        bytes_printf(text, " try %u/%u", (unsigned)step->tries.value, (unsigned)step->tries_most.value);
    if (step->took_us.known)
        bytes_printf(text, " %u ms", (unsigned)(step->took_us.value / 1000));
    bytes_printf(text, "%s%s%s\n", step->taken ? " taken" : "", step->by_peer ? " by-peer" : "",
                 step->in_kernel ? " kernel" : "");
}

/* A section of the file: "== NAME", lines of the stream, and the steps that are to follow from them. */
struct section {
    char name[80];
    struct bytes expected, got;
    struct tracer *tracer;
    uint64_t time_us;
};

static void end(struct section *section)
{
    if (section->tracer) {
        tracer_tick(section->tracer, section->time_us + 1000000);
        tracer_free(section->tracer);
        cr_assert_str_eq(section->got.data, section->expected.data, "== %s\nexpected:\n%sgot:\n%s",
                         section->name, section->expected.data, section->got.data);
    }
    bytes_free(&section->expected);
    bytes_free(&section->got);
}

static void begin(struct section *section, const char *name)
{
    *section = (struct section){ .time_us = 0 };
    snprintf(section->name, sizeof(section->name), "%.*s", (int)strcspn(name, "\n"), name);
    bytes_append(&section->expected, "", 0);
    bytes_append(&section->got, "", 0);
    section->tracer = tracer_new(describe, &section->got);
}

Test(trace, each_stream_gives_its_steps)
{
    FILE *file = fopen("tests/unit/traces.txt", "re");
    cr_assert(file);
    struct section section = { .time_us = 0 };
    struct trace_line line;
    char text[1024];
    size_t sections = 0;
    while (fgets(text, sizeof(text), file)) {
        if (text_starts(text, "== ")) {
            end(&section);
            begin(&section, text + 3);
            sections++;
        } else if (*text == '>') {
            bytes_printf(&section.expected, "%s", text);
        } else if (*text == '{') {
            cr_assert_eq(trace_line_parse(text, strcspn(text, "\n"), &line), 0, "%s", text);
            section.time_us = line.time_us;
            tracer_take(section.tracer, &line);
        }
    }
    end(&section);
    fclose(file);
    cr_assert_gt(sections, 40);
}

Test(trace, a_line_is_written_as_it_is_read)
{
    FILE *file = fopen("tests/unit/traces.txt", "re");
    cr_assert(file);
    struct trace_line line;
    char text[1024];
    size_t lines = 0;
    while (fgets(text, sizeof(text), file)) {
        struct bytes again = { 0 }, once_more = { 0 };
        if (*text != '{')
            continue;
        cr_assert_eq(trace_line_parse(text, strlen(text), &line), 0, "%s", text);
        trace_line_write(&line, &again);
        cr_assert_eq(trace_line_parse(again.data, again.len, &line), 0);
        trace_line_write(&line, &once_more);
        cr_assert_str_eq(again.data, once_more.data);
        bytes_free(&again);
        bytes_free(&once_more);
        lines++;
    }
    fclose(file);
    cr_assert_gt(lines, 600);
}

/* Only what a call returns may be below 0. */
Test(trace, numbers_below_0_are_not_known)
{
    static const char text[] =
        "{\"t\":1,\"point\":\"modify_qp\",\"mask\":-1,\"took\":-5,\"qp_num\":-7,\"tos\":-1,"
        "\"local_id\":-9223372036854775808,\"status\":-22}";
    struct trace_line line;
    cr_assert_eq(trace_line_parse(text, strlen(text), &line), 0);
    cr_expect_eq(line.event.known, 1u << TRACE_STATUS);
    cr_expect_eq(line.event.numbers[TRACE_STATUS], -22);
}

Test(trace, lines_that_are_none)
{
    static const char *const bad[] = { "",
                                       "[]",
                                       "{}",
                                       "{\"t\":1}",
                                       "{\"t\":-1,\"lost\":2}",
                                       "{\"t\":1,\"lost\":-2}",
                                       "{\"t\":1,\"point\":\"none\"}",
                                       "{\"t\":1,\"release\":\"6.1\"}",
                                       "{\"t\":\"1\",\"lost\":2}" };
    struct trace_line line;
    for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
        cr_assert_eq(trace_line_parse(bad[i], strlen(bad[i]), &line), -EBADMSG, "%s", bad[i]);
}

/* -- formats --------------------------------------------------------------------------------------------- */

#define COMMON                                                                     \
    "name: x\nID: 1421\nformat:\n"                                                 \
    "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"         \
    "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"         \
    "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n" \
    "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

static struct trace_format parsed(const char *text)
{
    struct trace_format format;
    cr_assert_eq(trace_format_parse(text, strlen(text), &format), 0, "%s", text);
    return format;
}

/* 5.10 writes the size of an array as an expression, later kernels as a number. */
Test(trace, an_event_of_each_kernel)
{
    static const char *const brackets[] = { "[sizeof(struct sockaddr_in6)]", "[28]" };
    const uint8_t port_and_address[6] = { 0x1b, 0x58, 10, 0, 0, 2 };
    uint8_t raw[84] = { 0 };
    uint16_t family = AF_INET; /* in this machine's order, as all but the network's own */
    int32_t status = -110;
    uint64_t kind = 7;
    memcpy(raw + 16, &kind, sizeof(kind));
    memcpy(raw + 24, &status, sizeof(status));
    memcpy(raw + 56, &family, sizeof(family));
    memcpy(raw + 58, port_and_address, sizeof(port_and_address));
    for (size_t i = 0; i < ARRAY_SIZE(brackets); i++) {
        char *text = mem_printf(COMMON "\tfield:u32 cm_id;\toffset:8;\tsize:4;\tsigned:0;\n"
                                       "\tfield:unsigned long event;\toffset:16;\tsize:8;\tsigned:0;\n"
                                       "\tfield:int status;\toffset:24;\tsize:4;\tsigned:1;\n"
                                       "\tfield:unsigned char srcaddr%s;\toffset:28;\tsize:28;\tsigned:0;\n"
                                       "\tfield:unsigned char dstaddr%s;\toffset:56;\tsize:28;\tsigned:0;\n",
                                brackets[i], brackets[i]);
        struct trace_format format = parsed(text);
        struct trace_event event = { 0 };
        char to[TRACE_ADDRESS_SIZE];
        cr_assert_eq(format.id, 1421);
        cr_assert_eq(trace_decode(&format, raw, sizeof(raw), &event), 0);
        cr_assert_eq(event.numbers[TRACE_KIND], 7);
        cr_assert_eq(event.numbers[TRACE_STATUS], -110);
        cr_assert(!event.from.known && !trace_has(&event, TRACE_QP));
        trace_address_format(&event.to, to);
        cr_assert_str_eq(to, "10.0.0.2:7000");
        cr_assert_eq(trace_decode(&format, raw, sizeof(raw) - 1, &event), -EBADMSG);
        free(text);
    }
}

Test(trace, a_device_is_where_the_record_says)
{
    struct trace_format format = parsed(COMMON
                                        "\tfield:__data_loc char[] devname;\toffset:8;\tsize:4;\tsigned:1;\n");
    struct trace_event event = { 0 };
    uint8_t raw[20] = { 0 };
    uint32_t location = 5u << 16 | 12;
    memcpy(raw + 8, &location, sizeof(location));
    memcpy(raw + 12, "rxe0", 5);
    cr_assert_eq(trace_decode(&format, raw, sizeof(raw), &event), 0);
    cr_assert_str_eq(event.device, "rxe0");
    location = 9u << 16 | 12; /* beyond its end */
    memcpy(raw + 8, &location, sizeof(location));
    cr_assert_eq(trace_decode(&format, raw, sizeof(raw), &event), -EBADMSG);
}

/* A MAD's transaction id is the sender's local id, bytes turned. */
Test(trace, numbers_in_the_order_of_the_network)
{
    struct trace_format format = parsed(COMMON "\tfield:u64 tid;\toffset:8;\tsize:8;\tsigned:0;\n"
                                               "\tfield:u16 attr_id;\toffset:16;\tsize:2;\tsigned:0;\n");
    const uint8_t raw[24] = { [8] = 0, 0, 0, 2, 0x7e, 0x84, 0x94, 0xc5, 0, 0x10 };
    struct trace_event event = { 0 };
    cr_assert_eq(trace_decode(&format, raw, sizeof(raw), &event), 0);
    cr_assert_eq(event.numbers[TRACE_MESSAGE], 0x10);
    cr_assert_eq(__builtin_bswap32((uint32_t)event.numbers[TRACE_TRANSACTION]), 3314844798u);
}

Test(trace, formats_that_are_none)
{
    static const char *const bad[] = { "", "ID: 7\n",
                                       "ID: \n\tfield:u32 cm_id;\toffset:8;\tsize:4;\tsigned:0;\n",
                                       "ID: 7\n\tfield:u32 cm_id;\toffset:99999;\tsize:4;\tsigned:0;\n",
                                       "ID: 7\n\tfield:u32 cm_id;\toffset:8;\n" };
    struct trace_format format;
    for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
        cr_assert_eq(trace_format_parse(bad[i], strlen(bad[i]), &format), -EBADMSG, "%s", bad[i]);
}

/* -- rings ----------------------------------------------------------------------------------------------- */

enum { RING = 4096 };
static uint8_t ring_bytes[RING], scratch[TRACE_RECORD_MOST];

static void put(struct trace_ring *ring, const void *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++)
        ring_bytes[(ring->head + i) % RING] = ((const uint8_t *)bytes)[i];
    ring->head += len;
}

static void put_sample(struct trace_ring *ring, uint32_t pid, uint64_t time, size_t len)
{
    struct {
        struct perf_event_header header;
        uint32_t pid, tid;
        uint64_t time;
        uint32_t cpu, reserved, size;
    } __attribute__((packed)) sample = {
        .header = { PERF_RECORD_SAMPLE, 0, (uint16_t)(sizeof(sample) + len) },
        .pid = pid,
        .tid = pid + 1,
        .time = time,
        .cpu = 3,
        .size = (uint32_t)len,
    };
    uint8_t raw[256];
    memset(raw, 0xab, sizeof(raw));
    put(ring, &sample, sizeof(sample));
    put(ring, raw, len);
}

/* Round and round, so that records and their headers lie across the end. */
Test(trace, records_across_the_end_of_a_ring)
{
    struct trace_ring ring = { ring_bytes, RING, UINT64_MAX - 5000, UINT64_MAX - 5000 };
    struct trace_record record;
    for (uint32_t i = 0; i < 1000; i++) {
        put_sample(&ring, i, i * 10ull, 84);
        cr_assert_eq(trace_ring_next(&ring, scratch, &record), 1);
        cr_assert_eq(record.kind, RECORD_SAMPLE);
        cr_assert(record.pid == i && record.tid == i + 1 && record.time_ns == i * 10ull && record.cpu == 3);
        cr_assert(record.len == 84 && record.raw[0] == 0xab && record.raw[83] == 0xab);
        cr_assert_eq(trace_ring_next(&ring, scratch, &record), 0);
    }
}

Test(trace, records_that_were_lost_are_counted)
{
    struct trace_ring ring = { ring_bytes, RING, 0, 0 };
    struct trace_record record;
    struct {
        struct perf_event_header header;
        uint64_t id, lost;
    } lost = { { PERF_RECORD_LOST, 0, sizeof(lost) }, 4, 177 };
    put(&ring, &lost, sizeof(lost));
    cr_assert_eq(trace_ring_next(&ring, scratch, &record), 1);
    cr_assert(record.kind == RECORD_LOST && record.lost == 177);
}

/* What the kernel does with an event: without room it counts, and says so where there is room again. */
struct producer {
    struct trace_ring ring;
    uint64_t untold;
};

static void produce(struct producer *kernel, uint32_t pid)
{
    enum { SAMPLE = 36 + 84, LOST = 24 };
    struct {
        struct perf_event_header header;
        uint64_t id, lost;
    } lost = { { PERF_RECORD_LOST, 0, LOST }, 4, kernel->untold };
    if (kernel->ring.head - kernel->ring.tail + SAMPLE + (kernel->untold ? LOST : 0) > RING) {
        kernel->untold++;
        return;
    }
    if (kernel->untold)
        put(&kernel->ring, &lost, LOST);
    kernel->untold = 0;
    put_sample(&kernel->ring, pid, pid, 84);
}

static void count_lost(void *data, const struct trace_step *step)
{
    cr_expect_eq(step->kind, STEP_OF_GAP);
    *(uint64_t *)data += step->lost;
}

/* A thousand connections of twenty events, and who reads too seldom: each event is heard, or among those that a
 * gap tells of. */
Test(trace, each_event_is_heard_or_said_to_be_lost)
{
    enum { EVENTS = 20 * 1000 };
    for (uint32_t seldom = 30; seldom <= 90; seldom += 60) {
        struct producer kernel = { { ring_bytes, RING, 0, 0 }, 0 };
        struct trace_record record;
        uint64_t heard = 0, told = 0;
        struct tracer *tracer = tracer_new(count_lost, &told);
        for (uint32_t i = 1; i <= EVENTS; i++) {
            produce(&kernel, i);
            while ((i % seldom == 0 || i == EVENTS) && trace_ring_next(&kernel.ring, scratch, &record) == 1) {
                struct trace_line line = { .kind = LINE_LOST, .time_us = i, .number = record.lost };
                heard += record.kind == RECORD_SAMPLE;
                if (record.lost)
                    tracer_take(tracer, &line);
            }
        }
        tracer_free(tracer);
        cr_expect_eq(heard + told + kernel.untold, EVENTS, "%" PRIu64 " + %" PRIu64, heard, told);
        cr_expect(seldom == 30 ? told == 0 : told > EVENTS / 2, "%" PRIu64, told);
    }
}

Test(trace, the_name_of_a_program_that_was_started)
{
    struct trace_ring ring = { ring_bytes, RING, 0, 0 };
    struct trace_record record;
    struct {
        struct perf_event_header header;
        uint32_t pid, tid;
        char name[8];
    } name = { { PERF_RECORD_COMM, 0, sizeof(name) }, 88, 88, "rping" };
    put(&ring, &name, sizeof(name));
    cr_assert_eq(trace_ring_next(&ring, scratch, &record), 1);
    cr_assert(record.kind == RECORD_NAME && record.pid == 88);
    cr_assert_str_eq(record.name, "rping");
}

Test(trace, a_ring_that_makes_no_sense_is_left)
{
    const struct perf_event_header headers[] = { { PERF_RECORD_SAMPLE, 0, 4 },
                                                 { PERF_RECORD_SAMPLE, 0, 4000 } };
    struct trace_record record;
    for (size_t i = 0; i < ARRAY_SIZE(headers); i++) {
        struct trace_ring ring = { ring_bytes, RING, 0, 0 };
        put(&ring, &headers[i], sizeof(headers[i]));
        ring.head += 8;
        cr_assert_eq(trace_ring_next(&ring, scratch, &record), -EBADMSG);
        cr_assert_eq(ring.tail, ring.head);
    }
    struct trace_ring ring = { ring_bytes, RING, RING + 1, 0 };
    cr_assert_eq(trace_ring_next(&ring, scratch, &record), -EBADMSG);
}

/* -- two hosts' recordings ------------------------------------------------------------------------------- */

/* The streams of all sections of traces.txt that begin so, behind a head and a clock. */
static void stream_of(const char *sections, struct bytes *stream)
{
    FILE *file = fopen("tests/unit/traces.txt", "re");
    char text[1024];
    bool takes = false;
    cr_assert(file);
    bytes_printf(stream, "{\"t\":1,\"utc_ms\":1790000000000}\n{\"t\":2,\"release\":\"6.1\",\"points\":[]}\n");
    while (fgets(text, sizeof(text), file)) {
        takes = text_starts(text, "== ") ? text_starts(text + 3, sections) : takes;
        if (takes && *text == '{')
            bytes_append(stream, text, strlen(text));
    }
    fclose(file);
}

static char *recording_of(const char *host, const struct bytes *stream)
{
    char *path = mem_printf("/tmp/roce-unit-%d-%s", getpid(), host);
    FILE *file = fopen(path, "we");
    cr_assert(file);
    fprintf(file, "# roce recording 1\n\nprobe/\n  trace |\n");
    for (const char *at = stream->data; *at; at += strcspn(at, "\n") + 1)
        fprintf(file, "  |%.*s\n", (int)strcspn(at, "\n"), at);
    fprintf(file, "\nproc/sys/kernel/\n  hostname %s\n\nsys/class/infiniband/\n", host);
    fclose(file);
    return path;
}

struct seen {
    struct bytes lines;
    size_t failures, echoes, joined;
    int64_t ahead_us;
    uint64_t last_ms, last_client;
};

static void see_shown(void *data, const struct trace_shown *shown)
{
    struct seen *seen = data;
    bool failed = shown->step->kind >= STEPS_FAILED;
    cr_expect_geq(shown->utc_ms, seen->last_ms);
    seen->last_ms = shown->utc_ms;
    seen->failures += failed && !shown->arose;
    seen->echoes += failed && shown->arose;
    if (shown->ahead_us.known && strcmp(shown->host, "server") == 0)
        seen->ahead_us = shown->ahead_us.value;
    if (shown->step->side == SIDE_CLIENT)
        seen->last_client = shown->connection;
    seen->joined += shown->step->side == SIDE_SERVER && shown->connection == seen->last_client;
    if (shown->arose) {
        cr_expect(strcmp(shown->arose->host, shown->host) != 0);
        bytes_printf(&seen->lines, "%s %s <- ", shown->host, trace_step_name(shown->step->kind));
        bytes_printf(&seen->lines, "%s\n", trace_step_name(shown->arose->step->kind));
        cr_expect_eq(shown->arose->connection, shown->connection);
        cr_expect(shown->arose->step->to.known && shown->arose->step->to.port == shown->step->to.port);
    }
}

/* The client's host, whose clock leads, and the server's as it is or made anonymous by itself. */
static struct seen exchange(const char *sections, bool anonymous)
{
    struct bytes client = { 0 }, server = { 0 }, changed = { 0 };
    struct seen seen = { .failures = 0 };
    char *paths[2];
    struct args args = { .operands = paths, .noperands = 2 };
    struct context context = { .args = &args };
    char *of = mem_printf("%s client", sections);
    stream_of(of, &client);
    memcpy(strstr(of, "client"), "server", strlen("server"));
    stream_of(of, &server);
    free(of);
    if (anonymous) {
        cr_assert(anonymise_file("{trace}", "probe/trace", server.data, server.len, &changed));
        cr_expect(!strstr(changed.data, "10.0.0.2") && !strstr(changed.data, "\"cmt\"") &&
                  strstr(changed.data, "kworker/"));
    }
    paths[0] = recording_of("client", &client);
    paths[1] = recording_of("server", anonymous ? &changed : &server);
    bytes_append(&seen.lines, "", 0);
    cr_assert_eq(trace_exchange(&context, 2, &(struct trace_seer){ see_shown, &seen }), 0);
    for (size_t i = 0; i < 2; i++) {
        unlink(paths[i]);
        free(paths[i]);
    }
    bytes_free(&client);
    bytes_free(&server);
    bytes_free(&changed);
    return seen;
}

Test(trace, two_hosts_are_one_exchange)
{
    for (int anonymous = 0; anonymous < 2; anonymous++) {
        struct seen seen = exchange("6.1", anonymous);
        cr_expect_str_eq(seen.lines.data, "client event <- nobody-listens-here\n"
                                          "client event <- refused-here\n"
                                          "server event <- given-up\n");
        cr_expect_eq(seen.echoes, 3);
        /* the guests' clocks were 0.89 s apart at first, and 0.98 s at the end: no host's drift so */
        cr_expect(seen.ahead_us < -880000 && seen.ahead_us > -990000, "%" PRId64, seen.ahead_us);
        cr_expect_geq(seen.joined, 20, "%zu", seen.joined);
        bytes_free(&seen.lines);
    }
}

/* What was told of the other end follows, even where no clock says so. */
Test(trace, of_two_failures_at_once_one_follows)
{
    struct seen seen = exchange("instant", false);
    cr_expect_str_eq(seen.lines.data, "client event <- refused-here\n");
    cr_expect_eq(seen.failures, 1);
    bytes_free(&seen.lines);
}

/* What a replay of the stream tells, as see writes it into struct bytes; the caller frees it. */
static char *replayed(const char *name, const struct bytes *stream,
                      void (*see)(void *, const struct trace_shown *))
{
    char *path = recording_of(name, stream);
    struct args args = { .noperands = 0 };
    struct context context = { .args = &args };
    struct bytes seen = { 0 };
    bytes_append(&seen, "", 0);
    cr_assert_eq(machine_open(path, &context.source), 0);
    cr_assert_eq(trace_feed_replay(&context, &(struct trace_seer){ see, &seen }, NULL), 0);
    host_free(context.host);
    source_close(context.source);
    unlink(path);
    free(path);
    return seen.data;
}

/* -- in order -------------------------------------------------------------------------------------------- */

static void heard(struct trace_queue *queue, enum trace_heard_kind kind, uint64_t time, uint32_t tid,
                  int64_t value)
{
    struct trace_heard one = { .kind = kind, .function = 7, .event = { .time_us = time, .tid = tid } };
    one.event.point = kind == HEARD_EVENT ? POINT_EVENT : POINT_MODIFIED;
    trace_put(&one.event, kind == HEARD_RETURN ? TRACE_STATUS : TRACE_MASK, value);
    if (kind == HEARD_WAY)
        cr_assert(trace_address_parse("10.0.0.2:0", &one.event.to));
    trace_queue_put(queue, &one);
}

/* "TIME/TID mask 57 = -110 after 5 to 10.0.0.2:0; " of each up to a time. */
static const char *taken(struct trace_queue *queue, uint64_t until)
{
    static struct bytes text;
    struct trace_event event;
    text.len = 0;
    bytes_append(&text, "", 0);
    while (trace_queue_next(queue, until, &event)) {
        char to[TRACE_ADDRESS_SIZE];
        trace_address_format(&event.to, to);
        bytes_printf(&text, "%" PRIu64 "/%" PRIu32, event.time_us, event.tid);
        if (event.point == POINT_MODIFIED)
            bytes_printf(&text, " mask %d", (int)event.numbers[TRACE_MASK]);
        if (trace_has(&event, TRACE_STATUS))
            bytes_printf(&text, " = %d after %d", (int)event.numbers[TRACE_STATUS],
                         (int)event.numbers[TRACE_TOOK]);
        bytes_printf(&text, "%s%s; ", *to ? " to " : "", to);
    }
    return text.data;
}

/* A thread that wakes on another CPU returns there, whose ring may be emptied first. */
Test(trace, calls_and_returns_of_several_cpus)
{
    struct trace_queue *queue = trace_queue_new();
    heard(queue, HEARD_RETURN, 15, 4, -110);
    heard(queue, HEARD_EVENT, 30, 9, 0);
    heard(queue, HEARD_CALL, 10, 4, 57);
    heard(queue, HEARD_WAY, 12, 4, 0);
    heard(queue, HEARD_WAY, 13, 5, 0); /* of a thread without a call */
    cr_expect_eq(trace_queue_oldest(queue), 10);
    cr_expect_str_eq(taken(queue, 29), "15/4 mask 57 = -110 after 5 to 10.0.0.2:0; ");
    cr_expect_eq(trace_queue_oldest(queue), 30);
    cr_expect_str_eq(taken(queue, 30), "30/9; ");
    cr_expect_eq(trace_queue_oldest(queue), UINT64_MAX);
    cr_expect_not(trace_queue_returned(queue));
    trace_queue_free(queue);
}

/* The thread's next call tells of the one that the kernel missed the return of; so does another function's. */
Test(trace, a_return_that_the_kernel_missed)
{
    struct trace_queue *queue = trace_queue_new();
    heard(queue, HEARD_CALL, 10, 4, 57);
    heard(queue, HEARD_CALL, 20, 4, 1);
    heard(queue, HEARD_RETURN, 21, 4, 0);
    heard(queue, HEARD_CALL, 30, 4, 2);
    cr_expect_str_eq(taken(queue, 100), "20/4 mask 57; 21/4 mask 1 = 0 after 1; ");
    cr_expect_not(trace_queue_returned(queue));
    struct trace_heard destroyed = { .kind = HEARD_RETURN,
                                     .function = 8,
                                     .event = { .time_us = 40, .tid = 4, .point = POINT_MODIFIED } };
    trace_queue_put(queue, &destroyed);
    cr_expect_str_eq(taken(queue, 100), "40/4 mask 2; ");
    cr_expect(trace_queue_returned(queue));
    cr_expect_not(trace_queue_returned(queue));
    trace_queue_free(queue);
}

/* More come than are taken: nothing is lost or turned round when the room is used again, and grows. */
Test(trace, a_burst_is_kept_in_order)
{
    struct trace_queue *queue = trace_queue_new();
    struct trace_event event;
    uint64_t in = 0, out = 0;
    for (int round = 0; round < 1000; round++) {
        for (int i = 0; i < 7; i++)
            heard(queue, HEARD_EVENT, ++in, 1, 0);
        for (int i = 0; i < 5; i++)
            cr_assert(trace_queue_next(queue, in, &event) && event.time_us == ++out);
    }
    while (trace_queue_next(queue, in, &event))
        cr_assert_eq(event.time_us, ++out);
    cr_expect_eq(out, in);
    cr_expect_eq(trace_queue_count(queue), 0);
    trace_queue_free(queue);
}

/* -- queue pairs ----------------------------------------------------------------------------------------- */

static void see_text(void *data, const struct trace_shown *shown)
{
    json_t *json = trace_step_json(shown);
    for (const char *const *key = (const char *const[]){ "step", "device", "from", "to", "text", NULL }; *key;
         key++) {
        const char *value = json_string_value(json_object_get(json, *key));
        if (value && shown->step->kind != STEP_OF_START)
            bytes_printf(data, "%s%s", *key[0] == 's' ? "\n" : " ", value);
    }
    json_decref(json);
}

/* Between which addresses, and what has moved once they were ready: as a replay tells it. */
Test(trace, ends_of_queue_pairs_and_counters)
{
    struct bytes stream = { 0 };
    bytes_printf(&stream,
                 "{\"t\":1,\"utc_ms\":1790000000000}\n{\"t\":2,\"release\":\"6.1\",\"points\":[]}\n"
                 "{\"t\":3,\"point\":\"modify_qp\",\"pid\":9,\"status\":0,\"mask\":1216897,\"took\":4000,"
                 "\"from\":\"10.0.0.1:0\",\"to\":\"[2001:db8::2]:0\"}\n"
                 "{\"t\":3,\"point\":\"modify_qp\",\"pid\":9,\"mask\":1216897}\n"
                 "{\"t\":4,\"of_us\":2000,\"moved\":\"port 1: retry_exceeded_err +1\",\"device\":\"rxe0\"}\n");
    char *got = replayed("queues", &stream, see_text);
    cr_expect_str_eq(
        got,
        "\nqueue-pair 10.0.0.1 [2001:db8::2] to RTR (4.0 ms)"
        "\nqueue-pair to RTR: its return wasn't seen"
        "\ncounters-moved rxe0 since queue pairs reached RTS, rxe0 port 1: retry_exceeded_err +1 (2.0 ms)");
    free(got);
    bytes_free(&stream);
}

Test(trace, nothing_leads_from_one_family_to_the_other)
{
    struct trace_address from, to, other;
    struct host *host = host_new();
    struct way_fact *facts = NULL;
    cr_assert(trace_address_parse("10.0.0.1:0", &from) && trace_address_parse("[2001:db8::2]:0", &to) &&
              trace_address_parse("10.0.0.2:0", &other));
    size_t count = way_facts(host, from.raw, to.raw, host->arena, &facts);
    cr_assert_geq(count, 2);
    cr_expect(strstr(facts[1].text, "10.0.0.1 and 2001:db8::2 are of two families"), "%s", facts[1].text);
    facts = NULL;
    count = way_facts(host, from.raw, other.raw, host->arena, &facts);
    for (size_t i = 0; i < count; i++)
        cr_expect_not(strstr(facts[i].text, "families"), "%s", facts[i].text);
    host_free(host);
}

/* -- the kernel's log ------------------------------------------------------------------------------------ */

Test(trace, records_of_the_kernels_log)
{
    static const char *const sent[] = { "3,339,5140900,-;nvme nvme0: Connect rejected\n SUBSYSTEM=nvme\n",
                                        "garbage", "6,340,5140901,c,more;text" };
    struct log_record record;
    int fds[2];
    cr_assert_eq(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, fds), 0);
    for (size_t i = 0; i < ARRAY_SIZE(sent); i++)
        cr_assert_gt(write(fds[1], sent[i], strlen(sent[i])), 0);
    cr_assert_eq(source_log_next(fds[0], &record), 1);
    cr_expect_str_eq(record.text, "nvme nvme0: Connect rejected");
    cr_expect_eq(record.time_us, 5140900);
    cr_assert_eq(source_log_next(fds[0], &record), 1);
    cr_expect_str_eq(record.text, "");
    cr_assert_eq(source_log_next(fds[0], &record), 1);
    cr_expect_str_eq(record.text, "text");
    cr_expect_eq(source_log_next(fds[0], &record), 0);
    close(fds[0]);
    close(fds[1]);
}

#define WRONG_NAME "nvmet: connect request for invalid subsystem nqn.wrong!"

static void see_log(void *data, const struct trace_shown *shown)
{
    struct bytes *text = data;
    json_t *json = trace_step_json(shown), *log = json_object_get(json, "kernel_log");
    if (shown->step->kind != STEP_OF_START)
        bytes_printf(text, "%s:", trace_step_name(shown->step->kind));
    cr_expect_eq(json_array_size(log), shown->nlog);
    for (size_t i = 0; i < shown->nlog; i++)
        bytes_printf(text, " %s;", json_string_value(json_array_get(log, i)));
    json_decref(json);
}

/* A service's lines are beside the service's connections, a device's beside the device's, of the same second;
 * and only where one ends. */
Test(trace, lines_of_the_log_beside_what_ends)
{
    static const char nvme[] = "\"cm_id\":1,\"from\":\"10.0.0.1:5000\",\"to\":\"10.0.0.2:4420\"}\n",
                      rping[] = "\"cm_id\":2,\"from\":\"10.0.0.1:6000\",\"to\":\"10.0.0.2:7174\"}\n",
                      task[] = "\"pid\":9,\"thread\":9,\"task\":\"rping\"";
    struct bytes stream = { 0 };
    bytes_printf(&stream, "{\"t\":1,\"utc_ms\":1790000000000}\n{\"t\":2,\"release\":\"6.1\",\"points\":[]}\n");
    bytes_printf(&stream, "{\"t\":3,\"owner\":\"nvme_rdma\",\"pid\":0,\"connected\":true,%s", nvme + 10);
    bytes_printf(&stream, "{\"t\":4,\"owner\":\"rping\",\"pid\":9,\"connected\":true,\"device\":\"rxe0\",%s",
                 rping + 10);
    bytes_printf(&stream, "{\"t\":5,\"log\":\"nvmet: too early\"}\n");
    bytes_printf(&stream, "{\"t\":1500000,\"log\":\"" WRONG_NAME "\"}\n");
    bytes_printf(&stream, "{\"t\":1500001,\"log\":\"rxe0: Link down\",\"device\":\"rxe0\"}\n");
    bytes_printf(&stream, "{\"t\":1500002,\"log\":\"smc: SMC-R lg link removed\"}\n");
    bytes_printf(&stream, "{\"t\":1600000,\"point\":\"cm_event_handler\",\"event\":10,\"status\":0,%s", nvme);
    bytes_printf(&stream, "{\"t\":1600001,\"point\":\"cm_event_handler\",\"event\":14,\"status\":0,%s,%s", task,
                 rping);
    bytes_printf(&stream, "{\"t\":1600002,\"point\":\"cm_event_handler\",\"event\":10,\"status\":0,%s,%s", task,
                 rping);
    char *got = replayed("log", &stream, see_log);
    cr_expect_str_eq(got, "closed: " WRONG_NAME ";address-changed:closed: rxe0: Link down;");
    free(got);
    bytes_free(&stream);
}

Test(trace, which_lines_of_the_log_matter)
{
    struct device device = { .name = "mlx5_0", .pci = "0000:17:00.0" };
    const struct host host = { .devices = &device, .ndevices = 1 };
    struct trace_line line = { .kind = LINE_END };
    cr_expect(log_line_is_known(WRONG_NAME) && log_line_matters(&host, WRONG_NAME, &line));
    cr_expect(line.kind == LINE_LOG && !*line.event.device);
    cr_expect(log_line_matters(&host, "mlx5_core 0000:17:00.0 eth2: Link down", &line));
    cr_expect_str_eq(line.event.device, "mlx5_0");
    line = (struct trace_line){ .kind = LINE_END };
    cr_expect_not(log_line_matters(&host, "mlx5_core 0000:18:00.0 eth3: Link down", &line));
    cr_expect_not(
        log_line_is_known("eth0 speed is unknown, defaulting to 1000")); /* explain knows it: no trouble */
    cr_expect_not(log_line_is_known("nvme nvme0: mapped 2/0/0 default/read/poll queues."));
}

/* -- doctor ---------------------------------------------------------------------------------------------- */

static void expect_verdict(const char *sections, enum verdict verdict, const char *evidence)
{
    struct bytes stream = { 0 };
    struct host *host = host_new();
    if (sections)
        stream_of(sections, &stream);
    host->trace = stream.data;
    struct check_group group = check_ask(check_find("connections-failing"), host, NULL, 0, NULL, host->arena);
    cr_expect_eq(group.verdict, verdict, "%s: %s", sections, group.findings[0].evidence);
    cr_expect(strstr(group.findings[0].evidence, evidence), "%s: %s", sections, group.findings[0].evidence);
    bytes_free(&stream);
    host_free(host);
}

Test(trace, doctor_judges_what_was_traced)
{
    expect_verdict(NULL, VERDICT_NA, "no trace");
    expect_verdict("6.1 client success", VERDICT_PASS, "1 connected, none failed");
    expect_verdict("6.1 client peer-killed", VERDICT_PASS, "none failed");
    expect_verdict("6.1 client no-listener", VERDICT_WARN,
                   "1 failed, 0 connected; the first: REJECTED 8: 10.0.0.2:7999");
    expect_verdict("6.1 client arp", VERDICT_WARN,
                   "the first: ADDR_ERROR, connection timed out (ETIMEDOUT): 10.");
    expect_verdict("one failure, and two of another", VERDICT_WARN,
                   "3 failed, 0 connected; most often REJECTED 8: 10.0.0.3:7001 (2 times)");
    expect_verdict("events that were lost", VERDICT_UNKNOWN, "events were lost");
}

/* -- many CPUs ------------------------------------------------------------------------------------------- */

/* A descriptor for each event and CPU. */
Test(trace, descriptors_of_256_processors)
{
    size_t points = 0;
    for (unsigned i = 0; i < TRACE_POINTS; i++)
        points += trace_point_names[i].name != NULL;
    cr_expect_eq(points, 16);
    cr_expect_eq(tracing_descriptors("0-255", points), 4096u);
    cr_expect_eq(tracing_descriptors("0-63,128-191", points + 2), 2304u);
    cr_expect_eq(tracing_descriptors("0", 1), 1u);
}
