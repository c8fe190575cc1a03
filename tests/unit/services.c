/* SPDX-License-Identifier: MIT */
/* Checks of storage services and of who uses RDMA: what each says of a small machine. */
#include <criterion/criterion.h>
#include <netinet/in.h>

#include "check/check.h"
#include "check/judge.h"
#include "check/use.h"
#include "model/resources.h"
#include "model/services.h"
#include "reading.h"

static struct arena *arena;
static struct reading before, now;
static struct gid gid;
static struct address address;
static struct pkey pkey;
static struct resource items[32], items_before[32];
static struct resources resources, resources_before;
static struct service known[4];
static struct process process;
static struct service_wish wishes[4];
static struct blocked_module line;
static struct services services;
static struct module module;
static struct nfs_mount mounts[2];
static struct environment variable;
static struct rule rule = { .family = AF_INET, .action = 1, .table = 254 };
static struct route route;

static void prepare(struct reading *reading, struct resource *list, struct resources *all)
{
    make_reading(reading, arena);
    *all = (struct resources){ .items = list };
    reading->port.gids = &gid, reading->port.ngids = 1, reading->port.gid_table_len = num_of(8);
    reading->port.pkeys = &pkey, reading->port.npkeys = 1, reading->port.pkey_table_len = num_of(1);
    reading->port.state_text = "ACTIVE";
    reading->netdev.addresses = &address, reading->netdev.naddresses = 1,
    reading->netdev.addresses_known = true;
    reading->host.resources = all;
    reading->host.routes = &route, reading->host.nroutes = 1, reading->host.routes_known = true;
    reading->host.rules = &rule, reading->host.nrules = 1, reading->host.rules_known = true;
    reading->host.system.services = &services;
    reading->host.system.modules = &module, reading->host.system.modules_known = true;
    reading->host.system.nfs = (struct nfs){ .mounts = mounts, .mounts_known = true };
    reading->host.system.environment = &variable, reading->host.system.environment_known = true;
}

static void setup(void)
{
    arena = arena_new();
    gid = (struct gid){ .raw = { [10] = 0xff, 0xff, 10, 0, 0, 1 }, .type = GID_TYPE_ROCE_V2, .netdev = "eth0" };
    address = (struct address){
        .family = AF_INET, .prefix = 24, .raw = { 10, 0, 0, 1 }, .peer = { 10, 0, 0, 1 }
    };
    route = (struct route){ .family = AF_INET,
                            .prefix = 24,
                            .destination = { 10, 0, 0 },
                            .table = 254,
                            .type = 1,
                            .ifindex = num_of(2),
                            .netdev = "eth0" };
    pkey = (struct pkey){ .index = 0, .value = 0xffff };
    services = (struct services){ .items = known, .processes = &process, .wishes = wishes, .blocked = &line };
    services.wishes_known = true;
    prepare(&before, items_before, &resources_before);
    prepare(&now, items, &resources);
}

static void teardown(void)
{
    arena_free(arena);
}

TestSuite(services, .init = setup, .fini = teardown);

static void expect(const char *id, enum verdict verdict, const char *evidence, int at)
{
    struct check_group group = check_ask(check_find(id), &now.host, &before.host, 1000, NULL, arena);
    cr_assert_eq(group.count, 1, "line %d", at);
    const struct finding *finding = &group.findings[0];
    cr_expect_eq(finding->verdict, verdict, "line %d: %s, not %s: %s", at, verdict_name(finding->verdict),
                 verdict_name(verdict), finding->evidence);
    cr_expect(strstr(finding->evidence, evidence), "line %d: %s", at, finding->evidence);
}
#define EXPECT(id, verdict, evidence) expect((id), (verdict), (evidence), __LINE__)

static void expect_fix(const char *id, const char *fix)
{
    struct check_group group = check_ask(check_find(id), &now.host, &before.host, 1000, NULL, arena);
    cr_expect(strstr(group.findings[0].fix, fix), "%s", group.findings[0].fix);
}

static void expect_all(const char *id, const char *evidence)
{
    struct check_group group = check_ask(check_find(id), &now.host, &before.host, 1000, NULL, arena);
    cr_expect_str_eq(group.findings[0].evidence, evidence);
}

static struct resource *queue(uint64_t number, const char *kind, const char *state)
{
    struct resource *item = &items[resources.nitems++];
    *item = (struct resource){ .type = RESOURCE_QP,
                               .device = "mlx5_0",
                               .port = num32_of(1),
                               .lqpn = num32_of(number),
                               .kind = kind,
                               .state = state,
                               .pid = num32_of(77),
                               .comm = "train" };
    return item;
}

