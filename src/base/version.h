/* SPDX-License-Identifier: MIT */
/* This roce's version. make writes it to a separate file, so that changing it recompiles nothing else. */
#pragma once

extern const char roce_version[];   /* "0.1.0", or "0.1.0+COMMIT" if not tagged */
extern const char roce_rdma_core[]; /* the rdma-core in the static program, else "" */
extern const char roce_providers[]; /* and its providers, separated by blanks */
