/* SPDX-License-Identifier: MIT */
/* What ethtool's statistics say: PCIe stalls, drops, pauses, what the wire corrupts; and counters at their end.
 */
#include "model/statistics.h"
#include "check/judge.h"

/* How much the statistics in these roles grew between two readings. */
static struct growth statistics_growth(struct judgement *j, const struct readings *readings, roles_t roles)
{
    struct growth growth = { 0 };
    for (const struct qos_statistic *is = NULL; (is = qos_next_in_role(readings->now, roles, is));) {
        const struct qos_statistic *was = qos_statistic(readings->before, is->name);
        if (was)
            add_growth(&growth, j, is->name, was->value, is->value);
    }
    return growth;
}

/* mlx5: credits are what it waits for, says the kernel's counters.rst. What a link corrupts is resent from the
 * replay buffer, in order, before anything new (ACK/NAK protocol of PCI Express), so link errors (pcie-aer)
 * hold up credits, too. */
JUDGE(pcie_stalls)
{
    const struct qos_statistic *stalled = NULL;
    size_t looked = 0;
    enum { STALLED_PERCENT = 30 };
    for (; (stalled = qos_next_in_role(s->qos, ROLES_OF(ROLE_PCIE_STALL), stalled)); looked++)
        if (stalled->value > STALLED_PERCENT)
            return judge_warn(j, "ethtool -S %s: %s %" PRIu64 " %% of the last second", s->qos->netdev,
                              stalled->name, stalled->value);
    return looked ? judge_pass(j, "ethtool -S %s: PCIe stalled for less than %d %%", s->qos->netdev,
                               STALLED_PERCENT)
                  : judge_na(j, "the driver has no statistic of PCIe stalls");
}

/* With PFC on, did the priorities that have it lose nothing, according to their own statistics? Then the losses
 * are other traffic's, which PFC deliberately doesn't protect. */
static bool lossless_lost_nothing(const struct readings *readings)
{
    static const roles_t roles = ROLES_OF(ROLE_PRIORITY_DROP) | ROLES_OF(ROLE_PCIE_DROP);
    uint8_t lossless = readings->now->dcb.has_pfc ? readings->now->dcb.pfc_enabled : 0, told = 0;
    for (const struct qos_statistic *is = NULL; (is = qos_next_in_role(readings->now, roles, is));) {
        const struct qos_statistic *was = qos_statistic(readings->before, is->name);
        uint8_t of = is->priority < PRIORITIES ? (uint8_t)(1U << is->priority) : UINT8_MAX;
        if (!was || !(of & lossless))
            continue;
        if (is->value != was->value)
            return false;
        told |= of == UINT8_MAX ? 0 : of;
    }
    return lossless && (lossless & ~told) == 0;
}

JUDGE(netdev_drops)
{
    if (!port_is_roce(s->port) || device_is_soft(s->device))
        return judge_na(j, "not a RoCE port of a NIC");
    struct readings readings = qos_twice(s);
    const struct qos *now = readings.now;
    struct growth growth = statistics_growth(j, &readings, DROP_ROLES);
    bool read = now && now->nstatistics && readings.before->nstatistics;
    if (!growth.known && read && !qos_next_in_role(now, DROP_ROLES, NULL))
        return judge_unknown(j, "ethtool -S %s: read, but none of %zu names is known to count drops",
                             now->netdev, now->nstatistics);
    if (!growth.known)
        return judge_unknown(j, "ethtool statistics of %s could not be read twice",
                             s->netdev ? s->netdev->name : "its netdev");
    if (!growth.sum)
        return judge_pass(j, "ethtool -S %s: none of %zu statistics grew %s", now->netdev, growth.known,
                          interval_text(j, s));
    bool spared = lossless_lost_nothing(&readings);
    return judge_as(j, spared ? VERDICT_INFO : VERDICT_WARN, "ethtool -S %s: %s %s%s", now->netdev,
                    growth.evidence, interval_text(j, s),
                    spared ? ", nothing of it on a priority with PFC" : "");
}

JUDGE(counter_saturated)
{
    size_t looked = 0;
    for (size_t i = 0; i < s->port->ncounters; i++) {
        const struct counter *counter = &s->port->counters[i];
        if (!counter->raw.known || !counter->def || !counter->def->saturates ||
            !counter_end_hides(counter->def))
            continue;
        looked++;
        if (counter_is_saturated(counter->def, counter->raw) != TRI_YES)
            continue;
        judge_command(j,
                      "perfquery -R -C {device} -P %u # of an InfiniBand port; on RoCE reload the driver, "
                      "which interrupts traffic",
                      s->port->number);
        return judge_warn(j, "%s/%s: %" PRIu64 ", its highest value", port_path(j, s->port, counter->dir),
                          counter->name, counter->raw.value);
    }
    return looked ? judge_pass(j, "none of %zu counters has reached its highest value", looked)
                  : judge_na(j, "the driver has no counter that stops at its highest value");
}

