# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154  # the words and variables are those of tests/contrib/lib.sh
# contrib/grafana: the dashboard is one, every expression of it is asked of a live Prometheus and brings a series, and so does each of its variables. The
# half hour that is asked for is made of real pages of four machines, whose files change meanwhile. UPDATE=1 draws the picture for contrib/README.md anew.
prometheus_of bookworm
bin=$top/build/packages/prometheus-bookworm/usr/bin
require curl
in_namespaces

board=$top/contrib/grafana/roce.json
# shellcheck disable=SC2016  # the variables of jq and of the dashboard
the_file_itself() {
	json "it is a dashboard: a title, a uid that stays, a variable for the data source" \
		'.uid == "roce" and (.title | length) > 0 and .schemaVersion >= 36 and .id == null and .templating.list[0] .type == "datasource"' "$board"
	json "each panel has an id of its own, a title, and says what it shows" \
		'[.panels[].id] as $ids | ($ids | length) == ($ids | unique | length) and all(.panels[]; (.title | length) > 0 and (.type == "row" or (.description | length) > 0))' "$board"
	json "each asks the data source that is chosen" \
		'all(.panels[] | select(.type != "row"); .datasource.uid == "${datasource}" and (.targets | length) > 0 and all(.targets[]; .datasource.uid == "${datasource}" and (.expr | length) > 0))' "$board"
	json "no panel lies over another, or beside the page" \
		'[.panels[].gridPos] as $all | all($all[]; .x >= 0 and .x + .w <= 24) and
		([range(0; $all | length) as $i | range(0; $i) as $k | [$all[$i], $all[$k]] |
			select(.[0].x < .[1].x + .[1].w and .[1].x < .[0].x + .[0].w and .[0].y < .[1].y + .[1].h and .[1].y < .[0].y + .[0].h)] | length) == 0' "$board"
	json "expressions use the variables that there are, and no others" \
		'([.templating.list[].name] + ["__rate_interval"]) as $known | [.panels[].targets[]?.expr | scan("\\$[{]?([a-zA-Z_]+)")[0]] | all(. as $one | $known | index($one))' "$board"
}
the_file_itself

