/* SPDX-License-Identifier: MIT */
/* The whole program: a letter that chooses the command, then a recording, which the mutator damages where it
 * hurts: bytes of the kernel's answers, values, names, links. Each run is judged by tests/oracle.h, and opens
 * nothing outside a directory of its own. main() is run in this process: its exit() leads back here. */
#include <ftw.h>
#include <setjmp.h>
#include <sys/stat.h>
#include <sys/syscall.h>

int roce_main(int argc, char **argv);
#define main roce_main
#include "../../src/main.c"
#undef main

#include "../oracle.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

enum { WORDS = 5 };
static const char *const command_lines[][WORDS] = {
    { "status" },
    { "-j", "status" },
    { "devices" },
    { "-j", "devices" },
    { "devices", "--caps" },
    { "links" },
    { "-j", "links" },
    { "gids", "--all" },
    { "-j", "gids", "--all" },
    { "gids", "--for", "nccl" },
    { "-j", "gids", "--for", "ucx" },
    { "gids", "--for", "mpi" },
    { "gids", "--for", "rdma_cm" },
    { "gids", "--for", "libfabric" },
    { "counters" },
    { "-j", "counters" },
    { "counters", "--errors" },
    { "qos" },
    { "-j", "qos" },
    { "mode" },
    { "-j", "mode" },
    { "resources" },
    { "-j", "resources" },
    { "topo" },
    { "-j", "topo" },
    { "topo", "--dot" },
    { "doctor" },
    { "-j", "doctor" },
    { "doctor", "-v" },
    { "doctor", "--nagios" },
    { "complete", "--", "gids", "" },
    { "record", "-" },
    { "record", "--anonymise", "-" },
    { "ibstat" },
    { "ibstatus" },
    { "ibv_devinfo", "-v" },
    { "ibdev2netdev", "-v" },
    { "show_gids" },
    { "metrics" },
    { "metrics", "--openmetrics", "--checks" },
};

/* ---- what it may open: this directory */

static char top[] = "/dev/shm/roce-fuzz-XXXXXX";
static char input[64], place[64];
static bool running;

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st, (void)type, (void)ftw;
    return remove(path);
}

static void remove_top(void)
{
    nftw(top, remove_entry, 32, FTW_DEPTH | FTW_PHYS);
}

static void refuse(const char *what, const char *path)
{
    dprintf(STDERR_FILENO, "%s outside: %s\n", what, path);
    abort();
}

/* Where fd really lies. */
static long look_at(long fd)
{
    char link[64], path[4096];
    if (!running || fd < 0)
        return fd;
    snprintf(link, sizeof(link), "/proc/self/fd/%ld", fd);
    ssize_t n = readlink(link, path, sizeof(path) - 1);
    path[n > 0 ? n : 0] = '\0';
    if (n > 0 && path[0] == '/' && strncmp(path, top, sizeof(top) - 1) != 0)
        refuse("opened", path);
    return fd;
}

#define MODE(flags, mode)                       \
    do {                                        \
        va_list args;                           \
        va_start(args, flags);                  \
        if ((flags) & (O_CREAT | __O_TMPFILE))  \
            (mode) = (mode_t)va_arg(args, int); \
        va_end(args);                           \
    } while (0)

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __real_openat(int dir, const char *path, int flags, ...);
int __wrap_openat(int dir, const char *path, int flags, ...);
long __real_syscall(long number, ...);
long __wrap_syscall(long number, ...);
int __real_mkdirat(int dir, const char *path, mode_t mode);
int __wrap_mkdirat(int dir, const char *path, mode_t mode);
int __real_symlinkat(const char *target, int dir, const char *path);
int __wrap_symlinkat(const char *target, int dir, const char *path);
void __real_exit(int status);
void __wrap_exit(int status);

int __wrap_open(const char *path, int flags, ...)
{
    mode_t mode = 0;
    MODE(flags, mode);
    return (int)look_at(__real_open(path, flags, mode));
}

int __wrap_openat(int dir, const char *path, int flags, ...)
{
    mode_t mode = 0;
    MODE(flags, mode);
    return (int)look_at(__real_openat(dir, path, flags, mode));
}

