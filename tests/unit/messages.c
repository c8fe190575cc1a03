/* SPDX-License-Identifier: MIT */
/* explain/, model/mention: what lines of logs say. */
#include "explain/knowledge.h"

#include <criterion/criterion.h>
#include <infiniband/verbs.h>

#include "check/check.h"
#include "model/selection.h"
#include "model/topology.h"
#include "model/verdict.h"
#include "source/source.h"
#include "tree.h"

/* What somebody who knows would answer: the program, what is named, a part of the meaning, of the end, of the
 * causes. */
struct line {
    const char *thread, *line, *program;
    int status, err;
    const char *word, *means, *end, *cause, *check;
};

#define NO_STATUS (-1)

/* Lines below the records of explain/, which these have to answer: with a message from first on, and before
 * past. */
struct seen {
    const char *thread, *line;
    ptrdiff_t first, past;
    int status, err;
    const char *word;
};

static const struct seen seen_lines[] = {
#include "seen_rows.h"
};

/* What no record answers, or the way in which it was pasted is what matters. */
/* clang-format off */
static const struct line lines[] = {
    { "linux-rdma/opensm#38", "Failed status transport retry counter exceeded (12) for wr_id 2", NULL, 12, 0, NULL, "acknowledged nothing", "sent", "peer's process", "port-active" },
    { "as it was pasted", "{\"msg\":\"[rank0] Failed to check the \\\"should dump\\\" flag on TCPStore\"}", "PyTorch", NO_STATUS, 0, NULL, "is gone", NULL, NULL, NULL },
    { "as it was pasted", "[rank0] Failed to check the “should dump” flag on TCPStore", "PyTorch", NO_STATUS, 0, NULL, "is gone", NULL, NULL, NULL },
    { "as it was pasted", "rpcrdma: ‘frwr’ mode is not supported by device mlx5_0", "kernel", NO_STATUS, 0, NULL, "kind of registration", NULL, NULL, NULL },
    { "as it was pasted", "Kernel panic – not syncing: Fatal exception", "kernel", NO_STATUS, 0, NULL, "broke down", NULL, NULL, NULL },
    { "as it was pasted", "Kernel panic — not syncing: Fatal exception", "kernel", NO_STATUS, 0, NULL, "broke down", NULL, NULL, NULL },
    { "as it was pasted", "ERR:\tioctl error (errno=22)", "GDRCopy", NO_STATUS, EINVAL, NULL, "would not pin", NULL, NULL, NULL },
    { "as it was pasted", "ERR:\xc2\xa0" "ioctl error (errno=22)", "GDRCopy", NO_STATUS, EINVAL, NULL, "would not pin", NULL, NULL, NULL },
    { "as it was pasted", "ERR:\\nioctl error (errno=22)", "GDRCopy", NO_STATUS, EINVAL, NULL, "would not pin", NULL, NULL, NULL },
    { "as it was pasted", "ERR:\\tioctl error (errno=22)", "GDRCopy", NO_STATUS, EINVAL, NULL, "would not pin", NULL, NULL, NULL },
    { "spdk/spdk#704", "rdma.c:2304:spdk_nvmf_process_cm_event: *DEBUG*: Acceptor Event: RDMA_CM_EVENT_CONNECT_REQUEST", NULL, NO_STATUS, 0, "RDMA_CM_EVENT_CONNECT_REQUEST", "No fault", NULL, NULL, NULL },
    { "open-mpi/ompi#5047", "[n7][[71181,1],1][btl_openib_component.c:3644:handle_wc] REMOTE ACCESS ERROR", NULL, 10, 0, NULL, "to its memory: the", "refused it: look at", "isn't that of registered", NULL },
    { "a program's source", "WC status: remote access error", NULL, 10, 0, NULL, "to its memory: the", "refused it: look at", "isn't that of registered", NULL },
};

/* clang-format on */

static bool has(const char *text, const char *part)
{
    return text && strstr(text, part);
}

static bool has_cause(const struct answer *answer, const char *part)
{
    return strstr(answer->causes, part) != NULL;
}

