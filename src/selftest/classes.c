/* SPDX-License-Identifier: MIT */
/* Traffic classes between two ports: on which priority each was sent and received, and what that means. */
#include "selftest/paths.h"

/* -- readings */

/* bnxt's firmware writes its counters once a second. */
enum { TRIES = 12, TRY_MS = 150 };

static int read_both(struct class_counting *c, struct wire_priorities *near, struct wire_priorities *far,
                     struct failure *failure)
{
    *near = c->near.at;
    *far = c->far.at;
    if (c->near.known)
        near->counts = c->read(c->data);
    return c->far.known ? client_priorities(c->client, far, failure) : 0;
}

int classes_begin(struct class_counting *c, struct failure *failure)
{
    c->near.at.counts = c->read(c->data);
    c->near.known = c->near.at.counts.known;
    int r = client_priorities(c->client, &c->far.at, failure);
    c->far.known = r == 0 && c->far.at.counts.known;
    return r;
}

/* The priorities on which one end sent in its direction and received that many. Have its counters caught up? */
static bool find_priorities(const struct class_counter *end, const struct wire_priorities *now,
                            enum direction d, uint32_t sent, uint32_t received, struct class_priorities *p)
{
    struct priority_found *on_sent = &p->sent[d], *on_received = &p->received[!d];
    struct priority_counts grown = priority_counts_since(&now->counts, &end->at.counts);
    *on_sent = *on_received = (struct priority_found){ .kind = PRIORITY_UNSEEN };
    if (end->known && grown.known) {
        *on_sent = priority_find(grown.sent, sent);
        *on_received = priority_find(grown.received, received);
    }
    return !end->known ||
           ((!sent || on_sent->kind != PRIORITY_UNSEEN) && (!received || on_received->kind != PRIORITY_UNSEEN));
}

/* Counters that haven't caught up in time would credit this class's packets to the next. */
static void keep_counts(struct class_counter *end, const struct wire_priorities *now, bool followed)
{
    end->at = *now;
    end->known &= followed;
}

int classes_count(struct class_counting *c, const struct datagrams *g, struct class_priorities *p,
                  struct failure *failure)
{
    struct wire_priorities near, far;
    bool near_followed = false, far_followed = false;
    memset(p, 0, sizeof(*p));
    for (unsigned i = 0; i < TRIES && !(near_followed && far_followed); i++) {
        struct watch watch = watch_for(i ? TRY_MS : 0, -1);
        watch_readable(&watch, -1);
        int r = wait_interrupted() ? failure_set(failure, STEP_HANDSHAKE, EINTR, "%s", "")
                                   : read_both(c, &near, &far, failure);
        if (r < 0)
            return r;
        near_followed = find_priorities(&c->near, &near, THERE, g->sent, g->answered, p);
        far_followed = find_priorities(&c->far, &far, BACK, g->arrived, g->arrived, p);
    }
    keep_counts(&c->near, &near, near_followed);
    keep_counts(&c->far, &far, far_followed);
    return 0;
}

/* -- words */

static size_t add_priority(char text[static PATHS_TEXT_SIZE], size_t at, const char *before,
                           struct priority_found found)
{
    char priority[PRIORITY_TEXT_SIZE];
    priority_text(found, priority);
    if (!*priority || at >= PATHS_TEXT_SIZE)
        return at;
    return at + (size_t)snprintf(text + at, PATHS_TEXT_SIZE - at, "%s%s %s%s", at ? ", " : "", before,
                                 at ? "" : "priority ", priority);
}

static bool is_told(struct priority_found found)
{
    return found.kind == PRIORITY_ONE || found.kind == PRIORITY_SHARED;
}

/* Is it the same priority everywhere? */
static bool are_same(const struct class_priorities *p)
{
    const struct priority_found all[] = { p->sent[THERE], p->sent[BACK], p->received[THERE],
                                          p->received[BACK] };
    bool same = true;
    for (size_t i = 1; i < ARRAY_SIZE(all); i++)
        same &= all[i].kind == all[0].kind && all[i].mask == all[0].mask;
    return same;
}

