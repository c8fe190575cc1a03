/* SPDX-License-Identifier: MIT */
/* Frames of neighbors: seen ones, damaged ones, and what is made of them. */
#include <criterion/criterion.h>

#include "model/host.h"
#include "model/qos.h"
#include "neighbor/lldp_frame.h"
#include "source/anonymise/anonymise.h"
#include "source/files/forms.h"
#include "source/source.h"
#include "tree.h"

/* lldpd on Debian 12; lldpad in a guest with a dcbnl device; a ConnectX-4 Lx's firmware (a capture of the lldpd
 * project); one TLV of CEE, put together by hand, which tcpdump reads the same way. */
#define FRAME_A                                                                                                \
    "0180c200000ecec0e6d5caaa88cc020704cec0e6d5caaa0403057631060200780a0a6c6561662d72312d30310c3443756d756c75" \
    "73"                                                                                                       \
    "204c696e75782076657273696f6e20352e392e312072756e6e696e67206f6e204e766964696120534e353630300e04009c00801"  \
    "00c05010a0000010200000002000813746f20686f7374206770753031207261696c30fe0900120f030100000000fe0900120f010" \
    "0"                                                                                                        \
    "800000360000"
#define FRAME_B                                                                                                \
    "0180c200000e02dcb500000088cc02070402dcb500000004070302dcb5000000060200780a0141fe190080c20900000300603200" \
    "0"                                                                                                        \
    "032000000000200000200000000fe190080c20a000003006032000032000000000200000200000000fe060080c20b0808fe0e008" \
    "0"                                                                                                        \
    "c20c006312b761891565001a0000"
#define FRAME_C                                                                                                \
    "0180c200000e506b4bf61eb188cc020704506b4bf61eb3040703506b4bf61eb106020030081d436f6e6e656374582d34204c782c" \
    "2"                                                                                                        \
    "03235472f3130472f3147205346500000000000"
#define HEAD                                         \
    "0180c200000e02000000000188cc020704020000000001" \
    "0405057377703106020078"
#define CEE                                                                                                    \
    "fe37001b2102020a00000000000100000001041100008000000100023232000000000000080606000080000808080a0000800089" \
    "06"                                                                                                       \
    "001b2108"

static struct arena *arena;
static struct lldp_neighbor neighbor;
static uint8_t frame[LLDP_FRAME_MOST];
static size_t len;

static void setup(void)
{
    arena = arena_new();
}

static void teardown(void)
{
    arena_free(arena);
}

TestSuite(lldp, .init = setup, .fini = teardown);

static int parse(const char *hex)
{
    len = text_to_bytes(hex, strlen(hex), 0, frame, sizeof(frame));
    cr_assert(len, "%s", hex);
    uint8_t *exact = mem_alloc(len, 1); /* a read behind it is seen */
    memcpy(exact, frame, len);
    int r = lldp_parse(exact, len, arena, &neighbor);
    free(exact);
    return r;
}

Test(lldp, switch_by_lldpd)
{
    cr_assert_eq(parse(FRAME_A), 0);
    cr_assert_str_eq(neighbor.chassis, "ce:c0:e6:d5:ca:aa");
    cr_assert_str_eq(neighbor.port, "v1");
    cr_assert_str_eq(neighbor.system, "leaf-r1-01");
    cr_assert_str_eq(neighbor.port_description, "to host gpu01 rail0");
    cr_assert_str_eq(neighbor.address, "10.0.0.1");
    cr_assert(num_is(neighbor.ttl_s, 120) && num_is(neighbor.enabled, LLDP_STATION));
    cr_assert_eq(neighbor.aggregated, TRI_NO);
    cr_assert(!neighbor.ieee && !neighbor.cee && !neighbor.max_frame.known && !neighbor.pvid.known);
    cr_assert(lldp_is_host(&neighbor), "it says that it is a station only");
    cr_assert_str_eq(lldp_port_name(&neighbor), "v1");
}

