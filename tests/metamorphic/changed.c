/* SPDX-License-Identifier: MIT */
/* What findings must not change by: other names, another order, an unrelated NIC, one more address, a part that
 * can't be read, a reboot that numbers everything anew. Where they do change with reason, a rule says so. */
#include <fnmatch.h>
#include <linux/if_link.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <rdma/rdma_netlink.h>
#include <sys/socket.h>

#include "metamorphic.h"
#include "source/recording/recording.h"
#include "source/root/backend.h"

/* Changes that have a reason. The rest are patterns of fnmatch(3), of a change, a machine and a check. */
static const struct {
    const char *reason, *change, *machine, *check;
} reasons[] = {
    { "the operator says by the netdevs' names which rail is which", "rename", "*", "rail-order" },
    { "the device of NVLink's management is known by its name", "rename", "mlx5-smi", "*" },
    { "NCCL_IB_HCA=mlx5 is no name, but how names begin", "rename", "fault-environment", "nccl-*" },
    { "then nothing of NCCL's is about the port", "rename", "fault-environment", "gid-holes" },
    { "then nothing of NCCL's is about the port", "rename", "fault-environment", "gid-index" },
    { "a device that it expects isn't here, and keeps its name", "rename", "fault-link", "as-expected" },
    { "its switches' names have the netdevs' in them", "rename", "mlx5-switch-forms", "neighbor-*" },
    { "of several addresses it names the first", "reverse", "*", "port-in-use" },
    { "of several addresses it names the first", "reverse", "fault-gid-full", "gid-address" },
    { "of routes that are alike the kernel takes the first", "reverse", "fault-path", "rp-filter" },
    { "it is told to take IPv6, and there was none", "address", "fault-consumer", "consumer-choice" },
    { "the new GID fills the hole", "address", "fault-*", "gid-holes" },
    { "the new GID fills the hole", "address", "fault-*", "gid-index" },
    { "the new GID fills the hole", "address", "fault-environment", "nccl-gid-index" },
    { "a process whose files are gone has ended", "unreadable", "fault-users", "process-memlock" },
    { "without its other devices the host is of no use", "unreadable", "mlx5-spark", "port-*" },
    { "without its other devices the host is of no use", "unreadable", "mlx5-spark", "netdev-carrier" },
    { "what another device is decides whether this one is used", "unreadable", "*", "uverbs-node" },
    { "what another device is decides whether this one is used", "unreadable", "broken", "numa-node" },
    { "what another device is decides whether this one is used", "unreadable", "broken", "netdev-mtu" },
    { "what another device is decides whether this one is used", "unreadable", "fault-pinned", "port-*" },
    { "what another device is decides whether this one is used", "unreadable", "fault-pinned",
      "netdev-carrier" },
    { "what another device is decides whether this one is used", "unreadable", "fault-pinned", "gid-table" },
    { "another port's GIDs are without their netdevs", "unreadable", "fault-bond", "gid-duplicate" },
    { "a port whose GIDs can't be read isn't told from one that has none", "unreadable", "mlx5-switchdev-sf",
      "[sv]f-roce" },
    { "a tree that another tool made lacks so much that doubts say nothing", "unreadable", "fault-gpus",
      "gpu-nic-far" },
    { "of a function's whole directory nothing is told but its name", "unreadable", "fault-bond",
      "nic-rdma-device" },
    { "a slot whose type can't be read is what it warns of", "unreadable", "*", "gid-type" },
};

bool change_has_reason(const char *change, const char *machine, const char *check)
{
    for (size_t i = 0; i < ARRAY_SIZE(reasons); i++)
        if (strcmp(reasons[i].change, change) == 0 && fnmatch(reasons[i].machine, machine, 0) == 0 &&
            fnmatch(reasons[i].check, check, 0) == 0)
            return true;
    return false;
}

/* -- a machine, copied with changes ------------------------------------------------------------------------ */

struct edit {
    const struct host *host; /* as it was */
    struct filetree *tree;   /* as it will be */
    const char **names;      /* of devices and netdevs */
    size_t nnames;
    struct arena *arena;
};

struct change {
    const char *name;
    bool exact;       /* nothing is added or withheld: each finding's words are the same, too */
    bool is_reversed; /* what is listed first is last */
    /* Changes what a file holds, or the name of one: then path is "". */
    void (*alter)(const struct edit *edit, const char *path, struct bytes *bytes);
    void (*add)(struct edit *edit);
};

