/* SPDX-License-Identifier: MIT */
/* A network interface, and its relation to others. */
#pragma once

#include "lists.h"
#include "model/lldp.h"

ENUM_NETDEV_KIND;

/* More than any machine has: joining compares every pair. */
enum { NETDEVS_MOST = 1 << 14 };

struct bond {
    struct num mode;              /* 0 balance-rr … 6 balance-alb */
    const char *mode_text;        /* "802.3ad" */
    const char *active_member;    /* modes with one; NULL otherwise */
    struct num active_ifindex;    /* the same, from netlink */
    const char *primary;          /* the member that is active whenever it is up; NULL: none is set */
    const char *xmit_hash_policy; /* "layer3+4" */
    const char *mii_status;
    struct num ad_num_ports, ad_aggregator; /* LACP: members in the active aggregator, its id */
    const char *ad_partner_mac; /* LACP: the switch's; all zero: it doesn't answer. NULL: not read; only netlink
                                   shows it to everybody */
};

struct bond_member {
    struct num state;       /* 0 active, 1 backup */
    const char *mii_status; /* "up", "going down", "down", … */
    struct num failures;    /* link failures seen */
    struct num aggregator;  /* LACP aggregator id; equal to the bond's when the member carries traffic */
};

struct address {
    uint8_t family;     /* AF_INET or AF_INET6 */
    uint8_t prefix;     /* bits */
    uint8_t scope;      /* RT_SCOPE_* */
    uint32_t flags;     /* IFA_F_* */
    struct num valid_s; /* until it expires unless renewed; not known: permanent, or not reported */
    uint8_t raw[16];    /* IFA_LOCAL: first 4 bytes for IPv4 */
    uint8_t peer[16];   /* IFA_ADDRESS, differs on point-to-point links; RoCE GIDs are made from it */
};

/* The kernel's traffic classes for a netdev (num_tc and prio_tc_map of its struct net_device), and the qdisc
 * that set them: "mqprio", "taprio". */
enum { KERNEL_PRIORITIES = 16 };
struct traffic_classes {
    const char *by;
    uint8_t of_priority[KERNEL_PRIORITIES];
};

/* The PCP that a VLAN's frames leave with, by the kernel's priority of the packet; 0 for a priority without an
 * entry. */
struct vlan_pcp {
    uint32_t priority;
    uint8_t pcp;
};

struct qos; /* model/qos.h */

struct netdev {
    const char *name;
    struct num ifindex;
    const char *mac;         /* "b8:59:9f:12:34:56", 20 bytes on IPoIB */
    struct num mtu, mtu_max; /* not known: no limit */
    const char *operstate;   /* "up", "down", "lowerlayerdown", "unknown" */
    enum tristate carrier;   /* unknown when the netdev is administratively down (the file says EINVAL) */
    struct num carrier_changes, carrier_downs; /* since it was registered: when its driver was loaded */
    struct num rx_crc_errors; /* from the hardware, with NEED_QOS: frames that arrived damaged */
    struct num flags;         /* IFF_* */
    struct num speed_mbps;
    const char *duplex; /* "full", "half" */
    struct num type;    /* ARPHRD_* */
    struct num dev_port, dev_id;
    const char *phys_port_name, *phys_switch_id;

