/* SPDX-License-Identifier: MIT */
/* Netlink bytes: walking messages and attributes that lie, and what nldev and rtnetlink say. */
#include "netlink_bytes.h"

#include <arpa/inet.h>
#include <byteswap.h>
#include <criterion/criterion.h>
#include <linux/fib_rules.h>
#include <linux/rtnetlink.h>

#include "source/netlink/ask.h"
#include "source/netlink/message.h"
#include "source/netlink/parsers.h"
#include "source/recording/lines.h"

static struct arena *arena;

static void setup(void)
{
    arena = arena_new();
}

static void teardown(void)
{
    arena_free(arena);
}

TestSuite(netlink, .init = setup, .fini = teardown);

Test(netlink, a_message_longer_than_the_reply_ends_the_walk)
{
    static const uint32_t lengths[] = { 0, 15, 21, 0x80000000u, UINT32_MAX };
    for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
        struct nlbytes bytes = { 0 };
        nlbytes_message(&bytes, 0x1401, "abcd", 4);
        memcpy(bytes.data, &lengths[i], 4);
        struct messages messages = messages_of(bytes.data, bytes.len);
        struct message message;
        cr_expect_not(messages_next(&messages, &message), "length %u", lengths[i]);
        cr_expect(messages.broken, "length %u", lengths[i]);
        cr_expect_not(messages_next(&messages, &message));
    }
}

Test(netlink, what_closes_a_reply_is_no_answer)
{
    struct nlbytes bytes = { 0 };
    int none = 0;
    nlbytes_message(&bytes, RTM_NEWLINK, NULL, 0);
    nlbytes_end(&bytes);
    nlbytes_message(&bytes, NLMSG_DONE, &none, sizeof(none));
    nlbytes_end(&bytes);
    struct messages messages = messages_of(bytes.data, bytes.len);
    struct message message;
    cr_assert(messages_next_answer(&messages, &message));
    cr_expect_eq(message.header->nlmsg_type, RTM_NEWLINK);
    cr_expect_not(messages_next_answer(&messages, &message));
    cr_expect_not(messages.broken);
}

Test(netlink, an_errno_out_of_range_is_none)
{
    static const struct {
        int32_t said;
        int meant;
    } cases[] = { { 0, 0 }, { -EPERM, -EPERM }, { 7, -EBADMSG }, { -5000, -EBADMSG } };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct nlbytes bytes = { 0 };
        nlbytes_message(&bytes, NLMSG_ERROR, &cases[i].said, sizeof(cases[i].said));
        nlbytes_end(&bytes);
        struct messages messages = messages_of(bytes.data, bytes.len);
        struct message message;
        cr_assert(messages_next(&messages, &message));
        cr_expect_eq(message_error(&message), cases[i].meant, "%d", cases[i].said);
    }
}

Test(netlink, a_broken_attribute_hides_those_behind_it_only)
{
    struct nlbytes bytes = { 0 };
    nlbytes_u32(&bytes, 1, 11);
    size_t broken = nlbytes_attr(&bytes, 2, "abcd", 4);
    nlbytes_u32(&bytes, 3, 33);
    bytes.data[broken] = 3; /* less than its own header */
    struct attr_walk walk = attr_walk(bytes.data, bytes.len);
    cr_expect_not(attr_walk_is_sound(walk));
    cr_expect(num_is(attr_number(attr_find(walk, 1), 4), 11));
    cr_expect_null(attr_find(walk, 2));
    cr_expect_null(attr_find(walk, 3));
    cr_expect_not(attr_number(attr_find(walk, 3), 4).known);
    cr_expect_not(attr_number(attr_find(walk, 1), 8).known, "four bytes are no u64");
    struct message short_one = { .payload = bytes.data, .len = 8 };
    cr_expect_null(attr_find(attr_walk_after(&short_one, 100), 1));
}

Test(netlink, text_without_its_nul_stays_inside)
{
    struct nlbytes bytes = { 0 };
    nlbytes_attr(&bytes, 1, "rxe0", 4);
    nlbytes_attr(&bytes, 2, "x\0yz", 4);
    struct attr_walk walk = attr_walk(bytes.data, bytes.len);
    cr_assert(attr_walk_is_sound(walk));
    cr_expect_str_eq(attr_text(attr_find(walk, 1), arena), "rxe0");
    cr_expect_str_eq(attr_text(attr_find(walk, 2), arena), "x");
    cr_expect_null(attr_text(attr_find(walk, 3), arena));
}

