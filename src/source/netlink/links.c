/* SPDX-License-Identifier: MIT */
/* The netdevs that rtnetlink knows, and their relations, which it gives by index. */
#include "source/netlink/ask.h"
#include "source/netlink/read.h"

/* What takes the frames of one that is wanted tells what its addresses are worth. */
static bool is_wanted(const struct reader *reader, const struct netdev *netdev)
{
    if (reader->needs & NEED_NETDEV_ALL || find_wanted(reader, netdev->name) ||
        (netdev->kind == NETDEV_MACVLAN && find_wanted(reader, netdev->lower)))
        return true;
    for (size_t i = 0; i < netdev->nmembers; i++)
        if (find_wanted(reader, netdev->members[i]))
            return true;
    return false;
}

static struct netdev *by_index(const struct host *host, struct num ifindex)
{
    return ifindex.known ? host_find_netdev_by_index(host, ifindex.value) : NULL;
}

/* Resolves a netdev's references to others from index to name. The members of a bond, team, bridge, VRF, … are
 * those that name it. A master of no kind has one netdev below it: hv_netvsc its VF. */
static void name_relations(struct reader *reader, struct netdev *netdev)
{
    struct netdev *master = by_index(reader->host, netdev->master_ifindex);
    struct netdev *lower = netdev->lower_netnsid.known ? NULL : by_index(reader->host, netdev->lower_ifindex);
    struct netdev *active = netdev->bond ? by_index(reader->host, netdev->bond->active_ifindex) : NULL;
    netdev->lower = lower ? lower->name : netdev->lower;
    netdev->master = master ? master->name : NULL;
    if (active)
        netdev->bond->active_member = active->name;
    if (master && master->kind_text)
        *ARENA_PUSH(reader->arena, master->members, master->nmembers) = netdev->name;
    else if (master && !master->lower_ifindex.known)
        master->lower = netdev->name;
}

static int take_links(struct reader *reader, struct span reply, void *data)
{
    (void)data;
    struct host *host = reader->host;
    struct answers answers = answers_of(&rtnl_links, reply.data, reply.len, reader->arena);
    ANSWERS_PUSH(&answers, &host->netdevs, &host->nnetdevs, NETDEVS_MOST);
    bool too_many = host->nnetdevs == NETDEVS_MOST && answers_next(&answers);
    size_t count = host->nnetdevs, kept = 0;
    host_order_netdevs(host);
    for (size_t i = 0; i < count; i++)
        name_relations(reader, &host->netdevs[i]);
    for (size_t i = 0; i < count; i++)
        if (is_wanted(reader, &host->netdevs[i]) &&
            (!kept || strcmp(host->netdevs[kept - 1].name, host->netdevs[i].name) != 0))
            host->netdevs[kept++] = host->netdevs[i];
    host->nnetdevs = kept;
    host_order_netdevs(host);
    return too_many ? -E2BIG : answers_result(&answers);
}

int read_links(struct reader *reader)
{
    return netlink_read(reader, ASK_LINKS, NULL, take_links, NULL);
}
