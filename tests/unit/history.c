/* SPDX-License-Identifier: MIT */
/* The flight recorder: lines that say what changed, files that are damaged, what stands out, times that people
 * write. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <jansson.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/gzip.h"
#include "command/history.h"
#include "source/recording/recording.h"

enum { SECOND = 1000, MINUTE = 60 * SECOND };
static const uint64_t begin_ms = 1795748400000; /* 2026-11-27T03:00:00Z */

#define WHOLE "\"version\":1,\"interval\":1,\"ports\":"
#define PART "\"version\":1,\"interval\":1,\"changes\":true,\"ports\":"

static struct frame *parse(const char *text, struct frame *before)
{
    struct frame *frame = NULL;
    struct frame_fault fault;
    int r = frame_parse(text, strlen(text), before, &frame, &fault);
    cr_assert_eq(r, 0, "%s: %s", text, fault.what);
    return frame;
}

Test(history, a_line_may_hold_only_what_changed)
{
    struct frame *first = parse(
        "{" WHOLE
        "[{\"device\":\"a\",\"port\":1,\"drops\":2,\"marks\":5,\"state\":\"ACTIVE\",\"netdev\":\"e\"},"
        "{\"device\":\"b\",\"port\":1,\"drops\":7}],\"time\":\"2026-11-27T03:00:00.000Z\","
        "\"users\":[{\"kind\":\"process\",\"pid\":3,\"name\":\"x\"}]}",
        NULL);
    struct frame *next = parse("{" PART
                               "[{\"device\":\"a\",\"port\":1,\"drops\":3,\"netdev\":null,\"marks\":null},"
                               "{\"device\":\"c\",\"port\":2}],\"time\":\"2026-11-27T03:00:01.000Z\"}",
                               first);
    cr_assert_eq(first->nports, 2, "it is as it was");
    first->gives = true;
    struct frame *refused = NULL;
    struct frame_fault fault;
    const char *damaged = "{" PART "[{\"device\":\"a\",\"port\":1,\"drops\":9},{\"device\":7}]"
                          ",\"time\":\"2026-11-27T03:00:01.000Z\"}";
    cr_assert_eq(frame_parse(damaged, strlen(damaged), first, &refused, &fault), -EINVAL);
    cr_assert_eq(first->ports[0].flows[FLOW_DROPS].value, 2, "a damaged line takes nothing");
    struct frame *last = parse("{" PART
                               "[{\"device\":\"b\",\"port\":1,\"drops\":8},{\"device\":\"d\",\"port\":1}],"
                               "\"time\":\"2026-11-27T03:00:02.000Z\"}",
                               first);
    frame_free(first);
    cr_assert_eq(last->nports, 3);
    cr_expect_eq(last->ports[0].flows[FLOW_DROPS].value, 2);
    cr_expect_eq(last->ports[1].flows[FLOW_DROPS].value, 8);
    cr_expect_str_eq(last->users[0].name, "x");
    frame_free(last);
    cr_assert_eq(next->nports, 3);
    cr_expect_eq(next->ports[0].flows[FLOW_DROPS].value, 3);
    cr_expect_not(next->ports[0].flows[FLOW_MARKS].known, "null takes it back");
    cr_expect_str_eq(next->ports[0].state, "ACTIVE");
    cr_expect_null(next->ports[0].netdev);
    cr_expect_eq(next->ports[1].flows[FLOW_DROPS].value, 7);
    cr_expect_eq(next->ports[2].number, 2);
    cr_assert_eq(next->nusers, 1, "as they were");
    cr_expect_str_eq(next->users[0].name, "x");
    frame_free(next);
}

Test(history, a_change_of_nothing_and_a_newer_line_are_refused)
{
    struct frame *frame = NULL;
    struct frame_fault fault;
    const char *part = "{" PART "[],\"time\":\"2026-11-27T03:00:00.000Z\"}",
               *newer = "{\"version\":2,\"ports\":[]}";
    cr_expect_eq(frame_parse(part, strlen(part), NULL, &frame, &fault), -EINVAL);
    cr_expect_eq(frame_parse(newer, strlen(newer), NULL, &frame, &fault), -ENOTSUP);
    cr_expect(strstr(fault.what, "newer roce"));
}

/* What a stranger's line says may neither end a line nor move a cursor, wherever it is shown; nor is a frame
 * from before 1970. */
