// SPDX-License-Identifier: GPL-2.0
/*
 * dcbsim: two Ethernet netdevs joined by a cable, dcb0 and dcb1, that answer what a RoCE adapter answers.
 *
 * For roce's test bed: soft-RoCE runs on top, and the real dcb, ethtool and devlink set and show
 *
 *   dcbnl    PFC, ETS, maximum rates, APP entries, buffers, DCBX mode; from kernel 6.2 on the trust order
 *   ethtool  pause, speed and duplex, FEC, each with its statistics, and `ethtool -S` with counters per priority
 *   devlink  the parameter enable_roce
 *
 * Frames are counted under the priority that the settings give them: the PCP of a tagged frame, else the APP entry of
 * its DSCP where DSCP is trusted, else 0. Nothing else is simulated: no queue, no loss, no PFC frame. Whatever traffic
 * can't raise, a test raises itself: `echo "dcb0 rx_prio3_pause 100" >/sys/devices/platform/dcbsim/count` adds 100. And
 * as older dcb programs can set neither the trust order nor APP entries for PCPs:
 * `echo "dcb0 dscp pcp" >/sys/devices/platform/dcbsim/trust`, `echo "dcb0 5 3" >/sys/devices/platform/dcbsim/pcp` (PCP
 * 5: priority 3).
 */
#include <linux/atomic.h>
#include <linux/dcbnl.h>
#include <linux/etherdevice.h>
#include <linux/ethtool.h>
#include <linux/if_vlan.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/linkmode.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/platform_device.h>
#include <linux/rtnetlink.h>
#include <linux/version.h>
#include <net/dcbnl.h>
#include <net/devlink.h>
#include <net/dsfield.h>

#define PRIORITIES IEEE_8021QAZ_MAX_TCS
#define BUFFER_BYTES 262016
#define TRUST_ENTRIES 2 /* DSCP and PCP, in one order or the other */

/* Counters by the names of mlx5, which are the ones that scripts know. Those per priority come eight in a row. */
static const char *const port_counters[] = {
	"rx_discards_phy",     "tx_discards_phy",	  "rx_out_of_buffer",  "rx_crc_errors_phy",
	"rx_symbol_err_phy",   "link_down_events_phy",	  "rx_pause_ctrl_phy", "tx_pause_ctrl_phy",
	"rx_corrected_blocks", "rx_uncorrectable_blocks",
};

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

static const char *const priority_counters[] = {
	"rx_prio%u_packets", "rx_prio%u_bytes", "tx_prio%u_packets",  "tx_prio%u_bytes",
	"rx_prio%u_pause",   "tx_prio%u_pause", "rx_prio%u_discards",
};

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

static struct platform_device *platform;
static struct net_device *netdevs[2];

static atomic64_t *priority_counter(struct dcbsim_port *port, enum priority_counter counter, unsigned int priority)
{
	return &port->counters[PORT_COUNTERS + counter * PRIORITIES + priority];
}

static void counter_name(char name[ETH_GSTRING_LEN], unsigned int index)
{
	if (index < PORT_COUNTERS) {
		strscpy(name, port_counters[index], ETH_GSTRING_LEN);
		return;
	}
	index -= PORT_COUNTERS;
	snprintf(name, ETH_GSTRING_LEN, priority_counters[index / PRIORITIES], index % PRIORITIES);
}

/* ---- frames */

static bool trusts(const struct dcbsim_port *port, u8 selector)
{
	int i;

	for (i = 0; i < port->trusted; i++)
		if (port->trust[i] == selector)
			return true;
	return false;
}

/* Before 6.2 there is no trust order; drivers took any DSCP entry as "trust DSCP" (no entry: the lookup says 0). */
static bool trusts_dscp(const struct dcbsim_port *port)
{
	return LINUX_VERSION_CODE < KERNEL_VERSION(6, 2, 0) || trusts(port, IEEE_8021QAZ_APP_SEL_DSCP);
}

static unsigned int dscp_priority(struct net_device *netdev, u8 dsfield)
{
	struct dcb_app app = {.selector = IEEE_8021QAZ_APP_SEL_DSCP, .protocol = dsfield >> 2};
	u8 priorities = dcb_ieee_getapp_mask(netdev, &app);

	return priorities ? fls(priorities) - 1 : 0;
}

