/* SPDX-License-Identifier: MIT */
/* What RDMA depends on: subnet manager, partitions, NFS over RDMA. */
#include "check/judge.h"

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
