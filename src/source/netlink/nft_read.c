/* Asks for the firewall's rules where they can concern RDMA: soft-RoCE is UDP of the kernel, hardware passes
 * the firewall by. */
#include <errno.h>
#include <linux/netfilter/nf_tables.h>
#include <linux/netfilter/nfnetlink.h>
#include <string.h>

#include "source/netlink/nft.h"
#include "source/netlink/read.h"
#include "source/netlink/transport.h"

enum { ROCE_PORT = 4791 };

static bool has_soft_roce(const struct host *host)
{
    for (size_t i = 0; i < host->ndevices; i++)
        if (host->devices[i].driver && strcmp(host->devices[i].driver, "rxe") == 0)
            return true;
    return false;
}

void read_firewall(struct reader *reader)
{
    struct firewall *firewall = &reader->host->system.firewall;
    struct request request;
    struct span reply;
    if (!has_soft_roce(reader->host))
        return;
    firewall->asked = true;
    struct nfgenmsg *header =
        request_begin(&request, NFNL_SUBSYS_NFTABLES << 8 | NFT_MSG_GETRULE, NLM_F_DUMP, sizeof(*header));
    header->version = NFNETLINK_V0;
    int r = netlink_ask(reader, NETLINK_NETFILTER, &request, &reply, "nft-rules");
    if (r == 0)
        r = nft_find_refusal(reply.data, reply.len, ROCE_PORT, reader->arena, &firewall->refusal);
    firewall->err = -r;
}
