/* Asks dcbnl, ethtool and devlink about netdevs that are hardware or carry an RDMA device. */
#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/dcbnl.h>
#include <linux/devlink.h>
#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>
#include <linux/rtnetlink.h>
#include <string.h>

#include "base/mem.h"
#include "source/netlink/dcb.h"
#include "source/netlink/devlink.h"
#include "source/netlink/ethtool.h"
#include "source/netlink/read.h"
#include "source/netlink/transport.h"

static int ask_dcb(struct reader *reader, struct qos *qos)
{
    struct request request;
    struct span reply;
    struct dcbmsg *header = request_begin(&request, RTM_GETDCB, 0, sizeof(*header));
    header->cmd = DCB_CMD_IEEE_GET;
    mnl_attr_put_strz(&request.header, DCB_ATTR_IFNAME, qos->netdev);
    int r = netlink_ask(reader, NETLINK_ROUTE, &request, &reply, "dcb-ieee.%s", qos->netdev);
    return r < 0 ? r : dcb_parse_ieee(reply.data, reply.len, reader->arena, &qos->dcb);
}

struct ethtool_question {
    uint8_t command;
    const char *name;
    bool statistics;
};

static int ask_ethtool(struct reader *reader, uint16_t family, const struct ethtool_question *question,
                       const struct qos *qos, struct span *reply)
{
    struct request request;
    struct genlmsghdr *genl = request_begin(&request, family, 0, sizeof(*genl));
    genl->cmd = question->command;
    genl->version = ETHTOOL_GENL_VERSION;
    /* the same attribute opens every ethtool request */
    struct nlattr *header = mnl_attr_nest_start(&request.header, ETHTOOL_A_PAUSE_HEADER);
    mnl_attr_put_strz(&request.header, ETHTOOL_A_HEADER_DEV_NAME, qos->netdev);
    if (question->statistics)
        mnl_attr_put_u32(&request.header, ETHTOOL_A_HEADER_FLAGS, ETHTOOL_FLAG_STATS);
    mnl_attr_nest_end(&request.header, header);
    return netlink_ask(reader, NETLINK_GENERIC, &request, reply, "%s.%s", question->name, qos->netdev);
}

static void note(struct reader *reader, int err, const char *what, const struct qos *qos)
{
    if (err < 0)
        netlink_problem(reader, err, "%s.%s", what, qos->netdev);
}

/* Linux before 5.13 tells FEC by the ioctl only. */
static int read_fec(struct reader *reader, uint16_t family, const struct ethtool_question *question,
                    struct qos *qos)
{
    struct span reply;
    int r = ask_ethtool(reader, family, question, qos, &reply);
    if (r == 0)
        return ethtool_parse_fec(reply.data, reply.len, reader->arena, &qos->ethtool);
    if (!root_absent(r))
        return r;
    r = netlink_fetch(reader, ethtool_fetch_fec, qos->netdev, &reply, "ethtool-fecparam.%s", qos->netdev);
    return r < 0 ? r : ethtool_parse_fecparam(reply.data, reply.len, reader->arena, &qos->ethtool);
}

static void read_ethtool(struct reader *reader, uint16_t family, struct qos *qos)
{
    static const struct ethtool_question pause = { ETHTOOL_MSG_PAUSE_GET, "ethtool-pause", true },
                                         linkmodes = { ETHTOOL_MSG_LINKMODES_GET, "ethtool-linkmodes",
                                                       false },
                                         linkstate = { ETHTOOL_MSG_LINKSTATE_GET, "ethtool-linkstate",
                                                       false },
                                         fec = { ETHTOOL_MSG_FEC_GET, "ethtool-fec", true };
    struct qos_ethtool *ethtool = &qos->ethtool;
    struct span reply;
    int r = ask_ethtool(reader, family, &pause, qos, &reply);
    note(reader, r < 0 ? r : ethtool_parse_pause(reply.data, reply.len, ethtool), pause.name, qos);
    r = ask_ethtool(reader, family, &linkmodes, qos, &reply);
    note(reader, r < 0 ? r : ethtool_parse_linkmodes(reply.data, reply.len, ethtool), linkmodes.name, qos);
    r = ask_ethtool(reader, family, &linkstate, qos, &reply);
    note(reader, r < 0 ? r : ethtool_parse_linkstate(reply.data, reply.len, ethtool), linkstate.name, qos);
    note(reader, read_fec(reader, family, &fec, qos), fec.name, qos);
}

