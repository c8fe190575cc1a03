/* SPDX-License-Identifier: MIT */
/* Completions with the device's time stamps: a device that has them, made of the functions that a provider
 * gives libibverbs; and what is made of it where it tells host from network. */
#include <criterion/criterion.h>
#include <endian.h>

#include "selftest/queues/queue.h"
#include "selftest/trial/exchange.h"

enum { MHZ_156 = 156250, GIGA = 1000000000 };

/* ---- the device */

static struct {
    uint64_t clock, mask, khz; /* now */
    bool no_clock, refuses;
    struct {
        uint64_t id, stamp;
        enum ibv_wc_status status;
    } completions[4];
    int count, at;
    unsigned ends;
    uint64_t flags; /* that were asked for */
} device;

static int query_device(struct ibv_context *context, const struct ibv_query_device_ex_input *input,
                        struct ibv_device_attr_ex *attr, size_t size)
{
    (void)context, (void)input;
    memset(attr, 0, size);
    attr->completion_timestamp_mask = device.mask;
    attr->hca_core_clock = device.khz;
    return 0;
}

/* As mlx5: cycles in the nanoseconds. */
static int query_clock(struct ibv_context *context, struct ibv_values_ex *values)
{
    (void)context;
    if (device.no_clock)
        return EOPNOTSUPP;
    values->comp_mask = IBV_VALUES_MASK_RAW_CLOCK;
    values->raw_clock = (struct timespec){ .tv_nsec = (long)device.clock };
    return 0;
}

static int show(struct ibv_cq_ex *cq)
{
    if (device.at >= device.count)
        return ENOENT;
    cq->wr_id = device.completions[device.at].id;
    cq->status = device.completions[device.at].status;
    return 0;
}

static int start(struct ibv_cq_ex *cq, struct ibv_poll_cq_attr *attr)
{
    (void)attr;
    return show(cq);
}

static int next(struct ibv_cq_ex *cq)
{
    device.at++;
    return show(cq);
}

static void end(struct ibv_cq_ex *cq)
{
    (void)cq;
    device.at++;
    device.ends++;
}

static uint64_t stamp_of(struct ibv_cq_ex *cq)
{
    (void)cq;
    return device.completions[device.at].stamp;
}

static uint32_t bytes_of(struct ibv_cq_ex *cq)
{
    (void)cq;
    return EXCHANGE_STAMP + GRH_SIZE;
}

static uint32_t queue_of(struct ibv_cq_ex *cq)
{
    (void)cq;
    return 7;
}

static unsigned flags_of(struct ibv_cq_ex *cq)
{
    (void)cq;
    return IBV_WC_GRH;
}

static uint32_t vendor_of(struct ibv_cq_ex *cq)
{
    (void)cq;
    return 0x81;
}

static struct ibv_cq_ex cq = { .start_poll = start,
                               .next_poll = next,
                               .end_poll = end,
                               .read_completion_ts = stamp_of,
                               .read_byte_len = bytes_of,
                               .read_src_qp = queue_of,
                               .read_wc_flags = flags_of,
                               .read_vendor_err = vendor_of };

static struct ibv_cq_ex *create(struct ibv_context *context, struct ibv_cq_init_attr_ex *init)
{
    device.flags = init->wc_flags;
    cq.context = context;
    errno = EOPNOTSUPP;
    return device.refuses ? NULL : &cq;
}

static struct verbs_context verbs = { .query_device_ex = query_device,
                                      .query_rt_values = query_clock,
                                      .create_cq_ex = create,
                                      .sz = sizeof(verbs),
                                      .context = { .abi_compat = __VERBS_ABI_IS_EXTENDED } };
static struct stamps stamps;

static void setup(void)
{
    memset(&device, 0, sizeof(device));
    device.mask = UINT64_MAX;
    device.khz = MHZ_156;
    device.clock = 1000000;
}

TestSuite(stamps, .init = setup);

static struct ibv_cq *open_it(void)
{
    return stamps_open(&verbs.context, 64, NULL, &stamps);
}

static void completes(uint64_t id, uint64_t stamp, enum ibv_wc_status status)
{
    device.completions[device.count].id = id;
    device.completions[device.count].stamp = stamp;
    device.completions[device.count++].status = status;
}

/* ---- what is made of it */

