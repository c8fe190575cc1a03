/* SPDX-License-Identifier: MIT */
/* What libraries are told, and what a job makes of it: the checks of the topic environment, a row a case. */
#include <criterion/criterion.h>
#include <net/if.h>

#include "check/check.h"
#include "model/qos.h"

#define LINK_LOCAL           \
    {                        \
        0xfe, 0x80, [15] = 1 \
    }
#define GLOBAL6                          \
    {                                    \
        0x20, 0x01, 0x0d, 0xb8, [15] = 1 \
    }
#define GLOBAL4                        \
    {                                  \
        [10] = 0xff, 0xff, 10, 0, 0, 1 \
    }

enum shape { IPV4, IPV6, BOTH, NO_GID_0, LOCAL_ONLY, POD };

/* A NIC with a port on eth0; eth1 is up without an address, lo has one. PFC is on for priority 3, DSCP 26
 * goes there. */
struct machine {
    struct gid gids[4];
    struct port port;
    struct device device;
    struct address address;
    struct netdev netdevs[3];
    struct qos_app apps[2];
    struct qos qos;
    struct environment environment[4];
    struct setting settings[4];
    struct host host;
    char text[256];
};

static void tell(struct machine *machine, const char *told)
{
    struct system *system = &machine->host.system;
    system->environment = machine->environment;
    system->settings = machine->settings;
    system->environment_known = true;
    snprintf(machine->text, sizeof(machine->text), "%s", told);
    char *rest = machine->text;
    for (char *word; (word = strsep(&rest, " "));) {
        if (!*word)
            continue;
        char *value = strchr(word, '=');
        cr_assert_not_null(value);
        if (!value)
            continue;
        *value++ = '\0';
        char *colon = strchr(word, ':');
        if (colon)
            machine->settings[system->nsettings++] = (struct setting){
                .name = colon + 1,
                .value = value,
                .file = "/etc/x.conf",
                .line = 7,
                .library = *word == 'm'   ? LIBRARY_MPI
                           : *word == 'n' ? LIBRARY_NCCL
                           : *word == 'r' ? LIBRARY_RCCL
                                          : LIBRARY_UCX,
            };
        else
            machine->environment[system->nenvironment++] = (struct environment){ word, value };
    }
}

