/* SPDX-License-Identifier: MIT */
/* roce links add, links delete: software RDMA devices (soft-RoCE, soft-iWARP). */
#include "command/link_change.h"

#include <net/if.h>

#include "command/persist.h"
#include "source/netlink/read.h"
#include "view/json.h"
#include "view/page.h"
#include "view/rows.h"

enum { NAME_MOST = 63 }; /* IB_DEVICE_NAME_MAX is 64 with its NUL */

static bool is_live(const struct context *context)
{
    if (source_is_recording(context->source))
        say_error("devices can be added and deleted on the live machine only, not in a recording");
    return !source_is_recording(context->source);
}

static void say_not_added(int err, const char *name, const char *type, const char *netdev, const char *text)
{
    switch (-err) {
    case EPERM:
        if (text || geteuid() == 0)
            break;
        say_error("cannot add '%s': only root may (CAP_NET_ADMIN)", name);
        return;
    case EEXIST:
        say_error("cannot add '%s': there is an RDMA device of this name, or one on '%s' already; 'roce links' "
                  "lists them",
                  name, netdev);
        return;
    case ENODEV:
        say_error("cannot add '%s': the kernel has no netdev '%s' in this network namespace", name, netdev);
        return;
    case EOPNOTSUPP:
        say_error(
            "cannot add '%s': the kernel has no RDMA core; 'modprobe ib_core' loads it, where it was built",
            name);
        return;
    case EINVAL:
        if (text)
            break;
        say_error("cannot add '%s': the kernel module for %s is missing; 'modprobe %s' tells why (package "
                  "linux-modules-extra on Ubuntu, kernel-modules-extra on Fedora)",
                  name, type, strcmp(type, "rxe") == 0 ? "rdma_rxe" : "siw");
        return;
    }
    if (-err == EPERM)
        say_error("cannot add '%s': the kernel refuses%s%s; %s takes a netdev of its own, not a VLAN", name,
                  text ? ": " : "", text ? text : "", type);
    else
        say_error("cannot add '%s': %s%s%s", name, say_errno(err), text ? ": " : "", text ? text : "");
}

/* Is it what would be added? Then all that is left is to make it persistent. */
static bool is_same(const struct device *device, const char *type, const char *netdev)
{
    return device_is_soft(device) && device_is_rxe(device) == (strcmp(type, "rxe") == 0) &&
           device->nports == 1 && text_is(device->ports[0].netdev, netdev);
}

static int check_new(const struct context *context, const char *name, const char *type, const char *netdev)
{
    const struct host *host = context->host;
    if (strcmp(type, "rxe") != 0 && strcmp(type, "siw") != 0)
        return say_invalid("the type of a link is rxe (soft-RoCE) or siw (soft-iWARP), not '%s'", type);
    if (!*name || strlen(name) > NAME_MOST || strchr(name, '/'))
        return say_invalid("'%s' can't be the name of a device: 1 to %d characters, no slash", name, NAME_MOST);
    const struct device *device = host_find_device(host, name);
    if (device && !(args_given(context->args, "persist") && is_same(device, type, netdev))) {
        say_error("cannot add '%s': there is an RDMA device of this name; 'roce links' lists them", name);
        return -EEXIST;
    }
    if (strlen(netdev) >= IFNAMSIZ || !host_find_netdev(host, netdev)) {
        say_error("cannot add '%s': there is no netdev '%s' here; 'ip link' lists them", name, netdev);
        return -ENODEV;
    }
    return 0;
}

/* files: what was installed or removed; NULL if nothing was to be. */
static void print_device(const struct context *context, const char *name, const char *done,
                         const struct boot_files *files)
{
    static const struct boot_files none;
    if (context->args->look.json) {
        json_t *top = json_envelope(NULL), *array = json_array(), *object = json_object();
        json_put_text(object, "device", name);
        json_put_text(object, "action", done);
        json_object_set_new(object, "files", boot_files_json(files ? files : &none));
        json_array_append_new(array, object);
        json_object_set_new(top, "changed", array);
        json_print(top);
        return;
    }
    char *clean = text_clean(name, TEXT_ONE_LINE);
    line_print(context->args->look.width, 0, "%s: %s", clean, done);
    free(clean);
}

static int add_device(struct context *context, const char *name, const char *type, const char *netdev)
{
    const char *text;
    int r = nldev_add_link(name, type, netdev, context->host->arena, &text);
    if (r < 0) {
        say_not_added(r, name, type, netdev, text);
        return r;
    }
    r = context_read(context, NEED_NLDEV);
    if (r == 0 && !host_find_device(context->host, name)) {
        say_error("the kernel says '%s' was added, but it is not there", name);
        return -ENODEV;
    }
    return r;
}

/* Prepares what brings the device back at boot. *install is what is ready to be put in place, or NULL. */
static int prepare_boot(const struct context *context, char *const words[], struct boot_files *files,
                        struct arena *arena, struct install **install)
{
    const char *name = words[1], *type = words[3], *netdev = words[5];
    bool write = args_given(context->args, "write");
    char program[PATH_MAX];
    if (!args_given(context->args, "persist"))
        return 0;
    if (!boot_takes_device(name) || !boot_takes_netdev(netdev))
        return say_invalid("nothing was done: units and udev's rules can't name '%s' as it stands; --persist "
                           "takes names of letters, digits and _.:-",
                           boot_takes_device(name) ? netdev : name);
    int r = boot_program(write, program);
    if (r < 0)
        return r;
    boot_link(files, arena, program, name, type, netdev);
    return write ? boot_prepare(context, files, install) : 0;
}

