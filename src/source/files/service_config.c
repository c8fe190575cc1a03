/* SPDX-License-Identifier: MIT */
/* What configuration files ask of storage services, and which modules those need. */
#include "source/files/texts.h"

#include <dirent.h>
#include <jansson.h>
#include <sys/utsname.h>

#include "base/ini.h"
#include "source/files/files.h"
#include "tables.h"

static const struct {
    enum service_kind kind;
    const char *word;
} kind_words[] = {
    { SERVICE_NFS_CLIENT, "nfs-client" },         { SERVICE_NVME_HOST, "nvme-host" },
    { SERVICE_NVME_TARGET, "nvme-target" },       { SERVICE_ISER_TARGET, "iser-target" },
    { SERVICE_ISER_INITIATOR, "iser-initiator" },
};

static struct service_wish *add_wish(struct arena *arena, struct services *services, enum service_kind kind,
                                     const char *file)
{
    struct service_wish *wish = ARENA_PUSH(arena, services->wishes, services->nwishes);
    wish->kind = kind;
    wish->rdma = true;
    wish->file = file;
    return wish;
}

/* -- NFS ------------------------------------------------------------------------------------------------ */

void fstab_parse(const char *text, struct arena *arena, struct services *services)
{
    for (const char *line = text; *line; line = text_next_line(line)) {
        char from[512], on[512], type[32], options[1024];
        const char *one = arena_strndup(arena, line, strcspn(line, "\n"));
        if (one[strspn(one, " \t")] == '#' ||
            sscanf(one, "%511s %511s %31s %1023s", from, on, type, options) != 4 ||
            (strcmp(type, "nfs") != 0 && strcmp(type, "nfs4") != 0))
            continue;
        wish_nfs(arena, services, "/etc/fstab", nfs_proto_of(arena, options), arena_strdup(arena, from), on);
    }
}

/* The name in quotes in "[ Server "name" ]"; NULL if there is none. */
static const char *quoted(struct arena *arena, const char *line)
{
    const char *open = strchr(line, '"'), *end = open ? strchr(open + 1, '"') : NULL;
    return end ? arena_strndup(arena, open + 1, (size_t)(end - open - 1)) : NULL;
}

void nfsmount_parse(const char *text, struct arena *arena, struct services *services)
{
    for (struct ini_line line = { 0 }; ini_next(arena, &text, &line);) {
        bool server = strncasecmp(line.section, "Server", 6) == 0,
             mount = strncasecmp(line.section, "MountPoint", 10) == 0;
        const char *name = server || mount ? quoted(arena, line.section) : NULL;
        if (strcasecmp(line.name, "proto") != 0 ||
            (!name && strncasecmp(line.section, "NFSMount_Global_Options", 23) != 0))
            continue;
        struct service_wish *wish = add_wish(arena, services, SERVICE_NFS_CLIENT, "/etc/nfsmount.conf");
        wish->rdma = strncasecmp(line.value, "rdma", 4) == 0;
        wish->from = server ? name : NULL;
        wish->on = mount ? name : NULL;
    }
}

/* -- block storage -------------------------------------------------------------------------------------- */

void nvme_discovery_parse(const char *text, struct arena *arena, struct services *services)
{
    for (const char *line = text; *line; line = text_next_line(line)) {
        const char *end = line + strcspn(line, "\n#");
        const char *before = "";
        for (const char *word = line + strspn(line, " \t"); word < end;) {
            size_t len = strcspn(word, " \t=\n");
            const char *one = arena_strndup(arena, word, len);
            bool asked = text_is(before, "-t") || text_is(before, "--transport");
            if (text_is(one, "-trdma") || (asked && text_is(one, "rdma"))) {
                add_wish(arena, services, SERVICE_NVME_HOST, "/etc/nvme/discovery.conf");
                return;
            }
            before = one;
            word += len;
            word += strspn(word, " \t=");
        }
    }
}

static bool says(json_t *json, const char *key, const char *word)
{
    const char *name;
    json_t *value;
    size_t i;
    json_array_foreach(json, i, value) if (says(value, key, word)) return true;
    json_object_foreach(json, name, value)
    {
        bool same = word ? text_is(json_string_value(value), word) : json_is_true(value);
        if ((same && strcmp(name, key) == 0) || says(value, key, word))
            return true;
    }
    return false;
}

bool json_text_says(const char *text, const char *key, const char *word)
{
    json_t *json = json_loads(text, 0, NULL);
    bool found = says(json, key, word);
    json_decref(json);
    return found;
}

