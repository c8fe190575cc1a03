/* SPDX-License-Identifier: MIT */
/* How a failure is recorded, what it means and may come from, and what counters say about lost packets. */
#include "selftest/diagnosis/diagnosis.h"

#include <infiniband/verbs.h>

#include "model/host.h"
#include "model/statistics.h"

const char *step_text(enum step step)
{
    return step < STEPS ? step_words[step].text : "go on";
}

int failure_set(struct failure *failure, enum step step, int err, const char *format, ...)
{
    *failure = (struct failure){ .step = step, .err = err < 0 ? -err : err };
    va_list args;
    va_start(args, format);
    vsnprintf(failure->text, sizeof(failure->text), format, args);
    va_end(args);
    return failure->err ? -failure->err : -EIO;
}

bool failure_is_refusal(const struct failure *f)
{
    return f->err == EOPNOTSUPP || f->err == ENOSYS ||
           (f->err == EINVAL && (f->step == STEP_QP || f->step == STEP_SRQ));
}

int failure_wc(struct failure *failure, enum step step, int wc_status, uint32_t vendor_err)
{
    failure_set(failure, step, 0, "%s", "");
    failure->wc_status = wc_status;
    failure->vendor_err = vendor_err;
    return -EIO;
}

bool failure_is_silence(const struct failure *failure)
{
    return failure->err == ETIMEDOUT || failure->wc_status == IBV_WC_RETRY_EXC_ERR ||
           failure->wc_status == IBV_WC_LOC_QP_OP_ERR || failure->wc_status == IBV_WC_WR_FLUSH_ERR;
}

const char *wc_text(int status)
{
    return status >= 0 && status < status_count ? status_words[status].text : NULL;
}

const char *wc_name(int status)
{
    return status >= 0 && status < status_count ? status_words[status].name : NULL;
}

int wc_parse(const char *text, size_t len, size_t *used)
{
    int best = -1;
    *used = 0;
    for (int i = 0; i < 2 * status_count; i++) {
        const char *word = i % 2 ? status_words[i / 2].text : status_words[i / 2].name;
        size_t n = strlen(word);
        if (n > *used && n <= len && strncasecmp(text, word, n) == 0) {
            best = i / 2;
            *used = n;
        }
    }
    return best;
}

const struct meaning *failure_meaning(const struct failure *failure)
{
    for (const struct meaning *m = meanings; m->status || m->step; m++)
        if (m->status ? m->status == failure->wc_status
                      : m->step == failure->step && (m->err == 0 || m->err == failure->err))
            return m;
    return NULL;
}

void meaning_likely(const struct meaning *meaning, const char *separator, char text[static LIKELY_TEXT_SIZE])
{
    const enum cause *causes = meaning->general[0] != CAUSE_NONE ? meaning->general : meaning->causes;
    size_t n = 0;
    text[0] = '\0';
    for (size_t i = 0; i < LIKELY_CAUSES && causes[i] != CAUSE_NONE && n < LIKELY_TEXT_SIZE; i++)
        n += (size_t)snprintf(text + n, LIKELY_TEXT_SIZE - n, "%s%s", i ? separator : "",
                              cause_words[causes[i]].text);
}

/* Bytes of a message that fills a packet, or half of the path's, so that perhaps only large packets are
 * dropped. */
enum { LARGE = 1024 };

/* rxe of Linux 7.2 at 2 Mbit/s behind a queue of 400 ms: its own timer makes it resend what is still in flight,
 * and then it continues in the middle of a message as if at its beginning, or vice versa. The other end's
 * rxe_receiver() reaches ERR_MISSING_OPCODE_LAST_C (SEND) or ERR_LENGTH (WRITE), and answers "invalid request",
 * as for a message that is too long. Seen in its debug messages. */
static bool soft_retried(const struct facts *f)
{
    return f->soft && f->soft_retries > 0;
}

