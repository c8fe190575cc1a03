/* SPDX-License-Identifier: MIT */
/* Small messages by many queue pairs at once, to see which way loses, delays or reorders them. The side that
 * starts leads; the other one speaks as well, or sends back what comes, with how long it kept it. */
#pragma once

#include "selftest/queues/queue.h"
#include "selftest/trial/trial.h"

enum {
    EXCHANGE_STAMP = 16,    /* bytes of a message at least: its number, and ns that the answering end kept it */
    EXCHANGE_MESSAGES = 64, /* that a side speaks by one queue pair, at most */
    EXCHANGE_SIZE_MOST = 4096,
    EXCHANGE_WINDOW = 16 /* datagrams on their way */
};

/* What both ends agree on: plain data that travels. */
struct exchange_plan {
    bool datagrams;             /* by the UD queue pair, rather than the RC ones */
    bool speaks;                /* both sides send `messages` by each; else the other side echoes */
    uint32_t messages;          /* speaks: 1 to EXCHANGE_MESSAGES */
    uint32_t count;             /* RC queue pairs */
    uint32_t sizes[PATHS_MOST]; /* bytes of a message of each; 0: it takes no part */
};

/* What one end saw of one queue pair. */
struct exchange_seen {
    uint32_t received, reordered; /* reordered: that came behind one sent later (datagrams) */
    uint32_t acknowledged;        /* of what it sent itself */
    uint16_t status;              /* enum ibv_wc_status that ended it; 0: none */
    uint16_t traffic_class;       /* of the datagrams that came; EXCHANGE_NO_CLASS: not known */
    uint64_t held;                /* ns, the longest time that it kept a message before it answered */
};
enum { EXCHANGE_NO_CLASS = 0xffff };

struct exchange {
    const struct exchange_plan *plan;
    struct set *set;
    bool leads;
    struct exchange_seen seen[PATHS_MOST]; /* of datagrams: the first */
    uint32_t on_the_way[PATHS_MOST];       /* sends that haven't completed */
    uint64_t next[PATHS_MOST];             /* one more than the highest number that came */
    uint64_t began, looked;                /* when it began; when this end looked before; as wait_now() */
    /* Of the side that leads: an answer that has come, after which the caller sets it back. */
    bool answered;
    unsigned answered_by;
    uint64_t answer, answer_held;
    /* ns from when the answer came, by the device's clock or at most, until it was looked at */
    uint64_t waited;
    /* of some answer so far this host's, or the other's, device told no time */
    bool host_clock, peer_host_clock;
    /* Of a datagram's answer: by its number. NULL: nobody asks. */
    void (*on_answer)(void *data, uint64_t number, uint64_t held);
    void *data;
};

/* Posts receives. 0, or -errno with failure filled. plan stays the caller's. */
int exchange_begin(struct exchange *x, const struct exchange_plan *plan, struct set *set, bool leads,
                   struct failure *failure);
/* Sends what this side speaks. */
int exchange_speak(struct exchange *x, struct failure *failure);
/* Takes what has come, answers it if that is the plan. >0: something has moved. A queue pair that fails is
 * out (seen.status says why), the others go on. */
int exchange_step(struct exchange *x);
/* One message by queue pair i, as message number. -errno: it couldn't be sent; it is out then. */
int exchange_send(struct exchange *x, unsigned i, uint64_t number);
/* Does this queue pair take part, and hasn't failed? */
bool exchange_lives(const struct exchange *x, unsigned i);
/* Has all arrived that will, as far as this side can tell? (speaks) */
bool exchange_is_settled(const struct exchange *x);
/* Steps until the watch ends: the peer speaks on the control connection (-ECONNRESET), time is over
 * (-ETIMEDOUT), -EINTR; done (may be NULL) says so: 0. */
int exchange_wait(struct exchange *x, const struct watch *watch, bool (*done)(const struct exchange *x));

/* What the leading side of an exchange does: rounds by each queue pair in turn, and a train of datagrams. */

/* One message with its answer. All in ns. */
struct round_trip {
    uint64_t whole;
    uint64_t kept;   /* by the other end: what it says */
    uint64_t waited; /* here, before the answer was looked at: see struct exchange */
};
/* What is left for the way. */
static inline uint64_t round_net(const struct round_trip *r)
{
    uint64_t hosts = r->kept + r->waited;
    return r->whole > hosts ? r->whole - hosts : 0;
}

/* Plays `rounds` of them by every queue pair that lives, in turn, so that what disturbs one disturbs all.
 * trips: room for count × rounds, those of queue pair i from i × rounds on; played[i]: how many. One that
 * fails is out. 0 or as watch_check(); never longer than the watch. */
int rounds_run(struct exchange *x, uint32_t rounds, const struct watch *watch, struct round_trip *trips,
               uint32_t played[static PATHS_MOST]);

/* Sends so many numbered datagrams, EXCHANGE_WINDOW at most on their way; where these take long, no more than
 * ENOUGH after ENOUGH_MS. One that isn't answered in LOST_MS is lost. trips: room for as many, in the order
 * of their answers; *answered: how many came. */
enum { LOST_MS = 200, ENOUGH = 250, ENOUGH_MS = 150 };
int datagrams_run(struct exchange *x, uint32_t count, const struct watch *watch, struct round_trip *trips,
                  uint32_t *sent, uint32_t *answered);
