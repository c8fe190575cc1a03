/* SPDX-License-Identifier: MIT */
#include "source/files/platform.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/topology.h"
#include "source/files/pci.h"
#include "source/files/pci_config.h"
#include "source/reader.h"

#define DEVICES "sys/bus/pci/devices"

/* pci_ids.h: a display controller is a peer of NICs only when its vendor makes accelerators; the VGA of a
 * management controller isn't one. 3D controllers and processing accelerators always are. AMD's Instinct up
 * to MI250 and Intel's Data Center GPUs are "other" display controllers; Intel's VGA is in the processor. */
static bool is_accelerator(uint64_t class_code, struct num vendor)
{
    enum { NVIDIA = 0x10de, AMD = 0x1002, INTEL = 0x8086 };
    switch (class_code >> 8) {
    case 0x0302:
    case 0x1200:
        return true;
    case 0x0300:
        return num_is(vendor, NVIDIA) || num_is(vendor, AMD);
    case 0x0380:
        return num_is(vendor, AMD) || num_is(vendor, INTEL);
    default:
        return false;
    }
}

/* "Non-volatile memory controller", NVM Express. */
static bool is_nvme(uint64_t class_code)
{
    return class_code >> 8 == 0x0108;
}

/* Device id of ConnectX-8's Data Direct function: mlx5_data_direct_pci_table of mlx5/data_direct.c in
 * drivers/infiniband/hw. It is a "system peripheral". */
enum { SYSTEM_PERIPHERAL = 0x08, MELLANOX = 0x15b3, DATA_DIRECT = 0x2100 };

static struct pci *add_chain(struct reader *reader, const char *name)
{
    char entry[PATH_MAX];
    snprintf(entry, sizeof(entry), DEVICES "/%s", name);
    const char *address = read_pci_chain(reader, entry);
    return address ? host_find_pci(reader->host, address) : NULL;
}

/* What NICs exchange data with, past the host's memory; and the functions by which they do. */
static void add_peer(struct reader *reader, struct seen_function *seen)
{
    const char *name = seen->address;
    seen->class_code = read_num(reader, 16, DEVICES "/%s/class", name);
    uint64_t base = seen->class_code.known ? seen->class_code.value >> 16 : 0;
    bool nvme = is_nvme(seen->class_code.value);
    if (base != 0x03 && base != 0x12 && base != SYSTEM_PERIPHERAL && !nvme)
        return;
    seen->vendor = read_num(reader, 16, DEVICES "/%s/vendor", name);
    struct num device = { 0 };
    if (base == SYSTEM_PERIPHERAL && num_is(seen->vendor, MELLANOX))
        device = read_num(reader, 16, DEVICES "/%s/device", name);
    bool direct = num_is(device, DATA_DIRECT);
    if (!direct && !nvme && !is_accelerator(seen->class_code.value, seen->vendor))
        return;
    struct pci *pci = add_chain(reader, name);
    if (pci) {
        pci->is_data_direct = direct;
        pci->is_nvme = nvme;
        pci->is_accelerator = !direct && !nvme;
    }
}

static void add_peers(struct reader *reader)
{
    struct names names = read_list(reader, DEVICES);
    struct seen_function *seen = mem_alloc(names.count + 1, sizeof(*seen));
    reader->seen = seen;
    for (size_t i = 0; i < names.count; i++) {
        struct pci *known = host_find_pci(reader->host, names.items[i]);
        seen[i].address = names.items[i];
        reader->nseen = i + 1;
        if (!known)
            add_peer(reader, &seen[i]);
        else if (known->class_code.known) /* Gaudi has netdevs of its own */
            known->is_accelerator = is_accelerator(known->class_code.value, known->vendor);
    }
    reader->seen = NULL;
    reader->nseen = 0;
    free(seen);
}

static void read_config(struct reader *reader, struct pci *pci)
{
    struct span span;
    uint16_t control = 0, ats = 0;
    struct pci_express express = { 0 };
    int r = root_read(reader->root, &span, DEVICES "/%s/config", pci->address);
    int acs = r ? r : pci_acs_control((const uint8_t *)span.data, span.len, &control);
    pci->acs_err = -acs;
    if (acs == 0)
        pci->acs = num_of(control);
    int ats_result = r ? r : pci_ats_control((const uint8_t *)span.data, span.len, &ats);
    pci->ats_err = -ats_result;
    if (ats_result == 0)
        pci->ats = tri_of(ats & PCI_ATS_ENABLED);
    if (r == 0)
        r = pci_express_read((const uint8_t *)span.data, span.len, &express);
    pci->express_err = -r;
    if (r < 0)
        return;
    pci->payload = num_if(express.payload, express.payload);
    pci->read_request = num_if(express.read_request, express.read_request);
    pci->relaxed_ordering = tri_of(express.relaxed_ordering);
    pci->extended_tags = tri_of(express.extended_tags);
    pci->ten_bit_tags = tri_of(express.ten_bit_tags);
}

