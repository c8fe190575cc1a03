/* SPDX-License-Identifier: MIT */
/* A whole session of serve, over its real message loop: any sequence of messages, whole, cut short, changed,
 * in any order and as often as one likes, with verbs that fail when the input says so. Whatever comes, nothing
 * but one packet of a nonce's size goes to a GID that isn't proven, and to nobody but the client without
 * --any-gid; a stranger's connection request is never accepted; what is said can be read; nothing is left. */
#include <arpa/inet.h>
#include <sys/socket.h>

#include "model/host.h"
#include "selftest/peer/server.h"
#include "selftest/peer/steps.h"
#include "selftest/queues/operation.h"
#include "selftest/trial/respond.h"
#include "verbs/fake.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
    SCRIPT = 24,
    MOST_MESSAGES = 96,
    ANY_GID = 1,
    TELLS_ALL = 2,
    NO_UD = 4,
    SCRIPTED = 8,
    FLOODED = 16,
    LONG_TRIALS = 32,
    CM_SCRIPTED = 64,
    CM_SCRIPT = 8 /* the last bytes of the script */
};
/* GIDs of the offer: two of RoCE, then an address of iWARP's. */
enum { OFFERED = 3 };
static const uint8_t client_gid[16] = { [10] = 0xff, 0xff, 10, 0, 0, 2 },
                     server_gid[16] = { [10] = 0xff, 0xff, 10, 0, 0, 1 };

static _Noreturn void fail(const char *what)
{
    dprintf(STDERR_FILENO, "%s\n", what);
    abort();
}

/* ---- how long a client may keep the server busy */

/* How long a client may be silent; one that has to come to a good end has time for it on a busy machine, too.
 */
static uint32_t idle_ms = 50;
static uint32_t test_ms;
static uint64_t tests_ns; /* CPU time of tests */

int __real_responder_serve(struct responder *responder, const struct watch *watch, struct failure *failure);
int __wrap_responder_serve(struct responder *responder, const struct watch *watch, struct failure *failure);

int __wrap_responder_serve(struct responder *responder, const struct watch *watch, struct failure *failure)
{
    const uint64_t ms = 1000000, now = wait_now(), whole = now + test_ms * ms;
    uint64_t most = responder->trial.kind == TRIAL_LATENCY ? now + idle_ms * ms : whole;
    if (watch->until > most || !watch->end || watch->end > whole)
        fail("a client's test may last for longer than the server allows");
    uint64_t used = session_used();
    int r = __real_responder_serve(responder, watch, failure);
    tests_ns += session_used() - used;
    return r;
}

int __real_cm_accept(struct cm *cm, const uint8_t *client, const struct set_spec *spec,
                     const struct watch *watch, struct set **set, struct failure *failure);
int __wrap_cm_accept(struct cm *cm, const uint8_t *client, const struct set_spec *spec,
                     const struct watch *watch, struct set **set, struct failure *failure);

int __wrap_cm_accept(struct cm *cm, const uint8_t *client, const struct set_spec *spec,
                     const struct watch *watch, struct set **set, struct failure *failure)
{
    if (watch->until > wait_now() + idle_ms * UINT64_C(1000000))
        fail("a client may let RDMA_CM wait for longer than it may be silent");
    return __real_cm_accept(cm, client, spec, watch, set, failure);
}

/* ---- what may be sent */

static bool any_gid, proven, by_tcp;
static unsigned packets; /* since the proof began */

static void on_send(uint32_t length)
{
    if (!proven && (length != WIRE_NONCE_SIZE || packets++))
        fail("more than one nonce goes to a GID that isn't proven");
}

static void on_aim(const uint8_t gid[16])
{
    if (by_tcp)
        fail("iWARP is connected to, where the client has to connect");
    if (!any_gid && memcmp(gid, client_gid, 16) != 0)
        fail("a GID that isn't the client's is sent to");
}

/* As __wrap_random_bytes() has it. */
static void on_key(uint32_t key)
{
    if (key != 0x5a5a5a5a && key != 0x5a5a5a)
        fail("a queue key or packet number that isn't random");
}

int __real_proof_begin(struct proof *proof, const struct endpoint_spec *spec, const struct wire_probe *asked,
                       struct queue_description *queue, struct failure *failure);
int __wrap_proof_begin(struct proof *proof, const struct endpoint_spec *spec, const struct wire_probe *asked,
                       struct queue_description *queue, struct failure *failure);
int __real_proof_by_tcp(struct proof *proof, const struct wire_probe *asked, struct failure *failure);
int __wrap_proof_by_tcp(struct proof *proof, const struct wire_probe *asked, struct failure *failure);
int __real_proof_check(struct proof *proof, const uint8_t *nonce);
int __wrap_proof_check(struct proof *proof, const uint8_t *nonce);
int __wrap_random_bytes(void *data, size_t size);
int __wrap_getpeername(int fd, struct sockaddr *address, socklen_t *len);
int __wrap_getsockname(int fd, struct sockaddr *address, socklen_t *len);

