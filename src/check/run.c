/* SPDX-License-Identifier: MIT */
/* Asks the checks, and brings what they find into order. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "check/judge.h"
#include "check/use.h"

struct run {
    const struct host *host, *before;
    uint64_t interval_ms;
    const struct check_selection *selection;
    struct arena *arena;
    const struct port **idle; /* that nobody uses where others are used, or that a container wasn't given */
    size_t nidle;
    struct finding *findings;
    size_t count;
};

static void find_idle(struct run *run)
{
    const struct host *host = run->host;
    bool used = host_uses_rdma(host, run->arena);
    for (const struct port *port = NULL; (port = host_next_port(host, port));)
        if (used ? port_use(host, port, run->arena).use != USE_HERE : !device_is_given(host, port->device))
            *ARENA_PUSH(run->arena, run->idle, run->nidle) = port;
}

static bool port_is_idle(const struct run *run, const struct port *port)
{
    for (size_t i = 0; i < run->nidle; i++)
        if (run->idle[i] == port)
            return true;
    return false;
}

static bool device_is_idle(const struct run *run, const struct device *device)
{
    bool idle = device->nports > 0;
    for (size_t i = 0; i < device->nports && idle; i++)
        idle = port_is_idle(run, &device->ports[i]);
    return idle;
}

/* A netdev is idle when it has to do with idle ports and with no others. */
static bool netdev_is_idle(const struct run *run, const struct netdev *netdev)
{
    bool idle = false;
    for (const struct port *port = NULL; (port = host_next_port(run->host, port));) {
        const struct netdev *own = port_netdev(run->host, port);
        if (!own || (!netdev_is_above(run->host, netdev, own) && !netdev_is_above(run->host, own, netdev)))
            continue;
        if (!port_is_idle(run, port))
            return false;
        idle = true;
    }
    return idle;
}

static bool is_idle(const struct run *run, const struct check *check, const struct subject *subject)
{
    if (subject->named || run->nidle == 0)
        return false;
    switch (check->scope) {
    case SCOPE_PORT:
        return port_is_idle(run, subject->port);
    case SCOPE_DEVICE:
        return device_is_idle(run, subject->device);
    case SCOPE_NETDEV:
        return netdev_is_idle(run, subject->netdev);
    case SCOPE_HOST:
    case CHECK_SCOPES:
        break;
    }
    return false;
}

static enum obstacle obstacle_of(const struct finding *finding)
{
    static const int refusals[] = { EPERM, EACCES };
    const char *evidence = finding->evidence ? finding->evidence : "";
    if (finding->check->interval && !finding->subject.before)
        return OBSTACLE_ONE_READING;
    if (host_starved(finding->subject.host))
        return OBSTACLE_STARVED;
    for (size_t i = 0; i < ARRAY_SIZE(refusals); i++)
        if (strstr(evidence, say_errno(refusals[i])))
            return OBSTACLE_PERMISSION;
    return strstr(evidence, "only root") ? OBSTACLE_PERMISSION : OBSTACLE_NO_ANSWER;
}

static enum verdict judge(const struct run *run, const struct check *check, const struct subject *subject,
                          struct judgement *j)
{
    const struct port *port = subject->port;
    if (check->interval && !subject->before)
        return judge_unknown(
            j,
            "one reading gives no rate: --interval takes two, for a recording --before names an earlier one");
    enum verdict verdict = check->judge(subject, j);
    int starved = host_starved(subject->host);
    if (starved && (verdict == VERDICT_NA || verdict == VERDICT_PASS))
        return judge_unknown(j, "not all could be read: %s", say_errno(starved));
    /* what a port is decides what applies to it */
    if (verdict == VERDICT_NA && port && port->transport == TRANSPORT_UNKNOWN)
        return judge_unknown(j, "%s could not be read: whether it is a RoCE port isn't known",
                             port_path(j, port, "link_layer"));
    if (verdict > VERDICT_PASS && !check->of_idle && is_idle(run, check, subject))
        return judge_na(j, "%s; nobody uses it: see port-in-use", j->evidence ? j->evidence : "?");
    return verdict;
}

/* The judge's own fix, or the row's; in a container what changes the machine is for the host. */
static struct fix how_to_fix(const struct run *run, const struct finding *finding,
                             const struct judgement *judgement)
{
    const struct system *system = &run->host->system;
    const struct fix *own = &judgement->fix;
    bool fits = (own->command || own->remark) && !fix_is_odd(own, &finding->subject);
    bool told = finding->verdict >= VERDICT_INFO && finding->verdict != VERDICT_UNKNOWN;
    struct fix fix = fits && told ? *own : (struct fix){ .remark = finding->check->fix };
    if (system_is_container(system) && !finding->check->fits_container)
        fix.place = system->kubernetes ? "on the node, which a pod can't change: " : "on the host: ";
    return fix;
}

static void ask(struct run *run, const struct check *check, const struct subject *subject)
{
    struct judgement judgement = { .arena = run->arena, .subject = subject };
    struct finding *finding = ARENA_PUSH(run->arena, run->findings, run->count);
    *finding = (struct finding){ .check = check, .subject = *subject };
    finding->verdict = judge(run, check, subject, &judgement);
    finding->evidence = judgement.evidence;
    finding->how = how_to_fix(run, finding, &judgement);
    finding->fix = fix_text(&finding->how, subject, run->arena);
    if (finding->verdict == VERDICT_UNKNOWN)
        finding->obstacle = obstacle_of(finding);
}

