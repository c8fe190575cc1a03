// SPDX-License-Identifier: GPL-2.0
/* dcbsim's frames: from one end to the other, counted under the priority that the settings give them. */
#include <linux/etherdevice.h>
#include <linux/if_vlan.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <net/dcbnl.h>
#include <net/dsfield.h>

#include "dcbsim.h"

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

	atomic64_inc(dcbsim_priority_counter(port, packets, priority));
	atomic64_add(skb->len, dcbsim_priority_counter(port, packets + 1, priority));
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
		stats->rx_packets += atomic64_read(dcbsim_priority_counter(port, RX_PACKETS, i));
		stats->rx_bytes += atomic64_read(dcbsim_priority_counter(port, RX_BYTES, i));
		stats->tx_packets += atomic64_read(dcbsim_priority_counter(port, TX_PACKETS, i));
		stats->tx_bytes += atomic64_read(dcbsim_priority_counter(port, TX_BYTES, i));
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

/* It takes every frame; without this the kernel refuses SIOCADDMULTI, by which agents of LLDP join its group. */
static void dcbsim_set_rx_mode(struct net_device *netdev)
{
}

const struct net_device_ops dcbsim_netdev_ops = {
	.ndo_open = dcbsim_open,
	.ndo_stop = dcbsim_stop,
	.ndo_start_xmit = dcbsim_start_xmit,
	.ndo_get_stats64 = dcbsim_get_stats64,
	.ndo_set_mac_address = eth_mac_addr,
	.ndo_set_rx_mode = dcbsim_set_rx_mode,
};
