# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154  # the variables are those of tests/robust/run
# Words that aren't known, lines and logs of any bytes.

case_explain_unknown_words() {
	run explain FOO_ERR # endings of hfi1's counters are no words
	status_is 2
	out_is_empty
	err_has "nothing is known of 'FOO_ERR'"
	run explain IBV_WC_RETRY_ERR
	status_is 2
	err_has "did you mean 'IBV_WC_RETRY_EXC_ERR'"
	run explain pfcc
	err_has "'PFC'"
	run explain Poling
	err_has "'Polling'"
	run explain NCCL_IB_GID_INDX
	err_has "'NCCL_IB_GID_INDEX'"
	run explain "app[3]: odd of the device: ibv_reg_mr, ENOMEM, no GIDs, unGID" # those of a line; no English, no parts of words
	status_is 2
	err_has "as a whole; explain a word of it: 'ibv_reg_mr' or 'ENOMEM'"
	run explain ibv_modify_qp
	status_is 0
	out_has 'ETIMEDOUT: '
	run explain "create a queue pair"
	out_has 'EAGAIN: '
	run explain 4000
	status_is 2
	run explain "reject 99"
	status_is 2
	run -j explain FOO_ERR
	status_is 2
	out_is_empty
}
case_explain_what_counters_explains() {
	local machine
	for machine in fixtures/*.machine; do
		build/roce -r "$machine" -j counters 2>"$work/err" | jq -r '.counters[] | select(.meaning) | .name'
	done | sort -u >"$work/names"
	[ "$(wc -l <"$work/names")" -gt 300 ] || fault "the recorded machines have few counters"
	mapfile -t names <"$work/names"
	run --root "$(fixture rxe-plain)" explain "${names[@]}"
	status_is 0
	run explain CceCsrParityErr # no machine has it
	status_is 0
	out_has "hfi1"
}
case_explain_numbers_as_they_are_pasted() {
	local text
	for text in "status 12" status=12 "status: 12" "wc_status=12" "synd 0x15" syndrome:0x15; do
		[[ $text == wc_* ]] && text=${text/_/ }
		run -j explain "$text"
		status_is 0
		json_is '.explanations[0] | .kind == "completion status" and .number == 12'
	done
	run -j explain "errno: -110"
	json_is '.explanations[0] | .kind == "errno" and .name == "ETIMEDOUT"'
	run explain "12:30"
	status_is 2
}
case_explain_words_as_people_write_them() {
	local query kind name
	while IFS='|' read -r query kind name; do
		run -j explain "$query"
		status_is 0
		json_is "any(.explanations[]; .kind == \"$kind\" and .name == \"$name\")"
	done <<-'END'
		pause frames|check|pause-frames
		Devlink Health|check|devlink-health
		symbol errors|counter|symbol_error
		link up|physical state|LinkUp
		retries exceeded|completion status|IBV_WC_RETRY_EXC_ERR
		loc_prot_err|completion status|IBV_WC_LOC_PROT_ERR
		port err|asynchronous event|IBV_EVENT_PORT_ERR
		broken pipe|errno|EPIPE
		-110|errno|ETIMEDOUT
		virtual function|term|VF
		mlx5_bond_0|term|device
		enp1s0f0np0|term|netdev
		connectx-7|term|ConnectX
		vendor error 0x81|term|vendor error
		UCX_TLS=tcp|variable|UCX_TLS
		low bandwidth|symptom|slow
		NCCL hangs|symptom|hang
		why is rdma so slow|symptom|slow
		qos|command|qos
		topology|command|topology
		nvidia-smi topo|command|nvidia-smi topo
	END
	run -j explain "timeout 14"
	json_is '.explanations | length == 1 and .[0].name == "retry_cnt" and (.[0].comes_to | test("67.1 ms"))'
	run -j explain "tos 106"
	json_is '.explanations[0].comes_to == "106 is DSCP 26, with ECN"'
	run -j explain "dscp 26"
	json_is '.explanations[0].comes_to | test("104, with ECN 106")'
	run -j explain "mtu 1500"
	json_is '.explanations[0].comes_to | test("1024")'
	run -j explain "dscp 64"
	json_is '.explanations[0].comes_to == "there is none but 0 to 63"'
	run -j explain tos=af41 # no number
	json_is '.explanations[0] | .name == "TOS" and (has("comes_to") | not)'
	run -j explain ib_write_bw
	json_is '.explanations[0] | .kind == "command" and .look == "roce ping --bandwidth"'
	run -j explain lldpcli # nothing of roce's does it
	json_is '.explanations[0] | .kind == "command" and .look == null'
	run explain "the fabric is slow today in purple" # not a word of it for the rest
	status_is 2
	out_is_empty
}
case_explain_words_of_operators() {
	local words
	while IFS= read -r words; do
		run explain "$words"
		status_is 0
		err_lacks "nothing is known of '$words'"
	done <<-'END'
		WRED
		kmin
		xoff
		headroom
		802.1Qbb
		CoS
		dscp_to_tc_map
		Tomahawk 5
		VOQ
		microburst
		MLAG
		vxlan
		hash polarization
		optical power
		DAC
		FCS errors
		PSID
		connectx7
		BlueField
		SR-IOV
		scalable function
		vfio-pci
		device plugin
		k8s-rdma-shared-dev-plugin
		rdma cgroup
		exclusive mode
		/dev/infiniband/uverbs0
		/etc/security/limits.conf
		ulimit -l
		OOM killer
		straggler
		all-reduce
		rendezvous
		PMIx
		ncclSystemError
		nccl remote error
		UCS_ERR_ENDPOINT_TIMEOUT
		FI_EAGAIN
		xid-79
		stale file handle
		too many open files
		MASTER_ADDR
		NVSHMEM_HCA_LIST
		RDMAV_FORK_SAFE
		nvme over fabrics
		NQN
		keep-alive
		works with two nodes
		same subnet
		gone after reboot
		using socket
		works only with two nodes
		gid table empty
		nccl hangs at init
		link keeps flapping
	END
}
case_explain_lines_of_this_machine() {
	local f
	f=$(fixture mlx5-dual-port)
	run -j --root "$f" explain "NCCL WARN NET/IB : mlx5_0:1 Got async event : port error"
	status_is 0
	json_is '.explanations[0] | .kind == "message" and .name == "NCCL" and .says == "IBV_EVENT_PORT_ERR" and .named[0].device == "mlx5_0" and .named[0].port == 1
		and .named[0].state == "DOWN" and .named[0].verdict == "unused" and (.look | test("--root .* mlx5_0/1$"))'
	run -j --root "$f" explain "NET/IB : Got completion from peer 10.9.8.7<1> with status=12 localGid fe80::c670:bdff:feaa:1fc8"
	json_is '[.explanations[0].named[] | [.text, .here, .gid_index]] == [["10.9.8.7", false, null], ["fe80::c670:bdff:feaa:1fc8", true, 1]]'
	run --root /nonexistent explain "Failed status 12"
	status_is 2
	run --root /nonexistent explain PFC # no machine is asked
	status_is 0
}
case_explain_logs() {
	local log=$work/log
	printf 'nothing\r\nFailed status 12\r\n\0\377\033[31m Failed status 5: wr_id 0\nFailed status 12\n' >"$log"
	run -j --root "$(fixture rxe-plain)" explain --file "$log"
	status_is 0
	json_is '[.explanations[] | [.line_number, .status, .times]] == [[2, 12, 2], [3, 5, 1]]'
	run --root "$(fixture rxe-plain)" explain --file "$log"
	status_is 0
	! grep -q $'\033' "$work/out" || fault "an escape reaches the terminal"
	run --root "$(fixture rxe-plain)" explain - <"$log"
	status_is 0
	mv "$work/out" "$work/asked"
	run --root "$(fixture rxe-plain)" explain <"$log" # a file that is redirected in, a pipe, and what a service has
	cmp -s "$work/out" "$work/asked" || fault "a file redirected in isn't read"
	run --root "$(fixture rxe-plain)" explain < <(cat "$log")
	cmp -s "$work/out" "$work/asked" || fault "a pipe isn't read"
	run explain </dev/null
	status_is 2
	err_has "explain what"
	echo nothing >"$log"
	run explain --file "$log"
	status_is 2
	err_has "no line of"
	: >"$log"
	run explain --file "$log"
	status_is 2
	run explain --file "$work/nowhere"
	status_is 2
	err_has ENOENT
	run explain --file "$work"
	status_is 2
	truncate -s 17M "$log"
	run explain --file "$log"
	status_is 2
	err_has "larger than 16 MiB"
	run explain --file "$log" PFC
	status_is 2
	err_has "not both"
	head -c 300000 /dev/zero | tr '\0' x >"$log" # one long line
	echo "Failed status 12" >>"$log"
	run explain --file "$log"
	status_is 2
}
case_explain_logs_as_programs_write_them() {
	local log=$work/log root
	root=$(fixture rxe-plain)
	# colours within a message and before a device's name; a bar of progress, which is one line for editors
	printf '\033[32minfiniband bnxt_re0: \033[0m\033[31mCouldn'"'"'t start port\033[0m\n' >"$log"
	{
		printf '\r%4d%%|###       | 3.1it/s' {1..400}
		printf '\rn1:98:133 [1] NCCL WARN Call to ibv_modify_qp failed with error Connection timed out\r\n'
		printf '\033]0;title\aFailed st\033[1matus 12\n'
		printf '\033[33mrxe0: \033[0mFailed status 5: wr_id 0\033['
	} >>"$log"
	run -j --root "$root" explain --file "$log"
	status_is 0
	json_is '[.explanations[] | [.line_number, .errno, .status]] == [[1, null, null], [2, "ETIMEDOUT", null], [3, null, 12], [4, null, 5]]
		and .explanations[2].asked == "Failed status 12" and .explanations[3].named[0].text == "rxe0"'
	: >"$log"
	run explain <"$log"
	status_is 2
	err_has "standard input is empty"
	echo nothing >"$log"
	run explain <"$log"
	status_is 2
	err_has "no line of standard input is"
	run explain "$log" # a file for a word
	status_is 2
	err_has "for the lines of that file: roce explain --file $log"
	run explain "-E- Failed to open the device"
	status_is 0
	run explain -- "-E- Failed to open the device"
	status_is 0
	run "-E- Failed to open the device"
	status_is 2
	err_has "put '--' before text"
	run explain -E
	status_is 2
	err_has "unknown option '-E'; see"
}