# ---- half an hour of four machines: a healthy one with traffic, the same with trouble, one with faults, one whose queue pairs give up
cd "$work" || exit
now=$(date +%s)
start=$((now - 1800)) interval=15
"$roce" record --unpack "$top/$(fixture mlx5-roce-train)" node-a
cp -a node-a node-b
"$roce" record --unpack "$top/$(fixture fault-qos-before)" node-c
"$roce" record --unpack "$top/$(fixture fault-qos)" node-c-later
"$roce" record --unpack "$top/$(fixture rxe-in-use)" node-d
netdev=$("$roce" -r node-b links -o netdev --no-header mlx5_0)
mkdir -p "node-b/sys/class/net/$netdev/statistics" && echo 0 >"node-b/sys/class/net/$netdev/statistics/rx_crc_errors"
add() { # MACHINE DEVICE FILE AMOUNT: to what a counter of port 1 has
	local file=$1/sys/class/infiniband/$2/ports/1/$3
	echo $(($(<"$file") + $4)) >"$file"
}
# Traffic in waves, as of a training job's steps; some congestion; on node-b a receiver that is too slow, a bad cable, and a port that goes down for a while.
live() { # MINUTE STEP
	local i rate
	for i in {0..7}; do
		rate=$(((20 + 15 * (($2 / 4 + i) % 3)) * 100000000))
		add node-a "mlx5_$i" counters/port_xmit_data $((rate * interval / 4))
		add node-a "mlx5_$i" counters/port_rcv_data $((rate * interval * 9 / 40))
		add node-a "mlx5_$i" counters/port_xmit_packets $((rate * interval / 4096))
		add node-a "mlx5_$i" counters/port_rcv_packets $((rate * interval / 4100))
		add node-a "mlx5_$i" hw_counters/np_ecn_marked_roce_packets $((rate * (i + 1) / 40000000))
		add node-a "mlx5_$i" hw_counters/np_cnp_sent $((rate * (i + 1) / 60000000))
		add node-a "mlx5_$i" hw_counters/rp_cnp_handled $((rate * (i + 1) / 80000000))
	done
	for i in 0 1; do
		add node-b "mlx5_$i" counters/port_xmit_data $((2000000000 * interval / 4))
		add node-b "mlx5_$i" counters/port_rcv_data $((1500000000 * interval / 4))
		add node-b "mlx5_$i" counters/port_xmit_packets $((500000 * interval))
		add node-b "mlx5_$i" counters/port_rcv_packets $((400000 * interval))
		add node-b "mlx5_$i" hw_counters/out_of_buffer $((40 * i * ($1 % 7)))
	done
	[ "$1" -lt 12 ] || [ "$1" -ge 20 ] || add node-b mlx5_0 hw_counters/packet_seq_err $((300 + $1 * 20))
	[ "$1" -lt 12 ] || [ "$1" -ge 20 ] || add node-b mlx5_0 hw_counters/rx_icrc_encapsulated 12
	[ "$1" -lt 12 ] || [ "$1" -ge 20 ] || add node-b mlx5_1 hw_counters/out_of_sequence 90
	[ "$1" -lt 12 ] || [ "$1" -ge 20 ] || echo $(($1 * 30 - 350)) >"node-b/sys/class/net/$netdev/statistics/rx_crc_errors"
	[ $(($2 % 40)) != 30 ] || { add node-d rxe0 hw_counters/retry_exceeded_err 2 && add node-d rxe0 hw_counters/retry_rnr_exceeded_err 1; }
	case $1 in
	14) echo '1: DOWN' >node-b/sys/class/infiniband/mlx5_6/ports/1/state ;;
	19) echo '4: ACTIVE' >node-b/sys/class/infiniband/mlx5_6/ports/1/state ;;
	15) [ ! -d node-c-later ] || { rm -rf node-c && mv node-c-later node-c; } ;;
	esac
}
# A page as node_exporter's scrape would have it at that time.
page() { # MACHINE TIME OPTION…
	"$roce" -q -r "$1" metrics "${@:3}" | awk -v time="$2" -v labels="instance=\"$1\",job=\"node\"" '
		/^#/ {next}
		{value = $NF; sub(/ [^ ]*$/, "")}
		/\{/ {sub(/\{/, "{" labels ",")}
		!/\{/ {$0 = $0 "{" labels "}"}
		{print $0, value, time}'
}
# As on a machine that is read: node-a is, with its files in /sys.
duration() { # TIME
	# shellcheck disable=SC2016  # sh's own
	unshare -m sh -c 'mount --bind "$1" /sys && exec "$2" -q metrics --only scrape_duration_seconds' sh node-a/sys "$roce" |
		sed -n "s/^\(roce_scrape_duration_seconds\) \(.*\)/\1{instance=\"node-a\",job=\"node\"} \2 $1/p"
}
for ((step = 0; step <= 1800 / interval; step++)); do
	time=$((start + step * interval))
	live $((step * interval / 60)) "$step"
	for node in node-a node-b node-c node-d; do
		page "$node" "$time"
	done
	duration "$time"
	[ $((step % 4)) != 0 ] || for node in node-a node-b node-c; do page "$node" "$time" --checks --gids --only 'finding,check_results,port_gid*,port_roce_enabled'; done
done >samples
echo '# EOF' >>samples
check "the half hour becomes Prometheus' blocks" "$bin/promtool" tsdb create-blocks-from openmetrics samples data
echo 'global: {}' >prometheus.yml
"$bin/prometheus" --config.file=prometheus.yml --storage.tsdb.path=data --storage.tsdb.retention.time=1y --web.listen-address=127.0.0.1:9090 >prometheus.log 2>&1 &
ready() { curl -s -f -o /dev/null http://127.0.0.1:9090/-/ready; }
check "Prometheus has them" until_so 60 ready

query() { # EXPRESSION: how many series it brings, of the half hour
	curl -s -G http://127.0.0.1:9090/api/v1/query_range --data-urlencode "query=$1" -d "start=$start&end=$now&step=45" | jq '.data.result | length'
}
silent=()
while IFS= read -r expression; do
	filled=${expression//\$__rate_interval/1m}
	for name in job instance device; do filled=${filled//\$$name/.*}; done
	[ "$(query "$filled")" -gt 0 ] 2>/dev/null || silent+=("$expression")
done < <(jq -r '.panels[].targets[]?.expr' "$board")
empty "each expression brings a series" "${silent[*]}"
check "there are many" [ "$(jq '[.panels[].targets[]?.expr] | length' "$board")" -gt 30 ]
for name in job instance device; do
	label=$(jq -r --arg name "$name" '.templating.list[] | select(.name == $name).definition' "$board" | sed -nE 's/^label_values\(.*, ([a-z]+)\)$/\1/p')
	check "the variable $name has values" [ "$(curl -s "http://127.0.0.1:9090/api/v1/label/$label/values" | jq '.data | length')" -gt 0 ]
done
check "it can be drawn, and no panel is empty" sh -c '"$@" >picture.svg' sh "$top/tests/contrib/picture" "$board" http://127.0.0.1:9090 "$now"
check "as one that a reader of pictures understands" /usr/bin/python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' picture.svg
check "not too large a one" [ "$(stat -c %s picture.svg)" -lt 150000 ]
[ -z "${UPDATE:-}" ] || cp picture.svg "$top/contrib/grafana/roce.svg"
check "the README shows one" [ -s "$top/contrib/grafana/roce.svg" ]
