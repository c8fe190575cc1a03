/* SPDX-License-Identifier: MIT */
/* Fixes that fit the distribution and the driver. Text for a person; nothing here runs it. */

#include "base/text.h"
#include "check/judge.h"

void fix_module(struct judgement *judgement, const struct system *system, const char *module)
{
    if (system->user_namespace) {
        judge_fix(judgement, "on the host (a container can't): modprobe %s", module);
        return;
    }
    switch (system_distribution(system)) {
    case DISTRIBUTION_ALPINE:
        judge_fix(judgement, "modprobe %s; for every boot: echo %s >>/etc/modules", module, module);
        return;
    case DISTRIBUTION_DEBIAN:
        judge_fix(
            judgement,
            "modprobe %s; for every boot: echo %s >/etc/modules-load.d/%s.conf (if modprobe finds none: apt install linux-modules-extra-$(uname -r) on Ubuntu)",
            module, module, module);
        return;
    case DISTRIBUTION_REDHAT:
        judge_fix(
            judgement,
            "modprobe %s; for every boot: echo %s >/etc/modules-load.d/%s.conf (if modprobe finds none: dnf install kernel-modules-extra)",
            module, module, module);
        return;
    default:
        judge_fix(judgement, "modprobe %s; for every boot: echo %s >/etc/modules-load.d/%s.conf", module,
                  module, module);
    }
}

void fix_package(struct judgement *judgement, const struct system *system, const char *debian,
                 const char *redhat, const char *suse)
{
    switch (system_distribution(system)) {
    case DISTRIBUTION_DEBIAN:
        judge_fix(judgement, "apt install %s", debian);
        return;
    case DISTRIBUTION_REDHAT:
        judge_fix(judgement, "dnf install %s", redhat);
        return;
    case DISTRIBUTION_SUSE:
        judge_fix(judgement, "zypper install %s", suse ? suse : redhat);
        return;
    case DISTRIBUTION_ARCH:
        judge_fix(judgement, "pacman -S rdma-core");
        return;
    case DISTRIBUTION_ALPINE:
        judge_fix(judgement, "apk add rdma-core");
        return;
    case DISTRIBUTION_OTHER:
        judge_fix(judgement, "install rdma-core (Debian: %s; Red Hat: %s)", debian, redhat);
        return;
    }
}

void fix_sysctl(struct judgement *judgement, const char *name, const char *value)
{
    judge_fix(judgement, "sysctl -w %s=%s; for every boot: echo '%s = %s' >>/etc/sysctl.d/90-rdma.conf", name,
              value, name, value);
}

void fix_enable_roce(struct judgement *judgement, const char *bus, const char *function)
{
    judge_fix(
        judgement,
        "devlink dev param set %s/%s name enable_roce value true cmode driverinit && devlink dev reload %s/%s",
        bus, function, bus, function);
}

void fix_mtu(struct judgement *judgement, const struct system *system, const char *netdev, unsigned mtu)
{
    const char *keep = "";
    switch (system_distribution(system)) {
    case DISTRIBUTION_REDHAT:
        judge_fix(
            judgement,
            "ip link set dev %s mtu %u; for every boot: nmcli connection modify %s 802-3-ethernet.mtu %u; the switch and the peers need it too",
            netdev, mtu, netdev, mtu);
        return;
    case DISTRIBUTION_SUSE:
        judge_fix(
            judgement,
            "ip link set dev %s mtu %u; for every boot: MTU='%u' in /etc/sysconfig/network/ifcfg-%s; the switch and the peers need it too",
            netdev, mtu, mtu, netdev);
        return;
    case DISTRIBUTION_DEBIAN:
        keep = text_is(system->os_id, "ubuntu") ? "; for every boot: mtu in /etc/netplan/*.yaml"
                                                : "; for every boot: mtu in /etc/network/interfaces";
        break;
    default:
        break;
    }
    judge_fix(judgement, "ip link set dev %s mtu %u%s; the switch and the peers need it too", netdev, mtu,
              keep);
}
