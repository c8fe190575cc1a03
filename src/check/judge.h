/* SPDX-License-Identifier: MIT */
/* What judges share: giving a verdict with its evidence, and fixes that suit the machine. Private to check/. */
#pragma once

#include "check/check.h"
#include "model/qos.h"
#include "model/users.h"

/* src/check/cause.c: which findings explain others; fills in the report's causes from its findings. */
void find_causes(struct report *report, struct arena *arena);
/* Sorts items of size bytes, whose enum verdict is at offset verdict_at; stable. */
void sort_worst_first(void *items, size_t count, size_t size, size_t verdict_at);
/* Sorts the ports that aren't judged, for why_idle(). */
void order_idle(struct idle *idle, size_t count);
/* Why a port isn't judged. NULL: somebody uses it; "": nobody does; else why that isn't known. */
const char *why_idle(const struct subject *subject, const struct port *port);
bool port_is_idle(const struct subject *subject, const struct port *port); /* nobody uses it */
/* Is one of them above the other? */
bool netdevs_meet(const struct host *host, const struct netdev *a, const struct netdev *b);

/* src/check/unread.c: what could not be read without which the check may not give this verdict, PASS or NA;
 * NULL if all could. */
const struct unread *unread_of(const struct check *check, const struct subject *subject, enum verdict verdict);
/* The same of what it reads of others, too: paths with wildcards. */
const struct unread *unread_of_any(const struct check *check, const struct host *host);
/* What could not be read of what could show that a warning or a failure is none. */
const struct unread *doubt_of(const struct check *check, const struct subject *subject);
enum verdict could_not_look(struct judgement *judgement, const struct unread *unread);

/* src/check/fix.c: what to do about a cause, from its findings' fixes. */
void find_fixes(struct root_cause *cause, struct arena *arena);
/* A fix as printed for the subject; and whether one of its names isn't a plain word to the shell. */
const char *fix_text(const struct fix *fix, const struct subject *subject, struct arena *arena);
bool fix_is_odd(const struct fix *fix, const struct subject *subject);
/* Takes the note off a command that a judge gave. */
void split_remark(struct fix *fix, struct arena *arena);

/* Each records the evidence and returns its verdict, so that a judge ends with `return fail(...)`. */
enum verdict judge_as(struct judgement *judgement, enum verdict verdict, const char *format, ...)
    PRINTF_LIKE(3, 4);
#define judge_fail(judgement, ...) judge_as(judgement, VERDICT_FAIL, __VA_ARGS__)
#define judge_warn(judgement, ...) judge_as(judgement, VERDICT_WARN, __VA_ARGS__)
#define judge_info(judgement, ...) judge_as(judgement, VERDICT_INFO, __VA_ARGS__)
#define judge_unknown(judgement, ...) judge_as(judgement, VERDICT_UNKNOWN, __VA_ARGS__)
#define judge_pass(judgement, ...) judge_as(judgement, VERDICT_PASS, __VA_ARGS__)
#define judge_na(judgement, ...) judge_as(judgement, VERDICT_NA, __VA_ARGS__)
/* say_errno(err), which is also noted: it may be why the judge could not look. */
const char *judge_errno(struct judgement *judgement, int err);
/* What to do about it, as a template: "{netdev}", "{device}" and "{pci}" are the subject's names, "{hardware}"
 * the netdev whose settings apply to it, and a word in capitals, "{ADDRESS/PREFIX}", is for the reader to fill
 * in: what it stands for is said behind the command, by the judge or by fix.c. Other names go in
 * through fix_name(). A command can be pasted into a shell; " # " precedes a note on it. An interrupting one
 * takes a link, a device or an address away from its users, even if only for a moment. */
enum fix_kind { FIX_COMMAND, FIX_INTERRUPTS, FIX_ADVICE };
void judge_fix(struct judgement *judgement, enum fix_kind kind, const char *format, ...) PRINTF_LIKE(3, 4);
#define judge_command(judgement, ...) judge_fix(judgement, FIX_COMMAND, __VA_ARGS__)
#define judge_interrupting(judgement, ...) judge_fix(judgement, FIX_INTERRUPTS, __VA_ARGS__)
#define judge_advice(judgement, ...) judge_fix(judgement, FIX_ADVICE, __VA_ARGS__)
/* A netdev's or device's name for a fix: a placeholder if it is the subject's own. */
const char *fix_name(struct judgement *judgement, const char *name);

/* The judge of the check with this id, in C: JUDGE(port_active) { ... }. s is the subject, j the judgement. */
#define JUDGE(id) PRECONDITION(judge_##id)
/* What a check is not judged for: no_qos. */
#define PRECONDITION(name) \
    judge_fn name;         \
    enum verdict name(const struct subject *s, struct judgement *j)

/* A check of the whole host asks this about the device of a possible finding. False: the user asked about
 * others, so it isn't reported. A netdev belongs to the ports below it. */