static struct resource *listener(const char *source)
{
    struct resource *item = queue(0, NULL, "LISTEN");
    item->type = RESOURCE_CM_ID;
    item->lqpn.known = false;
    item->source = source;
    return item;
}

/* -- queue pairs -- */

Test(services, queue_pairs_in_error)
{
    EXPECT("queue-pair-error", VERDICT_PASS, "no queue pair");
    queue(17, "RC", "RTS");
    queue(1, "GSI", "ERR");
    queue(2, "UD", "ERR")->comm = "ib_core";
    items[2].pid.known = false;
    EXPECT("queue-pair-error", VERDICT_PASS, "no queue pair of mlx5_0/1");
    queue(18, "RC", "SQD");
    EXPECT("queue-pair-error", VERDICT_INFO,
           "train (pid 77): 1 of 2 queue pairs in SQD: nothing is sent from 18");
    queue(19, "RC", "ERR");
    EXPECT("queue-pair-error", VERDICT_WARN, "train (pid 77): 1 of 3 queue pairs in ERR: 19");
    items[4].port = num32_of(2);
    EXPECT("queue-pair-error", VERDICT_INFO, "SQD");
    items[4].port.known = false; /* the device has one port alone */
    EXPECT("queue-pair-error", VERDICT_WARN, "in ERR: 19");
    items[4].state = "SQE";
    EXPECT("queue-pair-error", VERDICT_WARN, "in SQE");
    for (uint64_t i = 20; i < 26; i++)
        queue(i, "RC", "ERR");
    expect_all("queue-pair-error", "train (pid 77): 7 of 9 queue pairs in SQE: 19, 20, 21, 22, …");
    queue(40, "RC", "ERR")->pid = num32_of(78);
    EXPECT("queue-pair-error", VERDICT_WARN, "; 1 more user has the like");
    resources.nitems = 0;
    queue(41, "RC", "SQE");
    expect_all("queue-pair-error", "train (pid 77): 1 of 1 queue pair in SQE: 41");
}

Test(services, readings_too_near_for_half_open_ones)
{
    static const uint64_t intervals[] = { 499, 500 };
    for (size_t i = 0; i < 2; i++) {
        struct check_group group = check_ask(check_find("queue-pairs-half-open"), &now.host, &before.host,
                                             intervals[i], NULL, arena);
        cr_expect_eq(group.findings[0].verdict, i ? VERDICT_PASS : VERDICT_UNKNOWN);
    }
}

Test(services, what_isnt_listed_isnt_judged)
{
    static struct resource_gap gap = { "mlx5_0", RESOURCE_QP };
    resources.gaps = &gap, resources.ngaps = 1;
    EXPECT("queue-pair-error", VERDICT_UNKNOWN, "nldev did not list");
    EXPECT("queue-pairs-half-open", VERDICT_UNKNOWN, "nldev did not list");
    EXPECT("process-memlock", VERDICT_UNKNOWN, "nldev did not list");
    gap.type = RESOURCE_CM_ID;
    EXPECT("connection-address", VERDICT_UNKNOWN, "CM ids of mlx5_0");
    now.host.system.services = NULL;
    EXPECT("storage-session", VERDICT_UNKNOWN, "not read");
    EXPECT("smc-fallback", VERDICT_UNKNOWN, "not read");
    EXPECT("target-address", VERDICT_UNKNOWN, "not read");
    EXPECT("service-module", VERDICT_UNKNOWN, "not known");
}

static void same_before(void)
{
    memcpy(items_before, items, sizeof(items));
    resources_before.nitems = resources.nitems;
}

Test(services, half_open_ones_stay)
{
    queue(17, "RC", "INIT");
    queue(18, "RC", "RTR");
    queue(19, "UC", "INIT");
    same_before();
    EXPECT("queue-pairs-half-open", VERDICT_PASS, "3 queue pairs of a user are in");
    queue(20, "RC", "INIT");
    EXPECT("queue-pairs-half-open", VERDICT_PASS, ""); /* it is new */
    same_before();
    EXPECT("queue-pairs-half-open", VERDICT_WARN,
           "train (pid 77): 4 of 4 queue pairs stay in INIT: 17, 18, 19, 20");
    struct resource swapped = items_before[0];
    items_before[0] = items_before[3], items_before[3] = swapped; /* nobody sorts them for us */
    EXPECT("queue-pairs-half-open", VERDICT_WARN, "4 of 4 queue pairs");
    same_before();
    items_before[1].state = "INIT"; /* it has got on */
    EXPECT("queue-pairs-half-open", VERDICT_PASS, "");
    same_before();
    items_before[0].pid = num32_of(5); /* another's, of the same number */
    EXPECT("queue-pairs-half-open", VERDICT_PASS, "");
    same_before();
    items[3].pid = items_before[3].pid = num32_of(78); /* four, but of two */
    EXPECT("queue-pairs-half-open", VERDICT_PASS, "3 queue pairs");
    items[3].pid = items_before[3].pid = num32_of(77);
    items[2].kind = items_before[2].kind = "UD";
    EXPECT("queue-pairs-half-open", VERDICT_PASS, "");
    items[2].kind = items_before[2].kind = "XRC_TGT";
    EXPECT("queue-pairs-half-open", VERDICT_PASS, "");
    resources_before.nitems = 0;
    EXPECT("queue-pairs-half-open", VERDICT_PASS, "");
}

