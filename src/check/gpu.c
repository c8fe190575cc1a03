/* SPDX-License-Identifier: MIT */
/* Accelerators next to NICs: which port is whose, what is between them, and whether their memory is
 * reachable. */
#include "consumer/gpu.h"
#include "check/judge.h"
#include "model/verbs.h"

enum vendor_driver { DRIVER_NONE, DRIVER_NVIDIA, DRIVER_AMD };

/* The driver that provides memory; one given to a virtual machine (vfio-pci) provides none here. */
static enum vendor_driver lender(const struct host *host)
{
    for (size_t i = 0; i < host->npcis; i++) {
        if (!host->pcis[i].is_accelerator)
            continue;
        if (text_is(host->pcis[i].driver, "nvidia"))
            return DRIVER_NVIDIA;
        if (text_is(host->pcis[i].driver, "amdgpu"))
            return DRIVER_AMD;
    }
    return DRIVER_NONE;
}

static enum verdict judge_dmabuf(const struct subject *s, struct judgement *j, enum vendor_driver driver)
{
    const struct peer_memory *peer = &s->system->peer_memory;
    enum tristate known = device_knows_dmabuf(s->device);
    const char *module = driver == DRIVER_NVIDIA ? "nvidia_peermem isn't loaded" : "no memory_peers/amdkfd";
    if (driver == DRIVER_NVIDIA && peer->open_driver == TRI_NO) {
        fix_module(j, s->system, "nvidia-peermem");
        return judge_warn(
            j, "%s, and /proc/driver/nvidia/version is not of the open driver, which alone offers dma-buf",
            module);
    }
    if (known == TRI_NO) {
        if (driver == DRIVER_NVIDIA)
            fix_module(j, s->system, "nvidia-peermem");
        return judge_warn(j, "%s, and ibv_reg_dmabuf_mr() of %s: %s", module, s->device->name,
                          judge_errno(j, s->device->verbs->dmabuf_err));
    }
    struct setting setting = consumer_setting(driver == DRIVER_AMD ? CONSUMER_RCCL : CONSUMER_NCCL, s->system,
                                              "NCCL_DMABUF_ENABLE");
    /* RCCL also looks into /proc/kallsyms, which isn't read here */
    if (nccl_number(setting.value, 1) == 0) {
        judge_advice(j, "%s", setting_undo(j, &setting));
        return judge_as(j, driver == DRIVER_NVIDIA ? VERDICT_WARN : VERDICT_UNKNOWN, "%s, and %s", module,
                        setting_text(j, &setting));
    }
    if (known == TRI_YES && (driver == DRIVER_AMD || peer->open_driver == TRI_YES))
        return judge_pass(j, "dma-buf: ibv_reg_dmabuf_mr() of %s knows it (%s)", s->device->name, module);
    return judge_unknown(j, "%s; whether %s offers dma-buf isn't known", module,
                         known == TRI_YES ? "NVIDIA's driver" : "the kernel");
}

JUDGE(gdr_peer_memory)
{
    const struct peer_memory *peer = &s->system->peer_memory;
    enum vendor_driver driver = lender(s->host);
    if (!s->device->pci || device_is_smi(s->device) || s->device->transport == TRANSPORT_UNSPECIFIED)
        return judge_na(j, "no device that reaches accelerators' memory on its own");
    if (driver == DRIVER_NONE)
        return judge_na(j, "no accelerator with the driver nvidia or amdgpu");
    if (driver == DRIVER_NVIDIA && peer->nvidia_peermem)
        return judge_pass(j, "/sys/module/nvidia_peermem/version: %s", peer->nvidia_peermem);
    if (peer->memory_peer)
        return judge_pass(j, "/%s", peer->memory_peer);
    if (driver == DRIVER_NVIDIA && !peer->nvidia)
        return judge_unknown(j, "/sys/module/nvidia/version could not be read");
    return judge_dmabuf(s, j, driver);
}

