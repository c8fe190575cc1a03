/* SPDX-License-Identifier: MIT */
/* What metrics have samples of, and the labels that tell them apart. */
#include "base/version.h"
#include "consumer/consumer.h"
#include "model/qos.h"
#include "model/statistics.h"
#include "model/users.h"
#include "model/verbs.h"
#include "tables.h"
#include "view/metrics/family.h"

static void add(struct filling *filling, struct target target);

static void add_counted(struct filling *filling, struct target target, const char *what, uint64_t count)
{
    target.what = what;
    target.count = snum_of((int64_t)count);
    add(filling, target);
}

/* -- devices ---------------------------------------------------------------------------------------------- */

static void add_devices(struct filling *filling, struct target target)
{
    const struct host *host = filling->metrics->host;
    for (size_t i = 0; i < host->ndevices; i++) {
        target.device = &host->devices[i];
        target.pci = device_function(host, target.device);
        if (selection_has_device(filling->metrics->selection, target.device))
            add(filling, target);
    }
}

static void add_resources(struct filling *filling, struct target target)
{
    const struct resources *resources = filling->metrics->host->resources;
    for (size_t i = 0; resources && i < resources->ntotals; i++)
        if (strcmp(resources->totals[i].device, target.device->name) == 0)
            add_counted(filling, target, resources->totals[i].type, resources->totals[i].count);
}

static void add_limits(struct filling *filling, struct target target)
{
    const struct verbs_device *verbs = target.device->verbs;
    if (!verbs)
        return;
    const struct {
        const char *resource;
        int32_t most;
    } limits[] = { { "qp", verbs->max_qp }, { "cq", verbs->max_cq },   { "mr", verbs->max_mr },
                   { "pd", verbs->max_pd }, { "srq", verbs->max_srq }, { "mw", verbs->max_mw },
                   { "ah", verbs->max_ah } };
    for (size_t i = 0; i < ARRAY_SIZE(limits); i++)
        add_counted(filling, target, limits[i].resource, limits[i].most > 0 ? (uint64_t)limits[i].most : 0);
}

/* -- ports and GIDs --------------------------------------------------------------------------------------- */

static void add_ports(struct filling *filling, struct target target)
{
    const struct device *device = target.device;
    for (size_t i = 0; i < device->nports; i++) {
        target.port = &device->ports[i];
        if (selection_has_port(filling->metrics->selection, target.port))
            add(filling, target);
    }
}

static const char *version_of(const struct port *port, const struct gid *gid)
{
    if (port->transport == TRANSPORT_IWARP)
        return "iwarp";
    if (gid->type == GID_TYPE_ROCE_V2)
        return "v2";
    if (gid->type == GID_TYPE_IB_ROCE_V1)
        return port_is_roce(port) ? "v1" : "ib";
    return "unknown";
}

/* An iWARP port's GID is its MAC, which has no scope. */
static const char *scope_of(const struct port *port, const struct gid *gid)
{
    return port->transport == TRANSPORT_IWARP ? "" : gid_is_routable(gid->raw) ? "global" : "link";
}

/* The kinds that a port can have are reported even if there are none. */
static void add_neighbors(struct filling *filling, struct target target)
{
    const struct lldp_neighbor *neighbor = port_neighbor(filling->metrics->host, target.port);
    if (!neighbor)
        return;
    target.what = lldp_system_name(neighbor);
    target.how = lldp_port_name(neighbor);
    add(filling, target);
}

static void add_gid_kinds(struct filling *filling, struct target target)
{
    static const struct {
        const char *version, *scope;
        enum transport usual;
    } gid_kinds[] = { GID_KIND_ROWS };
    const struct port *port = target.port;
    for (size_t i = 0; i < ARRAY_SIZE(gid_kinds) && port->gid_table_len.known; i++) {
        uint64_t count = 0;
        for (size_t k = 0; k < port->ngids; k++)
            count += text_is(version_of(port, &port->gids[k]), gid_kinds[i].version) &&
                     text_is(scope_of(port, &port->gids[k]), gid_kinds[i].scope);
        target.how = gid_kinds[i].scope;
        if (count || port->transport == gid_kinds[i].usual)
            add_counted(filling, target, gid_kinds[i].version, count);
    }
}