static bool takes_device(const struct check_selection *selection, const struct device *device)
{
    return !selection || !selection->takes_device || selection->takes_device(selection->data, device);
}

static bool takes_port(const struct check_selection *selection, const struct port *port)
{
    return !selection || !selection->takes_port || selection->takes_port(selection->data, port);
}

static void ask_device(struct run *run, const struct check *check, const struct device *device)
{
    struct subject subject = {
        .host = run->host, .before = run->before, .interval_ms = run->interval_ms, .device = device
    };
    subject.named = run->selection && run->selection->takes_port;
    if (check->scope == SCOPE_DEVICE) {
        if (takes_device(run->selection, device))
            ask(run, check, &subject);
        return;
    }
    for (size_t i = 0; i < device->nports; i++) {
        subject.port = &device->ports[i];
        subject.netdev = port_netdev(run->host, subject.port);
        if (takes_port(run->selection, subject.port))
            ask(run, check, &subject);
    }
}

/* A netdev has to do with the selected ports when one of them is it, or lies below it, or is a bond over it.
 */
static bool takes_netdev(const struct run *run, const struct netdev *netdev)
{
    if (!run->selection || !run->selection->takes_port)
        return true;
    for (const struct port *port = NULL; (port = host_next_port(run->host, port));) {
        const struct netdev *own = port_netdev(run->host, port);
        if (own && takes_port(run->selection, port) &&
            (netdev_is_above(run->host, netdev, own) || netdev_is_above(run->host, own, netdev)))
            return true;
    }
    return false;
}

static void ask_all(struct run *run, const struct check *check)
{
    struct subject subject = { .host = run->host, .before = run->before, .interval_ms = run->interval_ms };
    subject.named = run->selection && run->selection->takes_port;
    switch (check->scope) {
    case SCOPE_HOST:
        subject.selection = run->selection;
        ask(run, check, &subject);
        break;
    case SCOPE_NETDEV:
        for (size_t i = 0; i < run->host->nnetdevs; i++) {
            subject.netdev = &run->host->netdevs[i];
            if (takes_netdev(run, subject.netdev))
                ask(run, check, &subject);
        }
        break;
    case SCOPE_DEVICE:
    case SCOPE_PORT:
        for (size_t i = 0; i < run->host->ndevices; i++)
            ask_device(run, check, &run->host->devices[i]);
        break;
    case CHECK_SCOPES:
        break;
    }
}

/* Insertion sorts: they keep the order of equals, and both lists are short. */
static void sort_findings(struct finding *findings, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        struct finding one = findings[i];
        size_t at = i;
        for (; at && findings[at - 1].verdict < one.verdict; at--)
            findings[at] = findings[at - 1];
        findings[at] = one;
    }
}

static void sort_groups(struct check_group *groups, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        struct check_group one = groups[i];
        size_t at = i;
        for (; at && groups[at - 1].verdict < one.verdict; at--)
            groups[at] = groups[at - 1];
        groups[at] = one;
    }
}

static struct check_group ask_group(struct run *run, const struct check *check)
{
    run->findings = NULL;
    run->count = 0;
    ask_all(run, check);
    sort_findings(run->findings, run->count);
    return (struct check_group){ .check = check,
                                 .verdict = run->count ? run->findings[0].verdict : VERDICT_NA,
                                 .findings = run->findings,
                                 .count = run->count };
}

struct check_group check_ask(const struct check *check, const struct host *host, const struct host *before,
                             uint64_t interval_ms, const struct check_selection *selection,
                             struct arena *arena)
{
    struct run run = {
        .host = host, .before = before, .interval_ms = interval_ms, .selection = selection, .arena = arena
    };
    find_idle(&run);
    return ask_group(&run, check);
}

/* Puts all findings side by side, in the groups' order; the groups then point into them. */
static void gather_findings(struct report *report, struct arena *arena)
{
    for (size_t i = 0; i < report->ngroups; i++)
        report->nfindings += report->groups[i].count;
    report->findings = arena_alloc(arena, report->nfindings + 1, sizeof(*report->findings));
    struct finding *at = report->findings;
    for (size_t i = 0; i < report->ngroups; i++) {
        struct check_group *group = &report->groups[i];
        if (group->count)
            memcpy(at, group->findings, group->count * sizeof(*at));
        group->findings = at;
        at += group->count;
    }
}

struct report check_run(const struct host *host, const struct host *before, uint64_t interval_ms,
                        const struct check_selection *selection, struct arena *arena)
{
    struct report report = { .blind = host_starved(host) != 0 };
    struct run run = {
        .host = host, .before = before, .interval_ms = interval_ms, .selection = selection, .arena = arena
    };
    find_idle(&run);
    for (size_t i = 0; i < check_count(); i++) {
        const struct check *check = check_at(i);
        if (!check_selected(selection, check))
            continue;
        struct check_group *group = ARENA_PUSH(arena, report.groups, report.ngroups);
        *group = ask_group(&run, check);
        report.counts[group->verdict]++;
    }
    sort_groups(report.groups, report.ngroups);
    gather_findings(&report, arena);
    for (size_t i = 0; i < report.nfindings; i++)
        report.blind |= report.findings[i].check->vital && report.findings[i].verdict == VERDICT_UNKNOWN;
    find_causes(&report, arena);
    return report;
}
