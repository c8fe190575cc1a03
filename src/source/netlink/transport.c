/* SPDX-License-Identifier: MIT */
/* The live sockets and the exchange with the kernel, and the answers of a recording. */
#include "source/netlink/ask.h"

#include <libmnl/libmnl.h>
#include <poll.h>
#include <sys/utsname.h>

#include "base/clock.h"

enum {
    PROTOCOLS = 32,
    /* the kernel fills dumps in pieces of at most 32 KiB; a single answer may be larger */
    RECEIVE_ROOM = 128 << 10,
    DEADLINE_MS = 5000,
    HURRY_MS = 100, /* for all questions after an unanswered one: a silent kernel isn't waited for each time */
    MOST_EINTR = 1000, /* in a row, from a call that doesn't block */
    MOST_TRIES = 5,    /* for a dump that changes while it is taken */
    MOST_FAMILIES = 8,
};

struct netlink {
    struct mnl_socket *sockets[PROTOCOLS];
    uint32_t sequence;
    unsigned patience_ms;
    struct bytes reply;
};

struct netlink *netlink_new(void)
{
    struct netlink *netlink = mem_alloc(1, sizeof(*netlink));
    netlink->sequence = (uint32_t)time(NULL);
    netlink->patience_ms = DEADLINE_MS;
    return netlink;
}

void netlink_free(struct netlink *netlink)
{
    if (!netlink)
        return;
    for (int i = 0; i < PROTOCOLS; i++)
        if (netlink->sockets[i])
            mnl_socket_close(netlink->sockets[i]);
    bytes_free(&netlink->reply);
    free(netlink);
}

static int open_socket(struct netlink *netlink, int protocol, struct mnl_socket **out)
{
    if (!netlink->sockets[protocol]) {
        struct mnl_socket *socket = mnl_socket_open2(protocol, SOCK_CLOEXEC);
        if (!socket)
            return errno == EPROTONOSUPPORT || errno == EAFNOSUPPORT ? -EOPNOTSUPP : -errno;
        if (mnl_socket_bind(socket, 0, MNL_SOCKET_AUTOPID) < 0) {
            int err = errno;
            mnl_socket_close(socket);
            return -err;
        }
        int on = 1; /* kernels before 4.12 don't know these: then errors have no text and echo the request */
        mnl_socket_setsockopt(socket, NETLINK_EXT_ACK, &on, sizeof(on));
        mnl_socket_setsockopt(socket, NETLINK_CAP_ACK, &on, sizeof(on));
        netlink->sockets[protocol] = socket;
    }
    *out = netlink->sockets[protocol];
    return 0;
}

static int wait_readable(int fd, uint64_t deadline)
{
    struct pollfd pollfd = { .fd = fd, .events = POLLIN };
    for (;;) {
        uint64_t now = clock_ms();
        int r = now < deadline ? poll(&pollfd, 1, (int)(deadline - now)) : 0;
        if (r > 0)
            return 0;
        if (r == 0)
            return -ETIMEDOUT;
        if (errno != EINTR)
            return -errno;
    }
}

/* Appends one datagram from the kernel to the reply. Returns its length or -errno. */
static ssize_t receive(struct netlink *netlink, struct mnl_socket *socket, uint64_t deadline)
{
    struct bytes *reply = &netlink->reply;
    int fd = mnl_socket_get_fd(socket);
    if (reply->size < reply->len + RECEIVE_ROOM) {
        reply->size = reply->len + 2 * RECEIVE_ROOM;
        reply->data = mem_resize(reply->data, reply->size, 1);
    }
    for (unsigned interrupts = 0;;) {
        /* Tried before waiting: most answers are there by the time the question has been sent. */
        ssize_t n = netlink_receive(fd, reply->data + reply->len, RECEIVE_ROOM);
        if (n > 0 || (n < 0 && n != -EINTR && n != -EAGAIN) || (n == -EINTR && ++interrupts == MOST_EINTR))
            return n;
        int r = wait_readable(fd, deadline);
        if (r < 0)
            return r;
    }
}

enum progress { MORE, COMPLETE };

/* Examines what was just received. Drops it if it answers an older question. */
static int look_at(struct netlink *netlink, size_t n, uint32_t sequence, bool *interrupted)
{
    struct messages messages = messages_of(netlink->reply.data + netlink->reply.len, n);
    struct message message;
    bool ours = false;
    int result = MORE;
    while (messages_next(&messages, &message)) {
        const struct nlmsghdr *header = message.header;
        if (header->nlmsg_seq != sequence)
            break;
        ours = true;
        if (header->nlmsg_flags & NLM_F_DUMP_INTR)
            *interrupted = true;
        if (header->nlmsg_type == NLMSG_DONE || header->nlmsg_type == NLMSG_ERROR) {
            int err = message_error(&message);
            result = err < 0 ? err : COMPLETE;
        }
    }
    if (messages.broken)
        return -EBADMSG;
    if (ours) {
        size_t padding = NLMSG_ALIGN(n) - n;
        memset(netlink->reply.data + netlink->reply.len + n, 0, padding);
        netlink->reply.len += n + padding;
    }
    return result;
}

