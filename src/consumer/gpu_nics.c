/* SPDX-License-Identifier: MIT */
/* Follows NCCL 2.30: src/graph/topo.cc (ncclTopoGetLocal, ncclTopoGetLocalNetType), src/graph/paths.cc
 * (ncclTopoCheckGdr, ncclGetLevel), src/graph/xml.cc (what it reads about a link: the most that both ends
 * support). RCCL (ROCm 6.3, src/graph in rccl) differs where noted. */
#include "consumer/gpu.h"

#include "model/verbs.h"

enum { MOST_NETS = 64 };

enum consumer gpu_consumer(const struct pci *accelerator)
{
    return text_is(accelerator_vendor(accelerator), "AMD") ? CONSUMER_RCCL : CONSUMER_NCCL;
}

bool gpu_port_counts(const struct host *host, enum consumer consumer, const struct port *port)
{
    bool fits = port->transport == TRANSPORT_ROCE || port->transport == TRANSPORT_INFINIBAND;
    return fits && port->device->pci && !device_is_smi(port->device) &&
           (port_is_active(port) || !port->state.known) && consumer_takes_port(consumer, &host->system, port);
}

/* ncclGetLevel(): one of its words, or an older version's number. NCCL has no NODE, and treats it as PHB. */
static bool level_of(const char *value, enum distance *level)
{
    static const struct {
        const char *word;
        enum distance distance;
    } words[] = { { "LOC", DISTANCE_SELF }, { "PIX", DISTANCE_PIX },  { "PXB", DISTANCE_PXB },
                  { "P2C", DISTANCE_PXB },  { "PXN", DISTANCE_PXB },  { "PHB", DISTANCE_NODE },
                  { "SYS", DISTANCE_SYS },  { "NVL", DISTANCE_SELF }, { "NVB", DISTANCE_SELF },
                  { "C2C", DISTANCE_SELF } };
    static const enum distance numbers[] = { DISTANCE_SELF, DISTANCE_PIX, DISTANCE_PXB,
                                             DISTANCE_NODE, DISTANCE_SYS, DISTANCE_SYS };
    for (size_t i = 0; i < ARRAY_SIZE(words); i++)
        if (strcmp(value, words[i].word) == 0) {
            *level = words[i].distance;
            return true;
        }
    if (*value < '0' || *value > '9')
        return false;
    unsigned long number = strtoul(value, NULL, 0);
    *level = numbers[number < ARRAY_SIZE(numbers) ? number : ARRAY_SIZE(numbers) - 1];
    return true;
}

struct gpu_reach gpu_reach(const struct host *host, enum consumer consumer)
{
    struct gpu_reach reach = { .most = DISTANCE_PXB };
    struct setting by = consumer_setting(consumer, &host->system, "NCCL_NET_GDR_LEVEL");
    if (by.value && level_of(by.value, &reach.most))
        reach.by = by;
    return reach;
}

bool gpu_is_over_c2c(const struct host *host, const struct pci *accelerator, const struct port *port)
{
    enum distance distance = accelerator_has_c2c(accelerator)
                                 ? pci_distance(host, accelerator, device_function(host, port->device))
                                 : DISTANCE_UNKNOWN;
    return distance == DISTANCE_PHB || distance == DISTANCE_NODE;
}

/* On a superchip NCCL also reaches its own CPU's ports, over C2C (PATH_P2C): NCCL_NET_GDR_C2C defaults to 1. */
enum tristate gpu_reaches(const struct host *host, const struct pci *accelerator, const struct port *port)
{
    enum consumer consumer = gpu_consumer(accelerator);
    struct gpu_reach reach = gpu_reach(host, consumer);
    enum distance distance = pci_distance(host, accelerator, device_function(host, port->device));
    if (distance == DISTANCE_UNKNOWN)
        return TRI_UNKNOWN;
    struct setting c2c = consumer_setting(consumer, &host->system, "NCCL_NET_GDR_C2C");
    if (!reach.by.value && gpu_is_over_c2c(host, accelerator, port) && nccl_number(c2c.value, 1) != 0)
        return TRI_YES;
    return tri_of(distance <= reach.most);
}

