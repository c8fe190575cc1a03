/* SPDX-License-Identifier: MIT */
#include "source/anonymise/anonymise.h"

#include <linux/dcbnl.h>
#include <linux/devlink.h>
#include <linux/ethtool.h>
#include <linux/ethtool_netlink.h>
#include <linux/fib_rules.h>
#include <linux/genetlink.h>
#include <linux/if_bonding.h>
#include <linux/if_link.h>
#include <linux/netfilter/nf_tables.h>
#include <linux/netfilter/nfnetlink.h>
#include <linux/rtnetlink.h>
#include <linux/smc.h>
#include <linux/smc_diag.h>
#include <linux/sock_diag.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/text.h"
#include "source/netlink/message.h"
#include "source/netlink/parsers.h"

#define NUMBER(number)                        \
    {                                         \
        .type = (number), .keep = KEEP_NUMBER \
    }
#define KEEP(number, what)                    \
    {                                         \
        .type = (number), .keep = KEEP_##what \
    }
#define NUMBERS(number, size)                                  \
    {                                                          \
        .type = (number), .keep = KEEP_NUMBERS, .most = (size) \
    }
#define NEST(number, table)                                  \
    {                                                        \
        .type = (number), .keep = KEEP_NEST, .nest = (table) \
    }
#define LIST(number, table)                                  \
    {                                                        \
        .type = (number), .keep = KEEP_LIST, .nest = (table) \
    }

/* -- rtnetlink ---------------------------------------------------------------------------------------------- */

static const struct attribute bond_ad[] = {
    NUMBER(IFLA_BOND_AD_INFO_AGGREGATOR),
    NUMBER(IFLA_BOND_AD_INFO_NUM_PORTS),
    KEEP(IFLA_BOND_AD_INFO_PARTNER_MAC, MAC),
    { 0 },
};
static const struct attribute bond[] = {
    NUMBER(IFLA_BOND_MODE),
    NUMBER(IFLA_BOND_ACTIVE_SLAVE),
    NUMBER(IFLA_BOND_XMIT_HASH_POLICY),
    NEST(IFLA_BOND_AD_INFO, bond_ad),
    { 0 },
};
static const struct attribute bond_member[] = {
    NUMBER(IFLA_BOND_SLAVE_STATE),
    NUMBER(IFLA_BOND_SLAVE_MII_STATUS),
    NUMBER(IFLA_BOND_SLAVE_LINK_FAILURE_COUNT),
    NUMBER(IFLA_BOND_SLAVE_AD_AGGREGATOR_ID),
    { 0 },
};
static const struct attribute qos_map[] = { NUMBER(IFLA_VLAN_QOS_MAPPING), { 0 } };
static const struct attribute vlan[] = {
    NUMBER(IFLA_VLAN_ID),
    NUMBER(IFLA_VLAN_PROTOCOL),
    NEST(IFLA_VLAN_EGRESS_QOS, qos_map),
    { 0 },
};
static const struct attribute macvlan[] = { NUMBER(IFLA_MACVLAN_MODE), { 0 } };
static const struct attribute ipvlan[] = { NUMBER(IFLA_IPVLAN_MODE), { 0 } };
static const struct attribute ipoib[] = { NUMBER(IFLA_IPOIB_MODE), NUMBER(IFLA_IPOIB_PKEY), { 0 } };

static const struct {
    const char *kind;
    const struct attribute *table;
} link_kinds[] = {
    { "vlan", vlan },     { "bond", bond },     { "macvlan", macvlan }, { "macvtap", macvlan },
    { "ipvlan", ipvlan }, { "ipvtap", ipvlan }, { "ipoib", ipoib },
};

static const struct attribute link_info[] = {
    KEEP(IFLA_INFO_KIND, WORD),
    KEEP(IFLA_INFO_SLAVE_KIND, WORD),
    { 0 },
};

static bool is_text(const struct nlattr *attr, const char *word)
{
    size_t len = 0;
    const char *text = attr_bytes(attr, &len);
    return text && strnlen(text, len) == strlen(word) && memcmp(text, word, strlen(word)) == 0;
}

/* What the data mean depends on the kind: in a tunnel's the same numbers are its peer's address. */
static void put_link_info(const struct anonymiser *anonymiser, const struct nlattr *attr, struct bytes *out)
{
    struct attrs info;
    size_t len, begin = attributes_begin(out, attr->nla_type);
    const char *data = attr_bytes(attr, &len);
    attrs_parse(&info, data, len, 0);
    attributes_put(anonymiser, link_info, data, len, out);
    for (size_t i = 0; i < ARRAY_SIZE(link_kinds); i++)
        if (info.at[IFLA_INFO_DATA] && is_text(info.at[IFLA_INFO_KIND], link_kinds[i].kind))
            attributes_put_nest(anonymiser, link_kinds[i].table, info.at[IFLA_INFO_DATA], out);
    if (info.at[IFLA_INFO_SLAVE_DATA] && is_text(info.at[IFLA_INFO_SLAVE_KIND], "bond"))
        attributes_put_nest(anonymiser, bond_member, info.at[IFLA_INFO_SLAVE_DATA], out);
    attributes_end(out, begin);
}

