// SPDX-License-Identifier: MIT
/* roce, with faults: the shipped objects, linked with an allocator and a filter of system calls that fail at
 * the number that they are told. Each fault is a child that runs roce's main, judged by oracle.h.
 *
 *     faults memory STRIDE OFFSET ARGUMENT…             allocations OFFSET, OFFSET+STRIDE, … fail, one a run
 *     faults CALL:ERRNO[+] STRIDE OFFSET ARGUMENT…      the same for a system call; +: and all after it
 *     faults CALL:ERRNO= STRIDE OFFSET ARGUMENT…        every such call fails, as on an older kernel, and all
 * that is printed is the same */
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <regex.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/ucontext.h>
#include <sys/wait.h>

#include "../oracle.h"

int __real_main(int argc, char **argv);
int __wrap_main(int argc, char **argv);

/* Longer than any run takes, shorter than a person waits: SECONDS of CPU time, and of the clock as many more
 * as a busy machine may need for them. */
enum { SECONDS = 8, BUSY = 15, SHOWN = 10 };

/* Shared by all processes: what has been counted, what fails. */
static struct state {
    volatile long seen, fails; /* fails 0: none */
    volatile int err, all_after;
    bool same;
} * state;

static bool fails_now(void)
{
    long n = ++state->seen;
    return state->fails && (n == state->fails || (state->all_after && n > state->fails));
}

/* ---- memory: glibc's own under its other names, ours under theirs */

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
static bool counts_memory;

static bool memory_fails(void)
{
    if (!counts_memory || !fails_now())
        return false;
    errno = ENOMEM;
    return true;
}

/* glibc 2.36's own defect is left out: where memory ends while it parses a pattern, it frees a node twice. */
int __real_regcomp(regex_t *regex, const char *pattern, int flags);
int __wrap_regcomp(regex_t *regex, const char *pattern, int flags);
int __wrap_regcomp(regex_t *regex, const char *pattern, int flags)
{
    bool counted = counts_memory;
    counts_memory = false;
    int r = __real_regcomp(regex, pattern, flags);
    counts_memory = counted;
    return r;
}

void *malloc(size_t size)
{
    return memory_fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return memory_fails() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    return memory_fails() ? NULL : __libc_realloc(old, size);
}

void *reallocarray(void *old, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    return realloc(old, bytes);
}

/* An anonymised recording is the same each time. */
ssize_t getrandom(void *buffer, size_t size, unsigned flags);
ssize_t getrandom(void *buffer, size_t size, unsigned flags)
{
    (void)flags;
    memset(buffer, 0x42, size);
    return (ssize_t)size;
}

/* ---- system calls: a filter raises SIGSYS, whose handler makes the call itself, from the one place that the
 * filter lets through, or says that it failed */

struct call {
    const char *name;
    int number;
};
#define CALL(name)        \
    {                     \
#name, SYS_##name \
    }
static const struct call calls[] = {
    CALL(openat),     CALL(read),   CALL(pread64), CALL(getdents64), CALL(newfstatat),  CALL(fstat),
    CALL(readlinkat), CALL(mmap),   CALL(write),   CALL(socket),     CALL(bind),        CALL(sendto),
    CALL(recvmsg),    CALL(poll),   CALL(ioctl),   CALL(lseek),      CALL(mkdirat),     CALL(symlinkat),
    CALL(close),      CALL(mkdir),  CALL(openat2), CALL(fcntl),      CALL(statx),       CALL(fsync),
    CALL(renameat2),  CALL(access), CALL(mlock2),  CALL(setsockopt), CALL(close_range),
};

extern const char made_here[];
long make_call(long number, const greg_t *registers);
__asm__(".text\n"
        "make_call:\n" /* rdi: number, rsi: the registers */
        "  mov %rdi, %rax\n"
        "  mov %rsi, %r11\n"
        "  mov 8*8(%r11), %rdi\n"
        "  mov 9*8(%r11), %rsi\n"
        "  mov 12*8(%r11), %rdx\n"
        "  mov 2*8(%r11), %r10\n"
        "  mov 0*8(%r11), %r8\n"
        "  mov 1*8(%r11), %r9\n"
        "  syscall\n"
        ".globl made_here\n"
        "made_here:\n"
        "  ret\n"
        ".globl make_call\n"
        ".section .note.GNU-stack,\"\",@progbits\n"
        ".text\n");
_Static_assert(REG_R8 == 0 && REG_R9 == 1 && REG_R10 == 2 && REG_RDI == 8 && REG_RSI == 9 && REG_RDX == 12,
               "as make_call has them");

static void on_call(int number, siginfo_t *info, void *context)
{
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    (void)number;
    registers[REG_RAX] = fails_now() ? -state->err : make_call(info->si_syscall, registers);
}

