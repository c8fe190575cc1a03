/* SPDX-License-Identifier: MIT */
/* Runs on a queue pair without a device: so many requests complete well, and then one doesn't. */
#include <criterion/criterion.h>
#include <infiniband/verbs.h>
#include <sys/socket.h>

#include "selftest/diagnosis/diagnosis.h"
#include "selftest/peer/protocol.h"
#include "selftest/peer/steps.h"
#include "selftest/test_run.h"
#include "selftest/trial/trial.h"

enum { SIZE = 65536, HALF = SIZE + ENDPOINT_MARGIN };

/* -- the device */

static uint64_t posted[QUEUE_DEPTH]; /* wr_id of what will complete */
static unsigned nposted, good;       /* so many more completions are good ones */
static bool silent;                  /* and after them comes nothing */
static uint64_t posted_bytes;        /* for the other end */
static enum ibv_wc_status then;      /* and after them come these */

/* Datagrams that come without end. */
static uint32_t flooding; /* bytes of each, 0: none come */
static uint32_t flooder;  /* the queue pair that they come from */
static unsigned answers;
static const uint8_t peer_gid[16] = { 0x20, 1, [15] = 2 };

static int post_recv(struct ibv_qp *qp, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad)
{
    (void)qp, (void)wr, (void)bad;
    return 0;
}

static int post_send(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad)
{
    (void)qp;
    (void)bad;
    answers++;
    for (; wr; wr = wr->next) {
        posted_bytes += wr->num_sge ? wr->sg_list->length : 0;
        if (wr->send_flags & IBV_SEND_SIGNALED)
            posted[nposted++] = wr->wr_id;
    }
    return 0;
}

static struct ibv_cq send_cq, recv_cq;

static int poll_cq(struct ibv_cq *cq, int count, struct ibv_wc *wc)
{
    if (flooding && cq == &recv_cq) {
        *wc = (struct ibv_wc){
            .src_qp = flooder, .byte_len = flooding, .wc_flags = IBV_WC_GRH, .status = IBV_WC_SUCCESS
        };
        return 1;
    }
    if (nposted == 0 || count == 0 || (silent && !good))
        return 0;
    *wc = (struct ibv_wc){ .wr_id = posted[0], .status = good ? IBV_WC_SUCCESS : then, .vendor_err = 0x81 };
    good -= good > 0;
    memmove(posted, posted + 1, --nposted * sizeof(*posted));
    return 1;
}

static int notify(struct ibv_cq *cq, int solicited_only)
{
    (void)cq, (void)solicited_only;
    return 0;
}

static struct ibv_context context = {
    .ops = { .poll_cq = poll_cq, .req_notify_cq = notify, .post_send = post_send, .post_recv = post_recv }
};
static struct ibv_cq send_cq = { .context = &context }, recv_cq = { .context = &context };
static struct ibv_qp qp = { .context = &context };
static struct ibv_mr mr;
static uint8_t buffer[2 * HALF];
static struct endpoint end = {
    .attr = { .max_qp_rd_atom = 1 }, .mr = &mr, .buffer = buffer, .half = HALF, .size = SIZE
};
static struct queue queue;
static struct set set = { .end = &end, .queues = { [QUEUE_RC] = &queue }, .count = QUEUE_KINDS };

static void begin(enum queue_kind kind, unsigned completions, enum ibv_wc_status status)
{
    queue = (struct queue){
        .end = &end, .kind = kind, .qp = &qp, .send_cq = &send_cq, .recv_cq = &recv_cq, .sends = QUEUE_DEPTH
    };
    nposted = 0;
    good = completions;
    then = status;
    flooding = answers = 0;
    silent = false;
    posted_bytes = 0;
}

/* -- the other end */

static int arm(struct peer *peer, const struct trial *trial, struct failure *failure)
{
    (void)peer;
    (void)trial;
    (void)failure;
    return 0;
}

static int reopen(struct peer *peer, struct set **again, struct failure *failure)
{
    (void)peer;
    (void)failure;
    *again = &set;
    return 0;
}

