# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154  # the variables are those of tests/robust/run
# Recordings: what `roce record` finds in its way, damaged and hostile ones, and what is left of one that was read.

# packed NAME FILE: the fixture as one file.
packed() {
	fixture_tree "$1" "$work/tree"
	"$roce" record --pack "$work/tree" "$2"
	rm -rf "$work/tree"
}

case_record_refuses_what_is_there() {
	mkdir "$work/full"
	echo mine >"$work/full/file"
	run record "$work/full"
	status_is 2
	err_has "$work/full"
	run record "$work/full/file"
	status_is 2
	err_has "$work/full/file' exists"
	[ "$(cat "$work/full/file")" = mine ] || fault "$ran: changed what was there"
	run record "$work/no/such/parent"
	status_is 2
	err_has "$work/no/such/parent"
	packed siw "$work/siw"
	run record --unpack "$work/siw" "$work/full"
	status_is 2
	err_has "$work/full' is not empty"
	[ "$(ls -A "$work/full")" = file ] || fault "$ran: changed what was there"
}
case_record_that_fails_leaves_nothing() {
	mkdir "$work/small"
	status=0
	# shellcheck disable=SC2016 # the inner shell's
	unshare -rm sh -c 'mount -t tmpfs -o size=4k,nr_inodes=20 tmpfs "$1" || exit 77; "$2" record "$1/machine"; r=$?; ls -A "$1"; exit $r' \
		sh "$work/small" "$roce" >"$work/out" 2>"$work/err" || status=$?
	ran='roce record on a full file system'
	if [ "$status" -eq 77 ] || grep -q '^unshare:' "$work/err"; then
		skip "no mount namespace of one's own here"
	fi
	status_is 2
	err_has 'ENOSPC'
	out_is_empty
}
case_record_to_a_pipe_and_from_it() {
	packed siw "$work/siw"
	"$roce" -q --root "$work/siw" record - >"$work/again"
	run --root - links <"$work/again"
	status_is 0
	cp "$work/out" "$work/links"
	run --root "$work/siw" links
	diff "$work/links" "$work/out" >/dev/null || fault "$ran: another machine"
	"$roce" -q --root - record - <"$work/again" >"$work/third"
	cmp -s "$work/again" "$work/third" || fault 'a recording of a recording is another one'
	run record /dev/null
	status_is 0
}
case_recordings_by_mail() {
	local f way
	f=$(fixture mlx5-roce-train)
	"$roce" -q --root "$f" status >"$work/want" || :
	gzip -c "$f" >"$work/gzip"
	sed 's/^/> /' "$f" >"$work/quoted"
	{ printf '\xef\xbb\xbf' && sed 's/$/\r/' "$f"; } >"$work/windows"
	for way in gzip quoted windows; do
		run -q --root "$work/$way" status
		cmp -s "$work/want" "$work/out" || fault "$ran: another machine"
	done
	run -q --root "$f" record "$work/again.gz"
	status_is 0
	run -q --root "$work/again.gz" status
	cmp -s "$work/want" "$work/out" || fault "$ran: another machine"
	head -c 2000 "$work/gzip" >"$work/cut"
	run --root "$work/cut" status
	status_is 2
	err_has "is damaged, or its end is missing"
	{ echo 'From: somebody' && cat "$f"; } >"$work/headed"
	run --root "$work/headed" status
	status_is 2
	err_has "line 1: a recording begins on the next line only"
	run -r "$(fixture fault-counters-before)" -r "$(fixture fault-counters)"
	status_is 1
	out_has fault-counters-before
	run -r "$f" -r "$f" gids
	status_is 2
	err_has "roce compare BEFORE AFTER"
}
# What a recording shows is what the machine shows: built-in modules, which only have a directory, the counters of a function that refuses the
# first of them, a directory that may not be opened.
case_record_keeps_what_was_seen() {
	local command name
	for name in irdma-roce-iwarp qedr; do
		fixture_tree "$name" "$work/$name"
		sed -i '/^rdma_/d' "$work/$name/proc/modules"
		mkdir -p "$work/$name/sys/module/rdma_cm" "$work/$name/sys/module/lnet"
		spoil_in "$work/$name" sys/kernel/debug/lnet/nis EACCES
		rm -rf "$work/$name/sys/class/infiniband/irdma1/ports/1/hw_counters"
		spoil_in "$work/$name" sys/class/infiniband/irdma1/ports/1/hw_counters EACCES
		run -q --root "$work/$name" record "$work/$name.machine"
		status_is 0
		for command in counters users doctor devices; do
			"$roce" -q --root "$work/$name" -j "$command" | timeless >"$work/want" || :
			run -q --root "$work/$name.machine" -j "$command"
			timeless <"$work/out" | diff "$work/want" - >"$work/diff" || fault "$ran: not the machine that $name is: $(head -n 5 "$work/diff")"
		done
		json_is '.devices | length >= 1'
		run -q --root "$work/$name.machine" -j doctor --only rdma-cm-module
		json_is '.findings[0].verdict == "pass"'
		run -q --root "$work/$name.machine" -j users
		json_is '[.problems[].what] | index("sys/kernel/debug/lnet/nis") != null'
	done
	run -q --root "$work/qedr.machine" -j counters
	json_is '[.counters[] | select(.error == "EINVAL")] | length == 21'
}
case_damaged_recording_has_its_line() {
	packed irdma-roce-iwarp "$work/file"
	sed '57s/^/oops /' "$work/file" >"$work/damaged"
	run --root "$work/damaged" status
	status_is 2
	out_is_empty
	err_has "'$work/damaged': line 57: "
	head -c 5000 "$work/file" >"$work/cut"
	run doctor --before "$work/cut" --root "$work/file"
	status_is 2
	err_has "'$work/cut': line "
	run record --unpack "$work/cut" "$work/unpacked"
	status_is 2
	err_has "'$work/cut': line "
	[ ! -e "$work/unpacked" ] || fault "$ran: something is unpacked"
}
case_damaged_anywhere() { # ends with 0, 1 or 2 and says a line, whatever was changed
	packed siw "$work/file"
	local size at
	size=$(wc -c <"$work/file")
	for at in $(seq 7 97 "$size"); do
		{
			head -c "$at" "$work/file"
			printf 'x'
			tail -c +$((at + 2)) "$work/file"
		} >"$work/damaged"
		run --root "$work/damaged" devices
		[ "$status" -ne 2 ] || err_has "$work/damaged"
	done
}

