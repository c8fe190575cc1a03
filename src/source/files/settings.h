/* SPDX-License-Identifier: MIT */
/* The files that configure RDMA libraries. */
#pragma once

#include "base/mem.h"
#include "model/system.h"

struct reader;
/* Fills host->system.settings. */
void read_settings(struct reader *reader);
/* A line of probe/settings, its texts in arena; false: it is none. Pure. */
bool settings_parse_line(const char *line, size_t len, struct arena *arena, struct setting *setting);
