/* SPDX-License-Identifier: MIT */
/* From a TOS byte to a buffer: the rules of trust, and what dcbnl, ethtool and devlink answer. */
#include "model/qos.h"

#include <criterion/criterion.h>
#include <linux/dcbnl.h>
#include <linux/devlink.h>
#include <linux/ethtool.h>
#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>
#include <linux/rtnetlink.h>

#include "model/lldp.h"
#include "model/netdev.h"
#include "netlink_bytes.h"
#include "source/netlink/parsers.h"

static struct arena *arena;

static void setup(void)
{
    arena = arena_new();
}

static void teardown(void)
{
    arena_free(arena);
}

TestSuite(qos, .init = setup, .fini = teardown);

/* DSCP 26 to priority 3, which alone has PFC, in buffer 1; DSCP 48 to priority 6. */
static struct qos lossless(void)
{
    static struct qos_app apps[] = { { QOS_APP_DSCP, 3, 26 }, { QOS_APP_DSCP, 6, 48 } };
    struct qos qos = { .netdev = "dcb0" };
    qos.dcb = (struct qos_dcb){ .has_pfc = true,
                                .pfc_enabled = 1 << 3,
                                .has_ets = true,
                                .has_buffer = true,
                                .priority_buffer = { [3] = 1 },
                                .buffer_size = { 100000, 60000 },
                                .apps = apps,
                                .napps = 2,
                                .apps_known = true };
    for (uint8_t i = 0; i < PRIORITIES; i++)
        qos.dcb.priority_tc[i] = i;
    return qos;
}

Test(qos, entries_for_dscps_mean_trust_in_them)
{
    struct qos qos = lossless();
    cr_expect_eq(qos_trust(&qos), TRUST_DSCP);
    qos.dcb.napps = 0;
    cr_expect_eq(qos_trust(&qos), TRUST_PCP);
    qos.dcb.apps_known = false;
    cr_expect_eq(qos_trust(&qos), TRUST_UNKNOWN);
}

Test(qos, a_trust_table_has_the_last_word)
{
    struct qos qos = lossless();
    uint8_t pcp[] = { QOS_APP_PCP }, both[] = { QOS_APP_DSCP, QOS_APP_PCP };
    qos.dcb.has_trust_order = true;
    cr_expect_eq(qos_trust(&qos), TRUST_PCP, "an empty one trusts nothing");
    qos.dcb.trust_order = pcp;
    qos.dcb.ntrust_order = 1;
    cr_expect_eq(qos_trust(&qos), TRUST_PCP);
    qos.dcb.trust_order = both;
    qos.dcb.ntrust_order = 2;
    cr_expect_eq(qos_trust(&qos), TRUST_DSCP);
}

Test(qos, a_value_is_followed_to_its_buffer_or_to_where_it_is_lost)
{
    static const struct {
        unsigned tos, priority;
        enum qos_loss loss;
    } cases[] = {
        { 104, 3, QOS_KEPT }, /* DSCP 26 */
        { 106, 3, QOS_KEPT }, /* and ECT(0) */
        { 192, 6, QOS_LOST_PFC }, { 32, 0, QOS_LOST_MAP }, { 0, 0, QOS_LOST_PFC },
    };
    struct qos qos = lossless();
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct qos_path path = qos_follow(&qos, cases[i].tos, NULL);
        cr_expect_eq(path.priority, cases[i].priority, "TOS %u: priority %u", cases[i].tos, path.priority);
        cr_expect_eq(path.loss, cases[i].loss, "TOS %u: %d", cases[i].tos, path.loss);
    }
    struct qos_path path = qos_follow(&qos, 106, NULL);
    cr_expect_eq(path.dscp, 26);
    cr_expect_eq(path.ecn, 2);
    cr_expect_not(path.pcp.known, "no tag, no PCP");
    cr_expect(num_is(path.buffer, 1));
    cr_expect(num_is(path.buffer_size, 60000));
    qos.dcb.buffer_size[1] = 0;
    cr_expect_eq(qos_follow(&qos, 106, NULL).loss, QOS_LOST_BUFFER);
    qos.ethtool.pause_rx = qos.ethtool.pause_tx = TRI_YES; /* PFC rules it out */
    cr_expect_eq(qos_follow(&qos, 0, NULL).loss, QOS_LOST_PFC);
    qos.dcb.pfc_enabled = 0;
    cr_expect_eq(qos_follow(&qos, 0, NULL).loss, QOS_KEPT);
    qos.ethtool.pause_tx = TRI_NO;
    cr_expect_eq(qos_follow(&qos, 0, NULL).loss, QOS_LOST_PFC);
}

