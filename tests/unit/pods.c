/* SPDX-License-Identifier: MIT */
/* Devices that are shared between network namespaces, read from a tree: each pod's netdev is called net1. */
#include <criterion/criterion.h>

#include "asked.h"
#include "check/check.h"
#include "check/use.h"
#include "model/host.h"
#include "model/resources.h"
#include "source/source.h"
#include "tree.h"

#define MAPPED "0000:0000:0000:0000:0000:ffff:0a00:0001\n"

static const char *const names[] = { "mlx5_8", "mlx5_10" };
static const char *const functions[] = { "0000:07:02.6", "0000:07:03.0" };

static void put(const char *device, const char *file, const char *text)
{
    char path[256];
    snprintf(path, sizeof(path), "%s/%s", device, file);
    tree_file(path, text);
}

static void link_to(const char *class, const char *name, const char *below)
{
    char path[256], target[256];
    snprintf(path, sizeof(path), "sys/class/%s/%s", class, name);
    snprintf(target, sizeof(target), "../../devices/%s", below);
    tree_link(path, target);
}

/* Two devices whose only GID is of a net1, which is here on the function of the one with that index. */
static void make_tree(size_t owner)
{
    char below[128], path[256];
    tree_make();
    for (size_t i = 0; i < 2; i++) {
        snprintf(below, sizeof(below), "%s/infiniband/%s", functions[i], names[i]);
        link_to("infiniband", names[i], below);
        snprintf(path, sizeof(path), "sys/devices/%s", below);
        put(path, "node_type", "1: CA\n");
        put(path, "ports/1/link_layer", "Ethernet\n");
        put(path, "ports/1/state", "4: ACTIVE\n");
        put(path, "ports/1/gids/0", MAPPED);
        put(path, "ports/1/gid_attrs/types/0", "RoCE v2\n");
        put(path, "ports/1/gid_attrs/ndevs/0", "net1\n");
        snprintf(path, sizeof(path), "sys/devices/%s/device", below);
        char target[64];
        snprintf(target, sizeof(target), "../../../%s", functions[i]);
        tree_link(path, target);
    }
    snprintf(below, sizeof(below), "%s/net/net1", functions[owner]);
    link_to("net", "net1", below);
    snprintf(path, sizeof(path), "sys/devices/%s", below);
    put(path, "mtu", "9000\n");
    put(path, "operstate", "up\n");
}

/* Whichever device a directory's order brings first: with files alone its GID names net1 before its owner does.
 */
static void expect_owner(size_t owner)
{
    struct source *source;
    struct host *host;
    make_tree(owner);
    cr_assert_eq(source_open_recording(tree_top(), &source, NULL), 0);
    cr_assert_eq(host_read(source, NEED_STATE | NEED_NETDEV | NEED_GIDS, &host), 0);
    cr_assert_eq(host->ndevices, 2);
    for (size_t i = 0; i < 2; i++) {
        const struct port *port = &host_find_device(host, names[i])->ports[0];
        const struct netdev *netdev = port_netdev(host, port);
        cr_expect_str_eq(port->netdev, "net1");
        cr_expect_eq(netdev != NULL, i == owner, "%s of %s", names[i], names[owner]);
        cr_expect_eq(gid_netdev(host, &port->gids[0]), netdev);
        cr_expect_eq(port->roce_mtu.known, i == owner);
    }
    host_free(host);
    source_close(source);
    tree_remove();
}

Test(pods, a_netdev_is_its_functions_whoever_names_it_first)
{
    expect_owner(0);
    expect_owner(1);
}

/* A container is known by the marks that its runtime leaves, and is told what its kind can do. */

