/* SPDX-License-Identifier: MIT */
/* Small messages on many queue pairs at once: echoed, sent by both sides, or a train of datagrams. */
#include "selftest/trial/exchange.h"

#include <endian.h>

#include "selftest/trial/respond.h"

/* SLOT: distance in bytes between messages whose contents matter. */
enum { KNOCK = 1, SLOT = 128, DATAGRAMS = 128, ECHOES = 8, POLL = 16 };
/* In the second word of an answer, the ns that the message was held: by the device's clock. */
#define BY_DEVICE (1ull << 63)

static unsigned queues_of(const struct exchange *x)
{
    return x->plan->datagrams ? 1 : set_rc_count(x->set);
}

static struct queue *queue_of(const struct exchange *x, unsigned i)
{
    return x->plan->datagrams ? x->set->queues[QUEUE_UD] : set_rc(x->set, i);
}

bool exchange_lives(const struct exchange *x, unsigned i)
{
    bool takes_part = x->plan->datagrams || (i < x->plan->count && x->plan->sizes[i]);
    return takes_part && queue_of(x, i) && !x->seen[i].status;
}

static uint32_t size_of(const struct exchange *x, unsigned i)
{
    return x->plan->speaks ? x->plan->sizes[i] : EXCHANGE_STAMP;
}

/* Offset of message `slot` of queue i in either half. Messages that both sides send are only counted. */
static size_t place_of(const struct exchange *x, unsigned i, uint64_t slot)
{
    return SLOT * (x->plan->datagrams ? slot : i);
}

/* For a message of any size: receives left over by one exchange serve the next. */
static int receive_at(struct exchange *x, unsigned i, uint64_t slot, struct failure *failure)
{
    struct queue *q = queue_of(x, i);
    int r = queue_receive(q, endpoint_rx(q->end) + place_of(x, i, slot),
                          x->plan->datagrams ? SLOT : EXCHANGE_SIZE_MOST, slot, failure);
    q->posted += r == 0;
    return r;
}

static int receive_all(struct exchange *x, unsigned i, struct failure *failure)
{
    struct queue *q = queue_of(x, i);
    uint32_t wanted = x->plan->datagrams ? DATAGRAMS : x->plan->speaks ? x->plan->messages : ECHOES;
    int r = size_of(x, i) > q->end->size ? failure_set(failure, STEP_POST, EMSGSIZE, "%s", "") : 0;
    while (r == 0 && q->posted < wanted && q->posted < q->receives)
        r = receive_at(x, i, q->posted, failure);
    return r;
}

int exchange_begin(struct exchange *x, const struct exchange_plan *plan, struct set *set, bool leads,
                   struct failure *failure)
{
    memset(x, 0, sizeof(*x));
    x->plan = plan;
    x->set = set;
    x->leads = leads;
    x->began = x->looked = wait_now();
    for (unsigned i = 0; i < PATHS_MOST; i++)
        x->seen[i].traffic_class = EXCHANGE_NO_CLASS;
    if (plan->datagrams ? !set->queues[QUEUE_UD] : plan->count != set_rc_count(set))
        return failure_set(failure, STEP_HANDSHAKE, EOPNOTSUPP, "no queue pair for this test here");
    int r = 0;
    for (unsigned i = 0; r == 0 && i < queues_of(x); i++)
        if (exchange_lives(x, i))
            r = receive_all(x, i, failure);
    return r;
}

static int post_at(struct exchange *x, unsigned i, uint64_t slot)
{
    struct queue *q = queue_of(x, i);
    struct failure ignored;
    uint32_t size = size_of(x, i);
    if (x->on_the_way[i] >= q->sends)
        return -EAGAIN;
    int r = queue_send(q, endpoint_tx(q->end) + place_of(x, i, slot), size,
                       size <= q->inline_size ? IBV_SEND_INLINE : 0, &ignored);
    if (r < 0)
        x->seen[i].status = IBV_WC_GENERAL_ERR;
    else
        x->on_the_way[i]++;
    return r;
}

