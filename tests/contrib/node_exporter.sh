# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154  # the words and variables are those of tests/contrib/lib.sh
# `roce metrics --names node-exporter` beside the infiniband collector that it stands in for: 1.11.1, whose output it prints to the byte, and Debian 13's
# 1.9, which shows less. And one file that can't be read: the collector then shows no device at all, roce all but that file.
prometheus_of sid
prometheus_of bookworm
require curl
# Of Debian 13 this one package is wanted, for which its list would be ten megabytes: it is fetched by itself, and has to be what that list says. Where it
# isn't to be had so (another architecture, a point release), the list is.
one_package() { # SUITE PACKAGE VERSION SHA-256 POOL: unpacked in build/packages/prometheus-SUITE
	local dir=build/packages/prometheus-$1 file="$2_$3_amd64.deb" mirror
	[ "$(cut -d ' ' -f 1-2 "$dir/.packages" 2>/dev/null)" != "$2 $3" ] || return 0
	[ "$(dpkg --print-architecture)" = amd64 ] && mirror=$(tests/debian-mirror debian "$1" main | grep -oE 'https?://[^ ]+') || return
	curl -sfL --retry 3 -m 120 -o "$work/$file" "$mirror/pool/main/$5/$file" && sha256sum -c --quiet <<<"$4  $work/$file" || return
	rm -rf "$dir" && mkdir -p "$dir" && dpkg-deb -x "$work/$file" "$dir" || return
	echo "$2 $3 amd64 $4 $(stat -c %s "$work/$file")" >"$dir/.packages"
}
if one_package trixie prometheus-node-exporter 1.9.0-1+b4 9db00cad0c9e160a4e9c13cbdb2833d58becb1f4cd60eeb0b5e12477ba6a42bd p/prometheus-node-exporter; then
	echo build/packages/prometheus-trixie >>"$work/fetched"
else
	unpacked prometheus-trixie "-s trixie" prometheus-node-exporter
fi
in_namespaces

collector() { echo "$top/build/packages/prometheus-$1/usr/bin/prometheus-node-exporter"; } # SUITE
version() { "$(collector "$1")" --version 2>&1 | sed -n 's/^.* version \([0-9.]*\).*/\1/p' | head -n 1; }
# It reads the machine that $work/sys leads to at the moment.
begin() { # SUITE PORT
	ln -sfn "$work/machines/no-rdma/sys" "$work/sys"
	"$(collector "$1")" --collector.disable-defaults --collector.infiniband --web.disable-exporter-metrics --path.sysfs="$work/sys" \
		--web.listen-address="127.0.0.1:$2" >"$work/$1.log" 2>&1 &
	until_so 30 curl -s -o /dev/null "http://127.0.0.1:$2/metrics"
}
theirs() { # MACHINE PORT
	ln -sfn "$work/machines/$1/sys" "$work/sys"
	curl -s "http://127.0.0.1:$2/metrics" >"$work/page"
	grep -a node_infiniband "$work/page" | sort
}
ours() { "$roce" -q --root "$work/machines/$1" metrics --names node-exporter | sort; }
succeeded() { grep -qx 'node_scrape_collector_success{collector="infiniband"} 1' "$work/page"; }

mkdir "$work/machines"
for name in $(fixtures); do
	"$roce" record --unpack "$(fixture "$name")" "$work/machines/$name" || result FAILED "$name" "it can't be unpacked"
done
# One that no fixture is: each file that the collector knows, with a value of its own, some of them large.
port=$work/machines/all/sys/class/infiniband/mlx5_0/ports/1
mkdir -p "$port"/{counters,counters_ext,hw_counters}
echo "4: ACTIVE" >"$port/state" && echo "5: LinkUp" >"$port/phys_state" && echo "2.5 Gb/sec (1X SDR)" >"$port/rate" && echo Ethernet >"$port/link_layer"
echo 'a "quoted\ one' >"$port/../../board_id" && echo 28.39.1002 >"$port/../../fw_ver"
value=1
for file in $(sed -n 's/.*; counter \([^ ]*\) |.*/\1/p' src/view/metrics/node_exporter.txt) hw_counters/lifespan; do
	echo $((value = (value * 31 + 17) % 9007199254740992)) >"$port/$file"
done