/* To NCCL a card is one net, with all its ports and virtual functions (NCCL_NET_MERGE_LEVEL defaults to PORT).
 */
struct net {
    const struct port *ports[8];
    size_t nports;
    const struct pci *pci;
    double gbps;
    bool unclear; /* the state of one of its ports is unknown */
};

static int by_numa_and_address(const void *a, const void *b)
{
    const struct pci *left = ((const struct net *)a)->pci, *right = ((const struct net *)b)->pci;
    if (left->numa_node.value != right->numa_node.value)
        return left->numa_node.value < right->numa_node.value ? -1 : 1;
    return pci_address_compare(left->address, right->address);
}

static size_t find_nets(const struct host *host, enum consumer consumer, struct net *nets)
{
    size_t count = 0;
    for (const struct port *port = NULL; (port = host_next_port(host, port));) {
        const struct pci *pci = device_function(host, port->device);
        if (!pci || !gpu_port_counts(host, consumer, port))
            continue;
        size_t i = 0;
        while (i < count && !pci_is_one_card(nets[i].pci->address, pci->address))
            i++;
        if (i == MOST_NETS || (i < count && nets[i].nports == ARRAY_SIZE(nets[i].ports)))
            continue;
        if (i == count)
            nets[count++] = (struct net){ .pci = pci };
        nets[i].ports[nets[i].nports++] = port;
        nets[i].unclear |= !port->state.known;
        nets[i].gbps += port->rate_mbps.known ? (double)port->rate_mbps.value / 1000 : 0;
    }
    qsort(nets, count, sizeof(*nets), by_numa_and_address);
    return count;
}

/* kvDictPciGen: Gb/s per lane. */
static double nccl_lane(double transfers)
{
    return transfers * (transfers < 8 ? 0.6 : 0.75);
}

static double nccl_link(const struct pci *pci, const struct pci *port)
{
    double transfers = giga_transfers(pci->link_speed_max);
    uint64_t lanes = pci->link_width_max.known && pci->link_width_max.value < 255 ? pci->link_width_max.value
                                                                                  : 0;
    double above = port ? giga_transfers(port->link_speed_max) : 0;
    if (above > 0 && above < transfers)
        transfers = above;
    if (port && port->link_width_max.known && port->link_width_max.value && port->link_width_max.value < lanes)
        lanes = port->link_width_max.value;
    return nccl_lane(transfers) * (double)lanes;
}

/* The slowest link from a function up to where the paths meet; every second bridge is the port above a link. 0
 * if unknown. */
static double nccl_way(const struct host *host, const struct pci *pci, const struct pci *other)
{
    double least = 0;
    for (int layers = 0; pci && layers < 16 && !pci_is_below(host, other, pci); layers++) {
        const struct pci *port = pci_above(host, pci);
        double link = nccl_link(pci, port);
        if (link > 0 && (least <= 0 || link < least))
            least = link;
        pci = port ? pci_above(host, port) : NULL;
    }
    return least;
}

struct way {
    double gbps;
    enum distance distance;
};

static double lesser(double a, double b)
{
    return a > 0 && (b <= 0 || a < b) ? a : b;
}

static struct way way_to(const struct host *host, const struct pci *gpu, const struct net *net)
{
    double links = lesser(nccl_way(host, gpu, net->pci), nccl_way(host, net->pci, gpu));
    enum distance distance = pci_distance(host, gpu, net->pci);
    if (distance == DISTANCE_PHB)
        distance = DISTANCE_NODE; /* to NCCL a NUMA node is one CPU */
    return (struct way){ .gbps = lesser(net->gbps, links), .distance = distance };
}

static bool is_better(const struct way *a, const struct way *b)
{
    return a->gbps > b->gbps || (a->gbps >= b->gbps && a->distance < b->distance);
}

static bool is_as_good(const struct way *a, const struct way *b)
{
    return a->distance == b->distance && a->gbps >= b->gbps && a->gbps <= b->gbps;
}

