/* The netlink part of host_read(): each asks what the needs call for and fills its part of the host. What a
 * kernel or a container doesn't offer stays absent. Private to source/. */
#pragma once

#include "source/reader.h"

/* After the devices, before the netdevs: device.index, protocol, nldev_*, port.netdev_nldev, system. */
void read_nldev(struct reader *reader);
/* After the devices and read_nldev: host.resources. */
void read_resources(struct reader *reader);
/* After the netdevs: links, addresses (NEED_ADDRESSES), routes, neighbours, rules (NEED_ROUTES). */
void read_rtnl(struct reader *reader);
/* After read_rtnl: host.qos of the netdevs that are known by then. */
void read_qos(struct reader *reader);
/* After the devices: host.system.firewall. */
void read_firewall(struct reader *reader);
