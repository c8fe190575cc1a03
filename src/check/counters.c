/* SPDX-License-Identifier: MIT */
/* What the devices count while doctor watches: two readings, never the value since boot. */
#include "check/judge.h"

#include "tables.h"

/* The subject's port at the first reading; NULL if it wasn't there. */
static const struct port *port_before(const struct subject *s)
{
    const struct device *device = host_find_device(s->before, s->device->name);
    return device ? device_port(device, s->port->number) : NULL;
}

static void add_counter(struct growth *growth, struct judgement *j, const struct counter *before,
                        const struct counter *now)
{
    if (!now->raw.known || !before || !before->raw.known) {
        growth->err = now->err ? now->err : growth->err;
        return;
    }
    struct counter_delta delta = counter_compare(now->def, before->raw.value, now->raw.value);
    bool grew = delta.change != COUNTER_LEVEL && delta.change != COUNTER_RESET && delta.delta;
    add_growth(growth, j, grew ? arena_printf(j->arena, "%s/%s", now->dir, now->name) : "", 0,
               grew ? delta.delta : 0);
}

/* The growth of the counters with these roles on the port. */
static struct growth growth_in(const struct subject *s, struct judgement *j, roles_t roles)
{
    struct growth growth = { 0 };
    const struct port *port = port_before(s);
    for (const struct counter *now = NULL; port && (now = port_next_in_role(s->port, roles, now));)
        add_counter(&growth, j, port_counter_like(port, now), now);
    return growth;
}

typedef bool wanted_fn(const void *data, const struct counter *counter);

static void add_wanted(struct growth *growth, struct judgement *j, wanted_fn *wanted, const void *data,
                       const struct counter *now, size_t nnow, const struct counter *before, size_t nbefore)
{
    for (size_t i = 0; i < nnow; i++)
        if (wanted(data, &now[i]))
            add_counter(growth, j, counter_like(before, nbefore, &now[i]), &now[i]);
}

/* A port's own counters; with the first port also the device's. */
static struct growth growth_where(const struct subject *s, struct judgement *j, wanted_fn *wanted,
                                  const void *data)
{
    struct growth growth = { 0 };
    const struct port *port = port_before(s);
    if (port)
        add_wanted(&growth, j, wanted, data, s->port->counters, s->port->ncounters, port->counters,
                   port->ncounters);
    if (port && s->port == &s->device->ports[0])
        add_wanted(&growth, j, wanted, data, s->device->counters, s->device->ncounters, port->device->counters,
                   port->device->ncounters);
    return growth;
}

static bool is_named(const void *names, const struct counter *counter)
{
    return text_in_list(names, counter->name);
}

/* The verdict if there is no growth to judge; VERDICTS if there is. */
static enum verdict no_growth(const struct subject *s, struct judgement *j, const struct growth *growth)
{
    /* of several the rest may be what grows; drivers refuse some as unsupported */
    bool refused = growth->err && growth->err != EINVAL && growth->err != EOPNOTSUPP && growth->err != ENODATA;
    if ((!growth->known && growth->err) || (!growth->sum && refused))
        return judge_unknown(j, "%s could not be read: %s", port_path(j, s->port, "*counters"),
                             judge_errno(j, growth->err));
    if (!growth->known)
        return judge_na(j, "the driver has no counter for it");
    if (!growth->sum)
        return judge_pass(j, "0 %s", interval_text(j, s));
    return VERDICTS;
}

/* Fewer events say nothing about a rate: one timeout among 60 packets of an idle link is chance. */
enum { LEAST_EVENTS = 5 };

