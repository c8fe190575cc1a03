/* SPDX-License-Identifier: MIT */
/* A frame of `roce top`: what happened on a machine's ports between two readings. Plain data, independent of
 * the readings, so that it can be kept in a file and shown again. Pure. */
#pragma once

#include "model/attribute.h"
#include "model/counter_roles.h"
#include "model/counters.h"
#include "model/event.h"
#include "model/host.h"
#include "model/num.h"
#include "model/qos.h"
#include "model/selection.h"

struct arena;

/* What is shown for each port, whatever the driver calls it. */
enum flow {
    FLOW_SENT_BYTES,
    FLOW_RECEIVED_BYTES,
    FLOW_SENT_PACKETS,
    FLOW_RECEIVED_PACKETS,
    FLOW_PAUSES_SENT, /* PAUSE frames of the whole link; PFC's are in struct frame_port */
    FLOW_PAUSES_RECEIVED,
    FLOW_CNPS_SENT,
    FLOW_CNPS_RECEIVED,
    FLOW_MARKS, /* packets that a switch had marked for congestion */
    FLOW_RETRANSMISSIONS,
    FLOW_OUT_OF_SEQUENCE,
    FLOW_RNR_SENT,
    FLOW_RNR_RECEIVED,
    FLOW_DROPS,    /* for want of a receive buffer, or discarded by the port */
    FLOW_FAILURES, /* queue pairs that gave up */
    FLOW_LINK_ERRORS,
    FLOW_FEC_ERRORS, /* blocks that FEC could not correct */
    FLOW_FEC_CORRECTED,
    FLOWS
};

struct frame_port {
    const char *device, *netdev, *state; /* netdev and state: NULL if not known */
    const char *neighbor;                /* what its cable ends in: "leaf1 swp5s0"; NULL: not known */
    const char *verdict;                 /* doctor's word for it, as roce status shows it; NULL: not asked */
    uint32_t number;
    struct num rate_mbps;
    bool counts_bytes; /* the driver has byte counters */
    struct rate flows[FLOWS];
    struct rate pfc_sent[PRIORITIES], pfc_received[PRIORITIES];
};

/* A counter of the port shown in detail. */
struct frame_counter {
    const char *device, *name;
    struct num port; /* if not known, the device's own */
    const char *severity, *unit, *meaning;
    struct rate rate;
};

/* A process, or a kernel service, on a device. */
struct frame_user {
    const char *kind, *name, *device, *queues, *started_by, *peer; /* all but kind: NULL if not known */
    struct num pid, port, registered;                              /* registered: bytes of memory */
};

struct frame_event {
    uint64_t time_ms; /* since 1970; text in JSON */
    const char *kind, *device, *text;
    struct num port;
};

/* What NTP says of the host's clock. */
struct frame_clock {
    bool known, synchronised;
    double error_ms; /* the most that it may be off by; of one that isn't synchronised nothing */
};

struct frame {
    struct arena *arena;
    const char *hostname;
    uint64_t time_ms; /* end of the frame, since 1970 */
    double seconds;   /* between its readings; 0 if there was only one */
    struct frame_clock clock;
    struct frame_port *ports;
    size_t nports;
    struct frame_counter *counters;
    size_t ncounters;
    struct frame_user *users;
    size_t nusers;
    bool users_known;           /* false: the kernel didn't say, or wasn't asked */
    struct frame_event *events; /* since the previous frame, oldest first */
    size_t nevents;
    /* Of a flight recorder, once a minute: what the checks of doctor that compare two readings read, as the
     * text of a recording; NULL: not in this line. With readings_changed only the files that are other than in
     * the file's last whole one, which history_read() gives as readings_base. */
    const char *readings, *readings_base;
    bool readings_changed;
    bool gives; /* the frame of a line with what changed since may take what this one holds, and leave it empty
                 */
};

struct frame *frame_new(void);
void frame_free(struct frame *frame); /* NULL is fine */

/* The selected ports (NULL: all) of now, with what their counters did since before, seconds ago; with before
 * NULL, no earlier reading, nothing has a rate. */
struct frame *frame_make(const struct host *before, const struct host *now, const struct selection *selection,
                         double seconds);
/* The roles of the counters that it uses; link_errors: of those of FLOW_LINK_ERRORS, too, which like FEC's
 * (NEED_FEC) are commands to the device that top saves. */
roles_t frame_roles(bool link_errors);

/* Adds the device's counters that changed between the readings, fastest first. */
void frame_add_counters(struct frame *frame, const struct host *before, const struct host *now,
                        const char *device, double seconds);
/* Adds the users of host's devices, as found by users_find(). */
void frame_add_users(struct frame *frame, const struct host *host);
void frame_add_event(struct frame *frame, const struct event *event);
/* Adds those of another one, which is empty then. */
void frame_take_events(struct frame *frame, struct frame *from);

/* Keeps only the named ports: DEVICE, DEVICE/PORT, DEVICE:PORT, a netdev, or a pattern for one of them (see
 * text_matches()). Keeps all if there are no names. */
void frame_select(struct frame *frame, char *const *names, size_t count);

/* All ports together. */
struct frame_port frame_totals(const struct frame *frame);
/* Share of the port's rate, 0 to 1 or more; not known unless both are. */
struct rate frame_share(const struct frame_port *port, enum flow bytes);
/* Mean bytes per packet, both directions. */
struct rate frame_packet_size(const struct frame_port *port);
struct rate rate_sum(struct rate a, struct rate b); /* of those known */

/* "sent_bytes" */
const char *flow_name(enum flow flow);

/* A frame as a line of JSON, from a file that somebody else may have written. Pure. */

enum {
    FRAME_LINE_MOST = 8 << 20, /* bytes per line */
    FRAME_ROWS_MOST = 8192,    /* of ports, counters, users, events: more than any machine has */
    FRAME_TEXT_MOST = 1024,    /* bytes of a text */
};

/* Rows of one kind. */
struct frame_list {
    const char *key;
    const struct attribute *fields; /* in JSON's order; one without a key ends them */
    size_t size, rows, count;       /* of a row; offsets in struct frame of the rows and their count */
};
extern const struct frame_list frame_counters, frame_users, frame_events;

struct frame_fault {
    char what[256];
};

/* Parses a line written by `roce top --record` or `roce history record`. The latter's may hold only what
 * changed since the line before it, whose frame is `before` (NULL: none was read); the new frame holds the
 * rest, too. All texts are clean. Returns 0, and the caller frees *frame; or fault says what is wrong: -EINVAL;
 * -ENOTSUP: a newer roce wrote it.
 */
int frame_parse(const char *text, size_t len, struct frame *before, struct frame **frame,
                struct frame_fault *fault);
/* Does frame_parse() read this key of a port? The others' values follow from these. */
bool frame_reads_port_key(const char *key);
/* The port of that name; NULL if there is none. */
struct frame_port *frame_find_port(const struct frame *frame, const char *device, uint32_t number);