static void expect_named(const struct reading *reading, const char *thread, const char *line, int status,
                         int err, const char *word)
{
    cr_expect_eq(reading->status, status, "%s: status %d ('%s')", thread, reading->status, line);
    cr_expect_eq(reading->err, err, "%s: errno %d ('%s')", thread, reading->err, line);
    cr_expect(word ? reading->word && strcmp(reading->word->name, word) == 0 : !reading->word,
              "%s: word %s ('%s')", thread, reading->word ? reading->word->name : "none", line);
}

Test(messages, lines_that_were_seen_are_answered_by_their_record)
{
    cr_assert_geq(ARRAY_SIZE(seen_lines), 2500);
    for (size_t i = 0; i < ARRAY_SIZE(seen_lines); i++) {
        const struct seen *s = &seen_lines[i];
        struct reading reading = { 0 };
        line_read(s->line, strlen(s->line), &reading);
        ptrdiff_t at = reading.message ? reading.message - messages_all() : -1;
        cr_expect(at >= s->first && at < s->past, "%s: answered by '%s' ('%s')", s->thread,
                  at < 0 ? "nothing" : reading.message->pattern, s->line);
        if (at >= 0)
            expect_named(&reading, s->thread, s->line, s->status, s->err, s->word);
    }
}

Test(messages, lines_are_answered)
{
    for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
        const struct line *l = &lines[i];
        struct reading reading;
        struct answer answer;
        cr_expect(line_read(l->line, strlen(l->line), &reading), "%s: nothing is known of '%s'", l->thread,
                  l->line);
        if (!line_read(l->line, strlen(l->line), &reading))
            continue;
        reading_answer(&reading, &answer);
        cr_expect(l->program ? text_is(answer.program, l->program) : !answer.program, "%s: program '%s' ('%s')",
                  l->thread, answer.program, l->line);
        expect_named(&reading, l->thread, l->line, l->status, l->err, l->word);
        cr_expect(has(answer.means, l->means) || has(answer.also, l->means), "%s: means '%s', '%s'", l->thread,
                  answer.means, answer.also);
        cr_expect(!l->end || has(answer.end, l->end), "%s: end '%s' ('%s')", l->thread, answer.end, l->line);
        cr_expect(!l->cause || has_cause(&answer, l->cause), "%s: no cause '%s' ('%s')", l->thread, l->cause,
                  l->line);
        cr_expect(!l->check || (answer.checks && text_in_list(answer.checks, l->check)),
                  "%s: checks '%s' ('%s')", l->thread, answer.checks, l->line);
    }
}

static void answer_to(const char *line, struct reading *reading, struct answer *answer)
{
    cr_assert(line_read(line, strlen(line), reading), "%s", line);
    reading_answer(reading, answer);
}

Test(messages, locked_memory_is_no_cause_beside_another_errno)
{
    static const char *const lines_of[] = { "register mr failed with error: Cannot allocate memory",
                                            "register mr failed with error: Bad address" };
    for (size_t i = 0; i < ARRAY_SIZE(lines_of); i++) {
        struct reading reading;
        struct answer answer;
        answer_to(lines_of[i], &reading, &answer);
        cr_expect_eq(strstr(answer.causes, "the limit on locked memory") != NULL, i == 0, "%s: %s", lines_of[i],
                     answer.causes);
        cr_expect(*answer.causes && answer.causes[strlen(answer.causes) - 1] != '\n');
        cr_expect_eq(answer.checks && text_in_list(answer.checks, "memlock-limit"), i == 0, "%s: %s",
                     lines_of[i], answer.checks);
    }
}

/* Causes that a record binds to an errno: first with it, not at all with another, and in their order without.
 */