bool cause_applies(enum cause cause, const struct facts *f)
{
    const bool apart = !f->loopback, refuses = f->route_refuses,
               drops_itself = f->send_err > 0 || f->peer_send_err > 0;
    const uint32_t large = f->path_mtu && f->path_mtu / 2 < LARGE ? f->path_mtu / 2 : LARGE;
    const bool full_packets = f->path_mtu && f->largest >= f->path_mtu; /* come through */
    const bool impossible[CAUSES] = {
        [CAUSE_NONE] = true,
        [CAUSE_PORT_DOWN] = !f->port_down,
        [CAUSE_CUT_OFF] = !f->cut_off,
        [CAUSE_ADDRESS_GONE] = !f->address_known || !f->address_gone,
        [CAUSE_LINK_LOCAL] = !f->link_local || (f->address_known && f->address_gone),
        [CAUSE_MTU_PATH] = !f->port_mtu || f->path_mtu <= f->port_mtu,
        [CAUSE_MTU_DIFFERS] = !f->port_mtu || !f->peer_mtu || f->port_mtu == f->peer_mtu,
        [CAUSE_MTU_SWITCH] = !apart || !f->smaller_pass || f->size < large || drops_itself || full_packets,
        [CAUSE_OUTPUT_DROP] = f->send_err == 0,
        [CAUSE_PEER_OUTPUT_DROP] = f->peer_send_err == 0,
        [CAUSE_INPUT_DROP] = f->drops == 0,
        [CAUSE_PEER_INPUT_DROP] = f->peer_drops == 0,
        [CAUSE_FIREWALL] = !f->soft || f->came_through || f->cut_off || drops_itself,
        [CAUSE_FIREWALL_SINCE] = !f->soft || !f->came_through || !apart || drops_itself,
        [CAUSE_FIREWALL_IWARP] = !f->iwarp || !apart,
        [CAUSE_ONE_PATH] = !apart || f->iwarp || !f->others_pass,
        [CAUSE_LOSS] = !apart || (!f->sequence_errors && !f->came_through),
        [CAUSE_NO_ROUTE] = !apart || refuses,
        [CAUSE_NEIGHBOUR] = !apart || f->neighbour == TRI_YES || refuses,
        [CAUSE_VLAN] = !apart || f->neighbour == TRI_YES || refuses,
        [CAUSE_SERVER] = f->neighbour == TRI_NO || refuses,
        [CAUSE_TCP_FIREWALL] = f->neighbour == TRI_NO || refuses,
        [CAUSE_REFUSED_ON_THE_WAY] = f->neighbour == TRI_NO || refuses,
        [CAUSE_ROUTE_REFUSES] = !refuses,
        [CAUSE_NEIGHBOUR_BY_HAND] = !f->neighbour_by_hand,
        [CAUSE_SCOPE] = !f->link_local,
        [CAUSE_PEER_GONE] = !apart || (f->peer_there && f->sequence_errors > 0),
        [CAUSE_DEVICE_GONE] = !apart, /* it was there when the GIDs were looked up */
        [CAUSE_PINNABLE] = f->soft,
        [CAUSE_GID_MOVED] = !f->came_through,
        [CAUSE_DEVICE_FULL] = f->soft, /* mlx5's MLX5_CMD_STAT_NO_RES_ERR is EAGAIN */
        [CAUSE_SOFT_RETRY] = !soft_retried(f),
        [CAUSE_KEY] = soft_retried(f), /* both ends of a test agree on these */
        [CAUSE_RIGHTS] = soft_retried(f),
        [CAUSE_BUFFER] = soft_retried(f),
    };
    return !impossible[cause];
}