static void reverse_messages(struct bytes *answer)
{
    struct bytes reversed = { 0 };
    struct nlmsghdr header;
    size_t end = 0;
    bytes_append(&reversed, "", 0);
    for (size_t at = 0; at + sizeof(header) <= answer->len; at = end) {
        memcpy(&header, answer->data + at, sizeof(header));
        end = at + NLMSG_ALIGN(header.nlmsg_len);
        if (header.nlmsg_len < sizeof(header) || end > answer->len || header.nlmsg_type <= NLMSG_DONE)
            break;
        struct bytes longer = { 0 };
        bytes_append(&longer, answer->data + at, end - at);
        bytes_append(&longer, reversed.data, reversed.len);
        bytes_free(&reversed);
        reversed = longer;
    }
    memcpy(answer->data, reversed.data, reversed.len);
    bytes_free(&reversed);
}

static const char *altered(struct edit *edit, const struct change *change, const char *path, const char *text,
                           size_t *len)
{
    struct bytes bytes = { 0 };
    bytes_append(&bytes, text, *len);
    if (change->alter)
        change->alter(edit, path, &bytes);
    if (change->is_reversed && text_starts(path, "netlink/"))
        reverse_messages(&bytes);
    *len = bytes.len;
    const char *kept = filetree_keep(edit->tree, bytes.data, bytes.len);
    bytes_free(&bytes);
    return kept;
}

static void copy_node(struct edit *edit, const struct change *change, const struct node *from, struct node *to)
{
    struct bytes path = { 0 };
    size_t len = from->len, count = 0;
    filetree_path(from, &path);
    const char *data = from->kind == NODE_FILE || from->kind == NODE_LINK
                           ? altered(edit, change, path.data, from->data, &len)
                           : NULL;
    bytes_free(&path);
    if (from->kind == NODE_DIRECTORY)
        filetree_make_directory(edit->tree, to);
    else if (from->kind == NODE_FILE)
        filetree_make_file(edit->tree, to, data, len);
    else if (from->kind == NODE_LINK)
        filetree_make_link(edit->tree, to, data, len);
    to->err = from->err;
    struct node **children = mem_alloc(from->nchildren + 1, sizeof(struct node *));
    for (struct node *child = from->children; child; child = child->next, count++)
        children[change->is_reversed ? from->nchildren - 1 - count : count] = child;
    for (size_t i = 0; i < count; i++) {
        len = strlen(children[i]->name);
        const char *name = altered(edit, change, "", children[i]->name, &len);
        struct node *node;
        if (filetree_add(edit->tree, to, name, len, &node) == 0)
            copy_node(edit, change, children[i], node);
    }
    free((void *)children);
}

/* -- other names ------------------------------------------------------------------------------------------- */

static bool is_border(char c)
{
    return !isalnum((unsigned char)c) && c != '_';
}

/* Does a name begin here? /sys/class/net/NAME has links lower_NAME and upper_NAME. */
static bool begins(const char *text, size_t i)
{
    return i == 0 || is_border(text[i - 1]) ||
           (i == 6 && (text_starts(text, "lower_") || text_starts(text, "upper_")));
}

/* The length of the longest name that stands here alone. */
static size_t name_at(const struct edit *edit, const char *at, size_t left)
{
    size_t longest = 0;
    for (size_t i = 0; i < edit->nnames; i++) {
        size_t len = strlen(edit->names[i]);
        if (len > longest && len <= left && memcmp(at, edit->names[i], len) == 0 &&
            (len == left || is_border(at[len])))
            longest = len;
    }
    return longest;
}

/* Each letter of a name becomes the next one: of the same length, in another order, and no two the same. */
static void rename_in(const struct edit *edit, const char *path, struct bytes *bytes)
{
    char *text = bytes->data;
    (void)path;
    for (size_t i = 0; i < bytes->len; i++) {
        size_t len = begins(text, i) ? name_at(edit, text + i, bytes->len - i) : 0;
        for (size_t end = i + len; i < end; i++)
            if (isalpha((unsigned char)text[i]))
                text[i] = text[i] == 'z' ? 'a' : text[i] == 'Z' ? 'A' : (char)(text[i] + 1);
    }
}

