/* SPDX-License-Identifier: MIT */
/* Which netdevs lie above another, as rtnetlink tells them: of these the addresses become GIDs. */
#include <criterion/criterion.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <string.h>

#include "base/base.h"
#include "model/host.h"
#include "netlink_bytes.h"
#include "source/source.h"
#include "tree.h"

/* What the kernel tells of the netdev below: IFLA_LINK, but a VXLAN by an attribute of its own. */
static void put_link(struct nlbytes *bytes, int ifindex, const char *name, const char *kind, uint32_t lower)
{
    bool is_vxlan = kind && strcmp(kind, "vxlan") == 0;
    struct ifinfomsg info = { .ifi_index = ifindex, .ifi_type = 1, .ifi_flags = 0x1003 };
    nlbytes_message(bytes, RTM_NEWLINK, &info, sizeof(info));
    nlbytes_text(bytes, IFLA_IFNAME, name);
    if (lower && !is_vxlan)
        nlbytes_u32(bytes, IFLA_LINK, lower);
    if (kind) {
        size_t linkinfo = nlbytes_attr(bytes, IFLA_LINKINFO, NULL, 0);
        nlbytes_text(bytes, IFLA_INFO_KIND, kind);
        if (is_vxlan && lower) {
            size_t data = nlbytes_attr(bytes, IFLA_INFO_DATA | NLA_F_NESTED, NULL, 0);
            nlbytes_u32(bytes, IFLA_VXLAN_LINK, lower);
            nlbytes_close(bytes, data);
        }
        nlbytes_close(bytes, linkinfo);
    }
    nlbytes_end(bytes);
}

static void setup(void)
{
    tree_make();
    tree_file("sys/kernel/notes", "");
}

TestSuite(stacked, .init = setup, .fini = tree_remove);

/* ip_tunnel_get_iflink() names the netdev that a tunnel leaves by; only netdev_upper_dev_link() puts one above. */
Test(stacked, a_tunnel_leaves_by_a_netdev_and_is_not_above_it)
{
    static const struct {
        const char *kind;
        bool above;
    } cases[] = {
        { "vlan", true },       { "macvlan", true }, { "ipvlan", true },  { "vxlan", true },
        { "macsec", true },     { "gre", false },    { "gretap", false }, { "erspan", false },
        { "ip6gretap", false }, { "ipip", false },   { "sit", false },    { "ip6tnl", false },
        { "vti", false },       { "xfrm", false },   { "veth", false },   { "netkit", false },
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct nlbytes bytes = { 0 };
        struct source *source = NULL;
        struct host *host = NULL;
        put_link(&bytes, 3, "eth0", NULL, 0);
        put_link(&bytes, 7, "over0", cases[i].kind, 3);
        tree_bytes("netlink/rtnl-links", bytes.data, bytes.len);
        cr_assert_eq(source_open_recording(tree_top(), &source, NULL), 0);
        cr_assert_eq(host_read(source, NEED_ALL, &host), 0);
        const struct netdev *base = host_find_netdev(host, "eth0"), *over = host_find_netdev(host, "over0");
        cr_assert(base && over, "%s", cases[i].kind);
        cr_expect_eq(netdev_is_above(host, over, base), cases[i].above, "%s", cases[i].kind);
        host_free(host);
        source_close(source);
    }
}