bool judge_about(const struct judgement *judgement, const struct device *device);
bool judge_about_netdev(const struct judgement *judgement, const struct netdev *netdev);

/* src/check/judge.c: commands for this distribution and driver, in the judgement's arena */

/* How a container, depending on its kind, gets a node of /dev, a device, or a netdev of a device. */
void fix_give_node(struct judgement *judgement, const struct system *system, const char *path);
void fix_give_device(struct judgement *judgement, const struct system *system);
void fix_give_netdev(struct judgement *judgement, const struct system *system, const char *device);
/* For a netdev without a carrier: a bond's is its members'. */
void fix_link(const struct subject *subject, struct judgement *judgement);
/* How ip link names a virtual function: "ens1f0 vf 3", with blanks for what isn't known. */
const char *fix_function(struct judgement *judgement, const struct pci *function);
/* "modprobe ib_uverbs", and how to load it at every boot. */
void fix_module(struct judgement *judgement, const struct system *system, const char *module);
/* How to install the package: debian, redhat and suse are its names there; NULL means as for redhat. */
void fix_package(struct judgement *judgement, const struct system *system, const char *debian,
                 const char *redhat, const char *suse);
/* "sysctl -w NAME=VALUE", and where to make it permanent. name with dots. */
void fix_sysctl(struct judgement *judgement, const char *name, const char *value);
/* Sets a devlink parameter to true and reloads the function. bus: "pci" or "auxiliary". */
void fix_devlink_on(struct judgement *judgement, const char *bus, const char *function, const char *parameter);
/* For a netdev or device node that is here while its RDMA device stayed in another RDMA namespace. */
void fix_missing_device(struct judgement *judgement, const struct host *host);
/* "ip link set dev {netdev} mtu N", and how to make it permanent. */
void fix_mtu(struct judgement *judgement, const struct system *system, unsigned mtu);

/* src/check/cm.c. Needs NEED_ENVIRONMENT, NEED_USERS and NEED_SYSTEM */

/* What asks for RDMA_CM here: a variable, a library's file or a module list, or a process that has a CM id; in
 * arena. NULL if nothing visible does. */
const char *cm_asked_by(const struct host *host, struct arena *arena);
/* The verdict when part of RDMA_CM, named by what, is missing: depends on who asks for it. */
enum verdict judge_without_cm(struct judgement *judgement, const struct host *host, const char *what);

/* src/check/facts.c: questions that several checks ask */

/* False for a management function without port traffic (mlx5's smi devices), a switchdev representor's port, or
 * a port with raw packets only (port_is_raw()). */
bool port_carries_traffic(const struct subject *subject);
/* Is the netdev in a bond, as the member that waits for another to fail? ib_core gives the bond's GIDs to the
 * active member's port and none to this one's (is_eth_active_slave_of_bonding_rcu() in core/roce_gid_mgmt.c).
 * False for NULL. */
bool netdev_is_backup(const struct netdev *netdev);
/* Does the port do RoCE, as far as is known: Ethernet, not switched off, of a kind that carries traffic? */
bool port_does_roce(const struct subject *subject);
/* The first ACTIVE InfiniBand port: a host that has one may have switched RoCE off elsewhere by design. NULL if
 * there is none. */
const struct port *host_infiniband_port(const struct host *host);
/* Software RDMA is tried out on machines that were never built for it, with the limits any user has there. */
bool host_has_soft_devices_only(const struct host *host);
/* Enough lockable bytes for one process that doesn't do much. */
enum { MEMLOCK_ENOUGH = 512 << 20 };
/* A netdev's flags as in its sysfs file: netlink adds IFF_RUNNING, IFF_LOWER_UP, IFF_DORMANT and IFF_ECHO. */
uint64_t netdev_file_flags(const struct netdev *netdev);
/* Also false if the flags aren't known or there is no netdev. */
bool netdev_is_switched_off(const struct netdev *netdev);
/* The next other ACTIVE port, after port, on a board of the same kind as the subject's; NULL past the end. */
const struct port *port_next_sibling(const struct subject *subject, const struct port *port);
/* Are its PCI ids known? */
bool device_board_is_known(const struct host *host, const struct device *device);
/* Same kind of board: same board_id, else same PCI ids. False if that isn't known of one. */
bool devices_are_siblings(const struct host *host, const struct device *a, const struct device *b);
/* Was the device given to this container? On a host all are; in a container, if any device can be opened, those
 * whose node exists and isn't denied. */
bool device_is_given(const struct host *host, const struct device *device);
/* The absolute path of a port's or device's file, for evidence: "/sys/class/infiniband/mlx5_0/ports/1/state" */
const char *port_path(struct judgement *judgement, const struct port *port, const char *file);
/* The value of net/ipv4/conf/NETDEV/KEY as the kernel applies it: the larger of all and NETDEV. -1 if
 * unknown. */