static struct peer peer = { .arm = arm, .finish = arm, .reopen = reopen, .fd = -1 };

/* One measurement of 1000 messages; its result, and did anything come through? */
static struct result measure(bool latency, enum operation op, bool *through)
{
    struct test_options options = { .latency = latency,
                                    .bandwidth = !latency,
                                    .operations = 1u << op,
                                    .iterations = 1000,
                                    .timeout = 1000,
                                    .queues = 1 };
    struct results results = { 0 };
    struct run run = { .options = &options,
                       .set = &set,
                       .peer = &peer,
                       .results = &results,
                       .template = { .device = "fake" },
                       .mtu = 1024 };
    cr_assert_eq(selftest_run(&run), 0);
    cr_assert_eq(results.count, 1);
    struct result result = results.items[0];
    free(results.items);
    *through = run.through;
    return result;
}

static const struct {
    bool latency;
    enum operation op;
} measurements[] = { { true, OP_READ }, { false, OP_WRITE }, { false, OP_READ } };

Test(selftest_run, nothing_ever_came_through)
{
    for (size_t i = 0; i < ARRAY_SIZE(measurements); i++) {
        bool through;
        begin(QUEUE_RC, 0, IBV_WC_RETRY_EXC_ERR);
        struct result r = measure(measurements[i].latency, measurements[i].op, &through);
        cr_assert_eq(r.verdict, VERDICT_FAIL, "%zu", i);
        cr_assert_eq(r.failure.step, STEP_FIRST, "%zu", i);
        cr_assert_eq(r.failure.wc_status, IBV_WC_RETRY_EXC_ERR, "%zu", i);
        cr_assert_not(through, "%zu", i);
    }
}

Test(selftest_run, data_came_through_before_a_measurement_failed)
{
    for (size_t i = 0; i < ARRAY_SIZE(measurements); i++) {
        bool through;
        begin(QUEUE_RC, 5, IBV_WC_RETRY_EXC_ERR);
        struct result r = measure(measurements[i].latency, measurements[i].op, &through);
        cr_assert_eq(r.verdict, VERDICT_FAIL, "%zu", i);
        cr_assert_eq(r.messages, 0, "%zu: not measured", i);
        cr_assert_eq(r.failure.step, STEP_COMPLETION, "%zu", i);
        cr_assert(through, "%zu", i);
    }
}

Test(selftest_run, a_round_without_answer_finds_the_bad_completion_behind_a_good_one)
{
    bool through;
    begin(QUEUE_RC, 1, IBV_WC_RETRY_EXC_ERR);
    nposted = 2;
    struct result r = measure(true, OP_WRITE, &through);
    cr_assert_eq(r.failure.wc_status, IBV_WC_RETRY_EXC_ERR);
    cr_assert_eq(r.failure.step, STEP_COMPLETION);
}

/* A server's TRIAL with a client whose path is proven, and which acknowledges so many packets before it falls
 * silent for good. Is it told that the test begins? *ms: how long the server had patience. */
static bool try_with(const struct trial *trial, unsigned acknowledged, uint64_t *ms)
{
    static struct session session;
    static struct connection connection;
    struct session_report report = { 0 };
    struct session_terms terms = { 0 };
    struct session_host host = { .idle_ms = 100, .test_ms = 2000, .session_ms = 10000 };
    uint8_t header[WIRE_HEADER_SIZE];
    enum wire_type type;
    size_t length;
    int ends[2];
    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends), 0);
    connection.fd = ends[0];
    begin(QUEUE_RC, acknowledged, IBV_WC_SUCCESS);
    silent = true;
    session = (struct session){ .side = { .connection = &connection, .set = &set, .in.trial = *trial },
                                .host = &host,
                                .terms = &terms,
                                .until = wait_now() + 10000000000,
                                .report = &report };
    uint64_t start = wait_now();
    session_on_trial(&session);
    *ms = (wait_now() - start) / 1000000;
    cr_assert_eq(recv(ends[1], header, sizeof(header), MSG_DONTWAIT), (ssize_t)sizeof(header));
    cr_assert_eq(wire_decode_header(header, &type, &length), 0);
    close(ends[0]);
    close(ends[1]);
    return type == WIRE_READY;
}