    enum netdev_kind kind;
    /* "vlan", "bond", …: the kernel's word (IFLA_INFO_KIND), or ours if it has none */
    const char *kind_text;
    const char *lower; /* of a VLAN, macvlan, ipvlan, IPoIB child: the netdev below; NULL: none, or in another
                          namespace */
    struct num lower_ifindex; /* from netlink, even if lower is in another namespace, */
    struct num lower_netnsid; /* which has this id */
    struct num peer_ifindex;  /* of a veth, the other end's, in the same namespace or in that one */
    struct num vlan_id;
    const char *vlan_protocol; /* "802.1Q", "802.1ad" */
    struct vlan_pcp *egress;   /* of a VLAN */
    size_t negress;
    bool egress_known;
    /* With NEED_QOS, of a netdev below a VLAN; NULL if no qdisc set any. Of a VLAN (host_finish()): those of
     * the netdev below it, which replace its own map. */
    const struct traffic_classes *classes;
    bool classes_unknown; /* of a VLAN: the driver below has set some itself, and nothing exposes them */
    /* "bridge", "vepa", "private", "passthru", "source"; of an ipvlan "l2", "l3", "l3s" */
    const char *macvlan_mode;
    const char *master;         /* bond, bridge, VRF, … above */
    struct num master_ifindex;  /* the same, from netlink */
    struct bond *bond;          /* of a bond */
    struct bond_member *member; /* of a bond's member */
    const char **members; /* of a bond, bridge, VRF, …: those that name it their master, in version order */
    size_t nmembers;
    const struct netdev **uppers; /* set by host_finish(): those whose lower it is, and its master, in order */
    size_t nuppers;
    const char *ipoib_mode; /* "datagram", "connected" */
    struct num vrf_table;   /* of a VRF: the routing table of its members */
    struct num ipoib_pkey;

    const char *driver;     /* kernel driver of the parent */
    const char *parent;     /* last component of device/'s target: "0000:17:00.0", "mlx5_core.sf.4" */
    const char *parent_bus; /* "pci", "auxiliary", … */
    const char *pci;        /* PCI function below it; NULL: virtual */
    const char **ibdevs;    /* RDMA devices on the same parent, from device/infiniband */
    size_t nibdevs;
    enum tristate ecn_enabled[8]; /* MLNX_OFED/mlx5 ecn/roce_rp: reaction point on per priority */
    enum tristate ecn_np[8];      /* ecn/roce_np: notification point */

    struct address *addresses;
    size_t naddresses;
    const struct qos *qos; /* set by host_finish(): what was read of it by name, which host_find_qos() takes */
    const struct address **by_gid; /* set by host_finish(): the same, sorted by the GIDs that they make */
    bool addresses_known;          /* false: netlink didn't answer */
    struct netdev_lldp lldp;       /* with NEED_LLDP */
};

const char *netdev_kind_text(enum netdev_kind kind);
/* The 6 bytes of its MAC; false: it has none of 6. */
bool netdev_mac(const struct netdev *netdev, uint8_t mac[static 6]);
/* The kind with the kernel's name; NETDEV_OTHER if there is none. */
enum netdev_kind netdev_kind_of(const char *word);
/* Is this how switchdev names the port of a PF, VF or SF: pf0vf3, pf0sf8, c1pf0vf3 (another host's, on a DPU),
 * pf0, c1pf0 (__devlink_port_phys_port_name_get() of net/devlink/port.c; BlueField's udev rules name the netdev
 * of the latter two pf0hpf)? Such a port carries no RDMA traffic of its own. An uplink is p0. False for
 * NULL. */
bool netdev_is_representor_name(const char *phys_port_name);
/* The netdev at the bottom: VLAN → its lower → … ; a netdev without a lower is its own. Loops end. */
struct host;
const struct netdev *netdev_base(const struct host *host, const struct netdev *netdev);
/* The VLAN that tags a netdev's frames: itself, or the first below it; NULL if none does. */
const struct netdev *netdev_vlan(const struct host *host, const struct netdev *netdev);
/* The netdev that a VLAN's frames finally leave by: the lowest one below it that isn't a VLAN
 * (vlan_dev_real_dev()); NULL if it isn't here. */
