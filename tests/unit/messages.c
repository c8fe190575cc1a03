/* SPDX-License-Identifier: MIT */
/* explain/, model/mention: what lines of logs say. The lines are written anew
 * from the facts of public threads, which stand beside them: the program's words are as they were there,
 * hosts, numbers and addresses are not. */
#include "explain/knowledge.h"

#include <criterion/criterion.h>
#include <infiniband/verbs.h>

#include "check/check.h"
#include "model/selection.h"
#include "model/topology.h"
#include "model/verdict.h"
#include "source/source.h"
#include "tree.h"

/* What somebody who knows would answer: the program, what is named, a part of the meaning, of the end, of the
 * causes. */
struct line {
    const char *thread, *line, *program;
    int status, err;
    const char *word, *means, *end, *cause, *check;
};

#define NO_STATUS (-1)

/* clang-format off */
static const struct line lines[] = {
    /* roce trace */
    { "trace", "12:03:11.452  rping[4711]        10.0.0.1:39564 → 10.0.0.2:7999           REJECTED 8      invalid service ID (10 ms)", "roce", NO_STATUS, 0, "invalid service ID", "Nothing listens", "its server", "server isn't running", NULL },
    { "trace", "12:03:11.452  rping[4711]        10.0.0.1:39564 → 10.0.0.2:7999           ADDR_ERROR      connection timed out (ETIMEDOUT)", "roce", NO_STATUS, ETIMEDOUT, NULL, "answered ARP", "other host", "answers ARP", "gid-routable" },
    { "trace", "12:03:11.452  rping[4711]        10.0.0.1:39564 → 10.0.0.2:7999           UNREACHABLE     the peer's MAC changed while it was connected, connection timed out (ETIMEDOUT) (1.1 s)", "roce", NO_STATUS, 0, NULL, "another MAC", "way", "moved to another port", "address-duplicate" },
    { "trace", "12:03:11.452  rping[4711]        10.0.0.1:39564 → 10.0.0.2:7999           UNREACHABLE     connection timed out (ETIMEDOUT) (77.7 s)", "roce", NO_STATUS, ETIMEDOUT, NULL, "not answered", "other host", "4791", "gid-type" },
    { "trace", "12:03:11.452  rping[4711]        10.0.0.1:39564 → 10.0.0.2:7999           still waiting   sent 3 of 16 times, nothing came back (12.0 s)", "roce", NO_STATUS, 0, NULL, "16 times", "way", "4791", "firewall-4791" },
    { "trace", "12:03:11.452  rping[4711]        10.0.0.1:39564 → 10.0.0.2:7999           still waiting   the peer's kernel has it (MRA), its program hasn't answered (6.4 s)", "roce", NO_STATUS, 0, NULL, "neither accepts nor refuses", "program", "one client after another", NULL },
    { "trace", "12:03:11.452  rping[4711]        10.0.0.1:39564 → 10.0.0.2:7999           still waiting   the program here hasn't answered (5.0 s)", "roce", NO_STATUS, 0, NULL, "neither accepts nor refuses", "program", "debugger", NULL },
    { "trace", "12:03:11.452  rping[4711]        10.0.0.1:39564 → 10.0.0.2:7999           nobody listens  here, on the port that somebody knocked at: the peer sees REJECTED 8", "roce", NO_STATUS, 0, NULL, "nobody listens on", "this host", "another port", NULL },
    { "trace", "12:03:11.452  rping[4711]        10.0.0.1:39564 → 10.0.0.2:7999           refused here    by this program: the peer sees REJECTED 28 (2.0 ms)", "roce", NO_STATUS, 0, NULL, "said no", "this host", "protocol version", NULL },
    { "trace", "12:03:11.452  rping[4711]        10.0.0.1:39564 → 10.0.0.2:7999           dropped here    this program gave it back unanswered: the peer sees REJECTED 28", "roce", NO_STATUS, 0, NULL, "said no", "this host", "no memory", NULL },
    { "trace", "12:03:11.452  rping[4711]        10.0.0.1:39564 → 10.0.0.2:7999           given up        nothing came back (3.0 s)", "roce", NO_STATUS, 0, NULL, "last time", "either", "patience", NULL },
    { "trace", "12:03:11.452  rping[4711]        10.0.0.1:39564 → 10.0.0.2:7999           given up        the peer's kernel has it (MRA), its program hasn't answered (9.0 s)", "roce", NO_STATUS, 0, NULL, "last time", "either", "patience", NULL },
    { "trace", "12:03:11.452  rping[4711]        10.0.0.1:39564 → 10.0.0.2:7999           refused at once no way was looked for (a guess: nothing else was told)", "roce", NO_STATUS, 0, NULL, "failed at once", "this host", "no route", "gid-route" },
    /* NCCL */
    { "NVIDIA/nccl#1814", "gpu-a:983:1261 [3] transport/net_ib.cc:1842 NCCL WARN NET/IB : Got completion from peer 10.7.4.9<55921> with status=12 opcode=1 len=0 vendor err 129 (Send) localGid ::ffff:10.87.4.221 remoteGids::ffff:10.87.88.182", "NCCL", 12, 0, NULL, "lost a connection", "sent", "peer's process", "port-active" },
    { "NVIDIA/nccl#1664", "NET/IBP:Got completion from peer 10.6.13.83<36315> with status=12 opcode=32698 len=32696 vendor err 129 (Send)", "NCCL", 12, 0, NULL, "lost a connection", "sent", "rail", "gid-type" },
    { "NVIDIA/nccl#1405", "worker-0:3468:3905 [4] ib_plugin.c:1615 NCCL WARN NET/IB : Got completion from peer 10.216.0.6<54862> with status=12 opcode=0 len=0 vendor err 129 (Recv) localGid fd00:9000::ff22 remoteGidsfd00:9000::ff1f", "NCCL", 12, 0, NULL, "lost a connection", "sent", "lost on the way", "firewall-4791" },
    { "NVIDIA/nccl#1710", "node-b:10214:10303 [0] transport/net_ib.cc:1909 NCCL WARN NET/IB : Got completion from peer 10.1.3.1<33057> with status=9 opcode=0 len=0 vendor err 138 (Send) localGid ::ffff:10.206.1.23 remoteGids::ffff:10.206.1.11", "NCCL", 9, 0, NULL, "lost a connection", "refused", "longer than the receive", NULL },
    { "NVIDIA/nccl#1710", "node-a:127799:127863 [0] transport/net_ib.cc:101 NCCL WARN NET/IB : mlx5_0:1 Got async event : local access violation work queue error", "NCCL", NO_STATUS, 0, "IBV_EVENT_QP_ACCESS_ERR", "may not use", "either end's", "deregistered", NULL },
    { "NVIDIA/nccl#230", "task-12:815:864 [0] transport/net_ib.cu:80 NCCL WARN NET/IB : Got async event : local catastrophic error", "NCCL", NO_STATUS, 0, "IBV_EVENT_DEVICE_FATAL", "whole device failed", "this host", "firmware", "devlink-health" },
    { "NVIDIA/nccl#230", "task-12:815:864 [0] misc/ibvwrap.cu:220 NCCL WARN Call to ibv_get_async_event failed", "NCCL", NO_STATUS, 0, NULL, "going away", NULL, "error before", NULL },
    { "NVIDIA/nccl-tests#227", "worker01:5771:5783 [0] misc/ibvwrap.c:160 NCCL WARN Call to ibv_modify_qp failed with error Connection timed out", "NCCL", NO_STATUS, ETIMEDOUT, NULL, "could not connect a queue pair", "other host", "answers ARP", "gid-routable" },
    { "NVIDIA/nccl#925", "w0:77:99 [0] misc/ibvwrap.cc:187 NCCL WARN Call to ibv_modify_qp failed with error No such device", "NCCL", NO_STATUS, ENODEV, NULL, "could not connect a queue pair", "this host", "GID index", "gid-index" },
    { "NVIDIA/nccl-tests#185", "misc/ibvwrap.cc:187 NCCL WARN Call to ibv_modify_qp failed with error Network is unreachable", "NCCL", NO_STATUS, ENETUNREACH, NULL, "could not connect a queue pair", "routes", "no route", "gid-address" },
    { "NVIDIA/nccl#2013", "host-01:1:2 [5] ibvwrap.c:262 NCCL WARN Call to ibv_modify_qp failed with 110 Connection timed out, on dev mlx5_4:1, curr state INIT, next state RTR, local GID index 3, local GID ::ffff:10.1.1.2, remote GID ::ffff:10.1.2.3", "NCCL", NO_STATUS, ETIMEDOUT, NULL, "could not connect a queue pair", "other host", "VLAN", "gid-vlan" },
    { "NVIDIA/nccl-tests#206", "misc/ibvwrap.cc:278 NCCL WARN Call to ibv_reg_mr_iova2 failed with error Cannot allocate memory", "NCCL", NO_STATUS, ENOMEM, NULL, "locked memory", "prints", "ulimit -l", "memlock-limit" },
    { "NVIDIA/nccl#380", "spark01:2683:2826 [0] misc/ibvwrap.cc:268 NCCL WARN Call to ibv_create_cq failed", "NCCL", NO_STATUS, ENOMEM, NULL, "completion queue", NULL, "locked memory", "memlock-trial" },
    { "NVIDIA/nccl#952", "node:925:925 [6] NCCL INFO NET/IB : No device found.", "NCCL", NO_STATUS, 0, NULL, "TCP sockets", NULL, "container", "uverbs-node" },
    { "NVIDIA/nccl#941", "10-0-0-200:7839:7911 [0] NCCL INFO Using network Socket", "NCCL", NO_STATUS, 0, NULL, "not by RDMA", NULL, "No device found", "rdma-switched-off" },
    { "NVIDIA/nccl#1537", "host1:25668:27396 [0] NCCL INFO NET/IB : GPU Direct RDMA Disabled for HCA 0 'mlx5_0'", "NCCL", NO_STATUS, 0, NULL, "host memory", NULL, "nvidia_peermem", "numa-far" },
    { "Mellanox/nv_peer_memory#115", "misc/ibvwrap.cc:262 NCCL WARN Call to ibv_reg_mr_iova2 failed with error Bad address", "NCCL", NO_STATUS, EFAULT, NULL, "GPU memory", NULL, "dma-buf", NULL },
    { "NVIDIA/nccl#1925", "sleep:2620971:2620971 [3] NCCL INFO NET/Plugin: Could not find: libnccl-net.so", "NCCL", NO_STATUS, 0, NULL, "No fault", NULL, NULL, NULL },
    { "NVIDIA/nccl#1657", "torch.distributed.DistBackendError: NCCL error: unhandled system error, NCCL version 2.21.5", "NCCL", NO_STATUS, 0, NULL, "WARN line before", NULL, NULL, NULL },
    { "NVIDIA/nccl#1474", "nvidia-peermem nv_get_p2p_free_callback:127 ERROR detected invalid context, skipping further processing", "kernel", NO_STATUS, 0, NULL, "GPU memory goes away", NULL, "dma-buf", NULL },
    { "NVIDIA/nccl#523", "n7:71:72 [3] transport/net_ib.cc:839 NCCL WARN NET/IB : Got completion with error 4, opcode 0, len 32694, vendor err 81", "NCCL", 4, 0, NULL, "lost a connection", "prints it", "ACS", "pcie-acs" },
    { "NVIDIA/nccl#928", "n7:71:72 [3] transport/net_ib.cc:1842 NCCL WARN NET/IB : Got completion from peer 10.7.4.9<55921> with status=4 opcode=0 len=0 vendor err 81 (Send)", "NCCL", 4, 0, NULL, "lost a connection", "prints it", "ACS", "pcie-acs" },
    { "NVIDIA/nccl-tests#252", "node2:25146:25854 [0] ib_plugin.c:1105 NCCL WARN NET/IB : Got completion from peer 10.0.35.1<49189> with error 4, opcode 5327, len 5327, vendor err 81 (Send)", "NCCL", 4, 0, NULL, "lost a connection", "prints it", "registered memory", "pcie-acs" },
    { "NVIDIA/nccl#902", "NCCL WARN NET/IB : Got completion with error 12, opcode 0, len 0, vendor err 129", "NCCL", 12, 0, NULL, "lost a connection", "sent", "peer's process", "port-active" },
    { "NVIDIA/nccl#1232", "[0] misc/socket.cc:71 NCCL WARN socketProgress: Connection closed by remote peer node2<42830>", "NCCL", NO_STATUS, 0, NULL, "failed first", "other end", "out of memory", NULL },
    { "NVIDIA/nccl#1515", "misc/socket.cc:483 NCCL WARN socketStartConnect: Connect to 10.0.0.2<45763> failed : Software caused connection abort", "NCCL", NO_STATUS, ECONNABORTED, NULL, "RDMA hasn't begun", "other end", "NCCL_SOCKET_IFNAME", "nccl-socket-ifname" },
    { "NVIDIA/nccl#1232", "node1:9:9 [0] NCCL INFO NET/Socket : Using [0]eth0:10.0.0.1<0>", "NCCL", NO_STATUS, 0, NULL, "not by RDMA", NULL, "No device found", "nccl-ib-hca" },
    { "NVIDIA/nccl#719", "what():  [Rank 0] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=1, OpType=ALLGATHER, Timeout(ms)=1800000) ran for 1804619 milliseconds before timing out.", "PyTorch", NO_STATUS, 0, NULL, "didn't end in its time", "any rank", "out of step", "link-flaps" },
    /* UCX */
    { "openucx/ucx#6000", "[mgmt:24113:0:24113] ib_mlx5_log.c:143  Transport retry count exceeded on mlx5_0:1/RoCE (synd 0x15 vend 0x81 hw_synd 0/0)", "UCX", 12, 0, NULL, "acknowledged nothing", "sent", "peer's process", "port-active" },
    { "openucx/ucx#6000", "[mgmt:24113:0:24113] ib_mlx5_log.c:143  DCI QP 0x1510 wqe[0]: SEND s-e [rqpn 0x223a4 rmac 0c:42:a1:7d:df:c8 sgix 0 dgid fe80::e42:a1ff:fe7d:dfc8 tc 0] [inl len 18]", "UCX", NO_STATUS, 0, NULL, "sgix the own GID's index", "peer", NULL, NULL },
    { "openucx/ucx#9590", "[n1127:2330856:0:2330856] ib_mlx5_log.c:177  Transport retry count exceeded on mlx5_0:1/IB (synd 0x15 vend 0x81 hw_synd 0/0)", "UCX", 12, 0, NULL, "acknowledged nothing", "sent", "lost on the way", NULL },
    { "openucx/ucx#2973", "[s1815:6807 :0:6807] ib_mlx5_log.c:115  FATAL: Error on mlx5_3:1 QP 0xe6d7 wqe[7821]: Transport retry count exceeded (synd 0x15 vend 0x81) opcode SEND", "UCX", 12, 0, NULL, "acknowledged nothing", NULL, NULL, NULL },
    { "openucx/ucx#8229", "[1652739463.054681] [cn0022:4071024:0]        ib_iface.c:1035 UCX  ERROR ibv_create_cq(cqe=4096) failed: Cannot allocate memory", "UCX", NO_STATUS, ENOMEM, NULL, "completion queue", "prints", "ulimit -l", "memlock-limit" },
    { "openucx/ucx#8229", "[1652740949.516398] [cn0337:3290573:0]         ib_mlx5.c:90   UCX  ERROR mlx5dv_create_cq(cqe=4096) failed: Cannot allocate memory", "UCX", NO_STATUS, ENOMEM, NULL, "completion queue", NULL, "slurmd", NULL },
    { "openucx/ucx#8746", "[1668693503.473099] [arm:1188443:0]          ib_log.c:246  UCX  ERROR mlx5_0: ibv_create_cq() failed: Cannot allocate memory. Please set max locked memory (ulimit -l) to 'unlimited' (current: 64 kbytes)", "UCX", NO_STATUS, ENOMEM, NULL, "completion queue", NULL, "LimitMEMLOCK", "memlock-trial" },
    { "openucx/ucx#6264", "ib_md.c:325  UCX  ERROR ibv_reg_mr(address=0x7f10, length=4096, access=0xf) failed: Cannot allocate memory", "UCX", NO_STATUS, ENOMEM, NULL, "could not be registered", "prints", "locked memory", "memlock-limit" },
    { "openucx/ucx#8049", "[1647516906.396315] [gpu1:82049:0]           ib_md.c:349  UCX  ERROR ibv_reg_mr(address=0x7f724fa00000, length=4096, access=0xf) failed: Bad address", "UCX", NO_STATUS, EFAULT, NULL, "could not be registered", NULL, "nvidia_peermem", NULL },
    { "openucx/ucx#8049", "ucp_mm.c:164  UCX  ERROR failed to register address 0x7f724fa00000 mem_type bit 0x2 length 4096 on md[5]=mlx5_0: Input/output error (md reg_mem_types 0x3)", "UCX", NO_STATUS, 0, NULL, "line before", NULL, "GPU memory", NULL },
    { "openucx/ucx#9589", "ib_md.c:309  UCX  ERROR ibv_reg_mr(address=0x7fe35ea00000, length=16, access=0x10000f) failed: Invalid argument", "UCX", NO_STATUS, EINVAL, NULL, "in the way that was asked for", NULL, "AMD", NULL },
    { "rapidsai/rapidsmpf#69", "[1739305867.605579] [dgx14:1131436:0] ib_md.c:282  UCX  ERROR ibv_reg_mr(address=0x302000000, length=536870912, access=0xf) failed: Bad address", "UCX", NO_STATUS, EFAULT, NULL, "could not be registered", NULL, "unmapped", NULL },
    { "openucx/ucx#6882", "[1622579912.469497] [ip-10-1-1-8:53521:0]        rc_iface.c:492  UCX  ERROR ibv_create_srq() failed: Operation not supported", "UCX", NO_STATUS, EOPNOTSUPP, NULL, "next", NULL, "EFA", NULL },
    { "openucx/ucx#5148", "create qp: failed on ibv_cmd_create_qp with 22", "libqedr", NO_STATUS, EINVAL, NULL, "queue pair", NULL, "than the device takes", NULL },
    /* Open MPI */
    { "open-mpi/ompi#6300", "[mpi11:04770] pml_ucx.c:212 Error: Failed to create UCP worker", "Open MPI", NO_STATUS, 0, NULL, "UCX's own line", NULL, "locked memory", "memlock-limit" },
    { "open-mpi/ompi#6517", "WARNING: There was an error initializing an OpenFabrics device.", "Open MPI", NO_STATUS, 0, NULL, "openib", NULL, "UCX", NULL },
    { "open-mpi/ompi#4499", "Failed to create a completion queue (CQ):", "Open MPI", NO_STATUS, ENOMEM, NULL, "completion queue", NULL, "locked memory", "memlock-limit" },
    { "open-mpi/ompi#11236", "Failed to create a queue pair (QP):", "Open MPI", NO_STATUS, 0, NULL, "queue pair", NULL, "kind of queue pair", NULL },
    { "open-mpi/ompi#4499", "No OpenFabrics connection schemes reported that they were able to be used on a specific port.", "Open MPI", NO_STATUS, 0, NULL, "RDMA_CM", NULL, "IP address", "rdma-ucm-module" },
    { "open-mpi/ompi#12345", "login-001:rank25.test_mpi: Unable to alloc send buffer MR on mlx5_0: Cannot allocate memory", "Open MPI", NO_STATUS, ENOMEM, NULL, "registered", NULL, "locked memory", "memlock-limit" },
    { "open-mpi/ompi#12345", "Open MPI failed an OFI Libfabric library call (fi_endpoint).  This is highly unusual; your job may behave unpredictably (and/or abort) after this.", "Open MPI", NO_STATUS, 0, NULL, "libfabric", NULL, "FI_PROVIDER", NULL },
    { "open-mpi/ompi#10693", "By default, for Open MPI 4.0 and later, infiniband ports on a device", "Open MPI", NO_STATUS, 0, NULL, "no fault", NULL, NULL, NULL },
    /* libfabric */
    { "ofiwg/libfabric#6437", "fi_mr_reg failed, ret is:-12, Cannot allocate memory", "libfabric", NO_STATUS, ENOMEM, NULL, "registered", NULL, "locked memory", "memlock-limit" },
    { "ofiwg/libfabric#5149", "libfabric:verbs:fabric:fi_ibv_get_device_attrs():550<warn> There are no active ports", "libfabric", NO_STATUS, 0, NULL, "ACTIVE", NULL, "down", "port-active" },
    { "ofiwg/libfabric#11256", "libfabric:151205:1753871244::core:core:fi_getinfo_():1385<info> fi_getinfo: provider ofi_rxm returned -61 (No data available)", "libfabric", NO_STATUS, ENODATA, NULL, "nothing for what was asked", NULL, NULL, NULL },
    { "ofiwg/libfabric#10158", "EFA: Unresponsive receiver (connection never established or unknown) My EFA addr: fi_addr_efa", "libfabric", NO_STATUS, 0, NULL, "didn't answer", "other end", "security group", NULL },
    { "ofiwg/libfabric#975", "librdmacm: Fatal: no RDMA devices found", "librdmacm", NO_STATUS, 0, NULL, "no RDMA device", NULL, "provider", "rdma-device" },
    { "ofiwg/libfabric#975", "fi_getinfo(): 173, -19 (No such device)", "libfabric", NO_STATUS, ENODEV, NULL, "nothing to use", NULL, NULL, "rdma-device" },
    /* libibverbs, librdmacm */
    { "SoftRoCE/rxe-dev#48", "libibverbs: Warning: couldn't load driver 'rxe': librxe-rdmav2.so: cannot open shared object file: No such file or directory", "libibverbs", NO_STATUS, 0, NULL, "can't load the library", NULL, "isn't installed", "verbs-provider" },
    { "nminoru/pib#2", "libibverbs: Warning: no userspace device-specific driver found for /sys/class/infiniband_verbs/uverbs1", "libibverbs", NO_STATUS, 0, NULL, "no provider for it", NULL, "ibverbs-providers", "verbs-provider" },
    { "hpc-admin-sist/DockerMonitor#7", "libibverbs: Warning: couldn't open config directory '/etc/libibverbs.d'.", "libibverbs", NO_STATUS, 0, NULL, "another prefix", NULL, "own build", NULL },
    { "SoftRoCE/rxe-dev#75", "libibverbs: Warning: Driver rxe does not support the kernel ABI of 1 (supports 2 to 2) for device /sys/class/infiniband/rxe0", "libibverbs", NO_STATUS, 0, NULL, "don't fit", NULL, "old rdma-core", "verbs-abi" },
    { "bytedance/byteps#313", "libibverbs.so.1: version `IBVERBS_PRIVATE_22' not found (required by /usr/lib64/libibverbs/libmlx4-rdmav2.so)", "libibverbs", NO_STATUS, 0, NULL, "different versions", NULL, "mixed", NULL },
    { "SoftRoCE/rxe-dev#65", "rdma_getaddrinfo: No such device", "librdmacm", NO_STATUS, ENODEV, NULL, "could not make an address", NULL, "rdma_ucm", "rdma-cm-node" },
    { "ydb-platform/nbs#6940", "BLOCKSTORE_RDMA ERROR: rdma_create_qp failed with error 22: Invalid argument", "librdmacm", NO_STATUS, EINVAL, NULL, "queue pair", NULL, "device's limit", NULL },
    { "ydb-platform/nbs#6940", "BLOCKSTORE_RDMA ERROR: [1427] SEND C6.0.1B3: IBV_WC_RETRY_EXC_ERR", NULL, 12, 0, NULL, "acknowledged nothing", "sent", "peer's process", NULL },
    { "ydb-platform/nbs#6940", "BLOCKSTORE_RDMA INFO: reject 2001:db8::e72 with status 4", NULL, NO_STATUS, 0, "timeout", "turned down", "either", "lost one way", NULL },
    /* perftest */
    { "zrlio/softiwarp#27", " Completion with error at client Failed status 12: wr_id 0 syndrom 0x81 scnt=128, ccnt=0", "perftest", 12, 0, NULL, "acknowledged nothing", "sent", NULL, NULL },
    { "linux-rdma/perftest#295", "Failed status 12: wr_id 0 syndrom 0x81", "perftest", 12, 0, NULL, "acknowledged nothing", "sent", "peer's process", NULL },
    { "linux-rdma/perftest#262", "ethernet_read_keys: Couldn't read remote address", "perftest", NO_STATUS, 0, NULL, "failed first", "other end", "other host", NULL },
    { "linux-rdma/perftest#139", "Unable to create QP.", "perftest", NO_STATUS, 0, NULL, "queue pair of this kind or size", NULL, "-I 0", NULL },
    { "Mellanox/k8s-rdma-shared-dev-plugin#72", " Unable to Connect the HCA's through the link", "perftest", NO_STATUS, 0, NULL, "could not connect its queue pair", "GID", "zeros", "gid-address" },
    { "linux-rdma/perftest#43", " Port number 1 state is Down", "perftest", NO_STATUS, 0, NULL, "isn't ACTIVE", "prints", "another device or port", "port-active" },
    { "linux-rdma/perftest#43", " Couldn't set the link layer", "perftest", NO_STATUS, 0, NULL, "another line", NULL, "before", NULL },
    { "linux-rdma/perftest#43", " Couldn't get context for the device", "perftest", NO_STATUS, 0, NULL, "opened", NULL, "node", "uverbs-node" },
    { "linux-rdma/perftest#105", "Couldn't create IB resources", "perftest", NO_STATUS, 0, NULL, "another line", NULL, "before", NULL },
    { "Mellanox/k8s-rdma-sriov-dev-plugin#29", "Couldn't get device attribute.", "perftest", NO_STATUS, 0, NULL, "didn't answer", NULL, "container", "uverbs-node" },
    { "Mellanox/k8s-rdma-shared-dev-plugin#169", " Did not detect devices ", "perftest", NO_STATUS, 0, NULL, "no RDMA device", NULL, "device plugin", "device-hidden" },
    { "Mellanox/k8s-rdma-shared-dev-plugin#169", " Unable to find the Infiniband/RoCE device", "perftest", NO_STATUS, 0, NULL, "no device of the name", NULL, "device plugin", "rdma-device" },
    { "zrlio/softiwarp#27", " Completion with error at client", "perftest", NO_STATUS, 0, NULL, "Failed status", NULL, "behind", NULL },
    { "uccl-project/uccl#641", "Failed to modify QP to RTR: Connection timed out", NULL, NO_STATUS, ETIMEDOUT, NULL, "resolved to a MAC", "other host", "answers ARP", "gid-vlan" },
    /* the kernel */
    { "linux-nvme/nvme-cli#3268", "[15601.662156] infiniband rocep33s0f0: mlx5_poll_one:530:(pid 0): syndrome 0x5, vendor syndrome 0xf9", "kernel", 5, 0, NULL, "kernel service", "consequence", "earlier error", NULL },
    { "linux-nvme/nvme-cli#3268", "[15601.662156] infiniband rocep33s0f0: mlx5_poll_one:527:(pid 0): Responder error cqe on cqn 0x406:", "kernel", NO_STATUS, 0, NULL, "kernel service", NULL, "behind", NULL },
    { "NVIDIA/NVSentinel#1334", "mlx5_core 0000:c1:00.0 eth2: TX timeout detected", "kernel", NO_STATUS, 0, NULL, "sending stands still", "switch", "pauses the port", "pause-storm" },
    { "spdk/spdk#257", "[82794.575648] nvme nvme2: Connect rejected: status 8 (invalid service ID).", "kernel", NO_STATUS, 0, "invalid service ID", "listens", "other host", "isn't running", NULL },
    { "spdk/spdk#257", "[82794.576157] nvme nvme2: rdma_resolve_addr wait failed (-104).", "kernel", NO_STATUS, ECONNRESET, NULL, "calls both a reset", "other end", "nothing listens", NULL },
    { "spdk/spdk#697", "[Mon Dec 26 06:14:36 2022] nvme nvme0: rdma connection establishment failed (-104)", "kernel", NO_STATUS, ECONNRESET, NULL, "calls both a reset", NULL, NULL, NULL },
    { "spdk/spdk#697", "Failed to write to /dev/nvme-fabrics: Connection reset by peer", "nvme-cli", NO_STATUS, ECONNRESET, NULL, "calls both a reset", "other end", "without one", "gid-address" },
    { "openucx/ucx#9488", "[5365309.262551] nvme nvme1: rdma connection establishment failed (-22)", "kernel", NO_STATUS, EINVAL, NULL, "could not connect to its target", NULL, NULL, NULL },
    { "openucx/ucx#9488", "[5365309.262528] mlx5_cmd_check:810:(pid 923941): create_mkey(0x200) op_mod(0x0) failed, status bad parameter(0x3), syndrome (0x35e6ec)", "kernel", NO_STATUS, 0, NULL, "refused to make a memory key", NULL, "protection information", "firmware-version" },
    { "openucx/ucx#6264", "[33059.091472] mlx5_core 0000:41:00.0: mlx5_cmd_out_err:800:(pid 233522): CREATE_MKEY(0x200) op_mod(0x0) failed, status limits exceeded(0x8), syndrome (0x18af6), err(-12)", "kernel", NO_STATUS, ENOMEM, NULL, "limit of the device", NULL, "memory keys", NULL },
    { "openucx/ucx#6264", "[33058.244455] infiniband mlx5_0: create_mkey_warn:158:(pid 0): async reg mr failed. status -121", "kernel", NO_STATUS, 0, NULL, "no more memory keys", NULL, "used up", NULL },
    { "pocopico/rp-ext#129", "[    5.662202] mlx5_core 0000:01:00.0: mlx5_load_one failed with error code -22", "kernel", NO_STATUS, EINVAL, NULL, "could not start the device", NULL, "firmware", "firmware-version" },
    /* SPDK */
    { "spdk/spdk#414", "rdma.c:2633:spdk_nvmf_rdma_poller_poll: *WARNING*: CQ error on CQ 0x613000001c40, Request 0x139876681056184 (12): transport retry counter exceeded", "SPDK", 12, 0, NULL, "acknowledged nothing", "sent", NULL, NULL },
    { "spdk/spdk#414", "rdma.c:2249:spdk_nvmf_process_ib_event: *NOTICE*: Async event: port error", "SPDK", NO_STATUS, 0, "IBV_EVENT_PORT_ERR", "lost its link", "switch's port", "cable", "link-flaps" },
    { "spdk/spdk#961", "nvme_rdma.c:1748:nvme_rdma_qpair_process_completions: *ERROR*: CQ error on Queue Pair 0x7efd94490ac0, Opcode 128, Response Index 139627583889688 (4): local protection error", "SPDK", 4, 0, NULL, "isn't registered", "its own request", "registered memory", NULL },
    { "spdk/spdk#961", "mlx5: storage.example: got completion with error:", "libmlx5", NO_STATUS, 0, NULL, "hex", NULL, NULL, NULL },
    { "spdk/spdk#1087", "nvme_rdma.c: 390:nvme_rdma_validate_cm_event: *ERROR*: Expected RDMA_CM_EVENT_ESTABLISHED but received RDMA_CM_EVENT_REJECTED (8) from CM event channel (status = 8)", "SPDK", NO_STATUS, 0, "invalid service ID", "turned the connection down", "other host", "isn't running", NULL },
    { "spdk/spdk#2434", "rdma.c:3672:_qp_reset_failed_sends: *ERROR*: Failed to post a send for the qpair 0xd10160 with errno -22", "SPDK", NO_STATUS, EINVAL, NULL, "wasn't taken", NULL, "inline", NULL },
    { "spdk/spdk#2686", "nvme_rdma.c:1064:nvme_rdma_addr_resolved: *ERROR*: RDMA address resolution error", "SPDK", NO_STATUS, 0, NULL, "no way to the target", NULL, NULL, NULL },
    /* others */
    { "kvcache-ai/Mooncake#204", "E0403 12:03:04.222625 56060 rdma_endpoint.cpp:385] [Handshake] Failed to modify QP to RTR, check mtu, gid, peer lid, peer qp num: Connection timed out [110]", "Mooncake", NO_STATUS, ETIMEDOUT, NULL, "resolved to a MAC", "other host", "VLAN", "gid-routable" },
    { "kvcache-ai/Mooncake#1592", "E0302 08:32:30.369483 57711 rdma_context.cpp:450] Failed to query GID 244 on rocep153s0/: No data available [61]", "Mooncake", NO_STATUS, ENODATA, NULL, "empty place", NULL, "no fault", "gid-routable" },
    { "kvcache-ai/Mooncake#1592", "rdma_context.cpp:450] No suitable GID found on rocep153s0", "Mooncake", NO_STATUS, 0, NULL, "no GID", NULL, "no address", "gid-routable" },
    { "cc-hpc-itwm/GPI-2#47", "[Rank    0]: Error 22 (Invalid argument) at (GPI2_IB.c:813):Failed to modify QP (libibverbs)", "GPI-2", NO_STATUS, EINVAL, NULL, "the address or the MTU", "this host", "path MTU", "gid-type" },
    { "madsys-dev/smart#2", "resource_manager.cpp:623: enable_queue_pair(): ibv_modify_qp: Invalid argument", NULL, NO_STATUS, EINVAL, NULL, "the address or the MTU", "this host", "two kinds", "gid-v2" },
    { "sgl-project/sglang#6854", "E0603 20:16:59.104586 27322 worker_pool.cpp:271] Worker: Process failed for slice (opcode: 1, length: 65536, local_nic: mlx5_7, peer_nic: 10.93.81.13:15729@mlx5_0, retry_cnt: 0): transport retry counter exceeded", NULL, 12, 0, NULL, "acknowledged nothing", "sent", "rail", NULL },
    { "accelio/accelio#88", "[2016/03/21-08:33:03.253092] xio_rdma_datapath.c:635 [ERROR] - [client] - state:3, err:transport retry counter exceeded, vendor_err:0x81, byte_len:28, opcode:0x0", NULL, 12, 0, NULL, "acknowledged nothing", "sent", NULL, NULL },
    { "accelio/accelio#88", "[2016/03/21-08:32:48.118634] xio_rdma_management.c:168 [ERROR] - ibv_get_async_event: dev:mlx4_1 evt: GID table change", NULL, NO_STATUS, 0, "IBV_EVENT_GID_CHANGE", "address of the netdev", "this host", "DHCP", "gid-address" },
    { "deepseek-ai/DeepEP#17", "/root/nvshmem/ibgda.cpp:1345: non-zero status: 121 Error in mlx5dv_devx_obj_modify for INIT2RTR_QP with syndrome 29e0df", "NVSHMEM", NO_STATUS, EREMOTEIO, NULL, "firmware refused", NULL, "GID index", "gid-index" },
    { "deepseek-ai/DeepEP#321", "non-zero status: 101 ibv_modify_qp failed", "NVSHMEM", NO_STATUS, ENETUNREACH, NULL, "no route", NULL, "no route", "gid-address" },
    { "deepseek-ai/DeepEP#128", "WARN: device mlx5_0 cannot allocate buffer on the specified memory type. Skipping...", "NVSHMEM", NO_STATUS, 0, NULL, "IBGDA", NULL, "PeerMappingOverride", NULL },
    { "deepseek-ai/DeepEP#202", "WARN: device erdma_0 is not enumerated as an mlx5 device. Skipping...", "NVSHMEM", NO_STATUS, 0, NULL, "NVIDIA's NICs only", NULL, "another vendor", NULL },
    { "mercury-hpc/mercury#111", "cci:72466:ignoring RDMA_CM_EVENT_UNREACHABLE event", NULL, NO_STATUS, 0, "RDMA_CM_EVENT_UNREACHABLE", "not answered", "other host", "RoCE version", "cm-roce-mode" },
    { "mercury-hpc/mercury#111", "cci:195507:ignoring RDMA_CM_EVENT_CONNECT_ERROR event", NULL, NO_STATUS, 0, "RDMA_CM_EVENT_CONNECT_ERROR", "RTR", "reports", "GID", "gid-address" },
    /* any program's words, whatever their case and choice */
    { "ai-dynamo/nixl#1983", "[1784621081.896649] [pod:537  :1]       srd_iface.c:221  UCX  ERROR send completion[0] with error on rdmap132s0/0x55cf4425cfb0: Work Request Flushed Error, vendor_err 0x1 wr_id 0x7f8b20022480", NULL, 5, 0, NULL, "in the error state", NULL, NULL, NULL },
    { "sgl-project/sglang#27894", "E0717 07:30:06.719633  994396 ucx_utils.cpp:537] UCX endpoint create failed: failed to create ep", "UCX", NO_STATUS, 0, NULL, "could not set itself up", "prints it", NULL, "ucx-net-devices" },
    { "ovis-hpc/ldms#124", "Fri Dec 13 07:57:32 2019: INFO      : z_rdma_listen: rdma_create_event_channel failed. zerr 7", "librdmacm", NO_STATUS, 0, NULL, "can't be used by this process", NULL, NULL, "rdma-cm-node" },
    { "microsoft/mscclpp#657", "  what():  ibv_reg_mr failed (errno 14) (Ib failure: Bad address)", NULL, NO_STATUS, EFAULT, NULL, "could not be registered", NULL, NULL, NULL },
    { "ROCm/mori#481", "[application][error] RegisterRdmaMemoryRegion failed! addr:0x7f00, size:943718400, accessFlag:15, errno:22 (Invalid argument)", NULL, NO_STATUS, EINVAL, NULL, "could not be registered", "prints it", "nvidia_peermem", "gdr-peer-memory" },
    { "aws/aws-parallelcluster#1988", "libfabric:5464:efa:mr:efa_mr_reg():267<warn> Unable to register MR: Invalid argument", "EFA", NO_STATUS, 0, NULL, "could not be registered", NULL, NULL, NULL },
    { "Mellanox/gpu_direct_rdma_access#5", "Couldn't register GPU MR", NULL, NO_STATUS, 0, NULL, "could not be registered", "prints it", "modprobe nvidia_peermem", "gdr-peer-memory" },
    { "Mellanox/k8s-rdma-sriov-dev-plugin#12", "Fail to enable sriov for netdev = ens5f0", "device plugin", NO_STATUS, 0, NULL, "VFs", NULL, "BIOS", NULL },
    { "spdk/spdk#640", "rdma.c:2879:spdk_nvmf_rdma_poll_group_add: *ERROR*: Failed to initialize nvmf_rdma_qpair with qpair=0x10f1a00", "SPDK", NO_STATUS, 0, NULL, "could not set up", NULL, NULL, NULL },
    { "jade-hpc-gpu/jade-hpc-gpu.github.io#14", "LNet: 2431:0:(o2iblnd_cb.c:3174:kiblnd_check_conns()) Timed out tx for 172.31.126.87@o2ib: 403055 seconds", "kernel", NO_STATUS, 0, NULL, "waited too long", NULL, NULL, NULL },
    { "Linux", "mlx5_core 0000:41:00.0: mlx5_health_try_recover:338:(pid 305): handling bad device here", "kernel", NO_STATUS, 0, NULL, "NIC failed", "prints it", "firmware", "devlink-health" },
    { "Linux", "mlx5_core 0000:41:00.0: cmd_work_handler:1000: CREATE_CQ(0x400) timed out while waiting for a slot.", "kernel", NO_STATUS, 0, NULL, "didn't answer a command", "prints it", "firmware", "devlink-health" },
    { "any", "ERROR: Unable to create a queue pair", NULL, NO_STATUS, 0, NULL, "queue pair could not be made", "prints it", "locked memory", "memlock-limit" },
    { "any", "[E] COULD NOT ALLOCATE PROTECTION DOMAIN", NULL, NO_STATUS, 0, NULL, "protection domain", "prints it", NULL, NULL },
    { "any", "no usable RoCE v2 GID on port 1", NULL, NO_STATUS, 0, NULL, "no GID", "prints it", "network namespace", "gid-routable" },
    { "any", "ibv_create_cq(): Cannot allocate memory", NULL, NO_STATUS, ENOMEM, NULL, "completion queue could not be made", NULL, NULL, NULL },
    { "any", "failed to modify qp 0x12 from INIT to RTR, errno 524", NULL, NO_STATUS, 0, NULL, "could not be connected", NULL, NULL, NULL },
    { "any", "send completion error, wc.status = 12, vendor_err 129", NULL, 12, 0, NULL, "acknowledged nothing", NULL, NULL, "port-active" },
    { "any", "[E] VERBS RDMA rdma send error IBV_WC_RETRY_EXC_ERR to 10.0.0.2", "Spectrum Scale", 12, 0, NULL, "lost a connection", NULL, NULL, NULL },
    { "Linux", "pcieport 0000:80:03.0: DPC: containment event, status:0x1f01 source:0x0000", "kernel", NO_STATUS, 0, NULL, "cut the device", "card", NULL, "pcie-aer" },
    { "NVIDIA/nccl#1573", "pod-2:312:655 [1] misc/ibvwrap.cc:90 NCCL WARN NET/IB: read failed in ncclIbRoceGetVersionNum: Invalid argument", "NCCL", NO_STATUS, 0, NULL, "empty slot", NULL, "macvlan", "gid-holes" },
    { "openucx/ucx#6049", "[1708290000.1] [n117:4711:0]          ib_md.c:1678 UCX  ERROR ibv_open_device(mlx5_2) failed: Cannot allocate memory", "UCX", NO_STATUS, 0, NULL, "doorbell pages", NULL, "PF_LOG_BAR_SIZE", "kernel-log" },
    { "openucx/ucx#6049", "mlx5_core 0000:41:00.0: mlx5_cmd_check:795:(pid 4711): ALLOC_UAR(0x802) op_mod(0x0) failed, status limits exceeded(0x8), syndrome (0x1)", "kernel", NO_STATUS, 0, NULL, "doorbell pages", NULL, "PF_LOG_BAR_SIZE", "kernel-log" },
    { "openucx/ucx#9986", "ib_mlx5.c:558 UCX ERROR mlx5dv_devx_alloc_uar(device=mlx5_0, flags=0x0(UC)) failed: Cannot allocate memory. This may be due to insufficient UAR space.", "UCX", NO_STATUS, 0, NULL, "doorbell pages", NULL, "PF_LOG_BAR_SIZE", "kernel-log" },
    { "openucx/ucx#8604", "ib_mlx5_dv.c:223  UCX  ERROR mlx5dv_devx_qp_modify(502) failed, syndrome 0: Invalid argument", "UCX", NO_STATUS, 0, NULL, "refused", NULL, "older UCX", "gid-table" },
    { "Mellanox/k8s-rdma-sriov-dev-plugin#33", "rdma_create_ep: No such device", "librdmacm", NO_STATUS, ENODEV, NULL, "endpoint", NULL, "container", "port-netdev" },
    { "kvcache-ai/Mooncake#53", "E1226 10:00:00.000000 17 rdma_context.cpp:400] Device erdma_1 GID 1 not available: Invalid argument [22]", "Mooncake", NO_STATUS, EINVAL, NULL, "MC_GID_INDEX", NULL, "eRDMA", "gid-table" },
    { "deepseek-ai/3FS#183", "[2025-03-01T01:02:03+08:00 x:1 IBDevice.cc:150 ERROR] hns_2:1 RoCE v2 GID not found", "3FS", NO_STATUS, 0, NULL, "first 32 slots", NULL, "device_filter", "gid-v2" },
    { "linux-nvme/nvme-cli#2391", "[   46.4] ice 0000:3b:00.6: RDMA functionality is not available with the current device configuration.", "kernel", NO_STATUS, 0, NULL, "four at most", NULL, "EPCT", "nic-rdma-device" },
    { "linux-nvme/nvme-cli#2391", "[   45.8] ice 0000:3b:00.5: RDMA is not supported on this device", "kernel", NO_STATUS, 0, NULL, "offers the driver no RDMA", NULL, "safe mode", "nic-rdma-device" },
    { "MiaAI-Lab/DeepSeek-v4-Flash-DSpark-2x-DGX-Spark#146", "pcieport 0000:00:00.0: AER: device recovery failed", "kernel", NO_STATUS, 0, NULL, "bring the devices", "slot", "riser", "pcie-aer" },
    { "Mellanox firmware's manual page on power", "mlx5_core 0003:01:00.0: port_module:254:(pid 0): Port module event[error]: module 0, Cable error, One or more network ports have been powered down due to insufficient/unadvertised power on the PCIe slot", "kernel", NO_STATUS, 0, NULL, "switched ports off", NULL, "old firmware", "port-module" },
    { "NVIDIA/dgx-spark-playbooks#108", "mlx5_core 0000:01:00.0: mlx5_pcie_event:301:(pid 9): Detected insufficient power on the PCIe slot (27W).", "kernel", NO_STATUS, 0, NULL, "No fault by itself", NULL, "BIOS", "port-module" },
    { "spdk/spdk#1703", "nvme_rdma.c:1070:nvme_rdma_connect: *ERROR*: RDMA connect error -99", "SPDK", NO_STATUS, EADDRNOTAVAIL, NULL, "could not be sent", NULL, NULL, "gid-address" },
    { "spdk/spdk#2772", "ctrlr.c: 169:nvmf_ctrlr_keep_alive_poll: *NOTICE*: Disconnecting host nqn.2014-08.org:a from subsystem nqn.2016-06.io.spdk:cnode9 due to keep alive timeout.", "SPDK", NO_STATUS, 0, NULL, "heard nothing", "that host", "lost on the way", "transport-retries" },
    { "openucx/ucx#7613", "ib_device.c:475 UCX WARN IB Async event on mlx5_2: GID table change on port 1", "UCX", NO_STATUS, 0, "IBV_EVENT_GID_CHANGE", "A GID was added", NULL, NULL, NULL },
    { "openucx/ucx#8336", "ib_iface.c:988  UCX  ERROR iface=0x2: failed to create UD QP TX wr:256 sge:6 inl:64 resp:0 RX wr:4096 sge:1 resp:0: Cannot allocate memory", "UCX", NO_STATUS, 0, NULL, "could not be made", NULL, "PF_LOG_BAR_SIZE", "memlock-limit" },
    { "NVIDIA/gpu-operator#2511", "mlx5_core 0000:13:00.0: mlx5_pcie_event:297:(pid 11): PCIe slot power capability was not advertised.", "kernel", NO_STATUS, 0, NULL, "No fault", NULL, NULL, NULL },
    { "oracle/oracle-linux#85", "hv_netvsc 002248c0-7a74 eth0: Data path switched from VF: eth1", "kernel", NO_STATUS, 0, NULL, "took the virtual function away", "host", "maintenance", "rdma-device" },
    { "utcc.utoronto.ca/~cks BroadcomNetworkDriverAndRDMA", "bnxt_en 0000:12:00.0: QPLIB: bnxt_re_is_fw_stalled: FW STALL Detected. cmdq[0xe]=0x3 waited (103641 > 100000) msec active 1", "kernel", NO_STATUS, 0, NULL, "didn't answer the RDMA driver", NULL, "blacklist", "firmware-version" },
    { "utcc.utoronto.ca/~cks BroadcomNetworkDriverAndRDMA", "systemd-udevd[1226]: bnxt_en.rdma.0: Worker [1285] processing SEQNUM=8551 is taking a long time", "systemd-udevd", NO_STATUS, 0, NULL, "takes long", NULL, "blacklist", "firmware-version" },
    { "MiaAI-Lab/DeepSeek-v4-Flash-DSpark-2x-DGX-Spark#146", "pcieport 0000:00:00.0: AER: Uncorrectable (Fatal) error message received from 0000:01:00.0", "kernel", NO_STATUS, 0, NULL, "nothing corrected", "slot", "riser", "pcie-aer" },
    { "utcc.utoronto.ca/~cks BroadcomNetworkDriverAndRDMA", "infiniband bnxt_re0: Couldn't change QP1 state to INIT: -110", "kernel", NO_STATUS, 0, NULL, "could not set the device up", NULL, "firmware", "kernel-log" },
    { "utcc.utoronto.ca/~cks BroadcomNetworkDriverAndRDMA", "DMAR: [DMA Read NO_PASID] Request device [12:00.0] fault addr 0xf0000 [fault reason 0x06] PTE Read access is not set", "kernel", NO_STATUS, 0, NULL, "refused a transfer", NULL, "iommu=pt", "iommu-translation" },
    { "NVIDIA/nccl#2219", "h1:7:7 [0] transport/net_ib/p2p.cc:900 NCCL WARN NET/IB: ncclIbTest: Got CQE with error (devIndex=0, req=0x7f10, comm=0x7f20 (send), wr_id=12, qp_num=4711)", "NCCL", NO_STATUS, 0, NULL, "came back bad", NULL, "behind", NULL },
    { "NVIDIA/nccl#2219", "NET/IB: Got completion from peer 10.0.0.2<1234> status=IBV_WC_RETRY_EXC_ERR(12) opcode=1 vendor_err=129 localGid ::ffff:10.0.0.1", "NCCL", 12, 0, NULL, "lost a connection", "sent", "peer's process", NULL },
    { "aws/aws-ofi-nccl#1020", "[2025-10-16 22:16:08] node-1:1929:1937 [0] nccl_net_ofi_rdma_init:7978 NCCL WARN NET/OFI OFI fi_getinfo() call failed: No data available", "NCCL", NO_STATUS, ENODATA, NULL, "no provider", "prints", "container", "uverbs-node" },
    { "aws/aws-ofi-nccl#803", "a1b2:1287:1328 [0] NCCL INFO NET/OFI Selected Provider is tcp (found 1 nics)", "NCCL", NO_STATUS, 0, NULL, "not by RDMA", NULL, "container", "rdma-device" },
    { "aws/aws-ofi-nccl#803", "NCCL WARN NET/OFI Disabling shared memory failed: Protocol not available", "NCCL", NO_STATUS, 0, NULL, "hasn't got", NULL, "Selected Provider", NULL },
    { "aws/aws-ofi-nccl#241", "configure_sendrecv_inorder:213 NCCL WARN NET/OFI Couldn't set FI_OPT_EFA_SENDRECV_IN_ORDER_ALIGNED_128_BYTES. RC: -92, ERROR: Protocol not available", "NCCL", NO_STATUS, 0, NULL, "hasn't got", NULL, "newer libfabric", NULL },
    { "aws/aws-ofi-nccl#1020", "nccl_net_ofi_create_plugin:341 NCCL WARN NET/OFI aws-ofi-nccl initialization failed", "NCCL", NO_STATUS, 0, NULL, "line before", NULL, NULL, NULL },
    { "deepseek-ai/DeepEP#38", "transport_ib_common.h 138 NET/IB: Ip address '::' is invalid for family AF_INET, ignoring address", "NCCL", NO_STATUS, 0, NULL, "No fault", NULL, "ADDR_RANGE", NULL },
    { "NVIDIA/nvshmem#33", "src/modules/transport/ibgda/ibgda.cpp:2234: NULL value Unable to create ah.", "NVSHMEM", NO_STATUS, 0, NULL, "address handle", NULL, "NVSHMEM_IB_GID_INDEX", "gid-type" },
    { "NVIDIA/nvshmem#33", "src/host/init/init.cu:1047: non-zero status: 7 nvshmem setup connections failed", "NVSHMEM", NO_STATUS, 0, NULL, "has the reason", NULL, "before", NULL },
    { "microsoft/mscclpp#431", "C++ exception with description \"ibv_modify_qp failed (errno 19) (Ib failure: No such device)\" thrown in the test body.", "MSCCL++", NO_STATUS, ENODEV, NULL, "could not connect", "this host", "doesn't have that address", "gid-index" },
    { "vllm-project/aibrix#1770", "ib_mlx5dv_md.c:1100 UCX  ERROR mlx5_1: ibv_modify_qp(UMR QP 0x2c5c) failed to modify to RTR: No such device", "UCX", NO_STATUS, ENODEV, NULL, "slot is empty", "this host", NULL, "gid-index" },
    { "sgl-project/sglang#30099", "[1:1:0] rc_iface.c:496  UCX  ERROR ibv_create_srq() failed: Operation not supported", "UCX", NO_STATUS, EOPNOTSUPP, NULL, "shared receive queues", NULL, "Pollara", NULL },
    { "sgl-project/sglang#6193", "E0511 07:42:36.355509 10240 rdma_context.cpp:198] Failed to register memory 0x2e1cbac200: Bad address [14]", "Mooncake", NO_STATUS, EFAULT, NULL, "could not be registered", "prints", "nvidia_peermem", "gdr-peer-memory" },
    { "kvcache-ai/Mooncake#1382", "E0115 11:21:22.385442 36627 rdma_context.cpp:251] Failed to register memory 0x7f10: Cannot allocate memory [12]", "Mooncake", NO_STATUS, ENOMEM, NULL, "could not be registered", "prints", "many devices", "memlock-limit" },
    { "kvcache-ai/Mooncake#1754", "E0326 14:23:05.675921 18944 rdma_context.cpp:265] Failed to register memory 0x7f105035d000: Input/output error [5]", "Mooncake", NO_STATUS, EIO, NULL, "could not be registered", "prints", "used up", "kernel-log" },
    { "kvcache-ai/Mooncake#691", "E0729 05:04:30.527725 14093 rdma_endpoint.cpp:70] Failed to create QP: Cannot allocate memory [12]", "Mooncake", NO_STATUS, ENOMEM, NULL, "queue pair", "prints", "used up", "kernel-log" },
    { "kvcache-ai/Mooncake#691", "E0729 05:05:26.130410 13520 transfer_metadata_plugin.cpp:835] SocketHandShakePlugin: connect()10.1.0.21:15468: Connection refused [111]", "Mooncake", NO_STATUS, ECONNREFUSED, NULL, "RDMA hasn't begun", "other end", "process ended", NULL },
    { "kvcache-ai/Mooncake#277", "W0419 19:17:25.260430 97620 worker_pool.cpp:368] Worker: Received context async event local access violation work queue error for context mlx5_0", "Mooncake", NO_STATUS, 0, "IBV_EVENT_QP_ACCESS_ERR", "may not use", "either end", "deregistered", NULL },
    { "linux-rdma/perftest#132", "Unable to read to socket/rdma_cm", "perftest", NO_STATUS, 0, NULL, "failed first", "other end", NULL, NULL },
    { "linux-rdma/perftest#132", "Failed to exchange data between server and clients", "perftest", NO_STATUS, 0, NULL, "has the reason", NULL, "before", NULL },
    { "linux-rdma/perftest#132", "Failed to modify QP to RTS", NULL, NO_STATUS, 0, NULL, "could not be made to send", NULL, "RTR", NULL },
    { "Mellanox/k8s-rdma-sriov-dev-plugin#22", "rdma_resolve_route failed", "perftest", NO_STATUS, 0, NULL, "no way to the other end", "prints", "container", "gid-address" },
    { "thustorage/Sherman#5", "failed to modify QP state to RTR", NULL, NO_STATUS, 0, NULL, "could not be connected", NULL, NULL, "gid-type" },
    { "leptonai/gpud#752", "ibpanic: [1323906] main: stat of IB device 'mlx5_8' failed: No such file or directory", "ibstat", NO_STATUS, 0, NULL, "went away", NULL, "reset", "kernel-log" },
    { "linux-rdma/rdma-core#239", "ibpanic: [7851] main: stat of IB device 'mlx5_1' failed: Invalid argument", "ibstat", NO_STATUS, 0, NULL, "rate can't be read", NULL, "no module", "port-module" },
    { "Mellanox/k8s-rdma-shared-dev-plugin#94", "error creating new device: \"missing RDMA device spec for device 0000:e1:00.0, RDMA device \\\"issm\\\" not found\"", "k8s-rdma-shared-dev-plugin", NO_STATUS, 0, NULL, "selectors", "node", "ib_umad", "ib-umad-module" },
    { "ceph/ceph#28344", "Infiniband: DeviceList failed to get rdma device list.  (2) No such file or directory", "Ceph", NO_STATUS, 0, NULL, "no RDMA device", NULL, "container", "rdma-device" },
    { "ceph/ceph#13655", "RDMAStack RDMAStack!!! WARNING !!! For RDMA to work properly user memlock (ulimit -l) must be big enough to allow large amount of registered memory.", "Ceph", NO_STATUS, 0, NULL, "locked memory", "prints", "LimitMEMLOCK", "memlock-services" },
    { "openucx/ucx#9488", "[5365309.262539] nvme nvme1: failed to initialize pi mr pool sized 128 for qid 1", "kernel", NO_STATUS, 0, NULL, "protection information", NULL, "create_mkey", "firmware-version" },
    { "Mellanox/nv_peer_memory#84", "[Fri Feb 12 11:47:20 2021] nv_peer_mem: Unknown symbol ib_register_peer_memory_client (err 0)", "kernel", NO_STATUS, 0, NULL, "borrows memory", NULL, "dma-buf", "gdr-peer-memory" },
    { "NVIDIA/gpu-operator#2868", "[Tue Sep  8 17:16:02 2026] nvidia_peermem: disagrees about version of symbol ib_register_peer_memory_client", "kernel", NO_STATUS, 0, NULL, "wasn't built for", NULL, "install the driver anew", "gdr-peer-memory" },
    { "NVIDIA/gpu-operator#2868", "[Tue Sep  8 17:16:02 2026] nvidia_peermem: Unknown symbol ib_register_peer_memory_client (err -22)", "kernel", NO_STATUS, EINVAL, NULL, "wasn't built for", NULL, "dma-buf", NULL },
    { "Seagate/cortx-motr#17", "Sep  2 13:26:29 n1 kernel: ko2iblnd: disagrees about version of symbol __ib_alloc_pd", "kernel", NO_STATUS, 0, NULL, "another RDMA core", NULL, "mixed", "service-module" },
    { "Seagate/cortx-motr#17", "Sep  2 13:26:29 n1 kernel: ko2iblnd: disagrees about version of symbol rdma_resolve_addr", "kernel", NO_STATUS, 0, NULL, "another RDMA core", NULL, NULL, NULL },
    { "tatsu-lab/stanford_alpaca#207", "what():  NCCL error: remote process exited or there was a network error, NCCL version 2.14.3", "NCCL", NO_STATUS, 0, NULL, "says last", "any rank", "process ended", NULL },
    { "tatsu-lab/stanford_alpaca#207", "ncclRemoteError: A call failed possibly due to a network error or a remote process exiting prematurely. Last error:", "NCCL", NO_STATUS, 0, NULL, "says last", NULL, "connection", "port-active" },
    { "tatsu-lab/stanford_alpaca#207", "Last error: NET/IB : Got completion from peer 10.0.0.2<39138> with error 12, opcode 0, len 0, vendor err 129", "NCCL", 12, 0, NULL, "lost a connection", "sent", NULL, NULL },
    { "NVIDIA/nccl#622", "ncclSystemError: System call (socket, malloc, munmap, etc) failed.", "NCCL", NO_STATUS, 0, NULL, "says which", NULL, NULL, NULL },
    { "NVIDIA/nccl#229", "n1:7:7 [0] NCCL INFO Failed to open libibverbs.so[.1]", "NCCL", NO_STATUS, 0, NULL, "libibverbs isn't there", NULL, "image without", "verbs-provider" },
    { "spdk/spdk#1444", "[ 3306.542120] nvmet_rdma: SEND for CQE 0xffff9c60010291f0 failed with status transport retry counter exceeded (12).", "kernel", 12, 0, NULL, "NVMe target's queue pair", "sent", "peer's process", NULL },
    { "spdk/spdk#1444", "[ 3306.542124] nvmet: ctrl 2 fatal error occurred!", "kernel", NO_STATUS, 0, NULL, "ends a host's connection", NULL, "bad completion", "transport-retries" },
    { "zrlio/jNVMf#18", "nvme nvme0: RECV for CQE 0x00000000f1d3 failed with status WR flushed (5)", "kernel", 5, 0, NULL, "NVMe host's queue pair", NULL, "earlier error", NULL },
    { "spdk/spdk#1725", "[20204.437351] nvme nvme0: failed nvme_keep_alive_end_io error=4", "kernel", NO_STATUS, 0, NULL, "keep-alive", "other end", "too busy", "storage-session" },
    { "intel/ethernet-linux-ice#12", "ice 0000:17:00.0: ICE OICR event notification: oicr = 0x06000803", "kernel", NO_STATUS, 0, NULL, "is reset", NULL, "blacklist irdma", "firmware-version" },
    { "openucx/ucx#9468", "Failed to modify UD QP to INIT on mlx5_bond_0: Invalid argument", NULL, NO_STATUS, EINVAL, NULL, "(INIT)", "prints", "P_Key", "pkey-asked" },
    { "Linux drivers/nvme/target/core.c", "nvmet: ctrl 1 keep-alive timer (15 seconds) expired!", "kernel", NO_STATUS, 0, NULL, "heard nothing", "that host", "hangs", "port-active" },
    { "NVIDIA/nccl#928, in the words of NCCL 2.30", "n7:71:72 [3] NCCL WARN NET/IB: Got completion from peer 10.7.4.9<55921> with status=IBV_WC_LOC_PROT_ERR(4) opcode=IBV_WC_SEND(0) vendor_err=81 (Send)", "NCCL", 4, 0, NULL, "lost a connection", "prints it", "ACS", "pcie-acs" },
    { "NVIDIA/nccl#1842", "misc/ibvwrap.cc:182 NCCL WARN Call to ibv_reg_mr_iova2 failed with error Invalid argument", "NCCL", NO_STATUS, EINVAL, NULL, "in the way that was asked for", NULL, "relaxed ordering", "gdr-peer-memory" },
    { "NVIDIA/nccl#778", "misc/ibvwrap.cc:288 NCCL WARN Call to ibv_reg_dmabuf_mr failed with error Operation not supported", "NCCL", NO_STATUS, EOPNOTSUPP, NULL, "falls back to nvidia_peermem", NULL, "a driver and kernel with dma-buf", NULL },
    { "huggingface/accelerate#2183", "n1:5020:5091 [1] NCCL INFO Failed to open libibverbs.so[.1]", "NCCL", NO_STATUS, 0, NULL, "libibverbs isn't there", NULL, "ibverbs-providers", "verbs-provider" },
    { "NVIDIA/nccl#529", "n1:97:221 [0] NCCL INFO NCCL_IB_DISABLE set by environment to 1.", "NCCL", NO_STATUS, 0, NULL, "told not to use RDMA", NULL, "nccl.conf", "rdma-switched-off" },
    { "Oneflow-Inc/oneflow#3586", "n1:101542:101934 [0] NCCL INFO Call to connect returned Connection timed out, retrying", "NCCL", NO_STATUS, ETIMEDOUT, NULL, "tries again", "other end", "docker0", "nccl-socket-ifname" },
    { "Oneflow-Inc/oneflow#3586", "n1:101542:101934 [0] include/socket.h:403 NCCL WARN Connect to 172.18.0.1<44651> failed : Connection timed out", "NCCL", NO_STATUS, ETIMEDOUT, NULL, "RDMA hasn't begun", "other end", "docker0", "nccl-socket-ifname" },
    { "NVIDIA/nccl#210", "include/socket.h:344 WARN Socket creation failed : Address family not supported by protocol", "NCCL", NO_STATUS, EAFNOSUPPORT, NULL, "TCP socket", NULL, "NCCL_SOCKET_FAMILY", "nccl-socket-ifname" },
    { "NVIDIA/nccl#1837", "ncclSocketInit: connecting to address  with family 59936 is neither AF_INET(2) nor AF_INET6(10)", "NCCL", NO_STATUS, 0, NULL, "no netdev", NULL, "NCCL_SOCKET_IFNAME", "nccl-socket-ifname" },
    { "NVIDIA/nccl#1866", "n76:156:156 [6] NCCL INFO dlvsym failed on mlx5dv_get_data_direct_sysfs_path - /lib/libmlx5.so: undefined symbol: mlx5dv_get_data_direct_sysfs_path, version MLX5_1.25 version MLX5_1.25", "NCCL", NO_STATUS, 0, NULL, "No fault", NULL, "Data Direct", NULL },
    { "ROCm/rccl#1454", "n1:19402:19402 [0] src/init.cc:136 NCCL WARN Missing \"iommu=pt\" from kernel command line which can lead to system instablity or hang!", "RCCL", NO_STATUS, 0, NULL, "IOMMU that translates", NULL, "command line", "iommu-translation" },
    { "NVIDIA/nccl#1410", "ncclUnhandledCudaError: Call to CUDA function failed.", "NCCL", NO_STATUS, 0, NULL, "not the network", NULL, "Xid", NULL },
    { "pytorch/pytorch#82091", "torch.distributed.DistBackendError: [3] is setting up NCCL communicator and retrieving ncclUniqueId from [0] via c10d key-value store by key '0', but store->get('0') got error: Socket Timeout", "PyTorch", NO_STATUS, 0, NULL, "nor has RDMA", "mostly 0", "out of step", NULL },
    { "pytorch/pytorch#105782", "[E108 20:04:34.1 socket.cpp:957] [c10d] The client socket has timed out after 900s while trying to connect to (10.0.0.9, 29500).", "PyTorch", NO_STATUS, 0, NULL, "no RDMA in it yet", "rank 0", "MASTER_ADDR", NULL },
    { "modelscope/ms-swift#7879", "[rank1]:[W122 20:05:19.1 socket.cpp:204] [c10d] The hostname of the client socket cannot be retrieved. err=-3", "PyTorch", NO_STATUS, 0, NULL, "No fault", NULL, NULL, NULL },
    { "gpustack/gpustack#2125", "RuntimeError: Gloo connectFullMesh failed with [../third_party/gloo/gloo/transport/tcp/pair.cc:144] no error", "PyTorch", NO_STATUS, 0, NULL, "no RDMA in it", NULL, "GLOO_SOCKET_IFNAME", NULL },
    { "aws/aws-ofi-nccl#24", "n1:1:2 [7] create_nccl_ofi_component:459 NCCL WARN NET/OFI Couldn't open AV. RC: -22, ERROR: Invalid argument", "aws-ofi-nccl", NO_STATUS, EINVAL, NULL, "could not set the network up", NULL, "installer", NULL },
    { "aws/aws-ofi-nccl#663", "n1:1:2 [0] NCCL WARN NET/OFI Unable to insert remote address into address vector for device 1. RC: -22", "aws-ofi-nccl", NO_STATUS, 0, NULL, "other end's address", "security group", "both directions", NULL },
    { "aws/aws-ofi-nccl#161", "n1:462:99 [0] NCCL WARN NET/OFI Request 0x7f0 completed with error. RC: 21. Error: unknown error", "aws-ofi-nccl", NO_STATUS, 0, NULL, "ended badly", "other end", "security group", NULL },
    { "aws/aws-ofi-nccl#346", "libfabric:4517:1708::efa:cq:efa_rdm_txe_handle_error():737<warn> err: 5, message: Invalid address My EFA addr: fi_addr_efa://[fe80::1]:0:1 Peer EFA addr: fi_addr_efa://[fe80::2]:0:9", "libfabric", NO_STATUS, 0, NULL, "isn't valid any more", "either", "ended", NULL },
    { "aws/aws-ofi-nccl#161", "libfabric:462:1673:efa:core:rxr_info_to_rxr():506<warn> FI_HMEM capability requires RDMA, which this device does not support.", "libfabric", NO_STATUS, 0, NULL, "It works, slower", NULL, "no fault", NULL },
    { "aws/aws-ofi-nccl#889", "libfabric:85:1747::core:core:fi_getinfo_():1392<warn> fi_getinfo: provider efa output empty list", "libfabric", NO_STATUS, 0, NULL, "last or only one", NULL, "container", "uverbs-node" },
    { "openucx/ucx#10738", "[175.5] [n1:1392 :0]         libperf.c:1183 UCX  ERROR ucp_ep_create() failed: Destination is unreachable", "UCX", NO_STATUS, 0, NULL, "no way to the other end", "both", "other subnet", "ucx-net-devices" },
    { "openucx/ucx#1487", "[149.8] [n1:14213:0]         rcache.c:460  UCX  WARN  failed to register region 0x31797f0 [0x7fffda8d3000..0x7fffe28d4000]: Input/output error", "UCX", NO_STATUS, 0, NULL, "Follows another line", NULL, "before", NULL },
    { "openucx/ucx#4730", "[158.8] [n1:81868:0]          ib_md.c:325  UCX  ERROR ibv_exp_reg_mr(address=0x7ffbd5600400, length=1024, access=0xf) failed: Invalid argument", "UCX", NO_STATUS, EINVAL, NULL, "in the way that was asked for", NULL, "AMD", NULL },
    { "llnl/sundials#316", "create_vni_context(982)..: OFI endpoint open failed (ofi_init.c:982:create_vni_context:Cannot allocate memory)", "MPI", NO_STATUS, ENOMEM, NULL, "could not make its endpoint", NULL, "locked memory", "memlock-limit" },
    { "llnl/sundials#316", "n1: rank3: PSM3 can't open nic unit: -1 (err=23)", "MPI", NO_STATUS, 0, NULL, "found no NIC", NULL, "FI_PROVIDER", "rdma-device" },
    { "pmodels/mpich#6612", "find_provider(170).........: OFI fi_getinfo() failure", "MPI", NO_STATUS, 0, NULL, "no provider", NULL, "I_MPI_OFI_PROVIDER", "port-active" },
    { "linux-rdma/perftest#54", "Event: RDMA_CM_EVENT_REJECTED; error: -111.", "perftest", NO_STATUS, ECONNREFUSED, "RDMA_CM_EVENT_REJECTED", "said no", "other host", "nothing listens", NULL },
    { "linux-rdma/perftest#54", "ERRNO: No such file or directory.", "perftest", NO_STATUS, ENOENT, NULL, "means nothing", NULL, "before", NULL },
    { "axboe/fio#159", "fio: rdma_create_event_channel fail", "librdmacm", NO_STATUS, 0, NULL, "can't be used", NULL, "modprobe rdma_ucm", "rdma-ucm-module" },
    { "gluster/gluster-kubernetes#559", "[2019-01-18 05:31:28.1] W [MSGID: 103071] [rdma.c:4629:__gf_rdma_ctx_create] 0-rpc-transport/rdma: rdma_cm event channel creation failed [No such device]", "GlusterFS", NO_STATUS, 0, NULL, "can't be used", NULL, "provider for", "rdma-device" },
    { "gluster/gluster-kubernetes#559", "[2019-01-18 05:31:28.1] W [MSGID: 103055] [rdma.c:4938:init] 0-rdma.management: Failed to initialize IB Device", "GlusterFS", NO_STATUS, 0, NULL, "No fault where volumes go by TCP", NULL, "no RDMA device", NULL },
    { "a public monitor's tests", "mlx5_core 0000:d2:00.0: mlx5_cmd_out_err:838:(pid 1441871): ACCESS_REG(0x805) op_mod(0x1) failed, status bad operation(0x2), syndrome (0x305684), err(-22)", "kernel", NO_STATUS, EINVAL, NULL, "Mostly harmless", NULL, "virtual function", "firmware-version" },
    { "charmplusplus/charm#2532", "mlx5_core 0000:04:00.0: mlx5_cmd_check:795:(pid 9993): RTR2RTS_QP(0x504) op_mod(0x0) failed, status bad parameter(0x3), syndrome (0x4bb88f)", "kernel", NO_STATUS, 0, NULL, "move a queue pair on", NULL, "number of reads", "gid-index" },
    { "openucx/ucx#9488", "nvme nvme1: rdma connection establishment failed (-22)", "kernel", NO_STATUS, EINVAL, NULL, "refused here", "prints it", "pi mr pool", "kernel-log" },
    { "spdk/spdk#1258", "rdma.c:1075:spdk_nvmf_rdma_qpair_initialize: *ERROR*: rdma_create_qp failed: errno 12: Cannot allocate memory", "SPDK", NO_STATUS, ENOMEM, NULL, "could not be made", NULL, "ulimit -l", "memlock-limit" },
    { "spdk/spdk#2275", "common.c: 269:spdk_rdma_srq_create: *ERROR*: Unable to create SRQ, errno 22 (Invalid argument)", "SPDK", NO_STATUS, EINVAL, NULL, "no-srq", NULL, "roce devices --caps", NULL },
    { "spdk/spdk#1358", "rdma.c:3316:spdk_nvmf_rdma_poll_group_create: *ERROR*: Unable to create completion queue", "SPDK", NO_STATUS, 0, NULL, "completion queue", NULL, "ulimit -l", "memlock-limit" },
    { "OpenVisualCloud/Media-Transport-Library#402", "mlx5_common: No Verbs device matches PCI device 0000:c3:00.2, are kernel drivers loaded?", "DPDK", NO_STATUS, 0, NULL, "beside the kernel's driver", NULL, "vfio-pci", "nic-rdma-device" },
    { "microsoft/lisa#1159", "net_mlx4: cannot list devices, is ib_uverbs loaded?", "DPDK", NO_STATUS, 0, NULL, "no device", NULL, "modprobe ib_uverbs", "ib-uverbs-module" },
    { "k8snetworkplumbingwg/sriov-network-device-plugin#123", "net_mlx5: probe of PCI device 0000:af:00.2 aborted after encountering an error: No such file or directory", "DPDK", NO_STATUS, ENOENT, NULL, "could not set it up", NULL, "container", NULL },
    { "Mellanox/k8s-rdma-shared-dev-plugin#192", "error creating new device: \"missing RDMA device spec for device 0000:16:00.0, RDMA device \\\"rdma_cm\\\" not found\"", "k8s-rdma-shared-dev-plugin", NO_STATUS, 0, NULL, "selectors", "node", "rdma_ucm", "rdma-ucm-module" },
    { "Mellanox/k8s-rdma-shared-dev-plugin#84", "2023/09/08 17:43:19 Exiting.. can not change : incorrect RDMA subsystem network namespace", "device plugin", NO_STATUS, 0, NULL, "in all network namespaces", "node", "netns shared", "rdma-namespace-mode" },
    { "NVIDIA/gpu-operator#2868", "modprobe: ERROR: could not insert 'nvidia_peermem': Invalid argument", "modprobe", NO_STATUS, 0, NULL, "wasn't built for", NULL, "install the driver anew", "gdr-peer-memory" },
    { "NVIDIA/gpu-operator#2868", "nvidia_peermem: disagrees about version of symbol ib_register_peer_memory_client", "kernel", NO_STATUS, 0, NULL, "wasn't built for", NULL, "dma-buf", "gdr-peer-memory" },
    { "spdk/spdk#684", "[23346.3] rpcrdma: Unknown symbol rdma_create_id (err 0)", "kernel", NO_STATUS, 0, NULL, "two RDMA stacks", NULL, "MLNX_OFED", "service-module" },
    { "NVIDIA/gdrcopy#72", "GDRCOPY library \"libgdrapi.so\" unable to open GDR driver, is gdrdrv.ko loaded?", "GDRCopy", NO_STATUS, 0, NULL, "RDMA itself doesn't need it", NULL, "modprobe gdrdrv", NULL },
    { "NVIDIA/gdrcopy#206", "[169336.8] gdrdrv:__gdrdrv_pin_buffer:nvidia_p2p_get_pages(va=7ff512200000 len=65536 p2p_token=0 va_space=0) failed [ret = -22]", "kernel", NO_STATUS, EINVAL, NULL, "doesn't lend", NULL, "GeForce", NULL },
    { "sgl-project/sglang#12533", "src/modules/transport/ibgda/ibgda.cpp:1889: NULL value cannot allocate mlx5dv_devx_uar", "NVSHMEM", NO_STATUS, 0, NULL, "doorbell page", NULL, "--privileged", NULL },
    { "deepseek-ai/DeepEP#139", "src/host/transport/transport.cpp:nvshmemi_transport_init:275: init failed for transport: IBGDA", "NVSHMEM", NO_STATUS, 0, NULL, "can't use this transport", NULL, "before it", NULL },
    { "kvcache-ai/Mooncake#281", "E0421 09:34:39.1 4671 rdma_context.cpp:198] Failed to register memory 0x7f56e6600000: Bad address [14]", "Mooncake", NO_STATUS, EFAULT, NULL, "could not be registered", NULL, "nvidia_peermem", NULL },
    { "kvcache-ai/Mooncake#3538", "E20260821 12:30:19.4 rdma_transport.cpp:827] RdmaTransport: No available RNIC", "Mooncake", NO_STATUS, 0, NULL, "no RDMA device left", NULL, "Failed to open device", "rdma-device" },
    { "kvcache-ai/Mooncake#1143", "E1202 rdma_endpoint.cpp:350] [Handshake] Failed to modify QP to INIT, check local context port num: Invalid argument [22]", NULL, NO_STATUS, 0, NULL, "the other end isn't in it yet", NULL, "remote atomics", NULL },
    { "sahlberg/libiscsi#376", "libiscsi:3 wr id 5559208da690 status 1 vend_err d7", "libiscsi", 1, 0, NULL, "iSER", "prints it", "longer than the receive", NULL },
    { "pocopico/rp-ext#129", "[    5.6] mlx5_core: probe of 0000:01:00.0 failed with error -22", "kernel", NO_STATUS, EINVAL, NULL, "could not start this device", NULL, "don't fit", "nic-rdma-device" },
    { "utcc.utoronto.ca/~cks BroadcomNetworkDriverAndRDMA", "bnxt_en 0000:12:00.0 bnxt_re0: Failed to modify HW QP", "kernel", NO_STATUS, 0, NULL, "could not do", NULL, "firmware didn't answer", "firmware-version" },
    { "aibrix/PrisKV#6", "modprobe: FATAL: Module rdma_rxe not found in directory /lib/modules/6.14.0-1015-aws", "modprobe", NO_STATUS, 0, NULL, "haven't got this module", NULL, "linux-modules-extra", NULL },
    { "Mellanox/mstflint#921", "-E- Cannot open Device: 07:00.0. Operation not supported. MFE_CR_ERROR", "mstflint", NO_STATUS, 0, NULL, "can't reach", NULL, "locked down", NULL },
    { "linux-nvme/nvme-cli#3268", "nvme nvme0: Connect command failed, error wo/DNR bit: 881", "kernel", NO_STATUS, 0, NULL, "broke at its first command", "other end", "bad completion", "kernel-log" },
    { "LMCache/LMCache#725", "[1749803291.5] [n1:7053 :0]          tcp_ep.c:1260 UCX  ERROR tcp_ep 0x3c502370 (state=CONNECTED): send(110) failed: Input/output error", "UCX", NO_STATUS, EIO, NULL, "no RDMA in it", "other end", "firewall", NULL },
    { "LMCache/LMCache#725", "W0613 08:28:11.5    7053 ucx_utils.cpp:43] Unexpected UCX error: Endpoint timeout", "NIXL", NO_STATUS, 0, NULL, "didn't answer in time", "other end", "lost on the way", "transport-retries" },
    { "sgl-project/sglang#27894", "[1784273406.6] [n1:994396:0]      ib_mlx5_dv.c:452  UCX  ERROR   mlx5dv_devx_obj_create(CQ) failed on mlx5_1, syndrome 0x2aac7c: Remote I/O error", "UCX", NO_STATUS, 0, NULL, "firmware refused", NULL, "a limit of the device", "kernel-log" },
    { "ai-dynamo/nixl#1983", "nixl._bindings.nixlRemoteDisconnectError: NIXL_ERR_REMOTE_DISCONNECT", "NIXL", NO_STATUS, 0, NULL, "another instance is gone", "other instance", "its own log", NULL },
    { "deepseek-ai/DeepEP#137", "DeepEP dispatch forwarder timeout (RDMA meta), channel: 10, RDMA: 1, nvl: 6, src RDMA lane: 0, dst NVL: 2, meta: 0, 0, 0, 0", "DeepEP", NO_STATUS, 0, NULL, "another rank's data", "any rank", "NVSHMEM_IB_GID_INDEX", "out-of-sequence" },
    { "NVIDIA/nccl-tests#185", "n3:225140:225355 [0] proxy.cc:1519 NCCL WARN [Proxy Service 1] Failed to execute operation Connect from rank 1, retcode 2", "NCCL", NO_STATUS, 0, NULL, "Follows another line", NULL, "before", NULL },
    { "NVIDIA/nccl-tests#244", "n1:398189:398189 [0] NCCL INFO NET/Plugin: Plugin load returned 2 : libnccl-net.so: cannot open shared object file: No such file or directory : when loading libnccl-net.so", "NCCL", NO_STATUS, 0, NULL, "No fault", NULL, NULL, NULL },
    { "aws/aws-ofi-nccl#889", "n1:79:79 [0] NCCL INFO NET/Plugin: Failed to find ncclCollNetPlugin_v8 symbol.", "NCCL", NO_STATUS, 0, NULL, "No fault", NULL, NULL, NULL },
    { "NVIDIA/nccl-tests#166", "Test NCCL failure common.cu:958 'internal error - please report this issue to the NCCL developers / '", "NCCL", NO_STATUS, 0, NULL, "check of its own", NULL, "WARN line", NULL },
    { "NVIDIA/nccl#1410", "n1:2340:2384 [4] transport/nvls.cc:169 NCCL WARN Cuda failure 802 'system not yet initialized'", "NCCL", NO_STATUS, 0, NULL, "not the network", NULL, "nvidia-smi", NULL },
    { "ovis-hpc/ldms#1474", "ZAP_RDMA [1729640099.8](63868) __rdma_buffer_pool_alloc:645 ibv_reg_mr() failed, errno: 12", NULL, NO_STATUS, ENOMEM, NULL, "locked memory", NULL, "ulimit -l", "memlock-limit" },
    { "apache/brpc#2298", "E0703 rdma_helper.cpp:405] Fail to open rdma device mlx5_0", "brpc", NO_STATUS, 0, NULL, "could not be opened", NULL, "container", "uverbs-node" },
    { "tensorflow/tensorflow#34863", "tensorflow / contrib / verbs / rdma.cc: 159] Check failed: num_devs_with_active_port> 0 There is no active port in the system", "TensorFlow", NO_STATUS, 0, NULL, "an ACTIVE port", "prints it", "port is down", "port-active" },
    { "bytedance/byteps#371", "[07:12:01] 3rdparty/ps-lite/include/dmlc/logging.h:276: [07:12:01] src/van.cc:97: unsupported van type: 1", "BytePS", NO_STATUS, 0, NULL, "USE_RDMA=1", "prints it", NULL, NULL },
    { "Mellanox/SparkRDMA#31", "19/05/09 11:02:03 ERROR rdma.RdmaNode: Error in accept call on a passive RdmaChannel: java.io.IOException: createCQ() failed", "SparkRDMA", NO_STATUS, 0, NULL, "completion queue", "prints it", "libdisni", "memlock-limit" },
    { "Mellanox/SparkRDMA#31", "j2c::createCQ: ibv_create_cq failed", "SparkRDMA", NO_STATUS, 0, NULL, "completion queue", "prints it", "ulimit -l", "memlock-services" },
    { "Mellanox/SparkRDMA#23", "org.apache.spark.shuffle.MetadataFetchFailedException: RdmaShuffleNode: BlockManagerId(7, n28, 41859, None) has no RDMA connection to BlockManagerId(2, n28, 37576, None)", "SparkRDMA", NO_STATUS, 0, NULL, "or never had it", "other end", "killed for its memory", "port-active" },
    { "bytedance/byteps#365", " what():  [07:40:36] src/./rdma_transport.h:144: Check failed: mr ibv_reg_mr failed: Cannot allocate memory. You can try to reduce BYTEPS_RDMA_START_DEPTH (default 128) or BYTEPS_RDMA_RX_DEPTH (default 2048)", NULL, NO_STATUS, ENOMEM, NULL, "can't be locked", "prints it", "ulimit -l", NULL },
    { "bytedance/byteps#365", " what():  [07:43:06] src/./rdma_van.h:747: Check failed: 0 OnEvent: unknown event 1 (RDMA_CM_EVENT_ADDR_ERROR)", NULL, NO_STATUS, 0, "RDMA_CM_EVENT_ADDR_ERROR", "leads to the address", "routes", "leaves by a netdev", NULL },
    { "bytedance/byteps#372", "[06:58:32] 3rdparty/ps-lite/include/dmlc/logging.h:276: [06:58:32] src/./rdma_transport.h:349: Check failed: (ibv_post_send(endpoint_->cm_id->qp, &wr, &bad_wr)) == (0) ibv_post_send failed.", NULL, NO_STATUS, 0, NULL, "didn't take a work request", "this process", "BYTEPS_RDMA_START_DEPTH", NULL },
    { "ovis-hpc/ldms#127", "ERROR     : Error 7 listening on the 'rdma' transport.", "LDMS", NO_STATUS, 0, NULL, "RDMA_CM can't be used", "prints it", "rdma_ucm", "rdma-cm-node" },
    { "https://forums.developer.nvidia.com/t/connectx-2-cqe-remote-access-error-protection-error-on-remote-data-buffer-vendor-syndrome-0x88/207715", "Mar 30 21:04:53 nas-1 genunix: [ID 204426 kern.warning] WARNING: mcxnex0: CQE ERR: cqe ffffa100fbff5fa0 QPN 0x40071 indx 0x1d81 status 0x13 vendor syndrome 0x88", "kernel", 10, 0, NULL, "refused", "other end", NULL, NULL },
    { "linux-nvme/nvme-cli#636", "Connect command failed, error wo/DNR bit: 7", "kernel", NO_STATUS, 0, NULL, "broke off", "its target", "lost the queue pair", "port-active" },
    { "firedancer-io/firedancer#10996", "no matching RDMA port for interface", "Firedancer", NO_STATUS, 0, NULL, "no mlx5 RDMA device", "prints it", "mlx5_ib", "nic-rdma-device" },
    { "ai-dynamo/nixl#1983", "[1784621081.9] [pod-1:537  :1]       srd_iface.c:221  UCX  ERROR send completion[0] with error on rdmap132s0/0x55cf4425cfb0: Work Request Flushed Error, vendor_err 0x1 wr_id 0x7f8b20022480", NULL, 5, 0, NULL, "error state", "consequence", "earlier error", NULL },
    { "Seagate/cortx-motr#9", "IOC_LIBCFS_GET_NI error 100: Network is down", "Lustre", NO_STATUS, 0, NULL, "isn't up", "prints it", "lctl network up", "port-netdev" },
    { "Seagate/cortx-motr#17", "LNET configure error 22: Invalid argument", "Lustre", NO_STATUS, EINVAL, NULL, "isn't up", "prints it", "ko2iblnd", "kernel-log" },
    { "k8snetworkplumbingwg/sriov-network-operator#274", "E0331 10:49:18.593679  1057 utils.go:325] configSriovDevice(): fail to configure VF admin mac address for device 0000:0c:00.1 \"operation not supported\"", "SR-IOV Network Operator", NO_STATUS, 0, NULL, "GUIDs and no MAC", "node", "linkType: ib", "vf-guid" },
    { "k8snetworkplumbingwg/sriov-network-operator#267", "[ 6587.951447] ib_write_bw[4682]: segfault at 0 ip 00007f3c957ef3b0 sp 00007fff4e973b10 error 4 in librdmacm.so.1.3.37.0[7f3c957e9000+15000]", "kernel", NO_STATUS, 0, NULL, "crashed in librdmacm", "prints it", "node GUID is 0", "vf-guid" },
    { "Mellanox/k8s-rdma-sriov-dev-plugin#12", "Fail to configure sriov; error =  write /sys/class/net/ens5f0/device/sriov_numvfs: device or resource busy", "k8s-rdma-sriov-dev-plugin", NO_STATUS, 0, NULL, "virtual functions", "node", "write 0 first", "kernel-log" },
    { "Mellanox/k8s-rdma-sriov-dev-plugin#14", "Fail to configure sriov; error =  Link not found", "k8s-rdma-sriov-dev-plugin", NO_STATUS, 0, NULL, "virtual functions", "node", "renamed", "kernel-log" },
    { "spdk/spdk#1703", "[2021-03-09 13:03:40.798057] nvme_fabric.c: 466:nvme_fabric_qpair_connect: *ERROR*: Connect command failed, rc -125, trtype:RDMA adrfam:IPv4 traddr:10.1.75.1 trsvcid:4420 subnqn:nqn.2016-06.io.spdk:cnode1", "SPDK", NO_STATUS, ECANCELED, NULL, "opens a queue", "target", "before it answered", "port-active" },
    { "SoftRoCE/rxe-dev#70", "rdma.c:1707:spdk_nvmf_rdma_qpair_poll: *ERROR*: CQ error on CQ 0x1a69230, Request 0x27695128 (12): transport retry counter exceeded", "SPDK", 12, 0, NULL, "acknowledged nothing", "sent", "peer's process", "port-active" },
    { "SoftRoCE/rxe-dev#63", "nvme nvme0 : identify controller failed.", "kernel", NO_STATUS, 0, NULL, "didn't answer", "other end", "bad completion", "kernel-log" },
    { "spdk/spdk#996", "Error 110 on rdma_accept", "SPDK", NO_STATUS, ETIMEDOUT, NULL, "could not accept", "either", "brought to its state", "gid-address" },
    { "spdk/spdk#704", "rdma.c: 689:spdk_nvmf_rdma_qpair_initialize: *ERROR*: RDMA CQ resize failed: errno 11: Resource temporarily unavailable", "SPDK", NO_STATUS, EAGAIN, NULL, "could not be enlarged", "prints it", "i40iw", "kernel-log" },
    { "spdk/spdk#640", "rdma.c: 763:spdk_nvmf_rdma_qpair_destroy: *WARNING*: Destroying qpair when queue depth is 128", "SPDK", NO_STATUS, 0, NULL, "consequence", "other end", "initiator", "transport-retries" },
    { "openucx/ucx#6906", "mlx5dv_devx_create_event_channel() failed: Protocol not supported", "UCX", NO_STATUS, 0, NULL, "no events", "prints it", "newer than the host's driver", "verbs-abi" },
    { "aws/aws-ofi-nccl#22", "[ 1632.420956] infiniband efa_0: Failed to process command ALLOC_PD (opcode 14) comp_status 1 err -12", "kernel", NO_STATUS, ENOMEM, NULL, "refused a command", "prints it", "limit of the device", "kernel-log" },
    { "aws/aws-ofi-nccl#22", "[ 1632.420957] infiniband efa_0: Failed to allocate pd[-12]", "kernel", NO_STATUS, ENOMEM, NULL, "no protection domain", "prints it", "left behind", "kernel-log" },
    { "aws/deep-learning-containers#2675", "NCCL WARN NET/OFI Only EFA provider is supported", "NCCL", NO_STATUS, 0, NULL, "finds no EFA", "prints it", "image without EFA", "uverbs-node" },
    { "mercury-hpc/mercury#313", " # na_ofi_cq_read(): fi_cq_readerr got err: 5(Input/output error), prov_errno: -5(Input/output error).", NULL, NO_STATUS, EIO, NULL, "A transfer failed", "other end", "connection broke", "port-active" },
    { "argonne-lcf/user-guides#1060", "hg_core_send_input_cb() NA callback returned error (NA_HOSTUNREACH)", "Mercury", NO_STATUS, 0, NULL, "no way", "other end", "isn't there any more", "gid-routable" },
    { "ofiwg/libfabric#6665", "04/15-10:18:04.53 n1 CaRT[260252/260252] rpc  ERR  src/cart/crt_context.c:210 crt_context_create() crt_hg_ctx_init() failed, DER_HG(-1020): 'Transport layer mercury error'", "DAOS", NO_STATUS, 0, NULL, "lines of HG and NA", "prints it", "D_DOMAIN", "rdma-device" },
    { "Mellanox/libvma#910", " VMA ERROR: ring_simple[0x7f43d8d47f60]:242:create_resources() ibv_create_comp_channel for tx failed. m_p_tx_comp_event_channel = (nil) (errno=13 Permission denied)", "VMA", NO_STATUS, EACCES, NULL, "may not use the device", "prints it", "SELinux", "uverbs-node" },
    { "Mellanox/libvma#152", " VMA ERROR: rfs[0xca8990]:272:create_ibv_flow() Create of QP flow ID failed with flow dst:10.168.11.150:11111, src:0.0.0.0:0, protocol:TCP (errno=22 - Invalid argument)", "VMA", NO_STATUS, 0, NULL, "refused to steer", "prints it", "log_num_mgm_entry_size=-1", NULL },
    { "open-mpi/ompi#5807", "ibv_exp_query_device: invalid comp_mask !!! (comp_mask = 0x26b00000002 valid_mask = 0x1)", "libibverbs", NO_STATUS, 0, NULL, "doesn't fit", "prints it", "--mca btl", NULL },
    { "charmplusplus/charm#1738", "Reason: OFI::LrtsInit::fi_tsend error", "Charm++", NO_STATUS, 0, NULL, "first message", "prints it", "-11", NULL },
    { "kvcache-ai/Mooncake#879", "E0924 01:29:28.348115  2254 transfer_engine.cpp:234] Failed to install RDMA transport", "Mooncake", NO_STATUS, 0, NULL, "no RDMA device to use", "prints it", "no GID", "gid-table" },
    { "open-mpi/ompi#166", "[n8][[5397,1],43][btl_openib.c:222:adjust_cq] cannot resize completion queue, error: 16", "Open MPI", NO_STATUS, EBUSY, NULL, "refused to enlarge", "prints it", "--mca pml ucx", "firmware-version" },
    { "open-mpi/ompi#166", "[n0][[5397,1],72][btl_openib_component.c:3547:poll_device] error polling HP CQ with -2 errno says Device or resource busy", "Open MPI", NO_STATUS, 0, NULL, "to read a completion queue", "prints it", "firmware failed", "kernel-log" },
    { "StanfordLegion/gasnet#29", "*** FATAL ERROR (proc 1): in gasnetc_ofi_tx_poll_one() at anguage/gasnet/GASNet-2023.9.0/ofi-conduit/gasnet_ofi.c:2171: fi_cq_read for tx_poll failed with error: -5(Input/output error)", NULL, NO_STATUS, EIO, NULL, "A transfer failed", "other end", "other process ended", "port-active" },
    { "StanfordLegion/legion#1320", "*** FATAL ERROR (proc 33): in gasnetc_ep_bindsegment() at egion_s3d/gasnet/GASNet-stable/ofi-conduit/gasnet_ofi.c:1502: fi_mr_reg for rdma failed: -14(Bad address)", "GASNet", NO_STATUS, EFAULT, NULL, "could not be registered", "prints it", "nvidia_peermem", "gdr-peer-memory" },
    { "StanfordLegion/realm#339", "*** WARNING (proc 1): Unexpected error 12 (Cannot allocate memory) from fi_mr_regattr() when binding segment [0x602000000, 0xecc000000) to EP 2", "GASNet", NO_STATUS, ENOMEM, NULL, "could not be registered", "prints it", "too large", "memlock-limit" },
    { "chapel-lang/chapel#14340", "*** FATAL ERROR (proc 1): ibv_reg_mr failed in firehose_move_callback errno=14 (Bad address)", NULL, NO_STATUS, EFAULT, NULL, "could not be registered", "this host", "unmapped", NULL },
    { "chapel-lang/chapel#14340", "@ 0> snd status=10 opcode=2 dst_node=1 dst_qp=0", "GASNet", 10, 0, NULL, "refused", "other end", NULL, NULL },
    { "nv-legate/legate#948", "    WARNING: This system appears to contain recognized network hardware: InfiniBand IBV", "GASNet", NO_STATUS, 0, NULL, "--enable-ibv", NULL, NULL, NULL },
    { "nv-legate/legate#948", "WARNING: There is at least one non-excluded one OpenFabrics device found,", "Open MPI", NO_STATUS, 0, NULL, "no active port", "prints it", "netdev is down", "port-active" },
    { "guilbaults/infiniband-exporter#12", "src/query_smp.c:199; umad (DR path slid 0; dlid 0; 0,1,10,19 Attr 0x11:0) bad status 110; Connection timed out", "infiniband-diags", NO_STATUS, ETIMEDOUT, NULL, "didn't answer a query", "fabric", "cable is bad", NULL },
    { "linux-rdma/opensm#38", "Failed status transport retry counter exceeded (12) for wr_id 2", NULL, 12, 0, NULL, "acknowledged nothing", "sent", "peer's process", "port-active" },
    { "linux-rdma/opensm#37", "  165028 [F0D43740] 0x01 -> osm_vendor_bind: ERR 5426: Unable to register class 129 version 1", "opensm", NO_STATUS, 0, NULL, "no access", "prints it", "another subnet manager", "subnet-manager" },
    { "treydock/infiniband_exporter#26", "ibwarn: [2986] mad_rpc_open_port: client_register for mgmt 1 failed", "infiniband-diags", NO_STATUS, 0, NULL, "no access", "prints it", "is RoCE", "umad-node" },
    { "Mellanox/doca-driver-build#52", "Failed loading kernel module mlx5_ib:[FAILED[]", "openibd", NO_STATUS, 0, NULL, "wouldn't load", "prints it", "another kernel or OFED", "kernel-log" },
    { "pocopico/rp-ext#108", "[  541.149389] mlx4_en: Unknown symbol mlx4_get_vf_rate (err 0)", "kernel", NO_STATUS, 0, NULL, "don't fit each other", "prints it", "two builds", "nic-rdma-device" },
    { "RROrg/rr#3556", "[  126.415062] mlx5_core 0000:00:11.0: 0000:00:11.0:mlx5_alloc_map_uar:237:(pid 499): mlx5_cmd_alloc_uar() failed, -110", "kernel", NO_STATUS, ETIMEDOUT, NULL, "doesn't answer commands", "card", "virtual machine", "devlink-health" },
    { "RROrg/rr#3556", "[  126.414546] mlx5_core 0000:00:11.0: 0000:00:11.0:page_notify_fail:308:(pid 385): page notify failed", "kernel", NO_STATUS, 0, NULL, "doesn't answer commands", "card", "interrupts", "kernel-log" },
    { "deepseek-ai/DeepEP#759", "NVSHMEM: Unable to dlopen libmlx5dv. Disabling directNIC features.", "NVSHMEM", NO_STATUS, 0, NULL, "IBGDA needs libmlx5", "prints it", "ibverbs-providers", "verbs-provider" },
    { "deepseek-ai/DeepEP#36", "bootstrap_net_recv:99: Message truncated: received 40 bytes instead of 8", "NVSHMEM", NO_STATUS, 0, NULL, "out of step", "any process", "different versions", NULL },
    { "NVIDIA/gds-nvidia-fs#4", "11-10-2023 15:49:50:24 [pid=1502 tid=1502] NOTICE  cufio-rdma:175 nvidia_peermem.ko is not loaded. Disabling UserSpace RDMA access.", "GPUDirect Storage", NO_STATUS, 0, NULL, "no direct way", "prints it", "nvidia_peermem isn't loaded", "gdr-peer-memory" },
    { "NVIDIA/gds-nvidia-fs#4", " 11-10-2023 15:49:50:34 [pid=1502 tid=1502] ERROR  cufio-dr:229 No matching pair for network device to closest GPU found in the platform", "GPUDirect Storage", NO_STATUS, 0, NULL, "no direct way", "prints it", "rdma_dev_addr_list", "gpu-nic-far" },
    { "rapidsai/dask-cuda#168", "[1573656987.606494] [n11:29685:0]   rdmacm_iface.c:405  UCX  ERROR received event RDMA_CM_EVENT_UNREACHABLE. status = 2. Peer: 127.0.0.1:45601.", NULL, NO_STATUS, 0, "RDMA_CM_EVENT_UNREACHABLE", "was not answered", "other host", "down", NULL },
    { "NVIDIA/cudf-spark#9386", "[1697552387.850624] [n11:19890:0] rdmacm_listener.c:83   UCX  DIAG  rdma_bind_addr(addr=10.1.7.11:50956) failed: No such device", "librdmacm", NO_STATUS, ENODEV, NULL, "local address", "prints it", "netdev has that address", "gid-address" },
    { "NVIDIA/cudf-spark#9386", "[1697552387.871581] [n11:19890:a]       rdmacm_cm.c:712  UCX  DIAG  [cep 0x2ac1bc029990 <invalid>->10.1.7.10:8368 client Success] got error event RDMA_CM_EVENT_ADDR_ERROR, event status No such device (-19)", "UCX", NO_STATUS, 0, "RDMA_CM_EVENT_ADDR_ERROR", "leads to the address", "routes", "leaves by a netdev", NULL },
    { "rapidsai/ucx-py#329", "[1574100076.686720] [n02:84896:0]   ucp_listener.c:122  UCX  ERROR connection request failed on listener 0x55a98dc77950 with status Destination is unreachable", "UCX", NO_STATUS, 0, NULL, "no way to the other end", "UCX_TLS", "UCX_TLS", "ucx-net-devices" },
    { "rapidsai/ucx-py#667", "[1610542356.468568] [n13:13389:0]    ucp_context.c:1080 UCX  ERROR UCX_SOCKADDR_CM_ENABLE is set to yes but none of the available components supports SOCKADDR_CM", "UCX", NO_STATUS, 0, NULL, "by IP address", "prints it", "without rdmacm", "rdma-cm-node" },
    { "rapidsai/ucx-py#109", "[1558446761.180161] [n15:66604:0]      wireup_ep.c:480  UCX  ERROR no supported sockaddr auxiliary transports found for mlx5_0:1", "UCX", NO_STATUS, 0, NULL, "ud beside", "UCX_TLS", "lacks ud", "ucx-net-devices" },
    { "rapidsai/dask-cuda#817", "[1638576087.224291] [nid01:7382] UCXPY  DEBUG Error callback for endpoint 0x7fc1af5770a0 called with status -6: Destination is unreachable", "UCX", NO_STATUS, 0, NULL, "no way to the other end", "UCX_TLS", "other subnet", "gid-routable" },
    { "ROCm/rccl#1026", "g6:11143:11143 [0] src/extlibs/rccl/build/src/init.cpp:120 NCCL WARN Missing \"amd_iommu=on\" from kernel command line which can lead to system instablity or hang!", "RCCL", NO_STATUS, 0, NULL, "No fault", "prints it", "iommu=pt", "iommu-translation" },
    { "ROCm/rccl#1026", "g6:11143:11143 [0] src/extlibs/rccl/build/src/init.cpp:126 NCCL WARN Missing \"HSA_FORCE_FINE_GRAIN_PCIE=1\" from environment which can lead to low RCCL performance, system instablity or hang!", "RCCL", NO_STATUS, 0, NULL, "slow, or a job hangs", "every process", "export HSA", NULL },
    { "NVIDIA/nccl#1219", "[C9:1:28576 unique id 1201360626793454896] ERROR collect_ports_data: device mlx5_0 port 1 is not valid (port is used by SM)", "SHARP", NO_STATUS, 0, NULL, "without SHARP", "fabric", "subnet manager", "subnet-manager" },
    { "Mellanox/nccl-rdma-sharp-plugins#151", "C9:19373:19491 [3] sharp_plugin.c:302 NCCL WARN SHARP group create: Streaming Tree lock failed (-18)", "SHARP", NO_STATUS, 0, NULL, "without SHARP", "fabric", "other jobs", NULL },
    { "NVIDIA/nccl#1050", "vm-52:1047884:1048148 [7] sharp_plugin.c:320 NCCL WARN NET/IB : SHARP coll init error: Cannot create SHARP job(-11)", "SHARP", NO_STATUS, 0, NULL, "without SHARP", "fabric", "its manager", NULL },
    { "NVIDIA/nccl#1050", "vm-41:1056918:1057186 [0] transport.cc:323 NCCL WARN Cannot initialize CollNet, using point-to-point network instead", "NCCL", NO_STATUS, 0, NULL, "No fault unless", "fabric", "NCCL_COLLNET_ENABLE=0", NULL },
    { "NVIDIA/nccl#1460", "[n01][Sep 24 16:15:29 847428][GENERAL][3745742][warn ] - Begin job id: 9370583446459220315 failed with status: No resource", "SHARP", NO_STATUS, 0, NULL, "without SHARP", "fabric", "hold its trees", NULL },
    { "NVIDIA/nccl-tests#222", "NCCL WARN Cannot use cuda/gdr transports as part of specified UCX_TLS", "NCCL", NO_STATUS, 0, NULL, "takes no transport", "every process", "cuda_copy", NULL },
    { "open-iscsi/targetcli-fb#19", "The underlying rtslib object for /ib_srpt does not exist.", "targetcli", NO_STATUS, 0, NULL, "no SRP target", "prints it", "modprobe ib_srpt", "service-module" },
    { "FDio/vpp#858", "create interface rdma: no RDMA devices available, errno = 13. Is the ib_uverbs module loaded?: Permission denied", "VPP", NO_STATUS, EACCES, NULL, "can't list", "prints it", "SELinux", "uverbs-node" },
    { "v6d-io/v6d#2004", "Init RDMA failed!Create rdma server failed!", "Vineyard", NO_STATUS, 0, NULL, "no verbs provider", "prints it", "fi_info -p verbs", "rdma-device" },
    { "charmplusplus/charm#926", "[14] wc[0] status 12 wc[i].opcode 0", "Charm++", 12, 0, NULL, "acknowledged nothing", "sent", "peer's process", NULL },
    { "charmplusplus/charm#2532", "Reason: Work completion error in sendCq", "Charm++", NO_STATUS, 0, NULL, "A send failed", "other end", "line before it", "transport-retries" },
    { "prometheus/node_exporter#966", "level=error msg=\"ERROR: infiniband collector failed after 0.006976s: strconv.ParseUint: parsing \\\"N/A (no PMA)\\\": invalid syntax\" source=\"collector.go:132\"", "node_exporter", NO_STATUS, 0, NULL, "without counters", "prints it", "ConnectX-3", NULL },
    { "prometheus/node_exporter#1511", "ERRO[0006] ERROR: infiniband collector failed after 0.000063s: error obtaining InfiniBand class info: failed to list InfiniBand devices at \"/sys/class/infiniband\": open /sys/class/infiniband: no such file or directory  source=\"collector.go:132\"", "node_exporter", NO_STATUS, 0, NULL, "no RDMA devices", "prints it", "--no-collector.infiniband", "rdma-device" },
    { "prometheus/node_exporter#3265", "time=2025-03-03T19:11:05.508Z level=ERROR source=collector.go:168 msg=\"collector failed\" name=infiniband duration_seconds=0.113365034 err=\"error obtaining InfiniBand class info: failed to read file \\\"/sys/class/infiniband/mlx5_0/ports/1/counters/VL15_dropped\\\": invalid argument\"", "node_exporter", NO_STATUS, 0, NULL, "without counters", "prints it", "NVLink's switches", NULL },
    { "SoftRoCE/rxe-dev#45", "tee: /sys/kernel/config/rdma_cm/rxe0/default_roce_mode: No such file or directory", NULL, NO_STATUS, 0, NULL, "could not be set", "prints it", "mount configfs", "cm-roce-mode" },
    { "charmplusplus/charm#2635", "[198542.924637] mlx5_core 0000:5e:00.0: synd 0x7: irisc not responding", "kernel", NO_STATUS, 0, NULL, "something in the device failed", "prints it", "firmware", "devlink-health" },
    { "openucx/ucx#10541", "[1741378519.572699] [n-dpu:3871684:0]         ib_mlx5.c:610  UCX  ERROR mlx5_0: both WC and NC_DEDICATED UAR allocation types  are not supported", "UCX", NO_STATUS, 0, NULL, "no doorbell page", "prints it", "UCX_IB_MLX5_DEVX=n", "firmware-version" },
    { "gpudirect/libgdsync#44", "ib_umem_get: failed to get user pages, nr_pages=1", "kernel", NO_STATUS, 0, NULL, "could not be pinned", "prints it", "nvidia_peermem", "gdr-peer-memory" },
    { "open-mpi/ompi#11469", "[LOG_CAT_ML] component ucx_p2p is not available but requested in hierarchy: ucx_p2p:p2p", "HCOLL", NO_STATUS, 0, NULL, "No fault", "prints it", "UCX_NET_DEVICES", "ucx-net-devices" },
    { "JCSDA/spack-stack#1681", "153: [n13:831290] Error: coll_hcoll_module.c:310 - mca_coll_hcoll_comm_query() Hcol library init failed", "Open MPI", NO_STATUS, 0, NULL, "No fault", "prints it", "^hcoll", "rdma-switched-off" },
    { "JCSDA/spack-stack#1681", " 58: [n13:831195] Error: coll_ucc_module.c:265 - mca_coll_ucc_init_ctx() UCC library doesn't support MPI_THREAD_MULTIPLE", "Open MPI", NO_STATUS, 0, NULL, "without a library", "prints it", "--enable-mt", NULL },
    { "kvcache-ai/Mooncake#166", "Failed to select remote NIC for address 0xb7869c1cb5cae9f3 on segment #1", "Mooncake", NO_STATUS, 0, NULL, "no registered memory", "other end", "metadata server", NULL },
    { "spdk/spdk#3807", "nvme_rdma_log_wc_status: WC error, qid 0, qp state 2, request 0xXXXXXXXXXXXX type 1, status: (4): local protection error", NULL, 4, 0, NULL, "isn't registered", "prints it", "registered memory", NULL },
    { "openucx/ucx#5472", "[n02:14791:0:14791] ib_mlx5_log.c:139  Remote QP on mlx5_0:1/IB (synd 0x14 vend 0x89 hw_synd 0/0)", "UCX", 11, 0, NULL, "could not carry out", "refused it", NULL, NULL },
    { "openucx/ucx#7774", "[n-02:1884 :0:1884] rc_verbs_iface.c:124  send completion with error: local protection error [qpn 0xf9db wrid 0x149vendor_err 0x51]", NULL, 4, 0, NULL, "isn't registered", "prints it", "registered memory", NULL },
    { "openucx/ucx#8180", "[1651490470.843673] [n1:61762:0]       rdmacm_cm.c:917  UCX  DIAG  rdma_create_event_channel failed: No such device", "librdmacm", NO_STATUS, 0, NULL, "RDMA_CM can't be used", "prints it", "provider for", "rdma-cm-node" },
    { "uccl-project/uccl#972", "[WARN n98 1468470 1468470 pollOnce rdma/providers/ib_data_channel_impl.cc:202] pollOnce - channel_id: 4, CQE error, wr_id=3, status=2 (local QP operation error), opcode=1, byte_len=0, vendor_err=0x3, qp_num=0x2c91, wc_flags=0x0", NULL, 2, 0, NULL, "could not send", "prints it", "entries (SGEs)", NULL },
    { "uccl-project/uccl#449", "E1016 23:07:35.057309 18812 rdma_io.cc:68] [Error] Unable to get device list", "UCCL", NO_STATUS, 0, NULL, "no RDMA device", "prints it", "container", "rdma-device" },
    { "ai-dynamo/nixl#952", "got completion with err: syndrome=0x5, vendor_err_synd=0xf9, hw_err_synd=0, hw_synd_type=0, wqe_counter=65281 wqe_qpn=ed020008", "DOCA", 5, 0, NULL, "error state", "consequence", "earlier error", NULL },
    { "ai-dynamo/nixl#952", "kernel_progress: block 0 error CQE! poll_status -5 wqe 511 index 0", "NIXL", NO_STATUS, 0, NULL, "a GPU had posted", "prints it", "before it", NULL },
    { "pytorch/tensorpipe#413", "RuntimeError: In operator() at tensorpipe/common/ibv.h:172 \"\": Invalid argument", "PyTorch", NO_STATUS, EINVAL, NULL, "could not set RDMA up", "prints it", "shared receive queues", NULL },
    { "horovod/horovod#1651", "n1:2668:2780 [0] NCCL INFO NET/IB : GPU Direct RDMA Disabled for GPU 0 / HCA mlx4_0 (not supported by GPU)", "NCCL", NO_STATUS, 0, NULL, "host memory", "prints it", "GeForce", NULL },
    { "spdk/spdk#996", "Unable to add the qpair to a poll group.", "SPDK", NO_STATUS, 0, NULL, "which has the reason", "prints it", "before it", NULL },
    { "StanfordLegion/gasnet#27", "*** FATAL ERROR (proc 0): in gasnetc_rdma_put() at anguage/gasnet/GASNet-2023.9.0/ofi-conduit/gasnet_ofi.c:2849: fi_write failed: 12(Cannot allocate memory)", "GASNet", NO_STATUS, ENOMEM, NULL, "didn't take a transfer", "prints it", "too many under way", NULL },
    { "NVIDIA/cudf-spark#9386", "[1697552387.850642] [n11:19890:0]    ucp_listener.c:245  UCX  DIAG  failed to create UCT listener on CM 0x2ac175ab25b0 (component rdmacm) with address 10.1.7.11:50956 status No such device", "UCX", NO_STATUS, 0, NULL, "No fault if TCP", "prints it", "no RDMA device", "gid-address" },
    /* No thread at hand: the words are the sources', named in front. */
    { "NVIDIA/nccl docs/userguide, networking troubleshooting", "misc/ibvwrap.cc:187 NCCL WARN Call to ibv_modify_qp failed with error Invalid argument", "NCCL", NO_STATUS, EINVAL, NULL, "could not connect a queue pair", "choice of a GID", "before 2.21", "nccl-gid-index" },
    { "NVIDIA/nccl docs/userguide, runtime issues", "NCCL WARN Error: failed to extend /dev/shm/nccl-03v824 to 4194660 bytes", "NCCL", NO_STATUS, 0, NULL, "not the network", NULL, "--shm-size", NULL },
    { "NVIDIA/nccl docs/userguide, logging", "[2026-05-05 06:16:47] n1:189884:189884 [3] plugin/net.cc:334 NCCL WARN Failed to initialize any NET plugin", "NCCL", NO_STATUS, 0, NULL, "no network that it could bring up", NULL, "NCCL_NET", "nccl-ib-hca" },
    { "kvcache-ai/Mooncake docs/source/troubleshooting", "E0421 rdma_context.cpp:198] Failed to register memory 0x7efb94000000: Input/output error [5]", "Mooncake", NO_STATUS, EIO, NULL, "could not be registered", NULL, "longer than it takes", NULL },
    { "kvcache-ai/Mooncake docs/source/troubleshooting", "E0421 rdma_context.cpp:198] Failed to register memory 0x7efb94000000: Resource temporarily unavailable [11]", "Mooncake", NO_STATUS, EAGAIN, NULL, "the device's own", NULL, "used up", NULL },
    { "kvcache-ai/Mooncake docs/source/troubleshooting", "E0421 rdma_endpoint.cpp:200] Failed to exchange handshake description", "Mooncake", NO_STATUS, 0, NULL, "RDMA hasn't begun", "other end", "rpc_port", NULL },
    { "UCX src/uct/ib/base", "UCX  ERROR error modifying QP to INIT: Invalid argument", NULL, NO_STATUS, 0, NULL, "set up for its port", NULL, "P_Key index", "pkey-full-member" },
    { "perror(3)", "create_qp: ibv_create_qp failed: Invalid argument", NULL, NO_STATUS, EINVAL, NULL, "could not be made", NULL, "roce devices --caps", NULL },
    { "perror(3)", "rdma_connect() failed, errno=111", NULL, NO_STATUS, ECONNREFUSED, NULL, "said no", "other host", "nothing listens", NULL },
    { "UCX src/uct/ib/rdmacm", "[1.2] [n1:1:0] rdmacm_cm.c:715 UCX  DIAG [cep 0x7f 10.0.0.1:0->10.0.0.2:13337 client] got error event RDMA_CM_EVENT_REJECTED, event status 8 (Unknown error)", "UCX", NO_STATUS, 0, "invalid service ID", "Nothing listens", "other host", "isn't running", NULL },
    { "UCX src/uct/ib/ud", "[1.2] [n1:1:0] ud_ep.c:297 UCX  FATAL UD endpoint 0x1c8 to <no debug data>: unhandled timeout error", "UCX", NO_STATUS, 0, NULL, "answered nothing", "other end", "lost on the way", "gid-routable" },
    { "UCX src/uct/ib/base", "[1.2] [n1:1:0] ib_iface.c:882 UCX  ERROR ibv_create_ah(dlid=49152 sl=0 port=1 dgid=::ffff:10.0.0.2 sgid_index=3 traffic_class=106) for RC DEVX QP connect on mlx5_0 failed: Connection timed out", "UCX", NO_STATUS, ETIMEDOUT, NULL, "resolved to a MAC", "other end", "answers ARP", "gid-vlan" },
    { "Open MPI opal/mca/btl/openib", "Failed to modify the attributes of a queue pair (QP):", "Open MPI", NO_STATUS, 0, NULL, "could not connect a queue pair", NULL, "two kinds", "gid-type" },
    { "Open MPI opal/mca/btl/openib", "WARNING: It appears that your OpenFabrics subsystem is configured to only allow registering part of your physical memory.", "Open MPI", NO_STATUS, 0, NULL, "only a part", NULL, "log_num_mtt", NULL },
    { "perftest src/perftest_communication.c", "Unexpected CM event bl blka 8", "perftest", NO_STATUS, 0, "RDMA_CM_EVENT_REJECTED", "said no", "other host", "nothing listens", NULL },
    { "perftest src/perftest_communication.c", "Received 10 times ADDR_ERROR - aborting", "perftest", NO_STATUS, 0, NULL, "no RDMA device of this host leads there", "this host", "another netdev", "gid-route" },
    { "perftest src/perftest_communication.c", "Event: RDMA_CM_EVENT_REJECTED; error: 28.", "perftest", NO_STATUS, 0, "consumer defined", "reason of its own", "other host", "access list", NULL },
    { "perftest src/perftest_resources.c", "Couldn't allocate MR with error=14", "perftest", NO_STATUS, EFAULT, NULL, "could not be registered", NULL, "nvidia_peermem", NULL },
    { "perftest src/perftest_resources.c", "Couldn't allocate MR with error=12", "perftest", NO_STATUS, ENOMEM, NULL, "locked memory", NULL, "ulimit -l", "memlock-limit" },
    { "perftest src/get_clock.c", "Conflicting CPU frequency values detected: 1200.000000 != 3301.000000. CPU Frequency is not max.", "perftest", NO_STATUS, 0, NULL, "No fault of RDMA", NULL, "cpupower", NULL },
    { "rdma-core librdmacm/examples/rping.c", "cma event RDMA_CM_EVENT_REJECTED, error 8", "librdmacm", NO_STATUS, 0, "invalid service ID", "Nothing listens", "other host", "isn't running", NULL },
    { "rdma-core librdmacm/examples/rping.c", "cma event RDMA_CM_EVENT_UNREACHABLE, error -110", "librdmacm", NO_STATUS, ETIMEDOUT, "RDMA_CM_EVENT_UNREACHABLE", "was not answered", "other host", "4791", "firewall-4791" },
    { "rdma-core librdmacm/examples/cmatose.c", "cmatose: event: RDMA_CM_EVENT_REJECTED, error: 28", "librdmacm", NO_STATUS, 0, "consumer defined", "reason of its own", "other host", "access list", NULL },
    { "rdma-core libibverbs/init.c", "libibverbs: Warning: RLIMIT_MEMLOCK is 65536 bytes.", "libibverbs", NO_STATUS, 0, NULL, "little can be registered", NULL, "ulimit -l", "memlock-limit" },
    { "rdma-core libibverbs/init.c", "libibverbs: Fatal: couldn't read uverbs ABI version.", "libibverbs", NO_STATUS, 0, NULL, "no ib_uverbs", NULL, "modprobe ib_uverbs", "ib-uverbs-module" },
    { "rdma-core libibverbs/examples/devinfo.c", "IB device 'rxe0' wasn't found", "libibverbs", NO_STATUS, 0, NULL, "no device of the name", NULL, "container", "rdma-device" },
    { "Linux drivers/nvme/host/rdma.c", "nvme nvme0: RECV for CQE 0x00000000a85dbe16 failed with status WR flushed (5)", "kernel", 5, 0, NULL, "NVMe host's queue pair", "consequence", "earlier error", NULL },
    { "Linux drivers/nvme/target/rdma.c", "nvmet_rdma: RDMA READ for CQE failed with status remote access error (10).", "kernel", 10, 0, NULL, "NVMe target's queue pair", "refused", "rkey", NULL },
    { "Linux drivers/infiniband/ulp/srp", "scsi host1: ib_srp: failed RECV status WR flushed (5) for CQE 00000000a85dbe16", "kernel", 5, 0, NULL, "SRP", "consequence", "earlier error", NULL },
    { "k8snetworkplumbingwg/sriov-network-device-plugin", "W1 netDeviceProvider.go:99] RDMA resources for 0000:af:00.2 not found. Are RDMA modules loaded?", "device plugin", NO_STATUS, 0, NULL, "offers it without RDMA", "node", "mlx5_ib", "nic-rdma-device" },
    { "Mooncake worker_pool.cpp", "W0603 worker_pool.cpp:433] Worker: Received context async event port error for context mlx5_3", "Mooncake", NO_STATUS, 0, "IBV_EVENT_PORT_ERR", "lost its link", NULL, "cable", "link-flaps" },
    { "Ceph src/msg/async/rdma", "Infiniband::QueuePair::modify_qp_to_rtr failed to transition to RTR state: (22) Invalid argument", "Ceph", NO_STATUS, EINVAL, NULL, "could not connect a queue pair", NULL, "two kinds", "gid-type" },
    { "Ceph src/msg/async/rdma", "Infiniband verify_prereq!!! WARNING !!! For RDMA to work properly user memlock (ulimit -l) must be big enough to allow large amount of registered memory.", "Ceph", NO_STATUS, 0, NULL, "locked memory", NULL, "ceph-osd", "memlock-limit" },
    { "Linux fs/nfs", "nfs: server 10.0.0.9 not responding, still trying", "kernel", NO_STATUS, 0, NULL, "RDMA or TCP the line doesn't say", "other end", "server is down", "nfs-rdma-mount" },
    { "Lustre lnet/klnds/o2iblnd", "LNetError: 12345:0:(o2iblnd_cb.c:2979:kiblnd_rejected()) 10.10.10.2@o2ib rejected: consumer defined fatal error", "kernel", NO_STATUS, 0, NULL, "turned the connection down", "other node", "map_on_demand", NULL },
    { "Lustre lnet/klnds/o2iblnd", "LNet: 12345:0:(o2iblnd_cb.c:3330:kiblnd_cm_callback()) 10.10.10.2@o2ib: UNREACHABLE -110", "kernel", NO_STATUS, 0, NULL, "not answered", "other end", "4791", "firewall-4791" },
    { "Lustre lnet/klnds/o2iblnd", "LNet: 12345:0:(o2iblnd_cb.c:3305:kiblnd_cm_callback()) 10.10.10.2@o2ib: ADDR ERROR -110", "kernel", NO_STATUS, ETIMEDOUT, NULL, "answered ARP", "this host", "arp_ignore", "arp-flux" },
    { "Linux drivers/net/ethernet/mellanox/mlx5/core/health.c", "mlx5_core 0000:08:00.0: print_health_info:407:(pid 0): Health issue observed, firmware internal error, severity(3) ERROR:", "kernel", NO_STATUS, 0, NULL, "something in the device failed", NULL, "firmware", "devlink-health" },
    { "Linux drivers/net/ethernet/mellanox/mlx5/core/health.c", "mlx5_core 0000:08:00.0: print_health_info:407:(pid 0): Health issue observed, High temperature, severity(3) ERROR:", "kernel", NO_STATUS, 0, NULL, "too hot", NULL, "fans", "module-health" },
    { "Linux drivers/net/ethernet/mellanox/mlx5/core/main.c", "mlx5_core 0000:08:00.0: mlx5_function_enable:1130:(pid 400): Firmware over 120000 MS in pre-initializing state, aborting", "kernel", NO_STATUS, 0, NULL, "doesn't start", NULL, "firmware", "nic-rdma-device" },
    { "Linux drivers/net/ethernet/mellanox/mlx5/core/en_tx.c", "mlx5_core 0000:5c:00.0 ens1np0: Error cqe on cqn 0x44a, ci 0x1e, sqn 0x15c3, opcode 0xd, syndrome 0x2, vendor syndrome 0x68", "kernel", NO_STATUS, 0, NULL, "RDMA has queues of its own", NULL, "driver or firmware", NULL },
    { "Linux drivers/net/ethernet/broadcom/bnxt", "bnxt_en 0000:43:00.0 ens1np0: Error (timeout: 500015) msg {0x0 0x42a} len:0", "kernel", NO_STATUS, 0, NULL, "didn't answer the driver", NULL, "firmware", "devlink-health" },
    { "Linux drivers/net/ethernet/microsoft/mana", "mana 39d4:00:02.0: HWC: Request timed out!", "kernel", NO_STATUS, 0, NULL, "stand still", "virtual machine's host", "maintenance", NULL },
    { "Linux drivers/infiniband/sw/rxe", "rdma_rxe: rxe_newlink: failed to add eth0", "kernel", NO_STATUS, 0, NULL, "wasn't made", NULL, "another network namespace", "rdma-namespace-mode" },
    { "Linux drivers/infiniband/hw/hns", "hns3 0000:7d:00.0 hns_0: error cqe status 0x15:", "kernel", 12, 0, NULL, "bad completion", "sent", "peer's process", "port-active" },
    { "Linux drivers/pci/pcie/aer.c", "mlx5_core 0000:17:00.0: PCIe Bus Error: severity=Uncorrectable (Fatal), type=Transaction Layer, (Receiver ID)", "kernel", NO_STATUS, 0, NULL, "nothing corrected", "slot", "faulty card", "pcie-aer" },
    { "rdma-core libibverbs/examples", "IB device mlx5_7 not found", "libibverbs", NO_STATUS, 0, NULL, "no device of the name", NULL, "provider", "rdma-device" },
    { "rdma-core libibverbs/examples", "No IB devices found", "libibverbs", NO_STATUS, 0, NULL, "no RDMA device", NULL, "container", "device-hidden" },
    { "rdma-core libibverbs/examples", "Couldn't get local LID", "ibv_*_pingpong", NO_STATUS, 0, NULL, "subnet manager", "fabric", "opensm", "subnet-manager" },
    { "rdma-core libibverbs/examples", "can't read sgid of index 3", "ibv_*_pingpong", NO_STATUS, 0, NULL, "no GID at the index", NULL, "roce gids", "gid-table" },
    { "rdma-core librdmacm/examples/rping.c", "rdma_bind_addr: No such device", "librdmacm", NO_STATUS, ENODEV, NULL, "local address", NULL, "no RDMA device's netdev", "gid-address" },
    { "rdma-core librdmacm/examples/rping.c", "wait for CONNECTED state 10", "rping", NO_STATUS, 0, NULL, "wasn't connected", NULL, "before", NULL },
    { "perftest src/perftest_resources.c", " Requested mtu is higher than active mtu ", "perftest", NO_STATUS, 0, NULL, "No fault", NULL, "4200", "active-mtu" },
    { "NCCL src/misc/socket.cc", "NCCL WARN socketProgressOpt: Call to recv from 10.0.0.2<5> failed : Connection reset by peer", "NCCL", NO_STATUS, ECONNRESET, NULL, "broke", "other end", "own lines", NULL },
    { "NCCL src/bootstrap.cc", "NCCL WARN Bootstrap : no socket interface found", "NCCL", NO_STATUS, 0, NULL, "no netdev", NULL, "loopback", "nccl-socket-ifname" },
    { "NCCL src/plugin/net.cc", "n1:7:7 [0] NCCL WARN Error: network IB not found.", "NCCL", NO_STATUS, 0, NULL, "NCCL_NET", NULL, "no RDMA device", "nccl-ib-hca" },
    { "Open MPI opal/mca/btl/openib", "[[5,1],0] error polling LP CQ with status RETRY EXCEEDED ERROR status number 12 for wr_id 1c5f opcode 0  vendor error 129 qp_idx 3", "Open MPI", 12, 0, NULL, "acknowledged nothing", "sent", "peer's process", "port-active" },
    { "Open MPI opal/mca/btl/openib", "The InfiniBand retry count between two MPI processes has been exceeded.", "Open MPI", 12, 0, NULL, "acknowledged nothing", "sent", NULL, NULL },
    { "Open MPI opal/mca/btl/openib", "WARNING: No preset parameters were found for the device that Open MPI", "Open MPI", NO_STATUS, 0, NULL, "No fault", NULL, "newer", NULL },
    { "perror(3)", "rdma_create_event_channel: No such file or directory", "librdmacm", NO_STATUS, ENOENT, NULL, "can't be used", NULL, "modprobe rdma_ucm", "rdma-ucm-module" },
    { "perror(3)", "rdma_connect: Connection refused", "librdmacm", NO_STATUS, ECONNREFUSED, NULL, "said no", "other host", "nothing listens", NULL },
    { "rdma-core libibverbs/examples/devinfo.c", "Failed to get IB devices list: Function not implemented", "libibverbs", NO_STATUS, 0, NULL, "could not ask", NULL, "modprobe ib_uverbs", "ib-uverbs-module" },
    { "perror(3)", "ibv_create_qp: Operation not supported", NULL, NO_STATUS, EOPNOTSUPP, NULL, "could not be made", "prints", "kind of queue pair", NULL },
    { "NCCL 2.8 src/include/ibvwrap.h", "misc/ibvwrap.cc:170 NCCL WARN Call to ibv_reg_mr failed", "NCCL", NO_STATUS, 0, NULL, "registered", NULL, "locked memory", "memlock-limit" },
    { "Linux drivers/net/ethernet/mellanox/mlx5/core/health.c", "[ 1234.5] mlx5_core 0000:19:00.0: poll_health:816:(pid 0): Fatal error 1 detected", "kernel", NO_STATUS, 0, NULL, "failed, and resets it", NULL, "firmware", "devlink-health" },
    { "Linux drivers/net/ethernet/mellanox/mlx5/core/health.c", "mlx5_core 0000:19:00.0: poll_health:801:(pid 0): device's health compromised - reached miss count", "kernel", NO_STATUS, 0, NULL, "stands still", NULL, "PCIe link", "devlink-health" },
    { "Linux drivers/net/ethernet/mellanox/mlx5/core/cmd.c", "mlx5_core 0000:19:00.0: wait_func:1157:(pid 99): QUERY_VPORT_COUNTER(0x770) timeout. Will cause a leak of a command resource", "kernel", NO_STATUS, 0, NULL, "didn't answer a command", NULL, "firmware", "kernel-log" },
    { "Linux drivers/infiniband/hw/mlx5/cq.c", "infiniband mlx5_0: dump_cqe:272:(pid 0): dump error cqe", "kernel", NO_STATUS, 0, NULL, "hex", NULL, "behind", NULL },
    { "Linux net/sched/sch_generic.c", "NETDEV WATCHDOG: enp1s0f0 (i40e): transmit queue 7 timed out 5008 ms", "kernel", NO_STATUS, 0, NULL, "sending stands still", "switch", "pauses", "paused" },
    { "Linux net/sched/sch_generic.c", "mlx5_core 0000:19:00.0 ens1: NETDEV WATCHDOG: CPU: 3: transmit queue 0 timed out 5010 ms", "kernel", NO_STATUS, 0, NULL, "sending stands still", "switch", "pauses", "paused" },
    { "Linux net/sched/sch_generic.c", "bnxt_en 0000:19:00.0 ens1f0np0: NETDEV WATCHDOG: CPU: 12: transmit queue 4 timed out 6000 ms", "kernel", NO_STATUS, 0, NULL, "sending stands still", "switch", "pauses", "paused" },
    { "Linux drivers/infiniband/sw/rxe/rxe_resp.c", "rdma_rxe: qp#17 moved to error state", "soft-RoCE", NO_STATUS, 0, NULL, "can't be answered", NULL, "key, address or length", NULL },
    { "Linux drivers/infiniband/sw/rxe/rxe_resp.c", "rdma_rxe: rxe0: qp#19 rxe_receiver: moved to error state", "soft-RoCE", NO_STATUS, 0, NULL, "can't be answered", NULL, "key, address or length", NULL },
    { "Mellanox/k8s-rdma-shared-dev-plugin#44", "2023/09/02 06:23:37 Warning: no Rdma Devices were found for resource hpc_shared_devices_b", "k8s-rdma-shared-dev-plugin", NO_STATUS, 0, NULL, "selectors fit", NULL, "ifNames", "ib-uverbs-module" },
    { "Mellanox/k8s-rdma-shared-dev-plugin#192", "2025/07/26 20:29:31 error creating new device: \"missing RDMA device spec for device 0000:16:00.0, RDMA device \\\"rdma_cm\\\" not found\"", "k8s-rdma-shared-dev-plugin", NO_STATUS, 0, NULL, "hasn't all the device nodes", NULL, "rdma_ucm", "rdma-ucm-module" },
    { "open-mpi users 2016/07/29656", "[borgo035][[5139,1],0][btl_openib_component.c:1670:init_one_device] error obtaining device attributes for mlx5_0 errno says Cannot allocate memory", "Open MPI", NO_STATUS, ENOMEM, NULL, "could not ask the device", NULL, "MLNX_OFED", "memlock-limit" },
    { "open-mpi users", "error obtaining device attributes for mlx5_0 errno says Success", "Open MPI", NO_STATUS, 0, NULL, "could not ask the device", NULL, "MLNX_OFED", "memlock-limit" },
    { "NCCL, without its prefix", "Got completion from peer 10.0.0.2<1> with status=12 opcode=0 len=0 vendor err 129", "NCCL", IBV_WC_RETRY_EXC_ERR, 0, NULL, "lost a connection", NULL, NULL, NULL },
    { "Linux net/sched/sch_generic.c", "NETDEV WATCHDOG: ens1np0 (mlx5_core): transmit queue 3 timed out", "kernel", NO_STATUS, 0, NULL, "sending stands still", "switch", "pauses", "paused" },
    { "Linux drivers/net/ethernet/mellanox/mlx5/core/health.c", "mlx5_core 0000:01:00.0: mlx5_health_try_recover:331:(pid 9): health recovery flow aborted, PCI reads still not working", "kernel", NO_STATUS, 0, NULL, "gave the device up", "slot", "AER", "pcie-aer" },
    { "Linux drivers/iommu/amd/iommu.c", "mlx5_core 0000:07:00.0: AMD-Vi: Event logged [IO_PAGE_FAULT domain=0x0007 address=0x1000 flags=0x0000]", "kernel", NO_STATUS, 0, NULL, "refused a transfer", NULL, "iommu=pt", "iommu-translation" },
    { "Linux drivers/pci/pci.c", "mlx5_core 0000:27:00.0: 63.008 Gb/s available PCIe bandwidth, limited by 16.0 GT/s PCIe x4 link at 0000:25:00.0 (capable of 504.112 Gb/s with 32.0 GT/s PCIe x16 link)", "kernel", NO_STATUS, 0, NULL, "slower or narrower", NULL, "fewer lanes", "pcie-width" },
    { "Linux drivers/net/ethernet/mellanox/mlx5/core/events.c", "mlx5_core 0000:3d:00.0: Port module event[error]: module 0, Cable error, Power budget exceeded", "kernel", NO_STATUS, 0, NULL, "stays dark", NULL, "power class", "port-module" },
    { "Linux drivers/pci/pcie/aer.c", "mlx5_core 0000:17:00.0: PCIe Bus Error: severity=Corrected, type=Physical Layer, (Receiver ID)", "kernel", NO_STATUS, 0, NULL, "corrected an error", "slot", "riser", "pcie-aer" },
    { "Linux drivers/pci/pcie/aer.c", "mlx5_core 0000:17:00.0: PCIe Bus Error: severity=Uncorrected (Non-Fatal), type=Transaction Layer, (Requester ID)", "kernel", NO_STATUS, 0, NULL, "nothing corrected", "slot", "faulty card", "pcie-aer" },
    { "Linux drivers/infiniband/core/cache.c", "__ib_cache_gid_add: unable to add gid fe80:0000:0000:0000:0202:03ff:fe04:0506 error=-28", "kernel", NO_STATUS, ENOSPC, NULL, "GID table is full", NULL, "macvlans", "gid-table-full" },
    { "Linux drivers/infiniband/core/cache.c", "__ib_cache_gid_add: unable to add gid fe80:0000:0000:0000:0202:03ff:fe04:0506 error=-5", "kernel", NO_STATUS, EIO, NULL, "didn't take a GID", NULL, "firmware", "gid-address" },
    { "Linux drivers/infiniband/hw/irdma/hw.c", "irdma 0000:4b:00.0 rocep75s0: abnormal ae_id = 0x502 bool qp=1 qp_id = 3, ae_src=5", "kernel", NO_STATUS, 0, NULL, "error of a queue pair", NULL, "status", "kernel-log" },
    { "Linux drivers/infiniband/hw/bnxt_re/qplib_rcfw.c", "bnxt_en 0000:c1:00.0: QPLIB: cmdq[0x10]=0xe timedout (40000)msec", "kernel", NO_STATUS, 0, NULL, "didn't answer the RDMA driver", NULL, "firmware", "devlink-health" },
    { "Linux drivers/net/ethernet/broadcom/bnxt/bnxt.c", "bnxt_en 0000:c1:00.0 ens1np0: NIC Link is Down", "kernel", NO_STATUS, 0, NULL, "lost its link", "cable", "module", "link-flaps" },
    { "Linux drivers/net/ethernet/intel/ice/ice_main.c", "ice 0000:4b:00.0 ens1f0: NIC Link is Down", "kernel", NO_STATUS, 0, NULL, "lost its link", NULL, NULL, "port-active" },
    { "Linux drivers/net/ethernet/hisilicon/hns3/hns3_enet.c", "hns3 0000:7d:00.0 eno1: link down", "kernel", NO_STATUS, 0, NULL, "lost its link", NULL, NULL, "port-active" },
    { "Linux drivers/nvme/host/rdma.c", "[ 9.1] nvme nvme0: failed to connect queue: 0 ret=-110", "kernel", NO_STATUS, ETIMEDOUT, NULL, "could not connect a queue", "other end", "--nr-io-queues", "port-active" },
    { "Linux drivers/nvme/host/rdma.c", "[ 9.1] nvme nvme0: starting error recovery", "kernel", NO_STATUS, 0, NULL, "lost its connection", "other end", "restarted", "storage-session" },
    { "Linux drivers/nvme/host/rdma.c", "[ 9.1] nvme nvme0: Reconnecting in 10 seconds...", "kernel", NO_STATUS, 0, NULL, "ctrl_loss_tmo", NULL, NULL, "storage-session" },
    { "Lustre lnet/klnds/o2iblnd/o2iblnd_cb.c", "LNetError: 1234:0:(o2iblnd_cb.c:3335:kiblnd_check_txs_locked()) Timed out tx: active_txs, 1 seconds", "kernel", NO_STATUS, 0, NULL, "waited too long", "other end", "lost on the way", "transport-retries" },
    { "openzfs/zfs#6795", "rpcrdma: Recv: local length error (1/0xd7)", "kernel", 1, 0, NULL, "of NFS over RDMA", "prints it:", "longer than the receive", NULL },
    { "pkoutoupis/rapiddisk#145", "[ 3664.472868] nvmet_rdma: binding CM ID to 10.0.0.9:4420 failed (-19)", "kernel", NO_STATUS, ENODEV, NULL, "can't listen by RDMA", "prints it", "netdev has it (-19),", "target-address" },
    { "kubevirt/kubevirt#188", "tgtd: iser_ib_init(3416) Failed to initialize RDMA; load kernel modules?", "tgtd", NO_STATUS, 0, NULL, "RDMA that it could", "prints it", "or the modules ib_uverbs", "rdma-device" },
    { "kubevirt/kubevirt#188", "librdmacm: Fatal: unable to get RDMA device list", "librdmacm", NO_STATUS, 0, NULL, "ask the kernel for", "prints it", "wasn't given the devices:", "rdma-device" },
    { "iqiyi/dpvs#975", "mlx5_pci: No kernel/verbs support for VF LAG bonding found.", "DPDK", NO_STATUS, 0, NULL, "a bond of the", NULL, NULL, NULL },
    { "openucx/ucx#1005", "libibverbs: resolver: Destination unrechable (type 7)", "libibverbs", NO_STATUS, 0, NULL, "the MAC of the", "prints it", "are of different networks,", "gid-route" },
    { "openucx/ucx#1005", "libibverbs: Neigh resolution process failed", "libibverbs", NO_STATUS, 0, NULL, "the MAC of the", "or the", "or neighbour discovery for", "gid-route" },
    { "Seagate/cortx-motr#17", "LNetError: 172781:0:(api-ni.c:2533:lnet_startup_lndnet()) Can't load LND o2ib, module ko2iblnd, rc=256", "kernel", NO_STATUS, 0, NULL, "RDMA (ko2iblnd) can't be", "prints it", "for another RDMA stack", "service-module" },
    { "jade-hpc-gpu/jade-hpc-gpu.github.io#14", "LustreError: 11-0: fs1-MDT0000-mdc: operation obd_ping to node 10.3.0.9@o2ib failed: rc = -107", "kernel", NO_STATUS, ENOTCONN, NULL, "doesn't answer over RDMA", "or the", "down, or failed over", "port-active" },
    { "jade-hpc-gpu/jade-hpc-gpu.github.io#14", "Lustre: 2449:0:(client.c:2141:ptlrpc_expire_one_request()) @@@ Request sent has failed due to network error: [sent 1508144508/real 1508144518]  req@ffff880eb14da700 x1570198182041824/t0(0) o250->MGC10.3.0.8@o2ib@10.3.0.8@o2ib:26/25", "kernel", NO_STATUS, 0, NULL, "a server got lost", "or the", "before it say how", "port-active" },
    { "linux-rdma/perftest#173", "Failed status 4: wr_id 0 syndrom 0x51", "perftest", 4, 0, NULL, "not reach the memory", "prints it", "of a bridge between", "pcie-acs" },
    { "ROCm/rocm-systems#5146", "NET/IB : Failed to open ionicdv symbols. AINIC features will be disabled.", "RCCL", NO_STATUS, 0, NULL, "what AMD's library for", "prints it", "with these NICs: their", "verbs-provider" },
    { "openucx/ucx#11219", "UCX TRACE   ep 0x7fffef252140 tcp/ibs2 cannot reach dst_sys_dev=1 dst_md_index=1: no route to 10.9.0.8:0", "UCX", NO_STATUS, 0, NULL, "pair of ports out:", "its routes", "are no fault while", "rail-routes" },
    { "openucx/ucx#1005", "[n7:29358] pml_ucx.c:271 Error: Failed to connect to proc: 310, Address not valid", "Open MPI", NO_STATUS, 0, NULL, "which has the reason:", "prints it", "the lines before it", NULL },
    { "NCCL src/misc/socket.cc, src/proxy.cc, src/misc/ibvwrap.cc", "n1:1:1 [0] misc/ibvwrap.cc:100 NCCL WARN Call to ibv_query_port failed", "NCCL", NO_STATUS, 0, NULL, "opened, and doesn't answer", "prints it", "being reset, or failed:", "kernel-log" },
    { "NCCL src/misc/socket.cc, src/proxy.cc, src/misc/ibvwrap.cc", "n1:1:1 [0] misc/ibvwrap.cc:100 NCCL WARN Call to ibv_alloc_pd failed", "NCCL", NO_STATUS, 0, NULL, "opened, and doesn't give", "prints it", "being reset, or failed:", "kernel-log" },
    { "NCCL src/misc/socket.cc, src/proxy.cc, src/misc/ibvwrap.cc", "n1:1:1 [0] misc/ibvwrap.cc:100 NCCL WARN Call to ibv_query_gid failed with error Invalid argument", "NCCL", NO_STATUS, 0, NULL, "read the GID that", "prints it", "the port's table: roce", "nccl-gid-index" },
    { "NCCL src/misc/socket.cc, src/proxy.cc, src/misc/ibvwrap.cc", "n1:1:1 [0] proxy.cc:1495 NCCL WARN [Service thread] Accept failed Resource temporarily unavailable", "NCCL", NO_STATUS, 0, NULL, "could not take a", "prints it", "being torn down after", NULL },
    { "NCCL src/misc/socket.cc, src/proxy.cc, src/misc/ibvwrap.cc", "n1:1:1 [0] proxy.cc:1533 NCCL WARN [Service thread] Error encountered progressing operation=Connect, res=3, closing connection", "NCCL", NO_STATUS, 0, NULL, "of NCCL, which has", "prints it", "before it, of this", NULL },
    { "NCCL src/misc/socket.cc, src/proxy.cc, src/misc/ibvwrap.cc", "n1:1:1 [0] NCCL INFO [Service thread] Connection closed by localRank 3", "NCCL", NO_STATUS, 0, NULL, "another GPU of this", NULL, NULL, NULL },
    { "NCCL src/misc/socket.cc, src/proxy.cc, src/misc/ibvwrap.cc", "n1:1:1 [0] misc/socket.cc:550 NCCL WARN socketPollConnect: Connect to 10.0.0.2<45763> returned 113(No route to host) errno 115(Operation now in progress)", "NCCL", NO_STATUS, EHOSTUNREACH, NULL, "over which ranks meet,", "or the", "netdev that has no", "nccl-socket-ifname" },
    { "NCCL src/misc/socket.cc, src/proxy.cc, src/misc/ibvwrap.cc", "n1:1:1 [0] misc/socket.cc:503 NCCL WARN socketStartConnect: exceeded timeouts (20000)", "NCCL", NO_STATUS, ETIMEDOUT, NULL, "over which ranks meet,", "or the", "netdev that has no", "nccl-socket-ifname" },
    { "NCCL src/misc/socket.cc, src/proxy.cc, src/misc/ibvwrap.cc", "n1:1:1 [0] NCCL WARN NET/IB : mlx5_0:1 unknown event type (18)", "NCCL", NO_STATUS, 0, "IBV_EVENT_GID_CHANGE", "added, removed or moved:", "this host", "added or removed, or", "gid-address" },
    { "PyTorch torch/csrc/distributed/c10d", "[E ProcessGroupNCCL.cpp:461] To avoid data inconsistency, we are taking the entire process down.", "PyTorch", NO_STATUS, 0, NULL, "of a collective operation,", "one whose", "it: 'Watchdog caught collective", NULL },
    { "PyTorch torch/csrc/distributed/c10d", "[rank3]: torch.distributed.DistStoreError: Timed out after 601 seconds waiting for clients. 1/2 clients joined.", "PyTorch", NO_STATUS, 0, NULL, "to PyTorch's store, by", "rank 0,", "started, or ended: its", NULL },
    { "PyTorch torch/csrc/distributed/c10d", "RuntimeError: Timed out initializing process group in store based barrier on rank: 0, for key: store_based_barrier_key:1", "PyTorch", NO_STATUS, 0, NULL, "to PyTorch's store, by", "rank 0,", "started, or ended: its", NULL },
    { "PyTorch torch/csrc/distributed/c10d", "torch.distributed.elastic.rendezvous.api.RendezvousConnectionError: The connection to the C10d store has failed. See inner exception for details.", "PyTorch", NO_STATUS, 0, NULL, "to PyTorch's store, by", "rank 0,", "started, or ended: its", NULL },
    { "PyTorch torch/csrc/distributed/c10d", "RuntimeError: [../third_party/gloo/gloo/transport/tcp/pair.cc:598] Connection closed by peer [10.0.0.1]:12345", "PyTorch", NO_STATUS, 0, NULL, "its TCP connection of", "other end", "failed, or was ended:", NULL },
    { "UCX src/uct/ib, src/ucp", "[1.1] [n1:1:0] ib_device.c:900 UCX  ERROR ibv_query_gid(dev=mlx5_0 port=1 index=3) failed: Invalid argument", "UCX", NO_STATUS, 0, NULL, "read the GID that", "prints it", "the port's table: roce", "ucx-gid-index" },
    { "UCX src/uct/ib, src/ucp", "[1.1] [n1:1:0] ucp_ep.c:1500 UCX  ERROR ep 0x7f2f: error 'Connection reset by remote peer' on rc_mlx5/mlx5_0:1 will not be handled since no error callback is installed", "UCX", NO_STATUS, 0, NULL, "another process ended: that", "other end", "failed, or was ended:", NULL },
    { "UCX src/uct/ib, src/ucp", "[1.1] [n1:1:0] ucp_worker.c:530 UCX  ERROR Error Endpoint timeout was not handled for ep 0x7f2f - rc_mlx5/mlx5_0:1", "UCX", NO_STATUS, 0, NULL, "acknowledged nothing in time,", "or the", "address or link went", "port-active" },
    { "UCX src/uct/ib, src/ucp", "[1.1] [n1:1:0] mpool.c:55 UCX  WARN  object 0x7f was not returned to mpool ucp_requests", "UCX", NO_STATUS, 0, NULL, "while requests were under", NULL, NULL, NULL },
    { "Open MPI, its help texts and pml/ucx", "[n1:1234] Error obtaining unique transport key from PMIX (OMPI_MCA_orte_precondition_transports not present in the environment).", "Open MPI", NO_STATUS, 0, NULL, "key that mpirun, or", "prints it", "or the program itself", NULL },
    { "Open MPI, its help texts and pml/ucx", "WARNING: Open MPI failed to TCP connect to a peer MPI process.", "Open MPI", NO_STATUS, 0, NULL, "of Open MPI could", "or the", "leads nowhere, as docker0", NULL },
    { "Open MPI, its help texts and pml/ucx", "WARNING: There are more than one active ports on host 'n1', but the default subnet GID prefix was detected on more than one of these ports.", "Open MPI", NO_STATUS, 0, NULL, "have the subnet prefix", "prints it", "another prefix for one", "subnet-manager" },
    { "Open MPI, its help texts and pml/ucx", "The OpenFabrics stack has reported a network error event.  Open MPI will try to continue, but your job may end up failing.", "Open MPI", NO_STATUS, 0, NULL, "Open MPI of an", "prints it", "it: IBV_EVENT_PORT_ERR is a", "port-active" },
    { "Open MPI, its help texts and pml/ucx", "mca_base_component_repository_open: unable to open mca_btl_openib: librdmacm.so.1: cannot open shared object file: No such file or directory (ignored)", NULL, NO_STATUS, 0, NULL, "a part of it,", "prints it", "the library: librdmacm1 (Debian),", "verbs-provider" },
    { "libfabric prov/efa", "libfabric:42:1652::efa:cq:efa_rdm_txe_handle_error():737<warn> err: 103, message: Unreachable remote My EFA addr: fi_addr_efa://[fe80::1]:0:1 Peer EFA addr: fi_addr_efa://[fe80::2]:0:9", "libfabric", NO_STATUS, 0, NULL, "other end didn't answer.", "or the", "ended, or its instance", NULL },
    { "perftest src", "If device exists, check if driver is up", "perftest", NO_STATUS, 0, NULL, "of perftest, which has", "prints it", "the line before it", NULL },
    { "perftest src", "Couldn't listen to port 18515", "perftest", NO_STATUS, EADDRINUSE, NULL, "listen for its TCP", "prints it", "one that hangs, has", NULL },
    { "rdma-core librdmacm/examples/rping.c", "waiting for addr/route resolution state 1", "rping", NO_STATUS, 0, NULL, "resolved: the event that", NULL, "the line before it", NULL },
    { "rdma-core librdmacm/examples/rping.c", "cq completion failed status 5", "librdmacm", 5, 0, NULL, "is in the error", "the end", "on the same queue", "port-active" },
    { "rdma-core librdmacm/examples/rping.c", "rdma_resolve_addr: Invalid argument", "librdmacm", NO_STATUS, EINVAL, NULL, "an address that it", "prints it", "address without its netdev:", NULL },
    { "Linux drivers/nvme, and nvme-cli", "nvme nvme0: rdma_resolve_addr failed (-101).", "kernel", NO_STATUS, ENETUNREACH, NULL, "could not even look", "addresses and", "to the address, or", "gid-address" },
    { "Linux drivers/nvme, and nvme-cli", "nvme nvme0: rdma connection establishment failed (-104)", "kernel", NO_STATUS, ECONNRESET, NULL, "found no way to", "or the", "it: the target turned", "gid-address" },
    { "Linux drivers/nvme, and nvme-cli", "Failed to write to /dev/nvme-fabrics: Invalid argument", "nvme-cli", NO_STATUS, EINVAL, NULL, "not make sense of", "prints it", "isn't loaded ('no handler", "service-module" },
    { "Linux drivers/nvme, and nvme-cli", "could not add new controller: failed to write to nvme-fabrics device", "nvme-cli", NO_STATUS, 0, NULL, "not connect to the", NULL, "lines say: 'Connect rejected',", "kernel-log" },
    { "Linux drivers/nvme, and nvme-cli", "nvmet_rdma: received IB QP event: last WQE reached (16)", "kernel", NO_STATUS, 0, NULL, "of the NVMe target", NULL, "bad completion beside it", "transport-retries" },
    { "Linux drivers/nvme, and nvme-cli", "nvmet_rdma: received IB QP event: QP fatal error (1)", "kernel", NO_STATUS, 0, NULL, "of the NVMe target", NULL, "bad completion beside it", "transport-retries" },
    { "Linux drivers/nvme, and nvme-cli", "nvmet: transport type 1 not supported", "kernel", NO_STATUS, 0, NULL, "has no transport by", "prints it", "isn't loaded: modprobe nvmet_rdma", "service-module" },
    { "Linux drivers/nvme, and nvme-cli", "nvmet_rdma: failed to connect queue 3", "kernel", NO_STATUS, 0, NULL, "to the NVMe target", "the way", "up, or was restarted", "port-active" },
    { "Linux net/sunrpc/xprtrdma, and nfs-utils", "rpc.nfsd: Unable to request RDMA services: Protocol not supported", "rpc.nfsd", NO_STATUS, EPROTONOSUPPORT, NULL, "doesn't listen by RDMA.", "prints it", "loaded (Protocol not supported):", "nfs-rdma-server" },
    { "Linux net/sunrpc/xprtrdma, and nfs-utils", "rpcrdma: 'frwr' mode is not supported by device bnxt_re0", "kernel", NO_STATUS, 0, NULL, "needs a kind of", "prints it", "can't, as some in", NULL },
    { "Linux drivers/infiniband/ulp/iser, isert", "iser: iser_err_comp: memreg failure: memory management operation error (6) vend_err 0x78", "kernel", 6, 0, NULL, "queue pair got a", "prints it:", "the queue pair was", NULL },
    { "Linux drivers/infiniband/ulp/iser, isert", "iser: iser_err_comp: recv failure: WR flushed (5) vend_err 0xf9", "kernel", 5, 0, NULL, "queue pair got a", "the end", "on the same queue", "port-active" },
    { "Linux drivers/infiniband/ulp/iser, isert", "isert: isert_print_wc: send failure: transport retry counter exceeded (12) vend_err 81", "kernel", 12, 0, NULL, "queue pair got a", "prints it", "address or link went", "port-active" },
    { "Linux drivers/infiniband/ulp/iser, isert", "iscsiadm: Could not login to [iface: iser, target: iqn.2003-01.example:n1, portal: 10.0.0.1,3260].", "iscsiadm", NO_STATUS, 0, NULL, "the iSCSI target by", "or the", "that portal by TCP", "gid-address" },
    { "Linux drivers/infiniband/ulp/srp", "scsi host7:   REJ reason 0x8", "kernel", NO_STATUS, 0, NULL, "host answered, and nothing", "its target", "there, or its target", NULL },
    { "Linux drivers/infiniband/ulp/srp", "scsi host1: ib_srp: Got failed path rec status -22", "kernel", NO_STATUS, 0, NULL, "got no path to", "the fabric", "no subnet manager answers", "subnet-manager" },
    { "Linux drivers/infiniband/ulp/srp", "scsi host1: reconnect attempt 3 failed (-104)", "kernel", NO_STATUS, ECONNRESET, NULL, "tries to get its", "or the", "down or unreachable: the", "port-active" },
    { "GlusterFS rpc-transport/rdma", "[2017-10-03] E [MSGID: 103014] [rdma.c:4503:gf_rdma_listen] 0-tcp.vol-server: rdma_bind_addr failed [Cannot assign requested address]", "librdmacm", NO_STATUS, EADDRNOTAVAIL, NULL, "the local address that", "prints it", "no netdev of this host", "gid-address" },
    { "Linux net/rds", "RDS/IB: send completion on <::ffff:10.0.0.1,::ffff:10.0.0.2,0> had status 12 (transport retry counter exceeded), vendor err 0x81, disconnecting and reconnecting", "kernel", 12, 0, NULL, "connection to another node,", "prints it", "address or link went", "port-active" },
    { "Linux net/rds", "RDS/IB: recv completion on <10.0.0.1,10.0.0.2,0> had status 5 (WR flushed), vendor err 0xf9, disconnecting and reconnecting", "kernel", 5, 0, NULL, "connection to another node,", "the end", "on the same queue", "port-active" },
    { "Linux net/smc", "smc: SMC-R lg 00000100 link removed: id 00000101, peerid 00000201, ibdev mlx5_0, ibport 1", "kernel", NO_STATUS, 0, NULL, "of a group's links,", "the peer's,", "down, or its address", "port-active" },
    { "Linux net/smc", "smc: SMC-R lg 00000100 state changed: SINGLE, pnetid NET25", "kernel", NO_STATUS, 0, NULL, "has one link: no", "the peer", "this network here or", "port-active" },
    { "Linux fs/smb", "CIFS: VFS: smbd_create_id:614 rdma_resolve_addr() completed -113", "kernel", NO_STATUS, EHOSTUNREACH, NULL, "could not find its", "addresses and", "to the address, or", "gid-address" },
    { "Linux fs/smb", "CIFS: VFS: _smbd_get_connection:1555 warning: device max_recv_sge = 1 too small", "kernel", NO_STATUS, 0, NULL, "more scatter elements than", "prints it", "software or of a", NULL },
    { "Linux fs/smb", "ksmbd: smb_direct: Send error. status='transport retry counter exceeded (12)', opcode=0", "kernel", 12, 0, NULL, "of SMB Direct got", "prints it", "address or link went", "port-active" },
    { "Linux fs/smb", "ksmbd: smb_direct: Recv error. status='WR flushed (5)' opcode=128", "kernel", 5, 0, NULL, "of SMB Direct got", "the end", "on the same queue", "port-active" },
    { "Linux drivers/net/ethernet/mellanox/mlx5, drivers/infiniband/hw/mlx5", "mlx5_core 0000:03:00.0: mlx5_wait_for_pages:735:(pid 99): FW did not return all pages. giving up...", "kernel", NO_STATUS, 0, NULL, "give the host its", "prints it", "update it, and keep", "devlink-health" },
    { "Linux drivers/net/ethernet/mellanox/mlx5, drivers/infiniband/hw/mlx5", "mlx5_core 0000:03:00.0 ens1: TX timeout on queue: 8, SQ: 0x1b8e, CQ: 0x1c5, SQ Cons: 0x42 SQ Prod: 0x45, usecs since last trans: 15392000", "kernel", NO_STATUS, 0, NULL, "stands still. RDMA has", "the switch", "the port on and", "paused" },
    { "Linux drivers/net/ethernet/mellanox/mlx5, drivers/infiniband/hw/mlx5", "mlx5_core 0000:41:00.0: mlx5_deactivate_lag:417:(pid 100): Failed to deactivate RoCE LAG; driver restart required", "kernel", NO_STATUS, 0, NULL, "are still one RDMA", "prints it", "its line before this", "bond-members" },
    { "Linux drivers/net/ethernet/mellanox/mlx5, drivers/infiniband/hw/mlx5", "mlx5_core 0000:41:00.0: mlx5_create_lag:360:(pid 300): Failed to create LAG (-22)", "kernel", NO_STATUS, 0, NULL, "to make the card's", "prints it", "bonding that the card", "bond-mode" },
    { "Linux drivers/net/ethernet/mellanox/mlx5, drivers/infiniband/hw/mlx5", "infiniband mlx5_0: mlx5r_umr_post_send_wait:361:(pid 300): reg umr failed (6). Trying to recover and resubmit the flushed WQEs", "kernel", NO_STATUS, 0, NULL, "queue pair, by which", "prints it", "don't fit each other:", "firmware-version" },
    { "Linux drivers/net/ethernet/mellanox/mlx5, drivers/infiniband/hw/mlx5", "mlx5_core 0000:5e:00.0: probe_one:1510:(pid 1): mlx5_init_one failed with error code -110", "kernel", NO_STATUS, ETIMEDOUT, NULL, "doesn't start: the driver", "prints it", "update it, and keep", "devlink-health" },
    { "Linux drivers/net/ethernet/mellanox/mlx5, drivers/infiniband/hw/mlx5", "mlx5_core 0000:5e:00.0: print_health_info:431:(pid 0): synd 0x8: unrecoverable hardware error", "kernel", NO_STATUS, 0, NULL, "that something in the", "prints it", "update it, and keep", "devlink-health" },
    { "Linux drivers/net/ethernet/mellanox/mlx4", "mlx4_core 0000:03:00.0: Internal error detected:", "kernel", NO_STATUS, 0, NULL, "the card (ConnectX-3 or", "prints it", "update it, and keep", "kernel-log" },
    { "Linux drivers/net/ethernet/mellanox/mlx4", "mlx4_core 0000:03:00.0: command 0x1a timed out (go bit not cleared)", "kernel", NO_STATUS, 0, NULL, "the card (ConnectX-3 or", "prints it", "update it, and keep", "kernel-log" },
    { "Linux drivers/net/ethernet/mellanox/mlx4", "mlx4_core 0000:03:00.0: device is going to be reset", "kernel", NO_STATUS, 0, NULL, "the card (ConnectX-3 or", "prints it", "update it, and keep", "kernel-log" },
    { "Linux drivers/net/ethernet/mellanox/mlx4", "mlx4_en: eth2: Link Down", "kernel", NO_STATUS, 0, NULL, "port lost its link.", "cable, or", "or the switch's port", "port-active" },
    { "Linux drivers/net/ethernet/mellanox/mlx4", "mlx4_core 0000:03:00.0: Failed to initialize queue pair table, aborting", "kernel", NO_STATUS, 0, NULL, "not start this device:", "prints it", "driver's lines before it", "nic-rdma-device" },
    { "Linux drivers/net/ethernet/mellanox/mlx4", "mlx4_core 0000:03:00.0: NOP command failed to generate interrupt (IRQ 60), aborting", "kernel", NO_STATUS, 0, NULL, "not start this device:", "prints it", "driver's lines before it", "nic-rdma-device" },
    { "Linux drivers/net/ethernet/broadcom/bnxt", "bnxt_en 0000:3d:00.0 ens1: TX timeout detected, starting reset task!", "kernel", NO_STATUS, 0, NULL, "stands still. RDMA has", "the switch", "the port on and", "paused" },
    { "Linux drivers/net/ethernet/broadcom/bnxt", "bnxt_en 0000:3d:00.0 ens1: Firmware fatal reset event, data1: 0x2, data2: 0x0, min wait 4000 ms, max wait 10000 ms", "kernel", NO_STATUS, 0, NULL, "answer the driver: until", "prints it", "update it, and keep", "devlink-health" },
    { "Linux drivers/infiniband/hw/irdma", "infiniband irdma0: [Create QP Cmd Error][op_code=1] status=-5 waiting=1 completion_err=1 maj=0xffff min=0x800d", "kernel", NO_STATUS, 0, NULL, "a command of its", "prints it", "asked for isn't acceptable", "kernel-log" },
    { "Linux drivers/infiniband/hw/irdma", "irdma 0000:18:00.0: [Modify QP Cmd Error][op_code=2] status=-5 waiting=1 completion_err=1 maj=0xffff min=0x8015", "kernel", NO_STATUS, 0, NULL, "a command of its", "prints it", "asked for isn't acceptable", "kernel-log" },
    { "Linux drivers/infiniband/hw/irdma", "irdma: probe of ice.roce.0 failed with error -12", "kernel", NO_STATUS, ENOMEM, NULL, "not start this device:", "prints it", "driver's lines before it", "nic-rdma-device" },
    { "Linux drivers/net/ethernet/intel/ice", "ice 0000:18:00.0: The DDP package file was not found or could not be read. Entering Safe Mode", "kernel", NO_STATUS, 0, NULL, "without its package (DDP),", "prints it", "installed, or not in", "nic-rdma-device" },
    { "Linux drivers/infiniband/hw/hns", "hns3 0000:7d:00.0 hns_0: Invalid request local work queue 0x9 error.", "kernel", NO_STATUS, 0, NULL, "sent what this queue", "program, or", "that the two ends", NULL },
    { "Linux drivers/infiniband/hw/hns", "hns3 0000:7d:00.0 hns_0: Local access violation work queue 0x9 error, sub_event type is: 2", "kernel", NO_STATUS, 0, NULL, "asked for memory here", "end's program", "freed or deregistered too", NULL },
    { "Linux drivers/infiniband/hw/hns", "hns3 0000:7d:00.0 hns_0: failed to set gid, ret = -5!", "kernel", NO_STATUS, EIO, NULL, "not write a GID:", "prints it", "its firmware refused it,", "gid-address" },
    { "Linux drivers/infiniband/hw/efa", "efa 0000:10:00.0: Failed to process command CREATE_QP (opcode 1) comp_status 6 err -12", "kernel", NO_STATUS, ENOMEM, NULL, "refused a command of", "prints it", "the device or instance", "kernel-log" },
    { "Linux drivers/infiniband/hw/efa", "infiniband rdmap16s0: Failed to process command REG_MR (opcode 7) err -12", "kernel", NO_STATUS, ENOMEM, NULL, "refused a command of", "prints it", "the device or instance", "kernel-log" },
    { "Linux drivers/infiniband/hw/qedr", "qedr0: Error: POLL CQ with RDMA_CQE_REQ_STS_TRANSPORT_RETRY_CNT_ERR. CQ icid=0x0, QP icid=0x2", "kernel", 12, 0, NULL, "acknowledged nothing, however often", "prints it", "address or link went", "port-active" },
    { "Linux drivers/net/ethernet/microsoft/mana", "mana 7870:00:00.0: HWC: Failed hw_channel req: 0x80000005", "kernel", NO_STATUS, 0, NULL, "refused a request of", "machine's host", "RDMA, that this virtual", "nic-rdma-device" },
    { "Linux drivers/infiniband/core, ulp/ipoib", "ib0: multicast join failed for ff12:401b:ffff:0000:0000:0000:ffff:ffff, status -22", "kernel", NO_STATUS, 0, NULL, "join a multicast group:", "subnet manager", "manager answers (-11, -110)", "subnet-manager" },
    { "Linux drivers/infiniband/core, ulp/ipoib", "ib0: sendonly multicast join failed for ff12:601b:ffff:0000:0000:0000:0000:0016, status -110", "kernel", NO_STATUS, 0, NULL, "join a multicast group:", "subnet manager", "manager answers (-11, -110)", "subnet-manager" },
    { "Linux drivers/infiniband/core, ulp/ipoib", "ib0: transmit timeout: latency 1200 msecs", "kernel", NO_STATUS, 0, NULL, "IPoIB's sending stands still.", "the fabric", "or is being reset:", "port-active" },
    { "Linux drivers/infiniband/core, ulp/ipoib", "ib_core: uverbs_write: process 1234 (python3) changed security contexts after opening file descriptor, this is not allowed.", "kernel", NO_STATUS, 0, NULL, "an RDMA device, then", "the program", "rights, or runs another", NULL },
    { "Linux drivers/net/ethernet/mellanox/mlx5/core/main.c", "mlx5_core 0000:17:00.0: mlx5_pci_err_detected Device state = 1 pci_status: 0. Enter, pci channel state = 2", "kernel", NO_STATUS, 0, NULL, "error, and the kernel", "its slot", "slot with a bad", "pcie-aer" },
    { "DPDK drivers/net/mlx5, mlx4", "net_mlx5: no Verbs device matches PCI device 0000:3b:00.0, are kernel drivers loaded?", "DPDK", NO_STATUS, 0, NULL, "finds no RDMA device", "prints it", "bound to vfio-pci, or", "nic-rdma-device" },
    { "DPDK drivers/net/mlx5, mlx4", "PMD: net_mlx4: cannot access device, is mlx4_ib loaded?", "DPDK", NO_STATUS, 0, NULL, "the kernel's driver, and", "prints it", "driver isn't loaded: modprobe", "nic-rdma-device" },
    { "DPDK drivers/net/mlx5, mlx4", "mlx5_net: cannot access device, is mlx5_ib loaded?", "DPDK", NO_STATUS, 0, NULL, "the kernel's driver, and", "prints it", "driver isn't loaded: modprobe", "nic-rdma-device" },
    { "SPDK lib/nvmf/rdma.c", "nvmf_rdma_listen: *ERROR*: rdma_bind_addr() failed", NULL, NO_STATUS, 0, NULL, "the local address that", "prints it", "netdev has it (No", "gid-address" },
    { "Ceph src/msg/async/rdma", "Infiniband binding_port  port not found", "Ceph", NO_STATUS, 0, NULL, "ACTIVE port on the", "prints it", "down: cable, switch, netdev", "port-active" },
    { "Kubernetes scheduler, rdma-cni", "Warning  FailedScheduling  0/3 nodes are available: 3 Insufficient rdma/hca_shared_devices_a. preemption: 0/3 nodes are available", "Kubernetes", NO_STATUS, 0, NULL, "as many of this", "their device", "them, or the resource's", NULL },
    { "Kubernetes scheduler, rdma-cni", "Warning  FailedScheduling  0/3 nodes are available: 3 Insufficient vpc.amazonaws.com/efa.", "Kubernetes", NO_STATUS, 0, NULL, "as many EFA devices", "their device", "them, or the instance", NULL },
    { "Kubernetes scheduler, rdma-cni", "Failed to create pod sandbox: plugin type=\"rdma\" failed (add): failed to move RDMA device mlx5_2 to namespace. invalid argument", "rdma-cni", NO_STATUS, 0, NULL, "could not be given", "the node", "shared mode there: rdma", "rdma-namespace-mode" },
    { "rdma-core infiniband-diags, libibmad", "ibwarn: [1234] mad_rpc_open_port: can't open UMAD port ((null):0)", "infiniband-diags", NO_STATUS, 0, NULL, "to InfiniBand's management (MADs),", "prints it", "are RoCE: roce, rping,", "umad-node" },
    { "rdma-core infiniband-diags, libibmad", "ibping: iberror: failed: Failed to open (null) port 0", "infiniband-diags", NO_STATUS, 0, NULL, "to InfiniBand's management (MADs),", "prints it", "are RoCE: roce, rping,", "umad-node" },
    { "rdma-core infiniband-diags, libibmad", "ibwarn: [2345] _do_madrpc: recv failed: Connection timed out", "infiniband-diags", NO_STATUS, 0, NULL, "InfiniBand's management wasn't answered.", "the fabric", "was asked went away,", "subnet-manager" },
    { "rdma-core infiniband-diags, libibmad", "ibwarn: [2345] mad_rpc: _do_madrpc failed; dport (Lid 5)", "infiniband-diags", NO_STATUS, 0, NULL, "a question of InfiniBand's", NULL, "the line before it", NULL },
    { "rdma-core infiniband-diags, libibmad", "src/ibnetdisc.c:784; can't open MAD port ((null):0)", "infiniband-diags", NO_STATUS, 0, NULL, "to InfiniBand's management (MADs),", "prints it", "are RoCE: roce, rping,", "umad-node" },
    { "rdma-core infiniband-diags, libibmad", "ibpanic: [28] main: can't list IB device names", "ibstat", NO_STATUS, 0, NULL, "no RDMA device here.", "prints it", "wasn't given the devices:", "rdma-device" },
    { "DeepEP csrc", "RuntimeError: DeepEP error: timeout (dispatch CPU)", "DeepEP", NO_STATUS, 0, NULL, "DeepEP waited in vain", "one whose", "hangs, or is late:", "gid-index" },
    { "DeepEP csrc", "DeepEP timeout check failed: rank = 0, thread = 0, value = 0)", "DeepEP", NO_STATUS, 0, NULL, "DeepEP waited in vain", "one whose", "hangs, or is late", NULL },
    { "NVSHMEM src/modules/transport", "/nvshmem/src/modules/transport/ibrc/ibrc.cpp:420: NULL value mem registration failed", "NVSHMEM", NO_STATUS, 0, NULL, "not be registered with", "prints it", "dma-buf to register it:", "gdr-peer-memory" },
    { "NVSHMEM src/modules/transport", "WARN: init failed for remote transport: ibrc", "NVSHMEM", NO_STATUS, 0, NULL, "this transport to other", "prints it", "the lines before it", "rdma-device" },
    { "Mooncake topology.cpp", "W0828 topology.cpp:156] No RDMA devices found, check your device installation", "Mooncake", NO_STATUS, 0, NULL, "no RDMA device here.", "prints it", "wasn't given the devices:", "rdma-device" },
    { "SGLang disaggregation", "KVTransferError(bootstrap_room=12): Failed to send kv chunk of 12 to 10.0.0.2:39223", "SGLang", NO_STATUS, 0, NULL, "a request's data between", "either instance", "Mooncake or UCX before", "port-active" },
    { "a public page on SPDK", "[18328.544917] HG@: rdma connection establishment failed (-104)", "kernel", NO_STATUS, ECONNRESET, NULL, "found no way to", "or the", "it: the target turned", "gid-address" },
    { "a public page on SPDK", "failed to add controller, error failed to write to nvme-fabrics device", "nvme-cli", NO_STATUS, 0, NULL, "not connect to the", NULL, "lines say: 'Connect rejected',", "kernel-log" },
    { "a cloud's help page on NVIDIA's operator", "Storage modules are loaded for current driver, terminating prior driver reload failure due to UNLOAD_STORAGE_MODULES not set to \"true\"", "Network Operator", NO_STATUS, 0, NULL, "pod (DOCA, MLNX_OFED) doesn't", "the node", "module of NFS over", "service-module" },
    { "deepseek-ai/DeepEP#17", "/root/nvshmem_src/src/modules/transport/ibgda/ibgda.cpp:3005: non-zero status: 7 ibgda_rc_init2rtr failed on RC #0.", "NVSHMEM", NO_STATUS, 0, NULL, "which has the reason.", "prints it", "it: INIT2RTR_QP, or ibv_modify_qp", NULL },
    { "deepseek-ai/DeepEP#223", "/sgl-workspace/nvshmem/src/host/init/init.cu:998: non-zero status: 7 building transport map failed", "NVSHMEM", NO_STATUS, 0, NULL, "which has the reason.", "one whose", "the lines before it", NULL },
    { "deepseek-ai/DeepEP#223", "/sgl-workspace/nvshmem/src/host/init/init.cu:nvshmemi_check_state_and_init:1080: nvshmem initialization failed, exiting", "NVSHMEM", NO_STATUS, 0, NULL, "which has the reason.", "one whose", "the lines before it", NULL },
    { "k8snetworkplumbingwg/ib-sriov-cni#66", "error adding container to network \"sriov-network\": infiniBand SRI-OV CNI failed to configure VF \"VF ib4 GUID is not valid\"", "ib-sriov-cni", NO_STATUS, 0, NULL, "function has no GUID,", "the node", "ib-kubernetes with the subnet", "vf-guid" },
    { "Mellanox/k8s-rdma-sriov-dev-plugin#27", "0/1 nodes are available: 1 Insufficient rdma/vhca.", "Kubernetes", NO_STATUS, 0, NULL, "as many of this", "their device", "them, or the resource's", NULL },
    { "spdk/spdk#2322", "[2022-01-12] rdma.c: 956:nvmf_rdma_resize_cq: *ERROR*: iWARP doesn't support CQ resize. Current capacity 4096, required 8192", "SPDK", NO_STATUS, 0, NULL, "completion queue to grow", "prints it", "as Intel's E810 may", NULL },
    { "a patch of intel-wired-lan", "kernel: ice 0000:60:00.0: IRDMA hardware initialization FAILED init_state=4 status=-110", "kernel", NO_STATUS, ETIMEDOUT, NULL, "RDMA doesn't", "prints it", "suspended", "nic-rdma-device" },
    { "a report of i40e", "[ 8675.496921] i40e 0000:3d:00.0: IRDMA hardware initialization FAILED init_state=2 status=-110", "kernel", NO_STATUS, ETIMEDOUT, NULL, "RDMA doesn't", "prints it", "suspended", "nic-rdma-device" },
    { "a patch of intel-wired-lan", "kernel: irdma.gen_2 ice.roce.1: probe with driver irdma.gen_2 failed with error -110", "kernel", NO_STATUS, ETIMEDOUT, NULL, "RDMA doesn't", "prints it", "ice lines before it", "nic-rdma-device" },
    { "deepseek-ai/DeepEP#163", "WARN: cudaHostRegister with IoMemory failed with error=800. We may need to use a fallback path.", "NVSHMEM", NO_STATUS, 0, NULL, "doorbell", "prints it", "PeerMappingOverride", NULL },
    { "deepseek-ai/DeepEP#163", "WARN: ibgda_nic_mem_gpu_map failed. We may need to use the CPU fallback path.", "NVSHMEM", NO_STATUS, 0, NULL, "doorbell", "prints it", "PeerMappingOverride", NULL },
    { "deepseek-ai/DeepEP#163", "WARN: ibgda_alloc_and_map_qp_uar with GPU as handler failed. We may need to enter the CPU fallback path.", "NVSHMEM", NO_STATUS, 0, NULL, "doorbell", "prints it", "PeerMappingOverride", NULL },
    { "deepseek-ai/DeepEP#163", "WARN: GPU cannot map UAR of device mlx5_1. Skipping...", "NVSHMEM", NO_STATUS, 0, NULL, "doorbell", "prints it", "PeerMappingOverride", NULL },
    { "NVIDIA-NeMo/Megatron-Bridge#5050", "WARN: Failed to initialize all selected devices. Perf may be limited.", "NVSHMEM", NO_STATUS, 0, NULL, "fewer NICs", "prints it", "before it", NULL },
    { "linux, rxe_comp.c", "rxe0: qp#17 do_complete: non-flush error status = 10", "kernel", IBV_WC_REM_ACCESS_ERR, 0, NULL, "refused access", NULL, NULL, NULL },
    { "linux, efa_com.c", "efa 0000:10:1b.0 efa_0: Wait for completion (polling) timeout", "kernel", NO_STATUS, 0, NULL, "didn't answer", "virtual machine", "provider", "kernel-log" },
    { "linux, erdma_cmdq.c", "erdma 0000:00:05.0 erdma_0: Wait for completion (polling) timeout", "kernel", NO_STATUS, 0, NULL, "didn't answer", "virtual machine", "provider", "kernel-log" },
    { "a public log of DPDK", "mlx5_common: Verbs device not found: 0000:02:00.0", "DPDK", NO_STATUS, 0, NULL, "no RDMA device of", "prints it", "vfio-pci", "nic-rdma-device" },
    { "a public list of errors", "RuntimeError: NCCL communicator was aborted on rank 0.", "PyTorch", NO_STATUS, 0, NULL, "and what stands behind", "one whose", "that didn't end in", NULL },
    { "PeterSuh-Q3/tinycore-redpill#9", "mlx5_core 0000:03:00.0: 0000:03:00.0:handle_hca_cap:438:(pid 6016): log_max_qp value in current profile is 18, changing it to HCA capability limit (17)", "kernel", NO_STATUS, 0, NULL, "fewer queue pairs than", NULL, NULL, NULL },
    { "a public note on clusters", "[0] misc/socket.cc:533 NCCL WARN socketPollConnect: Connect to fd00::1d<40861> returned 113(No route to host) errno 11(Resource temporarily unavailable)", "NCCL", NO_STATUS, EHOSTUNREACH, NULL, "over which ranks meet,", "or the", "netdev that has no", "nccl-socket-ifname" },
    { "NCCL src/misc/socket.cc, of public notes on clusters", "socketPollConnect: connect to 10.8.0.5<18001> returned Connection timed out", "NCCL", NO_STATUS, ETIMEDOUT, NULL, "over which ranks meet,", "or the", "netdev that has no", "nccl-socket-ifname" },
    { "NCCL src/misc/socket.cc, of public notes on clusters", "NCCL WARN socketPollConnect poll() returned 1, no POLLOUT events", "NCCL", NO_STATUS, ETIMEDOUT, NULL, "over which ranks meet,", "or the", "netdev that has no", "nccl-socket-ifname" },
    { "a public log of UCX", "[1701292112.836497] [n1:162239:0]          ucp_ep.c:1508 UCX  DIAG  ep 0x7f1e: error 'Input/output error' on rc_mlx5/mlx5_0:1 will not be handled since no error callback is installed", "UCX", NO_STATUS, 0, NULL, "which has the reason;", "prints it", "beside it, with 'synd'", NULL },
    { "a public log of UCX", "[n1:162239:0:162239] ib_mlx5_log.c:177  Local protection on mlx5_0:1/IB (synd 0x4 vend 0x51 hw_synd 0/2)", "UCX", 4, 0, NULL, "not reach the memory", "prints it", "of a bridge between", "pcie-acs" },
    { "Linux drivers/infiniband/core/cm.c", "cm_destroy_id_wait_timeout: cm_id=00000000 timed out. state 2 -> 0, refcnt=1", "kernel", NO_STATUS, 0, NULL, "waits for a connection", "prints it", "device hangs", "kernel-log" },
    { "Linux drivers/infiniband/core/verbs.c", "rpcrdma: enabling unsafe global rkey", "kernel", NO_STATUS, 0, NULL, "No fault of the network", NULL, NULL, NULL },
    { "Linux drivers/nvme/host/fabrics.c", "nvme_fabrics: no handler found for transport rdma.", "kernel", NO_STATUS, 0, NULL, "module isn't loaded", "prints it", "modprobe nvme_rdma", "service-module" },
    { "nvme-cli", "Failed to open /dev/nvme-fabrics: No such file or directory", "nvme-cli", NO_STATUS, 0, NULL, "isn't there", "prints it", "modprobe nvme_rdma", "service-module" },
    { "nvme-cli", "Failed to write to /dev/nvme-fabrics: Operation already in progress", "nvme-cli", NO_STATUS, EALREADY, NULL, "No fault", NULL, NULL, NULL },
    { "nvme-cli", "Failed to write to /dev/nvme-fabrics: Input/output error", "nvme-cli", NO_STATUS, EIO, NULL, "refused the host", "target", "NQN isn't allowed", NULL },
    { "nvme-cli", "Failed to write to /dev/nvme-fabrics: No such device", "nvme-cli", NO_STATUS, ENODEV, NULL, "No RDMA device of this host", "prints it", "without an RDMA device", "gid-route" },
    { "nvme-cli", "Failed to write to /dev/nvme-fabrics: Cannot assign requested address", "nvme-cli", NO_STATUS, EADDRNOTAVAIL, NULL, "--host-traddr", "prints it", "lost its address", "gid-address" },
    { "nvme-cli", "Failed to write to /dev/nvme-fabrics: Connection timed out", "nvme-cli", NO_STATUS, ETIMEDOUT, NULL, "didn't answer", "other end", "4791", "port-active" },
    { "Linux drivers/nvme/target/rdma.c", "nvmet_rdma: listening to 10.0.0.9:4420 failed (-98)", "kernel", NO_STATUS, EADDRINUSE, NULL, "can't listen by RDMA", "prints it", "another's already", "target-address" },
    { "Linux drivers/infiniband/ulp/srp", "scsi host7:   REJ reason: stale connection", "kernel", NO_STATUS, 0, NULL, "turned the login down", "its target", "stale connection", NULL },
    { "Linux drivers/infiniband/ulp/srp", "scsi host7: ib_srp: SRP LOGIN from fe80::1 to fe80::2 REJECTED, reason 0x00010006", "kernel", NO_STATUS, 0, NULL, "refused the login", "its target", "isn't allowed", NULL },
    { "Linux drivers/infiniband/ulp/srpt", "ib_srpt: rejected SRP_LOGIN_REQ because creating a new RDMA channel failed.", "kernel", NO_STATUS, 0, NULL, "refused an initiator's login", "prints it", NULL, NULL },
    { "Linux drivers/infiniband/ulp/srp", "scsi host7: ib_srp: Path record query failed: sgid fe80::1", "kernel", NO_STATUS, 0, NULL, "no path to its target", "fabric", "subnet manager", "subnet-manager" },
    { "Linux drivers/infiniband/ulp/iser", "iser: iser_connect: rdma_resolve_addr failed: -101", "kernel", NO_STATUS, ENETUNREACH, NULL, "could not look for its target", "routes", "without an RDMA device", "gid-route" },
    { "Linux drivers/infiniband/ulp/iser", "iser: iser_route_handler: failure connecting: -110", "kernel", NO_STATUS, ETIMEDOUT, NULL, "could not connect to its target", "other end", "no iSER", "firewall-4791" },
    { "Linux drivers/infiniband/ulp/isert", "isert: isert_setup_id: rdma_bind_addr() failed: -19", "kernel", NO_STATUS, ENODEV, NULL, "can't listen by RDMA", "prints it", "RDMA device's netdev", "target-address" },
    { "Linux drivers/infiniband/ulp/iser", "iser: iser_qp_event_callback: qp event QP fatal error (1)", "kernel", NO_STATUS, 0, NULL, "besides its completions", NULL, "bad completion", "kernel-log" },
    { "Linux net/rds", "RDS/RDMA: conn <10.0.0.1, 10.0.0.2> rejected, dropping connection", "kernel", NO_STATUS, 0, NULL, "turned the connection down", "other node", "rds_rdma", NULL },
    { "Linux net/rds", "RDS/RDMA: failed to setup listener, rdma_bind_addr() failed: -98", "kernel", NO_STATUS, EADDRINUSE, NULL, "can't take connections", "prints it", "18634", "rdma-cm-module" },
    { "Linux fs/smb/client/smbdirect.c", "CIFS: VFS: _smbd_get_connection:1679 rdma_connect failed port=445", "kernel", NO_STATUS, 0, NULL, "by RDMA", "other end", "no SMB Direct", "firewall-4791" },
    { "Linux fs/smb/client/smbdirect.c", "CIFS: VFS: smbd_ia_open:674 Fast Registration Work Requests (FRWR) is not supported", "kernel", NO_STATUS, 0, NULL, "kind of registration", "prints it", NULL, NULL },
    { "Linux fs/smb/server/transport_rdma.c", "ksmbd: smb_direct: Can't create RDMA QP: -12", "kernel", NO_STATUS, 0, NULL, "client's connection", "prints it", "queue pair of that size", "kernel-log" },
    { "Linux net/sunrpc/xprtrdma", "Listener dead, address change failed for device mlx5_0", "kernel", NO_STATUS, 0, NULL, "no longer listens", "prints it", "nfs-server", "nfs-rdma-listener" },
    { "Linux drivers/net/ethernet/mellanox/mlx5/core/lag", "mlx5_core 0000:41:00.0: mlx5_activate_lag:688:(pid 9): Failed to activate RoCE LAG", "kernel", NO_STATUS, 0, NULL, "each port stays by itself", "prints it", "802.3ad", "bond-mode" },
    { "Linux drivers/net/ethernet/mellanox/mlx5/core/lag", "mlx5_core 0000:41:00.0: mlx5_cmd_modify_lag:491:(pid 9): Failed to modify LAG (-5)", "kernel", NO_STATUS, 0, NULL, "bond's other port", "prints it", "firmware", "bond-members" },
    { "Linux drivers/net/ethernet/broadcom/bnxt", "bnxt_en 0000:3d:00.0 ens1: Firmware non-fatal reset event, data1: 0x1, data2: 0x0, min wait 4000 ms, max wait 10000 ms", "kernel", NO_STATUS, 0, NULL, "some seconds", "prints it", "update", "devlink-health" },
    { "Linux drivers/infiniband/hw/bnxt_re/qplib_rcfw.c", "bnxt_en 0000:3d:00.0: cmdq[0x24]=0x11 status 0x1", "kernel", NO_STATUS, 0, NULL, "refused a command of the RDMA driver", "prints it", "acceptable", "firmware-version" },
    { "Linux drivers/infiniband/hw/bnxt_re/qplib_sp.c", "bnxt_en 0000:3d:00.0: SGID table is full", "kernel", NO_STATUS, 0, NULL, "GID table is full", "prints it", "macvlans", "gid-table-full" },
    { "Linux drivers/infiniband/hw/irdma/main.c", "irdma 0000:4b:00.0 rocep75s0: critical PE Error, GLPE_CRITERR=0x00000001", "kernel", NO_STATUS, 0, NULL, "is reset", "prints it", "update both", "devlink-health" },
    { "Linux drivers/infiniband/hw/irdma/main.c", "infiniband rocep75s0: MTU setting [500] too low for RDMA traffic. Minimum MTU is 576 for IPv4", "kernel", NO_STATUS, 0, NULL, "too small for RDMA", "prints it", "mtu 1500", "netdev-mtu" },
    { "Linux drivers/infiniband/hw/efa/efa_com.c", "efa 0000:10:00.0 rdmap16s0: The device didn't send any completion for admin cmd CREATE_QP(1) status 0", "kernel", NO_STATUS, 0, NULL, "didn't answer its driver", "host", "reset", "kernel-log" },
    { "Linux drivers/infiniband/hw/qedr", "qedr0: Error: POLL CQ with RDMA_CQE_REQ_STS_RNR_NAK_RETRY_CNT_ERR. CQ icid=0x0, QP icid=0x2", "kernel", 13, 0, NULL, "ready", NULL, NULL, NULL },
    { "Linux drivers/net/ethernet/intel/ice", "ice 0000:18:00.0: The DDP Package could not be loaded because its security revision is too low.  Please use an updated DDP Package.  Entering Safe Mode.", "kernel", NO_STATUS, 0, NULL, "RDMA isn't there", "prints it", "initramfs", "nic-rdma-device" },
    { "NCCL src/transport/net_ib", "NCCL WARN NET/IB: Fatal error. Detected 2 failed devices out of 2 devices on the send communicator", "NCCL", NO_STATUS, 0, NULL, "lost every port", "any rank", "went down", "port-active" },
    { "NCCL src/transport/net_ib", "NCCL WARN NET/IB: Device 1 marked as failed. Initiating recovery? yes", "NCCL", NO_STATUS, 0, NULL, "lost a port", "this host's port", "link went down", "link-flaps" },
    { "NCCL src/transport/net_ib", "NCCL WARN NET/IB : Remote mlx5_0 device is incompatible with the local [0]mlx5_1:1/RoCE. Try selecting NICs of only one link layer", "NCCL", NO_STATUS, 0, NULL, "different kinds", "NCCL_IB_HCA", "storage", "nccl-ib-hca" },
    { "NCCL src/transport/net_ib", "NCCL WARN NET/IB : Attempted to merge incompatible devices: [0]mlx5_0:1/IB and [1]mlx5_1:1/RoCE.", "NCCL", NO_STATUS, 0, NULL, "use as one", "prints it", "NCCL_NET_FORCE_MERGE", "nccl-ib-hca" },
    { "NCCL src/transport/net_ib", "NCCL INFO NET/IB : Failed to open mlx5dv symbols. Advance features like CX-8 Direct-NIC will be disabled.", "NCCL", NO_STATUS, 0, NULL, "No fault", NULL, NULL, NULL },
    { "UCX src/uct/ib/base", "ib_device.c:1199 UCX  ERROR failed to find a gid which matches/unmatches the following subnets: 10.9.0.0/16", "UCX", NO_STATUS, 0, NULL, "lies in the subnets", "prints it", "UCX_IB_ROCE_SUBNETS", "gid-address" },
    { "UCX src/uct/ib/base", "ib_iface.c:1440 UCX  ERROR both GID_INDEX and ROCE_SUBNET_LIST are specified, please specify only one", "UCX", NO_STATUS, 0, NULL, "in two ways", "prints it", "unset the index", "ucx-gid-index" },
    { "UCX src/uct/ib/base", "ib_iface.c:1207 UCX  ERROR there is no valid pkey to use on mlx5_0:1/IB", "UCX", NO_STATUS, 0, NULL, "No P_Key", "prints it", "limited membership", "pkey-full-member" },
    { "UCX src/uct/ib/base", "ib_iface.c:1210 UCX  ERROR unable to find specified pkey 0x8001 on mlx5_0:1/RoCE", "UCX", NO_STATUS, 0, NULL, "UCX_IB_PKEY", "prints it", "another cluster", "pkey-asked" },
    { "UCX src/uct/ib/base", "ib_iface.c:1796 UCX  ERROR ibv_create_comp_channel() failed: Too many open files", "UCX", NO_STATUS, 0, NULL, "file descriptor", "prints it", "ulimit -n", NULL },
    { "UCX src/ucp/wireup", "wireup_cm.c:598 UCX  DIAG  client ep 0x7f connect to 10.0.0.2:13337 failed: device eth0 is not enabled, enable it in UCX_NET_DEVICES or use corresponding ip address", "UCX", NO_STATUS, 0, NULL, "may not use", "prints it", "leaves that device out", "ucx-net-devices" },
    { "UCX src/ucp", "ucp_ep.c:1662 UCX  DIAG  ep 0x7f2f: error 'Endpoint timeout' on rc_mlx5/mlx5_0:1 will not be handled since no error callback is installed", "UCX", NO_STATUS, 0, NULL, "nothing in time", "other end", "went away", "transport-retries" },
    { "perftest src", "Unable to connect (retries = 10)", "perftest", NO_STATUS, 0, NULL, "RDMA_CM made no connection", "other end", "without -R", "firewall-4791" },
    { "perftest src", "Completion with error at client  Failed status 4: wr_id 0 syndrom 0x51", "perftest", 4, 0, NULL, "could not reach the memory", "prints it", "ACS", "pcie-acs" },
    { "rdma-core librdmacm/examples/rping.c", "wait for RDMA_WRITE_ADV state 10", "rping", NO_STATUS, 0, NULL, "broke off", NULL, "before", NULL },
    { "ld.so(8)", "ib_write_bw: error while loading shared libraries: libibverbs.so.1: cannot open shared object file: No such file or directory", NULL, NO_STATUS, 0, NULL, "isn't installed here", "prints it", "ibverbs-providers", "verbs-provider" },
    { "Ceph src/msg/async/rdma", "Infiniband Device open rdma device failed. (13) Permission denied", "Ceph", NO_STATUS, EACCES, NULL, "could not be opened", "prints it", "ceph-osd", "uverbs-node" },
    { "rdma-core infiniband-diags", "ibping: iberror: failed: Failed to open 'mlx5_0' port '1'", "infiniband-diags", NO_STATUS, 0, NULL, "RoCE ports have none", "prints it", "all ports here are RoCE", "umad-node" },
    { "Open MPI pml/ucx", "[n1:29358] pml_ucx.c:668 Error: Failed to get ep for rank 310", "Open MPI", NO_STATUS, 0, NULL, "UCX' own before it", NULL, "before", NULL },
    { "linux-rdma/perftest#295, its title", " Failed status 12", "perftest", 12, 0, NULL, "acknowledged nothing", "sent", "peer's process", NULL },
    { "InfiniBand specification, 9.7.5: remote operational error", "NET/IB : Got completion from peer 10.0.0.2<1234> with status=11 opcode=0 len=0 vendor err 137 (Send)", "NCCL", 11, 0, NULL, "could not carry out", "its log", "registered memory", NULL },
    { "Mooncake transfer engine", "E0603 rdma_context.cpp:525] No matched device found: mlx5_9", "Mooncake", NO_STATUS, 0, NULL, "told to use is here", "prints it", "wasn't given the devices", "rdma-device" },
    { "open-mpi/ompi#9881", "ib_device.c:1319 UCX ERROR ibv_create_ah(dlid=49152 sl=0 port=1 src_path_bits=0 dgid=::ffff:10.17.2.1 sgid_index=1 traffic_class=106) on rocep33s0f1 failed: Invalid argument", "UCX", NO_STATUS, EINVAL, NULL, "go together", "this host's port", "without an address", "ucx-net-devices" },
    { "spdk/spdk#1704", "rdma_verbs.c: 119:spdk_rdma_qp_disconnect: *ERROR*: rdma_disconnect failed, errno Invalid argument (22)", "SPDK", NO_STATUS, 0, NULL, "No fault", NULL, NULL, NULL },
    { "spdk/spdk#640", "rdma.c: 496:spdk_nvmf_rdma_update_ibv_state: *ERROR*: QP#0: bad state updated: 192, maybe hardware issue", "SPDK", NO_STATUS, 0, NULL, "Seldom the hardware", "prints it", "old SPDK", NULL },
    { "spdk/spdk#640", "rdma.c: 578:spdk_nvmf_rdma_set_ibv_state: *ERROR*: QP#1: expected state: IBV_QPS_ERR, actual state: IBV_QPS_RESET", "SPDK", NO_STATUS, 0, NULL, "destroyed already", "prints it", "old SPDK", NULL },
    { "spdk/spdk#1387", "rdma.c:3868:spdk_nvmf_rdma_poller_poll: *ERROR*: Error on CQ 0x183b300, request 0x25446792, type 0, status: (5): Work Request Flushed Error", "SPDK", 5, 0, NULL, "no fault", "consequence", NULL, NULL },
    { "spdk/spdk#1087", "nvme_rdma.c: 805:nvme_rdma_connect: *ERROR*: RDMA connect error", "SPDK", NO_STATUS, 0, NULL, "another line", "prints it", "before", NULL },
    { "spdk/spdk#1087", "nvme_rdma.c:1035:nvme_rdma_qpair_connect: *ERROR*: Unable to connect the rqpair", "SPDK", NO_STATUS, 0, NULL, "another line", "prints it", "before", NULL },
    { "spdk/spdk#1087", "nvme_rdma.c:1666:nvme_rdma_ctrlr_construct: *ERROR*: failed to create admin qpair", "SPDK", NO_STATUS, 0, NULL, "another line", "prints it", "before", NULL },
    { "spdk/spdk#1087", "spdk_nvme_probe() failed for transport address '10.1.7.3'", "SPDK", NO_STATUS, 0, NULL, "another line", "prints it", "before", NULL },
    { "SoftRoCE/rxe-dev#27", "rdma_bind_addr: No such file or directory", "librdmacm", NO_STATUS, ENOENT, NULL, "can't be used", "prints it", "modprobe rdma_ucm", "rdma-ucm-module" },
    { "perror(3)", "rdma_bind_addr: Address already in use", "librdmacm", NO_STATUS, EADDRINUSE, NULL, "local address", "prints it", "another program listens", NULL },
    { "a program of one's own", "rdma_bind_addr failed: errno 98", NULL, NO_STATUS, EADDRINUSE, NULL, "local address", NULL, "another program listens", "gid-address" },
    { "kvcache-ai/Mooncake#3299", "[Wed Jul 29 14:40:27 2026] mlx5_bond_3/1: QP 4711 error: local length error (0x8e 0x0 0x0)", "kernel", 1, 0, NULL, "error state", "either", "MC_MTU", "active-mtu" },
    { "kernel.org bug 219453", "[    5.5] bnxt_en 0000:83:00.0 bnxt_re1: Failed to register fence-MR", "kernel", NO_STATUS, 0, NULL, "could not do", "prints it", "firmware didn't answer", "firmware-version" },
    { "kernel.org bug 219453", "[    5.5] infiniband bnxt_re1: Couldn't create ib_mad CQ", "kernel", NO_STATUS, 0, NULL, "could not set the device up", "prints it", "firmware", "kernel-log" },
    { "netdev list, bnxt_en's TX timeout in 5.4", "[17883.1] bnxt_en 0000:02:09.0 s1p2: Resp cmpl intr err msg: 0x51", "kernel", NO_STATUS, 0, NULL, "didn't answer it", "prints it", "TX timeout", "devlink-health" },
    { "netdev list, bnxt_en's TX timeout in 5.4", "[17883.1] bnxt_en 0000:02:09.0 s1p2: hwrm_ring_free type 1 failed. rc:fffffff0 err:0", "kernel", NO_STATUS, 0, NULL, "refused a command", "prints it", "firmware hangs", "firmware-version" },
    { "netdev list, bnxt_en in a guest", "[    2.6] bnxt_en 0000:00:04.0 (unnamed net_device) (uninitialized): Unable do read adapter's DSN", "kernel", NO_STATUS, 0, NULL, "serial number", "virtual machine's host", "q35", "nic-rdma-device" },
    { "linux-rdma list, cma's destination address", "[ 1207.7] infiniband rocep9s0f1: Fatal error (1) on MAD QP (1)", "kernel", NO_STATUS, 0, NULL, "for management broke", "prints it", "abnormal ae_id", "kernel-log" },
    { "linux-rdma list, SET_ROCE_ADDRESS of a ConnectX-6", "[    9.9] mlx5_core 0000:02:00.0: mlx5_cmd_out_err:803:(pid 144): SET_ROCE_ADDRESS(0x761) op_mod(0x0) failed, status bad parameter(0x3), syndrome (0x63c66), err(-22)", "kernel", NO_STATUS, EINVAL, NULL, "refused to write a GID", "prints it", "multicast MAC", "gid-address" },
    { "linux-rdma list, SET_ROCE_ADDRESS of a ConnectX-6", "[    9.9] infiniband mlx5_4: add_roce_gid GID add failed port=1 index=0", "kernel", NO_STATUS, 0, NULL, "didn't take a GID", "prints it", "firmware refused it", "gid-table" },
    { "linux-rdma list, interrupts of functions by AMD-Vi", "[  230.7] mlx5_core 0000:00:03.0: mlx5_cmd_eq_recover:247:(pid 312): Recovered 1 EQEs on cmd_eq", "kernel", NO_STATUS, 0, NULL, "interrupt got lost", "prints it", "interrupt remapping", "kernel-log" },
    { "linux-rdma list, interrupts of functions by AMD-Vi", "[  230.7] mlx5_core 0000:00:03.0: wait_func_handle_exec_timeout:1113:(pid 312): cmd[0]: CREATE_CQ(0x400) recovered after timeout", "kernel", NO_STATUS, 0, NULL, "interrupt got lost", "prints it", "virtual machine", "devlink-health" },
    { "netdev list, devlink's cqe_compress_type", "[  257.1] mlx5_core 0000:57:00.0: wait_func_handle_exec_timeout:1159:(pid 720): cmd[0]: ACCESS_REG(0x805) No done completion", "kernel", NO_STATUS, 0, NULL, "didn't answer a command", "prints it", "firmware failed", "devlink-health" },
    { "linux-rdma list, mlx5_ib beside RDS", "infiniband mlx5_2: mlx5_ib_test_wc:290:(pid 667): Error -28 while trying to test write-combining support", "kernel", NO_STATUS, ENOSPC, NULL, "makes no RDMA device", "prints it", "Failed to request irq", "nic-rdma-device" },
    { "linux-rdma list, mlx5_ib beside RDS", "mlx5_core 0000:06:00.0: mlx5_irq_alloc:293:(pid 667): Failed to request irq. err = -28", "kernel", NO_STATUS, ENOSPC, NULL, "no interrupt", "prints it", "ethtool -L", "kernel-log" },
    { "linux-rdma list, mlx5 on s390", "[  167.3] infiniband mlx5_1: destroy_qp_common:2367:(pid 73): mlx5_ib: modify QP 0x000725 to RESET failed", "kernel", NO_STATUS, 0, NULL, "could not be taken down", "prints it", "no fault", "kernel-log" },
    { "netdev list, mlx5's scalable functions", "[  446.1] mlx5_core 0000:02:00.2: mlx5_cmd_check:782:(pid 432): 2RST_QP(0x50a) op_mod(0x0) failed, status bad resource state(0x9), syndrome (0x7ea02d)", "kernel", NO_STATUS, 0, NULL, "could not be taken down", "prints it", "reloaded", "devlink-health" },
    { "linux-rdma list, isert on Connect-IB", "[  124.3] infiniband mlx5_1: create_qp:2783:(pid 84): Create QP type 2 failed", "kernel", NO_STATUS, 0, NULL, "made no queue pair", "prints it", "roce devices --caps", "kernel-log" },
    { "linux-rdma list, isert on Connect-IB", "[  124.3] isert: isert_create_qp: rdma_create_qp failed for cma_id -12", "kernel", NO_STATUS, ENOMEM, NULL, "login fails", "prints it", "Create QP type", "kernel-log" },
    { "linux-rdma list, isert on Connect-IB", "[  124.4] isert: isert_cma_handler: failed handle connect request -12", "kernel", NO_STATUS, ENOMEM, NULL, "login fails", "prints it", "used up", "kernel-log" },
    { "linux-rdma list, isert by iWARP", "isert: isert_rdma_rw_ctx_post: Cmd: 00000000cb75342b failed to post RDMA res", "kernel", NO_STATUS, 0, NULL, "send queue is full", "prints it", "Chelsio", "kernel-log" },
    { "target-devel list, isert's tags", "[  220.1] isert: isert_allocate_cmd: Unable to allocate iscsit_cmd + isert_cmd", "kernel", NO_STATUS, 0, NULL, "no place left", "prints it", "ABORT_TASK", "kernel-log" },
    { "linux-rdma list, RDMA_CM in switchdev mode", "infiniband mlx5_3: RDMA CMA: cma_listen_on_dev, error -38", "kernel", NO_STATUS, ENOSYS, NULL, "offers no connections", "prints it", "representor", "representor-up" },
    { "linux-rdma list, MADs while a port is opened", "infiniband mlx5_1: ib_post_recv failed: -12", "kernel", NO_STATUS, ENOMEM, NULL, "isn't opened", "prints it", "load the driver", "port-active" },
    { "a vendor's note on SELinux", "kernel: infiniband mlx5_1: Couldn't open port 1 for agents", "kernel", NO_STATUS, 0, NULL, "no management packets", "prints it", "SELinux", "port-active" },
    { "linux-rdma list, hns' CMDQ", "hns3 0000:bd:00.3: CMDQ move tail from 840 to 839", "kernel", NO_STATUS, 0, NULL, "didn't answer its driver", "prints it", "being reset", "devlink-health" },
    { "linux-rdma list, hns' CMDQ", "[ 495.7] hns3 0000:bd:00.3 hns_3: set HEM address to HW failed!", "kernel", NO_STATUS, 0, NULL, "didn't answer its driver", "prints it", "firmware failed", "kernel-log" },
    { "linux-rdma list, libhns' sizes", "[   81.3] hns3 0000:7d:00.1 hns_1: Sanity check sq size failed", "kernel", NO_STATUS, 0, NULL, "refused a queue pair", "prints it", "update rdma-core", "verbs-provider" },
    { "linux-rdma list, nvme/031 by rxe", "rdma_rxe: check_rkey: no MW matches rkey 0x1008748", "soft-RoCE", NO_STATUS, 0, NULL, "isn't valid here", "either", "registered memory", NULL },
    { "linux-rdma list, rxe_umem_get", "Nov  2 17:49:40 n1 kernel: rdma_rxe: err -12 from rxe_umem_get", "soft-RoCE", NO_STATUS, ENOMEM, NULL, "could not be registered", "prints it", NULL, "memlock-limit" },
    { "linux-rdma list, rxe's limits", "[410580.6] rdma_rxe: invalid send wr = -1 > 1048576", "soft-RoCE", NO_STATUS, 0, NULL, "more entries or elements", "this process", "never set", NULL },
    { "linux-nvme list, blktests by qedr", "[   80.9] [qedr_poll_cq_req:3816(qedr1)]Error: POLL CQ with ROCE_CQE_REQ_STS_TRANSPORT_RETRY_CNT_ERR. CQ icid=0x3, QP icid=0x4", "kernel", 12, 0, NULL, "acknowledged nothing", "sent", "peer's process", "port-active" },
    { "linux-cifs list, SMB Direct on a FastLinQ", "[ 1484.3] [qedr_check_qp_attrs:1230(qedr1)]create qp: unsupported send_sge=0x10 requested (max_send_sge=0x4)", "kernel", NO_STATUS, 0, NULL, "more entries or scatter", "prints it", "SMB Direct", NULL },
    { "linux-cifs list, SMB Direct on a FastLinQ", "[ 1484.3] CIFS: VFS: _smbd_get_connection:1602 rdma_create_qp failed -22", "kernel", NO_STATUS, EINVAL, NULL, "could not make its queue pair", "prints it", "mount without rdma", "kernel-log" },
    { "linux-nvme list, nvmet_rdma below XFS", "[ 1693.7] nvmet_rdma: post_recv cmd failed", "kernel", NO_STATUS, 0, NULL, "could not answer a host", "that host", "went away", "port-active" },
    { "linux-nvme list, nvmet_rdma below XFS", "[ 1693.7] nvmet_rdma: sending cmd response failed", "kernel", NO_STATUS, 0, NULL, "could not answer a host", "that host", "bad completion", "transport-retries" },
    { "linux-nvme list, nvme/041", "[ 7033.6] nvmet: connect attempt for invalid controller ID 0x809", "kernel", NO_STATUS, 0, NULL, "hasn't got (any more)", "that host", "keep-alive", "storage-session" },
    { "linux-nvme list, nvme/041", "[ 7033.6] nvme nvme1: Connect Invalid Data Parameter, cntlid: 65535", "kernel", NO_STATUS, 0, NULL, "not the network", "target", "NQN", NULL },
    { "a guide to firedancer", "[Tue Feb 11 15:00:21 2025] ice 0000:09:00.0 enp9s0f0: Cannot change channels when RDMA is active", "kernel", NO_STATUS, 0, NULL, "No fault of RDMA", "prints it", "rmmod irdma", NULL },
    { "a cloud's help page on its accelerators", "[298850.9] efa 0000:a1:1a.0 rdmap161s26: Failed to process command DEREG_MR (opcode 8) comp_status 7 err -22", "kernel", NO_STATUS, EINVAL, NULL, "No fault when a process", "prints it", "accelerator", "kernel-log" },
    { "linux-rdma list, SRP by siw", "[16848.8] scsi host12:   REJ reason 0xffffff98", "kernel", NO_STATUS, 0, NULL, "negative errno", "its target", "next try", NULL },
    { "systemfabricworks.com ib_srp-rej-reason-0x3-and-you", "[  397.2] scsi host12:   REJ reason 0x3", "kernel", NO_STATUS, 0, NULL, "no resources", "its target", "ch_count", NULL },
    { "systemfabricworks.com ib_srp-rej-reason-0x3-and-you", "[  397.2] scsi host12: ib_srp: Connection 0/44 to fe80:0000:0000:0000:0000:0000:0000:0001 failed", "kernel", NO_STATUS, 0, NULL, "wasn't made", "other end", "REJ reason", "port-active" },
    { "linux-rdma list, mlx4's special queue pairs", "[   12.1] <mlx4_ib> create_pv_sqp: Couldn't create special QP (-16)", "kernel", NO_STATUS, EBUSY, NULL, "weren't made", "prints it", "a newer one", "kernel-log" },
    { "a note on virtual functions of ConnectX-3", "[53173.3] mlx4_core 0000:02:00.0: not enough MMIO resources for SR-IOV", "kernel", NO_STATUS, 0, NULL, "address room", "prints it", "above 4G", NULL },
    { "a handbook of Exadata", "n1 kernel: RDS/IB: connection <10.0.0.1,10.0.0.2,7> dropped due to 'send completion error'", "kernel", NO_STATUS, 0, NULL, "lost a connection", "other end", "restarted", "port-active" },
    { "linux-rdma list, siw's empty queues", "siw: [QP 6]: IRQ exceeded or null, size 0", "kernel", NO_STATUS, 0, NULL, "reads more at a time", "other end's program", "responder_resources", NULL },
    { "RROrg/rr#182", "[    3.1] qede 0000:03:00.0: Direct firmware load for qed/qed_init_values_zipped-8.4.2.0.bin failed with error -2", "kernel", NO_STATUS, ENOENT, NULL, "isn't there", "prints it", "linux-firmware", "nic-rdma-device" },
    { "RROrg/rr#182", "[   49.1] qede: probe of 0000:03:00.0 failed with error -11", "kernel", NO_STATUS, EAGAIN, NULL, "could not start this device", "prints it", "before it", "nic-rdma-device" },
    { "linux-rdma list, SRP by siw", "[  109.1] iwpm_register_pid: Unable to send a nlmsg (client = 2)", "kernel", NO_STATUS, 0, NULL, "No fault", "prints it", "iwpmd", NULL },
    { "linux-nvme list, nvme/004 by rxe", "[  273.7] lo speed is unknown, defaulting to 1000", "kernel", NO_STATUS, 0, NULL, "No fault by itself", "prints it", "without link", "port-rate" },
    { "linux-hyperv list, bnxt_en's swiotlb", "[   52.2] bnxt_en 0000:32:00.0: swiotlb buffer is full (sz: 256 bytes), total 0 (slots), used 0 (slots)", "kernel", NO_STATUS, 0, NULL, "which is full", "prints it", "swiotlb=", "iommu-translation" },
    { "pytorch/gloo#340", "gloo/transport/ibverbs/pair.cc:438] wc->status == IBV_WC_SUCCESS. 5 vs 0. Send for slot 0: Work Request Flushed Error", "PyTorch", 5, 0, NULL, "error state", "consequence", "RDMAV_FORK_SAFE", NULL },
    { "facebookarchive/caffe2#1338", "[enforce fail at gloo/transport/ibverbs/pair.cc:462] wc->status == IBV_WC_SUCCESS. 12 vs 0. Memory region send for slot 0: transport retry counter exceeded", "PyTorch", 12, 0, NULL, "acknowledged nothing", "sent", "peer's process", "port-active" },
    { "uccl-project/uccl#293", "F20250821 13:22:09.9 3186 rdma_io.cc:811] Check failed: wc->status == IBV_WC_SUCCESS RC send CQ state error: 12, 0", "UCCL", 12, 0, NULL, "acknowledged nothing", "sent", "peer's process", "port-active" },
    { "openucx/ucx#5291", "[1592334393.7] [n17:10830:0]          ib_md.c:325  UCX  ERROR ibv_exp_reg_mr(address=0xf154620, length=6544, access=0xf) failed: Resource temporarily unavailable", "UCX", NO_STATUS, EAGAIN, NULL, "could not be registered", "prints it", "table is full", "memlock-limit" },
    { "ai-dynamo/nixl#1605", "ib_md.c:282  UCX  ERROR ibv_reg_dmabuf_mr(address=0xfcc99fb00000, length=16384, access=0x10000f) failed: Unknown error 524", "UCX", NO_STATUS, 0, NULL, "'not supported'", "prints it", "doesn't lend", "gdr-peer-memory" },
    { "ai-dynamo/nixl#2204", "ucp_device.c:249  UCX ERROR invalid memh for md_index=5", "UCX", NO_STATUS, 0, NULL, "isn't registered with the NIC", "prints it", "registration failed", "ucx-net-devices" },
    { "openucx/ucx#8637", "[1666022400.1] [n1:4711:0]           ib_md.c:1925 UCX  WARN  ibv_dealloc_pd() failed: Device or resource busy", "UCX", NO_STATUS, 0, NULL, "No fault of the network", "this process", "old UCX", NULL },
    { "uxlfoundation/oneDAL#3741", "[1787147912.5] n1:rank0.prog: Unable to initialize verbs NIC /sys/class/infiniband/mana_1 (unit 1:0)", "MPI", NO_STATUS, 0, NULL, "PSM3", "prints it", "FI_PROVIDER", "rdma-device" },
    { "radical-cybertools/radical.pilot#202", "rdma_iba_hca_init_noqp(679): Attributes failed sanity check", "MVAPICH", NO_STATUS, 0, NULL, "wants more of the device", "prints it", "MV2_", "verbs-abi" },
    { "mercury-hpc/mercury#204", "[0]  # na_ofi_getinfo(): fi_getinfo failed, rc: -61(No data available).", "libfabric", NO_STATUS, ENODATA, NULL, "no provider for what Mercury", "prints it", "fi_info -l", "rdma-device" },
    { "ofiwg/libfabric#12136", "libfabric:4711:1776112406::efa:av:efa_ah_alloc():147<warn> ibv_create_ah failed with EINVAL. Local GID: fe80::1, remote GID: fe80::2. Possible causes: 1) Remote GID is in a different availability zone", "libfabric", NO_STATUS, EINVAL, NULL, "address handle", "either", "availability zone", NULL },
    { "ofiwg/libfabric#8186", "FI_EFA_USE_DEVICE_RDMA=1 was set, but EFA device has no rdma-read capability.", "libfabric", NO_STATUS, 0, NULL, "gives EFA up", "prints it", "unset it", NULL },
    { "ofiwg/libfabric#4291", "libfabric:verbs:fabric:fi_ibv_create_ep():231<info> rdma_create_ep: Invalid argument(22)", "libfabric", NO_STATUS, EINVAL, NULL, "No fault while a provider is found", "prints it", NULL, NULL },
    { "linux-rdma/perftest#280", "Couldn't allocate MR with error=93", "perftest", NO_STATUS, EPROTONOSUPPORT, NULL, "dma-buf", "prints it", "before 5.12", "gdr-peer-memory" },
    { "linux-rdma/perftest#336", "CUDA DMA-BUF cannot be used without CUDA", "perftest", NO_STATUS, 0, NULL, "--use_cuda_dmabuf stands before", "this process", "--use_cuda=N first", NULL },
    { "autotest/tp-libvirt#5720", "internal error: unable to execute QEMU command 'migrate-incoming': RDMA ERROR: could not create rdma event channel", "QEMU", NO_STATUS, 0, NULL, "can't use RDMA_CM", "prints it", "cgroup_device_acl", "rdma-ucm-module" },
    { "spdk/spdk#1682", "nvmf_rpc.c: 642:rpc_nvmf_subsystem_add_listener: *ERROR*: Unable to listen on transport RDMA. The transport must be created first.", "SPDK", NO_STATUS, 0, NULL, "no transport by RDMA", "prints it", "nvmf_create_transport", "rdma-device" },
    { "spdk/spdk#1779", "Transport type 'RDMA' create failed", "SPDK", NO_STATUS, 0, NULL, "could not set up RDMA", "prints it", "huge pages", "uverbs-node" },
    { "spdk/spdk#2328", "[2022-01-17] rdma.c:3769:nvmf_rdma_log_wc_status: *ERROR*: Error on CQ 0x20155b0, (qp state 1 ibv_state 6) request 0x139974757082281, type DATA, status: (12): transport retry counter exceeded", "SPDK", 12, 0, NULL, "got a bad completion", "sent", "peer's process", "port-active" },
    { "spdk/spdk#2604", "nvme_rdma.c:1009:nvme_rdma_resolve_addr: *ERROR*: rdma_resolve_addr, 98", "SPDK", NO_STATUS, EADDRINUSE, NULL, "could not look for", "prints it", "src_svcid", "gid-address" },
    { "spdk/spdk#2356", "nvme_rdma.c: 468:nvme_rdma_qpair_init: *ERROR*: Failed to query RDMA device attributes.", "SPDK", NO_STATUS, 0, NULL, "doesn't answer", "prints it", "restart of the network", "rdma-device" },
    { "Mellanox/network-operator#31", "2020/09/27 12:00:00 non-Rdma Device ens3f0", "k8s-rdma-shared-dev-plugin", NO_STATUS, 0, NULL, "leaves it out", "not the pod", "restart the plugin", "nic-rdma-device" },
    { "k8snetworkplumbingwg/sriov-network-operator#919", "2025-07-23T08:05:46.6Z ERROR daemon/writer.go:142 DiscoverRDMASubsystem(): failed to get RDMA subsystem mode {\"error\": \"protocol not supported\"}", "SR-IOV Network Operator", NO_STATUS, 0, NULL, "could not ask", "not the pod", "ib_core isn't loaded", "rdma-namespace-mode" },
    { "k8snetworkplumbingwg/sriov-network-device-plugin#342", "cmatose: event: RDMA_CM_EVENT_ADDR_ERROR, error: -19", "librdmacm", NO_STATUS, ENODEV, "RDMA_CM_EVENT_ADDR_ERROR", "no RDMA device of this host leads", "this host", "without an RDMA device", "gid-address" },
    { "kvcache-ai/Mooncake#1048", "[225] [coro_connection.hpp:209] ibverbs init qp failed: End of file conn_id  2", "Mooncake", NO_STATUS, 0, NULL, "ended before a queue pair", "other end", "MC_RPC_PROTOCOL", NULL },
    { "kvcache-ai/Mooncake#1088", "E1120 11:10:27.1 2030 transfer_task.cpp:305] Failed to complete transfers after 60 seconds for batch 2586731329", "Mooncake", NO_STATUS, 0, NULL, "Nothing came back", "other end", "hangs or is gone", "transport-retries" },
    { "kvcache-ai/Mooncake#397", "E0523 06:50:40.0   224 store_py.cpp:367] Put operation failed with error: TRANSFER_FAIL", "Mooncake", NO_STATUS, 0, NULL, "Follows another line", NULL, "before", NULL },
    { "ceph/ceph#13509", "20 Infiniband post_chunkibv_post_srq_recv failed (12) Cannot allocate memory", "Ceph", NO_STATUS, ENOMEM, NULL, "queue is full", "prints it", "receive_queue_len", NULL },
    { "ceph/ceph#17018", "-1 Infiniband can_alloc WARNING: OUT OF RX BUFFERS: allocated: 1024 requested: 8 limit: 1024", "Ceph", NO_STATUS, 0, NULL, "no receive buffer left", "prints it", "receive_buffers", "rnr-naks" },
    { "ceph/ceph#69614", "src/msg/async/AsyncConnection.cc: 721: FAILED ceph_assert(socket.fd() >= 0)", "Ceph", NO_STATUS, 0, NULL, "no file descriptor", "prints it", "LimitNOFILE", NULL },
    { "ANLAB-KAIST/rust-dpdk#72", "mlx5_net: Unable to init PMD global data: File exists", "DPDK", NO_STATUS, EEXIST, NULL, "processes share", "prints it", "link it once", NULL },
    { "F-Stack/f-stack#531", "net_mlx5: cannot load glue library: librte_pmd_mlx5_glue.so.19.08.0: cannot open shared object file: No such file or directory", "DPDK", NO_STATUS, 0, NULL, "library of its own", "prints it", "LD_LIBRARY_PATH", "verbs-provider" },
    { "tbarbette/fastclick#357", "net_mlx5: port 1 Rx queue allocation failed: Cannot allocate memory", "DPDK", NO_STATUS, ENOMEM, NULL, "receive queue", "prints it", "ulimit -l", "memlock-limit" },
    { "NVIDIA/nvshmem#81", "/nvshmem/src/modules/transport/ibgda/ibgda.cpp:4711: ibv_dealloc_pd failed", "NVSHMEM", NO_STATUS, 0, NULL, "No fault of the network", "this process", "wrong order", NULL },
    { "NVIDIA/nvshmem#51", "/nvshmem/src/modules/transport/ibgda/ibgda.cpp 4821 no active IB device that supports GPU-initiated communication is found, exiting...", "NVSHMEM", NO_STATUS, 0, NULL, "no NIC left", "prints it", "Skipping", "port-active" },
    { "deepseek-ai/DeepEP#55", "/nvshmem_src/src/host/transport/transport.cpp:nvshmemi_transport_init:287: Unable to initialize any transports. returning error.", "NVSHMEM", NO_STATUS, 0, NULL, "no way to the other GPUs", "prints it", "init failed for", "rdma-device" },
    { "deepseek-ai/DeepEP#55", "/nvshmem_src/src/host/init/init.cu:989: non-zero status: 7 nvshmem detect topo failed", "NVSHMEM", NO_STATUS, 0, NULL, "Follows another line", "any process", "before it", NULL },
    { "NVIDIA/nvshmem#7", "transport_gdr_common.cpp 27 GDRCopy library not found. disabling GDRCopy.", "NVSHMEM", NO_STATUS, 0, NULL, "No fault", "prints it", "libgdrapi", NULL },
    { "ovis-hpc/ldms#124", "Fri Dec 13 07:57:32 2019: INFO      : z_rdma_listen: rdma_create_event_channel failed. zerr 7", "librdmacm", NO_STATUS, 0, NULL, "can't be used", "prints it", "modprobe rdma_ucm", "rdma-ucm-module" },
    { "pytorch/pytorch#135355", "RuntimeError: [enforce fail at third_party/gloo/gloo/transport/tcp/address.cc] ss1.ss_family == ss2.ss_family. 2 vs 10", "PyTorch", NO_STATUS, 0, NULL, "no RDMA in it yet", "same on all hosts", "/etc/hosts", NULL },
    { "BarrinXu/FaaSMem#1", "Module mlx5_core does not exist, skipping...               [FAILED]", "openibd", NO_STATUS, 0, NULL, "hasn't got this module", "prints it", "dkms", "service-module" },
    /* what two blind sets found unanswered, or answered beside the point */
    { "google/dranet#56", "RunPodSandbox error moving device eth2 to namespace : could not get network namespace handle: failed to set into network namespace 4 while creating netlink socket: invalid argument", "DRANET", NO_STATUS, 0, NULL, "network namespace", "the node", "namespace was gone", "rdma-namespace-mode" },
    { "erpc-io/eRPC#64", "configure: error: <infiniband/driver.h> not found.  libmlx5 requires libibverbs.", NULL, NO_STATUS, 0, NULL, "header of libibverbs", "the host that prints it", "rdma-core today", NULL },
    { "deepseek-ai/3FS#175", "Encounter error: 6004(MgmtdClient::RoutingInfoNotReady)", "3FS", NO_STATUS, 0, NULL, "mgmtd", "the other host", "another subnet or NIC", "port-active" },
    { "cornelisnetworks/opa-psm2#43", "libfabric:11:171:ofi_rxd:psm2:core:psmx2_getinfo():536<info> no PSM2 device is active.", "PSM2", NO_STATUS, 0, NULL, "Omni-Path", "the host that prints it", "renames hfi1_0", "rdma-device" },
    { "NVIDIA/gds-nvidia-fs#31", "07-11-2023 10:00:00:1 [pid=4 tid=4] ERROR  cufio-fs:199 NVMe Driver not registered with nvidia-fs!!!", "GPUDirect Storage", NO_STATUS, 0, NULL, "NVMe disk", "the host that prints it", "patched", NULL },
    { "open-mpi/ompi#8260", "Error obtaining device attributes for mlx5_bond_1 errno says Protocol not supporte", "Open MPI", NO_STATUS, 0, NULL, "openib", "the host that prints it", "another libibverbs", "memlock-limit" },
    { "aws/aws-cdi-sdk#48", "fi_enable(): libfabric/util/pingpong.c:1495, ret=-12 (Cannot allocate memory)", "libfabric", NO_STATUS, 0, NULL, "must lock", "the host that prints it", "huge pages", "memlock-limit" },
    { "bytedance/InfiniStore#82", "[2024-12-17 21:00:00.000] [infini] [error] [libinfinistore.cpp:496] Failed to exchange connection information, return code: -1", "InfiniStore", NO_STATUS, 0, NULL, "queue pairs by TCP", "the other host", "server ended", "port-active" },
    { "deepseek-ai/3FS#239", "[2025-04-13T07:00:00+00:00 hf3fs_fuse_main:2 StorageClientImpl.cc:1637 ERROR] #1/1 Failed batchRead operation 0x7f with id RequestId(0), usercall: #1, status: StorageClient::NotAvailable(7005)", "3FS", NO_STATUS, 0, NULL, "no storage target", "the other host", "chain", "port-active" },
    { "openucx/ucc#566", "[1657573854.1] [node-r1:7:0]          ucc_cl.c:57   UCC  ERROR no TLs are selected for CL_BASIC", "UCC", NO_STATUS, 0, NULL, "collective", "the host that prints it", "UCC_COMPONENT_PATH", "ucx-net-devices" },
    { "NVIDIA/nccl#162", "Unable to load libnccl-net.so : libnccl-net.so: cannot open shared object file: No such file or directory", "NCCL", NO_STATUS, 0, NULL, "No fault", "the host that prints it", NULL, NULL },
    { "linux-rdma/perftest#31", "Couldn't allocate MR", "perftest", NO_STATUS, 0, NULL, "a GPU's", "the host that prints it", "nvidia_peermem", "memlock-limit" },
    { "gluster/glusterfs-debian#48", "volume start: vol_rdma: failed: Commit failed on localhost. Please check log file for details.", "GlusterFS", NO_STATUS, 0, NULL, "brick", "the host that prints it", "transport tcp", NULL },
    { "spidernet-io/spiderpool#4265", "\"error\":\"error executing 'rdma statistic -j' command: executable file not found in $PATH\"}", NULL, NO_STATUS, 0, NULL, "tool is missing", "the host that prints it", "iproute2", NULL },
    { "sgl-project/sglang#29127", "ionic_comp_msn:1277: cqe with error 12 for 0x5 (msn)", "ionic", 12, 0, NULL, "acknowledged nothing", "the end that prints it sent", "peer's process", "port-active" },
    { "NVIDIA/nccl#844", "NCCL WARN [Rem Allocator] Allocation failed", "NCCL", NO_STATUS, 0, NULL, "could not get memory", "the host that prints it", "/dev/shm", NULL },
    { "tensorflow/tensorflow#62759", "The available server factories are: [ GRPC_SERVER ]", "TensorFlow", NO_STATUS, 0, NULL, "no server for RDMA", "the host that prints it", "plain grpc", NULL },
    { "siderolabs/talos#8624", "RIP: 0010:esw_port_metadata_get+0x19/0x30 [mlx5_core]", "kernel", NO_STATUS, 0, NULL, "broke down", "the host that prints it", "newer kernel", "kernel-log" },
    { "ofiwg/libfabric#6973", "libfabric:62:ofi_rxm:cq:rxm_handle_comp_error():1719<warn> fi_cq_readerr: err: Input/output error (5), prov_err: remote access error (10)", "libfabric", 10, 0, NULL, "bad completion", "the other end refused it", "registered memory", NULL },
    { "waltligon/orangefs#43", "Error: init_connection_modify_qp: ibv_modify_qp RTR -> RTS: Invalid argument.", NULL, NO_STATUS, 0, NULL, "ready to send", "the host that prints it", "number of retries", "gid-routable" },
    { "SoftRoCE/rxe-dev#33", "[14904.1] BUG: unable to handle kernel NULL pointer dereference at 0000000000000070", "kernel", NO_STATUS, 0, NULL, "kernel itself broke down", "the host that prints it", "call trace", "kernel-log" },
    { "k8snetworkplumbingwg/sriov-network-operator#1015", "ERROR sriov/sriov.go:632 configSriovPFDevice(): fail to set NumVfs for device {\"device\": \"0101:00:00.0\", \"error\": \"can't set eSwitch mode to [switchdev] on device [0101:00:00.0]: invalid argument\"}", "SR-IOV Network Operator", NO_STATUS, 0, NULL, "refused virtual functions", "the node", "mode is set before", "kernel-log" },
    { "HiFiLES/HiFiLES-solver#99", "WARNING: It appears that your OpenFabrics subsystem is configured to only", "Open MPI", NO_STATUS, 0, NULL, "part of this host's memory", "the host that prints it", "log_num_mtt", NULL },
    { "siderolabs/docs#581", "nvlsm: ibwarn: [15] umad_init: can't read ABI version from /sys/class/infiniband_mad/abi_version (No such file or directory): is ib_umad module loaded?", "libibumad", NO_STATUS, 0, NULL, "management (MADs)", "the host that prints it", "modprobe ib_umad", "ib-umad-module" },
    { "ceph/ceph#27022", "/src/msg/msg_types.h: 363: abort()", "Ceph", NO_STATUS, 0, NULL, "Ceph daemon", "the host that prints it", "experimental", NULL },
    { "openucx/ucx#3611", "ucp_init(): No such device", "UCX", NO_STATUS, 0, NULL, "no device or transport", "the host that prints it", "UCX_TLS", "ucx-net-devices" },
    { "open-mpi/ompi#7768", "[a1:14] pml_ucx.c:285  Error: UCP worker does not support MPI_THREAD_MULTIPLE", "Open MPI", NO_STATUS, 0, NULL, "several threads", "the host that prints it", "--enable-mt", NULL },
    { "openucx/ucx#3463", "[1554831347.6] [abc:48:1]      wireup_ep.c:467  UCX  ERROR no supported sockaddr auxiliary transports found for mlx5_9:1", "UCX", NO_STATUS, 0, NULL, "may not use", "both", "UCX_NET_DEVICES", "ucx-net-devices" },
    { "ofiwg/libfabric#4676", "[0] fi_domain: Unknown error -22", "libfabric", NO_STATUS, 0, NULL, "attribute doesn't fit", "the host that prints it", "fi_getinfo", "rdma-device" },
    { "NVIDIA/nccl-tests#188", "misc/socket.cc:441 NCCL WARN socketFinalizeAccept: wrong type 4 != 3", "NCCL", NO_STATUS, 0, NULL, "isn't the connection", "either", "different versions", "nccl-socket-ifname" },
    { "openucx/ucx#3027", "pml_ucx.c:323 Error: ucp_ep_create(proc=1) failed: Destination is unreachable", "Open MPI", NO_STATUS, 0, NULL, "no transport to that rank", "both", "UCX_TLS", "ucx-net-devices" },
    { "pytorch/pytorch#131781", "[rank9]: socketStartConnect: Connect to 10.1.3.105<42639> failed : Software caused connection abort", "NCCL", NO_STATUS, ECONNABORTED, NULL, "RDMA hasn't begun", "the other end", "NCCL_SOCKET_IFNAME", "nccl-socket-ifname" },
    { "NVIDIA/gds-nvidia-fs#62", "27-06-2025 07:00:00:1 [pid=4 tid=4] ERROR  cufio-fs:328 error creating udev_device for block device dev_no: 0:53", "GPUDirect Storage", NO_STATUS, 0, NULL, "doesn't work for this file", "the host that prints it", "file system", "nvidia-versions" },
    { "SoftRoCE/rxe-dev#55", "sh: line 0: echo: write error: Invalid argument", "kernel", NO_STATUS, 0, NULL, "refused what was written", "the host that prints it", "rxe", "kernel-log" },
    { "SoftRoCE/rxe-dev#49", "sh: echo: I/O error", "kernel", NO_STATUS, 0, NULL, "refused what was written", "the host that prints it", "rdma link add", "kernel-log" },
    { "spdk/spdk#226", "[qelr_poll_cq_req:1668]Error: POLL CQ with RDMA_CQE_REQ_STS_REMOTE_INVALID_REQUEST_ERR. QP icid=0x3", "libqedr", 9, 0, NULL, "", "the other end refused it", "longer than the receive", NULL },
    { "gluster/glusterfs#680", "Fortran runtime error: Transport endpoint is not connected", NULL, NO_STATUS, 0, NULL, "lost its client", "the host that prints it", "process died", "port-active" },
    { "intel/ethernet-linux-ice#36", "ice 0000:ec:00.0: Get PHY capabilities failed status = -5, continuing anyway", "kernel", NO_STATUS, 0, NULL, "firmware", "the card and its slot", "NVM", "firmware-version" },
    { "microsoft/pai#2470", "Error: mlnx-ofed-kernel-modules installation failed!", "MLNX_OFED", NO_STATUS, 0, NULL, "could not be built or installed", "the host that prints it", "--add-kernel-support", "kernel-log" },
    { "openucx/ucx#420", "[1443518626.5] [f6:31:0]        ib_mlx5.c:200  UCX  ERROR Failed to get mlx5 QP information", "UCX", NO_STATUS, 0, NULL, "libmlx5", "the host that prints it", "another libmlx5", "verbs-abi" },
    { "cifsd-team/ksmbd#605", "kernel NULL pointer dereference, address: 00000000000000a8", "kernel", NO_STATUS, 0, NULL, "kernel itself broke down", "the host that prints it", "newer kernel", "kernel-log" },
    { "Mellanox/nv_peer_memory#8", "[ 4724.3] nv_peer_mem: disagrees about version of symbol nvidia_p2p_put_pages", "kernel", NO_STATUS, 0, NULL, "another NVIDIA driver", "the host that prints it", "build the module anew", "nvidia-versions" },
    { "ROCm/rccl#1728", "Failed to find reverse path from remNode 0/200000 nlinks 3 to node 0/700000", "NCCL", NO_STATUS, 0, NULL, "doesn't fit together", "the host that prints it", "PCIe tree", NULL },
    { "facebookarchive/caffe2#616", "gloo/transport/ibverbs/pair.cc:470] wc->status == IBV_    WC_SUCCESS. 8 vs 0. Memory region send for slot 0: local access error", "PyTorch", 8, 0, NULL, "bad completion", "the end that prints it", "registered memory", NULL },
    { "Mellanox/mstflint#1191", "-E- Error when trying to check if NV access registers are supported", "mlxconfig", NO_STATUS, 0, NULL, "didn't answer", "the card and its slot", "power", "firmware-version" },
    { "Mellanox/nv_peer_memory#85", "-E- Cannot locate nvidia modules!", "nv_peer_mem", NO_STATUS, 0, NULL, "could not be built", "the host that prints it", "NVIDIA's driver isn't installed", "nvidia-versions" },
    { "intel/MLSL#25", "node1.3297hfi_userinit: mmap of rcvhdrq at dabbad00040b0000 failed: Resource temporarily unavailable", "PSM2", NO_STATUS, 0, NULL, "could not map", "the host that prints it", "locked memory", "memlock-limit" },
    { "NVIDIA/deepops#1189", "Error mounting /home: mount.nfs: Protocol error", "mount.nfs", NO_STATUS, 0, NULL, "doesn't listen for RDMA", "the other host", "portlist", "nfs-rdma-mount" },
    { "Mellanox/libvma#318", "VMA WARNING: ib_ctx_collection82:map_ib_devices() Failure in rdma_get_devices() (error=19 No such device)", "VMA", NO_STATUS, 0, NULL, "no RDMA device", "the host that prints it", "driver isn't loaded", "rdma-device" },
    { "nfs-ganesha/nfs-ganesha#432", "ntirpc/rpc/svc.h:724: undefined reference to `rpc_rdma_ncreatef'", "NFS-Ganesha", NO_STATUS, 0, NULL, "without RDMA", "the host that prints it", "USE_NFS_RDMA", NULL },
    { "openshift/cluster-node-tuning-operator#1249", "ens2f0: Cannot change channels when RDMA is active.", "kernel", NO_STATUS, 0, NULL, "ethtool -L", "the host that prints it", "irdma", NULL },
    { "FDio/csit#1593", "return STDERR Cannot get device pause settings: No such device", "ethtool", NO_STATUS, 0, NULL, "no netdev of that name", "the host that prints it", "renamed", "kernel-log" },
    { "NVIDIA/nccl#179", "ring 0 does not loop back to start", "NCCL", NO_STATUS, 0, NULL, "doesn't fit together", "the host that prints it", "update it", NULL },
    { "NVIDIA/nccl#879", "worker-0:195:198 [0] proxy.cc:808 NCCL WARN Proxy Call to rank 1 failed (Connect)", "NCCL", NO_STATUS, 0, NULL, "A consequence", "any rank", "first WARN line", NULL },
    { "ofiwg/libfabric#12708", "libfabric:1:2:efa:ep_data:efa_device_construct_gid():47<warn> ibv_open_device failed! errno: 2", "libfabric", NO_STATUS, 0, NULL, "could not be opened", "the host that prints it", "hide the device", "uverbs-node" },
    { "SoftRoCE/librxe-dev#14", "general protection fault: 0000 [#6] SMP PTI", "kernel", NO_STATUS, 0, NULL, "kernel itself broke down", "the host that prints it", "call trace", "kernel-log" },
    { "zrlio/hyv#1", "virtio_rdmacm: exports duplicate symbol rdma_accept (owned by rdma_cm)", "kernel", NO_STATUS, 0, NULL, "same function", "the host that prints it", "unload the first", "service-module" },
    { "vitalif/vitastor#107", "Ping timed out for OSD 2 (client 9), disconnecting peer", "Vitastor", NO_STATUS, 0, NULL, "heard nothing", "the other host", "forks", "port-active" },
    { "NVIDIA/gds-nvidia-fs#14", "nvidia-fs:nvfs_pin_gpu_pages:1292 Error ret -22 invoking nvidia_p2p_get_pages", "GPUDirect Storage", NO_STATUS, 0, NULL, "doesn't lend", "the host that prints it", "GeForce", "nvidia-versions" },
    { "clustervision/trinity#219", "Fatal error:  device '*': sys files not found (/sys/class/infiniband/*/ports)", "ibstatus", NO_STATUS, 0, NULL, "no RDMA device", "the host that prints it", "driver isn't loaded", "nic-rdma-device" },
    { "cifsd-team/ksmbd#543", "ksmbd: cli req padded more than expected. Length 106 not 73 for cmd:3 mid:9", "kernel", NO_STATUS, 0, NULL, "No fault", "the host that prints it", NULL, NULL },
    { "nfs-ganesha/nfs-ganesha#1242", "Enabling RDMA in NFS-Ganesha 6.5 for NFSv4 Failing (Unknown Token: RDMA)", "NFS-Ganesha", NO_STATUS, 0, NULL, "without RDMA", "the host that prints it", "USE_NFS_RDMA", NULL },
    { "openshift/sriov-network-operator#1185", "Failed to enable SRIOV: Only 0 MSI-X interrupts available for SR-IOV.", "kernel", NO_STATUS, 0, NULL, "interrupts are used up", "the host that prints it", "irdma", NULL },
    { "intel/ethernet-linux-ice#31", "iavf 0000:ec:01.1: Failed to add MAC filter, error IAVF_NOT_SUPPORTED", "kernel", NO_STATUS, 0, NULL, "virtual function", "the virtual machine's host", "being reset", "kernel-log" },
    { "cornelisnetworks/opa-psm2#74", "host.6192map_hfi_mem: mmap of rcvegr_bufbase (0xdabbad00050b0000) size 8388608 failed: Invalid argument", "PSM2", NO_STATUS, 0, NULL, "could not map", "the host that prints it", "Linux 6.16", "memlock-limit" },
    { "openshift/openshift-docs#32619", "\"lastSyncError\": \"write /sys/bus/pci/devices/0000:3b:00.1/sriov_numvfs: cannot allocate memory\"", "kernel", NO_STATUS, 0, NULL, "no room in PCI", "the host that prints it", "Above 4G", "kernel-log" },
    { "openucx/ucx#8511", "mm ep failed to connect to remote FIFO id : shared memory error; open(file_name=/proc/25/fd/35 flags=0x0) failed: No such file or directory", "UCX", NO_STATUS, 0, NULL, "share memory", "the host that prints it", "--pid=host", NULL },
    { "Mellanox/mstflint#4", "-E- Unsupported device", "mstflint", NO_STATUS, 0, NULL, "this generation of cards", "the host that prints it", "ConnectX-2", NULL },
    { "uclasystem/hermit#8", "Failed to build MLNX_OFED_LINUX for 5.14.0-rc5", "MLNX_OFED", NO_STATUS, 0, NULL, "could not be built or installed", "the host that prints it", "doesn't know", "kernel-log" },
    { "openucx/ucx#1770", "ib_device.c:171  UCX  ERROR IB Async event on mlx5_0: DCT access error on DCTN 0x2a8a3", "UCX", NO_STATUS, 0, NULL, "was refused", "either end's program", "memory that was freed", "firmware-version" },
    { "SJTU-IPADS/krcore-artifacts#6", "[ 5760.2] Fail to start KRdma kernel module", "KRCore", NO_STATUS, 0, NULL, "could not start", "the host that prints it", "no RDMA device", "rdma-device" },
    { "k8snetworkplumbingwg/sriov-network-operator#361", "I0914 writer.go:163] setNodeStateStatus(): syncStatus: Failed, lastSyncError: exit status 3", "SR-IOV Network Operator", NO_STATUS, 0, NULL, "config daemon", "the node", "firmware", "kernel-log" },
    { "ai-dynamo/nixl#386", "[1748179345.1] [b:30:0]     ucp_context.c:2257 UCX  WARN  UCP API version is incompatible: required >= 1.20, actual 1.18.0 (loaded from /ucx/lib/libucp.so.0)", "UCX", NO_STATUS, 0, NULL, "another version of UCX", "the host that prints it", "found first", NULL },
    { "Mellanox/mstflint#448", "pci 0000:04:00.0: BAR 7: failed to assign [mem size 0x01000000 64bit pref]", "kernel", NO_STATUS, 0, NULL, "no room in PCI", "the host that prints it", "BIOS", "kernel-log" },
    { "cornelisnetworks/opa-psm2#48", "PSM could not set up shared memory segment (err=9)", "PSM2", NO_STATUS, 0, NULL, "/dev/shm", "the host that prints it", "ended already", NULL },
    { "Mellanox/network-operator#1415", "Failed to build mlnx-nvme DEB", "MLNX_OFED", NO_STATUS, 0, NULL, "could not be built or installed", "the host that prints it", "newer release", "kernel-log" },
    { "Mellanox/network-operator#830", "No OFED driver found for kernel 5.14.0-284.40.1.el9_2.x86_64", "MLNX_OFED", NO_STATUS, 0, NULL, "could not be built or installed", "the host that prints it", "entitlement", "kernel-log" },
    { "tensorflow/tensorflow#37622", "process_state.cc:128] Check failed: 0 == cpu_allocators_.size() (0 vs. 1)AddCPUAllocVisitor must be called prior to first call to ProcessState::GetCPUAllocator", "TensorFlow", NO_STATUS, 0, NULL, "order of starting", "the host that prints it", "before the server", NULL },
    { "vllm-project/vllm#42750", "/lib/x86_64-linux-gnu/libmlx5.so: undefined symbol: mlx5dv_get_data_direct_sysfs_path", NULL, NO_STATUS, 0, NULL, "No fault by itself", "the host that prints it", "Data Direct", NULL },
    { "NVIDIA/gds-nvidia-fs#26", "nvidia-fs:write IO failed :-512", "GPUDirect Storage", NO_STATUS, 0, NULL, "signal", "the host that prints it", "Ctrl-C", NULL },
    { "kvcache-ai/Mooncake#507", "worker_pool.cpp:291] Worker: Process failed for slice", "Mooncake", NO_STATUS, 0, NULL, "piece of a transfer", "either", "another rail", "port-active" },
    { "immortalwrt/immortalwrt#2175", "[21852.7] (NULL net_device): hw csum failure", "kernel", NO_STATUS, 0, NULL, "checksum", "the host that prints it", "rx off", "firmware-version" },
};