/* found.md V8: however much it asks for, four times what it has acknowledged, and a packet. */
Test(selftest_run, a_silent_client_is_sent_little)
{
    struct trial trials[] = {
        { TRIAL_BANDWIDTH, OP_WRITE, QUEUE_RC, TRIAL_BOTH_WAYS, 1, SIZE, 1000, 1, 50 },
        { TRIAL_BANDWIDTH, OP_SEND, QUEUE_RC, TRIAL_BOTH_WAYS, 1, SIZE, 1000, 1, 50 },
        { TRIAL_LATENCY, OP_WRITE, QUEUE_RC, 0, 1, SIZE, 1000, 1, 50 },
    };
    static const uint64_t most[] = { 0, 1024, 1024 + 4096, 1024 + 4096 + 16384 };
    uint64_t ms;
    for (size_t i = 0; i < ARRAY_SIZE(trials); i++)
        for (unsigned n = 0; n < ARRAY_SIZE(most); n++) {
            cr_expect_not(try_with(&trials[i], n, &ms), "%zu, %u", i, n);
            cr_expect_eq(posted_bytes, most[n], "%zu: %lu bytes for %u packets", i, posted_bytes, n);
        }
}

/* found.md V5: whatever time it asks for, no longer than between tests. */
Test(selftest_run, a_client_that_is_silent_in_a_test_is_soon_closed)
{
    struct trial trial = { TRIAL_LATENCY, OP_WRITE, QUEUE_RC, 0, 1, 64, 1000, 1, 60000 };
    uint64_t ms;
    cr_expect(try_with(&trial, 1000, &ms));
    cr_expect_leq(ms, 1000, "%lu ms", ms); /* three times idle_ms, on a busy machine */
    trial.op = OP_READ, trial.kind = TRIAL_VERIFY;
    cr_expect(try_with(&trial, 1000, &ms));
    cr_expect_leq(ms, 1000, "%lu ms", ms);
}

Test(selftest_run, what_is_sent_unreliably_proves_nothing_before_it_is_received)
{
    struct ibv_wc wc;
    struct failure failure;
    begin(QUEUE_UC, 2, IBV_WC_SUCCESS);
    struct ibv_send_wr wr = { .send_flags = IBV_SEND_SIGNALED };
    cr_assert_eq(queue_post_send(&queue, &wr, &failure), 0);
    cr_assert_eq(queue_poll(&queue, &send_cq, &wc, 1, &failure), 1);
    cr_assert_not(queue.used);
    cr_assert_eq(queue_post_send(&queue, &wr, &failure), 0);
    cr_assert_eq(queue_poll(&queue, &recv_cq, &wc, 1, &failure), 1);
    cr_assert(queue.used);
}

/* 16 rounds of 1 MiB take longer than a step on a healthy slow link. */
Test(selftest_run, each_round_of_large_messages_has_a_steps_time)
{
    const struct trial large = { .kind = TRIAL_LATENCY, .size = 1 << 20 }, small = { .size = 8 };
    for (uint64_t i = 0; i < 33; i++) {
        cr_expect(latency_renews(&large, i));
        cr_expect_eq(latency_renews(&small, i), i % 16 == 0);
    }
}

