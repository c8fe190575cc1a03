/* SPDX-License-Identifier: MIT */
/* Parsers for files in formats of their own. Pure; they take any bytes. */
#pragma once

#include "model/services.h"
#include "model/system.h"

/* The files that configure RDMA libraries, as the libraries themselves read them. Pure; any bytes. */

/* An assignment. Name and value point into the text, or into a copy valid only during the call; neither is
 * NUL-terminated. */
struct conf_line {
    const char *name, *value;
    size_t name_len, value_len;
    unsigned number;  /* of the line, from 1 */
    bool conditional; /* UCX: applies only to some machines, given by its section */
};
typedef void conf_line_fn(void *data, const struct conf_line *line);

/* nccl.conf, and RCCL's rccl.conf, as setEnvFile() of NCCL 2.30.7 reads it (NVIDIA/nccl 5067397,
 * src/misc/param.cc): NAME=VALUE, blanks kept, "#" only at the beginning of a line. The first assignment of a
 * name counts: setenv() doesn't overwrite. */
void nccl_conf_parse(const char *text, size_t len, conf_line_fn *fn, void *data);

/* ucx.conf, as UCX 1.23 reads it (openucx/ucx 9466d104, src/ucs/config/ini.c and parser.c): NAME=VALUE or
 * NAME:VALUE, "#" and ";" comments, lines that begin with a blank continue the previous name, lines of at most
 * 199 bytes. [Sections] only matter if a line such as "CPU model=Milan" makes the rest of one conditional. The
 * last assignment of a name counts. */
void ucx_conf_parse(const char *text, size_t len, conf_line_fn *fn, void *data);

/* openmpi-mca-params.conf, as Open MPI reads it (open-mpi/ompi 0ab48ad, opal/util/keyval/keyval_lex.l): NAME =
 * VALUE; "#", "//" and C comments only where a name could be. Names are MCA parameters: "pml" is OMPI_MCA_pml
 * in the environment. The last assignment of a name counts (mca_base_parse_paramfile.c). */
void mpi_conf_parse(const char *text, size_t len, conf_line_fn *fn, void *data);

/* Which transport configuration files want for storage services, RDMA or TCP, and which modules modprobe.d
 * keeps out. Such files may hold passwords and other things that are none of our business: for those that
 * aren't recorded, lines in probe/services have what matters, separated by tabs: "wish", KIND, "rdma" or "tcp",
 * FILE, FROM and ON, or "blocked", MODULE, "always" or "alias" (modprobe.d) or "absent" or "gone" (not in the
 * kernel), FILE. */

struct reader;
/* Fills the wishes and blocked modules. */
void read_wishes(struct reader *reader, struct services *services);

/* The parsers are pure; each adds to services, in memory from arena. file is the file's name in a wish. */

/* fstab(5): NFS mounts whose options name a protocol. */
void fstab_parse(const char *text, struct arena *arena, struct services *services);
/* nfsmount.conf(5): Proto= for all mounts, for a server and for a mount point. */
void nfsmount_parse(const char *text, struct arena *arena, struct services *services);
/* /etc/nvme/discovery.conf: the options of `nvme discover`, one controller per line. */
void nvme_discovery_parse(const char *text, struct arena *arena, struct services *services);
/* Does a JSON text have this member anywhere, with this word (NULL: true) as its value? */
bool json_text_says(const char *text, const char *key, const char *word);
/* Is the transport of an open-iscsi record iser? */
bool iscsi_record_is_iser(const char *text, struct arena *arena);
/* modprobe.d(5): blacklist lines, and install lines that run nothing, for modules that services need. */
void modprobe_parse(const char *text, const char *file, struct arena *arena, struct services *services);
/* Does a modules.dep or modules.builtin list the module (spelt with underscores)? */
bool modules_have(const char *list, const char *module);
/* The word in probe/services for why it is blocked. */
const char *blocked_word(const struct blocked_module *blocked);
/* A line of probe/services. */
void wish_parse_line(const char *line, size_t len, struct arena *arena, struct services *services);

