/* SPDX-License-Identifier: MIT */
/* Judges each path against its siblings, and puts the conclusions into words. */
#include "selftest/paths.h"

#include <math.h>

#include "tables.h"

/* A way is slow if it takes SLOWER times as long as its typical sibling, and SLOWER_US longer, as a shorter
 * queue is no fault; it is throttled if it carries less than RATE_SHARE of what that one does. Either has to be
 * more than chance, by ranks. */
#define SLOWER 1.25
#define SLOWER_US 20.0
#define RATE_SHARE 0.75
/* Chances below CHANCE are none: what chance does to one pair of hosts in 10,000. */
#define CHANCE 1e-4
/* A way is lossy from LOSSES on: a single retransmission may be bad luck. As many silences make a pattern,
 * where they are more than the single losses among which three in a row are no wonder. */
enum { LOSSES = 2, SIBLINGS = 3 };
/* Fewer ports tell nothing of how many paths there are. */
enum { PORTS_TELL = 16 };

void way_add_try(struct way *w, const struct way *another)
{
    w->rounds += another->rounds;
    w->resent += another->resent;
    w->tries++;
    w->tries_resent += another->resent > 0;
    if (another->rtt > 0 && (w->rtt <= 0 || another->rtt < w->rtt))
        w->rtt = another->rtt;
    w->late_chance = fmax(w->late_chance, another->late_chance);
}

void ways_fill(struct way *ways, uint32_t count, const struct round_trip *trips, uint32_t most,
               const uint32_t *played)
{
    double *all = mem_alloc((size_t)(count + 1) * most, sizeof(*all)), *own = all + (size_t)count * most;
    size_t n = 0;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < played[i]; k++)
            all[n++] = (double)trips[i * most + k].whole;
    qsort(all, n, sizeof(*all), real_ascending);
    for (uint32_t i = 0; i < count; i++) {
        struct way *w = &ways[i];
        const struct round_trip *trip = trips + (size_t)i * most;
        w->rounds = played[i];
        for (uint32_t k = 0; k < played[i]; k++) {
            own[k] = (double)trip[k].whole;
            w->resent += round_is_lossy(&trip[k]);
        }
        w->rtt = played[i] ? own[played[i] / 4] / 1000 : 0;
        w->late_chance = rank_chance(own, played[i], all, n);
    }
    free(all);
}

double rank_chance(const double *own, size_t n, const double *all, size_t count)
{
    double sum = 0, rest = (double)(count - n);
    for (size_t i = 0, less = 0, upto = 0; i < n; i++) {
        while (less < count && all[less] < own[i])
            less++;
        while (upto < count && all[upto] <= own[i])
            upto++;
        sum += (double)(less + upto + 1) / 2;
    }
    double expected = (double)n * (double)(count + 1) / 2, spread = sqrt(expected * rest / 6);
    return spread > 0 ? erfc((sum - expected) / spread / M_SQRT2) / 2 : 1;
}

void way_add_slices(struct way *w, const double *own, const double *others, size_t count)
{
    double *sorted = mem_alloc(3 * count, sizeof(*sorted)), *all = sorted + count, sum = 0;
    memcpy(sorted, own, count * sizeof(*own));
    memcpy(all, own, count * sizeof(*own));
    memcpy(all + count, others, count * sizeof(*others));
    for (size_t i = 0; i < count; i++)
        sum += own[i];
    w->gbits = fmax(w->gbits, (double)count / sum);
    qsort(sorted, count, sizeof(*sorted), real_ascending);
    qsort(all, 2 * count, sizeof(*all), real_ascending);
    w->low_chance = rank_chance(sorted, count, all, 2 * count);
    free(sorted);
}

/* The typical value of those that were measured; 0: fewer than SIBLINGS were. */
static double middle(const struct way *ways, uint32_t count, bool rate)
{
    double values[PATHS_MOST];
    size_t n = 0;
    for (uint32_t i = 0; i < count; i++) {
        double value = rate ? ways[i].gbits : ways[i].rtt;
        if (value > 0)
            values[n++] = value;
    }
    qsort(values, n, sizeof(*values), real_ascending);
    /* from the lower half of delays, the upper half of rates: two bad ways out of four still stand out */
    return n < SIBLINGS ? 0 : values[rate ? n - 1 - n / 3 : n / 3];
}

