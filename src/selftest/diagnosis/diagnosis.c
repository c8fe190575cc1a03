/* SPDX-License-Identifier: MIT */
#include "selftest/diagnosis/diagnosis.h"

#include <errno.h>
#include <infiniband/verbs.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/base.h"
#include "base/text.h"
#include "model/counters.h"
#include "model/host.h"

static const struct {
    const char *name, *text;
} statuses[] = {
    [IBV_WC_SUCCESS] = { "IBV_WC_SUCCESS", "success" },
    [IBV_WC_LOC_LEN_ERR] = { "IBV_WC_LOC_LEN_ERR", "local length error" },
    [IBV_WC_LOC_QP_OP_ERR] = { "IBV_WC_LOC_QP_OP_ERR", "local QP operation error" },
    [IBV_WC_LOC_EEC_OP_ERR] = { "IBV_WC_LOC_EEC_OP_ERR", "local EE context operation error" },
    [IBV_WC_LOC_PROT_ERR] = { "IBV_WC_LOC_PROT_ERR", "local protection error" },
    [IBV_WC_WR_FLUSH_ERR] = { "IBV_WC_WR_FLUSH_ERR", "work request flushed error" },
    [IBV_WC_MW_BIND_ERR] = { "IBV_WC_MW_BIND_ERR", "memory window bind error" },
    [IBV_WC_BAD_RESP_ERR] = { "IBV_WC_BAD_RESP_ERR", "bad response error" },
    [IBV_WC_LOC_ACCESS_ERR] = { "IBV_WC_LOC_ACCESS_ERR", "local access error" },
    [IBV_WC_REM_INV_REQ_ERR] = { "IBV_WC_REM_INV_REQ_ERR", "remote invalid request error" },
    [IBV_WC_REM_ACCESS_ERR] = { "IBV_WC_REM_ACCESS_ERR", "remote access error" },
    [IBV_WC_REM_OP_ERR] = { "IBV_WC_REM_OP_ERR", "remote operation error" },
    [IBV_WC_RETRY_EXC_ERR] = { "IBV_WC_RETRY_EXC_ERR", "transport retry counter exceeded" },
    [IBV_WC_RNR_RETRY_EXC_ERR] = { "IBV_WC_RNR_RETRY_EXC_ERR", "RNR retry counter exceeded" },
    [IBV_WC_LOC_RDD_VIOL_ERR] = { "IBV_WC_LOC_RDD_VIOL_ERR", "local RDD violation error" },
    [IBV_WC_REM_INV_RD_REQ_ERR] = { "IBV_WC_REM_INV_RD_REQ_ERR", "remote invalid RD request" },
    [IBV_WC_REM_ABORT_ERR] = { "IBV_WC_REM_ABORT_ERR", "remote aborted error" },
    [IBV_WC_INV_EECN_ERR] = { "IBV_WC_INV_EECN_ERR", "invalid EE context number" },
    [IBV_WC_INV_EEC_STATE_ERR] = { "IBV_WC_INV_EEC_STATE_ERR", "invalid EE context state" },
    [IBV_WC_FATAL_ERR] = { "IBV_WC_FATAL_ERR", "fatal error" },
    [IBV_WC_RESP_TIMEOUT_ERR] = { "IBV_WC_RESP_TIMEOUT_ERR", "response timeout error" },
    [IBV_WC_GENERAL_ERR] = { "IBV_WC_GENERAL_ERR", "general error" },
    [IBV_WC_TM_ERR] = { "IBV_WC_TM_ERR", "TM error" },
    [IBV_WC_TM_RNDV_INCOMPLETE] = { "IBV_WC_TM_RNDV_INCOMPLETE", "TM software rendezvous" },
};

const char *wc_text(int status)
{
    return status >= 0 && status < (int)ARRAY_SIZE(statuses) ? statuses[status].text : NULL;
}

