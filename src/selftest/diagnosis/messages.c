/* SPDX-License-Identifier: MIT */
/* The messages that line_read() knows; the first row that fits is the answer, so those that say most stand
 * first. Their words are those of the programs' sources: NCCL 2.29 and its older forms (src/transport/net_ib,
 * src/misc/ibvwrap.cc), UCX 1.20 (src/uct/ib, src/ucp), PyTorch's ProcessGroupNCCL, libibverbs and its
 * examples, librdmacm and rping, perftest, Open MPI's btl/openib and mtl/ofi, libfabric's verbs and efa,
 * SPDK, DPDK, Mooncake, NVSHMEM, Ceph, GlusterFS, Lustre's o2iblnd, Kubernetes' device plugins, the kernel's
 * nvme-rdma, ib_srp, ib_core, mlx5, bnxt, irdma, ice, hns, mana and rxe; tests/unit/messages.c has lines of
 * public threads. */
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
#define GPU_MEMORY_UNREACHED                                                                                      \
    "The NIC could not reach the memory that this end's request names, or may not.", THIS,                        \
        "GPU memory: ACS of a bridge between GPU and NIC redirects what GPUDirect sends\n"                        \
        "GPU memory that the BIOS placed beyond what the NIC can address: its setting for the MMIO base, lower\n" \
        "the key, address or length isn't one of registered memory, or no longer is",                             \
        "pcie-acs,gdr-peer-memory,iommu-translation", STEP_NONE, 0, IBV_WC_LOC_PROT_ERR
#define NO_WAY_FOR_KERNEL                                                                                                        \
    "this host: its addresses and routes",                                                                                       \
        "no route leads to the address, or one that leaves by a netdev without an RDMA device, as where two are in one subnet\n" \
        "nobody answers ARP or neighbour discovery for it: the other host is down, or on another VLAN",                          \
        "gid-address,gid-route,arp-flux", STEP_NONE, 0, 0
#define NO_RDMA_CAUSES                                                                 \
    "NCCL found no RDMA device that it may use: the line 'NET/IB : No device found'\n" \
    "NCCL_IB_DISABLE=1 or NCCL_NET=Socket"
#define REGISTER_REFUSED                                                                                                                                                                                                                               \
    "Memory could not be registered with the NIC in the way that was asked for.", THIS,                                                                                                                                                                \
        "GPU memory that the RDMA driver can't take: NVIDIA's without nvidia_peermem or with an old driver; AMD's without amdgpu's peer memory or dma-buf\na right that device or driver lacks, as relaxed ordering (NCCL_IB_PCI_RELAXED_ORDERING=0)", \
        "gdr-peer-memory,nvidia-versions", STEP_REGISTER, EINVAL, 0
#define NO_VERBS_LIBRARY                                                                                                                                        \
    "libibverbs isn't there, or can't be loaded: NCCL goes by TCP sockets, not by RDMA.", THIS,                                                                 \
        "an image without rdma-core's libraries: libibverbs1 and ibverbs-providers (Debian), libibverbs (Red Hat)\nnot meant to use RDMA: then it is no fault", \
        "verbs-provider,rdma-device", STEP_NONE, 0, 0
#define RANKS_MEET \
    "NCCL chose a netdev that has no way to the other host, as docker0 or a virtual one: NCCL_SOCKET_IFNAME\na firewall between the hosts drops TCP\nthe peer's process is gone already, or not there yet"
#define REMOTE_ERROR                                                                                                                                       \
    "Another rank ended, or the network between two ranks failed: which, this line doesn't say.",                                                          \
        "any rank: the one whose log has the first error",                                                                                                 \
        "another rank failed first: out of memory, an exception, its scheduler\nNCCL's WARN lines of any rank, with NCCL_DEBUG=WARN, name the connection", \
        NULL, STEP_NONE, 0, 0
#define CUDA_FAILED                                                                                         \
    "A call of CUDA failed, not the network: NCCL's WARN line names the call.", THIS,                       \
        "the GPU or its driver: dmesg (Xid), nvidia-smi\nno GPU memory left", "nvidia-versions", STEP_NONE, \
        0, 0
#define INTERNAL_ERROR                                                                                        \
    "NCCL gave up by a check of its own: the WARN line before it, with NCCL_DEBUG=WARN or INFO, says which.", \
        THIS, "an NCCL WARN line before this, of any rank, and 'Last error' behind it", NULL, STEP_NONE, 0, 0
#define WRONG_GID_OF_NCCL                                                                                                                                                                                                                                  \
    "NCCL could not connect a queue pair to the other rank's.",                                                                                                                                                                                            \
        "this host's choice of a GID, or the other's",                                                                                                                                                                                                     \
        "a GID of another RoCE version than the other end's: NCCL before 2.21 takes index 0 unless NCCL_IB_GID_INDEX says otherwise; a later one is best left to choose\nthe two GIDs are of different kinds (IPv4 and IPv6)\nthe two ports' MTUs differ", \
        "nccl-gid-index,gid-type,gid-v2", STEP_NONE, EINVAL, 0
#define NO_PLUGIN                                                                                        \
    "There is no network plugin; NCCL uses its own code for InfiniBand and RoCE. No fault.", THIS, NULL, \
        NULL, STEP_NONE, 0, 0
#define NO_STORE                                                                                                                                                                                      \
    "No TCP connection to PyTorch's store, by which ranks meet: there is no RDMA in it yet.",                                                                                                         \
        "the host of rank 0, or the way there",                                                                                                                                                       \
        "rank 0 isn't started, or ended: its own log\nMASTER_ADDR is an address that others can't reach, as 127.0.0.1, a name that resolves to it, or docker's\na firewall drops TCP to MASTER_PORT", \
        NULL, STEP_NONE, 0, 0
#define NO_PROVIDER_OF_MPI                                                                                                                                                                            \
    "libfabric has no provider that MPI could use here.", THIS,                                                                                                                                       \
        "FI_PROVIDER, or I_MPI_OFI_PROVIDER, names one that isn't there or finds no device\nno port is ACTIVE, or a container without the devices\nthe provider mlx, which needs UCX: its own lines", \
        "rdma-device,uverbs-node,port-active", STEP_NONE, 0, 0
#define NO_PML                                                                                                                      \
    "Open MPI could not use the component that it was told to (pml).", THIS,                                                        \
        "Open MPI without UCX: ompi_info | grep ucx\nUCX found no device that it may use: UCX_NET_DEVICES, UCX_TLS, its own lines", \
        "ucx-net-devices,rdma-switched-off,uverbs-node", STEP_NONE, 0, 0
#define NO_BINDING                                                                                                                                                                                                                                                 \
    "RDMA_CM can't use the local address that was asked for.", THIS,                                                                                                                                                                                               \
        "no RDMA device's netdev has it (No such device, 19), or no netdev at all (Cannot assign requested address, 99)\nanother program listens on that port (Address already in use, 98)\nrdma_ucm isn't loaded (No such file or directory): modprobe rdma_ucm", \
        "gid-address,rdma-cm-node", STEP_NONE
#define NO_CM_CHANNEL                                                                                                                                                                                         \
    "RDMA_CM can't be used by this process.", THIS,                                                                                                                                                           \
        "no RDMA device that libibverbs has a provider for (No such device)\nthe module rdma_ucm isn't loaded: modprobe rdma_ucm\na container without /dev/infiniband/rdma_cm, or this user may not open it", \
        "rdma-device,rdma-cm-node,rdma-ucm-module", STEP_NONE, 0, 0
#define MIXED_STACKS                                                                                                                                      \
    "Modules of two RDMA stacks are mixed: the kernel's own and that of MLNX_OFED or DOCA.", THIS,                                                        \
        "MLNX_OFED was installed without this module: --with-nvmf, --with-nfsrdma\nthe kernel was updated, and MLNX_OFED's modules weren't built for it", \
        "service-module,kernel-log", STEP_NONE, 0, 0
#define OTHER_PEERMEM                                                                                                                                                                                               \
    "nvidia_peermem wasn't built for the RDMA modules that are loaded, and can't be: no GPUDirect by it.",                                                                                                          \
        THIS,                                                                                                                                                                                                       \
        "the RDMA stack was installed or updated after NVIDIA's driver: install the driver anew\nthe kernel's own RDMA modules, which have no peer memory: dma-buf needs no module (NVIDIA's open kernel modules)", \
        "gdr-peer-memory,nvidia-versions", STEP_NONE, 0, 0
#define NO_MODULE                                                                                                                                                                                   \
    "The running kernel's packages haven't got this module.", THIS,                                                                                                                                 \
        "it is in another package: linux-modules-extra-$(uname -r) (Ubuntu), kernel-modules-extra (Red Hat)\nthe kernel was updated, and the host not restarted\na container: load it on its host", \
        NULL, STEP_NONE, 0, 0
#define NO_FIRMWARE                                                                                              \
    "The device's firmware doesn't start: the driver gives it up, and there is neither netdev nor RDMA device.", \
        THIS, FIRMWARE_CAUSES, "devlink-health,kernel-log,pcie-aer,nic-rdma-device", STEP_NONE, 0, 0
#define NO_DRIVER                                                                                                                                                 \
    "The driver could not start this device: it has neither netdev nor RDMA device.", THIS,                                                                       \
        "the driver's lines before it\ndriver and firmware don't fit each other: update the older one\na virtual machine that lacks memory or interrupts for it", \
        "nic-rdma-device,kernel-log,firmware-version", STEP_NONE, 0, 0
#define PCIE_UNCORRECTED                                                                                  \
    "PCIe had an error of this card's link that nothing corrected: the device may be reset, or be gone.", \
        "the card and its slot", "card, riser or slot with a bad contact, or a faulty card\nits power",   \
        "pcie-aer,pcie-aer-history,devlink-health,kernel-log", STEP_NONE, 0, 0
#define PCIE_CORRECTED                                                                                    \
    "PCIe corrected an error of this card's link. One harms nothing; many slow it down.",                 \
        "the card and its slot",                                                                          \
        "card, riser or slot with a bad contact\na link that runs at a speed that the way doesn't carry", \
        "pcie-aer,pcie-aer-history,pcie-speed,pcie-width", STEP_NONE, 0, 0
#define BNXT_SILENT                                                                                       \
    "Broadcom's firmware didn't answer the driver: until it is reset, neither netdev nor RDMA may work.", \
        THIS, FIRMWARE_CAUSES, "devlink-health,kernel-log,firmware-version,pcie-aer", STEP_NONE, 0, 0
#define QP_MOVE_REFUSED                                                                                                                                     \
    "The firmware refused to move a queue pair on: the program that asked for it got an error, too.", THIS,                                                 \
        "what the program asked for isn't acceptable: address, MTU, timeout, number of reads; its own line has more\nthe GID's slot was emptied meanwhile", \
        "gid-table,gid-index,kernel-log", STEP_NONE, 0, 0
#define QP_NOT_SET_UP                                                                                                                               \
    "The queue pair could not be set up for its port; the other end isn't in it yet.", THIS,                                                        \
        "a right that the device doesn't give, as remote atomics on some vendors' devices\nanother port number or P_Key index than the device has", \
        "pkey-full-member", STEP_NONE, 0, 0
#define CM_REFUSED                                                                                                    \
    "The other host answered RDMA_CM's request, and said no.", "the other host",                                      \
        "nothing listens on that port there, or on another address\nthe server's program turned the connection down", \
        NULL, STEP_NONE, ECONNREFUSED, 0
#define NO_KEY                                                                                                                   \
    "The firmware refused to make a memory key: a registration of memory failed.", THIS,                                         \
        "all memory keys of the device are used up: too many registrations by one program (roce resources mr)\nan old firmware", \
        "kernel-log,firmware-version", STEP_NONE, 0, 0
#define KEY_REFUSED                                                                                                                   \
    "The firmware refused to make a memory key as the driver wants it: a registration of memory failed.",                             \
        THIS,                                                                                                                         \
        "driver and firmware don't agree on this kind of key, as NVMe's for protection information with some MLNX_OFED: update them", \
        "kernel-log,firmware-version", STEP_NONE, 0, 0
#define NO_SOFT_DEVICE                                                                                                                                                                                         \
    "The RDMA device in software wasn't made.", THIS,                                                                                                                                                          \
        "a device of that name, or one on that netdev, is there already, perhaps in another network namespace: names are the kernel's, not the namespace's\na netdev that can't carry one, as a VLAN's (rxe)", \
        "rdma-namespace-mode", STEP_NONE, 0, 0
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
    "no provider for the device in this image (rdma-core, ibverbs-providers)"
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
#define FOLLOWS_OTHERS "Follows another line, which has the reason.", THIS, "the lines before it", NULL
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

#define IRDMA_DIDNT_START "Intel's RDMA driver could not start: the netdev works, RDMA doesn't.", THIS
#define CLOUD_SILENT                                                                                                                                      \
    "The cloud's device didn't answer a command of its RDMA driver, which sends no more after that: no queue and no memory region can be made any more.", \
        "the virtual machine's host",                                                                                                                     \
        "a fault of the host: restart the virtual machine, and ask the provider if it comes again",                                                       \
        "kernel-log", STEP_NONE, 0, 0
