/* SPDX-License-Identifier: MIT */
/* What a job on this host would do by its library's own rules: the GID it picks, and the priority of its
 * packets. Judged if the environment or a file shows that the library is used. */
#include "check/judge.h"

#include "consumer/consumer.h"

static const struct {
    enum consumer consumer;
    const char *name;     /* the library's */
    const char *tos, *sl; /* its variables */
    const char *newer;    /* of what it connects through DevX: its newer releases look at the port's class */
} libraries[] = {
    { CONSUMER_NCCL, "NCCL", "NCCL_GIN_IB_TC", "NCCL_IB_SL",
      "NCCL after 2.30 gives GPUs' queue pairs (NCCL_GIN_TYPE=3) the port's traffic_class" },
    { CONSUMER_NCCL, "NCCL", "NCCL_IB_TC", "NCCL_IB_SL", NULL },
    { CONSUMER_RCCL, "RCCL", "NCCL_IB_TC", "NCCL_IB_SL", NULL },
    { CONSUMER_UCX, "UCX", "UCX_IB_TRAFFIC_CLASS", "UCX_IB_SL",
      "UCX since 1.21 takes the port's traffic_class" },
};
enum { GPU_DRIVEN, GDAKI = 3 };

/* Judges each library used here, and keeps the worst verdict. */
typedef enum verdict judge_library(const struct subject *s, struct judgement *j, size_t library);
static enum verdict judge_each(const struct subject *s, struct judgement *j, judge_library *judge)
{
    enum verdict worst = VERDICT_NA;
    if (!s->system->environment_known)
        return judge_unknown(j, "the environment is not known");
    judge_na(j, "neither the environment nor a file tells NCCL, RCCL or UCX anything");
    for (size_t i = 0; i < ARRAY_SIZE(libraries); i++) {
        struct judgement own = { .arena = j->arena, .subject = s };
        if (!consumer_is_configured(libraries[i].consumer, s->system) ||
            !consumer_takes_port(libraries[i].consumer, s->system, s->port))
            continue;
        enum verdict verdict = judge(s, &own, i);
        if (worst == VERDICT_NA || verdict > worst) {
            worst = verdict;
            *j = own;
        }
    }
    return worst;
}

/* Where to put a line so that the library finds it. */
static const char *where_set(enum consumer consumer)
{
    return consumer == CONSUMER_UCX    ? "/etc/ucx/ucx.conf"
           : consumer == CONSUMER_RCCL ? "/etc/rccl.conf"
                                       : "/etc/nccl.conf";
}

static void fix_choice(struct judgement *j, enum consumer consumer, const struct choice *told)
{
    const char *where = where_set(consumer);
    if (told->pinned)
        judge_advice(j, "export %s=%" PRIu32 ", or the same as a line of %s", told->why, told->index, where);
    else if (gid_is_v4_mapped(told->gid->raw))
        judge_advice(
            j, "export NCCL_IB_ADDR_FAMILY=AF_INET NCCL_IB_ADDR_RANGE=, or lines of %s (roce gids --for %s)",
            where, consumer_name(consumer));
    else
        judge_advice(j, "export NCCL_IB_ADDR_FAMILY=AF_INET6, or the same as a line of %s", where);
}

/* Will a job use this port? It will if a list names it or nothing better is here; otherwise the choice depends
 * on the topology, and a bad port may lie idle. */
static bool is_meant(const struct subject *s, enum consumer consumer)
{
    const char *list = consumer == CONSUMER_UCX ? "UCX_NET_DEVICES" : "NCCL_IB_HCA";
    const char *value = consumer_setting(consumer, s->system, list).value;
    if (value && *value && *value != '^' && strcmp(value, "all") != 0)
        return true;
    for (const struct port *port = NULL; (port = host_next_port(s->host, port));) {
        struct choice choice = consumer_choose(consumer, s->host, port);
        if (port_is_active(port) && !choice.unused && !choice.flaw)
            return false;
    }
    return true;
}

static enum verdict judge_choice_of(const struct subject *s, struct judgement *j, size_t library)
{
    enum consumer consumer = libraries[library].consumer;
    const char *name = libraries[library].name;
    struct choice choice = consumer_choose(consumer, s->host, s->port);
    if (choice.pinned)
        return judge_na(j, "%s is pinned: see %s-gid-index", name, consumer == CONSUMER_UCX ? "ucx" : "nccl");
    if (choice.unused)
        return judge_na(j, "%s: %s", name, choice.why);
    if (choice.unknown)
        return judge_unknown(j, "%s: %s", name, choice.why);
    if (!choice.flaw)
        return judge_pass(j, "%s takes GID %" PRIu32 ": %s", name, choice.index, choice.why);
    if (!is_meant(s, consumer))
        return judge_na(j, "%s: %s; it has other ports, and no list names this one", name, choice.flaw);
    if (!port_is_roce(s->port) || port_has_roce_off(s->port)) {
        judge_advice(j, "leave the device out: NCCL_IB_HCA=^={device}");
        return judge_warn(j, "%s", choice.flaw);
    }
    struct choice told = consumer_best(consumer, s->host, s->port);
    if (told.flaw || !told.gid)
        return judge_na(j, "%s: %s; no other GID is better, see gid-routable", name, choice.flaw);
    fix_choice(j, consumer, &told);
    return judge_warn(j, "%s takes GID %" PRIu32 " (%s), though GID %" PRIu32 " is good: %s", name,
                      choice.index, choice.why, told.index, choice.flaw);
}