/* -- a reboot ---------------------------------------------------------------------------------------------- */

/* In the opposite order, but the loopback's, which is always 1. */
enum { LAST_IFINDEX = 8000, LAST_DEVICE = 400 };

static uint32_t renumbered(uint32_t index)
{
    return index <= 1 || index >= LAST_IFINDEX ? index : LAST_IFINDEX - index;
}

static void renumber(char *at, bool is_device)
{
    uint32_t index;
    memcpy(&index, at, sizeof(index));
    index = is_device ? LAST_DEVICE - index : renumbered(index);
    memcpy(at, &index, sizeof(index));
}

/* Where indexes are in an answer: in a message's header, or in an attribute of four bytes, some of them nested
 * or an array of next hops. */
static const struct place {
    const char *answer;
    size_t header, at; /* at: in the header, 0: none */
    uint16_t attrs[2];
    bool is_device;
} places[] = {
    { "netlink/rtnl-links", sizeof(struct ifinfomsg), 4, { IFLA_LINK, IFLA_MASTER }, false },
    { "netlink/rtnl-addresses", sizeof(struct ifaddrmsg), 4, { 0 }, false },
    { "netlink/rtnl-routes", sizeof(struct rtmsg), 0, { RTA_OIF, RTA_OIF }, false },
    { "netlink/rtnl-neighbours", 12, 4, { 0 }, false },
    { "netlink/rtnl-qdisc", sizeof(struct tcmsg), 4, { 0 }, false },
    { "netlink/devlink-ports", 4, 0, { 6, 6 }, false }, /* DEVLINK_ATTR_PORT_NETDEV_IFINDEX */
    { "netlink/nldev-ports", 0, 0, { RDMA_NLDEV_ATTR_NDEV_INDEX, RDMA_NLDEV_ATTR_NDEV_INDEX }, false },
    { "netlink/nldev-", 0, 0, { RDMA_NLDEV_ATTR_DEV_INDEX, RDMA_NLDEV_ATTR_DEV_INDEX }, true },
};

static void renumber_hops(char *at, size_t len)
{
    struct rtnexthop hop;
    for (size_t i = 0; i + sizeof(hop) <= len; i += RTNH_ALIGN(hop.rtnh_len)) {
        memcpy(&hop, at + i, sizeof(hop));
        renumber(at + i + offsetof(struct rtnexthop, rtnh_ifindex), false);
        if (hop.rtnh_len < sizeof(hop))
            return;
    }
}

/* What an attribute in the data of a link means depends on the kind of link. */
static void renumber_link(char *at, size_t len, const char *kind)
{
    struct nlattr attr;
    for (size_t i = 0; i + sizeof(attr) <= len; i += NLA_ALIGN(attr.nla_len)) {
        memcpy(&attr, at + i, sizeof(attr));
        if (attr.nla_len < sizeof(attr))
            return;
        char *data = at + i + sizeof(attr);
        uint16_t type = attr.nla_type & NLA_TYPE_MASK, wanted = 0;
        if (kind)
            wanted = strcmp(kind, "bond") == 0    ? IFLA_BOND_ACTIVE_SLAVE
                     : strcmp(kind, "vxlan") == 0 ? IFLA_VXLAN_LINK
                                                  : 0;
        if (kind && wanted && type == wanted)
            renumber(data, false);
        else if (!kind && type == IFLA_INFO_DATA)
            renumber_link(data, attr.nla_len - sizeof(attr), at + sizeof(attr)); /* the kind comes first */
    }
}

static void renumber_attrs(const struct place *place, char *at, size_t len)
{
    struct nlattr attr;
    for (size_t i = 0; i + sizeof(attr) <= len; i += NLA_ALIGN(attr.nla_len)) {
        memcpy(&attr, at + i, sizeof(attr));
        if (attr.nla_len < sizeof(attr) || i + attr.nla_len > len)
            return;
        char *data = at + i + sizeof(attr);
        size_t size = attr.nla_len - sizeof(attr);
        uint16_t type = attr.nla_type & NLA_TYPE_MASK;
        if (type && (type == place->attrs[0] || type == place->attrs[1]) && size == 4)
            renumber(data, place->is_device);
        else if (type == RTA_MULTIPATH && place->header == sizeof(struct rtmsg) && !place->at)
            renumber_hops(data, size);
        else if (type == IFLA_LINKINFO && place->attrs[1] == IFLA_MASTER)
            renumber_link(data, size, NULL);
    }
}

