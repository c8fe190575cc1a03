/* SPDX-License-Identifier: MIT */
/* roce mode: RDMA_CM's default RoCE mode and TOS; mode set and mode tos change them. */
#include "command/context.h"
#include "command/persist.h"
#include "source/files/files.h"
#include "view/json.h"
#include "view/page.h"
#include "view/rows.h"

static const struct port *port_of(const void *row)
{
    return ((const struct port_row *)row)->port;
}

static struct value get_dscp(const void *row)
{
    struct num tos = port_of(row)->cm_tos;
    return tos.known ? value_unsigned(tos.value >> 2) : NO_VALUE;
}

static struct value make_unread(const struct cell_context *context, const void *row)
{
    return value_text(arena_strdup(context->arena, cm_unread_text(port_of(row)->cm_err)));
}

const struct column mode_columns[] = { MODE_COLUMNS };

static const char between_hosts[] =
    "client v1 to server v1: works      client v1 to server v2: works\n"
    "client v2 to server v2: works      client v2 to server v1: does not work\n";

static int show(struct context *context, char **operands, size_t noperands)
{
    const struct args *args = context->args;
    if (context_read(context, NEED_MODE | NEED_NLDEV | NEED_NETDEV | NEED_GID_SUMMARY) < 0 ||
        context_select(context, operands, noperands) < 0)
        return STATUS_ERROR;
    size_t nports, count = 0;
    struct port_row *rows = port_rows(context->host, &context->selection, &nports);
    bool any_v1 = false;
    for (size_t i = 0; i < nports; i++) {
        if (rows[i].port->transport != TRANSPORT_ROCE)
            continue;
        any_v1 |= num_is(rows[i].port->cm_mode, GID_TYPE_IB_ROCE_V1);
        rows[count++] = rows[i];
    }
    context_list(context, rows, count, sizeof(*rows),
                 nports ? "no RoCE port: only RoCE has modes" : no_device_text(context->host));
    if (any_v1 && !args->look.json && !args->quiet)
        printf("\n%s", between_hosts);
    return STATUS_OK;
}

static const char *refusal_text(int err)
{
    switch (err) {
    case EPERM:
    case EACCES:
        return "only root may";
    case ENOENT:
        return "/sys/kernel/config/rdma_cm is not there; 'modprobe rdma_cm' and 'mount -t configfs none "
               "/sys/kernel/config' bring it";
    case ENODEV:
        return "rdma_cm does not know the device";
    case EINVAL:
        return "the device has no such RoCE version; 'roce gids' shows which it has";
    case EIO:
        return "it was written, but the kernel now says something else";
    case EROFS:
        return "a recording can't be changed";
    }
    return say_errno(err);
}

/* Makes it persistent, as the setting is only in rdma_cm's memory: one unit for both settings of all ports of
 * the device. Returns 0 or -errno. */
static int make_last(struct context *context, const char *name, struct arena *arena)
{
    const struct args *args = context->args;
    bool persist = args_given(args, "persist"), write = args_given(args, "write");
    if (!write && (args->look.json || (args->quiet && !persist)))
        return 0;
    if (!boot_takes_device(name)) { /* not usable as a unit's name, so nothing to paste either */
        if (persist)
            say_error("what was set isn't made to last: units and udev's rules can't name '%s' as it stands",
                      name);
        return persist ? -EINVAL : 0;
    }
    char program[PATH_MAX];
    struct boot_files files = { 0 };
    struct install *install;
    int r = context_read(context, NEED_MODE);
    if (r == 0)
        r = boot_program(write, program);
    const struct device *device = r == 0 ? host_find_device(context->host, name) : NULL;
    if (!device)
        return r < 0 ? r : -ENODEV;
    boot_mode(&files, arena, program, device);
    if (write) {
        r = boot_prepare(context, &files, &install);
        return r < 0 ? r : boot_commit(context, &files, install);
    }
    line_print(page_width(context->args->look.width), 0,
               "\nThis lasts until reboot, until rdma_cm is reloaded, or until the device goes. To make it "
               "last, add --persist --write to the command, or save these two files:\n");
    boot_files_print(&files);
    return 0;
}

/* The RoCE ports that name refers to: all of a device, or DEVICE/PORT. NULL after saying why there are none. */
static const struct port_row *find_ports(struct context *context, char *name, size_t *count)
{
    if (context_read(context, NEED_MODE) < 0 || context_select(context, &name, 1) < 0)
        return NULL;
    size_t nports;
    struct port_row *rows = port_rows(context->host, &context->selection, &nports);
    *count = 0;
    for (size_t i = 0; i < nports; i++)
        if (rows[i].port->transport == TRANSPORT_ROCE)
            rows[(*count)++] = rows[i];
    if (*count == 0)
        say_error("'%s' is not a RoCE port: only RoCE has modes", name);
    return *count ? rows : NULL;
}

/* One of the two settings. */
struct cm_setting {
    const char *what; /* as named in errors */
    enum gid_type mode;
    uint8_t tos;
};