/* Of mqprio and taprio the map, of others nothing. */
static void put_qdisc_options(const struct anonymiser *anonymiser, const struct nlattr *attr,
                              struct bytes *out)
{
    struct tc_mqprio_qopt map, kept = { 0 };
    bool nested;
    (void)anonymiser;
    if (!rtnl_priority_map(attr, &nested, &map))
        return;
    kept.num_tc = map.num_tc;
    memcpy(kept.prio_tc_map, map.prio_tc_map, sizeof(kept.prio_tc_map));
    size_t begin = attributes_begin(out, attr->nla_type);
    size_t inner = nested ? attributes_begin(out, TCA_TAPRIO_ATTR_PRIOMAP) : 0;
    bytes_append(out, &kept, sizeof(kept));
    if (nested)
        attributes_end(out, inner);
    attributes_end(out, begin);
}

static const struct attribute qdisc[] = {
    KEEP(TCA_KIND, WORD),
    { .type = TCA_OPTIONS, .keep = KEEP_OWN, .put = put_qdisc_options },
    { 0 },
};

static const struct attribute alt_names[] = { KEEP(IFLA_ALT_IFNAME, NAME), { 0 } };
static const struct attribute links[] = {
    KEEP(IFLA_IFNAME, NAME),
    KEEP(IFLA_ADDRESS, MAC),
    NUMBER(IFLA_MTU),
    NUMBER(IFLA_MIN_MTU),
    NUMBER(IFLA_MAX_MTU),
    NUMBER(IFLA_LINK),
    NUMBER(IFLA_LINK_NETNSID),
    NUMBER(IFLA_MASTER),
    NUMBER(IFLA_OPERSTATE),
    NUMBER(IFLA_CARRIER),
    NUMBER(IFLA_CARRIER_CHANGES),
    NUMBER(IFLA_CARRIER_DOWN_COUNT),
    KEEP(IFLA_PHYS_PORT_NAME, NAME),
    KEEP(IFLA_PHYS_SWITCH_ID, MAC),
    KEEP(IFLA_PARENT_DEV_NAME, TEXT),
    KEEP(IFLA_PARENT_DEV_BUS_NAME, WORD),
    NEST(IFLA_PROP_LIST, alt_names),
    { .type = IFLA_LINKINFO, .keep = KEEP_OWN, .put = put_link_info },
    { 0 },
};

static const struct attribute addresses[] = {
    KEEP(IFA_ADDRESS, ADDRESS),
    KEEP(IFA_LOCAL, ADDRESS),
    NUMBER(IFA_FLAGS),
    NUMBERS(IFA_CACHEINFO, sizeof(struct ifa_cacheinfo)),
    { 0 },
};

static const struct attribute hop_attributes[] = { KEEP(RTA_GATEWAY, ADDRESS), { 0 } };

/* struct rtnexthop, with attributes behind it, one after the other. */
static void put_hops(const struct anonymiser *anonymiser, const struct nlattr *attr, struct bytes *out)
{
    size_t len, begin = attributes_begin(out, attr->nla_type);
    const char *data = attr_bytes(attr, &len);
    struct rtnexthop hop;
    while (len >= sizeof(hop)) {
        memcpy(&hop, data, sizeof(hop));
        if (hop.rtnh_len < sizeof(hop) || hop.rtnh_len > len)
            break;
        size_t at = out->len,
               step = NLA_ALIGN((size_t)hop.rtnh_len) < len ? NLA_ALIGN((size_t)hop.rtnh_len) : len;
        bytes_append(out, &hop, sizeof(hop));
        attributes_put(anonymiser, hop_attributes, data + sizeof(hop), hop.rtnh_len - sizeof(hop), out);
        hop.rtnh_len = (unsigned short)(out->len - at);
        memcpy(out->data + at, &hop, sizeof(hop));
        data += step;
        len -= step;
    }
    attributes_end(out, begin);
}

static const struct attribute metrics[] = { NUMBER(RTAX_MTU), { 0 } };
static const struct attribute routes[] = {
    KEEP(RTA_DST, ADDRESS),
    KEEP(RTA_GATEWAY, ADDRESS),
    KEEP(RTA_PREFSRC, ADDRESS),
    NUMBER(RTA_OIF),
    NUMBER(RTA_TABLE),
    NUMBER(RTA_PRIORITY),
    NEST(RTA_METRICS, metrics),
    { .type = RTA_MULTIPATH, .keep = KEEP_OWN, .put = put_hops },
    { 0 },
};

static const struct attribute neighbours[] = { KEEP(NDA_DST, ADDRESS), KEEP(NDA_LLADDR, MAC), { 0 } };

static const struct attribute rules[] = {
    KEEP(FRA_SRC, ADDRESS),
    KEEP(FRA_DST, ADDRESS),
    NUMBER(FRA_TABLE),
    NUMBER(FRA_PRIORITY),
    NUMBER(FRA_FWMARK),
    KEEP(FRA_IIFNAME, NAME),
    KEEP(FRA_OIFNAME, NAME),
    NUMBER(FRA_SUPPRESS_IFGROUP),
    NUMBER(FRA_SUPPRESS_PREFIXLEN),
    NUMBER(FRA_L3MDEV),
    NUMBERS(FRA_UID_RANGE, sizeof(struct fib_rule_uid_range)),
    NUMBER(FRA_TUN_ID),
    NUMBER(FRA_IP_PROTO),
    NUMBERS(FRA_SPORT_RANGE, sizeof(struct fib_rule_port_range)),
    NUMBERS(FRA_DPORT_RANGE, sizeof(struct fib_rule_port_range)),
    NUMBER(RULE_DSCP),
    NUMBER(RULE_FLOWLABEL),
    { 0 },
};

/* -- dcbnl -------------------------------------------------------------------------------------------------- */

