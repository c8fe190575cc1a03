/* SPDX-License-Identifier: MIT */
/* Interrupts and slots by NUMA node. */
#include "check/judge.h"
#include "model/topology.h"

static bool has_irqbalance(const struct system *system)
{
    for (size_t i = 0; i < system->ndaemons; i++)
        if (daemon_role(&system->daemons[i]) == DAEMON_INTERRUPTS)
            return true;
    return false;
}

/* Kernel parameters that keep interrupts on some CPUs: somebody wants them there. */
static const char *interrupts_kept(const struct system *system)
{
    static const char *const parameters[] = { "irqaffinity=", "isolcpus=", "nohz_full=" };
    for (size_t i = 0; system->cmdline && i < ARRAY_SIZE(parameters); i++)
        if (strstr(system->cmdline, parameters[i]))
            return parameters[i];
    return NULL;
}

static void fix_far(struct judgement *j, const struct subject *s, const struct pci *pci)
{
    judge_command(
        j,
        "for irq in /sys/bus/pci/devices/{pci}/msi_irqs/*; do echo %s >/proc/irq/${irq##*/}/smp_affinity_list; "
        "done # until the driver is reloaded; %s",
        pci->local_cpus,
        has_irqbalance(s->system)
            ? "irqbalance runs: take that node's CPUs out of IRQBALANCE_BANNED_CPULIST, or it moves them back"
            : "for good: run irqbalance, or the driver's set_irq_affinity script at boot");
}

/* A driver spreads its vectors over all CPUs, near ones first: some are far away even on healthy hosts. */
JUDGE(irq_far)
{
    const struct pci *pci = s->pci;
    if (!pci || !text_is(s->device->parent_bus, "pci") || !host_has_numa(s->host) || !pci->numa_node.known ||
        pci->numa_node.value < 0 || !pci->local_cpus || !*pci->local_cpus)
        return judge_na(j, "one NUMA node, or the device's isn't known");
    if (pci->vectors_err && pci->vectors_err != ENOENT)
        return judge_unknown(j, "/sys/bus/pci/devices/%s/msi_irqs: %s", pci->address,
                             judge_errno(j, pci->vectors_err));
    if (!pci->nvectors)
        return judge_na(j, "%s has no MSI vectors", pci->address);
    size_t known = 0, near = 0;
    const char **lists = arena_alloc(j->arena, pci->nvectors, sizeof(*lists));
    for (size_t i = 0; i < pci->nvectors; i++) {
        lists[i] = pci->vectors[i].cpus;
        known += lists[i] != NULL;
        near += lists[i] && cpus_meet(lists[i], pci->local_cpus);
    }
    if (!known)
        return judge_unknown(j, "/proc/irq/%s/effective_affinity_list could not be read", pci->vectors[0].irq);
    const char *evidence = arena_printf(
        j->arena, "%zu of %zu interrupts of %s on CPUs of its NUMA node %" PRId64 " (%s); they are on %s", near,
        known, pci->address, pci->numa_node.value, pci->local_cpus, cpus_join(lists, pci->nvectors, j->arena));
    if (near || known < 2)
        return judge_pass(j, "%s", evidence);
    const char *kept = interrupts_kept(s->system);
    if (kept)
        return judge_info(j, "%s, with %s on the kernel's command line", evidence, kept);
    fix_far(j, s, pci);
    return judge_warn(j, "%s", evidence);
}

enum { MOST_NODES = 64 };

struct node {
    int64_t number;
    size_t accelerators, ports;
};

static struct node *node_of(struct node *nodes, size_t *count, const struct pci *pci)
{
    if (!pci || !pci->numa_node.known || pci->numa_node.value < 0)
        return NULL;
    for (size_t i = 0; i < *count; i++)
        if (nodes[i].number == pci->numa_node.value)
            return &nodes[i];
    if (*count == MOST_NODES)
        return NULL;
    nodes[*count] = (struct node){ .number = pci->numa_node.value };
    return &nodes[(*count)++];
}

/* Is it the first port on its card? */
static bool is_first_of_card(const struct host *host, const struct port *port)
{
    for (const struct port *other = NULL; (other = host_next_port(host, other)) && other != port;)
        if (other->device->pci && pci_is_one_card(other->device->pci, port->device->pci))
            return false;
    return true;
}

JUDGE(numa_unbalanced)
{
    struct node nodes[MOST_NODES];
    size_t count = 0, with_accelerators = 0, cards = 0;
    const struct node *without = NULL;
    if (!host_has_numa(s->host) || !host_has_accelerator(s->host))
        return judge_na(j, "one NUMA node, or no accelerator");
    for (size_t i = 0; i < s->host->npcis; i++) {
        struct node *node = s->host->pcis[i].is_accelerator ? node_of(nodes, &count, &s->host->pcis[i]) : NULL;
        if (node)
            node->accelerators++;
    }
    for (const struct port *port = NULL; (port = host_next_port(s->host, port));) {
        const struct pci *pci = device_function(s->host, port->device);
        struct node *node = pci && !pci->physfn ? node_of(nodes, &count, pci) : NULL;
        if (!node)
            continue;
        node->ports++;
        cards += is_first_of_card(s->host, port);
    }
    for (size_t i = 0; i < count; i++) {
        with_accelerators += nodes[i].accelerators > 0;
        if (nodes[i].accelerators && !nodes[i].ports)
            without = &nodes[i];
    }
    if (!cards || with_accelerators < 2)
        return judge_na(j, "no port, or accelerators on one NUMA node alone");
    if (!without)
        return judge_pass(j, "each NUMA node with accelerators has a port");
    const char *evidence = arena_printf(
        j->arena, "NUMA node %" PRId64 " has %zu accelerator%s and no port, the others %zu card%s",
        without->number, without->accelerators, without->accelerators == 1 ? "" : "s", cards,
        cards == 1 ? "" : "s");
    return cards < with_accelerators ? judge_info(j, "%s: too few for each node to have one", evidence)
                                     : judge_warn(j, "%s", evidence);
}
