/* SPDX-License-Identifier: MIT */
/* The interrupt vectors of what RDMA devices sit on, and the CPUs that take them; the CPUs of NUMA nodes. */
#include <errno.h>

#include "model/cpus.h"
#include "source/reader.h"

/* A NIC has a vector a CPU and port: as many tell where they go. */
enum { MOST_VECTORS = 64, MOST_NODES = 1024 };

/* effective_affinity_list is where it goes (Linux 4.15); smp_affinity_list where it may. */
static const char *read_cpus(struct reader *reader, const char *irq)
{
    const char *cpus = read_text(reader, "proc/irq/%s/effective_affinity_list", irq);
    return cpus && *cpus ? cpus : read_text(reader, "proc/irq/%s/smp_affinity_list", irq);
}

static void read_vectors(struct reader *reader, struct pci *pci)
{
    struct names names = { 0 };
    int r = root_list(reader->root, reader->arena, &names, "sys/bus/pci/devices/%s/msi_irqs", pci->address);
    pci->vectors_err = -r;
    if (r < 0)
        return;
    pci->nirqs = names.count;
    for (size_t i = 0; i < names.count && i < MOST_VECTORS; i++) {
        if (reader->source->thorough) /* so that a recording has the names */
            read_text(reader, "sys/bus/pci/devices/%s/msi_irqs/%s", pci->address, names.items[i]);
        *ARENA_PUSH(reader->arena, pci->vectors,
                    pci->nvectors) = (struct vector){ .irq = names.items[i],
                                                      .cpus = read_cpus(reader, names.items[i]) };
    }
}

void read_irqs(struct reader *reader)
{
    struct host *host = reader->host;
    for (size_t i = 0; i < host->ndevices; i++) {
        struct pci *pci = host_find_pci(host, host->devices[i].pci);
        if (!pci || pci->vectors_asked)
            continue;
        pci->vectors_asked = true;
        read_vectors(reader, pci);
    }
}

/* One without memory of its own can hold no buffer. */
static bool has_memory(struct reader *reader, unsigned long node)
{
    const char *nodes = read_text(reader, "sys/devices/system/node/has_memory");
    unsigned long first, last;
    while (nodes && cpus_next(&nodes, &first, &last))
        if (first <= node && node <= last)
            return true;
    return false;
}

void read_numa(struct reader *reader)
{
    struct system *system = &reader->host->system;
    const char *online = read_text(reader, "sys/devices/system/node/online");
    unsigned long first, last;
    while (online && cpus_next(&online, &first, &last))
        for (unsigned long node = first; node <= last && node < MOST_NODES; node++) {
            const char *cpus = read_text(reader, "sys/devices/system/node/node%lu/cpulist", node);
            if (cpus && *cpus && has_memory(reader, node))
                *ARENA_PUSH(reader->arena, system->nodes,
                            system->nnodes) = (struct numa_node){ .number = (unsigned)node, .cpus = cpus };
        }
}
