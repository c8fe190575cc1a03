/* SPDX-License-Identifier: MIT */
/* Questions to the kernel, and how they are asked. */
#pragma once

#include "source/netlink/parsers.h"
#include "source/reader.h"

/* Every question that roce asks the kernel, over netlink or otherwise: what a recording calls the answer, how
 * the request is built, and which table decodes the answer. Pure. */

enum question_id {
    ASK_LINKS,
    ASK_ADDRESSES,
    ASK_ROUTES,
    ASK_NEIGHBOURS,
    ASK_RULES,
    ASK_QDISC,
    ASK_DEVICES,
    ASK_SYSTEM,
    ASK_PORTS,
    ASK_TOTALS,
    ASK_RESOURCES, /* + enum resource_type */
    ASK_COUNTERS = ASK_RESOURCES + RESOURCE_TYPES,
    ASK_VALUES,
    ASK_POOLS,
    ASK_QUEUE_VALUES,
    ASK_DCB,
    ASK_ETHTOOL,
    ASK_PAUSE,
    ASK_LINKMODES,
    ASK_LINKSTATE,
    ASK_FLAGS,
    ASK_FEC,
    ASK_FECPARAM,
    ASK_STATISTICS,
    ASK_DEVLINK,
    ASK_DEVLINK_PORTS,
    ASK_DEVLINK_PARAMETERS,
    ASK_DEVLINK_HEALTH,
    ASK_MODULE, /* + enum module_part */
    ASK_MODULE_LAST = ASK_MODULE + MODULE_PARTS - 1,
    ASK_NFT_TABLES,
    ASK_NFT_CHAINS,
    ASK_NFT_RULES,
    ASK_SMC,
    ASK_SMC_LINKS,
    ASK_SMC_STATISTICS,
    ASK_SMC_FALLBACKS,
    ASK_SMC_SOCKETS,
    QUESTIONS
};

/* What a question is about; members that don't apply are unset, and NULL means the whole host. */
struct subject {
    const char *name;     /* of the netdev or RDMA device */
    uint32_t index, port; /* of the RDMA device; for a netdev's qdisc, its ifindex */
    uint16_t family;      /* the id that the kernel assigned to the generic netlink family */
};

enum { PROTOCOL_IOCTL = -1 }; /* ethtool's ioctl, recorded along with the netlink answers */

/* A question being asked: the request so far, and its fixed header. */
struct asking {
    const struct question *question;
    const struct subject *subject;
    struct nlmsghdr *message;
    void *header;
};

struct question {
    const char *name; /* "rtnl-links"; with a netdev or device "NAME.eth0", with a port "NAME.mlx5_0.1" */
    enum { OF_HOST, OF_NETDEV, OF_DEVICE, OF_PORT } of;
    int protocol;   /* NETLINK_*, or PROTOCOL_IOCTL */
    uint16_t type;  /* nlmsg_type; for generic netlink and the ioctl, the command */
    uint16_t flags; /* NLM_F_DUMP, or 0 for a single answer (NLM_F_ECHO where it takes that to get one) */
    size_t header;  /* bytes of the fixed header */
    void (*put)(const struct asking *ask); /* adds the rest of the request; NULL: nothing to add */
    const char *family;                    /* generic netlink: the family whose id this looks up */
    const char *module;          /* which asking would load, so asked only if it is there already; NULL: none */
    const struct answer *answer; /* the table that decodes it, or what a recording may keep of it; NULL: none */
    netlink_parser *parse;       /* for a format of its own; NULL: the table is enough */
};

const struct question *question_of(enum question_id id);
/* The question whose answer a recording calls this ("rtnl-links", "dcb-ieee.eth0"); NULL if there is none. */
const struct question *question_named(const char *name);
/* What a recording calls the answer. Returns 0, or -ENAMETOOLONG. */
int question_name(const struct question *question, const struct subject *subject, char *name, size_t size);
/* Not for PROTOCOL_IOCTL. */
void question_build(const struct question *question, const struct subject *subject, struct request *request);
/* The netlink back end: the kernel's answers, or a recording's. A reply is kept as the raw bytes of all its
 * messages, including the closing NLMSG_DONE or NLMSG_ERROR; in a recording it is the file netlink/NAME.
 * Private to source/. */

/* Get the answer, which stays valid until the next question; path: where a recording has it. Return 0 or
 * -errno; -EOPNOTSUPP and -ENOENT if the kernel (or the recording) has no such protocol, family or request. A
 * dump that changed while being taken is retried, a few times. One of them is chosen when the source is opened.
 */
netlink_asker netlink_ask_live, netlink_ask_recorded;

/* The live sockets, one per protocol, opened on first use. Belongs to a source. */
struct netlink *netlink_new(void);
void netlink_free(struct netlink *netlink); /* NULL is fine */

/* Makes a change: sends the request and waits for its acknowledgement. Returns 0, or -errno with the kernel's
 * error message (in arena) or NULL in *text. Live only. */
int netlink_change(int protocol, struct request *request, struct arena *arena, const char **text);

/* One way to ask over netlink, whatever the back end. */

/* Parses an answer into the host. Returns 0 or -errno, such as -EBADMSG. */
typedef int netlink_taker(struct reader *reader, struct span reply, void *data);
/* Asks, and passes the answer to take. If take is NULL, fills data, of the type that the question's parser or
 * table fills, from the only message or each message of a dump. Returns 0, or -errno from either. */
int netlink_take(struct reader *reader, enum question_id id, const struct subject *subject, netlink_taker *take,
                 void *data);
/* The same, but also notes a failure as a problem, unless it only means that the kernel doesn't offer this. */
int netlink_read(struct reader *reader, enum question_id id, const struct subject *subject, netlink_taker *take,
                 void *data);
void netlink_problem(struct reader *reader, int err, enum question_id id, const struct subject *subject);
