/* SPDX-License-Identifier: MIT */
#include "selftest/peer/server.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/random.h"
#include "selftest/peer/limits.h"

/* Connections that haven't said HELLO yet: how many, and how long each may wait. PAUSE_MS: for those that the
 * process has no descriptor or memory for. */
enum { CALLERS = 64, CALLER_MS = 3000, PAUSE_MS = 1000 };
enum { STACK = 512 * 1024, POLL_MS = 100, HELLO_MOST = 192 };
static const struct early_drop dropping = { .start = 16, .rate = 30, .full = CALLERS };

struct caller {
    int fd; /* -1: free */
    uint64_t since;
    struct source_key source;
    size_t have;
    uint8_t bytes[WIRE_HEADER_SIZE + HELLO_MOST];
};

struct place {
    struct server *server;
    bool taken;
    struct source_key source;
    struct connection connection;
    struct wire_hello hello;
    struct session_report report;
};

struct server {
    struct server_spec spec;
    int listeners[SERVER_ADDRESSES_MOST];
    struct caller callers[CALLERS];
    struct place *places; /* spec.max_clients */
    struct sources *sources;
    unsigned taken, served;
    uint64_t paused_until;
    int cpus, last_end;
    pthread_mutex_t lock; /* of places, sources, taken, served, last_end and the log */
};

static void free_server(struct server *server)
{
    sources_free(server->sources);
    free(server->places);
    free(server);
}

int server_open(const struct server_spec *spec, struct server **out, size_t *failed)
{
    struct server *server = calloc(1, sizeof(*server));
    *failed = SERVER_ADDRESSES_MOST;
    if (!server)
        return -ENOMEM;
    server->spec = *spec;
    server->places = calloc(spec->max_clients, sizeof(*server->places));
    server->sources = sources_new(spec->per_address, CALLERS + spec->max_clients);
    if (!server->places || !server->sources) {
        free_server(server);
        return -ENOMEM;
    }
    pthread_mutex_init(&server->lock, NULL);
    for (size_t i = 0; i < CALLERS; i++)
        server->callers[i].fd = -1;
    for (size_t i = 0; i < SERVER_ADDRESSES_MOST; i++)
        server->listeners[i] = -1;
    cpu_set_t cpus;
    server->cpus = sched_getaffinity(0, sizeof(cpus), &cpus) == 0 ? CPU_COUNT(&cpus) : 1;
    for (size_t i = 0; i < spec->naddresses; i++) {
        int r = connection_listen(&spec->addresses[i], spec->lengths[i], spec->found, &server->listeners[i]);
        if (r < 0) {
            *failed = i;
            server_close(server);
            return r;
        }
    }
    *out = server;
    return 0;
}

void server_close(struct server *server)
{
    for (size_t i = 0; i < SERVER_ADDRESSES_MOST; i++)
        if (server->listeners[i] >= 0)
            close(server->listeners[i]);
    for (size_t i = 0; i < CALLERS; i++)
        if (server->callers[i].fd >= 0)
            close(server->callers[i].fd);
    pthread_mutex_destroy(&server->lock);
    free_server(server);
}

/* Was it one that broke the rules, rather than one whose network does? */
static bool is_bad(const struct session_report *report)
{
    return report->end == -EPROTO || report->end == -EDQUOT || report->end == -EMSGSIZE ||
           (report->end == -ETIMEDOUT && !report->proven);
}

/* Whoever only looks in is no session to wait for with --once. */
static bool counts(const struct session_report *report)
{
    return report->proven || (report->end < 0 && report->end != -ECONNRESET);
}

/* With the lock held. */
static void leave(struct server *server, const struct source_key *source, bool client, bool bad)
{
    sources_leave(server->sources, source, client, bad, wait_now());
}

static void *serve(void *data)
{
    struct place *place = data;
    struct server *server = place->server;
    pthread_mutex_lock(&server->lock);
    server->spec.log(server->spec.data, place->report.client, NULL);
    /* with the client's own thread of a loopback run there are two that spin for each session */
    bool yield = (int)server->taken >= server->cpus;
    pthread_mutex_unlock(&server->lock);
    session_run(&server->spec.host, &place->connection, &place->hello, yield, &place->report);
    pthread_mutex_lock(&server->lock);
    connection_close(&place->connection);
    server->spec.log(server->spec.data, place->report.client, &place->report);
    leave(server, &place->source, true, is_bad(&place->report));
    if (counts(&place->report) && server->served++ == 0)
        server->last_end = place->report.end;
    place->taken = false;
    server->taken--;
    pthread_mutex_unlock(&server->lock);
    return NULL;
}

