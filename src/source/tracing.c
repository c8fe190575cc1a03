/* SPDX-License-Identifier: MIT */
/* perf_event_open(2) on tracepoints: one descriptor an event and CPU, one ring a CPU. */
#include "source/tracing.h"

#include <linux/perf_event.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "model/services.h"
#include "source/files/forms.h"
#include "source/files/texts.h"
#include "source/reader.h"

/* 256 KiB a CPU: a connection takes some 2 KB of events, so that this is half a second of 250 a second on one.
 */
enum { RING_PAGES = 64, CPUS_MOST = 1 << 12, DESCRIPTORS_ELSE = 64 };

struct tracing {
    struct arena *arena;
    struct cpu_ring {
        int cpu, fd; /* of its first event, whose ring the others share; -1: none yet */
        struct perf_event_mmap_page *page;
    } * rings;
    size_t nrings;
    int *fds;
    size_t nfds;
    size_t page_size;
};

static const char *const mounts[] = { "sys/kernel/tracing", "sys/kernel/debug/tracing" };

int tracing_format(struct source *source, const char *system, const char *name, struct span *text)
{
    char path[PATH_MAX];
    bool mounted = false;
    if (source_is_recording(source))
        return -EROFS;
    for (size_t i = 0; i < ARRAY_SIZE(mounts); i++) {
        int r = root_read(source->root, text, NULL, "%s/events/%s/%s/format", mounts[i], system, name);
        if (r == 0 || r == -EACCES || r == -EPERM)
            return r == -EPERM ? -EACCES : r;
        snprintf(path, sizeof(path), "%s/events", mounts[i]);
        mounted |= root_exists(source->root, path);
    }
    return mounted ? -ENOENT : -ENODEV;
}

bool tracing_is_locked(struct source *source)
{
    struct span text;
    return root_read(source->root, &text, NULL, "sys/kernel/security/lockdown") == 0 &&
           strstr(text.data, "[confidentiality]");
}

/* -- rings ----------------------------------------------------------------------------------------------- */

static void add_cpus(struct tracing *tracing, const char *list)
{
    unsigned long first, last;
    while (cpus_next(&list, &first, &last))
        for (unsigned long cpu = first; cpu <= last && tracing->nrings < CPUS_MOST; cpu++)
            *ARENA_PUSH(tracing->arena, tracing->rings, tracing->nrings) = (struct cpu_ring){ .cpu = (int)cpu,
                                                                                              .fd = -1 };
}

size_t tracing_descriptors(const char *cpus, size_t events)
{
    unsigned long first, last;
    size_t count = 0;
    while (cpus_next(&cpus, &first, &last))
        count += last - first + 1;
    return count * events;
}

static void raise_limit(size_t needed)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < needed + DESCRIPTORS_ELSE) {
        limit.rlim_cur = limit.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &limit);
    }
}

int tracing_open(struct source *source, size_t events, struct tracing **out)
{
    struct span text;
    int r = root_read(source->root, &text, NULL, "sys/devices/system/cpu/online");
    if (r < 0)
        return r;
    struct tracing *tracing = mem_alloc(1, sizeof(*tracing));
    tracing->arena = arena_new();
    tracing->page_size = (size_t)sysconf(_SC_PAGESIZE);
    add_cpus(tracing, text.data);
    raise_limit(tracing_descriptors(text.data, events));
    *out = tracing;
    return 0;
}

void tracing_close(struct tracing *tracing)
{
    if (!tracing)
        return;
    for (size_t i = 0; i < tracing->nrings; i++)
        if (tracing->rings[i].page)
            munmap(tracing->rings[i].page, (1 + RING_PAGES) * tracing->page_size);
    for (size_t i = 0; i < tracing->nfds; i++)
        close(tracing->fds[i]);
    arena_free(tracing->arena);
    free(tracing);
}