Test(lldp, dcbx_by_lldpad)
{
    static const uint8_t tcs[] = { 0, 0, 0, 3, 0, 0, 6, 0 };
    cr_assert_eq(parse(FRAME_B), 0);
    const struct qos_dcb *dcb = lldp_dcb(&neighbor);
    cr_assert(dcb && dcb == neighbor.ieee && dcb->has_pfc && dcb->has_ets && dcb->apps_known);
    cr_assert_eq(dcb->pfc_enabled, 8);
    cr_assert_eq(dcb->pfc_cap, 8);
    cr_assert_eq(dcb->ets_cap, 8, "0 stands for 8");
    cr_assert(!dcb->willing && !neighbor.pfc_willing);
    cr_assert_arr_eq(dcb->priority_tc, tcs, 8);
    cr_assert(dcb->tc_bandwidth[0] == 50 && dcb->tc_bandwidth[3] == 50 && dcb->tc_tsa[3] == QOS_TSA_ETS &&
              !dcb->tc_tsa[6]);
    cr_assert_eq(dcb->napps, 3);
    unsigned priority;
    cr_assert(qos_roce_priority(dcb, &priority) && priority == 3);
    cr_assert(dcb->apps[1].selector == QOS_APP_ETHERTYPE && dcb->apps[1].protocol == 0x8915);
    cr_assert(dcb->apps[2].selector == QOS_APP_DSCP && dcb->apps[2].protocol == 26 &&
              dcb->apps[2].priority == 3);
    cr_assert_str_eq(lldp_system_name(&neighbor), "A");
    cr_assert_str_eq(neighbor.port, "02:dc:b5:00:00:00");
}

Test(lldp, firmware_of_a_nic)
{
    cr_assert_eq(parse(FRAME_C), 0);
    cr_assert(!neighbor.system && num_is(neighbor.ttl_s, 48));
    cr_assert_str_eq(neighbor.port_description, "ConnectX-4 Lx, 25G/10G/1G SFP");
    cr_assert_str_eq(lldp_system_name(&neighbor), "50:6b:4b:f6:1e:b3");
    cr_assert(lldp_is_host(&neighbor));
}

Test(lldp, cee)
{
    cr_assert_eq(parse(HEAD CEE "0000"), 0);
    const struct qos_dcb *dcb = neighbor.cee;
    cr_assert(dcb && !neighbor.ieee && dcb == lldp_dcb(&neighbor));
    cr_assert(dcb->has_pfc && dcb->pfc_enabled == 8 && dcb->pfc_cap == 8);
    cr_assert(dcb->has_ets && dcb->priority_tc[3] == 1 && dcb->priority_tc[7] == 2 &&
              dcb->tc_bandwidth[1] == 50);
    cr_assert(dcb->napps == 1 && dcb->apps[0].protocol == 0x8906 && dcb->apps[0].priority == 3);
    cr_assert(!neighbor.pfc_willing, "enabled, and not willing");
}

Test(lldp, settings_of_the_port)
{
    cr_assert_eq(parse(HEAD "fe060080c2010067"
                            "fe090080c20703000003e9"
                            "fe0600120f042400"
                            "0000"),
                 0);
    cr_assert(num_is(neighbor.pvid, 103) && num_is(neighbor.max_frame, 9216));
    cr_assert(neighbor.aggregated == TRI_YES && num_is(neighbor.aggregate, 1001));
    cr_assert(!lldp_is_host(&neighbor), "its port has a name");
}

Test(lldp, tagged_and_leaving)
{
    cr_assert_eq(parse("0180c200000e02000000000181000000"
                       "88cc020704020000000001040505737770310602"
                       "00000000"),
                 0);
    cr_assert(num_is(neighbor.ttl_s, 0));
}

Test(lldp, damaged)
{
    static const char *const bad[] = {
        "0180c200000e020000000001", /* no ethertype */
        "0180c200000e0200000000010800"
        "020704020000000001", /* not LLDP */
        "0080c200000e02000000000188cc020704020000000001040505737770310602"
        "00780000", /* to one station */
        "0180c200000e02000000000188cc020704020000000001"
        "0000", /* ends early */
        "0180c200000e02000000000188cc"
        "0404057377703102070402000000000106020078"
        "0000", /* out of order */
        HEAD "020704020000000001"
             "0000",       /* a second chassis */
        HEAD "0aff6c6561", /* longer than the frame */
        "0180c200000e02000000000188cc"
        "0200"
        "0405057377703106020078"
        "0000", /* a chassis without an ID */
    };
    for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
        cr_assert_eq(parse(bad[i]), -EBADMSG, "%s", bad[i]);
    /* short settings are not there */
    cr_assert_eq(parse(HEAD "fe050080c20100"
                            "fe050080c20b08"
                            "0000"),
                 0);
    cr_assert(!neighbor.pvid.known && !neighbor.ieee);
    cr_assert_eq(parse(HEAD), 0, "its last TLV may be missing where the frame ends");
}

