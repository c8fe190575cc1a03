/* SPDX-License-Identifier: MIT */
/* One cause is one finding: what a check finds only because of another check's finding goes below that. */
#include "check/judge.h"

static bool is_bad(const struct finding *finding)
{
    return finding->verdict >= VERDICT_WARN;
}

/* Worth a line: bad, or at least worth knowing. */
static bool is_told(const struct finding *finding)
{
    return is_bad(finding) || finding->verdict == VERDICT_INFO;
}

bool netdevs_meet(const struct host *host, const struct netdev *a, const struct netdev *b)
{
    return a && b && (netdev_is_above(host, a, b) || netdev_is_above(host, b, a));
}

/* Is a netdev related to one of the device's ports? */
static bool device_meets(const struct host *host, const struct device *device, const struct netdev *netdev)
{
    for (size_t i = 0; i < device->nports; i++)
        if (netdevs_meet(host, port_netdev(host, &device->ports[i]), netdev))
            return true;
    return false;
}

/* Are both about the same port, device or netdev, as far as they say? A finding about the host concerns
 * everything on it. */
static bool are_about_one(const struct finding *a, const struct finding *b)
{
    const struct subject *x = &a->subject, *y = &b->subject;
    if (a->check->scope == SCOPE_HOST || b->check->scope == SCOPE_HOST)
        return true;
    if (x->device && y->device)
        return x->device == y->device && (!x->port || !y->port || x->port == y->port);
    if (x->port || y->port || (!x->device && !y->device))
        return netdevs_meet(x->host, x->netdev, y->netdev);
    return x->device ? device_meets(x->host, x->device, y->netdev)
                     : device_meets(x->host, y->device, x->netdev);
}

/* What explains a finding: a bad finding on the same subject from the checks that its row names, in that
 * order. */
static const struct finding *explanation(const struct report *report, const struct finding *finding)
{
    const char *list = finding->check->because, *because;
    for (size_t len; (because = text_next_item(&list, ',', &len));)
        for (size_t g = 0; g < report->ngroups; g++) {
            const struct check_group *group = &report->groups[g];
            bool named = strncmp(group->check->id, because, len) == 0 && !group->check->id[len];
            /* the worst come first */
            for (size_t i = 0; named && i < group->count && is_bad(&group->findings[i]); i++)
                if (are_about_one(&group->findings[i], finding))
                    return &group->findings[i];
        }
    return NULL;
}

static const struct finding *root_of(const struct finding *finding)
{
    while (finding->cause)
        finding = finding->cause;
    return finding;
}

/* The cause that a finding belongs to; a check's infos are kept separate from its faults. */
static struct root_cause *cause_of(struct report *report, const struct finding *finding)
{
    for (size_t i = 0; i < report->ncauses; i++) {
        const struct root_cause *cause = &report->causes[i];
        if (cause->check == finding->check && is_bad(cause->findings[0]) == is_bad(finding))
            return &report->causes[i];
    }
    return NULL;
}

static void add_also(struct root_cause *cause, const struct check *check, struct arena *arena)
{
    for (size_t i = 0; i < cause->nalso; i++)
        if (cause->also[i] == check)
            return;
    *ARENA_PUSH(arena, cause->also, cause->nalso) = check;
}

/* Keeps the order of equals. */
void sort_worst_first(void *items, size_t count, size_t size, size_t verdict_at)
{
    char *first = items, *sorted = mem_alloc(count + 1, size), *at = sorted;
    for (int verdict = VERDICTS; verdict >= 0; verdict--)
        for (size_t i = 0; i < count; i++) {
            const char *item = first + i * size;
            if ((int)*(const enum verdict *)(item + verdict_at) != verdict)
                continue;
            memcpy(at, item, size);
            at += size;
        }
    if (count)
        memcpy(items, sorted, count * size);
    free(sorted);
}

void find_causes(struct report *report, struct arena *arena)
{
    for (size_t i = 0; i < report->nfindings; i++)
        if (is_told(&report->findings[i]))
            report->findings[i].cause = explanation(report, &report->findings[i]);
    for (size_t i = 0; i < report->nfindings; i++) {
        const struct finding *finding = &report->findings[i];
        if (!is_told(finding) || finding->cause)
            continue;
        struct root_cause *cause = cause_of(report, finding);
        if (!cause) {
            cause = ARENA_PUSH(arena, report->causes, report->ncauses);
            *cause = (struct root_cause){ .check = finding->check, .verdict = finding->verdict };
        }
        *ARENA_PUSH(arena, cause->findings, cause->count) = finding;
    }
    for (size_t i = 0; i < report->nfindings; i++) {
        const struct finding *finding = &report->findings[i];
        if (!finding->cause)
            continue;
        struct root_cause *cause = cause_of(report, root_of(finding));
        add_also(cause, finding->check, arena);
        if (finding->verdict > cause->verdict)
            cause->verdict = finding->verdict;
    }
    for (size_t i = 0; i < report->ncauses; i++)
        find_fixes(&report->causes[i], arena);
    sort_worst_first(report->causes, report->ncauses, sizeof(*report->causes),
                     offsetof(struct root_cause, verdict));
    for (int verdict = 0; verdict < VERDICTS; verdict++)
        report->told[verdict] = report->counts[verdict];
    report->told[VERDICT_INFO] = report->told[VERDICT_WARN] = report->told[VERDICT_FAIL] = 0;
    for (size_t i = 0; i < report->ncauses; i++)
        report->told[report->causes[i].verdict]++;
}
