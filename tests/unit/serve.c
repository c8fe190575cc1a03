/* SPDX-License-Identifier: MIT */
/* What protects a server: who may connect, how often, and what its deadlines and readings are worth. */
#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <linux/sockios.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "command/test_ends.h"
#include "model/gid.h"
#include "model/host.h"
#include "selftest/diagnosis/diagnosis.h"
#include "selftest/peer/server.h"
#include "selftest/peer/steps.h"
#include "selftest/queues/wait.h"
#include "source/source.h"
#include "tree.h"

static const uint64_t second = 1000000000;

static struct sockaddr_storage from(const char *text)
{
    struct sockaddr_storage address;
    cr_assert_eq(address_parse(text, 1, &address), 0, "%s", text);
    return address;
}

static struct source_key key(const char *text)
{
    struct sockaddr_storage address = from(text);
    return source_key(&address);
}

static bool same(const char *a, const char *b)
{
    struct source_key x = key(a), y = key(b);
    return memcmp(&x, &y, sizeof(x)) == 0;
}

Test(serve, a_source_is_an_address_or_a_64)
{
    cr_assert(same("10.0.0.1", "10.0.0.1:99"));
    cr_assert_not(same("10.0.0.1", "10.0.0.2"));
    cr_assert(same("2001:db8::1", "2001:db8::ffff:2"));
    cr_assert_not(same("2001:db8::1", "2001:db8:0:1::1"));
    cr_assert(same("fe80::1%1", "fe80::1%1"));
    cr_assert_not(same("fe80::1%1", "fe80::2%1"));
    cr_assert_not(same("fe80::1%1", "fe80::1%2"));
}

/* Calls until it is turned away, at most so many times; *why: the last answer. */
static unsigned calls(struct sources *s, const char *text, unsigned most, uint64_t now, enum limit *why)
{
    struct source_key k = key(text);
    unsigned count = 0;
    *why = LIMIT_NONE;
    while (count < most && (*why = sources_call(s, &k, now)) == LIMIT_NONE)
        count++;
    return count;
}

Test(serve, one_source_has_few_places)
{
    struct sources *s = sources_new(4, 80);
    struct source_key k = key("10.0.0.1"), other = key("10.0.0.2");
    enum limit why;
    cr_assert_eq(calls(s, "10.0.0.1", 8, second, &why), 8);
    for (int i = 0; i < 4; i++)
        cr_assert_eq(sources_greet(s, &k), LIMIT_NONE);
    cr_assert_eq(sources_greet(s, &k), LIMIT_PLACES);
    cr_assert_eq(sources_call(s, &other, second), LIMIT_NONE);
    cr_assert_eq(sources_greet(s, &other), LIMIT_NONE);
    sources_leave(s, &k, true, false, second);
    cr_assert_eq(sources_greet(s, &k), LIMIT_NONE);
    cr_assert_eq(sources_greet(s, &k), LIMIT_PLACES);
    free(s);
}

Test(serve, one_source_has_few_silent_callers)
{
    struct sources *s = sources_new(4, 80);
    enum limit why;
    cr_assert_eq(calls(s, "10.0.0.1", 99, second, &why), 8);
    cr_assert_eq(why, LIMIT_CALLERS);
    cr_assert_eq(calls(s, "10.0.0.2", 99, second, &why), 8);
    free(s);
}

Test(serve, calls_are_counted_by_the_second)
{
    struct sources *s = sources_new(4, 80);
    struct source_key k = key("10.0.0.1");
    for (int i = 0; i < 32; i++) {
        cr_assert_eq(sources_call(s, &k, 7 * second), LIMIT_NONE, "call %d", i);
        sources_leave(s, &k, false, false, 7 * second);
    }
    cr_assert_eq(sources_call(s, &k, 7 * second), LIMIT_RATE);
    cr_assert_eq(sources_call(s, &k, 7 * second + second / 16), LIMIT_RATE);
    for (int i = 0; i < 8; i++) {
        cr_assert_eq(sources_call(s, &k, 8 * second), LIMIT_NONE, "call %d", i);
        sources_leave(s, &k, false, false, 8 * second);
    }
    cr_assert_eq(sources_call(s, &k, 8 * second), LIMIT_RATE);
    free(s);
}

Test(serve, penalties_grow_and_are_forgiven)
{
    static const unsigned seconds[] = { 1, 2, 4, 8, 16, 32, 60, 60 };
    struct sources *s = sources_new(4, 80);
    struct source_key k = key("2001:db8::1"), other = key("2001:db8:0:1::1");
    uint64_t now = second;
    for (size_t i = 0; i < sizeof(seconds) / sizeof(*seconds); i++) {
        cr_assert_eq(sources_call(s, &k, now), LIMIT_NONE, "penalty %zu", i);
        sources_leave(s, &k, false, true, now);
        cr_assert_eq(sources_call(s, &k, now), LIMIT_PENALTY);
        cr_assert_eq(sources_call(s, &other, now), LIMIT_NONE);
        sources_leave(s, &other, false, false, now);
        now += seconds[i] * second;
        cr_assert_eq(sources_call(s, &k, now - 1), LIMIT_PENALTY, "penalty %zu", i);
    }
    now += 301 * second;
    cr_assert_eq(sources_call(s, &k, now), LIMIT_NONE);
    sources_leave(s, &k, false, true, now);
    cr_assert_eq(sources_call(s, &k, now + second), LIMIT_NONE);
    free(s);
}

