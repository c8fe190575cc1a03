/* SPDX-License-Identifier: MIT */
/* Who uses RDMA, and what they have that is broken: queue pairs, connections, memory, P_Keys. */
#include "base/glyph.h"
#include "check/judge.h"
#include "check/use.h"
#include "consumer/consumer.h"
#include "trace/trace.h"

static bool is_users_queue(const struct resource *item)
{
    return item->type == RESOURCE_QP && resource_is_use(item);
}

static bool are_listed(const struct subject *s, enum resource_type type)
{
    return s->host->resources && resources_listed(s->host->resources, s->device->name, type);
}

static enum verdict not_listed(const struct subject *s, struct judgement *j, const char *what)
{
    return judge_unknown(j, "nldev did not list the %s of %s", what, s->device->name);
}

/* "train (pid 77)", or a service as service_text() names it. */
static const char *user_text(const struct user *user, struct arena *arena)
{
    if (user->service)
        return service_text(user->service, arena);
    if (user->pid.known)
        return arena_printf(arena, "%s (pid %" PRIu64 ")", user->name ? user->name : "a process",
                            user->pid.value);
    return user->name ? arena_printf(arena, "%s (module %s)", user->kind, user->name) : user->kind;
}

/* "17, 18, 19, 20, …" */
static const char *add_number(struct arena *arena, const char *list, size_t before, uint64_t number)
{
    enum { SHOWN = 4 };
    if (before > SHOWN)
        return list;
    if (before == SHOWN)
        return arena_printf(arena, "%s, %s", list, glyph(GLYPH_ELLIPSIS));
    return list ? arena_printf(arena, "%s, %" PRIu64, list, number) : arena_printf(arena, "%" PRIu64, number);
}

/* One user's queue pairs on a port that match a predicate. */
struct picked {
    const struct user *user;
    size_t count, of; /* how many match; and how many there are on this port */
    const char *numbers;
    const char *state; /* of the first */
};
typedef bool pick_fn(const struct resource *item, const void *data);

static bool any_queue(const struct subject *s, pick_fn *pick, const void *data)
{
    const struct resources *resources = s->host->resources;
    for (size_t i = 0; i < resources->nitems; i++)
        if (is_users_queue(&resources->items[i]) && resource_is_on(&resources->items[i], s->port) &&
            pick(&resources->items[i], data))
            return true;
    return false;
}

/* The user with the most of them; count 0 if nobody has one. others: how many more users reach least. */
static struct picked pick_most(const struct subject *s, pick_fn *pick, const void *data, size_t least,
                               struct arena *arena, size_t *others)
{
    struct picked most = { 0 };
    size_t nusers = 0, with = 0;
    /* finding users takes longer than looking whether there is anything to find */
    const struct user *users = any_queue(s, pick, data) ? users_find(s->host, &nusers) : NULL;
    for (size_t u = 0; u < nusers; u++) {
        struct picked one = { .user = &users[u] };
        for (size_t i = 0; i < users[u].nitems; i++) {
            const struct resource *item = users[u].items[i];
            if (!is_users_queue(item) || !resource_is_on(item, s->port))
                continue;
            one.of++;
            if (!pick(item, data))
                continue;
            one.state = one.count ? one.state : item->state;
            one.numbers = add_number(arena, one.numbers, one.count++, item->lqpn.value);
        }
        with += one.count >= least;
        if (one.count > most.count)
            most = one;
    }
    *others = with ? with - 1 : 0;
    return most;
}

static const char *others_text(size_t others, struct arena *arena)
{
    return others ? arena_printf(arena, "; %zu more user%s the like", others, others == 1 ? " has" : "s have")
                  : "";
}

/* "-v train" or "-v 77": how to see the rest. */
static void fix_of_user(const struct user *user, const char *advice, struct judgement *j)
{
    if (user->pid.known)
        judge_command(j, "roce users -v %" PRIu64 " # %s", user->pid.value, advice);
    else
        judge_command(j, "roce users -v '%s' # %s", user->kind, advice);
}

/* -- queue pairs in error ------------------------------------------------------------------------------- */

static bool is_broken(const struct resource *item, const void *data)
{
    (void)data;
    return text_is(item->state, "ERR") || text_is(item->state, "SQE");
}

/* Its send queue is being drained, to change the path or to stop: no fault, but nothing is sent meanwhile. */
static bool is_draining(const struct resource *item, const void *data)
{
    (void)data;
    return text_is(item->state, "SQD");
}

