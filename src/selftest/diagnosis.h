/* What a failure means on RoCE, in the words that people search for; what it probably comes from, judged from
 * what is known of both ends; and the doctor checks that look there. Pure. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "selftest/failure.h"

/* What is known beside the failure. Zero is "not known" or "no". */
struct facts {
    bool loopback;                         /* both ends on one port */
    bool soft;                             /* rxe: packets pass the kernel's firewall */
    bool link_local;                       /* the GID is fe80::/10 */
    bool address_known;                    /* the addresses of the GID's netdev are known, and */
    bool address_gone;                     /* the GID's isn't among them */
    bool bond_member;                      /* the port's netdev belongs to a bond */
    bool port_down;                        /* now */
    bool came_through;                     /* some message did, in this run */
    uint32_t path_mtu, port_mtu, peer_mtu; /* bytes */
    uint32_t size;                         /* of the message that failed */
    uint64_t send_err,
        peer_send_err;        /* packets that this host, or the other, dropped itself during the run */
    uint64_t sequence_errors; /* packets that were missing, at both ends */
};

enum { DIAGNOSIS_CAUSES = 3, DIAGNOSIS_TEXT_SIZE = 320 };

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

/* For a test that walks them: every list of checks that diagnose() can answer. NULL at the end. */
const char *diagnosis_checks(size_t i);
