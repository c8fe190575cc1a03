/* SPDX-License-Identifier: MIT */
/* Netlink answers and other bytes in a recording's text. */
#include "source/recording/lines.h"

#include <linux/genetlink.h>
#include <linux/netfilter/nf_tables.h>
#include <linux/netfilter/nfnetlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>

#include "source/netlink/parsers.h"
#include "tables.h"

enum { LINE_BYTES = 32, GROUP_BYTES = 4, SHORTEST_RUN = 64 };

static size_t same_bytes(const char *data, size_t len)
{
    size_t count = 1;
    while (count < len && data[count] == data[0])
        count++;
    return count;
}

void hex_write(struct bytes *out, const char *data, size_t len)
{
    for (size_t at = 0, column = 0; at < len;) {
        size_t run = same_bytes(data + at, len - at);
        bool is_run = run >= SHORTEST_RUN;
        if (is_run && column)
            bytes_append(out, "\n", 1);
        if (is_run || column == 0)
            bytes_append(out, "  :", 3);
        else if (column % GROUP_BYTES == 0)
            bytes_append(out, " ", 1);
        bytes_put_hex(out, data + at, 1, 0);
        if (is_run)
            bytes_printf(out, "*%zu", run);
        at += is_run ? run : 1;
        column = is_run ? 0 : (column + 1) % LINE_BYTES;
        if (column == 0 || at == len)
            bytes_append(out, "\n", 1);
    }
}

/* Parses "*3840" after the byte at the end of out. Returns how many characters it takes, or -errno. */
static int read_repeat(struct bytes *out, const char *text, const char *end, size_t most)
{
    const char *at = text + 1;
    size_t count = 0;
    for (; at < end && isdigit((unsigned char)*at) && at - text < 10; at++)
        count = count * 10 + (size_t)(*at - '0');
    if (count < 2 || (at < end && *at != ' '))
        return -EINVAL;
    if (count - 1 > most - out->len)
        return -EFBIG;
    char piece[256];
    memset(piece, out->data[out->len - 1], sizeof(piece));
    for (size_t left = count - 1, n; left; left -= n) {
        n = left < sizeof(piece) ? left : sizeof(piece);
        bytes_append(out, piece, n);
    }
    return (int)(at - text);
}

int hex_read(struct bytes *out, const char *text, size_t len, size_t most)
{
    const char *end = text + len;
    char block[64]; /* appended in one go: most of a big recording is digits */
    size_t count = 0;
    int r = 0;
    for (const char *at = text; at < end && r >= 0; at += r) {
        r = *at == ' ' && at > text && at[-1] != ' ';
        if (r)
            continue;
        int high = text_digit(*at, 16), low = end - at > 1 ? text_digit(at[1], 16) : -1;
        if (high < 0 || low < 0)
            return -EINVAL;
        if (out->len + count == most)
            return -EFBIG;
        block[count++] = (char)(high << 4 | low);
        at += 2;
        bool repeated = at < end && *at == '*';
        if (count == sizeof(block) || repeated) {
            bytes_append(out, block, count);
            count = 0;
        }
        r = repeated ? read_repeat(out, at, end, most) : 0;
    }
    bytes_append(out, block, count);
    return r < 0 ? r : 0;
}

/* What a kind of message is called; for generic netlink, type is the command. */
struct kind {
    unsigned type;
    const char *name;
};

static const struct kind rtnetlink[] = {
    { RTM_NEWLINK, "RTM_NEWLINK" },   { RTM_NEWADDR, "RTM_NEWADDR" },   { RTM_NEWROUTE, "RTM_NEWROUTE" },
    { RTM_NEWNEIGH, "RTM_NEWNEIGH" }, { RTM_NEWRULE, "RTM_NEWRULE" },   { RTM_GETDCB, "RTM_GETDCB" },
    { RTM_SETDCB, "RTM_SETDCB" },     { RTM_NEWQDISC, "RTM_NEWQDISC" }, { 0 },
};

#define NLDEV(op) RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, op), #op
static const struct kind nldev[] = { NLDEV_MESSAGES, { 0 } };

static const struct kind nftables[] = {
    { NFNL_SUBSYS_NFTABLES << 8 | NFT_MSG_NEWTABLE, "NFT_MSG_NEWTABLE" },
    { NFNL_SUBSYS_NFTABLES << 8 | NFT_MSG_NEWCHAIN, "NFT_MSG_NEWCHAIN" },
    { NFNL_SUBSYS_NFTABLES << 8 | NFT_MSG_NEWRULE, "NFT_MSG_NEWRULE" },
    { 0 },
};

static const struct kind sockets[] = { { SOCK_DIAG_BY_FAMILY, "SOCK_DIAG_BY_FAMILY" }, { 0 } };

static const struct question {
    const char *begin, *what;
    const struct kind *kinds; /* NULL: generic netlink */
} questions[] = { RECORDED_QUESTIONS };

static const struct question *find_question(const char *name)
{
    for (size_t i = 0; i < ARRAY_SIZE(questions); i++)
        if (strncmp(name, questions[i].begin, strlen(questions[i].begin)) == 0)
            return &questions[i];
    return NULL;
}

bool reply_is_whole(const char *data, size_t len)
{
    struct messages messages = messages_of(data, len);
    struct message message;
    while (messages_next(&messages, &message))
        ;
    return len > 0 && !messages.broken;
}

bool reply_is_netlink(const struct node *node)
{
    return node->depth == 2 && strcmp(node->parent->name, "netlink") == 0 &&
           reply_is_whole(node->data, node->len);
}

void reply_write_question(struct bytes *out, const struct node *node)
{
    const struct question *question = find_question(node->name);
    if (!question)
        return;
    const char *about = node->name + strlen(question->begin);
    bytes_printf(out, "  # %s%s", question->what, *about ? " " : "");
    escape_name(out, about, strlen(about));
    bytes_append(out, "\n", 1);
}

/* For an error message: "EPERM", "0". */
static const char *error_name(const struct message *message)
{
    const char *name = strerrorname_np(-message_error(message));
    return name ? name : "?";
}

static void put_kind(struct bytes *out, const struct question *question, const struct message *message)
{
    unsigned type = message->type;
    const struct kind *kind = question ? question->kinds : NULL;
    while (kind && kind->name && kind->type != type)
        kind++;
    if (type == NLMSG_DONE)
        bytes_printf(out, "  # NLMSG_DONE\n");
    else if (type == NLMSG_ERROR)
        bytes_printf(out, "  # NLMSG_ERROR %s\n", error_name(message));
    else if (kind && kind->name)
        bytes_printf(out, "  # %s\n", kind->name);
    else if (question && !question->kinds && type == GENL_ID_CTRL)
        bytes_printf(out, "  # CTRL_CMD_NEWFAMILY\n");
    else if (question && !question->kinds && message->len)
        bytes_printf(out, "  # command %u of the family\n", (unsigned)(uint8_t)message->payload[0]);
    else
        bytes_printf(out, "  # message of type %u\n", type);
}

void reply_write(struct bytes *out, const struct node *node)
{
    const struct question *question = find_question(node->name);
    struct messages messages = messages_of(node->data, node->len);
    struct message message;
    for (size_t left = messages.left; messages_next(&messages, &message); left = messages.left) {
        put_kind(out, question, &message);
        hex_write(out, (const char *)message.header, left - messages.left);
    }
}