int __wrap_proof_begin(struct proof *proof, const struct endpoint_spec *spec, const struct wire_probe *asked,
                       struct queue_description *queue, struct failure *failure)
{
    proven = by_tcp = false;
    packets = 0;
    return __real_proof_begin(proof, spec, asked, queue, failure);
}

/* Nothing is sent by ourselves then. */
int __wrap_proof_by_tcp(struct proof *proof, const struct wire_probe *asked, struct failure *failure)
{
    int r = __real_proof_by_tcp(proof, asked, failure);
    if (asked->pair.gid != OFFERED - 1)
        fail("RoCE is proven by a packet only");
    if (!any_gid && memcmp(asked->pair.raw, client_gid, 16) != 0)
        fail("another address than the client's is taken for proven");
    proven = by_tcp = r == 0;
    return r;
}

int __wrap_proof_check(struct proof *proof, const uint8_t *nonce)
{
    int r = __real_proof_check(proof, nonce);
    proven = r == 0;
    if (proven && !packets)
        fail("proven without a packet");
    for (size_t i = 0; proven && i < WIRE_NONCE_SIZE; i++)
        if (nonce[i] != 0x5a)
            fail("proven by another number than the packet's");
    return r;
}

/* So that the input can say the nonce. */
int __wrap_random_bytes(void *data, size_t size)
{
    memset(data, 0x5a, size);
    return 0;
}

static int address_of(const uint8_t gid[16], struct sockaddr *address, socklen_t *len)
{
    struct sockaddr_in in = { .sin_family = AF_INET, .sin_port = htons(18517) };
    memcpy(&in.sin_addr, gid + 12, 4);
    memcpy(address, &in, sizeof(in));
    *len = sizeof(in);
    return 0;
}

int __wrap_getpeername(int fd, struct sockaddr *address, socklen_t *len)
{
    (void)fd;
    return address_of(client_gid, address, len);
}

int __wrap_getsockname(int fd, struct sockaddr *address, socklen_t *len)
{
    (void)fd;
    return address_of(server_gid, address, len);
}

/* ---- what the client says */

static bool is_long; /* trials have as many messages as may be */

struct input {
    const uint8_t *data;
    size_t len;
};

static uint8_t take(struct input *in)
{
    if (!in->len)
        return 0;
    in->len--;
    return *in->data++;
}

/* Of the offer. */
static uint32_t which(uint8_t how)
{
    return how >= 0xf8 ? OFFERED - 1 : how & 1;
}

static uint8_t type_of(uint32_t offered)
{
    return offered == OFFERED - 1 ? WIRE_GID_IWARP : GID_TYPE_ROCE_V2;
}

