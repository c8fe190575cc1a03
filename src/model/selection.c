/* SPDX-License-Identifier: MIT */
/* The ports that a user names. */
#include "model/selection.h"

#include "model/topology.h"

static void add_part(struct selection *selection, const struct host *host, struct selected_part part)
{
    *ARENA_PUSH(host->arena, selection->parts, selection->nparts) = part;
}

static void add_port(struct selection *selection, const struct host *host, const struct port *port)
{
    add_part(selection, host, (struct selected_part){ .port = port });
}

static void add_device(struct selection *selection, const struct host *host, const struct device *device)
{
    *ARENA_PUSH(host->arena, selection->devices, selection->ndevices) = device;
    for (size_t i = 0; i < device->nports; i++)
        add_port(selection, host, &device->ports[i]);
}

/* Is the netdev the port's, or on top of it, or a member of its bond? */
static bool is_related(const struct host *host, const struct port *port, const struct netdev *netdev)
{
    const struct netdev *own = port_netdev(host, port);
    return netdev && own && (netdev_is_above(host, netdev, own) || netdev_is_above(host, own, netdev));
}

static bool has_gids_of(const struct port *port, const char *netdev)
{
    bool has = false;
    for (size_t g = 0; g < port->ngids && !has; g++)
        has = text_is(port->gids[g].netdev, netdev);
    return has;
}

static void add_by_netdev(struct selection *selection, const struct host *host, const char *name)
{
    const struct netdev *netdev = host_find_netdev(host, name);
    for (const struct port *port = NULL; (port = host_next_port(host, port));) {
        if (text_is(port->netdev, name))
            add_port(selection, host, port);
        else if (has_gids_of(port, name))
            add_part(selection, host, (struct selected_part){ .port = port, .netdev = name });
        else if (is_related(host, port, netdev))
            add_port(selection, host, port);
    }
}

/* As sysfs writes it, "a088:c203:00e3:142a", or as ibv_devices does, perhaps after 0x. */
static bool is_guid(struct num guid, const char *text)
{
    uint64_t value;
    bool is = guid_parse(text, &value) == 0 || (strlen(text) >= 16 && text_to_u64(text, 16, &value) == 0);
    return is && guid.known && value == guid.value;
}

/* By its PCI address (without its domain when that is 0), its GUID, or "uverbs0". */
static void add_by_hardware(struct selection *selection, const struct host *host, const char *name)
{
    for (size_t d = 0; d < host->ndevices; d++) {
        const struct device *device = &host->devices[d];
        if (pci_is_called(device->pci, name) || text_is(device->uverbs.name, name) ||
            is_guid(device->node_guid, name))
            add_device(selection, host, device);
    }
}

static void add_by_mac(struct selection *selection, const struct host *host, const char *mac)
{
    for (size_t n = 0; n < host->nnetdevs && mac[0]; n++)
        if (host->netdevs[n].mac && strcasecmp(host->netdevs[n].mac, mac) == 0)
            add_by_netdev(selection, host, host->netdevs[n].name);
}

/* The ports that have a GID of the address; else, as on iWARP, those whose netdev has the address. */
static void add_by_address(struct selection *selection, const struct host *host, const char *text)
{
    size_t before = selection->nparts;
    uint8_t *raw = arena_alloc(host->arena, 1, 16);
    if (!gid_of_text(text, raw))
        return;
    for (const struct port *port = NULL; (port = host_next_port(host, port));)
        if (port_next_gid(port, raw, NULL))
            add_part(selection, host, (struct selected_part){ .port = port, .address = raw });
    for (size_t n = 0; n < host->nnetdevs && selection->nparts == before; n++)
        if (netdev_has_address(&host->netdevs[n], raw))
            add_by_netdev(selection, host, host->netdevs[n].name);
}

static void add_by_pattern(struct selection *selection, const struct host *host, const char *pattern)
{
    size_t before = selection->ndevices;
    if (!text_is_pattern(pattern))
        return;
    for (size_t d = 0; d < host->ndevices; d++)
        if (text_matches(pattern, host->devices[d].name))
            add_device(selection, host, &host->devices[d]);
    bool any_device = selection->ndevices > before;
    for (size_t n = 0; n < host->nnetdevs && !any_device; n++)
        if (text_matches(pattern, host->netdevs[n].name))
            add_by_netdev(selection, host, host->netdevs[n].name);
}

static const char *name_at(size_t i, const void *data)
{
    const struct host *host = data;
    return i < host->ndevices ? host->devices[i].name : host->netdevs[i - host->ndevices].name;
}

