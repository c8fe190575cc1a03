#include "selftest/diagnosis.h"

#include <errno.h>
#include <infiniband/verbs.h>
#include <stdio.h>
#include <string.h>

#include "selftest/cause.h"

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
};

const char *wc_text(int status)
{
    return status >= 0 && status < (int)ARRAY_SIZE(statuses) ? statuses[status].text : NULL;
}

const char *wc_name(int status)
{
    return status >= 0 && status < (int)ARRAY_SIZE(statuses) ? statuses[status].name : NULL;
}

/* -- cases: first match wins -------------------------------------------------------------------------------
 */

enum { ANY_STEP = -1, ANY_ERR = -1, ANY_WC = -2 };

static const struct rule {
    int step, err, wc;
    const char *meaning;
    enum cause causes[12];
    const char *checks;
} rules[] = {
    { STEP_NODE,
      EACCES,
      ANY_WC,
      "the device node exists, but this user may not open it",
      { CAUSE_PERMISSION, CAUSE_CONTAINER },
      "uverbs-node" },
    { STEP_NODE,
      EPERM,
      ANY_WC,
      "a device cgroup forbids the device node: so do containers",
      { CAUSE_CONTAINER },
      "uverbs-node" },
    { STEP_NODE,
      ANY_ERR,
      ANY_WC,
      "the kernel has the device, but there is no node to open it by",
      { CAUSE_DEVICE_GONE, CAUSE_CONTAINER, CAUSE_PERMISSION },
      "uverbs-node,ib-uverbs-module" },
    { STEP_OPEN, EAGAIN, ANY_WC, "the cgroup's RDMA limit is reached", { CAUSE_CGROUP }, "uverbs-node" },
    { STEP_OPEN,
      ANY_ERR,
      ANY_WC,
      "no provider could open the device",
      { CAUSE_PROVIDER, CAUSE_PERMISSION },
      "verbs-provider,verbs-abi,uverbs-node" },
    { STEP_PORT,
      ENODATA,
      ANY_WC,
      "the GID's slot is empty: its address was removed, or the index has changed",
      { CAUSE_ADDRESS_GONE, CAUSE_GID_MOVED },
      "gid-index,gid-holes" },
    { STEP_REGISTER,
      EAGAIN,
      ANY_WC,
      "the cgroup's RDMA limit is reached",
      { CAUSE_CGROUP },
      "memlock-limit" },
    { STEP_REGISTER,
      ENOMEM,
      ANY_WC,
      "memory could not be registered: 'Cannot allocate memory' of ibv_reg_mr is "
      "nearly always the limit of locked memory",
      { CAUSE_MEMLOCK },
      "memlock-limit,memlock-trial" },
    { STEP_REGISTER,
      EPERM,
      ANY_WC,
      "no memory may be locked at all (ulimit -l 0)",
      { CAUSE_MEMLOCK },
      "memlock-limit,memlock-trial" },
    { STEP_PD, EAGAIN, ANY_WC, "the cgroup's RDMA limit is reached", { CAUSE_CGROUP }, "uverbs-node" },
    { STEP_CQ, EAGAIN, ANY_WC, "the cgroup's RDMA limit is reached", { CAUSE_CGROUP }, "uverbs-node" },
    { STEP_QP, EAGAIN, ANY_WC, "the cgroup's RDMA limit is reached", { CAUSE_CGROUP }, "uverbs-node" },
    { STEP_CQ,
      ENOMEM,
      ANY_WC,
      "the completion queue's memory could not be locked",
      { CAUSE_MEMLOCK },
      "memlock-limit,memlock-trial" },
    { STEP_QP,
      ENOMEM,
      ANY_WC,
      "the queue pair's memory could not be locked",
      { CAUSE_MEMLOCK },
      "memlock-limit,memlock-trial" },
    { STEP_RTR,
      ENETUNREACH,
      ANY_WC,
      "'Failed to modify QP to RTR': the kernel has no route from this GID",
      { CAUSE_PORT_DOWN, CAUSE_ADDRESS_GONE, CAUSE_NO_ROUTE, CAUSE_LINK_LOCAL },
      "gid-address,gid-routable,netdev-up" },
    { STEP_RTR,
      ETIMEDOUT,
      ANY_WC,
      "'Failed to modify QP to RTR: Connection timed out': the peer's address could not be "
      "resolved to a MAC",
      { CAUSE_NEIGHBOUR, CAUSE_VLAN, CAUSE_LINK_LOCAL },
      "gid-routable,gid-vlan,netdev-carrier" },
    { STEP_RTR,
      EINVAL,
      ANY_WC,
      "'Failed to modify QP to RTR: Invalid argument': the address or the MTU isn't acceptable",
      { CAUSE_MTU_PATH, CAUSE_FAMILIES },
      "gid-type,gid-v2" },
    { STEP_RTR,
      ENODEV,
      ANY_WC,
      "'Failed to modify QP to RTR: No such device': the GID's slot is empty or its netdev is "
      "gone",
      { CAUSE_ADDRESS_GONE, CAUSE_GID_MOVED },
      "gid-index,gid-holes" },
    { STEP_RTR,
      ANY_ERR,
      ANY_WC,
      "'Failed to modify QP to RTR'",
      { CAUSE_ADDRESS_GONE, CAUSE_PORT_DOWN, CAUSE_FAMILIES },
      "gid-address,gid-type,port-active" },
    { STEP_AH,
      ANY_ERR,
      ANY_WC,
      "the way to the peer can't be made: no address handle",
      { CAUSE_PORT_DOWN, CAUSE_ADDRESS_GONE, CAUSE_NEIGHBOUR },
      "gid-address,gid-routable" },
    { ANY_STEP,
      ANY_ERR,
      IBV_WC_RETRY_EXC_ERR,
      "the other end acknowledged nothing, however often the packet was sent",
      { CAUSE_MTU_PATH, CAUSE_ADDRESS_GONE, CAUSE_BOND_MEMBER, CAUSE_PORT_DOWN, CAUSE_OUTPUT_DROP,
        CAUSE_PEER_OUTPUT_DROP, CAUSE_MTU_DIFFERS, CAUSE_FIREWALL, CAUSE_PEER_GONE, CAUSE_LOSS,
        CAUSE_FIREWALL_SINCE },
      "port-active,gid-routable,gid-type,firewall-4791" },
    { ANY_STEP,
      ANY_ERR,
      IBV_WC_RNR_RETRY_EXC_ERR,
      "the other end kept saying that it isn't ready",
      { CAUSE_MTU_PATH, CAUSE_MTU_DIFFERS, CAUSE_OUTPUT_DROP, CAUSE_PEER_OUTPUT_DROP, CAUSE_RECEIVER_SLOW },
      "port-netdev" },
    { ANY_STEP,
      ANY_ERR,
      IBV_WC_LOC_QP_OP_ERR,
      "this host could not send: the device or its driver gave the request up",
      { CAUSE_PORT_DOWN, CAUSE_ADDRESS_GONE, CAUSE_OUTPUT_DROP, CAUSE_GID_MOVED },
      "port-active,gid-index,netdev-up,firewall-4791" },
    { ANY_STEP,
      ANY_ERR,
      IBV_WC_REM_ACCESS_ERR,
      "the other end refused access to its memory: key, address or "
      "permission are wrong",
      { CAUSE_PEER_GONE },
      NULL },
    { ANY_STEP,
      ANY_ERR,
      IBV_WC_REM_OP_ERR,
      "the other end could not carry the request out",
      { CAUSE_PEER_GONE },
      NULL },
    { ANY_STEP,
      ANY_ERR,
      IBV_WC_LOC_LEN_ERR,
      "a message was longer than the receive posted for it, or than the path MTU",
      { CAUSE_MTU_DIFFERS },
      NULL },
    { ANY_STEP,
      ANY_ERR,
      IBV_WC_WR_FLUSH_ERR,
      "the queue pair is in the error state: the device gave up on it, or something before this failed",
      { CAUSE_MTU_PATH, CAUSE_ADDRESS_GONE, CAUSE_PORT_DOWN, CAUSE_OUTPUT_DROP, CAUSE_PEER_GONE },
      "port-active,netdev-up,firewall-4791" },
    { STEP_FIRST,
      ETIMEDOUT,
      ANY_WC,
      "no completion, good or bad, before the deadline: nothing comes through and the device "
      "doesn't notice",
      { CAUSE_MTU_PATH, CAUSE_OUTPUT_DROP, CAUSE_PEER_OUTPUT_DROP, CAUSE_BOND_MEMBER, CAUSE_PORT_DOWN,
        CAUSE_ADDRESS_GONE, CAUSE_FIREWALL },
      "port-active,netdev-up,firewall-4791" },
    { STEP_COMPLETION,
      ETIMEDOUT,
      ANY_WC,
      "no completion, good or bad, before the deadline, though others came through",
      { CAUSE_PORT_DOWN, CAUSE_ADDRESS_GONE, CAUSE_MTU_PATH, CAUSE_OUTPUT_DROP, CAUSE_PEER_OUTPUT_DROP,
        CAUSE_MTU_DIFFERS, CAUSE_MTU_SWITCH, CAUSE_LOSS, CAUSE_PEER_GONE, CAUSE_FIREWALL_SINCE },
      "port-active,port-netdev,firewall-4791" },
    { STEP_DATA,
      ANY_ERR,
      ANY_WC,
      "a completion said success, but the data is wrong",
      { CAUSE_CORRUPTION, CAUSE_PCIE },
      NULL },
    { STEP_GRH,
      ANY_ERR,
      ANY_WC,
      "a datagram's header isn't the one of these GIDs",
      { CAUSE_FAMILIES },
      "gid-duplicate" },
    { STEP_FIRST,
      ECONNRESET,
      ANY_WC,
      "the server hung up in the middle of a test: its process ended, or was stopped",
      { CAUSE_PEER_GONE },
      NULL },
    { STEP_COMPLETION,
      ECONNRESET,
      ANY_WC,
      "the server hung up in the middle of a test: its process ended, or was stopped",
      { CAUSE_PEER_GONE },
      NULL },
    { STEP_CONNECT, ECONNREFUSED, ANY_WC, "nobody listens there", { CAUSE_SERVER }, NULL },
    { STEP_CONNECT,
      ETIMEDOUT,
      ANY_WC,
      "no answer from there",
      { CAUSE_TCP_FIREWALL, CAUSE_SERVER, CAUSE_NEIGHBOUR },
      "gid-routable" },
    { STEP_CONNECT,
      ANY_ERR,
      ANY_WC,
      "no TCP connection to the server",
      { CAUSE_NO_ROUTE, CAUSE_SERVER },
      NULL },
    { STEP_HANDSHAKE, EBUSY, ANY_WC, "the server turned this client away", { CAUSE_BUSY }, NULL },
    { STEP_HANDSHAKE, EPROTO, ANY_WC, "the other side speaks something else", { CAUSE_VERSION }, NULL },
    { STEP_HANDSHAKE,
      EPROTONOSUPPORT,
      ANY_WC,
      "the other side speaks another version",
      { CAUSE_VERSION },
      NULL },
    { STEP_HANDSHAKE,
      ANY_ERR,
      ANY_WC,
      "the connection to the server ended in the middle",
      { CAUSE_PORT_DOWN, CAUSE_ADDRESS_GONE, CAUSE_PEER_GONE },
      "port-active,netdev-up" },
    { STEP_GID_PAIR, ANY_ERR, ANY_WC, NULL, { CAUSE_NONE }, "gid-v2,gid-routable" },
    { STEP_CM_RESOLVE,
      ENOENT,
      ANY_WC,
      "RDMA_CM's device node is missing",
      { CAUSE_UCM },
      "rdma-ucm-module,rdma-cm-node" },
    { STEP_CM_RESOLVE,
      ENODEV,
      ANY_WC,
      "no RDMA device has the address of the way there",
      { CAUSE_UCM, CAUSE_NO_ROUTE },
      "rdma-cm-node,gid-address" },
    { STEP_CM_RESOLVE,
      ANY_ERR,
      ANY_WC,
      "RDMA_CM found no way to the address",
      { CAUSE_NEIGHBOUR, CAUSE_NO_ROUTE, CAUSE_UCM },
      "gid-routable,rdma-cm-node" },
    { STEP_CM_CONNECT,
      ANY_ERR,
      ANY_WC,
      "RDMA_CM's request was not answered",
      { CAUSE_FIREWALL, CAUSE_PEER_GONE, CAUSE_LOSS },
      "rdma-cm-module,gid-type" },
};

static const struct rule *find_rule(const struct failure *failure)
{
    for (size_t i = 0; i < ARRAY_SIZE(rules); i++) {
        const struct rule *r = &rules[i];
        if ((r->step == ANY_STEP || r->step == (int)failure->step) &&
            (r->err == ANY_ERR || r->err == failure->err) &&
            (r->wc == ANY_WC ? failure->wc_status == WC_NONE || r->step != ANY_STEP
                             : r->wc == failure->wc_status))
            return r;
    }
    return NULL;
}

const char *diagnosis_checks(size_t i)
{
    size_t seen = 0;
    for (size_t r = 0; r < ARRAY_SIZE(rules); r++)
        if (rules[r].checks && seen++ == i)
            return rules[r].checks;
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
    const struct rule *rule = find_rule(failure);
    if (!rule)
        return;
    diagnosis->meaning = rule->meaning;
    diagnosis->checks = rule->checks;
    size_t n = 0;
    for (size_t i = 0; i < ARRAY_SIZE(rule->causes) && n < DIAGNOSIS_CAUSES; i++)
        if (cause_applies(rule->causes[i], facts))
            cause_text(rule->causes[i], facts, diagnosis->causes[n++]);
}