/* Ignores the variables of a job, which aren't known here. */
static void add_gid_choices(struct filling *filling, struct target target)
{
    static const enum consumer consumers[] = { CONSUMER_NCCL, CONSUMER_UCX, CONSUMER_PERFTEST };
    if (!port_is_roce(target.port) || !target.port->gid_table_len.known)
        return;
    for (size_t i = 0; i < ARRAY_SIZE(consumers); i++) {
        struct choice choice = consumer_advise(consumers[i], filling->metrics->host, target.port, false);
        target.what = consumer_name(consumers[i]);
        target.count = snum_of(choice.taken && choice.gid ? (int64_t)choice.index : -1);
        add(filling, target);
    }
}

static void add_gids(struct filling *filling, struct target target)
{
    for (size_t i = 0; i < target.port->ngids; i++) {
        target.gid = &target.port->gids[i];
        target.what = version_of(target.port, target.gid);
        target.how = scope_of(target.port, target.gid);
        add(filling, target);
    }
}

/* -- netdevs ---------------------------------------------------------------------------------------------- */

/* Is it the netdev of a chosen port, or below it (a bond's member), or above it? */
static bool is_of_ports(struct filling *filling, const struct netdev *netdev)
{
    const struct host *host = filling->metrics->host;
    const struct targets *ports = targets_of(filling, OF_PORTS);
    bool is = !filling->metrics->selection->some;
    for (size_t i = 0; i < ports->count && !is; i++) {
        const struct netdev *own = port_netdev(host, ports->items[i].port);
        is = own && (netdev_is_above(host, own, netdev) || netdev_is_above(host, netdev, own));
    }
    return is;
}

static void add_netdevs(struct filling *filling, struct target target)
{
    const struct host *host = filling->metrics->host;
    for (size_t i = 0; i < host->nqos; i++) {
        target.qos = &host->qos[i];
        target.netdev = host_find_netdev(host, target.qos->netdev);
        if (target.netdev && is_of_ports(filling, target.netdev))
            add(filling, target);
    }
}

/* Only for a netdev that reports PFC. */
static void add_priorities(struct filling *filling, struct target target)
{
    const struct qos_dcb *dcb = &target.qos->dcb;
    for (; target.priority < PRIORITIES && dcb->has_pfc; target.priority++) {
        target.pfc_enabled = num_of(dcb->pfc_enabled >> target.priority & 1);
        target.pfc_received = num_of(dcb->pfc_received[target.priority]);
        target.pfc_sent = num_of(dcb->pfc_sent[target.priority]);
        add(filling, target);
    }
}

static void add_drops(struct filling *filling, struct target target)
{
    const struct qos_statistic *drops = NULL;
    while ((drops = qos_next_in_role(target.qos, DROP_ROLES, drops)))
        add_counted(filling, target, drops->name, drops->value);
}

/* The number of priorities it is on for; nothing if the driver has no such settings. */
static void add_ecn_role(struct filling *filling, const struct target *target, const char *role,
                         const enum tristate on[static PRIORITIES])
{
    struct num count = { 0 };
    for (unsigned priority = 0; priority < PRIORITIES; priority++)
        if (on[priority] != TRI_UNKNOWN)
            count = num_of(count.value + (on[priority] == TRI_YES));
    if (count.known)
        add_counted(filling, *target, role, count.value);
}

static void add_ecn_roles(struct filling *filling, struct target target)
{
    add_ecn_role(filling, &target, "reaction", target.netdev->ecn_enabled);
    add_ecn_role(filling, &target, "notification", target.netdev->ecn_np);
}

/* -- users, doctor, the reading --------------------------------------------------------------------------- */

static void add_users(struct filling *filling, struct target target)
{
    const struct host *host = filling->metrics->host;
    size_t count;
    const struct user *users = users_find(host, &count);
    for (size_t i = 0; i < count; i++) {
        target.user = &users[i];
        target.device = users[i].device ? host_find_device(host, users[i].device) : NULL;
        if (target.device && selection_has_device(filling->metrics->selection, target.device))
            add(filling, target);
    }
}

static void add_checks(struct filling *filling, struct target target)
{
    static const enum verdict verdicts[] = { VERDICT_PASS, VERDICT_INFO, VERDICT_UNKNOWN, VERDICT_WARN,
                                             VERDICT_FAIL };
    const struct report *report = filling->metrics->report;
    for (size_t i = 0; report && i < report->ngroups; i++)
        for (size_t v = 0; v < ARRAY_SIZE(verdicts); v++) {
            const struct check_group *group = &report->groups[i];
            uint64_t count = 0;
            for (size_t k = 0; k < group->count; k++)
                count += group->findings[k].verdict == verdicts[v];
            target.how = verdict_name(verdicts[v]);
            add_counted(filling, target, group->check->id, count);
        }
}

