# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154  # the words and variables are those of tests/contrib/lib.sh
# contrib/nhc/roce.nhc below what NHC documents for checks (its README, "Writing Checks"): a file of bash functions, read after its own and called by
# lines of nhc.conf; die STATUS REASON marks the node, returns when all checks are asked for, and evaluates its reason between single quotes.
mkdir -p "$work/bin" "$work/log"
cp "$top/contrib/gate/roce-gate" "$work/bin/"
printf '#!/bin/bash\nexec %s --root %s "$@"\n' "$roce" "$work/machine" >"$work/bin/roce"
printf '#!/bin/bash\nexit 0\n' >"$work/bin/silent"
printf '#!/bin/bash\nsleep 1000\n' >"$work/bin/hang"
# shellcheck disable=SC2016  # the program's own
printf '#!/bin/bash\necho "FAIL port-active it'\''; touch %s; '\''s/1"\nexit 1\n' "$work/evaluated" >"$work/bin/evil"
chmod +x "$work"/bin/*
cat >"$work/nhc" <<'SH'
#!/bin/bash
# nhc SCRIPT LINE: as NHC would evaluate the check of that line of nhc.conf
PATH=/sbin:/usr/sbin:/bin:/usr/bin
die() {
	shift
	CHECK_DIED=1
	eval echo marked offline: "'$*'"
	[ -z "${NHC_CHECK_ALL-}" ] || return 0
	exit 1
}
dbg() { :; }
log() { echo "log: $*"; }
syslog() { echo "syslog: $*"; }
set -f
. "$1"
eval "$2"
status=$?
[ $status = 0 ] || [ "${CHECK_DIED-}" ] || echo "returned $status without a word"
exit $status
SH
chmod +x "$work/nhc"
export ROCE_GATE=$work/bin/roce-gate ROCE=$work/bin/roce
nhc() { timeout 120 "$work/nhc" "$top/contrib/nhc/roce.nhc" "$*"; }
machine mlx5-roce-train
check_status "a healthy node passes" 0 nhc check_roce_health
empty "without a word" "$(nhc check_roce_health 2>&1)"
machine fault-link
check_status "a fault fails" 1 nhc check_roce_health
shows "with device and port" '^marked offline: check_roce_health: +roce: FAIL port-active mlx5_6/1; FAIL port-module mlx5_4/1' nhc check_roce_health
check_status "also when all checks are asked for, where die returns" 1 env NHC_CHECK_ALL=1 "$work/nhc" "$top/contrib/nhc/roce.nhc" check_roce_health
check_status "devices can be named" 0 nhc check_roce_health mlx5_0
shows "a warning is let pass, unless it is asked for" 'marked offline: .*WARN pcie-width mlx5_1' nhc check_roce_health --fail-on warn --only pcie-width
"$roce" -r "$(fixture mlx5-roce-train)" facts --for-expect >"$work/node.json"
machine mlx5-roce-train
check_status "as --expect has it" 0 nhc check_roce_health --expect "$work/node.json"
machine mlx5-dual-port
check_status "and not" 1 nhc check_roce_health --expect "$work/node.json"
ROCE=$work/bin/silent
shows "no verdict is no pass" 'marked offline: .*UNKNOWN roce ended well, but said no verdict' nhc check_roce_health
ROCE=no-such-roce
shows "a missing roce is said" 'marked offline: .*UNKNOWN there is no no-such-roce on this host' nhc check_roce_health
check_status "ROCE_ON_UNKNOWN=log lets it pass" 0 env ROCE_ON_UNKNOWN=log "$work/nhc" "$top/contrib/nhc/roce.nhc" check_roce_health
shows "and says so" '^syslog: roce: UNKNOWN there is no' env ROCE_ON_UNKNOWN=log "$work/nhc" "$top/contrib/nhc/roce.nhc" check_roce_health
ROCE=$work/bin/hang
export ROCE_GATE_TIMEOUT=1
shows "a roce that hangs is not waited for" 'marked offline: .*UNKNOWN roce gave no answer within 1 s' nhc check_roce_health
ROCE=$work/bin/evil
shows "a name with quotes is only a name" 'marked offline: .*FAIL port-active it; touch' nhc check_roce_health
check "and nothing of it was evaluated" test ! -e "$work/evaluated"
ROCE_GATE=no-such-gate
shows "a missing roce-gate is said" 'UNKNOWN there is no no-such-gate on this node' nhc check_roce_health