/* A VLAN that gives the kernel's priorities 2 and 6 the PCPs 3 and 5. */
static const struct netdev *tagging(void)
{
    static struct vlan_pcp map[] = { { 2, 3 }, { 6, 5 } };
    static const struct netdev vlan = {
        .name = "dcb0.7", .kind = NETDEV_VLAN, .egress = map, .negress = 2, .egress_known = true
    };
    return &vlan;
}

Test(qos, the_kernels_priority_of_a_tos)
{
    static const struct {
        unsigned tos, priority;
    } cases[] = { { 0, 0 },  { 4, 0 },  { 8, 2 },  { 104, 2 }, { 106, 2 },
                  { 16, 6 }, { 24, 4 }, { 96, 0 }, { 255, 4 } };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        cr_expect_eq(qos_tos_priority(cases[i].tos), cases[i].priority, "TOS %u: %u", cases[i].tos,
                     qos_tos_priority(cases[i].tos));
}

Test(qos, under_pcp_trust_only_tagged_frames_keep_it)
{
    struct qos qos = lossless();
    qos.dcb.napps = 0;
    struct qos_path untagged = qos_follow(&qos, 104, NULL), tagged = qos_follow(&qos, 104, tagging());
    cr_expect_eq(untagged.loss, QOS_LOST_TRUST);
    cr_expect_eq(untagged.priority, 0);
    cr_expect_eq(tagged.loss, QOS_KEPT);
    cr_expect(num_is(tagged.pcp, 3));
    cr_expect_eq(tagged.priority, 3);
    cr_expect_eq(qos_follow(NULL, 104, NULL).loss, QOS_LOST_UNKNOWN);
}

Test(qos, the_egress_map_says_the_pcp_and_not_the_upper_bits_of_the_tos)
{
    struct qos qos = lossless();
    qos.dcb.napps = 0;
    cr_expect_eq(qos_follow(&qos, 96, tagging()).priority, 0, "96 >> 5 is 3, but the kernel's priority is 0");
    cr_expect_eq(qos_follow(&qos, 96, tagging()).loss, QOS_LOST_PFC);
    cr_expect_eq(qos_follow(&qos, 16, tagging()).priority, 5);
    struct netdev unread = { .name = "dcb0.8", .kind = NETDEV_VLAN };
    cr_expect_eq(qos_follow(&qos, 104, &unread).loss, QOS_LOST_UNKNOWN);
    cr_expect_not(qos_follow(&qos, 104, &unread).pcp.known);
    unread.egress_known = true;
    cr_expect(num_is(qos_follow(&qos, 104, &unread).pcp, 0), "an empty map gives every packet PCP 0");
}

Test(qos, an_entry_moves_a_pcp_to_another_priority)
{
    struct qos_app apps[] = { { QOS_APP_PCP, 3, 5 }, { QOS_APP_PCP, 1, 8 + 3 } };
    struct qos qos = lossless();
    qos.dcb.apps = apps;
    qos.dcb.napps = 2;
    cr_expect_eq(qos_follow(&qos, 16, tagging()).priority, 3);
    cr_expect_eq(qos_follow(&qos, 8, tagging()).priority, 3, "the entry is for frames with DEI set");
    cr_expect_eq(qos_follow(&qos, 16, NULL).priority, 0, "no tag, no PCP");
}