static void read_iommu(struct reader *reader, struct pci *pci)
{
    const char *name = read_link_name(reader, DEVICES "/%s/iommu_group", pci->address);
    unsigned group;
    if (!name || sscanf(name, "%u", &group) != 1)
        return;
    pci->iommu_group = num_of(group);
    pci->iommu_type = read_text(reader, "sys/kernel/iommu_groups/%u/type", group);
}

/* Where MLNX_OFED's drivers tell who lends them memory: ncclIbGdrSupport() of NCCL's
 * src/transport/net_ib/gdr.cc, and of RCCL's src/transport/net_ib.cc. */
static const char *const memory_peers[] = {
    "sys/kernel/mm/memory_peers/nv_mem/version", "sys/kernel/mm/memory_peers/nv_mem_nc/version",
    "sys/kernel/mm/memory_peers/amdkfd/version", "sys/kernel/memory_peers/amdkfd/version",
    "sys/memory_peers/amdkfd/version",
};

/* Without it, which is the rule, it's one look. */
static void read_p2pmem(struct reader *reader, struct pci *pci)
{
    struct root_dir dir = { 0 };
    int r = root_dir_open(reader->root, &dir, DEVICES "/%s/p2pmem", pci->address);
    if (r < 0) {
        read_problem(reader, r, DEVICES "/%s/p2pmem", pci->address);
        return;
    }
    pci->p2p_size = read_num_at(reader, &dir, 10, "size");
    pci->p2p_available = read_num_at(reader, &dir, 10, "available");
    struct num published = read_num_at(reader, &dir, 10, "published");
    if (published.known)
        pci->p2p_published = tri_of(published.value);
    root_dir_close(&dir);
}

/* gdrapi.c of GDRCopy opens this node. */
static void read_gdrcopy(struct reader *reader, struct peer_memory *peer)
{
    peer->gdrdrv = read_text(reader, "sys/module/gdrdrv/version");
    if (!peer->gdrdrv)
        return;
    struct device_node *node = &peer->gdrdrv_node;
    *node = (struct device_node){ .name = "gdrdrv", .path = "/dev/gdrdrv" };
    node->err = -root_try_node(reader->root, node->path + 1);
    node->tried = node->err != ENODATA && !(reader->host->partial && node->err == ENOENT);
}

void read_peer_memory(struct reader *reader)
{
    for (size_t i = 0; i < reader->host->npcis; i++)
        if (reader->host->pcis[i].is_accelerator || reader->host->pcis[i].is_nvme)
            read_p2pmem(reader, &reader->host->pcis[i]);
    if (!host_has_accelerator(reader->host))
        return;
    struct peer_memory *peer = &reader->host->system.peer_memory;
    peer->nvidia = read_text(reader, "sys/module/nvidia/version");
    peer->nvidia_peermem = read_text(reader, "sys/module/nvidia_peermem/version");
    for (size_t i = 0; i < ARRAY_SIZE(memory_peers) && !peer->memory_peer; i++)
        if (read_text(reader, "%s", memory_peers[i]))
            peer->memory_peer = memory_peers[i];
    const char *version = read_text(reader, "proc/driver/nvidia/version");
    if (version)
        peer->open_driver = tri_of(strstr(version, "Open Kernel Module") != NULL);
    read_gdrcopy(reader, peer);
}

void read_platform(struct reader *reader)
{
    reader->host->system.numa_nodes = read_text(reader, "sys/devices/system/node/online");
    if (reader->needs & NEED_PCI && reader->host->ndevices)
        add_peers(reader);
}

void read_configs(struct reader *reader)
{
    struct host *host = reader->host;
    if (!(reader->needs & NEED_PCI) || host->ndevices == 0)
        return;
    for (size_t i = 0; i < host->npcis; i++) {
        struct pci *pci = &host->pcis[i];
        bool is_peer = pci->is_accelerator || pci->is_data_direct;
        if (!pci_is_bridge(pci) && !is_peer)
            continue;
        read_config(reader, pci);
        if (is_peer || reader->needs & NEED_PCIE) {
            pci->config_asked = true;
            read_iommu(reader, pci);
        }
    }
    for (size_t d = 0; d < host->ndevices; d++) {
        struct pci *pci = host->devices[d].pci ? host_find_pci(host, host->devices[d].pci) : NULL;
        if (!pci || pci->config_asked)
            continue;
        pci->config_asked = true;
        read_iommu(reader, pci);
        read_config(reader, pci);
    }
}
