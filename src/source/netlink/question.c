/* SPDX-License-Identifier: MIT */
#include "source/netlink/ask.h"

#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/dcbnl.h>
#include <linux/devlink.h>
#include <linux/ethtool.h>
#include <linux/ethtool_netlink.h>
#include <linux/fib_rules.h>
#include <linux/genetlink.h>
#include <linux/if_link.h>
#include <linux/netfilter/nf_tables.h>
#include <linux/netfilter/nfnetlink.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <linux/smc.h>
#include <linux/smc_diag.h>
#include <linux/sock_diag.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "source/netlink/parsers.h"

static void put_links(struct request *request, void *header, const struct subject *subject)
{
    (void)header, (void)subject;
    mnl_attr_put_u32(&request->header, IFLA_EXT_MASK, RTEXT_FILTER_SKIP_STATS);
}

static void put_device(struct request *request, void *header, const struct subject *subject)
{
    (void)header;
    mnl_attr_put_u32(&request->header, RDMA_NLDEV_ATTR_DEV_INDEX, subject->index);
}

static void put_port(struct request *request, void *header, const struct subject *subject)
{
    put_device(request, header, subject);
    mnl_attr_put_u32(&request->header, RDMA_NLDEV_ATTR_PORT_INDEX, subject->port);
}

static void put_queues(struct request *request, void *header, const struct subject *subject)
{
    put_device(request, header, subject);
    mnl_attr_put_u32(&request->header, RDMA_NLDEV_ATTR_STAT_RES, RDMA_NLDEV_ATTR_RES_QP);
}

static void put_uverbs(struct request *request, void *header, const struct subject *subject)
{
    put_device(request, header, subject);
    mnl_attr_put_strz(&request->header, RDMA_NLDEV_ATTR_CHARDEV_TYPE, "uverbs");
}

static void put_dcb(struct request *request, void *header, const struct subject *subject)
{
    ((struct dcbmsg *)header)->cmd = DCB_CMD_IEEE_GET;
    mnl_attr_put_strz(&request->header, DCB_ATTR_IFNAME, subject->name);
}

static void put_family(struct request *request, void *header, const char *name)
{
    ((struct genlmsghdr *)header)->version = 1;
    mnl_attr_put_strz(&request->header, CTRL_ATTR_FAMILY_NAME, name);
}

static void put_ethtool_family(struct request *request, void *header, const struct subject *subject)
{
    (void)subject;
    put_family(request, header, ETHTOOL_GENL_NAME);
}

static void put_devlink_family(struct request *request, void *header, const struct subject *subject)
{
    (void)subject;
    put_family(request, header, DEVLINK_GENL_NAME);
}

/* The same attribute opens every ethtool request. */
static void put_ethtool(struct request *request, void *header, const char *netdev, uint32_t flags)
{
    ((struct genlmsghdr *)header)->version = ETHTOOL_GENL_VERSION;
    struct nlattr *nest = mnl_attr_nest_start(&request->header, ETHTOOL_A_PAUSE_HEADER);
    mnl_attr_put_strz(&request->header, ETHTOOL_A_HEADER_DEV_NAME, netdev);
    if (flags)
        mnl_attr_put_u32(&request->header, ETHTOOL_A_HEADER_FLAGS, flags);
    mnl_attr_nest_end(&request->header, nest);
}

static void put_netdev(struct request *request, void *header, const struct subject *subject)
{
    put_ethtool(request, header, subject->name, 0);
}

static void put_netdev_statistics(struct request *request, void *header, const struct subject *subject)
{
    put_ethtool(request, header, subject->name, ETHTOOL_FLAG_STATS);
}

/* Flags that a module latches are left alone: reading them clears them. */
static void put_module(struct request *request, void *header, const struct subject *subject,
                       enum module_part part)
{
    const struct module_range *range = module_range(part);
    put_ethtool(request, header, subject->name, 0);
    mnl_attr_put_u32(&request->header, ETHTOOL_A_MODULE_EEPROM_OFFSET, range->offset);
    mnl_attr_put_u32(&request->header, ETHTOOL_A_MODULE_EEPROM_LENGTH, range->length);
    mnl_attr_put_u8(&request->header, ETHTOOL_A_MODULE_EEPROM_PAGE, range->page);
    mnl_attr_put_u8(&request->header, ETHTOOL_A_MODULE_EEPROM_I2C_ADDRESS, range->i2c);
}