/* Others are those with as many as it takes; of one that stays there is nothing to say but how many. */
Test(services, half_open_ones_of_several_users)
{
    for (uint64_t i = 0; i < 8; i++)
        queue(17 + i, "RC", "RTR")->pid = num32_of(i < 4 ? 77 : 78);
    same_before();
    EXPECT("queue-pairs-half-open", VERDICT_WARN, "17, 18, 19, 20; 1 more user has the like");
    resources.nitems = 7;
    same_before();
    expect_all("queue-pairs-half-open", "train (pid 77): 4 of 4 queue pairs stay in RTR: 17, 18, 19, 20");
    resources.nitems = 1;
    same_before();
    expect_all("queue-pairs-half-open", "1 queue pair of a user is in INIT or RTR in both readings");
}

Test(services, readings_close_together_tell_nothing)
{
    struct check_group group = check_ask(check_find("queue-pairs-half-open"), &now.host, &before.host, 499,
                                         NULL, arena);
    cr_expect_eq(group.findings[0].verdict, VERDICT_UNKNOWN);
    cr_expect(strstr(group.findings[0].evidence, "too short"));
}

/* -- ports and addresses -- */

Test(services, users_of_a_port_that_is_down)
{
    queue(17, "RC", "RTS");
    EXPECT("user-port", VERDICT_PASS, "ACTIVE");
    now.port.state = num_of(PORT_STATE_DOWN), now.port.state_text = "DOWN";
    EXPECT("user-port", VERDICT_FAIL, "train (pid 77) uses it, and the port is DOWN");
    queue(18, "RC", "RTS")->pid = num32_of(78);
    EXPECT("user-port", VERDICT_FAIL, "with 1 more");
    resources.nitems = 0;
    listener("0.0.0.0:20049"); /* stands on each device */
    EXPECT("user-port", VERDICT_NA, "nobody holds");
    items[0].source = "10.0.0.1:20049";
    EXPECT("user-port", VERDICT_FAIL, "train (pid 77) uses it");
    resources.nitems = 0;
    known[services.count++] = (struct service){ .kind = SERVICE_NVME_HOST,
                                                .handle = "nvme0",
                                                .state = "connecting",
                                                .peer = "10.0.0.9",
                                                .port = num_of(4420) };
    EXPECT("user-port", VERDICT_FAIL, "NVMe host nvme0 uses it");
    EXPECT("storage-session", VERDICT_NA, "see user-port");
    known[0].state = "resetting";
    EXPECT("storage-session", VERDICT_NA, "see user-port");
    known[0].state = "connecting";
    now.port.state.known = false;
    EXPECT("user-port", VERDICT_UNKNOWN, "ports/1/state");
}

Test(services, addresses_that_left)
{
    EXPECT("connection-address", VERDICT_NA, "no CM id");
    listener("10.0.0.1:7471");
    EXPECT("connection-address", VERDICT_PASS, "1 CM ids");
    static const char *const without[] = { "0.0.0.0:7471", "[::]:7471", ":::7471", "127.0.0.1:1",
                                           "[::1]:1",      "",          ":" };
    for (size_t i = 0; i < ARRAY_SIZE(without); i++) {
        items[0].source = without[i];
        EXPECT("connection-address", VERDICT_NA, "no CM id");
    }
    items[0].source = "10.0.0.8:7471";
    EXPECT("connection-address", VERDICT_FAIL,
           "train (pid 77) listens on 10.0.0.8, which is not in /sys/class/infiniband/mlx5_0/ports/1/gids any "
           "more");
    expect_fix("connection-address", "ip address add 10.0.0.8/PREFIX dev eth0");
    items[0].source = "[fd00::8]:7471", items[0].state = "CONNECT";
    EXPECT("connection-address", VERDICT_FAIL, "is connected from fd00::8");
    items[0].pid.known = false, items[0].comm = "nvmet_rdma", items[0].state = "LISTEN";
    EXPECT("connection-address", VERDICT_NA, ""); /* target-address speaks of it */
    items[0].comm = "rpcrdma";
    EXPECT("connection-address", VERDICT_FAIL, "rpcrdma listens on fd00::8");
    now.port.transport = TRANSPORT_IWARP;
    EXPECT("connection-address", VERDICT_NA, "not a RoCE port");
}

