/* SPDX-License-Identifier: MIT */
/* What the kernel's tracepoints tell of RDMA connections: their formats and rings, the events, and the
 * connections that follow from them. Bytes in, steps out: nothing here opens, waits or prints. Pure.
 *
 * Kernel sources: drivers/infiniband/core/cma_trace.h (rdma_cma), cm_trace.h (ib_cma),
 * include/trace/events/ib_mad.h. The kernel promises none of it, so every event and field goes by its name. */
#pragma once

#include "model/num.h"

/* -- events ---------------------------------------------------------------------------------------------- */

enum trace_point {
    POINT_ATTACH, /* a CM id got a device */
    POINT_EVENT,  /* RDMA_CM tells its user of an event */
    POINT_REQUEST,
    POINT_REPLY,
    POINT_READY,
    POINT_REJECT,
    POINT_DISCONNECT,
    POINT_DESTROY,
    POINT_QUEUE, /* a kernel user made its queue pair */
    POINT_IB_REQUEST,
    POINT_IB_REPLY,
    POINT_IB_REJECT,
    POINT_IB_ISSUED, /* a REJ without a connection: of a request that nobody waits for, among others */
    POINT_IB_UNHEARD,
    POINT_SENT,     /* a REQ or DREQ of the connection manager's, each time that it is sent */
    POINT_RECEIVED, /* an MRA of its */
    POINT_MODIFIED, /* no tracepoint: ib_modify_qp_with_udata() returned */
    TRACE_POINTS
};

/* Numbers that fields hold. */
enum trace_number {
    TRACE_ID, /* of the CM id; 0 until it has a device, and the first one's, too */
    TRACE_TOS,
    TRACE_QP,
    TRACE_KIND,   /* enum rdma_cm_event_type */
    TRACE_STATUS, /* -errno, or a reject reason; of a step, what a call returned */
    TRACE_LOCAL,  /* the connection manager's own ids, 32 bits as both ends know them */
    TRACE_REMOTE,
    TRACE_REASON, /* of a REJ */
    TRACE_CLASS,
    TRACE_MESSAGE,     /* attribute id of a MAD: MAD_… */
    TRACE_TRANSACTION, /* of a MAD: its low 32 bits are the first sender's local id, bytes turned */
    TRACE_LEFT,        /* resends left, of so many: */
    TRACE_RESENDS,
    TRACE_MASK, /* of ibv_modify_qp */
    TRACE_TOOK, /* microseconds that it took */
    TRACE_NUMBERS
};

/* Attribute ids of the connection manager's MADs (rdma/ib_cm.h), and their class. */
enum { MAD_REQ = 0x10, MAD_MRA = 0x11, MAD_DREQ = 0x15, MAD_CM_CLASS = 7 };

/* What the kernel calls these fields, and a recording. */
extern const char *const trace_number_names[TRACE_NUMBERS];

/* As a GID: IPv4 is ::ffff:a.b.c.d. */
struct trace_address {
    bool known; /* the kernel writes none with family 0 */
    uint16_t port;
    uint8_t raw[16];
};
enum { TRACE_ADDRESS_SIZE = 64 };
/* "10.0.0.1:7471", "[fe80::1]:7471"; "" if not known. */
void trace_address_format(const struct trace_address *address, char text[static TRACE_ADDRESS_SIZE]);
/* Parses that. False if it isn't one. */
bool trace_address_parse(const char *text, struct trace_address *address);

enum { TRACE_NAME_SIZE = 64, TRACE_TASK_SIZE = 16 };

struct trace_event {
    uint64_t time_us; /* CLOCK_MONOTONIC of the host */
    enum trace_point point;
    uint32_t cpu, pid, tid;
    char task[TRACE_TASK_SIZE]; /* name of the process; "": not known */
    uint32_t known;             /* bits, 1 << TRACE_…: which numbers are */
    int64_t numbers[TRACE_NUMBERS];
    struct trace_address from, to;
    char device[TRACE_NAME_SIZE]; /* "": not told */
};
static inline bool trace_has(const struct trace_event *event, enum trace_number number)
{
    return event->known >> number & 1;
}
void trace_put(struct trace_event *event, enum trace_number number, int64_t value);

