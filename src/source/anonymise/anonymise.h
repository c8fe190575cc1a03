/* SPDX-License-Identifier: MIT */
/* What tells whose machine a recording is of, replaced: addresses, GUIDs, names. The same value becomes the
 * same other one wherever and in whatever form it stands, and what others are told by stays: vendors of MACs,
 * subnets, the numbers in names. A new random key each time: nothing maps back. */
#pragma once

#include <linux/netlink.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "model/system.h"
#include "source/recording/filetree.h"

struct anonymiser;

struct anonymiser *anonymiser_new(void);
void anonymiser_free(struct anonymiser *anonymiser); /* NULL is fine */

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

/* Is word one of the words, which have bars between them? */
bool words_have(const char *words, size_t words_len, const char *word, size_t len);
/* Appends what may stand in the place of a value, len of which is at least 1, of one type each; its line's
 * end is the caller's. Private to anonymise/, as they are called for the types of form.c. */
typedef void put_value(const struct anonymiser *anonymiser, const char *text, size_t len, struct bytes *out);

/* A module's, driver's or package's name, as it is or as "moduleNNNNNN". */
put_value words_put_module, words_put_program;
/* "6.1.0-28-amd64", without what somebody has put there; what os-release says; of the kernel's command line
 * what is about the IOMMU and PCI. */
put_value words_put_release, words_put_distribution, words_put_parameters;
/* A number, yes, no or the like; else "other". */
put_value words_put_flag;
/* "NAME=VALUE" that roce judges, or "NCCL__other=", or nothing; a line of the kernel's log that means the same.
 */
put_value words_put_variable, words_put_log;
/* Where a user's configuration file lies: "~/.nccl.conf", or "/confNNNNNN". */
void words_put_conf_file(const struct anonymiser *anonymiser, const char *path, struct bytes *out);

/* An address, or the name of a host; "server:/export"; where it is mounted. */
put_value services_put_host, services_put_mount_source, services_put_mount_point;
/* An NQN, IQN, EUI or NAA: what begins it stays, and the name of NVMe's discovery subsystem. */
put_value services_put_qualified_name;
/* A line of probe/services and of cifs' servers (source/files/texts.h), or nothing. */
put_value services_put_wish, services_put_smb;
/* Of all of proc/PID/cgroup a line with runtime, ids and job, and of the words between only known ones. */
void services_put_cgroup(const struct anonymiser *anonymiser, const char *text, struct bytes *out);

/* Values of netlink's attributes, by the type that they are asked for as; see anonymise_reply(). Private to
 * source/. */

enum keep {
    KEEP_END,
    KEEP_NUMBER,  /* up to 8 bytes, as they are */
    KEEP_NUMBERS, /* a struct or an array of numbers, of most bytes at most */
    KEEP_WORD,    /* of the kernel or a driver */
    KEEP_NAME,    /* of a netdev or RDMA device */
    KEEP_TEXT,    /* the kernel's, with an address in it perhaps */
    KEEP_PROGRAM,
    KEEP_MODULE,
    KEEP_ADDRESS, /* IP, by its length */
    KEEP_SOCKET_ADDRESS,
    KEEP_MAC,
    KEEP_GUID, /* 64 bits, host order */
    KEEP_NEST,
    KEEP_OWN,     /* put() does it */
    KEEP_NOTHING, /* it stays out */
};

/* Appends what may be kept of a value asked for as that: changed, or as it is. most: bytes of KEEP_NUMBERS.
 * False, and nothing appended: it isn't of that type, and stays out. Not for KEEP_NEST, _OWN and _NOTHING. */
bool keep_value(const struct anonymiser *anonymiser, enum keep keep, size_t most, const char *data, size_t len,
                struct bytes *out);

struct attr_row; /* source/netlink/attr_table.h */

/* Appends those of the attributes at data that the table has. False: one of them is broken, and nothing
 * behind it is there. */
bool attributes_put(const struct anonymiser *anonymiser, const struct attr_row *table, const char *data,
                    size_t len, struct bytes *out);
/* Appends an attribute of the same type whose payload the caller appends behind; attributes_end() with what
 * begin gave sets its length and pads it. */
size_t attributes_begin(struct bytes *out, uint16_t type);
void attributes_end(struct bytes *out, size_t begin);
void attributes_put_nest(const struct anonymiser *anonymiser, const struct attr_row *table,
                         const struct nlattr *nest, struct bytes *out);

/* Netlink's answers, built anew of the attributes that roce reads: all others stay out, and with them what
 * nobody has thought of (aliases, peers of tunnels, comments of the firewall). Pure but for the key. */

/* Appends the answer called name ("rtnl-links", "dcb-ieee.eth0") with the bytes at data, aligned to 4. An
 * answer that is broken stays broken from the same message on. False: there is no such answer. */
bool anonymise_reply(const struct anonymiser *anonymiser, const char *name, const char *data, size_t len,
                     struct bytes *out);

/* Appends what may stand in a file that was asked for as form (source/root/root.h) at path; data is
 * NUL-terminated behind len, and aligned to 4 if it is an answer of netlink. False: it stays out as a whole. */
bool anonymise_file(const struct anonymiser *anonymiser, const char *form, const char *path, const char *data,
                    size_t len, struct bytes *out);
/* The same of one value, by the name of its type. */
void anonymise_value(const struct anonymiser *anonymiser, const char *type, const char *text, size_t len,
                     struct bytes *out);

/* A recording that tells no more of whose machine it is than it must. */

/* 0, and *tree is another one; or -errno, and it is as it was: -EPROTONOSUPPORT, as netlink's answers are of
 * a machine of the other byte order. The NOTE stays out: a person writes it. */
int anonymise_tree(struct filetree **tree);
