# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154  # the variables are those of tests/robust/run
# What a person types and gets: names that aren't quite right, ports beside the rails, devices that can't be opened.

case_a_counter_that_is_none() {
	run --root "$(fixture mlx5-roce-train)" counters out_of_sequenc
	status_is 2
	err_has "'out_of_sequenc' is neither a device nor a counter; did you mean the counter 'out_of_sequence'?"
	run --root "$(fixture mlx5-roce-train)" counters mlx5_99
	status_is 2
	err_has "no such device 'mlx5_99'"
}
case_recording_is_no_archive() {
	local name
	for name in x.tar.gz x.tgz x.zip x.zst; do
		run record "$work/$name"
		status_is 2
		err_has "a recording is one plain text file, not an archive"
		[ ! -e "$work/$name" ] || fault "$name was made"
	done
}
case_a_device_that_cannot_be_opened() { # by this process: all else of it is well
	root=$work/machine
	fixture_tree fault-access "$root"
	run --root "$root" -j status
	json_is '[.ports[] | select(.verdict == "device-hidden") | .device] == ["mlx5_1"]'
	json_is '[.ports[] | select(.verdict == "not-given") | .device] == ["mlx5_2"]'
	run explain not-given
	status_is 0
	out_has "was given other devices"
	run explain device-hidden
	status_is 0
	out_has "every device that sysfs shows can be opened"
}
case_rails_and_what_is_beside_them() {
	local name rails='["mlx5_0","mlx5_3","mlx5_4","mlx5_5","mlx5_6","mlx5_9","mlx5_10","mlx5_11"]'
	run --root "$(fixture mlx5-roce-train)" -j gids --for nccl
	json_is '.left_out == ["mlx5_1:1", "mlx5_2:1", "mlx5_7:1", "mlx5_8:1"]'
	json_is "[.paste | scan(\"mlx5_[0-9]+\")] == $rails"
	json_is "[.rails[].port_names[] | rtrimstr(\":1\")] == $rails and (.rails | all(.distance == \"PIX\" or .distance == \"PXB\"))"
	run --root "$(fixture mlx5-roce-train)" gids --for nccl
	out_has "slower than the rails of 400 Gb/s"
	out_has "By accelerator: 0000:19:00.0 mlx5_0:1 (PIX), 0000:3b:00.0 mlx5_3:1 (PIX), "
	run --root "$(fixture mlx5-roce-train)" -j gids --for nccl mlx5_1 mlx5_3 # who names them wants them
	json_is '.left_out == [] and .rails == [] and ([.paste | scan("mlx5_[0-9]+")] | length) == 2'
	run --root "$(fixture mlx5-roce-train)" -j gids --for ucx
	json_is '.left_out == [] and .rails == []'
	run --root "$(fixture mlx5-lag)" -j gids --for nccl # ports that are alike are all rails
	json_is '.left_out == []'
	fixture_tree mlx5-roce-train "$work/alike" # as fast as the rails, and no accelerator's
	for name in 1 2 7 8; do echo "400 Gb/sec (4X NDR)" >"$work/alike/sys/class/infiniband/mlx5_$name/ports/1/rate"; done
	run --root "$work/alike" -j gids --for nccl
	json_is '.left_out == ["mlx5_1:1", "mlx5_2:1", "mlx5_7:1", "mlx5_8:1"]'
	run --root "$work/alike" gids --for nccl
	out_has "taken by no accelerator, so most likely"
	find "$work/alike/sys" -name class -path '*3b:00.0*' -exec sh -c 'echo 0x030000 >"$1"' sh {} \; # still NVIDIA's
	run --root "$work/alike" -j gids --for nccl
	json_is '.left_out | length == 4'
	root=$work/told
	fixture_tree mlx5-roce-train "$root"
	mkdir -p "$root/etc"
	echo "NCCL_IB_HCA=mlx5" >"$root/etc/nccl.conf"
	run --root "$root" -j gids --for nccl
	json_is '.left_out == []'
}
case_one_unit_for_rates() {
	run --root "$(fixture mlx5-100g-at-25g)" doctor --only link-speed -v
	out_has "Gb/s"
	out_lacks "Mb/s"
	run --root "$(fixture efa)" status
	out_lacks "Mb/s"
}