static int no_such(const struct host *host, const char *name, struct selection_error *error)
{
    *error = (struct selection_error){
        .name = name, .nearest = text_nearest(name, host->ndevices + host->nnetdevs, name_at, host)
    };
    return -ENODEV;
}

/* "DEVICE/PORT", or "DEVICE:PORT", which others write; separator points to the "/" or ":". */
static int add_device_port(struct selection *selection, const struct host *host, const char *operand,
                           const char *separator, struct selection_error *error)
{
    const char *name = arena_strndup(host->arena, operand, (size_t)(separator - operand));
    uint64_t number;
    bool is_number = text_to_u64(separator + 1, 10, &number) == 0 && number <= UINT32_MAX;
    const struct device *first = NULL;
    size_t before = selection->nparts;
    for (size_t d = 0; d < host->ndevices; d++) {
        const struct device *device = &host->devices[d];
        if (!text_matches(name, device->name))
            continue;
        const struct port *port = is_number ? device_port(device, (uint32_t)number) : NULL;
        first = first ? first : device;
        if (port)
            add_port(selection, host, port);
    }
    if (!first)
        return no_such(host, name, error);
    if (selection->nparts > before)
        return 0;
    *error = (struct selection_error){ .name = first->name, .device = first, .port = separator + 1 };
    return -ENODEV;
}

/* By the first of these that finds any; false: none does. */
static bool add_somehow(struct selection *selection, const struct host *host, const char *name)
{
    static void (*const ways[])(struct selection *, const struct host *,
                                const char *) = { add_by_netdev, add_by_hardware, add_by_mac, add_by_address,
                                                  add_by_pattern };
    size_t before = selection->nparts + selection->ndevices;
    for (size_t i = 0; i < ARRAY_SIZE(ways) && selection->nparts + selection->ndevices == before; i++)
        ways[i](selection, host, name);
    return selection->nparts + selection->ndevices > before;
}

static int add_operand(struct selection *selection, const struct host *host, const char *operand,
                       struct selection_error *error)
{
    const struct device *device = host_find_device(host, operand);
    if (device) {
        add_device(selection, host, device);
        return 0;
    }
    const char *separator = strrchr(operand, '/');
    if (separator)
        return add_device_port(selection, host, operand, separator, error);
    if (add_somehow(selection, host, operand))
        return 0;
    separator = strrchr(operand, ':');
    bool one = separator && strchr(operand, ':') == separator;
    return one ? add_device_port(selection, host, operand, separator, error) : no_such(host, operand, error);
}

/* The first name of "a,b"; moves *list to the next one's, NULL behind the last. Within brackets a comma is a
 * pattern's. */
static const char *take_name(struct arena *arena, const char **list)
{
    const char *name = *list;
    size_t len = 0;
    for (bool inside = false; name[len] && (inside || name[len] != ','); len++)
        inside = name[len] == '[' || (inside && name[len] != ']');
    *list = name[len] ? name + len + 1 : NULL;
    return arena_strndup(arena, name, len);
}

static bool is_exclusion(const char *operand)
{
    return *operand == '!';
}

needs_t selection_needs(char *const *operands, size_t count)
{
    needs_t needs = 0;
    for (size_t i = 0; i < count; i++) {
        uint8_t raw[16];
        const char *name = operands[i] + is_exclusion(operands[i]);
        needs |= NEED_NETDEV | NEED_GID_SUMMARY;
        if (gid_of_text(name, raw))
            needs |= NEED_GIDS | NEED_ADDRESSES;
        else if (strchr(name, ':') || strlen(name) >= 16)
            needs |= NEED_PCI | NEED_GUIDS;
        else if (text_starts(name, "uverbs"))
            needs |= NEED_NODES;
        if (strchr(name, ','))
            needs |= NEED_GIDS | NEED_ADDRESSES | NEED_PCI;
    }
    return needs;
}

/* Removes the ports that excluded names. If it names only a GID, the port stays. */
static void exclude(struct selection *selection, const struct selection *excluded)
{
    size_t kept = 0;
    for (size_t i = 0; i < selection->nparts; i++) {
        bool out = false;
        for (size_t k = 0; k < excluded->nparts && !out; k++)
            out = excluded->parts[k].port == selection->parts[i].port && !excluded->parts[k].netdev &&
                  !excluded->parts[k].address;
        if (!out)
            selection->parts[kept++] = selection->parts[i];
    }
    selection->nparts = kept;
    kept = 0;
    for (size_t i = 0; i < selection->ndevices; i++) {
        bool out = false;
        for (size_t k = 0; k < excluded->ndevices && !out; k++)
            out = excluded->devices[k] == selection->devices[i];
        if (!out)
            selection->devices[kept++] = selection->devices[i];
    }
    selection->ndevices = kept;
}

