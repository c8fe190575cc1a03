/* SPDX-License-Identifier: MIT */
/* What hardware says about itself: devlink's health reporters, and the modules in the ports. */
#include "base/glyph.h"
#include "check/judge.h"

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
