/* SPDX-License-Identifier: MIT */
/* What configuration files tell RDMA libraries. The system's files are recorded like any others. The user's own
 * may contain anything, and their paths reveal who it is: a recording has only their relevant lines, in
 * probe/settings, each as LIBRARY, FILE:LINE and NAME=VALUE separated by tabs; "?" after LIBRARY marks a
 * conditional one. */
#include "source/files/files.h"

#include "source/files/texts.h"
#include "tables.h"

typedef void conf_parser(const char *text, size_t len, conf_line_fn *fn, void *data);

static const struct {
    const char *name, *form, *system_files[2], *user_file;
    conf_parser *parse;
    bool last_holds; /* of a name set more than once in a file, the last counts; else the first */
} libraries[] = { SETTING_FILES };

/* More relevant lines than any file has. */
enum { MOST_SETTINGS = 1024 };

/* The settings of one file, in its order. */
struct file_settings {
    struct arena *arena;
    enum library library;
    const char *file;
    struct setting *settings;
    size_t count;
};

static void take_line(void *data, const struct conf_line *line)
{
    struct file_settings *found = data;
    if (found->count >= MOST_SETTINGS || memchr(line->name, '\0', line->name_len) ||
        memchr(line->value, '\0', line->value_len))
        return;
    const char *prefix = found->library == LIBRARY_MPI ? "OMPI_MCA_" : "";
    const char *name = arena_printf(found->arena, "%s%.*s", prefix, (int)line->name_len, line->name);
    if (!variable_is_ours(name))
        return;
    *ARENA_PUSH(found->arena, found->settings, found->count) = (struct setting){
        .name = name,
        .value = arena_strndup(found->arena, line->value, line->value_len),
        .file = found->file,
        .line = line->number,
        .library = found->library,
        .conditional = line->conditional,
    };
}

static struct file_settings settings_of(struct arena *arena, enum library library, const char *file,
                                        struct span text)
{
    struct file_settings found = { .arena = arena, .library = library, .file = file };
    libraries[library].parse(text.data, text.len, take_line, &found);
    for (size_t i = 0; libraries[library].last_holds && i < found.count / 2; i++) {
        struct setting one = found.settings[i];
        found.settings[i] = found.settings[found.count - 1 - i];
        found.settings[found.count - 1 - i] = one;
    }
    return found;
}

/* What fetching the user's files needs. */
struct fetching {
    struct root *root;
    struct arena *arena;
    struct bytes *answer;
};

static bool is_one_field(const char *text)
{
    return !strpbrk(text, "\t\n");
}

static void tell(struct fetching *fetching, const struct file_settings *found)
{
    for (size_t i = 0; i < found->count; i++) {
        const struct setting *setting = &found->settings[i];
        if (is_one_field(setting->file) && is_one_field(setting->name) && !strchr(setting->value, '\n'))
            bytes_printf(fetching->answer, "%s%s\t%s:%u\t%s=%s\n", libraries[setting->library].name,
                         setting->conditional ? "?" : "", setting->file, setting->line, setting->name,
                         setting->value);
    }
}

/* The file may be anywhere, and isn't recorded. */
static int read_whole(struct root *root, const char *path, struct bytes *text)
{
    char absolute[PATH_MAX * 2] = "";
    if (*path != '/' && !getcwd(absolute, PATH_MAX))
        return -errno;
    size_t used = strlen(absolute);
    snprintf(absolute + used, sizeof(absolute) - used, "/%s", path);
    return root_peek_file(root, absolute + strspn(absolute, "/"), text);
}

static void fetch_file(struct fetching *fetching, enum library library, const char *path, const char *shown)
{
    struct bytes text = { 0 };
    if (read_whole(fetching->root, path, &text) == 0) {
        struct span span = { text.data, text.len };
        struct file_settings found = settings_of(fetching->arena, library, shown, span);
        tell(fetching, &found);
    }
    bytes_free(&text);
}

static void fetch_below(struct fetching *fetching, enum library library, const char *directory,
                        const char *shown)
{
    const char *name = libraries[library].user_file;
    if (directory)
        fetch_file(fetching, library, arena_printf(fetching->arena, "%s/%s", directory, name),
                   arena_printf(fetching->arena, "%s/%s", shown, name));
}

