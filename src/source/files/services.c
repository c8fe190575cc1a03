/* SPDX-License-Identifier: MIT */
/* Kernel services that use RDMA, by what each shows below /proc and /sys. */
#include "model/services.h"
#include "model/resources.h"
#include "source/files/forms.h"
#include "source/files/texts.h"
#include "source/reader.h"

#define CONFIGFS "sys/kernel/config"

static struct service *add_service(struct reader *reader, struct services *services, enum service_kind kind)
{
    struct service *service = ARENA_PUSH(reader->arena, services->items, services->count);
    service->kind = kind;
    return service;
}

static bool is_listed(const struct services *services, unsigned port)
{
    for (size_t i = 0; i < services->count; i++)
        if (services->items[i].kind == SERVICE_NFS_SERVER && num_is(services->items[i].port, port))
            return true;
    return false;
}

/* One listener per line, "rdma 20049"; and the number of threads. */
static void read_nfs_server(struct reader *reader, struct services *services)
{
    const char *ports = read_text(reader, FORM_PORTLIST, "proc/fs/nfsd/portlist");
    for (const char *line = ports ? ports : ""; *line; line = text_next_line(line)) {
        unsigned port;
        if (sscanf(line, "rdma %u", &port) != 1 || is_listed(services, port)) /* one per IP version */
            continue;
        const char *threads = read_text(reader, "{number}", "proc/fs/nfsd/threads");
        struct service *service = add_service(reader, services, SERVICE_NFS_SERVER);
        service->listens = true;
        service->port = num_of(port);
        service->note = threads ? arena_printf(reader->arena, "%s threads", threads) : NULL;
    }
}

/* drivers/nvme/host/sysfs.c: transport "rdma", address "traddr=10.0.0.1,trsvcid=4420,src_addr=10.0.0.2". */
static void read_nvme_hosts(struct reader *reader, struct services *services)
{
    struct names names = read_list(reader, "sys/class/nvme");
    for (size_t i = 0; i < names.count; i++) {
        if (!text_is(read_text(reader, FORM_TRANSPORT, "sys/class/nvme/%s/transport", names.items[i]), "rdma"))
            continue;
        const char *address = read_text(reader, "{nvme-address}", "sys/class/nvme/%s/address", names.items[i]);
        size_t len = address ? strlen(address) : 0;
        struct service *service = add_service(reader, services, SERVICE_NVME_HOST);
        service->handle = names.items[i];
        service->name = read_text(reader, "{qualified}", "sys/class/nvme/%s/subsysnqn", names.items[i]);
        service->state = read_text(reader, "{new|live|resetting|connecting|deleting|deleting (no IO)|dead}",
                                   "sys/class/nvme/%s/state", names.items[i]);
        service->peer = mount_option(reader->arena, address, len, "traddr=");
        service->port = num_read(mount_option(reader->arena, address, len, "trsvcid="), 10);
        service->local = mount_option(reader->arena, address, len, "src_addr=");
    }
}

static const char *joined(struct reader *reader, const struct names *names)
{
    const char *text = NULL;
    for (size_t i = 0; i < names->count; i++)
        text = text ? arena_printf(reader->arena, "%s, %s", text, names->items[i]) : names->items[i];
    return text;
}

/* drivers/nvme/target/configfs.c */
static void read_nvme_targets(struct reader *reader, struct services *services)
{
    struct names names = read_list(reader, CONFIGFS "/nvmet/ports");
    for (size_t i = 0; i < names.count; i++) {
        const char *port = names.items[i];
        if (!text_is(read_text(reader, FORM_TRANSPORT, CONFIGFS "/nvmet/ports/%s/addr_trtype", port), "rdma"))
            continue;
        struct names subsystems = read_list(reader, CONFIGFS "/nvmet/ports/%s/subsystems", port);
        if (!subsystems.count) /* it listens once it has one: nvmet_port_subsys_allow_link() */
            continue;
        struct service *service = add_service(reader, services, SERVICE_NVME_TARGET);
        service->handle = arena_printf(reader->arena, "port %s", port);
        service->name = joined(reader, &subsystems);
        service->listens = true;
        service->local = read_text(reader, "{host}", CONFIGFS "/nvmet/ports/%s/addr_traddr", port);
        service->port = num_read(read_text(reader, "{number}", CONFIGFS "/nvmet/ports/%s/addr_trsvcid", port),
                                 10);
    }
}