/* What nfs.conf(5) asks of the server, as rpc.nfsd and nfsdctl of nfs-utils read it (utils/nfsd/nfsd.c,
 * support/nfs/conffile.c). Pure; any text. */

/* Takes rdma= and rdma-port= of [nfsd] from one file; path is where it is ("etc/nfs.conf"; kept). */
void nfs_conf_parse(const char *text, const char *path, struct arena *arena, struct nfs *nfs);
/* After the last file: if RDMA is requested without a port, the port is 20049. */
void nfs_conf_done(struct arena *arena, struct nfs *nfs);

/* proc/self/mountstats: what the NFS client's mounts over RDMA have moved. Pure. */

/* Adds each mount of 9P by RDMA in proc/self/mounts: p9_show_client_options() of net/9p/client.c prints
 * "trans=rdma", p9_rdma_show_options() of net/9p/trans_rdma.c the port if it isn't 5640. */
void mounts_parse_9p(const char *mounts, struct arena *arena, struct service **items, size_t *count);
/* mounts: proc/self/mounts, which has the server's address (addr=), unlike mountstats; may be NULL. Adds each
 * NFS mount whose transport is rdma. What it moved: fields 14 and 15 of its "xprt: rdma" lines are the bytes
 * requested and answered by RDMA, 16 and 17 those copied from and to messages (xprt_rdma_print_stats,
 * net/sunrpc/xprtrdma/transport.c); with nconnect= there are several lines, which are summed. Memory is from
 * arena. */
void mountstats_parse(const char *text, const char *mounts, struct arena *arena, struct service **items,
                      size_t *count);

/* The value of "key=" among the comma-separated options of len bytes at list; NULL if it isn't there. */
const char *mount_option(struct arena *arena, const char *list, size_t len, const char *key);
/* The transport of an NFS mount, "rdma" or "tcp"; NULL if it isn't listed. */
const char *mountstats_transport(const char *text, const struct nfs_mount *mount, struct arena *arena);

/* NFS mounts made by automounters and systemd: the transport their files ask for. Pure; any text; results live
 * in arena. */

/* nfs(5): the value of proto=, or of an older word for it, among a mount's options, the last one if there are
 * several; NULL if none. */
const char *nfs_proto_of(struct arena *arena, const char *options);

/* Adds what a file wants for a mount, without trailing slashes in its mount point; does nothing without
 * proto. */
void wish_nfs(struct arena *arena, struct services *services, const char *file, const char *proto,
              const char *from, const char *on);

/* A line of auto.master(5): "/home /etc/auto.home --timeout=60 -proto=rdma". */
struct automount {
    const char *on;      /* "/-" if the map's keys are whole paths */
    const char *map;     /* its path without the first slash: "etc/auto.home" */
    const char *options; /* for the whole map; may be "" */
};
/* Calls fn with each line whose map is a file on this host (not a program, NIS, LDAP, -hosts). */
typedef void automount_fn(void *data, const struct automount *automount);
void auto_master_parse(const char *text, struct arena *arena, automount_fn *fn, void *data);
/* autofs(5), the map of one such line: adds a wish for each NFS mount whose options name a protocol. For the
 * key "*", the wish's mount point ends with it, and its source keeps "&". With several servers, or variables,
 * its source is unknown. Entries with more than one mount are skipped. */
void auto_map_parse(const char *text, const struct automount *automount, struct arena *arena,
                    struct services *services);

/* systemd.mount(5): the same for a unit; file is its path. One with specifiers (%) is skipped. */
void mount_unit_parse(const char *text, const char *file, struct arena *arena, struct services *services);

/* proc/fs/cifs/DebugData: the servers that the SMB client reaches by SMB Direct. Pure. */