/* ncclTopoGetLocal(): the most bandwidth, then the nearest. Across sockets it uses the bandwidth from a table
 * of CPUs, so a choice that depends on it is unclear. */
static size_t pick(const struct way *ways, size_t count, size_t *picked, bool *unclear)
{
    size_t n = 0;
    const struct way *best = NULL, *far = NULL;
    *unclear = false;
    for (size_t i = 0; i < count; i++) {
        const struct way **which = ways[i].distance < DISTANCE_SYS ? &best : &far;
        if (!*which || is_better(&ways[i], *which))
            *which = &ways[i];
    }
    *unclear = best && far && far->gbps > best->gbps;
    const struct way *chosen = best ? best : far;
    for (size_t i = 0; chosen && i < count; i++)
        if (is_as_good(&ways[i], chosen))
            picked[n++] = i;
    return n;
}

/* mirrorBits(): spreads neighbours' starting points. */
static size_t mirror(size_t value, size_t power)
{
    size_t mirrored = 0;
    for (size_t bit = 1, other = power >> 1; bit < power; bit <<= 1, other >>= 1)
        if (value & bit)
            mirrored |= other;
    return mirrored;
}

/* NCCL_NETDEVS_POLICY: AUTO divides the nets among equally near accelerators, ALL takes all, MAX:N at most N.
 */
static size_t nets_of_one(const struct host *host, enum consumer consumer, size_t nets, size_t gpus)
{
    struct setting policy = consumer_setting(consumer, &host->system, "NCCL_NETDEVS_POLICY");
    size_t automatic = (nets + gpus - 1) / gpus;
    if (!policy.value || consumer == CONSUMER_RCCL)
        return automatic;
    if (strcasecmp(policy.value, "ALL") == 0)
        return nets;
    unsigned long most = strncasecmp(policy.value, "MAX:", 4) == 0 ? strtoul(policy.value + 4, NULL, 10) : 0;
    return !most ? automatic : most < nets ? most : nets;
}

/* How many accelerators the net is nearest to, and this one's position among them. */
static size_t gpus_of(const struct host *host, const struct pci *const *gpus, size_t count,
                      const struct net *net, size_t index, size_t *place)
{
    struct way *ways = mem_alloc(count, sizeof(*ways));
    size_t *picked = mem_alloc(count, sizeof(*picked));
    bool unclear;
    for (size_t i = 0; i < count; i++)
        ways[i] = way_to(host, gpus[i], net);
    size_t n = pick(ways, count, picked, &unclear);
    *place = 0;
    for (size_t i = 0; i < n; i++)
        if (picked[i] == index)
            *place = i;
    free(picked);
    free(ways);
    return n ? n : 1;
}

static void take(struct gpu_nics *nics, const struct net *net, struct arena *arena)
{
    for (size_t i = 0; i < net->nports; i++)
        *ARENA_PUSH(arena, nics->ports, nics->nports) = net->ports[i];
}

struct gpu_nics gpu_nics(const struct host *host, const struct pci *const *accelerators, size_t naccelerators,
                         size_t index, struct arena *arena)
{
    struct gpu_nics nics = { .distance = DISTANCE_UNKNOWN };
    enum consumer consumer = gpu_consumer(accelerators[index]);
    struct net nets[MOST_NETS];
    struct way ways[MOST_NETS];
    size_t picked[MOST_NETS], place;
    size_t nnets = find_nets(host, consumer, nets);
    bool unclear = false;
    for (size_t i = 0; i < nnets; i++) {
        ways[i] = way_to(host, accelerators[index], &nets[i]);
        unclear |= nets[i].unclear;
    }
    size_t local = pick(ways, nnets, picked, &nics.unclear);
    nics.unclear |= unclear;
    if (!local)
        return nics;
    nics.distance = pci_distance(host, accelerators[index], nets[picked[0]].pci);
    size_t gpus = gpus_of(host, accelerators, naccelerators, &nets[picked[0]], index, &place);
    size_t each = nets_of_one(host, consumer, local, gpus);
    size_t start = consumer == CONSUMER_RCCL ? place
                                             : index % gpus; /* the NVML index, or the position among them */
    if ((local & (local - 1)) == 0)
        start = mirror(start, local);
    for (size_t channel = 0; channel < each; channel++)
        take(&nics, &nets[picked[(start + channel) % local]], arena);
    return nics;
}

