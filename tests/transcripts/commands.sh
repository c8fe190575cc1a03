# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# What is printed for each machine, here and under emulation (tests/cross).
tables=(status devices links gids "gids --for nccl" "gids --for ucx" "gids --for perftest" "gids --for rdma_cm" counters "counters --errors"
	qos mode users "users --objects" "users --totals" topo "topo --gpus" "topo --ports" doctor)
json=(status devices links gids "gids --for nccl" counters qos mode users "users --objects" "users --totals" topo "topo --gpus" facts doctor)

# Metrics are long: of a machine of each kind of driver, and of what can be wrong with one.
with_metrics=(no-rdma broken rxe-dcb mlx5-dual-port bnxt-re-vlan hns-roce mana)
metrics=("metrics --skip build_info"
	"metrics --checks --gids --gid-info --processes --limits --only finding,port_gid*,port_roce_enabled,user_*,device_resource_limit")

# Of a machine with all of PCIe's configuration space, with some of it, and with none.
with_pcie=(mlx5-roce-train fault-platform fault-gpus bnxt-re-gpu partial-gpus-mi300x partial-acs-inline)

# The commands, each with its line of the transcript before it: those of JSON are JSON themselves.
commands() { # FIXTURE
	local command
	for command in "${tables[@]}"; do printf '$ roce %s\t%s\n' "$command" "$command"; done
	[[ " ${with_metrics[*]} " != *" $1 "* ]] || for command in "${metrics[@]}"; do printf '$ roce %s\t%s\n' "$command" "$command"; done
	[[ " ${with_pcie[*]} " != *" $1 "* ]] || printf '$ roce topo --pcie\ttopo --pcie\n'
	[[ $1 != fault-numa && $1 != mlx5-roce-train ]] || printf '$ roce topo --irqs\ttopo --irqs\n'
	for command in "${json[@]}"; do printf '"$ roce -j %s"\t-q -j %s\n' "$command" "$command"; done
	[ "$1" != fault-numa ] || printf '"$ roce -j topo --irqs"\t-q -j topo --irqs\n'
	[ "$1" != fault-platform ] || printf '"$ roce -j topo --pcie"\t-q -j topo --pcie\n'
}
