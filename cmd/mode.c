/* SPDX-License-Identifier: MIT */
/* roce mode: RDMA_CM's default RoCE mode and TOS; mode set and mode tos change them. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/say.h"
#include "base/text.h"
#include "command/context.h"
#include "source/files/configfs.h"
#include "source/source.h"
#include "view/listing.h"
#include "view/rows.h"

static const struct port *port_of(const void *row)
{
    return ((const struct port_row *)row)->port;
}

static struct value get_mode(const void *row)
{
    struct num mode = port_of(row)->cm_mode;
    return value_text(mode.known ? gid_type_text((enum gid_type)mode.value) : NULL);
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

static const struct column columns[] = {
    PORT_COLUMNS(struct port_row),
    { "mode", .help = "RoCE version that RDMA_CM takes by default", .get = get_mode },
    { "tos", .help = "TOS byte that RDMA_CM gives its packets by default",
      MEMBER(struct port_row, port, cm_tos) },
    { "dscp", .help = "the DSCP in it: TOS >> 2", .type = VALUE_UNSIGNED, .get = get_dscp },
    { "unread", .help = "why mode and TOS could not be read", .flags = COLUMN_CUT, .make = make_unread },
    { 0 },
};

static const char between_hosts[] = "client v1 to server v1: works      client v1 to server v2: works\n"
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

static void say_refused(int err, const char *what, const char *where)
{
    switch (-err) {
    case EPERM:
    case EACCES:
        say_error("cannot set the %s of '%s': only root may", what, where);
        return;
    case ENOENT:
        say_error(
            "cannot set the %s of '%s': /sys/kernel/config/rdma_cm is not there; 'modprobe rdma_cm' and 'mount -t configfs none /sys/kernel/config' bring it",
            what, where);
        return;
    case ENODEV:
        say_error("cannot set the %s of '%s': rdma_cm does not know the device", what, where);
        return;
    case EINVAL:
        say_error(
            "cannot set the %s of '%s': the device has no such RoCE version; 'roce gids' shows which it has",
            what, where);
        return;
    case EIO:
        say_error("the %s of '%s' was written, but the kernel now says something else", what, where);
        return;
    case EROFS:
        say_error("cannot set the %s of '%s': a recording can't be changed", what, where);
        return;
    }
    say_error("cannot set the %s of '%s': %s", what, where, say_errno(err));
}

/* What makes it last: the setting lives in rdma_cm's memory. */
static void print_lasting(const char *verb, const struct port *where, const char *value)
{
    char *device = text_clean(where->device->name, TEXT_ONE_LINE);
    uint32_t port = where->number;
    if (!text_is_shell_word(where->device->name)) { /* no unit's name, and nothing to paste */
        free(device);
        return;
    }
    printf("This lasts until reboot, until rdma_cm is reloaded, or until the device goes. To make it last, save as\n/etc/systemd/system/roce-mode-%s-%u.service, then 'systemctl enable roce-mode-%s-%u':\n\n"
           "  [Unit]\n"
           "  Description=RDMA_CM default of %s/%u\n"
           "  Wants=modprobe@rdma_cm.service\n"
           "  After=modprobe@rdma_cm.service sys-kernel-config.mount\n\n"
           "  [Service]\n"
           "  Type=oneshot\n"
           "  ExecStart=/usr/bin/env roce mode %s %s/%u %s\n\n"
           "  [Install]\n"
           "  WantedBy=multi-user.target\n",
           device, port, device, port, device, port, verb, device, port, value);
    free(device);
}

static void print_place(const struct port *port)
{
    char *device = text_clean(port->device->name, TEXT_ONE_LINE);
    printf("%s/%u: ", device, port->number);
    free(device);
}

static const struct port *find_port(struct context *context, char *name)
{
    if (context_read(context, NEED_MODE) < 0 || context_select(context, &name, 1) < 0)
        return NULL;
    size_t count;
    const struct port_row *rows = port_rows(context->host, &context->selection, &count);
    if (count != 1 || !strchr(name, '/')) {
        say_error("'%s' must name one port: DEVICE/PORT", name);
        return NULL;
    }
    if (rows->port->transport != TRANSPORT_ROCE) {
        say_error("'%s' is not a RoCE port: only RoCE has modes", name);
        return NULL;
    }
    return rows->port;
}

