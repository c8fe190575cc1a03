# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154  # the words and variables are those of tests/contrib/lib.sh
# contrib/systemd: what systemd-analyze says of the units; and the socket, by systemd's own activator: a thousand requests in a row, and strangers'. (That the
# units run under their own restrictions: tests/vm/scenarios/metrics-units.)
require systemd-analyze systemd-socket-activate curl
in_namespaces
mkdir -p "$work/local/bin" "$work/tmp"
cp "$roce" "$work/local/bin/roce"
mount --bind "$work/local" /usr/local
export TMPDIR=$work/tmp

said() { systemd-analyze verify --man=no "$top"/contrib/systemd/roce-*; }
empty "systemd-analyze verify has nothing to say" "$(said 2>&1)"
exposure() { systemd-analyze security --offline=true "$top/contrib/systemd/$1" | sed -nE 's/^.*exposure level for .*: ([0-9.]+) .*/\1/p'; }
for unit in roce-metrics.service roce-metrics@.service; do
	check "$unit is exposed by $(exposure "$unit"), at most 1.5" awk -v level="$(exposure "$unit")" 'BEGIN {exit !(level != "" && level <= 1.5)}'
done
# adjtimex(2), by which it may ask and, without CAP_SYS_TIME, not set, is 0.5 of it.
check "roce-history.service is exposed by $(exposure roce-history.service), at most 2.3" \
	awk -v level="$(exposure roce-history.service)" 'BEGIN {exit !(level != "" && level <= 2.3)}'
# Line by line, what doctor needs that metrics don't: the head of the unit.
check "roce-metrics-checks.service is exposed by $(exposure roce-metrics-checks.service), at most 2.4" \
	awk -v level="$(exposure roce-metrics-checks.service)" 'BEGIN {exit !(level != "" && level <= 2.4)}'