#define DOORBELL_CPU                                                                                                                                                                                \
    "The GPU couldn't map the NIC's doorbell page: IBGDA goes on with the CPU's help, slower, or leaves this NIC out. NVSHMEM before 3.4.5 ends if it finds no other way.",                         \
        THIS,                                                                                                                                                                                       \
        "the NVIDIA driver without NVreg_RegistryDwords=\"PeerMappingOverride=1;\": NVSHMEM_IBGDA_NIC_HANDLER=cpu keeps it from trying\na virtual function, or a container, that doesn't allow it", \
        NULL, STEP_NONE, 0, 0

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
    { "NCCL", "NET/IB*Got completion*status=IBV_WC_LOC_PROT_ERR(4)*vendor_err=81", GPU_MEMORY_REFUSED, STEP_NONE, 0, IBV_WC_LOC_PROT_ERR },
    { "NCCL", "NET/IB*Got completion from peer*status={status}", LOST_RANK, NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "NCCL", "NET/IB*Got completion from peer*status=IBV_WC_*({status})", LOST_RANK, NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "NCCL", "NET/IB*Got completion from peer*with error {status},", LOST_RANK, NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "NCCL", "NET/IB*Got completion with error {status},", LOST_RANK, NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "NCCL", "NET/IB*Got*async event*: {async}", NULL, NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "NCCL", "NET/IB*async fatal event*: {async}", NULL, NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "NCCL", "NET/IB*GID table changed", "A GID of the port was added, removed or moved while NCCL ran.", THIS, "an address of the netdev was added, removed or renewed (DHCP, NetworkManager)\nthe link went down and came back", "gid-address,link-flaps,nccl-gid-index", STEP_NONE, 0, 0 },
    { "NCCL", "NET/IB*unknown event type ({asyncnumber})", NULL, NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "NCCL", "NET/IB: Fatal error. Detected * failed devices", "NCCL lost every port that it could have gone on with.", "any rank, and its ports", "links that went down, or packets that don't get through: the lines before it name each device", "port-active,link-flaps,transport-retries", STEP_NONE, 0, 0 },
    { "NCCL", "NET/IB: Device * marked as failed", "NCCL lost a port, and goes on over the others if there are any.", "this host's port, or the way to the peer", "the link went down, here or there\npackets don't get through: the bad completion before it", "port-active,link-flaps,transport-retries", STEP_NONE, 0, 0 },
    { "NCCL", "Call to ibv_modify_qp failed with 22 ", WRONG_GID_OF_NCCL },
    { "NCCL", "Call to ibv_modify_qp failed with error Invalid argument", WRONG_GID_OF_NCCL },
    { "NCCL", "Call to ibv_modify_qp failed with {errno} ", "NCCL could not connect a queue pair to the other rank's.", NULL, NULL, NULL, STEP_RTR, 0, 0 },
    { "NCCL", "Call to ibv_modify_qp failed with error {error}", "NCCL could not connect a queue pair to the other rank's.", NULL, NULL, NULL, STEP_RTR, 0, 0 },
    { "NCCL", "Call to ibv_reg_mr*failed with error Cannot allocate memory", NULL, THIS, NULL, NULL, STEP_REGISTER, ENOMEM, 0 },
    { "NCCL", "Call to ibv_reg_mr*failed with error Bad address", "GPU memory could not be registered with the NIC.", THIS, GPU_CAUSES, NULL, STEP_REGISTER, EFAULT, 0 },
    { "NCCL", "Call to ibv_reg_mr*failed with error Invalid argument", REGISTER_REFUSED },
    { "NCCL", "Call to *reg_dmabuf_mr failed with error {error}", "GPU memory could not be registered with the NIC by dma-buf; NCCL falls back to nvidia_peermem where that is loaded.", THIS, GPU_CAUSES, NULL, STEP_REGISTER, 0, 0 },
    { "NCCL", "Call to ibv_reg_mr*failed with error {error}", "Memory could not be registered with the NIC.", THIS, NULL, NULL, STEP_REGISTER, 0, 0 },
    { "NCCL", "Call to ibv_reg_mr*failed", "Memory could not be registered with the NIC; this version doesn't say why.", THIS, MEMLOCK_LIMIT "GPU memory, and no nvidia_peermem to register it", "memlock-limit,gdr-peer-memory", STEP_REGISTER, 0, 0 },
    { "NCCL", "Call to ibv_create_cq failed with error {error}", "A completion queue could not be made.", THIS, MEMLOCK_CAUSES, "memlock-limit,memlock-trial", STEP_CQ, 0, 0 },
    { "NCCL", "Call to ibv_create_cq failed", "A completion queue could not be made; nearly always the limit on locked memory.", THIS, MEMLOCK_CAUSES, "memlock-limit,memlock-trial", STEP_CQ, ENOMEM, 0 },
    { "NCCL", "Call to ibv_create_qp failed with error Cannot allocate memory", "A queue pair could not be made.", THIS, MEMLOCK_CAUSES, "memlock-limit,memlock-trial", STEP_QP, ENOMEM, 0 },
    { "NCCL", "Call to ibv_create_qp failed with error {error}", "A queue pair could not be made.", THIS, QP_CAUSES, NULL, STEP_QP, 0, 0 },
    { "NCCL", "Call to ibv_create_qp failed", "A queue pair could not be made.", THIS, MEMLOCK_CAUSES, "memlock-limit,memlock-trial", STEP_QP, 0, 0 },
    { "NCCL", "Call to ibv_query_gid failed", "NCCL could not read the GID that it was to use.", THIS, "NCCL_IB_GID_INDEX is beyond the port's table: roce gids\nthe device is being reset, or failed: dmesg", "nccl-gid-index,gid-index,kernel-log", STEP_PORT, 0, 0 },
    { "NCCL", "Call to ibv_query_*failed", "The device was opened, and doesn't answer what it is, or how its port is.", THIS, "the device is being reset, or failed: dmesg\nprovider and kernel that don't fit each other", "kernel-log,devlink-health,verbs-abi", STEP_PORT, 0, 0 },
    { "NCCL", "Call to ibv_alloc_pd failed", "The device was opened, and doesn't give NCCL a place of its own (protection domain).", THIS, "the device is being reset, or failed: dmesg\na cgroup limits RDMA objects: rdma.max", "kernel-log,devlink-health", STEP_PD, 0, 0 },
    { "NCCL", "ncclIbRoceGetVersionNum: ", "NCCL asked for the RoCE version of an empty slot of the GID table, and gave up.", THIS, "NCCL before 2.26 beside holes in the table, as a pod with a macvlan has them: a newer NCCL\nmeanwhile NCCL_IB_GID_INDEX, or slots without holes: netdev down and up", "gid-holes,gid-type", STEP_NONE, 0, 0 },
    { "NCCL", "Call to ibv_open_device failed", "The device could not be opened.", THIS, "a container without /dev/infiniband (--device, or a device plugin)\nthis user may not open the device node\nno provider for the device in this image (rdma-core, ibverbs-providers)", "uverbs-node,verbs-provider,verbs-abi", STEP_OPEN, 0, 0 },
    { "NCCL", "Call to ibv_get_async_event failed", "NCCL's watch of a device ended: the device is going away, or the job is being torn down after another error.", THIS, "an error before this line\nthe device failed or was reset: dmesg", "kernel-log,devlink-health", STEP_NONE, 0, 0 },
    { "NCCL", "NET/IB : No device found", "NCCL sees no RDMA device that it may use, and goes by TCP sockets: slow, and without another word.", THIS, "a container without /dev/infiniband: --device=/dev/infiniband --cap-add=IPC_LOCK, or a device plugin\nNCCL_IB_HCA names or excludes what isn't there, or NCCL_IB_DISABLE=1\nno port is ACTIVE, or libibverbs or the provider isn't in the image", "rdma-device,uverbs-node,port-active,nccl-ib-hca,rdma-switched-off", STEP_NONE, 0, 0 },
    { "NCCL", "NET/IB : No IP interface found", NO_BOOTSTRAP, STEP_NONE, 0, 0 },
    { "NCCL", "NET/IB : Unable to open device", "The device is listed, and could not be opened.", THIS, "a container without the device node\nthis user may not open it\nthe device is another process's alone", "uverbs-node", STEP_OPEN, 0, 0 },
    { "NCCL", "NET/IB : GPU Direct RDMA Disabled", "NCCL copies through host memory: GPUDirect can't be used with this NIC. It works, slower.", THIS, "neither dma-buf nor nvidia_peermem: /sys/kernel/mm/memory_peers/nv_mem*/version is missing\nnvidia_peermem is loaded but not registered with this RDMA driver (load it after that)\nGPU and NIC are further apart than NCCL_NET_GDR_LEVEL allows", "numa-far,pcie-acs", STEP_NONE, 0, 0 },
    { "NCCL", "NET/IB : Attempted to connect incompatible devices", "Two ranks chose NICs of different kinds: InfiniBand and RoCE.", "both: their NCCL_IB_HCA", "NCCL_IB_HCA isn't set, or differs, and a storage or management NIC was taken on one host", "nccl-ib-hca,consumer-choice", STEP_NONE, 0, 0 },
    { "NCCL", "NET/IB : Remote * device is incompatible with the local", "Two ranks chose NICs of different kinds: InfiniBand and RoCE.", "both: their NCCL_IB_HCA", "NCCL_IB_HCA isn't set, or differs, and a storage or management NIC was taken on one host", "nccl-ib-hca", STEP_NONE, 0, 0 },
    { "NCCL", "NET/IB : Attempted to merge incompatible devices", "Two ports that NCCL was to use as one are of different kinds: InfiniBand and RoCE.", THIS, "NCCL_NET_FORCE_MERGE, or a topology file, names ports of both kinds\nNCCL_IB_HCA takes ports that aren't for this job", "nccl-ib-hca", STEP_NONE, 0, 0 },
    { "NCCL", "NET/OFI*fi_getinfo() call failed: {error}", "NCCL's plugin for libfabric found no provider that it can use; NCCL goes on without it, mostly by TCP.", THIS, "a container that wasn't given EFA's devices: --device=/dev/infiniband, or the device plugin's resource\na libfabric without EFA, or older than the plugin: another one comes first in LD_LIBRARY_PATH\nFI_PROVIDER names another provider", "rdma-device,uverbs-node,device-hidden", STEP_NONE, 0, 0 },
    { "NCCL", "NET/OFI Selected Provider is tcp", "NCCL's plugin for libfabric goes by TCP, not by RDMA.", THIS, "a container that wasn't given EFA's devices: --device=/dev/infiniband, or the device plugin's resource\na libfabric without EFA: FI_PROVIDER=efa makes it end instead\na machine type without EFA", "rdma-device,uverbs-node,device-hidden", STEP_NONE, 0, 0 },
    { "NCCL", "NET/OFI*Protocol not available", "NCCL's plugin for libfabric sets an option that libfabric, or the provider it chose, hasn't got.", THIS, "the plugin was built with a newer libfabric than the one that is loaded\na provider that isn't EFA: the line 'Selected Provider' before it", "rdma-device,uverbs-node", STEP_NONE, 0, 0 },
    { "NCCL", "NET/OFI*initialization failed", "NCCL's plugin for libfabric gave up: the line before it has the reason.", THIS, "the line before it", NULL, STEP_NONE, 0, 0 },
    { "NCCL", "Ip address '*' is invalid for family", "The range of addresses that a GID is to be in is of another family than the GID is to be of, and isn't looked at. No fault where nobody set a range.", THIS, "NCCL_IB_ADDR_RANGE or NVSHMEM_IB_ADDR_RANGE is of another family than *_IB_ADDR_FAMILY", NULL, STEP_NONE, 0, 0 },
    { "NCCL", "NET/Plugin*Could not find", NO_PLUGIN },
    { "NCCL", "NET/Plugin*libnccl-net.so: cannot open shared object file", NO_PLUGIN },
    { "NCCL", "NET/Plugin*No plugin found", NO_PLUGIN },
    { "NCCL", "Plugin: Failed to find nccl", "A plugin hasn't got this version of an interface; NCCL goes on with another version, or without. No fault.", THIS, NULL, NULL, STEP_NONE, 0, 0 },
    { "NCCL", "NET/IB : Unable to query ", "The device was opened, and doesn't answer what it is, or how its port is.", THIS, "the device is being reset, or failed: dmesg\nprovider and kernel that don't fit each other", "kernel-log,devlink-health,verbs-abi", STEP_NONE, 0, 0 },
    { "NCCL", "posted incorrect receive info", "The other rank posted a receive that doesn't fit what this one sends.", "both: their programs", "ranks are out of step: another operation, size or type on one\nranks of different versions of NCCL or of the program", NULL, STEP_NONE, 0, 0 },
    { "NCCL", "communicator encountered a fatal error", "The communicator has ended by an event that NCCL printed before it.", THIS, "the line before it: 'async fatal event', 'GID table changed'", NULL, STEP_NONE, 0, 0 },
    { "NCCL", "Failed to open libibverbs.so", NO_VERBS_LIBRARY },
    { "NCCL", "dlvsym failed on mlx5dv_", "libmlx5 is older than a function that NCCL would use if it were there. No fault.", THIS, "an rdma-core from before that function: what it is for, as Data Direct, isn't used", NULL, STEP_NONE, 0, 0 },
    { "NCCL", "Failed to open mlx5dv symbols", "NCCL does without what only newer libmlx5 offer (ConnectX-8's Data Direct). No fault.", NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "RCCL", "Failed to open ionicdv symbols", "RCCL does without what AMD's library for its Pensando NICs offers. No fault elsewhere.", THIS, "on a host with these NICs: their libionic isn't installed, or is too old", "verbs-provider", STEP_NONE, 0, 0 },
    { "NCCL", "NCCL_IB_DISABLE set by environment to 1", "NCCL is told not to use RDMA, and goes by TCP sockets.", "every process of the job", "NCCL_IB_DISABLE=1 in the job's environment, in its image, or in /etc/nccl.conf", "rdma-switched-off", STEP_NONE, 0, 0 },
    { "RCCL", "Missing \"iommu=pt\" from kernel command line", "RCCL warns: an IOMMU that translates makes GPUs and NICs slow or hang on AMD's machines.", THIS, "iommu=pt isn't on the kernel's command line", "iommu-translation", STEP_NONE, 0, 0 },
    { "RCCL", "Dmabuf feature disabled without NCCL_DMABUF_ENABLE=1", "RCCL registers GPU memory by dma-buf only when told to. No fault where the RDMA driver takes amdgpu's peer memory.", THIS, NULL, NULL, STEP_NONE, 0, 0 },
    { "NCCL", "NCCL INFO Using network Socket", "NCCL goes by TCP sockets, not by RDMA.", THIS, NO_RDMA_CAUSES, "rdma-switched-off,uverbs-node,nccl-ib-hca", STEP_NONE, 0, 0 },
    { "NCCL", "NCCL INFO NET/Socket : Using", "NCCL goes by TCP sockets, not by RDMA.", THIS, NO_RDMA_CAUSES, "rdma-switched-off,uverbs-node,nccl-ib-hca", STEP_NONE, 0, 0 },
    { "NCCL", "NCCL*: Connection closed by remote peer", "The other rank ended NCCL's TCP connection, which is for meeting and for news, not for data: that rank failed first, and its own lines say why.", "the other end", "the peer's process failed, or was ended: out of memory, an exception, its scheduler\nsomething that isn't NCCL connected to its port, as a scanner (NCCL before 2.27.3)", NULL, STEP_NONE, 0, 0 },
    { "NCCL", "NCCL*onnect to *failed : {error}", "NCCL's TCP connection, over which ranks meet, could not be made; RDMA hasn't begun.", OTHER, RANKS_MEET, "nccl-socket-ifname", STEP_CONNECT, 0, 0 },
    { "NCCL", "NCCL WARN*onnect*returned {error}", "NCCL's TCP connection, over which ranks meet, could not be made; RDMA hasn't begun.", OTHER, RANKS_MEET, "nccl-socket-ifname", STEP_CONNECT, 0, 0 },
    { "NCCL", "NCCL WARN socketPollConnect: *returned {errno}(", "NCCL's TCP connection, over which ranks meet, could not be made; RDMA hasn't begun.", OTHER, RANKS_MEET, "nccl-socket-ifname", STEP_CONNECT, 0, 0 },
    { "NCCL", "NCCL WARN socketPollConnect poll() returned", "NCCL's TCP connection, over which ranks meet, could not be made; RDMA hasn't begun.", OTHER, RANKS_MEET, "nccl-socket-ifname", STEP_CONNECT, ETIMEDOUT, 0 },
    { "NCCL", "NCCL WARN socketStartConnect: exceeded ", "NCCL's TCP connection, over which ranks meet, could not be made; RDMA hasn't begun.", OTHER, RANKS_MEET, "nccl-socket-ifname", STEP_CONNECT, ETIMEDOUT, 0 },
    { "NCCL", "socketPollConnect: connect to *returned {error}", "NCCL's TCP connection, over which ranks meet, could not be made; RDMA hasn't begun.", OTHER, RANKS_MEET, "nccl-socket-ifname", STEP_CONNECT, 0, 0 },
    { "NCCL", "NCCL WARN socketPollConnect: exceeded ", "NCCL's TCP connection, over which ranks meet, could not be made; RDMA hasn't begun.", OTHER, RANKS_MEET, "nccl-socket-ifname", STEP_CONNECT, ETIMEDOUT, 0 },
    { "NCCL", "NCCL INFO*onnect*returned {error}", "NCCL's TCP connection, over which ranks meet, wasn't made yet; NCCL tries again. RDMA hasn't begun.", OTHER, RANKS_MEET, "nccl-socket-ifname", STEP_CONNECT, 0, 0 },
    { "NCCL", "WARN Socket creation failed : {error}", "NCCL could not make a TCP socket for its bootstrap.", THIS, "the netdev that NCCL took has an IPv6 address, and IPv6 is off in this kernel or container: NCCL_SOCKET_FAMILY=AF_INET\nno netdev but the loopback has an address", "nccl-socket-ifname", STEP_NONE, 0, 0 },
    { "NCCL", "is neither AF_INET(", NO_BOOTSTRAP, STEP_NONE, 0, 0 },
    { "NCCL", "NCCL WARN no device found ", NO_BOOTSTRAP, STEP_NONE, 0, 0 },
    { "NCCL", "Call to recv from * failed : {error}", "NCCL's TCP connection to the other rank broke: it is for meeting and for news, so what failed comes before, most likely there.", "the other end", "the peer's process failed, or was ended: its own lines say why\na firewall or a load balancer between the hosts ended the connection", NULL, STEP_NONE, 0, 0 },
    { "NCCL", "Bootstrap : no socket interface found", NO_BOOTSTRAP, STEP_NONE, 0, 0 },
    { "NCCL", "NCCL WARN Error: network * not found", "NCCL_NET names a network that NCCL could not bring up here.", THIS, "NCCL_NET=IB, and no RDMA device that can be used: the lines before it\nNCCL_NET names a plugin that isn't installed", "rdma-switched-off,uverbs-node,nccl-ib-hca", STEP_NONE, 0, 0 },
    { "NCCL", "ncclRemoteError: A call failed possibly due to a network error", LAST_OF_NCCL, STEP_NONE, 0, 0 },
    { "NCCL", "remote process exited or there was a network error", LAST_OF_NCCL, STEP_NONE, 0, 0 },
    { "NCCL", "ncclSystemError: System call", "A call of the system or of libibverbs failed: 'Last error:' behind it, or the WARN line before it, says which.", THIS, "an NCCL WARN line before this, of any rank", NULL, STEP_NONE, 0, 0 },
    { "NCCL", "NCCL*unhandled system error", "A call of the system or of libibverbs failed: the WARN line before it, with NCCL_DEBUG=WARN or INFO, says which.", THIS, "an NCCL WARN line before this, of any rank", NULL, STEP_NONE, 0, 0 },
    { "NCCL", "ncclRemoteError: A call failed", REMOTE_ERROR },
    { "NCCL", "failed to extend /dev/shm/nccl-", "Shared memory between ranks of one host is too small: not the network.", THIS, "a container's /dev/shm: --shm-size, or an emptyDir of medium Memory", NULL, STEP_NONE, 0, 0 },
    { "NCCL", "unlink shared memory /dev/shm/nccl-", "Somebody else removed NCCL's shared memory: not the network.", THIS, "systemd removes what users without a session leave there: RemoveIPC=no in logind.conf", NULL, STEP_NONE, 0, 0 },
    { "NCCL", "Failed to initialize any NET plugin", "NCCL has no network that it could bring up, neither a plugin nor its own.", THIS, "NCCL_NET or NCCL_NET_PLUGIN names one that isn't there, or finds no device\nno netdev for its sockets: NCCL_SOCKET_IFNAME", "nccl-ib-hca,nccl-socket-ifname,rdma-switched-off", STEP_NONE, 0, 0 },
    { "NCCL", "ncclUnhandledCudaError", CUDA_FAILED },
    { "NCCL", "NCCL*unhandled cuda error", CUDA_FAILED },
    { "NCCL", "NCCL WARN Cuda failure ", CUDA_FAILED },
    { "NCCL", "internal error - please report this issue to the NCCL developers", INTERNAL_ERROR },
    { "NCCL", "ncclInternalError: Internal check failed", INTERNAL_ERROR },
    { "NCCL", "[Proxy Service*Failed to execute operation", FOLLOWS_OTHERS, STEP_NONE, 0, 0 },
    { "NCCL", "[Service thread] Error encountered progressing operation", "Follows another line of NCCL, which has the reason.", THIS, "the WARN line before it, of this rank or another", NULL, STEP_NONE, 0, 0 },
    { "NCCL", "[Service thread] Accept failed", "NCCL's helper thread could not take a connection of another process of this host.", THIS, "the job is being torn down after another error: the first WARN line\nno file descriptors are left (Too many open files): ulimit -n", NULL, STEP_NONE, 0, 0 },
    { "NCCL", "[Service thread] Connection closed by localRank", "The process of another GPU of this host ended, or gave its communicator back. No fault at the end of a job; before it, that rank's own lines say why.", NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "NCCL", "Socket recv failed while polling for opId", FOLLOWS_OTHERS, STEP_NONE, 0, 0 },
    { "aws-ofi-nccl", "NET/OFI Unable to insert remote address", "EFA doesn't take the other end's address.", "both hosts' security group", "the security group doesn't allow all traffic from and to itself, in both directions", NULL, STEP_NONE, 0, 0 },
    { "aws-ofi-nccl", "NET/OFI * completed with error", "A transfer ended badly; the provider's own lines (FI_LOG_LEVEL=warn) say how.", OTHER, "the other rank ended: its own log\nthe security group doesn't allow all traffic from and to itself", NULL, STEP_NONE, 0, 0 },
    { "aws-ofi-nccl", "NCCL WARN NET/OFI Couldn't *RC: {errno}", "NCCL's plugin for libfabric could not set the network up.", THIS, "plugin, libfabric and EFA's driver of different ages: EFA's installer brings those that fit\nFI_PROVIDER names a provider that can't do what NCCL needs", "uverbs-node", STEP_NONE, 0, 0 },
    { "NCCL", "Message truncated : received*bytes instead of", "Two ranks disagree about the size of a message: another program spoke to this port, or ranks are out of step.", "both: their programs", "ranks of different versions of NCCL or of the program\nsomething else connected to NCCL's port (a scanner)", NULL, STEP_NONE, 0, 0 },
    { "PyTorch", "Watchdog caught collective operation timeout", "A collective operation didn't end in its time (10 or 30 minutes, unless the program says otherwise). This rank waited; who kept it waiting, the line doesn't say.", "any rank: the one without such a line, or whose last completed operation is the earliest", "a rank failed, hangs, or does something else: compare SeqNum and OpType of all ranks\nranks are out of step, with different operations or data that ran out on one\nthe network: NCCL's WARN lines of any rank, and what each host's doctor says", "port-active,transport-retries,link-flaps", STEP_NONE, 0, 0 },
    { "PyTorch", "is setting up NCCL communicator and ret", "This rank waited in vain for NCCL's id from another one, over PyTorch's TCP store: NCCL hasn't begun, nor has RDMA.", "the rank that it names, mostly 0", "that rank failed, or is still busy: loading, compiling, preparing data; its own log\nranks are out of step, and make their groups in another order\nTCP to MASTER_ADDR is blocked or slow", NULL, STEP_NONE, 0, 0 },
    { "PyTorch", "The client socket has timed out after", NO_STORE },
    { "PyTorch", "The client socket has failed to connect to", NO_STORE },
    { "PyTorch", "The hostname of the client socket cannot be retrieved", "PyTorch finds no name for the other end's address, and goes on without one. No fault.", THIS, NULL, NULL, STEP_NONE, 0, 0 },
    { "PyTorch", "Timed out after * seconds waiting for clients. *clients joined", NO_STORE },
    { "PyTorch", "in store based barrier on rank", NO_STORE },
    { "PyTorch", "connection to the C10d store has failed", NO_STORE },
    { "PyTorch", "gloo/transport/tcp/*onnection closed by peer", "Another rank ended its TCP connection of Gloo, which has no RDMA in it: that rank failed first.", "the other end", "that rank's process failed, or was ended: its own log has the reason", NULL, STEP_NONE, 0, 0 },
    { "PyTorch", "connectFullMesh failed with", "Gloo, which PyTorch and vLLM use beside NCCL, could not connect all ranks by TCP: there is no RDMA in it.", "each host's choice of a netdev", "the host's name resolves to an address that others can't reach: GLOO_SOCKET_IFNAME\na firewall between the hosts drops TCP", NULL, STEP_NONE, 0, 0 },
    { "PyTorch", "Some NCCL operations have failed or timed out", "Follows the failure of a collective operation, and ends the process.", "any rank: the one whose log has the first error", "'Watchdog caught collective operation timeout' before it\nNCCL's WARN lines of any rank", NULL, STEP_NONE, 0, 0 },
    { "PyTorch", "we are taking the entire process down", "Follows the failure of a collective operation, and ends the process.", "any rank: the one whose log has the first error", "the lines before it: 'Watchdog caught collective operation timeout', or an NCCL error", NULL, STEP_NONE, 0, 0 },
    { "PyTorch", "NCCL communicator was aborted on rank", "Follows another line, and what stands behind it: the reason for which this rank gave up.", "any rank: the one whose log has the first error", "a collective operation that didn't end in its time: a rank that is out of step, or a network that doesn't carry it\nan NCCL error before it", NULL, STEP_NONE, 0, 0 },
    { "PyTorch", "watchdog got stuck for", "PyTorch's watchdog of NCCL itself stands still, and the process is ended: a call of CUDA or NCCL doesn't return.", "any rank: the one whose log has the first error", "a collective operation that hangs: another rank failed or is out of step\na call of CUDA that hangs: dmesg (Xid)", NULL, STEP_NONE, 0, 0 },
    { "SGLang", "remote mooncake session * is not alive", "Another instance didn't answer over Mooncake: it has ended, or transfers to it failed.", "the other instance", "the process there ended: its own log\nMooncake's lines (E…) before it say what failed on the way", NULL, STEP_NONE, 0, 0 },
    { "NIXL", "Unexpected UCX error: Endpoint timeout", "UCX gave the other end up: it didn't answer in time.", "the other end, or the way there", "the other process ended or hangs: its own log\npackets get lost on the way, or the two ports have none to each other: UCX's lines before it", "transport-retries,gid-routable,port-active", STEP_NONE, 0, 0 },
    { "NIXL", "Unexpected UCX error: ", FOLLOWS_OTHERS, STEP_NONE, 0, 0 },
    { "NIXL", "NIXL_ERR_REMOTE_DISCONNECT", "The connection to another instance is gone.", "the other instance, or the way there", "the process there ended: its own log\na bad completion here: UCX's lines before it", "transport-retries,port-active", STEP_NONE, 0, 0 },
    { "NIXL", "NIXL_ERR_BACKEND", FOLLOWS_OTHERS, STEP_NONE, 0, 0 },
    { "SGLang", "KVTransferError(*Failed to ", "The transfer of a request's data between two instances failed; the library that makes it (Mooncake, NIXL) says why.", "either instance", "the lines of Mooncake or UCX before it, there and here\nthe other instance ended, or was restarted", "port-active,transport-retries", STEP_NONE, 0, 0 },
    { "DeepEP", "DeepEP *timeout*channel", "A kernel of DeepEP waited in vain for another rank's data.", "any rank: the one whose log has the first error", "another rank failed, hangs, or is late\nRDMA between two ranks doesn't come through: NVSHMEM_IB_GID_INDEX, traffic class, packets that get lost or out of order", "gid-type,transport-retries,out-of-sequence,port-active", STEP_NONE, 0, 0 },
    { "DeepEP", "DeepEP error: *timeout", "A process of DeepEP waited in vain for another rank's data.", "any rank: the one whose log has the first error", "another rank failed, hangs, or is late: in model code, by fewer tokens, or an exception\nRDMA between two ranks doesn't come through: NVSHMEM_IB_GID_INDEX, traffic class, packets that get lost", "gid-index,retransmissions,out-of-sequence", STEP_NONE, 0, 0 },
    { "DeepEP", "DeepEP timeout check failed", "A process of DeepEP waited in vain for another rank of the same host, over NVLink: not the network's fault.", "any rank: the one whose log has the first error", "another rank failed, hangs, or is late", NULL, STEP_NONE, 0, 0 },

    /* UCX */
    { "UCX", "count exceeded on *(synd {syndrome} ", NULL, NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "UCX", "Error on *(synd {syndrome} ", NULL, NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "UCX", "ib_mlx5_log.c*(synd 0x4 vend 0x51 ", GPU_MEMORY_UNREACHED },
    { "UCX", "ib_mlx5_log.c*(synd {syndrome} ", NULL, NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "UCX", "UCX*with error: {error}", NULL, NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "UCX", "UCX*error 'Connection reset by remote peer' on *", "UCX' connection to another process ended: that process went first.", "the other end", "the peer's process failed, or was ended: its own lines say why", NULL, STEP_NONE, 0, 0 },
    { "UCX", "UCX*: error 'Endpoint timeout' on *", "The other end acknowledged nothing in time.", "the other end, or the way there", "the peer's process, address or link went away\nthe two ports have no way to each other: rail, subnet, VLAN, firewall\npackets are lost on the way", "port-active,gid-routable,transport-retries,firewall-4791", STEP_NONE, 0, 0 },
    { "UCX", "UCX*: error '*' on * will not be handled", "Follows another line, which has the reason; the program has no handler for it, and ends.", THIS, "the ib_mlx5_log.c line beside it, with 'synd'", NULL, STEP_NONE, 0, 0 },
    { "UCX", "UCX*Error Endpoint timeout was not handled for ep", "The other end acknowledged nothing in time, and the program has no handler for it.", "the other end, or the way there", "the peer's process, address or link went away\nthe two ports have no way to each other: rail, subnet, VLAN, firewall\npackets are lost on the way", "port-active,gid-routable,transport-retries,firewall-4791", STEP_NONE, 0, 0 },
    { "UCX", "UCX*was not returned to mpool", "The program ended while requests were under way. No fault of the network; where it ended early, another line has the reason.", NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "UCX", "UCX*cannot reach *no route to ", "UCX rules this pair of ports out: by the kernel's routes one leads not to the other.", "this host: its routes", "other rails, which are no fault while one pair is left\nthe route to the peer's subnet leaves by another netdev: a gateway on each rail, or UCX_IB_ROCE_REACHABILITY_MODE=all", "rail-routes,gid-route", STEP_NONE, 0, 0 },
    { "UCX", "UCX*connect to * failed: device * is not enabled", "The address that was given leads to a device that UCX may not use.", THIS, "UCX_NET_DEVICES leaves that device out\nanother address was meant", "ucx-net-devices", STEP_NONE, 0, 0 },
    { "UCX", "ib_mlx5_log.c*QP 0x*wqe[", "The request that the line before this is about: rqpn is the other end's queue pair, dgid or rlid its address, sgix the own GID's index.", "both: the line names the peer", NULL, NULL, STEP_NONE, 0, 0 },
    { "UCX", "reg_mr(*failed: Bad address", "Memory could not be registered with the NIC.", THIS, GPU_CAUSES, NULL, STEP_REGISTER, EFAULT, 0 },
    { "UCX", "reg_mr(*failed: Invalid argument", REGISTER_REFUSED },
    { "UCX", "UCX*ibv_reg_mr*failed: {error}", "Memory could not be registered with the NIC.", THIS, NULL, NULL, STEP_REGISTER, 0, 0 },
    { "UCX", "create_cq(*failed: Cannot allocate memory", "A completion queue could not be made; nearly always the limit on locked memory.", THIS, MEMLOCK_CAUSES, "memlock-limit,memlock-trial", STEP_CQ, ENOMEM, 0 },
    { "UCX", "UCX*ibv_create_qp*failed: {error}", "A queue pair could not be made.", THIS, NULL, NULL, STEP_QP, 0, 0 },
    { "UCX", "failed to create * QP *: Cannot allocate memory", "A queue pair could not be made.", THIS, QP_CAUSES "\nmany ranks a node: the device's doorbell pages or queue pairs are used up (PF_LOG_BAR_SIZE)", "memlock-limit,kernel-log", STEP_NONE, 0, 0 },
    { "UCX", "IB Async event on *: {async}", NULL, NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "UCX", "UCX*ibv_create_srq*failed: Operation not supported", "UCX tried a transport that needs what this device hasn't got (shared receive queues, RC), and goes on to the next.", THIS, "a device without RC, as EFA: libfabric is made for that\na device without shared receive queues (max_srq 0), as AMD's Pollara: UCX has no RC on it", NULL, STEP_SRQ, EOPNOTSUPP, 0 },
    { "MSCCL++", "ibv_modify_qp failed (errno {errno})", "MSCCL++ could not connect a queue pair to the other rank's.", NULL, NULL, NULL, STEP_RTR, 0, 0 },
    { NULL, "ibv_modify_qp failed (errno {errno})", NULL, NULL, NULL, NULL, STEP_RTR, 0, 0 },
    { NULL, "Failed to modify * QP to INIT on *: {error}", "A queue pair could not be made ready (INIT), before any peer comes into it.", THIS, "the port or the P_Key index that was asked for isn't the device's: on RoCE there is P_Key 0 alone\nOpen MPI's old component openib, where UCX is used: --mca btl ^openib", "pkey-asked", STEP_NONE, 0, 0 },
    { NULL, "odif*QP*to INIT", QP_NOT_SET_UP },
    { NULL, "ibv_modify_qp*to INIT", QP_NOT_SET_UP },
    { "UCX", "UCX*ibv_modify_qp*failed*: {error}", NULL, NULL, NULL, NULL, STEP_RTR, 0, 0 },
    { "UCX", "UCX*ibv_create_ah(*failed: Invalid argument", "No address handle could be made: the own GID (sgid_index) and the peer's (dgid) don't go together.", "this host's port, or the peer's choice of one", "the own GID is link-local or IPv6 and the peer's IPv4, or the other way round: a port without an address\na port that isn't for this job: UCX uses all that it finds, unless UCX_NET_DEVICES names some", "gid-routable,gid-address,ucx-net-devices", STEP_NONE, EINVAL, 0 },
    { "UCX", "UCX*ibv_create_ah(*failed: {error}", NULL, OTHER, NULL, NULL, STEP_AH, 0, 0 },
    { "UCX", "UCX*ibv_query_gid(*failed", "UCX could not read the GID that it was to use.", THIS, "UCX_IB_GID_INDEX is beyond the port's table: roce gids\nthe device is being reset, or failed: dmesg", "ucx-gid-index,gid-index,kernel-log", STEP_PORT, 0, 0 },
    { "UCX", "failed to find a gid which matches", "No GID of the port lies in the subnets that UCX was told to use, or to leave out.", THIS, "UCX_IB_ROCE_SUBNETS doesn't fit this host's addresses\nthe netdev has no address yet", "gid-address,gid-routable", STEP_NONE, 0, 0 },
    { "UCX", "both GID_INDEX and ROCE_SUBNET_LIST are specified", "UCX was told of a GID in two ways, and takes none.", THIS, "UCX_IB_GID_INDEX and UCX_IB_ROCE_SUBNETS are both set: unset the index", "ucx-gid-index", STEP_NONE, 0, 0 },
    { "UCX", "UCX*there is no valid pkey to use on", "No P_Key of the port is one that UCX may use.", THIS, "InfiniBand: the subnet manager gave the port limited membership only, or none\nRoCE: the device isn't up yet", "pkey-full-member,subnet-manager,port-active", STEP_NONE, 0, 0 },
    { "UCX", "UCX*unable to find specified pkey", "The P_Key that UCX was told to use (UCX_IB_PKEY) isn't in the port's table. On RoCE there is one only, 0xffff.", THIS, "UCX_IB_PKEY is another cluster's", "pkey-asked", STEP_NONE, 0, 0 },
    { "UCX", "UCX*ibv_create_comp_channel() failed", "UCX could not make a channel of completions: it needs a file descriptor for each.", THIS, "no file descriptors are left (Too many open files): ulimit -n\na container without the device's node", "uverbs-node", STEP_NONE, 0, 0 },
    { "UCX", "ibv_open_device(*failed: Cannot allocate memory", UARS_GONE, STEP_NONE, 0, 0 },
    { "UCX", "mlx5dv_devx_alloc_uar(*failed", UARS_GONE, STEP_NONE, 0, 0 },
    { "UCX", "mlx5dv_devx_obj_create(*failed", "The firmware refused to make a queue or a key; the kernel's log has its status and syndrome.", THIS, "a limit of the device is reached: fewer ranks, or queues of each\na feature that this firmware or function hasn't got", "kernel-log,firmware-version", STEP_NONE, 0, 0 },
    { "UCX", "gdaki channel chunk init: ", FOLLOWS_OTHERS, STEP_NONE, 0, 0 },
    { "UCX", "UCX*tcp_ep *failed: {error}", "A TCP connection of UCX broke; there is no RDMA in it.", OTHER, "the other process ended: its own log\na firewall or a load balancer between the hosts ended the connection", NULL, STEP_NONE, 0, 0 },
    { "UCX", "mlx5dv_devx_qp_modify(*failed, syndrome", "The firmware refused to connect a queue pair to the other end's; the kernel's log has the syndrome.", THIS, "an older UCX, or MLNX_OFED, than the other supports\na GID that is empty or gone, or InfiniBand settings on RoCE", "gid-table,kernel-log", STEP_NONE, 0, 0 },
    { "UCX", "UCX*ibv_open_device(*failed: {error}", "The device could not be opened.", THIS, NULL, "uverbs-node", STEP_OPEN, 0, 0 },
    { "UCX", "failed to register address*Input/output error", "Follows a registration that failed: the line before it has the reason.", THIS, GPU_CAUSES, NULL, STEP_NONE, 0, 0 },
    { "UCX", "UCX*failed to register region *: Input/output error", FOLLOWS_OTHERS, STEP_NONE, 0, 0 },
    { "UCX", "UCX*Failed to allocate memory pool *: Input/output error", FOLLOWS_OTHERS, STEP_NONE, 0, 0 },
    { "UCX", "Couldn't enable GPUDirect RDMA", "GPUDirect is asked for (UCX_IB_GPU_DIRECT_RDMA), and no module that lends GPU memory to the NIC is loaded.", THIS, "nvidia_peermem isn't loaded, or not built for this RDMA stack: modprobe nvidia_peermem", "gdr-peer-memory", STEP_NONE, 0, 0 },
    { "UCX", "GDAKI not supported, please ", "UCX can't let the GPU itself drive the NIC; it goes on without. No fault where nobody wants that.", THIS, "what the line says isn't loaded or set: nvidia_peermem, or NVIDIA's driver with PeerMappingOverride=1", "gdr-peer-memory", STEP_NONE, 0, 0 },
    { "UCX", "UD endpoint *: unhandled timeout error", "The other end answered nothing over UD.", OTHER, "the other process ended or hangs\nthe two ports have no way to each other: another rail, subnet or VLAN\npackets get lost on the way", "port-active,gid-routable,gid-type,firewall-4791", STEP_NONE, 0, 0 },
    { "UCX", "got error event RDMA_CM_EVENT_REJECTED, event status {reject} ", NULL, NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "UCX", "got error event {event}, event status", NULL, NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "UCX", "ibv_fork_init() was disabled or failed", "The program forked while memory is registered, and UCX can't protect it: data of either process may go wrong.", THIS, "an old kernel (before 5.12), or UCX_IB_FORK_INIT=n\na program that forks: system(), Python's multiprocessing with fork", NULL, STEP_NONE, 0, 0 },
    { "UCX", "UCX*not available, please use one or more of", "UCX_NET_DEVICES or UCX_TLS names what isn't there, or isn't usable here.", THIS, "the port isn't ACTIVE, or the name lacks its port ('mlx5_0:1')\na device that this container hasn't got", "ucx-net-devices,port-active,uverbs-node", STEP_NONE, 0, 0 },
    { "UCX", "no usable transports/devices", "UCX found nothing to use among what it may use.", THIS, "UCX_TLS or UCX_NET_DEVICES leaves nothing over\nno port is ACTIVE, or the devices can't be opened", "rdma-switched-off,ucx-net-devices,port-active,uverbs-node", STEP_NONE, 0, 0 },
    { "UCX", "UCX*no * transport to *: ", "The two ends have no transport in common: each line behind it says why one can't be used.", "both: their UCX_TLS and UCX_NET_DEVICES", "UCX_TLS or UCX_NET_DEVICES differ, or allow no RDMA\nthe ports can't reach each other: other subnet, InfiniBand and RoCE", "ucx-net-devices,rdma-switched-off,gid-routable", STEP_NONE, 0, 0 },
    { "UCX", "UCX*Destination is unreachable", "UCX has no way to the other end that both may use; its line 'no … transport to' says why of each.", "both: their UCX_TLS and UCX_NET_DEVICES", "UCX_TLS or UCX_NET_DEVICES differ, or allow no RDMA\nthe ports can't reach each other: other subnet, InfiniBand and RoCE", "ucx-net-devices,rdma-switched-off,gid-routable", STEP_NONE, 0, 0 },
    { "UCX", "UCX*unused environment variable", "A variable that this version of UCX doesn't know: spelt wrongly, or of another version. It has no effect.", THIS, NULL, NULL, STEP_NONE, 0, 0 },

    /* Open MPI */
    { "Open MPI", "Failed to create UCP worker", "Open MPI's UCX component failed to start; UCX's own line before it has the reason.", THIS, "the limit on locked memory\nno device that can be opened", "memlock-limit,uverbs-node", STEP_NONE, 0, 0 },
    { "Open MPI", "pml_ucx.c*Failed to connect to proc", "Follows another line, which has the reason: UCX' own before it.", THIS, "the lines before it", NULL, STEP_NONE, 0, 0 },
    { "Open MPI", "pml_ucx.c*Failed to get ep for rank", "Follows another line, which has the reason: UCX' own before it.", THIS, "the lines before it", NULL, STEP_NONE, 0, 0 },
    { "Open MPI", "Error obtaining unique transport key from", "PSM needs a key that mpirun, or a Slurm with PMIx, hands out: this process was started by neither.", THIS, "srun without --mpi=pmix, or the program itself was run: mpirun\na host without such a NIC: --mca pml ucx, or ob1", NULL, STEP_NONE, 0, 0 },
    { "Open MPI", "Open MPI failed to TCP connect to a peer MPI process", "A TCP connection of Open MPI could not be made: there is no RDMA in it. Where UCX was to carry data, it isn't in use.", "the other end, or the way there", "a netdev that leads nowhere, as docker0 or virbr0: --mca btl_tcp_if_include NETDEV\na firewall between the hosts drops TCP", NULL, STEP_NONE, 0, 0 },
    { "Open MPI", "the default subnet GID prefix was detected on more than one", "InfiniBand: two ports have the subnet prefix that a fabric has by default. No fault where both are on one fabric.", THIS, "two separate fabrics: another prefix for one of them, in its subnet manager", "subnet-manager", STEP_NONE, 0, 0 },
    { "Open MPI", "OpenFabrics stack has reported a network error event", "The device told Open MPI of an event: its number is in the lines behind.", THIS, "the lines behind it: IBV_EVENT_PORT_ERR is a link that went down", "port-active,link-flaps", STEP_NONE, 0, 0 },
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
    { "Open MPI", "At least one pair of MPI processes are unable to reach each other", "Two ranks have no network in common that Open MPI may use.", "both: what --mca pml and btl allow there", "--mca or OMPI_MCA_ leaves nothing over\nUCX isn't built in, or found no device: its own lines\nno subnet in common, or a firewall, where it goes by TCP", "ucx-net-devices,port-active", STEP_NONE, 0, 0 },
    { "Open MPI", "Failed to modify the attributes of a queue pair (QP)", "openib could not connect a queue pair to the other end's.", NULL, NULL, NULL, STEP_RTR, 0, 0 },
    { "Open MPI", "failed to initialize while trying to allocate some locked memory", "The limit on locked memory is too low.", THIS, MEMLOCK_CAUSES, "memlock-limit,memlock-trial", STEP_NONE, 0, 0 },
    { "Open MPI", "configured to only allow registering part of your physical memory", "mlx4's driver is set to register only a part of this host's memory: large jobs fail or get slow.", THIS, "log_num_mtt and log_mtts_per_seg of mlx4_core are too small, as old drivers have them", NULL, STEP_NONE, 0, 0 },
    { "Open MPI", "No components were able to be opened in the pml framework", NO_PML },
    { "Open MPI", "PML ucx cannot be selected", NO_PML },
    { "Open MPI", "PML cm cannot be selected", NO_PML },

    /* MPICH, Intel MPI */
    { "MPI", "OFI endpoint open failed (*:{error})", "MPI's libfabric provider could not make its endpoint.", THIS, "the provider's own lines before it: psm3, verbs, mlx\nthe limit on locked memory: ulimit -l\nmore ranks than the device has queues for", "memlock-limit,uverbs-node", STEP_NONE, 0, 0 },
    { "MPI", "PSM3 can't open nic unit", "Intel's provider psm3 found no NIC that it can use.", THIS, "no RDMA device here, or a container without it\npsm3 was chosen by itself: FI_PROVIDER=tcp or verbs", "rdma-device,uverbs-node,port-active", STEP_NONE, 0, 0 },
    { "MPI", "OFI fi_getinfo() failure", NO_PROVIDER_OF_MPI },
    { "MPI", "OFI addrinfo() failed", NO_PROVIDER_OF_MPI },
    { "MPI", "fabric is not available and fallback fabric is not enabled", NO_PROVIDER_OF_MPI },
    { "MPI", "OFI get address vector map failed", FOLLOWS_OTHERS, STEP_NONE, 0, 0 },

    /* libfabric */
    { "libfabric", "fi_mr_reg failed*{errno}", "Memory could not be registered.", THIS, NULL, NULL, STEP_REGISTER, 0, 0 },
    { "libfabric", "libfabric*There are no active ports", "libfabric's verbs provider found a device without a port that is ACTIVE, and leaves it out.", THIS, "the port is down\nthe netdev is down", "port-active,netdev-up,netdev-carrier", STEP_NONE, 0, 0 },
    { "libfabric", "fi_getinfo: provider *returned -{errno} (", "This provider has nothing for what was asked: normal for those that aren't meant; a fault when it is the last or only one.", THIS, "no port is ACTIVE, or the device can't be opened\nthe program asks for what the provider can't do\nFI_PROVIDER names another one", "port-active,uverbs-node", STEP_NONE, 0, 0 },
    { "libfabric", "fi_getinfo*-{errno} (", "libfabric found nothing to use.", THIS, NULL, "rdma-device,uverbs-node,port-active", STEP_NONE, 0, 0 },
    { "libfabric", "Unresponsive receiver (", "EFA: the other end didn't answer.", OTHER, "the other process ended or crashed\nsecurity group: EFA needs all traffic allowed within the group\nanother subnet or placement: EFA isn't routed", NULL, STEP_NONE, 0, 0 },
    { "libfabric", "Unreachable remote (never received a response)", "EFA: the other end never answered.", OTHER, "the other process ended or crashed\nsecurity group: EFA needs all traffic allowed within the group\nanother subnet or placement: EFA isn't routed", NULL, STEP_NONE, 0, 0 },
    { "libfabric", "efa*message: Unreachable remote", "The other end didn't answer.", "the other end, or the way there", "the peer's process ended, or its instance is gone\na security group that doesn't let all traffic in and out within itself", NULL, STEP_NONE, 0, 0 },
    { "libfabric", "efa*message: Invalid address ", "EFA refused a request: the handle for the other end's address isn't valid any more.", "either", "the other process ended, or came back with another address: its own log\nan old EFA driver or libfabric", "kernel-log", STEP_NONE, 0, 0 },
    { "libfabric", "FI_HMEM capability requires RDMA", "This EFA device has no RDMA read, so no GPUDirect: data goes by host memory. It works, slower.", THIS, "a type of instance without it (p3dn, g4dn): no fault", NULL, STEP_NONE, 0, 0 },
    { "libfabric", "fi_getinfo: provider * output empty list", "This provider has nothing for what was asked: normal for those that aren't meant; a fault when it is the last or only one.", THIS, "no device of its kind, or a container without it\nthe program asks for what the provider can't do", "rdma-device,uverbs-node", STEP_NONE, 0, 0 },

    /* libibverbs, librdmacm */
    { "libibverbs", "libibverbs: Warning: RLIMIT_MEMLOCK is ", "The limit on locked memory is low: little can be registered, and larger programs fail.", THIS, MEMLOCK_LIMIT "no fault for root, whom it doesn't bind, nor for what only lists devices", "memlock-limit,memlock-trial", STEP_NONE, 0, 0 },
    { "libibverbs", "libibverbs: Fatal: kernel ABI version ", "libibverbs and the kernel's ib_uverbs don't fit each other.", THIS, "an old rdma-core on a new kernel, or the other way round", "verbs-abi", STEP_OPEN, 0, 0 },
    { "libibverbs", "couldn't read uverbs ABI version", "The kernel has no ib_uverbs, by which programs use RDMA.", THIS, "the module isn't loaded: modprobe ib_uverbs\na sandbox or container without /sys", "ib-uverbs-module,uverbs-node", STEP_NONE, 0, 0 },
    { "librdmacm", "librdmacm: Warning: couldn't read ABI version", "The kernel has no rdma_ucm, by which programs use RDMA_CM.", THIS, "the module isn't loaded: modprobe rdma_ucm\na sandbox or container without /sys", "rdma-ucm-module,rdma-cm-node", STEP_NONE, 0, 0 },
    { "librdmacm", "librdmacm: Warning: assuming: ", FOLLOWS_OTHERS, STEP_NONE, 0, 0 },
    { "libibverbs", "libibverbs: Warning: couldn't load driver", "libibverbs knows of a provider by its file in /etc/libibverbs.d, and can't load the library. It matters only when a device of this machine needs it.", THIS, "the package of providers isn't installed in this image (ibverbs-providers, rdma-core)\nanother version of libibverbs, as of MLNX_OFED, is found first (LD_LIBRARY_PATH)\na device that this machine hasn't got: then it is noise", "verbs-provider", STEP_NONE, 0, 0 },
    { "libibverbs", "IBVERBS_PRIVATE_", "Provider and libibverbs are of different versions of rdma-core.", THIS, "libraries of the host (MLNX_OFED) and of the image are mixed: LD_LIBRARY_PATH, a mounted /usr/lib", "verbs-provider,verbs-abi", STEP_NONE, 0, 0 },
    { NULL, "libmlx5.so*: cannot open shared object file", "The program, or a part of it, wants a library of rdma-core that isn't installed here: it goes on without RDMA, or not at all.", THIS, "an image without the library: ibverbs-providers (Debian), libibverbs (Red Hat)", "verbs-provider", STEP_NONE, 0, 0 },
    { NULL, "libibverbs.so*: cannot open shared object file", "The program, or a part of it, wants a library of rdma-core that isn't installed here: it goes on without RDMA, or not at all.", THIS, "an image without the library: libibverbs1 and ibverbs-providers (Debian), libibverbs (Red Hat)", "verbs-provider", STEP_NONE, 0, 0 },
    { NULL, "librdmacm.so*: cannot open shared object file", "The program, or a part of it, wants a library of rdma-core that isn't installed here: it goes on without RDMA, or not at all.", THIS, "an image without the library: librdmacm1 (Debian), librdmacm (Red Hat)", "verbs-provider", STEP_NONE, 0, 0 },
    { "libibverbs", "no userspace device-specific driver found for", "The kernel has the device, and libibverbs no provider for it.", THIS, "the package of providers isn't installed (ibverbs-providers, rdma-core; in containers, too)\nthe library is older than the device", "verbs-provider,verbs-abi", STEP_OPEN, 0, 0 },
    { "libibverbs", "does not support the kernel ABI of", "The provider and the kernel's driver don't fit each other.", THIS, "an old rdma-core on a new kernel, or the other way round", "verbs-abi", STEP_OPEN, 0, 0 },
    { "libibverbs", "couldn't open config directory", "libibverbs was built for another prefix, and finds none of its providers.", THIS, "an own build of libibverbs: link or set its libibverbs.d\nthe package of providers isn't installed", "verbs-provider", STEP_OPEN, 0, 0 },
    { "librdmacm", "librdmacm: Fatal: no RDMA devices found", "There is no RDMA device that libibverbs can use.", THIS, "no provider for the device (ibverbs-providers)\na container without /dev/infiniband\nthe driver's RDMA part isn't loaded (mlx5_ib, bnxt_re, irdma)", "rdma-device,nic-rdma-device,uverbs-node,verbs-provider", STEP_NONE, 0, 0 },
    { "librdmacm", "librdmacm: Fatal: unable to get RDMA device list", "libibverbs could not ask the kernel for RDMA devices.", NO_SUCH_DEVICE, STEP_NONE, 0, 0 },
    { "libibverbs", "libibverbs: resolver: Destination unrechable", "libibverbs looked for the MAC of the other end's address, and there is no route to it.", THIS, "the two GIDs are of different networks, or of different kinds (IPv4 and IPv6)\nthe route to the peer is missing", "gid-route,gid-type,rail-routes", STEP_NONE, 0, 0 },
    { "libibverbs", "libibverbs: *eigh resolution process failed", "libibverbs looked for the MAC of the other end's address, and got none.", "the other host, or the way to it", "nobody answers ARP or neighbour discovery for the peer's address\nno route leads there\nthe two ports are on different VLANs", "gid-route,gid-vlan,arp-flux", STEP_NONE, 0, 0 },
    { "librdmacm", "librdmacm: Fatal: unable to open RDMA device", "The RDMA device can't be opened.", THIS, NULL, "uverbs-node", STEP_NODE, ENOENT, 0 },
    { "librdmacm", "rdma_getaddrinfo: {error}", "RDMA_CM could not make an address of what it was given.", THIS, "no RDMA device that libibverbs has a provider for (No such device): ibverbs-providers, rdma-core\nthe name or address isn't known, or of none of this host's netdevs\nRDMA_CM can't be used here: modprobe rdma_ucm", "rdma-device,verbs-provider,rdma-cm-node", STEP_NONE, 0, 0 },
    { "librdmacm", "rdma_resolve_addr*: Invalid argument", "RDMA_CM was given an address that it can't go from or to.", THIS, "a link-local IPv6 address without its netdev: fe80::1%ens1\nthe two addresses are of different families (IPv4 and IPv6)", NULL, STEP_NONE, EINVAL, 0 },
    { "librdmacm", "rdma_resolve_addr*: {error}", NULL, NULL, NULL, NULL, STEP_CM_RESOLVE, 0, 0 },
    { "librdmacm", "rdma_bind_addr*No such device", "RDMA_CM can't use the local address that was asked for.", THIS, "no RDMA device's netdev has that address: roce gids, or 0.0.0.0 for all", "gid-address,rdma-device", STEP_NONE, ENODEV, 0 },
    { "librdmacm", "rdma_bind_addr*Cannot assign requested address", "RDMA_CM can't use the local address that was asked for.", THIS, "no netdev of this host has it: a typing error, or the address is gone", "gid-address", STEP_NONE, EADDRNOTAVAIL, 0 },
    { "librdmacm", "rdma_bind_addr*Address already in use", "RDMA_CM can't use the local address that was asked for.", THIS, "another program listens on that port by RDMA_CM: roce users\niWARP: a TCP program has it: ss -ltnp", NULL, STEP_NONE, EADDRINUSE, 0 },
    { "librdmacm", "rdma_bind_addr*No such file or directory", "RDMA_CM can't be used by this process.", THIS, "rdma_ucm isn't loaded: modprobe rdma_ucm\na container without /dev/infiniband/rdma_cm", "rdma-ucm-module,rdma-cm-node", STEP_NONE, ENOENT, 0 },
    { "librdmacm", "rdma_bind_addr: {error}", NO_BINDING, 0, 0 },
    { "librdmacm", "rdma_create_ep: {error}", "RDMA_CM could not make an endpoint for the address.", THIS, "no RDMA device's netdev here has an address in that network (No such device): in a container mostly, which has the device's node but not its netdev\nthe address that was asked for isn't this host's", "gid-address,port-netdev,gid-table", STEP_NONE, 0, 0 },
    { "librdmacm", "rdma_create_event_channel: {error}", NO_CM_CHANNEL },
    { "librdmacm", "rdma_create_event_channel*fail", NO_CM_CHANNEL },
    { "GlusterFS", "rdma_cm event channel creation failed", NO_CM_CHANNEL },
    { "GlusterFS", "rdma.management: Failed to initialize IB Device", "glusterd finds no RDMA that it could use. No fault where volumes go by TCP: take rdma out of transport-type in glusterd.vol.", THIS, "no RDMA device, or a container without it\nthe module rdma_ucm isn't loaded: modprobe rdma_ucm", "rdma-device,rdma-cm-node", STEP_NONE, 0, 0 },
    { "GlusterFS", "-client-*could not create QP", "A queue pair could not be made.", THIS, QP_CAUSES, "memlock-limit", STEP_NONE, 0, 0 },
    { "librdmacm", "rdma_connect: Connection refused", CM_REFUSED },
    { "librdmacm", "rdma_connect: {error}", NULL, NULL, NULL, NULL, STEP_CM_CONNECT, 0, 0 },
    { "rping", "^wait for CONNECTED state", "rping wasn't connected: the event that came instead is in the line before.", NULL, "the line before it", NULL, STEP_NONE, 0, 0 },
    { "librdmacm", "cq completion failed status {status}", NULL, NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "rping", "waiting for addr/route resolution state", "rping's address wasn't resolved: the event that came instead is in the line before.", NULL, "the line before it", NULL, STEP_NONE, 0, 0 },
    { "rping", "wait for RDMA_*state", "rping's ping-pong broke off: the completion or event before it says how.", NULL, "the line before it", NULL, STEP_NONE, 0, 0 },
    { "librdmacm", "event RDMA_CM_EVENT_REJECTED, error {reject}", NULL, NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "librdmacm", "event: RDMA_CM_EVENT_REJECTED, error: {reject}", NULL, NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "librdmacm", "cma event {event}, error -{errno}", NULL, NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "librdmacm", " event: {event}, error: -{errno}", NULL, NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "librdmacm", "rdma_create_qp failed with error {errno}", "A queue pair could not be made for an RDMA_CM connection.", THIS, "a size above the device's limit (roce devices --caps)\nthe connection's device went away or is another one than before", NULL, STEP_QP, 0, 0 },

    /* SPDK, before perftest and those that only name a status */
    { "SPDK", "but received RDMA_CM_EVENT_REJECTED (8) from CM event channel (status = {reject})", "The NVMe target, or what is at that address, turned the connection down.", NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "SPDK", "but received {event} ", NULL, NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "SPDK", "CQ error on *({status}): ", NULL, NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "SPDK", "Async event: {async}", NULL, NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "SPDK", "Failed to post a send for the qpair*errno -{errno}", "A work request wasn't taken by the driver.", THIS, "a driver or provider that doesn't do what SPDK asks for (inline data, entries)\na queue pair that isn't connected any more", NULL, STEP_POST, 0, 0 },
    { "SPDK", "RDMA connect error {errno}", "The request to connect to the NVMe target could not be sent.", NULL, NULL, "gid-address,gid-route", STEP_NONE, 0, 0 },
    { "SPDK", "nvme_rdma*RDMA connect error", FOLLOWS_OTHERS, STEP_NONE, 0, 0 },
    { "SPDK", "Unable to connect the rqpair", FOLLOWS_OTHERS, STEP_NONE, 0, 0 },
    { "SPDK", "nvme_rdma*failed to create admin qpair", FOLLOWS_OTHERS, STEP_NONE, 0, 0 },
    { "SPDK", "spdk_nvme_probe() failed for transport address", FOLLOWS_OTHERS, STEP_NONE, 0, 0 },
    { "SPDK", "Error on CQ *status: ({status})", "A queue pair of SPDK got a bad completion. With 5 (flushed), when a host disconnects, no fault.", NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "SPDK", "rdma_disconnect failed, errno", "The other end had ended the connection already. No fault.", NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "SPDK", "bad state updated: *, maybe hardware issue", "SPDK read a queue pair's state and got what makes no sense; mostly it is destroyed already. Seldom the hardware.", THIS, "hosts that disconnect, and an old SPDK (18.10): update it", NULL, STEP_NONE, 0, 0 },
    { "SPDK", "expected state: IBV_QPS_ERR, actual state: ", "SPDK's queue pair isn't in the state that it was set to; mostly it is destroyed already.", THIS, "hosts that disconnect, and an old SPDK (18.10): update it", NULL, STEP_NONE, 0, 0 },
    { "SPDK", "rdma_create_qp failed: errno 12", "A queue pair could not be made for an NVMe connection.", THIS, MEMLOCK_CAUSES, "memlock-limit,memlock-trial", STEP_QP, ENOMEM, 0 },
    { "SPDK", "rdma_create_qp failed: errno {errno}", "A queue pair could not be made for an NVMe connection.", THIS, QP_CAUSES, "memlock-limit", STEP_QP, 0, 0 },
    { "SPDK", "Unable to create SRQ, errno {errno}", "A shared receive queue could not be made; without them (nvmf_create_transport --no-srq) SPDK makes one a connection.", THIS, "more entries than the device takes: roce devices --caps; a smaller --max-srq-depth\na device without shared receive queues", NULL, STEP_NONE, 0, 0 },
    { "SPDK", "ERROR*: Unable to create completion queue", "A completion queue could not be made.", THIS, MEMLOCK_CAUSES, "memlock-limit,memlock-trial", STEP_NONE, 0, 0 },
    { "SPDK", "Error {errno} on rdma_accept", "The NVMe target could not accept a connection.", "either", "the other end gave up meanwhile\na queue pair could not be brought to its state: the kernel's or the driver's lines", "kernel-log,gid-address", STEP_NONE, 0, 0 },
    { "SPDK", "CQ transport error -", "The connection to the NVMe target is gone.", OTHER, "the lines before it: a bad completion, or the target's end of the connection", NULL, STEP_NONE, 0, 0 },
    { "SPDK", "iWARP doesn't support CQ resize", "SPDK wants a completion queue to grow with its connections, and iWARP devices can't do that: the new connection is refused.", THIS, "an iWARP device, as Intel's E810 may be set to: RoCE instead (devlink: enable_roce), or fewer connections and a smaller queue depth", NULL, STEP_NONE, 0, 0 },

    { "DPDK", "No Verbs device matches PCI device", "DPDK's mlx5 driver finds no RDMA device of that PCI function: it works beside the kernel's driver, not instead of it.", THIS, "the function is bound to vfio-pci, or has no driver: bind it to mlx5_core\nmlx5_ib or ib_uverbs isn't loaded\na container that wasn't given the device", "nic-rdma-device,ib-uverbs-module,uverbs-node", STEP_NONE, 0, 0 },
    { "DPDK", "no Verbs device matches PCI device", "DPDK's mlx5 driver finds no RDMA device of that PCI function: it works beside the kernel's driver, not instead of it.", THIS, "the function is bound to vfio-pci, or has no driver: bind it to mlx5_core\nmlx5_ib or ib_uverbs isn't loaded\na container that wasn't given the device", "nic-rdma-device,ib-uverbs-module,uverbs-node", STEP_NONE, 0, 0 },
    { "DPDK", "mlx5_common: Verbs device not found: ", "DPDK's mlx5 driver finds no RDMA device of that PCI function: it works beside the kernel's driver, not instead of it.", THIS, "the function is bound to vfio-pci, or has no driver: bind it to mlx5_core\nmlx5_ib or ib_uverbs isn't loaded\na container that wasn't given the device", "nic-rdma-device,ib-uverbs-module,uverbs-node", STEP_NONE, 0, 0 },
    { "DPDK", "cannot access device, is mlx*_ib loaded?", "DPDK works beside the kernel's driver, and found no RDMA device to the card.", THIS, "the card's RDMA driver isn't loaded: modprobe mlx5_ib (mlx4_ib)\na container without /dev/infiniband", "nic-rdma-device,uverbs-node", STEP_NONE, 0, 0 },
    { "DPDK", "No kernel/verbs support for VF LAG bonding found", "DPDK looked for a bond of the card's two ports in switchdev mode, and found none. No fault without such a bond.", NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "DPDK", "missing run-time dependency on rdma-core", "DPDK's mlx5 driver finds no libibverbs and libmlx5.", THIS, "rdma-core's libraries aren't installed: libibverbs1 and ibverbs-providers (Debian), libibverbs (Red Hat)", "verbs-provider", STEP_NONE, 0, 0 },
    { "DPDK", "is ib_uverbs loaded?", "libibverbs shows DPDK no device.", THIS, "the module isn't loaded: modprobe ib_uverbs\na container without the device nodes", "ib-uverbs-module,uverbs-node,rdma-device", STEP_NONE, 0, 0 },
    { "DPDK", "mlx5*: probe of PCI device * aborted after encountering an error: {error}", "DPDK's mlx5 driver found the device, and could not set it up.", THIS, "its lines before this one\na container that lacks the netdev of the function, or rights: NET_ADMIN, NET_RAW, IPC_LOCK", "uverbs-node,port-netdev", STEP_NONE, 0, 0 },
    { "SPDK", "from subsystem * due to keep alive timeout", "The NVMe target heard nothing of that host for the keep-alive time, and ended its connections.", "that host, or the way to it", "the host is down, hangs, or is held up by a debugger\npackets are lost on the way\na reactor of SPDK that something else blocks", "transport-retries,paused", STEP_NONE, 0, 0 },
    { "SPDK", "RDMA address resolution error", "RDMA_CM found no way to the target's address.", NULL, NULL, NULL, STEP_CM_RESOLVE, EHOSTUNREACH, 0 },

    /* perftest and the like */
    { "perftest", "Completion with error at *Failed status 4*syndrom 0x51", GPU_MEMORY_UNREACHED },
    { "perftest", "Completion with error at *Failed status {status}", NULL, NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "perftest", "Failed status 4*wr_id*syndrom 0x51", GPU_MEMORY_UNREACHED },
    { "perftest", "Failed status {status}*wr_id", NULL, NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "perftest", "^Failed status {status}$", NULL, NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "perftest", "Couldn't read remote address", "The other end closed the TCP connection by which perftest exchanges addresses: it failed first.", "the other end: its own output says what failed", "an error on the other host, in its own output\ndifferent versions or options of perftest on the two hosts", NULL, STEP_NONE, 0, 0 },
    { "perftest", "Couldn't connect to {address}", "No TCP connection to the other end's perftest.", OTHER, "the server isn't started yet, or on another port (-p)\na firewall drops TCP port 18515", NULL, STEP_CONNECT, ECONNREFUSED, 0 },
    { "perftest", "Unable to create QP", "The device doesn't make a queue pair of this kind or size.", THIS, "more inline data than the device takes: -I 0\nanother kind is needed: EFA wants -c SRD\nthe limit on locked memory", "memlock-limit", STEP_QP, 0, 0 },
    { "perftest", "Couldn't allocate MR with error={errno}", "Memory could not be registered with the NIC.", THIS, NULL, NULL, STEP_REGISTER, 0, 0 },
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
    { "perftest", "Unable to perform rdma_client function", FOLLOWS, STEP_NONE, 0, 0 },
    { "perftest", "Unable to perform rdma_server function", FOLLOWS, STEP_NONE, 0, 0 },
    { "perftest", "Failed to handle RDMA CM event", FOLLOWS, STEP_NONE, 0, 0 },
    { "perftest", "Failed to connect RDMA CM events", FOLLOWS, STEP_NONE, 0, 0 },
    { "perftest", "Failed to complete run_iter_", FOLLOWS, STEP_NONE, 0, 0 },
    { "perftest", "scnt=*, ccnt=", FOLLOWS, STEP_NONE, 0, 0 },
    { "perftest", "ERRNO: {error}.", "What errno happened to be when perftest gave up: with RDMA_CM's events it is mostly that of an earlier call, and means nothing.", THIS, "the lines before it", NULL, STEP_NONE, 0, 0 },
    { "perftest", "CM event bl blka {cmevent}", NULL, NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "perftest", "unexpected CM event {cmevent}", NULL, NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "perftest", "Event: RDMA_CM_EVENT_REJECTED; error: {reject}", NULL, NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "perftest", "Event: {event}; error: -{errno}", NULL, NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "perftest", "times ADDR_ERROR", "RDMA_CM found no way to the server's address: no RDMA device of this host leads there, or nobody answered ARP.", "this host: its addresses and routes", "the address isn't that of the server's RDMA port, but of another netdev\nthe route there leaves by a netdev without an RDMA device\nnobody answers ARP or neighbour discovery for it", "gid-address,gid-routable,gid-route", STEP_NONE, 0, 0 },
    { "perftest", "Unable to init the socket connection", "perftest's two ends have no TCP connection, by which they tell each other their addresses.", OTHER, "the server isn't started yet, or on another port (-p)\na firewall drops TCP port 18515\nthe server's name or address is wrong", NULL, STEP_NONE, 0, 0 },
    { "perftest", "Failed to exchange data between server and client", "The TCP connection by which perftest exchanges addresses ended: the other end failed first.", "the other end: its own output says what failed", "an error on the other host, in its own output\ndifferent versions or options of perftest on the two hosts", NULL, STEP_NONE, 0, 0 },
    { "perftest", "o socket/rdma_cm", "The connection by which perftest exchanges addresses ended: the other end failed first.", "the other end: its own output says what failed", "an error on the other host, in its own output\ndifferent versions or options of perftest on the two hosts", NULL, STEP_NONE, 0, 0 },
    { "perftest", "Conflicting CPU frequency values detected", "The CPU's clock changes while perftest measures by it: figures in microseconds may be off. No fault of RDMA; -F silences it.", THIS, "a governor that saves power: cpupower frequency-set -g performance", NULL, STEP_NONE, 0, 0 },
    { "perftest", "OFED stack does not support DMA-BUF", "This perftest was built without dma-buf (--use_cuda_dmabuf, --use_rocm_dmabuf).", THIS, "it was built against an rdma-core older than 34: build it anew, or use nvidia_peermem without that option", NULL, STEP_NONE, 0, 0 },
    { NULL, "Couldn't create CQ", "A completion queue could not be made; nearly always the limit on locked memory.", THIS, MEMLOCK_CAUSES, "memlock-limit,memlock-trial", STEP_NONE, 0, 0 },
    { NULL, "Couldn't register MR", "Memory could not be registered with the NIC; nearly always the limit on locked memory.", THIS, MEMLOCK_CAUSES, "memlock-limit,memlock-trial", STEP_NONE, 0, 0 },
    { "perftest", "Couldn't get device attribute", "The device was opened, and didn't answer the question what it can.", THIS, "a container that was given only some of what the device needs\nprovider and kernel that don't fit each other", "uverbs-node,verbs-abi", STEP_PORT, 0, 0 },
    { "perftest", "Did not detect devices", NO_DEVICE, STEP_NONE, 0, 0 },
    { "perftest", "If device exists, check if driver is up", FOLLOWS, STEP_NONE, 0, 0 },
    { "perftest", "^Couldn't listen to port", "perftest could not listen for its TCP connection.", THIS, "another perftest, perhaps one that hangs, has that port: ss -ltnp, or another one by -p", NULL, STEP_NONE, EADDRINUSE, 0 },
    { "perftest", "Unable to connect (retries =", "RDMA_CM made no connection to the other end's perftest (-R).", "the other end, or the way there", "the server isn't started yet, or without -R, or on another port (-p)\na firewall drops UDP port 4791", "port-active,firewall-4791", STEP_NONE, 0, 0 },
    { "perftest", "Bad wc status when trying to create AH -- {status} ", NULL, NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "perftest", "Unable to find the Infiniband/RoCE device", "There is no device of the name that was asked for (-d), or none at all.", NO_SUCH_DEVICE, STEP_NONE, 0, 0 },
    { "perftest", "Requested mtu is higher than active mtu", "The MTU that was asked for (-m) is more than the port has at present; perftest goes on with the port's. No fault.", THIS, "the netdev's MTU allows no more: 4096 needs 4200", "active-mtu,netdev-mtu", STEP_NONE, 0, 0 },
    { "ibstat", "stat of IB device *failed: Invalid argument", "An older ibstat stops at a port whose rate can't be read: there is no module or cable in it, or its driver doesn't tell. Those behind it aren't shown.", THIS, "no module in the cage\na function without RDMA, as MANA's of Linux 6.2\nroce status shows all of them", "port-module,roce-enabled", STEP_NONE, 0, 0 },
    { "ibstat", "stat of IB device *failed: No such file or directory", "ibstat stops at a device that lost its files while it looked: it went away, or is being reset.", THIS, "the driver was reloaded, or the device reset\nPCIe lost the card", "kernel-log,pcie-aer", STEP_NONE, 0, 0 },
    { "infiniband-diags", "can't open UMAD port (", "These tools speak to InfiniBand's management (MADs), and the port that they look for isn't there. RoCE ports have none: nothing is wrong where no port is InfiniBand.", THIS, "all ports here are RoCE: roce, rping, ibv_rc_pingpong do what ibping would\nInfiniBand: the module ib_umad isn't loaded, or this user may not open /dev/infiniband/umad*", "umad-node,ib-umad-module,port-active", STEP_NONE, 0, 0 },
    { "infiniband-diags", "can't open MAD port (", "These tools speak to InfiniBand's management (MADs), and the port that they look for isn't there. RoCE ports have none: nothing is wrong where no port is InfiniBand.", THIS, "all ports here are RoCE: roce, rping, ibv_rc_pingpong do what ibping would\nInfiniBand: the module ib_umad isn't loaded, or this user may not open /dev/infiniband/umad*", "umad-node,ib-umad-module,port-active", STEP_NONE, 0, 0 },
    { "infiniband-diags", "iberror: failed: Failed to open '", "These tools speak to InfiniBand's management (MADs), and the port that they look for isn't there. RoCE ports have none: nothing is wrong where no port is InfiniBand.", THIS, "all ports here are RoCE: roce, rping, ibv_rc_pingpong do what ibping would\nInfiniBand: the module ib_umad isn't loaded, or this user may not open /dev/infiniband/umad*", "umad-node,ib-umad-module,port-active", STEP_NONE, 0, 0 },
    { "infiniband-diags", "iberror: failed: Failed to open (", "These tools speak to InfiniBand's management (MADs), and the port that they look for isn't there. RoCE ports have none: nothing is wrong where no port is InfiniBand.", THIS, "all ports here are RoCE: roce, rping, ibv_rc_pingpong do what ibping would\nInfiniBand: the module ib_umad isn't loaded, or this user may not open /dev/infiniband/umad*", "umad-node,ib-umad-module,port-active", STEP_NONE, 0, 0 },
    { "ibstat", "can't list IB device names", NO_DEVICE, STEP_NONE, 0, 0 },
    { "infiniband-diags", "_do_madrpc: recv failed: ", "A question of InfiniBand's management wasn't answered.", "the fabric", "the node that was asked went away, or was restarted\nanother M_Key or P_Key than the fabric's: only root, or the subnet manager's host, may ask", "subnet-manager,port-active", STEP_NONE, 0, 0 },
    { "infiniband-diags", "_do_madrpc failed; dport", "Follows another line: a question of InfiniBand's management wasn't answered.", NULL, "the line before it", NULL, STEP_NONE, 0, 0 },
    { "k8s-rdma-shared-dev-plugin", "missing RDMA device spec for device", "The device plugin's selectors take a function that hasn't all the device nodes it hands out; the line ends with the one that is missing.", "the node", "a function without RDMA: a management NIC, or one whose RDMA driver isn't loaded (narrow the selectors)\n\"issm\" or \"umad\": the module ib_umad isn't loaded on the node\n\"rdma_cm\": the module rdma_ucm isn't loaded on the node", "nic-rdma-device,ib-umad-module,rdma-ucm-module", STEP_NONE, 0, 0 },
    { "Ceph", "failed to get rdma device list", NO_DEVICE, STEP_NONE, 0, 0 },
    { "Ceph", "binding_port  port not found", "Ceph found no ACTIVE port on the device that it was told to use.", THIS, "the link is down: cable, switch, netdev\nms_async_rdma_device_name or ms_async_rdma_port_num name another port", "port-active", STEP_NONE, 0, 0 },
    { "Ceph", "open rdma device failed. ({errno})", "The device is listed, and could not be opened.", THIS, "ceph-osd runs in a container without /dev/infiniband\nits unit keeps devices from it: PrivateDevices=no", "uverbs-node", STEP_OPEN, 0, 0 },
    { "Ceph", "user memlock (ulimit -l) must be big enough", "Ceph's RDMA messenger has a limit on locked memory, and will register much.", THIS, "the units of Ceph: LimitMEMLOCK=infinity for ceph-osd@, ceph-mon@ and the others\nclients: ulimit -l unlimited", "memlock-limit,memlock-services", STEP_NONE, 0, 0 },
    { "libibverbs", "IB device * not found", "There is no device of the name that was asked for.", NO_SUCH_DEVICE, STEP_NONE, 0, 0 },
    { "libibverbs", "IB device '*' wasn't found", "There is no device of the name that was asked for.", NO_SUCH_DEVICE, STEP_NONE, 0, 0 },
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
    { "Mooncake", "Handshake request rejected by peer endpoint", "The other instance could not set up its end of the connection; its own line says why.", "the other instance", "the lines of the other instance: its device, GID or MTU", NULL, STEP_NONE, 0, 0 },
    { "Mooncake", "Failed to exchange handshake description", "The two instances could not exchange their addresses over TCP: RDMA hasn't begun.", OTHER, "the name or address that the other instance gave isn't one that others can reach, as 127.0.0.1\nits port (rpc_port) is blocked by a firewall\nthe other instance ended", NULL, STEP_NONE, 0, 0 },
    { "Mooncake", "Cannot make connection for endpoint", FOLLOWS_OTHERS, STEP_NONE, 0, 0 },
    { "Mooncake", "rdma*No matched device found", "None of the devices that Mooncake was told to use is here.", NO_SUCH_DEVICE, STEP_NONE, 0, 0 },
    { "Mooncake", "Failed to create QP: Cannot allocate memory", "A queue pair could not be made.", THIS, "more queue pairs than the device or its driver takes: roce resources; MC_ENABLE_DEST_DEVICE_AFFINITY=1 makes fewer\nthe limit on locked memory: ulimit -l", "memlock-limit,kernel-log", STEP_NONE, ENOMEM, 0 },
    { "Mooncake", "Failed to register memory *[{errno}]", "Memory could not be registered with the NIC.", THIS, NULL, NULL, STEP_REGISTER, 0, 0 },
    { "Mooncake", "DMA BUF supported required for GPU RDMA", "Mooncake is to send GPU memory, and nothing here lends that to the NIC.", THIS, GPU_CAUSES, "gdr-peer-memory,nvidia-versions", STEP_NONE, 0, 0 },
    { "Mooncake", "Failed to open device * on port * with GID ", "Mooncake could not set this device up; its line before this one says at which step.", THIS, "the GID index that it is to take (MC_GID_INDEX) isn't in the port's table\nthe port isn't ACTIVE\na container without the device's node", "gid-table,port-active,uverbs-node", STEP_NONE, 0, 0 },
    { "Mooncake", "RdmaTransport: No available RNIC", "Mooncake has no RDMA device left that it could use.", THIS, "each was given up: 'Failed to open device' before it\nno RDMA device here, or a container without it", "rdma-device,uverbs-node,port-active,gid-table", STEP_NONE, 0, 0 },
    { "Mooncake", "No RDMA devices found, check your device installation", NO_DEVICE, STEP_NONE, 0, 0 },
    { "Mooncake", "context async event {async} ", NULL, NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "Ceph", "failed to transition to RTR state: ({errno})", "Ceph could not connect a queue pair to the other end's.", NULL, NULL, NULL, STEP_RTR, 0, 0 },
    { "libiscsi", "wr id * status {status} vend_err", "A request of iSER ended badly.", NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "tgtd", "iser_ib_init(*Failed to initialize RDMA", "tgtd finds no RDMA that it could use for iSER. No fault where targets go by TCP.", THIS, "no RDMA device, or the modules ib_uverbs and rdma_ucm aren't loaded", "rdma-device,rdma-cm-node", STEP_NONE, 0, 0 },
    { "iscsiadm", "Could not login to [iface: iser", "No login to the iSCSI target by iSER; the line behind it, and the kernel's (iser:), have the reason.", "the other end, or the way there", "the target offers that portal by TCP only\nno RDMA device of this host leads to the portal\nthe target refused this initiator", "gid-address,gid-route,port-active", STEP_NONE, 0, 0 },
    { "GDRCopy", "is gdrdrv.ko loaded?", "GDRCopy's driver can't be opened: small messages of GPU memory are slower, or NVSHMEM's IBGDA doesn't start. RDMA itself doesn't need it.", THIS, "modprobe gdrdrv; without its service /dev/gdrdrv is made by its insmod.sh\na container that wasn't given /dev/gdrdrv", NULL, STEP_NONE, 0, 0 },
    { "GDRCopy", "Is gdrdrv driver installed and loaded?", "GDRCopy's driver can't be opened: small messages of GPU memory are slower, or NVSHMEM's IBGDA doesn't start. RDMA itself doesn't need it.", THIS, "modprobe gdrdrv; without its service /dev/gdrdrv is made by its insmod.sh\na container that wasn't given /dev/gdrdrv", NULL, STEP_NONE, 0, 0 },
    { "kernel", "gdrdrv*nvidia_p2p_get_pages(*failed", "NVIDIA's driver doesn't lend this GPU's memory: neither GDRCopy nor GPUDirect works with it.", THIS, "a GeForce: only data-centre and workstation GPUs do\nmemory that was freed, or is of another kind than cudaMalloc's", NULL, STEP_NONE, 0, 0 },
    { "device plugin", "not found. Are RDMA modules loaded?", "The SR-IOV device plugin found no RDMA device of this function, and offers it without RDMA.", "the node, not the pod", "the RDMA part of its driver isn't loaded (mlx5_ib, irdma, bnxt_re), or ib_uverbs\nRoCE is off for the function", "nic-rdma-device,roce-enabled,ib-uverbs-module", STEP_NONE, 0, 0 },
    { "device plugin", "incorrect RDMA subsystem network namespace", "The shared device plugin wants RDMA devices in all network namespaces, and the node keeps each in one.", "the node, not the pod", "rdma system set netns shared, before any pod has a device; and at boot: options ib_core netns_mode=1", "rdma-namespace-mode", STEP_NONE, 0, 0 },
    { "Kubernetes", "nsufficient rdma/", "No node has as many of this RDMA resource left as the pod asks for.", "the nodes, and their device plugin", "other pods have them, or the resource's name is another: kubectl describe node\nthe device plugin doesn't run there, or found no device: its own log", NULL, STEP_NONE, 0, 0 },
    { "Kubernetes", "FailedScheduling*Insufficient vpc.amazonaws.com/efa", "No node has as many EFA devices left as the pod asks for.", "the nodes, and their device plugin", "other pods have them, or the instance type has fewer\nthe EFA device plugin doesn't run there: its own log", NULL, STEP_NONE, 0, 0 },
    { "Network Operator", "UNLOAD_STORAGE_MODULES not set", "The operator's driver pod (DOCA, MLNX_OFED) doesn't replace the node's RDMA modules, because storage uses them.", "the node", "a mount or module of NFS over RDMA, NVMe or iSER is there before the driver: rpcrdma, nvme_rdma, ib_isert\nUNLOAD_STORAGE_MODULES=true in the NicClusterPolicy unloads them, and ends what uses them", "service-module", STEP_NONE, 0, 0 },
    { "ib-sriov-cni", "failed to configure VF *GUID is not valid", "InfiniBand: the virtual function has no GUID, and the pod doesn't get it.", "the node", "nobody sets GUIDs: ib-kubernetes with the subnet manager, or by hand: ip link set dev PF vf N node_guid GUID (and port_guid), then bind it anew", "vf-guid", STEP_NONE, 0, 0 },
    { "rdma-cni", "failed to move RDMA device * to namespace", "The RDMA device could not be given to the pod's network namespace.", "the node", "RDMA is in shared mode there: rdma system set netns exclusive, before any pod has a namespace\nanother process still has the device open", "rdma-namespace-mode", STEP_NONE, 0, 0 },
    { "modprobe", "could not insert 'nvidia_peermem': Invalid argument", OTHER_PEERMEM },
    { "modprobe", "could not insert 'nvidia_peermem': Unknown symbol", OTHER_PEERMEM },
    { "modprobe", "could not insert 'nvidia_peermem': ", "nvidia_peermem can't be loaded: no GPUDirect by it.", THIS, "Secure Boot takes signed modules only (Key was rejected by service)\nthe kernel's lines of that moment: dmesg", "gdr-peer-memory,kernel-log", STEP_NONE, 0, 0 },
    { "modprobe", "could not insert 'nv_peer_mem': Invalid argument", OTHER_PEERMEM },
    { "modprobe", "could not insert 'nv_peer_mem': Unknown symbol", OTHER_PEERMEM },
    { "kernel", "Unknown symbol ib_register_peer_memory_client (err 0)", "NVIDIA's nvidia_peermem (nv_peer_mem) needs an RDMA driver that borrows memory, as MLNX_OFED's and DOCA's; the one that is loaded doesn't.", THIS, "the kernel's own RDMA driver: dma-buf takes its place, with NVIDIA's open modules and without nvidia_peermem\nMLNX_OFED or DOCA is installed, but the kernel's own modules are loaded: restart, or build them for this kernel", "gdr-peer-memory", STEP_NONE, 0, 0 },
    { "kernel", "ib_register_peer_memory_client", OTHER_PEERMEM },
    { "modprobe", "modprobe: *Module rdma_* not found", NO_MODULE },
    { "modprobe", "modprobe: *Module ib_* not found", NO_MODULE },
    { "modprobe", "modprobe: *Module mlx5_* not found", NO_MODULE },
    { "modprobe", "modprobe: *Module siw not found", NO_MODULE },
    { "modprobe", "modprobe: *Module nvidia_peermem not found", "NVIDIA's driver is installed without nvidia_peermem: no GPUDirect by it.", THIS, "a driver older than 470, or its package without that module: dma-buf needs none (NVIDIA's open kernel modules)", "gdr-peer-memory,nvidia-versions", STEP_NONE, 0, 0 },
    { "mstflint", "MFE_CR_ERROR", "The tool can't reach the card's registers.", THIS, "a card that this version doesn't know, as those before ConnectX-4\nthe kernel is locked down (secure boot): /sys/kernel/security/lockdown\nnot root, or a card that doesn't answer: dmesg", "kernel-log", STEP_NONE, 0, 0 },
    { "mstflint", "-E- Failed to open the device", "The tool can't open the card.", THIS, "not root, or no such device: mstdevices_info, lspci -d 15b3:\nthe kernel is locked down (secure boot): /sys/kernel/security/lockdown\na card that doesn't answer: dmesg", "kernel-log", STEP_NONE, 0, 0 },
    { "mstflint", "-E- Failed to identify the device", "The tool can't tell what card that is.", THIS, "the kernel is locked down (secure boot): /sys/kernel/security/lockdown\na card that this version doesn't know, or that isn't NVIDIA's\na card that doesn't answer: dmesg", "kernel-log", STEP_NONE, 0, 0 },
    { "mstflint", "does not support generic access register", "The card's firmware, or the tool's way to it, can't read registers.", THIS, "firmware that is too old for the tool\nmstflint where NVIDIA's MFT is needed (switches)", "firmware-version", STEP_NONE, 0, 0 },
    { "GPI-2", "Error {errno} (*Failed to modify QP", NULL, NULL, NULL, NULL, STEP_RTR, 0, 0 },
    { NULL, "Failed to modify QP to RTR: {error}", NULL, NULL, NULL, NULL, STEP_RTR, 0, 0 },
    { NULL, "Failed to modify QP to RTS: {error}", NULL, NULL, NULL, NULL, STEP_RTS, 0, 0 },
    { NULL, "failed to modify QP state to RTR", "The queue pair could not be connected to the other end's.", NULL, NULL, NULL, STEP_RTR, 0, 0 },
    { NULL, "ailed to modify QP*to RTS", "The queue pair was connected, and could not be made to send; mostly it follows a queue pair that couldn't be connected (RTR).", NULL, "the line before it: 'to RTR'\na timeout, retry count or number of reads above what the device takes", NULL, STEP_NONE, 0, 0 },
    { NULL, "odify*QP to RTR: {error}", NULL, NULL, NULL, NULL, STEP_RTR, 0, 0 },
    { NULL, "odify*QP to RTS: {error}", NULL, NULL, NULL, NULL, STEP_RTS, 0, 0 },
    { NULL, "Failed to modify QP*to RTR", "The queue pair could not be connected to the other end's.", NULL, NULL, NULL, STEP_RTR, 0, 0 },
    { NULL, "Failed to modify QP*to RTS", "The queue pair was connected, and could not be made ready to send.", THIS, "a timeout, a number of retries or of reads that the device doesn't take\niWARP, which is connected by RDMA_CM only: -R\nthe other end is gone meanwhile, or isn't reached: neighbour tables, the switch", "gid-routable,port-active", STEP_NONE, 0, 0 },
    { "NVSHMEM", "non-zero status: {errno} ibv_modify_qp failed", NULL, NULL, NULL, NULL, STEP_RTR, 0, 0 },
    { "NVSHMEM", "non-zero status: {errno} Error in mlx5dv_devx_obj_modify for INIT2RTR_QP", "The firmware refused to connect a queue pair to the other end's.", NULL, "a GID index that is empty, or of another RoCE version or address than the peer's: NVSHMEM_IB_GID_INDEX\nInfiniBand settings on RoCE: service level, traffic class\nthe two ends' MTUs differ", "gid-index,gid-type,gid-v2", STEP_RTR, 0, 0 },
    { "NVSHMEM", "Error in mlx5dv_devx_obj_modify for INIT2RTR_QP", "The firmware refused to connect a queue pair to the other end's.", NULL, "a GID index that is empty, or of another RoCE version or address than the peer's: NVSHMEM_IB_GID_INDEX\nInfiniBand settings on RoCE: service level, traffic class\nthe two ends' MTUs differ", "gid-index,gid-type,gid-v2", STEP_RTR, 0, 0 },
    { "NVSHMEM", "Unable to create ah.", "The address handle for the other end could not be made.", NULL, "a GID index that is empty, or of another RoCE version or address than the peer's: NVSHMEM_IB_GID_INDEX\nthe peer's address can't be resolved: another rail, subnet or VLAN\nDC queue pairs, which this device or its firmware doesn't offer", "gid-table,gid-routable,gid-type", STEP_NONE, 0, 0 },
    { "NVSHMEM", "nvshmem setup connections failed", "Follows another line of NVSHMEM, which has the reason.", THIS, "the line before it", NULL, STEP_NONE, 0, 0 },
    { "NVSHMEM", "nvshmem initialization failed", "Follows another line, which has the reason.", "any process: the one whose output has the first error", "the lines before it", NULL, STEP_NONE, 0, 0 },
    { "NVSHMEM", "_init2rtr failed on", "Follows another line, which has the reason.", THIS, "the line before it: INIT2RTR_QP, or ibv_modify_qp", NULL, STEP_NONE, 0, 0 },
    { "NVSHMEM", "building transport map failed", "Follows another line, which has the reason.", "any process: the one whose output has the first error", "the lines before it", NULL, STEP_NONE, 0, 0 },
    { "NVSHMEM", "cannot allocate mlx5dv_devx_uar", "The device gave IBGDA no doorbell page that the GPU could use.", THIS, "a container without the rights for it (with --privileged it works)\nthe NVIDIA driver without PeerMappingOverride=1", "uverbs-node", STEP_NONE, 0, 0 },
    { "NVSHMEM", "NULL value get_device_list failed", NO_DEVICE, STEP_NONE, 0, 0 },
    { "NVSHMEM", "init failed for transport: ", "NVSHMEM can't use this transport, and goes on with another if it has one.", THIS, "the lines before it: WARN, NULL value, non-zero status", NULL, STEP_NONE, 0, 0 },
    { "NVSHMEM", "init failed for remote transport: ", "NVSHMEM can't use this transport to other hosts: the lines before it say why.", THIS, "the lines before it\nNVSHMEM_REMOTE_TRANSPORT, or NVSHMEM_HCA_LIST, names what isn't here", "rdma-device,port-active", STEP_NONE, 0, 0 },
    { "NVSHMEM", "NULL value mem registration failed", "GPU memory could not be registered with the NIC.", THIS, "neither nvidia_peermem nor dma-buf to register it: modprobe nvidia_peermem, or a driver and kernel with dma-buf\nthe limit on locked memory: ulimit -l", "gdr-peer-memory,memlock-limit", STEP_NONE, 0, 0 },
    { "NVSHMEM", "non-zero status: 7 ep_connect failed", FOLLOWS_OTHERS, STEP_NONE, 0, 0 },
    { "NVSHMEM", "non-zero status: 7 connect EPS failed", FOLLOWS_OTHERS, STEP_NONE, 0, 0 },
    { "NVSHMEM", "create DCT share err", FOLLOWS_OTHERS, STEP_NONE, 0, 0 },
    { "NVSHMEM", "cannot allocate buffer on the specified memory type", "IBGDA can't use this device: the queues of its GPU-made requests can't be put where they have to be.", THIS, "the NVIDIA driver without NVreg_EnableStreamMemOPs=1 and PeerMappingOverride=1\nneither nvidia_peermem nor dma-buf", NULL, STEP_NONE, 0, 0 },
    { "NVSHMEM", "is not enumerated as an mlx5 device", "IBGDA works with NVIDIA's NICs only; this one is left out.", THIS, "a NIC of another vendor: use another transport (NVSHMEM_IB_ENABLE_IBGDA=0)", NULL, STEP_NONE, 0, 0 },
    { "NVSHMEM", "cudaHostRegister with IoMemory failed with error=", DOORBELL_CPU },
    { "NVSHMEM", "ibgda_nic_mem_gpu_map failed", DOORBELL_CPU },
    { "NVSHMEM", "ibgda_alloc_and_map_qp_uar with GPU as handler failed", DOORBELL_CPU },
    { "NVSHMEM", "GPU cannot map UAR of device ", DOORBELL_CPU },
    { "NVSHMEM", "WARN: Failed to initialize all selected devices.", "NVSHMEM goes on with fewer NICs than it chose: the others failed.", THIS, "the lines before it: NULL value, non-zero status", NULL, STEP_NONE, 0, 0 },
    { "brpc", "Fail to open rdma device", "The device could not be opened.", THIS, "a container without the device's node: a device plugin's resource, or --device\nthis user may not open it", "uverbs-node,verbs-provider", STEP_OPEN, 0, 0 },
    { NULL, "ibv_get_async_event: *evt: {async}", NULL, NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { NULL, "ibv_modify_qp: {error}", NULL, NULL, NULL, NULL, STEP_RTR, 0, 0 },
    { NULL, "ibv_create_qp: {error}", "The queue pair could not be made.", THIS, QP_CAUSES, NULL, STEP_QP, 0, 0 },
    { NULL, "ibv_create_cq: {error}", NULL, NULL, NULL, NULL, STEP_CQ, 0, 0 },
    { NULL, "ibv_open_device: {error}", NULL, NULL, NULL, NULL, STEP_OPEN, 0, 0 },
    { NULL, "ibv_reg_mr*Cannot allocate memory", NULL, THIS, MEMLOCK_CAUSES, NULL, STEP_REGISTER, ENOMEM, 0 },
    { NULL, "RDMA*reject *with status {reject}", "A connection request of another host was turned down.", NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "nvme-cli", "Failed to write to /dev/nvme-fabrics: Invalid argument", "The kernel could not make sense of what nvme connect asked for; its log says of what (dmesg: nvme).", THIS, "the transport's module isn't loaded ('no handler found for transport rdma'): modprobe nvme_rdma\nan option or a value that this kernel doesn't know\nthe target says something of itself that this kernel doesn't accept, as 'Invalid MNAN value'", "service-module", STEP_NONE, EINVAL, 0 },
    { "nvme-cli", "Failed to write to /dev/nvme-fabrics: Operation already in progress", "This host is connected to that subsystem by that way already (nvme list-subsys). No fault; --duplicate-connect makes a second connection.", NULL, NULL, NULL, STEP_NONE, EALREADY, 0 },
    { "nvme-cli", "Failed to write to /dev/nvme-fabrics: Input/output error", "The NVMe target answered, and refused the host; the kernel's log says how (dmesg: nvme).", "the target", "this host's NQN isn't allowed there\nthe target has no subsystem of that NQN, or doesn't offer it on that port", NULL, STEP_NONE, EIO, 0 },
    { "nvme-cli", "Failed to write to /dev/nvme-fabrics: Connection reset by peer", "No connection to the NVMe target: refused there, or, by RDMA, not reached at all: the kernel calls both a reset.", "the other end, or the way there", "the target turned it down: dmesg has 'Connect rejected' with a reason; 8 is that nothing listens there by RDMA\nno RDMA device of this host leads to the address: the route leaves by a netdev without one, as where both are in one subnet\na firewall drops UDP port 4791, or the target is down", "gid-address,gid-route,firewall-4791,port-active", STEP_NONE, ECONNRESET, 0 },
    { "nvme-cli", "Failed to write to /dev/nvme-fabrics: No such device", "No RDMA device of this host leads to the NVMe target's address.", THIS, "the route there leaves by a netdev without an RDMA device: ip route get ADDRESS\nno RDMA device here at all: its driver isn't loaded", "rdma-device,gid-address,gid-route", STEP_NONE, ENODEV, 0 },
    { "nvme-cli", "Failed to write to /dev/nvme-fabrics: Cannot assign requested address", "The own address that nvme connect was given (--host-traddr) isn't one of this host.", THIS, "a typing error, or the netdev lost its address", "gid-address", STEP_NONE, EADDRNOTAVAIL, 0 },
    { "nvme-cli", "Failed to write to /dev/nvme-fabrics: Connection timed out", "The NVMe target didn't answer.", "the other end, or the way there", "the target is down, or its address is another\na firewall drops UDP port 4791 (RDMA), or TCP port 4420", "port-active,gid-route,firewall-4791", STEP_NONE, ETIMEDOUT, 0 },
    { "nvme-cli", "Failed to write to /dev/nvme-fabrics: {error}", "The kernel could not connect to the NVMe target; its log has the reason (dmesg: nvme).", NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "nvme-cli", "Failed to open /dev/nvme-fabrics: ", "The kernel's part of NVMe over a network isn't there.", THIS, "the module isn't loaded: modprobe nvme_rdma, which loads nvme_fabrics\na container: that is its host's to do", "service-module", STEP_NONE, 0, 0 },
    { "nvme-cli", "failed to write to nvme-fabrics device", "The kernel could not connect to the NVMe target; its log has the reason (dmesg: nvme).", NULL, "what the kernel's lines say: 'Connect rejected', 'no handler found for transport', 'Connect Invalid'", "kernel-log,service-module", STEP_NONE, 0, 0 },

    /* the kernel's log */
    { "kernel", "nvme nvme*Connect rejected: status {reject} ", NULL, NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "kernel", "no handler found for transport rdma", "NVMe over RDMA was asked for, and its module isn't loaded.", THIS, "modprobe nvme_rdma\nthe kernel's packages haven't got it, or MLNX_OFED was installed without --with-nvmf", "service-module", STEP_NONE, 0, 0 },
    { "kernel", "nvme nvme*rdma_resolve_addr failed (-{errno})", "The NVMe host could not even look for its target by RDMA_CM.", NO_WAY_FOR_KERNEL },
    { "kernel", "nvme nvme*rdma_resolve_addr wait failed (-104)", "The NVMe host found no way to its target by RDMA_CM, or the target turned it down: the kernel calls both a reset.", "the other end, or the way there", "no RDMA device of this host leads to the address, or nobody answers there\n'Connect rejected' before it: the target turned it down; 8 is that nothing listens there", "gid-address,gid-route,firewall-4791,port-active", STEP_NONE, ECONNRESET, 0 },
    { "kernel", "rdma connection establishment failed (-104)", "The NVMe host found no way to its target by RDMA_CM, or the target turned it down: the kernel calls both a reset.", "the other end, or the way there", "'Connect rejected' before it: the target turned it down; 8 is that nothing listens there\nno RDMA device of this host leads to the address: the route leaves by a netdev without one, as where both are in one subnet\na firewall drops UDP port 4791, or the target is down", "gid-address,gid-route,arp-flux,firewall-4791", STEP_NONE, ECONNRESET, 0 },
    { "kernel", "nvme nvme*rdma_resolve_addr wait failed (-{errno})", "The NVMe host could not connect to its target by RDMA_CM.", NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "kernel", "rdma connection establishment failed (-22)", "The NVMe host could not connect to its target by RDMA_CM: something it asked for was refused here.", THIS, "the nvme and mlx5 lines before it: 'failed to initialize pi mr pool', 'CREATE_MKEY'\nan option of nvme connect that this device or target doesn't take", "kernel-log", STEP_NONE, EINVAL, 0 },
    { "kernel", "rdma connection establishment failed (-{errno})", "The NVMe host could not connect to its target by RDMA_CM.", NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "kernel", "nvmet_rdma: * failed with status * ({status})", "The NVMe target's queue pair got a bad completion: that host's connection ends.", NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "kernel", "nvmet_rdma: binding CM ID to * failed (-{errno})", "The NVMe target can't listen by RDMA on that address.", THIS, "no RDMA device's netdev has it (-19), or no netdev at all (-99)\nthe port is another's already (-98)", "target-address,gid-address", STEP_NONE, 0, 0 },
    { "kernel", "nvmet_rdma: listening to * failed (-{errno})", "The NVMe target can't listen by RDMA on that address.", THIS, "the port is another's already (-98)\nthe RDMA device went away", "target-address,gid-address", STEP_NONE, 0, 0 },
    { "kernel", "nvmet_rdma: received IB QP event: ", "A queue pair of the NVMe target reports an error besides its completions: that host's connection ends.", NULL, "the bad completion beside it", "transport-retries,kernel-log", STEP_NONE, 0, 0 },
    { "kernel", "nvmet_rdma: failed to connect queue", "A host's connection to the NVMe target broke off while it was made.", "that host, or the way to it", "the host gave up, or was restarted\npackets are lost on the way", "port-active,transport-retries", STEP_NONE, 0, 0 },
    { "kernel", "nvmet: transport type 1 not supported", "The NVMe target has no transport by RDMA.", THIS, "the module isn't loaded: modprobe nvmet_rdma", "service-module", STEP_NONE, 0, 0 },
    { "kernel", "nvme nvme* for CQE * failed with status * ({status})", "The NVMe host's queue pair got a bad completion: it begins to make the connection anew.", NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "kernel", "nvmet: ctrl * fatal error occurred!", "The NVMe target ends a host's connection: after a bad completion, a request that it couldn't answer, or because the host was silent for its keep-alive time.", NULL, "the line before it: a bad completion, 'keep-alive timer expired'\nthe host went away, or packets get lost on the way", "transport-retries,port-active", STEP_NONE, 0, 0 },
    { "kernel", "nvmet: ctrl * keep-alive timer (* seconds) expired", "The NVMe target heard nothing of that host for the keep-alive time, and ends its connections.", "that host, or the way to it", "the host is down, or hangs\npackets are lost on the way", "transport-retries,port-active", STEP_NONE, 0, 0 },
    { "kernel", "nvme nvme*failed nvme_keep_alive_end_io error=", "The target didn't answer the NVMe host's keep-alive: the connection is lost, or about to be.", OTHER, "the target was restarted, hangs, or is too busy\npackets are lost on the way", "port-active,transport-retries,storage-session", STEP_NONE, 0, 0 },
    { "kernel", "ICE OICR event notification: oicr =", "Intel's NIC had an error of its own and is reset, its netdevs with it; with an HMC error the RDMA part asked for that.", THIS, "where nobody uses its RDMA: keep irdma from loading (blacklist irdma in /etc/modprobe.d)\nfirmware and driver don't fit each other: update both", "firmware-version,kernel-log", STEP_NONE, 0, 0 },
    { "kernel", "nvme nvme*failed to connect queue: * ret=-{errno}", "The NVMe host could not connect a queue to its target over the network; by RDMA or by TCP, the line doesn't say.", OTHER, "the target is down, or reached by none of this host's routes\npackets are lost on the way\nthe target has no place for so many queues: nvme connect --nr-io-queues", "port-active,retransmissions", STEP_NONE, 0, 0 },
    { "kernel", "nvme nvme*starting error recovery", "The NVMe host lost its connection to the target, by RDMA or TCP, and begins to make it anew; I/O waits meanwhile.", OTHER, "the target was restarted, or is too busy\nthe link went down, here or there\npackets are lost on the way", "port-active,link-flaps,transport-retries,storage-session", STEP_NONE, 0, 0 },
    { "kernel", "nvme nvme*Reconnecting in * seconds", "The NVMe host will try to get its target back; until ctrl_loss_tmo runs out I/O waits.", OTHER, "the lines before this say why the last try failed", "port-active,storage-session", STEP_NONE, 0, 0 },
    { "kernel", "nvme nvme*failed to initialize pi mr pool", "The NVMe host asked for memory keys that guard data (T10 protection information), and the device refused.", THIS, "the refused command in a line before (create_mkey): driver and firmware don't fit each other\nthe device's memory keys are used up: fewer queues (nvme connect --nr-io-queues)", "kernel-log,firmware-version", STEP_NONE, 0, 0 },
    { "kernel", "disagrees about version of symbol ib_", MODULE_OF_OTHERS, STEP_NONE, 0, 0 },
    { "kernel", "disagrees about version of symbol __ib_", MODULE_OF_OTHERS, STEP_NONE, 0, 0 },
    { "kernel", "disagrees about version of symbol rdma_", MODULE_OF_OTHERS, STEP_NONE, 0, 0 },
    { "kernel", "Unknown symbol ib_*(err -22)", MODULE_OF_OTHERS, STEP_NONE, 0, 0 },
    { "kernel", "nvme nvme*Failed reconnect attempt", "The NVMe host tries to get its target back; until ctrl_loss_tmo runs out I/O waits.", OTHER, "the target is down or unreachable: the lines before this say with which error", "port-active,retransmissions", STEP_NONE, 0, 0 },
    { "kernel", "nvme nvme*Connect command failed, error wo/DNR bit: 88", "The connection to the NVMe target was made, and broke at its first command.", OTHER, "a bad completion on the new queue pair: the kernel's lines before it\nthe target ended the connection: its own log", "kernel-log,port-active,retransmissions", STEP_NONE, 0, 0 },
    { "kernel", "nvme nvme*Connect command failed", "The NVMe target answered, and refused the host's Connect command: not the network.", "the target", "this host's NQN isn't allowed there, or the subsystem's NQN is another", NULL, STEP_NONE, 0, 0 },
    { "kernel", "nvme nvme*Connect Invalid ", "The NVMe target answered, and refused the host's Connect command: not the network.", "the target", "this host's NQN isn't allowed there, or the subsystem's NQN is another", NULL, STEP_NONE, 0, 0 },
    { "kernel", "ib_srp: failed *status *({status})", "A request of SRP ended badly; the connection is made anew.", NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "kernel", "ib_srp: Path * failed", "The SRP initiator got no path to its target: on InfiniBand the subnet manager tells it.", "the fabric", "no subnet manager answers\nthe target's port is down, or in another partition (P_Key)", "subnet-manager,port-active,pkey-full-member", STEP_NONE, 0, 0 },
    { "kernel", "ib_srp: Got failed path rec status", "The SRP initiator got no path to its target: on InfiniBand the subnet manager tells it.", "the fabric", "no subnet manager answers\nthe target's port is down, or in another partition (P_Key)", "subnet-manager,port-active,pkey-full-member", STEP_NONE, 0, 0 },
    { "kernel", "scsi host*REJ reason 0x8", "The SRP target's host answered, and nothing listens there: 8, invalid service ID.", "the other host: its target", "ib_srpt isn't loaded there, or its target isn't enabled\nthe target was restarted, and its IDs are others", NULL, STEP_NONE, 0, 0 },
    { "kernel", "scsi host*REJ reason", "The SRP target's host answered, and turned the login down for the reason behind it.", "the other host: its target", "limits or rights of the target: its own log\nstale connection: the target still has the one before; it ends by itself", NULL, STEP_NONE, 0, 0 },
    { "kernel", "ib_srp: SRP*LOGIN*REJ", "The SRP target refused the login; its own log says why.", "the other host: its target", "this initiator isn't allowed there (ACL)\nmax_it_iu_len or another size is above what the target takes", NULL, STEP_NONE, 0, 0 },
    { "kernel", "rejected SRP_LOGIN_REQ because ", "The SRP target refused an initiator's login, for the reason that the line says.", THIS, NULL, NULL, STEP_NONE, 0, 0 },
    { "kernel", "scsi host*reconnect attempt * failed (-{errno})", "The SRP initiator tries to get its target back, and didn't.", "the other end, or the way there", "the target is down or unreachable: the ib_srp lines before this", "port-active,storage-session", STEP_NONE, 0, 0 },
    { "kernel", "isert: *failure: *({status}) vend_err", "The iSER target's queue pair got a bad completion: that host's connection ends.", NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "kernel", "iser: *failure: *({status}) vend_err", "The iSER initiator's queue pair got a bad completion: the session is made anew.", NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "kernel", "isert: *rdma_bind_addr() failed: -{errno}", "The iSER target can't listen by RDMA on that portal's address.", THIS, "no RDMA device's netdev has it (-19), or no netdev at all (-99)\nthe port is another's already (-98)", "target-address,gid-address", STEP_NONE, 0, 0 },
    { "kernel", "iser: *rdma_resolve_addr failed: -{errno}", "The iSER initiator could not look for its target by RDMA_CM.", NO_WAY_FOR_KERNEL },
    { "kernel", "iser: *failure connecting: -{errno}", "The iSER initiator could not connect to its target by RDMA_CM.", OTHER, "the target offers no iSER on that portal, or is down\na firewall drops UDP port 4791", "port-active,firewall-4791", STEP_NONE, 0, 0 },
    { "kernel", "iser: *qp event ", "A queue pair of iSER reports an error besides its completions: the connection ends.", NULL, "the bad completion beside it", "transport-retries,kernel-log", STEP_NONE, 0, 0 },
    { "kernel", "RDS/IB: *completion on <* had status {status} ", "RDS lost a connection to another node, and makes it anew.", NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "kernel", "RDS/RDMA: conn <* rejected", "The other node's RDS turned the connection down. No fault if it comes once, when both begin at a time.", "the other node", "RDS isn't loaded there: modprobe rds_rdma\nits address isn't that of an RDMA port", NULL, STEP_NONE, 0, 0 },
    { "kernel", "RDS/RDMA: failed to setup listener", "RDS can't take connections by RDMA on this host.", THIS, "another module or program has its port (18634)\nno RDMA_CM: modprobe rdma_cm", "rdma-cm-module", STEP_NONE, 0, 0 },
    { "kernel", "smb_direct: *error. *status*({status})", "ksmbd's queue pair of SMB Direct got a bad completion: that client's connection ends.", NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "kernel", "smb_direct: Can't create RDMA", "ksmbd could not set up a client's connection by SMB Direct.", THIS, "the device takes no queue pair of that size: roce devices --caps\nmemory keys or queue pairs are used up: roce resources", "kernel-log", STEP_NONE, 0, 0 },
    { "kernel", "device max_recv_sge = * too small", "SMB Direct wants more scatter elements than this device has, and doesn't use it.", THIS, "a device in software or of a kind that SMB Direct doesn't work with on this kernel: a newer kernel, or mount without rdma", NULL, STEP_NONE, 0, 0 },
    { "kernel", "CIFS*rdma_resolve_addr() completed -{errno}", "The SMB client could not find its server by RDMA_CM.", NO_WAY_FOR_KERNEL },
    { "kernel", "CIFS*rdma_connect failed port=", "The SMB client could not connect to its server by RDMA: it tries SMB Direct's ports, 5445 and 445.", "the other end, or the way there", "the server offers no SMB Direct: on Windows Get-SmbServerNetworkInterface, on ksmbd its module and the device\na firewall drops UDP port 4791", "firewall-4791,port-active", STEP_NONE, 0, 0 },
    { "kernel", "CIFS*FRWR) is not supported", "SMB Direct needs a kind of registration that this device hasn't got, and doesn't use it.", THIS, NULL, NULL, STEP_NONE, 0, 0 },
    { "kernel", "smc: SMC-R lg *link removed", "SMC-R lost one of a group's links, or gave it back; connections go on over the other if there is one.", "this host's port, the peer's, or the way", "the port went down, or its address changed\nthe peer took its link away", "port-active,link-flaps", STEP_NONE, 0, 0 },
    { "kernel", "smc: SMC-R lg *state changed: SINGLE", "An SMC-R group has one link: no other is left if that port goes down. No fault where each host has one port.", "this host, and the peer", "one port of this network here or there, or the second is down\nthe second port has no PNET ID of the same name", "port-active", STEP_NONE, 0, 0 },
    { "kernel", "rpcrdma: 'frwr' mode is not supported by device", "NFS over RDMA needs a kind of registration that this device hasn't got: the mount fails.", THIS, "a device that can't, as some in virtual machines: mount without proto=rdma", NULL, STEP_NONE, 0, 0 },
    { "kernel", "rpcrdma: *({status}/0x", "A queue pair of NFS over RDMA got a bad completion: the connection is made anew.", NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "kernel", "Listener dead, address change failed for device", "The NFS server no longer listens by RDMA: it could not follow a change of the device's address.", THIS, "an address was removed, or the device went away: start nfs-server anew", "nfs-rdma-listener,gid-address", STEP_NONE, 0, 0 },
    { "rpc.nfsd", "Unable to request RDMA services: {error}", "The NFS server doesn't listen by RDMA.", THIS, "the module isn't loaded (Protocol not supported): modprobe rpcrdma\nno RDMA device is there yet when nfs-server starts\nthe port is another's already (Address already in use)", "nfs-rdma-server,nfs-rdma-listener,service-module", STEP_NONE, 0, 0 },
    { "kernel", "multicast join failed for ff1", "IPoIB could not join a multicast group: without the broadcast group the netdev carries no IP.", "the subnet manager", "no subnet manager answers (-11, -110)\nthe group's rate, MTU or P_Key is beyond this port's (-22)", "subnet-manager,ipoib-pkey,port-active", STEP_NONE, 0, 0 },
    { "kernel", "ib*: transmit timeout: latency * msecs", "IPoIB's sending stands still.", "this port, or the fabric", "the device hangs or is being reset: the driver's lines before it\na port of the fabric doesn't take packets", "port-active,kernel-log,devlink-health", STEP_NONE, 0, 0 },
    { "kernel", "cm_destroy_id_wait_timeout: ", "The kernel waits for a connection of RDMA_CM to be taken down, and nothing lets go of it: a fault of a module, not of the network.", THIS, "the device hangs or is being reset: the driver's lines before it\na bug of the module that uses it (NFS, Lustre, NVMe): a newer kernel", "kernel-log,devlink-health", STEP_NONE, 0, 0 },
    { "kernel", "changed security contexts after opening file descriptor", "A program opened an RDMA device, then became another user, and asks on: the kernel refuses that, and the program gets EACCES.", "the program", "it drops its rights, or runs another program, between opening and using: it has to open the device anew", NULL, STEP_NONE, 0, 0 },
    { "kernel", "enabling unsafe global rkey", "A module asked for a key to all memory, as its settings want (register_always=N). No fault of the network; only hosts that are trusted should be on it.", NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "kernel", "error cqe status {syndrome}:", "A queue pair, of the kernel or of a program, got a bad completion.", NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "kernel", "Error cqe on cqn *sqn ", "A send queue of the netdev itself failed, and the driver sets it up anew. RDMA has queues of its own.", THIS, "a fault of driver or firmware, mostly: update them\nmemory that the IOMMU refused: the lines before it", "devlink-health,kernel-log,firmware-version", STEP_NONE, 0, 0 },
    { "kernel", "mlx5_poll_one*syndrome {syndrome}, vendor syndrome", KERNELS_QP ".", NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "kernel", "mlx5_poll_one*error cqe on cqn", KERNELS_QP ": the line behind it has the syndrome.", NULL, "the line behind it", NULL, STEP_NONE, 0, 0 },
    { "kernel", "dump_cqe:*dump error cqe", KERNELS_QP ", which follows as hex; the service's own line behind it says what it means.", NULL, "the service's line behind it", "kernel-log", STEP_NONE, 0, 0 },
    { "kernel", "WC error: {status},", "A kernel service's queue pair got a bad completion.", NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "kernel", "async reg mr failed", "The firmware made no more memory keys ahead of need: registrations fail, or take longer.", THIS, "the firmware's reason is in the mlx5_core line before it\nall memory keys of the device are used up: too many registrations by one program (roce resources mr)\nan old firmware", "kernel-log,firmware-version", STEP_REGISTER, 0, 0 },
    { "kernel", "ALLOC_UAR*failed, status limits exceeded(0x8)", UARS_GONE, STEP_NONE, 0, 0 },
    { "kernel", "ACCESS_REG(*failed, status", "The driver, or a tool or monitor through it, asked for a register that this function or firmware doesn't give. Mostly harmless: an answer is missing, nothing else.", THIS, "a virtual function or a card of another kind than the tool thinks of: ethtool -m, a monitor, mlxlink\nfirmware older than the driver or the tool", "firmware-version", STEP_NONE, 0, 0 },
    { "kernel", "failed, status limits exceeded(0x8)", "The firmware refused a command: a limit of the device is reached.", THIS, "all memory keys or queue pairs of the device are used up: roce resources", "kernel-log,firmware-version", STEP_NONE, 0, 0 },
    { "kernel", "RST2INIT_QP(*failed, status", QP_MOVE_REFUSED },
    { "kernel", "INIT2RTR_QP(*failed, status", QP_MOVE_REFUSED },
    { "kernel", "RTR2RTS_QP(*failed, status", QP_MOVE_REFUSED },
    { "kernel", "CREATE_MKEY(*failed, status bad parameter", KEY_REFUSED },
    { "kernel", "create_mkey(*failed, status bad parameter", KEY_REFUSED },
    { "kernel", "CREATE_MKEY(*failed, status", NO_KEY },
    { "kernel", "mlx5_cmd_*failed, status*syndrome (", "The firmware refused a command of the driver; its status says why, the syndrome is for the vendor.", THIS, "driver and firmware don't fit each other\na feature that this firmware hasn't got", "kernel-log,firmware-version", STEP_NONE, 0, 0 },
    { "kernel", "mlx5_load_one failed with error code -{errno}", "The driver could not start the device.", THIS, "firmware too old or broken\nno memory or interrupts for it: a virtual machine's limits\nanother driver version", "nic-rdma-device,firmware-version,kernel-log", STEP_NONE, 0, 0 },
    { "kernel", "mlx5_init_one failed with error code -{errno}", NO_FIRMWARE },
    { "kernel", "mlx5_core *: handle_hca_cap failed", "The driver could not agree with the firmware about what the device is to do, and doesn't start it.", THIS, "driver and firmware don't fit each other: update the older one, or use the kernel's own driver", "nic-rdma-device,firmware-version,kernel-log", STEP_NONE, 0, 0 },
    { "kernel", "changing it to HCA capability limit", "The driver takes fewer queue pairs than its profile says, because the device has no more. No fault.", NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "kernel", "Waiting for FW initialization, timeout abort", "The device's firmware isn't up yet; the driver waits that long for it, and then gives the device up.", THIS, FIRMWARE_CAUSES, "devlink-health,kernel-log,pcie-aer", STEP_NONE, 0, 0 },
    { "kernel", "in pre-initializing state, aborting", NO_FIRMWARE },
    { "kernel", "in initializing state, aborting", NO_FIRMWARE },
    { "kernel", "mlx5_core: probe of * failed with error", NO_DRIVER },
    { "kernel", "bnxt_en: probe of * failed with error", NO_DRIVER },
    { "kernel", "probe with driver mlx5_core failed with error", NO_DRIVER },
    { "kernel", "probe with driver bnxt_en failed with error", NO_DRIVER },
    { "kernel", "probe with driver irdma failed with error", IRDMA_DIDNT_START, "the irdma and ice lines before it\nice has no DDP package (safe mode): linux-firmware", "nic-rdma-device,kernel-log,firmware-version", STEP_NONE, 0, 0 },
    { "kernel", "probe with driver irdma.gen_*failed with error", IRDMA_DIDNT_START, "the irdma and ice lines before it\nice has no DDP package (safe mode): linux-firmware", "nic-rdma-device,kernel-log,firmware-version", STEP_NONE, 0, 0 },
    { "kernel", "IRDMA hardware initialization FAILED init_state=* status={errno}", IRDMA_DIDNT_START, "-110 after the host was suspended: ice without its fix of January 2026 sets RDMA up too early; modprobe -r irdma; modprobe irdma\nthe netdev was being reset just then, as by ethtool -t: modprobe -r irdma; modprobe irdma\nfirmware and driver don't fit each other: update the firmware", "nic-rdma-device,kernel-log,firmware-version", STEP_NONE, 0, 0 },
    { "kernel", "Health issue observed, High temperature", "The card is too hot, and may switch itself off.", THIS, "fans or the air's way: the server's own sensors\na module that heats it: ethtool -m", "module-health,devlink-health,kernel-log", STEP_NONE, 0, 0 },
    { "kernel", "High temperature on sensors with bit set", "The card is too hot, and may switch itself off.", THIS, "fans or the air's way: the server's own sensors\na module that heats it: ethtool -m", "module-health,devlink-health,kernel-log", STEP_NONE, 0, 0 },
    { "kernel", "Health issue observed, ", "The firmware reports that something in the device failed; what, is in the line. The driver may reset the device, and programs lose every queue pair there.", THIS, FIRMWARE_CAUSES, "devlink-health,kernel-log,firmware-version,pcie-aer", STEP_NONE, 0, 0 },
    { "kernel", "print_health_info*synd 0x", "The firmware reports that something in the device failed; words behind synd say what.", THIS, FIRMWARE_CAUSES, "devlink-health,kernel-log,firmware-version", STEP_NONE, 0, 0 },
    { "kernel", "FW did not return all pages", "The firmware didn't give the host its memory back when the device was closed: it hangs, or was reset before. Harmless at shutdown.", THIS, FIRMWARE_CAUSES, "devlink-health,kernel-log", STEP_NONE, 0, 0 },
    { "kernel", "reg umr failed (", "The driver's own queue pair, by which it registers memory, broke, and is being repaired; a program's registration may fail meanwhile.", THIS, "driver and firmware don't fit each other: update both\nmemory that the device can't reach: GPUDirect in a virtual machine, ACS, IOMMU", "firmware-version,pcie-acs,iommu-translation", STEP_NONE, 0, 0 },
    { "kernel", "mlx5_core*Failed to activate RoCE LAG", "The two ports of the card could not be made one RDMA device for their bond: each port stays by itself.", THIS, "a mode of bonding that the card doesn't do: active-backup, balance-xor, 802.3ad are what it does\nports of different settings, or virtual functions that are in use", "bond-mode,bond-cards,device-on-bond-member", STEP_NONE, 0, 0 },
    { "kernel", "mlx5_core*Failed to deactivate RoCE LAG", "The card's ports are still one RDMA device, and the bond above them is gone: load the driver anew (RDMA stops meanwhile).", THIS, "firmware that refused: its line before this", "bond-members,device-on-bond-member,kernel-log", STEP_NONE, 0, 0 },
    { "kernel", "mlx5_core*Failed to create LAG (", "The firmware refused to make the card's ports one RDMA device for their bond.", THIS, "a mode of bonding that the card doesn't do\nvirtual functions, or switchdev, beside it: the firmware's line before this", "bond-mode,device-on-bond-member,kernel-log", STEP_NONE, 0, 0 },
    { "kernel", "mlx5_core*Failed to modify LAG (", "The firmware refused to move traffic to the bond's other port.", THIS, FIRMWARE_CAUSES, "bond-members,devlink-health,kernel-log", STEP_NONE, 0, 0 },
    { "kernel", "mlx5_core*PCI slot is unavailable", "The card doesn't answer over PCIe any more.", "the card and its slot", "the link failed: card, riser, slot, its power\na PCIe error before it: the AER lines", "pcie-aer,devlink-health,kernel-log", STEP_NONE, 0, 0 },
    { "kernel", "poll_health*Fatal error", "The driver found that the device failed, and resets it: programs lose every queue pair there.", THIS, FIRMWARE_CAUSES, "devlink-health,kernel-log,firmware-version,pcie-aer,module-health", STEP_NONE, 0, 0 },
    { "kernel", "device's health compromised", "The device's firmware stands still; the driver resets it, and programs lose every queue pair there.", THIS, FIRMWARE_CAUSES, "devlink-health,kernel-log,firmware-version,pcie-aer,module-health", STEP_NONE, 0, 0 },
    { "kernel", "timeout. Will cause a leak of a command resource", "The device's firmware didn't answer a command of the driver.", THIS, FIRMWARE_CAUSES, "devlink-health,kernel-log,firmware-version,pcie-aer", STEP_NONE, 0, 0 },
    { "kernel", "mlx4_core *Internal error detected", "The firmware of the card (ConnectX-3 or older) failed or doesn't answer, and the driver resets it: netdev and RDMA stop meanwhile.", THIS, FIRMWARE_CAUSES, "kernel-log,pcie-aer,firmware-version", STEP_NONE, 0, 0 },
    { "kernel", "mlx4_core *timed out (go bit not cleared)", "The firmware of the card (ConnectX-3 or older) failed or doesn't answer, and the driver resets it: netdev and RDMA stop meanwhile.", THIS, FIRMWARE_CAUSES, "kernel-log,pcie-aer,firmware-version", STEP_NONE, 0, 0 },
    { "kernel", "mlx4_core *device is going to be reset", "The firmware of the card (ConnectX-3 or older) failed or doesn't answer, and the driver resets it: netdev and RDMA stop meanwhile.", THIS, FIRMWARE_CAUSES, "kernel-log,pcie-aer,firmware-version", STEP_NONE, 0, 0 },
    { "kernel", "mlx4_core *, aborting", NO_DRIVER },
    { "kernel", "mlx4_en: *: Link Down", LINK_LOST, STEP_NONE, 0, 0 },
    { "kernel", "mlx5_core *TX timeout detected", STALLED, STEP_NONE, 0, 0 },
    { "kernel", "mlx5_core *TX timeout on queue", STALLED, STEP_NONE, 0, 0 },
    { "kernel", "bnxt_en *TX timeout detected", STALLED, STEP_NONE, 0, 0 },
    { "kernel", "NETDEV WATCHDOG: * (mlx5_core): transmit queue", STALLED, STEP_NONE, 0, 0 },
    { "kernel", "mlx5_core *PCIe Bus Error: severity=Correct", PCIE_CORRECTED },
    { "kernel", "mlx5_core *PCIe Bus Error: severity=Uncorrect", PCIE_UNCORRECTED },
    { "kernel", "bnxt_en *PCIe Bus Error: severity=Correct", PCIE_CORRECTED },
    { "kernel", "bnxt_en *PCIe Bus Error: severity=Uncorrect", PCIE_UNCORRECTED },
    { "kernel", "ice 0*PCIe Bus Error: severity=Correct", PCIE_CORRECTED },
    { "kernel", "ice 0*PCIe Bus Error: severity=Uncorrect", PCIE_UNCORRECTED },
    { "kernel", "ionic *PCIe Bus Error: severity=Correct", PCIE_CORRECTED },
    { "kernel", "ionic *PCIe Bus Error: severity=Uncorrect", PCIE_UNCORRECTED },
    { "kernel", "hns3 *PCIe Bus Error: severity=Correct", PCIE_CORRECTED },
    { "kernel", "hns3 *PCIe Bus Error: severity=Uncorrect", PCIE_UNCORRECTED },
    { "kernel", "unable to add gid *error=-28", "The port's GID table is full: this address gets no GID, and nobody can use it for RDMA.", THIS, "more addresses, VLANs and macvlans on the port's netdevs than its table has places (two each, for RoCE v1 and v2)", "gid-table-full", STEP_NONE, ENOSPC, 0 },
    { "kernel", "unable to add gid *error={errno}", "The driver didn't take a GID: the address is there, and RDMA can't use it.", THIS, "the device or its firmware refused it: the driver's line beside this", "gid-address,kernel-log", STEP_NONE, 0, 0 },
    { "kernel", "abnormal ae_id = ", "Intel's device reports an error of a queue pair (qp=1) or of its own, by a number of the vendor's.", THIS, "what the program on that queue pair says: its status tells more\nthe firmware failed, if it is of the device", "kernel-log,devlink-health", STEP_NONE, 0, 0 },
    { "kernel", " Error][op_code=*] status=-", "Intel's device refused a command of its RDMA driver, or didn't answer it.", THIS, "what a program asked for isn't acceptable to the device, or used up (limits_sel of irdma): its own line has more\nthe firmware failed, or doesn't fit the driver", "kernel-log,devlink-health,firmware-version", STEP_NONE, 0, 0 },
    { "kernel", "critical PE Error, GLPE_CRITERR", "The RDMA part of Intel's NIC failed, and is reset.", THIS, "firmware and driver don't fit each other: update both\na fault of the card", "devlink-health,kernel-log,firmware-version", STEP_NONE, 0, 0 },
    { "kernel", "too low for RDMA traffic. Minimum MTU", "The netdev's MTU is too small for RDMA.", THIS, "ip link set dev NETDEV mtu 1500, or more", "netdev-mtu", STEP_NONE, 0, 0 },
    { "kernel", "irdma: probe of * failed with error", NO_DRIVER },
    { "kernel", "DDP package*Entering Safe Mode", "Intel's driver runs without its package (DDP), in safe mode: the netdev works, RDMA isn't there.", THIS, "the file isn't installed, or not in the initramfs: linux-firmware (intel/ice/ddp)\npackage, driver and firmware don't fit each other", "nic-rdma-device,firmware-version", STEP_NONE, 0, 0 },
    { "kernel", "DDP package*Entering safe mode", "Intel's driver runs without its package (DDP), in safe mode: the netdev works, RDMA isn't there.", THIS, "the file isn't installed, or not in the initramfs: linux-firmware (intel/ice/ddp)\npackage, driver and firmware don't fit each other", "nic-rdma-device,firmware-version", STEP_NONE, 0, 0 },
    { "kernel", "DDP Package*Entering Safe Mode", "Intel's driver runs without its package (DDP), in safe mode: the netdev works, RDMA isn't there.", THIS, "the file isn't installed, or not in the initramfs: linux-firmware (intel/ice/ddp)\npackage, driver and firmware don't fit each other", "nic-rdma-device,firmware-version", STEP_NONE, 0, 0 },
    { "kernel", "hns_*nvalid request local work queue", "The other end sent what this queue pair can't answer: an invalid request.", "the other end's program, or this one's settings", "sizes or rights that the two ends see differently: reads at a time, message length, remote keys", NULL, STEP_NONE, 0, 0 },
    { "kernel", "hns_*ocal access violation work queue", "The other end asked for memory here that it may not use: wrong key, address or right.", "either end's program", "the memory was freed or deregistered too early\na key or address that isn't right", NULL, STEP_NONE, 0, 0 },
    { "kernel", "hns_*failed to set gid, ret = -{errno}", "The driver could not write a GID: the address is there, and RDMA can't use it.", THIS, "the device or its firmware refused it, or is being reset: the line before it", "gid-address,kernel-log", STEP_NONE, 0, 0 },
    { "kernel", "Failed to process command *(opcode *err -{errno}", "The device (EFA) refused a command of its driver; the name in the line says which.", THIS, "a limit of the device or instance is reached: queue pairs, registrations (roce resources)\nmemory that the device can't register, as GPU memory without dma-buf", "kernel-log", STEP_NONE, 0, 0 },
    { "kernel", "send any completion for admin cmd", "The device (EFA) didn't answer its driver, or the interrupt got lost.", "the virtual machine's host", "the device is being reset, or failed: restart the instance if it stays", "kernel-log", STEP_NONE, 0, 0 },
    { "kernel", "POLL CQ with RDMA_CQE_REQ_STS_TRANSPORT_RETRY_CNT_ERR", NULL, NULL, NULL, NULL, STEP_NONE, 0, IBV_WC_RETRY_EXC_ERR },
    { "kernel", "POLL CQ with RDMA_CQE_REQ_STS_RNR_NAK_RETRY_CNT_ERR", NULL, NULL, NULL, NULL, STEP_NONE, 0, IBV_WC_RNR_RETRY_EXC_ERR },
    { "kernel", "POLL CQ with RDMA_CQE_REQ_STS_REMOTE_ACCESS_ERR", NULL, NULL, NULL, NULL, STEP_NONE, 0, IBV_WC_REM_ACCESS_ERR },
    { "kernel", "POLL CQ with RDMA_CQE_REQ_STS_LOCAL_PROTECTION_ERR", NULL, NULL, NULL, NULL, STEP_NONE, 0, IBV_WC_LOC_PROT_ERR },
    { "kernel", "QPLIB: cmdq[*time", BNXT_STALL, STEP_NONE, 0, 0 },
    { "kernel", "FW STALL Detected. cmdq[", BNXT_STALL, STEP_NONE, 0, 0 },
    { "systemd-udevd", "bnxt_en.rdma.*: Worker [*is taking a long time", "Loading bnxt_re takes long: mostly the card's firmware doesn't answer it, and what waits for udev (networking, ZFS) fails meanwhile.", THIS, "the card's firmware is older than the kernel's driver: update it\nwhere its RDMA isn't used: blacklist bnxt_re in /etc/modprobe.d", "kernel-log,firmware-version", STEP_NONE, 0, 0 },
    { "kernel", "bnxt_en *: Error (timeout: ", BNXT_SILENT },
    { "kernel", "bnxt_en *Firmware not responding", BNXT_SILENT },
    { "kernel", "bnxt_en *Firmware fatal reset event", BNXT_SILENT },
    { "kernel", "bnxt_en *Firmware non-fatal reset event", "Broadcom's firmware is being reset by itself, or by an update: netdev and RDMA stop for some seconds.", THIS, "an update of the firmware, or a fault that it repairs: devlink health", "devlink-health,kernel-log", STEP_NONE, 0, 0 },
    { "kernel", "bnxt_en *cmdq[*status 0x", "Broadcom's firmware refused a command of the RDMA driver.", THIS, "what a program asked for isn't acceptable to the device, or used up: its own line has more\nfirmware and driver don't fit each other", "kernel-log,firmware-version", STEP_NONE, 0, 0 },
    { "kernel", "SGID table is full", "The port's GID table is full: this address gets no GID, and nobody can use it for RDMA.", THIS, "more addresses, VLANs and macvlans on the port's netdevs than its table has places (two each, for RoCE v1 and v2)", "gid-table-full", STEP_NONE, 0, 0 },
    { "kernel", "bnxt_re*: Failed to ", "Broadcom's RDMA driver could not do what the line says.", THIS, "the firmware didn't answer, or refused it: the bnxt lines before it\nwhat a program asked for isn't acceptable to the device: its own line has more", "kernel-log,devlink-health,firmware-version", STEP_NONE, 0, 0 },
    { "kernel", "mana *HWC: Request timed out", "The cloud's host didn't answer the driver: netdev and RDMA of this virtual function stand still meanwhile.", "the virtual machine's host", "maintenance of the host, or its fault: ask the provider if it stays", "kernel-log,nic-rdma-device", STEP_NONE, 0, 0 },
    { "kernel", "mana *HWC: Failed hw_channel req", "The cloud's host refused a request of the driver, by the number behind it.", "the virtual machine's host", "a feature, as RDMA, that this virtual machine isn't given\na fault of the host: ask the provider if it stays", "nic-rdma-device", STEP_NONE, 0, 0 },
    { "kernel", "rxe_newlink: failed to add ", NO_SOFT_DEVICE },
    { "kernel", "rxe_newlink: already configured on ", "That netdev has a soft-RoCE device already. No fault, unless it was to have another name.", THIS, "one that was made at boot, by a script or in another network namespace: rdma link", "rdma-namespace-mode", STEP_NONE, 0, 0 },
    { "kernel", "rxe creation allowed on top of a real device only", NO_SOFT_DEVICE },
    { "kernel", "siw: device registration error ", NO_SOFT_DEVICE },
    { "kernel", "qp#* do_complete: non-flush error status = {status}", NULL, NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "kernel", "efa *Wait for completion (polling) timeout", CLOUD_SILENT },
    { "kernel", "erdma *Wait for completion (polling) timeout", CLOUD_SILENT },
    { "kernel", "cma_listen_on_dev, error {errno}", "RDMA_CM listens on all devices, but this one.", THIS, "iWARP: a TCP program has that port already (-98)\nthe device is going away", "kernel-log", STEP_NONE, 0, 0 },
    { "kernel", "kiblnd_*: UNREACHABLE ", "Lustre's connection request was not answered by the other node.", OTHER, "the other node is down, or its port is\na firewall or switch drops UDP port 4791\nthe two nodes use different RoCE versions", "port-active,firewall-4791,cm-roce-mode", STEP_NONE, 0, 0 },
    { "kernel", "kiblnd_*: ADDR ERROR ", "Lustre found no way to the other node's address: no RDMA device leads there, or nobody answered ARP.", "this host: its addresses and routes", "the route there leaves by another netdev than Lustre's (several in one subnet: arp_ignore, rp_filter)\nthe other node is down: nobody answers ARP", "gid-address,gid-routable,arp-flux,rp-filter", STEP_NONE, 0, 0 },
    { "kernel", "kiblnd_rejected*rejected: ", "The other node's Lustre answered, and turned the connection down.", "the other node: its Lustre", "Lustre isn't up there yet, or on another network (NID)\nsettings that don't fit: peer_credits, concurrent_sends, map_on_demand of ko2iblnd\nversions of Lustre that don't fit", "port-active", STEP_NONE, 0, 0 },
    { "kernel", "kiblnd_*Failed to bind * to device", "Lustre found no RDMA device at the netdev of its network.", THIS, "the netdev that lnet.conf names isn't that of an RDMA port, or has no address\nthe RDMA driver was loaded after Lustre", "port-netdev,gid-address,nic-rdma-device", STEP_NONE, 0, 0 },
    { "kernel", "LNetError*Can't load LND o2ib", "Lustre's module for RDMA (ko2iblnd) can't be loaded: no network o2ib.", THIS, "it was built for another RDMA stack or kernel: 'disagrees about version of symbol' before it\nit isn't installed", "service-module", STEP_NONE, 0, 0 },
    { "kernel", "LustreError*@o2ib* failed: rc = -", "A Lustre server doesn't answer over RDMA any more, or the connection to it is lost.", "the other end, or the way there", "the server is down, or failed over\npackets are lost on the way, or a link went down", "port-active,link-flaps,transport-retries", STEP_NONE, 0, 0 },
    { "kernel", "Request sent has failed due to network error*@o2ib", "Lustre's request to a server got lost with the RDMA connection.", "the other end, or the way there", "the kiblnd lines before it say how\nthe server is down, or a link is", "port-active,link-flaps,transport-retries", STEP_NONE, 0, 0 },
    { "kernel", "kiblnd_*Timed out ", "Lustre waited too long for another node over RDMA, and ends the connection.", OTHER, "the other node is down, or too busy\npackets are lost on the way", "port-active,transport-retries,firewall-4791", STEP_NONE, 0, 0 },
    { "kernel", "PCIe slot power capability was not advertised", "The slot doesn't tell how much power it gives. No fault.", THIS, NULL, NULL, STEP_NONE, 0, 0 },
    { "kernel", "hv_netvsc *Data path switched from VF", "The cloud's host took the virtual function away, mostly for maintenance: IP goes on over the slower synthetic netdev, RDMA ends until it is back.", "the virtual machine's host", "maintenance of the host: 'switched to VF' follows\nthe driver of the function was unloaded or failed: its own lines", "rdma-device,nic-rdma-device", STEP_NONE, 0, 0 },
    { "kernel", "hv_netvsc *Data path switched to VF", "The virtual function is there, and carries the netdev's traffic. No fault.", THIS, NULL, NULL, STEP_NONE, 0, 0 },
    { "kernel", "RDMA functionality is not available with the current device configuration", "The card has more ports than the driver does RDMA on: ice does it on four at most.", THIS, "a card split into eight ports: four or fewer (an E810 by Intel's EPCT, one on the chip in the BIOS)", "nic-rdma-device,rdma-device", STEP_NONE, 0, 0 },
    { "kernel", "ice 0*RDMA is not supported on this device", "The NIC, as it is set up, offers the driver no RDMA.", THIS, "more than four ports on the card: then 'RDMA functionality is not available' stands before it\nthe driver is in safe mode, without its DDP package: linux-firmware\nthe firmware has RDMA switched off", "nic-rdma-device,rdma-device", STEP_NONE, 0, 0 },
    { "kernel", "available PCIe bandwidth, limited by", "A link above the card is slower or narrower than the card can use. A fault only where its ports need more.", THIS, "a slot of fewer lanes or of an older generation\na card that isn't seated well, or the slot's setting in the BIOS", "pcie-width,pcie-speed", STEP_NONE, 0, 0 },
    { "kernel", "pcieport *AER: *Uncorrect*error", "PCIe had an error below that port that nothing corrected: devices there may be reset, or be gone.", "the card below that port, and its slot", "card, riser or slot is faulty, or loses power\nthe link isn't trained well: its generation in the BIOS", "pcie-aer,kernel-log,pcie-speed", STEP_NONE, 0, 0 },
    { "kernel", "health recovery flow aborted", "The driver gave the device up: it doesn't answer over PCIe any more, and comes back by a restart of the host at best.", "the card and its slot", "a PCIe error before it: the AER lines\n" FIRMWARE_CAUSES, "pcie-aer,devlink-health,kernel-log", STEP_NONE, 0, 0 },
    { "kernel", "DMAR: [DMA *fault reason", "The IOMMU refused a transfer of the device at that PCI address, whatever that is: lspci -s ADDRESS. It matters to RDMA if it is the NIC, or a GPU.", THIS, "the driver or firmware uses memory that isn't mapped (any more): update them\nthe NIC or a GPU, with GPUDirect, while the IOMMU translates: iommu=pt", "iommu-translation,kernel-log", STEP_NONE, 0, 0 },
    { "kernel", "AMD-Vi: Event logged [IO_PAGE_FAULT", "The IOMMU refused a transfer of the device at that PCI address, whatever that is: lspci -s ADDRESS. It matters to RDMA if it is the NIC, or a GPU.", THIS, "the driver or firmware uses memory that isn't mapped (any more): update them\nthe NIC or a GPU, with GPUDirect, while the IOMMU translates: iommu=pt", "iommu-translation,kernel-log", STEP_NONE, 0, 0 },
    { "kernel", "infiniband *: Couldn't ", "The RDMA core could not set the device up: what it couldn't is in the line. The device may be listed, and of no use.", THIS, "the firmware didn't answer, or refused it: the driver's lines before it", "kernel-log,devlink-health,firmware-version", STEP_NONE, 0, 0 },
    { "kernel", "AER: device recovery failed", "After a PCIe error the kernel could not bring the devices below that port back: they are gone until the next restart.", "the card and its slot", "the link failed: card, riser, slot, its power\na device below it whose driver can't recover: the line 'can't recover' before it names it", "pcie-aer,kernel-log", STEP_NONE, 0, 0 },
    { "kernel", "mlx5_pci_err_detected", "PCIe had an error, and the kernel asks the driver to stop the device and begin anew: netdev and RDMA stop meanwhile.", "the card and its slot", "card, riser or slot with a bad contact, or a faulty card: the AER lines before it\nits power", "pcie-aer,devlink-health,kernel-log", STEP_NONE, 0, 0 },
    { "kernel", "Port module event*Cable plugged", "A module or cable was put in. No fault.", THIS, NULL, NULL, STEP_NONE, 0, 0 },
    { "kernel", "Port module event*Cable unplugged", "A module or cable was taken out.", THIS, "somebody pulled it, or it isn't seated", "port-module,port-active", STEP_NONE, 0, 0 },
    { "kernel", "Port module event*powered down due to insufficient", "The card switched ports off, because the slot gives it too little power, or doesn't say how much.", THIS, "old firmware of the card\na slot or riser of 25 W, or a BIOS that doesn't tell\noptical modules that need much: copper needs less", "port-module,kernel-log", STEP_NONE, 0, 0 },
    { "kernel", "Port module event*Power budget exceeded", "The module needs more power than the port may give it, and stays dark.", THIS, "a module of a higher power class than the card takes", "port-module,module-health", STEP_NONE, 0, 0 },
    { "kernel", "Port module event*High Temperature", "The module in the port is too hot, and may be switched off.", THIS, "fans or the air's way: the server's own sensors\na module of more power than its cage can cool", "module-health,port-module", STEP_NONE, 0, 0 },
    { "kernel", "Port module event*error", "The module or cable in the port is in error.", THIS, "a module that is faulty, too hot, or needs more power than the port gives", "port-module,module-health", STEP_NONE, 0, 0 },
    { "kernel", "Detected insufficient power on the PCIe slot", "The slot told the card that it gives less power than the card may need. No fault by itself: many healthy hosts say so; where ports or modules stay dark, another slot or newer firmware of the card helps.", THIS, "the slot or riser gives 25 W only\na server whose BIOS doesn't tell", "port-module,kernel-log", STEP_NONE, 0, 0 },
    { "kernel", "mlx5_core*: Link down", LINK_LOST, STEP_NONE, 0, 0 },
    { "kernel", "bnxt_en *NIC Link is Down", LINK_LOST, STEP_NONE, 0, 0 },
    { "kernel", "ice 0*NIC Link is Down", LINK_LOST, STEP_NONE, 0, 0 },
    { "kernel", "hns3 *link down", LINK_LOST, STEP_NONE, 0, 0 },
    { "kernel", "nvidia-peermem*detected invalid context", "nvidia_peermem was told that GPU memory goes away whose registration it doesn't know any more.", THIS, "a process with GPU memory registered was killed\ndriver versions that don't fit: use dma-buf instead", NULL, STEP_NONE, 0, 0 },
    { "libmlx5", "mlx5: *got completion with error", "libmlx5 prints a bad completion as hex; the program's own line behind it names the status.", THIS, "the line behind it", NULL, STEP_NONE, 0, 0 },
    { "kernel", ": Unknown symbol rdma_", MIXED_STACKS },
    { "kernel", ": Unknown symbol ib_", MIXED_STACKS },
    { "kernel", "nfs: server * not responding", "An NFS server doesn't answer in time. Whether the mount goes by RDMA or TCP the line doesn't say: roce users.", OTHER, "the server is down, restarts, or its disks are slow\nby RDMA: its port, a firewall for UDP port 4791, packets that get lost\nthe network between", "nfs-rdma-client,nfs-rdma-mount,port-active,retransmissions", STEP_NONE, 0, 0 },
    { "kernel", "nfs: server * OK", "The NFS server answers again. No fault any more.", NULL, NULL, NULL, STEP_NONE, 0, 0 },
    { "kernel", "rpcrdma: connection to *closed (-{errno})", "NFS over RDMA lost or didn't get its connection.", NULL, NULL, "nfs-rdma-client,port-active", STEP_NONE, 0, 0 },

    /* any program that names the call, and the errno by number or in words */
    { NULL, "WR flushed (5)", NULL, NULL, NULL, NULL, STEP_NONE, 0, IBV_WC_WR_FLUSH_ERR },
    { NULL, "memory management operation error (6)", NULL, NULL, NULL, NULL, STEP_NONE, 0, IBV_WC_MW_BIND_ERR },
    { NULL, "ibv_reg_*fail*Invalid argument", REGISTER_REFUSED },
    { NULL, "ibv_reg_*errno*{errno}", "Memory could not be registered with the NIC.", NULL, NULL, NULL, STEP_REGISTER, 0, 0 },
    { NULL, "ibv_reg_*fail*{error}", "Memory could not be registered with the NIC.", NULL, NULL, NULL, STEP_REGISTER, 0, 0 },
    { NULL, "ibv_create_cq*errno*{errno}", "A completion queue could not be made.", NULL, NULL, NULL, STEP_CQ, 0, 0 },
    { NULL, "ibv_create_cq*fail*{error}", "A completion queue could not be made.", NULL, NULL, NULL, STEP_CQ, 0, 0 },
    { NULL, "ibv_create_qp*fail*Invalid argument", "A queue pair could not be made.", THIS, QP_CAUSES, NULL, STEP_QP, EINVAL, 0 },
    { NULL, "ibv_create_qp*errno*{errno}", "A queue pair could not be made.", NULL, NULL, NULL, STEP_QP, 0, 0 },
    { NULL, "ibv_create_qp*fail*{error}", "A queue pair could not be made.", NULL, NULL, NULL, STEP_QP, 0, 0 },
    { NULL, "ibv_modify_qp*errno*{errno}", NULL, NULL, NULL, NULL, STEP_RTR, 0, 0 },
    { NULL, "ibv_modify_qp*fail*{error}", NULL, NULL, NULL, NULL, STEP_RTR, 0, 0 },
    { NULL, "ibv_open_device*errno*{errno}", "The device could not be opened.", NULL, NULL, NULL, STEP_OPEN, 0, 0 },
    { NULL, "ibv_open_device*fail*{error}", "The device could not be opened.", NULL, NULL, NULL, STEP_OPEN, 0, 0 },
    { NULL, "ibv_create_ah*errno*{errno}", NULL, NULL, NULL, NULL, STEP_AH, 0, 0 },
    { NULL, "ibv_create_ah*fail*{error}", NULL, NULL, NULL, NULL, STEP_AH, 0, 0 },
    { NULL, "rdma_resolve_*errno*{errno}", NULL, NULL, NULL, NULL, STEP_CM_RESOLVE, 0, 0 },
    { NULL, "rdma_resolve_*fail*{error}", NULL, NULL, NULL, NULL, STEP_CM_RESOLVE, 0, 0 },
    { NULL, "rdma_create_qp*errno*{errno}", "A queue pair could not be made for an RDMA_CM connection.", NULL, NULL, NULL, STEP_QP, 0, 0 },
    { NULL, "rdma_create_qp*fail*{error}", "A queue pair could not be made for an RDMA_CM connection.", NULL, NULL, NULL, STEP_QP, 0, 0 },
    { NULL, "rdma_bind_addr*errno*{errno}", NO_BINDING, 0, 0 },
    { NULL, "rdma_bind_addr*fail*{error}", NO_BINDING, 0, 0 },
    { NULL, "rdma_bind_addr*fail", NO_BINDING, 0, 0 },
    { NULL, "rdma_connect*fail*Connection refused", CM_REFUSED },
    { NULL, "rdma_connect*errno*111", CM_REFUSED },
    { NULL, "rdma_connect*errno*{errno}", NULL, NULL, NULL, NULL, STEP_CM_CONNECT, 0, 0 },
    { NULL, "rdma_connect*fail*{error}", NULL, NULL, NULL, NULL, STEP_CM_CONNECT, 0, 0 },
};
/* clang-format on */

const struct message *message_at(size_t i)
{
    return i < ARRAY_SIZE(messages) ? &messages[i] : NULL;
}