#define PUT_MODULE(name, part)                                                             \
    static void name(struct request *request, void *header, const struct subject *subject) \
    {                                                                                      \
        put_module(request, header, subject, part);                                        \
    }
PUT_MODULE(put_module_id, MODULE_ID)
PUT_MODULE(put_module_sfp_type, MODULE_SFP_TYPE)
PUT_MODULE(put_module_sfp, MODULE_SFP)
PUT_MODULE(put_module_sfp_limits, MODULE_SFP_LIMITS)
PUT_MODULE(put_module_qsfp, MODULE_QSFP)
PUT_MODULE(put_module_qsfp_limits, MODULE_QSFP_LIMITS)
PUT_MODULE(put_module_cmis_state, MODULE_CMIS_STATE)
PUT_MODULE(put_module_cmis, MODULE_CMIS)
PUT_MODULE(put_module_cmis_limits, MODULE_CMIS_LIMITS)

static void put_devlink(struct request *request, void *header, const struct subject *subject)
{
    (void)request, (void)subject;
    ((struct genlmsghdr *)header)->version = DEVLINK_GENL_VERSION;
}

static void put_netfilter(struct request *request, void *header, const struct subject *subject)
{
    (void)request, (void)subject;
    ((struct nfgenmsg *)header)->version = NFNETLINK_V0;
}

static void put_smc_family(struct request *request, void *header, const struct subject *subject)
{
    (void)subject;
    put_family(request, header, SMC_GENL_FAMILY_NAME);
}

static void put_smc(struct request *request, void *header, const struct subject *subject)
{
    (void)request, (void)subject;
    ((struct genlmsghdr *)header)->version = SMC_GENL_FAMILY_VERSION;
}

static void put_smc_sockets(struct request *request, void *header, const struct subject *subject)
{
    (void)request, (void)subject;
    ((struct smc_diag_req *)header)->diag_family = AF_SMC;
    ((struct smc_diag_req *)header)->diag_ext = 1 << (SMC_DIAG_LGRINFO - 1);
}

static void put_qdisc(struct request *request, void *header, const struct subject *subject)
{
    struct tcmsg *message = header;
    (void)request;
    message->tcm_family = AF_UNSPEC;
    message->tcm_ifindex = (int)subject->index;
    message->tcm_parent = TC_H_ROOT;
}

#define NLDEV(op) RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_##op)
#define NFT(message) (NFNL_SUBSYS_NFTABLES << 8 | NFT_MSG_##message)
enum { ONE = 0, DUMP = NLM_F_DUMP, GENL = sizeof(struct genlmsghdr) };