bool iscsi_record_is_iser(const char *text, struct arena *arena)
{
    return text_is(ini_value(arena, text, "iface.transport_name"), "iser");
}

/* -- modules -------------------------------------------------------------------------------------------- */

static const char *const modules[] = { "rpcrdma", "nvme_rdma", "nvmet_rdma", "ib_iser", "ib_isert", "smc" };

/* Returns it with underscores; NULL if no service needs it. */
static const char *needed_module(const char *name)
{
    for (size_t i = 0; i < ARRAY_SIZE(modules); i++)
        if (module_is(modules[i], name))
            return modules[i];
    return NULL;
}

bool modules_have(const char *list, const char *module)
{
    for (const char *line = list; *line; line = text_next_line(line)) {
        const char *name = line, *wanted = module;
        for (const char *at = line; *at && *at != ':' && *at != '\n'; at++)
            name = *at == '/' ? at + 1 : name;
        while (*wanted && (*wanted == *name || (*wanted == '_' && *name == '-')))
            wanted++, name++;
        if (!*wanted && text_starts(name, ".ko"))
            return true;
    }
    return false;
}

/* A command that loads nothing: "/bin/false", "/usr/bin/true", "true". */
static bool runs_nothing(const char *command)
{
    static const char *const nothing[] = { "true", "false", ":", "exit", "nologin" };
    const char *slash = command;
    for (const char *at = command; *at && *at != ' ' && *at != '\t'; at++)
        slash = *at == '/' ? at + 1 : slash;
    size_t len = strcspn(slash, " \t;");
    for (size_t i = 0; i < ARRAY_SIZE(nothing); i++)
        if (strlen(nothing[i]) == len && strncmp(slash, nothing[i], len) == 0)
            return true;
    return false;
}

void modprobe_parse(const char *text, const char *file, struct arena *arena, struct services *services)
{
    for (const char *line = text; *line; line = text_next_line(line)) {
        const char *one = arena_strndup(arena, line, strcspn(line, "\n"));
        char word[16], module[64];
        int behind = 0;
        if (sscanf(one, "%15s %63s %n", word, module, &behind) != 2)
            continue;
        bool always = strcmp(word, "install") == 0;
        const char *name = needed_module(module);
        if (!name || (always ? !runs_nothing(one + behind) : strcmp(word, "blacklist") != 0))
            continue;
        *ARENA_PUSH(arena, services->blocked, services->nblocked) = (struct blocked_module){ .name = name,
                                                                                             .file = file,
                                                                                             .always = always };
    }
}

/* -- the live machine's files ------------------------------------------------------------------------------ */

struct wishing {
    struct root *root;
    bool server; /* nfs.conf asks for RDMA */
    struct arena *arena;
    struct services services;
    const char **modprobe; /* names of the files of modprobe.d so far */
    size_t nmodprobe;
};

typedef void parse_fn(const char *text, struct arena *arena, struct services *services);

static const char *whole(struct wishing *wishing, const char *path)
{
    struct bytes text = { 0 };
    int r = root_peek_file(wishing->root, path, &text);
    bool is_whole = r == 0 && text.len <= ROOT_FILE_MOST;
    const char *copy = is_whole ? arena_strndup(wishing->arena, text.data, text.len) : NULL;
    bytes_free(&text);
    return copy;
}

/* Calls fn, if there is one, with the path of each entry of a directory. False: it has none. */
static bool each_below(struct wishing *wishing, const char *directory,
                       void (*fn)(struct wishing *wishing, const char *path, const char *name))
{
    bool any = false;
    int fd = root_open_stream(wishing->root, directory);
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    if (!dir && fd >= 0)
        close(fd);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        if (entry->d_name[0] == '.')
            continue;
        any = true;
        if (fn)
            fn(wishing, arena_printf(wishing->arena, "%s/%s", directory, entry->d_name), entry->d_name);
    }
    if (dir)
        closedir(dir);
    return any;
}

/* etc/iscsi/nodes/TARGET/PORTAL/INTERFACE */
static void take_iscsi_record(struct wishing *wishing, const char *path, const char *name)
{
    (void)name;
    const char *text = whole(wishing, path);
    if (text && iscsi_record_is_iser(text, wishing->arena))
        add_wish(wishing->arena, &wishing->services, SERVICE_ISER_INITIATOR,
                 arena_printf(wishing->arena, "/%s", path));
}