const char *wc_name(int status)
{
    return status >= 0 && status < (int)ARRAY_SIZE(statuses) ? statuses[status].name : NULL;
}

/* What failures mean: the first row that fits. */
enum { ANY = 0 };

struct meaning {
    enum cause causes[13]; /* likeliest first */
    const char *checks, *text;
};

/* clang-format off */
#define CAUSES_OF_NO_ACK \
    CAUSE_ONE_PATH, CAUSE_MTU_PATH, CAUSE_ADDRESS_GONE, CAUSE_BOND_MEMBER, CAUSE_PORT_DOWN, CAUSE_OUTPUT_DROP, \
    CAUSE_PEER_OUTPUT_DROP, CAUSE_MTU_DIFFERS, CAUSE_FIREWALL, CAUSE_PEER_GONE, CAUSE_LOSS, \
    CAUSE_FIREWALL_SINCE
#define CAUSES_OF_NOT_READY \
    CAUSE_MTU_PATH, CAUSE_MTU_DIFFERS, CAUSE_OUTPUT_DROP, CAUSE_PEER_OUTPUT_DROP, \
    CAUSE_RECEIVER_SLOW
#define CAUSES_OF_FLUSH \
    CAUSE_ONE_PATH, CAUSE_MTU_PATH, CAUSE_ADDRESS_GONE, CAUSE_PORT_DOWN, CAUSE_OUTPUT_DROP, CAUSE_PEER_GONE
#define CAUSES_OF_SILENCE \
    CAUSE_ONE_PATH, CAUSE_MTU_PATH, CAUSE_OUTPUT_DROP, CAUSE_PEER_OUTPUT_DROP, CAUSE_BOND_MEMBER, CAUSE_PORT_DOWN, \
    CAUSE_ADDRESS_GONE, CAUSE_FIREWALL
#define CAUSES_OF_SILENCE_SINCE \
    CAUSE_ONE_PATH, CAUSE_PORT_DOWN, CAUSE_ADDRESS_GONE, CAUSE_MTU_PATH, CAUSE_OUTPUT_DROP, CAUSE_PEER_OUTPUT_DROP, \
    CAUSE_MTU_DIFFERS, CAUSE_MTU_SWITCH, CAUSE_LOSS, CAUSE_PEER_GONE, CAUSE_FIREWALL_SINCE

/* Where a status is seen, and who has to look. */
#define SENDER "the end that prints it sent, and sees it; look at the other end and at the way there"
#define REFUSED "the other end refused it: look at its log, too"
#define HERE "the end that prints it: its own request, program or device"