#define RESOURCES(type, name, what)                                                                    \
    [ASK_RESOURCES + RESOURCE_##type] = { name,                                                        \
                                          "RDMA_NLDEV_CMD_RES_" #type "_GET dump: the device's " what, \
                                          OF_DEVICE,                                                   \
                                          NETLINK_RDMA,                                                \
                                          NLDEV(RES_##type##_GET),                                     \
                                          DUMP,                                                        \
                                          0,                                                           \
                                          put_device }

#define MODULE(part, name, what, put)                                                             \
    [ASK_MODULE + MODULE_##part] = { "ethtool-module-" name,                                      \
                                     "ETHTOOL_MSG_MODULE_EEPROM_GET: the netdev's module, " what, \
                                     OF_NETDEV,                                                   \
                                     NETLINK_GENERIC,                                             \
                                     ETHTOOL_MSG_MODULE_EEPROM_GET,                               \
                                     ONE,                                                         \
                                     GENL,                                                        \
                                     put }

static const struct question questions[QUESTIONS] = {
    [ASK_LINKS] = { "rtnl-links", "RTM_GETLINK dump: every netdev", OF_HOST, NETLINK_ROUTE, RTM_GETLINK, DUMP,
                    sizeof(struct ifinfomsg), put_links },
    [ASK_ADDRESSES] = { "rtnl-addresses", "RTM_GETADDR dump: every IP address", OF_HOST, NETLINK_ROUTE,
                        RTM_GETADDR, DUMP, sizeof(struct ifaddrmsg), NULL },
    [ASK_ROUTES] = { "rtnl-routes", "RTM_GETROUTE dump: every route", OF_HOST, NETLINK_ROUTE, RTM_GETROUTE,
                     DUMP, sizeof(struct rtmsg), NULL },
    [ASK_NEIGHBOURS] = { "rtnl-neighbours", "RTM_GETNEIGH dump: every neighbour", OF_HOST, NETLINK_ROUTE,
                         RTM_GETNEIGH, DUMP, sizeof(struct ndmsg), NULL },
    [ASK_RULES] = { "rtnl-rules", "RTM_GETRULE dump: every routing rule", OF_HOST, NETLINK_ROUTE, RTM_GETRULE,
                    DUMP, sizeof(struct fib_rule_hdr), NULL },

    /* before 6.3 the answer goes to who listens to changes, and to the asker as their echo (sch_api.c) */
    [ASK_QDISC] = { "rtnl-qdisc", "RTM_GETQDISC: the netdev's root qdisc", OF_NETDEV, NETLINK_ROUTE,
                    RTM_GETQDISC, NLM_F_ECHO, sizeof(struct tcmsg), put_qdisc },

    [ASK_DEVICES] = { "nldev-devices", "RDMA_NLDEV_CMD_GET dump: every RDMA device", OF_HOST, NETLINK_RDMA,
                      NLDEV(GET), DUMP, 0, NULL },
    [ASK_SYSTEM] = { "nldev-system", "RDMA_NLDEV_CMD_SYS_GET: settings of the RDMA core", OF_HOST,
                     NETLINK_RDMA, NLDEV(SYS_GET), ONE, 0, NULL },
    [ASK_PORTS] = { "nldev-ports", "RDMA_NLDEV_CMD_PORT_GET dump: the device's ports", OF_DEVICE,
                    NETLINK_RDMA, NLDEV(PORT_GET), DUMP, 0, put_device },
    [ASK_UVERBS] = { "nldev-uverbs", "RDMA_NLDEV_CMD_GET_CHARDEV: the device's uverbs node", OF_DEVICE,
                     NETLINK_RDMA, NLDEV(GET_CHARDEV), ONE, 0, put_uverbs },
    [ASK_TOTALS] = { "nldev-totals", "RDMA_NLDEV_CMD_RES_GET dump: how many resources each device has",
                     OF_HOST, NETLINK_RDMA, NLDEV(RES_GET), DUMP, 0, NULL },
    RESOURCES(QP, "nldev-qp", "queue pairs"),
    RESOURCES(CQ, "nldev-cq", "completion queues"),
    RESOURCES(MR, "nldev-mr", "memory regions"),
    RESOURCES(PD, "nldev-pd", "protection domains"),
    RESOURCES(CM_ID, "nldev-cm_id", "connection ids"),
    RESOURCES(SRQ, "nldev-srq", "shared receive queues"),
    RESOURCES(CTX, "nldev-ctx", "user contexts"),
    [ASK_COUNTERS] = { "nldev-counters",
                       "RDMA_NLDEV_CMD_STAT_GET_STATUS: which of the port's counters can be switched",
                       OF_PORT, NETLINK_RDMA, NLDEV(STAT_GET_STATUS), ONE, 0, put_port },
    [ASK_VALUES] = { "nldev-values", "RDMA_NLDEV_CMD_STAT_GET: the port's hardware counters", OF_PORT,
                     NETLINK_RDMA, NLDEV(STAT_GET), ONE, 0, put_port },
    [ASK_QUEUE_VALUES] = { "nldev-stat_qp",
                           "RDMA_NLDEV_CMD_STAT_GET dump: counters that queue pairs are bound to", OF_DEVICE,
                           NETLINK_RDMA, NLDEV(STAT_GET), DUMP, 0, put_queues },

    [ASK_DCB] = { "dcb-ieee", "RTM_GETDCB, DCB_CMD_IEEE_GET: the netdev's priorities, traffic classes and PFC",
                  OF_NETDEV, NETLINK_ROUTE, RTM_GETDCB, ONE, sizeof(struct dcbmsg), put_dcb },

    [ASK_ETHTOOL] = { "genl-ethtool", "CTRL_CMD_GETFAMILY: the id of the family ethtool", OF_HOST,
                      NETLINK_GENERIC, CTRL_CMD_GETFAMILY, ONE, GENL, put_ethtool_family },
    [ASK_PAUSE] = { "ethtool-pause", "ETHTOOL_MSG_PAUSE_GET: the netdev's pause frames", OF_NETDEV,
                    NETLINK_GENERIC, ETHTOOL_MSG_PAUSE_GET, ONE, GENL, put_netdev_statistics },
    [ASK_LINKMODES] = { "ethtool-linkmodes",
                        "ETHTOOL_MSG_LINKMODES_GET: the netdev's speeds, lanes and autonegotiation",
                        OF_NETDEV, NETLINK_GENERIC, ETHTOOL_MSG_LINKMODES_GET, ONE, GENL, put_netdev },
    [ASK_LINKSTATE] = { "ethtool-linkstate",
                        "ETHTOOL_MSG_LINKSTATE_GET: the netdev's link, and why there is none", OF_NETDEV,
                        NETLINK_GENERIC, ETHTOOL_MSG_LINKSTATE_GET, ONE, GENL, put_netdev },
    [ASK_FEC] = { "ethtool-fec", "ETHTOOL_MSG_FEC_GET: the netdev's forward error correction", OF_NETDEV,
                  NETLINK_GENERIC, ETHTOOL_MSG_FEC_GET, ONE, GENL, put_netdev_statistics },
    [ASK_FECPARAM] = { "ethtool-fecparam", "ETHTOOL_GFECPARAM ioctl: the netdev's forward error correction",
                       OF_NETDEV, PROTOCOL_IOCTL, ETHTOOL_GFECPARAM, ONE, 0, NULL },
    [ASK_STATISTICS] = { "ethtool-statistics",
                         "ETHTOOL_GSTATS ioctl: the netdev driver's statistics (ethtool -S)", OF_NETDEV,
                         PROTOCOL_IOCTL, ETHTOOL_GSTATS, ONE, 0, NULL },

    [ASK_DEVLINK] = { "genl-devlink", "CTRL_CMD_GETFAMILY: the id of the family devlink", OF_HOST,
                      NETLINK_GENERIC, CTRL_CMD_GETFAMILY, ONE, GENL, put_devlink_family },
    [ASK_DEVLINK_PORTS] = { "devlink-ports", "DEVLINK_CMD_PORT_GET dump: every devlink port", OF_HOST,
                            NETLINK_GENERIC, DEVLINK_CMD_PORT_GET, DUMP, GENL, put_devlink },
    [ASK_DEVLINK_PARAMETERS] = { "devlink-parameters", "DEVLINK_CMD_PARAM_GET dump: every devlink parameter",
                                 OF_HOST, NETLINK_GENERIC, DEVLINK_CMD_PARAM_GET, DUMP, GENL, put_devlink },
    [ASK_DEVLINK_HEALTH] = { "devlink-health",
                             "DEVLINK_CMD_HEALTH_REPORTER_GET dump: every devlink health reporter", OF_HOST,
                             NETLINK_GENERIC, DEVLINK_CMD_HEALTH_REPORTER_GET, DUMP, GENL, put_devlink },
    MODULE(ID, "id", "its kind", put_module_id),
    MODULE(SFP_TYPE, "sfp-type", "whether it measures (SFF-8472)", put_module_sfp_type),
    MODULE(SFP, "sfp", "temperature to light (SFF-8472)", put_module_sfp),
    MODULE(SFP_LIMITS, "sfp-limits", "limits of its temperature (SFF-8472)", put_module_sfp_limits),
    MODULE(QSFP, "qsfp", "temperature to light (SFF-8636)", put_module_qsfp),
    MODULE(QSFP_LIMITS, "qsfp-limits", "limits of its temperature (SFF-8636)", put_module_qsfp_limits),
    MODULE(CMIS_STATE, "cmis-state", "its state (CMIS)", put_module_cmis_state),
    MODULE(CMIS, "cmis", "its temperature (CMIS)", put_module_cmis),
    MODULE(CMIS_LIMITS, "cmis-limits", "limits of its temperature (CMIS)", put_module_cmis_limits),

    [ASK_NFT_TABLES] = { "nft-tables", "NFT_MSG_GETTABLE dump: every nftables table", OF_HOST,
                         NETLINK_NETFILTER, NFT(GETTABLE), DUMP, sizeof(struct nfgenmsg), put_netfilter },
    [ASK_NFT_CHAINS] = { "nft-chains", "NFT_MSG_GETCHAIN dump: every nftables chain", OF_HOST,
                         NETLINK_NETFILTER, NFT(GETCHAIN), DUMP, sizeof(struct nfgenmsg), put_netfilter },
    [ASK_NFT_RULES] = { "nft-rules", "NFT_MSG_GETRULE dump: every nftables rule", OF_HOST, NETLINK_NETFILTER,
                        NFT(GETRULE), DUMP, sizeof(struct nfgenmsg), put_netfilter },
    [ASK_SMC] = { "genl-smc", "CTRL_CMD_GETFAMILY: the id of the family SMC_GEN_NETLINK", OF_HOST,
                  NETLINK_GENERIC, CTRL_CMD_GETFAMILY, ONE, GENL, put_smc_family },
    [ASK_SMC_LINKS] = { "smc-links", "SMC_NETLINK_GET_LINK_SMCR dump: SMC-R's link groups and links", OF_HOST,
                        NETLINK_GENERIC, SMC_NETLINK_GET_LINK_SMCR, DUMP, GENL, put_smc },
    [ASK_SMC_DEVICES] = { "smc-devices", "SMC_NETLINK_GET_DEV_SMCR dump: the RDMA devices that SMC-R sees",
                          OF_HOST, NETLINK_GENERIC, SMC_NETLINK_GET_DEV_SMCR, DUMP, GENL, put_smc },
    [ASK_SMC_STATISTICS] = { "smc-statistics", "SMC_NETLINK_GET_STATS dump: what SMC has done", OF_HOST,
                             NETLINK_GENERIC, SMC_NETLINK_GET_STATS, DUMP, GENL, put_smc },
    [ASK_SMC_FALLBACKS] = { "smc-fallbacks",
                            "SMC_NETLINK_GET_FBACK_STATS dump: why connections stayed with TCP", OF_HOST,
                            NETLINK_GENERIC, SMC_NETLINK_GET_FBACK_STATS, DUMP, GENL, put_smc },
    [ASK_SMC_SOCKETS] = { "smc-sockets", "SOCK_DIAG_BY_FAMILY dump: every socket of SMC", OF_HOST,
                          NETLINK_SOCK_DIAG, SOCK_DIAG_BY_FAMILY, DUMP, sizeof(struct smc_diag_req),
                          put_smc_sockets },
};

const char *question_module(const struct question *question)
{
    switch ((enum question_id)(question - questions)) {
    case ASK_NFT_TABLES:
    case ASK_NFT_CHAINS:
    case ASK_NFT_RULES:
        return "nf_tables";
    case ASK_SMC:
        return "smc";
    case ASK_SMC_SOCKETS:
        return "smc_diag";
    default:
        return NULL;
    }
}

const struct question *question_of(enum question_id id)
{
    return &questions[id];
}

int question_name(const struct question *question, const struct subject *subject, char *name, size_t size)
{
    int len;
    if (question->of == OF_HOST)
        len = snprintf(name, size, "%s", question->name);
    else if (question->of == OF_PORT)
        len = snprintf(name, size, "%s.%s.%u", question->name, subject->name, subject->port);
    else
        len = snprintf(name, size, "%s.%s", question->name, subject->name);
    return len < 0 || (size_t)len >= size ? -ENAMETOOLONG : 0;
}

void question_build(const struct question *question, const struct subject *subject, struct request *request)
{
    bool generic = question->protocol == NETLINK_GENERIC;
    uint16_t type = !generic ? question->type : subject ? subject->family : GENL_ID_CTRL;
    void *header = request_begin(request, type, question->flags, question->header);
    if (generic)
        ((struct genlmsghdr *)header)->cmd = (uint8_t)question->type;
    if (question->put)
        question->put(request, header, subject);
}

static const struct question *find(const char *name)
{
    size_t len = strcspn(name, ".");
    for (size_t i = 0; i < QUESTIONS; i++)
        if (strlen(questions[i].name) == len && strncmp(questions[i].name, name, len) == 0 &&
            (questions[i].of == OF_HOST) == (name[len] == '\0'))
            return &questions[i];
    return NULL;
}

const char *netlink_question_of(const char *name)
{
    const struct question *question = find(name);
    return question ? question->about : NULL;
}

/* The id of a generic netlink family says nothing, and each of these questions has one kind of answer. */
static const char *const generic_answers[QUESTIONS] = {
    [ASK_ETHTOOL] = "CTRL_CMD_NEWFAMILY",
    [ASK_PAUSE] = "ETHTOOL_MSG_PAUSE_GET_REPLY",
    [ASK_LINKMODES] = "ETHTOOL_MSG_LINKMODES_GET_REPLY",
    [ASK_LINKSTATE] = "ETHTOOL_MSG_LINKSTATE_GET_REPLY",
    [ASK_FEC] = "ETHTOOL_MSG_FEC_GET_REPLY",
    [ASK_DEVLINK] = "CTRL_CMD_NEWFAMILY",
    [ASK_DEVLINK_PORTS] = "DEVLINK_CMD_PORT_NEW",
    [ASK_DEVLINK_PARAMETERS] = "DEVLINK_CMD_PARAM_GET",
    [ASK_DEVLINK_HEALTH] = "DEVLINK_CMD_HEALTH_REPORTER_GET",
    [ASK_SMC] = "CTRL_CMD_NEWFAMILY",
    [ASK_SMC_LINKS] = "SMC_NETLINK_GET_LINK_SMCR",
    [ASK_SMC_DEVICES] = "SMC_NETLINK_GET_DEV_SMCR",
    [ASK_SMC_STATISTICS] = "SMC_NETLINK_GET_STATS",
    [ASK_SMC_FALLBACKS] = "SMC_NETLINK_GET_FBACK_STATS",
};

#define ROUTE(word)                \
    {                              \
        NETLINK_ROUTE, word, #word \
    }
#define NETFILTER(word)                                \
    {                                                  \
        NETLINK_NETFILTER, NFT(word), "NFT_MSG_" #word \
    }
#define RDMA(op)                                       \
    {                                                  \
        NETLINK_RDMA, NLDEV(op), "RDMA_NLDEV_CMD_" #op \
    }

static const struct {
    int protocol;
    uint16_t type;
    const char *word;
} kinds[] = {
    ROUTE(RTM_NEWLINK),  ROUTE(RTM_NEWADDR),
    ROUTE(RTM_NEWROUTE), ROUTE(RTM_NEWNEIGH),
    ROUTE(RTM_NEWRULE),  ROUTE(RTM_GETDCB),
    RDMA(GET),           RDMA(SYS_GET),
    RDMA(PORT_GET),      RDMA(GET_CHARDEV),
    RDMA(RES_GET),       RDMA(RES_QP_GET),
    RDMA(RES_CQ_GET),    RDMA(RES_MR_GET),
    RDMA(RES_PD_GET),    RDMA(RES_CM_ID_GET),
    RDMA(RES_SRQ_GET),   RDMA(RES_CTX_GET),
    RDMA(STAT_GET),      RDMA(STAT_GET_STATUS),
    NETFILTER(NEWTABLE), NETFILTER(NEWCHAIN),
    NETFILTER(NEWRULE),  { NETLINK_SOCK_DIAG, SOCK_DIAG_BY_FAMILY, "SOCK_DIAG_BY_FAMILY" },
};

const char *netlink_message_kind(const char *name, uint16_t type)
{
    static const char *const control[] = {
        [NLMSG_NOOP] = "NLMSG_NOOP", [NLMSG_ERROR] = "NLMSG_ERROR", [NLMSG_DONE] = "NLMSG_DONE", [NLMSG_OVERRUN] = "NLMSG_OVERRUN"
    };
    const struct question *question = find(name);
    if (!question || question->protocol == PROTOCOL_IOCTL)
        return NULL;
    if (type < NLMSG_MIN_TYPE)
        return WORD_AT(control, type);
    if (question->protocol == NETLINK_GENERIC && question->type == ETHTOOL_MSG_MODULE_EEPROM_GET &&
        question->of == OF_NETDEV)
        return "ETHTOOL_MSG_MODULE_EEPROM_GET_REPLY";
    if (question->protocol == NETLINK_GENERIC)
        return generic_answers[question - questions];
    for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
        if (kinds[i].protocol == question->protocol && kinds[i].type == type)
            return kinds[i].word;
    return NULL;
}
