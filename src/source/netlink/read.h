/* SPDX-License-Identifier: MIT */
/* The netlink part of host_read(): each asks what the needs call for and fills its part of the host. What a
 * kernel or a container doesn't offer stays absent. Private to source/. */
#pragma once

#include <stdint.h>

#include "source/reader.h"

struct qos_statistic;

/* After the devices, before the netdevs: device.index, protocol, nldev_*, port.netdev_nldev, system. */
void read_nldev(struct reader *reader);
/* After the devices and read_nldev: host.resources. */
void read_resources(struct reader *reader);
/* device.index and what else a dump of the devices says; read_nldev does it too. 0 or -errno. */
int read_nldev_indexes(struct reader *reader);
/* After the devices: port.counters of ports without hw_counters/ in sysfs, which only the network namespace
 * of the device has (core/sysfs.c: a device's copy in another one gets no statistics). */
void read_hidden_counters(struct reader *reader);
/* Which counters of a port can be switched, and the values of those that are on: they stand in no file. */
void read_optional_counters(struct reader *reader, struct resources *resources, const struct port *port);
/* resource.counter of the device's queue pairs, which begin at items[first]. */
void read_queue_counters(struct reader *reader, struct resources *resources, size_t first,
                         const struct device *device);
/* After find_netdevs, before read_netdevs: creates the netdevs that rtnetlink knows, with their addresses
 * (NEED_ADDRESSES); routes, neighbours, rules (NEED_ROUTES). */
void read_rtnl(struct reader *reader);
/* After read_netdevs: host.qos of the netdevs that are known by then. */
void read_qos(struct reader *reader);
/* One netdev's statistics alone, into the reader's arena. 0 or -errno. */
int read_statistics(struct reader *reader, const char *netdev, struct qos_statistic **statistics,
                    size_t *count);
/* After the devices: host.system.firewall. */
void read_firewall(struct reader *reader);
/* After read_services: what SMC says, beside them. */
void read_smc(struct reader *reader);
/* After both: where a service names a peer and not its device, routes and rules. They are many on some hosts,
 * and most have no such service. */
void read_routes_of_services(struct reader *reader);

/* The netdevs, as rtnetlink tells them. */

/* Creates those netdevs of the host that are asked for, with all that their links tell. 0 or -errno, which is
 * then also a problem of the host. */
int read_links(struct reader *reader);

/* Makes and deletes software RDMA devices. Live only. 0 or -errno; *text: the kernel's words for it, or NULL,
 * in arena. */

struct arena;

/* type is "rxe" or "siw". The kernel loads the module rdma-link-TYPE by itself. -EOPNOTSUPP: no NETLINK_RDMA;
 * -EINVAL: no such module, mostly. */
int nldev_add_link(const char *name, const char *type, const char *netdev, struct arena *arena,
                   const char **text);
/* Waits until no process has the device open. */
int nldev_delete_link(uint32_t index, struct arena *arena, const char **text);