/* An answer to nldev GET, laid out as drivers/infiniband/core/nldev.c does for an rxe device. */
static const uint8_t device_reply[] = {
    0x7c, 0x00, 0x00, 0x00, 0x01, 0x14, 0x02, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, /* header */
    0x08, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00,                         /* index 0 */
    0x09, 0x00, 0x02, 0x00, 'r',  'x',  'e',  '0',  0x00, 0x00, 0x00, 0x00, /* name */
    0x08, 0x00, 0x03, 0x00, 0x01, 0x00, 0x00, 0x00,                         /* 1 port */
    0x0c, 0x00, 0x04, 0x00, 0x76, 0x1c, 0x22, 0x01, 0x00, 0x00, 0x00, 0x00, /* caps */
    0x0c, 0x00, 0x06, 0x00, 0x01, 0x00, 0x00, 0xfe, 0xff, 0x00, 0x00, 0x02, /* GUID */
    0x0c, 0x00, 0x07, 0x00, 0x01, 0x00, 0x00, 0xfe, 0xff, 0x00, 0x00, 0x02, /* image */
    0x05, 0x00, 0x0e, 0x00, 0x01, 0x00, 0x00, 0x00,                         /* CA */
    0x05, 0x00, 0x54, 0x00, 0x00, 0x00, 0x00, 0x00,                         /* DIM */
    0x09, 0x00, 0x43, 0x00, 'r',  'o',  'c',  'e',  0x00, 0x00, 0x00, 0x00, /* protocol */
    0x08, 0x00, 0x80, 0x00, 0x00, 0x00, 0x00, 0x00,                         /* one that we don't know */
    0x08, 0x00, 0xff, 0x3f, 0x00, 0x00, 0x00, 0x00,                         /* and one beyond the table */
};

Test(netlink, nldev_tells_devices)
{
    _Alignas(8) uint8_t bytes[sizeof(device_reply)];
    memcpy(bytes, device_reply, sizeof(bytes));
    struct device device = { .name = "rxe0" };
    cr_assert_eq(answer_fill(&nldev_devices, bytes, sizeof(bytes), arena, &device), 0);
    cr_expect(num_is(device.index, 0));
    cr_expect_str_eq(device.protocol, "roce");
}

Test(netlink, a_reply_cut_short_is_no_answer)
{
    _Alignas(8) uint8_t bytes[sizeof(device_reply)];
    memcpy(bytes, device_reply, sizeof(bytes));
    for (size_t len = 1; len < sizeof(bytes); len++) {
        struct device device = { 0 };
        cr_expect_eq(answer_fill(&nldev_devices, bytes, len, arena, &device), -EBADMSG, "%zu bytes", len);
        cr_expect_not(device.index.known);
    }
}

Test(netlink, a_port_may_answer_with_the_type_of_GET)
{
    static const uint16_t types[] = { 0x1401, 0x1405 };
    for (size_t i = 0; i < 2; i++) {
        struct nlbytes bytes = { 0 };
        struct port port = { 0 };
        nlbytes_message(&bytes, types[i], NULL, 0);
        nlbytes_u32(&bytes, RDMA_NLDEV_ATTR_DEV_INDEX, 3);
        nlbytes_u32(&bytes, RDMA_NLDEV_ATTR_PORT_INDEX, 2);
        nlbytes_u32(&bytes, RDMA_NLDEV_ATTR_NDEV_INDEX, 9);
        nlbytes_text(&bytes, RDMA_NLDEV_ATTR_NDEV_NAME, "ens1f1np1");
        nlbytes_end(&bytes);
        cr_assert_eq(answer_fill_each(&nldev_ports, bytes.data, bytes.len, arena, &port), 0);
        cr_expect(port.nldev_answered);
        cr_expect_str_eq(port.netdev_nldev, "ens1f1np1");
    }
}

static void put_counter(struct nlbytes *bytes, const char *name, const uint64_t *value)
{
    size_t entry = nlbytes_attr(bytes, RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY, NULL, 0);
    if (name)
        nlbytes_text(bytes, RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY_NAME, name);
    if (value)
        nlbytes_attr(bytes, RDMA_NLDEV_ATTR_STAT_HWCOUNTER_ENTRY_VALUE, value, sizeof(*value));
    nlbytes_close(bytes, entry);
}

Test(netlink, values_of_counters_need_a_name_and_a_number)
{
    struct nlbytes bytes = { 0 };
    const uint64_t large = 0xfffffffffffffffe, seven = 7;
    nlbytes_message(&bytes, 0x1411, NULL, 0);
    nlbytes_u32(&bytes, RDMA_NLDEV_ATTR_PORT_INDEX, 1);
    size_t table = nlbytes_attr(&bytes, RDMA_NLDEV_ATTR_STAT_HWCOUNTERS, NULL, 0);
    put_counter(&bytes, "sent_pkts", &large);
    put_counter(&bytes, NULL, &seven);
    put_counter(&bytes, "send_err", NULL);
    put_counter(&bytes, "rcvd_pkts", &seven);
    nlbytes_close(&bytes, table);
    nlbytes_end(&bytes);
    struct counter_values values = { 0 };
    cr_assert_eq(answer_fill(&nldev_values, bytes.data, bytes.len, arena, &values), 0);
    cr_assert_eq(values.count, 2);
    cr_expect_str_eq(values.items[0].name, "sent_pkts");
    cr_expect(num_is(values.items[0].value, large));
    cr_expect_str_eq(values.items[1].name, "rcvd_pkts");
    cr_expect(num_is(values.items[1].value, 7));
    values.count = 0;
    cr_expect_eq(answer_fill(&nldev_values, bytes.data, bytes.len - 4, arena, &values), -EBADMSG);
    cr_expect_eq(values.count, 0);
}