Test(qos, the_file_of_older_drivers_has_the_last_word_on_trust)
{
    struct qos qos = lossless();
    qos.trust_file = TRUST_PCP;
    cr_expect_eq(qos_trust(&qos), TRUST_PCP);
    qos.dcb.napps = 0;
    qos.trust_file = TRUST_DSCP;
    cr_expect_eq(qos_trust(&qos), TRUST_DSCP);
}

Test(qos, the_default_entry_is_where_the_rest_goes)
{
    struct qos_app apps[] = { { QOS_APP_ETHERTYPE, 2, 0 }, { QOS_APP_DSCP, 3, 26 }, { QOS_APP_DSCP, 4, 26 } };
    struct qos qos = lossless();
    bool mapped;
    qos.dcb.apps = apps;
    qos.dcb.napps = 3;
    cr_expect_eq(qos_default_priority(&qos), 2);
    cr_expect_eq(qos_dscp_priority(&qos, 10, &mapped), 2);
    cr_expect_not(mapped);
    cr_expect_eq(qos_dscp_priority(&qos, 26, &mapped), 4, "the highest of several");
    cr_expect(mapped);
}

static struct nlbytes ieee_reply(void)
{
    struct nlbytes bytes = { 0 };
    struct dcbmsg dcb = { .cmd = DCB_CMD_IEEE_GET };
    struct ieee_pfc pfc = { .pfc_cap = 8, .pfc_en = 0x08, .delay = 7 };
    struct ieee_ets ets = {
        .willing = 1, .ets_cap = 8, .prio_tc = { 0, 1, 2, 3, 4, 5, 6, 7 }, .tc_tsa = { 2 }
    };
    struct dcb_app app = { .selector = QOS_APP_DSCP, .priority = 3, .protocol = 26 };
    uint8_t dcbx = 9;
    pfc.requests[3] = 1000;
    pfc.indications[3] = 7000;
    nlbytes_message(&bytes, RTM_GETDCB, &dcb, sizeof(dcb));
    nlbytes_text(&bytes, DCB_ATTR_IFNAME, "dcb0");
    size_t ieee = nlbytes_attr(&bytes, DCB_ATTR_IEEE, NULL, 0);
    nlbytes_attr(&bytes, DCB_ATTR_IEEE_ETS, &ets, sizeof(ets));
    nlbytes_attr(&bytes, DCB_ATTR_IEEE_PFC, &pfc, sizeof(pfc));
    size_t table = nlbytes_attr(&bytes, DCB_ATTR_IEEE_APP_TABLE, NULL, 0);
    nlbytes_attr(&bytes, DCB_ATTR_IEEE_APP, &app, sizeof(app));
    nlbytes_attr(&bytes, DCB_ATTR_IEEE_APP, &app, 3); /* too short to be one */
    nlbytes_close(&bytes, table);
    nlbytes_close(&bytes, ieee);
    nlbytes_attr(&bytes, DCB_ATTR_DCBX, &dcbx, 1);
    nlbytes_end(&bytes);
    return bytes;
}

Test(qos, dcbnl_tells_pfc_ets_and_dscps)
{
    struct nlbytes bytes = ieee_reply();
    struct qos_dcb dcb = { 0 };
    cr_assert_eq(answer_fill(&dcb_ieee, bytes.data, bytes.len, arena, &dcb), 0);
    cr_expect(dcb.has_pfc);
    cr_expect_eq(dcb.pfc_enabled, 8);
    cr_expect_eq(dcb.pfc_delay, 7);
    cr_expect_eq(dcb.pfc_sent[3], 1000);
    cr_expect_eq(dcb.pfc_received[3], 7000);
    cr_expect(dcb.has_ets);
    cr_expect_eq(dcb.willing, 1);
    cr_expect_eq(dcb.priority_tc[5], 5);
    cr_expect_not(dcb.has_buffer);
    cr_expect(num_is(dcb.dcbx, 9));
    cr_assert_eq(dcb.napps, 1);
    cr_expect_eq(dcb.apps[0].protocol, 26);
    cr_expect_not(dcb.has_trust_order);
    cr_expect_eq(answer_fill(&dcb_ieee, bytes.data, bytes.len - 8, arena, &dcb), -EBADMSG);
    cr_expect_eq(answer_fill(&dcb_ieee, bytes.data, 0, arena, &dcb), -EBADMSG);
}

