/* SPDX-License-Identifier: MIT */
/* What the checks of libraries' settings share. Private to check/. */
#pragma once

#include "check/judge.h"

/* "NCCL_IB_TC=106", with its file and line where it is of one. */
const char *setting_text(struct judgement *judgement, const struct setting *setting);
/* "unset NCCL_IB_TC", or which line to take out. */
const char *setting_undo(struct judgement *judgement, const struct setting *setting);