Test(container, each_runtime_by_its_marks)
{
    static const struct {
        const char *marks;
        enum container container;
        bool kubernetes;
    } cases[] = {
        { "", CONTAINER_NONE, false },
        { "pid-namespace other\n", CONTAINER_UNNAMED, false }, /* unshare -p */
        { "pid-namespace other\nkernel wsl\n", CONTAINER_NONE, false },
        { "pid-namespace other\nfile .dockerenv\n", CONTAINER_DOCKER, false },
        { "file .dockerenv\npath docker\n", CONTAINER_DOCKER, false }, /* --pid=host */
        { "pid-namespace other\npath docker\n", CONTAINER_DOCKER, false },
        { "pid-namespace other\nvariable kubernetes\npath containerd\npath pod\n", CONTAINER_CONTAINERD, true },
        { "pid-namespace other\npath containerd\n", CONTAINER_CONTAINERD, false }, /* nerdctl */
        { "pid-namespace other\nvariable kubernetes\npath crio\npath pod\n", CONTAINER_CRIO, true },
        { "variable kubernetes\nfile run/.containerenv\npath containers-storage\n", CONTAINER_CRIO, true },
        { "pid-namespace other\nfile run/.containerenv\npath containers-storage\n", CONTAINER_PODMAN, false },
        { "pid-namespace other\ninit podman\n", CONTAINER_PODMAN, false },
        { "pid-namespace other\ninit lxc\npath lxc\n", CONTAINER_LXC, false },
        { "pid-namespace other\ninit systemd-nspawn\n", CONTAINER_NSPAWN, false },
        { "variable apptainer\n", CONTAINER_APPTAINER, false },
        { "variable kubernetes\n", CONTAINER_UNNAMED, true }, /* hostPID, and nothing else to be seen */
        { "pid-namespace other\nfile .dockerenvironment\n", CONTAINER_UNNAMED, false },
        { "file .dockerenv\nfile run/.containerenv\n", CONTAINER_NONE,
          false }, /* a guest on a container's files */
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        bool kubernetes;
        enum container container = container_of(cases[i].marks, &kubernetes);
        cr_expect_eq(container, cases[i].container, "%s: %d", cases[i].marks, (int)container);
        cr_expect_eq(kubernetes, cases[i].kubernetes, "%s", cases[i].marks);
    }
}

Test(container, paths_of_control_groups_and_mounts)
{
    static const struct {
        const char *path, *mark;
        bool pod;
    } cases[] = {
        { "0::/user.slice/user-0.slice/session-3.scope", NULL, false },
        { "0::/system.slice/docker.service", NULL, false },
        { "0::/system.slice/docker-8d2f1c.scope", "docker", false },
        { "12:devices:/docker/8d2f1c", "docker", false },
        { "0::/kubepods.slice/kubepods-pod1f.slice/cri-containerd-8d.scope", "containerd", true },
        { "0::/kubepods.slice/kubepods-pod1f.slice/crio-8d.scope", "crio", true },
        { "4:memory:/kubepods/besteffort/pod1f/8d2f1c", NULL, true },
        { "0::/machine.slice/libpod-8d2f1c.scope/container", "podman", false },
        { "0::/lxc.payload.web", "lxc", false },
        { "43 19 0:87 / / rw - overlay overlay rw,lowerdir=/var/lib/docker/overlay2/l/AB", "docker", false },
        { "43 21 0:54 / / rw - overlay overlay "
          "rw,lowerdir=/var/lib/containerd/io.containerd.snapshotter.v1.overlayfs/snapshots/9/fs",
          "containerd", false },
        { "50 43 8:1 /var/lib/kubelet/pods/1f-2e/etc-hosts /etc/hosts rw - ext4 /dev/sda1 rw", NULL, true },
        { "43 19 0:87 / / rw - overlay overlay rw,lowerdir=/var/lib/containers/storage/overlay/l/AB",
          "containers-storage", false },
        { "29 1 0:25 / / rw - overlay overlay rw,lowerdir=/run/rootfs,upperdir=/run/upper", NULL, false },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const char *mark = container_path_mark(cases[i].path), *want = cases[i].mark;
        cr_expect(mark == want || (mark && want && strcmp(mark, want) == 0), "%s: %s", cases[i].path,
                  mark ? mark : "none");
        cr_expect_eq(container_path_is_pod(cases[i].path), cases[i].pod, "%s", cases[i].path);
    }
}

Test(container, whose_network_namespace_it_is)
{
    cr_expect_eq(container_netns_is_first(""), TRI_UNKNOWN);
    cr_expect_eq(container_netns_is_first("pid-namespace other\nnet-namespace first\n"),
                 TRI_YES); /* --net=host */
    cr_expect_eq(container_netns_is_first("net-namespace other\n"), TRI_NO);
    bool kubernetes;
    cr_expect_eq(container_of("net-namespace other\n", &kubernetes), CONTAINER_NONE,
                 "all else is the host's: udev, files, daemons");
}