/* initEnvFunc(): NCCL_CONF_FILE replaces the home directory's file. RCCL's is the same except for the names
 * (ROCm/rocm-systems 40cf641, projects/rccl/src/misc/param.cc). */
static void fetch_nccl(struct fetching *fetching, enum library library)
{
    const char *file = getenv("NCCL_CONF_FILE");
    if (file && *file)
        fetch_file(fetching, library, file, file);
    else
        fetch_below(fetching, library, getenv("HOME"), "~");
}

/* ucs_config_parse_config_files(): the working directory's file overrides UCX_CONFIG_DIR's, that the home
 * directory's, that the one beside the library (which may be anywhere), that the system's. */
static int fetch_settings(void *data, struct bytes *answer)
{
    struct fetching *fetching = data;
    fetching->answer = answer;
    fetch_nccl(fetching, LIBRARY_NCCL);
    fetch_nccl(fetching, LIBRARY_RCCL);
    fetch_below(fetching, LIBRARY_UCX, ".", ".");
    fetch_below(fetching, LIBRARY_UCX, getenv("UCX_CONFIG_DIR"), getenv("UCX_CONFIG_DIR"));
    fetch_below(fetching, LIBRARY_UCX, getenv("HOME"), "~");
    fetch_below(fetching, LIBRARY_MPI, getenv("HOME"), "~");
    return answer->len ? 0 : -ENOENT;
}

static enum library library_of(const char *name, size_t len)
{
    for (enum library library = LIBRARY_NCCL; library < ARRAY_SIZE(libraries); library++)
        if (strlen(libraries[library].name) == len && memcmp(libraries[library].name, name, len) == 0)
            return library;
    return LIBRARY_NONE;
}

bool settings_parse_line(const char *line, size_t len, struct arena *arena, struct setting *setting)
{
    const char *text = arena_strndup(arena, line, len), *end = text + strlen(text);
    size_t library = strcspn(text, "?\t");
    *setting = (struct setting){ .library = library_of(text, library), .conditional = text[library] == '?' };
    const char *file = text + library + setting->conditional;
    const char *assignment = *file == '\t' ? memchr(file + 1, '\t', (size_t)(end - file - 1)) : NULL;
    const char *equals = assignment ? strchr(assignment, '=') : NULL;
    const char *colon = assignment ? memrchr(file, ':', (size_t)(assignment - file)) : NULL;
    if (setting->library == LIBRARY_NONE || !equals || !colon || colon[1] < '0' || colon[1] > '9')
        return false;
    setting->file = arena_strndup(arena, file + 1, (size_t)(colon - file - 1));
    setting->line = (unsigned)strtoul(colon + 1, NULL, 10);
    setting->name = arena_strndup(arena, assignment + 1, (size_t)(equals - assignment - 1));
    setting->value = equals + 1;
    return true;
}

static void add_setting(struct reader *reader, const struct setting *setting)
{
    struct system *system = &reader->host->system;
    if (system->nsettings < MOST_SETTINGS)
        *ARENA_PUSH(reader->arena, system->settings, system->nsettings) = *setting;
}

static void read_users(struct reader *reader)
{
    struct fetching fetching = { .root = reader->root, .arena = reader->arena };
    struct setting setting;
    struct span span;
    if (root_fetch(reader->root, &span, "{setting}\n", "probe/settings", fetch_settings, &fetching) < 0)
        return;
    for (const char *line = span.data; *line; line = text_next_line(line))
        if (settings_parse_line(line, strcspn(line, "\n"), reader->arena, &setting))
            add_setting(reader, &setting);
}

static void read_system_file(struct reader *reader, enum library library, const char *path)
{
    struct span span;
    int r = root_read(reader->root, &span, libraries[library].form, "%s", path);
    read_problem(reader, r, "%s", path);
    if (r < 0)
        return;
    struct file_settings found = settings_of(reader->arena, library, arena_printf(reader->arena, "/%s", path),
                                             span);
    for (size_t i = 0; i < found.count; i++)
        add_setting(reader, &found.settings[i]);
}

void read_settings(struct reader *reader)
{
    read_users(reader);
    for (enum library library = LIBRARY_NCCL; library < ARRAY_SIZE(libraries); library++)
        for (size_t i = 0; i < ARRAY_SIZE(libraries[library].system_files); i++)
            if (libraries[library].system_files[i])
                read_system_file(reader, library, libraries[library].system_files[i]);
}
