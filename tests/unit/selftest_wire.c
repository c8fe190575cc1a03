/* SPDX-License-Identifier: MIT */
/* The handshake: what is encoded comes back, what lies in length or range is refused. */
#include <criterion/criterion.h>

#include "selftest/diagnosis/diagnosis.h"
#include "selftest/peer/protocol.h"

static uint8_t bytes[WIRE_HEADER_SIZE + WIRE_BODY_MOST];
static struct wire_message in, out;

/* Encodes out; decodes it into in. */
static int there_and_back(void)
{
    enum wire_type type;
    size_t length;
    int len = wire_encode(&out, bytes, sizeof(bytes));
    if (len < 0)
        return len;
    int r = wire_decode_header(bytes, &type, &length);
    if (r < 0)
        return r;
    cr_assert_eq(length + WIRE_HEADER_SIZE, (size_t)len);
    return wire_decode(type, bytes + WIRE_HEADER_SIZE, length, &in);
}

/* Is what came back encoded as what was sent? (Structures have padding, whose bytes are anyone's.) */
static bool comes_back_whole(void)
{
    uint8_t again[sizeof(bytes)];
    if (there_and_back() < 0)
        return false;
    int len = wire_encode(&out, bytes, sizeof(bytes));
    return wire_encode(&in, again, sizeof(again)) == len && memcmp(again, bytes, (size_t)len) == 0;
}

static void fill_open(void)
{
    out = (struct wire_message){ .type = WIRE_OPEN };
    out.open = (struct wire_open){ .pair.gid = 3,
                                   .pair.raw = { 0xfe, 0x80, [15] = 9 },
                                   .pair.type = 2,
                                   .mtu = 4096,
                                   .pair.traffic_class = 106,
                                   .pair.hop_limit = 64,
                                   .rd_atomic = 16,
                                   .timeout = 5000,
                                   .ends = { .buffer = { 0x123456789abcdef0, 0xfedcba9876543210, 0xdeadbeef,
                                                         8 << 20 },
                                             .count = 2,
                                             .queues = { { QUEUE_RC, 17, 0xffffff, 0, 0, 0 },
                                                         { QUEUE_UD, 0xffffff, 0, 0x7fffffff, 5, 12 } } } };
}

static void fill_trial(void)
{
    out = (struct wire_message){ .type = WIRE_TRIAL };
    out.trial = (struct trial){ .kind = TRIAL_BANDWIDTH,
                                .op = OP_WRITE,
                                .queue = QUEUE_RC,
                                .queues = 4,
                                .size = 65536,
                                .count = 1000,
                                .seed = 0xabcd1234,
                                .timeout = 5000 };
}

Test(selftest_wire, open_comes_back)
{
    fill_open();
    cr_assert_eq(there_and_back(), 0);
    cr_assert_eq(in.type, WIRE_OPEN);
    cr_assert_arr_eq(in.open.pair.raw, out.open.pair.raw, 16);
    cr_assert_eq(in.open.ends.buffer.address, 0x123456789abcdef0);
    cr_assert_eq(in.open.ends.buffer.rkey, 0xdeadbeef);
    cr_assert_eq(in.open.ends.queues[0].psn, 0xffffff);
    cr_assert_eq(in.open.ends.queues[1].kind, QUEUE_UD);
    cr_assert_eq(in.open.ends.queues[1].qkey, 0x7fffffff);
    cr_assert_eq(in.open.pair.traffic_class, 106);
}

Test(selftest_wire, a_probe_comes_back)
{
    out = (struct wire_message){ .type = WIRE_PROBE };
    out.probe = (struct wire_probe){ .pair.gid = 7,
                                     .pair.raw = { [15] = 9 },
                                     .pair.type = 2,
                                     .pair.traffic_class = 106,
                                     .pair.hop_limit = 1,
                                     .queue = { QUEUE_UD, 0x123456, 0x654321, 0x12345678, 0, 0 } };
    cr_assert(comes_back_whole());
    cr_assert_eq(in.probe.queue.psn, 0x654321);
    cr_assert_eq(in.probe.pair.traffic_class, 106);
    out.probe.queue.qkey = 0x80000000;
    cr_assert_lt(there_and_back(), 0);
    out = (struct wire_message){ .type = WIRE_NONCE, .nonce = { 1, [15] = 2 } };
    cr_assert_eq(there_and_back(), 0);
    cr_assert_arr_eq(in.nonce, out.nonce, WIRE_NONCE_SIZE);
}