Test(history, texts_and_times_of_a_line_are_harmless)
{
    struct frame *frame = parse(
        "{\"version\":1,\"interval\":1e18,\"host\":\"h\\u001b[31m\\nFAIL\",\"time\":"
        "\"2026-11-27T03:00:00.000Z\",\"ports\":[{\"device\":\"a\\n\",\"port\":1,"
        "\"neighbor\":\"\\u202e\"}],\"users\":[{\"kind\":\"process\",\"name\":\"\\u0007\"}]}",
        NULL);
    cr_expect_str_eq(frame->hostname, "h\\x1b[31m\\x0aFAIL");
    cr_expect_str_eq(frame->ports[0].device, "a\\x0a");
    cr_expect(text_is_clean(frame->ports[0].neighbor) && text_is_clean(frame->users[0].name));
    cr_expect_leq(frame->seconds * 1000, (double)frame->time_ms);
    frame_free(frame);
}

/* -- files ------------------------------------------------------------------------------------------------- */

static char *new_directory(void)
{
    char *path = mem_printf("/tmp/roce-history.XXXXXX");
    cr_assert(mkdtemp(path));
    return path;
}

/* Removes it; returns how many of the recorder's files were there. */
static size_t remove_directory(char *path)
{
    DIR *dir = opendir(path);
    size_t count = 0;
    for (const struct dirent *entry; dir && (entry = readdir(dir));) {
        char *name = mem_printf("%s/%s", path, entry->d_name);
        count += text_ends(name, ".jsonl.gz");
        unlink(name);
        free(name);
    }
    closedir(dir);
    rmdir(path);
    free(path);
    return count;
}

/* As the recorder does. */
static void add(struct history_writer *writer, uint64_t ms, const char *line)
{
    if (history_begins(writer, ms))
        cr_assert_geq(history_flush(writer), 0);
    history_put(writer, ms, line, strlen(line));
}

static void put(struct history_writer *writer, uint64_t ms, double drops)
{
    char time[CLOCK_TEXT_SIZE];
    clock_utc_text(ms, time);
    char *line = mem_printf("{" WHOLE "[{\"device\":\"a\",\"port\":1,\"drops\":%g}],\"time\":\"%s\"}", drops,
                            time);
    add(writer, ms, line);
    free(line);
}

struct seen {
    size_t count;
    uint64_t first_ms, last_ms;
    bool in_order;
};

static int see(void *data, const struct frame *frame)
{
    struct seen *seen = data;
    seen->first_ms = seen->first_ms ? seen->first_ms : frame->time_ms;
    seen->in_order = (seen->in_order || seen->count == 0) && frame->time_ms >= seen->last_ms;
    seen->last_ms = frame->time_ms;
    seen->count++;
    return 0;
}

static struct history_writer *open_writer(const char *path, uint64_t keep_ms, uint64_t size)
{
    struct history_writer *writer = NULL;
    cr_assert_eq(history_open(path, &(struct history_limits){ keep_ms, size }, &writer), 0);
    return writer;
}

/* -- readings ---------------------------------------------------------------------------------------------- */

static struct bytes load(const char *path)
{
    struct bytes text = { 0 };
    cr_assert_eq(file_load(path, 1 << 20, &text), 0, "%s", path);
    return text;
}

static struct filetree *tree_of(const char *text)
{
    struct filetree *tree = NULL;
    struct recording_fault fault;
    cr_assert_eq(recording_parse(text, strlen(text), &tree, &fault), 0, "%s", fault.what);
    return tree;
}

Test(history, a_reading_is_what_changed_in_a_machine)
{
    struct filetree *was = tree_of(RECORDING_FIRST_LINE "\n\nsys/a/\n  x 1\n  y 2\n  z -> x\n"),
                    *is = tree_of(RECORDING_FIRST_LINE "\n\nsys/a/\n  x 1\n  y 30\n  z -> x\n"),
                    *other = tree_of(RECORDING_FIRST_LINE "\n\nsys/a/\n  x 1\n  y 30\n"), *changes = NULL;
    struct bytes text = { 0 }, again = { 0 };
    cr_expect_eq(recording_changes(was, other, &changes), -EXDEV, "a link is gone");
    cr_assert_eq(recording_changes(was, is, &changes), 0);
    recording_write(changes, &text);
    cr_expect_str_eq(text.data, RECORDING_FIRST_LINE "\n\nsys/a/\n  y 30\n");
    cr_expect_eq(recording_apply(other, changes), 0);
    cr_expect_eq(recording_apply(was, changes), 0);
    text.len = 0;
    recording_write(was, &text);
    recording_write(is, &again);
    cr_expect_str_eq(text.data, again.data);
    filetree_free(changes);
    changes = tree_of(RECORDING_FIRST_LINE "\n\nsys/b/\n  y 30\n");
    cr_expect_eq(recording_apply(was, changes), -EBADMSG, "of another machine");
    bytes_free(&text);
    bytes_free(&again);
    filetree_free(was);
    filetree_free(is);
    filetree_free(other);
    filetree_free(changes);
}

