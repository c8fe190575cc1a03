/* SPDX-License-Identifier: MIT */
/* Trees as text, graphviz or nested JSON, and the topology tree. */
#include "view/tree.h"

#include "base/glyph.h"
#include "view/gpus.h"
#include "view/json.h"
#include "view/terminal.h"

static struct tree_node *tree_add(struct arena *arena, struct tree_node *parent, const char *kind,
                                  const char *name)
{
    struct tree_node *child = arena_alloc(arena, 1, sizeof(*child));
    child->kind = kind;
    child->name = name;
    *ARENA_PUSH(arena, parent->children, parent->nchildren) = child;
    return child;
}

/* The child of this kind and name, created if missing. */
static struct tree_node *tree_child(struct arena *arena, struct tree_node *parent, const char *kind,
                                    const char *name)
{
    for (size_t i = 0; i < parent->nchildren; i++)
        if (strcmp(parent->children[i]->kind, kind) == 0 && strcmp(parent->children[i]->name, name) == 0)
            return parent->children[i];
    return tree_add(arena, parent, kind, name);
}

void tree_free(struct tree_node *root)
{
    json_decref(root->fields);
    root->fields = NULL;
    for (size_t i = 0; i < root->nchildren; i++)
        tree_free(root->children[i]);
}

struct printing {
    bool color;
    size_t width;
    struct bytes prefix;
};

/* below: the prefix of the lines after the first. */
static void print_node(struct printing *printing, const struct tree_node *node, const char *branch,
                       const char *below)
{
    char *label = text_clean(node->label ? node->label : node->name, TEXT_ONE_LINE);
    char *detail = text_clean(node->detail, TEXT_ONE_LINE);
    const char *prefix = printing->prefix.len ? printing->prefix.data : "";
    size_t used = text_width(prefix) + text_width(branch), len;
    size_t room = printing->width > used ? printing->width - used : 0;
    const char *at = label, *rest;
    printf("%s%s", prefix, branch);
    for (; (len = fold_line(at, room, &rest)), *rest; at = rest)
        printf("%.*s\n%s%s", (int)len, at, prefix, below);
    fputs(at, stdout);
    used += text_width(at) + 1;
    if (detail && *detail && (!printing->width || used < printing->width)) {
        const char *end;
        len = fold_cut(detail, printing->width ? printing->width - used : SIZE_MAX, &end);
        printf(" %s%.*s%s%s", tone_start(node->tone, printing->color), (int)len, detail, end,
               tone_end(node->tone, printing->color));
    }
    puts("");
    free(label);
    free(detail);
}

static void print_children(struct printing *printing, const struct tree_node *node, bool top)
{
    for (size_t i = 0; i < node->nchildren; i++) {
        bool last = i + 1 == node->nchildren;
        const struct tree_node *child = node->children[i];
        size_t len = printing->prefix.len;
        const char *below = top ? "" : last ? "   " : glyph(GLYPH_STEM);
        print_node(printing, child, top ? "" : glyph(last ? GLYPH_LAST_BRANCH : GLYPH_BRANCH), below);
        bytes_printf(&printing->prefix, "%s", below);
        print_children(printing, child, false);
        printing->prefix.len = len;
        if (printing->prefix.data)
            printing->prefix.data[len] = '\0';
    }
}

void tree_print(const struct tree_node *root, bool color, size_t width)
{
    struct printing printing = { .color = color, .width = width };
    print_children(&printing, root, true);
    bytes_free(&printing.prefix);
}

/* Clean text within double quotes. */
static void print_quoted(const char *text)
{
    char *clean = text_clean(text, TEXT_ONE_LINE);
    for (const char *at = clean; at && *at; at++) {
        if (*at == '"' || *at == '\\')
            putchar('\\');
        putchar(*at);
    }
    free(clean);
}

void dot_print_name(const char *name)
{
    putchar('"');
    print_quoted(name ? name : "");
    putchar('"');
}

static void print_dot(const struct tree_node *node, size_t parent, size_t *next)
{
    for (size_t i = 0; i < node->nchildren; i++) {
        const struct tree_node *child = node->children[i];
        size_t own = ++*next;
        printf("  n%zu [label=\"", own);
        print_quoted(child->label ? child->label : child->name);
        if (child->detail && *child->detail) {
            printf("\\n");
            print_quoted(child->detail);
        }
        printf("\"];\n");
        if (parent)
            printf("  n%zu -> n%zu;\n", parent, own);
        print_dot(child, own, next);
    }
}

void tree_print_dot(const struct tree_node *root, const char *title)
{
    size_t next = 0;
    printf("digraph \"");
    print_quoted(title);
    printf("\" {\n  rankdir=LR;\n  node [shape=box, fontname=\"sans-serif\"];\n");
    print_dot(root, 0, &next);
    puts("}");
}

