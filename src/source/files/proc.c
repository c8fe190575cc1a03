/* SPDX-License-Identifier: MIT */
/* /proc and /etc: limits, capabilities, modules, sysctls, distribution, NFS over RDMA. */
#include "base/ini.h"
#include "source/files/files.h"
#include "source/files/forms.h"
#include "source/files/texts.h"

/* The rest of the line that begins with key, without leading blanks; NULL if there is no such line. */
static const char *line_value(struct reader *reader, const char *text, const char *key)
{
    size_t len = strlen(key);
    for (const char *line = text; line; line = strchr(line, '\n'), line = line ? line + 1 : NULL)
        if (strncmp(line, key, len) == 0) {
            line += len;
            line += strspn(line, " \t");
            return text_trim(arena_strndup(reader->arena, line, strcspn(line, "\n")));
        }
    return NULL;
}

/* "CmaFree:          940604 kB", "VmPin:	      64 kB": without its unit. */
static struct num amount_of(struct reader *reader, const char *text, const char *key)
{
    const char *line = text ? line_value(reader, text, key) : NULL;
    char *end = NULL;
    uint64_t value = line ? strtoull(line, &end, 10) : 0;
    return num_if(line && end != line, value);
}

static void read_distribution(struct reader *reader, struct system *system)
{
    const char *text = read_text(reader, FORM_OS_RELEASE, "etc/os-release");
    if (!text)
        text = read_text(reader, FORM_OS_RELEASE, "usr/lib/os-release");
    if (!text)
        return;
    system->os_id = ini_value(reader->arena, text, "ID");
    system->os_id_like = ini_value(reader->arena, text, "ID_LIKE");
    system->os_name = ini_value(reader->arena, text, "PRETTY_NAME");
}

/* "VmPin:\t      64 kB": what ib_umem_get() and others count in mm->pinned_vm. */
void read_process_memory(struct reader *reader, struct process *process)
{
    const char *limits = read_text(reader, FORM_LIMITS, "proc/%" PRIu64 "/limits", process->pid);
    const char *status = read_text(reader, FORM_STATUS, "proc/%" PRIu64 "/status", process->pid);
    struct num pinned = amount_of(reader, status, "VmPin:");
    struct num hard;
    take_limits(limits, &process->memlock, &hard);
    if (pinned.known && pinned.value < UINT64_MAX / 1024)
        process->pinned = num_of(pinned.value * 1024);
    process->capabilities = num_read(status ? line_value(reader, status, "CapEff:") : NULL, 16);
}

static void read_status(struct reader *reader, struct system *system)
{
    const char *text = read_text(reader, FORM_STATUS, "proc/self/status");
    if (!text)
        return;
    system->cap_effective = num_read(line_value(reader, text, "CapEff:"), 16);
    system->cpus_allowed = line_value(reader, text, "Cpus_allowed_list:");
}

static void read_modules(struct reader *reader, struct system *system)
{
    const char *text = read_text(reader, "{module} {rest}\n", "proc/modules");
    if (!text)
        return;
    system->modules_known = true;
    for (const char *line = text; *line; line = text_next_line(line)) {
        size_t len = strcspn(line, " \n");
        if (len)
            ARENA_PUSH(reader->arena, system->modules, system->nmodules)->name = arena_strndup(reader->arena,
                                                                                               line, len);
    }
    /* what is built into the kernel isn't in that list, but has a directory if it takes parameters */
    static const char *const built_in[] = { "ib_core", "ib_uverbs", "rdma_cm", "rdma_ucm", "ib_umad" };
    for (size_t i = 0; i < ARRAY_SIZE(built_in); i++) {
        char path[64];
        snprintf(path, sizeof(path), "sys/module/%s", built_in[i]);
        if (!system_has_module(system, built_in[i]) && read_has_directory(reader, path))
            ARENA_PUSH(reader->arena, system->modules, system->nmodules)->name = built_in[i];
    }
}

/* One module per line; "#" begins a comment. */
static void read_configured_modules(struct reader *reader, struct system *system)
{
    struct names names = read_list(reader, "etc/rdma/modules");
    for (size_t i = 0; i < names.count; i++) {
        if (!text_ends(names.items[i], ".conf"))
            continue;
        const char *file = arena_printf(reader->arena, "etc/rdma/modules/%s", names.items[i]);
        const char *text = read_text(reader, "{configured-module}\n", "%s", file);
        for (const char *line = text ? text : ""; *line; line = text_next_line(line)) {
            line += strspn(line, " \t");
            size_t len = strcspn(line, " \t\r\n#;");
            if (len == 0)
                continue;
            struct configured_module *module = ARENA_PUSH(reader->arena, system->configured_modules,
                                                          system->nconfigured_modules);
            module->name = arena_strndup(reader->arena, line, len);
            module->file = file;
        }
    }
}

