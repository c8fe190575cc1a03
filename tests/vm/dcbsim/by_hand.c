// SPDX-License-Identifier: GPL-2.0
/* What a test sets by hand, in /sys/devices/platform/dcbsim. */
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <linux/sysfs.h>
#include <net/dcbnl.h>

#include "dcbsim.h"

static struct net_device *find_netdev(const char *name)
{
	unsigned int i;

	for (i = 0; i < NETDEVS; i++)
		if (!strcmp(dcbsim_netdevs[i]->name, name))
			return dcbsim_netdevs[i];
	return NULL;
}

static int add_to_counter(struct net_device *netdev, const char *name, s64 amount)
{
	struct dcbsim_port *port = netdev_priv(netdev);
	char own[ETH_GSTRING_LEN];
	unsigned int i;

	for (i = 0; i < COUNTERS; i++) {
		dcbsim_counter_name(own, i);
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

static const struct attribute_group dcbsim_group = {.attrs = dcbsim_attrs};
const struct attribute_group *dcbsim_groups[] = {&dcbsim_group, NULL};