Test(selftest_wire, paths_come_back)
{
    out = (struct wire_message){ .type = WIRE_PATHS };
    out.open = (struct wire_open){ .pair.gid = 3,
                                   .pair.raw = { [15] = 9 },
                                   .mtu = 1024,
                                   .pair.traffic_class = 106,
                                   .pair.hop_limit = 64,
                                   .ends = { .count = SET_QUEUES_MOST, .buffer = { 1, 2, 3, 65536 } } };
    for (uint32_t i = 0; i < SET_QUEUES_MOST; i++)
        out.open.ends.queues[i] = (struct queue_description){ QUEUE_RC, 17 + i, i, 0, 0, 0 };
    out.open.ends.queues[QUEUE_UD] = (struct queue_description){ QUEUE_UD, 5, 6, 7, 0, 0 };
    for (uint32_t i = 0; i < PATHS_MOST; i++)
        out.open.labels[i] = 0xfffff - i;
    cr_assert(comes_back_whole());
    cr_assert_eq(in.open.labels[PATHS_MOST - 1], 0xfffff - PATHS_MOST + 1);
    cr_assert_eq(in.open.ends.queues[7].qpn, 24);
    cr_assert_eq(in.open.ends.queues[QUEUE_UD].qkey, 7);
    out.open.labels[0] = 0x100000;
    cr_assert_lt(there_and_back(), 0);
    out.open.labels[0] = 1;
    out.open.ends.count = SET_QUEUES_MOST + 1;
    cr_assert_lt(there_and_back(), 0);
    out.open.ends.count = QUEUE_KINDS - 1;
    cr_assert_lt(there_and_back(), 0);
}

Test(selftest_wire, exchanges_come_back)
{
    out = (struct wire_message){ .type = WIRE_EXCHANGE };
    out.exchange = (struct exchange_plan){
        .speaks = true, .messages = 8, .count = 2, .sizes = { 0, EXCHANGE_SIZE_MOST }
    };
    cr_assert(comes_back_whole());
    cr_assert_eq(in.exchange.sizes[1], EXCHANGE_SIZE_MOST);
    out.exchange.sizes[1]++;
    cr_assert_lt(there_and_back(), 0);
    out.exchange.sizes[1]--;
    out.exchange.messages = EXCHANGE_MESSAGES + 1;
    cr_assert_lt(there_and_back(), 0);
    out.exchange.messages = 0; /* nothing to say */
    cr_assert_lt(there_and_back(), 0);
    out.exchange.messages = 8;
    out.exchange.datagrams = true; /* are echoed only */
    cr_assert_lt(there_and_back(), 0);
    out = (struct wire_message){ .type = WIRE_EXCHANGED, .exchanged.count = 1 };
    out.exchanged.seen[0] = (struct exchange_seen){ 7, 6, 5, 12, EXCHANGE_NO_CLASS, 1ull << 40, 0 };
    cr_assert(comes_back_whole());
    cr_assert_eq(in.exchanged.seen[0].held, 1ull << 40);
}

Test(selftest_wire, priorities_come_back)
{
    out = (struct wire_message){ .type = WIRE_PRIORITIES };
    cr_assert(comes_back_whole()); /* the question */
    cr_assert_not(in.priorities.counts.known);
    out.priorities = (struct wire_priorities){
        .netdevs = "eth0,eth1",
        .counts = { .known = true, .received = { 1, [7] = 1ull << 63 }, .sent = { [3] = 5 } }
    };
    cr_assert(comes_back_whole());
    cr_assert_str_eq(in.priorities.netdevs, "eth0,eth1");
    cr_assert(in.priorities.counts.known);
    cr_assert_eq(in.priorities.counts.received[7], 1ull << 63);
    cr_assert_eq(in.priorities.counts.sent[3], 5);
}