int selection_make(struct selection *selection, const struct host *host, char *const *operands, size_t count,
                   struct selection_error *error)
{
    struct selection excluded = { .some = true };
    struct selection_error nobody;
    size_t wanted = 0;
    *selection = (struct selection){ .some = count > 0 };
    for (size_t i = 0; i < count; i++) {
        const char *list = operands[i];
        for (bool all = is_exclusion(list); list;) {
            const char *name = take_name(host->arena, &list);
            if (all || is_exclusion(name)) {
                add_operand(&excluded, host, name + is_exclusion(name), &nobody);
                continue;
            }
            int r = add_operand(selection, host, name, error);
            if (r < 0)
                return r;
            wanted++;
        }
    }
    for (size_t d = 0; d < host->ndevices && count && !wanted; d++)
        add_device(selection, host, &host->devices[d]);
    exclude(selection, &excluded);
    return 0;
}

bool selection_has_gid(const struct selection *selection, const struct port *port, const struct gid *gid)
{
    bool has = !selection->some;
    for (size_t i = 0; i < selection->nparts && !has; i++) {
        const struct selected_part *part = &selection->parts[i];
        if (part->port == port)
            has = part->netdev    ? text_is(gid->netdev, part->netdev)
                  : part->address ? memcmp(gid->raw, part->address, sizeof(gid->raw)) == 0
                                  : true;
    }
    return has;
}

bool selection_has_port(const struct selection *selection, const struct port *port)
{
    bool has = !selection->some;
    for (size_t i = 0; i < selection->nparts && !has; i++)
        has = selection->parts[i].port == port;
    return has;
}

bool selection_has_device(const struct selection *selection, const struct device *device)
{
    bool has = !selection->some;
    for (size_t i = 0; i < selection->ndevices && !has; i++)
        has = selection->devices[i] == device;
    for (size_t i = 0; i < device->nports && !has; i++)
        has = selection_has_port(selection, &device->ports[i]);
    return has;
}

struct search {
    const struct host *host;
    struct arena *arena;
    struct mention *found;
    size_t count;
};

static bool is_word(char c)
{
    return text_is_word_char(c) || c == '-' || c == '.';
}

static bool is_address(char c)
{
    return isxdigit((unsigned char)c) || c == ':' || c == '.';
}

static bool is_same(const struct mention *a, const struct device *device, const struct port *port,
                    const char *text)
{
    return device ? a->device == device && (a->port == port || !port)
                  : !a->device && strcmp(a->text, text) == 0;
}

static void add(struct search *search, const char *text, size_t len, const struct device *device,
                const struct port *port, const struct gid *gid)
{
    char *copy = arena_strndup(search->arena, text, len);
    for (size_t i = 0; i < search->count; i++)
        if (is_same(&search->found[i], device, port, copy)) {
            if (gid)
                search->found[i].gid = gid;
            return;
        }
    if (search->count < MENTIONS_MOST)
        search->found[search->count++] = (struct mention){ copy, device, port, gid };
}

/* The port given by ":1" or "/1" after the name, which *used then includes; else the only port. */
static const struct port *find_port(const struct device *device, const char *word, const char *end,
                                    size_t *used)
{
    uint32_t number = 0;
    const char *at = word + *used;
    if (end - at >= 2 && (*at == ':' || *at == '/'))
        for (at++; at < end && *at >= '0' && *at <= '9' && number < 1000; at++)
            number = number * 10 + (uint32_t)(*at - '0');
    for (size_t p = 0; number && p < device->nports; p++)
        if (device->ports[p].number == number) {
            *used = (size_t)(at - word);
            return &device->ports[p];
        }
    return device->nports == 1 ? &device->ports[0] : NULL;
}

/* A device, or a port's netdev. */
static bool find_name(struct search *search, const char *word, size_t len, const char *end)
{
    const struct host *host = search->host;
    for (size_t d = 0; d < host->ndevices; d++) {
        const struct device *device = &host->devices[d];
        if (strlen(device->name) == len && memcmp(device->name, word, len) == 0) {
            size_t used = len;
            const struct port *port = find_port(device, word, end, &used);
            add(search, word, used, device, port, NULL);
            return true;
        }
        for (size_t p = 0; len >= 3 && p < device->nports; p++) {
            const char *netdev = device->ports[p].netdev;
            if (netdev && strlen(netdev) == len && memcmp(netdev, word, len) == 0) {
                add(search, word, len, device, &device->ports[p], NULL);
                return true;
            }
        }
    }
    return false;
}