/* A member that holds a reading. */
static void put_reading(struct history_writer *writer, uint64_t ms, const char *text, const char *more)
{
    char time[CLOCK_TEXT_SIZE];
    clock_utc_text(ms, time);
    json_t *line = json_pack("{s:i,s:s,s:i,s:[],s:s}", "version", 1, "time", time, "interval", 1, "ports",
                             "readings", text);
    if (more)
        json_object_set_new(line, more, json_true());
    char *own = json_dumps(line, 0);
    add(writer, ms, own);
    free(own);
    json_decref(line);
}

Test(history, doctor_judges_two_readings_of_the_past)
{
    struct history_limits limits = { .keep_ms = UINT64_MAX / 2, .size = 1 << 30 };
    struct history_writer *writer = NULL;
    struct history_tally tally = { 0 };
    struct kept_readings kept = { 0 };
    struct bytes was = load("fixtures/fault-counters-before.machine"),
                 is = load("fixtures/fault-counters.machine");
    char *path = new_directory();
    cr_assert_eq(history_open(path, &limits, &writer), 0);
    put_reading(writer, begin_ms, was.data, NULL);
    put_reading(writer, begin_ms + MINUTE, RECORDING_FIRST_LINE "\n", "readings_changed");
    put_reading(writer, begin_ms + 2 * MINUTE, is.data, NULL);
    cr_assert_eq(history_flush(writer), 1);
    cr_assert_eq(history_read(path, begin_ms, begin_ms + 2 * MINUTE, kept_readings_take, &kept, &tally), 0);
    cr_assert_eq(kept.count, 3);
    const struct check_selection selection = { .interval = true };
    struct arena *arena = arena_new();
    struct host *hosts[3];
    for (size_t i = 0; i < 3; i++)
        cr_assert_eq(kept_reading_host(&kept.items[i], kept_readings_needs(NULL), &hosts[i]), 0);
    struct report quiet = check_run(hosts[1], hosts[0], MINUTE, &selection, arena),
                  report = check_run(hosts[2], hosts[1], MINUTE, &selection, arena);
    cr_expect_eq(quiet.told[VERDICT_FAIL] + quiet.told[VERDICT_WARN], 0, "nothing had changed");
    cr_expect_gt(report.told[VERDICT_FAIL], 0);
    for (size_t i = 0; i < 3; i++)
        host_free(hosts[i]);
    arena_free(arena);
    kept_readings_free(&kept);
    bytes_free(&was);
    bytes_free(&is);
    history_close(writer);
    remove_directory(path);
}

Test(history, what_was_written_is_read_in_order_even_if_the_clock_goes_back)
{
    char *path = new_directory();
    struct history_writer *writer = open_writer(path, UINT64_MAX / 2, UINT64_MAX), *second = NULL;
    struct seen all = { 0 }, part = { 0 };
    struct history_tally tally = { 0 };
    cr_expect_eq(history_open(path, &(struct history_limits){ 1, 1 }, &second), -EAGAIN, "one at a time");
    for (uint64_t i = 0; i < 4000; i++)
        put(writer, begin_ms + i * SECOND, 0);
    put(writer, begin_ms + 10 * MINUTE, 1); /* an hour back */
    cr_expect_eq(history_flush(writer), 1);
    history_close(writer);
    cr_expect_eq(history_read(path, 0, UINT64_MAX, see, &all, &tally), 0);
    cr_expect_eq(all.count, 4001);
    cr_expect_eq(all.last_ms, begin_ms + 10 * MINUTE, "in the order in which it was");
    cr_expect_eq(tally.damaged, 0);
    cr_expect_eq(history_read(path, begin_ms + 20 * MINUTE, begin_ms + 21 * MINUTE, see, &part, &tally), 0);
    cr_expect_eq(part.count, 61);
    cr_expect(part.in_order);
    cr_expect_eq(remove_directory(path), 3);
}

