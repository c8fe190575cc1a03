/* SPDX-License-Identifier: MIT */
/* Lists queue pairs, memory regions and so on, or how many of them there are. */
#include "view/objects.h"

#include "model/verbs.h"
#include "tables.h"
#include "view/json.h"
#include "view/listing.h"
#include "view/page.h"
#include "view/rows.h"

struct resource_row {
    const struct resource *resource;
};

static const struct resource *resource_of(const void *row)
{
    return ((const struct resource_row *)row)->resource;
}

static struct value get_type(const void *row)
{
    return value_text(resource_type_name(resource_of(row)->type));
}

static struct value get_qps(const void *row)
{
    const struct resource *resource = resource_of(row);
    return resource->type == RESOURCE_SRQ ? value_texts(resource->qps, resource->nqps) : NO_VALUE;
}

const struct column object_columns[] = { OBJECT_COLUMNS };

static const char *const type_columns[RESOURCE_TYPES] = { TYPE_COLUMNS };

const struct column object_total_columns[] = { OBJECT_TOTAL_COLUMNS };

static struct value make_pool_key(const struct cell_context *context, const void *row)
{
    const struct frmr_pool *pool = row;
    return value_text(arena_printf(context->arena, "%" PRIx64 ":%" PRIx64 ":%x:%u", pool->vendor_key,
                                   pool->dma_blocks, pool->access_flags, pool->ats));
}

static const struct column pool_columns[] = { POOL_COLUMNS };

static const struct column optional_columns[] = { OPTIONAL_COLUMNS };

static bool on_selected(const struct host *host, const struct selection *selection,
                        const struct resource *resource)
{
    const struct device *device = host_find_device(host, resource->device);
    const struct port *port = device && resource->port.known
                                  ? device_port(device, (uint32_t)resource->port.value)
                                  : NULL;
    return port ? selection_has_port(selection, port) : !device || selection_has_device(selection, device);
}

static bool wanted(const struct host *host, const struct selection *selection,
                   const struct object_question *question, const struct resource *resource)
{
    return on_selected(host, selection, resource) &&
           (!question->one_type || resource->type == question->type) &&
           (!question->state || (resource->state && strcasecmp(resource->state, question->state) == 0));
}

static struct num limit_of(const struct host *host, const struct resource_total *total)
{
    if (total->limit.known)
        return total->limit;
    const struct device *device = host_find_device(host, total->device);
    const struct verbs_device *verbs = device ? device->verbs : NULL;
    const struct {
        const char *type;
        int32_t most;
    } limits[] = {
        { "qp", verbs ? verbs->max_qp : 0 },   { "cq", verbs ? verbs->max_cq : 0 },
        { "mr", verbs ? verbs->max_mr : 0 },   { "pd", verbs ? verbs->max_pd : 0 },
        { "srq", verbs ? verbs->max_srq : 0 },
    };
    for (size_t i = 0; verbs && i < ARRAY_SIZE(limits); i++)
        if (strcmp(limits[i].type, total->type) == 0 && limits[i].most > 0)
            return num_of((uint64_t)limits[i].most);
    return (struct num){ 0 };
}

/* Those of the selected devices, each with its limit. */
static struct resource_total *total_rows(const struct host *host, const struct selection *selection,
                                         size_t *count)
{
    const struct resources *resources = host->resources;
    struct resource_total *rows = NULL;
    *count = 0;
    for (size_t i = 0; resources && i < resources->ntotals; i++) {
        const struct resource_total *total = &resources->totals[i];
        const struct device *device = host_find_device(host, total->device);
        if (!device || !selection_has_device(selection, device))
            continue;
        struct resource_total *row = ARENA_PUSH(host->arena, rows, *count);
        *row = *total;
        row->limit = limit_of(host, total);
    }
    return rows;
}

static const struct frmr_pool *pool_rows(const struct host *host, const struct selection *selection,
                                         size_t *count)
{
    const struct resources *resources = host->resources;
    struct frmr_pool *rows = NULL;
    *count = 0;
    for (size_t i = 0; resources && i < resources->npools; i++) {
        const struct device *device = host_find_device(host, resources->pools[i].device);
        if (device && selection_has_device(selection, device))
            *ARENA_PUSH(host->arena, rows, *count) = resources->pools[i];
    }
    return rows;
}

/* A device, and the names of the types that it has no list of. */
struct gap_row {
    const char *device;
    const char *types[RESOURCE_TYPES];
    size_t ntypes;
};

static struct value get_gap_types(const void *row)
{
    const struct gap_row *gap = row;
    return value_texts(gap->types, gap->ntypes);
}

static const struct column gap_columns[] = { GAP_COLUMNS };

/* The gaps of the selected devices, for all types or the one asked for. */
static struct gap_row *gap_rows(const struct host *host, const struct selection *selection,
                                const struct object_question *question, size_t *count)
{
    struct gap_row *rows = NULL;
    *count = 0;
    for (size_t d = 0; host->resources && d < host->ndevices; d++) {
        struct gap_row row = { .device = host->devices[d].name };
        for (int type = 0; type < RESOURCE_TYPES; type++)
            if ((!question->one_type || question->type == (enum resource_type)type) &&
                !resources_listed(host->resources, row.device, (enum resource_type)type))
                row.types[row.ntypes++] = resource_type_name((enum resource_type)type);
        if (row.ntypes && selection_has_device(selection, &host->devices[d]))
            *ARENA_PUSH(host->arena, rows, *count) = row;
    }
    return rows;
}