static bool filter_call(int call)
{
    uint64_t from = (uint64_t)made_here;
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 4),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, instruction_pointer)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)from, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, instruction_pointer) + 4),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(from >> 32), 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
    };
    struct sock_fprog program = { sizeof(filter) / sizeof(*filter), filter };
    struct sigaction action = { .sa_sigaction = on_call, .sa_flags = SA_SIGINFO | SA_NODEFER };
    return sigaction(SIGSYS, &action, NULL) == 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/* ---- one run */

struct run {
    int status; /* -1: it was killed */
    int signal;
    long seen;
    struct output out, err;
};

static struct output contents(int fd)
{
    off_t len = lseek(fd, 0, SEEK_END);
    char *text = malloc((size_t)len + 1);
    struct output out = { text, len > 0 && pread(fd, text, (size_t)len, 0) == len ? (size_t)len : 0 };
    close(fd);
    return out;
}

static void forget(struct run *run)
{
    free((char *)run->out.text);
    free((char *)run->err.text);
}

static void become(int call, int out, int err, int argc, char **argv)
{
    struct itimerval used = { .it_value = { .tv_sec = SECONDS } },
                     passed = { .it_value = { .tv_sec = SECONDS * BUSY } };
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    close(out);
    close(err);
    setitimer(ITIMER_PROF, &used, NULL);
    setitimer(ITIMER_REAL, &passed, NULL);
    if (call >= 0 && !filter_call(call)) {
        fputs("no filter of system calls here\n", stderr);
        _exit(77);
    }
    counts_memory = call < 0;
    exit(__real_main(argc, argv));
}

static struct run run_once(int call, long fails, int argc, char **argv)
{
    struct run run = { .status = -1 };
    int out = memfd_create("out", MFD_CLOEXEC), err = memfd_create("err", MFD_CLOEXEC), status;
    state->seen = 0;
    state->fails = fails;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
        become(call, out, err, argc, argv);
    waitpid(child, &status, 0);
    if (WIFEXITED(status))
        run.status = WEXITSTATUS(status);
    else
        run.signal = WTERMSIG(status);
    run.seen = state->seen;
    run.out = contents(out);
    run.err = contents(err);
    return run;
}

/* ---- the loop */

static bool is_same(struct output a, struct output b)
{
    return a.len == b.len && memcmp(a.text, b.text, a.len) == 0;
}

/* What a whole run says, as far as it came, and one line of roce's more. */
static bool is_one_more(struct output err, struct output whole)
{
    const char *last = err.len ? memrchr(err.text, '\n', err.len - 1) : NULL;
    size_t before = last ? (size_t)(last + 1 - err.text) : 0;
    return err.len - before > 6 && memcmp(err.text + before, "roce: ", 6) == 0 && before <= whole.len &&
           memcmp(err.text, whole.text, before) == 0;
}

/* In its JSON, as doctor's unknowns, as a recorded errno, or in a listing's own words. */
static bool tells_of_problems(struct output out)
{
    return strstr(out.text, "\"error\": \"") || strstr(out.text, "could not look") ||
           strstr(out.text, " ! E") || strstr(out.text, "not read: input/output error");
}

/* An original has no word for what can't be read; a live machine's answer changes by itself; Nagios has
 * statuses of its own. */
enum kind { A_LISTING, A_DROP_IN, A_LIVE_ONE, A_GATE };

static const char *judge(const struct run *run, const struct run *whole, enum kind kind, bool json, bool memory)
{
    if (run->signal == SIGALRM || run->signal == SIGPROF)
        return "it hangs";
    if (run->signal)
        return "it was killed by a signal";
    if (run->status == whole->status && is_same(run->out, whole->out) && is_same(run->err, whole->err))
        return NULL; /* one that it can do without */
    if (memory && run->status != 2)
        return "memory ran out, and the status isn't 2";
    if (memory && !is_one_more(run->err, whole->err))
        return "not one line that says so";
    if (run->status == 2 && is_same(run->out, whole->out))
        return NULL; /* all was said when it failed */
    if (kind == A_GATE && run->out.len && run->status <= 3)
        return is_clean(run->out, false) && is_clean(run->err, false) ? NULL : "raw bytes";
    if (kind == A_DROP_IN && run->status == 255)
        return is_clean(run->out, true) && is_clean(run->err, false) ? NULL : "raw bytes";
    const char *wrong = judge_output(run->status, kind == A_GATE, json, true, run->out, run->err);
    if (!wrong && kind == A_LISTING && !is_same(run->out, whole->out) && run->status == whole->status &&
        is_same(run->err, whole->err) && !tells_of_problems(run->out))
        wrong = "another answer without a word";
    return wrong;
}

static void show(const char *label, struct output out)
{
    printf("      %s: %.*s%s", label, (int)(out.len < 300 ? out.len : 300), out.text, out.len ? "" : "\n");
}