static const char *port_name(uint8_t type, const char *port, const char *description)
{
    return lldp_port_name(
        &(struct lldp_neighbor){ .port_type = type, .port = port, .port_description = description });
}

Test(lldp, what_switches_call_their_ports)
{
    cr_assert_str_eq(port_name(PORT_LOCAL, "Ethernet30/1", "Ethernet232"), "Ethernet30/1"); /* SONiC */
    cr_assert_str_eq(port_name(PORT_MAC, "1c:34:da:90:00:01", "Ethernet232"), "Ethernet232");
    cr_assert_str_eq(port_name(PORT_MAC, "1c:34:da:90:00:01", "gpu01:eth0"), "1c:34:da:90:00:01",
                     "it is the host's name");
    cr_assert_str_eq(port_name(PORT_NAME, "swp5s0", "to gpu01 rail0"), "swp5s0"); /* Cumulus */
    cr_assert_str_eq(port_name(PORT_LOCAL, "516", "xe-0/0/4"), "xe-0/0/4");       /* Junos */
    cr_assert_str_eq(port_name(PORT_LOCAL, "516", "uplink to spine"), "516");
    cr_assert_str_eq(port_name(PORT_NAME, "TwoHundredGigE1/0/1:1", NULL), "TwoHundredGigE1/0/1:1"); /* H3C */
    cr_assert_str_eq(port_name(PORT_LOCAL, "Eth1/34", NULL), "Eth1/34");                            /* ACI */
}

Test(lldp, networkd_file)
{
    uint8_t bytes[64] = { 3, 0, 0, 0, 0, 0, 0, 0, 'a', 'b', 'c', 2, 0, 0, 0, 0, 0, 0, 0, 'd', 'e' };
    const uint8_t *at;
    size_t place = 0, size;
    cr_assert(networkd_next(bytes, 21, &place, &at, &size) && size == 3 && *at == 'a');
    cr_assert(networkd_next(bytes, 21, &place, &at, &size) && size == 2 && *at == 'd');
    cr_assert(!networkd_next(bytes, 21, &place, &at, &size));
    memset(bytes, 0xff, 8);
    place = 0;
    cr_assert(!networkd_next(bytes, 21, &place, &at, &size), "a length beyond the file");
}

#define ANSWER                                                                                                 \
    "{\"parameters\":{\"Neighbors\":[{\"InterfaceIndex\":2,\"InterfaceName\":\"v0\",\"Neighbors\":[{"          \
    "\"ChassisID\":\"ce:c0:e6:d5:ca:aa\",\"RawChassisID\":[4,206],\"PortID\":\"etp4a\",\"RawPortID\":[7,101]," \
    "\"PortDescription\":\"v1\",\"SystemName\":\"leaf-r1-01\",\"SystemDescription\":\"x\","                    \
    "\"EnabledCapabilities\":128}"                                                                             \
    "]}]}}"

Test(lldp, networkd_answer)
{
    struct networkd_answer *answers = NULL;
    size_t count = 0;
    cr_assert_eq(networkd_answer_parse(ANSWER, strlen(ANSWER) + 1, arena, &answers, &count), 0);
    cr_assert_eq(count, 1);
    cr_assert_str_eq(answers[0].netdev, "v0");
    cr_assert_str_eq(answers[0].neighbor.system, "leaf-r1-01");
    cr_assert(answers[0].neighbor.port_type == PORT_LOCAL && num_is(answers[0].neighbor.enabled, 128));
    cr_assert_eq(networkd_answer_parse("{\"error\":\"x\"}", 13, arena, &answers, &count), -EBADMSG);
    cr_assert_eq(networkd_answer_parse("{\"param", 7, arena, &answers, &count), -EBADMSG);
}

/* What a neighbor is told to be once it was anonymised. */
static struct lldp_neighbor anonymised(const char *hex)
{
    struct bytes out = { 0 };
    struct lldp_neighbor other = { 0 };
    char *line = mem_printf("listened 35\nframe eth0 2 %s\n", hex);
    cr_assert(anonymise_file(FORM_HEARD, "probe/lldp-heard", line, strlen(line), &out));
    const char *at = strstr(out.data, "frame eth0 2 ");
    cr_assert(at, "%s", out.data);
    at += strlen("frame eth0 2 ");
    size_t size = text_to_bytes(at, strcspn(at, "\n"), 0, frame, sizeof(frame));
    cr_assert_eq(lldp_parse(frame, size, arena, &other), 0);
    free(line);
    bytes_free(&out);
    return other;
}