/* looks: at how many ways, each of which could have shown it. */
static enum way_state judge_way(const struct way *w, double rtt, double gbits, double looks)
{
    if (w->sent == 0)
        return WAY_UNKNOWN;
    if (w->arrived == 0)
        return WAY_DEAD;
    if (w->large_sent && w->large_arrived == 0)
        return WAY_LARGE;
    if (w->silences.outages >= LOSSES && w->silences.outages > w->silences.stalls)
        return WAY_GAPS;
    if (w->arrived < w->sent || (w->resent >= LOSSES && w->tries_resent >= w->tries))
        return WAY_LOSSY;
    if (rtt > 0 && w->rtt > rtt * SLOWER && w->rtt > rtt + SLOWER_US && w->late_chance * looks < CHANCE)
        return WAY_SLOW;
    if (gbits > 0 && w->gbits > 0 && w->gbits < gbits * RATE_SHARE && w->low_chance * looks < CHANCE)
        return WAY_RATE;
    return WAY_CLEAN;
}

/* -- whose losses they are ------------------------------------------------------------------------------ */

#define DOUBT 1e-2 /* of a split that chance makes no more often it isn't said that all share the loss */
#define CHANCE_DIRECTION 1e-2 /* that there is loss is known by then */

struct losses {
    double lost, of;
};

/* Logarithm of the likelihood at the likeliest rate. */
static double likelihood(struct losses l)
{
    double rest = l.of - l.lost;
    return l.lost <= 0 || rest <= 0 ? 0 : l.lost * log(l.lost / l.of) + rest * log(rest / l.of);
}

/* The chance that one rate makes two groups differ so much, by the ratio of likelihoods (chi-squared, one
 * degree of freedom). */
static double chance_of(struct losses a, struct losses b)
{
    double ratio = likelihood(a) + likelihood(b) - likelihood((struct losses){ a.lost + b.lost, a.of + b.of });
    return erfc(sqrt(ratio > 0 ? ratio : 0));
}

static int by_rate(const void *left, const void *right)
{
    const struct losses *a = left, *b = right;
    double x = a->lost * b->of, y = b->lost * a->of;
    return (x < y) - (x > y);
}

/* The worst first; of ways that carry something. */
static size_t gather_losses(const struct paths *p, enum direction d, struct losses ways[static PATHS_MOST])
{
    size_t count = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        const struct way *w = &p->ways[d][i];
        if (w->rounds && w->state != WAY_UNKNOWN && w->state != WAY_DEAD && w->state != WAY_LARGE)
            ways[count++] = (struct losses){ w->resent, w->rounds };
    }
    qsort(ways, count, sizeof(*ways), by_rate);
    return count;
}

/* The chance of what parts them best. Each of the sizes is tried, and each choice of so many ways could have
 * come out: both are paid for. */
static double chance_of_split(const struct losses *ways, size_t count, struct losses all)
{
    struct losses worse = { 0 };
    double choices = 1, least = 1;
    for (size_t n = 1; n < count; n++) {
        worse.lost += ways[n - 1].lost;
        worse.of += ways[n - 1].of;
        choices *= (double)(count - n + 1) / (double)n;
        struct losses rest = { all.lost - worse.lost, all.of - worse.of };
        least = fmin(least, chance_of(worse, rest) * choices * (double)count);
    }
    return least;
}

static enum loss judge_loss(const struct paths *p, enum direction d)
{
    struct losses ways[PATHS_MOST], all = { 0 };
    size_t count = gather_losses(p, d, ways), losing = 0;
    if (!paths_in(p, d, WAY_LOSSY))
        return LOSS_NONE;
    for (size_t i = 0; i < count; i++) {
        all.lost += ways[i].lost;
        all.of += ways[i].of;
        losing += ways[i].lost > 0;
    }
    double split = chance_of_split(ways, count, all);
    if (split < CHANCE)
        return LOSS_SPLIT;
    return split >= DOUBT && count > 1 && 2 * losing > count && all.lost >= (double)count ? LOSS_SHARED
                                                                                          : LOSS_UNCLEAR;
}

/* Where all lose alike, none is clean. */
static void share_loss(struct paths *p, enum direction d)
{
    for (uint32_t i = 0; i < p->count; i++)
        if (p->ways[d][i].state == WAY_CLEAN && p->ways[d][i].rounds)
            p->ways[d][i].state = WAY_LOSSY;
}