/* What says nothing of RDMA, or nothing wrong, and is in the same logs. */
static const char *const silent[] = {
    "",
    "gpu-a:1:2 [0] NCCL INFO NET/IB : Using [0]mlx5_0:1/RoCE [RO]; OOB eth0:10.0.0.1<0>",
    "gpu-a:1:2 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[0] [send] via NET/IB/0",
    "[   10.642917] mlx5_core 0004:01:00.0: Adding to iommu group 29",
    " local address: LID 0x02 QPN 0x0032 PSN 0x5f2841 RKey 0x002440 VAddr 0x007f2e5f64b000",
    "[82804.1] nvme nvme0: creating 8 I/O queues.",
    "[    9.1] igb 0000:05:00.0 eno1: igb: eno1 NIC Link is Down",
    "[    9.2] nvme 0000:02:00.0: PCIe Bus Error: severity=Corrected, type=Physical Layer, (Receiver ID)",
    "[    9.3] NETDEV WATCHDOG: eno1 (igb): transmit queue 0 timed out",
    "rsync: Connection closed by remote peer",
    "[   10.642917] mlx5_core 0004:01:00.0 eth0: Link up",
    "everything was a success, in general: error handling works",
    "curl: (7) Failed to connect to localhost port 80: Connection refused",
    "status=12",
    "NET/IB : Got completion from peer 10.0.0.1<1> with status=0 opcode=0 len=0 vendor err 0",
    "NET/IB : Got completion from peer 10.0.0.1<1> with status=4242424242424242 opcode=0",
    "UCX  ERROR (synd 0x99 vend 0x81)",
    "[    9.4] nvme nvme0: I/O 17 QID 4 timeout, aborting",
    "[    9.5] foo: disagrees about version of symbol bar",
    "[    9.6] foo: Unknown symbol bar (err -22)",
    "node:1:1 [0] NCCL INFO NET/OFI Selected Provider is efa (found 4 nics)",
    "[    1.234567] systemd[1]: Started Journal Service.",
    "Nov 24 03:11:02 node1 sshd[4711]: error: connect_to localhost port 8888: failed.",
    "ssh: connect to host node7 port 22: Connection refused",
    "ssh: connect to host node7 port 22: Connection timed out",
    "RuntimeError: CUDA error: an illegal memory access was encountered",
    "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 79.15 GiB total capacity)",
    "Traceback (most recent call last):",
    "ModuleNotFoundError: No module named 'torch'",
    "NVRM: Xid (PCI:0000:17:00): 79, pid='<unknown>', name=<unknown>, GPU has fallen off the bus.",
    "[ 9.1] Out of memory: Killed process 4711 (python3) total-vm:123456kB",
    "OSError: [Errno 28] No space left on device",
    "mount: /mnt: wrong fs type, bad option, bad superblock on /dev/sdb1",
    "[ 12.3] EXT4-fs error (device sda1): ext4_lookup:1855: inode #2: comm ls: deleted inode referenced: 12",
    "[ 12.3] nvme nvme0: pci function 0000:01:00.0",
    "[ 12.3] nvme nvme0: I/O 12 QID 3 timeout, aborting",
    "[ 12.3] ata1.00: failed command: READ FPDMA QUEUED",
    "curl: (28) Failed to connect to registry.example port 443: Connection timed out",
    "ping: connect: Network is unreachable",
    "bash: fork: Cannot allocate memory",
    "kernel: perf: interrupt took too long (2513 > 2500), lowering kernel.perf_event_max_sample_rate to 79500",
    "slurmstepd: error: *** JOB 4711 ON node1 CANCELLED AT 2026-11-24T03:00:00 DUE TO TIME LIMIT ***",
    "srun: error: node7: task 3: Exited with exit code 1",
    "docker: Error response from daemon: could not select device driver \"\" with capabilities: [[gpu]].",
    "e1000e 0000:00:1f.6 eno1: NIC Link is Down",
    "[ 3.4] usb 1-1: device descriptor read/64, error -71",
    "failed to modify the file: Permission denied",
    "  File \"/x.py\", line 12, in ibv_open_device(ctx) errno.ENOENT",
    "ib_md.c:816  UCX  DEBUG registered memory 0x7f56..0x7f57 on mlx5_0 lkey 0xc0563 rkey 0xc0563 access 0xf flags 0x368",
    "ibv_reg_mr(address=0x7f56, length=4096, access=0xf) took 3 us",
    "Failed to open device",
    "curl: (7) Failed to connect to localhost port 80 after 0 ms: Couldn't connect to server",
    "fatal: unable to access 'https://git.example/x.git/': Failed to connect to git.example port 443 after 21056 ms: Couldn't connect to server",
    "Couldn't connect to the database at 10.0.0.3:5432, retrying",
    "Couldn't connect to http://10.0.0.3:5432",
    "Couldn't connect to :5432",
    "Couldn't connect to node7:123456",
    "[Job 3] Failed status 12",
    "Failed status 12 of job 3",
    "failed to set RLIMIT_MEMLOCK: operation not permitted",
    "libbpf: Failed to bump RLIMIT_MEMLOCK (err = -1), you might need to do it explicitly!",
    "mqtt: wait for CONNECTED state timed out",
    "reject from client with status 8",
    "Destination is unreachable (type 3)",
    "There are no active ports in the channel-group",
    "LNet: Added LNI 10.0.0.1@o2ib [8/256/0/180]",
    "Lustre: lustre-OST0000: Connection restored to 10.0.0.1@o2ib (at 10.0.0.1@o2ib)",
    "rpcrdma: connection to 192.168.1.2:20049 on mlx5_0, memreg 5 slots 32 ird 16",
    "nvme nvme0: I/O tag 123 (107b) QID 3 timeout, completion polled",
    "iommu: Default domain type: Translated",
    "mlx5_core 0000:3b:00.1: Rate limit: 127 rates are supported, range: 0Mbps to 97656Mbps",
    "Mooncake Transfer Engine initialized successfully",
    "resource manager: Failed to create a queue for the printer",
    "Timed out after 30 seconds waiting for clients to finish",
    "Error: Couldn't listen to port 80",
    "ena 0000:00:05.0: Wait for completion (polling) timeout",
    "cudaHostRegister failed with error=1",
    "ena 0000:00:05.0: The ena device didn't send a completion for the admin cmd 3 status 2",
    "ice 0000:18:00.0: Failed to create LAG (-22)",
    "unused environment variable 'CFLAGS'",
    "postfix/qmgr: warning: no working transport to relay: connection refused",
    "Nov 24 03:11:02 alice kernel: e1000e 0000:00:1f.6 eno1: NIC Link is Down",
    "Nov 24 03:11:02 service kernel: nvme 0000:02:00.0: PCIe Bus Error: severity=Corrected, type=Physical Layer, (Receiver ID)",
    "Lustre: 3315:0:(client.c:2116:ptlrpc_expire_one_request()) @@@ Request sent has failed due to network error: [sent 1/real 1]  req@ffff t0(0) o250->MGC10.0.4.2@tcp@10.0.4.2@tcp:26/25",
    "ksmbd: smb_direct: Recv completed. status='success (0)', opcode=128",
    "ksmbd: Unsupported RPC MsFteWds",
    "rpcrdma: connection to 10.0.0.1:20049 on mlx5_0, memreg 5 slots 32 ird 16",
    "RPC: Registered rdma transport module.",
    "RDS/IB: connected <::ffff:10.0.0.1,::ffff:10.0.0.2,0> version 4.1",
    "nvmet_rdma: enabling port 1 (10.0.0.1:4420)",
    "nvme nvme0: queue_size 128 > ctrl sqsize 32, clamping down",
    "mlx5_core 0000:41:00.0: modify lag map port 1:2 port 2:2",
    "mlx5_core 0000:41:00.0: E-Switch: Enable: mode(LEGACY), nvfs(4), active vports(5)",
    "mlx5_core 0000:41:00.0: mlx5_pcie_event:301:(pid 9): PCIe slot advertised sufficient power (75W).",
    "mlx4_en: ens803: Link Up",
    "Elastic Fabric Adapter (EFA) v2.6.0g",
    "Warning  FailedScheduling  0/3 nodes are available: 3 Insufficient cpu.",
    "connection1:0: detected conn error (1011)",
    "nvidia-nvswitch0: SXid (PCI:0000:c5:00.0): 20034, Fatal, Link 30 LTSSM Fault Up",
    "error while loading shared libraries: libcuda.so.1: cannot open shared object file: No such file or directory",
    "psycopg2.OperationalError: connection to server at \"10.0.0.3\", port 5432 failed: Connection refused",
    "platform regulatory.0: Direct firmware load for regulatory.db failed with error -2",
    "e1000e 0000:00:1f.6: swiotlb buffer is full (sz: 4096 bytes), total 32768 (slots), used 0 (slots)",
    "igb 0000:05:00.0: not enough MMIO resources for SR-IOV",
    "nvmet: Created nvm controller 1 for subsystem testnqn for NQN nqn.2014-08.org.nvmexpress:uuid:1.",
    "Module nvidia does not exist, skipping",
    "mlx5_core 0000:41:00.0: firmware version: 28.40.1000",
    "net_mlx5: DV flow is not supported",
    "infiniband rocep130s0f0: set active",
    "[12964845.755104] beegfs: mount(15165): Built without NVFS RDMA support.",
    "[  347.271231] mlx5_core 0000:18:00.0 ib0: \"orted\" wants to know my dev_id. Should it look at dev_port instead?",
};
/* clang-format on */

