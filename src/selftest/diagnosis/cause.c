/* SPDX-License-Identifier: MIT */
#include "selftest/diagnosis/diagnosis.h"

#include <stdio.h>

/* Bytes of a message that fills a packet, so that only large packets may be what is dropped. */
enum { LARGE = 1024 };

/* rxe of Linux 7.2 at 2 Mbit/s behind a queue of 400 ms: its own timer lets it send again what is still on
 * its way, and then it goes on in the middle of a message as if at its beginning, or the other way round. The
 * other end's rxe_receiver() comes to ERR_MISSING_OPCODE_LAST_C (SEND) or ERR_LENGTH (WRITE), and answers
 * with "invalid request", as to a message that is too long. Seen in its debug messages. */
static bool soft_retried(const struct facts *f)
{
    return f->soft && f->soft_retries > 0;
}

bool cause_applies(enum cause cause, const struct facts *f)
{
    switch (cause) {
    case CAUSE_NONE:
        return false;
    case CAUSE_PORT_DOWN:
        return f->port_down;
    case CAUSE_BOND_MEMBER:
        return f->bond_member;
    case CAUSE_ADDRESS_GONE:
        return f->address_known && f->address_gone;
    case CAUSE_LINK_LOCAL:
        return f->link_local && !(f->address_known && f->address_gone);
    case CAUSE_MTU_PATH:
        return f->port_mtu && f->path_mtu > f->port_mtu;
    case CAUSE_MTU_DIFFERS:
        return f->port_mtu && f->peer_mtu && f->port_mtu != f->peer_mtu;
    case CAUSE_MTU_SWITCH:
        return !f->loopback && f->came_through && f->size >= LARGE;
    case CAUSE_OUTPUT_DROP:
        return f->send_err > 0;
    case CAUSE_PEER_OUTPUT_DROP:
        return f->peer_send_err > 0;
    case CAUSE_FIREWALL:
        return f->soft && !f->came_through && f->send_err == 0 && f->peer_send_err == 0;
    case CAUSE_FIREWALL_SINCE:
        return f->soft && f->came_through && !f->loopback && f->send_err == 0 && f->peer_send_err == 0;
    case CAUSE_FIREWALL_IWARP:
        return f->iwarp && !f->loopback;
    case CAUSE_ONE_PATH:
        return !f->loopback && !f->iwarp && f->others_pass;
    case CAUSE_LOSS:
        return !f->loopback && (f->sequence_errors || f->came_through);
    case CAUSE_NO_ROUTE:
    case CAUSE_NEIGHBOUR:
    case CAUSE_VLAN:
    case CAUSE_PEER_GONE:
    case CAUSE_DEVICE_GONE: /* it was there when the GIDs were looked up */
        return !f->loopback;
    case CAUSE_PINNABLE:
        return !f->soft;
    case CAUSE_GID_MOVED:
        return f->came_through;
    case CAUSE_DEVICE_FULL: /* mlx5's MLX5_CMD_STAT_NO_RES_ERR is EAGAIN */
        return !f->soft;
    case CAUSE_SOFT_RETRY:
        return soft_retried(f);
    case CAUSE_KEY:
    case CAUSE_RIGHTS:
    case CAUSE_BUFFER: /* both ends of a test agree on these */
        return !soft_retried(f);
    default:
        return true;
    }
}