static const struct {
    enum ibv_wc_status status;
    struct meaning meaning;
    const char *end;
    enum cause general[EXPLANATION_CAUSES]; /* where nothing is known of the two ends; none: as meaning has them */
} by_status[] = {
    { IBV_WC_RETRY_EXC_ERR,     { { CAUSES_OF_NO_ACK },                                                        "port-active,gid-routable,gid-type,firewall-4791", "the other end acknowledged nothing, however often the packet was sent" }, SENDER, { CAUSE_PEER_GONE, CAUSE_RAILS, CAUSE_PORT_DOWN, CAUSE_LOSS } },
    { IBV_WC_RNR_RETRY_EXC_ERR, { { CAUSES_OF_NOT_READY },                                                     "port-netdev",                                     "the other end kept saying that it isn't ready" }, SENDER, { CAUSE_RECEIVER_SLOW, CAUSE_BUFFER, CAUSE_PEER_GONE } },
    { IBV_WC_LOC_QP_OP_ERR,     { { CAUSE_PORT_DOWN, CAUSE_ADDRESS_GONE, CAUSE_OUTPUT_DROP, CAUSE_GID_MOVED }, "port-active,gid-index,netdev-up,firewall-4791",   "this host could not send: the device or its driver gave up on the request" }, HERE, { CAUSE_PORT_DOWN, CAUSE_ADDRESS_GONE, CAUSE_FIRMWARE } },
    { IBV_WC_REM_ACCESS_ERR,    { { CAUSE_PEER_GONE },                                                         NULL,                                              "the other end refused access to its memory: the key, the address or the permission is wrong" }, REFUSED, { CAUSE_KEY, CAUSE_RIGHTS, CAUSE_GPU_MEMORY } },
    { IBV_WC_REM_OP_ERR,        { { CAUSE_PEER_GONE },                                                         NULL,                                              "the other end could not carry out the request" }, REFUSED, { CAUSE_KEY, CAUSE_GPU_MEMORY, CAUSE_FIRMWARE } },
    { IBV_WC_LOC_LEN_ERR,       { { CAUSE_MTU_DIFFERS },                                                       NULL,                                              "a message was longer than the receive posted for it, or than the path MTU" }, HERE, { CAUSE_BUFFER, CAUSE_MTU_DIFFERS } },
    { IBV_WC_WR_FLUSH_ERR,      { { CAUSES_OF_FLUSH },                                                         "port-active,netdev-up,firewall-4791",             "the queue pair is in the error state: the device gave up on it, or something before this failed" }, "a consequence, on the end that prints it: the first error came before", { CAUSE_FIRST_ERROR, CAUSE_PEER_GONE, CAUSE_PORT_DOWN } },
    { IBV_WC_LOC_PROT_ERR,      { { CAUSE_KEY, CAUSE_GPU_MEMORY, CAUSE_RIGHTS }, NULL, "the memory that this end's request names isn't registered, or not for that" }, HERE, { 0 } },
    { IBV_WC_LOC_ACCESS_ERR,    { { CAUSE_KEY, CAUSE_RIGHTS }, NULL, "the other end's write with immediate data met memory here that it may not use" }, HERE, { 0 } },
    { IBV_WC_MW_BIND_ERR,       { { CAUSE_RIGHTS, CAUSE_KEY }, NULL, "a memory window could not be bound" }, HERE, { 0 } },
    { IBV_WC_BAD_RESP_ERR,      { { CAUSE_LOSS, CAUSE_FIRMWARE }, "icrc-errors,firmware-version", "the other end answered what makes no sense here" }, SENDER, { 0 } },
    { IBV_WC_REM_INV_REQ_ERR,   { { CAUSE_SOFT_RETRY, CAUSE_BUFFER, CAUSE_RIGHTS, CAUSE_KEY }, NULL, "the other end found the request invalid: too long for its receive, an operation that its queue pair doesn't take, or too many reads at once" }, REFUSED, { CAUSE_BUFFER, CAUSE_RIGHTS, CAUSE_KEY } },
    { IBV_WC_REM_ABORT_ERR,     { { CAUSE_PEER_GONE, CAUSE_FIRMWARE }, NULL, "the other end gave the operation up" }, REFUSED, { 0 } },
    { IBV_WC_FATAL_ERR,         { { CAUSE_FIRMWARE, CAUSE_PCIE }, "devlink-health,kernel-log,pcie-errors", "the device failed" }, HERE, { 0 } },
    { IBV_WC_RESP_TIMEOUT_ERR,  { { CAUSE_PEER_GONE, CAUSE_LOSS }, "retransmissions", "an answer didn't come in time" }, SENDER, { 0 } },
    { IBV_WC_GENERAL_ERR,       { { CAUSE_FIRMWARE, CAUSE_FIRST_ERROR }, "kernel-log,devlink-health", "an error that no other status describes; the vendor's code says more" }, HERE, { 0 } },
};

