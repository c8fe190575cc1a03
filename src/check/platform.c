/* SPDX-License-Identifier: MIT */
/* PCIe, NUMA, IOMMU, firmware, the kernel log. */
#include "check/judge.h"
#include "check/use.h"
#include "model/topology.h"

/* A virtual function has no link of its own: its width reads 0, even in a guest that has no other function;
 * on-chip devices report a maximum of 0. */
static bool has_link(const struct pci *pci)
{
    bool is_virtual = pci && num_is(pci->link_width, 0);
    return pci && !pci->physfn && !is_virtual && pci->link_width_max.known && pci->link_width_max.value &&
           pci->link_width_max.value != 255;
}

/* The total rate of the card's ACTIVE ports; 0 if unknown. */
static uint64_t card_mbps(const struct host *host, const struct pci *pci)
{
    uint64_t sum = 0;
    for (const struct port *port = NULL; (port = host_next_port(host, port));)
        if (port_is_active(port) && port->rate_mbps.known && port->device->pci &&
            pci_is_one_card(pci->address, port->device->pci) && text_is(port->device->parent_bus, "pci") &&
            !device_function(host, port->device)->physfn)
            sum += port->rate_mbps.value;
    return sum;
}

/* A board of the same kind here with a faster link: then the difference is this one's slot. */
static const struct device *better_sibling(const struct subject *s, double mbps)
{
    for (size_t i = 0; i < s->host->ndevices; i++) {
        const struct device *other = &s->host->devices[i];
        const struct pci *pci = device_function(s->host, other);
        if (other != s->device && pci && !pci->physfn && pci->link_width.known &&
            devices_are_siblings(s->host, s->device, other) &&
            pcie_mbps(giga_transfers(pci->link_speed), pci->link_width.value) > mbps)
            return other;
    }
    return NULL;
}

/* The port above the card, if that is what limits the link. */
static const struct pci *slot_with_lanes(const struct subject *s, const struct pci *pci)
{
    const struct pci *slot = pci_above(s->host, pci);
    return slot && slot->link_width_max.known && slot->link_width_max.value &&
                   slot->link_width_max.value <= pci->link_width.value
               ? slot
               : NULL;
}

static const struct pci *slot_with_speed(const struct subject *s, const struct pci *pci)
{
    const struct pci *slot = pci_above(s->host, pci);
    double most = slot ? giga_transfers(slot->link_speed_max) : 0;
    return most > 0 && most <= giga_transfers(pci->link_speed) ? slot : NULL;
}

/* A link below what the card can do hurts if its ports, or its siblings, have more. A host's slots are mostly
 * of one generation: a newer card running at theirs is nothing to fix (github.com/scitix/sichek/pull/122: such
 * hosts were reported as faulty). */
static enum verdict judge_below_most(const struct subject *s, const struct pci *pci, struct judgement *j,
                                     const char *evidence, bool all_of_slot)
{
    double mbps = pcie_mbps(giga_transfers(pci->link_speed), pci->link_width.value);
    uint64_t ports = card_mbps(s->host, pci);
    const struct device *better = better_sibling(s, mbps);
    if (all_of_slot && !better && ports && mbps < (double)ports)
        return judge_info(j, "%s: %.0f Gb/s, for ports of %" PRIu64 " Gb/s; the slot can do no more", evidence,
                          mbps / 1000, ports / 1000);
    if (ports && mbps < (double)ports)
        return judge_warn(j, "%s: %.0f Gb/s, for ports of %" PRIu64 " Gb/s", evidence, mbps / 1000,
                          ports / 1000);
    if (better)
        return judge_warn(j, "%s; %s of the same board has more", evidence, better->name);
    return judge_info(j, "%s: %.0f Gb/s%s", evidence, mbps / 1000,
                      ports ? ", enough for its ports" : ", and no port of it is ACTIVE");
}

