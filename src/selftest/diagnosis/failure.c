/* SPDX-License-Identifier: MIT */
/* How a failure is kept, and of which kind it is. */
#include "selftest/diagnosis/failure.h"

#include <infiniband/verbs.h>

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
