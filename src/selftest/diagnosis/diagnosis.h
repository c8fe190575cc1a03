/* SPDX-License-Identifier: MIT */
/* How a test failed, and what that means. */
#pragma once

#include "model/counters.h"

/* The step, and what the kernel or the device answered. */

enum step {
    STEP_NONE,
    STEP_NODE, /* open(2) of the device node */
    STEP_OPEN, /* ibv_open_device */
    STEP_PORT, /* ibv_query_device, ibv_query_port, ibv_query_gid_ex */
    STEP_PD,
    STEP_REGISTER, /* ibv_reg_mr */
    STEP_CQ,
    STEP_SRQ,
    STEP_QP,
    STEP_INIT, /* ibv_modify_qp */
    STEP_RTR,
    STEP_RTS,
    STEP_AH,
    STEP_POST,
    STEP_FIRST,      /* no message of this queue pair ever came through */
    STEP_COMPLETION, /* others did */
    STEP_DATA,       /* a message came with wrong bytes or a wrong length */
    STEP_GRH,        /* a datagram came with wrong addresses before it */
    STEP_CONNECT,    /* TCP to the server */
    STEP_HANDSHAKE,
    STEP_GID_PAIR,
    STEP_PROVE,      /* one packet from the server, before any other */
    STEP_CM_RESOLVE, /* RDMA_CM: address or route */
    STEP_CM_CONNECT,
    STEP_DRIVER, /* what a line of the kernel's log says; no step of a test */
    STEPS
};

enum { FAILURE_TEXT_SIZE = 200 };

struct failure {
    enum step step;
    int err;       /* positive errno; 0: none */
    int wc_status; /* enum ibv_wc_status of a bad completion; 0: not about one */
    uint32_t vendor_err;
    bool remote;                  /* reported by the other host */
    char text[FAILURE_TEXT_SIZE]; /* details: "byte 7 of 64 is wrong …"; may be empty */
};

/* Generated from src/explain/failures.txt. */
struct step_words {
    const char *text;
};
extern const struct step_words step_words[STEPS];

const char *step_text(enum step step); /* "register memory", …: follows "could not" or "at" */
/* Fills failure and returns -err (or -EIO when err is 0), for the caller to return. */
int failure_set(struct failure *failure, enum step step, int err, const char *format, ...) PRINTF_LIKE(4, 5);
/* Does it mean that the device doesn't support this at all, rather than that it went wrong? Kernel and
 * providers say EOPNOTSUPP or ENOSYS, and EINVAL for queues that they don't know. */
bool failure_is_refusal(const struct failure *failure);
/* Did nobody answer, as opposed to an answer with an error? */
bool failure_is_silence(const struct failure *failure);
int failure_wc(struct failure *failure, enum step step, int wc_status, uint32_t vendor_err);

/* What is known about both ends apart from the failure itself. */

/* Zero is "not known" or "no". */
struct facts {
    bool loopback;                         /* both ends on one port */
    bool iwarp;                            /* connected by TCP */
    bool soft;                             /* rxe: packets pass the kernel's firewall */
    bool link_local;                       /* the GID is fe80::/10 */
    bool address_known;                    /* the addresses of the GID's netdev are known, and */
    bool address_gone;                     /* the GID's isn't among them */
    bool cut_off;                          /* gid_is_cut_off() */
    bool port_down;                        /* now */
    enum tristate neighbour;               /* whether the next hop to the peer answers on its link */
    bool neighbour_by_hand;                /* its MAC was written by hand */
    bool route_refuses;                    /* this host's own route does */
    bool came_through;                     /* some message did in this run */
    bool peer_there;                       /* the other host's program answered after it */
    uint32_t largest;                      /* bytes of the largest that did; 0: not known */
    bool others_pass;                      /* later messages at least as large did, on other queue pairs */
    bool smaller_pass;                     /* later messages did, but none as large */
    uint32_t path_mtu, port_mtu, peer_mtu; /* bytes */
    uint32_t size;                         /* of the message that failed */
    /* packets dropped by this host itself, or by the other, during the run */
    uint64_t send_err, peer_send_err;
    uint64_t drops, peer_drops; /* that this host's port, or the other's, threw away on their way in */
    uint64_t sequence_errors;   /* missing packets, at both ends */
    uint64_t soft_retries;      /* how often soft-RoCE resent, or saw a duplicate, at both ends */
};

/* How counters changed between two readings of a host. Pure. */

struct host;

enum { GROWN_COUNTERS_MOST = 128, GROWN_NAME_SIZE = 64 };

struct grown_counter {
    char name[GROWN_NAME_SIZE];
    uint64_t delta;
    enum counter_severity severity; /* of one that was read here */
};

struct grown_counters {
    uint32_t ncounters;
    struct grown_counter counters[GROWN_COUNTERS_MOST];
};

/* The counters of a port and its device that have grown: errors first, then warnings, then the rest, and what
 * its netdev's driver has dropped on the way in; as many as fit. */
#define GROWN_NEEDS (NEED_COUNTERS | NEED_STATISTICS | NEED_NETDEV)
void counters_grown(const struct host *before, const struct host *after, const char *device, uint32_t port,
                    struct grown_counters *grown);
