/* One loop over all checks: each fires on its fixture, and none says a word about a healthy machine. */
#include <criterion/criterion.h>
#include <glob.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "check/check.h"
#include "source/source.h"

static struct host *read_fixture(const char *name, needs_t needs)
{
    char path[256];
    struct source *source = NULL;
    struct host *host = NULL;
    struct stat st;
    snprintf(path, sizeof(path), "fixtures/%s", name);
    if (stat(path, &st) < 0)
        return NULL;
    cr_assert_eq(source_open_recording(path, &source), 0, "%s can't be opened", path);
    cr_assert_eq(host_read(source, needs, &host), 0, "%s can't be read", path);
    source_close(source);
    return host;
}

/* Is the check's worst verdict a warning or a failure? */
static bool fires(const struct check *check, const struct host *host, const struct host *before)
{
    struct arena *arena = arena_new();
    struct check_selection selection = { .only = check->id };
    struct report report = check_run(host, before, before ? 1000 : 0, &selection, arena);
    bool bad = report.ngroups == 1 && report.groups[0].verdict >= VERDICT_WARN;
    for (size_t i = 0; bad && i < report.nfindings; i++) {
        const struct finding *finding = &report.findings[i];
        cr_expect(finding->verdict < VERDICT_WARN || (finding->evidence && *finding->evidence),
                  "%s gives no evidence", check->id);
        cr_expect(finding->fix && *finding->fix, "%s says no fix", check->id);
    }
    arena_free(arena);
    return bad;
}

static void expect_fires(const struct check *check)
{
    char earlier[128];
    struct check_selection selection = { .only = check->id };
    needs_t needs = check_needs(&selection);
    struct host *host = read_fixture(check->fires_on, needs);
    cr_expect_not_null(host, "%s fires on %s, which isn't there", check->id, check->fires_on);
    if (!host)
        return;
    snprintf(earlier, sizeof(earlier), "%s-before", check->fires_on);
    struct host *before = read_fixture(earlier, needs);
    cr_expect(!check->interval || before, "%s compares two readings, but there is no %s", check->id, earlier);
    cr_expect(fires(check, host, before), "%s is quiet on %s", check->id, check->fires_on);
    host_free(before);
    host_free(host);
}

Test(check_fixtures, each_fires_on_its_fixture)
{
    cr_assert_geq(check_count(), 50);
    for (size_t i = 0; i < check_count(); i++)
        expect_fires(check_at(i));
}

static bool is_healthy(const char *note)
{
    char line[1024];
    bool healthy = false;
    FILE *file = fopen(note, "r");
    while (file && fgets(line, sizeof(line), file))
        healthy |= strcmp(line, "healthy: yes\n") == 0;
    if (file)
        fclose(file);
    return healthy;
}

/* A healthy machine's two readings are the same one: nothing grows. */
static void expect_quiet(const char *name)
{
    struct arena *arena = arena_new();
    struct host *host = read_fixture(name, NEED_ALL);
    struct report report = check_run(host, host, 1000, NULL, arena);
    for (size_t i = 0; i < report.nfindings; i++) {
        const struct finding *finding = &report.findings[i];
        cr_expect(finding->verdict < VERDICT_WARN, "%s on healthy %s: %s", finding->check->id, name,
                  finding->evidence);
        cr_expect(finding->evidence && *finding->evidence, "%s on %s doesn't say what it saw",
                  finding->check->id, name);
    }
    host_free(host);
    arena_free(arena);
}

Test(check_fixtures, all_are_quiet_on_healthy_machines)
{
    glob_t notes = { 0 };
    size_t machines = 0;
    cr_assert_eq(glob("fixtures/*/NOTE", 0, NULL, &notes), 0);
    for (size_t i = 0; i < notes.gl_pathc; i++) {
        char name[128] = { 0 };
        if (!is_healthy(notes.gl_pathv[i]) || sscanf(notes.gl_pathv[i], "fixtures/%127[^/]", name) != 1)
            continue;
        expect_quiet(name);
        machines++;
    }
    globfree(&notes);
    cr_assert_geq(machines, 5);
}

/* A check alone says the same as among all others: it asks for all that it looks at. */
static void expect_same_alone(const char *name, const struct host *whole, const struct check *check)
{
    struct arena *arena = arena_new();
    struct check_selection selection = { .only = check->id };
    struct host *own = read_fixture(name, check_needs(&selection));
    struct report a = check_run(whole, NULL, 0, &selection, arena);
    struct report b = check_run(own, NULL, 0, &selection, arena);
    cr_expect_eq(a.nfindings, b.nfindings, "%s on %s", check->id, name);
    for (size_t i = 0; i < a.nfindings && i < b.nfindings; i++)
        cr_expect(a.findings[i].verdict == b.findings[i].verdict &&
                      strcmp(a.findings[i].evidence, b.findings[i].evidence) == 0,
                  "%s on %s: '%s' alone, '%s' among all", check->id, name, b.findings[i].evidence,
                  a.findings[i].evidence);
    host_free(own);
    arena_free(arena);
}

Test(check_fixtures, each_says_the_same_alone)
{
    static const char *const names[] = { "fault-qos", "fault-gid", "fault-link", "mlx5-lag" };
    for (size_t n = 0; n < sizeof(names) / sizeof(*names); n++) {
        struct host *whole = read_fixture(names[n], NEED_ALL);
        for (size_t i = 0; i < check_count(); i++)
            expect_same_alone(names[n], whole, check_at(i));
        host_free(whole);
    }
}
