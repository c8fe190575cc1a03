# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154  # the words and variables are those of tests/contrib/lib.sh
# A real slurmctld and slurmd on the loopback, with munge, contrib/slurm/roce-slurm as their HealthCheckProgram and Prolog.

slurm_packages
in_namespaces
hostname node1
address=10.77.0.1 # Slurm doesn't resolve even a numeric address where there is none but 127.0.0.1
ip address add $address/32 dev lo
export LD_LIBRARY_PATH=$libraries:$plugins SLURM_CONF=$work/slurm.conf
cd "$work" || exit

# ---- the gate as an operator installs it, with what a test needs in its roce-slurm.conf
mkdir -p etc bin spool munge
cp "$top/contrib/slurm/roce-slurm" "$top/contrib/gate/roce-gate" etc/
cat >etc/roce-slurm.conf <<CONF
STATE_DIR=$work/state
PATH=$work/bin:\$PATH
GATE=$work/bin/gate
[ ! -e $work/extra.conf ] || . $work/extra.conf
CONF
for name in scontrol sinfo sbatch squeue; do
	cat >bin/$name <<SH
#!/bin/bash
[ ! -e $work/no-$name ] || exec sleep 1000
export LD_LIBRARY_PATH=$LD_LIBRARY_PATH SLURM_CONF=$SLURM_CONF
exec $(slurm_program $name) "\$@"
SH
done
# the wrapped roce: the machine of the moment
printf '#!/bin/bash\nexec %s --root %s "$@"\n' "$roce" "$work/machine" >bin/roce
printf '#!/bin/bash\necho "$*" >>%s\n' "$work/syslog" >bin/logger
printf '#!/bin/bash\necho run >>%s\nexec %s "$@"\n' "$work/runs" "$work/etc/roce-gate" >bin/gate
chmod +x bin/*
touch syslog runs

slurm_conf node1 munge <<CONF
AuthInfo=socket=$work/munge/socket
ReturnToService=0
HealthCheckProgram=$work/etc/roce-slurm
HealthCheckInterval=1
Prolog=$work/etc/roce-slurm
NodeName=node1 NodeAddr=$address CPUs=1 State=UNKNOWN
PartitionName=all Nodes=node1 Default=YES State=UP
CONF
chmod 755 munge
head -c 64 /dev/urandom >munge/key
chmod 600 munge/key
"$(slurm_program munged)" --force --key-file="$work/munge/key" --socket="$work/munge/socket" --pid-file="$work/munge/pid" \
	--log-file="$work/munge/log" --seed-file="$work/munge/seed" >/dev/null 2>&1
machine mlx5-roce-train
"$(slurm_program slurmctld)" -D -f slurm.conf >/dev/null 2>&1 &
"$(slurm_program slurmd)" -D -f slurm.conf -d "$(slurm_program slurmstepd)" >/dev/null 2>&1 &

state() { bin/sinfo -h -o '%T %E' 2>&1; }
state_is() { like "$1" "$(state)"; } # PATTERN
like() { # PATTERN TEXT: "idle* none" also is a node that slurmctld hasn't heard of since
	# shellcheck disable=SC2254  # a pattern
	case $2 in $1) return 0 ;; esac
	return 1
}
now() { # NAME PATTERN: the node comes to be so
	if until_so 40 state_is "$2"; then
		result ok "$1"
	else
		result FAILED "$1" "$(state), not $2"
	fi
}
health_checks() { # that the health check has run twice more, from its beginning
	local before
	before=$(wc -l <runs)
	until_so 40 eval "[ \$(wc -l <runs) -ge $((before + 3)) ]"
}
stays() { # NAME PATTERN: also after two more health checks
	health_checks
	equal "$1" yes "$(state_is "$2" && echo yes || echo "$(state), not $2")"
}
logged() { # NAME REGEX
	check "$1" until_so 20 grep -q -E -e "$2" syslog
}
update() { bin/scontrol update NodeName=node1 "$@"; }

# ---- a node's health
now "a healthy node comes up idle" 'idle none'
stays "and stays so" 'idle none'
empty "of which nothing is logged" "$(cat syslog)"

machine fault-link
now "a fault drains it, with device and port" 'drained roce: FAIL port-active mlx5_6/1; FAIL port-module mlx5_4/1*'
logged "it is logged" '^-t roce-slurm -p daemon.warning -- node1 drained: roce: FAIL port-active'
machine fault-gid
now "the reason follows the worst fault" 'drained roce: FAIL gid-table mlx5_3/1*'
machine mlx5-roce-train
now "undone: the node is back" 'idle* none'
logged "it is logged, too" 'daemon.notice -- node1 is well again and undrained: it had roce: FAIL gid-table'

# ---- what others drained
update State=DRAIN Reason='fan 3 is broken'
stays "another's drain of a healthy node stays" 'drained fan 3 is broken'
machine fault-link
stays "and keeps its reason when there is a fault besides" 'drained fan 3 is broken'
logged "which is logged" 'drained by another \(fan 3 is broken\), and stays as it is: roce: FAIL port-active'
machine mlx5-roce-train
stays "and stays when that is undone" 'drained fan 3 is broken'
update State=RESUME
now "until they resume it" 'idle* none'

machine fault-link
now "a fault drains it again" 'drained roce: FAIL*'
update State=DRAIN Reason='roce: FAIL port-active mlx5_6/1, cable ordered'
machine mlx5-roce-train
stays "roce's drain that somebody made theirs stays, whatever the reason begins with" 'drained roce: FAIL port-active mlx5_6/1, cable ordered'
logged "which is logged" 'its drain is no longer roce.s \(roce: FAIL port-active mlx5_6/1, cable ordered\), and stays'
update State=RESUME
now "until they resume it" 'idle* none'

machine fault-link
now "a fault drains it once more" 'drained roce: FAIL*'
update State=DOWN Reason="$(bin/sinfo -h -o %E)" # as when slurmctld finds it rebooted: the reason stays
machine mlx5-roce-train
until_so 40 eval '! bin/scontrol show node node1 | grep -q DRAIN'
stays "undone: the drain goes, but a node that is DOWN stays so" 'down*'
update State=RESUME
now "until somebody resumes it" 'idle* none'

# ---- what can't be looked at
printf '#!/bin/bash\ntrap "" TERM\nsetsid sleep 1000 &\nwait\n' >bin/hang
chmod +x bin/hang
echo "export ROCE=$work/bin/hang ROCE_GATE_TIMEOUT=1" >extra.conf
now "a roce that hangs, and that no signal ends, is not waited for" 'drained roce: UNKNOWN roce gave no answer within 1 s'
echo "export ROCE=roce-that-is-not-there" >extra.conf
now "a missing roce is said" 'drained roce: UNKNOWN there is no roce-that-is-not-there on this host that can be run'
echo "GATE=roce-gate-that-is-not-there" >extra.conf
now "a missing roce-gate, too" 'drained roce: UNKNOWN there is no roce-gate-that-is-not-there on this host'
: >extra.conf
now "and when it is there again, so is the node" 'idle* none'
: >syslog
echo "export ROCE=roce-that-is-not-there ON_UNKNOWN=log" >extra.conf
stays "ON_UNKNOWN=log leaves the node" 'idle* none'
logged "and says so" 'daemon.err -- node1: UNKNOWN there is no roce-that-is-not-there'
: >extra.conf
machine fault-link
touch no-scontrol
health_checks
stays "slurmctld that doesn't answer: nothing hangs, nothing is done" 'idle* none'
rm no-scontrol
now "and it is done when it does" 'drained roce: FAIL*'
machine mlx5-roce-train
now "and undone" 'idle* none'

# ---- the prolog: the health check finds nothing yet, then it does, so that it leaves the drain alone
cat >extra.conf <<CONF
if [ "\${SLURM_JOB_ID-}" ] && [ ! -e $work/mended ]; then
	touch $work/found
	ln -sfn $top/$(fixture fault-link) $work/machine.prolog && mv -T $work/machine.prolog $work/machine
fi
CONF
# shellcheck disable=SC2016  # the job's
printf '#!/bin/sh\necho done on "$SLURMD_NODENAME"\n' >job
job() { bin/squeue -h -a -o '%T %r' 2>&1; }
bin/sbatch -o "$work/job.out" job >/dev/null
check "a prolog fails" until_so 40 eval '[ -e found ]'
now "its node is drained with roce's reason" 'drain* roce: FAIL port-active mlx5_6/1*'
held() { [ "$(job)" = 'PENDING launch failed requeued held' ]; }
until_so 40 held
equal "its job is requeued, and held, as Slurm documents" 'PENDING launch failed requeued held' "$(job)"
check "and hasn't run" eval '! grep done job.out'
check "slurmd's log has why" grep "job 1 can't begin on node1: FAIL port-active mlx5_6/1" slurmd.node1.log
touch mended
machine mlx5-roce-train
now "mended: the node is back" 'idle* none'
bin/scontrol release 1
bin/scontrol update JobId=1 StartTime=now # what is requeued waits two minutes otherwise
check "and the job runs" until_so 40 grep -q 'done on node1' job.out

# ---- what is wrong with the set-up is said, and nothing is done then; the health checks meanwhile see a healthy node
alone() { env -i SLURMD_NODENAME=node1 ALONE=yes "$work/etc/roce-slurm" "$@"; }
conf() { # LINE: for the call alone, which sees a fault
	cat >extra.conf <<CONF
if [ "\${ALONE-}" ]; then
	export ROCE="$roce --root $top/$(fixture fault-link)"
	STATE_DIR=$work/alone # with a lock of its own
	$1
fi
CONF
}
shows "--help tells how slurm.conf names it" 'HealthCheckProgram=' alone --help
conf STATE_DIR=/proc/nowhere
shows "without a place to remember it, a node isn't drained" "can't write /proc/nowhere/node1: node1 isn't drained, as nobody could tell" alone
check_status "and the status is 2" 2 alone
conf SCONTROL=scontrol-that-is-not-there
shows "no scontrol: the verdict is said all the same" 'no scontrol on this host to tell: FAIL port-active mlx5_6/1' alone
conf :
shows "--dry-run says what it would do" 'would: scontrol update NodeName=node1 State=DRAIN Reason=roce: FAIL port-active' alone --dry-run
check "an unknown option is an error" eval '! alone --frob'
conf ON_UNKNOWN=perhaps
shows "an unknown policy is an error" 'ON_UNKNOWN is drain or log, not perhaps' alone
now "the node has stayed as it was" 'idle* none'
