/* SPDX-License-Identifier: MIT */
/* NFS mounts made by automounters and systemd, as their configuration files request them. */
#include "source/files/texts.h"

#include "base/ini.h"

/* -- words ---------------------------------------------------------------------------------------------- */

const char *nfs_proto_of(struct arena *arena, const char *options)
{
    static const char *const words[] = { "rdma", "tcp", "udp" };
    const char *found = NULL, *word;
    for (size_t len; (word = text_next_item(&options, ',', &len));) {
        if (text_starts(word, "proto="))
            found = arena_strndup(arena, word + strlen("proto="), len - strlen("proto="));
        for (size_t i = 0; i < ARRAY_SIZE(words); i++)
            if (strlen(words[i]) == len && strncmp(word, words[i], len) == 0)
                found = words[i];
    }
    return found;
}

/* Returns the next word of a line and advances *rest past it; NULL if there is none. */
static const char *next_word(struct arena *arena, const char **rest)
{
    const char *word = *rest + strspn(*rest, " \t\r");
    size_t len = strcspn(word, " \t\r");
    *rest = word + len;
    return len ? arena_strndup(arena, word, len) : NULL;
}

enum { MOST = 4096 }; /* the limit of mount(2); nothing sensible is longer */

/* Appends more, with or without its leading dash ("-rw"), to options. */
static const char *with_options(struct arena *arena, const char *options, const char *more)
{
    more += *more == '-';
    if (strlen(options) + strlen(more) > MOST)
        return options;
    return *options ? arena_printf(arena, "%s,%s", options, more) : more;
}

static const char *without_slash(struct arena *arena, const char *path)
{
    size_t len = strlen(path);
    while (len > 1 && path[len - 1] == '/')
        len--;
    return arena_strndup(arena, path, len);
}

/* Do autofs' options name a type other than NFS? */
static bool is_other_type(const char *options)
{
    const char *word;
    bool other = false;
    for (size_t len; (word = text_next_item(&options, ',', &len));)
        if (text_starts(word, "fstype="))
            other = !(len == strlen("fstype=nfs") && text_starts(word, "fstype=nfs")) &&
                    !(len == strlen("fstype=nfs4") && text_starts(word, "fstype=nfs4"));
    return other;
}

void wish_nfs(struct arena *arena, struct services *services, const char *file, const char *proto,
              const char *from, const char *on)
{
    if (proto)
        *ARENA_PUSH(arena, services->wishes, services->nwishes) = (struct service_wish){
            .kind = SERVICE_NFS_CLIENT,
            .rdma = text_is(proto, "rdma") || text_is(proto, "rdma6"),
            .file = file,
            .from = from,
            .on = without_slash(arena, on),
        };
}

/* -- autofs --------------------------------------------------------------------------------------------- */

/* A map's path; NULL if it isn't a file on this host. Names without a slash are in /etc if nsswitch.conf says
 * "files"; if it says something else there needn't be a file of that name. */
static const char *map_path(struct arena *arena, const char *map)
{
    static const char *const types[] = { "file:", "file,sun:" };
    for (size_t i = 0; i < ARRAY_SIZE(types); i++)
        if (text_starts(map, types[i])) {
            map += strlen(types[i]);
            break;
        }
    if (*map == '/' && map[1])
        return arena_strdup(arena, map + 1);
    bool plain = *map && !strpbrk(map, "/:") && *map != '-' && *map != '+';
    return plain ? arena_printf(arena, "etc/%s", map) : NULL;
}

void auto_master_parse(const char *text, struct arena *arena, automount_fn *fn, void *data)
{
    for (const char *line; (line = ini_next_line(arena, &text));) {
        const char *on = next_word(arena, &line), *map = on ? next_word(arena, &line) : NULL;
        if (!map || *on != '/' || !map_path(arena, map))
            continue;
        struct automount automount = { .on = without_slash(arena, on),
                                       .map = map_path(arena, map),
                                       .options = "" };
        for (const char *word; (word = next_word(arena, &line)) && *word != '#';)
            if (!text_starts(word, "--")) /* autofs' own: --timeout=60 */
                automount.options = with_options(arena, automount.options, word);
        fn(data, &automount);
    }
}

/* The source with the key in place of each "&"; with the key "*" it stays as it is. NULL if unknown. */
static const char *source_of(struct arena *arena, const char *from, const char *key)
{
    enum { LONG = 256 };
    if (strlen(from) > LONG || strlen(key) > LONG || strpbrk(from, "($\"") ||
        (strchr(from, ',') && *from != '['))
        return NULL;
    for (const char *at; !text_is(key, "*") && (at = strchr(from, '&'));)
        from = arena_printf(arena, "%.*s%s%s", (int)(at - from), from, key, at + 1);
    return from;
}

static void take_entry(const char *line, const struct automount *automount, struct arena *arena,
                       struct services *services)
{
    const char *key = next_word(arena, &line), *options = automount->options, *word;
    while ((word = next_word(arena, &line)) && *word == '-')
        options = with_options(arena, options, word);
    bool direct = text_is(automount->on, "/-");
    const char *proto = nfs_proto_of(arena, options);
    if (!key || *key == '#' || *key == '+' || !word || !strchr(word, ':') || *word == ':' || *word == '/' ||
        !proto || is_other_type(options) || direct != (*key == '/') || strchr(key, '&'))
        return;
    const char *second = next_word(arena, &line);
    if (second && *second == '/') /* "/sub server:/b": several mounts */
        return;
    const char *on = direct ? key : arena_printf(arena, "%s/%s", automount->on, key);
    const char *from = second && *second != '#' ? NULL : source_of(arena, word, key); /* several servers */
    wish_nfs(arena, services, arena_printf(arena, "/%s", automount->map), proto, from, on);
}

void auto_map_parse(const char *text, const struct automount *automount, struct arena *arena,
                    struct services *services)
{
    for (const char *line; (line = ini_next_line(arena, &text));)
        take_entry(line, automount, arena, services);
}

/* -- systemd -------------------------------------------------------------------------------------------- */

void mount_unit_parse(const char *text, const char *file, struct arena *arena, struct services *services)
{
    static const char *const names[] = { "What", "Where", "Type", "Options" };
    enum { WHAT, WHERE, TYPE, OPTIONS, NAMES };
    const char *values[NAMES] = { NULL };
    for (struct ini_line line = { 0 }; ini_next(arena, &text, &line);)
        for (size_t i = 0; i < NAMES && text_is(line.section, "Mount"); i++)
            if (text_is(line.name, names[i]))
                values[i] = line.value; /* of several, the last counts */
    const char *what = values[WHAT], *where = values[WHERE], *type = values[TYPE];
    bool nfs = type && *type ? text_is(type, "nfs") || text_is(type, "nfs4") : what && strstr(what, ":/");
    if (nfs && values[OPTIONS] && what && where && *where == '/' && !strchr(what, '%') && !strchr(where, '%'))
        wish_nfs(arena, services, file, nfs_proto_of(arena, values[OPTIONS]), what, where);
}
