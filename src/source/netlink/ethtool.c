/* SPDX-License-Identifier: MIT */
/* What ethtool's netlink family reports: pause frames, link modes, the link's state, FEC. */
#include <linux/ethtool.h>
#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>

#include "source/netlink/parsers.h"

/* -- bitsets --------------------------------------------------------------------------------------------- */

enum { BITS = 256, WORDS = BITS / 32 };

struct bitset_bit {
    struct num index;
    const char *name;
    bool set;
};
struct bitset {
    bool is_list;                       /* without a mask: one kind of bits only */
    uint32_t mask[WORDS], value[WORDS]; /* of a compact one: as many words as it has */
    struct bitset_bit *bits;            /* of a verbose one: an entry for each bit of the mask */
    size_t nbits;
};

static bool take_words(uint32_t words[static WORDS], const struct nlattr *attr)
{
    size_t len;
    const void *data = attr_bytes(attr, &len);
    memcpy(words, data, len < WORDS * sizeof(*words) ? len : WORDS * sizeof(*words));
    for (size_t i = 0; i < WORDS; i++)
        words[i] = order32(words[i]);
    return true;
}

static bool take_mask(void *to, const struct nlattr *attr, struct reading *reading)
{
    (void)reading;
    return take_words(((struct bitset *)to)->mask, attr);
}

static bool take_bits(void *to, const struct nlattr *attr, struct reading *reading)
{
    (void)reading;
    return take_words(((struct bitset *)to)->value, attr);
}

NETLINK_ETHTOOL_BITS;

/* The speeds of link modes by bit number (enum ethtool_link_mode_bit_indices of Linux 7.2; older headers have
 * fewer, and the kernel never gives a number a new meaning). */

/* The gaps are ports, pause and FEC. */
static const struct {
    uint8_t first, last;
    uint32_t mbps;
} speeds[] = {
    { 0, 1, 10 },       { 2, 3, 100 },        { 4, 5, 1000 },       { 12, 12, 10000 },    { 15, 15, 2500 },
    { 17, 17, 1000 },   { 18, 20, 10000 },    { 21, 22, 20000 },    { 23, 26, 40000 },    { 27, 30, 56000 },
    { 31, 33, 25000 },  { 34, 35, 50000 },    { 36, 39, 100000 },   { 40, 40, 50000 },    { 41, 41, 1000 },
    { 42, 46, 10000 },  { 47, 47, 2500 },     { 48, 48, 5000 },     { 52, 56, 50000 },    { 57, 61, 100000 },
    { 62, 66, 200000 }, { 67, 67, 100 },      { 68, 68, 1000 },     { 69, 73, 400000 },   { 75, 79, 100000 },
    { 80, 84, 200000 }, { 85, 89, 400000 },   { 90, 91, 100 },      { 92, 92, 10 },       { 93, 98, 800000 },
    { 99, 102, 10 },    { 103, 108, 200000 }, { 109, 114, 400000 }, { 115, 120, 800000 }, { 121, 124, 1600000 },
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

/* For link modes, mask is what is supported, value what is advertised. */
static bool take_modes(void *to, const struct nlattr *attr, struct reading *reading)
{
    struct qos_ethtool *ethtool = to;
    struct bitset set = { 0 };
    attributes_read_nest(bitset, attr, &set, reading);
    if (set.is_list) /* it doesn't say which kind */
        return false;
    for (size_t i = 0; i < set.nbits; i++) {
        struct num index = set.bits[i].index;
        if (!index.known || index.value >= BITS)
            continue;
        set.mask[index.value / 32] |= UINT32_C(1) << index.value % 32;
        set.value[index.value / 32] |= (uint32_t)set.bits[i].set << index.value % 32;
    }
    ethtool->supported_mbps = fastest(set.mask);
    ethtool->advertised_mbps = fastest(set.value);
    return true;
}

/* -- answers --------------------------------------------------------------------------------------------- */

NETLINK_ETHTOOL_PAUSE;
const struct answer ethtool_pause = { .header = GENL_HDRLEN, .table = pause_frames };

static const char *const duplexes[] = { [DUPLEX_HALF] = "half", [DUPLEX_FULL] = "full" };

NETLINK_ETHTOOL_MODES;

static bool end_modes(void *to, struct reading *reading)
{
    (void)reading;
    struct qos_ethtool *ethtool = to;
    if (num_is(ethtool->speed_mbps, UINT32_MAX)) /* SPEED_UNKNOWN */
        ethtool->speed_mbps = (struct num){ 0 };
    return true;
}
const struct answer ethtool_linkmodes = { .header = GENL_HDRLEN, .table = link_modes, .end = end_modes };

/* ethtool's own words (netlink/settings.c). */
static const char *const link_ext_states[] = {
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

NETLINK_ETHTOOL_STATE;
const struct answer ethtool_linkstate = { .header = GENL_HDRLEN, .table = link_state };

static const char *const fecs[] = { [ETHTOOL_LINK_MODE_FEC_NONE_BIT] = "off",
                                    [ETHTOOL_LINK_MODE_FEC_RS_BIT] = "rs",
                                    [ETHTOOL_LINK_MODE_FEC_BASER_BIT] = "baser",
                                    [ETHTOOL_LINK_MODE_FEC_LLRS_BIT] = "llrs" };

/* The names of the bits that are set in a verbose bitset. */
static bool take_fecs(void *to, const struct nlattr *attr, struct reading *reading)
{
    struct qos_ethtool *ethtool = to;
    struct bitset set = { 0 };
    attributes_read_nest(bitset, attr, &set, reading);
    for (size_t i = 0; i < set.nbits; i++)
        if (set.bits[i].name && (set.is_list || set.bits[i].set))
            *ARENA_PUSH(reading->arena, ethtool->fec_configured, ethtool->nfec_configured) = set.bits[i].name;
    return true;
}

/* Counts are arrays: the total, then a value for each lane. */
NETLINK_ETHTOOL_FEC;
const struct answer ethtool_fec = { .header = GENL_HDRLEN, .table = fec };

/* Drivers' own flags; of interest is which agent speaks LLDP: ice's fw-lldp-agent, i40e's disable-fw-lldp. */
static bool take_flags(void *to, const struct nlattr *attr, struct reading *reading)
{
    struct netdev_lldp *lldp = to;
    struct bitset set = { 0 };
    attributes_read_nest(bitset, attr, &set, reading);
    for (size_t i = 0; i < set.nbits; i++) {
        if (text_is(set.bits[i].name, "fw-lldp-agent"))
            lldp->firmware_flag = tri_of(set.bits[i].set);
        else if (text_is(set.bits[i].name, "disable-fw-lldp"))
            lldp->firmware_flag = tri_of(!set.bits[i].set);
    }
    return true;
}

NETLINK_ETHTOOL_FLAGS;
const struct answer ethtool_flags = { .header = GENL_HDRLEN, .table = flags };
