/* SPDX-License-Identifier: MIT */
/* Every question to the kernel as data: its name, how it is asked, and which table decodes the answer. */
#include "source/netlink/ask.h"

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
#include <linux/rtnetlink.h>
#include <linux/smc.h>
#include <linux/smc_diag.h>
#include <linux/sock_diag.h>

/* -- what a request says about its subject --------------------------------------------------------------- */

static void put_links(const struct question *question, const struct subject *subject, struct request *request,
                      void *header)
{
    (void)question, (void)subject, (void)header;
    mnl_attr_put_u32(&request->header, IFLA_EXT_MASK, RTEXT_FILTER_SKIP_STATS);
}

static void put_device(const struct question *question, const struct subject *subject, struct request *request,
                       void *header)
{
    (void)question, (void)header;
    mnl_attr_put_u32(&request->header, RDMA_NLDEV_ATTR_DEV_INDEX, subject->index);
}

static void put_port(const struct question *question, const struct subject *subject, struct request *request,
                     void *header)
{
    put_device(question, subject, request, header);
    mnl_attr_put_u32(&request->header, RDMA_NLDEV_ATTR_PORT_INDEX, subject->port);
}

static void put_queues(const struct question *question, const struct subject *subject, struct request *request,
                       void *header)
{
    put_device(question, subject, request, header);
    mnl_attr_put_u32(&request->header, RDMA_NLDEV_ATTR_STAT_RES, RDMA_NLDEV_ATTR_RES_QP);
}

static void put_dcb(const struct question *question, const struct subject *subject, struct request *request,
                    void *header)
{
    (void)question;
    ((struct dcbmsg *)header)->cmd = DCB_CMD_IEEE_GET;
    mnl_attr_put_strz(&request->header, DCB_ATTR_IFNAME, subject->name);
}

static void put_family(const struct question *question, const struct subject *subject, struct request *request,
                       void *header)
{
    (void)subject, (void)header;
    mnl_attr_put_strz(&request->header, CTRL_ATTR_FAMILY_NAME, question->family);
}

/* Every ethtool request begins with the same attribute. */
static void put_netdev(const struct question *question, const struct subject *subject, struct request *request,
                       void *header)
{
    (void)header;
    struct nlattr *nest = mnl_attr_nest_start(&request->header, ETHTOOL_A_PAUSE_HEADER);
    mnl_attr_put_strz(&request->header, ETHTOOL_A_HEADER_DEV_NAME, subject->name);
    if (question->type == ETHTOOL_MSG_PAUSE_GET || question->type == ETHTOOL_MSG_FEC_GET)
        mnl_attr_put_u32(&request->header, ETHTOOL_A_HEADER_FLAGS, ETHTOOL_FLAG_STATS);
    mnl_attr_nest_end(&request->header, nest);
}

/* A module's latched flags are left alone: reading clears them. */
static void put_module(const struct question *question, const struct subject *subject, struct request *request,
                       void *header)
{
    const struct module_range *range = module_range((enum module_part)(question - question_of(ASK_MODULE)));
    put_netdev(question, subject, request, header);
    mnl_attr_put_u32(&request->header, ETHTOOL_A_MODULE_EEPROM_OFFSET, range->offset);
    mnl_attr_put_u32(&request->header, ETHTOOL_A_MODULE_EEPROM_LENGTH, range->length);
    mnl_attr_put_u8(&request->header, ETHTOOL_A_MODULE_EEPROM_PAGE, range->page);
    mnl_attr_put_u8(&request->header, ETHTOOL_A_MODULE_EEPROM_I2C_ADDRESS, range->i2c);
}

static void put_sockets(const struct question *question, const struct subject *subject, struct request *request,
                        void *header)
{
    (void)question, (void)subject, (void)request;
    ((struct smc_diag_req *)header)->diag_family = AF_SMC;
    ((struct smc_diag_req *)header)->diag_ext = 1 << (SMC_DIAG_LGRINFO - 1);
}

static void put_qdisc(const struct question *question, const struct subject *subject, struct request *request,
                      void *header)
{
    (void)question, (void)request;
    ((struct tcmsg *)header)->tcm_ifindex = (int)subject->index;
    ((struct tcmsg *)header)->tcm_parent = TC_H_ROOT;
}

/* -- the questions --------------------------------------------------------------------------------------- */

static const struct attr_row family[] = {
    { NUMBER(CTRL_ATTR_FAMILY_ID, 2, struct subject, family), .must = true },
    { 0 },
};
static const struct answer genl_family = { .header = GENL_HDRLEN, .table = family };

/* What rows of one family have in common. */
#define RTNL(get, fixed, by) NETLINK_ROUTE, get, NLM_F_DUMP, sizeof(struct fixed), .answer = &(by)
#define NLDEV_BY_NUMBER(op, dump, by) \
    NETLINK_RDMA, RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, op), dump, 0, .answer = &(by)
