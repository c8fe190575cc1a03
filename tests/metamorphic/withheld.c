/* SPDX-License-Identifier: MIT */
/* Unknown is never absent: each file, answer and node that a machine's findings rest on is taken away, first
 * unreadable, then missing from a tree that may lack anything; no warning and no failure may become a pass. */
#include <glob.h>

#include "metamorphic.h"
#include "model/facts.h"
#include "source/recording/recording.h"
#include "source/root/backend.h"

/* -- a root that withholds things ------------------------------------------------------------------------- */

struct place {
    char *path; /* as it is asked for */
    const struct node *node;
};

static struct {
    bool watching, partial;
    int err; /* what places give; 0: nothing is withheld */
    struct place *places;
    size_t nplaces;
    size_t hits;
} withheld;

static struct arena *log_arena;
static const char **asked;
static size_t nasked;

static void whole_path(const struct root_dir *from, const char *path, char whole[static PATH_MAX])
{
    snprintf(whole, PATH_MAX, "%s%s%s", from->path, *from->path && *path ? "/" : "", path);
}

static bool is_place(const char *path, size_t len)
{
    for (size_t i = 0; i < withheld.nplaces; i++)
        if (strncmp(withheld.places[i].path, path, len) == 0 && !withheld.places[i].path[len])
            return true;
    return false;
}

static bool is_in_place(const struct node *node)
{
    for (; node && node->parent; node = node->parent)
        for (size_t i = 0; i < withheld.nplaces; i++)
            if (withheld.places[i].node == node)
                return true;
    return false;
}

static int refusal(const struct root_dir *from, const char *path, bool follow)
{
    char whole[PATH_MAX];
    struct node *node = NULL;
    whole_path(from, path, whole);
    if (withheld.watching)
        *ARENA_PUSH(log_arena, asked, nasked) = arena_strdup(log_arena, whole);
    if (withheld.partial &&
        (text_starts(whole, "probe") || text_starts(whole, "netlink") || text_starts(whole, "verbs/")))
        return -ENOENT;
    if (!withheld.err)
        return 0;
    bool hit = false;
    for (size_t len = 0; whole[len] && !hit; len++)
        hit = (whole[len + 1] == '/' || !whole[len + 1]) && is_place(whole, len + 1);
    if (!hit && filetree_look_up(from->root->tree, from->root->tree->top, whole, follow, &node) == 0)
        hit = is_in_place(node);
    withheld.hits += hit;
    return hit ? -withheld.err : 0;
}

static int w_read(const struct root_dir *from, const char *path, size_t most, struct span *out)
{
    int r = refusal(from, path, true);
    return r < 0 ? r : root_recorded.read(from, path, most, out);
}

static int w_reduce(struct root *root, const char *path, root_reducer *reduce, void *data)
{
    int r = refusal(&root->top, path, true);
    return r < 0 ? r : root_recorded.reduce(root, path, reduce, data);
}

static int w_link(const struct root_dir *from, const char *path, char *target)
{
    int r = refusal(from, path, false);
    return r < 0 ? r : root_recorded.link(from, path, target);
}

static bool w_is_there(struct root *root, const char *path, bool as_directory)
{
    return refusal(&root->top, path, true) == 0 && root_recorded.is_there(root, path, as_directory);
}

static int w_open(const struct root_dir *from, const char *path, struct root_dir *dir)
{
    int r = refusal(from, path, true);
    return r < 0 ? r : root_recorded.open(from, path, dir);
}

static int w_names(const struct root_dir *dir, struct arena *arena, struct names *names)
{
    int r = refusal(dir, "", true);
    r = r < 0 ? r : root_recorded.names(dir, arena, names);
    size_t kept = 0;
    bool watching = withheld.watching;
    size_t hits = withheld.hits; /* a name that isn't listed isn't missed */
    withheld.watching = false;
    for (size_t i = 0; r == 0 && i < names->count; i++)
        if (withheld.err != ENOENT || refusal(dir, names->items[i], false) == 0)
            names->items[kept++] = names->items[i];
    withheld.watching = watching;
    withheld.hits = hits;
    if (r == 0)
        names->count = kept;
    return r;
}