static int send_stamp(struct exchange *x, unsigned i, uint64_t slot, uint64_t number, uint64_t held)
{
    uint64_t stamp[2] = { htobe64(number), htobe64(held) };
    memcpy(endpoint_tx(x->set->end) + place_of(x, i, slot), stamp, sizeof(stamp));
    return post_at(x, i, slot);
}

/* Sends one message on queue pair i, with that number. -errno if it couldn't be sent; the queue pair is out
 * then. */
static int exchange_send(struct exchange *x, unsigned i, uint64_t number)
{
    return send_stamp(x, i, number % DATAGRAMS, number, 0);
}

static int speak(struct exchange *x, unsigned i, uint32_t most)
{
    int r = 0;
    for (; r == 0 && most && exchange_lives(x, i) && x->spoken[i] < x->plan->messages; most--, x->spoken[i]++)
        r = post_at(x, i, 0);
    return r;
}

static int knock(struct exchange *x, unsigned i)
{
    struct ibv_send_wr wr = { .wr_id = KNOCK, .send_flags = IBV_SEND_SIGNALED };
    struct failure ignored;
    queue_aim(queue_of(x, i), OP_WRITE, 0, &wr);
    int r = exchange_lives(x, i) ? queue_post_send(queue_of(x, i), &wr, &ignored) : 0;
    x->on_the_way[i] += r == 0;
    return r;
}

static bool is_large(const struct exchange *x, unsigned i)
{
    return size_of(x, i) > SLOT;
}

int exchange_speak(struct exchange *x, struct failure *failure)
{
    for (unsigned i = 0; i < queues_of(x); i++)
        if ((!x->leads && is_large(x, i) ? knock(x, i) : speak(x, i, x->leads ? x->plan->messages : 1)) < 0)
            return failure_set(failure, STEP_POST, EIO, "ibv_post_send");
    return 0;
}

/* The peer acknowledges, so it may have more. Where its acknowledgements get lost but ours arrive, one of
 * another queue pair's has to do, or that direction would look bad too. (Large messages are for queue pairs
 * whose acknowledgements arrive.) */
static void take_acknowledged(struct exchange *x, unsigned i, const struct ibv_wc *wc)
{
    x->seen[i].acknowledged += wc->wr_id != KNOCK;
    for (unsigned k = 0; x->plan->speaks && k < queues_of(x); k++)
        if (k == i || (!is_large(x, i) && !is_large(x, k)))
            speak(x, k, is_large(x, k) ? 2 : x->plan->messages);
}

enum { MARKED = 3 }; /* in the two low bits: congestion experienced (RFC 3168) */

bool class_is_marked(uint16_t traffic_class)
{
    return traffic_class != EXCHANGE_NO_CLASS && (traffic_class & MARKED) == MARKED;
}

/* Where the IP header has it: byte 1 of IPv4, which is in the last 20 bytes; bits 4 to 11 of IPv6. */
static uint16_t class_of(const uint8_t *header)
{
    return header[0] >> 4 == 6 ? (uint16_t)((header[0] & 15) << 4 | header[1] >> 4) : header[21];
}

/* When it arrived, by the device's clock; without one, or if its stamp is impossible (before this exchange
 * began), when this end last looked in vain, as it may have been away since. */
static uint64_t arrival(const struct exchange *x, uint64_t age, bool *by_device)
{
    uint64_t now = wait_now();
    *by_device = age != STAMPS_NO_AGE && age <= now - x->began;
    return *by_device ? now - age : x->looked;
}

static void answer_message(struct exchange *x, unsigned i, uint64_t slot, const uint64_t stamp[static 2],
                           uint64_t age)
{
    struct exchange_seen *seen = &x->seen[i];
    uint64_t number = be64toh(stamp[0]), word = be64toh(stamp[1]);
    bool by_device;
    uint64_t came = arrival(x, age, &by_device);
    if (!x->leads) {
        uint64_t kept = wait_now() - came;
        seen->held = kept > seen->held ? kept : seen->held;
        send_stamp(x, i, slot, number, kept | (by_device ? BY_DEVICE : 0));
        return;
    }
    x->answered_by = i;
    x->waited = wait_now() - came;
    x->host_clock |= !by_device;
    x->peer_host_clock |= !(word & BY_DEVICE);
    if (x->on_answer)
        x->on_answer(x->data, number, word & ~BY_DEVICE);
}

