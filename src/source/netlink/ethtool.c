/* SPDX-License-Identifier: MIT */
#include "source/netlink/ethtool.h"

#include <errno.h>
#include <linux/ethtool.h>
#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>

#include "base/mem.h"
#include "source/netlink/message.h"

static int parse(struct attrs *attrs, const void *bytes, size_t len)
{
    struct messages messages = messages_of(bytes, len);
    struct message message;
    if (!messages_next_answer(&messages, &message))
        return -EBADMSG;
    return attrs_parse(attrs, message.payload, message.len, GENL_HDRLEN);
}

static enum tristate yes(const struct nlattr *attr)
{
    struct num value = attr_u8(attr);
    return value.known ? tri_of(value.value != 0) : TRI_UNKNOWN;
}

int ethtool_parse_pause(const void *bytes, size_t len, struct qos_ethtool *ethtool)
{
    struct attrs attrs, stats;
    if (parse(&attrs, bytes, len) < 0)
        return -EBADMSG;
    ethtool->pause_autoneg = yes(attrs.at[ETHTOOL_A_PAUSE_AUTONEG]);
    ethtool->pause_rx = yes(attrs.at[ETHTOOL_A_PAUSE_RX]);
    ethtool->pause_tx = yes(attrs.at[ETHTOOL_A_PAUSE_TX]);
    attrs_parse_nest(&stats, attrs.at[ETHTOOL_A_PAUSE_STATS]);
    ethtool->pause_frames_sent = attr_u64(stats.at[ETHTOOL_A_PAUSE_STAT_TX_FRAMES]);
    ethtool->pause_frames_received = attr_u64(stats.at[ETHTOOL_A_PAUSE_STAT_RX_FRAMES]);
    return 0;
}

int ethtool_parse_linkmodes(const void *bytes, size_t len, struct qos_ethtool *ethtool)
{
    struct attrs attrs;
    if (parse(&attrs, bytes, len) < 0)
        return -EBADMSG;
    struct num speed = { 0 }, duplex = { 0 };
    speed = attr_u32(attrs.at[ETHTOOL_A_LINKMODES_SPEED]);
    duplex = attr_u8(attrs.at[ETHTOOL_A_LINKMODES_DUPLEX]);
    ethtool->autoneg = yes(attrs.at[ETHTOOL_A_LINKMODES_AUTONEG]);
    if (speed.known && speed.value != UINT32_MAX)
        ethtool->speed_mbps = speed;
    ethtool->duplex = num_is(duplex, DUPLEX_FULL) ? "full" : num_is(duplex, DUPLEX_HALF) ? "half" : NULL;
    ethtool->lanes = attr_u32(attrs.at[ETHTOOL_A_LINKMODES_LANES]);
    ethtool_take_modes(attrs.at[ETHTOOL_A_LINKMODES_OURS], ethtool);
    return 0;
}

/* ethtool's own words (netlink/settings.c). */
static const char *ext_state_text(const struct nlattr *attr)
{
    static const char *const words[] = {
        [ETHTOOL_LINK_EXT_STATE_AUTONEG] = "Autoneg",
        [ETHTOOL_LINK_EXT_STATE_LINK_TRAINING_FAILURE] = "Link training failure",
        [ETHTOOL_LINK_EXT_STATE_LINK_LOGICAL_MISMATCH] = "Logical mismatch",
        [ETHTOOL_LINK_EXT_STATE_BAD_SIGNAL_INTEGRITY] = "Bad signal integrity",
        [ETHTOOL_LINK_EXT_STATE_NO_CABLE] = "No cable",
        [ETHTOOL_LINK_EXT_STATE_CABLE_ISSUE] = "Cable issue",
        [ETHTOOL_LINK_EXT_STATE_EEPROM_ISSUE] = "EEPROM issue",
        [ETHTOOL_LINK_EXT_STATE_CALIBRATION_FAILURE] = "Calibration failure",
        [ETHTOOL_LINK_EXT_STATE_POWER_BUDGET_EXCEEDED] = "Power budget exceeded",
        [ETHTOOL_LINK_EXT_STATE_OVERHEAT] = "Overheat",
        [ETHTOOL_LINK_EXT_STATE_MODULE] = "Module",
    };
    uint64_t state;
    return attr_number(attr, &state) && state < ARRAY_SIZE(words) ? words[state] : NULL;
}

int ethtool_parse_linkstate(const void *bytes, size_t len, struct qos_ethtool *ethtool)
{
    struct attrs attrs;
    if (parse(&attrs, bytes, len) < 0)
        return -EBADMSG;
    ethtool->link = yes(attrs.at[ETHTOOL_A_LINKSTATE_LINK]);
    ethtool->link_ext_state = ext_state_text(attrs.at[ETHTOOL_A_LINKSTATE_EXT_STATE]);
    return 0;
}

static const char *fec_active_text(const struct nlattr *attr)
{
    uint64_t bit;
    if (!attr_number(attr, &bit))
        return NULL;
    switch (bit) {
    case ETHTOOL_LINK_MODE_FEC_NONE_BIT:
        return "off";
    case ETHTOOL_LINK_MODE_FEC_RS_BIT:
        return "rs";
    case ETHTOOL_LINK_MODE_FEC_BASER_BIT:
        return "baser";
    case ETHTOOL_LINK_MODE_FEC_LLRS_BIT:
        return "llrs";
    }
    return NULL;
}

/* The set bits of a verbose bitset by name. */
static void take_bits(const struct nlattr *bitset, struct arena *arena, const char ***names, size_t *count)
{
    struct attrs set, bit;
    attrs_parse_nest(&set, bitset);
    bool is_list = set.at[ETHTOOL_A_BITSET_NOMASK] != NULL;
    const struct nlattr *bits = set.at[ETHTOOL_A_BITSET_BITS];
    for (const struct nlattr *attr = NULL; (attr = attr_next(bits, attr, ETHTOOL_A_BITSET_BITS_BIT));) {
        attrs_parse_nest(&bit, attr);
        const char *name = attr_text(bit.at[ETHTOOL_A_BITSET_BIT_NAME], arena);
        if (name && (is_list || bit.at[ETHTOOL_A_BITSET_BIT_VALUE]))
            *ARENA_PUSH(arena, *names, *count) = name;
    }
}

/* Counts of FEC statistics are arrays: the total, then a value for each lane. */
int ethtool_parse_fec(const void *bytes, size_t len, struct arena *arena, struct qos_ethtool *ethtool)
{
    struct attrs attrs, stats;
    if (parse(&attrs, bytes, len) < 0)
        return -EBADMSG;
    ethtool->fec_auto = yes(attrs.at[ETHTOOL_A_FEC_AUTO]);
    ethtool->fec_active = fec_active_text(attrs.at[ETHTOOL_A_FEC_ACTIVE]);
    take_bits(attrs.at[ETHTOOL_A_FEC_MODES], arena, &ethtool->fec_configured, &ethtool->nfec_configured);
    attrs_parse_nest(&stats, attrs.at[ETHTOOL_A_FEC_STATS]);
    ethtool->fec_corrected = attr_u64(stats.at[ETHTOOL_A_FEC_STAT_CORRECTED]);
    ethtool->fec_uncorrectable = attr_u64(stats.at[ETHTOOL_A_FEC_STAT_UNCORR]);
    return 0;
}