static bool has(const char *text, const char *part)
{
    return text && strstr(text, part);
}

static bool has_cause(const struct answer *answer, const char *part)
{
    return strstr(answer->causes, part) != NULL;
}

Test(messages, lines_of_public_threads_are_answered)
{
    cr_assert_geq(sizeof(lines) / sizeof(*lines), 60);
    for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
        const struct line *l = &lines[i];
        struct reading reading;
        struct answer answer;
        cr_expect(line_read(l->line, strlen(l->line), &reading), "%s: nothing is known of '%s'", l->thread,
                  l->line);
        if (!line_read(l->line, strlen(l->line), &reading))
            continue;
        reading_answer(&reading, &answer);
        cr_expect(l->program ? text_is(answer.program, l->program) : !answer.program, "%s: program '%s' ('%s')",
                  l->thread, answer.program, l->line);
        cr_expect_eq(reading.status, l->status, "%s: status %d ('%s')", l->thread, reading.status, l->line);
        cr_expect_eq(reading.err, l->err, "%s: errno %d ('%s')", l->thread, reading.err, l->line);
        cr_expect(l->word ? reading.word && strcmp(reading.word->name, l->word) == 0 : !reading.word,
                  "%s: word %s ('%s')", l->thread, reading.word ? reading.word->name : "none", l->line);
        cr_expect(has(answer.means, l->means) || has(answer.also, l->means), "%s: means '%s', '%s'", l->thread,
                  answer.means, answer.also);
        cr_expect(!l->end || has(answer.end, l->end), "%s: end '%s' ('%s')", l->thread, answer.end, l->line);
        cr_expect(!l->cause || has_cause(&answer, l->cause), "%s: no cause '%s' ('%s')", l->thread, l->cause,
                  l->line);
        cr_expect(!l->check || (answer.checks && text_in_list(answer.checks, l->check)),
                  "%s: checks '%s' ('%s')", l->thread, answer.checks, l->line);
    }
}

