/* SPDX-License-Identifier: MIT */
/* What RDMA depends on, and what depends on it: subnet manager, partitions, NFS over RDMA, SMC-R. */
#include <arpa/inet.h>

#include "check/judge.h"
#include "model/services.h"

bool gid_of_scoped(const char *text, uint8_t raw[static 16])
{
    char plain[INET6_ADDRSTRLEN];
    size_t len = text ? strcspn(text, "%") : 0;
    snprintf(plain, sizeof(plain), "%.*s", (int)len, text ? text : "");
    return len < sizeof(plain) && gid_of_text(plain, raw);
}

const struct port *port_with_gid(const struct host *host, const uint8_t raw[static 16])
{
    for (const struct port *port = NULL; (port = host_next_port(host, port));)
        if (port_next_gid(port, raw, NULL))
            return port;
    return NULL;
}

const struct port *service_port(const struct host *host, const struct service *service)
{
    uint8_t raw[16];
    const struct device *device = service->device ? host_find_device(host, service->device) : NULL;
    const struct port *port = NULL;
    if (device && service->device_port.known)
        port = device_port(device, (uint32_t)service->device_port.value);
    if (!port && device && device->nports == 1)
        port = device->ports;
    if (!port)
        port = egress_of_own(host, service->local);
    if (!port && gid_of_scoped(service->local, raw))
        port = port_with_gid(host, raw);
    return port ? port : egress_towards(host, service->peer);
}

const char *service_text(const struct service *service, struct arena *arena)
{
    const char *kind = service_kind_name(service->kind);
    if (service->handle && service->name)
        return arena_printf(arena, "%s %s (%s)", kind, service->handle, service->name);
    if (service->handle || service->name)
        return arena_printf(arena, "%s %s", kind, service->handle ? service->handle : service->name);
    return kind;
}

/* The module a service needs, and whether the kernel asks for it only through an alias, which a blacklist line
 * stops: nvmf_create_ctrl() asks for nvme-rdma, iscsi_target_configfs.c for ib_isert by name;
 * nvmet_enable_port() for nvmet-transport-1, svc_xprt_create() for svcrdma, xprt_load_transport() for xprtrdma
 * up to 5.10, since then for rpcrdma. open-iscsi's transport_load_kmod() honours the blacklist. */
static const struct {
    enum service_kind kind;
    const char *module;
    bool by_alias;
} modules[] = {
    { SERVICE_NFS_CLIENT, "rpcrdma", false },    { SERVICE_NFS_SERVER, "rpcrdma", true },
    { SERVICE_NVME_HOST, "nvme_rdma", false },   { SERVICE_NVME_TARGET, "nvmet_rdma", true },
    { SERVICE_ISER_INITIATOR, "ib_iser", true }, { SERVICE_ISER_TARGET, "ib_isert", false },
};

const struct blocked_module *module_kept_out(const struct system *system, enum service_kind kind)
{
    for (size_t i = 0; i < ARRAY_SIZE(modules); i++) {
        const struct blocked_module *line = modules[i].kind == kind
                                                ? services_blocked(system->services, modules[i].module)
                                                : NULL;
        if (line &&
            (line->absent ? !system_has_module(system, line->name) : line->always || modules[i].by_alias))
            return line;
    }
    return NULL;
}

JUDGE(subnet_manager)
{
    if (s->port->transport != TRANSPORT_INFINIBAND || !port_carries_traffic(s))
        return judge_na(j, "not an InfiniBand port");
    if (num_is(s->port->state, PORT_STATE_DOWN))
        return judge_na(j, "the port is down: see port-active");
    if (!s->port->sm_lid.known)
        return judge_unknown(j, "%s could not be read", port_path(j, s->port, "sm_lid"));
    fix_package(j, s->system, "opensm", "opensm", "opensm");
    static const char then[] =
        "then systemctl enable --now opensm; on one host of the fabric, unless a switch has one";
    j->fix.remark = j->fix.command ? then : arena_printf(j->arena, "%s # %s", j->fix.remark, then);
    return judge_as(j, s->port->sm_lid.value ? VERDICT_PASS : VERDICT_FAIL, "%s: 0x%" PRIx64 ", state: %s",
                    port_path(j, s->port, "sm_lid"), s->port->sm_lid.value,
                    s->port->state_text ? s->port->state_text : "?");
}

enum { FULL_MEMBER = 0x8000, PARTITION = 0x7fff };

