/* SPDX-License-Identifier: MIT */
/* Who uses RDMA: cgroups' words, NFS' counters, the services' files, and how they join the kernel's objects. */
#include <arpa/inet.h>
#include <criterion/criterion.h>

#include "model/users.h"
#include "source/files/texts.h"
#include "source/source.h"
#include "tree.h"

static struct source *source;
static struct host *host;

static void setup(void)
{
    tree_make();
    host = host_new();
}

static void teardown(void)
{
    host_free(host);
    source_close(source);
    tree_remove();
    source = NULL;
}

TestSuite(users, .init = setup, .fini = teardown);

static const char *shown(const char *text)
{
    return text ? text : "-";
}

static void expect_words(const char *path, const char *pod, const char *job, const char *container,
                         const char *unit)
{
    struct cgroup_words words = cgroup_words(host->arena, path);
    cr_expect_str_eq(shown(words.pod), pod, "%s", path);
    cr_expect_str_eq(shown(words.job), job, "%s", path);
    cr_expect_str_eq(shown(words.container), container, "%s", path);
    cr_expect_str_eq(shown(words.unit), unit, "%s", path);
}

#define ID "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

Test(users, a_cgroup_tells_who_started_a_process)
{
    expect_words("/", "-", "-", "-", "-");
    expect_words("/user.slice/user-0.slice/session-3.scope", "-", "-", "-", "-");
    expect_words("/system.slice/nvmf-target.service", "-", "-", "-", "nvmf-target.service");
    expect_words("/system.slice/docker-" ID ".scope", "-", "-", "docker 0123456789ab", "-");
    expect_words("/docker/" ID, "-", "-", "docker 0123456789ab", "-");
    expect_words("/machine.slice/libpod-" ID ".scope/container", "-", "-", "podman 0123456789ab", "-");
    expect_words("/lxc.payload.web/system.slice/sshd.service", "-", "-", "lxc web", "sshd.service");
    expect_words("/kubepods.slice/kubepods-burstable.slice/"
                 "kubepods-burstable-pod3f2c8e1a_77aa_4b1d_9c3e_0a1b2c3d4e5f.slice/cri-containerd-" ID ".scope",
                 "3f2c8e1a-77aa-4b1d-9c3e-0a1b2c3d4e5f", "-", "containerd 0123456789ab", "-");
    expect_words("/kubepods/besteffort/pod3f2c8e1a-77aa-4b1d-9c3e-0a1b2c3d4e5f/" ID,
                 "3f2c8e1a-77aa-4b1d-9c3e-0a1b2c3d4e5f", "-", "container 0123456789ab", "-");
    expect_words("/system.slice/slurmstepd.scope/job_1234/step_0/user/task_0", "-", "slurm 1234", "-", "-");
    expect_words("/slurm/uid_1000/job_77/step_batch", "-", "slurm 77", "-", "-");
    expect_words("/system.slice/node7_slurmstepd.scope/job_77/step_0/user/task_0", "-", "slurm 77", "-", "-");
    expect_words("/kubelet.slice/kubelet-kubepods.slice/kubelet-kubepods-besteffort.slice/"
                 "kubelet-kubepods-besteffort-pod3f2c8e1a_77aa_4b1d_9c3e_0a1b2c3d4e5f.slice/cri-containerd-" ID
                 ".scope",
                 "3f2c8e1a-77aa-4b1d-9c3e-0a1b2c3d4e5f", "-", "containerd 0123456789ab", "-");
    expect_words("/kubepods.slice/kubepods-pod3f2c8e1a_77aa_4b1d_9c3e_0a1b2c3d4e5f.slice/crio-" ID
                 ".scope/container",
                 "3f2c8e1a-77aa-4b1d-9c3e-0a1b2c3d4e5f", "-", "crio 0123456789ab", "-");
    expect_words("/kubepods.slice/kubepods-burstable.slice/"
                 "kubepods-burstable-pod0123456789abcdef0123456789abcdef.slice/cri-containerd-" ID ".scope",
                 "0123456789abcdef0123456789abcdef", "-", "containerd 0123456789ab", "-");
    expect_words("/system.slice/nerdctl-" ID ".scope", "-", "-", "containerd 0123456789ab", "-");
}

Test(users, what_only_looks_like_a_container_or_job_is_none)
{
    expect_words("/job_/step", "-", "-", "-", "-");
    expect_words("/job_12x", "-", "-", "-", "-");
    expect_words("/docker/compose", "-", "-", "-", "-");
    expect_words("/docker-abc.scope", "-", "-", "-", "-");
    expect_words("/podman/pod3f2c8e1a-77aa", "-", "-", "-", "-");
    expect_words("/kubepods/pod0123456789abcdef0123456789abcde", "-", "-", "-", "-");
    expect_words("/kubepods/pod0123456789abcdef0123456789abcdef0", "-", "-", "-", "-");
    expect_words(NULL, "-", "-", "-", "-");
    expect_words("", "-", "-", "-", "-");
}

/* What a guest of the test bed printed, two mounts added to it. */
#define RDMA_LINE \
    "\txprt:\trdma 0 0 1 0 1 99 99 0 574 0 32 32 14 4294880 4195540 7 9 113900 2 0 0 0 0 33 0 0 0\n"
static const char mountstats[] =
    "device rootfs mounted on / with fstype rootfs\n"
    "device 10.0.0.1:/a b mounted on /mnt/nfs with fstype nfs4 statvers=1.1\n"
    "\topts:\trw,vers=4.0,proto=rdma,port=20049,clientaddr=10.0.0.2\n"
    "\tbytes:\t4194304 4194304 0 0 4194304 4194304 1024 1024\n" RDMA_LINE "\tper-op statistics\n"
    "device 10.0.0.9:/tcp mounted on /mnt/tcp with fstype nfs4 statvers=1.1\n"
    "\txprt:\ttcp 0 0 1 0 1 99 99 0 574 0 2 0 0\n"
    "device fd00::1:/n mounted on /mnt/n with fstype nfs statvers=1.1\n" RDMA_LINE RDMA_LINE;