Test(messages, what_is_no_message_is_none)
{
    struct reading reading;
    for (size_t i = 0; i < sizeof(silent) / sizeof(*silent); i++)
        cr_expect_not(line_read(silent[i], strlen(silent[i]), &reading), "'%s'", silent[i]);
}

/* A thousand lines that programs and drivers print where all is well (innocent.txt), each below its source. */
Test(messages, innocent_lines_are_silent)
{
    char line[LINE_MOST + 2];
    struct reading reading;
    size_t seen = 0;
    FILE *file = fopen("tests/unit/innocent.txt", "re");
    cr_assert(file);
    while (fgets(line, sizeof(line), file)) {
        line[strcspn(line, "\n")] = '\0';
        if (text_starts(line, "# ") && seen == 0)
            continue;
        if (text_starts(line, "=== "))
            continue;
        seen++;
        cr_expect_not(line_read(line, strlen(line), &reading), "'%s'", line);
    }
    fclose(file);
    cr_assert_geq(seen, 1200);
}

Test(messages, each_says_something_and_names_checks_that_exist)
{
    char word[64];
    for (const struct message *message = messages_all(); message->pattern; message++)
        cr_expect(!message->checks || !check_list_unknown(message->checks, word), "%s: no check '%s'",
                  message->pattern, word);
    for (size_t t = 0; word_tables[t]; t++)
        for (const struct word *w = words_in(word_tables[t]); w->name; w++) {
            cr_expect(!w->checks || !check_list_unknown(w->checks, word), "%s: no check '%s'", w->name, word);
            cr_expect(w->number < 0 || word_numbered(word_tables[t], w->number) == w, "%s %d is there twice",
                      w->name, w->number);
        }
    for (int status = 1; status < status_count; status++)
        cr_expect(wc_text(status) && text_starts(wc_name(status), "IBV_WC_"));
}

