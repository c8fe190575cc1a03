/* SPDX-License-Identifier: MIT */
/* One way to ask over netlink, whichever the back end. */
#pragma once

#include "source/netlink/question.h"
#include "source/reader.h"

/* The answer, which stays valid until the next question. 0 or -errno; -EOPNOTSUPP and -ENOENT where the
 * kernel (or the recording) has no such protocol, family or request. A dump that changed while it was taken
 * is taken again, a few times. */
int netlink_ask(struct reader *reader, enum question_id id, const struct subject *subject, struct span *reply);

/* Puts an answer into the host. 0 or -errno: -EBADMSG. */
typedef int netlink_taker(struct reader *reader, struct span reply, void *data);
/* Asks, and hands the answer to take. 0 or -errno of either. */
int netlink_take(struct reader *reader, enum question_id id, const struct subject *subject,
                 netlink_taker *take, void *data);
/* The same; a failure is noted as a problem as well, unless it only means that the kernel doesn't offer it. */
int netlink_read(struct reader *reader, enum question_id id, const struct subject *subject,
                 netlink_taker *take, void *data);
void netlink_problem(struct reader *reader, int err, enum question_id id, const struct subject *subject);

/* The id of the generic netlink family that id (ASK_ETHTOOL, ASK_DEVLINK, ASK_SMC) asks for. 0 or -errno
 * (-ENOENT: the kernel hasn't got it); noted as netlink_read does. */
int netlink_family(struct reader *reader, enum question_id id, uint16_t *family);