static const char mounts[] =
    "10.0.0.1:/a b /mnt/nfs nfs4 rw,proto=rdma,port=20049,clientaddr=10.0.0.2,addr=10.0.0.1 0 0\n"
    "fd00::1:/n /mnt/n nfs rw,proto=rdma6,addr=fd00::1 0 0\n";

Test(users, nfs_mounts_over_rdma_and_what_they_moved)
{
    struct service *items = NULL;
    size_t count = 0;
    mountstats_parse(mountstats, mounts, host->arena, &items, &count);
    cr_assert_eq(count, 2);
    cr_expect_str_eq(items[0].name, "10.0.0.1:/a b on /mnt/nfs");
    cr_expect_str_eq(items[0].peer, "10.0.0.1");
    cr_expect(num_is(items[0].port, 20049));
    cr_expect(num_is(items[0].rdma_sent, 4294880));
    cr_expect(num_is(items[0].rdma_received, 4195540));
    cr_expect(num_is(items[0].inline_sent, 7));
    cr_expect(num_is(items[0].inline_received, 9));
    cr_expect(num_is(items[0].connects, 1));
    cr_expect_str_eq(items[1].peer, "fd00::1");
    cr_expect_not(items[1].port.known);
    cr_expect(num_is(items[1].rdma_sent, 2 * 4294880), "nconnect: lines are summed");
    count = 0;
    mountstats_parse(mountstats, NULL, host->arena, &items, &count);
    cr_assert_eq(count, 2);
    cr_expect_null(items[0].peer);
}

/* A public exporter's sample: an older kernel's, with a local port in front and the last two fields missing. */
Test(users, a_transport_line_of_an_older_kernel)
{
    struct service *items = NULL;
    size_t count = 0;
    mountstats_parse("device 10.0.0.1:/x mounted on /x with fstype nfs statvers=1.0\n"
                     "  xprt:\trdma 741 1 1 0 0 10137 10135 2 0 10153 10153 10150 60 61 7 1 2 0 0 \n",
                     NULL, host->arena, &items, &count);
    cr_assert_eq(count, 1);
    cr_expect(num_is(items[0].connects, 1));
    cr_expect(num_is(items[0].rdma_sent, 61));
    cr_expect(num_is(items[0].rdma_received, 7));
    cr_expect(num_is(items[0].inline_sent, 1));
    cr_expect(num_is(items[0].inline_received, 2));
}

static const char *transport(const char *from, const char *on)
{
    struct nfs_mount mount = { .from = from, .on = on };
    return shown(mountstats_transport(mountstats, &mount, host->arena));
}

Test(users, the_transport_of_a_mount)
{
    cr_expect_str_eq(transport("10.0.0.9:/tcp", "/mnt/tcp"), "tcp");
    cr_expect_str_eq(transport("fd00::1:/n", "/mnt/n"), "rdma");
    cr_expect_str_eq(transport("10.0.0.9:/tcp", "/mnt/n"), "-");
}

/* The machine whose files the test has written. */
static const struct services *services_with(needs_t needs)
{
    tree_file("sys/class/infiniband/.keep", "");
    host_free(host);
    cr_assert_eq(source_open_recording(tree_top(), &source, NULL), 0);
    cr_assert_eq(host_read(source, NEED_SERVICES | needs, &host), 0);
    return host->system.services;
}

static const struct services *services(void)
{
    return services_with(0);
}

Test(users, mounts_and_what_files_want_of_them)
{
    tree_file("proc/self/mounts", "10.0.0.1:/a /mnt/a nfs4 rw,proto=rdma,port=20049 0 0\n"
                                  "store:/b /mnt/b nfs rw,mountproto=udp,proto=tcp6 0 0\n"
                                  "store:/c /mnt/c nfs rw,rdma 0 0\nstore:/d /mnt/d nfs rw 0 0\n"
                                  "/dev/sda1 / ext4 rw,proto=rdma 0 0\nnone /proc/fs/nfsd nfsd rw 0 0\n");
    tree_file("proc/self/mountstats", "device 10.0.0.1:/a mounted on /mnt/a with fstype nfs4 statvers=1.1\n"
                                      "\txprt:\ttcp 0 0 1 0 1\n");
    tree_file("probe/services", "wish\tnfs-client\trdma\t/etc/fstab\t10.0.0.1:/a\t/mnt/a\n"
                                "blocked\tnvme_rdma\talways\t/etc/modprobe.d/x.conf\n");
    const struct services *read = services_with(NEED_SYSTEM);
    const struct nfs *nfs = &host->system.nfs;
    cr_assert_eq(nfs->nmounts, 4, "%zu", nfs->nmounts);
    cr_expect_str_eq(nfs->mounts[0].proto, "rdma");
    cr_expect_str_eq(nfs->mounts[0].transport, "tcp");
    cr_expect_str_eq(nfs->mounts[1].proto, "tcp6");
    cr_expect_str_eq(nfs->mounts[2].proto, "rdma");
    cr_expect_null(nfs->mounts[3].proto);
    cr_expect_null(nfs->mounts[3].transport);
    cr_expect_eq(nfs->nrdma_mounts, 2);
    cr_expect(read->wishes_known);
    cr_expect_eq(read->nwishes, 1);
    cr_expect_eq(read->nblocked, 1);
}

Test(users, wishes_that_nobody_recorded_are_not_known)
{
    tree_file("probe/environment", "");
    cr_expect_not(services()->wishes_known);
}

static const struct service *only_service(enum service_kind kind)
{
    const struct services *all = services();
    cr_assert_eq(all->count, 1, "%zu", all->count);
    cr_assert_eq(all->items[0].kind, kind, "%s", service_kind_name(all->items[0].kind));
    return &all->items[0];
}

Test(users, an_nfs_server_listens_once_for_both_families)
{
    tree_file("proc/fs/nfsd/portlist", "rdma 20049\nrdma 20049\ntcp 2049\ntcp 2049\n");
    tree_file("proc/fs/nfsd/threads", "8\n");
    const struct service *service = only_service(SERVICE_NFS_SERVER);
    cr_expect(service->listens && num_is(service->port, 20049));
    cr_expect_str_eq(service->note, "8 threads");
}