static uint64_t fact(const struct facts *f, const char *name, size_t len)
{
    const struct {
        const char *name;
        uint64_t value;
    } known[] = {
        { "path_mtu", f->path_mtu }, { "port_mtu", f->port_mtu },           { "peer_mtu", f->peer_mtu },
        { "send_err", f->send_err }, { "peer_send_err", f->peer_send_err }, { "soft_retries", f->soft_retries },
        { "drops", f->drops },       { "peer_drops", f->peer_drops },
    };
    for (size_t i = 0; i < ARRAY_SIZE(known); i++)
        if (strlen(known[i].name) == len && memcmp(known[i].name, name, len) == 0)
            return known[i].value;
    return 0;
}

void cause_text(enum cause cause, const struct facts *facts, char text[static CAUSE_TEXT_SIZE])
{
    const struct cause_words *words = &cause_words[cause];
    const char *at = words->measured ? words->measured : words->text;
    size_t n = 0;
    text[0] = '\0';
    while (*at && n + 1 < CAUSE_TEXT_SIZE) {
        if (*at == '{') {
            size_t name = strcspn(at, "}");
            n += (size_t)snprintf(text + n, CAUSE_TEXT_SIZE - n, "%" PRIu64, fact(facts, at + 1, name - 1));
            at += name + 1;
        } else {
            text[n++] = *at++;
            text[n] = '\0';
        }
    }
}

static void say_what(const struct failure *failure, char text[static DIAGNOSIS_TEXT_SIZE])
{
    char answer[160] = "";
    const char *wc = wc_text(failure->wc_status);
    const char *name = failure->err ? strerrorname_np(failure->err) : NULL;
    if (wc && failure->wc_status != IBV_WC_SUCCESS)
        snprintf(answer, sizeof(answer), ": %s (%s, %d, vendor error 0x%x)", wc, wc_name(failure->wc_status),
                 failure->wc_status, failure->vendor_err);
    else if (failure->wc_status > IBV_WC_SUCCESS)
        snprintf(answer, sizeof(answer), ": completion status %d, vendor error 0x%x", failure->wc_status,
                 failure->vendor_err);
    else if (name && failure->err != EBADMSG)
        snprintf(answer, sizeof(answer), ": %s (%s)", strerrordesc_np(failure->err), name);
    else if (failure->err && !name) /* the other host may send any number */
        snprintf(answer, sizeof(answer), ": error %d", failure->err);
    if (*answer && answer[2] >= 'A' && answer[2] <= 'Z' && answer[3] >= 'a') /* the line continues */
        answer[2] = (char)(answer[2] - 'A' + 'a');
    size_t n = (size_t)snprintf(text, DIAGNOSIS_TEXT_SIZE, "%scould not %s%s",
                                failure->remote ? "the other host " : "", step_text(failure->step), answer);
    if (*failure->text && n < DIAGNOSIS_TEXT_SIZE)
        snprintf(text + n, DIAGNOSIS_TEXT_SIZE - n, ": %s", failure->text);
}

void diagnose(const struct failure *failure, const struct facts *facts, struct diagnosis *diagnosis)
{
    memset(diagnosis, 0, sizeof(*diagnosis));
    say_what(failure, diagnosis->what);
    const struct meaning *meaning = failure_meaning(failure);
    if (!meaning)
        return;
    diagnosis->meaning = meaning->text;
    diagnosis->checks = meaning->checks;
    size_t n = 0;
    for (size_t i = 0; meaning->causes[i] != CAUSE_NONE && n < DIAGNOSIS_CAUSES; i++)
        if (cause_applies(meaning->causes[i], facts))
            cause_text(meaning->causes[i], facts, diagnosis->causes[n++]);
}

/* The counters of one device or port, then and now. */
struct counters_of {
    const struct counter *before, *after;
    size_t nbefore, nafter;
};

