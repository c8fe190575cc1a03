/* SPDX-License-Identifier: MIT */
/* What hosts must agree on, and why it matters: a row for each fact. */
#include "fleet/compare.h"

#include "fleet/fleet.h"

/* Do the lists have an item in common? */
static bool have_one_in_common(const char *a, const char *b)
{
    const char *item;
    for (size_t len; (item = fleet_next_item(&a, &len));)
        if (fleet_has_item(b, item, len))
            return true;
    return false;
}

#define SAME_FW                                                                                            \
    "bring all to one release: the vendor's tool (mlxfwmanager, niccli, nvmupdate) or the distribution's " \
    "firmware package"
#define PFC_WHY                                                                                           \
    "Priorities that one end thinks lossless and the other doesn't lose packets under load, and a pause " \
    "storm of one host stops the others of its switch."
#define FLOW_FIX \
    "set it alike: dcb, mlnx_qos, or lldpad and the switch's DCBX; 'roce qos' shows the whole chain of a host"

#define HOST(name, rule, how, ...)                                                    \
    {                                                                                 \
        .of = FACT_HOST, .key = (name), .kind = (rule), .verdict = (how), __VA_ARGS__ \
    }
#define DEVICE(name, rule, how, ...)                                                    \
    {                                                                                   \
        .of = FACT_DEVICE, .key = (name), .kind = (rule), .verdict = (how), __VA_ARGS__ \
    }
#define PORT(name, rule, how, ...)                                                    \
    {                                                                                 \
        .of = FACT_PORT, .key = (name), .kind = (rule), .verdict = (how), __VA_ARGS__ \
    }
/* Natural differences; a change on one host is still worth knowing. */
#define NATURAL(kind, name)                                                                    \
    {                                                                                          \
        .of = (kind), .key = (name), .verdict = VERDICT_INFO, .why = "It is not what it was.", \
        .fix = "nothing, if somebody meant it"                                                 \
    }

