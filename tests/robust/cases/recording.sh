# shellcheck shell=bash disable=SC2154  # the variables are those of tests/robust/run
# What `roce record` finds in its way.

case_record_refuses_what_is_there() {
	mkdir "$work/full"
	echo mine >"$work/full/file"
	run record "$work/full"
	status_is 2
	err_has "$work/full"
	[ "$(ls -A "$work/full")" = file ] || fault "$ran: changed what was there"
	run record "$work/full/file"
	status_is 2
	[ "$(cat "$work/full/file")" = mine ] || fault "$ran: changed what was there"
	run record "$work/no/such/parent"
	status_is 2
	err_has "$work/no/such/parent"
}
case_record_that_fails_leaves_nothing() {
	mkdir "$work/small"
	status=0
	# shellcheck disable=SC2016 # the inner shell's
	unshare -rm sh -c 'mount -t tmpfs -o size=16k,nr_inodes=20 tmpfs "$1" || exit 77; "$2" record "$1/machine"; r=$?; ls -A "$1"; exit $r' \
		sh "$work/small" "$roce" >"$work/out" 2>"$work/err" || status=$?
	ran='roce record on a full file system'
	if [ "$status" -eq 77 ] || grep -q '^unshare:' "$work/err"; then
		skip "no mount namespace of one's own here"
	fi
	status_is 2
	err_has 'ENOSPC'
	out_is_empty
}
