/* SPDX-License-Identifier: MIT */
/* pcie-acs: do bridges between a NIC and accelerators redirect the traffic between them? */
#include "check/judge.h"

#include "model/topology.h"
#include "tables.h"

/* Bits of the ACS control register (linux/pci_regs.h). Redirection sends peer traffic up to the root; direct
 * translation still passes what a device has translated through ATS. */
enum {
    ACS_VALIDATION = 0x01,
    ACS_REQUEST_REDIRECT = 0x04,
    ACS_COMPLETION_REDIRECT = 0x08,
    ACS_FORWARDING = 0x10,
    ACS_DIRECT_TRANSLATED = 0x40,
    ACS_REDIRECTS = ACS_REQUEST_REDIRECT | ACS_COMPLETION_REDIRECT,
    ACS_KERNEL = ACS_VALIDATION | ACS_REDIRECTS | ACS_FORWARDING, /* what the kernel switches on */
    MOST_LAYERS = 32
};

/* What a port's bits should be; other bits are left alone. */
struct acs_rule {
    unsigned mask, bits;
};
static const struct acs_rule isolated = { ACS_KERNEL, ACS_KERNEL }, opened = { ACS_KERNEL, 0 };
/* A Vera root port has completion redirect, but read-only and off. */
static const struct acs_rule isolated_vera = { ACS_KERNEL, ACS_KERNEL & ~ACS_COMPLETION_REDIRECT };
static const struct acs_rule direct_nic = { ACS_KERNEL, ACS_KERNEL & ~ACS_REQUEST_REDIRECT };
static const struct acs_rule direct_gpu = { ACS_KERNEL, ACS_KERNEL & ~ACS_COMPLETION_REDIRECT };
static const struct acs_rule direct_root = { ACS_KERNEL, ACS_KERNEL & ~ACS_VALIDATION };
static const struct acs_rule translated_nic = { ACS_KERNEL | ACS_DIRECT_TRANSLATED,
                                                ACS_KERNEL | ACS_DIRECT_TRANSLATED };

/* The part of rdma_topo's pci_device_types that matters here. */
enum part { PART_OTHER, PART_GRACE, PART_VERA, PART_SWITCH, PART_CONNECTX, PART_GPU };

static enum part part_of(const struct pci *pci)
{
    static const struct {
        uint16_t vendor, device;
        enum part part;
    } parts[] = { PCI_PARTS };
    for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
        if (num_is(pci->vendor, parts[i].vendor) && num_is(pci->device, parts[i].device))
            return parts[i].part;
    return pci->is_accelerator && num_is(pci->vendor, 0x10de) ? PART_GPU : PART_OTHER;
}

/* The port of the bridge that the path from a function goes through; NULL if it isn't below. */
static const struct pci *port_below(const struct host *host, const struct pci *from, const struct pci *bridge)
{
    for (int layers = 0; from && layers < MOST_LAYERS; layers++, from = pci_above(host, from))
        if (pci_above(host, from) == bridge)
            return from;
    return NULL;
}

static const struct pci *root_of(const struct host *host, const struct pci *pci)
{
    for (int layers = 0; pci_above(host, pci) && layers < MOST_LAYERS; layers++)
        pci = pci_above(host, pci);
    return pci;
}

/* An accelerator that shares a bridge with the device, below a root port: traffic between them need not pass
 * the root. */
static const struct pci *peer_of(const struct host *host, const struct pci *pci, const struct pci **common)
{
    int layers = 0;
    for (const struct pci *bridge = pci_above(host, pci); bridge && layers < MOST_LAYERS;
         bridge = pci_above(host, bridge), layers++)
        for (size_t i = 0; i < host->npcis; i++)
            if (host->pcis[i].is_accelerator && pci_is_below(host, &host->pcis[i], bridge)) {
                *common = bridge;
                return &host->pcis[i];
            }
    return NULL;
}

static const char *acs_text(struct judgement *j, uint64_t acs)
{
    return arena_printf(j->arena, "0x%04x, with ReqRedir%c CmpltRedir%c", (unsigned)acs,
                        acs & ACS_REQUEST_REDIRECT ? '+' : '-', acs & ACS_COMPLETION_REDIRECT ? '+' : '-');
}