Test(messages, statuses_that_people_meet_have_an_end_and_causes)
{
    static const int met[] = { 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 16, 19, 20, 21 };
    for (size_t i = 0; i < sizeof(met) / sizeof(*met); i++) {
        const struct meaning *meaning = failure_meaning(&(struct failure){ .wc_status = met[i] });
        char causes[LIKELY_TEXT_SIZE] = "";
        cr_assert(meaning && meaning->text && meaning->end, "status %d", met[i]);
        meaning_likely(meaning, "\n", causes);
        cr_expect(strchr(causes, '\n'), "status %d", met[i]);
    }
}

/* A peer that is gone answers nothing (12); one that answers with 11 has an error of its own. */
Test(messages, who_answers_is_not_gone)
{
    char causes[LIKELY_TEXT_SIZE];
    meaning_likely(failure_meaning(&(struct failure){ .wc_status = IBV_WC_REM_OP_ERR }), "\n", causes);
    cr_expect_not(strstr(causes, "went away"), "%s", causes);
}

Test(messages, every_cause_and_step_has_words)
{
    for (int cause = CAUSE_NONE + 1; cause < CAUSES; cause++)
        cr_expect(cause_words[cause].text, "cause %d", cause);
    for (int step = 0; step < STEPS; step++)
        cr_expect(step_text((enum step)step), "step %d", step);
}

