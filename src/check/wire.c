/* SPDX-License-Identifier: MIT */
/* What Ethernet itself loses on the wire. RDMA's counters don't include frames that the MAC dropped. */
#include "check/judge.h"

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