long __wrap_syscall(long number, ...)
{
    long a[4]; /* no call of ours has more */
    va_list args;
    va_start(args, number);
    for (int i = 0; i < 4; i++)
        a[i] = va_arg(args, long);
    va_end(args);
    long r = __real_syscall(number, a[0], a[1], a[2], a[3]);
    return number == SYS_openat2 ? look_at(r) : r;
}

/* Made in a directory that was opened, by one name. */
static void look_at_name(const char *path)
{
    if (running && (strchr(path, '/') || strcmp(path, "..") == 0))
        refuse("made", path);
}

int __wrap_mkdirat(int dir, const char *path, mode_t mode)
{
    look_at_name(path);
    return __real_mkdirat(dir, path, mode);
}

int __wrap_symlinkat(const char *target, int dir, const char *path)
{
    look_at_name(path);
    return __real_symlinkat(target, dir, path);
}

/* ---- one run */

static jmp_buf back;
static volatile int exited;

void __wrap_exit(int status)
{
    if (!running)
        __real_exit(status);
    exited = status;
    longjmp(back, 1);
}

static int run_main(int argc, char **argv)
{
    running = true;
    if (setjmp(back) == 0)
        exited = roce_main(argc, argv);
    else
        fclose(stdout);
    running = false;
    return exited;
}

static void write_input(const uint8_t *data, size_t size)
{
    int fd = open(input, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        abort();
    close(fd);
}

static bool is_json_command(const char *const *words)
{
    return strcmp(words[0], "-j") == 0;
}

static const char *judge(const char *const *words, int status, struct output out, struct output err)
{
    bool original = strncmp(words[0], "ib", 2) == 0 || strncmp(words[0], "show_", 5) == 0;
    bool gate = words[1] && strcmp(words[1], "--nagios") == 0;
    if (original && status == 255)
        status = 1;
    if (strcmp(words[0], "complete") == 0)
        original = true; /* a tab before what it means */
    return judge_output(status, gate, is_json_command(words), original || words[0][0] == 'r', out, err);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    int nothing = open("/dev/null", O_WRONLY);
    if (!mkdtemp(top) || nothing < 0 || dup2(nothing, STDOUT_FILENO) < 0)
        abort();
    close(nothing);
    atexit(remove_top);
    snprintf(input, sizeof(input), "%s/input", top);
    snprintf(place, sizeof(place), "%s/place", top);
    setenv("TMPDIR", place, 1);
    setenv("TERM", "dumb", 1);
    unsetenv("ROCE_ROOT");
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1 || mkdir(place, 0700) < 0)
        return -1;
    const char *const *words = command_lines[data[0] % ARRAY_SIZE(command_lines)];
    char *argv[WORDS + 4] = { (char *)"roce", (char *)"-r", input };
    int argc = 3;
    for (size_t i = 0; i < WORDS && words[i]; i++)
        argv[argc++] = (char *)words[i];
    write_input(data + 1, size - 1);
    FILE *own_out = stdout, *own_err = stderr;
    struct output out = { 0 }, err = { 0 };
    stdout = open_memstream((char **)&out.text, &out.len);
    stderr = open_memstream((char **)&err.text, &err.len);
    int status = run_main(argc, argv);
    fclose(stderr);
    stdout = own_out;
    stderr = own_err;
    const char *wrong = judge(words, status, out, err);
    if (wrong || rmdir(place) < 0) {
        dprintf(STDERR_FILENO, "%s %s: %s (status %d)\n%.2000s\n%.2000s\n", words[0], words[1] ? words[1] : "",
                wrong ? wrong : "it left something behind", status, out.text, err.text);
        abort();
    }
    free((char *)out.text);
    free((char *)err.text);
    return 0;
}

/* ---- the mutator */

static uint32_t dice;

static uint32_t roll(size_t sides)
{
    dice = dice * 1664525 + 1013904223;
    return sides ? (uint32_t)((dice >> 8) % sides) : 0;
}

/* The bytes from at on give way to others. */
static size_t put_at(uint8_t *data, size_t size, size_t most, size_t at, size_t len, const char *with,
                     size_t with_len)
{
    if (size - len + with_len > most)
        return size;
    memmove(data + at + with_len, data + at + len, size - at - len);
    memcpy(data + at, with, with_len);
    return size - len + with_len;
}

