/* SPDX-License-Identifier: MIT */
/* The messages that line_read() knows; the first row that fits is the answer, so those that say most stand
 * first. Their words are those of the programs' sources: NCCL 2.29 and its older forms (src/transport/net_ib,
 * src/misc/ibvwrap.cc), UCX 1.20 (src/uct/ib, src/ucp), PyTorch's ProcessGroupNCCL, libibverbs and its
 * examples, librdmacm and rping, perftest, Open MPI's btl/openib and mtl/ofi, libfabric's verbs and efa,
 * SPDK, Lustre's o2iblnd, the kernel's nvme-rdma, ib_core, mlx5, bnxt, irdma, ice and hns3;
 * tests/unit/messages.c has lines of public threads. */
#include <errno.h>
#include <infiniband/verbs.h>

#include "base/base.h"
#include "selftest/diagnosis/message.h"

#define THIS "the host that prints it"
#define OTHER "the other end, or the way there"

#define MEMLOCK_LIMIT \
    "the limit on locked memory: ulimit -l unlimited, LimitMEMLOCK=infinity of the service (slurmd, kubelet, sshd), --ulimit memlock=-1 of the container\n"
#define MEMLOCK_CAUSES                                                      \
    MEMLOCK_LIMIT                                                           \
    "the device's memory keys or queue pairs are used up: roce resources\n" \
    "a cgroup limits RDMA objects: rdma.max"
#define GPU_CAUSES                                                                                                                      \
    "GPU memory, and neither nvidia_peermem nor dma-buf to register it: modprobe nvidia_peermem, or a driver and kernel with dma-buf\n" \
    "nvidia_peermem was loaded before the RDMA driver, or built against another one\n"                                                  \
    "the buffer was freed or unmapped"
#define LOST_RANK \
    "NCCL lost a connection between two ranks: a completion came back bad. The first such line of all ranks is the one to look at; 'flushed' ones follow it."
/* NVIDIA/nccl issues 304, 523 and 928: ACS it was */
#define GPU_MEMORY_REFUSED                                                                                                  \
    LOST_RANK, THIS,                                                                                                        \
        "ACS of a bridge between GPU and NIC redirects what GPUDirect sends (with NCCL_NET_GDR_LEVEL=0 it works, slower)\n" \
        "GPU memory, and its registration went stale or was never allowed: nvidia_peermem, dma-buf\n"                       \
        "the key, address or length isn't one of registered memory, or no longer is",                                       \
        "pcie-acs,gdr-peer-memory,iommu-translation"
#define NO_RDMA_CAUSES                                                                 \
    "NCCL found no RDMA device that it may use: the line 'NET/IB : No device found'\n" \
    "NCCL_IB_DISABLE=1 or NCCL_NET=Socket"
#define QP_CAUSES                                                                        \
    "more entries, elements or inline data than the device takes: roce devices --caps\n" \
    "a kind of queue pair, or a feature, that the device hasn't got\n"                   \
    "not enough locked memory, if it says 'Cannot allocate memory': ulimit -l"
#define LAST_OF_NCCL                                                                                                                          \
    "What NCCL says last: 'Last error:' behind it, or the WARN lines of all ranks, name the completion or connection that failed first.",     \
        "any rank",                                                                                                                           \
        "the other rank's process ended: out of memory, an exception, its scheduler\na connection between two ranks broke: 'Got completion'", \
        "port-active,transport-retries"
#define NO_BOOTSTRAP                                                                               \
    "NCCL found no netdev for its bootstrap.", THIS,                                               \
        "NCCL_SOCKET_IFNAME names or excludes what isn't there\nno netdev is up but the loopback", \
        "nccl-socket-ifname"
#define NO_DEVICE_CAUSES                                                                                   \
    "a container that wasn't given the devices: --device=/dev/infiniband, or a device plugin's resource\n" \
    "the driver isn't loaded, or has no RDMA on this card\n"                                               \
    "no provider for the device in this image (rdma-core, libibverbs-providers)"
#define NO_SUCH_DEVICE THIS, NO_DEVICE_CAUSES, "rdma-device,uverbs-node,device-hidden,verbs-provider"
#define KERNELS_QP "A kernel service's queue pair (of NVMe, NFS, iSER and the like) got a bad completion"
#define LINK_LOST                                                            \
    "The port lost its link.", "this port, its cable, or the switch's port", \
        "cable, module or the switch's port\nthe netdev was set down",       \
        "port-active,link-flaps,netdev-carrier"
#define NO_DEVICE                                                    \
    "libibverbs shows no RDMA device here.", THIS, NO_DEVICE_CAUSES, \
        "rdma-device,nic-rdma-device,uverbs-node,device-hidden,verbs-provider"
#define UARS_GONE                                                                                                                                                                           \
    "The device gives out no more doorbell pages (UARs): too many processes have it open, or too many queues of their own.",                                                                \
        THIS,                                                                                                                                                                               \
        "many ranks a node: fewer, or more such pages: mlxconfig set PF_LOG_BAR_SIZE (5 by default), then a restart\na program that opens the device again and again, and never closes it", \
        "kernel-log"
#define FOLLOWS "Follows another line of perftest, which has the reason.", THIS, "the line before it", NULL
#define STALLED                                                                                                            \
    "The netdev's sending stands still. RDMA has queues of its own, but ARP and RDMA_CM go this way.",                     \
        "this port, or the switch that pauses it",                                                                         \
        "the switch pauses the port on and on (PFC or pause frames)\nthe driver hangs: its netdev's interrupts or queues", \
        "paused,pause-storm,devlink-health,kernel-log"
#define MODULE_OF_OTHERS                                                                                                                                                                                                       \
    "A module was built against another RDMA core than the one that is loaded, and can't be loaded.", THIS,                                                                                                                    \
        "MLNX_OFED or DOCA was installed or updated after it, or the kernel was: build it anew (dkms; NVIDIA's driver for nvidia_peermem)\nthe kernel's own modules and MLNX_OFED's are mixed: ofed_info -s, modinfo ib_core", \
        "gdr-peer-memory,service-module"
#define FIRMWARE_CAUSES                                                                  \
    "the firmware failed: update it, and keep what devlink health kept for the vendor\n" \
    "the card lost its PCIe link, its power, or is too hot"

#define BNXT_STALL                                                                                                                                                                                                     \
    "Broadcom's firmware didn't answer the RDMA driver: until it is reset, queue pairs can't be made or taken down there.",                                                                                            \
        THIS,                                                                                                                                                                                                          \
        "the card's firmware is older than the kernel's driver: update it\nwhere its RDMA isn't used: keep bnxt_re from loading (blacklist bnxt_re in /etc/modprobe.d), or it holds up every start\n" FIRMWARE_CAUSES, \
        "devlink-health,kernel-log,firmware-version"
