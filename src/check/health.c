/* SPDX-License-Identifier: MIT */
/* What hardware says of itself: devlink's health reporters, modules; how sound a link's signal is: FEC, flaps.
 */
#include "base/glyph.h"
#include "check/judge.h"
#include "model/statistics.h"

PRECONDITION(no_ethernet_nic)
{
    bool asked = s->port->transport != TRANSPORT_INFINIBAND && !device_is_soft(s->device) &&
                 port_carries_traffic(s) && s->netdev;
    return asked ? VERDICTS : judge_na(j, "not an Ethernet port of a NIC with its netdev here");
}

PRECONDITION(no_hardware_qos)
{
    return s->qos ? VERDICTS : judge_unknown(j, "netlink says nothing of %s", s->netdev->name);
}

/* A reporter's errors may be long past and recovered from: only what is in error now is bad. */
JUDGE(devlink_health)
{
    uint64_t errors = 0;
    if (s->qos->health_err == EOPNOTSUPP || s->qos->health_err == ENOENT || s->qos->health_err == EINVAL)
        return judge_na(j, "devlink has no health reporters here");
    if (s->qos->health_err)
        return judge_unknown(j, "devlink health of %s: %s", s->qos->devlink ? s->qos->devlink : s->qos->netdev,
                             judge_errno(j, s->qos->health_err));
    for (size_t i = 0; i < s->qos->nreporters; i++) {
        const struct qos_reporter *reporter = &s->qos->reporters[i];
        errors += reporter->errors.known ? reporter->errors.value : 0;
        if (reporter->error != TRI_YES)
            continue;
        judge_advice(j,
                     "devlink health diagnose %s reporter %s; devlink health recover %s reporter %s when the "
                     "port is idle: this may reset it",
                     reporter->device, reporter->name, reporter->device, reporter->name);
        return judge_fail(
            j, "devlink health of %s: reporter %s is in error (errors: %" PRIu64 ", recoveries: %" PRIu64 ")",
            reporter->device, reporter->name, reporter->errors.value, reporter->recoveries.value);
    }
    return s->qos->nreporters
               ? judge_pass(j,
                            "devlink health of %s: %zu reporters, none in error; errors since the "
                            "driver was loaded: %" PRIu64,
                            s->qos->devlink, s->qos->nreporters, errors)
               : judge_na(j, "the driver of %s has no health reporters", s->qos->netdev);
}

static const char *celsius(struct judgement *j, struct snum value)
{
    int64_t tenths = value.value * 10 / 256;
    return arena_printf(j->arena, "%s%" PRId64 ".%" PRId64 " %sC", tenths < 0 ? "-" : "",
                        (tenths < 0 ? -tenths : tenths) / 10, (tenths < 0 ? -tenths : tenths) % 10,
                        glyph(GLYPH_DEGREE));
}

static bool reaches(const struct qos_module *module, struct snum limit)
{
    return module->temperature.known && limit.known && module->temperature.value >= limit.value;
}

static enum verdict judge_temperature(struct judgement *j, const struct qos *qos)
{
    const struct qos_module *module = &qos->module;
    judge_advice(j, "look at the fans and the airflow past {hardware}; ethtool -m {hardware}");
    if (reaches(module, module->hot))
        return judge_fail(j, "%s: %s, %s; its alarm is at %s", qos->netdev, module->kind,
                          celsius(j, module->temperature), celsius(j, module->hot));
    if (reaches(module, module->warm))
        return judge_warn(j, "%s: %s, %s; its warning is at %s", qos->netdev, module->kind,
                          celsius(j, module->temperature), celsius(j, module->warm));
    return judge_pass(j, "%s: %s, %s", qos->netdev, module->kind, celsius(j, module->temperature));
}

/* Soldered ports and empty cages give an error, different for each driver; with a link, an error means
 * something. */
