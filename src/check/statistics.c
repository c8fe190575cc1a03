/* SPDX-License-Identifier: MIT */
/* What ethtool's statistics say, and counters that have reached their limit. */
#include "check/judge.h"
#include "model/counters.h"
#include "model/qos.h"

/* mlx5: percentage of the last second in which the NIC wanted to use PCIe and had to wait: for credits, says
 * the kernel's Documentation/networking/device_drivers/ethernet/mellanox/mlx5/counters.rst. What a link
 * corrupts is resent from the replay buffer, in order, before anything new (ACK/NAK protocol of PCI Express),
 * so link errors (pcie-aer) hold up credits, too. */
JUDGE(pcie_stalls)
{
    static const char *const names[] = { "outbound_pci_stalled_rd", "outbound_pci_stalled_wr" };
    const struct qos *qos = qos_in(s->host, s);
    size_t looked = 0;
    enum { STALLED_PERCENT = 30 };
    for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
        const struct qos_statistic *stalled = qos_statistic(qos, names[i]);
        looked += stalled != NULL;
        if (stalled && stalled->value > STALLED_PERCENT)
            return judge_warn(j, "ethtool -S %s: %s %" PRIu64 " %% of the last second", qos->netdev, names[i],
                              stalled->value);
    }
    return looked
               ? judge_pass(j, "ethtool -S %s: PCIe stalled for less than %d %%", qos->netdev, STALLED_PERCENT)
               : judge_na(j, "the driver has no statistic of PCIe stalls");
}

/* The netdev's own drops: mlx5 rx_prio3_discards, rx_discards_phy, rx_out_of_buffer; others' rx_discards. */
static bool is_drop(const char *name)
{
    return strstr(name, "discard") || strstr(name, "_buf_drop") ||
           strcmp(name, "outbound_pci_buffer_overflow") == 0;
}

/* With PFC on, did the priorities that have it lose nothing, according to their own statistics? Then the losses
 * are other traffic's, which PFC deliberately doesn't protect. */
static bool lossless_lost_nothing(const struct qos *now, const struct qos *before)
{
    static const char of_pcie[] = "outbound_pci_buffer_overflow";
    const struct qos_statistic *full = qos_statistic(now, of_pcie),
                               *before_full = qos_statistic(before, of_pcie);
    if (!now->dcb.has_pfc || !now->dcb.pfc_enabled ||
        (full && before_full && full->value != before_full->value))
        return false;
    for (unsigned priority = 0; priority < PRIORITIES; priority++) {
        char name[32];
        snprintf(name, sizeof(name), "rx_prio%u_discards", priority);
        const struct qos_statistic *is = qos_statistic(now, name), *was = qos_statistic(before, name);
        if (now->dcb.pfc_enabled & 1U << priority && (!is || !was || is->value != was->value))
            return false;
    }
    return true;
}

JUDGE(netdev_drops)
{
    const struct qos *now = qos_in(s->host, s), *before = qos_in(s->before, s);
    struct growth growth = { 0 };
    if (!port_is_roce(s->port) || device_is_soft(s->device))
        return judge_na(j, "not a RoCE port of a NIC");
    for (size_t i = 0; now && i < now->nstatistics; i++) {
        const struct qos_statistic *is = &now->statistics[i];
        const struct qos_statistic *was = is_drop(is->name) ? qos_statistic(before, is->name) : NULL;
        if (was)
            add_growth(&growth, j, is->name, was->value, is->value);
    }
    if (!growth.known)
        return judge_unknown(j, "ethtool statistics of %s could not be read twice",
                             s->netdev ? s->netdev->name : "its netdev");
    if (!growth.sum)
        return judge_pass(j, "ethtool -S %s: none of %zu statistics grew %s", now->netdev, growth.known,
                          interval_text(j, s));
    bool spared = lossless_lost_nothing(now, before);
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