enum { IEEE_TRUST_TABLE = 11 }; /* uapi/linux/dcbnl.h of Linux 6.3 */

static const struct attribute app[] = { NUMBERS(0, sizeof(struct dcb_app)), { 0 } };
static const struct attribute ieee[] = {
    NUMBERS(DCB_ATTR_IEEE_ETS, sizeof(struct ieee_ets)),
    NUMBERS(DCB_ATTR_IEEE_PFC, sizeof(struct ieee_pfc)),
    NUMBERS(DCB_ATTR_IEEE_MAXRATE, sizeof(struct ieee_maxrate)),
    NUMBERS(DCB_ATTR_DCB_BUFFER, sizeof(struct dcbnl_buffer)),
    LIST(DCB_ATTR_IEEE_APP_TABLE, app),
    LIST(IEEE_TRUST_TABLE, app),
    { 0 },
};
static const struct attribute dcb[] = {
    KEEP(DCB_ATTR_IFNAME, NAME),
    NEST(DCB_ATTR_IEEE, ieee),
    NUMBER(DCB_ATTR_DCBX),
    { 0 },
};

/* -- nldev -------------------------------------------------------------------------------------------------- */

static const struct attribute devices[] = {
    NUMBER(RDMA_NLDEV_ATTR_DEV_INDEX),
    KEEP(RDMA_NLDEV_ATTR_DEV_NAME, NAME),
    NUMBER(RDMA_NLDEV_ATTR_PORT_INDEX),
    NUMBER(RDMA_NLDEV_ATTR_CAP_FLAGS),
    KEEP(RDMA_NLDEV_ATTR_FW_VERSION, WORD),
    KEEP(RDMA_NLDEV_ATTR_NODE_GUID, GUID),
    KEEP(RDMA_NLDEV_ATTR_SYS_IMAGE_GUID, GUID),
    NUMBER(RDMA_NLDEV_ATTR_DEV_NODE_TYPE),
    KEEP(RDMA_NLDEV_ATTR_DEV_PROTOCOL, WORD),
    NUMBER(RDMA_NLDEV_ATTR_DEV_DIM),
    KEEP(NLDEV_DEV_TYPE, WORD),
    KEEP(NLDEV_PARENT_NAME, NAME),
    { 0 },
};

static const struct attribute ports[] = {
    NUMBER(RDMA_NLDEV_ATTR_DEV_INDEX),       KEEP(RDMA_NLDEV_ATTR_DEV_NAME, NAME),
    NUMBER(RDMA_NLDEV_ATTR_PORT_INDEX),      NUMBER(RDMA_NLDEV_ATTR_PORT_STATE),
    NUMBER(RDMA_NLDEV_ATTR_PORT_PHYS_STATE), NUMBER(RDMA_NLDEV_ATTR_NDEV_INDEX),
    KEEP(RDMA_NLDEV_ATTR_NDEV_NAME, NAME),   { 0 },
};

static const struct attribute rdma_system[] = {
    NUMBER(RDMA_NLDEV_SYS_ATTR_NETNS_MODE),
    NUMBER(RDMA_NLDEV_SYS_ATTR_COPY_ON_FORK),
    NUMBER(NLDEV_SYS_PRIVILEGED_QKEY),
    NUMBER(NLDEV_SYS_MONITOR_MODE),
    { 0 },
};

static const struct attribute chardev[] = {
    KEEP(RDMA_NLDEV_ATTR_CHARDEV_NAME, NAME),
    NUMBER(RDMA_NLDEV_ATTR_CHARDEV_ABI),
    NUMBER(RDMA_NLDEV_ATTR_CHARDEV),
    NUMBER(RDMA_NLDEV_ATTR_UVERBS_DRIVER_ID),
    { 0 },
};

static const struct attribute total[] = {
    KEEP(RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY_NAME, WORD),
    NUMBER(RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY_CURR),
    { 0 },
};
static const struct attribute totals_table[] = { NEST(RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY, total), { 0 } };
static const struct attribute totals[] = {
    NUMBER(RDMA_NLDEV_ATTR_DEV_INDEX),
    KEEP(RDMA_NLDEV_ATTR_DEV_NAME, NAME),
    NEST(RDMA_NLDEV_ATTR_RES_SUMMARY, totals_table),
    { 0 },
};

static const struct attribute counter[] = {
    KEEP(RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY_NAME, WORD),
    NUMBER(RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY_VALUE),
    NUMBER(RDMA_NLDEV_ATTR_STAT_HWCOUNTER_DYNAMIC),
    { 0 },
};
static const struct attribute counter_table[] = { NEST(RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY, counter), { 0 } };
static const struct attribute counters[] = {
    NUMBER(RDMA_NLDEV_ATTR_DEV_INDEX),
    KEEP(RDMA_NLDEV_ATTR_DEV_NAME, NAME),
    NUMBER(RDMA_NLDEV_ATTR_PORT_INDEX),
    NEST(RDMA_NLDEV_ATTR_STAT_HWCOUNTERS, counter_table),
    { 0 },
};

