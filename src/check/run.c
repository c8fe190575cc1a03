/* SPDX-License-Identifier: MIT */
/* Runs the checks, and puts their findings in order. */
#include "check/judge.h"
#include "check/rail.h"
#include "check/use.h"
#include "model/topology.h"

struct run {
    struct subject common; /* what all subjects have in common */
    const struct check_selection *selection;
    struct arena *arena;
    struct found_rails rails;
    const struct unread *unread; /* of what the check in turn reads of all subjects */
    struct finding *findings;
    size_t count;
};

/* One port of a card is often left empty; of a tree that may lack anything, only the other one tells so. */
static bool may_be_spare(const struct host *host, const struct port *port)
{
    const struct device *own = port->device;
    if (!host->partial || !port->state.known || port_is_active(port) || !own->pci)
        return false;
    for (const struct port *other = NULL; (other = host_next_port(host, other));)
        if (port_is_active(other) && other->device->pci && pci_is_one_card(own->pci, other->device->pci))
            return true;
    return false;
}

/* Where it isn't known whether a port is used, nor is any surely, the others can't be known to be of no use to
 * the host. */
static void find_idle(struct run *run)
{
    const struct host *host = run->common.host;
    bool used = host_uses_rdma(host, run->arena);
    bool was_asked = host->nunread && !host->partial; /* else what is there has to do */
    const char *unsure = NULL;
    for (const struct port *port = NULL; !used && (port = host_next_port(host, port));) {
        struct port_use use = port_use(host, port, run->arena);
        unsure = use.unsure && was_asked ? use.reason : unsure;
    }
    for (const struct port *port = NULL; (port = host_next_port(host, port));) {
        struct port_use use = port_use(host, port, run->arena);
        const char *why = use.unsure && (was_asked || may_be_spare(host, port)) ? use.reason : unsure;
        if (used ? use.use != USE_HERE : !device_is_given(host, port->device))
            why = "";
        if (why)
            *ARENA_PUSH(run->arena, run->common.idle, run->common.nidle) = (struct idle){ port, why };
    }
    order_idle(run->common.idle, run->common.nidle);
}

/* Is it the device's port, or is its netdev related to the subject? */
static bool rests_on(const struct check *check, const struct subject *subject, const struct port *port)
{
    return check->scope == SCOPE_DEVICE
               ? port->device == subject->device
               : netdevs_meet(subject->host, subject->netdev, port_netdev(subject->host, port));
}

/* As why_idle(), of all ports that the subject rests on. */
static const char *why_all_idle(const struct check *check, const struct subject *subject)
{
    const char *all = NULL;
    if (subject->named || subject->nidle == 0 || check->scope == SCOPE_HOST)
        return NULL;
    if (check->scope == SCOPE_PORT)
        return why_idle(subject, subject->port);
    for (const struct port *port = NULL; (port = host_next_port(subject->host, port));) {
        if (!rests_on(check, subject, port))
            continue;
        const char *one = why_idle(subject, port);
        if (!one)
            return NULL;
        all = all && *all ? all : one;
    }
    return all;
}

static enum obstacle obstacle_of(const struct finding *finding, const struct judgement *judgement)
{
    int err = judgement->err;
    if (judgement->by_choice)
        return OBSTACLE_BY_CHOICE;
    if (finding->check->interval && !finding->subject.before)
        return OBSTACLE_ONE_READING;
    if (host_starved(finding->subject.host))
        return OBSTACLE_STARVED;
    return err == EPERM || err == EACCES ? OBSTACLE_PERMISSION : OBSTACLE_NO_ANSWER;
}

/* By the first of the preconditions that has a verdict, else by the judge. */
static enum verdict judge_alone(const struct check *check, const struct subject *subject, struct judgement *j)
{
    for (size_t i = 0; i < ARRAY_SIZE(check->preconditions) && check->preconditions[i]; i++) {
        enum verdict verdict = check->preconditions[i](subject, j);
        if (verdict != VERDICTS)
            return verdict;
    }
    return check->judge(subject, j);
}