# --- out of it

# Nothing may change in $work/outside, whatever is done with a hostile recording.
outside() {
	mkdir "$work/outside"
	echo 'ssh-ed25519 AAAA' >"$work/outside/authorized_keys"
	before=$(find "$work/outside" -printf '%p %y %s %T@\n' | cksum)
}
outside_is_the_same() {
	[ "$before" = "$(find "$work/outside" -printf '%p %y %s %T@\n' | cksum)" ] || fault "$ran: changed what is outside"
}
case_recording_leads_out() {
	outside
	local body
	for body in "../outside/\n  authorized_keys x\n" "sys/../../outside/\n  authorized_keys x\n" "$work/outside/\n  authorized_keys x\n" \
		"sys/\n  x -> $work/outside\n\nsys/x/\n  authorized_keys x\n" "sys/\n  ../../outside/authorized_keys x\n" \
		"sys/\n  x -> $work/outside/new\n  x x\n"; do
		printf "# roce recording 1\n%b" "$body" >"$work/hostile"
		run --root "$work/hostile" status
		status_is 2
		err_has "'$work/hostile': line "
		run record --unpack "$work/hostile" "$work/unpacked"
		status_is 2
		[ ! -e "$work/unpacked" ] || fault "$ran: something is unpacked"
	done
	outside_is_the_same
}
case_recording_of_a_hostile_tree() { # a link where roce writes through it, a netdev named as a file there
	machine
	outside
	mkdir -p "$root/proc/net"
	rm -rf "$root/proc/net/vlan" "$root/proc/net/bonding"
	ln -s "$work/outside" "$root/proc/net/vlan"
	ln -s "$work/outside" "$root/proc/net/bonding"
	cp -a "$netdev" "$pci/net/authorized_keys"
	ln -s "../../devices/pci0000:16/0000:16:02.0/0000:17:00.1/net/authorized_keys" "$root/sys/class/net/authorized_keys"
	ln -s / "$root/sys/class/infiniband_made_up"
	rm -rf "$root/sys/bus/pci/drivers"
	ln -s / "$root/sys/bus/pci/drivers"
	local option
	for option in '' --anonymise; do
		# shellcheck disable=SC2086  # no option is no word
		run --root "$root" record $option "$work/recorded$option"
		status_is 0
		run --root "$work/recorded$option" status
		status_is 0
		run record --unpack "$work/recorded$option" "$work/unpacked$option"
		status_is 0
		[ -z "$(find "$work/unpacked$option" -perm /077 ! -type l)" ] || fault "$ran: others may look into it"
	done
	outside_is_the_same
}

