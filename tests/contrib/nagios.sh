# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154  # the words and variables are those of tests/contrib/lib.sh
# contrib/nagios: a real nagios4 and a real icinga2 verify the definitions, and check hosts by them.
packages -n nagios4-core
nagios=$packages/usr/sbin/nagios4
part=icinga packages icinga2-bin icinga2-common
icinga=$(find "$packages/usr/lib" -type f -path '*/sbin/icinga2')
in_namespaces
blind_machine "$work/blind"

cd "$work" || exit
# No roce is installed where the definitions look for it: the one to test is mounted there.
mkdir -p local/bin nagios/var/checks icinga/{run,data,cache,log,spool}
cp "$roce" local/bin/roce
cat >local/bin/check_nrpe <<SH
#!/bin/bash
# check_nrpe: what NRPE runs on the host, by the line that roce.cfg gives for nrpe.cfg; the address stands for the host
[ "\$1" = -H ] || exit 3
shift 1
machine=\$1 command=\$(sed -n 's/^# *command\[check_roce\]=//p' $top/contrib/nagios/roce.cfg)
cd $work && ROCE_ROOT=$top/fixtures/\$machine.machine exec \${command//\/var\/lib\/nagios\//$work/}
SH
chmod +x local/bin/*
mount --bind "$work/local" /usr/local

# ---- nagios
service() { # NAME COMMAND
	printf 'define host {\n host_name %s\n address %s\n max_check_attempts 1\n check_period 24x7\n contacts nobody\n notification_period 24x7\n}\n' "$1" "$1"
	printf 'define service {\n use roce\n host_name %s\n check_command %s\n contacts nobody\n}\n' "$1" "$2"
}
{
	echo 'define timeperiod {
 timeperiod_name 24x7
 alias always'
	for day in sunday monday tuesday wednesday thursday friday saturday; do echo " $day 00:00-24:00"; done
	echo '}
define command {
 command_name nothing
 command_line /bin/true
}
define contact {
 contact_name nobody
 service_notification_period 24x7
 host_notification_period 24x7
 service_notification_commands nothing
 host_notification_commands nothing
}'
	service mlx5-roce-train check_roce_by_nrpe
	service fault-link check_roce_by_nrpe
	service fault-counters check_roce_by_nrpe
	service blind "check_roce!--root $work/blind"
	service warned "check_roce!--root $top/fixtures/fault-link.machine --only pcie-width"
	service lenient "check_roce!--root $top/fixtures/fault-link.machine --only pcie-width --fail-on fail"
	service wrong "check_roce!--frob"
	service hung "check_roce!--root $work/hang"
} >nagios/hosts.cfg
mkfifo "$work/hang" # to open it waits for ever
cat >nagios/nagios.cfg <<CONF
cfg_file=$top/contrib/nagios/roce.cfg
cfg_file=$work/nagios/hosts.cfg
resource_file=$work/nagios/resource.cfg
log_file=$work/nagios/var/log
status_file=$work/nagios/var/status
status_update_interval=1
object_cache_file=$work/nagios/var/objects
precached_object_file=$work/nagios/var/precached
command_file=$work/nagios/var/command
state_retention_file=$work/nagios/var/retention
query_socket=$work/nagios/var/query
lock_file=$work/nagios/var/lock
temp_file=$work/nagios/var/temp
temp_path=$work/nagios/var
check_result_path=$work/nagios/var/checks
nagios_user=root
nagios_group=root
use_syslog=0
interval_length=1
service_check_timeout=15
execute_host_checks=0
service_inter_check_delay_method=n
service_interleave_factor=1
check_for_updates=0
illegal_macro_output_chars=;&|<>
CONF
echo "\$USER1\$=/usr/local/bin" >nagios/resource.cfg
shows "nagios finds nothing wrong with the definitions" 'Total Errors: *0' "$nagios" -v nagios/nagios.cfg
shows "nor to warn of" 'Total Warnings: *0' "$nagios" -v nagios/nagios.cfg
"$nagios" nagios/nagios.cfg >nagios/out 2>&1 &
nagios_pid=$!
of() { # HOST KEY [FILE]: what nagios' state file has of its service
	awk -v host="$1" -v key="$2" '
		/^servicestatus/ {in_service = 1; name = ""}
		in_service && sub(/^\thost_name=/, "") {name = $0}
		in_service && name == host && index($0, "\t" key "=") == 1 {print substr($0, length(key) + 3)}
		/^\t}/ {in_service = 0}' "nagios/${3:-status}" 2>/dev/null
}
checked() { # HOST…
	local host
	for host; do [ "$(of "$host" has_been_checked var/status)" = 1 ] || return 1; done
}
until_so 60 checked mlx5-roce-train fault-link fault-counters blind warned lenient wrong hung
cp nagios/var/status nagios/status # it goes with nagios
kill "$nagios_pid"
equal "a healthy host is OK" 0 "$(of mlx5-roce-train current_state)"
shows "and says so" '^ROCE OK - 0 failures, 0 warnings' of mlx5-roce-train plugin_output
equal "a fault is CRITICAL" 2 "$(of fault-link current_state)"
shows "with device and port in the line" '^ROCE CRITICAL - .*: port-active mlx5_6/1, port-module mlx5_4/1' of fault-link plugin_output
shows "all findings below" 'fail netdev-up mlx5_3/1: .*warn pcie-width mlx5_1' of fault-link long_plugin_output
shows "and performance data" '^fail=[1-9][0-9]*;;0 warn=[1-9][0-9]*;0 ' of fault-link performance_data
equal "a warning is WARNING" 1 "$(of warned current_state)"
equal "and OK where failures alone count" 0 "$(of lenient current_state)"
equal "what could not be looked at is UNKNOWN" 3 "$(of blind current_state)"
shows "and says so" '^ROCE UNKNOWN' of blind plugin_output
equal "a wrong call is UNKNOWN" 3 "$(of wrong current_state)"
equal "a hung roce isn't OK" 2 "$(of hung current_state)"
shows "nagios says that it gave up" 'timed out' of hung plugin_output

# ---- icinga
for host in mlx5-roce-train fault-link fault-counters; do
	printf 'object Host "%s" {\n check_command = "dummy"\n vars.roce = true\n vars.roce_root = "%s"\n vars.roce_state = "%s/%s.state"\n' "$host" \
		"$top/fixtures/$host.machine" "$work" "$host"
	[ "$host" != fault-link ] || printf ' vars.roce_only = "pcie-width"\n vars.roce_devices = [ "mlx5_0", "mlx5_1" ]\n'
	echo '}'
done >icinga/hosts.conf
cat >icinga/icinga2.conf <<CONF
include <itl>
object CheckerComponent "checker" {}
include "roce.conf"
include "hosts.conf"
object Host "without" {
	check_command = "dummy"
}
CONF
cp "$top/contrib/nagios/icinga2.conf" icinga/roce.conf
# shellcheck disable=SC2120  # shows gives some
icinga2() { # [-C]
	LD_LIBRARY_PATH=$libraries "$icinga" daemon "$@" -c "$work/icinga/icinga2.conf" -I "$packages/usr/share/icinga2/include" -D RunAsUser=root -D RunAsGroup=root \
		-D InitRunDir="$work/icinga/run" -D DataDir="$work/icinga/data" -D CacheDir="$work/icinga/cache" -D LogDir="$work/icinga/log" \
		-D SpoolDir="$work/icinga/spool" -D ConfigDir="$work/icinga"
}
shows "icinga finds nothing wrong with the definitions" 'Finished validating' icinga2 -C
shows "a host has the service by its variables" 'Instantiated 3 Services' icinga2 -C
# Its first check comes some time within the interval.
sed -i 's/check_interval = 5m/check_interval = 1s/' icinga/roce.conf
# shellcheck disable=SC2119  # no argument is meant
icinga2 >icinga/out 2>&1 &
state_file() { cat icinga/data/icinga2.state 2>/dev/null; }
# the state file is written when it ends
until_so 40 ls mlx5-roce-train.state fault-link.state fault-counters.state >/dev/null 2>&1
sleep 1
kill "$(cat icinga/run/icinga2.pid)"
wait
shows "icinga: a healthy host is OK" 'ROCE OK - 0 failures' state_file
shows "icinga: options and devices reach roce" 'ROCE WARNING - 0 failures, 1 warning[^"]*: pcie-width mlx5_1' state_file