static void say_priorities(const struct class_priorities *p, char text[static PATHS_TEXT_SIZE])
{
    char priority[PRIORITY_TEXT_SIZE];
    priority_text(p->received[THERE], priority);
    *text = '\0';
    if (*priority && are_same(p)) {
        snprintf(text, PATHS_TEXT_SIZE, "priority %s at both ends, there and back", priority);
        return;
    }
    size_t at = add_priority(text, 0, "sent on", p->sent[THERE]);
    at = add_priority(text, at, "arrived there on", p->received[THERE]);
    at = add_priority(text, at, "answered on", p->sent[BACK]);
    at = add_priority(text, at, "arrived here on", p->received[BACK]);
    for (enum direction d = THERE; d < DIRECTIONS; d++)
        if (at < PATHS_TEXT_SIZE && p->received[d].kind == PRIORITY_MANY)
            at += (size_t)snprintf(text + at, PATHS_TEXT_SIZE - at,
                                   "%sother traffic hides on which priority they arrived %s", at ? "; " : "",
                                   d == THERE ? "there" : "here");
}

/* Both ends received the DSCP as it was sent, and map it to different priorities. */
static bool priorities_differ(uint8_t traffic_class, const struct datagrams *g,
                              const struct class_priorities *p)
{
    const struct priority_found *there = &p->received[THERE], *back = &p->received[BACK];
    for (enum direction d = THERE; d < DIRECTIONS; d++)
        if (g->traffic_class[d] == EXCHANGE_NO_CLASS || g->traffic_class[d] >> 2 != traffic_class >> 2)
            return false;
    return is_told(*there) && is_told(*back) && !(there->mask & back->mask);
}

enum verdict classes_judge(uint8_t traffic_class, const struct datagrams *g, const struct class_priorities *p,
                           char text[static PATHS_TEXT_SIZE])
{
    char priorities[PATHS_TEXT_SIZE], first[PATHS_TEXT_SIZE] = "";
    *text = '\0';
    if (!g->sent) {
        snprintf(text, PATHS_TEXT_SIZE, "one of the devices has no datagrams");
        return VERDICT_NA;
    }
    bool odd = datagrams_rewritten(g, traffic_class, first) || datagrams_lost(g, first);
    if (!odd && priorities_differ(traffic_class, g, p)) {
        odd = true;
        snprintf(first, sizeof(first),
                 "the two hosts take this DSCP for different priorities (trust or DSCP map: roce qos)");
    }
    say_priorities(p, priorities);
    snprintf(text, PATHS_TEXT_SIZE, "%.*s%s%.*s", PATHS_TEXT_SIZE / 2 - 4, first,
             *first && *priorities ? "; " : "", PATHS_TEXT_SIZE / 2 - 4, priorities);
    return !g->answered ? VERDICT_FAIL : odd ? VERDICT_WARN : VERDICT_PASS;
}

/* "eth0 here"; "the port's netdev here" */
static void name_end(const struct class_counter *end, const char *where, char *text, size_t size)
{
    snprintf(text, size, "%s %s", *end->at.netdevs ? end->at.netdevs : "the port's netdev", where);
}

bool classes_silent(const struct class_counting *c, const char *far_host, char text[static PATHS_TEXT_SIZE])
{
    char here[100], there[200], where[100];
    if (c->near.known && c->far.known)
        return false;
    snprintf(where, sizeof(where), "on %s", *far_host ? far_host : "the other host");
    name_end(&c->near, "here", here, sizeof(here));
    name_end(&c->far, where, there, sizeof(there));
    snprintf(text, PATHS_TEXT_SIZE,
             c->near.known || c->far.known ? "%s doesn't count packets by priority: only the other end says on "
                                             "which priority they were sent and arrived."
                                           : "Neither %s nor %s counts packets by priority: the DSCP is seen "
                                             "in the packets' headers, the priority isn't.",
             c->near.known ? there : here, there);
    return true;
}
