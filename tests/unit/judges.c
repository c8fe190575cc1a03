/* SPDX-License-Identifier: MIT */
/* Verdicts that no recorded machine has: what could not be read is unknown, never fine, and what is rare is
 * judged, too. `make mutate` says which judges need a line here. */
#include <criterion/criterion.h>
#include <netinet/in.h>

#include "asked.h"
#include "consumer/consumer.h"
#include "model/counters.h"
#include "model/qos.h"
#include "model/resources.h"
#include "model/route.h"
#include "model/services.h"
#include "model/statistics.h"

/* Two NICs of one kind, an ACTIVE port each with an address; eth0 and eth1. bond0 is there where a test counts
 * it. */
static struct {
    struct host host;
    struct device devices[2];
    struct port ports[2];
    struct gid gids[2];
    struct netdev netdevs[3];
    struct address addresses[2];
    struct pci pcis[2];
    struct qos qos[2];
    struct bond bond;
    struct bond_member members[2];
    struct environment variable;
    struct module module;
    struct arena *arena;
} m;

static const char *const device_names[] = { "mlx5_0", "mlx5_1" }, *const netdev_names[] = { "eth0", "eth1" },
                         *const functions[] = { "0000:17:00.0", "0000:65:00.0" };

static void make_nic(size_t i)
{
    m.addresses[i] = (struct address){ .family = AF_INET, .prefix = 24, .raw = { 10, 0, (uint8_t)i, 1 } };
    m.gids[i] = (struct gid){ .raw = { [10] = 0xff, 0xff, 10, 0, (uint8_t)i, 1 },
                              .type = GID_TYPE_ROCE_V2,
                              .netdev = netdev_names[i] };
    m.ports[i] = (struct port){ .device = &m.devices[i],
                                .number = 1,
                                .transport = TRANSPORT_ROCE,
                                .state = num_of(PORT_STATE_ACTIVE),
                                .rate_mbps = num_of(100000),
                                .gid_table_len = num_of(16),
                                .gids = &m.gids[i],
                                .ngids = 1,
                                .netdev = netdev_names[i],
                                .roce_mtu = num_of(4096) };
    m.devices[i] = (struct device){ .name = device_names[i],
                                    .transport = TRANSPORT_ROCE,
                                    .driver = "mlx5_core",
                                    .board_id = "MT_0000000359",
                                    .parent = functions[i],
                                    .parent_bus = "pci",
                                    .pci = functions[i],
                                    .ports = &m.ports[i],
                                    .nports = 1 };
    m.netdevs[i] = (struct netdev){ .name = netdev_names[i],
                                    .kind = NETDEV_PHYSICAL,
                                    .mtu = num_of(4200),
                                    .flags = num_of(1),
                                    .carrier = TRI_YES,
                                    .parent = functions[i],
                                    .parent_bus = "pci",
                                    .pci = functions[i],
                                    .addresses = &m.addresses[i],
                                    .naddresses = 1,
                                    .addresses_known = true };
    m.pcis[i] = (struct pci){ .address = functions[i],
                              .vendor = num_of(0x15b3),
                              .device = num_of(0x101b),
                              .link_width = num_of(16),
                              .link_width_max = num_of(16),
                              .link_speed = "16.0 GT/s PCIe",
                              .link_speed_max = "16.0 GT/s PCIe",
                              .numa_node = { .known = true } };
    m.qos[i] = (struct qos){ .netdev = netdev_names[i],
                             .dcb = { .has_pfc = true, .pfc_enabled = 1 << 3, .apps_known = true },
                             .ethtool = { .autoneg = TRI_YES } };
}

static void setup(void)
{
    memset(&m, 0, sizeof(m));
    m.arena = arena_new();
    for (size_t i = 0; i < 2; i++)
        make_nic(i);
    m.host = (struct host){ .arena = m.arena,
                            .needs = NEED_ALL,
                            .devices = m.devices,
                            .ndevices = 1,
                            .netdevs = m.netdevs,
                            .nnetdevs = 1,
                            .pcis = m.pcis,
                            .npcis = 2,
                            .qos = m.qos,
                            .nqos = 2,
                            .routes_known = true,
                            .system = { .environment = &m.variable,
                                        .environment_known = true,
                                        .modules = &m.module,
                                        .modules_known = true } };
}

static void teardown(void)
{
    arena_free(m.arena);
}

TestSuite(judges, .init = setup, .fini = teardown);

#define IS(ID, VERDICT) EXPECT_VERDICT(ask_about(&m.host, (ID), m.arena), VERDICT_##VERDICT)

static void set_variable(const char *name, const char *value)
{
    m.variable = (struct environment){ name, value };
    m.host.system.nenvironment = 1;
}

static void forget_problems(void)
{
    m.host.problems = NULL;
    m.host.nproblems = 0;
    m.host.noted = NULL;
}

static void set_problem(const char *what, int err)
{
    host_problem(&m.host, err, NULL, "%s", what);
}

static void load(const char *module)
{
    m.module.name = module;
    m.host.system.nmodules = 1;
}

/* The worst finding of a check that compares two readings. */
static struct finding in_ms(const char *id, const struct host *before, uint64_t interval_ms)
{
    struct check_selection selection = { .only = id };
    return check_run(&m.host, before, interval_ms, &selection, m.arena).findings[0];
}

static enum verdict since(const char *id, const struct host *before)
{
    return in_ms(id, before, 1000).verdict;
}

/* -- access
 * ------------------------------------------------------------------------------------------------------ */

Test(judges, that_there_is_no_device_is_said_only_where_it_is_known)
{
    m.netdevs[0].driver = "mlx5_core";
    IS("nic-rdma-device", PASS);
    m.host.ndevices = 0;
    IS("rdma-device", FAIL);
    IS("nic-rdma-device", WARN);
    m.host.system.modules_known = false;
    IS("nic-rdma-device", WARN);
    m.host.partial = true;
    IS("rdma-device", UNKNOWN);
    IS("nic-rdma-device", UNKNOWN);
    m.host.partial = false;
    set_problem("sys/class/infiniband", EACCES);
    IS("rdma-device", UNKNOWN);
    IS("nic-rdma-device", UNKNOWN);
    forget_problems();
    m.host.system.no_sys = "/sys";
    IS("rdma-device", UNKNOWN);
}

static void expect_fix(const char *id, const char *words)
{
    struct finding finding = ask_about(&m.host, id, m.arena);
    EXPECT_TEXT(finding.fix, words);
}

Test(judges, how_a_device_comes_back)
{
    m.host.ndevices = 0;
    m.netdevs[0].driver = "ice";
    expect_fix("rdma-device", "modprobe irdma");
    load("irdma");
    expect_fix("rdma-device", "devlink dev param set pci/0000:17:00.0 name enable_rdma value true");
    m.netdevs[0].driver = "bnxt_en";
    load("bnxt_re");
    cr_expect_null(strstr(ask_about(&m.host, "rdma-device", m.arena).fix, "devlink"));
    m.host.system.container = CONTAINER_DOCKER;
    expect_fix("rdma-device", "rdma dev set DEVICE netns NAME");
}

