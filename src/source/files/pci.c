/* SPDX-License-Identifier: MIT */
/* PCI functions of RDMA devices and netdevs, and the bridges above them, found through the class links. */
#include "model/topology.h"
#include "source/files/files.h"
#include "source/files/forms.h"
#include "source/files/texts.h"

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
    const char *text = read_text_at(reader, dir, "{number}", name);
    int64_t value;
    return text && text_to_i64(text, 10, &value) == 0 ? snum_of(value) : (struct snum){ 0 };
}

/* What add_peers() has already read about it; NULL if nothing. */
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
    pci->class_code = seen && seen->class_code.known ? seen->class_code : read_num_at(reader, dir, 16, "class");
    pci->local_cpus = read_text_at(reader, dir, "{numbers}", "local_cpulist");
    pci->link_speed = read_text_at(reader, dir, FORM_LINK_SPEED, "current_link_speed");
    pci->link_speed_max = read_text_at(reader, dir, FORM_LINK_SPEED, "max_link_speed");
    pci->sriov_vfs = read_num_at(reader, dir, 10, "sriov_numvfs");
    pci->sriov_vfs_max = read_num_at(reader, dir, 10, "sriov_totalvfs");
    pci->driver = read_link_at(reader, dir, "driver");
    /* a virtual function has none of these files (sriov_pf_attrs_are_visible() of drivers/pci/iov.c), and isn't
     * a bridge */
    if (!pci->sriov_vfs_max.known && !pci_is_bridge(pci))
        pci->physfn = read_link_at(reader, dir, "physfn");
}

static void read_virtual_functions(struct reader *reader, struct root_dir *dir, struct pci *pci)
{
    enum { MOST = 256 };
    for (uint64_t i = 0; pci->sriov_vfs.known && i < pci->sriov_vfs.value && i < MOST; i++) {
        char name[32];
        snprintf(name, sizeof(name), "virtfn%" PRIu64, i);
        const char *address = read_link_at(reader, dir, name);
        if (!address)
            return;
        *ARENA_PUSH(reader->arena, pci->vfs, pci->nvfs) = address;
    }
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
    read_virtual_functions(reader, &dir, &pci);
    root_dir_close(&dir);
    *ARENA_PUSH(reader->arena, reader->host->pcis, reader->host->npcis) = pci;
    return &reader->host->pcis[reader->host->npcis - 1];
}

/* Does the rest of a path contain another function? */
static bool leads_on(const char *path)
{
    for (const char *at = strchr(path, '/'); at; at = strchr(at, '/'))
        if (++at, is_address(at, strcspn(at, "/")))
            return true;
    return false;
}

/* Walks the target of a link below sys, "../../devices/pci0000:16/0000:16:02.0/0000:17:00.0/net/eth0", and adds
 * each function. Returns the address of the last one, the entry's own, or NULL. */
static const char *read_pci_chain(struct reader *reader, const char *class_entry)
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
    int r = root_read(reader->root, &span, NULL, "sys/bus/pci/devices/%s/vpd", pci->address);
    pci->vpd_err = -r;
    if (r < 0)
        return;
    pci->vpd = arena_strndup(reader->arena, span.data, span.len);
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

/* Errors that the kernel counted for the PCI functions of RDMA devices, and for the bridges above them. */

#define DEVICES "sys/bus/pci/devices"

static void read_errors(struct reader *reader, struct pci *pci)
{
    for (enum aer_severity severity = 0; severity < AER_SEVERITIES; severity++) {
        const char *text = read_text(reader, FORM_AER, DEVICES "/%s/%s", pci->address, aer_file(severity));
        if (text)
            pci->aer[severity] = aer_parse(text, reader->arena);
    }
}

/* The root port's service exists only if the firmware left AER to the kernel: get_port_device_capability() of
 * drivers/pci/pcie/portdrv.c, which numbers a root port's services separately, AER as 2. */
static bool is_handled(struct reader *reader, const struct pci *pci)
{
    return text_is(read_link_name(reader, "sys/bus/pci_express/devices/%s:pcie002/driver", pci->address),
                   "aer");
}

