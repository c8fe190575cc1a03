/* SPDX-License-Identifier: MIT */
/* Replaces what tells whose machine a recording is of: the last three bytes of MACs and of GUIDs and
 * interface ids made from them (the vendor stays), IP addresses behind their first octet or group, host name,
 * interface aliases. The same value becomes the same other one everywhere, and addresses of one subnet stay
 * in one subnet. A new random key each time: nothing maps back. */
#pragma once

#include <stddef.h>

#include "base/mem.h"
#include "model/host.h"

struct anonymiser;

/* host: what was read; its addresses are looked for in binary replies. Caller frees. */
struct anonymiser *anonymiser_new(const struct host *host);
void anonymiser_free(struct anonymiser *anonymiser); /* NULL is fine */

/* Appends text to out with every MAC, GUID, GID and IP address in it replaced, and the host's name. */
void anonymise_text(const struct anonymiser *anonymiser, const char *text, size_t len, struct bytes *out);
/* Replaces, in place, the host's addresses in the bytes of a netlink reply. */
void anonymise_reply(const struct anonymiser *anonymiser, void *data, size_t len);