Test(judges, roce_is_off_by_its_parameter_or_by_its_table)
{
    struct qos_parameter parameter = { .device = "pci/0000:17:00.0",
                                       .name = "enable_roce",
                                       .is_boolean = true };
    IS("roce-enabled", PASS);
    m.ports[0].gid_table_len = (struct num){ 0 };
    IS("roce-enabled", UNKNOWN);
    m.ports[0].gid_table_len = num_of(0);
    IS("roce-enabled", FAIL);
    m.ports[0].gid_table_len = num_of(16);
    m.qos[0].parameters = &parameter, m.qos[0].nparameters = 1;
    IS("roce-enabled", FAIL);
    parameter.boolean = true;
    IS("roce-enabled", PASS);
}

/* The node can be opened, and ibv_open_device() fails. */
Test(judges, a_node_that_opens_and_gives_no_context)
{
    static const struct {
        int err;
        enum verdict verdict;
    } answers[] = { { 0, VERDICT_PASS },         { ENOENT, VERDICT_PASS },   { EOPNOTSUPP, VERDICT_PASS },
                    { EAGAIN, VERDICT_FAIL },    { EIO, VERDICT_FAIL },      { ENOMEM, VERDICT_FAIL },
                    { EINVAL, VERDICT_UNKNOWN }, { EMFILE, VERDICT_UNKNOWN } };
    m.host.system.has_uverbs_class = true;
    m.devices[0].uverbs = (struct device_node){ .name = "uverbs0",
                                                .path = "/dev/infiniband/uverbs0",
                                                .tried = true };
    for (size_t i = 0; i < sizeof(answers) / sizeof(*answers); i++) {
        m.devices[0].verbs_err = answers[i].err;
        EXPECT_VERDICT(ask_about(&m.host, "uverbs-node", m.arena), answers[i].verdict);
    }
    m.devices[0].uverbs.err = m.devices[0].verbs_err = EPERM; /* one cause */
    EXPECT_TEXT(ask_about(&m.host, "uverbs-node", m.arena).evidence,
                "the device controller of this cgroup denies");
    m.devices[0].uverbs.err = 0, m.devices[0].verbs_err = EAGAIN;
    EXPECT_TEXT(ask_about(&m.host, "uverbs-node", m.arena).fix,
                "dmesg says whether its driver gave mlx5_0 up; else raise hca_handle");
}

Test(judges, umad_nodes_that_were_not_tried)
{
    struct device_node umad = { .name = "umad0", .path = "/dev/infiniband/umad0" };
    m.ports[0].transport = m.devices[0].transport = TRANSPORT_INFINIBAND;
    m.devices[0].umads = &umad, m.devices[0].numads = 1;
    IS("umad-node", UNKNOWN);
    umad.tried = true;
    IS("umad-node", PASS);
    umad.err = EACCES;
    IS("umad-node", WARN);
}

Test(judges, limits_of_locked_memory)
{
    static const struct {
        uint64_t bytes;
        enum verdict verdict;
    } cases[] = { { 8 << 20, VERDICT_FAIL },
                  { (8 << 20) + 1, VERDICT_WARN },
                  { (512 << 20) - 1, VERDICT_WARN },
                  { 512 << 20, VERDICT_PASS } };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        m.host.system.memlock_soft = num_of(cases[i].bytes);
        EXPECT_VERDICT(ask_about(&m.host, "memlock-limit", m.arena), cases[i].verdict);
    }
    m.devices[0].driver = "rxe";
    IS("memlock-limit", PASS);
    m.host.system.memlock_soft = num_of((512 << 20) - 1);
    IS("memlock-limit", INFO);
}

/* -- modules
 * ----------------------------------------------------------------------------------------------------- */

Test(judges, modules_that_etc_asks_for)
{
    struct configured_module configured = { .name = "ib_iser", .file = "etc/rdma/modules/rdma.conf" };
    m.host.system.configured_modules = &configured, m.host.system.nconfigured_modules = 1;
    IS("rdma-service-modules", INFO);
    load("ib_iser");
    IS("rdma-service-modules", PASS);
    m.host.system.modules_known = false;
    IS("rdma-service-modules", UNKNOWN);
    m.host.ndevices = 0;
    IS("rdma-service-modules", NA);
}

/* NFS, SMB and the like connect without rdma_ucm: who asks for it is a process. */
Test(judges, services_of_the_kernel_need_no_rdma_ucm)
{
    struct resource id = { .type = RESOURCE_CM_ID, .device = "mlx5_0", .comm = "ksmbd" };
    struct resources resources = { .items = &id, .nitems = 1 };
    m.host.system.environment_known = true;
    m.host.resources = &resources;
    load("rdma_cm");
    IS("rdma-ucm-module", INFO);
    id.pid = num32_of(77);
    IS("rdma-ucm-module", FAIL);
    load("rdma_ucm");
    IS("rdma-ucm-module", PASS);
}

Test(judges, uverbs_without_its_class)
{
    IS("ib-uverbs-module", FAIL);
    load("ib_uverbs");
    IS("ib-uverbs-module", UNKNOWN);
    m.host.system.modules_known = false;
    IS("ib-uverbs-module", UNKNOWN);
    m.host.system.has_uverbs_class = true;
    IS("ib-uverbs-module", PASS);
}

/* MiaAI-Lab/DeepSeek-v4-Flash-DSpark-2x-DGX-Spark issue 259: 919 MiB of nothing. */
Test(judges, memory_that_is_lent_out_and_cannot_be_pinned)
{
    IS("pinnable-memory", NA);
    m.host.system.cma_total = num_of(0);
    IS("pinnable-memory", NA);
    m.host.system.cma_free = num_of(0);
    IS("pinnable-memory", PASS);
    m.host.system.cma_free = num_of(940604);
    IS("pinnable-memory", WARN);
    m.host.system.cma_total = num_of(65536);
    IS("pinnable-memory", PASS);
    m.host.system.cma_total = num_of(0);
    m.host.ndevices = 0;
    IS("pinnable-memory", NA);
}

/* hustcat/k8s-rdma-device-plugin issue 8: a container with a virtual function. */
Test(judges, fabrics_are_managed_on_hosts)
{
    load("mlx5_core");
    IS("ib-umad-module", NA);
    m.ports[0].transport = TRANSPORT_INFINIBAND;
    IS("ib-umad-module", FAIL);
    m.host.system.container = CONTAINER_DOCKER;
    IS("ib-umad-module", INFO);
    load("ib_umad");
    IS("ib-umad-module", PASS);
}

/* openucx/ucx issue 9430: nobody can mend it. */
Test(judges, version_1_alone_of_a_card_that_does_no_more)
{
    m.gids[0].type = GID_TYPE_IB_ROCE_V1;
    IS("gid-v2", WARN);
    m.devices[0].hca_type = "MT4103";
    IS("gid-v2", WARN);
    m.devices[0].hca_type = "MT4099";
    IS("gid-v2", INFO);
}

