/* SPDX-License-Identifier: MIT */
/* Rebuilds netlink answers from what roce reads of them, with the tables they are read with. Each keeps the
 * byte order of the machine that gave it (order16() and the like). */
#include <linux/ethtool.h>
#include <netinet/in.h>

#include "source/netlink/ask.h"

static size_t begin_message(const struct message *message, struct bytes *out)
{
    struct nlmsghdr header = { .nlmsg_type = message->header->nlmsg_type,
                               .nlmsg_flags = message->header->nlmsg_flags };
    size_t begin = out->len;
    bytes_append(out, &header, sizeof(header));
    return begin;
}

static void end_message(size_t begin, struct bytes *out)
{
    uint32_t told = order32((uint32_t)(out->len - begin));
    memcpy(out->data + begin, &told, sizeof(told));
    bytes_append(out, "\0\0\0", NLMSG_ALIGN(out->len - begin) - (out->len - begin));
}

/* Keeps the errno, but not the question and the kernel's message after it. */
static void put_control(const struct message *message, struct bytes *out)
{
    struct nlmsgerr error = { 0 };
    bool is_error = message->type == NLMSG_ERROR;
    size_t whole = is_error ? sizeof(error) : sizeof(error.error);
    size_t begin = begin_message(message, out);
    if (is_error) {
        struct nlmsghdr *header = (void *)(out->data + begin);
        header->nlmsg_flags = order16((uint16_t)((message->flags & ~NLM_F_ACK_TLVS) | NLM_F_CAPPED));
    }
    memcpy(&error, message->payload, message->len < sizeof(error.error) ? message->len : sizeof(error.error));
    bytes_append(out, &error, message->len < whole ? message->len & ~(size_t)3 : whole);
    end_message(begin, out);
}

static void put_answer(const struct answer *answer, const struct message *message, struct bytes *out)
{
    size_t header = NLMSG_ALIGN(answer->header);
    if (answer->type && message->type != answer->type)
        return;
    size_t begin = begin_message(message, out);
    bytes_append(out, message->payload, message->len < header ? message->len : header);
    if (message->len >= header && answer->change)
        answer->change(out->data + begin + sizeof(struct nlmsghdr));
    if (message->len >= header && !attributes_put(answer->table, attr_walk_after(message, header), out))
        bytes_append(out, "\0\0\0\0", 4);
    end_message(begin, out);
}

static void put_messages(const struct answer *answer, const char *data, size_t len, struct bytes *out)
{
    struct messages messages = messages_of(data, len);
    struct message message;
    while (messages_next(&messages, &message)) {
        if (message.type < NLMSG_MIN_TYPE)
            put_control(&message, out);
        else
            put_answer(answer, &message, out);
    }
    if (messages.broken)
        bytes_append(out, "\0\0\0\0", 4);
}

/* From ethtool's ioctl: a driver's names, 32 bytes each, then their values. Whatever follows the end of a name
 * is dropped. */
static void put_statistics(const char *data, size_t len, struct bytes *out)
{
    struct arena *arena = arena_new();
    struct qos qos = { 0 };
    size_t before = out->len;
    if (ethtool_parse_statistics(data, len, arena, &qos) < 0) {
        bytes_append(out, "\0", 1);
    } else {
        bytes_append(out, data, len);
        char *name = out->data + before + sizeof(uint32_t);
        for (size_t i = 0; i < qos.nstatistics; i++, name += ETH_GSTRING_LEN) {
            size_t size = strlen(qos.statistics[i].name);
            memset(name + size, 0, ETH_GSTRING_LEN - size);
        }
    }
    arena_free(arena);
}

bool anonymise_reply(const char *name, const char *data, size_t len, struct bytes *out)
{
    const struct question *question = question_named(name);
    bytes_append(out, "", 0);
    if (text_starts(name, "ethtool-statistics."))
        put_statistics(data, len, out);
    else if (text_starts(name, "ethtool-fecparam."))
        bytes_append(out, data, len == sizeof(struct ethtool_fecparam) ? len : 0);
    else if (question && question->answer)
        put_messages(question->answer, data, len, out);
    else
        return false;
    return true;
}
