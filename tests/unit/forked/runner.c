/* SPDX-License-Identifier: MIT */
/* unit [--filter PATTERN] [--jobs N] [--fail-fast] [--quiet] [--list]: runs the tests SUITE/TEST that the
 * pattern matches (a shell's, extended), N at a time, each in a process of its own that is forked off before
 * any test has run. */
#include "criterion/criterion.h"

#include <fnmatch.h>
#include <getopt.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>

enum { USUAL_TIMEOUT = 1500, MOST_JOBS = 64, SKIPPED = 77 };

static struct criterion_test *suites, *tests, **last_test = &tests;
const struct criterion_test *criterion_current_test;

void criterion_add(struct criterion_test *test)
{
    if (test->name) {
        *last_test = test;
        last_test = &test->next;
    } else {
        test->next = suites;
        suites = test;
    }
}

/* ---- in the process of a test */

static jmp_buf end;
static pthread_t own_thread;
static int reports = STDERR_FILENO; /* where stderr led before the test changed it */
static volatile bool failed;
static int redirected[3] = { -1, -1, -1 };

void criterion_failed(const char *file, int line, const char *what, const char *format, ...)
{
    va_list args;
    char text[4096];
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    failed = true;
    dprintf(reports, "%s/%s: %s:%d: not so: %s%s%s\n", criterion_current_test->category,
            criterion_current_test->name, file, line, what, text[1] ? ":" : "", text[1] ? text : "");
}

void criterion_end(void)
{
    if (!pthread_equal(pthread_self(), own_thread))
        _exit(1);
    longjmp(end, 1);
}

void criterion_skip(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    dprintf(reports, "%s/%s can't be tried here: ", criterion_current_test->category,
            criterion_current_test->name);
    vdprintf(reports, format, args);
    dprintf(reports, "\n");
    _exit(SKIPPED);
}

bool criterion_same_text(const char *a, const char *b)
{
    bool same = a && b && strcmp(a, b) == 0;
    if (!same)
        dprintf(reports, "these are not the same:\n  '%s'\n  '%s'\n", a ? a : "(null)", b ? b : "(null)");
    return same;
}

void criterion_redirect(int fd)
{
    fflush(NULL);
    if (redirected[fd] >= 0)
        close(redirected[fd]);
    redirected[fd] = memfd_create("redirected", MFD_CLOEXEC);
    if (redirected[fd] < 0 || dup2(redirected[fd], fd) < 0)
        abort();
}

bool criterion_is_redirected(int fd, const char *want)
{
    fflush(NULL);
    off_t size = redirected[fd] < 0 ? -1 : lseek(redirected[fd], 0, SEEK_END);
    char *text = size < 0 ? NULL : calloc(1, (size_t)size + 1);
    if (!text || pread(redirected[fd], text, (size_t)size, 0) != size)
        abort();
    bool same = criterion_same_text(text, want);
    free(text);
    return same;
}

static const struct criterion_test *suite_of(const struct criterion_test *test)
{
    const struct criterion_test *suite = suites;
    while (suite && strcmp(suite->category, test->category) != 0)
        suite = suite->next;
    return suite;
}

static void call(void (*function)(void))
{
    if (function)
        function();
}

__attribute__((noreturn)) static void run(const struct criterion_test *test)
{
    const struct criterion_test *suite = suite_of(test);
    criterion_current_test = test;
    own_thread = pthread_self();
    reports = dup(STDERR_FILENO);
    if (setjmp(end) == 0) {
        call(suite ? suite->init : NULL);
        call(test->init);
        call(test->body);
    }
    if (setjmp(end) == 0) {
        call(test->fini);
        call(suite ? suite->fini : NULL);
    }
    fflush(NULL);
    if (failed) /* what it holds is no leak */
        _exit(1);
    exit(0);
}

/* ---- in ours */

struct job {
    const struct criterion_test *test;
    pid_t pid;
    double until;
};

