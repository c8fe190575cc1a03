/* SPDX-License-Identifier: MIT */
/* Who uses a port, and what is said of one that nobody uses; which finding explains which. */
#include <criterion/criterion.h>
#include <sys/socket.h>

#include "asked.h"
#include "check/check.h"
#include "check/use.h"
#include "model/resources.h"

static struct arena *arena;

/* Two single-port NICs: mlx5_0 with an address, mlx5_1 without one, each on its netdev. */
static struct gid gids[2][1];
static struct port ports[2];
static struct device devices[2];
static struct netdev netdevs[3];
static struct address address, link_local;
static struct environment variable;
static struct resource item;
static struct resources resources;
static struct host host;

static void setup(void)
{
    static const char *const names[] = { "mlx5_0", "mlx5_1" }, *const nets[] = { "eth0", "eth1" };
    arena = arena_new();
    address = (struct address){
        .family = AF_INET, .prefix = 24, .raw = { 10, 0, 0, 1 }, .peer = { 10, 0, 0, 1 }
    };
    link_local = (struct address){ .family = AF_INET6, .prefix = 64, .raw = { 0xfe, 0x80, [15] = 1 } };
    for (size_t i = 0; i < 2; i++) {
        gids[i][0] = (struct gid){ .raw = { 0xfe, 0x80, [15] = 1 },
                                   .type = GID_TYPE_ROCE_V2,
                                   .netdev = nets[i] };
        ports[i] = (struct port){ .device = &devices[i],
                                  .number = 1,
                                  .state = num_of(PORT_STATE_ACTIVE),
                                  .state_text = "ACTIVE",
                                  .transport = TRANSPORT_ROCE,
                                  .link_layer = LINK_LAYER_ETHERNET,
                                  .gid_table_len = num_of(8),
                                  .gids = gids[i],
                                  .ngids = 1,
                                  .netdev = nets[i] };
        devices[i] = (struct device){ .name = names[i],
                                      .transport = TRANSPORT_ROCE,
                                      .ports = &ports[i],
                                      .nports = 1,
                                      .driver = "mlx5_core" };
        netdevs[i] = (struct netdev){ .name = nets[i],
                                      .flags = num_of(0x1003),
                                      .carrier = TRI_YES,
                                      .operstate = "up",
                                      .addresses_known = true };
    }
    netdevs[0].addresses = &address, netdevs[0].naddresses = 1;
    netdevs[2] = (struct netdev){
        .name = "eth1.7", .kind = NETDEV_VLAN, .lower = "eth1", .addresses_known = true
    };
    variable = (struct environment){ "NCCL_IB_HCA", "mlx5_0" };
    item = (struct resource){ .type = RESOURCE_QP,
                              .device = "mlx5_1",
                              .port = num32_of(1),
                              .pid = num32_of(7),
                              .comm = "train",
                              .kind = "RC",
                              .state = "RTS" };
    resources = (struct resources){ .items = &item };
    host = (struct host){ .arena = arena,
                          .needs = NEED_ALL,
                          .devices = devices,
                          .ndevices = 2,
                          .netdevs = netdevs,
                          .nnetdevs = 3,
                          .resources = &resources,
                          .system = { .environment = &variable, .environment_known = true } };
}

static void teardown(void)
{
    arena_free(arena);
}

TestSuite(use, .init = setup, .fini = teardown);

#define EXPECT_USE(PORT, USE)                                                 \
    cr_expect_eq(port_use(&host, (PORT), arena).use, (USE), "%d, not %d: %s", \
                 port_use(&host, (PORT), arena).use, (USE), port_use(&host, (PORT), arena).reason)

