# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# For scenarios about `roce doctor`: a check fires on a real fault, and falls silent when the fault is undone.

# ask ID [AS…]: the verdicts of one check, in $verdicts, alphabetically; below $findings what it warns of. AS is put in front of roce.
ask() {
	local id=$1 status=0 all
	shift
	"$@" roce doctor -j --interval "${interval:-0}" --only "$id" >verdicts.json || status=$?
	all=$(jq -r '([.findings[].verdict] | unique | join(" ")),
		(.findings[] | select(.verdict == "fail" or .verdict == "warn") | "    \(.evidence // "NO EVIDENCE")\n    -> \(.fix // "NO FIX")")' verdicts.json)
	verdicts=${all%%$'\n'*} findings=${all#"$verdicts"}
	[ "$status" -lt 2 ] || verdicts+=" status-$status"
}

# told OUTCOME NAME: a check's result, after what roce said where that is the trouble.
told() {
	if [ "$1" = FAILED ]; then
		echo "  it says: $verdicts"
		jq -c '.findings[] | [.verdict, .evidence]' verdicts.json
	fi
	result "$1" "$2"
}

# fires ID WHY [AS…]: a warning or a failure, with evidence and a fix.
fires() {
	local id=$1 why=$2 outcome=FAILED
	shift 2
	ask "$id" "$@"
	echo "$findings"
	case " $verdicts " in
	*status-*) ;;
	*" fail "* | *" warn "*) [[ $findings == *"NO EVIDENCE"* || $findings == *"NO FIX"* ]] || outcome=ok ;;
	esac
	told "$outcome" "$id fires: $why"
}

# paste ID: does what the first fix of `fires ID` says, as it stands; where several need it, that is a loop.
paste() {
	local fix
	fix=$(jq -r 'first(.causes[] | select(.verdict == "fail" or .verdict == "warn") | .fixes[0])' verdicts.json)
	check "$1: its fix can be pasted: $fix" sh -c "$fix"
}

# loops ID NAME…: it fires, and what all these need is one fix, which mends them all.
loops() {
	local id=$1
	shift
	fires "$id" "on $*"
	equal "$id: one fix" "$(jq -r '.causes[0].fixes | length' verdicts.json)" 1
	check "$id: it is a loop" grep -q "for dev in $*; do" verdicts.json
	paste "$id"
}

# mentions ID WHY [AS…]: worth knowing, and no fault.
mentions() {
	local id=$1 why=$2 outcome=FAILED
	shift 2
	ask "$id" "$@"
	case " $verdicts " in
	*" fail "* | *" warn "* | *status-*) ;;
	*" info "*) outcome=ok ;;
	esac
	told "$outcome" "$id mentions: $why"
}

# quiet ID WHY [AS…]: looked at, and fine: neither a finding nor "could not look".
quiet() {
	local id=$1 why=$2 outcome=FAILED
	shift 2
	ask "$id" "$@"
	case "$verdicts" in
	pass | "n/a pass") outcome=ok ;;
	esac
	told "$outcome" "$id is quiet: $why"
}

# silent ID WHY [AS…]: nothing to say, perhaps because the check doesn't apply any more.
silent() {
	local id=$1 why=$2 outcome=ok
	shift 2
	ask "$id" "$@"
	case " $verdicts " in
	*" fail "* | *" warn "* | *" unknown "* | *status-*) outcome=FAILED ;;
	esac
	told "$outcome" "$id is silent: $why"
}
