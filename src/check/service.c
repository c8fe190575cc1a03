/* SPDX-License-Identifier: MIT */
/* What checks of services share: their addresses, ports, names and modules. */
#include "check/judge.h"

#include <arpa/inet.h>

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

const char *user_text(const struct user *user, struct arena *arena)
{
    if (user->service)
        return service_text(user->service, arena);
    if (user->pid.known)
        return arena_printf(arena, "%s (pid %" PRIu64 ")", user->name ? user->name : "a process",
                            user->pid.value);
    return user->name ? arena_printf(arena, "%s (module %s)", user->kind, user->name) : user->kind;
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