# --- what is left of it

# Descriptor 3 is a pipe that is full, and nobody reads it: roce waits with what it has read.
nobody_reads() {
	mkfifo "$work/fifo"
	exec 3<>"$work/fifo"
	dd if=/dev/zero of="$work/fifo" bs=4096 oflag=nonblock status=none 2>/dev/null || :
}

# Opening a FIFO for writing waits until somebody reads it.
case_a_fifo_that_nobody_reads() {
	machine
	mkfifo "$work/fifo"
	run --root "$root" record "$work/fifo"
	status_is 2
	err_has "nobody reads the FIFO"
	run top --replay tests/top/train.jsonl --speed 1000 -b 1 --record "$work/fifo"
	status_is 2
	err_has "ENXIO"
	exec 3<>"$work/fifo"
	cat <"$work/fifo" >"$work/read" 3>&- &
	until [ "$(<"/proc/$!/comm")" = cat ]; do sleep 0.05; done
	run --root "$root" record "$work/fifo"
	status_is 0
	exec 3>&-
	wait $!
	run --root "$work/read" status
	status_is 0
}
case_a_recording_is_read_without_writing_it() {
	packed mlx5-roce-train "$work/file"
	export TMPDIR=$work/tmp
	mkdir "$TMPDIR"
	nobody_reads
	"$roce" --root "$work/file" -j gids --all >&3 2>/dev/null &
	local pid=$! state=
	until [ "$state" = S ]; do
		sleep 0.05
		read -r _ _ state _ <"/proc/$pid/stat" || break
	done
	ran='roce that waits'
	[ -z "$(ls -A "$TMPDIR")" ] || fault "$ran: there is something in TMPDIR"
	find "/proc/$pid/fd" -lname '*roce-*' >"$work/open"
	[ ! -s "$work/open" ] || fault "$ran: it has a file of its own open"
	kill $pid
	wait $pid || :
	exec 3>&-
	TMPDIR=$work/nowhere run --root "$work/file" status
	status_is 0
}
case_signal_leaves_no_half_of_a_tree() {
	packed mlx5-roce-train "$work/file"
	local signal number pid tries
	for signal in INT:2 TERM:15 HUP:1 QUIT:3; do
		number=${signal#*:} signal=${signal%:*} status=0
		for ((tries = 0; tries < 20 && status == 0; tries++)); do # it may be done before the signal comes
			rm -rf "$work/tree"
			# an ignored SIGINT, as a background job's, stays ignored
			env --default-signal="$signal" "$roce" record --unpack "$work/file" "$work/tree" &
			pid=$!
			until [ -e "$work/tree/sys" ]; do :; done
			kill -s "$signal" $pid
			wait $pid || status=$?
		done
		ran="roce record --unpack, SIG$signal"
		status_is $((128 + number))
		[ ! -e "$work/tree" ] || fault "$ran: $(find "$work/tree" | wc -l) files are left"
	done
}
