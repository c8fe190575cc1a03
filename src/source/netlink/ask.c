/* SPDX-License-Identifier: MIT */
/* Asks over netlink, whatever the back end, and reports what went wrong. */
#include "source/netlink/ask.h"

enum { NAME_ROOM = 512 };
#define DIRECTORY "netlink/"

static int name_answer(char path[static NAME_ROOM], enum question_id id, const struct subject *subject)
{
    size_t used = strlen(DIRECTORY);
    memcpy(path, DIRECTORY, used);
    return question_name(question_of(id), subject, path + used, NAME_ROOM - used);
}

int netlink_take(struct reader *reader, enum question_id id, const struct subject *subject, netlink_taker *take,
                 void *data)
{
    char path[NAME_ROOM];
    struct span reply;
    const struct question *question = question_of(id);
    int r = name_answer(path, id, subject);
    if (r == 0)
        r = reader->source->ask_netlink(reader, question, subject, path, &reply);
    if (r < 0 || take)
        return r < 0 ? r : take(reader, reply, data);
    if (question->parse)
        return question->parse(reply.data, reply.len, reader->arena, data);
    return question->flags & NLM_F_DUMP
               ? answer_fill_each(question->answer, reply.data, reply.len, reader->arena, data)
               : answer_fill(question->answer, reply.data, reply.len, reader->arena, data);
}

int netlink_read(struct reader *reader, enum question_id id, const struct subject *subject, netlink_taker *take,
                 void *data)
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
