/* SPDX-License-Identifier: MIT */
/* PCI configuration space, as its file gives it: 64 bytes for most users, all 4096 for root. Pure. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* The control register of the ACS capability. 0; -EACCES: len ends before the extended capabilities;
 * -ENODATA: the function has no such capability; -EBADMSG: the list of capabilities is a circle or leads
 * outside. */
int pci_acs_control(const uint8_t *config, size_t len, uint16_t *control);
/* Leaves of it what pci_acs_control() reads, so that it says the same: no serial number, no address. */
void pci_config_strip(uint8_t *config, size_t len);