static void make(struct machine *machine, enum shape shape, const char *told)
{
    static const struct gid table[][4] = {
        [IPV4] = { { .raw = LINK_LOCAL, .type = GID_TYPE_ROCE_V2 },
                   { .index = 1, .raw = GLOBAL4, .type = GID_TYPE_ROCE_V2 } },
        [IPV6] = { { .raw = LINK_LOCAL, .type = GID_TYPE_ROCE_V2 },
                   { .index = 1, .raw = GLOBAL6, .type = GID_TYPE_ROCE_V2 } },
        [BOTH] = { { .raw = LINK_LOCAL, .type = GID_TYPE_ROCE_V2 },
                   { .index = 1, .raw = GLOBAL6, .type = GID_TYPE_ROCE_V2 },
                   { .index = 2, .raw = GLOBAL4, .type = GID_TYPE_ROCE_V2 } },
        [NO_GID_0] = { { .index = 1, .raw = GLOBAL4, .type = GID_TYPE_ROCE_V2 } },
        [LOCAL_ONLY] = { { .raw = LINK_LOCAL, .type = GID_TYPE_ROCE_V2 } },
        /* the node's GIDs before the pod's (Mellanox/k8s-rdma-shared-dev-plugin issue 164) */
        [POD] = { { .raw = LINK_LOCAL, .type = GID_TYPE_ROCE_V2, .elsewhere = true },
                  { .index = 1, .raw = GLOBAL4, .type = GID_TYPE_ROCE_V2, .elsewhere = true },
                  { .index = 2, .raw = GLOBAL4, .type = GID_TYPE_ROCE_V2 } },
    };
    *machine = (struct machine){ .device = { .name = "mlx5_0", .driver = "mlx5_core", .nports = 1 } };
    memcpy(machine->gids, table[shape], sizeof(machine->gids));
    machine->device.ports = &machine->port;
    machine->device.transport = TRANSPORT_ROCE;
    machine->device.uverbs.tried = true;
    machine->port = (struct port){ .device = &machine->device,
                                   .number = 1,
                                   .state = num_of(PORT_STATE_ACTIVE),
                                   .link_layer = LINK_LAYER_ETHERNET,
                                   .transport = TRANSPORT_ROCE,
                                   .gid_table_len = num_of(16),
                                   .gids = machine->gids,
                                   .ngids = shape == BOTH || shape == POD              ? 3
                                            : shape == NO_GID_0 || shape == LOCAL_ONLY ? 1
                                                                                       : 2,
                                   .netdev = "eth0" };
    for (size_t i = 0; i < 4; i++)
        machine->gids[i].netdev = "eth0";
    machine->address = (struct address){ .family = 2, .prefix = 24, .raw = { 10, 0, 0, 1 } };
    struct netdev up = { .kind = NETDEV_PHYSICAL,
                         .flags = num_of(IFF_UP | IFF_RUNNING),
                         .addresses_known = true };
    for (size_t i = 0; i < 3; i++)
        machine->netdevs[i] = up;
    machine->netdevs[0].name = "eth0";
    machine->netdevs[1].name = "eth1";
    machine->netdevs[2].name = "lo";
    machine->netdevs[0].addresses = machine->netdevs[2].addresses = &machine->address;
    machine->netdevs[0].naddresses = machine->netdevs[2].naddresses = 1;
    machine->apps[0] = (struct qos_app){ QOS_APP_DSCP, 3, 26 };
    machine->apps[1] = (struct qos_app){ QOS_APP_DSCP, 0, 0 };
    machine->qos = (struct qos){
        .netdev = "eth0",
        .dcb = { .has_pfc = true, .pfc_enabled = 1 << 3, .apps = machine->apps, .napps = 2, .apps_known = true }
    };
    machine->host = (struct host){ .arena = arena_new(),
                                   .needs = NEED_ALL,
                                   .devices = &machine->device,
                                   .ndevices = 1,
                                   .netdevs = machine->netdevs,
                                   .nnetdevs = 3,
                                   .qos = &machine->qos,
                                   .nqos = 1 };
    tell(machine, told);
}

static struct finding ask(struct machine *machine, const char *id)
{
    struct check_selection selection = { .only = id };
    struct report report = check_run(&machine->host, NULL, 0, &selection, machine->host.arena);
    cr_assert_eq(report.nfindings, 1, "%s", id);
    return report.findings[0];
}

