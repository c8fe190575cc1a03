/* SPDX-License-Identifier: MIT */
/* PCI configuration space, as its file gives it: 64 bytes for most users, all 4096 for root. Pure. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The control register of the ACS capability. 0; -EACCES: len ends before the extended capabilities;
 * -ENODATA: the function has no such capability; -EBADMSG: the list of capabilities is a circle or leads
 * outside. */
int pci_acs_control(const uint8_t *config, size_t len, uint16_t *control);
/* That of the ATS capability, likewise; PCI_ATS_ENABLED: addresses that the function has had translated are in use. */
enum { PCI_ATS_ENABLED = 1 << 15 };
int pci_ats_control(const uint8_t *config, size_t len, uint16_t *control);
/* What the PCI Express capability says of how a function asks for data. */
struct pci_express {
    unsigned payload, read_request; /* bytes: MPS, MRRS */
    bool relaxed_ordering, extended_tags, ten_bit_tags;
};
/* 0; -EACCES: len ends with the header, as for all but root; -ENODATA, -EBADMSG as above. */
int pci_express_read(const uint8_t *config, size_t len, struct pci_express *express);
/* Leaves of it what these three read, so that they say the same: no serial number, no address. */
void pci_config_strip(uint8_t *config, size_t len);
