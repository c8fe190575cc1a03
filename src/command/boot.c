/* SPDX-License-Identifier: MIT */
#include "command/boot.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/say.h"
#include "base/text.h"
#include "command/context.h"

#define UNITS "etc/systemd/system/"
#define RULES "etc/udev/rules.d/"
#define PLAIN "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

static bool is_made_of(const char *name, const char *letters)
{
    return *name && *name != '-' && !name[strspn(name, letters)];
}

bool boot_takes_device(const char *name)
{
    return is_made_of(name, PLAIN "_.:-");
}

bool boot_takes_netdev(const char *name)
{
    return is_made_of(name, PLAIN "_.:-@+");
}

/* As systemd-escape(1) does: what is no letter, digit, ':', '_' or '.', and a '.' in front, becomes \xNN. */
static char *escape_unit(struct arena *arena, const char *name)
{
    struct bytes out = { 0 };
    for (const char *c = name; *c; c++)
        if (strchr(PLAIN ":_", *c) || (*c == '.' && c != name))
            bytes_append(&out, c, 1);
        else
            bytes_printf(&out, "\\x%02x", (unsigned char)*c);
    char *result = arena_strdup(arena, out.data ? out.data : "");
    bytes_free(&out);
    return result;
}

char *boot_link_path(struct arena *arena, const char *device)
{
    return arena_printf(arena, UNITS "roce-link-%s.service", device);
}

char *boot_mode_path(struct arena *arena, const char *device)
{
    return arena_printf(arena, UNITS "roce-mode-%s.service", device);
}

char *boot_rule_path(struct arena *arena, const char *device)
{
    return arena_printf(arena, RULES "90-roce-mode-%s.rules", device);
}

static const char wanted_by[] = "\nWantedBy=";

char *boot_wants_path(struct arena *arena, const char *unit_path, const char *unit)
{
    const char *by = strstr(unit, wanted_by);
    if (!by)
        return NULL;
    by += strlen(wanted_by);
    int len = (int)strcspn(by, "\n");
    return memchr(by, '/', (size_t)len)
               ? NULL
               : arena_printf(arena, UNITS "%.*s.wants/%s", len, by, strrchr(unit_path, '/') + 1);
}

static void add_file(struct boot_files *files, const char *path, const char *text, const char *target)
{
    files->items[files->count++] = (struct install_file){ path, text, target };
}

void boot_link(struct boot_files *files, struct arena *arena, const char *program, const char *name,
               const char *type, const char *netdev)
{
    const char *path = boot_link_path(arena, name);
    const char *unit = escape_unit(arena, netdev);
    const char *text = arena_printf(
        arena,
        INSTALL_MARK "link add %s type %s netdev %s --persist'; 'roce link delete %s' removes it.\n"
                     "[Unit]\n"
                     "Description=RDMA device %s (%s) on %s\n"
                     "BindsTo=sys-subsystem-net-devices-%s.device\n"
                     "After=sys-subsystem-net-devices-%s.device\n"
                     "ConditionPathExists=!/sys/class/infiniband/%s\n\n"
                     "[Service]\n"
                     "Type=oneshot\n"
                     "RemainAfterExit=yes\n"
                     "ExecStartPre=-/sbin/modprobe %s\n"
                     "ExecStart=%s link add %s type %s netdev %s\n\n"
                     "[Install]\n"
                     "WantedBy=sys-subsystem-net-devices-%s.device\n",
        name, type, netdev, name, name, type, netdev, unit, unit, name,
        strcmp(type, "rxe") == 0 ? "rdma_rxe" : "siw", program, name, type, netdev, unit);
    add_file(files, path, text, NULL);
    add_file(files, boot_wants_path(arena, path, text), NULL, arena_printf(arena, "/%s", path));
}

void boot_mode(struct boot_files *files, struct arena *arena, const char *program, const struct device *device)
{
    const char *name = device->name;
    struct bytes text = { 0 };
    bytes_printf(&text,
                 INSTALL_MARK "mode --persist' for %s; 'roce mode forget %s' removes it.\n"
                              "[Unit]\n"
                              "Description=RDMA_CM's default RoCE version and TOS of %s\n"
                              "Wants=modprobe@configfs.service sys-kernel-config.mount\n"
                              "After=modprobe@configfs.service sys-kernel-config.mount\n\n"
                              "[Service]\n"
                              "Type=oneshot\n"
                              "ExecStartPre=-/sbin/modprobe rdma_cm\n",
                 name, name, name);
    for (size_t i = 0; i < device->nports; i++) {
        const struct port *port = &device->ports[i];
        if (port->transport == TRANSPORT_ROCE && port->cm_mode.known)
            bytes_printf(&text, "ExecStart=%s -q mode set %s/%u %s\n", program, name, port->number,
                         num_is(port->cm_mode, GID_TYPE_ROCE_V2) ? "v2" : "v1");
        if (port->transport == TRANSPORT_ROCE && port->cm_tos.known)
            bytes_printf(&text, "ExecStart=%s -q mode tos %s/%u %u\n", program, name, port->number,
                         (unsigned)port->cm_tos.value);
    }
    add_file(files, boot_mode_path(arena, name), arena_strdup(arena, text.data), NULL);
    bytes_free(&text);
    add_file(files, boot_rule_path(arena, name),
             arena_printf(arena,
                          INSTALL_MARK
                          "mode --persist' for %s; 'roce mode forget %s' removes it.\n"
                          "SUBSYSTEM==\"infiniband\", KERNEL==\"%s\", ACTION!=\"remove\", TAG+=\"systemd\", "
                          "ENV{SYSTEMD_WANTS}+=\"roce-mode-%s.service\"\n",
                          name, name, name, name),
             NULL);
}

