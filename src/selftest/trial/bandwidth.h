/* SPDX-License-Identifier: MIT */
/* Bandwidth: as many messages on their way as the queues hold. Work requests are posted in chains, one
 * completion a chain. */
#pragma once

#include "selftest/queues/queue.h"
#include "selftest/trial/trial.h"

enum { FLOW_CHAIN = 16 };

struct lane; /* one queue pair's part */

/* What one side sends and receives in a trial. */
struct flow {
    const struct trial *trial;
    struct lane *lanes;
    unsigned nlanes;
    uint64_t to_send, posted, completed; /* messages */
    uint64_t to_receive, received;
};

/* starts: this side began the trial (it sends; the other one only with TRIAL_BOTH_WAYS). Posts receives. The
 * caller ends it with flow_end(), also after a failure. */
int flow_begin(struct flow *flow, struct queue *const *queues, const struct trial *trial, bool starts,
               struct failure *failure);
/* Posts what has room, takes what has completed. >0: something moved; -EIO with failure filled. */
int flow_step(struct flow *flow, struct failure *failure);
static inline bool flow_is_done(const struct flow *flow)
{
    return flow->completed == flow->to_send && flow->received == flow->to_receive;
}
/* Until it is done; other: the other side of loopback, or NULL. */
int flow_run(struct flow *flow, struct flow *other, const struct watch *watch, struct failure *failure);
void flow_end(struct flow *flow);
