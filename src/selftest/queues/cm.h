/* SPDX-License-Identifier: MIT */
/* Connecting as applications do that use RDMA_CM: the kernel chooses device, GID, traffic class and MTU. */
#pragma once

#include "selftest/queues/set.h"

struct cm;

/* Listens on the address of a GID; *port is the one that the system chose. The caller closes *cm. With
 * spec->that_device it fails, as the others do, where RDMA_CM takes another device for the address. */
int cm_listen(const uint8_t gid[static 16], uint32_t ifindex, const struct set_spec *spec, struct cm **cm,
              uint16_t *port, struct failure *failure);
/* Waits for the client with that address and accepts it; one RC queue pair. The caller closes *set before cm.
 */
int cm_accept(struct cm *cm, const uint8_t client[static 16], const struct set_spec *spec,
              const struct watch *watch, struct set **set, struct failure *failure);
/* The other side of it. source: our address. */
int cm_connect(const uint8_t source[static 16], const uint8_t server[static 16], uint32_t ifindex,
               uint16_t port, const struct set_spec *spec, const struct watch *watch, struct cm **cm,
               struct set **set, struct failure *failure);
/* The same in two halves, for a process that is the server as well: what is asked for here is accepted
 * between them. After a failure of the second one the caller closes both. */
int cm_begin(const uint8_t source[static 16], const uint8_t server[static 16], uint32_t ifindex,
             uint16_t port, const struct set_spec *spec, const struct watch *watch, struct cm **cm,
             struct set **set, struct failure *failure);
int cm_established(struct cm *cm, const struct watch *watch, struct failure *failure);
void cm_close(struct cm *cm); /* NULL is fine */