static void put_vlan(struct nlbytes *bytes)
{
    static const struct ifla_vlan_qos_mapping mappings[] = { { .from = 2, .to = 3 }, { .from = 4, .to = 5 } };
    struct ifinfomsg info = { .ifi_index = 7, .ifi_type = 1, .ifi_flags = 0x1003 };
    static const uint8_t mac[6] = { 2, 0, 0, 0, 0, 1 }, switch_id[3] = { 0x0a, 0xb0, 0xff };
    uint16_t id = 7, protocol = htons(0x8100);
    uint8_t operstate = 6;
    nlbytes_message(bytes, RTM_NEWLINK, &info, sizeof(info));
    nlbytes_text(bytes, IFLA_IFNAME, "eth0.7");
    nlbytes_attr(bytes, IFLA_ADDRESS, mac, sizeof(mac));
    nlbytes_attr(bytes, IFLA_PHYS_SWITCH_ID, switch_id, sizeof(switch_id));
    nlbytes_u32(bytes, IFLA_MTU, 4200);
    nlbytes_u32(bytes, IFLA_LINK, 3);
    nlbytes_attr(bytes, IFLA_OPERSTATE, &operstate, 1);
    size_t linkinfo = nlbytes_attr(bytes, IFLA_LINKINFO, NULL,
                                   0); /* without NLA_F_NESTED, as the kernel does */
    nlbytes_text(bytes, IFLA_INFO_KIND, "vlan");
    size_t data = nlbytes_attr(bytes, IFLA_INFO_DATA | NLA_F_NESTED, NULL, 0);
    nlbytes_attr(bytes, IFLA_VLAN_ID, &id, sizeof(id));
    nlbytes_attr(bytes, IFLA_VLAN_PROTOCOL, &protocol, sizeof(protocol));
    size_t egress = nlbytes_attr(bytes, IFLA_VLAN_EGRESS_QOS | NLA_F_NESTED, NULL, 0);
    nlbytes_attr(bytes, IFLA_VLAN_QOS_MAPPING, &mappings[0], sizeof(mappings[0]));
    nlbytes_attr(bytes, IFLA_VLAN_QOS_MAPPING, &mappings[1], sizeof(mappings[1]) - 1); /* cut short */
    nlbytes_attr(bytes, IFLA_VLAN_QOS_MAPPING, &mappings[1], sizeof(mappings[1]));
    nlbytes_close(bytes, egress);
    nlbytes_close(bytes, data);
    nlbytes_close(bytes, linkinfo);
    nlbytes_end(bytes);
}

Test(netlink, a_vlan_tells_its_id_and_what_is_below)
{
    struct nlbytes bytes = { 0 };
    put_vlan(&bytes);
    struct netdev *links = NULL;
    size_t count = 0;
    cr_assert_eq(ANSWER_LIST(&rtnl_links, bytes.data, bytes.len, arena, &links, &count), 0);
    cr_assert_eq(count, 1);
    cr_expect_str_eq(links[0].name, "eth0.7");
    cr_expect_str_eq(links[0].kind_text, "vlan");
    cr_expect_str_eq(links[0].mac, "02:00:00:00:00:01");
    cr_expect_str_eq(links[0].phys_switch_id, "0ab0ff");
    cr_expect(num_is(links[0].vlan_id, 7));
    cr_expect_str_eq(links[0].vlan_protocol, "802.1Q");
    cr_assert_eq(links[0].negress, 2, "an entry cut short is none");
    cr_expect(links[0].egress[0].priority == 2 && links[0].egress[0].pcp == 3);
    cr_expect(links[0].egress[1].priority == 4 && links[0].egress[1].pcp == 5);
    cr_expect(num_is(links[0].lower_ifindex, 3));
    cr_expect_not(links[0].lower_netnsid.known);
    cr_expect_str_eq(links[0].operstate, "up");
}

/* bond_fill_info (drivers/net/bonding/bond_netlink.c) tells who asks without privilege no actor, but the
 * partner. */
Test(netlink, a_bond_tells_its_lacp_partner)
{
    static const uint8_t partner[6] = { 0xc4, 0x70, 0xbd, 0, 0, 1 };
    struct nlbytes bytes = { 0 };
    struct ifinfomsg info = { .ifi_index = 9 };
    nlbytes_message(&bytes, RTM_NEWLINK, &info, sizeof(info));
    nlbytes_text(&bytes, IFLA_IFNAME, "bond0");
    size_t linkinfo = nlbytes_attr(&bytes, IFLA_LINKINFO, NULL, 0);
    nlbytes_text(&bytes, IFLA_INFO_KIND, "bond");
    size_t data = nlbytes_attr(&bytes, IFLA_INFO_DATA | NLA_F_NESTED, NULL, 0);
    size_t ad = nlbytes_attr(&bytes, IFLA_BOND_AD_INFO | NLA_F_NESTED, NULL, 0);
    nlbytes_attr(&bytes, IFLA_BOND_AD_INFO_PARTNER_MAC, partner, sizeof(partner));
    nlbytes_close(&bytes, ad);
    nlbytes_close(&bytes, data);
    nlbytes_close(&bytes, linkinfo);
    nlbytes_end(&bytes);
    struct netdev *links = NULL;
    size_t count = 0;
    cr_assert_eq(ANSWER_LIST(&rtnl_links, bytes.data, bytes.len, arena, &links, &count), 0);
    cr_assert_eq(count, 1);
    cr_expect_str_eq(links[0].bond->ad_partner_mac, "c4:70:bd:00:00:01");
}

