// SPDX-License-Identifier: GPL-2.0
/* What the files of dcbsim share. main.c tells what it is. */
#pragma once

#include <linux/atomic.h>
#include <linux/dcbnl.h>
#include <linux/ethtool.h>
#include <linux/netdevice.h>
#include <linux/platform_device.h>
#include <linux/version.h>

#define PRIORITIES IEEE_8021QAZ_MAX_TCS
#define BUFFER_BYTES 262016
#define TRUST_ENTRIES 2 /* DSCP and PCP, in one order or the other */
#define NETDEVS 2

/* In the order of their names in counters.c. */
enum port_counter {
	RX_DISCARDS,
	TX_DISCARDS,
	RX_OUT_OF_BUFFER,
	RX_CRC_ERRORS,
	RX_SYMBOL_ERRORS,
	LINK_DOWN_EVENTS,
	RX_PAUSE,
	TX_PAUSE,
	FEC_CORRECTED,
	FEC_UNCORRECTABLE,
	PORT_COUNTERS,
};

/* Eight of each in a row. */
enum priority_counter {
	RX_PACKETS,
	RX_BYTES,
	TX_PACKETS,
	TX_BYTES,
	RX_PRIORITY_PAUSE,
	TX_PRIORITY_PAUSE,
	RX_PRIORITY_DISCARDS,
	PRIORITY_COUNTERS,
};

#define COUNTERS (PORT_COUNTERS + PRIORITY_COUNTERS * PRIORITIES)

/* netdev_priv() of each end; what can be set is under RTNL. */
struct dcbsim_port {
	struct net_device *peer;
	atomic64_t counters[COUNTERS];
	struct ieee_pfc pfc;
	struct ieee_ets ets;
	struct ieee_maxrate maxrate;
	struct dcbnl_buffer buffer;
	u8 dcbx;
	u8 trust[TRUST_ENTRIES];
	int trusted;
	struct ethtool_pauseparam pause;
	u32 fec;
	u32 speed;
	u8 duplex;
};

extern struct platform_device *dcbsim_platform;
extern struct net_device *dcbsim_netdevs[NETDEVS];

/* counters.c; name: as in `ethtool -S` */
atomic64_t *dcbsim_priority_counter(struct dcbsim_port *port, enum priority_counter counter, unsigned int priority);
void dcbsim_counter_name(char name[ETH_GSTRING_LEN], unsigned int index);

/* frames.c, ethtool.c, dcb.c */
extern const struct net_device_ops dcbsim_netdev_ops;
extern const struct ethtool_ops dcbsim_ethtool_ops;
extern const struct dcbnl_rtnl_ops dcbsim_dcbnl_ops;

/* dcb.c; 0 or -errno */
int dcbsim_setapptrust(struct net_device *netdev, u8 *selectors, int count);

/* devlink.c; 0 or -errno */
int dcbsim_add_devlink(void);
void dcbsim_remove_devlink(void);

/* by_hand.c: the files of /sys/devices/platform/dcbsim */
extern const struct attribute_group *dcbsim_groups[];