Test(lldp, anonymised)
{
    cr_assert_eq(parse(FRAME_A), 0);
    unsigned priority;
    struct lldp_neighbor other = anonymised(FRAME_A), again = anonymised(FRAME_A);
    cr_assert_str_neq(other.chassis, neighbor.chassis);
    cr_assert_str_neq(other.system, neighbor.system);
    cr_assert_str_neq(other.address, neighbor.address);
    cr_assert(!other.system_description && !strstr(other.port_description, "gpu01"));
    cr_assert(num_is(other.ttl_s, 120) && other.aggregated == TRI_NO);
    cr_assert(lldp_is_same_port(&other, &again), "the same stays the same");
    other = anonymised(FRAME_B);
    cr_assert(other.ieee && other.ieee->pfc_enabled == 8 && qos_roce_priority(other.ieee, &priority) &&
              priority == 3);
    other = anonymised(HEAD CEE "0000");
    cr_assert(other.cee && other.cee->pfc_enabled == 8);
    cr_assert_str_eq(other.port, "swp1");
}

Test(lldp, one_of_several)
{
    struct lldp_neighbor both[2];
    struct netdev netdev = { .name = "eth0", .kind = NETDEV_PHYSICAL };
    cr_assert_eq(parse(FRAME_C), 0);
    both[0] = neighbor;
    cr_assert_eq(parse(HEAD "0000"), 0);
    both[1] = neighbor;
    netdev.lldp.neighbors = both;
    netdev.lldp.count = 2;
    cr_assert_eq(netdev_neighbor(&netdev), &both[1], "the only switch");
    both[0] = both[1];
    both[0].port = "swp2";
    cr_assert_null(netdev_neighbor(&netdev), "two switches");
    netdev.lldp.count = 1;
    cr_assert_eq(netdev_neighbor(&netdev), &both[0]);
}

Test(lldp, why_nothing_is_known)
{
    struct netdev netdev = { .name = "eth0", .kind = NETDEV_PHYSICAL, .driver = "ice" };
    struct host host = { .arena = arena, .netdevs = &netdev, .nnetdevs = 1 };
    cr_assert(strstr(lldp_absence_text(&host, &netdev, arena), "--listen"));
    netdev.lldp.agent = LLDP_LLDPD;
    cr_assert(strstr(lldp_absence_text(&host, &netdev, arena), "lldpcli"));
    host.lldp.listened_s = num_of(35);
    netdev.lldp.firmware_flag = TRI_YES;
    cr_assert_str_eq(
        lldp_absence_text(&host, &netdev, arena),
        "heard nothing on eth0 in 35 s: LLDP is off at the switch, or the NIC's firmware keeps it (its flag "
        "fw-lldp-agent is on)");
    netdev.lldp.listen_err = EPERM;
    cr_assert(strstr(lldp_absence_text(&host, &netdev, arena), "CAP_NET_RAW"));
    netdev.lldp.count = 1;
    cr_assert_null(lldp_absence_text(&host, &netdev, arena));
}

/* -- read from a machine ------------------------------------------------------------------------------------
 */

/* What networkd would have kept of it for interface 2. */
static void keep(const char *hex)
{
    enum { LENGTH = 8 }; /* the frame's, its lowest byte first */
    uint8_t bytes[LENGTH + LLDP_FRAME_MOST] = { 0 };
    len = text_to_bytes(hex, strlen(hex), 0, bytes + LENGTH, LLDP_FRAME_MOST);
    bytes[0] = (uint8_t)len;
    bytes[1] = (uint8_t)(len >> 8);
    tree_bytes("run/systemd/netif/lldp/2", bytes, LENGTH + len);
}

static size_t count_read(const char *ages, const char *heard, struct host **host)
{
    struct source *source = NULL;
    if (ages)
        tree_file("probe/lldp-ages", ages);
    if (heard)
        tree_file("probe/lldp-heard", heard);
    cr_assert_eq(source_open_recording(tree_top(), &source, NULL), 0);
    cr_assert_eq(host_read(source, NEED_NETDEV_ALL | NEED_LLDP, host), 0);
    source_close(source);
    return host_find_netdev(*host, "eth0")->lldp.count;
}

