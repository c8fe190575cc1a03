/* SPDX-License-Identifier: MIT */
/* One loop over all checks: each fires on its fixture, and none says a word about a healthy machine. */
#include <criterion/criterion.h>
#include <glob.h>

#include "asked.h"
#include "check/check.h"
#include "model/counters.h"
#include "model/facts.h"
#include "model/statistics.h"
#include "source/source.h"
#include "tree.h"

static struct source *open_fixture(const char *name)
{
    const char *path = tree_fixture(name);
    struct source *source = NULL;
    cr_assert(!path || source_open_recording(path, &source, NULL) == 0, "%s can't be opened", path);
    return source;
}

static struct host *read_source(struct source *source, needs_t needs)
{
    struct host *host = NULL;
    cr_assert_eq(host_read(source, needs, &host), 0);
    return host;
}

static struct host *read_fixture(const char *name, needs_t needs)
{
    struct source *source = open_fixture(name);
    struct host *host = source ? read_source(source, needs) : NULL;
    source_close(source);
    return host;
}

/* What fixtures/NAME.expect says that a machine should be; none where there is no such file. */
static void expect_of(struct host *host, const char *name)
{
    char path[160], text[4096];
    struct expectation *expectation = NULL;
    struct expectation_fault fault;
    snprintf(path, sizeof(path), "fixtures/%s.expect", name);
    FILE *file = fopen(path, "r");
    if (!file || !host)
        return;
    size_t len = fread(text, 1, sizeof(text), file);
    fclose(file);
    cr_assert_eq(expectation_parse(text, len, host->arena, &expectation, &fault), 0, "%s: line %u: %s", path,
                 fault.line, fault.what);
    host->expectation = expectation;
}

/* What is wrong with checks, a line each. */
static struct arena *arena;
static struct bytes faults;

/* How good a judge doctor is, on what the fixtures say of themselves. */
static struct {
    size_t healthy, false_alarms; /* machines without a fault, and what is told of them as one */
    size_t faults, missed;        /* a row's machine has its fault */
    size_t names;                 /* of counters, in evidence */
    size_t findings, roots; /* on machines with faults: what is told, and the faults that nothing explains */
} tally;

static void setup(void)
{
    arena = arena_new();
    bytes_append(&faults, "", 0);
}

static void teardown(void)
{
    arena_free(arena);
    bytes_free(&faults);
}

TestSuite(check_fixtures, .init = setup, .fini = teardown);

typedef const struct check *rows_fn(size_t i);

/* A fix that takes away what others may use says so, in whatever words fit. */
static bool says_what_it_interrupts(const char *fix)
{
    static const char *const takes_away[] = {
        " down &&",
        " nomaster",
        " netns ",
        "address del",
        "set-fec",
        "driver/unbind",
        "devlink dev reload",
        "devlink dev eswitch",
        "mstfwreset",
        "modprobe -r",
        "ethtool -s ",
        "reload the driver",
        "restart nfs-server",
        "set netns exclusive",
        " mtu ",
    };
    static const char *const says[] = { "interrupt", "takes it away", "stop for a moment", "restart the host",
                                        "before any container starts" };
    bool takes = false, said = false;
    for (size_t i = 0; i < ARRAY_SIZE(takes_away); i++)
        takes |= strstr(fix, takes_away[i]) != NULL;
    for (size_t i = 0; i < ARRAY_SIZE(says); i++)
        said |= strstr(fix, says[i]) != NULL;
    return !takes || said;
}

/* Does explain know the name, of RDMA's counters or a netdev's statistics? */
static bool is_counter(const char *name)
{
    unsigned priority;
    bool is = statistic_find(NULL, name, &priority) != NULL;
    for (size_t i = 0; counter_tables[i].count && !is; i++)
        is = counter_table_find(&counter_tables[i], name) != NULL;
    return is;
}

/* "rx_discards_phy +40", "mlx5_0/1: out_of_sequence +3", "statistics/rx_crc_errors +4". What has no underscore
 * is a word: "FEC uncorrectable blocks +7"; before a colon it is a device. */
