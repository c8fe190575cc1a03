/* SPDX-License-Identifier: MIT */
/* The trials, and the side that answers. */
#pragma once

#include "selftest/queues/queue.h"
#include "selftest/trial/trial.h"

/* Did the other end of this queue pair send what has arrived? Anybody may send a datagram, so for a UD queue
 * pair its header (GRH_SIZE bytes) and size are checked. */
bool queue_is_from_peer(const struct queue *queue, const struct ibv_wc *wc, const uint8_t *header,
                        uint32_t size);

/* One message of an operation, every byte of it compared. The acting side sends, writes or reads; the other one
 * arms before and judges after. */

/* Are the trial's bytes there, as pattern_fill() makes them? 0, or -EBADMSG with failure filled. */
int verify_pattern(const void *data, const struct trial *trial, struct failure *failure);

int verify_arm(struct queue *queue, const struct trial *trial, struct failure *failure);
int verify_act(struct queue *queue, const struct trial *trial, const struct watch *watch,
               struct failure *failure);
/* peer_gid: 16 bytes, of the acting end. */
int verify_judge(struct queue *queue, const struct trial *trial, const uint8_t *peer_gid,
                 const struct watch *watch, struct failure *failure);

/* Latency: messages that go back and forth, one at a time. The starter times every round; the other side
 * answers, either in its own thread or process (answer_serve) or, in loopback, from within the starter's loop
 * (answer_step), so that both need only one CPU. */

enum { LATENCY_WARMUP = 32 }; /* rounds before those that count */

struct ball; /* work requests, ready to be posted again and again */

struct answer {
    struct queue *queue;
    const struct trial *trial;
    struct ball *ball;
    uint64_t rounds, wanted;
    struct watch patience;
};

/* Posts receives. The caller calls answer_end() in the end, also after a failure. */
int answer_begin(struct answer *answer, struct queue *queue, const struct trial *trial,
                 struct failure *failure);
/* Answers a message if one has arrived. Returns 1 if so, else 0; -EIO with failure filled. */
int answer_step(struct answer *answer, struct failure *failure);
int answer_serve(struct answer *answer, const struct watch *watch, struct failure *failure);
void answer_end(struct answer *answer);

/* Posts the starter's receives, before the other side is told to begin. */
int latency_begin(struct queue *queue, const struct trial *trial, struct ball **ball, struct failure *failure);
/* Plays trial->count rounds; samples (room for as many) are whole rounds, in ticks of ticks_now(). other: the
 * answering side in loopback, or NULL. Frees ball. */
int latency_run(struct queue *queue, const struct trial *trial, struct ball *ball, struct answer *other,
                const struct watch *watch, uint64_t *samples, struct failure *failure);

/* Is a sample a whole round trip (halved by custom), or one request with its response? */
bool latency_is_round(const struct trial *trial);

/* Bandwidth: as many messages in flight as the queues hold. Work requests are posted in chains, with one
 * completion per chain. */

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

/* starts: this side began the trial (it sends; the other one does only with TRIAL_BOTH_WAYS). Posts receives.
 * The caller calls flow_end() in the end, also after a failure. */
int flow_begin(struct flow *flow, struct queue *const *queues, const struct trial *trial, bool starts,
               struct failure *failure);
/* Posts what there is room for, takes what has completed. >0 if anything moved; -EIO with failure filled. */
int flow_step(struct flow *flow, struct failure *failure);
static inline bool flow_is_done(const struct flow *flow)
{
    return flow->completed == flow->to_send && flow->received == flow->to_receive;
}
/* Runs until it is done; other: the other side in loopback, or NULL. */
int flow_run(struct flow *flow, struct flow *other, const struct watch *watch, struct failure *failure);
void flow_end(struct flow *flow);

/* One side of a test: the starter, or the other, which answers. */

struct responder {
    struct set *set;
    struct trial trial;
    struct queue *queue; /* of the trial; for bandwidth the first one */
    struct ball *ball;   /* for LATENCY, on the starter's side: latency_run() frees it */
    struct answer answer;
    struct flow flow;
};

/* The queue of a trial, or NULL if the end has none. */
struct queue *trial_queue(const struct set *set, const struct trial *trial);

/* Fills buffers and posts receives. -errno with failure filled, also for a trial that this end can't do. */
int responder_arm(struct responder *responder, struct set *set, const struct trial *trial,
                  struct failure *failure);
int starter_arm(struct responder *starter, struct set *set, const struct trial *trial, struct failure *failure);
/* Answers until the trial is over (does nothing for a verification). */
int responder_serve(struct responder *responder, const struct watch *watch, struct failure *failure);
/* Reports what this end saw. peer_gid is the starter's. */
int responder_judge(struct responder *responder, const uint8_t *peer_gid, const struct watch *watch,
                    struct failure *failure);
uint64_t responder_messages(const struct responder *responder);
void responder_end(struct responder *responder); /* fine twice */