/* Names and places are of PROVEN; an offer has none of them. */
Test(selftest_wire, only_who_is_proven_hears_names)
{
    out = (struct wire_message){ .type = WIRE_PROVEN };
    out.proven = (struct wire_proven){ .host = "node7",
                                       .gid = { .raw = { [15] = 9 }, 2, 1, 3, 4096, "mlx5_0" },
                                       .test_ms = 600000 };
    struct wire_gid gid = out.proven.gid;
    cr_assert_eq(there_and_back(), 0);
    cr_assert_str_eq(in.proven.host, "node7");
    cr_assert_str_eq(in.proven.gid.device, "mlx5_0");
    cr_assert_eq(in.proven.gid.mtu, 4096);
    cr_assert_eq(in.proven.test_ms, 600000);
    memset(bytes, 0, sizeof(bytes));
    out = (struct wire_message){ .type = WIRE_OFFER, .offer = { .ngids = 1, .gids = { gid } } };
    cr_assert_eq(there_and_back(), 0);
    cr_assert_str_empty(in.offer.gids[0].device);
    cr_assert_eq(in.offer.gids[0].port + in.offer.gids[0].index + in.offer.gids[0].mtu, 0);
    cr_assert_eq(memmem(bytes, sizeof(bytes), "mlx5_0", 6), NULL);
}

Test(selftest_wire, failure_comes_back_as_the_other_hosts)
{
    out = (struct wire_message){ .type = WIRE_OUTCOME };
    out.outcome.messages = 77;
    out.outcome.failure = (struct failure){
        .step = STEP_RTR, .err = ENETUNREACH, .wc_status = 12, .vendor_err = 0x81
    };
    snprintf(out.outcome.failure.text, FAILURE_TEXT_SIZE, "because");
    cr_assert_eq(there_and_back(), 0);
    cr_assert_eq(in.outcome.failure.step, STEP_RTR);
    cr_assert_eq(in.outcome.failure.err, ENETUNREACH);
    cr_assert_eq(in.outcome.failure.wc_status, 12);
    cr_assert_eq(in.outcome.failure.vendor_err, 0x81);
    cr_assert_str_eq(in.outcome.failure.text, "because");
    cr_assert(in.outcome.failure.remote);
    cr_assert_not(out.outcome.failure.remote);
    out.outcome.failure.wc_status = 0;
    cr_assert_eq(there_and_back(), 0);
    cr_assert_eq(in.outcome.failure.wc_status, 0);
}

/* What other versions of the program send and read: no status is 0, any other one more than its number. */
Test(selftest_wire, a_failure_on_the_wire)
{
    static const uint8_t none[] = { 0, 10, 0, 101, 0, 0, 0, 0, 0, 0x81, 2, 'n', 'o' },
                         status[] = { 0, 14, 0, 0, 0, 13, 0, 0, 0, 0x81, 2, 'n', 'o' };
    out = (struct wire_message){ .type = WIRE_FAILURE };
    out.failure = (struct failure){ .step = STEP_RTR, .err = ENETUNREACH, .vendor_err = 0x81, .text = "no" };
    cr_assert_eq(there_and_back(), 0);
    cr_assert_arr_eq(bytes + WIRE_HEADER_SIZE, none, sizeof(none));
    out.failure.step = STEP_FIRST;
    out.failure.err = 0;
    out.failure.wc_status = 12;
    cr_assert_eq(there_and_back(), 0);
    cr_assert_arr_eq(bytes + WIRE_HEADER_SIZE, status, sizeof(status));
}

Test(selftest_wire, full_messages_fit)
{
    out = (struct wire_message){ .type = WIRE_OFFER };
    out.offer.ngids = WIRE_GIDS_MOST;
    for (uint32_t i = 0; i < WIRE_GIDS_MOST; i++) {
        out.offer.gids[i] = (struct wire_gid){ .raw = { [15] = (uint8_t)i }, .type = 2 };
    }
    cr_assert_eq(there_and_back(), 0);
    cr_assert_eq(in.offer.gids[WIRE_GIDS_MOST - 1].raw[15], WIRE_GIDS_MOST - 1);
    out = (struct wire_message){ .type = WIRE_COUNTERS };
    out.counters.ncounters = GROWN_COUNTERS_MOST;
    for (uint32_t i = 0; i < GROWN_COUNTERS_MOST; i++) {
        memset(out.counters.counters[i].name, 'y', WIRE_NAME_SIZE - 1);
        out.counters.counters[i].delta = UINT64_MAX;
    }
    cr_assert_eq(there_and_back(), 0);
    cr_assert_eq(in.counters.counters[GROWN_COUNTERS_MOST - 1].delta, UINT64_MAX);
}

