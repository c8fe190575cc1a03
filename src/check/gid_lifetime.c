/* SPDX-License-Identifier: MIT */
/* Addresses that come and go, and GIDs with them. In the kernel (net/ipv4/devinet.c, net/ipv6/addrconf.c) an
 * address with a lifetime, from DHCP or a router advertisement, is not IFA_F_PERMANENT; temporary ones (RFC
 * 8981) are replaced each day. When an address goes, its GIDs go, even under running connections; when it or
 * another one comes, its GIDs take the first free slots (NVIDIA/nccl issues 1333 and 394). */
#include <linux/if_addr.h>
#include <netinet/in.h>

#include "check/judge.h"
#include "consumer/consumer.h"

static bool is_permanent(const struct address *address)
{
    return address->flags & IFA_F_PERMANENT;
}

/* Of a non-permanent address. On an IPv4 address the same bit means that it is a secondary one. */
static bool is_temporary(const struct address *address)
{
    return address->family == AF_INET6 && address->flags & IFA_F_TEMPORARY;
}

/* Of a non-permanent address: its preferred lifetime is over, no new IP connection starts from it, and it will
 * go soon. A permanent one is set so by hand, for an address that should only be reached. */
static bool is_ending(const struct address *address)
{
    return address->flags & IFA_F_DEPRECATED;
}

/* It will go, even where somebody renews leases. */
static bool goes(const struct address *address)
{
    return is_temporary(address) || is_ending(address);
}

struct owner {
    const struct netdev *netdev;
    const struct address *address; /* NULL if it isn't from any address here */
};

/* The owner of a GID, among the netdevs that the port's GIDs come from. */
static struct owner owner_of(const struct host *host, const struct netdev *own, const struct gid *gid)
{
    for (size_t i = 0; i < host->nnetdevs; i++) {
        const struct netdev *netdev = &host->netdevs[i];
        const struct address *address = address_with_gid(netdev, gid->raw);
        if (address && netdev_is_above(host, netdev, own))
            return (struct owner){ netdev, address };
    }
    return (struct owner){ 0 };
}

/* The first of the GIDs that will go, else of those that may go some day. */
struct moving {
    struct owner owner;
    const struct gid *gid; /* NULL: none */
    size_t staying;
};

static struct moving look(const struct subject *s)
{
    struct moving moving = { 0 };
    for (size_t i = 0; i < s->port->ngids; i++) {
        const struct gid *gid = &s->port->gids[i];
        struct owner owner = owner_of(s->host, s->netdev, gid);
        if (!owner.address || !gid_is_routable(gid->raw))
            continue;
        bool permanent = is_permanent(owner.address), worse = moving.gid && goes(moving.owner.address);
        moving.staying += permanent || !goes(owner.address);
        if (!permanent && (!moving.gid || (goes(owner.address) && !worse))) {
            moving.owner = owner;
            moving.gid = gid;
        }
    }
    return moving;
}

/* The library that takes a GID that will go, or that has an index pinned although its address is only leased;
 * CONSUMERS if none in use here does. */
static enum consumer hurt_consumer(const struct subject *s, struct choice *choice, struct owner *owner)
{
    static const enum consumer asked[] = { CONSUMER_NCCL, CONSUMER_RCCL, CONSUMER_UCX };
    for (size_t i = 0; i < ARRAY_SIZE(asked); i++) {
        if (!consumer_is_configured(asked[i], s->system) || !consumer_takes_port(asked[i], s->system, s->port))
            continue;
        *choice = consumer_choose(asked[i], s->host, s->port);
        if (choice->unused || !choice->gid)
            continue;
        *owner = owner_of(s->host, s->netdev, choice->gid);
        if (owner->address && !is_permanent(owner->address) && (choice->pinned || goes(owner->address)))
            return asked[i];
    }
    return CONSUMERS;
}

static const char *what_it_is(struct judgement *j, const struct owner *owner, const struct gid *gid)
{
    enum { HOUR = 3600 };
    const struct address *address = owner->address;
    uint64_t hours = (address->valid_s.value + HOUR - 1) / HOUR;
    return arena_printf(j->arena, "%s of %s (GID %" PRIu32 ") is %s%s", arena_address(j->arena, address),
                        owner->netdev->name, gid->index,
                        is_temporary(address)        ? "a temporary address"
                        : is_ending(address)         ? "deprecated, and goes"
                        : address->family == AF_INET ? "leased, by DHCP"
                                                     : "a router's or DHCPv6's, for a time",
                        address->valid_s.known
                            ? arena_printf(j->arena, ": %" PRIu64 " h at most if nobody renews it", hours)
                            : "");
}

