/* SPDX-License-Identifier: MIT */
/* Parsers of files that have a form of their own. Pure, of any bytes. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "model/services.h"
#include "model/system.h"

/* The files that configure RDMA libraries, as the libraries themselves read them. Pure, of any bytes. */

/* An assignment. Name and value lie in the text, or in a copy that ends with the call; neither is ended by a
 * NUL. */
struct conf_line {
    const char *name, *value;
    size_t name_len, value_len;
    unsigned number;  /* of the line, from 1 */
    bool conditional; /* UCX: holds for some machines only, as its section says */
};
typedef void conf_line_fn(void *data, const struct conf_line *line);

/* nccl.conf, and RCCL's rccl.conf, as setEnvFile() of NCCL 2.30.7 reads it (NVIDIA/nccl 5067397,
 * src/misc/param.cc): NAME=VALUE, no blanks cut, a "#" only at the beginning of a line. The first assignment
 * of a name holds: setenv() doesn't overwrite. */
void nccl_conf_parse(const char *text, size_t len, conf_line_fn *fn, void *data);

/* ucx.conf, as UCX 1.23 reads it (openucx/ucx 9466d104, src/ucs/config/ini.c and parser.c): NAME=VALUE or
 * NAME:VALUE, "#" and ";" comments, lines that begin with a blank continue the name before them, a line is 199
 * bytes at most. [Sections] only matter where a line such as "CPU model=Milan" makes the rest of one
 * conditional. The last assignment of a name holds. */
void ucx_conf_parse(const char *text, size_t len, conf_line_fn *fn, void *data);

/* openmpi-mca-params.conf, as Open MPI reads it (open-mpi/ompi 0ab48ad, opal/util/keyval/keyval_lex.l): NAME =
 * VALUE; "#", "//" and comments as of C only where a name could stand. Names are MCA parameters, "pml",
 * which the environment calls OMPI_MCA_pml. The last assignment of a name holds (mca_base_parse_paramfile.c).
 */
void mpi_conf_parse(const char *text, size_t len, conf_line_fn *fn, void *data);

/* What configuration files want of storage services, RDMA or TCP, and which modules modprobe.d keeps out.
 * Such files may hold passwords and more that is none of our business: of those that are no files of a
 * recording the lines of probe/services have what matters, "wish", KIND, "rdma" or "tcp", FILE, FROM and ON
 * with tabs between, or "blocked", MODULE, "always" or "alias" (modprobe.d) or "absent" or "gone" (the kernel
 * has none), FILE. */

struct reader;
/* Fills the wishes and blocked modules. */
void read_wishes(struct reader *reader, struct services *services);

/* The parsers are pure; each adds to services, in memory of arena. file is what a wish calls the file. */

/* fstab(5): mounts of NFS whose options name a protocol. */
void fstab_parse(const char *text, struct arena *arena, struct services *services);
/* nfsmount.conf(5): Proto= of all mounts, of a server's and of a mount point's. */
void nfsmount_parse(const char *text, struct arena *arena, struct services *services);
/* /etc/nvme/discovery.conf: the options of `nvme discover`, a controller a line. */
void nvme_discovery_parse(const char *text, struct arena *arena, struct services *services);
/* Has a JSON text this member anywhere, with that word, or with NULL true? */
bool json_text_says(const char *text, const char *key, const char *word);
/* A record of open-iscsi's: is its transport iser? */
bool iscsi_record_is_iser(const char *text, struct arena *arena);
/* modprobe.d(5): blacklist lines, and install lines that run nothing, of modules that services need. */
void modprobe_parse(const char *text, const char *file, struct arena *arena, struct services *services);
/* Is a module, with underscores, among the lines of a modules.dep or modules.builtin? */
bool modules_have(const char *list, const char *module);
/* The word of probe/services for why it is blocked. */
const char *blocked_word(const struct blocked_module *blocked);
/* A line of probe/services. */
void wish_parse_line(const char *line, size_t len, struct arena *arena, struct services *services);

/* What nfs.conf(5) wants of the server, as rpc.nfsd and nfsdctl of nfs-utils read it (utils/nfsd/nfsd.c,
 * support/nfs/conffile.c). Pure, of any text. */

/* One file, path where it lies ("etc/nfs.conf"; is kept): rdma= and rdma-port= of [nfsd] are taken. */
void nfs_conf_parse(const char *text, const char *path, struct arena *arena, struct nfs *nfs);
/* After the last file: where RDMA is asked for and no port is named it is 20049. */
void nfs_conf_done(struct arena *arena, struct nfs *nfs);

/* proc/self/mountstats: what the NFS client's mounts over RDMA have moved. Pure. */

/* mounts: proc/self/mounts, which has the server's address (addr=), as mountstats has not; may be NULL. Adds
 * each NFS mount whose transport is rdma. What it moved: fields 14, 15 of its "xprt: rdma" lines are bytes
 * asked for and answered by RDMA, 16 and 17 those copied from and to messages (xprt_rdma_print_stats,
 * net/sunrpc/xprtrdma/transport.c); with nconnect= there are several lines, which are summed. Memory is from
 * arena. */
void mountstats_parse(const char *text, const char *mounts, struct arena *arena, struct service **items,
                      size_t *count);

/* The transport of an NFS mount: "rdma", "tcp"; NULL: it isn't there. */
const char *mountstats_transport(const char *text, const struct nfs_mount *mount, struct arena *arena);

/* Mounts of NFS that automounters and systemd make: what their files want of the transport. Pure, of any
 * text; results live in arena. */

/* nfs(5): what proto=, or an older word for it, says among a mount's options, of several the last; NULL:
 * nothing. */
const char *nfs_proto_of(struct arena *arena, const char *options);

