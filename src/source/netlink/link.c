/* SPDX-License-Identifier: MIT */
/* Creates and deletes software RDMA devices. */
#include "source/netlink/read.h"

#include <libmnl/libmnl.h>

#include "source/netlink/ask.h"

int nldev_add_link(const char *name, const char *type, const char *netdev, struct arena *arena,
                   const char **text)
{
    struct request request;
    request_begin(&request, nldev_type(RDMA_NLDEV_CMD_NEWLINK), NLM_F_ACK, 0);
    mnl_attr_put_strz(&request.header, RDMA_NLDEV_ATTR_DEV_NAME, name);
    mnl_attr_put_strz(&request.header, RDMA_NLDEV_ATTR_LINK_TYPE, type);
    mnl_attr_put_strz(&request.header, RDMA_NLDEV_ATTR_NDEV_NAME, netdev);
    return netlink_change(NETLINK_RDMA, &request, arena, text);
}

int nldev_delete_link(uint32_t index, struct arena *arena, const char **text)
{
    struct request request;
    request_begin(&request, nldev_type(RDMA_NLDEV_CMD_DELLINK), NLM_F_ACK, 0);
    mnl_attr_put_u32(&request.header, RDMA_NLDEV_ATTR_DEV_INDEX, index);
    return netlink_change(NETLINK_RDMA, &request, arena, text);
}
