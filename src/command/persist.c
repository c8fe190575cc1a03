/* SPDX-License-Identifier: MIT */
/* Options --persist and --write: files that apply a setting at every boot, printed or installed. */
#include "command/persist.h"

#include "command/context.h"
#include "view/json.h"

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
        say_error("nothing was done: root would run '%s' at every boot, and others than root can change it or "
                  "a directory above it; install roce (make install), and give the command again",
                  path);
    else if (install)
        say_error("nothing was done: a unit can't name this program, '%s'; install roce at a path without "
                  "blanks and signs",
                  path);
    if (install)
        return r;
    snprintf(path, PATH_MAX, "/usr/bin/env roce");
    return 0;
}

static void say_failed(int err, const char *what, const char *path)
{
    if (err == -EEXIST)
        say_error("cannot %s '/%s': there is one that roce hasn't made (its first line would begin with "
                  "\"%s\"); move it away, or keep it",
                  what, path, BOOT_MARK);
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
        say_error("nothing was done: systemd doesn't run this host (or container), so nothing would read its "
                  "units; without --write they are printed");
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
    boot_files_tell(files, changed ? "installed" : "unchanged");
    if (changed && !context->args->quiet)
        say_note("systemd reads them at the next boot, or by 'systemctl daemon-reload'");
    return 0;
}

static int remove_one(const struct context *context, const char *path, const char *target,
                      struct boot_files *removed)
{
    int r = install_remove(context->source, path, target);
    if (r == 0) {
        boot_files_add(removed, path, NULL, target);
        return 0;
    }
    /* What roce didn't make isn't for it to remove. */
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