/* As qede tells it: its kinds of entries are CEE's, 0 an Ethertype and 1 a port. */
Test(qos, dcbnl_tells_what_the_other_end_said)
{
    struct nlbytes bytes = { 0 };
    struct dcbmsg header = { .cmd = DCB_CMD_IEEE_GET };
    struct ieee_pfc pfc = { .pfc_cap = 8, .pfc_en = 0x10 };
    struct ieee_ets ets = { .willing = 1, .prio_tc = { 0, 0, 0, 0, 1 } };
    struct dcb_app ethertype = { .selector = 0, .priority = 4, .protocol = 0x8915 };
    struct dcb_app port = { .selector = 1, .priority = 5, .protocol = 4791 };
    nlbytes_message(&bytes, RTM_GETDCB, &header, sizeof(header));
    size_t ieee = nlbytes_attr(&bytes, DCB_ATTR_IEEE, NULL, 0);
    nlbytes_attr(&bytes, DCB_ATTR_IEEE_PEER_ETS, &ets, sizeof(ets));
    nlbytes_attr(&bytes, DCB_ATTR_IEEE_PEER_PFC, &pfc, sizeof(pfc));
    size_t table = nlbytes_attr(&bytes, DCB_ATTR_IEEE_PEER_APP, NULL, 0);
    nlbytes_attr(&bytes, DCB_ATTR_IEEE_APP, &ethertype, sizeof(ethertype));
    nlbytes_attr(&bytes, DCB_ATTR_IEEE_APP, &port, sizeof(port));
    nlbytes_close(&bytes, table);
    nlbytes_close(&bytes, ieee);
    nlbytes_end(&bytes);
    struct qos_dcb dcb = { 0 };
    unsigned priority;
    cr_assert_eq(answer_fill(&dcb_ieee, bytes.data, bytes.len, arena, &dcb), 0);
    cr_expect_not(dcb.has_pfc, "the netdev's own is another");
    cr_assert_not_null(dcb.peer);
    cr_expect(dcb.peer->has_pfc && dcb.peer->pfc_enabled == 0x10);
    cr_expect(dcb.peer->has_ets && dcb.peer->willing && dcb.peer->priority_tc[4] == 1);
    cr_assert(dcb.peer->apps_known && dcb.peer->napps == 2);
    cr_expect_eq(dcb.peer->apps[0].selector, QOS_APP_ETHERTYPE);
    cr_assert(qos_roce_priority(dcb.peer, &priority), "4791 is a port");
    cr_expect_eq(priority, 5);
}

static void put_parameter(struct nlbytes *bytes, bool on)
{
    struct genlmsghdr genl = { .cmd = DEVLINK_CMD_PARAM_GET };
    uint8_t flag = 6, driverinit = 1;
    nlbytes_message(bytes, 0x20, &genl, sizeof(genl));
    nlbytes_text(bytes, DEVLINK_ATTR_BUS_NAME, "pci");
    nlbytes_text(bytes, DEVLINK_ATTR_DEV_NAME, "0000:17:00.0");
    size_t param = nlbytes_attr(bytes, DEVLINK_ATTR_PARAM, NULL, 0);
    nlbytes_text(bytes, DEVLINK_ATTR_PARAM_NAME, "enable_roce");
    nlbytes_attr(bytes, DEVLINK_ATTR_PARAM_TYPE, &flag, 1);
    size_t list = nlbytes_attr(bytes, DEVLINK_ATTR_PARAM_VALUES_LIST, NULL, 0);
    size_t value = nlbytes_attr(bytes, DEVLINK_ATTR_PARAM_VALUE, NULL, 0);
    if (on)
        nlbytes_attr(bytes, DEVLINK_ATTR_PARAM_VALUE_DATA, NULL, 0);
    nlbytes_attr(bytes, DEVLINK_ATTR_PARAM_VALUE_CMODE, &driverinit, 1);
    nlbytes_close(bytes, value);
    nlbytes_close(bytes, list);
    nlbytes_close(bytes, param);
    nlbytes_end(bytes);
}

