/* SPDX-License-Identifier: MIT */
/* ibv_devinfo of rdma-core 65; on a kernel that tells no more than to 44, but for the usage, its output, too.
 */
#include <getopt.h>

#include "command/context.h"
#include "view/dropin.h"

enum { CANNOT_OPEN = 1, CANNOT_QUERY = 2, FAILED = 255, GO_ON = -1 };

struct wish {
    const char *device; /* NULL for all */
    unsigned port;      /* 0 for all */
    bool list, verbose;
};

static void usage(const char *name)
{
    printf("Usage: %s             print the ca attributes\n\n"
           "Options:\n"
           "  -d, --ib-dev=<dev>     use IB device <dev> (default all devices)\n"
           "  -i, --ib-port=<port>   use port <port> of IB device (default all ports)\n"
           "  -l, --list             print only the IB devices names\n"
           "  -v, --verbose          print all the attributes of the IB device(s)\n",
           name);
}

/* Returns GO_ON, or the exit status. -l ends the parsing, as in the original. */
static int parse(struct wish *wish, int argc, char **argv)
{
    static const struct option longs[] = {
        { "ib-dev", required_argument, NULL, 'd' },
        { "ib-port", required_argument, NULL, 'i' },
        { "list", no_argument, NULL, 'l' },
        { "verbose", no_argument, NULL, 'v' },
        { 0 },
    };
    int code, port;
    optind = 0;
    opterr = 1; /* libc's own messages, as in the original */
    while ((code = getopt_long(argc, argv, "d:i:lv", longs, NULL)) != -1) {
        switch (code) {
        case 'd':
            wish->device = optarg;
            break;
        case 'i':
            port = (int)strtol(optarg, NULL, 0);
            if (port <= 0) {
                usage(argv[0]);
                return 1;
            }
            wish->port = (uint8_t)port; /* the original keeps 8 bits */
            break;
        case 'v':
            wish->verbose = true;
            break;
        case 'l':
            wish->list = true;
            return GO_ON;
        default:
            usage(argv[0]);
            return FAILED;
        }
    }
    return GO_ON;
}

static int print_list(const struct host *host, const struct device **devices)
{
    size_t count = 0;
    while (devices[count])
        count++;
    printf("%zu HCA%s found:\n", count, count == 1 ? "" : "s");
    for (size_t i = 0; i < count; i++)
        printf("\t%s\n", dropin_text(host, devices[i]->name));
    printf("\n");
    return 0;
}

static int print_device(const struct host *host, const struct device *device, const struct wish *wish)
{
    if (device->verbs)
        return devinfo_print(host, device, wish->port, wish->verbose);
    say_raw(device->verbs_opened ? "Failed to query device props\n" : "Failed to open device\n");
    return device->verbs_opened ? CANNOT_QUERY : CANNOT_OPEN;
}

static int print_devices(const struct host *host, const struct wish *wish)
{
    const struct device **devices = dropin_verbs_devices(host);
    int status = 0;
    if (host->system.verbs_err) {
        say_raw("Failed to get IB devices list: %s\n", strerror(host->system.verbs_err));
        return FAILED;
    }
    if (wish->list)
        return print_list(host, devices);
    if (!wish->device && !*devices) {
        say_raw("No IB devices found\n");
        return FAILED;
    }
    bool found = false;
    for (; *devices; devices++) {
        if (wish->device && strcmp((*devices)->name, wish->device) != 0)
            continue;
        found = true;
        status |= print_device(host, *devices, wish);
    }
    if (found)
        return status & 255;
    say_raw("IB device '%s' wasn't found\n", wish->device);
    return FAILED;
}

COMMAND(ibv_devinfo)
{
    struct wish wish = { 0 };
    int status = parse(&wish, context->args->argc, context->args->argv);
    if (status != GO_ON)
        return status;
    source_open_only(context->source, wish.device);
    needs_t needs = wish.list ? NEED_VERBS_LIST : NEED_VERBS | NEED_IDENT;
    int r = host_read(context->source, needs, &context->host);
    if (r < 0) {
        say_raw("Failed to get IB devices list: %s\n", strerror(-r));
        return FAILED;
    }
    status = print_devices(context->host, &wish);
    /* the original knows no recordings: no word of its is lost, or put in between */
    if (source_is_recording(context->source) && status != FAILED && (status & CANNOT_OPEN))
        say_note(
            "the recording has no answers of libibverbs for it: 'roce devices -v' and 'roce ibstat' show what "
            "the kernel says");
    return status;
}
