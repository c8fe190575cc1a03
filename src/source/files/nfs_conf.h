/* SPDX-License-Identifier: MIT */
/* What nfs.conf(5) wants of the server, as rpc.nfsd and nfsdctl of nfs-utils read it (utils/nfsd/nfsd.c,
 * support/nfs/conffile.c). Pure, of any text. */
#pragma once

#include "base/mem.h"
#include "model/system.h"

/* One file, path where it lies ("etc/nfs.conf"; is kept): rdma= and rdma-port= of [nfsd] are taken. */
void nfs_conf_parse(const char *text, const char *path, struct arena *arena, struct nfs *nfs);
/* After the last file: where RDMA is asked for and no port is named it is 20049. */
void nfs_conf_done(struct arena *arena, struct nfs *nfs);
