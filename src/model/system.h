/* SPDX-License-Identifier: MIT */
/* The host apart from its devices: limits, modules, sysctls, distribution. Filled when NEED_SYSTEM is asked
 * for. */
#pragma once

#include "model/device.h"

struct services; /* model/services.h */

struct module {
    const char *name; /* with underscores */
};

/* A file of /proc/sys that was read: "net/ipv4/conf/eth0/arp_ignore" → "0". */
struct sysctl {
    const char *name;
    const char *value;
};

/* A variable of roce's own environment that controls an RDMA library: NCCL_*, UCX_*, … */
struct environment {
    const char *name;
    const char *value;
};

/* Libraries that read files of their own as well as the environment. */
enum library { LIBRARY_NONE, LIBRARY_NCCL, LIBRARY_RCCL, LIBRARY_UCX, LIBRARY_MPI };

/* A library's setting: an environment variable, or a line of a file. */
struct setting {
    const char *name, *value; /* value NULL: it isn't set */
    const char *file;         /* as people write it: "/etc/nccl.conf", "~/.nccl.conf"; NULL: the environment */
    unsigned line;
    enum library library; /* which one the file belongs to */
    bool conditional;     /* only if UCX finds a certain CPU or product, which isn't known here */
};

/* An attempt to lock memory, as registering it would: bounded, and undone immediately. */
struct mlock_trial {
    bool tried;
    uint64_t bytes; /* how much was asked for */
    int err;        /* 0: it could be locked; else errno */
};

/* A line of a file listing modules to load: etc/rdma/modules/rdma.conf. */
struct configured_module {
    const char *name;
    const char *file;
};

struct nfs_mount {
    const char *from, *on; /* as in proc/self/mounts: a blank is "\\040" */
    const char *proto;     /* "rdma", "tcp", "tcp6"; NULL: not stated */
    const char *transport; /* from mountstats: "rdma", "tcp"; with NEED_SERVICES */
};

/* NFS over RDMA, both sides. */
struct nfs {
    struct nfs_mount *mounts; /* all of NFS */
    size_t nmounts;
    const char **rdma_mounts; /* "server:/export on /mnt" of each mount with proto=rdma */
    size_t nrdma_mounts;
    bool mounts_known;
    const char *portlist; /* proc/fs/nfsd/portlist, one listener per line; NULL: no NFS server runs */
    int portlist_err;     /* why it isn't known: errno */
    bool configured;      /* etc/nfs.conf or a file of etc/nfs.conf.d asks the server for RDMA */
    const char *configured_in;
    /* The ports on which these files want it to listen over RDMA, without duplicates; for one given by its name
     * in etc/services the number isn't known. */
    uint16_t *rdma_ports;
    size_t nrdma_ports;
    bool named_port;
    bool exports; /* etc/exports or a file of etc/exports.d exports something */
};

/* What an nftables rule does to RoCE v2 packets of soft-RoCE, as far as the rule alone shows. */
enum firewall_match { FIREWALL_NEVER, FIREWALL_PERHAPS, FIREWALL_ALWAYS };
enum firewall_does {
    FIREWALL_NOTHING,
    FIREWALL_ACCEPTS,
    FIREWALL_DROPS, /* or rejects */
    FIREWALL_JUMPS, /* or returns */
    FIREWALL_OTHER, /* a map, a translation, a queue …: it may do anything */
};
struct firewall_rule {
    uint64_t handle;
    enum firewall_does does;
    enum firewall_match matches[2]; /* packets over IPv4, over IPv6 */
};

struct firewall_chain {
    const char *name; /* "inet filter input": family, table, chain */
    bool base;        /* called by the kernel; otherwise by rules that jump to it */
    bool sees[2];     /* packets over IPv4, over IPv6 pass through it */
    bool certain;     /* they do so regardless of netdev */
    bool drops;       /* its policy is to drop */
    struct firewall_rule *rules;
    size_t nrules;
};

/* The firewall of this network namespace (nftables, which iptables-nft also writes); only asked for if there is
 * a soft-RoCE device, because hardware bypasses it. */
struct firewall {
    bool asked;
    int err;             /* why it isn't known: EPERM unless root */
    const char *missing; /* the request that failed: "GETCHAIN" */
    struct firewall_chain *chains;
    size_t nchains;
    bool dormant;           /* some table is switched off; which chains that affects isn't recorded */
    bool jumps_may_drop[2]; /* a chain that rules jump to may drop packets over IPv4, over IPv6 */
    /* Tables of iptables-legacy, which nftables doesn't show: proc/net/ip_tables_names, ip6_tables_names.
     * "filter nat"; NULL: none. */
    const char *legacy, *legacy6;
};