Test(container, the_network_namespace_is_told_by_the_links_of_proc)
{
    static const struct {
        const char *pid, *own, *first, *want;
    } cases[] = {
        { "pid:[4026531836]", "net:[4026531840]", "net:[4026531840]", "first" },
        { "pid:[4026531836]", "net:[4026532281]", "net:[4026531840]", "other" },
        { "pid:[4026531836]", "net:[4026532281]", NULL, NULL },               /* for users */
        { "pid:[4026531836]", "net:[4026531833]", NULL, "first" },            /* Linux 6.18 */
        { "pid:[4026532299]", "net:[4026532281]", "net:[4026532281]", NULL }, /* process 1 is the container's */
        { "pid:[4026532299]", "net:[4026531833]", "net:[4026531833]", "first" },
        { NULL, "net:[4026532281]", "net:[4026532281]", NULL },
        { "pid:[4026531836]", NULL, "net:[4026531840]", NULL },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const char *mark = container_netns_mark(cases[i].pid, cases[i].own, cases[i].first),
                   *want = cases[i].want;
        cr_expect(mark == want || (mark && want && strcmp(mark, want) == 0), "%zu: %s", i,
                  mark ? mark : "none");
    }
}

Test(container, a_recording_has_the_marks)
{
    struct source *source;
    struct host *host;
    tree_make();
    tree_file("sys/class/net/lo/type", "772\n");
    tree_file("probe/container", "pid-namespace other\nfile .dockerenv\n");
    cr_assert_eq(source_open_recording(tree_top(), &source, NULL), 0);
    cr_assert_eq(host_read(source, NEED_SYSTEM, &host), 0);
    cr_expect_eq(host->system.container, CONTAINER_DOCKER);
    cr_expect(system_is_container(&host->system));
    host_free(host);
    source_close(source);
    tree_remove();
}

static struct arena *arena;
static struct port ports[2];
static struct device devices[2];
static struct netdev netdev;
static struct gid gids[2];
static struct module module;
static struct environment variable;
static struct host host;

/* mlx5_0 with eth0, which is switched off, and mlx5_1, whose netdev is elsewhere; both nodes can be opened. */
static void setup(void)
{
    arena = arena_new();
    for (unsigned i = 0; i < 2; i++) {
        gids[i] = (struct gid){ .raw = { [10] = 0xff, 0xff, 10, 0, 0, (uint8_t)i },
                                .type = GID_TYPE_ROCE_V2,
                                .netdev = i ? "eth1" : "eth0" };
        ports[i] = (struct port){ .device = &devices[i],
                                  .number = 1,
                                  .state = num_of(PORT_STATE_ACTIVE),
                                  .transport = TRANSPORT_ROCE,
                                  .gid_table_len = num_of(16),
                                  .gids = &gids[i],
                                  .ngids = 1,
                                  .netdev = gids[i].netdev };
        devices[i] = (struct device){ .name = i ? "mlx5_1" : "mlx5_0",
                                      .transport = TRANSPORT_ROCE,
                                      .driver = "mlx5_core",
                                      .ports = &ports[i],
                                      .nports = 1 };
        devices[i].uverbs.name = i ? "uverbs1" : "uverbs0";
        devices[i].uverbs.path = i ? "/dev/infiniband/uverbs1" : "/dev/infiniband/uverbs0";
        devices[i].uverbs.tried = true;
    }
    netdev = (struct netdev){ .name = "eth0", .flags = num_of(0x1002) };
    host = (struct host){
        .arena = arena, .needs = NEED_ALL, .devices = devices, .ndevices = 2, .netdevs = &netdev, .nnetdevs = 1
    };
    variable = (struct environment){ "NCCL_IB_HCA", "mlx5_0,mlx5_1" }; /* both are in use */
    host.system.environment = &variable;
    host.system.nenvironment = 1;
    host.system.environment_known = true;
    host.system.has_uverbs_class = host.system.has_infiniband_class = true;
    host.system.modules_known = true;
    host.system.netns_mode = num_of(1);
    host.system.memlock_soft = num_of(65536);
}

static void teardown(void)
{
    arena_free(arena);
}

TestSuite(in_container, .init = setup, .fini = teardown);

static struct finding ask(const char *id)
{
    return ask_about(&host, id, arena);
}

static void be(enum container container, bool kubernetes)
{
    host.system.container = container;
    host.system.kubernetes = kubernetes;
}

