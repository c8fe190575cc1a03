/* SPDX-License-Identifier: MIT */
#include "source/files/pci_config.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* linux/pci_regs.h: extended capabilities begin at 256 with a header of id (16 bits), version (4), next (12).
 */
enum { EXTENDED = 256, CAPABILITY_ACS = 0x0d, ACS_CONTROL = 6, MOST_CAPABILITIES = (4096 - EXTENDED) / 8 };

static uint32_t le32(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

int pci_acs_control(const uint8_t *config, size_t len, uint16_t *control)
{
    size_t at = EXTENDED;
    if (len <= EXTENDED)
        return -EACCES;
    for (int i = 0; i < MOST_CAPABILITIES; i++) {
        if (at < EXTENDED || at + 8 > len)
            return -EBADMSG;
        uint32_t header = le32(config + at);
        if (header == 0 || header == UINT32_MAX)
            return -ENODATA;
        if ((header & 0xffff) == CAPABILITY_ACS) {
            *control = (uint16_t)(config[at + ACS_CONTROL] | config[at + ACS_CONTROL + 1] << 8);
            return 0;
        }
        at = header >> 20;
        if (at == 0)
            return -ENODATA;
    }
    return -EBADMSG;
}

void pci_config_strip(uint8_t *config, size_t len)
{
    uint8_t *kept = mem_alloc(len ? len : 1, 1);
    size_t at = EXTENDED;
    for (int i = 0; i < MOST_CAPABILITIES && at >= EXTENDED && at + 8 <= len; i++) {
        bool is_acs = (le32(config + at) & 0xffff) == CAPABILITY_ACS;
        memcpy(kept + at, config + at, is_acs ? 8 : 4);
        at = le32(config + at) >> 20;
    }
    memcpy(config, kept, len);
    free(kept);
}
