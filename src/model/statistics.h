/* SPDX-License-Identifier: MIT */
/* What a netdev's statistics (ethtool -S) mean: the counter dictionary's part of them, a table a driver, made
 * of netdev_statistics.txt. Pure. */
#pragma once

#include "model/counter_roles.h"
#include "model/qos.h"

/* family: the kernel driver of the netdev's parent; NULL: files of any netdev; dir: "ethtool -S", or where the
 * files are. Rows are patterns: "{p}" is a priority, "{n}" any number. The one behind the last has no rows. */
extern const struct counter_table statistic_tables[];

/* The row of a name; NULL if there is none. Sets *priority to the one in the name, PRIORITIES if there is none.
 * driver as in struct netdev; of one that isn't known (NULL), the first that has the name. */
const struct counter_def *statistic_find(const char *driver, const char *name, unsigned *priority);
const struct counter_def *statistic_table_find(const struct counter_table *table, const char *name,
                                               unsigned *priority);
/* Fills in what statistics mean. */
void statistics_join(struct qos_statistic *statistics, size_t count, const char *driver);
/* Fills in how many frames of link-level pause there were, where ETHTOOL_A_PAUSE_STATS doesn't tell (from 5.12;
 * not every driver answers) and statistics that were joined do. */
void statistics_fill(struct qos *qos);

/* Those that count frames dropped on their way in, of any priority. Several may count the same frames. */
#define DROP_ROLES (ROLES_OF(ROLE_RECEIVE_DROP) | ROLES_OF(ROLE_PRIORITY_DROP) | ROLES_OF(ROLE_PCIE_DROP))

/* The next statistic after `after` (NULL: the first) that has one of these roles; NULL when there are no more,
 * or no qos. */
const struct qos_statistic *qos_next_in_role(const struct qos *qos, roles_t roles,
                                             const struct qos_statistic *after);
