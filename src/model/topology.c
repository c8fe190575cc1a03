/* SPDX-License-Identifier: MIT */
/* How far PCI functions are from each other. */
#include "model/topology.h"

enum { MOST_LAYERS = 32, VENDOR_NVIDIA = 0x10de };

bool host_has_numa(const struct host *host)
{
    const char *nodes = host->system.numa_nodes;
    return nodes && strpbrk(nodes, ",-");
}

const char *distance_text(enum distance distance)
{
    static const char *const words[DISTANCES] = { "X", "PIX", "PXB", "PHB", "NODE", "SYS", "?" };
    return words[distance];
}

const char *distance_meaning(enum distance distance)
{
    static const char *const words[DISTANCES] = {
        "itself",
        MEANS_PIX,
        MEANS_PXB,
        MEANS_PHB,
        MEANS_NODE,
        MEANS_SYS,
        "not known: the firmware doesn't say which NUMA node",
    };
    return words[distance];
}

const struct pci *pci_above(const struct host *host, const struct pci *pci)
{
    return pci->above ? pci->above : host_find_pci(host, pci->upstream);
}

bool pci_is_below(const struct host *host, const struct pci *pci, const struct pci *bridge)
{
    for (int layers = 0; pci && layers < MOST_LAYERS; layers++, pci = pci_above(host, pci))
        if (pci == bridge)
            return true;
    return false;
}

/* The bridges above a function, the lowest first. */
struct chain {
    const struct pci *bridges[MOST_LAYERS];
    size_t count;
};

static struct chain chain_of(const struct host *host, const struct pci *pci)
{
    struct chain chain = { 0 };
    for (const struct pci *at = pci_above(host, pci); at && chain.count < MOST_LAYERS; at = pci_above(host, at))
        chain.bridges[chain.count++] = at;
    return chain;
}

/* How many bridges of each are below their lowest common one; false if there is none. */
static bool meet(const struct chain *a, const struct chain *b, size_t *below_a, size_t *below_b)
{
    for (*below_a = 0; *below_a < a->count; ++*below_a)
        for (*below_b = 0; *below_b < b->count; ++*below_b)
            if (a->bridges[*below_a] == b->bridges[*below_b])
                return true;
    *below_a = a->count;
    *below_b = b->count;
    return false;
}

struct num pci_numa(const struct pci *pci)
{
    bool has_node = pci && pci->numa_node.known && pci->numa_node.value >= 0;
    return num_if(has_node, has_node ? (uint64_t)pci->numa_node.value : 0);
}

static enum distance across_bridges(const struct host *host, const struct pci *a, const struct pci *b)
{
    if (a->root && text_is(b->root, a->root))
        return DISTANCE_PHB;
    if (pci_numa(a).known && pci_numa(b).known)
        return a->numa_node.value == b->numa_node.value ? DISTANCE_NODE : DISTANCE_SYS;
    return host->system.numa_nodes && !host_has_numa(host) ? DISTANCE_NODE : DISTANCE_UNKNOWN;
}

/* A switch consists of an upstream port, shared by both, and a downstream port above each: any further bridges
 * belong to other switches. */
enum distance pci_distance(const struct host *host, const struct pci *a, const struct pci *b)
{
    size_t below_a, below_b;
    if (!a || !b)
        return DISTANCE_UNKNOWN;
    if (a == b)
        return DISTANCE_SELF;
    struct chain up_a = chain_of(host, a), up_b = chain_of(host, b);
    if (!meet(&up_a, &up_b, &below_a, &below_b))
        return across_bridges(host, a, b);
    return below_a <= 1 && below_b <= 1 ? DISTANCE_PIX : DISTANCE_PXB;
}

/* Digits and one point: strtod() also accepts "inf" and "1e300", and is slow for a matrix of many ports. */
double giga_transfers(const char *text)
{
    enum { MOST = 1 << 20 };
    double value = 0, place = 1;
    for (; text && *text >= '0' && *text <= '9' && value < MOST; text++)
        value = value * 10 + (*text - '0');
    if (text && *text == '.')
        for (text++; *text >= '0' && *text <= '9'; text++)
            value += (*text - '0') * (place /= 10);
    return value < MOST ? value : 0;
}

double pcie_mbps(double transfers, uint64_t lanes)
{
    double coding = transfers < 8 ? 0.8 : 128.0 / 130.0;
    return transfers * 1000 * coding * (double)lanes * 0.9;
}

/* A virtual function's width reads 0, an on-chip device's maximum 0 or 255. */
static bool has_link(const struct pci *pci)
{
    return pci->link_width.known && pci->link_width.value && pci->link_width.value < 255;
}

static void look_at(struct pci_path *path, const struct pci *pci, double transfers)
{
    double mbps = has_link(pci) ? pcie_mbps(transfers, pci->link_width.value) : 0;
    if (mbps > 0 && (path->mbps <= 0 || mbps < path->mbps)) {
        path->mbps = mbps;
        path->slow = pci;
    }
}

