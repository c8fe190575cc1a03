/* SPDX-License-Identifier: MIT */
/* How a netdev's settings treat a frame, from its TOS to its buffer. */
#include "model/qos.h"

#include "model/host.h"
#include "model/statistics.h"
#include "model/value.h"

enum qos_trust qos_trust(const struct qos *qos)
{
    const struct qos_dcb *dcb = &qos->dcb;
    if (qos->trust_file != TRUST_UNKNOWN)
        return qos->trust_file;
    if (dcb->has_trust_order) {
        for (size_t i = 0; i < dcb->ntrust_order; i++) {
            if (dcb->trust_order[i] == QOS_APP_DSCP)
                return TRUST_DSCP;
            if (dcb->trust_order[i] == QOS_APP_PCP)
                return TRUST_PCP;
        }
        return TRUST_PCP;
    }
    if (!dcb->apps_known)
        return TRUST_UNKNOWN;
    for (size_t i = 0; i < dcb->napps; i++)
        if (dcb->apps[i].selector == QOS_APP_DSCP)
            return TRUST_DSCP;
    return TRUST_PCP;
}

const char *qos_trust_text(enum qos_trust trust)
{
    return trust == TRUST_DSCP ? "dscp" : trust == TRUST_PCP ? "pcp" : NULL;
}

/* With several entries for one value, the highest priority wins (dcb_ieee_getapp_mask, fls; as in drivers). */
static bool app_priority(const struct qos *qos, unsigned selector, unsigned protocol, unsigned *priority)
{
    bool found = false;
    for (size_t i = 0; i < qos->dcb.napps; i++) {
        const struct qos_app *app = &qos->dcb.apps[i];
        if (app->selector != selector || app->protocol != protocol || app->priority >= PRIORITIES)
            continue;
        if (!found || app->priority > *priority)
            *priority = app->priority;
        found = true;
    }
    return found;
}

unsigned qos_default_priority(const struct qos *qos)
{
    unsigned priority = 0;
    app_priority(qos, QOS_APP_ETHERTYPE, 0, &priority);
    return priority;
}

unsigned qos_dscp_priority(const struct qos *qos, unsigned dscp, bool *mapped)
{
    unsigned priority = qos_default_priority(qos), found = 0;
    *mapped = app_priority(qos, QOS_APP_DSCP, dscp, &found);
    return *mapped ? found : priority;
}

/* Tagged frames keep their PCP as priority, unless an APP entry says otherwise (8 to 15: with DEI set). */
static unsigned pcp_priority(const struct qos *qos, unsigned pcp)
{
    unsigned priority = pcp;
    app_priority(qos, QOS_APP_PCP, pcp, &priority);
    return priority;
}

const char *qos_priorities_text(struct arena *arena, unsigned bits)
{
    const char *text = "";
    for (unsigned i = 0; i < PRIORITIES; i++)
        if (bits >> i & 1)
            text = arena_printf(arena, "%s%s%u", text, *text ? ", " : "", i);
    return *text ? text : "none";
}

struct value qos_priorities_value(struct arena *arena, unsigned bits)
{
    uint64_t *numbers = arena_alloc(arena, PRIORITIES, sizeof(*numbers));
    size_t count = 0;
    for (unsigned i = 0; i < PRIORITIES; i++)
        if (bits >> i & 1)
            numbers[count++] = i;
    return value_numbers(numbers, count);
}

const char *qos_tsa_text(uint8_t tsa)
{
    static const char *const words[] = { "strict", "cbs", "ets" };
    enum { VENDOR = 255 };
    return tsa == VENDOR ? "vendor" : WORD_AT(words, tsa);
}

static int compare_netdev(const void *netdev, const void *qos)
{
    return text_version_compare(netdev, ((const struct qos *)qos)->netdev);
}