JUDGE(nvidia_versions)
{
    const struct peer_memory *peer = &s->system->peer_memory;
    if (!peer->nvidia || !peer->nvidia_peermem)
        return judge_na(j, "nvidia and nvidia_peermem aren't both loaded");
    return judge_as(j, strcmp(peer->nvidia, peer->nvidia_peermem) == 0 ? VERDICT_PASS : VERDICT_WARN,
                    "/sys/module/nvidia/version: %s, /sys/module/nvidia_peermem/version: %s", peer->nvidia,
                    peer->nvidia_peermem);
}

/* The accelerator that a port shares a switch with; NULL if none. */
static const struct pci *neighbour(const struct subject *s, struct arena *arena)
{
    size_t count;
    const struct pci **nearest = nearest_accelerators(s->host, s->pci, arena, &count);
    return s->pci && count && pci_distance(s->host, s->pci, nearest[0]) <= DISTANCE_PXB ? nearest[0] : NULL;
}

static uint64_t least_width(const struct host *host, const struct pci *pci)
{
    const struct pci *above = pci_above(host, pci);
    uint64_t most = pci->link_width_max.known && pci->link_width_max.value < 255 ? pci->link_width_max.value
                                                                                 : 0;
    if (above && above->link_width_max.known && above->link_width_max.value < most)
        most = above->link_width_max.value;
    return most;
}

/* Does a link run below what both its ends can do? Bridges report either the link above or the one below: if
 * the next bridge above reports the same, it is one link. */
static bool is_below_most(const struct host *host, const struct pci *pci)
{
    double is = giga_transfers(pci->link_speed), most = giga_transfers(pci->link_speed_max);
    const struct pci *above = pci_above(host, pci);
    double most_above = above ? giga_transfers(above->link_speed_max) : most;
    bool slow = !pci->is_accelerator && is < most && is < most_above;
    return slow || (pci->link_width.known && pci->link_width.value < least_width(host, pci));
}

JUDGE(pcie_path_slow)
{
    const struct pci *pci = s->pci, *gpu = neighbour(s, j->arena);
    if (!gpu || !port_is_active(s->port) || !s->port->rate_mbps.known)
        return judge_na(j, "no ACTIVE port that shares a switch with an accelerator");
    struct pci_path path = pci_path(s->host, pci, gpu);
    if (!path.slow)
        return judge_unknown(j, "no link between %s and %s tells its width", pci->address, gpu->address);
    uint64_t rate = s->port->rate_mbps.value;
    const char *evidence = arena_printf(
        j->arena, "%s to %s: %.0f Gb/s at %s (%s x%" PRIu64 "), for a port of %" PRIu64 " Gb/s", pci->address,
        gpu->address, path.mbps / 1000, path.slow->address, path.slow->link_speed ? path.slow->link_speed : "?",
        path.slow->link_width.value, rate / 1000);
    if (path.mbps >= (double)rate || path.slow == pci)
        return judge_pass(j, "%s", evidence); /* pcie-width and pcie-speed cover the card's own link */
    return judge_as(j, is_below_most(s->host, path.slow) ? VERDICT_WARN : VERDICT_INFO, "%s", evidence);
}

static bool takes(const struct gpu_nics *nics, const struct port *port)
{
    for (size_t i = 0; i < nics->nports; i++)
        if (nics->ports[i] == port)
            return true;
    return false;
}

struct gpus {
    const struct pci **accelerators;
    struct gpu_nics *nics;
    size_t count;
    bool unclear;
};

static struct gpus find_gpus(const struct host *host, struct arena *arena)
{
    struct gpus gpus = { 0 };
    gpus.accelerators = host_accelerators(host, arena, &gpus.count);
    gpus.nics = arena_alloc(arena, gpus.count + 1, sizeof(*gpus.nics));
    for (size_t i = 0; i < gpus.count; i++) {
        gpus.nics[i] = gpu_nics(host, gpus.accelerators, gpus.count, i, arena);
        gpus.unclear |= gpus.nics[i].unclear;
    }
    return gpus;
}

