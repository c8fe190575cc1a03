/* SPDX-License-Identifier: MIT */
#include "model/word.h"

#include <string.h>
#include <strings.h>

#include "base/base.h"
#include "base/text.h"
#include "model/topology.h"

const struct word_table *const *word_tables(size_t *count)
{
    static const struct word_table *const tables[] = {
        &words_errnos,     &words_cm_events,   &words_cm_reasons,      &words_async_events,
        &words_variables,  &words_port_states, &words_physical_states, &words_qp_states,
        &words_node_types, &words_verdicts,    &words_port_verdicts,
    };
    *count = ARRAY_SIZE(tables);
    return tables;
}

const struct word_table *word_table_find(const char *kind)
{
    size_t count;
    const struct word_table *const *tables = word_tables(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(tables[i]->kind, kind) == 0)
            return tables[i];
    return NULL;
}

const struct word *word_find(const struct word_table *table, const char *name)
{
    for (size_t i = 0; i < table->count; i++) {
        const struct word *word = &table->words[i];
        if (strcasecmp(word->name, name) == 0 || (word->also && text_in_list_fold(word->also, name)))
            return word;
    }
    return NULL;
}

const struct word *word_numbered(const struct word_table *table, int number)
{
    for (size_t i = 0; number >= 0 && i < table->count; i++)
        if (table->words[i].number == number)
            return &table->words[i];
    return NULL;
}

/* clang-format off */
static const char *const names[VERDICTS] = {
    [VERDICT_NA] = "n/a",
    [VERDICT_PASS] = "pass",
    [VERDICT_INFO] = "info",
    [VERDICT_UNKNOWN] = "unknown",
    [VERDICT_WARN] = "warn",
    [VERDICT_FAIL] = "fail",
};
/* clang-format on */

const char *verdict_name(enum verdict verdict)
{
    return names[verdict];
}

