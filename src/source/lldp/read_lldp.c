/* SPDX-License-Identifier: MIT */
/* Collects what is known of the other ends of cables into the host: what systemd-networkd keeps, and what is
 * heard. */
#include <arpa/inet.h>
#include <linux/filter.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "base/clock.h"
#include "neighbor/lldp_frame.h"
#include "source/files/forms.h"
#include "source/reader.h"
#include "source/source.h"

#define SAVED "run/systemd/netif/lldp"
#define NETWORKD_SOCKET "/run/systemd/netif/io.systemd.Network"

/* -- who listens ------------------------------------------------------------------------------------------ */

/* "2    eth0            1     0     0180c200000e": has somebody joined LLDP's group there? */
static bool has_group(const char *text, const char *netdev)
{
    char name[64], group[16];
    for (const char *line = text; line && *line; line = text_next_line(line))
        if (sscanf(line, "%*u %63s %*d %*d %15s", name, group) == 2 && strcmp(name, netdev) == 0 &&
            strcmp(group, "0180c200000e") == 0)
            return true;
    return false;
}

static bool is_about(const struct netdev *netdev, unsigned ifindex)
{
    return ifindex == 0 || num_is(netdev->ifindex, ifindex);
}

/* "0000000000000000 3      3    88cc   2     1 0      0      12345": packet sockets, by protocol and interface.
 * networkd asks for LLDP alone; lldpd, lldpad and sniffers for everything, of which a sniffer joins no group.
 */
static void read_agents(struct reader *reader)
{
    struct host *host = reader->host;
    const char *groups = read_text(reader, FORM_GROUPS, "proc/net/dev_mcast"),
               *sockets = read_text(reader, FORM_PACKET_SOCKETS, "proc/net/packet");
    bool has_lldpd = read_has_directory(reader, "run/lldpd");
    host->lldp.agents_known = groups && sockets;
    for (const char *line = sockets; line && *line; line = text_next_line(line)) {
        unsigned protocol, ifindex;
        if (sscanf(line, "%*s %*u %*u %x %u", &protocol, &ifindex) != 2)
            continue;
        for (size_t i = 0; i < host->nnetdevs; i++) {
            struct netdev *netdev = &host->netdevs[i];
            if (!netdev_has_cable(netdev) || !is_about(netdev, ifindex))
                continue;
            if (protocol == LLDP_ETHERTYPE)
                netdev->lldp.agent = LLDP_NETWORKD;
            else if (protocol == 3 && ifindex && groups && has_group(groups, netdev->name) &&
                     netdev->lldp.agent != LLDP_NETWORKD)
                netdev->lldp.agent = has_lldpd ? LLDP_LLDPD : LLDP_OTHER;
        }
    }
}

/* -- neighbors -------------------------------------------------------------------------------------------- */

/* Adds it, or replaces what another source, or an earlier frame, said of the same port. One that is leaving
 * goes. */
static void enter(struct reader *reader, struct netdev *netdev, const struct lldp_neighbor *neighbor)
{
    struct netdev_lldp *lldp = &netdev->lldp;
    size_t at = 0;
    while (at < lldp->count && !lldp_is_same_port(&lldp->neighbors[at], neighbor))
        at++;
    if (num_is(neighbor->ttl_s, 0)) {
        if (at < lldp->count)
            lldp->neighbors[at] = lldp->neighbors[--lldp->count];
    } else if (at < lldp->count) {
        lldp->neighbors[at] = *neighbor;
    } else if (lldp->count < LLDP_NEIGHBORS_MOST) {
        *ARENA_PUSH(reader->arena, lldp->neighbors, lldp->count) = *neighbor;
    }
}

static void enter_frame(struct reader *reader, struct netdev *netdev, enum lldp_source source, struct num age_s,
                        const uint8_t *frame, size_t len)
{
    struct lldp_neighbor neighbor;
    if (lldp_parse(frame, len, reader->arena, &neighbor) < 0)
        return;
    neighbor.source = source;
    neighbor.age_s = age_s;
    bool is_stale = age_s.known && neighbor.ttl_s.value && neighbor.ttl_s.value < age_s.value;
    if (!is_stale)
        enter(reader, netdev, &neighbor);
}

/* How long ago networkd wrote each of its files, in seconds: it writes one with every frame that it hears, and
 * leaves them behind when it is killed. */
static int fetch_ages(void *data, struct bytes *answer)
{
    struct reader *reader = data;
    struct names names = { 0 };
    struct stat st;
    if (root_list(reader->root, reader->arena, &names, SAVED) < 0)
        return -ENOENT;
    for (size_t i = 0; i < names.count; i++) {
        const char *path = arena_printf(reader->arena, SAVED "/%s", names.items[i]);
        int fd = root_open_stream(reader->root, path);
        if (fd >= 0 && fstat(fd, &st) == 0) {
            int64_t age = (int64_t)(clock_utc_ms() / 1000) - st.st_mtime;
            bytes_printf(answer, "%s %" PRId64 "\n", names.items[i], age > 0 ? age : 0);
        }
        if (fd >= 0)
            close(fd);
    }
    return 0;
}