/* skb: with its Ethernet header in front. */
static unsigned int frame_priority(struct net_device *netdev, struct sk_buff *skb)
{
	const struct dcbsim_port *port = netdev_priv(netdev);
	const struct ethhdr *eth = (const struct ethhdr *)skb->data;
	u16 tag;

	if (!vlan_get_tag(skb, &tag))
		return (tag & VLAN_PRIO_MASK) >> VLAN_PRIO_SHIFT;
	if (!trusts_dscp(port))
		return 0;
	if (eth->h_proto == htons(ETH_P_IP) && pskb_may_pull(skb, ETH_HLEN + sizeof(struct iphdr)))
		return dscp_priority(netdev, ipv4_get_dsfield((const struct iphdr *)(skb->data + ETH_HLEN)));
	if (eth->h_proto == htons(ETH_P_IPV6) && pskb_may_pull(skb, ETH_HLEN + sizeof(struct ipv6hdr)))
		return dscp_priority(netdev, ipv6_get_dsfield((const struct ipv6hdr *)(skb->data + ETH_HLEN)));
	return 0;
}

static void count_frame(struct net_device *netdev, struct sk_buff *skb, enum priority_counter packets)
{
	struct dcbsim_port *port = netdev_priv(netdev);
	unsigned int priority = frame_priority(netdev, skb);

	atomic64_inc(priority_counter(port, packets, priority));
	atomic64_add(skb->len, priority_counter(port, packets + 1, priority));
}

static netdev_tx_t dcbsim_start_xmit(struct sk_buff *skb, struct net_device *netdev)
{
	struct dcbsim_port *port = netdev_priv(netdev);

	count_frame(netdev, skb, TX_PACKETS);
	if (!netif_running(port->peer)) {
		atomic64_inc(&port->counters[TX_DISCARDS]);
		kfree_skb(skb);
	} else if (!is_skb_forwardable(port->peer, skb)) {
		/* Longer than the receiver's MTU. */
		atomic64_inc(&((struct dcbsim_port *)netdev_priv(port->peer))->counters[RX_DISCARDS]);
		kfree_skb(skb);
	} else {
		count_frame(port->peer, skb, RX_PACKETS);
		if (!__dev_forward_skb(port->peer, skb))
			netif_rx(skb);
	}
	return NETDEV_TX_OK;
}

static void dcbsim_get_stats64(struct net_device *netdev, struct rtnl_link_stats64 *stats)
{
	struct dcbsim_port *port = netdev_priv(netdev);
	unsigned int i;

	for (i = 0; i < PRIORITIES; i++) {
		stats->rx_packets += atomic64_read(priority_counter(port, RX_PACKETS, i));
		stats->rx_bytes += atomic64_read(priority_counter(port, RX_BYTES, i));
		stats->tx_packets += atomic64_read(priority_counter(port, TX_PACKETS, i));
		stats->tx_bytes += atomic64_read(priority_counter(port, TX_BYTES, i));
	}
	stats->tx_dropped = atomic64_read(&port->counters[TX_DISCARDS]);
}

/* A cable: each end has a carrier while both are up. */
static int dcbsim_open(struct net_device *netdev)
{
	struct dcbsim_port *port = netdev_priv(netdev);

	if (netif_running(port->peer)) {
		netif_carrier_on(netdev);
		netif_carrier_on(port->peer);
	}
	return 0;
}

static int dcbsim_stop(struct net_device *netdev)
{
	struct dcbsim_port *port = netdev_priv(netdev);

	if (netif_carrier_ok(port->peer))
		atomic64_inc(&((struct dcbsim_port *)netdev_priv(port->peer))->counters[LINK_DOWN_EVENTS]);
	netif_carrier_off(netdev);
	netif_carrier_off(port->peer);
	return 0;
}

static const struct net_device_ops netdev_ops = {
	.ndo_open = dcbsim_open,
	.ndo_stop = dcbsim_stop,
	.ndo_start_xmit = dcbsim_start_xmit,
	.ndo_get_stats64 = dcbsim_get_stats64,
	.ndo_set_mac_address = eth_mac_addr,
};

/* ---- ethtool */

static void dcbsim_get_drvinfo(struct net_device *netdev, struct ethtool_drvinfo *info)
{
	strscpy(info->driver, "dcbsim", sizeof(info->driver));
	strscpy(info->bus_info, dev_name(&platform->dev), sizeof(info->bus_info));
}

