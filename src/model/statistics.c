/* SPDX-License-Identifier: MIT */
/* Looks a netdev's statistic up in its driver's table. */
#include "model/statistics.h"

static bool fits(const char *pattern, const char *name, unsigned *priority)
{
    while (*pattern && *pattern != '{' && *pattern == *name)
        pattern++, name++;
    if (*pattern != '{')
        return !*pattern && !*name;
    size_t digits = strspn(name, "0123456789");
    if (pattern[1] == 'p' && (digits != 1 || *name - '0' >= PRIORITIES))
        return false;
    if (!digits || !fits(pattern + strlen("{n}"), name + digits, priority))
        return false;
    if (pattern[1] == 'p')
        *priority = (unsigned)(*name - '0');
    return true;
}

const struct counter_def *statistic_table_find(const struct counter_table *table, const char *name,
                                               unsigned *priority)
{
    *priority = PRIORITIES;
    for (size_t i = 0; i < table->count; i++)
        if (fits(table->defs[i].name, name, priority))
            return &table->defs[i];
    return NULL;
}

/* "mlx5_core.sf" is mlx5_core's, "iceberg" isn't ice's. */
static bool is_of(const struct counter_table *table, const char *driver)
{
    return !driver || (table->family && text_starts(driver, table->family) &&
                       !isalnum((unsigned char)driver[strlen(table->family)]));
}

const struct counter_def *statistic_find(const char *driver, const char *name, unsigned *priority)
{
    const struct counter_def *def = NULL;
    *priority = PRIORITIES;
    for (const struct counter_table *table = statistic_tables; table->count && !def; table++)
        if (is_of(table, driver))
            def = statistic_table_find(table, name, priority);
    return def;
}

void statistics_join(struct qos_statistic *statistics, size_t count, const char *driver)
{
    for (size_t i = 0; i < count; i++)
        statistics[i].def = statistic_find(driver, statistics[i].name, &statistics[i].priority);
}

/* The sum of what has a role, where the kernel's own answer has no number. */
static void fill_in(struct num *number, const struct qos *qos, enum counter_role role)
{
    const struct qos_statistic *statistic = NULL;
    uint64_t sum = 0;
    bool any = false;
    while ((statistic = qos_next_in_role(qos, ROLES_OF(role), statistic))) {
        sum += statistic->value;
        any = true;
    }
    if (any && !number->known)
        *number = num_of(sum);
}

void statistics_fill(struct qos *qos)
{
    fill_in(&qos->ethtool.pause_frames_received, qos, ROLE_PAUSE_RECEIVED);
    fill_in(&qos->ethtool.pause_frames_sent, qos, ROLE_PAUSE_SENT);
}

const struct qos_statistic *qos_next_in_role(const struct qos *qos, roles_t roles,
                                             const struct qos_statistic *after)
{
    size_t i = after ? (size_t)(after - qos->statistics) + 1 : 0;
    for (; qos && i < qos->nstatistics; i++) {
        const struct counter_def *def = qos->statistics[i].def;
        if (def && roles & ROLES_OF(def->role))
            return &qos->statistics[i];
    }
    return NULL;
}
