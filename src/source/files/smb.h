/* SPDX-License-Identifier: MIT */
/* proc/fs/cifs/DebugData: the SMB client's servers that are reached by SMB Direct. Pure. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"
#include "model/services.h"

/* What a line tells (cifs_debug_data_proc_show, fs/smb/client/cifs_debug.c):
 *   of today: "1) ConnectionId: 0x1 Hostname: filer", its SMBDirect lines, "TCP status: 1 Instance: 1", and
 * below it a line for each session, "1) Address: 10.0.0.1 Uses: 1 …" or "1) Name: 10.0.0.1  Domain: …"; of
 * old (CIFS 2.23): its SMBDirect lines, "1) Name: 10.0.0.1 Uses: 1 …", "TCP status: 1 Instance: 1". SMBDirect
 * lines are there where the mount has the option rdma: "SMBDirect (in hex) protocol version: …", of newer kernels
 * "SMBDirect protocol version: …", and "SMBDirect transport not available" until it has connected again. */
enum smb_line_kind {
    SMB_LINE_OTHER,
    SMB_LINE_SERVER, /* word: its host's name, if the line has one */
    SMB_LINE_RDMA,
    SMB_LINE_STATUS,  /* word: a number, enum statusEnum (fs/smb/client/cifsglob.h) */
    SMB_LINE_SESSION, /* word: the server's address */
};
struct smb_line {
    enum smb_line_kind kind;
    const char *word; /* in the line; NULL: none */
    size_t len;
};
struct smb_line smb_line_parse(const char *line, size_t len);

/* Adds each server that is reached by RDMA. Memory is from arena. */
void smb_parse(const char *text, struct arena *arena, struct service **items, size_t *count);
