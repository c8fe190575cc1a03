/* SPDX-License-Identifier: MIT */
/* What pci.ids calls the functions that are shown: of its 1.4 MB a recording keeps the lines of these alone. */
#include <errno.h>
#include <string.h>

#include "source/files/pci_ids.h"
#include "source/files/platform.h"
#include "source/reader.h"

/* Debian's and openSUSE's, and that of all others. */
static const char *const paths[] = { "usr/share/misc/pci.ids", "usr/share/hwdata/pci.ids" };

struct reduction {
    struct pci_ids ids;
    struct bytes *kept;
};

static void keep_line(void *data, uint16_t vendor, const uint16_t *device, const char *name, size_t len)
{
    struct reduction *reduction = data;
    bytes_printf(reduction->kept, "%s%04x  ", device ? "\t" : "", device ? *device : vendor);
    bytes_append(reduction->kept, name, len);
    bytes_append(reduction->kept, "\n", 1);
}

static size_t keep_lines(void *data, const char *piece, size_t len, struct bytes *kept)
{
    struct reduction *reduction = data;
    reduction->kept = kept;
    size_t used = pci_ids_read(&reduction->ids, piece, len);
    return reduction->ids.ended ? ROOT_ENOUGH : used;
}

static bool is_named(const struct host *host, const struct pci *pci)
{
    bool shown = pci->is_accelerator || pci->is_nvme;
    for (size_t i = 0; i < host->ndevices && !shown; i++)
        shown = host->devices[i].pci && strcmp(host->devices[i].pci, pci->address) == 0;
    return shown && pci->vendor.known && pci->device.known && pci->vendor.value <= UINT16_MAX &&
           pci->device.value <= UINT16_MAX;
}

static void name_functions(void *data, uint16_t vendor, const uint16_t *device, const char *name, size_t len)
{
    struct reader *reader = data;
    const char *copy = arena_strndup(reader->arena, name, len);
    for (size_t i = 0; i < reader->host->npcis; i++) {
        struct pci *pci = &reader->host->pcis[i];
        if (!num_is(pci->vendor, vendor) || (device && !num_is(pci->device, *device)))
            continue;
        if (device)
            pci->model = copy;
        else
            pci->vendor_name = copy;
    }
}

void read_pci_names(struct reader *reader)
{
    struct host *host = reader->host;
    struct pci_id *wanted = arena_alloc(reader->arena, host->npcis + 1, sizeof(*wanted));
    size_t count = 0;
    for (size_t i = 0; i < host->npcis; i++)
        if (is_named(host, &host->pcis[i]))
            wanted[count++] = (struct pci_id){ .vendor = (uint16_t)host->pcis[i].vendor.value,
                                               .device = (uint16_t)host->pcis[i].device.value };
    count = pci_ids_sort(wanted, count);
    struct span span;
    int r = count ? -ENOENT : -ENODATA;
    for (size_t i = 0; i < ARRAY_SIZE(paths) && r == -ENOENT; i++) {
        struct reduction reduction = {
            .ids = { .wanted = wanted, .nwanted = count, .found = keep_line, .data = &reduction }
        };
        r = root_read_reduced(reader->root, &span, paths[i], keep_lines, &reduction);
        if (r < 0)
            read_problem(reader, r, "%s", paths[i]);
    }
    if (r < 0)
        return;
    struct pci_ids ids = { .wanted = wanted, .nwanted = count, .found = name_functions, .data = reader };
    pci_ids_read(&ids, span.data, span.len);
}
