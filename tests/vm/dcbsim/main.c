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
#include <linux/etherdevice.h>
#include <linux/module.h>

#include "dcbsim.h"

struct platform_device *dcbsim_platform;
struct net_device *dcbsim_netdevs[NETDEVS];

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
	netdev->netdev_ops = &dcbsim_netdev_ops;
	netdev->ethtool_ops = &dcbsim_ethtool_ops;
	netdev->dcbnl_ops = &dcbsim_dcbnl_ops;
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
	SET_NETDEV_DEV(netdev, &dcbsim_platform->dev);
	eth_hw_addr_set(netdev, mac);
	netdev->dev_port = number;
	return netdev;
}

static void remove_netdevs(unsigned int registered)
{
	unsigned int i;

	for (i = 0; i < registered; i++)
		unregister_netdev(dcbsim_netdevs[i]);
	for (i = 0; i < NETDEVS; i++)
		if (dcbsim_netdevs[i])
			free_netdev(dcbsim_netdevs[i]);
}

static int add_netdevs(void)
{
	unsigned int i;
	int err;

	for (i = 0; i < NETDEVS; i++) {
		dcbsim_netdevs[i] = make_netdev(i);
		if (!dcbsim_netdevs[i]) {
			remove_netdevs(0);
			return -ENOMEM;
		}
	}
	for (i = 0; i < NETDEVS; i++) {
		struct dcbsim_port *port = netdev_priv(dcbsim_netdevs[i]);

		port->peer = dcbsim_netdevs[!i];
		err = register_netdev(dcbsim_netdevs[i]);
		if (err) {
			remove_netdevs(i);
			return err;
		}
		netif_carrier_off(dcbsim_netdevs[i]);
	}
	return 0;
}

static int __init dcbsim_init(void)
{
	int err;

	dcbsim_platform = platform_device_register_simple("dcbsim", PLATFORM_DEVID_NONE, NULL, 0);
	if (IS_ERR(dcbsim_platform))
		return PTR_ERR(dcbsim_platform);
	err = dcbsim_add_devlink();
	if (err)
		goto no_devlink;
	err = add_netdevs();
	if (err)
		goto no_netdevs;
	err = device_add_groups(&dcbsim_platform->dev, dcbsim_groups);
	if (err)
		goto no_files;
	return 0;

no_files:
	remove_netdevs(NETDEVS);
no_netdevs:
	dcbsim_remove_devlink();
no_devlink:
	platform_device_unregister(dcbsim_platform);
	return err;
}

static void __exit dcbsim_exit(void)
{
	device_remove_groups(&dcbsim_platform->dev, dcbsim_groups);
	remove_netdevs(NETDEVS);
	dcbsim_remove_devlink();
	platform_device_unregister(dcbsim_platform);
}

module_init(dcbsim_init);
module_exit(dcbsim_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Two joined netdevs that answer dcbnl, ethtool and devlink as a RoCE adapter does");
