/* What selftest, ping and serve have in common: their options, and how results are shown. */
#pragma once

#include "command/command.h"
#include "selftest/diagnosis/delta.h"
#include "selftest/diagnosis/diagnosis.h"
#include "selftest/peer/pair.h"
#include "selftest/result.h"
#include "selftest/trial/options.h"
#include "view/column.h"

/* Rows of struct command.options. */
#define TESTING_OPTIONS                                                                                     \
    { "op", 0, ARG_TEXT, .arg = "LIST",                                                                     \
      .help = "only these: send,write,write-imm,read,compare-swap,fetch-add" },                             \
        { "size", 0, ARG_TEXT, .arg = "LIST", .help = "measure these message sizes: 8,64k,1m" },            \
        { "duration", 0, ARG_TEXT, .arg = "SECONDS", .help = "of each measurement" },                       \
        { "iterations", 0, ARG_TEXT, .arg = "N",                                                            \
          .help = "messages of each measurement, instead of a duration" },                                  \
        { "queues", 0, ARG_TEXT, .arg = "N", .help = "queue pairs for bandwidth (1)" },                     \
        { "both-ways", 0, ARG_NONE, .help = "bandwidth in both directions at once" },                       \
        { "mtu", 0, ARG_TEXT, .arg = "BYTES", .help = "path MTU: 256, 512, 1024, 2048 or 4096" },           \
        { "traffic-class", 0, ARG_TEXT, .arg = "N",                                                         \
          .help = "traffic class (TOS) of the packets: 106 is DSCP 26" },                                   \
        { "hop-limit", 0, ARG_TEXT, .arg = "N",                                                             \
          .help = "hop limit (TTL) to ask for (64); for RoCE v2 Linux takes the route's instead" },         \
        { "timeout", 0, ARG_TEXT, .arg = "SECONDS", .help = "longest wait of every single step (5)" },      \
        { "thorough", 0, ARG_NONE, .help = "verify up to 8 MiB with every operation and GID" },             \
        { "verify", 0, ARG_NONE, .help = "verify only, unless something to measure is asked for as well" }, \
        { "measure", 0, ARG_NONE, .help = "measure only: latency and bandwidth" },                          \
        { "latency", 0, ARG_NONE, .help = "measure latency only" },                                         \
    {                                                                                                       \
        "bandwidth", 0, ARG_NONE, .help = "measure bandwidth only"                                          \
    }

/* duration: of a measurement, in ms, when none is given. 0, or -EINVAL after saying what is wrong. */
int testing_options(const struct args *args, uint32_t duration, struct test_options *options);
/* "0.5" and "10" to milliseconds. -EINVAL after saying what is wrong. */
int testing_milliseconds(const struct args *args, const char *option, uint32_t fallback, uint32_t *ms);

/* Interrupts end tests in an orderly way from now on. */
void testing_catch_interrupts(void);
/* One line on the terminal that the next one replaces; nothing elsewhere. */
void testing_progress(void *data, const char *text);
void testing_progress_end(void);

/* Columns of struct result. */
extern const struct column testing_columns[];

/* Counters that have grown on one port while a run lasted. */
struct growth {
    const char *host; /* "local", or how the other host calls itself */
    const char *device;
    uint32_t port;
    struct grown_counters counters;
};

struct test_report {
    const struct context *context;
    const struct results *results;
    const struct growth *growths;
    size_t ngrowths;
    const struct facts *facts; /* one a result, as many as there are results */
    json_t *more;              /* members for the JSON object beside results; may be NULL; taken over */
};
/* Prints all. STATUS_OK, or STATUS_FOUND when a test failed or none was done. */
int testing_report(const struct test_report *report);

/* The uverbs node to try first; NULL when it isn't known. */
const char *testing_node(const struct device *device);
/* What the host says about a port and one of its GIDs, for judging failures there. */
void testing_facts(const struct host *host, const struct port *port, const struct gid *gid,
                   struct facts *facts);
/* The GIDs of all RoCE ports, those left out whose address isn't there; at most so many. */
size_t testing_gids(const struct host *host, struct near_gid *gids, size_t most);
/* What host_read() must read for these. */
#define TESTING_NEEDS \
    (NEED_STATE | NEED_GIDS | NEED_NODES | NEED_NETDEV | NEED_NLDEV | NEED_ADDRESSES | NEED_PCI)