static bool list_providers(struct reader *reader, const char *directory, size_t *count)
{
    struct system *system = &reader->host->system;
    struct names names = { 0 };
    if (root_list(reader->root, reader->arena, &names, "%s", directory) < 0)
        return false;
    for (size_t i = 0; i < names.count; i++) {
        const char *name = names.items[i];
        if (!text_ends(name, ".driver"))
            continue;
        /* Only a readable file counts; and what isn't read isn't recorded. */
        if (!read_text(reader, "driver {module}\n", "%s/%s", directory, name)) {
            system->provider_unread = true;
            continue;
        }
        *ARENA_PUSH(reader->arena, system->providers, *count) = arena_strndup(reader->arena, name,
                                                                              strlen(name) - strlen(".driver"));
    }
    return true;
}

void read_providers(struct reader *reader)
{
    struct system *system = &reader->host->system;
    system->providers_known = list_providers(reader, "etc/libibverbs.d", &system->nproviders);
    system->nall_providers = system->nproviders;
    list_providers(reader, "usr/local/etc/libibverbs.d", &system->nall_providers);
}

static void read_sysctl(struct reader *reader, struct system *system, const char *name)
{
    const char *value = read_text(reader, "{numbers}", "proc/sys/%s", name);
    if (!value)
        return;
    struct sysctl *sysctl = ARENA_PUSH(reader->arena, system->sysctls, system->nsysctls);
    *sysctl = (struct sysctl){ .name = arena_strdup(reader->arena, name), .value = value };
}

static bool carries_rdma(const struct host *host, const struct netdev *netdev)
{
    if (netdev->nibdevs || host_has_device_on(host, netdev->name))
        return true;
    for (size_t d = 0; d < host->ndevices; d++)
        for (size_t p = 0; p < host->devices[d].nports; p++)
            for (size_t g = 0; g < host->devices[d].ports[p].ngids; g++)
                if (text_is(host->devices[d].ports[p].gids[g].netdev, netdev->name))
                    return true;
    return false;
}

static void read_sysctls(struct reader *reader, struct system *system)
{
    static const char *const plain[] = { "net/ipv4/ip_local_port_range", "net/ipv4/ip_local_reserved_ports" };
    static const char *const of_netdev[] = { "arp_ignore", "arp_announce", "rp_filter", "accept_local" };
    char name[128];
    for (size_t i = 0; i < ARRAY_SIZE(plain); i++)
        read_sysctl(reader, system, plain[i]);
    for (size_t i = 0; i < ARRAY_SIZE(of_netdev); i++) {
        snprintf(name, sizeof(name), "net/ipv4/conf/all/%s", of_netdev[i]);
        read_sysctl(reader, system, name);
        for (size_t n = 0; n < reader->host->nnetdevs; n++) {
            const struct netdev *netdev = &reader->host->netdevs[n];
            if (!carries_rdma(reader->host, netdev))
                continue;
            snprintf(name, sizeof(name), "net/ipv4/conf/%s/%s", netdev->name, of_netdev[i]);
            read_sysctl(reader, system, name);
        }
    }
}

/* "server:/data /mnt nfs4 rw,proto=rdma,port=20049 0 0" */
static void read_mounts(struct reader *reader, struct nfs *nfs)
{
    const char *text = read_text(reader, FORM_MOUNTS, "proc/self/mounts");
    nfs->mounts_known = text != NULL;
    for (const char *line = text ? text : ""; *line; line = text_next_line(line)) {
        char from[256], on[256], type[32], options[1024];
        if (sscanf(line, "%255s %255s %31s %1023s", from, on, type, options) != 4 ||
            (strcmp(type, "nfs") != 0 && strcmp(type, "nfs4") != 0)) /* nfsd is a file system too */
            continue;
        const char *proto = nfs_proto_of(reader->arena, options);
        *ARENA_PUSH(reader->arena, nfs->mounts, nfs->nmounts) = (struct nfs_mount){
            .from = arena_strdup(reader->arena, from), .on = arena_strdup(reader->arena, on), .proto = proto
        };
        if (text_is(proto, "rdma") || text_is(proto, "rdma6"))
            *ARENA_PUSH(reader->arena, nfs->rdma_mounts,
                        nfs->nrdma_mounts) = arena_printf(reader->arena, "%s on %s", from, on);
    }
}

static void read_nfs_conf(struct reader *reader, struct nfs *nfs, const char *path)
{
    const char *text = read_text(reader, FORM_NFS_CONF, "%s", path);
    if (text)
        nfs_conf_parse(text, arena_strdup(reader->arena, path), reader->arena, nfs);
}

static bool has_exports(const char *text)
{
    for (const char *line = text ? text : ""; *line; line = text_next_line(line))
        if (line[strspn(line, " \t")] == '/' || line[strspn(line, " \t")] == '"')
            return true;
    return false;
}

