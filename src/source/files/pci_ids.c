/* SPDX-License-Identifier: MIT */
/* Names of PCI vendors and devices from pci.ids. */
#include "source/files/texts.h"

#include "source/files/files.h"

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
    uint8_t value[DIGITS / 2];
    if (len <= NAME || line[DIGITS] != ' ' || line[DIGITS + 1] != ' ' ||
        !text_to_bytes(line, DIGITS, 0, value, sizeof(value)))
        return 0;
    *id = (uint16_t)(value[0] << 8 | value[1]);
    return NAME;
}

static void read_vendor(struct pci_ids *ids, const char *line, size_t len)
{
    uint16_t vendor;
    size_t name = pci_ids_line(line, len, &vendor);
    ids->at = ids->until; /* ids of the previous vendor that weren't found are unknown */
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

/* What pci.ids calls the functions that are shown: a recording keeps only their lines of its 1.4 MB. */

/* Debian and openSUSE; all others. */
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
        r = root_read_reduced(reader->root, &span, "{pci-id}\n", paths[i], keep_lines, &reduction);
        if (r < 0)
            read_problem(reader, r, "%s", paths[i]);
    }
    if (r < 0)
        return;
    struct pci_ids ids = { .wanted = wanted, .nwanted = count, .found = name_functions, .data = reader };
    pci_ids_read(&ids, span.data, span.len);
}