Test(use, an_address_on_the_netdev_or_above_it)
{
    EXPECT_USE(&ports[0], USE_HERE);
    EXPECT_USE(&ports[1], USE_NONE);
    netdevs[1].addresses = &link_local, netdevs[1].naddresses = 1;
    EXPECT_USE(&ports[1], USE_NONE);
    netdevs[2].addresses = &address, netdevs[2].naddresses = 1;
    EXPECT_USE(&ports[1], USE_HERE);
    static const char *members[] = { "eth1" };
    netdevs[2].kind = NETDEV_BRIDGE, netdevs[2].lower = NULL;
    netdevs[2].members = members, netdevs[2].nmembers = 1;
    netdevs[1].master = "eth1.7";
    EXPECT_USE(&ports[1], USE_HERE); /* a bridge's address gives a GID, too */
    netdevs[2].naddresses = 0;
    EXPECT_USE(&ports[1], USE_NONE);
    gids[1][0] = (struct gid){ .raw = { [10] = 0xff, 0xff, 10, 0, 0, 2 }, .netdev = "eth1" };
    EXPECT_USE(&ports[1], USE_HERE);
}

Test(use, a_spare_function_without_a_guid_is_no_finding_of_its_own)
{
    struct pci pci = { .address = "0000:17:00.2", .physfn = "0000:17:00.0" };
    devices[1].pci = pci.address;
    devices[1].node_guid = num_of(0);
    host.pcis = &pci, host.npcis = 1;
    struct check_selection selection = { .only = "vf-guid,port-in-use" };
    struct report report = check_run(&host, NULL, 0, &selection, arena);
    cr_assert_eq(report.ncauses, 1);
    cr_expect_str_eq(report.causes[0].check->id, "port-in-use");
    cr_expect_eq(report.causes[0].nalso, 0);
    netdevs[1].addresses = &address, netdevs[1].naddresses = 1;
    report = check_run(&host, NULL, 0, &selection, arena);
    cr_assert_eq(report.ncauses, 1);
    cr_expect_str_eq(report.causes[0].check->id, "vf-guid");
}

/* A node of Kubernetes has functions of InfiniBand that wait for pods. */
Test(use, a_function_of_infiniband_without_a_guid)
{
    ports[1].transport = devices[1].transport = TRANSPORT_INFINIBAND;
    ports[1].state = num_of(PORT_STATE_DOWN), ports[1].phys_state = num_of(PHYS_STATE_LINK_UP);
    devices[1].node_guid = num_of(1);
    EXPECT_USE(&ports[1], USE_HERE);
    devices[1].node_guid = num_of(0);
    EXPECT_USE(&ports[1], USE_NONE);
    cr_expect_str_eq(port_use(&host, &ports[1], arena).reason, "no GUID, no queue pair");
}

Test(use, a_name_in_a_librarys_file)
{
    static struct setting line;
    line = (struct setting){
        .name = "NCCL_IB_HCA", .value = "=mlx5_1:1", .file = "/etc/nccl.conf", .library = LIBRARY_NCCL
    };
    EXPECT_USE(&ports[1], USE_NONE);
    host.system.settings = &line;
    host.system.nsettings = 1;
    EXPECT_USE(&ports[1], USE_HERE);
    host.system.nenvironment = 1; /* the variable is mlx5_0, and comes before the file */
    EXPECT_USE(&ports[1], USE_NONE);
    host.system.nenvironment = 0;
    line.conditional = true;
    EXPECT_USE(&ports[1], USE_NONE);
}

Test(use, a_name_in_a_variable)
{
    static const struct {
        const char *name, *value;
        enum use use;
    } cases[] = {
        { "NCCL_IB_HCA", "mlx5", USE_NONE },
        { "NCCL_IB_HCA", "mlx5_1", USE_HERE },
        { "NCCL_IB_HCA", "=mlx5_0,mlx5_1:1", USE_HERE },
        { "NCCL_IB_HCA", "mlx5_1:1:2", USE_HERE },
        { "NCCL_IB_HCA", "mlx5_1:2", USE_NONE },
        { "NCCL_IB_HCA", "^mlx5_1", USE_NONE },
        { "NCCL_IB_HCA", "mlx5_10,mlx5_11", USE_NONE },
        { "UCX_NET_DEVICES", "eth0,mlx5_1:1", USE_HERE },
        { "UCX_NET_DEVICES", "all", USE_NONE },
        { "NCCL_SOCKET_IFNAME", "eth1", USE_NONE }, /* that is TCP */
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        variable = (struct environment){ cases[i].name, cases[i].value };
        host.system.nenvironment = 1;
        cr_expect_eq(port_use(&host, &ports[1], arena).use, cases[i].use, "%s=%s", cases[i].name,
                     cases[i].value);
    }
}

