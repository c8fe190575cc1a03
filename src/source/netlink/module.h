/* SPDX-License-Identifier: MIT */
/* Pluggable modules: which bytes are asked for over ethtool, and what they say. Pure.
 * SFF-8472 is SFP's, SFF-8636 QSFP+'s and QSFP28's, CMIS that of QSFP-DD, OSFP and QSFP112. The numbers are
 * those of ethtool 6.x (sfpdiag.c, qsfp.h, cmis.h). */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "model/qos.h"

enum module_part {
    MODULE_ID,
    MODULE_SFP_TYPE,
    MODULE_SFP,
    MODULE_SFP_LIMITS,
    MODULE_QSFP,
    MODULE_QSFP_LIMITS,
    MODULE_CMIS_STATE,
    MODULE_CMIS,
    MODULE_CMIS_LIMITS,
    MODULE_PARTS
};

struct module_range {
    uint8_t i2c, page;
    uint32_t offset, length;
};
const struct module_range *module_range(enum module_part part);

/* What to ask for after MODULE_ID, whose first byte is id: parts that end with MODULE_PARTS. Of a flat module
 * only the first. */
const enum module_part *module_parts(uint8_t id);
/* What a part's bytes say. 0, or -EBADMSG when len isn't the range's. */
int module_take(struct qos_module *module, enum module_part part, const uint8_t *bytes, size_t len);

/* The bytes in an answer to ETHTOOL_MSG_MODULE_EEPROM_GET, at most size of them. 0, or -EBADMSG. */
int module_parse(const void *reply, size_t reply_len, uint8_t *bytes, size_t size, size_t *len);