static void read_statistics(struct reader *reader, struct qos *qos)
{
    struct span reply;
    int r = netlink_fetch(reader, ethtool_fetch_statistics, qos->netdev, &reply, "ethtool-statistics.%s",
                          qos->netdev);
    if (r == 0)
        r = ethtool_parse_statistics(reply.data, reply.len, reader->arena, &qos->statistics,
                                     &qos->nstatistics);
    note(reader, r, "ethtool-statistics", qos);
}

static int dump_devlink(struct reader *reader, uint16_t family, uint8_t command, const char *name,
                        struct span *reply)
{
    struct request request;
    struct genlmsghdr *genl = request_begin(&request, family, NLM_F_DUMP, sizeof(*genl));
    genl->cmd = command;
    genl->version = DEVLINK_GENL_VERSION;
    return netlink_ask(reader, NETLINK_GENERIC, &request, reply, "%s", name);
}

/* A netdev's devlink device: that of the port that it is, else the one on its parent. */
static void set_devlink(struct reader *reader, struct qos *qos, const struct devlink_port *ports,
                        size_t nports)
{
    const struct netdev *netdev = host_find_netdev(reader->host, qos->netdev);
    if (!netdev)
        return;
    for (size_t i = 0; i < nports; i++)
        if (netdev->ifindex.known && ports[i].ifindex.value == netdev->ifindex.value)
            qos->devlink = ports[i].device;
    if (!qos->devlink && netdev->parent && netdev->parent_bus)
        qos->devlink = arena_printf(reader->arena, "%s/%s", netdev->parent_bus, netdev->parent);
}

static void read_devlink(struct reader *reader)
{
    struct host *host = reader->host;
    struct devlink_port *ports = NULL;
    struct qos_parameter *parameters = NULL;
    size_t nports = 0, nparameters = 0;
    uint16_t family;
    struct span reply;
    int r = netlink_family(reader, DEVLINK_GENL_NAME, &family);
    if (r < 0) {
        netlink_problem(reader, r, "genl-devlink");
        return;
    }
    r = dump_devlink(reader, family, DEVLINK_CMD_PORT_GET, "devlink-ports", &reply);
    if (r == 0)
        r = devlink_parse_ports(reply.data, reply.len, reader->arena, &ports, &nports);
    if (r < 0)
        netlink_problem(reader, r, "devlink-ports");
    r = dump_devlink(reader, family, DEVLINK_CMD_PARAM_GET, "devlink-parameters", &reply);
    if (r == 0)
        r = devlink_parse_parameters(reply.data, reply.len, reader->arena, &parameters, &nparameters);
    if (r < 0)
        netlink_problem(reader, r, "devlink-parameters");
    for (size_t i = 0; i < host->nqos; i++) {
        struct qos *qos = &host->qos[i];
        set_devlink(reader, qos, ports, nports);
        for (size_t k = 0; qos->devlink && k < nparameters; k++)
            if (strcmp(parameters[k].device, qos->devlink) == 0)
                *ARENA_PUSH(reader->arena, qos->parameters, qos->nparameters) = parameters[k];
    }
}

static bool is_asked(const struct host *host, const struct netdev *netdev)
{
    if (netdev->kind == NETDEV_VLAN || netdev->kind == NETDEV_BOND || netdev->kind == NETDEV_IPOIB)
        return false;
    if (netdev->parent_bus || netdev->nibdevs)
        return true;
    for (size_t d = 0; d < host->ndevices; d++) {
        const struct device *device = &host->devices[d];
        if (device->parent && strcmp(device->parent, netdev->name) == 0)
            return true;
        for (size_t p = 0; p < device->nports; p++)
            if (device->ports[p].netdev_nldev && strcmp(device->ports[p].netdev_nldev, netdev->name) == 0)
                return true;
    }
    return false;
}

void read_qos(struct reader *reader)
{
    struct host *host = reader->host;
    uint16_t family = 0;
    int has_ethtool = -ENODEV;
    for (size_t i = 0; i < host->nnetdevs; i++) {
        if (!is_asked(host, &host->netdevs[i]))
            continue;
        if (!host->nqos) {
            has_ethtool = netlink_family(reader, ETHTOOL_GENL_NAME, &family);
            if (has_ethtool < 0)
                netlink_problem(reader, has_ethtool, "genl-ethtool");
        }
        struct qos *qos = ARENA_PUSH(reader->arena, host->qos, host->nqos);
        qos->netdev = host->netdevs[i].name;
        qos->dcb_err = -ask_dcb(reader, qos);
        note(reader, -qos->dcb_err, "dcb-ieee", qos);
        if (has_ethtool == 0)
            read_ethtool(reader, family, qos);
        read_statistics(reader, qos);
    }
    if (host->nqos)
        read_devlink(reader);
}
