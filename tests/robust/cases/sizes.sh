# shellcheck shell=bash disable=SC2154  # the variables are those of tests/robust/run
# Many of everything.

case_gid_table_of_100000() {
	machine
	awk -v dir="$port/gids" 'BEGIN { for (i = 2; i < 100000; i++) { f = dir "/" i
		print (i % 10000 ? "0000:0000:0000:0000:0000:0000:0000:0000" : "fe80:0000:0000:0000:0000:0000:0000:0001") > f; close(f) } }'
	printf 'RoCE v2\n' | tee "$port"/gid_attrs/types/{10000,20000,30000,40000,50000,60000,70000,80000,90000} >/dev/null
	printf 'enp23s0f1\n' | tee "$port"/gid_attrs/ndevs/{10000,20000,30000,40000,50000,60000,70000,80000,90000} >/dev/null
	printf '%s\n' 'fe80:0000:0000:0000:0000:0000:0000:0002' >"$port/gids/99999"
	spoil 'sys/class/infiniband/irdma1/ports/1/gid_attrs/types/[32-99999]' EINVAL
	run --root "$root" -j gids
	status_is 0
	out_is_json
	json_is '[.gids[] | select(.device == "irdma1") | .index] == [0,1,10000,20000,30000,40000,50000,60000,70000,80000,90000,99999]'
	run --root "$root" status
	status_is 0
	out_has irdma0
	run --root "$root" gids --all irdma1
	status_is 0
	[ "$(wc -l <"$work/out")" -ge 100000 ] || fault "$ran: $(wc -l <"$work/out") lines"
}
case_many_devices() {
	machine
	local n
	for n in $(seq 10 400); do
		ln -s ../../devices/pci0000:16/0000:16:02.0/0000:17:00.1/infiniband/irdma1 "$root/sys/class/infiniband/irdma$n"
	done
	run --root "$root" -j devices
	status_is 0
	json_is '.devices | length == 393'
	json_is '[.devices[].device] | .[0] == "irdma0" and .[2] == "irdma10" and .[-1] == "irdma400"'
}