/* More sources than are remembered: those with connections stay. */
Test(serve, the_table_never_forgets_who_is_connected)
{
    struct sources *s = sources_new(1, 4);
    struct source_key k = key("10.0.0.1");
    enum limit why;
    cr_assert_eq(sources_call(s, &k, second), LIMIT_NONE);
    cr_assert_eq(sources_greet(s, &k), LIMIT_NONE);
    for (unsigned i = 0; i < 2000; i++) {
        char text[32];
        snprintf(text, sizeof(text), "10.1.%u.%u", i / 250, i % 250);
        struct source_key one = key(text);
        cr_assert_eq(calls(s, text, 1, (i + 2) * second, &why), 1, "%s", text);
        sources_leave(s, &one, false, false, (i + 2) * second);
    }
    cr_assert_eq(sources_greet(s, &k), LIMIT_PLACES);
    free(s);
}

static bool allowed(const char *list, const char *text)
{
    struct allow allow;
    char bad[ALLOW_TEXT_SIZE];
    struct sockaddr_storage address = from(text);
    cr_assert_eq(allow_parse(list, &allow, bad), 0, "%s", list);
    return allow_has(&allow, &address);
}

Test(serve, prefixes_allow)
{
    cr_assert(allowed("10.0.0.0/8", "10.255.0.1"));
    cr_assert_not(allowed("10.0.0.0/8", "11.0.0.1"));
    cr_assert(allowed("10.0.0.0/12", "10.15.255.255"));
    cr_assert_not(allowed("10.0.0.0/12", "10.16.0.0"));
    cr_assert(allowed("10.0.0.7", "10.0.0.7"));
    cr_assert_not(allowed("10.0.0.7", "10.0.0.6"));
    cr_assert(allowed("192.168.0.0/16,2001:db8::/33", "2001:db8:7fff::1"));
    cr_assert_not(allowed("192.168.0.0/16,2001:db8::/33", "2001:db8:8000::1"));
    cr_assert(allowed("0.0.0.0/0", "1.2.3.4"));
    cr_assert_not(allowed("0.0.0.0/0", "2001:db8::1"));
    cr_assert(allowed("::/0", "1.2.3.4"));
    cr_assert(allowed("fe80::/10", "fe80::1%1"));
    struct sockaddr_storage any = from("1.2.3.4");
    struct allow nobody_named = { 0 };
    cr_assert(allow_has(&nobody_named, &any));
}

Test(serve, a_bad_prefix_is_named)
{
    static const char *const bads[][2] = {
        { "10.0.0.0/33", "10.0.0.0/33" },
        { "10.0.0.1,host", "host" },
        { "", "" },
        { "10.0.0.1,", "" },
        { "::/129", "::/129" },
        { "10.0.0.0/", "10.0.0.0/" },
        { "10.0.0.0/+8", "10.0.0.0/+8" },
        { "10.0.0/8,::", "10.0.0/8" },
    };
    for (size_t i = 0; i < sizeof(bads) / sizeof(*bads); i++) {
        struct allow allow;
        char bad[ALLOW_TEXT_SIZE];
        cr_assert_eq(allow_parse(bads[i][0], &allow, bad), -EINVAL, "%s", bads[i][0]);
        cr_assert_str_eq(bad, bads[i][1]);
    }
}

Test(serve, readings_are_rationed)
{
    struct account account = { READINGS_BURST, second };
    for (int i = 0; i < 16; i++)
        cr_assert(readings_afford(&account, 1000000, second));
    cr_assert_not(readings_afford(&account, 1000000, second));
    cr_assert(readings_afford(&account, 1000000, second + second / 4));
    cr_assert_not(readings_afford(&account, 1000000, second + second / 4 + 1));
    /* what takes 100 ms is done every 1.6 s */
    cr_assert_not(readings_afford(&account, 100000000, second * 5 / 4 + second * 3 / 2));
    cr_assert(readings_afford(&account, 100000000, second * 5 / 4 + second * 7 / 4));
}

/* What is made in so much time, but for one more whose cost has not been counted yet. */
static unsigned most_since(uint64_t start)
{
    return READINGS_BURST + 1 + (unsigned)((wait_now() - start) / 1000000 / READINGS_MS);
}

static struct host *read_none(void *data)
{
    ++*(unsigned *)data;
    return host_new();
}

Test(serve, a_session_may_prove_a_few_paths)
{
    static const struct wire_probe asked = { .pair.gid = 1, .pair.raw = { 0x20, 1 } };
    struct failure failure = { 0 };
    struct proof proof = { 0 };
    for (unsigned i = 0; i < PROOF_PROBES; i++) {
        cr_assert_eq(proof_by_tcp(&proof, &asked, &failure), 0, "%u", i);
        cr_assert(proof_holds(&proof, &asked.pair));
    }
    cr_expect_eq(proof_by_tcp(&proof, &asked, &failure), -EDQUOT);
    cr_expect_not(proof_holds(&proof, &asked.pair), "nothing more is sent there");
    proof_end(&proof);
}

Test(serve, who_asks_all_the_time_gets_old_counters)
{
    unsigned made = 0;
    uint64_t start = wait_now();
    struct readings *readings = readings_new(read_none, &made);
    for (int i = 0; i < 200; i++) {
        const struct host *host = readings_take(readings, wait_now());
        cr_assert(host);
        readings_give_back(readings, host);
    }
    cr_expect_gt(made, 1);
    cr_expect_leq(made, most_since(start), "%u readings", made);
    readings_free(readings);
}

static struct host *read_once(void *data)
{
    return ++*(unsigned *)data == 1 ? host_new() : NULL;
}

