/* SPDX-License-Identifier: MIT */
/* PCI configuration space: any bytes. */
#include "source/files/pci_config.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint16_t control;
    (void)pci_acs_control(data, size, &control);
    return 0;
}
