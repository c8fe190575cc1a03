/* SPDX-License-Identifier: MIT */
/* The checks: what can be wrong with RDMA on a host, a record of checks.txt each. A judge looks at a struct
 * host and gives a verdict, its evidence and a fix; it opens nothing, prints nothing and changes nothing. */
#pragma once

#include "base/gzip.h"
#include "model/counter_roles.h"
#include "model/selection.h"
#include "model/verdict.h"

/* What a check is about; it runs once for each of these. */
enum check_scope { SCOPE_HOST, SCOPE_DEVICE, SCOPE_PORT, SCOPE_NETDEV };

/* One of these. device is set with port; netdev with SCOPE_NETDEV, and with SCOPE_PORT when the port's netdev
 * is known. */
struct check_selection;
struct found_rails; /* check/rail.h */
struct idle {
    const struct port *port;
    const char *unsure; /* why it isn't known whether anybody uses the port; "": nobody does */
};
struct subject {
    const struct host *host;
    const struct system *system; /* the host's */
    const struct host *before;   /* an earlier reading of the same machine; NULL if there is only one */
    uint64_t interval_ms;        /* between the two; 0 if unknown */
    const struct device *device;
    const struct pci *pci; /* below device: device_function() */
    const struct port *port;
    const struct netdev *netdev;
    const struct qos *qos; /* the settings that apply to netdev: host_find_qos(); NULL: none are known */
    bool named;            /* the user named the port or device: it is judged even if nobody uses it */
    struct idle *idle;     /* the ports that aren't judged, ordered by order_idle() */
    size_t nidle;
    struct found_rails *rails;               /* private to find_rails() */
    const struct check_selection *selection; /* with SCOPE_HOST; NULL if everything is selected */
};

/* What to do, as a template into which a finding's names are filled: see judge.h. */
struct fix {
    const char *place;   /* printed in front: another machine has to be changed; NULL means this one */
    const char *command; /* can be pasted into a shell; NULL if there is none */
    const char *remark;  /* a note on the command, or what to do without one; NULL if there is nothing to say */
    bool interrupts;     /* traffic, even if only for a moment */
    bool odd;            /* it contains a name that a shell would take apart, so it isn't printed */
};

/* What a judge found. The text is in arena. */
struct judgement {
    struct arena *arena;
    const struct subject *subject;
    const struct check *check;
    const char *evidence; /* which file, attribute or request, and its value */
    int err;              /* the errno that judge_errno() last put into the evidence; 0 if none */
    bool by_choice;       /* with VERDICT_UNKNOWN: nobody asked to listen, or the other end doesn't tell */
    struct fix fix;       /* for this machine, a command with its remark; if empty, the check's is used */
};

typedef enum verdict judge_fn(const struct subject *subject, struct judgement *judgement);

/* How much counters must grow between two readings for judge_growth() to report it. */
struct counting {
    roles_t roles;
    enum verdict if_any; /* without warn_ppm: if they grew at all */
    enum counter_role packets;
    uint64_t warn_ppm, fail_ppm; /* of these packets; fail_ppm 0: no fault, worth knowing if there is a lot */
};

/* A record of checks.txt, which src/explain/README.md describes. */
struct check {
    const char *id; /* kebab-case, never changes */
    const char *topic;
    const char *of; /* its scope: "host", "device", "port", "netdev" */
    enum check_scope scope;
    const char *fires_on; /* a machine in fixtures/ where it warns or fails. NAME-before, if there is one, is
                           * its earlier reading */
    const char *because;  /* comma-separated ids: a finding of one of them on the same subject explains this
                           * check's, which is then not reported separately. NULL if none */
    needs_t needs;
    const char *reads;   /* comma-separated paths below the root, with the subject's {device}, {port}, {netdev}
                          * and {pci}: if one of them, or something below it, could not be read, the check can't
                          * pass. NULL if none */
    const char *doubts;  /* the same of what could show that a warning or a failure is none */
    bool interval;       /* compares two readings */
    bool of_idle;        /* also covers ports that nobody uses */
    bool vital;          /* if it could not look, no gate may say that all is well */
    bool fits_container; /* its fix changes an application, or its judge has wording for containers */
    judge_fn *preconditions[3]; /* each: the verdict when there is nothing to judge, VERDICTS when there is;
                                 * NULL behind the last */
    judge_fn *judge;
    struct counting counting;
    const char *fix; /* the general one */
    /* For packed_line(): what holds when it passes ("the port is ACTIVE"), what breaks when it doesn't. */
    uint16_t healthy, why;
};

/* The topics that findings are grouped by, in this order. */
struct topic {
    const char *name, *text; /* what it is about, in one line */
};
extern const struct topic check_topics[]; /* ends with a NULL name */
extern const struct check check_all[];    /* topic by topic; ends with a NULL id */

const struct check *check_find(const char *id);  /* NULL if none */
const char *check_topic_text(const char *topic); /* NULL if there is no such topic */