Test(selftest_run, causes_of_silence_in_the_middle)
{
    struct diagnosis d;
    struct failure failure;
    failure_wc(&failure, STEP_COMPLETION, IBV_WC_RETRY_EXC_ERR, 0);
    diagnose(&failure, &(struct facts){ .soft = true, .came_through = true }, &d);
    cr_assert(strstr(d.what, "could not complete a message: transport retry counter exceeded"), "%s", d.what);
    cr_assert(strstr(d.causes[0], "went away"), "%s", d.causes[0]);
    cr_assert(strstr(d.causes[1], "packets get lost"), "%s", d.causes[1]);
    cr_assert(strstr(d.causes[2], "was added on either host in the meantime"), "%s", d.causes[2]);
    cr_assert(strstr(d.checks, "firewall-4791"), "%s", d.checks);
    failure_set(&failure, STEP_COMPLETION, ETIMEDOUT, "%s", "");
    struct facts by_size = { .soft = true, .came_through = true, .smaller_pass = true, .size = 8 };
    diagnose(&failure, &by_size, &d);
    cr_assert_not(strstr(d.causes[0], "large packets"), "%s", d.causes[0]);
    by_size.size = 4096;
    diagnose(&failure, &by_size, &d);
    cr_assert(strstr(d.causes[0], "large packets"), "%s", d.causes[0]);
    struct failure retries;
    failure_wc(&retries, STEP_COMPLETION, IBV_WC_RETRY_EXC_ERR, 0);
    diagnose(&retries, &by_size, &d);
    cr_assert(strstr(d.causes[0], "large packets"), "%s", d.causes[0]);
    by_size.smaller_pass = false; /* it may as well be gone */
    diagnose(&retries, &by_size, &d);
    cr_assert(strstr(d.causes[0], "went away"), "%s", d.causes[0]);
    diagnose(&failure, &(struct facts){ .soft = true, .came_through = true, .peer_send_err = 7 }, &d);
    cr_assert(strstr(d.causes[0], "the other host drops its own packets: send_err grew by 7"), "%s",
              d.causes[0]);
    diagnose(&failure, &(struct facts){ .soft = true, .came_through = true, .send_err = 8 }, &d);
    cr_assert(strstr(d.causes[0], "this host drops its own packets: send_err grew by 8"), "%s", d.causes[0]);
}

/* Why there is no queue pair of a kind: the step and its errno, whose it was, or what somebody wrote. */
Test(selftest_run, a_missing_queue_pair_has_its_reason)
{
    char text[FAILURE_TEXT_SIZE];
    struct trial ud = { .op = OP_SEND, .queue = QUEUE_UD, .size = 8 };
    struct set none = { .end = &end, .count = QUEUE_KINDS };
    struct run run = { .set = &none };
    none.why[QUEUE_UD] = (struct failure){ .step = STEP_AH, .err = EINVAL };
    cr_expect(strstr(run_impossible(&run, &ud, text), "no UD here: could not "), "%s", text);
    cr_expect(strstr(text, "(EINVAL)"), "%s", text);
    none.why[QUEUE_UD].remote = true;
    cr_expect(strstr(run_impossible(&run, &ud, text), "(EINVAL), says the other host"), "%s", text);
    failure_set(&none.why[QUEUE_UD], STEP_QP, EOPNOTSUPP, "the other host has none");
    cr_expect_str_eq(run_impossible(&run, &ud, text), "no UD here: the other host has none");
}

/* What went wrong is no want of the device's: it fails, in a test as in a measurement. */
Test(selftest_run, what_went_wrong_is_a_failure)
{
    static const struct {
        enum step step;
        int err;
        enum verdict verdict;
    } cases[] = { { STEP_AH, EINVAL, VERDICT_FAIL },     { STEP_CQ, ENOMEM, VERDICT_FAIL },
                  { STEP_QP, EOPNOTSUPP, VERDICT_NA },   { STEP_QP, EINVAL, VERDICT_NA },
                  { STEP_RTR, ETIMEDOUT, VERDICT_FAIL }, { STEP_CM_CONNECT, EOPNOTSUPP, VERDICT_NA },
                  { STEP_RTR, EOPNOTSUPP, VERDICT_NA } };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
        for (int latency = 0; latency < 2; latency++) {
            struct test_options options = { .verify = !latency,
                                            .latency = latency,
                                            .operations = 1u << OP_SEND,
                                            .size_most = 64,
                                            .timeout = 50 };
            struct results results = { 0 };
            struct set none = { .end = &end, .count = QUEUE_KINDS };
            for (int kind = 0; kind < QUEUE_KINDS; kind++)
                none.why[kind] = (struct failure){ .step = cases[i].step, .err = cases[i].err };
            struct run run = {
                .options = &options, .set = &none, .peer = &peer, .results = &results, .mtu = 1024
            };
            cr_assert_eq(selftest_run(&run), 0);
            cr_assert_gt(results.count, 0);
            for (size_t k = 0; k < results.count; k++) {
                cr_expect_eq(results.items[k].verdict, cases[i].verdict, "%zu: %s", i,
                             results.items[k].operation);
                cr_expect_eq(results.items[k].failure.err, cases[i].verdict == VERDICT_FAIL ? cases[i].err : 0);
            }
            free(results.items);
        }
}

