/* SPDX-License-Identifier: MIT */
/* What kernel services and control groups say, written anew of the parts that roce reads: a list of what is
 * known, as in files.h. Each name, path, address and number of a job becomes another one, the same wherever
 * it stands, so that a mount is still the one that its statistics are of. */
#pragma once

#include "source/anonymise/anonymise.h"

/* An address, or the name of a host. */
void services_put_host(const struct anonymiser *anonymiser, const char *text, size_t len, struct bytes *out);
/* NFS mounts: "server:/export", "10.0.0.1:/export", and where. Both files say them alike. */
void services_put_mount_source(const struct anonymiser *anonymiser, const char *text, size_t len,
                               struct bytes *out);
void services_put_mount_point(const struct anonymiser *anonymiser, const char *text, size_t len,
                              struct bytes *out);
/* One option of a mount, if roce reads it: protocol, port, address, version. False: it stays out. */
bool services_put_mount_option(const struct anonymiser *anonymiser, const char *text, size_t len,
                               struct bytes *out);
/* A line of mountstats, with its newline; nothing of one that isn't read. */
void services_put_mountstats(const struct anonymiser *anonymiser, const char *text, size_t len,
                             struct bytes *out);
/* A line of probe/services (source/files/wishes.h). */
void services_put_wish(const struct anonymiser *anonymiser, const char *text, size_t len, struct bytes *out);
/* A line of proc/PID/cgroup: runtime, ids and job, and of the words between only known ones. */
void services_put_cgroup(const struct anonymiser *anonymiser, const char *text, size_t len, struct bytes *out);
/* "traddr=10.0.0.1,trsvcid=4420,src_addr=10.0.0.2" of an NVMe controller. */
void services_put_nvme_address(const struct anonymiser *anonymiser, const char *text, size_t len,
                               struct bytes *out);
/* An NQN, IQN, EUI or NAA: what begins it stays, and the name of NVMe's discovery subsystem. */
void services_put_qualified_name(const struct anonymiser *anonymiser, const char *text, size_t len,
                                 struct bytes *out);
/* A line of lnet's interfaces, of cifs' servers. */
void services_put_lnet(const struct anonymiser *anonymiser, const char *text, size_t len, struct bytes *out);
void services_put_cifs(const struct anonymiser *anonymiser, const char *text, size_t len, struct bytes *out);

/* May the file, link or directory at that path below sys/kernel/config/ be passed on? */
bool services_config_is_kept(const char *path);
/* What its last component becomes. */
void services_put_config_name(const struct anonymiser *anonymiser, const char *path, struct bytes *out);