Test(messages, syndromes_of_mlx5)
{
    cr_expect_eq(syndrome_status(0x15), IBV_WC_RETRY_EXC_ERR);
    cr_expect_eq(syndrome_status(0x05), IBV_WC_WR_FLUSH_ERR);
    cr_expect_eq(syndrome_status(0x99), -1);
}

/* roce's words for a port: each that a recorded machine makes it say is one that it can explain. */
Test(messages, verdicts_of_ports_are_words)
{
    static const char *const machines[] = { "fault-link", "mlx5-dual-port",     "fault-gid", "rxe-plain",
                                            "siw-plain",  "mlx5-switchdev-vfs", "mana-raw" };
    static const struct check_selection glance = { .glance = true };
    for (size_t i = 0; i < sizeof(machines) / sizeof(*machines); i++) {
        const char *path = tree_fixture(machines[i]);
        struct source *source;
        struct recording_fault fault;
        struct host *host;
        cr_assert_eq(source_open_recording(path, &source, &fault), 0, "%s", machines[i]);
        cr_assert_eq(host_read(source, check_needs(&glance), &host), 0);
        struct arena *arena = arena_new();
        struct report report = check_run(host, NULL, 0, &glance, arena);
        for (size_t d = 0; d < host->ndevices; d++)
            for (size_t p = 0; p < host->devices[d].nports; p++) {
                const char *word = check_port_verdict(&report, &host->devices[d].ports[p]).word;
                cr_expect(check_find(word) || word_find(&words_port_verdicts, word), "%s", word);
                const char *state = host->devices[d].ports[p].state_text;
                cr_expect(!state || word_find(&words_port_states, state), "%s", state);
            }
        arena_free(arena);
        host_free(host);
        source_close(source);
    }
    for (int v = 0; v < VERDICTS; v++)
        cr_expect(word_find(&words_verdicts, verdict_name((enum verdict)v)), "%s",
                  verdict_name((enum verdict)v));
}

