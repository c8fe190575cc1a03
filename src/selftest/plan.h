/* SPDX-License-Identifier: MIT */
/* What is verified: every operation in sizes across the path MTU. */
#pragma once

#include "selftest/run.h"

/* Bytes of the largest message that the options can lead to. */
uint32_t plan_largest(const struct test_options *options);
/* 0, -EINTR or -ECONNRESET, as selftest_run(). */
int plan_verify(struct run *run);