Test(serve, where_the_host_cannot_be_read_the_last_reading_stays)
{
    unsigned made = 0;
    struct readings *readings = readings_new(read_once, &made);
    const struct host *first = readings_take(readings, wait_now());
    cr_assert(first);
    readings_give_back(readings, first);
    const struct host *then = readings_take(readings, wait_now());
    cr_expect_eq(made, 2);
    cr_expect_eq(then, first);
    readings_give_back(readings, then);
    readings_free(readings);
}

Test(serve, who_calls_all_the_time_gets_old_gids)
{
    static struct hosting hosting;
    static struct session_offer offer;
    struct source *source;
    unsigned made = 0;
    uint64_t start = wait_now();
    const struct host *last = NULL;
    tree_make();
    tree_file("sys/class/infiniband/mlx5_0/node_type", "1: CA\n");
    cr_assert_eq(source_open_recording(tree_top(), &source, NULL), 0);
    hosting_begin(&hosting, source);
    for (int i = 0; i < 200; i++) {
        hosting_offer(&hosting, &offer);
        const struct host *now = readings_take(hosting.gids, 0);
        made += now != last;
        last = now;
        readings_give_back(hosting.gids, now);
    }
    cr_expect_gt(made, 1);
    cr_expect_leq(made, most_since(start), "%u readings", made);
    hosting_end(&hosting);
    source_close(source);
    tree_remove();
}

Test(serve, no_renewal_passes_the_end)
{
    struct watch watch = watch_for(1000, -1);
    uint64_t end = watch.until;
    watch.end = end;
    watch_renew(&watch, 600000);
    cr_assert_eq(watch.until, end);
    watch.end = 0;
    watch_renew(&watch, 600000);
    cr_assert_gt(watch.until, end);
}

/* Who waits for a stranger sleeps most of the time. */
Test(serve, vain_spinning_costs_little)
{
    struct watch watch = watch_for(300, -1);
    struct spin spin = { 0 };
    struct timespec before, after;
    watch.naps = true;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &before);
    while (spin_wait(&spin, &watch) == 0)
        ;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &after);
    long used = (after.tv_sec - before.tv_sec) * 1000 + (after.tv_nsec - before.tv_nsec) / 1000000;
    cr_assert_lt(used, 60, "%ld ms of 300", used);
}

/* ---- a session, over a pair of sockets */

static void offer_one(void *data, struct session_offer *offer)
{
    (void)data;
    memset(offer, 0, sizeof(*offer));
    offer->count = 1;
    offer->gids[0].gid = (struct wire_gid){ .type = GID_TYPE_ROCE_V2, .port = 1, .device = "none0" };
}

/* A server's side of a session: what it was charged for, and how long (ns) it has to wait each time. */
struct bill {
    unsigned times;
    uint64_t first, wait;
};

static uint64_t pay_bill(void *data, uint64_t used)
{
    struct bill *bill = data;
    bill->first = bill->times++ ? bill->first : used;
    return bill->wait;
}

/* Asks for a proof of a GID of the other RoCE version until it is hung up on. The last whole message that it
 * was told. */
struct asker {
    int fd;
    const uint8_t *says; /* instead, and no more */
    size_t len;
    struct wire_message last;
    unsigned answers;
};

/* All that it will ever say is there before the session begins: a client that is never waited for. */
enum { ASKED = 32 };

static void ask_all(struct asker *asker)
{
    struct wire_message probe = { .type = WIRE_PROBE,
                                  .probe = { .pair.type = GID_TYPE_IB_ROCE_V1, .pair.hop_limit = 1 } };
    uint8_t bytes[256];
    int len = wire_encode(&probe, bytes, sizeof(bytes));
    if (asker->len) {
        cr_assert_eq(send(asker->fd, asker->says, asker->len, 0), (ssize_t)asker->len);
        shutdown(asker->fd, SHUT_WR);
    }
    for (int i = 0; i < ASKED && !asker->len; i++)
        cr_assert_eq(send(asker->fd, bytes, (size_t)len, 0), len);
}

static void hear_all(struct asker *asker)
{
    uint8_t header[WIRE_HEADER_SIZE];
    size_t length;
    while (recv(asker->fd, header, sizeof(header), MSG_DONTWAIT) == (ssize_t)sizeof(header)) {
        static uint8_t body[WIRE_BODY_MOST];
        enum wire_type type;
        cr_assert_eq(wire_decode_header(header, &type, &length), 0);
        cr_assert_eq(recv(asker->fd, body, length, MSG_DONTWAIT), (ssize_t)length);
        cr_assert_eq(wire_decode(type, body, length, &asker->last), 0);
        asker->answers += type == WIRE_FAILURE;
    }
}

/* One with such a client; how it ended. */
static int talk(const struct session_host *host, struct bill *bill, struct asker *asker)
{
    static struct connection connection;
    struct wire_hello hello = { "test", "client" };
    struct session_report report = { 0 };
    struct session_terms terms = { .pay = pay_bill, .data = bill };
    int ends[2];
    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends), 0);
    connection.fd = ends[0];
    asker->fd = ends[1];
    ask_all(asker);
    session_run(host, &connection, &hello, &terms, &report);
    hear_all(asker);
    close(ends[0]);
    close(ends[1]);
    return report.end;
}

/* Uses 20 ms of CPU. */
static void offer_slowly(void *data, struct session_offer *offer)
{
    for (uint64_t start = session_used(); session_used() - start < 20000000;)
        ;
    offer_one(data, offer);
}

Test(serve, a_session_has_so_much_cpu_time)
{
    struct asker asker = { 0 };
    struct bill bill = { 0 };
    struct session_host host = { .offer = offer_slowly, .idle_ms = 5000, .test_ms = 10, .session_ms = 20000 };
    cr_expect_eq(talk(&host, &bill, &asker), -EDQUOT);
    cr_expect_eq(asker.answers, 1);
    cr_expect_str_eq(asker.last.failure.text, "this session has used up what one client may");
}

