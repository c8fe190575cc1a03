/* SPDX-License-Identifier: MIT */
/* roce serve: listens, and gives every client that sends HELLO a place and a thread. */
#include "selftest/peer/server.h"

#include <pthread.h>
#include <sched.h>

/* PAUSE_MS: after a connection for which the process has no descriptor or memory. */
enum { STACK = 512 * 1024, POLL_MS = 100, PAUSE_MS = 1000 };

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
    struct callers *callers;
    struct place *places; /* spec.max_clients */
    struct sources *sources;
    unsigned taken, served;
    uint64_t paused_until;
    int cpus, last_end;
    bool stopped;
    pthread_mutex_t lock; /* protects places, sources, taken, served, last_end, stopped and the log */
};

/* Did the client break the rules, as opposed to its network failing? */
static bool is_bad(const struct session_report *report)
{
    return report->end == -EPROTO || report->end == -EDQUOT || (report->end == -ETIMEDOUT && !report->proven);
}

/* Someone who only looks in isn't the session that --once waits for. */
static bool counts(const struct session_report *report)
{
    return report->proven || (report->end < 0 && report->end != -ECONNRESET);
}

/* With the lock held: the client is gone. bad: it broke the rules. */
static void free_place(struct place *place, bool bad)
{
    sources_leave(place->server->sources, &place->source, true, bad, wait_now());
    place->taken = false;
    place->server->taken--;
}

static uint64_t pay(void *data, uint64_t used)
{
    struct place *place = data;
    pthread_mutex_lock(&place->server->lock);
    uint64_t wait = sources_pay(place->server->sources, &place->source, used, wait_now());
    pthread_mutex_unlock(&place->server->lock);
    return wait;
}

static void *serve(void *data)
{
    struct place *place = data;
    struct server *server = place->server;
    pthread_mutex_lock(&server->lock);
    server->spec.log(server->spec.data, place->report.client, NULL);
    /* with the client's own thread in a loopback run, two threads spin per session */
    bool yield = (int)server->taken >= server->cpus;
    pthread_mutex_unlock(&server->lock);
    struct session_terms terms = { .yield = yield, .pay = pay, .data = place };
    session_run(&server->spec.host, &place->connection, &place->hello, &terms, &place->report);
    pthread_mutex_lock(&server->lock);
    connection_close(&place->connection);
    server->spec.log(server->spec.data, place->report.client, &place->report);
    if (counts(&place->report) && server->served++ == 0)
        server->last_end = place->report.end;
    free_place(place, is_bad(&place->report));
    pthread_mutex_unlock(&server->lock);
    return NULL;
}

static int start_session(struct place *place)
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

/* Takes a free place. NULL: there is none, and why. */
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
        *found = (struct place){ .server = server, .taken = true, .source = *source, .connection.fd = -1 };
        server->taken++;
    }
    pthread_mutex_unlock(&server->lock);
    return found;
}

/* Turned away after all: the client is told why, and disconnected. */
static void refuse_place(struct place *place, int fd, int err, const char *why)
{
    callers_turn_away(fd, err, why);
    pthread_mutex_lock(&place->server->lock);
    free_place(place, false);
    pthread_mutex_unlock(&place->server->lock);
}

static void caller_gone(void *data, const struct source_key *source, bool bad)
{
    struct server *server = data;
    pthread_mutex_lock(&server->lock);
    sources_leave(server->sources, source, false, bad, wait_now());
    pthread_mutex_unlock(&server->lock);
}