static void make_netdev(void)
{
    tree_make();
    tree_file("sys/class/net/eth0/ifindex", "2\n");
    tree_file("sys/class/net/eth0/address", "02:00:00:00:00:09\n");
    tree_file("sys/class/net/eth1/ifindex", "3\n");
    tree_file("sys/class/net/eth1/address", "50:6b:4b:f6:1e:b3\n");
}

Test(lldp, kept_by_networkd)
{
    struct host *host = NULL;
    make_netdev();
    keep(FRAME_A);
    cr_assert_eq(count_read("2 60\n", NULL, &host), 1);
    cr_assert(host->lldp.kept);
    cr_assert_str_eq(host_find_netdev(host, "eth0")->lldp.neighbors[0].system, "leaf-r1-01");
    host_free(host);
    cr_assert_eq(count_read("2 180\n", NULL, &host), 0, "it was left behind: older than its TTL of 120 s");
    host_free(host);
    tree_remove();
}

Test(lldp, heard_and_leaving)
{
    struct host *host = NULL;
    make_netdev();
    cr_assert_eq(count_read(NULL,
                            "listened 35 interrupted\nframe eth0 2 " FRAME_A
                            "\nframe eth0 3 00\nframe eth9 1 00\n",
                            &host),
                 1);
    cr_assert(num_is(host->lldp.listened_s, 35));
    cr_assert(num_is(host_find_netdev(host, "eth0")->lldp.neighbors[0].age_s, 33));
    host_free(host);
    cr_assert_eq(count_read(NULL,
                            "listened 35\nframe eth0 2 " HEAD "0000\nframe eth0 9 "
                            "0180c200000e02000000000188cc02070402000000000104050573777031060200000000\n",
                            &host),
                 0, "its last frame says that it leaves");
    host_free(host);
    cr_assert_eq(count_read(NULL, "listened 0\nerror eth0 1\n", &host), 0);
    cr_assert(strstr(lldp_absence_text(host, host_find_netdev(host, "eth0"), arena), "CAP_NET_RAW"));
    host_free(host);
    tree_remove();
}

Test(lldp, ourselves_and_twins)
{
    struct host *host = NULL;
    make_netdev();
    cr_assert_eq(count_read(NULL,
                            "listened 35\nframe eth0 2 " FRAME_C "\nframe eth0 2 " FRAME_A
                            "\nframe eth1 3 " FRAME_A "\n",
                            &host),
                 1, "eth1's own firmware is no neighbor");
    const struct netdev *eth0 = host_find_netdev(host, "eth0"), *eth1 = host_find_netdev(host, "eth1");
    cr_assert(text_is(eth0->lldp.twin, "eth1") && text_is(eth1->lldp.twin, "eth0"), "both hear one port");
    host_free(host);
    tree_remove();
}

/* Who listens: networkd by its sockets for LLDP alone, lldpd by one for everything in LLDP's group, a sniffer
 * not. */
Test(lldp, agents)
{
    struct host *host = NULL;
    make_netdev();
    tree_file("sys/class/net/eth0/phys_port_name", "p0\n");
    tree_link("sys/class/net/eth0/device", "../../../devices/pci0000:00/0000:00:01.0");
    tree_file("sys/devices/pci0000:00/0000:00:01.0/vendor", "0x15b3\n");
    tree_link("sys/devices/pci0000:00/0000:00:01.0/subsystem", "../../../bus/pci");
    tree_file("sys/bus/pci/drivers_probe", "");
    tree_file("run/lldpd/x", "");
    tree_file("proc/net/packet", "sk               RefCnt Type Proto  Iface R Rmem   User   Inode\n"
                                 "0000000000000000 3      3    0003   2     1 0      0      31415\n");
    tree_file("proc/net/dev_mcast", "2    eth0            1     0     01005e000001\n");
    count_read(NULL, NULL, &host);
    cr_assert_eq(host_find_netdev(host, "eth0")->lldp.agent, LLDP_NOBODY, "it joined no group");
    host_free(host);
    tree_file("proc/net/dev_mcast", "2    eth0            1     0     0180c200000e\n");
    count_read(NULL, NULL, &host);
    cr_assert_eq(host_find_netdev(host, "eth0")->lldp.agent, LLDP_LLDPD);
    host_free(host);
    tree_file("proc/net/packet", "0000000000000000 3      3    88cc   2     1 0      998    31415\n");
    count_read(NULL, NULL, &host);
    cr_assert_eq(host_find_netdev(host, "eth0")->lldp.agent, LLDP_NETWORKD);
    host_free(host);
    tree_remove();
}
