/* SPDX-License-Identifier: MIT */
/* What a finding says to do fits the driver, the distribution and what is really the cause, and warns of harm.
 */
#include <criterion/criterion.h>
#include <netinet/in.h>

#include "asked.h"
#include "model/qos.h"
#include "model/verbs.h"

static struct arena *arena;
static struct gid gid;
static struct port ports[2];
static struct device devices[2];
static struct netdev netdevs[3];
static struct address address;
static struct pci pcis[2];
static struct qos qos[2];
static struct verbs_port verbs_port;
static struct verbs_device verbs;
static struct host host;

/* Two ports of one kind of card at 100 Gb/s, eth0 and eth1, with FEC; pf0 is the physical function of the
 * first. */
static void setup(void)
{
    arena = arena_new();
    gid = (struct gid){ .raw = { [10] = 0xff, 0xff, 10, 0, 0, 1 }, .type = GID_TYPE_ROCE_V2, .netdev = "eth0" };
    for (size_t i = 0; i < 2; i++) {
        const char *name = i ? "eth1" : "eth0", *function = i ? "0000:27:00.0" : "0000:17:00.0";
        ports[i] = (struct port){ .device = &devices[i],
                                  .number = 1,
                                  .transport = TRANSPORT_ROCE,
                                  .state = num_of(PORT_STATE_ACTIVE),
                                  .gid_table_len = num_of(16),
                                  .gids = &gid,
                                  .ngids = i == 0,
                                  .rate_mbps = num_of(100000),
                                  .roce_mtu = num_of(4096),
                                  .netdev = name };
        devices[i] = (struct device){ .name = i ? "mlx5_1" : "mlx5_0",
                                      .board_id = "MT_0000000359",
                                      .fw_ver = i ? "22.39.1002" : "22.36.1010",
                                      .transport = TRANSPORT_ROCE,
                                      .driver = "mlx5_core",
                                      .pci = function,
                                      .node_guid = num_of(1),
                                      .ports = &ports[i],
                                      .nports = 1 };
        netdevs[i] = (struct netdev){
            .name = name, .pci = function, .flags = num_of(1), .mtu = num_of(9000), .addresses_known = true
        };
        pcis[i] = (struct pci){
            .address = function, .driver = "mlx5_core", .vendor = num_of(0x15b3), .device = num_of(0x101d)
        };
        qos[i] = (struct qos){ .netdev = name,
                               .dcb = { .has_pfc = true, .pfc_enabled = 8, .apps_known = true },
                               .ethtool = { .fec_active = "rs", .lanes = num_of(4) } };
    }
    netdevs[2] = (struct netdev){ .name = "pf0", .pci = "0000:17:00.7" };
    verbs_port = (struct verbs_port){ .number = 1, .max_mtu = 5, .active_mtu = 5 };
    verbs = (struct verbs_device){ .ports = &verbs_port, .nports = 1 };
    devices[0].verbs = &verbs;
    host = (struct host){ .arena = arena,
                          .needs = NEED_ALL,
                          .pcis = pcis,
                          .npcis = 2,
                          .qos = qos,
                          .nqos = 2,
                          .devices = devices,
                          .ndevices = 2,
                          .netdevs = netdevs,
                          .nnetdevs = 3 };
}

static void teardown(void)
{
    arena_free(arena);
}

TestSuite(fixes, .init = setup, .fini = teardown);

static struct finding ask(const char *id)
{
    return ask_about(&host, id, arena);
}

Test(fixes, the_guid_of_a_function_is_made_of_its_mac_on_ethernet)
{
    pcis[0].physfn = "0000:17:00.7";
    devices[0].node_guid = num_of(0);
    struct finding finding = ask("vf-guid");
    EXPECT_VERDICT(finding, VERDICT_WARN);
    EXPECT_TEXT(finding.fix,
                "ip link set dev pf0 vf N mac MAC && echo 0000:17:00.0 >/sys/bus/pci/drivers/mlx5_core/unbind");
    EXPECT_TEXT(finding.fix, "# interrupts traffic; on the host that has 0000:17:00.7; N: as in the virtfnN");
    /* what is known is filled in */
    const char *functions[] = { "0000:27:00.0", "0000:17:00.0" };
    pcis[1] = (struct pci){ .address = "0000:17:00.7", .vfs = functions, .nvfs = 2 };
    netdevs[0].mac = "02:00:5e:68:00:01";
    EXPECT_TEXT(ask("vf-guid").fix, "ip link set dev pf0 vf 1 mac 02:00:5e:68:00:01 && ");
    devices[0].transport = TRANSPORT_INFINIBAND;
    EXPECT_TEXT(ask("vf-guid").fix, "vf 1 node_guid GUID");
}

Test(fixes, firmware_is_burnt_from_an_image)
{
    struct finding finding = ask("firmware-version");
    EXPECT_VERDICT(finding, VERDICT_INFO);
    EXPECT_TEXT(
        finding.fix,
        "mstflint -d 0000:17:00.0 -i IMAGE burn && mstfwreset -d 0000:17:00.0 reset # interrupts traffic");
}