static const struct attribute bound_qp[] = { NUMBER(RDMA_NLDEV_ATTR_RES_LQPN), { 0 } };
static const struct attribute bound_qps[] = { NEST(RDMA_NLDEV_ATTR_RES_QP_ENTRY, bound_qp), { 0 } };
static const struct attribute bound_counter[] = {
    NUMBER(RDMA_NLDEV_ATTR_PORT_INDEX),
    NUMBER(RDMA_NLDEV_ATTR_STAT_COUNTER_ID),
    NEST(RDMA_NLDEV_ATTR_RES_QP, bound_qps),
    NEST(RDMA_NLDEV_ATTR_STAT_HWCOUNTERS, counter_table),
    { 0 },
};
static const struct attribute bound_table[] = {
    NEST(RDMA_NLDEV_ATTR_STAT_COUNTER_ENTRY, bound_counter),
    { 0 },
};
static const struct attribute bound_counters[] = {
    NUMBER(RDMA_NLDEV_ATTR_DEV_INDEX),
    KEEP(RDMA_NLDEV_ATTR_DEV_NAME, NAME),
    NEST(RDMA_NLDEV_ATTR_STAT_COUNTER, bound_table),
    { 0 },
};

/* Keys and addresses of memory stay out: they are what a peer writes with. */
static const struct attribute qp_range[] = {
    NUMBER(RDMA_NLDEV_ATTR_RES_LQPN),
    NUMBER(RDMA_NLDEV_ATTR_MIN_RANGE),
    NUMBER(RDMA_NLDEV_ATTR_MAX_RANGE),
    { 0 },
};
static const struct attribute qp_ranges[] = { NEST(RDMA_NLDEV_ATTR_RES_QP_ENTRY, qp_range), { 0 } };
static const struct attribute resource[] = {
    NUMBER(RDMA_NLDEV_ATTR_PORT_INDEX),
    NUMBER(RDMA_NLDEV_ATTR_RES_PID),
    KEEP(RDMA_NLDEV_ATTR_RES_KERN_NAME, MODULE),
    KEEP(NLDEV_RES_SUBTYPE, WORD),
    NUMBER(RDMA_NLDEV_ATTR_RES_TYPE),
    NUMBER(RDMA_NLDEV_ATTR_RES_STATE),
    NUMBER(RDMA_NLDEV_ATTR_RES_LQPN),
    NUMBER(RDMA_NLDEV_ATTR_RES_RQPN),
    NUMBER(RDMA_NLDEV_ATTR_RES_RQ_PSN),
    NUMBER(RDMA_NLDEV_ATTR_RES_SQ_PSN),
    NUMBER(RDMA_NLDEV_ATTR_RES_PATH_MIG_STATE),
    NEST(RDMA_NLDEV_ATTR_RES_QP, qp_ranges),
    NUMBER(RDMA_NLDEV_ATTR_RES_PDN),
    NUMBER(RDMA_NLDEV_ATTR_RES_CQN),
    NUMBER(RDMA_NLDEV_ATTR_RES_CTXN),
    NUMBER(RDMA_NLDEV_ATTR_RES_MRN),
    NUMBER(RDMA_NLDEV_ATTR_RES_SRQN),
    NUMBER(RDMA_NLDEV_ATTR_RES_CM_IDN),
    NUMBER(RDMA_NLDEV_ATTR_RES_CQE),
    NUMBER(RDMA_NLDEV_ATTR_RES_USECNT),
    NUMBER(RDMA_NLDEV_ATTR_RES_POLL_CTX),
    NUMBER(RDMA_NLDEV_ATTR_DEV_DIM),
    NUMBER(RDMA_NLDEV_ATTR_RES_MRLEN),
    NUMBER(RDMA_NLDEV_ATTR_RES_PS),
    KEEP(RDMA_NLDEV_ATTR_RES_SRC_ADDR, SOCKET_ADDRESS),
    KEEP(RDMA_NLDEV_ATTR_RES_DST_ADDR, SOCKET_ADDRESS),
    { 0 },
};
static const struct attribute resource_table[] = {
    NEST(RDMA_NLDEV_ATTR_RES_QP_ENTRY, resource),    NEST(RDMA_NLDEV_ATTR_RES_CQ_ENTRY, resource),
    NEST(RDMA_NLDEV_ATTR_RES_MR_ENTRY, resource),    NEST(RDMA_NLDEV_ATTR_RES_PD_ENTRY, resource),
    NEST(RDMA_NLDEV_ATTR_RES_CM_ID_ENTRY, resource), NEST(RDMA_NLDEV_ATTR_RES_SRQ_ENTRY, resource),
    NEST(RDMA_NLDEV_ATTR_RES_CTX_ENTRY, resource),   { 0 },
};
static const struct attribute resources[] = {
    NUMBER(RDMA_NLDEV_ATTR_DEV_INDEX),
    KEEP(RDMA_NLDEV_ATTR_DEV_NAME, NAME),
    NEST(RDMA_NLDEV_ATTR_RES_QP, resource_table),
    NEST(RDMA_NLDEV_ATTR_RES_CQ, resource_table),
    NEST(RDMA_NLDEV_ATTR_RES_MR, resource_table),
    NEST(RDMA_NLDEV_ATTR_RES_PD, resource_table),
    NEST(RDMA_NLDEV_ATTR_RES_CM_ID, resource_table),
    NEST(RDMA_NLDEV_ATTR_RES_SRQ, resource_table),
    NEST(RDMA_NLDEV_ATTR_RES_CTX, resource_table),
    { 0 },
};

/* -- generic netlink ---------------------------------------------------------------------------------------- */

static const struct attribute family[] = {
    NUMBER(CTRL_ATTR_FAMILY_ID),
    KEEP(CTRL_ATTR_FAMILY_NAME, WORD),
    { 0 },
};