static const struct {
    const char *id;
    enum shape shape;
    const char *told;
    enum verdict verdict;
    const char *words; /* in the evidence or in the fix; NULL: any */
} cases[] = {
    { "nccl-gid-index", IPV4, "n:NCCL_IB_GID_INDEX=1", VERDICT_PASS, "NCCL_IB_GID_INDEX=1 (/etc/x.conf:7)" },
    { "nccl-gid-index", IPV4, "n:NCCL_IB_GID_INDEX=3", VERDICT_FAIL, "out of /etc/x.conf, line 7" },
    { "nccl-gid-index", IPV4, "NCCL_IB_GID_INDEX=1 n:NCCL_IB_GID_INDEX=3", VERDICT_PASS, NULL },
    { "nccl-gid-index", IPV4, "NCCL_IB_GID_INDEX=3 n:NCCL_IB_GID_INDEX=1", VERDICT_FAIL,
      "unset NCCL_IB_GID_INDEX" },
    { "nccl-gid-index", IPV4, "n:NCCL_IB_GID_INDEX=1 r:NCCL_IB_GID_INDEX=3", VERDICT_FAIL, "--for rccl" },
    { "nccl-gid-index", IPV4, "r:NCCL_IB_GID_INDEX=1", VERDICT_PASS, NULL },
    { "nccl-gid-index", IPV4, "u:NCCL_IB_GID_INDEX=3", VERDICT_NA, NULL },
    { "ucx-gid-index", IPV4, "u:UCX_IB_GID_INDEX=0", VERDICT_FAIL, "is link-local" },
    { "nccl-ib-hca", IPV4, "n:NCCL_IB_HCA=mlx4", VERDICT_WARN, "(/etc/x.conf:7) leaves none" },
    { "nccl-ib-hca", IPV4, "n:NCCL_IB_HCA=mlx4 NCCL_IB_HCA=mlx5", VERDICT_PASS, NULL },
    /* NVIDIA/nccl-tests#150 */
    { "nccl-ib-hca", IPV4, "n:NCCL_IB_HCA=^=mlx5_8,^=mlx5_14", VERDICT_WARN,
      "'^=mlx5_14' is taken for a name" },

    { "ucx-net-devices", IPV4, "", VERDICT_NA, NULL },
    { "ucx-net-devices", IPV4, "UCX_NET_DEVICES=all", VERDICT_PASS, NULL },
    { "ucx-net-devices", IPV4, "UCX_NET_DEVICES=mlx5_0:1,mlx5_9:1", VERDICT_PASS, NULL },
    { "ucx-net-devices", IPV4, "UCX_NET_DEVICES=mlx5_0", VERDICT_INFO, "before 1.21 wants the port" },
    { "ucx-net-devices", IPV4, "UCX_NET_DEVICES=^mlx5_9,mlx5_0:2", VERDICT_PASS, NULL },
    { "ucx-net-devices", IPV4, "UCX_NET_DEVICES=mlx5_[0-3]:1", VERDICT_INFO, "before 1.22" },
    { "ucx-net-devices", IPV4, "UCX_NET_DEVICES=mlx5_0:2", VERDICT_WARN, "names no device" },
    { "ucx-net-devices", IPV4, "u:UCX_NET_DEVICES=eth0", VERDICT_WARN, "names eth0, which UCX uses by TCP" },

    { "nccl-socket-ifname", IPV4, "", VERDICT_NA, NULL },
    { "nccl-socket-ifname", IPV4, "NCCL_SOCKET_IFNAME=e", VERDICT_NA, NULL }, /* one byte is none */
    { "nccl-socket-ifname", IPV4, "NCCL_SOCKET_IFNAME=eth", VERDICT_PASS, "eth0 is here" },
    { "nccl-socket-ifname", IPV4, "NCCL_SOCKET_IFNAME==eth", VERDICT_FAIL, "names no interface" },
    { "nccl-socket-ifname", IPV4, "NCCL_SOCKET_IFNAME==eth1", VERDICT_FAIL, "eth1 has no address" },
    { "nccl-socket-ifname", IPV4, "NCCL_SOCKET_IFNAME=^lo,docker", VERDICT_PASS, "eth0" },
    { "nccl-socket-ifname", IPV4, "NCCL_SOCKET_IFNAME=^eth,lo", VERDICT_FAIL, NULL },
    { "nccl-socket-ifname", IPV4, "n:NCCL_SOCKET_IFNAME=bond0", VERDICT_FAIL, "line 7" },

    { "rdma-switched-off", IPV4, "", VERDICT_PASS, NULL },
    { "rdma-switched-off", IPV4, "NCCL_IB_DISABLE=1", VERDICT_WARN, "NCCL_IB_DISABLE=1" },
    { "rdma-switched-off", IPV4, "NCCL_IB_DISABLE=0", VERDICT_PASS, NULL },
    { "rdma-switched-off", IPV4, "NCCL_IB_DISABLE=yes", VERDICT_PASS, NULL }, /* no number: 0 */
    { "rdma-switched-off", IPV4, "r:NCCL_IB_DISABLE=1", VERDICT_WARN, "/etc/x.conf:7" },
    { "rdma-switched-off", IPV4, "NCCL_NET=Socket", VERDICT_WARN, "unset NCCL_NET" },
    { "rdma-switched-off", IPV4, "n:NCCL_NET=socket", VERDICT_WARN, NULL },
    { "rdma-switched-off", IPV4, "NCCL_NET=IB", VERDICT_PASS, NULL },
    { "rdma-switched-off", IPV4, "UCX_TLS=tcp,self", VERDICT_WARN, "UCX_TLS=tcp,self" },
    { "rdma-switched-off", IPV4, "UCX_TLS=all", VERDICT_PASS, NULL },
    { "rdma-switched-off", IPV4, "UCX_TLS=ib,sm", VERDICT_PASS, NULL },
    { "rdma-switched-off", IPV4, "UCX_TLS=ud_mlx5,self", VERDICT_PASS, NULL },
    { "rdma-switched-off", IPV4, "UCX_TLS=\\rc_verbs", VERDICT_PASS, NULL },
    { "rdma-switched-off", IPV4, "UCX_TLS=\\rc", VERDICT_WARN, NULL }, /* strict: no such transport */
    { "rdma-switched-off", IPV4, "UCX_TLS=srd", VERDICT_WARN, NULL },  /* EFA's */
    { "rdma-switched-off", IPV4, "UCX_TLS=^tcp", VERDICT_PASS, NULL },
    { "rdma-switched-off", IPV4, "UCX_TLS=^rc", VERDICT_PASS, NULL },
    { "rdma-switched-off", IPV4, "UCX_TLS=^ib", VERDICT_WARN, NULL },
    { "rdma-switched-off", IPV4, "u:UCX_TLS=^rc,ud,dc", VERDICT_WARN, NULL },

    { "rdma-switched-off", IPV4, "OMPI_MCA_pml=ob1", VERDICT_PASS, NULL },
    { "rdma-switched-off", IPV4, "OMPI_MCA_pml=ob1 OMPI_MCA_btl=self,tcp", VERDICT_WARN, "uses TCP" },
    { "rdma-switched-off", IPV4, "OMPI_MCA_pml=ob1 OMPI_MCA_btl=openib,self", VERDICT_PASS, NULL },
    { "rdma-switched-off", IPV4, "OMPI_MCA_pml=ob1 OMPI_MCA_btl=^openib", VERDICT_PASS, NULL },
    { "rdma-switched-off", IPV4, "OMPI_MCA_pml=ucx OMPI_MCA_btl=self,tcp", VERDICT_PASS, NULL },
    { "rdma-switched-off", IPV4, "m:OMPI_MCA_pml=ob1 m:OMPI_MCA_btl=tcp", VERDICT_WARN,
      "pml=ob1 (/etc/x.conf:7) and btl=tcp" },
    { "rdma-switched-off", IPV4, "OMPI_MCA_pml=ucx m:OMPI_MCA_pml=ob1 m:OMPI_MCA_btl=tcp", VERDICT_PASS, NULL },
    /* Oracle's, Google's and NVIDIA's scripts: NCCL carries the data, UCX or Open MPI starts the ranks by TCP
     */
    { "rdma-switched-off", IPV4, "NCCL_IB_HCA==mlx5_0 UCX_TLS=tcp UCX_NET_DEVICES=eth0", VERDICT_INFO,
      "NCCL, which is set up too, uses RDMA" },
    { "ucx-net-devices", IPV4, "NCCL_IB_HCA==mlx5_0 UCX_TLS=tcp UCX_NET_DEVICES=eth0", VERDICT_NA, NULL },
    { "ucx-net-devices", IPV4, "NCCL_NET=gIB UCX_NET_DEVICES=eth0,eth1", VERDICT_INFO, "uses RDMA" },
    { "ucx-net-devices", IPV4, "NCCL_IB_DISABLE=1 UCX_NET_DEVICES=eth0", VERDICT_WARN, NULL },
    { "ucx-net-devices", IPV4, "NCCL_NET=Socket UCX_NET_DEVICES=eth0", VERDICT_WARN, NULL },
    { "ucx-net-devices", IPV4, "NCCL_IB_HCA=mlx4 UCX_NET_DEVICES=eth0", VERDICT_WARN, NULL },
    { "ucx-net-devices", IPV4, "NCCL_IB_HCA=mlx5 UCX_NET_DEVICES=eth7", VERDICT_WARN, "names no device" },
    { "rdma-switched-off", IPV4, "r:NCCL_DEBUG=INFO OMPI_MCA_pml=ob1 OMPI_MCA_btl=tcp,self", VERDICT_INFO,
      "Open MPI uses TCP" },

    { "consumer-choice", IPV6, "", VERDICT_NA, NULL }, /* nobody uses it here */
    { "consumer-choice", IPV6, "NCCL_DEBUG=INFO", VERDICT_WARN, "NCCL_IB_ADDR_FAMILY=AF_INET6" },
    { "consumer-choice", IPV6, "n:NCCL_IB_ADDR_FAMILY=AF_INET6", VERDICT_PASS, NULL },
    { "consumer-choice", IPV6, "r:RCCL_X=1", VERDICT_WARN, "/etc/rccl.conf" },
    { "consumer-choice", IPV6, "UCX_TLS=rc", VERDICT_PASS, NULL },
    { "consumer-choice", IPV4, "NCCL_DEBUG=INFO UCX_TLS=rc", VERDICT_PASS, NULL },
    { "consumer-choice", IPV4, "n:NCCL_IB_ADDR_FAMILY=AF_INET6", VERDICT_WARN, "AF_INET " },
    { "consumer-choice", BOTH, "NCCL_DEBUG=INFO", VERDICT_PASS, "GID 2" },
    { "consumer-choice", BOTH, "NCCL_IB_ADDR_RANGE=192.168.0.0/16", VERDICT_WARN, "NCCL_IB_ADDR_RANGE" },
    { "consumer-choice", IPV6, "NCCL_IB_HCA=mlx4", VERDICT_NA, NULL },      /* nccl-ib-hca */
    { "consumer-choice", IPV6, "NCCL_IB_GID_INDEX=0", VERDICT_NA, NULL },   /* nccl-gid-index */
    { "consumer-choice", LOCAL_ONLY, "NCCL_DEBUG=INFO", VERDICT_NA, NULL }, /* gid-routable */
    { "consumer-choice", NO_GID_0, "UCX_TLS=rc", VERDICT_WARN, "UCX_IB_GID_INDEX=1" },
    { "consumer-choice", NO_GID_0, "u:UCX_IB_GID_INDEX=1", VERDICT_NA, NULL },

    { "consumer-choice", POD, "NCCL_DEBUG=INFO", VERDICT_WARN, "export NCCL_IB_GID_INDEX=2" },
    { "consumer-choice", POD, "UCX_TLS=rc", VERDICT_WARN, "export UCX_IB_GID_INDEX=2" },
    { "consumer-choice", POD, "UCX_TLS=rc UCX_IB_GID_INDEX=2", VERDICT_NA, NULL }, /* ucx-gid-index */
    { "ucx-gid-index", POD, "UCX_IB_GID_INDEX=2", VERDICT_PASS, NULL },
    { "ucx-gid-index", POD, "UCX_IB_GID_INDEX=1", VERDICT_FAIL, "in another network namespace" },
    { "nccl-gid-index", POD, "NCCL_IB_GID_INDEX=1", VERDICT_FAIL, "export NCCL_IB_GID_INDEX=2 #" },
    { "nccl-gid-index", POD, "n:NCCL_IB_GID_INDEX=1", VERDICT_FAIL, "out of /etc/x.conf, line 7" },

    { "job-traffic-class", IPV4, "", VERDICT_NA, NULL },
    { "job-traffic-class", IPV4, "NCCL_DEBUG=INFO", VERDICT_WARN, "NCCL_IB_TC=106" },
    { "job-traffic-class", IPV4, "NCCL_IB_TC=106", VERDICT_PASS, NULL },
    { "job-traffic-class", IPV4, "n:NCCL_IB_TC=104", VERDICT_PASS, "NCCL_IB_TC=104 (/etc/x.conf:7)" },
    { "job-traffic-class", IPV4, "n:NCCL_IB_TC=46", VERDICT_WARN, "priority 0" },
    { "job-traffic-class", IPV4, "UCX_TLS=rc", VERDICT_PASS, "UCX_IB_TRAFFIC_CLASS is not set: 106" },
    { "job-traffic-class", IPV4, "UCX_IB_TRAFFIC_CLASS=0", VERDICT_WARN, "UCX_IB_TRAFFIC_CLASS=106" },
    { "job-traffic-class", IPV4, "UCX_TLS=rc NCCL_DEBUG=INFO", VERDICT_WARN, "NCCL" },
    { "job-traffic-class", LOCAL_ONLY, "NCCL_DEBUG=INFO", VERDICT_NA, NULL },
};

