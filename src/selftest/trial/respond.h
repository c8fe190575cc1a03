/* SPDX-License-Identifier: MIT */
/* The trials, and the side that answers. */
#pragma once

#include "selftest/queues/queue.h"
#include "selftest/trial/trial.h"

/* Did the other end of this queue pair send what has come? Anybody may send a datagram: of a UD queue pair
 * its header (GRH_SIZE bytes) and size are looked at. */
bool queue_is_from_peer(const struct queue *queue, const struct ibv_wc *wc, const uint8_t *header,
                        uint32_t size);

/* One message of an operation, every byte of it compared. The side that acts sends, writes, reads; the other
 * one arms before and judges after. */

/* Are the trial's bytes there, as pattern_fill() makes them? 0, or -EBADMSG with failure filled. */
int verify_pattern(const void *data, const struct trial *trial, struct failure *failure);

int verify_arm(struct queue *queue, const struct trial *trial, struct failure *failure);
int verify_act(struct queue *queue, const struct trial *trial, const struct watch *watch,
               struct failure *failure);
/* peer_gid: 16 bytes, of the end that acted. */
int verify_judge(struct queue *queue, const struct trial *trial, const uint8_t *peer_gid,
                 const struct watch *watch, struct failure *failure);

/* Latency: messages that go back and forth, one at a time. The side that starts takes the time of every
 * round; the other one answers, either in a thread or process of its own (answer_serve) or, in loopback, from
 * within the starting side's loop (answer_step), so that both need only one CPU. */

enum { LATENCY_WARMUP = 32 }; /* rounds before those that count */

struct ball; /* what is ready to be posted again and again */

struct answer {
    struct queue *queue;
    const struct trial *trial;
    struct ball *ball;
    uint64_t rounds, wanted;
    struct watch patience;
};

/* Posts receives. The caller ends it with answer_end(), also after a failure. */
int answer_begin(struct answer *answer, struct queue *queue, const struct trial *trial,
                 struct failure *failure);
/* Answers a message if one has come: 1, else 0; -EIO with failure filled. */
int answer_step(struct answer *answer, struct failure *failure);
int answer_serve(struct answer *answer, const struct watch *watch, struct failure *failure);
void answer_end(struct answer *answer);

/* Posts the starter's receives: before the other side is told to begin. */
int latency_begin(struct queue *queue, const struct trial *trial, struct ball **ball, struct failure *failure);
/* Plays trial->count rounds; samples (room for as many) in ticks of ticks_now(): whole rounds. other: the
 * answering side of loopback, or NULL. Ends ball. */
int latency_run(struct queue *queue, const struct trial *trial, struct ball *ball, struct answer *other,
                const struct watch *watch, uint64_t *samples, struct failure *failure);

/* Is the time of a whole round there and back (halved by custom), or of one request with its response? */
bool latency_is_round(const struct trial *trial);

/* Bandwidth: as many messages on their way as the queues hold. Work requests are posted in chains, one
 * completion a chain. */

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

/* One side of a test: of the one that starts it, or of the other, which answers. */

struct responder {
    struct set *set;
    struct trial trial;
    struct queue *queue; /* of the trial; the first one for bandwidth */
    struct ball *ball;   /* LATENCY, of the side that starts: latency_run() ends it */
    struct answer answer;
    struct flow flow;
};

/* The queues of a trial, NULL where the end has none. */
struct queue *trial_queue(const struct set *set, const struct trial *trial);

/* Fills buffers and posts receives. -errno with failure filled, also for a trial that this end can't do. */
int responder_arm(struct responder *responder, struct set *set, const struct trial *trial,
                  struct failure *failure);
int starter_arm(struct responder *starter, struct set *set, const struct trial *trial, struct failure *failure);
/* Answers until the trial is over (nothing for a verification). */
int responder_serve(struct responder *responder, const struct watch *watch, struct failure *failure);
/* Says what this end saw. The starter's GID is peer_gid. */
int responder_judge(struct responder *responder, const uint8_t *peer_gid, const struct watch *watch,
                    struct failure *failure);
uint64_t responder_messages(const struct responder *responder);
void responder_end(struct responder *responder); /* fine twice */
