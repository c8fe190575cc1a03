/* SPDX-License-Identifier: MIT */
/* Interrupts of devices, and how many are far from them. */
#include "view/gpus.h"

#include "view/listing.h"
#include "view/rows.h"

struct irq_row {
    const struct device *device;
    const struct pci *pci;             /* NULL: a soft device */
    struct num numa, count, near, far; /* near, far: of the vectors whose CPUs are known */
};

/* How many vectors, of those whose CPUs are known, may run on the device's node (near), or only elsewhere. */
static struct num count_near(const struct pci *pci, bool near)
{
    size_t count = 0, known = 0;
    for (size_t i = 0; pci && pci->local_cpus && i < pci->nvectors; i++) {
        const char *cpus = pci->vectors[i].cpus;
        known += cpus != NULL;
        count += cpus && cpus_meet(cpus, pci->local_cpus) == near;
    }
    return num_if(known > 0, count);
}

static struct value make_on(const struct cell_context *context, const void *row)
{
    const struct pci *pci = ((const struct irq_row *)row)->pci;
    size_t count = pci ? pci->nvectors : 0;
    const char **lists = arena_alloc(context->arena, count + 1, sizeof(*lists));
    for (size_t i = 0; i < count; i++)
        lists[i] = pci->vectors[i].cpus;
    const char *on = cpus_join(lists, count, context->arena);
    return *on ? value_text(on) : NO_VALUE;
}

static struct value make_irqbalance(const struct cell_context *context, const void *row)
{
    const struct system *system = &context->host->system;
    bool runs = false;
    (void)row;
    for (size_t i = 0; i < system->ndaemons; i++)
        runs |= daemon_role(&system->daemons[i]) == DAEMON_INTERRUPTS;
    return value_tristate(system->daemons_known ? tri_of(runs) : TRI_UNKNOWN);
}

static struct value get_vectors(const void *row)
{
    static const struct column fields[] = {
        { "irq", MEMBER(struct vector, irq) },
        { "cpus", MEMBER(struct vector, cpus) },
        { 0 },
    };
    const struct pci *pci = ((const struct irq_row *)row)->pci;
    return value_json(pci ? listing_json(LISTING(NULL, fields, pci->vectors, pci->nvectors)) : json_array(),
                      "");
}

const struct column irq_columns[] = { IRQ_COLUMNS };

void irqs_print(const struct host *host, const struct selection *selection, const struct look *look)
{
    struct irq_row *rows = arena_alloc(host->arena, host->ndevices + 1, sizeof(*rows));
    size_t count = 0;
    for (size_t i = 0; i < host->ndevices; i++) {
        const struct pci *pci = host_find_pci(host, host->devices[i].pci);
        if (selection_has_device(selection, &host->devices[i]))
            rows[count++] = (struct irq_row){ .device = &host->devices[i],
                                              .pci = pci,
                                              .numa = pci_numa(pci),
                                              .count = num_if(pci && !pci->vectors_err, pci ? pci->nirqs : 0),
                                              .near = count_near(pci, true),
                                              .far = count_near(pci, false) };
    }
    listing_print(look, LISTING(host, irq_columns, rows, count), "devices", no_device_text(host));
}