/* The links from a function up to the bridge where the paths meet. */
static void walk(struct pci_path *path, const struct pci *pci, const struct chain *chain, size_t below)
{
    const struct pci *port = chain->count ? chain->bridges[0] : NULL;
    double most = giga_transfers(pci->link_speed_max);
    double most_port = port ? giga_transfers(port->link_speed_max) : 0;
    size_t from = 0;
    if (most_port > 0 && most_port < most)
        most = most_port;
    look_at(path, pci, pci->is_accelerator ? most : giga_transfers(pci->link_speed));
    if (pci->is_accelerator)
        from = 1; /* the port above it is the other end of the same link */
    for (size_t i = from; i < below; i++)
        look_at(path, chain->bridges[i], giga_transfers(chain->bridges[i]->link_speed));
}

struct pci_path pci_path(const struct host *host, const struct pci *a, const struct pci *b)
{
    struct pci_path path = { .distance = pci_distance(host, a, b) };
    size_t below_a, below_b;
    if (!a || !b || a == b)
        return path;
    struct chain up_a = chain_of(host, a), up_b = chain_of(host, b);
    meet(&up_a, &up_b, &below_a, &below_b);
    walk(&path, a, &up_a, below_a);
    walk(&path, b, &up_b, below_b);
    return path;
}

bool pci_is_bridge(const struct pci *pci)
{
    return pci->class_code.known && pci->class_code.value >> 8 == 0x0604;
}

bool pci_is_infiniband(const struct pci *pci)
{
    return pci->class_code.known && pci->class_code.value >> 8 == 0x0207;
}

bool pci_is_called(const char *address, const char *name)
{
    return text_is(address, name) || (text_starts(address, "0000:") && strcmp(address + 5, name) == 0);
}

bool pci_is_one_card(const char *a, const char *b)
{
    size_t len = strcspn(a, ".");
    return strncmp(a, b, len) == 0 && strcspn(b, ".") == len;
}

const struct port *port_other_half(const struct host *host, const struct port *port)
{
    const struct device *own = port->device;
    const struct netdev *netdev = port_netdev(host, port);
    if (!own->sys_image_guid.known || !own->sys_image_guid.value || !own->pci || !netdev ||
        !netdev->phys_port_name)
        return NULL;
    for (const struct port *other = NULL; (other = host_next_port(host, other));) {
        const struct device *device = other->device;
        const struct netdev *its = port_netdev(host, other);
        const struct gid *gid = port_main_gid(other);
        bool is_half = device != own && device->pci && !pci_is_one_card(device->pci, own->pci) &&
                       num_is(device->sys_image_guid, own->sys_image_guid.value) && its &&
                       text_is(its->phys_port_name, netdev->phys_port_name);
        if (is_half && port_is_active(other) && gid && gid_reach(gid->raw))
            return other;
    }
    return NULL;
}

int pci_address_compare(const char *a, const char *b)
{
    size_t domain_a = strcspn(a, ":"), domain_b = strcspn(b, ":");
    if (domain_a != domain_b)
        return domain_a < domain_b ? -1 : 1;
    return strcmp(a, b);
}

static int by_address(const void *a, const void *b)
{
    return pci_address_compare((*(const struct pci *const *)a)->address,
                               (*(const struct pci *const *)b)->address);
}

const struct pci **host_accelerators(const struct host *host, struct arena *arena, size_t *count)
{
    const struct pci **found = arena_alloc(arena, host->npcis + 1, sizeof(*found));
    *count = 0;
    for (size_t i = 0; i < host->npcis; i++)
        if (host->pcis[i].is_accelerator)
            found[(*count)++] = &host->pcis[i];
    qsort(found, *count, sizeof(*found), by_address);
    return found;
}

bool host_has_accelerator(const struct host *host)
{
    for (size_t i = 0; i < host->npcis; i++)
        if (host->pcis[i].is_accelerator)
            return true;
    return false;
}

const char *accelerator_vendor(const struct pci *pci)
{
    static const struct {
        uint16_t id;
        const char *name;
    } vendors[] = { { VENDOR_NVIDIA, "NVIDIA" }, { 0x1002, "AMD" }, { 0x8086, "Intel" }, { 0x1da3, "Habana" } };
    for (size_t i = 0; i < ARRAY_SIZE(vendors); i++)
        if (num_is(pci->vendor, vendors[i].id))
            return vendors[i].name;
    return pci->vendor_name;
}

/* nvgrace_gpu_vfio_pci_table of drivers/vfio/pci/nvgrace-gpu/main.c: GH200 120GB, 480GB and one more, GB200,
 * GB300. */
bool accelerator_has_c2c(const struct pci *pci)
{
    static const uint16_t superchips[] = { 0x2342, 0x2345, 0x2348, 0x2941, 0x31c2 };
    for (size_t i = 0; i < ARRAY_SIZE(superchips); i++)
        if (num_is(pci->vendor, VENDOR_NVIDIA) && num_is(pci->device, superchips[i]))
            return true;
    return false;
}
