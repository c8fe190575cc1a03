/* SPDX-License-Identifier: MIT */
/* Being paused, and pausing without end. The statistics are described in the kernel's
 * Documentation/networking/device_drivers/ethernet/mellanox/mlx5/counters.rst; their names are in mlx5's
 * en_stats.c and bnxt's bnxt_ethtool.c. */
#include "check/judge.h"

/* Both readings of the statistics below a RoCE port; otherwise now is NULL and the verdict is set. */
static struct readings readings_of(const struct subject *s, struct judgement *j, enum verdict *verdict)
{
    struct readings readings = { 0 };
    *verdict = VERDICT_NA;
    if (!port_does_roce(s) || !s->netdev || device_is_soft(s->device)) {
        judge_na(j, "not a RoCE port of a NIC with its netdev here");
        return readings;
    }
    readings = qos_twice(s);
    if (readings.now && readings.before->nstatistics && readings.now->nstatistics)
        return readings;
    *verdict = judge_unknown(j, "ethtool statistics of %s could not be read twice", s->netdev->name);
    return (struct readings){ 0 };
}

/* How much a statistic grew; unknown if it isn't in both. */
static struct num growth_of(const struct readings *readings, const char *name)
{
    const struct qos_statistic *was = qos_statistic(readings->before, name);
    const struct qos_statistic *is = qos_statistic(readings->now, name);
    return num_if(was && is, was && is ? grown(was->value, is->value) : 0);
}

/* From mlx5, if PFC is on for the priority, or bnxt: microseconds in which nothing was sent. */
static struct num paused_us(const struct readings *readings, unsigned priority, char name[static 32])
{
    snprintf(name, 32, "rx_prio%u_pause_duration", priority);
    struct num us = growth_of(readings, name);
    if (us.known)
        return us;
    snprintf(name, 32, "pfc_pri%u_rx_duration_us", priority);
    return growth_of(readings, name);
}

struct paused {
    size_t known;
    uint64_t us; /* of the priority that was paused longest */
    char name[32];
};

static struct paused longest_pause(const struct readings *readings)
{
    struct paused longest = { 0 };
    for (unsigned i = 0; i < PRIORITIES; i++) {
        char name[32];
        struct num us = paused_us(readings, i, name);
        if (us.known && (!longest.known++ || us.value > longest.us)) {
            longest.us = us.value;
            memcpy(longest.name, name, sizeof(name));
        }
    }
    return longest;
}

/* A lossless fabric pauses senders whenever a receiver has too many; with eight to one, for seven eighths of
 * the time: that is worth knowing. If next to nothing may be sent, somebody never stops pausing. */
enum { OFTEN_PERCENT = 10, STOPPED_PERCENT = 90, LEAST_MS = 500 };

JUDGE(paused)
{
    enum verdict verdict;
    struct readings readings = readings_of(s, j, &verdict);
    if (!readings.now)
        return verdict;
    struct paused paused = longest_pause(&readings);
    if (!paused.known)
        return judge_na(j, "the driver has no statistic of the time that a priority was paused");
    if (!paused.us)
        return judge_pass(j, "ethtool -S %s: %s +0 %s", readings.now->netdev, paused.name, interval_text(j, s));
    if (s->interval_ms < LEAST_MS)
        return judge_unknown(j, "ethtool -S %s: %s +%" PRIu64 " %s: too short a time, or not known which",
                             readings.now->netdev, paused.name, paused.us, interval_text(j, s));
    uint64_t percent = paused.us / (s->interval_ms * 10);
    return judge_as(j,
                    percent >= STOPPED_PERCENT ? VERDICT_WARN
                    : percent >= OFTEN_PERCENT ? VERDICT_INFO
                                               : VERDICT_PASS,
                    "ethtool -S %s: %s +%" PRIu64 " us %s, %" PRIu64 " %% of it", readings.now->netdev,
                    paused.name, paused.us, interval_text(j, s), percent < 100 ? percent : 100);
}

#define STORM_WARNINGS "tx_pause_storm_warning_events"
#define STORM_ERRORS "tx_pause_storm_error_events"

/* Linux 4.18 has a space after the name (mlx5 en_stats.c). */
static const char *warnings_name(const struct qos *qos)
{
    return qos_statistic(qos, STORM_WARNINGS) ? STORM_WARNINGS : STORM_WARNINGS " ";
}

JUDGE(pause_storm)
{
    enum verdict verdict;
    struct readings readings = readings_of(s, j, &verdict);
    if (!readings.now)
        return verdict;
    struct num warnings = growth_of(&readings, warnings_name(readings.now));
    struct num errors = growth_of(&readings, STORM_ERRORS);
    if (!warnings.known && !errors.known)
        return judge_na(j, "the driver has no statistic of pause storms");
    bool failed = errors.known && errors.value, warned = warnings.known && warnings.value;
    return judge_as(j,
                    failed   ? VERDICT_FAIL
                    : warned ? VERDICT_WARN
                             : VERDICT_PASS,
                    "ethtool -S %s: " STORM_WARNINGS " +%" PRIu64 ", " STORM_ERRORS " +%" PRIu64 " %s",
                    readings.now->netdev, warned ? warnings.value : 0, failed ? errors.value : 0,
                    interval_text(j, s));
}

/* PFC frames received: from dcbnl for all priorities, from ethtool for those with PFC. */
static uint64_t pfc_frames(const struct readings *readings)
{
    uint64_t dcb = 0, listed = 0;
    const struct qos_dcb *was = &readings->before->dcb, *is = &readings->now->dcb;
    for (unsigned i = 0; i < PRIORITIES; i++) {
        char name[32];
        snprintf(name, sizeof(name), "rx_prio%u_pause", i);
        struct num growth = growth_of(readings, name);
        listed += growth.known ? growth.value : 0;
        if (was->has_pfc && is->has_pfc)
            dcb += grown(was->pfc_received[i], is->pfc_received[i]);
    }
    return dcb > listed ? dcb : listed;
}

/* mlx5's rx_pause_ctrl_phy is documented to count "link layer pause packets", which may include PFC's: as many
 * as PFC accounts for are ignored. bnxt counts the two separately. */
static struct num global_frames(const struct readings *readings, const char **name)
{
    struct num all = growth_of(readings, *name = "rx_pause_ctrl_phy");
    if (!all.known)
        return growth_of(readings, *name = "rx_pause_frames");
    uint64_t pfc = pfc_frames(readings);
    return num_of(grown(pfc, all.value));
}

/* A frame or two may come from a switch port being set up. */
enum { LEAST_FRAMES = 10 };

JUDGE(global_pause_received)
{
    enum verdict verdict;
    const char *name;
    const struct qos *qos = host_find_qos(s->host, s->netdev);
    struct readings readings = readings_of(s, j, &verdict);
    if (!readings.now)
        return verdict;
    struct num frames = global_frames(&readings, &name);
    if (!frames.known)
        return judge_na(j, "the driver doesn't count pause frames that are no PFC");
    return judge_as(j, frames.value >= LEAST_FRAMES ? VERDICT_WARN : VERDICT_PASS,
                    "ethtool -S %s: %s +%" PRIu64 " beside PFC's %s; PFC on priority %s", readings.now->netdev,
                    name, frames.value, interval_text(j, s), priorities_text(j, qos->dcb.pfc_enabled));
}
