/* SPDX-License-Identifier: MIT */
/* What the kernel's families answer: bytes in, plain data out. Pure. */
#pragma once

#include <linux/pkt_sched.h>
#include <rdma/rdma_netlink.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "model/netdev.h"
#include "model/num.h"
#include "model/qos.h"
#include "model/resources.h"
#include "model/route.h"
#include "model/services.h"
#include "model/system.h"

/* What the RDMA subsystem says of its devices over NETLINK_RDMA (drivers/infiniband/core/nldev.c). Pure
 * parsers: bytes in, plain data out, text in the arena. 0, or -EBADMSG when the bytes aren't whole; outputs
 * are then filled as far as they could be. */

struct arena;

/* Younger than Debian 12's headers (uapi/rdma/rdma_netlink.h of Linux 6.12). */
enum {
    NLDEV_SYS_PRIVILEGED_QKEY = 96,
    NLDEV_RES_SUBTYPE = 98,
    NLDEV_DEV_TYPE = 99,
    NLDEV_PARENT_NAME = 100,
    NLDEV_EVENT_TYPE = 102,
    NLDEV_SYS_MONITOR_MODE = 103,
    NLDEV_CMD_MONITOR = 28,
    NLDEV_GROUP_NOTIFY = 4,
};

struct nldev_device {
    struct num index;
    const char *name;
    struct num nports;
    struct num cap_flags;
    const char *fw_ver;
    struct num node_guid, sys_image_guid; /* host order */
    struct num node_type;
    const char *protocol; /* "ib", "roce", "iw", "usnic", "opa" */
    struct num dim;
    const char *type, *parent; /* sub-devices (SMI of a planarized one) */
};

struct nldev_port {
    struct num device_index, number;
    struct num state, phys_state;
    struct num netdev_index;
    const char *netdev; /* only when it's in the asking namespace */
};

struct nldev_system {
    struct num netns_mode; /* 0 exclusive, 1 shared */
    struct num copy_on_fork, privileged_qkey, monitor_mode;
};

struct nldev_chardev {
    const char *name; /* "uverbs0" */
    struct num abi, dev, driver_id;
};

int nldev_parse_devices(const void *bytes, size_t len, struct arena *arena, struct nldev_device **devices,
                        size_t *count);
int nldev_parse_ports(const void *bytes, size_t len, struct arena *arena, struct nldev_port **ports,
                      size_t *count);
int nldev_parse_system(const void *bytes, size_t len, struct nldev_system *system);
int nldev_parse_chardev(const void *bytes, size_t len, struct arena *arena, struct nldev_chardev *chardev);

/* nlmsg_type of an operation. */
static inline uint16_t nldev_type(unsigned op)
{
    return (uint16_t)RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, op);
}

/* nldev's resource tracking and statistics. */

struct arena;

/* A dump of one type. resource.comm is set for the kernel's own only; device as it's given. */
int nldev_parse_resources(const void *bytes, size_t len, enum resource_type type, struct arena *arena,
                          const char *device, struct resource **items, size_t *count);
/* RES_GET: of all devices; total.device is the name in the answer. */
int nldev_parse_totals(const void *bytes, size_t len, struct arena *arena, struct resource_total **totals,
                       size_t *count);
/* STAT_GET_STATUS: those counters that can be switched. */
int nldev_parse_optional(const void *bytes, size_t len, struct arena *arena,
                         struct optional_counter **counters, size_t *count);
/* STAT_GET: the counters of a port that count, in the driver's order. */
struct counter_value {
    const char *name;
    struct num value;
};
int nldev_parse_values(const void *bytes, size_t len, struct arena *arena, struct counter_value **values,
                       size_t *count);
/* STAT_GET of queue pairs: the counters that some are bound to (drivers/infiniband/core/nldev.c:
 * fill_res_counter_entry()). */
struct bound_counter {
    struct num number;
    struct counter_value *values;
    size_t nvalues;
    uint32_t *lqpns; /* the queue pairs that it counts for */
    size_t nlqpns;
};
int nldev_parse_bound(const void *bytes, size_t len, struct arena *arena, struct bound_counter **counters,
                      size_t *count);

/* rtnetlink: links, addresses, routes, neighbours, rules. */

struct arena;
struct nlattr;

