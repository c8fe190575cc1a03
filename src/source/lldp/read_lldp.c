/* SPDX-License-Identifier: MIT */
/* Collects what is known of the other ends of cables into the host. */
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "base/clock.h"
#include "neighbor/lldp_frame.h"
#include "source/files/forms.h"
#include "source/lldp/lldp_read.h"

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

/* -- what was heard --------------------------------------------------------------------------------------- */

static int fetch_heard(void *data, struct bytes *answer)
{
    struct reader *reader = data;
    const struct lldp_listening *listening = reader->source->listening;
    return listening ? lldp_listen(reader->host, listening, answer) : -ENOENT;
}

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
    if (root_fetch(reader->root, &span, "{lldp-heard}", "probe/lldp-heard", fetch_heard, reader) < 0)
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
