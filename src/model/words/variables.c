/* SPDX-License-Identifier: MIT */
/* Variables of NCCL and UCX that decide about RDMA. NCCL's as of 2.29 (src/transport/net_ib, NCCL_PARAM with
 * their defaults, and its user guide); UCX's as of 1.20 (src/uct/ib, src/ucp/core/ucp_context.c), `ucx_info
 * -cf` prints all. */
#include "base/base.h"
#include "model/word.h"

#define HERE "every process of the job: set it the same on all hosts"

/* clang-format off */
static const struct word variables[] = {
    { "NCCL_IB_DISABLE", NULL, -1, "1: NCCL doesn't use RDMA at all, and falls back to TCP sockets.", HERE, NULL, "rdma-switched-off" },
    { "NCCL_IB_HCA", NULL, -1, "Which devices and ports NCCL uses: 'mlx5_0:1,mlx5_1'. Names are prefixes unless '=' stands first ('=mlx5_1' isn't mlx5_10); '^' excludes.", HERE, NULL, "nccl-ib-hca,consumer-choice" },
    { "NCCL_IB_GID_INDEX", NULL, -1, "The GID's slot. Without it (-1, since NCCL 2.21) NCCL chooses by address family, range and RoCE version, which follows the addresses; a fixed index can point at an empty slot or at another address after a flap, and differ between hosts.", HERE, NULL, "nccl-gid-index,gid-index" },
    { "NCCL_IB_ROCE_VERSION_NUM", NULL, -1, "RoCE version that NCCL looks for when it chooses the GID itself: 2 unless set.", HERE, NULL, "gid-v2" },
    { "NCCL_IB_ADDR_FAMILY", NULL, -1, "AF_INET (the default) or AF_INET6: of which kind the GID is to be when NCCL chooses it.", HERE, NULL, "gid-address" },
    { "NCCL_IB_ADDR_RANGE", NULL, -1, "ADDRESS/PREFIX that the GID has to be in when NCCL chooses it.", HERE, NULL, "gid-address" },
    { "NCCL_IB_TC", NULL, -1, "Traffic class of NCCL's packets: the TOS byte, DSCP times 4 (106 is DSCP 26). -1 or unset: 0, so no lossless class is used.", HERE, NULL, "job-traffic-class,traffic-class-priority" },
    { "NCCL_IB_FIFO_TC", NULL, -1, "Traffic class of NCCL's small control messages; unset: as NCCL_IB_TC.", HERE, NULL, "job-traffic-class" },
    { "NCCL_IB_SL", NULL, -1, "InfiniBand service level. On RoCE the traffic class decides, and this nearly never does.", HERE, NULL, NULL },
    { "NCCL_IB_TIMEOUT", NULL, -1, "How long a queue pair waits for an acknowledgement: 4.096 microseconds times 2 to this power; unless set 20 (4.3 s), before NCCL 2.23 18 (1.1 s). Times NCCL_IB_RETRY_CNT it is what a flapping link has to come back within.", HERE, NULL, "link-flaps" },
    { "NCCL_IB_RETRY_CNT", NULL, -1, "How often a packet is sent again without an answer before the queue pair fails with status 12; 7, the most there is, unless set.", HERE, NULL, "transport-retries" },
    { "NCCL_IB_QPS_PER_CONNECTION", NULL, -1, "Queue pairs for each connection; more than 1 spreads traffic over paths of an ECMP or LAG network.", HERE, NULL, NULL },
    { "NCCL_IB_SPLIT_DATA_ON_QPS", NULL, -1, "1: each message is split over the connection's queue pairs; 0 (the default since NCCL 2.20): they take turns.", HERE, NULL, NULL },
    { "NCCL_IB_PKEY", NULL, -1, "Index of the P_Key (InfiniBand partitions).", HERE, NULL, NULL },
    { "NCCL_IB_CUDA_SUPPORT", NULL, -1, "Older name of what NCCL_NET_GDR_LEVEL sets now.", HERE, NULL, NULL },
    { "NCCL_IB_MERGE_NICS", NULL, -1, "1 (the default): the ports of a two-port card are used as one.", HERE, NULL, NULL },
    { "NCCL_IB_ADAPTIVE_ROUTING", NULL, -1, "1: the network may reorder packets. Right only where the switches route adaptively and the devices take reordered packets.", HERE, NULL, NULL },
    { "NCCL_IB_PCI_RELAXED_ORDERING", NULL, -1, "Relaxed ordering on PCIe: 2 (automatic) unless set. Needed for speed in virtual machines.", HERE, NULL, NULL },
    { "NCCL_IB_RETURN_ASYNC_EVENTS", NULL, -1, "1 (the default): asynchronous events that mean a dead device or port end the communicator.", HERE, NULL, NULL },
    { "NCCL_CROSS_NIC", NULL, -1, "Whether a ring may go out of one NIC and into another one: 0 on networks where only ports of the same rail reach each other, 2 (try not to) unless set.", HERE, NULL, NULL },
    { "NCCL_NET", NULL, -1, "Forces a network: IB, Socket, or a plugin's name. With IB NCCL ends instead of falling back to TCP.", HERE, NULL, "rdma-switched-off" },
    { "NCCL_NET_GDR_LEVEL", NULL, -1, "How far apart GPU and NIC may be for GPUDirect: LOC, PIX, PXB, PHB, SYS.", HERE, NULL, "numa-far" },
    { "NCCL_DMABUF_ENABLE", NULL, -1, "1 (the default): GPU memory is registered by dma-buf where driver and kernel can; 0: by nvidia_peermem only.", HERE, NULL, "gdr-peer-memory" },
    { "NCCL_NET_PLUGIN", NULL, -1, "Which plugin (libnccl-net-NAME.so) is the network; 'none' uses NCCL's own.", HERE, NULL, NULL },
    { "NCCL_SOCKET_IFNAME", NULL, -1, "Netdevs for NCCL's bootstrap over TCP, and for its socket network; '=' exact, '^' excludes. It chooses no RDMA device.", HERE, NULL, "nccl-socket-ifname" },
    { "NCCL_SOCKET_FAMILY", NULL, -1, "AF_INET or AF_INET6: of which kind the bootstrap's addresses are to be. It chooses no GID.", HERE, NULL, "nccl-socket-ifname" },
    { "NCCL_DEBUG", NULL, -1, "INFO prints what NCCL chose, WARN only errors.", "this process", NULL, NULL },
    { "UCX_NET_DEVICES", NULL, -1, "Which devices UCX uses: 'mlx5_0:1,mlx5_1:1', RDMA devices with their port, or netdevs for TCP; 'all' unless set.", HERE, NULL, "ucx-net-devices" },
    { "UCX_TLS", NULL, -1, "Transports that UCX may use: 'rc,ud,sm,self', 'dc_x', 'tcp'; '^' excludes; 'all' unless set. Without rc, dc or ud there is no RDMA.", HERE, NULL, "rdma-switched-off" },
    { "UCX_IB_GID_INDEX", NULL, -1, "The GID's slot; 'auto' (the default) prefers a RoCE v2 GID with an IPv4 address.", HERE, NULL, "ucx-gid-index,gid-index" },
    { "UCX_IB_TRAFFIC_CLASS", NULL, -1, "Traffic class of UCX's packets: the TOS byte, DSCP times 4. 'auto' unless set: on RoCE v2 the port's own (traffic_class of MLNX_OFED) if there is one, else 106.", HERE, NULL, "job-traffic-class,traffic-class-priority" },
    { "UCX_IB_SL", NULL, -1, "InfiniBand service level; on RoCE the priority of VLAN tags.", HERE, NULL, NULL },
    { "UCX_IB_PKEY", NULL, -1, "The P_Key to use, not its index.", HERE, NULL, "pkey-full-member" },
    { "UCX_IB_ROCE_REACHABILITY_MODE", NULL, -1, "How UCX decides whether two RoCE ports reach each other: by route, by local subnet, or all.", HERE, NULL, "gid-routable" },
    { "UCX_IB_ROCE_LOCAL_SUBNET", NULL, -1, "Older: y means that only ports in one subnet reach each other.", HERE, NULL, NULL },
    { "UCX_IB_ROCE_SUBNETS", NULL, -1, "Subnets that the GID may be in.", HERE, NULL, NULL },
    { "UCX_IB_ADDR_TYPE", NULL, -1, "How UCX writes addresses: ib_local, ib_global, eth.", HERE, NULL, NULL },
    { "UCX_RC_TIMEOUT", NULL, -1, "How long a queue pair waits for an acknowledgement; 1 s unless set.", HERE, NULL, NULL },
    { "UCX_RC_RETRY_COUNT", NULL, -1, "How often a packet is sent again without an answer; 7, the most there is, unless set.", HERE, NULL, NULL },
    { "UCX_RNDV_SCHEME", NULL, -1, "How long messages go: put_zcopy, get_zcopy, am.", HERE, NULL, NULL },
    { "UCX_LOG_LEVEL", NULL, -1, "info and debug print what UCX chose.", "this process", NULL, NULL },
};
/* clang-format on */

const struct word_table words_variables = { "variable", NULL, variables, ARRAY_SIZE(variables) };
