/* SPDX-License-Identifier: MIT */
/* What checks of services and of who uses RDMA share. Private to check/. */
#pragma once

#include "check/judge.h"
#include "model/services.h"
#include "model/users.h"

/* A numeric address, "10.0.0.1" or "fe80::1%eth0", as the GID that it has; false: it is none. */
bool gid_of_text(const char *text, uint8_t raw[static 16]);
/* The netdev of this host that has the address; NULL: none. */
const struct netdev *netdev_with_address(const struct host *host, const uint8_t raw[static 16]);
/* The port of a GID; NULL: none has it. */
const struct port *port_with_gid(const struct host *host, const uint8_t raw[static 16]);
/* The port that a service uses: what it says itself, else that of its own address, else that which the
 * route to its peer leads out of. Needs NEED_ADDRESSES and NEED_ROUTES. NULL: it can't be told. */
const struct port *service_port(const struct host *host, const struct service *service);
/* "NVMe host nvme0 (nqn.test)", "NFS client 10.0.0.1:/ on /mnt"; memory is from arena. */
const char *service_text(const struct service *service, struct arena *arena);
/* The same of a user; a process is "train (pid 77)". */
const char *user_text(const struct user *user, struct arena *arena);
/* The line of modprobe.d that keeps out the module a kind of service needs, from where the kernel asks for
 * it, or that there is none to be loaded; NULL: nothing does. */
const struct blocked_module *module_kept_out(const struct system *system, enum service_kind kind);
