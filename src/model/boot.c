/* SPDX-License-Identifier: MIT */
/* The text of units and rules that restore devices and defaults at boot. */
#include "model/boot.h"

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

/* Like systemd-escape(1): anything but letters, digits, ':', '_' and '.', and a leading '.', becomes \xNN. */
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

void boot_files_add(struct boot_files *files, const char *path, const char *text, const char *target)
{
    if (files->count < BOOT_FILES_MOST)
        files->items[files->count++] = (struct boot_file){ path, text, target };
}

void boot_link(struct boot_files *files, struct arena *arena, const char *program, const char *name,
               const char *type, const char *netdev)
{
    const char *path = boot_link_path(arena, name);
    const char *unit = escape_unit(arena, netdev);
    const char *text = arena_printf(
        arena,
        BOOT_MARK "links add %s type %s netdev %s --persist'; 'roce links delete %s' removes it.\n"
                  "[Unit]\n"
                  "Description=RDMA device %s (%s) on %s\n"
                  "BindsTo=sys-subsystem-net-devices-%s.device\n"
                  "After=sys-subsystem-net-devices-%s.device\n"
                  "ConditionPathExists=!/sys/class/infiniband/%s\n\n"
                  "[Service]\n"
                  "Type=oneshot\n"
                  "RemainAfterExit=yes\n"
                  "ExecStartPre=-/sbin/modprobe %s\n"
                  "ExecStart=%s links add %s type %s netdev %s\n\n"
                  "[Install]\n"
                  "WantedBy=sys-subsystem-net-devices-%s.device\n",
        name, type, netdev, name, name, type, netdev, unit, unit, name,
        strcmp(type, "rxe") == 0 ? "rdma_rxe" : "siw", program, name, type, netdev, unit);
    boot_files_add(files, path, text, NULL);
    boot_files_add(files, boot_wants_path(arena, path, text), NULL, arena_printf(arena, "/%s", path));
}

void boot_mode(struct boot_files *files, struct arena *arena, const char *program, const struct device *device)
{
    const char *name = device->name;
    struct bytes text = { 0 };
    bytes_printf(&text,
                 BOOT_MARK "mode --persist' for %s; 'roce mode forget %s' removes it.\n"
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
    boot_files_add(files, boot_mode_path(arena, name), arena_strdup(arena, text.data), NULL);
    bytes_free(&text);
    boot_files_add(files, boot_rule_path(arena, name),
                   arena_printf(arena,
                                BOOT_MARK "mode --persist' for %s; 'roce mode forget %s' removes it.\n"
                                          "SUBSYSTEM==\"infiniband\", KERNEL==\"%s\", ACTION!=\"remove\", "
                                          "TAG+=\"systemd\", ENV{SYSTEMD_WANTS}+=\"roce-mode-%s.service\"\n",
                                name, name, name, name),
                   NULL);
}