/* -- formats --------------------------------------------------------------------------------------------- */

/* Where tracefs has the format: events/SYSTEM/NAME/format. Kernels call some events otherwise. */
struct trace_point_name {
    const char *system, *name; /* NULL: it is none of tracefs' */
    bool needed;               /* without it most of what a connection does isn't seen */
};
extern const struct trace_point_name trace_point_names[TRACE_POINTS];
/* Which of an event's are of use, as perf's filter: without it a connection costs the kernel twenty more. NULL:
 * all. Static. */
const char *trace_point_filter(enum trace_point point);

enum { TRACE_FIELDS = TRACE_NUMBERS + 3 };
struct trace_format {
    uint32_t id; /* what begins each raw record, and what perf_event_open() takes */
    struct trace_place {
        uint16_t offset, size; /* size 0: this kernel has no such field */
        bool is_signed;
        bool elsewhere; /* __data_loc: offset and length of the bytes */
    } places[TRACE_FIELDS];
};
/* Parses a format file. Returns 0, or -EBADMSG without an id or a field. */
int trace_format_parse(const char *text, size_t len, struct trace_format *format);
/* Takes the fields of a raw record of that format, bytes in this machine's order. Returns 0, or -EBADMSG if it
 * is too short for a field. Leaves time, CPU and task alone. */
int trace_decode(const struct trace_format *format, const uint8_t *raw, size_t len, struct trace_event *event);

/* What a queue pair's step is, by its mask of attributes (enum ib_qp_attr_mask): the state that it leads to. */
enum trace_queue_step { QUEUE_OTHER, QUEUE_INIT, QUEUE_RTR, QUEUE_RTS };
enum trace_queue_step trace_queue_step(uint64_t mask);

/* -- perf's rings (perf_event_open(2)) ------------------------------------------------------------------- */

enum { TRACE_RECORD_MOST = 1 << 16 };
struct trace_ring {
    const uint8_t *data;
    uint64_t size;       /* bytes, a power of two */
    uint64_t head, tail; /* the kernel's end and ours; they never wrap */
};
struct trace_record {
    enum trace_record_kind { RECORD_OTHER, RECORD_SAMPLE, RECORD_LOST, RECORD_NAME } kind;
    uint32_t pid, tid, cpu;
    uint64_t time_ns;
    const uint8_t *raw; /* of a sample; in scratch */
    size_t len;
    uint64_t registers[2]; /* of a probe's sample: the first two that were asked for */
    bool has_registers;
    uint64_t lost;
    const char *name; /* a program was started: the process's new name; in scratch */
};
/* What the attr of each event must ask for, so that samples are read: PERF_SAMPLE_TID | TIME | CPU | RAW. */
enum { TRACE_SAMPLE = 1 << 1 | 1 << 2 | 1 << 7 | 1 << 10 };
/* Of a probe's, PERF_SAMPLE_REGS_INTR as well. */
enum { TRACE_PROBE_SAMPLE = TRACE_SAMPLE | 1 << 18 };
/* Takes the next record, through scratch (TRACE_RECORD_MOST bytes), and moves the tail. Returns 1; 0 if there
 * is none; -EBADMSG if the ring makes no sense: the tail is then at the head, and what was between is lost. */
int trace_ring_next(struct trace_ring *ring, uint8_t *scratch, struct trace_record *record);

/* What rings tell, put in order of time: each has a CPU's own. Of a call that is probed both ends come, and
 * between them whom it leads to, with a thread's id; its event is told when it returns. */
