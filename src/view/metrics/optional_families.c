/* SPDX-License-Identifier: MIT */
/* What is asked for apart: limits, users, doctor's verdicts; and how the reading itself went. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/resources.h"
#include "model/users.h"
#include "model/verbs.h"
#include "view/metrics/family.h"

static void fill_limits(struct filling *filling)
{
    for (size_t i = 0; i < filling->devices.count; i++) {
        const struct target *target = &filling->devices.items[i];
        const struct verbs_device *verbs = target->device->verbs;
        if (!verbs)
            continue;
        const struct {
            const char *resource;
            int32_t most;
        } limits[] = { { "qp", verbs->max_qp }, { "cq", verbs->max_cq },   { "mr", verbs->max_mr },
                       { "pd", verbs->max_pd }, { "srq", verbs->max_srq }, { "mw", verbs->max_mw },
                       { "ah", verbs->max_ah } };
        for (size_t k = 0; k < ARRAY_SIZE(limits); k++)
            put(filling, with_label(filling, target->labels, "resource", limits[k].resource),
                limits[k].most > 0 ? (uint64_t)limits[k].most : 0);
    }
}

/* -- users ------------------------------------------------------------------------------------------------ */

struct sample {
    const char *labels;
    uint64_t value;
};

static int by_labels(const void *a, const void *b)
{
    return strcmp(((const struct sample *)a)->labels, ((const struct sample *)b)->labels);
}

static const char *labels_of(struct filling *filling, const struct user *user)
{
    char port[24] = "", pid[24] = "";
    if (user->port.known)
        snprintf(port, sizeof(port), "%" PRIu64, user->port.value);
    if (user->pid.known)
        snprintf(pid, sizeof(pid), "%" PRIu64, user->pid.value);
    const char *labels = with_label(filling, "", "device", user->device);
    labels = with_label(filling, labels, "port", port);
    labels = with_label(filling, labels, "kind", user->kind);
    labels = with_label(filling, labels, "name", user->name);
    labels = with_label(filling, labels, "pid", pid);
    labels = with_label(filling, labels, "job", user->started_by.job);
    labels = with_label(filling, labels, "pod", user->started_by.pod);
    labels = with_label(filling, labels, "container", user->started_by.container);
    return with_label(filling, labels, "unit", user->started_by.unit);
}

static bool is_chosen(const struct filling *filling, const struct user *user)
{
    const struct device *device = user->device ? host_find_device(filling->metrics->host, user->device) : NULL;
    return device && selection_has_device(filling->metrics->selection, device);
}

/* Those whom the labels don't tell apart are one series, and so added up. */
static void fill_users(struct filling *filling, uint64_t (*value)(const struct user *user))
{
    size_t nusers, count = 0;
    const struct user *users = users_find(filling->metrics->host, &nusers);
    struct sample *samples = arena_alloc(filling->arena, nusers + 1, sizeof(*samples));
    for (size_t i = 0; i < nusers; i++)
        if (is_chosen(filling, &users[i]))
            samples[count++] = (struct sample){ labels_of(filling, &users[i]), value(&users[i]) };
    qsort(samples, count, sizeof(*samples), by_labels);
    for (size_t i = 0; i < count; i++) {
        if (i + 1 < count && strcmp(samples[i].labels, samples[i + 1].labels) == 0)
            samples[i + 1].value += samples[i].value;
        else
            put(filling, samples[i].labels, samples[i].value);
    }
}

static uint64_t queue_pairs(const struct user *user)
{
    return user->counts[RESOURCE_QP];
}

static void fill_queue_pairs(struct filling *filling)
{
    fill_users(filling, queue_pairs);
}

static uint64_t registered(const struct user *user)
{
    return user->registered;
}

static void fill_registered(struct filling *filling)
{
    fill_users(filling, registered);
}

/* -- doctor ----------------------------------------------------------------------------------------------- */

static void fill_check_results(struct filling *filling)
{
    static const enum verdict verdicts[] = { VERDICT_PASS, VERDICT_INFO, VERDICT_UNKNOWN, VERDICT_WARN,
                                             VERDICT_FAIL };
    const struct report *report = filling->metrics->report;
    for (size_t i = 0; report && i < report->ngroups; i++) {
        const struct check_group *group = &report->groups[i];
        const char *check = with_label(filling, "", "check", group->check->id);
        for (size_t v = 0; v < ARRAY_SIZE(verdicts); v++) {
            uint64_t count = 0;
            for (size_t k = 0; k < group->count; k++)
                count += group->findings[k].verdict == verdicts[v];
            put(filling, with_label(filling, check, "verdict", verdict_name(verdicts[v])), count);
        }
    }
}