static int set_port(const struct context *context, const struct port *port, const struct cm_setting *setting)
{
    bool mode = setting->mode != GID_TYPE_UNKNOWN;
    int r = mode ? configfs_set_mode(context->source, port->device->name, port->number, setting->mode)
                 : configfs_set_tos(context->source, port->device->name, port->number, setting->tos);
    if (r < 0) {
        say_error("cannot set the %s of '%s/%u': %s", setting->what, port->device->name, port->number,
                  refusal_text(-r));
        return r;
    }
    if (context->args->look.json)
        return 0;
    printf("%s/%u: ", text_clean_copy(context->host->arena, port->device->name, SIZE_MAX), port->number);
    if (mode)
        printf("mode %s", gid_type_text(setting->mode));
    else
        printf("TOS %u, DSCP %u", setting->tos, (unsigned)setting->tos >> 2);
    if (mode && port->cm_mode.known)
        printf(" (it was %s)", gid_type_text((enum gid_type)port->cm_mode.value));
    if (!mode && port->cm_tos.known)
        printf(" (TOS was %u)", (unsigned)port->cm_tos.value);
    putchar('\n');
    return 0;
}

static int change(struct context *context, char *where, const struct cm_setting *setting, struct arena *arena)
{
    const struct args *args = context->args;
    size_t count;
    const struct port_row *rows = find_ports(context, where, &count);
    if (!rows)
        return STATUS_ERROR;
    const char *device = arena_strdup(arena, rows[0].port->device->name);
    for (size_t i = 0; i < count; i++)
        if (set_port(context, rows[i].port, setting) < 0)
            return STATUS_ERROR;
    if (setting->mode != GID_TYPE_UNKNOWN && !args->look.json && !args->quiet)
        printf("%s", between_hosts);
    if (make_last(context, device, arena) < 0)
        return STATUS_ERROR;
    return args->look.json ? show(context, &where, 1) : STATUS_OK; /* as it is now */
}

static int set(struct context *context, bool is_tos, char *where, const char *word)
{
    struct cm_setting setting = { .what = is_tos ? "TOS" : "mode", .mode = GID_TYPE_UNKNOWN };
    uint64_t tos = 0;
    if (is_tos && (text_to_u64(word, 0, &tos) < 0 || tos > UINT8_MAX))
        return say_unable("a TOS byte is a number from 0 to 255, not '%s'", word);
    setting.tos = (uint8_t)tos;
    if (!is_tos)
        setting.mode = strcmp(word, "v1") == 0 || strcmp(word, "1") == 0   ? GID_TYPE_IB_ROCE_V1
                       : strcmp(word, "v2") == 0 || strcmp(word, "2") == 0 ? GID_TYPE_ROCE_V2
                                                                           : GID_TYPE_UNKNOWN;
    if (!is_tos && setting.mode == GID_TYPE_UNKNOWN)
        return say_unable("a RoCE mode is v1 or v2, not '%s'", word);
    if (boot_check_options(context) < 0)
        return STATUS_ERROR;
    struct arena *arena = arena_new();
    int status = change(context, where, &setting, arena);
    arena_free(arena);
    return status;
}

/* Undoes --persist --write; the settings themselves stay as they are. */
static int forget(struct context *context, char *name)
{
    struct boot_files removed = { 0 };
    if (source_is_recording(context->source))
        return say_unable("a recording can't be changed");
    if (context_read(context, NEED_MODE) < 0)
        return STATUS_ERROR;
    if (!boot_takes_device(name))
        return say_unable("'%s' can't be the name of a device that roce made files for", name);
    if (boot_remove_mode(context, name, &removed) < 0)
        return STATUS_ERROR;
    if (context->args->look.json)
        return host_find_device(context->host, name) ? show(context, &name, 1) : STATUS_OK;
    boot_files_tell(&removed, "removed");
    if (!removed.count)
        printf("%s: roce has installed nothing for it\n", name);
    return STATUS_OK;
}

COMMAND(mode)
{
    const struct args *args = context->args;
    char **operands = args->operands;
    bool is_set = args->noperands && strcmp(operands[0], "set") == 0;
    bool is_tos = args->noperands && strcmp(operands[0], "tos") == 0;
    if (args->noperands && strcmp(operands[0], "forget") == 0) {
        if (args->noperands == 2)
            return forget(context, operands[1]);
        return say_unable("'mode forget' takes one device: 'roce mode forget DEVICE'");
    }
    if (!is_set && !is_tos) {
        if (args_given(args, "persist") || args_given(args, "write"))
            return say_unable("--persist and --write belong to 'mode set' and 'mode tos'");
        return show(context, operands, args->noperands);
    }
    if (args->noperands != 3)
        return say_unable("'mode %s' takes a device or port and a value: 'roce mode %s DEVICE[/PORT] %s'",
                          operands[0], operands[0], is_set ? "v1|v2" : "TOS");
    return set(context, is_tos, operands[1], operands[2]);
}