Test(judges, providers_of_drivers_known_and_unknown)
{
    const char *providers[2] = { "mlx5" };
    m.host.system.providers = providers, m.host.system.nproviders = 1, m.host.system.providers_known = true;
    m.devices[0].uverbs = (struct device_node){ .name = "uverbs0", .abi = num_of(1) };
    IS("verbs-provider", PASS);
    IS("verbs-abi", PASS);
    m.devices[0].uverbs.abi = num_of(2);
    IS("verbs-abi", FAIL);
    m.devices[0].uverbs.abi = (struct num){ 0 };
    IS("verbs-abi", UNKNOWN);
    /* i40iw of Linux before 5.14, with the provider of then or of now (prometheus/node_exporter issue 966) */
    m.devices[0].driver = "i40e", m.devices[0].name = "i40iw0";
    providers[0] = "i40iw";
    IS("verbs-provider", FAIL); /* no other device is left */
    m.host.ndevices = 2;
    IS("verbs-provider", WARN);
    m.host.ndevices = 1;
    m.devices[0].hca_type = "I40IW";
    IS("verbs-provider", PASS);
    providers[0] = "irdma";
    IS("verbs-provider", PASS);
    /* the package is here, and too old to have it (Ubuntu 22.04: 39) */
    m.devices[0].driver = "ionic", m.devices[0].name = "ionic_0", m.devices[0].hca_type = NULL;
    IS("verbs-provider", FAIL);
    EXPECT_TEXT(ask_about(&m.host, "verbs-provider", m.arena).fix, "rdma-core 61 or newer");
    providers[1] = "ionic", m.host.system.nall_providers = 2; /* below /usr/local: who loads that? */
    IS("verbs-provider", UNKNOWN);
    m.host.system.nall_providers = 1;
    m.devices[0].driver = "newnic", m.devices[0].name = "newnic0";
    IS("verbs-provider", UNKNOWN);
    IS("verbs-abi", NA);
}

/* fault-provider: each device is hidden for a reason of its own, and none is left. */
Test(judges, what_libibverbs_hides_is_a_fault_where_it_shows_nothing_else)
{
    const char *providers[] = { "bnxt_re" };
    m.host.system.providers = providers, m.host.system.nproviders = 1, m.host.system.providers_known = true;
    m.host.ndevices = 2, m.host.needs |= NEED_NODES;
    m.devices[0].uverbs = (struct device_node){ .name = "uverbs0", .abi = num_of(1), .tried = true };
    m.devices[1].uverbs = (struct device_node){ .name = "uverbs1", .abi = num_of(1), .tried = true };
    m.devices[1].driver = "bnxt_en", m.devices[1].name = "bnxt_re0";
    IS("verbs-provider", WARN);
    EXPECT_TEXT(consumer_choose(CONSUMER_UCX, &m.host, &m.ports[0]).flaw, "libibverbs hides the device");
    m.devices[1].uverbs.abi = num_of(6);
    IS("verbs-provider", FAIL);
    providers[0] = "mlx5", m.devices[0].uverbs.abi = num_of(6);
    IS("verbs-abi", FAIL);
    EXPECT_TEXT(consumer_choose(CONSUMER_UCX, &m.host, &m.ports[0]).flaw, "libibverbs hides the device");
    providers[0] = "bnxt_re", m.devices[1].uverbs.abi = num_of(1);
    IS("verbs-abi", WARN);
    m.devices[0].uverbs.abi = num_of(1), m.host.system.providers_known = false; /* nobody knows */
    cr_expect_null(consumer_choose(CONSUMER_UCX, &m.host, &m.ports[0]).flaw);
}

/* A kernel with ib_uverbs built in has no line for it in /proc/modules. */
Test(judges, a_tree_of_somebody_elses_without_the_verbs_class)
{
    load("mlx5_core");
    IS("ib-uverbs-module", FAIL);
    IS("uverbs-node", NA);
    m.host.partial = true;
    IS("ib-uverbs-module", UNKNOWN);
    IS("uverbs-node", UNKNOWN);
}

/* What was read before the last descriptor was gone may look well. */
Test(judges, a_gate_without_descriptors_is_blind)
{
    struct check_selection selection = { .only = "netdev-mtu" }; /* one that no gate stands on */
    cr_expect_not(check_run(&m.host, NULL, 0, &selection, m.arena).blind);
    set_problem("sys/class/net/eth0/mtu", EMFILE);
    cr_expect(check_run(&m.host, NULL, 0, &selection, m.arena).blind);
}

/* -- links
 * ------------------------------------------------------------------------------------------------------- */

Test(judges, a_port_and_its_netdev)
{
    IS("port-netdev", PASS);
    m.ports[0].gids[0].netdev = NULL;
    m.ports[0].netdev = NULL;
    IS("port-netdev", FAIL);
    m.host.partial = true;
    IS("port-netdev", UNKNOWN);
    m.host.partial = false;
    m.ports[0].gid_table_len = num_of(0), m.ports[0].ngids = 0;
    IS("port-netdev", NA);
    m.host.nnetdevs = 0;
    IS("port-netdev", UNKNOWN);
}

Test(judges, carrier_and_duplex_that_were_not_read)
{
    IS("netdev-carrier", PASS);
    IS("netdev-duplex", UNKNOWN);
    m.netdevs[0].duplex = "full";
    IS("netdev-duplex", PASS);
    m.netdevs[0].carrier = TRI_UNKNOWN;
    IS("netdev-carrier", UNKNOWN);
}

Test(judges, rates_and_mtus_that_were_not_read)
{
    m.host.ndevices = m.host.nnetdevs = 2;
    IS("port-rate", PASS);
    IS("netdev-mtu", PASS);
    m.ports[0].rate_mbps = m.netdevs[0].mtu = (struct num){ 0 };
    IS("port-rate", UNKNOWN);
    IS("netdev-mtu", UNKNOWN);
}

Test(judges, a_link_speed_that_was_not_read)
{
    IS("link-speed", NA);
    m.qos[0].ethtool.supported_mbps = num_of(100000);
    IS("link-speed", UNKNOWN);
    m.qos[0].ethtool.speed_mbps = num_of(100000);
    IS("link-speed", PASS);
}

Test(judges, a_configured_infiniband_port_that_is_not_active)
{
    m.ports[0].transport = m.devices[0].transport = TRANSPORT_INFINIBAND;
    m.ports[0].state = num_of(PORT_STATE_INIT);
    m.ports[0].lid = num_of(7);
    IS("port-active", FAIL);
}

Test(judges, error_correction_beside_a_sibling)
{
    m.host.ndevices = m.host.nnetdevs = 2;
    m.qos[1].ethtool.fec_active = "rs";
    IS("link-fec", UNKNOWN);
    m.qos[0].ethtool.fec_active = "off";
    IS("link-fec", WARN);
    m.qos[0].ethtool.fec_active = "rs";
    IS("link-fec", PASS);
}

Test(judges, flaps_are_counted_from_one_reading_to_the_other)
{
    struct host before = m.host;
    struct netdev was = m.netdevs[0];
    before.netdevs = &was;
    cr_expect_eq(since("link-flaps", &before), VERDICT_UNKNOWN);
    was.carrier_changes = m.netdevs[0].carrier_changes = num_of(4);
    cr_expect_eq(since("link-flaps", &before), VERDICT_PASS);
    m.netdevs[0].carrier_changes = num_of(5);
    cr_expect_eq(since("link-flaps", &before), VERDICT_WARN);
    m.netdevs[0].carrier_changes = num_of(8);
    cr_expect_eq(since("link-flaps", &before), VERDICT_WARN);
    m.netdevs[0].carrier_changes = num_of(10); /* down and up three times */
    cr_expect_eq(since("link-flaps", &before), VERDICT_FAIL);
}

Test(judges, ipoib_modes_and_mtus)
{
    m.netdevs[0].kind = NETDEV_IPOIB;
    IS("ipoib-mode", UNKNOWN);
    m.netdevs[0].ipoib_mode = "datagram", m.netdevs[0].mtu = num_of(2044);
    IS("ipoib-mode", PASS);
    m.netdevs[0].mtu = num_of(2043);
    IS("ipoib-mode", WARN);
    m.netdevs[0].ipoib_mode = "connected", m.netdevs[0].mtu = num_of(4092);
    IS("ipoib-mode", WARN);
    m.netdevs[0].mtu = num_of(4093);
    IS("ipoib-mode", PASS);
    m.netdevs[0].mtu = num_of(65520);
    IS("ipoib-mode", PASS);
}