/* A lost acknowledgement has data sent again as well, so a shared loss shows in both directions: datagrams,
 * which are counted at both ends, tell which one it is. */
static void judge_direction(struct paths *p)
{
    const struct datagrams *g = &p->datagrams;
    struct losses lost[DIRECTIONS] = { { g->sent - g->arrived, g->sent },
                                       { g->arrived - g->answered, g->arrived } };
    if (!g->sent || chance_of(lost[THERE], lost[BACK]) >= CHANCE_DIRECTION)
        return;
    enum direction good = lost[THERE].lost * lost[BACK].of < lost[BACK].lost * lost[THERE].of ? THERE : BACK;
    if (p->loss[good] == LOSS_SPLIT || lost[good].lost > 0) /* where both lose, neither is good */
        return;
    p->loss[good] = LOSS_NONE;
    for (uint32_t i = 0; i < p->count; i++)
        if (p->ways[good][i].state == WAY_LOSSY && p->ways[good][i].arrived == p->ways[good][i].sent)
            p->ways[good][i].state = WAY_CLEAN;
}

/* Of a loss that has to be seen at first, and in each of two looks more: with 95 % in all. */
#define MISSED (0.05 / 3)

double paths_rounds(double loss, double least, double most)
{
    double rounds = loss > 0 && loss < 1 ? ceil(log(MISSED) / log(1 - loss)) : least;
    return rounds < least ? least : rounds > most ? most : rounds;
}

/* The smallest share of packets that, lost on one way, would have been seen with 95 %; 0: no rounds were
 * played. */
static double paths_loss_bound(const struct paths *p)
{
    double rounds = 0;
    for (enum direction d = THERE; d < DIRECTIONS; d++)
        for (uint32_t i = 0; i < p->count; i++) {
            const struct way *w = &p->ways[d][i];
            double played = (double)w->rounds / (w->tries ? w->tries : 1);
            if (w->state == WAY_CLEAN && played > 0 && (rounds <= 0 || played < rounds))
                rounds = played;
        }
    return rounds > 0 ? 1 - pow(MISSED, 1 / rounds) : 0;
}

void paths_judge(struct paths *p)
{
    for (enum direction d = THERE; d < DIRECTIONS; d++) {
        double rtt = middle(p->ways[d], p->count, false), gbits = middle(p->ways[d], p->count, true);
        for (uint32_t i = 0; i < p->count; i++)
            p->ways[d][i].state = judge_way(&p->ways[d][i], rtt, gbits, DIRECTIONS * p->count);
        p->loss[d] = judge_loss(p, d);
        if (p->loss[d] == LOSS_SHARED)
            share_loss(p, d);
    }
    judge_direction(p);
    /* data in one direction waits for acknowledgements in the other: if these are impaired, its rate tells
     * nothing */
    for (uint32_t i = 0; i < p->count; i++)
        for (enum direction d = THERE; d < DIRECTIONS; d++)
            if (p->ways[d][i].state == WAY_RATE && p->ways[!d][i].state != WAY_CLEAN &&
                p->ways[!d][i].state != WAY_RATE)
                p->ways[d][i].state = WAY_CLEAN;
}

unsigned paths_in(const struct paths *p, enum direction d, enum way_state state)
{
    unsigned n = 0;
    for (uint32_t i = 0; i < p->count; i++)
        n += p->ways[d][i].state == state;
    return n;
}

static const struct {
    const char *name, *one, *many;
} texts[WAY_STATES] = { WAY_TEXTS };

const char *way_state_text(enum way_state state)
{
    return texts[state].name;
}

bool paths_are_clean(const struct paths *p)
{
    for (enum direction d = THERE; d < DIRECTIONS; d++)
        for (enum way_state s = WAY_DEAD; s < WAY_STATES; s++)
            if (paths_in(p, d, s))
                return false;
    return true;
}

/* Are the same ports bad in the same way in both directions? */
static bool both_alike(const struct paths *p, enum way_state s)
{
    bool alike = paths_in(p, THERE, s) > 0;
    for (uint32_t i = 0; i < p->count; i++)
        alike &= (p->ways[THERE][i].state == s) == (p->ways[BACK][i].state == s);
    return alike;
}