Test(services, addresses_that_targets_listen_on)
{
    EXPECT("target-address", VERDICT_NA, "no target");
    known[services.count++] = (struct service){ .kind = SERVICE_NVME_TARGET,
                                                .handle = "port 1",
                                                .name = "nqn.a",
                                                .listens = true,
                                                .local = "10.0.0.1",
                                                .port = num_of(4420) };
    EXPECT("target-address", VERDICT_PASS, "1 listener");
    known[0].local = "0.0.0.0";
    EXPECT("target-address", VERDICT_PASS, "1 listener of");
    known[services.count++] = known[0], known[1].handle = "port 2";
    EXPECT("target-address", VERDICT_PASS, "2 listeners of");
    services.count--, known[0].local = "10.0.0.7";
    EXPECT("target-address", VERDICT_FAIL,
           "NVMe target port 1 (nqn.a) listens on 10.0.0.7 port 4420, which is no GID: no netdev here has it");
    known[0].name = NULL; /* no subsystem: it isn't served */
    EXPECT("target-address", VERDICT_NA, "no target");
    known[0].kind = SERVICE_ISER_TARGET, known[0].name = "iqn.a";
    EXPECT("target-address", VERDICT_FAIL, "iSER target");
    address.raw[3] = 7; /* the netdev has it, only the GID is missing */
    EXPECT("target-address", VERDICT_NA, "see gid-address");
    now.port.netdev = "eth1", now.netdev.name = "eth5", now.port.gids = NULL, now.port.ngids = 0;
    EXPECT("target-address", VERDICT_FAIL, "eth5 has it, and no RDMA device");
    now.port.gid_table_len.known = false;
    EXPECT("target-address", VERDICT_UNKNOWN, "no GID table");
}

/* -- sessions -- */

Test(services, sessions_that_are_not_up)
{
    EXPECT("storage-session", VERDICT_NA, "no NVMe controller");
    known[services.count++] = (struct service){ .kind = SERVICE_NVME_HOST,
                                                .handle = "nvme0",
                                                .name = "nqn.a",
                                                .state = "live",
                                                .peer = "10.0.0.9",
                                                .port = num_of(4420) };
    EXPECT("storage-session", VERDICT_PASS, "1 session is up");
    static const char *const fine[] = { "new", "deleting", "deleting (no IO)" };
    for (size_t i = 0; i < ARRAY_SIZE(fine); i++) {
        known[0].state = fine[i];
        EXPECT("storage-session", VERDICT_PASS, "");
    }
    known[0].state = "connecting";
    EXPECT("storage-session", VERDICT_FAIL,
           "NVMe host nvme0 (nqn.a): connecting, to 10.0.0.9 port 4420: it has lost");
    expect_fix("storage-session", "ping -c 3 10.0.0.9");
    known[0].state = "dead";
    EXPECT("storage-session", VERDICT_FAIL, "given up");
    now.port.state = num_of(PORT_STATE_DOWN);
    EXPECT("storage-session", VERDICT_NA, "isn't ACTIVE"); /* user-port tells that */
    known[0].state = "live";
    EXPECT("storage-session", VERDICT_PASS, "1 session is up"); /* until it notices */
    known[0].state = NULL;
    EXPECT("storage-session", VERDICT_UNKNOWN, "the state of NVMe host nvme0");
    now.port.state = num_of(PORT_STATE_ACTIVE);
    known[0].state = "resetting";
    EXPECT("storage-session", VERDICT_WARN, "resetting");
    known[services.count++] = (struct service){ .kind = SERVICE_ISER_INITIATOR,
                                                .handle = "session1",
                                                .state = "FAILED" };
    EXPECT("storage-session", VERDICT_FAIL, "iSER initiator session1: FAILED, to its target");
    known[1].state = "LOGGED_IN", known[0].state = NULL;
    EXPECT("storage-session", VERDICT_UNKNOWN, "the state of NVMe host nvme0");
}

