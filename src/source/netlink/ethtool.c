/* SPDX-License-Identifier: MIT */
#include "source/netlink/parsers.h"

#include <errno.h>
#include <linux/ethtool.h>
#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>
#include <string.h>

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

/* Which speed a link mode has, by the number of its bit (enum ethtool_link_mode_bit_indices of Linux 7.2;
 * older headers end earlier, and a kernel never gives a number another meaning). */

enum { BITS = 256, WORDS = BITS / 32 };

/* The gaps are ports, pause and FEC. */
static const struct {
    uint8_t first, last;
    uint32_t mbps;
} speeds[] = {
    { 0, 1, 10 },         { 2, 3, 100 },        { 4, 5, 1000 },        { 12, 12, 10000 },
    { 15, 15, 2500 },     { 17, 17, 1000 },     { 18, 20, 10000 },     { 21, 22, 20000 },
    { 23, 26, 40000 },    { 27, 30, 56000 },    { 31, 33, 25000 },     { 34, 35, 50000 },
    { 36, 39, 100000 },   { 40, 40, 50000 },    { 41, 41, 1000 },      { 42, 46, 10000 },
    { 47, 47, 2500 },     { 48, 48, 5000 },     { 52, 56, 50000 },     { 57, 61, 100000 },
    { 62, 66, 200000 },   { 67, 67, 100 },      { 68, 68, 1000 },      { 69, 73, 400000 },
    { 75, 79, 100000 },   { 80, 84, 200000 },   { 85, 89, 400000 },    { 90, 91, 100 },
    { 92, 92, 10 },       { 93, 98, 800000 },   { 99, 102, 10 },       { 103, 108, 200000 },
    { 109, 114, 400000 }, { 115, 120, 800000 }, { 121, 124, 1600000 },
};

static bool has_bit(const uint32_t bits[static WORDS], unsigned bit)
{
    return bits[bit / 32] >> bit % 32 & 1;
}

static struct num fastest(const uint32_t bits[static WORDS])
{
    struct num mbps = { 0 };
    for (size_t i = 0; i < ARRAY_SIZE(speeds); i++)
        for (unsigned bit = speeds[i].first; bit <= speeds[i].last; bit++)
            if (has_bit(bits, bit) && (!mbps.known || mbps.value < speeds[i].mbps))
                mbps = num_of(speeds[i].mbps);
    return mbps;
}

/* A compact bitset's words, as many as there are. */
static void take_words(uint32_t bits[static WORDS], const struct nlattr *attr)
{
    size_t len;
    const void *data = attr_bytes(attr, &len);
    if (data)
        memcpy(bits, data, len < WORDS * sizeof(*bits) ? len : WORDS * sizeof(*bits));
    for (size_t i = 0; i < WORDS; i++)
        bits[i] = order32(bits[i]);
}

/* A verbose bitset: an entry for each bit of the mask, with a flag where the value has it too. */
static void take_entries(uint32_t mask[static WORDS], uint32_t value[static WORDS], const struct nlattr *list)
{
    struct attrs bit;
    for (const struct nlattr *attr = NULL; (attr = attr_next(list, attr, ETHTOOL_A_BITSET_BITS_BIT));) {
        attrs_parse_nest(&bit, attr);
        struct num index = attr_u32(bit.at[ETHTOOL_A_BITSET_BIT_INDEX]);
        if (!index.known || index.value >= BITS)
            continue;
        mask[index.value / 32] |= UINT32_C(1) << index.value % 32;
        if (bit.at[ETHTOOL_A_BITSET_BIT_VALUE])
            value[index.value / 32] |= UINT32_C(1) << index.value % 32;
    }
}

void ethtool_take_modes(const struct nlattr *bitset, struct qos_ethtool *ethtool)
{
    uint32_t supported[WORDS] = { 0 }, advertised[WORDS] = { 0 };
    struct attrs set;
    attrs_parse_nest(&set, bitset);
    if (set.at[ETHTOOL_A_BITSET_NOMASK]) /* a list of one kind only: which isn't said */
        return;
    take_words(supported, set.at[ETHTOOL_A_BITSET_MASK]);
    take_words(advertised, set.at[ETHTOOL_A_BITSET_VALUE]);
    take_entries(supported, advertised, set.at[ETHTOOL_A_BITSET_BITS]);
    ethtool->supported_mbps = fastest(supported);
    ethtool->advertised_mbps = fastest(advertised);
}