struct num gpu_rail_of(const struct gpu_rails *rails, const struct port *port)
{
    size_t i = 0;
    while (i < rails->count && port->device->pci &&
           !pci_is_one_card(rails->ports[i]->device->pci, port->device->pci))
        i++;
    return num_if(i < rails->count && port->device->pci, i);
}

struct gpu_rails gpu_rails(const struct gpu_nics *nics, size_t count, struct arena *arena)
{
    struct gpu_rails rails = { 0 };
    for (size_t i = 0; i < count; i++) {
        if (nics[i].unclear)
            return (struct gpu_rails){ 0 };
        for (size_t k = 0; k < nics[i].nports; k++)
            if (!gpu_rail_of(&rails, nics[i].ports[k]).known)
                *ARENA_PUSH(arena, rails.ports, rails.count) = nics[i].ports[k];
    }
    return rails;
}

const struct port **nearest_ports(const struct host *host, const struct pci *pci, enum consumer consumer,
                                  struct arena *arena, size_t *count, enum distance *distance)
{
    const struct port **ports = NULL;
    *count = 0;
    *distance = DISTANCE_UNKNOWN;
    for (const struct port *port = NULL; (port = host_next_port(host, port));) {
        if (!port->device->pci || (consumer != CONSUMERS && !gpu_port_counts(host, consumer, port)))
            continue;
        enum distance here = pci_distance(host, pci, device_function(host, port->device));
        if (here == DISTANCE_UNKNOWN || here > *distance)
            continue;
        if (here < *distance)
            *count = 0;
        *distance = here;
        *ARENA_PUSH(arena, ports, *count) = port;
    }
    return ports;
}

const struct pci **nearest_accelerators(const struct host *host, const struct pci *pci, struct arena *arena,
                                        size_t *count)
{
    size_t all;
    const struct pci **found = host_accelerators(host, arena, &all);
    enum distance least = DISTANCE_UNKNOWN;
    *count = 0;
    for (size_t i = 0; i < all; i++) {
        enum distance distance = pci_distance(host, pci, found[i]);
        if (distance == DISTANCE_UNKNOWN || distance > least)
            continue;
        if (distance < least)
            *count = 0;
        least = distance;
        found[(*count)++] = found[i];
    }
    return found;
}

/* Follows NCCL 2.30.7 (NVIDIA/nccl 5067397): ncclIbGdrSupport() and ncclIbDmaBufSupport() in
 * src/transport/net_ib/gdr.cc say what a NIC supports, dmaBufSupported() in src/init.cc what the accelerator
 * supports and NCCL_DMABUF_ENABLE (1) allows; src/transport/net.cc takes dma-buf if all three agree, else the
 * module. RCCL is the same (ROCm/rocm-systems 018c383, projects/rccl/src/misc/rocmwrap.cc, where the kernel
 * configuration must have DMABUF_MOVE_NOTIFY and PCI_P2PDMA), but in ROCm 6.3 (ROCm/rccl 0cbce2a, NCCL 2.21.5)
 * NCCL_DMABUF_ENABLE is 0, and it also looks for ib_register_peer_memory_client in /proc/kallsyms. */

const char *gpu_memory_module(const struct host *host, enum consumer consumer)
{
    static const char *const names[] = { "nv_mem_nc", "nv_mem", "amdkfd" };
    const struct peer_memory *peer = &host->system.peer_memory;
    if (consumer == CONSUMER_NCCL && peer->nvidia_peermem)
        return "nvidia_peermem";
    for (size_t i = 0; peer->memory_peer && i < ARRAY_SIZE(names); i++)
        if (strstr(peer->memory_peer, names[i]))
            return (consumer == CONSUMER_RCCL) == (strcmp(names[i], "amdkfd") == 0) ? names[i] : NULL;
    return NULL;
}