static void dcbsim_get_pauseparam(struct net_device *netdev, struct ethtool_pauseparam *pause)
{
	struct dcbsim_port *port = netdev_priv(netdev);

	*pause = port->pause;
}

static int dcbsim_set_pauseparam(struct net_device *netdev, struct ethtool_pauseparam *pause)
{
	struct dcbsim_port *port = netdev_priv(netdev);

	port->pause = *pause;
	return 0;
}

static void dcbsim_get_pause_stats(struct net_device *netdev, struct ethtool_pause_stats *stats)
{
	struct dcbsim_port *port = netdev_priv(netdev);

	stats->rx_pause_frames = atomic64_read(&port->counters[RX_PAUSE]);
	stats->tx_pause_frames = atomic64_read(&port->counters[TX_PAUSE]);
}

static int dcbsim_get_link_ksettings(struct net_device *netdev, struct ethtool_link_ksettings *settings)
{
	struct dcbsim_port *port = netdev_priv(netdev);

	ethtool_link_ksettings_zero_link_mode(settings, supported);
	ethtool_link_ksettings_add_link_mode(settings, supported, 10000baseCR_Full);
	ethtool_link_ksettings_add_link_mode(settings, supported, 25000baseCR_Full);
	ethtool_link_ksettings_add_link_mode(settings, supported, 50000baseCR2_Full);
	ethtool_link_ksettings_add_link_mode(settings, supported, 100000baseCR4_Full);
	ethtool_link_ksettings_add_link_mode(settings, supported, Pause);
	ethtool_link_ksettings_add_link_mode(settings, supported, FEC_NONE);
	ethtool_link_ksettings_add_link_mode(settings, supported, FEC_RS);
	ethtool_link_ksettings_add_link_mode(settings, supported, FEC_BASER);
	linkmode_copy(settings->link_modes.advertising, settings->link_modes.supported);
	settings->base.port = PORT_DA;
	settings->base.autoneg = AUTONEG_DISABLE;
	settings->base.speed = netif_carrier_ok(netdev) ? port->speed : SPEED_UNKNOWN;
	settings->base.duplex = netif_carrier_ok(netdev) ? port->duplex : DUPLEX_UNKNOWN;
	settings->lanes = netif_carrier_ok(netdev) ? DIV_ROUND_UP(port->speed, SPEED_25000) : 0;
	return 0;
}

static int dcbsim_set_link_ksettings(struct net_device *netdev, const struct ethtool_link_ksettings *settings)
{
	struct dcbsim_port *port = netdev_priv(netdev);

	switch (settings->base.speed) {
	case SPEED_10000:
	case SPEED_25000:
	case SPEED_50000:
	case SPEED_100000:
		break;
	default:
		return -EINVAL;
	}
	if (settings->base.duplex != DUPLEX_HALF && settings->base.duplex != DUPLEX_FULL)
		return -EINVAL;
	port->speed = settings->base.speed;
	port->duplex = settings->base.duplex;
	netdev_state_change(netdev);
	return 0;
}

static int dcbsim_get_fecparam(struct net_device *netdev, struct ethtool_fecparam *fec)
{
	struct dcbsim_port *port = netdev_priv(netdev);

	fec->fec = port->fec;
	fec->active_fec = port->fec & ETHTOOL_FEC_AUTO ? ETHTOOL_FEC_RS : port->fec;
	return 0;
}

static int dcbsim_set_fecparam(struct net_device *netdev, struct ethtool_fecparam *fec)
{
	struct dcbsim_port *port = netdev_priv(netdev);

	if (hweight32(fec->fec) != 1 ||
	    fec->fec & ~(ETHTOOL_FEC_AUTO | ETHTOOL_FEC_OFF | ETHTOOL_FEC_RS | ETHTOOL_FEC_BASER))
		return -EINVAL;
	port->fec = fec->fec;
	return 0;
}

static void fill_fec_stats(struct net_device *netdev, struct ethtool_fec_stats *stats)
{
	struct dcbsim_port *port = netdev_priv(netdev);

	stats->corrected_blocks.total = atomic64_read(&port->counters[FEC_CORRECTED]);
	stats->uncorrectable_blocks.total = atomic64_read(&port->counters[FEC_UNCORRECTABLE]);
}

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 18, 0)
static void dcbsim_get_fec_stats(struct net_device *netdev, struct ethtool_fec_stats *stats,
				 struct ethtool_fec_hist *hist)
{
	fill_fec_stats(netdev, stats);
}
#else
static void dcbsim_get_fec_stats(struct net_device *netdev, struct ethtool_fec_stats *stats)
{
	fill_fec_stats(netdev, stats);
}
#endif