Test(selftest_wire, headers_are_checked)
{
    enum wire_type type;
    size_t length;
    uint8_t header[WIRE_HEADER_SIZE] = { 'R', 'o', 'C', 'E', 0, WIRE_VERSION, 0, 1, 0, 0, 0, 0 };
    cr_assert_eq(wire_decode_header(header, &type, &length), 0);
    header[5] = 1;
    cr_assert_eq(wire_decode_header(header, &type, &length), -EPROTONOSUPPORT);
    header[5] = WIRE_VERSION;
    header[7] = 0;
    cr_assert_eq(wire_decode_header(header, &type, &length), -EPROTO);
    header[7] = WIRE_TYPES;
    cr_assert_eq(wire_decode_header(header, &type, &length), -EPROTO);
    header[7] = 1;
    header[8] = 0xff;
    cr_assert_eq(wire_decode_header(header, &type, &length), -EMSGSIZE);
    header[0] = 'G';
    cr_assert_eq(wire_decode_header(header, &type, &length), -EPROTO);
}

/* Every shorter body, and every longer one, is refused. */
Test(selftest_wire, lengths_are_checked)
{
    fill_open();
    int len = wire_encode(&out, bytes, sizeof(bytes));
    size_t body = (size_t)len - WIRE_HEADER_SIZE;
    for (size_t n = 0; n < body; n++)
        cr_assert_eq(wire_decode(WIRE_OPEN, bytes + WIRE_HEADER_SIZE, n, &in), -EPROTO, "%zu bytes", n);
    cr_assert_eq(wire_decode(WIRE_OPEN, bytes + WIRE_HEADER_SIZE, body + 1, &in), -EPROTO);
    cr_assert_eq(wire_decode(WIRE_OPEN, bytes + WIRE_HEADER_SIZE, body, &in), 0);
    cr_assert_eq(wire_encode(&out, bytes, (size_t)len - 1), -EMSGSIZE);
    cr_assert_eq(wire_encode(&out, bytes, 4), -EMSGSIZE);
}

