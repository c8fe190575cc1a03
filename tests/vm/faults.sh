# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# For scenarios with many faults in one boot: each is made, told by doctor as one finding that names its cause, and undone. run-scenarios counts
# them by their checks' names, which begin with "fault: ".

# What doctor is asked by, as whom or from where (as_nobody, ip netns exec …), and what it is told besides: a fault's commands set them.
asked_by=() options=()

# look: what doctor tells of as a fault, in $told: a line a cause, "fail ID SUBJECT: EVIDENCE".
look() {
	told=$("${asked_by[@]}" roce doctor --nagios --interval 0 "${options[@]}" 2>&1) || :
	case $told in
	"ROCE "*$'\n'*) told=${told#*$'\n'} ;;
	"ROCE OK"* | "ROCE UNKNOWN"*) told='' ;;
	esac
}

# comes_to PATTERN: doctor tells that, and nothing else, within some tries: addresses, links and GIDs take the kernel a moment.
comes_to() {
	for _ in 1 2 3 4 5 6 7 8; do
		look
		# shellcheck disable=SC2053  # a pattern
		[[ $told != $1 ]] || return 0
		sleep 0.25
	done
	return 1
}

# sound NAME: the machine is as it should be.
sound() {
	check "sound: $1" comes_to ''
	[ -z "$told" ] || echo "  it says: $told"
}

# fault NAME "ID SUBJECT" EVIDENCE MAKE UNDO: EVIDENCE is a word of what is found, MAKE and UNDO are commands of this shell. That doctor tells of nothing
# before is what the one before has shown, or `sound`.
fault() {
	local name=$1 cause=$2 evidence=$3 make=$4 undo=$5
	eval "$make"
	if ! comes_to "@(warn|fail) $cause: *$evidence*" || [[ $told == *$'\n'* ]]; then
		echo "  $name: expected: $cause: …$evidence…; it says: $told"
		eval "$undo"
		comes_to '' || echo "  undone: $told"
		result FAILED "fault: $name"
		return
	fi
	echo "  $told"
	eval "$undo"
	if comes_to ''; then
		result ok "fault: $name"
	else
		echo "  $name: undone, it says: $told"
		result FAILED "fault: $name"
	fi
}
