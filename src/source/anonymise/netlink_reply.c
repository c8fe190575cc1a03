/* SPDX-License-Identifier: MIT */
/* Rebuilds netlink answers from what roce reads of them. */
#include <linux/ethtool.h>

#include "source/anonymise/anonymise.h"
#include "source/netlink/ask.h"

static size_t begin_message(const struct message *message, struct bytes *out)
{
    struct nlmsghdr header = { .nlmsg_type = message->type, .nlmsg_flags = message->flags };
    size_t begin = out->len;
    bytes_append(out, &header, sizeof(header));
    return begin;
}

static void end_message(size_t begin, struct bytes *out)
{
    uint32_t len = (uint32_t)(out->len - begin);
    memcpy(out->data + begin, &len, sizeof(len));
    bytes_append(out, "\0\0\0", NLMSG_ALIGN(len) - len);
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
        header->nlmsg_flags = (uint16_t)((header->nlmsg_flags & ~NLM_F_ACK_TLVS) | NLM_F_CAPPED);
    }
    memcpy(&error, message->payload, message->len < sizeof(error.error) ? message->len : sizeof(error.error));
    bytes_append(out, &error, message->len < whole ? message->len & ~(size_t)3 : whole);
    end_message(begin, out);
}

static void put_answer(const struct anonymiser *anonymiser, const struct answer *answer,
                       const struct message *message, struct bytes *out)
{
    size_t header = NLMSG_ALIGN(answer->header);
    if (answer->type && message->type != answer->type)
        return;
    size_t begin = begin_message(message, out);
    bytes_append(out, message->payload, message->len < header ? message->len : header);
    if (message->len >= header && answer->change)
        answer->change(anonymiser, out->data + begin + sizeof(struct nlmsghdr));
    if (message->len >= header &&
        !attributes_put(anonymiser, answer->table, message->payload + header, message->len - header, out))
        bytes_append(out, "\0\0\0\0", 4);
    end_message(begin, out);
}

static void put_messages(const struct anonymiser *anonymiser, const struct answer *answer, const char *data,
                         size_t len, struct bytes *out)
{
    struct messages messages = messages_of(data, len);
    struct message message;
    while (messages_next(&messages, &message)) {
        if (message.type < NLMSG_MIN_TYPE)
            put_control(&message, out);
        else
            put_answer(anonymiser, answer, &message, out);
    }
    if (messages.broken)
        bytes_append(out, "\0\0\0\0", 4);
}

/* From ethtool's ioctl: a driver's names, 32 bytes each, then their values. */
static void put_statistics(const char *data, size_t len, struct bytes *out)
{
    struct arena *arena = arena_new();
    struct qos_statistic *statistics = NULL;
    size_t count = 0;
    if (ethtool_parse_statistics(data, len, arena, &statistics, &count) < 0) {
        bytes_append(out, "\0", 1);
    } else {
        uint32_t n = (uint32_t)count;
        bytes_append(out, &n, sizeof(n));
        for (size_t i = 0; i < count; i++) {
            char name[ETH_GSTRING_LEN] = { 0 };
            size_t size = strlen(statistics[i].name);
            memcpy(name, statistics[i].name, size < sizeof(name) ? size : sizeof(name));
            bytes_append(out, name, sizeof(name));
        }
        size_t values = sizeof(n) + count * ETH_GSTRING_LEN;
        bytes_append(out, data + values, len - values);
    }
    arena_free(arena);
}

bool anonymise_reply(const struct anonymiser *anonymiser, const char *name, const char *data, size_t len,
                     struct bytes *out)
{
    bytes_append(out, "", 0);
    if (text_starts(name, "ethtool-statistics.")) {
        put_statistics(data, len, out);
        return true;
    }
    if (text_starts(name, "ethtool-fecparam.")) {
        bytes_append(out, data, len == sizeof(struct ethtool_fecparam) ? len : 0);
        return true;
    }
    const struct question *question = question_named(name);
    if (question && question->answer)
        put_messages(anonymiser, question->answer, data, len, out);
    return question && question->answer;
}