JUDGE(pkey_full_member)
{
    if (s->port->transport != TRANSPORT_INFINIBAND || !port_carries_traffic(s))
        return judge_na(j, "not an InfiniBand port");
    if (!s->port->pkey_table_len.known)
        return judge_unknown(j, "%s could not be read", port_path(j, s->port, "pkeys"));
    for (size_t i = 0; i < s->port->npkeys; i++)
        if (s->port->pkeys[i].value & FULL_MEMBER)
            return judge_pass(j, "%s/%u: 0x%04x", port_path(j, s->port, "pkeys"), s->port->pkeys[i].index,
                              s->port->pkeys[i].value);
    if (!s->port->npkeys)
        return judge_fail(j, "%s: the table is empty", port_path(j, s->port, "pkeys"));
    return judge_warn(j, "%s/%u: 0x%04x; no entry has bit 15", port_path(j, s->port, "pkeys"),
                      s->port->pkeys[0].index, s->port->pkeys[0].value);
}

JUDGE(ipoib_pkey)
{
    if (s->netdev->kind != NETDEV_IPOIB)
        return judge_na(j, "not an IPoIB netdev");
    if (!s->netdev->ipoib_pkey.known)
        return judge_unknown(j, "/sys/class/net/%s/pkey could not be read", s->netdev->name);
    const struct port *port = egress_of_ipoib(s->host, s->netdev);
    if (!port || !port->pkey_table_len.known)
        return judge_unknown(j, "the port of %s, or its P_Key table, is not known", s->netdev->name);
    for (size_t i = 0; i < port->npkeys; i++)
        if ((port->pkeys[i].value & PARTITION) == (s->netdev->ipoib_pkey.value & PARTITION))
            return judge_pass(j, "/sys/class/net/%s/pkey: 0x%04" PRIx64 ", in slot %u of %s", s->netdev->name,
                              s->netdev->ipoib_pkey.value, port->pkeys[i].index, port_path(j, port, "pkeys"));
    return judge_fail(j, "/sys/class/net/%s/pkey: 0x%04" PRIx64 ", which is not in %s", s->netdev->name,
                      s->netdev->ipoib_pkey.value, port_path(j, port, "pkeys"));
}

/* One side of NFS needs rpcrdma, or the module that it was before. asks: what asks for it. */
static enum verdict judge_rpcrdma(const struct system *system, struct judgement *j, enum service_kind kind,
                                  const char *older, const char *asks)
{
    if (!system->modules_known)
        return judge_unknown(j, "/proc/modules could not be read");
    if (system_has_module(system, older))
        return judge_pass(j, "%s, and rpcrdma is loaded", asks);
    if (module_kept_out(system, kind))
        return judge_na(j, "rpcrdma can't be loaded: see service-module");
    fix_module(j, system, "rpcrdma");
    if (kind == SERVICE_NFS_CLIENT)
        asks = arena_printf(j->arena, "/proc/self/mounts: %s with proto=rdma", asks);
    return judge_fail(j, "%s, but /proc/modules has neither rpcrdma nor %s", asks, older);
}

JUDGE(nfs_rdma_client)
{
    const struct nfs *nfs = &s->system->nfs;
    if (!nfs->mounts_known)
        return judge_unknown(j, "/proc/self/mounts could not be read");
    if (!nfs->nrdma_mounts)
        return judge_na(j, "nothing is mounted with proto=rdma");
    return judge_rpcrdma(s->system, j, SERVICE_NFS_CLIENT, "xprtrdma", nfs->rdma_mounts[0]);
}

JUDGE(nfs_rdma_server)
{
    const struct nfs *nfs = &s->system->nfs;
    if (!nfs->configured)
        return judge_na(j, "no /etc/nfs.conf asks the server for RDMA");
    return judge_rpcrdma(s->system, j, SERVICE_NFS_SERVER, "svcrdma",
                         arena_printf(j->arena, "/%s asks for RDMA", nfs->configured_in));
}

/* Does the server listen on this port over RDMA ("rdma 20049", one listener per line)? Port 0: on any. */
static bool nfs_listens(const struct nfs *nfs, unsigned wanted)
{
    for (const char *line = nfs->portlist; *line; line = text_next_line(line)) {
        unsigned port;
        if (sscanf(line, "rdma %u", &port) == 1 && (!wanted || port == wanted))
            return true;
    }
    return false;
}

static void fix_listener(const struct nfs *nfs, struct judgement *j)
{
    if (nfs->nrdma_ports)
        judge_command(j,
                      "modprobe rpcrdma && echo 'rdma %u' >/proc/fs/nfsd/portlist # at once; a restart of "
                      "nfs-server does it too, and interrupts its clients",
                      nfs->rdma_ports[0]);
}