Test(history, old_files_go_by_age_and_by_size)
{
    char *path = new_directory();
    struct history_writer *writer = open_writer(path, 2ULL * 60 * MINUTE, UINT64_MAX);
    for (uint64_t hour = 0; hour < 6; hour++)
        put(writer, begin_ms + hour * 60 * MINUTE, 0);
    history_flush(writer);
    history_close(writer);
    cr_expect_eq(remove_directory(path), 4,
                 "of six those that end less than two hours ago, or just then, and the one that is written");
    path = new_directory();
    writer = open_writer(path, UINT64_MAX / 2, 400);
    for (uint64_t hour = 0; hour < 20; hour++)
        put(writer, begin_ms + hour * 60 * MINUTE, 0);
    history_flush(writer);
    history_close(writer);
    size_t left = remove_directory(path);
    cr_expect(left >= 2 && left <= 4, "%zu left", left);
}

/* The newest file, as a power cut may have left it. */
static void damage_file(const char *path, const char *more)
{
    DIR *dir = opendir(path);
    for (const struct dirent *entry; (entry = readdir(dir));) {
        if (!text_ends(entry->d_name, ".jsonl.gz"))
            continue;
        char *name = mem_printf("%s/%s", path, entry->d_name);
        FILE *file = fopen(name, "ae");
        fputs(more, file);
        fclose(file);
        free(name);
    }
    closedir(dir);
}

Test(history, an_unfinished_write_is_cut_off_and_nothing_else)
{
    char *path = new_directory();
    struct history_writer *writer = open_writer(path, UINT64_MAX / 2, UINT64_MAX);
    struct seen all = { 0 };
    struct history_tally tally = { 0 };
    put(writer, begin_ms, 0);
    history_flush(writer);
    history_close(writer);
    damage_file(path, "\x1f\x8b\x08half of a member");
    cr_expect_eq(history_read(path, 0, UINT64_MAX, see, &all, &tally), 0);
    cr_expect_eq(all.count, 1);
    cr_expect_eq(tally.damaged, 1);
    writer = open_writer(path, UINT64_MAX / 2, UINT64_MAX);
    put(writer, begin_ms + MINUTE, 0);
    history_flush(writer);
    history_close(writer);
    all = (struct seen){ 0 };
    tally = (struct history_tally){ 0 };
    cr_expect_eq(history_read(path, 0, UINT64_MAX, see, &all, &tally), 0);
    cr_expect_eq(all.count, 2);
    cr_expect_eq(tally.damaged, 0);
    remove_directory(path);
}

/* Each line of a few bytes is about all the ports that were there before. */
Test(history, more_rows_than_are_read)
{
    struct bytes text = { 0 };
    struct seen all = { 0 };
    struct history_tally tally = { 0 };
    char time[CLOCK_TEXT_SIZE];
    clock_utc_text(begin_ms, time);
    bytes_printf(&text, "{" WHOLE "[");
    for (unsigned i = 1; i <= FRAME_ROWS_MOST; i++)
        bytes_printf(&text, "%s{\"device\":\"a\",\"port\":%u}", i > 1 ? "," : "", i);
    bytes_printf(&text, "],\"time\":\"%s\"}\n", time);
    for (unsigned i = 0; i < HISTORY_ROWS_MOST / FRAME_ROWS_MOST; i++)
        bytes_printf(&text, "{" PART "[],\"time\":\"%s\"}\n", time);
    cr_expect_eq(history_parse(&text, 0, UINT64_MAX, see, &all, &tally), -ENOTSUP);
    cr_expect_eq(all.count, HISTORY_ROWS_MOST / FRAME_ROWS_MOST);
    cr_expect(strstr(tally.fault.what, "name a shorter time"), "%s", tally.fault.what);
    bytes_free(&text);
}