static enum verdict judge(const struct run *run, const struct check *check, const struct subject *subject,
                          struct judgement *j)
{
    const struct port *port = subject->port;
    if (check->interval && !subject->before)
        return judge_unknown(
            j,
            "one reading gives no rate: --interval takes two, for a recording --before names an earlier one");
    enum verdict verdict = judge_alone(check, subject, j);
    int starved = host_starved(subject->host);
    bool silent = verdict == VERDICT_NA || verdict == VERDICT_PASS;
    if (starved && silent)
        return judge_unknown(j, "not all could be read: %s", say_errno(starved));
    const struct unread *unread = run->unread ? run->unread : unread_of(check, subject, verdict);
    const struct unread *doubt = verdict >= VERDICT_WARN ? doubt_of(check, subject) : NULL;
    if (unread && silent)
        verdict = could_not_look(j, unread);
    else if (doubt)
        verdict = judge_unknown(j, "%s; whether it matters isn't known: %s: %s",
                                j->evidence ? j->evidence : "?", unread_path(j->arena, doubt),
                                judge_errno(j, doubt->err));
    /* the kind of port decides what applies to it */
    if (verdict == VERDICT_NA && port && port->transport == TRANSPORT_UNKNOWN)
        return judge_unknown(j, "%s could not be read: whether it is a RoCE port isn't known",
                             port_path(j, port, "link_layer"));
    const char *idle = verdict > VERDICT_PASS && !check->of_idle ? why_all_idle(check, subject) : NULL;
    if (!idle || (*idle && verdict < VERDICT_WARN))
        return verdict;
    const char *evidence = j->evidence ? j->evidence : "?";
    return *idle ? judge_unknown(j, "%s; %s", evidence, idle)
                 : judge_na(j, "%s; nobody uses it: see port-in-use", evidence);
}

/* The address that the port's rail would have, if its siblings' follow a plan, instead of a blank. */
static const char *with_planned_address(const struct subject *subject, const char *text, struct arena *arena)
{
    static const char blank[] = "{ADDRESS/PREFIX}";
    const char *at = text ? strstr(text, blank) : NULL;
    const char *address = at ? rail_planned_address(subject, arena) : NULL;
    return !address ? text
                    : arena_printf(arena, "%.*s%s%s%s", (int)(at - text), text, address, at + strlen(blank),
                                   strstr(at, " # ") ? "; by the plan of its siblings, if nobody has it"
                                                     : " # by the plan of its siblings, if nobody has it");
}

/* The judge's own fix, or the check's; in a container, changes to the machine are for the host. */
static void add_fix(const struct run *run, struct finding *finding, const struct fix *own)
{
    const struct system *system = finding->subject.system;
    if ((own->command || own->remark) && !fix_is_odd(own, &finding->subject)) {
        finding->how = *own;
        finding->how.command = with_planned_address(&finding->subject, own->command, run->arena);
        split_remark(&finding->how, run->arena);
    }
    if (system_is_container(system) && !finding->check->fits_container)
        finding->how.place = system->kubernetes ? "on the node, which a pod can't change: " : "on the host: ";
    finding->fix = fix_text(&finding->how, &finding->subject, run->arena);
}

static void ask(struct run *run, const struct check *check, const struct subject *subject)
{
    struct judgement judgement = { .arena = run->arena, .subject = subject, .check = check };
    struct finding *finding = ARENA_PUSH(run->arena, run->findings, run->count);
    *finding = (struct finding){
        .check = check, .subject = *subject, .how.remark = check->fix, .fix = check->fix
    };
    finding->verdict = judge(run, check, subject, &judgement);
    finding->evidence = judgement.evidence;
    if (finding->verdict == VERDICT_UNKNOWN)
        finding->obstacle = obstacle_of(finding, &judgement);
    else if (finding->verdict >= VERDICT_INFO)
        add_fix(run, finding, &judgement.fix);
}