enum { STATISTICS = 8 * 32, LINK_MODE_BYTES = 64, MODULE_RANGE_MOST = 20 };

static const struct attribute pause_statistics[] = {
    NUMBER(ETHTOOL_A_PAUSE_STAT_TX_FRAMES),
    NUMBER(ETHTOOL_A_PAUSE_STAT_RX_FRAMES),
    { 0 },
};
static const struct attribute pause_frames[] = {
    NUMBER(ETHTOOL_A_PAUSE_AUTONEG),
    NUMBER(ETHTOOL_A_PAUSE_RX),
    NUMBER(ETHTOOL_A_PAUSE_TX),
    NEST(ETHTOOL_A_PAUSE_STATS, pause_statistics),
    { 0 },
};

static const struct attribute bit[] = {
    NUMBER(ETHTOOL_A_BITSET_BIT_INDEX),
    KEEP(ETHTOOL_A_BITSET_BIT_NAME, WORD),
    NUMBER(ETHTOOL_A_BITSET_BIT_VALUE),
    { 0 },
};
static const struct attribute bits[] = { NEST(ETHTOOL_A_BITSET_BITS_BIT, bit), { 0 } };
static const struct attribute bitset[] = {
    NUMBER(ETHTOOL_A_BITSET_NOMASK),
    NUMBER(ETHTOOL_A_BITSET_SIZE),
    NEST(ETHTOOL_A_BITSET_BITS, bits),
    NUMBERS(ETHTOOL_A_BITSET_VALUE, LINK_MODE_BYTES),
    NUMBERS(ETHTOOL_A_BITSET_MASK, LINK_MODE_BYTES),
    { 0 },
};
static const struct attribute link_modes[] = {
    NUMBER(ETHTOOL_A_LINKMODES_AUTONEG), NEST(ETHTOOL_A_LINKMODES_OURS, bitset),
    NUMBER(ETHTOOL_A_LINKMODES_SPEED),   NUMBER(ETHTOOL_A_LINKMODES_DUPLEX),
    NUMBER(ETHTOOL_A_LINKMODES_LANES),   { 0 },
};
static const struct attribute link_state[] = {
    NUMBER(ETHTOOL_A_LINKSTATE_LINK),
    NUMBER(ETHTOOL_A_LINKSTATE_EXT_STATE),
    { 0 },
};
static const struct attribute fec_statistics[] = {
    NUMBERS(ETHTOOL_A_FEC_STAT_CORRECTED, STATISTICS),
    NUMBERS(ETHTOOL_A_FEC_STAT_UNCORR, STATISTICS),
    { 0 },
};
static const struct attribute fec[] = {
    NEST(ETHTOOL_A_FEC_MODES, bitset),
    NUMBER(ETHTOOL_A_FEC_AUTO),
    NUMBER(ETHTOOL_A_FEC_ACTIVE),
    NEST(ETHTOOL_A_FEC_STATS, fec_statistics),
    { 0 },
};

static const struct attribute devlink_ports[] = {
    KEEP(DEVLINK_ATTR_BUS_NAME, WORD),
    KEEP(DEVLINK_ATTR_DEV_NAME, TEXT),
    NUMBER(DEVLINK_ATTR_PORT_NETDEV_IFINDEX),
    { 0 },
};
/* A parameter that is text has one of the driver's words, which are short. */
static const struct attribute parameter_value[] = {
    NUMBERS(DEVLINK_ATTR_PARAM_VALUE_DATA, 16),
    NUMBER(DEVLINK_ATTR_PARAM_VALUE_CMODE),
    { 0 },
};
static const struct attribute parameter_values[] = { NEST(DEVLINK_ATTR_PARAM_VALUE, parameter_value), { 0 } };
static const struct attribute parameter[] = {
    KEEP(DEVLINK_ATTR_PARAM_NAME, WORD),
    NUMBER(DEVLINK_ATTR_PARAM_TYPE),
    NEST(DEVLINK_ATTR_PARAM_VALUES_LIST, parameter_values),
    { 0 },
};
static const struct attribute devlink_parameters[] = {
    KEEP(DEVLINK_ATTR_BUS_NAME, WORD),
    KEEP(DEVLINK_ATTR_DEV_NAME, TEXT),
    NEST(DEVLINK_ATTR_PARAM, parameter),
    { 0 },
};

static const struct attribute reporter[] = {
    KEEP(DEVLINK_ATTR_HEALTH_REPORTER_NAME, WORD),
    NUMBER(DEVLINK_ATTR_HEALTH_REPORTER_STATE),
    NUMBER(DEVLINK_ATTR_HEALTH_REPORTER_ERR_COUNT),
    NUMBER(DEVLINK_ATTR_HEALTH_REPORTER_RECOVER_COUNT),
    { 0 },
};
static const struct attribute devlink_health[] = {
    KEEP(DEVLINK_ATTR_BUS_NAME, WORD),
    KEEP(DEVLINK_ATTR_DEV_NAME, TEXT),
    NEST(DEVLINK_ATTR_HEALTH_REPORTER, reporter),
    { 0 },
};