/* ": 49152, 51203 and 6 more" */
static void list_ports(const struct paths *p, enum direction d, enum way_state s, char *text, size_t size)
{
    enum { LISTED = 8 };
    unsigned n = 0, all = paths_in(p, d, s);
    size_t at = 0;
    for (uint32_t i = 0; i < p->count && at < size; i++) {
        const struct way *w = &p->ways[d][i];
        if (w->state != s || !w->port.known || n == LISTED)
            continue;
        at += (size_t)snprintf(text + at, size - at, "%s%u", n ? ", " : ": ", (unsigned)w->port.value);
        n++;
    }
    if (n && all > n && at < size)
        snprintf(text + at, size - at, " and %u more", all - n);
    if (!n)
        *text = '\0';
}

/* The chance that some of m paths is taken by none of them, by inclusion and exclusion. */
static double chance_to_miss(unsigned m, unsigned ports)
{
    double missed = 0, choose = 1;
    for (unsigned out = 1; out < m; out++) {
        choose *= (double)(m - out + 1) / out;
        missed += (out % 2 ? 1 : -1) * choose * pow(1 - (double)out / m, ports);
    }
    return missed;
}

unsigned paths_reached(unsigned ports)
{
    unsigned m = 1;
    while (m < ports && chance_to_miss(m + 1, ports) <= 0.05)
        m++;
    return m;
}

/* The share of the ports lies, with 95 %, in Wilson's interval. */
struct paths_range paths_like(unsigned bad, unsigned ports)
{
    double z = 1.96, n = ports, share = bad / n, zz = z * z / n;
    double middle = (share + zz / 2) / (1 + zz);
    double half = z * sqrt(share * (1 - share) / n + zz / n / 4) / (1 + zz);
    double most = 1 / (middle - half), least = 1 / (middle + half);
    return (struct paths_range){ .least = least < 2 ? 2 : (unsigned)ceil(least),
                                 .most = most < 2            ? 2
                                         : most > UINT16_MAX ? UINT16_MAX
                                                             : (unsigned)most };
}

/* What the split between bad and clean ways suggests. */
static const char *moral(const struct paths *p, enum direction d, enum way_state s)
{
    unsigned bad = paths_in(p, d, s), clean = paths_in(p, d, WAY_CLEAN);
    if (s == WAY_LOSSY && p->loss[d] == LOSS_UNCLEAR)
        return "too few losses to tell one path of several from what all share: --paths with more ports shows "
               "it";
    if (clean && bad < p->count)
        return s == WAY_LARGE ? "one path of several has a smaller MTU, not host or cable"
                              : "one path of several, not host, cable or firewall";
    return s == WAY_DEAD    ? "no port gets through: host, cable, firewall or route, not one path of several"
           : s == WAY_LARGE ? "the MTU of the whole way is smaller"
                            : "all ports alike: what they share, not one path of several";
}

/* The conclusions so far. */
struct words {
    struct arena *arena;
    const char **items;
    size_t count;
};

static void PRINTF_LIKE(2, 3) say(struct words *words, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    *ARENA_PUSH(words->arena, words->items, words->count) = arena_vprintf(words->arena, format, args);
    va_end(args);
}

static void say_clean(struct words *words, const struct paths *p)
{
    struct bytes text = { 0 };
    double bound = 100 * paths_loss_bound(p);
    unsigned ports = p->count - paths_in(p, THERE, WAY_UNKNOWN), reached = paths_reached(ports);
    bytes_printf(&text, "all %u source ports that could be looked at are clean, there and back", ports);
    if (bound > 0)
        bytes_printf(&text, ": %.1f %% of packets lost on one of them would have been seen", bound);
    if (p->watched_ms)
        bytes_printf(&text, ", and silences in %.0f s", (double)p->watched_ms / 1000);
    if (reached > 1)
        bytes_printf(&text, "; they take each of up to %u equal paths (95 %%)", reached);
    say(words, "%s", text.data);
    bytes_free(&text);
}