/* clang-format off */
static const struct message messages[] = {
    /* NCCL */
    { "NCCL", "NET/IB*Got completion*with error 4, *vendor err 81", GPU_MEMORY_REFUSED, STEP_NONE, 0, IBV_WC_LOC_PROT_ERR },
    { "NCCL", "NET/IB*Got completion*status=4 *vendor err 81", GPU_MEMORY_REFUSED, STEP_NONE, 0, IBV_WC_LOC_PROT_ERR },
    { "NCCL", "NET/IB*Got completion*status=IBV_WC_LOC_PROT_ERR(4)*vendor err 81", GPU_MEMORY_REFUSED, STEP_NONE, 0, IBV_WC_LOC_PROT_ERR },
    { "NCCL", "NET/IB*Got CQE with error (", "A completion came back bad: the line behind it, 'Got completion from peer', has its status and the peer.", NULL, "the line behind it", NULL, STEP_NONE, 0, 0 },
    { "NCCL", "NET/IB*Got completion from peer*status={status}", LOST_RANK, NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "NCCL", "NET/IB*Got completion from peer*status=IBV_WC_*({status})", LOST_RANK, NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "NCCL", "NET/IB*Got completion from peer*with error {status},", LOST_RANK, NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "NCCL", "NET/IB*Got completion with error {status},", LOST_RANK, NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "NCCL", "NET/IB*Got*async event*: {async}", NULL, NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "NCCL", "NET/IB*async fatal event*: {async}", NULL, NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "NCCL", "NET/IB*GID table changed", "A GID of the port was added, removed or moved while NCCL ran.", THIS, "an address of the netdev was added, removed or renewed (DHCP, NetworkManager)\nthe link went down and came back", "gid-address,link-flaps,nccl-gid-index", STEP_NONE, 0, 0 },
    { "NCCL", "Call to ibv_modify_qp failed with {errno} ", "NCCL could not connect a queue pair to the other rank's.", NULL, NULL, NULL, STEP_RTR, 0, 0 },
    { "NCCL", "Call to ibv_modify_qp failed with error {error}", "NCCL could not connect a queue pair to the other rank's.", NULL, NULL, NULL, STEP_RTR, 0, 0 },
    { "NCCL", "Call to ibv_reg_mr*failed with error Cannot allocate memory", NULL, THIS, NULL, NULL, STEP_REGISTER, ENOMEM, 0 },
    { "NCCL", "Call to ibv_reg_mr*failed with error Bad address", "GPU memory could not be registered with the NIC.", THIS, GPU_CAUSES, NULL, STEP_REGISTER, EFAULT, 0 },
    { "NCCL", "Call to ibv_reg_dmabuf_mr failed with error {error}", "GPU memory could not be registered with the NIC by dma-buf; NCCL falls back to nvidia_peermem where that is loaded.", THIS, GPU_CAUSES, NULL, STEP_REGISTER, 0, 0 },
    { "NCCL", "Call to ibv_reg_mr*failed with error {error}", "Memory could not be registered with the NIC.", THIS, NULL, NULL, STEP_REGISTER, 0, 0 },
    { "NCCL", "Call to ibv_reg_mr*failed", "Memory could not be registered with the NIC; this version doesn't say why.", THIS, MEMLOCK_LIMIT "GPU memory, and no nvidia_peermem to register it", "memlock-limit,gdr-peer-memory", STEP_REGISTER, 0, 0 },
    { "NCCL", "Call to ibv_create_cq failed with error {error}", "A completion queue could not be made.", THIS, MEMLOCK_CAUSES, "memlock-limit,memlock-trial", STEP_CQ, 0, 0 },
    { "NCCL", "Call to ibv_create_cq failed", "A completion queue could not be made; nearly always the limit on locked memory.", THIS, MEMLOCK_CAUSES, "memlock-limit,memlock-trial", STEP_CQ, ENOMEM, 0 },
    { "NCCL", "Call to ibv_create_qp failed", "A queue pair could not be made.", THIS, MEMLOCK_CAUSES, "memlock-limit,memlock-trial", STEP_QP, 0, 0 },
    { "NCCL", "ncclIbRoceGetVersionNum: ", "NCCL asked for the RoCE version of an empty slot of the GID table, and gave up.", THIS, "NCCL before 2.26 beside holes in the table, as a pod with a macvlan has them: a newer NCCL\nmeanwhile NCCL_IB_GID_INDEX, or slots without holes: netdev down and up", "gid-holes,gid-type", STEP_NONE, 0, 0 },
    { "NCCL", "Call to ibv_open_device failed", "The device could not be opened.", THIS, "a container without /dev/infiniband (--device, or a device plugin)\nthis user may not open the device node\nno provider for the device in this image (rdma-core, libibverbs-providers)", "uverbs-node,verbs-provider,verbs-abi", STEP_OPEN, 0, 0 },
    { "NCCL", "Call to ibv_get_async_event failed", "NCCL's watch of a device ended: the device is going away, or the job is being torn down after another error.", THIS, "an error before this line\nthe device failed or was reset: dmesg", "kernel-log,devlink-health", STEP_NONE, 0, 0 },
    { "NCCL", "NET/IB : No device found", "NCCL sees no RDMA device that it may use, and goes by TCP sockets: slow, and without another word.", THIS, "a container without /dev/infiniband: --device=/dev/infiniband --cap-add=IPC_LOCK, or a device plugin\nNCCL_IB_HCA names or excludes what isn't there, or NCCL_IB_DISABLE=1\nno port is ACTIVE, or libibverbs or the provider isn't in the image", "rdma-device,uverbs-node,port-active,nccl-ib-hca,rdma-switched-off", STEP_NONE, 0, 0 },
    { "NCCL", "NET/IB : No IP interface found", NO_BOOTSTRAP, STEP_NONE, 0, 0 },
    { "NCCL", "NET/IB : Unable to open device", "The device is listed, and could not be opened.", THIS, "a container without the device node\nthis user may not open it\nthe device is another process's alone", "uverbs-node", STEP_OPEN, 0, 0 },
    { "NCCL", "NET/IB : GPU Direct RDMA Disabled", "NCCL copies through host memory: GPUDirect can't be used with this NIC. It works, slower.", THIS, "neither dma-buf nor nvidia_peermem: /sys/kernel/mm/memory_peers/nv_mem*/version is missing\nnvidia_peermem is loaded but not registered with this RDMA driver (load it after that)\nGPU and NIC are further apart than NCCL_NET_GDR_LEVEL allows", "numa-far,pcie-acs", STEP_NONE, 0, 0 },
    { "NCCL", "NET/IB : Attempted to connect incompatible devices", "Two ranks chose NICs of different kinds: InfiniBand and RoCE.", "both: their NCCL_IB_HCA", "NCCL_IB_HCA isn't set, or differs, and a storage or management NIC was taken on one host", "nccl-ib-hca,consumer-choice", STEP_NONE, 0, 0 },
    { "NCCL", "NET/Plugin*Could not find", "There is no network plugin; NCCL uses its own code for InfiniBand and RoCE. No fault.", THIS, NULL, NULL, STEP_NONE, 0, 0 },
    { "NCCL", "NET/OFI*fi_getinfo() call failed: {error}", "NCCL's plugin for libfabric found no provider that it can use; NCCL goes on without it, mostly by TCP.", THIS, "a container that wasn't given EFA's devices: --device=/dev/infiniband, or the device plugin's resource\na libfabric without EFA, or older than the plugin: another one comes first in LD_LIBRARY_PATH\nFI_PROVIDER names another provider", "rdma-device,uverbs-node,device-hidden", STEP_NONE, 0, 0 },
    { "NCCL", "NET/OFI Selected Provider is tcp", "NCCL's plugin for libfabric goes by TCP, not by RDMA.", THIS, "a container that wasn't given EFA's devices: --device=/dev/infiniband, or the device plugin's resource\na libfabric without EFA: FI_PROVIDER=efa makes it end instead\na machine type without EFA", "rdma-device,uverbs-node,device-hidden", STEP_NONE, 0, 0 },
    { "NCCL", "NET/OFI*Protocol not available", "NCCL's plugin for libfabric sets an option that libfabric, or the provider it chose, hasn't got.", THIS, "the plugin was built with a newer libfabric than the one that is loaded\na provider that isn't EFA: the line 'Selected Provider' before it", "rdma-device,uverbs-node", STEP_NONE, 0, 0 },
    { "NCCL", "NET/OFI*initialization failed", "NCCL's plugin for libfabric gave up: the line before it has the reason.", THIS, "the line before it", NULL, STEP_NONE, 0, 0 },
    { "NCCL", "Ip address '*' is invalid for family", "The range of addresses that a GID is to be in is of another family than the GID is to be of, and isn't looked at. No fault where nobody set a range.", THIS, "NCCL_IB_ADDR_RANGE or NVSHMEM_IB_ADDR_RANGE is of another family than *_IB_ADDR_FAMILY", NULL, STEP_NONE, 0, 0 },
    { "NCCL", "NCCL INFO Using network Socket", "NCCL goes by TCP sockets, not by RDMA.", THIS, NO_RDMA_CAUSES, "rdma-switched-off,uverbs-node,nccl-ib-hca", STEP_NONE, 0, 0 },
    { "NCCL", "NCCL INFO NET/Socket : Using", "NCCL goes by TCP sockets, not by RDMA.", THIS, NO_RDMA_CAUSES, "rdma-switched-off,uverbs-node,nccl-ib-hca", STEP_NONE, 0, 0 },
    { "NCCL", "NCCL*: Connection closed by remote peer", "The other rank ended NCCL's TCP connection, which is for meeting and for news, not for data: that rank failed first, and its own lines say why.", "the other end", "the peer's process failed, or was ended: out of memory, an exception, its scheduler\nsomething that isn't NCCL connected to its port, as a scanner (NCCL before 2.27.3)", NULL, STEP_NONE, 0, 0 },
    { "NCCL", "socketStartConnect: Connect to *failed : {error}", "NCCL's TCP connection, over which ranks meet, could not be made; RDMA hasn't begun.", OTHER, "NCCL chose a netdev that has no way to the other host: NCCL_SOCKET_IFNAME\na firewall between the hosts drops TCP\nthe peer's process is gone already", "nccl-socket-ifname", STEP_NONE, 0, 0 },
    { "NCCL", "Call to recv from * failed : {error}", "NCCL's TCP connection to the other rank broke: it is for meeting and for news, so what failed comes before, most likely there.", "the other end", "the peer's process failed, or was ended: its own lines say why\na firewall or a load balancer between the hosts ended the connection", NULL, STEP_NONE, 0, 0 },
    { "NCCL", "Bootstrap : no socket interface found", NO_BOOTSTRAP, STEP_NONE, 0, 0 },
    { "NCCL", "NCCL WARN Error: network * not found", "NCCL_NET names a network that NCCL could not bring up here.", THIS, "NCCL_NET=IB, and no RDMA device that can be used: the lines before it\nNCCL_NET names a plugin that isn't installed", "rdma-switched-off,uverbs-node,nccl-ib-hca", STEP_NONE, 0, 0 },
    { "NCCL", "ncclRemoteError: A call failed possibly due to a network error", LAST_OF_NCCL, STEP_NONE, 0, 0 },
    { "NCCL", "remote process exited or there was a network error", LAST_OF_NCCL, STEP_NONE, 0, 0 },
    { "NCCL", "ncclSystemError: System call", "A call of the system or of libibverbs failed: 'Last error:' behind it, or the WARN line before it, says which.", THIS, "an NCCL WARN line before this, of any rank", NULL, STEP_NONE, 0, 0 },
    { "NCCL", "Failed to open libibverbs.so", "NCCL finds no libibverbs, and so no RDMA device; it goes by TCP.", THIS, "the package isn't installed in this image: libibverbs1, ibverbs-providers (rdma-core)\non AWS EFA is reached by a plugin instead: then it is no fault", "rdma-device,verbs-provider", STEP_NONE, 0, 0 },
    { "NCCL", "NCCL*unhandled system error", "A call of the system or of libibverbs failed: the WARN line before it, with NCCL_DEBUG=WARN or INFO, says which.", THIS, "an NCCL WARN line before this, of any rank", NULL, STEP_NONE, 0, 0 },
    { "NCCL", "Message truncated : received*bytes instead of", "Two ranks disagree about the size of a message: another program spoke to this port, or ranks are out of step.", "both: their programs", "ranks of different versions of NCCL or of the program\nsomething else connected to NCCL's port (a scanner)", NULL, STEP_NONE, 0, 0 },
    { "PyTorch", "Watchdog caught collective operation timeout", "A collective operation didn't end in its time (10 or 30 minutes, unless the program says otherwise). This rank waited; who kept it waiting, the line doesn't say.", "any rank: the one without such a line, or whose last completed operation is the earliest", "a rank failed, hangs, or does something else: compare SeqNum and OpType of all ranks\nranks are out of step, with different operations or data that ran out on one\nthe network: NCCL's WARN lines of any rank, and what each host's doctor says", "port-active,transport-retries,link-flaps", STEP_NONE, 0, 0 },

    /* UCX */
    { "UCX", "count exceeded on *(synd {syndrome} ", NULL, NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "UCX", "Error on *(synd {syndrome} ", NULL, NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "UCX", "ib_mlx5_log.c*(synd {syndrome} ", NULL, NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "UCX", "UCX*with error: {error}", NULL, NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "UCX", "ib_mlx5_log.c*QP 0x*wqe[", "The request that the line before this is about: rqpn is the other end's queue pair, dgid or rlid its address, sgix the own GID's index.", "both: the line names the peer", NULL, NULL, STEP_NONE, 0, 0 },
    { "UCX", "ibv_reg_mr(*failed: Bad address", "Memory could not be registered with the NIC.", THIS, GPU_CAUSES, NULL, STEP_REGISTER, EFAULT, 0 },
    { "UCX", "ibv_reg_mr(*failed: Invalid argument", "Memory could not be registered with the NIC in the way that was asked for.", THIS, "memory of a GPU that the RDMA driver can't take (AMD: amdgpu's peer memory or dma-buf is missing)\na right that device or driver lacks, as relaxed ordering", NULL, STEP_REGISTER, EINVAL, 0 },
    { "UCX", "UCX*ibv_reg_mr*failed: {error}", "Memory could not be registered with the NIC.", THIS, NULL, NULL, STEP_REGISTER, 0, 0 },
    { "UCX", "create_cq(*failed: Cannot allocate memory", "A completion queue could not be made; nearly always the limit on locked memory.", THIS, MEMLOCK_CAUSES, "memlock-limit,memlock-trial", STEP_CQ, ENOMEM, 0 },
    { "UCX", "UCX*ibv_create_qp*failed: {error}", "A queue pair could not be made.", THIS, NULL, NULL, STEP_QP, 0, 0 },
    { "UCX", "failed to create * QP *: Cannot allocate memory", "A queue pair could not be made.", THIS, QP_CAUSES "\nmany ranks a node: the device's doorbell pages or queue pairs are used up (PF_LOG_BAR_SIZE)", "memlock-limit,kernel-log", STEP_NONE, 0, 0 },
    { "UCX", "IB Async event on *: {async}", NULL, NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "UCX", "UCX*ibv_create_srq*failed: Operation not supported", "UCX tried a transport that needs what this device hasn't got (shared receive queues, RC), and goes on to the next.", THIS, "a device without RC, as EFA: libfabric is made for that\na device without shared receive queues (max_srq 0), as AMD's Pollara: UCX has no RC on it", NULL, STEP_SRQ, EOPNOTSUPP, 0 },
    { "MSCCL++", "ibv_modify_qp failed (errno {errno})", "MSCCL++ could not connect a queue pair to the other rank's.", NULL, NULL, NULL, STEP_RTR, 0, 0 },
    { "UCX", "ibv_modify_qp*failed*: {error}", NULL, NULL, NULL, NULL, STEP_RTR, 0, 0 },
    { "UCX", "UCX*ibv_create_ah(*failed: {error}", NULL, OTHER, NULL, NULL, STEP_AH, 0, 0 },
    { "UCX", "ibv_open_device(*failed: Cannot allocate memory", UARS_GONE, STEP_NONE, 0, 0 },
    { "UCX", "mlx5dv_devx_alloc_uar(*failed", UARS_GONE, STEP_NONE, 0, 0 },
    { "UCX", "mlx5dv_devx_qp_modify(*failed, syndrome", "The firmware refused to connect a queue pair to the other end's; the kernel's log has the syndrome.", THIS, "an older UCX, or MLNX_OFED, than the other supports\na GID that is empty or gone, or InfiniBand settings on RoCE", "gid-table,kernel-log", STEP_NONE, 0, 0 },
    { "UCX", "UCX*ibv_open_device(*failed: {error}", "The device could not be opened.", THIS, NULL, "uverbs-node", STEP_OPEN, 0, 0 },
    { "UCX", "failed to register address*Input/output error", "Follows a registration that failed: the line before it has the reason.", THIS, GPU_CAUSES, NULL, STEP_NONE, 0, 0 },
    { "UCX", "UCX*not available, please use one or more of", "UCX_NET_DEVICES or UCX_TLS names what isn't there, or isn't usable here.", THIS, "the port isn't ACTIVE, or the name lacks its port ('mlx5_0:1')\na device that this container hasn't got", "ucx-net-devices,port-active,uverbs-node", STEP_NONE, 0, 0 },
    { "UCX", "no usable transports/devices", "UCX found nothing to use among what it may use.", THIS, "UCX_TLS or UCX_NET_DEVICES leaves nothing over\nno port is ACTIVE, or the devices can't be opened", "rdma-switched-off,ucx-net-devices,port-active,uverbs-node", STEP_NONE, 0, 0 },
    { "UCX", "no * transport to *: ", "The two ends have no transport in common: each line behind it says why one can't be used.", "both: their UCX_TLS and UCX_NET_DEVICES", "UCX_TLS or UCX_NET_DEVICES differ, or allow no RDMA\nthe ports can't reach each other: other subnet, InfiniBand and RoCE", "ucx-net-devices,rdma-switched-off,gid-routable", STEP_NONE, 0, 0 },
    { "UCX", "unused environment variable", "A variable that this version of UCX doesn't know: spelt wrongly, or of another version. It has no effect.", THIS, NULL, NULL, STEP_NONE, 0, 0 },

    /* Open MPI */
    { "Open MPI", "Failed to create UCP worker", "Open MPI's UCX component failed to start; UCX's own line before it has the reason.", THIS, "the limit on locked memory\nno device that can be opened", "memlock-limit,uverbs-node", STEP_NONE, 0, 0 },
    { "Open MPI", "There was an error initializing an OpenFabrics device", "Open MPI's old component openib doesn't know or can't use the device. Where UCX is used (pml ucx) it means nothing: --mca btl ^openib silences it.", THIS, "Open MPI 4 with UCX: openib isn't meant to be used\nthe limit on locked memory\na device newer than openib's list of parameters", "memlock-limit", STEP_NONE, 0, 0 },
    { "Open MPI", "infiniband ports on a device", "Open MPI 4 leaves InfiniBand and RoCE to UCX: no fault. Was it built with UCX (ompi_info | grep ucx)?", THIS, "Open MPI without UCX: it then uses TCP", NULL, STEP_NONE, 0, 0 },
    { "Open MPI", "Failed to create a completion queue (CQ)", "A completion queue could not be made; nearly always the limit on locked memory.", THIS, MEMLOCK_CAUSES, "memlock-limit,memlock-trial", STEP_CQ, ENOMEM, 0 },
    { "Open MPI", "Failed to create a queue pair (QP)", "A queue pair could not be made.", THIS, "a device without the kind of queue pair that was asked for\nthe limit on locked memory\na size above the device's limit (roce devices --caps)", "memlock-limit", STEP_QP, 0, 0 },
    { "Open MPI", "error polling * with status * status number {status} ", NULL, NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "Open MPI", "retry count between two MPI processes has been exceeded", NULL, NULL, NULL, NULL, STEP_NONE, 0, IBV_WC_RETRY_EXC_ERR },
    { "Open MPI", "No preset parameters were found for the device", "Open MPI's old component openib has no settings for this device, and takes its own. No fault; where UCX is used (pml ucx) openib isn't needed.", THIS, "a device that is newer than this Open MPI: --mca btl ^openib --mca pml ucx", NULL, STEP_NONE, 0, 0 },
    { "Open MPI", "No OpenFabrics connection schemes reported", "openib found no way to connect on this port: RoCE needs RDMA_CM, and that an address.", THIS, "the port has no IP address (no GID that RDMA_CM could use)\nrdma_ucm isn't loaded, or /dev/infiniband/rdma_cm isn't there", "gid-address,rdma-ucm-module,rdma-cm-node", STEP_NONE, 0, 0 },
    { "Open MPI", "Unable to alloc send buffer MR on *: {error}", "Memory could not be registered.", THIS, NULL, NULL, STEP_REGISTER, 0, 0 },
    { "Open MPI", "Open MPI failed an OFI Libfabric library call", "A call of libfabric failed; the line 'Error:' of the same message has the reason.", THIS, "libfabric chose a provider that can't be used here: --mca mtl ^ofi, or FI_PROVIDER\nan old libfabric for this device", "uverbs-node", STEP_NONE, 0, 0 },
    { "Open MPI", "RLIMIT_MEMLOCK", "The limit on locked memory is too low.", THIS, MEMLOCK_CAUSES, "memlock-limit,memlock-trial", STEP_REGISTER, ENOMEM, 0 },

    /* libfabric */
    { "libfabric", "fi_mr_reg failed*{errno}", "Memory could not be registered.", THIS, NULL, NULL, STEP_REGISTER, 0, 0 },
    { "libfabric", "There are no active ports", "libfabric's verbs provider found a device without a port that is ACTIVE, and leaves it out.", THIS, "the port is down\nthe netdev is down", "port-active,netdev-up,netdev-carrier", STEP_NONE, 0, 0 },
    { "libfabric", "fi_getinfo: provider *returned -{errno} (", "This provider has nothing for what was asked: normal for those that aren't meant; a fault when it is the last or only one.", THIS, "no port is ACTIVE, or the device can't be opened\nthe program asks for what the provider can't do\nFI_PROVIDER names another one", "port-active,uverbs-node", STEP_NONE, 0, 0 },
    { "libfabric", "fi_getinfo*-{errno} (", "libfabric found nothing to use.", THIS, NULL, "rdma-device,uverbs-node,port-active", STEP_NONE, 0, 0 },
    { "libfabric", "Unresponsive receiver", "EFA: the other end didn't answer.", OTHER, "the other process ended or crashed\nsecurity group: EFA needs all traffic allowed within the group\nanother subnet or placement: EFA isn't routed", NULL, STEP_NONE, 0, 0 },

    /* libibverbs, librdmacm */
    { "libibverbs", "libibverbs: Warning: couldn't load driver", "libibverbs knows of a provider by its file in /etc/libibverbs.d, and can't load the library. It matters only when a device of this machine needs it.", THIS, "the package of providers isn't installed in this image (libibverbs-providers, rdma-core)\nanother version of libibverbs, as of MLNX_OFED, is found first (LD_LIBRARY_PATH)\na device that this machine hasn't got: then it is noise", "verbs-provider", STEP_NONE, 0, 0 },
    { "libibverbs", "IBVERBS_PRIVATE_", "Provider and libibverbs are of different versions of rdma-core.", THIS, "libraries of the host (MLNX_OFED) and of the image are mixed: LD_LIBRARY_PATH, a mounted /usr/lib", "verbs-provider,verbs-abi", STEP_NONE, 0, 0 },
    { "libibverbs", "no userspace device-specific driver found for", "The kernel has the device, and libibverbs no provider for it.", THIS, "the package of providers isn't installed (libibverbs-providers, rdma-core; in containers, too)\nthe library is older than the device", "verbs-provider,verbs-abi", STEP_OPEN, 0, 0 },
    { "libibverbs", "does not support the kernel ABI of", "The provider and the kernel's driver don't fit each other.", THIS, "an old rdma-core on a new kernel, or the other way round", "verbs-abi", STEP_OPEN, 0, 0 },
    { "libibverbs", "couldn't open config directory", "libibverbs was built for another prefix, and finds none of its providers.", THIS, "an own build of libibverbs: link or set its libibverbs.d\nthe package of providers isn't installed", "verbs-provider", STEP_OPEN, 0, 0 },
    { "librdmacm", "librdmacm: Fatal: no RDMA devices found", "There is no RDMA device that libibverbs can use.", THIS, "no provider for the device (libibverbs-providers)\na container without /dev/infiniband\nthe driver's RDMA part isn't loaded (mlx5_ib, bnxt_re, irdma)", "rdma-device,nic-rdma-device,uverbs-node,verbs-provider", STEP_NONE, 0, 0 },
    { "librdmacm", "librdmacm: Fatal: unable to open RDMA device", "The RDMA device can't be opened.", THIS, NULL, "uverbs-node", STEP_NODE, ENOENT, 0 },
    { "librdmacm", "rdma_getaddrinfo: {error}", NULL, NULL, NULL, NULL, STEP_CM_RESOLVE, 0, 0 },
    { "librdmacm", "rdma_resolve_addr*: {error}", NULL, NULL, NULL, NULL, STEP_CM_RESOLVE, 0, 0 },
    { "librdmacm", "rdma_bind_addr: {error}", "RDMA_CM can't use the local address that was asked for.", THIS, "no RDMA device's netdev has it (No such device), or no netdev at all (Cannot assign requested address)\nanother program listens on that port (Address already in use)", "rdma-cm-node,gid-address", STEP_CM_RESOLVE, 0, 0 },
    { "librdmacm", "rdma_create_ep: {error}", "RDMA_CM could not make an endpoint for the address.", THIS, "no RDMA device's netdev here has an address in that network (No such device): in a container mostly, which has the device's node but not its netdev\nthe address that was asked for isn't this host's", "gid-address,port-netdev,gid-table", STEP_NONE, 0, 0 },
    { "librdmacm", "rdma_create_event_channel: {error}", "RDMA_CM can't be used by this process.", THIS, "the module rdma_ucm isn't loaded: modprobe rdma_ucm\na container without /dev/infiniband/rdma_cm, or this user may not open it", "rdma-cm-node,rdma-ucm-module", STEP_NONE, 0, 0 },
    { "librdmacm", "rdma_connect: Connection refused", "The other host answered RDMA_CM's request, and said no.", "the other host", "nothing listens on that port there, or on another address\nthe server's program turned the connection down", NULL, STEP_CM_CONNECT, ECONNREFUSED, 0 },
    { "librdmacm", "rdma_connect: {error}", NULL, NULL, NULL, NULL, STEP_CM_CONNECT, 0, 0 },
    { "rping", "wait for CONNECTED state", "rping wasn't connected: the event that came instead is in the line before.", NULL, "the line before it", NULL, STEP_NONE, 0, 0 },
    { "librdmacm", "rdma_create_qp failed with error {errno}", "A queue pair could not be made for an RDMA_CM connection.", THIS, "a size above the device's limit (roce devices --caps)\nthe connection's device went away or is another one than before", NULL, STEP_QP, 0, 0 },

    /* SPDK, before perftest and those that only name a status */
    { "SPDK", "but received RDMA_CM_EVENT_REJECTED (8) from CM event channel (status = {reject})", "The NVMe target, or what is at that address, turned the connection down.", NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "SPDK", "but received {event} ", NULL, NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "SPDK", "CQ error on *({status}): ", NULL, NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "SPDK", "Async event: {async}", NULL, NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "SPDK", "Failed to post a send for the qpair*errno -{errno}", "A work request wasn't taken by the driver.", THIS, "a driver or provider that doesn't do what SPDK asks for (inline data, entries)\na queue pair that isn't connected any more", NULL, STEP_POST, 0, 0 },
    { "SPDK", "RDMA connect error {errno}", "The request to connect to the NVMe target could not be sent.", NULL, NULL, "gid-address,gid-route", STEP_NONE, 0, 0 },
    { "SPDK", "from subsystem * due to keep alive timeout", "The NVMe target heard nothing of that host for the keep-alive time, and ended its connections.", "that host, or the way to it", "the host is down, hangs, or is held up by a debugger\npackets are lost on the way\na reactor of SPDK that something else blocks", "transport-retries,paused", STEP_NONE, 0, 0 },
    { "SPDK", "RDMA address resolution error", "RDMA_CM found no way to the target's address.", NULL, NULL, NULL, STEP_CM_RESOLVE, EHOSTUNREACH, 0 },

    /* perftest and the like */
    { "perftest", "Completion with error at *Failed status {status}", NULL, NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "perftest", "Failed status {status}", NULL, NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "perftest", "Couldn't read remote address", "The other end closed the TCP connection by which perftest exchanges addresses: it failed first.", "the other end: its own output says what failed", "an error on the other host, in its own output\ndifferent versions or options of perftest on the two hosts", NULL, STEP_NONE, 0, 0 },
    { "perftest", "Couldn't connect to", "No TCP connection to the other end's perftest.", OTHER, "the server isn't started yet, or on another port (-p)\na firewall drops TCP port 18515", NULL, STEP_CONNECT, ECONNREFUSED, 0 },
    { "perftest", "Unable to create QP", "The device doesn't make a queue pair of this kind or size.", THIS, "more inline data than the device takes: -I 0\nanother kind is needed: EFA wants -c SRD\nthe limit on locked memory", "memlock-limit", STEP_QP, 0, 0 },
    { "perftest", "Couldn't allocate MR", NULL, THIS, MEMLOCK_CAUSES, NULL, STEP_REGISTER, ENOMEM, 0 },
    { "perftest", "Unable to find GID index", "The GID index that was asked for, or any that fits, isn't there.", THIS, "-x names an empty slot", "gid-index,gid-holes", STEP_PORT, ENODATA, 0 },
    { "perftest", "Completion with error at ", "A request ended badly: the line behind it ('Failed status') says how.", NULL, "the line behind it", NULL, STEP_NONE, 0, 0 },
    { "perftest", "Unable to Connect the HCA's through the link", "perftest could not connect its queue pair to the other end's.", "this host's GID, or the way to the other", "an empty GID index, which both ends print as zeros, or one of another type than the other end's: -x\nno route between the two GIDs' addresses, or ARP isn't answered\na pod whose network gives this device no address (macvlan, SR-IOV)", "gid-table,gid-routable,gid-type,gid-address", STEP_RTR, 0, 0 },
    { "perftest", "Port number * state is ", "perftest took a port that isn't ACTIVE.", THIS, "the link is down: cable, the switch's port, or the netdev was set down\nanother device or port was meant: -d, -i", "port-active,netdev-up,netdev-carrier", STEP_NONE, 0, 0 },
    { "perftest", "Couldn't set the link layer", FOLLOWS, STEP_NONE, 0, 0 },
    { "perftest", "Couldn't get context for the device", "The device could not be opened, or the line before this has another reason.", THIS, "the line before it\na container without the device's node, or this user may not open it", "uverbs-node,verbs-provider", STEP_OPEN, 0, 0 },
    { "perftest", "Unable to read to socket/rdma_cm", "The other end ended perftest's exchange of addresses: it failed first.", "the other end: its own output says what failed", "an error on the other host, in its own output\ndifferent versions or options of perftest on the two hosts", NULL, STEP_NONE, 0, 0 },
    { "perftest", "Failed to exchange data between server and clients", FOLLOWS, STEP_NONE, 0, 0 },
    { "perftest", "rdma_resolve_route failed", "RDMA_CM found no way to the other end (-R).", THIS, "InfiniBand: no subnet manager answers\nRoCE: the netdev that the address leads to has no RDMA device in this container or host, or went away\nwithout -R perftest goes by the GID of -x, which may still work", "gid-address,port-netdev,subnet-manager", STEP_CM_RESOLVE, 0, 0 },
    { "perftest", "Couldn't create IB resources", FOLLOWS, STEP_NONE, 0, 0 },
    { "perftest", "Couldn't get device attribute", "The device was opened, and didn't answer the question what it can.", THIS, "a container that was given only some of what the device needs\nprovider and kernel that don't fit each other", "uverbs-node,verbs-abi", STEP_PORT, 0, 0 },
    { "perftest", "Did not detect devices", NO_DEVICE, STEP_NONE, 0, 0 },
    { "perftest", "Unable to find the Infiniband/RoCE device", "There is no device of the name that was asked for (-d), or none at all.", NO_SUCH_DEVICE, STEP_NONE, 0, 0 },
    { "perftest", "Requested mtu is higher than active mtu", "The MTU that was asked for (-m) is more than the port has at present; perftest goes on with the port's. No fault.", THIS, "the netdev's MTU allows no more: 4096 needs 4200", "active-mtu,netdev-mtu", STEP_NONE, 0, 0 },
    { "ibstat", "stat of IB device *failed: Invalid argument", "An older ibstat stops at a port whose rate can't be read: there is no module or cable in it, or its driver doesn't tell. Those behind it aren't shown.", THIS, "no module in the cage\na function without RDMA, as MANA's of Linux 6.2\nroce status shows all of them", "port-module,roce-enabled", STEP_NONE, 0, 0 },
    { "ibstat", "stat of IB device *failed: No such file or directory", "ibstat stops at a device that lost its files while it looked: it went away, or is being reset.", THIS, "the driver was reloaded, or the device reset\nPCIe lost the card", "kernel-log,pcie-aer", STEP_NONE, 0, 0 },
    { "k8s-rdma-shared-dev-plugin", "missing RDMA device spec for device", "The device plugin's selectors take a function that hasn't all the device nodes it hands out; the line ends with the one that is missing.", "the node", "a function without RDMA: a management NIC, or one whose RDMA driver isn't loaded (narrow the selectors)\n\"issm\" or \"umad\": the module ib_umad isn't loaded on the node\n\"rdma_cm\": the module rdma_ucm isn't loaded on the node", "nic-rdma-device,ib-umad-module,rdma-ucm-module", STEP_NONE, 0, 0 },
    { "Ceph", "failed to get rdma device list", NO_DEVICE, STEP_NONE, 0, 0 },
    { "Ceph", "user memlock (ulimit -l) must be big enough", "Ceph's RDMA messenger has a limit on locked memory, and will register much.", THIS, "the units of Ceph: LimitMEMLOCK=infinity for ceph-osd@, ceph-mon@ and the others\nclients: ulimit -l unlimited", "memlock-limit,memlock-services", STEP_NONE, 0, 0 },
    { "libibverbs", "IB device * not found", "There is no device of the name that was asked for.", NO_SUCH_DEVICE, STEP_NONE, 0, 0 },
    { "libibverbs", "No IB devices found", NO_DEVICE, STEP_NONE, 0, 0 },
    { "libibverbs", "Failed to get IB devices list", "libibverbs could not ask the kernel which RDMA devices there are.", THIS, "the module ib_uverbs isn't loaded: modprobe ib_uverbs\na container without the device nodes", "ib-uverbs-module,uverbs-node,rdma-device", STEP_NONE, 0, 0 },
    { "ibv_*_pingpong", "Couldn't get local LID", "An InfiniBand port without a LID: no subnet manager has set it up.", "the fabric", "no subnet manager runs (opensm, or in a switch)\nthe port's link is down", "subnet-manager,port-active", STEP_NONE, 0, 0 },
    { "ibv_*_pingpong", "can't read sgid of index", "There is no GID at the index that was asked for (-g).", THIS, "an index that the port's table hasn't got: roce gids", "gid-table,gid-index", STEP_PORT, 0, 0 },
    { "libqedr", "create qp: failed on ibv_cmd_create_qp with {errno}", "The kernel didn't make the queue pair.", THIS, QP_CAUSES, NULL, STEP_QP, 0, 0 },

    /* other programs */
    { "Mooncake", "rdma_context.cpp*Failed to register memory *: Bad address", "Memory could not be registered with the NIC.", THIS, GPU_CAUSES, "gdr-peer-memory", STEP_REGISTER, EFAULT, 0 },
    { "Mooncake", "rdma_context.cpp*Failed to register memory *: Cannot allocate memory", "Memory could not be registered with the NIC.", THIS, "the limit on locked memory: each device counts the same memory again, so that many devices need many times as much\n" MEMLOCK_CAUSES, "memlock-limit,memlock-trial,process-memlock", STEP_REGISTER, ENOMEM, 0 },
    { "Mooncake", "rdma_context.cpp*Failed to register memory *: {error}", "Memory could not be registered with the NIC.", THIS, "the device's memory regions are used up, or the piece is longer than it takes: roce resources, roce devices --caps\nthe driver's reason is in the kernel's log", "kernel-log", STEP_REGISTER, 0, 0 },
    { "Mooncake", "rdma_endpoint.cpp*Failed to create QP: {error}", "A queue pair could not be made.", THIS, QP_CAUSES "\nthe device's queue pairs are used up: roce resources", "memlock-limit,process-memlock,kernel-log", STEP_QP, 0, 0 },
    { "Mooncake", "Received context async event {async} for context", NULL, NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "Mooncake", "SocketHandShakePlugin: connect()*: {error}", "Mooncake's TCP connection, over which two ends exchange addresses, could not be made; RDMA hasn't begun.", OTHER, "the other process ended, or isn't started yet: its own lines say why\na firewall between the hosts drops TCP\nthe other end tells an address that doesn't lead there (local_hostname)", NULL, STEP_NONE, 0, 0 },
    { "Mooncake", "Failed to modify QP to *: *[{errno}]", NULL, NULL, NULL, NULL, STEP_RTR, 0, 0 },
    { "Mooncake", "Failed to query GID *: *[{errno}]", "An empty place of the GID table was read. A fault only if none is found: 'No suitable GID found'.", THIS, "a table that isn't full, as most: no fault\nthe netdev has no address, so no GID can be used", "gid-table,gid-routable", STEP_NONE, 0, 0 },
    { "Mooncake", "Device * GID * not available: {error}", "The GID index that Mooncake is to take (MC_GID_INDEX) isn't in the port's table.", THIS, "a port of one GID, at index 0, as iWARP's and eRDMA's\nan index from another host or network: choose by roce gids", "gid-table,gid-routable", STEP_NONE, 0, 0 },
    { "3FS", "RoCE v2 GID not found", "3FS found no GID that it takes: it wants one of RoCE v2, not link-local, in the first 32 slots.", THIS, "a port that RDMA has and storage hasn't: no address on its netdev (name the others in device_filter)\nonly IPv6 link-local or RoCE v1 GIDs", "gid-routable,gid-v2,gid-table", STEP_NONE, 0, 0 },
    { "Mooncake", "No suitable GID found on", "Mooncake found no GID on this device that it would use.", THIS, "the netdev has no address, or only a link-local one\nthe device isn't the one whose netdev has the address", "gid-table,gid-routable,gid-v2", STEP_NONE, 0, 0 },
    { "GPI-2", "Error {errno} (*Failed to modify QP", NULL, NULL, NULL, NULL, STEP_RTR, 0, 0 },
    { NULL, "Failed to modify QP to RTR: {error}", NULL, NULL, NULL, NULL, STEP_RTR, 0, 0 },
    { NULL, "Failed to modify QP to RTS: {error}", NULL, NULL, NULL, NULL, STEP_RTS, 0, 0 },
    { NULL, "failed to modify QP state to RTR", "The queue pair could not be connected to the other end's.", NULL, NULL, NULL, STEP_RTR, 0, 0 },
    { NULL, "ailed to modify QP*to RTS", "The queue pair was connected, and could not be made to send; mostly it follows a queue pair that couldn't be connected (RTR).", NULL, "the line before it: 'to RTR'\na timeout, retry count or number of reads above what the device takes", NULL, STEP_NONE, 0, 0 },
    { NULL, "Failed to modify * QP to INIT on *: {error}", "A queue pair could not be made ready (INIT), before any peer comes into it.", THIS, "the port or the P_Key index that was asked for isn't the device's: on RoCE there is P_Key 0 alone\nOpen MPI's old component openib, where UCX is used: --mca btl ^openib", "pkey-asked", STEP_NONE, 0, 0 },
    { NULL, "Failed to modify QP*to RTR", "The queue pair could not be connected to the other end's.", NULL, NULL, NULL, STEP_RTR, 0, 0 },
    { "NVSHMEM", "non-zero status: {errno} ibv_modify_qp failed", NULL, NULL, NULL, NULL, STEP_RTR, 0, 0 },
    { "NVSHMEM", "non-zero status: {errno} Error in mlx5dv_devx_obj_modify for INIT2RTR_QP", "The firmware refused to connect a queue pair to the other end's.", NULL, "a GID index that is empty, or of another RoCE version or address than the peer's: NVSHMEM_IB_GID_INDEX\nInfiniBand settings on RoCE: service level, traffic class\nthe two ends' MTUs differ", "gid-index,gid-type,gid-v2", STEP_RTR, 0, 0 },
    { "NVSHMEM", "Error in mlx5dv_devx_obj_modify for INIT2RTR_QP", "The firmware refused to connect a queue pair to the other end's.", NULL, "a GID index that is empty, or of another RoCE version or address than the peer's: NVSHMEM_IB_GID_INDEX\nInfiniBand settings on RoCE: service level, traffic class\nthe two ends' MTUs differ", "gid-index,gid-type,gid-v2", STEP_RTR, 0, 0 },
    { "NVSHMEM", "Unable to create ah.", "The address handle for the other end could not be made.", NULL, "a GID index that is empty, or of another RoCE version or address than the peer's: NVSHMEM_IB_GID_INDEX\nthe peer's address can't be resolved: another rail, subnet or VLAN\nDC queue pairs, which this device or its firmware doesn't offer", "gid-table,gid-routable,gid-type", STEP_NONE, 0, 0 },
    { "NVSHMEM", "nvshmem setup connections failed", "Follows another line of NVSHMEM, which has the reason.", THIS, "the line before it", NULL, STEP_NONE, 0, 0 },
    { "NVSHMEM", "cannot allocate buffer on the specified memory type", "IBGDA can't use this device: the queues of its GPU-made requests can't be put where they have to be.", THIS, "the NVIDIA driver without NVreg_EnableStreamMemOPs=1 and PeerMappingOverride=1\nneither nvidia_peermem nor dma-buf", NULL, STEP_NONE, 0, 0 },
    { "NVSHMEM", "is not enumerated as an mlx5 device", "IBGDA works with NVIDIA's NICs only; this one is left out.", THIS, "a NIC of another vendor: use another transport (NVSHMEM_IB_ENABLE_IBGDA=0)", NULL, STEP_NONE, 0, 0 },
    { NULL, "ibv_get_async_event: *evt: {async}", NULL, NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { NULL, "ibv_modify_qp: {error}", NULL, NULL, NULL, NULL, STEP_RTR, 0, 0 },
    { NULL, "ibv_create_qp: {error}", "The queue pair could not be made.", THIS, QP_CAUSES, NULL, STEP_QP, 0, 0 },
    { NULL, "ibv_create_cq: {error}", NULL, NULL, NULL, NULL, STEP_CQ, 0, 0 },
    { NULL, "ibv_open_device: {error}", NULL, NULL, NULL, NULL, STEP_OPEN, 0, 0 },
    { NULL, "ibv_reg_mr*Cannot allocate memory", NULL, THIS, MEMLOCK_CAUSES, NULL, STEP_REGISTER, ENOMEM, 0 },
    { NULL, "reject *with status {reject}", "A connection request of another host was turned down.", NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "nvme-cli", "Failed to write to /dev/nvme-fabrics: {error}", "The kernel could not connect to the NVMe target; its log has the reason (dmesg: nvme).", NULL, NULL, NULL, STEP_NONE, 0, 0 },

    /* the kernel's log */
    { "kernel", "nvme nvme*Connect rejected: status {reject} ", NULL, NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "kernel", "nvme nvme*rdma_resolve_addr wait failed (-{errno})", "The NVMe host could not connect to its target by RDMA_CM.", NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "kernel", "nvme nvme*rdma connection establishment failed (-{errno})", "The NVMe host could not connect to its target by RDMA_CM.", NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "kernel", "nvmet_rdma: * failed with status * ({status})", "The NVMe target's queue pair got a bad completion: that host's connection ends.", NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "kernel", "nvme nvme* for CQE * failed with status * ({status})", "The NVMe host's queue pair got a bad completion: it begins to make the connection anew.", NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "kernel", "nvmet: ctrl * fatal error occurred!", "The NVMe target ends a host's connection: after a bad completion, a request that it couldn't answer, or because the host was silent for its keep-alive time.", NULL, "the line before it: a bad completion, 'keep-alive timer expired'\nthe host went away, or packets get lost on the way", "transport-retries,port-active", STEP_NONE, 0, 0 },
    { "kernel", "nvmet: ctrl * keep-alive timer (* seconds) expired", "The NVMe target heard nothing of that host for the keep-alive time, and ends its connections.", "that host, or the way to it", "the host is down, or hangs\npackets are lost on the way", "transport-retries,port-active", STEP_NONE, 0, 0 },
    { "kernel", "nvme nvme*failed nvme_keep_alive_end_io error=", "The target didn't answer the NVMe host's keep-alive: the connection is lost, or about to be.", OTHER, "the target was restarted, hangs, or is too busy\npackets are lost on the way", "port-active,transport-retries,storage-session", STEP_NONE, 0, 0 },
    { "kernel", "ICE OICR event notification: oicr =", "Intel's NIC had an error of its own and is reset, its netdevs with it; with an HMC error the RDMA part asked for that.", THIS, "where nobody uses its RDMA: keep irdma from loading (blacklist irdma in /etc/modprobe.d)\nfirmware and driver don't fit each other: update both", "firmware-version,kernel-log", STEP_NONE, 0, 0 },
    { "kernel", "nvme nvme*failed to connect queue: * ret=-{errno}", "The NVMe host could not connect a queue to its target over the network; by RDMA or by TCP, the line doesn't say.", OTHER, "the target is down, or reached by none of this host's routes\npackets are lost on the way\nthe target has no place for so many queues: nvme connect --nr-io-queues", "port-active,retransmissions", STEP_NONE, 0, 0 },
    { "kernel", "nvme nvme*starting error recovery", "The NVMe host lost its connection to the target, by RDMA or TCP, and begins to make it anew; I/O waits meanwhile.", OTHER, "the target was restarted, or is too busy\nthe link went down, here or there\npackets are lost on the way", "port-active,link-flaps,transport-retries,storage-session", STEP_NONE, 0, 0 },
    { "kernel", "nvme nvme*Reconnecting in * seconds", "The NVMe host will try to get its target back; until ctrl_loss_tmo runs out I/O waits.", OTHER, "the lines before this say why the last try failed", "port-active,storage-session", STEP_NONE, 0, 0 },
    { "kernel", "nvme nvme*failed to initialize pi mr pool", "The NVMe host asked for memory keys that guard data (T10 protection information), and the device refused.", THIS, "the refused command in a line before (create_mkey): driver and firmware don't fit each other\nthe device's memory keys are used up: fewer queues (nvme connect --nr-io-queues)", "kernel-log,firmware-version", STEP_NONE, 0, 0 },
    { "kernel", "Unknown symbol ib_register_peer_memory_client (err 0)", "NVIDIA's nvidia_peermem (nv_peer_mem) needs an RDMA driver that borrows memory, as MLNX_OFED's and DOCA's; the one that is loaded doesn't.", THIS, "the kernel's own RDMA driver: dma-buf takes its place, with NVIDIA's open modules and without nvidia_peermem\nMLNX_OFED or DOCA is installed, but the kernel's own modules are loaded: restart, or build them for this kernel", "gdr-peer-memory", STEP_NONE, 0, 0 },
    { "kernel", "disagrees about version of symbol ib_", MODULE_OF_OTHERS, STEP_NONE, 0, 0 },
    { "kernel", "disagrees about version of symbol __ib_", MODULE_OF_OTHERS, STEP_NONE, 0, 0 },
    { "kernel", "disagrees about version of symbol rdma_", MODULE_OF_OTHERS, STEP_NONE, 0, 0 },
    { "kernel", "Unknown symbol ib_*(err -22)", MODULE_OF_OTHERS, STEP_NONE, 0, 0 },
    { "kernel", "nvme nvme*Failed reconnect attempt", "The NVMe host tries to get its target back; until ctrl_loss_tmo runs out I/O waits.", OTHER, "the target is down or unreachable: the lines before this say with which error", "port-active,retransmissions", STEP_NONE, 0, 0 },
    { "kernel", "mlx5_poll_one*syndrome {syndrome}, vendor syndrome", KERNELS_QP ".", NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "kernel", "mlx5_poll_one*error cqe on cqn", KERNELS_QP ": the line behind it has the syndrome.", NULL, "the line behind it", NULL, STEP_NONE, 0, 0 },
    { "kernel", "dump_cqe:*dump error cqe", KERNELS_QP ", which follows as hex; the service's own line behind it says what it means.", NULL, "the service's line behind it", "kernel-log", STEP_NONE, 0, 0 },
    { "kernel", "WC error: {status},", "A kernel service's queue pair got a bad completion.", NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "kernel", "async reg mr failed", "The firmware made no more memory keys.", THIS, "all memory keys of the device are used up: too many registrations by one program (roce resources mr)\nan old firmware", "kernel-log,firmware-version", STEP_REGISTER, 0, 0 },
    { "kernel", "ALLOC_UAR*failed, status limits exceeded(0x8)", UARS_GONE, STEP_NONE, 0, 0 },
    { "kernel", "failed, status limits exceeded(0x8)", "The firmware refused a command: a limit of the device is reached.", THIS, "all memory keys or queue pairs of the device are used up: roce resources", "kernel-log,firmware-version", STEP_NONE, 0, 0 },
    { "kernel", "mlx5_cmd_*failed, status*syndrome (", "The firmware refused a command of the driver; its status says why, the syndrome is for the vendor.", THIS, "driver and firmware don't fit each other\na feature that this firmware hasn't got", "kernel-log,firmware-version", STEP_NONE, 0, 0 },
    { "kernel", "mlx5_load_one failed with error code -{errno}", "The driver could not start the device.", THIS, "firmware too old or broken\nno memory or interrupts for it: a virtual machine's limits\nanother driver version", "nic-rdma-device,firmware-version,kernel-log", STEP_NONE, 0, 0 },
    { "kernel", "poll_health*Fatal error", "The driver found that the device failed, and resets it: programs lose every queue pair there.", THIS, FIRMWARE_CAUSES, "devlink-health,kernel-log,firmware-version,pcie-aer,module-health", STEP_NONE, 0, 0 },
    { "kernel", "device's health compromised", "The device's firmware stands still; the driver resets it, and programs lose every queue pair there.", THIS, FIRMWARE_CAUSES, "devlink-health,kernel-log,firmware-version,pcie-aer,module-health", STEP_NONE, 0, 0 },
    { "kernel", "timeout. Will cause a leak of a command resource", "The device's firmware didn't answer a command of the driver.", THIS, FIRMWARE_CAUSES, "devlink-health,kernel-log,firmware-version,pcie-aer", STEP_NONE, 0, 0 },
    { "kernel", "mlx5_core *TX timeout detected", STALLED, STEP_NONE, 0, 0 },
    { "kernel", "NETDEV WATCHDOG: * (mlx5_core): transmit queue", STALLED, STEP_NONE, 0, 0 },
    { "kernel", "mlx5_core *PCIe Bus Error: severity=Corrected", "PCIe corrected an error of this card's link. One harms nothing; many slow it down.", "the card and its slot", "card, riser or slot with a bad contact\na link that runs at a speed that the way doesn't carry", "pcie-aer,pcie-aer-history,pcie-speed,pcie-width", STEP_NONE, 0, 0 },
    { "kernel", "mlx5_core *PCIe Bus Error: severity=Uncorrected", "PCIe had an error of this card's link that nothing corrected: the device may be reset, or be gone.", "the card and its slot", "card, riser or slot with a bad contact, or a faulty card\nits power", "pcie-aer,pcie-aer-history,devlink-health,kernel-log", STEP_NONE, 0, 0 },
    { "kernel", "unable to add gid *error=-28", "The port's GID table is full: this address gets no GID, and nobody can use it for RDMA.", THIS, "more addresses, VLANs and macvlans on the port's netdevs than its table has places (two each, for RoCE v1 and v2)", "gid-table-full", STEP_NONE, ENOSPC, 0 },
    { "kernel", "unable to add gid *error={errno}", "The driver didn't take a GID: the address is there, and RDMA can't use it.", THIS, "the device or its firmware refused it: the driver's line beside this", "gid-address,kernel-log", STEP_NONE, 0, 0 },
    { "kernel", "abnormal ae_id = ", "Intel's device reports an error of a queue pair (qp=1) or of its own, by a number of the vendor's.", THIS, "what the program on that queue pair says: its status tells more\nthe firmware failed, if it is of the device", "kernel-log,devlink-health", STEP_NONE, 0, 0 },
    { "kernel", "QPLIB: cmdq[*time", BNXT_STALL, STEP_NONE, 0, 0 },
    { "kernel", "FW STALL Detected. cmdq[", BNXT_STALL, STEP_NONE, 0, 0 },
    { "systemd-udevd", "bnxt_en.rdma.*: Worker [*is taking a long time", "Loading bnxt_re takes long: mostly the card's firmware doesn't answer it, and what waits for udev (networking, ZFS) fails meanwhile.", THIS, "the card's firmware is older than the kernel's driver: update it\nwhere its RDMA isn't used: blacklist bnxt_re in /etc/modprobe.d", "kernel-log,firmware-version", STEP_NONE, 0, 0 },
    { "kernel", "kiblnd_*Timed out ", "Lustre waited too long for another node over RDMA, and ends the connection.", OTHER, "the other node is down, or too busy\npackets are lost on the way", "port-active,transport-retries,firewall-4791", STEP_NONE, 0, 0 },
    { "kernel", "PCIe slot power capability was not advertised", "The slot doesn't tell how much power it gives. No fault.", THIS, NULL, NULL, STEP_NONE, 0, 0 },
    { "kernel", "hv_netvsc *Data path switched from VF", "The cloud's host took the virtual function away, mostly for maintenance: IP goes on over the slower synthetic netdev, RDMA ends until it is back.", "the virtual machine's host", "maintenance of the host: 'switched to VF' follows\nthe driver of the function was unloaded or failed: its own lines", "rdma-device,nic-rdma-device", STEP_NONE, 0, 0 },
    { "kernel", "hv_netvsc *Data path switched to VF", "The virtual function is there, and carries the netdev's traffic. No fault.", THIS, NULL, NULL, STEP_NONE, 0, 0 },
    { "kernel", "RDMA functionality is not available with the current device configuration", "The card has more ports than the driver does RDMA on: ice does it on four at most.", THIS, "a card split into eight ports: four or fewer (an E810 by Intel's EPCT, one on the chip in the BIOS)", "nic-rdma-device,rdma-device", STEP_NONE, 0, 0 },
    { "kernel", "ice *RDMA is not supported on this device", "The NIC, as it is set up, offers the driver no RDMA.", THIS, "more than four ports on the card: then 'RDMA functionality is not available' stands before it\nthe driver is in safe mode, without its DDP package: linux-firmware\nthe firmware has RDMA switched off", "nic-rdma-device,rdma-device", STEP_NONE, 0, 0 },
    { "kernel", "available PCIe bandwidth, limited by", "A link above the card is slower or narrower than the card can use. A fault only where its ports need more.", THIS, "a slot of fewer lanes or of an older generation\na card that isn't seated well, or the slot's setting in the BIOS", "pcie-width,pcie-speed", STEP_NONE, 0, 0 },
    { "kernel", "pcieport *AER: *Uncorrect*error", "PCIe had an error below that port that nothing corrected: devices there may be reset, or be gone.", "the card below that port, and its slot", "card, riser or slot is faulty, or loses power\nthe link isn't trained well: its generation in the BIOS", "pcie-aer,kernel-log,pcie-speed", STEP_NONE, 0, 0 },
    { "kernel", "health recovery flow aborted", "The driver gave the device up: it doesn't answer over PCIe any more, and comes back by a restart of the host at best.", "the card and its slot", "a PCIe error before it: the AER lines\n" FIRMWARE_CAUSES, "pcie-aer,devlink-health,kernel-log", STEP_NONE, 0, 0 },
    { "kernel", "DMAR: [DMA *fault reason", "The IOMMU refused a transfer of the device at that PCI address.", THIS, "the driver or firmware uses memory that isn't mapped (any more): update them\nGPUDirect with the IOMMU translating: iommu=pt", "iommu-translation,kernel-log", STEP_NONE, 0, 0 },
    { "kernel", "AMD-Vi: Event logged [IO_PAGE_FAULT", "The IOMMU refused a transfer of the device at that PCI address.", THIS, "the driver or firmware uses memory that isn't mapped (any more): update them\nGPUDirect with the IOMMU translating: iommu=pt", "iommu-translation,kernel-log", STEP_NONE, 0, 0 },
    { "kernel", "infiniband *: Couldn't ", "The RDMA core could not set the device up: what it couldn't is in the line. The device may be listed, and of no use.", THIS, "the firmware didn't answer, or refused it: the driver's lines before it", "kernel-log,devlink-health,firmware-version", STEP_NONE, 0, 0 },
    { "kernel", "AER: device recovery failed", "After a PCIe error the kernel could not bring the devices below that port back: they are gone until the next restart.", "the card and its slot", "the link failed: card, riser, slot, its power\na device below it whose driver can't recover: the line 'can't recover' before it names it", "pcie-aer,kernel-log", STEP_NONE, 0, 0 },
    { "kernel", "Port module event*Cable plugged", "A module or cable was put in. No fault.", THIS, NULL, NULL, STEP_NONE, 0, 0 },
    { "kernel", "Port module event*Cable unplugged", "A module or cable was taken out.", THIS, "somebody pulled it, or it isn't seated", "port-module,port-active", STEP_NONE, 0, 0 },
    { "kernel", "Port module event*powered down due to insufficient", "The card switched ports off, because the slot gives it too little power, or doesn't say how much.", THIS, "old firmware of the card\na slot or riser of 25 W, or a BIOS that doesn't tell\noptical modules that need much: copper needs less", "port-module,kernel-log", STEP_NONE, 0, 0 },
    { "kernel", "Port module event*Power budget exceeded", "The module needs more power than the port may give it, and stays dark.", THIS, "a module of a higher power class than the card takes", "port-module,module-health", STEP_NONE, 0, 0 },
    { "kernel", "Port module event*error", "The module or cable in the port is in error.", THIS, "a module that is faulty, too hot, or needs more power than the port gives", "port-module,module-health", STEP_NONE, 0, 0 },
    { "kernel", "Detected insufficient power on the PCIe slot", "The slot told the card that it gives less power than the card may need. No fault by itself: many healthy hosts say so; where ports or modules stay dark, another slot or newer firmware of the card helps.", THIS, "the slot or riser gives 25 W only\na server whose BIOS doesn't tell", "port-module,kernel-log", STEP_NONE, 0, 0 },
    { "kernel", "mlx5_core*: Link down", LINK_LOST, STEP_NONE, 0, 0 },
    { "kernel", "bnxt_en *NIC Link is Down", LINK_LOST, STEP_NONE, 0, 0 },
    { "kernel", "ice *NIC Link is Down", LINK_LOST, STEP_NONE, 0, 0 },
    { "kernel", "hns3 *link down", LINK_LOST, STEP_NONE, 0, 0 },
    { "kernel", "nvidia-peermem*detected invalid context", "nvidia_peermem was told that GPU memory goes away whose registration it doesn't know any more.", THIS, "a process with GPU memory registered was killed\ndriver versions that don't fit: use dma-buf instead", NULL, STEP_NONE, 0, 0 },
    { "libmlx5", "mlx5: *got completion with error", "libmlx5 prints a bad completion as hex; the program's own line behind it names the status.", THIS, "the line behind it", NULL, STEP_NONE, 0, 0 },
    { "kernel", "rpcrdma: connection to *closed (-{errno})", "NFS over RDMA lost or didn't get its connection.", NULL, NULL, "nfs-rdma-client,port-active", STEP_NONE, 0, 0 },
};
/* clang-format on */

const struct message *message_at(size_t i)
{
    return i < ARRAY_SIZE(messages) ? &messages[i] : NULL;
}
