/* SPDX-License-Identifier: MIT */
/* The checks: what can be wrong with RDMA on a host, one row each. A judge looks at a struct host and says a
 * verdict, its evidence and how to put it right; it opens nothing, prints nothing and changes nothing. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/host.h"
#include "model/verdict.h"

/* What a check is asked about, once for each of it. */
enum check_scope { SCOPE_HOST, SCOPE_DEVICE, SCOPE_PORT, SCOPE_NETDEV, CHECK_SCOPES };
const char *check_scope_name(enum check_scope scope); /* "host", "device", "port", "netdev" */

/* One of them. device is set with port; netdev with SCOPE_NETDEV, and with SCOPE_PORT when the port's netdev
 * is known. */
struct check_selection;
struct subject {
    const struct host *host;
    const struct host *before; /* an earlier reading of the same machine; NULL: there is only one */
    uint64_t interval_ms;      /* between both; 0: not known */
    const struct device *device;
    const struct port *port;
    const struct netdev *netdev;
    bool named; /* the user named the port or device: it is judged, whoever uses it */
    const struct check_selection *selection; /* with SCOPE_HOST; NULL: no choice made */
};

/* What to do, as a template that a finding's names are filled into: see judge.h. */
struct fix {
    const char *place;   /* said in front of it: another machine has to be changed; NULL: this one */
    const char *command; /* what can be pasted into a shell; NULL: there is none */
    const char *remark;  /* what there is to say of the command, or what to do without one; NULL: nothing */
    bool interrupts;     /* traffic, if for a moment only */
    bool odd;            /* it holds a name that a shell would take apart: it isn't told */
};

/* What a judge found. The texts live in arena. */
struct judgement {
    struct arena *arena;
    const struct subject *subject;
    const struct check *check;
    const char *evidence; /* which file, attribute or request, and its value */
    struct fix fix;       /* for this machine; without text the row's fix is all there is to say */
};

struct check {
    const char *id;       /* kebab-case, never changes */
    const char *fires_on; /* a machine of fixtures/ where it warns or fails. When there is NAME-before
                             beside it, that is its earlier reading */
    enum check_scope scope;
    const char *because; /* comma-separated ids: a finding of one of them on the same subject explains this
                            check's, which then is no finding of its own. NULL: none */
    needs_t needs;
    bool interval;       /* compares two readings */
    bool of_idle;        /* speaks of ports that nobody uses, too */
    bool vital;          /* as long as it could not look, no gate may say that all is well */
    bool fits_container; /* its fix changes an application, or its judge words it for containers, too */
    /* The verdict where there is nothing to judge; VERDICTS: there is. NULL: judge tells. */
    enum verdict (*precondition)(const struct subject *subject, struct judgement *judgement);
    const void *how; /* what a judge of several checks goes by: its file says what that is */
    enum verdict (*judge)(const struct subject *subject, struct judgement *judgement);
};

/* What checks.txt says of a check: what is so when it passes ("the port is ACTIVE"), what breaks when it
 * isn't, and what to do, wherever it is. */
struct check_words {
    const char *id, *healthy, *why, *fix;
};
extern const struct check_words check_words_all[]; /* ends with a NULL id */
/* Never NULL: of a check that isn't in the file nothing is said. */
const struct check_words *check_words(const struct check *check);

/* All checks, topic by topic. */
size_t check_count(void);
const struct check *check_at(size_t i);
const struct check *check_find(const char *id); /* NULL: none */
/* The topics in the order that findings are grouped in; NULL when there are no more. */
const char *check_topic(size_t i);
const char *check_topic_text(const char *topic);       /* one line: what it is about */
const char *check_topic_of(const struct check *check); /* NULL: the registry doesn't have it */

struct check_selection {
    const char *only, *skip; /* comma-separated ids and topics; NULL: no choice made */
    /* Which ports and devices findings may be about; NULL: all. */
    bool (*takes_port)(const void *data, const struct port *port);
    bool (*takes_device)(const void *data, const struct device *device);
    const void *data;
};

/* The first word of a list that is neither an id nor a topic, copied to word; false when all are. */
bool check_list_unknown(const char *list, char word[static 64]);
bool check_selected(const struct check_selection *selection, const struct check *check);
bool check_takes_device(const struct check_selection *selection, const struct device *device);
bool check_takes_port(const struct check_selection *selection, const struct port *port);
/* What host_read() must read for the selected checks. */
needs_t check_needs(const struct check_selection *selection);
/* The same for the earlier reading, with which only some are compared. */
needs_t check_interval_needs(const struct check_selection *selection);
bool check_wants_interval(const struct check_selection *selection);