/* One that came before is a copy, and neither received nor late. */
static void note_number(struct exchange *x, unsigned i, uint64_t number)
{
    enum { TOLD = 64 };
    struct exchange_seen *seen = &x->seen[i];
    uint64_t ahead = number >= x->next[i] ? number + 1 - x->next[i] : 0,
             behind = ahead ? 0 : x->next[i] - 1 - number;
    if (ahead) {
        x->came[i] = ahead < TOLD ? x->came[i] << ahead : 0;
        x->next[i] = number + 1;
    }
    bool again = x->plan->datagrams && behind < TOLD && x->came[i] >> behind & 1;
    if (behind < TOLD)
        x->came[i] |= UINT64_C(1) << behind;
    seen->duplicated += again;
    seen->received += !again;
    seen->reordered += behind && !again;
}

static void take_message(struct exchange *x, unsigned i, const struct ibv_wc *wc, uint64_t age)
{
    struct queue *q = queue_of(x, i);
    struct exchange_seen *seen = &x->seen[i];
    struct failure ignored;
    const uint8_t *at = endpoint_rx(q->end) + place_of(x, i, wc->wr_id);
    q->used = true;
    q->posted -= q->posted > 0;
    if (x->plan->speaks) {
        seen->received++;
        return;
    }
    if (queue_is_from_peer(q, wc, at, EXCHANGE_STAMP)) {
        uint64_t stamp[2];
        memcpy(stamp, at + (x->plan->datagrams ? GRH_SIZE : 0), sizeof(stamp));
        uint64_t number = be64toh(stamp[0]);
        note_number(x, i, number);
        if (x->plan->datagrams)
            seen->traffic_class = class_of(at) | (class_is_marked(seen->traffic_class) ? MARKED : 0);
        answer_message(x, i, wc->wr_id, stamp, age);
    }
    if (receive_at(x, i, wc->wr_id, &ignored) < 0)
        seen->status = IBV_WC_GENERAL_ERR;
}

static int poll_queue(struct exchange *x, unsigned i)
{
    struct queue *q = queue_of(x, i);
    struct exchange_seen *seen = &x->seen[i];
    struct ibv_wc wc[POLL];
    uint64_t ages[POLL];
    int came = queue_poll_stamped(q, POLL, wc, ages);
    for (int n = 0; n < came; n++) {
        if (wc[n].status == IBV_WC_SUCCESS)
            take_message(x, i, &wc[n], ages[n]);
        else if (!seen->status)
            seen->status = (uint16_t)wc[n].status;
    }
    int went = ibv_poll_cq(q->send_cq, POLL, wc);
    for (int n = 0; n < went; n++) {
        x->on_the_way[i] -= x->on_the_way[i] > 0;
        if (wc[n].status == IBV_WC_SUCCESS)
            take_acknowledged(x, i, &wc[n]);
        else if (!seen->status || seen->status == IBV_WC_WR_FLUSH_ERR)
            seen->status = (uint16_t)wc[n].status;
    }
    if (came < 0 || went < 0)
        seen->status = IBV_WC_GENERAL_ERR;
    return came > 0 || went > 0;
}

int exchange_step(struct exchange *x)
{
    uint64_t now = wait_now();
    int moved = 0;
    for (unsigned i = 0; i < queues_of(x); i++)
        if (exchange_lives(x, i))
            moved |= poll_queue(x, i);
    x->looked = now;
    return moved;
}

bool exchange_is_settled(const struct exchange *x)
{
    for (unsigned i = 0; i < queues_of(x); i++) {
        const struct exchange_seen *seen = &x->seen[i];
        if (exchange_lives(x, i) &&
            (seen->received < x->plan->messages || seen->acknowledged < x->plan->messages))
            return false;
    }
    return true;
}