Test(use, a_queue_pair_or_a_listener)
{
    resources.nitems = 1;
    EXPECT_USE(&ports[1], USE_HERE);
    cr_expect_str_eq(port_use(&host, &ports[1], arena).reason, "a queue pair of train");
    item.pid = (struct num32){ 0 }, item.comm = "nvme_rdma"; /* a service of the kernel */
    EXPECT_USE(&ports[1], USE_HERE);
    item.kind = "GSI", item.comm = "ib_core"; /* each port has one */
    EXPECT_USE(&ports[1], USE_NONE);
    item = (struct resource){ .type = RESOURCE_CM_ID,
                              .device = "mlx5_1",
                              .port = num32_of(1),
                              .state = "LISTEN",
                              .source = "10.0.0.2:7471" };
    EXPECT_USE(&ports[1], USE_HERE);
    item.source = "0.0.0.0:20049"; /* stands on every device */
    EXPECT_USE(&ports[1], USE_NONE);
    item = (struct resource){ .type = RESOURCE_CTX, .device = "mlx5_1", .pid = num32_of(7), .comm = "train" };
    EXPECT_USE(&ports[1], USE_NONE);
}

Test(use, what_has_no_addresses_goes_by_its_link)
{
    ports[1].transport = TRANSPORT_INFINIBAND;
    EXPECT_USE(&ports[1], USE_HERE);
    ports[1].state = num_of(PORT_STATE_INIT);
    EXPECT_USE(&ports[1], USE_HERE);
    ports[1].state = num_of(PORT_STATE_DOWN), ports[1].phys_state = num_of(PHYS_STATE_LINK_UP);
    EXPECT_USE(&ports[1], USE_HERE);
    ports[1].phys_state = num_of(PHYS_STATE_POLLING);
    EXPECT_USE(&ports[1], USE_NONE);
}

Test(use, what_is_in_another_namespace_is_another_ones)
{
    ports[1].netdev = gids[1][0].netdev = "gone7";
    gids[1][0].raw[0] = 0, gids[1][0].raw[10] = gids[1][0].raw[11] = 0xff;
    EXPECT_USE(&ports[1], USE_ELSEWHERE);
    cr_expect_not(port_is_judged(&host, &ports[1], arena));
}

/* Mellanox/k8s-rdma-shared-dev-plugin issue 159: before the first pod comes, no port has an address, and
 * nothing of the ports tells that pods will have them. */
Test(use, a_node_of_kubernetes_has_its_ports_for_its_pods)
{
    static const char *const nodes[] = { "kubelet 7 kubelet.service", "containerd 7 k3s-agent.service",
                                         "containerd 7 rke2-server.service",
                                         "containerd 7 snap.microk8s.daemon-containerd.service" };
    struct daemon daemon;
    netdevs[0].naddresses = 0;
    cr_expect(port_is_judged(&host, &ports[0], arena));
    host.system.daemons = &daemon, host.system.ndaemons = 1;
    for (size_t i = 0; i < ARRAY_SIZE(nodes); i++) {
        cr_assert(daemon_parse(nodes[i], strlen(nodes[i]), &daemon), "%s", nodes[i]);
        cr_expect_not(port_is_judged(&host, &ports[0], arena), "%s", nodes[i]);
    }
    host.system.first_netns = TRI_NO; /* what a pod was given is the pod's business */
    cr_expect(port_is_judged(&host, &ports[0], arena));
    host.system.first_netns = TRI_YES;
    cr_assert(daemon_parse("containerd 7 containerd.service", 31, &daemon));
    cr_expect(port_is_judged(&host, &ports[0], arena), "a runtime alone makes no node");
    cr_expect(NEED_USE & NEED_SYSTEM, "a check alone says the same as among all");
}

