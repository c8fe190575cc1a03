/* SPDX-License-Identifier: MIT */
/* What kernel services and control groups say: each name, path, address and job number is replaced, by the same
 * one everywhere, so that a mount still matches its statistics. */
#include "source/anonymise/anonymise.h"

#include <arpa/inet.h>

#include "source/files/texts.h"

static bool is_digits(const char *text, size_t len)
{
    return len && strspn(text, "0123456789") >= len;
}

void services_put_host(const char *text, size_t len, struct bytes *out)
{
    char copy[64];
    uint8_t raw[16];
    const char *scope = memchr(text, '%', len); /* "fe80::1%eth0" */
    len = scope ? (size_t)(scope - text) : len;
    snprintf(copy, sizeof(copy), "%.*s", (int)len, text);
    if (len < sizeof(copy) && (inet_pton(AF_INET, copy, raw) == 1 || inet_pton(AF_INET6, copy, raw) == 1))
        anonymise_text(text, len, out);
    else
        anonymise_word("server", text, len, out);
}

/* -- NFS ------------------------------------------------------------------------------------------------ */

/* Each directory by itself, so that an automounter's wildcard still matches its mounts. */
void services_put_mount_point(const char *text, size_t len, struct bytes *out)
{
    for (size_t at = 0, end; at < len; at = end) {
        for (end = at; end < len && (text[end] == '/') == (text[at] == '/');)
            end++;
        bool stands_for_key = end - at == 1 && (text[at] == '*' || text[at] == '&');
        if (text[at] == '/' || stands_for_key)
            bytes_append(out, text + at, end - at);
        else
            anonymise_word("dir", text + at, end - at, out);
    }
}

/* Where the path of "host:/export" begins, after its colon; len if it has none. */
static size_t path_at(const char *text, size_t len)
{
    for (size_t i = 0; i + 1 < len; i++)
        if (text[i] == ':' && text[i + 1] == '/')
            return i + 1;
    return len;
}

void services_put_mount_source(const char *text, size_t len, struct bytes *out)
{
    size_t path = path_at(text, len);
    services_put_host(text, path < len ? path - 1 : len, out);
    if (path < len) {
        bytes_append(out, ":", 1);
        services_put_mount_point(text + path, len - path, out);
    }
}

/* Can an automounter's key be put into its source once both are anonymised? Not as part of a word: "/home/&"
 * works, but neither "/vol_&" nor "&:/home". */
static bool keeps_its_key(const char *from)
{
    size_t path = path_at(from, strlen(from));
    for (const char *at = from; (at = strchr(at, '&')); at++)
        if (at < from + path + 1 || at[-1] != '/' || (at[1] && at[1] != '/'))
            return false;
    return true;
}

/* A mount's source or a session's peer, then where it is; either may be empty: any. */
static void put_wish_words(const struct service_wish *wish, struct bytes *out)
{
    bool mount = wish->kind == SERVICE_NFS_CLIENT;
    if (wish->from && mount && !(wish->on && text_ends(wish->on, "/*") && !keeps_its_key(wish->from)))
        services_put_mount_source(wish->from, strlen(wish->from), out);
    else if (wish->from && !mount && strchr("nie", *wish->from) && strchr(wish->from, '.') &&
             !isdigit((unsigned char)*wish->from))
        services_put_qualified_name(wish->from, strlen(wish->from), out);
    else if (wish->from && !mount)
        services_put_host(wish->from, strlen(wish->from), out);
    bytes_append(out, "\t", 1);
    if (wish->on && mount)
        services_put_mount_point(wish->on, strlen(wish->on), out);
    else if (wish->on && is_digits(wish->on, strlen(wish->on)))
        bytes_printf(out, "%s", wish->on);
    else if (wish->on)
        anonymise_word("on", wish->on, strlen(wish->on), out);
}

static void put_file_name(const char *file, struct bytes *out)
{
    words_put_conf_file(file, strlen(file), out);
    if (text_ends(file, ".mount")) /* systemd's, which remounts it by itself */
        bytes_printf(out, ".mount");
}

void services_put_wish(const char *text, size_t len, struct bytes *out)
{
    struct arena *arena = arena_new();
    struct services services = { 0 };
    wish_parse_line(text, len, arena, &services);
    if (services.nwishes) { /* then its kind is a known word */
        const struct service_wish *wish = &services.wishes[0];
        const char *kind = text + strlen("wish\t");
        bytes_printf(out, "wish\t%.*s\t%s\t", (int)strcspn(kind, "\t"), kind, wish->rdma ? "rdma" : "tcp");
        put_file_name(wish->file, out);
        bytes_append(out, "\t", 1);
        put_wish_words(wish, out);
    }
    if (services.nblocked) {
        const struct blocked_module *blocked = &services.blocked[0];
        bytes_printf(out, "blocked\t%s\t%s\t", blocked->name, blocked_word(blocked));
        if (blocked->absent)
            bytes_printf(out, "/lib/modules");
        else
            put_file_name(blocked->file, out);
    }
    arena_free(arena);
}