json_t *tree_json(const struct tree_node *root)
{
    json_t *array = json_array();
    for (size_t i = 0; i < root->nchildren; i++) {
        const struct tree_node *child = root->children[i];
        json_t *object = json_object();
        json_put_text(object, "kind", child->kind);
        json_put_text(object, "name", child->name);
        if (child->fields)
            json_object_update(object, child->fields);
        json_object_set_new(object, "children", tree_json(child));
        json_array_append_new(array, object);
    }
    return array;
}

enum { MOST_BRIDGES = 16, MOST_UPPERS = 8 };

/* The node's own keys in JSON. */
static json_t *fields(struct tree_node *node)
{
    if (!node->fields)
        node->fields = json_object();
    return node->fields;
}

/* "16.0 GT/s PCIe x16"; a virtual function and an on-chip device have no link of their own: width 0. */
static void describe_pci_link(struct arena *arena, struct tree_node *node, const struct pci *pci,
                              bool is_function)
{
    if (num_is(pci->link_width, 0))
        return;
    bool narrow = pci->link_width.known && pci->link_width_max.known &&
                  pci->link_width.value < pci->link_width_max.value;
    /* an idle accelerator runs its link slower */
    bool slow = !pci->is_accelerator && pci->link_speed && pci->link_speed_max &&
                strcmp(pci->link_speed, pci->link_speed_max) != 0;
    const char *speed = pci->link_speed ? pci->link_speed : "";
    node->detail = arena_printf(arena, "%s%s%s", node->detail, *node->detail && *speed ? ", " : "", speed);
    if (pci->link_width.known)
        node->detail = arena_printf(arena, "%s x%u", node->detail, (unsigned)pci->link_width.value);
    if (is_function && (narrow || slow)) {
        node->detail = arena_printf(arena, "%s (could be %s x%u)", node->detail,
                                    pci->link_speed_max ? pci->link_speed_max : "?",
                                    (unsigned)pci->link_width_max.value);
        node->tone = TONE_WARN;
    }
}

/* A PCI function or bridge: "0000:17:00.0 MT2910 Family [ConnectX-7], mlx5_core, 16.0 GT/s PCIe x16". */
static void describe_pci(struct arena *arena, struct tree_node *node, const struct pci *pci, bool is_function)
{
    node->detail = arena_printf(arena, "%s%s%s", pci->model ? pci->model : "",
                                pci->model && pci->driver ? ", " : "", pci->driver ? pci->driver : "");
    if (pci->physfn)
        node->detail = arena_printf(arena, "%s%svirtual function of %s", node->detail,
                                    *node->detail ? ", " : "", pci->physfn);
    describe_pci_link(arena, node, pci, is_function);
    json_put_text(fields(node), "model", pci->model);
    json_put_text(fields(node), "driver", pci->driver);
    json_put_text(fields(node), "link_speed", pci->link_speed);
    json_put_num(fields(node), "link_width", pci->link_width);
    json_put_text(fields(node), "link_speed_max", pci->link_speed_max);
    json_put_num(fields(node), "link_width_max", pci->link_width_max);
    json_put_text(fields(node), "physfn", pci->physfn);
}

/* NUMA node → root → bridges → function; the function's node. */
static struct tree_node *place_function(struct host *host, struct tree_node *top, const struct pci *pci)
{
    struct arena *arena = host->arena;
    bool has_numa = pci->numa_node.known && pci->numa_node.value >= 0;
    const char *numa = has_numa ? arena_printf(arena, "NUMA node %d", (int)pci->numa_node.value)
                                : "no NUMA node";
    struct tree_node *node = tree_child(arena, top, "numa", numa);
    json_put_num(fields(node), "numa_node", num_if(has_numa, (uint64_t)pci->numa_node.value));
    node->detail = pci->local_cpus ? arena_printf(arena, "CPUs %s", pci->local_cpus) : NULL;
    if (pci->root)
        node = tree_child(arena, node, "root", pci->root);
    const struct pci *chain[MOST_BRIDGES];
    size_t depth = 0;
    for (const struct pci *at = pci; at && depth < MOST_BRIDGES;
         at = at->upstream ? host_find_pci(host, at->upstream) : NULL)
        chain[depth++] = at;
    while (depth--) {
        node = tree_child(arena, node, depth ? "bridge" : "pci", chain[depth]->address);
        describe_pci(arena, node, chain[depth], depth == 0);
    }
    return node;
}

static struct tree_node *place(struct host *host, struct tree_node *top, const struct device *device)
{
    const struct pci *pci = device_function(host, device);
    return pci ? place_function(host, top, pci) : tree_child(host->arena, top, "software", "no PCI device");
}

