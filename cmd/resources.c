/* SPDX-License-Identifier: MIT */
/* roce resources: queue pairs, memory regions and so on, and who owns them. */
#include "model/resources.h"
#include "command/context.h"
#include "model/verbs.h"
#include "source/source.h"
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

#define OF_RESOURCE(...) MEMBER(struct resource_row, resource, __VA_ARGS__)
static const struct column columns[] = {
    { "type", .help = "qp, cq, mr, pd, cm_id, srq or ctx (an opened device)", .get = get_type },
    { "device", .help = "RDMA device", OF_RESOURCE(device) },
    { "port", .help = "port, of what belongs to one", .rank = 3, OF_RESOURCE(port) },
    { "restrack_id", "id", .help = "its number on its device (lqpn, cqn, mrn, pdn, cm_idn, srqn, ctxn)",
      OF_RESOURCE(id) },
    { "kind", .help = "type of a queue pair or SRQ: RC, UD, GSI and so on, BASIC, XRC", OF_RESOURCE(kind) },
    { "subtype", .help = "a driver's own type of queue pair", .flags = COLUMN_HIDDEN, OF_RESOURCE(subtype) },
    { "state", .help = "RESET INIT RTR RTS SQD SQE ERR, or a CM id's", OF_RESOURCE(state) },
    { "lqpn", .help = "local queue pair number", .flags = COLUMN_HIDDEN, OF_RESOURCE(lqpn) },
    { "rqpn", .help = "the peer's queue pair number", .flags = COLUMN_HIDDEN, .rank = 1, OF_RESOURCE(rqpn) },
    { "rq_psn", .help = "packet sequence number that is received next", .flags = COLUMN_HIDDEN, .rank = 4,
      OF_RESOURCE(rq_psn) },
    { "sq_psn", .help = "packet sequence number that is sent next", .flags = COLUMN_HIDDEN, .rank = 3,
      OF_RESOURCE(sq_psn) },
    { "path_mig_state", .help = "MIGRATED, REARM or ARMED", .flags = COLUMN_HIDDEN, .rank = 6,
      OF_RESOURCE(path_mig_state) },
    { "pdn", .help = "protection domain it belongs to", .flags = COLUMN_HIDDEN, .rank = 5, OF_RESOURCE(pdn) },
    { "cqn", .help = "completion queue it reports to", .flags = COLUMN_HIDDEN, OF_RESOURCE(cqn) },
    { "ctxn", .help = "context (opened device) it belongs to", .flags = COLUMN_HIDDEN, OF_RESOURCE(ctxn) },
    { "qps", .help = "queue pairs that use an SRQ: numbers, and runs of them", .flags = COLUMN_HIDDEN,
      .type = VALUE_STRINGS, .get = get_qps },
    { "entries", .help = "room of a completion queue", .flags = COLUMN_HIDDEN, OF_RESOURCE(entries) },
    { "user_count", "users", .help = "what else uses it", .flags = COLUMN_HIDDEN, OF_RESOURCE(users) },
    { "poll_context", .help = "how the kernel polls a completion queue of its own", .flags = COLUMN_HIDDEN,
      OF_RESOURCE(poll_context) },
    { "adaptive_moderation", .help = "does its interrupt rate adapt?", .flags = COLUMN_HIDDEN,
      MEMBER_AS(VALUE_BOOLEAN, struct resource_row, resource, adaptive_moderation) },
    { "lkey", .help = "local key; only root sees it", .flags = COLUMN_HIDDEN,
      MEMBER_HEX(8, struct resource_row, resource, lkey) },
    { "rkey", .help = "remote key; only root sees it", .flags = COLUMN_HIDDEN,
      MEMBER_HEX(8, struct resource_row, resource, rkey) },
    { "iova", .help = "address of a memory region as peers use it; only root sees it", .flags = COLUMN_HIDDEN,
      MEMBER_HEX(16, struct resource_row, resource, iova) },
    { "length", .help = "size of a memory region", .flags = COLUMN_HIDDEN,
      MEMBER_AS(VALUE_BYTES, struct resource_row, resource, length) },
    { "port_space", .help = "of a CM id: TCP, UDP, IB, IPoIB", .flags = COLUMN_HIDDEN,
      OF_RESOURCE(port_space) },
    { "source", .help = "own address of a CM id", .flags = COLUMN_HIDDEN, OF_RESOURCE(source) },
    { "destination", .help = "the peer's address of a CM id", .flags = COLUMN_HIDDEN,
      OF_RESOURCE(destination) },
    { "pid", .help = "process that owns it; none: the kernel", OF_RESOURCE(pid) },
    { "comm", .help = "name of the process, or of the kernel's user", .flags = COLUMN_CUT, OF_RESOURCE(comm) },
    { 0 },
};

