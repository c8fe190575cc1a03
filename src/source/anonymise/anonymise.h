/* SPDX-License-Identifier: MIT */
/* What tells whose machine a recording is of, replaced: addresses, GUIDs, names. The same value becomes the
 * same other one wherever and in whatever form it stands, and what others are told by stays: vendors of MACs,
 * subnets, the numbers in names. A new random key each time: nothing maps back. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"

struct anonymiser;

struct anonymiser *anonymiser_new(void);
void anonymiser_free(struct anonymiser *anonymiser); /* NULL is fine */

/* What the firewall's sets hold: nft_sets.h. The anonymiser owns them from now on, and ends them by
 * free_sets; NULL: nobody has told. */
struct nft_sets;
void anonymiser_learn_sets(struct anonymiser *anonymiser, struct nft_sets *sets,
                           void (*free_sets)(struct nft_sets *sets));
const struct nft_sets *anonymiser_sets(const struct anonymiser *anonymiser);

/* In place. MACs and GUIDs change in their last three bytes, IPv4 addresses behind the first, IPv6 addresses
 * behind the second and in the last three, so that a MAC and what is made of it stay together; addresses that
 * say nothing (loopback, multicast, 169.254/16, zero) stay. len of a MAC is 3 at least. */
void anonymise_mac(const struct anonymiser *anonymiser, uint8_t *bytes, size_t len);
void anonymise_guid(const struct anonymiser *anonymiser, uint64_t *guid); /* host order */
void anonymise_v4(const struct anonymiser *anonymiser, uint8_t bytes[static 4]);
void anonymise_v6(const struct anonymiser *anonymiser, uint8_t bytes[static 16]);

/* Appends text that the kernel wrote, each address, GUID and UUID in it replaced. */
void anonymise_text(const struct anonymiser *anonymiser, const char *text, size_t len, struct bytes *out);
/* Appends the name of a netdev or an RDMA device. What kernel, udev and drivers choose stays ("eth0",
 * "enp1s0f0np0", "mlx5_0"); of others the word changes, and a number or VLAN behind it stays, so that
 * "storage0.7" is still over "storage0". */
void anonymise_name(const struct anonymiser *anonymiser, const char *name, size_t len, struct bytes *out);
/* Appends a word that stands for the given one: what, and six digits. */
void anonymise_word(const struct anonymiser *anonymiser, const char *what, const char *word, size_t len,
                    struct bytes *out);