static int w_try_node(struct root *root, const char *path)
{
    int r = refusal(&root->top, path, true);
    return withheld.partial ? -ENODATA : r < 0 ? r : root_recorded.try_node(root, path);
}

static int w_fetch(struct root *root, const char *path, root_fetcher *fetch, void *data, struct span *out)
{
    int r = refusal(&root->top, path, true);
    return r < 0 ? r : root_recorded.fetch(root, path, fetch, data, out);
}

static struct root_backend backend;

struct source *open_machine(const char *name)
{
    char path[160];
    struct source *source = NULL;
    snprintf(path, sizeof(path), "fixtures/%s.machine", name);
    if (source_open_recording(path, &source, NULL) < 0)
        return NULL;
    backend = root_recorded;
    backend.read = w_read;
    backend.reduce = w_reduce;
    backend.link = w_link;
    backend.is_there = w_is_there;
    backend.open = w_open;
    backend.names = w_names;
    backend.try_node = w_try_node;
    backend.fetch = w_fetch;
    source->root->backend = &backend;
    return source;
}

/* -- what doctor says ------------------------------------------------------------------------------------- */

struct said {
    const struct check *check;
    char subject[160];
    enum verdict verdict;
    const char *evidence;
};

/* fixtures/NAME.expect, where there is one. */
static void expect(struct host *host, const char *name)
{
    char path[160];
    struct bytes text = { 0 };
    struct expectation *expectation = NULL;
    struct expectation_fault fault;
    snprintf(path, sizeof(path), "fixtures/%s.expect", name);
    if (file_load(path, 1 << 16, &text) == 0 &&
        expectation_parse(text.data, text.len, host->arena, &expectation, &fault) == 0)
        host->expectation = expectation;
    bytes_free(&text);
}

bool ask(const struct machine *machine, struct says *says)
{
    *says = (struct says){ 0 };
    if (host_read(machine->now, NEED_ALL, &says->host) < 0)
        return false;
    if (machine->before)
        host_read(machine->before, NEED_ALL, &says->old);
    expect(says->host, machine->name);
    says->arena = arena_new();
    says->report = check_run(says->host, says->old, says->old ? 1000 : 0, NULL, says->arena);
    return true;
}

void forget(struct says *says)
{
    host_free(says->host);
    host_free(says->old);
    if (says->arena)
        arena_free(says->arena);
}

static bool is_told(enum verdict verdict)
{
    return verdict == VERDICT_WARN || verdict == VERDICT_FAIL;
}

static const struct finding *find_said(const struct report *report, const struct finding *wanted)
{
    char want[160], is[160];
    subject_format(&wanted->subject, want);
    for (size_t i = 0; i < report->nfindings; i++) {
        const struct finding *finding = &report->findings[i];
        subject_format(&finding->subject, is);
        if (finding->check == wanted->check && strcmp(want, is) == 0)
            return finding;
    }
    return NULL;
}

static bool group_is_unknown(const struct report *report, const struct check *check)
{
    for (size_t i = 0; i < report->nfindings; i++)
        if (report->findings[i].check == check && report->findings[i].verdict == VERDICT_UNKNOWN)
            return true;
    return false;
}

static size_t compare(const struct machine *machine, const struct says *whole, const struct says *less,
                      const char *what)
{
    size_t wrong = 0;
    for (size_t i = 0; i < whole->report.nfindings; i++) {
        const struct finding *was = &whole->report.findings[i];
        char subject[160];
        if (!is_told(was->verdict) || less->report.blind)
            continue; /* that a device could not be read is said once, and no gate passes */
        if (change_has_reason("unreadable", machine->name, was->check->id))
            continue;
        const struct finding *is = find_said(&less->report, was);
        if (!is && less->host->partial)
            continue; /* a tree without the subject */
        if (is ? is_told(is->verdict) || is->verdict == VERDICT_UNKNOWN || is->verdict == VERDICT_INFO
               : group_is_unknown(&less->report, was->check))
            continue;
        subject_format(&was->subject, subject);
        printf("%s: %s %s: %s -> %s without %s: %s\n", machine->name, was->check->id, subject,
               verdict_name(was->verdict), is ? verdict_name(is->verdict) : "nothing", what,
               is && is->evidence ? is->evidence : "");
        wrong++;
    }
    return wrong;
}

