/* SPDX-License-Identifier: MIT */
/* Opening the machine or a recording of it, and reading a host from it in steps. */
#include "source/source.h"

#include <sys/stat.h>

#include "base/clock.h"
#include "base/version.h"
#include "source/files/files.h"
#include "source/netlink/ask.h"
#include "source/netlink/read.h"
#include "source/recording/recording.h"
#include "source/verbs/verbs.h"

static int open_source(struct root *root, struct source **out)
{
    bool recorded = root_is_recorded(root);
    if (recorded && !root_exists(root, "sys")) {
        root_close(root);
        return -ENODATA;
    }
    struct source *source = mem_alloc(1, sizeof(*source));
    source->root = root;
    source->ask_netlink = recorded ? netlink_ask_recorded : netlink_ask_live;
    source->verbs_backend = recorded ? &verbs_recorded : &verbs_live;
    source->thorough = recorded;
    source->netlink = netlink_new();
    *out = source;
    return 0;
}

int source_open_live(struct source **source)
{
    struct root *root = NULL;
    int r = root_open("/", false, &root);
    return r < 0 ? r : open_source(root, source);
}

static int open_directory(const char *path, struct source **source, struct recording_fault *fault)
{
    struct root *root = NULL;
    int r = root_open(path, true, &root);
    if (r == -E2BIG)
        snprintf(fault->what, sizeof(fault->what), "its errors are of more than %d files",
                 RECORDING_ENTRIES_MOST);
    return r < 0 ? r : open_source(root, source);
}

static int open_file(const char *path, struct source **source, struct recording_fault *fault)
{
    struct filetree *tree = NULL;
    int r = recording_load(path, &tree, fault);
    return r < 0 ? r : open_source(root_open_tree(tree), source);
}

int source_open_reading(const char *whole, const char *changes, struct source **source)
{
    struct recording_fault fault;
    struct filetree *tree = NULL, *changed = NULL;
    int r = recording_parse(whole, strlen(whole), &tree, &fault);
    if (r == 0 && changes)
        r = recording_parse(changes, strlen(changes), &changed, &fault);
    if (r == 0 && changes)
        r = recording_apply(tree, changed);
    filetree_free(changed);
    if (r < 0)
        filetree_free(tree);
    return r < 0 ? r : open_source(root_open_tree(tree), source);
}

int source_open_recording(const char *path, struct source **source, struct recording_fault *fault)
{
    arena_limit(RECORDING_WORK_MOST,
                "roce: too much follows from this recording: more than 256 MiB to hold it\n");
    struct stat st;
    struct recording_fault unused;
    fault = fault ? fault : &unused;
    *fault = (struct recording_fault){ 0 };
    bool is_stdin = strcmp(path, "-") == 0;
    if (!is_stdin && stat(path, &st) < 0)
        return -errno;
    int r = !is_stdin && S_ISDIR(st.st_mode) ? open_directory(path, source, fault)
                                             : open_file(path, source, fault);
    if (r == -ENODATA)
        snprintf(fault->what, sizeof(fault->what), "not a recorded machine: there is no sys/ in it");
    return r;
}

void source_close(struct source *source)
{
    if (!source)
        return;
    recorder_abandon(source->recorder);
    netlink_free(source->netlink);
    root_close(source->root);
    free(source);
}

bool source_is_recording(const struct source *source)
{
    return root_is_recorded(source->root);
}

void source_open_only(struct source *source, const char *device)
{
    source->open_only = device;
}

void source_count_only(struct source *source, roles_t roles, const char *all)
{
    source->count_roles = roles;
    source->count_all = all;
}

void source_keep_open(struct source *source, bool keep)
{
    root_keep_open(source->root, keep);
}

bool source_has_history(const struct source *source)
{
    return source_is_recording(source) && root_exists(source->root, "probe/history");
}

void source_listen(struct source *source, const struct lldp_listening *listening)
{
    source->listening = listening;
}

#define STEP(needs, read) { needs, read },
static const struct step {
    needs_t needs; /* any of them triggers it; 0: always read */
    void (*read)(struct reader *reader);
} steps[] = { READING_STEPS(STEP) };

/* Every recording that roce makes has one of these. */
static bool is_somebody_elses(struct source *source)
{
    return source_is_recording(source) && !root_exists(source->root, "probe") &&
           !root_exists(source->root, "netlink");
}

/* A PCI function's files go by its address, wherever it is in the tree of buses. */
static const char *path_by_address(const char *path, char text[static PATH_MAX])
{
    unsigned domain, bus, device, function;
    const char *address = NULL;
    for (const char *at = text_starts(path, "sys/devices/pci") ? path : NULL; at; at = strchr(at, '/')) {
        at += *at == '/';
        if (sscanf(at, "%x:%x:%x.%x", &domain, &bus, &device, &function) == 4)
            address = at;
    }
    if (!address)
        return path;
    snprintf(text, PATH_MAX, "sys/bus/pci/devices/%s", address);
    return text;
}

