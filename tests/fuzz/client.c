/* SPDX-License-Identifier: MIT */
/* ping's side of a session against any server: answers in any order, cut short or changed, over its real
 * message loop. It comes to an end with a failure that names a step, sends by RDMA only to a GID that the
 * server has offered, and leaves nothing. */
#include <netinet/in.h>
#include <sys/socket.h>

#include "selftest/paths.h"
#include "selftest/peer/peer.h"
#include "selftest/peer/steps.h"
#include "verbs/fake.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
    SCRIPT = 24,
    MOST_MESSAGES = 32,
    SCRIPTED = 1,
    NO_UD = 2,
    NO_PACKET = 4,
    RDMA_CM = 8,
    FLOODED = 16,
    CM_SCRIPTED = 32,
    LOOKS_AT_PATHS = 64,
    PATHS = 3,
    CM_SCRIPT = 8, /* the last bytes of the script */
    TRIALS = 4
};
static const uint8_t own_gid[16] = { [10] = 0xff, 0xff, 127, 0, 0, 1 },
                     far_gid[16] = { [10] = 0xff, 0xff, 127, 0, 0, 2 };
static const uint8_t nonce[WIRE_NONCE_SIZE] = { 1, 2, 3 };

static _Noreturn void fail(const char *what)
{
    dprintf(STDERR_FILENO, "%s\n", what);
    abort();
}

/* ---- the server: each connection finds the next messages of the input, then its end */

static struct {
    const uint8_t *data;
    size_t len;
    int ends[8];
    unsigned connections;
} in;

static uint8_t take(void)
{
    if (!in.len)
        return 0;
    in.len--;
    return *in.data++;
}

static struct wire_message good_message(enum wire_type type)
{
    struct wire_message m = { .type = type };
    uint8_t how = take();
    switch (type) {
    case WIRE_OFFER:
        m.offer.ngids = how % 3;
        for (uint32_t i = 0; i < m.offer.ngids; i++) {
            m.offer.gids[i].type = 2;
            memcpy(m.offer.gids[i].raw, far_gid, 16);
            m.offer.gids[i].raw[15] ^= how >> 4;
        }
        break;
    case WIRE_PROBED:
        m.probed = (struct queue_description){ .kind = how & 1 ? QUEUE_RC : QUEUE_UD, .qpn = 7 };
        break;
    case WIRE_PROVEN:
        m.proven = (struct wire_proven){ .gid = { .type = 2, .port = 1, .mtu = 1024 }, .test_ms = how + 1u };
        memcpy(m.proven.gid.raw, far_gid, 16);
        m.proven.gid.raw[15] ^= how >> 4;
        break;
    case WIRE_OPENED:
        m.opened = (struct wire_opened){ .rd_atomic = how,
                                         .atomics = how & 1,
                                         .ends = { .buffer.size = 4096, .count = 1 + how % 6 } };
        for (uint32_t i = 0; i < m.opened.ends.count; i++)
            m.opened.ends.queues[i] = (struct queue_description){ .kind = (uint8_t)(i % QUEUE_KINDS),
                                                                  .qpn = 7 };
        break;
    case WIRE_PATHED:
        m.opened.port_rule = how & 1;
        m.opened.ends.count = QUEUE_KINDS - 1 + PATHS;
        m.opened.ends.buffer.size = 65536;
        for (uint32_t i = 0; i < m.opened.ends.count; i++)
            m.opened.ends.queues[i] = (struct queue_description){ .kind = QUEUE_RC, .qpn = 7 };
        m.opened.ends.queues[QUEUE_UD] = (struct queue_description){ .kind = QUEUE_UD, .qpn = how & 2 ? 0 : 7 };
        break;
    case WIRE_EXCHANGED:
        m.exchanged.count = how & 1 ? 1 : PATHS;
        for (uint32_t i = 0; i < m.exchanged.count; i++)
            m.exchanged.seen[i] = (struct exchange_seen){ .received = how >> 1, .status = how & 2 ? 12 : 0 };
        break;
    case WIRE_PRIORITIES:
        m.priorities.counts = (struct priority_counts){ .known = how & 64, .received = { how } };
        snprintf(m.priorities.netdevs, sizeof(m.priorities.netdevs), "eth%u", how);
        break;
    case WIRE_OUTCOME:
        m.outcome = (struct wire_outcome){ .good = how & 1, .messages = how };
        break;
    default:
        break;
    }
    return m;
}

