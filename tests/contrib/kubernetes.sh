# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154  # the words and variables are those of tests/contrib/lib.sh
# contrib/kubernetes: held against the API's published schemas, and each of roce's containers run as its manifest has it: that user, those mounts, that
# command, in a root that can't be written, without a capability.
objects() { # FILE…: as a JSON array
	/usr/bin/python3 -c 'import json, sys, yaml; json.dump([o for f in sys.argv[1:] for o in yaml.safe_load_all(open(f))], sys.stdout)' "$@"
}
manifests=("$top"/contrib/kubernetes/*.yaml)
/usr/bin/python3 -c 'import yaml' 2>/dev/null || skip "python3-yaml is not installed"
objects "${manifests[@]}" >"$work/objects.json"

# ---- the schemas; npm keeps what it has fetched by the lock's hashes
as_fetched() { # "NAME HASH SIZE" of each package: the last word is what tests/contrib/run adds up
	local store name sum size
	store=$(npm config get cache)/_cacache/content-v2/sha512
	jq -r '.packages | to_entries[] | select(.value.integrity) | "\(.key) \(.value.integrity)"' tests/contrib/npm/package-lock.json | while read -r name sum; do
		sum=$(base64 -d <<<"${sum#sha512-}" | od -An -v -tx1 | tr -d ' \n')
		size=$(stat -c %s "$store/${sum:0:2}/${sum:2:2}/${sum:4}" 2>/dev/null) || continue # another platform's
		echo "$name $sum $size"
	done
}
schemas() {
	local cache=$top/build/packages/kubernetes-models
	mkdir -p "$cache"
	if ! cmp -s tests/contrib/npm/package-lock.json "$cache/done" || [ ! -s "$cache/.packages" ]; then
		cp tests/contrib/npm/package.json tests/contrib/npm/package-lock.json "$cache/" &&
			(cd "$cache" && npm ci --ignore-scripts --no-audit --no-fund) >"$work/npm" 2>&1 &&
			as_fetched >"$cache/.packages" &&
			cp tests/contrib/npm/package-lock.json "$cache/done" || return
	fi
	echo build/packages/kubernetes-models >>"$work/fetched"
	cp tests/contrib/npm/validate.mjs "$cache/" && validator=$cache/validate.mjs
}
valid() { node "$validator" <"$1"; }
spoilt() { # NAME JQ REGEX: what the schemas don't have is found
	jq "$2" "$work/objects.json" >"$work/spoilt.json"
	shows "$1" "$3" valid "$work/spoilt.json"
}
as_text() {
	check "the manifests are YAML" objects "${manifests[@]}"
	if ! type -P npm >/dev/null; then
		result skipped "the manifests fit the API's schemas" "npm is not installed"
	elif ! schemas; then
		result skipped "the manifests fit the API's schemas" "npm could not fetch kubernetes-models: $(tail -n 1 "$work/npm")"
	else
		check "the manifests fit the API's schemas" valid "$work/objects.json"
		spoilt "a field that there isn't is found" '.[] |= (.. |= if type == "object" and has("runAsUser") then .runAsUsr = 1 else . end)' 'there is no such field'
		spoilt "and a type that it hasn't" '[.[] | select(.kind == "DaemonSet") | .spec.template.spec.hostNetwork = "yes"]' 'hostNetwork'
	fi

	# ---- what it may do
	# shellcheck disable=SC2016  # jq's own
	json "no container is privileged, root, or may become so" '
		[.[] | (.spec.template.spec // .spec) | select(. != null) | . as $pod | (.containers + (.initContainers // []))[] | select(.name == "roce")
		 | (($pod.securityContext // {}) + .securityContext)
		 | .runAsNonRoot and .runAsUser == 65534 and .readOnlyRootFilesystem and .allowPrivilegeEscalation == false and .capabilities.drop == ["ALL"] and (has("privileged") | not)]
		| length == 3 and all' "$work/objects.json"
	json "/sys is read only, and nothing of the host but that and the textfiles is there" '
		[.[] | select(.kind == "DaemonSet") | .spec.template.spec | (.volumes[] | select(.hostPath) | .hostPath.path), (.containers[].volumeMounts[] | select(.name == "sys") | .readOnly)]
		== ["/sys", "/var/lib/node_exporter/textfile", true]' "$work/objects.json"
}
[ $$ = 1 ] || as_text

# ---- the containers, run
in_namespaces
if ! type -P busybox >/dev/null || ! ldd "$(type -P busybox)" 2>&1 | grep -q 'not a dynamic'; then skip "busybox-static is not installed"; fi
# container FILTER: the pod and its container of that jq filter, as a root below $work/root; the volumes stand in $work/volumes.
container() {
	local name path read_only
	jq "$1" "$work/objects.json" >"$work/container.json"
	umount -R -l "$work/root" 2>/dev/null
	mkdir -p "$work/root"
	mount -t tmpfs -o mode=755 root "$work/root"
	mkdir -p "$work"/root/{bin,usr/local/bin,proc,dev}
	cp "$(type -P busybox)" "$work/root/bin/sh"
	for name in sleep timeout rm; do ln -s sh "$work/root/bin/$name"; done
	cp "$roce" "$work/root/usr/local/bin/roce"
	mknod -m 666 "$work/root/dev/null" c 1 3
	mount -t proc proc "$work/root/proc"
	mkdir -p "$work/root/machines"
	mount --bind "$top/fixtures" "$work/root/machines"
	while read -r name path read_only; do
		mkdir -p "$work/volumes/$name" "$work/root$path"
		mount --bind "$work/volumes/$name" "$work/root$path"
		[ "$read_only" != true ] || mount -o remount,bind,ro "$work/root$path"
	done < <(jq -r '.container.volumeMounts[] | "\(.name) \(.mountPath) \(.readOnly // false)"' "$work/container.json")
	[ "$(jq '.container.securityContext.readOnlyRootFilesystem' "$work/container.json")" != true ] || mount -o remount,ro "$work/root"
}
inside() { # MACHINE [COMMAND…]: its command, or another, there
	local machine=$1 uid gid command
	shift
	uid=$(jq '.pod.securityContext.runAsUser // .container.securityContext.runAsUser' "$work/container.json")
	gid=$(jq '.pod.securityContext.runAsGroup // .container.securityContext.runAsGroup' "$work/container.json")
	mapfile -t -d '' command < <(jq -j '.container | (.command + (.args // []))[] | . + "\u0000"' "$work/container.json")
	[ $# = 0 ] || command=("$@")
	env -i PATH=/usr/local/bin:/bin ROCE_ROOT="${machine:+/machines/$machine.machine}" \
		setpriv --no-new-privs --clear-groups unshare -R "$work/root" -S "$uid" -G "$gid" "${command[@]}"
}
container '[.[] | select(.kind == "Pod") | {pod: .spec, container: .spec.initContainers[0]}][0]'
jq -r '.[] | select(.kind == "ConfigMap") | .data["node.json"]' "$work/objects.json" >"$work/volumes/expectation/node.json"
chown 65534 "$work/volumes/tmp"
check_status "the init container lets a pod begin where all is as expected" 0 inside mlx5-roce-train
check_status "and not where it isn't" 1 inside fault-link
shows "it says why, with device and port" '^FAIL .*mlx5_6/1' inside fault-link
check_status "nor where the expectation alone isn't met" 1 inside mlx5-dual-port
shows "and says so" '^FAIL as-expected' inside mlx5-dual-port
check_status "nor where there is no RDMA device" 1 inside no-rdma
umount "$work/root/etc/roce"
check_status "nor without its ConfigMap" 2 inside mlx5-roce-train
shows "its root can't be written" 'Read-only file system' inside '' sh -c 'echo >/file'

container '[.[] | select(.kind == "DaemonSet") | .spec.template.spec | {pod: ., container: .containers[0]}][0]'
shows "/sys can't be written" 'Read-only file system' inside '' sh -c 'echo >/sys/file'
if ! "$roce" help metrics >/dev/null 2>&1; then
	result skipped "the metrics' container writes its textfile" "this roce has no metrics"
else
	chown 65534 "$work"/volumes/{textfile,tmp}
	inside mlx5-roce-train >"$work/container.log" 2>&1 &
	until_so 40 test -e "$work/volumes/textfile/roce.prom"
	shows "the metrics' container writes its textfile" '^roce_port_info\{.*mlx5_0' cat "$work/volumes/textfile/roce.prom"
	equal "which node_exporter can read" 644 "$(stat -c %a "$work/volumes/textfile/roce.prom")"
	kill "$(pgrep -u 65534 -o sh)"
	check "and takes it away when the pod ends" until_so 20 test ! -e "$work/volumes/textfile/roce.prom"
fi
umount -R -l "$work/root"