int sysctl_of_netdev(const struct system *system, const char *netdev, const char *key);
/* The time between the two readings, to follow a number: "in 1.0 s", or "between the readings". */
const char *interval_text(struct judgement *judgement, const struct subject *subject);
/* Whole hours since boot, if known; and the same for evidence, to follow "since boot": ", 12 days ago". */
struct num host_uptime_h(const struct host *host);
const char *uptime_text(struct judgement *judgement, const struct host *host);
/* How much counters grew between two readings. One that was reset hasn't grown. */
struct growth {
    size_t known;         /* those that were read both times */
    int err;              /* of one that couldn't be read */
    uint64_t sum, most;   /* of all; of the one that grew most */
    const char *evidence; /* "out_of_sequence +12, packet_seq_err +3"; NULL if nothing grew */
};
uint64_t grown(uint64_t was, uint64_t is);
void add_growth(struct growth *growth, struct judgement *judgement, const char *name, uint64_t was,
                uint64_t is);
/* The settings and statistics of the hardware below a subject's netdev in one of the two readings; NULL if it
 * has none. */
const struct qos *qos_in(const struct host *reading, const struct subject *subject);
/* The same in both readings; now is NULL if one hasn't any, or of another netdev. */
struct readings {
    const struct qos *before, *now;
};
struct readings qos_twice(const struct subject *subject);

/* What the checks of GIDs share. Private to check/. */

/* "/sys/class/infiniband/mlx5_0/ports/1/gids/3" */
const char *gid_path(struct judgement *judgement, const struct port *port, uint32_t index);
/* The errno of a table slot that could not be read; 0 if all could. */
int gid_slot_problem(const struct host *host, const struct port *port, struct arena *arena);

/* Gives the subject's port an address, "{ADDRESS/PREFIX}", on the netdev that has the frames of its own, as all
 * fixes must. before: a command that comes first; instead: what else would do; either may be
 * "". */
void fix_address(const struct subject *subject, struct judgement *judgement, const char *before,
                 const char *address, const char *instead);
/* Moves software RoCE off a netdev whose frames taker has. */
void fix_soft_below(const struct subject *subject, struct judgement *judgement, enum frames frames,
                    const struct netdev *taker);
/* The internal port of the Open vSwitch bridge that the subject's netdev is a port of: its name, or what prints
 * it. */
const char *fix_internal_port(const struct subject *subject, struct judgement *judgement);

/* What the checks of libraries' settings share. Private to check/. */

/* "NCCL_IB_TC=106", with file and line if it is from a file. */
const char *setting_text(struct judgement *judgement, const struct setting *setting);
/* "unset NCCL_IB_TC", or which line to remove. */
const char *setting_undo(struct judgement *judgement, const struct setting *setting);
/* What is wrong with the GID for whoever takes this index: "is an empty slot"; NULL if nothing. Static text. */
const char *gid_complaint(const struct port *port, uint32_t index);

/* What the checks of flow and congestion control share. Private to check/. */

/* The hardware below a port's netdev; NULL if it has no netdev here. */
const struct netdev *hardware_of(const struct subject *subject);
/* The verdict when no settings below a RoCE port are known, or PFC isn't on; VERDICTS if host_find_qos() has
 * them. */
enum verdict no_pfc(const struct subject *subject, struct judgement *judgement);
/* The VLANs that a port's GIDs are on, or only those of routable GIDs if there are any. If none, its frames are
 * untagged. */
struct vlans {
    const struct netdev *items[8];
    size_t count;
};
struct vlans vlans_of(const struct subject *subject);
/* The TOS that RoCE traffic is sent with; false if nothing sets one. The driver's traffic class overrides what
 * applications ask for; RDMA_CM's default applies to its connections. */
bool tos_of(const struct port *port, unsigned *tos, const char **source);

/* What the checks of services and of RDMA users share. Private to check/. */

/* Converts a numeric address, "10.0.0.1" or "fe80::1%eth0", to its GID; false if it isn't one. */
bool gid_of_scoped(const char *text, uint8_t raw[static 16]);
/* The port that has a GID; NULL if none. */
const struct port *port_with_gid(const struct host *host, const uint8_t raw[static 16]);
/* The port that a service uses: the one it names, else the one with its local address, else the one that the
 * route to its peer leads out of. Needs NEED_ADDRESSES and NEED_ROUTES. NULL if unknown. */
const struct port *service_port(const struct host *host, const struct service *service);
/* "NVMe host nvme0 (nqn.test)", "NFS client 10.0.0.1:/ on /mnt"; memory is from arena. */
const char *service_text(const struct service *service, struct arena *arena);
/* What keeps out the module that a kind of service needs when the kernel asks for it: a modprobe.d line, or
 * that there is no such module; NULL if nothing does. */
const struct blocked_module *module_kept_out(const struct system *system, enum service_kind kind);