# That head has a figure for each: it is what systemd-analyze says, give or take what versions of it differ by.
mkdir "$work/units"
with() { # LINE… or "without CAPABILITY": what it would be exposed by
	local capability=${1#without }
	{
		if [ "$capability" = "$1" ]; then
			cat "$top/contrib/systemd/roce-metrics-checks.service"
			printf '%s\n' "$@"
		else
			sed -E "/^CapabilityBoundingSet=/s/ ?\b$capability\b//" "$top/contrib/systemd/roce-metrics-checks.service"
		fi
	} >"$work/units/roce-metrics-checks.service"
	systemd-analyze security --offline=true "$work/units/roce-metrics-checks.service" | sed -nE 's/^.*exposure level for .*: ([0-9.]+) .*/\1/p'
}
lines_of_head() { sed -nE 's/^#     ([0-9]\.[0-9])  (without CAP_[A-Z_]+|[A-Za-z]+=[a-z]+) .*/\1 \2/p' "$top/contrib/systemd/roce-metrics-checks.service"; }
head_is_so() {
	local figure line bad=0
	while read -r figure line; do
		awk -v a="$figure" -v b="$(with "$line")" 'BEGIN {d = a - b; exit !(b != "" && d < 0.11 && d > -0.11)}' || { echo "$line: $(with "$line"), not $figure" && bad=1; }
	done < <(lines_of_head)
	[ "$(lines_of_head | wc -l)" = 10 ] && return $bad
}
check "the unit's head has a figure for each line that would make it less" head_is_so
mapfile -t five < <(lines_of_head | sed -nE 's/^[0-9.]+ ([A-Za-z]+=(yes|pid))$/\1/p')
equal "five of them are lines that can be said together" 5 ${#five[@]}
check "which come to $(with "${five[@]}"), more than 1.5 all the same" awk -v level="$(with "${five[@]}")" 'BEGIN {exit !(level > 1.5 && level < 1.8)}'
commands() { sed -n 's/^ExecStart=//p' "$top"/contrib/systemd/roce-metrics*.service; }
options_are_known() {
	local line bad=0
	while read -ra line; do
		# all but where it writes, and what it keeps
		"$roce" -r "$top/$(fixture rxe-plain)" "${line[@]:1}" --output "$work/$$.prom" --state "$work/$$.state" </dev/null >"$work/said" 2>&1 ||
			[[ " ${line[*]} " == *" --http "* ]] || { cat "$work/said" && bad=1; }
	done < <(commands)
	[ "$(commands | wc -l)" = 3 ] && return $bad
}
check "what the units start is understood" options_are_known

# ---- the socket
machine=$work/machine-tree
"$roce" record --unpack "$top/$(fixture rxe-dcb)" "$machine"
serve() { # BINARY
	systemd-socket-activate --accept --inetd -l 127.0.0.1:9797 "$1" -q -r "$machine" metrics --http 2>"$work/activate.log" &
	activator=$!
	until_so 10 curl -s -o /dev/null http://127.0.0.1:9797/metrics
}
# What a request brings: "STATUS CONTENT-TYPE".
ask() { curl -s -o "$work/body" -w '%{http_code} %{content_type}' "$@" http://127.0.0.1:9797/metrics; }
raw() { # TEXT: as it is, to the end of the answer
	# shellcheck disable=SC2059  # with its \r and \n
	exec 7<>/dev/tcp/127.0.0.1/9797 && printf "$@" >&7 && timeout 120 cat <&7
	exec 7<&-
}
text='text/plain; version=0.0.4; charset=utf-8' openmetrics='application/openmetrics-text; version=1.0.0; charset=utf-8'
check "the socket answers" serve "$roce"
equal "a browser gets text" "200 $text" "$(ask)"
"$roce" -r "$machine" metrics >"$work/page"
same "which is what roce metrics prints" "$work/page" "$work/body"
equal "Prometheus 2 gets OpenMetrics" "200 $openmetrics" \
	"$(ask -H 'Accept: application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1')"
equal "whole" "# EOF" "$(tail -n 1 "$work/body")"
equal "Prometheus 3 does" "200 $openmetrics" \
	"$(ask -H 'Accept: application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,text/plain;version=0.0.4;q=0.3,*/*;q=0.2')"
equal "HEAD gets the head" "200 $text" "$(ask -I)"
equal "POST gets 405" "405 text/plain; charset=utf-8" "$(ask -d a=b)"
equal "a large body is taken, and refused" 405 "$(head -c 60000 /dev/zero | curl -s -o /dev/null -w '%{http_code}' --data-binary @- -H Expect: http://127.0.0.1:9797/metrics)"
equal "another path gets 404" 404 "$(curl -s -o /dev/null -w '%{http_code}' http://127.0.0.1:9797/)"
shows "nonsense gets 400" '^HTTP/1.1 400 Bad Request' raw 'nonsense\r\n\r\n'
shows "TLS gets 400" '^HTTP/1.1 400 Bad Request' raw '\x16\x03\x01\x00\xa5\r\n\r\n'
shows "a head that is cut off gets 400" '^HTTP/1.1 400 ' eval 'exec 7<>/dev/tcp/127.0.0.1/9797; printf "GET /metrics HTTP/1.1\r\n" | busybox nc 127.0.0.1 9797'
shows "a head without end gets 431" '^HTTP/1.1 431 ' raw "GET /metrics HTTP/1.1\r\nx: $(head -c 9000 /dev/zero | tr '\0' x)"
start=$SECONDS
shows "who asks for nothing gets 408" '^HTTP/1.1 408 ' raw 'GET /metrics HTTP/1.1\r\nHost: a\r\n'
check "after five seconds" [ $((SECONDS - start)) -le 8 ]
empty "who says nothing at all is hung up on" "$(busybox nc 127.0.0.1 9797 </dev/null)"

memory() { sed -n 's/^VmRSS:[^0-9]*\([0-9]*\) kB$/\1/p' "/proc/$activator/status"; }
open_files() { find "/proc/$activator/fd" -type l | wc -l; }
before="$(open_files)"
memory=$(memory)
equal "a thousand scrapes in a row are answered" "1000 200" \
	"$(curl -s -o "$work/scrape" -w '%{http_code}\n' 'http://127.0.0.1:9797/metrics?[1-1000]' | sort | uniq -c | sed 's/^ *//')"
same "the last as the first" "$work/page" "$work/scrape"
alone() { [ "$(pgrep -P "$activator" | wc -l)" = 0 ]; }
check "no process of them is left" until_so 10 alone
equal "nor a descriptor" "$before" "$(open_files)"
check "nor memory ($memory KiB, now $(memory))" [ $(($(memory) - memory)) -lt 500 ]
empty "nor a file" "$(ls -A "$work/tmp")"
kill "$activator"
wait "$activator" 2>/dev/null

# Each process by itself: a leak is a failure of the sanitized one.
sanitized=$top/build/asan/roce
if [ ! -x "$sanitized" ]; then
	result skipped "sanitized requests" "there is no build/asan/roce: make SANITIZE=1 builds it, and make check does"
else
	export ASAN_OPTIONS=detect_leaks=1:exitcode=99 UBSAN_OPTIONS=halt_on_error=1:exitcode=98
	for request in 'GET /metrics HTTP/1.1\r\nAccept: application/openmetrics-text\r\n\r\n' 'HEAD /metrics HTTP/1.0\n\n' 'GET / HTTP/1.1\r\n\r\n' '' 'x'; do
		# shellcheck disable=SC2059  # it is made of escapes
		check_status "sanitized: ${request:-nothing}" 0 "$sanitized" -q -r "$machine" metrics --http < <(printf "$request")
	done
	check_status "sanitized: a machine that can't be read" 2 "$sanitized" -q -r "$machine" metrics --http nope < <(printf 'GET /metrics HTTP/1.1\r\n\r\n')
fi