static const char *config_errno(struct judgement *j, int err)
{
    const char *text = judge_errno(j, err);
    return err == EACCES ? "only root can read configuration space" : text;
}

static enum verdict acs_unknown(struct judgement *j, const struct pci *bridge)
{
    return judge_unknown(j, "ACS of bridge %s: %s", bridge->address, config_errno(j, bridge->acs_err));
}

static enum verdict judge_port(struct judgement *j, const struct pci *port, struct acs_rule rule)
{
    if (!port->acs.known)
        return acs_unknown(j, port);
    if ((port->acs.value & rule.mask) == rule.bits)
        return VERDICT_PASS;
    judge_command(j,
                  "setpci -s %s ECAP_ACS+6.w=%x:%x # until the next boot; for good: rdma_topo write-grub-acs",
                  fix_name(j, port->address), rule.bits, rule.mask);
    return judge_warn(j, "bridge %s: ACS control %s; on this platform it should be 0x%04x in the bits 0x%04x",
                      port->address, acs_text(j, port->acs.value), rule.bits, rule.mask);
}

/* NVIDIA's ports on the path from a function up to a bridge (NULL: to the root) must have what the kernel
 * switches on, except `but`, which has a rule of its own. */
static enum verdict judge_isolated(const struct host *host, struct judgement *j, const struct pci *from,
                                   const struct pci *end, const struct pci *but, struct acs_rule rule)
{
    int layers = 0;
    for (const struct pci *at = pci_above(host, from); at && at != end && layers < MOST_LAYERS;
         at = pci_above(host, at), layers++) {
        enum part part = part_of(at);
        bool counts = part == PART_SWITCH || part == PART_GRACE || part == PART_VERA;
        if (at == but || !counts || (!at->acs.known && at->acs_err == ENODATA))
            continue;
        bool kernel = rule.bits == isolated.bits && part == PART_VERA;
        enum verdict verdict = judge_port(j, at, kernel ? isolated_vera : rule);
        if (verdict != VERDICT_PASS)
            return verdict;
    }
    return VERDICT_PASS;
}

/* Two functions that talk to each other must be in one IOMMU group, or in two. */
static enum verdict judge_groups(const struct host *host, struct judgement *j, const struct pci *a,
                                 const struct pci *b, bool apart)
{
    bool known = a->iommu_group.known && b->iommu_group.known;
    bool same = known && a->iommu_group.value == b->iommu_group.value;
    if (!a->iommu_group.known && !b->iommu_group.known && host->partial)
        return judge_unknown(j, "IOMMU groups of %s and %s: not in this tree", a->address, b->address);
    if (known && same != apart)
        return VERDICT_PASS;
    judge_advice(j, "set ACS as rdma_topo write-grub-acs does (the kernel has to know pci=config_acs), with "
                    "the IOMMU on; then restart the host");
    return judge_warn(
        j, "/sys/bus/pci/devices: iommu_group of %s: %s, of %s: %s; they should be %s", a->address,
        a->iommu_group.known ? arena_printf(j->arena, "%" PRIu64, a->iommu_group.value) : "none", b->address,
        b->iommu_group.known ? arena_printf(j->arena, "%" PRIu64, b->iommu_group.value) : "none",
        apart ? "two" : "one");
}

/* The DMA function of a ConnectX-8 and a GPU below one switch: there each port needs one of the redirections
 * (NVCX_DMA_Complex.compute_acs() of rdma_topo). */
static enum verdict judge_direct(const struct host *host, struct judgement *j, const struct pci *direct)
{
    const struct pci *common = NULL, *gpu = peer_of(host, direct, &common);
    const struct pci *own = gpu ? port_below(host, direct, common) : NULL;
    const struct pci *other = gpu ? port_below(host, gpu, common) : NULL;
    if (!own || !other || own == direct || other == gpu)
        return judge_unknown(j, "no GPU below the same switch as the Data Direct function %s", direct->address);
    enum verdict verdict = judge_port(j, own, direct_nic);
    if (verdict == VERDICT_PASS)
        verdict = judge_port(j, other, direct_gpu);
    if (verdict == VERDICT_PASS)
        verdict = judge_port(j, root_of(host, direct), direct_root);
    if (verdict == VERDICT_PASS)
        verdict = judge_isolated(host, j, direct, common, own, isolated);
    if (verdict == VERDICT_PASS)
        verdict = judge_isolated(host, j, gpu, common, other, isolated);
    return verdict == VERDICT_PASS ? judge_groups(host, j, direct, gpu, false) : verdict;
}