/* What each type's table shows. */
static const char *const type_columns[RESOURCE_TYPES] = {
    [RESOURCE_QP] = "device,port,lqpn,rqpn,kind,state,rq_psn,sq_psn,path_mig_state,pdn,pid,comm",
    [RESOURCE_CQ] = "device,id,entries,users,poll_context,adaptive_moderation,ctxn,pid,comm",
    [RESOURCE_MR] = "device,id,rkey,lkey,iova,length,pdn,pid,comm",
    [RESOURCE_PD] = "device,id,users,ctxn,pid,comm",
    [RESOURCE_CM_ID] = "device,port,id,lqpn,kind,state,port_space,source,destination,pid,comm",
    [RESOURCE_SRQ] = "device,id,kind,qps,pdn,cqn,pid,comm",
    [RESOURCE_CTX] = "device,id,pid,comm",
};

/* A row of the totals: how much of a type is in use on a device. */
struct total_row {
    const char *device, *type;
    uint64_t used;
    struct num limit;
};

static const struct column total_columns[] = {
    { "device", .help = "RDMA device", MEMBER(struct total_row, device) },
    { "type", .help = "what is counted", MEMBER(struct total_row, type) },
    { "used", .help = "how many there are", MEMBER_AS(VALUE_UNSIGNED, struct total_row, used) },
    { "limit", .help = "how many there can be: the kernel's word (Linux after 7.2), or --limits",
      MEMBER(struct total_row, limit) },
    { 0 },
};

static struct value make_pool_key(const struct cell_context *context, const void *row)
{
    const struct frmr_pool *pool = row;
    return value_text(arena_printf(context->arena, "%" PRIx64 ":%" PRIx64 ":%x:%u", pool->vendor_key,
                                   pool->dma_blocks, pool->access_flags, pool->ats));
}

static const struct column pool_columns[] = {
    { "device", .help = "RDMA device", MEMBER(struct frmr_pool, device) },
    { "key", .help = "what its memory regions have in common, as 'rdma resource set frmr_pools' takes it",
      .type = VALUE_STRING, .make = make_pool_key },
    { "idle", .help = "memory regions that wait in the pool", MEMBER(struct frmr_pool, idle) },
    { "in_use", .help = "those in use", MEMBER(struct frmr_pool, in_use) },
    { "max_in_use", .help = "the most that have been in use", MEMBER(struct frmr_pool, max_in_use) },
    { "pinned", .help = "how many stay, however long they are idle", MEMBER(struct frmr_pool, pinned) },
    { 0 },
};

/* What one process, or one user inside the kernel, holds on a device. */
struct owner_row {
    const char *device;
    struct num pid;
    const char *comm;
    struct num counts[RESOURCE_TYPES]; /* not known if the kernel has no list of the type */
    struct num bytes;
};

static const struct column owner_columns[] = {
    { "device", .help = "RDMA device", MEMBER(struct owner_row, device) },
    { "pid", .help = "process; none: the kernel", MEMBER(struct owner_row, pid) },
    { "comm", .help = "its name, or the kernel's user", MEMBER(struct owner_row, comm) },
    { "qp", .help = "queue pairs", MEMBER(struct owner_row, counts[RESOURCE_QP]) },
    { "cq", .help = "completion queues", MEMBER(struct owner_row, counts[RESOURCE_CQ]) },
    { "mr", .help = "memory regions", MEMBER(struct owner_row, counts[RESOURCE_MR]) },
    { "mr_bytes", "registered", .help = "memory registered in them",
      MEMBER_AS(VALUE_BYTES, struct owner_row, bytes) },
    { "pd", .help = "protection domains", MEMBER(struct owner_row, counts[RESOURCE_PD]) },
    { "cm_id", .help = "connection manager ids", MEMBER(struct owner_row, counts[RESOURCE_CM_ID]) },
    { "srq", .help = "shared receive queues", MEMBER(struct owner_row, counts[RESOURCE_SRQ]) },
    { "ctx", .help = "times the device is open", MEMBER(struct owner_row, counts[RESOURCE_CTX]) },
    { 0 },
};

