# SPDX-License-Identifier: MIT
# shellcheck shell=bash

# retry COMMAND…: three times, for a network, or a busy machine, that fails in passing.
retry() {
	local pause
	for pause in 2 5 0; do
		"$@" && return
		[ "$pause" = 0 ] || sleep "$pause"
	done
	return 1
}
