/* SPDX-License-Identifier: MIT */
/* The files that configure RDMA libraries, as the libraries themselves read them. Pure, of any bytes. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* An assignment. Name and value lie in the text, or in a copy that ends with the call; neither is ended by a
 * NUL. */
struct conf_line {
    const char *name, *value;
    size_t name_len, value_len;
    unsigned number;  /* of the line, from 1 */
    bool conditional; /* UCX: holds for some machines only, as its section says */
};
typedef void conf_line_fn(void *data, const struct conf_line *line);

/* nccl.conf, and RCCL's rccl.conf, as setEnvFile() of NCCL 2.30.7 reads it (NVIDIA/nccl 5067397,
 * src/misc/param.cc): NAME=VALUE, no blanks cut, a "#" only at the beginning of a line. The first assignment
 * of a name holds: setenv() doesn't overwrite. */
void nccl_conf_parse(const char *text, size_t len, conf_line_fn *fn, void *data);

/* ucx.conf, as UCX 1.23 reads it (openucx/ucx 9466d104, src/ucs/config/ini.c and parser.c): NAME=VALUE or
 * NAME:VALUE, "#" and ";" comments, lines that begin with a blank continue the name before them, a line is 199
 * bytes at most. [Sections] only matter where a line such as "CPU model=Milan" makes the rest of one
 * conditional. The last assignment of a name holds. */
void ucx_conf_parse(const char *text, size_t len, conf_line_fn *fn, void *data);

/* openmpi-mca-params.conf, as Open MPI reads it (open-mpi/ompi 0ab48ad, opal/util/keyval/keyval_lex.l): NAME =
 * VALUE; "#", "//" and comments as of C only where a name could stand. Names are MCA parameters, "pml",
 * which the environment calls OMPI_MCA_pml. The last assignment of a name holds (mca_base_parse_paramfile.c). */
void mpi_conf_parse(const char *text, size_t len, conf_line_fn *fn, void *data);
