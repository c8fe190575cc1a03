/* SPDX-License-Identifier: MIT */
/* What a server gives up once it listens. */
#pragma once

/* No new privileges, and of root's capabilities only the one to lock memory. For threads that begin later
 * too. 0 or -errno. */
int privilege_drop(void);
