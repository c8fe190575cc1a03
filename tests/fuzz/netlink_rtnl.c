/* SPDX-License-Identifier: MIT */
/* rtnetlink: links, addresses, routes, neighbours, rules; and the same as events. */
#include "netlink.h"

#include "model/host.h"
#include "source/monitor_diff.h"
#include "source/netlink/rtnl.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = input_begin(data, size);
    struct rtnl_link *links = NULL;
    struct rtnl_address *addresses = NULL;
    struct route *routes = NULL;
    struct neighbour *neighbours = NULL;
    struct rule *rules = NULL;
    size_t nlinks = 0, naddresses = 0, nroutes = 0, nneighbours = 0, nrules = 0;
    rtnl_parse_links(input.bytes, input.len, input.arena, &links, &nlinks);
    for (size_t i = 0; i < nlinks; i++) {
        if (!links[i].name)
            abort();
        rtnl_operstate_text(links[i].operstate);
        rtnl_bond_mode_text(links[i].bond_mode);
        rtnl_bond_policy_text(links[i].bond_policy);
        rtnl_bond_mii_text(links[i].member_mii);
        rtnl_macvlan_mode_text(links[i].macvlan_mode);
        rtnl_ipvlan_mode_text(links[i].ipvlan_mode);
    }
    rtnl_parse_addresses(input.bytes, input.len, input.arena, &addresses, &naddresses);
    rtnl_parse_routes(input.bytes, input.len, input.arena, &routes, &nroutes);
    rtnl_parse_neighbours(input.bytes, input.len, input.arena, &neighbours, &nneighbours);
    rtnl_parse_rules(input.bytes, input.len, input.arena, &rules, &nrules);
    const struct host host = { .routes_known = true,
                               .routes = routes,
                               .nroutes = nroutes,
                               .rules_known = true,
                               .rules = rules,
                               .nrules = nrules };
    for (size_t i = 0; i < naddresses && i < 8; i++) {
        const struct address *address = &addresses[i].address;
        const struct route_flow flow = { address->family, address->raw, address->peer, NULL, NULL };
        struct route_lookup found = host_look_up(&host, &flow);
        if (found.kind == LOOKUP_FOUND && !found.route)
            abort();
    }
    const struct traffic_classes *classes;
    rtnl_parse_qdisc(input.bytes, input.len, input.arena, &classes);
    for (size_t i = 0; classes && i < KERNEL_PRIORITIES; i++)
        if (classes->of_priority[i] >= TC_QOPT_MAX_QUEUE)
            abort();
    struct known_links known = { 0 };
    struct teller teller = { 0 };
    known_links_hear(&known, &teller, input.bytes, input.len);
    known_links_hear(&known, &teller, input.bytes, input.len);
    known_links_free(&known);
    input_end(&input);
    return 0;
}
