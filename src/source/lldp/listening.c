/* SPDX-License-Identifier: MIT */
/* Hears LLDP on the live machine's cables. */
#include <arpa/inet.h>
#include <linux/filter.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <poll.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "neighbor/lldp_frame.h"
#include "source/lldp/lldp_read.h"

enum {
    FRAME_MOST = 2048,  /* of a frame; LLDP isn't longer than the smallest MTU */
    FRAMES_A_TURN = 16, /* from one netdev, so that a flood takes little time */
    TURN_MS = 5,        /* between turns, */
    TICK_MS = 200,      /* and so often the user is looked at */
    ADDRESS_SIZE = 6,
};

/* A frame that was heard; of those that name the same chassis and port only the last is kept. */
struct heard {
    unsigned second;
    size_t len;
    size_t named; /* so many bytes of it, with the addresses, tell whose it is */
    uint8_t frame[FRAME_MOST];
};

struct ear {
    const struct netdev *netdev;
    int fd; /* -1: none */
    int err;
    struct heard *heard;
    size_t nheard;
};

/* The ethertype, in the kernel: nobody's traffic comes up here. */
static int set_filter(int fd)
{
    struct sock_filter code[] = { BPF_STMT(BPF_LD | BPF_H | BPF_ABS, 12),
                                  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, LLDP_ETHERTYPE, 1, 0),
                                  BPF_STMT(BPF_RET | BPF_K, 0), BPF_STMT(BPF_RET | BPF_K, FRAME_MOST) };
    struct sock_fprog program = { .len = ARRAY_SIZE(code), .filter = code };
    return setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof(program));
}

/* Nearest bridge, nearest non-TPMR bridge, nearest customer bridge. A NIC drops frames for groups that nobody
 * joined. */
static void join_groups(int fd, int index)
{
    static const uint8_t last_bytes[] = { 0x0e, 0x03, 0x00 };
    for (size_t i = 0; i < ARRAY_SIZE(last_bytes); i++) {
        struct packet_mreq group = { .mr_ifindex = index,
                                     .mr_type = PACKET_MR_MULTICAST,
                                     .mr_alen = ADDRESS_SIZE,
                                     .mr_address = { 0x01, 0x80, 0xc2, 0x00, 0x00, last_bytes[i] } };
        (void)setsockopt(fd, SOL_PACKET, PACKET_ADD_MEMBERSHIP, &group, sizeof(group));
    }
}

/* Returns a descriptor, or -errno. Protocol 0: nothing arrives before it is bound to the netdev. */
static int open_ear(const struct netdev *netdev)
{
    struct sockaddr_ll address = { .sll_family = AF_PACKET,
                                   .sll_protocol = htons(LLDP_ETHERTYPE),
                                   .sll_ifindex = (int)netdev->ifindex.value };
    int fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return -errno;
    if (set_filter(fd) < 0 || bind(fd, (struct sockaddr *)&address, sizeof(address)) < 0) {
        int err = errno;
        close(fd);
        return -err;
    }
    join_groups(fd, address.sll_ifindex);
    return fd;
}

/* How much of a frame names its sender's chassis and port; 0: it isn't LLDP. */
static size_t named_by(const uint8_t *frame, size_t len)
{
    const uint8_t *at = lldp_data(frame, len);
    struct tlv tlv;
    for (int i = 0; at && i < 2; i++)
        if (!tlv_next(&at, frame + len, &tlv))
            at = NULL;
    return at ? (size_t)(at - frame) : 0;
}

static void keep(struct ear *ear, const uint8_t *frame, size_t len, unsigned second)
{
    size_t named = named_by(frame, len);
    struct heard *heard = NULL;
    if (!named)
        return;
    for (size_t i = 0; i < ear->nheard && !heard; i++)
        if (ear->heard[i].named == named && memcmp(ear->heard[i].frame, frame, named) == 0)
            heard = &ear->heard[i];
    if (!heard && ear->nheard == LLDP_NEIGHBORS_MOST)
        return;
    if (!heard) {
        ear->heard = mem_resize(ear->heard, ear->nheard + 1, sizeof(*ear->heard));
        heard = &ear->heard[ear->nheard++];
    }
    heard->second = second;
    heard->len = len;
    heard->named = named;
    memcpy(heard->frame, frame, len);
}