/* -- what of a host a line names */

static struct gid gids[] = {
    { .index = 0, .raw = { 0xfe, 0x80, [15] = 1 }, .type = GID_TYPE_IB_ROCE_V1 },
    { .index = 1, .raw = { 0xfe, 0x80, [15] = 1 }, .type = GID_TYPE_ROCE_V2 },
    { .index = 3, .raw = { [10] = 0xff, 0xff, 10, 0, 0, 7 }, .type = GID_TYPE_ROCE_V2 },
};
static struct port ports[] = { { .number = 1, .netdev = "ens1" },
                               { .number = 2, .netdev = "ens2", .gids = gids, .ngids = 3 },
                               { .number = 1, .netdev = "ens3" } };
static struct device devices[] = { { .name = "mlx5_1", .ports = &ports[0], .nports = 2, .pci = "0000:41:00.0" },
                                   { .name = "mlx5_10", .ports = &ports[2], .nports = 1 } };
static const struct host host = { .devices = devices, .ndevices = 2 };

static size_t mentions(const char *line, struct arena *arena, struct mention found[static MENTIONS_MOST])
{
    for (size_t i = 0; i < 3; i++)
        ports[i].device = &devices[i / 2];
    return mention_find(&host, line, strlen(line), arena, found);
}

Test(messages, names_of_devices_and_ports_are_found_whole)
{
    struct arena *arena = arena_new();
    struct mention found[MENTIONS_MOST];
    cr_assert_eq(mentions("NET/IB : mlx5_1:2 Got async event", arena, found), 1);
    cr_expect_eq(found[0].port, &ports[1]);
    cr_expect_str_eq(found[0].text, "mlx5_1:2");
    cr_assert_eq(mentions("on mlx5_10/RoCE (synd", arena, found), 1);
    cr_expect_eq(found[0].port, &ports[2], "its only port");
    cr_assert_eq(mentions("infiniband mlx5_1: dump", arena, found), 1);
    cr_expect(found[0].device == &devices[0] && !found[0].port, "it has two");
    cr_expect_eq(mentions("xmlx5_1 mlx5_11 mlx5_1a mlx5_1:3", arena, found), 1);
    cr_expect_null(found[0].port);
    cr_expect_eq(mentions("peer_nic: 10.9.8.7:1@mlx5_10", arena, found), 1,
                 "the peer's device, and its address");
    cr_expect_null(found[0].device);
    cr_assert_eq(mentions("ens2: link down, mlx5_core 0000:41:00.0: failed", arena, found), 1,
                 "the device of the port, once");
    cr_expect_eq(found[0].port, &ports[1]);
    arena_free(arena);
}