Test(serve, refused_tries_count)
{
    struct asker asker = { 0 };
    struct bill bill = { 0 };
    struct session_host host = { .offer = offer_one, .idle_ms = 5000, .test_ms = 60000, .session_ms = 20000 };
    cr_expect_eq(talk(&host, &bill, &asker), -EDQUOT);
    cr_expect_eq(asker.answers, PROOF_PROBES + 1);
}

Test(serve, a_client_that_keeps_talking_keeps_no_server)
{
    struct asker asker = { 0 };
    struct bill bill = { 0 };
    struct session_host host = { .offer = offer_one, .idle_ms = 5000, .test_ms = 60000, .session_ms = 20000 };
    wait_interrupt(); /* what SIGTERM does */
    cr_expect_eq(talk(&host, &bill, &asker), -EINTR);
    cr_expect_eq(asker.answers, 1);
    cr_expect_str_eq(asker.last.failure.text, "the server is being stopped");
}

Test(serve, a_client_that_keeps_talking_has_no_longer_session)
{
    struct asker asker = { 0 };
    struct bill bill = { 0 };
    struct session_host host = { .offer = offer_one, .idle_ms = 5000, .test_ms = 60000, .session_ms = 0 };
    cr_expect_eq(talk(&host, &bill, &asker), -ETIMEDOUT);
    cr_expect_eq(asker.answers, 0);
}

/* What every message has used is charged for, the offer too, and the next one waits. */
Test(serve, a_client_pays_for_its_messages)
{
    struct asker asker = { 0 };
    struct bill bill = { .wait = 3600 * second };
    struct session_host host = { .offer = offer_slowly, .idle_ms = 5000, .test_ms = 60000, .session_ms = 2500 };
    cr_expect_eq(talk(&host, &bill, &asker), -ETIMEDOUT);
    cr_expect_eq(asker.answers, 1);
    cr_expect_eq(bill.times, 2, "one message, and the end of the session");
    cr_expect_geq(bill.first, 20000000);
}

/* -- lies ------------------------------------------------------------------------------------------------- */

/* What is right of each kind: what lies differ from. */
static struct wire_message right(enum wire_type type)
{
    static const struct queue_description queue = { .kind = QUEUE_RC, .qpn = 7 };
    struct wire_message m = { .type = type };
    switch (type) {
    case WIRE_HELLO:
        m.hello = (struct wire_hello){ "p", "h" };
        break;
    case WIRE_OFFER:
        m.offer.ngids = 1;
        break;
    case WIRE_PROBE:
        m.probe = (struct wire_probe){
            .pair = { .raw = { 0x20, 1 }, .type = GID_TYPE_ROCE_V2, .hop_limit = 64 }, .queue = queue
        };
        break;
    case WIRE_PROBED:
        m.probed = queue;
        break;
    case WIRE_PROVEN:
        m.proven = (struct wire_proven){ "h", { .port = 1, .mtu = 1024, .device = "d" }, 1000 };
        break;
    case WIRE_OPEN:
    case WIRE_PATHS:
        m.open = (struct wire_open){ .pair.hop_limit = 64,
                                     .mtu = 1024,
                                     .timeout = 5000,
                                     .ends.count = type == WIRE_OPEN ? 1 : QUEUE_KINDS };
        m.open.ends.queues[0] = queue;
        break;
    case WIRE_OPENED:
    case WIRE_PATHED:
        m.opened.ends.count = type == WIRE_OPENED ? 1 : QUEUE_KINDS;
        m.opened.ends.queues[0] = queue;
        break;
    case WIRE_TRIAL:
        m.trial = (struct trial){
            .kind = TRIAL_LATENCY, .op = OP_SEND, .queues = 1, .size = 64, .count = 9, .timeout = 5000
        };
        break;
    case WIRE_COUNTERS:
        m.counters = (struct grown_counters){ .ncounters = 1, .counters = { { .name = "x" } } };
        break;
    case WIRE_OUTCOME:
        snprintf(m.outcome.failure.text, FAILURE_TEXT_SIZE, "t");
        break;
    case WIRE_FAILURE:
        m.failure = (struct failure){ .step = STEP_RTR, .err = EIO, .text = "t" };
        break;
    case WIRE_EXCHANGE:
        m.exchange = (struct exchange_plan){ .messages = 8, .count = 1, .sizes = { 64 } };
        break;
    case WIRE_EXCHANGED:
        m.exchanged.count = 1;
        break;
    default:
        break;
    }
    return m;
}

/* A field of a body, so many bytes at a place, that is another than in what is right. */
struct lie {
    enum wire_type type;
    size_t at, size;
    uint32_t value;
    bool taken; /* it is harmless */
};

