/* SPDX-License-Identifier: MIT */
/* perf_event_open(2) on tracepoints: one descriptor an event and CPU, one ring a CPU. */
#include "source/tracing.h"

#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <sys/epoll.h>
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
enum { CPUS_MOST = 1 << 12, DESCRIPTORS_ELSE = 64, WOKEN_MOST = 64 };
enum { RING_PAGES = 64, RINGS_PAGES = 4096 };

struct tracing {
    struct arena *arena;
    struct cpu_ring {
        int cpu, fd; /* of its first event, whose ring the others share; -1: none yet */
        struct perf_event_mmap_page *page;
    } * rings;
    size_t nrings;
    int *fds;
    size_t nfds;
    size_t page_size, ring_pages;
    int epoll; /* of the rings */
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

int tracing_open(struct source *source, size_t events, size_t pages, struct tracing **out)
{
    struct span text;
    int r = root_read(source->root, &text, NULL, "sys/devices/system/cpu/online");
    if (r < 0)
        return r;
    struct tracing *tracing = mem_alloc(1, sizeof(*tracing));
    tracing->arena = arena_new();
    tracing->page_size = (size_t)sysconf(_SC_PAGESIZE);
    tracing->ring_pages = pages;
    tracing->epoll = epoll_create1(EPOLL_CLOEXEC);
    r = tracing->epoll < 0 ? -errno : 0;
    add_cpus(tracing, text.data);
    while (tracing->ring_pages > RING_PAGES && tracing->ring_pages * tracing->nrings > RINGS_PAGES)
        tracing->ring_pages /= 2;
    (void)root_descriptors(tracing_descriptors(text.data, events) + DESCRIPTORS_ELSE);
    *out = tracing;
    return r;
}

void tracing_close(struct tracing *tracing)
{
    if (!tracing)
        return;
    for (size_t i = 0; i < tracing->nrings; i++)
        if (tracing->rings[i].page)
            munmap(tracing->rings[i].page, (1 + tracing->ring_pages) * tracing->page_size);
    for (size_t i = 0; i < tracing->nfds; i++)
        close(tracing->fds[i]);
    if (tracing->epoll >= 0)
        close(tracing->epoll);
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
    struct epoll_event woken = { .events = EPOLLIN | EPOLLET }; /* a ring of a CPU that went says so once */
    void *page = mmap(NULL, (1 + tracing->ring_pages) * tracing->page_size, PROT_READ | PROT_WRITE, MAP_SHARED,
                      fd, 0);
    if (page == MAP_FAILED)
        return -errno;
    ring->page = page;
    ring->fd = fd;
    return epoll_ctl(tracing->epoll, EPOLL_CTL_ADD, fd, &woken) < 0 ? -errno : 0;
}

static int add_event(struct tracing *tracing, struct perf_event_attr *attr, const char *filter)
{
    attr->size = sizeof(*attr);
    attr->sample_period = 1;
    attr->watermark = 1; /* who waits looks soon anyway: waking it for each event costs more than the event */
    attr->wakeup_watermark = (uint32_t)(tracing->ring_pages / 4 * tracing->page_size);
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

int tracing_add(struct tracing *tracing, uint32_t id, const char *filter)
{
    struct perf_event_attr attr = { .type = PERF_TYPE_TRACEPOINT, .config = id, .sample_type = TRACE_SAMPLE };
    return add_event(tracing, &attr, filter);
}

/* Registers of a third argument and of a result, by their numbers in perf (arch/.../asm/perf_regs.h); where
 * struct pt_regs has the first and second one. */
#if defined(__x86_64__)
enum { RESULT_REGISTER = 0 /* ax */, THIRD_REGISTER = 3 /* dx */, FIRST_AT = 112, SECOND_AT = 104 };
#elif defined(__aarch64__)
enum { RESULT_REGISTER = 0, THIRD_REGISTER = 2, FIRST_AT = 0, SECOND_AT = 8 };
#else
enum { RESULT_REGISTER = 0, THIRD_REGISTER = 0, FIRST_AT = 0, SECOND_AT = 0 };
#endif

static int probe_of(struct source *source, const char *function, struct perf_event_attr *attr)
{
    struct span text;
    uint64_t type;
    if (!THIRD_REGISTER)
        return -EOPNOTSUPP;
    int r = root_read(source->root, &text, NULL, "sys/bus/event_source/devices/kprobe/type");
    if (r < 0 || text_to_u64(text.data, 10, &type) < 0)
        return r < 0 ? r : -EBADMSG;
    *attr = (struct perf_event_attr){ .size = sizeof(*attr),
                                      .type = (uint32_t)type,
                                      .kprobe_func = (uintptr_t)function };
    return 0;
}

unsigned tracing_third(void)
{
    return THIRD_REGISTER > RESULT_REGISTER;
}

int tracing_probe(struct tracing *tracing, struct source *source, const char *function, bool at_return)
{
    struct perf_event_attr attr;
    int r = probe_of(source, function, &attr);
    if (r < 0)
        return r;
    attr.config = at_return;
    attr.sample_type = TRACE_PROBE_SAMPLE;
    attr.sample_regs_intr = 1ull << RESULT_REGISTER | 1ull << THIRD_REGISTER;
    return add_event(tracing, &attr, NULL);
}

/* -- what two arguments point at ------------------------------------------------------------------------- */

static int bpf_call(struct tracing *tracing, int command, union bpf_attr *attr)
{
    long fd = syscall(SYS_bpf, command, attr, sizeof(*attr));
    if (fd >= 0 && command != BPF_MAP_UPDATE_ELEM)
        *ARENA_PUSH_MANY(tracing->arena, tracing->fds, tracing->nfds) = (int)fd;
    return fd < 0 ? -errno : (int)fd;
}

/* A map whose element of each CPU leads into that CPU's ring. */
static int open_outputs(struct tracing *tracing)
{
    struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE,
                                    .config = PERF_COUNT_SW_BPF_OUTPUT,
                                    .sample_type = TRACE_SAMPLE };
    union bpf_attr map = { .map_type = BPF_MAP_TYPE_PERF_EVENT_ARRAY, .key_size = 4, .value_size = 4 };
    size_t first = tracing->nfds;
    int r = add_event(tracing, &attr, NULL);
    if (r < 0 || tracing->nfds - first != tracing->nrings) /* a CPU went offline */
        return r < 0 ? r : -EAGAIN;
    map.max_entries = (uint32_t)tracing->rings[tracing->nrings - 1].cpu + 1;
    int fd = bpf_call(tracing, BPF_MAP_CREATE, &map);
    for (size_t i = 0; fd >= 0 && r == 0 && i < tracing->nrings; i++) {
        union bpf_attr element = { .map_fd = (uint32_t)fd,
                                   .key = (uintptr_t)&tracing->rings[i].cpu,
                                   .value = (uintptr_t)&tracing->fds[first + i] };
        r = bpf_call(tracing, BPF_MAP_UPDATE_ELEM, &element);
    }
    return r < 0 ? r : fd;
}

/* Two times 16 bytes, and 8 of zeros in front, where the id of a tracepoint would be. */
static int load_program(struct tracing *tracing, int outputs)
{
    enum { CONTEXT = BPF_REG_6, STACK = BPF_REG_10, HEAD = -40, ONE = -32, OTHER = -16, SIZE = 40 };
#define INSN(...) ((struct bpf_insn){ __VA_ARGS__ })
#define SET(to, from) INSN(BPF_ALU64 | BPF_MOV | BPF_X, to, from, 0, 0)
#define SET_TO(to, number) INSN(BPF_ALU | BPF_MOV | BPF_K, to, 0, 0, number)
#define ADD(to, number) INSN(BPF_ALU64 | BPF_ADD | BPF_K, to, 0, 0, number)
#define CALL(function) INSN(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_##function)
#define COPY(argument_at, where)                                         \
    SET(BPF_REG_1, STACK), ADD(BPF_REG_1, where), SET_TO(BPF_REG_2, 16), \
        INSN(BPF_LDX | BPF_MEM | BPF_DW, BPF_REG_3, CONTEXT, argument_at, 0), CALL(probe_read_kernel)
    const struct bpf_insn program[] = {
        SET(CONTEXT, BPF_REG_1),
        INSN(BPF_ST | BPF_MEM | BPF_DW, STACK, 0, HEAD, 0),
        COPY(FIRST_AT, ONE),
        COPY(SECOND_AT, OTHER),
        SET(BPF_REG_1, CONTEXT),
        INSN(BPF_LD | BPF_IMM | BPF_DW, BPF_REG_2, BPF_PSEUDO_MAP_FD, 0, outputs),
        INSN(0, 0, 0, 0, 0),
        SET_TO(BPF_REG_3, -1), /* BPF_F_CURRENT_CPU: 32 bits */
        SET(BPF_REG_4, STACK),
        ADD(BPF_REG_4, HEAD),
        SET_TO(BPF_REG_5, SIZE),
        CALL(perf_event_output),
        SET_TO(BPF_REG_0, 0), /* no sample of the probe itself */
        INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0),
    };
    union bpf_attr attr = { .prog_type = BPF_PROG_TYPE_KPROBE,
                            .insn_cnt = ARRAY_SIZE(program),
                            .insns = (uintptr_t)program,
                            .license = (uintptr_t) "Dual MIT/GPL" };
    return bpf_call(tracing, BPF_PROG_LOAD, &attr);
}