/* -- control groups ------------------------------------------------------------------------------------- */

/* Puts at least as many hexadecimal digits as a container's id has. */
static void put_id(const char *id, struct bytes *out)
{
    char salted[128];
    for (int part = 0; part < 6; part++) {
        snprintf(salted, sizeof(salted), "%d%s", part, id);
        anonymise_word("", salted, strlen(salted), out);
    }
}

static void put_unit(const char *unit, struct bytes *out)
{
    bytes_printf(out, "/system.slice/");
    words_put_known("[units]", "unit", unit, strlen(unit), out);
    if (!words_have("[units]", unit, strlen(unit)))
        bytes_printf(out, ".service");
}

static void put_container(const char *container, struct bytes *out)
{
    static const struct {
        const char *runtime, *step;
    } steps[] = {
        { "docker ", "docker-%.*s.scope" }, { "podman ", "libpod-%.*s.scope" },
        { "crio ", "crio-%.*s.scope" },     { "containerd ", "cri-containerd-%.*s.scope" },
        { "lxc ", "lxc.payload.%.*s" },     { "container ", "%.*s" },
    };
    for (size_t i = 0; i < ARRAY_SIZE(steps); i++) {
        if (!text_starts(container, steps[i].runtime))
            continue;
        struct bytes id = { 0 };
        put_id(container + strlen(steps[i].runtime), &id);
        const char *place = strstr(steps[i].step, "%.*s");
        bytes_printf(out, "/%.*s%s%s", (int)(place - steps[i].step), steps[i].step, id.data, place + 4);
        bytes_free(&id);
        return;
    }
}

static void put_cgroup_words(struct cgroup_words words, struct bytes *out)
{
    bytes_printf(out, "0::");
    size_t before = out->len;
    if (words.unit)
        put_unit(words.unit, out);
    if (words.pod) {
        bytes_printf(out, "/kubepods/pod");
        anonymise_text(words.pod, strlen(words.pod), out);
    }
    if (words.job) {
        struct bytes digits = { 0 };
        anonymise_word("", words.job, strlen(words.job), &digits);
        bytes_printf(out, "/slurmstepd.scope/job_%lu/step_0", strtoul(digits.data, NULL, 16));
        bytes_free(&digits);
    }
    if (words.container)
        put_container(words.container, out);
    bytes_printf(out, out->len == before ? "/\n" : "\n");
}

void services_put_cgroup(const char *text, size_t len, struct bytes *out)
{
    (void)len;
    struct arena *arena = arena_new();
    put_cgroup_words(cgroup_words(arena, cgroup_longest(arena, text)), out);
    arena_free(arena);
}

void services_put_started_by(const char *text, size_t len, struct bytes *out)
{
    struct arena *arena = arena_new();
    const char *own = arena_strndup(arena, text, len);
    struct cgroup_words words = { 0 };
    struct bytes file = { 0 };
    if (text_starts(own, "slurm "))
        words.job = own;
    else if (text_starts(own, "pod "))
        words.pod = own + strlen("pod ");
    else if (strchr(own, ' '))
        words.container = own;
    else
        words.unit = own;
    put_cgroup_words(words, &file);
    words = cgroup_words(arena, cgroup_longest(arena, file.data));
    const char *best = cgroup_words_best(arena, &words);
    bytes_printf(out, "%s", best ? best : "other");
    bytes_free(&file);
    arena_free(arena);
}

/* -- NVMe, iSCSI ---------------------------------------------------------------------------------------- */

void services_put_qualified_name(const char *text, size_t len, struct bytes *out)
{
    static const char *const kinds[] = { "nqn.", "iqn.", "eui.", "naa." };
    static const char plain[] = "nqn.2014-08.org.nvmexpress.discovery";
    const char *kind = "name";
    if (len == strlen(plain) && memcmp(text, plain, len) == 0) {
        bytes_append(out, text, len);
        return;
    }
    for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
        if (len >= strlen(kinds[i]) && text_starts(text, kinds[i]))
            kind = kinds[i];
    anonymise_word(kind, text, len, out);
}

/* -- SMB ------------------------------------------------------------------------------------------------ */

void services_put_smb(const char *text, size_t len, struct bytes *out)
{
    struct smb_line line = smb_line_parse(text, len);
    switch (line.kind) {
    case SMB_LINE_OTHER:
        return;
    case SMB_LINE_SERVER:
        bytes_printf(out, "1) ConnectionId: 0x1%s", line.word ? " Hostname: " : "");
        break;
    case SMB_LINE_RDMA:
        bytes_printf(out, "SMBDirect protocol version");
        break;
    case SMB_LINE_STATUS:
        bytes_printf(out, "TCP status: ");
        if (line.word && is_digits(line.word, line.len))
            bytes_append(out, line.word, line.len);
        break;
    case SMB_LINE_SESSION:
        bytes_printf(out, "1) Address: ");
        break;
    }
    if (line.word && line.kind != SMB_LINE_STATUS)
        services_put_host(line.word, line.len, out);
}
