/* SPDX-License-Identifier: MIT */
/* What several ports need is told once: as a loop where a variable can stand for what differs. */
#include <criterion/criterion.h>

#include "check/judge.h"

enum { COUNT = 3 };
static struct arena *arena;
static struct port ports[COUNT];
static struct device devices[COUNT];
static struct netdev netdevs[COUNT];
static struct pci pcis[COUNT];
static struct gid gids[COUNT];
static struct host host;

static void setup(void)
{
    static const char *const names[][3] = { { "eth1", "mlx5_1", "0000:17:00.0" },
                                            { "eth2", "mlx5_2", "0000:27:00.0" },
                                            { "eth10", "mlx5_10", "0000:37:00.0" } };
    arena = arena_new();
    for (size_t i = 0; i < COUNT; i++) {
        netdevs[i] = (struct netdev){ .name = names[i][0], .pci = names[i][2], .flags = num_of(0) };
        gids[i] = (struct gid){ .raw = { [10] = 0xff, 0xff, 10, 0, (uint8_t)i, 1 },
                                .type = GID_TYPE_ROCE_V2,
                                .netdev = names[i][0] };
        ports[i] = (struct port){ .device = &devices[i],
                                  .number = 1,
                                  .transport = TRANSPORT_ROCE,
                                  .state = num_of(PORT_STATE_ACTIVE),
                                  .gids = &gids[i],
                                  .ngids = 1,
                                  .cm_mode = num_of(GID_TYPE_IB_ROCE_V1),
                                  .netdev = names[i][0] };
        devices[i] = (struct device){ .name = names[i][1],
                                      .transport = TRANSPORT_ROCE,
                                      .driver = "mlx5_core",
                                      .pci = names[i][2],
                                      .node_guid = num_of(1),
                                      .ports = &ports[i],
                                      .nports = 1 };
        pcis[i] = (struct pci){ .address = names[i][2], .driver = "mlx5_core", .physfn = "0000:17:00.7" };
    }
    host = (struct host){ .arena = arena,
                          .needs = NEED_ALL,
                          .devices = devices,
                          .ndevices = COUNT,
                          .pcis = pcis,
                          .npcis = COUNT,
                          .netdevs = netdevs,
                          .nnetdevs = COUNT };
}

static void teardown(void)
{
    arena_free(arena);
}

TestSuite(fix, .init = setup, .fini = teardown);

static const struct root_cause *cause_of(const char *id)
{
    struct check_selection selection = { .only = id };
    struct report report = check_run(&host, NULL, 0, &selection, arena);
    cr_assert_eq(report.ncauses, 1, "%s: %zu causes", id, report.ncauses);
    return report.causes;
}

static void expect_fixes(const char *id, size_t count, const char *const texts[], const char *same_for)
{
    const struct root_cause *cause = cause_of(id);
    cr_assert_eq(cause->nfixes, count, "%s: %zu fixes, the first %s", id, cause->nfixes, cause->fixes[0].text);
    for (size_t i = 0; i < count; i++)
        cr_expect_str_eq(cause->fixes[i].text, texts[i]);
    if (same_for)
        cr_expect_str_eq(cause->fixes[0].same_for, same_for);
    else
        cr_expect_null(cause->fixes[0].same_for);
}
#define EXPECT_FIXES(ID, SAME_FOR, ...)                                      \
    do {                                                                     \
        const char *const texts[] = { __VA_ARGS__ };                         \
        expect_fixes(ID, sizeof(texts) / sizeof(texts[0]), texts, SAME_FOR); \
    } while (0)

Test(fix, ports_that_need_the_same_are_a_loop)
{
    EXPECT_FIXES("netdev-up", NULL, "for dev in eth1 eth2 eth10; do ip link set dev $dev up; done");
}

Test(fix, one_port_needs_none)
{
    host.ndevices = 1;
    EXPECT_FIXES("netdev-up", NULL, "ip link set dev eth1 up");
}

Test(fix, the_comment_stays_behind_the_loop)
{
    EXPECT_FIXES("cm-roce-mode", NULL,
                 "for dev in mlx5_1 mlx5_2 mlx5_10; do roce mode set $dev/1 v2; done # on server and client "
                 "alike; it lasts until the module is unloaded: repeat it at boot");
}

