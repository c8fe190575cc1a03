/* SPDX-License-Identifier: MIT */
/* /proc and /etc: limits, capabilities, modules, sysctls, distribution, NFS over RDMA. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/services.h"
#include "source/files/nfs_conf.h"
#include "source/files/probe.h"
#include "source/reader.h"

/* The rest of the line that begins with key, blanks before it cut; NULL: no such line. */
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

static const char *unquote(struct reader *reader, const char *value)
{
    size_t len = value ? strlen(value) : 0;
    if (len >= 2 && (value[0] == '"' || value[0] == '\'') && value[len - 1] == value[0])
        return arena_strndup(reader->arena, value + 1, len - 2);
    return value;
}

static void read_distribution(struct reader *reader, struct system *system)
{
    const char *text = read_text(reader, "etc/os-release");
    if (!text)
        text = read_text(reader, "usr/lib/os-release");
    if (!text)
        return;
    system->os_id = unquote(reader, line_value(reader, text, "ID="));
    system->os_id_like = unquote(reader, line_value(reader, text, "ID_LIKE="));
    system->os_name = unquote(reader, line_value(reader, text, "PRETTY_NAME="));
}

/* "VmPin:\t      64 kB": what ib_umem_get() and others have counted in mm->pinned_vm. */
void read_process_memory(struct reader *reader, struct process *process)
{
    uint64_t value;
    char *end = NULL;
    const char *limits = read_text(reader, "proc/%" PRIu64 "/limits", process->pid);
    const char *status = read_text(reader, "proc/%" PRIu64 "/status", process->pid);
    const char *pinned = status ? line_value(reader, status, "VmPin:") : NULL;
    const char *capabilities = status ? line_value(reader, status, "CapEff:") : NULL;
    struct num hard;
    take_limits(limits, &process->memlock, &hard);
    if (pinned) {
        value = strtoull(pinned, &end, 10);
        if (end != pinned && value < UINT64_MAX / 1024)
            process->pinned = num_of(value * 1024);
    }
    if (capabilities && text_to_u64(capabilities, 16, &value) == 0)
        process->capabilities = num_of(value);
}

static void read_status(struct reader *reader, struct system *system)
{
    const char *text = read_text(reader, "proc/self/status");
    if (!text)
        return;
    uint64_t value;
    const char *caps = line_value(reader, text, "CapEff:");
    if (caps && text_to_u64(caps, 16, &value) == 0)
        system->cap_effective = num_of(value);
    const char *uids = line_value(reader, text, "Uid:");
    if (uids) { /* real, effective, saved, file system */
        const char *effective = uids + strcspn(uids, "\t ");
        char *end = NULL;
        value = strtoull(effective, &end, 10);
        if (end != effective)
            system->uid = num_of(value);
    }
    system->cpus_allowed = line_value(reader, text, "Cpus_allowed_list:");
}

static void read_modules(struct reader *reader, struct system *system)
{
    const char *text = read_text(reader, "proc/modules");
    if (!text)
        return;
    system->modules_known = true;
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        size_t len = strcspn(line, " \n");
        if (len)
            ARENA_PUSH(reader->arena, system->modules, system->nmodules)->name = arena_strndup(reader->arena,
                                                                                               line, len);
    }
    /* what is built into the kernel isn't in that list, but has a directory when it takes parameters */
    static const char *const built_in[] = { "ib_core", "ib_uverbs", "rdma_cm", "rdma_ucm", "ib_umad" };
    for (size_t i = 0; i < ARRAY_SIZE(built_in); i++) {
        char path[64];
        snprintf(path, sizeof(path), "sys/module/%s", built_in[i]);
        if (!system_has_module(system, built_in[i]) && read_has_directory(reader, path))
            ARENA_PUSH(reader->arena, system->modules, system->nmodules)->name = built_in[i];
    }
}

