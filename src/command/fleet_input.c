/* SPDX-License-Identifier: MIT */
/* Facts of many hosts, from files of facts, recordings, and directories of either. */
#include "command/fleet_input.h"

#include <dirent.h>
#include <sys/stat.h>

#include "fleet/hosts.h"
#include "view/facts.h"

enum { DEEPEST = 4, BLOCK = 1 << 18, SAID_MOST = 20 };

struct file {
    struct gathered *gathered;
    const char *path; /* as the user typed it */
    char *stem;       /* its host's name if the facts have none */
    size_t found, faults;
    unsigned line; /* of the first problem */
    char *what;
};

static void refuse(struct gathered *gathered, const char *path, unsigned line, const char *what)
{
    struct arena *arena = gathered->fleet->arena;
    struct refused *refused = ARENA_PUSH_MANY(arena, gathered->refused, gathered->nrefused);
    *refused = (struct refused){ arena_strdup(arena, path), line, arena_strdup(arena, what) };
    if (gathered->nrefused > SAID_MOST)
        return;
    if (line)
        say_warning("'%s', line %u: %s", path, line, what);
    else
        say_warning("'%s': %s", path, what);
}

/* -- facts --------------------------------------------------------------------------------------------- */

/* Reports the first problem with its line, and counts the others: in a foreign file there is nothing else. */
static void take_fault(void *data, unsigned line, const char *what)
{
    struct file *file = data;
    if (file->faults++)
        return;
    file->line = line;
    file->what = mem_strdup(what);
}

static void refuse_faults(struct file *file)
{
    if (file->faults == 0)
        return;
    char *what = file->faults == 1 ? mem_strdup(file->what)
                                   : mem_printf("%s (and %zu more in this file)", file->what, file->faults - 1);
    refuse(file->gathered, file->path, file->line, what);
    free(what);
    free(file->what);
}

static void take_object(void *data, const char *text, size_t len, unsigned line, const char *name)
{
    struct file *file = data;
    struct fleet_fault fault;
    file->found++;
    if (fleet_add(file->gathered->fleet, text, len, file->path, line, *name ? name : file->stem, &fault) < 0)
        take_fault(file, fault.line ? fault.line : line, fault.what);
}

/* Returns the number of hosts it has facts of. */
static void read_facts(struct file *file, int fd)
{
    struct split split = {
        .object = take_object, .fault = take_fault, .data = file, .most = FLEET_OBJECT_MOST
    };
    char *block = mem_alloc(1, BLOCK);
    ssize_t n;
    while ((n = read(fd, block, BLOCK)) > 0 || (n < 0 && errno == EINTR))
        split_feed(&split, block, n > 0 ? (size_t)n : 0);
    int err = n < 0 ? errno : 0;
    split_end(&split);
    free(block);
    if (err)
        refuse(file->gathered, file->path, 0, say_errno(err));
    refuse_faults(file);
    if (!err && !file->found && !file->faults)
        refuse(file->gathered, file->path, 0, "it is empty");
}

/* -- recordings ---------------------------------------------------------------------------------------- */

static void add_host(struct file *file, const struct host *host)
{
    struct arena *arena = arena_new();
    struct fleet_fault fault;
    struct report report = check_run(host, NULL, 0, &(struct check_selection){ 0 }, arena);
    json_t *json = facts_json(host, &report);
    char *text = json_dumps(json, JSON_COMPACT);
    if (fleet_add(file->gathered->fleet, text, strlen(text), file->path, 0, file->stem, &fault) < 0)
        refuse(file->gathered, file->path, 0, fault.what);
    free(text);
    json_decref(json);
    arena_free(arena);
}

static needs_t needs(void)
{
    return NEED_FACTS | check_needs(&(struct check_selection){ 0 });
}

static void read_recording(struct file *file)
{
    struct source *source = NULL;
    struct recording_fault fault = { 0 };
    struct host *host = NULL;
    int r = source_open_recording(file->path, &source, &fault);
    if (r == 0)
        r = host_read(source, needs(), &host);
    if (r < 0)
        refuse(file->gathered, file->path, (unsigned)fault.line, fault.what[0] ? fault.what : say_errno(r));
    else if (host_devices_unknown(host))
        refuse(file->gathered, file->path, 0, "it doesn't say whether there are RDMA devices");
    else
        add_host(file, host);
    host_free(host);
    source_close(source);
}