/* sys/class/iscsi_session/session3 -> …/host7/session3/iscsi_session/session3 */
static const char *scsi_host_of(struct reader *reader, const char *session)
{
    struct span span;
    if (root_link(reader->root, &span, "sys/class/iscsi_session/%s", session) < 0)
        return NULL;
    const char *host = strstr(span.data, "/host");
    return host ? arena_strndup(reader->arena, host + 1, strcspn(host + 1, "/")) : NULL;
}

/* drivers/scsi/scsi_transport_iscsi.c; proc_name is "iscsi_iser" (drivers/infiniband/ulp/iser/iscsi_iser.c). */
static void read_iser_initiators(struct reader *reader, struct services *services)
{
    struct names names = read_list(reader, "sys/class/iscsi_session");
    for (size_t i = 0; i < names.count; i++) {
        const char *session = names.items[i], *host = scsi_host_of(reader, session);
        unsigned number;
        if (!host ||
            !text_is(read_text(reader, "{module}", "sys/class/scsi_host/%s/proc_name", host), "iscsi_iser") ||
            sscanf(session, "session%u", &number) != 1)
            continue;
        struct service *service = add_service(reader, services, SERVICE_ISER_INITIATOR);
        service->handle = session;
        service->name = read_text(reader, "{qualified}", "sys/class/iscsi_session/%s/targetname", session);
        service->state = read_text(reader, "{LOGGED_IN|FAILED|FREE}", "sys/class/iscsi_session/%s/state",
                                   session);
        service->peer = read_text(reader, "{host}",
                                  "sys/class/iscsi_connection/connection%u:0/persistent_address", number);
        service->port = num_read(
            read_text(reader, "{number}", "sys/class/iscsi_connection/connection%u:0/persistent_port", number),
            10);
    }
}

/* A portal is a directory named by its address and port: "10.0.0.1:3260", "[fd00::1]:3260". */
static void read_portal(struct reader *reader, struct services *services, const char *target, const char *group,
                        const char *portal)
{
    const char *colon = strrchr(portal, ':');
    if (!colon || !text_is(read_text(reader, "{number}", CONFIGFS "/target/iscsi/%s/%s/np/%s/iser", target,
                                     group, portal),
                           "1"))
        return;
    bool brackets = *portal == '[' && colon > portal + 2;
    struct service *service = add_service(reader, services, SERVICE_ISER_TARGET);
    service->name = target;
    service->handle = group;
    service->listens = true;
    service->local = arena_strndup(reader->arena, portal + brackets,
                                   (size_t)(colon - portal) - 2 * (size_t)brackets);
    service->port = num_read(colon + 1, 10);
}

/* drivers/target/iscsi/iscsi_target_configfs.c */
static void read_iser_targets(struct reader *reader, struct services *services)
{
    struct names targets = read_list(reader, CONFIGFS "/target/iscsi");
    for (size_t t = 0; t < targets.count; t++) {
        if (!text_starts(targets.items[t], "iqn.") && !text_starts(targets.items[t], "eui.") &&
            !text_starts(targets.items[t], "naa."))
            continue;
        struct names groups = read_list(reader, CONFIGFS "/target/iscsi/%s", targets.items[t]);
        for (size_t g = 0; g < groups.count; g++) {
            if (!text_starts(groups.items[g], "tpgt_"))
                continue;
            struct names portals = read_list(reader, CONFIGFS "/target/iscsi/%s/%s/np", targets.items[t],
                                             groups.items[g]);
            for (size_t p = 0; p < portals.count; p++)
                read_portal(reader, services, targets.items[t], groups.items[g], portals.items[p]);
        }
    }
}

/* drivers/infiniband/ulp/srp/ib_srp.c: the driver itself says which device and port it uses. */
static void read_srp_initiators(struct reader *reader, struct services *services)
{
    struct names names = read_list(reader, "sys/class/scsi_host");
    for (size_t i = 0; i < names.count; i++) {
        const char *host = names.items[i];
        const char *device = read_text(reader, "{name}", "sys/class/scsi_host/%s/local_ib_device", host);
        if (!device)
            continue;
        struct service *service = add_service(reader, services, SERVICE_SRP_INITIATOR);
        service->handle = host;
        service->name = read_text(reader, "{qualified}", "sys/class/scsi_host/%s/id_ext", host);
        service->state = read_text(reader,
                                   "{created|running|cancel|deleted|recovery|cancel/recovery|deleted/recovery}",
                                   "sys/class/scsi_host/%s/state", host);
        service->peer = read_text(reader, "{gid}", "sys/class/scsi_host/%s/orig_dgid", host);
        service->local = read_text(reader, "{gid}", "sys/class/scsi_host/%s/sgid", host);
        service->device = device;
        service->device_port = read_num(reader, 10, "sys/class/scsi_host/%s/local_ib_port", host);
        service->pkey = read_num(reader, 0, "sys/class/scsi_host/%s/pkey", host);
    }
}

