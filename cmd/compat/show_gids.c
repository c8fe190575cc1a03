/* SPDX-License-Identifier: MIT */
/* show_gids of mlnx-tools, a bash script using ls and cat: slots are sorted by name, 10 before 2. */
#include <locale.h>

#include "command/context.h"
#include "view/dropin.h"

static void cannot_list(const char *path, int err)
{
    if (err == EACCES || err == EPERM)
        say_raw("ls: cannot open directory '/%s': %s\n", path, strerror(err));
    else
        say_raw("ls: cannot access '/%s': %s\n", path, strerror(err));
}

static const char *version(enum gid_type type)
{
    return type == GID_TYPE_ROCE_V2 ? "v2" : type == GID_TYPE_IB_ROCE_V1 ? "v1" : "";
}

/* fe80:: without an interface id, as on a port without a link. */
static bool is_bare_prefix(const uint8_t raw[static 16])
{
    static const uint8_t bare[16] = { 0xfe, 0x80 };
    return memcmp(raw, bare, sizeof(bare)) == 0;
}

static unsigned print_port(const struct host *host, const struct port *port)
{
    unsigned count = 0;
    size_t slots;
    const struct gid **gids = dropin_gids(host, port, &slots);
    for (size_t i = 0; i < slots; i++) {
        const struct gid *gid = gids[i];
        const uint8_t *raw = gid->raw;
        char text[GID_TEXT_SIZE], ipv4[32] = "\t";
        if (is_bare_prefix(raw))
            continue;
        gid_format(raw, text);
        if (raw[0] == 0 && raw[1] == 0) /* the script's idea of an IPv4 address */
            snprintf(ipv4, sizeof(ipv4), "%u.%u.%u.%u  ", raw[12], raw[13], raw[14], raw[15]);
        printf("%s\t%u\t%u\t%s\t%s\t%s\t%s\n", dropin_text(host, port->device->name), port->number, gid->index,
               text, ipv4, version(gid->type), dropin_text(host, gid->netdev));
        count++;
    }
    return count;
}

static unsigned print_device(const struct host *host, const char *name)
{
    const struct device *device = host_find_device(host, name);
    unsigned count = 0;
    if (!device || device->ports_err) {
        cannot_list(arena_printf(host->arena, "sys/class/infiniband/%s/ports/", name),
                    device ? device->ports_err : ENOENT);
        return 0;
    }
    const struct port **ports = dropin_ports(host, device);
    for (size_t i = 0; i < device->nports; i++) {
        if (!ports[i]->gid_table_len.known)
            cannot_list(
                arena_printf(host->arena, "sys/class/infiniband/%s/ports/%u/gids/", name, ports[i]->number),
                ports[i]->gid0_err ? ports[i]->gid0_err : ENOENT);
        count += print_port(host, ports[i]);
    }
    return count;
}

COMMAND(show_gids)
{
    const struct host *host = context->host;
    const char *wanted = context->args->argc > 1 ? context->args->argv[1] : "";
    unsigned count = 0;
    setlocale(LC_COLLATE, ""); /* ls sorts by it */
    printf("DEV\tPORT\tINDEX\tGID\t\t\t\t\tIPv4  \t\tVER\tDEV\n");
    printf("---\t----\t-----\t---\t\t\t\t\t------------  \t---\t---\n");
    if (!*wanted) {
        const struct device **devices = dropin_devices(host, strcoll);
        if (!host->system.has_infiniband_class)
            cannot_list("sys/class/infiniband/", ENOENT);
        for (size_t i = 0; i < host->ndevices; i++)
            count += print_device(host, devices[i]->name);
    }
    while (*(wanted += strspn(wanted, " \t\n"))) {
        size_t len = strcspn(wanted, " \t\n");
        count += print_device(host, arena_strndup(host->arena, wanted, len));
        wanted += len;
    }
    printf("n_gids_found=%u\n", count);
    return 0;
}
