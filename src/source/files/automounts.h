/* SPDX-License-Identifier: MIT */
/* Mounts of NFS that automounters and systemd make: what their files want of the transport. Pure, of any
 * text; results live in arena. */
#pragma once

#include "base/mem.h"
#include "model/services.h"

/* nfs(5): what proto=, or an older word for it, says among a mount's options, of several the last; NULL:
 * nothing. */
const char *nfs_proto_of(struct arena *arena, const char *options);

/* A line of auto.master(5): "/home /etc/auto.home --timeout=60 -proto=rdma". */
struct automount {
    const char *on;      /* "/-": the map's keys are whole paths */
    const char *map;     /* its path without the first slash: "etc/auto.home" */
    const char *options; /* for all of the map; may be "" */
};
/* Calls fn with each line whose map is a file that lies on this host (no program, NIS, LDAP, -hosts). */
typedef void automount_fn(void *data, const struct automount *automount);
void auto_master_parse(const char *text, struct arena *arena, automount_fn *fn, void *data);
/* autofs(5), the map of one such line: adds a wish for each mount of NFS whose options name a protocol. Of
 * the key "*" the wish's mount point ends with it, and "&" stands in its source. Several servers, or
 * variables: its source is not known. Entries of more than one mount are passed over. */
void auto_map_parse(const char *text, const struct automount *automount, struct arena *arena,
                    struct services *services);

/* systemd.mount(5): the same of a unit; file is where it lies. With specifiers (%) it is passed over. */
void mount_unit_parse(const char *text, const char *file, struct arena *arena, struct services *services);