Test(qos, a_devlink_flag_is_true_by_being_there)
{
    for (int on = 0; on < 2; on++) {
        struct nlbytes bytes = { 0 };
        struct devlink devlink = { 0 };
        put_parameter(&bytes, on);
        cr_assert_eq(answer_fill_each(&devlink_parameters, bytes.data, bytes.len, arena, &devlink), 0);
        cr_assert_eq(devlink.nparameters, 1);
        cr_expect_str_eq(devlink.parameters[0].device, "pci/0000:17:00.0");
        cr_expect_str_eq(devlink.parameters[0].name, "enable_roce");
        cr_expect_str_eq(devlink.parameters[0].mode, "driverinit");
        cr_expect(devlink.parameters[0].is_boolean);
        cr_expect_eq(devlink.parameters[0].boolean, on == 1);
    }
}

Test(qos, statistics_need_all_their_bytes)
{
    struct {
        uint32_t count;
        char names[2][ETH_GSTRING_LEN];
        uint64_t values[2];
    } __attribute__((packed)) reply = { 2, { "rx_prio3_pause", "rx_discards_phy" }, { 7000, 5 } };
    struct qos qos = { 0 };
    cr_assert_eq(ethtool_parse_statistics(&reply, sizeof(reply), arena, &qos), 0);
    cr_assert_eq(qos.nstatistics, 2);
    cr_expect_str_eq(qos.statistics[0].name, "rx_prio3_pause");
    cr_expect_eq(qos.statistics[1].value, 5);
    cr_expect_eq(ethtool_parse_statistics(&reply, sizeof(reply) - 1, arena, &qos), -EBADMSG);
    reply.count = UINT32_MAX;
    cr_expect_eq(ethtool_parse_statistics(&reply, sizeof(reply), arena, &qos), -EBADMSG);
    cr_expect_eq(qos.nstatistics, 2, "nothing is added by what is refused");
}

Test(qos, fec_by_the_ioctl_of_older_kernels)
{
    struct ethtool_fecparam fec = { .active_fec = ETHTOOL_FEC_RS, .fec = ETHTOOL_FEC_RS | ETHTOOL_FEC_AUTO };
    struct qos_ethtool ethtool = { 0 };
    cr_assert_eq(ethtool_parse_fecparam(&fec, sizeof(fec), arena, &ethtool), 0);
    cr_expect_str_eq(ethtool.fec_active, "rs");
    cr_expect_eq(ethtool.fec_auto, TRI_YES);
    cr_assert_eq(ethtool.nfec_configured, 1);
    cr_expect_str_eq(ethtool.fec_configured[0], "RS");
    cr_expect_eq(ethtool_parse_fecparam(&fec, sizeof(fec) - 1, arena, &ethtool), -EBADMSG);
}

enum { UNKNOWN_MODE = 250 };

