/* SPDX-License-Identifier: MIT */
/* Every wait of a test has an end: a limit in time, an interrupt, or the peer that hangs up. And the clock
 * that hot loops read. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

uint64_t wait_now(void); /* ns of CLOCK_MONOTONIC */

/* From a signal handler: all waits of the program end with -EINTR from now on. */
void wait_interrupt(void);
bool wait_interrupted(void);

struct watch {
    uint64_t until; /* ns, as wait_now() */
    uint64_t end;   /* the same, beyond which nothing is renewed; 0: no such limit */
    int fd;         /* of the peer's control connection; -1: none. Anything to read there ends the wait */
    bool naps;      /* who spins in vain for SPIN_NS sleeps between polls: the other side may be no friend */
    bool yield;     /* more threads spin than there are CPUs: give the CPU away between polls */
    bool peer_may_speak; /* what there is to read ends no wait, only a hang-up does */
};

struct watch watch_for(unsigned milliseconds, int fd);
/* 0, -ETIMEDOUT, -EINTR, -ECONNRESET (the peer spoke or hung up). */
int watch_check(const struct watch *watch);
/* Did the peer hang up, rather than speak? */
bool watch_hung_up(const struct watch *watch);
/* Something has moved: the limit counts from now. watch->end stays. */
void watch_renew(struct watch *watch, unsigned milliseconds);
/* Who finds something to do at every look never waits: every 256th call looks at the clock. Is watch->end over? */
static inline bool watch_has_ended(const struct watch *watch, unsigned *calls)
{
    return watch->end && (++*calls & 255) == 0 && wait_now() >= watch->end;
}
/* What is left, for poll(2): milliseconds, at least 0, at most 100 (so that an interrupt is seen). */
int watch_slice(const struct watch *watch);
/* Waits until fd (no peer's connection) can be read. 0 or as watch_check. */
int watch_readable(const struct watch *watch, int fd);

/* For a system call that sleeps for as long as the kernel likes: from watch_alarm() to alarm_end() a signal
 * breaks off what this thread sleeps in (EINTR) when the watch's time is over. */
struct alarm {
    timer_t timer;
    bool set;
};
struct alarm watch_alarm(const struct watch *watch);
void alarm_end(struct alarm *alarm);

/* Called after every poll that found nothing: now and then it looks at the watch. */
struct spin {
    unsigned count;
    unsigned nap;   /* us, the last one; 0: there was none yet */
    uint64_t since; /* wait_now() of the first look; 0: none yet */
};
/* Something has moved. */
static inline void spin_renew(struct spin *spin)
{
    spin->nap = 0;
    spin->since = 0;
}
int spin_slow(struct spin *spin, const struct watch *watch);
static inline int spin_wait(struct spin *spin, const struct watch *watch)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
    if (++spin->count & (watch->yield || spin->nap ? 3 : 255))
        return 0;
    return spin_slow(spin, watch);
}

/* A counter of constant rate that costs no system call. */
static inline uint64_t ticks_now(void)
{
#if defined(__x86_64__)
    uint32_t low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return (uint64_t)high << 32 | low;
#elif defined(__aarch64__)
    uint64_t ticks;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
#else
    return wait_now();
#endif
}

/* Both clocks read at the start of a measurement; the rate follows from reading them again at its end. */
struct ticks_start {
    uint64_t ticks, ns;
};
struct ticks_start ticks_start(void);
double ticks_ns(const struct ticks_start *start); /* nanoseconds a tick, since start */