JUDGE(pcie_width)
{
    if (!has_link(s->pci))
        return judge_na(j, "no PCIe link of its own");
    if (!s->pci->link_width.known)
        return judge_unknown(j, "/sys/bus/pci/devices/%s/current_link_width could not be read",
                             s->pci->address);
    const struct pci *slot = slot_with_lanes(s, s->pci);
    if (slot)
        judge_advice(j,
                     "put the card into a slot with %" PRIu64 " lanes: %s above it offers %" PRIu64
                     "; where the card is part of the board, and for bifurcation: BIOS setting, BIOS update",
                     s->pci->link_width_max.value, slot->address, slot->link_width_max.value);
    else
        judge_advice(j,
                     "reseat the card; put it into a slot with %" PRIu64
                     " lanes; look at bifurcation and the slot's setting in the BIOS",
                     s->pci->link_width_max.value);
    const char *evidence = arena_printf(
        j->arena, "/sys/bus/pci/devices/%s/current_link_width: %" PRIu64 ", max_link_width: %" PRIu64,
        s->pci->address, s->pci->link_width.value, s->pci->link_width_max.value);
    return s->pci->link_width.value < s->pci->link_width_max.value
               ? judge_below_most(s, s->pci, j, evidence, false)
               : judge_pass(j, "%s", evidence);
}

JUDGE(pcie_speed)
{
    if (!has_link(s->pci))
        return judge_na(j, "no PCIe link of its own");
    double is = giga_transfers(s->pci->link_speed), most = giga_transfers(s->pci->link_speed_max);
    if (is == 0 || most == 0)
        return judge_unknown(j, "/sys/bus/pci/devices/%s/current_link_speed is not a number", s->pci->address);
    const struct pci *slot = slot_with_speed(s, s->pci);
    if (slot)
        judge_advice(j, "a slot that is faster than %s above the card (%s), if the host has one", slot->address,
                     slot->link_speed_max);
    else
        judge_advice(
            j, "reseat the card; set the slot's speed to automatic in the BIOS; update BIOS and firmware");
    const char *evidence = arena_printf(j->arena,
                                        "/sys/bus/pci/devices/%s/current_link_speed: %s, max_link_speed: %s",
                                        s->pci->address, s->pci->link_speed, s->pci->link_speed_max);
    return is < most ? judge_below_most(s, s->pci, j, evidence, slot != NULL) : judge_pass(j, "%s", evidence);
}

JUDGE(numa_node)
{
    if (!s->pci)
        return judge_na(j, "no PCI function");
    if (!s->system->numa_nodes)
        return judge_unknown(j, "/sys/devices/system/node/online could not be read");
    if (!host_has_numa(s->host))
        return judge_na(j, "one NUMA node");
    if (!s->pci->numa_node.known)
        return judge_unknown(j, "/sys/bus/pci/devices/%s/numa_node could not be read", s->pci->address);
    return judge_as(j, s->pci->numa_node.value < 0 ? VERDICT_WARN : VERDICT_PASS,
                    "/sys/bus/pci/devices/%s/numa_node: %" PRId64 ", nodes: %s", s->pci->address,
                    s->pci->numa_node.value, s->system->numa_nodes);
}

JUDGE(numa_far)
{
    const struct pci *pci = s->pci;
    const char *allowed = s->system->cpus_allowed;
    if (!pci || !host_has_numa(s->host) || !pci->numa_node.known || pci->numa_node.value < 0)
        return judge_na(j, "one NUMA node, or the device's isn't known");
    if (!allowed || !pci->local_cpus || !*pci->local_cpus)
        return judge_unknown(j, "Cpus_allowed_list of /proc/self/status, or local_cpulist of %s, is not known",
                             pci->address);
    judge_command(
        j, "numactl --cpunodebind=%" PRId64 " --membind=%" PRId64 " {PROGRAM} # PROGRAM: what uses {device}",
        pci->numa_node.value, pci->numa_node.value);
    return judge_as(j, cpus_meet(allowed, pci->local_cpus) ? VERDICT_PASS : VERDICT_WARN,
                    "Cpus_allowed_list: %s; /sys/bus/pci/devices/%s/local_cpulist: %s", allowed, pci->address,
                    pci->local_cpus);
}

/* Distributions translate by default, which most hosts never notice; one that moves data between GPUs and NICs
 * does. */