Test(messages, addresses_are_found_however_they_are_written)
{
    struct arena *arena = arena_new();
    struct mention found[MENTIONS_MOST];
    cr_assert_eq(mentions("localGid ::ffff:10.0.0.7 remoteGids::ffff:10.0.0.8", arena, found), 2);
    cr_expect_eq(found[0].gid, &gids[2]);
    cr_expect(!found[1].device && strcmp(found[1].text, "::ffff:10.0.0.8") == 0, "%s", found[1].text);
    cr_assert_eq(mentions("from peer 10.0.0.7<33057> with", arena, found), 1);
    cr_expect_eq(found[0].gid, &gids[2]);
    cr_assert_eq(mentions("remoteGidsfe80::1", arena, found), 1);
    cr_expect_eq(found[0].gid, &gids[1], "of two RoCE v2's");
    cr_assert_eq(mentions("GID: (GID_Index 1) fe:80:00:00:00:00:00:00:00:00:00:00:00:00:00:01", arena, found),
                 1);
    cr_expect_eq(found[0].gid, &gids[1]);
    cr_assert_eq(mentions("traddr 10.0.0.7:4420.", arena, found), 1);
    cr_expect_eq(found[0].port, &ports[1]);
    cr_expect_eq(mentions("at 12:00:01, version 1.2.3, 0.0.0.0 :: 127.0.0.1 rdma.c:2633:x", arena, found), 0);
    arena_free(arena);
}

Test(messages, no_more_mentions_than_there_is_room_for)
{
    struct arena *arena = arena_new();
    struct mention found[MENTIONS_MOST];
    cr_expect_eq(mentions("10.0.1.1 10.0.1.2 10.0.1.3 10.0.1.4 10.0.1.5 10.0.1.6 10.0.1.7 10.0.1.8 10.0.1.9",
                          arena, found),
                 MENTIONS_MOST);
    arena_free(arena);
}

Test(messages, what_tables_and_logs_say_is_a_term)
{
    for (int i = DISTANCE_PIX; i <= DISTANCE_SYS; i++)
        cr_expect(term_find(distance_text((enum distance)i)), "%s", distance_text((enum distance)i));
    static const char *const words[] = { "C2C",  "MPS",        "mrrs",    "ATS", "relaxed ordering",
                                         "rail", "flow label", "ECMP",    "QPN", "CQE",
                                         "NAK",  "RoCEv2",     "RoCE v1", "PXN", "link flap" };
    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
        cr_expect(term_find(words[i]), "%s", words[i]);
}