/* Only its VPD says which NIC a Data Direct function belongs to: all are judged for each NIC. */
static enum verdict judge_all_direct(const struct subject *s, struct judgement *j, const struct pci *pci,
                                     size_t *count)
{
    enum verdict verdict = VERDICT_PASS;
    *count = 0;
    for (size_t i = 0; i < s->host->npcis && verdict == VERDICT_PASS; i++) {
        if (!s->host->pcis[i].is_data_direct)
            continue;
        ++*count;
        verdict = judge_direct(s->host, j, &s->host->pcis[i]);
    }
    return *count && verdict == VERDICT_PASS ? judge_isolated(s->host, j, pci, NULL, NULL, isolated) : verdict;
}

/* A Grace or Vera with GPUs at root ports: the root ports isolate, each function is in its own group, and the
 * NIC has no ATS (NVCX_NUMA_Complex). rdma_topo says the same for any CPU with GPUs at its root ports, but has
 * no rule for those ports. */
static bool is_superchip(const struct host *host, const struct pci *gpu)
{
    const struct pci *port = pci_above(host, gpu);
    enum part part = port ? part_of(port) : PART_OTHER;
    return part_of(gpu) == PART_GPU && (part == PART_GRACE || part == PART_VERA);
}

static enum verdict judge_ats(struct judgement *j, const struct pci *nic, bool wanted)
{
    if (nic->ats == TRI_UNKNOWN && nic->ats_err != ENODATA)
        return judge_unknown(j, "ATS of %s: %s", nic->address, config_errno(j, nic->ats_err));
    bool has = nic->ats != TRI_UNKNOWN;
    if (has == wanted)
        return VERDICT_PASS;
    judge_command(j, "mlxconfig -d %s set ATS_ENABLED=%d # then restart the host", fix_name(j, nic->address),
                  wanted);
    return judge_warn(j, "%s has %s capability for ATS", nic->address, has ? "the" : "no");
}

/* Are they known to be on the same NUMA node? */
static bool is_beside(const struct pci *a, const struct pci *b)
{
    return a->numa_node.known && b->numa_node.known && a->numa_node.value == b->numa_node.value;
}

static enum verdict judge_superchip(const struct host *host, struct judgement *j, const struct pci *nic)
{
    enum verdict verdict = judge_isolated(host, j, nic, NULL, NULL, isolated);
    size_t gpus = 0;
    for (size_t i = 0; i < host->npcis && verdict == VERDICT_PASS; i++) {
        const struct pci *gpu = &host->pcis[i];
        if (!is_superchip(host, gpu) || !is_beside(nic, gpu))
            continue;
        gpus++;
        verdict = judge_isolated(host, j, gpu, NULL, NULL, isolated);
        if (verdict == VERDICT_PASS)
            verdict = judge_groups(host, j, nic, gpu, true);
    }
    if (verdict == VERDICT_PASS && gpus && part_of(nic) == PART_CONNECTX)
        verdict = judge_ats(j, nic, false);
    return verdict;
}

static bool has_superchip(const struct host *host)
{
    for (size_t i = 0; i < host->npcis; i++)
        if (is_superchip(host, &host->pcis[i]))
            return true;
    return false;
}

/* A ConnectX that is also a GPU's switch: two switches, the GPU's below the shared one
 * (__get_nvcx_inline_complex()). */
static bool is_inline(const struct host *host, const struct pci *nic, const struct pci *gpu,
                      const struct pci *shared)
{
    enum { SWITCHES = 3 };
    const struct pci *at = pci_above(host, gpu);
    for (int i = 0; i < SWITCHES; i++, at = pci_above(host, at))
        if (!at || part_of(at) != PART_SWITCH)
            return false;
    return part_of(nic) == PART_CONNECTX && part_of(gpu) == PART_GPU && at == shared &&
           part_of(shared) == PART_SWITCH && part_of(root_of(host, shared)) == PART_OTHER;
}