/* A module a line, "#" begins a comment. */
static void read_configured_modules(struct reader *reader, struct system *system)
{
    struct names names = read_list(reader, "etc/rdma/modules");
    for (size_t i = 0; i < names.count; i++) {
        if (!text_ends(names.items[i], ".conf"))
            continue;
        const char *file = arena_printf(reader->arena, "etc/rdma/modules/%s", names.items[i]);
        const char *text = read_text(reader, "%s", file);
        for (const char *line = text ? text : ""; *line; line += strcspn(line, "\n"), line += *line == '\n') {
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

static void read_providers(struct reader *reader, struct system *system)
{
    struct names names = { 0 };
    if (root_list(reader->root, reader->arena, &names, "etc/libibverbs.d") < 0)
        return;
    system->providers_known = true;
    for (size_t i = 0; i < names.count; i++) {
        const char *name = names.items[i];
        /* Only a file that can be read counts; and what isn't read is in no recording. */
        if (!text_ends(name, ".driver") || !read_text(reader, "etc/libibverbs.d/%s", name))
            continue;
        *ARENA_PUSH(reader->arena, system->providers, system->nproviders) = arena_strndup(
            reader->arena, name, strlen(name) - strlen(".driver"));
    }
}

static void read_sysctl(struct reader *reader, struct system *system, const char *name)
{
    const char *value = read_text(reader, "proc/sys/%s", name);
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

/* What "proto=" says among a mount's options; "rdma" by itself is an older form. NULL: nothing. */
static const char *mount_proto(struct reader *reader, const char *options)
{
    const char *proto = text_starts(options, "proto=") ? options : strstr(options, ",proto=");
    if (!proto)
        return text_in_list(options, "rdma") ? "rdma" : NULL;
    proto = strchr(proto, '=') + 1;
    return arena_strndup(reader->arena, proto, strcspn(proto, ","));
}

/* "server:/data /mnt nfs4 rw,proto=rdma,port=20049 0 0" */
static void read_mounts(struct reader *reader, struct nfs *nfs)
{
    const char *text = read_text(reader, "proc/self/mounts");
    nfs->mounts_known = text != NULL;
    for (const char *line = text ? text : ""; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        char from[256], on[256], type[32], options[1024];
        if (sscanf(line, "%255s %255s %31s %1023s", from, on, type, options) != 4 ||
            (strcmp(type, "nfs") != 0 && strcmp(type, "nfs4") != 0)) /* nfsd is a file system, too */
            continue;
        const char *proto = mount_proto(reader, options);
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
    const char *text = read_text(reader, "%s", path);
    if (text)
        nfs_conf_parse(text, arena_strdup(reader->arena, path), reader->arena, nfs);
}

static bool has_exports(const char *text)
{
    for (const char *line = text ? text : ""; *line; line += strcspn(line, "\n"), line += *line == '\n')
        if (line[strspn(line, " \t")] == '/' || line[strspn(line, " \t")] == '"')
            return true;
    return false;
}

static void read_nfs(struct reader *reader, struct nfs *nfs)
{
    struct span span;
    char path[512];
    read_mounts(reader, nfs);
    int r = root_read(reader->root, &span, "proc/fs/nfsd/portlist");
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
    nfs->exports = has_exports(read_text(reader, "etc/exports"));
    names = read_list(reader, "etc/exports.d");
    for (size_t i = 0; i < names.count && !nfs->exports; i++)
        nfs->exports = has_exports(read_text(reader, "etc/exports.d/%s", names.items[i]));
}

void read_hostname(struct reader *reader)
{
    reader->host->hostname = read_text(reader, "proc/sys/kernel/hostname");
}

/* "350735.47 234388.90": seconds since boot, and those of idle CPUs. */
static void read_uptime(struct reader *reader, struct system *system)
{
    const char *text = read_text(reader, "proc/uptime");
    char *end = NULL;
    unsigned long long seconds = text ? strtoull(text, &end, 10) : 0;
    enum { HOUR = 3600 };
    if (text && end != text)
        system->uptime_h = num_of(seconds / HOUR);
}

void read_system(struct reader *reader)
{
    struct system *system = &reader->host->system;
    system->kernel = read_text(reader, "proc/sys/kernel/osrelease");
    system->cmdline = read_text(reader, "proc/cmdline");
    read_distribution(reader, system);
    read_limits(reader);
    read_status(reader, system);
    read_uptime(reader, system);
    read_modules(reader, system);
    read_configured_modules(reader, system);
    read_providers(reader, system);
    read_sysctls(reader, system);
    read_nfs(reader, &system->nfs);
    system->lldpad = read_text(reader, "run/lldpad.pid") != NULL;
    read_probes(reader);
}