enum container {
    CONTAINER_NONE, /* none, or one that leaves no mark */
    CONTAINER_DOCKER,
    CONTAINER_CONTAINERD,
    CONTAINER_CRIO,
    CONTAINER_PODMAN,
    CONTAINER_LXC,
    CONTAINER_NSPAWN,
    CONTAINER_APPTAINER,
    CONTAINER_UNNAMED, /* own namespaces (unshare), or a pod of an unknown runtime */
};
/* The mark that a control group's or mount's path implies: "docker"; NULL if none. */
const char *container_path_mark(const char *path);
bool container_path_is_pod(const char *path);
/* Does the link /proc/self/ns/pid name the machine's initial PID namespace? */
bool container_pid_is_first(const char *namespace);
/* From that link, /proc/self/ns/net and /proc/1/ns/net (which only root may read; NULL: unreadable), whether
 * the network namespace is the machine's initial one: "first", "other"; NULL if unknown. */
const char *container_netns_mark(const char *pid, const char *own, const char *first);
/* The container, from the lines of probe/container, which read_container() describes; also whether it is a
 * Kubernetes pod. */
enum container container_of(const char *marks, bool *kubernetes);
/* From the same lines: is the network namespace the machine's initial one? */
enum tristate container_netns_is_first(const char *marks);

/* A line of the kernel's log that kernel_log_pattern() knows. */
struct log_line {
    const char *text;
    struct num age_s; /* how long ago it was written */
    const struct log_pattern *pattern;
};

enum { LOG_WINDOW = 3600 };

enum log_weight {
    LOG_LASTING, /* an error that lasts until the driver is reloaded */
    LOG_ERROR,
    LOG_WARNING,
    LOG_LINK,   /* a link that comes and goes: no fault on an unused port, or while a NIC starts */
    LOG_NOTICE, /* healthy hosts have it too */
};

struct log_pattern {
    const char *words[2]; /* both must be in the line, in this order; the second may be NULL */
    const char *meaning;
    enum log_weight weight;
};
extern const struct log_pattern log_patterns[]; /* from kernel_log.txt; the last has no words */
/* For this long after the kernel starts, NICs report their links' initial state: "NIC Link is Down",
 * and "Cable unplugged" for an empty cage. */
enum { LOG_NICS_START_S = 300 };
/* The pattern that a line of the kernel's log matches, or NULL. */
const struct log_pattern *kernel_log_pattern(const char *line);
/* Does it mention the PCI function or bridge at an address, or a device or netdev of that name? */
bool kernel_log_names(const char *line, const char *address);
bool kernel_log_says(const char *line, const char *name);

/* How NICs may reach accelerators' memory. With NEED_PEER_MEMORY, where there is an accelerator. */
struct peer_memory {
    const char *nvidia, *nvidia_peermem; /* module versions; NULL: not loaded */
    const char *memory_peer;             /* MLNX_OFED's file that says so: "sys/kernel/mm/memory_peers/…" */
    enum tristate open_driver;           /* is NVIDIA's driver the open one, which offers dma-buf? */
    /* GDRCopy, which gives the CPU access to an accelerator's memory: version of its module, and its device
     * node */
    const char *gdrdrv;
    struct device_node gdrdrv_node;
};

struct system {
    struct peer_memory peer_memory;
    const char *kernel; /* release */
    const char *os_id;  /* /etc/os-release ID, "debian" */
    const char *os_id_like;
    const char *os_name;                   /* PRETTY_NAME */
    struct num memlock_soft, memlock_hard; /* bytes; UINT64_MAX is unlimited */
    struct num cma_total, cma_free;        /* KiB, as in /proc/meminfo; unknown: the kernel has no CMA */
    struct num cap_effective;              /* CapEff */
    bool user_namespace;                   /* uid_map is not the identity */
    enum container container;
    bool kubernetes; /* it is a pod */
    /* in the machine's initial network namespace; unknown if process 1 can't be read */
    enum tristate first_netns;
    const char *cmdline;
    struct num uptime_h;    /* whole hours: anything momentary is left out */
    struct module *modules; /* loaded */
    size_t nmodules;
    bool modules_known;
    struct sysctl *sysctls;
    size_t nsysctls;
    struct environment *environment;
    size_t nenvironment;
    bool environment_known;
    struct setting *settings; /* from files; for each library the first one of a name applies */
    size_t nsettings;
    const char *cpus_allowed; /* of this process: "0-63" */
    const char *numa_nodes;   /* online: "0-1" */
    struct numa_node {
        unsigned number;
        const char *cpus; /* "0-15" */
    } * nodes;            /* with NEED_NUMA: those that have CPUs, and memory */
    size_t nnodes;
    struct mlock_trial mlock;
    struct daemon *daemons; /* those that start jobs or containers */
    size_t ndaemons;
    bool daemons_known;
    struct configured_module *configured_modules;
    size_t nconfigured_modules;
    const char **providers; /* libibverbs', from etc/libibverbs.d: "mlx5"; with NEED_ENVIRONMENT, too */
    size_t nproviders, nall_providers; /* behind them those of usr/local/etc/libibverbs.d */
    bool providers_known;              /* the directory is there */
    bool provider_unread;              /* one of its files could not be read */
    struct nfs nfs;
    struct services *services; /* NULL when not asked: NEED_SERVICES */
    struct firewall firewall;
    bool lldpad; /* it has written its process id to run/lldpad.pid */
    struct log_line *log_lines;
    size_t nlog_lines;
    uint64_t log_window_s; /* lines older than this are ignored; 0: LOG_WINDOW */
    int log_err;           /* why the kernel's log isn't known: errno */
    bool log_known;
    struct device_node rdma_cm; /* /dev/infiniband/rdma_cm */
    /* A uverbs node that exists though its device isn't here, but in another RDMA namespace, and that device's
     * name: with NEED_NODES. Name NULL: there is none. */
    struct device_node stray_node;
    const char *stray_device;
    bool has_infiniband_class; /* /sys/class/infiniband exists */
    const char *no_sys;    /* what isn't here, or can't be read: "/sys", or "/sys/class"; NULL: it is here */
    bool has_uverbs_class; /* /sys/class/infiniband_verbs/abi_version exists: ib_uverbs is loaded */
    struct num netns_mode; /* nldev: 0 exclusive, 1 shared */
    int nldev_err;         /* why nldev didn't answer; 0: it did, or wasn't asked */
    int verbs_err; /* why libibverbs lists nothing: ENOSYS without ib_uverbs; 0: it does, or wasn't asked */
};

