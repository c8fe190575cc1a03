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
int verify_pattern(const struct endpoint *end, uint8_t *data, const struct trial *trial,
                   struct failure *failure);

int verify_arm(struct queue *queue, const struct trial *trial, struct failure *failure);
int verify_act(struct queue *queue, const struct trial *trial, const struct watch *watch,
               struct failure *failure);
/* peer_gid: 16 bytes, of the acting end. */
int verify_judge(struct queue *queue, const struct trial *trial, const uint8_t *peer_gid,
                 const struct watch *watch, struct failure *failure);

/* Latency: messages that go back and forth, one at a time. The starter times every round; the other side
 * answers, either in its own thread or process (pingpong_serve) or, in loopback, from within the starter's loop
 * (pingpong_answer), so that both need only one CPU. */

enum { LATENCY_WARMUP = 32 }; /* rounds before those that count */

/* One side. It may not move. */
struct pingpong {
    struct queue *queue;
    const struct trial *trial;
    struct ibv_send_wr request; /* posted as it is, every time */
    struct ibv_sge source;
    uint32_t sent;           /* requests so far */
    bool owed;               /* a signalled one hasn't completed yet */
    volatile uint8_t *seen;  /* WRITE: where the other's last byte appears */
    uint8_t *last;           /* WRITE: our last byte */
    uint64_t rounds, wanted; /* that were answered, and will be */
    struct watch patience;   /* of the answering side, with its own requests */
};

/* Posts receives: on either side before the other is told to begin. */
int pingpong_begin(struct pingpong *side, struct queue *queue, const struct trial *trial,
                   struct failure *failure);
/* Plays trial->count rounds; samples (room for as many) are whole rounds, in ticks of ticks_now(). other: the
 * answering side in loopback, or NULL. */
int pingpong_run(struct pingpong *side, struct pingpong *other, const struct watch *watch, uint64_t *samples,
                 struct failure *failure);
/* Answers a message if one has arrived. Returns 1 if so, else 0; -EIO with failure filled. */
int pingpong_answer(struct pingpong *side, struct failure *failure);
int pingpong_serve(struct pingpong *side, const struct watch *watch, struct failure *failure);

/* Is a sample a whole round trip (halved by custom), or one request with its response? */
bool latency_is_round(const struct trial *trial);
/* Does the time limit of a step begin again with this round? */
bool latency_renews(const struct trial *trial, uint64_t round);

/* Bandwidth: as many messages in flight as the queues hold. Work requests are posted in chains, with one
 * completion per chain. */

enum { FLOW_CHAIN = 64, FLOW_CHAIN_USUAL = 16 };

/* What one side sends and receives in a trial. It may not move. */
struct flow {
    const struct trial *trial;
    struct lane {
        struct queue *queue;
        uint32_t on_the_way; /* posted, not completed */
        uint64_t allowed;    /* most of those: who didn't start sends more as more is acknowledged */
    } lanes[RC_QUEUES_MOST]; /* trial->queues */
    uint32_t chain;          /* requests that are posted at once, at most FLOW_CHAIN */
    double pace;             /* ns a message, at least; 0: none */
    uint64_t began;          /* as wait_now() */
    struct ibv_send_wr sends[FLOW_CHAIN];
    struct ibv_sge source;
    uint64_t to_send, posted, completed; /* messages */
    uint64_t to_receive, received;
};

/* By the set's RC queue pairs from `first` on. starts: this side began the trial (it sends; the other one does
 * only with TRIAL_BOTH_WAYS). Posts receives. */
int flow_begin(struct flow *flow, const struct set *set, unsigned first, const struct trial *trial, bool starts,
               struct failure *failure);
/* Requests that are posted at once, where so many are asked for (0: nobody asks): fewer of large messages, so
 * that some progress is seen in time. */
uint32_t flow_chain(uint32_t asked, uint32_t size);
/* Before it runs: what the user asked for. */
void flow_shape(struct flow *flow, const struct test_options *options);
/* Runs until it is done; other: the other side in loopback, or NULL. */
int flow_run(struct flow *flow, struct flow *other, const struct watch *watch, struct failure *failure);

/* One side of a test: the starter, or the other, which answers. It may not move. */

struct responder {
    struct set *set;
    struct trial trial;
    struct queue *queue; /* of the trial; for bandwidth the first one */
    struct pingpong pingpong;
    struct flow flow;
};

/* Fills buffers and posts receives. -errno with failure filled, also for a trial that this end can't do. */
int responder_arm(struct responder *responder, struct set *set, const struct trial *trial, bool starts,
                  struct failure *failure);
/* Answers until the trial is over (does nothing for a verification). */
int responder_serve(struct responder *responder, const struct watch *watch, struct failure *failure);
/* Reports what this end saw. peer_gid is the starter's. */
int responder_judge(struct responder *responder, const uint8_t *peer_gid, const struct watch *watch,
                    struct failure *failure);
uint64_t responder_messages(const struct responder *responder);