Test(services, sessions_of_smb_and_networks_of_lustre)
{
    known[services.count++] = (struct service){ .kind = SERVICE_SMB_CLIENT, .name = "fs1", .state = "good" };
    EXPECT("storage-session", VERDICT_PASS, "1 session is up");
    known[0].state = "need reconnect";
    EXPECT("storage-session", VERDICT_FAIL,
           "SMB client fs1: need reconnect, to its target: it has lost its server");
    known[0].state = "in negotiate";
    EXPECT("storage-session", VERDICT_WARN, "I/O waits");
    known[0].state = "good";
    known[services.count++] = (struct service){ .kind = SERVICE_LUSTRE,
                                                .name = "10.0.0.1@o2ib",
                                                .state = "up" };
    EXPECT("storage-session", VERDICT_PASS, "2 sessions are up");
    known[1].state = "down";
    EXPECT("storage-session", VERDICT_FAIL, "10.0.0.1@o2ib: down: Lustre doesn't use");
}

Test(services, where_a_service_is)
{
    struct service service = { .peer = "10.0.0.9" };
    cr_expect_eq(service_port(&now.host, &service), &now.port);
    service.peer = "10.0.1.9";
    cr_expect_null(service_port(&now.host, &service));
    service.local = "10.0.0.1";
    cr_expect_eq(service_port(&now.host, &service), &now.port);
    service = (struct service){ .device = "mlx5_0" };
    cr_expect_eq(service_port(&now.host, &service), &now.port);
    service.device_port = num_of(2);
    cr_expect_eq(service_port(&now.host, &service), &now.port); /* of one port what isn't there is that */
    service = (struct service){ .peer = "host.example" };
    cr_expect_null(service_port(&now.host, &service));
}

Test(services, a_service_on_a_port_uses_it)
{
    now.netdev.naddresses = 0, now.port.ngids = 0;
    cr_expect_eq(port_use(&now.host, &now.port, arena).use, USE_NONE);
    known[services.count++] = (struct service){
        .kind = SERVICE_SRP_INITIATOR, .handle = "host4", .device = "mlx5_0", .device_port = num_of(1)
    };
    cr_expect_eq(port_use(&now.host, &now.port, arena).use, USE_HERE);
    cr_expect_str_eq(port_use(&now.host, &now.port, arena).reason, "SRP initiator host4");
    known[0].device_port = num_of(2);
    cr_expect_eq(port_use(&now.host, &now.port, arena).use, USE_NONE);
}

/* -- NFS -- */

Test(services, mounts_that_should_be_by_rdma)
{
    struct nfs *nfs = &now.host.system.nfs;
    EXPECT("nfs-rdma-mount", VERDICT_NA, "no NFS is mounted");
    mounts[nfs->nmounts++] = (struct nfs_mount){ .from = "10.0.0.1:/a", .on = "/mnt/a", .proto = "rdma" };
    EXPECT("nfs-rdma-mount", VERDICT_PASS, "1 mount by RDMA");
    mounts[0].transport = "tcp"; /* mountstats knows better */
    EXPECT("nfs-rdma-mount", VERDICT_FAIL,
           "10.0.0.1:/a on /mnt/a: proto=rdma wants RDMA, its transport is tcp");
    mounts[0].proto = "tcp";
    EXPECT("nfs-rdma-mount", VERDICT_NA, "no NFS mount should use RDMA");
    wishes[services.nwishes++] = (struct service_wish){ .kind = SERVICE_NFS_CLIENT,
                                                        .rdma = true,
                                                        .file = "/etc/nfsmount.conf" };
    EXPECT("nfs-rdma-mount", VERDICT_INFO, "/etc/nfsmount.conf wants RDMA where a mount doesn't say");
    wishes[0].from = "10.0.0.10";
    EXPECT("nfs-rdma-mount", VERDICT_NA, "");
    wishes[0].from = "10.0.0.1";
    EXPECT("nfs-rdma-mount", VERDICT_INFO, "");
    wishes[services.nwishes++] = (struct service_wish){
        .kind = SERVICE_NFS_CLIENT, .rdma = false, .file = "/etc/fstab", .from = "10.0.0.1:/a", .on = "/mnt/a"
    };
    EXPECT("nfs-rdma-mount", VERDICT_NA, ""); /* fstab goes before */
    wishes[1].rdma = true;
    EXPECT("nfs-rdma-mount", VERDICT_FAIL,
           "10.0.0.1:/a on /mnt/a: /etc/fstab wants RDMA, its transport is tcp");
    expect_fix("nfs-rdma-mount", "umount /mnt/a && mount /mnt/a #");
    mounts[0].on = wishes[1].on = "/mnt/a\\040b";
    expect_fix("nfs-rdma-mount", "unmount it");
    services.nwishes = 0, services.wishes_known = false;
    EXPECT("nfs-rdma-mount", VERDICT_UNKNOWN, "it is unknown whether");
    mounts[0].proto = mounts[0].transport = NULL;
    EXPECT("nfs-rdma-mount", VERDICT_UNKNOWN, "names its transport");
}