static void take_iscsi_portal(struct wishing *wishing, const char *path, const char *name)
{
    (void)name;
    each_below(wishing, path, take_iscsi_record);
}

static void take_iscsi_target(struct wishing *wishing, const char *path, const char *name)
{
    (void)name;
    each_below(wishing, path, take_iscsi_portal);
}

/* modprobe.d(5): only files with this suffix are read; of two with one name, that in the earlier directory. */
static void take_modprobe(struct wishing *wishing, const char *path, const char *name)
{
    for (size_t i = 0; i < wishing->nmodprobe; i++)
        if (strcmp(wishing->modprobe[i], name) == 0)
            return;
    const char *text = text_ends(name, ".conf") ? whole(wishing, path) : NULL;
    *ARENA_PUSH(wishing->arena, wishing->modprobe, wishing->nmodprobe) = arena_strdup(wishing->arena, name);
    if (text)
        modprobe_parse(text, arena_printf(wishing->arena, "/%s", path), wishing->arena, &wishing->services);
}

static void take_map(void *data, const struct automount *automount)
{
    struct wishing *wishing = data;
    const char *text = whole(wishing, automount->map);
    if (text)
        auto_map_parse(text, automount, wishing->arena, &wishing->services);
}

static void take_master(struct wishing *wishing, const char *path, const char *name)
{
    const char *text = text_is(name, "auto.master") || text_ends(name, ".autofs") ? whole(wishing, path) : NULL;
    if (text)
        auto_master_parse(text, wishing->arena, take_map, wishing);
}

static void take_unit(struct wishing *wishing, const char *path, const char *name)
{
    const char *text = text_ends(name, ".mount") ? whole(wishing, path) : NULL;
    if (text)
        mount_unit_parse(text, arena_printf(wishing->arena, "/%s", path), wishing->arena, &wishing->services);
}

static void take_files(struct wishing *wishing)
{
    static const struct {
        const char *path;
        parse_fn *parse;
    } files[] = {
        { "etc/fstab", fstab_parse },
        { "etc/nfsmount.conf", nfsmount_parse },
        { "etc/nvme/discovery.conf", nvme_discovery_parse },
    };
    static const struct {
        const char *path, *key, *word; /* NULL: true */
        enum service_kind kind;
    } jsons[] = { JSON_CONFIGS };
    for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
        const char *text = whole(wishing, files[i].path);
        if (text)
            files[i].parse(text, wishing->arena, &wishing->services);
    }
    for (size_t i = 0; i < ARRAY_SIZE(jsons); i++) {
        const char *text = whole(wishing, jsons[i].path);
        if (text && json_text_says(text, jsons[i].key, jsons[i].word))
            add_wish(wishing->arena, &wishing->services, jsons[i].kind,
                     arena_printf(wishing->arena, "/%s", jsons[i].path));
    }
}

/* Which modules the running kernel lacks. A host without any list of modules tells nothing: its kernel may have
 * them built in. */
static void take_absent(struct wishing *wishing)
{
    struct utsname name;
    if (uname(&name) < 0)
        return;
    const char *directory = arena_printf(wishing->arena, "lib/modules/%s", name.release);
    const char *list = whole(wishing, arena_printf(wishing->arena, "%s/modules.dep", directory));
    const char *built_in = whole(wishing, arena_printf(wishing->arena, "%s/modules.builtin", directory));
    bool gone = !each_below(wishing, directory, NULL);
    if (gone ? !each_below(wishing, "lib/modules", NULL) : !list || !built_in)
        return;
    for (size_t i = 0; i < ARRAY_SIZE(modules); i++)
        if (gone || (!modules_have(list, modules[i]) && !modules_have(built_in, modules[i])))
            *ARENA_PUSH(wishing->arena, wishing->services.blocked,
                        wishing->services.nblocked) = (struct blocked_module){
                .name = modules[i],
                .file = arena_printf(wishing->arena, "/%s", directory),
                .absent = true,
                .gone = gone,
            };
}

/* Does anything here ask for RDMA? Checked first because the lists of modules are long. */
static bool is_wanted(const struct wishing *wishing)
{
    for (size_t i = 0; i < wishing->services.nwishes; i++)
        if (wishing->services.wishes[i].rdma)
            return true;
    return wishing->server;
}