/* One RTM_NEWLINK. Indexes of other links are as the kernel gives them: who merges makes names of them. */
struct rtnl_link {
    struct num ifindex;
    const char *name;
    const char *mac;
    struct num type, flags; /* ARPHRD_*, IFF_* */
    struct num mtu, mtu_min, mtu_max;
    struct num operstate; /* IF_OPER_* */
    struct num carrier, carrier_changes, carrier_downs;
    struct num master;        /* ifindex */
    struct num lower;         /* IFLA_LINK, of a VXLAN IFLA_VXLAN_LINK */
    struct num lower_netnsid; /* lower counts in this namespace; not known: in the link's own */
    const char *phys_port_name, *phys_switch_id; /* the latter in hexadecimal digits, as in sysfs */
    const char *parent_bus, *parent;             /* "pci", "0000:17:00.0" */
    const char **alt_names;
    size_t nalt_names;
    const char *kind;                  /* "vlan", "bond"; NULL: hardware */
    const char *slave_kind;            /* "bond": it's a member of one */
    struct num vlan_id, vlan_protocol; /* ETH_P_* */
    struct vlan_pcp *egress;
    size_t negress;
    struct num macvlan_mode, ipvlan_mode;
    struct num bond_mode, bond_active, bond_policy, bond_aggregator, bond_num_ports;
    const char *bond_partner; /* the MAC that LACP learned of the switch; all zero: none */
    struct num member_state, member_mii, member_failures, member_aggregator;
    struct num ipoib_mode, ipoib_pkey;
};

/* FRA_DSCP and FRA_FLOWLABEL of uapi/linux/fib_rules.h, Linux 6.13. */
enum { RULE_DSCP = 25, RULE_FLOWLABEL };

struct rtnl_address {
    struct address address;
    struct num ifindex;
};

int rtnl_parse_links(const void *bytes, size_t len, struct arena *arena, struct rtnl_link **links,
                     size_t *count);
int rtnl_parse_addresses(const void *bytes, size_t len, struct arena *arena, struct rtnl_address **addresses,
                         size_t *count);
/* netdev stays NULL in these: only the ifindex is known. */
int rtnl_parse_routes(const void *bytes, size_t len, struct arena *arena, struct route **routes,
                      size_t *count);
int rtnl_parse_neighbours(const void *bytes, size_t len, struct arena *arena, struct neighbour **neighbours,
                          size_t *count);
int rtnl_parse_rules(const void *bytes, size_t len, struct arena *arena, struct rule **rules, size_t *count);

/* The answer to a question for a netdev's root qdisc: its traffic classes, in arena, or NULL: another kind of qdisc. */
int rtnl_parse_qdisc(const void *bytes, size_t len, struct arena *arena,
                     const struct traffic_classes **classes);
/* What a qdisc's TCA_OPTIONS say of traffic classes, found by their form: mqprio's begin with it, taprio's
 * have it among their attributes. false: nothing. */
bool rtnl_priority_map(const struct nlattr *options, bool *nested, struct tc_mqprio_qopt *map);

/* A hardware address of up to 32 bytes as text: "52:54:00:00:00:0a". NULL when it's empty. */
const char *rtnl_mac_text(const void *bytes, size_t len, struct arena *arena);

/* The kernel's words for numbers; NULL for one that has none. */
const char *rtnl_operstate_text(struct num operstate);
const char *rtnl_bond_mode_text(struct num mode);
const char *rtnl_bond_policy_text(struct num policy);
const char *rtnl_bond_mii_text(struct num mii);
const char *rtnl_macvlan_mode_text(struct num mode);
const char *rtnl_ipvlan_mode_text(struct num mode);

/* dcbnl: what RTM_GETDCB answers to IEEE_GET. */

struct arena;

/* 0, or -EBADMSG. */
int dcb_parse_ieee(const void *bytes, size_t len, struct arena *arena, struct qos_dcb *dcb);

/* devlink: parameters of devices, and which netdev is a port of which. */

struct arena;

struct devlink_port {
    const char *device; /* "pci/0000:17:00.0" */
    struct num ifindex;
};

int devlink_parse_ports(const void *bytes, size_t len, struct arena *arena, struct devlink_port **ports,
                        size_t *count);
int devlink_parse_health(const void *bytes, size_t len, struct arena *arena, struct qos_reporter **reporters,
                         size_t *count);
int devlink_parse_parameters(const void *bytes, size_t len, struct arena *arena,
                             struct qos_parameter **parameters, size_t *count);

/* ethtool over generic netlink, and its statistics, which only the old ioctl tells. */

struct arena;

/* Each fills its part of *ethtool. 0, or -EBADMSG. */
int ethtool_parse_pause(const void *bytes, size_t len, struct qos_ethtool *ethtool);
int ethtool_parse_linkmodes(const void *bytes, size_t len, struct qos_ethtool *ethtool);
int ethtool_parse_linkstate(const void *bytes, size_t len, struct qos_ethtool *ethtool);
int ethtool_parse_fec(const void *bytes, size_t len, struct arena *arena, struct qos_ethtool *ethtool);

/* Private to the parsers: of link modes as a bitset (mask: supported, value: advertised), compact or verbose,
 * the fastest supported and advertised. A mode whose speed isn't known doesn't count. */
struct nlattr;
void ethtool_take_modes(const struct nlattr *bitset, struct qos_ethtool *ethtool);

/* The form that a recording keeps of the ioctl's answer: a 32-bit count, as many names of 32 bytes
 * (ETH_GSTRING_LEN), as many 64-bit values; the machine's byte order. */
int ethtool_parse_statistics(const void *bytes, size_t len, struct arena *arena,
                             struct qos_statistic **statistics, size_t *count);