static void read_chain(struct reader *reader, struct pci *from)
{
    for (struct pci *pci = from; pci && !pci->aer_asked; pci = host_find_pci(reader->host, pci->upstream)) {
        pci->aer_asked = true;
        read_errors(reader, pci);
        if (!pci->upstream)
            pci->aer_here = is_handled(reader, pci);
    }
}

void read_aer(struct reader *reader)
{
    struct host *host = reader->host;
    for (size_t i = 0; i < host->ndevices; i++)
        read_chain(reader, host_find_pci(host, host->devices[i].pci));
}

void read_aer_of_peers(struct reader *reader)
{
    read_aer(reader);
    for (size_t i = 0; i < reader->host->npcis; i++)
        if (reader->host->pcis[i].is_accelerator)
            read_chain(reader, &reader->host->pcis[i]);
}

/* pci_ids.h: a display controller is a peer of NICs only if its vendor makes accelerators; a management
 * controller's VGA isn't one. 3D controllers and processing accelerators always are. AMD's Instinct up to MI250
 * and Intel's Data Center GPUs are "other" display controllers; Intel's VGA is part of the processor, as other
 * displays may be: is_integrated(). */
enum { NVIDIA = 0x10de, AMD = 0x1002, INTEL = 0x8086 };

static bool is_accelerator(uint64_t class_code, struct num vendor)
{
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

/* A display that is part of the processor. AMD's is one device with other parts of it (the security processor,
 * USB), which have the processor's vendor, 1022, and so has no card; that it is on a bus of its own, with a
 * link of full width, doesn't tell. Intel's is always at this address, and on no link: it reads 0 or 255 lanes.
 */
static bool is_integrated(struct reader *reader, const struct names *all, const char *name, uint64_t class_code,
                          struct num vendor)
{
    enum { AMD_PROCESSOR = 0x1022 };
    bool display = class_code >> 8 == 0x0300 || class_code >> 8 == 0x0380, found = false;
    if (display && num_is(vendor, INTEL) && strcmp(name, "0000:00:02.0") == 0) {
        struct num lanes = read_num(reader, 10, DEVICES "/%s/max_link_width", name);
        return !lanes.known || lanes.value == 0 || lanes.value == 255;
    }
    for (size_t i = 0; display && num_is(vendor, AMD) && i < all->count && !found; i++)
        found = pci_is_one_card(all->items[i], name) &&
                num_is(read_num(reader, 16, DEVICES "/%s/vendor", all->items[i]), AMD_PROCESSOR);
    return found;
}

/* "Non-volatile memory controller", NVM Express. */
static bool is_nvme(uint64_t class_code)
{
    return class_code >> 8 == 0x0108;
}

/* The device id of ConnectX-8's Data Direct function: mlx5_data_direct_pci_table of mlx5/data_direct.c in
 * drivers/infiniband/hw. Its class is "system peripheral". */
enum { SYSTEM_PERIPHERAL = 0x08, MELLANOX = 0x15b3, DATA_DIRECT = 0x2100 };

static struct pci *add_chain(struct reader *reader, const char *name)
{
    char entry[PATH_MAX];
    snprintf(entry, sizeof(entry), DEVICES "/%s", name);
    const char *address = read_pci_chain(reader, entry);
    return address ? host_find_pci(reader->host, address) : NULL;
}

/* A NIC that has brought neither a netdev nor an RDMA device. Of Ethernet's, those of vendors whose NICs all do
 * RDMA: NVIDIA's, and Amazon's EFA (efa_pci_tbl of drivers/infiniband/hw/efa/efa_main.c); not all of a
 * BlueField's functions are NICs. */
static bool is_adapter(struct reader *reader, struct seen_function *seen)
{
    enum { ETHERNET = 0x0200, INFINIBAND = 0x0207, AMAZON = 0x1d0f, EFA = 0xefa };
    uint64_t class_code = seen->class_code.value >> 8;
    if (reader->host->partial || (class_code != ETHERNET && class_code != INFINIBAND))
        return false;
    seen->vendor = read_num(reader, 16, DEVICES "/%s/vendor", seen->address);
    if (class_code == ETHERNET && !num_is(seen->vendor, MELLANOX) &&
        !(num_is(seen->vendor, AMAZON) &&
          read_num(reader, 16, DEVICES "/%s/device", seen->address).value >> 4 == EFA))
        return false;
    return !read_link_name(reader, DEVICES "/%s/physfn", seen->address);
}

/* What NICs exchange data with directly, bypassing the host's memory; and the functions they do it through. */
static void add_peer(struct reader *reader, const struct names *all, struct seen_function *seen)
{
    const char *name = seen->address;
    seen->class_code = read_num(reader, 16, DEVICES "/%s/class", name);
    uint64_t base = seen->class_code.known ? seen->class_code.value >> 16 : 0;
    bool nvme = is_nvme(seen->class_code.value);
    struct pci *adapter = is_adapter(reader, seen) ? add_chain(reader, name) : NULL;
    if (adapter)
        adapter->is_adapter = true;
    if (adapter || !reader->host->ndevices)
        return;
    if (base != 0x03 && base != 0x12 && base != SYSTEM_PERIPHERAL && !nvme)
        return;
    seen->vendor = read_num(reader, 16, DEVICES "/%s/vendor", name);
    struct num device = { 0 };
    if (base == SYSTEM_PERIPHERAL && num_is(seen->vendor, MELLANOX))
        device = read_num(reader, 16, DEVICES "/%s/device", name);
    bool direct = num_is(device, DATA_DIRECT);
    if (!direct && !nvme &&
        (!is_accelerator(seen->class_code.value, seen->vendor) ||
         is_integrated(reader, all, name, seen->class_code.value, seen->vendor)))
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
            add_peer(reader, &names, &seen[i]);
        else if (known->class_code.known) /* Gaudi has its own netdevs */
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
    int r = root_read(reader->root, &span, "{pci-config}", DEVICES "/%s/config", pci->address);
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
    pci->iommu_type = read_text(reader, "{DMA|DMA-FQ|identity|unmanaged|blocked|auto}",
                                "sys/kernel/iommu_groups/%u/type", group);
}

/* Where MLNX_OFED's drivers show who provides memory to them: ncclIbGdrSupport() of NCCL's
 * src/transport/net_ib/gdr.cc, and of RCCL's src/transport/net_ib.cc. */
static const char *const memory_peers[] = {
    "sys/kernel/mm/memory_peers/nv_mem/version", "sys/kernel/mm/memory_peers/nv_mem_nc/version",
    "sys/kernel/mm/memory_peers/amdkfd/version", "sys/kernel/memory_peers/amdkfd/version",
    "sys/memory_peers/amdkfd/version",
};

/* Usually it doesn't exist, and this is a single look. */
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
    peer->gdrdrv = read_text(reader, "{version}", "sys/module/gdrdrv/version");
    if (peer->gdrdrv)
        peer->gdrdrv_node = read_node(reader, "gdrdrv", "/dev/gdrdrv");
}

