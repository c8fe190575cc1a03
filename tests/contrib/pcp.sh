# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154  # the words and variables are those of tests/contrib/lib.sh
# Performance Co-Pilot, as contrib/README.md has it: its openmetrics agent, started by a real pmcd, reads what `roce metrics --output` writes.
packages pcp pcp-conf python3-pcp python3-requests
in_namespaces
cd "$work" || exit
# Its paths are built in: for this namespace, the packages lie over the system, and what is written goes to memory. They are copied there first: a
# directory can't lie over another that it is in, as the checkout may be in /var.
mkdir memory
mount -t tmpfs tmpfs memory || skip "no tmpfs can be mounted here"
for dir in usr etc var; do
	mkdir -p "memory/$dir/work" "memory/$dir/upper"
	cp -a "$packages/$dir" "memory/$dir/lower"
	mount -t overlay overlay -o "lowerdir=$work/memory/$dir/lower:/$dir,upperdir=$work/memory/$dir/upper,workdir=$work/memory/$dir/work" "/$dir" 2>/dev/null ||
		skip "no overlay can be mounted here"
done
mount -t tmpfs tmpfs /run
ldconfig # the binding asks it where the library is
export PCP_USER=root PCP_GROUP=root PCP_TMP_DIR=$work/memory PCP_RUN_DIR=/run/pcp PCP_LOG_DIR=$work/memory PMCD_PORT=44321
mkdir -p /run/pcp /var/lib/pcp/config/pmda /var/lib/pcp/tmp

line=$(sed -n "s|^    \(file:///.*/roce.prom\)\$|\1|p" "$top/contrib/README.md")
file=${line#file://}
mkdir -p "${file%/*}"
write() { "$roce" -q -r "$top/$(fixture "$1")" metrics --output "$file"; }
write fault-link
agent=/var/lib/pcp/pmdas/openmetrics
check "the README names the file that the unit writes" grep -qE "^ExecStart=.* --output $file\$" "$top/contrib/systemd/roce-metrics.service"
check "and a directory that the agent has" grep -qF "\`$agent/config.d/roce.url\`" "$top/contrib/README.md"
rm -f $agent/config.d/*.url
echo "$line" >$agent/config.d/roce.url
echo "openmetrics 144 pipe binary notready /usr/bin/python3 $agent/pmdaopenmetrics.python -u root -l $work/memory/openmetrics.log" >pmcd.conf
printf 'root {\n\topenmetrics 144:*:*\n}\n' >root
/usr/lib/pcp/bin/pmcd -f -t 120 -U root -c "$work/pmcd.conf" -n "$work/root" -l "$work/memory/pmcd.log" -A >pmcd.out 2>&1 &
info() { pminfo -h 127.0.0.1 "$@"; }
value() { info -f "openmetrics.roce.$1" 2>/dev/null | sed -nE "s/^ *inst \[[0-9]+ or \"[0-9]+ $2\"\] value (.*)/\1/p"; } # FAMILY LABELS
is() { [ "$(value "$1" "$2")" = "$3" ]; }
check "the agent shows a port that is down" until_so 40 is roce_port_active 'device:mlx5_6 port:1' 0
equal "and one that is up" 1 "$(value roce_port_active 'device:mlx5_0 port:1')"
equal "each family that the file has is there" "$(sed -n 's/^# TYPE \([^ ]*\) .*/\1/p' "$file" | sort)" \
	"$(info openmetrics.roce | sed 's/^openmetrics\.roce\.//' | sort)"
equal "each series of a family, too" "$(grep -c '^roce_port_active{' "$file")" "$(info -f openmetrics.roce.roce_port_active | grep -c ' value ')"
shows "what it means is the agent's help" "$(sed -n 's/^# HELP roce_port_active //p' "$file" | cut -c1-30)" info -T openmetrics.roce.roce_port_active
write mlx5-roce-train
check "the file is read anew when it is" until_so 20 is roce_port_active 'device:mlx5_6 port:1' 1
shows "the agent had nothing to say against it" '^0$' grep -ciE 'error|traceback' memory/openmetrics.log