Test(users, an_nvme_controller_by_rdma_and_none_by_tcp)
{
    tree_file("sys/class/nvme/nvme0/transport", "pcie\n");
    tree_file("sys/class/nvme/nvme1/transport", "tcp\n");
    tree_file("sys/class/nvme/nvme2/transport", "rdma\n");
    tree_file("sys/class/nvme/nvme2/address", "traddr=10.0.0.1,trsvcid=4420,src_addr=10.0.0.2\n");
    tree_file("sys/class/nvme/nvme2/state", "connecting\n");
    tree_file("sys/class/nvme/nvme2/subsysnqn", "nqn.2026-11.test\n");
    const struct service *service = only_service(SERVICE_NVME_HOST);
    cr_expect_str_eq(service->handle, "nvme2");
    cr_expect_str_eq(service->name, "nqn.2026-11.test");
    cr_expect_str_eq(service->state, "connecting");
    cr_expect_str_eq(service->peer, "10.0.0.1");
    cr_expect_str_eq(service->local, "10.0.0.2");
    cr_expect(num_is(service->port, 4420));
}

Test(users, an_nvme_target)
{
    tree_file("sys/kernel/config/nvmet/ports/1/addr_trtype", "tcp\n");
    tree_file("sys/kernel/config/nvmet/ports/2/addr_trtype", "rdma\n");
    tree_file("sys/kernel/config/nvmet/ports/2/addr_traddr", "10.0.0.1\n");
    tree_file("sys/kernel/config/nvmet/ports/2/addr_trsvcid", "4420\n");
    tree_file("sys/kernel/config/nvmet/ports/2/subsystems/nqn.a/attr_model", "x");
    tree_file("sys/kernel/config/nvmet/ports/2/subsystems/nqn.b/attr_model", "x");
    const struct service *service = only_service(SERVICE_NVME_TARGET);
    cr_expect_str_eq(service->name, "nqn.a, nqn.b");
    cr_expect_str_eq(service->handle, "port 2");
    cr_expect(service->listens);
}

Test(users, an_iser_session_and_none_of_iscsi_tcp)
{
    for (int i = 1; i <= 2; i++) {
        char path[128], target[128];
        snprintf(path, sizeof(path), "sys/class/iscsi_session/session%d", i);
        snprintf(target, sizeof(target), "../../devices/platform/host%d/session%d/iscsi_session/session%d", i,
                 i, i);
        tree_link(path, target);
        snprintf(path, sizeof(path), "sys/devices/platform/host%d/session%d/iscsi_session/session%d/targetname",
                 i, i, i);
        tree_file(path, "iqn.2026-11.test:disk\n");
        snprintf(path, sizeof(path), "sys/class/scsi_host/host%d/proc_name", i);
        tree_file(path, i == 1 ? "iscsi_tcp\n" : "iscsi_iser\n");
    }
    tree_file("sys/class/iscsi_connection/connection2:0/persistent_address", "10.0.0.1\n");
    tree_file("sys/class/iscsi_connection/connection2:0/persistent_port", "3260\n");
    const struct service *service = only_service(SERVICE_ISER_INITIATOR);
    cr_expect_str_eq(service->handle, "session2");
    cr_expect_str_eq(service->peer, "10.0.0.1");
    cr_expect(num_is(service->port, 3260));
}

Test(users, an_iser_portal_of_ipv6)
{
    tree_file("sys/kernel/config/target/iscsi/iqn.test/tpgt_1/np/[fd00::1]:3260/iser", "1\n");
    tree_file("sys/kernel/config/target/iscsi/iqn.test/tpgt_1/np/10.0.0.1:3260/iser", "0\n");
    tree_file("sys/kernel/config/target/iscsi/discovery_auth/enforce", "0\n");
    const struct service *service = only_service(SERVICE_ISER_TARGET);
    cr_expect_str_eq(service->local, "fd00::1");
    cr_expect(num_is(service->port, 3260));
}

/* As Documentation/ABI/testing/sysfs-class-rtrs-client and -server have them. */
Test(users, rnbd_says_its_device_on_either_side)
{
#define CLIENT "sys/class/rtrs-client/blk/paths/ip:10.0.0.2@ip:10.0.0.1/"
#define SERVER "sys/class/rtrs-server/other/paths/ip:10.0.0.3@ip:10.0.0.2/"
    tree_file(CLIENT "state", "connected\n");
    tree_file(CLIENT "hca_name", "mlx5_1\n");
    tree_file(CLIENT "hca_port", "1\n");
    tree_file(CLIENT "src_addr", "ip:10.0.0.2\n");
    tree_file(CLIENT "dst_addr", "ip:10.0.0.1\n");
    tree_file(SERVER "hca_name", "mlx5_1\n");
    tree_file(SERVER "src_addr", "ip:10.0.0.3\n");
    tree_file(SERVER "dst_addr", "ip:10.0.0.2\n");
    const struct services *all = services();
    cr_assert_eq(all->count, 2);
    const struct service *client = &all->items[0], *server = &all->items[1];
    cr_expect_str_eq(service_kind_name(client->kind), "RNBD client");
    cr_expect_str_eq(client->name, "blk");
    cr_expect_str_eq(client->state, "connected");
    cr_expect_str_eq(client->device, "mlx5_1");
    cr_expect(num_is(client->device_port, 1));
    cr_expect_str_eq(client->local, "10.0.0.2");
    cr_expect_str_eq(client->peer, "10.0.0.1");
    cr_expect_str_eq(service_kind_name(server->kind), "RNBD server");
    cr_expect_str_eq(server->local, "10.0.0.2");
    cr_expect_str_eq(server->peer, "10.0.0.3");
    cr_expect_null(server->state);
}