static int set_mode(struct context *context, char *where, const char *word)
{
    enum gid_type mode = strcmp(word, "v1") == 0 || strcmp(word, "1") == 0   ? GID_TYPE_IB_ROCE_V1
                         : strcmp(word, "v2") == 0 || strcmp(word, "2") == 0 ? GID_TYPE_ROCE_V2
                                                                             : GID_TYPE_UNKNOWN;
    if (mode == GID_TYPE_UNKNOWN) {
        say_error("a RoCE mode is v1 or v2, not '%s'", word);
        return STATUS_ERROR;
    }
    const struct port *port = find_port(context, where);
    if (!port)
        return STATUS_ERROR;
    int r = configfs_set_mode(context->source, port->device->name, port->number, mode);
    if (r < 0) {
        say_refused(r, "mode", where);
        return STATUS_ERROR;
    }
    if (context->args->look.json)
        return show(context, &where, 1); /* as it is now */
    print_place(port);
    printf("mode %s", gid_type_text(mode));
    if (port->cm_mode.known)
        printf(" (it was %s)", gid_type_text((enum gid_type)port->cm_mode.value));
    printf("\n%s\n", between_hosts);
    print_lasting("set", port, mode == GID_TYPE_ROCE_V2 ? "v2" : "v1");
    return STATUS_OK;
}

static int set_tos(struct context *context, char *where, const char *word)
{
    uint64_t tos;
    if (text_to_u64(word, 0, &tos) < 0 || tos > UINT8_MAX) {
        say_error("a TOS byte is a number from 0 to 255, not '%s'", word);
        return STATUS_ERROR;
    }
    const struct port *port = find_port(context, where);
    if (!port)
        return STATUS_ERROR;
    int r = configfs_set_tos(context->source, port->device->name, port->number, (uint8_t)tos);
    if (r < 0) {
        say_refused(r, "TOS", where);
        return STATUS_ERROR;
    }
    if (context->args->look.json)
        return show(context, &where, 1); /* as it is now */
    char text[8];
    snprintf(text, sizeof(text), "%u", (unsigned)tos);
    print_place(port);
    printf("TOS %s, DSCP %u", text, (unsigned)tos >> 2);
    if (port->cm_tos.known)
        printf(" (TOS was %u)", (unsigned)port->cm_tos.value);
    puts("\n");
    print_lasting("tos", port, text);
    return STATUS_OK;
}

static int run(struct context *context)
{
    const struct args *args = context->args;
    bool set = args->noperands && strcmp(args->operands[0], "set") == 0;
    bool tos = args->noperands && strcmp(args->operands[0], "tos") == 0;
    if (!set && !tos)
        return show(context, args->operands, args->noperands);
    if (args->noperands != 3) {
        say_error("'mode %s' takes a port and a value: 'roce mode %s DEVICE/PORT %s'", args->operands[0],
                  args->operands[0], set ? "v1|v2" : "TOS");
        return STATUS_ERROR;
    }
    return set ? set_mode(context, args->operands[1], args->operands[2])
               : set_tos(context, args->operands[1], args->operands[2]);
}

static const char *const words[] = { "set DEVICE/PORT v1|v2", "tos DEVICE/PORT TOS",
                                     "[DEVICE[/PORT]|NETDEV]...", NULL };

const struct command cmd_mode = {
    .name = "mode",
    .group = GROUP_CHANGE,
    .operands_text = "[DEVICE[/PORT]|NETDEV]... | set DEVICE/PORT v1|v2 | tos DEVICE/PORT TOS",
    .operands = OPERANDS_OWN,
    .summary = "RDMA_CM's default RoCE mode and TOS; 'set', 'tos' change them",
    .description =
        "Applies to applications that connect through RDMA_CM; those that choose a GID themselves (NCCL, UCX, perftest without -R) don't use it. A client on v1 reaches servers on v1 and v2; one on v2 reaches servers on v2 only, not on v1.\n\n"
        "The kernel shows a device's settings only below a directory that somebody has to make, so reading them takes root; roce removes the directory again. 'set' and 'tos' read back what they wrote. Settings last until reboot; both commands print what makes them permanent.",
    .examples = "roce mode\tevery RoCE port\n"
                "roce mode set mlx5_0/1 v2\tprefer RoCE v2\n"
                "roce mode tos mlx5_0/1 106\tDSCP 26, ECT(0)",
    .columns = columns,
    .plural = "modes",
    .no_host = true,
    .words = words,
    .run = run,
};
