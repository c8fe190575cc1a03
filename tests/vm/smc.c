/* SPDX-License-Identifier: MIT */
/*
 * Programs that use SMC, as smc_run makes of any program with sockets, and RDS.
 *
 * smc pnet NAME NETDEV DEVICE: an entry of SMC's table of physical networks (what `smc_pnet -a` does): port 1
 * of the RDMA device and the netdev are on network NAME. smc eid NAME: an enterprise id of SMC's second
 * version (`smcr ueid add`), the only one that goes by RoCE v2. smc serve PORT: answers each connection with
 * what it sends, until standard input ends. smc connect ADDRESS PORT COUNT: so many connections, each of
 * which sends BYTES and gets them back; prints "connected", and holds them until standard input ends. smc tcp
 * ADDRESS PORT: the same by a socket of TCP. smc rds OWN PEER: a message by RDS from one address to another,
 * answered by the same program there.
 */
#include <arpa/inet.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <linux/rds.h>
#include <linux/smc.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#ifndef AF_SMC
#define AF_SMC 43
#endif
enum { BYTES = 65536, CONNECTIONS_MOST = 64, PATIENCE_S = 30, RDS_PORT = 4711, AGAIN_MS = 200 };

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

/* -- the table of physical networks, by generic netlink ------------------------------------------------- */

struct request {
    struct nlmsghdr header;
    struct genlmsghdr generic;
    char attributes[256];
};

static void put(struct request *request, uint16_t type, const void *data, size_t len)
{
    struct nlattr *attr = (void *)((char *)request + NLMSG_ALIGN(request->header.nlmsg_len));
    attr->nla_type = type;
    attr->nla_len = (uint16_t)(NLA_HDRLEN + len);
    memcpy((char *)attr + NLA_HDRLEN, data, len);
    request->header.nlmsg_len = NLMSG_ALIGN(request->header.nlmsg_len) + NLA_ALIGN(attr->nla_len);
}

static struct request request_of(uint16_t type, uint8_t command)
{
    return (struct request){
        .header = { .nlmsg_len = NLMSG_LENGTH(GENL_HDRLEN),
                    .nlmsg_type = type,
                    .nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK },
        .generic = { .cmd = command, .version = 1 },
    };
}

/* The first message that answers, in reply; an error ends the program. */
static void ask(int fd, struct request *request, char *reply, size_t size)
{
    if (send(fd, request, request->header.nlmsg_len, 0) < 0 || recv(fd, reply, size, 0) < 0)
        fail("netlink");
    const struct nlmsghdr *header = (const void *)reply;
    const struct nlmsgerr *error = NLMSG_DATA(header);
    if (header->nlmsg_type == NLMSG_ERROR && error->error) {
        fprintf(stderr, "smc: %s\n", strerror(-error->error));
        exit(1);
    }
}

static uint16_t family_of(int fd, const char *name)
{
    _Alignas(4) char reply[8192];
    struct request request = request_of(GENL_ID_CTRL, CTRL_CMD_GETFAMILY);
    put(&request, CTRL_ATTR_FAMILY_NAME, name, strlen(name) + 1);
    ask(fd, &request, reply, sizeof(reply));
    const struct nlmsghdr *header = (const void *)reply;
    const char *at = (const char *)NLMSG_DATA(header) + GENL_HDRLEN, *end = reply + header->nlmsg_len;
    while (at + NLA_HDRLEN <= end) {
        const struct nlattr *attr = (const void *)at;
        if (attr->nla_type == CTRL_ATTR_FAMILY_ID)
            return *(const uint16_t *)(const void *)(at + NLA_HDRLEN);
        at += NLA_ALIGN(attr->nla_len);
    }
    fprintf(stderr, "smc: no family %s\n", name);
    exit(1);
}

static int pnet(const char *name, const char *netdev, const char *device)
{
    _Alignas(4) char reply[8192];
    uint8_t port = 1;
    int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);
    struct request request = request_of(family_of(fd, SMCR_GENL_FAMILY_NAME), SMC_PNETID_ADD);
    recv(fd, reply, sizeof(reply), MSG_DONTWAIT); /* the end of the family's answer */
    put(&request, SMC_PNETID_NAME, name, strlen(name) + 1);
    put(&request, SMC_PNETID_ETHNAME, netdev, strlen(netdev) + 1);
    put(&request, SMC_PNETID_IBNAME, device, strlen(device) + 1);
    put(&request, SMC_PNETID_IBPORT, &port, sizeof(port));
    ask(fd, &request, reply, sizeof(reply));
    close(fd);
    return 0;
}

static int eid(const char *name)
{
    _Alignas(4) char reply[8192];
    char padded[SMC_MAX_EID_LEN + 1];
    int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);
    struct request request = request_of(family_of(fd, SMC_GENL_FAMILY_NAME), SMC_NETLINK_ADD_UEID);
    recv(fd, reply, sizeof(reply), MSG_DONTWAIT); /* the end of the family's answer */
    snprintf(padded, sizeof(padded), "%-*s", SMC_MAX_EID_LEN, name);
    put(&request, SMC_NLA_EID_TABLE_ENTRY, padded, sizeof(padded));
    ask(fd, &request, reply, sizeof(reply));
    close(fd);
    return 0;
}