const struct qos *host_qos_of(const struct host *host, const char *netdev)
{
    const struct qos *found = NULL;
    if (!host || !netdev)
        return NULL;
    if (host->nqos_sorted)
        found = bsearch(netdev, host->qos, host->nqos_sorted, sizeof(*found), compare_netdev);
    for (size_t i = host->nqos_sorted; !found && i < host->nqos; i++)
        if (strcmp(host->qos[i].netdev, netdev) == 0)
            found = &host->qos[i];
    return found;
}

const struct qos *host_find_qos(const struct host *host, const struct netdev *netdev)
{
    bool joined = host->nqos_sorted && host->nqos_sorted == host->nqos;
    const struct qos *own = joined ? netdev->qos : host_qos_of(host, netdev->name);
    if (own && own->dcb_err == 0)
        return own;
    const struct netdev *base = netdev_base(host, netdev);
    const struct qos *below = base == netdev ? NULL : host_qos_of(host, base->name);
    for (size_t i = 0; (!below || below->dcb_err) && i < base->nmembers; i++) {
        const struct qos *member = host_qos_of(host, base->members[i]);
        if (member && (!below || member->dcb_err == 0))
            below = member;
    }
    return below ? below : own;
}

const struct qos_statistic *qos_statistic(const struct qos *qos, const char *name)
{
    for (size_t i = 0; qos && i < qos->nstatistics; i++)
        if (strcmp(qos->statistics[i].name, name) == 0)
            return &qos->statistics[i];
    return NULL;
}

bool qos_has_global_pause(const struct qos *qos)
{
    return qos->ethtool.pause_rx == TRI_YES && qos->ethtool.pause_tx == TRI_YES && !qos->dcb.pfc_enabled;
}

static enum qos_loss loss_of(const struct qos *qos, const struct qos_path *path)
{
    if (path->trust == TRUST_UNKNOWN || !qos->dcb.has_pfc)
        return QOS_LOST_UNKNOWN;
    if (qos_has_global_pause(qos))
        return QOS_KEPT;
    if (path->trust == TRUST_PCP && !path->tagged && path->tos >> 2)
        return QOS_LOST_TRUST;
    if (path->trust == TRUST_DSCP && !path->mapped && path->dscp)
        return QOS_LOST_MAP;
    if (!path->pfc)
        return QOS_LOST_PFC;
    return num_is(path->buffer_size, 0) ? QOS_LOST_BUFFER : QOS_KEPT;
}

/* ip_tos2prio of net/ipv4/route.c, by the four TOS bits of RFC 1349: best effort, bulk, interactive, both. */
unsigned qos_tos_priority(unsigned tos)
{
    static const uint8_t priorities[] = { 0, 2, 6, 4 };
    return priorities[(tos & 0x1e) >> 3];
}

/* path has the TOS and, for a tagged frame, the PCP if known. */
static struct qos_path follow(const struct qos *qos, struct qos_path path)
{
    path.dscp = path.tos >> 2;
    path.ecn = path.tos & 3;
    path.skb_priority = qos_tos_priority(path.tos);
    path.loss = QOS_LOST_UNKNOWN;
    if (!qos || qos->dcb_err)
        return path;
    path.trust = qos_trust(qos);
    if (path.trust == TRUST_PCP && path.tagged && !path.pcp.known)
        path.trust = TRUST_UNKNOWN;
    if (path.trust == TRUST_DSCP)
        path.priority = qos_dscp_priority(qos, path.dscp, &path.mapped);
    else
        path.priority = path.tagged ? pcp_priority(qos, (unsigned)path.pcp.value) : qos_default_priority(qos);
    const struct qos_dcb *dcb = &qos->dcb;
    path.tc = dcb->has_ets ? dcb->priority_tc[path.priority] : path.priority;
    path.pfc = dcb->has_pfc && dcb->pfc_enabled >> path.priority & 1;
    if (dcb->has_buffer && dcb->priority_buffer[path.priority] < PRIORITIES) {
        path.buffer = num_of(dcb->priority_buffer[path.priority]);
        path.buffer_size = num_of(dcb->buffer_size[path.buffer.value]);
    }
    path.loss = loss_of(qos, &path);
    return path;
}

