// SPDX-License-Identifier: GPL-2.0
/* dcbsim's answers to dcbnl; all under RTNL. */
#include <linux/netdevice.h>
#include <net/dcbnl.h>

#include "dcbsim.h"

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
		pfc->requests[i] = atomic64_read(dcbsim_priority_counter(port, TX_PRIORITY_PAUSE, i));
		pfc->indications[i] = atomic64_read(dcbsim_priority_counter(port, RX_PRIORITY_PAUSE, i));
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
int dcbsim_setapptrust(struct net_device *netdev, u8 *selectors, int count)
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

const struct dcbnl_rtnl_ops dcbsim_dcbnl_ops = {
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
