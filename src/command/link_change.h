/* SPDX-License-Identifier: MIT */
/* Making and deleting RDMA devices in software: what 'roce links' does besides listing. */
#pragma once

#include "command/context.h"

extern const struct option_def link_options[];
bool link_is_change(const struct args *args); /* "add …" or "delete …" */
/* Does it. Returns the exit status. */
int link_change(struct context *context);