Test(services, automounts_that_should_be_by_rdma)
{
    struct nfs *nfs = &now.host.system.nfs;
    mounts[nfs->nmounts++] = (struct nfs_mount){ .from = "store:/home/al", .on = "/home/al", .proto = "tcp" };
    wishes[services.nwishes++] = (struct service_wish){ .kind = SERVICE_NFS_CLIENT,
                                                        .rdma = true,
                                                        .file = "/etc/auto.home",
                                                        .from = "store:/home/&",
                                                        .on = "/home/*" };
    EXPECT("nfs-rdma-mount", VERDICT_FAIL, "store:/home/al on /home/al: /etc/auto.home wants RDMA");
    expect_fix("nfs-rdma-mount", "umount /home/al && ls /home/al #");
    static const char *const others[] = { "store:/home/alice", "store:/home/a", "other:/home/al",
                                          "store:/home/" };
    for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
        mounts[0].from = others[i];
        EXPECT("nfs-rdma-mount", VERDICT_NA, "");
    }
    mounts[0].from = "store:/home/al", mounts[0].on = "/home/al/deep";
    EXPECT("nfs-rdma-mount", VERDICT_NA, "");
    mounts[0].on = "/home/";
    EXPECT("nfs-rdma-mount", VERDICT_NA, "");
    mounts[0].on = "/home/al", wishes[0].from = NULL; /* one of several servers */
    EXPECT("nfs-rdma-mount", VERDICT_FAIL, "");
    mounts[0].on = "/home/al/deep";
    EXPECT("nfs-rdma-mount", VERDICT_NA, "");
    mounts[0].on = "/home/al";
    wishes[0].file = "/etc/systemd/system/home-al.mount", wishes[0].from = "store:/home/al",
    wishes[0].on = "/home/al";
    expect_fix("nfs-rdma-mount", "umount /home/al && systemctl start /home/al #");
    wishes[services.nwishes++] = (struct service_wish){
        .kind = SERVICE_NFS_CLIENT, .rdma = false, .file = "/etc/nfsmount.conf", .on = "/home/al"
    };
    EXPECT("nfs-rdma-mount", VERDICT_FAIL, ""); /* its own line goes before */
}

/* nfsmount.conf(5), whatever the order of its sections: all, a server, a mount point; its own line before all.
 */
Test(services, what_is_said_of_fewer_mounts_goes_before)
{
    static const char conf[] = "/etc/nfsmount.conf";
    struct nfs *nfs = &now.host.system.nfs;
    struct service_wish by_rank[] = { { .file = conf },
                                      { .file = conf, .from = "store" },
                                      { .file = conf, .on = "/a" },
                                      { .file = "/etc/fstab", .from = "store:/a", .on = "/a" } };
    mounts[nfs->nmounts++] = (struct nfs_mount){ .from = "store:/a", .on = "/a", .proto = "tcp" };
    services.nwishes = 2;
    for (size_t rank = 1; rank < ARRAY_SIZE(by_rank); rank++) {
        wishes[0] = by_rank[rank - 1], wishes[1] = by_rank[rank];
        wishes[0].kind = wishes[1].kind = SERVICE_NFS_CLIENT;
        wishes[0].rdma = false, wishes[1].rdma = true;
        EXPECT("nfs-rdma-mount", rank == 3 ? VERDICT_FAIL : VERDICT_INFO, "want");
        wishes[0].rdma = true, wishes[1].rdma = false;
        EXPECT("nfs-rdma-mount", VERDICT_NA, "");
    }
}

/* -- modules -- */

Test(services, modules_that_are_kept_out)
{
    EXPECT("service-module", VERDICT_NA, "no storage service");
    wishes[services.nwishes++] = (struct service_wish){ .kind = SERVICE_NVME_TARGET,
                                                        .rdma = true,
                                                        .file = "/etc/nvmet/config.json" };
    EXPECT("service-module", VERDICT_PASS, "1 kind of service needs");
    line = (struct blocked_module){ .name = "nvmet_rdma", .file = "/etc/modprobe.d/x.conf" };
    services.nblocked = 1;
    EXPECT("service-module", VERDICT_FAIL,
           "/etc/nvmet/config.json needs nvmet_rdma, which a line of /etc/modprobe.d/x.conf (blacklist) keeps "
           "out");
    expect_fix("service-module",
               "sed -i 's/^ *blacklist *nvmet[-_]rdma\\b/#&/' /etc/modprobe.d/x.conf && modprobe nvmet_rdma");
    module.name = "nvmet_rdma", now.host.system.nmodules = 1;
    EXPECT("service-module", VERDICT_WARN, "which is loaded now; after a boot");
    wishes[0].kind = SERVICE_NVME_HOST, line.name = "nvme_rdma"; /* asked for by name: a blacklist lets it in */
    EXPECT("service-module", VERDICT_PASS, "");
    line.always = true;
    EXPECT("service-module", VERDICT_FAIL, "(install)");
    wishes[0].rdma = false;
    EXPECT("service-module", VERDICT_NA, "");
    known[services.count++] = (struct service){ .kind = SERVICE_NVME_HOST, .handle = "nvme3", .state = "live" };
    EXPECT("service-module", VERDICT_FAIL, "NVMe host nvme3 needs nvme_rdma");
    now.host.system.container = CONTAINER_DOCKER;
    EXPECT("service-module", VERDICT_NA, "modules are the host's");
}