#define REFUSED(change)                                   \
    do {                                                  \
        change;                                           \
        cr_assert_lt(there_and_back(), 0, "%s", #change); \
    } while (0)

Test(selftest_wire, ranges_are_checked)
{
    fill_open();
    REFUSED(out.open.mtu = 1500);
    REFUSED(out.open.mtu = 8192);
    REFUSED(out.open.mtu = 0);
    fill_open();
    REFUSED(out.open.ends.queues[1].qpn = 0x1000000);
    fill_open();
    REFUSED(out.open.ends.queues[1].kind = QUEUE_KINDS);
    fill_open();
    REFUSED(out.open.ends.queues[1].qkey = 0x80000000);
    fill_open();
    REFUSED(out.open.ends.count = QUEUES_MOST + 1);
    fill_open();
    REFUSED(out.open.pair.gid = WIRE_GIDS_MOST);
    fill_open();
    REFUSED(out.open.timeout = 0);
    fill_open();
    REFUSED(out.open.ends.buffer.size = TRIAL_SIZE_MOST + 1);
    fill_open();
    REFUSED(out.open.pair.hop_limit = 0);
    fill_open();
    REFUSED(out.open.pair.type = WIRE_GID_IWARP + 1);
}

Test(selftest_wire, trials_are_checked)
{
    fill_trial();
    cr_assert(comes_back_whole());
    cr_assert_eq(in.trial.seed, 0xabcd1234);
    cr_assert_eq(in.trial.count, 1000);
    REFUSED(out.trial.size = TRIAL_SIZE_MOST + 1);
    REFUSED(out.trial.size = 0);
    fill_trial();
    REFUSED(out.trial.op = OPERATIONS);
    fill_trial();
    REFUSED(out.trial.queue = QUEUE_UD);
    fill_trial();
    REFUSED(out.trial.queues = 0);
    fill_trial();
    REFUSED(out.trial.queues = QUEUES_MOST);
    fill_trial();
    REFUSED(out.trial.count = 0);
    fill_trial();
    REFUSED(out.trial.timeout = TRIAL_TIMEOUT_MOST + 1);
    fill_trial();
    REFUSED(out.trial.flags = 32);
    fill_trial();
    REFUSED((out.trial.op = OP_FETCH_ADD, out.trial.kind = TRIAL_VERIFY, out.trial.queues = 1,
             out.trial.count = 1));
}

Test(selftest_wire, text_with_a_nul_inside_is_refused)
{
    static const uint8_t hello[] = { 3, 'a', 0, 'b', 0 };
    cr_assert_eq(wire_decode(WIRE_HELLO, hello, sizeof(hello), &in), -EPROTO);
    static const uint8_t good[] = { 1, 'a', 0 };
    cr_assert_eq(wire_decode(WIRE_HELLO, good, sizeof(good), &in), 0);
    cr_assert_str_eq(in.hello.program, "a");
    cr_assert_str_eq(in.hello.host, "");
}

/* What a lying server would forge rows of ping's text with, or change a terminal. */
Test(selftest_wire, another_hosts_text_is_one_clean_line)
{
    static const char *const texts[][2] = { { "a\nb", "a?b" },
                                            { "\r\t\x1b[2J\x7f", "???[2J?" },
                                            { "\xc2\x9b", "??" },      /* CSI as one character */
                                            { "\xe2\x80\xae", "???" }, /* what follows goes leftwards */
                                            { "caf\xc3\xa9", "caf\xc3\xa9" } };
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
        out = (struct wire_message){ .type = WIRE_FAILURE };
        snprintf(out.failure.text, sizeof(out.failure.text), "%s", texts[i][0]);
        cr_assert_eq(there_and_back(), 0);
        cr_expect_str_eq(in.failure.text, texts[i][1], "%zu", i);
        out = (struct wire_message){ .type = WIRE_COUNTERS, .counters.ncounters = 1 };
        snprintf(out.counters.counters[0].name, GROWN_NAME_SIZE, "%s", texts[i][0]);
        cr_assert_eq(there_and_back(), 0);
        cr_expect_str_eq(in.counters.counters[0].name, texts[i][1], "%zu", i);
    }
}

/* As protocol.h has them. */
Test(selftest_wire, questions_are_as_written)
{
    static const uint8_t counters[4], priorities[2 + 2 * 8 * PRIORITIES];
    cr_expect_eq(wire_decode(WIRE_COUNTERS, counters, sizeof(counters), &in), 0);
    cr_expect_eq(wire_decode(WIRE_PRIORITIES, priorities, sizeof(priorities), &in), 0);
}

Test(selftest_wire, an_errno_that_nobody_knows_is_said_as_a_number)
{
    struct diagnosis diagnosis;
    struct facts facts = { 0 };
    out = (struct wire_message){ .type = WIRE_FAILURE, .failure = { .step = STEP_REGISTER, .err = 4095 } };
    cr_assert_eq(there_and_back(), 0);
    diagnose(&in.failure, &facts, &diagnosis);
    cr_expect_str_eq(diagnosis.what, "the other host could not register memory: error 4095");
}

/* By hand, as the version before this one greets: "RoCE", 1, HELLO, a length. */
Test(wire, a_greeting_of_another_version_is_refused_as_that)
{
    uint8_t greeting[WIRE_HEADER_SIZE] = { 'R', 'o', 'C', 'E', 0, 1, 0, 1, 0, 0, 0, 2 };
    enum wire_type type;
    size_t length;
    struct diagnosis diagnosis;
    struct facts facts = { 0 };
    struct failure failure = { .step = STEP_HANDSHAKE, .err = EPROTONOSUPPORT, .remote = true };
    cr_assert_eq(wire_decode_header(greeting, &type, &length), -EPROTONOSUPPORT);
    greeting[5] = WIRE_VERSION + 1;
    cr_assert_eq(wire_decode_header(greeting, &type, &length), -EPROTONOSUPPORT);
    greeting[5] = WIRE_VERSION;
    cr_assert_eq(wire_decode_header(greeting, &type, &length), 0);
    cr_assert(type == WIRE_HELLO && length == 2);
    diagnose(&failure, &facts, &diagnosis);
    cr_assert(strstr(diagnosis.causes[0], "version"), "%s", diagnosis.causes[0]);
}
