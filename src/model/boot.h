/* SPDX-License-Identifier: MIT */
/* What restores a software device, or a device's RDMA_CM defaults, at boot: systemd units and a udev rule.
 * Pure text; source/root/install.h puts it in place. */
#pragma once

#include "model/device.h"

/* How the first line of each file begins; a file without it isn't ours. */
#define BOOT_MARK "# Made by 'roce "

enum { BOOT_FILES_MOST = 4 };

/* path has no leading slash; either text (beginning with BOOT_MARK) or target (of a symbolic link) is set. */
struct boot_file {
    const char *path, *text, *target;
};

struct boot_files {
    struct boot_file items[BOOT_FILES_MOST];
    size_t count;
};

void boot_files_add(struct boot_files *files, const char *path, const char *text, const char *target);

/* Can the name be used unquoted in a unit's name and command line, in a udev rule and in a shell? Letters,
 * digits and "_.:-", for a netdev "@+" as well; no leading "-". */
bool boot_takes_device(const char *name);
bool boot_takes_netdev(const char *name);

/* A software device: a service that starts whenever systemd sees the netdev, and ends with it
 * (systemd.device(5): udev's 99-systemd.rules give each netdev but lo an alias below
 * /sys/subsystem/net/devices; a device's .wants are started when it appears). program: the path of roce. */
void boot_link(struct boot_files *files, struct arena *arena, const char *program, const char *name,
               const char *type, const char *netdev);
/* The RDMA_CM defaults of all RoCE ports of a device, as read: a service that a udev rule makes systemd start
 * whenever a device of this name appears (SYSTEMD_WANTS; such a device has no unit that a service could refer
 * to). */
void boot_mode(struct boot_files *files, struct arena *arena, const char *program, const struct device *device);

/* Paths of a device's files; all texts live in arena. */
char *boot_link_path(struct arena *arena, const char *device);
char *boot_mode_path(struct arena *arena, const char *device);
char *boot_rule_path(struct arena *arena, const char *device);
/* The path of the link that enables the unit with this text; NULL if it has none. */
char *boot_wants_path(struct arena *arena, const char *unit_path, const char *unit);