Test(services, modules_that_the_kernel_has_not)
{
    wishes[services.nwishes++] = (struct service_wish){ .kind = SERVICE_NVME_HOST,
                                                        .rdma = true,
                                                        .file = "/etc/nvme/config.json" };
    line = (struct blocked_module){ .name = "nvme_rdma", .file = "/lib/modules/6.1.0", .absent = true };
    services.nblocked = 1;
    EXPECT("service-module", VERDICT_FAIL,
           "needs nvme_rdma, which is not among the modules of the running kernel (/lib/modules/6.1.0)");
    expect_fix("service-module", "install the kernel's modules");
    now.host.system.os_id = "ubuntu";
    expect_fix("service-module", "apt install linux-modules-extra-$(uname -r) && modprobe nvme_rdma");
    now.host.system.os_id = "debian";
    expect_fix("service-module", "apt install linux-image-amd64 && systemctl reboot #");
    now.host.system.os_id = "rhel";
    expect_fix("service-module", "dnf install kernel-modules-$(uname -r)");
    line.gone = true; /* and no module is loaded */
    EXPECT("service-module", VERDICT_UNKNOWN, "whether the kernel has nvme_rdma built in");
    module.name = "nfs", now.host.system.nmodules = 1;
    EXPECT("service-module", VERDICT_FAIL, "the modules of the running kernel (/lib/modules/6.1.0) are gone");
    expect_fix("service-module", "systemctl reboot");
    module.name = "nvme_rdma"; /* from before the upgrade */
    EXPECT("service-module", VERDICT_PASS, "");
}

Test(services, nfs_without_a_module_that_is_kept_out_is_one_finding)
{
    now.host.system.nfs.configured = true, now.host.system.nfs.configured_in = "etc/nfs.conf";
    now.host.system.nfs.portlist = "tcp 2049\n";
    EXPECT("nfs-rdma-server", VERDICT_FAIL, "has neither rpcrdma");
    EXPECT("nfs-rdma-listener", VERDICT_FAIL, "no rdma listener");
    line = (struct blocked_module){ .name = "rpcrdma", .file = "/etc/modprobe.d/x.conf" };
    services.nblocked = 1;
    EXPECT("nfs-rdma-server", VERDICT_NA, "see service-module");
    EXPECT("nfs-rdma-listener", VERDICT_NA, "see service-module");
    EXPECT("service-module", VERDICT_FAIL, "/etc/nfs.conf needs rpcrdma");
    now.host.system.nfs.nrdma_mounts = 1;
    static const char *mount = "a on /b";
    now.host.system.nfs.rdma_mounts = &mount;
    EXPECT("nfs-rdma-client", VERDICT_FAIL, "has neither rpcrdma"); /* asked for by name */
    line.always = true;
    EXPECT("nfs-rdma-client", VERDICT_NA, "see service-module");
}

/* -- SMC -- */

