/* SPDX-License-Identifier: MIT */
/* The forms (source/root/root.h) for files that are read in more than one place or have many words. */
#pragma once

/* sys/class/infiniband */
#define FORM_PORT_STATE "{number}: {NOP|DOWN|INIT|ARMED|ACTIVE|ACTIVE_DEFER}"
#define FORM_PHYS_STATE                                                                         \
    "{number}: {Sleep|Polling|Disabled|PortConfigurationTraining|LinkUp|LinkErrorRecovery|Phy " \
    "Test|ACTIVE|<unknown>}"
#define FORM_NODE_TYPE "{number}: {CA|switch|router|RNIC|usNIC|usNIC UDP|unspecified|<unknown>}"
#define FORM_RATE \
    "{decimal} Gb/sec ({number}X {SDR|DDR|QDR|FDR10|FDR|EDR|HDR|NDR|XDR})\n{decimal} Gb/sec ({number}X)"
#define FORM_HCA_TYPE \
    "MT{number}\nI40IW\nFastLinQ QL{hex} RoCE\nVMW_PVRDMA-{version}\nBroadcom NetXtreme-C/E RoCE Driver HCA"
#define FORM_BOARD_ID "{psid}\n{number}\nI40IW Board ID"
#define FORM_GID_TYPE "{IB/RoCE v1|RoCE v2}"

/* sys/class/net */
#define FORM_OPERSTATE "{unknown|notpresent|down|lowerlayerdown|testing|dormant|up}"
#define FORM_UEVENT                                                                                        \
    "INTERFACE={name}\nIFINDEX={number}\nDEVTYPE={vlan|bond|bridge|macvlan|ipvlan|vxlan|veth|dummy|ipoib|" \
    "wlan|wwan|gadget|geneve|bareudp|team|macsec|tun|ppp|dsa|openvswitch}\n"
#define FORM_BOND_MODE \
    "{balance-rr|active-backup|balance-xor|broadcast|802.3ad|balance-tlb|balance-alb} {number}"
#define FORM_HASH_POLICY "{layer2|layer3+4|layer2+3|encap2+3|encap3+4|vlan+srcmac} {number}"
#define FORM_MII_STATUS "{up|down|going down|going back}"
#define FORM_VLAN \
    "{name} VID: {number} {rest}\n{name} VID: {number}\nDevice: {name}\n EGRESS priority mappings: {pairs}\n"
#define FORM_DSCP_MAP "dscp2prio mapping:\n{number} {number}\n"

/* proc/net: who joined LLDP's groups; packet sockets for LLDP, or for everything */
#define FORM_GROUPS "{number} {name} {number} {number} {0180c200000e|0180c2000003|0180c2000000}\n"
#define FORM_PACKET_SOCKETS "{hex} {number} {number} {88cc|0003} {number} {number} {number} {number} {number}\n"
#define FORM_HEARD                                                                           \
    "frame {name} {number} {lldp-frame}\nlistened {number}\nlistened {number} interrupted\n" \
    "down {name}\nerror {name} {number}\n"

/* sys/bus/pci */
#define FORM_LINK_SPEED "{decimal} GT/s PCIe\n{decimal} GT/s\nUnknown\nUnknown speed"
#define FORM_AER                                                                                              \
    "{Undefined|DLP|SDES|TLP|FCP|CmpltTO|CmpltAbrt|UnxCmplt|RxOF|MalfTLP|ECRC|UnsupReq|ACSViol|UncorrIntErr|" \
    "BlockedTLP|AtomicOpBlocked|TLPBlockedErr|PoisonTLPBlocked|DMWrReqBlocked|IDECheck|MisIDETLP|PCRC_CHECK|" \
    "TLPXlatBlocked|RxErr|BadTLP|BadDLLP|Rollover|Timeout|NonFatalErr|CorrIntErr|HeaderOF|TOTAL_ERR_COR|"     \
    "TOTAL_ERR_NONFATAL|TOTAL_ERR_FATAL} {number}\n"
#define FORM_NVIDIA "NVRM version: NVIDIA UNIX Open Kernel Module{rest}\nNVRM version: NVIDIA UNIX {rest}\n"

/* proc, etc, probe */
#define FORM_OS_RELEASE "ID={distribution}\nID_LIKE={distribution}\nPRETTY_NAME={distribution}\n"
#define FORM_LIMITS "Max locked memory {limit} {limit} bytes\n"
#define FORM_MEMINFO "CmaTotal: {number} kB\nCmaFree: {number} kB\n"
#define FORM_STATUS "Uid: {numbers}\nCapEff: {hex}\nCpus_allowed_list: {numbers}\nVmPin: {number} kB\n"
#define FORM_MOUNTS                                                         \
    "{mount-source} {mount-point} nfs4 {mount-options} {number} {number}\n" \
    "{mount-source} {mount-point} nfs {mount-options} {number} {number}\n"  \
    "{mount-source} {mount-point} 9p {mount-options} {number} {number}\n"
#define FORM_MOUNTSTATS                                                       \
    "device {mount-source} mounted on {mount-point} with fstype nfs4{rest}\n" \
    "device {mount-source} mounted on {mount-point} with fstype nfs{rest}\n"  \
    " xprt: {rdma|tcp|udp|tcp-bc|local|rdma6|tcp6|udp6} {numbers}\n"
#define FORM_PORTLIST "{rdma|tcp|udp|tcp-bc|local|rdma6|tcp6|udp6} {number}\n"
#define FORM_NFS_CONF " [nfsd]{rest}\n [{rest}\n rdma = {flag}\n rdma-port = {flag}\n"
#define FORM_EXPORTS " /{rest}\n \"{rest}\n"
#define FORM_TRANSPORT "{rdma|tcp|pcie|fc|loop|apple-nvme}"
#define FORM_RTRS_ADDRESS "ip:{host}\ngid:{gid}"
#define FORM_BEEGFS                                                                                     \
    "{name} [ID: {number}]\n"                                                                           \
    " Connections: RDMA: {number} ({host}:{number}){rest}\n Connections: RDMA: {number} (busy){rest}\n" \
    " Connections: TCP: {number} ({host}:{number}); RDMA: {number} ({host}:{number}){rest}\n"
#define FORM_LNET "{host}@o2ib{number} {up|down} {rest}\n{host}@o2ib {up|down} {rest}\n"
#define FORM_MARKS                                                                                    \
    "pid-namespace other\nnet-namespace {first|other}\nvariable {kubernetes|apptainer}\nkernel wsl\n" \
    "file {.dockerenv|run/.containerenv}\ninit {docker|podman|lxc|systemd-nspawn}\n"                  \
    "path {containerd|crio|podman|docker|lxc|pod|containers-storage}\n"