static enum verdict judge_unread(const struct subject *s, struct judgement *j, const struct qos *qos)
{
    int err = qos->module_err;
    if (!err || err == EOPNOTSUPP || err == ENOENT || err == ENODEV || err == EINVAL)
        return judge_na(j, "no module that tells of itself in %s", qos->netdev);
    if (err == EPERM || err == EACCES)
        return judge_unknown(j, "ethtool MODULE_EEPROM_GET of %s: %s; only root may ask", qos->netdev,
                             judge_errno(j, err));
    if (s->port->state.known && !port_is_active(s->port))
        return judge_na(j, "no module answers in %s: %s", qos->netdev, judge_errno(j, qos->module_err));
    return judge_unknown(j, "ethtool MODULE_EEPROM_GET of %s: %s", qos->netdev,
                         judge_errno(j, qos->module_err));
}

JUDGE(module_health)
{
    const struct qos_module *module = &s->qos->module;
    if (!module->known)
        return judge_unread(s, j, s->qos);
    if (module->state && strcmp(module->state, "fault") == 0) {
        judge_advice(j, "reseat the module; if it comes back to this state, change it");
        return judge_fail(j, "%s: %s, state fault", s->qos->netdev, module->kind);
    }
    bool down = s->port->state.known && !port_is_active(s->port);
    if (down && module->dark == TRI_YES && !netdev_is_switched_off(s->netdev)) {
        judge_advice(j, "clean and reseat the fibre at both ends, and see that the other end sends");
        return judge_warn(j, "%s: %s, no light comes in on any lane", s->qos->netdev, module->kind);
    }
    if (module->temperature.known)
        return judge_temperature(j, s->qos);
    if (s->qos->module_err)
        return judge_unknown(j, "ethtool MODULE_EEPROM_GET of %s: %s", s->qos->netdev,
                             judge_errno(j, s->qos->module_err));
    return judge_na(j, "%s: %s that measures nothing", s->qos->netdev,
                    module->kind ? module->kind : "a module");
}

/* The FEC of a sibling's link at the same rate: at other rates a different code is right, or none (IEEE 802.3
 * defines them by speed and medium). */
static const struct qos *sibling_qos(const struct subject *s, const struct port **sibling)
{
    *sibling = NULL;
    while ((*sibling = port_next_sibling(s, *sibling))) {
        if (!(*sibling)->rate_mbps.known || !num_is(s->port->rate_mbps, (*sibling)->rate_mbps.value))
            continue;
        const struct netdev *netdev = port_netdev(s->host, *sibling);
        const struct qos *qos = netdev ? host_find_qos(s->host, netdev) : NULL;
        if (qos && qos->ethtool.fec_active && strcmp(qos->ethtool.fec_active, "off") != 0)
            return qos;
    }
    return NULL;
}

JUDGE(link_fec)
{
    const struct port *sibling = NULL;
    if (!s->netdev || !port_is_roce(s->port) || device_is_soft(s->device) || !port_is_active(s->port))
        return judge_na(j, "not an ACTIVE RoCE port of a NIC");
    const struct qos *other = sibling_qos(s, &sibling);
    if (!other)
        return judge_na(j, "no other ACTIVE port of this rate with FEC on a card of this kind");
    if (!s->qos || !s->qos->ethtool.fec_active)
        return judge_unknown(j, "ethtool FEC_GET of %s did not answer", s->netdev->name);
    bool off = strcmp(s->qos->ethtool.fec_active, "off") == 0;
    judge_interrupting(j, "ethtool --set-fec {hardware} encoding %s # the switch needs the same",
                       other->ethtool.fec_active);
    return judge_as(j, off ? VERDICT_WARN : VERDICT_PASS, "%s: FEC %s, %s/%u at the same rate has %s",
                    s->qos->netdev, s->qos->ethtool.fec_active, sibling->device->name, sibling->number,
                    other->ethtool.fec_active);
}

/* How often a link went down: the highest of several counts, as each has a different viewpoint. Setting a
 * netdev down counts, too. The physical link's count (mlx5's) also moves if the netdev's carrier doesn't follow
 * it, on the host of a BlueField; kernels before 4.16 count both directions together. */
struct downs {
    bool known;
    uint64_t count;
    const char *of; /* "carrier_down_count of ens1" */
};

