/* SPDX-License-Identifier: MIT */
/* Asks the checks, and brings what they find into order. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/judge.h"

struct run {
    const struct host *host, *before;
    uint64_t interval_ms;
    const struct check_selection *selection;
    struct arena *arena;
    struct finding *findings;
    size_t count;
};

/* The kernel takes nearly any byte in a name, and a fix is made to be pasted into a shell. */
static bool is_plain(const char *name)
{
    return !name ||
           name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:@+-")] == '\0';
}

static bool holds_odd(const char *fix, const char *name)
{
    return !is_plain(name) && strstr(fix, name);
}

static bool holds_odd_name(const struct host *host, const char *fix)
{
    for (size_t i = 0; i < host->nnetdevs; i++)
        if (holds_odd(fix, host->netdevs[i].name))
            return true;
    for (size_t i = 0; i < host->ndevices; i++)
        if (holds_odd(fix, host->devices[i].name) || holds_odd(fix, host->devices[i].parent))
            return true;
    for (const struct port *port = NULL; (port = host_next_port(host, port));) {
        if (holds_odd(fix, port->netdev))
            return true;
        for (size_t i = 0; i < port->ngids; i++)
            if (holds_odd(fix, port->gids[i].netdev))
                return true;
    }
    return false;
}

static void ask(struct run *run, const struct check *check, const struct subject *subject)
{
    struct judgement judgement = { .arena = run->arena };
    struct finding *finding = ARENA_PUSH(run->arena, run->findings, run->count);
    *finding = (struct finding){ .check = check, .subject = *subject };
    if (check->interval && !subject->before)
        finding->verdict = judge_unknown(
            &judgement,
            "one reading gives no rate: --interval takes two, for a recording --before names an earlier one");
    else
        finding->verdict = check->judge(subject, &judgement);
    finding->evidence = judgement.evidence;
    bool bad = finding->verdict >= VERDICT_WARN && judgement.fix;
    finding->fix = bad && !holds_odd_name(run->host, judgement.fix) ? judgement.fix : check->fix;
    finding->fix = fix_place(&run->host->system, check, finding->fix, run->arena);
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
    switch (check->scope) {
    case SCOPE_HOST:
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

struct check_group check_ask(const struct check *check, const struct host *host, const struct host *before,
                             uint64_t interval_ms, const struct check_selection *selection,
                             struct arena *arena)
{
    struct run run = {
        .host = host, .before = before, .interval_ms = interval_ms, .selection = selection, .arena = arena
    };
    ask_all(&run, check);
    sort_findings(run.findings, run.count);
    return (struct check_group){ .check = check,
                                 .verdict = run.count ? run.findings[0].verdict : VERDICT_NA,
                                 .findings = run.findings,
                                 .count = run.count };
}

struct report check_run(const struct host *host, const struct host *before, uint64_t interval_ms,
                        const struct check_selection *selection, struct arena *arena)
{
    struct report report = { 0 };
    for (size_t i = 0; i < check_count(); i++) {
        const struct check *check = check_at(i);
        if (!check_selected(selection, check))
            continue;
        struct check_group *group = ARENA_PUSH(arena, report.groups, report.ngroups);
        *group = check_ask(check, host, before, interval_ms, selection, arena);
        report.counts[group->verdict]++;
    }
    sort_groups(report.groups, report.ngroups);
    for (size_t i = 0; i < report.ngroups; i++)
        for (size_t f = 0; f < report.groups[i].count; f++)
            *ARENA_PUSH(arena, report.findings, report.nfindings) = report.groups[i].findings[f];
    return report;
}

void subject_format(const struct check *check, const struct subject *subject, char text[static 160])
{
    switch (check->scope) {
    case SCOPE_PORT:
        snprintf(text, 160, "%s/%u", subject->device->name, subject->port->number);
        return;
    case SCOPE_DEVICE:
        snprintf(text, 160, "%s", subject->device->name);
        return;
    case SCOPE_NETDEV:
        snprintf(text, 160, "%s", subject->netdev->name);
        return;
    case SCOPE_HOST:
    case CHECK_SCOPES:
        snprintf(text, 160, "host");
        return;
    }
}