static void renumber_answer(const struct place *place, struct bytes *answer)
{
    struct nlmsghdr header;
    for (size_t at = 0; at + sizeof(header) <= answer->len; at += NLMSG_ALIGN(header.nlmsg_len)) {
        memcpy(&header, answer->data + at, sizeof(header));
        size_t whole = sizeof(header) + place->header;
        if (header.nlmsg_len < sizeof(header) || at + header.nlmsg_len > answer->len)
            return;
        if (header.nlmsg_type <= NLMSG_DONE || header.nlmsg_len < whole)
            continue;
        if (place->at)
            renumber(answer->data + at + sizeof(header) + place->at, place->is_device);
        renumber_attrs(place, answer->data + at + whole, header.nlmsg_len - whole);
    }
}

/* The numbers after these words. */
static void renumber_after(const char *words, struct bytes *text)
{
    struct bytes out = { 0 };
    char *at = text->data;
    bytes_append(&out, "", 0);
    for (char *next; (next = strstr(at, words)) && isdigit((unsigned char)next[strlen(words)]);) {
        next += strlen(words);
        bytes_append(&out, at, (size_t)(next - at));
        bytes_printf(&out, "%u", renumbered((uint32_t)strtoul(next, &at, 10)));
    }
    bytes_append(&out, at, strlen(at));
    bytes_free(text);
    *text = out;
}

/* The interfaces of /proc/net/packet, its fifth column. */
static void renumber_sockets(struct bytes *text)
{
    struct bytes out = { 0 };
    bytes_append(&out, "", 0);
    for (const char *line = text->data, *end; *line; line = end) {
        int before, after;
        unsigned index;
        end = line + strcspn(line, "\n");
        end += *end == '\n';
        if (sscanf(line, "%*s %*u %*u %*x %n%u%n", &before, &index, &after) == 1) {
            bytes_append(&out, line, (size_t)before);
            bytes_printf(&out, "%u", index ? renumbered(index) : 0);
            line += after;
        }
        bytes_append(&out, line, (size_t)(end - line));
    }
    bytes_free(text);
    *text = out;
}

static void reboot(const struct edit *edit, const char *path, struct bytes *bytes)
{
    const char *name = strrchr(path, '/');
    (void)edit;
    if (name && (strcmp(name, "/ifindex") == 0 || strcmp(name, "/iflink") == 0))
        renumber_after("", bytes);
    else if (name && strcmp(name, "/uevent") == 0)
        renumber_after("IFINDEX=", bytes);
    else if (strcmp(path, "proc/net/packet") == 0)
        renumber_sockets(bytes);
    else if (text_starts(path, "verbs/"))
        renumber_after("\"ifindex\": ", bytes);
    for (size_t i = 0; i < ARRAY_SIZE(places); i++)
        if (text_starts(path, places[i].answer))
            renumber_answer(&places[i], bytes);
}

/* -- something more ---------------------------------------------------------------------------------------- */

/* The node at a path, which may go through links; new ones have no kind. */
static struct node *place_for(struct edit *edit, const char *path)
{
    const char *name = strrchr(path, '/') + 1;
    const char *above = arena_strndup(edit->arena, path, (size_t)(name - path) - 1);
    struct node *directory = filetree_resolve(edit->tree, above), *node = NULL;
    int r = directory ? 0 : filetree_enter(edit->tree, above, &directory);
    return r == 0 && filetree_add(edit->tree, directory, name, strlen(name), &node) == 0 ? node : NULL;
}

static void put_file(struct edit *edit, const char *path, const char *data, size_t len)
{
    struct node *node = place_for(edit, path);
    if (!node)
        return;
    node->kind = NODE_NONE;
    node->err = 0;
    filetree_make_file(edit->tree, node, filetree_keep(edit->tree, data, len), len);
}

static void put_text(struct edit *edit, const char *text, const char *path)
{
    struct bytes line = { 0 };
    bytes_printf(&line, "%s\n", text);
    put_file(edit, path, line.data, line.len);
    bytes_free(&line);
}