Test(stamps, how_long_ago)
{
    struct ibv_wc wc[4];
    uint64_t ages[4];
    cr_assert_eq(open_it(), ibv_cq_ex_to_cq(&cq));
    cr_assert(device.flags & IBV_WC_EX_WITH_COMPLETION_TIMESTAMP);
    completes(11, 1000000 - 15625, IBV_WC_SUCCESS); /* 100 µs */
    completes(12, 1000000 - 156250, IBV_WC_SUCCESS);
    completes(13, 0, IBV_WC_WR_FLUSH_ERR);
    cr_assert_eq(stamps_poll(&stamps, 2, wc, ages), 2);
    cr_assert_eq(device.ends, 1);
    cr_assert_eq(wc[0].wr_id, 11);
    cr_assert_eq(wc[0].byte_len, EXCHANGE_STAMP + GRH_SIZE);
    cr_assert_eq(wc[0].src_qp, 7);
    cr_assert_eq(wc[0].wc_flags, IBV_WC_GRH);
    cr_assert_eq(ages[0], 100000);
    cr_assert_eq(ages[1], 1000000);
    cr_assert_eq(stamps_poll(&stamps, 4, wc, ages), 1);
    cr_assert_eq(wc[0].status, IBV_WC_WR_FLUSH_ERR);
    cr_assert_eq(wc[0].vendor_err, 0x81);
    cr_assert_eq(ages[0], STAMPS_NO_AGE);
    cr_assert_eq(stamps_poll(&stamps, 4, wc, ages), 0);
    cr_assert_eq(device.ends, 2, "nothing was there to end");
}

Test(stamps, a_clock_that_begins_anew)
{
    struct ibv_wc wc[4];
    uint64_t ages[4];
    device.mask = 0xffffffffffff;
    device.clock = 15;
    cr_assert(open_it());
    completes(1, 0xffffffffffff - 15609, IBV_WC_SUCCESS); /* 15625 before */
    completes(2, 16, IBV_WC_SUCCESS);                     /* what is to come */
    cr_assert_eq(stamps_poll(&stamps, 4, wc, ages), 2);
    cr_assert_eq(ages[0], 100000);
    cr_assert_eq(ages[1], STAMPS_NO_AGE);
}

Test(stamps, devices_without)
{
    device.no_clock = true;
    cr_assert_null(open_it(), "irdma: it stamps, but nobody can tell the time now");
    device.no_clock = false;
    device.refuses = true;
    cr_assert_null(open_it());
    device.refuses = false;
    device.mask = 0;
    cr_assert_null(open_it());
    device.mask = UINT64_MAX;
    device.khz = 0;
    cr_assert_null(open_it());
    cr_assert_null(stamps.cq);
}

/* ---- an exchange of datagrams by it */

static struct ibv_send_wr sent;
static uint8_t buffer[3 * ENDPOINT_MARGIN + 65536];
static uint64_t words[2];
static const struct exchange_plan plan = { .datagrams = true, .count = 1 };

static int post_send(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad)
{
    (void)qp, (void)bad;
    sent = *wr;
    memcpy(words, (const void *)(uintptr_t)wr->sg_list->addr, sizeof(words));
    return 0;
}

static int post_recv(struct ibv_qp *qp, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad)
{
    (void)qp, (void)wr, (void)bad;
    return 0;
}

static struct ibv_cq plain_cq = { .context = &verbs.context }, send_cq = { .context = &verbs.context };

/* By the way that every device has: what came is there, without a time. */
static int poll_plain(struct ibv_cq *of, int count, struct ibv_wc *wc)
{
    (void)count;
    if (of != &plain_cq || device.at >= device.count)
        return 0;
    device.at++;
    *wc = (struct ibv_wc){ .byte_len = EXCHANGE_STAMP + GRH_SIZE, .src_qp = 7, .wc_flags = IBV_WC_GRH };
    return 1;
}

static struct ibv_mr mr;
static struct endpoint endpoint = {
    .buffer = buffer, .half = ENDPOINT_MARGIN + 32768, .size = 32768, .mr = &mr
};
static struct ibv_qp qp = { .context = &verbs.context };
static struct queue datagrams = { .end = &endpoint,
                                  .kind = QUEUE_UD,
                                  .qp = &qp,
                                  .send_cq = &send_cq,
                                  .sends = 128,
                                  .receives = 128,
                                  .remote_qpn = 7,
                                  .remote_gid = { [10] = 0xff, 0xff, 10, 0, 0, 2 } };