/* While its netdev is down a socket says ENETDOWN, and lives on. */
static void hear(struct ear *ear, unsigned second)
{
    uint8_t frame[FRAME_MOST];
    struct sockaddr_ll from;
    socklen_t size = sizeof(from);
    for (int i = 0; i < FRAMES_A_TURN; i++, size = sizeof(from)) {
        ssize_t n = recvfrom(ear->fd, frame, sizeof(frame), 0, (struct sockaddr *)&from, &size);
        if (n < 0 && errno != EINTR)
            return;
        if (n > 0 && from.sll_pkttype != PACKET_OUTGOING)
            keep(ear, frame, (size_t)n, second);
    }
}

static void show(const struct lldp_listening *listening, const struct ear *ears, size_t count, unsigned second)
{
    char text[128];
    size_t open = 0, heard = 0;
    for (size_t i = 0; i < count; i++) {
        open += ears[i].fd >= 0;
        heard += ears[i].nheard > 0;
    }
    snprintf(text, sizeof(text), "listening for LLDP: %u of %u s, heard on %zu of %zu ports (Ctrl-C ends it)",
             second, listening->seconds, heard, open);
    if (listening->progress)
        listening->progress(NULL, text);
}

/* Hears all of them until the time is over. Returns the milliseconds it took; *stopped: the user ended it. */
static uint64_t listen_all(const struct lldp_listening *listening, struct ear *ears, size_t count,
                           bool *stopped)
{
    struct pollfd *fds = mem_alloc(count, sizeof(*fds));
    uint64_t begin = clock_ms(), end = begin + listening->seconds * 1000ull, now;
    for (size_t i = 0; i < count; i++)
        fds[i] = (struct pollfd){ .fd = ears[i].fd, .events = POLLIN };
    while ((now = clock_ms()) < end && !(*stopped = listening->stopped && listening->stopped())) {
        unsigned second = (unsigned)((now - begin) / 1000);
        show(listening, ears, count, second);
        if (poll(fds, count, end - now < TICK_MS ? (int)(end - now) : TICK_MS) <= 0)
            continue;
        for (size_t i = 0; i < count; i++)
            if (fds[i].fd >= 0 && fds[i].revents)
                hear(&ears[i], second);
        nanosleep(&(struct timespec){ .tv_nsec = TURN_MS * 1000000 }, NULL);
    }
    free(fds);
    return clock_ms() - begin;
}

static void put_ear(const struct ear *ear, struct bytes *text)
{
    if (ear->fd < 0 && !ear->err)
        bytes_printf(text, "down %s\n", ear->netdev->name);
    if (ear->err)
        bytes_printf(text, "error %s %d\n", ear->netdev->name, ear->err);
    for (size_t i = 0; i < ear->nheard; i++) {
        bytes_printf(text, "frame %s %u ", ear->netdev->name, ear->heard[i].second);
        bytes_put_hex(text, ear->heard[i].frame, ear->heard[i].len, 0);
        bytes_append(text, "\n", 1);
    }
}

int lldp_listen(const struct host *host, const struct lldp_listening *listening, struct bytes *text)
{
    struct ear *ears = mem_alloc(host->nnetdevs + 1, sizeof(*ears));
    size_t count = 0, open = 0;
    bool stopped = false;
    uint64_t ms = 0;
    for (size_t i = 0; i < host->nnetdevs; i++) {
        const struct netdev *netdev = &host->netdevs[i];
        if (!netdev_has_cable(netdev) || !netdev->ifindex.known)
            continue;
        struct ear *ear = &ears[count++];
        *ear = (struct ear){ .netdev = netdev, .fd = netdev->carrier == TRI_YES ? open_ear(netdev) : -1 };
        if (netdev->carrier == TRI_YES && ear->fd < 0) {
            ear->err = -ear->fd;
            ear->fd = -1;
        }
        open += ear->fd >= 0;
    }
    if (open)
        ms = listen_all(listening, ears, count, &stopped);
    bytes_printf(text, "listened %" PRIu64 "%s\n", (ms + 500) / 1000, stopped ? " interrupted" : "");
    for (size_t i = 0; i < count; i++) {
        put_ear(&ears[i], text);
        if (ears[i].fd >= 0)
            close(ears[i].fd);
        free(ears[i].heard);
    }
    free(ears);
    return 0;
}
