/* SPDX-License-Identifier: MIT */
/* errno as calls of libibverbs and librdmacm mean it, where that says more than its own text. By step it is
 * in selftest/diagnosis. */
#include <errno.h>

#include "base/base.h"
#include "model/word.h"

#define CONTAINERS "uverbs-node"

/* clang-format off */
static const struct word errnos[] = {
    { "EPERM", "operation not permitted", EPERM, "A right is missing: CAP_NET_ADMIN to change a setting, CAP_NET_RAW for raw packets, or a device cgroup forbids the device node, as containers do.", "this host", "not root, or a container without the capability\na container without the device (--device=/dev/infiniband, or a device plugin)\nlocked memory: ulimit -l is 0", CONTAINERS ",memlock-limit" },
    { "ENOENT", "no such file or directory", ENOENT, "A device node, module or file isn't there: /dev/infiniband/uverbs0 of ib_uverbs, /dev/infiniband/rdma_cm of rdma_ucm.", "this host", "the module isn't loaded (modprobe ib_uverbs rdma_ucm)\na container was started without /dev/infiniband\nthe provider's library isn't installed (ibverbs-providers, rdma-core)", CONTAINERS ",rdma-ucm-module" },
    { "EIO", "input/output error,i/o error", EIO, "The device or its driver failed to answer; the kernel's log says more.", "this host", "the device is being reset, or failed\na command of the firmware failed", "kernel-log,devlink-health" },
    { "EAGAIN", "resource temporarily unavailable", EAGAIN, "A limit is reached for now: rdma.max of a cgroup, a table of the device, or a queue that is full.", "this host", "the cgroup's RDMA limit (rdma.max: hca_handle, hca_object)\nthe device's memory keys or queue pairs are used up: 'no resources(0xf)' in the kernel's log\nmore work requests posted than the queue holds", NULL },
    { "ENOMEM", "cannot allocate memory,out of memory", ENOMEM, "From ibv_reg_mr, ibv_create_cq or ibv_create_qp it is nearly always the limit on locked memory (ulimit -l), not memory itself.", "this host", "the limit on locked memory: LimitMEMLOCK= of the service or slurmd, --ulimit memlock=-1 of a container, limits.conf of a login\nthe device's own table of queue pairs or memory regions is full\na queue larger than the device allows\nfree memory that can't be pinned, as kexec handover leaves it (DGX Spark with Linux 7.0)", "memlock-limit,memlock-trial,pinnable-memory" },
    { "EACCES", "permission denied", EACCES, "The device node is there, and this user may not open it, or the memory may not be written.", "this host", "/dev/infiniband/uverbs* isn't 0666, as rdma-core's udev rules make it\na container without the device\nmemory that is mapped read-only is to be registered for writing", CONTAINERS },
    { "EFAULT", "bad address", EFAULT, "The memory to be registered isn't there as said: freed, mapped by a device, or of a GPU without peer memory.", "this host's program", "GPU memory, and neither nvidia_peermem nor dma-buf to register it by\na buffer that was unmapped", NULL },
    { "EBUSY", "device or resource busy", EBUSY, "It is in use: a queue pair with multicast groups, a region with windows, a device that programs have open.", "this host", "roce users and roce resources tell by whom", NULL },
    { "EEXIST", "file exists", EEXIST, "There is one already: a device of this name, a netdev that has a soft-RoCE device.", "this host", NULL, NULL },
    { "ENODEV", "no such device", ENODEV, "From ibv_modify_qp: the GID's slot is empty or its netdev is gone. From RDMA_CM: no RDMA device has the address that the route starts from.", "this host", "a GID index that is empty here (NCCL_IB_GID_INDEX, UCX_IB_GID_INDEX, -x): indexes differ from host to host\nthe address was removed, or is on another netdev\nthe device is in another network namespace (rdma system)", "gid-index,gid-address,gid-holes" },
    { "EINVAL", "invalid argument", EINVAL, "The device or driver doesn't accept an attribute. Which, depends on the call: from ibv_modify_qp the MTU or the addresses, from ibv_create_qp sizes, from ibv_reg_mr the kind of memory or a right.", "this host, or a value that the other end gave", "ibv_modify_qp: the path MTU is above the port's or the two ends' differ, or the two GIDs are of different kinds (IPv4 and IPv6, v1 and v2)\nibv_create_qp, ibv_create_cq: a size above the device's limit (roce devices --caps)\nibv_reg_mr: GPU memory that the driver can't take, or a right that it lacks", NULL },
    { "ENOSPC", "no space left on device", ENOSPC, "A table of the device is full.", "this host", "too many memory regions, queue pairs or steering rules", NULL },
    { "ENOSYS", "function not implemented", ENOSYS, "The driver or provider doesn't have the call.", "this host", "an old driver or rdma-core", NULL },
    { "ENODATA", "no data available", ENODATA, "Nothing fits what was asked for: fi_getinfo() found no provider, a GID's slot is empty.", "this host", "no port is ACTIVE, or none has a usable GID\nthe provider that was asked for isn't built in, or can't do what was asked for\nthe device can't be opened", "port-active,uverbs-node" },
    { "EPROTONOSUPPORT", "protocol not supported", EPROTONOSUPPORT, "The device or kernel hasn't got the protocol.", "this host", NULL, NULL },
    { "EOPNOTSUPP", "operation not supported", EOPNOTSUPP, "The device, driver or firmware can't do this.", "this host", "a feature that this device hasn't got, or that is switched off\nanother version of driver or rdma-core", NULL },
    { "EADDRINUSE", "address already in use", EADDRINUSE, "Another program listens on this address and port with RDMA_CM.", "this host", "an old instance of the server is still running: roce users", NULL },
    { "EADDRNOTAVAIL", "cannot assign requested address", EADDRNOTAVAIL, "The address isn't one of this host, or no RDMA device has it.", "this host", "the address is gone, or on another netdev", "gid-address" },
    { "ENETDOWN", "network is down", ENETDOWN, "The netdev of the device is down.", "this host", "ip link set NETDEV up", "netdev-up" },
    { "ENETUNREACH", "network is unreachable", ENETUNREACH, "No route from this GID to the peer's address: from ibv_modify_qp to RTR, or RDMA_CM.", "this host's routes, or the choice of the GID", "the port's netdev has no address or route in the peer's subnet: rails that don't reach each other\na link-local GID (fe80::, 169.254) on two subnets\nthe netdev is down", "gid-address,gid-routable,netdev-up" },
    { "EHOSTUNREACH", "no route to host", EHOSTUNREACH, "The next hop can't be reached: ARP or neighbour discovery failed.", "the other host, or the way to it", "the other host is down, or in another VLAN", "gid-vlan,netdev-carrier" },
    { "ECONNABORTED", "software caused connection abort", ECONNABORTED, "The connection was broken off: by the other end, or by this one, which gave it up.", "either", "the other end ended, or closed it\nan error before it made this end give up: its own lines", NULL },
    { "ECONNRESET", "connection reset by peer", ECONNRESET, "The other end rejected or closed the connection: with RDMA_CM often what a reject becomes.", "the other end", "nothing listens there, or it turned this host down: the log says 'rejected' with a reason\nthe other process ended", NULL },
    { "ECONNREFUSED", "connection refused", ECONNREFUSED, "Nothing listens there.", "the other host", "the server isn't running, or on another address or port", NULL },
    { "ETIMEDOUT", "connection timed out", ETIMEDOUT, "From ibv_modify_qp to RTR: the peer's address could not be resolved to a MAC (ARP, neighbour discovery). From RDMA_CM: the request was not answered.", "the other host, or the way to it", "the two ports can't reach each other: other rail, subnet or VLAN; on rail-only networks NCCL_CROSS_NIC=0\nnobody answers ARP or neighbour discovery for the peer's address\na firewall drops UDP port 4791 (RDMA_CM)", "gid-routable,gid-vlan,netdev-carrier" },
    { "EREMOTEIO", "remote i/o error", EREMOTEIO, "The device's firmware refused a command; the kernel's log has its status and syndrome.", "this host", "a limit of the firmware is reached (memory keys, queue pairs)\na feature that is switched off in the firmware", "kernel-log,firmware-version" },
};
/* clang-format on */

const struct word_table words_errnos = { "errno", "errno,err,error", errnos, ARRAY_SIZE(errnos) };
