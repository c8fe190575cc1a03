/* SPDX-License-Identifier: MIT */
/* What a server gives up once it listens: capabilities; roce serve also its user, and most system calls. */
#include <dirent.h>
#include <grp.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "selftest/peer/server.h"

/* -- capabilities --------------------------------------------------------------------------------------- */

/* Registered memory counts as locked: CAP_IPC_LOCK lets root register more than the limit. The device nodes
 * belong to root, or anybody may open them. */
static const uint32_t kept = 1u << CAP_IPC_LOCK;

static int drop_bounding(void)
{
    for (unsigned long capability = 0; prctl(PR_CAPBSET_READ, capability, 0, 0, 0) >= 0; capability++)
        if (capability != CAP_IPC_LOCK && prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) < 0 && errno != EPERM)
            return -errno;
    return 0;
}

int privilege_drop(void)
{
    struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
    struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];
    int r = drop_bounding();
    if (r < 0)
        return r;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 || syscall(SYS_capget, &header, data) < 0)
        return -errno;
    for (unsigned i = 0; i < _LINUX_CAPABILITY_U32S_3; i++) {
        uint32_t mask = i == 0 ? kept : 0;
        data[i].permitted &= mask;
        data[i].effective = data[i].permitted; /* who has just left root has none */
        data[i].inheritable &= mask;
    }
    return syscall(SYS_capset, &header, data) < 0 ? -errno : 0;
}

/* -- the user ------------------------------------------------------------------------------------------- */

/* Sessions open the nodes of their devices; kernel and rdma-core let everybody (mode 0666), an administrator
 * may have changed that. */
static bool may_open_nodes(void)
{
    DIR *nodes = opendir("/dev/infiniband");
    bool may = true;
    for (const struct dirent *node; nodes && (node = readdir(nodes));)
        if (strncmp(node->d_name, "uverbs", 6) == 0 || strcmp(node->d_name, "rdma_cm") == 0)
            may &= faccessat(dirfd(nodes), node->d_name, R_OK | W_OK, 0) == 0;
    if (nodes)
        closedir(nodes);
    return may;
}

int privilege_leave_root(void)
{
    enum { NOBODY = 65534 };
    if (geteuid() != 0)
        return 0;
    int r = drop_bounding(); /* nobody may not */
    if (r < 0)
        return r;
    if (prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) < 0 || setgroups(0, NULL) < 0 ||
        setresgid(NOBODY, NOBODY, NOBODY) < 0 || setresuid(NOBODY, NOBODY, 0) < 0)
        return -errno;
    bool may = may_open_nodes();
    uid_t user = may ? NOBODY : 0;
    if (setresuid(user, user, user) < 0)
        return -errno;
    return may ? 0 : -EACCES;
}

/* -- system calls --------------------------------------------------------------------------------------- */

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#define ARCHITECTURE 0
#endif

/* What sessions need: threads, sockets, reading this host, and devices, whose libraries map, ioctl and write.
 * Not among them: other programs and processes, and changing a file. */