/* Does it share links with the devices: an accelerator, or a drive below one of their bridges? */
static bool shares_root(const struct host *host, const struct selection *selection, const struct pci *pci)
{
    for (size_t d = 0; d < host->ndevices; d++) {
        const struct pci *other = selection_has_device(selection, &host->devices[d])
                                      ? host_find_pci(host, host->devices[d].pci)
                                      : NULL;
        if (other && pci_distance(host, pci, other) <= DISTANCE_PXB)
            return true;
    }
    return false;
}

static void add_peers(struct host *host, const struct selection *selection, struct tree_node *top)
{
    for (size_t i = 0; i < host->npcis; i++) {
        const struct pci *pci = &host->pcis[i];
        bool near = (pci->is_accelerator || pci->is_nvme) && shares_root(host, selection, pci);
        if (!near && !(pci->is_accelerator && !selection->some))
            continue;
        struct tree_node *node = place_function(host, top, pci);
        node->kind = pci->is_accelerator ? "accelerator" : "nvme";
        const char *vendor = pci->is_accelerator ? accelerator_vendor(pci) : "NVMe";
        if (vendor && !text_starts(pci->model, vendor)) /* drive names start with it */
            node->detail = arena_printf(host->arena, "%s%s%s", vendor, *node->detail ? " " : "", node->detail);
    }
}

static void add_gid(struct arena *arena, struct tree_node *parent, const struct port *port,
                    const struct gid *gid)
{
    bool is_address = port->transport != TRANSPORT_IWARP; /* there it is the MAC */
    char address[GID_ADDRESS_SIZE], text[GID_TEXT_SIZE];
    gid_address(gid->raw, address);
    gid_format(gid->raw, text);
    const char *type = gid_kind(gid);
    struct tree_node *node = tree_add(arena, parent, "gid", arena_printf(arena, "%u", gid->index));
    node->label = arena_printf(arena, "GID %u %s", gid->index, is_address ? address : text);
    node->detail = type;
    json_put_unsigned(fields(node), "index", gid->index);
    json_put_text(fields(node), "gid", text);
    json_put_text(fields(node), "type", type);
    json_put_text(fields(node), "address", is_address ? address : NULL);
}

static void describe_netdev(struct arena *arena, struct tree_node *node, const struct netdev *netdev)
{
    struct bytes text = { 0 };
    if (netdev->kind_text && netdev->kind != NETDEV_PHYSICAL)
        bytes_printf(&text, "%s ", netdev->kind_text);
    if (netdev->vlan_id.known)
        bytes_printf(&text, "%u ", (unsigned)netdev->vlan_id.value);
    if (netdev->bond && netdev->bond->mode_text)
        bytes_printf(&text, "%s ", netdev->bond->mode_text);
    for (size_t i = 0; i < netdev->nmembers; i++)
        bytes_printf(&text, "%s%s", i ? "," : "of ", netdev->members[i]);
    bytes_printf(&text, "%s%s", netdev->nmembers ? " " : "", netdev->operstate ? netdev->operstate : "");
    if (netdev->mtu.known)
        bytes_printf(&text, ", MTU %u", (unsigned)netdev->mtu.value);
    json_t *addresses = json_array(), *members = json_array();
    for (size_t i = 0; i < netdev->nmembers; i++)
        json_array_append_new(members, json_text(netdev->members[i]));
    for (size_t i = 0; i < netdev->naddresses; i++) {
        char address[64];
        address_format(&netdev->addresses[i], address);
        bytes_printf(&text, ", %s", address);
        json_array_append_new(addresses, json_text(address));
    }
    node->detail = arena_take(arena, text.data);
    bool up = netdev->operstate && strcmp(netdev->operstate, "up") == 0;
    node->tone = up ? TONE_PLAIN : TONE_WARN;
    json_put_text(fields(node), "netdev_kind", netdev->kind_text);
    json_put_text(fields(node), "state", netdev->operstate);
    json_put_num(fields(node), "mtu", netdev->mtu);
    json_put_num(fields(node), "vlan_id", netdev->vlan_id);
    json_put_text(fields(node), "bond_mode", netdev->bond ? netdev->bond->mode_text : NULL);
    json_object_set_new(fields(node), "members", members);
    json_object_set_new(fields(node), "addresses", addresses);
}