JUDGE(nic_shared_switch)
{
    const struct pci *gpu = neighbour(s, j->arena);
    if (!gpu || !port_is_active(s->port))
        return judge_na(j, "no ACTIVE port that shares a switch with an accelerator");
    struct gpus gpus = find_gpus(s->host, j->arena);
    const struct port *own = NULL;
    for (size_t i = 0; i < gpus.count; i++) {
        if (gpus.unclear || takes(&gpus.nics[i], s->port))
            return judge_pass(j, "it is a port that an accelerator takes, or that isn't known");
        if (gpus.accelerators[i] == gpu && gpus.nics[i].nports)
            own = gpus.nics[i].ports[0];
    }
    if (!own || gpus.nics[0].nports == 0)
        return judge_na(j, "the accelerator takes no port");
    return judge_info(j, "%s shares a switch with accelerator %s, which takes %s", s->port->device->name,
                      gpu->address, own->device->name);
}

JUDGE(gpu_nic_far)
{
    const struct pci *gpu = neighbour(s, j->arena);
    if (!gpu)
        return judge_na(j, "shares no switch with an accelerator");
    struct gpus gpus = find_gpus(s->host, j->arena);
    size_t near = 0;
    const struct gpu_nics *nics = NULL;
    for (size_t i = 0; i < gpus.count; i++) {
        near += gpus.nics[i].nports && gpus.nics[i].distance <= DISTANCE_PXB;
        if (gpus.accelerators[i] == gpu)
            nics = &gpus.nics[i];
    }
    if (gpus.unclear || !nics || !nics->nports)
        return judge_na(j, "which ports accelerators take isn't known");
    if (nics->distance <= DISTANCE_PXB)
        return judge_pass(j, "accelerator %s takes %s, %s", gpu->address, nics->ports[0]->device->name,
                          distance_text(nics->distance));
    if (!near)
        return judge_na(j, "no accelerator takes a port on its switch");
    enum consumer consumer = gpu_consumer(gpu);
    bool left_out = port_is_active(s->port) && !gpu_port_counts(s->host, consumer, s->port);
    struct setting by = consumer_setting(consumer, s->system, "NCCL_IB_HCA");
    if (left_out && by.value)
        judge_advice(j, "add {device} to NCCL_IB_HCA (now %s)", by.value);
    return judge_warn(j, "accelerator %s takes %s, %s, for %s on its switch is %s", gpu->address,
                      nics->ports[0]->device->name, distance_text(nics->distance), s->port->device->name,
                      left_out                                      ? "left out by NCCL_IB_HCA"
                      : s->port->state_text && *s->port->state_text ? s->port->state_text
                                                                    : "not ACTIVE");
}

/* The number after the word rail or gpu in a netdev name that somebody chose: names from the kernel and systemd
 * don't have these words. */
static bool rail_number(const char *name, uint64_t *number)
{
    static const char *const words[] = { "rail", "gpu" };
    for (size_t i = 0; name && i < ARRAY_SIZE(words); i++) {
        const char *at = strstr(name, words[i]);
        if (at && isdigit((unsigned char)at[strlen(words[i])])) {
            *number = strtoull(at + strlen(words[i]), NULL, 10);
            return true;
        }
    }
    return false;
}

JUDGE(rail_order)
{
    uint64_t mine, number;
    if (!rail_number(s->port->netdev, &mine))
        return judge_na(j, "its netdev isn't named after a rail");
    struct gpus gpus = find_gpus(s->host, j->arena);
    size_t count = 0, place = 0, lower = 0, equal = 0; /* of the numbers: than mine */
    const struct pci *gpu = NULL;
    for (size_t i = 0; i < gpus.count && !gpus.unclear; i++) {
        const struct gpu_nics *nics = &gpus.nics[i];
        if (nics->nports != 1 || nics->distance > DISTANCE_PXB || !rail_number(nics->ports[0]->netdev, &number))
            continue;
        if (nics->ports[0] == s->port) {
            place = count;
            gpu = gpus.accelerators[i];
        }
        lower += number < mine;
        equal += number == mine;
        count++;
    }
    if (!gpu)
        return judge_na(j, "no accelerator has it as the one port on its switch");
    const char *evidence = arena_printf(j->arena,
                                        "%s is next to accelerator %s, number %zu of the %zu with a rail",
                                        s->port->netdev, gpu->address, place + 1, count);
    return place >= lower && place < lower + equal
               ? judge_pass(j, "%s", evidence)
               : judge_warn(j, "%s: the order differs from that of the names", evidence);
}

