/* SPDX-License-Identifier: MIT */
/* The options of selftest and ping: which trials to run, and how. */
#pragma once

#include "command/args.h"
#include "selftest/trial/options.h"

/* Rows of struct command.options. */
#define TRIAL_OPTIONS                                                                                        \
    { "op", 0, ARG_TEXT, .arg = "LIST",                                                                      \
      .help = "only these: send,write,write-imm,read,compare-swap,fetch-add" },                              \
        { "size", 0, ARG_TEXT, .arg = "LIST", .help = "measure these message sizes: 8,64k,1m" },             \
        { "duration", 0, ARG_TEXT, .arg = "SECONDS", .help = "duration of each measurement" },               \
        { "iterations", 0, ARG_TEXT, .arg = "N",                                                             \
          .help = "number of messages per measurement, instead of a duration" },                             \
        { "queues", 0, ARG_TEXT, .arg = "N", .help = "queue pairs for bandwidth (default 1)" },              \
        { "both-ways", 0, ARG_NONE, .help = "bandwidth in both directions at once" },                        \
        { "mtu", 0, ARG_TEXT, .arg = "BYTES", .help = "path MTU: 256, 512, 1024, 2048 or 4096" },            \
        { "traffic-class", 0, ARG_TEXT, .arg = "N",                                                          \
          .help = "traffic class (TOS) of the packets: 106 is DSCP 26" },                                    \
        { "hop-limit", 0, ARG_TEXT, .arg = "N",                                                              \
          .help = "hop limit (TTL) to ask for (default 64); for RoCE v2 Linux uses the route's instead" },   \
        { "timeout", 0, ARG_TEXT, .arg = "SECONDS", .help = "longest wait in any single step (default 5)" }, \
        { "thorough", 0, ARG_NONE, .help = "verify up to 8 MiB with every operation and GID" },              \
        { "verify", 0, ARG_NONE, .help = "verify only, unless something to measure is asked for as well" },  \
        { "measure", 0, ARG_NONE, .help = "measure only: latency and bandwidth" },                           \
        { "latency", 0, ARG_NONE, .help = "measure latency only" },                                          \
    {                                                                                                        \
        "bandwidth", 0, ARG_NONE, .help = "measure bandwidth only"                                           \
    }

/* duration: of a measurement, in ms, when none is given. 0, or -EINVAL after saying what is wrong. */
int trial_options(const struct args *args, uint32_t duration, struct test_options *options);