/* Without a count of packets every event counts. */
static enum verdict judge_ratio(const struct subject *s, struct judgement *j, const struct counting *counting,
                                const struct growth *growth)
{
    struct growth total = growth_in(s, j, ROLES_OF(counting->packets));
    bool few = growth->sum < LEAST_EVENTS;
    if (!total.sum)
        return judge_as(j, few ? VERDICT_INFO : VERDICT_WARN, "%s %s; %s", growth->evidence,
                        interval_text(j, s),
                        total.known ? "no packet was counted meanwhile" : "the driver doesn't count packets");
    double ppm = (double)growth->sum * 1e6 / (double)total.sum;
    enum verdict verdict = counting->fail_ppm && ppm >= (double)counting->fail_ppm ? VERDICT_FAIL
                           : ppm >= (double)counting->warn_ppm                     ? VERDICT_WARN
                                                                                   : VERDICT_PASS;
    bool chance = few && verdict >= VERDICT_WARN;
    return judge_as(j, chance ? VERDICT_INFO : verdict, "%s %s, with %" PRIu64 " packets: %.4g%%%s",
                    growth->evidence, interval_text(j, s), total.sum, ppm / 1e4,
                    chance ? ", of too few to tell a rate" : "");
}

JUDGE(growth)
{
    const struct counting *counting = &j->check->counting;
    struct growth growth = growth_in(s, j, counting->roles);
    enum verdict verdict = no_growth(s, j, &growth);
    if (verdict != VERDICTS)
        return verdict;
    if (!counting->warn_ppm)
        return judge_as(j, counting->if_any, "%s %s", growth.evidence, interval_text(j, s));
    verdict = judge_ratio(s, j, counting, &growth);
    if (counting->fail_ppm)
        return verdict;
    return verdict >= VERDICT_WARN ? VERDICT_INFO : verdict == VERDICT_INFO ? VERDICT_PASS : verdict;
}

JUDGE(cnp_ignored)
{
    if (s->netdev && s->netdev->ecn_enabled[0] != TRI_UNKNOWN) /* mlx5's files */
        judge_command(j, "echo 1 >/sys/class/net/{netdev}/ecn/roce_rp/enable/{PRIORITY} # the priority that "
                         "roce qos shows for RoCE");
    return judge_growth(s, j);
}

/* Counters that other checks cover, with findings above INFO. */
static const roles_t spoken_of = ROLES_OF(ROLE_TRANSPORT_RETRIES_EXCEEDED) |
                                 ROLES_OF(ROLE_RNR_RETRIES_EXCEEDED) | ROLES_OF(ROLE_RETRANSMISSIONS) |
                                 ROLES_OF(ROLE_RECEIVE_BUFFER_DROPS) | ROLES_OF(ROLE_ICRC_ERRORS) |
                                 ROLES_OF(ROLE_CNP_IGNORED) | ROLES_OF(ROLE_PCIE_ERRORS) |
                                 ROLES_OF(ROLE_LINK_ERRORS) | ROLES_OF(ROLE_DISCARDS);

static bool is_other_error(const void *data, const struct counter *counter)
{
    (void)data;
    return counter->def && counter->def->severity == COUNTER_ERROR && !(spoken_of & ROLES_OF(counter->role));
}

static const struct {
    const char *all, *flushed;
} completions[] = { FLUSHED_COMPLETIONS };

static bool is_completion(const char *name)
{
    for (size_t i = 0; i < ARRAY_SIZE(completions); i++)
        if (strcmp(completions[i].all, name) == 0)
            return true;
    return false;
}

static bool is_error_beside_flushes(const void *data, const struct counter *counter)
{
    return is_other_error(data, counter) && !is_completion(counter->name);
}

/* The completions with an error that aren't flushes: 0 if the driver doesn't count flushes separately. */
static uint64_t errors_beside_flushes(const struct subject *s, struct judgement *j)
{
    uint64_t errors = 0;
    for (size_t i = 0; i < ARRAY_SIZE(completions); i++) {
        struct growth all = growth_where(s, j, is_named, completions[i].all);
        struct growth flushed = growth_where(s, j, is_named, completions[i].flushed);
        errors += grown(flushed.sum, all.sum);
    }
    return errors;
}

JUDGE(other_errors)
{
    struct growth growth = growth_where(s, j, is_other_error, NULL);
    if (growth.sum && errors_beside_flushes(s, j) == 0) {
        struct growth rest = growth_where(s, j, is_error_beside_flushes, NULL);
        growth.sum = rest.sum;
        growth.evidence = rest.evidence;
    }
    enum verdict verdict = no_growth(s, j, &growth);
    return verdict != VERDICTS ? verdict : judge_warn(j, "%s %s", growth.evidence, interval_text(j, s));
}
