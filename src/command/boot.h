/* SPDX-License-Identifier: MIT */
/* What brings a device in software, or RDMA_CM's defaults of a device, back at boot: units of systemd, and a
 * rule of udev. Their text is made by pure functions; boot_files_*() print, install and remove it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"
#include "model/device.h"
#include "source/root_install.h"
#include "view/json.h"

struct context;

/* Paths begin at the root, without a slash; all lives in an arena. */
struct boot_files {
    struct install_file items[INSTALL_MOST];
    size_t count;
};

/* Can the name stand in a unit's name and command line, in a udev rule and in a shell as it is? Letters,
 * digits and "_.:-", for a netdev "@+" as well; not "-" first. */
bool boot_takes_device(const char *name);
bool boot_takes_netdev(const char *name);

/* A device in software: a service that is started whenever systemd sees the netdev, and ends with it
 * (systemd.device(5): udev's 99-systemd.rules give each netdev but lo an alias below
 * /sys/subsystem/net/devices; a device's .wants are started when it appears). program: the path of roce. */
void boot_link(struct boot_files *files, struct arena *arena, const char *program, const char *name,
               const char *type, const char *netdev);
/* RDMA_CM's defaults of all RoCE ports of a device, as they were read: a service that a rule of udev has
 * systemd start whenever a device of this name appears (SYSTEMD_WANTS; such a device has no unit that a
 * service could name). */
void boot_mode(struct boot_files *files, struct arena *arena, const char *program,
               const struct device *device);

/* Where units of a device are. */
char *boot_link_path(struct arena *arena, const char *device);
char *boot_mode_path(struct arena *arena, const char *device);
char *boot_rule_path(struct arena *arena, const char *device);
/* The path of the link that enables the unit with this text, NULL: it has none. */
char *boot_wants_path(struct arena *arena, const char *unit_path, const char *unit);

/* Each file's path and text, to be copied. */
void boot_print(const struct boot_files *files);
/* --persist and --write of a command: 0, or -EINVAL after saying that one needs the other. */
int boot_check_options(const struct context *context);
/* The path of roce for a unit. install: only one that nobody but root can change, -errno after saying so. */
int boot_program(bool install, char *path);
/* Writes the files beside their places: 0, or -errno after saying why not. */
int boot_prepare(const struct context *context, const struct boot_files *files, struct install **install);
/* Puts them in place, and says where. 0, or -errno after saying why not. */
int boot_commit(const struct context *context, const struct boot_files *files, struct install *install);
/* Removes what roce installed: the unit at path with the link that enables it, or the rule. Each that was
 * there is added to removed. 0, or -errno after saying why not. */
int boot_remove(const struct context *context, const char *path, struct boot_files *removed);
/* The same of the unit and the rule of boot_mode(). */
int boot_remove_mode(const struct context *context, const char *device, struct boot_files *removed);
/* ["/etc/…"] */
json_t *boot_json(const struct boot_files *files);

#define BOOT_OPTIONS                                                                                     \
    { "persist", 'p', .help = "print the files that bring it back at boot (systemd, udev)" },            \
    {                                                                                                    \
        "write", 0, .help = "with --persist: install them below /etc; only roce's own are ever replaced" \
    }