static void read_nfs(struct reader *reader, struct nfs *nfs)
{
    struct span span;
    char path[512];
    read_mounts(reader, nfs);
    int r = root_read(reader->root, &span, FORM_PORTLIST, "proc/fs/nfsd/portlist");
    if (r == 0)
        nfs->portlist = arena_strndup(reader->arena, span.data, strlen(span.data));
    nfs->portlist_err = -r;
    read_nfs_conf(reader, nfs, "etc/nfs.conf");
    struct names names = read_list(reader, "etc/nfs.conf.d");
    for (size_t i = 0; i < names.count; i++) {
        snprintf(path, sizeof(path), "etc/nfs.conf.d/%s", names.items[i]);
        read_nfs_conf(reader, nfs, path);
    }
    nfs_conf_done(reader->arena, nfs);
    nfs->exports = has_exports(read_text(reader, FORM_EXPORTS, "etc/exports"));
    names = read_list(reader, "etc/exports.d");
    for (size_t i = 0; i < names.count && !nfs->exports; i++)
        nfs->exports = has_exports(read_text(reader, FORM_EXPORTS, "etc/exports.d/%s", names.items[i]));
}

void read_hostname(struct reader *reader)
{
    reader->host->hostname = read_text(reader, "{hostname}", "proc/sys/kernel/hostname");
}

/* "350735.47 234388.90": seconds since boot, and idle seconds of CPUs. */
static void read_uptime(struct reader *reader, struct system *system)
{
    const char *text = read_text(reader, "{decimal} {decimal}", "proc/uptime");
    char *end = NULL;
    unsigned long long seconds = text ? strtoull(text, &end, 10) : 0;
    enum { HOUR = 3600 };
    if (text && end != text)
        system->uptime_h = num_of(seconds / HOUR);
}

void read_system(struct reader *reader)
{
    struct system *system = &reader->host->system;
    system->kernel = read_text(reader, "{release}", "proc/sys/kernel/osrelease");
    system->cmdline = read_text(reader, "{parameters}", "proc/cmdline");
    read_distribution(reader, system);
    read_limits(reader);
    read_status(reader, system);
    read_uptime(reader, system);
    read_modules(reader, system);
    read_configured_modules(reader, system);
    read_sysctls(reader, system);
    read_nfs(reader, &system->nfs);
    system->lldpad = read_text(reader, "{number}", "run/lldpad.pid") != NULL;
    read_probes(reader);
}

/* Interrupt vectors of RDMA devices' PCI functions, and the CPUs that serve them; CPUs of NUMA nodes. */

/* A NIC has one vector per CPU and port: this many are enough to show where they go. */
enum { MOST_VECTORS = 64, MOST_NODES = 1024 };

/* effective_affinity_list is where it goes (Linux 4.15); smp_affinity_list is where it may go. */
static const char *read_cpus(struct reader *reader, const char *irq)
{
    const char *cpus = read_text(reader, "{numbers}", "proc/irq/%s/effective_affinity_list", irq);
    return cpus && *cpus ? cpus : read_text(reader, "{numbers}", "proc/irq/%s/smp_affinity_list", irq);
}

static void read_vectors(struct reader *reader, struct pci *pci)
{
    struct names names = { 0 };
    int r = root_list(reader->root, reader->arena, &names, "sys/bus/pci/devices/%s/msi_irqs", pci->address);
    pci->vectors_err = -r;
    if (r < 0)
        return;
    pci->nirqs = names.count;
    for (size_t i = 0; i < names.count && i < MOST_VECTORS; i++) {
        if (reader->source->thorough) /* so that a recording has the names */
            read_text(reader, "{msi|msix}", "sys/bus/pci/devices/%s/msi_irqs/%s", pci->address, names.items[i]);
        *ARENA_PUSH(reader->arena, pci->vectors,
                    pci->nvectors) = (struct vector){ .irq = names.items[i],
                                                      .cpus = read_cpus(reader, names.items[i]) };
    }
}

void read_irqs(struct reader *reader)
{
    struct host *host = reader->host;
    for (size_t i = 0; i < host->ndevices; i++) {
        struct pci *pci = host_find_pci(host, host->devices[i].pci);
        if (!pci || pci->vectors_asked)
            continue;
        pci->vectors_asked = true;
        read_vectors(reader, pci);
    }
}

/* A node without memory of its own can't hold a buffer. */
static bool has_memory(struct reader *reader, unsigned long node)
{
    const char *nodes = read_text(reader, "{numbers}", "sys/devices/system/node/has_memory");
    unsigned long first, last;
    while (nodes && cpus_next(&nodes, &first, &last))
        if (first <= node && node <= last)
            return true;
    return false;
}

