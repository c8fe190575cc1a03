/* SPDX-License-Identifier: MIT */
/* pci.ids: any bytes. In pieces it says what it says in one. */
#include "source/files/pci_ids.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void put(void *found, uint16_t vendor, const uint16_t *device, const char *name, size_t len)
{
    bytes_printf(found, "%04x %04x ", vendor, device ? *device : 0);
    bytes_append(found, name, len);
}

/* Behind the first two bytes: the numbers that are wanted, and the size of a piece. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct pci_id wanted[] = {
        { 0x10de, 0x2330 }, { 0x15b3, 0x1021 }, { 0x15b3, 0x101d }, { 0, 0 }, { 0xffff, 0xffff }
    };
    struct bytes found = { 0 }, again = { 0 };
    if (size < 2)
        return 0;
    size_t piece = (size_t)data[1] + 1, from = 0, to = 0, behind = size - 2;
    char *text = malloc(behind + 1); /* the sanitizer sees its end */
    if (!text)
        return 0;
    memcpy(text, data + 2, behind);
    struct pci_ids ids = { .wanted = wanted, .found = put, .data = &found }, pieces;
    ids.nwanted = pci_ids_sort(wanted, data[0] % (sizeof(wanted) / sizeof(*wanted) + 1));
    pieces = ids;
    pieces.data = &again;
    if (pci_ids_read(&ids, text, behind) > behind)
        abort();
    while (to < behind && !pieces.ended) {
        to = to + piece < behind ? to + piece : behind;
        from += pci_ids_read(&pieces, text + from, to - from);
        if (from > to)
            abort();
    }
    if (found.len != again.len || (found.len && memcmp(found.data, again.data, found.len) != 0))
        abort();
    bytes_free(&found);
    bytes_free(&again);
    free(text);
    return 0;
}