/* clang-format off */
static const char *const texts[] = {
    [CAUSE_PORT_DOWN] =      "the port is not ACTIVE (cable, module, switch port, or the netdev is down)",
    [CAUSE_BOND_MEMBER] =    "the port's netdev is a member of a bond: soft-RoCE belongs on the bond itself, a member receives nothing",
    [CAUSE_ADDRESS_GONE] =   "the netdev doesn't have that address (any more): the kernel makes the link-local GID from the MAC even where IPv6 is off; use the GID of an address that the netdev has",
    [CAUSE_LINK_LOCAL] =     "the GID is a link-local address (fe80::), which isn't routed; use the GID of an IPv4 or a global IPv6 address",
    [CAUSE_MTU_PATH] =       "the path MTU is above the port's: such packets are dropped silently; a larger netdev MTU (ip link set NETDEV mtu 4200 for 4096)",
    [CAUSE_MTU_DIFFERS] =    "the ports have different MTUs: give both netdevs the same",
    [CAUSE_OUTPUT_DROP] =    "this host drops its own packets: an output rule of the firewall for UDP port 4791, a queue of the netdev that is full (tc -s qdisc), or packets larger than the netdev's MTU",
    [CAUSE_PEER_OUTPUT_DROP] = "the other host drops its own packets: an output rule of its firewall for UDP port 4791, a queue of its netdev that is full (tc -s qdisc), or packets larger than its netdev's MTU",
    [CAUSE_MTU_SWITCH] =     "something between the two hosts drops large packets: its MTU is smaller than the RoCE packet; raise it on every switch port (9216 is usual)",
    [CAUSE_FIREWALL] =       "a firewall on either host drops UDP port 4791 (soft-RoCE passes nftables like any UDP)",
    [CAUSE_FIREWALL_SINCE] = "a firewall rule that drops UDP port 4791 was added on either host in the meantime",
    [CAUSE_FIREWALL_IWARP] = "a firewall on the way lets the server's own port through, but not the one that it chose for iWARP's TCP connection, which is another one each time",
    [CAUSE_ONE_PATH] =       "one bad path of several (ECMP): each queue pair has its own UDP source port, and others get through; roce ping HOST --paths 16 shows which ports",
    [CAUSE_LOSS] =           "packets get lost on the way: no PFC or ECN for this traffic class, a bad cable, a full switch buffer",
    [CAUSE_NO_ROUTE] =       "no route from the GID's netdev to the peer's address",
    [CAUSE_NEIGHBOUR] =      "nobody answers ARP or neighbour discovery for the peer's address",
    [CAUSE_VLAN] =           "the hosts use different VLANs, or the switch doesn't carry this one",
    [CAUSE_GID_MOVED] =      "the address was removed or has moved to another GID index while this ran",
    [CAUSE_PEER_GONE] =      "the peer's process, address or link went away",
    [CAUSE_MEMLOCK] =        "the limit on locked memory is too low: raise it (ulimit -l unlimited, LimitMEMLOCK=infinity, --ulimit memlock=-1), or run with CAP_IPC_LOCK",
    [CAUSE_PINNABLE] =       "free memory that can't be pinned, as kexec handover leaves it (DGX Spark with Linux 7.0): kho=off",
    [CAUSE_CGROUP] =         "a cgroup limits RDMA objects: see rdma.max of the cgroup (hca_handle, hca_object)",
    [CAUSE_DEVICE_FULL] =    "the device's own table is full (memory keys, queue pairs): the kernel's log says 'no resources(0xf)'; roce resources tells who holds them",
    [CAUSE_PERMISSION] =     "this user may not open the device node: rdma-core's udev rules usually give it mode 0666",
    [CAUSE_CONTAINER] =      "a container was started without the device: give it --device=/dev/infiniband, or use a device plugin",
    [CAUSE_DEVICE_GONE] =    "the device was removed in the meantime",
    [CAUSE_PROVIDER] =       "the device is newer than the providers in this program, or the kernel has another ABI",
    [CAUSE_FAMILIES] =       "the GIDs are of two kinds (IPv4 and IPv6, or RoCE v1 and v2)",
    [CAUSE_CORRUPTION] =     "data was changed in memory or on the bus: the packets' own checksum (ICRC) was right",
    [CAUSE_PCIE] =           "PCIe trouble between the device and memory, or an IOMMU that translates wrongly",
    [CAUSE_RECEIVER_SLOW] =  "the receiver was starved of CPU time and posted no receives",
    [CAUSE_SOFT_RETRY] =     "soft-RoCE (rxe) that sends again on a slow or lossy link may go on from the wrong packet: what delays or loses packets is what to look for",
    [CAUSE_SERVER] =         "'roce serve' isn't running there, or listens on another address or port",
    [CAUSE_TCP_FIREWALL] =   "a firewall drops the TCP connection",
    [CAUSE_VERSION] =        "the other program isn't 'roce serve', or is a version of it that speaks another protocol",
    [CAUSE_ANY_GID] =        "the server only sends to the address that asks: give the address there that this GID has its route to, choose the connection's own GID (--gid), or start the server with --any-gid",
    [CAUSE_NOT_ALLOWED] =    "the server's --allow doesn't have this host's address",
    [CAUSE_UCM] =            "the module rdma_ucm isn't loaded (modprobe rdma_ucm), or this user may not open /dev/infiniband/rdma_cm",
    [CAUSE_BUSY] =           "the server has no place left: wait, or start it with a higher --max-clients, or --per-address for this host",
    [CAUSE_KEY] =            "the key (rkey, lkey), address or length isn't that of registered memory, or no longer is: freed or registered again in the meantime",
    [CAUSE_RIGHTS] =         "the memory or the queue pair was made without that right: remote write, remote read or atomic",
    [CAUSE_BUFFER] =         "the message is longer than the receive that was posted for it: the two ends' programs or settings differ",
    [CAUSE_FIRST_ERROR] =    "an earlier error on the same queue pair: the first bad completion, on either end, says what it was",
    [CAUSE_FIRMWARE] =       "the device or its firmware failed: dmesg, and devlink health",
    [CAUSE_RAILS] =          "the two ports have no way to each other: another rail, subnet or VLAN, or a GID of another address than meant",
    [CAUSE_GPU_MEMORY] =     "GPU memory, and its registration went stale or was never allowed (nvidia_peermem, dma-buf)",
};
/* clang-format on */