static const struct {
    enum step step;
    int err;
    struct meaning meaning;
} by_step[] = {
    { STEP_NODE,       EACCES,          { { CAUSE_PERMISSION, CAUSE_CONTAINER },                                     "uverbs-node",                           "the device node exists, but this user may not open it" } },
    { STEP_NODE,       EPERM,           { { CAUSE_CONTAINER },                                                       "uverbs-node",                           "a device cgroup forbids the device node, as containers do" } },
    { STEP_NODE,       ANY,             { { CAUSE_DEVICE_GONE, CAUSE_CONTAINER, CAUSE_PERMISSION },                  "uverbs-node,ib-uverbs-module",          "the kernel has the device, but there is no node to open it with" } },
    { STEP_OPEN,       EAGAIN,          { { CAUSE_CGROUP },                                                          "uverbs-node",                           "the cgroup's RDMA limit is reached" } },
    { STEP_OPEN,       ANY,             { { CAUSE_PROVIDER, CAUSE_PERMISSION },                                      "verbs-provider,verbs-abi,uverbs-node",  "no provider could open the device" } },
    { STEP_PORT,       ENODATA,         { { CAUSE_ADDRESS_GONE, CAUSE_GID_MOVED },                                   "gid-index,gid-holes",                   "the GID's slot is empty: its address was removed, or the index has changed" } },
    { STEP_REGISTER,   EAGAIN,          { { CAUSE_CGROUP, CAUSE_DEVICE_FULL }, "memlock-limit", "a limit on RDMA objects is reached: the cgroup's RDMA limit, or the device's own" } },
    { STEP_REGISTER,   ENOMEM,          { { CAUSE_MEMLOCK, CAUSE_PINNABLE },                                                         "memlock-limit,memlock-trial,pinnable-memory",           "memory could not be registered: 'Cannot allocate memory' from ibv_reg_mr is nearly always the limit on locked memory" } },
    { STEP_REGISTER,   EPERM,           { { CAUSE_MEMLOCK },                                                         "memlock-limit,memlock-trial",           "no memory may be locked at all (ulimit -l 0)" } },
    { STEP_PD,         EAGAIN,          { { CAUSE_CGROUP },                                                          "uverbs-node",                           "the cgroup's RDMA limit is reached" } },
    { STEP_CQ,         EAGAIN,          { { CAUSE_CGROUP, CAUSE_DEVICE_FULL }, "uverbs-node", "a limit on RDMA objects is reached: the cgroup's RDMA limit, or the device's own" } },
    { STEP_QP,         EAGAIN,          { { CAUSE_CGROUP, CAUSE_DEVICE_FULL }, "uverbs-node", "a limit on RDMA objects is reached: the cgroup's RDMA limit, or the device's own" } },
    { STEP_CQ,         ENOMEM,          { { CAUSE_MEMLOCK },                                                         "memlock-limit,memlock-trial",           "the completion queue's memory could not be locked" } },
    { STEP_QP,         ENOMEM,          { { CAUSE_MEMLOCK },                                                         "memlock-limit,memlock-trial",           "the queue pair's memory could not be locked" } },
    { STEP_RTR,        ENETUNREACH,     { { CAUSE_PORT_DOWN, CAUSE_ADDRESS_GONE, CAUSE_NO_ROUTE, CAUSE_LINK_LOCAL }, "gid-address,gid-routable,netdev-up",    "'Failed to modify QP to RTR': the kernel has no route from this GID" } },
    { STEP_RTR,        ETIMEDOUT,       { { CAUSE_NEIGHBOUR, CAUSE_VLAN, CAUSE_LINK_LOCAL },                         "gid-routable,gid-vlan,netdev-carrier",  "'Failed to modify QP to RTR: Connection timed out': the peer's address could not be resolved to a MAC" } },
    { STEP_RTR,        EINVAL,          { { CAUSE_MTU_PATH, CAUSE_FAMILIES },                                        "gid-type,gid-v2",                       "'Failed to modify QP to RTR: Invalid argument': the address or the MTU isn't acceptable" } },
    { STEP_RTR,        ENODEV,          { { CAUSE_ADDRESS_GONE, CAUSE_GID_MOVED },                                   "gid-index,gid-holes",                   "'Failed to modify QP to RTR: No such device': the GID's slot is empty or its netdev is gone" } },
    { STEP_RTR,        ANY,             { { CAUSE_ADDRESS_GONE, CAUSE_PORT_DOWN, CAUSE_FAMILIES },                   "gid-address,gid-type,port-active",      "'Failed to modify QP to RTR'" } },
    { STEP_AH,         ETIMEDOUT,       { { CAUSE_NEIGHBOUR, CAUSE_VLAN, CAUSE_LINK_LOCAL },                         "gid-routable,gid-vlan,netdev-carrier",  "no address handle could be created: the peer's address could not be resolved to a MAC" } },
    { STEP_AH,         ANY,             { { CAUSE_PORT_DOWN, CAUSE_ADDRESS_GONE, CAUSE_NEIGHBOUR },                  "gid-address,gid-routable",              "no address handle could be created for the way to the peer" } },
    { STEP_FIRST,      ETIMEDOUT,       { { CAUSES_OF_SILENCE },                                                     "port-active,netdev-up,firewall-4791",   "no completion, good or bad, before the deadline: nothing comes through and the device doesn't notice" } },
    { STEP_COMPLETION, ETIMEDOUT,       { { CAUSES_OF_SILENCE_SINCE },                                               "port-active,port-netdev,firewall-4791", "no completion, good or bad, before the deadline, though others came through" } },
    { STEP_DATA,       ANY,             { { CAUSE_CORRUPTION, CAUSE_PCIE },                                          NULL,                                    "a completion said success, but the data is wrong" } },
    { STEP_GRH,        ANY,             { { CAUSE_FAMILIES },                                                        "gid-duplicate",                         "a datagram's header doesn't name these GIDs" } },
    { STEP_FIRST,      ECONNRESET,      { { CAUSE_PEER_GONE },                                                       NULL,                                    "the server hung up in the middle of a test: its process ended or was stopped" } },
    { STEP_COMPLETION, ECONNRESET,      { { CAUSE_PEER_GONE },                                                       NULL,                                    "the server hung up in the middle of a test: its process ended or was stopped" } },
    { STEP_CONNECT,    ECONNREFUSED,    { { CAUSE_SERVER },                                                          NULL,                                    "nothing is listening there" } },
    { STEP_CONNECT,    ETIMEDOUT,       { { CAUSE_TCP_FIREWALL, CAUSE_SERVER, CAUSE_NEIGHBOUR },                     "gid-routable",                          "no answer from that address" } },
    { STEP_CONNECT,    ANY,             { { CAUSE_NO_ROUTE, CAUSE_SERVER },                                          NULL,                                    "there is no TCP connection to the server" } },
    { STEP_HANDSHAKE,  EBUSY,           { { CAUSE_BUSY },                                                            NULL,                                    "the server turned this client away" } },
    { STEP_HANDSHAKE,  EPROTO,          { { CAUSE_VERSION },                                                         NULL,                                    "the other side speaks a different protocol" } },
    { STEP_HANDSHAKE,  EPROTONOSUPPORT, { { CAUSE_VERSION },                                                         NULL,                                    "the other side speaks another version of the protocol" } },
    { STEP_HANDSHAKE,  ECONNABORTED,    { { CAUSE_NOT_ALLOWED, CAUSE_VERSION },                                      NULL,                                    "the server hung up without a word" } },
    { STEP_HANDSHAKE,  ANY,             { { CAUSE_PORT_DOWN, CAUSE_ADDRESS_GONE, CAUSE_PEER_GONE },                  "port-active,netdev-up",                 "the connection to the server broke off" } },
    { STEP_GID_PAIR,   ANY,             { { CAUSE_NONE },                                                            "gid-v2,gid-routable",                   NULL } },
    { STEP_PROVE,      EPERM,           { { CAUSE_ANY_GID },                                                         "gid-routable",                          "the server turned down this pair of GIDs before sending anything" } },
    { STEP_PROVE,      ETIMEDOUT,       { { CAUSES_OF_SILENCE },                                                     "port-active,netdev-up,firewall-4791",   "the one packet that the server sends first never came" } },
    { STEP_CM_RESOLVE, ENOENT,          { { CAUSE_UCM },                                                             "rdma-ucm-module,rdma-cm-node",          "RDMA_CM's device node is missing" } },
    { STEP_CM_RESOLVE, ENODEV,          { { CAUSE_UCM, CAUSE_NO_ROUTE },                                             "rdma-cm-node,gid-address",              "no RDMA device has the address that the route there starts from" } },
    { STEP_CM_RESOLVE, ANY,             { { CAUSE_NEIGHBOUR, CAUSE_NO_ROUTE, CAUSE_UCM },                            "gid-routable,rdma-cm-node",             "RDMA_CM found no route to the address" } },
    { STEP_CM_CONNECT, ANY,             { { CAUSE_FIREWALL, CAUSE_FIREWALL_IWARP, CAUSE_PEER_GONE, CAUSE_LOSS },     "rdma-cm-module,gid-type",               "RDMA_CM's request was not answered" } },
};
/* clang-format on */

