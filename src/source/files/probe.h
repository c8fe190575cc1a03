/* SPDX-License-Identifier: MIT */
/* What no file says: the own environment; a trial to lock memory, the kernel's log. */
#pragma once

struct reader;

void read_environment(struct reader *reader);
void read_probes(struct reader *reader);
