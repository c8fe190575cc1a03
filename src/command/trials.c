/* SPDX-License-Identifier: MIT */
/* What selftest and ping test: their options, pairs of ports, and results slower than their siblings'. */
#include "command/trials.h"

#include <pthread.h>
#include <sched.h>
#include <sys/socket.h>

#include "check/judge.h"
#include "check/rail.h"
#include "command/context.h"
#include "selftest/trial/respond.h"
#include "view/results.h"

/* LARGE_MS: real NICs need a millisecond for 8 MiB; a path that takes this long is emulated or otherwise
 * unusual. */
enum { TIMEOUT_MS = 5000, LARGE_MS = 100 };

static int operations(const struct args *args, uint32_t *mask)
{
    const char *list = args_value(args, "op"), *at;
    for (size_t len; (at = text_next_item(&list, ',', &len));) {
        uint32_t bit = 0;
        for (enum operation op = 0; op < OPERATIONS; op++)
            if (strlen(operation_name(op)) == len && strncmp(operation_name(op), at, len) == 0)
                bit = 1u << op;
        if (!bit)
            return say_invalid("no operation '%.*s': send, write, write-imm, read, compare-swap, fetch-add",
                               (int)len, at);
        *mask |= bit;
    }
    return 0;
}

static int sizes(const struct args *args, struct test_options *o)
{
    const char *list = args_value(args, "size"), *at;
    for (size_t len; (at = text_next_item(&list, ',', &len));) {
        char one[16];
        uint64_t value = 0;
        snprintf(one, sizeof(one), "%.*s", (int)len, at);
        if (len >= sizeof(one) || o->nsizes == ARRAY_SIZE(o->sizes) || text_to_size(one, &value) < 0 ||
            value == 0 || value > TRIAL_SIZE_MOST)
            return say_invalid("'%.*s' is not a size for --size: give 1 to 1g, at most %zu of them", (int)len,
                               at, ARRAY_SIZE(o->sizes));
        o->sizes[o->nsizes++] = (uint32_t)value;
    }
    return 0;
}

int memory_choose(const struct args *args, struct memory **memory)
{
    char why[MEMORY_TEXT_SIZE];
    const char *text = args_value(args, "memory");
    int r = text ? memory_open(text, memory, why) : 0;
    if (r < 0)
        say_error("--memory '%s': %s", text, why);
    return r;
}

int trial_options_read(const struct args *args, uint32_t duration, struct test_options *o)
{
    bool latency = args_given(args, "measure") || args_given(args, "latency");
    bool bandwidth = args_given(args, "measure") || args_given(args, "bandwidth");
    bool verify = args_given(args, "verify"), all = !verify && !latency && !bandwidth;
    *o = (struct test_options){ .verify = verify || all,
                                .latency = latency || all,
                                .bandwidth = bandwidth || all,
                                .both_ways = args_given(args, "both-ways"),
                                .thorough = args_given(args, "thorough"),
                                .large = args_given(args, "thorough") ? 0 : LARGE_MS,
                                .size_most = VERIFY_SIZE_MOST,
                                .repeat = args_given(args, "until-interrupted")
                                              ? UNTIL_INTERRUPTED
                                              : (uint32_t)args_number(args, "repeat", 1),
                                .rate = args_real(args, "rate", 0),
                                .post_list = (uint8_t)args_number(args, "post-list", FLOW_CHAIN_USUAL),
                                .inlined = num_if(args_given(args, "inline"), args_number(args, "inline", 0)),
                                .duration = args_milliseconds(args, "duration", duration),
                                .timeout = args_milliseconds(args, "timeout", TIMEOUT_MS),
                                .iterations = (uint32_t)args_number(args, "iterations", 0),
                                .mtu = (uint32_t)args_number(args, "mtu", 0),
                                .queues = (uint8_t)args_number(args, "queues", 1),
                                .traffic_class = (uint8_t)args_number(args, "traffic-class", 0),
                                .hop_limit = (uint8_t)args_number(args, "hop-limit", 64) };
    if (operations(args, &o->operations) < 0 || sizes(args, o) < 0 || memory_choose(args, &o->memory) < 0)
        return -EINVAL;
    if (o->mtu & (o->mtu - 1))
        return say_invalid("'%u' is not an MTU for --mtu: 256, 512, 1024, 2048 or 4096", o->mtu);
    if (o->timeout < TRIAL_TIMEOUT_LEAST || o->timeout > TRIAL_TIMEOUT_MOST)
        return say_invalid("--timeout must lie between 0.01 and %d seconds", TRIAL_TIMEOUT_MOST / 1000);
    if (o->rate > 0 && o->both_ways)
        return say_invalid("--rate holds back what this end sends: leave out --both-ways");
    if (o->repeat > 1 && !o->latency && !o->bandwidth)
        return say_invalid(
            "--repeat and --until-interrupted are for measuring: give --latency or --bandwidth, too");
    o->verify &= verify || o->repeat < 2;
    size_t operations_wanted = (size_t)__builtin_popcount(o->operations);
    if (o->repeat == UNTIL_INTERRUPTED &&
        (o->latency == o->bandwidth || operations_wanted != 1 || o->nsizes > 1))
        return say_invalid(
            "--until-interrupted measures one thing: give --latency or --bandwidth, one --op, and "
            "one --size at most");
    cpu_set_t cpus;
    o->yield = sched_getaffinity(0, sizeof(cpus), &cpus) == 0 && CPU_COUNT(&cpus) < 2;
    return 0;
}