static struct set set = { .end = &endpoint, .count = QUEUE_KINDS, .queues = { [QUEUE_UD] = &datagrams } };
static struct exchange x;

/* A datagram that came so many µs ago by the device's clock: an IPv4 header behind 20 bytes, then two words. */
static void datagram_came(unsigned us, uint64_t number, uint64_t word)
{
    uint8_t *at = endpoint_rx(&endpoint);
    const uint64_t said[2] = { htobe64(number), htobe64(word) };
    memset(at, 0, GRH_SIZE);
    at[20] = 0x45;
    at[21] = 104;
    memcpy(at + 32, (const uint8_t[]){ 10, 0, 0, 2, 10, 0, 0, 1 }, 8);
    memcpy(at + GRH_SIZE, said, sizeof(said));
    device.at = device.count = 0;
    completes(0, device.clock - us * 156250ull / 1000, IBV_WC_SUCCESS);
}

/* The last that was told. */
static struct {
    uint64_t number, held;
} answer;

static void on_answer(void *data, uint64_t number, uint64_t held)
{
    (void)data;
    answer.number = number;
    answer.held = held;
}

static void begin(bool leads)
{
    struct failure failure;
    memcpy(endpoint.gid.raw, (const uint8_t[]){ [10] = 0xff, 0xff, 10, 0, 0, 1 }, 16);
    verbs.context.ops.post_send = post_send;
    verbs.context.ops.post_recv = post_recv;
    verbs.context.ops.poll_cq = poll_plain;
    datagrams.recv_cq = open_it();
    datagrams.stamps = stamps;
    cr_assert_eq(exchange_begin(&x, &plan, &set, leads, &failure), 0);
    x.on_answer = on_answer;
    x.began -= GIGA; /* a second ago */
}

Test(stamps, an_answer_says_how_long_it_was_kept)
{
    begin(false);
    datagram_came(500000, 3, 1);
    cr_assert(exchange_step(&x));
    cr_assert_eq(x.seen[0].received, 1);
    cr_assert_eq(x.seen[0].traffic_class, 104);
    cr_assert_eq(be64toh(words[0]), 3);
    cr_assert(be64toh(words[1]) >> 63, "by the device's clock");
    uint64_t kept = be64toh(words[1]) & ~(1ull << 63);
    cr_assert_geq(kept, 500000000);
    cr_assert_lt(kept, 900000000);
    cr_assert_eq(x.seen[0].held, kept);
}

/* A clock that runs on elsewhere: the program's own has to do. */
Test(stamps, what_came_before_it_was_asked_for_is_not_believed)
{
    begin(false);
    x.looked = wait_now();
    datagram_came(5000000, 3, 1);
    cr_assert(exchange_step(&x));
    cr_assert_lt(be64toh(words[1]), 400000000);
    cr_assert_not(be64toh(words[1]) >> 63);
}

Test(stamps, an_answer_that_lay_here)
{
    begin(true);
    datagram_came(300000, 5, 1ull << 63 | 40000);
    cr_assert(exchange_step(&x));
    cr_assert_eq(answer.number, 5);
    cr_assert_eq(answer.held, 40000);
    cr_assert_geq(x.waited, 300000000);
    cr_assert_lt(x.waited, 800000000);
    cr_assert_not(x.host_clock);
    cr_assert_not(x.peer_host_clock);
    datagram_came(1000, 6, 70000);
    cr_assert(exchange_step(&x));
    cr_assert_eq(answer.held, 70000);
    cr_assert(x.peer_host_clock, "the other end has none");
    cr_assert_not(x.host_clock);
}

Test(stamps, without_them_from_the_look_before)
{
    device.mask = 0;
    begin(true);
    cr_assert_null(datagrams.recv_cq);
    datagrams.recv_cq = &plain_cq;
    x.looked -= GIGA / 2;
    datagram_came(0, 5, 40000);
    cr_assert(exchange_step(&x));
    cr_assert_eq(answer.number, 5);
    cr_assert_geq(x.waited, GIGA / 2);
    cr_assert(x.host_clock);
    cr_assert(x.peer_host_clock);
}