static const struct fleet_rule rules[] = {
    HOST("host", RULE_UNIQUE, VERDICT_WARN,
         .why =
             "Two machines that call themselves the same are taken for one by schedulers, logs and monitoring.",
         .fix = "hostnamectl set-hostname NAME on one of them"),
    HOST("kernel", RULE_EQUAL, VERDICT_WARN,
         .why = "Drivers come with the kernel: another release is another driver, with its own faults, "
                "counters and defaults.",
         .fix = "install the same kernel and boot it"),
    HOST("os", RULE_EQUAL, VERDICT_INFO, .why = "Libraries and defaults come with the distribution's release.",
         .fix = "bring all hosts to one release when it suits"),
    HOST("rdma_netns", RULE_EQUAL, VERDICT_WARN,
         .why = "With \"exclusive\" a container sees only the devices that were moved into it, with \"shared\" "
                "it sees all: the same job starts on one host and fails on the other.",
         .fix = "rdma system set netns shared (or exclusive), and options ib_core netns_mode= in "
                "/etc/modprobe.d for good"),
    HOST("device_count", RULE_EQUAL, VERDICT_FAIL, .because = "port",
         .why = "A job that counts on as many NICs as the others have fails or runs slower with fewer.",
         .fix = "'roce doctor' on the host with fewer: a card that fell off the bus, a driver that didn't "
                "load, RoCE switched off"),
    HOST("memlock", RULE_EQUAL, VERDICT_WARN,
         .why = "Registering memory fails beyond the limit: the job that runs on the others ends with \"cannot "
                "allocate memory\" here.",
         .fix = "the same LimitMEMLOCK= or limits.d entry on all; 'roce doctor --only memlock' says where it "
                "is set"),
    HOST("libraries", RULE_EQUAL, VERDICT_WARN,
         .why = "Without its provider libibverbs shows no device, whatever the kernel has.",
         .fix = "install the same rdma-core packages (ibverbs-providers, libibverbs)"),
    HOST("modules", RULE_EQUAL, VERDICT_WARN,
         .why = "A module that the others have is missing, or the other way round: GPUDirect falls back to "
                "copies, user space finds no device.",
         .fix = "modprobe it, and name it in /etc/modules-load.d"),
    HOST("environment", RULE_EQUAL, VERDICT_WARN, .each = true,
         .why = "Ranks with different settings choose different GIDs, traffic classes or NICs, and wait for "
                "each other.",
         .fix = "export the same variables on all hosts; the engine's job script is the place"),
    HOST("settings", RULE_EQUAL, VERDICT_WARN, .each = true,
         .why = "Libraries read their files on each host: one that says something else makes that host choose "
                "differently.",
         .fix = "copy the file from a host that is right"),
    HOST("sysctls", RULE_EQUAL, VERDICT_WARN, .each = true,
         .why = "How hosts with several addresses on a subnet answer ARP and check senders depends on these.",
         .fix = "sysctl -w NAME=VALUE, and in /etc/sysctl.d for good"),
    HOST("findings", RULE_EQUAL, VERDICT_WARN, .each = true,
         .why = "doctor found something there that it didn't find on the others.",
         .fix = "'roce doctor' on the host says what it is and how to put it right"),

    DEVICE("device", RULE_EQUAL, VERDICT_WARN, .own_values = true, .because = "port",
           .why = "What is configured by name (NCCL_IB_HCA, UCX_NET_DEVICES, a job script) takes another NIC "
                  "there, or none.",
           .fix = "name devices by their place: NAME_FIXED or NAME_PCI in rdma-core's "
                  "60-rdma-persistent-naming.rules, or 'rdma dev set'"),
    DEVICE("board_id", RULE_EQUAL, VERDICT_INFO, .within = "hca_type",
           .why = "Boards of one chip differ in ports, cooling and firmware images.",
           .fix = "nothing, if the boards are meant to differ; firmware is compared among boards of a kind"),
    DEVICE("hca_type", RULE_EQUAL, VERDICT_WARN, .because = "port",
           .why = "Another model has other rates, limits and firmware: the slowest NIC of a job sets its pace.",
           .fix = "if it is meant to be, compare by model: --by hca_type"),
    DEVICE("hw_rev", RULE_EQUAL, VERDICT_INFO, .within = "board_id", .because = "hca_type",
           .why = "Revisions of a chip may have limits of their own.",
           .fix = "nothing: worth knowing when only these misbehave"),
    DEVICE("fw_ver", RULE_EQUAL, VERDICT_WARN, .within = "board_id",
           .why = "Releases of firmware differ in defaults, congestion control and faults: what one host shows "
                  "can't be found on the others.",
           .fix = SAME_FW),
    DEVICE("driver", RULE_EQUAL, VERDICT_FAIL, .because = "hca_type",
           .why = "Another driver has other abilities, counters and settings.",
           .fix = "load the driver that the others have"),
    DEVICE("transport", RULE_EQUAL, VERDICT_FAIL, .because = "hca_type,link_layer",
           .why = "RoCE, InfiniBand and iWARP can't talk to each other.",
           .fix = "set the port's type alike: mlxconfig set LINK_TYPE_P1, or devlink"),
    DEVICE("roce_enabled", RULE_EQUAL, VERDICT_FAIL,
           .why = "A device with RoCE switched off has no GID, and nothing connects to it.",
           .fix = "devlink dev param set pci/ADDRESS name enable_roce value true cmode driverinit, then "
                  "devlink dev reload"),
    NATURAL(FACT_DEVICE,
            "pci"), /* boards differ: subjects are matched by it, and numa_node is compared within it */
    DEVICE(
        "link_speed", RULE_EQUAL, VERDICT_WARN, .within = "hca_type",
        .why = "A PCIe link that trained slower halves what the NIC can move: the whole job runs at its pace.",
        .fix = "reseat the card, look at the slot and at riser and retimer; 'roce doctor --only pcie-speed' on "
               "the host"),
    DEVICE("link_width", RULE_EQUAL, VERDICT_WARN, .within = "hca_type",
           .why = "A PCIe link with fewer lanes moves less: the whole job runs at its pace.",
           .fix = "reseat the card, look at the slot and its bifurcation in the firmware setup"),
    DEVICE("numa_node", RULE_EQUAL, VERDICT_WARN, .within = "pci",
           .why = "In the same slot of the same board it should be the same: sub-NUMA clustering or nodes per "
                  "socket are set differently there, and pinning by node number goes wrong.",
           .fix = "set NPS, SNC or \"sub-NUMA clustering\" alike in the firmware setup"),
    DEVICE("iommu", RULE_EQUAL, VERDICT_WARN,
           .why = "Translating each access costs bandwidth and breaks GPUDirect on some platforms.",
           .fix = "the same iommu= and intel_iommu= or amd_iommu= on the kernel's command line"),
    DEVICE(
        "mps", RULE_EQUAL, VERDICT_WARN, .within = "hca_type",
        .why =
            "The largest payload of a PCIe packet: with a smaller one the same bandwidth takes more packets.",
        .fix = "pci=pcie_bus_perf (or the same pci= option) on the kernel's command line, and the same setting "
               "in the firmware setup"),
    DEVICE("mrrs", RULE_EQUAL, VERDICT_WARN, .within = "hca_type",
           .why = "The most that the card asks memory for at a time: with less, sending is slower.",
           .fix = "'roce doctor --only pcie-mrrs' on the host; the same setting of the firmware setup or of a "
                  "start-up script (setpci) as on the others"),
    DEVICE("relaxed_ordering", RULE_EQUAL, VERDICT_WARN, .within = "hca_type",
           .why = "Where writes may overtake each other on PCIe, bandwidth is higher on many platforms; cards "
                  "that differ run at different speeds.",
           .fix = "the same setting of the card (mlxconfig: PCI_WR_ORDERING) and of the firmware setup as on "
                  "the others"),
    DEVICE("acs", RULE_EQUAL, VERDICT_WARN,
           .why = "With ACS a bridge sends what goes from NIC to GPU up to the root port: GPUDirect loses much "
                  "of its bandwidth there.",
           .fix = "switch ACS off in the firmware setup, or by setpci at boot, as on the other hosts"),
    DEVICE("node_guid", RULE_UNIQUE, VERDICT_FAIL, .own_values = true,
           .why = "Two NICs with one GUID: connections and monitoring take one for the other.",
           .fix = "cloned virtual machines: new GUIDs for their functions (ip link set dev PF vf N node_guid); "
                  "cards: the vendor"),

    NATURAL(FACT_PORT, "device"), /* the device's own facts are compared */
    /* whether it exists at all */
    PORT("port", RULE_NONE, VERDICT_FAIL,
         .why = "A job that uses all rails fails or runs slower on a host that lacks one.",
         .fix = "'roce doctor' on the host: a card that fell off the bus, a driver that didn't load, another "
                "kind of host"),
    PORT("netdev", RULE_EQUAL, VERDICT_WARN, .own_values = true, .because = "port,device",
         .why = "What is configured by the interface's name (NCCL_SOCKET_IFNAME, a network plan) takes another "
                "one there, or none.",
         .fix = "name it by its place: a .link file of systemd, or udev's rules, as on the others"),
    PORT("state", RULE_EQUAL, VERDICT_FAIL,
         .why = "A rail that is down on one host stops each job that uses all rails.",
         .fix = "'roce doctor' on the host: cable, module, switch port, ip link set up"),
    PORT("link_layer", RULE_EQUAL, VERDICT_FAIL, .because = "hca_type",
         .why = "An InfiniBand and an Ethernet port can't talk to each other.",
         .fix = "mlxconfig set LINK_TYPE_P1=2 (Ethernet) or 1 (InfiniBand), then reset the device"),
    PORT("rate_mbps", RULE_EQUAL, VERDICT_FAIL, .because = "state",
         .why =
             "A slower link makes the host the slowest of its job, and fills the switch's buffers towards it.",
         .fix = "cable, module, switch port's speed; 'roce doctor --only link' on the host"),
    PORT("width", RULE_EQUAL, VERDICT_WARN, .because = "state,rate_mbps,hca_type",
         .why = "Fewer lanes than the others have: one may have failed.", .fix = "cable, module, splitter"),
    PORT("mtu", RULE_PAIR, VERDICT_FAIL, .because = "netdev_mtu,netdev",
         .why = "Packets of the greater RoCE MTU never arrive at the smaller one, unless both ends agree on it "
                "when they connect: programs that take their own port's fail.",
         .fix = "the same MTU of the netdevs"),
    PORT("netdev_mtu", RULE_PAIR, VERDICT_FAIL,
         .why = "Frames of the greater MTU are dropped by the smaller: small messages pass, large ones hang.",
         .fix = "ip link set dev NETDEV mtu N, and the same in the network configuration"),
    PORT("mac", RULE_UNIQUE, VERDICT_FAIL, .own_values = true,
         .why = "Two ports with one MAC take each other's frames.",
         .fix = "cloned virtual machines: new MACs; else look for what sets it (ip link, bond, netplan)"),
    PORT("addresses", RULE_UNIQUE, VERDICT_FAIL, .own_values = true,
         .why = "Two hosts with one address: which answers is chance, and connections break.",
         .fix = "give one of them another address"),
    PORT("family", RULE_PAIR, VERDICT_FAIL, .fits = have_one_in_common, .because = "subnets",
         .why = "A host with IPv4 addresses alone and one with IPv6 alone have no RoCE v2 GIDs that can reach "
                "each other.",
         .fix = "give all an address of one family on each rail"),
    PORT("subnets", RULE_PAIR, VERDICT_FAIL, .own_values = true, .fits = have_one_in_common, .with = "routed",
         .why = "Ports of one rail in different subnets, with no route by that netdev, can't reach each other.",
         .fix = "an address of the rail's subnet, or a route by the netdev to the others'"),
    NATURAL(FACT_PORT, "routed"), /* tells whether differing subnets matter */
    PORT(
        "bond", RULE_EQUAL, VERDICT_WARN,
        .why = "A bond sends and fails over by its mode: others expect the same of the switch and of the peer.",
        .fix = "set the bond's mode alike (ip link set dev BOND type bond mode MODE), and the switch's side"),
    PORT("gid_types", RULE_PAIR, VERDICT_FAIL, .fits = have_one_in_common,
         .because = "subnets,family,roce_enabled,state",
         .why = "RoCE v1 and v2 don't understand each other: hosts with no type in common can't connect.",
         .fix = "an address on the netdev, which gives it RoCE v2 GIDs; devices of v1 alone need peers that "
                "have v1"),
    PORT("routable_v2", RULE_EQUAL, VERDICT_FAIL,
         .because = "subnets,family,gid_types,roce_enabled,state,netdev",
         .why = "Without a routable RoCE v2 GID a port can't be reached by the others of its rail.",
         .fix = "an address on the netdev; 'roce doctor --only gid' on the host"),
    PORT("gid_index", RULE_EQUAL, VERDICT_WARN,
         .because = "subnets,family,gid_types,routable_v2,roce_enabled,netdev,vlan",
         .why = "One NCCL_IB_GID_INDEX or -x for all hosts is wrong where the index differs: it names a v1, "
                "link-local or empty GID.",
         .fix = "NCCL_IB_ADDR_FAMILY and NCCL_IB_ADDR_RANGE in place of an index, or the same order of "
                "addresses on all"),
    PORT("vlan", RULE_EQUAL, VERDICT_FAIL,
         .why = "Hosts in different VLANs, or one without a tag, don't hear each other, and PCP is lost "
                "without a tag.",
         .fix = "the same VLAN interface below the rail's address"),
    PORT("pfc", RULE_EQUAL, VERDICT_FAIL, .why = PFC_WHY, .fix = FLOW_FIX),
    PORT("trust", RULE_EQUAL, VERDICT_FAIL,
         .why = "A host that trusts PCP puts DSCP-marked RoCE on the default priority, where it is lossy.",
         .fix = "mlnx_qos -i NETDEV --trust dscp, or dcb app add dev NETDEV dscp-prio, as on the others"),
    PORT("default_priority", RULE_EQUAL, VERDICT_WARN, .because = "trust",
         .why = "Frames that say nothing take another queue there.", .fix = FLOW_FIX),
    PORT("dscp_priority", RULE_EQUAL, VERDICT_FAIL, .because = "trust",
         .why = "A DSCP that maps to another priority leaves the lossless queue on one host.", .fix = FLOW_FIX),
    PORT("priority_tc", RULE_EQUAL, VERDICT_WARN,
         .why = "Priorities that share a traffic class there share its queue and its losses.", .fix = FLOW_FIX),
    PORT("ets", RULE_EQUAL, VERDICT_WARN, .because = "priority_tc",
         .why = "The share of bandwidth that RoCE is given under load differs.", .fix = FLOW_FIX),
    PORT("ecn_rp", RULE_EQUAL, VERDICT_WARN,
         .why = "A sender that doesn't slow down when congestion is notified takes the others' bandwidth and "
                "fills the buffers.",
         .fix = "echo 1 >/sys/class/net/NETDEV/ecn/roce_rp/enable/PRIORITY, or by mlxconfig for good"),
    PORT("ecn_np", RULE_EQUAL, VERDICT_WARN,
         .why = "A receiver that doesn't notify congestion lets its senders run into PFC and loss.",
         .fix = "echo 1 >/sys/class/net/NETDEV/ecn/roce_np/enable/PRIORITY, or by mlxconfig for good"),
    PORT("pause", RULE_EQUAL, VERDICT_WARN, .because = "pfc",
         .why = "Link-level pause stops all priorities of a port at once; it isn't used together with PFC.",
         .fix = "ethtool -A NETDEV rx off tx off (or on), as on the others"),
    PORT("fec", RULE_EQUAL, VERDICT_WARN, .because = "rate_mbps,state",
         .why = "Another error correction costs delay, or lets errors through that the others correct.",
         .fix = "ethtool --set-fec NETDEV encoding auto, and the same modules and cables"),
    PORT("traffic_class", RULE_EQUAL, VERDICT_WARN,
         .why = "The driver forces this TOS on all queue pairs of the host: its packets take another queue of "
                "the network.",
         .fix = "echo N >/sys/class/infiniband/DEVICE/tc/PORT/traffic_class, as on the others"),
    PORT("sysctls", RULE_EQUAL, VERDICT_WARN, .each = true,
         .why = "How the host answers ARP on this netdev and checks senders depends on these: with several "
                "rails in reach, answers go out by the wrong one.",
         .fix = "sysctl -w net.ipv4.conf.NETDEV.NAME=VALUE, and in /etc/sysctl.d for good"),
    PORT("cm_mode", RULE_PAIR, VERDICT_FAIL,
         .why = "With RDMA_CM a client whose default is v2 never connects to a server whose default is v1; the "
                "other way round it works, but through no router.",
         .fix = "roce mode set DEVICE/PORT v2 on the hosts with v1"),
    PORT("cm_tos", RULE_EQUAL, VERDICT_WARN,
         .why = "Connections by RDMA_CM take another traffic class from there: outside the lossless queue, or "
                "without ECN.",
         .fix = "roce mode tos DEVICE/PORT N, as on the others"),
    PORT("errors", RULE_NUMBER, VERDICT_WARN, .each = true, .least = 100,
         .why = "The host has counted far more errors than the others have on this rail: a cable, module or "
                "port that goes bad.",
         .fix = "see whether it grows: 'roce counters --watch' there; then change cable or module"),
};

const struct fleet_rule *fleet_rule_at(size_t i)
{
    return i < sizeof(rules) / sizeof(rules[0]) ? &rules[i] : NULL;
}

const struct fleet_rule *fleet_rule(enum fact_of of, const char *key)
{
    const struct fleet_rule *rule;
    for (size_t i = 0; (rule = fleet_rule_at(i)); i++)
        if (rule->of == of && strcmp(rule->key, key) == 0)
            return rule;
    return NULL;
}

bool fleet_rule_known(const char *key)
{
    const struct fleet_rule *rule;
    for (size_t i = 0; (rule = fleet_rule_at(i)); i++)
        if (strcmp(rule->key, key) == 0)
            return true;
    return false;
}

bool fleet_rule_first(const struct fleet_rule *rule)
{
    const struct fleet_rule *first = rules;
    while (strcmp(first->key, rule->key) != 0)
        first++;
    return first == rule;
}
