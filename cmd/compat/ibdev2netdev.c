/* SPDX-License-Identifier: MIT */
/* ibdev2netdev as mlnx-tools last published it (2020), for every vendor: which netdev a port is.
 *
 * For RoCE the script takes the netdev of GID 0, else the first netdev on the same PCI function; that is wrong
 * if slot 0 is empty or a VLAN's, or if several ports share a function; in those cases this uses the kernel's
 * own answer. man/roce-compat.1 lists the differences. */
#include <locale.h>

#include "command/context.h"
#include "view/dropin.h"

enum { FAILED = 255 };

static void usage(const char *argv0)
{
    printf("%s <options>\n", basename(argv0));
    printf("-h, --help                print help message\n");
    printf("-v, --verbose             print more info\n");
}

/* The IPoIB netdev whose hardware address ends in the port GUID. */
static const char *ipoib_of(const struct host *host, const struct port *port)
{
    const struct gid *gid = port_slot(port, 0);
    for (size_t i = 0; gid && i < host->nnetdevs; i++) {
        const struct netdev *netdev = &host->netdevs[i];
        size_t len = netdev->mac ? strlen(netdev->mac) : 0;
        unsigned byte;
        int at = 0;
        if (netdev->kind != NETDEV_IPOIB || len != 20 * 3 - 1)
            continue;
        while (at < 8 && sscanf(netdev->mac + 36 + at * 3, "%2x", &byte) == 1 && byte == gid->raw[8 + at])
            at++;
        if (at == 8)
            return netdev->name;
    }
    return NULL;
}

static bool is_upper(const struct netdev *netdev)
{
    return netdev && (netdev->kind == NETDEV_VLAN || netdev->kind == NETDEV_MACVLAN ||
                      netdev->kind == NETDEV_IPVLAN || netdev->kind == NETDEV_VXLAN);
}

static const char *netdev_of(const struct host *host, const struct port *port)
{
    const char *ipoib = port->link_layer == LINK_LAYER_INFINIBAND ? ipoib_of(host, port) : NULL;
    if (port->link_layer == LINK_LAYER_INFINIBAND)
        return ipoib ? ipoib : port->netdev;
    const struct gid *gid = port_slot(port, 0);
    if (!gid || !gid->netdev)
        return port->netdev;
    const struct netdev *netdev = gid_netdev(host, gid);
    return port->netdev && (!netdev || is_upper(netdev)) ? port->netdev : gid->netdev;
}

/* "" for a netdev that isn't in this network namespace. */
static const char *link_state(const struct host *host, const char *name)
{
    const struct netdev *netdev = host_find_netdev(host, name);
    if (!netdev)
        return "";
    return netdev->carrier == TRI_YES ? "Up" : "Down";
}

/* The n-th run of 4 or more printable bytes, as strings(1) finds them; NULL if there are fewer. */
static const char *vpd_string(const struct host *host, const struct pci *pci, unsigned nth)
{
    size_t start = 0;
    for (size_t i = 0; i <= pci->vpd_len; i++) {
        unsigned char c = i < pci->vpd_len ? (unsigned char)pci->vpd[i] : 0;
        if ((c >= ' ' && c < 0x7f) || c == '\t')
            continue;
        if (i - start >= 4 && nth-- == 0)
            return arena_strndup(host->arena, pci->vpd + start, i - start);
        start = i + 1;
    }
    return NULL;
}

/* The description is the first string, the part number the first word of the fourth (of the last if there are
 * fewer). */
static void describe(const struct host *host, const struct pci *pci, const char **part, const char **text)
{
    if (!pci || pci->vpd_err == ENOENT || (!pci->vpd && !pci->vpd_err)) {
        *part = "NA";
        *text = "";
        return;
    }
    const char *name = NULL, *fourth = NULL;
    for (unsigned n = 0; n < 4 && pci->vpd; n++) {
        const char *string = vpd_string(host, pci, n);
        name = name ? name : string;
        fourth = string ? string : fourth;
    }
    const char *word = fourth ? fourth + strspn(fourth, " \t") : "";
    *part = arena_printf(host->arena, "%-11.*s", (int)strcspn(word, " \t"), word);
    *text = arena_printf(host->arena, "%-15s", name ? name : "");
}

/* The PCI function directly below the device: an SF's auxiliary device has neither ids nor vital product
 * data. */
static const struct pci *function_of(const struct host *host, const struct device *device)
{
    bool direct = device->pci && device->parent && strcmp(device->parent, device->pci) == 0;
    return direct ? device_function(host, device) : NULL;
}

/* The script names a PCI function only if it has a single RDMA device. */
static bool shares_function(const struct host *host, const struct device *device)
{
    size_t count = 0;
    for (size_t i = 0; i < host->ndevices; i++)
        count += host->devices[i].parent && strcmp(host->devices[i].parent, device->parent) == 0;
    return count > 1;
}

static void print_verbose(const struct host *host, const struct port *port, const char *netdev)
{
    const struct device *device = port->device;
    const struct pci *pci = function_of(host, device);
    const char *part, *text, *model = "NA";
    describe(host, pci, &part, &text);
    if (pci && pci->device.known)
        model = arena_printf(host->arena, "MT%" PRIu64, pci->device.value);
    const char *state = port->state.known
                            ? arena_printf(host->arena, "%-6s", dropin_text(host, port->state_text))
                            : "NA";
    printf("%s %s (%s - %s) %s fw %s port %u (%s) ==> %s (%s)\n",
           pci && !shares_function(host, device) ? pci->address : "", dropin_text(host, device->name), model,
           dropin_text(host, part), dropin_text(host, text),
           device->fw_ver ? dropin_text(host, device->fw_ver) : "NA", port->number, state,
           dropin_text(host, netdev), link_state(host, netdev));
}

static void print_all(const struct host *host, bool verbose)
{
    const struct device **devices = dropin_devices(host, strcoll);
    for (size_t d = 0; d < host->ndevices; d++) {
        const struct port **ports = dropin_ports(host, devices[d]);
        for (size_t p = 0; p < devices[d]->nports; p++) {
            const char *netdev = netdev_of(host, ports[p]);
            if (!netdev)
                continue;
            if (verbose)
                print_verbose(host, ports[p], netdev);
            else
                printf("%s port %u ==> %s (%s)\n", dropin_text(host, devices[d]->name), ports[p]->number,
                       dropin_text(host, netdev), link_state(host, netdev));
        }
    }
}

COMMAND(ibdev2netdev)
{
    const struct args *args = context->args;
    const char *option = args->argc > 1 ? args->argv[1] : NULL;
    bool help = option && (strcmp(option, "-h") == 0 || strcmp(option, "--help") == 0);
    bool verbose = option && args->argc == 2 && strcmp(option, "-v") == 0;
    if (help || (option && !verbose)) {
        usage(args->argv[0]);
        return help ? 0 : FAILED;
    }
    needs_t needs = NEED_GIDS | NEED_NETDEV_ALL | NEED_NLDEV | NEED_PCI;
    if (verbose)
        needs |= NEED_FW | NEED_STATE | NEED_VPD;
    if (host_read(context->source, needs, &context->host) < 0)
        return FAILED;
    if (!context->host->system.has_infiniband_class)
        return FAILED;
    setlocale(LC_COLLATE, ""); /* ls sorts by it */
    print_all(context->host, verbose);
    return 0;
}