static void add_grown(const struct counters_of *of, enum counter_severity severity,
                      struct grown_counters *grown)
{
    for (size_t i = 0; i < of->nafter && grown->ncounters < GROWN_COUNTERS_MOST; i++) {
        const struct counter *now = &of->after[i], *then = of->before, *end = of->before + of->nbefore;
        while (then < end && (strcmp(then->dir, now->dir) != 0 || strcmp(then->name, now->name) != 0))
            then++;
        if (then == end || !then->raw.known || !now->raw.known ||
            (now->def ? now->def->severity : COUNTER_INFO) != severity)
            continue;
        struct counter_delta d = counter_compare(now->def, then->raw.value, now->raw.value);
        if (d.delta == 0 || d.change == COUNTER_LEVEL || d.change == COUNTER_RESET)
            continue;
        struct grown_counter *counter = &grown->counters[grown->ncounters++];
        snprintf(counter->name, sizeof(counter->name), "%s", now->name);
        counter->delta = d.delta;
        counter->severity = severity;
    }
}

static void add_grown_drops(const struct qos *before, const struct qos *after, struct grown_counters *grown)
{
    for (const struct qos_statistic *now = NULL; (now = qos_next_in_role(after, DROP_ROLES, now));) {
        const struct qos_statistic *then = before ? qos_statistic(before, now->name) : NULL;
        if (!then || now->value <= then->value || grown->ncounters == GROWN_COUNTERS_MOST)
            continue;
        struct grown_counter *counter = &grown->counters[grown->ncounters++];
        snprintf(counter->name, sizeof(counter->name), "%s", now->name);
        counter->delta = now->value - then->value;
        counter->severity = COUNTER_WARNING;
    }
}

static const struct qos *qos_of_port(const struct host *host, const struct port *port)
{
    const struct netdev *netdev = port_netdev(host, port);
    return netdev ? host_find_qos(host, netdev) : NULL;
}

void counters_grown(const struct host *before, const struct host *after, const char *device, uint32_t port,
                    struct grown_counters *grown)
{
    grown->ncounters = 0;
    const struct device *then = before ? host_find_device(before, device) : NULL;
    const struct device *now = after ? host_find_device(after, device) : NULL;
    const struct port *port_then = then ? device_port(then, port) : NULL;
    const struct port *port_now = now ? device_port(now, port) : NULL;
    if (!port_then || !port_now)
        return;
    const struct counters_of of[] = { { port_then->counters, port_now->counters, port_then->ncounters,
                                        port_now->ncounters },
                                      { then->counters, now->counters, then->ncounters, now->ncounters } };
    for (int severity = COUNTER_ERROR; severity >= COUNTER_INFO; severity--)
        for (size_t i = 0; i < ARRAY_SIZE(of); i++)
            add_grown(&of[i], (enum counter_severity)severity, grown);
    add_grown_drops(qos_of_port(before, port_then), qos_of_port(after, port_now), grown);
}

static bool is_of_drops(const char *name)
{
    unsigned priority;
    const struct counter_def *def = statistic_find(NULL, name, &priority);
    return (def && ROLES_OF(def->role) & DROP_ROLES) ||
           counter_role_find(NULL, "hw_counters", name) == ROLE_RECEIVE_BUFFER_DROPS;
}

/* Several drivers' names for "a packet was missing". */
void counters_tell(const struct grown_counters *grown, bool peer, struct facts *facts)
{
    static const char sequence[] = "rcvd_seq_err,out_of_seq_request,out_of_sequence,packet_seq_err,"
                                   "seq_err_naks_rcvd,implied_nak_seq_err,rx_out_of_seq_err";
    for (uint32_t i = 0; i < grown->ncounters; i++) {
        const struct grown_counter *c = &grown->counters[i];
        if (strcmp(c->name, "send_err") == 0)
            *(peer ? &facts->peer_send_err : &facts->send_err) += c->delta;
        uint64_t *drops = peer ? &facts->peer_drops : &facts->drops;
        if (is_of_drops(c->name) && c->delta > *drops) /* several may count the same packets */
            *drops = c->delta;
        if (text_in_list(sequence, c->name))
            facts->sequence_errors += c->delta;
        if (text_in_list("completer_retry_err,duplicate_request", c->name))
            facts->soft_retries += c->delta;
    }
}