static bool is_last(const struct services *services, const char *nid)
{
    const struct service *last = services->count ? &services->items[services->count - 1] : NULL;
    return last && last->kind == SERVICE_LUSTRE && strcmp(last->name, nid) == 0;
}

/* "10.0.0.1@o2ib up -1 12 8 0 512 512 508": one line per network interface and CPU partition that it uses
 * (proc_lnet_nis, lnet/lnet/lnet_debugfs.c). */
static void read_lustre(struct reader *reader, struct services *services)
{
    /* only root can read debugfs: without the module nothing there is missed */
    if (!read_has_directory(reader, "sys/module/lnet") &&
        !root_exists(reader->root, "sys/kernel/debug/lnet/nis"))
        return;
    const char *text = read_text(reader, FORM_LNET, "sys/kernel/debug/lnet/nis");
    for (const char *line = text ? text : ""; *line; line = text_next_line(line)) {
        char nid[128], state[16];
        if (sscanf(line, "%127s %15s", nid, state) != 2 || is_last(services, nid))
            continue;
        char *at = strstr(nid, "@o2ib");
        if (!at)
            continue;
        struct service *service = add_service(reader, services, SERVICE_LUSTRE);
        service->name = arena_strdup(reader->arena, nid);
        service->state = arena_strdup(reader->arena, state);
        *at = '\0';
        service->local = arena_strdup(reader->arena, nid);
    }
}

static void read_mounts(struct reader *reader, struct services *services)
{
    const char *stats = read_text(reader, FORM_MOUNTSTATS, "proc/self/mountstats");
    const char *mounts = read_text(reader, FORM_MOUNTS, "proc/self/mounts");
    struct nfs *nfs = &reader->host->system.nfs;
    for (size_t i = 0; stats && i < nfs->nmounts; i++)
        nfs->mounts[i].transport = mountstats_transport(stats, &nfs->mounts[i], reader->arena);
    if (stats)
        mountstats_parse(stats, mounts, reader->arena, &services->items, &services->count);
    mounts_parse_9p(mounts, reader->arena, &services->items, &services->count);
}

/* "ip:10.0.0.1" and "gid:fe80:…" (sockaddr_to_str() of drivers/infiniband/ulp/rtrs/rtrs.c) without what is
 * before the address. */
static const char *rtrs_address(struct reader *reader, const char *path, const char *name)
{
    const char *text = read_text(reader, FORM_RTRS_ADDRESS, "%s/%s", path, name);
    const char *colon = text ? strchr(text, ':') : NULL;
    return colon ? colon + 1 : NULL;
}

/* RNBD's transport, a service for each path of a session: Documentation/ABI/testing/sysfs-class-rtrs-client and
 * -server. A server's "source" is its client (rtrs_srv_src_addr_show() of rtrs-srv-sysfs.c), and it has no
 * state. */
static void read_rtrs(struct reader *reader, struct services *services, enum service_kind kind)
{
    bool client = kind == SERVICE_RNBD_CLIENT;
    const char *class = client ? "sys/class/rtrs-client" : "sys/class/rtrs-server";
    struct names sessions = read_list(reader, "%s", class);
    for (size_t i = 0; i < sessions.count; i++) {
        struct names paths = read_list(reader, "%s/%s/paths", class, sessions.items[i]);
        for (size_t k = 0; k < paths.count; k++) {
            const char *path = arena_printf(reader->arena, "%s/%s/paths/%s", class, sessions.items[i],
                                            paths.items[k]);
            struct service *service = add_service(reader, services, kind);
            service->name = sessions.items[i];
            service->state = read_text(reader, "{connected|disconnected}", "%s/state", path);
            service->local = rtrs_address(reader, path, client ? "src_addr" : "dst_addr");
            service->peer = rtrs_address(reader, path, client ? "dst_addr" : "src_addr");
            service->device = read_text(reader, "{name}", "%s/hca_name", path);
            service->device_port = read_num(reader, 10, "%s/hca_port", path);
        }
    }
}