/* The other end of its cable. */
static void add_neighbors(struct host *host, struct tree_node *parent, const struct netdev *netdev)
{
    struct arena *arena = host->arena;
    for (size_t i = 0; i < netdev->lldp.count; i++) {
        const struct lldp_neighbor *neighbor = &netdev->lldp.neighbors[i];
        struct tree_node *node = tree_add(arena, parent, "neighbor", lldp_text(arena, neighbor));
        node->label = arena_printf(arena, "%s %s", glyph(GLYPH_BOTH_WAYS), node->name);
        node->detail = !neighbor->age_s.known
                           ? "by LLDP"
                           : arena_printf(arena, "by LLDP, %" PRIu64 " s ago", neighbor->age_s.value);
        json_put_text(fields(node), "switch", lldp_system_name(neighbor));
        json_put_text(fields(node), "switch_port", lldp_port_name(neighbor));
        json_put_text(fields(node), "switch_chassis", neighbor->chassis);
    }
}

/* The netdev, what is on top of it, each once, and the GIDs of each. Marks the netdevs, by index, and the GIDs
 * that were placed. */
static void add_netdev(struct host *host, struct tree_node *parent, const struct netdev *netdev,
                       const struct port *port, bool *met, bool *shown, int depth)
{
    if (met[netdev - host->netdevs])
        return;
    met[netdev - host->netdevs] = true;
    struct tree_node *node = tree_add(host->arena, parent, "netdev", netdev->name);
    describe_netdev(host->arena, node, netdev);
    add_neighbors(host, node, netdev);
    for (size_t i = 0; i < port->ngids; i++) {
        const struct gid *gid = &port->gids[i];
        if (shown[i] || gid_netdev(host, gid) != netdev)
            continue;
        add_gid(host->arena, node, port, gid);
        shown[i] = true;
    }
    for (size_t i = 0; depth < MOST_UPPERS && i < netdev->nuppers; i++)
        add_netdev(host, node, netdev->uppers[i], port, met, shown, depth + 1);
}

/* A GID whose netdev isn't visible here goes under that netdev's name, or under the port if the port's own
 * netdev has the same name. */
static void add_foreign_gid(const struct host *host, struct tree_node *parent, const struct port *port,
                            const struct gid *gid)
{
    struct tree_node *node = parent;
    const struct netdev *own = port_netdev(host, port);
    if (gid->netdev && !gid_netdev(host, gid) && !(own && strcmp(own->name, gid->netdev) == 0)) {
        node = tree_child(host->arena, parent, "netdev", gid->netdev);
        node->detail = host->nnetdevs ? "not in this network namespace" : NULL;
        node->tone = TONE_WARN;
    }
    add_gid(host->arena, node, port, gid);
}

static void add_port(struct host *host, struct tree_node *parent, const struct port *port)
{
    struct arena *arena = host->arena;
    struct tree_node *node = tree_add(arena, parent, "port", arena_printf(arena, "%u", port->number));
    node->label = arena_printf(arena, "port %u", port->number);
    const char *rate = value_in_words(arena, value_num_as(VALUE_MBPS, port->rate_mbps));
    node->detail = arena_printf(arena, "%s%s%s", port->state_text ? port->state_text : "",
                                port->rate_mbps.known ? " " : "", port->rate_mbps.known ? rate : "");
    node->tone = num_is(port->state, PORT_STATE_ACTIVE) ? TONE_GOOD : TONE_BAD;
    json_put_unsigned(fields(node), "port", port->number);
    json_put_text(fields(node), "state", port->state_text);
    json_put_num(fields(node), "rate_mbps", port->rate_mbps);
    bool *shown = arena_alloc(arena, port->ngids, sizeof(*shown));
    const struct netdev *netdev = port_netdev(host, port);
    bool *met = mem_alloc(host->nnetdevs + 1, sizeof(*met));
    if (netdev)
        add_netdev(host, node, netdev, port, met, shown, 0);
    free(met);
    for (size_t i = 0; i < port->ngids; i++)
        if (!shown[i])
            add_foreign_gid(host, node, port, &port->gids[i]);
}

static void add_device(struct host *host, const struct selection *selection, struct tree_node *top,
                       const struct device *device)
{
    struct tree_node *node = tree_child(host->arena, place(host, top, device), "device", device->name);
    const char *transport = transport_text(device->transport);
    bool has_fw = device->fw_ver && *device->fw_ver;
    node->detail = arena_printf(host->arena, "%s%s%s%s", transport ? transport : "",
                                transport && has_fw ? ", " : "", has_fw ? "firmware " : "",
                                has_fw ? device->fw_ver : "");
    json_put_text(fields(node), "transport", transport);
    json_put_text(fields(node), "fw_ver", device->fw_ver);
    for (size_t p = 0; p < device->nports; p++)
        if (selection_has_port(selection, &device->ports[p]))
            add_port(host, node, &device->ports[p]);
}

void topo_make(struct host *host, const struct selection *selection, struct tree_node *root)
{
    for (size_t d = 0; d < host->ndevices; d++)
        if (selection_has_device(selection, &host->devices[d]))
            add_device(host, selection, root, &host->devices[d]);
    add_peers(host, selection, root);
}
