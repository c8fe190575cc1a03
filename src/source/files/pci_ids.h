/* SPDX-License-Identifier: MIT */
/* The names of PCI vendors and devices, from pci.ids of pciutils. Its lines, as its own head describes them:
 *     10de  NVIDIA Corporation
 *     <tab>2330  GH100 [H100 SXM5 80GB]
 *     <tab><tab>SUBVENDOR SUBDEVICE  …
 * sorted by vendor, and behind them the classes ("C 00  …"). Pure. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"

struct pci_id {
    uint16_t vendor, device;
};

/* device NULL: the vendor's own name. name isn't terminated. */
typedef void pci_ids_found(void *data, uint16_t vendor, const uint16_t *device, const char *name, size_t len);

struct pci_ids {
    const struct pci_id *wanted; /* sorted by pci_ids_sort() */
    size_t nwanted;
    pci_ids_found *found;
    void *data;
    size_t at, until; /* those of the vendor whose lines come */
    bool ended;       /* nothing of what follows is wanted */
};

/* Sorts, and leaves each of them once; returns how many there are then. */
size_t pci_ids_sort(struct pci_id *ids, size_t count);
/* Reads the lines that a piece of the file has whole. How many bytes they are: what is behind has to come
 * again, with what follows. */
size_t pci_ids_read(struct pci_ids *ids, const char *text, size_t len);
/* "10de  NVIDIA Corporation", without the newline and the tab in front: the number, and where the name
 * begins; 0: it's no such line. */
size_t pci_ids_line(const char *line, size_t len, uint16_t *id);
