/* SPDX-License-Identifier: MIT */
/* Walks over messages and attributes without trusting any of their lengths. */
#include "source/netlink/message.h"

#include <arpa/inet.h>
#include <byteswap.h>
#include <libmnl/libmnl.h>

static _Thread_local bool foreign;

void order_set_foreign(bool is)
{
    foreign = is;
}

uint16_t order16(uint16_t number)
{
    return foreign ? bswap_16(number) : number;
}

uint32_t order32(uint32_t number)
{
    return foreign ? bswap_32(number) : number;
}

uint64_t order64(uint64_t number)
{
    return foreign ? bswap_64(number) : number;
}

static bool fits(uint32_t message, size_t len)
{
    return message >= sizeof(struct nlmsghdr) && message <= len;
}

/* If the first message's length fits in both orders, it is taken to be in this machine's. */
struct messages messages_of(const void *bytes, size_t len)
{
    uint32_t first = 0;
    if (bytes && len >= sizeof(first))
        memcpy(&first, bytes, sizeof(first));
    foreign = !fits(first, len) && fits(bswap_32(first), len);
    return (struct messages){ .data = bytes, .left = len };
}

bool messages_next(struct messages *messages, struct message *message)
{
    if (messages->left == 0)
        return false;
    const struct nlmsghdr *header = (const void *)messages->data;
    size_t len = messages->left < sizeof(*header) ? 0 : order32(header->nlmsg_len);
    if (len < sizeof(*header) || len > messages->left) {
        messages->broken = true;
        messages->left = 0;
        return false;
    }
    *message = (struct message){ .header = header,
                                 .type = order16(header->nlmsg_type),
                                 .flags = order16(header->nlmsg_flags),
                                 .payload = messages->data + sizeof(*header),
                                 .len = len - sizeof(*header) };
    size_t step = NLMSG_ALIGN(len);
    if (step > messages->left)
        step = messages->left;
    messages->data += step;
    messages->left -= step;
    return true;
}

bool messages_next_answer(struct messages *messages, struct message *message)
{
    while (messages_next(messages, message))
        if (message->type >= NLMSG_MIN_TYPE)
            return true;
    return false;
}

int message_error(const struct message *message)
{
    uint32_t told;
    if (message->type == NLMSG_DONE && message->len < sizeof(told))
        return 0;
    if (message->len < sizeof(told))
        return -EBADMSG;
    memcpy(&told, message->payload, sizeof(told));
    int err = (int)order32(told);
    return err > 0 || err < -4095 ? -EBADMSG : err;
}

const char *message_error_text(const struct message *message, struct arena *arena)
{
    struct nlmsgerr error;
    size_t skip = sizeof(error);
    if (!(message->flags & NLM_F_ACK_TLVS) || message->len < skip)
        return NULL;
    memcpy(&error, message->payload, sizeof(error));
    size_t question = order32(error.msg.nlmsg_len);
    if (!(message->flags & NLM_F_CAPPED) && question > sizeof(error.msg))
        skip += NLMSG_ALIGN(question) - sizeof(error.msg);
    return attr_text(attr_find(attr_walk_after(message, skip), NLMSGERR_ATTR_MSG), arena);
}

struct attr_walk attr_walk(const void *data, size_t len)
{
    return (struct attr_walk){ .at = data, .left = data ? len : 0 };
}

struct attr_walk attr_walk_after(const struct message *message, size_t header)
{
    size_t skip = NLMSG_ALIGN(header) < message->len ? NLMSG_ALIGN(header) : message->len;
    return attr_walk(message->payload + skip, message->len - skip);
}

struct attr_walk attr_walk_in(const struct nlattr *nest)
{
    size_t len;
    const void *data = attr_bytes(nest, &len);
    return attr_walk(data, len);
}

static size_t attr_len(const struct nlattr *attr)
{
    return order16(attr->nla_len);
}

const struct nlattr *attr_walk_next(struct attr_walk *walk)
{
    const struct nlattr *attr = (const void *)walk->at;
    if (walk->left < sizeof(*attr) || walk->broken)
        return NULL;
    size_t len = attr_len(attr), step = NLA_ALIGN(len);
    walk->broken = len < sizeof(*attr) || len > walk->left;
    if (walk->broken)
        return NULL;
    step = step < walk->left ? step : walk->left;
    walk->at += step;
    walk->left -= step;
    return attr;
}

bool attr_walk_is_sound(struct attr_walk walk)
{
    while (attr_walk_next(&walk))
        ;
    return !walk.broken;
}

const struct nlattr *attr_find(struct attr_walk walk, unsigned type)
{
    const struct nlattr *attr, *found = NULL;
    while ((attr = attr_walk_next(&walk)))
        found = attr_type(attr) == type ? attr : found;
    return found;
}

unsigned attr_type(const struct nlattr *attr)
{
    return order16(attr->nla_type) & NLA_TYPE_MASK;
}

size_t attr_payload(const struct nlattr *attr)
{
    return attr_len(attr) - NLA_HDRLEN;
}

const void *attr_bytes(const struct nlattr *attr, size_t *len)
{
    *len = attr ? attr_payload(attr) : 0;
    return attr ? (const char *)attr + NLA_HDRLEN : NULL;
}

/* A number in the byte order of the answer's machine; of a longer attribute, the first width bytes. */
struct num attr_number(const struct nlattr *attr, size_t width)
{
    size_t len;
    const void *data = attr_bytes(attr, &len);
    struct num number = { 0 };
    uint16_t u16;
    uint32_t u32;
    uint64_t u64;
    switch (!data || len < width ? 0 : width ? width : len) {
    case 1:
        number = num_of(*(const uint8_t *)data);
        break;
    case 2:
        memcpy(&u16, data, 2);
        number = num_of(order16(u16));
        break;
    case 4:
        memcpy(&u32, data, 4);
        number = num_of(order32(u32));
        break;
    case 8:
        memcpy(&u64, data, 8);
        number = num_of(order64(u64));
        break;
    }
    return number;
}

uint64_t attr_value(const struct nlattr *attr, size_t width, uint64_t otherwise)
{
    struct num number = attr_number(attr, width);
    return number.known ? number.value : otherwise;
}

/* Without printf, as there may be ten thousand of them. */
const char *endpoint_text(int family, const void *address, uint16_t port, struct arena *arena)
{
    char text[INET6_ADDRSTRLEN + sizeof("[]:65535")] = "[";
    bool is_v6 = family == AF_INET6;
    if (!inet_ntop(family, address, text + is_v6, INET6_ADDRSTRLEN))
        return NULL;
    char *end = text + strlen(text);
    if (is_v6)
        *end++ = ']';
    *end++ = ':';
    end = text_put_u64(end, ntohs(port));
    return arena_strndup(arena, text, (size_t)(end - text));
}

const char *attr_text(const struct nlattr *attr, struct arena *arena)
{
    size_t len;
    const char *data = attr_bytes(attr, &len);
    return data ? arena_strndup(arena, data, strnlen(data, len)) : NULL;
}

void *request_begin(struct request *request, uint16_t type, uint16_t flags, size_t extra)
{
    struct nlmsghdr *header = mnl_nlmsg_put_header(request->room);
    header->nlmsg_type = type;
    header->nlmsg_flags = NLM_F_REQUEST | flags;
    return mnl_nlmsg_put_extra_header(header, extra);
}
