/* SPDX-License-Identifier: MIT */
/* Variables of RDMA libraries in the own environment: what they pin must fit this machine. */
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "check/consumer.h"
#include "check/judge.h"

static const char *gid_complaint(const struct port *port, uint32_t index)
{
    const struct gid *gid = port_gid(port, index);
    if (!gid)
        return "is an empty slot";
    if (gid->type == GID_TYPE_IB_ROCE_V1)
        return "is RoCE v1";
    if (!gid_is_routable(gid->raw))
        return "is link-local";
    return NULL;
}

static enum verdict judge_pinned(const struct subject *s, struct judgement *j, const char *name,
                                 enum consumer consumer)
{
    const struct system *system = &s->host->system;
    const char *value = system_variable(system, name);
    uint32_t index;
    size_t looked = 0;
    if (!s->host->system.environment_known)
        return judge_unknown(j, "the environment is not known");
    if (!value)
        return judge_na(j, "%s is not set", name);
    if (!consumer_pin(consumer, system, &index))
        return judge_na(j, "%s=%s pins no index", name, value);
    judge_fix(j, "unset %s (roce gids --for %s says which GID it would choose)", name,
              consumer_name(consumer));
    for (const struct port *port = NULL; (port = host_next_port(s->host, port));) {
        if (!port_is_roce(port) || !port_is_active(port) || !consumer_takes_port(consumer, system, port))
            continue;
        looked++;
        const char *complaint = gid_complaint(port, index);
        if (complaint)
            return judge_fail(j, "%s=%s: GID %" PRIu32 " of %s/%u %s", name, value, index, port->device->name,
                              port->number, complaint);
    }
    return looked ? judge_pass(j, "%s=%s fits all %zu ports", name, value, looked)
                  : judge_na(j, "%s=%s: no ACTIVE RoCE port", name, value);
}

static enum verdict judge_nccl_index(const struct subject *s, struct judgement *j)
{
    return judge_pinned(s, j, "NCCL_IB_GID_INDEX", CONSUMER_NCCL);
}

static enum verdict judge_ucx_index(const struct subject *s, struct judgement *j)
{
    return judge_pinned(s, j, "UCX_IB_GID_INDEX", CONSUMER_UCX);
}

static enum verdict judge_nccl_hca(const struct subject *s, struct judgement *j)
{
    const char *list = system_variable(&s->host->system, "NCCL_IB_HCA");
    bool used = false;
    if (!s->host->system.environment_known)
        return judge_unknown(j, "the environment is not known");
    if (!list || !*list)
        return judge_na(j, "NCCL_IB_HCA is not set");
    for (const struct port *port = NULL; (port = host_next_port(s->host, port));)
        used |= consumer_takes_port(CONSUMER_NCCL, &s->host->system, port);
    return used ? judge_pass(j, "NCCL_IB_HCA=%s names a device that is here", list)
                : judge_warn(j, "NCCL_IB_HCA=%s leaves none of this machine's devices", list);
}

static bool is_true(const char *value)
{
    return value && *value && strcmp(value, "0") != 0 && strcmp(value, "n") != 0;
}

static enum verdict judge_disabled(const struct subject *s, struct judgement *j)
{
    if (!s->host->system.environment_known)
        return judge_unknown(j, "the environment is not known");
    if (!s->host->ndevices)
        return judge_na(j, "no RDMA device");
    if (is_true(system_variable(&s->host->system, "NCCL_IB_DISABLE"))) {
        judge_fix(j, "unset NCCL_IB_DISABLE");
        return judge_warn(j, "NCCL_IB_DISABLE=%s", system_variable(&s->host->system, "NCCL_IB_DISABLE"));
    }
    const char *tls = system_variable(&s->host->system, "UCX_TLS");
    static const char *const rdma[] = { "rc",   "rc_v", "rc_x", "rc_mlx5", "rc_verbs", "ud", "ud_v",
                                        "ud_x", "dc",   "dc_x", "dc_mlx5", "ib",       "all" };
    bool offered = !tls || !*tls || *tls == '^';
    for (size_t i = 0; tls && i < ARRAY_SIZE(rdma); i++)
        offered |= text_in_list(tls, rdma[i]);
    if (offered)
        return judge_pass(j, "neither NCCL_IB_DISABLE nor UCX_TLS switches RDMA off");
    judge_fix(j, "unset UCX_TLS, or add rc to it");
    return judge_warn(j, "UCX_TLS=%s names no RDMA transport", tls);
}

#define ENVIRONMENT (NEED_ENVIRONMENT | NEED_GIDS | NEED_STATE)

const struct check checks_environment[] = {
    { .id = "nccl-gid-index",
      .topic = "environment",
      .healthy = "NCCL_IB_GID_INDEX, where set, is a routable RoCE v2 GID on every device",
      .why = "NCCL takes the index as it is, on all devices: an empty, link-local or v1 slot gives \"ibv_modify_qp failed with error Connection timed out\" or completion error 12.",
      .fix = "unset NCCL_IB_GID_INDEX (NCCL 2.21 and newer choose well)",
      .fires_on = "fault-environment",
      .scope = SCOPE_HOST,
      .needs = ENVIRONMENT,
      .fits_container = true,
      .judge = judge_nccl_index },
    { .id = "ucx-gid-index",
      .topic = "environment",
      .healthy = "UCX_IB_GID_INDEX, where set, is a routable RoCE v2 GID on every device",
      .why = "UCX takes the index as it is, on all devices.",
      .fix = "unset UCX_IB_GID_INDEX",
      .fires_on = "fault-environment",
      .scope = SCOPE_HOST,
      .needs = ENVIRONMENT,
      .fits_container = true,
      .judge = judge_ucx_index },
    { .id = "nccl-ib-hca",
      .topic = "environment",
      .healthy = "NCCL_IB_HCA, where set, names devices of this machine",
      .why = "With none left NCCL silently uses sockets: \"NET/IB : No device found\".",
      .fix = "name devices that roce devices lists, or unset NCCL_IB_HCA",
      .fires_on = "fault-gid",
      .scope = SCOPE_HOST,
      .needs = ENVIRONMENT,
      .fits_container = true,
      .judge = judge_nccl_hca },
    { .id = "rdma-switched-off",
      .topic = "environment",
      .healthy = "no variable switches RDMA off",
      .why = "NCCL_IB_DISABLE or a UCX_TLS without an RDMA transport sends all traffic over TCP.",
      .fix = "unset the variable",
      .fires_on = "fault-environment",
      .scope = SCOPE_HOST,
      .needs = ENVIRONMENT,
      .fits_container = true,
      .judge = judge_disabled },
    { 0 },
};