static const struct attribute smc_group[] = {
    NUMBER(SMC_NLA_LGR_R_ID),
    NUMBER(SMC_NLA_LGR_R_ROLE),
    NUMBER(SMC_NLA_LGR_R_TYPE),
    KEEP(SMC_NLA_LGR_R_PNETID, NAME),
    { 0 },
};
static const struct attribute smc_link[] = {
    NUMBER(SMC_NLA_LINK_ID),           KEEP(SMC_NLA_LINK_IB_DEV, NAME),
    NUMBER(SMC_NLA_LINK_IB_PORT),      KEEP(SMC_NLA_LINK_GID, TEXT),
    KEEP(SMC_NLA_LINK_PEER_GID, TEXT), NUMBER(SMC_NLA_LINK_CONN_CNT),
    NUMBER(SMC_NLA_LINK_STATE),        { 0 },
};
static const struct attribute smc_links[] = {
    NEST(SMC_GEN_LGR_SMCR, smc_group),
    NEST(SMC_GEN_LINK_SMCR, smc_link),
    { 0 },
};
static const struct attribute smc_port[] = {
    KEEP(SMC_NLA_DEV_PORT_PNETID, NAME),
    NUMBER(SMC_NLA_DEV_PORT_STATE),
    { 0 },
};
static const struct attribute smc_device[] = {
    KEEP(SMC_NLA_DEV_IB_NAME, NAME),
    NEST(SMC_NLA_DEV_PORT, smc_port),
    NEST(SMC_NLA_DEV_PORT2, smc_port),
    { 0 },
};
static const struct attribute smc_devices[] = { NEST(SMC_GEN_DEV_SMCR, smc_device), { 0 } };
static const struct attribute smc_technique[] = {
    NUMBER(SMC_NLA_STATS_T_CLNT_V1_SUCC),
    NUMBER(SMC_NLA_STATS_T_CLNT_V2_SUCC),
    NUMBER(SMC_NLA_STATS_T_SRV_V1_SUCC),
    NUMBER(SMC_NLA_STATS_T_SRV_V2_SUCC),
    NUMBER(SMC_NLA_STATS_T_TX_BYTES),
    NUMBER(SMC_NLA_STATS_T_RX_BYTES),
    { 0 },
};
static const struct attribute smc_statistic[] = {
    NEST(SMC_NLA_STATS_SMCR_TECH, smc_technique),
    NUMBER(SMC_NLA_STATS_CLNT_HS_ERR_CNT),
    NUMBER(SMC_NLA_STATS_SRV_HS_ERR_CNT),
    { 0 },
};
static const struct attribute smc_statistics[] = { NEST(SMC_GEN_STATS, smc_statistic), { 0 } };
static const struct attribute smc_fallback[] = {
    NUMBER(SMC_NLA_FBACK_STATS_TYPE),
    NUMBER(SMC_NLA_FBACK_STATS_RSN_CODE),
    NUMBER(SMC_NLA_FBACK_STATS_RSN_CNT),
    { 0 },
};
static const struct attribute smc_fallbacks[] = { NEST(SMC_GEN_FBACK_STATS, smc_fallback), { 0 } };

/* The ranges that module.c asks for: kind, temperature, light; none has the vendor's serial number. */
static const struct attribute module_bytes[] = {
    NUMBERS(ETHTOOL_A_MODULE_EEPROM_DATA, MODULE_RANGE_MOST),
    { 0 },
};

/* -- sockets of SMC ------------------------------------------------------------------------------------------ */

/* Four words: an address of IPv4 is the first of them. */
static void change_words(const struct anonymiser *anonymiser, void *words)
{
    uint8_t raw[16];
    memcpy(raw, words, sizeof(raw));
    bool is_v4 = true;
    for (size_t i = 4; i < sizeof(raw); i++)
        is_v4 &= raw[i] == 0;
    if (is_v4)
        anonymise_v4(anonymiser, raw);
    else
        anonymise_v6(anonymiser, raw);
    memcpy(words, raw, sizeof(raw));
}

/* What remains is state, mode, ports and addresses. */
static void change_socket(const struct anonymiser *anonymiser, char *header)
{
    struct smc_diag_msg old, new = { 0 };
    memcpy(&old, header, sizeof(old));
    new.diag_family = old.diag_family;
    new.diag_state = old.diag_state;
    new.diag_mode = old.diag_mode;
    new.id.idiag_sport = old.id.idiag_sport;
    new.id.idiag_dport = old.id.idiag_dport;
    memcpy(new.id.idiag_src, old.id.idiag_src, sizeof(new.id.idiag_src));
    memcpy(new.id.idiag_dst, old.id.idiag_dst, sizeof(new.id.idiag_dst));
    change_words(anonymiser, new.id.idiag_src);
    change_words(anonymiser, new.id.idiag_dst);
    memcpy(header, &new, sizeof(new));
}

/* Into a field of fixed size. */
static void put_field(uint8_t *field, size_t size, const struct bytes *text)
{
    size_t len = text->len < size ? text->len : size - 1;
    memset(field, 0, size);
    memcpy(field, text->data, len);
}

static void put_socket_link(const struct anonymiser *anonymiser, const struct nlattr *attr, struct bytes *out)
{
    size_t len, begin = attributes_begin(out, attr->nla_type);
    const void *data = attr_bytes(attr, &len);
    struct smc_diag_lgrinfo old, new = { 0 };
    if (len >= sizeof(old)) {
        struct bytes text = { 0 };
        memcpy(&old, data, sizeof(old));
        struct smc_diag_linkinfo *from = &old.lnk[0], *to = &new.lnk[0];
        to->link_id = from->link_id;
        to->ibport = from->ibport;
        anonymise_name(anonymiser, (const char *)from->ibname,
                       strnlen((const char *)from->ibname, sizeof(from->ibname)), &text);
        put_field(to->ibname, sizeof(to->ibname), &text);
        bytes_append(out, &new, sizeof(new));
        bytes_free(&text);
    }
    attributes_end(out, begin);
}

