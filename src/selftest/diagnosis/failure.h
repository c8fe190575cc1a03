/* SPDX-License-Identifier: MIT */
/* How a test failed: the step, and what the kernel or the device answered. */
#pragma once

enum step {
    STEP_NONE,
    STEP_NODE, /* open(2) of the device node */
    STEP_OPEN, /* ibv_open_device */
    STEP_PORT, /* ibv_query_device, ibv_query_port, ibv_query_gid_ex */
    STEP_PD,
    STEP_REGISTER, /* ibv_reg_mr */
    STEP_CQ,
    STEP_SRQ,
    STEP_QP,
    STEP_INIT, /* ibv_modify_qp */
    STEP_RTR,
    STEP_RTS,
    STEP_AH,
    STEP_POST,
    STEP_FIRST,      /* no message of this queue pair ever came through */
    STEP_COMPLETION, /* others did */
    STEP_DATA,       /* a message came with wrong bytes or a wrong length */
    STEP_GRH,        /* a datagram came with wrong addresses before it */
    STEP_CONNECT,    /* TCP to the server */
    STEP_HANDSHAKE,
    STEP_GID_PAIR,
    STEP_PROVE,      /* one packet from the server, before any other */
    STEP_CM_RESOLVE, /* RDMA_CM: address or route */
    STEP_CM_CONNECT,
    STEPS
};

enum { FAILURE_TEXT_SIZE = 200 };

struct failure {
    enum step step;
    int err;       /* positive errno; 0: none */
    int wc_status; /* enum ibv_wc_status of a bad completion; 0: not about one */
    uint32_t vendor_err;
    bool remote;                  /* reported by the other host */
    char text[FAILURE_TEXT_SIZE]; /* details: "byte 7 of 64 is wrong …"; may be empty */
};

/* Generated from src/explain/failures.txt. */
struct step_words {
    const char *text;
};
extern const struct step_words step_words[STEPS];

const char *step_text(enum step step); /* "register memory", …: follows "could not" or "at" */
/* Fills failure and returns -err (or -EIO when err is 0), for the caller to return. */
int failure_set(struct failure *failure, enum step step, int err, const char *format, ...) PRINTF_LIKE(4, 5);
/* Does it mean that the device doesn't support this at all, rather than that it went wrong? Kernel and
 * providers say EOPNOTSUPP or ENOSYS, and EINVAL for queues that they don't know. */
bool failure_is_refusal(const struct failure *failure);
/* Did nobody answer, as opposed to an answer with an error? */
bool failure_is_silence(const struct failure *failure);
int failure_wc(struct failure *failure, enum step step, int wc_status, uint32_t vendor_err);