static const struct meaning *find_meaning(const struct failure *failure)
{
    for (size_t i = 0; i < ARRAY_SIZE(by_status); i++)
        if ((int)by_status[i].status == failure->wc_status)
            return &by_status[i].meaning;
    for (size_t i = 0; i < ARRAY_SIZE(by_step); i++)
        if (by_step[i].step == failure->step && (by_step[i].err == ANY || by_step[i].err == failure->err))
            return &by_step[i].meaning;
    return NULL;
}

static const struct meaning *meaning_at(size_t row)
{
    if (row < ARRAY_SIZE(by_status))
        return &by_status[row].meaning;
    row -= ARRAY_SIZE(by_status);
    return row < ARRAY_SIZE(by_step) ? &by_step[row].meaning : NULL;
}

int wc_count(void)
{
    return (int)ARRAY_SIZE(statuses);
}

int wc_parse(const char *text, size_t len, size_t *used)
{
    int best = -1;
    *used = 0;
    for (int status = 0; status < wc_count(); status++)
        for (int form = 0; form < 2; form++) {
            const char *word = form ? statuses[status].text : statuses[status].name;
            size_t n = strlen(word);
            if (n > *used && n <= len && strncasecmp(text, word, n) == 0) {
                best = status;
                *used = n;
            }
        }
    return best;
}

