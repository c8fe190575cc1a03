/* SPDX-License-Identifier: MIT */
/* How long a test waits, where its memory and thread are, and which UDP source ports it tries. */
#include "selftest/queues/wait.h"

#include <infiniband/verbs.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>

#include "model/num.h"

/* A cooperating peer answers within SPIN_NS; for others, each nap is half as long again as the last. */
enum { SPIN_NS = 2000000, NAP_LEAST = 50, NAP_MOST = 20000 };
/* A software device's request is taken by a thread of the kernel, which runs at once if this one yields; but
 * one that yields while an answer of several packets comes in runs again behind all that follows them. Looks
 * without success: measured with rxe on one CPU, reads of 4 KiB took 470 µs with yields throughout, 397 so. */
enum { YIELD_FIRST = 16, YIELD_AGAIN = 512 };

static volatile sig_atomic_t interrupted;

uint64_t wait_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

void wait_interrupt(void)
{
    interrupted = 1;
}

bool wait_interrupted(void)
{
    return interrupted;
}

struct watch watch_for(unsigned milliseconds, int fd)
{
    return (struct watch){ .until = wait_now() + (uint64_t)milliseconds * 1000000, .fd = fd };
}

/* The events of the peer that end a wait. */
static short watched(const struct watch *watch)
{
    return watch->peer_may_speak ? POLLRDHUP : POLLIN | POLLRDHUP;
}

int watch_check(const struct watch *watch)
{
    if (interrupted)
        return -EINTR;
    if (wait_now() >= watch->until)
        return -ETIMEDOUT;
    struct pollfd peer = { .fd = watch->fd, .events = watched(watch) };
    return watch->fd >= 0 && poll(&peer, 1, 0) > 0 ? -ECONNRESET : 0;
}

bool watch_hung_up(const struct watch *watch)
{
    struct pollfd peer = { .fd = watch->fd, .events = POLLRDHUP };
    return watch->fd >= 0 && poll(&peer, 1, 0) > 0;
}

void watch_renew(struct watch *watch, unsigned milliseconds)
{
    watch->until = wait_now() + (uint64_t)milliseconds * 1000000;
    if (watch->end && watch->until > watch->end)
        watch->until = watch->end;
}

int watch_slice(const struct watch *watch)
{
    uint64_t now = wait_now();
    if (now >= watch->until)
        return 0;
    uint64_t left = (watch->until - now + 999999) / 1000000;
    return left > 100 ? 100 : (int)left;
}

int watch_readable(const struct watch *watch, int fd)
{
    for (;;) {
        struct pollfd fds[] = { { .fd = fd, .events = POLLIN }, { .fd = watch->fd, .events = watched(watch) } };
        int r = poll(fds, 2, watch_slice(watch));
        if (r < 0 && errno != EINTR)
            return -errno;
        if (r > 0 && fds[0].revents)
            return 0;
        r = watch_check(watch);
        if (r < 0)
            return r;
    }
}

static void on_alarm(int signal)
{
    (void)signal; /* interrupting the call is enough */
}

struct alarm watch_alarm(const struct watch *watch)
{
    struct alarm alarm = { 0 };
    struct sigaction action = { .sa_handler = on_alarm };
    struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGRTMIN };
    /* repeated, in case it came before the call slept */
    struct itimerspec when = { .it_interval.tv_nsec = 100000000,
                               .it_value = { .tv_sec = (time_t)(watch->until / 1000000000),
                                             .tv_nsec = (long)(watch->until % 1000000000) } };
    sigemptyset(&action.sa_mask);
    sigaction(SIGRTMIN, &action, NULL);
    event._sigev_un._tid = (pid_t)syscall(SYS_gettid);
    alarm.set = timer_create(CLOCK_MONOTONIC, &event, &alarm.timer) == 0;
    if (alarm.set)
        timer_settime(alarm.timer, TIMER_ABSTIME, &when, NULL);
    return alarm;
}