void read_numa(struct reader *reader)
{
    struct system *system = &reader->host->system;
    const char *online = read_text(reader, "{numbers}", "sys/devices/system/node/online");
    unsigned long first, last;
    while (online && cpus_next(&online, &first, &last))
        for (unsigned long node = first; node <= last && node < MOST_NODES; node++) {
            const char *cpus = read_text(reader, "{numbers}", "sys/devices/system/node/node%lu/cpulist", node);
            if (cpus && *cpus && has_memory(reader, node))
                *ARENA_PUSH(reader->arena, system->nodes,
                            system->nnodes) = (struct numa_node){ .number = (unsigned)node, .cpus = cpus };
        }
}

/* How much memory may be locked: by this process, and by what the daemons for jobs and containers start. */

static struct num limit_of(const char *word)
{
    uint64_t value;
    char *end = NULL;
    if (text_starts(word, "unlimited"))
        return num_of(UINT64_MAX);
    value = strtoull(word, &end, 10);
    return end == word ? (struct num){ 0 } : num_of(value);
}

/* "Max locked memory         8388608              8388608              bytes     " (fs/proc/base.c) */
void take_limits(const char *text, struct num *soft, struct num *hard)
{
    static const char key[] = "Max locked memory";
    const char *line = text ? strstr(text, key) : NULL;
    if (!line)
        return;
    line += strlen(key);
    line += strspn(line, " \t");
    *soft = limit_of(line);
    line += strcspn(line, " \t\n");
    line += strspn(line, " \t");
    *hard = limit_of(line);
}

/* The process in a control group that runs that program; 0 if none. */
static uint64_t find_process(struct reader *reader, const char *processes, const char *program)
{
    enum { MOST = 4096 }; /* there is also a shim per container */
    uint64_t found = 0;
    const char *at = processes;
    for (int i = 0; i < MOST && *at && !found; i++, at = text_next_line(at)) {
        char path[64];
        struct bytes comm = { 0 };
        uint64_t pid = strtoull(at, NULL, 10);
        snprintf(path, sizeof(path), "proc/%" PRIu64 "/comm", pid);
        if (root_peek_file(reader->root, path, &comm) == 0 && strcspn(comm.data, "\n") == strlen(program) &&
            text_starts(comm.data, program))
            found = pid;
        bytes_free(&comm);
    }
    return found;
}

static int fetch_daemons(void *data, struct bytes *answer)
{
    /* cgroup version 2, version 1, both */
    static const char *const hierarchies[] = { "sys/fs/cgroup", "sys/fs/cgroup/systemd",
                                               "sys/fs/cgroup/unified" };
    struct reader *reader = data;
    bytes_append(answer, "", 0);
    for (const struct daemon_def *def = daemon_defs; def->program; def++) {
        uint64_t pid = 0;
        for (size_t i = 0; i < ARRAY_SIZE(hierarchies) && !pid; i++) {
            char path[128];
            struct bytes processes = { 0 };
            snprintf(path, sizeof(path), "%s/system.slice/%s/cgroup.procs", hierarchies[i], def->unit);
            if (root_peek_file(reader->root, path, &processes) == 0)
                pid = find_process(reader, processes.data, def->program);
            bytes_free(&processes);
        }
        if (pid)
            bytes_printf(answer, "%s %" PRIu64 " %s\n", def->program, pid, def->unit);
    }
    return 0;
}

static void read_daemons(struct reader *reader, struct system *system)
{
    struct span span;
    if (root_fetch(reader->root, &span, "{daemon}\n", "probe/daemons", fetch_daemons, reader) < 0)
        return;
    system->daemons_known = true;
    const char *text = arena_strndup(reader->arena, span.data, span.len); /* the next read overwrites it */
    for (const char *line = text; *line; line = text_next_line(line)) {
        struct daemon daemon;
        if (!daemon_parse(line, strcspn(line, "\n"), &daemon))
            continue;
        if (daemon_role(&daemon) != DAEMON_INTERRUPTS)
            take_limits(read_text(reader, FORM_LIMITS, "proc/%" PRIu64 "/limits", daemon.pid),
                        &daemon.memlock_soft, &daemon.memlock_hard);
        *ARENA_PUSH(reader->arena, system->daemons, system->ndaemons) = daemon;
    }
}

void read_limits(struct reader *reader)
{
    struct system *system = &reader->host->system;
    take_limits(read_text(reader, FORM_LIMITS, "proc/self/limits"), &system->memlock_soft,
                &system->memlock_hard);
    read_daemons(reader, system);
    const char *meminfo = read_text(reader, FORM_MEMINFO, "proc/meminfo");
    system->cma_total = amount_of(reader, meminfo, "CmaTotal:");
    system->cma_free = amount_of(reader, meminfo, "CmaFree:");
}