/* Runs in several threads print one at a time. */
void trial_interval(void *data, const struct result *result)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    const struct context *context = data;
    pthread_mutex_lock(&lock);
    interval_print(&context->args->look, context->host, result);
    pthread_mutex_unlock(&lock);
}

static bool same_kind(const struct gid *a, const struct gid *b)
{
    return a->type == b->type && gid_is_v4_mapped(a->raw) == gid_is_v4_mapped(b->raw) &&
           gid_is_link_local(a->raw) == gid_is_link_local(b->raw);
}

/* 0 if not worth a try. */
static int worth(const struct gid *a, const struct gid *b)
{
    return !same_kind(a, b)
               ? 0
               : 1 + 4 * (a->type == GID_TYPE_ROCE_V2) + 2 * gid_is_routable(a->raw) + gid_is_v4_mapped(a->raw);
}

static void choose_gids(struct port_pair *pair)
{
    int best = 0;
    for (size_t i = 0; i < pair->from->ngids; i++)
        for (size_t j = 0; j < pair->to->ngids; j++) {
            int points = worth(&pair->from->gids[i], &pair->to->gids[j]);
            if (points <= best)
                continue;
            best = points;
            pair->from_gid = &pair->from->gids[i];
            pair->to_gid = &pair->to->gids[j];
        }
}

static enum tristate share_network(const struct host *host, const struct port_pair *pair)
{
    const struct netdev *from = gid_netdev(host, pair->from_gid), *to = gid_netdev(host, pair->to_gid);
    const struct address *a = from ? address_with_gid(from, pair->from_gid->raw) : NULL;
    const struct address *b = to ? address_with_gid(to, pair->to_gid->raw) : NULL;
    if (!a || !b || gid_is_link_local(pair->from_gid->raw))
        return TRI_UNKNOWN; /* link-local addresses share one subnet, wherever they are plugged in */
    return addresses_share_subnet(a, b) ? TRI_YES : TRI_NO;
}

/* The netdev that accepts no packets from its own host's addresses; NULL if neither, or not known. Without
 * accept_local a route from such a sender is refused (net/ipv4/fib_frontend.c, fib_validate_source), and ARP
 * answers only senders it has a route from (net/ipv4/arp.c, arp_process). */
static const struct netdev *deaf_of(const struct host *host, const struct port_pair *pair)
{
    const struct netdev *netdevs[] = { gid_netdev(host, pair->from_gid), gid_netdev(host, pair->to_gid) };
    for (size_t i = 0; i < ARRAY_SIZE(netdevs); i++)
        if (netdevs[i] && sysctl_of_netdev(&host->system, netdevs[i]->name, "accept_local") == 0)
            return netdevs[i];
    return NULL;
}

