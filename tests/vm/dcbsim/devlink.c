// SPDX-License-Identifier: GPL-2.0
/* dcbsim's devlink: the switch that real adapters have for RoCE as a whole. It changes nothing but its own value. */
#include <net/devlink.h>

#include "dcbsim.h"

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

/* From 5.15 on what is registered last is shown, device and all; before, the device was registered first, and
 * parameters were shown when told. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 15, 0)
int dcbsim_add_devlink(void)
{
	int err;

	devlink = devlink_alloc(&devlink_ops, 0, &dcbsim_platform->dev);
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

void dcbsim_remove_devlink(void)
{
	devlink_unregister(devlink);
	devlink_params_unregister(devlink, devlink_params, ARRAY_SIZE(devlink_params));
	devlink_free(devlink);
}
#else
int dcbsim_add_devlink(void)
{
	int err;

	devlink = devlink_alloc(&devlink_ops, 0);
	if (!devlink)
		return -ENOMEM;
	err = devlink_register(devlink, &dcbsim_platform->dev);
	if (err)
		goto no_device;
	err = devlink_params_register(devlink, devlink_params, ARRAY_SIZE(devlink_params));
	if (err)
		goto no_params;
	set_enable_roce(true);
	devlink_params_publish(devlink);
	return 0;

no_params:
	devlink_unregister(devlink);
no_device:
	devlink_free(devlink);
	return err;
}

void dcbsim_remove_devlink(void)
{
	devlink_params_unpublish(devlink);
	devlink_params_unregister(devlink, devlink_params, ARRAY_SIZE(devlink_params));
	devlink_unregister(devlink);
	devlink_free(devlink);
}
#endif