Test(messages, causes_go_with_the_errno_of_the_line)
{
    static const struct {
        const char *line, *first, *none;
    } cases[] = {
        { "ibv_post_send failed: Cannot allocate memory", "more under way", "inline data" },
        { "ibv_post_send failed: Invalid argument", "more entries or inline data", "more under way" },
        { "ibv_post_send failed", "more under way", "\n?" },
        { "ibv_post_send failed: File name too long", "the queue pair isn't connected", "more under way" },
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct reading reading;
        struct answer answer;
        answer_to(cases[i].line, &reading, &answer);
        cr_expect(text_starts(answer.causes, cases[i].first), "%s: %s", cases[i].line, answer.causes);
        cr_expect_not(has_cause(&answer, cases[i].none), "%s: %s", cases[i].line, answer.causes);
    }
}

/* However many a record has for different errnos. */
Test(messages, no_more_causes_than_there_is_room_for)
{
    size_t most = 0;
    for (const struct message *message = messages_all(); message->pattern; message++) {
        const struct reading reading = { .message = message, .program = message->program, .status = -1 };
        struct answer answer;
        reading_answer(&reading, &answer);
        size_t causes = *answer.causes != '\0';
        for (const char *at = answer.causes; (at = strchr(at, '\n')); at++)
            causes++;
        most = causes > most ? causes : most;
        cr_expect_not(has(answer.causes, "?E"), "%s: %s", message->pattern, answer.causes);
    }
    cr_expect_eq(most, LIKELY_CAUSES);
}

/* An errno is told; what it may mean for any call isn't where the message says all itself, or the step does. */
Test(messages, a_general_errno_adds_nothing_to_what_says_more)
{
    struct reading reading;
    struct answer answer;
    answer_to("mtl_ofi_component.c:702: EFA specific fi_getinfo(): No data available", &reading, &answer);
    cr_expect_eq(reading.err, ENODATA);
    cr_expect(!*answer.causes && !answer.also && !answer.checks, "%s", answer.causes);
    answer_to("ibv_modify_qp failed: Invalid argument", &reading, &answer);
    cr_expect(has(answer.means, "Failed to modify QP to RTR") && !answer.also, "%s", answer.also);
    cr_expect(text_starts(answer.causes, "a GID index that is empty"), "%s", answer.causes);
    cr_expect(has(answer.end, "this host"), "%s: of the errno's own, all the same", answer.end);
}

/* Numbers that programs return are errnos of those that do so; UCX' input/output error is none. */
Test(messages, what_looks_like_an_errno_is_one_where_it_is_meant)
{
    struct reading reading;
    struct answer answer;
    answer_to("VMA ERROR: qpm[0x1]:625:prepare_ibv_qp() failed to modify QP from ERR to INIT state (ret = -3)",
              &reading, &answer);
    cr_expect_eq(reading.err, 0);
    answer_to("failed to register user buffer datatype 0x80: Input/output error", &reading, &answer);
    cr_expect_eq(reading.err, 0);
    answer_to("CIFS: VFS: smbd_post_send:815 ib_post_send failed rc=-22", &reading, &answer);
    cr_expect_eq(reading.err, EINVAL);
}

/* A thousand lines that programs and drivers print where all is well, or that say nothing of RDMA
 * (innocent.txt), each below its source. */
Test(messages, innocent_lines_are_silent)
{
    char line[LINE_MOST + 2];
    struct reading reading;
    size_t seen = 0;
    FILE *file = fopen("tests/unit/innocent.txt", "re");
    cr_assert(file);
    while (fgets(line, sizeof(line), file)) {
        line[strcspn(line, "\n")] = '\0';
        if (text_starts(line, "# ") && seen == 0)
            continue;
        if (text_starts(line, "=== "))
            continue;
        seen++;
        cr_expect_not(line_read(line, strlen(line), &reading), "'%s'", line);
    }
    fclose(file);
    cr_assert_geq(seen, 1200);
}