Test(netlink, a_vrf_tells_its_table)
{
    struct nlbytes bytes = { 0 };
    struct ifinfomsg info = { .ifi_index = 9 };
    nlbytes_message(&bytes, RTM_NEWLINK, &info, sizeof(info));
    nlbytes_text(&bytes, IFLA_IFNAME, "blue");
    size_t linkinfo = nlbytes_attr(&bytes, IFLA_LINKINFO, NULL, 0);
    nlbytes_text(&bytes, IFLA_INFO_KIND, "vrf");
    size_t data = nlbytes_attr(&bytes, IFLA_INFO_DATA | NLA_F_NESTED, NULL, 0);
    nlbytes_u32(&bytes, IFLA_VRF_TABLE, 1001);
    nlbytes_close(&bytes, data);
    nlbytes_close(&bytes, linkinfo);
    nlbytes_end(&bytes);
    struct netdev netdev = { 0 };
    cr_assert_eq(answer_fill(&rtnl_links, bytes.data, bytes.len, arena, &netdev), 0);
    cr_expect(num_is(netdev.vrf_table, 1001));
}

Test(netlink, a_point_to_point_address_has_a_peer)
{
    struct nlbytes bytes = { 0 };
    struct ifaddrmsg info = { .ifa_family = AF_INET, .ifa_prefixlen = 32, .ifa_index = 6 };
    static const uint8_t local[4] = { 10, 9, 0, 5 }, peer[4] = { 10, 9, 0, 6 };
    struct ifa_cacheinfo for_ever = { .ifa_prefered = UINT32_MAX, .ifa_valid = UINT32_MAX };
    nlbytes_message(&bytes, RTM_NEWADDR, &info, sizeof(info));
    nlbytes_attr(&bytes, IFA_ADDRESS, peer, 4);
    nlbytes_attr(&bytes, IFA_LOCAL, local, 4);
    nlbytes_u32(&bytes, IFA_FLAGS, 0x80);
    nlbytes_attr(&bytes, IFA_CACHEINFO, &for_ever, sizeof(for_ever));
    nlbytes_end(&bytes);
    struct rtnl_address *addresses = NULL;
    size_t count = 0;
    cr_assert_eq(ANSWER_LIST(&rtnl_addresses, bytes.data, bytes.len, arena, &addresses, &count), 0);
    cr_assert_eq(count, 1);
    cr_expect_arr_eq(addresses[0].address.raw, local, 4);
    cr_expect_arr_eq(addresses[0].address.peer, peer, 4);
    cr_expect_eq(addresses[0].address.flags, 0x80);
    cr_expect_not(addresses[0].address.valid_s.known, "it stays");
}

Test(netlink, an_address_with_a_lifetime)
{
    struct ifaddrmsg info = { .ifa_family = AF_INET, .ifa_prefixlen = 24, .ifa_index = 6 };
    struct ifa_cacheinfo lease = { .ifa_prefered = 1800, .ifa_valid = 3412, .cstamp = 7, .tstamp = 9 };
    static const uint8_t local[4] = { 10, 9, 0, 5 };
    for (size_t cut = 0; cut < 2; cut++) {
        struct nlbytes bytes = { 0 };
        struct rtnl_address *addresses = NULL;
        size_t count = 0;
        nlbytes_message(&bytes, RTM_NEWADDR, &info, sizeof(info));
        nlbytes_attr(&bytes, IFA_LOCAL, local, 4);
        nlbytes_attr(&bytes, IFA_CACHEINFO, &lease, sizeof(lease) - cut);
        nlbytes_end(&bytes);
        cr_assert_eq(ANSWER_LIST(&rtnl_addresses, bytes.data, bytes.len, arena, &addresses, &count), 0);
        cr_assert_eq(count, 1);
        cr_expect_eq(addresses[0].address.valid_s.known, !cut);
        cr_expect_eq(addresses[0].address.valid_s.value, cut ? 0 : 3412);
    }
}

