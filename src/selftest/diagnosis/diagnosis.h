/* SPDX-License-Identifier: MIT */
/* What a failure means. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "selftest/diagnosis/failure.h"

/* What is known of both ends apart from the failure itself. */

/* Zero is "not known" or "no". */
struct facts {
    bool loopback;      /* both ends on one port */
    bool iwarp;         /* connected by TCP */
    bool soft;          /* rxe: packets pass the kernel's firewall */
    bool link_local;    /* the GID is fe80::/10 */
    bool address_known; /* the addresses of the GID's netdev are known, and */
    bool address_gone;  /* the GID's isn't among them */
    bool bond_member;   /* the port's netdev belongs to a bond */
    bool port_down;     /* now */
    bool came_through;  /* some message did, in this run */
    bool others_pass;   /* after it, by other queue pairs, messages at least as large did */
    uint32_t path_mtu, port_mtu, peer_mtu; /* bytes */
    uint32_t size;                         /* of the message that failed */
    /* packets that this host, or the other, dropped itself during the run */
    uint64_t send_err, peer_send_err;
    uint64_t sequence_errors; /* packets that were missing, at both ends */
    uint64_t soft_retries;    /* times that soft-RoCE sent again, or saw what it had seen, at both ends */
};

/* What happened to counters between two readings of a host. Pure. */

struct host;

enum { GROWN_COUNTERS_MOST = 128, GROWN_NAME_SIZE = 64 };

struct grown_counter {
    char name[GROWN_NAME_SIZE];
    uint64_t delta;
};

struct grown_counters {
    uint32_t ncounters;
    struct grown_counter counters[GROWN_COUNTERS_MOST];
};

/* The counters of a port, and of its device, that have grown: errors first, then warnings, then the rest; as
 * many as fit. */
void counters_grown(const struct host *before, const struct host *after, const char *device, uint32_t port,
                    struct grown_counters *grown);
/* Adds what they say about losses to facts. peer: they are the other host's. */
void counters_tell(const struct grown_counters *grown, bool peer, struct facts *facts);

/* What a failure may come from. Each is right only under its condition. Pure. */

enum cause {
    CAUSE_NONE,
    CAUSE_PORT_DOWN,
    CAUSE_BOND_MEMBER,
    CAUSE_ADDRESS_GONE,
    CAUSE_LINK_LOCAL,
    CAUSE_MTU_PATH,
    CAUSE_MTU_DIFFERS,
    CAUSE_MTU_SWITCH,
    CAUSE_OUTPUT_DROP,
    CAUSE_PEER_OUTPUT_DROP,
    CAUSE_FIREWALL,
    CAUSE_FIREWALL_SINCE, /* it was let through before */
    CAUSE_FIREWALL_IWARP,
    CAUSE_ONE_PATH,
    CAUSE_LOSS,
    CAUSE_NO_ROUTE,
    CAUSE_NEIGHBOUR,
    CAUSE_VLAN,
    CAUSE_GID_MOVED,
    CAUSE_PEER_GONE,
    CAUSE_MEMLOCK,
    CAUSE_PINNABLE,
    CAUSE_CGROUP,
    CAUSE_DEVICE_FULL,
    CAUSE_PERMISSION,
    CAUSE_CONTAINER,
    CAUSE_DEVICE_GONE,
    CAUSE_PROVIDER,
    CAUSE_FAMILIES,
    CAUSE_CORRUPTION,
    CAUSE_PCIE,
    CAUSE_RECEIVER_SLOW,
    CAUSE_SOFT_RETRY,
    CAUSE_SERVER,
    CAUSE_TCP_FIREWALL,
    CAUSE_VERSION,
    CAUSE_ANY_GID,
    CAUSE_NOT_ALLOWED,
    CAUSE_UCM,
    CAUSE_BUSY,
    /* of other programs than roce */
    CAUSE_KEY,
    CAUSE_RIGHTS,
    CAUSE_BUFFER,
    CAUSE_FIRST_ERROR,
    CAUSE_FIRMWARE,
    CAUSE_RAILS,
    CAUSE_GPU_MEMORY,
    CAUSES
};

enum { CAUSE_TEXT_SIZE = 320 };

/* Can it be, by what is known? */
bool cause_applies(enum cause cause, const struct facts *facts);
/* A line for a person: what it is, and what to do. */
/* The same as far as it can be said without facts. */
const char *cause_general(enum cause cause);
void cause_text(enum cause cause, const struct facts *facts, char text[static CAUSE_TEXT_SIZE]);

/* What a failure means on RoCE, in the words that people search for; what it probably comes from, judged from
 * what is known of both ends; and the doctor checks that look there. Pure. */

enum { DIAGNOSIS_CAUSES = 3, DIAGNOSIS_TEXT_SIZE = CAUSE_TEXT_SIZE };

struct diagnosis {
    char what[DIAGNOSIS_TEXT_SIZE];                     /* the step and the answer: one line */
    const char *meaning;                                /* NULL: the line says it all */
    char causes[DIAGNOSIS_CAUSES][DIAGNOSIS_TEXT_SIZE]; /* likeliest first; "" ends */
    const char *checks; /* doctor checks, comma-separated; NULL: none looks there */
};

void diagnose(const struct failure *failure, const struct facts *facts, struct diagnosis *diagnosis);

/* "transport retry counter exceeded" and "IBV_WC_RETRY_EXC_ERR". NULL: no such status. */
const char *wc_text(int wc_status);
const char *wc_name(int wc_status);

/* What a failure means apart from any run: for explaining a status, or what another program says. All static. */
enum { EXPLANATION_CAUSES = 4 };
struct explanation {
    const char *meaning; /* NULL: the status' name says it all */
    const char *end;     /* which end a status speaks of; NULL: it is none */
    const char *causes[EXPLANATION_CAUSES];
    size_t ncauses;
    const char *checks; /* may be NULL */
};
/* false: nothing is known of it. */
bool diagnosis_explain(const struct failure *failure, struct explanation *explanation);
/* The steps that can fail with err in a way that has a meaning of its own: number i. false: no more. */
bool diagnosis_step_of(int err, size_t i, enum step *step);
/* The errnos that have a meaning of their own at step: number i, 0 for any other. false: no more. */
bool diagnosis_errno_of(enum step step, size_t i, int *err);
/* How many statuses there are. */
int wc_count(void);
/* The status that text (len bytes) begins with, by its name or words in either case; -1: none. */
int wc_parse(const char *text, size_t len, size_t *used);

/* For a test that walks them: every list of checks that diagnose() can answer. NULL at the end. */
const char *diagnosis_checks(size_t i);