Test(services, smc_by_tcp_and_why)
{
    static struct smc smc;
    EXPECT("smc-fallback", VERDICT_NA, "isn't loaded");
    services.smc = &smc;
    EXPECT("smc-fallback", VERDICT_PASS, "no SMC connection");
    known[services.count++] = (struct service){ .kind = SERVICE_SMC, .state = "ACTIVE", .sockets = num_of(2) };
    EXPECT("smc-fallback", VERDICT_PASS, "no SMC connection");
    known[services.count++] = (struct service){ .kind = SERVICE_SMC,
                                                .reason = "the peer does not offer SMC",
                                                .reason_code = num_of(0x03010000),
                                                .sockets = num_of(2),
                                                .peer = "10.0.0.9:5000" };
    EXPECT("smc-fallback", VERDICT_INFO,
           "SMC by TCP: the peer does not offer SMC (2 connections, one with 10.0.0.9:5000)");
    known[services.count++] = (struct service){
        .kind = SERVICE_SMC, .reason = "no device", .reason_code = num_of(0x03030002), .sockets = num_of(1)
    };
    EXPECT("smc-fallback", VERDICT_WARN, "SMC by TCP: no device (1 connection); 1 more reason");
    known[2].sockets = num_of(0); /* it was so once */
    EXPECT("smc-fallback", VERDICT_INFO, "does not offer");
    known[1].reason_code = num_of(0x05000000), known[1].peer_reason_code = num_of(0x03030000);
    EXPECT("smc-fallback", VERDICT_WARN, "2 connections");
    known[1].peer_reason_code = num_of(0x03060000);
    EXPECT("smc-fallback", VERDICT_INFO, "2 connections");
    known[1].peer_reason_code = num_of(0x03020000); /* by IPsec */
    EXPECT("smc-fallback", VERDICT_INFO, "2 connections");
    known[1].peer_reason_code = num_of(0x03020001);
    EXPECT("smc-fallback", VERDICT_WARN, "2 connections");
    known[2].sockets = num_of(3), known[3] = known[2], services.count++;
    EXPECT("smc-fallback", VERDICT_WARN, "; 2 more reasons: roce users SMC-R");
    services.count--, known[2].sockets = num_of(0);
    known[1].sockets.known = false, known[1].fallbacks = num_of(7);
    known[1].reason_code = num_of(0x03030002);
    EXPECT("smc-fallback", VERDICT_INFO, "(7 since smc was loaded, of now only the module smc_diag tells)");
}

/* -- memory and P_Keys -- */

Test(services, memory_that_is_nearly_all_pinned)
{
    EXPECT("process-memlock", VERDICT_NA, "no process");
    process = (struct process){ .pid = 77,
                                .comm = "train",
                                .cgroup = "/system.slice/train.service",
                                .memlock = num_of(8 << 20),
                                .pinned = num_of(1 << 20),
                                .capabilities = num_of(0) };
    services.nprocesses = 1;
    EXPECT("process-memlock", VERDICT_PASS, "1 process has room");
    process.pinned = num_of((8 << 20) / 100 * 90);
    EXPECT("process-memlock", VERDICT_WARN, "train (pid 77) has pinned 7372 of 8192 KiB");
    expect_fix("process-memlock", "prlimit --pid 77 --memlock=unlimited:unlimited # at once; for every start: "
                                  "LimitMEMLOCK=infinity in train.service");
    process.memlock = num_of(8000), process.pinned = num_of(7199);
    EXPECT("process-memlock", VERDICT_PASS, "");
    process.pinned = num_of(7200);
    EXPECT("process-memlock", VERDICT_WARN, "");
    process.capabilities = num_of(1 << 14);
    EXPECT("process-memlock", VERDICT_PASS, "");
    process.capabilities = num_of(0), process.memlock = num_of(UINT64_MAX);
    EXPECT("process-memlock", VERDICT_PASS, "");
    process.memlock.known = false;
    EXPECT("process-memlock", VERDICT_UNKNOWN, "/proc/77/limits");
    process.comm = NULL; /* it has ended meanwhile */
    EXPECT("process-memlock", VERDICT_NA, "");
}

Test(services, partitions_that_are_not_the_ports)
{
    EXPECT("pkey-asked", VERDICT_NA, "nobody asks");
    variable = (struct environment){ "NCCL_IB_PKEY", "0" };
    now.host.system.nenvironment = 1;
    EXPECT("pkey-asked", VERDICT_PASS, "what is asked for");
    variable.value = "1";
    EXPECT("pkey-asked", VERDICT_FAIL, "NCCL_IB_PKEY=1, which is not in");
    variable = (struct environment){ "UCX_IB_PKEY", "0x1" };
    EXPECT("pkey-asked", VERDICT_NA, "nobody asks"); /* RoCE: UCX takes slot 0 */
    now.port.transport = TRANSPORT_INFINIBAND;
    EXPECT("pkey-asked", VERDICT_FAIL, "UCX_IB_PKEY=0x1");
    variable.value = "0x7fff";
    EXPECT("pkey-asked", VERDICT_PASS, "");
    variable.value = "auto";
    EXPECT("pkey-asked", VERDICT_NA, "");
    known[services.count++] = (struct service){ .kind = SERVICE_SRP_INITIATOR,
                                                .handle = "host4",
                                                .device = "mlx5_0",
                                                .device_port = num_of(1),
                                                .pkey = num_of(0xffff) };
    EXPECT("pkey-asked", VERDICT_PASS, "");
    known[0].pkey = num_of(0x8001);
    EXPECT("pkey-asked", VERDICT_FAIL, "SRP initiator host4 uses P_Key 0x8001, which is not in");
    now.port.pkey_table_len.known = false;
    EXPECT("pkey-asked", VERDICT_UNKNOWN, "could not be read");
}
