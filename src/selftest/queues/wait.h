/* SPDX-License-Identifier: MIT */
/* What a test's queue pairs need besides verbs: bounded waits, socket addresses, source ports, NUMA
 * placement. */
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

/* Every wait of a test is bounded: by a time limit, an interrupt, or the peer hanging up. Also the clock that
 * hot loops read. */

uint64_t wait_now(void); /* ns of CLOCK_MONOTONIC */

/* From a signal handler: from now on all waits of the program end with -EINTR. */
void wait_interrupt(void);
bool wait_interrupted(void);

struct watch {
    uint64_t until; /* ns, as wait_now() */
    uint64_t end;   /* absolute limit, which renewing can't exceed; 0: none */
    int fd;         /* of the peer's control connection, which ends the wait when readable; -1: none */
    bool naps;      /* sleep between polls after SPIN_NS without success, as the other side may be hostile */
    bool yield;     /* there are more spinning threads than CPUs: yield between polls */
    bool peer_may_speak; /* only a hang-up ends the wait, not data to read */
};

struct watch watch_for(unsigned milliseconds, int fd);
/* 0, -ETIMEDOUT, -EINTR, -ECONNRESET (the peer spoke or hung up). */
int watch_check(const struct watch *watch);
/* Did the peer hang up, rather than speak? */
bool watch_hung_up(const struct watch *watch);
/* Progress was made: restarts the time limit, but leaves watch->end. */
void watch_renew(struct watch *watch, unsigned milliseconds);
/* For a loop that always finds work and so never waits: every 256th call, -EINTR, or -ETIMEDOUT once watch->end
 * has passed; else 0. */
static inline int watch_busy(const struct watch *watch, unsigned *calls)
{
    if (++*calls & 255)
        return 0;
    return wait_interrupted() ? -EINTR : watch->end && wait_now() >= watch->end ? -ETIMEDOUT : 0;
}
/* The time left, for poll(2): 0 to 100 ms (so that an interrupt is noticed). */
int watch_slice(const struct watch *watch);
/* Waits until fd (not a peer's connection) is readable. Returns 0 or as watch_check(). */
int watch_readable(const struct watch *watch, int fd);

/* For a system call that sleeps as long as the kernel likes: between watch_alarm() and alarm_end() a signal
 * interrupts this thread's sleep (EINTR) once the watch's time is over. */
struct alarm {
    timer_t timer;
    bool set;
};
struct alarm watch_alarm(const struct watch *watch);
void alarm_end(struct alarm *alarm);

/* Called after every poll that found nothing; looks at the watch now and then. */
struct spin {
    unsigned count;
    unsigned nap;   /* the last one, in µs; 0: none yet */
    uint64_t since; /* wait_now() of the first look; 0: none yet */
};
/* Progress was made. */
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

/* Both clocks at the start of a measurement; reading them again at its end gives the rate. */
struct ticks_start {
    uint64_t ticks, ns;
};
struct ticks_start ticks_start(void);
double ticks_ns(const struct ticks_start *start); /* ns per tick, since start */

/* Socket addresses, as text and as GIDs. */

enum { ADDRESS_TEXT_SIZE = 80, HOST_NAME_SIZE = 254 };

/* "10.0.0.1", "10.0.0.1:700", "fe80::1%eth0", "[2001:db8::1]:700"; numeric only. Returns 0 or -EINVAL. */
int address_parse(const char *text, uint16_t port, struct sockaddr_storage *address);
/* "node7", "node7.example.com:700": a name possible in DNS or /etc/hosts, with at least one letter. port is
 * unchanged if text has none. Returns 0 or -EINVAL. */
int address_name(const char *text, char name[static HOST_NAME_SIZE], uint16_t *port);
/* Without the port: "10.0.0.1", "fe80::1%eth0". */
void address_host_text(const struct sockaddr_storage *address, char text[static ADDRESS_TEXT_SIZE]);
void address_text(const struct sockaddr_storage *address, char text[static ADDRESS_TEXT_SIZE]);
/* The GID that the address corresponds to. */
void address_gid(const struct sockaddr_storage *address, uint8_t gid[static 16]);
/* The socket address of a GID; link-local ones get the scope ifindex. */
void gid_sockaddr(const uint8_t gid[static 16], uint16_t port, uint32_t ifindex,
                  struct sockaddr_storage *address);
socklen_t address_size(const struct sockaddr_storage *address); /* for bind(2) and the like */

/* The UDP source port of a RoCE v2 queue pair, by which switches of an ECMP fabric choose a path. Pure. */

/* How a driver chooses the port of an RC queue pair. */
enum port_rule {
    PORT_OWN,      /* in its own way, or not known */
    PORT_BY_LABEL, /* from the flow label of the address vector, like the kernel's rdma_get_udp_sport() */
    PORT_RULES
};

/* driver: as in struct device, NULL if not known. old_rxe: soft-RoCE before Linux 6.0. These call
 * rdma_get_udp_sport() when connecting an RC queue pair: rxe (rxe_verbs.c; before 5.17 its own hash), mlx5
 * (qp.c), irdma, mana, ionic and hns. */
enum port_rule port_rule_of(const char *driver, bool old_rxe);

/* As ibv_flow_label_to_udp_sport() of verbs.h. Many labels give the same port. */
uint16_t port_of_label(uint32_t label);
/* A label that gives this port (0xc000 to 0xffff). Never 0, which asks the driver to choose. */
uint32_t label_of_port(uint16_t port);

/* The i-th port to try: the first PORTS_OF_ROCE are all different, successive ones are far apart, and the order
 * is always the same, so that runs can be compared. */
enum { PORTS_OF_ROCE = 0x4000 };
uint16_t port_to_try(unsigned i);

/* The NUMA node of a test's memory and thread, by system calls alone. */

enum { PLACEMENT_CPUS = 8192, PLACEMENT_NODES = 1024 };

/* Untouched pages of a mapping will come from that node, or not at all (mbind(2), MPOL_BIND). Returns 0 or
 * -errno. */
int placement_bind(void *memory, size_t len, unsigned node);
/* Runs this thread only on these CPUs ("0-15,32") from now on. Returns 0 or -errno; -EINVAL: no such CPU. */
int placement_run_on(const char *cpus);
