/* SPDX-License-Identifier: MIT */
/* What the user asked to have tested, and how. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct test_options {
    bool verify, latency, bandwidth;
    bool both_ways;      /* bandwidth */
    bool thorough;       /* verify the largest messages of every operation */
    uint32_t operations; /* bit mask of enum operation; 0: all */
    uint32_t sizes[16];  /* of the measurements; nsizes 0: the usual ones */
    size_t nsizes;
    uint32_t size_most;  /* of the verification */
    uint32_t large;      /* ms that verifying one message above 64 KiB may take; 0: any time */
    uint32_t iterations; /* 0: by duration */
    uint32_t duration;   /* ms of each measurement */
    uint32_t timeout;    /* ms for a step */
    uint8_t queues;      /* RC queue pairs for bandwidth */
    uint8_t traffic_class, hop_limit;
    uint32_t mtu; /* 0: the port's */
    bool yield;   /* see struct watch */
};
