# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154  # $work is that of who reads this file
# What starts roce on many hosts: for the suites that run one of them, on the host (tests/contrib) and in guests.

# manual_lines SECTION ENGINE: the displays of roce-fleet(7) below .Sh SECTION, .Ss ENGINE, in their order.
manual_lines() {
	awk -v section="$1" -v engine="$2" '
		/^\.Sh / {here = 0; in_section = substr($0, 5) == section}
		/^\.Ss / {here = in_section && substr($0, 5) == engine}
		/^\.Ed/ {shown = 0}
		here && shown
		/^\.Bd/ {shown = 1}' "${BASH_SOURCE[0]%/*}/../man/roce-fleet.7"
}

# mpi_in DIR: an Open MPI of Debian's packages, which were unpacked there. Makes $work/bin/mpirun, which starts its daemons by $work/bin/ssh.
mpi_in() {
	local libraries
	libraries=$(dirname "$(find "$1/usr/lib" -name libopen-rte.so.40)")
	mkdir -p "$work/bin" "$work/mpi"
	# Each daemon has a directory of its own: they are all on one machine, and would remove each other's.
	cat >"$work/bin/mpi-ssh" <<-SH
		#!/bin/bash
		for host; do [[ \$host = -* ]] || break; done
		export TMPDIR=$work/mpi/\$host
		mkdir -p "\$TMPDIR"
		exec $work/bin/ssh "\$@"
	SH
	cat >"$work/bin/mpirun" <<-SH
		#!/bin/bash
		export OPAL_PREFIX=$1/usr OPAL_LIBDIR=$libraries/openmpi/lib TMPDIR=$work/mpi PMIX_MCA_pcompress_base_silence_warning=1
		export LD_LIBRARY_PATH=$libraries:$libraries/openmpi/lib
		exec $1/usr/bin/mpirun.openmpi --allow-run-as-root --mca plm_rsh_agent $work/bin/mpi-ssh "\$@"
	SH
	chmod +x "$work/bin/mpirun" "$work/bin/mpi-ssh"
}