Test(fixes, an_address_comes_back_with_its_routes)
{
    address = (struct address){
        .family = AF_INET, .prefix = 24, .raw = { 10, 0, 0, 9 }, .peer = { 10, 0, 0, 9 }
    };
    netdevs[0].addresses = &address;
    netdevs[0].naddresses = 1;
    struct finding finding = ask("gid-address");
    EXPECT_VERDICT(finding, VERDICT_FAIL);
    cr_expect_str_eq(finding.fix,
                     "ip route save dev eth0 >/run/routes; ip address del 10.0.0.9/24 dev eth0; ip address add "
                     "10.0.0.9/24 dev eth0; ip route restore </run/routes # interrupts traffic");
}

Test(fixes, fec_is_compared_at_one_rate)
{
    qos[0].ethtool.fec_active = "off";
    struct finding finding = ask("link-fec");
    EXPECT_VERDICT(finding, VERDICT_WARN);
    EXPECT_TEXT(finding.fix, "ethtool --set-fec eth0 encoding rs # interrupts traffic");
    ports[0].rate_mbps = num_of(10000);
    EXPECT_VERDICT(ask("link-fec"), VERDICT_NA);
    ports[0].rate_mbps = num_of(100000);
    qos[0].ethtool.fec_active = "rs";
    qos[0].ethtool.lanes = num_of(2);
    EXPECT_VERDICT(ask("link-fec"), VERDICT_PASS);
}

Test(fixes, lldpad_alone_is_no_quarrel)
{
    qos[0].dcb.dcbx = num_of(9); /* host, IEEE */
    host.system.lldpad = true;
    qos[1].dcb.dcbx = num_of(9);
    EXPECT_VERDICT(ask("dcbx-owner"), VERDICT_PASS);
    qos[0].dcb.willing = 1;
    EXPECT_VERDICT(ask("dcbx-owner"), VERDICT_PASS);
    host.system.lldpad = false;
    struct finding finding = ask("dcbx-owner");
    EXPECT_VERDICT(finding, VERDICT_WARN);
    cr_expect_not(strstr(finding.fix, "lldpad"), "%s", finding.fix);
    host.system.lldpad = true;
    qos[0].dcb.dcbx = num_of(11);
    EXPECT_VERDICT(ask("dcbx-owner"), VERDICT_WARN);
}

Test(fixes, the_active_mtu_is_not_more_than_the_devices_maximum)
{
    host.ndevices = 1;
    EXPECT_VERDICT(ask("active-mtu"), VERDICT_PASS);
    verbs_port.active_mtu = 3;
    struct finding finding = ask("active-mtu");
    EXPECT_VERDICT(finding, VERDICT_WARN);
    EXPECT_TEXT(finding.fix, "ip link set dev eth0 down && ip link set dev eth0 mtu 9000 && ip link set dev "
                             "eth0 up # interrupts traffic");
    verbs_port.max_mtu = 3;
    EXPECT_VERDICT(ask("active-mtu"), VERDICT_PASS);
}

Test(fixes, red_hats_connection_has_a_name_of_its_own)
{
    host.system.os_id = "rhel";
    netdevs[0].mtu = num_of(1000);
    ports[0].roce_mtu = num_of(512);
    EXPECT_TEXT(
        ask("netdev-mtu").fix,
        "nmcli connection modify \"$(nmcli -g GENERAL.CONNECTION device show eth0)\" 802-3-ethernet.mtu ");
}

Test(fixes, what_is_pasted_for_every_boot)
{
    host.system.modules_known = host.system.environment_known = true;
    host.system.os_id = "debian";
    cr_expect_str_eq(
        ask("rdma-cm-module").fix,
        "modprobe rdma_ucm && echo rdma_ucm >/etc/modules-load.d/rdma_ucm.conf # the file is for every boot");
    host.system.os_id = "ubuntu";
    EXPECT_TEXT(ask("rdma-cm-module").fix, "apt install linux-modules-extra-");
    host.system.os_id = "alpine";
    EXPECT_TEXT(ask("rdma-cm-module").fix, "echo rdma_ucm >>/etc/modules #");
}

Test(fixes, the_units_that_load_what_is_missing)
{
    static struct configured_module modules[] = { { "ib_iser", "etc/rdma/modules/rdma.conf" },
                                                  { "rdma_ucm", "etc/rdma/modules/rdma.conf" },
                                                  { "mlx5_x", "etc/rdma/modules/roce.conf" } };
    host.system.modules_known = true;
    host.system.configured_modules = modules;
    host.system.nconfigured_modules = 3;
    EXPECT_TEXT(ask("rdma-service-modules").fix,
                "systemctl restart rdma-load-modules@rdma.service rdma-load-modules@roce.service # ");
    host.system.container = CONTAINER_DOCKER;
    EXPECT_VERDICT(ask("rdma-service-modules"), VERDICT_NA);
}
