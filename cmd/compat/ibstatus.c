/* SPDX-License-Identifier: MIT */
/* ibstatus of infiniband-diags 44, a shell script: all of its messages go to standard output. */
#include "command/context.h"
#include "view/dropin.h"

enum { FAILED = 255 };

static int usage(const char *argv0)
{
    const char *name = basename(argv0);
    printf("Usage:  %s  [-h] [devname[:portnum]]\n", name);
    printf("\t-h:\tthis help screen\n");
    printf("\tExamples:\n");
    printf("\t\t%s mthca1\t\t# shows status of all ports of 'mthca1'\n", name);
    printf("\t\t%s mthca0:2\t# shows status port number 2 of 'mthca0'\n", name);
    printf("\t\t%s\t\t# default: shows status of all 'mthca0' ports\n", name);
    return FAILED;
}

/* A line of the status; value is NULL if reading the file failed with err. If its mode allows reading but that
 * fails (a rate without a module), cat complains. */
static void print_line(const struct host *host, const char *heading, const char *value, int err,
                       const char *path, const char *fallback)
{
    if (!value && err != ENOENT && err != EACCES)
        say_raw("cat: /%s: %s\n", path, strerror(err));
    if (value && !*value)
        printf("\t%s\n", heading);
    else
        printf("\t%s %s\n", heading, value ? dropin_text(host, value) : fallback);
}

static const char *state_line(const struct host *host, struct num state, const char *text)
{
    return state.known ? arena_printf(host->arena, "%" PRIu64 ": %s", state.value, text ? text : "") : NULL;
}

static const char *lid_text(const struct host *host, struct num lid)
{
    return lid.known ? arena_printf(host->arena, "0x%" PRIx64, lid.value) : NULL;
}

static const char *first_gid(const struct host *host, const struct port *port)
{
    static const uint8_t none[16];
    char text[GID_TEXT_SIZE];
    if (port->gid0_err)
        return NULL;
    const struct gid *gid = port_slot(port, 0);
    gid_format(gid ? gid->raw : none, text);
    return arena_strdup(host->arena, text);
}

struct line {
    const char *heading, *file, *value;
    int err; /* 0 to look among the problems */
};

static void print_port(const struct host *host, const char *device, const char *number, const struct port *port)
{
    static const struct port absent = { .gid0_err = ENOENT, .rate_err = ENOENT };
    const struct port *p = port ? port : &absent;
    const struct line lines[] = {
        { "default gid:\t", "gids/0", first_gid(host, p), p->gid0_err },
        { "base lid:\t", "lid", lid_text(host, p->lid), 0 },
        { "sm lid:\t\t", "sm_lid", lid_text(host, p->sm_lid), 0 },
        { "state:\t\t", "state", state_line(host, p->state, p->state_text), 0 },
        { "phys state:\t", "phys_state", state_line(host, p->phys_state, p->phys_state_text), 0 },
        { "rate:\t\t", "rate", p->rate_text, p->rate_err },
        { "link_layer:\t", "link_layer", p->link_layer_text, 0 },
    };
    printf("Infiniband device '%s' port %s status:\n", dropin_text(host, device), dropin_text(host, number));
    for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
        const struct line *line = &lines[i];
        const char *path = arena_printf(host->arena, "sys/class/infiniband/%s/ports/%s/%s", device, number,
                                        line->file);
        int err = line->err ? line->err : host_problem_of(host, "%s", path);
        print_line(host, line->heading, line->value, err ? err : ENOENT, path,
                   strcmp(line->file, "link_layer") == 0 ? "IB" : "unknown");
    }
    printf("\n");
}

/* If number is NULL, every port. */
static bool print_device(const struct host *host, const char *name, const char *number)
{
    const struct device *device = host_find_device(host, name);
    if (!device || device->ports_err) {
        printf("Fatal error:  device '%s': sys files not found (/sys/class/infiniband/%s/ports)\n",
               dropin_text(host, name), dropin_text(host, name));
        return false;
    }
    if (number) {
        if (*number)
            print_port(host, name, number, device_port_named(device, number));
        return true;
    }
    const struct port **ports = dropin_ports(host, device);
    for (size_t i = 0; i < device->nports; i++)
        print_port(host, name, arena_printf(host->arena, "%u", ports[i]->number), ports[i]);
    return true;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Every entry of the class directory, even dangling links: the original stops at one of those. */
static int print_all(const struct host *host)
{
    static const char class[] = "sys/class/infiniband/";
    const char **names = arena_alloc(host->arena, host->ndevices + host->nproblems + 1, sizeof(*names));
    size_t count = 0;
    for (size_t i = 0; i < host->ndevices; i++)
        names[count++] = host->devices[i].name;
    for (size_t i = 0; i < host->nproblems; i++) {
        const char *what = host->problems[i].what;
        if (text_starts(what, class) && !strchr(what + strlen(class), '/'))
            names[count++] = what + strlen(class);
    }
    qsort(names, count, sizeof(*names), by_text);
    if (!host->system.has_infiniband_class) {
        printf("Fatal error:  No devices\n");
        return FAILED;
    }
    if (count == 0)
        return print_device(host, "*", NULL) ? 0 : FAILED;
    for (size_t i = 0; i < count; i++)
        if (!print_device(host, names[i], NULL))
            return FAILED;
    return 0;
}

COMMAND(ibstatus)
{
    char **argv = context->args->argv;
    const struct host *host = context->host;
    if (context->args->argc > 1 && strcmp(argv[1], "-h") == 0)
        return usage(argv[0]);
    if (context->args->argc < 2 || !*argv[1])
        return print_all(host);
    for (int i = 1; i < context->args->argc && *argv[i]; i++) {
        const char *device = arena_strndup(host->arena, argv[i], strcspn(argv[i], ":"));
        const char *colon = strrchr(argv[i], ':');
        const char *port = colon && strcmp(colon + 1, device) != 0 ? colon + 1 : NULL;
        if (!*device) { /* as the script's words shift: the port becomes the device */
            device = port ? port : "+";
            port = "";
        }
        if (!print_device(host, device, port))
            return FAILED;
    }
    return 0;
}
