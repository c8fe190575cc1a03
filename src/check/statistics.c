/* SPDX-License-Identifier: MIT */
/* What ethtool's statistics say, and counters that have reached their limit. */
#include "model/statistics.h"
#include "check/judge.h"

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