void read_peer_memory(struct reader *reader)
{
    for (size_t i = 0; i < reader->host->npcis; i++)
        if (reader->host->pcis[i].is_accelerator || reader->host->pcis[i].is_nvme)
            read_p2pmem(reader, &reader->host->pcis[i]);
    if (!host_has_accelerator(reader->host))
        return;
    struct peer_memory *peer = &reader->host->system.peer_memory;
    peer->nvidia = read_text(reader, "{version}", "sys/module/nvidia/version");
    peer->nvidia_peermem = read_text(reader, "{version}", "sys/module/nvidia_peermem/version");
    for (size_t i = 0; i < ARRAY_SIZE(memory_peers) && !peer->memory_peer; i++)
        if (read_text(reader, "{version}", "%s", memory_peers[i]))
            peer->memory_peer = memory_peers[i];
    const char *version = read_text(reader, FORM_NVIDIA, "proc/driver/nvidia/version");
    if (version)
        peer->open_driver = tri_of(strstr(version, "Open Kernel Module") != NULL);
    read_gdrcopy(reader, peer);
}

void read_platform(struct reader *reader)
{
    reader->host->system.numa_nodes = read_text(reader, "{numbers}", "sys/devices/system/node/online");
    if (reader->needs & NEED_PCI)
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