/* A netdev is selected if a selected port's netdev is it, lies below it, or is a bond over it. */
static bool takes_netdev(const struct run *run, const struct netdev *netdev)
{
    bool meets = !run->selection || !run->selection->named;
    for (const struct port *port = NULL; !meets && (port = host_next_port(run->common.host, port));)
        meets = check_takes_port(run->selection, port) &&
                netdevs_meet(run->common.host, netdev, port_netdev(run->common.host, port));
    return meets;
}

static void ask_all(struct run *run, const struct check *check)
{
    const struct host *host = run->common.host;
    struct subject subject = run->common;
    switch (check->scope) {
    case SCOPE_HOST:
        subject.selection = run->selection;
        ask(run, check, &subject);
        return;
    case SCOPE_DEVICE:
        for (size_t i = 0; i < host->ndevices; i++) {
            subject.device = &host->devices[i];
            subject.pci = device_function(host, subject.device);
            if (check_takes_device(run->selection, subject.device))
                ask(run, check, &subject);
        }
        return;
    case SCOPE_NETDEV:
        for (size_t i = 0; i < host->nnetdevs; i++) {
            subject.netdev = &host->netdevs[i];
            subject.qos = host_find_qos(host, subject.netdev);
            if (takes_netdev(run, subject.netdev))
                ask(run, check, &subject);
        }
        return;
    case SCOPE_PORT:
        while ((subject.port = host_next_port(host, subject.port))) {
            subject.device = subject.port->device;
            subject.pci = device_function(host, subject.device);
            subject.netdev = port_netdev(host, subject.port);
            subject.qos = subject.netdev ? host_find_qos(host, subject.netdev) : NULL;
            if (check_takes_port(run->selection, subject.port))
                ask(run, check, &subject);
        }
    }
}

static struct check_group ask_group(struct run *run, const struct check *check)
{
    run->unread = unread_of_any(check, run->common.host);
    run->findings = NULL;
    run->count = 0;
    ask_all(run, check);
    sort_worst_first(run->findings, run->count, sizeof(*run->findings), offsetof(struct finding, verdict));
    return (struct check_group){ .check = check,
                                 .verdict = run->count ? run->findings[0].verdict : VERDICT_NA,
                                 .findings = run->findings,
                                 .count = run->count };
}

static void begin(struct run *run, const struct host *host, const struct host *before, uint64_t interval_ms)
{
    run->common = (struct subject){ .host = host,
                                    .system = &host->system,
                                    .before = before,
                                    .interval_ms = interval_ms,
                                    .named = run->selection && run->selection->named,
                                    .rails = &run->rails };
    find_idle(run);
}

struct check_group check_ask(const struct check *check, const struct host *host, const struct host *before,
                             uint64_t interval_ms, const struct check_selection *selection, struct arena *arena)
{
    struct run run = { .selection = selection, .arena = arena };
    begin(&run, host, before, interval_ms);
    return ask_group(&run, check);
}

/* Gathers all findings in one array, in the groups' order; the groups then point into it. */
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
    struct report report = { .host = host, .blind = host_starved(host) != 0 };
    struct run run = { .selection = selection, .arena = arena };
    begin(&run, host, before, interval_ms);
    for (const struct check *check = check_all; check->id; check++) {
        if (!check_selected(selection, check))
            continue;
        struct check_group *group = ARENA_PUSH(arena, report.groups, report.ngroups);
        *group = ask_group(&run, check);
        report.counts[group->verdict]++;
    }
    sort_worst_first(report.groups, report.ngroups, sizeof(*report.groups),
                     offsetof(struct check_group, verdict));
    gather_findings(&report, arena);
    for (size_t i = 0; i < report.nfindings; i++)
        report.blind |= report.findings[i].check->vital && report.findings[i].verdict == VERDICT_UNKNOWN;
    find_causes(&report, arena);
    return report;
}
