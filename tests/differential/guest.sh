# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# For scenarios in a guest: compare.sh, and what is compared on a live kernel.
require ibstat ibstatus ibv_devices ibv_devinfo

export originals=/usr/sbin:/usr/bin:/sbin:/bin dropins=$PWD/links scratch=$PWD
roce install-links "$dropins" >/dev/null
# shellcheck source=compare.sh
. "${repo:?}/tests/differential/compare.sh"

as_nobody_too() {
	run_as setpriv --reuid=65534 --regid=65534 --clear-groups
}

compare_all() { # LABEL
	compare "$1" ibstat
	compare "$1" ibstatus
	compare "$1" ibv_devices
	compare "$1" ibv_devinfo -l
	compare "$1" ibv_devinfo
	compare "$1" ibv_devinfo -v
}