struct trace_heard {
    enum trace_heard_kind { HEARD_EVENT, HEARD_CALL, HEARD_RETURN, HEARD_WAY } kind;
    uint64_t function;        /* of a call and its return: the address */
    struct trace_event event; /* of a call: the mask; of a return: the status; of a way: from and to */
};
struct trace_queue;
struct trace_queue *trace_queue_new(void);
void trace_queue_free(struct trace_queue *queue);
void trace_queue_put(struct trace_queue *queue, const struct trace_heard *heard);
size_t trace_queue_count(const struct trace_queue *queue);
/* When the oldest was; UINT64_MAX: there is none. */
uint64_t trace_queue_oldest(struct trace_queue *queue);
/* Takes the next event, if it is of that time or before. A call whose return the kernel missed (5.10 has places
 * for as many returns as CPUs: register_kretprobe()) is told without status once its thread goes on. False:
 * there is none. */
bool trace_queue_next(struct trace_queue *queue, uint64_t until_us, struct trace_event *event);
/* Has a function returned, since this was asked last, whose call isn't known? Of those that are probed at their
 * return alone. */
bool trace_queue_returned(struct trace_queue *queue);

/* -- the stream as it is kept: a JSON object a line ------------------------------------------------------ */

struct trace_line {
    enum trace_line_kind {
        LINE_HEAD,  /* text: the kernel's release; number: which events it has, 1 << POINT_… */
        LINE_CLOCK, /* time of day at time_us, in milliseconds since 1970 */
        LINE_EVENT,
        LINE_OWNER,  /* who has a connection, as nldev's list of CM ids and /proc say: event.pid (0: a kernel
                      * service) and task; without event.to it listens; number: is it connected? */
        LINE_PLACE,  /* text: the container, job or unit of process number */
        LINE_LOST,   /* so many events */
        LINE_DEVICE, /* text: a device of iWARP */
        LINE_NOW,    /* text: what is so now of the way to event.to; see view/trace.h */
        LINE_LOG,    /* text: the kernel's log has it, about event.device ("": a service) */
        LINE_MOVED,  /* text: counters of a port, event.device, that told of trouble in the last number µs */
        LINE_END,
    } kind;
    uint64_t time_us, number;
    char text[512];
    struct trace_event event;
};
void trace_line_write(const struct trace_line *line, struct bytes *out);
/* Parses a line without its newline; it may come from anywhere. Returns 0, or -EBADMSG. */
int trace_line_parse(const char *text, size_t len, struct trace_line *line);
/* The line at *text, which then is behind it. Returns 1; 0 at the end; -EBADMSG. */
int trace_line_next(const char **text, struct trace_line *line);

/* -- connections ----------------------------------------------------------------------------------------- */

/* X(kind, what JSON calls it); the failures begin with STEP_OF_EVENT. */
#define TRACE_STEPS_ALL(X)                                                                      \
    X(START, "start")                                                                           \
    X(REQUEST, "request-sent")                                                                  \
    X(ASKED, "request-came")                                                                    \
    X(ACCEPT, "accepted")                                                                       \
    X(CONNECTED, "connected")                                                                   \
    X(CLOSED, "closed")                                                                         \
    X(ENDED, "given-back")      /* without a close: the process ended, or didn't care */        \
    X(WAITING, "still-waiting") /* for an answer */                                             \
    X(CLOSING, "still-closing") /* for one to its close */                                      \
    X(MOVED, "address-changed") /* another MAC here: a bond's, mostly */                        \
    X(QUEUE, "queue-pair")      /* a step of one */                                             \
    X(APPEARED, "appeared")     /* in the kernel's lists, which are all that is seen */         \
    X(GONE, "gone")                                                                             \
    X(GAP, "gap")                 /* events were lost */                                        \
    X(UNKNOWN, "unknown")         /* it is over, and how got lost */                            \
    X(COUNTERS, "counters-moved") /* of trouble, since queue pairs reached RTS */               \
    X(EVENT, "event")             /* RDMA_CM's own: event and status tell which */              \
    X(NEIGHBOUR, "peer-moved")    /* of a connection: the peer's MAC changed */                 \
    X(REFUSED, "refused-here")    /* by the program here */                                     \
    X(DROPPED, "dropped-here")    /* the program here gave it back without an answer */         \
    X(UNHEARD, "nobody-listens-here")                                                           \
    X(TURNED_DOWN, "turned-down-here") /* by the kernel here, before a program saw it */        \
    X(GIVEN_UP, "given-up")            /* by the program here, before an answer came */         \
    X(NO_ADDRESS, "no-address")        /* the call that would find a way was refused at once */ \
    X(NO_ROUTE, "no-route")                                                                     \
    X(NO_CONNECT, "no-connect")                                                                 \
    X(NO_BIND, "no-bind")                                                                       \
    X(NO_QUEUE, "no-queue-pair") /* one couldn't be made, or moved on */