void alarm_end(struct alarm *alarm)
{
    if (alarm->set)
        timer_delete(alarm->timer);
    alarm->set = false;
}

/* Looking at the watch costs two system calls, so it is done about every 100 µs, never for each message. */
static bool nap(struct spin *spin)
{
    uint64_t now = wait_now();
    if (!spin->since)
        spin->since = now;
    if (now - spin->since < SPIN_NS)
        return false;
    spin->nap += spin->nap / 2;
    if (spin->nap < NAP_LEAST)
        spin->nap = NAP_LEAST;
    if (spin->nap > NAP_MOST)
        spin->nap = NAP_MOST;
    struct timespec time = { .tv_nsec = (long)spin->nap * 1000 };
    nanosleep(&time, NULL);
    return true;
}

int spin_slow(struct spin *spin, const struct watch *watch)
{
    if (watch->naps && nap(spin))
        return watch_check(watch);
    if (watch->yield && (spin->count <= YIELD_FIRST || spin->count >= YIELD_AGAIN))
        sched_yield();
    if ((spin->count & 4095) && !interrupted)
        return 0;
    return watch_check(watch);
}

struct ticks_start ticks_start(void)
{
    return (struct ticks_start){ .ticks = ticks_now(), .ns = wait_now() };
}

double ticks_ns(const struct ticks_start *start)
{
    uint64_t ticks = ticks_now() - start->ticks, ns = wait_now() - start->ns;
    return ticks ? (double)ns / (double)ticks : 1.0;
}

enum { WORD = CHAR_BIT * sizeof(unsigned long), BIND = 2 /* MPOL_BIND of linux/mempolicy.h */ };

int placement_bind(void *memory, size_t len, unsigned node)
{
    unsigned long nodes[PLACEMENT_NODES / WORD] = { 0 };
    if (node >= PLACEMENT_NODES)
        return -EINVAL;
    nodes[node / WORD] = 1UL << node % WORD;
    /* the kernel reads one bit fewer than it is told (get_nodes() of mm/mempolicy.c) */
    return syscall(SYS_mbind, memory, len, BIND, nodes, (unsigned long)PLACEMENT_NODES, 0) < 0 ? -errno : 0;
}

int placement_run_on(const char *cpus)
{
    unsigned long wanted[PLACEMENT_CPUS / WORD] = { 0 }, first, last;
    while (cpus_next(&cpus, &first, &last))
        for (unsigned long i = first; i <= last && i < PLACEMENT_CPUS; i++)
            wanted[i / WORD] |= 1UL << i % WORD;
    return sched_setaffinity(0, sizeof(wanted), (const cpu_set_t *)wanted) < 0 ? -errno : 0;
}

/* STEP: odd, so that every port is reached; about 0.62 of the range, so that successive ports are far apart. */
enum { FIRST = 0xc000, BITS = 14, STEP = 10127 };

enum port_rule port_rule_of(const char *driver, bool old_rxe)
{
    /* of the parent device: ice or i40e for irdma, hns3 for hns_roce, mana for mana_ib */
    static const char *const by_label[] = {
        "rxe", "mlx5_core", "ice", "i40e", "irdma", "mana", "ionic", "hns3"
    };
    for (size_t i = 0; driver && !old_rxe && i < ARRAY_SIZE(by_label); i++)
        if (strcmp(driver, by_label[i]) == 0)
            return PORT_BY_LABEL;
    return PORT_OWN;
}

uint16_t port_of_label(uint32_t label)
{
    return ibv_flow_label_to_udp_sport(label);
}

uint32_t label_of_port(uint16_t port)
{
    uint32_t low = port & (PORTS_OF_ROCE - 1);
    return low ? low : 1u << BITS | 1;
}

uint16_t port_to_try(unsigned i)
{
    return (uint16_t)(FIRST | (i * STEP & (PORTS_OF_ROCE - 1)));
}
