/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdint.h>

/* Milliseconds of a clock that never goes back. */
uint64_t clock_ms(void);