static const char *kind_word(enum service_kind kind)
{
    for (size_t i = 0; i < ARRAY_SIZE(kind_words); i++)
        if (kind_words[i].kind == kind)
            return kind_words[i].word;
    return NULL;
}

const char *blocked_word(const struct blocked_module *blocked)
{
    if (blocked->absent)
        return blocked->gone ? "gone" : "absent";
    return blocked->always ? "always" : "alias";
}

static bool is_one_field(const char *text)
{
    return !text || !strpbrk(text, "\t\n");
}

static int fetch_wishes(void *data, struct bytes *answer)
{
    struct wishing *wishing = data;
    static const char *const modprobe[] = { "etc/modprobe.d", "run/modprobe.d", "usr/local/lib/modprobe.d",
                                            "usr/lib/modprobe.d", "lib/modprobe.d" };
    take_files(wishing);
    take_master(wishing, "etc/auto.master", "auto.master");
    each_below(wishing, "etc/auto.master.d", take_master);
    each_below(wishing, "etc/systemd/system", take_unit);
    each_below(wishing, "run/systemd/system", take_unit);
    each_below(wishing, "etc/iscsi/nodes", take_iscsi_target);
    each_below(wishing, "var/lib/iscsi/nodes", take_iscsi_target);
    for (size_t i = 0; i < ARRAY_SIZE(modprobe); i++)
        each_below(wishing, modprobe[i], take_modprobe);
    if (is_wanted(wishing))
        take_absent(wishing);
    bytes_append(answer, "", 0);
    for (size_t i = 0; i < wishing->services.nwishes; i++) {
        const struct service_wish *wish = &wishing->services.wishes[i];
        if (is_one_field(wish->file) && is_one_field(wish->from) && is_one_field(wish->on))
            bytes_printf(answer, "wish\t%s\t%s\t%s\t%s\t%s\n", kind_word(wish->kind),
                         wish->rdma ? "rdma" : "tcp", wish->file, wish->from ? wish->from : "",
                         wish->on ? wish->on : "");
    }
    for (size_t i = 0; i < wishing->services.nblocked; i++) {
        const struct blocked_module *blocked = &wishing->services.blocked[i];
        if (is_one_field(blocked->file))
            bytes_printf(answer, "blocked\t%s\t%s\t%s\n", blocked->name, blocked_word(blocked), blocked->file);
    }
    return 0;
}

/* -- what is kept of them ------------------------------------------------------------------------------- */

/* Returns the next field and advances *rest past it; NULL if there is none. */
static const char *field(struct arena *arena, const char **rest)
{
    if (!*rest)
        return NULL;
    size_t len = strcspn(*rest, "\t");
    const char *text = arena_strndup(arena, *rest, len);
    *rest = (*rest)[len] ? *rest + len + 1 : NULL;
    return text;
}

static const char *filled(const char *text)
{
    return text && *text ? text : NULL;
}

void wish_parse_line(const char *line, size_t len, struct arena *arena, struct services *services)
{
    const char *rest = arena_strndup(arena, line, len);
    const char *what = field(arena, &rest), *name = field(arena, &rest), *how = field(arena, &rest),
               *file = filled(field(arena, &rest));
    if (!file)
        return;
    if (text_is(what, "blocked") && needed_module(name))
        *ARENA_PUSH(arena, services->blocked, services->nblocked) = (struct blocked_module){
            .name = needed_module(name),
            .file = file,
            .always = text_is(how, "always"),
            .absent = text_is(how, "absent") || text_is(how, "gone"),
            .gone = text_is(how, "gone"),
        };
    for (size_t i = 0; i < ARRAY_SIZE(kind_words) && text_is(what, "wish"); i++) {
        if (!text_is(name, kind_words[i].word))
            continue;
        struct service_wish *wish = add_wish(arena, services, kind_words[i].kind, file);
        wish->rdma = text_is(how, "rdma");
        wish->from = filled(field(arena, &rest));
        wish->on = filled(field(arena, &rest));
    }
}

void read_wishes(struct reader *reader, struct services *services)
{
    struct wishing wishing = { .root = reader->root,
                               .arena = reader->arena,
                               .server = reader->host->system.nfs.configured };
    struct span span;
    if (root_fetch(reader->root, &span, "{wish}\n", "probe/services", fetch_wishes, &wishing) < 0)
        return;
    services->wishes_known = true;
    for (const char *line = span.data; *line; line = text_next_line(line))
        wish_parse_line(line, strcspn(line, "\n"), reader->arena, services);
}
