/* SPDX-License-Identifier: MIT */
/* What kernel services and control groups say: each name, path, address and job number is replaced, by the same
 * one everywhere, so that a mount still matches its statistics. */
#include "source/anonymise/anonymise.h"

#include <arpa/inet.h>

#include "model/services.h"
#include "source/files/texts.h"

static bool starts(const char *text, size_t len, const char *word)
{
    return len >= strlen(word) && memcmp(text, word, strlen(word)) == 0;
}

static bool is_digits(const char *text, size_t len)
{
    return len && strspn(text, "0123456789") >= len;
}

void services_put_host(const struct anonymiser *anonymiser, const char *text, size_t len, struct bytes *out)
{
    char copy[64];
    uint8_t raw[16];
    const char *scope = memchr(text, '%', len); /* "fe80::1%eth0" */
    len = scope ? (size_t)(scope - text) : len;
    snprintf(copy, sizeof(copy), "%.*s", (int)len, text);
    if (len < sizeof(copy) && (inet_pton(AF_INET, copy, raw) == 1 || inet_pton(AF_INET6, copy, raw) == 1))
        anonymise_text(anonymiser, text, len, out);
    else
        anonymise_word(anonymiser, "server", text, len, out);
}

/* -- NFS ------------------------------------------------------------------------------------------------ */

