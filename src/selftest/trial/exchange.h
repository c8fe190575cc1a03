/* SPDX-License-Identifier: MIT */
/* Small messages on many queue pairs at once, to see which path loses, delays or reorders them. The side that
 * starts leads; the other either sends as well, or echoes each message along with how long it held it. */
#pragma once

#include "selftest/queues/queue.h"
#include "selftest/trial/trial.h"

enum {
    EXCHANGE_STAMP = 16, /* least bytes of a message: its number, and ns for which the answering end held it */
    EXCHANGE_MESSAGES = 64, /* most that a side sends on one queue pair */
    EXCHANGE_SIZE_MOST = 4096,
    EXCHANGE_WINDOW = 16 /* datagrams in flight */
};

/* What both ends agree on: plain data that travels. */
struct exchange_plan {
    bool datagrams;             /* on the UD queue pair instead of the RC ones */
    bool speaks;                /* both sides send `messages` on each; else the other side echoes */
    uint32_t messages;          /* if speaks: 1 to EXCHANGE_MESSAGES */
    uint32_t count;             /* RC queue pairs */
    uint32_t sizes[PATHS_MOST]; /* bytes per message on each; 0: not taking part */
};

/* What one end saw on one queue pair. */
struct exchange_seen {
    uint32_t received, reordered; /* reordered: arrived after one sent later (datagrams) */
    uint32_t acknowledged;        /* of its own messages */
    uint16_t status;              /* enum ibv_wc_status that ended it; 0: none */
    uint16_t traffic_class; /* of the last datagram that arrived, marked if any was; or EXCHANGE_NO_CLASS */
    uint64_t held;          /* ns, the longest time it held a message before answering */
    uint32_t duplicated;    /* datagrams that came again, or whose answer did; the peer isn't told, nor tells */
};
enum { EXCHANGE_NO_CLASS = 0xffff }; /* not known */
/* Was it marked by a queue that was filling (ECN: CE)? */
bool class_is_marked(uint16_t traffic_class);

struct exchange {
    const struct exchange_plan *plan;
    struct set *set;
    bool leads;
    struct exchange_seen seen[PATHS_MOST]; /* for datagrams only the first */
    uint32_t on_the_way[PATHS_MOST];       /* sends that haven't completed */
    uint32_t spoken[PATHS_MOST];           /* messages posted by exchange_speak() and after it */
    uint64_t next[PATHS_MOST];             /* one more than the highest number that arrived */
    uint64_t came[PATHS_MOST];             /* which of the 64 below that have, the highest as the lowest bit */
    uint64_t began, looked;                /* when it began; when this end last looked; as wait_now() */
    /* On the leading side, of the answer that on_answer is told */
    unsigned answered_by;
    /* ns between the answer's arrival (by the device's clock, or an upper bound) and looking at it */
    uint64_t waited;
    /* the device of this host, or the other's, gave no time for some answer */
    bool host_clock, peer_host_clock;
    /* For an answer, by number. NULL: nobody asks. */
    void (*on_answer)(void *data, uint64_t number, uint64_t held);
    void *data;
};

/* Posts receives. Returns 0, or -errno with failure filled. plan stays the caller's. */
int exchange_begin(struct exchange *x, const struct exchange_plan *plan, struct set *set, bool leads,
                   struct failure *failure);
/* Sends this side's messages, if it speaks: the leading side all of them, the other one small message or an
 * empty write on each queue pair, and the rest as the peer acknowledges. */
int exchange_speak(struct exchange *x, struct failure *failure);
/* Takes what has arrived, and answers it if that is the plan. Returns >0 if anything moved. A queue pair that
 * fails is out (seen.status says why), the others continue. */
int exchange_step(struct exchange *x);
/* Does this queue pair take part, without having failed? */
bool exchange_lives(const struct exchange *x, unsigned i);
/* As far as this side can tell, has everything arrived that will? (speaks) */
bool exchange_is_settled(const struct exchange *x);
/* Steps until the peer speaks on the control connection (-ECONNRESET), time is over (-ETIMEDOUT), -EINTR, or
 * done (may be NULL) returns true (0). */
int exchange_wait(struct exchange *x, const struct watch *watch, bool (*done)(const struct exchange *x));

/* What the leading side of an exchange does: rounds on each queue pair in turn, or a train of datagrams. */

/* One message with its answer. All in ns. */
struct round_trip {
    uint64_t whole;
    uint64_t kept;   /* held by the other end, as it says */
    uint64_t waited; /* here, until the answer was looked at: see struct exchange */
};
/* What remains for the path. */
static inline uint64_t round_net(const struct round_trip *r)
{
    uint64_t hosts = r->kept + r->waited;
    return r->whole > hosts ? r->whole - hosts : 0;
}

/* Half the time that a device waits before it resends. */
enum { STALL_NS = 33000000 };
/* Was a packet of it lost? */
static inline bool round_is_lossy(const struct round_trip *r)
{
    return round_net(r) > STALL_NS;
}

/* Plays `rounds` rounds on every live queue pair in turn, so that a disturbance affects all of them; one whose
 * answer doesn't come misses its turns and keeps none of the others waiting, and has been seen enough after
 * ROUNDS_LOSSES lossy ones. trips: room for count × rounds, those of queue pair i starting at i × rounds;
 * played[i]: how many. One that fails is out. Returns 0 or as watch_check(); never outlasts the watch. */
enum { ROUNDS_LOSSES = 16 };
int rounds_run(struct exchange *x, uint32_t rounds, const struct watch *watch, struct round_trip *trips,
               uint32_t played[static PATHS_MOST]);

/* What became of rounds that were played over a time. In ns. */
struct silences {
    uint32_t stalls, outages; /* one message or two were lost; from SILENT_NS on, or the queue pair failed */
    uint64_t longest, first, last; /* of the outages; and when they began, as wait_now() */
};

/* Plays a round on every live queue pair each TICK_NS for `ms`, all at once, so that one that waits keeps none
 * from being looked at. silences: what is already there is added to. Returns as rounds_run(). */
enum { SILENT_NS = 5 * STALL_NS, TICK_NS = 20000000 };
int volleys_run(struct exchange *x, unsigned ms, const struct watch *watch,
                struct silences silences[static PATHS_MOST]);

/* Sends `count` numbered datagrams, at most EXCHANGE_WINDOW in flight; if they are slow, at most ENOUGH after
 * ENOUGH_MS. One not answered within LOST_MS is lost. trips: room for as many, in the order of the answers;
 * *answered: how many arrived. */
enum { LOST_MS = 200, ENOUGH = 250, ENOUGH_MS = 150 };
int datagrams_run(struct exchange *x, uint32_t count, const struct watch *watch, struct round_trip *trips,
                  uint32_t *sent, uint32_t *answered);
