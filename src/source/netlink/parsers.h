/* SPDX-License-Identifier: MIT */
/* The answers of the kernel's families: bytes in, plain data out. Pure parsers: texts and arrays live in the
 * arena; they return 0, or -EBADMSG if the bytes are incomplete, with outputs filled as far as possible. */
#pragma once

#include <linux/pkt_sched.h>
#include <rdma/rdma_netlink.h>

#include "model/host.h"
#include "model/qos.h"
#include "model/resources.h"
#include "model/services.h"
#include "source/netlink/attr_table.h"

/* Parses an answer in a format of its own into `to`. */
typedef int netlink_parser(const void *bytes, size_t len, struct arena *arena, void *to);

/* -- nldev: the RDMA subsystem --------------------------------------------------------------------------- */

/* Newer than Debian 12's headers (uapi/rdma/rdma_netlink.h of Linux 6.12; pools and the most of a summary's
 * entry by rdma-core 65). */
enum {
    NLDEV_RES_SUBTYPE = 98,
    NLDEV_EVENT_TYPE = 102,
    NLDEV_FRMR_POOLS = 105,
    NLDEV_FRMR_POOL_ENTRY,
    NLDEV_FRMR_POOL_KEY,
    NLDEV_FRMR_POOL_KEY_ATS,
    NLDEV_FRMR_POOL_KEY_ACCESS_FLAGS,
    NLDEV_FRMR_POOL_KEY_VENDOR_KEY,
    NLDEV_FRMR_POOL_KEY_NUM_DMA_BLOCKS,
    NLDEV_FRMR_POOL_QUEUE_HANDLES,
    NLDEV_FRMR_POOL_MAX_IN_USE,
    NLDEV_FRMR_POOL_IN_USE,
    NLDEV_FRMR_POOLS_AGING_PERIOD,
    NLDEV_FRMR_POOL_PINNED_HANDLES,
    NLDEV_FRMR_POOL_KEY_KERNEL_VENDOR_KEY,
    NLDEV_RES_SUMMARY_ENTRY_MAX,
    NLDEV_CMD_MONITOR = 28,
    NLDEV_CMD_FRMR_POOLS_GET,
    NLDEV_GROUP_NOTIFY = 4,
};

/* nlmsg_type of an operation. */
static inline uint16_t nldev_type(unsigned op)
{
    return (uint16_t)RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, op);
}

extern const struct answer nldev_devices; /* fills struct device; RDMA_NLDEV_ATTR_DEV_NAME says which */
extern const struct answer nldev_ports;   /* fills struct port; RDMA_NLDEV_ATTR_PORT_INDEX says which */
extern const struct answer nldev_system;  /* fills struct system */

/* Each adds a dump of one type to struct resources, with comm only for those held by the kernel; the caller
 * sets type and device. */
extern const struct answer nldev_resources[RESOURCE_TYPES];
extern const struct answer nldev_totals; /* RES_GET, for all devices; fills struct resources */
/* FRMR_POOLS_GET, into struct resources; the caller sets the device. */
extern const struct answer nldev_pools;
/* STAT_GET_STATUS: the counters that can be switched on and off, into struct resources; the caller sets device
 * and port. */
extern const struct answer nldev_optional;

struct counter_value {
    const char *name;
    struct num value;
};
struct counter_values {
    struct counter_value *items;
    size_t count;
};
/* STAT_GET: a port's enabled counters, in the driver's order, into struct counter_values. */
extern const struct answer nldev_values;
/* STAT_GET for queue pairs: the counters that some are bound to (fill_res_counter_entry()). */
struct bound_counter {
    struct num number;
    struct counter_values values;
    uint32_t *lqpns; /* the queue pairs that it counts for */
    size_t nlqpns;
};
struct bound_counters {
    struct bound_counter *items;
    size_t count;
};
extern const struct answer nldev_bound; /* fills struct bound_counters */

/* -- rtnetlink ------------------------------------------------------------------------------------------- */

/* Fills struct netdev, which refers to others by index; whoever reads all resolves these to names. */
extern const struct answer rtnl_links;

struct rtnl_address {
    struct address address;
    struct num ifindex;
    bool has_local, has_peer; /* the message had it */
};
struct rtnl_addresses {
    struct rtnl_address *items;
    size_t count;
};
extern const struct answer rtnl_addresses; /* fills struct rtnl_addresses */

/* FRA_DSCP and FRA_FLOWLABEL of uapi/linux/fib_rules.h, Linux 6.13. */
enum { RULE_DSCP = 25, RULE_FLOWLABEL };

/* netdev stays NULL in these: only the ifindex is known. */
extern const struct answer rtnl_routes, rtnl_neighbours, rtnl_rules; /* each fills its part of struct host */

