/* SPDX-License-Identifier: MIT */
/* Replaces whatever reveals whose machine was recorded: addresses, GUIDs, names. Equal values have equal
 * replacements everywhere and in every form, and what is needed to relate them stays: MAC vendors, subnets, the
 * numbers in names. The random key is new in each process: nothing maps back. */
#pragma once

#include <linux/netlink.h>

#include "model/system.h"
#include "source/recording/filetree.h"

/* In place. MACs and GUIDs change in their last three bytes, IPv4 addresses after the first, IPv6 addresses
 * after the second and in the last three, so that a MAC still matches what is derived from it; addresses that
 * reveal nothing (loopback, multicast, 169.254/16, zero) stay. A MAC's len is at least 3. */
void anonymise_mac(uint8_t *bytes, size_t len);
void anonymise_guid(uint64_t *guid); /* host order */
void anonymise_v4(uint8_t bytes[static 4]);
void anonymise_v6(uint8_t bytes[static 16]);

/* Appends text that the kernel wrote, with each address, GUID and UUID in it replaced. */
void anonymise_text(const char *text, size_t len, struct bytes *out);
/* Appends the name of a netdev or an RDMA device. What kernel, udev and drivers choose stays ("eth0",
 * "enp1s0f0np0", "mlx5_0"); in others the word changes, but a number or VLAN after it stays, so that
 * "storage0.7" is still over "storage0". */
void anonymise_name(const char *name, size_t len, struct bytes *out);
/* Appends a replacement for the word: what and six digits. */
void anonymise_word(const char *what, const char *word, size_t len, struct bytes *out);

/* Likewise for an address's digits without colons; false if they aren't one. */
bool anonymise_digits(const char *text, size_t len, struct bytes *out);

/* Is the word in that list of words.txt, given as "[modules]"? */
bool words_have(const char *list, const char *word, size_t len);
/* Appends it if it is, else what and six digits. */
void words_put_known(const char *list, const char *what, const char *word, size_t len, struct bytes *out);
/* The list itself, for words_next(): the next of the words with blanks or bars between; false if there are no
 * more. */
const char *words_of(const char *list);
bool words_next(const char **words, const char **word, size_t *len);
/* How much of text precedes the first of the characters in ends. */
size_t words_length(const char *text, size_t len, const char *ends);

/* Each appends the replacement for a value of one type, at least 1 byte long; the caller ends the line. Private
 * to anonymise/, named after the types in form.c. */
typedef void put_value(const char *text, size_t len, struct bytes *out);

/* A module's, driver's or package's name, as it is or as "moduleNNNNNN". */
put_value words_put_module, words_put_program;
/* "6.1.0-28-amd64" without local additions; what os-release says; what the kernel command line has on the IOMMU
 * and PCI. */
put_value words_put_release, words_put_distribution, words_put_parameters;
/* A number, yes, no or the like; otherwise "other". */
put_value words_put_flag;
/* "NAME=VALUE" that roce judges, or "NCCL__other=", or nothing; a line of the kernel log with the same
 * meaning. */
put_value words_put_variable, words_put_log;
/* The path of a user's configuration file: "~/.nccl.conf", or "/confNNNNNN". */
put_value words_put_conf_file;

/* An address or host name; "server:/export"; a mount point. */
put_value services_put_host, services_put_mount_source, services_put_mount_point;
/* An NQN, IQN, EUI or NAA: its prefix stays, as does the name of NVMe's discovery subsystem. */
put_value services_put_qualified_name;
/* A line of probe/services; a line about cifs' servers (source/files/texts.h); or nothing. */
put_value services_put_wish, services_put_smb;
/* Reduces a whole proc/PID/cgroup to one line with runtime, ids and job, keeping only known words between
 * them. */
put_value services_put_cgroup;
/* The same of what cgroup_words_best() tells. */
put_value services_put_started_by;

/* Whole files: networkd's frames, and its answer. */
put_value lldp_put_saved, lldp_put_answer;
put_value lldp_put_frame;    /* a frame in hexadecimal digits */
put_value lldp_put_neighbor; /* what lldp_text() tells */

/* Lines as the flight recorder keeps them. */
put_value history_put_lines;
/* Reads what source_open_reading() opens, and gives it as source_keep_reading() does, anonymised: set by
 * source.c, which stands above. NULL: readings are left out. */
typedef int clean_reading(const char *whole, const char *changes, const char *before, struct bytes *cleaned,
                          bool *changed);
extern clean_reading *history_clean_reading;

/* Values of netlink attributes, by the type expected of them; see anonymise_reply(). Private to source/. */

enum keep {
    KEEP_END,
    KEEP_NUMBER,  /* up to 8 bytes, as they are */
    KEEP_NUMBERS, /* a struct or array of numbers, at most most bytes */
    KEEP_WORD,    /* from the kernel or a driver */
    KEEP_NAME,    /* of a netdev or RDMA device */
    KEEP_TEXT,    /* the kernel's, perhaps containing an address */
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

/* Appends what may be kept of a value of that type, changed or as it is. most: size limit for KEEP_NUMBERS, in
 * bytes. False, and nothing appended, if it isn't of that type: it is left out. Not for KEEP_NEST, _OWN and
 * _NOTHING. */
bool keep_value(enum keep keep, size_t most, const char *data, size_t len, struct bytes *out);

struct attr_row;  /* source/netlink/attr_table.h */
struct attr_walk; /* source/netlink/message.h */

/* Appends the attributes that are in the table. False if one is broken: nothing after it is appended. */
bool attributes_put(const struct attr_row *table, struct attr_walk level, struct bytes *out);
/* Begins an attribute of that type (in the answer's byte order, like the one it replaces); the caller appends
 * its payload, then attributes_end(), given attributes_begin()'s result, sets its length and pads it. */
size_t attributes_begin(struct bytes *out, uint16_t type);
void attributes_end(struct bytes *out, size_t begin);

/* Netlink answers, rebuilt from the attributes that roce reads: all others are left out, and with them what
 * nobody thought of (aliases, tunnel peers, firewall comments). Pure but for the key. */

/* Appends the answer called name ("rtnl-links", "dcb-ieee.eth0") with the bytes at data, aligned to 4. A broken
 * answer remains broken from the same message on. False if there is no such answer. */
bool anonymise_reply(const char *name, const char *data, size_t len, struct bytes *out);

/* Appends what may be kept of the file at path that was read as form (source/root/root.h); data is
 * NUL-terminated after len, and aligned to 4 if it is a netlink answer. False if all of it is left out. */
bool anonymise_file(const char *form, const char *path, const char *data, size_t len, struct bytes *out);
/* The same for one value, given the name of its type. */
void anonymise_value(const char *type, const char *text, size_t len, struct bytes *out);

/* A recording that reveals no more about whose machine it is than it must. */

/* Returns 0 and replaces *tree, or -errno and leaves it alone. The NOTE is left out: people write it. */
int anonymise_tree(struct filetree **tree);