/* "2 of 16 source ports lose everything on the way there, 14 are clean: …" */
static void say_state(struct words *words, const struct paths *p, enum direction d, enum way_state s)
{
    char ports[100];
    const char *rest = "", *share = "";
    bool both = both_alike(p, s), unclear = s == WAY_LOSSY && p->loss[d] == LOSS_UNCLEAR;
    unsigned bad = paths_in(p, d, s), clean = paths_in(p, d, WAY_CLEAN);
    struct paths_range like = paths_like(bad, bad + clean);
    list_ports(p, d, s, ports, sizeof(ports));
    if (clean && unclear)
        rest = ", the others may";
    else if (clean)
        rest = arena_printf(words->arena, ", %u %s", clean,
                            clean == 1 ? texts[WAY_CLEAN].one : texts[WAY_CLEAN].many);
    if (bad + clean >= PORTS_TELL && clean > bad && !unclear)
        share = arena_printf(words->arena, "; so many take 1 of %u to %u equal paths", like.least, like.most);
    say(words, "%u of %u source ports %s%s%s: %s%s%s%s%s", bad, p->count,
        bad == 1 ? texts[s].one : texts[s].many,
        both         ? ""
        : d == THERE ? " on the way there only"
                     : " on the way back only",
        rest, moral(p, d, s), *ports ? " (" : "", *ports ? ports + 2 : "", *ports ? ")" : "", share);
}

/* Bytes of the smallest MTU found; 0: none was. */
static uint32_t least_mtu(const struct paths *p, enum direction d)
{
    uint32_t least = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        uint32_t mtu = p->ways[d][i].state == WAY_LARGE ? p->ways[d][i].mtu : 0;
        least = mtu && (!least || mtu < least) ? mtu : least;
    }
    return least;
}

static void say_mtu(struct words *words, const struct paths *p, enum direction d)
{
    uint32_t mtu = least_mtu(p, d);
    if (mtu)
        say(words, "on the way %s messages of %u bytes still come through, the ports' MTU of %u does not",
            d == THERE ? "there" : "back", mtu, p->mtu);
}

/* by_device: for each end, see struct datagrams. */
static bool say_slowness(struct words *words, const struct slowness *s, const bool by_device[static DIRECTIONS])
{
    static const char *const clocks[] = { "its program's", "its device's" };
    unsigned way = s->slow - s->by_peer - s->by_us;
    if (s->slow * 20 < s->rounds || s->slow == 0 || s->by_peer + s->by_us <= way)
        return false;
    if (s->by_peer > s->by_us)
        say(words,
            "%u of %u answers took long, %u of them because the server was slow to answer (%.0f µs at "
            "most, by %s clock), not the way",
            s->slow, s->rounds, s->by_peer, s->most_peer, clocks[by_device[THERE]]);
    else
        say(words,
            "%u of %u answers took long, %u of them because this host was slow to look (by %s clock), not "
            "the way",
            s->slow, s->rounds, s->by_us, clocks[by_device[BACK]]);
    return true;
}

bool datagrams_lost(const struct datagrams *g, char text[static PATHS_TEXT_SIZE])
{
    uint32_t there = g->sent - g->arrived, back = g->arrived - g->answered;
    if (g->sent == 0 || (there == 0 && back == 0))
        return false;
    snprintf(text, PATHS_TEXT_SIZE,
             "of %u datagrams %u were lost on the way there, of %u answers %u on the way back", g->sent, there,
             g->arrived, back);
    return true;
}

/* Of the way with the most. */
static void say_silences(struct words *words, const struct paths *p)
{
    struct silences most = { 0 };
    for (enum direction d = THERE; d < DIRECTIONS; d++)
        for (uint32_t i = 0; i < p->count; i++)
            if (p->ways[d][i].state == WAY_GAPS && p->ways[d][i].silences.outages > most.outages)
                most = p->ways[d][i].silences;
    if (most.outages >= LOSSES)
        say(words,
            "silent for up to %.1f s, about every %.1f s: a link that comes and goes, a route that is "
            "changed again and again, or a storm of pause frames",
            (double)most.longest / 1e9, (double)(most.last - most.first) / 1e9 / (most.outages - 1));
}

static void say_order(struct words *words, const struct datagrams *g)
{
    if (g->reordered[THERE] || g->reordered[BACK])
        say(words,
            "%u datagrams came there and %u answers came back behind later ones: packets of one source port "
            "take several paths",
            g->reordered[THERE], g->reordered[BACK]);
}

static void say_copies(struct words *words, const struct datagrams *g)
{
    if (g->duplicated)
        say(words,
            "of %u datagrams %u, or their answers, came again: something on the way copies packets (a loop, a "
            "mirror, two members of a bond that both forward)",
            g->sent, g->duplicated);
}