static struct num age_of(const char *ages, const char *name)
{
    unsigned long long index, age;
    for (const char *line = ages; line && *line; line = text_next_line(line))
        if (sscanf(line, "%llu %llu", &index, &age) == 2 && index == strtoull(name, NULL, 10))
            return num_of(age);
    return (struct num){ 0 };
}

static void read_saved(struct reader *reader, const struct names *names)
{
    struct span span;
    const char *ages = NULL;
    if (names->count &&
        root_fetch(reader->root, &span, "{number} {number}\n", "probe/lldp-ages", fetch_ages, reader) == 0)
        ages = arena_strndup(reader->arena, span.data, span.len);
    for (size_t i = 0; i < names->count; i++) {
        struct netdev *netdev = host_find_netdev_by_index(reader->host, strtoull(names->items[i], NULL, 10));
        const uint8_t *frame;
        size_t at = 0, len;
        int r = netdev ? root_read(reader->root, &span, "{networkd-lldp}", SAVED "/%s", names->items[i])
                       : -ENOENT;
        if (r < 0) {
            read_problem(reader, r, SAVED "/%s", names->items[i]);
            continue;
        }
        while (networkd_next((const uint8_t *)span.data, span.len, &at, &frame, &len))
            enter_frame(reader, netdev, LLDP_SAVED, age_of(ages, names->items[i]), frame, len);
    }
}

enum { ANSWER_MS = 500, ANSWER_MOST = ROOT_FILE_MOST };

/* varlink: a question and an answer, each with a zero byte behind it. */
static int fetch_answer(void *data, struct bytes *answer)
{
    static const char question[] = "{\"method\":\"io.systemd.Network.GetLLDPNeighbors\",\"parameters\":{}}";
    struct sockaddr_un address = { .sun_family = AF_UNIX, .sun_path = NETWORKD_SOCKET };
    struct pollfd fds = { .events = POLLIN };
    uint64_t end = clock_ms() + ANSWER_MS, now;
    int r = 0;
    (void)data;
    if (access(NETWORKD_SOCKET, F_OK) < 0) /* nobody to ask, whether or not this process may have a socket */
        return -errno;
    fds.fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fds.fd < 0)
        return -errno;
    if (connect(fds.fd, (struct sockaddr *)&address, sizeof(address)) < 0 ||
        write(fds.fd, question, sizeof(question)) < 0)
        r = errno == ECONNREFUSED ? -ENOENT : -errno;
    for (bool done = false; r == 0 && !done;) {
        char piece[4096];
        bool is_there = (now = clock_ms()) < end && poll(&fds, 1, (int)(end - now)) > 0;
        ssize_t n = is_there ? read(fds.fd, piece, sizeof(piece)) : 0;
        if (n <= 0 || answer->len > ANSWER_MOST)
            r = n < 0 ? -errno : is_there ? -EBADMSG : -ETIMEDOUT;
        else
            bytes_append(answer, piece, (size_t)n);
        done = n > 0 && piece[n - 1] == '\0';
    }
    close(fds.fd);
    if (r == 0)
        answer->len--;
    return r;
}

static void read_answer(struct reader *reader)
{
    struct span span;
    struct networkd_answer *answers = NULL;
    size_t count = 0;
    int r = root_fetch(reader->root, &span, "{networkd-answer}", "probe/networkd-neighbors", fetch_answer,
                       NULL);
    if (r == 0)
        r = networkd_answer_parse(span.data, span.len, reader->arena, &answers, &count);
    if (r < 0) {
        read_problem(reader, r, "probe/networkd-neighbors");
        return;
    }
    reader->host->lldp.kept = true;
    for (size_t i = 0; i < count; i++) {
        struct netdev *netdev = host_find_netdev(reader->host, answers[i].netdev);
        if (netdev)
            enter(reader, netdev, &answers[i].neighbor);
    }
}

/* -- listening --------------------------------------------------------------------------------------------- */

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

/* Listens on the physical netdevs that have a carrier, as struct lldp_listening says; the answer is what was
 * heard:
 *
 *     listened SECONDS          how long; "listened 12 interrupted" if it was ended early
 *     down NETDEV               without a carrier: not listened
 *     error NETDEV ERRNO        a number
 *     frame NETDEV SECONDS HEX  from the destination address on, and when; of a neighbor's, its last
 *
 * One socket a netdev with a filter in the kernel, in the multicast groups of LLDP, never promiscuous; nothing
 * is sent. */