JUDGE(consumer_choice)
{
    bool asked = port_is_active(s->port) && port_carries_traffic(s) &&
                 (s->port->transport == TRANSPORT_ROCE || s->port->transport == TRANSPORT_IWARP);
    if (!asked)
        return judge_na(j, "not an ACTIVE port of RoCE or iWARP");
    return judge_each(s, j, judge_choice_of);
}

/* The lowest DSCP mapped to a priority with PFC, or the usual 26 if that one is; -1 if none is. */
static int lossless_dscp(const struct qos *qos)
{
    static const int usual = 26;
    for (int i = -1; i < DSCPS; i++) {
        bool mapped;
        int dscp = i < 0 ? usual : i;
        unsigned priority = qos_dscp_priority(qos, (unsigned)dscp, &mapped);
        if (mapped && qos->dcb.pfc_enabled >> priority & 1)
            return dscp;
    }
    return -1;
}

enum { ECT_0 = 2 };

static void fix_traffic(struct judgement *j, const struct qos *qos, size_t library, const struct qos_path *path)
{
    int dscp = lossless_dscp(qos);
    const char *where = where_set(libraries[library].consumer);
    if (path->trust == TRUST_PCP)
        judge_advice(j, "export %s=%d, or the same as a line of %s", libraries[library].sl,
                     __builtin_ctz(qos->dcb.pfc_enabled), where);
    else if (dscp >= 0)
        judge_advice(j, "export %s=%d (DSCP %d), or the same as a line of %s", libraries[library].tos,
                     dscp << 2 | ECT_0, dscp, where);
}

/* mlx5's kernel driver gives the port's class to the queue pairs that it connects. UCX, unless told otherwise,
 * and NCCL's GPUs connect theirs through DevX, with the class that they are told
 * (github.com/openucx/ucx/pull/11108, github.com/NVIDIA/nccl/issues/2383). */
static bool is_overridden(const struct subject *s, size_t library)
{
    const char *devx = system_setting(s->system, LIBRARY_UCX, "UCX_IB_MLX5_DEVX").value;
    return s->port->traffic_class.known &&
           (!libraries[library].newer || (library != GPU_DRIVEN && devx && strchr("nN0", *devx)));
}

/* If the netdev trusts the PCP, it decides for tagged frames, and it is the queue pair's service level. */
static enum verdict judge_traffic_of(const struct subject *s, struct judgement *j, size_t library)
{
    struct setting gin = system_setting(s->system, LIBRARY_NCCL, "NCCL_GIN_IB_TC");
    if (library == GPU_DRIVEN &&
        (nccl_number(system_setting(s->system, LIBRARY_NCCL, "NCCL_GIN_TYPE").value, -1) != GDAKI ||
         !text_starts(device_family(s->device), "mlx5")))
        return judge_na(j, "NCCL isn't told that GPUs drive its queue pairs");
    if (is_overridden(s, library))
        return judge_na(j, "the port's traffic_class overrides it: see traffic-class-priority");
    enum verdict verdict = no_pfc(s, j);
    if (verdict != VERDICTS)
        return verdict;
    struct traffic traffic = consumer_traffic(libraries[library].consumer, s->system);
    if (library == GPU_DRIVEN && gin.value)
        traffic.tos = (unsigned)nccl_number(gin.value, 0) & 0xff, traffic.tos_by = gin;
    bool tagged = vlans_of(s).count, by_sl = tagged && qos_trust(s->qos) == TRUST_PCP;
    struct qos_path path = by_sl ? qos_follow_sl(s->qos, traffic.tos, traffic.sl)
                                 : qos_follow(s->qos, traffic.tos, NULL);
    const struct setting *by = by_sl ? &traffic.sl_by : &traffic.tos_by;
    const char *variable = by_sl ? libraries[library].sl : libraries[library].tos;
    const char *said = by->value ? setting_text(j, by)
                                 : arena_printf(j->arena, "%s is not set: %u", variable,
                                                by_sl ? traffic.sl : traffic.tos);
    const char *evidence = arena_printf(j->arena, "%s: %s, priority %u; PFC is on priority %s",
                                        libraries[library].name, said, path.priority,
                                        qos_priorities_text(j->arena, s->qos->dcb.pfc_enabled));
    if (path.pfc)
        return judge_pass(j, "%s", evidence);
    if (path.loss == QOS_LOST_UNKNOWN)
        return judge_unknown(j, "%s; trust isn't known", evidence);
    if (path.trust == TRUST_PCP && !tagged)
        return judge_na(j, "frames have no tag, and the netdev trusts PCP: see trust-untagged");
    fix_traffic(j, s->qos, library, &path);
    if (s->port->traffic_class.known && (library == GPU_DRIVEN || !by->value))
        return judge_info(j, "%s; %s", evidence, libraries[library].newer);
    return judge_warn(j, "%s", evidence);
}

JUDGE(job_traffic_class)
{
    if (!port_is_active(s->port) || !port_does_roce(s))
        return judge_na(j, "not an ACTIVE RoCE port");
    if (!port_first_routable(s->port))
        return judge_na(j, "no GID to send from: see gid-routable");
    return judge_each(s, j, judge_traffic_of);
}