Test(job, what_libraries_are_told)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct machine machine;
        make(&machine, cases[i].shape, cases[i].told);
        struct finding finding = ask(&machine, cases[i].id);
        cr_expect_eq(finding.verdict, cases[i].verdict, "%s, \"%s\": %s, not %s: %s", cases[i].id,
                     cases[i].told, verdict_name(finding.verdict), verdict_name(cases[i].verdict),
                     finding.evidence);
        cr_expect(!cases[i].words || strstr(finding.evidence, cases[i].words) ||
                      strstr(finding.fix, cases[i].words),
                  "%s, \"%s\": no \"%s\" in \"%s\", \"%s\"", cases[i].id, cases[i].told, cases[i].words,
                  finding.evidence, finding.fix);
        arena_free(machine.host.arena);
    }
}

/* mlx5's driver gives it to what it connects itself, and not to what is made through DevX. */
Test(job, the_ports_traffic_class_overrides_what_the_kernel_connects)
{
    static const struct {
        const char *told;
        enum verdict verdict;
        const char *words;
    } asked[] = {
        { "NCCL_DEBUG=INFO", VERDICT_NA, "overrides" },
        { "NCCL_DEBUG=INFO NCCL_GIN_TYPE=2", VERDICT_NA, "overrides" },
        { "NCCL_GIN_TYPE=3", VERDICT_INFO, "export NCCL_GIN_IB_TC=106" }, /* NVIDIA/nccl#2383 */
        { "NCCL_GIN_TYPE=3 NCCL_IB_TC=104", VERDICT_PASS, "NCCL_IB_TC=104" },
        { "NCCL_GIN_TYPE=3 NCCL_IB_TC=104 NCCL_GIN_IB_TC=8", VERDICT_INFO, "NCCL_GIN_IB_TC=8" },
        { "UCX_IB_TRAFFIC_CLASS=8", VERDICT_WARN, "UCX_IB_TRAFFIC_CLASS=8, priority 0" },
        { "UCX_IB_TRAFFIC_CLASS=8 UCX_IB_MLX5_DEVX=n", VERDICT_NA, "overrides" },
        { "UCX_TLS=rc", VERDICT_PASS, "106" },
    };
    for (size_t i = 0; i < sizeof(asked) / sizeof(*asked); i++) {
        struct machine machine;
        make(&machine, IPV4, asked[i].told);
        machine.port.traffic_class = num_of(104);
        struct finding finding = ask(&machine, "job-traffic-class");
        cr_expect_eq(finding.verdict, asked[i].verdict, "%s: %s: %s", asked[i].told,
                     verdict_name(finding.verdict), finding.evidence);
        cr_expect(strstr(finding.evidence, asked[i].words) || strstr(finding.fix, asked[i].words), "%s: %s, %s",
                  asked[i].told, finding.evidence, finding.fix);
        arena_free(machine.host.arena);
    }
    struct machine machine;
    make(&machine, IPV4, "UCX_TLS=rc");
    machine.port.traffic_class = num_of(20);
    machine.apps[0].protocol = 5;
    struct finding finding = ask(&machine, "job-traffic-class");
    cr_expect_eq(finding.verdict, VERDICT_INFO, "%s", finding.evidence);
    cr_expect(strstr(finding.evidence, "since 1.21 takes the port's"), "%s", finding.evidence);
    arena_free(machine.host.arena);
}

