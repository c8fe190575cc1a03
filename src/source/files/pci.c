/* SPDX-License-Identifier: MIT */
/* PCI functions under RDMA devices and netdevs, and the bridges above them, from where the class links lead.
 */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "model/topology.h"
#include "source/files/pci.h"
#include "source/reader.h"

/* "0000:17:00.0" */
static bool is_address(const char *text, size_t len)
{
    unsigned domain, bus, slot, function;
    char copy[32];
    int used = 0;
    if (len < 12 || len >= sizeof(copy))
        return false;
    memcpy(copy, text, len);
    copy[len] = '\0';
    return sscanf(copy, "%x:%x:%x.%x%n", &domain, &bus, &slot, &function, &used) == 4 && (size_t)used == len;
}

static struct snum read_signed(struct reader *reader, struct root_dir *dir, const char *name)
{
    const char *text = read_text_at(reader, dir, name);
    int64_t value;
    return text && text_to_i64(text, 10, &value) == 0 ? snum_of(value) : (struct snum){ 0 };
}

/* What add_peers() has read of it already; NULL: nothing. */
static const struct seen_function *find_seen(const struct reader *reader, const char *address)
{
    size_t from = 0, to = reader->nseen;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        int order = text_version_compare(address, reader->seen[middle].address);
        if (order == 0)
            return &reader->seen[middle];
        *(order < 0 ? &to : &from) = order < 0 ? middle : middle + 1;
    }
    return NULL;
}

static void read_function(struct reader *reader, struct root_dir *dir, struct pci *pci)
{
    pci->numa_node = read_signed(reader, dir, "numa_node");
    pci->link_width = read_num_at(reader, dir, 10, "current_link_width");
    pci->link_width_max = read_num_at(reader, dir, 10, "max_link_width");
    if (!(reader->needs & NEED_PCI))
        return;
    const struct seen_function *seen = find_seen(reader, pci->address);
    pci->vendor = seen && seen->vendor.known ? seen->vendor : read_num_at(reader, dir, 16, "vendor");
    pci->device = read_num_at(reader, dir, 16, "device");
    pci->subsystem_vendor = read_num_at(reader, dir, 16, "subsystem_vendor");
    pci->subsystem_device = read_num_at(reader, dir, 16, "subsystem_device");
    pci->class_code = seen && seen->class_code.known ? seen->class_code
                                                     : read_num_at(reader, dir, 16, "class");
    pci->local_cpus = read_text_at(reader, dir, "local_cpulist");
    pci->link_speed = read_text_at(reader, dir, "current_link_speed");
    pci->link_speed_max = read_text_at(reader, dir, "max_link_speed");
    pci->sriov_vfs = read_num_at(reader, dir, 10, "sriov_numvfs");
    pci->sriov_vfs_max = read_num_at(reader, dir, 10, "sriov_totalvfs");
    pci->driver = read_link_at(reader, dir, "driver");
    /* a virtual function has none of these files (sriov_pf_attrs_are_visible() of drivers/pci/iov.c), and is no bridge */
    if (!pci->sriov_vfs_max.known && !pci_is_bridge(pci))
        pci->physfn = read_link_at(reader, dir, "physfn");
}

static struct pci *add_function(struct reader *reader, const char *address, const char *path,
                                const char *upstream, const char *root)
{
    struct pci *known = host_find_pci(reader->host, address);
    if (known)
        return known;
    struct root_dir dir = { 0 };
    int r = root_dir_open(reader->root, &dir, "%s", path);
    if (r < 0) {
        read_problem(reader, r, "%s", path);
        return NULL;
    }
    struct pci pci = { .address = address, .upstream = upstream, .root = root };
    read_function(reader, &dir, &pci);
    root_dir_close(&dir);
    *ARENA_PUSH(reader->arena, reader->host->pcis, reader->host->npcis) = pci;
    return &reader->host->pcis[reader->host->npcis - 1];
}

/* Is there another function in what is left of a path? */
static bool leads_on(const char *path)
{
    for (const char *at = strchr(path, '/'); at; at = strchr(at, '/'))
        if (++at, is_address(at, strcspn(at, "/")))
            return true;
    return false;
}

/* Walks "../../devices/pci0000:16/0000:16:02.0/0000:17:00.0/net/eth0" and adds each function; the last one is
 * what the entry sits on. */
const char *read_pci_chain(struct reader *reader, const char *class_entry)
{
    struct span span;
    int r = root_link(reader->root, &span, "%s", class_entry);
    if (r < 0) {
        read_problem(reader, r, "%s", class_entry);
        return NULL;
    }
    const char *devices = strstr(span.data, "devices/");
    if (!devices)
        return NULL;
    char *path = arena_printf(reader->arena, "sys/%s", devices);
    const char *last = NULL, *root = NULL;
    for (char *at = path; at; at = strchr(at, '/'), at = at ? at + 1 : NULL) {
        size_t len = strcspn(at, "/");
        if (len > 3 && strncmp(at, "pci", 3) == 0 && isxdigit((unsigned char)at[3]))
            root = arena_strndup(reader->arena, at, len);
        if (!is_address(at, len) || (!(reader->needs & NEED_PCI) && leads_on(at + len)))
            continue;
        const char *address = arena_strndup(reader->arena, at, len);
        const char *prefix = arena_strndup(reader->arena, path, (size_t)(at + len - path));
        if (add_function(reader, address, prefix, last, root))
            last = address;
    }
    return last;
}

static void read_vpd(struct reader *reader, struct pci *pci)
{
    struct span span;
    if (pci->vpd)
        return;
    int r = root_read(reader->root, &span, "sys/bus/pci/devices/%s/vpd", pci->address);
    pci->vpd_err = -r;
    if (r < 0)
        return;
    pci->vpd = arena_strndup(reader->arena, span.data, 0);
    if (span.len)
        pci->vpd = memcpy(arena_alloc(reader->arena, span.len, 1), span.data, span.len);
    pci->vpd_len = span.len;
}

void read_pcis(struct reader *reader)
{
    char entry[PATH_MAX];
    for (size_t i = 0; i < reader->host->ndevices; i++) {
        struct device *device = &reader->host->devices[i];
        snprintf(entry, sizeof(entry), "sys/class/infiniband/%s", device->name);
        device->pci = read_pci_chain(reader, entry);
        struct pci *pci = device->pci ? host_find_pci(reader->host, device->pci) : NULL;
        if (pci && (reader->needs & NEED_VPD))
            read_vpd(reader, pci);
    }
    if (!(reader->needs & NEED_NETDEV_ALL))
        return;
    for (size_t i = 0; i < reader->host->nnetdevs; i++) {
        struct netdev *netdev = &reader->host->netdevs[i];
        snprintf(entry, sizeof(entry), "sys/class/net/%s", netdev->name);
        if (netdev->parent_bus)
            netdev->pci = read_pci_chain(reader, entry);
    }
}