/* The caller has sent HELLO. */
static void admit(void *data, int fd, const struct source_key *source, const struct wire_hello *hello)
{
    struct server *server = data;
    const char *why = SESSION_NO_ROOM;
    bool room = mem_reserve(SESSION_ROOM);
    struct place *place = room ? take_place(server, source, &why) : NULL;
    if (!place) {
        callers_turn_away(fd, room ? EBUSY : ENOMEM, why);
        caller_gone(server, source, false);
        return;
    }
    int refused = server->spec.admits ? server->spec.admits(server->spec.data, hello, &why) : 0;
    if (refused) {
        refuse_place(place, fd, refused, why);
        return;
    }
    struct sockaddr_storage from = { .ss_family = AF_INET };
    socklen_t len = sizeof(from);
    connection_tune(fd);
    place->connection.fd = fd;
    place->hello = *hello;
    memcpy(place->report.program, hello->program, sizeof(place->report.program));
    getpeername(fd, (struct sockaddr *)&from, &len);
    address_text(&from, place->report.client);
    int started = start_session(place);
    if (started < 0) {
        place->connection.fd = -1;
        refuse_place(place, fd, -started, "the server has no thread for this session");
    }
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
        callers_turn_away(fd, EBUSY, limit_text(limit));
        return;
    }
    callers_add(server->callers, fd, &source, wait_now());
}

/* false: nobody is waiting. What the caller has already sent is read at once, before later callers can displace
 * it. */
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

static void wait_for_calls(struct server *server)
{
    struct pollfd fds[CALLERS_MOST + SERVER_ADDRESSES_MOST];
    nfds_t count = CALLERS_MOST;
    callers_watch(server->callers, fds);
    for (size_t i = 0; i < server->spec.naddresses && wait_now() >= server->paused_until; i++)
        fds[count++] = (struct pollfd){ .fd = server->listeners[i], .events = POLLIN };
    if (poll(fds, count, POLL_MS) > 0) {
        callers_hear(server->callers, fds);
        for (nfds_t i = CALLERS_MOST; i < count; i++)
            for (unsigned calls = 0; fds[i].revents && calls < CALLERS_MOST && take_call(server, fds[i].fd);
                 calls++)
                ;
    }
    callers_drop_silent(server->callers, wait_now());
}

static bool goes_on(struct server *server)
{
    pthread_mutex_lock(&server->lock);
    bool more = !wait_interrupted() && !server->stopped && !(server->spec.once && server->served > 0);
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

/* Hangs up on those still being served after the one session. */
static void hang_up(struct server *server)
{
    pthread_mutex_lock(&server->lock);
    for (unsigned i = 0; i < server->spec.max_clients; i++)
        if (server->places[i].taken && server->places[i].connection.fd >= 0)
            shutdown(server->places[i].connection.fd, SHUT_RDWR);
    pthread_mutex_unlock(&server->lock);
}

int server_open(const struct server_spec *spec, struct server **out, size_t *failed)
{
    struct server *server = mem_alloc(1, sizeof(*server));
    server->spec = *spec;
    server->places = mem_alloc(spec->max_clients, sizeof(*server->places));
    server->sources = sources_new(spec->per_address, CALLERS_MOST + spec->max_clients);
    server->callers = callers_new(
        &(struct callers_host){ .greeted = admit, .gone = caller_gone, .data = server });
    pthread_mutex_init(&server->lock, NULL);
    for (size_t i = 0; i < SERVER_ADDRESSES_MOST; i++)
        server->listeners[i] = -1;
    cpu_set_t cpus;
    server->cpus = sched_getaffinity(0, sizeof(cpus), &cpus) == 0 ? CPU_COUNT(&cpus) : 1;
    for (size_t i = 0; i < spec->naddresses; i++) {
        int r = connection_listen(&spec->addresses[i], spec->found, &server->listeners[i]);
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
    pthread_mutex_destroy(&server->lock);
    callers_free(server->callers);
    free(server->sources);
    free(server->places);
    free(server);
}

void server_stop(struct server *server)
{
    pthread_mutex_lock(&server->lock);
    server->stopped = true;
    pthread_mutex_unlock(&server->lock);
}

int server_run(struct server *server)
{
    while (goes_on(server))
        wait_for_calls(server);
    if (!wait_interrupted())
        hang_up(server);
    /* an interrupt ends every wait of every session, so this won't take long */
    while (taken(server) > 0)
        poll(NULL, 0, 10);
    return server->spec.once && server->served ? server->last_end : 0;
}