/* Each pod may have its net1: the one here sits on the function of the first port's device. */
Test(use, a_netdev_of_the_same_name_on_another_device_is_another_ones)
{
    const char *own = netdevs[0].name;
    netdevs[0].parent = ports[0].device->parent = "0000:07:02.6";
    ports[1].device->parent = "0000:07:03.0";
    ports[1].netdev = gids[1][0].netdev = own;
    gids[1][0].raw[0] = 0, gids[1][0].raw[10] = gids[1][0].raw[11] = 0xff;
    gids[1][0].elsewhere = true; /* as host_finish() finds it */
    EXPECT_USE(&ports[1], USE_ELSEWHERE);
    gids[1][0].elsewhere = false;
    EXPECT_USE(&ports[1], USE_HERE);
}

Test(use, what_cannot_be_told_is_judged)
{
    ports[1].state = (struct num){ 0 };
    EXPECT_USE(&ports[1], USE_HERE);
    ports[1].state = num_of(PORT_STATE_ACTIVE), ports[1].transport = TRANSPORT_UNKNOWN;
    EXPECT_USE(&ports[1], USE_HERE);
    ports[1].transport = TRANSPORT_ROCE;
    ports[1].gid_table_len = (struct num){ 0 }, ports[1].ngids = 0, netdevs[1].addresses_known = false;
    EXPECT_USE(&ports[1], USE_HERE);
}

static struct report run(const char *only, bool named)
{
    static const struct selection all;
    struct check_selection selection = { .only = only, .named = named ? &all : NULL };
    return check_run(&host, NULL, 0, &selection, arena);
}

static void gate_is(const struct report *report, const char *text, enum verdict verdict)
{
    struct gate gate;
    cr_assert(gate_parse(text, &gate));
    cr_expect_eq(gate_verdict(&gate, report), verdict, "%s says %s", text,
                 verdict_name(gate_verdict(&gate, report)));
}

#define LINK "port-active,port-phys-state,netdev-carrier,netdev-up,port-in-use,gid-table"

static void unplug(size_t i)
{
    ports[i].state = num_of(PORT_STATE_DOWN), ports[i].state_text = "DOWN";
    ports[i].phys_state = num_of(PHYS_STATE_DISABLED), ports[i].phys_state_text = "Disabled";
    netdevs[i].carrier = TRI_NO, netdevs[i].operstate = "down";
}

Test(use, an_unused_port_is_worth_one_word)
{
    ports[0].phys_state = num_of(PHYS_STATE_LINK_UP);
    unplug(1);
    struct report report = run(LINK, false);
    cr_expect_eq(report.ncauses, 1);
    cr_expect_str_eq(report.causes[0].check->id, "port-in-use");
    cr_expect_eq(report.causes[0].verdict, VERDICT_INFO);
    cr_expect_eq(report.causes[0].findings[0]->subject.port, &ports[1]);
    cr_expect_eq(report.told[VERDICT_FAIL] + report.told[VERDICT_WARN], 0);
    /* what was found all the same is kept, as what doesn't apply */
    for (size_t i = 0; i < report.nfindings; i++)
        if (strcmp(report.findings[i].check->id, "port-active") == 0 &&
            report.findings[i].subject.port == &ports[1]) {
            cr_expect_eq(report.findings[i].verdict, VERDICT_NA);
            cr_expect(strstr(report.findings[i].evidence, "DOWN; nobody uses it"), "%s",
                      report.findings[i].evidence);
        }
    report = run(LINK, true);
    cr_expect_eq(report.told[VERDICT_FAIL], 1, "named, it is judged");
    netdevs[0].naddresses = 0;
    report = run(LINK, false);
    cr_expect_eq(report.told[VERDICT_FAIL], 1, "where none is used, all are judged");
    cr_expect_eq(report.told[VERDICT_INFO], 0);
}

Test(use, half_a_card_may_be_spare_in_a_tree_that_lacks_much)
{
    unplug(1);
    devices[0].pci = "0000:17:00.0", devices[1].pci = "0000:17:00.1";
    ports[1].gid_table_len = (struct num){ 0 }, ports[1].ngids = 0, netdevs[1].addresses_known = false;
    cr_expect_eq(run("port-active", false).told[VERDICT_FAIL], 1, "of a whole tree all that matters is known");
    host.partial = true;
    struct report report = run("port-active", false);
    cr_expect_eq(report.told[VERDICT_FAIL], 0);
    cr_expect_eq(report.told[VERDICT_UNKNOWN], 1);
    devices[1].pci = "0000:31:00.0";
    cr_expect_eq(run("port-active", false).told[VERDICT_FAIL], 1, "a rail has a card of its own");
}

