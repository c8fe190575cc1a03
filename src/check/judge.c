/* SPDX-License-Identifier: MIT */
/* Giving a verdict with its evidence, and fixes that fit the distribution and the driver. */
#include "check/judge.h"

enum verdict judge_as(struct judgement *judgement, enum verdict verdict, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    judgement->evidence = arena_vprintf(judgement->arena, format, args);
    va_end(args);
    return verdict;
}

const char *judge_errno(struct judgement *judgement, int err)
{
    judgement->err = err;
    return say_errno(err);
}

PRECONDITION(no_device)
{
    return s->host->ndevices ? VERDICTS : judge_na(j, "no RDMA device");
}

PRECONDITION(no_environment)
{
    return s->system->environment_known ? VERDICTS : judge_unknown(j, "the environment is not known");
}

PRECONDITION(no_traffic)
{
    return port_carries_traffic(s) ? VERDICTS : judge_na(j, "a management, representor or raw Ethernet port");
}

bool judge_about(const struct judgement *judgement, const struct device *device)
{
    return check_takes_device(judgement->subject->selection, device);
}

bool judge_about_netdev(const struct judgement *judgement, const struct netdev *netdev)
{
    const struct host *host = judgement->subject->host;
    for (const struct port *port = NULL; (port = host_next_port(host, port));) {
        const struct netdev *own = port_netdev(host, port);
        if (own && netdev_is_above(host, netdev, own) && judge_about(judgement, port->device))
            return true;
    }
    return false;
}

/* Fixes that fit the distribution and the driver. Text for a person; nothing here runs it. */

/* Kubernetes: k8s-rdma-shared-dev-plugin and sriov-network-device-plugin hand out the nodes with their
 * resources, whose names are the cluster's; EFA's has one (docs.aws.amazon.com/eks, device-management-efa). */
void fix_give_node(struct judgement *judgement, const struct system *system, const char *path)
{
    const struct device *device = judgement->subject->device;
    if (system->kubernetes)
        judge_advice(judgement,
                     "ask for the RDMA device plugin's resource%s in the pod's spec (resources: limits:); it "
                     "brings %s with it, and kubectl describe node shows its name",
                     device && text_is(device->driver, "efa") ? ", vpc.amazonaws.com/efa," : "", path);
    else if (system->container == CONTAINER_LXC)
        judge_advice(judgement,
                     "on the host: lxc config device add {CONTAINER} rdma unix-char source=%s path=%s # Incus: "
                     "incus config ...; plain LXC: lxc.mount.entry and lxc.cgroup2.devices.allow",
                     path, path);
    else if (system->container == CONTAINER_NSPAWN)
        judge_advice(judgement, "start the container with --bind=%s --property=DeviceAllow='%s rw'", path,
                     path);
    else if (system->container == CONTAINER_APPTAINER)
        judge_advice(judgement,
                     "start the container without --contain, whose /dev is a small one; or give it --bind %s",
                     path);
    else if (system->container == CONTAINER_NONE || system->container == CONTAINER_UNNAMED)
        judge_advice(judgement, "bring %s into the container (a bind mount), and allow it in its device cgroup",
                     path);
    else
        judge_advice(judgement, "start the container with --device=%s", path);
}

void fix_give_device(struct judgement *judgement, const struct system *system)
{
    if (system->kubernetes)
        judge_advice(judgement, "ask for the RDMA device plugin's resource in the pod's spec (resources: "
                                "limits:), on a node that has some: kubectl describe node shows them");
    else
        judge_advice(judgement,
                     "if the host has a device (roce devices, there): move it here where RDMA namespaces are "
                     "exclusive (rdma dev set DEVICE netns NAME; DEVICE: as roce devices shows it; NAME: as ip "
                     "netns shows it), "
                     "else load its driver's RDMA module there");
}

void fix_give_netdev(struct judgement *judgement, const struct system *system, const char *device)
{
    if (system->kubernetes)
        judge_advice(judgement,
                     "attach the pod to a network on %s (annotation k8s.v1.cni.cncf.io/networks, of a "
                     "NetworkAttachmentDefinition with the device plugin's resource)",
                     fix_name(judgement, device));
    else
        judge_advice(judgement,
                     "attach the container to a network on %s: a macvlan, ipvlan or VLAN of its netdev, or the "
                     "host's network",
                     fix_name(judgement, device));
}

void fix_link(const struct subject *subject, struct judgement *judgement)
{
    static const char look[] = "# then look at the cable, the module and the switch's port";
    const struct host *host = subject->host;
    const struct netdev *netdev = subject->netdev, *with_link = netdev;
    struct bytes up = { 0 };
    for (size_t i = 0; i < netdev->nmembers; i++) {
        const struct netdev *member = host_find_netdev(host, netdev->members[i]);
        if (netdev_is_switched_off(member))
            bytes_printf(&up, "%sip link set dev %s up", up.len ? " && " : "",
                         fix_name(judgement, member->name));
        else if (member && with_link == netdev)
            with_link = member;
    }
    if (up.len)
        judge_command(judgement, "%s", up.data);
    else
        judge_command(judgement, "ethtool %s %s", fix_name(judgement, with_link->name), look);
    bytes_free(&up);
}