static void put_link(struct edit *edit, const char *target, const char *path)
{
    struct node *node = place_for(edit, path);
    if (node)
        filetree_make_link(edit->tree, node, filetree_keep(edit->tree, target, strlen(target)), strlen(target));
}

static void put_attr(struct bytes *message, uint16_t type, const void *data, size_t size)
{
    static const char zeros[NLA_ALIGNTO];
    struct nlattr attr = { .nla_len = (uint16_t)(sizeof(attr) + size), .nla_type = type };
    bytes_append(message, &attr, sizeof(attr));
    bytes_append(message, data, size);
    bytes_append(message, zeros, NLA_ALIGN(size) - size);
}

/* A message more in an answer, the first of them; nothing if there is no answer. */
static void put_message(struct edit *edit, const char *path, uint16_t type, const void *header, size_t size,
                        const struct bytes *attrs)
{
    const struct node *answer = filetree_resolve(edit->tree, path);
    struct nlmsghdr begin = { .nlmsg_len = (uint32_t)(sizeof(begin) + size + attrs->len),
                              .nlmsg_type = type,
                              .nlmsg_flags = NLM_F_MULTI };
    struct bytes all = { 0 };
    if (answer && answer->kind == NODE_FILE && !answer->err) {
        bytes_append(&all, &begin, sizeof(begin));
        bytes_append(&all, header, size);
        bytes_append(&all, attrs->data, attrs->len);
        bytes_append(&all, answer->data, answer->len);
        put_file(edit, path, all.data, all.len);
    }
    bytes_free(&all);
}

#define NIC_FUNCTION "0000:f0:1f.6"
#define NIC_AT "sys/devices/pci0000:f0/" NIC_FUNCTION
#define NIC_NETDEV "enp240s31f6"
enum { NIC_IFINDEX = 9000 };

static void put_nic_link(struct edit *edit)
{
    static const uint8_t mac[] = { 0x3c, 0x52, 0x82, 0x11, 0x22, 0x33 };
    struct ifinfomsg header = { .ifi_type = 1, .ifi_index = NIC_IFINDEX, .ifi_flags = 0x11043 };
    struct bytes attrs = { 0 };
    uint32_t mtu = 1500;
    uint8_t up = 6, carrier = 1;
    put_attr(&attrs, IFLA_IFNAME, NIC_NETDEV, sizeof(NIC_NETDEV));
    put_attr(&attrs, IFLA_MTU, &mtu, sizeof(mtu));
    put_attr(&attrs, IFLA_OPERSTATE, &up, sizeof(up));
    put_attr(&attrs, IFLA_CARRIER, &carrier, sizeof(carrier));
    put_attr(&attrs, IFLA_ADDRESS, mac, sizeof(mac));
    put_attr(&attrs, IFLA_PARENT_DEV_NAME, NIC_FUNCTION, sizeof(NIC_FUNCTION));
    put_attr(&attrs, IFLA_PARENT_DEV_BUS_NAME, "pci", sizeof("pci"));
    put_message(edit, "netlink/rtnl-links", RTM_NEWLINK, &header, sizeof(header), &attrs);
    bytes_free(&attrs);
}