enum tristate device_knows_dmabuf(const struct device *device)
{
    int err = device->verbs ? device->verbs->dmabuf_err : 0;
    return err == EBADF ? TRI_YES : err == EOPNOTSUPP || err == EPROTONOSUPPORT ? TRI_NO : TRI_UNKNOWN;
}

/* Does the accelerator's own driver support it? */
static enum tristate driver_knows_dmabuf(const struct host *host, enum consumer consumer)
{
    return consumer == CONSUMER_RCCL ? TRI_YES : host->system.peer_memory.open_driver;
}

static bool has_own_driver(const struct pci *accelerator, enum consumer consumer)
{
    const char *vendor = accelerator_vendor(accelerator);
    return consumer == CONSUMER_RCCL ? text_is(accelerator->driver, "amdgpu")
                                     : text_is(vendor, "NVIDIA") && text_is(accelerator->driver, "nvidia");
}

/* Without dma-buf: is there a module? */
static struct gpu_memory by_module(const struct host *host, enum consumer consumer, const char *why)
{
    const char *module = gpu_memory_module(host, consumer);
    if (module)
        return (struct gpu_memory){ .way = GPU_WAY_MODULE, .module = module, .why = why };
    bool none = consumer == CONSUMER_NCCL && host->system.peer_memory.nvidia;
    return (struct gpu_memory){ .way = none ? GPU_WAY_NONE : GPU_WAY_UNKNOWN, .why = why };
}

static struct gpu_memory unknown(const char *why)
{
    return (struct gpu_memory){ .way = GPU_WAY_UNKNOWN, .why = why };
}

struct gpu_memory gpu_memory(const struct host *host, const struct pci *accelerator, const struct port *port,
                             struct arena *arena)
{
    enum consumer consumer = gpu_consumer(accelerator);
    struct setting setting = consumer_setting(consumer, &host->system, "NCCL_DMABUF_ENABLE");
    enum tristate driver = driver_knows_dmabuf(host, consumer), nic = device_knows_dmabuf(port->device);
    const char *device = port->device->name;
    if (!has_own_driver(accelerator, consumer))
        return unknown(
            accelerator->driver
                ? arena_printf(arena, "%s has the driver %s", accelerator->address, accelerator->driver)
                : arena_printf(arena, "no driver of %s is known", accelerator->address));
    if (nccl_number(setting.value, 1) == 0)
        return by_module(host, consumer, "NCCL_DMABUF_ENABLE is 0");
    if (driver == TRI_NO)
        return by_module(host, consumer, "NVIDIA's driver isn't the open one, which alone offers dma-buf");
    if (nic == TRI_NO)
        return by_module(host, consumer,
                         arena_printf(arena, "ibv_reg_dmabuf_mr() of %s: %s", device,
                                      say_errno(port->device->verbs->dmabuf_err)));
    if (driver == TRI_UNKNOWN)
        return unknown("/proc/driver/nvidia/version could not be read");
    if (nic == TRI_UNKNOWN)
        return unknown(arena_printf(arena, "whether %s knows dma-buf could not be asked", device));
    if (consumer == CONSUMER_RCCL && !setting.value)
        return unknown("up to ROCm 6.3 RCCL takes dma-buf only where NCCL_DMABUF_ENABLE is 1");
    return (struct gpu_memory){ .way = GPU_WAY_DMABUF,
                                .why = arena_printf(arena, "ibv_reg_dmabuf_mr() of %s knows it", device) };
}

/* initGdrCopy() in NCCL's src/init.cc: only 1 enables it. */
bool gpu_copies_by_gdrcopy(const struct host *host, enum consumer consumer)
{
    struct setting setting = consumer_setting(consumer, &host->system, "NCCL_GDRCOPY_ENABLE");
    return nccl_number(setting.value, 0) == 1;
}