static int dcbsim_get_sset_count(struct net_device *netdev, int set)
{
	return set == ETH_SS_STATS ? COUNTERS : -EOPNOTSUPP;
}

static void dcbsim_get_strings(struct net_device *netdev, u32 set, u8 *names)
{
	unsigned int i;

	for (i = 0; i < COUNTERS; i++)
		counter_name((char *)names + i * ETH_GSTRING_LEN, i);
}

static void dcbsim_get_ethtool_stats(struct net_device *netdev, struct ethtool_stats *stats, u64 *values)
{
	struct dcbsim_port *port = netdev_priv(netdev);
	unsigned int i;

	for (i = 0; i < COUNTERS; i++)
		values[i] = atomic64_read(&port->counters[i]);
}

static const struct ethtool_ops ethtool_ops = {
	.cap_link_lanes_supported = true,
	.get_drvinfo = dcbsim_get_drvinfo,
	.get_link = ethtool_op_get_link,
	.get_pauseparam = dcbsim_get_pauseparam,
	.set_pauseparam = dcbsim_set_pauseparam,
	.get_pause_stats = dcbsim_get_pause_stats,
	.get_link_ksettings = dcbsim_get_link_ksettings,
	.set_link_ksettings = dcbsim_set_link_ksettings,
	.get_fecparam = dcbsim_get_fecparam,
	.set_fecparam = dcbsim_set_fecparam,
	.get_fec_stats = dcbsim_get_fec_stats,
	.get_sset_count = dcbsim_get_sset_count,
	.get_strings = dcbsim_get_strings,
	.get_ethtool_stats = dcbsim_get_ethtool_stats,
};

/* ---- dcbnl; all under RTNL, as ethtool's */

static int dcbsim_getets(struct net_device *netdev, struct ieee_ets *ets)
{
	*ets = ((struct dcbsim_port *)netdev_priv(netdev))->ets;
	return 0;
}

static int dcbsim_setets(struct net_device *netdev, struct ieee_ets *ets)
{
	struct dcbsim_port *port = netdev_priv(netdev);
	unsigned int i, percent = 0, shared = 0;

	for (i = 0; i < PRIORITIES; i++) {
		if (ets->prio_tc[i] >= PRIORITIES)
			return -EINVAL;
		if (ets->tc_tsa[i] == IEEE_8021QAZ_TSA_ETS) {
			shared++;
			percent += ets->tc_tx_bw[i];
		}
	}
	if (shared && percent != 100)
		return -EINVAL;
	port->ets = *ets;
	port->ets.ets_cap = PRIORITIES;
	return 0;
}

static int dcbsim_getmaxrate(struct net_device *netdev, struct ieee_maxrate *maxrate)
{
	*maxrate = ((struct dcbsim_port *)netdev_priv(netdev))->maxrate;
	return 0;
}

static int dcbsim_setmaxrate(struct net_device *netdev, struct ieee_maxrate *maxrate)
{
	((struct dcbsim_port *)netdev_priv(netdev))->maxrate = *maxrate;
	return 0;
}

static int dcbsim_getpfc(struct net_device *netdev, struct ieee_pfc *pfc)
{
	struct dcbsim_port *port = netdev_priv(netdev);
	unsigned int i;

	*pfc = port->pfc;
	for (i = 0; i < PRIORITIES; i++) {
		pfc->requests[i] = atomic64_read(priority_counter(port, TX_PRIORITY_PAUSE, i));
		pfc->indications[i] = atomic64_read(priority_counter(port, RX_PRIORITY_PAUSE, i));
	}
	return 0;
}

static int dcbsim_setpfc(struct net_device *netdev, struct ieee_pfc *pfc)
{
	struct dcbsim_port *port = netdev_priv(netdev);

	port->pfc.pfc_en = pfc->pfc_en;
	port->pfc.mbc = pfc->mbc;
	port->pfc.delay = pfc->delay;
	return 0;
}

