/* SPDX-License-Identifier: MIT */
/* What is measured: latency and bandwidth. */
#pragma once

#include "selftest/run.h"

/* 0, -EINTR or -ECONNRESET, as selftest_run(). */
int measure_all(struct run *run);