static enum verdict judge_draining(const struct subject *s, struct judgement *j)
{
    size_t others;
    struct picked most = pick_most(s, is_draining, NULL, 1, j->arena, &others);
    if (!most.user)
        return judge_pass(j, "no queue pair of %s/%" PRIu32 " is in ERR, SQE or SQD", s->device->name,
                          s->port->number);
    return judge_info(j, "%s: %zu of %zu queue pairs in SQD: nothing is sent from %s",
                      user_text(most.user, j->arena), most.count, most.of, most.numbers);
}

JUDGE(queue_pair_error)
{
    size_t others;
    if (!are_listed(s, RESOURCE_QP))
        return not_listed(s, j, "queue pairs");
    if (!any_queue(s, is_broken, NULL))
        return judge_draining(s, j);
    struct picked most = pick_most(s, is_broken, NULL, 1, j->arena, &others);
    if (!most.user)
        return judge_unknown(j, "the owner of the queue pair in error is unknown");
    fix_of_user(most.user, "its own log says what broke; it has to reconnect", j);
    return judge_warn(j, "%s: %zu of %zu queue pair%s in %s: %s%s", user_text(most.user, j->arena), most.count,
                      most.of, most.of == 1 ? "" : "s", most.state, most.numbers,
                      others_text(others, j->arena));
}

/* -- half-open connections ------------------------------------------------------------------------------ */

/* A ping-pong server waits with one queue pair in INIT, and a connection being set up passes through INIT and
 * RTR in a few round trips. Several of one user that stay there between two readings wait for a peer that is
 * gone: NCCL has one per channel, MPI one per rank; nvme_rdma connects one after the other. */
enum { HALF_OPEN_LEAST = 4, HALF_OPEN_MS = 500 };

struct earlier {
    const struct resource **items; /* sorted by number */
    size_t count;
};

/* Connected types only: a datagram queue pair has no peer, and an XRC target's stays in RTR. */
static bool is_between(const struct resource *item)
{
    return (text_is(item->kind, "RC") || text_is(item->kind, "UC")) &&
           (text_is(item->state, "INIT") || text_is(item->state, "RTR"));
}

static int compare_numbers(const void *a, const void *b)
{
    const struct resource *x = *(const struct resource *const *)a, *y = *(const struct resource *const *)b;
    return (x->lqpn.value > y->lqpn.value) - (x->lqpn.value < y->lqpn.value);
}

static struct earlier find_earlier(const struct subject *s, struct arena *arena)
{
    struct earlier earlier = { 0 };
    const struct resources *resources = s->before->resources;
    for (size_t i = 0; i < resources->nitems; i++) {
        const struct resource *item = &resources->items[i];
        if (is_users_queue(item) && is_between(item) && text_is(item->device, s->device->name))
            *ARENA_PUSH(arena, earlier.items, earlier.count) = item;
    }
    if (earlier.count)
        qsort(earlier.items, earlier.count, sizeof(*earlier.items), compare_numbers);
    return earlier;
}

static bool is_stuck(const struct resource *item, const void *data)
{
    const struct earlier *earlier = data;
    if (!is_between(item) || !earlier->count)
        return false;
    const struct resource **before = bsearch(&item, earlier->items, earlier->count, sizeof(*earlier->items),
                                             compare_numbers);
    return before && item->pid.known == (*before)->pid.known && item->pid.value == (*before)->pid.value &&
           text_is(item->state, (*before)->state);
}

JUDGE(queue_pairs_half_open)
{
    size_t others;
    if (!are_listed(s, RESOURCE_QP) || !s->before->resources)
        return not_listed(s, j, "queue pairs");
    if (s->interval_ms && s->interval_ms < HALF_OPEN_MS)
        return judge_unknown(j, "the readings are %" PRIu64 " ms apart: too short", s->interval_ms);
    struct earlier earlier = find_earlier(s, j->arena);
    struct picked most = pick_most(s, is_stuck, &earlier, HALF_OPEN_LEAST, j->arena, &others);
    if (most.count < HALF_OPEN_LEAST)
        return judge_pass(j, "%zu queue pair%s in INIT or RTR in both readings", most.count,
                          most.count == 1 ? " of a user is" : "s of a user are");
    fix_of_user(most.user,
                "its peer is gone, or can't reach this host (roce ping shows): end both, then restart them", j);
    return judge_warn(j, "%s: %zu of %zu queue pairs stay in %s: %s%s", user_text(most.user, j->arena),
                      most.count, most.of, most.state, most.numbers, others_text(others, j->arena));
}

/* -- ports ---------------------------------------------------------------------------------------------- */

