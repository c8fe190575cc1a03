/* SPDX-License-Identifier: MIT */
/* What is read from PCI configuration space: ACS, ATS and PCI Express. */
#include "source/files/texts.h"

/* linux/pci_regs.h: extended capabilities start at 256; header: id (16 bits), version (4), next (12). */
enum {
    EXTENDED = 256,
    CAPABILITY_ACS = 0x0d,
    CAPABILITY_ATS = 0x0f,
    CONTROL = 6, /* in both; 16 bits */
    MOST_CAPABILITIES = (4096 - EXTENDED) / 8
};

static uint32_t le32(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* Reads the control register of the extended capability of this kind. */
static int extended_control(const uint8_t *config, size_t len, unsigned kind, uint16_t *control)
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
        if ((header & 0xffff) == kind) {
            *control = (uint16_t)(config[at + CONTROL] | config[at + CONTROL + 1] << 8);
            return 0;
        }
        at = header >> 20;
        if (at == 0)
            return -ENODATA;
    }
    return -EBADMSG;
}

int pci_acs_control(const uint8_t *config, size_t len, uint16_t *control)
{
    return extended_control(config, len, CAPABILITY_ACS, control);
}

int pci_ats_control(const uint8_t *config, size_t len, uint16_t *control)
{
    return extended_control(config, len, CAPABILITY_ATS, control);
}

/* linux/pci_regs.h: the pointer to the first capability, and the PCI Express capability's registers. */
enum {
    HEADER = 64,
    FIRST_CAPABILITY = 0x34,
    CAPABILITY_EXPRESS = 0x10,
    EXPRESS_CONTROL = 8,
    EXPRESS_CONTROL2 = 0x28,
    EXPRESS_SIZE = 0x3c,
    MOST_SHORT_CAPABILITIES = (EXTENDED - HEADER) / 4,
    RELAXED_ORDERING = 1 << 4,
    EXTENDED_TAGS = 1 << 8,
    TEN_BIT_TAGS = 1 << 12,
    LEAST_SIZE = 128,   /* of payload and read request: a code says how often to double it */
    MOST_SIZE_CODE = 5, /* 4096 */
};

/* Where a capability of size bytes below the extended ones begins; 0 if the list ends here or is broken. */
static size_t next_short(const uint8_t *config, size_t len, size_t pointer, size_t size)
{
    size_t at = pointer < len ? config[pointer] : 0;
    return at >= HEADER && at + size <= len && at + size <= EXTENDED ? at : 0;
}

/* Where the capability begins; or -errno as above. */
static int find_express(const uint8_t *config, size_t len)
{
    if (len <= HEADER)
        return -EACCES;
    size_t pointer = FIRST_CAPABILITY;
    for (int i = 0; i < MOST_SHORT_CAPABILITIES; i++) {
        size_t at = next_short(config, len, pointer, 2);
        if (at == 0)
            return config[pointer] ? -EBADMSG : -ENODATA;
        if (config[at] == CAPABILITY_EXPRESS)
            return next_short(config, len, pointer, EXPRESS_SIZE) ? (int)at : -EBADMSG;
        pointer = at + 1;
    }
    return -EBADMSG;
}

static unsigned size_of(unsigned code)
{
    return code <= MOST_SIZE_CODE ? (unsigned)LEAST_SIZE << code : 0;
}

int pci_express_read(const uint8_t *config, size_t len, struct pci_express *express)
{
    int at = find_express(config, len);
    if (at < 0)
        return at;
    unsigned control = le32(config + at + EXPRESS_CONTROL) & 0xffff;
    unsigned control2 = le32(config + at + EXPRESS_CONTROL2) & 0xffff;
    *express = (struct pci_express){ .payload = size_of(control >> 5 & 7),
                                     .read_request = size_of(control >> 12 & 7),
                                     .relaxed_ordering = control & RELAXED_ORDERING,
                                     .extended_tags = control & EXTENDED_TAGS,
                                     .ten_bit_tags = control2 & TEN_BIT_TAGS };
    return 0;
}

/* Keeps the list up to the PCI Express capability, and that one. */
static void keep_express(const uint8_t *config, size_t len, uint8_t *kept)
{
    size_t pointer = FIRST_CAPABILITY;
    int express = find_express(config, len);
    if (len > FIRST_CAPABILITY)
        kept[pointer] = config[pointer];
    for (int i = 0; i < MOST_SHORT_CAPABILITIES; i++) {
        size_t at = next_short(config, len, pointer, 2);
        if (at == 0)
            return;
        memcpy(kept + at, config + at, (int)at == express ? EXPRESS_SIZE : 2);
        if (config[at] == CAPABILITY_EXPRESS)
            return;
        pointer = at + 1;
    }
}

void pci_config_strip(uint8_t *config, size_t len)
{
    uint8_t *kept = mem_alloc(len ? len : 1, 1);
    size_t at = EXTENDED;
    keep_express(config, len, kept);
    for (int i = 0; i < MOST_CAPABILITIES && at >= EXTENDED && at + 8 <= len; i++) {
        unsigned kind = le32(config + at) & 0xffff;
        bool is_read = kind == CAPABILITY_ACS || kind == CAPABILITY_ATS;
        memcpy(kept + at, config + at, is_read ? 8 : 4);
        at = le32(config + at) >> 20;
    }
    memcpy(config, kept, len);
    free(kept);
}