/* Where frames are tagged and PCP is trusted, the service level decides. */
Test(job, the_service_level_of_tagged_frames)
{
    struct machine machine;
    make(&machine, IPV4, "NCCL_IB_TC=106");
    machine.qos.dcb.napps = 0;
    machine.netdevs[0].kind = NETDEV_VLAN;
    struct finding finding = ask(&machine, "job-traffic-class");
    cr_expect_eq(finding.verdict, VERDICT_WARN, "%s", finding.evidence);
    cr_expect(strstr(finding.fix, "NCCL_IB_SL=3"), "%s", finding.fix);
    tell(&machine, "NCCL_IB_SL=3");
    finding = ask(&machine, "job-traffic-class");
    cr_expect_eq(finding.verdict, VERDICT_PASS, "%s", finding.evidence);
    machine.netdevs[0].kind = NETDEV_PHYSICAL; /* untagged: nothing the job sets helps */
    cr_expect_eq(ask(&machine, "job-traffic-class").verdict, VERDICT_NA);
    arena_free(machine.host.arena);
}

/* A second port that is good: which of both a job takes is not known, unless a list names them. */
Test(job, a_port_that_may_lie_idle)
{
    static const struct {
        enum shape shape;
        bool iwarp;
        const char *told;
        enum verdict verdict;
    } beside[] = {
        { IPV6, false, "NCCL_DEBUG=INFO", VERDICT_NA },
        { IPV6, false, "NCCL_IB_HCA=^mlx4", VERDICT_NA },
        { IPV6, false, "NCCL_IB_HCA=mlx5", VERDICT_WARN },
        { IPV6, true, "NCCL_DEBUG=INFO", VERDICT_NA },
        { IPV6, true, "NCCL_IB_HCA=mlx5", VERDICT_WARN },
        { IPV4, false, "NCCL_DEBUG=INFO", VERDICT_PASS },
        { NO_GID_0, false, "UCX_TLS=rc", VERDICT_NA },
        { NO_GID_0, false, "UCX_NET_DEVICES=all", VERDICT_NA },
        { NO_GID_0, false, "UCX_NET_DEVICES=mlx5_0:1", VERDICT_WARN },
    };
    for (size_t i = 0; i < sizeof(beside) / sizeof(*beside); i++) {
        struct machine machine, other;
        make(&machine, beside[i].shape, beside[i].told);
        make(&other, IPV4, "");
        other.device.name = "mlx5_1";
        if (beside[i].iwarp)
            machine.port.transport = machine.device.transport = TRANSPORT_IWARP;
        struct device both[] = { machine.device, other.device };
        machine.port.device = &both[0], other.port.device = &both[1];
        machine.host.devices = both, machine.host.ndevices = 2;
        struct check_selection selection = { .only = "consumer-choice" };
        struct report report = check_run(&machine.host, NULL, 0, &selection, machine.host.arena);
        for (size_t f = 0; f < report.nfindings; f++)
            if (strcmp(report.findings[f].subject.device->name, "mlx5_0") == 0)
                cr_expect_eq(report.findings[f].verdict, beside[i].verdict, "\"%s\": %s: %s", beside[i].told,
                             verdict_name(report.findings[f].verdict), report.findings[f].evidence);
        arena_free(machine.host.arena);
        arena_free(other.host.arena);
    }
}

Test(job, nothing_is_judged_where_the_environment_is_unknown)
{
    static const char *const ids[] = { "nccl-gid-index",  "ucx-gid-index",      "nccl-ib-hca",
                                       "ucx-net-devices", "nccl-socket-ifname", "rdma-switched-off",
                                       "consumer-choice", "job-traffic-class" };
    struct machine machine;
    make(&machine, IPV6, "n:NCCL_IB_GID_INDEX=9");
    machine.host.system.environment_known = false;
    for (size_t i = 0; i < sizeof(ids) / sizeof(*ids); i++)
        cr_expect_eq(ask(&machine, ids[i]).verdict, VERDICT_UNKNOWN, "%s", ids[i]);
    arena_free(machine.host.arena);
}