JUDGE(iommu_translation)
{
    if (!s->pci)
        return judge_na(j, "no PCI function");
    if (!s->pci->iommu_group.known)
        return judge_pass(j, "/sys/bus/pci/devices/%s is in no IOMMU group: nothing is translated",
                          s->pci->address);
    if (!s->pci->iommu_type)
        return judge_unknown(j, "/sys/kernel/iommu_groups/%" PRIu64 "/type could not be read",
                             s->pci->iommu_group.value);
    enum distribution distribution = system_distribution(s->system);
    if (distribution == DISTRIBUTION_REDHAT)
        judge_command(j, "grubby --update-kernel=ALL --args=iommu=pt # then restart the host");
    else if (distribution == DISTRIBUTION_DEBIAN || distribution == DISTRIBUTION_SUSE)
        judge_advice(j, "add iommu=pt to GRUB_CMDLINE_LINUX in /etc/default/grub, %s, restart",
                     distribution == DISTRIBUTION_DEBIAN ? "update-grub"
                                                         : "grub2-mkconfig -o /boot/grub2/grub.cfg");
    bool translated = strcmp(s->pci->iommu_type, "identity") != 0;
    bool lent = s->pci->ats == TRI_YES; /* it has translations of its own: the host is set up for virtual
                                         * machines */
    return judge_as(j,
                    !translated                              ? VERDICT_PASS
                    : host_has_accelerator(s->host) && !lent ? VERDICT_WARN
                                                             : VERDICT_INFO,
                    "/sys/kernel/iommu_groups/%" PRIu64 "/type of %s: %s%s", s->pci->iommu_group.value,
                    s->pci->address, s->pci->iommu_type, translated && lent ? ", with ATS" : "");
}

JUDGE(firmware_version)
{
    const struct device *device = s->device, *newest = NULL;
    size_t siblings = 0;
    if (!s->pci || s->pci->physfn || !device->fw_ver || !*device->fw_ver)
        return judge_na(j, "no PCI function with a firmware version of its own");
    for (size_t d = 0; d < s->host->ndevices; d++) {
        const struct device *other = &s->host->devices[d];
        if (other == device || !other->fw_ver || !*other->fw_ver ||
            !devices_are_siblings(s->host, device, other))
            continue;
        siblings++;
        if (text_version_compare(other->fw_ver, newest ? newest->fw_ver : device->fw_ver) > 0)
            newest = other;
    }
    if (!siblings)
        return judge_na(j, "no other board of this kind");
    if (!newest)
        return judge_pass(j, "/sys/class/infiniband/%s/fw_ver: %s, none of its siblings has a newer one",
                          device->name, device->fw_ver);
    const char *family = device_family(device);
    if (text_starts(family, "mlx"))
        judge_interrupting(j,
                           "mstflint -d {pci} -i {IMAGE} burn && mstfwreset -d {pci} reset # IMAGE: of this "
                           "board (PSID), of %s's version",
                           fix_name(j, newest->name));
    else if (text_starts(family, "bnxt"))
        judge_advice(j, "niccli or bnxtnvm install with the package of %s's version, then restart the host",
                     fix_name(j, newest->name));
    else if (s->pci->address)
        judge_command(j,
                      "devlink dev flash pci/{pci} file {FIRMWARE} # of %s's version; it runs after a restart "
                      "of the host",
                      fix_name(j, newest->name));
    return judge_info(j, "/sys/class/infiniband/%s/fw_ver: %s; %s of the same board has %s", device->name,
                      device->fw_ver, newest->name, newest->fw_ver);
}

/* Does the device have a link in use? One that is down now is reported separately. */
static bool has_link_in_use(const struct host *host, const struct device *device, struct arena *arena)
{
    for (size_t i = 0; i < device->nports; i++)
        if (port_is_active(&device->ports[i]) && port_is_judged(host, &device->ports[i], arena))
            return true;
    return false;
}

static bool line_matters(const struct host *host, const struct log_line *line, struct judgement *j)
{
    for (size_t d = 0; d < host->ndevices; d++)
        if (kernel_log_is_about(host, line->text, &host->devices[d]) && judge_about(j, &host->devices[d]) &&
            (line->pattern->weight != LOG_LINK || has_link_in_use(host, &host->devices[d], j->arena)))
            return true;
    return false;
}

static const char *age_text(struct judgement *j, struct num age)
{
    if (!age.known)
        return "no telling when";
    if (age.value < 120)
        return arena_printf(j->arena, "%" PRIu64 " s ago", age.value);
    if (age.value < 7200)
        return arena_printf(j->arena, "%" PRIu64 " min ago", age.value / 60);
    if (age.value < 172800)
        return arena_printf(j->arena, "%" PRIu64 " h ago", age.value / 3600);
    return arena_printf(j->arena, "%" PRIu64 " days ago", age.value / 86400);
}