Test(history, a_damaged_minute_is_passed_over)
{
    struct bytes packed = { 0 };
    struct seen all = { 0 };
    struct history_tally tally = { 0 };
    size_t second = 0;
    for (uint64_t i = 0; i < 3; i++) {
        char time[CLOCK_TEXT_SIZE];
        struct bytes text = { 0 };
        clock_utc_text(begin_ms + i * MINUTE, time);
        bytes_printf(&text, "{" WHOLE "[],\"time\":\"%s\"}\n", time);
        second = i == 1 ? packed.len : second;
        gzip_pack(&text, &packed);
        bytes_free(&text);
    }
    memset(packed.data + second + 12, 0xff, 20);
    cr_expect_eq(history_parse(&packed, 0, UINT64_MAX, see, &all, &tally), 0);
    cr_expect_eq(all.count, 2);
    cr_expect_eq(tally.damaged, 1);
    cr_expect_eq(tally.damaged_ms, begin_ms);
    bytes_free(&packed);
}

static uint64_t directory_size(const char *path)
{
    DIR *dir = opendir(path);
    uint64_t size = 0;
    struct stat st;
    for (const struct dirent *entry; dir && (entry = readdir(dir));)
        size += fstatat(dirfd(dir), entry->d_name, &st, 0) == 0 && S_ISREG(st.st_mode) ? (uint64_t)st.st_size
                                                                                       : 0;
    closedir(dir);
    return size;
}

/* An idle host of eight rails, which have a little of what isn't RDMA, too. */
static struct frame *idle(uint64_t ms)
{
    struct frame *frame = frame_new();
    frame->hostname = "node17";
    frame->time_ms = ms;
    frame->seconds = 1 + (double)(rand() % 100) / 1e5;
    frame->users_known = true;
    frame->clock = (struct frame_clock){ .known = true,
                                         .synchronised = true,
                                         .error_ms = rand() % 3000 / 100. };
    for (size_t p = 0; p < 8; p++) {
        struct frame_port *port = ARENA_PUSH(frame->arena, frame->ports, frame->nports);
        *port = (struct frame_port){ .device = arena_printf(frame->arena, "mlx5_%zu", p),
                                     .netdev = arena_printf(frame->arena, "rail%zu", p),
                                     .state = "ACTIVE",
                                     .neighbor = "leaf1 swp5s0",
                                     .number = 1,
                                     .rate_mbps = num_of(400000),
                                     .counts_bytes = true };
        for (unsigned i = 0; i < FLOWS; i++)
            port->flows[i].known = true;
        for (unsigned i = FLOW_SENT_BYTES; i <= FLOW_RECEIVED_PACKETS; i++)
            port->flows[i].value = (rand() % 12) * (i <= FLOW_RECEIVED_BYTES ? 87.3 : 1) / frame->seconds;
        for (unsigned i = 0; i < PRIORITIES; i++)
            port->pfc_sent[i].known = port->pfc_received[i].known = true;
        *ARENA_PUSH(frame->arena, frame->users, frame->nusers) = (struct frame_user){
            .kind = "process", .name = "agent", .device = port->device, .queues = "2 UD", .pid = num_of(4711)
        };
    }
    return frame;
}

/* What doctor compares: whole each hour, then what little traffic counts. */
static json_t *idle_readings(const char *whole, uint64_t ms)
{
    static const char *const names[] = { "port_rcv_data", "port_rcv_packets", "port_xmit_data",
                                         "port_xmit_packets" };
    bool changed = ms / MINUTE % 60 != 0;
    struct bytes text = { 0 };
    bytes_printf(&text, "%s", changed ? RECORDING_FIRST_LINE "\n" : whole);
    for (size_t p = 0; changed && p < 8; p++) {
        bytes_printf(&text, "\nsys/class/infiniband/mlx5_%zu/ports/1/counters/\n", p);
        for (size_t i = 0; i < ARRAY_SIZE(names); i++)
            bytes_printf(&text, "  %s %d\n", names[i], rand());
    }
    json_t *more = json_pack("{s:s, s:b}", "readings", text.data, "readings_changed", changed);
    bytes_free(&text);
    return more;
}

/* Of a machine with more ports than that. */
static struct bytes whole_reading(void)
{
    struct source *source = NULL;
    struct bytes text = { 0 };
    bool changed;
    cr_assert_eq(source_open_recording("fixtures/mlx5-roce-train.machine", &source, NULL), 0);
    cr_assert_eq(source_keep_reading(source, kept_readings_needs(NULL), false, NULL, &text, &changed), 0);
    source_close(source);
    return text;
}

