# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154  # the variables are those of tests/robust/run
# Words, and streams that cannot be written.

case_unknown_words() {
	local f
	f=$(fixture mlx5-roce-train)
	run --root "$f" devcies
	status_is 2
	out_is_empty
	err_has 'devcies'
	err_has "devices"
	run --root "$f" gids mlx5_l0
	status_is 2
	out_is_empty
	err_has "'mlx5_l0'; did you mean"
	run --root "$f" gids mlx5_0/2
	status_is 2
	out_is_empty
	err_has "no port '2'"
	run --root "$f" gids mlx5_0/x
	status_is 2
	err_has "no port 'x'"
	run --root "$f" gids -o index,nedtev
	status_is 2
	out_is_empty
	err_has 'nedtev'
	err_has 'netdev'
	run --root "$f" gids --alll
	status_is 2
	out_is_empty
	err_has '--alll'
	run --root "$f" gids --for nobody
	status_is 2
	err_has 'nobody'
	run --root "$f" gids -o
	status_is 2
	run --root
	status_is 2
	err_has '--root'
	run --color sometimes gids
	status_is 2
	err_has 'sometimes'
}
case_stdout_is_full() {
	local command
	for command in status devices links gids counters '-j gids' '-j counters' help version; do
		status=0
		# shellcheck disable=SC2086 # an option and a command
		"$roce" --root "$(fixture mlx5-roce-train)" $command >/dev/full 2>"$work/err" || status=$?
		ran="roce $command >/dev/full"
		status_is 2
		err_has 'ENOSPC'
	done
}
case_stdout_is_closed() {
	local command
	for command in gids '-j gids' help; do
		status=0
		# shellcheck disable=SC2086
		"$roce" --root "$(fixture mlx5-roce-train)" $command >&- 2>"$work/err" || status=$?
		ran="roce $command >&-"
		status_is 2
		err_has 'EBADF'
	done
}
case_stdout_is_a_closed_pipe() {
	local -a both
	for command in counters '-j counters'; do
		# shellcheck disable=SC2086
		{ "$roce" --root "$(fixture mlx5-roce-train)" $command 2>"$work/err"; } | :
		both=("${PIPESTATUS[@]}")
		ran="roce $command | :"
		[ "${both[0]}" -eq 0 ] || [ "${both[0]}" -eq 141 ] || [ "${both[0]}" -eq 2 ] || fault "$ran: status ${both[0]}"
		[ "$(wc -l <"$work/err")" -le 1 ] || fault "$ran: more than one line in stderr"
	done
}
case_all_descriptors_are_closed() {
	machine
	local before
	before=$(find "$root" -type f -exec cksum {} + | cksum)
	status=0
	"$roce" --root "$root" gids nobody <&- >&- 2>&- || status=$?
	ran='roce gids <&- >&- 2>&-'
	status_is 2
	[ "$before" = "$(find "$root" -type f -exec cksum {} + | cksum)" ] || fault "$ran: a message went into the machine"
}
case_errors_file_is_rubbish() {
	machine
	printf 'no tab here\nsys/x\tENOSUCHERRNO\n\t\n\t\tEINVAL\nsys/[3-1]\tEINVAL\nsys/[0-99999999999999999999]\tEINVAL\n\xff\x1b[31m\tEIO\n' >>"$root/errors"
	run --root "$root" gids
	[ "$status" -eq 0 ] || [ "$status" -eq 2 ] || fault "$ran: status $status"
	err_has 'errors'
}
case_errors_of_many_files() { # four times as many take the CPU about four times as long, not sixteen times
	local form count used TIMEFORMAT=%U
	machine
	mkdir -p "$port/counters"
	cp "$root/errors" "$work/errors"
	for form in directory file; do
		for _ in 1 2 3; do
			used=()
			for count in 10000 40000; do
				(cat "$work/errors" && seq -f "${port#"$root/"}/counters/c%06.0f" "$count" | sed 's/$/\tEIO/') >"$root/errors"
				[ $form = directory ] || { rm -f "$work/file" && "$roce" record --pack "$root" "$work/file"; }
				{ time run --root "$([ $form = directory ] && echo "$root" || echo "$work/file")" -j counters; } 2>"$work/used"
				used+=("$(tail -n 1 "$work/used" | tr -d .)")
				status_is 0
				[ "$(grep -c '"error": "EIO"' "$work/out")" = $((count * 2)) ] || fault "$ran: not each is told of"
			done
			[ "$((10#${used[1]}))" -ge "$((10#${used[0]} * 8))" ] || continue 2
		done
		fault "a $form: ${used[*]} ms"
	done
}
case_errors_are_of_so_many_files() { # however few lines they are
	machine
	printf '%s\n' sys/class/none/{a,b,c,d}$'[0-70000]\tEIO' >>"$root/errors"
	run --root "$root" gids
	status_is 2
	err_has 'its errors are of more than 262144 files'
}
case_broken_fixture() {
	local f
	f=$(fixture broken)
	listings_show "$f" mlx5_0 gids counters
	listings_show "$f" mlx5_1
	listings_show "$f" i40iw0
	listings_show "$f" 'odd name,1' gids counters
	run --root "$f" devices
	err_has 'scif0'
	run --root "$f" -j counters mlx5_1
	json_is '[.counters[] | select(.name == "a_counter_nobody_knows") | .value] == [7]'
}
# On a terminal long output goes through a pager, and nowhere else; one that leaves early is no failure.
case_a_pager_on_a_terminal() {
	local command
	command="'$(realpath "$roce")' --root '$(fixture fault-gid)' doctor"
	on_terminal() { # COMMAND: what a terminal of 80 columns gets
		status=0 ran=$1
		script -qec "stty cols 80; $1" /dev/null </dev/null >"$work/typed" || status=$?
		tr -d '\r' <"$work/typed" >"$work/out"
	}
	export ROCE_PAGER="sed s/^/paged:/" PAGER="sed s/^/other:/"
	on_terminal "$command"
	status_is 1
	out_has "paged:"
	[ "$(wc -L <"$work/out")" -le $((80 + 6)) ] || fault "$ran: wider than 80 columns"
	[ "$(sed -n 's/^paged://p' "$work/out" | grep -c 'failure.*could not look')" = 2 ] || fault "$ran: the summary isn't first and last"
	on_terminal "$command --no-pager"
	status_is 1
	out_lacks "paged:"
	on_terminal "ROCE_PAGER= $command"
	out_lacks ":WARN"
	on_terminal "ROCE_PAGER='head -n 1' $command"
	status_is 1
	unset ROCE_PAGER
	on_terminal "$command"
	out_has "other:"
	on_terminal "PAGER=cat $command"
	out_lacks "other:"
	export ROCE_PAGER="sed s/^/paged:/"
	run --root "$(fixture fault-gid)" doctor
	out_lacks "paged:"
	on_terminal "$command --one-line"
	out_lacks "paged:"
	unset ROCE_PAGER PAGER
}
# Set-user-ID root, it would read root's files for anybody, and write as root.
case_set_user_id() {
	[ "$(id -u)" -eq 0 ] || return 0
	printf '#!/bin/sh\nexec setpriv --%s=65534 --clear-groups %s "$@"\n' ruid "$roce" >"$work/set-uid"
	printf '#!/bin/sh\nexec setpriv --%s=65534 --clear-groups %s "$@"\n' rgid "$roce" >"$work/set-gid"
	chmod 755 "$work"/*
	local name roce=$roce
	for name in set-uid set-gid; do
		roce=$work/$name
		run version
		status_is 2
		err_has "it refuses to run set-user-ID or set-group-ID"
	done
}

# What would be ignored in silence, or answered by something else, is refused with a word.
case_options_that_do_nothing() {
	local f list
	f=$(fixture rxe-in-use)
	for list in '' ',' ',,'; do # "$CHECKS" was empty: a gate that judges nothing must not pass
		run --root "$f" doctor --only="$list"
		status_is 2
		out_is_empty
		err_has 'no check to run'
		run compare --only="$list" "$f" "$(fixture siw)" # where nothing would differ
		status_is 2
		err_has 'no key to compare'
		run --root "$f" metrics --only="$list"
		status_is 2
		err_has 'no family'
	done
	run --root "$f" doctor --only gid --skip gid
	status_is 2
	err_has 'no check to run'
	run --root "$f" doctor --skip=
	status_is 0
	run --root "$f" counters --count 3
	status_is 2
	err_has '--watch'
	run --root "$f" topo --dot --gpus
	status_is 2
	err_has '--dot and --gpus'
	run --root "$f" topo --irqs --pcie
	status_is 2
	err_has '--pcie and --irqs'
	run help gids qos
	status_is 2
	err_has "'qos'"
	run mode forget
	status_is 2
	err_has "'mode forget' takes one device"
	run --root "$f" users --objects qp --state ERROR
	status_is 2
	out_is_empty
	err_has "'ERROR'"
	err_has 'ERR)'
	run --root "$f" users --objects qp --state rts
	status_is 0
	out_has ibv_rc_pingpong
	run --root "$f" users --objects cm_id --state listen
	status_is 0
	run --root "$f" users --state RTS
	status_is 2
	err_has '--state is of --objects'
	run --root "$f" users --objects --totals
	status_is 2
	err_has 'two views'
	run --root "$f" users qp
	status_is 2
	err_has 'roce users --objects qp'
	run --root "$f" resources
	err_has "'roce users --objects' here"
}
case_options_of_another_command() {
	local f
	f=$(fixture rxe-in-use)
	run --root "$f" status --fail-on warn
	status_is 2
	err_has "'status': unknown option '--fail-on', which belongs to 'roce doctor'"
	run --root "$f" status --for nccl # which getopt takes for --format
	status_is 2
	err_has "unknown option '--for', which belongs to 'roce gids'"
	run --root "$f" status --for=nccl
	status_is 2
	err_has "unknown option '--for', which belongs to 'roce gids'"
	run --root "$f" status --form csv # an abbreviation that nobody else has
	status_is 0
	out_has 'device,port'
	run --root "$f" status --json=1
	status_is 2
	err_has "'--json' takes no value"
	run --root "$f" status --zzzzzz
	status_is 2
	err_has "see 'roce status --help'"
}
case_operands_that_leave_nothing() {
	run --root "$(fixture rxe-in-use)" devices '!rxe0'
	status_is 0
	err_has 'the operands leave them all out'
	err_lacks 'no RDMA device'
	run --root "$(fixture rxe-in-use)" gids rxe0/2
	status_is 2
	err_has "no port '2', only port 1"
	run --root "$(fixture mlx4-mixed)" gids mlx4_0/3
	status_is 2
	err_has "no port '3'; it has 2 ports"
}
case_files_that_are_something_else() {
	local f
	f=$(fixture rxe-in-use)
	echo text >"$work/text"
	run --root "$f" doctor --before "$work/text"
	status_is 2
	err_has 'not a recording'
	err_lacks 'cannot read the machine'
	[ "$(wc -l <"$work/err")" = 1 ] || fault "$ran: more than one message"
	run --root "$work/text" status
	status_is 2
	err_has 'not a recording'
	run compare --against "$work/none" "$f"
	status_is 2
	err_has "--against: cannot read '$work/none'"
	run compare "$work/text"
	status_is 2
	err_has 'no host to compare'
}
case_seconds_behind_an_equals_sign() {
	run counters -w=0.02 -n 1
	[ "$status" -ne 2 ] || fault "$ran: -w=SECONDS is refused: $(head -n 1 "$work/err")"
	run counters -w=nonsense -n 1
	status_is 2
	err_has "not 'nonsense'"
}
# With a device named, doctor and the metrics' checks judge that one, and what is of the whole host.
case_operands_choose_what_is_judged() {
	local f
	f=$(fixture fault-gid)
	run --root "$f" doctor mlx5_4
	status_is 1
	out_has 'nccl-ib-hca'
	out_has 'mlx5_4/1'
	out_lacks 'mlx5_3/1'
	run --root "$f" metrics --checks --only finding mlx5_4
	status_is 0
	out_has 'device="mlx5_4"'
	out_lacks 'device="mlx5_3"'
	run --root "$f" doctor
	out_has 'mlx5_3/1'
}

# Whatever names something here is enough, and what names nothing says so.
case_a_name_is_enough() {
	local name
	for name in mlx5_3 mlx5_3/1 mlx5_3:1 rail1 10.101.0.17 '::ffff:10.101.0.17' 3c:00.0 mlx5_3,mlx5_4 'mlx5_[3-4]'; do
		run --root "$(fixture mlx5-roce-train)" "$name"
		status_is 0
		out_has "mlx5_3"; out_has "ACTIVE"
		out_has "Findings (roce doctor)"
	done
	run --root "$(fixture fault-qos)" ens6
	status_is 1
	out_has traffic-class-priority
	for name in 0000:19:00.0 19:00.0; do
		run --root "$(fixture mlx5-roce-train)" "$name"
		status_is 0
		out_has NVIDIA
	done
	run --root "$(fixture mlx5-roce-train)" -j mlx5_3
	status_is 0
	[ "$(jq -c '[.ports, .gids_for, .devices | length]' "$work/out")" = '[1,1,1]' ] || fault "its JSON: $(head -c 200 "$work/out")"
}
# What people typed who had never seen roce, and what it then was, or said.
case_by_intuition() {
	local words wanted
	while IFS='|' read -r words wanted; do
		# shellcheck disable=SC2086  # words
		run --root "$(fixture mlx5-roce-train)" $words
		cat "$work/out" "$work/err" >"$work/both"
		grep -qF -- "$wanted" "$work/both" || fault "$ran: nothing of '$wanted': $(head -n 2 "$work/both")"
	done <<-'END'
		rdma link show|400 Gb/s
		ip addr show rail0|10.100.0.17
		rdma res show|roce users --objects
		-d mlx5_0|400 Gb/s
		gids -d mlx5_4 -v|mlx5_4
		counters -x|roce ping --gid
		ib_write_bw -d mlx5_0 -x 3 10.100.0.18|'roce serve' on the other
		ports --down|ACTIVE
		topo -m|PIX
		link show mlx5_1/1|mlx5_1
		res show qp dev mlx5_0|no list of qp
		why is mlx5_1 slow|'slow' is 'roce doctor'
		why is mlx5_1 purple|'purple'
		why is mlx5_1 purple and slow|'purple' isn't understood in this question; 'roce doctor'
		which gid index should nccl use|NCCL_IB_HCA
		is pfc enabled on mlx5_0|priorities
		what is pfc|Priority-based Flow Control
		what is wrong|worth knowing
		mlx5_core 0000:5a:00.0 rail3: Link down|lost its link
		flaps|'roce counters link_downed'
		ss -l|unknown option '-l'
		get nodes -o wide|'nodes' isn't understood
		optics|module-health
		-d mlx5_0 gids|RoCE v2
		is it lossless|'roce qos'
		mlx5_2 down|'roce doctor'
		out_of_sequence|roce counters out_of_sequence
		tos 106|--for-tos
		--port 1|DEVICE/PORT
		status -o json|--format json
		--csv|--format csv
		-w|roce top
		state=down|--filter 'state=down'
		status state=down|--filter 'state=down'
		qos --sort device|no listing of rows
		topo --sort device|it does with --gpus
		what changed|roce -r BEFORE -r AFTER
		why slow|failure
		nccl|NCCL_IB_HCA
		which|roce gids --for nccl
		nagios|ROCE OK
		lldp|lldpcli show neighbors
		gids --for|nccl
	END
	run --root "$(fixture mlx5-roce-train)" 'NCCL WARN NET/IB : Got completion from peer 10.0.0.2<1> with status=12 opcode=0 len=0 vendor err 129'
	status_is 0
	out_has 'transport retry'
	run explain 0x81
	status_is 0
}
case_a_name_makes_no_line() {
	run --root $'/tmp/x\nroce: OK' status
	status_is 2
	[ "$(wc -l <"$work/err")" = 1 ] || fault "$ran: more than a line: $(cat "$work/err")"
}
case_a_state_replaces_nothing_else() {
	local f
	f=$(fixture fault-link)
	echo precious >"$work/precious"
	ln -sf precious "$work/link"
	mkfifo "$work/fifo"
	for name in precious link fifo; do
		run --root "$f" doctor --one-line --state "$work/$name"
		status_is 1
		err_has 'nothing that --state made'
	done
	[ "$(cat "$work/precious")" = precious ] || fault "a file was replaced"
	[ -L "$work/link" ] || fault "a link was replaced"
	[ -p "$work/fifo" ] || fault "a FIFO was replaced"
	run --root "$f" doctor --one-line --state "$work/kept"
	run --root "$f" doctor --one-line --state "$work/kept"
	[ ! -s "$work/err" ] || fault "$ran: $(cat "$work/err")"
}
case_a_file_that_grows_too_large() {
	local status=0 here=$work/limited
	mkdir "$here"
	(ulimit -f 8 && exec "$roce" --root "$(fixture fault-link)" record "$here/copy") >/dev/null 2>"$work/err" || status=$?
	[ "$status" = 2 ] || fault "status $status"
	err_has EFBIG
	[ -z "$(ls -A "$here")" ] || fault "left behind: $(ls -A "$here")"
}
case_facts_with_endless_findings() {
	"$roce" --root "$(fixture fault-link)" facts | jq -c '.found_by_doctor = [range(2000) | "warn x\(.)"]' >"$work/endless"
	run compare "$work/endless" "$work/endless"
	err_has "'found_by_doctor' has more than 1024 items"
}
case_a_full_disk_is_unknown_to_nagios() {
	local status=0
	"$roce" --root "$(fixture fault-link)" doctor --nagios >/dev/full 2>/dev/null || status=$?
	[ "$status" = 3 ] || fault "status $status"
}
case_quiet_is_quiet() {
	run --root "$(fixture mlx5-roce-train)" doctor -q
	status_is 0
	out_is_empty
	run --root "$(fixture fault-link)" doctor -q
	status_is 1
	out_has 'fail  port-active'
	out_lacks 'could not look'
}
case_a_name_of_nothing_is_told() {
	run --root "$(fixture mlx5-roce-train)" mlx5_99
	status_is 2
	err_has "no device, port, netdev, address or accelerator here"
	run --root "$(fixture mlx5-roce-train)" lo
	status_is 2
	err_has "a netdev without RDMA"
	run --root "$(fixture mlx5-roce-train)" about
	status_is 2
	err_has "about needs a name"
}
case_commands_may_be_shortened() {
	run --root "$(fixture mlx5-roce-train)" re
	status_is 2
	err_has "the beginning of several commands: record, report"
	run --root "$(fixture mlx5-roce-train)" -j stat mlx5_3
	status_is 0
	[ "$(jq -r '.ports | length' "$work/out")" = 1 ] || fault "stat isn't status"
	run --root "$(fixture mlx5-roce-train)" test
	status_is 2
	err_has "'roce selftest' tests this host"
	run --root "$(fixture mlx5-roce-train)" mlnx_qos rail1
	status_is 0
	err_has "'mlnx_qos' is 'roce qos' here"
	run --quiet --root "$(fixture mlx5-roce-train)" rdma link
	status_is 0
	[ ! -s "$work/err" ] || fault "a note in spite of --quiet"
}

case_findings_are_a_listing() {
	run --root "$(fixture fault-qos)" doctor --brief
	status_is 1
	out_has 'traffic-class-priority  mlx5_5'
	out_lacks 'one reading gives no rate'
	run --root "$(fixture fault-qos)" doctor -o id --filter 'verdict=unknown and id=pcie*' --no-header
	[ "$(sort -u "$work/out" | tr '\n' ' ')" = 'pcie-aer pcie-errors pcie-mrrs pcie-relaxed-ordering ' ] || fault "filtered: $(sort -u "$work/out" | tr '\n' ' ')"
	run --root "$(fixture fault-qos)" -j doctor -o id,verdict
	json_is '.findings | length > 10 and (map(keys) | unique) == [["id", "verdict"]]'
	run --root "$(fixture fault-qos)" doctor --nagios --sort id
	status_is 3
	err_has '--nagios is a format of its own'
}
case_what_came_and_went() {
	run --root "$(fixture fault-qos)" doctor --new
	status_is 2
	err_has '--new compares with an earlier reading'
	run --root "$(fixture fault-qos)" doctor --before "$(fixture fault-qos)" --new
	out_is_empty
	err_has 'nothing has come, and nothing gone'
	run --root "$(fixture fault-link)" doctor --before "$(fixture mlx5-roce-train)" --new -o change,id,device
	out_has 'new     port-active      mlx5_2'
	run --root "$(fixture mlx5-roce-train)" doctor --before "$(fixture fault-link)" --new -o change,id,device
	out_has 'gone    port-active      mlx5_2'
	out_lacks new
}

# What watches ends cleanly when its terminal goes, but not under nohup.
case_a_hang_up() {
	local how pid
	for how in 0 1; do # does nohup ignore it?
		(
			[ $how = 0 ] || trap '' HUP
			exec "$roce" monitor -s 60 >"$work/out" 2>"$work/err"
		) &
		pid=$! ran="roce monitor"
		catches $pid TERM || fault "$ran: it catches nothing"
		kill -HUP $pid
		if [ $how = 1 ]; then
			sleep 0.5
			kill $pid 2>/dev/null || fault "$ran: it ended though a hang-up was ignored"
		fi
		status=0
		wait $pid || status=$?
		status_is 0
	done
}

case_what_trace_cannot_show() {
	local traced
	traced=$(fixture traced)
	run trace nope.machine
	status_is 2
	err_has "cannot open 'nope.machine': no such file"
	out_is_empty
	run trace "$(fixture mlx5-roce-train)"
	status_is 2
	err_has 'this recording has no trace: roce trace --record FILE'
	run --root "$traced" trace "$traced"
	status_is 2
	err_has 'without --root'
	run trace "$traced" mlx5_0 mlx5_1
	status_is 2
	err_has "'mlx5_1' is no recording"
	run --root "$traced" trace 10.0.0.99
	status_is 0
	out_is_empty
	err_has 'nothing of what was asked for was seen'
	awk '/^ *\|\{"t"/ && ++n == 3 {print "  |{\"t\":-1}"; next} {print}' "$traced" >"$work/damaged"
	run --root "$work/damaged" trace
	status_is 2
	err_has "'$work/damaged': line 3 of its probe/trace is none that 'roce trace --record' writes: take it out"
	run trace "$traced" "$work/damaged"
	status_is 2
	err_has "'$work/damaged': line 3 of its probe/trace"
	run --root "$traced" trace 10.0.0.2:7999 --failures
	status_is 1
	out_has 'REJECTED 8'
	out_lacks 'REJECTED 28'
	run --root "$traced" -j trace 10.0.0.77
	status_is 1
	out_has 'RDMA_CM_EVENT_ADDR_ERROR'
}