const char *fix_function(struct judgement *judgement, const struct pci *function)
{
    const struct host *host = judgement->subject->host;
    const struct pci *physical = host_find_pci(host, function->physfn);
    const char *netdev = NULL, *number = "{N}";
    for (size_t i = 0; i < host->nnetdevs && !netdev; i++)
        if (text_is(host->netdevs[i].pci, function->physfn) && host->netdevs[i].kind == NETDEV_PHYSICAL)
            netdev = fix_name(judgement, host->netdevs[i].name);
    for (size_t i = 0; physical && i < physical->nvfs; i++)
        if (strcmp(physical->vfs[i], function->address) == 0)
            number = arena_printf(judgement->arena, "%zu", i);
    return arena_printf(judgement->arena, "%s vf %s", netdev ? netdev : "{PF}", number);
}

void fix_module(struct judgement *judgement, const struct system *system, const char *module)
{
    enum distribution distribution = system_distribution(system);
    const char *missing = "";
    if (text_is(system->os_id, "ubuntu"))
        missing = "; if modprobe finds none: apt install linux-modules-extra-$(uname -r)";
    else if (distribution == DISTRIBUTION_REDHAT)
        missing = "; if modprobe finds none: dnf install kernel-modules-extra";
    if (system_is_container(system))
        judge_advice(judgement, "on the %s (a container can't): modprobe %s",
                     system->kubernetes ? "node" : "host", module);
    else if (distribution == DISTRIBUTION_ALPINE)
        judge_command(judgement, "modprobe %s && echo %s >>/etc/modules # the file is for every boot", module,
                      module);
    else
        judge_command(judgement,
                      "modprobe %s && echo %s >/etc/modules-load.d/%s.conf # the file is for every boot%s",
                      module, module, module, missing);
}

void fix_package(struct judgement *judgement, const struct system *system, const char *debian,
                 const char *redhat, const char *suse)
{
    const struct {
        const char *install, *package;
    } of[] = {
        [DISTRIBUTION_DEBIAN] = { "apt install", debian },
        [DISTRIBUTION_REDHAT] = { "dnf install", redhat },
        [DISTRIBUTION_SUSE] = { "zypper install", suse ? suse : redhat },
        [DISTRIBUTION_ARCH] = { "pacman -S", "rdma-core" },
        [DISTRIBUTION_ALPINE] = { "apk add", "rdma-core" },
        [DISTRIBUTION_OTHER] = { NULL, NULL },
    };
    enum distribution distribution = system_distribution(system);
    if (of[distribution].install)
        judge_command(judgement, "%s %s", of[distribution].install, of[distribution].package);
    else
        judge_advice(judgement, "install rdma-core (Debian calls the package %s, Red Hat %s)", debian, redhat);
}

void fix_sysctl(struct judgement *judgement, const char *name, const char *value)
{
    judge_command(judgement,
                  "sysctl -w %s=%s && echo '%s = %s' >>/etc/sysctl.d/90-rdma.conf # the file is for every boot",
                  name, value, name, value);
}

void fix_devlink_on(struct judgement *judgement, const char *bus, const char *function, const char *parameter)
{
    const char *name = fix_name(judgement, function);
    judge_interrupting(
        judgement,
        "devlink dev param set %s/%s name %s value true cmode driverinit && devlink dev reload %s/%s", bus,
        name, parameter, bus, name);
}

void fix_missing_device(struct judgement *judgement, const struct host *host)
{
    const char *device = host->system.stray_device;
    if (host->system.kubernetes && !host_rdma_capable_netdev(host))
        judge_advice(
            judgement,
            "on the node: rdma system set netns shared, which the shared device plugin needs: before any "
            "pod starts, for every boot options ib_core netns_mode=1 in /etc/modprobe.d; or give the pod "
            "a virtual function, with the RDMA CNI plugin behind the SR-IOV one");
    else if (host->system.kubernetes)
        judge_advice(judgement, "chain the RDMA CNI plugin behind the one that brings the netdev: {\"type\": "
                                "\"rdma\"} in the plugins of the pod's NetworkAttachmentDefinition");
    else
        judge_advice(judgement,
                     "from where the device is: rdma dev set %s netns NAME # whoever uses it there loses it; "
                     "%sNAME: as ip netns shows it (for a container: ip netns attach NAME PID)",
                     device ? device : "DEVICE", device ? "" : "DEVICE: as rdma dev shows it there; ");
}

void fix_mtu(struct judgement *judgement, const struct system *system, unsigned mtu)
{
    static const char harm[] = "some NICs stop for a moment; the switch and the peers need it too";
    enum distribution distribution = system_distribution(system);
    const char *keep = distribution != DISTRIBUTION_DEBIAN ? ""
                       : text_is(system->os_id, "ubuntu")  ? "; for every boot: mtu in /etc/netplan/*.yaml"
                                                           : "; for every boot: mtu in /etc/network/interfaces";
    if (distribution == DISTRIBUTION_REDHAT)
        judge_command(judgement,
                      "ip link set dev {netdev} mtu %u && nmcli connection modify \"$(nmcli -g "
                      "GENERAL.CONNECTION device show {netdev})\" 802-3-ethernet.mtu %u # %s",
                      mtu, mtu, harm);
    else if (distribution == DISTRIBUTION_SUSE)
        judge_command(judgement,
                      "ip link set dev {netdev} mtu %u # %s; for every boot: MTU='%u' in "
                      "/etc/sysconfig/network/ifcfg-{netdev}",
                      mtu, harm, mtu);
    else
        judge_command(judgement, "ip link set dev {netdev} mtu %u # %s%s", mtu, harm, keep);
}