static size_t say(uint8_t *out, size_t room)
{
    static const enum wire_type usual[] = { WIRE_OFFER, WIRE_PROBED,  WIRE_PROVEN,     WIRE_OPENED,
                                            WIRE_READY, WIRE_OUTCOME, WIRE_COUNTERS,   WIRE_FAILURE,
                                            WIRE_KEYS,  WIRE_BYE,     WIRE_PRIORITIES, WIRE_PROBE,
                                            WIRE_NONCE, WIRE_OPEN,    WIRE_PATHED,     WIRE_EXCHANGED };
    uint8_t how = take();
    struct wire_message message = good_message(usual[how % 16]);
    int len = wire_encode(&message, out, room);
    if (len < 0)
        return 0;
    for (unsigned changes = how >> 4 & 3; changes; changes--) {
        size_t at = take() % (size_t)len;
        out[at] = take();
    }
    return how & 64 && how & 128 ? take() % (size_t)len : (size_t)len;
}

int __wrap_connection_open(const struct sockaddr_storage *address, const struct sockaddr_storage *from,
                           const struct watch *watch, int *fd);
int __wrap_getsockname(int fd, struct sockaddr *address, socklen_t *len);
int __wrap_probe_receive(struct queue *probe, const struct watch *watch, uint8_t got[static WIRE_NONCE_SIZE],
                         struct failure *failure);
int __real_probe_receive(struct queue *probe, const struct watch *watch, uint8_t got[static WIRE_NONCE_SIZE],
                         struct failure *failure);