#define ALL_ONES UINT32_MAX
/* clang-format off */
static const struct lie clients_lies[] = {
    { WIRE_HELLO, 0, 1, WIRE_NAME_SIZE, 0 }, { WIRE_HELLO, 0, 1, 255, 0 }, { WIRE_HELLO, 1, 1, 0, 0 },
    { WIRE_HELLO, 1, 1, '\n', 1 }, { WIRE_HELLO, 3, 1, 0x1b, 1 },
    { WIRE_PROBE, 0, 4, WIRE_GIDS_MOST, 0 }, { WIRE_PROBE, 0, 4, ALL_ONES, 0 }, { WIRE_PROBE, 20, 1, 4, 0 },
    { WIRE_PROBE, 22, 1, 0, 0 }, { WIRE_PROBE, 23, 1, QUEUE_KINDS, 0 }, { WIRE_PROBE, 24, 4, 0x1000000, 0 },
    { WIRE_PROBE, 24, 4, ALL_ONES, 0 }, { WIRE_PROBE, 28, 4, 0x1000000, 0 },
    { WIRE_PROBE, 32, 4, 0x80000000, 0 },
    { WIRE_OPEN, 0, 4, WIRE_GIDS_MOST, 0 }, { WIRE_OPEN, 20, 1, 255, 0 }, { WIRE_OPEN, 21, 4, 0, 0 },
    { WIRE_OPEN, 21, 4, 1500, 0 }, { WIRE_OPEN, 21, 4, 8192, 0 }, { WIRE_OPEN, 21, 4, ALL_ONES, 0 },
    { WIRE_OPEN, 26, 1, 0, 0 }, { WIRE_OPEN, 27, 1, 255, 1 }, { WIRE_OPEN, 28, 1, 2, 0 },
    { WIRE_OPEN, 29, 4, 0, 0 }, { WIRE_OPEN, 29, 4, ALL_ONES, 0 }, { WIRE_OPEN, 49, 4, ALL_ONES, 1 },
    { WIRE_OPEN, 53, 4, TRIAL_SIZE_MOST + 1, 0 }, { WIRE_OPEN, 53, 4, ALL_ONES, 0 }, { WIRE_OPEN, 57, 4, 0, 0 },
    { WIRE_OPEN, 57, 4, 2, 0 }, { WIRE_OPEN, 57, 4, QUEUES_MOST + 1, 0 }, { WIRE_OPEN, 57, 4, ALL_ONES, 0 },
    { WIRE_OPEN, 61, 1, QUEUE_KINDS, 0 }, { WIRE_OPEN, 62, 4, 0x1000000, 0 }, { WIRE_OPEN, 66, 4, ALL_ONES, 0 },
    { WIRE_OPEN, 70, 4, 0x80000000, 0 },
    { WIRE_KEYS, 16, 4, ALL_ONES, 1 }, { WIRE_KEYS, 20, 4, TRIAL_SIZE_MOST + 1, 0 },
    { WIRE_TRIAL, 0, 1, TRIAL_KINDS, 0 }, { WIRE_TRIAL, 1, 1, OPERATIONS, 0 },
    { WIRE_TRIAL, 2, 1, QUEUE_KINDS, 0 },
    { WIRE_TRIAL, 3, 1, TRIAL_FLAGS_MASK + 1, 0 }, { WIRE_TRIAL, 4, 1, 0, 0 }, { WIRE_TRIAL, 4, 1, 255, 0 },
    { WIRE_TRIAL, 5, 4, 0, 0 }, { WIRE_TRIAL, 5, 4, TRIAL_SIZE_MOST + 1, 0 }, { WIRE_TRIAL, 9, 4, 0, 0 },
    { WIRE_TRIAL, 9, 4, ALL_ONES, 0 }, { WIRE_TRIAL, 17, 4, 0, 0 }, { WIRE_TRIAL, 17, 4, ALL_ONES, 0 },
    { WIRE_COUNTERS, 0, 4, 2, 0 }, { WIRE_COUNTERS, 0, 4, GROWN_COUNTERS_MOST + 1, 0 },
    { WIRE_PATHS, 0, 4, WIRE_GIDS_MOST, 0 }, { WIRE_PATHS, 20, 4, 1500, 0 }, { WIRE_PATHS, 25, 1, 0, 0 },
    { WIRE_PATHS, 26, 4, 0, 0 }, { WIRE_PATHS, 26, 4, 2, 0 }, { WIRE_PATHS, 26, 4, PATHS_MOST + 1, 0 },
    { WIRE_PATHS, 26, 4, ALL_ONES, 0 }, { WIRE_PATHS, 31, 4, ALL_ONES, 0 },
    { WIRE_EXCHANGE, 0, 1, 2, 0 }, { WIRE_EXCHANGE, 1, 1, 2, 0 },
    { WIRE_EXCHANGE, 2, 4, EXCHANGE_MESSAGES + 1, 0 },
    { WIRE_EXCHANGE, 6, 4, 0, 0 }, { WIRE_EXCHANGE, 6, 4, PATHS_MOST + 1, 0 },
    { WIRE_EXCHANGE, 10, 4, EXCHANGE_SIZE_MOST + 1, 0 },
    { WIRE_PRIORITIES, 0, 1, WIRE_NAME_SIZE, 0 }, { WIRE_PRIORITIES, 1, 1, 2, 0 },
};
static const struct lie servers_lies[] = {
    { WIRE_OFFER, 0, 4, 2, 0 }, { WIRE_OFFER, 0, 4, WIRE_GIDS_MOST + 1, 0 }, { WIRE_OFFER, 0, 4, ALL_ONES, 0 },
    { WIRE_OFFER, 20, 1, 4, 0 },
    { WIRE_PROBED, 0, 1, QUEUE_KINDS, 0 }, { WIRE_PROBED, 1, 4, 0x1000000, 0 },
    { WIRE_PROBED, 1, 4, ALL_ONES, 0 },
    { WIRE_PROBED, 5, 4, 0x1000000, 0 }, { WIRE_PROBED, 9, 4, 0x80000000, 0 }, { WIRE_PROBED, 1, 4, 0, 1 },
    { WIRE_PROVEN, 0, 1, WIRE_NAME_SIZE, 0 }, { WIRE_PROVEN, 0, 1, 255, 0 }, { WIRE_PROVEN, 1, 1, 0, 0 },
    { WIRE_PROVEN, 1, 1, '\n', 1 }, { WIRE_PROVEN, 18, 1, 4, 0 }, { WIRE_PROVEN, 19, 4, 0, 0 },
    { WIRE_PROVEN, 19, 4, 256, 0 }, { WIRE_PROVEN, 23, 4, 0x10000, 0 }, { WIRE_PROVEN, 27, 4, 1500, 0 },
    { WIRE_PROVEN, 27, 4, ALL_ONES, 0 }, { WIRE_PROVEN, 32, 1, 0x1b, 1 }, { WIRE_PROVEN, 33, 4, 0, 0 },
    { WIRE_OPENED, 0, 2, 0xffff, 1 }, { WIRE_OPENED, 3, 1, 2, 0 },
    { WIRE_OPENED, 24, 4, TRIAL_SIZE_MOST + 1, 0 },
    { WIRE_OPENED, 24, 4, ALL_ONES, 0 }, { WIRE_OPENED, 28, 4, 0, 0 }, { WIRE_OPENED, 28, 4, 2, 0 },
    { WIRE_OPENED, 28, 4, QUEUES_MOST + 1, 0 }, { WIRE_OPENED, 28, 4, ALL_ONES, 0 },
    { WIRE_OPENED, 32, 1, QUEUE_KINDS, 0 }, { WIRE_OPENED, 33, 4, 0x1000000, 0 },
    { WIRE_OPENED, 37, 4, ALL_ONES, 0 },
    { WIRE_OPENED, 41, 4, 0x80000000, 0 },
    { WIRE_KEYS, 20, 4, TRIAL_SIZE_MOST + 1, 0 }, { WIRE_KEYS, 20, 4, ALL_ONES, 0 },
    { WIRE_OUTCOME, 0, 1, 2, 0 }, { WIRE_OUTCOME, 1, 4, ALL_ONES, 1 }, { WIRE_OUTCOME, 9, 2, STEPS, 0 },
    { WIRE_OUTCOME, 11, 2, 4096, 0 }, { WIRE_OUTCOME, 11, 2, 4095, 1 }, { WIRE_OUTCOME, 13, 2, 65, 0 },
    { WIRE_OUTCOME, 19, 1, 255, 0 }, { WIRE_OUTCOME, 20, 1, '\n', 1 },
    { WIRE_COUNTERS, 0, 4, 2, 0 }, { WIRE_COUNTERS, 0, 4, GROWN_COUNTERS_MOST + 1, 0 },
    { WIRE_COUNTERS, 0, 4, ALL_ONES, 0 }, { WIRE_COUNTERS, 4, 1, GROWN_NAME_SIZE, 0 },
    { WIRE_COUNTERS, 5, 1, '\n', 1 },
    { WIRE_FAILURE, 0, 2, STEPS, 0 }, { WIRE_FAILURE, 0, 2, 0xffff, 0 }, { WIRE_FAILURE, 2, 2, 4096, 0 },
    { WIRE_FAILURE, 2, 2, 4095, 1 }, { WIRE_FAILURE, 4, 2, 65, 0 }, { WIRE_FAILURE, 10, 1, 255, 0 },
    { WIRE_FAILURE, 11, 1, 0, 0 }, { WIRE_FAILURE, 11, 1, '\n', 1 },
    { WIRE_PATHED, 0, 1, 255, 0 }, { WIRE_PATHED, 1, 4, 0, 0 }, { WIRE_PATHED, 1, 4, 2, 0 },
    { WIRE_PATHED, 1, 4, PATHS_MOST + 1, 0 }, { WIRE_PATHED, 1, 4, ALL_ONES, 0 },
    { WIRE_EXCHANGED, 0, 4, 0, 0 }, { WIRE_EXCHANGED, 0, 4, 2, 0 }, { WIRE_EXCHANGED, 0, 4, PATHS_MOST + 1, 0 },
    { WIRE_EXCHANGED, 16, 2, 65, 0 },
    { WIRE_PRIORITIES, 0, 1, 255, 0 }, { WIRE_PRIORITIES, 1, 1, 2, 0 },
};
/* clang-format on */

