/* SPDX-License-Identifier: MIT */
/* ibstat of infiniband-diags 44: the same output, and the same errors in the same words. */
#include <getopt.h>

#include "command/context.h"
#include "view/dropin.h"

/* The sizes of the original's buffers, which truncate longer text. */
enum { NAME_SIZE = 20, VERSION_SIZE = 20, TYPE_SIZE = 40, MOST_PORTS = 10, USAGE = 2, FAILED = 255 };

struct ibstat {
    const struct host *host;
    bool list, brief, port_list;
    const char *wanted; /* a device, or NULL */
    int port;           /* -1: all */
    int err;            /* the errno that the original would have now: its final message names it */
};

static const char *const node_types[] = { "???", "CA", "Switch", "Router" };
static const char *const states[] = { "???", "Down", "Initializing", "Armed", "Active" };
static const char *const phys_states[] = {
    "No state change",           "Sleep",  "Polling",           "Disabled",
    "PortConfigurationTraining", "LinkUp", "LinkErrorRecovery", "PhyTest"
};

static int panic(const struct ibstat *ibstat, const char *what)
{
    say_raw("ibpanic: [%d] main: %s: %s\n", getpid(), what, strerror(ibstat->err));
    return FAILED;
}

/* Could the original read the number? It takes text that isn't one as 0. */
static bool was_read(struct ibstat *ibstat, struct num num, const struct port *port, const char *file)
{
    if (num.known)
        return true;
    int err = host_problem_of(ibstat->host, "sys/class/infiniband/%s/ports/%u/%s", port->device->name,
                              port->number, file);
    if (err == EBADMSG)
        return true;
    ibstat->err = err ? err : ENOENT;
    return false;
}

static bool pkeys_readable(struct ibstat *ibstat, const struct port *port)
{
    char dir[512];
    snprintf(dir, sizeof(dir), "sys/class/infiniband/%s/ports/%u/pkeys/", port->device->name, port->number);
    if (!port->pkey_table_len.known || port->pkey_table_len.value == 0) {
        int err = host_problem_of(ibstat->host, "%.*s", (int)strlen(dir) - 1, dir);
        if (!port->pkey_table_len.known)
            ibstat->err = err ? err : ENOENT;
        say_raw("ibwarn: [%d] get_port: no pkeys found for %s:%u (at dir /%.*s)...\n", getpid(),
                port->device->name, port->number, (int)strlen(dir) - 1, dir);
        return false;
    }
    for (size_t i = 0; i < ibstat->host->nproblems; i++) {
        const struct problem *problem = &ibstat->host->problems[i];
        if (problem->err == EBADMSG || !text_starts(problem->what, dir))
            continue;
        ibstat->err = problem->err;
        return false;
    }
    return true;
}

static bool port_readable(struct ibstat *ibstat, const struct port *port)
{
    if (!was_read(ibstat, port->lmc, port, "lid_mask_count") ||
        !was_read(ibstat, port->sm_lid, port, "sm_lid") || !was_read(ibstat, port->sm_sl, port, "sm_sl") ||
        !was_read(ibstat, port->lid, port, "lid") || !was_read(ibstat, port->state, port, "state") ||
        !was_read(ibstat, port->phys_state, port, "phys_state"))
        return false;
    if (!port->rate_text) {
        ibstat->err = port->rate_err;
        return false;
    }
    if (!was_read(ibstat, port->cap_mask, port, "cap_mask"))
        return false;
    if (!port->link_layer_text)
        ibstat->err = ENOENT;
    if (port->gid0_err) {
        ibstat->err = port->gid0_err;
        return false;
    }
    if (host_problem_of(ibstat->host, "sys/class/infiniband/%s/ports/%u/gids/0", port->device->name,
                        port->number))
        return false;
    return pkeys_readable(ibstat, port);
}

/* Is there an entry in ports/ that isn't a number? The original reads those that sort before it, then fails. */
static bool has_odd_port(const struct ibstat *ibstat, const struct device *device)
{
    char dir[512];
    snprintf(dir, sizeof(dir), "sys/class/infiniband/%s/ports/", device->name);
    for (size_t i = 0; i < ibstat->host->nproblems; i++) {
        const struct problem *problem = &ibstat->host->problems[i];
        if (problem->err == EBADMSG && text_starts(problem->what, dir) &&
            !strchr(problem->what + strlen(dir), '/'))
            return true;
    }
    return false;
}

static bool guid_readable(struct ibstat *ibstat, struct num guid, const struct device *device, const char *file)
{
    if (guid.known)
        return true;
    int err = host_problem_of(ibstat->host, "sys/class/infiniband/%s/%s", device->name, file);
    if (err != EBADMSG)
        ibstat->err = err ? err : ENOENT;
    return false;
}