static const char *why_not(const struct host *host, const struct port_pair *pair)
{
    bool v4 = gid_is_v4_mapped(pair->from_gid->raw);
    char from[GID_ADDRESS_SIZE], to[GID_ADDRESS_SIZE];
    const struct netdev *netdev = gid_netdev(host, pair->from_gid);
    struct route_flow flow = { .family = v4 ? AF_INET : AF_INET6,
                               .source = pair->from_gid->raw + (v4 ? 12 : 0),
                               .destination = pair->to_gid->raw + (v4 ? 12 : 0),
                               .out = netdev };
    gid_address(pair->from_gid->raw, from);
    gid_address(pair->to_gid->raw, to);
    if (!netdev || !gid_netdev(host, pair->to_gid) || gid_is_link_local(pair->from_gid->raw))
        return NULL; /* routes of another namespace aren't known here */
    struct route_lookup found = host_look_up(host, &flow);
    if (found.kind == LOOKUP_REFUSED)
        return arena_printf(host->arena, "no route from %s to %s", from, to);
    /* rxe: packets received from an address of this host first pass net.ipv4, which considers them spoofed
     * (fib_validate_source() of net/ipv4/fib_frontend.c) */
    bool soft = device_is_rxe(pair->from->device) || device_is_rxe(pair->to->device);
    const struct netdev *deaf = v4 && soft ? deaf_of(host, pair) : NULL;
    return deaf ? arena_printf(host->arena,
                               "Linux drops what soft-RoCE receives from an address of its own host: "
                               "net.ipv4.conf.%s.accept_local is 0",
                               deaf->name)
                : NULL;
}

struct port_pair port_pair_of(const struct host *host, const struct port *from, const struct port *to)
{
    struct port_pair pair = { .from = from, .to = to, .same_network = TRI_UNKNOWN };
    choose_gids(&pair);
    if (!pair.from_gid) {
        pair.why = "no GIDs of one kind: they differ in RoCE's version, or one has IPv4 and the other IPv6";
        return pair;
    }
    pair.same_network = share_network(host, &pair);
    pair.why = why_not(host, &pair);
    return pair;
}

static bool finds_no_way(const struct failure *failure)
{
    bool connecting = failure->step == STEP_RTR || failure->step == STEP_AH;
    return failure_is_silence(failure) ||
           (connecting &&
            (failure->err == ETIMEDOUT || failure->err == ENETUNREACH || failure->err == EHOSTUNREACH));
}

static bool is_unanswered(const struct failure *failure)
{
    return (failure->step == STEP_RTR || failure->step == STEP_AH) && failure->err == ETIMEDOUT;
}

void port_pair_judge(const struct host *host, const struct port_pair *pair, struct result *result)
{
    const struct netdev *deaf = is_unanswered(&result->failure) ? deaf_of(host, pair) : NULL;
    if (result->verdict != VERDICT_FAIL || !finds_no_way(&result->failure) ||
        (pair->same_network == TRI_YES && !deaf))
        return;
    result->verdict = VERDICT_NA;
    result->failure = (struct failure){ 0 };
    if (deaf)
        snprintf(result->note, sizeof(result->note),
                 "ARP goes unanswered: Linux ignores requests from its own host while "
                 "net.ipv4.conf.%s.accept_local is 0",
                 deaf->name);
    else
        snprintf(result->note, sizeof(result->note), "nothing comes through, and %s",
                 pair->same_network == TRI_NO ? "they are in different subnets, which need not be connected"
                                              : "roce can't tell whether they are in one network");
}

/* Slow is less than this percentage of the siblings' median. Differences between sockets are usually
 * smaller. */
enum { LEAST_SHARE = 70, FEWEST_SIBLINGS = 2 };

/* Higher is better; 0: no information. */
static double speed_of(const struct result *result)
{
    if (result->verdict == VERDICT_FAIL)
        return 0;
    return result->kind == TRIAL_BANDWIDTH                               ? result->mbytes_per_second
           : result->kind == TRIAL_LATENCY && result->latency.median > 0 ? 1 / result->latency.median
                                                                         : 0;
}