static const struct attribute smc_sockets[] = {
    NUMBERS(SMC_DIAG_FALLBACK, sizeof(struct smc_diag_fallback)),
    { .type = SMC_DIAG_LGRINFO, .keep = KEEP_OWN, .put = put_socket_link },
    { 0 },
};

/* -- the firewall ------------------------------------------------------------------------------------------- */

/* A rule compares packets with addresses and names: what nft_parse() takes of it stands in their place. */
static void put_rule(const struct anonymiser *anonymiser, const struct nlattr *list, struct bytes *out)
{
    struct arena *arena = arena_new();
    struct firewall_rule rule = nft_rule(list, arena);
    (void)anonymiser;
    size_t begin = attributes_begin(out, list->nla_type), element = attributes_begin(out, NFTA_LIST_ELEM);
    size_t name = attributes_begin(out, NFTA_EXPR_NAME);
    bytes_printf(out, "roce %u %u %u", rule.does, rule.matches[0], rule.matches[1]);
    attributes_end(out, name);
    attributes_end(out, element);
    attributes_end(out, begin);
    arena_free(arena);
}

static const struct attribute tables[] = { NUMBER(NFTA_TABLE_FLAGS), { 0 } };
static const struct attribute hook[] = { NUMBER(NFTA_HOOK_HOOKNUM), { 0 } };
static const struct attribute chains[] = {
    KEEP(NFTA_CHAIN_TABLE, NAME), KEEP(NFTA_CHAIN_NAME, NAME), KEEP(NFTA_CHAIN_TYPE, WORD),
    NUMBER(NFTA_CHAIN_POLICY),    NEST(NFTA_CHAIN_HOOK, hook), { 0 },
};
static const struct attribute firewall_rules[] = {
    KEEP(NFTA_RULE_TABLE, NAME),
    KEEP(NFTA_RULE_CHAIN, NAME),
    NUMBER(NFTA_RULE_HANDLE),
    { .type = NFTA_RULE_EXPRESSIONS, .keep = KEEP_OWN, .put = put_rule },
    { 0 },
};

/* -- answers ------------------------------------------------------------------------------------------------ */

/* By the names of question.c. type 0: nldev's and generic netlink's answers differ in it. */
static const struct answer {
    const char *name;
    uint16_t type;
    size_t header;
    const struct attribute *table;
} answers[] = {
    { "rtnl-links", RTM_NEWLINK, sizeof(struct ifinfomsg), links },
    { "rtnl-addresses", RTM_NEWADDR, sizeof(struct ifaddrmsg), addresses },
    { "rtnl-routes", RTM_NEWROUTE, sizeof(struct rtmsg), routes },
    { "rtnl-neighbours", RTM_NEWNEIGH, sizeof(struct ndmsg), neighbours },
    { "rtnl-rules", RTM_NEWRULE, sizeof(struct fib_rule_hdr), rules },
    { "rtnl-qdisc", RTM_NEWQDISC, sizeof(struct tcmsg), qdisc },
    { "dcb-ieee", RTM_GETDCB, sizeof(struct dcbmsg), dcb },
    { "nldev-devices", 0, 0, devices },
    { "nldev-system", 0, 0, rdma_system },
    { "nldev-ports", 0, 0, ports },
    { "nldev-uverbs", 0, 0, chardev },
    { "nldev-totals", 0, 0, totals },
    { "nldev-qp", 0, 0, resources },
    { "nldev-cq", 0, 0, resources },
    { "nldev-mr", 0, 0, resources },
    { "nldev-pd", 0, 0, resources },
    { "nldev-cm_id", 0, 0, resources },
    { "nldev-srq", 0, 0, resources },
    { "nldev-ctx", 0, 0, resources },
    { "nldev-counters", 0, 0, counters },
    { "nldev-values", 0, 0, counters },
    { "nldev-stat_qp", 0, 0, bound_counters },
    { "genl-ethtool", 0, GENL_HDRLEN, family },
    { "genl-devlink", 0, GENL_HDRLEN, family },
    { "ethtool-pause", 0, GENL_HDRLEN, pause_frames },
    { "ethtool-linkmodes", 0, GENL_HDRLEN, link_modes },
    { "ethtool-linkstate", 0, GENL_HDRLEN, link_state },
    { "ethtool-fec", 0, GENL_HDRLEN, fec },
    { "ethtool-module-id", 0, GENL_HDRLEN, module_bytes },
    { "ethtool-module-sfp-type", 0, GENL_HDRLEN, module_bytes },
    { "ethtool-module-sfp", 0, GENL_HDRLEN, module_bytes },
    { "ethtool-module-sfp-limits", 0, GENL_HDRLEN, module_bytes },
    { "ethtool-module-qsfp", 0, GENL_HDRLEN, module_bytes },
    { "ethtool-module-qsfp-limits", 0, GENL_HDRLEN, module_bytes },
    { "ethtool-module-cmis-state", 0, GENL_HDRLEN, module_bytes },
    { "ethtool-module-cmis", 0, GENL_HDRLEN, module_bytes },
    { "ethtool-module-cmis-limits", 0, GENL_HDRLEN, module_bytes },
    { "devlink-health", 0, GENL_HDRLEN, devlink_health },
    { "genl-smc", 0, GENL_HDRLEN, family },
    { "smc-links", 0, GENL_HDRLEN, smc_links },
    { "smc-devices", 0, GENL_HDRLEN, smc_devices },
    { "smc-statistics", 0, GENL_HDRLEN, smc_statistics },
    { "smc-fallbacks", 0, GENL_HDRLEN, smc_fallbacks },
    { "smc-sockets", SOCK_DIAG_BY_FAMILY, sizeof(struct smc_diag_msg), smc_sockets },
    { "devlink-ports", 0, GENL_HDRLEN, devlink_ports },
    { "devlink-parameters", 0, GENL_HDRLEN, devlink_parameters },
    { "nft-tables", NFNL_SUBSYS_NFTABLES << 8 | NFT_MSG_NEWTABLE, sizeof(struct nfgenmsg), tables },
    { "nft-chains", NFNL_SUBSYS_NFTABLES << 8 | NFT_MSG_NEWCHAIN, sizeof(struct nfgenmsg), chains },
    { "nft-rules", NFNL_SUBSYS_NFTABLES << 8 | NFT_MSG_NEWRULE, sizeof(struct nfgenmsg), firewall_rules },
};