static struct wire_message good_message(enum wire_type type, struct input *in)
{
    struct wire_message m = { .type = type };
    uint8_t how = take(in);
    switch (type) {
    case WIRE_PROBE:
        m.probe = (struct wire_probe){ .pair.gid = which(how),
                                       .pair.type = type_of(which(how)),
                                       .pair.hop_limit = 64,
                                       .queue = { .kind = how & 2 ? QUEUE_RC : QUEUE_UD, .qpn = 7 } };
        memcpy(m.probe.pair.raw, client_gid, 16);
        m.probe.pair.raw[15] ^= how & 4;
        break;
    case WIRE_NONCE:
        memset(m.nonce, how & 1 ? how : 0x5a, sizeof(m.nonce));
        break;
    case WIRE_OPEN:
        m.open = (struct wire_open){ .pair.gid = which(how),
                                     .pair.type = type_of(which(how)),
                                     .mtu = 1024,
                                     .pair.hop_limit = 64,
                                     .rd_atomic = how,
                                     .timeout = TRIAL_TIMEOUT_MOST, /* longer than it may be silent */
                                     .ends.buffer.size = 4096,
                                     .rdma_cm = (how & 6) == 6,
                                     .ends.count = how & 8 ? QUEUE_KINDS : 1 + how / 16 };
        memcpy(m.open.pair.raw, client_gid, 16);
        m.open.pair.raw[15] ^= how & 4 && !m.open.rdma_cm;
        for (uint32_t i = 0; i < m.open.ends.count && i < QUEUE_KINDS; i++)
            m.open.ends.queues[i] = (struct queue_description){ .kind = (uint8_t)i, .qpn = 7 };
        break;
    case WIRE_TRIAL:
        m.trial = (struct trial){ .kind = how % TRIAL_KINDS,
                                  .op = how / 4 % OPERATIONS,
                                  .queue = how / 32 % QUEUE_KINDS,
                                  .queues = 1,
                                  .count = 1,
                                  .seed = 9,
                                  .timeout = is_long ? TRIAL_TIMEOUT_MOST : TRIAL_TIMEOUT_LEAST };
        m.trial.size = operation_is_atomic(m.trial.op) ? 8 : 64;
        if (m.trial.kind != TRIAL_VERIFY)
            m.trial.count = !is_long                        ? 2
                            : m.trial.kind == TRIAL_LATENCY ? TRIAL_SAMPLES_MOST
                                                            : TRIAL_COUNT_MOST;
        break;
    case WIRE_PATHS:
        m.open = (struct wire_open){ .pair.gid = which(how),
                                     .mtu = 1024,
                                     .pair.hop_limit = 64,
                                     .ends = { .count = QUEUE_KINDS + how / 32, .buffer.size = 65536 } };
        m.open.ends.queues[QUEUE_UD] = (struct queue_description){ .kind = QUEUE_UD, .qpn = how & 8 ? 0 : 7 };
        memcpy(m.open.pair.raw, client_gid, 16);
        m.open.pair.raw[15] ^= how & 4;
        for (uint32_t i = 0; i < m.open.ends.count - QUEUE_KINDS + 1; i++) {
            m.open.ends.queues[i ? QUEUE_KINDS + i - 1 : QUEUE_RC] = (struct queue_description){ .qpn = 7 };
            m.open.labels[i] = i;
        }
        break;
    case WIRE_EXCHANGE:
        m.exchange = (struct exchange_plan){
            .datagrams = (how & 3) == 1, .speaks = (how & 3) == 2, .messages = 8, .count = 1 + how / 32
        };
        for (uint32_t i = 0; i < m.exchange.count; i++)
            m.exchange.sizes[i] = how & 4 ? EXCHANGE_SIZE_MOST : 64;
        break;
    case WIRE_KEYS:
        m.keys.size = 4096;
        break;
    case WIRE_OFFER:
        m.offer.ngids = how % 3;
        break;
    default:
        break;
    }
    return m;
}

/* Appends a message to out: bits of the first byte say how it is spoilt. Its length. */
static size_t say(struct input *in, uint8_t *out, size_t room)
{
    static const enum wire_type usual[] = { WIRE_PROBE,      WIRE_READY,  WIRE_NONCE,    WIRE_OPEN,
                                            WIRE_TRIAL,      WIRE_FINISH, WIRE_COUNTERS, WIRE_KEYS,
                                            WIRE_BYE,        WIRE_HELLO,  WIRE_OFFER,    WIRE_FAILURE,
                                            WIRE_PRIORITIES, WIRE_PROVEN, WIRE_PATHS,    WIRE_EXCHANGE };
    uint8_t how = take(in);
    struct wire_message message = good_message(usual[how % 16], in);
    int len = wire_encode(&message, out, room);
    if (len < 0)
        return 0;
    for (unsigned changes = how >> 4 & 3; changes; changes--) {
        size_t at = take(in) % (size_t)len;
        out[at] = take(in);
    }
    return how & 64 && how & 128 ? take(in) % (size_t)len : (size_t)len;
}

/* ---- what the program around a session provides */

static void offer(void *data, struct session_offer *o)
{
    (void)data;
    memset(o, 0, sizeof(*o));
    snprintf(o->host, sizeof(o->host), "host");
    o->count = OFFERED;
    for (uint32_t i = 0; i < OFFERED; i++) {
        o->gids[i].gid = (struct wire_gid){
            .type = type_of(i), .port = 1, .index = i, .mtu = 1024, .device = "fake0"
        };
        memcpy(o->gids[i].gid.raw, server_gid, 16);
        o->gids[i].gid.raw[15] = (uint8_t)(1 + 2 * i);
    }
}

/* 64 that are asked for, and the one before the first test. */
enum { READINGS_MOST = 65 };
static unsigned readings;

static const struct host *counters(void *data, uint64_t since)
{
    static struct host *none;
    (void)data, (void)since;
    if (++readings > READINGS_MOST)
        fail("counters are read as often as a client asks");
    none = none ? none : host_new();
    return none;
}

static void give_back(void *data, const struct host *reading)
{
    (void)data, (void)reading;
}

enum { COUNTINGS_MOST = 1024 };
static unsigned countings;

static void priorities(void *data, const struct near_gid *gid, struct wire_priorities *told)
{
    (void)data;
    if (!*gid->gid.device)
        fail("priorities of no port");
    if (++countings > COUNTINGS_MOST)
        fail("priorities are counted as often as a client asks");
    told->counts = (struct priority_counts){ .known = true, .received = { 1000 + countings } };
}