/* The other end says what went wrong there, by what travels between hosts. */
Test(selftest_run, the_far_end_s_reason_comes_here)
{
    struct failure failure;
    struct set far = { .end = &end, .count = QUEUE_KINDS };
    far.why[QUEUE_UD] = (struct failure){ .step = STEP_AH, .err = EINVAL };
    far.why[QUEUE_UC] = (struct failure){ .step = STEP_QP, .err = EOPNOTSUPP };
    static struct wire_message out, in;
    static uint8_t bytes[WIRE_HEADER_SIZE + WIRE_BODY_MOST];
    out = (struct wire_message){ .type = WIRE_OPENED, .opened.ends = set_describe(&far) };
    int len = wire_encode(&out, bytes, sizeof(bytes));
    cr_assert_gt(len, 0);
    cr_assert_eq(wire_decode(WIRE_OPENED, bytes + WIRE_HEADER_SIZE, (size_t)len - WIRE_HEADER_SIZE, &in), 0);
    struct set near = { .end = &end, .count = QUEUE_KINDS };
    near.queues[QUEUE_UD] = calloc(1, sizeof(struct queue));
    near.queues[QUEUE_UC] = calloc(1, sizeof(struct queue));
    near.queues[QUEUE_UD]->kind = QUEUE_UD;
    near.queues[QUEUE_UC]->kind = QUEUE_UC;
    struct path path = path_new(1024, 0, 64, 1);
    cr_assert_eq(set_connect(&near, &path, NULL, &in.opened.ends, &failure), 0);
    cr_expect(near.why[QUEUE_UD].remote);
    cr_expect_eq(near.why[QUEUE_UD].step, STEP_AH);
    cr_expect_eq(near.why[QUEUE_UD].err, EINVAL);
    cr_expect_str_eq(near.why[QUEUE_UC].text, "the other host has none");
    cr_expect(failure_is_refusal(&near.why[QUEUE_UC]));
}

/* A server has no run to ask whether anything came through: its queue pair says so. */
/* What isn't tried, and why: the reason is the true one. */
Test(selftest_run, what_is_impossible)
{
    char text[FAILURE_TEXT_SIZE];
    struct run run = { .set = &set };
    struct trial add = { .queue = QUEUE_RC, .op = OP_FETCH_ADD, .size = 8 };
    struct trial imm = { .queue = QUEUE_RC, .op = OP_WRITE_IMM, .size = 8 };
    begin(QUEUE_RC, 0, IBV_WC_SUCCESS);
    end.attr.atomic_cap = IBV_ATOMIC_NONE;
    cr_expect_str_eq(run_impossible(&run, &add, text), "the device has no atomics");
    end.attr.atomic_cap = IBV_ATOMIC_HCA;
    cr_expect(strstr(run_impossible(&run, &add, text), "the other host's device has no such operation"));
    end.fragile = true;
    cr_expect_str_eq(run_impossible(&run, &add, text),
                     "soft-RoCE before Linux 6.0 may crash when an atomic is sent twice");
    end.atomics = true;
    cr_expect_null(run_impossible(&run, &add, text));
    cr_expect_null(run_impossible(&run, &imm, text));
    end.port_attr.max_msg_sz = 1 << 23;
    imm.size = 1 << 24;
    cr_expect_str_eq(run_impossible(&run, &imm, text), "the port's messages have 8388608 bytes at most");
    imm.size = 8;
    end.iwarp = true;
    cr_expect_str_eq(run_impossible(&run, &imm, text), "iWARP has no write with immediate data");
}