static bool is_on_port(const struct user *user, const struct subject *s)
{
    for (size_t i = 0; i < user->nitems; i++)
        if (resource_is_on(user->items[i], s->port) && resource_is_use(user->items[i]))
            return true;
    return user->service && !user->nitems && service_port(s->host, user->service) == s->port;
}

JUDGE(user_port)
{
    const struct user *first = NULL;
    size_t count = 0, nusers;
    if (!s->port->state.known)
        return judge_unknown(j, "%s could not be read", port_path(j, s->port, "state"));
    if (port_is_active(s->port))
        return judge_pass(j, "the port is ACTIVE");
    if (!are_listed(s, RESOURCE_QP))
        return not_listed(s, j, "queue pairs");
    const struct user *users = users_find(s->host, &nusers);
    for (size_t i = 0; i < nusers; i++) {
        if (!is_on_port(&users[i], s))
            continue;
        first = first ? first : &users[i];
        count++;
    }
    if (!first)
        return judge_na(j, "the port isn't ACTIVE, and nobody holds anything of it");
    return judge_fail(j, "%s uses it%s, and the port is %s", user_text(first, j->arena),
                      count > 1 ? arena_printf(j->arena, " with %zu more", count - 1) : "",
                      s->port->state_text ? s->port->state_text : "not ACTIVE");
}

/* -- addresses ------------------------------------------------------------------------------------------ */

/* "10.0.0.1:7471", "[fd00::1]:7471", "fd00::1:7471" without its port. */
static const char *without_port(const char *text, struct arena *arena)
{
    const char *colon = strrchr(text, ':');
    size_t len = colon ? (size_t)(colon - text) : 0;
    bool brackets = *text == '[' && len > 2;
    return arena_strndup(arena, text + brackets, len - 2 * (size_t)brackets);
}

/* A local address that must be a GID: not "any", not loopback. target-address covers targets. */
static bool needs_gid(const struct resource *item, const char *address, uint8_t raw[static 16])
{
    bool target = !item->pid.known && text_is(item->state, "LISTEN") &&
                  (text_is(item->comm, "nvmet_rdma") || text_is(item->comm, "ib_isert"));
    return !target && gid_of_scoped(address, raw) && !gid_is_any(raw) && !gid_is_loopback(raw);
}

static bool device_has_gid(const struct device *device, const uint8_t raw[static 16])
{
    for (size_t p = 0; p < device->nports; p++)
        if (port_next_gid(&device->ports[p], raw, NULL))
            return true;
    return false;
}

static enum verdict address_is_gone(const struct subject *s, const struct resource *item, const char *address,
                                    struct judgement *j)
{
    bool listens = text_is(item->state, "LISTEN");
    const char *who = item->comm ? item->comm : "a process";
    if (item->pid.known)
        who = arena_printf(j->arena, "%s (pid %" PRIu32 ")", who, item->pid.value);
    /* a process chooses its own name, so it must not go into what is pasted into a shell */
    fix_address(s, j, "", arena_printf(j->arena, "%s/{PREFIX}", address),
                arena_printf(j->arena, "restart whatever %s, with an address that roce gids shows",
                             listens ? "listens" : "is connected"));
    return judge_fail(j, "%s %s %s, which is not in %s any more", who,
                      listens ? "listens on" : "is connected from", address, port_path(j, s->port, "gids"));
}

JUDGE(connection_address)
{
    size_t looked = 0;
    if (s->port->transport != TRANSPORT_ROCE || !port_carries_traffic(s))
        return judge_na(j, "not a RoCE port");
    if (!are_listed(s, RESOURCE_CM_ID))
        return not_listed(s, j, "CM ids");
    if (!s->port->gid_table_len.known && !s->port->ngids)
        return judge_unknown(j, "%s could not be read", port_path(j, s->port, "gids"));
    const struct resources *resources = s->host->resources;
    for (size_t i = 0; i < resources->nitems; i++) {
        const struct resource *item = &resources->items[i];
        uint8_t raw[16];
        if (item->type != RESOURCE_CM_ID || !item->source || !resource_is_on(item, s->port))
            continue;
        const char *address = without_port(item->source, j->arena);
        if (!needs_gid(item, address, raw))
            continue;
        looked++;
        if (!device_has_gid(s->device, raw))
            return address_is_gone(s, item, address, j);
    }
    return looked ? judge_pass(j, "%zu CM ids have an address with a GID", looked)
                  : judge_na(j, "no CM id has an address of its own");
}

/* -- memory --------------------------------------------------------------------------------------------- */