Test(in_container, each_kind_is_told_what_it_can_do)
{
    static const struct {
        enum container container;
        bool kubernetes;
        const char *node, *memlock;
    } cases[] = {
        { CONTAINER_DOCKER, false, "--device=/dev/infiniband/uverbs0", "--ulimit memlock=-1:-1" },
        { CONTAINER_PODMAN, false, "--device=/dev/infiniband/uverbs0", "--ulimit memlock=-1:-1" },
        { CONTAINER_CONTAINERD, false, "--device=/dev/infiniband/uverbs0", "--ulimit memlock=-1:-1" },
        { CONTAINER_CONTAINERD, true, "RDMA device plugin's resource", "IPC_LOCK" },
        { CONTAINER_CRIO, true, "RDMA device plugin's resource", "IPC_LOCK" },
        { CONTAINER_LXC, false, "unix-char source=/dev/infiniband/uverbs0", "limits.kernel.memlock" },
        { CONTAINER_NSPAWN, false, "--bind=/dev/infiniband/uverbs0", "--rlimit=RLIMIT_MEMLOCK=infinity" },
        { CONTAINER_APPTAINER, false, "--contain", "ulimit -l unlimited" },
        { CONTAINER_UNNAMED, false, "bring /dev/infiniband/uverbs0 into", "ulimit -l unlimited" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        be(cases[i].container, cases[i].kubernetes);
        devices[0].uverbs.err = devices[1].uverbs.err = ENOENT;
        struct finding finding = ask("uverbs-node");
        EXPECT_VERDICT(finding, VERDICT_FAIL);
        EXPECT_TEXT(finding.fix, cases[i].node);
        EXPECT_TEXT(finding.evidence, "not given to this container");
        EXPECT_TEXT(ask("memlock-limit").fix, cases[i].memlock);
    }
}

/* A pod that mounts the host's /dev/infiniband has the nodes, and its device cgroup denies them. */
Test(in_container, nodes_that_were_mounted_and_not_given)
{
    host.system.nenvironment = 0;
    be(CONTAINER_CONTAINERD, true);
    devices[0].uverbs.err = devices[1].uverbs.err = EPERM;
    EXPECT_VERDICT(ask("uverbs-node"), VERDICT_FAIL);
    EXPECT_TEXT(ask("uverbs-node").evidence, "the device controller of this cgroup denies it");
    EXPECT_TEXT(ask("uverbs-node").fix, "the RDMA device plugin's resource in");
    devices[0].driver = devices[1].driver = "efa";
    EXPECT_TEXT(ask("uverbs-node").fix, "resource, vpc.amazonaws.com/efa, in");
    devices[0].uverbs.err = 0;
    EXPECT_VERDICT(ask("uverbs-node"), VERDICT_PASS);
    EXPECT_VERDICT(ask("device-hidden"), VERDICT_PASS);
    cr_expect(port_is_judged(&host, &ports[0], arena) && !port_is_judged(&host, &ports[1], arena));
}

/* NCCL knows nothing of RDMA_CM; UCX, libfabric and a process that holds an id of it do. */
Test(in_container, rdma_cms_node_is_for_those_who_asked_for_it)
{
    static const struct {
        const char *name, *value;
        enum verdict verdict;
    } cases[] = {
        { "NCCL_IB_HCA", "mlx5_0,mlx5_1", VERDICT_INFO },
        { "FI_PROVIDER", "efa", VERDICT_INFO },
        { "FI_PROVIDER", "^verbs", VERDICT_INFO },
        { "FI_PROVIDER", "verbs;ofi_rxm", VERDICT_FAIL },
        { "UCX_SOCKADDR_TLS_PRIORITY", "rdmacm", VERDICT_FAIL },
        { "OMPI_MCA_btl_openib_cpc_include", "^rdmacm", VERDICT_INFO },
        { "OMPI_MCA_btl_openib_cpc_include", "rdmacm", VERDICT_FAIL },
        { "OMPI_MCA_btl", "self,openib", VERDICT_FAIL },
        { "OMPI_MCA_btl", "^openib,tcp", VERDICT_INFO },
        { "I_MPI_OFI_PROVIDER", "verbs", VERDICT_FAIL },
    };
    static const int given[] = { EACCES, ENXIO }, not_given[] = { ENOENT, EPERM };
    module.name = "rdma_ucm";
    host.system.modules = &module;
    host.system.nmodules = 1;
    host.system.rdma_cm = (struct device_node){ .path = "/dev/infiniband/rdma_cm", .tried = true };
    be(CONTAINER_DOCKER, false);
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        for (size_t k = 0; k < 2; k++) {
            host.system.rdma_cm.err = not_given[k];
            variable = (struct environment){ cases[i].name, cases[i].value };
            struct finding finding = ask("rdma-cm-node");
            EXPECT_VERDICT(finding, cases[i].verdict);
            EXPECT_TEXT(finding.fix, "--device=/dev/infiniband/rdma_cm");
            EXPECT_TEXT(finding.evidence,
                        cases[i].verdict == VERDICT_FAIL ? cases[i].name : "no variable, file or process");
            host.system.rdma_cm.err = given[k];
            EXPECT_VERDICT(ask("rdma-cm-node"), VERDICT_FAIL);
        }
    host.system.rdma_cm.err = ENOENT;
    variable = (struct environment){ "NCCL_IB_HCA", "mlx5_0,mlx5_1" };
    struct setting setting = { .name = "UCX_SOCKADDR_TLS_PRIORITY", .value = "rdmacm", .conditional = true };
    host.system.settings = &setting;
    host.system.nsettings = 1;
    EXPECT_VERDICT(ask("rdma-cm-node"), VERDICT_INFO);
    setting.conditional = false;
    EXPECT_VERDICT(ask("rdma-cm-node"), VERDICT_FAIL);
    host.system.nsettings = 0;
    struct resource id = { .type = RESOURCE_CM_ID, .device = "mlx5_0", .comm = "nvme_rdma" };
    struct resources resources = { .items = &id, .nitems = 1 };
    host.resources = &resources;
    EXPECT_VERDICT(ask("rdma-cm-node"), VERDICT_INFO); /* the kernel's own */
    id.comm = "spdk";
    id.pid = num32_of(77);
    EXPECT_VERDICT(ask("rdma-cm-node"), VERDICT_FAIL);
    EXPECT_TEXT(ask("rdma-cm-node").evidence, "spdk (pid 77)");
    host.resources = NULL;
    host.system.environment_known = false; /* who knows what runs here */
    EXPECT_VERDICT(ask("rdma-cm-node"), VERDICT_UNKNOWN);
    host.system.environment_known = true;
    be(CONTAINER_NONE, false); /* udev should have made it */
    EXPECT_VERDICT(ask("rdma-cm-node"), VERDICT_FAIL);
}

Test(in_container, no_fix_touches_the_nodes_udev_or_namespaces)
{
    static const char *const never[] = { "udevadm", "rdma system set", "netns", "limits.d" };
    static const char *const ids[] = { "uverbs-node",   "memlock-limit", "port-netdev",
                                       "gid-namespace", "rdma-cm-node",  "rdma-cm-module" };
    host.system.rdma_cm = (struct device_node){ .path = "/dev/infiniband/rdma_cm",
                                                .tried = true,
                                                .err = ENOENT };
    devices[0].uverbs.err = devices[1].uverbs.err = ENOENT;
    module.name = "rdma_ucm";
    host.system.modules = &module;
    host.system.nmodules = 1;
    struct environment variables[] = { variable, { "UCX_SOCKADDR_TLS_PRIORITY", "rdmacm" } };
    host.system.environment = variables;
    host.system.nenvironment = 2;
    for (enum container container = CONTAINER_DOCKER; container <= CONTAINER_UNNAMED; container++)
        for (size_t k = 0; k < sizeof(ids) / sizeof(*ids); k++) {
            be(container, container == CONTAINER_CRIO);
            struct finding finding = ask(ids[k]);
            cr_expect_geq(finding.verdict, VERDICT_WARN, "%s: %s", ids[k], finding.evidence);
            for (size_t n = 0; n < sizeof(never) / sizeof(*never); n++)
                cr_expect_not(strstr(finding.fix, never[n]), "%s says %s", ids[k], finding.fix);
        }
}

Test(in_container, only_what_was_given_to_it_is_judged)
{
    static const char *const ids[] = { "device-hidden", "port-netdev", "gid-namespace" };
    be(CONTAINER_CONTAINERD, true);
    for (size_t i = 1; i < sizeof(ids) / sizeof(*ids); i++)
        EXPECT_VERDICT(ask(ids[i]), VERDICT_WARN);
    EXPECT_TEXT(ask("port-netdev").fix, "k8s.v1.cni.cncf.io/networks");
    devices[1].uverbs.err = ENOENT;
    for (size_t i = 0; i < sizeof(ids) / sizeof(*ids); i++)
        cr_expect_lt(ask(ids[i]).verdict, VERDICT_WARN, "%s: %s", ids[i], ask(ids[i]).evidence);
    be(CONTAINER_NONE, false);
    for (size_t i = 0; i < sizeof(ids) / sizeof(*ids); i++)
        EXPECT_VERDICT(ask(ids[i]), VERDICT_WARN);
    EXPECT_TEXT(ask("device-hidden").fix, "udevadm trigger");
}

/* github.com/k8snetworkplumbingwg/sriov-cni/issues/348: the pod sees four devices, has the node of one, and no
 * netdev. */
Test(in_container, where_none_is_of_use_what_was_given_is_judged)
{
    host.system.nenvironment = 0;
    netdev.name = "lo";
    for (size_t i = 0; i < 2; i++) {
        ports[i].netdev = NULL;
        ports[i].ngids = 0;
    }
    ports[1].state = num_of(PORT_STATE_DOWN);
    ports[1].phys_state = num_of(PHYS_STATE_DISABLED);
    devices[1].uverbs.err = ENOENT;
    be(CONTAINER_CONTAINERD, true);
    EXPECT_VERDICT(ask("port-netdev"), VERDICT_FAIL);
    EXPECT_TEXT(ask("port-netdev").fix, "k8s.v1.cni.cncf.io/networks");
    cr_expect_lt(ask("port-active").verdict, VERDICT_WARN, "%s", ask("port-active").evidence);
    EXPECT_VERDICT(ask("port-in-use"), VERDICT_INFO);
    cr_expect_str_eq(ask("port-in-use").evidence, "it was not given to this container");
    EXPECT_TEXT(ask("port-in-use").fix, "nothing, if it is for others");
    cr_expect(port_is_judged(&host, &ports[0], arena) && !port_is_judged(&host, &ports[1], arena));
    host.system.nenvironment = 1, variable.value = "mlx5_0"; /* another is used */
    cr_expect_str_eq(ask("port-in-use").evidence, "it was not given to this container");
    host.system.nenvironment = 0;
    be(CONTAINER_NONE, false);
    EXPECT_VERDICT(ask("port-active"), VERDICT_FAIL);
}

Test(in_container, a_device_without_its_netdev_is_of_use_to_nobody)
{
    host.system.nenvironment = 0;
    host.devices = &devices[1];
    host.ndevices = 1;
    be(CONTAINER_CONTAINERD, true);
    EXPECT_VERDICT(ask("rdma-namespace-mode"), VERDICT_WARN);
    EXPECT_TEXT(ask("rdma-namespace-mode").fix, "k8s.v1.cni.cncf.io/networks");
    be(CONTAINER_NONE, false);
    host.system.first_netns = TRI_YES; /* pods have the rest */
    EXPECT_VERDICT(ask("rdma-namespace-mode"), VERDICT_PASS);
}

/* "ip netns exec" and "unshare --net" leave no mark of a container, and all but the network is the host's. */
Test(in_container, another_network_namespace_alone_doesn_t_change_the_mode)
{
    host.system.nenvironment = 0;
    host.devices = &devices[1];
    host.ndevices = 1;
    be(CONTAINER_NONE, false);
    host.system.first_netns = TRI_NO;
    struct finding finding = ask("rdma-namespace-mode");
    EXPECT_VERDICT(finding, VERDICT_WARN);
    EXPECT_TEXT(finding.fix, "nsenter --net=/proc/1/ns/net");
    cr_expect_not(strstr(finding.fix, "rdma system set"), "%s", finding.fix);
    host.system.first_netns = TRI_UNKNOWN;
    EXPECT_VERDICT(ask("rdma-namespace-mode"), VERDICT_UNKNOWN);
}

Test(in_container, what_changes_the_machine_is_for_the_host)
{
    cr_expect_str_eq(ask("netdev-up").fix, "ip link set dev eth0 up");
    be(CONTAINER_DOCKER, false);
    cr_expect_str_eq(ask("netdev-up").fix, "on the host: ip link set dev eth0 up");
    be(CONTAINER_CRIO, true);
    cr_expect_str_eq(ask("netdev-up").fix, "on the node, which a pod can't change: ip link set dev eth0 up");
    EXPECT_TEXT(ask("rdma-cm-module").fix, "on the node (a container can't): modprobe rdma_ucm");
}

Test(in_container, a_netdev_that_came_without_its_device)
{
    host.ndevices = 0;
    be(CONTAINER_CRIO, true);
    host.system.netns_mode = num_of(0);
    module.name = "mlx5_ib";
    host.system.modules = &module;
    host.system.nmodules = 1;
    netdev.driver = "mlx5_core";
    netdev.pci = "0000:17:00.2";
    EXPECT_TEXT(ask("rdma-device").fix, "{\"type\": \"rdma\"}");
    EXPECT_TEXT(ask("nic-rdma-device").fix, "{\"type\": \"rdma\"}");
    EXPECT_TEXT(ask("rdma-namespace-mode").fix, "{\"type\": \"rdma\"}");
    be(CONTAINER_NONE, false);
    EXPECT_TEXT(ask("nic-rdma-device").fix, "rdma dev set DEVICE netns NAME");
    host.system.netns_mode = num_of(1);
    EXPECT_TEXT(ask("nic-rdma-device").fix, "name enable_rdma value true");
    EXPECT_TEXT(ask("nic-rdma-device").fix, "# interrupts traffic");
}

Test(in_container, a_device_that_stayed_where_its_node_came_from)
{
    struct device_node node = {
        .name = "uverbs3", .path = "/dev/infiniband/uverbs3", .tried = true, .err = EPERM
    };
    host.ndevices = 0;
    host.nnetdevs = 0;
    be(CONTAINER_CRIO, true);
    host.system.netns_mode = num_of(0);
    EXPECT_VERDICT(ask("rdma-namespace-mode"), VERDICT_PASS);
    host.system.stray_node = node, host.system.stray_device = "mlx5_3";
    EXPECT_VERDICT(ask("rdma-namespace-mode"), VERDICT_WARN);
    EXPECT_TEXT(ask("rdma-namespace-mode").evidence,
                "/dev/infiniband/uverbs3 is here without its device, mlx5_3");
    EXPECT_TEXT(ask("rdma-namespace-mode").fix, "rdma system set netns shared");
    EXPECT_VERDICT(ask("rdma-device"), VERDICT_FAIL);
    EXPECT_TEXT(ask("rdma-device").fix, "rdma system set netns shared");
    be(CONTAINER_DOCKER, false);
    EXPECT_TEXT(ask("rdma-namespace-mode").fix, "rdma dev set mlx5_3 netns NAME");
    host.ndevices = 1; /* with the node of another */
    devices[0].uverbs.err = ENOENT;
    EXPECT_TEXT(ask("uverbs-node").fix,
                "the node of mlx5_0 instead of /dev/infiniband/uverbs3, which is of mlx5_3");
    host.ndevices = 0;
    be(CONTAINER_NONE, false); /* the host itself: a container has the device */
    host.system.first_netns = TRI_YES;
    EXPECT_VERDICT(ask("rdma-namespace-mode"), VERDICT_PASS);
    EXPECT_VERDICT(ask("rdma-device"), VERDICT_INFO);
}

/* The one above, as it is read. */
Test(container, a_node_without_its_device_is_read)
{
    struct source *source;
    struct host *machine;
    cr_assert_eq(source_open_recording(tree_fixture("fault-pod-exclusive"), &source, NULL), 0);
    cr_assert_eq(host_read(source, NEED_NODES, &machine), 0);
    cr_expect_str_eq(machine->system.stray_device, "mlx5_3");
    cr_expect_eq(machine->system.stray_node.err, EPERM);
    host_free(machine);
    source_close(source);
}

/* What NEED_CONTAINER alone finds of the node of a device that was not given to the pod. */
static struct device_node node_of(const char *name)
{
    struct source *source;
    struct host *machine;
    cr_assert_eq(source_open_recording(tree_fixture(name), &source, NULL), 0);
    cr_assert_eq(host_read(source, NEED_CONTAINER, &machine), 0);
    struct device_node node = machine->devices[0].uverbs;
    host_free(machine);
    source_close(source);
    return node;
}

Test(container, only_in_one_the_nodes_say_what_was_given)
{
    struct device_node here = node_of("fault-pod-shared"), on_host = node_of("mlx5-roce-train");
    cr_expect(here.tried);
    cr_expect_eq(here.err, ENOENT);
    cr_expect_not(on_host.tried, "each of its devices would be opened for nothing");
}
