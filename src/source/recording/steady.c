/* SPDX-License-Identifier: MIT */
/* Removes what depends on the moment from answers, so that two recordings of an idle machine are equal. */
#include "source/recording/lines.h"

#include <linux/neighbour.h>
#include <linux/rtnetlink.h>

#include "source/netlink/message.h"

static void settle_header(char *header)
{
    memset(header + offsetof(struct nlmsghdr, nlmsg_seq), 0, 2 * sizeof(uint32_t));
}

/* Where the bytes of a message's attribute are in data, its header's place; NULL if it hasn't so many. */
static char *moment(char *data, const struct message *message, size_t header, unsigned type, size_t least)
{
    size_t len;
    const char *bytes = attr_bytes(attr_find(attr_walk_after(message, header), type), &len);
    return bytes && len >= least ? data + (bytes - (const char *)message->header) : NULL;
}

static void settle_neighbour(char *data, const struct message *message)
{
    size_t ages = offsetof(struct nda_cacheinfo, ndm_refcnt);
    char *at = moment(data, message, sizeof(struct ndmsg), NDA_CACHEINFO, ages);
    if (at)
        memset(at, 0, ages);
}

/* Rounds up to whole hours; forever stays forever, and expired stays expired. */
static uint32_t settle_lifetime(uint32_t seconds)
{
    enum { HOUR = 3600 };
    uint32_t hours = seconds / HOUR + (seconds % HOUR != 0);
    return seconds < UINT32_MAX - HOUR ? hours * HOUR : seconds;
}

static void settle_address(char *data, const struct message *message)
{
    struct ifa_cacheinfo info;
    char *at = moment(data, message, sizeof(struct ifaddrmsg), IFA_CACHEINFO, sizeof(info));
    if (!at)
        return;
    memcpy(&info, at, sizeof(info));
    info = (struct ifa_cacheinfo){ .ifa_prefered = settle_lifetime(info.ifa_prefered),
                                   .ifa_valid = settle_lifetime(info.ifa_valid) };
    memcpy(at, &info, sizeof(info));
}

/* Packet counts, which roce doesn't read here, though no request can leave them out. */
static void settle_link(char *data, const struct message *message)
{
    struct attr_walk walk = attr_walk_after(message, sizeof(struct ifinfomsg));
    for (const struct nlattr *attr; (attr = attr_walk_next(&walk));)
        if (attr_type(attr) == IFLA_STATS || attr_type(attr) == IFLA_STATS64)
            memset(data + NLA_HDRLEN + ((const char *)attr - (const char *)message->header), 0,
                   attr_payload(attr));
}

/* asked: the question's name; numbers of messages mean something else in other families. */
static void settle_reply(const char *asked, char *data, size_t len)
{
    static const struct {
        const char *asked;
        unsigned type;
        void (*settle)(char *data, const struct message *message);
    } moments[] = {
        { "rtnl-links", RTM_NEWLINK, settle_link },
        { "rtnl-neighbours", RTM_NEWNEIGH, settle_neighbour },
        { "rtnl-addresses", RTM_NEWADDR, settle_address },
    };
    struct messages messages = messages_of(data, len);
    struct message message;
    if (!reply_is_whole(data, len)) /* not everything kept there came over netlink */
        return;
    while (messages_next(&messages, &message)) {
        char *at = data + ((const char *)message.header - data);
        settle_header(at);
        if (message.type == NLMSG_ERROR && message.len >= sizeof(struct nlmsgerr))
            settle_header(at + NLMSG_HDRLEN + offsetof(struct nlmsgerr, msg)); /* of the question */
        for (size_t i = 0; i < ARRAY_SIZE(moments); i++)
            if (message.type == moments[i].type && strcmp(asked, moments[i].asked) == 0)
                moments[i].settle(at, &message);
    }
}

/* Rewrites a line, which never gets longer: out is its own position or before. Returns its length, or
 * DROPPED. */
typedef size_t settle_line(char *out, const char *line, size_t len);
#define DROPPED SIZE_MAX

static size_t each_line(char *data, size_t len, settle_line *settle_one)
{
    size_t used = 0, size;
    for (size_t at = 0; at < len; at += size + 1) {
        const char *newline = memchr(data + at, '\n', len - at);
        size = newline ? (size_t)(newline - data) - at : len - at;
        size_t kept = settle_one(data + used, data + at, size);
        if (kept == DROPPED)
            continue;
        used += kept;
        if (newline)
            data[used++] = '\n';
    }
    data[used] = '\0';
    return used;
}

static size_t keep_line(char *out, const char *line, size_t len)
{
    memmove(out, line, len);
    return len;
}

static size_t status_line(char *out, const char *line, size_t len)
{
    static const char *const kept[] = { "Uid:",    "Gid:",         "Cap",          "NoNewPrivs:",
                                        "Seccomp", "Cpus_allowed", "Mems_allowed", "VmPin:" };
    for (size_t i = 0; i < ARRAY_SIZE(kept); i++)
        if (len >= strlen(kept[i]) && memcmp(line, kept[i], strlen(kept[i])) == 0)
            return keep_line(out, line, len);
    return DROPPED;
}

/* What matters about contiguous memory: is any free according to /proc/meminfo, although there is none? How
 * much is free changes all the time: in whole GiB, rounded up. */