int exchange_wait(struct exchange *x, const struct watch *watch, bool (*done)(const struct exchange *x))
{
    struct spin spin = { 0 };
    unsigned looks = 0;
    for (;;) {
        int moved = exchange_step(x);
        if (done && done(x))
            return 0;
        int r = moved ? watch_busy(watch, &looks) : spin_wait(&spin, watch);
        if (moved)
            spin_renew(&spin);
        if (r < 0) {
            exchange_step(x); /* what came in just before still counts */
            return r;
        }
    }
}

/* Messages of which each queue pair has one on the way at most, whose number is the time at which it was sent.
 */
struct flights {
    struct exchange *x;
    uint64_t began[PATHS_MOST]; /* 0: none is on the way */
    void (*landed)(struct flights *flights, unsigned i, const struct round_trip *trip);
    union {
        struct silences *silences;
        struct {
            uint32_t rounds, *played, lost[PATHS_MOST];
            struct round_trip *trips;
        };
    };
};

static void on_landing(void *data, uint64_t number, uint64_t held)
{
    struct flights *f = data;
    unsigned i = f->x->answered_by;
    if (!number || number != f->began[i])
        return;
    f->landed(f, i, &(struct round_trip){ .whole = wait_now() - number, .kept = held, .waited = f->x->waited });
    f->began[i] = 0;
}

static void flights_begin(struct flights *f)
{
    f->x->on_answer = on_landing;
    f->x->data = f;
}

static void launch(struct flights *f, unsigned i)
{
    uint64_t now = wait_now();
    if (exchange_send(f->x, i, now) == 0)
        f->began[i] = now;
}

static void round_landed(struct flights *f, unsigned i, const struct round_trip *trip)
{
    f->lost[i] += round_is_lossy(trip);
    f->trips[i * f->rounds + f->played[i]++] = *trip;
}

static bool wants_rounds(const struct flights *f, unsigned i)
{
    return exchange_lives(f->x, i) && f->played[i] < f->rounds && f->lost[i] < ROUNDS_LOSSES;
}

/* Until it has landed, or may have been lost. */
static int accompany(struct flights *f, unsigned i, const struct watch *watch)
{
    struct spin spin = { 0 };
    int r = 0;
    while (r == 0 && f->began[i] && exchange_lives(f->x, i) && wait_now() - f->began[i] < STALL_NS) {
        exchange_step(f->x);
        r = f->began[i] ? spin_wait(&spin, watch) : 0;
    }
    return r;
}

/* A round on each queue pair that has none on the way. more: does any want more? */
static int play_turn(struct flights *f, const struct watch *watch, struct spin *spin, bool *more)
{
    bool played = *more = false;
    int r = 0;
    for (unsigned i = 0; r == 0 && i < f->x->plan->count; i++) {
        bool wants = wants_rounds(f, i);
        *more |= wants;
        if (!wants || f->began[i])
            continue;
        played = true;
        launch(f, i);
        r = wait_interrupted() ? -EINTR : accompany(f, i, watch);
    }
    if (r < 0 || played || !*more)
        return r;
    exchange_step(f->x);
    return wait_interrupted() ? -EINTR : spin_wait(spin, watch);
}

int rounds_run(struct exchange *x, uint32_t rounds, const struct watch *watch, struct round_trip *trips,
               uint32_t played[static PATHS_MOST])
{
    struct flights f = { .x = x, .landed = round_landed, .rounds = rounds, .played = played, .trips = trips };
    struct spin spin = { 0 };
    bool more = true;
    int r = 0;
    memset(played, 0, PATHS_MOST * sizeof(*played));
    flights_begin(&f);
    while (r == 0 && more)
        r = play_turn(&f, watch, &spin, &more);
    x->on_answer = NULL;
    return r;
}

static void volley_landed(struct flights *f, unsigned i, const struct round_trip *trip)
{
    struct silences *s = &f->silences[i];
    uint64_t silent = round_net(trip);
    bool outage = silent > SILENT_NS;
    s->stalls += silent > STALL_NS && !outage;
    if (outage) {
        s->first = s->outages++ ? s->first : f->began[i];
        s->last = f->began[i];
        s->longest = silent > s->longest ? silent : s->longest;
    }
}

