/* SPDX-License-Identifier: MIT */
/* The addresses of a host name, by libcares. */
#include "selftest/peer/peer.h"

#define CARES_NO_DEPRECATED /* Debian 12's version lacks the replacements */
#include <ares.h>
#include <arpa/inet.h>
#include <netdb.h>
#include <poll.h>

#include "tables.h"

struct lookup {
    struct resolved *resolved;
    uint16_t port;
    bool done;
    int status; /* ARES_… */
};

static int errno_of(int status)
{
    static const struct {
        int status, err;
    } errors[] = { RESOLVER_ERRORS };
    for (size_t i = 0; i < ARRAY_SIZE(errors); i++)
        if (errors[i].status == status)
            return -errors[i].err;
    return -EIO;
}

static void keep_address(struct lookup *lookup, const struct sockaddr *address, socklen_t len)
{
    struct resolved *resolved = lookup->resolved;
    struct sockaddr_storage one = { 0 };
    if (len > sizeof(one) || resolved->count == RESOLVE_MOST)
        return;
    memcpy(&one, address, len);
    ((struct sockaddr_in *)&one)->sin_port = htons(lookup->port); /* at the same offset in both families */
    for (size_t i = 0; i < resolved->count; i++)
        if (memcmp(&resolved->addresses[i], &one, sizeof(one)) == 0)
            return;
    resolved->addresses[resolved->count++] = one;
}

static void answered(void *data, int status, int timeouts, struct ares_addrinfo *answer)
{
    struct lookup *lookup = data;
    (void)timeouts;
    lookup->done = true;
    lookup->status = status;
    for (struct ares_addrinfo_node *node = answer ? answer->nodes : NULL; node; node = node->ai_next)
        if (node->ai_family == AF_INET || node->ai_family == AF_INET6)
            keep_address(lookup, node->ai_addr, node->ai_addrlen);
    if (answer)
        ares_freeaddrinfo(answer);
    if (status == ARES_SUCCESS && lookup->resolved->count == 0)
        lookup->status = ARES_ENODATA;
}

static int wait_for(ares_channel channel, const struct lookup *lookup, const struct watch *watch)
{
    while (!lookup->done) {
        ares_socket_t sockets[ARES_GETSOCK_MAXNUM];
        struct pollfd polled[ARES_GETSOCK_MAXNUM];
        /* unsigned, as ARES_GETSOCK_READABLE and _WRITABLE shift into the sign bit */
        unsigned wanted = (unsigned)ares_getsock(channel, sockets, ARES_GETSOCK_MAXNUM);
        nfds_t count = 0;
        for (int i = 0; i < ARES_GETSOCK_MAXNUM; i++) {
            short events = (short)((wanted >> i & 1 ? POLLIN : 0) |
                                   (wanted >> (i + ARES_GETSOCK_MAXNUM) & 1 ? POLLOUT : 0));
            if (events)
                polled[count++] = (struct pollfd){ .fd = sockets[i], .events = events };
        }
        if (poll(polled, count, watch_slice(watch)) <= 0)
            count = 0;
        for (nfds_t i = 0; i < count; i++)
            if (polled[i].revents)
                ares_process_fd(channel, polled[i].revents & ~POLLOUT ? polled[i].fd : ARES_SOCKET_BAD,
                                polled[i].revents & POLLOUT ? polled[i].fd : ARES_SOCKET_BAD);
        ares_process_fd(channel, ARES_SOCKET_BAD, ARES_SOCKET_BAD); /* retries what has timed out */
        int r = lookup->done ? 0 : watch_check(watch);
        if (r < 0)
            return r;
    }
    return 0;
}

static void name_servers(ares_channel channel, char text[static RESOLVE_SERVERS_SIZE])
{
    struct ares_addr_node *servers = NULL;
    size_t len = 0;
    *text = '\0';
    if (ares_get_servers(channel, &servers) != ARES_SUCCESS)
        return;
    for (struct ares_addr_node *server = servers; server; server = server->next) {
        char address[INET6_ADDRSTRLEN] = "";
        inet_ntop(server->family, &server->addr, address, sizeof(address));
        if (len + strlen(address) + 3 > RESOLVE_SERVERS_SIZE)
            break;
        len += (size_t)snprintf(text + len, RESOLVE_SERVERS_SIZE - len, "%s%s", len > 0 ? ", " : "", address);
    }
    ares_free_data(servers);
}

/* Asks one source: "f" is /etc/hosts, "b" is DNS. */
static int ask_place(char *place, const char *name, const struct watch *watch, uint32_t ms,
                     struct lookup *lookup)
{
    /* Moves on soon from a silent server: two rounds of three end before the caller's time is up. */
    struct ares_options options = { .lookups = place, .timeout = (int)(ms / 10), .tries = 2 };
    const struct ares_addrinfo_hints hints = { .ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM };
    ares_channel channel;
    lookup->done = false;
    int status = ares_init_options(&channel, &options, ARES_OPT_LOOKUPS | ARES_OPT_TIMEOUTMS | ARES_OPT_TRIES);
    if (status != ARES_SUCCESS)
        return errno_of(status);
    if (*place == 'b')
        name_servers(channel, lookup->resolved->servers);
    ares_getaddrinfo(channel, name, NULL, &hints, answered, lookup);
    int r = wait_for(channel, lookup, watch);
    if (r == 0) {
        r = errno_of(lookup->status);
        lookup->resolved->trouble = ares_strerror(lookup->status);
    }
    ares_destroy(channel);
    return r;
}

int resolve_name(const char *name, uint16_t port, uint32_t ms, struct resolved *resolved)
{
    static char hosts[] = "f", dns[] = "b";
    struct lookup lookup = { .resolved = resolved, .port = port };
    struct watch watch = watch_for(ms, -1);
    memset(resolved, 0, sizeof(*resolved));
    int r = ares_library_init(ARES_LIB_INIT_ALL) == ARES_SUCCESS ? 0 : -ENOMEM;
    if (r < 0)
        return r;
    resolved->source = "/etc/hosts";
    r = ask_place(hosts, name, &watch, ms, &lookup);
    /* without an entry, libcares says that no server could be reached, though it tried none */
    if (r < 0 && r != -ENOMEM && r != -EINTR) {
        resolved->source = "DNS";
        r = ask_place(dns, name, &watch, ms, &lookup);
    }
    ares_library_cleanup();
    return r;
}