int gather_machine(struct gathered *gathered, struct context *context)
{
    struct file file = { .gathered = gathered, .path = "this machine", .stem = mem_strdup("this-machine") };
    int r = context_read(context, needs());
    if (r == 0)
        host_read_name(context->source, context->host);
    if (r == 0 && host_devices_unknown(context->host)) {
        say_error("it is unknown whether there are RDMA devices here");
        r = -ENODEV;
    }
    if (r == 0)
        add_host(&file, context->host);
    free(file.stem);
    return r;
}

/* -- files and directories ----------------------------------------------------------------------------- */

static char *stem_of(const char *path)
{
    static const char *const ends[] = { ".json", ".jsonl", ".machine", ".facts", ".txt" };
    const char *slash = strrchr(path, '/'), *name = slash && slash[1] ? slash + 1 : path;
    size_t len = strlen(name);
    for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
        if (text_ends(name, ends[i]) && len > strlen(ends[i])) {
            len -= strlen(ends[i]);
            break;
        }
    return mem_printf("%.*s", (int)len, name);
}

static void gather_at(struct gathered *gathered, const char *path, int depth);

static int compare_names(const void *one, const void *other)
{
    return text_version_compare(*(char *const *)one, *(char *const *)other);
}

int directory_names(const char *path, struct arena *arena, const char ***names, size_t *count)
{
    DIR *dir = opendir(path);
    *names = NULL;
    *count = 0;
    if (!dir)
        return -errno;
    for (const struct dirent *entry; (entry = readdir(dir));)
        if (entry->d_name[0] != '.')
            *ARENA_PUSH_MANY(arena, *names, *count) = arena_strdup(arena, entry->d_name);
    closedir(dir);
    if (*count)
        qsort(*names, *count, sizeof(**names), compare_names);
    return 0;
}

static void gather_directory(struct gathered *gathered, const char *path, int depth)
{
    struct arena *arena = arena_new();
    const char **names;
    size_t count;
    int r = directory_names(path, arena, &names, &count);
    if (r < 0)
        refuse(gathered, path, 0, say_errno(r));
    for (size_t i = 0; i < count; i++)
        gather_at(gathered, arena_printf(arena, "%s/%s", path, names[i]), depth + 1);
    arena_free(arena);
}

/* A recording says what it is in its first line. */
static bool is_recording(int fd)
{
    static const char magic[] = "# roce recording";
    char text[sizeof(magic) - 1];
    return pread(fd, text, sizeof(text), 0) == sizeof(text) && memcmp(text, magic, sizeof(text)) == 0;
}

static void gather_file(struct file *file)
{
    int fd = strcmp(file->path, "-") == 0 ? dup(STDIN_FILENO)
                                          : open(file->path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0)
        refuse(file->gathered, file->path, 0, say_errno(errno));
    else if (is_recording(fd))
        read_recording(file);
    else
        read_facts(file, fd);
    if (fd >= 0)
        close(fd);
}

static void gather_at(struct gathered *gathered, const char *path, int depth)
{
    struct stat st;
    struct file file = { .gathered = gathered, .path = path };
    char *sys = mem_printf("%s/sys", path);
    bool directory = strcmp(path, "-") != 0 && stat(path, &st) == 0 && S_ISDIR(st.st_mode);
    bool machine = directory && stat(sys, &st) == 0 && S_ISDIR(st.st_mode);
    file.stem = stem_of(path);
    if (machine)
        read_recording(&file);
    else if (directory && depth == DEEPEST)
        refuse(gathered, path, 0, "a directory too deep in others");
    else if (directory)
        gather_directory(gathered, path, depth);
    else if (depth > 0 && stat(path, &st) == 0 && !S_ISREG(st.st_mode)) /* it might never end */
        refuse(gathered, path, 0, "not a regular file");
    else
        gather_file(&file);
    free(file.stem);
    free(sys);
}

void gather(struct gathered *gathered, const char *path)
{
    gather_at(gathered, path, 0);
}

void gather_found(struct gathered *gathered, const char *path)
{
    gather_at(gathered, path, 1);
}
