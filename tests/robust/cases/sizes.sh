# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154  # the variables are those of tests/robust/run
# Many of everything.

# Making so many files is what takes the time, so the sanitizers see a tenth of them.
case_gid_table_of_100000() {
	machine
	local size=100000 tenth used
	[[ $roce != */asan/* ]] || size=10000
	tenth=$((size / 10))
	mapfile -t used < <(seq $tenth $tenth $((size - tenth)))
	awk -v dir="$port/gids" -v size=$size -v tenth=$tenth 'BEGIN { for (i = 2; i < size; i++) { f = dir "/" i
		print (i % tenth ? "0000:0000:0000:0000:0000:0000:0000:0000" : "fe80:0000:0000:0000:0000:0000:0000:0001") > f; close(f) } }'
	printf 'RoCE v2\n' | tee "${used[@]/#/$port/gid_attrs/types/}" >/dev/null
	printf 'enp23s0f1\n' | tee "${used[@]/#/$port/gid_attrs/ndevs/}" >/dev/null
	printf '%s\n' 'fe80:0000:0000:0000:0000:0000:0000:0002' >"$port/gids/$((size - 1))"
	spoil "sys/class/infiniband/irdma1/ports/1/gid_attrs/types/[32-$((size - 1))]" EINVAL
	run --root "$root" -j gids
	status_is 0
	out_is_json
	json_is '[.gids[] | select(.device == "irdma1") | .index] == [0,1,'"$(paste -sd , <<<"$(printf '%s\n' "${used[@]}")")"','$((size - 1))']'
	run --root "$root" status
	status_is 0
	out_has irdma0
	run --root "$root" gids --all irdma1
	status_is 0
	[ "$(wc -l <"$work/out")" -ge $size ] || fault "$ran: $(wc -l <"$work/out") lines"
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