/* One whose queue pair has failed never will. */
static unsigned flights_open(struct flights *f)
{
    unsigned open = 0;
    for (unsigned i = 0; i < f->x->plan->count; i++) {
        if (f->began[i] && !exchange_lives(f->x, i)) {
            f->landed(f, i, &(struct round_trip){ .whole = wait_now() - f->began[i] + SILENT_NS });
            f->began[i] = 0;
        }
        open += f->began[i] != 0;
    }
    return open;
}

int volleys_run(struct exchange *x, unsigned ms, const struct watch *watch,
                struct silences silences[static PATHS_MOST])
{
    struct flights f = { .x = x, .landed = volley_landed, .silences = silences };
    struct spin spin = { 0 };
    uint64_t start = wait_now(), end = start + (uint64_t)ms * 1000000, next = start;
    int r = 0;
    flights_begin(&f);
    while (r == 0 && (flights_open(&f) || wait_now() < end)) {
        uint64_t now = wait_now();
        for (unsigned i = 0; now >= next && now < end && i < x->plan->count; i++)
            if (!f.began[i] && exchange_lives(x, i))
                launch(&f, i);
        next = now >= next ? now + TICK_NS : next;
        exchange_step(x);
        r = wait_interrupted() ? -EINTR : spin_wait(&spin, watch);
    }
    x->on_answer = NULL;
    return r == -ETIMEDOUT ? 0 : r;
}

struct train {
    struct exchange *x;
    struct round_trip *trips;
    uint64_t *began; /* by number; 0: answered, given up, or not sent */
    uint32_t count, sent, answered, open;
    uint64_t start;
};

static void on_answer(void *data, uint64_t number, uint64_t held)
{
    struct train *t = data;
    if (number >= t->sent || !t->began[number])
        return;
    t->trips[t->answered++] = (struct round_trip){ .whole = wait_now() - t->began[number],
                                                   .kept = held,
                                                   .waited = t->x->waited };
    t->began[number] = 0;
    t->open--;
}

static void give_up(struct train *t, uint64_t now)
{
    for (uint32_t i = 0; t->open && i < t->sent; i++)
        if (t->began[i] && now - t->began[i] > (uint64_t)LOST_MS * 1000000) {
            t->began[i] = 0;
            t->open--;
        }
}

static void send_more(struct train *t)
{
    while (t->sent < t->count && t->open < EXCHANGE_WINDOW && exchange_lives(t->x, 0)) {
        uint64_t now = wait_now();
        if (t->sent >= ENOUGH && now - t->start > (uint64_t)ENOUGH_MS * 1000000) {
            t->count = t->sent;
            return;
        }
        t->began[t->sent] = now;
        if (exchange_send(t->x, 0, t->sent) < 0) {
            t->began[t->sent] = 0;
            return;
        }
        t->sent++;
        t->open++;
    }
}

int datagrams_run(struct exchange *x, uint32_t count, const struct watch *watch, struct round_trip *trips,
                  uint32_t *sent, uint32_t *answered)
{
    struct train t = {
        .x = x, .trips = trips, .count = count, .began = calloc(count, sizeof(uint64_t)), .start = wait_now()
    };
    struct spin spin = { 0 };
    int r = t.began ? 0 : -ENOMEM;
    x->on_answer = on_answer;
    x->data = &t;
    while (r == 0 && (t.sent < t.count || t.open) && exchange_lives(x, 0)) {
        send_more(&t);
        if (exchange_step(x) && !wait_interrupted() && wait_now() < watch->until)
            continue;
        if ((spin.count & 255) == 0)
            give_up(&t, wait_now());
        r = spin_wait(&spin, watch);
    }
    x->on_answer = NULL;
    *sent = t.sent;
    *answered = t.answered;
    free(t.began);
    return r == -ETIMEDOUT ? 0 : r;
}