Test(queue, step_of_a_failure)
{
    struct failure failure = { 0 };
    struct queue fresh = { 0 }, used = { .used = true };
    cr_assert_eq(queue_wait_failed(&fresh, -ETIMEDOUT, &failure), -ETIMEDOUT);
    cr_assert_eq(failure.step, STEP_FIRST);
    cr_assert_eq(queue_wait_failed(&used, -ETIMEDOUT, &failure), -ETIMEDOUT);
    cr_assert_eq(failure.step, STEP_COMPLETION);
}

/* They come from a queue pair and a GID, with so many bytes of data; our peer is queue pair 7 of peer_gid. */
static void datagrams(uint32_t from, const uint8_t gid[static 16], uint32_t size)
{
    begin(QUEUE_UD, 999, IBV_WC_SUCCESS);
    queue.remote_qpn = 7;
    queue.receives = QUEUE_RECEIVES;
    memcpy(queue.remote_gid, peer_gid, sizeof(peer_gid));
    uint8_t *header = endpoint_rx(&end) - GRH_SIZE;
    header[0] = 0x60;
    memcpy(header + 8, gid, sizeof(peer_gid));
    memcpy(header + 24, end.gid.raw, sizeof(end.gid.raw));
    flooder = from;
    flooding = size + GRH_SIZE;
}

/* How many datagrams get an answer that come from a queue pair and a GID, with so many bytes of data. */
static unsigned answered(struct trial *t, uint32_t from, const uint8_t gid[static 16], uint32_t size)
{
    struct failure failure = { 0 };
    datagrams(from, gid, size);
    struct watch watch = watch_for(t->timeout, -1);
    watch.end = watch.until;
    struct pingpong side;
    cr_assert_eq(pingpong_begin(&side, &queue, t, &failure), 0);
    (void)pingpong_serve(&side, &watch, &failure);
    return answers;
}

static int probe_gets(uint32_t from, const uint8_t gid[static 16], uint32_t size)
{
    struct failure failure = { 0 };
    struct watch watch = watch_for(20, -1);
    uint8_t nonce[WIRE_NONCE_SIZE];
    datagrams(from, gid, size);
    return probe_receive(&queue, &watch, nonce, &failure);
}

Test(selftest_run, a_path_is_not_proven_by_others)
{
    static const uint8_t another_gid[16] = { 0x20, 1, [15] = 3 };
    cr_expect_eq(probe_gets(7, peer_gid, WIRE_NONCE_SIZE), 0);
    cr_expect_eq(probe_gets(7, another_gid, WIRE_NONCE_SIZE), -ETIMEDOUT);
    cr_expect_eq(probe_gets(99, peer_gid, WIRE_NONCE_SIZE), -ETIMEDOUT);
    cr_expect_eq(probe_gets(7, peer_gid, WIRE_NONCE_SIZE - 1), -ETIMEDOUT);
}

/* The header says the peer's GID, which anybody can write there: the queue pair's number says who it was. */
Test(selftest_run, datagrams_of_others_are_passed_over)
{
    static const uint8_t another_gid[16] = { 0x20, 1, [15] = 3 };
    struct failure failure = { 0 };
    struct trial t = { .kind = TRIAL_LATENCY,
                       .op = OP_SEND,
                       .queue = QUEUE_UD,
                       .queues = 1,
                       .size = 64,
                       .count = 10,
                       .timeout = 20 };
    cr_expect_gt(answered(&t, 7, peer_gid, 64), 0, "the peer's own get one");
    cr_expect_eq(answered(&t, 7, another_gid, 64), 0, "another GID's");
    cr_expect_eq(answered(&t, 7, peer_gid, 32), 0, "of another size");
    cr_expect_eq(answered(&t, 99, peer_gid, 64), 0, "another queue pair's");
    queue.posted = 0; /* tests come before measurements */
    t.kind = TRIAL_VERIFY;
    struct watch watch = watch_for(t.timeout, -1);
    watch.end = watch.until;
    pattern_fill(endpoint_rx(&end), t.size, t.seed);
    int r = verify_judge(&queue, &t, peer_gid, &watch, &failure);
    cr_assert_eq(r, -ETIMEDOUT, "%d: %s", r, failure.text);
}