/* "   Connections: TCP: 1 (10.0.1.7:8003); RDMA: 4 (10.0.0.7:8003); ": how many, and the first that isn't busy.
 */
static void add_beegfs(struct reader *reader, struct services *services, const char *node, const char *of,
                       const char *line)
{
    unsigned count;
    char peer[64] = "";
    const char *rdma = strstr(line, "RDMA: ");
    if (!rdma || rdma > line + strcspn(line, "\n") || sscanf(rdma, "RDMA: %u (%63[^ )]", &count, peer) < 1)
        return;
    char *port = strrchr(peer, ':');
    struct service *service = add_service(reader, services, SERVICE_BEEGFS_CLIENT);
    service->name = node;
    service->handle = of;
    service->note = arena_printf(reader->arena, "%u connections", count);
    if (!port)
        return;
    *port = '\0';
    service->peer = arena_strdup(reader->arena, peer);
    service->port = num_read(port + 1, 10);
}

/* The servers to which a mount is connected by RDMA, each a name and a line of connections:
 * __ProcFsHelper_printNodeConns() of BeeGFS' client_module/source/filesystem/ProcFsHelper.c. */
static void read_beegfs(struct reader *reader, struct services *services)
{
    static const char *const kinds[] = { "meta", "storage" };
    struct names mounts = read_list(reader, "proc/fs/beegfs");
    for (size_t i = 0; i < mounts.count * ARRAY_SIZE(kinds); i++) {
        const char *of = kinds[i % ARRAY_SIZE(kinds)], *node = NULL;
        const char *text = read_text(reader, FORM_BEEGFS, "proc/fs/beegfs/%s/%s_nodes",
                                     mounts.items[i / ARRAY_SIZE(kinds)], of);
        for (const char *line = text ? text : ""; *line; line = text_next_line(line)) {
            if (!isspace((unsigned char)*line))
                node = arena_strndup(reader->arena, line, strcspn(line, " \n"));
            else if (node)
                add_beegfs(reader, services, node, of, line);
        }
    }
}

const char *cgroup_longest(struct arena *arena, const char *text)
{
    const char *best = NULL;
    size_t most = 0;
    for (const char *line = text ? text : ""; *line; line = text_next_line(line)) {
        const char *path = strchr(line, ':');
        path = path ? strchr(path + 1, ':') : NULL;
        size_t len = path ? strcspn(path + 1, "\n") : 0;
        if (len > most) {
            best = path + 1;
            most = len;
        }
    }
    return best ? arena_strndup(arena, best, most) : NULL;
}

static void read_processes(struct reader *reader, struct services *services)
{
    const struct resources *resources = reader->host->resources;
    services->nprocesses = resources ? resources->nprocesses : 0;
    services->processes = resources ? resources->processes : NULL;
    for (size_t i = 0; i < services->nprocesses; i++) {
        struct process *process = &services->processes[i];
        const char *text = read_text(reader, "{cgroup}", "proc/%" PRIu64 "/cgroup", process->pid);
        process->cgroup = cgroup_longest(reader->arena, text);
        if (reader->needs & NEED_SYSTEM)
            read_process_memory(reader, process);
    }
}

void read_services(struct reader *reader)
{
    struct services *services = arena_alloc(reader->arena, 1, sizeof(*services));
    read_mounts(reader, services);
    read_nfs_server(reader, services);
    read_nvme_hosts(reader, services);
    read_nvme_targets(reader, services);
    read_iser_initiators(reader, services);
    read_iser_targets(reader, services);
    read_srp_initiators(reader, services);
    read_lustre(reader, services);
    read_rtrs(reader, services, SERVICE_RNBD_CLIENT);
    read_rtrs(reader, services, SERVICE_RNBD_SERVER);
    read_beegfs(reader, services);
    const char *smb = read_text(reader, "{smb}\n", "proc/fs/cifs/DebugData");
    if (smb)
        smb_parse(smb, reader->arena, &services->items, &services->count);
    read_processes(reader, services);
    read_wishes(reader, services);
    reader->host->system.services = services;
}