/* Each directory by itself, so that an automounter's wildcard still matches its mounts. */
static void put_directories(const struct anonymiser *anonymiser, const char *text, size_t len,
                            struct bytes *out)
{
    for (size_t at = 0, end; at < len; at = end) {
        for (end = at; end < len && (text[end] == '/') == (text[at] == '/');)
            end++;
        bool stands_for_key = end - at == 1 && (text[at] == '*' || text[at] == '&');
        if (text[at] == '/' || stands_for_key)
            bytes_append(out, text + at, end - at);
        else
            anonymise_word(anonymiser, "dir", text + at, end - at, out);
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

void services_put_mount_source(const struct anonymiser *anonymiser, const char *text, size_t len,
                               struct bytes *out)
{
    size_t path = path_at(text, len);
    services_put_host(anonymiser, text, path < len ? path - 1 : len, out);
    if (path < len) {
        bytes_append(out, ":", 1);
        put_directories(anonymiser, text + path, len - path, out);
    }
}

void services_put_mount_point(const struct anonymiser *anonymiser, const char *text, size_t len,
                              struct bytes *out)
{
    put_directories(anonymiser, text, len, out);
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
static void put_wish_words(const struct anonymiser *anonymiser, const struct service_wish *wish,
                           struct bytes *out)
{
    bool mount = wish->kind == SERVICE_NFS_CLIENT;
    if (wish->from && mount && !(wish->on && text_ends(wish->on, "/*") && !keeps_its_key(wish->from)))
        services_put_mount_source(anonymiser, wish->from, strlen(wish->from), out);
    else if (wish->from && !mount && strchr("nie", *wish->from) && strchr(wish->from, '.') &&
             !isdigit((unsigned char)*wish->from))
        services_put_qualified_name(anonymiser, wish->from, strlen(wish->from), out);
    else if (wish->from && !mount)
        services_put_host(anonymiser, wish->from, strlen(wish->from), out);
    bytes_append(out, "\t", 1);
    if (wish->on && mount)
        services_put_mount_point(anonymiser, wish->on, strlen(wish->on), out);
    else if (wish->on && is_digits(wish->on, strlen(wish->on)))
        bytes_printf(out, "%s", wish->on);
    else if (wish->on)
        anonymise_word(anonymiser, "on", wish->on, strlen(wish->on), out);
}

static void put_file_name(const struct anonymiser *anonymiser, const char *file, struct bytes *out)
{
    static const char files[] = "/etc/fstab|/etc/nfsmount.conf|/etc/nvme/discovery.conf|/etc/nvme/config.json|"
                                "/etc/nvmet/config.json";
    if (words_have(files, strlen(files), file, strlen(file)))
        bytes_printf(out, "%s", file);
    else
        words_put_conf_file(anonymiser, file, out);
    if (text_ends(file, ".mount")) /* systemd's, which remounts it by itself */
        bytes_printf(out, ".mount");
}

void services_put_wish(const struct anonymiser *anonymiser, const char *text, size_t len, struct bytes *out)
{
    struct arena *arena = arena_new();
    struct services services = { 0 };
    wish_parse_line(text, len, arena, &services);
    if (services.nwishes) { /* then its kind is a known word */
        const struct service_wish *wish = &services.wishes[0];
        const char *kind = text + strlen("wish\t");
        bytes_printf(out, "wish\t%.*s\t%s\t", (int)strcspn(kind, "\t"), kind, wish->rdma ? "rdma" : "tcp");
        put_file_name(anonymiser, wish->file, out);
        bytes_append(out, "\t", 1);
        put_wish_words(anonymiser, wish, out);
    }
    if (services.nblocked) {
        const struct blocked_module *blocked = &services.blocked[0];
        bytes_printf(out, "blocked\t%s\t%s\t", blocked->name, blocked_word(blocked));
        if (blocked->absent)
            bytes_printf(out, "/lib/modules");
        else
            put_file_name(anonymiser, blocked->file, out);
    }
    arena_free(arena);
}

/* -- control groups ------------------------------------------------------------------------------------- */

/* Puts at least as many hexadecimal digits as a container's id has. */
static void put_id(const struct anonymiser *anonymiser, const char *id, struct bytes *out)
{
    char salted[128];
    for (int part = 0; part < 6; part++) {
        snprintf(salted, sizeof(salted), "%d%s", part, id);
        anonymise_word(anonymiser, "", salted, strlen(salted), out);
    }
}

static void put_unit(const struct anonymiser *anonymiser, const char *unit, struct bytes *out)
{
    static const char units[] =
        "slurmd.service|docker.service|containerd.service|kubelet.service|crio.service|"
        "podman.service|sshd.service|ssh.service|opensm.service|nfs-server.service|nvmet.service|"
        "target.service|slurmstepd.service|srp_daemon.service|ksmbd.service|nvmf-target.service|"
        "nvidia-fabricmanager.service";
    if (words_have(units, strlen(units), unit, strlen(unit))) {
        bytes_printf(out, "/system.slice/%s", unit);
    } else {
        bytes_printf(out, "/system.slice/");
        anonymise_word(anonymiser, "unit", unit, strlen(unit), out);
        bytes_printf(out, ".service");
    }
}

static void put_container(const struct anonymiser *anonymiser, const char *container, struct bytes *out)
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
        put_id(anonymiser, container + strlen(steps[i].runtime), &id);
        const char *place = strstr(steps[i].step, "%.*s");
        bytes_printf(out, "/%.*s%s%s", (int)(place - steps[i].step), steps[i].step, id.data, place + 4);
        bytes_free(&id);
        return;
    }
}

void services_put_cgroup(const struct anonymiser *anonymiser, const char *text, struct bytes *out)
{
    struct arena *arena = arena_new();
    struct cgroup_words words = cgroup_words(arena, cgroup_longest(arena, text));
    bytes_printf(out, "0::");
    size_t before = out->len;
    if (words.unit)
        put_unit(anonymiser, words.unit, out);
    if (words.pod) {
        bytes_printf(out, "/kubepods/pod");
        anonymise_text(anonymiser, words.pod, strlen(words.pod), out);
    }
    if (words.job) {
        struct bytes digits = { 0 };
        anonymise_word(anonymiser, "", words.job, strlen(words.job), &digits);
        bytes_printf(out, "/slurmstepd.scope/job_%lu/step_0", strtoul(digits.data, NULL, 16));
        bytes_free(&digits);
    }
    if (words.container)
        put_container(anonymiser, words.container, out);
    bytes_printf(out, out->len == before ? "/\n" : "\n");
    arena_free(arena);
}

/* -- NVMe, iSCSI ---------------------------------------------------------------------------------------- */

void services_put_qualified_name(const struct anonymiser *anonymiser, const char *text, size_t len,
                                 struct bytes *out)
{
    static const char *const kinds[] = { "nqn.", "iqn.", "eui.", "naa." };
    static const char plain[] = "nqn.2014-08.org.nvmexpress.discovery";
    const char *kind = "name";
    if (words_have(plain, strlen(plain), text, len)) {
        bytes_append(out, text, len);
        return;
    }
    for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
        if (starts(text, len, kinds[i]))
            kind = kinds[i];
    anonymise_word(anonymiser, kind, text, len, out);
}

/* -- SMB ------------------------------------------------------------------------------------------------ */

void services_put_smb(const struct anonymiser *anonymiser, const char *text, size_t len, struct bytes *out)
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
        services_put_host(anonymiser, line.word, line.len, out);
}
