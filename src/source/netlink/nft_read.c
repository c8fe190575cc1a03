/* SPDX-License-Identifier: MIT */
/* Asks for the firewall's rules where they can concern RDMA: soft-RoCE is UDP of the kernel, hardware passes
 * the firewall by. */
#include <string.h>

#include "source/netlink/ask.h"
#include "source/netlink/nft.h"
#include "source/netlink/read.h"

enum { ROCE_PORT = 4791 };

static bool has_soft_roce(const struct host *host)
{
    for (size_t i = 0; i < host->ndevices; i++)
        if (host->devices[i].driver && strcmp(host->devices[i].driver, "rxe") == 0)
            return true;
    return false;
}

static int take_rules(struct reader *reader, struct span reply, void *data)
{
    struct firewall *firewall = data;
    return nft_find_refusal(reply.data, reply.len, ROCE_PORT, reader->arena, &firewall->refusal);
}

void read_firewall(struct reader *reader)
{
    struct firewall *firewall = &reader->host->system.firewall;
    if (!has_soft_roce(reader->host))
        return;
    firewall->asked = true;
    firewall->err = -netlink_take(reader, ASK_FIREWALL, NULL, take_rules, firewall);
}