static void look_at_names(const struct check *check, const char *evidence)
{
    for (const char *at = evidence; (at = strstr(at, " +")); at++) {
        const char *from = at;
        while (from > evidence && !strchr(" /,", from[-1]))
            from--;
        char *name = strndup(from, (size_t)(at - from));
        bool is_name = strchr(name, '_') && !text_ends(name, ":");
        if (is_name && !is_counter(name))
            bytes_printf(&faults, "%s tells of '%s', which explain doesn't know\n", check->id, name);
        tally.names += is_name;
        free(name);
    }
}

static void look_at_wording(const struct check_group *group)
{
    for (size_t i = 0; i < group->count; i++) {
        const struct finding *finding = &group->findings[i];
        if (!finding->evidence || !*finding->evidence)
            bytes_printf(&faults, "%s gives no evidence\n", group->check->id);
        else
            look_at_names(group->check, finding->evidence);
        if (!finding->fix || !*finding->fix)
            bytes_printf(&faults, "%s says no fix\n", group->check->id);
        if (finding->fix && !says_what_it_interrupts(finding->fix))
            bytes_printf(&faults, "%s doesn't say what it interrupts: %s\n", group->check->id, finding->fix);
    }
}

static void look_where_it_fires(const struct check *check)
{
    char earlier[128];
    struct check_selection selection = { .only = check->id };
    needs_t needs = check_needs(&selection);
    struct host *host = read_fixture(check->fires_on, needs);
    snprintf(earlier, sizeof(earlier), "%s-before", check->fires_on);
    struct host *before = read_fixture(earlier, needs);
    expect_of(host, check->fires_on);
    if (!host)
        bytes_printf(&faults, "%s fires on %s, which isn't there\n", check->id, check->fires_on);
    if (check->interval && !before)
        bytes_printf(&faults, "%s compares two readings, but there is no %s\n", check->id, earlier);
    tally.faults++;
    if (host) {
        struct check_group group = check_ask(check, host, before, before ? 1000 : 0, NULL, arena);
        bool told = false;
        for (size_t i = 0; i < group.count; i++)
            told |= group.findings[i].verdict >= VERDICT_WARN || group.findings[i].verdict == VERDICT_INFO;
        tally.missed += !told;
        if (!told)
            bytes_printf(&faults, "%s is quiet on %s\n", check->id, check->fires_on);
        look_at_wording(&group);
    }
    host_free(before);
    host_free(host);
}

/* What a line of a machine's note says behind its key; false: it has none. The note is the beginning of a
 * recording: nothing has to be unpacked for it. */
static bool note_says(const char *machine, const char *key, char *value, size_t size)
{
    char line[1024];
    bool found = false;
    FILE *file = fopen(machine, "r");
    while (file && !found && fgets(line, sizeof(line), file) && *line == '#')
        if (strncmp(line, key, strlen(key)) == 0) {
            snprintf(value, size, "%.*s", (int)strcspn(line + strlen(key), "\n"), line + strlen(key));
            found = true;
        }
    if (file)
        fclose(file);
    return found;
}

static bool is_healthy(const char *machine)
{
    char value[16];
    return note_says(machine, "# healthy: ", value, sizeof(value)) && strcmp(value, "yes") == 0;
}

/* A healthy machine's two readings are the same one: nothing grows. */
static void look_at_healthy(const char *name, rows_fn *row)
{
    struct host *host = read_fixture(name, NEED_ALL);
    const struct check *check;
    for (size_t i = 0; (check = row(i)); i++) {
        struct check_group group = check_ask(check, host, host, 1000, NULL, arena);
        if (group.verdict >= VERDICT_WARN)
            bytes_printf(&faults, "%s fires on healthy %s: %s\n", check->id, name, group.findings[0].evidence);
        tally.false_alarms += group.verdict >= VERDICT_WARN;
        look_at_wording(&group);
    }
    host_free(host);
}

/* Each row fires on its fixture, and none says a word about a healthy machine. How many of these there were.
 */