bool diagnosis_explain(const struct failure *failure, struct explanation *out)
{
    *out = (struct explanation){ 0 };
    const struct meaning *meaning = find_meaning(failure);
    if (!meaning)
        return false;
    const enum cause *causes = meaning->causes;
    size_t most = ARRAY_SIZE(meaning->causes);
    for (size_t i = 0; i < ARRAY_SIZE(by_status); i++)
        if (meaning == &by_status[i].meaning) {
            out->end = by_status[i].end;
            if (by_status[i].general[0] != CAUSE_NONE) {
                causes = by_status[i].general;
                most = ARRAY_SIZE(by_status[i].general);
            }
        }
    out->meaning = meaning->text;
    out->checks = meaning->checks;
    for (size_t i = 0; i < most && out->ncauses < EXPLANATION_CAUSES; i++)
        if (causes[i] != CAUSE_NONE)
            out->causes[out->ncauses++] = cause_general(causes[i]);
    return true;
}

bool diagnosis_step_of(int err, size_t i, enum step *step)
{
    for (size_t row = 0; row < ARRAY_SIZE(by_step); row++)
        if (by_step[row].err == err && err != ANY && i-- == 0) {
            *step = by_step[row].step;
            return true;
        }
    return false;
}

bool diagnosis_errno_of(enum step step, size_t i, int *err)
{
    for (size_t row = 0; row < ARRAY_SIZE(by_step); row++)
        if (by_step[row].step == step && i-- == 0) {
            *err = by_step[row].err;
            return true;
        }
    return false;
}

