/* SPDX-License-Identifier: MIT */
/* The PCIe path of devices, one row per bridge. */
#include "view/gpus.h"

#include "view/listing.h"
#include "view/rows.h"

enum { MOST_LAYERS = 32 };

struct function_row {
    const struct pci *pci;
    const struct pci *way[MOST_LAYERS]; /* from the root port to the function itself */
    size_t depth;
};

static const struct pci *pci_of(const void *row)
{
    return ((const struct function_row *)row)->pci;
}

static const char *kind_of(const struct host *host, const struct pci *pci)
{
    if (pci->is_accelerator)
        return "accelerator";
    if (pci->is_data_direct)
        return "data-direct";
    for (size_t i = 0; i < host->ndevices; i++)
        if (text_is(host->devices[i].pci, pci->address))
            return "device";
    return "bridge";
}

/* For people, indented by two blanks per layer to show what is below what. */
static struct value make_function(const struct cell_context *context, const void *row)
{
    const struct function_row *function = row;
    int indent = context->for_people ? 2 * (int)(function->depth - 1) : 0;
    return value_text(arena_printf(context->arena, "%*s%s", indent, "", function->pci->address));
}

static struct value make_kind(const struct cell_context *context, const void *row)
{
    return value_text(kind_of(context->host, pci_of(row)));
}

static struct value make_devices(const struct cell_context *context, const void *row)
{
    const struct host *host = context->host;
    const char **names = arena_alloc(context->arena, host->ndevices + 1, sizeof(*names));
    size_t count = 0;
    for (size_t i = 0; i < host->ndevices; i++)
        if (text_is(host->devices[i].pci, pci_of(row)->address))
            names[count++] = host->devices[i].name;
    return value_texts(names, count);
}

/* Virtual functions and functions on a chip have no link: width 0. */
static struct value make_link(const struct cell_context *context, const void *row)
{
    const struct pci *pci = pci_of(row);
    if (!pci->link_speed || !pci->link_width.known || !pci->link_width.value || pci->link_width.value > 32)
        return NO_VALUE;
    return value_text(arena_printf(context->arena, "%s x%u", pci->link_speed, (unsigned)pci->link_width.value));
}

static struct value make_acs(const struct cell_context *context, const void *row)
{
    static const char *const bits[] = { "SrcValid",    "TransBlk",   "ReqRedir",   "CmpltRedir",
                                        "UpstreamFwd", "EgressCtrl", "DirectTrans" };
    const struct pci *pci = pci_of(row);
    const char **set = arena_alloc(context->arena, ARRAY_SIZE(bits), sizeof(*set));
    size_t count = 0;
    if (!pci->acs.known)
        return NO_VALUE;
    for (size_t i = 0; i < ARRAY_SIZE(bits); i++)
        if (pci->acs.value >> i & 1)
            set[count++] = bits[i];
    return !count && context->for_people ? value_text("off") : value_texts(set, count);
}

static struct value errors_of(const struct pci *pci, enum aer_severity severity)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < pci->aer[severity].nkinds; i++)
        sum += pci->aer[severity].kinds[i].count;
    bool bad = sum && severity != AER_CORRECTABLE;
    struct value value = value_num(num_if(pci->aer[severity].known, sum));
    return value_with_tone(value, bad ? TONE_BAD : sum ? TONE_WARN : TONE_PLAIN);
}

static struct value get_correctable(const void *row)
{
    return errors_of(pci_of(row), AER_CORRECTABLE);
}

static struct value get_nonfatal(const void *row)
{
    return errors_of(pci_of(row), AER_NONFATAL);
}

static struct value get_fatal(const void *row)
{
    return errors_of(pci_of(row), AER_FATAL);
}

/* ENODATA means that the function has no such capability, which is an answer. */
static int unread_err(const struct pci *pci)
{
    return pci->express_err && pci->express_err != ENODATA ? pci->express_err
           : pci->acs_err && pci->acs_err != ENODATA       ? pci->acs_err
                                                           : 0;
}

static struct value make_unread(const struct cell_context *context, const void *row)
{
    int err = unread_err(pci_of(row));
    return err ? value_text(arena_strdup(context->arena, say_errno(err))) : NO_VALUE;
}

const struct column pcie_columns[] = { PCIE_COLUMNS };

static int by_way(const void *left, const void *right)
{
    const struct function_row *a = left, *b = right;
    for (size_t i = 0; i < a->depth && i < b->depth; i++)
        if (a->way[i] != b->way[i])
            return pci_address_compare(a->way[i]->address, b->way[i]->address);
    return (a->depth > b->depth) - (a->depth < b->depth);
}

static struct function_row row_of(const struct host *host, const struct pci *pci)
{
    struct function_row row = { .pci = pci };
    const struct pci *up[MOST_LAYERS];
    for (const struct pci *at = pci; at && row.depth < MOST_LAYERS; at = host_find_pci(host, at->upstream))
        up[row.depth++] = at;
    for (size_t i = 0; i < row.depth; i++)
        row.way[i] = up[row.depth - 1 - i];
    return row;
}

/* Is it a selected device's function, or an accelerator (or its NIC's DMA function) beside one? Without a
 * selection all are. */
static bool is_end(const struct host *host, const struct selection *selection, const struct pci *pci)
{
    bool is_peer = pci->is_accelerator || pci->is_data_direct;
    bool is_near = is_peer && !selection->some;
    for (size_t i = 0; i < host->ndevices && !is_near; i++) {
        const struct pci *own = host_find_pci(host, host->devices[i].pci);
        is_near = own && selection_has_device(selection, &host->devices[i]) &&
                  (own == pci || (is_peer && pci_distance(host, pci, own) <= DISTANCE_PXB));
    }
    return is_near;
}

void pcie_print(const struct host *host, const struct selection *selection, const struct look *look)
{
    struct function_row *rows = arena_alloc(host->arena, host->npcis + 1, sizeof(*rows));
    size_t count = 0, unread = 0;
    int why = 0;
    bool *wanted = arena_alloc(host->arena, host->npcis + 1, sizeof(*wanted));
    for (size_t i = 0; i < host->npcis; i++) {
        if (!is_end(host, selection, &host->pcis[i]))
            continue;
        struct function_row row = row_of(host, &host->pcis[i]);
        for (size_t k = 0; k < row.depth; k++)
            wanted[row.way[k] - host->pcis] = true;
    }
    for (size_t i = 0; i < host->npcis; i++)
        if (wanted[i])
            rows[count++] = row_of(host, &host->pcis[i]);
    qsort(rows, count, sizeof(*rows), by_way);
    for (size_t i = 0; i < count; i++) {
        int err = unread_err(rows[i].pci);
        unread += err != 0;
        why = err ? err : why;
    }
    listing_print(look, LISTING(host, pcie_columns, rows, count), "functions",
                  host->ndevices ? "no PCI function below these devices" : no_device_text(host));
    if (unread)
        say_note(
            "configuration space of %zu of %zu functions: %s; what it holds, MPS to ATS, isn't known of them",
            unread, count, why == EACCES ? "only root can read that far" : say_errno(why));
}