static size_t look_for_faults(rows_fn *row)
{
    glob_t files = { 0 };
    size_t machines = 0;
    const struct check *check;
    for (size_t i = 0; (check = row(i)); i++)
        look_where_it_fires(check);
    cr_assert_eq(glob("fixtures/*.machine", 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        char name[128] = { 0 };
        if (sscanf(files.gl_pathv[i], "fixtures/%127[^.]", name) != 1 || !is_healthy(files.gl_pathv[i]))
            continue;
        look_at_healthy(name, row);
        machines++;
    }
    globfree(&files);
    return machines;
}

/* Is it a fault there by itself: has the row its machine there, or does the note say "# other faults: ID ID"?
 */
static bool is_fault_of(const struct check *check, const char *name)
{
    char machine[160], others[512];
    if (strcmp(check->fires_on, name) == 0)
        return true;
    snprintf(machine, sizeof(machine), "fixtures/%s.machine", name);
    if (!note_says(machine, "# other faults: ", others, sizeof(others)))
        return false;
    for (char *rest = others, *id; (id = strsep(&rest, " "));)
        if (strcmp(check->id, id) == 0)
            return true;
    return false;
}

/* On each machine that rows name: as many findings as faults is the aim. A fault that another one explains is
 * no fault of its own, nor is one that is only worth knowing. */
static void count_on(const char *name)
{
    char earlier[128];
    snprintf(earlier, sizeof(earlier), "%s-before", name);
    struct host *host = read_fixture(name, NEED_ALL), *old = read_fixture(earlier, NEED_ALL);
    expect_of(host, name);
    struct report report = check_run(host, old, old ? 1000 : 0, NULL, arena);
    for (size_t i = 0; i < report.ncauses; i++) {
        const struct root_cause *cause = &report.causes[i];
        if (cause->verdict == VERDICT_INFO)
            continue;
        tally.findings++;
        tally.roots += is_fault_of(cause->check, name);
        for (size_t a = 0; a < cause->nalso && !is_fault_of(cause->check, name); a++)
            if (is_fault_of(cause->also[a], name)) {
                tally.roots++;
                break;
            }
        if (getenv("TALLY") && !is_fault_of(cause->check, name))
            printf("%s: %s is told, and is nobody's fault there\n", name, cause->check->id);
    }
    host_free(old);
    host_free(host);
}

static void count_findings(void)
{
    for (size_t i = 0; check_at(i); i++) {
        bool seen = false;
        for (size_t before = 0; before < i && !seen; before++)
            seen = strcmp(check_at(before)->fires_on, check_at(i)->fires_on) == 0;
        /* broken is no machine with some faults, but one where nothing is right */
        if (!seen && strcmp(check_at(i)->fires_on, "broken") != 0)
            count_on(check_at(i)->fires_on);
    }
}

Test(check_fixtures, each_fires_on_its_fixture_and_on_no_healthy_machine)
{
    cr_assert_geq(check_count(), 50);
    tally.healthy = look_for_faults(check_at);
    cr_expect_geq(tally.healthy, 15);
    cr_expect_str_empty(faults.data, "%s", faults.data);
    count_findings();
    cr_expect_eq(tally.false_alarms, 0);
    cr_expect_eq(tally.missed, 0);
    cr_expect_geq(tally.names, 12);
    double each = (double)tally.findings / (double)tally.roots;
    printf("doctor on fixtures: %zu healthy machines, %zu findings; %zu faults, %zu found, %zu missed; %.2f "
           "findings a fault\n",
           tally.healthy, tally.false_alarms, tally.faults, tally.faults - tally.missed, tally.missed, each);
    fflush(stdout);
    cr_expect_leq(each, 1.0, "%zu findings for %zu faults: TALLY=1 names them", tally.findings, tally.roots);
}

static enum verdict judge_never(const struct subject *subject, struct judgement *judgement)
{
    (void)subject;
    judgement->evidence = "looked at, and fine";
    return VERDICT_PASS;
}

static enum verdict judge_always(const struct subject *subject, struct judgement *judgement)
{
    (void)subject;
    judgement->evidence = "found something";
    return VERDICT_WARN;
}

static enum verdict judge_without_evidence(const struct subject *subject, struct judgement *judgement)
{
    (void)subject;
    (void)judgement;
    return VERDICT_PASS;
}

/* Sound rows, but for their judges and their fixtures. */
static const struct check *broken_row(size_t i)
{
    static struct check rows[4];
    for (size_t r = 0; r < 4; r++)
        rows[r] = *check_find("rdma-device");
    rows[0].judge = judge_never;
    rows[1].judge = judge_always;
    rows[2].judge = judge_without_evidence;
    rows[3].fires_on = "no-such-machine";
    return i < 4 ? &rows[i] : NULL;
}

static size_t lines_with(const char *word)
{
    size_t count = 0;
    for (const char *at = faults.data; (at = strstr(at, word)); at++)
        count++;
    return count;
}

Test(check_fixtures, the_loop_sees_what_is_broken)
{
    size_t machines = look_for_faults(broken_row);
    cr_expect_eq(lines_with("rdma-device is quiet on no-rdma"), 2, "who never fires: %s", faults.data);
    cr_expect_eq(lines_with("rdma-device fires on healthy"), machines, "who always does: %s", faults.data);
    cr_expect_geq(lines_with("rdma-device gives no evidence"), machines, "%s", faults.data);
    cr_expect_eq(lines_with("which isn't there"), 1, "%s", faults.data);
}

/* A word in capitals that a reader has to replace: not a name, an abbreviation or a variable. */
static const char *const blanks[] = {
    "ADDRESS/PREFIX", "ADDRESS", "PREFIX",  "SUBNET",  "GATEWAY", "NETDEV", "DEVICE",
    "NAME",           "PID",     "GUID",    "PF",      "N",       "IMAGE",  "FIRMWARE",
    "GROUP",          "SIZE",    "PROGRAM", "COMMAND", "PORT",    "PEER",   "CONTAINER",
    "DEVICE/PORT",    "SERVER",  "DRIVER",  "BOND"
};

static bool is_of_word(char c)
{
    return c == '_' || c == '/' || c == '-' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
           (c >= 'a' && c <= 'z');
}

/* Says a fix what each of its blanks stands for: "N: the function's number"? */
static void look_for_blanks(const char *name, const struct finding *finding)
{
    for (size_t i = 0; i < ARRAY_SIZE(blanks); i++) {
        size_t len = strlen(blanks[i]);
        char said[40];
        snprintf(said, sizeof(said), "%s: ", blanks[i]);
        for (const char *at = finding->fix; (at = strstr(at, blanks[i])); at += len) {
            bool whole = (at == finding->fix || !is_of_word(at[-1])) && !is_of_word(at[len]);
            if (!whole || strstr(finding->fix, said))
                continue;
            bytes_printf(&faults, "%s on %s doesn't say what %s is: %s\n", finding->check->id, name, blanks[i],
                         finding->fix);
            break;
        }
    }
}

/* Does the machine have the netdev that a fix is for? One of another namespace is named by its port. */
static void look_for_netdev(const char *name, const struct host *host, const struct finding *finding)
{
    const char *at = strstr(finding->fix, " dev ");
    char netdev[64];
    if (!at || sscanf(at, " dev %63[^ ;|&>]", netdev) != 1 || *netdev == '$' || *netdev == '"' ||
        strcmp(netdev, "set") == 0 || strcmp(netdev, "param") == 0 || strcmp(netdev, "in") == 0 ||
        strcmp(netdev, "flash") == 0 || strstr(finding->fix, ": "))
        return;
    bool known = host_find_netdev(host, netdev) || host_find_device(host, netdev);
    for (const struct port *port = NULL; !known && (port = host_next_port(host, port));)
        known = port->netdev && strcmp(port->netdev, netdev) == 0;
    if (!known)
        bytes_printf(&faults, "%s on %s is for %s, which isn't there: %s\n", finding->check->id, name, netdev,
                     finding->fix);
}

/* What stands in a fix is of this machine, or it says how to find it out. */
Test(check_fixtures, fixes_are_filled_in)
{
    glob_t files = { 0 };
    size_t looked = 0;
    cr_assert_eq(glob("fixtures/*.machine", 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        char name[128] = { 0 }, earlier[140];
        cr_assert_eq(sscanf(files.gl_pathv[i], "fixtures/%127[^.]", name), 1);
        snprintf(earlier, sizeof(earlier), "%s-before", name);
        struct host *host = read_fixture(name, NEED_ALL), *old = read_fixture(earlier, NEED_ALL);
        expect_of(host, name);
        struct report report = check_run(host, old, old ? 1000 : 0, NULL, arena);
        for (size_t f = 0; f < report.nfindings; f++) {
            const struct finding *finding = &report.findings[f];
            if (finding->verdict < VERDICT_WARN && finding->verdict != VERDICT_INFO)
                continue;
            look_for_blanks(name, finding);
            look_for_netdev(name, host, finding);
            looked++;
        }
        host_free(old);
        host_free(host);
    }
    globfree(&files);
    cr_expect_gt(looked, 300);
    cr_expect_str_empty(faults.data, "%s", faults.data);
}

/* A machine, and what was read of it already: many checks need the same. */
struct machine {
    struct source *source; /* NULL: there is none of that name */
    struct reading {
        needs_t needs;
        struct host *host;
    } readings[128];
    size_t nreadings;
};

static struct host *read_once(struct machine *machine, needs_t needs)
{
    if (!machine->source)
        return NULL;
    for (size_t i = 0; i < machine->nreadings; i++)
        if (machine->readings[i].needs == needs)
            return machine->readings[i].host;
    cr_assert_lt(machine->nreadings, sizeof(machine->readings) / sizeof(*machine->readings));
    struct reading *reading = &machine->readings[machine->nreadings++];
    *reading = (struct reading){ needs, read_source(machine->source, needs) };
    return reading->host;
}

static void forget(struct machine *machine)
{
    for (size_t i = 0; i < machine->nreadings; i++)
        host_free(machine->readings[i].host);
    source_close(machine->source);
}

/* What doctor says when it is asked for the checks of a selection, and has read what needs tell. */
static struct report say(const char *name, struct machine *now, struct machine *before, needs_t needs,
                         const struct check_selection *selection)
{
    struct host *host = read_once(now, needs);
    struct host *old = check_wants_interval(selection) ? read_once(before, check_interval_needs(selection))
                                                       : NULL;
    if (!host->expectation)
        expect_of(host, name);
    return check_run(host, old, old ? 1000 : 0, selection, arena);
}

static bool is_same(const struct finding *a, const struct finding *b)
{
    bool told = a->verdict >= VERDICT_INFO && a->verdict != VERDICT_UNKNOWN; /* else nobody reads the fix */
    if (a->verdict == VERDICT_UNKNOWN && b->verdict == a->verdict)
        return true; /* which of several files is named depends on what was read */
    return a->verdict == b->verdict && strcmp(a->evidence, b->evidence) == 0 &&
           (!told || strcmp(a->fix, b->fix) == 0);
}

static void look_alike(const char *name, const char *how, const struct check_group *whole,
                       const struct check_group *own)
{
    const char *id = whole->check->id;
    if (whole->count != own->count)
        bytes_printf(&faults, "%s on %s: %zu findings %s, %zu among all\n", id, name, own->count, how,
                     whole->count);
    for (size_t i = 0; i < whole->count && i < own->count; i++) {
        const struct finding *a = &whole->findings[i], *b = &own->findings[i];
        if (!is_same(a, b))
            bytes_printf(&faults, "%s on %s: %s %s '%s' (%s), among all %s '%s' (%s)\n", id, name, how,
                         verdict_name(b->verdict), b->evidence, b->fix, verdict_name(a->verdict), a->evidence,
                         a->fix);
    }
}

/* doctor among all checks, doctor --only CHECK, and a check that could see all there is. */
static void look_at_each_alone(const char *name)
{
    char earlier[140];
    snprintf(earlier, sizeof(earlier), "%s-before", name);
    const struct check_selection all = { 0 };
    struct machine now = { .source = open_fixture(name) }, before = { .source = open_fixture(earlier) };
    struct report whole = say(name, &now, &before, check_needs(&all), &all);
    for (size_t i = 0; i < whole.ngroups; i++) {
        struct check_selection selection = { .only = whole.groups[i].check->id };
        struct report own = say(name, &now, &before, check_needs(&selection), &selection);
        struct report seeing = say(name, &now, &before, NEED_ALL, &selection);
        look_alike(name, "alone", &whole.groups[i], own.groups);
        look_alike(name, "with all that can be read", &whole.groups[i], seeing.groups);
    }
    forget(&now);
    forget(&before);
}

/* A check asks for all that it looks at, and for what run.c and judge.c look at for it. */
Test(check_fixtures, each_says_the_same_alone)
{
    glob_t files = { 0 };
    cr_assert_eq(glob("fixtures/*.machine", 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        char name[128] = { 0 };
        cr_assert_eq(sscanf(files.gl_pathv[i], "fixtures/%127[^.]", name), 1);
        look_at_each_alone(name);
    }
    globfree(&files);
    cr_expect_str_empty(faults.data, "%s", faults.data);
}