void datagrams_add(struct datagrams *sum, const struct datagrams *port, uint8_t traffic_class)
{
    bool first = sum->sent == 0;
    sum->sent += port->sent;
    sum->arrived += port->arrived;
    sum->answered += port->answered;
    sum->duplicated += port->duplicated;
    sum->ports += port->answered > 0;
    for (enum direction d = THERE; d < DIRECTIONS; d++) {
        uint16_t came = port->traffic_class[d];
        bool rewritten = came != EXCHANGE_NO_CLASS && came >> 2 != traffic_class >> 2;
        sum->reordered[d] += port->reordered[d];
        sum->by_device[d] = port->by_device[d] && (first || sum->by_device[d]);
        sum->marked[d] += class_is_marked(came);
        if (first || rewritten || !sum->rewritten[d])
            sum->traffic_class[d] = came;
        sum->rewritten[d] += rewritten;
    }
    sum->slowness.rounds += port->slowness.rounds;
    sum->slowness.slow += port->slowness.slow;
    sum->slowness.by_peer += port->slowness.by_peer;
    sum->slowness.by_us += port->slowness.by_us;
    if (port->slowness.most_peer > sum->slowness.most_peer)
        sum->slowness.most_peer = port->slowness.most_peer;
}

/* "4 of 16 source ports" */
static const char *some_of(const struct datagrams *g, const uint32_t some[static DIRECTIONS],
                           char text[static 80])
{
    if (some[THERE] && some[BACK])
        snprintf(text, 80, "%u of %u source ports there and %u back", some[THERE], g->ports, some[BACK]);
    else
        snprintf(text, 80, "%u of %u source ports", some[THERE] + some[BACK], g->ports);
    return text;
}

static void say_marks(struct words *words, const struct datagrams *g)
{
    char ports[80];
    if (g->marked[THERE] || g->marked[BACK])
        say(words,
            "datagrams of %s came with ECN's mark%s: queues on the way were filling (that is what ECN is for; "
            "rates should fall now)",
            some_of(g, g->marked, ports),
            g->marked[BACK] == 0    ? " on the way there"
            : g->marked[THERE] == 0 ? " on the way back"
                                    : "");
}

bool datagrams_rewritten(const struct datagrams *g, uint8_t traffic_class, char text[static PATHS_TEXT_SIZE])
{
    char ports[80];
    unsigned sent = traffic_class >> 2, came[DIRECTIONS];
    bool zero = true, some = false;
    for (enum direction d = THERE; d < DIRECTIONS; d++) {
        came[d] = (g->traffic_class[d] == EXCHANGE_NO_CLASS ? traffic_class : g->traffic_class[d]) >> 2;
        zero &= came[d] == sent || came[d] == 0;
        some |= g->rewritten[d] && g->rewritten[d] < g->ports;
    }
    if (g->sent == 0 || (came[THERE] == sent && came[BACK] == sent))
        return false;
    int len = snprintf(text, PATHS_TEXT_SIZE,
                       "sent with DSCP %u, they came there with %u and back with %u: %s on the way%s", sent,
                       came[THERE], came[BACK], zero ? "bleached" : "rewritten",
                       came[BACK] == sent    ? " there"
                       : came[THERE] == sent ? " back"
                                             : " there and back");
    if (some)
        snprintf(text + len, PATHS_TEXT_SIZE - (size_t)len, ", for %s: one path of several does it",
                 some_of(g, g->rewritten, ports));
    return true;
}

size_t paths_words(const struct paths *p, struct arena *arena, const char ***list)
{
    struct words words = { .arena = arena };
    const struct datagrams *g = &p->datagrams;
    char text[PATHS_TEXT_SIZE];
    if (paths_are_clean(p))
        say_clean(&words, p);
    for (enum way_state s = WAY_DEAD; s < WAY_STATES; s++)
        for (enum direction d = THERE; d < DIRECTIONS; d++)
            if (paths_in(p, d, s) && !(d == BACK && both_alike(p, s)))
                say_state(&words, p, d, s);
    for (enum direction d = THERE; d < DIRECTIONS; d++)
        say_mtu(&words, p, d);
    if (datagrams_lost(g, text))
        say(&words, "%s", text);
    say_order(&words, g);
    say_copies(&words, g);
    if (datagrams_rewritten(g, p->traffic_class, text))
        say(&words, "%s", text);
    say_silences(&words, p);
    say_marks(&words, g);
    if (!say_slowness(&words, &p->slowness, (const bool[DIRECTIONS]){ false }))
        say_slowness(&words, &g->slowness, g->by_device);
    *list = words.items;
    return words.count;
}