/* -- connections ---------------------------------------------------------------------------------------- */

static struct sockaddr_in address_of(const char *address, const char *port)
{
    struct sockaddr_in in = { .sin_family = AF_INET, .sin_port = htons((uint16_t)strtoul(port, NULL, 10)) };
    if (inet_pton(AF_INET, address, &in.sin_addr) != 1)
        fail(address);
    return in;
}

static void move(int fd, char *data, bool sending)
{
    for (size_t done = 0; done < BYTES;) {
        ssize_t n = sending ? send(fd, data + done, BYTES - done, 0) : recv(fd, data + done, BYTES - done, 0);
        if (n <= 0)
            fail(sending ? "send" : "recv");
        done += (size_t)n;
    }
}

static int serve(const char *port)
{
    static char data[BYTES];
    struct sockaddr_in in = address_of("0.0.0.0", port);
    int on = 1, listener = socket(AF_SMC, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener < 0 || setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) < 0 ||
        bind(listener, (const struct sockaddr *)&in, sizeof(in)) < 0 || listen(listener, CONNECTIONS_MOST) < 0)
        fail("listen");
    printf("listening\n");
    fflush(stdout);
    for (;;) {
        struct pollfd fds[] = { { .fd = listener, .events = POLLIN },
                                { .fd = STDIN_FILENO, .events = POLLIN } };
        if (poll(fds, 2, -1) < 0)
            fail("poll");
        if (fds[1].revents)
            return 0;
        int fd = accept(listener, NULL, NULL);
        if (fd < 0)
            fail("accept");
        move(fd, data, false);
        move(fd, data, true);
    }
}

static int hold(void)
{
    char end;
    alarm(0);
    printf("connected\n");
    fflush(stdout);
    return read(STDIN_FILENO, &end, 1) < 0;
}

static int call(int family, const char *address, const char *port, unsigned count)
{
    static char sent[BYTES], received[BYTES];
    struct sockaddr_in in = address_of(address, port);
    for (size_t i = 0; i < BYTES; i++)
        sent[i] = (char)(i * 7 + i / 256);
    alarm(PATIENCE_S);
    for (unsigned i = 0; i < count; i++) {
        int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (fd < 0 || connect(fd, (const struct sockaddr *)&in, sizeof(in)) < 0)
            fail("connect");
        move(fd, sent, true);
        move(fd, received, false);
        if (memcmp(sent, received, BYTES) != 0) {
            fprintf(stderr, "smc: other bytes came back\n");
            return 1;
        }
    }
    return hold();
}

static int rds(const char *own, const char *peer)
{
    char text[] = "hello", answer[sizeof(text)];
    struct sockaddr_in from = { .sin_family = AF_INET, .sin_port = htons(RDS_PORT) }, to = from;
    int fd = socket(AF_RDS, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (fd < 0 || inet_pton(AF_INET, own, &from.sin_addr) != 1 || inet_pton(AF_INET, peer, &to.sin_addr) != 1 ||
        bind(fd, (const struct sockaddr *)&from, sizeof(from)) < 0)
        fail("rds");
    alarm(PATIENCE_S);
    /* What comes before the other side has its socket is lost: again, until it answers, which shows that it
     * has. */
    for (bool answered = false; !answered;) {
        struct pollfd waits = { .fd = fd, .events = POLLIN };
        if (sendto(fd, text, sizeof(text), 0, (const struct sockaddr *)&to, sizeof(to)) < 0)
            fail("rds");
        answered = poll(&waits, 1, AGAIN_MS) > 0 &&
                   recv(fd, answer, sizeof(answer), MSG_DONTWAIT) == (ssize_t)sizeof(answer);
    }
    if (sendto(fd, text, sizeof(text), 0, (const struct sockaddr *)&to, sizeof(to)) < 0)
        fail("rds");
    return hold();
}

int main(int argc, char **argv)
{
    if (argc == 5 && strcmp(argv[1], "pnet") == 0)
        return pnet(argv[2], argv[3], argv[4]);
    if (argc == 3 && strcmp(argv[1], "eid") == 0)
        return eid(argv[2]);
    if (argc == 3 && strcmp(argv[1], "serve") == 0)
        return serve(argv[2]);
    if (argc == 5 && strcmp(argv[1], "connect") == 0)
        return call(AF_SMC, argv[2], argv[3], (unsigned)strtoul(argv[4], NULL, 10));
    if (argc == 4 && strcmp(argv[1], "tcp") == 0)
        return call(AF_INET, argv[2], argv[3], 1);
    if (argc == 4 && strcmp(argv[1], "rds") == 0)
        return rds(argv[2], argv[3]);
    fprintf(stderr, "usage: smc pnet NAME NETDEV DEVICE | eid NAME | serve PORT | connect ADDRESS PORT COUNT | "
                    "tcp ADDRESS PORT | rds OWN PEER\n");
    return 2;
}