/* Hours are enough to judge by, and so two recordings of an idle machine are the same. */
Test(netlink, lifetimes_settle_to_whole_hours)
{
    static const uint32_t cases[][2] = {
        { 3412, 3600 }, { 3600, 3600 }, { 3601, 7200 }, { 0, 0 }, { UINT32_MAX, UINT32_MAX }
    };
    struct ifaddrmsg info = { .ifa_family = AF_INET, .ifa_prefixlen = 24, .ifa_index = 6 };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct nlbytes bytes = { 0 };
        struct ifa_cacheinfo is = { cases[i][0], cases[i][0], 7, 9 }, found;
        nlbytes_message(&bytes, RTM_NEWADDR, &info, sizeof(info));
        size_t at = nlbytes_attr(&bytes, IFA_CACHEINFO, &is, sizeof(is));
        nlbytes_end(&bytes);
        cr_assert_eq(settle("netlink/rtnl-addresses", bytes.data, bytes.len), bytes.len);
        memcpy(&found, bytes.data + at + NLA_HDRLEN, sizeof(found));
        cr_expect_eq(found.ifa_valid, cases[i][1]);
        cr_expect_eq(found.ifa_prefered, cases[i][1]);
        cr_expect(found.cstamp == 0 && found.tstamp == 0);
    }
}

static void put_hop(struct nlbytes *bytes, struct rtnexthop hop, const uint8_t gateway[static 4])
{
    size_t at = bytes->len;
    nlbytes_put(bytes, &hop, sizeof(hop));
    nlbytes_attr(bytes, RTA_GATEWAY, gateway, 4);
    hop.rtnh_len = (uint16_t)(bytes->len - at);
    memcpy(bytes->data + at, &hop, sizeof(hop));
}

Test(netlink, a_route_with_several_hops_is_as_many_routes)
{
    struct nlbytes bytes = { 0 };
    struct rtmsg info = { .rtm_family = AF_INET, .rtm_table = 254, .rtm_type = 1 };
    static const uint8_t gateways[2][4] = { { 10, 0, 0, 254 }, { 10, 0, 1, 254 } };
    nlbytes_message(&bytes, RTM_NEWROUTE, &info, sizeof(info));
    size_t multipath = nlbytes_attr(&bytes, RTA_MULTIPATH, NULL, 0);
    put_hop(&bytes, (struct rtnexthop){ .rtnh_ifindex = 4 }, gateways[0]);
    put_hop(&bytes, (struct rtnexthop){ .rtnh_ifindex = 5, .rtnh_flags = RTNH_F_DEAD }, gateways[1]);
    nlbytes_close(&bytes, multipath);
    nlbytes_end(&bytes);
    struct host host = { 0 };
    cr_assert_eq(answer_fill_each(&rtnl_routes, bytes.data, bytes.len, arena, &host), 0);
    cr_assert_eq(host.nroutes, 2);
    for (size_t i = 0; i < 2; i++) {
        cr_expect(num_is(host.routes[i].ifindex, 4 + i));
        cr_assert(host.routes[i].has_gateway);
        cr_expect_arr_eq(host.routes[i].gateway, gateways[i], 4);
        cr_expect_eq(host.routes[i].prefix, 0);
        cr_expect_eq(host.routes[i].dead, i == 1);
    }
    /* a hop that is longer than what is left of it */
    struct rtnexthop broken = { .rtnh_len = 200, .rtnh_ifindex = 4 };
    memcpy(bytes.data + multipath + sizeof(struct nlattr), &broken, sizeof(broken));
    host = (struct host){ 0 };
    cr_expect_eq(answer_fill_each(&rtnl_routes, bytes.data, bytes.len, arena, &host), -EBADMSG);
    cr_expect_eq(host.nroutes, 0);
}

/* One rule of IPv4 to a table, with an attribute more. */
static struct rule rule_with(struct fib_rule_hdr info, uint16_t type, const void *data, size_t len)
{
    struct nlbytes bytes = { 0 };
    struct rule *rules = NULL;
    size_t count = 0;
    info.family = AF_INET;
    info.action = info.action ? info.action : FR_ACT_TO_TBL;
    nlbytes_message(&bytes, RTM_NEWRULE, &info, sizeof(info));
    nlbytes_u32(&bytes, FRA_PRIORITY, 100);
    nlbytes_attr(&bytes, type, data, len);
    nlbytes_end(&bytes);
    cr_assert_eq(ANSWER_LIST(&rtnl_rules, bytes.data, bytes.len, arena, &rules, &count), 0);
    cr_assert_eq(count, 1);
    return rules[0];
}

