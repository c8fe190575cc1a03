#include "selftest/peer/server.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"

/* Connections that haven't said HELLO yet: how many, and how long each may wait. One more, and the oldest
 * goes. */
enum { CALLERS = 64, CALLER_MS = 3000, STACK = 512 * 1024, POLL_MS = 100, HELLO_MOST = 192 };

struct caller {
    int fd; /* -1: free */
    uint64_t since;
    size_t have;
    uint8_t bytes[WIRE_HEADER_SIZE + HELLO_MOST];
};

struct place {
    struct server *server;
    bool taken;
    struct connection connection;
    struct wire_hello hello;
    struct session_report report;
};

struct server {
    struct server_spec spec;
    int listeners[SERVER_ADDRESSES_MOST];
    struct caller callers[CALLERS];
    struct place *places; /* spec.max_clients */
    unsigned taken, served;
    int cpus, last_end;
    pthread_mutex_t lock; /* of places, taken, served, last_end and the log */
};

int server_open(const struct server_spec *spec, struct server **out, size_t *failed)
{
    struct server *server = mem_alloc(1, sizeof(*server));
    server->spec = *spec;
    server->places = mem_alloc(spec->max_clients, sizeof(*server->places));
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
    free(server->places);
    free(server);
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
    connection_close(&place->connection);
    pthread_mutex_lock(&server->lock);
    server->spec.log(server->spec.data, place->report.client, &place->report);
    server->last_end = place->report.end;
    place->taken = false;
    server->taken--;
    server->served++;
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

/* A free place, taken; NULL: none. */
static struct place *take_place(struct server *server)
{
    struct place *found = NULL;
    pthread_mutex_lock(&server->lock);
    bool over = server->spec.once && server->taken + server->served > 0;
    for (unsigned i = 0; !over && !found && i < server->spec.max_clients; i++)
        if (!server->places[i].taken)
            found = &server->places[i];
    if (found) {
        found->taken = true;
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
    place->taken = false;
    server->taken--;
    pthread_mutex_unlock(&server->lock);
}

static void turn_away(int fd)
{
    struct wire_message message = { .type = WIRE_FAILURE };
    uint8_t bytes[WIRE_HEADER_SIZE + 512];
    failure_set(&message.failure, STEP_HANDSHAKE, EBUSY, "all places are taken");
    int len = wire_encode(&message, bytes, sizeof(bytes));
    /* whether it arrives is the client's business */
    if (len > 0 && send(fd, bytes, (size_t)len, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
        errno = 0;
    close(fd);
}

/* The caller has said HELLO. */
static void admit(struct server *server, struct caller *caller, const struct wire_hello *hello)
{
    int fd = caller->fd;
    caller->fd = -1;
    struct place *place = take_place(server);
    if (!place) {
        turn_away(fd);
        return;
    }
    struct sockaddr_storage from = { .ss_family = AF_INET };
    socklen_t len = sizeof(from);
    connection_tune(fd);
    place->server = server;
    place->connection.fd = fd;
    place->hello = *hello;
    memset(&place->report, 0, sizeof(place->report));
    getpeername(fd, (struct sockaddr *)&from, &len);
    address_text(&from, place->report.client);
    if (start(place) < 0)
        give_back(place);
}

static void drop(struct caller *caller)
{
    close(caller->fd);
    caller->fd = -1;
}

/* Takes what has come, and no byte beyond the HELLO. */
static void listen_to(struct server *server, struct caller *caller)
{
    enum wire_type type = WIRE_HELLO;
    size_t want = WIRE_HEADER_SIZE, length = 0;
    for (;;) {
        if (caller->have >= WIRE_HEADER_SIZE) {
            if (wire_decode_header(caller->bytes, &type, &length) < 0 || type != WIRE_HELLO ||
                length > HELLO_MOST) {
                drop(caller);
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
            drop(caller);
            return;
        }
        caller->have += (size_t)n;
    }
    struct wire_message message;
    if (wire_decode(type, caller->bytes + WIRE_HEADER_SIZE, length, &message) < 0)
        drop(caller);
    else
        admit(server, caller, &message.hello);
}

/* false: nobody waits there. What has been said already is heard at once, before later callers can push the
 * caller out. */
static bool take_call(struct server *server, int listener)
{
    int fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0)
        return false;
    struct caller *oldest = &server->callers[0];
    for (size_t i = 0; i < CALLERS && oldest->fd >= 0; i++) {
        struct caller *c = &server->callers[i];
        if (c->fd < 0 || c->since < oldest->since)
            oldest = c;
    }
    if (oldest->fd >= 0)
        drop(oldest);
    oldest->fd = fd;
    oldest->have = 0;
    oldest->since = wait_now();
    listen_to(server, oldest);
    return true;
}

static void wait_for_calls(struct server *server)
{
    struct pollfd fds[SERVER_ADDRESSES_MOST + CALLERS];
    nfds_t count = 0;
    uint64_t now = wait_now();
    for (size_t i = 0; i < CALLERS; i++) {
        struct caller *c = &server->callers[i];
        if (c->fd >= 0 && now - c->since > (uint64_t)CALLER_MS * 1000000)
            drop(c);
        fds[count++] = (struct pollfd){ .fd = c->fd, .events = POLLIN };
    }
    for (size_t i = 0; i < server->spec.naddresses; i++)
        fds[count++] = (struct pollfd){ .fd = server->listeners[i], .events = POLLIN };
    if (poll(fds, count, POLL_MS) <= 0)
        return;
    for (nfds_t i = 0; i < count; i++)
        if (fds[i].revents && i < CALLERS)
            listen_to(server, &server->callers[i]);
        else if (fds[i].revents)
            for (unsigned calls = 0; calls < CALLERS && take_call(server, fds[i].fd); calls++)
                ;
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

int server_run(struct server *server)
{
    while (goes_on(server))
        wait_for_calls(server);
    /* an interrupt ends every wait of every session, so this is soon */
    while (taken(server) > 0)
        poll(NULL, 0, 10);
    return server->spec.once && server->served ? server->last_end : 0;
}