/* clang-format off */
static const struct term terms[] = {
    { "ACS", NULL, "Access Control Services", "A PCIe bridge's setting that sends traffic between two devices below it up to the root, to be checked by the IOMMU. Good for isolation, bad for GPUDirect." },
    { "AH", "address handle", "Address Handle", "Where a datagram goes: GID, port, traffic class. On RoCE making one looks up the peer's MAC." },
    { "ATS", NULL, "Address Translation Services", "A PCIe device asks the IOMMU for addresses itself and keeps the answers. What it has translated may go straight to another device." },
    { "BER", "bit error rate", "Bit Error Rate", "How many of a link's bits arrive wrong. Fast links always have some, which FEC corrects; what is wrong after that is what hurts." },
    { "bond", "lag,roce lag", NULL, "Several Ethernet ports used as one. RoCE LAG: both ports of a card in mode 1, 2 or 4 become one RDMA device (mlx5_bond_0)." },
    { "buffer", "headroom", NULL, "Memory at the NIC's or switch's port. A lossless priority needs one of its own, with room for what is still on the wire when it says pause." },
    { "CNP", NULL, "Congestion Notification Packet", "What a receiver sends back when packets came in marked with congestion (ECN), to make the sender slow down." },
    { "completion error", "work completion,wc", NULL, "How a work request ended. 12: the peer didn't answer (transport retries exceeded); 13: the receiver wasn't ready; 10: remote access refused; 5: flushed after an earlier error." },
    { "CQ", "completion queue,cqe", "Completion Queue", "Where the device reports that work requests are done." },
    { "DC", "dct,dci", "Dynamically Connected", "A transport of NVIDIA's devices: one queue pair talks to many peers." },
    { "DCBX", NULL, "Data Center Bridging Exchange", "Negotiation of PFC and ETS with the switch over LLDP, by the NIC's firmware or by lldpad." },
    { "DCQCN", NULL, "Data Center Quantized Congestion Notification", "Congestion control of RoCE: switches mark (ECN), receivers notify (CNP), senders slow down." },
    { "device", "hca,ibdev,rdma device", NULL, "What the kernel shows in /sys/class/infiniband: a NIC's RDMA part, with one or more ports." },
    { "distance", "pix,pxb,phb,node,sys,c2c", NULL, "What is between two PCIe devices, in nvidia-smi's and NCCL's words, the nearest first. PIX: " MEANS_PIX ". PXB: " MEANS_PXB ". PHB: " MEANS_PHB ". NODE: " MEANS_NODE ". SYS: " MEANS_SYS ". C2C: a GPU that its CPU reaches without PCIe." },
    { "DSCP", NULL, "Differentiated Services Code Point", "Six bits of the IP header that say which class a packet is of: the upper six of the TOS byte (TOS 106 is DSCP 26)." },
    { "ECMP", NULL, "Equal-Cost Multi-Path", "Switches spread traffic over paths that are as good, by a hash of addresses and ports: all packets of a queue pair go one way, which its UDP source port decides." },
    { "ECN", NULL, "Explicit Congestion Notification", "Two bits of the IP header that a switch sets instead of dropping a packet." },
    { "EQ", "event queue", "Event Queue", "Where the device reports completions and errors to the driver, each with its own interrupt." },
    { "ETS", NULL, "Enhanced Transmission Selection", "How bandwidth is shared among traffic classes." },
    { "FEC", NULL, "Forward Error Correction", "Extra bits on a fast link that correct errors. Both ends must use the same kind." },
    { "flap", "link flap,port flap", NULL, "A link that goes down and comes back. Queue pairs outlive it if it is shorter than their retries last; addresses, and with them GIDs, may go and come back elsewhere." },
    { "flow label", "flow_label", NULL, "20 bits of an IPv6 header and of a queue pair's address. RoCE v2 makes its UDP source port of them, by which switches choose a path." },
    { "GID", NULL, "Global Identifier", "A RoCE port's address, 16 bytes: an IPv6 address, or ::ffff: and an IPv4 address. Each address of the netdev gives one for each RoCE version." },
    { "GID index", "gid_index,sgid_index", NULL, "The slot of a GID in its port's table. It can differ between hosts and change after a flap: choose by address, not by index." },
    { "GPUDirect", "gpudirect rdma,gdr,gdrdma,nvidia_peermem,peermem,dma-buf,dmabuf", NULL, "The NIC reads and writes a GPU's memory without a copy in host memory. It needs memory registered by dma-buf or nvidia_peermem, and GPU and NIC near each other on PCIe." },
    { "GRH", NULL, "Global Routing Header", "The header that holds the GIDs; on RoCE every packet has one." },
    { "GUID", "node guid,port guid", "Globally Unique Identifier", "Eight bytes that name a device or port permanently." },
    { "ICRC", NULL, "Invariant CRC", "RoCE's own checksum, over what no switch may change." },
    { "InfiniBand", "ib", NULL, "RDMA over its own kind of network, with LIDs, a subnet manager and partitions." },
    { "IOMMU", NULL, "Input-Output Memory Management Unit", "Translates the addresses that devices use. With translation on, traffic between a NIC and a GPU takes the way through the root." },
    { "IPoIB", NULL, "IP over InfiniBand", "A netdev over an InfiniBand port, in datagram or connected mode." },
    { "LACP", "802.3ad", "Link Aggregation Control Protocol", "How host and switch agree on the members of a bond (mode 4)." },
    { "iWARP", NULL, NULL, "RDMA over TCP. Its devices can't talk to RoCE ones." },
    { "LID", "sm_lid", "Local Identifier", "An InfiniBand port's address in its subnet, given by the subnet manager. RoCE has none." },
    { "link-local", NULL, NULL, "Addresses fe80::/10 and 169.254.0.0/16: good on one link only. A GID of that kind isn't routed." },
    { "LLDP", NULL, "Link Layer Discovery Protocol", "Neighbours on an Ethernet link tell each other who they are and what they want; DCBX travels in it." },
    { "lossless", NULL, NULL, "A network that pauses senders (PFC) instead of dropping packets." },
    { "lkey", "rkey", NULL, "The key of a memory region: lkey for the host's own work requests, rkey for the other end's reads and writes. A wrong or stale rkey is a remote access error (10)." },
    { "MAD", NULL, "Management Datagram", "A packet that isn't data: of InfiniBand's management, and RDMA_CM's requests and answers (queue pair 1)." },
    { "memlock", "rlimit_memlock", NULL, "How much memory a process may lock. Registering memory for RDMA locks it." },
    { "MPS", "max payload size,max_payload_size", "Maximum Payload Size", "The most bytes of a PCIe packet. All devices on a way have to use one that each of them can take." },
    { "MR", NULL, "Memory Region", "Memory registered with a device so that it can be read and written remotely." },
    { "MRRS", "max read request size,max_read_request_size", "Maximum Read Request Size", "How much a PCIe device asks for in one read. A small one keeps a fast NIC below its rate." },
    { "MTU", "roce mtu,active_mtu", "Maximum Transmission Unit", "RoCE's is 256, 512, 1024, 2048 or 4096 bytes of payload: the largest that fits the netdev's MTU with the headers. 1500 gives 1024, 4200 gives 4096." },
    { "NAK", NULL, "Negative Acknowledgement", "A receiver's answer to a packet that it can't take: out of sequence, no buffer posted (RNR), or an access that isn't allowed." },
    { "netdev", NULL, NULL, "A Linux network interface: eth0, bond0, eth0.100." },
    { "NUMA", "numa node", "Non-Uniform Memory Access", "Memory, CPUs and PCIe slots belong to nodes. A NIC is fastest with memory and CPUs of its own node." },
    { "ODP", "on-demand paging", "On-Demand Paging", "Memory is registered without being locked: the device asks for its pages when it needs them." },
    { "PCP", NULL, "Priority Code Point", "Three bits of a VLAN tag. Untagged frames have none." },
    { "PD", "protection domain", "Protection Domain", "What memory regions and queue pairs belong to: only those of one domain work together." },
    { "PFC", NULL, "Priority-based Flow Control", "Pause frames for one priority: the link partner stops sending that priority, the others go on. Each hop needs it." },
    { "P_Key", "pkey", "Partition Key", "An InfiniBand partition, 15 bits; bit 15 means full member. Limited members can't talk to each other." },
    { "port", NULL, NULL, "A port of an RDMA device, counted from 1." },
    { "priority", NULL, NULL, "0 to 7, chosen from DSCP or PCP. Flow control, ECN and buffers are set per priority." },
    { "PSN", NULL, "Packet Sequence Number", "24 bits that count a queue pair's packets. A gap is a lost packet, and is asked for again." },
    { "PXN", NULL, "PCI x NVLink", "NCCL sends by the NIC of another GPU, which it reaches over NVLink, so that the data stays on its rail." },
    { "Q_Key", "qkey", "Queue Key", "A datagram is only taken with the queue pair's own key." },
    { "QP", "queue pair,qpn", "Queue Pair", "One end of an RDMA connection: a send and a receive queue. RC is reliable and connected, UC connected, UD datagrams." },
    { "rail", "rail-optimized", NULL, "The network that the NICs of one number on all hosts form: mlx5_0 with mlx5_0. On rail-only networks other NICs don't reach each other." },
    { "RC", "reliable connection", "Reliable Connection", "A queue pair with one peer; packets are acknowledged and repeated. It can send, write, read and do atomics." },
    { "RDMA", NULL, "Remote Direct Memory Access", "A device reads and writes another host's memory without its CPU." },
    { "RDMA_CM", "rdma-cm,cma", "RDMA Connection Manager", "Makes RDMA connections by IP address. Its default RoCE version and TOS are kept in configfs (roce mode)." },
    { "relaxed ordering", "relaxed_ordering", NULL, "A PCIe device's writes may overtake each other. On some machines, and in virtual ones, a NIC is slow without it." },
    { "representor", NULL, NULL, "In switchdev mode: the netdev on the host that represents a virtual function or sub-function." },
    { "RNR", NULL, "Receiver Not Ready", "What a receiver answers when no buffer is posted; the sender waits and repeats." },
    { "RoCE", "rocev1,rocev2,roce v1,roce v2,roce_v1,roce_v2", "RDMA over Converged Ethernet", "v1 is an Ethernet type of its own and isn't routed; v2 is UDP, port 4791." },
    { "SF", NULL, "Sub-Function", "A slice of a NIC like a virtual function, without a PCI function of its own." },
    { "SHARP", NULL, "Scalable Hierarchical Aggregation and Reduction Protocol", "InfiniBand's switches add up what the hosts send. Not for RoCE." },
    { "SL", "service level", "Service Level", "InfiniBand's class of a packet, 0 to 15. On RoCE it is at most the priority of a VLAN tag; DSCP decides elsewhere." },
    { "SMC-R", "smc", "Shared Memory Communications over RDMA", "TCP sockets whose data uses RDMA where both ends can." },
    { "soft-RoCE", "rxe", NULL, "RoCE in software over any netdev: driver rdma_rxe. It uses the kernel's UDP, firewall and all." },
    { "SRD", NULL, "Scalable Reliable Datagram", "The protocol of Amazon's EFA: reliable, and not in order." },
    { "SRQ", "shared receive queue", "Shared Receive Queue", "Receives that several queue pairs take from." },
    { "subnet manager", "sm,opensm", NULL, "Gives InfiniBand ports their LIDs and routes. Without one, ports stay in INIT." },
    { "switchdev", NULL, NULL, "A NIC mode in which a switch inside forwards between functions and the wire." },
    { "TC", "traffic class,traffic_class", "Traffic Class", "A queue of the NIC that priorities are mapped to; also the TOS byte that NCCL_IB_TC, UCX_IB_TRAFFIC_CLASS and MLNX_OFED's traffic_class mean." },
    { "TOS", NULL, "Type Of Service", "A byte of the IP header: DSCP and ECN. 106 is DSCP 26 with ECN." },
    { "trust", NULL, NULL, "Whether a NIC takes the priority from DSCP or from PCP." },
    { "UC", "unreliable connection", "Unreliable Connection", "A queue pair with one peer; lost packets stay lost. It can send and write." },
    { "UD", "unreliable datagram", "Unreliable Datagram", "A queue pair for messages of up to an MTU to any peer, by address handle." },
    { "umad", NULL, NULL, "A device node for InfiniBand's management packets." },
    { "uverbs", NULL, NULL, "A device node that every RDMA application opens: /dev/infiniband/uverbs0." },
    { "VF", NULL, "Virtual Function", "A slice of a NIC with a PCI function of its own, for a virtual machine or container." },
    { "VLAN", NULL, "Virtual LAN", "A tagged network on an Ethernet link; its netdev adds GIDs of its own." },
    { "WQE", "work request,wr", "Work Queue Element", "An order to the device: send, receive, write, read. Its end is a completion (CQE)." },
    { "XRC", NULL, "Extended Reliable Connection", "RC whose receive queues all processes of a host share: a connection for each host instead of each process." },
};
/* clang-format on */

size_t term_count(void)
{
    return ARRAY_SIZE(terms);
}

const struct term *term_at(size_t i)
{
    return &terms[i];
}

const struct term *term_find(const char *name)
{
    for (size_t i = 0; i < ARRAY_SIZE(terms); i++)
        if (strcasecmp(terms[i].name, name) == 0 || (terms[i].also && text_in_list_fold(terms[i].also, name)))
            return &terms[i];
    return NULL;
}