int __wrap_connection_open(const struct sockaddr_storage *address, const struct sockaddr_storage *from,
                           const struct watch *watch, int *fd)
{
    static uint8_t bytes[64 << 10];
    size_t have = 0;
    int ends[2];
    (void)address, (void)from, (void)watch;
    if (in.connections == sizeof(in.ends) / sizeof(*in.ends) ||
        socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
        return -ECONNREFUSED;
    for (unsigned i = take() % MOST_MESSAGES + 1; i && in.len; i--)
        have += say(bytes + have, sizeof(bytes) - have);
    if (send(ends[1], bytes, have, MSG_DONTWAIT) < 0)
        abort();
    shutdown(ends[1], SHUT_WR);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    in.ends[in.connections++] = ends[1];
    *fd = ends[0];
    return 0;
}

int __wrap_getsockname(int fd, struct sockaddr *address, socklen_t *len)
{
    struct sockaddr_in own = { .sin_family = AF_INET };
    (void)fd;
    memcpy(&own.sin_addr, own_gid + 12, 4);
    memcpy(address, &own, sizeof(own));
    *len = sizeof(own);
    return 0;
}

/* The answers are all there already, which a real server's wouldn't be: the packet is told as if it had come
 * first. */
static bool no_packet, packet_came;
static uint8_t aimed[16]; /* the GID that was sent to last */
int __wrap_probe_receive(struct queue *probe, const struct watch *watch, uint8_t got[static WIRE_NONCE_SIZE],
                         struct failure *failure)
{
    packet_came = !no_packet;
    if (no_packet)
        return __real_probe_receive(probe, watch, got, failure);
    memcpy(got, nonce, sizeof(nonce));
    return 0;
}

/* ---- the client */

/* After the proof to the same GID as before it. */
static void on_aim(const uint8_t gid[16])
{
    if (packet_came && memcmp(gid, aimed, sizeof(aimed)) != 0)
        fail("it sends to another GID than the one that was proven");
    memcpy(aimed, gid, sizeof(aimed));
}

static void look_at(int r, const struct failure *failure)
{
    if (r < 0 && !failure->err && !failure->wc_status && !failure->remote)
        fail("a failure without a reason");
    if (failure->text[sizeof(failure->text) - 1])
        fail("a failure's text without an end");
}

static void run_trials(struct client *c)
{
    struct failure failure = { 0 };
    struct grown_counters counters;
    int r = 0;
    for (unsigned i = 0; i < TRIALS && r == 0; i++) {
        struct trial trial = { .kind = TRIAL_VERIFY,
                               .op = OP_SEND,
                               .queue = (uint8_t)(i % QUEUE_KINDS),
                               .queues = 1,
                               .size = 64,
                               .count = 1,
                               .timeout = 20 };
        r = c->peer.arm(&c->peer, &trial, &failure);
        if (r == 0)
            r = c->peer.finish(&c->peer, &trial, &failure);
        look_at(r, &failure);
    }
    bool again = r < 0;
    fake_connections();
    r = r < 0 ? c->peer.reopen(&c->peer, &c->side.set, &failure) : client_counters(c, &counters, &failure);
    look_at(r, &failure);
    if (again && r == 0 && c->spec->rdma_cm && !fake_connections())
        fail("a connection that never was is taken for one, once opened again");
}

static struct priority_counts read_none(void *data)
{
    (void)data;
    return (struct priority_counts){ .known = false };
}

static void look_at_paths(struct client *c)
{
    static struct paths paths;
    struct paths_spec spec = { .count = PATHS, .rates = true };
    struct failure failure = { 0 };
    char text[PATHS_TEXT_SIZE];
    int r = paths_run(c, &spec, &paths, &failure);
    look_at(r, &failure);
    struct arena *arena = arena_new();
    const char **words;
    paths_words(&paths, arena, &words);
    arena_free(arena);
    struct class_counting counting = { .client = c, .read = read_none };
    if (r == 0)
        look_at(classes_begin(&counting, &failure), &failure);
    if (r == 0 && classes_silent(&counting, c->host, text) && strlen(text) >= sizeof(text) - 1)
        fail("words that are cut");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct client c;
    struct near_gid near = { .gid = { .type = 2, .port = 1, .mtu = 1024, .device = "fake0" },
                             .ifindex = 1,
                             .active = true };
    struct test_options options = { .timeout = 30, .queues = 1, .hop_limit = 64, .verify = true };
    struct failure failure = { 0 };
    if (size < SCRIPT + 1)
        return -1;
    memcpy(near.gid.raw, own_gid, 16);
    in.data = data + 1 + SCRIPT;
    in.len = size - 1 - SCRIPT;
    in.connections = 0;
    no_packet = *data & NO_PACKET;
    packet_came = false;
    struct client_spec spec = {
        .near = { &near, 1, NULL, -1 }, .rdma_cm = *data & RDMA_CM, .options = &options, .size = 4096
    };
    gid_sockaddr(far_gid, 18517, 0, &spec.address);
    fake_watch = (struct fake_watch){ .aims = on_aim, .client = far_gid };
    fake_begin(data + 1, *data & SCRIPTED ? SCRIPT : 0, *data & NO_UD, own_gid);
    if (*data & FLOODED)
        fake_flood();
    if (*data & CM_SCRIPTED)
        fake_cm(data + 1 + SCRIPT - CM_SCRIPT, CM_SCRIPT);
    fake_connections();
    int r = client_open(&c, &spec, &failure);
    look_at(r, &failure);
    if (r == 0 && spec.rdma_cm && !fake_connections())
        fail("a connection that never was is taken for one");
    if (r == 0 && *data & LOOKS_AT_PATHS)
        look_at_paths(&c);
    else if (r == 0)
        run_trials(&c);
    else if (getenv("SUCCEED"))
        fail("it should have come to a good end");
    client_close(&c);
    while (in.connections)
        close(in.ends[--in.connections]);
    if (fake_alive())
        fail("something of the device isn't freed");
    return 0;
}
