/* SPDX-License-Identifier: MIT */
/* What ethtool's netlink family reports: pause frames, link modes, the link's state, FEC. */
#include <linux/ethtool.h>
#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>

#include "source/netlink/parsers.h"

#include "tables.h"

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

static bool take_words(void *to, struct reading *reading)
{
    uint32_t *words = to;
    size_t len;
    const void *data = attr_bytes(reading->attr, &len);
    memcpy(words, data, len < WORDS * sizeof(*words) ? len : WORDS * sizeof(*words));
    for (size_t i = 0; i < WORDS; i++)
        words[i] = order32(words[i]);
    return true;
}

NETLINK_ETHTOOL_BITS;

static const struct {
    uint8_t first, last;
    uint32_t mbps;
} speeds[] = { LINK_MODE_SPEEDS };

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
static bool take_modes(void *to, struct reading *reading)
{
    struct qos_ethtool *ethtool = to;
    struct bitset set = { 0 };
    attributes_read(bitset, attr_walk_in(reading->attr), &set, reading);
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

static const char *const link_ext_states[] = { LINK_EXT_STATES };

NETLINK_ETHTOOL_STATE;
const struct answer ethtool_linkstate = { .header = GENL_HDRLEN, .table = link_state };

static const char *const fecs[] = { [ETHTOOL_LINK_MODE_FEC_NONE_BIT] = "off",
                                    [ETHTOOL_LINK_MODE_FEC_RS_BIT] = "rs",
                                    [ETHTOOL_LINK_MODE_FEC_BASER_BIT] = "baser",
                                    [ETHTOOL_LINK_MODE_FEC_LLRS_BIT] = "llrs" };

/* The names of the bits that are set in a verbose bitset. */
static bool take_fecs(void *to, struct reading *reading)
{
    struct qos_ethtool *ethtool = to;
    struct bitset set = { 0 };
    attributes_read(bitset, attr_walk_in(reading->attr), &set, reading);
    for (size_t i = 0; i < set.nbits; i++)
        if (set.bits[i].name && (set.is_list || set.bits[i].set))
            *ARENA_PUSH(reading->arena, ethtool->fec_configured, ethtool->nfec_configured) = set.bits[i].name;
    return true;
}

/* Counts are arrays: the total, then a value for each lane. */
NETLINK_ETHTOOL_FEC;
const struct answer ethtool_fec = { .header = GENL_HDRLEN, .table = fec };

/* Drivers' own flags; of interest is which agent speaks LLDP: ice's fw-lldp-agent, i40e's disable-fw-lldp. */
static bool take_flags(void *to, struct reading *reading)
{
    struct netdev_lldp *lldp = to;
    struct bitset set = { 0 };
    attributes_read(bitset, attr_walk_in(reading->attr), &set, reading);
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
