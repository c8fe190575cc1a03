/* SPDX-License-Identifier: MIT */
/* What this roce is. make writes it, into a file of its own, so that a new version compiles nothing else. */
#pragma once

extern const char roce_version[];   /* "0.1.0", of no tag "0.1.0+COMMIT" */
extern const char roce_rdma_core[]; /* of the static program: the version of rdma-core that is in it, else "" */
extern const char roce_providers[]; /* and its providers, a blank between two */