Test(users, mounts_of_9p_by_rdma)
{
    struct service *items = NULL;
    size_t count = 0;
    mounts_parse_9p("10.0.0.1 /mnt/a 9p rw,relatime,access=user,trans=rdma 0 0\n"
                    "10.0.0.1 /mnt/b 9p rw,trans=rdma,port=5641,rq=64 0 0\n"
                    "10.0.0.1 /mnt/c 9p rw,access=user,trans=tcp,port=564 0 0\n"
                    "share /mnt/d 9p rw,trans=virtio 0 0\n"
                    "10.0.0.1:/e /mnt/e nfs4 rw,proto=rdma,port=20049 0 0\n",
                    host->arena, &items, &count);
    cr_assert_eq(count, 2);
    cr_expect_str_eq(service_kind_name(items[0].kind), "9P client");
    cr_expect_str_eq(items[0].name, "10.0.0.1 on /mnt/a");
    cr_expect_str_eq(items[0].peer, "10.0.0.1");
    cr_expect(num_is(items[0].port, 5640) && num_is(items[1].port, 5641));
}

/* As __ProcFsHelper_printNodeConns() of BeeGFS' client prints them. */
Test(users, servers_of_beegfs_reached_by_rdma)
{
    tree_file("proc/fs/beegfs/1A2B-66D5E0C4-host1/meta_nodes",
              "meta01 [ID: 1]\n   Connections: TCP: 1 (10.0.1.7:8005); RDMA: 4 (10.0.0.7:8005); \n");
    tree_file("proc/fs/beegfs/1A2B-66D5E0C4-host1/storage_nodes",
              "stor01 [ID: 1]\n   Connections: RDMA: 8 (busy); \n"
              "stor02 [ID: 2]\n   Connections: TCP: 2 (10.0.1.9:8003 [fallback route]); \n"
              "stor03 [ID: 3]\n   Connections: <none>\n");
    const struct services *all = services();
    cr_assert_eq(all->count, 2, "%zu", all->count);
    cr_expect_str_eq(service_kind_name(all->items[0].kind), "BeeGFS client");
    cr_expect_str_eq(all->items[0].name, "meta01");
    cr_expect_str_eq(all->items[0].handle, "meta");
    cr_expect_str_eq(all->items[0].peer, "10.0.0.7");
    cr_expect(num_is(all->items[0].port, 8005));
    cr_expect_str_eq(all->items[0].note, "4 connections");
    cr_expect_str_eq(all->items[1].name, "stor01");
    cr_expect_null(all->items[1].peer);
}

Test(users, a_process_is_of_the_software_that_its_name_tells)
{
    cr_expect_str_eq(program_software("reactor_0"), "SPDK");
    cr_expect_str_eq(program_software("dpdk-testpmd"), "DPDK");
    cr_expect_str_eq(program_software("daos_engine"), "DAOS");
    cr_expect_str_eq(program_software("beegfs-storage/"), "BeeGFS");
    cr_expect_str_eq(program_software("wekanode"), "Weka");
    cr_expect_str_eq(program_software("ceph-osd"), "Ceph");
    cr_expect_null(program_software("python3"));
    cr_expect_null(program_software("reactor"));
    cr_expect_null(program_software(NULL));
}

Test(users, srp_says_its_device_itself)
{
    tree_file("sys/class/scsi_host/host4/local_ib_device", "mlx5_1\n");
    tree_file("sys/class/scsi_host/host4/local_ib_port", "2\n");
    tree_file("sys/class/scsi_host/host4/orig_dgid", "fe80:0000:0000:0000:0002:c903:0030:9441\n");
    const struct service *service = only_service(SERVICE_SRP_INITIATOR);
    cr_expect_str_eq(service->device, "mlx5_1");
    cr_expect(num_is(service->device_port, 2));
}

/* As proc_lnet_nis() prints it (lnet/lnet/lnet_debugfs.c): an interface a line for each CPU partition. */
Test(users, a_lustre_interface_is_one_however_many_partitions_it_has)
{
    tree_file("sys/kernel/debug/lnet/nis",
              "nid                      status alive refs peer  rtr   max    tx   min\n"
              "0@lo                         up     0    2    0    0     0     0     0\n"
              "10.0.0.5@o2ib1               up    -1   12    8    0   128   128   124\n"
              "10.0.0.5@o2ib1               up    -1    9    8    0   128   128   119\n"
              "10.0.1.5@tcp                 up    -1    1    8    0   256   256   256\n"
              "fd00::5@o2ib1              down    -1    1    8    0   128   128   128\n"
              "fd00::5@o2ib1              down    -1    1    8    0   128   128   128\n");
    const struct services *all = services();
    cr_assert_eq(all->count, 2, "%zu", all->count);
    cr_expect_eq(all->items[0].kind, SERVICE_LUSTRE);
    cr_expect_str_eq(all->items[0].name, "10.0.0.5@o2ib1");
    cr_expect_str_eq(all->items[0].local, "10.0.0.5");
    cr_expect_str_eq(all->items[0].state, "up");
    cr_expect_str_eq(all->items[1].local, "fd00::5");
    cr_expect_str_eq(all->items[1].state, "down");
}

/* Who isn't root is told where he would see more, and only there. */
Test(users, debugfs_that_may_not_be_read_is_a_problem_where_lustre_is)
{
    tree_file("errors", "sys/kernel/debug/lnet/nis\tEACCES\n");
    cr_expect_eq(services()->count, 0);
    cr_expect_eq(host_problem_of(host, "sys/kernel/debug/lnet/nis"), 0);
    source_close(source);
    tree_file("sys/module/lnet/initstate", "live\n");
    cr_expect_eq(services()->count, 0);
    cr_expect_eq(host_problem_of(host, "sys/kernel/debug/lnet/nis"), EACCES);
}

/* The SMB client's servers by RDMA among those of a DebugData. */
static const struct service *smb_servers(const char *text, size_t expected)
{
    struct service *items = NULL;
    size_t count = 0;
    smb_parse(text, host->arena, &items, &count);
    cr_assert_eq(count, expected, "%zu", count);
    return items;
}