Test(netlink, what_a_rule_asks_for_besides_addresses)
{
    static const uint32_t none = UINT32_MAX, zero = 0;
    static const uint8_t one = 1;
    struct rule rule = rule_with((struct fib_rule_hdr){ 0 }, FRA_SUPPRESS_PREFIXLEN, &none, 4);
    cr_expect_not(rule.suppress_prefix.known || rule.odd || rule.narrowed || rule.l3mdev);
    cr_expect(
        num_is(rule_with((struct fib_rule_hdr){ 0 }, FRA_SUPPRESS_PREFIXLEN, &zero, 4).suppress_prefix, 0));
    cr_expect(rule_with((struct fib_rule_hdr){ 0 }, FRA_SUPPRESS_IFGROUP, &zero, 4).odd);
    cr_expect_not(rule_with((struct fib_rule_hdr){ 0 }, FRA_SUPPRESS_IFGROUP, &none, 4).odd);
    cr_expect(rule_with((struct fib_rule_hdr){ 0 }, FRA_L3MDEV, &one, 1).l3mdev);
    cr_expect(rule_with((struct fib_rule_hdr){ 0 }, FRA_IP_PROTO, &one, 1).narrowed);
    cr_expect(rule_with((struct fib_rule_hdr){ .tos = 0x10 }, FRA_PROTOCOL, &one, 1).narrowed);
    cr_expect(rule_with((struct fib_rule_hdr){ 0 }, RULE_DSCP, &one, 1).odd);
    cr_expect(rule_with((struct fib_rule_hdr){ 0 }, FRA_UID_RANGE, (uint32_t[]){ 0, 0 }, 8).odd);
    cr_expect(rule_with((struct fib_rule_hdr){ .flags = FIB_RULE_INVERT }, FRA_PROTOCOL, &one, 1).odd);
    cr_expect(rule_with((struct fib_rule_hdr){ .action = FR_ACT_GOTO }, FRA_GOTO, &none, 4).odd);
}

/* A root qdisc's answer; taprio has the map among its attributes. */
static struct nlbytes qdisc(const char *kind, uint32_t parent, const struct tc_mqprio_qopt *map, size_t len)
{
    struct nlbytes bytes = { 0 };
    struct tcmsg message = { .tcm_ifindex = 2, .tcm_parent = parent };
    nlbytes_message(&bytes, RTM_NEWQDISC, &message, sizeof(message));
    nlbytes_text(&bytes, TCA_KIND, kind);
    if (strcmp(kind, "taprio") == 0) {
        size_t nest = nlbytes_attr(&bytes, TCA_OPTIONS | NLA_F_NESTED, NULL, 0);
        nlbytes_attr(&bytes, TCA_TAPRIO_ATTR_PRIOMAP, map, len);
        nlbytes_close(&bytes, nest);
    } else {
        nlbytes_attr(&bytes, TCA_OPTIONS, map, len);
    }
    nlbytes_end(&bytes);
    return bytes;
}

Test(netlink, a_qdisc_tells_its_traffic_classes)
{
    struct tc_mqprio_qopt map = { .num_tc = 4, .prio_tc_map = { 0, 1, 3, 2 } };
    static const char *const kinds[] = { "mqprio", "taprio" };
    const struct traffic_classes *classes;
    for (size_t i = 0; i < 2; i++) {
        struct nlbytes bytes = qdisc(kinds[i], TC_H_ROOT, &map, sizeof(map));
        cr_assert_eq(rtnl_parse_qdisc(bytes.data, bytes.len, arena, &classes), 0);
        cr_assert(classes);
        cr_expect_str_eq(classes->by, kinds[i]);
        cr_expect_arr_eq(classes->of_priority, map.prio_tc_map, sizeof(map.prio_tc_map));
        bytes = qdisc(kinds[i], 1 << 16, &map, sizeof(map)); /* below another */
        rtnl_parse_qdisc(bytes.data, bytes.len, arena, &classes);
        cr_expect_null(classes);
        bytes = qdisc(kinds[i], TC_H_ROOT, &map, sizeof(map) - 1); /* cut */
        rtnl_parse_qdisc(bytes.data, bytes.len, arena, &classes);
        cr_expect_null(classes);
    }
    struct nlbytes other = qdisc("mq", TC_H_ROOT, &map, sizeof(map));
    rtnl_parse_qdisc(other.data, other.len, arena, &classes);
    cr_expect_null(classes);
    map.prio_tc_map[9] = 4; /* a class that it hasn't */
    other = qdisc("mqprio", TC_H_ROOT, &map, sizeof(map));
    rtnl_parse_qdisc(other.data, other.len, arena, &classes);
    cr_expect_null(classes);
}

Test(question, each_has_a_name_of_its_own_that_leads_back)
{
    struct subject subject = { .name = "mlx5_0", .index = 3, .port = 1, .family = 20 };
    for (int id = 0; id < QUESTIONS; id++) {
        const struct question *question = question_of((enum question_id)id);
        char name[64];
        cr_assert(question->name, "question %d", id);
        cr_assert_eq(question_name(question, &subject, name, sizeof(name)), 0);
        cr_expect_eq(question_named(name), question, "%s", name);
        cr_expect_eq(question_name(question, &subject, name, strlen(name)), -ENAMETOOLONG, "%s", name);
    }
    static const char *const none[] = { "", ".", "rtnl", "rtnl-links.eth0", "nldev-qp", "nldev-qpx.mlx5_0" };
    for (size_t i = 0; i < ARRAY_SIZE(none); i++)
        cr_expect_null(question_named(none[i]), "%s", none[i]);
}