/* Adds to facts what they say about losses. peer: they are the other host's. */
void counters_tell(const struct grown_counters *grown, bool peer, struct facts *facts);

/* Possible causes of a failure. Each is right only under its condition. Pure. */

enum cause {
    CAUSE_NONE,
    CAUSE_PORT_DOWN,
    CAUSE_CUT_OFF,
    CAUSE_ADDRESS_GONE,
    CAUSE_LINK_LOCAL,
    CAUSE_MTU_PATH,
    CAUSE_MTU_DIFFERS,
    CAUSE_MTU_SWITCH,
    CAUSE_OUTPUT_DROP,
    CAUSE_PEER_OUTPUT_DROP,
    CAUSE_INPUT_DROP,
    CAUSE_PEER_INPUT_DROP,
    CAUSE_FIREWALL,
    CAUSE_FIREWALL_SINCE, /* it got through before */
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
    CAUSE_REFUSED_ON_THE_WAY,
    CAUSE_ROUTE_REFUSES,
    CAUSE_NEIGHBOUR_BY_HAND,
    CAUSE_SCOPE,
    CAUSE_VERSION,
    CAUSE_ANY_GID,
    CAUSE_NOT_ALLOWED,
    CAUSE_UCM,
    CAUSE_BUSY,
    /* of programs other than roce */
    CAUSE_KEY,
    CAUSE_RIGHTS,
    CAUSE_BUFFER,
    CAUSE_FIRST_ERROR,
    CAUSE_FIRMWARE,
    CAUSE_RAILS,
    CAUSE_GPU_MEMORY,
    CAUSE_REQUEST,
    CAUSE_GID_SLOT,
    CAUSE_MTU_ABOVE,
    CAUSE_RNR_PATIENCE,
    CAUSES
};

enum {
    CAUSE_TEXT_SIZE = 320,
    CAUSES_MOST = 15,  /* per failure */
    LIKELY_CAUSES = 4, /* of what is explained independently of a run */
    LIKELY_TEXT_SIZE = LIKELY_CAUSES * CAUSE_TEXT_SIZE
};

/* Is it possible, given what is known? */
bool cause_applies(enum cause cause, const struct facts *facts);
/* One line for people: what it is and what to do, with the known numbers. */
void cause_text(enum cause cause, const struct facts *facts, char text[static CAUSE_TEXT_SIZE]);

/* Generated from src/explain/failures.txt and causes.txt. */

/* What a completion status, or an errno at a step, means: the first row that fits. The last row is empty. */
struct meaning {
    int status; /* 0 if it is about a step */
    enum step step;
    int err;                            /* 0: any */
    const char *text;                   /* NULL if the status' name or the step says it all */
    const char *end;                    /* which end a status is about; NULL if it isn't a status */
    const char *checks;                 /* doctor checks, comma-separated; NULL if none looks there */
    enum cause causes[CAUSES_MOST + 1]; /* likeliest first, CAUSE_NONE ends */
    /* If nothing is known about the two ends; empty: same as causes. */
    enum cause general[LIKELY_CAUSES + 1];
};

struct cause_words {
    const char *text;     /* what can be said without facts */
    const char *measured; /* with numbers of struct facts in braces; NULL if the same */
};

struct step_call {
    const char *call; /* "ibv_reg_mr" */
    enum step step;
};

struct status_words {
    const char *name, *text, *also; /* also: other spellings, comma-separated; may be NULL */
    unsigned char syndrome;         /* in completions of mlx5 and hns; 0: none */
};

extern const struct meaning meanings[];
extern const struct cause_words cause_words[CAUSES];
extern const struct step_call step_calls[]; /* by step; the last is empty */
extern const struct status_words status_words[];
extern const int status_count;

/* "transport retry counter exceeded" and "IBV_WC_RETRY_EXC_ERR". NULL if there is no such status. */
const char *wc_text(int wc_status);
const char *wc_name(int wc_status);
/* The status at the beginning of text (len bytes), by name or words, in either case; -1 if there is none. */
int wc_parse(const char *text, size_t len, size_t *used);

/* What a failure means independently of a run. NULL if nothing is known. */
const struct meaning *failure_meaning(const struct failure *failure);
/* Its likeliest causes when nothing is known about the two ends, joined by separator. */
void meaning_likely(const struct meaning *meaning, const char *separator, char text[static LIKELY_TEXT_SIZE]);

/* What a failure means on RoCE, in the words that people search for; its probable causes, judged from what is
 * known about both ends; and the doctor checks that look there. Pure. */

enum { DIAGNOSIS_CAUSES = 3, DIAGNOSIS_TEXT_SIZE = CAUSE_TEXT_SIZE };

struct diagnosis {
    char what[DIAGNOSIS_TEXT_SIZE];                     /* the step and the answer: one line */
    const char *meaning;                                /* NULL if the line says it all */
    char causes[DIAGNOSIS_CAUSES][DIAGNOSIS_TEXT_SIZE]; /* likeliest first; "" ends */
    const char *checks; /* doctor checks, comma-separated; NULL if none looks there */
};

void diagnose(const struct failure *failure, const struct facts *facts, struct diagnosis *diagnosis);