static struct job jobs[MOST_JOBS];
static struct pollfd ends[MOST_JOBS];
static size_t running;
static unsigned passing, failing, crashing;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void start(const struct criterion_test *test)
{
    const struct criterion_test *suite = suite_of(test);
    double timeout = test->timeout > 0 ? test->timeout : suite ? suite->timeout : 0;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
        run(test);
    int fd = pid < 0 ? -1 : (int)syscall(SYS_pidfd_open, pid, 0);
    if (fd < 0) {
        perror("a process for a test");
        exit(2);
    }
    jobs[running] = (struct job){ test, pid, now() + (timeout > 0 ? timeout : USUAL_TIMEOUT) };
    ends[running++] = (struct pollfd){ .fd = fd, .events = POLLIN };
}

static void judge(const struct job *job)
{
    int status;
    if (waitpid(job->pid, &status, 0) < 0)
        status = -1;
    if (status == 0) {
        passing++;
        return;
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == SKIPPED)
        return;
    bool crashed = !WIFEXITED(status) || WEXITSTATUS(status) != 1;
    fprintf(stderr, "[%s] %s/%s", crashed ? "CRASH" : "FAIL", job->test->category, job->test->name);
    fprintf(stderr, WIFSIGNALED(status) ? ": signal %d\n" : ": status %d\n",
            WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    crashed ? crashing++ : failing++;
}

/* Waits for one to end, and ends those that take too long. */
static void reap(void)
{
    poll(ends, running, 1000);
    for (size_t i = running; i-- > 0;) {
        if (!ends[i].revents && now() > jobs[i].until) {
            fprintf(stderr, "%s/%s takes too long\n", jobs[i].test->category, jobs[i].test->name);
            kill(jobs[i].pid, SIGKILL);
        } else if (!ends[i].revents) {
            continue;
        }
        judge(&jobs[i]);
        close(ends[i].fd);
        running--;
        jobs[i] = jobs[running];
        ends[i] = ends[running];
    }
}

static bool is_wanted(const struct criterion_test *test, const char *pattern)
{
    char name[512];
    snprintf(name, sizeof(name), "%s/%s", test->category, test->name);
    return !pattern || fnmatch(pattern, name, FNM_EXTMATCH) == 0;
}

int main(int argc, char **argv)
{
    static const struct option options[] = {
        { "filter", required_argument, NULL, 'p' }, { "jobs", required_argument, NULL, 'j' },
        { "fail-fast", no_argument, NULL, 'f' },    { "quiet", no_argument, NULL, 'q' },
        { "list", no_argument, NULL, 'l' },         { 0 },
    };
    const char *pattern = NULL;
    size_t most = 1;
    bool fail_fast = false, quiet = false, list = false;
    for (int option; (option = getopt_long(argc, argv, "j:fql", options, NULL)) != -1;) {
        switch (option) {
        case 'p':
            pattern = optarg;
            break;
        case 'j':
            most = strtoul(optarg, NULL, 10);
            break;
        case 'f':
            fail_fast = true;
            break;
        case 'q':
            quiet = true;
            break;
        case 'l':
            list = true;
            break;
        default:
            return 2;
        }
    }
    optind = 1;
    most = most < 1 ? 1 : most > MOST_JOBS ? MOST_JOBS : most;
    for (const struct criterion_test *test = tests; test && !(fail_fast && failing + crashing);
         test = test->next) {
        if (!is_wanted(test, pattern))
            continue;
        if (list) {
            printf("├ %s/%s\n", test->category, test->name); /* as Criterion begins a test's line */
            continue;
        }
        start(test);
        while (running == most)
            reap();
    }
    while (running)
        reap();
    if (!quiet && !list)
        fprintf(stderr, "[====] Synthesis: Tested: %u | Passing: %u | Failing: %u | Crashing: %u\n",
                passing + failing + crashing, passing, failing, crashing);
    return failing + crashing ? 1 : 0;
}
