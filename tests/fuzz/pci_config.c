/* SPDX-License-Identifier: MIT */
/* PCI configuration space: any bytes. What is left of it for strangers says the same. */
#include <stdlib.h>
#include <string.h>

#include "source/files/pci_config.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint16_t control = 0, control_left = 0, ats = 0, ats_left = 0;
    struct pci_express express = { 0 }, express_left = { 0 };
    uint8_t *left = malloc(size + 1);
    if (!left)
        return 0;
    memcpy(left, data, size);
    pci_config_strip(left, size);
    int acs = pci_acs_control(data, size, &control), r = pci_express_read(data, size, &express);
    if (pci_acs_control(left, size, &control_left) != acs || control != control_left)
        abort();
    int translates = pci_ats_control(data, size, &ats);
    if (pci_ats_control(left, size, &ats_left) != translates || ats != ats_left)
        abort();
    if (pci_express_read(left, size, &express_left) != r ||
        express.read_request != express_left.read_request || express.payload != express_left.payload)
        abort();
    free(left);
    return 0;
}