const struct netdev *netdev_vlan_real(const struct host *host, const struct netdev *vlan);
/* Is upper the netdev itself, or above it (a VLAN, macvlan, bond or bridge, at any depth)? */
bool netdev_is_above(const struct host *host, const struct netdev *upper, const struct netdev *netdev);
/* To whom the frames go that arrive at a netdev: a master's rx_handler takes them, ARP's answers included, so
 * the netdev itself never learns a neighbour (bond_handle_frame(), team_handle_frame(), br_handle_frame(), Open
 * vSwitch's netdev_frame_hook(), macvlan_handle_frame(), netvsc_vf_handle_frame()). A VRF takes IP packets
 * alone (vrf_ip_rcv() of drivers/net/vrf.c). What a VLAN tags is the VLAN's before any of them sees it
 * (__netif_receive_skb_core() of net/core/dev.c). */
ENUM_FRAMES;
/* *taker, if not NULL: who takes them; NULL if nobody, or not known. */
enum frames netdev_frames(const struct host *host, const struct netdev *netdev, const struct netdev **taker);
/* What that makes of the netdev, before the taker's name: "a port of the bridge". */
const char *frames_text(enum frames frames);
/* Does it take ARP's answers, too? */
bool frames_include_arp(enum frames frames);
struct port;
/* Is the port's netdev such that an address on it doesn't work, because another one takes its frames? */
bool port_is_taken(const struct host *host, const struct port *port);
/* The internal port of a netdev's Open vSwitch bridge, which has the bridge's addresses; NULL if the kernel
 * doesn't tell: with two bridges it doesn't say which has the port. */
const struct netdev *netdev_internal_port(const struct host *host);

/* Is a GID known to be out of use, because packets to it don't reach its device? Software RoCE takes those that
 * the kernel delivers as its own netdev's or a VLAN's of it (rxe_udp_encap_recv() of sw/rxe/rxe_net.c): not a
 * bond's, bridge's or VRF's above that, nor a macvlan's. Hardware takes them before the kernel does, but
 * whoever needs ARP to reach the peer gets no answer where another netdev takes the frames. */
struct gid;
struct cut {
    enum frames frames;         /* who takes those of the GID's netdev, */
    const struct netdev *taker; /* or, with FRAMES_KEPT: */
    const struct netdev *own;   /* software RoCE's netdev, which the GID's is neither, nor a VLAN of */
};
bool gid_is_cut_off(const struct host *host, const struct port *port, const struct gid *gid, struct cut *cut);
/* The first routable RoCE v2 GID that isn't; NULL if none. */
const struct gid *port_first_reached(const struct host *host, const struct port *port);
/* The PCP that a VLAN gives to packets of a priority: from the traffic classes below if there are any, else
 * from its own map; unknown if that isn't known. */
struct num netdev_vlan_pcp(const struct netdev *vlan, unsigned priority);
/* The address that identifies a port without GIDs of its own (iWARP): IPv4, else global IPv6, else link-local;
 * NULL if none is known. */
const struct address *netdev_main_address(const struct netdev *netdev);
/* The GID that the kernel makes from an address: for a point-to-point one it takes the peer's; and the netdev's
 * first address that a GID was made from, NULL: none. */
void kernels_gid(const struct address *address, uint8_t raw[static 16]);
const struct address *address_with_gid(const struct netdev *netdev, const uint8_t raw[static 16]);
void netdev_order_addresses(struct netdev *netdev, struct arena *arena);
/* Does it have the address that makes this GID? */
bool netdev_has_address(const struct netdev *netdev, const uint8_t gid[static 16]);
const struct netdev *netdev_with_address(const struct host *host,
                                         const uint8_t gid[static 16]); /* NULL: none */
bool address_is_routable(const struct address *address);                /* as gid_is_routable() */
/* "10.0.0.1/24"; the same in arena; its subnet: "10.0.0.0/24" */
void address_format(const struct address *address, char text[static 64]);
const char *arena_address(struct arena *arena, const struct address *address);
const char *arena_subnet(struct arena *arena, const struct address *address);
/* The module that is the RDMA part of a netdev's or a PCI function's driver; NULL if it has none. */
const char *rdma_module_of(const char *driver);
/* The first netdev whose driver has an RDMA part; NULL if there is none. */
const struct netdev *host_rdma_capable_netdev(const struct host *host);