static void show_difference(struct output was, struct output is)
{
    size_t at = 0;
    while (at < was.len && at < is.len && was.text[at] == is.text[at])
        at++;
    at = at < 60 ? 0 : at - 60;
    printf("      at %zu of %zu, was: %.*s\n      is: %.*s\n", at, was.len,
           (int)(was.len - at < 160 ? was.len - at : 160), was.text + at,
           (int)(is.len - at < 160 ? is.len - at : 160), is.text + at);
}

static int all_faults(int call, long stride, long offset, int argc, char **argv)
{
    bool json = false;
    enum kind kind = A_LIVE_ONE;
    for (int i = 1; i < argc; i++) {
        json |= strcmp(argv[i], "-j") == 0;
        if (strcmp(argv[i], "-r") == 0)
            kind = A_LISTING;
        if (strcmp(argv[i], "--nagios") == 0)
            kind = A_GATE;
        else if (strncmp(argv[i], "ib", 2) == 0 || strncmp(argv[i], "show_", 5) == 0)
            kind = A_DROP_IN;
    }
    struct run whole = run_once(call, 0, argc, argv);
    if (whole.status == 77 || whole.status < 0)
        return whole.status == 77 ? 77 : (printf("it ends by signal %d without any fault\n", whole.signal), 1);
    unsigned bad = 0, runs = 0;
    for (long n = offset; n <= whole.seen; n += stride, runs++) {
        struct run run = run_once(call, n, argc, argv);
        ((char *)run.out.text)[run.out.len] = '\0';
        const char *wrong = judge(&run, &whole, kind, json, call < 0);
        if (wrong && ++bad <= SHOWN) {
            printf("    number %ld of %ld: %s (status %d)\n", n, whole.seen, wrong, run.status);
            show_difference(whole.out, run.out);
            show("stderr", run.err);
        }
        forget(&run);
    }
    printf("%u faults of %ld places, %u of them bad\n", runs, whole.seen, bad);
    forget(&whole);
    return bad ? 1 : 0;
}

/* "time" is another one each time. */
static struct output without_time(struct output out)
{
    static const char key[] = "\n  \"time\": \"";
    char *at = memmem(out.text, out.len, key, sizeof(key) - 1);
    if (at)
        for (at += sizeof(key) - 1; *at && *at != '"'; at++)
            *at = '0';
    return out;
}

static int all_denied(int call, int argc, char **argv)
{
    struct run whole = run_once(call, 0, argc, argv), denied;
    if (whole.status == 77 || whole.status < 0)
        return whole.status == 77 ? 77 : (printf("it ends by signal %d without any fault\n", whole.signal), 1);
    if (!whole.seen)
        return printf("there is no such call\n"), 1;
    denied = run_once(call, 1, argc, argv);
    bool same = denied.status == whole.status && is_same(without_time(denied.out), without_time(whole.out)) &&
                is_same(denied.err, whole.err);
    if (!same) {
        printf("status %d, not %d\n", denied.status, whole.status);
        show_difference(whole.out, denied.out);
        show("stderr", denied.err);
    }
    forget(&denied);
    forget(&whole);
    return same ? 0 : 1;
}

static int find_errno(const char *name, size_t len)
{
    for (int err = 1; err < 134; err++) {
        const char *known = strerrorname_np(err);
        if (known && strlen(known) == len && memcmp(known, name, len) == 0)
            return err;
    }
    return 0;
}

/* "openat:EIO+", "openat2:ENOSYS=". */
static int find_call(const char *text)
{
    size_t len = strcspn(text, ":"), name = text[len] ? strcspn(text + len + 1, "+=") : 0;
    state->err = find_errno(text + len + 1, name);
    state->same = text[len] && text[len + 1 + name] == '=';
    state->all_after = state->same || (text[len] && text[len + 1 + name] == '+');
    for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++)
        if (strlen(calls[i].name) == len && memcmp(calls[i].name, text, len) == 0 && state->err)
            return calls[i].number;
    return -1;
}

int __wrap_main(int argc, char **argv)
{
    state = mmap(NULL, sizeof(*state), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (state == MAP_FAILED || argc < 5)
        return 2;
    long stride = strtol(argv[2], NULL, 10), offset = strtol(argv[3], NULL, 10);
    bool memory = strcmp(argv[1], "memory") == 0;
    int call = memory ? -1 : find_call(argv[1]);
    if ((!memory && call < 0) || stride < 1 || offset < 1) {
        fprintf(stderr, "faults: no such call or error: %s\n", argv[1]);
        return 2;
    }
    argv[3] = (char *)"roce";
    if (state->same)
        return all_denied(call, argc - 3, argv + 3);
    return all_faults(call, stride, offset, argc - 3, argv + 3);
}