struct log_search {
    const struct log_line *worst, *last_old; /* within the window; before it */
    const struct log_line *lasting;          /* before it, and possibly still true */
    size_t count;
};

static struct log_search search_log(const struct host *host, struct judgement *j)
{
    struct log_search found = { 0 };
    const struct system *system = &host->system;
    uint64_t window = system->log_window_s ? system->log_window_s : LOG_WINDOW;
    for (size_t i = 0; i < system->nlog_lines; i++) {
        const struct log_line *line = &system->log_lines[i];
        if (!line_matters(host, line, j))
            continue;
        if (line->age_s.known && line->age_s.value > window) {
            found.last_old = line;
            found.lasting = line->pattern->weight == LOG_LASTING ? line : found.lasting;
            continue;
        }
        enum log_weight weight = line->pattern->weight;
        enum log_weight worst = found.worst ? found.worst->pattern->weight : LOG_NOTICE;
        if (weight == LOG_NOTICE && worst != LOG_NOTICE)
            continue;
        found.count = weight != LOG_NOTICE && worst == LOG_NOTICE ? 1 : found.count + 1;
        if (!found.worst || weight < worst)
            found.worst = line;
    }
    return found;
}

static const char *log_remedy(const struct log_line *line)
{
    if (strstr(line->text, "Create QP"))
        return "nothing, unless a program or service says that it got none; then roce explain has its line";
    if (line->pattern->weight == LOG_NOTICE)
        return "nothing, as long as modules light up and the port reaches its rate; else another slot, or the "
               "power budget in the BIOS";
    if (line->pattern->weight == LOG_LINK)
        return "nothing, if somebody was at the cable or the switch; else look at both ends' module and cable: "
               "roce counters --errors, ethtool -m NETDEV";
    if (strcasestr(line->text, "temperature"))
        return "better cooling, or another module";
    if (strcasestr(line->text, "power"))
        return "newer firmware of the card, another slot, or the power budget in the BIOS";
    /* old firmware with a new driver: utcc.utoronto.ca/~cks/space/blog/linux/BroadcomNetworkDriverAndRDMA */
    if (strstr(line->text, "FW STALL"))
        return "update the card's firmware; where its RDMA isn't used, keep bnxt_re from loading: echo "
               "blacklist bnxt_re >/etc/modprobe.d/bnxt_re.conf";
    return "update firmware and driver, and ask the vendor if it happens again";
}

JUDGE(kernel_log)
{
    if (!s->system->log_known)
        return judge_unknown(j, "/dev/kmsg: %s",
                             s->system->log_err ? judge_errno(j, s->system->log_err) : "not read");
    struct log_search found = search_log(s->host, j);
    if (!found.worst && found.lasting) {
        judge_command(j, "roce selftest # does it still fail? Then: %s", log_remedy(found.lasting));
        return judge_info(j, "%s, %s, which lasts until the driver is reloaded: \"%s\"",
                          found.lasting->pattern->meaning, age_text(j, found.lasting->age_s),
                          found.lasting->text);
    }
    /* It happened, but isn't news. */
    if (!found.worst && found.last_old)
        return judge_pass(j, "nothing recently; %s: \"%s\" (%s)", age_text(j, found.last_old->age_s),
                          found.last_old->text, found.last_old->pattern->meaning);
    if (!found.worst)
        return judge_pass(j, "no line of the kernel's log tells of trouble with an RDMA device");
    judge_command(j, "journalctl -k # what came before; for this line: %s", log_remedy(found.worst));
    static const enum verdict verdicts[] = {
        [LOG_LASTING] = VERDICT_FAIL, [LOG_ERROR] = VERDICT_FAIL,  [LOG_WARNING] = VERDICT_WARN,
        [LOG_LINK] = VERDICT_WARN,    [LOG_NOTICE] = VERDICT_INFO,
    };
    return judge_as(j, verdicts[found.worst->pattern->weight], "%s, %s: \"%s\" (%zu such %s)",
                    found.worst->pattern->meaning, age_text(j, found.worst->age_s), found.worst->text,
                    found.count, found.count == 1 ? "line" : "lines");
}