static void take(struct downs *downs, struct judgement *j, const char *of, const char *name, struct num count)
{
    if (!count.known || (downs->known && count.value <= downs->count))
        return;
    *downs = (struct downs){ true, count.value, arena_printf(j->arena, "%s of %s", of, name) };
}

static struct num half(struct num changes)
{
    return num_if(changes.known, changes.value / 2);
}

/* The difference of the two readings, 0 if it is negative; unknown if either is. */
static struct num less(struct num now, struct num before)
{
    return num_if(now.known && before.known, grown(before.value, now.value));
}

static const struct qos_statistic *physical_downs(const struct qos *qos)
{
    return qos_next_in_role(qos, ROLES_OF(ROLE_LINK_DOWNS), NULL);
}

static struct num value_of(const struct qos_statistic *statistic)
{
    return num_if(statistic != NULL, statistic ? statistic->value : 0);
}

static struct downs downs_of(const struct subject *s, struct judgement *j, bool interval)
{
    static const struct netdev none;
    struct downs downs = { 0 };
    const struct netdev *now = s->netdev;
    const struct netdev *before = interval ? host_find_netdev(s->before, now->name) : NULL;
    const struct qos_statistic *link = physical_downs(s->qos);
    struct num physical = value_of(link);
    struct num downs_now = now->carrier_downs, changes = now->carrier_changes;
    if (interval) {
        before = before ? before : &none;
        downs_now = less(downs_now, before->carrier_downs);
        changes = less(changes, before->carrier_changes);
        physical = less(physical, value_of(physical_downs(qos_in(s->before, s))));
    }
    if (now->carrier_downs.known && downs_now.known)
        take(&downs, j, "carrier_down_count", now->name, downs_now);
    else
        take(&downs, j, "half of carrier_changes", now->name,
             interval ? num_if(changes.known, (changes.value + 1) / 2) : half(changes));
    if (link)
        take(&downs, j, link->name, s->qos->netdev, physical);
    return downs;
}

JUDGE(link_flaps)
{
    enum { SEVERAL = 3 };
    if (!s->netdev || !port_carries_traffic(s))
        return judge_na(j, "the port has no netdev here");
    struct downs downs = downs_of(s, j, true);
    const char *name = s->netdev->name;
    if (!downs.known)
        return judge_unknown(j, "/sys/class/net/%s/carrier_changes could not be read twice", name);
    judge_advice(j, "reseat or change cable and module; compare ethtool -m %s at both ends", fix_name(j, name));
    return judge_as(j,
                    downs.count >= SEVERAL ? VERDICT_FAIL
                    : downs.count          ? VERDICT_WARN
                                           : VERDICT_PASS,
                    "%s: +%" PRIu64 " %s", downs.of, downs.count, interval_text(j, s));
}

/* A few come from booting and from setting up the netdev; several a day mean a bad cable, module or peer. */
JUDGE(link_flaps_history)
{
    enum { FEW = 5, DAY = 24 };
    if (!s->netdev || !port_carries_traffic(s) || device_is_soft(s->device))
        return judge_na(j, "no netdev of a NIC is here for the port");
    struct downs downs = downs_of(s, j, false);
    struct num hours = host_uptime_h(s->host);
    const char *name = s->netdev->name;
    if (!downs.known)
        return judge_unknown(j, "/sys/class/net/%s/carrier_changes could not be read", name);
    if (downs.count < FEW)
        return judge_pass(j, "%s: %" PRIu64 "%s", downs.of, downs.count,
                          downs.count ? ", as booting and setting up bring it" : "");
    if (!hours.known)
        return judge_unknown(j, "%s: %" PRIu64 ", and how long the machine is up isn't known", downs.of,
                             downs.count);
    judge_command(
        j,
        "journalctl -k | grep -F %s # when; then reseat or change cable and module, and ask the switch's log",
        name);
    return judge_as(j, downs.count >= hours.value / DAY ? VERDICT_INFO : VERDICT_PASS,
                    "%s: %" PRIu64 " since boot%s", downs.of, downs.count, uptime_text(j, s->host));
}