Test(history, an_idle_day_is_small)
{
    enum { HOURS = 4 }; /* each is as the others */
    char *path = new_directory();
    struct history_writer *writer = open_writer(path, UINT64_MAX / 2, UINT64_MAX);
    json_t *last = NULL;
    struct seen all = { 0 };
    struct history_tally tally = { 0 };
    struct bytes whole = whole_reading();
    for (uint64_t ms = begin_ms; ms < begin_ms + (uint64_t)HOURS * 60 * MINUTE; ms += SECOND) {
        struct frame *frame = idle(ms);
        bool begins = history_begins(writer, ms);
        json_t *more = begins ? idle_readings(whole.data, ms) : NULL;
        char *line = recorder_line(&last, begins, more, frame);
        json_decref(more);
        if (line)
            add(writer, ms, line);
        free(line);
        frame_free(frame);
    }
    cr_expect_eq(history_flush(writer), 1);
    history_close(writer);
    json_decref(last);
    cr_expect_eq(history_read(path, 0, UINT64_MAX, see, &all, &tally), 0);
    cr_expect_eq(all.count, HOURS * 60, "one line a minute: %zu", all.count);
    uint64_t size = directory_size(path);
    bytes_free(&whole);
    cr_expect(size * 24 / HOURS < 2 << 20, "%" PRIu64 " bytes in %d hours", size, HOURS);
    cr_expect_eq(remove_directory(path), HOURS);
}

/* -- what stands out --------------------------------------------------------------------------------------- */

/* Four ports, each second; what value gives is one's rate. */
static const struct moment *tell(struct timeline *timeline, unsigned seconds,
                                 double value(unsigned second, unsigned port, unsigned series), size_t *count)
{
    static const char *const names[] = { "mlx5_0", "mlx5_1", "mlx5_2", "mlx5_3" };
    for (unsigned s = 0; s < seconds; s++) {
        struct frame *frame = frame_new();
        frame->time_ms = begin_ms + s * SECOND;
        frame->seconds = 1;
        for (unsigned p = 0; p < ARRAY_SIZE(names); p++) {
            struct frame_port *port = ARENA_PUSH(frame->arena, frame->ports, frame->nports);
            port->device = names[p];
            port->number = 1;
            for (unsigned i = 0; i < FLOWS; i++)
                port->flows[i] = (struct rate){ .value = value(s, p, i), .known = true };
        }
        timeline_take(timeline, frame);
        frame_free(frame);
    }
    return timeline_moments(timeline, count);
}

static double busy(unsigned second, unsigned port, unsigned series)
{
    switch (series) {
    case FLOW_SENT_BYTES:
    case FLOW_RECEIVED_BYTES:
        return 4e10 + 1e9 * ((second * 7 + port) % 10);
    case FLOW_CNPS_SENT:
    case FLOW_MARKS:
        return 1000 + 37 * ((second * 13 + port) % 29);
    case FLOW_OUT_OF_SEQUENCE:
        return second % 40 == port ? 3 : 0;
    default:
        return 0;
    }
}

Test(history, a_busy_hour_is_quiet)
{
    size_t count;
    struct timeline *timeline = timeline_new(begin_ms + 10 * MINUTE);
    const struct moment *moments = tell(timeline, 3600, busy, &count);
    cr_assert_eq(count, 1);
    cr_expect_eq(moments[0].kind, MOMENT_QUIET);
    cr_expect_eq(moments[0].ports, 4);
    cr_expect(moments[0].sent > 1.6e11 && moments[0].sent < 2.1e11, "%g", moments[0].sent);
    timeline_free(timeline);
}

static double troubled(unsigned second, unsigned port, unsigned series)
{
    if (series == FLOW_PAUSES_RECEIVED && port == 2 && second >= 1800 && second < 1830)
        return second == 1810 ? 90000 : 40000;
    if (series == FLOW_DROPS && second == 2400)
        return 1;
    if (series == FLOW_SENT_BYTES && port == 1 && second >= 3000 && second < 3010)
        return 0;
    return busy(second, port, series);
}