static u8 dcbsim_getdcbx(struct net_device *netdev)
{
	return ((struct dcbsim_port *)netdev_priv(netdev))->dcbx;
}

static u8 dcbsim_setdcbx(struct net_device *netdev, u8 mode)
{
	((struct dcbsim_port *)netdev_priv(netdev))->dcbx = mode;
	return 0;
}

static int dcbsim_getbuffer(struct net_device *netdev, struct dcbnl_buffer *buffer)
{
	*buffer = ((struct dcbsim_port *)netdev_priv(netdev))->buffer;
	return 0;
}

static int dcbsim_setbuffer(struct net_device *netdev, struct dcbnl_buffer *buffer)
{
	struct dcbsim_port *port = netdev_priv(netdev);
	u64 sum = 0;
	unsigned int i;

	for (i = 0; i < DCBX_MAX_BUFFERS; i++) {
		if (buffer->prio2buffer[i] >= DCBX_MAX_BUFFERS)
			return -EINVAL;
		sum += buffer->buffer_size[i];
	}
	if (sum > BUFFER_BYTES)
		return -ENOSPC;
	port->buffer = *buffer;
	port->buffer.total_size = BUFFER_BYTES;
	return 0;
}

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 2, 0)
static int dcbsim_setapptrust(struct net_device *netdev, u8 *selectors, int count)
{
	struct dcbsim_port *port = netdev_priv(netdev);
	int i;

	if (count > TRUST_ENTRIES)
		return -EOPNOTSUPP;
	for (i = 0; i < count; i++)
		if (selectors[i] != IEEE_8021QAZ_APP_SEL_DSCP && selectors[i] != DCB_APP_SEL_PCP)
			return -EOPNOTSUPP;
	memcpy(port->trust, selectors, count);
	port->trusted = count;
	return 0;
}

static int dcbsim_getapptrust(struct net_device *netdev, u8 *selectors, int *count)
{
	struct dcbsim_port *port = netdev_priv(netdev);

	memcpy(selectors, port->trust, port->trusted);
	*count = port->trusted;
	return 0;
}
#endif

static const struct dcbnl_rtnl_ops dcbnl_ops = {
	.ieee_getets = dcbsim_getets,
	.ieee_setets = dcbsim_setets,
	.ieee_getmaxrate = dcbsim_getmaxrate,
	.ieee_setmaxrate = dcbsim_setmaxrate,
	.ieee_getpfc = dcbsim_getpfc,
	.ieee_setpfc = dcbsim_setpfc,
	.ieee_setapp = dcb_ieee_setapp,
	.ieee_delapp = dcb_ieee_delapp,
	.getdcbx = dcbsim_getdcbx,
	.setdcbx = dcbsim_setdcbx,
	.dcbnl_getbuffer = dcbsim_getbuffer,
	.dcbnl_setbuffer = dcbsim_setbuffer,
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 2, 0)
	.dcbnl_setapptrust = dcbsim_setapptrust,
	.dcbnl_getapptrust = dcbsim_getapptrust,
#endif
};

/* ---- the netdevs */

/* As an adapter comes: eight classes that share evenly, no PFC, pause on, trust in the tag, DCBX left to the host. */
static void set_defaults(struct dcbsim_port *port)
{
	unsigned int i;

	port->ets.ets_cap = PRIORITIES;
	for (i = 0; i < PRIORITIES; i++) {
		port->ets.prio_tc[i] = i;
		port->ets.tc_tsa[i] = IEEE_8021QAZ_TSA_ETS;
		port->ets.tc_tx_bw[i] = i < 4 ? 13 : 12;
	}
	port->pfc.pfc_cap = PRIORITIES;
	port->buffer.total_size = BUFFER_BYTES;
	port->buffer.buffer_size[0] = BUFFER_BYTES;
	port->dcbx = DCB_CAP_DCBX_HOST | DCB_CAP_DCBX_VER_IEEE;
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 2, 0)
	port->trust[0] = DCB_APP_SEL_PCP;
	port->trusted = 1;
#endif
	port->pause.rx_pause = 1;
	port->pause.tx_pause = 1;
	port->fec = ETHTOOL_FEC_RS;
	port->speed = SPEED_100000;
	port->duplex = DUPLEX_FULL;
}

