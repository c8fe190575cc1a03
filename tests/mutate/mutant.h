/* SPDX-License-Identifier: MIT */
/* What mutate.awk writes into a source: each mutant sleeps until $MUTANT is its number. */
#pragma once

#include <stdbool.h>

/* Notes that the place was reached, too: see mutant.c. */
bool mutant_is(unsigned number);

#define MUTANT_NOT(n, ...) ((bool)(__VA_ARGS__) != mutant_is(n))
#define MUTANT_MORE(n, constant) ((constant) + mutant_is(n))
#define MUTANT_VERDICT_FAIL(n) (mutant_is(n) ? VERDICT_PASS : VERDICT_FAIL)
#define MUTANT_VERDICT_WARN(n) (mutant_is(n) ? VERDICT_PASS : VERDICT_WARN)
#define MUTANT_VERDICT_INFO(n) (mutant_is(n) ? VERDICT_PASS : VERDICT_INFO)
#define MUTANT_VERDICT_UNKNOWN(n) (mutant_is(n) ? VERDICT_PASS : VERDICT_UNKNOWN)
#define MUTANT_VERDICT_PASS(n) (mutant_is(n) ? VERDICT_FAIL : VERDICT_PASS)
#define MUTANT_VERDICT_NA(n) (mutant_is(n) ? VERDICT_FAIL : VERDICT_NA)
#define mutant_judge_fail(n, judgement, ...) judge_as(judgement, MUTANT_VERDICT_FAIL(n), __VA_ARGS__)
#define mutant_judge_warn(n, judgement, ...) judge_as(judgement, MUTANT_VERDICT_WARN(n), __VA_ARGS__)
#define mutant_judge_info(n, judgement, ...) judge_as(judgement, MUTANT_VERDICT_INFO(n), __VA_ARGS__)
#define mutant_judge_unknown(n, judgement, ...) judge_as(judgement, MUTANT_VERDICT_UNKNOWN(n), __VA_ARGS__)
#define mutant_judge_pass(n, judgement, ...) judge_as(judgement, MUTANT_VERDICT_PASS(n), __VA_ARGS__)
#define mutant_judge_na(n, judgement, ...) judge_as(judgement, MUTANT_VERDICT_NA(n), __VA_ARGS__)