/* As cifs_debug_data_proc_show() of 6.11 and of 7.2 print them (fs/smb/client/cifs_debug.c), shortened. */
Test(users, smb_servers_reached_by_rdma)
{
    const struct service *servers = smb_servers(
        "Servers: \n"
        "1) ConnectionId: 0x1 Hostname: tcpbox \nClientGUID: 452039EB-B195-9747-BF07-6AB9AF7E7D3C\n"
        "Number of credits: 389,1,1 Dialect 0x311 signed\nTCP status: 1 Instance: 1\n\n"
        "\tSessions: \n\t1) Address: 192.168.1.80 Uses: 1 Capability: 0x30006f\tSession Status: 1 \n"
        "2) ConnectionId: 0x2 Hostname: 102.50.50.67 \n"
        "SMBDirect (in hex) protocol version: 100 transport status: 2\n"
        "Conn receive_credit_max: ff send_credit_target: ff max_send_size: 554\n"
        "Number of credits: 512,1,1 Dialect 0x311\nRDMA \nTCP status: 1 Instance: 3\n\n"
        "\tSessions: \n\t1) Address: 102.50.50.67 Uses: 1 Capability: 0x300077\tSession Status: 1 \n"
        "\n\tExtra Channels: 1 \n\n\t\tChannel: 2 ConnectionId: 0x7\n"
        "\t\tNumber of credits: 8,1,1 Dialect 0x311\n\t\tTCP status: 3 Instance: 1\n"
        "\tShares: \n\t1) \\\\102.50.50.67\\sh2 Mounts: 1 \n\tServer interfaces: 1\n"
        "\t1)\tSpeed: 25Gbps\n\tMIDs: \n\tServer ConnectionId: 0x2\n--\n"
        "3) ConnectionId: 0x3 Hostname: newbox \n"
        "SMBDirect protocol version: 0x100 transport status: CONNECTED (14)\nTCP status: 1 Instance: 1\n"
        "\t1) Name: fd00::9  Domain: D Uses: 1 OS: Windows \n"
        "\t2) Address: fd00::8 Uses: 1 Capability: 0x300077\tSession Status: 1 \n"
        "4) ConnectionId: 0x4 Hostname: gone \nSMBDirect transport not available\nTCP status: 3 Instance: 9\n",
        3);
    cr_expect_eq(servers[0].kind, SERVICE_SMB_CLIENT);
    cr_expect_str_eq(servers[0].name, "102.50.50.67");
    cr_expect_str_eq(servers[0].peer, "102.50.50.67");
    cr_expect_str_eq(servers[0].state, "good", "its own, not its channel's");
    cr_expect_str_eq(servers[1].name, "newbox");
    cr_expect_str_eq(servers[1].peer, "fd00::9");
    cr_expect_str_eq(servers[2].name, "gone");
    cr_expect_str_eq(servers[2].state, "need reconnect");
    cr_expect_null(servers[2].peer);
}

/* As 4.18 and 5.2 print them: no line for a server, but its sessions. */
Test(users, smb_servers_of_an_old_kernel)
{
    const struct service *servers = smb_servers(
        "Servers:\nNumber of credits: 241 Dialect 0x210\n"
        "1) Name: 192.168.122.73 Uses: 1 Capability: 0x300007\tSession Status: 1\nTCP status: 1 Instance: 3\n"
        "SMBDirect (in hex) protocol version: 100 transport status: 2\nNumber of credits: 8190 Dialect 0x311\n"
        "2) Name: 10.0.0.1 Uses: 1 Capability: 0x300077\tSession Status: 1\tRDMA\n\tTCP status: 1 Instance: 1\n"
        "Number of credits: 8 Dialect 0x311\n"
        "3) Name: 10.0.0.2 Uses: 1 Capability: 0x300077\tSession Status: 1\nTCP status: 1 Instance: 1\n"
        "SMBDirect transport not available\nNumber of credits: 1 Dialect 0x311\n"
        "4) Name: 10.0.0.3 Uses: 1 Capability: 0x300077\tSession Status: 1\n\tTCP status: 4 Instance: 2\n",
        2);
    cr_expect_null(servers[0].name);
    cr_expect_str_eq(servers[0].peer, "10.0.0.1");
    cr_expect_str_eq(servers[0].state, "good");
    cr_expect_str_eq(servers[1].peer, "10.0.0.3");
    cr_expect_str_eq(servers[1].state, "need negotiate");
}

Test(users, an_smb_server_whose_rdma_connection_is_gone)
{
    struct service *items = NULL;
    size_t count = 0;
    smb_parse("Servers: \n1) ConnectionId: 0x1 Hostname: fs1 \nClientGUID: 7B\n"
              "SMBDirect transport not available\nNumber of credits: 0,1,1 Dialect 0x311\nRDMA \n"
              "TCP status: 3 Instance: 4\n\n\tSessions: \n\t1) Address: 10.0.0.9 Uses: 1 Capability: 0x300067\n"
              "\t\tChannel: 2 ConnectionId: 0x2\n\t\tTCP status: 1 Instance: 1\n"
              "2) ConnectionId: 0x3 Hostname: fs2 \nNumber of credits: 8,1,1 Dialect 0x311\n"
              "TCP status: 1 Instance: 1\n\n\tSessions: \n\t1) Address: 10.0.0.8 Uses: 1 Capability: 0x300067\n"
              "\tServer interfaces: 1\n\t1)\tSpeed: 100Gbps\n\t\tCapabilities: rdma \n\t\tIPv4: 10.0.0.8\n",
              host->arena, &items, &count);
    cr_assert_eq(count, 1, "%zu", count);
    cr_expect_str_eq(items[0].name, "fs1");
    cr_expect_str_eq(items[0].peer, "10.0.0.9");
    cr_expect_str_eq(items[0].state, "need reconnect");
}

Test(users, lines_that_only_look_like_smb_servers)
{
    smb_servers("", 0);
    smb_servers("x) ConnectionId: 0x1 Hostname: a\n SMBDirectory \nSMBDirect", 0);
    cr_expect_null(smb_servers("1) ConnectionId: 0x1\nSMBDirect x\nTCP status: 77\n1) Address:  \n", 1)->state);
    cr_expect_null(smb_servers("1) ConnectionId: 0x1 Hostname: \nSMBDirect x\n1)Address: b\n", 1)->peer);
}

Test(users, smb_servers_are_read)
{
    tree_file("proc/fs/cifs/DebugData", "1) ConnectionId: 0x2 Hostname: rdmabox\nSMBDirect transport\n");
    cr_expect_str_eq(only_service(SERVICE_SMB_CLIENT)->name, "rdmabox");
}

/* -- joining
 * ------------------------------------------------------------------------------------------------------------
 */
