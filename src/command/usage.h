/* SPDX-License-Identifier: MIT */
/* What --help shows. */
#pragma once

#include "command/command.h"
#include "view/look.h"

void usage_show(const struct look *look, const struct command *command); /* NULL: of roce itself */