/* The statistics below a RoCE port weren't read twice. */
PRECONDITION(no_statistics_twice)
{
    if (!port_does_roce(s) || !s->netdev || device_is_soft(s->device))
        return judge_na(j, "not a RoCE port of a NIC with its netdev here");
    struct readings readings = qos_twice(s);
    bool both = readings.now && readings.before->nstatistics && readings.now->nstatistics;
    return both ? VERDICTS
                : judge_unknown(j, "ethtool statistics of %s could not be read twice", s->netdev->name);
}

/* The statistic in one of these roles that grew most between two readings. */
struct grew {
    const struct qos_statistic *statistic; /* NULL: none was read twice */
    uint64_t by;
};

static struct grew grew_most(const struct readings *readings, roles_t roles)
{
    struct grew most = { 0 };
    for (const struct qos_statistic *is = NULL; (is = qos_next_in_role(readings->now, roles, is));) {
        const struct qos_statistic *was = qos_statistic(readings->before, is->name);
        uint64_t by = was ? grown(was->value, is->value) : 0;
        if (was && (!most.statistic || by > most.by))
            most = (struct grew){ is, by };
    }
    return most;
}

/* A lossless fabric pauses senders whenever a receiver has too many; with eight to one, for seven eighths of
 * the time: that is worth knowing. If next to nothing may be sent, somebody never stops pausing. */
enum { OFTEN_PERCENT = 10, STOPPED_PERCENT = 90, LEAST_MS = 500 };

JUDGE(paused)
{
    struct readings readings = qos_twice(s);
    struct grew paused = grew_most(&readings, ROLES_OF(ROLE_PAUSE_TIME));
    if (!paused.statistic)
        paused = grew_most(&readings, ROLES_OF(ROLE_PAUSE_ASKED));
    if (!paused.statistic)
        return judge_na(j, "no statistic of %s is known to tell how long a priority was paused",
                        readings.now->netdev);
    const char *evidence = arena_printf(j->arena, "ethtool -S %s: %s +%" PRIu64, readings.now->netdev,
                                        paused.statistic->name, paused.by);
    if (!paused.by)
        return judge_pass(j, "%s %s", evidence, interval_text(j, s));
    if (paused.statistic->def->role == ROLE_PAUSE_ASKED)
        return judge_unknown(j, "%s %s: nobody tells what share of the time that is", evidence,
                             interval_text(j, s));
    if (s->interval_ms < LEAST_MS)
        return judge_unknown(j, "%s %s: too short a time, or not known which", evidence, interval_text(j, s));
    uint64_t percent = paused.by / (s->interval_ms * 10);
    return judge_as(j,
                    percent >= STOPPED_PERCENT ? VERDICT_WARN
                    : percent >= OFTEN_PERCENT ? VERDICT_INFO
                                               : VERDICT_PASS,
                    "%s us %s, %" PRIu64 " %% of it", evidence, interval_text(j, s),
                    percent < 100 ? percent : 100);
}

JUDGE(pause_storm)
{
    struct readings readings = qos_twice(s);
    struct growth warnings = statistics_growth(j, &readings, ROLES_OF(ROLE_STORM_WARNING));
    struct growth errors = statistics_growth(j, &readings, ROLES_OF(ROLE_STORM_ERROR));
    if (!warnings.known && !errors.known)
        return judge_na(j, "the driver has no statistic of pause storms");
    return judge_as(j,
                    errors.sum     ? VERDICT_FAIL
                    : warnings.sum ? VERDICT_WARN
                                   : VERDICT_PASS,
                    "ethtool -S %s: tx_pause_storm_warning_events +%" PRIu64
                    ", tx_pause_storm_error_events +%" PRIu64 " %s",
                    readings.now->netdev, warnings.sum, errors.sum, interval_text(j, s));
}

/* PFC frames received: from dcbnl for all priorities, from ethtool for those with PFC. */
static uint64_t pfc_frames(struct judgement *j, const struct readings *readings)
{
    uint64_t dcb = 0, listed = statistics_growth(j, readings, ROLES_OF(ROLE_PFC_RECEIVED)).sum;
    const struct qos_dcb *was = &readings->before->dcb, *is = &readings->now->dcb;
    for (unsigned i = 0; was->has_pfc && is->has_pfc && i < PRIORITIES; i++)
        dcb += grown(was->pfc_received[i], is->pfc_received[i]);
    return dcb > listed ? dcb : listed;
}

/* Where PFC's frames may be counted with global pause's, as many as PFC accounts for are ignored. */
static struct grew global_frames(struct judgement *j, const struct readings *readings)
{
    struct grew frames = grew_most(readings, ROLES_OF(ROLE_ANY_PAUSE_RECEIVED));
    if (!frames.statistic)
        return grew_most(readings, ROLES_OF(ROLE_PAUSE_RECEIVED));
    frames.by = grown(pfc_frames(j, readings), frames.by);
    return frames;
}