Test(judges, a_module_whose_temperature_was_not_read)
{
    m.qos[0].module = (struct qos_module){ .known = true, .kind = "QSFP28" };
    IS("module-health", NA);
    m.qos[0].module_err = EIO;
    IS("module-health", UNKNOWN);
}

/* -- GIDs
 * -------------------------------------------------------------------------------------------------------- */

Test(judges, a_table_that_could_not_be_read)
{
    set_problem("sys/class/infiniband/mlx5_0/ports/1/gids/0", EIO);
    IS("gid-table", PASS);
    m.addresses[0].raw[3] = 9;
    IS("gid-address", UNKNOWN);
    m.ports[0].ngids = 0;
    IS("gid-table", UNKNOWN);
    forget_problems();
    IS("gid-table", FAIL);
}

Test(judges, iwarp_goes_by_addresses)
{
    m.ports[0].transport = m.devices[0].transport = TRANSPORT_IWARP;
    IS("gid-routable", PASS);
    m.netdevs[0].addresses_known = false;
    IS("gid-routable", UNKNOWN);
    m.ports[0].state = num_of(PORT_STATE_DOWN);
    IS("gid-routable", NA);
}

Test(judges, types_of_gids)
{
    IS("gid-type", PASS);
    m.gids[0].type = GID_TYPE_UNKNOWN;
    IS("gid-type", UNKNOWN); /* an old kernel, which tells of none */
    m.ports[0].ngids = 2;
    m.gids[1].netdev = "eth0", m.gids[1].index = 1;
    IS("gid-type", WARN);
}

Test(judges, one_gid_twice)
{
    m.ports[0].ngids = 2;
    memcpy(m.gids[1].raw, m.gids[0].raw, 16);
    m.gids[1].index = 1;
    IS("gid-duplicate", WARN);
    m.gids[0].type = m.gids[1].type = GID_TYPE_UNKNOWN; /* perhaps it is v1 and v2 */
    IS("gid-duplicate", UNKNOWN);
}

Test(judges, a_roce_and_an_iwarp_device_on_one_netdev)
{
    m.host.ndevices = 2;
    IS("gid-duplicate", PASS);
    m.ports[1].transport = TRANSPORT_IWARP;
    IS("gid-duplicate", PASS);
    m.ports[1].netdev = m.devices[1].parent = "eth0";
    m.devices[1].parent_bus = "virtual";
    IS("gid-duplicate", INFO);
    m.devices[0].index = num_of(7);
    m.devices[1].index = num_of(5);
    EXPECT_TEXT(ask_about(&m.host, "gid-duplicate", m.arena).evidence, "it takes mlx5_1");
}

Test(judges, netdevs_of_gids_in_other_namespaces)
{
    m.ports[0].ngids = 2; /* eth1 isn't here */
    IS("gid-namespace", INFO);
    m.gids[0].netdev = "eth7";
    IS("gid-namespace", WARN);
    m.host.partial = true;
    IS("gid-namespace", UNKNOWN);
    m.host.nnetdevs = 0;
    IS("gid-namespace", UNKNOWN);
}

Test(judges, tags_of_vlans)
{
    m.host.nnetdevs = 2;
    m.netdevs[1].kind = NETDEV_VLAN, m.netdevs[1].lower = "eth0";
    m.gids[0].netdev = "eth1";
    IS("gid-vlan", UNKNOWN);
    m.netdevs[1].vlan_id = num_of(0);
    IS("gid-vlan", WARN);
    m.netdevs[1].vlan_id = num_of(7);
    IS("gid-vlan", PASS);
}

/* -- variables
 * --------------------------------------------------------------------------------------------------- */

Test(judges, variables_on_a_machine_without_devices_or_netdevs)
{
    m.host.ndevices = 0;
    set_variable("NCCL_IB_HCA", "mlx5_0");
    IS("nccl-ib-hca", NA);
    set_variable("UCX_NET_DEVICES", "mlx5_0:1");
    IS("ucx-net-devices", NA);
    set_variable("NCCL_SOCKET_IFNAME", "eth0");
    IS("nccl-socket-ifname", FAIL); /* it doesn't run */
    set_variable("NCCL_SOCKET_IFNAME", "et");
    IS("nccl-socket-ifname", FAIL);
    set_variable("NCCL_SOCKET_IFNAME", "e"); /* NCCL passes over one letter */
    IS("nccl-socket-ifname", NA);
    set_variable("NCCL_SOCKET_IFNAME", "eth0");
    m.host.nnetdevs = 0;
    IS("nccl-socket-ifname", UNKNOWN);
}

/* Their variables are the same; their files aren't. */
Test(judges, what_rccl_is_told_and_nccl_is_not)
{
    struct setting settings[] = {
        { .library = LIBRARY_RCCL,
          .name = "NCCL_IB_GID_INDEX",
          .value = "0",
          .file = "/etc/rccl.conf",
          .line = 1 },
        { .library = LIBRARY_NCCL,
          .name = "NCCL_IB_GID_INDEX",
          .value = "9",
          .file = "/etc/nccl.conf",
          .line = 1 },
    };
    m.host.system.settings = settings, m.host.system.nsettings = 1;
    IS("nccl-gid-index", PASS);
    m.host.system.nsettings = 2;
    IS("nccl-gid-index", FAIL);
    settings[0].value = "9", settings[1].value = "0";
    IS("nccl-gid-index", FAIL);
    settings[0].value = "-1";
    IS("nccl-gid-index", PASS);
}

Test(judges, jobs_that_leave_a_port_out)
{
    set_variable("NCCL_IB_HCA", "^mlx5_0");
    IS("consumer-choice", NA);
    IS("nccl-ib-hca", WARN);
    set_variable("UCX_TLS", "rc");
    m.ports[0].transport = m.devices[0].transport = TRANSPORT_IWARP;
    IS("consumer-choice", NA); /* UCX leaves it out by itself */
}

Test(judges, traffic_of_jobs_where_little_is_known)
{
    set_variable("NCCL_IB_TC", "106");
    m.qos[0].trust_file = TRUST_DSCP;
    IS("job-traffic-class", WARN); /* no entry leads to priority 3 */
    m.qos[0].trust_file = TRUST_UNKNOWN, m.qos[0].dcb.apps_known = false;
    IS("job-traffic-class", UNKNOWN);
    m.qos[0].dcb.pfc_enabled = 0;
    IS("job-traffic-class", NA);
}

/* -- path
 * -------------------------------------------------------------------------------------------------------- */

Test(judges, an_mtu_that_leaves_no_room)
{
    IS("netdev-mtu", PASS);
    m.ports[0].roce_mtu = num_of(0);
    IS("netdev-mtu", FAIL);
}

Test(judges, an_address_that_gives_no_gid_yet)
{
    static const struct {
        uint32_t flags;
        enum verdict verdict;
    } kinds[] = { { 0x01, VERDICT_FAIL },   /* IFA_F_SECONDARY: one like others */
                  { 0x80, VERDICT_FAIL },   /* IFA_F_PERMANENT */
                  { 0x40, VERDICT_PASS },   /* IFA_F_TENTATIVE */
                  { 0x08, VERDICT_PASS } }; /* IFA_F_DADFAILED */
    struct address addresses[2] = { m.addresses[0], m.addresses[0] };
    addresses[1].raw[3] = 9;
    m.netdevs[0].addresses = addresses, m.netdevs[0].naddresses = 2;
    for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
        addresses[1].flags = kinds[i].flags;
        EXPECT_VERDICT(ask_about(&m.host, "gid-address", m.arena), kinds[i].verdict);
    }
}