/* What can't be read makes no fault: each warning and failure was there before. */
static size_t invented(const struct machine *machine, const struct says *whole, const struct says *less,
                       const char *what)
{
    size_t wrong = 0;
    for (size_t i = 0; i < less->report.nfindings; i++) {
        const struct finding *is = &less->report.findings[i];
        const struct finding *was = is_told(is->verdict) ? find_said(&whole->report, is) : NULL;
        char subject[160];
        if (!is_told(is->verdict) || (was && is_told(was->verdict)) ||
            change_has_reason("unreadable", machine->name, is->check->id))
            continue;
        subject_format(&is->subject, subject);
        printf("%s: %s %s: %s -> %s without %s: %s\n", machine->name, is->check->id, subject,
               was ? verdict_name(was->verdict) : "nothing", verdict_name(is->verdict), what,
               is->evidence ? is->evidence : "");
        wrong++;
    }
    return wrong;
}

/* -- what can be taken away ------------------------------------------------------------------------------- */

static bool is_border(char c)
{
    return !isalnum((unsigned char)c) && c != '_';
}

/* Is a name of the host here? Its length. */
static size_t name_at(const struct host *host, const char *at)
{
    size_t longest = 0;
#define TRY(name)                                                                             \
    do {                                                                                      \
        size_t len = strlen(name);                                                            \
        if (len > longest && strncmp(at, name, len) == 0 && (!at[len] || is_border(at[len]))) \
            longest = len;                                                                    \
    } while (0)
    for (size_t i = 0; i < host->ndevices; i++)
        TRY(host->devices[i].name);
    for (size_t i = 0; i < host->nnetdevs; i++)
        TRY(host->netdevs[i].name);
    for (size_t i = 0; i < host->npcis; i++)
        TRY(host->pcis[i].address);
    return longest;
}

static const char *kind_of(const struct host *host, const char *path, struct arena *arena)
{
    struct bytes kind = { 0 };
    bytes_append(&kind, "", 0);
    for (const char *at = path; *at;) {
        size_t len = at == path || is_border(at[-1]) ? name_at(host, at) : 0;
        if (len) {
            bytes_append(&kind, "*", 1);
            at += len;
        } else if (isdigit((unsigned char)*at)) {
            bytes_append(&kind, "#", 1);
            while (isxdigit((unsigned char)*at) || *at == ':')
                at++;
        } else {
            bytes_append(&kind, at++, 1);
        }
    }
    const char *text = arena_strdup(arena, kind.data);
    bytes_free(&kind);
    return text;
}

struct kind {
    const char *kind, *path;
};

static int by_kind(const void *a, const void *b)
{
    const struct kind *x = a, *y = b;
    int order = strcmp(x->kind, y->kind);
    return order ? order : text_version_compare(x->path, y->path);
}

/* All that was asked for and the directories above, by kind, each once. */
static struct kind *kinds_of(const struct host *host, struct arena *arena, size_t *count)
{
    struct kind *all = NULL;
    *count = 0;
    for (size_t i = 0; i < nasked; i++) {
        const char *kind = kind_of(host, asked[i], arena);
        *ARENA_PUSH(arena, all, *count) = (struct kind){ kind, asked[i] };
    }
    if (*count)
        qsort(all, *count, sizeof(*all), by_kind);
    size_t kept = 0;
    for (size_t i = 0; i < *count; i++)
        if (!kept || strcmp(all[i].path, all[kept - 1].path) != 0)
            all[kept++] = all[i];
    *count = kept;
    return all;
}