static struct resource items[16];
static struct resources resources = { .items = items };
static struct service known[4];
static struct services all = { .items = known };

static struct resource *add(enum resource_type type, const char *comm, struct num32 pid)
{
    static struct device devices[2] = { { .name = "mlx5_0" }, { .name = "mlx5_1" } };
    struct resource *item = &items[resources.nitems];
    *item = (struct resource){ .type = type, .device = "mlx5_0", .comm = comm, .pid = pid };
    item->id = num32_of((uint32_t)resources.nitems++);
    host->devices = devices;
    host->ndevices = 2;
    host->resources = &resources;
    host->system.services = &all;
    return item;
}

static void connect_of(const char *module, uint32_t lqpn, const char *own, const char *peer)
{
    struct resource *id = add(RESOURCE_CM_ID, module, (struct num32){ 0 });
    id->lqpn = num32_of(lqpn);
    id->source = own;
    id->destination = peer;
    struct resource *queue = add(RESOURCE_QP, "rdma_cm", (struct num32){ 0 });
    queue->lqpn = num32_of(lqpn);
    queue->kind = "RC";
    queue->state = "RTS";
}

static const struct user *find(size_t index, size_t expected)
{
    size_t count;
    const struct user *users = users_find(host, &count);
    cr_assert_eq(count, expected, "%zu", count);
    return &users[index];
}

Test(users, objects_of_one_process_are_one_user)
{
    struct resource *queue = add(RESOURCE_QP, "job", num32_of(77));
    queue->kind = "RC";
    queue->state = "RTS";
    queue->port = num32_of(1);
    add(RESOURCE_MR, "job", num32_of(77))->length = num_of(4096);
    add(RESOURCE_MR, "job", num32_of(77))->length = num_of(8192);
    add(RESOURCE_QP, "ib_core", (struct num32){ 0 });
    const struct user *user = find(0, 1);
    cr_expect_str_eq(user->kind, "process");
    cr_expect_eq(user->registered, 12288);
    cr_expect_eq(user->counts[RESOURCE_QP].value, 1);
    cr_expect(num_is(user->port, 1));
    cr_expect_null(user->peer);
}

Test(users, a_mount_has_the_connection_to_its_server)
{
    known[all.count++] = (struct service){
        .kind = SERVICE_NFS_CLIENT, .name = "m", .peer = "10.0.0.1", .port = num_of(20049)
    };
    known[all.count++] = (struct service){ .kind = SERVICE_NFS_SERVER, .listens = true, .port = num_of(20049) };
    connect_of("rpcrdma", 17, "10.0.0.2:5000", "10.0.0.1:20049");
    connect_of("rpcrdma", 18, "10.0.0.2:20049", "10.0.0.3:6000");
    connect_of("rpcrdma", 19, "10.0.0.2:20049", "10.0.0.3:6001");
    connect_of("rpcrdma", 20, "10.0.0.2:20049", "10.0.0.4:6001");
    const struct user *client = find(0, 2);
    cr_expect_str_eq(client->peer, "10.0.0.1:20049");
    cr_expect_eq(client->counts[RESOURCE_QP].value, 1);
    cr_expect_eq(client[1].npeers, 2, "connections of one host are one peer: %zu", client[1].npeers);
    cr_expect_eq(client[1].counts[RESOURCE_QP].value, 3);
}

Test(users, memory_is_a_services_where_no_other_shares_its_module)
{
    known[all.count++] = (struct service){ .kind = SERVICE_NVME_HOST,
                                           .peer = "10.0.0.1",
                                           .port = num_of(4420) };
    connect_of("nvme_rdma", 17, "10.0.0.2:5000", "10.0.0.1:4420");
    add(RESOURCE_MR, "nvme_rdma", (struct num32){ 0 })->length = num_of(4096);
    cr_expect_eq(find(0, 1)->registered, 4096);
    known[all.count++] = (struct service){ .kind = SERVICE_NVME_HOST,
                                           .peer = "10.0.0.9",
                                           .port = num_of(4420) };
    connect_of("nvme_rdma", 18, "10.0.0.2:5001", "10.0.0.9:4420");
    const struct user *both = find(0, 2);
    cr_expect_eq(both[0].registered + both[1].registered, 0, "nobody knows whose");
}

Test(users, the_kernels_own_that_no_service_names)
{
    connect_of("rds_rdma", 17, "10.0.0.2:18634", "10.0.0.1:18634");
    connect_of("somebody", 18, "[fd00::2]:1", "[fd00::1]:2");
    const struct user *users = find(0, 2);
    cr_expect_str_eq(users[0].kind, "RDS");
    cr_expect_eq(users[0].counts[RESOURCE_QP].value, 1, "RDMA_CM's queue pair is RDS'");
    cr_expect_str_eq(users[1].kind, "kernel");
    cr_expect_str_eq(users[1].name, "somebody");
}

Test(users, a_service_without_a_connection_is_shown_by_what_it_says)
{
    known[all.count++] = (struct service){ .kind = SERVICE_NVME_HOST,
                                           .handle = "nvme0",
                                           .state = "connecting",
                                           .peer = "fd00::1",
                                           .port = num_of(4420) };
    add(RESOURCE_QP, "ib_core", (struct num32){ 0 });
    const struct user *user = find(0, 1);
    cr_expect_str_eq(user->peer, "[fd00::1]:4420");
    cr_expect_null(user->device);
    cr_expect_eq(user->nitems, 0);
}

