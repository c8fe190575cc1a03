/* SPDX-License-Identifier: MIT */
/* What configuration files want of storage services, RDMA or TCP, and which modules modprobe.d keeps out.
 * Such files may hold passwords and more that is none of our business: of those that are no files of a
 * recording the lines of probe/services have what matters, "wish", KIND, "rdma" or "tcp", FILE, FROM and ON
 * with tabs between, or "blocked", MODULE, "always" or "alias" (modprobe.d) or "absent" or "gone" (the kernel
 * has none), FILE. */
#pragma once

#include "base/mem.h"
#include "model/services.h"

struct reader;
/* Fills the wishes and blocked modules. */
void read_wishes(struct reader *reader, struct services *services);

/* The parsers are pure; each adds to services, in memory of arena. file is what a wish calls the file. */

/* fstab(5): mounts of NFS whose options name a protocol. */
void fstab_parse(const char *text, struct arena *arena, struct services *services);
/* nfsmount.conf(5): Proto= of all mounts, of a server's and of a mount point's. */
void nfsmount_parse(const char *text, struct arena *arena, struct services *services);
/* /etc/nvme/discovery.conf: the options of `nvme discover`, a controller a line. */
void nvme_discovery_parse(const char *text, struct arena *arena, struct services *services);
/* Has a JSON text this member anywhere? value as it stands there, with its quotes if it has some. */
bool json_text_says(const char *text, const char *key, const char *value);
/* A record of open-iscsi's: is its transport iser? */
bool iscsi_record_is_iser(const char *text);
/* modprobe.d(5): blacklist lines, and install lines that run nothing, of modules that services need. */
void modprobe_parse(const char *text, const char *file, struct arena *arena, struct services *services);
/* Is a module, with underscores, among the lines of a modules.dep or modules.builtin? */
bool modules_have(const char *list, const char *module);
/* The word of probe/services for why it is blocked. */
const char *blocked_word(const struct blocked_module *blocked);
/* A line of probe/services. */
void wish_parse_line(const char *line, size_t len, struct arena *arena, struct services *services);