/* Checks everything the original reads of a device, in its order; false where it would stop. */
static bool device_readable(struct ibstat *ibstat, const struct device *device)
{
    if (strlen(device->name) >= NAME_SIZE) {
        ibstat->err = ENOENT;
        return false;
    }
    if (!device->fw_ver || !device->hw_rev || !device->hca_type)
        ibstat->err = ENOENT;
    if (!guid_readable(ibstat, device->node_guid, device, "node_guid") ||
        !guid_readable(ibstat, device->sys_image_guid, device, "sys_image_guid"))
        return false;
    if (device->ports_err) {
        ibstat->err = device->ports_err;
        return false;
    }
    const struct port **ports = dropin_ports(ibstat->host, device);
    for (size_t i = 0; i < device->nports; i++)
        if (ports[i]->number >= MOST_PORTS || !port_readable(ibstat, ports[i]))
            return false;
    return !has_odd_port(ibstat, device);
}

static uint64_t port_guid(const struct port *port)
{
    const struct gid *gid = port_slot(port, 0);
    uint64_t guid = 0;
    for (int i = 8; gid && i < 16; i++)
        guid = guid << 8 | gid->raw[i];
    return guid;
}

static bool is_fdr10(const char *rate)
{
    const char *end = memchr(rate, ')', strnlen(rate, 31));
    return end && end - rate >= 5 && strncasecmp(end - 5, "fdr10", 5) == 0;
}

static void print_port(const struct ibstat *ibstat, const struct port *port, bool alone)
{
    const char *in = alone ? "" : "\t\t";
    unsigned state = (unsigned)port->state.value, phys_state = (unsigned)port->phys_state.value;
    unsigned rate = (unsigned)strtoul(port->rate_text, NULL, 0);
    printf("%sPort %u:\n", alone ? "" : "\t", port->number);
    printf("%sState: %s\n", in, state < ARRAY_SIZE(states) ? states[state] : "???");
    printf("%sPhysical state: %s\n", in,
           phys_state < ARRAY_SIZE(phys_states) ? phys_states[phys_state] : "???");
    if (is_fdr10(port->rate_text))
        printf("%sRate: %u (FDR10)\n", in, rate);
    else if (rate == 2)
        printf("%sRate: 2.5\n", in);
    else
        printf("%sRate: %u\n", in, rate);
    printf("%sBase lid: %d\n", in, (int)port->lid.value);
    printf("%sLMC: %d\n", in, (int)port->lmc.value);
    printf("%sSM lid: %d\n", in, (int)port->sm_lid.value);
    printf("%sCapability mask: 0x%08x\n", in, (unsigned)port->cap_mask.value);
    printf("%sPort GUID: 0x%016" PRIx64 "\n", in, port_guid(port));
    printf("%sLink layer: %.*s\n", in, NAME_SIZE - 1,
           port->link_layer_text ? dropin_text(ibstat->host, port->link_layer_text) : "IB");
}

/* A version file as it fits in the original's 20 bytes, cut at the last newline only. */
static void print_version(const struct ibstat *ibstat, const char *heading, const char *raw)
{
    char text[VERSION_SIZE];
    snprintf(text, sizeof(text), "%s", raw ? raw : "");
    char *end = strrchr(text, '\n');
    if (end)
        *end = '\0';
    printf("\t%s: %s\n", heading, dropin_text(ibstat->host, text));
}

static void print_device(const struct ibstat *ibstat, const struct device *device)
{
    const char *type = node_types[device->node_type.value];
    printf("%s '%s'\n", type, dropin_text(ibstat->host, device->name));
    printf("\t%s type: %.*s\n", type, TYPE_SIZE - 1, dropin_text(ibstat->host, device->hca_type));
    printf("\tNumber of ports: %u\n", device->nports ? device->ports[device->nports - 1].number : 0);
    print_version(ibstat, "Firmware version", device->fw_ver_raw);
    print_version(ibstat, "Hardware version", device->hw_rev);
    printf("\tNode GUID: 0x%016" PRIx64 "\n", device->node_guid.value);
    printf("\tSystem image GUID: 0x%016" PRIx64 "\n", device->sys_image_guid.value);
}

static bool print_one_port(const struct ibstat *ibstat, const struct device *device)
{
    const char *type = node_types[device->node_type.value];
    const struct port *port = device_port(device, (uint32_t)ibstat->port);
    if (!port) {
        say_raw("ibwarn: [%d] ca_stat: %s: '%s' has no port number %d - max (%u)\n", getpid(), type,
                device->name, ibstat->port, device->nports ? device->ports[device->nports - 1].number : 0);
        return false;
    }
    printf("%s: '%s'\n", type, dropin_text(ibstat->host, device->name));
    print_port(ibstat, port, true);
    return true;
}

static bool show(struct ibstat *ibstat, const struct device *device)
{
    if (ibstat->list) {
        printf("%s\n", dropin_text(ibstat->host, device->name));
        return true;
    }
    if (!device_readable(ibstat, device))
        return false;
    if (!ibstat->brief && ibstat->port >= 0)
        return print_one_port(ibstat, device);
    print_device(ibstat, device);
    for (size_t i = 0; i < device->nports && !ibstat->brief; i++)
        print_port(ibstat, &device->ports[i], false);
    return true;
}