struct question {
    bool one_type;
    enum resource_type type;
    struct num pid;
    const char *state;
};

static bool wanted(const struct context *context, const struct question *question,
                   const struct resource *resource)
{
    const struct device *device = host_find_device(context->host, resource->device);
    const struct port *port = device && resource->port.known
                                  ? device_port(device, (uint32_t)resource->port.value)
                                  : NULL;
    if (port ? !selection_has_port(&context->selection, port)
             : device && !selection_has_device(&context->selection, device))
        return false;
    if (question->one_type && resource->type != question->type)
        return false;
    if (question->pid.known && !num_is(num_wide(resource->pid), question->pid.value))
        return false;
    return !question->state || (resource->state && strcasecmp(resource->state, question->state) == 0);
}

static struct num limit_of(const struct context *context, const struct resource_total *total)
{
    if (total->limit.known)
        return total->limit;
    const struct device *device = host_find_device(context->host, total->device);
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

static struct total_row *total_rows(const struct context *context, size_t *count)
{
    const struct resources *resources = context->host->resources;
    struct total_row *rows = NULL;
    *count = 0;
    for (size_t i = 0; resources && i < resources->ntotals; i++) {
        const struct resource_total *total = &resources->totals[i];
        const struct device *device = host_find_device(context->host, total->device);
        if (!device || !selection_has_device(&context->selection, device))
            continue;
        *ARENA_PUSH(context->host->arena, rows,
                    *count) = (struct total_row){ .device = total->device,
                                                  .type = total->type,
                                                  .used = total->count,
                                                  .limit = limit_of(context, total) };
    }
    return rows;
}

static const struct frmr_pool *pool_rows(const struct context *context, size_t *count)
{
    const struct resources *resources = context->host->resources;
    struct frmr_pool *rows = NULL;
    *count = 0;
    for (size_t i = 0; resources && i < resources->npools; i++) {
        const struct device *device = host_find_device(context->host, resources->pools[i].device);
        if (device && selection_has_device(&context->selection, device))
            *ARENA_PUSH(context->host->arena, rows, *count) = resources->pools[i];
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

static const struct column gap_columns[] = {
    { "device", .help = "RDMA device", MEMBER(struct gap_row, device) },
    { "types", .help = "what the kernel has no list of there", .type = VALUE_STRINGS, .get = get_gap_types },
    { 0 },
};

/* The gaps of the selected devices, for all types or the one asked for. */
static struct gap_row *gap_rows(const struct context *context, const struct question *question, size_t *count)
{
    const struct host *host = context->host;
    struct gap_row *rows = NULL;
    *count = 0;
    for (size_t d = 0; host->resources && d < host->ndevices; d++) {
        struct gap_row row = { .device = host->devices[d].name };
        for (int type = 0; type < RESOURCE_TYPES; type++)
            if ((!question->one_type || question->type == (enum resource_type)type) &&
                !resources_listed(host->resources, row.device, (enum resource_type)type))
                row.types[row.ntypes++] = resource_type_name((enum resource_type)type);
        if (row.ntypes && selection_has_device(&context->selection, &host->devices[d]))
            *ARENA_PUSH(host->arena, rows, *count) = row;
    }
    return rows;
}

static bool same_owner(const struct owner_row *owner, const struct resource *resource)
{
    if (strcmp(owner->device, resource->device) != 0 || owner->pid.known != resource->pid.known)
        return false;
    if (owner->pid.known)
        return owner->pid.value == resource->pid.value;
    return owner->comm && resource->comm ? strcmp(owner->comm, resource->comm) == 0
                                         : owner->comm == resource->comm;
}

/* With nothing counted yet. */
static struct owner_row new_owner(const struct resources *resources, const struct resource *resource)
{
    struct owner_row owner = { .device = resource->device,
                               .pid = num_wide(resource->pid),
                               .comm = resource->comm };
    for (int type = 0; type < RESOURCE_TYPES; type++)
        owner.counts[type].known = resources_listed(resources, owner.device, (enum resource_type)type);
    owner.bytes.known = owner.counts[RESOURCE_MR].known;
    return owner;
}

static struct owner_row *owner_rows(const struct context *context, const struct resource_row *items,
                                    size_t nitems, size_t *count)
{
    struct owner_row *rows = NULL;
    *count = 0;
    for (size_t i = 0; i < nitems; i++) {
        const struct resource *resource = items[i].resource;
        size_t k = 0;
        while (k < *count && !same_owner(&rows[k], resource))
            k++;
        if (k == *count)
            *ARENA_PUSH(context->host->arena, rows, *count) = new_owner(context->host->resources, resource);
        rows[k].counts[resource->type].value++;
        if (resource->type == RESOURCE_MR && resource->length.known)
            rows[k].bytes.value += resource->length.value;
    }
    return rows;
}

static json_t *optional_json(const struct context *context)
{
    const struct resources *resources = context->host->resources;
    json_t *array = json_array();
    for (size_t i = 0; resources && i < resources->noptional_counters; i++) {
        const struct optional_counter *counter = &resources->optional_counters[i];
        json_t *object = json_object();
        json_put_text(object, "device", counter->device);
        json_put_unsigned(object, "port", counter->port);
        json_put_text(object, "name", counter->name);
        json_put_bool(object, "enabled", counter->enabled);
        json_put_num(object, "value", counter->value);
        json_array_append_new(array, object);
    }
    return array;
}

static void show_json(const struct context *context, const struct question *question,
                      const struct resource_row *items, size_t nitems)
{
    size_t ntotals, nowners, ngaps, npools;
    const struct gap_row *gaps = gap_rows(context, question, &ngaps);
    const struct total_row *totals = total_rows(context, &ntotals);
    const struct owner_row *owners = owner_rows(context, items, nitems, &nowners);
    const struct frmr_pool *pools = pool_rows(context, &npools);
    json_t *top = json_envelope(context->host);
    json_object_set_new(
        top, "resources",
        listing_wanted_json(&context->args->look, LISTING(context->host, columns, items, nitems)));
    json_object_set_new(top, "totals", listing_json(LISTING(context->host, total_columns, totals, ntotals)));
    json_object_set_new(top, "owners", listing_json(LISTING(context->host, owner_columns, owners, nowners)));
    json_object_set_new(top, "unlisted", listing_json(LISTING(context->host, gap_columns, gaps, ngaps)));
    json_object_set_new(top, "frmr_pools", listing_json(LISTING(context->host, pool_columns, pools, npools)));
    json_object_set_new(top, "optional_counters", optional_json(context));
    json_add_problems(top, context->host);
    json_print(top);
}

/* "srq, ctx" */
static const char *gap_text(const struct context *context, const struct gap_row *gap)
{
    const char *text = gap->types[0];
    for (size_t i = 1; i < gap->ntypes; i++)
        text = arena_printf(context->host->arena, "%s, %s", text, gap->types[i]);
    return text;
}

static void show_overview(const struct context *context, const struct question *question,
                          const struct resource_row *items, size_t nitems, bool limits)
{
    size_t ntotals, nowners, ngaps, npools;
    const struct gap_row *gaps = gap_rows(context, question, &ngaps);
    const struct total_row *totals = total_rows(context, &ntotals);
    const struct owner_row *owners = owner_rows(context, items, nitems, &nowners);
    const struct frmr_pool *pools = pool_rows(context, &npools);
    for (size_t i = 0; i < ntotals; i++)
        limits |= totals[i].limit.known;
    const struct look *look = &context->args->look;
    listing_table_beside(look, LISTING(context->host, total_columns, totals, ntotals),
                         limits ? NULL : "device,type,used");
    if (nowners) {
        puts("");
        listing_table_beside(look, LISTING(context->host, owner_columns, owners, nowners), NULL);
    }
    if (npools) {
        puts("");
        listing_table_beside(look, LISTING(context->host, pool_columns, pools, npools), NULL);
    }
    for (size_t i = 0; i < ngaps; i++)
        line_print(look->width, 0, "%sno list of %s on %s: this kernel, or this recording, has none",
                   i ? "" : "\n", gap_text(context, &gaps[i]), gaps[i].device);
    const struct resources *resources = context->host->resources;
    for (size_t i = 0; resources && i < resources->noptional_counters; i++) {
        const struct optional_counter *counter = &resources->optional_counters[i];
        line_print(look->width, 0, "%soptional counter %s of %s/%u: %s", i ? "" : "\n", counter->name,
                   counter->device, counter->port, counter->enabled ? "on" : "off");
    }
}

static const char *none_text(const struct context *context, const struct question *question)
{
    const struct host *host = context->host;
    size_t ngaps;
    const struct gap_row *gaps = gap_rows(context, question, &ngaps);
    if (!host->ndevices)
        return no_device_text(host);
    if (!host->resources)
        return NO_RESOURCES_TEXT;
    if (ngaps && question->one_type)
        return arena_printf(host->arena, "no list of %s: this kernel, or this recording, has none",
                            gaps[0].types[0]);
    if (ngaps)
        return arena_printf(host->arena, "nothing is listed: this kernel, or this recording, has no list of %s",
                            gap_text(context, &gaps[0]));
    return "no such resource is in use";
}

static void show(const struct context *context, const struct question *question)
{
    const struct resources *resources = context->host->resources;
    struct resource_row *items = NULL;
    size_t count = 0;
    for (size_t i = 0; resources && i < resources->nitems; i++)
        if (wanted(context, question, &resources->items[i]))
            ARENA_PUSH(context->host->arena, items, count)->resource = &resources->items[i];
    const struct args *args = context->args;
    bool filtered = question->one_type || question->pid.known || question->state;
    if (args->look.json && !args->look.columns)
        show_json(context, question, items, count);
    else if (!filtered && !look_chooses(&args->look) && !args->look.verbose && resources && resources->ntotals)
        show_overview(context, question, items, count, args_given(args, "limits"));
    else if (question->one_type && !look_chooses(&args->look) && !args->look.verbose && count)
        listing_table_of(&args->look, LISTING(context->host, columns, items, count),
                         type_columns[question->type]);
    else
        context_list(context, items, count, sizeof(*items), none_text(context, question));
}

static int understand(const struct args *args, struct question *question, char ***devices, size_t *ndevices)
{
    *devices = args->operands;
    *ndevices = args->noperands;
    if (args->noperands && resource_type_parse(args->operands[0], &question->type) == 0) {
        question->one_type = true;
        ++*devices;
        --*ndevices;
    }
    question->state = args_value(args, "state");
    if (question->state && !resource_is_state(question->state))
        return say_invalid("--state: '%s' is not a state of a queue pair (RESET, INIT, RTR, RTS, SQD, SQE, "
                           "ERR) or CM id (LISTEN, CONNECT and others)",
                           question->state);
    question->pid = num_if(args_given(args, "pid"), args_number(args, "pid", 0));
    return 0;
}

static int run(struct context *context)
{
    struct question question = { 0 };
    char **devices;
    size_t ndevices;
    if (understand(context->args, &question, &devices, &ndevices) < 0)
        return STATUS_ERROR;
    needs_t needs = NEED_NLDEV | NEED_RESOURCES | (ndevices ? NEED_NETDEV | NEED_GID_SUMMARY : 0);
    if (args_given(context->args, "limits"))
        needs |= NEED_VERBS;
    if (context_read(context, needs) < 0 || context_select(context, devices, ndevices) < 0)
        return STATUS_ERROR;
    show(context, &question);
    return STATUS_OK;
}

static const struct option_def options[] = {
    { "pid", 'p', ARG_NUMBER, .arg = "PID", .least = 1, .most = UINT32_MAX,
      .help = "only what this process holds" },
    { "state", 's', ARG_TEXT, .arg = "STATE",
      .help = "only queue pairs and CM ids in this state: RTS, ERR, LISTEN and so on" },
    { "limits", 'l', .help = "also show the devices' limits (opens the devices)" },
    { 0 },
};

const struct command cmd_resources = {
    .name = "resources",
    .group = GROUP_SHOW,
    .operands_text = "[qp|cq|mr|pd|cm_id|srq|ctx] [DEVICE[/PORT]|NETDEV]...",
    .summary = "queue pairs, memory regions, CM ids: how many, and whose",
    .options = options,
    .columns = columns,
    .plural = "resources",
    .no_host = true,
    .pages = true,
    .run = run,
};