/* An Intel I219 of the board, up, without an address. */
static void add_nic(struct edit *edit)
{
    static const struct {
        const char *text, *path;
    } files[] = {
        { "0x020000", NIC_AT "/class" },
        { "0x8086", NIC_AT "/vendor" },
        { "0x15bb", NIC_AT "/device" },
        { "0x8086", NIC_AT "/subsystem_vendor" },
        { "0x15bb", NIC_AT "/subsystem_device" },
        { "0x00", NIC_AT "/revision" },
        { "-1", NIC_AT "/numa_node" },
        { "3c:52:82:11:22:33", NIC_AT "/net/" NIC_NETDEV "/address" },
        { "1", NIC_AT "/net/" NIC_NETDEV "/carrier" },
        { "0", NIC_AT "/net/" NIC_NETDEV "/dev_port" },
        { "0x0", NIC_AT "/net/" NIC_NETDEV "/dev_id" },
        { "full", NIC_AT "/net/" NIC_NETDEV "/duplex" },
        { "0x1003", NIC_AT "/net/" NIC_NETDEV "/flags" },
        { "9000", NIC_AT "/net/" NIC_NETDEV "/ifindex" },
        { "9000", NIC_AT "/net/" NIC_NETDEV "/iflink" },
        { "1500", NIC_AT "/net/" NIC_NETDEV "/mtu" },
        { "up", NIC_AT "/net/" NIC_NETDEV "/operstate" },
        { "1000", NIC_AT "/net/" NIC_NETDEV "/speed" },
        { "1", NIC_AT "/net/" NIC_NETDEV "/type" },
    };
    if (!filetree_resolve(edit->tree, "sys/class/net"))
        return;
    for (size_t i = 0; i < ARRAY_SIZE(files); i++)
        put_text(edit, files[i].text, files[i].path);
    put_link(edit, "../../../" NIC_FUNCTION, NIC_AT "/net/" NIC_NETDEV "/device");
    put_link(edit, "../../../bus/pci/drivers/e1000e", NIC_AT "/driver");
    put_link(edit, "../../../bus/pci", NIC_AT "/subsystem");
    put_link(edit, "../../devices/pci0000:f0/" NIC_FUNCTION "/net/" NIC_NETDEV, "sys/class/net/" NIC_NETDEV);
    put_link(edit, "../../../devices/pci0000:f0/" NIC_FUNCTION, "sys/bus/pci/devices/" NIC_FUNCTION);
    put_nic_link(edit);
}

static void put_route(struct edit *edit, const uint8_t address[16], uint8_t prefix, uint32_t ifindex,
                      bool local)
{
    struct rtmsg header = { .rtm_family = AF_INET6,
                            .rtm_dst_len = prefix,
                            .rtm_table = local ? RT_TABLE_LOCAL : RT_TABLE_MAIN,
                            .rtm_protocol = RTPROT_KERNEL,
                            .rtm_type = local ? RTN_LOCAL : RTN_UNICAST };
    uint8_t destination[16] = { 0 };
    uint32_t table = header.rtm_table, metric = local ? 0 : 256;
    struct bytes attrs = { 0 };
    memcpy(destination, address, prefix / 8);
    put_attr(&attrs, RTA_TABLE, &table, sizeof(table));
    put_attr(&attrs, RTA_DST, destination, sizeof(destination));
    put_attr(&attrs, RTA_PRIORITY, &metric, sizeof(metric));
    put_attr(&attrs, RTA_OIF, &ifindex, sizeof(ifindex));
    put_message(edit, "netlink/rtnl-routes", RTM_NEWROUTE, &header, sizeof(header), &attrs);
    bytes_free(&attrs);
}

static void put_address(struct edit *edit, const uint8_t address[16], uint32_t ifindex)
{
    struct ifaddrmsg header = {
        .ifa_family = AF_INET6, .ifa_prefixlen = 64, .ifa_flags = 0x80, .ifa_index = ifindex
    };
    struct bytes attrs = { 0 };
    uint32_t flags = 0x80;
    put_attr(&attrs, IFA_ADDRESS, address, 16);
    put_attr(&attrs, IFA_FLAGS, &flags, sizeof(flags));
    put_message(edit, "netlink/rtnl-addresses", RTM_NEWADDR, &header, sizeof(header), &attrs);
    bytes_free(&attrs);
    put_route(edit, address, 64, ifindex, false);
    put_route(edit, address, 128, ifindex, true);
}

/* Has the table room for more? Those of some recordings were shortened. */
static bool has_room(const struct port *port)
{
    return port->gid_table_len.known && port->gid_table_len.value >= port->ngids + 4;
}

/* Puts a GID like this one, but of that address, into the first empty slot. */
static bool put_gid(struct edit *edit, const struct port *port, const struct gid *like, const uint8_t raw[16])
{
    char at[160], text[GID_TEXT_SIZE], path[224];
    snprintf(at, sizeof(at), "sys/class/infiniband/%s/ports/%u", port->device->name, port->number);
    for (unsigned slot = 0; slot < 4096; slot++) {
        snprintf(path, sizeof(path), "%s/gids/%u", at, slot);
        const struct node *node = filetree_resolve(edit->tree, path);
        if (!node || node->kind != NODE_FILE)
            return false;
        if (!text_starts(node->data, "0000:0000:0000:0000:0000:0000:0000:0000"))
            continue;
        gid_format(raw, text);
        put_text(edit, text, path);
        snprintf(path, sizeof(path), "%s/gid_attrs/types/%u", at, slot);
        put_text(edit, like->type == GID_TYPE_ROCE_V2 ? "RoCE v2" : "IB/RoCE v1", path);
        snprintf(path, sizeof(path), "%s/gid_attrs/ndevs/%u", at, slot);
        put_text(edit, like->netdev, path);
        return true;
    }
    return false;
}