/* The number of bytes of a pattern's element at the beginning of text, and what may stand there in a line. */
static size_t element_of(const char *text, const char **line)
{
    static const char *const elements[][2] = {
        { "*", " x " },
        { "{status}", "12" },
        { "{syndrome}", "0x15" },
        { "{errno}", "-18" },
        { "{error}", "Invalid cross-device link" },
        { "{negative}", "-18" },
        { "{reject}", "8" },
        { "{event}", "RDMA_CM_EVENT_REJECTED" },
        { "{eventname}", "REJECTED" },
        { "{cmevent}", "8" },
        { "{async}", "port error" },
        { "{asyncnumber}", "10" },
        { "{address}", "10.0.0.1:4420" },
    };
    for (size_t i = 0; i < ARRAY_SIZE(elements); i++)
        if (text_starts(text, elements[i][0])) {
            *line = elements[i][1];
            return strlen(elements[i][0]);
        }
    return 0;
}

/* A line that a pattern fits, with the n-th of each choice. */
static char *sample_of(const char *pattern, size_t n)
{
    struct bytes line = { 0 };
    for (const char *at = pattern + strspn(pattern, "~^"), *word; *at;) {
        size_t len = element_of(at, &word), end = strcspn(at, ")");
        if (*at == '(' && at[end] && memchr(at, '|', end)) {
            char *choice = mem_printf("%.*s", (int)end - 1, at + 1), *rest = choice, *one = strsep(&rest, "|");
            for (size_t i = 0; i < n && rest; i++)
                one = strsep(&rest, "|");
            bytes_printf(&line, "%s", one);
            free(choice);
            at += end + 1;
        } else if (len) {
            bytes_printf(&line, "%s", word);
            at += len;
        } else {
            bytes_printf(&line, "%.*s", *at != '$' || at[1], at);
            at++;
        }
    }
    return line.data;
}

/* A record that no line reaches is dead. */
Test(messages, none_is_hidden_by_those_before_it)
{
    enum { CHOICES_MOST = 24 };
    for (const struct message *message = messages_all(); message->pattern; message++) {
        bool is_reached = false;
        for (size_t n = 0; n < CHOICES_MOST && !is_reached; n++) {
            char *line = sample_of(message->pattern, n);
            struct reading reading = { 0 };
            is_reached = line && line_read(line, strlen(line), &reading) && reading.message &&
                         (reading.message == message || text_same(reading.message->means, message->means));
            free(line);
        }
        cr_expect(is_reached, "'%s'", message->pattern);
    }
}

Test(messages, each_says_something_and_names_checks_that_exist)
{
    char word[64];
    for (const struct message *message = messages_all(); message->pattern; message++)
        cr_expect(!message->checks || !check_list_unknown(message->checks, word), "%s: no check '%s'",
                  message->pattern, word);
    /* kernel-log goes by lines about a device, which those of modules aren't */
    for (const struct message *message = messages_all(); message->pattern; message++)
        cr_expect_not(strstr(message->pattern, "Unknown symbol") && message->checks &&
                          text_in_list(message->checks, "kernel-log"),
                      "%s", message->pattern);
    for (size_t t = 0; word_tables[t]; t++)
        for (const struct word *w = words_in(word_tables[t]); w->name; w++) {
            cr_expect(!w->checks || !check_list_unknown(w->checks, word), "%s: no check '%s'", w->name, word);
            cr_expect(w->number < 0 || word_numbered(word_tables[t], w->number) == w, "%s %d is there twice",
                      w->name, w->number);
        }
    for (int status = 1; status < status_count; status++)
        cr_expect(wc_text(status) && text_starts(wc_name(status), "IBV_WC_"));
}

Test(messages, statuses_that_people_meet_have_an_end_and_causes)
{
    static const int met[] = { 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 16, 19, 20, 21 };
    for (size_t i = 0; i < sizeof(met) / sizeof(*met); i++) {
        const struct meaning *meaning = failure_meaning(&(struct failure){ .wc_status = met[i] });
        char causes[LIKELY_TEXT_SIZE] = "";
        cr_assert(meaning && meaning->text && meaning->end, "status %d", met[i]);
        meaning_likely(meaning, "\n", causes);
        cr_expect(strchr(causes, '\n'), "status %d", met[i]);
    }
}

