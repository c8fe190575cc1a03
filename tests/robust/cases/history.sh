# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154  # the variables are those of tests/robust/run
# What the flight recorder kept: read where it lies, taken along in a recording, and what is said where there is none.

kept() { # an hour and a half of two ports, in $work/kept: packed a minute, as only what changed, one of the minutes damaged
	local file minute
	mkdir -p "$work/kept"
	jq -cn 'range(5400) as $s | (1795748400 + $s | todate | sub("Z$"; ".000Z")) as $time |
		{version: 1, time: $time, interval: 1, ports: [(0, 1) | {device: "mlx5_\(.)", port: 1, netdev: "c4n4ry\(.)",
			drops: (if $s == 4320 and . == 1 then 9 else 0 end)}]} +
		(if $s % 60 == 0 then {host: "c4n4ry", users: [{kind: "process", pid: 7, name: "c4n4ry", device: "mlx5_0"}]} else {changes: true} end) +
		(if $s == 4325 then {events: [(0, 1) | {time: $time, event: "port-state", device: "mlx5_\(.)", port: 1, text: "mlx5_\(.)/1 ACTIVE -> DOWN"}]} else {} end)' |
		split -l 60 -d -a 2 - "$work/minute."
	for minute in "$work"/minute.*; do
		file=$work/kept/000001-2026-11-27T03.jsonl.gz
		[ "${minute##*.}" -lt 60 ] || file=$work/kept/000002-2026-11-27T04.jsonl.gz
		[ "${minute##*.}" = 80 ] && printf '\x1f\x8b\x08half' >>"$file"
		gzip -n <"$minute" >>"$file"
	done
}

case_history_is_read_where_it_lies_and_in_a_recording() {
	local from
	export TZ=UTC
	kept
	run record --around 2026-11-27T04:12:00Z --directory "$work/kept" "$work/plain"
	status_is 0
	run record --around 2026-11-27T04:12:00Z --directory "$work/kept" --anonymise "$work/anonymous"
	status_is 0
	run --root "$work/plain" record --anonymise "$work/again"
	status_is 0
	! grep -l c4n4ry "$work/anonymous" "$work/again" || fault "c4n4ry in an anonymous recording"
	for from in "history $work/kept" "-r $work/plain history" "-r $work/anonymous history" "-r $work/again history"; do
		# shellcheck disable=SC2086  # words of a command
		run $from --around 2026-11-27T04:12:00Z -o device,what,text
		status_is 1
		out_has 'at 04:12:00; none in'
		out_has 'mlx5_0/1 ACTIVE'
		out_has 'mlx5_1/1 ACTIVE'
		# shellcheck disable=SC2086
		run $from --around 2026-11-27T04:12:00Z -o device,what,text mlx5_0
		out_has 'mlx5_0/1 ACTIVE'
		out_lacks 'mlx5_1'
	done
	for from in "--replay $work/kept --at" "-r $work/anonymous --at"; do
		# shellcheck disable=SC2086
		run top $from 2026-11-27T04:12:00Z --once
		status_is 0
		out_has '04:12:00, 1.0 s, 2 ports'
	done
	run top -r "$work/anonymous" --once
	out_has '03:56:00' # whole minutes
	run report -r "$work/anonymous" --around 2026-11-27T04:12:00Z "$work/page.html"
	status_is 0
	grep -q 'aria-label="drops"' "$work/page.html" || fault "no plot of what stood out"
}

case_history_that_is_not_there_is_said() {
	export TZ=UTC
	kept
	run history "$work/kept" --around 2026-11-28T04:12:00Z
	status_is 0
	err_has '03:00:00 to '
	err_has '04:29:59)'
	run top --replay "$work/kept" --at 2026-11-28T04:12:00Z --once
	status_is 2
	err_has 'recorded is from'
	run record --since 2026-11-28T04:12:00Z --until 2026-11-28T05:12:00Z --directory "$work/kept" "$work/none"
	status_is 2
	err_has 'recorded is from'
	[ ! -e "$work/none" ] || fault "a recording all the same"
	run record --history 2x "$work/none"
	status_is 2
	err_has 'write 2h'
	run -r fixtures/rxe-plain.machine record --history 2h "$work/none"
	status_is 2
	for command in history 'top --at -2h' 'report --around -1h /dev/null'; do
		# shellcheck disable=SC2086
		run -r fixtures/rxe-plain.machine $command
		status_is 2
		err_has 'the recording holds no history'
	done
}

