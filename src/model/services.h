/* SPDX-License-Identifier: MIT */
/* What the kernel's own users of RDMA report about themselves: mounts, controllers, sessions, listeners. Filled
 * when NEED_SERVICES is asked for. */
#pragma once

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
    SERVICE_RNBD_CLIENT,
    SERVICE_RNBD_SERVER,
    SERVICE_9P_CLIENT,
    SERVICE_BEEGFS_CLIENT,
    SERVICE_IPOIB,
    SERVICE_OTHER, /* a module that this list doesn't know */
    SERVICE_KINDS
};
/* "NFS client", "NVMe target". */
const char *service_kind_name(enum service_kind kind);
/* The service that holds RDMA objects under a module's name; SERVICE_OTHER if it isn't known. rpcrdma is both
 * sides of NFS, smbdirect (newer kernels) both of SMB: listens, whether there is a listener among the objects,
 * tells which. */
enum service_kind service_kind_of_module(const char *module, bool listens);
/* Does this kind of service hold its RDMA objects under this module's name? */
bool service_has_module(enum service_kind kind, const char *module);

/* What a process of this name belongs to ("SPDK" of "reactor_0"); NULL if the name doesn't tell. */
const char *program_software(const char *comm);

/* One mount, controller, session, or listener. */
struct service {
    enum service_kind kind;
    const char *name;   /* "10.0.0.1:/export on /mnt", the NQN, the target's name; NULL: it has none */
    const char *handle; /* the kernel's name for it: "nvme0", "session1"; NULL: none */
    const char *state;  /* the kernel's word: "live", "connecting", "LOGGED_IN"; NULL: it has none */
    const char *local;  /* own numeric address; NULL: not reported; "0.0.0.0" and "::" mean all */
    const char *peer;   /* the other side's */
    struct num port;    /* TCP-like port of the service: 20049, 4420 */
    bool listens;       /* local and port are where it listens */
    const char *device; /* RDMA device and its port, if the service itself says so */
    struct num device_port;
    /* Bytes since it started, if it counts them: moved by the adapter (RDMA reads and writes), and copied from
     * and to messages. */
    struct num rdma_sent, rdma_received, inline_sent, inline_received;
    struct num connects; /* how often it has connected */
    struct num pkey;     /* SRP: the one configured */
    /* SMC: sockets that now use the link, or TCP for this reason; for a reason, how many did since the module
     * was loaded, and its code (SMC_CLC_DECL_*); the peer's code, if it is the same for all current sockets. */
    struct num sockets, fallbacks, reason_code, peer_reason_code;
    const char *reason; /* why it uses TCP although RDMA was asked for, in words; NULL: it doesn't */
    const char *note;   /* anything else it reports: "8 threads"; may be NULL */
};

/* A process that holds RDMA objects. */
struct process {
    uint64_t pid;
    const char *comm;   /* NULL: it has ended, or isn't visible */
    const char *cgroup; /* its path in the unified hierarchy, else the longest in the others */
    /* With NEED_SYSTEM: its limit of locked memory (UINT64_MAX: none) and how much of that RDMA has pinned, in
     * bytes; its capabilities (CapEff). */
    struct num memlock, pinned, capabilities;
};

/* What a configuration file wants a service to use: RDMA, or TCP. */
struct service_wish {
    enum service_kind kind;
    bool rdma;
    const char *file; /* "/etc/fstab" */
    const char *from,
        *on; /* of an NFS mount: "10.0.0.1:/export", "/mnt"; either NULL: any; from may be a host alone */
};

/* A module that can't be loaded: a line in modprobe.d blocks it, or the running kernel has none. */
struct blocked_module {
    const char *name;
    const char *file;
    bool always; /* replaced by an install line; else by a blacklist line: blocked by alias and at boot */
    /* absent: it isn't among the modules in file, "/lib/modules/6.1.0-56-amd64"; gone: that directory doesn't
     * exist, while other kernels' do. */
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
    const struct smc *smc; /* the SMC items are made from this; NULL: module smc isn't loaded */
};
/* Why a module can't be loaded; its absence takes precedence over lines in modprobe.d, and of these one that
 * always blocks it over others. NULL if it can. */
const struct blocked_module *services_blocked(const struct services *services, const char *module);

/* What a cgroup's path says about who started the process; each is NULL if it doesn't say. Pure; the words live
 * in arena. Kubernetes: .../kubepods[.slice]/...podUID.../..., Slurm: .../job_ID/step_N/..., containers:
 * docker-ID.scope, libpod-ID.scope, cri-containerd-ID.scope, crio-ID.scope, /docker/ID, /lxc.payload.NAME; else
 * the systemd unit. */
struct arena;
struct cgroup_words {
    const char *pod;       /* UID: with dashes; without them for a pod made from a file on the node */
    const char *job;       /* "slurm 1234" */
    const char *container; /* "docker 0123456789ab": runtime and the first 12 digits of its id, or its name */
    const char *unit;      /* "slurmd.service" */
};
struct cgroup_words cgroup_words(struct arena *arena, const char *path);
/* Job, pod ("pod UID"), container or unit: the first one known, as the most specific; NULL if none is. May be
 * in arena. */
const char *cgroup_words_best(struct arena *arena, const struct cgroup_words *words);

/* SMC-R: TCP sockets whose data travels over RDMA. What the kernel reports about its link groups, and which
 * connections stayed with TCP and why. Filled with NEED_SERVICES, if the module smc is loaded. */

struct arena;
struct services;

/* A link: a queue pair to one peer. A link group has up to three, shared by all sockets between two hosts (in
 * one role). */
struct smc_link {
    uint32_t group;             /* the link group's id, as smcr prints it: 8 hex digits */
    struct num id;              /* within the group */
    const char *role;           /* "server", "client": who started the link group; NULL: not reported */
    const char *redundancy;     /* of the group: "single", "symmetric", …; NULL: not reported */
    const char *device;         /* RDMA device */
    struct num port;            /* its port */
    const char *gid, *peer_gid; /* as addresses: "10.0.0.1", "fe80::1"; NULL: not reported */
    struct num state;           /* SMC_LNK_*: smc_link_state_text() */
    struct num connections;     /* using it now */
};

/* How often connections stayed with TCP for one reason, since the module was loaded. */
struct smc_fallback {
    uint32_t code;
    bool server; /* this host accepted the connection; else it made it */
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
    struct num code;          /* why it uses TCP; 0: it doesn't */
    struct num peer_code;     /* the peer's reason; 0: none */
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
    bool sockets_known; /* the module smc_diag was there to report them */
    struct num by_rdma; /* RDMA connections since the module was loaded */
};

/* "ACTIVE"; NULL if roce doesn't know this state. */
const char *smc_link_state_text(struct num state);
bool smc_socket_listens(const struct smc_socket *socket);
/* Why a connection stayed with TCP, in words ("the peer does not offer SMC"); NULL if roce doesn't know the
 * code. */
const char *smc_reason_text(uint32_t code);
/* Did the peer decline (SMC_CLC_DECL_PEERDECL), so that the peer's code has the reason? */
bool smc_reason_is_peers(uint32_t code);

/* Adds to services what SMC reports: each link, each listener, and each reason to stay with TCP. Pure. */
void smc_add_services(const struct smc *smc, struct arena *arena, struct services *services);