/* 100 Mb/s and 1 Gb/s over copper, both supported; and a mode that no table has. */
static struct nlbytes linkmodes_reply(bool verbose, bool advertise_all)
{
    struct nlbytes bytes = { 0 };
    struct genlmsghdr genl = { .cmd = ETHTOOL_MSG_LINKMODES_GET_REPLY };
    static const uint8_t modes[] = { ETHTOOL_LINK_MODE_TP_BIT, ETHTOOL_LINK_MODE_100baseT_Full_BIT,
                                     ETHTOOL_LINK_MODE_1000baseT_Full_BIT, UNKNOWN_MODE };
    uint32_t mask[UNKNOWN_MODE / 32 + 1] = { 0 }, value[UNKNOWN_MODE / 32 + 1] = { 0 };
    nlbytes_message(&bytes, 0x20, &genl, sizeof(genl));
    size_t set = nlbytes_attr(&bytes, ETHTOOL_A_LINKMODES_OURS, NULL, 0);
    nlbytes_u32(&bytes, ETHTOOL_A_BITSET_SIZE, UNKNOWN_MODE + 1);
    size_t list = verbose ? nlbytes_attr(&bytes, ETHTOOL_A_BITSET_BITS, NULL, 0) : 0;
    for (size_t i = 0; i < sizeof(modes); i++) {
        bool advertised = advertise_all || modes[i] != ETHTOOL_LINK_MODE_1000baseT_Full_BIT;
        mask[modes[i] / 32] |= 1U << modes[i] % 32;
        value[modes[i] / 32] |= advertised ? 1U << modes[i] % 32 : 0;
        if (!verbose)
            continue;
        size_t bit = nlbytes_attr(&bytes, ETHTOOL_A_BITSET_BITS_BIT, NULL, 0);
        nlbytes_u32(&bytes, ETHTOOL_A_BITSET_BIT_INDEX, modes[i]);
        if (advertised)
            nlbytes_attr(&bytes, ETHTOOL_A_BITSET_BIT_VALUE, NULL, 0);
        nlbytes_close(&bytes, bit);
    }
    if (verbose) {
        nlbytes_close(&bytes, list);
    } else {
        nlbytes_attr(&bytes, ETHTOOL_A_BITSET_VALUE, value, sizeof(value));
        nlbytes_attr(&bytes, ETHTOOL_A_BITSET_MASK, mask, sizeof(mask));
    }
    nlbytes_close(&bytes, set);
    nlbytes_end(&bytes);
    return bytes;
}

Test(qos, link_modes_tell_the_fastest_speed_in_either_form)
{
    for (unsigned form = 0; form < 4; form++) {
        struct nlbytes bytes = linkmodes_reply(form & 1, form & 2);
        struct qos_ethtool ethtool = { 0 };
        cr_assert_eq(answer_fill(&ethtool_linkmodes, bytes.data, bytes.len, arena, &ethtool), 0);
        cr_expect(num_is(ethtool.supported_mbps, 1000), "form %u", form);
        cr_expect(num_is(ethtool.advertised_mbps, form & 2 ? 1000 : 100), "form %u", form);
    }
}

Test(qos, modes_of_unknown_speed_and_lists_of_one_kind_tell_nothing)
{
    struct nlbytes bytes = { 0 };
    struct genlmsghdr genl = { .cmd = ETHTOOL_MSG_LINKMODES_GET_REPLY };
    struct qos_ethtool ethtool = { 0 };
    uint32_t ports = 1U << ETHTOOL_LINK_MODE_TP_BIT, fast = 1U << ETHTOOL_LINK_MODE_1000baseT_Full_BIT;
    nlbytes_message(&bytes, 0x20, &genl, sizeof(genl));
    size_t set = nlbytes_attr(&bytes, ETHTOOL_A_LINKMODES_OURS, NULL, 0);
    nlbytes_attr(&bytes, ETHTOOL_A_BITSET_VALUE, &ports, sizeof(ports));
    nlbytes_attr(&bytes, ETHTOOL_A_BITSET_MASK, &ports, 3); /* a word cut short */
    nlbytes_close(&bytes, set);
    nlbytes_end(&bytes);
    cr_assert_eq(answer_fill(&ethtool_linkmodes, bytes.data, bytes.len, arena, &ethtool), 0);
    cr_expect_not(ethtool.supported_mbps.known);
    cr_expect_not(ethtool.advertised_mbps.known);
    bytes = (struct nlbytes){ 0 };
    nlbytes_message(&bytes, 0x20, &genl, sizeof(genl));
    set = nlbytes_attr(&bytes, ETHTOOL_A_LINKMODES_OURS, NULL, 0);
    nlbytes_attr(&bytes, ETHTOOL_A_BITSET_NOMASK, NULL, 0);
    nlbytes_attr(&bytes, ETHTOOL_A_BITSET_VALUE, &fast, sizeof(fast));
    nlbytes_close(&bytes, set);
    nlbytes_end(&bytes);
    cr_assert_eq(answer_fill(&ethtool_linkmodes, bytes.data, bytes.len, arena, &ethtool), 0);
    cr_expect_not(ethtool.supported_mbps.known, "a list says no kind");
}

