/* SPDX-License-Identifier: MIT */
/* What a test's queue pairs need besides verbs: an end to each wait, socket addresses, source ports, a NUMA
 * node. */
#pragma once

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <time.h>

/* Every wait of a test has an end: a limit in time, an interrupt, or the peer that hangs up. And the clock
 * that hot loops read. */

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
/* Who finds something to do at every look never waits: every 256th call looks at the clock. Is watch->end over?
 */
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

/* Socket addresses: as people write them, and as GIDs. */

enum { ADDRESS_TEXT_SIZE = 80, HOST_NAME_SIZE = 254 };

/* "10.0.0.1", "10.0.0.1:700", "fe80::1%eth0", "[2001:db8::1]:700"; numeric only. 0 or -EINVAL. */
int address_parse(const char *text, uint16_t port, struct sockaddr_storage *address, socklen_t *len);
/* "node7", "node7.example.com:700": a name that DNS or /etc/hosts can have, one letter in it at least. port
 * stays when text has none. 0 or -EINVAL. */
int address_name(const char *text, char name[static HOST_NAME_SIZE], uint16_t *port);
/* Without the port: "10.0.0.1", "fe80::1%eth0". */
void address_host_text(const struct sockaddr_storage *address, char text[static ADDRESS_TEXT_SIZE]);
void address_text(const struct sockaddr_storage *address, char text[static ADDRESS_TEXT_SIZE]);
/* As the GID that the address would make. */
void address_gid(const struct sockaddr_storage *address, uint8_t gid[static 16]);
/* The address of a GID, as a socket address; link-local ones get the scope ifindex. */
socklen_t gid_sockaddr(const uint8_t gid[static 16], uint16_t port, uint32_t ifindex,
                       struct sockaddr_storage *address);

/* The UDP source port of a RoCE v2 queue pair: what the switches of an ECMP fabric choose a path by. Pure. */

/* How a driver chooses the port of an RC queue pair. */
enum port_rule {
    PORT_OWN,      /* in a way of its own, or it isn't known how */
    PORT_BY_LABEL, /* from the flow label of the address vector, as the kernel's rdma_get_udp_sport() */
    PORT_RULES
};

/* driver: as struct device has it, NULL: not known. old_rxe: soft-RoCE of Linux before 6.0. These call
 * rdma_get_udp_sport() as they connect an RC queue pair: rxe (rxe_verbs.c; before 5.17 a hash of its own),
 * mlx5 (qp.c), irdma, mana, ionic and hns. */
enum port_rule port_rule_of(const char *driver, bool old_rxe);

/* ibv_flow_label_to_udp_sport() of verbs.h. Many labels give one port. */
uint16_t port_of_label(uint32_t label);
/* A label that gives this port (0xc000 to 0xffff). Never 0, which asks the driver to choose. */
uint32_t label_of_port(uint16_t port);

/* Number i of the ports that are tried: no two of PORTS_OF_ROCE are equal, and those that follow each other
 * are far apart. Always the same ones, so that two runs can be compared. */
enum { PORTS_OF_ROCE = 0x4000 };
uint16_t port_to_try(unsigned i);

/* On which NUMA node a test's memory is and its thread runs, by system calls alone. */

enum { PLACEMENT_CPUS = 8192, PLACEMENT_NODES = 1024 };

/* CPUs that a thread may run on. */
struct placement {
    unsigned long cpus[PLACEMENT_CPUS / (8 * sizeof(unsigned long))];
};

/* Pages of a mapping that nobody has touched come from that node, or not at all (mbind(2), MPOL_BIND). 0 or
 * -errno. */
int placement_bind(void *memory, size_t len, unsigned node);
/* Has this thread run on these CPUs ("0-15,32") alone. was: what it might run on before. 0 or -errno;
 * -EINVAL: no such CPU. */
int placement_run_on(const char *cpus, struct placement *was);
/* Back to where it was. */
int placement_restore(const struct placement *was);