Test(use, one_cause_is_one_finding)
{
    netdevs[1].addresses = &address, netdevs[1].naddresses = 1;
    unplug(0), unplug(1);
    struct report report = run(LINK, false);
    cr_assert_eq(report.ncauses, 1);
    const struct root_cause *cause = &report.causes[0];
    cr_expect_str_eq(cause->check->id, "netdev-carrier");
    cr_expect_eq(cause->count, 2, "two subjects");
    cr_expect_eq(cause->nalso, 2);
    cr_expect_eq(report.counts[VERDICT_FAIL], 3, "three checks fail");
    cr_expect_eq(report.told[VERDICT_FAIL], 1, "of one cause");
    for (size_t i = 0; i < report.nfindings; i++)
        if (report.findings[i].verdict == VERDICT_FAIL && report.findings[i].cause)
            cr_expect_eq(report.findings[i].cause->subject.port, report.findings[i].subject.port);
    /* without a finding of what would explain it, it stands for itself */
    report = run("port-active", false);
    cr_assert_eq(report.ncauses, 1);
    cr_expect_str_eq(report.causes[0].check->id, "port-active");
}

Test(use, a_cause_is_as_bad_as_what_comes_of_it)
{
    netdevs[0].flags = num_of(0x1002);
    unplug(0);
    struct report report = run("netdev-up,port-active,gid-table", false);
    cr_assert_eq(report.ncauses, 1);
    cr_expect_str_eq(report.causes[0].check->id, "netdev-up");
    cr_expect_eq(report.causes[0].verdict, VERDICT_FAIL);
}

static bool explains(const char *because, const char *id)
{
    size_t len = strlen(id);
    for (const char *at = because; at && *at;) {
        size_t word = strcspn(at, ",");
        if (word == len && strncmp(at, id, len) == 0)
            return true;
        at += word + (at[word] == ',');
    }
    return false;
}

/* How long the longest chain of reasons from a check on is; a circle has no end. */
static size_t depth(const struct check *check, size_t limit)
{
    size_t most = 0;
    const struct check *other;
    if (limit == 0)
        return 1000;
    for (size_t i = 0; (other = check_at(i)); i++)
        if (explains(check->because, other->id)) {
            size_t own = 1 + depth(other, limit - 1);
            most = own > most ? own : most;
        }
    return most;
}

Test(use, reasons_exist_and_end)
{
    char word[64];
    for (size_t i = 0; i < check_count(); i++) {
        const struct check *check = check_at(i);
        cr_expect_not(check_list_unknown(check->because, word), "%s: %s is no check", check->id, word);
        cr_expect_lt(depth(check, 12), 1000, "%s: its reasons go round in a circle", check->id);
    }
}

Test(use, what_stops_a_gate)
{
    static const struct {
        const char *text;
        enum verdict least;
        bool unknown;
    } cases[] = {
        { NULL, VERDICT_WARN, false },          { "fail", VERDICT_FAIL, false },
        { "info", VERDICT_INFO, false },        { "unknown", VERDICT_WARN, true },
        { "fail+unknown", VERDICT_FAIL, true }, { "info+unknown", VERDICT_INFO, true },
    };
    struct gate gate;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        cr_expect(gate_parse(cases[i].text, &gate), "%s", cases[i].text);
        cr_expect(gate.least == cases[i].least && gate.unknown == cases[i].unknown, "%s", cases[i].text);
    }
    cr_expect_not(gate_parse("pass", &gate));
    cr_expect_not(gate_parse("warn+", &gate));
    cr_expect_not(gate_parse("warn+unknowns", &gate));
}

