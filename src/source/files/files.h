/* SPDX-License-Identifier: MIT */
/* The files part of host_read(): one place of the tree each. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "model/gid.h"
#include "model/num.h"
#include "model/system.h"
#include "source/reader.h"

/* counters/, hw_counters/ and counters_ext/ of ports and devices. */

void read_port_counters(struct reader *reader, const char *device, struct root_dir *port_dir,
                        struct port *port);
void read_device_counters(struct reader *reader, struct root_dir *device_dir, struct device *device);

/* The GID table of a port: gids/N, gid_attrs/types/N, gid_attrs/ndevs/N. */

/* Reads values first, and the type and the netdev only of filled slots: the kernel answers EINVAL for the
 * empty ones. With NEED_GID_SUMMARY alone it stops where nothing can change what status shows. */
void read_gids(struct reader *reader, const struct device *device, struct root_dir *port_dir,
               struct port *port);

/* What the files of one netdev say: sys/class/net/NAME. */

#define NET_CLASS "sys/class/net"

/* known: what netlink told of it, or NULL; that isn't read again (but see source.thorough), nor is it in
 * *netdev, except for what decides what else to read. False: there is no such directory. */
bool net_read(struct reader *reader, const struct wanted_netdev *wanted, const struct netdev *known,
              struct netdev *netdev);
/* /sys may show another network namespace than netlink does (nsenter -n): then the index differs, and the two
 * aren't the same netdev. */
bool net_is_same(const struct netdev *known, const struct netdev *seen);
/* The kind of a netdev for which the kernel has no word, from what is known of it. */
void net_guess_kind(struct netdev *netdev);

/* PCI functions and the bridges above them. */

/* Adds the functions on the way to what a link below sys leads to ("sys/class/net/eth0"); the address of the
 * last one, or NULL. */
const char *read_pci_chain(struct reader *reader, const char *link);

/* What PCI functions are besides their links: IOMMU, ACS, and the accelerators that NICs talk to. */

/* With NEED_PEERS: accelerators, NVMe drives, NUMA nodes. */
void read_platform(struct reader *reader);
/* With NEED_PCI_NAMES, behind it: what pci.ids calls devices' functions, accelerators and drives. */
void read_pci_names(struct reader *reader);
/* With NEED_PEER_MEMORY, behind it: who lends accelerators' and drives' memory. */
void read_peer_memory(struct reader *reader);
/* With NEED_CONFIG, behind it: their configuration space and IOMMU groups. */
void read_configs(struct reader *reader);

/* What no file says: the own environment; a trial to lock memory, the kernel's log. */

/* Does a variable, or a line of a file, steer an RDMA library? Others are none of our business, and may be
 * secrets. */
bool variable_is_ours(const char *name);

/* For fetchers: a regular file's text, which no recording gets; the caller frees it. NULL: there is none, or
 * it can't be read. path is below root's top. */
char *probe_read(struct root *root, const char *path, size_t *len);

/* For fetchers: a file, as far as it isn't too long, with a NUL behind; what is read isn't recorded. false:
 * it can't be. The caller frees text. */
bool read_unrecorded(struct reader *reader, const char *path, struct bytes *text);

/* This process's limits, and those of daemons that start jobs: a line "slurmd 812 slurmd.service" each. */
void read_limits(struct reader *reader);
/* How much memory may be locked, in bytes (UINT64_MAX: as much as there is), by the text of a process's
 * limits (NULL: not read); what it doesn't tell stays as it is. */
void take_limits(const char *text, struct num *soft, struct num *hard);
void read_environment(struct reader *reader);
void read_probes(struct reader *reader);
/* A user namespace, and marks of a runtime, a line each: "pid-namespace other" than the machine's first;
 * "init lxc", the variable container of process 1; "path docker", a control group's or a mount's; "path pod",
 * of Kubernetes; "variable kubernetes"; "file .dockerenv"; "kernel wsl". */
void read_container(struct reader *reader);

/* RDMA_CM's default RoCE mode and TOS: /sys/kernel/config/rdma_cm/DEVICE/ports/N. The kernel shows a device
 * there only below a directory that somebody makes (core/cma_configfs.c), so even a look needs root; roce
 * removes the directory again when it was its own, and signals wait until then. */

struct source;

/* Writes, and reads back. 0 or -errno: -ENOENT configfs isn't mounted or rdma_cm isn't loaded; -EINVAL the
 * device has no such RoCE version; -EIO the kernel now says something else. */
int configfs_set_mode(struct source *source, const char *device, uint32_t port, enum gid_type mode);
int configfs_set_tos(struct source *source, const char *device, uint32_t port, uint8_t tos);

/* The files that configure RDMA libraries. */

/* Fills host->system.settings. */
void read_settings(struct reader *reader);
/* A line of probe/settings, its texts in arena; false: it is none. Pure. */
bool settings_parse_line(const char *line, size_t len, struct arena *arena, struct setting *setting);