Test(judges, a_gid_table_without_a_free_slot)
{
    static struct gid full[8];
    for (size_t i = 0; i < 8; i++) {
        full[i] = m.gids[0];
        full[i].index = (unsigned)i;
    }
    m.ports[0].gids = full;
    for (size_t slots = 7; slots <= 9; slots++) {
        m.ports[0].gid_table_len = num_of(slots);
        m.ports[0].ngids = slots < 8 ? slots : 8;
        EXPECT_VERDICT(ask_about(&m.host, "gid-table-full", m.arena),
                       slots == 8 ? VERDICT_WARN : VERDICT_PASS); /* a NIC with less than 8 is made so */
    }
}

Test(judges, pcie_that_stalls)
{
    struct qos_statistic stalled = { .name = "outbound_pci_stalled_wr", .value = 30 };
    statistics_join(&stalled, 1, NULL);
    IS("pcie-stalls", NA);
    m.qos[0].statistics = &stalled, m.qos[0].nstatistics = 1;
    IS("pcie-stalls", PASS);
    stalled.value = 31;
    IS("pcie-stalls", WARN);
    stalled.name = "outbound_pci_buffer_overflow";
    statistics_join(&stalled, 1, NULL);
    IS("pcie-stalls", NA);
}

Test(judges, two_ports_in_one_subnet)
{
    static struct sysctl sysctls[] = {
        { "net/ipv4/conf/all/arp_ignore", "1" },  { "net/ipv4/conf/all/arp_announce", "2" },
        { "net/ipv4/conf/all/rp_filter", "0" },   { "net/ipv4/conf/eth0/arp_ignore", "0" },
        { "net/ipv4/conf/eth1/arp_ignore", "0" }, { "net/ipv4/conf/eth0/arp_announce", "0" },
        { "net/ipv4/conf/eth0/rp_filter", "0" },  { "net/ipv4/conf/eth1/arp_announce", "0" },
        { "net/ipv4/conf/eth1/rp_filter", "0" },
    };
    m.host.ndevices = m.host.nnetdevs = 2;
    IS("arp-flux", NA);
    IS("rp-filter", NA);
    m.addresses[1].raw[2] = 0, m.addresses[1].raw[3] = 2;
    IS("arp-flux", UNKNOWN);
    IS("rp-filter", UNKNOWN);
    m.host.system.sysctls = sysctls, m.host.system.nsysctls = sizeof(sysctls) / sizeof(*sysctls);
    IS("arp-flux", PASS);
    IS("rp-filter", PASS);
    sysctls[1].value = "1";
    IS("arp-flux", FAIL);
    sysctls[8].value = "1";
    IS("rp-filter", UNKNOWN);
    struct route route = { .family = AF_INET, .table = 254, .type = 1, .netdev = "eth0" };
    struct rule rule = { .family = AF_INET, .action = 1, .table = 254, .priority = num_of(32766) };
    m.host.routes = &route, m.host.nroutes = 1, m.host.routes_known = m.host.rules_known = true;
    m.host.rules = &rule, m.host.nrules = 1;
    IS("rp-filter", WARN);
    /* in another VRF an address isn't this one's */
    m.netdevs[2] = (struct netdev){ .name = "vrf0", .kind = NETDEV_VRF };
    m.netdevs[1].master = "vrf0", m.host.nnetdevs = 3;
    IS("arp-flux", NA);
    m.netdevs[0].master = "vrf0";
    IS("arp-flux", FAIL);
    m.netdevs[0].master = m.netdevs[1].master = NULL, m.host.nnetdevs = 2;
    /* the two ends of a veth reach nobody else */
    m.netdevs[0].ifindex = m.netdevs[1].peer_ifindex = num_of(7);
    m.netdevs[1].ifindex = m.netdevs[0].peer_ifindex = num_of(8);
    IS("arp-flux", NA);
    m.netdevs[0].lower_netnsid = m.netdevs[1].lower_netnsid = num_of(0);
    IS("arp-flux", FAIL);
    /* one address twice is another fault */
    m.addresses[1] = m.addresses[0];
    IS("arp-flux", NA);
    IS("rp-filter", NA);
}

Test(judges, a_rule_that_refuses)
{
    enum { PROHIBIT = 8 };
    struct route route = { .family = AF_INET, .table = 254, .type = 1, .netdev = "eth0" };
    struct rule rules[2] = { { .family = AF_INET, .action = 1, .table = 254, .priority = num_of(32766) },
                             { .family = AF_INET,
                               .action = PROHIBIT,
                               .source_prefix = 24,
                               .source = { 10, 0, 0 },
                               .priority = num_of(100) } };
    m.host.rules = rules, m.host.nrules = 1, m.host.rules_known = true, m.host.routes = &route;
    IS("gid-route", WARN);
    m.host.nroutes = 1;
    IS("gid-route", PASS);
    m.host.nrules = 2;
    IS("gid-route", WARN);
    rules[1].source[2] = 1;
    IS("gid-route", PASS);
    /* 10.0.0.1 is in 10.0.0.0/20, and not in 10.0.16.0/20 */
    rules[1].source_prefix = 20;
    IS("gid-route", WARN);
    rules[1].source[2] = 16;
    IS("gid-route", PASS);
}

Test(judges, local_ports_that_are_reserved)
{
    static struct sysctl sysctls[] = { { "net/ipv4/ip_local_port_range", "1024 60999" },
                                       { "net/ipv4/ip_local_reserved_ports", "4700-4791" } };
    m.host.system.sysctls = sysctls, m.host.system.nsysctls = 1;
    IS("udp-port-4791", WARN);
    m.host.system.nsysctls = 2;
    IS("udp-port-4791", PASS);
    sysctls[1].value = "4790,4792";
    IS("udp-port-4791", WARN);
    sysctls[1].value = "8080,4791";
    IS("udp-port-4791", PASS);
    sysctls[1].value = "";
    static const struct {
        const char *range;
        enum verdict verdict;
    } ranges[] = { { "4791 60999", VERDICT_WARN },
                   { "4792 60999", VERDICT_PASS },
                   { "1024 4791", VERDICT_WARN },
                   { "1024 4790", VERDICT_PASS } };
    for (size_t i = 0; i < sizeof(ranges) / sizeof(*ranges); i++) {
        sysctls[0].value = ranges[i].range;
        EXPECT_VERDICT(ask_about(&m.host, "udp-port-4791", m.arena), ranges[i].verdict);
    }
}

Test(judges, rdma_cm_s_version_is_a_fault_where_there_is_another)
{
    IS("cm-roce-mode", UNKNOWN);
    m.ports[0].cm_mode = num_of(GID_TYPE_IB_ROCE_V1);
    IS("cm-roce-mode", WARN);
    m.gids[0].type = GID_TYPE_IB_ROCE_V1;
    IS("cm-roce-mode", PASS);
    m.ports[0].cm_mode = num_of(GID_TYPE_ROCE_V2);
    IS("cm-roce-mode", PASS);
}

/* -- lossless
 * ---------------------------------------------------------------------------------------------------- */

