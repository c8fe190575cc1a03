/* SPDX-License-Identifier: MIT */
#include "selftest/peer/privilege.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Registered memory counts as locked: CAP_IPC_LOCK is what lets root register more than the limit. The device
 * nodes belong to root, or everybody may open them. */
static const uint32_t kept = 1u << CAP_IPC_LOCK;

static int drop_bounding(void)
{
    for (unsigned long capability = 0; prctl(PR_CAPBSET_READ, capability, 0, 0, 0) >= 0; capability++)
        if (capability != CAP_IPC_LOCK && prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) < 0 && errno != EPERM)
            return -errno;
    return 0;
}

int privilege_drop(void)
{
    struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
    struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];
    int r = drop_bounding();
    if (r < 0)
        return r;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 || syscall(SYS_capget, &header, data) < 0)
        return -errno;
    for (unsigned i = 0; i < _LINUX_CAPABILITY_U32S_3; i++) {
        uint32_t mask = i == 0 ? kept : 0;
        data[i].effective &= mask;
        data[i].permitted &= mask;
        data[i].inheritable &= mask;
    }
    return syscall(SYS_capset, &header, data) < 0 ? -errno : 0;
}