/* A frame or two may come from a switch port being set up. */
enum { LEAST_FRAMES = 10 };

JUDGE(global_pause_received)
{
    struct readings readings = qos_twice(s);
    struct grew frames = global_frames(j, &readings);
    if (!frames.statistic)
        return judge_na(j, "no statistic of %s is known to count pause frames that are no PFC",
                        readings.now->netdev);
    return judge_as(j, frames.by >= LEAST_FRAMES ? VERDICT_WARN : VERDICT_PASS,
                    "ethtool -S %s: %s +%" PRIu64 " beside PFC's %s; PFC on priority %s", readings.now->netdev,
                    frames.statistic->name, frames.by, interval_text(j, s),
                    qos_priorities_text(j->arena, s->qos->dcb.pfc_enabled));
}

/* IEEE 802.3 allows a bit error ratio of 1e-12, which corrupts about 1e-8 of the frames of 1500 bytes: ten
 * times that is a bad link. A go-back-N NIC feels one frame in 100,000. An error or two may come from a plug
 * being touched. */
enum { LEAST = 3 };
static const double warn_frames = 1e-7, fail_frames = 1e-5, warn_bits = 1e-11;

/* What a driver has no name for it may report to the kernel: mlx4, cxgb4, ionic and most others do. */
static void add_common(struct growth *lost, struct judgement *j, const struct subject *s,
                       const struct qos *before, const struct qos *now)
{
    const struct netdev *was = host_find_netdev(s->before, now->netdev);
    const struct netdev *is = host_find_netdev(s->host, now->netdev);
    struct num fec_was = before->ethtool.fec_uncorrectable, fec_is = now->ethtool.fec_uncorrectable;
    if (!lost->known && was && is && was->rx_crc_errors.known && is->rx_crc_errors.known)
        add_growth(lost, j, "statistics/rx_crc_errors", was->rx_crc_errors.value, is->rx_crc_errors.value);
    if (fec_was.known && fec_is.known)
        add_growth(lost, j, "FEC uncorrectable blocks", fec_was.value, fec_is.value);
}

static enum verdict judge_lost(const struct growth *lost, const struct growth *frames)
{
    double limit = frames->known ? (double)frames->sum : 0;
    if (lost->most < LEAST || (double)lost->most < limit * warn_frames)
        return VERDICT_PASS;
    return frames->known && (double)lost->most >= limit * fail_frames ? VERDICT_FAIL : VERDICT_WARN;
}

/* Without time or speed there is no ratio; then a high count is too many. */
static enum verdict judge_symbols(const struct growth *symbols, const struct subject *s)
{
    enum { MANY = 1000 };
    struct num mbps = s->port->rate_mbps.known ? s->port->rate_mbps : s->netdev->speed_mbps;
    double bits = (double)s->interval_ms * 1e3 * (mbps.known ? (double)mbps.value : 0);
    double limit = bits > 0 ? bits * warn_bits : MANY;
    return symbols->most >= LEAST && (double)symbols->most >= limit ? VERDICT_WARN : VERDICT_PASS;
}

JUDGE(ethernet_errors)
{
    struct readings readings = qos_twice(s);
    const struct qos *now = readings.now, *before = readings.before;
    if (!now)
        return judge_unknown(j, "ethtool statistics of %s could not be read twice", s->netdev->name);
    struct growth lost = statistics_growth(j, &readings, ROLES_OF(ROLE_DAMAGED));
    struct growth symbols = statistics_growth(j, &readings, ROLES_OF(ROLE_UNDECODABLE));
    struct growth frames = statistics_growth(j, &readings, ROLES_OF(ROLE_FRAMES_RECEIVED));
    add_common(&lost, j, s, before, now);
    if (!lost.known && !symbols.known)
        return judge_unknown(j, "ethtool -S %s: no statistic of damaged frames that roce knows", now->netdev);
    if (!lost.sum && !symbols.sum)
        return judge_pass(j, "ethtool -S %s: 0 in %zu statistics %s", now->netdev, lost.known + symbols.known,
                          interval_text(j, s));
    enum verdict verdict = judge_lost(&lost, &frames), of_symbols = judge_symbols(&symbols, s);
    const char *among = frames.known ? arena_printf(j->arena, ", among %" PRIu64 " frames", frames.sum) : "";
    judge_advice(j,
                 "clean and reseat cable and modules at both ends, then change them; ethtool -m %s shows the "
                 "light, roce qos %s the FEC, which must be the same at the switch",
                 now->netdev, now->netdev);
    return judge_as(j, verdict > of_symbols ? verdict : of_symbols, "ethtool -S %s: %s%s%s %s%s", now->netdev,
                    lost.evidence ? lost.evidence : "", lost.evidence && symbols.evidence ? ", " : "",
                    symbols.evidence ? symbols.evidence : "", interval_text(j, s), among);
}