Test(judges, settings_that_the_netdev_does_not_tell)
{
    struct qos_dcb *dcb = &m.qos[0].dcb;
    IS("pfc-buffers", NA);
    IS("dcbx-owner", UNKNOWN);
    IS("trust-untagged", WARN);
    m.ports[0].traffic_class = num_of(106);
    IS("traffic-class-priority", FAIL);
    dcb->apps_known = false;
    IS("trust-untagged", UNKNOWN);
    IS("traffic-class-priority", UNKNOWN);
    dcb->has_pfc = false, dcb->pfc_enabled = 0;
    IS("lossless-configured", UNKNOWN);
}

/* Packets of the kernel's priority 2 leave by two VLANs: each has to lead to where PFC is. */
Test(judges, the_worst_of_several_vlans_counts)
{
    enum { TOS_OF_PRIORITY_2 = 8 };
    struct vlan_pcp egress[] = { { 2, 3 }, { 2, 0 } };
    m.host.nnetdevs = 3;
    for (size_t i = 0; i < 2; i++) {
        m.netdevs[1 + i] = (struct netdev){ .name = i ? "eth0.8" : "eth0.7",
                                            .kind = NETDEV_VLAN,
                                            .lower = "eth0",
                                            .vlan_id = num_of(7 + i),
                                            .egress = &egress[i],
                                            .negress = 1,
                                            .egress_known = true };
        m.gids[i].netdev = m.netdevs[1 + i].name;
    }
    m.ports[0].ngids = 2;
    m.ports[0].cm_tos = num_of(TOS_OF_PRIORITY_2);
    IS("cm-tos-priority", INFO); /* nobody uses RDMA_CM */
    egress[0].pcp = 0, egress[1].pcp = 3;
    IS("cm-tos-priority", INFO);
    egress[0].pcp = 3;
    IS("cm-tos-priority", PASS);
    m.netdevs[1].egress_known = false, m.netdevs[1].negress = 0;
    IS("cm-tos-priority", UNKNOWN);
    egress[1].pcp = 0; /* what is known to be wrong comes first */
    IS("cm-tos-priority", INFO);
}

Test(judges, pauses_and_marks_from_one_reading_to_the_other)
{
    struct host before = m.host;
    struct qos was = m.qos[0];
    before.qos = &was, before.nqos = 1;
    cr_expect_eq(since("pause-frames", &before), VERDICT_PASS);
    m.qos[0].dcb.pfc_sent[3] = 100;
    cr_expect_eq(since("pause-frames", &before), VERDICT_WARN);
    m.qos[0].dcb.pfc_sent[3] = 99;
    cr_expect_eq(since("pause-frames", &before), VERDICT_PASS);
    /* that it is told to wait is no fault of its own; each second counts, and less than one as one */
    m.qos[0].dcb.pfc_sent[3] = 0, m.qos[0].dcb.pfc_received[3] = 7;
    EXPECT_TEXT(in_ms("pause-frames", &before, 1000).evidence, "0 PFC frames sent, 7 received");
    m.qos[0].dcb.pfc_sent[3] = 150;
    cr_expect_eq(in_ms("pause-frames", &before, 500).verdict, VERDICT_WARN);
    cr_expect_eq(in_ms("pause-frames", &before, 2000).verdict, VERDICT_PASS);
    was.dcb.pfc_sent[3] = was.dcb.pfc_received[3] = 1000; /* counted anew */
    EXPECT_TEXT(in_ms("pause-frames", &before, 1000).evidence, "0 PFC frames sent, 0 received");
    was.dcb.has_pfc = false;
    cr_expect_eq(since("pause-frames", &before), VERDICT_UNKNOWN);
}

Test(judges, drops_from_one_reading_to_the_other)
{
    struct qos_statistic old = { .name = "rx_prio3_discards", .value = 5 }, new;
    statistics_join(&old, 1, NULL);
    new = old;
    struct host before = m.host;
    struct qos was = m.qos[0];
    before.qos = &was, before.nqos = 1;
    was.statistics = &old, m.qos[0].statistics = &new;
    was.nstatistics = m.qos[0].nstatistics = 1;
    cr_expect_eq(since("netdev-drops", &before), VERDICT_PASS);
    new.value = 6;
    cr_expect_eq(since("netdev-drops", &before), VERDICT_WARN);
    was.nstatistics = 0;
    cr_expect_eq(since("netdev-drops", &before), VERDICT_UNKNOWN);
}

/* Where PFC is on, what priorities without it lose is other traffic's. */
Test(judges, drops_of_priorities_without_pfc)
{
    struct qos_statistic new[3], old[3] = { { .name = "rx_discards_phy", .value = 5 },
                                            { .name = "rx_prio3_discards" },
                                            { .name = "outbound_pci_buffer_overflow" } };
    struct host before = m.host;
    struct qos was = m.qos[0];
    statistics_join(old, 3, NULL);
    memcpy(new, old, sizeof(new));
    new[0].value = 45;
    before.qos = &was, before.nqos = 1;
    was.statistics = old, m.qos[0].statistics = new;
    was.nstatistics = m.qos[0].nstatistics = 3;
    m.qos[0].dcb.has_pfc = true, m.qos[0].dcb.pfc_enabled = 0;
    cr_expect_eq(since("netdev-drops", &before), VERDICT_WARN);
    m.qos[0].dcb.pfc_enabled = 1 << 3;
    cr_expect_eq(since("netdev-drops", &before), VERDICT_INFO);
    new[2].value = 1; /* PCIe is too slow for all */
    cr_expect_eq(since("netdev-drops", &before), VERDICT_WARN);
    new[2].value = 0, new[1].value = 1;
    cr_expect_eq(since("netdev-drops", &before), VERDICT_WARN);
}

/* mlx5_0/1 with two counters, and the reading before, in which both were 0. */
static struct {
    struct counter now[2], old[2];
    struct port port;
    struct device device;
    struct host host;
} counted;

static void count(const char *name, const char *packets)
{
    bool basic = counter_role_find(NULL, "counters", name);
    counted.now[0] = (struct counter){ .dir = basic ? "counters" : "hw_counters",
                                       .name = name,
                                       .raw = num_of(0) };
    counted.now[1] = (struct counter){ .dir = "counters", .name = packets, .raw = num_of(1000000) };
    for (size_t i = 0; i < 2; i++)
        counted.now[i].role = counter_role_find(NULL, counted.now[i].dir, counted.now[i].name);
    memcpy(counted.old, counted.now, sizeof(counted.old));
    counted.old[1].raw = num_of(0);
    counted.port = m.ports[0], counted.device = m.devices[0], counted.host = m.host;
    counted.port.counters = counted.old, m.ports[0].counters = counted.now;
    counted.port.ncounters = m.ports[0].ncounters = 2;
    counted.port.device = &counted.device, counted.device.ports = &counted.port;
    counted.host.devices = &counted.device;
}

static void grows(const char *id, uint64_t events, enum verdict verdict)
{
    counted.now[0].raw = num_of(events);
    EXPECT_VERDICT(in_ms(id, &counted.host, 1000), verdict);
}