/* Why a check could not look, and with it what to do about that. */
enum obstacle {
    OBSTACLE_NONE,
    OBSTACLE_ONE_READING, /* it compares two */
    OBSTACLE_PERMISSION,
    OBSTACLE_STARVED,   /* too few descriptors, too little memory: anything may be missing */
    OBSTACLE_NO_ANSWER, /* neither driver, kernel nor recording tells */
    OBSTACLES
};

struct finding {
    const struct check *check;
    enum verdict verdict;
    struct subject subject;
    const char *evidence, *fix;  /* fix is never NULL; evidence may be */
    struct fix how;              /* what fix is made of */
    const struct finding *cause; /* explains this one; NULL: it stands for itself */
    enum obstacle obstacle;      /* with VERDICT_UNKNOWN */
};

/* What all findings of one check come to: they stand side by side. */
struct check_group {
    const struct check *check;
    enum verdict verdict; /* the worst */
    const struct finding *findings;
    size_t count; /* 0: nothing here that it could be asked about, verdict is n/a */
};

/* What to do about a cause. Commands that differ in the subjects' names alone are one loop of the shell, or a
 * line each where they differ in several; sentences stand for all. */
struct cause_fix {
    const char *text;
    const char *same_for; /* who needs it besides, by other names: "mlx5_1/1, mlx5_2/1"; NULL: nobody */
};

/* One thing to be told: what a check found and nothing else explains, on all that it found it, and the checks
 * whose findings it explains. */
struct root_cause {
    const struct check *check;
    enum verdict verdict; /* INFO, WARN or FAIL: the worst of its findings, and of those that they explain */
    const struct finding **findings; /* worst first */
    size_t count;
    const struct check **also;
    size_t nalso;
    struct cause_fix *fixes;
    size_t nfixes;
};

struct report {
    struct finding *findings; /* worst check first, then as topics and rows are; of one check worst first */
    size_t nfindings;
    struct check_group *groups; /* a row per selected check, in the same order */
    size_t ngroups;
    struct root_cause *causes; /* worst first */
    size_t ncauses;
    size_t counts[VERDICTS]; /* checks by their worst verdict */
    size_t told[VERDICTS];   /* causes by verdict; with PASS, UNKNOWN and NA the same as counts */
    bool blind;              /* a vital check could not look */
};

/* Asks every selected check about host. before may be NULL; then checks that need an interval say unknown.
 * On a port, device or netdev that nobody uses (see use.h) and the selection doesn't name, nothing worse than
 * n/a is found, but for the word that it is unused. All memory is from arena; the report refers to host and
 * before. */
struct report check_run(const struct host *host, const struct host *before, uint64_t interval_ms,
                        const struct check_selection *selection, struct arena *arena);

/* From which verdict on somebody who runs roce as a gate is to be stopped. */
struct gate {
    enum verdict least; /* INFO, WARN or FAIL */
    bool unknown;       /* also by what could not be looked at */
};
/* "warn", "fail+unknown", "unknown" (the same as "warn+unknown"); NULL is "warn". false: it is none of these.
 */
bool gate_parse(const char *text, struct gate *gate);
/* What a gate says: the worst of what is to be told when that stops it, else UNKNOWN when that does, else PASS.
 */
enum verdict gate_verdict(const struct gate *gate, const struct report *report);

/* Asks one check, of the registry or not, whatever the selection names; that says which devices and ports. */
struct check_group check_ask(const struct check *check, const struct host *host, const struct host *before,
                             uint64_t interval_ms, const struct check_selection *selection,
                             struct arena *arena);

/* Who a finding is about, for a person: "mlx5_0/1", "mlx5_0", "eth0", "host". */
void subject_format(const struct check *check, const struct subject *subject, char text[static 160]);

/* One word for a port, for listings: "ok", "down", "init", "armed", "no-netdev", "netdev-down", "no-carrier",
 * "roce-off", "raw", "no-gid", "no-address", "link-local", "v1-only", "other-namespace", "no-access" (for
 * this process), "representor", "switchdev" (a port of the switch inside), "backup" (the bond uses another
 * member), "unknown". Needs no more than NEED_STATE, NEED_NETDEV, NEED_GID_SUMMARY and, for no-access,
 * NEED_NODES. */
struct port_verdict {
    const char *word;
    enum verdict verdict;
};
struct port_verdict check_port_verdict(const struct host *host, const struct port *port);
