# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2034  # for those that read this file
# A Slurm of Debian's packages, below $work: for the suites that run one, on the host (tests/contrib) and in guests.

# slurm_in DIR: where the packages were unpacked. Fills $libraries, $plugins and $slurm_environment, which is put in front of its programs.
slurm_in() {
	slurm=$1
	plugins=$(dirname "$(find "$slurm/usr/lib" -name auth_none.so)")
	libraries=${plugins%/*}
	slurm_environment=(LD_LIBRARY_PATH="$libraries:$plugins" SLURM_CONF="$work/slurm.conf")
}
slurm_program() { find "$slurm/usr" -type f -name "$1*" -path '*bin/*' | sort | head -n 1; }

# slurm_conf HOST AUTHENTICATION: $work/slurm.conf of a cluster at $address; what a test has besides comes from its input.
slurm_conf() {
	local more
	more=$(cat)
	cat >"$work/slurm.conf" <<-CONF
		ClusterName=test
		SlurmctldHost=$1(${address:?})
		SlurmUser=root
		AuthType=auth/$2
		CredType=cred/$2
		PluginDir=$plugins
		StateSaveLocation=$work/spool
		SlurmdSpoolDir=$work/spool/%n
		SlurmctldPidFile=$work/slurmctld.pid
		SlurmdPidFile=$work/slurmd.%n.pid
		SlurmctldLogFile=$work/slurmctld.log
		SlurmdLogFile=$work/slurmd.%n.log
		ProctrackType=proctrack/linuxproc
		TaskPlugin=task/none
		SwitchType=switch/none
		MpiDefault=none
		SelectType=select/linear
		$more
	CONF
}

# slurm_commands NAME…: in $work/bin.
slurm_commands() {
	local name
	mkdir -p "$work/bin"
	for name; do
		printf '#!/bin/bash\nexec env %q %q %s "$@"\n' "${slurm_environment[@]}" "$(slurm_program "$name")" >"$work/bin/$name"
		chmod +x "$work/bin/$name"
	done
}

# slurm_daemons NODE…: a slurmctld, and a slurmd a node, each with the node's name for a host name, which is what srun's %N is. $enter (NODE) is what brings
# a slurmd there.
slurm_daemons() {
	local node slurmd slurmstepd
	slurmd=$(slurm_program slurmd) slurmstepd=$(slurm_program slurmstepd)
	mkdir -p "$work/spool"
	env "${slurm_environment[@]}" "$(slurm_program slurmctld)" -D -f "$work/slurm.conf" >"$work/slurmctld.out" 2>&1 &
	for node; do
		mkdir -p "$work/spool/$node"
		# shellcheck disable=SC2016  # for that shell
		${enter:+$enter "$node"} unshare -u sh -c 'echo "$0" >/proc/sys/kernel/hostname; exec "$@"' "$node" \
			env "${slurm_environment[@]}" "$slurmd" -D -N "$node" -f "$work/slurm.conf" -d "$slurmstepd" >"$work/slurmd.$node.out" 2>&1 &
	done
}
slurm_idle() { [ "$("$work/bin/sinfo" -h -t idle -o %D 2>&1)" = "$1" ]; } # NODES
slurm_complaints() { "$work/bin/sinfo" 2>&1 | xargs; tail -q -n 2 "$work"/slurm{ctld,d.*}.{log,out} 2>&1 | xargs; }