/* What can be said wrongly of any kind. */
enum { CUT, LONG, ENDLESS, OTHER_VERSION, OTHER_PROGRAM, OTHER_KIND, HALF, WRAPPINGS };
static const int wrapped[WRAPPINGS] = { [CUT] = -EPROTO,           [LONG] = -EPROTO,
                                        [ENDLESS] = -EMSGSIZE,     [OTHER_VERSION] = -EPROTONOSUPPORT,
                                        [OTHER_PROGRAM] = -EPROTO, [OTHER_KIND] = -EPROTO,
                                        [HALF] = -ECONNRESET };

static uint8_t said[WIRE_HEADER_SIZE + WIRE_BODY_MOST + 1];

static size_t say_wrapped(enum wire_type type, unsigned how)
{
    struct wire_message m = right(type);
    memset(said, 0, sizeof(said));
    size_t len = (size_t)wire_encode(&m, said, sizeof(said)), body = len - WIRE_HEADER_SIZE;
    said[5] += how == OTHER_VERSION;
    said[0] += how == OTHER_PROGRAM;
    said[7] = how == OTHER_KIND ? WIRE_TYPES : said[7];
    len = how == CUT && body ? len - 1 : how == CUT || how == LONG ? len + 1 : how == HALF ? len - 1 : len;
    uint32_t told = how == ENDLESS ? UINT32_MAX
                    : how == HALF  ? (uint32_t)body
                                   : (uint32_t)(len - WIRE_HEADER_SIZE);
    for (int i = 0; i < 4; i++)
        said[8 + i] = (uint8_t)(told >> (24 - 8 * i));
    return len;
}