static size_t settle_meminfo(char *data, size_t len)
{
    enum { GIB = 1 << 20 }; /* in KiB */
    static const char total_key[] = "CmaTotal:", free_key[] = "CmaFree:";
    char text[128] = "";
    const char *total = strstr(data, total_key), *unused = strstr(data, free_key);
    int n = 0;
    if (total)
        n = snprintf(text, sizeof(text), "%s %llu kB\n", total_key,
                     strtoull(total + strlen(total_key), NULL, 10));
    if (unused) {
        unsigned long long size = strtoull(unused + strlen(free_key), NULL, 10);
        n += snprintf(text + n, sizeof(text) - (size_t)n, "%s %llu kB\n", free_key,
                      (size / GIB + (size % GIB != 0)) * GIB);
    }
    if ((size_t)n > len) /* not the kernel's text */
        return len;
    memcpy(data, text, (size_t)n + 1);
    return (size_t)n;
}

/* In whole hours, as nothing needs more. */
static size_t settle_uptime(char *data, size_t len)
{
    char text[64];
    enum { HOUR = 3600 };
    int n = snprintf(text, sizeof(text), "%llu.00 0.00\n", strtoull(data, NULL, 10) / HOUR * HOUR);
    if (n < 0 || (size_t)n > len)
        return len;
    memcpy(data, text, (size_t)n + 1);
    return (size_t)n;
}

/* "[42 s ago] text": in whole minutes, as lines are judged by the hour. */
static size_t log_line(char *out, const char *line, size_t len)
{
    static const char after[] = " s ago]";
    char *unit = NULL, text[32];
    unsigned long long age = line[0] == '[' && isdigit((unsigned char)line[1]) ? strtoull(line + 1, &unit, 10)
                                                                               : 0;
    if (!unit || !text_starts(unit, after))
        return keep_line(out, line, len);
    size_t rest = (size_t)(line + len - unit);
    int n = snprintf(text, sizeof(text), "[%llu", age / 60 * 60);
    memcpy(out, text, (size_t)n);
    memmove(out + n, unit, rest);
    return (size_t)n + rest;
}

/* "3 17", an interface and the age of what is known of it: in whole minutes, more often than it is renewed. */
static size_t age_line(char *out, const char *line, size_t len)
{
    unsigned long long index, age;
    if (sscanf(line, "%llu %llu", &index, &age) != 2)
        return keep_line(out, line, len);
    int n = snprintf(out, len + 1, "%llu %llu", index, age / 60 * 60);
    return (size_t)n;
}

/* "proc/self/status", "proc/4711/status" */
static bool is_status(const char *path)
{
    const char *name = text_starts(path, "proc/") ? path + strlen("proc/") : "";
    size_t digits = strspn(name, "0123456789");
    return strcmp(path, "proc/self/status") == 0 || (digits && strcmp(name + digits, "/status") == 0);
}

/* "\txprt:\trdma 0 0 1 120 3 574 574 0 580 0 32 …": zeroes how long it has been connected (the 4th number) and
 * idle (the 5th), and what keeps counting on an unused mount, since the client renews its lease: calls,
 * answers, queue lengths (up to the 10th; net/sunrpc/xprtsock.c and xprtrdma/transport.c print these alike). */
static size_t settle_transport(const char *line, size_t len, char *out)
{
    enum { FIRST = 4, LAST = 10 };
    size_t used = 0, word = 0;
    const char *at = line, *end = line + len;
    while (at < end) {
        size_t blanks = strspn(at, " \t"), size;
        memmove(out + used, at, blanks);
        used += blanks;
        at += blanks;
        for (size = 0; at + size < end && !strchr(" \t\n", at[size]); size++)
            ;
        if (size == 0)
            break;
        bool ages = word >= FIRST + 1 && word <= LAST + 1; /* "xprt:" and the protocol come first */
        memmove(out + used, ages ? "0" : at, ages ? 1 : size);
        used += ages ? 1 : size;
        at += size;
        word++;
    }
    return used;
}

/* "device SOURCE mounted on POINT with fstype nfs4 statvers=1.1": for nfs and nfs4, not nfsd. */
static bool is_nfs_mount(const char *line, size_t len)
{
    static const char type[] = " with fstype nfs";
    const char *found = text_starts(line, "device ") ? memmem(line, len, type, strlen(type)) : NULL;
    if (!found)
        return false;
    const char *behind = found + strlen(type);
    behind += behind < line + len && *behind == '4';
    return behind == line + len || *behind == ' ';
}

/* Keeps NFS mounts and their transports; the rest is shown nowhere and keeps changing. */
static size_t mountstats_line(char *out, const char *line, size_t len)
{
    if (is_nfs_mount(line, len))
        return keep_line(out, line, len);
    return text_starts(line + strspn(line, " \t"), "xprt:") ? settle_transport(line, len, out) : DROPPED;
}

size_t settle(const char *path, char *data, size_t len)
{
    if (strcmp(path, "proc/self/mountstats") == 0)
        return each_line(data, len, mountstats_line);
    if (text_starts(path, "netlink/"))
        settle_reply(path + strlen("netlink/"), data, len);
    if (strcmp(path, "proc/uptime") == 0)
        return settle_uptime(data, len);
    if (strcmp(path, "proc/meminfo") == 0)
        return settle_meminfo(data, len);
    if (strcmp(path, "probe/kernel-log") == 0)
        return each_line(data, len, log_line);
    if (strcmp(path, "probe/lldp-ages") == 0)
        return each_line(data, len, age_line);
    return is_status(path) ? each_line(data, len, status_line) : len;
}
