/* SPDX-License-Identifier: MIT */
/* What a recording may hold at most: it is text from anywhere. Generous for real machines: sixteen adapters
 * with GID tables of 256 slots and as many virtual functions, ten thousand queue pairs in one answer of
 * netlink. */
#pragma once

enum {
    RECORDING_TEXT_MOST = 256 << 20,  /* bytes of the file */
    RECORDING_LINE_MOST = 64 << 10,   /* bytes of a line of it */
    RECORDING_ENTRIES_MOST = 1 << 18, /* files, links, directories and errnos, ranges counted one by one */
    RECORDING_DEPTH_MOST = 64,        /* directories in one another */
    RECORDING_NAME_MOST = 255,        /* bytes of a name, escapes resolved */
    RECORDING_PATH_MOST = 2048,       /* bytes of a path */
    RECORDING_TARGET_MOST = 4000,     /* bytes of what a link says */
    RECORDING_FILE_MOST = 16 << 20,   /* bytes of a file */
    RECORDING_SYS_MOST = 64 << 10,    /* the same below sys/, where the kernel gives a page or a few */
    RECORDING_ROOM_MOST = 512 << 20,  /* bytes of all of them, unpacked */
    RECORDING_BLOCK = 4 << 10,        /* what a file, a link or a directory takes of that at least */
};