static size_t begin_message(const struct message *message, struct bytes *out)
{
    struct nlmsghdr header = { .nlmsg_type = message->type, .nlmsg_flags = message->flags };
    size_t begin = out->len;
    bytes_append(out, &header, sizeof(header));
    return begin;
}

static void end_message(size_t begin, struct bytes *out)
{
    uint32_t len = (uint32_t)(out->len - begin);
    memcpy(out->data + begin, &len, sizeof(len));
    bytes_append(out, "\0\0\0", NLMSG_ALIGN(len) - len);
}

/* The errno. Behind it stands the question, and the kernel's word about it. */
static void put_control(const struct message *message, struct bytes *out)
{
    struct nlmsgerr error = { 0 };
    bool is_error = message->type == NLMSG_ERROR;
    size_t whole = is_error ? sizeof(error) : sizeof(error.error);
    size_t begin = begin_message(message, out);
    if (is_error) {
        struct nlmsghdr *header = (void *)(out->data + begin);
        header->nlmsg_flags = (uint16_t)((header->nlmsg_flags & ~NLM_F_ACK_TLVS) | NLM_F_CAPPED);
    }
    memcpy(&error, message->payload, message->len < sizeof(error.error) ? message->len : sizeof(error.error));
    bytes_append(out, &error, message->len < whole ? message->len & ~(size_t)3 : whole);
    end_message(begin, out);
}

static void put_answer(const struct anonymiser *anonymiser, const struct answer *answer,
                       const struct message *message, struct bytes *out)
{
    size_t header = NLMSG_ALIGN(answer->header);
    if (answer->type && message->type != answer->type)
        return;
    size_t begin = begin_message(message, out);
    bytes_append(out, message->payload, message->len < header ? message->len : header);
    if (message->len >= header && answer->table == smc_sockets) /* RTM_NEWADDR has the same number */
        change_socket(anonymiser, out->data + begin + sizeof(struct nlmsghdr));
    if (message->len >= header &&
        !attributes_put(anonymiser, answer->table, message->payload + header, message->len - header, out))
        bytes_append(out, "\0\0\0\0", 4);
    end_message(begin, out);
}

static void put_messages(const struct anonymiser *anonymiser, const struct answer *answer, const char *data,
                         size_t len, struct bytes *out)
{
    struct messages messages = messages_of(data, len);
    struct message message;
    while (messages_next(&messages, &message)) {
        if (message.type < NLMSG_MIN_TYPE)
            put_control(&message, out);
        else
            put_answer(anonymiser, answer, &message, out);
    }
    if (messages.broken)
        bytes_append(out, "\0\0\0\0", 4);
}

/* Of ethtool's ioctl: a driver's names of 32 bytes each, then their values. */
static void put_statistics(const char *data, size_t len, struct bytes *out)
{
    struct arena *arena = arena_new();
    struct qos_statistic *statistics = NULL;
    size_t count = 0;
    if (ethtool_parse_statistics(data, len, arena, &statistics, &count) < 0) {
        bytes_append(out, "\0", 1);
    } else {
        uint32_t n = (uint32_t)count;
        bytes_append(out, &n, sizeof(n));
        for (size_t i = 0; i < count; i++) {
            char name[ETH_GSTRING_LEN] = { 0 };
            size_t size = strlen(statistics[i].name);
            memcpy(name, statistics[i].name, size < sizeof(name) ? size : sizeof(name));
            bytes_append(out, name, sizeof(name));
        }
        size_t values = sizeof(n) + count * ETH_GSTRING_LEN;
        bytes_append(out, data + values, len - values);
    }
    arena_free(arena);
}

bool anonymise_reply(const struct anonymiser *anonymiser, const char *name, const char *data, size_t len,
                     struct bytes *out)
{
    size_t size = strcspn(name, ".");
    bytes_append(out, "", 0);
    if (text_starts(name, "ethtool-statistics.")) {
        put_statistics(data, len, out);
        return true;
    }
    if (text_starts(name, "ethtool-fecparam.")) {
        bytes_append(out, data, len == sizeof(struct ethtool_fecparam) ? len : 0);
        return true;
    }
    for (size_t i = 0; i < ARRAY_SIZE(answers); i++)
        if (strlen(answers[i].name) == size && memcmp(answers[i].name, name, size) == 0) {
            put_messages(anonymiser, &answers[i], data, len, out);
            return true;
        }
    return false;
}
