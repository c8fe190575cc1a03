/* SPDX-License-Identifier: MIT */
#include "source/recording/settle.h"

#include <linux/neighbour.h>
#include <linux/rtnetlink.h>
#include <string.h>

#include "base/base.h"
#include "base/text.h"
#include "source/netlink/message.h"
#include "source/recording/reply.h"

static void settle_header(char *header)
{
    memset(header + offsetof(struct nlmsghdr, nlmsg_seq), 0, 2 * sizeof(uint32_t));
}

static void settle_neighbour(char *data, const struct message *message)
{
    struct attrs attrs;
    attrs_parse(&attrs, message->payload, message->len, NLMSG_ALIGN(sizeof(struct ndmsg)));
    const struct nlattr *ages = attrs.at[NDA_CACHEINFO];
    if (ages && ages->nla_len >= NLA_HDRLEN + offsetof(struct nda_cacheinfo, ndm_refcnt))
        memset(data + NLA_HDRLEN + ((const char *)ages - (const char *)message->header), 0,
               offsetof(struct nda_cacheinfo, ndm_refcnt));
}

static void settle_reply(char *data, size_t len, bool neighbours)
{
    struct messages messages = messages_of(data, len);
    struct message message;
    if (!reply_is_whole(data, len)) /* not all that is kept there came over netlink */
        return;
    while (messages_next(&messages, &message)) {
        char *at = data + ((const char *)message.header - data);
        settle_header(at);
        if (message.header->nlmsg_type == NLMSG_ERROR && message.len >= sizeof(struct nlmsgerr))
            settle_header(at + NLMSG_HDRLEN + offsetof(struct nlmsgerr, msg)); /* of the question */
        else if (neighbours && message.header->nlmsg_type == RTM_NEWNEIGH)
            settle_neighbour(at, &message);
    }
}

static size_t settle_status(char *data, size_t len)
{
    static const char *const kept[] = { "Uid:",    "Gid:",         "Cap",          "NoNewPrivs:",
                                        "Seccomp", "Cpus_allowed", "Mems_allowed", "VmPin:" };
    size_t used = 0, line;
    for (size_t at = 0; at < len; at += line) {
        const char *newline = memchr(data + at, '\n', len - at);
        line = newline ? (size_t)(newline + 1 - (data + at)) : len - at;
        bool keeps = false;
        for (size_t i = 0; i < ARRAY_SIZE(kept); i++)
            keeps |= line >= strlen(kept[i]) && memcmp(data + at, kept[i], strlen(kept[i])) == 0;
        if (keeps) {
            memmove(data + used, data + at, line);
            used += line;
        }
    }
    data[used] = '\0';
    return used;
}

/* "proc/self/status", "proc/4711/status" */
static bool is_status(const char *path)
{
    const char *name = text_starts(path, "proc/") ? path + strlen("proc/") : "";
    size_t digits = strspn(name, "0123456789");
    return strcmp(path, "proc/self/status") == 0 || (digits && strcmp(name + digits, "/status") == 0);
}

size_t settle(const char *path, char *data, size_t len)
{
    if (text_starts(path, "netlink/"))
        settle_reply(data, len, strcmp(path, "netlink/rtnl-neighbours") == 0);
    return is_status(path) ? settle_status(data, len) : len;
}