/* What a line says (cifs_debug_data_proc_show, fs/smb/client/cifs_debug.c):
 *   today: "1) ConnectionId: 0x1 Hostname: filer", its SMBDirect lines, "TCP status: 1 Instance: 1", and
 * below it a line for each session, "1) Address: 10.0.0.1 Uses: 1 …" or "1) Name: 10.0.0.1  Domain: …"; in
 * the past (CIFS 2.23): its SMBDirect lines, "1) Name: 10.0.0.1 Uses: 1 …", "TCP status: 1 Instance: 1".
 * SMBDirect lines exist if the mount has the option rdma: "SMBDirect (in hex) protocol version: …", in newer
 * kernels "SMBDirect protocol version: …", and "SMBDirect transport not available" until it has reconnected. */
enum smb_line_kind {
    SMB_LINE_OTHER,
    SMB_LINE_SERVER, /* word: its host name, if the line has one */
    SMB_LINE_RDMA,
    SMB_LINE_STATUS,  /* word: a number, enum statusEnum (fs/smb/client/cifsglob.h) */
    SMB_LINE_SESSION, /* word: the server's address */
};
struct smb_line {
    enum smb_line_kind kind;
    const char *word; /* in the line; NULL if none */
    size_t len;
};
struct smb_line smb_line_parse(const char *line, size_t len);

/* Adds each server that is reached by RDMA. Memory is from arena. */
void smb_parse(const char *text, struct arena *arena, struct service **items, size_t *count);

/* The longest path in the "4:memory:/a/b" and "0::/a" lines of proc/PID/cgroup: that of the hierarchy that says
 * most. NULL if none. */
const char *cgroup_longest(struct arena *arena, const char *text);

/* PCI configuration space as read from its file: 64 bytes for most users, all 4096 for root. Pure. */

/* The control register of the ACS capability. Returns 0; -EACCES if len ends before the extended capabilities;
 * -ENODATA if the function has no such capability; -EBADMSG if the list of capabilities is circular or leads
 * outside. */
int pci_acs_control(const uint8_t *config, size_t len, uint16_t *control);
/* Likewise for the ATS capability; PCI_ATS_ENABLED: the function uses translated addresses. */
enum { PCI_ATS_ENABLED = 1 << 15 };
int pci_ats_control(const uint8_t *config, size_t len, uint16_t *control);
/* What the PCI Express capability says about how a function requests data. */
struct pci_express {
    unsigned payload, read_request; /* bytes: MPS, MRRS */
    bool relaxed_ordering, extended_tags, ten_bit_tags;
};
/* Returns 0; -EACCES if len ends with the header, as for all but root; -ENODATA, -EBADMSG as above. */
int pci_express_read(const uint8_t *config, size_t len, struct pci_express *express);
/* Keeps only what these three read, so that they give the same results: no serial number, no address. */
void pci_config_strip(uint8_t *config, size_t len);

/* The names of PCI vendors and devices, from pci.ids of pciutils. Its lines, as its header describes them:
 *     10de  NVIDIA Corporation
 *     <tab>2330  GH100 [H100 SXM5 80GB]
 *     <tab><tab>SUBVENDOR SUBDEVICE  …
 * sorted by vendor, then the classes ("C 00  …"). Pure. */

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
    size_t at, until; /* the current vendor's wanted ids */
    bool ended;       /* nothing that follows is wanted */
};

/* Sorts them and removes duplicates; returns how many remain. */
size_t pci_ids_sort(struct pci_id *ids, size_t count);
/* Reads the complete lines in a piece of the file. Returns their length in bytes: the rest must come again,
 * with what follows. */
size_t pci_ids_read(struct pci_ids *ids, const char *text, size_t len);
/* "10de  NVIDIA Corporation", without the newline and any leading tab: sets the number and returns where the
 * name begins; 0 if it isn't such a line. */
size_t pci_ids_line(const char *line, size_t len, uint16_t *id);