Test(judges, rates_by_million_packets)
{
    static const struct {
        const char *id, *counter, *packets;
        uint64_t warn, fail; /* 0: never */
        enum verdict many;
    } cases[] = {
        { "retransmissions", "packet_seq_err", "port_xmit_packets", 100, 10000, VERDICT_WARN },
        { "out-of-sequence", "out_of_sequence", "port_rcv_packets", 100, 10000, VERDICT_WARN },
        { "rnr-naks", "rnr_nak_retry_err", "port_xmit_packets", 1000, 100000, VERDICT_WARN },
        { "receive-buffers", "out_of_buffer", "port_rcv_packets", 1000, 100000, VERDICT_WARN },
        { "congestion", "rp_cnp_handled", "port_xmit_packets", 10000, 0, VERDICT_INFO },
        { "ecn-marks", "np_ecn_marked_roce_packets", "port_rcv_packets", 10000, 0, VERDICT_INFO },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        count(cases[i].counter, cases[i].packets);
        grows(cases[i].id, 0, VERDICT_PASS);
        grows(cases[i].id, cases[i].warn - 1, VERDICT_PASS);
        grows(cases[i].id, cases[i].warn, cases[i].many);
        if (!cases[i].fail)
            continue;
        grows(cases[i].id, cases[i].fail - 1, VERDICT_WARN);
        grows(cases[i].id, cases[i].fail, VERDICT_FAIL);
    }
    count("out_of_sequence", "port_rcv_packets");
    counted.now[0].raw = num_of(2500);
    EXPECT_TEXT(in_ms("out-of-sequence", &counted.host, 1000).evidence, "with 1000000 packets: 0.25%");
}

/* A few notifications while hardly anything is sent are nothing to tell of. */
Test(judges, notifications_of_an_idle_link)
{
    count("rp_cnp_handled", "port_xmit_packets");
    counted.old[1].raw = num_of(1000000);
    grows("congestion", 1, VERDICT_PASS);
}

Test(judges, each_error_counter_belongs_to_one_check)
{
    static const struct counter_def error = { .name = "*", .severity = COUNTER_ERROR, .scale = 1 };
    count("symbol_error", "port_rcv_packets");
    counted.now[0].def = counted.old[0].def = &error;
    grows("link-errors", 1, VERDICT_FAIL);
    grows("other-errors", 1, VERDICT_NA);
    count("something_else", "port_rcv_packets");
    counted.now[0].def = counted.old[0].def = &error;
    grows("link-errors", 1, VERDICT_NA);
    cr_expect_geq(in_ms("other-errors", &counted.host, 1000).verdict, VERDICT_INFO);
}

Test(judges, a_fix_names_the_files_that_are_there)
{
    count("rp_cnp_ignored", "port_xmit_packets");
    grows("cnp-ignored", 1, VERDICT_FAIL);
    cr_expect_null(strstr(in_ms("cnp-ignored", &counted.host, 1000).fix, "/sys/class/net/eth0/ecn"));
    m.netdevs[0].ecn_enabled[0] = TRI_NO;
    EXPECT_TEXT(in_ms("cnp-ignored", &counted.host, 1000).fix, "/sys/class/net/eth0/ecn/roce_rp/enable");
}

/* Counters of the device are its first port's, once. */
Test(judges, counters_of_the_device)
{
    static struct port two[2], earlier[2];
    count("something", "port_rcv_packets");
    two[0] = m.ports[0], two[1] = m.ports[0];
    two[1].number = 2;
    two[0].ncounters = two[1].ncounters = 0;
    m.devices[0].ports = two, m.devices[0].nports = 2;
    struct counter old = {
        .dir = "hw_counters", .name = "retrans_pkts", .raw = num_of(0), .role = ROLE_RETRANSMISSIONS
    };
    struct counter new = old;
    new.raw = num_of(5);
    m.devices[0].counters = &new, m.devices[0].ncounters = 1;
    counted.device = m.devices[0];
    counted.device.counters = &old;
    earlier[0] = two[0], earlier[1] = two[1];
    earlier[0].device = earlier[1].device = &counted.device;
    counted.device.ports = earlier;
    struct check_selection selection = { .only = "retransmissions" };
    struct report report = check_run(&m.host, &counted.host, 1000, &selection, m.arena);
    cr_assert_eq(report.nfindings, 2);
    EXPECT_VERDICT(report.findings[0], VERDICT_WARN);
    cr_expect_eq(report.findings[0].subject.port, &two[0]);
    EXPECT_VERDICT(report.findings[1], VERDICT_NA);
}

/* -- bonds and functions
 * ----------------------------------------------------------------------------------------- */

static const char *member_names[] = { "eth0", "eth1" };

/* bond0 over eth0 and eth1, ports of one card, with LACP. */
static void make_bond(void)
{
    m.bond = (struct bond){ .mode = num_of(4), .mode_text = "802.3ad", .ad_aggregator = num_of(1) };
    m.netdevs[2] = (struct netdev){ .name = "bond0",
                                    .kind = NETDEV_BOND,
                                    .bond = &m.bond,
                                    .members = member_names,
                                    .nmembers = 2,
                                    .mtu = num_of(4200) };
    m.netdevs[1].parent = "0000:17:00.1";
    for (size_t i = 0; i < 2; i++) {
        m.members[i] = (struct bond_member){ .mii_status = "up", .aggregator = num_of(1) };
        m.netdevs[i].member = &m.members[i];
        m.netdevs[i].master = "bond0";
    }
    m.host.nnetdevs = 3;
}

Test(judges, bonds_and_what_was_not_read_of_them)
{
    make_bond();
    IS("bond-mode", PASS);
    IS("bond-members", PASS);
    IS("bond-cards", PASS);
    IS("bond-mtu", PASS);
    m.members[1].aggregator = num_of(2);
    IS("bond-members", FAIL);
    m.members[1].mii_status = NULL;
    IS("bond-members", UNKNOWN);
    m.netdevs[0].parent = m.netdevs[1].parent = NULL;
    m.ports[0].netdev = "bond0"; /* or it would be no bond over RDMA */
    IS("bond-cards", UNKNOWN);
    m.netdevs[2].nmembers = 0;
    IS("bond-members", FAIL);
    m.netdevs[2].mtu = (struct num){ 0 };
    IS("bond-mtu", UNKNOWN);
    m.bond.mode = num_of(1);
    IS("bond-backup", UNKNOWN);
    m.bond.active_member = "eth0";
    IS("bond-backup", NA);
    m.bond.mode = (struct num){ 0 };
    IS("bond-mode", UNKNOWN);
}

/* One device of a bonded card is both ports'; a device that is made over a bond is software. */
Test(judges, whose_device_a_bond_has)
{
    make_bond();
    m.netdevs[1].driver = "mlx5_core", m.netdevs[1].pci = "0000:17:00.1";
    IS("nic-rdma-device", NA);
    m.netdevs[0].pci = NULL;
    IS("nic-rdma-device", WARN);
    m.devices[0].driver = "rxe", m.devices[0].parent = "bond0";
    IS("bond-mode", NA);
    m.devices[0].parent = "eth7";
    m.ports[0].netdev = "bond0";
    IS("bond-mode", PASS);
}

Test(judges, a_member_whose_device_was_not_merged)
{
    make_bond();
    IS("device-on-bond-member", WARN);
    m.host.partial = true;
    IS("device-on-bond-member", UNKNOWN);
}

/* What comes in by a bridge's port is the bridge's before rxe sees it; hardware sees it first. */
Test(judges, a_software_device_on_a_port_of_a_bridge)
{
    m.netdevs[1] = (struct netdev){ .name = "br0", .kind = NETDEV_BRIDGE };
    m.host.nnetdevs = 2;
    m.netdevs[0].master = "br0";
    IS("device-on-bond-member", PASS);
    m.devices[0].driver = "rxe", m.devices[0].parent = "eth0";
    IS("device-on-bond-member", FAIL);
    EXPECT_TEXT(ask_about(&m.host, "device-on-bond-member", m.arena).evidence,
                "is made over eth0, a port of the bridge br0");
    EXPECT_TEXT(ask_about(&m.host, "device-on-bond-member", m.arena).fix, "type rxe netdev br0");
    m.netdevs[1].kind = NETDEV_OTHER; /* a VRF */
    IS("device-on-bond-member", PASS);
}