void boot_print(const struct boot_files *files)
{
    for (size_t i = 0; i < files->count; i++) {
        const struct install_file *file = &files->items[i];
        printf("%s/%s%s%s%s\n", i ? "\n" : "", file->path, file->target ? ": a link to " : ":",
               file->target ? file->target : "", file->target ? " ('systemctl enable' makes it)" : "\n");
        for (const char *line = file->text; line && *line; line += strcspn(line, "\n") + 1)
            printf("%s%.*s\n", *line == '\n' ? "" : "  ", (int)strcspn(line, "\n"), line);
    }
}

int boot_check_options(const struct context *context)
{
    bool persist = args_given(context->args, "persist"), write = args_given(context->args, "write");
    if (write && !persist)
        say_error("--write installs what --persist prints: give both");
    else if (persist && !write && context->args->look.json)
        say_error(
            "--persist prints files to be copied, and -j has no place for them: add --write, or leave out -j");
    else
        return 0;
    return -EINVAL;
}

int boot_program(bool install, char *path)
{
    int r = install_program(path);
    if (r == 0)
        return 0;
    if (install && r == -EPERM)
        say_error(
            "nothing was done: root would run '%s' at every boot, and others than root can change it or a directory above it; install roce (make install), and give the command again",
            path);
    else if (install)
        say_error(
            "nothing was done: a unit can't name this program, '%s'; install roce at a path without blanks and signs",
            path);
    if (install)
        return r;
    snprintf(path, PATH_MAX, "/usr/bin/env roce");
    return 0;
}

static void say_failed(int err, const char *what, const char *path)
{
    if (err == -EEXIST)
        say_error(
            "cannot %s '/%s': there is one that roce hasn't made (its first line would begin with \"%s\"); move it away, or keep it",
            what, path, INSTALL_MARK);
    else if (err == -EACCES || err == -EPERM)
        say_error("cannot %s '/%s': only root may", what, path);
    else if (err == -ENOENT)
        say_error("cannot %s '/%s': this host has no such directory", what, path);
    else
        say_error("cannot %s '/%s': %s", what, path, say_errno(err));
}

int boot_prepare(const struct context *context, const struct boot_files *files, struct install **install)
{
    if (access("/run/systemd/system", F_OK) < 0) { /* sd_booted(3) */
        say_error(
            "nothing was done: systemd doesn't run this host (or container), so nothing would read its units; without --write they are printed");
        return -EOPNOTSUPP;
    }
    const char *which;
    int r = install_prepare(context->source, files->items, files->count, install, &which);
    if (r < 0)
        say_failed(r, "write", which);
    return r;
}

int boot_commit(const struct context *context, const struct boot_files *files, struct install *install)
{
    const char *which = "";
    size_t changed;
    int r = install_commit(install, &which, &changed);
    if (r < 0) {
        say_failed(r, "write", which);
        return r;
    }
    if (context->args->look.json)
        return 0;
    for (size_t i = 0; i < files->count; i++)
        printf("%s /%s\n", changed ? "installed" : "unchanged", files->items[i].path);
    if (changed && !context->args->quiet)
        say_note("systemd reads them at the next boot, or by 'systemctl daemon-reload'");
    return 0;
}

static int remove_one(const struct context *context, const char *path, const char *target,
                      struct boot_files *removed)
{
    int r = install_remove(context->source, path, target);
    if (r == 0) {
        add_file(removed, path, NULL, target);
        if (!context->args->look.json)
            printf("removed /%s\n", path);
        return 0;
    }
    /* What roce hasn't made isn't what it has to remove. */
    if (r == -ENOENT || r == -EEXIST || r == -ENOTDIR)
        return 0;
    say_failed(r, "remove", path);
    return r;
}

int boot_remove(const struct context *context, const char *path, struct boot_files *removed)
{
    char *unit = NULL;
    int r = install_read(context->source, path, &unit);
    if (r < 0)
        return r == -ENOENT || r == -EEXIST || r == -ENOTDIR ? 0 : (say_failed(r, "read", path), r);
    struct arena *arena = context->host->arena;
    char *wants = boot_wants_path(arena, path, unit);
    free(unit);
    if (wants)
        r = remove_one(context, wants, arena_printf(arena, "/%s", path), removed);
    return r < 0 ? r : remove_one(context, path, NULL, removed);
}

int boot_remove_mode(const struct context *context, const char *device, struct boot_files *removed)
{
    struct arena *arena = context->host->arena;
    int r = boot_remove(context, boot_rule_path(arena, device), removed);
    return r < 0 ? r : boot_remove(context, boot_mode_path(arena, device), removed);
}

json_t *boot_json(const struct boot_files *files)
{
    json_t *array = json_array();
    for (size_t i = 0; i < files->count; i++) {
        char *path = mem_printf("/%s", files->items[i].path);
        json_array_append_new(array, json_string(path));
        free(path);
    }
    return array;
}