/* A link that is none, as of a netdev without a driver, says so. */
static void keep_lost(void *data, const struct root_answer *answer)
{
    struct host *host = data;
    char text[PATH_MAX];
    bool absent = root_absent(answer->err);
    if (!absent || (host->partial && !(answer->event == ROOT_LINK && answer->err == EINVAL)))
        host_unread_add(host, path_by_address(answer->path, text), absent ? 0 : answer->err);
}

/* The first line below a recording's head says when it was made, and by what: see source_record_end(). */
static void read_made(struct source *source, struct host *host)
{
    const char *note = root_note(source->root);
    char time[CLOCK_TEXT_SIZE];
    uint64_t ms;
    int end = 0;
    if (!source_is_recording(source))
        host->time_ms = num_of(clock_utc_ms());
    else if (note && sscanf(note, "Made %39s by roce %n", time, &end) == 1 && end &&
             clock_utc_parse(time, &ms) == 0) {
        host->time_ms = num_of(ms);
        host->recorded_by = arena_strndup(host->arena, note + end, strcspn(note + end, "\n"));
    }
}

int host_read(struct source *source, needs_t needs, struct host **out)
{
    struct host *host = host_new();
    if (needs & (NEED_VERBS | NEED_VERBS_LIST | NEED_DMABUF))
        needs |= NEED_NODES; /* a node is tried before libibverbs opens it */
    host->needs = needs;
    host->partial = is_somebody_elses(source);
    read_made(source, host);
    root_begin(source->root);
    root_set_lost(source->root, keep_lost, host);
    struct reader reader = {
        .source = source, .root = source->root, .host = host, .arena = host->arena, .needs = needs
    };
    if (root_bad_errors(source->root))
        host_problem(host, EBADMSG, "its lines should read PATH, a tab, the name of an errno", "errors");
    for (size_t i = 0; i < ARRAY_SIZE(steps); i++)
        if (!steps[i].needs || needs & steps[i].needs)
            steps[i].read(&reader);
    root_set_lost(source->root, NULL, NULL);
    if (root_is_exhausted(source->root)) {
        host_free(host);
        return -E2BIG;
    }
    host_finish(host);
    *out = host;
    return 0;
}

void host_read_name(struct source *source, struct host *host)
{
    struct reader reader = { .source = source, .root = source->root, .host = host, .arena = host->arena };
    if (!host->hostname)
        read_hostname(&reader);
}

int source_statistics(struct source *source, const char *netdev, struct arena *arena,
                      struct qos_statistic **statistics, size_t *count)
{
    struct reader reader = { .source = source, .root = source->root, .arena = arena };
    return read_statistics(&reader, netdev, statistics, count);
}

static clean_reading clean;

void source_record_begin(struct source *source)
{
    history_clean_reading = clean;
    source->recorder = recorder_new(source->root);
    root_set_tee(source->root, recorder_tee, source->recorder);
    source->thorough = true;
}

/* A recording of a recording is as old as that. */
static const char *made_text(const struct source *source, struct arena *arena)
{
    const char *note = root_note(source->root);
    char time[CLOCK_TEXT_SIZE];
    if (source_is_recording(source))
        return text_starts(note, "Made ") ? arena_strndup(arena, note, strcspn(note, "\n")) : NULL;
    clock_utc_text(clock_utc_ms(), time);
    return arena_printf(arena, "Made %s by roce %s", time, roce_version);
}

static int record_end(struct source *source, struct filetree **tree)
{
    root_set_tee(source->root, NULL, NULL);
    int r = recorder_finish(source->recorder, tree);
    source->recorder = NULL;
    source->thorough = false;
    return r;
}

int source_record_end(struct source *source, bool anonymise, struct bytes *text)
{
    struct filetree *tree = NULL;
    int r = record_end(source, &tree);
    if (r == 0 && anonymise)
        r = anonymise_tree(&tree);
    if (r == 0) {
        tree->note = made_text(source, tree->arena);
        recording_write(tree, text);
    }
    filetree_free(tree);
    return r;
}

static void put_reading(const struct filetree *now, const char *before, struct bytes *text, bool *changed)
{
    struct recording_fault fault;
    struct filetree *was = NULL, *changes = NULL;
    *changed = before && recording_parse(before, strlen(before), &was, &fault) == 0 &&
               recording_changes(was, now, &changes) == 0;
    recording_write(*changed ? changes : now, text);
    filetree_free(was);
    filetree_free(changes);
}

int source_keep_reading(struct source *source, needs_t needs, bool anonymise, const char *before,
                        struct bytes *text, bool *changed)
{
    struct host *host = NULL;
    struct filetree *tree = NULL;
    source_record_begin(source);
    int r = host_read(source, needs, &host);
    host_free(host);
    int end = record_end(source, &tree);
    r = r < 0 ? r : end;
    if (r == 0 && anonymise)
        r = anonymise_tree(&tree);
    if (r == 0)
        put_reading(tree, before, text, changed);
    filetree_free(tree);
    return r;
}

/* What a file of a reading is, is known when it is read. */
static int clean(const char *whole, const char *changes, const char *before, struct bytes *cleaned,
                 bool *changed)
{
    struct source *source = NULL;
    int r = source_open_reading(whole, changes, &source);
    r = r < 0 ? r : source_keep_reading(source, NEED_ALL, true, before, cleaned, changed);
    source_close(source);
    return r;
}
