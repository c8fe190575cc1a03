/* SPDX-License-Identifier: MIT */
/* What only the old ioctl reports: ethtool -S, and FEC before Linux 5.13. Neither needs privileges. */
#include <byteswap.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sys/ioctl.h>

#include "source/netlink/parsers.h"

#include "tables.h"

enum { MOST_STATISTICS = 1 << 16 };

/* cxgb4 pads its names with blanks, and mlx5 of Linux 4.18 one of them. */
static size_t length_of(const char *name)
{
    size_t len = strnlen(name, ETH_GSTRING_LEN);
    while (len && name[len - 1] == ' ')
        len--;
    return len;
}

int ethtool_parse_statistics(const void *bytes, size_t len, struct arena *arena, void *to)
{
    struct qos *qos = to;
    uint32_t n;
    const char *names = (const char *)bytes + sizeof(n);
    if (len < sizeof(n))
        return -EBADMSG;
    memcpy(&n, bytes, sizeof(n));
    order_set_foreign(n > MOST_STATISTICS);
    n = order32(n);
    if (n > MOST_STATISTICS || len != sizeof(n) + (size_t)n * (ETH_GSTRING_LEN + sizeof(uint64_t)))
        return -EBADMSG;
    const char *values = names + (size_t)n * ETH_GSTRING_LEN;
    for (size_t i = 0; i < n; i++) {
        const char *name = names + i * ETH_GSTRING_LEN;
        struct qos_statistic *statistic = ARENA_PUSH(arena, qos->statistics, qos->nstatistics);
        statistic->name = arena_strndup(arena, name, length_of(name));
        memcpy(&statistic->value, values + i * sizeof(uint64_t), sizeof(uint64_t));
        statistic->value = order64(statistic->value);
    }
    return 0;
}

static int ask(int fd, const char *netdev, void *data)
{
    struct ifreq request = { .ifr_data = data };
    size_t len = strlen(netdev);
    if (len >= sizeof(request.ifr_name))
        return -ENODEV;
    memcpy(request.ifr_name, netdev, len);
    return ioctl(fd, SIOCETHTOOL, &request) < 0 ? -errno : 0;
}

static int count_statistics(int fd, const char *netdev, uint32_t *count)
{
    /* the answer follows the struct: one number for each bit of sset_mask */
    union {
        struct ethtool_sset_info info;
        char room[sizeof(struct ethtool_sset_info) + sizeof(uint32_t)];
    } set = { .info = { .cmd = ETHTOOL_GSSET_INFO, .sset_mask = 1ULL << ETH_SS_STATS } };
    uint32_t len;
    int r = ask(fd, netdev, &set);
    if (r < 0)
        return r;
    memcpy(&len, set.room + sizeof(set.info), sizeof(len));
    if (!set.info.sset_mask || len == 0)
        return -EOPNOTSUPP;
    *count = len;
    return len > MOST_STATISTICS ? -EFBIG : 0;
}

static int fetch_statistics(int fd, const char *netdev, struct bytes *reply)
{
    uint32_t count = 0;
    int r = count_statistics(fd, netdev, &count);
    if (r < 0)
        return r;
    struct ethtool_gstrings *names = mem_alloc(1, sizeof(*names) + (size_t)count * ETH_GSTRING_LEN);
    struct ethtool_stats *values = mem_alloc(1, sizeof(*values) + (size_t)count * sizeof(uint64_t));
    names->cmd = ETHTOOL_GSTRINGS;
    names->string_set = ETH_SS_STATS;
    names->len = count;
    values->cmd = ETHTOOL_GSTATS;
    values->n_stats = count;
    r = ask(fd, netdev, names);
    if (r == 0)
        r = ask(fd, netdev, values);
    if (r == 0 && (names->len != count || values->n_stats != count))
        r = -EAGAIN; /* the driver has just changed what it counts */
    if (r == 0) {
        bytes_append(reply, &count, sizeof(count));
        bytes_append(reply, names->data, (size_t)count * ETH_GSTRING_LEN);
        bytes_append(reply, values->data, (size_t)count * sizeof(uint64_t));
    }
    free(names);
    free(values);
    return r;
}

static int fetch_fec(int fd, const char *netdev, struct bytes *reply)
{
    struct ethtool_fecparam fec = { .cmd = ETHTOOL_GFECPARAM };
    int r = ask(fd, netdev, &fec);
    if (r == 0)
        bytes_append(reply, &fec, sizeof(fec));
    return r;
}

int ethtool_fetch(int socket_fd, uint32_t command, const char *netdev, struct bytes *reply)
{
    int fd = socket_fd >= 0 ? socket_fd : socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0) /* a kernel without IPv4, or a service restricted to netlink: any socket will do */
        fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    if (fd < 0)
        return -errno;
    int r = command == ETHTOOL_GSTATS ? fetch_statistics(fd, netdev, reply) : fetch_fec(fd, netdev, reply);
    if (fd != socket_fd)
        close(fd);
    return r;
}

int ethtool_parse_fecparam(const void *bytes, size_t len, struct arena *arena, void *to)
{
    struct qos_ethtool *ethtool = to;
    static const struct {
        uint32_t bit;
        const char *configured, *active; /* netlink's words */
    } modes[] = { FEC_MODES };
    struct ethtool_fecparam fec;
    if (len != sizeof(fec))
        return -EBADMSG;
    memcpy(&fec, bytes, sizeof(fec));
    order_set_foreign(fec.cmd == bswap_32(ETHTOOL_GFECPARAM));
    fec.fec = order32(fec.fec);
    fec.active_fec = order32(fec.active_fec);
    ethtool->fec_auto = tri_of(fec.fec & ETHTOOL_FEC_AUTO);
    for (size_t i = 0; i < ARRAY_SIZE(modes); i++) {
        if (fec.active_fec & modes[i].bit)
            ethtool->fec_active = modes[i].active;
        if (fec.fec & modes[i].bit)
            *ARENA_PUSH(arena, ethtool->fec_configured, ethtool->nfec_configured) = modes[i].configured;
    }
    return 0;
}