/* A peer that is gone answers nothing (12); one that answers with 11 has an error of its own. */
Test(messages, who_answers_is_not_gone)
{
    char causes[LIKELY_TEXT_SIZE];
    meaning_likely(failure_meaning(&(struct failure){ .wc_status = IBV_WC_REM_OP_ERR }), "\n", causes);
    cr_expect_not(strstr(causes, "went away"), "%s", causes);
}

Test(messages, every_cause_and_step_has_words)
{
    for (int cause = CAUSE_NONE + 1; cause < CAUSES; cause++)
        cr_expect(cause_words[cause].text, "cause %d", cause);
    for (int step = 0; step < STEPS; step++)
        cr_expect(step_text((enum step)step), "step %d", step);
}

Test(messages, syndromes_of_mlx5)
{
    cr_expect_eq(syndrome_status(0x15), IBV_WC_RETRY_EXC_ERR);
    cr_expect_eq(syndrome_status(0x05), IBV_WC_WR_FLUSH_ERR);
    cr_expect_eq(syndrome_status(0x99), -1);
}

/* roce's words for a port: each that a recorded machine makes it say is one that it can explain. */
Test(messages, verdicts_of_ports_are_words)
{
    static const char *const machines[] = { "fault-link", "mlx5-dual-port",     "fault-gid", "rxe-plain",
                                            "siw-plain",  "mlx5-switchdev-vfs", "mana-raw" };
    static const struct check_selection glance = { .glance = true };
    for (size_t i = 0; i < sizeof(machines) / sizeof(*machines); i++) {
        const char *path = tree_fixture(machines[i]);
        struct source *source;
        struct recording_fault fault;
        struct host *host;
        cr_assert_eq(source_open_recording(path, &source, &fault), 0, "%s", machines[i]);
        cr_assert_eq(host_read(source, check_needs(&glance), &host), 0);
        struct arena *arena = arena_new();
        struct report report = check_run(host, NULL, 0, &glance, arena);
        for (size_t d = 0; d < host->ndevices; d++)
            for (size_t p = 0; p < host->devices[d].nports; p++) {
                const char *word = check_port_verdict(&report, &host->devices[d].ports[p]).word;
                cr_expect(check_find(word) || word_find(&words_port_verdicts, word), "%s", word);
                const char *state = host->devices[d].ports[p].state_text;
                cr_expect(!state || word_find(&words_port_states, state), "%s", state);
            }
        arena_free(arena);
        host_free(host);
        source_close(source);
    }
    for (int v = 0; v < VERDICTS; v++)
        cr_expect(word_find(&words_verdicts, verdict_name((enum verdict)v)), "%s",
                  verdict_name((enum verdict)v));
}

/* -- what of a host a line names */

static struct gid gids[] = {
    { .index = 0, .raw = { 0xfe, 0x80, [15] = 1 }, .type = GID_TYPE_IB_ROCE_V1 },
    { .index = 1, .raw = { 0xfe, 0x80, [15] = 1 }, .type = GID_TYPE_ROCE_V2 },
    { .index = 3, .raw = { [10] = 0xff, 0xff, 10, 0, 0, 7 }, .type = GID_TYPE_ROCE_V2 },
};
static struct port ports[] = { { .number = 1, .netdev = "ens1" },
                               { .number = 2, .netdev = "ens2", .gids = gids, .ngids = 3 },
                               { .number = 1, .netdev = "ens3" } };
static struct device devices[] = { { .name = "mlx5_1", .ports = &ports[0], .nports = 2, .pci = "0000:41:00.0" },
                                   { .name = "mlx5_10", .ports = &ports[2], .nports = 1 } };
static const struct host host = { .devices = devices, .ndevices = 2 };

static size_t mentions(const char *line, struct arena *arena, struct mention found[static MENTIONS_MOST])
{
    for (size_t i = 0; i < 3; i++)
        ports[i].device = &devices[i / 2];
    return mention_find(&host, line, strlen(line), arena, found);
}