/* An IPv6 address, with its GIDs, for each netdev that has an IPv4 address with GIDs, in a network of its own.
 */
static void add_addresses(struct edit *edit)
{
    unsigned char network = 0;
    for (const struct port *port = NULL; (port = host_next_port(edit->host, port)); network++) {
        uint8_t raw[16] = { 0xfd, 0x5a, 0x10, 0, 0, 0, 0, network, [15] = 5 };
        const struct netdev *netdev = NULL;
        for (size_t i = 0; has_room(port) && i < port->ngids; i++) {
            const struct gid *gid = &port->gids[i];
            const struct netdev *here = gid_netdev(edit->host, gid);
            if (gid_is_routable(gid->raw) && gid_is_v4_mapped(gid->raw) && here && here->ifindex.known &&
                here->addresses_known && (!netdev || here == netdev) && put_gid(edit, port, gid, raw)) {
                if (!netdev)
                    put_address(edit, raw, (uint32_t)here->ifindex.value);
                netdev = here;
            }
        }
    }
}

/* -- what is said of it ------------------------------------------------------------------------------------ */

static const struct change changes[] = {
    { "rename", .exact = true, .alter = rename_in },
    { "reverse", .exact = true, .is_reversed = true },
    { "reboot", .exact = true, .alter = reboot },
    { "nic", .add = add_nic },
    { "address", .add = add_addresses },
};

static bool is_same(const struct filetree *a, const struct filetree *b)
{
    struct bytes x = { 0 }, y = { 0 };
    recording_write(a, &x);
    recording_write(b, &y);
    bool same = x.len == y.len && memcmp(x.data, y.data, x.len) == 0;
    bytes_free(&x);
    bytes_free(&y);
    return same;
}

/* *took_effect: is it another machine than before? What is listed in another order is none. */
static struct source *open_changed(const char *name, struct edit *edit, const struct change *change,
                                   bool *took_effect)
{
    struct source *source = open_machine(name);
    if (!source)
        return NULL;
    struct filetree *old = source->root->tree;
    edit->tree = filetree_new();
    edit->tree->note = old->note;
    copy_node(edit, change, old->top, edit->tree->top);
    if (change->add)
        change->add(edit);
    *took_effect = !is_same(old, edit->tree);
    source->root->tree = edit->tree;
    source->root->top.node = edit->tree->top;
    filetree_free(old);
    return source;
}

static const char *mapped(const struct edit *edit, const struct change *change, const char *text)
{
    struct bytes bytes = { 0 };
    bytes_append(&bytes, text ? text : "", text ? strlen(text) : 0);
    if (change->alter == rename_in)
        rename_in(edit, "", &bytes);
    text = arena_strdup(edit->arena, bytes.data);
    bytes_free(&bytes);
    return text;
}

struct line {
    const char *check, *subject, *evidence;
    enum verdict verdict;
};

static int by_line(const void *a, const void *b)
{
    const struct line *x = a, *y = b;
    int order = strcmp(x->check, y->check);
    order = order ? order : strcmp(x->subject, y->subject);
    order = order ? order : (int)x->verdict - (int)y->verdict;
    return order ? order : strcmp(x->evidence, y->evidence);
}

/* Each finding, with its names as they are after the change. */
static struct line *lines_of(const struct edit *edit, const struct change *change, const struct report *report,
                             size_t *count)
{
    struct line *lines = arena_alloc(edit->arena, report->nfindings + 1, sizeof(*lines));
    *count = 0;
    for (size_t i = 0; i < report->nfindings; i++) {
        const struct finding *finding = &report->findings[i];
        char subject[160];
        subject_format(&finding->subject, subject);
        if (change->exact || finding->verdict == VERDICT_WARN || finding->verdict == VERDICT_FAIL)
            lines[(*count)++] = (struct line){ finding->check->id, mapped(edit, change, subject),
                                               change->exact ? mapped(edit, change, finding->evidence) : "",
                                               finding->verdict };
    }
    qsort(lines, *count, sizeof(*lines), by_line);
    return lines;
}

