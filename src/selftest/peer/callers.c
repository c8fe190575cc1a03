/* SPDX-License-Identifier: MIT */
/* Connections that haven't sent HELLO yet. */
#include "selftest/peer/server.h"

#include "base/hash.h"

enum { HELLO_MOST = 192 };

struct caller {
    int fd; /* -1: free */
    uint64_t since;
    struct source_key source;
    size_t have;
    uint8_t bytes[WIRE_HEADER_SIZE + HELLO_MOST];
};

struct callers {
    struct callers_host host;
    struct caller list[CALLERS_MOST];
};

struct callers *callers_new(const struct callers_host *host)
{
    struct callers *callers = mem_alloc(1, sizeof(*callers));
    for (size_t i = 0; i < CALLERS_MOST; i++)
        callers->list[i].fd = -1;
    callers->host = *host;
    return callers;
}

void callers_free(struct callers *callers)
{
    for (size_t i = 0; i < CALLERS_MOST; i++)
        if (callers->list[i].fd >= 0)
            close(callers->list[i].fd);
    free(callers);
}

static void say_why(int fd, int err, const char *why)
{
    struct wire_message message = { .type = WIRE_FAILURE };
    uint8_t bytes[WIRE_HEADER_SIZE + 512];
    failure_set(&message.failure, STEP_HANDSHAKE, err, "%s", why);
    int len = wire_encode(&message, bytes, sizeof(bytes));
    /* whether it arrives is the client's business */
    if (len > 0 && send(fd, bytes, (size_t)len, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
        errno = 0;
}

void callers_turn_away(int fd, int err, const char *why)
{
    say_why(fd, err, why);
    close(fd);
}

static void drop(struct callers *callers, struct caller *caller, bool bad)
{
    close(caller->fd);
    caller->fd = -1;
    callers->host.gone(callers->host.data, &caller->source, bad);
}

/* Not a HELLO of ours; r: why. A client of another version is told which one this is. */
static void drop_stranger(struct callers *callers, struct caller *caller, int r)
{
    bool other = r == -EPROTONOSUPPORT;
    if (other)
        say_why(caller->fd, EPROTONOSUPPORT, "");
    drop(callers, caller, !other);
}

/* Reads what has arrived, but no byte beyond the HELLO. */
static void listen_to(struct callers *callers, struct caller *caller)
{
    enum wire_type type = WIRE_HELLO;
    size_t want = WIRE_HEADER_SIZE, length = 0;
    for (;;) {
        if (caller->have >= WIRE_HEADER_SIZE) {
            int r = wire_decode_header(caller->bytes, &type, &length);
            if (r < 0 || type != WIRE_HELLO || length > HELLO_MOST) {
                drop_stranger(callers, caller, r);
                return;
            }
            want = WIRE_HEADER_SIZE + length;
            if (caller->have == want)
                break;
        }
        ssize_t n = recv(caller->fd, caller->bytes + caller->have, want - caller->have, MSG_DONTWAIT);
        if (n < 0 && (errno == EAGAIN || errno == EINTR))
            return;
        if (n <= 0) {
            drop(callers, caller, false);
            return;
        }
        caller->have += (size_t)n;
    }
    struct wire_message message;
    if (wire_decode(type, caller->bytes + WIRE_HEADER_SIZE, length, &message) < 0) {
        drop(callers, caller, true);
        return;
    }
    int fd = caller->fd;
    caller->fd = -1;
    callers->host.greeted(callers->host.data, fd, &caller->source, &message.hello);
}

/* A place for one more caller. If all are taken one of them is dropped for it: a random one, so that whoever
 * sends HELLO soon has a chance however many others call. What it has sent by now is read first. */
static struct caller *free_caller(struct callers *callers)
{
    uint32_t dice = 0;
    for (unsigned i = 0; i < CALLERS_MOST; i++)
        if (callers->list[i].fd < 0)
            return &callers->list[i];
    random_bytes(&dice, sizeof(dice));
    struct caller *victim = &callers->list[dice % CALLERS_MOST];
    listen_to(callers, victim);
    if (victim->fd >= 0)
        drop(callers, victim, false);
    return victim;
}

void callers_add(struct callers *callers, int fd, const struct source_key *source, uint64_t now)
{
    struct caller *caller = free_caller(callers);
    *caller = (struct caller){ .fd = fd, .source = *source, .since = now };
    listen_to(callers, caller);
}

void callers_watch(const struct callers *callers, struct pollfd fds[static CALLERS_MOST])
{
    for (size_t i = 0; i < CALLERS_MOST; i++)
        fds[i] = (struct pollfd){ .fd = callers->list[i].fd, .events = POLLIN };
}

void callers_hear(struct callers *callers, const struct pollfd fds[static CALLERS_MOST])
{
    for (size_t i = 0; i < CALLERS_MOST; i++)
        if (fds[i].revents && fds[i].fd >= 0 && callers->list[i].fd == fds[i].fd)
            listen_to(callers, &callers->list[i]);
}

void callers_drop_silent(struct callers *callers, uint64_t now)
{
    for (size_t i = 0; i < CALLERS_MOST; i++) {
        struct caller *c = &callers->list[i];
        if (c->fd < 0 || now - c->since <= (uint64_t)CALLERS_MS * 1000000)
            continue;
        listen_to(callers, c); /* it may have sent HELLO while this thread had no CPU */
        if (c->fd >= 0)
            drop(callers, c, true);
    }
}