/* What another explains is that one's consequence. */
static void fill_findings(struct filling *filling)
{
    const struct report *report = filling->metrics->report;
    for (size_t i = 0; report && i < report->nfindings; i++) {
        const struct finding *finding = &report->findings[i];
        const struct subject *subject = &finding->subject;
        char port[24] = "";
        if (finding->verdict < VERDICT_WARN || finding->cause)
            continue;
        if (subject->port)
            snprintf(port, sizeof(port), "%" PRIu32, subject->port->number);
        const char *labels = with_label(filling, "", "check", finding->check->id);
        labels = with_label(filling, labels, "verdict", verdict_name(finding->verdict));
        labels = with_label(filling, labels, "device", subject->device ? subject->device->name : NULL);
        labels = with_label(filling, labels, "port", port);
        put(filling, with_label(filling, labels, "netdev", subject->netdev ? subject->netdev->name : NULL), 1);
    }
}

/* -- the reading ------------------------------------------------------------------------------------------ */

static void fill_problems(struct filling *filling)
{
    put(filling, "", filling->metrics->host->nproblems);
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

static void fill_success(struct filling *filling)
{
    static const struct {
        const char *source, *problems; /* what problems of it begin with; "": what no other's do */
        needs_t needs;
    } sources[] = {
        { "files", "", UINT64_MAX },
        { "nldev", "netlink nldev-", NEED_NLDEV | NEED_TOTALS | NEED_RESOURCES | NEED_USERS },
        { "rtnetlink", "netlink rtnl-", NEED_ADDRESSES | NEED_ROUTES },
        { "dcb", "netlink dcb-", NEED_QOS | NEED_FLOW },
        { "ethtool", "netlink ethtool", NEED_QOS | NEED_FLOW },
        { "devlink", "netlink devlink", NEED_QOS },
        { "verbs", "verbs ", NEED_VERBS },
    };
    const struct host *host = filling->metrics->host;
    for (size_t i = 0; i < ARRAY_SIZE(sources); i++)
        if (host->needs & sources[i].needs)
            put(filling, with_label(filling, "", "source", sources[i].source),
                !failed(host, sources[i].problems));
}

static void fill_duration(struct filling *filling)
{
    if (filling->metrics->microseconds.known)
        put_seconds(filling, "", filling->metrics->microseconds.value);
}

#define USER_LABELS "device,port,kind,name,pid,job,pod,container,unit"
#define USER_NEEDS (NEED_RESOURCES | NEED_SERVICES | NEED_NETDEV | NEED_NLDEV | NEED_ADDRESSES | NEED_GIDS)

const struct family families_extra[] = {
    { "device_resource_limit", "device,resource",
      "how many of a resource the device can have, as its driver says", METRIC_GAUGE, .needs = NEED_VERBS,
      .with = WITH_LIMITS, .fill = fill_limits },
    { "user_queue_pairs", USER_LABELS, "queue pairs of a process or a service of the kernel", METRIC_GAUGE,
      .needs = USER_NEEDS, .with = WITH_PROCESSES, .fill = fill_queue_pairs },
    { "user_registered_bytes", USER_LABELS, "memory that a process or a service of the kernel has registered",
      METRIC_GAUGE, .unit = "bytes", .needs = USER_NEEDS, .with = WITH_PROCESSES, .fill = fill_registered },
    { "check_results", "check,verdict", "what a check of roce doctor said, by verdict, of how many subjects",
      METRIC_GAUGE, .with = WITH_CHECKS, .fill = fill_check_results },
    { "finding", "check,verdict,device,port,netdev",
      "something that roce doctor warns of or calls a failure; 'roce doctor' says more", METRIC_GAUGE,
      .with = WITH_CHECKS, .fill = fill_findings },
    { "scrape_problems", "", "what could not be read although the kernel offers it", METRIC_GAUGE,
      .fill = fill_problems },
    { "scrape_success", "source", "1: all that was asked for was answered; 0: something could not be read",
      METRIC_GAUGE, .fill = fill_success },
    { "scrape_duration_seconds", "", "how long reading this machine took", METRIC_GAUGE, .unit = "seconds",
      .fill = fill_duration },
    { 0 },
};
