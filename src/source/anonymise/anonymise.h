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

/* What the firewall's sets hold: see nft_sets_new(). The anonymiser owns them from now on, and ends them by
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

/* Words that tell nothing of whose machine it is, for text that anybody could have written: names of modules,
 * programs and distributions, boot parameters, variables. What isn't known becomes another word or is left
 * out. */

/* Appends a module's, driver's or package's name, as it is or as "moduleNNNNNN". */
void words_put_module(const struct anonymiser *anonymiser, const char *name, size_t len, struct bytes *out);
void words_put_program(const struct anonymiser *anonymiser, const char *name, size_t len, struct bytes *out);
/* "6.1.0-28-amd64", without what somebody has put there. */
void words_put_release(const char *release, struct bytes *out);
/* What os-release says, in quotes or not; without quotes. */
void words_put_distribution(const char *text, size_t len, struct bytes *out);
/* Is it a boot parameter about the IOMMU or PCI, with a value that is a known word or a number? */
bool words_is_parameter(const char *text, size_t len);
/* Is it a number, yes, no or the like? */
bool words_is_plain(const char *text, size_t len);
/* What NFS calls a transport? */
bool words_is_protocol(const char *text, size_t len);
/* Is it a variable whose value roce judges? */
bool words_is_variable(const char *name, size_t len);
/* Its value: names of devices, addresses, numbers and known words, the separators between them kept. */
void words_put_value(const struct anonymiser *anonymiser, const char *value, size_t len, struct bytes *out);
/* "NAME=VALUE\n"; of a variable that isn't judged only whose it is, "NCCL__other=\n", for that shows that the
 * library is used. False: nothing, it is none of theirs. */
struct variable {
    const char *name, *value;
    size_t name_len, value_len;
};
bool words_put_variable(const struct anonymiser *anonymiser, const struct variable *variable,
                        struct bytes *out);
/* Where a user's configuration file lies: "~/.nccl.conf", or "/confNNNNNN". */
void words_put_conf_file(const struct anonymiser *anonymiser, const char *path, struct bytes *out);
/* A table of iptables, with a newline. */
void words_put_table(const char *name, size_t len, struct bytes *out);
/* Is it a line of probe/container? */
bool words_is_mark(const char *line, size_t len);
/* A line of the kernel's log, its age perhaps before it, that means the same pattern, or nothing. */
void words_put_log(const struct anonymiser *anonymiser, const char *line, const struct log_pattern *pattern,
                   struct bytes *out);

/* Netlink attributes that may be passed on, as tables; see anonymise_reply(). Private to anonymise/. */

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
    KEEP_LIST, /* of attributes of any type, each as nest's first row says */
    KEEP_OWN,  /* put() does it */
};

/* Appends what may be kept of a value asked for as that: changed, or as it is. most: bytes of KEEP_NUMBERS.
 * False, and nothing appended: it isn't of that type, and stays out. Not for KEEP_NEST, _LIST and _OWN. */
bool keep_value(const struct anonymiser *anonymiser, enum keep keep, size_t most, const char *data,
                size_t len, struct bytes *out);

struct attribute {
    uint16_t type;
    enum keep keep;
    const struct attribute *nest; /* ends with KEEP_END */
    uint16_t most;
    void (*put)(const struct anonymiser *anonymiser, const struct nlattr *attr, struct bytes *out);
};

/* Appends those of the attributes at data that the table has. False: one of them is broken, and nothing
 * behind it is there. */
bool attributes_put(const struct anonymiser *anonymiser, const struct attribute *table, const char *data,
                    size_t len, struct bytes *out);
/* Appends an attribute of the same type whose payload the caller appends behind; attributes_end() with what
 * begin gave sets its length and pads it. */
size_t attributes_begin(struct bytes *out, uint16_t type);
void attributes_end(struct bytes *out, size_t begin);
void attributes_put_nest(const struct anonymiser *anonymiser, const struct attribute *table,
                         const struct nlattr *nest, struct bytes *out);

/* Of a table, chain or set of nftables. */
void attributes_put_nft_name(const struct anonymiser *anonymiser, const char *text, size_t len,
                             struct bytes *out);

extern const struct attribute attributes_nft_table[], attributes_nft_chain[], attributes_nft_rule[],
    attributes_nft_set[];

/* Values that rules and sets of nftables compare packets with. Private to anonymise/. */

enum value_kind {
    VALUE_SECRET, /* nobody knows what it is: it may be part of an address */
    VALUE_PLAIN,  /* a port, a protocol, a mark */
    VALUE_V4,
    VALUE_V6,
    VALUE_MAC,
    VALUE_NAME, /* of a netdev, with zeros behind it up to 16 bytes; shorter: all that begin so */
};

enum { VALUE_MOST = 64 }; /* bytes of all registers */

/* How many bytes one of the kind has; 0 when that isn't given. */
size_t value_size(enum value_kind kind);
/* Appends len bytes of data, changed; of an address only the first bits count, the others are zero. False,
 * and nothing appended: it can't be said of the changed address. */
bool value_put(const struct anonymiser *anonymiser, enum value_kind kind, const uint8_t *data, size_t len,
               size_t bits, struct bytes *out);