static int open_event(struct perf_event_attr *attr, int cpu)
{
    long fd = syscall(SYS_perf_event_open, attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
    return fd < 0 ? -errno : (int)fd;
}

/* The first event of a CPU brings the ring. */
static int share_ring(const struct tracing *tracing, struct cpu_ring *ring, int fd)
{
    if (ring->fd >= 0)
        return ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, ring->fd) < 0 ? -errno : 0;
    void *page = mmap(NULL, (1 + RING_PAGES) * tracing->page_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (page == MAP_FAILED)
        return -errno;
    ring->page = page;
    ring->fd = fd;
    return 0;
}

static int add_event(struct tracing *tracing, struct perf_event_attr *attr, const char *filter)
{
    attr->size = sizeof(*attr);
    attr->sample_period = 1;
    attr->watermark = 1; /* who waits looks soon anyway: waking it for each event costs more than the event */
    attr->wakeup_watermark = (uint32_t)(RING_PAGES / 4 * tracing->page_size);
    attr->use_clockid = 1;
    attr->clockid = CLOCK_MONOTONIC;
    for (size_t i = 0; i < tracing->nrings; i++) {
        struct cpu_ring *ring = &tracing->rings[i];
        attr->comm = ring->fd < 0; /* names of programs that are started: once is enough */
        int fd = open_event(attr, ring->cpu);
        if (fd == -ENODEV || fd == -ENXIO) /* the CPU went offline */
            continue;
        if (fd < 0)
            return fd;
        *ARENA_PUSH_MANY(tracing->arena, tracing->fds, tracing->nfds) = fd;
        int r = share_ring(tracing, ring, fd);
        if (r == 0 && filter && ioctl(fd, PERF_EVENT_IOC_SET_FILTER, filter) < 0)
            r = -errno;
        if (r < 0)
            return r;
    }
    return 0;
}

int tracing_add(struct tracing *tracing, uint32_t id, const char *filter, uint64_t sample)
{
    struct perf_event_attr attr = { .type = PERF_TYPE_TRACEPOINT, .config = id, .sample_type = sample };
    return add_event(tracing, &attr, filter);
}

/* Registers of a third argument and of a result, by their numbers in perf (arch/.../asm/perf_regs.h). */
#if defined(__x86_64__)
enum { RESULT_REGISTER = 0 /* ax */, THIRD_REGISTER = 3 /* dx */ };
#elif defined(__aarch64__)
enum { RESULT_REGISTER = 0, THIRD_REGISTER = 2 };
#else
enum { RESULT_REGISTER = 0, THIRD_REGISTER = 0 };
#endif

int tracing_probe(struct tracing *tracing, struct source *source, const char *function, bool at_return,
                  uint64_t sample, unsigned *third)
{
    struct span text;
    uint64_t type;
    *third = THIRD_REGISTER > RESULT_REGISTER;
    if (!THIRD_REGISTER)
        return -EOPNOTSUPP;
    int r = root_read(source->root, &text, NULL, "sys/bus/event_source/devices/kprobe/type");
    if (r < 0 || text_to_u64(text.data, 10, &type) < 0)
        return r < 0 ? r : -EBADMSG;
    struct perf_event_attr attr = { .type = (uint32_t)type,
                                    .config = at_return,
                                    .kprobe_func = (uintptr_t)function,
                                    .sample_type = sample,
                                    .sample_regs_intr = 1ull << RESULT_REGISTER | 1ull << THIRD_REGISTER };
    return add_event(tracing, &attr, NULL);
}

int tracing_wait(struct tracing *tracing, int milliseconds)
{
    struct pollfd *fds = mem_alloc(tracing->nrings, sizeof(*fds));
    for (size_t i = 0; i < tracing->nrings; i++)
        fds[i] = (struct pollfd){ .fd = tracing->rings[i].fd, .events = POLLIN };
    int r = poll(fds, tracing->nrings, milliseconds) < 0 ? -errno : 0;
    free(fds);
    return r;
}

bool tracing_ring(const struct tracing *tracing, size_t i, struct tracing_ring *ring)
{
    if (i >= tracing->nrings)
        return false;
    const struct perf_event_mmap_page *page = tracing->rings[i].page;
    *ring = (struct tracing_ring){ 0 };
    if (!page)
        return true;
    ring->head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
    ring->tail = page->data_tail;
    ring->data = (const uint8_t *)page + tracing->page_size;
    ring->size = RING_PAGES * tracing->page_size;
    return true;
}

void tracing_done(struct tracing *tracing, size_t i, uint64_t tail)
{
    if (tracing->rings[i].page)
        __atomic_store_n(&tracing->rings[i].page->data_tail, tail, __ATOMIC_RELEASE);
}

int source_log_open(struct source *source)
{
    int fd = source_is_recording(source) ? -EROFS : root_open_stream(source->root, "dev/kmsg");
    if (fd >= 0)
        (void)lseek(fd, 0, SEEK_END);
    return fd;
}

/* -- processes, and what is kept ------------------------------------------------------------------------- */

void source_process(struct source *source, struct arena *arena, struct process *process)
{
    struct span text;
    if (root_read(source->root, &text, "{program}", "proc/%" PRIu64 "/comm", process->pid) == 0)
        process->comm = text_trim(arena_strndup(arena, text.data, text.len));
    if (root_read(source->root, &text, "{cgroup}", "proc/%" PRIu64 "/cgroup", process->pid) == 0)
        process->cgroup = cgroup_longest(arena, text.data);
}

static int give(void *data, struct bytes *answer)
{
    const struct bytes *text = data;
    bytes_append(answer, text->data ? text->data : "", text->len);
    return 0;
}

int source_trace_keep(struct source *source, const struct bytes *text)
{
    struct span span;
    return root_fetch(source->root, &span, "{trace}", "probe/trace", give, (void *)text);
}