Test(users, a_link_of_smc_has_the_queue_pairs_of_its_module_on_its_device)
{
    known[all.count++] = (struct service){ .kind = SERVICE_SMC,
                                           .name = "link group 1",
                                           .device = "mlx5_1",
                                           .device_port = num_of(1),
                                           .local = "10.0.0.1",
                                           .peer = "10.0.0.2",
                                           .sockets = num_of(3) };
    known[all.count++] = (struct service){ .kind = SERVICE_SMC, .name = "by TCP", .reason = "x" };
    struct resource *queue = add(RESOURCE_QP, "smc", (struct num32){ 0 });
    queue->device = "mlx5_1";
    queue->kind = "RC";
    queue->state = "RTS";
    add(RESOURCE_MR, "smc", (struct num32){ 0 })->device = "mlx5_1";
    const struct user *users = find(0, 2);
    cr_expect_eq(users[0].counts[RESOURCE_QP].value, 1);
    cr_expect(users[0].counts[RESOURCE_MR].known);
    cr_expect_eq(users[0].counts[RESOURCE_MR].value, 1);
    cr_expect_str_eq(users[0].peer, "10.0.0.2", "what the service says of its peer stays");
    cr_expect_str_eq(users[0].local, "10.0.0.1");
    cr_expect_eq(users[0].device_by, BY_OBJECTS);
    cr_expect_eq(users[1].nitems, 0);
    cr_expect_eq(users[1].device_by, BY_NOTHING);
    known[all.count++] = (struct service){ .kind = SERVICE_SMC, .name = "link group 2", .device = "mlx5_1" };
    users = find(0, 4);
    cr_expect_eq(users[0].nitems + users[2].nitems, 0, "of two links nobody knows whose they are");
    cr_expect_str_eq(users[3].name, "smc");
    cr_expect_eq(users[3].counts[RESOURCE_QP].value, 1);
}

/* Where the kernel shows no file of it, a server is known by what its module holds
 * (fs/smb/server/transport_rdma.c makes its CM id and queue pair as ksmbd). */
Test(users, an_smb_server_by_what_its_module_holds)
{
    connect_of("ksmbd", 21, "10.0.0.1:5445", "10.0.0.2:40001");
    const struct user *users = find(0, 1);
    cr_expect_str_eq(users[0].kind, "SMB server");
    cr_expect_str_eq(users[0].name, "ksmbd");
    cr_expect_str_eq(users[0].local, "10.0.0.1:5445");
    cr_expect_str_eq(users[0].peer, "10.0.0.2:40001");
    cr_expect_eq(users[0].counts[RESOURCE_QP].value, 1);
}

/* Of newer kernels the objects of both sides are smbdirect's; rpcrdma's are of both sides of NFS. */
Test(users, of_a_module_of_both_sides_the_listener_is_the_server)
{
    connect_of("smbdirect", 21, "10.0.0.1:445", "10.0.0.2:40001");
    cr_expect_str_eq(find(0, 1)->kind, "SMB client");
    items[0].state = "CONNECT";
    cr_expect_str_eq(find(0, 1)->kind, "SMB client");
    struct resource *listener = add(RESOURCE_CM_ID, "smbdirect", (struct num32){ 0 });
    listener->state = "LISTEN";
    listener->source = "0.0.0.0:445";
    cr_expect_str_eq(find(0, 1)->kind, "SMB server");
    add(RESOURCE_CM_ID, "rpcrdma", (struct num32){ 0 })->state = "LISTEN";
    cr_expect_str_eq(find(0, 2)->kind, "NFS server");
    items[3].state = "ADDR_BOUND";
    cr_expect_str_eq(find(0, 2)->kind, "NFS client");
}

Test(users, an_smb_client_has_the_connections_to_its_server)
{
    known[all.count++] = (struct service){ .kind = SERVICE_SMB_CLIENT, .name = "filer", .peer = "10.0.0.2" };
    connect_of("cifs", 21, "10.0.0.1:40001", "10.0.0.2:445");
    const struct user *users = find(0, 1);
    cr_expect_str_eq(users[0].name, "filer");
    cr_expect_str_eq(users[0].device, "mlx5_0");
    cr_expect_str_eq(users[0].peer, "10.0.0.2:445");
    cr_expect_eq(users[0].counts[RESOURCE_QP].value, 1);
}

/* kiblnd_dev_failover() binds 987 of the interface's address, which it connects from as well. */
Test(users, a_lustre_interface_has_what_its_address_has)
{
    known[all.count++] = (struct service){ .kind = SERVICE_LUSTRE, .name = "a@o2ib", .local = "10.0.0.1" };
    known[all.count++] = (struct service){ .kind = SERVICE_LUSTRE, .name = "b@o2ib", .local = "10.0.1.1" };
    struct resource *listener = add(RESOURCE_CM_ID, "ko2iblnd", (struct num32){ 0 });
    listener->state = "LISTEN";
    listener->source = "10.0.0.1:987";
    connect_of("ko2iblnd", 21, "10.0.0.1:987", "10.0.0.2:1023");
    connect_of("ko2iblnd", 22, "10.0.0.1:1022", "10.0.0.3:987");
    connect_of("ko2iblnd", 23, "10.0.1.1:1022", "10.0.1.3:987");
    items[5].device = items[6].device = "mlx5_1";
    const struct user *users = find(0, 2);
    cr_expect_str_eq(users[0].name, "a@o2ib");
    cr_expect_str_eq(users[0].local, "10.0.0.1:987");
    cr_expect_eq(users[0].npeers, 2);
    cr_expect_eq(users[0].counts[RESOURCE_QP].value, 2);
    cr_expect_str_eq(users[1].device, "mlx5_1");
    cr_expect_eq(users[1].counts[RESOURCE_QP].value, 1);
}

Test(users, connections_among_thousands_are_found)
{
    known[all.count++] = (struct service){ .kind = SERVICE_NVME_HOST,
                                           .peer = "10.0.0.1",
                                           .port = num_of(4420) };
    connect_of("nvme_rdma", 19, "10.0.0.2:5002", "10.0.0.1:4420");
    connect_of("nvme_rdma", 17, "10.0.0.2:5000", "10.0.0.1:4420");
    connect_of("nvme_rdma", 18, "10.0.0.2:5001", "10.0.0.1:4420");
    items[5].device = "mlx5_1"; /* the queue pair 18 of another device is another one */
    const struct user *users = find(0, 2);
    cr_expect_str_eq(users[0].local, "10.0.0.2:5002", "the first by id");
    cr_expect_eq(users[0].counts[RESOURCE_QP].value, 2);
    cr_expect_eq(users[0].counts[RESOURCE_CM_ID].value, 3);
}

/* -- devices of what holds nothing: by address, by route */

