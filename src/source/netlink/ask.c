/* SPDX-License-Identifier: MIT */
#include "source/netlink/ask.h"

#include <errno.h>
#include <linux/genetlink.h>
#include <string.h>

#include "source/netlink/message.h"

enum { NAME_ROOM = 512 };
#define DIRECTORY "netlink/"

static int name_answer(char path[static NAME_ROOM], enum question_id id, const struct subject *subject)
{
    size_t used = strlen(DIRECTORY);
    memcpy(path, DIRECTORY, used);
    return question_name(question_of(id), subject, path + used, NAME_ROOM - used);
}

int netlink_ask(struct reader *reader, enum question_id id, const struct subject *subject, struct span *reply)
{
    char path[NAME_ROOM];
    int r = name_answer(path, id, subject);
    if (r < 0)
        return r;
    return reader->source->netlink_backend->ask(reader, question_of(id), subject, path, reply);
}

int netlink_take(struct reader *reader, enum question_id id, const struct subject *subject,
                 netlink_taker *take, void *data)
{
    struct span reply;
    int r = netlink_ask(reader, id, subject, &reply);
    return r < 0 ? r : take(reader, reply, data);
}

int netlink_read(struct reader *reader, enum question_id id, const struct subject *subject,
                 netlink_taker *take, void *data)
{
    int r = netlink_take(reader, id, subject, take, data);
    if (r < 0)
        netlink_problem(reader, r, id, subject);
    return r;
}

void netlink_problem(struct reader *reader, int err, enum question_id id, const struct subject *subject)
{
    char path[NAME_ROOM];
    name_answer(path, id, subject);
    read_problem(reader, err, "netlink %s", path + strlen(DIRECTORY));
}

static int take_family(struct reader *reader, struct span reply, void *family)
{
    (void)reader;
    struct messages messages = messages_of(reply.data, reply.len);
    struct message message;
    struct attrs attrs;
    if (!messages_next_answer(&messages, &message))
        return -EBADMSG;
    attrs_parse(&attrs, message.payload, message.len, GENL_HDRLEN);
    struct num found = attr_u16(attrs.at[CTRL_ATTR_FAMILY_ID]);
    if (!found.known)
        return -EBADMSG;
    *(uint16_t *)family = (uint16_t)found.value;
    return 0;
}

int netlink_family(struct reader *reader, enum question_id id, uint16_t *family)
{
    return netlink_read(reader, id, NULL, take_family, family);
}