Test(history, what_is_planted_is_told_with_begin_end_and_peak)
{
    size_t count, found = 0;
    struct timeline *timeline = timeline_new(begin_ms + 10 * MINUTE);
    const struct moment *moments = tell(timeline, 3600, troubled, &count);
    for (size_t i = 0; i < count; i++) {
        const struct moment *moment = &moments[i];
        if (moment->kind == MOMENT_QUIET)
            continue;
        found++;
        if (moment->series == FLOW_PAUSES_RECEIVED) {
            cr_expect_str_eq(moment->device, "mlx5_2");
            cr_expect_eq(moment->begin_ms, begin_ms + 1799 * SECOND);
            cr_expect_eq(moment->end_ms, begin_ms + 1829 * SECOND);
            cr_expect_eq(moment->peak, 90000);
            cr_expect_eq(moment->peak_ms, begin_ms + 1810 * SECOND);
            cr_expect_eq(moment->others, 0);
        } else if (moment->series == FLOW_DROPS) {
            cr_expect_eq(moment->others, 3, "on all four");
        } else {
            cr_expect_eq(moment->kind, MOMENT_FALL);
            cr_expect_eq(moment->series, FLOW_SENT_BYTES);
            cr_expect_eq(moment->end_ms, begin_ms + 3009 * SECOND);
        }
    }
    cr_expect_eq(found, 3);
    timeline_free(timeline);
}

/* Jobs that compute between their messages: falls are their nature. */
static double in_bursts(unsigned second, unsigned port, unsigned series)
{
    return series == FLOW_SENT_BYTES && second % 8 < 3 ? 0 : busy(second, port, series);
}

Test(history, bursts_are_no_falls)
{
    size_t count;
    struct timeline *timeline = timeline_new(begin_ms + 10 * MINUTE);
    (void)tell(timeline, 3600, in_bursts, &count);
    cr_expect_eq(count, 1);
    timeline_free(timeline);
}

/* Told where two that are known differ; a switch that is silent for a while may be the same. */
Test(history, a_cable_that_ends_elsewhere_is_told)
{
    static const char *const ends[] = {
        NULL, "leaf1 swp1", "leaf1 swp1", NULL, "leaf1 swp1", NULL, "leaf2 swp7"
    };
    size_t count, found = 0;
    struct timeline *timeline = timeline_new(begin_ms);
    for (unsigned s = 0; s < ARRAY_SIZE(ends); s++) {
        struct frame *frame = frame_new();
        frame->time_ms = begin_ms + s * SECOND;
        frame->seconds = 1;
        for (unsigned p = 1; p <= 2; p++)
            *ARENA_PUSH(frame->arena, frame->ports, frame->nports) = (struct frame_port){
                .device = "mlx5_0", .number = p, .neighbor = p == 2 ? ends[s] : "leaf1 swp0"
            };
        timeline_take(timeline, frame);
        frame_free(frame);
    }
    const struct moment *moments = timeline_moments(timeline, &count);
    for (size_t i = 0; i < count; i++) {
        if (moments[i].kind != MOMENT_EVENT)
            continue;
        found++;
        cr_expect_str_eq(moments[i].what, "neighbor");
        cr_expect_str_eq(moments[i].text, "cabled to leaf2 swp7, before to leaf1 swp1");
        cr_expect_eq(moments[i].port.value, 2);
        cr_expect_eq(moments[i].begin_ms, begin_ms + 6 * SECOND);
    }
    cr_expect_eq(found, 1);
    timeline_free(timeline);
}

/* -- several hosts' clocks --------------------------------------------------------------------------------- */

static struct history_clock clock_said(const char *host, const char *clock)
{
    struct history_clock said = { .host = host };
    char *text = mem_printf("{" WHOLE "[],\"time\":\"2026-11-27T03:00:00.000Z\"%s%s}",
                            *clock ? ",\"clock\":" : "", clock);
    struct frame *first = parse(text, NULL),
                 *next = parse("{" PART "[],\"time\":\"2026-11-27T03:00:01.000Z\"}", first);
    frame_free(first);
    history_clock_take(&said, next);
    frame_free(next);
    free(text);
    return said;
}

static void expect_clocks(const struct history_clock *clocks, size_t count, const char *text)
{
    struct arena *arena = arena_new();
    cr_expect_str_eq(history_clocks_text(clocks, count, arena), text);
    arena_free(arena);
}

