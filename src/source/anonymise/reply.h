/* SPDX-License-Identifier: MIT */
/* Netlink's answers, built anew of the attributes that roce reads: all others stay out, and with them what
 * nobody has thought of (aliases, peers of tunnels, comments of the firewall). Pure but for the key. */
#pragma once

#include "source/anonymise/anonymise.h"

/* Appends the answer called name ("rtnl-links", "dcb-ieee.eth0") with the bytes at data, aligned to 4. An
 * answer that is broken stays broken from the same message on. False: there is no such answer. */
bool anonymise_reply(const struct anonymiser *anonymiser, const char *name, const char *data, size_t len,
                     struct bytes *out);