const char *diagnosis_checks(size_t i)
{
    const struct meaning *meaning;
    size_t seen = 0;
    for (size_t row = 0; (meaning = meaning_at(row)); row++)
        if (meaning->checks && seen++ == i)
            return meaning->checks;
    return NULL;
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
    else if (failure->err && failure->err != EBADMSG)
        snprintf(answer, sizeof(answer), ": %s (%s)", strerrordesc_np(failure->err), name ? name : "unknown");
    if (*answer && answer[2] >= 'A' && answer[2] <= 'Z' && answer[3] >= 'a') /* the line goes on */
        answer[2] = (char)(answer[2] - 'A' + 'a');
    snprintf(text, DIAGNOSIS_TEXT_SIZE, "%scould not %s%s%s%s", failure->remote ? "the other host " : "",
             step_text(failure->step), answer, *failure->text ? ": " : "", failure->text);
}

void diagnose(const struct failure *failure, const struct facts *facts, struct diagnosis *diagnosis)
{
    memset(diagnosis, 0, sizeof(*diagnosis));
    say_what(failure, diagnosis->what);
    const struct meaning *meaning = find_meaning(failure);
    if (!meaning)
        return;
    diagnosis->meaning = meaning->text;
    diagnosis->checks = meaning->checks;
    size_t n = 0;
    for (size_t i = 0; i < ARRAY_SIZE(meaning->causes) && n < DIAGNOSIS_CAUSES; i++)
        if (cause_applies(meaning->causes[i], facts))
            cause_text(meaning->causes[i], facts, diagnosis->causes[n++]);
}

static const struct counter *find(const struct counter *counters, size_t count, const struct counter *like)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(counters[i].dir, like->dir) == 0 && strcmp(counters[i].name, like->name) == 0)
            return &counters[i];
    return NULL;
}

static void add(const struct counter *before, size_t nbefore, const struct counter *after, size_t nafter,
                enum counter_severity severity, struct grown_counters *grown)
{
    for (size_t i = 0; i < nafter && grown->ncounters < GROWN_COUNTERS_MOST; i++) {
        const struct counter *now = &after[i], *then = find(before, nbefore, now);
        if (!then || !then->raw.known || !now->raw.known ||
            (now->def ? now->def->severity : COUNTER_INFO) != severity)
            continue;
        struct counter_delta d = counter_compare(now->def, then->raw.value, now->raw.value);
        if (d.delta == 0 || d.change == COUNTER_LEVEL || d.change == COUNTER_RESET)
            continue;
        struct grown_counter *counter = &grown->counters[grown->ncounters++];
        snprintf(counter->name, sizeof(counter->name), "%s", now->name);
        counter->delta = d.delta;
    }
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
    for (int severity = COUNTER_ERROR; severity >= COUNTER_INFO; severity--) {
        add(port_then->counters, port_then->ncounters, port_now->counters, port_now->ncounters,
            (enum counter_severity)severity, grown);
        add(then->counters, then->ncounters, now->counters, now->ncounters, (enum counter_severity)severity,
            grown);
    }
}

/* Names of several drivers for "a packet was missing". */
void counters_tell(const struct grown_counters *grown, bool peer, struct facts *facts)
{
    static const char sequence[] =
        "rcvd_seq_err,out_of_seq_request,out_of_sequence,packet_seq_err,seq_err_naks_rcvd,implied_nak_seq_err,rx_out_of_seq_err";
    for (uint32_t i = 0; i < grown->ncounters; i++) {
        const struct grown_counter *c = &grown->counters[i];
        if (strcmp(c->name, "send_err") == 0)
            *(peer ? &facts->peer_send_err : &facts->send_err) += c->delta;
        if (text_in_list(sequence, c->name))
            facts->sequence_errors += c->delta;
        if (text_in_list("completer_retry_err,duplicate_request", c->name))
            facts->soft_retries += c->delta;
    }
}