/* A GID, "fe:80:00:…" too, or an address, as the GID made from it. */
static bool parse_any_address(const char *text, uint8_t raw[static 16])
{
    return gid_of_text(text, raw) || text_to_bytes(text, strlen(text), 1, raw, 16) == 16;
}

/* Such as no port has: multicast and netmasks among them. */
static bool is_nobodys(const uint8_t raw[static 16])
{
    static const uint8_t zero[15];
    return memcmp(raw, zero, sizeof(zero)) == 0 || gid_is_any(raw) || gid_is_loopback(raw) || raw[0] == 0xff ||
           (gid_is_v4_mapped(raw) && raw[12] >= 224);
}

/* Of two GIDs with the same address, the RoCE v2 one, which programs use. */
static void find_gid(struct search *search, const char *text, size_t len, const uint8_t raw[static 16])
{
    const struct host *host = search->host;
    const struct gid *best = NULL;
    const struct port *at = NULL;
    for (const struct port *port = NULL; (port = host_next_port(host, port));) {
        const struct netdev *netdev = port_netdev(host, port);
        for (size_t g = 0; g < port->ngids; g++)
            if (memcmp(port->gids[g].raw, raw, 16) == 0 && (!best || port->gids[g].type == GID_TYPE_ROCE_V2)) {
                best = &port->gids[g];
                at = port;
            }
        if (!at && netdev && netdev_has_address(netdev, raw))
            at = port;
    }
    add(search, text, len, at ? at->device : NULL, at, best);
}

static bool find_pci(struct search *search, const char *text, size_t len)
{
    const struct host *host = search->host;
    for (size_t d = 0; d < host->ndevices; d++) {
        const struct device *device = &host->devices[d];
        if (device->pci && strlen(device->pci) == len && memcmp(device->pci, text, len) == 0) {
            add(search, text, len, device, device->nports == 1 ? &device->ports[0] : NULL, NULL);
            return true;
        }
    }
    return false;
}

static size_t run_length(const char *text, size_t len, bool (*takes)(char))
{
    size_t n = 0;
    while (n < len && takes(text[n]))
        n++;
    return n;
}

/* "std::bad_alloc" of C++: d::bad would be an address. */
static bool is_scope(const char *text, size_t len, size_t left)
{
    return len < left && text[len] != '-' && is_word(text[len]) && memmem(text, len, "::", 2);
}

/* An address, optionally followed by a port or a full stop. */
static void find_address(struct search *search, const char *text, size_t len)
{
    char copy[64];
    uint8_t raw[16];
    while (len && (text[len - 1] == ':' || text[len - 1] == '.') && !(len >= 2 && text[len - 2] == ':'))
        len--;
    if (len < 3 || len >= sizeof(copy) || find_pci(search, text, len))
        return;
    snprintf(copy, sizeof(copy), "%.*s", (int)len, text);
    char *colon = strrchr(copy, ':');
    bool good = parse_any_address(copy, raw);
    if (!good && colon && colon == strchr(copy, ':') && strchr(copy, '.')) { /* 10.0.0.1:4420 */
        *colon = '\0';
        good = parse_any_address(copy, raw);
    }
    if (good && !is_nobodys(raw))
        find_gid(search, text, strlen(copy), raw);
}

size_t mention_find(const struct host *host, const char *text, size_t len, struct arena *arena,
                    struct mention mentions[static MENTIONS_MOST])
{
    struct search search = { host, arena, mentions, 0 };
    for (size_t i = 0; i < len;) {
        bool begins = i == 0 ||
                      (!is_word(text[i - 1]) && text[i - 1] != '@'); /* "10.0.0.2@mlx5_0" is a peer's */
        size_t n = begins ? run_length(text + i, len - i, is_word) : 0;
        while (n && text[i + n - 1] == '.')
            n--;
        if (n && find_name(&search, text + i, n, text + len)) {
            i += n;
            continue;
        }
        /* NCCL writes "remoteGidsfd00::1", so an address may follow a letter that it can't begin with */
        n = i == 0 || !is_address(text[i - 1]) ? run_length(text + i, len - i, is_address) : 0;
        if (n && !is_scope(text + i, n, len - i))
            find_address(&search, text + i, n);
        i += n ? n : 1;
    }
    return search.count;
}