const char *cause_general(enum cause cause)
{
    return texts[cause];
}

void cause_text(enum cause cause, const struct facts *f, char text[static CAUSE_TEXT_SIZE])
{
    switch (cause) {
    case CAUSE_MTU_PATH:
        snprintf(
            text, CAUSE_TEXT_SIZE,
            "the path MTU %u is above the port's %u: such packets are dropped silently; a lower --mtu, or a larger netdev MTU (ip link set NETDEV mtu 4200 for 4096)",
            f->path_mtu, f->port_mtu);
        break;
    case CAUSE_MTU_DIFFERS:
        snprintf(text, CAUSE_TEXT_SIZE,
                 "the ports have different MTUs, %u here and %u there: give both netdevs the same MTU",
                 f->port_mtu, f->peer_mtu);
        break;
    case CAUSE_OUTPUT_DROP:
        snprintf(
            text, CAUSE_TEXT_SIZE,
            "this host drops its own packets: send_err grew by %lu; an output rule of the firewall for UDP port 4791, a queue of the netdev that is full (tc -s qdisc), or packets larger than the netdev's MTU",
            (unsigned long)f->send_err);
        break;
    case CAUSE_PEER_OUTPUT_DROP:
        snprintf(
            text, CAUSE_TEXT_SIZE,
            "the other host drops its own packets: send_err grew by %lu there; an output rule of its firewall for UDP port 4791, a queue of its netdev that is full (tc -s qdisc), or packets larger than its netdev's MTU",
            (unsigned long)f->peer_send_err);
        break;
    case CAUSE_SOFT_RETRY:
        snprintf(
            text, CAUSE_TEXT_SIZE,
            "soft-RoCE (rxe) had to send again, and went on from the wrong packet, as it may on a link that is slow or lossy: completer_retry_err and duplicate_request grew by %lu; look for what delays or loses packets",
            (unsigned long)f->soft_retries);
        break;
    default:
        snprintf(text, CAUSE_TEXT_SIZE, "%s", texts[cause]);
        break;
    }
}