static bool show_port_guids(struct ibstat *ibstat, const struct device *device)
{
    if (!device_readable(ibstat, device))
        return false;
    for (size_t i = 0; i < device->nports; i++)
        if (port_guid(&device->ports[i]))
            printf("0x%016" PRIx64 "\n", port_guid(&device->ports[i]));
    return true;
}

/* Only CAs, switches and routers: no iWARP, no usNIC, no EFA. */
static bool is_listed(const struct device *device)
{
    return device->node_type.known && device->node_type.value >= 1 &&
           device->node_type.value < ARRAY_SIZE(node_types);
}

static int print_all(struct ibstat *ibstat)
{
    const struct device **devices = dropin_devices(ibstat->host, strcmp);
    bool found = false;
    ibstat->err = host_problem_of(ibstat->host, "sys/class/infiniband");
    if (ibstat->err)
        return panic(ibstat, "can't list IB device names");
    for (size_t i = 0; i < ibstat->host->ndevices; i++) {
        const struct device *device = devices[i];
        if (!is_listed(device) || (ibstat->wanted && strcmp(device->name, ibstat->wanted) != 0))
            continue;
        found = true;
        if (ibstat->port_list && !show_port_guids(ibstat, device))
            return panic(ibstat, "can't list ports");
        if (!ibstat->port_list && !show(ibstat, device)) {
            const char *what = arena_printf(ibstat->host->arena, "stat of IB device '%s' failed", device->name);
            return panic(ibstat, what);
        }
    }
    if (!ibstat->wanted || found)
        return 0;
    return panic(ibstat, arena_printf(ibstat->host->arena, "'%s' IB device can't be found", ibstat->wanted));
}

static int usage(const char *name)
{
    say_raw("\nUsage: %s [options] <ca_name> [portnum]\n\n", name);
    say_raw("Options:\n"
            "  --list_of_cas, -l       list all IB devices\n"
            "  --short, -s             short output\n"
            "  --port_list, -p         show port list\n"
            "  --config, -z <config>   use config file, default: /etc/infiniband-diags/ibdiag.conf\n"
            "  --verbose, -v           increase verbosity level\n"
            "  --debug, -d             raise debug level\n"
            "  --help, -h              help message\n"
            "  --version, -V           show version\n");
    say_raw("\nExamples:\n"
            "  %s -l       # list all IB devices\n"
            "  %s mthca0 2 # stat port 2 of 'mthca0'\n\n",
            name, name);
    return USAGE;
}

/* Returns 0 to continue, else the exit status plus 1. */
static int parse(struct ibstat *ibstat, int argc, char **argv)
{
    static const struct option longs[] = {
        { "list_of_cas", no_argument, NULL, 'l' },
        { "short", no_argument, NULL, 's' },
        { "port_list", no_argument, NULL, 'p' },
        { "config", required_argument, NULL, 'z' },
        { "verbose", no_argument, NULL, 'v' },
        { "debug", no_argument, NULL, 'd' },
        { "help", no_argument, NULL, 'h' },
        { "version", no_argument, NULL, 'V' },
        { 0 },
    };
    int code;
    optind = 0;
    opterr = 1; /* libc's own messages, as in the original */
    while ((code = getopt_long(argc, argv, "lspz:vdhV", longs, NULL)) != -1) {
        switch (code) {
        case 'l':
            ibstat->list = true;
            break;
        case 's':
            ibstat->brief = true;
            break;
        case 'p':
            ibstat->port_list = true;
            break;
        case 'z': /* its settings only matter to tools that send datagrams */
        case 'v':
        case 'd':
            break;
        case 'V':
            say_raw("%s BUILD VERSION: 44.0\n", argv[0]);
            return 1;
        default:
            return usage(argv[0]) + 1;
        }
    }
    ibstat->wanted = optind < argc ? argv[optind] : NULL;
    ibstat->port = optind + 1 < argc ? (int)strtol(argv[optind + 1], NULL, 0) : -1;
    return 0;
}

COMMAND(ibstat)
{
    struct ibstat ibstat = { .port = -1 };
    int end = parse(&ibstat, context->args->argc, context->args->argv);
    if (end)
        return end - 1;
    needs_t needs = NEED_GUIDS | NEED_FW | NEED_IDENT | NEED_STATE | NEED_RATE | NEED_IB | NEED_PKEYS |
                    NEED_GID_FIRST;
    if (ibstat.list && !ibstat.port_list)
        needs = 0;
    int r = host_read(context->source, needs, &context->host);
    if (r < 0) {
        ibstat.err = -r;
        return panic(&ibstat, "can't list IB device names");
    }
    ibstat.host = context->host;
    return print_all(&ibstat);
}