Test(judges, virtual_functions)
{
    m.pcis[0].physfn = "0000:17:00.7";
    IS("vf-guid", UNKNOWN);
    m.devices[0].node_guid = num_of(0);
    IS("vf-guid", WARN);
    m.devices[0].node_guid = num_of(1);
    IS("vf-guid", PASS);
    /* linux-rdma/rdma-core pull request 1547: a guest doesn't see whose function it has */
    m.pcis[0].physfn = NULL;
    IS("vf-guid", NA);
    m.devices[0].node_guid = num_of(0);
    IS("vf-guid", WARN);
    EXPECT_TEXT(ask_about(&m.host, "vf-guid", m.arena).fix, "on the host that has the function");
    m.devices[0].transport = TRANSPORT_UNSPECIFIED; /* EFA's */
    IS("vf-guid", NA);
}

/* Named, so that they are judged: a host with InfiniBand may have switched RoCE off by design. */
Test(judges, functions_without_roce_beside_infiniband)
{
    set_variable("NCCL_IB_HCA", "mlx5_0");
    m.ports[0].gid_table_len = num_of(0), m.ports[0].ngids = 0;
    m.pcis[0].physfn = "0000:17:00.7";
    IS("vf-roce", FAIL);
    m.devices[0].parent_bus = "auxiliary";
    IS("sf-roce", FAIL);
    m.host.ndevices = 2;
    m.ports[1].transport = m.devices[1].transport = TRANSPORT_INFINIBAND;
    IS("vf-roce", NA);
    IS("sf-roce", NA);
}

Test(judges, a_representor_whose_flags_were_not_read)
{
    m.netdevs[0].kind = NETDEV_REPRESENTOR;
    IS("representor-up", PASS);
    m.netdevs[0].flags = (struct num){ 0 };
    IS("representor-up", UNKNOWN);
}

/* -- services
 * ---------------------------------------------------------------------------------------------------- */

Test(judges, subnet_managers_and_partitions)
{
    struct pkey limited = { .index = 0, .value = 0x7fff };
    m.ports[0].transport = m.devices[0].transport = TRANSPORT_INFINIBAND;
    IS("subnet-manager", UNKNOWN);
    IS("pkey-full-member", UNKNOWN);
    m.ports[0].sm_lid = num_of(0);
    IS("subnet-manager", FAIL);
    m.ports[0].state = num_of(PORT_STATE_DOWN);
    IS("subnet-manager", NA);
    m.ports[0].pkey_table_len = num_of(128);
    IS("pkey-full-member", FAIL);
    m.ports[0].pkeys = &limited, m.ports[0].npkeys = 1;
    IS("pkey-full-member", WARN);
    m.netdevs[0].kind = NETDEV_IPOIB;
    IS("ipoib-pkey", UNKNOWN);
    m.netdevs[0].ipoib_pkey = num_of(0x8001);
    IS("ipoib-pkey", FAIL);
    m.ports[0].pkey_table_len = (struct num){ 0 };
    IS("ipoib-pkey", UNKNOWN);
}

Test(judges, nfs_over_rdma)
{
    const char *mounts[] = { "server:/export on /mnt" };
    struct nfs *nfs = &m.host.system.nfs;
    *nfs = (struct nfs){ .rdma_mounts = mounts,
                         .nrdma_mounts = 1,
                         .mounts_known = true,
                         .configured = true,
                         .configured_in = "etc/nfs.conf",
                         .portlist_err = ENOENT };
    IS("nfs-rdma-client", FAIL);
    IS("nfs-rdma-server", FAIL);
    IS("nfs-rdma-listener", WARN);
    load("rpcrdma");
    IS("nfs-rdma-client", PASS);
    IS("nfs-rdma-server", PASS);
    nfs->portlist_err = EACCES;
    IS("nfs-rdma-listener", UNKNOWN);
    nfs->portlist = "tcp 2049\n";
    IS("nfs-rdma-listener", FAIL);
    nfs->portlist = "tcp 2049\nrdma 20049\n";
    IS("nfs-rdma-listener", PASS);
    uint16_t ports[] = { 20050, 20049 };
    nfs->rdma_ports = ports, nfs->nrdma_ports = 1;
    IS("nfs-rdma-listener", WARN);
    nfs->named_port = true; /* perhaps that is 20049 */
    IS("nfs-rdma-listener", PASS);
    nfs->named_port = false, nfs->nrdma_ports = 2;
    IS("nfs-rdma-listener", PASS);
    nfs->portlist = "tcp 20049\nrdma 200499\n";
    IS("nfs-rdma-listener", WARN);
    nfs->portlist = "tcp 20049\n";
    IS("nfs-rdma-listener", FAIL);
    nfs->portlist = "rdma 20050\n";
    IS("nfs-rdma-listener", PASS);
    m.host.system.modules_known = false;
    IS("nfs-rdma-client", UNKNOWN);
    IS("nfs-rdma-server", UNKNOWN);
}

Test(judges, modules_of_services_that_are_not_known)
{
    struct services services = { .wishes_known = true };
    m.host.system.services = &services;
    IS("service-module", NA);
    m.host.system.modules_known = false;
    IS("service-module", UNKNOWN);
}

Test(judges, connections_of_a_port_whose_gids_are_not_known)
{
    struct resources resources = { 0 };
    m.host.resources = &resources;
    IS("connection-address", NA);
    m.ports[0].gid_table_len = (struct num){ 0 }, m.ports[0].ngids = 0;
    IS("connection-address", UNKNOWN);
}

/* -- platform
 * ---------------------------------------------------------------------------------------------------- */

Test(judges, processors_near_a_device)
{
    static const struct {
        const char *allowed;
        enum verdict verdict;
    } cases[] = {
        { "0-63", VERDICT_PASS }, { "3", VERDICT_PASS },    { "4-7", VERDICT_WARN },  { "4-8", VERDICT_PASS },
        { "12", VERDICT_WARN },   { "5,11", VERDICT_PASS }, { "5,12", VERDICT_WARN }, { "4-7,0", VERDICT_PASS },
    };
    m.host.system.numa_nodes = "0-1";
    m.pcis[0].local_cpus = "0-3,8-11";
    IS("numa-far", UNKNOWN);
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        m.host.system.cpus_allowed = cases[i].allowed;
        EXPECT_VERDICT(ask_about(&m.host, "numa-far", m.arena), cases[i].verdict);
    }
}

Test(judges, pcie_that_was_not_read)
{
    m.host.system.numa_nodes = "0-1";
    IS("pcie-width", PASS);
    IS("pcie-speed", PASS);
    IS("numa-node", PASS);
    m.pcis[0].link_width = (struct num){ 0 };
    IS("pcie-width", UNKNOWN);
    m.pcis[0].link_speed = "Unknown";
    IS("pcie-speed", UNKNOWN);
    m.pcis[0].numa_node.known = false;
    IS("numa-node", UNKNOWN);
    IS("iommu-translation", PASS);
    m.pcis[0].iommu_group = num_of(3);
    IS("iommu-translation", UNKNOWN);
}
