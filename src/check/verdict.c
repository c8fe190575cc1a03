/* SPDX-License-Identifier: MIT */
/* What a report comes to: one word for a port; a result for a prolog, a monitoring system, a pipeline. */
#include "check/check.h"
#include "check/judge.h"

static bool is_about(const struct finding *finding, const struct port *port)
{
    const struct subject *s = &finding->subject;
    if (s->port || s->device)
        return s->port ? s->port == port : s->device == port->device;
    return s->netdev && netdevs_meet(s->host, s->netdev, port_netdev(s->host, port));
}

/* A port that no finding is about, but that a person wonders about. */
static const char *special_word(const struct host *host, const struct port *port)
{
    const struct netdev *netdev = port_netdev(host, port);
    if (!device_is_given(host, port->device))
        return "not-given";
    if (port_is_raw(port))
        return "raw";
    if (!port_is_roce(port))
        return NULL;
    if (netdev && netdev_is_representor_name(netdev->phys_port_name))
        return "representor";
    if (num_is(port->gid_table_len, 0) && device_is_switch(host, port->device))
        return "switchdev";
    if (port_has_roce_off(port))
        return "roce-off";
    return !port->ngids && netdev_is_backup(netdev) ? "backup" : NULL;
}

struct port_verdict check_port_verdict(const struct report *report, const struct port *port)
{
    bool blind = false, unused = false;
    for (size_t i = 0; i < report->nfindings; i++) {
        const struct finding *finding = &report->findings[i];
        if (!is_about(finding, port))
            continue;
        enum verdict verdict = finding->verdict;
        if (verdict >= VERDICT_WARN) {
            while (finding->cause)
                finding = finding->cause;
            return (struct port_verdict){ finding->check->id, verdict };
        }
        blind |= verdict == VERDICT_UNKNOWN && finding->check->vital;
        unused |= verdict == VERDICT_INFO && strcmp(finding->check->id, "port-in-use") == 0;
    }
    const char *special = special_word(report->host, port);
    if (special)
        return (struct port_verdict){ special, VERDICT_NA };
    if (blind)
        return (struct port_verdict){ "unknown", VERDICT_UNKNOWN };
    return unused ? (struct port_verdict){ "unused", VERDICT_INFO }
                  : (struct port_verdict){ "ok", VERDICT_PASS };
}

bool gate_parse(const char *text, struct gate *gate)
{
    static const enum verdict verdicts[] = { VERDICT_INFO, VERDICT_WARN, VERDICT_FAIL };
    *gate = (struct gate){ .least = VERDICT_WARN, .unknown = text_is(text, "unknown") };
    if (!text || gate->unknown)
        return true;
    for (size_t i = 0; i < ARRAY_SIZE(verdicts); i++) {
        const char *name = verdict_name(verdicts[i]);
        const char *rest = text_starts(text, name) ? text + strlen(name) : NULL;
        if (!rest || (*rest && strcmp(rest, "+unknown") != 0))
            continue;
        *gate = (struct gate){ .least = verdicts[i], .unknown = *rest };
        return true;
    }
    return false;
}

enum verdict gate_verdict(const struct gate *gate, const struct report *report)
{
    static const enum verdict worst_first[] = { VERDICT_FAIL, VERDICT_WARN, VERDICT_INFO };
    for (size_t i = 0; i < ARRAY_SIZE(worst_first); i++)
        if (worst_first[i] >= gate->least && report->told[worst_first[i]])
            return worst_first[i];
    bool unknown = report->blind;
    for (size_t i = 0; i < report->nfindings && !unknown; i++)
        unknown = report->findings[i].verdict == VERDICT_UNKNOWN &&
                  report->findings[i].obstacle != OBSTACLE_BY_CHOICE;
    return gate->unknown && unknown ? VERDICT_UNKNOWN : VERDICT_PASS;
}