if [ "$(version sid)" = 1.11.1 ]; then
	check "node_exporter $(version sid) answers" begin sid 9101
	same_bytes=0 lost=()
	for name in $(fixtures) all; do
		theirs "$name" 9101 >"$work/theirs"
		ours "$name" >"$work/ours"
		if ! succeeded && [ "$(wc -l <"$work/theirs")" = 0 ]; then
			lost+=("$name:$(grep -c '^node_infiniband_state_id{' "$work/ours")")
		elif cmp -s "$work/theirs" "$work/ours"; then
			same_bytes=$((same_bytes + 1))
		else
			result FAILED "$name: --names node-exporter prints what node_exporter 1.11.1 does"
			diff "$work/theirs" "$work/ours" | head -n 10
		fi
	done
	check "--names node-exporter prints what node_exporter 1.11.1 does, to the byte, of $same_bytes machines" [ "$same_bytes" = $(($(fixtures | wc -l) + 1 - ${#lost[@]})) ]
	shows "of machines with a file that it can't read it shows no port; of these roce shows all but that" '\bbroken:4 .*\bfault-link:8\b' echo "${lost[@]}"
else
	result skipped "--names node-exporter beside node_exporter 1.11.1" "Debian's newest is $(version sid)"
fi
# An older one shows fewer families, but of those each byte: all that it shows of the machine that has each file is what it knows.
families_of() { sed -nE 's/^# TYPE ([a-z0-9_]*) .*/\1/p' "$1"; } # FILE
older() { # SUITE PORT MACHINE…: to the byte, what families that it knows have
	local suite=$1 port=$2 name alike=0 known
	shift 2
	check "node_exporter $(version "$suite") answers" begin "$suite" "$port"
	theirs all "$port" >"$work/known"
	known=$(families_of "$work/known")
	check "it knows families, and fewer than 1.11.1" [ "$(wc -l <<<"$known")" -gt 20 ]
	for name in "$@"; do
		theirs "$name" "$port" >"$work/theirs"
		succeeded || { lost+=("$name"); continue; }
		ours "$name" | awk -v known="$known" 'BEGIN {n = split(known, names, "\n"); for (i = 1; i <= n; i++) is[names[i]] = 1}
			{name = $1 == "#" ? $3 : $1; sub(/\{.*/, "", name)} is[name]' >"$work/ours"
		if cmp -s "$work/theirs" "$work/ours"; then
			alike=$((alike + 1))
		else
			result FAILED "$name: --names node-exporter prints what node_exporter $(version "$suite") does"
			diff "$work/theirs" "$work/ours" | head -n 10
		fi
	done
	check "--names node-exporter prints what node_exporter $(version "$suite") does of the families that it knows, to the byte, of $alike machines" \
		[ "$alike" = $(($# - ${#lost[@]})) ]
}
lost=()
mapfile -t names < <(fixtures)
older trixie 9102 "${names[@]}" all
lost=()
older bookworm 9103 "${names[@]}" all

# ---- one bad file: the carrier of a netdev that is switched off gives EINVAL, as the rate of a port without a module does
mkdir "$work/off"
# shellcheck disable=SC2016  # sh's own
unshare -n sh -c 'mount -t sysfs sysfs "$1" && exec sleep 300' sh "$work/off" & # of a network namespace whose lo is off
until_so 10 [ -e "$work/off/class/net/lo/carrier" ] || skip "no sysfs can be mounted here"
bad() { # FILE
	mount --bind "$work/off/class/net/lo/carrier" "$work/machines/bad/sys/class/infiniband/$1"
}
good() { umount "$work/machines/bad/sys/class/infiniband/$1"; }
bad_file() { # FILE MISSING
	local before after error
	before=$("$roce" -q --root "$work/machines/bad" metrics | grep -c '^roce_')
	bad "$1"
	error=$(LC_ALL=C cat "$work/machines/bad/sys/class/infiniband/$1" 2>&1)
	equal "reading $1 gives EINVAL" "Invalid argument" "${error##*: }"
	theirs bad 9101 >"$work/theirs"
	equal "$1: node_exporter then shows nothing" 0 "$(wc -l <"$work/theirs")"
	after=$("$roce" -q --root "$work/machines/bad" metrics | grep -c '^roce_')
	equal "$1: roce then shows all else" "$2" $((before - after))
	good "$1"
}
if [ "$(version sid)" = 1.11.1 ]; then
	cp -r "$work/machines/mlx5-dual-port" "$work/machines/bad"
	bad_file mlx5_0/ports/1/rate 1
	bad_file mlx5_1/ports/1/hw_counters/out_of_sequence 1
fi