static struct netdev netdevs[3];
static struct address own_address = { .family = AF_INET, .raw = { 10, 0, 0, 2 }, .prefix = 24 };
static struct port ports[2] = { { .number = 1, .netdev = "eth0" }, { .number = 1, .netdev = "eth1" } };
static struct route routes[4];

/* The first one is there where a test wants it. */
static struct rule rules[] = { { .family = AF_INET, .action = 1, .table = 100 },
                               { .family = AF_INET, .action = 1, .table = 255 },
                               { .family = AF_INET, .action = 1, .table = 254 } };

static void network(void)
{
    static struct device devices[2] = { { .name = "mlx5_0", .ports = &ports[0], .nports = 1 },
                                        { .name = "mlx5_1", .ports = &ports[1], .nports = 1 } };
    ports[0].device = &devices[0];
    ports[1].device = &devices[1];
    netdevs[0] = (struct netdev){ .name = "eth0", .addresses = &own_address, .naddresses = 1 };
    netdevs[1] = (struct netdev){ .name = "eth1" };
    netdevs[2] = (struct netdev){ .name = "eth1.7", .kind = NETDEV_VLAN, .lower = "eth1" };
    routes[0] = (struct route){
        .family = AF_INET, .prefix = 24, .destination = { 10, 0, 0 }, .table = 254, .type = 1, .netdev = "eth0"
    };
    routes[1] = (struct route){ .family = AF_INET,
                                .prefix = 16,
                                .destination = { 10, 1 },
                                .table = 254,
                                .type = 1,
                                .netdev = "eth1.7",
                                .metric = num_of(100) };
    routes[2] = (struct route){ .family = AF_INET,
                                .prefix = 16,
                                .destination = { 10, 1 },
                                .table = 254,
                                .type = 1,
                                .netdev = "eth0",
                                .metric = num_of(200) };
    routes[3] = (struct route){ .family = AF_INET,
                                .prefix = 32,
                                .destination = { 10, 0, 0, 2 },
                                .table = 255,
                                .type = 2,
                                .netdev = "eth0" };
    *host = (struct host){ .arena = host->arena,
                           .devices = devices,
                           .ndevices = 2,
                           .netdevs = netdevs,
                           .nnetdevs = 3,
                           .routes = routes,
                           .nroutes = 4,
                           .routes_known = true,
                           .rules = rules + 1,
                           .nrules = 2,
                           .rules_known = true };
    host->system.services = &all;
}

static const char *device_towards(const char *peer)
{
    const struct port *port = egress_towards(host, peer);
    return port ? port->device->name : "-";
}

Test(users, a_peer_is_reached_by_the_longest_prefix_and_the_lowest_metric)
{
    network();
    cr_expect_str_eq(device_towards("10.0.0.9"), "mlx5_0");
    cr_expect_str_eq(device_towards("10.1.2.3"), "mlx5_1", "by a VLAN on its netdev");
    cr_expect_str_eq(device_towards("10.0.0.2"), "mlx5_0", "an own address");
    cr_expect_str_eq(device_towards("192.0.2.1"), "-");
    cr_expect_str_eq(device_towards("fd00::1"), "-");
    cr_expect_str_eq(device_towards("storage"), "-");
    routes[0].several = true;
    cr_expect_str_eq(device_towards("10.0.0.9"), "-", "several hops");
    routes[0].several = false;
    routes[0].type = 7;
    cr_expect_str_eq(device_towards("10.0.0.9"), "-", "unreachable");
    routes[0].type = 1;
    routes[0].prefix = 200;
    cr_expect_str_eq(device_towards("10.0.0.9"), "-", "no prefix is as long");
    routes[0].prefix = 24;
    host->rules = rules, host->nrules = 3;
    cr_expect_str_eq(device_towards("10.0.0.9"), "mlx5_0", "a table without a way is passed over");
    rules[0].odd = true;
    cr_expect_str_eq(device_towards("10.0.0.9"), "-", "a rule that can't be followed");
    rules[0].family = AF_INET6;
    cr_expect_str_eq(device_towards("10.0.0.9"), "mlx5_0", "not of this family");
    rules[0].family = AF_INET, rules[0].odd = false, rules[0].l3mdev = true;
    cr_expect_str_eq(device_towards("10.0.0.9"), "mlx5_0", "of VRFs");
    host->routes_known = false;
    cr_expect_str_eq(device_towards("10.0.0.9"), "-");
}

Test(users, a_service_that_holds_nothing_is_where_its_address_or_route_is)
{
    network();
    known[all.count++] = (struct service){ .kind = SERVICE_NVME_HOST,
                                           .peer = "10.1.2.3",
                                           .port = num_of(4420) };
    known[all.count++] = (struct service){
        .kind = SERVICE_NVME_TARGET, .listens = true, .local = "10.0.0.2", .port = num_of(4420)
    };
    known[all.count++] = (struct service){ .kind = SERVICE_NFS_SERVER, .listens = true, .port = num_of(20049) };
    const struct user *users = find(0, 3);
    cr_expect_str_eq(users[0].device, "mlx5_1");
    cr_expect(num_is(users[0].port, 1));
    cr_expect_eq(users[0].device_by, BY_ROUTE);
    cr_expect_str_eq(users[1].device, "mlx5_0");
    cr_expect_eq(users[1].device_by, BY_ADDRESS);
    cr_expect_null(users[2].device, "it listens on all");
    ports[1].netdev = "eth0";
    cr_expect_null(find(1, 3)->device, "two devices on one netdev");
    ports[1].netdev = "eth1";
}

Test(users, an_ipoib_netdev_is_a_user)
{
    network();
    netdevs[0].kind = NETDEV_IPOIB;
    netdevs[0].ipoib_mode = "connected";
    netdevs[0].operstate = "up";
    const struct user *user = find(0, 1);
    cr_expect_str_eq(user->kind, "IPoIB");
    cr_expect_str_eq(user->name, "eth0");
    cr_expect_str_eq(user->device, "mlx5_0");
    cr_expect_str_eq(user->state, "up");
    cr_expect_str_eq(user->local, "10.0.0.2");
    cr_expect_eq(user->device_by, BY_SERVICE);
    netdevs[0].naddresses = 0;
    cr_expect_null(find(0, 1)->local);
}