static void dcbsim_setup(struct net_device *netdev)
{
	ether_setup(netdev);
	netdev->netdev_ops = &netdev_ops;
	netdev->ethtool_ops = &ethtool_ops;
	netdev->dcbnl_ops = &dcbnl_ops;
	netdev->features |= NETIF_F_HIGHDMA;
	netdev->max_mtu = 9978;
	set_defaults(netdev_priv(netdev));
}

/* Registers one end. Its MAC is always the same, so that recordings are. */
static struct net_device *make_netdev(unsigned int number)
{
	u8 mac[ETH_ALEN] = {0x02, 0xdc, 0xb5, 0x00, 0x00, number};
	struct net_device *netdev;

	netdev = alloc_netdev(sizeof(struct dcbsim_port), "dcb%d", NET_NAME_ENUM, dcbsim_setup);
	if (!netdev)
		return NULL;
	SET_NETDEV_DEV(netdev, &platform->dev);
	eth_hw_addr_set(netdev, mac);
	netdev->dev_port = number;
	return netdev;
}

static void remove_netdevs(unsigned int registered)
{
	unsigned int i;

	for (i = 0; i < registered; i++)
		unregister_netdev(netdevs[i]);
	for (i = 0; i < ARRAY_SIZE(netdevs); i++)
		if (netdevs[i])
			free_netdev(netdevs[i]);
}

static int add_netdevs(void)
{
	unsigned int i;
	int err;

	for (i = 0; i < ARRAY_SIZE(netdevs); i++) {
		netdevs[i] = make_netdev(i);
		if (!netdevs[i]) {
			remove_netdevs(0);
			return -ENOMEM;
		}
	}
	for (i = 0; i < ARRAY_SIZE(netdevs); i++) {
		struct dcbsim_port *port = netdev_priv(netdevs[i]);

		port->peer = netdevs[!i];
		err = register_netdev(netdevs[i]);
		if (err) {
			remove_netdevs(i);
			return err;
		}
		netif_carrier_off(netdevs[i]);
	}
	return 0;
}

/* ---- devlink: the switch that real adapters have for RoCE as a whole; it changes nothing here but its own value */

static const struct devlink_ops devlink_ops = {};

static const struct devlink_param devlink_params[] = {
	DEVLINK_PARAM_GENERIC(ENABLE_ROCE, BIT(DEVLINK_PARAM_CMODE_DRIVERINIT), NULL, NULL, NULL),
};

static struct devlink *devlink;

static void set_enable_roce(bool on)
{
	union devlink_param_value value = {.vbool = on};

/* The lock came with 6.3; the value goes by reference in 7.2, not yet in 6.12. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(7, 0, 0)
	devl_lock(devlink);
	devl_param_driverinit_value_set(devlink, DEVLINK_PARAM_GENERIC_ID_ENABLE_ROCE, &value);
	devl_unlock(devlink);
#elif LINUX_VERSION_CODE >= KERNEL_VERSION(6, 3, 0)
	devl_lock(devlink);
	devl_param_driverinit_value_set(devlink, DEVLINK_PARAM_GENERIC_ID_ENABLE_ROCE, value);
	devl_unlock(devlink);
#else
	devlink_param_driverinit_value_set(devlink, DEVLINK_PARAM_GENERIC_ID_ENABLE_ROCE, value);
#endif
}

static int add_devlink(void)
{
	int err;

	devlink = devlink_alloc(&devlink_ops, 0, &platform->dev);
	if (!devlink)
		return -ENOMEM;
	err = devlink_params_register(devlink, devlink_params, ARRAY_SIZE(devlink_params));
	if (err) {
		devlink_free(devlink);
		return err;
	}
	set_enable_roce(true);
	devlink_register(devlink);
	return 0;
}

static void remove_devlink(void)
{
	devlink_unregister(devlink);
	devlink_params_unregister(devlink, devlink_params, ARRAY_SIZE(devlink_params));
	devlink_free(devlink);
}

/* ---- what a test sets by hand, in /sys/devices/platform/dcbsim */

static struct net_device *find_netdev(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(netdevs); i++)
		if (!strcmp(netdevs[i]->name, name))
			return netdevs[i];
	return NULL;
}

static int add_to_counter(struct net_device *netdev, const char *name, s64 amount)
{
	struct dcbsim_port *port = netdev_priv(netdev);
	char own[ETH_GSTRING_LEN];
	unsigned int i;

	for (i = 0; i < COUNTERS; i++) {
		counter_name(own, i);
		if (!strcmp(own, name)) {
			atomic64_add(amount, &port->counters[i]);
			return 0;
		}
	}
	return -ENOENT;
}

