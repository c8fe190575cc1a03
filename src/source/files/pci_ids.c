/* SPDX-License-Identifier: MIT */
#include "source/files/pci_ids.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static int by_id(const void *a, const void *b)
{
    const struct pci_id *left = a, *right = b;
    return left->vendor != right->vendor ? left->vendor - right->vendor : left->device - right->device;
}

size_t pci_ids_sort(struct pci_id *ids, size_t count)
{
    size_t kept = 0;
    qsort(ids, count, sizeof(*ids), by_id);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || by_id(&ids[kept - 1], &ids[i]) != 0)
            ids[kept++] = ids[i];
    return kept;
}

size_t pci_ids_line(const char *line, size_t len, uint16_t *id)
{
    enum { DIGITS = 4, NAME = 6 };
    unsigned value = 0;
    if (len <= NAME || line[DIGITS] != ' ' || line[DIGITS + 1] != ' ')
        return 0;
    for (size_t i = 0; i < DIGITS; i++) {
        unsigned char digit = (unsigned char)line[i];
        if (!isxdigit(digit))
            return 0;
        value = value * 16 + (unsigned)(isdigit(digit) ? digit - '0' : tolower(digit) - 'a' + 10);
    }
    *id = (uint16_t)value;
    return NAME;
}

static void read_vendor(struct pci_ids *ids, const char *line, size_t len)
{
    uint16_t vendor;
    size_t name = pci_ids_line(line, len, &vendor);
    ids->at = ids->until; /* what of the last one wasn't there isn't known */
    if (name == 0)
        return;
    while (ids->at < ids->nwanted && ids->wanted[ids->at].vendor < vendor)
        ids->at++;
    ids->until = ids->at;
    while (ids->until < ids->nwanted && ids->wanted[ids->until].vendor == vendor)
        ids->until++;
    ids->ended = ids->at == ids->nwanted;
    if (ids->at < ids->until)
        ids->found(ids->data, vendor, NULL, line + name, len - name);
}

static void read_device(struct pci_ids *ids, const char *line, size_t len)
{
    uint16_t device;
    size_t name = pci_ids_line(line, len, &device);
    for (size_t i = ids->at; name && i < ids->until; i++)
        if (ids->wanted[i].device == device)
            ids->found(ids->data, ids->wanted[i].vendor, &device, line + name, len - name);
}

size_t pci_ids_read(struct pci_ids *ids, const char *text, size_t len)
{
    size_t used = 0;
    while (!ids->ended && used < len) {
        const char *line = text + used, *end = memchr(line, '\n', len - used);
        if (!end)
            break;
        size_t length = (size_t)(end - line);
        if (*line == '\t') {
            if (ids->at < ids->until)
                read_device(ids, line + 1, length - 1);
        } else if (length && *line != '#') {
            read_vendor(ids, line, length);
        }
        used += length + 1;
    }
    return ids->ended ? len : used;
}
