/* SPDX-License-Identifier: MIT */
/* What a failure means on RoCE, in the words that people search for; what it probably comes from, judged from
 * what is known of both ends; and the doctor checks that look there. Pure. */
#pragma once

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

/* For a test that walks them: every list of checks that diagnose() can answer. NULL at the end. */
const char *diagnosis_checks(size_t i);