/* Takes "NETDEV COUNTER AMOUNT". */
static ssize_t count_store(struct device *device, struct device_attribute *attribute, const char *text, size_t size)
{
	char name[IFNAMSIZ], counter[ETH_GSTRING_LEN];
	struct net_device *netdev;
	long long amount;
	int err;

	if (sscanf(text, "%15s %31s %lld", name, counter, &amount) != 3)
		return -EINVAL;
	netdev = find_netdev(name);
	if (!netdev)
		return -ENODEV;
	err = add_to_counter(netdev, counter, amount);
	return err ? err : (ssize_t)size;
}

static DEVICE_ATTR_WO(count);

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 2, 0)
static int selector_of(const char *name)
{
	if (!strcmp(name, "dscp"))
		return IEEE_8021QAZ_APP_SEL_DSCP;
	if (!strcmp(name, "pcp"))
		return DCB_APP_SEL_PCP;
	return -EINVAL;
}

/* Takes "NETDEV SELECTOR [SELECTOR]": dscp, pcp. */
static ssize_t trust_store(struct device *device, struct device_attribute *attribute, const char *text, size_t size)
{
	char name[IFNAMSIZ], words[TRUST_ENTRIES][8];
	u8 selectors[TRUST_ENTRIES];
	struct net_device *netdev;
	int i, selector, err, count = sscanf(text, "%15s %7s %7s", name, words[0], words[1]) - 1;

	if (count < 1)
		return -EINVAL;
	netdev = find_netdev(name);
	if (!netdev)
		return -ENODEV;
	for (i = 0; i < count; i++) {
		selector = selector_of(words[i]);
		if (selector < 0)
			return selector;
		selectors[i] = selector;
	}
	rtnl_lock();
	err = dcbsim_setapptrust(netdev, selectors, count);
	rtnl_unlock();
	return err ? err : (ssize_t)size;
}

static DEVICE_ATTR_WO(trust);

/* Takes "NETDEV PCP PRIORITY": an APP entry more. */
static ssize_t pcp_store(struct device *device, struct device_attribute *attribute, const char *text, size_t size)
{
	struct dcb_app app = {.selector = DCB_APP_SEL_PCP};
	struct net_device *netdev;
	char name[IFNAMSIZ];
	int err;

	if (sscanf(text, "%15s %hu %hhu", name, &app.protocol, &app.priority) != 3 || app.priority >= PRIORITIES)
		return -EINVAL;
	netdev = find_netdev(name);
	if (!netdev)
		return -ENODEV;
	rtnl_lock();
	err = dcb_ieee_setapp(netdev, &app);
	rtnl_unlock();
	return err ? err : (ssize_t)size;
}

static DEVICE_ATTR_WO(pcp);
#endif

static struct attribute *dcbsim_attrs[] = {
	&dev_attr_count.attr,
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 2, 0)
	&dev_attr_trust.attr,
	&dev_attr_pcp.attr,
#endif
	NULL,
};

ATTRIBUTE_GROUPS(dcbsim);

/* ---- the module */

static int __init dcbsim_init(void)
{
	int err;

	platform = platform_device_register_simple("dcbsim", PLATFORM_DEVID_NONE, NULL, 0);
	if (IS_ERR(platform))
		return PTR_ERR(platform);
	err = add_devlink();
	if (err)
		goto no_devlink;
	err = add_netdevs();
	if (err)
		goto no_netdevs;
	err = device_add_groups(&platform->dev, dcbsim_groups);
	if (err)
		goto no_files;
	return 0;

no_files:
	remove_netdevs(ARRAY_SIZE(netdevs));
no_netdevs:
	remove_devlink();
no_devlink:
	platform_device_unregister(platform);
	return err;
}

static void __exit dcbsim_exit(void)
{
	device_remove_groups(&platform->dev, dcbsim_groups);
	remove_netdevs(ARRAY_SIZE(netdevs));
	remove_devlink();
	platform_device_unregister(platform);
}

module_init(dcbsim_init);
module_exit(dcbsim_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Two joined netdevs that answer dcbnl, ethtool and devlink as a RoCE adapter does");
