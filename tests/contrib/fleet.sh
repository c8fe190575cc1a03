# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154  # the words and variables are those of tests/contrib/lib.sh
# The engines of roce-fleet(7), real ones: Slurm (slurmctld and a slurmd a node), ClusterShell, Open MPI, Ansible. The lines that are run are the manual's own, with
# eight nodes in place of 64; on each, roce has a machine of that name, and nodes 3 and 7 have a fault each (tests/compare/fleet.jq).

slurm_packages # before the namespace, which has no network
part=mpi packages openmpi-bin
mpi=$packages
packages -n ansible-core python3-{jinja2,markupsafe,packaging,resolvelib} # not netaddr with its list of vendors
in_namespaces
python=$packages/usr/lib/python3/dist-packages
address=10.77.0.1
ip address add $address/32 dev lo
hostname node0
cd "$work" || exit
mkdir bin python tmp spool run

# roce on a node: NODE, or the name that slurmd gives it; elsewhere it is roce itself.
cat >bin/roce <<SH
#!/bin/bash
node=\${NODE:-\${SLURMD_NODENAME-}}
case \$node,\$1 in
,*) exec $roce "\$@" ;;
*,facts) $roce --root $top/$(fixture mlx5-roce-train) "\$@" |
	jq -c --argjson hosts 8 --arg plant yes -f $top/tests/compare/fleet.jq | grep -F "\"host\":\"\$node\"" ;;
*) echo "on \$node" && exec $roce --root $top/$(fixture fault-link) "\$@" ;;
esac
SH
# What ClusterShell and mpirun take for ssh: ssh OPTION… HOST COMMAND…, as a shell on that host, which has its name.
cat >bin/ssh <<'SH'
#!/bin/bash
while [[ $1 = -* ]]; do shift; done
export NODE=$1
shift
exec bash -c "$*"
SH
# shellcheck disable=SC2016  # for that script
printf '#!/bin/bash\necho "${NODE-node}"\n' >bin/hostname
chmod +x bin/*
PATH=$work/bin:$PATH

# ---- the manual's lines
# lines_of SECTION ENGINE: with eight nodes of these names.
lines_of() { manual_lines "$1" "$2" | sed "s/'h\[0-63\]/'node[0-7]/; s/'h\[/'node[/; s/-N64/-N8/; s,/tmp/,$work/tmp/,"; }
# run_lines SECTION ENGINE: each in a shell of its own, in run/ENGINE; what they print in ENGINE.out. 1 is what compare and doctor say of a fault.
run_lines() {
	local line status count=0
	mkdir -p "run/$2"
	while IFS= read -r line; do
		count=$((count + 1))
		(cd "run/$2" && timeout 300 bash -o pipefail -c "$line" </dev/null) >>"$2.out" 2>"$2.err"
		status=$?
		case $line:$status in
		*compare*:1 | *doctor*:1 | mkdir*:0 | *"roce facts"*:0) result ok "$2: $line" ;;
		*) result FAILED "$2: $line" "status $status: $(tail -n 3 "$2.err" | xargs)" ;;
		esac
	done < <(lines_of "$1" "$2")
	equal "$2: the manual has lines" yes "$([ "$count" -ge 1 ] && echo yes)"
}
# What is wrong: key, and the odd nodes.
found() { roce compare -j "$@" | jq -r '.findings[] | "\(.key) \([.groups[] | select(.odd).hosts] | join(" "))"' | sort | xargs; }
faults="fw_ver node3 netdev_mtu node7"

# ---- Slurm
slurm_conf node0 none <<CONF
ReturnToService=2
NodeName=node[0-7] NodeAddr=$address Port=[17001-17008] CPUs=1 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES State=UP
CONF
slurm_commands srun sinfo
slurm_daemons node0 node1 node2 node3 node4 node5 node6 node7
if until_so 60 slurm_idle 8; then
	run_lines "COMPARE ALL HOSTS" Slurm
	equal "Slurm: a whole file of each node" 8 "$(cat run/Slurm/today/*.json | jq -r .host | sort -u | grep -c '^node')"
	equal "Slurm: what is found" "$faults" "$(found run/Slurm/today)"
	shows "Slurm: the names that compare prints are srun's" "on node7" cat Slurm.out
else
	result FAILED "Slurm comes up" "$(slurm_complaints)"
fi

# ---- ClusterShell
run_lines "COMPARE ALL HOSTS" ClusterShell
shows "ClusterShell: what is found through the pipe" "node3" cat ClusterShell.out
equal "ClusterShell: and in its files" "$faults" "$(found run/ClusterShell/today)"
# clush -b puts hosts together that print the same: the oracle of compare's groups.
groups_are_clush_s() { # KEY PROGRAM
	# shellcheck disable=SC2016  # for the hosts
	clush -w 'node[0-7]' -b "roce facts | jq -r '$2'" 2>/dev/null </dev/null | sed -n 's/ ([0-9]*)$//; /^node/p' | sort >theirs
	roce compare -j --only "$1" run/ClusterShell/today | jq -r '.findings[0].groups[].hosts' | sort | diff theirs -
}
check "ClusterShell: clush -b has compare's groups, of firmware" groups_are_clush_s fw_ver '.devices[4].fw_ver'
check "ClusterShell: and of the MTU" groups_are_clush_s netdev_mtu '.ports[0].netdev_mtu'

# ---- Open MPI
mpi_in "$mpi"
mkdir -p run/MPI
for i in 0 1 2 3 4 5 6 7; do echo "node$i slots=1"; done >run/MPI/hosts
export OMPI_MCA_oob_tcp_if_include=lo # there is no other here
echo login >/proc/sys/kernel/hostname # node0 is another host
run_lines "COMPARE ALL HOSTS" MPI
equal "MPI: a whole file of each node" 8 "$(cat run/MPI/today/*.json | jq -r .host | sort -u | grep -c '^node')"
equal "MPI: what is found" "$faults" "$(found run/MPI/today)"

# ---- Ansible
export PYTHONPATH=$python ANSIBLE_LOCAL_TEMP=$work/tmp/ansible ANSIBLE_REMOTE_TEMP=$work/tmp/ansible ANSIBLE_NOCOWS=1 ANSIBLE_HOME=$work/tmp/ansible
export ANSIBLE_PYTHON_INTERPRETER=auto LC_ALL=C.UTF-8 HOME=$work/tmp
echo '[gpu]' >hosts
for i in 0 1 2 3 4 5 6 7; do
	printf '#!/bin/sh\nNODE=node%s exec python3 "$@"\n' "$i" >"python/node$i"
	echo "node$i ansible_connection=local ansible_python_interpreter=$work/python/node$i" >>hosts
done
chmod +x python/*
lines_of "COMPARE ALL HOSTS" Ansible >playbook.yml
# facts of a node with the node's tools alone: none of them gathered
if ANSIBLE_GATHERING=explicit timeout 600 python3 "$packages/usr/bin/ansible-playbook" -i hosts playbook.yml >Ansible.out 2>&1; then
	result ok "Ansible: the playbook runs"
else
	result FAILED "Ansible: the playbook runs" "$(grep -E 'ERROR|FAILED|fatal|rror' Ansible.out | head -n 3 | xargs -d '\n')"
fi
equal "Ansible: what is found in what it fetched" "$faults" "$(found facts)"
