/* SPDX-License-Identifier: MIT */
/* dcbnl: what RTM_GETDCB answers to IEEE_GET. Pure, as in nldev.h. */
#pragma once

#include <stddef.h>

#include "model/qos.h"

struct arena;

/* 0, or -EBADMSG. */
int dcb_parse_ieee(const void *bytes, size_t len, struct arena *arena, struct qos_dcb *dcb);