static size_t tell(const char *machine, const struct change *change, const struct line *line, char sign)
{
    if (change_has_reason(change->name, machine, line->check))
        return 0;
    printf("%s: %s: %c %s %s %s: %s\n", machine, change->name, sign, line->check, line->subject,
           verdict_name(line->verdict), line->evidence);
    return 1;
}

static size_t differences(const char *name, const struct change *change, const struct line *was, size_t nwas,
                          const struct line *is, size_t nis)
{
    size_t wrong = 0;
    for (size_t i = 0, j = 0; i < nwas || j < nis;) {
        int order = i == nwas ? 1 : j == nis ? -1 : by_line(&was[i], &is[j]);
        if (order < 0)
            wrong += tell(name, change, &was[i], '-');
        else if (order > 0)
            wrong += tell(name, change, &is[j], '+');
        i += order <= 0;
        j += order >= 0;
    }
    return wrong;
}

static size_t try_change(const char *name, const char *earlier, struct edit *edit, const struct change *change,
                         const struct says *whole)
{
    size_t nwas, nis, wrong = 0;
    struct says now;
    bool took_effect = false, ignored;
    struct machine machine = { name, open_changed(name, edit, change, &took_effect),
                               open_changed(earlier, edit, change, &ignored) };
    if (ask(&machine, &now)) {
        const struct change none = { .exact = change->exact };
        const struct line *was = lines_of(edit, change, &whole->report, &nwas);
        const struct line *is = lines_of(edit, &none, &now.report, &nis);
        wrong = differences(name, change, was, nwas, is, nis);
    } else {
        printf("%s: %s: it can't be read\n", name, change->name);
        wrong = 1;
    }
    if (took_effect)
        printf("%s took effect\n", change->name);
    forget(&now);
    source_close(machine.now);
    source_close(machine.before);
    return wrong;
}

static void take_names(struct edit *edit, const struct host *host)
{
    for (size_t i = 0; i < host->ndevices; i++)
        *ARENA_PUSH(edit->arena, edit->names, edit->nnames) = host->devices[i].name;
    for (size_t i = 0; i < host->nnetdevs; i++)
        if (strcmp(host->netdevs[i].name, "lo") != 0)
            *ARENA_PUSH(edit->arena, edit->names, edit->nnames) = host->netdevs[i].name;
}

size_t look_changed(const char *name)
{
    char earlier[160];
    struct says whole;
    size_t wrong = 0;
    snprintf(earlier, sizeof(earlier), "%s-before", name);
    struct machine machine = { name, open_machine(name), open_machine(earlier) };
    struct edit edit = { .arena = arena_new() };
    if (ask(&machine, &whole)) {
        edit.host = whole.host;
        take_names(&edit, whole.host);
        for (size_t i = 0; i < ARRAY_SIZE(changes); i++)
            wrong += try_change(name, earlier, &edit, &changes[i], &whole);
        wrong += look_unreadable(&machine, &whole);
    }
    printf("%s: %zu findings, %zu changes, %zu wrong\n", name, whole.report.nfindings, ARRAY_SIZE(changes),
           wrong);
    forget(&whole);
    source_close(machine.now);
    source_close(machine.before);
    arena_free(edit.arena);
    return wrong;
}

int print_changed(const char *name, const char *as)
{
    struct says whole;
    struct bytes text = { 0 };
    struct machine machine = { .name = name, .now = open_machine(name) };
    struct edit edit = { .arena = arena_new() };
    bool found = false, ignored;
    if (ask(&machine, &whole)) {
        edit.host = whole.host;
        take_names(&edit, whole.host);
        for (size_t i = 0; i < ARRAY_SIZE(changes) && !found; i++) {
            found = strcmp(changes[i].name, as) == 0;
            struct source *source = found ? open_changed(name, &edit, &changes[i], &ignored) : NULL;
            if (source)
                recording_write(source->root->tree, &text);
            source_close(source);
        }
    }
    fwrite(text.data, 1, text.len, stdout);
    bytes_free(&text);
    forget(&whole);
    source_close(machine.now);
    arena_free(edit.arena);
    return found ? 0 : 1;
}