/* "srq, ctx" */
static const char *gap_text(struct arena *arena, const struct gap_row *gap)
{
    const char *text = gap ? gap->types[0] : "";
    for (size_t i = 1; gap && i < gap->ntypes; i++)
        text = arena_printf(arena, "%s, %s", text, gap->types[i]);
    return text;
}

static const char *none_text(const struct host *host, const struct object_question *question,
                             const struct gap_row *gaps, size_t ngaps)
{
    if (!host->ndevices)
        return no_device_text(host);
    if (!host->resources)
        return NO_RESOURCES_TEXT;
    if (ngaps && question->one_type)
        return arena_printf(host->arena, "no list of %s: this kernel, or this recording, has none",
                            gaps[0].types[0]);
    if (ngaps)
        return arena_printf(host->arena, "nothing is listed: this kernel, or this recording, has no list of %s",
                            gap_text(host->arena, &gaps[0]));
    return "no such object is in use";
}

void objects_print(const struct host *host, const struct selection *selection, const struct look *look,
                   const struct object_question *question)
{
    const struct resources *resources = host->resources;
    struct resource_row *items = NULL;
    size_t count = 0, ngaps, most = question->some ? question->nitems : resources ? resources->nitems : 0;
    for (size_t i = 0; i < most; i++) {
        const struct resource *item = question->some ? question->items[i] : &resources->items[i];
        if (wanted(host, selection, question, item))
            ARENA_PUSH(host->arena, items, count)->resource = item;
    }
    const struct gap_row *gaps = gap_rows(host, selection, question, &ngaps);
    const struct listing *listing = LISTING(host, object_columns, items, count);
    if (look->json && !look->columns) {
        json_t *top = json_envelope(host);
        json_object_set_new(top, "objects", listing_wanted_json(look, listing));
        json_object_set_new(top, "unlisted", listing_json(LISTING(host, gap_columns, gaps, ngaps)));
        json_add_problems(top, host);
        json_print(top);
    } else if (question->one_type && !look_chooses(look) && !look->verbose && count) {
        listing_table_of(look, listing, type_columns[question->type]);
    } else {
        listing_print(look, listing, "objects", none_text(host, question, gaps, ngaps));
    }
}

static void print_more(const struct host *host, const struct look *look, const struct gap_row *gaps,
                       size_t ngaps)
{
    for (size_t i = 0; i < ngaps; i++)
        line_print(look->width, 0, "%sno list of %s on %s: this kernel, or this recording, has none",
                   i ? "" : "\n", gap_text(host->arena, &gaps[i]), gaps[i].device);
    const struct resources *resources = host->resources;
    for (size_t i = 0; resources && i < resources->noptional_counters; i++) {
        const struct optional_counter *counter = &resources->optional_counters[i];
        line_print(look->width, 0, "%soptional counter %s of %s/%u: %s", i ? "" : "\n", counter->name,
                   counter->device, counter->port, counter->enabled ? "on" : "off");
    }
}

void object_totals_print(const struct host *host, const struct selection *selection, const struct look *look)
{
    const struct resources *resources = host->resources;
    size_t ntotals, ngaps, npools;
    const struct gap_row *gaps = gap_rows(host, selection, &(struct object_question){ 0 }, &ngaps);
    const struct resource_total *totals = total_rows(host, selection, &ntotals);
    const struct frmr_pool *pools = pool_rows(host, selection, &npools);
    const struct listing *listing = LISTING(host, object_total_columns, totals, ntotals);
    if (look->json && !look->columns) {
        json_t *top = json_envelope(host);
        json_object_set_new(top, "totals", listing_wanted_json(look, listing));
        json_object_set_new(top, "unlisted", listing_json(LISTING(host, gap_columns, gaps, ngaps)));
        json_object_set_new(top, "frmr_pools", listing_json(LISTING(host, pool_columns, pools, npools)));
        json_object_set_new(top, "optional_counters",
                            resources
                                ? listing_json(LISTING(host, optional_columns, resources->optional_counters,
                                                       resources->noptional_counters))
                                : json_array());
        json_add_problems(top, host);
        json_print(top);
        return;
    }
    bool limits = false;
    for (size_t i = 0; i < ntotals; i++)
        limits |= totals[i].limit.known;
    if (ntotals && !limits && !look_chooses(look) && !look->verbose)
        listing_table_of(look, listing, "device,type,used");
    else
        listing_print(look, listing, "totals", none_text(host, &(struct object_question){ 0 }, gaps, ngaps));
    if (look_chooses(look) || !ntotals)
        return;
    if (npools) {
        puts("");
        listing_table_beside(look, LISTING(host, pool_columns, pools, npools), NULL);
    }
    print_more(host, look, gaps, ngaps);
}