Test(qos, each_speed_has_its_bits)
{
    static const struct {
        uint8_t bit;
        uint32_t mbps;
    } modes[] = {
        { ETHTOOL_LINK_MODE_10baseT_Half_BIT, 10 },
        { ETHTOOL_LINK_MODE_2500baseT_Full_BIT, 2500 },
        { ETHTOOL_LINK_MODE_5000baseT_Full_BIT, 5000 },
        { ETHTOOL_LINK_MODE_10000baseER_Full_BIT, 10000 },
        { ETHTOOL_LINK_MODE_20000baseKR2_Full_BIT, 20000 },
        { ETHTOOL_LINK_MODE_25000baseCR_Full_BIT, 25000 },
        { ETHTOOL_LINK_MODE_40000baseLR4_Full_BIT, 40000 },
        { ETHTOOL_LINK_MODE_56000baseKR4_Full_BIT, 56000 },
        { ETHTOOL_LINK_MODE_50000baseSR2_Full_BIT, 50000 },
        { ETHTOOL_LINK_MODE_50000baseDR_Full_BIT, 50000 },
        { ETHTOOL_LINK_MODE_100000baseDR_Full_BIT, 100000 },
        { ETHTOOL_LINK_MODE_200000baseCR4_Full_BIT, 200000 },
        { ETHTOOL_LINK_MODE_400000baseCR4_Full_BIT, 400000 },
        { 93, 800000 },
        { 108, 200000 },
        { 124, 1600000 },
        { ETHTOOL_LINK_MODE_FEC_LLRS_BIT, 0 },
        { ETHTOOL_LINK_MODE_Pause_BIT, 0 },
        { 125, 0 },
    };
    for (size_t i = 0; i < sizeof(modes) / sizeof(*modes); i++) {
        struct nlbytes bytes = { 0 };
        struct genlmsghdr genl = { .cmd = ETHTOOL_MSG_LINKMODES_GET_REPLY };
        struct qos_ethtool ethtool = { 0 };
        uint32_t mask[4] = { 0 };
        mask[modes[i].bit / 32] = 1U << modes[i].bit % 32;
        nlbytes_message(&bytes, 0x20, &genl, sizeof(genl));
        size_t set = nlbytes_attr(&bytes, ETHTOOL_A_LINKMODES_OURS, NULL, 0);
        nlbytes_attr(&bytes, ETHTOOL_A_BITSET_MASK, mask, sizeof(mask));
        nlbytes_close(&bytes, set);
        nlbytes_end(&bytes);
        cr_assert_eq(answer_fill(&ethtool_linkmodes, bytes.data, bytes.len, arena, &ethtool), 0);
        cr_expect_eq(ethtool.supported_mbps.value, modes[i].mbps, "bit %u", modes[i].bit);
        cr_expect_eq(ethtool.supported_mbps.known, modes[i].mbps != 0, "bit %u", modes[i].bit);
        cr_expect_not(ethtool.advertised_mbps.known);
    }
}