#define NLDEV(op, dump, by) NLDEV_BY_NUMBER(RDMA_NLDEV_CMD_##op, dump, by)
#define GENL(command, dump, by) NETLINK_GENERIC, command, dump, sizeof(struct genlmsghdr), .answer = &(by)
#define FAMILY(name) GENL(CTRL_CMD_GETFAMILY, ONE, genl_family), .family = name, .put = put_family
#define RESOURCES(type) \
    OF_DEVICE, NLDEV(RES_##type##_GET, DUMP, nldev_resources[RESOURCE_##type]), .put = put_device
#define MODULE_PART OF_NETDEV, GENL(ETHTOOL_MSG_MODULE_EEPROM_GET, ONE, ethtool_module), .put = put_module
#define NFT(message)                                                                                 \
    NETLINK_NETFILTER, NFNL_SUBSYS_NFTABLES << 8 | NFT_MSG_##message, DUMP, sizeof(struct nfgenmsg), \
        .module = "nf_tables"

enum { ONE = 0, DUMP = NLM_F_DUMP };

/* clang-format off */
static const struct question questions[QUESTIONS] = {
    [ASK_LINKS] = { "rtnl-links", OF_HOST, RTNL(RTM_GETLINK, ifinfomsg, rtnl_links), .put = put_links },
    [ASK_ADDRESSES] = { "rtnl-addresses", OF_HOST, RTNL(RTM_GETADDR, ifaddrmsg, rtnl_addresses) },
    [ASK_ROUTES] = { "rtnl-routes", OF_HOST, RTNL(RTM_GETROUTE, rtmsg, rtnl_routes) },
    [ASK_NEIGHBOURS] = { "rtnl-neighbours", OF_HOST, RTNL(RTM_GETNEIGH, ndmsg, rtnl_neighbours) },
    [ASK_RULES] = { "rtnl-rules", OF_HOST, RTNL(RTM_GETRULE, fib_rule_hdr, rtnl_rules) },
    /* before 6.3 the answer goes to those listening for changes, and to the asker as an echo (sch_api.c) */
    [ASK_QDISC] = { "rtnl-qdisc", OF_NETDEV, NETLINK_ROUTE, RTM_GETQDISC, NLM_F_ECHO, sizeof(struct tcmsg),
                    .answer = &rtnl_qdisc, .put = put_qdisc },

    [ASK_DEVICES] = { "nldev-devices", OF_HOST, NLDEV(GET, DUMP, nldev_devices) },
    [ASK_SYSTEM] = { "nldev-system", OF_HOST, NLDEV(SYS_GET, ONE, nldev_system) },
    [ASK_PORTS] = { "nldev-ports", OF_DEVICE, NLDEV(PORT_GET, DUMP, nldev_ports), .put = put_device },
    [ASK_TOTALS] = { "nldev-totals", OF_HOST, NLDEV(RES_GET, DUMP, nldev_totals) },
    [ASK_RESOURCES + RESOURCE_QP] = { "nldev-qp", RESOURCES(QP) },
    [ASK_RESOURCES + RESOURCE_CQ] = { "nldev-cq", RESOURCES(CQ) },
    [ASK_RESOURCES + RESOURCE_MR] = { "nldev-mr", RESOURCES(MR) },
    [ASK_RESOURCES + RESOURCE_PD] = { "nldev-pd", RESOURCES(PD) },
    [ASK_RESOURCES + RESOURCE_CM_ID] = { "nldev-cm_id", RESOURCES(CM_ID) },
    [ASK_RESOURCES + RESOURCE_SRQ] = { "nldev-srq", RESOURCES(SRQ) },
    [ASK_RESOURCES + RESOURCE_CTX] = { "nldev-ctx", RESOURCES(CTX) },
    [ASK_COUNTERS] = { "nldev-counters", OF_PORT, NLDEV(STAT_GET_STATUS, ONE, nldev_optional),
                       .put = put_port },
    [ASK_VALUES] = { "nldev-values", OF_PORT, NLDEV(STAT_GET, ONE, nldev_values), .put = put_port },
    [ASK_POOLS] = { "nldev-frmr_pools", OF_DEVICE, NLDEV_BY_NUMBER(NLDEV_CMD_FRMR_POOLS_GET, DUMP, nldev_pools),
                    .put = put_device },
    [ASK_QUEUE_VALUES] = { "nldev-stat_qp", OF_DEVICE, NLDEV(STAT_GET, DUMP, nldev_bound), .put = put_queues },

    [ASK_DCB] = { "dcb-ieee", OF_NETDEV, NETLINK_ROUTE, RTM_GETDCB, ONE, sizeof(struct dcbmsg),
                  .answer = &dcb_ieee, .put = put_dcb },

    [ASK_ETHTOOL] = { "genl-ethtool", OF_HOST, FAMILY(ETHTOOL_GENL_NAME) },
    [ASK_PAUSE] = { "ethtool-pause", OF_NETDEV, GENL(ETHTOOL_MSG_PAUSE_GET, ONE, ethtool_pause),
                    .put = put_netdev },
    [ASK_LINKMODES] = { "ethtool-linkmodes", OF_NETDEV, GENL(ETHTOOL_MSG_LINKMODES_GET, ONE, ethtool_linkmodes),
                        .put = put_netdev },
    [ASK_LINKSTATE] = { "ethtool-linkstate", OF_NETDEV, GENL(ETHTOOL_MSG_LINKSTATE_GET, ONE, ethtool_linkstate),
                        .put = put_netdev },
    [ASK_FLAGS] = { "ethtool-privflags", OF_NETDEV, GENL(ETHTOOL_MSG_PRIVFLAGS_GET, ONE, ethtool_flags),
                    .put = put_netdev },
    [ASK_FEC] = { "ethtool-fec", OF_NETDEV, GENL(ETHTOOL_MSG_FEC_GET, ONE, ethtool_fec), .put = put_netdev },
    [ASK_FECPARAM] = { "ethtool-fecparam", OF_NETDEV, PROTOCOL_IOCTL, ETHTOOL_GFECPARAM, ONE, 0, .put = NULL },
    [ASK_STATISTICS] = { "ethtool-statistics", OF_NETDEV, PROTOCOL_IOCTL, ETHTOOL_GSTATS, ONE, 0, .put = NULL },

    [ASK_DEVLINK] = { "genl-devlink", OF_HOST, FAMILY(DEVLINK_GENL_NAME) },
    [ASK_DEVLINK_PORTS] = { "devlink-ports", OF_HOST, GENL(DEVLINK_CMD_PORT_GET, DUMP, devlink_ports) },
    [ASK_DEVLINK_PARAMETERS] = { "devlink-parameters", OF_HOST,
                                 GENL(DEVLINK_CMD_PARAM_GET, DUMP, devlink_parameters) },
    [ASK_DEVLINK_HEALTH] = { "devlink-health", OF_HOST,
                             GENL(DEVLINK_CMD_HEALTH_REPORTER_GET, DUMP, devlink_health) },
    [ASK_MODULE + MODULE_ID] = { "ethtool-module-id", MODULE_PART },
    [ASK_MODULE + MODULE_SFP_TYPE] = { "ethtool-module-sfp-type", MODULE_PART },
    [ASK_MODULE + MODULE_SFP] = { "ethtool-module-sfp", MODULE_PART },
    [ASK_MODULE + MODULE_SFP_LIMITS] = { "ethtool-module-sfp-limits", MODULE_PART },
    [ASK_MODULE + MODULE_QSFP] = { "ethtool-module-qsfp", MODULE_PART },
    [ASK_MODULE + MODULE_QSFP_LIMITS] = { "ethtool-module-qsfp-limits", MODULE_PART },
    [ASK_MODULE + MODULE_CMIS_STATE] = { "ethtool-module-cmis-state", MODULE_PART },
    [ASK_MODULE + MODULE_CMIS] = { "ethtool-module-cmis", MODULE_PART },
    [ASK_MODULE + MODULE_CMIS_LIMITS] = { "ethtool-module-cmis-limits", MODULE_PART },

    [ASK_NFT_TABLES] = { "nft-tables", OF_HOST, NFT(GETTABLE), .answer = &nft_tables },
    [ASK_NFT_CHAINS] = { "nft-chains", OF_HOST, NFT(GETCHAIN), .answer = &nft_chains },
    [ASK_NFT_RULES] = { "nft-rules", OF_HOST, NFT(GETRULE), .answer = &nft_rules },

    [ASK_SMC] = { "genl-smc", OF_HOST, FAMILY(SMC_GENL_FAMILY_NAME), .module = "smc" },
    [ASK_SMC_LINKS] = { "smc-links", OF_HOST, GENL(SMC_NETLINK_GET_LINK_SMCR, DUMP, smc_links) },
    [ASK_SMC_STATISTICS] = { "smc-statistics", OF_HOST, GENL(SMC_NETLINK_GET_STATS, DUMP, smc_statistics) },
    [ASK_SMC_FALLBACKS] = { "smc-fallbacks", OF_HOST, GENL(SMC_NETLINK_GET_FBACK_STATS, DUMP, smc_fallbacks) },
    [ASK_SMC_SOCKETS] = { "smc-sockets", OF_HOST, NETLINK_SOCK_DIAG, SOCK_DIAG_BY_FAMILY, DUMP,
                          sizeof(struct smc_diag_req), .answer = &smc_sockets, .put = put_sockets,
                          .module = "smc_diag" },
};
/* clang-format on */

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
    if (generic) /* all of these families have version 1 */
        *(struct genlmsghdr *)header = (struct genlmsghdr){ .cmd = (uint8_t)question->type, .version = 1 };
    if (question->put)
        question->put(question, subject, request, header);
}

const struct question *question_named(const char *name)
{
    size_t len = strcspn(name, ".");
    for (size_t i = 0; i < QUESTIONS; i++)
        if (strlen(questions[i].name) == len && strncmp(questions[i].name, name, len) == 0 &&
            (questions[i].of == OF_HOST) == (name[len] == '\0'))
            return &questions[i];
    return NULL;
}