static void fix_owner(const struct subject *s, struct judgement *j, const struct owner *owner)
{
    const char *name = owner->netdev->name;
    if (system_is_container(s->system))
        judge_advice(j, "give it an address that stays, by the IPAM of its network's definition");
    else if (is_temporary(owner->address))
        fix_sysctl(j, arena_printf(j->arena, "net/ipv6/conf/%s/use_tempaddr", fix_name(j, name)), "0");
    else if (system_distribution(s->system) == DISTRIBUTION_REDHAT)
        judge_command(
            j,
            "nmcli connection modify \"$(nmcli -g GENERAL.CONNECTION device show %s)\" ipv%c.method manual "
            "ipv%c.addresses {STATIC/PREFIX} && nmcli device reapply %s # or a reservation at the DHCP server",
            fix_name(j, name), owner->address->family == AF_INET ? '4' : '6',
            owner->address->family == AF_INET ? '4' : '6', fix_name(j, name));
    else
        judge_advice(j, "give %s a static address%s, or a reservation at the DHCP server", fix_name(j, name),
                     text_is(s->system->os_id, "ubuntu")
                         ? " in /etc/netplan/*.yaml (dhcp4: false, addresses: [{STATIC/PREFIX}])"
                         : "");
}

JUDGE(gid_lifetime)
{
    struct choice choice;
    struct owner owner;
    struct moving moving = look(s);
    if (!moving.gid)
        return moving.staying ? judge_pass(j, "the addresses of its GIDs stay until somebody takes them away")
                              : judge_na(j, "no routable GID is of an address here");
    enum consumer consumer = hurt_consumer(s, &choice, &owner);
    if (consumer != CONSUMERS) {
        /* leases and router prefixes are renewed as long as the server or router is there: whole clouds pin an
         * index of one */
        if (choice.pinned)
            judge_advice(j, "%s # then it chooses by type and address", setting_undo(j, &choice.by));
        else
            fix_owner(s, j, &owner);
        return judge_as(j, goes(owner.address) ? VERDICT_WARN : VERDICT_INFO, "%s, and %s takes it%s%s",
                        what_it_is(j, &owner, choice.gid), consumer_name(consumer), choice.pinned ? ": " : "",
                        choice.pinned ? setting_text(j, &choice.by) : "");
    }
    fix_owner(s, j, &moving.owner);
    return judge_as(j, moving.staying ? VERDICT_INFO : VERDICT_WARN, "%s%s",
                    what_it_is(j, &moving.owner, moving.gid),
                    moving.staying ? "" : ", and no other address of the port stays");
}

/* A link-local address is made from the MAC. */
static void fix_duplicate(struct judgement *j, const struct netdev *netdev, const struct address *address,
                          const char *text)
{
    const char *plain = arena_strndup(j->arena, text, strcspn(text, "/"));
    judge_command(j, "ndisc6 %s %s # tells whose it is; %s", plain, fix_name(j, netdev->name),
                  gid_is_link_local(address->raw) ? "most likely both have the same MAC"
                                                  : "then give one of them another address");
}

JUDGE(address_duplicate)
{
    size_t looked = 0;
    for (size_t i = 0; i < s->host->nnetdevs; i++) {
        const struct netdev *netdev = &s->host->netdevs[i];
        if (!netdev_is_above(s->host, netdev, s->netdev))
            continue;
        for (size_t n = 0; n < netdev->naddresses; n++) {
            const struct address *address = &netdev->addresses[n];
            looked += address->family == AF_INET6;
            if (!(address->flags & IFA_F_DADFAILED))
                continue;
            const char *text = arena_address(j->arena, address);
            fix_duplicate(j, netdev, address, text);
            return judge_fail(j, "%s of %s: duplicate address detection failed, another machine has it", text,
                              netdev->name);
        }
    }
    return looked ? judge_pass(j, "no IPv6 address was found to be another machine's, too")
                  : judge_na(j, "no IPv6 address");
}