Test(history, what_is_assumed_of_clocks_is_said)
{
    const struct history_clock clocks[] = {
        clock_said("a", "{\"synchronised\":true,\"error_ms\":10.5}"),
        clock_said("b", "{\"synchronised\":true,\"error_ms\":1.5}"),
        clock_said("c", "{\"synchronised\":false,\"error_ms\":null}"),
        clock_said("d", ""),
        clock_said("e", ""),
    };
    expect_clocks(clocks, 2, "the clocks of a, b are within 12 ms by NTP");
    expect_clocks(
        clocks + 1, 3,
        "b's clock is right to 1.5 ms by NTP; the clock of c is not synchronised: its times may be off; "
        "nothing is known of the clock of d, taken to agree");
    expect_clocks(clocks + 3, 2, "nothing is known of the clocks of d, e, taken to agree");
    struct history_clock many[9];
    for (size_t i = 0; i < ARRAY_SIZE(many); i++)
        many[i] = clocks[i % 2];
    expect_clocks(many, ARRAY_SIZE(many), "the clocks of a, b, a, b and 5 others are within 21 ms by NTP");
}

Test(history, who_was_first_is_as_sure_as_the_clocks)
{
    const struct history_clock clocks[] = {
        { .host = "a", .known = true, .error_ms = 300 },
        { .host = "b", .known = true, .error_ms = 200 },
        { .host = "c", .known = true, .lost = true },
    };
    struct moment moments[] = {
        { .kind = MOMENT_EVENT, .host = clocks[0].host, .begin_ms = begin_ms - SECOND },
        { .kind = MOMENT_RATE, .host = clocks[1].host, .begin_ms = begin_ms },
        { .kind = MOMENT_RATE, .host = clocks[1].host, .begin_ms = begin_ms + 1 },
        { .kind = MOMENT_FALL, .host = clocks[0].host, .begin_ms = begin_ms + 1500 },
    };
    struct history_first found = history_find_first(moments, 4, clocks, 3);
    cr_expect_eq(found.first, &moments[1], "an event is none");
    cr_expect_eq(found.next, &moments[3], "of another host");
    cr_expect(found.by_clocks && !found.sure, "two clocks, and a second");
    moments[3].begin_ms++;
    cr_expect(history_find_first(moments, 4, clocks, 3).sure);
    moments[3].host = clocks[2].host;
    cr_expect_not(history_find_first(moments, 4, clocks, 3).by_clocks);
    cr_expect_null(history_find_first(moments, 3, clocks, 3).next);
    cr_expect_null(history_find_first(moments, 1, clocks, 3).first);
}

/* -- times ------------------------------------------------------------------------------------------------- */

Test(history, times_as_people_write_them)
{
    uint64_t now = begin_ms + 30 * MINUTE; /* 03:30 */
    static const struct {
        const char *text;
        int64_t offset; /* of begin_ms, in ms */
    } cases[] = {
        { "now", 30 * MINUTE },
        { "-10m", 20 * MINUTE },
        { "-90", 30 * MINUTE - 90 * SECOND },
        { "-1.5h", -60 * (int64_t)MINUTE },
        { "03:12", 12 * MINUTE },
        { "03:12:30", 12 * MINUTE + 30 * SECOND },
        { "03:31", 31 * MINUTE - 24LL * 60 * MINUTE }, /* yesterday's */
        { "2026-11-27 03:12", 12 * MINUTE },
        { "2026-11-27T03:12:00Z", 12 * MINUTE },
        { "2026-11-27T03:12:00.5Z", 12 * MINUTE },
        { "2026-11-27T04:12:00+01:00", 12 * MINUTE },
        { "job", 5 * MINUTE },
    };
    static const char *const wrong[] = { "",
                                         "3",
                                         "25:00",
                                         "03:61",
                                         "-2x",
                                         "job-end",
                                         "2026-11-27",
                                         "-",
                                         "-1e999",
                                         "2026-11-27T03:12:00+1",
                                         "03:12:61",
                                         "2026-13-27 03:12",
                                         "2026-00-27 03:12",
                                         "2026-11-32 03:12",
                                         "2026-11-27x03:12" };
    setenv("TZ", "UTC", 1);
    setenv("SLURM_JOB_START_TIME", "1795748700", 1);
    unsetenv("SLURM_JOB_END_TIME");
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        uint64_t ms = 0;
        cr_expect_eq(time_meant(cases[i].text, now, &ms), 0, "%s", cases[i].text);
        cr_expect_eq((int64_t)(ms - begin_ms), cases[i].offset, "%s: %" PRId64, cases[i].text,
                     (int64_t)(ms - begin_ms));
    }
    for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
        uint64_t ms;
        cr_expect_eq(time_meant(wrong[i], now, &ms), -EINVAL, "%s", wrong[i]);
    }
}