case_history_is_judged_by_doctor() {
	local time=2026-11-27T03:0
	export TZ=UTC
	mkdir -p "$work/readings"
	jq -cn --rawfile was fixtures/fault-counters-before.machine --rawfile is fixtures/fault-counters.machine --arg time "$time" '
		range(4) | {version: 1, host: "h", time: "\($time)\(.):00.000Z", interval: 1, ports: [], readings: (if . < 2 then $was else $is end)}' |
		gzip -n >"$work/readings/000001-2026-11-27T03.jsonl.gz"
	run doctor --since "${time}0:00Z" --until "${time}5:00Z" --directory "$work/readings"
	status_is 1
	out_has '03:02:00: 8 failures'
	out_has 'FAIL icrc-errors'
	run doctor --since "${time}2:00Z" --until "${time}5:00Z" --directory "$work/readings" --only transport-retries
	status_is 0
	run doctor --since "${time}3:00Z" --until "${time}5:00Z" --directory "$work/readings"
	status_is 2
	err_has 'there is only one reading'
	mkdir -p "$work/damaged"
	zcat "$work/readings/000001-2026-11-27T03.jsonl.gz" | jq -c 'if .time < "2026-11-27T03:02" then . else .readings += "\nx/\n  x\n  x\n" end' |
		gzip -n >"$work/damaged/000001-2026-11-27T03.jsonl.gz"
	run doctor --since "${time}0:00Z" --until "${time}5:00Z" --directory "$work/damaged"
	status_is 2
	err_has 'a reading of the flight recorder cannot be read'
	run doctor --since "${time}0:00Z" --nagios
	status_is 3
	err_has '--nagios is of now'
}

case_history_is_asked_for_by_a_time() {
	local command
	for command in doctor "report $work/page.html" "record $work/new"; do
		# shellcheck disable=SC2086  # words of a command
		run $command --directory "$work"
		status_is 2
		err_has 'name the time, too'
	done
	for command in "--pack $work $work/new" "--unpack $work/new $work/other"; do
		# shellcheck disable=SC2086
		run record $command --history 2h
		status_is 2
		err_has 'leave it out with --pack and --unpack'
	done
}

case_history_of_a_stranger_forges_no_rows() { # names that end lines and move cursors, times that go back, numbers beyond all that is counted
	export TZ=UTC
	jq -cn 'range(200) as $s | (1795748400 + $s - (if $s == 150 then 1e5 else 0 end) | todate | sub("Z$"; ".000Z")) as $time | {version: 1, time: $time, interval: (if $s == 9 then 1e18 else 1 end),
		host: "h\u001b[31m\nFAIL forged", ports: [{device: "a\n\u001b[2Jé", port: 4294967295, neighbor: "n\($s)\n", drops: (if $s < 90 then 0 else 1e18 end)}],
		users: [{kind: "process", pid: (9223372036854775807 - $s), name: "\u001b]0;x\u0007", device: "a"}],
		events: [{time: "9999-12-31T23:59:59.999Z", event: "e\n", text: "\u202e\nFAIL forged"}]}' >"$work/evil"
	for command in "history $work/evil" "history $work/evil --plot drops" "history $work/evil $work/evil" "history $work/evil $work/evil --plot drops"; do
		# shellcheck disable=SC2086
		run $command --since 2026-11-27T02:00:00Z --until 2026-11-27T04:00:00Z
		[ "$status" -le 1 ] || fault "$ran: status $status"
		! grep -q '^FAIL' "$work/out" || fault "$ran: a forged row"
	done
	run top --replay "$work/evil" --once
	status_is 0
	run history "$work/evil" --since 1970-01-01T00:00:00Z --until 9999-12-31T00:00:00Z --plot drops
	status_is 0
}