/* Families of distributions: package names and the location of settings depend on them. */
enum distribution {
    DISTRIBUTION_OTHER,
    DISTRIBUTION_DEBIAN,
    DISTRIBUTION_REDHAT,
    DISTRIBUTION_SUSE,
    DISTRIBUTION_ARCH,
    DISTRIBUTION_ALPINE,
};
/* By ID, else by the first known word of ID_LIKE. */
enum distribution system_distribution(const struct system *system);

/* libibverbs' provider for a driver. */
struct provider {
    const char *family, *name;
    unsigned least, most, since; /* the driver's ABIs that it supports (most 0: any); of rdma-core */
};
struct device;
const struct provider *device_provider(const struct device *device); /* NULL: it isn't known */
/* The name under which etc/libibverbs.d, or else usr/local's, lists it; NULL: it doesn't. */
const char *system_provider(const struct system *system, const struct device *device, bool local);
/* Is libibverbs known to leave the device out, for want of a provider, or of one that speaks the driver's ABI?
 * Needs NEED_NODES, NEED_BOARD and NEED_ENVIRONMENT or NEED_SYSTEM. */
bool system_hides(const struct system *system, const struct device *device);

/* Does roce run in a container, rootless or not? */
bool system_is_container(const struct system *system);
/* Is this the network namespace of the machine itself, as on a host and in a pod with hostNetwork? Outside of
 * containers it is, unless known otherwise. */
bool system_has_first_netns(const struct system *system);

enum { CAPABILITY_IPC_LOCK = 14 }; /* linux/capability.h */
bool system_has_capability(const struct system *system, int capability);

/* '-' and '_' are equivalent. xprtrdma and svcrdma count as loaded if rpcrdma is, which contains both in newer
 * kernels. */
bool system_has_module(const struct system *system, const char *name);
bool module_is(const char *a, const char *b); /* is it one module, however its dashes are written? */
const char *system_sysctl(const struct system *system, const char *name);   /* NULL: not read */
const char *system_variable(const struct system *system, const char *name); /* NULL: not set, or not known */
/* The setting a library uses: from the environment, else from its files. Skips conditional lines. */
struct setting system_setting(const struct system *system, enum library library, const char *name);

/* The daemons that start jobs and containers, which inherit their limits; and the one that moves interrupts. */

struct daemon {
    const char *program; /* "slurmd" */
    const char *unit;    /* systemd's: "slurmd.service" */
    uint64_t pid;
    struct num memlock_soft, memlock_hard; /* bytes; UINT64_MAX is unlimited; not known: it could not be read */
};

/* The known daemons: the program and its unit. Ends with program NULL. */
struct daemon_def {
    const char *program, *unit;
    enum daemon_role {
        DAEMON_CONTAINERS, /* starts them; containers have other ways to raise the limit as well */
        DAEMON_JOBS,
        DAEMON_INTERRUPTS, /* starts nothing */
    } role;
};
extern const struct daemon_def daemon_defs[];
/* Parses "slurmd 812 slurmd.service", a line of probe/daemons. False if the daemon isn't known. The texts are
 * static. */
bool daemon_parse(const char *line, size_t len, struct daemon *daemon);
enum daemon_role daemon_role(const struct daemon *daemon);
