/* SPDX-License-Identifier: MIT */
/* Signs of containers. Where they are found reveals too much about a machine to be recorded (names, pod ids),
 * so a recording only says which of them there were. */
#include "source/files/files.h"
#include "source/files/forms.h"

static void add_mark(struct bytes *answer, const char *kind, const char *value)
{
    char line[64];
    snprintf(line, sizeof(line), "%s %s\n", kind, value);
    if (!answer->len || !strstr(answer->data, line))
        bytes_append(answer, line, strlen(line));
}

static void mark_path(const char *path, struct bytes *answer)
{
    const char *mark = container_path_mark(path);
    if (mark)
        add_mark(answer, "path", mark);
    if (container_path_is_pod(path))
        add_mark(answer, "path", "pod");
}

/* "1043 1019 0:87 / / rw - overlay overlay rw,lowerdir=/var/lib/…": the mounts of / and of the files in /etc
 * that runtimes mount over the image's. */
static void mark_mounts(struct arena *arena, const char *text, struct bytes *answer)
{
    static const char *const points[] = { " / ", " /etc/hosts ", " /etc/hostname ", " /etc/resolv.conf " };
    for (const char *at = text; *at; at = text_next_line(at)) {
        const char *line = arena_strndup(arena, at, strcspn(at, "\n"));
        const char *root = line; /* the fourth field; the mount point follows it */
        for (int i = 0; i < 3 && root; i++)
            root = strchr(root, ' ') ? strchr(root, ' ') + 1 : NULL;
        const char *point = root ? strchr(root, ' ') : NULL;
        for (size_t i = 0; point && i < ARRAY_SIZE(points); i++)
            if (text_starts(point, points[i]))
                mark_path(line, answer);
    }
}

/* The variable "container", which runtimes and systemd set for process 1 and what it starts: only known values
 * are kept. */
static void mark_init(const char *value, struct bytes *answer)
{
    static const char *const known[] = { "docker", "podman", "lxc", "systemd-nspawn" };
    for (size_t i = 0; value && i < ARRAY_SIZE(known); i++)
        if (strncmp(value, known[i], strlen(known[i])) == 0)
            add_mark(answer, "init", known[i]);
}

static void mark_environment_of_init(const struct bytes *environment, struct bytes *answer)
{
    for (size_t at = 0; at < environment->len; at += strlen(environment->data + at) + 1)
        if (text_starts(environment->data + at, "container="))
            mark_init(environment->data + at + strlen("container="), answer);
}

static void mark_files(struct reader *reader, struct bytes *answer)
{
    static const char *const paths[] = { ".dockerenv", "run/.containerenv" };
    for (size_t i = 0; i < ARRAY_SIZE(paths); i++)
        if (root_exists(reader->root, paths[i]))
            add_mark(answer, "file", paths[i]);
    struct bytes text = { 0 };
    if (root_peek_file(reader->root, "run/systemd/container", &text) == 0)
        mark_init(text.data, answer);
    bytes_free(&text);
    if (root_peek_file(reader->root, "proc/1/environ", &text) == 0) /* root only */
        mark_environment_of_init(&text, answer);
    bytes_free(&text);
    if (root_peek_file(reader->root, "proc/self/cgroup", &text) == 0)
        mark_path(text.data, answer);
    bytes_free(&text);
    if (root_peek_file(reader->root, "proc/self/mountinfo", &text) == 0)
        mark_mounts(reader->arena, text.data, answer);
    bytes_free(&text);
    if (root_peek_file(reader->root, "proc/sys/kernel/osrelease", &text) == 0 && strstr(text.data, "microsoft"))
        add_mark(answer, "kernel", "wsl"); /* each distribution has its own PID namespace there */
    bytes_free(&text);
}

static void mark_namespaces(struct reader *reader, struct bytes *answer)
{
    static const char *const paths[] = { "proc/self/ns/pid", "proc/self/ns/net", "proc/1/ns/net" };
    char namespaces[ARRAY_SIZE(paths)][PATH_MAX];
    bool told[ARRAY_SIZE(paths)];
    for (size_t i = 0; i < ARRAY_SIZE(paths); i++)
        told[i] = root_peek_link(reader->root, paths[i], namespaces[i]) >= 0;
    if (told[0] && !container_pid_is_first(namespaces[0]))
        add_mark(answer, "pid-namespace", "other");
    const char *mark = container_netns_mark(told[0] ? namespaces[0] : NULL, told[1] ? namespaces[1] : NULL,
                                            told[2] ? namespaces[2] : NULL);
    if (mark)
        add_mark(answer, "net-namespace", mark);
}

static int fetch_container(void *data, struct bytes *answer)
{
    struct reader *reader = data;
    mark_namespaces(reader, answer);
    mark_init(getenv("container"), answer);
    if (getenv("KUBERNETES_SERVICE_HOST"))
        add_mark(answer, "variable", "kubernetes");
    if (getenv("APPTAINER_CONTAINER") || getenv("SINGULARITY_CONTAINER"))
        add_mark(answer, "variable", "apptainer");
    mark_files(reader, answer);
    return 0;
}

/* The first namespace maps every id to itself: "0 0 4294967295". */
static void read_uid_map(struct reader *reader, struct system *system)
{
    const char *map = read_text(reader, "{numbers}\n", "proc/self/uid_map");
    unsigned long inside, outside, count;
    if (map && sscanf(map, "%lu %lu %lu", &inside, &outside, &count) == 3)
        system->user_namespace = inside != 0 || outside != 0 || count != 4294967295UL;
}

void read_container(struct reader *reader)
{
    struct span span;
    struct system *system = &reader->host->system;
    read_uid_map(reader, system);
    if (root_fetch(reader->root, &span, FORM_MARKS, "probe/container", fetch_container, reader) < 0)
        return;
    system->container = container_of(span.data, &system->kubernetes);
    system->first_netns = container_netns_is_first(span.data);
}
