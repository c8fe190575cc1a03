# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154  # $work is that of who reads this file
# An Open MPI of Debian's packages, below $work: for the suites that run one, on the host (tests/contrib) and in guests.

# mpi_in DIR: where the packages were unpacked. Makes $work/bin/mpirun, which starts its daemons by $work/bin/ssh.
mpi_in() {
	local libraries
	libraries=$(dirname "$(find "$1/usr/lib" -name libopen-rte.so.40)")
	mkdir -p "$work/bin" "$work/mpi"
	cat >"$work/bin/mpirun" <<-SH
		#!/bin/bash
		export OPAL_PREFIX=$1/usr OPAL_LIBDIR=$libraries/openmpi/lib TMPDIR=$work/mpi PMIX_MCA_pcompress_base_silence_warning=1
		export LD_LIBRARY_PATH=$libraries:$libraries/openmpi/lib
		exec $1/usr/bin/mpirun.openmpi --allow-run-as-root --mca plm_rsh_agent $work/bin/ssh "\$@"
	SH
	chmod +x "$work/bin/mpirun"
}