struct check_selection {
    const char *only, *skip;       /* comma-separated ids and topics; NULL if not given */
    bool glance;                   /* only what one reading tells, without opening a device: for listings */
    bool interval;                 /* only what compares two */
    const struct selection *named; /* the ports and devices that findings may be about; NULL for all */
};

/* Copies to word the first item of a list that is neither an id nor a topic; false if there is none. */
bool check_list_unknown(const char *list, char word[static 64]);
bool check_selected(const struct check_selection *selection, const struct check *check);
bool check_takes_device(const struct check_selection *selection, const struct device *device);
bool check_takes_port(const struct check_selection *selection, const struct port *port);
/* What host_read() must read for the selected checks. */
needs_t check_needs(const struct check_selection *selection);
/* What the earlier reading needs, for the checks that compare two. */
needs_t check_interval_needs(const struct check_selection *selection);
bool check_wants_interval(const struct check_selection *selection);

/* Why a check could not look, which determines what to do about it. */
enum obstacle {
    OBSTACLE_NONE,
    OBSTACLE_ONE_READING, /* it compares two */
    OBSTACLE_PERMISSION,
    OBSTACLE_STARVED,   /* too few descriptors, too little memory: anything may be missing */
    OBSTACLE_NO_ANSWER, /* neither driver, kernel nor recording says */
    OBSTACLE_BY_CHOICE, /* see struct judgement; no gate counts it */
    OBSTACLES
};

struct finding {
    const struct check *check;
    enum verdict verdict;
    struct subject subject;
    const char *evidence, *fix;  /* fix is never NULL; evidence may be */
    struct fix how;              /* what fix is rendered from */
    const struct finding *cause; /* explains this one; NULL if nothing does */
    enum obstacle obstacle;      /* with VERDICT_UNKNOWN */
};

/* The result of one check: all its findings, which are adjacent. */
struct check_group {
    const struct check *check;
    enum verdict verdict; /* the worst */
    const struct finding *findings;
    size_t count; /* 0 if there is no subject here for it; verdict is then n/a */
};

/* What to do about a cause. Commands that differ only in the subjects' names become one shell loop, or a line
 * each if several names differ; a sentence is given once for all. */
struct cause_fix {
    const char *text;
    const char *same_for; /* who else needs it, under other names: "mlx5_1/1, mlx5_2/1"; NULL if nobody */
};

/* One thing to report: all findings of a check that nothing else explains, and the checks whose findings they
 * explain. */
struct root_cause {
    const struct check *check;
    enum verdict verdict; /* INFO, WARN or FAIL: the worst of its findings and of those they explain */
    const struct finding **findings; /* worst first */
    size_t count;
    const struct check **also;
    size_t nalso;
    struct cause_fix *fixes;
    size_t nfixes;
};

struct report {
    const struct host *host;
    struct finding *findings; /* worst check first, then in order of topics and rows; worst first within a
                               * check */
    size_t nfindings;
    struct check_group *groups; /* a row per selected check, in the same order */
    size_t ngroups;
    struct root_cause *causes; /* worst first */
    size_t ncauses;
    size_t counts[VERDICTS]; /* checks by their worst verdict */
    size_t told[VERDICTS];   /* causes by verdict; the same as counts for PASS, UNKNOWN and NA */
    bool blind;              /* a vital check could not look */
};

/* Runs every selected check on host. Without before (NULL), checks that need an interval return unknown. A
 * port, device or netdev that nobody uses (see use.h) and the selection doesn't name gets nothing worse than
 * n/a, except the remark that it is unused. All memory is from arena; the report refers to host and before. */
struct report check_run(const struct host *host, const struct host *before, uint64_t interval_ms,
                        const struct check_selection *selection, struct arena *arena);

/* The verdict from which roce, run as a gate, stops the caller. */
struct gate {
    enum verdict least; /* INFO, WARN or FAIL */
    bool unknown;       /* also stop at what could not be checked */
};
/* Parses "warn", "fail+unknown" or "unknown" (the same as "warn+unknown"); NULL means "warn". Returns false for
 * anything else. */
bool gate_parse(const char *text, struct gate *gate);
/* The gate's result: the worst reported verdict if that stops it, else UNKNOWN if that does, else PASS. */
enum verdict gate_verdict(const struct gate *gate, const struct report *report);

/* Runs one check, in the registry or not, whether or not it is selected; selection gives the devices and
 * ports. */
struct check_group check_ask(const struct check *check, const struct host *host, const struct host *before,
                             uint64_t interval_ms, const struct check_selection *selection,
                             struct arena *arena);

/* What a finding is about, for a person: "mlx5_0/1", "mlx5_0", "eth0", "host". */
void subject_format(const struct subject *subject, char text[static 160]);

/* One word for a port, for listings: the id of the worst finding about it, its device or its netdev, or of what
 * explains that one; else what a person wonders about: "not-given" (to this container), "raw", "representor",
 * "switchdev" (a port of the switch inside), "roce-off" (by design), "backup" (the bond uses another member),
 * "unknown" (a vital check could not look), "unused"; else "ok". */
struct port_verdict {
    const char *word;
    enum verdict verdict;
};
struct port_verdict check_port_verdict(const struct report *report, const struct port *port);
