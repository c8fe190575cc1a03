// SPDX-License-Identifier: GPL-2.0
/* dcbsim's answers to ethtool; all under RTNL. */
#include <linux/linkmode.h>

#include "dcbsim.h"

/* Both came with 5.13; 5.10 answers FEC by an ioctl alone, without its statistics. */
#define HAS_LANES_AND_FEC_STATS (LINUX_VERSION_CODE >= KERNEL_VERSION(5, 13, 0))

static void dcbsim_get_drvinfo(struct net_device *netdev, struct ethtool_drvinfo *info)
{
	strscpy(info->driver, "dcbsim", sizeof(info->driver));
	strscpy(info->bus_info, dev_name(&dcbsim_platform->dev), sizeof(info->bus_info));
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
#if HAS_LANES_AND_FEC_STATS
	settings->lanes = netif_carrier_ok(netdev) ? DIV_ROUND_UP(port->speed, SPEED_25000) : 0;
#endif
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

#if HAS_LANES_AND_FEC_STATS
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
#endif

static int dcbsim_get_sset_count(struct net_device *netdev, int set)
{
	return set == ETH_SS_STATS ? COUNTERS : -EOPNOTSUPP;
}

static void dcbsim_get_strings(struct net_device *netdev, u32 set, u8 *names)
{
	unsigned int i;

	for (i = 0; i < COUNTERS; i++)
		dcbsim_counter_name((char *)names + i * ETH_GSTRING_LEN, i);
}

static void dcbsim_get_ethtool_stats(struct net_device *netdev, struct ethtool_stats *stats, u64 *values)
{
	struct dcbsim_port *port = netdev_priv(netdev);
	unsigned int i;

	for (i = 0; i < COUNTERS; i++)
		values[i] = atomic64_read(&port->counters[i]);
}

const struct ethtool_ops dcbsim_ethtool_ops = {
#if HAS_LANES_AND_FEC_STATS
	.cap_link_lanes_supported = true,
	.get_fec_stats = dcbsim_get_fec_stats,
#endif
	.get_drvinfo = dcbsim_get_drvinfo,
	.get_link = ethtool_op_get_link,
	.get_pauseparam = dcbsim_get_pauseparam,
	.set_pauseparam = dcbsim_set_pauseparam,
	.get_pause_stats = dcbsim_get_pause_stats,
	.get_link_ksettings = dcbsim_get_link_ksettings,
	.set_link_ksettings = dcbsim_set_link_ksettings,
	.get_fecparam = dcbsim_get_fecparam,
	.set_fecparam = dcbsim_set_fecparam,
	.get_sset_count = dcbsim_get_sset_count,
	.get_strings = dcbsim_get_strings,
	.get_ethtool_stats = dcbsim_get_ethtool_stats,
};