static const char *const evils[] = {
    "\\x1b[31m",
    "\\x00",
    "\\xff",
    "\\xc3\\x28",
    "\\t",
    "\\x9b",
    "$(id)",
    "'",
    "\"",
    "`id`",
    "a b",
    "../..",
    "/etc/passwd",
    "/",
    "..",
    "%s%n",
    "",
    "-1",
    "0",
    "1",
    "255",
    "65535",
    "65536",
    "4294967295",
    "4294967296",
    "18446744073709551615",
    "18446744073709551616",
    "9223372036854775808",
    "0x7fffffffffffffff",
    "1e9",
    "4: ACTIVE",
    "5: LinkUp",
    "100 Gb/sec (4X EDR)",
    "fe80:0000:0000:0000:0000:0000:0000:0001",
    "0000:0000:0000:0000:0000:ffff:0a00:0001",
    "RoCE v2",
    "IB/RoCE v1",
    "! EIO",
    "! EACCES",
    "! ENOENT",
    "-> ..",
    "-> ../../../..",
    "-> x",
    "\\",
    "Ethernet",
    "InfiniBand",
    "1: CA",
    "4: RNIC",
    "unknown",
    "\\xe2\\x80\\xae",
    "[0-4294967295]",
    "[1-9]",
    "eth0",
    "NaN",
    ":",
};
static const char *const words_of_netlink[] = { "00000000", "ffffffff", "01000000", "04000000", "05000000",
                                                "ffff0000", "08000100", "00000080", "10270000" };

static size_t change_answer(uint8_t *data, size_t size, size_t most, size_t at, size_t len)
{
    size_t digit = at + 3 + roll(len > 3 ? len - 3 : 1);
    if (digit >= size)
        return size;
    if (roll(2))
        return data[digit] == ' ' || data[digit] == '\n'
                   ? size
                   : (data[digit] = (uint8_t) "0123456789abcdef"[roll(16)], size);
    size_t word = at + 3 + 9 * roll(len / 9);
    const char *with = words_of_netlink[roll(ARRAY_SIZE(words_of_netlink))];
    if (word + 8 > at + len)
        return size;
    return roll(6) ? put_at(data, size, most, word, 8, with, 8) : put_at(data, size, most, word, 8, "", 0);
}

static size_t change_line(uint8_t *data, size_t size, size_t most, size_t at, size_t len)
{
    const char *evil = evils[roll(ARRAY_SIZE(evils))];
    const uint8_t *blank = len > 2 ? memchr(data + at + 2, ' ', len - 2) : NULL;
    size_t value = blank ? (size_t)(blank + 1 - data) : at;
    char line[512];
    switch (roll(8)) {
    case 0: /* twice */
        if (len + 1 > sizeof(line) || at + len + 1 > size)
            return size;
        memcpy(line, data + at, len + 1);
        return put_at(data, size, most, at, 0, line, len + 1);
    case 1:
        return at + len + 1 <= size ? put_at(data, size, most, at, len + 1, "", 0) : size;
    case 2: /* its name */
        return put_at(data, size, most, at + 2 < size ? at + 2 : at,
                      blank && value > at + 3 ? value - at - 3 : 0, evil, strlen(evil));
    case 3: /* within */
        return put_at(data, size, most, value + roll(at + len - value + 1), 0, evil, strlen(evil));
    default:
        return put_at(data, size, most, value, at + len - value, evil, strlen(evil));
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    dice = seed;
    if (size < 2 || roll(40) == 0)
        return LLVMFuzzerMutate(data, size, most);
    if (roll(6) == 0)
        data[0] = (uint8_t)roll(ARRAY_SIZE(command_lines));
    for (uint32_t times = roll(4) + 1; times; times--) {
        size_t at = 1 + roll(size - 1);
        while (at > 1 && data[at - 1] != '\n')
            at--;
        const uint8_t *end = memchr(data + at, '\n', size - at);
        size_t len = (end ? (size_t)(end - data) : size) - at;
        bool answer = len > 3 && memcmp(data + at, "  :", 3) == 0;
        size = answer ? change_answer(data, size, most, at, len) : change_line(data, size, most, at, len);
        if (size < 2)
            break;
    }
    return size;
}
