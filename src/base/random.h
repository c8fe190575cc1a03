/* SPDX-License-Identifier: MIT */
/* Numbers that nobody can guess. */
#pragma once

#include <stddef.h>

/* size at most 256. 0, or -errno where the kernel has none to give. */
int random_bytes(void *bytes, size_t size);