/* How many bits all from `from` to `to` have in common, when those are all that begin so; else -1. */
int value_prefix(const uint8_t *from, const uint8_t *to, size_t len);
/* Leading ones, when only zeros follow; else -1. */
int value_mask_bits(const uint8_t *mask, size_t len);
/* The changed interval, both ends included, in the place of the given one; false: it is none afterwards. */
bool value_map_interval(const struct anonymiser *anonymiser, enum value_kind kind, uint8_t *from, uint8_t *to,
                        size_t len);

/* Sets of nftables. What the elements of one are, only the answer about all sets says, and a recording has
 * the elements by the number of their set in the order of names, which change. Private to anonymise/. */

/* Sets, from the kernel's answer to NFT_MSG_GETSET; the caller frees them with nft_sets_free(). */
struct nft_sets *nft_sets_new(const struct anonymiser *anonymiser, const void *reply, size_t len);
void nft_sets_free(struct nft_sets *sets);
/* Which number the set has when the names are changed; as it is: there is none of that number. */
size_t nft_sets_number(const struct nft_sets *sets, size_t number);
/* Appends messages with the changed elements of the set of that number. False: what they are isn't known, or
 * can't be said of the changed ones, and the set has to be one whose elements weren't told. */
bool nft_sets_put_elements(const struct anonymiser *anonymiser, const struct nft_sets *sets, size_t number,
                           const void *reply, size_t len, struct bytes *out);

/* What kernel services and control groups say, written anew of the parts that roce reads: a list of what is
 * known, as of files. Each name, path, address and number of a job becomes another one, the same
 * wherever it stands, so that a mount is still the one that its statistics are of. */

/* An address, or the name of a host. */
void services_put_host(const struct anonymiser *anonymiser, const char *text, size_t len, struct bytes *out);
/* NFS mounts: "server:/export", "10.0.0.1:/export", and where. Both files say them alike. */
void services_put_mount_source(const struct anonymiser *anonymiser, const char *text, size_t len,
                               struct bytes *out);
void services_put_mount_point(const struct anonymiser *anonymiser, const char *text, size_t len,
                              struct bytes *out);
/* One option of a mount, if roce reads it: protocol, port, address, version. False: it stays out. */
bool services_put_mount_option(const struct anonymiser *anonymiser, const char *text, size_t len,
                               struct bytes *out);
/* A line of mountstats, with its newline; nothing of one that isn't read. */
void services_put_mountstats(const struct anonymiser *anonymiser, const char *text, size_t len,
                             struct bytes *out);
/* A line of probe/services (source/files/texts.h). */
void services_put_wish(const struct anonymiser *anonymiser, const char *text, size_t len, struct bytes *out);
/* A line of proc/PID/cgroup: runtime, ids and job, and of the words between only known ones. */
void services_put_cgroup(const struct anonymiser *anonymiser, const char *text, size_t len, struct bytes *out);
/* "traddr=10.0.0.1,trsvcid=4420,src_addr=10.0.0.2" of an NVMe controller. */
void services_put_nvme_address(const struct anonymiser *anonymiser, const char *text, size_t len,
                               struct bytes *out);
/* An NQN, IQN, EUI or NAA: what begins it stays, and the name of NVMe's discovery subsystem. */
void services_put_qualified_name(const struct anonymiser *anonymiser, const char *text, size_t len,
                                 struct bytes *out);
/* A line of lnet's interfaces, of cifs' servers. */
void services_put_lnet(const struct anonymiser *anonymiser, const char *text, size_t len, struct bytes *out);
void services_put_cifs(const struct anonymiser *anonymiser, const char *text, size_t len, struct bytes *out);

/* May the file, link or directory at that path below sys/kernel/config/ be passed on? */
bool services_config_is_kept(const char *path);
/* What its last component becomes. */
void services_put_config_name(const struct anonymiser *anonymiser, const char *path, struct bytes *out);

/* Netlink's answers, built anew of the attributes that roce reads: all others stay out, and with them what
 * nobody has thought of (aliases, peers of tunnels, comments of the firewall). Pure but for the key. */

/* Appends the answer called name ("rtnl-links", "dcb-ieee.eth0") with the bytes at data, aligned to 4. An
 * answer that is broken stays broken from the same message on. False: there is no such answer. */
bool anonymise_reply(const struct anonymiser *anonymiser, const char *name, const char *data, size_t len,
                     struct bytes *out);

/* What of a recording's files may be passed on. It is a list of what is known: anything else stays out. */

/* The file at path in the recording, an answer of netlink included (then aligned to 4). True, and what may
 * stand there is appended to out; false: it stays out as a whole. */
bool anonymise_file(const struct anonymiser *anonymiser, const char *path, const char *data, size_t len,
                    struct bytes *out);

/* The i-th path outside of sys/ that may hold something: * stands for a component. NULL: there are no more. */
const char *anonymise_path(size_t i);
/* Appends what the last component of a path stands for: the name of a netdev, of a file, of an answer. */
void anonymise_component(const struct anonymiser *anonymiser, const char *path, struct bytes *out);

/* A recording that tells no more of whose machine it is than it must. */

/* 0, and *tree is another one; or -errno, and it is as it was: -EPROTONOSUPPORT, as netlink's answers are of
 * a machine of the other byte order. The NOTE stays out: a person writes it. */
int anonymise_tree(struct filetree **tree);