static int start(struct place *place)
{
    pthread_t thread;
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, STACK);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    int err = pthread_create(&thread, &attr, serve, place);
    pthread_attr_destroy(&attr);
    return -err;
}

/* A free place, taken; NULL: none, and why. */
static struct place *take_place(struct server *server, const struct source_key *source, const char **why)
{
    struct place *found = NULL;
    *why = "all places are taken";
    pthread_mutex_lock(&server->lock);
    bool over = server->spec.once && server->served > 0;
    for (unsigned i = 0; !over && !found && i < server->spec.max_clients; i++)
        if (!server->places[i].taken)
            found = &server->places[i];
    enum limit limit = found ? sources_greet(server->sources, source) : LIMIT_NONE;
    if (limit != LIMIT_NONE) {
        *why = limit_text(limit);
        found = NULL;
    }
    if (found) {
        found->taken = true;
        found->source = *source;
        server->taken++;
    }
    pthread_mutex_unlock(&server->lock);
    return found;
}

static void give_back(struct place *place)
{
    struct server *server = place->server;
    connection_close(&place->connection);
    pthread_mutex_lock(&server->lock);
    leave(server, &place->source, true, false);
    place->taken = false;
    server->taken--;
    pthread_mutex_unlock(&server->lock);
}

static void turn_away(int fd, int err, const char *why)
{
    struct wire_message message = { .type = WIRE_FAILURE };
    uint8_t bytes[WIRE_HEADER_SIZE + 512];
    failure_set(&message.failure, STEP_HANDSHAKE, err, "%s", why);
    int len = wire_encode(&message, bytes, sizeof(bytes));
    /* whether it arrives is the client's business */
    if (len > 0 && send(fd, bytes, (size_t)len, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
        errno = 0;
    close(fd);
}

/* The caller's connection is somebody else's now, or closed. */
static void forget(struct server *server, struct caller *caller, bool bad)
{
    caller->fd = -1;
    pthread_mutex_lock(&server->lock);
    leave(server, &caller->source, false, bad);
    pthread_mutex_unlock(&server->lock);
}

/* The caller has said HELLO. */
static void admit(struct server *server, struct caller *caller, const struct wire_hello *hello)
{
    const char *why;
    struct place *place = take_place(server, &caller->source, &why);
    if (!place) {
        turn_away(caller->fd, EBUSY, why);
        forget(server, caller, false);
        return;
    }
    struct sockaddr_storage from = { .ss_family = AF_INET };
    socklen_t len = sizeof(from);
    connection_tune(caller->fd);
    place->server = server;
    place->connection.fd = caller->fd;
    caller->fd = -1;
    place->hello = *hello;
    memset(&place->report, 0, sizeof(place->report));
    getpeername(place->connection.fd, (struct sockaddr *)&from, &len);
    address_text(&from, place->report.client);
    if (start(place) < 0)
        give_back(place);
}

static void drop(struct server *server, struct caller *caller, bool bad)
{
    close(caller->fd);
    forget(server, caller, bad);
}

/* A greeting that isn't ours, r: why. One of another version is told which one this is. */
static void drop_stranger(struct server *server, struct caller *caller, int r)
{
    if (r == -EPROTONOSUPPORT) {
        turn_away(caller->fd, EPROTONOSUPPORT, "");
        forget(server, caller, false);
    } else {
        drop(server, caller, true);
    }
}

/* Takes what has come, and no byte beyond the HELLO. */
static void listen_to(struct server *server, struct caller *caller)
{
    enum wire_type type = WIRE_HELLO;
    size_t want = WIRE_HEADER_SIZE, length = 0;
    for (;;) {
        if (caller->have >= WIRE_HEADER_SIZE) {
            int r = wire_decode_header(caller->bytes, &type, &length);
            if (r < 0 || type != WIRE_HELLO || length > HELLO_MOST) {
                drop_stranger(server, caller, r);
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
            drop(server, caller, false);
            return;
        }
        caller->have += (size_t)n;
    }
    struct wire_message message;
    if (wire_decode(type, caller->bytes + WIRE_HEADER_SIZE, length, &message) < 0)
        drop(server, caller, true);
    else
        admit(server, caller, &message.hello);
}

/* A place for one more caller. The more wait, the likelier one of them has to go for it: any of them, so that
 * who greets soon has a chance however many others call. What it has said by now is heard before. */
static struct caller *free_caller(struct server *server)
{
    unsigned waiting[CALLERS], count = 0;
    uint32_t dice[2] = { 0 };
    random_bytes(dice, sizeof(dice));
    struct caller *found = NULL;
    for (unsigned i = 0; i < CALLERS; i++) {
        if (server->callers[i].fd >= 0)
            waiting[count++] = i;
        else
            found = &server->callers[i];
    }
    if (!early_drop(&dropping, count, dice[0]))
        return found;
    struct caller *victim = &server->callers[waiting[dice[1] % count]];
    listen_to(server, victim);
    if (victim->fd >= 0)
        drop(server, victim, false);
    return victim;
}

static void hear(struct server *server, int fd, const struct sockaddr_storage *from)
{
    struct source_key source = source_key(from);
    if (!allow_has(&server->spec.allow, from)) {
        close(fd);
        return;
    }
    pthread_mutex_lock(&server->lock);
    enum limit limit = sources_call(server->sources, &source, wait_now());
    pthread_mutex_unlock(&server->lock);
    if (limit != LIMIT_NONE) {
        turn_away(fd, EBUSY, limit_text(limit));
        return;
    }
    struct caller *caller = free_caller(server);
    *caller = (struct caller){ .fd = fd, .source = source, .since = wait_now() };
    listen_to(server, caller);
}

/* false: nobody waits there. What has been said already is heard at once, before later callers can push the
 * caller out. */
static bool take_call(struct server *server, int listener)
{
    struct sockaddr_storage from = { .ss_family = AF_INET };
    socklen_t len = sizeof(from);
    int fd = accept4(listener, (struct sockaddr *)&from, &len, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd >= 0)
        hear(server, fd, &from);
    else if (errno != EAGAIN && errno != EINTR && errno != ECONNABORTED)
        server->paused_until = wait_now() + (uint64_t)PAUSE_MS * 1000000;
    return fd >= 0;
}

static void drop_silent(struct server *server)
{
    for (size_t i = 0; i < CALLERS; i++) {
        struct caller *c = &server->callers[i];
        if (c->fd < 0 || wait_now() - c->since <= (uint64_t)CALLER_MS * 1000000)
            continue;
        listen_to(server, c); /* it may have greeted while this thread had no CPU */
        if (c->fd >= 0)
            drop(server, c, true);
    }
}

static void wait_for_calls(struct server *server)
{
    struct pollfd fds[SERVER_ADDRESSES_MOST + CALLERS];
    nfds_t count = 0;
    for (size_t i = 0; i < CALLERS; i++)
        fds[count++] = (struct pollfd){ .fd = server->callers[i].fd, .events = POLLIN };
    for (size_t i = 0; i < server->spec.naddresses && wait_now() >= server->paused_until; i++)
        fds[count++] = (struct pollfd){ .fd = server->listeners[i], .events = POLLIN };
    int ready = poll(fds, count, POLL_MS);
    for (nfds_t i = 0; ready > 0 && i < count; i++)
        if (fds[i].revents && i < CALLERS && server->callers[i].fd == fds[i].fd)
            listen_to(server, &server->callers[i]);
        else if (fds[i].revents && i >= CALLERS)
            for (unsigned calls = 0; calls < CALLERS && take_call(server, fds[i].fd); calls++)
                ;
    drop_silent(server);
}

static bool goes_on(struct server *server)
{
    pthread_mutex_lock(&server->lock);
    bool more = !wait_interrupted() && !(server->spec.once && server->served > 0);
    pthread_mutex_unlock(&server->lock);
    return more;
}

static unsigned taken(struct server *server)
{
    pthread_mutex_lock(&server->lock);
    unsigned n = server->taken;
    pthread_mutex_unlock(&server->lock);
    return n;
}

/* Those that are still being served after the one session. */
static void hang_up(struct server *server)
{
    pthread_mutex_lock(&server->lock);
    for (unsigned i = 0; i < server->spec.max_clients; i++)
        if (server->places[i].taken && server->places[i].connection.fd >= 0)
            shutdown(server->places[i].connection.fd, SHUT_RDWR);
    pthread_mutex_unlock(&server->lock);
}

int server_run(struct server *server)
{
    while (goes_on(server))
        wait_for_calls(server);
    if (!wait_interrupted())
        hang_up(server);
    /* an interrupt ends every wait of every session, so this is soon */
    while (taken(server) > 0)
        poll(NULL, 0, 10);
    return server->spec.once && server->served ? server->last_end : 0;
}