static size_t say_lie(const struct lie *lie)
{
    struct wire_message m = right(lie->type), again;
    int len = wire_encode(&m, said, sizeof(said));
    cr_assert_geq(len, WIRE_HEADER_SIZE, "kind %d", lie->type);
    cr_assert_eq(wire_decode(lie->type, said + WIRE_HEADER_SIZE, (size_t)len - WIRE_HEADER_SIZE, &again), 0);
    cr_assert_leq(WIRE_HEADER_SIZE + lie->at + lie->size, (size_t)len, "kind %d at %zu", lie->type, lie->at);
    for (size_t i = 0; i < lie->size; i++)
        said[WIRE_HEADER_SIZE + lie->at + i] = (uint8_t)(lie->value >> 8 * (lie->size - 1 - i));
    return (size_t)len;
}

/* What the session of a client that says this ends with, and what it is told. */
static void refuses(size_t len, int end, const char *text)
{
    struct asker asker = { .says = said, .len = len };
    struct bill bill = { 0 };
    struct session_host host = { .offer = offer_one, .idle_ms = 5000, .test_ms = 60000, .session_ms = 20000 };
    cr_assert_eq(talk(&host, &bill, &asker), end, "kind %d", said[7]);
    cr_assert_eq(asker.answers, text ? 1 : 0, "kind %d", said[7]);
    if (text)
        cr_assert(strstr(asker.last.failure.text, text), "kind %d: %s", said[7], asker.last.failure.text);
}

Test(serve, each_lie_of_a_client_is_refused)
{
    static const char unknown[] = "that this version doesn't know";
    for (unsigned type = WIRE_HELLO; type < WIRE_TYPES; type++)
        for (unsigned how = 0; how < WRAPPINGS; how++) {
            size_t len = say_wrapped(type, how);
            if (how == HALF)
                refuses(len, -ECONNRESET, NULL);
            else
                refuses(len, -EPROTO,
                        wrapped[how] == -EMSGSIZE          ? "too long"
                        : wrapped[how] == -EPROTONOSUPPORT ? "another version"
                                                           : unknown);
        }
    for (size_t i = 0; i < sizeof(clients_lies) / sizeof(*clients_lies); i++)
        refuses(say_lie(&clients_lies[i]), -EPROTO, clients_lies[i].taken ? "an unexpected message" : unknown);
}

/* Before a path is proven, and what only a server says. */
Test(serve, a_client_that_speaks_out_of_order_is_refused)
{
    for (unsigned type = WIRE_HELLO; type < WIRE_TYPES; type++) {
        struct wire_message m = right(type);
        size_t len = (size_t)wire_encode(&m, said, sizeof(said));
        if (type == WIRE_BYE)
            refuses(len, 0, NULL);
        else if (type == WIRE_PROBE)
            refuses(len, -ECONNRESET, "the GID is 2001::, the connection comes from");
        else
            refuses(len, -EPROTO, "an unexpected message");
        memcpy(said + len, said, len); /* and twice */
        if (type != WIRE_PROBE)
            refuses(2 * len, type == WIRE_BYE ? 0 : -EPROTO, type == WIRE_BYE ? NULL : "an unexpected message");
    }
}

/* What a client makes of a server that answers so: what went wrong, in a line that is fit for a terminal. */
static int hears(size_t len, enum wire_type expected, struct failure *failure)
{
    static struct client c;
    struct diagnosis diagnosis;
    struct facts facts = { 0 };
    int ends[2];
    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends), 0);
    c = (struct client){ .connection.fd = ends[0] };
    cr_assert_eq(send(ends[1], said, len, 0), (ssize_t)len);
    shutdown(ends[1], SHUT_WR);
    *failure = (struct failure){ 0 };
    int r = client_ask_for(&c, WIRE_READY, expected, 2000, failure);
    if (r < 0) {
        diagnose(failure, &facts, &diagnosis);
        cr_assert(failure->err || failure->wc_status || failure->remote, "kind %d: no reason", said[7]);
        cr_assert(*diagnosis.what && text_is_clean(diagnosis.what), "kind %d: %s", said[7], diagnosis.what);
        cr_assert(text_is_clean(failure->text));
    }
    if (r < 0 && !failure->remote && !*failure->text)
        cr_assert_lt(c.connection.fd, 0, "kind %d: it goes on", said[7]);
    connection_close(&c.connection);
    close(ends[1]);
    return r;
}

Test(serve, each_lie_of_a_server_is_refused)
{
    struct failure failure;
    for (unsigned type = WIRE_HELLO; type < WIRE_TYPES; type++) {
        struct wire_message m = right(type);
        for (unsigned how = 0; how < WRAPPINGS; how++) {
            cr_expect_eq(hears(say_wrapped(type, how), type, &failure), wrapped[how], "kind %u, %u", type, how);
            cr_expect(failure.step == STEP_HANDSHAKE && !failure.remote && failure.err == -wrapped[how]);
        }
        size_t len = (size_t)wire_encode(&m, said, sizeof(said));
        if (type == WIRE_FAILURE)
            continue;
        cr_expect_eq(hears(len, type == WIRE_BYE ? WIRE_READY : WIRE_BYE, &failure), -EPROTO, "kind %u", type);
        cr_expect_str_eq(failure.text, "the server answered something else");
    }
    for (size_t i = 0; i < sizeof(servers_lies) / sizeof(*servers_lies); i++) {
        const struct lie *lie = &servers_lies[i];
        int r = hears(say_lie(lie), lie->type, &failure);
        if (lie->type == WIRE_FAILURE && lie->taken)
            cr_expect(r < 0 && failure.remote, "%zu", i);
        else
            cr_expect_eq(r, lie->taken ? 0 : -EPROTO, "kind %d at %zu: %d", lie->type, lie->at, r);
    }
}