Test(fix, what_differs_in_more_than_a_name_is_a_fix_of_its_own)
{
    static struct port two[2];
    two[0] = two[1] = ports[2];
    two[1].number = 2;
    devices[2].ports = two;
    devices[2].nports = 2;
    const struct root_cause *cause = cause_of("cm-roce-mode");
    cr_assert_eq(cause->nfixes, 2);
    cr_expect(strstr(cause->fixes[0].text, "for dev in mlx5_1 mlx5_2 mlx5_10; do"));
    cr_expect(strstr(cause->fixes[1].text, "roce mode set mlx5_10/2 v2 #") == cause->fixes[1].text);
}

Test(fix, names_of_others_stay)
{
    static struct netdev bond = { .name = "bond0", .kind = NETDEV_BOND };
    static struct netdev all[COUNT + 1];
    for (size_t i = 0; i < COUNT; i++) {
        all[i] = netdevs[i];
        all[i].master = "bond0";
        devices[i].driver = "rxe";
        devices[i].parent = netdevs[i].name;
        devices[i].pci = NULL;
    }
    all[COUNT] = bond;
    host.netdevs = all;
    host.nnetdevs = COUNT + 1;
    host.ndevices = 2;
    EXPECT_FIXES("device-on-bond-member", NULL,
                 "for dev in mlx5_1 mlx5_2; do rdma link delete $dev && rdma link add $dev type rxe netdev "
                 "bond0; done # interrupts traffic");
}

Test(fix, two_names_are_a_line_each)
{
    const struct check check = { .id = "made-up", .scope = SCOPE_PORT };
    static const char *const templates[] = { "ip link set dev {netdev} alias 'roce'",
                                             "echo '{netdev} up' >>/etc/roce.conf",
                                             "rdma link add {device} type rxe netdev {netdev}" };
    for (size_t t = 0; t < 3; t++) {
        struct finding findings[COUNT];
        const struct finding *list[COUNT];
        for (size_t i = 0; i < COUNT; i++) {
            findings[i] = (struct finding){
                .check = &check,
                .subject = { .host = &host, .device = &devices[i], .port = &ports[i], .netdev = &netdevs[i] },
                .how = { .command = templates[t], .remark = "rail" }
            };
            findings[i].fix = fix_text(&findings[i].how, &findings[i].subject, arena);
            list[i] = &findings[i];
        }
        struct root_cause cause = { .check = &check, .findings = list, .count = COUNT };
        find_fixes(&cause, arena);
        if (t == 0) {
            cr_assert_eq(cause.nfixes, 1);
            cr_expect_str_eq(cause.fixes[0].text,
                             "for dev in eth1 eth2 eth10; do ip link set dev $dev alias 'roce'; done # rail");
            continue;
        }
        /* a variable in single quotes is none; and of two names neither stands for the other */
        cr_assert_eq(cause.nfixes, COUNT);
        for (size_t i = 0; i < COUNT; i++) {
            cr_expect_str_eq(cause.fixes[i].text, findings[i].fix);
            cr_expect_null(cause.fixes[i].same_for);
        }
    }
}

/* Each function has a number of its own. */
Test(fix, what_is_to_be_filled_in_is_no_loop)
{
    for (size_t i = 0; i < COUNT; i++)
        devices[i].node_guid = num_of(0);
    EXPECT_FIXES(
        "vf-guid", "mlx5_2, mlx5_10",
        "ip link set dev PF vf N mac MAC && echo 0000:17:00.0 >/sys/bus/pci/drivers/mlx5_core/unbind "
        "&& echo 0000:17:00.0 >/sys/bus/pci/drivers/mlx5_core/bind # interrupts traffic; on the "
        "host that has 0000:17:00.7; PF: the physical function's netdev; N: as in the virtfnN below the "
        "physical function in /sys/bus/pci/devices that leads to it; MAC: a unicast one that no other port "
        "has");
}

Test(fix, a_sentence_stands_for_all)
{
    for (size_t i = 0; i < COUNT; i++)
        netdevs[i].flags = num_of(1);
    struct netdev lo = { .name = "lo", .kind = NETDEV_LOOPBACK };
    host.netdevs = &lo;
    host.nnetdevs = 1;
    host.system.first_netns = TRI_NO;
    EXPECT_FIXES("port-netdev", "mlx5_2/1, mlx5_10/1",
                 "from the namespace that has it: ip link set dev eth1 netns NAME # which takes it away from "
                 "there; NAME: "
                 "this namespace's, or a process's in it");
    host.system.container = CONTAINER_LXC;
    EXPECT_FIXES("cm-roce-mode", "mlx5_2/1, mlx5_10/1",
                 "on the host: roce mode set mlx5_1/1 v2 # on server and client alike; it lasts until the "
                 "module is unloaded: repeat it at boot");
}
