/* SPDX-License-Identifier: MIT */
/* The netdevs, as rtnetlink tells them. */
#pragma once

#include "source/reader.h"

/* Creates those netdevs of the host that are asked for, with all that their links tell. 0 or -errno, which is
 * then also a problem of the host. */
int read_links(struct reader *reader);