Test(use, a_gate_is_stopped_by_what_it_asks_for)
{
    ports[0].phys_state = num_of(PHYS_STATE_LINK_UP);
    struct report report = run("port-in-use,port-active", false); /* mlx5_1 is spare */
    gate_is(&report, "info", VERDICT_INFO);
    gate_is(&report, "warn", VERDICT_PASS);
    gate_is(&report, "unknown", VERDICT_PASS);
    ports[0].state = (struct num){ 0 };
    report = run("port-in-use,port-active", false);
    cr_expect(report.blind, "port-active is vital");
    gate_is(&report, "warn", VERDICT_PASS);
    gate_is(&report, "fail+unknown", VERDICT_UNKNOWN);
    gate_is(&report, "info+unknown", VERDICT_INFO);
    ports[0].state = num_of(PORT_STATE_DOWN);
    report = run("port-in-use,port-active", false);
    gate_is(&report, "fail+unknown", VERDICT_FAIL);
}

Test(use, too_few_descriptors_hide_nothing)
{
    ports[0].phys_state = num_of(PHYS_STATE_LINK_UP);
    host_problem(&host, EMFILE, NULL, "sys/class/net/eth7");
    struct report report = run(LINK, false);
    cr_expect(report.blind);
    cr_expect_eq(report.counts[VERDICT_PASS] + report.counts[VERDICT_NA], 0);
    struct report whole = run(NULL, false);
    cr_expect_eq(whole.counts[VERDICT_PASS], 0);
    gate_is(&report, "warn+unknown", VERDICT_UNKNOWN);
}

static struct finding ask_first(const char *id)
{
    struct selected_part part = { .port = &ports[0] };
    const struct selection first = { .some = true, .parts = &part, .nparts = 1 };
    struct check_selection selection = { .only = id, .named = &first };
    struct report report = check_run(&host, NULL, 0, &selection, arena);
    cr_assert_eq(report.nfindings, 1);
    return report.findings[0];
}

Test(use, a_named_device_hears_of_itself_and_of_the_host)
{
    netdevs[1].addresses = &address, netdevs[1].naddresses = 1;
    host.system.environment_known = true, host.system.nenvironment = 1;
    variable = (struct environment){ "NCCL_IB_GID_INDEX", "0" };
    gids[0][0] = (struct gid){ .raw = { [10] = 0xff, 0xff, 10, 0, 0, 1 },
                               .type = GID_TYPE_ROCE_V2,
                               .netdev = "eth0" };
    struct finding finding = ask_first("nccl-gid-index"); /* link-local on mlx5_1 only */
    cr_expect_eq(finding.verdict, VERDICT_PASS, "%s", finding.evidence);
    gids[0][0].type = GID_TYPE_IB_ROCE_V1;
    finding = ask_first("nccl-gid-index");
    cr_expect_eq(finding.verdict, VERDICT_FAIL, "%s", finding.evidence);
    cr_expect(strstr(finding.evidence, "mlx5_0/1"), "%s", finding.evidence);
    variable = (struct environment){ "NCCL_IB_DISABLE", "1" };
    finding = ask_first("rdma-switched-off");
    cr_expect_eq(finding.verdict, VERDICT_WARN, "what hits the host hits it: %s", finding.evidence);
}

static needs_t needs_of(const char *only)
{
    struct check_selection selection = { .only = only };
    return check_needs(&selection);
}

Test(use, a_handful_of_checks_reads_a_handful_of_things)
{
    cr_expect_eq(needs_of("memlock-limit"), NEED_SYSTEM | NEED_PCI | NEED_CONTAINER);
    needs_t dear = NEED_COUNTERS | NEED_QOS | NEED_VERBS | NEED_ROUTES | NEED_RESOURCES | NEED_NODES |
                   NEED_MODE;
    cr_expect_eq(needs_of("port-active,gid-table,netdev-carrier") & dear, 0);
    cr_expect(needs_of("port-active") & NEED_USERS, "queue pairs tell who uses a port");
    struct check_selection rates = { .only = "retransmissions" };
    cr_expect_eq(check_interval_needs(&rates) & NEED_USERS, 0, "the earlier reading tells nothing of that");
    cr_expect_eq(check_interval_needs(NULL) & NEED_SYSTEM, 0, "nor of the system, which is slow to read");
}
