/* SPDX-License-Identifier: MIT */
/* cma_roce_mode of mlnx-tools: RDMA_CM's default RoCE version for one port. */
#include <getopt.h>
#include <langinfo.h>
#include <locale.h>

#include "cma.h"
#include "source/files/files.h"
#include "view/dropin.h"

enum { FAILED = 1, GO_ON = -1 };

struct wish {
    const char *device, *port, *value; /* value is NULL to show it only */
};

/* Returns GO_ON, or the exit status. Bash's getopts complains and continues. */
static int parse(const struct cma_tool *tool, int argc, char **argv, struct wish *wish)
{
    char letters[16];
    int code;
    snprintf(letters, sizeof(letters), "+:hd:p:%c:", tool->letter);
    optind = 0;
    opterr = 0;
    while ((code = getopt(argc, argv, letters)) != -1) {
        if (code == 'h') {
            printf("%s\n", tool->help);
            return 0;
        }
        if (code == 'd')
            wish->device = optarg;
        else if (code == 'p')
            wish->port = optarg;
        else if (code == tool->letter)
            wish->value = optarg;
        else
            say_raw("%s: %s -- %c\n", argv[0], code == ':' ? "option requires an argument" : "illegal option",
                    optopt);
    }
    return GO_ON;
}

/* Why configfs didn't show a device at all; 0 if it did. */
static int device_err(const struct device *device)
{
    for (size_t i = 0; i < device->nports; i++)
        if (device->ports[i].cm_err)
            return device->ports[i].cm_err;
    return 0;
}

/* A recording may contain configfs for some devices only: then it was there. */
static bool has_no_configfs(const struct host *host)
{
    bool absent = host->ndevices == 0; /* nothing to ask for; rdma_cm is of no use here */
    for (size_t d = 0; d < host->ndevices; d++) {
        for (size_t p = 0; p < host->devices[d].nports; p++)
            if (host->devices[d].ports[p].cm_mode.known)
                return false;
        absent |= device_err(&host->devices[d]) == ENOENT;
    }
    return absent;
}

/* NULL after printing the scripts' own messages, which go to standard output. */
static const struct port *open_port(const struct host *host, const struct wish *wish)
{
    const struct device *device = host_find_device(host, wish->device);
    if (has_no_configfs(host)) {
        printf("Module rdma_cm is not loaded or does not support configfs\n");
        return NULL;
    }
    int err = device ? device_err(device) : ENODEV;
    if (err) {
        setlocale(LC_CTYPE, "");
        bool utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0; /* mkdir's quotes */
        say_raw("mkdir: cannot create directory %s%s%s: %s\n", utf8 ? "\u2018" : "'", wish->device,
                utf8 ? "\u2019" : "'", strerror(err));
        printf("Failed to create configuration for %s\n", dropin_text(host, wish->device));
        return NULL;
    }
    const struct port *port = device_port_named(device, wish->port);
    if (!port || !port->cm_mode.known) {
        printf("Device %s port %s does not exist\n", dropin_text(host, wish->device),
               dropin_text(host, wish->port));
        return NULL;
    }
    return port;
}

static int read_host(struct context *context)
{
    host_free(context->host);
    context->host = NULL;
    return host_read(context->source, NEED_MODE, &context->host);
}

static int change(struct context *context, const struct cma_tool *tool, const struct port *port,
                  const char *text)
{
    const char *name = context->args->argv[0];
    int64_t value;
    if (text_to_i64(text, 10, &value) < 0) {
        say_raw("%s: [: %s: integer expression expected\n", name, text);
        return 0;
    }
    int r = tool->set(context->source, port, (long)value);
    if (r < 0) {
        say_raw("%s: echo: write error: %s\n", name, strerror(-r));
        return FAILED;
    }
    return r == 1 && read_host(context) < 0 ? FAILED : 0;
}

int cma_run(struct context *context, const struct cma_tool *tool)
{
    struct wish wish = { .device = "mlx5_0", .port = "1" };
    int status = parse(tool, context->args->argc, context->args->argv, &wish);
    if (status != GO_ON)
        return status;
    if (geteuid() != 0 && !source_is_recording(context->source)) {
        printf("You must be root to run this\n");
        return FAILED;
    }
    if (read_host(context) < 0)
        return FAILED;
    const struct port *port = open_port(context->host, &wish);
    if (!port)
        return FAILED;
    status = wish.value ? change(context, tool, port, wish.value) : 0;
    port = context->host ? open_port(context->host, &wish) : NULL;
    const char *text = port ? tool->text(context->host, port) : NULL;
    if (!text)
        return FAILED;
    printf("%s\n", text);
    return status;
}

static const char *text(const struct host *host, const struct port *port)
{
    (void)host;
    return gid_type_text((enum gid_type)port->cm_mode.value);
}

static int set(struct source *source, const struct port *port, long value)
{
    if (value != 1 && value != 2)
        return 0;
    int r = configfs_set_mode(source, port->device->name, port->number,
                              value == 1 ? GID_TYPE_IB_ROCE_V1 : GID_TYPE_ROCE_V2);
    return r < 0 ? r : 1;
}

COMMAND(cma_roce_mode)
{
    static const struct cma_tool tool = {
        .letter = 'm',
        .help = "Set/Show RoCE default mode of RDMA_CM applications\n\n"
                "Usage:\n"
                "\tcma_roce_mode OPTIONS\n"
                "Options:\n"
                "\t-h              show this help\n"
                "\t-d <dev>        use IB device <dev> (default mlx5_0)\n"
                "\t-p <port>       use port <port> of IB device (default 1)\n"
                "\t-m <roce_mode>  set RoCE mode of RDMA_CM applications (1 or 2)",
        .set = set,
        .text = text,
    };
    return cma_run(context, &tool);
}