/* The program is run once for each event that it is of, on whatever CPU: one event is enough. Before Linux 5.11
 * maps and programs count as locked memory, as rings do. */
int tracing_probe_gids(struct tracing *tracing, struct source *source, const char *function)
{
    struct perf_event_attr attr;
    (void)setrlimit(RLIMIT_MEMLOCK, &(struct rlimit){ RLIM_INFINITY, RLIM_INFINITY });
    int r = probe_of(source, function, &attr), program = -1, fd = -1;
    if (r == 0 && tracing->nrings)
        r = open_outputs(tracing);
    if (r >= 0)
        r = program = load_program(tracing, r);
    if (r >= 0)
        r = fd = open_event(&attr, tracing->rings[0].cpu);
    if (r < 0)
        return r;
    *ARENA_PUSH_MANY(tracing->arena, tracing->fds, tracing->nfds) = fd;
    return ioctl(fd, PERF_EVENT_IOC_SET_BPF, program) < 0 ? -errno : 0;
}

int tracing_wait(struct tracing *tracing, int milliseconds)
{
    struct epoll_event woken[WOKEN_MOST];
    return epoll_wait(tracing->epoll, woken, WOKEN_MOST, milliseconds) < 0 ? -errno : 0;
}

int tracing_fd(const struct tracing *tracing)
{
    return tracing->epoll;
}

bool tracing_ring(const struct tracing *tracing, size_t i, struct trace_ring *ring)
{
    if (i >= tracing->nrings)
        return false;
    const struct perf_event_mmap_page *page = tracing->rings[i].page;
    *ring = (struct trace_ring){ 0 };
    if (!page)
        return true;
    ring->head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
    ring->tail = page->data_tail;
    ring->data = (const uint8_t *)page + tracing->page_size;
    ring->size = tracing->ring_pages * tracing->page_size;
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

void source_trace_keep(struct source *source, const struct bytes *text)
{
    root_tell_file(source->root, "{trace}", "probe/trace", text->data, text->len, 0);
}

void source_history_keep(struct source *source, const struct bytes *text)
{
    unsigned part = 0;
    for (size_t at = 0, len; at < text->len; at += len, part++) {
        char path[HISTORY_PATH_SIZE];
        const char *piece = text->data + at;
        len = text->len - at;
        const char *end = len > HISTORY_PART ? memrchr(piece, '\n', HISTORY_PART) : NULL;
        len = end ? (size_t)(end + 1 - piece) : len;
        snprintf(path, sizeof(path), HISTORY_PATH, part);
        root_tell_file(source->root, "{history}", path, piece, len, 0);
    }
}