struct qos_path qos_follow(const struct qos *qos, unsigned tos, const struct netdev *vlan)
{
    struct num pcp = vlan ? netdev_vlan_pcp(vlan, qos_tos_priority(tos)) : (struct num){ 0 };
    const char *by = vlan && vlan->classes ? vlan->classes->by : NULL;
    return follow(qos, (struct qos_path){ .tos = tos, .tagged = vlan != NULL, .pcp = pcp, .pcp_by = by });
}

struct qos_path qos_follow_sl(const struct qos *qos, unsigned tos, unsigned sl)
{
    return follow(qos, (struct qos_path){ .tos = tos, .tagged = true, .pcp = num_of(sl % PRIORITIES) });
}

enum tristate device_roce_parameter(const struct host *host, const struct device *device, const char **source)
{
    *source = device->pci;
    for (size_t q = 0; device->pci && q < host->nqos; q++)
        for (size_t i = 0; i < host->qos[q].nparameters; i++) {
            const struct qos_parameter *parameter = &host->qos[q].parameters[i];
            if (strcmp(parameter->name, "enable_roce") != 0 || !parameter->is_boolean ||
                !text_starts(parameter->device, "pci/") || strcmp(parameter->device + 4, device->pci) != 0)
                continue;
            *source = parameter->device;
            return tri_of(parameter->boolean);
        }
    return device->roce_enabled;
}

void priority_counts_add(struct priority_counts *counts, const struct qos_statistic *statistics, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        unsigned priority;
        const struct counter_def *def = statistic_find(NULL, statistics[i].name, &priority);
        bool received = def && def->role == ROLE_PRIORITY_RECEIVED;
        if (!received && !(def && def->role == ROLE_PRIORITY_SENT))
            continue;
        (received ? counts->received : counts->sent)[priority] += statistics[i].value;
        counts->known = true;
    }
}

struct priority_counts priority_counts_since(const struct priority_counts *now,
                                             const struct priority_counts *before)
{
    struct priority_counts grown = { .known = now->known && before->known };
    for (unsigned i = 0; grown.known && i < PRIORITIES; i++) {
        if (now->received[i] > before->received[i])
            grown.received[i] = now->received[i] - before->received[i];
        if (now->sent[i] > before->sent[i])
            grown.sent[i] = now->sent[i] - before->sent[i];
    }
    return grown;
}

struct priority_found priority_find(const uint64_t grown[static PRIORITIES], uint64_t packets)
{
    struct priority_found found = { .kind = PRIORITY_UNSEEN };
    unsigned n = 0, last = 0;
    bool alike = true;
    for (unsigned i = 0; packets && i < PRIORITIES; i++) {
        if (grown[i] < packets)
            continue;
        alike &= n == 0 || grown[i] == grown[last];
        found.mask |= 1u << i;
        last = i;
        n++;
    }
    if (n)
        found.kind = n == 1 ? PRIORITY_ONE : alike ? PRIORITY_SHARED : PRIORITY_MANY;
    return found;
}

void priority_text(struct priority_found found, char text[static PRIORITY_TEXT_SIZE])
{
    size_t at = 0;
    *text = '\0';
    if (found.kind != PRIORITY_ONE && found.kind != PRIORITY_SHARED)
        return;
    for (unsigned i = 0; i < PRIORITIES && at < PRIORITY_TEXT_SIZE; i++) {
        unsigned end = i;
        if (!(found.mask >> i & 1))
            continue;
        while (found.mask >> (end + 1) & 1)
            end++;
        const char *join = found.mask >> (end + 1) ? ", " : " or ";
        at += (size_t)snprintf(text + at, PRIORITY_TEXT_SIZE - at, end > i ? "%s%u-%u" : "%s%u", at ? join : "",
                               i, end);
        i = end;
    }
}