static int fetch_heard(void *data, struct bytes *text)
{
    const struct reader *reader = data;
    const struct host *host = reader->host;
    const struct lldp_listening *listening = reader->source->listening;
    size_t count = 0, open = 0;
    bool stopped = false;
    uint64_t ms = 0;
    if (!listening)
        return -ENOENT;
    struct ear *ears = mem_alloc(host->nnetdevs + 1, sizeof(*ears));
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

/* -- what was heard --------------------------------------------------------------------------------------- */

static void take_heard(struct reader *reader, const char *line)
{
    struct host *host = reader->host;
    uint8_t frame[LLDP_FRAME_MOST];
    char word[16], name[64];
    unsigned number = 0, seconds;
    int end = 0;
    if (sscanf(line, "listened %u", &seconds) == 1) {
        host->lldp.listened_s = num_of(seconds);
        return;
    }
    if (sscanf(line, "%15s %63s %n%u %n", word, name, &end, &number, &end) < 2)
        return;
    struct netdev *netdev = host_find_netdev(host, name);
    if (netdev && strcmp(word, "down") == 0)
        netdev->lldp.was_down = true;
    else if (netdev && strcmp(word, "error") == 0)
        netdev->lldp.listen_err = (int)number;
    else if (netdev && strcmp(word, "frame") == 0 && end) {
        size_t len = text_to_bytes(line + end, strcspn(line + end, "\n"), 0, frame, sizeof(frame));
        uint64_t total = host->lldp.listened_s.value;
        enter_frame(reader, netdev, LLDP_HEARD, num_of(total > number ? total - number : 0), frame, len);
    }
}

static void read_heard(struct reader *reader)
{
    struct span span;
    if (root_fetch(reader->root, &span, FORM_HEARD, "probe/lldp-heard", fetch_heard, reader) < 0)
        return;
    const char *text = arena_strndup(reader->arena, span.data, span.len);
    for (const char *line = text; *line; line = text_next_line(line))
        take_heard(reader, line);
}

/* -- what is made of all of them --------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
    const struct lldp_neighbor *one = a, *other = b;
    int order = text_version_compare(lldp_system_name(one), lldp_system_name(other));
    return order ? order : text_version_compare(lldp_port_name(one), lldp_port_name(other));
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* A loop, or another port of the same NIC, is no neighbor. */
static void drop_ourselves(struct reader *reader)
{
    struct host *host = reader->host;
    const char **macs = mem_alloc(host->nnetdevs + 1, sizeof(*macs));
    size_t count = 0;
    for (size_t i = 0; i < host->nnetdevs; i++)
        if (host->netdevs[i].mac)
            macs[count++] = host->netdevs[i].mac;
    qsort(macs, count, sizeof(*macs), by_text);
    for (size_t i = 0; i < host->nnetdevs; i++) {
        struct netdev_lldp *lldp = &host->netdevs[i].lldp;
        size_t kept = 0;
        for (size_t k = 0; k < lldp->count; k++)
            if (!bsearch(&lldp->neighbors[k].chassis, macs, count, sizeof(*macs), by_text) &&
                !bsearch(&lldp->neighbors[k].port, macs, count, sizeof(*macs), by_text))
                lldp->neighbors[kept++] = lldp->neighbors[k];
        lldp->count = kept;
        if (kept)
            qsort(lldp->neighbors, kept, sizeof(*lldp->neighbors), by_name);
    }
    free(macs);
}

/* A switch port as a netdev hears it. */
struct hearing {
    const struct lldp_neighbor *neighbor;
    struct netdev *netdev;
};

static int by_port(const void *a, const void *b)
{
    const struct hearing *one = a, *other = b;
    int order = strcmp(one->neighbor->chassis, other->neighbor->chassis);
    return order ? order : strcmp(lldp_port_name(one->neighbor), lldp_port_name(other->neighbor));
}

/* SONiC before it knows its ports calls each of them by the chassis' MAC. */
static bool names_its_port(const struct lldp_neighbor *neighbor)
{
    return strcmp(lldp_port_name(neighbor), neighbor->chassis) != 0;
}

/* Members of a bond may hear each other's: the kernel up to 4.19 copied frames to all. */
static void find_twins(struct reader *reader)
{
    struct host *host = reader->host;
    struct hearing *hearings = NULL;
    size_t count = 0;
    for (size_t i = 0; i < host->nnetdevs; i++)
        for (size_t k = 0; k < host->netdevs[i].lldp.count; k++)
            if (names_its_port(&host->netdevs[i].lldp.neighbors[k]))
                *ARENA_PUSH_MANY(reader->arena, hearings,
                                 count) = (struct hearing){ &host->netdevs[i].lldp.neighbors[k],
                                                            &host->netdevs[i] };
    if (count)
        qsort(hearings, count, sizeof(*hearings), by_port);
    for (size_t i = 1; i < count; i++) {
        struct netdev *one = hearings[i - 1].netdev, *other = hearings[i].netdev;
        bool is_bond = one->master && text_is(other->master, one->master);
        if (one == other || is_bond || !lldp_is_same_port(hearings[i - 1].neighbor, hearings[i].neighbor))
            continue;
        one->lldp.twin = other->name;
        other->lldp.twin = one->name;
    }
}

void read_lldp(struct reader *reader)
{
    struct host *host = reader->host;
    struct names saved = { 0 };
    host_order_netdevs(host);
    read_agents(reader);
    host->lldp.kept = root_list(reader->root, reader->arena, &saved, SAVED) == 0;
    read_saved(reader, &saved);
    if (!saved.count) /* nothing was heard, or it is left from before an upgrade */
        read_answer(reader);
    read_heard(reader);
    drop_ourselves(reader);
    find_twins(reader);
}