static int exchange(struct netlink *netlink, struct mnl_socket *socket, struct request *request,
                    bool *interrupted)
{
    uint64_t deadline = clock_ms() + netlink->patience_ms;
    struct nlmsghdr *header = &request->header;
    header->nlmsg_seq = ++netlink->sequence;
    if ((header->nlmsg_flags & NLM_F_DUMP) != NLM_F_DUMP)
        header->nlmsg_flags |= NLM_F_ACK; /* so that every reply has an end */
    netlink->reply.len = 0;
    *interrupted = false;
    if (mnl_socket_sendto(socket, header, header->nlmsg_len) < 0)
        return -errno;
    for (;;) {
        ssize_t n = receive(netlink, socket, deadline);
        if (n < 0)
            return (int)n;
        int r = look_at(netlink, (size_t)n, header->nlmsg_seq, interrupted);
        if (r != MORE)
            return r == COMPLETE ? 0 : r;
        if (netlink->reply.len > ROOT_REPLY_MOST)
            return -EFBIG;
    }
}

static int ask_kernel(struct reader *reader, const struct question *question, const struct subject *subject,
                      const char *name)
{
    struct netlink *netlink = reader->source->netlink;
    int protocol = question->protocol;
    struct mnl_socket *socket;
    struct request request;
    question_build(question, subject, &request);
    int r = open_socket(netlink, protocol, &socket);
    bool interrupted = false;
    for (int i = 0; r == 0 && i < MOST_TRIES; i++) {
        r = exchange(netlink, socket, &request, &interrupted);
        if (!interrupted)
            break;
    }
    if (r == -ETIMEDOUT)
        netlink->patience_ms = HURRY_MS;
    if (r < 0 && netlink->sockets[protocol] &&
        (r == -ETIMEDOUT || r == -EINTR || r == -EBADMSG || r == -ENOBUFS)) {
        mnl_socket_close(netlink->sockets[protocol]); /* discards late answers */
        netlink->sockets[protocol] = NULL;
    }
    if (r == 0 && interrupted)
        host_problem(reader->host, EINTR, "it kept changing while it was read", "netlink %s", name);
    return r;
}

static int ask_ioctl(struct reader *reader, const struct question *question, const struct subject *subject)
{
    const struct netlink *netlink = reader->source->netlink;
    const struct mnl_socket *socket = netlink->sockets[NETLINK_ROUTE]; /* any kind will do: an open one */
    struct bytes *reply = &reader->source->netlink->reply;
    reply->len = 0;
    return ethtool_fetch(socket ? mnl_socket_get_fd(socket) : -1, question->type, subject->name, reply);
}

/* Is "/NAME.ko" in the list of what is built into the running kernel? -ENODATA: can't tell. */
static int is_built_in(struct root *root, const char *module)
{
    struct utsname name;
    char path[256];
    struct bytes text = { 0 };
    if (uname(&name) < 0)
        return -ENODATA;
    snprintf(path, sizeof(path), "lib/modules/%s/modules.builtin", name.release);
    bool is_whole = root_peek_file(root, path, &text) == 0 && text.len <= ROOT_FILE_MOST;
    int r = is_whole ? strstr(text.data, module) != NULL : -ENODATA;
    bytes_free(&text);
    return r;
}

/* Asking makes the kernel load modules: a netfilter socket loads nfnetlink, a question to it nf_tables and its
 * dependencies, a generic netlink family's name that family's module, sock_diag the module for a kind of
 * socket. Looking must change nothing, and without the module there is nothing to report. Returns 0;
 * -EPROTONOSUPPORT or -ENOENT if it isn't there; -ENODATA: can't tell. */
static int may_ask(struct root *root, const struct question *question)
{
    char path[64];
    const char *module = question->module;
    if (!module)
        return 0;
    snprintf(path, sizeof(path), "sys/module/%s", module);
    if (root_exists(root, path))
        return 0;
    snprintf(path, sizeof(path), "/%s.ko\n", module);
    int built_in = is_built_in(root, path);
    if (built_in < 0)
        return built_in;
    return built_in ? 0 : question->protocol == NETLINK_NETFILTER ? -EPROTONOSUPPORT : -ENOENT;
}

int netlink_ask_live(struct reader *reader, const struct question *question, const struct subject *subject,
                     const char *path, struct span *reply)
{
    struct bytes *bytes = &reader->source->netlink->reply;
    int r = may_ask(reader->root, question);
    if (r == 0)
        r = question->protocol == PROTOCOL_IOCTL
                ? ask_ioctl(reader, question, subject)
                : ask_kernel(reader, question, subject, path + strlen("netlink/"));
    size_t len = r < 0 ? 0 : bytes->len;
    root_tell_file(reader->root, "{netlink}", path, bytes->data, len, r);
    if (r == 0)
        *reply = (struct span){ bytes->data, len };
    return r;
}

/* The text of the error message that ends the reply. */
static const char *error_text(const struct netlink *netlink, struct arena *arena)
{
    struct messages messages = messages_of(netlink->reply.data, netlink->reply.len);
    struct message message;
    while (messages_next(&messages, &message))
        if (message.type == NLMSG_ERROR)
            return message_error_text(&message, arena);
    return NULL;
}

int netlink_change(int protocol, struct request *request, struct arena *arena, const char **text)
{
    struct netlink *netlink = netlink_new();
    struct mnl_socket *socket;
    bool interrupted;
    *text = NULL;
    int r = open_socket(netlink, protocol, &socket);
    if (r == 0) {
        r = exchange(netlink, socket, request, &interrupted);
        if (r < 0)
            *text = error_text(netlink, arena);
    }
    netlink_free(netlink);
    return r;
}

/* Recorded answers: netlink/NAME. */

int netlink_ask_recorded(struct reader *reader, const struct question *question, const struct subject *subject,
                         const char *path, struct span *reply)
{
    (void)question, (void)subject;
    return root_read_big(reader->root, reply, "{netlink}", path);
}