/* ib_umem_get() (drivers/infiniband/core/umem.c): what is pinned plus what is requested must not exceed the
 * limit, unless the process has CAP_IPC_LOCK. */
enum { FULL_PERCENT = 90, KIB = 1024 };

static bool may_lock_all(const struct process *process)
{
    return process->memlock.value == UINT64_MAX ||
           (process->capabilities.known && (process->capabilities.value >> CAPABILITY_IPC_LOCK & 1));
}

static enum verdict little_left(const struct process *process, struct judgement *j)
{
    const char *unit = cgroup_words(j->arena, process->cgroup).unit;
    unit = unit && text_is_shell_word(unit) ? unit : NULL;
    const char *name = process->comm ? process->comm : "a process";
    judge_command(j, "prlimit --pid %" PRIu64 " --memlock=unlimited:unlimited # at once; for every start: %s%s",
                  process->pid, unit ? "LimitMEMLOCK=infinity in " : "ulimit -l unlimited where it is started",
                  unit ? unit : "");
    return judge_warn(j,
                      "%s (pid %" PRIu64 ") has pinned %" PRIu64 " of %" PRIu64 " KiB (/proc/%" PRIu64
                      "/status VmPin, limits), without CAP_IPC_LOCK",
                      name, process->pid, process->pinned.value / KIB, process->memlock.value / KIB,
                      process->pid);
}

JUDGE(process_memlock)
{
    const struct services *services = s->system->services;
    const struct process *hidden = NULL;
    size_t looked = 0;
    if (!services || !resources_listed_anywhere(s->host, RESOURCE_QP))
        return judge_unknown(j, "nldev did not list who holds RDMA objects");
    for (size_t i = 0; i < services->nprocesses; i++) {
        const struct process *process = &services->processes[i];
        if (!process->memlock.known || !process->pinned.known || !process->capabilities.known) {
            hidden = process->comm ? process : hidden; /* without a name: it has exited meanwhile */
            continue;
        }
        looked++;
        if (may_lock_all(process) || process->pinned.value < process->memlock.value / 100 * FULL_PERCENT)
            continue;
        return little_left(process, j);
    }
    if (hidden)
        return judge_unknown(j, "/proc/%" PRIu64 "/limits or status of %s could not be read", hidden->pid,
                             hidden->comm);
    return looked ? judge_pass(j, "%zu process%s room", looked, looked == 1 ? " has" : "es have")
                  : judge_na(j, "no process holds RDMA objects");
}

/* -- P_Keys --------------------------------------------------------------------------------------------- */

enum { PARTITION = 0x7fff };

static bool has_partition(const struct port *port, uint64_t pkey)
{
    for (size_t i = 0; i < port->npkeys; i++)
        if ((port->pkeys[i].value & PARTITION) == (pkey & PARTITION))
            return true;
    return false;
}

static bool has_slot(const struct port *port, uint64_t index)
{
    for (size_t i = 0; i < port->npkeys; i++)
        if (port->pkeys[i].index == index)
            return true;
    return false;
}

/* The variables that choose the P_Key: NCCL's is an index, whatever the port (ncclIbCreateQp()); UCX's a value,
 * on InfiniBand only (uct_ib_iface_init_pkey()). */
static const struct {
    enum consumer consumer;
    const char *name;
    bool index;
} pkey_variables[] = {
    { CONSUMER_NCCL, "NCCL_IB_PKEY", true },
    { CONSUMER_RCCL, "NCCL_IB_PKEY", true },
    { CONSUMER_UCX, "UCX_IB_PKEY", false },
};

static enum verdict judge_variable(const struct subject *s, size_t which, size_t *looked, struct judgement *j)
{
    struct setting setting = consumer_setting(pkey_variables[which].consumer, s->system,
                                              pkey_variables[which].name);
    uint64_t value;
    bool index = pkey_variables[which].index;
    if (!setting.value || text_to_u64(setting.value, 0, &value) < 0 ||
        (!index && s->port->transport != TRANSPORT_INFINIBAND) ||
        !consumer_takes_port(pkey_variables[which].consumer, s->system, s->port))
        return VERDICT_PASS;
    ++*looked;
    if (index ? has_slot(s->port, value) : has_partition(s->port, value))
        return VERDICT_PASS;
    if (setting.file)
        judge_advice(j,
                     "take %s out of %s; what the port has is in /sys/class/infiniband/{device}/ports/%u/pkeys",
                     setting.name, setting.file, s->port->number);
    else
        judge_command(j, "unset %s # %s are in /sys/class/infiniband/{device}/ports/%u/pkeys", setting.name,
                      index ? "the slots that are filled" : "the port's partitions", s->port->number);
    return judge_fail(j, "%s=%s%s%s, which is not in %s", setting.name, setting.value,
                      setting.file ? " of " : "", setting.file ? setting.file : "",
                      port_path(j, s->port, "pkeys"));
}