/* It listens: on a port that the files want? Any one of several will do, as which file takes precedence depends
 * on nfs-utils' version. */
static enum verdict judge_nfs_port(const struct nfs *nfs, struct judgement *j)
{
    for (size_t i = 0; i < nfs->nrdma_ports; i++)
        if (nfs_listens(nfs, nfs->rdma_ports[i]))
            return judge_pass(j, "/proc/fs/nfsd/portlist: rdma %u, as /%s wants", nfs->rdma_ports[i],
                              nfs->configured_in);
    if (!nfs->nrdma_ports || nfs->named_port)
        return judge_pass(j, "/proc/fs/nfsd/portlist has an rdma listener");
    fix_listener(nfs, j);
    return judge_warn(j,
                      "/%s asks for RDMA on port %u; /proc/fs/nfsd/portlist has rdma listeners on others only",
                      nfs->configured_in, nfs->rdma_ports[0]);
}

JUDGE(nfs_rdma_listener)
{
    const struct nfs *nfs = &s->system->nfs;
    if (!nfs->configured)
        return judge_na(j, "no /etc/nfs.conf asks the server for RDMA");
    if (!nfs->portlist) {
        if (nfs->portlist_err == EACCES || nfs->portlist_err == EPERM)
            return judge_unknown(j, "/proc/fs/nfsd/portlist: %s", judge_errno(j, nfs->portlist_err));
        return judge_warn(j, "/%s asks for RDMA, but no NFS server runs (no /proc/fs/nfsd/portlist)",
                          nfs->configured_in);
    }
    if (nfs_listens(nfs, 0))
        return judge_nfs_port(nfs, j);
    if (!system_has_module(s->system, "svcrdma") && module_kept_out(s->system, SERVICE_NFS_SERVER))
        return judge_na(j, "rpcrdma can't be loaded: see service-module");
    fix_listener(nfs, j);
    return judge_fail(j, "/%s asks for RDMA, but /proc/fs/nfsd/portlist has no rdma listener",
                      nfs->configured_in);
}

/* SMC_CLC_DECL_* (net/smc/smc_clc.h) that are nobody's mistake: a peer without SMC, a connection over IPsec, an
 * option that SMC doesn't support. */
enum { PEER_HAS_NONE = 0x03010000, IPSEC = 0x03020000, OPTION = 0x03060000 };

/* The reason that counts: if the peer declined, its own. */
static uint64_t cause_of(const struct service *service)
{
    bool peers = smc_reason_is_peers((uint32_t)service->reason_code.value) && service->peer_reason_code.known &&
                 service->peer_reason_code.value;
    return peers ? service->peer_reason_code.value : service->reason_code.value;
}

static bool is_excused(const struct service *service)
{
    uint64_t cause = cause_of(service);
    return cause == PEER_HAS_NONE || cause == IPSEC || cause == OPTION;
}

static const char *peers_text(const struct service *service, struct arena *arena)
{
    if (!service->sockets.known)
        return arena_printf(arena, "%" PRIu64 " since smc was loaded, of now only the module smc_diag tells",
                            service->fallbacks.value);
    return arena_printf(arena, "%" PRIu64 " connection%s%s%s", service->sockets.value,
                        service->sockets.value == 1 ? "" : "s", service->peer ? ", one with " : "",
                        service->peer ? service->peer : "");
}

JUDGE(smc_fallback)
{
    const struct services *services = s->system->services;
    const struct service *worst = NULL;
    size_t others = 0;
    if (!services)
        return judge_unknown(j, "services were not read");
    if (!services->smc)
        return judge_na(j, "the module smc isn't loaded");
    for (size_t i = 0; i < services->count; i++) {
        const struct service *service = &services->items[i];
        if (service->kind != SERVICE_SMC || !service->reason || num_is(service->sockets, 0))
            continue;
        others += worst != NULL;
        bool weightier = worst && is_excused(worst) && !is_excused(service);
        worst = !worst || weightier ? service : worst;
    }
    if (!worst)
        return judge_pass(j, "no SMC connection uses TCP now");
    bool fault = !is_excused(worst) && worst->sockets.known;
    return judge_as(
        j, fault ? VERDICT_WARN : VERDICT_INFO, "SMC by TCP: %s (%s)%s", worst->reason,
        peers_text(worst, j->arena),
        others ? arena_printf(j->arena, "; %zu more reason%s: roce users SMC-R", others, others == 1 ? "" : "s")
               : "");
}
