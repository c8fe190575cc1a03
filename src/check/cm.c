/* SPDX-License-Identifier: MIT */
/* RDMA_CM's default RoCE version. */
#include "check/judge.h"

static bool has_v2(const struct port *port)
{
    for (size_t i = 0; i < port->ngids; i++)
        if (port->gids[i].type == GID_TYPE_ROCE_V2)
            return true;
    return false;
}

JUDGE(cm_roce_mode)
{
    if (!port_is_roce(s->port) || !port_carries_traffic(s) || !s->port->ngids)
        return judge_na(j, "not a RoCE port with GIDs");
    if (!s->port->cm_mode.known)
        return judge_unknown(j, "configfs rdma_cm/%s/ports/%u/default_roce_mode: %s", s->port->device->name,
                             s->port->number, s->port->cm_err ? judge_errno(j, s->port->cm_err) : "not read");
    const char *mode = gid_type_text((enum gid_type)s->port->cm_mode.value);
    const char *evidence = arena_printf(j->arena, "configfs rdma_cm/%s/ports/%u/default_roce_mode: %s",
                                        s->port->device->name, s->port->number, mode ? mode : "?");
    if (num_is(s->port->cm_mode, GID_TYPE_ROCE_V2) || !has_v2(s->port))
        return judge_pass(j, "%s", evidence);
    judge_command(j,
                  "roce mode set {device}/%u v2 # on server and client alike; it lasts until the module is "
                  "unloaded: repeat it at boot",
                  s->port->number);
    return judge_warn(j, "%s, although the port has RoCE v2 GIDs", evidence);
}

/* Each port whose mode isn't v2. */
static void fix_older(const struct host *host, struct judgement *j)
{
    const char *ports = "";
    for (const struct port *port = NULL; (port = host_next_port(host, port));)
        if (port_is_roce(port) && port->cm_mode.known && !num_is(port->cm_mode, GID_TYPE_ROCE_V2))
            ports = arena_printf(j->arena, "%s %s/%" PRIu32, ports, fix_name(j, port->device->name),
                                 port->number);
    judge_command(j, "for port in%s; do roce mode set $port v2; done", ports);
}

JUDGE(cm_roce_mode_equal)
{
    const struct port *first = NULL;
    for (const struct port *port = NULL; (port = host_next_port(s->host, port));) {
        if (!port_is_roce(port) || !port->cm_mode.known)
            continue;
        if (!first)
            first = port;
        else if (first->cm_mode.value != port->cm_mode.value &&
                 (judge_about(j, first->device) || judge_about(j, port->device))) {
            fix_older(s->host, j);
            return judge_warn(j, "default_roce_mode: %s/%u has %s, %s/%u has %s", first->device->name,
                              first->number, gid_type_text((enum gid_type)first->cm_mode.value),
                              port->device->name, port->number,
                              gid_type_text((enum gid_type)port->cm_mode.value));
        }
    }
    return first ? judge_pass(j, "default_roce_mode is the same on all ports")
                 : judge_na(j, "no port's default_roce_mode is known");
}

/* Who asks for RDMA_CM here: nobody else is harmed if part of it is missing. NCCL's queue pairs are connected
 * over TCP with plain verbs (NCCL 2.30, src/transport/net_ib; it doesn't call librdmacm). */

/* UCX_SOCKADDR_TLS_PRIORITY=rdmacm, OMPI_MCA_btl_openib_cpc_include=rdmacm; libfabric's verbs provider connects
 * through RDMA_CM (prov/verbs/src/verbs_cm.c), also when layered: "verbs;ofi_rxm"; and so does Open MPI's
 * openib on RoCE (opal/mca/btl/openib/connect of 4.1). "^verbs" excludes it. */
static bool value_asks(const char *name, const char *value)
{
    if (!value || *value == '^')
        return false;
    if (text_is(name, "FI_PROVIDER") || text_is(name, "I_MPI_OFI_PROVIDER"))
        return strstr(value, "verbs");
    return strstr(value, "rdmacm") || (text_is(name, "OMPI_MCA_btl") && text_in_list(value, "openib"));
}

static const char *variable_asking(const struct system *system)
{
    for (size_t i = 0; i < system->nenvironment; i++)
        if (value_asks(system->environment[i].name, system->environment[i].value))
            return system->environment[i].name;
    for (size_t i = 0; i < system->nsettings; i++)
        if (!system->settings[i].conditional && value_asks(system->settings[i].name, system->settings[i].value))
            return system->settings[i].name;
    return NULL;
}

static const char *process_asking(const struct host *host, struct arena *arena)
{
    for (size_t i = 0; host->resources && i < host->resources->nitems; i++) {
        const struct resource *item = &host->resources->items[i];
        if (item->type == RESOURCE_CM_ID && item->pid.known)
            return arena_printf(arena, "%s (pid %" PRIu32 ")", item->comm ? item->comm : "a process",
                                item->pid.value);
    }
    return NULL;
}

/* A file the administrator added: rdma-core's own files list every module there is. */
static const char *module_list_asking(const struct system *system, struct arena *arena)
{
    static const char *const stock[] = { "/rdma.conf", "/infiniband.conf", "/iwarp.conf", "/opa.conf",
                                         "/roce.conf" };
    for (size_t i = 0; i < system->nconfigured_modules && !system_is_container(system); i++) {
        const struct configured_module *module = &system->configured_modules[i];
        bool own = true;
        for (size_t k = 0; k < ARRAY_SIZE(stock); k++)
            own = own && !text_ends(module->file, stock[k]);
        if (own && (text_is(module->name, "rdma_cm") || text_is(module->name, "rdma_ucm")))
            return arena_printf(arena, "/%s", module->file);
    }
    return NULL;
}

const char *cm_asked_by(const struct host *host, struct arena *arena)
{
    const char *who = variable_asking(&host->system);
    if (!who)
        who = process_asking(host, arena);
    return who ? who : module_list_asking(&host->system, arena);
}

enum verdict judge_without_cm(struct judgement *j, const struct host *host, const char *what)
{
    const char *who = cm_asked_by(host, j->arena);
    if (who)
        return judge_fail(j, "%s; %s asks for RDMA_CM", what, who);
    if (!host->system.environment_known)
        return judge_unknown(j, "%s; whether anybody here asks for RDMA_CM isn't known", what);
    return judge_info(j, "%s; no variable, file or process here asks for RDMA_CM", what);
}
