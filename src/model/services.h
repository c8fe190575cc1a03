/* SPDX-License-Identifier: MIT */
/* What the kernel's own users of RDMA say of themselves: mounts, controllers, sessions, listeners. Filled
 * when NEED_SERVICES is asked for. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/num.h"

enum service_kind {
    SERVICE_NFS_CLIENT,
    SERVICE_NFS_SERVER,
    SERVICE_NVME_HOST,
    SERVICE_NVME_TARGET,
    SERVICE_ISER_INITIATOR,
    SERVICE_ISER_TARGET,
    SERVICE_SRP_INITIATOR,
    SERVICE_SRP_TARGET,
    SERVICE_SMC,
    SERVICE_RDS,
    SERVICE_LUSTRE,
    SERVICE_SMB_CLIENT,
    SERVICE_SMB_SERVER,
    SERVICE_IPOIB,
    SERVICE_OTHER, /* a module that this list doesn't know */
    SERVICE_KINDS
};
/* "NFS client", "NVMe target". */
const char *service_kind_name(enum service_kind kind);
/* What holds RDMA objects under a module's name: SERVICE_OTHER for one that isn't known. rpcrdma is both
 * sides of NFS, smbdirect (of newer kernels) of SMB: listens, whether a listener is among them, tells which.
 */
enum service_kind service_kind_of_module(const char *module, bool listens);
/* Does a kind of service hold its RDMA objects under this module's name? */
bool service_has_module(enum service_kind kind, const char *module);

/* One mount, controller, session, or listener. */
struct service {
    enum service_kind kind;
    const char *name;   /* "10.0.0.1:/export on /mnt"; the NQN, the target's name; NULL: nothing names it */
    const char *handle; /* what the kernel calls it: "nvme0", "session1"; NULL: nothing */
    const char *state;  /* the kernel's word: "live", "connecting", "LOGGED_IN"; NULL: it has none */
    const char *local;  /* own numeric address; NULL: not told, "0.0.0.0" and "::" are all */
    const char *peer;   /* the other side's */
    struct num port;    /* TCP-like port of the service: 20049, 4420 */
    bool listens;       /* local and port are where it waits */
    const char *device; /* RDMA device and its port, where the service itself says so */
    struct num device_port;
    /* Bytes since it began, where it counts them: moved by the adapter (RDMA reads and writes), and copied
     * from and to messages. */
    struct num rdma_sent, rdma_received, inline_sent, inline_received;
    struct num connects; /* how often it has connected */
    struct num pkey;     /* that it was told to use: SRP */
    /* SMC: sockets that use the link, or go by TCP for this reason, now; of a reason how many did since the
     * module was loaded, and its code (SMC_CLC_DECL_*); the peer's own, where all sockets of now have the
     * same. */
    struct num sockets, fallbacks, reason_code, peer_reason_code;
    const char *reason; /* why it goes by TCP though RDMA was asked for, in words; NULL: it doesn't */
    const char *note;   /* what else it says: "8 threads"; may be NULL */
};

/* A process that holds RDMA objects. */
struct process {
    uint64_t pid;
    const char *comm;   /* NULL: it has ended, or is not to be seen */
    const char *cgroup; /* its path in the unified hierarchy, or the longest of the others */
    /* With NEED_SYSTEM: its limit of locked memory (UINT64_MAX: none), and what of that RDMA has pinned, in
     * bytes; its capabilities (CapEff). */
    struct num memlock, pinned, capabilities;
};

/* What a configuration file wants of a service: to use RDMA, or TCP. */
struct service_wish {
    enum service_kind kind;
    bool rdma;
    const char *file; /* "/etc/fstab" */
    const char *from,
        *on; /* of an NFS mount: "10.0.0.1:/export", "/mnt"; either NULL: any; from may be a host alone */
};

/* A module that can't be loaded: a line of modprobe.d keeps it out, or the running kernel has none. */
struct blocked_module {
    const char *name;
    const char *file;
    bool always; /* an install line in place of it; else a blacklist line: by an alias, and at boot */
    /* There is none: it is not among the modules in file, "/lib/modules/6.1.0-56-amd64"; or that directory is
     * gone, those of other kernels are there. */
    bool absent, gone;
};