Test(question, a_request_has_its_subject)
{
    struct subject subject = { .name = "mlx5_0", .index = 3, .port = 2, .family = 20 };
    struct request request;
    question_build(question_of(ASK_VALUES), &subject, &request);
    cr_expect_eq(request.header.nlmsg_type, 0x1411);
    cr_expect_eq(request.header.nlmsg_flags, NLM_F_REQUEST);
    struct attr_walk walk = attr_walk(request.room + sizeof(request.header),
                                      request.header.nlmsg_len - sizeof(request.header));
    cr_assert(attr_walk_is_sound(walk));
    cr_expect(num_is(attr_number(attr_find(walk, RDMA_NLDEV_ATTR_DEV_INDEX), 4), 3));
    cr_expect(num_is(attr_number(attr_find(walk, RDMA_NLDEV_ATTR_PORT_INDEX), 4), 2));
    question_build(question_of(ASK_PAUSE), &subject, &request);
    cr_expect_eq(request.header.nlmsg_type, 20, "the family's id, not the command");
    question_build(question_of(ASK_ETHTOOL), NULL, &request);
    cr_expect_eq(request.header.nlmsg_type, 16);
    question_build(question_of(ASK_LINKS), NULL, &request);
    cr_expect_eq(request.header.nlmsg_flags, NLM_F_REQUEST | NLM_F_DUMP);
}

/* A message of one attribute as a machine of the other byte order gives it. */
static void put_foreign(struct nlbytes *bytes, uint16_t type, const void *fixed, size_t size,
                        uint16_t attr_type, const void *value, uint16_t value_size)
{
    struct nlattr attr = { bswap_16((uint16_t)(NLA_HDRLEN + value_size)), bswap_16(attr_type) };
    char payload[256] = { 0 };
    memcpy(payload, fixed, size);
    memcpy(payload + size, &attr, sizeof(attr));
    memcpy(payload + size + NLA_HDRLEN, value, value_size);
    size_t at = bytes->len;
    nlbytes_message(bytes, type, payload, size + NLA_ALIGN(NLA_HDRLEN + (size_t)value_size));
    struct nlmsghdr *header = (void *)(bytes->data + at);
    header->nlmsg_len = bswap_32((uint32_t)(bytes->len - at));
    header->nlmsg_type = bswap_16(header->nlmsg_type);
    header->nlmsg_flags = bswap_16(header->nlmsg_flags);
}

Test(netlink, an_answer_of_the_other_byte_order_is_read)
{
    struct nlbytes bytes = { 0 };
    struct ifaddrmsg info = { .ifa_family = AF_INET, .ifa_prefixlen = 24, .ifa_index = bswap_32(7) };
    uint32_t address = htonl(0x0a000001), flags = bswap_32(IFA_F_PERMANENT);
    struct rtnl_address *addresses = NULL;
    size_t count = 0;
    put_foreign(&bytes, RTM_NEWADDR, &info, sizeof(info), IFA_ADDRESS, &address, sizeof(address));
    put_foreign(&bytes, RTM_NEWADDR, &info, sizeof(info), IFA_FLAGS, &flags, sizeof(flags));
    cr_assert_eq(ANSWER_LIST(&rtnl_addresses, bytes.data, bytes.len, arena, &addresses, &count), 0);
    cr_assert_neq(order16(1), 1);
    cr_assert_geq(count, 1);
    cr_expect_eq(addresses[0].ifindex.value, 7);
    cr_expect_eq(addresses[0].address.raw[3], 1);
    /* and the next one is of this machine's again */
    bytes.len = 0;
    nlbytes_message(&bytes, 0x1401, "abcd", 4);
    nlbytes_end(&bytes);
    struct messages messages = messages_of(bytes.data, bytes.len);
    struct message message;
    cr_expect(messages_next(&messages, &message));
    cr_expect_eq(message.type, 0x1401);
    cr_expect_eq(order16(1), 1);
}

/* -- each attribute that is read of netlink's answers --------------------------------------------------- */

#define CANARY "canary of acme"

/* A value of the row's type, then bytes that nobody asks for. Whoever isn't a number or a struct has the canary
 * in it. */
static size_t put_attribute(const struct attr_row *row, struct nlbytes *bytes, bool trailing)
{
    static const char numbers[256] = { 1 };
    size_t len = row->most ? row->most : row->keep == KEEP_GUID ? 8 : 4;
    bool is_text = row->keep == KEEP_NAME || row->keep == KEEP_MODULE || row->keep == KEEP_WORD ||
                   row->keep == KEEP_TEXT;
    char value[512] = { 0 };
    memcpy(value, numbers, len < sizeof(numbers) ? len : sizeof(numbers));
    if (row->keep == KEEP_SOCKET_ADDRESS)
        memcpy(value, &(struct sockaddr_in){ .sin_family = AF_INET, .sin_port = 5 },
               len = sizeof(struct sockaddr_in));
    if (is_text)
        len = (size_t)snprintf(value, sizeof(value), "%s",
                               row->keep == KEEP_WORD || row->keep == KEEP_TEXT ? "word" : CANARY) +
              1;
    if (trailing) {
        memcpy(value + len, CANARY, sizeof(CANARY));
        len += sizeof(CANARY);
    }
    return nlbytes_attr(bytes, row->type ? row->type : 7, value, len);
}

