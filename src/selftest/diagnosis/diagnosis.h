/* SPDX-License-Identifier: MIT */
/* What a failure means on RoCE, in the words that people search for; what it probably comes from, judged from
 * what is known of both ends; and the doctor checks that look there. Pure. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "selftest/diagnosis/cause.h"
#include "selftest/diagnosis/failure.h"

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