/* Bytes that always come one by one, each when the last one has been read. */
static void *drip(void *data)
{
    static const uint8_t header[WIRE_HEADER_SIZE] = {
        'R', 'o', 'C', 'E', 0, WIRE_VERSION, 0, 1, 0, 0, 0x50, 0
    };
    const int *fd = data;
    int unread = 0;
    for (size_t sent = 0; sent < WIRE_HEADER_SIZE + 0x5000 && ioctl(*fd, SIOCOUTQ, &unread) == 0;)
        if (!unread && send(*fd, sent < WIRE_HEADER_SIZE ? &header[sent] : header, 1, MSG_NOSIGNAL) == 1)
            sent++;
        else if (!unread)
            break;
    return NULL;
}

Test(serve, a_message_that_drips_has_no_more_time_than_none)
{
    static struct connection connection;
    struct wire_message message;
    struct watch watch = watch_for(2, -1);
    pthread_t thread;
    int ends[2];
    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends), 0);
    connection.fd = ends[0];
    cr_assert_eq(pthread_create(&thread, NULL, drip, &ends[1]), 0);
    cr_expect_eq(connection_receive(&connection, &message, &watch), -ETIMEDOUT);
    close(ends[0]);
    pthread_join(thread, NULL);
    close(ends[1]);
}

/* However dear a message is, and however many clients it has: never more than at once and its share since. */
Test(serve, messages_of_one_source_use_a_fifth_of_a_cpu)
{
    static const uint64_t costs[] = { 10000, 1000000, 80000000, 2000000000 };
    struct source_key k = key("10.0.0.1");
    for (size_t i = 0; i < sizeof(costs) / sizeof(*costs); i++) {
        struct sources *s = sources_new(4, 80);
        uint64_t now = second, used = 0, last = 0;
        cr_assert_eq(sources_call(s, &k, now), LIMIT_NONE);
        while (now < 600 * second) {
            last = sources_pay(s, &k, costs[i], now);
            used += costs[i];
            now += costs[i] + last;
        }
        cr_expect_leq(used, second + 600 * second / 5 + costs[i], "%zu: %lu ms", i, used / 1000000);
        cr_expect_gt(last, 0);
        now += 3600 * second;
        cr_expect_eq(sources_pay(s, &k, second, now), 0, "what it didn't use is still its own");
        cr_expect_gt(sources_pay(s, &k, second, now), 0, "but no more than at once");
        free(s);
    }
}

/* ---- callers */

static unsigned greeted, gone, gone_bad;

static void on_greeting(void *data, int fd, const struct source_key *source, const struct wire_hello *hello)
{
    (void)data, (void)source;
    cr_assert_str_eq(hello->host, "client");
    greeted++;
    close(fd);
}

static void on_gone(void *data, const struct source_key *source, bool bad)
{
    (void)data, (void)source;
    gone++;
    gone_bad += bad;
}

static const struct callers_host counting = { .greeted = on_greeting, .gone = on_gone };

/* A connection that has been added at so many ns; the caller's end of it. */
static int call(struct callers *callers, uint64_t now)
{
    struct source_key source = key("10.0.0.1");
    int ends[2];
    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends), 0);
    callers_add(callers, ends[0], &source, now);
    return ends[1];
}

static void say_hello(int fd, size_t from, size_t to)
{
    struct wire_message hello = { .type = WIRE_HELLO, .hello = { "test", "client" } };
    uint8_t bytes[256];
    int len = wire_encode(&hello, bytes, sizeof(bytes));
    cr_assert_gt(len, 0);
    to = to ? to : (size_t)len;
    cr_assert_eq(send(fd, bytes + from, to - from, 0), (ssize_t)(to - from));
}

Test(serve, a_caller_who_has_greeted_in_time_is_not_dropped_for_a_busy_server)
{
    struct callers *callers = callers_new(&counting);
    int fd = call(callers, second), silent = call(callers, second);
    say_hello(fd, 0, 5);
    callers_drop_silent(callers, 2 * second);
    cr_assert_eq(gone, 0);
    say_hello(fd, 5, 0); /* and nobody polls for a while */
    callers_drop_silent(callers, 9 * second);
    cr_assert_eq(greeted, 1);
    cr_assert_eq(gone, 1);
    cr_assert_eq(gone_bad, 1);
    close(fd);
    close(silent);
    callers_free(callers);
}

Test(serve, no_caller_goes_for_another_one_unheard)
{
    struct callers *callers = callers_new(&counting);
    int fds[CALLERS_MOST];
    for (unsigned i = 0; i < CALLERS_MOST; i++) {
        fds[i] = call(callers, second);
        say_hello(fds[i], 0, 0);
    }
    cr_assert_eq(gone, 0);
    int last = call(callers, second);
    cr_assert_gt(greeted, 0);
    cr_assert_eq(gone, 0);
    for (unsigned i = 0; i < CALLERS_MOST; i++)
        close(fds[i]);
    close(last);
    callers_free(callers);
}

Test(serve, a_caller_who_speaks_nonsense_is_dropped_at_once)
{
    struct callers *callers = callers_new(&counting);
    struct pollfd fds[CALLERS_MOST];
    int fd = call(callers, second);
    cr_assert_eq(send(fd, "GET / HTTP/1.0\r\n\r\n", 18, 0), 18);
    callers_watch(callers, fds);
    cr_assert_gt(poll(fds, CALLERS_MOST, 1000), 0);
    callers_hear(callers, fds);
    cr_assert_eq(gone_bad, 1);
    close(fd);
    callers_free(callers);
}