struct bytes;
/* Asks the ioctl and appends the answer. command: ETHTOOL_GSTATS, or ETHTOOL_GFECPARAM (struct
 * ethtool_fecparam: for kernels whose netlink doesn't tell FEC). socket_fd: any socket to ask by; -1: one is
 * made for it. 0 or -errno. */
int ethtool_fetch(int socket_fd, uint32_t command, const char *netdev, struct bytes *reply);
int ethtool_parse_fecparam(const void *bytes, size_t len, struct arena *arena, struct qos_ethtool *ethtool);

/* Pluggable modules: which bytes are asked for over ethtool, and what they say. Pure.
 * SFF-8472 is SFP's, SFF-8636 QSFP+'s and QSFP28's, CMIS that of QSFP-DD, OSFP and QSFP112. The numbers are
 * those of ethtool 6.x (sfpdiag.c, qsfp.h, cmis.h). */

enum module_part {
    MODULE_ID,
    MODULE_SFP_TYPE,
    MODULE_SFP,
    MODULE_SFP_LIMITS,
    MODULE_QSFP,
    MODULE_QSFP_LIMITS,
    MODULE_CMIS_STATE,
    MODULE_CMIS,
    MODULE_CMIS_LIMITS,
    MODULE_PARTS
};

struct module_range {
    uint8_t i2c, page;
    uint32_t offset, length;
};
const struct module_range *module_range(enum module_part part);

/* What to ask for after MODULE_ID, whose first byte is id: parts that end with MODULE_PARTS. Of a flat module
 * only the first. */
const enum module_part *module_parts(uint8_t id);
/* What a part's bytes say. 0, or -EBADMSG when len isn't the range's. */
int module_take(struct qos_module *module, enum module_part part, const uint8_t *bytes, size_t len);

/* The bytes in an answer to ETHTOOL_MSG_MODULE_EEPROM_GET, at most size of them. 0, or -EBADMSG. */
int module_parse(const void *reply, size_t reply_len, uint8_t *bytes, size_t size, size_t *len);

/* nftables' answers. Pure. Attributes: linux/netfilter/nf_tables.h, and for which expression has which,
 * nf_tables_api.c and nft_*.c of the kernel. */

/* The answers to NFT_MSG_GETTABLE, GETCHAIN and GETRULE, in this order. Memory is the arena's, nothing refers
 * to bytes afterwards. 0, or -EBADMSG: what came before the broken part is kept. */
int nft_parse(const void *bytes, size_t len, struct arena *arena, struct firewall *firewall);
/* A rule by its expressions (NFTA_RULE_EXPRESSIONS), without its handle. Anonymised it has one, called "roce
 * 2 0 1": what it does, and which packets it matches. */
struct firewall_rule nft_rule(const struct nlattr *list, struct arena *arena);

/* What the module smc answers by its generic netlink family, and smc_diag of sockets. Pure. Attributes:
 * uapi/linux/smc.h and smc_diag.h; what fills them: net/smc/smc_core.c (links), smc_ib.c (devices), smc_stats.c,
 * smc_diag.c. Memory is from arena; 0, or -EBADMSG: what came before the broken message is there. */

/* SMC_NETLINK_GET_LINK_SMCR: a message for each link group, its links behind it. */
int smc_parse_links(const void *bytes, size_t len, struct arena *arena, struct smc *smc);
/* SMC_NETLINK_GET_DEV_SMCR */
int smc_parse_devices(const void *bytes, size_t len, struct arena *arena, struct smc *smc);
/* SMC_NETLINK_GET_STATS: of SMC-R, not of SMC-D. */
int smc_parse_statistics(const void *bytes, size_t len, struct smc *smc);
/* SMC_NETLINK_GET_FBACK_STATS */
int smc_parse_fallbacks(const void *bytes, size_t len, struct arena *arena, struct smc *smc);
/* SOCK_DIAG_BY_FAMILY of AF_SMC, with SMC_DIAG_LGRINFO. */
int smc_parse_sockets(const void *bytes, size_t len, struct arena *arena, struct smc *smc);

/* What the kernel sends unasked: links and addresses that change, and the RDMA core's notices. */

struct arena;

/* A socket that hears link and address changes (protocol NETLINK_ROUTE), or RDMA_NL_GROUP_NOTIFY
 * (NETLINK_RDMA, Linux 6.12). A file descriptor that the caller closes, or -errno. */
int notices_open(int protocol);
/* The next datagram from the kernel into buffer, without waiting. Its length; 0: there is none; -ENOBUFS:
 * some were lost; else -errno. */
long notices_receive(int fd, void *buffer, size_t size);

/* A notice of the RDMA core. */
struct nldev_notice {
    const char *what; /* "registered", "unregistered", "netdev-attached", … */
    struct num device_index, port, netdev_index;
    const char *device, *netdev;
};
/* 0, or -EBADMSG; pure. */
int nldev_parse_notices(const void *bytes, size_t len, struct arena *arena, struct nldev_notice **notices,
                        size_t *count);