/* With ATS in the NIC, the host is set up for virtual machines and translated traffic passes; without, nothing
 * isolates. */
static enum verdict judge_inline(const struct host *host, struct judgement *j, const struct pci *nic,
                                 const struct pci *gpu, const struct pci *shared)
{
    if (nic->ats == TRI_UNKNOWN && nic->ats_err != ENODATA)
        return judge_ats(j, nic, true);
    bool ats = nic->ats != TRI_UNKNOWN;
    struct acs_rule rule = ats ? isolated : opened;
    const struct pci *own = port_below(host, nic, shared);
    enum verdict verdict = judge_port(j, own, ats ? translated_nic : opened);
    if (verdict == VERDICT_PASS)
        verdict = judge_port(j, root_of(host, shared), rule);
    if (verdict == VERDICT_PASS)
        verdict = judge_isolated(host, j, gpu, shared, NULL, rule);
    if (verdict == VERDICT_PASS && (ats || nic->iommu_group.known || gpu->iommu_group.known))
        verdict = judge_groups(host, j, nic, gpu, ats);
    return verdict;
}

/* A redirecting bridge is in the way, unless the NIC sends translated addresses and the bridge passes them. */
static enum verdict judge_redirects(const struct host *host, struct judgement *j, const struct pci *from,
                                    const struct pci *common, bool translates)
{
    int layers = 0;
    for (const struct pci *at = pci_above(host, from); at && at != common && layers < MOST_LAYERS;
         at = pci_above(host, at), layers++) {
        if (!at->acs.known && at->acs_err == ENODATA)
            continue;
        if (!at->acs.known)
            return acs_unknown(j, at);
        if (!(at->acs.value & ACS_REDIRECTS) || (translates && at->acs.value & ACS_DIRECT_TRANSLATED))
            continue;
        judge_command(j,
                      "setpci -s %s ECAP_ACS+6.w=0:c # until the next boot; for good: kernel parameter "
                      "pci=disable_acs_redir=%s, or ACS off in the BIOS. Not where virtual machines are given "
                      "devices: ACS keeps them apart",
                      fix_name(j, at->address), fix_name(j, at->address));
        return judge_warn(j, "bridge %s: ACS control %s", at->address, acs_text(j, at->acs.value));
    }
    return VERDICT_PASS;
}

static enum verdict judge_common(const struct host *host, struct judgement *j, const struct pci *nic,
                                 const struct pci *gpu, const struct pci *common)
{
    bool translates = nic->ats != TRI_NO && nic->ats_err != ENODATA;
    enum verdict verdict = judge_redirects(host, j, nic, common, translates);
    return verdict == VERDICT_PASS ? judge_redirects(host, j, gpu, common, translates) : verdict;
}

JUDGE(pcie_acs)
{
    const struct pci *pci = s->pci, *common = NULL;
    size_t direct = 0;
    enum verdict verdict = VERDICT_PASS;
    if (pci && text_starts(s->device->driver, "mlx5"))
        verdict = judge_all_direct(s, j, pci, &direct);
    if (direct)
        return verdict == VERDICT_PASS
                   ? judge_pass(j, "the switches of %zu Data Direct functions redirect as they should", direct)
                   : verdict;
    if (pci && has_superchip(s->host) && part_of(root_of(s->host, pci)) != PART_OTHER) {
        verdict = judge_superchip(s->host, j, pci);
        return verdict == VERDICT_PASS
                   ? judge_pass(j, "the root ports of %s and the GPUs isolate, as they should", pci->address)
                   : verdict;
    }
    const struct pci *peer = pci ? peer_of(s->host, pci, &common) : NULL;
    if (!peer)
        return judge_na(j, "no accelerator below the same bridge");
    bool is_platform = is_inline(s->host, pci, peer, common);
    verdict = (is_platform ? judge_inline : judge_common)(s->host, j, pci, peer, common);
    if (verdict != VERDICT_PASS)
        return verdict;
    return is_platform ? judge_pass(j, "the switches of %s and %s are set as its ATS wants it", pci->address,
                                    peer->address)
                       : judge_pass(j, "no bridge between %s and %s redirects", pci->address, peer->address);
}