/* A finding that another one explains is only its consequence. */
static void add_findings(struct filling *filling, struct target target)
{
    const struct report *report = filling->metrics->report;
    for (size_t i = 0; report && i < report->nfindings; i++) {
        target.finding = &report->findings[i];
        target.what = verdict_name(target.finding->verdict);
        if (target.finding->verdict >= VERDICT_WARN && !target.finding->cause)
            add(filling, target);
    }
}

static bool failed(const struct host *host, const char *beginning)
{
    bool any = false;
    for (size_t i = 0; i < host->nproblems && !any; i++)
        any = *beginning ? text_starts(host->problems[i].what, beginning)
                         : !text_starts(host->problems[i].what, "netlink ") &&
                               !text_starts(host->problems[i].what, "verbs ");
    return any;
}

static void add_sources(struct filling *filling, struct target target)
{
    static const struct {
        const char *source, *problems; /* how its problems begin; "": like no other's */
        needs_t needs;
    } sources[] = { SOURCE_ROWS };
    const struct host *host = filling->metrics->host;
    for (size_t i = 0; i < ARRAY_SIZE(sources); i++)
        if (host->needs & sources[i].needs)
            add_counted(filling, target, sources[i].source, !failed(host, sources[i].problems));
}

/* -- labels ----------------------------------------------------------------------------------------------- */

static struct value get_numa_node(const void *row)
{
    const struct pci *pci = ((const struct target *)row)->pci;
    return pci && pci->numa_node.known && pci->numa_node.value >= 0 ? value_snum(pci->numa_node) : NO_VALUE;
}

static struct value get_version(const void *row)
{
    (void)row;
    return value_text(roce_version);
}

#define LABELS .labels = (const struct column[])

#define NETDEV_NEEDS .needs = NEED_FLOW | NEED_NETDEV_MTU | NEED_NLDEV

const struct samples_kind samples_kinds[SAMPLES_OF] = { SAMPLES_ROWS };

static const char *with_label(struct filling *filling, const struct target *target, const struct column *column)
{
    const struct cell_context context = { .host = filling->metrics->host, .arena = filling->arena };
    struct value value = column_value(column, &context, target);
    char *text = value.type == VALUE_STRING || !value_is_known(&value) ? NULL : cell_text(&value);
    const char *labels = exposition_label(filling->arena, target->labels, column_key(column),
                                          text                         ? text
                                          : value.type == VALUE_STRING ? value.text
                                                                       : "");
    free(text);
    return labels;
}

/* Names that become the same when cleaned would give a series twice, and Prometheus rejects a whole page that
 * has one twice: only the first is reported. */
static void add(struct filling *filling, struct target target)
{
    struct targets *targets = &filling->targets[target.of];
    const char *name = target.device ? target.device->name : target.netdev ? target.netdev->name : "";
    for (const struct column *label = samples_kinds[target.of].labels; !column_is_end(label); label++)
        target.labels = with_label(filling, &target, label);
    targets->unclean |= !text_is_clean(name);
    for (size_t i = 0; i < targets->count && targets->unclean && !samples_kinds[target.of].summed; i++)
        if (strcmp(targets->items[i].labels, target.labels) == 0)
            return;
    *ARENA_PUSH_MANY(filling->arena, targets->items, targets->count) = target;
}

static int by_labels(const void *a, const void *b)
{
    return strcmp(((const struct target *)a)->labels, ((const struct target *)b)->labels);
}

const struct targets *targets_of(struct filling *filling, enum samples_of of)
{
    struct targets *targets = &filling->targets[of];
    if (targets->found)
        return targets;
    targets->found = true;
    if (of == OF_MACHINE) {
        *ARENA_PUSH(filling->arena, targets->items,
                    targets->count) = (struct target){ .labels = "", .metrics = filling->metrics };
        return targets;
    }
    const struct targets *parents = targets_of(filling, samples_kinds[of].parent);
    for (size_t i = 0; i < parents->count; i++) {
        struct target target = parents->items[i];
        target.of = of;
        samples_kinds[of].add(filling, target);
    }
    if (samples_kinds[of].summed && targets->count)
        qsort(targets->items, targets->count, sizeof(*targets->items), by_labels);
    return targets;
}

const char *targets_labels(struct arena *arena, enum samples_of of)
{
    const char *labels = of == OF_MACHINE ? "" : targets_labels(arena, samples_kinds[of].parent);
    for (const struct column *label = samples_kinds[of].labels; label && !column_is_end(label); label++)
        labels = *labels ? arena_printf(arena, "%s,%s", labels, column_key(label)) : column_key(label);
    return labels;
}
