# shellcheck shell=bash
# For scenarios about `roce doctor`: a check fires on a real fault, and falls silent when the fault is undone.

# verdicts ID [AS…]: the verdicts of one check, worst first; AS is put in front of roce.
verdicts() {
	local id=$1 status=0
	shift
	"$@" roce doctor -j --interval "${interval:-0}" --only "$id" >verdicts.json || status=$?
	[ "$status" -lt 2 ] || echo "status-$status"
	jq -r '[.findings[].verdict] | unique | join(" ")' verdicts.json
}

# fires ID WHY [AS…]: a warning or a failure, with evidence and a fix.
fires() {
	local id=$1 why=$2 got
	shift 2
	got=$(verdicts "$id" "$@")
	case " $got " in
	*" fail "* | *" warn "*)
		json "$id fires: $why" '[.findings[] | select(.verdict == "fail" or .verdict == "warn")] | all(.evidence != null and .fix != null)' verdicts.json
		jq -r '.findings[] | select(.verdict == "fail" or .verdict == "warn") | "    " + .evidence + "\n    -> " + .fix' verdicts.json
		;;
	*)
		echo "  it says: $got"
		jq -c '.findings[] | [.verdict, .evidence]' verdicts.json
		result FAILED "$id fires: $why"
		;;
	esac
}

# quiet ID WHY [AS…]: looked at, and fine: neither a finding nor "could not look".
quiet() {
	local id=$1 why=$2 got
	shift 2
	got=$(verdicts "$id" "$@")
	case " $got " in
	" pass " | " n/a pass ") result ok "$id is quiet: $why" ;;
	*)
		echo "  it says: $got"
		jq -c '.findings[] | [.verdict, .evidence]' verdicts.json
		result FAILED "$id is quiet: $why"
		;;
	esac
}

# silent ID WHY [AS…]: nothing to say, perhaps because the check doesn't apply any more.
silent() {
	local id=$1 why=$2 got
	shift 2
	got=$(verdicts "$id" "$@")
	case " $got " in
	*" fail "* | *" warn "* | *" unknown "*)
		echo "  it says: $got"
		jq -c '.findings[] | [.verdict, .evidence]' verdicts.json
		result FAILED "$id is silent: $why"
		;;
	*) result ok "$id is silent: $why" ;;
	esac
}
