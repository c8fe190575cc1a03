/* SPDX-License-Identifier: MIT */
/* proc/self/mountstats: what the NFS client's mounts over RDMA have moved. Pure. */
#pragma once

#include "base/mem.h"
#include "model/services.h"
#include "model/system.h"

/* mounts: proc/self/mounts, which has the server's address (addr=), as mountstats has not; may be NULL. Adds
 * each NFS mount whose transport is rdma. What it moved: fields 14, 15 of its "xprt: rdma" lines are bytes
 * asked for and answered by RDMA, 16 and 17 those copied from and to messages (xprt_rdma_print_stats,
 * net/sunrpc/xprtrdma/transport.c); with nconnect= there are several lines, which are summed. Memory is from
 * arena. */
void mountstats_parse(const char *text, const char *mounts, struct arena *arena, struct service **items,
                      size_t *count);

/* The transport of an NFS mount: "rdma", "tcp"; NULL: it isn't there. */
const char *mountstats_transport(const char *text, const struct nfs_mount *mount, struct arena *arena);