/* Adds what a file wants of a mount, its point without slashes behind it; nothing with no proto. */
void wish_nfs(struct arena *arena, struct services *services, const char *file, const char *proto,
              const char *from, const char *on);

/* A line of auto.master(5): "/home /etc/auto.home --timeout=60 -proto=rdma". */
struct automount {
    const char *on;      /* "/-": the map's keys are whole paths */
    const char *map;     /* its path without the first slash: "etc/auto.home" */
    const char *options; /* for all of the map; may be "" */
};
/* Calls fn with each line whose map is a file that lies on this host (no program, NIS, LDAP, -hosts). */
typedef void automount_fn(void *data, const struct automount *automount);
void auto_master_parse(const char *text, struct arena *arena, automount_fn *fn, void *data);
/* autofs(5), the map of one such line: adds a wish for each mount of NFS whose options name a protocol. Of
 * the key "*" the wish's mount point ends with it, and "&" stands in its source. Several servers, or
 * variables: its source is not known. Entries of more than one mount are passed over. */
void auto_map_parse(const char *text, const struct automount *automount, struct arena *arena,
                    struct services *services);

/* systemd.mount(5): the same of a unit; file is where it lies. With specifiers (%) it is passed over. */
void mount_unit_parse(const char *text, const char *file, struct arena *arena, struct services *services);

/* proc/fs/cifs/DebugData: the SMB client's servers that are reached by SMB Direct. Pure. */

/* What a line tells (cifs_debug_data_proc_show, fs/smb/client/cifs_debug.c):
 *   of today: "1) ConnectionId: 0x1 Hostname: filer", its SMBDirect lines, "TCP status: 1 Instance: 1", and
 * below it a line for each session, "1) Address: 10.0.0.1 Uses: 1 …" or "1) Name: 10.0.0.1  Domain: …"; of
 * old (CIFS 2.23): its SMBDirect lines, "1) Name: 10.0.0.1 Uses: 1 …", "TCP status: 1 Instance: 1". SMBDirect
 * lines are there where the mount has the option rdma: "SMBDirect (in hex) protocol version: …", of newer
 * kernels "SMBDirect protocol version: …", and "SMBDirect transport not available" until it has connected
 * again. */
enum smb_line_kind {
    SMB_LINE_OTHER,
    SMB_LINE_SERVER, /* word: its host's name, if the line has one */
    SMB_LINE_RDMA,
    SMB_LINE_STATUS,  /* word: a number, enum statusEnum (fs/smb/client/cifsglob.h) */
    SMB_LINE_SESSION, /* word: the server's address */
};
struct smb_line {
    enum smb_line_kind kind;
    const char *word; /* in the line; NULL: none */
    size_t len;
};
struct smb_line smb_line_parse(const char *line, size_t len);

/* Adds each server that is reached by RDMA. Memory is from arena. */
void smb_parse(const char *text, struct arena *arena, struct service **items, size_t *count);

/* The longest path of the "4:memory:/a/b" and "0::/a" lines of proc/PID/cgroup: of several hierarchies the
 * one that says most. NULL: there is none. */
const char *cgroup_longest(struct arena *arena, const char *text);

/* PCI configuration space, as its file gives it: 64 bytes for most users, all 4096 for root. Pure. */

/* The control register of the ACS capability. 0; -EACCES: len ends before the extended capabilities;
 * -ENODATA: the function has no such capability; -EBADMSG: the list of capabilities is a circle or leads
 * outside. */
int pci_acs_control(const uint8_t *config, size_t len, uint16_t *control);
/* That of the ATS capability, likewise; PCI_ATS_ENABLED: addresses that the function has had translated are in
 * use. */
enum { PCI_ATS_ENABLED = 1 << 15 };
int pci_ats_control(const uint8_t *config, size_t len, uint16_t *control);
/* What the PCI Express capability says of how a function asks for data. */
struct pci_express {
    unsigned payload, read_request; /* bytes: MPS, MRRS */
    bool relaxed_ordering, extended_tags, ten_bit_tags;
};
/* 0; -EACCES: len ends with the header, as for all but root; -ENODATA, -EBADMSG as above. */
int pci_express_read(const uint8_t *config, size_t len, struct pci_express *express);
/* Leaves of it what these three read, so that they say the same: no serial number, no address. */
void pci_config_strip(uint8_t *config, size_t len);

/* The names of PCI vendors and devices, from pci.ids of pciutils. Its lines, as its own head describes them:
 *     10de  NVIDIA Corporation
 *     <tab>2330  GH100 [H100 SXM5 80GB]
 *     <tab><tab>SUBVENDOR SUBDEVICE  …
 * sorted by vendor, and behind them the classes ("C 00  …"). Pure. */

struct pci_id {
    uint16_t vendor, device;
};

/* device NULL: the vendor's own name. name isn't terminated. */
typedef void pci_ids_found(void *data, uint16_t vendor, const uint16_t *device, const char *name, size_t len);

struct pci_ids {
    const struct pci_id *wanted; /* sorted by pci_ids_sort() */
    size_t nwanted;
    pci_ids_found *found;
    void *data;
    size_t at, until; /* those of the vendor whose lines come */
    bool ended;       /* nothing of what follows is wanted */
};

/* Sorts, and leaves each of them once; returns how many there are then. */
size_t pci_ids_sort(struct pci_id *ids, size_t count);
/* Reads the lines that a piece of the file has whole. How many bytes they are: what is behind has to come
 * again, with what follows. */
size_t pci_ids_read(struct pci_ids *ids, const char *text, size_t len);
/* "10de  NVIDIA Corporation", without the newline and the tab in front: the number, and where the name
 * begins; 0: it's no such line. */
size_t pci_ids_line(const char *line, size_t len, uint16_t *id);