Test(messages, names_of_devices_and_ports_are_found_whole)
{
    struct arena *arena = arena_new();
    struct mention found[MENTIONS_MOST];
    cr_assert_eq(mentions("NET/IB : mlx5_1:2 Got async event", arena, found), 1);
    cr_expect_eq(found[0].port, &ports[1]);
    cr_expect_str_eq(found[0].text, "mlx5_1:2");
    cr_assert_eq(mentions("on mlx5_10/RoCE (synd", arena, found), 1);
    cr_expect_eq(found[0].port, &ports[2], "its only port");
    cr_assert_eq(mentions("infiniband mlx5_1: dump", arena, found), 1);
    cr_expect(found[0].device == &devices[0] && !found[0].port, "it has two");
    cr_expect_eq(mentions("xmlx5_1 mlx5_11 mlx5_1a mlx5_1:3", arena, found), 1);
    cr_expect_null(found[0].port);
    cr_expect_eq(mentions("peer_nic: 10.9.8.7:1@mlx5_10", arena, found), 1,
                 "the peer's device, and its address");
    cr_expect_null(found[0].device);
    cr_assert_eq(mentions("ens2: link down, mlx5_core 0000:41:00.0: failed", arena, found), 1,
                 "the device of the port, once");
    cr_expect_eq(found[0].port, &ports[1]);
    arena_free(arena);
}

Test(messages, addresses_are_found_however_they_are_written)
{
    struct arena *arena = arena_new();
    struct mention found[MENTIONS_MOST];
    cr_assert_eq(mentions("localGid ::ffff:10.0.0.7 remoteGids::ffff:10.0.0.8", arena, found), 2);
    cr_expect_eq(found[0].gid, &gids[2]);
    cr_expect(!found[1].device && strcmp(found[1].text, "::ffff:10.0.0.8") == 0, "%s", found[1].text);
    cr_assert_eq(mentions("from peer 10.0.0.7<33057> with", arena, found), 1);
    cr_expect_eq(found[0].gid, &gids[2]);
    cr_expect_eq(mentions("async_rdma::mr_allocator, std::bad_alloc", arena, found), 0, "names of C++");
    cr_assert_eq(mentions("remoteGidsfe80::1", arena, found), 1);
    cr_expect_eq(found[0].gid, &gids[1], "of two RoCE v2's");
    cr_assert_eq(mentions("GID: (GID_Index 1) fe:80:00:00:00:00:00:00:00:00:00:00:00:00:00:01", arena, found),
                 1);
    cr_expect_eq(found[0].gid, &gids[1]);
    cr_assert_eq(mentions("traddr 10.0.0.7:4420.", arena, found), 1);
    cr_expect_eq(found[0].port, &ports[1]);
    cr_expect_eq(mentions("at 12:00:01, version 1.2.3, 0.0.0.0 :: 127.0.0.1 rdma.c:2633:x", arena, found), 0);
    cr_expect_eq(mentions("join ff12:401b:ffff::16 and 224.0.0.1 netmask 255.255.255.0", arena, found), 0,
                 "no port's");
    arena_free(arena);
}

Test(messages, no_more_mentions_than_there_is_room_for)
{
    struct arena *arena = arena_new();
    struct mention found[MENTIONS_MOST];
    cr_expect_eq(mentions("10.0.1.1 10.0.1.2 10.0.1.3 10.0.1.4 10.0.1.5 10.0.1.6 10.0.1.7 10.0.1.8 10.0.1.9",
                          arena, found),
                 MENTIONS_MOST);
    arena_free(arena);
}

Test(messages, what_tables_and_logs_say_is_a_term)
{
    for (int i = DISTANCE_PIX; i <= DISTANCE_SYS; i++)
        cr_expect(term_find(distance_text((enum distance)i)), "%s", distance_text((enum distance)i));
    static const char *const words[] = { "C2C",  "MPS",        "mrrs",    "ATS", "relaxed ordering",
                                         "rail", "flow label", "ECMP",    "QPN", "CQE",
                                         "NAK",  "RoCEv2",     "RoCE v1", "PXN", "link flap" };
    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
        cr_expect(term_find(words[i]), "%s", words[i]);
}