JUDGE(pkey_asked)
{
    const struct services *services = s->system->services;
    size_t looked = 0;
    if (!port_carries_traffic(s) || s->port->transport == TRANSPORT_IWARP)
        return judge_na(j, "a port without P_Keys");
    if (!s->port->pkey_table_len.known)
        return judge_unknown(j, "%s could not be read", port_path(j, s->port, "pkeys"));
    for (size_t i = 0; services && i < services->count; i++) {
        const struct service *service = &services->items[i];
        if (!service->pkey.known || service_port(s->host, service) != s->port)
            continue;
        looked++;
        if (!has_partition(s->port, service->pkey.value))
            return judge_fail(j, "%s uses P_Key 0x%04" PRIx64 ", which is not in %s",
                              service_text(service, j->arena), service->pkey.value,
                              port_path(j, s->port, "pkeys"));
    }
    for (size_t i = 0; i < ARRAY_SIZE(pkey_variables); i++)
        if (judge_variable(s, i, &looked, j) == VERDICT_FAIL)
            return VERDICT_FAIL;
    return looked ? judge_pass(j, "what is asked for is in %s", port_path(j, s->port, "pkeys"))
                  : judge_na(j, "nobody asks for a P_Key");
}

/* -- connections that failed while they were traced ------------------------------------------------------ */

struct stretch {
    struct arena *arena;
    const char **failed; /* each failure: "REJECTED 8: 10.0.0.2:7999" */
    size_t nfailed;
    uint64_t connected, lost;
};

static void take_step(void *data, const struct trace_step *step)
{
    struct stretch *stretch = data;
    char cause[TRACE_CAUSE_SIZE], peer[TRACE_ADDRESS_SIZE];
    stretch->connected += step->kind == STEP_OF_CONNECTED;
    stretch->lost += step->lost;
    if (step->kind < STEPS_FAILED)
        return;
    trace_step_cause(step, cause);
    trace_address_format(&step->to, peer);
    *ARENA_PUSH_MANY(stretch->arena, stretch->failed, stretch->nfailed) = arena_printf(
        stretch->arena, "%s: %s", cause, *peer ? peer : "no address was told");
}

static int by_text(const void *one, const void *other)
{
    return strcmp(*(const char *const *)one, *(const char *const *)other);
}

/* What failed most often, and how often. */
static const char *most_often(const struct stretch *stretch, size_t *most)
{
    const char *what = stretch->failed[0];
    size_t same = 1;
    *most = 1;
    qsort(stretch->failed, stretch->nfailed, sizeof(*stretch->failed), by_text);
    for (size_t i = 1; i < stretch->nfailed; i++) {
        same = strcmp(stretch->failed[i], stretch->failed[i - 1]) == 0 ? same + 1 : 1;
        if (same > *most) {
            *most = same;
            what = stretch->failed[i];
        }
    }
    return what;
}

static int take_stretch(const char *text, struct stretch *stretch)
{
    struct tracer *tracer = tracer_new(take_step, stretch);
    struct trace_line line;
    int r;
    while ((r = trace_line_next(&text, &line)) > 0)
        tracer_take(tracer, &line);
    tracer_free(tracer);
    return r;
}

JUDGE(connections_failing)
{
    struct stretch stretch = { .arena = j->arena };
    int err = host_problem_of(s->host, "probe/trace");
    if (!err && s->host->trace)
        err = take_stretch(s->host->trace, &stretch);
    if (err)
        return judge_unknown(j, "probe/trace: %s", judge_errno(j, err));
    if (!s->host->trace)
        return judge_na(j, "no trace: roce trace --record makes a recording that has one");
    if (stretch.nfailed) {
        size_t most;
        const char *what = most_often(&stretch, &most);
        return judge_warn(j, "%zu failed, %" PRIu64 " connected; %s %s%s", stretch.nfailed, stretch.connected,
                          most > 1 ? "most often" : "the first:", what,
                          most > 1 ? arena_printf(j->arena, " (%zu times)", most) : "");
    }
    return judge_as(j, stretch.lost ? VERDICT_UNKNOWN : VERDICT_PASS,
                    "%" PRIu64 " connected, none failed, %" PRIu64 " events were lost", stretch.connected,
                    stretch.lost);
}
