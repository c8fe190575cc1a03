# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154  # the words and variables are those of tests/contrib/lib.sh
# contrib/collectd: a real collectd runs it, keeps its values and logs its notifications.
packages -n collectd-core
in_namespaces
cd "$work" || exit
mkdir -p local/bin machines data base
chmod 711 "$work" .. # collectd's exec plugin runs nothing as root
chmod -R a+rX local machines
cp "$top/contrib/gate/roce-gate" "$top/contrib/collectd/roce-collectd" local/bin/
cp "$roce" local/bin/roce.real
printf '#!/bin/sh\nexec /usr/local/bin/roce.real --root %s/machine "$@"\n' "$work" >local/bin/roce
chmod 755 local/bin/*
cp "$top"/fixtures/{mlx5-roce-train,fault-link}.machine machines/
chmod 644 machines/*
mount --bind "$work/local" /usr/local
becomes() { ln -sfn "$work/machines/$1.machine" machine.new && mv -T machine.new machine; }
{
	printf 'Hostname "node1"\nFQDNLookup false\nInterval 1\nBaseDir "%s/base"\nPIDFile "%s/pid"\nPluginDir "%s/usr/lib/collectd"\nTypesDB "%s/usr/share/collectd/types.db"\n' \
		"$work" "$work" "$packages" "$packages"
	printf 'LoadPlugin logfile\n<Plugin logfile>\nLogLevel info\nFile "%s/log"\n</Plugin>\nLoadPlugin csv\n<Plugin csv>\nDataDir "%s/data"\n</Plugin>\n' "$work" "$work"
	"$top/contrib/collectd/roce-collectd" --help | sed -n '/^  LoadPlugin/,/^  <\/Plugin>/p'
} >collectd.conf
collectd() { LD_LIBRARY_PATH=$libraries "$packages/usr/sbin/collectd" -C "$work/collectd.conf" "$@"; }
check "collectd finds nothing wrong with the lines that --help shows" collectd -t
becomes mlx5-roce-train
collectd -f >out 2>&1 &
values() { cat data/node1/roce/gauge-status-* 2>/dev/null; }
has_value() { values | grep -q ",$1\(\.0*\)\?\$"; }
check "a healthy host is 0" until_so 40 has_value 0
check "of which it is not notified" eval '! grep Notification log'
becomes fault-link
check "a fault is 1" until_so 40 has_value 1
check "and a notification has device and port" until_so 20 grep -E 'Notification: severity = FAILURE, host = node1, plugin = roce.*roce: FAIL port-active mlx5_6/1' log
rm local/bin/roce
check "a missing roce is 2" until_so 40 has_value 2
check "and a notification says so" until_so 20 grep -E 'severity = WARNING, .*UNKNOWN there is no roce' log
printf '#!/bin/sh\nexec /usr/local/bin/roce.real --root %s/machine "$@"\n' "$work" >local/bin/roce.new
chmod 755 local/bin/roce.new
becomes mlx5-roce-train
mv local/bin/roce.new local/bin/roce
check "that all is well again is told" until_so 40 grep -E 'severity = OKAY, .*roce: OK ' log