static enum verdict unread(struct judgement *j, const struct pci *pci)
{
    const char *error = judge_errno(j, pci->express_err);
    return judge_unknown(j, "/sys/bus/pci/devices/%s/config: %s", pci->address,
                         pci->express_err == EACCES ? "only root can read that far" : error);
}

/* The board of the same kind whose function has the highest value of a register. */
static const struct pci *best_sibling(const struct subject *s, uint64_t (*of)(const struct pci *pci))
{
    const struct pci *best = NULL;
    for (size_t i = 0; i < s->host->ndevices; i++) {
        const struct device *other = &s->host->devices[i];
        const struct pci *pci = device_function(s->host, other);
        if (other != s->device && pci && !pci->physfn && pci->read_request.known &&
            devices_are_siblings(s->host, s->device, other) && (!best || of(pci) > of(best)))
            best = pci;
    }
    return best;
}

static uint64_t request_of(const struct pci *pci)
{
    return pci->read_request.value;
}

static uint64_t ordering_of(const struct pci *pci)
{
    return pci->relaxed_ordering == TRI_YES;
}

/* The function of a device with an ACTIVE port (others carry nothing). A virtual function's registers are its
 * physical function's (SR-IOV 3.5.4: reserved there). */
static const struct pci *own_function(const struct subject *s)
{
    bool active = false;
    for (size_t i = 0; i < s->device->nports; i++)
        active |= port_is_active(&s->device->ports[i]);
    bool sibling = false;
    for (size_t i = 0; i < s->host->ndevices; i++)
        sibling |= &s->host->devices[i] != s->device &&
                   devices_are_siblings(s->host, s->device, &s->host->devices[i]);
    bool own = active && sibling && text_is(s->device->parent_bus, "pci");
    return own && s->pci && !s->pci->physfn ? s->pci : NULL;
}

JUDGE(pcie_mrrs)
{
    const struct pci *pci = own_function(s);
    if (!pci)
        return judge_na(j,
                        "no other board of this kind, no ACTIVE port, or no physical PCI function of its own");
    if (!pci->read_request.known)
        return unread(j, pci);
    const struct pci *best = best_sibling(s, request_of);
    const char *evidence = arena_printf(j->arena, "MaxReadReq of %s: %" PRIu64 " bytes", pci->address,
                                        pci->read_request.value);
    if (!best || best->read_request.value <= pci->read_request.value)
        return judge_pass(j, "%s", evidence);
    judge_command(j, "setpci -s {pci} CAP_EXP+8.w=%x000:7000 # until the next boot; for good: the BIOS",
                  (unsigned)(__builtin_ctzll(best->read_request.value) - __builtin_ctzll(128)));
    return judge_warn(j, "%s; %s of the same board has %" PRIu64, evidence, best->address,
                      best->read_request.value);
}

JUDGE(pcie_relaxed_ordering)
{
    const struct pci *pci = own_function(s);
    if (!pci)
        return judge_na(j,
                        "no other board of this kind, no ACTIVE port, or no physical PCI function of its own");
    if (pci->relaxed_ordering == TRI_UNKNOWN)
        return unread(j, pci);
    const struct pci *best = best_sibling(s, ordering_of);
    if (pci->relaxed_ordering == TRI_YES || !best || best->relaxed_ordering != TRI_YES)
        return judge_pass(j, "RlxdOrd of %s: %s", pci->address,
                          pci->relaxed_ordering == TRI_YES ? "on" : "off");
    judge_command(j, "setpci -s {pci} CAP_EXP+8.w=10:10 # until the next boot; for good: PCI_WR_ORDERING of "
                     "mlxconfig, or the BIOS");
    return judge_warn(j, "RlxdOrd of %s is off; on %s of the same board it is on", pci->address, best->address);
}