static size_t runs;

static size_t without(const struct machine *machine, const struct says *whole, const struct kind *first,
                      size_t count, int err, bool partial)
{
    struct arena *arena = arena_new();
    struct says less;
    size_t wrong = 0;
    withheld.places = arena_alloc(arena, count, sizeof(*withheld.places));
    withheld.nplaces = count;
    for (size_t i = 0; i < count; i++)
        withheld.places[i] = (struct place){ (char *)first[i].path,
                                             filetree_resolve(machine->now->root->tree, first[i].path) };
    withheld.err = err;
    withheld.partial = partial;
    withheld.hits = 0;
    runs++;
    if (ask(machine, &less) && (withheld.hits || !count)) {
        char *what = mem_printf("%s%s%s", count ? first->path : "nothing", count > 1 ? " and its like" : "",
                                partial ? " (a partial tree)" : "");
        wrong = compare(machine, whole, &less, what);
        wrong += partial ? 0 : invented(machine, whole, &less, what);
        free(what);
    }
    forget(&less);
    withheld.err = 0;
    withheld.partial = false;
    arena_free(arena);
    return wrong;
}

static size_t look_at(const char *name)
{
    char earlier[160];
    struct says whole;
    size_t wrong = 0, count;
    snprintf(earlier, sizeof(earlier), "%s-before", name);
    struct machine machine = { name, open_machine(name), open_machine(earlier) };
    log_arena = arena_new();
    asked = NULL;
    nasked = 0;
    withheld.watching = true;
    ask(&machine, &whole);
    withheld.watching = false;
    struct kind *all = kinds_of(whole.host, log_arena, &count);
    size_t kinds = 0;
    wrong += without(&machine, &whole, NULL, 0, 0, true);
    for (size_t i = 0, n; i < count; i += n) {
        for (n = 1; i + n < count && strcmp(all[i].kind, all[i + n].kind) == 0; n++)
            ;
        kinds++;
        if (text_starts(all[i].path, "dev/") || !strchr(all[i].path, '/'))
            continue; /* that a node can't be opened is an answer */
        wrong += without(&machine, &whole, &all[i], n, EACCES, false);
        if (n > 1)
            wrong += without(&machine, &whole, &all[i], 1, EACCES, false);
        wrong += without(&machine, &whole, &all[i], n, ENOENT, true);
    }
    printf("%s: %zu asked, %zu different, %zu kinds, %zu runs, %zu wrong\n", name, nasked, count, kinds, runs,
           wrong);
    forget(&whole);
    source_close(machine.now);
    source_close(machine.before);
    arena_free(log_arena);
    return wrong;
}

/* The directories at the top and the next two levels. That a node can't be opened is an answer; without probe/
 * it is another tool's tree. */
static size_t without_part(const struct machine *machine, const struct says *whole,
                           const struct node *directory)
{
    size_t wrong = 0;
    for (const struct node *node = directory->children; node; node = node->next) {
        struct bytes path = { 0 };
        filetree_path(node, &path);
        if (node->kind == NODE_DIRECTORY && strcmp(path.data, "dev") != 0 && strcmp(path.data, "probe") != 0) {
            wrong += without(machine, whole, &(struct kind){ path.data, path.data }, 1, EACCES, false);
            if (node->depth < 3)
                wrong += without_part(machine, whole, node);
        }
        bytes_free(&path);
    }
    return wrong;
}

size_t look_unreadable(const struct machine *machine, const struct says *whole)
{
    return without_part(machine, whole, machine->now->root->tree->top);
}

int main(int argc, char **argv)
{
    size_t wrong = 0;
    if (argc == 4 && strcmp(argv[1], "print") == 0)
        return print_changed(argv[2], argv[3]);
    bool changed = argc > 1 && strcmp(argv[1], "changed") == 0;
    for (int i = 1 + changed; i < argc; i++)
        wrong += changed ? look_changed(argv[i]) : look_at(argv[i]);
    return wrong > 0;
}