static const struct pci *pci_of(const struct host *host, const struct result *result)
{
    const struct device *device = host_find_device(host, result->device);
    return device ? device_function(host, device) : NULL;
}

static bool is_near(const struct host *host, const struct result *result)
{
    const struct pci *pci = pci_of(host, result);
    return pci && pci->numa_node.known && pci->numa_node.value == (int64_t)result->numa_node.value;
}

static bool is_same_port(const struct result *a, const struct result *b)
{
    return a->port == b->port && strcmp(a->device, b->device) == 0;
}

/* Another port of the same kind of card at the same rate, measured from an equally near node. */
static bool is_sibling(const struct host *host, const struct result *a, const struct result *b)
{
    const struct pci *left = pci_of(host, a), *right = pci_of(host, b);
    if (is_same_port(a, b) || !result_is_same_test(a, b) || !left || !right || left->physfn || right->physfn ||
        !left->device.known || !num_is(right->device, left->device.value) || !left->vendor.known ||
        !num_is(right->vendor, left->vendor.value) || is_near(host, a) != is_near(host, b))
        return false;
    const struct port *one = device_port(host_find_device(host, a->device), a->port);
    const struct port *other = device_port(host_find_device(host, b->device), b->port);
    return one && other && one->rate_mbps.known && num_is(other->rate_mbps, one->rate_mbps.value);
}

/* Another rail, at the same rate. */
static bool is_rail(const struct host *host, const struct result *a, const struct result *b)
{
    (void)host;
    return !is_same_port(a, b) && result_is_same_test(a, b) && a->rate_gbits == b->rate_gbits;
}

typedef bool is_like_t(const struct host *host, const struct result *a, const struct result *b);

/* The share, in percent, of the median of the ports that are like it; 0: there are too few. */
static double share_of(const struct host *host, const struct results *results, const struct result *result,
                       is_like_t *is_like, size_t *count)
{
    double *speeds = mem_alloc(results->count + 1, sizeof(*speeds)), own = speed_of(result), share = 0;
    *count = 0;
    for (size_t i = 0; i < results->count && own > 0; i++)
        if (speed_of(&results->items[i]) > 0 && is_like(host, result, &results->items[i]))
            speeds[(*count)++] = speed_of(&results->items[i]);
    qsort(speeds, *count, sizeof(*speeds), real_ascending);
    if (*count >= FEWEST_SIBLINGS)
        share = 100 * own / speeds[*count / 2];
    free(speeds);
    return share;
}

static void judge_speed(const struct host *host, const struct results *results, struct result *result)
{
    const struct result *best = NULL;
    double own = speed_of(result);
    size_t siblings;
    if (!result->numa_node.known || own <= 0)
        return;
    for (size_t i = 0; i < results->count; i++) {
        const struct result *other = &results->items[i];
        if (is_same_port(result, other) && result_is_same_test(result, other) && speed_of(other) > 0 &&
            (!best || speed_of(other) > speed_of(best)))
            best = other;
    }
    double share = share_of(host, results, result, is_sibling, &siblings);
    if (share > 0 && share < LEAST_SHARE) {
        result->verdict = VERDICT_WARN;
        snprintf(result->note, sizeof(result->note), "%.0f %% of the median of %zu like ports from %s node",
                 share, siblings, is_near(host, result) ? "their own" : "another");
    } else if (best && best != result) {
        snprintf(result->note, sizeof(result->note), "%.0f %% of the speed from node %" PRIu64,
                 100 * own / speed_of(best), best->numa_node.value);
    }
}

void by_node_judge(const struct host *host, struct results *results)
{
    for (size_t i = 0; i < results->count; i++)
        if (!*results->items[i].note)
            judge_speed(host, results, &results->items[i]);
}

void rails_judge(struct results *results)
{
    for (size_t i = 0; i < results->count; i++) {
        struct result *result = &results->items[i];
        size_t siblings;
        double share = share_of(NULL, results, result, is_rail, &siblings);
        if (share <= 0 || share >= LEAST_SHARE)
            continue;
        result->verdict = VERDICT_WARN;
        snprintf(result->note, sizeof(result->note), "the odd one out: %.0f %% of the median of the %zu others",
                 share, siblings);
    }
}