static int add(struct context *context, char *const words[], struct arena *arena)
{
    const char *name = words[1], *type = words[3], *netdev = words[5];
    struct boot_files files = { 0 };
    struct install *install = NULL;
    if (context_read(context, NEED_NLDEV | NEED_NETDEV_ALL | NEED_ADDRESSES) < 0 ||
        check_new(context, name, type, netdev) < 0 || prepare_boot(context, words, &files, arena, &install) < 0)
        return STATUS_ERROR;
    const struct netdev *below = host_find_netdev(context->host, netdev);
    bool down = below->flags.known && !(below->flags.value & IFF_UP);
    bool there = host_find_device(context->host, name) != NULL;
    if (!there && add_device(context, name, type, netdev) < 0) {
        install_drop(install);
        return STATUS_ERROR;
    }
    bool json = context->args->look.json;
    if (!json)
        print_device(context, name, there ? "already there" : "added", NULL);
    if (down)
        say_warning("'%s' is down, and so is the new device: 'ip link set %s up'", netdev, netdev);
    if (install && boot_commit(context, &files, install) < 0)
        return STATUS_ERROR;
    if (json)
        print_device(context, name, there ? "present" : "added", install ? &files : NULL);
    else if (files.count && !install) {
        line_print(context->args->look.width, 0, "\nWhat brings it back at boot (--write installs it):\n");
        boot_files_print(&files);
    }
    return STATUS_OK;
}

/* A process that holds the device open: the kernel would wait for it. */
static const struct resource *user_of(const struct host *host, const char *name)
{
    const struct resources *resources = host->resources;
    for (size_t i = 0; resources && i < resources->nitems; i++) {
        const struct resource *item = &resources->items[i];
        bool is_open = item->type == RESOURCE_CTX || item->type == RESOURCE_QP;
        if (is_open && item->pid.known && strcmp(item->device, name) == 0)
            return item;
    }
    return NULL;
}

/* Removes what brings the device and its RDMA_CM defaults back at boot. */
static int forget(struct context *context, const char *name, struct boot_files *removed)
{
    struct arena *arena = context->host->arena;
    if (!boot_takes_device(name))
        return 0;
    int r = boot_remove(context, boot_link_path(arena, name), removed);
    return r < 0 ? r : boot_remove_mode(context, name, removed);
}

static int delete (struct context *context, const char *name)
{
    const char *text;
    struct boot_files removed = { 0 };
    if (context_read(context, NEED_NLDEV | NEED_RESOURCES) < 0)
        return STATUS_ERROR;
    char *operand = (char *)name;
    const struct device *device = host_find_device(context->host, name);
    if (!device && forget(context, name, &removed) < 0)
        return STATUS_ERROR;
    if (!device && removed.count) {
        print_device(context, name,
                     context->args->look.json ? "forgotten" : "wasn't there, and won't be at boot", &removed);
        if (!context->args->look.json)
            boot_files_tell(&removed, "removed");
        return STATUS_OK;
    }
    if (!device) {
        if (context_select(context, &operand, 1) == 0)
            say_error("'%s' is a port or netdev, not a device; name the RDMA device", name);
        return STATUS_ERROR;
    }
    const struct resource *user = user_of(context->host, name);
    if (user && !args_given(context->args, "wait"))
        return say_unable("'%s' is in use by process %llu (%s), and the kernel would wait for its end: end it, "
                          "or use --wait; 'roce users %s' lists all",
                          name, (unsigned long long)user->pid.value, user->comm ? user->comm : "?", name);
    if (!device->index.known)
        return say_unable("cannot delete '%s': the kernel has no NETLINK_RDMA here", name);
    int r = nldev_delete_link((uint32_t)device->index.value, context->host->arena, &text);
    if (r == -EINVAL || r == -EOPNOTSUPP)
        say_error("cannot delete '%s': it is not a device in software (rxe, siw)", name);
    else if (r == -EPERM)
        say_error("cannot delete '%s': only root may (CAP_NET_ADMIN)", name);
    else if (r < 0)
        say_error("cannot delete '%s': %s%s%s", name, say_errno(r), text ? ": " : "", text ? text : "");
    if (r < 0 || context_read(context, NEED_NLDEV) < 0)
        return STATUS_ERROR;
    if (host_find_device(context->host, name))
        return say_unable("the kernel says '%s' was deleted, but it is still there", name);
    if (!context->args->look.json)
        print_device(context, name, "deleted", NULL);
    r = forget(context, name, &removed);
    if (context->args->look.json)
        print_device(context, name, "deleted", &removed);
    else
        boot_files_tell(&removed, "removed");
    return r < 0 ? STATUS_ERROR : STATUS_OK;
}

bool link_is_change(const struct args *args)
{
    return args->noperands && text_in_list("add,delete,del", args->operands[0]);
}

int link_change(struct context *context)
{
    const struct args *args = context->args;
    char **words = args->operands;
    size_t count = args->noperands;
    bool is_add = count == 6 && strcmp(words[0], "add") == 0 && strcmp(words[2], "type") == 0 &&
                  strcmp(words[4], "netdev") == 0;
    bool is_delete = count == 2 && (strcmp(words[0], "delete") == 0 || strcmp(words[0], "del") == 0);
    if (!is_add && !is_delete)
        return say_unable("links takes 'add NAME type rxe|siw netdev NETDEV' or 'delete NAME'; 'roce links' "
                          "shows what there is");
    if (!is_live(context) || boot_check_options(context) < 0)
        return STATUS_ERROR;
    if (is_delete)
        return delete (context, words[1]);
    struct arena *arena = arena_new();
    int status = add(context, words, arena);
    arena_free(arena);
    return status;
}