/* The rows of a table, the nests of it as well, as what one message may hold; depth: as no table goes. */
static void put_rows(const struct attr_row *table, struct nlbytes *bytes, bool trailing)
{
    for (const struct attr_row *row = table; row->keep != KEEP_END; row++) {
        if (row->type == ATTRIBUTE_AND) {
            put_rows(row->nest, bytes, trailing);
        } else if (row->choices) {
            nlbytes_text(bytes, row->by, row->choices[0].word);
            size_t nest = nlbytes_attr(bytes, row->type, NULL, 0);
            put_rows(row->choices[0].as.nest, bytes, trailing);
            nlbytes_close(bytes, nest);
        } else if (row->nest) {
            size_t nest = nlbytes_attr(bytes, row->type, NULL, 0);
            put_rows(row->nest, bytes, trailing);
            nlbytes_close(bytes, nest);
        } else {
            put_attribute(row, bytes, trailing);
        }
    }
    nlbytes_text(bytes, 0x3fe, CANARY);
}

/* How many attributes there are, with those in nests that the table has. */
static size_t count_attributes(const struct attr_row *table, const void *data, size_t len)
{
    struct attr_walk walk = attr_walk(data, len);
    const struct nlattr *attr;
    size_t count = 0;
    while ((attr = attr_walk_next(&walk))) {
        const struct attr_row *row = table;
        while (row->keep != KEEP_END && !attribute_is(row, attr))
            row++;
        const struct attr_row *chosen = row->keep == KEEP_END ? NULL
                                                              : attribute_choose(row, attr_walk(data, len));
        size_t size;
        const void *inner = attr_bytes(attr, &size);
        count += 1 + (chosen && chosen->nest ? count_attributes(chosen->nest, inner, size) : 0);
    }
    return count;
}

Test(netlink, no_attribute_of_an_answer_keeps_what_is_not_read)
{
    for (int id = 0; id < QUESTIONS; id++) {
        const struct question *question = question_of((enum question_id)id);
        static const char fixed[256];
        size_t counts[2], header = question->answer ? NLMSG_ALIGN(question->answer->header) : 0;
        char name[64];
        question_name(question, &(struct subject){ .name = "eth0", .port = 1 }, name, sizeof(name));
        for (int trailing = 0; question->answer && trailing < 2; trailing++) {
            struct nlbytes bytes = { 0 };
            struct bytes out = { 0 };
            uint16_t type = question->answer->type ? question->answer->type : 0x1401;
            nlbytes_message(&bytes, type, fixed, question->answer->header);
            put_rows(question->answer->table, &bytes, trailing);
            nlbytes_end(&bytes);
            cr_assert(anonymise_reply(name, bytes.data, bytes.len, &out), "%s", name);
            cr_expect_not(memmem(out.data, out.len, "canary", 6), "%s: %d", name, trailing);
            cr_expect_not(memmem(out.data, out.len, "acme", 4), "%s: %d", name, trailing);
            counts[trailing] = count_attributes(question->answer->table, out.data + NLMSG_HDRLEN + header,
                                                out.len - NLMSG_HDRLEN - header);
            bytes_free(&out);
        }
        /* a module's bytes, a parameter's and a bitset's are of no known length: longer ones stay out */
        cr_expect(!question->answer || counts[0] > 0, "%s", name);
        cr_expect(!question->answer || counts[0] - counts[1] <= 4, "%s: %zu, %zu", name, counts[0], counts[1]);
    }
}

/* However long: it is nobody's loss. */
Test(netlink, what_another_process_sends_is_passed_over)
{
    struct sockaddr_nl to = { .nl_family = AF_NETLINK };
    socklen_t len = sizeof(to);
    char sent[64] = { 0 }, buffer[16];
    int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_USERSOCK),
        other = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_USERSOCK);
    cr_assert(fd >= 0 && other >= 0 && bind(fd, (struct sockaddr *)&to, sizeof(to)) == 0 &&
              getsockname(fd, (struct sockaddr *)&to, &len) == 0);
    cr_expect_eq(netlink_receive(fd, buffer, sizeof(buffer)), -EAGAIN);
    for (size_t size = sizeof(buffer); size <= sizeof(sent); size *= 4) {
        cr_assert_eq(sendto(other, sent, size, 0, (struct sockaddr *)&to, sizeof(to)), (ssize_t)size);
        cr_expect_eq(netlink_receive(fd, buffer, sizeof(buffer)), 0, "%zu bytes", size);
    }
    cr_assert_eq(sendto(other, sent, sizeof(sent), 0, (struct sockaddr *)&to, sizeof(to)),
                 (ssize_t)sizeof(sent));
    cr_expect_eq(notices_receive(fd, buffer, sizeof(buffer)), 0);
    close(other);
    close(fd);
}