/* All that was said to the client is a message, and before the proof only of few kinds. */
static void read_answers(int fd, bool all)
{
    static uint8_t bytes[1 << 20];
    size_t have = 0, at = 0;
    unsigned keys = 0;
    bool told = false;
    for (ssize_t n;
         have < sizeof(bytes) && (n = recv(fd, bytes + have, sizeof(bytes) - have, MSG_DONTWAIT)) > 0;)
        have += (size_t)n;
    while (at < have) {
        static struct wire_message message;
        enum wire_type type;
        size_t length;
        if (have - at < WIRE_HEADER_SIZE || wire_decode_header(bytes + at, &type, &length) < 0 ||
            length > have - at - WIRE_HEADER_SIZE ||
            wire_decode(type, bytes + at + WIRE_HEADER_SIZE, length, &message) < 0)
            fail("what the server says is no message");
        told |= type == WIRE_PROVEN;
        if (type == WIRE_PRIORITIES && message.priorities.counts.received[0] >= 1000)
            fail("it tells what its port counted before the client asked");
        keys += type == WIRE_KEYS;
        if (type == WIRE_OFFER && message.offer.ngids != (all ? OFFERED : 1))
            fail("it tells of other addresses than the one that was connected to");
        if (!told && type != WIRE_OFFER && type != WIRE_PROBED && type != WIRE_FAILURE)
            fail("it says more than it should before a proof");
        at += WIRE_HEADER_SIZE + length;
    }
    if (keys > fake_connections())
        fail("a connection that never was is taken for one");
}

/* Whatever a message makes the server do is charged for; tests in which data flows aren't. The first pages of
 * memory, and what a virtual machine's host takes away, are nobody's. */
enum { UNPAID_NS = 30000000 };
static uint64_t pay(void *data, uint64_t used)
{
    *(uint64_t *)data += used;
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t sent[256 << 10];
    static struct connection connection;
    struct input in = { data, size };
    struct wire_hello hello = { "fuzz", "client" };
    struct session_report report = { 0 };
    int ends[2], room = 1 << 20;
    size_t len = 0;
    if (size < SCRIPT + 1)
        return -1;
    uint8_t how = take(&in);
    idle_ms = getenv("SUCCEED") ? 20000 : 50;
    struct session_host host = { .offer = offer,
                                 .counters = counters,
                                 .give_back = give_back,
                                 .priorities = priorities,
                                 .idle_ms = idle_ms,
                                 /* it counts the CPU time of its thread, and here one thread has them all */
                                 .test_ms = 6 * idle_ms + (uint32_t)(session_used() / 1000000),
                                 .session_ms = 20 * idle_ms,
                                 .any_gid = how & ANY_GID,
                                 .tells_all = how & TELLS_ALL };
    any_gid = host.any_gid;
    test_ms = host.test_ms;
    proven = by_tcp = false;
    readings = countings = 0;
    fake_connections();
    fake_watch = (struct fake_watch){ .sends = on_send, .keys = on_key, .aims = on_aim, .client = client_gid };
    fake_begin(in.data, how & SCRIPTED ? SCRIPT : 0, how & NO_UD, server_gid);
    if (how & FLOODED)
        fake_flood();
    if (how & CM_SCRIPTED)
        fake_cm(in.data + SCRIPT - CM_SCRIPT, CM_SCRIPT);
    is_long = how & LONG_TRIALS;
    in.data += SCRIPT;
    in.len -= SCRIPT;
    for (unsigned i = 0; i < MOST_MESSAGES && in.len; i++)
        len += say(&in, sent + len, sizeof(sent) - len);
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
        abort();
    for (int i = 0; i < 2; i++)
        if (setsockopt(ends[i], SOL_SOCKET, SO_SNDBUFFORCE, &room, sizeof(room)) < 0)
            setsockopt(ends[i], SOL_SOCKET, SO_SNDBUF, &room, sizeof(room));
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    if (send(ends[1], sent, len, MSG_DONTWAIT) == (ssize_t)len && shutdown(ends[1], SHUT_WR) == 0) {
        connection.fd = ends[0];
        uint64_t before = session_used(), paid = 0;
        struct session_terms terms = { .pay = pay, .data = &paid };
        tests_ns = 0;
        session_run(&host, &connection, &hello, &terms, &report);
        if (session_used() - before > paid + tests_ns + UNPAID_NS)
            fail("a message that costs nothing");
        read_answers(ends[1], host.tells_all);
        if (report.end > 0 || report.end == -EINTR)
            fail("an end that isn't one");
        if (getenv("SUCCEED") && (!report.proven || report.failed || report.end < 0 || !report.trials))
            fail("it should have come to a good end");
    }
    close(ends[0]);
    close(ends[1]);
    if (fake_alive())
        fail("something of the device isn't freed");
    return 0;
}
