/* SPDX-License-Identifier: MIT */
/* Pluggable modules: which bytes to read through ethtool, and what they mean. SFF-8472 is for SFP, SFF-8636 for
 * QSFP+ and QSFP28, CMIS for QSFP-DD, OSFP and QSFP112. The numbers are those of ethtool 6.x (sfpdiag.c,
 * qsfp.h, cmis.h). */
#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>

#include "source/netlink/parsers.h"

#include "tables.h"

enum { I2C_LOW = 0x50, I2C_HIGH = 0x51 };

static const struct module_range ranges[MODULE_PARTS] = { MODULE_RANGES };

const struct module_range *module_range(enum module_part part)
{
    return &ranges[part];
}

static const enum module_part sfp[] = { MODULE_SFP_TYPE, MODULE_SFP, MODULE_SFP_LIMITS, MODULE_PARTS };
static const enum module_part qsfp[] = { MODULE_QSFP, MODULE_QSFP_LIMITS, MODULE_PARTS };
static const enum module_part cmis[] = { MODULE_CMIS_STATE, MODULE_CMIS, MODULE_CMIS_LIMITS, MODULE_PARTS };

static const struct kind {
    uint8_t id;
    const char *name;
    const enum module_part *parts;
} kinds[] = { MODULE_KINDS };

static const struct kind *kind_of(uint8_t id)
{
    for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
        if (kinds[i].id == id)
            return &kinds[i];
    return NULL;
}

const enum module_part *module_parts(uint8_t id)
{
    static const enum module_part none[] = { MODULE_PARTS };
    const struct kind *kind = kind_of(id);
    return kind ? kind->parts : none;
}

/* Bits that tell whether a module lacks pages (as copper cables do), and whether it measures anything. */
enum { FLAT_QSFP = 1 << 2, FLAT_CMIS = 1 << 7, SFP_MEASURES = 1 << 6 };

static struct snum sixteen(const uint8_t *bytes)
{
    return snum_of((int16_t)(bytes[0] << 8 | bytes[1]));
}

/* A module without a sensor reports 0, and 0 for its limits. */
static struct snum temperature(const uint8_t *bytes)
{
    struct snum value = sixteen(bytes);
    return value.value ? value : (struct snum){ 0 };
}

static void take_id(struct qos_module *module, const uint8_t *bytes)
{
    const struct kind *kind = kind_of(bytes[0]);
    module->known = true;
    module->kind = kind ? kind->name : NULL;
    module->flat = kind && kind->parts != sfp && bytes[2] & (kind->parts == cmis ? FLAT_CMIS : FLAT_QSFP);
}

static bool all_zero(const uint8_t *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (bytes[i])
            return false;
    return true;
}

/* High alarm, low alarm, high warning, low warning. */
static void take_limits(struct qos_module *module, const uint8_t *bytes)
{
    module->hot = temperature(bytes);
    module->warm = temperature(bytes + 4);
}

static const char *cmis_state(uint8_t byte)
{
    static const char *const words[] = { NULL, "low power", "powering up", "ready", "powering down", "fault" };
    unsigned state = byte >> 1 & 7;
    return WORD_AT(words, state);
}

int module_take(struct qos_module *module, enum module_part part, const uint8_t *bytes, size_t len)
{
    if (len != ranges[part].length)
        return -EBADMSG;
    switch (part) {
    case MODULE_ID:
        take_id(module, bytes);
        break;
    case MODULE_SFP_TYPE:
        module->flat = !(bytes[0] & SFP_MEASURES);
        break;
    case MODULE_SFP: /* temperature, voltage, bias, TX power, RX power */
        module->temperature = temperature(bytes);
        if (module->temperature.known)
            module->dark = tri_of(all_zero(bytes + 8, 2));
        break;
    case MODULE_QSFP: /* temperature, reserved, voltage, reserved; from 34 on RX power of four lanes */
        module->temperature = temperature(bytes);
        if (module->temperature.known && !module->flat)
            module->dark = tri_of(all_zero(bytes + 12, 8));
        break;
    case MODULE_CMIS_STATE:
        module->state = cmis_state(bytes[0]);
        break;
    case MODULE_CMIS:
        module->temperature = temperature(bytes);
        break;
    case MODULE_SFP_LIMITS:
    case MODULE_QSFP_LIMITS:
    case MODULE_CMIS_LIMITS:
        take_limits(module, bytes);
        break;
    case MODULE_PARTS:
        break;
    }
    return 0;
}

static bool take_bytes(void *to, struct reading *reading)
{
    struct module_bytes *bytes = to;
    const void *data = attr_bytes(reading->attr, &bytes->len);
    if (bytes->len > sizeof(bytes->data))
        return false;
    memcpy(bytes->data, data, bytes->len);
    return true;
}

/* Kind, temperature, optical power: no range contains the vendor's serial number. */
NETLINK_MODULE_EEPROM;
const struct answer ethtool_module = { .header = GENL_HDRLEN, .table = eeprom };