struct services {
    struct service *items;
    size_t count;
    struct process *processes; /* by ascending pid */
    size_t nprocesses;
    bool wishes_known; /* false: a recording without them */
    struct service_wish *wishes;
    size_t nwishes;
    struct blocked_module *blocked;
    size_t nblocked;
    const struct smc *smc; /* what items say of it is made of this; NULL: the module smc isn't there */
};
/* Why a module can't be loaded; that there is none goes before lines of modprobe.d, and of these one that
 * always keeps it out before others. NULL: it can. */
const struct blocked_module *services_blocked(const struct services *services, const char *module);

/* What a cgroup's path says of who started the process: each NULL when it doesn't. Pure; the words live in
 * arena. Kubernetes: .../kubepods[.slice]/...podUID.../..., Slurm: .../job_ID/step_N/..., containers:
 * docker-ID.scope, libpod-ID.scope, cri-containerd-ID.scope, crio-ID.scope, /docker/ID, /lxc.payload.NAME;
 * else systemd's unit. */
struct arena;
struct cgroup_words {
    const char *pod;       /* UID: with dashes, without them where a file of the node's makes the pod */
    const char *job;       /* "slurm 1234" */
    const char *container; /* "docker 0123456789ab": runtime and 12 digits of its id, or its name */
    const char *unit;      /* "slurmd.service" */
};
struct cgroup_words cgroup_words(struct arena *arena, const char *path);
/* Job, pod ("pod UID"), container or unit: the first that is known says most; NULL: none is. May be in arena.
 */
const char *cgroup_words_best(struct arena *arena, const struct cgroup_words *words);

/* SMC-R: sockets of TCP whose data go by RDMA. What the kernel says of its link groups, and of connections
 * that stayed with TCP and why. Filled with NEED_SERVICES, where the module smc is loaded. */

struct arena;
struct services;

/* A link: a queue pair to one peer. A link group has up to three, and all sockets between two hosts (of one
 * role) share it. */
struct smc_link {
    uint32_t group;             /* the link group's id, as smcr prints it: 8 hex digits */
    struct num id;              /* within the group */
    const char *role;           /* "server", "client": who began the link group; NULL: not told */
    const char *redundancy;     /* of the group: "single", "symmetric", …; NULL: not told */
    const char *device;         /* RDMA device */
    struct num port;            /* its port */
    const char *gid, *peer_gid; /* as addresses: "10.0.0.1", "fe80::1"; NULL: not told */
    struct num state;           /* SMC_LNK_*: smc_link_state_text() */
    struct num connections;     /* that use it now */
};

/* How often connections stayed with TCP for one reason, since the module was loaded. */
struct smc_fallback {
    uint32_t code;
    bool server; /* this host took the connection; else it made it */
    uint64_t count;
};

struct smc_socket {
    struct num state; /* SMC_LISTEN and others: smc_socket_listens() */
    enum smc_mode {
        SMC_MODE_RDMA,
        SMC_MODE_TCP,
        SMC_MODE_ISM,
        SMC_MODE_UNKNOWN
    } mode;                   /* uapi/linux/smc_diag.h */
    const char *local, *peer; /* "10.0.0.1:5000"; peer NULL: not connected */
    struct num code;          /* why it goes by TCP; 0: it doesn't */
    struct num peer_code;     /* what the peer said of it; 0: nothing */
    const char *device;       /* of its link; NULL: it has none */
    struct num port, link;
};

struct smc {
    struct smc_link *links;
    size_t nlinks;
    struct smc_fallback *fallbacks;
    size_t nfallbacks;
    struct smc_socket *sockets;
    size_t nsockets;
    bool sockets_known; /* the module smc_diag was there to tell of them */
    struct num by_rdma; /* connections since the module was loaded */
};

/* "ACTIVE"; NULL: roce doesn't know this state. */
const char *smc_link_state_text(struct num state);
bool smc_socket_listens(const struct smc_socket *socket);
/* Why a connection stayed with TCP, in words ("the peer does not offer SMC"); NULL: roce doesn't know the code.
 */
const char *smc_reason_text(uint32_t code);
/* The peer gave the reason (SMC_CLC_DECL_PEERDECL): it is the peer's code that tells it. */
bool smc_reason_is_peers(uint32_t code);

/* Adds to services what SMC says: each link, each listener, and each reason to stay with TCP. Pure. */
void smc_add_services(const struct smc *smc, struct arena *arena, struct services *services);