extern const struct answer rtnl_qdisc;
/* The answer for a netdev's root qdisc: its traffic classes (a pointer to const), or NULL for other kinds. */
netlink_parser rtnl_parse_qdisc;

/* -- dcbnl, ethtool, devlink: quality of service --------------------------------------------------------- */

extern const struct answer dcb_ieee; /* IEEE_GET; fills struct qos_dcb */
/* Each fills its part of struct qos_ethtool. */
extern const struct answer ethtool_pause, ethtool_linkmodes, ethtool_linkstate, ethtool_fec;
extern const struct answer ethtool_flags; /* PRIVFLAGS_GET; fills struct netdev_lldp */

struct devlink_port {
    const char *device; /* "pci/0000:17:00.0" */
    struct num ifindex;
};
struct devlink {
    struct devlink_port *ports;
    struct qos_parameter *parameters;
    struct qos_reporter *reporters;
    size_t nports, nparameters, nreporters;
};
extern const struct answer devlink_ports, devlink_parameters, devlink_health; /* each fills its part */

/* The ioctl's answer as kept in a recording: a 32-bit count, that many names of 32 bytes (ETH_GSTRING_LEN),
 * that many 64-bit values; the machine's byte order. Adds them to those of a struct qos. */
netlink_parser ethtool_parse_statistics;
struct bytes;
/* Asks the ioctl and appends the answer. command: ETHTOOL_GSTATS, or ETHTOOL_GFECPARAM (struct
 * ethtool_fecparam: for kernels whose netlink doesn't report FEC). socket_fd: any socket to ask through; -1
 * creates one. Returns 0 or -errno. */
int ethtool_fetch(int socket_fd, uint32_t command, const char *netdev, struct bytes *reply);
netlink_parser ethtool_parse_fecparam; /* fills its part of struct qos_ethtool */

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

/* What to ask for after MODULE_ID, whose first byte is id: a list ending with MODULE_PARTS. For a flat module
 * only the first. */
const enum module_part *module_parts(uint8_t id);
/* Decodes the bytes of a part. Returns 0, or -EBADMSG if len isn't the range's. */
int module_take(struct qos_module *module, enum module_part part, const uint8_t *bytes, size_t len);

enum { MODULE_BYTES_MOST = 20 }; /* in a range */
struct module_bytes {
    uint8_t data[MODULE_BYTES_MOST];
    size_t len;
};
extern const struct answer ethtool_module; /* ETHTOOL_MSG_MODULE_EEPROM_GET; fills struct module_bytes */

/* -- nftables --------------------------------------------------------------------------------------------- */

/* Attributes: linux/netfilter/nf_tables.h; which expression has which: the kernel's nf_tables_api.c and
 * nft_*.c. */
extern const struct answer nft_tables, nft_chains, nft_rules;
/* Parses the answers to NFT_MSG_GETTABLE, GETCHAIN and GETRULE, in this order. */
netlink_parser nft_parse; /* fills struct firewall */
/* A rule from its expressions (NFTA_RULE_EXPRESSIONS), without its handle. When anonymised it has one
 * expression, called "roce 2 0 1": what it does, and which packets it matches. */
struct firewall_rule nft_rule(const struct nlattr *list, struct arena *arena);

/* -- SMC ------------------------------------------------------------------------------------------------- */

extern const struct answer smc_links;
netlink_parser smc_parse_links;            /* of struct smc */
extern const struct answer smc_statistics; /* of struct smc */
extern const struct answer smc_fallbacks;  /* of struct smc */
extern const struct answer
    smc_sockets; /* of struct smc: SOCK_DIAG_BY_FAMILY for AF_SMC, with SMC_DIAG_LGRINFO */

/* -- the kernel's notifications -------------------------------------------------------------------------- */

/* Opens a socket that receives link and address changes (protocol NETLINK_ROUTE), or RDMA_NL_GROUP_NOTIFY
 * (NETLINK_RDMA, Linux 6.12). Returns a file descriptor that the caller closes, or -errno. */
int notices_open(int protocol);
/* Reads the next datagram from the kernel into buffer, without waiting. Returns its length; 0 if there is none;
 * -ENOBUFS if some were lost; else -errno. */
long notices_receive(int fd, void *buffer, size_t size);

/* Receives a datagram from the kernel, without waiting. Returns its length; 0: another process sent it;
 * -EMSGSIZE: it is longer than size; or another -errno. */
ssize_t netlink_receive(int fd, void *buffer, size_t size);

/* A notice from the RDMA core. */
struct nldev_notice {
    const char *what; /* "registered", "unregistered", "netdev-attached", … */
    struct num port;
    const char *device, *netdev;
};
extern const struct answer nldev_notices; /* fills struct nldev_notice */