/* clang-format off */
static const uint16_t allowed[] = {
    /* data and waiting, most often first */
    SYS_write, SYS_read, SYS_ioctl, SYS_ppoll, SYS_recvfrom, SYS_sendto, SYS_sendmsg, SYS_recvmsg, SYS_futex,
    SYS_clock_nanosleep, SYS_nanosleep, SYS_sched_yield, SYS_clock_gettime, SYS_writev, SYS_readv, SYS_pread64,
    SYS_epoll_create1, SYS_epoll_ctl, SYS_epoll_pwait, SYS_eventfd2, SYS_pselect6, SYS_restart_syscall,
    /* sockets */
    SYS_socket, SYS_socketpair, SYS_bind, SYS_connect, SYS_listen, SYS_accept4, SYS_getsockname,
    SYS_getpeername, SYS_setsockopt, SYS_getsockopt, SYS_shutdown, SYS_recvmmsg, SYS_sendmmsg,
    /* files */
    SYS_close, SYS_close_range, SYS_fstat, SYS_newfstatat, SYS_statx, SYS_fstatfs, SYS_statfs, SYS_lseek,
    SYS_getdents64, SYS_readlinkat, SYS_faccessat, SYS_faccessat2, SYS_fcntl, SYS_dup, SYS_dup3, SYS_pipe2,
    SYS_getcwd,
    /* memory */
    SYS_mmap, SYS_munmap, SYS_mprotect, SYS_mremap, SYS_madvise, SYS_brk, SYS_mbind, SYS_get_mempolicy,
    SYS_mlock, SYS_munlock, SYS_membarrier,
    /* threads, signals and time */
    SYS_exit, SYS_exit_group, SYS_set_robust_list, SYS_rseq, SYS_set_tid_address, SYS_gettid, SYS_getpid,
    SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid, SYS_tgkill, SYS_rt_sigaction, SYS_rt_sigprocmask,
    SYS_rt_sigreturn, SYS_sigaltstack, SYS_sched_getaffinity, SYS_sched_setaffinity, SYS_timer_create,
    SYS_timer_settime, SYS_timer_delete, SYS_clock_getres, SYS_gettimeofday, SYS_getrandom, SYS_uname,
    SYS_sysinfo, SYS_prlimit64, SYS_getcpu,
#if defined(__x86_64__) /* older calls that later architectures don't have */
    SYS_poll, SYS_select, SYS_epoll_wait, SYS_stat, SYS_lstat, SYS_readlink, SYS_access, SYS_pipe, SYS_time,
    SYS_getrlimit, SYS_arch_prctl,
#endif
};
/* clang-format on */

/* Of open(2): device nodes are written to, files never changed. */
#define CHANGING (O_CREAT | O_TRUNC | O_APPEND | (O_TMPFILE & ~O_DIRECTORY))

enum { FILTER_MOST = 32 + 2 * ARRAY_SIZE(allowed) };

struct filter {
    struct sock_filter code[FILTER_MOST];
    unsigned short count;
};

static void add(struct filter *f, uint16_t code, uint32_t k, uint8_t if_true, uint8_t if_false)
{
    f->code[f->count++] = (struct sock_filter){ code, if_true, if_false, k };
}

static void load(struct filter *f, size_t offset)
{
    add(f, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static void answer(struct filter *f, uint32_t action)
{
    add(f, BPF_RET | BPF_K, action, 0, 0);
}

/* A call that is allowed if any of these bits of an argument is set, or if none is. */
static void add_by_bits(struct filter *f, uint32_t call, unsigned argument, uint32_t bits, bool set)
{
    add(f, BPF_JMP | BPF_JEQ | BPF_K, call, 0, 4);
    load(f, offsetof(struct seccomp_data, args) + 8 * argument); /* its lower half: both are little-endian */
    add(f, BPF_JMP | BPF_JSET | BPF_K, bits, set ? 1 : 0, set ? 0 : 1);
    answer(f, SECCOMP_RET_ERRNO | EPERM);
    answer(f, SECCOMP_RET_ALLOW);
}

static void write_filter(struct filter *f)
{
    load(f, offsetof(struct seccomp_data, arch));
    add(f, BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0);
    answer(f, SECCOMP_RET_ERRNO | EPERM);
    load(f, offsetof(struct seccomp_data, nr));
    for (size_t i = 0; i < ARRAY_SIZE(allowed); i++) {
        add(f, BPF_JMP | BPF_JEQ | BPF_K, allowed[i], 0, 1);
        answer(f, SECCOMP_RET_ALLOW);
    }
    /* glibc then uses clone(), whose flags can be looked at */
    add(f, BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1);
    answer(f, SECCOMP_RET_ERRNO | ENOSYS);
    add_by_bits(f, SYS_clone, 0, CLONE_THREAD, true);
    add_by_bits(f, SYS_openat, 2, CHANGING, false);
#if defined(__x86_64__)
    add_by_bits(f, SYS_open, 1, CHANGING, false);
#endif
    answer(f, SECCOMP_RET_ERRNO | EPERM);
}

int privilege_confine(void)
{
    struct filter f = { .count = 0 };
    if (!ARCHITECTURE)
        return -EOPNOTSUPP;
#ifdef __has_feature
#if __has_feature(address_sanitizer) /* which looks for leaks with another process, that traces this one */
    return prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) < 0 ? -errno : 0;
#endif
#endif
    write_filter(&f);
    struct sock_fprog program = { .len = f.count, .filter = f.code };
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) < 0 ? -errno : 0;
}
