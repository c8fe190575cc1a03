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

#include "tables.h"

/* -- what a request says about its subject --------------------------------------------------------------- */

static void put_links(const struct asking *ask)
{
    mnl_attr_put_u32(ask->message, IFLA_EXT_MASK, RTEXT_FILTER_SKIP_STATS);
}

static void put_device(const struct asking *ask)
{
    mnl_attr_put_u32(ask->message, RDMA_NLDEV_ATTR_DEV_INDEX, ask->subject->index);
}

static void put_port(const struct asking *ask)
{
    put_device(ask);
    mnl_attr_put_u32(ask->message, RDMA_NLDEV_ATTR_PORT_INDEX, ask->subject->port);
}

static void put_queues(const struct asking *ask)
{
    put_device(ask);
    mnl_attr_put_u32(ask->message, RDMA_NLDEV_ATTR_STAT_RES, RDMA_NLDEV_ATTR_RES_QP);
}

static void put_dcb(const struct asking *ask)
{
    ((struct dcbmsg *)ask->header)->cmd = DCB_CMD_IEEE_GET;
    mnl_attr_put_strz(ask->message, DCB_ATTR_IFNAME, ask->subject->name);
}

static void put_family(const struct asking *ask)
{
    mnl_attr_put_strz(ask->message, CTRL_ATTR_FAMILY_NAME, ask->question->family);
}

/* Every ethtool request begins with the same attribute. */
static void put_netdev(const struct asking *ask)
{
    struct nlattr *nest = mnl_attr_nest_start(ask->message, ETHTOOL_A_PAUSE_HEADER);
    mnl_attr_put_strz(ask->message, ETHTOOL_A_HEADER_DEV_NAME, ask->subject->name);
    if (ask->question->type == ETHTOOL_MSG_PAUSE_GET || ask->question->type == ETHTOOL_MSG_FEC_GET)
        mnl_attr_put_u32(ask->message, ETHTOOL_A_HEADER_FLAGS, ETHTOOL_FLAG_STATS);
    mnl_attr_nest_end(ask->message, nest);
}

/* A module's latched flags are left alone: reading clears them. */
static void put_module(const struct asking *ask)
{
    const struct module_range *range = module_range(
        (enum module_part)(ask->question - question_of(ASK_MODULE)));
    put_netdev(ask);
    mnl_attr_put_u32(ask->message, ETHTOOL_A_MODULE_EEPROM_OFFSET, range->offset);
    mnl_attr_put_u32(ask->message, ETHTOOL_A_MODULE_EEPROM_LENGTH, range->length);
    mnl_attr_put_u8(ask->message, ETHTOOL_A_MODULE_EEPROM_PAGE, range->page);
    mnl_attr_put_u8(ask->message, ETHTOOL_A_MODULE_EEPROM_I2C_ADDRESS, range->i2c);
}

static void put_sockets(const struct asking *ask)
{
    ((struct smc_diag_req *)ask->header)->diag_family = AF_SMC;
    ((struct smc_diag_req *)ask->header)->diag_ext = 1 << (SMC_DIAG_LGRINFO - 1);
}

static void put_qdisc(const struct asking *ask)
{
    ((struct tcmsg *)ask->header)->tcm_ifindex = (int)ask->subject->index;
    ((struct tcmsg *)ask->header)->tcm_parent = TC_H_ROOT;
}

/* -- the questions --------------------------------------------------------------------------------------- */

NETLINK_GENL_FAMILY;
static const struct answer genl_family = { .header = GENL_HDRLEN, .table = family };

/* What rows of one family have in common. */
#define RTNL(get, fixed, by) NETLINK_ROUTE, get, NLM_F_DUMP, sizeof(struct fixed), .answer = &(by)
#define NLDEV_BY_NUMBER(op, dump, by) \
    NETLINK_RDMA, RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, op), dump, 0, .answer = &(by)
#define NLDEV(op, dump, by) NLDEV_BY_NUMBER(RDMA_NLDEV_CMD_##op, dump, by)
#define GENL(command, dump, by) NETLINK_GENERIC, command, dump, sizeof(struct genlmsghdr), .answer = &(by)
#define FAMILY(name) GENL(CTRL_CMD_GETFAMILY, ONE, genl_family), .family = name, .put = put_family
#define RESOURCES(type) NLDEV(RES_##type##_GET, DUMP, nldev_resources[RESOURCE_##type]), .put = put_device
#define MODULE_PART GENL(ETHTOOL_MSG_MODULE_EEPROM_GET, ONE, ethtool_module), .put = put_module
#define NFT(message)                                                                                 \
    NETLINK_NETFILTER, NFNL_SUBSYS_NFTABLES << 8 | NFT_MSG_##message, DUMP, sizeof(struct nfgenmsg), \
        .module = "nf_tables", .parse = nft_parse

enum { ONE = 0, DUMP = NLM_F_DUMP };

static const struct question questions[QUESTIONS] = { NETLINK_QUESTIONS };

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
        question->put(&(struct asking){ question, subject, &request->header, header });
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
