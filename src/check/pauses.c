/* SPDX-License-Identifier: MIT */
/* Being paused, and pausing without end. */
#include "check/judge.h"
#include "model/statistics.h"

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
