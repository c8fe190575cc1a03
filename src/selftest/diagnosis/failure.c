/* SPDX-License-Identifier: MIT */
#include "selftest/diagnosis/failure.h"

#include <errno.h>
#include <infiniband/verbs.h>
#include <stdarg.h>
#include <stdio.h>

const char *step_text(enum step step)
{
    static const char *const texts[STEPS] = {
        [STEP_NONE] = "start",
        [STEP_NODE] = "open the device node",
        [STEP_OPEN] = "open the device",
        [STEP_PORT] = "query the device",
        [STEP_PD] = "allocate a protection domain",
        [STEP_REGISTER] = "register memory",
        [STEP_CQ] = "create a completion queue",
        [STEP_SRQ] = "create a shared receive queue",
        [STEP_QP] = "create a queue pair",
        [STEP_INIT] = "modify the QP to INIT",
        [STEP_RTR] = "modify the QP to RTR",
        [STEP_RTS] = "modify the QP to RTS",
        [STEP_AH] = "create an address handle",
        [STEP_POST] = "post a work request",
        [STEP_FIRST] = "get the first message through",
        [STEP_COMPLETION] = "complete a message",
        [STEP_DATA] = "get the right data",
        [STEP_GRH] = "get the right global routing header",
        [STEP_CONNECT] = "connect to the server",
        [STEP_HANDSHAKE] = "agree with the peer",
        [STEP_GID_PAIR] = "find a pair of GIDs",
        [STEP_PROVE] = "prove the path",
        [STEP_CM_RESOLVE] = "resolve the address with RDMA_CM",
        [STEP_CM_CONNECT] = "connect with RDMA_CM",
    };
    return step < STEPS ? texts[step] : "go on";
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
