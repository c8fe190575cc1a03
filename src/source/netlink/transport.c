#include "source/netlink/transport.h"

#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/genetlink.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "base/mem.h"
#include "source/netlink/message.h"

enum {
    PROTOCOLS = 32,
    /* the kernel fills dumps in pieces of at most 32 KiB; a single answer may be larger */
    RECEIVE_ROOM = 128 << 10,
    DEADLINE_MS = 5000,
    MOST_TRIES = 5, /* of a dump that changes while it is taken */
    MOST_FAMILIES = 8,
};

struct netlink {
    struct mnl_socket *sockets[PROTOCOLS];
    uint32_t sequence;
    struct bytes reply;
};

struct netlink *netlink_new(void)
{
    struct netlink *netlink = mem_alloc(1, sizeof(*netlink));
    netlink->sequence = (uint32_t)time(NULL);
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

void *request_begin(struct request *request, uint16_t type, uint16_t flags, size_t extra)
{
    struct nlmsghdr *header = mnl_nlmsg_put_header(request->room);
    header->nlmsg_type = type;
    header->nlmsg_flags = NLM_F_REQUEST | flags;
    return mnl_nlmsg_put_extra_header(header, extra);
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

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int wait_readable(int fd, int64_t deadline)
{
    struct pollfd pollfd = { .fd = fd, .events = POLLIN };
    for (;;) {
        int64_t left = deadline - now_ms();
        int r = left > 0 ? poll(&pollfd, 1, (int)left) : 0;
        if (r > 0)
            return 0;
        if (r == 0)
            return -ETIMEDOUT;
        if (errno != EINTR)
            return -errno;
    }
}

/* Appends one datagram from the kernel to the reply. Its length, or -errno. */
static ssize_t receive(struct netlink *netlink, struct mnl_socket *socket, int64_t deadline)
{
    struct bytes *reply = &netlink->reply;
    int fd = mnl_socket_get_fd(socket);
    if (reply->size < reply->len + RECEIVE_ROOM) {
        reply->size = reply->len + 2 * RECEIVE_ROOM;
        reply->data = mem_resize(reply->data, reply->size, 1);
    }
    for (;;) {
        struct sockaddr_nl from = { 0 };
        struct iovec iov = { reply->data + reply->len, RECEIVE_ROOM };
        struct msghdr msg = {
            .msg_name = &from, .msg_namelen = sizeof(from), .msg_iov = &iov, .msg_iovlen = 1
        };
        /* Tried before it is waited for: most answers are there when the question has been sent. */
        ssize_t n = recvmsg(fd, &msg, MSG_DONTWAIT);
        if (n < 0 && errno != EINTR && errno != EAGAIN)
            return -errno;
        /* another process may send to this socket as well */
        if (n >= 0 && from.nl_pid == 0)
            return msg.msg_flags & MSG_TRUNC ? -EMSGSIZE : n;
        int r = wait_readable(fd, deadline);
        if (r < 0)
            return r;
    }
}

enum progress { MORE, COMPLETE };

/* Looks at what was just received. Drops it when it answers an older question. */
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
    int64_t deadline = now_ms() + DEADLINE_MS;
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

static int ask_live(struct reader *reader, int protocol, struct request *request, const char *name)
{
    struct netlink *netlink = reader->source->netlink;
    struct mnl_socket *socket;
    int r = open_socket(netlink, protocol, &socket);
    bool interrupted = false;
    for (int i = 0; r == 0 && i < MOST_TRIES; i++) {
        r = exchange(netlink, socket, request, &interrupted);
        if (!interrupted)
            break;
    }
    if (r < 0 && netlink->sockets[protocol] && (r == -ETIMEDOUT || r == -EBADMSG || r == -ENOBUFS)) {
        mnl_socket_close(netlink->sockets[protocol]); /* late answers go with it */
        netlink->sockets[protocol] = NULL;
    }
    if (r == 0 && interrupted)
        host_problem(reader->host, EINTR, "it kept changing while it was read", "netlink %s", name);
    return r;
}

#define FORMAT_NAME(name, format)                                                  \
    char name[512];                                                                \
    do {                                                                           \
        va_list args;                                                              \
        va_start(args, format);                                                    \
        int name_len = snprintf(name, sizeof(name), "netlink/");                   \
        vsnprintf(name + name_len, sizeof(name) - (size_t)name_len, format, args); \
        va_end(args);                                                              \
    } while (0)

static int finish_live(struct reader *reader, int r, const char *path, struct span *reply)
{
    struct bytes *bytes = &reader->source->netlink->reply;
    size_t len = r < 0 ? 0 : bytes->len;
    root_tell_file(reader->root, path, bytes->data, len, r);
    if (r == 0)
        *reply = (struct span){ bytes->data, len };
    return r;
}

int netlink_ask(struct reader *reader, int protocol, struct request *request, struct span *reply,
                const char *format, ...)
{
    FORMAT_NAME(path, format);
    if (root_is_recorded(reader->root))
        return root_read_big(reader->root, reply, path);
    int r = ask_live(reader, protocol, request, path + strlen("netlink/"));
    return finish_live(reader, r, path, reply);
}

int netlink_fetch(struct reader *reader, netlink_fetcher *fetch, const void *argument, struct span *reply,
                  const char *format, ...)
{
    FORMAT_NAME(path, format);
    if (root_is_recorded(reader->root))
        return root_read_big(reader->root, reply, path);
    reader->source->netlink->reply.len = 0;
    int r = fetch(argument, &reader->source->netlink->reply);
    return finish_live(reader, r, path, reply);
}

void netlink_problem(struct reader *reader, int err, const char *format, ...)
{
    FORMAT_NAME(path, format);
    path[strlen("netlink")] = ' ';
    read_problem(reader, err, "%s", path);
}

int netlink_family(struct reader *reader, const char *family, uint16_t *id)
{
    struct request request;
    struct genlmsghdr *genl = request_begin(&request, GENL_ID_CTRL, 0, sizeof(*genl));
    genl->cmd = CTRL_CMD_GETFAMILY;
    genl->version = 1;
    mnl_attr_put_strz(&request.header, CTRL_ATTR_FAMILY_NAME, family);
    struct span reply;
    int r = netlink_ask(reader, NETLINK_GENERIC, &request, &reply, "genl-%s", family);
    if (r < 0)
        return r;
    struct messages messages = messages_of(reply.data, reply.len);
    struct message message;
    struct attrs attrs;
    if (!messages_next_answer(&messages, &message))
        return -EBADMSG;
    attrs_parse(&attrs, message.payload, message.len, GENL_HDRLEN);
    struct num found = attr_u16(attrs.at[CTRL_ATTR_FAMILY_ID]);
    if (!found.known)
        return -EBADMSG;
    *id = (uint16_t)found.value;
    return 0;
}

/* The text of the error message that ends the reply. */
static const char *error_text(const struct netlink *netlink, struct arena *arena)
{
    struct messages messages = messages_of(netlink->reply.data, netlink->reply.len);
    struct message message;
    while (messages_next(&messages, &message))
        if (message.header->nlmsg_type == NLMSG_ERROR)
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