#define TRACE_STEP_MEMBER(kind, name) STEP_OF_##kind,
enum trace_step_kind { TRACE_STEPS_ALL(TRACE_STEP_MEMBER) TRACE_STEPS, STEPS_FAILED = STEP_OF_EVENT };
/* One word for programs: "request-sent". */
const char *trace_step_name(enum trace_step_kind kind);

/* RDMA_CM's events (enum rdma_cm_event_type of rdma/rdma_cm.h), in order. */
#define CM_EVENTS_ALL(X) \
    X(ADDR_RESOLVED)     \
    X(ADDR_ERROR)        \
    X(ROUTE_RESOLVED)    \
    X(ROUTE_ERROR)       \
    X(CONNECT_REQUEST)   \
    X(CONNECT_RESPONSE)  \
    X(CONNECT_ERROR)     \
    X(UNREACHABLE)       \
    X(REJECTED)          \
    X(ESTABLISHED)       \
    X(DISCONNECTED)      \
    X(DEVICE_REMOVAL) X(MULTICAST_JOIN) X(MULTICAST_ERROR) X(ADDR_CHANGE)
#define CM_EVENT_MEMBER(name) CM_##name,
enum cm_event { CM_EVENTS_ALL(CM_EVENT_MEMBER) CM_EVENTS };

enum trace_side { SIDE_UNKNOWN, SIDE_CLIENT, SIDE_SERVER };

struct trace_step {
    enum trace_step_kind kind;
    uint64_t time_us;
    enum trace_side side;          /* which end is here */
    struct trace_address from, to; /* client and server */
    char device[TRACE_NAME_SIZE], name[TRACE_TASK_SIZE];
    bool iwarp, in_kernel, by_peer; /* by_peer: closed by the other end */
    struct num pid, qp, took_us, tries, tries_most, event, tos;
    struct snum status;
    bool taken;                     /* MRA: the peer's kernel has the request */
    struct num local_id, remote_id; /* the connection manager's: the other end's are these, swapped */
    struct num mask;                /* of a queue pair's step */
    uint64_t lost;
    uint64_t connection; /* the same for all steps of one; 0: of none */
    const char *state;   /* of what appeared: the kernel's word; of counters: which moved, and by how much */
};
/* The errno that its status is, positive; 0 if it is none. */
int trace_step_errno(const struct trace_step *step);
/* Of a failure: "REJECTED 8", "ADDR_ERROR, connection timed out (ETIMEDOUT)", "refused-here". */
enum { TRACE_CAUSE_SIZE = 96 };
void trace_step_cause(const struct trace_step *step, char text[static TRACE_CAUSE_SIZE]);

struct tracer;
typedef void trace_tell(void *data, const struct trace_step *step);
struct tracer *tracer_new(trace_tell *tell, void *data);
void tracer_free(struct tracer *tracer); /* NULL is fine */
/* Takes a line of the stream, in order of time, which goes on with it. Owners before the first event are of
 * connections that are there already; after a loss, what is open may have ended unseen. */
void tracer_take(struct tracer *tracer, const struct trace_line *line);
/* Time goes on: tells who waits, and what was held back because nobody knew whose it is. */
void tracer_tick(struct tracer *tracer, uint64_t time_us);
/* Is something held back, so that nldev should be asked? */
bool tracer_wonders(const struct tracer *tracer);
bool tracer_wonders_about(struct tracer *tracer, const struct trace_event *owner); /* this one's? */
/* A kernel that has a process's name as this one's: not a program's. */
bool trace_is_kernel_task(const char *name);
