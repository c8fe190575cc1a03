/* The GID table. The kernel's rules are in drivers/infiniband/core/roce_gid_mgmt.c: each address of the RDMA
 * netdev and of what lies above it gives a GID per type (v1, then v2), in the first free slot; an entry in
 * use keeps its slot. */
#include <inttypes.h>
#include <net/if.h>
#include <netinet/in.h>
#include <string.h>

#include "base/text.h"
#include "check/judge.h"

enum { IFA_TENTATIVE = 0x40, IFA_DADFAILED = 0x08, MANY_SLOTS = 8 };

static const char *gid_path(struct judgement *j, const struct port *port, uint32_t index)
{
    return arena_printf(j->arena, "/sys/class/infiniband/%s/ports/%u/gids/%u", port->device->name,
                        port->number, index);
}

/* Verdict and evidence when there is nothing to look at; VERDICTS: there is. */
static enum verdict no_table(const struct subject *s, struct judgement *j)
{
    if (!port_is_roce(s->port) || !port_carries_traffic(s))
        return judge_na(j, "not a RoCE port");
    if (num_is(s->port->gid_table_len, 0))
        return judge_na(j, "RoCE is off: see roce-enabled");
    if (!s->port->gid_table_len.known)
        return judge_unknown(j, "%s could not be read", port_path(j, s->port, "gids"));
    return VERDICTS;
}

static enum verdict no_gids(const struct subject *s, struct judgement *j)
{
    enum verdict verdict = no_table(s, j);
    return verdict == VERDICTS && !s->port->ngids ? judge_na(j, "the table is empty: see gid-table") : verdict;
}

/* A port that isn't up has nothing to be routed; port-active speaks of it. */
static enum verdict no_active_gids(const struct subject *s, struct judgement *j)
{
    if (s->port->state.known && !port_is_active(s->port))
        return judge_na(j, "the port is not ACTIVE: see port-active");
    return no_gids(s, j);
}

static void fix_address(const struct subject *s, struct judgement *j)
{
    if (s->netdev)
        judge_fix(j, "ip address add ADDRESS/PREFIX dev %s (of a bond's member: to the bond)",
                  s->netdev->name);
}

static enum verdict judge_table(const struct subject *s, struct judgement *j)
{
    enum verdict verdict = no_table(s, j);
    if (verdict != VERDICTS)
        return verdict;
    if (s->port->ngids)
        return judge_pass(j, "%zu of %" PRIu64 " slots are filled", s->port->ngids,
                          s->port->gid_table_len.value);
    if (s->netdev)
        judge_fix(j, "ip link set dev %s up, then ip address add ADDRESS/PREFIX dev %s", s->netdev->name,
                  s->netdev->name);
    return judge_fail(j, "%s: all %" PRIu64 " slots are empty", port_path(j, s->port, "gids"),
                      s->port->gid_table_len.value);
}

static enum verdict judge_routable(const struct subject *s, struct judgement *j)
{
    char text[GID_ADDRESS_SIZE];
    enum verdict verdict = no_active_gids(s, j);
    if (verdict != VERDICTS)
        return verdict;
    for (size_t i = 0; i < s->port->ngids; i++)
        if (gid_is_routable(s->port->gids[i].raw)) {
            gid_address(s->port->gids[i].raw, text);
            return judge_pass(j, "%s: %s", gid_path(j, s->port, s->port->gids[i].index), text);
        }
    fix_address(s, j);
    gid_address(s->port->gids[0].raw, text);
    return judge_fail(j, "%s: %s, and no other than link-local ones",
                      gid_path(j, s->port, s->port->gids[0].index), text);
}

static enum verdict judge_v2(const struct subject *s, struct judgement *j)
{
    bool unknown = false;
    enum verdict verdict = no_active_gids(s, j);
    if (verdict != VERDICTS)
        return verdict;
    for (size_t i = 0; i < s->port->ngids; i++) {
        if (s->port->gids[i].type == GID_TYPE_ROCE_V2)
            return judge_pass(j, "GID %u is RoCE v2", s->port->gids[i].index);
        unknown |= s->port->gids[i].type == GID_TYPE_UNKNOWN && !s->port->gids[i].unknown_type;
    }
    if (unknown)
        return judge_unknown(j, "%s/types could not be read", port_path(j, s->port, "gid_attrs"));
    return judge_warn(j, "%s/types: none is RoCE v2", port_path(j, s->port, "gid_attrs"));
}

static enum verdict judge_type(const struct subject *s, struct judgement *j)
{
    enum verdict verdict = no_gids(s, j);
    if (verdict != VERDICTS)
        return verdict;
    for (size_t i = 0; i < s->port->ngids; i++) {
        const struct gid *gid = &s->port->gids[i];
        if (gid->type != GID_TYPE_UNKNOWN)
            continue;
        const char *dir = port_path(j, s->port, "gid_attrs");
        if (gid->unknown_type)
            return judge_warn(j, "%s/types/%u says \"%s\", which is neither RoCE v1 nor v2", dir, gid->index,
                              gid->unknown_type);
        return judge_warn(j, "%s/types/%u could not be read, although the slot is filled", dir, gid->index);
    }
    return judge_pass(j, "all %zu GIDs say their type", s->port->ngids);
}

/* The bytes of the GID that the kernel makes of an address. */
static void gid_of_address(const struct address *address, uint8_t raw[static 16])
{
    static const uint8_t none[16];
    const uint8_t *bytes = memcmp(address->peer, none, 16) ? address->peer : address->raw;
    if (address->family == AF_INET6) {
        memcpy(raw, bytes, 16);
        return;
    }
    memset(raw, 0, 16);
    raw[10] = raw[11] = 0xff;
    memcpy(raw + 12, bytes, 4);
}

static bool has_gid(const struct port *port, const uint8_t raw[static 16])
{
    for (size_t i = 0; i < port->ngids; i++)
        if (memcmp(port->gids[i].raw, raw, 16) == 0)
            return true;
    return false;
}

static bool gives_gid(const struct address *address)
{
    return (address->family == AF_INET || address->family == AF_INET6) &&
           !(address->flags & (IFA_TENTATIVE | IFA_DADFAILED));
}

static const struct address *address_without_gid(const struct subject *s, const struct netdev *netdev)
{
    if (!netdev->flags.known || !(netdev->flags.value & IFF_UP))
        return NULL;
    for (size_t i = 0; i < netdev->naddresses; i++) {
        uint8_t raw[16];
        gid_of_address(&netdev->addresses[i], raw);
        if (gives_gid(&netdev->addresses[i]) && !has_gid(s->port, raw))
            return &netdev->addresses[i];
    }
    return NULL;
}

static enum verdict judge_address(const struct subject *s, struct judgement *j)
{
    enum verdict verdict = no_table(s, j);
    if (verdict != VERDICTS)
        return verdict;
    if (!s->netdev)
        return judge_na(j, "the port has no netdev here");
    if (!s->netdev->addresses_known)
        return judge_unknown(j, "addresses of %s: netlink did not answer", s->netdev->name);
    if (s->netdev->master)
        return judge_na(j, "%s is a member of %s", s->netdev->name, s->netdev->master);
    for (size_t i = 0; i < s->host->nnetdevs; i++) {
        const struct netdev *netdev = &s->host->netdevs[i];
        if (netdev->kind == NETDEV_BRIDGE || !netdev_is_above(s->host, netdev, s->netdev))
            continue;
        const struct address *address = address_without_gid(s, netdev);
        if (!address)
            continue;
        char text[64];
        address_format(address, text);
        judge_fix(j, "ip address del %s dev %s; ip address add %s dev %s (it registers the address anew)",
                  text, netdev->name, text, netdev->name);
        return judge_fail(j, "%s of %s has no GID in %s", text, netdev->name, port_path(j, s->port, "gids"));
    }
    return judge_pass(j, "each address of %s has its GID", s->netdev->name);
}

static bool has_address(const struct netdev *netdev, const uint8_t raw[static 16])
{
    for (size_t i = 0; i < netdev->naddresses; i++) {
        uint8_t own[16];
        gid_of_address(&netdev->addresses[i], own);
        if (memcmp(own, raw, 16) == 0)
            return true;
    }
    return false;
}

static enum verdict judge_stale(const struct subject *s, struct judgement *j)
{
    size_t looked = 0;
    enum verdict verdict = no_gids(s, j);
    if (verdict != VERDICTS)
        return verdict;
    for (size_t i = 0; i < s->port->ngids; i++) {
        const struct gid *gid = &s->port->gids[i];
        const struct netdev *netdev = host_find_netdev(s->host, gid->netdev);
        if (!netdev || gid_is_link_local(gid->raw)) /* default GIDs stand for the MAC, not for an address */
            continue;
        if (!netdev->addresses_known)
            return judge_unknown(j, "addresses of %s: netlink did not answer", netdev->name);
        looked++;
        if (has_address(netdev, gid->raw))
            continue;
        char text[GID_ADDRESS_SIZE];
        gid_address(gid->raw, text);
        judge_fix(j, "ip link set dev %s down; ip link set dev %s up, when nothing uses it", netdev->name,
                  netdev->name);
        return judge_warn(j, "%s: %s, which is no address of %s", gid_path(j, s->port, gid->index), text,
                          netdev->name);
    }
    return looked ? judge_pass(j, "%zu GIDs stand for addresses that are there", looked)
                  : judge_na(j, "no GID stands for an address of a netdev here");
}

static enum verdict judge_holes(const struct subject *s, struct judgement *j)
{
    enum verdict verdict = no_gids(s, j);
    if (verdict != VERDICTS)
        return verdict;
    const struct gid *used = port_first_routable(s->port);
    if (!used)
        return judge_na(j, "no routable RoCE v2 GID: see gid-routable, gid-v2");
    uint32_t first = 0;
    while (first < used->index && port_gid(s->port, first))
        first++;
    if (first == used->index)
        return judge_pass(j, "no empty slot before GID %u", used->index);
    if (s->netdev)
        judge_fix(
            j,
            "let the library choose (unset NCCL_IB_GID_INDEX); to fill the slots from the start: ip link set dev %s down, then up, when nothing uses it",
            s->netdev->name);
    return judge_warn(j, "%s is empty, the first routable RoCE v2 GID is %u", gid_path(j, s->port, first),
                      used->index);
}

static bool same_gid(const struct gid *a, const struct gid *b)
{
    return a->type == b->type && memcmp(a->raw, b->raw, 16) == 0;
}

/* Another GID like gid of port, on another port or netdev; *where is its port. */
static const struct gid *find_twin(const struct host *host, const struct port *port, const struct gid *gid,
                                   const struct port **where)
{
    *where = NULL;
    while ((*where = host_next_port(host, *where)))
        for (size_t i = 0; port_is_roce(*where) && i < (*where)->ngids; i++) {
            const struct gid *other = &(*where)->gids[i];
            bool same_place = *where == port && other->netdev && text_is(gid->netdev, other->netdev);
            if (other != gid && !same_place && same_gid(other, gid))
                return other;
        }
    return NULL;
}

static enum verdict judge_duplicate(const struct subject *s, struct judgement *j)
{
    enum verdict verdict = no_gids(s, j);
    if (verdict != VERDICTS)
        return verdict;
    for (size_t i = 0; i < s->port->ngids; i++) {
        const struct gid *gid = &s->port->gids[i];
        const struct port *where;
        /* a VLAN has its netdev's MAC, hence the same link-local address: only routable ones must be unique */
        const struct gid *twin = gid_is_routable(gid->raw) ? find_twin(s->host, s->port, gid, &where) : NULL;
        if (!twin)
            continue;
        char text[GID_ADDRESS_SIZE];
        gid_address(gid->raw, text);
        return judge_warn(j, "%s (%s): %s, also %s/%u GID %u (%s)", gid_path(j, s->port, gid->index),
                          gid->netdev ? gid->netdev : "no netdev", text, where->device->name, where->number,
                          twin->index, twin->netdev ? twin->netdev : "no netdev");
    }
    return judge_pass(j, "no GID of it stands twice");
}

static enum verdict judge_index(const struct subject *s, struct judgement *j)
{
    const struct port *first = NULL;
    uint32_t index = 0;
    size_t ports = 0;
    for (const struct port *port = NULL; (port = host_next_port(s->host, port));) {
        const struct gid *gid = port_is_roce(port) ? port_first_routable(port) : NULL;
        if (!gid || !port_is_active(port))
            continue;
        ports++;
        if (!first) {
            first = port;
            index = gid->index;
        } else if (gid->index != index) {
            return judge_warn(j, "first routable RoCE v2 GID: %s/%u has %u, %s/%u has %u", first->device->name,
                              first->number, index, port->device->name, port->number, gid->index);
        }
    }
    if (ports < 2)
        return judge_na(j, "fewer than two ACTIVE RoCE ports with a routable GID");
    return judge_pass(j, "index %u on all %zu ports", index, ports);
}

static enum verdict judge_namespace(const struct subject *s, struct judgement *j)
{
    enum verdict verdict = no_gids(s, j);
    if (verdict != VERDICTS)
        return verdict;
    for (size_t i = 0; i < s->port->ngids; i++) {
        const struct gid *gid = &s->port->gids[i];
        if (gid->netdev && !host_find_netdev(s->host, gid->netdev))
            return judge_warn(j, "%s/ndevs/%u: %s, which is not in this network namespace",
                              port_path(j, s->port, "gid_attrs"), gid->index, gid->netdev);
    }
    return judge_pass(j, "the netdevs of all %zu GIDs are here", s->port->ngids);
}

static const struct netdev *vlan_of(const struct host *host, const struct gid *gid)
{
    const struct netdev *netdev = host_find_netdev(host, gid->netdev);
    return netdev && netdev->kind == NETDEV_VLAN ? netdev : NULL;
}

static enum verdict judge_vlan(const struct subject *s, struct judgement *j)
{
    size_t vlans = 0;
    enum verdict verdict = no_gids(s, j);
    if (verdict != VERDICTS)
        return verdict;
    for (size_t i = 0; i < s->port->ngids; i++) {
        const struct gid *gid = &s->port->gids[i];
        const struct netdev *netdev = vlan_of(s->host, gid);
        if (!netdev)
            continue;
        vlans++;
        if (!netdev->vlan_id.known)
            return judge_unknown(j, "/proc/net/vlan/%s could not be read, nor netlink's VLAN id",
                                 netdev->name);
        if (netdev->vlan_id.value == 0) {
            judge_fix(
                j, "ip link delete %s; ip link add link %s name %s type vlan id ID, with the switch's VLAN id",
                netdev->name, netdev->lower ? netdev->lower : "NETDEV", netdev->name);
            return judge_warn(j, "GID %u belongs to %s, whose VLAN id is 0", gid->index, netdev->name);
        }
    }
    return vlans ? judge_pass(j, "%zu GIDs of VLANs have a tag", vlans) : judge_na(j, "no GID of a VLAN");
}

static enum verdict judge_port_guid(const struct subject *s, struct judgement *j)
{
    enum verdict verdict = no_table(s, j);
    if (verdict != VERDICTS)
        return verdict;
    const struct gid *gid = port_gid(s->port, 0);
    static const uint8_t none[8];
    if (gid && memcmp(gid->raw + 8, none, 8) != 0)
        return judge_pass(j, "%s is filled", gid_path(j, s->port, 0));
    if (s->netdev)
        judge_fix(
            j,
            "ip link set dev %s down; ip link set dev %s up, when nothing uses it: the default GID comes back in slot 0",
            s->netdev->name, s->netdev->name);
    return judge_warn(j, "%s: low 8 bytes are zero", gid_path(j, s->port, 0));
}

static enum verdict judge_full(const struct subject *s, struct judgement *j)
{
    enum verdict verdict = no_gids(s, j);
    if (verdict != VERDICTS)
        return verdict;
    uint64_t slots = s->port->gid_table_len.value;
    return judge_as(j, slots >= MANY_SLOTS && s->port->ngids >= slots ? VERDICT_WARN : VERDICT_PASS,
                    "%s: %zu of %" PRIu64 " slots are filled", port_path(j, s->port, "gids"), s->port->ngids,
                    slots);
}

#define GIDS (NEED_GIDS | NEED_STATE | NEED_NETDEV_ALL | NEED_NLDEV)

const struct check checks_gid[] = {
    { .id = "gid-table",
      .topic = "gid",
      .healthy = "the GID table holds something",
      .why = "Every RoCE queue pair needs a source GID: with none, show_gids prints n_gids_found=0 and connections fail with \"No such device\".",
      .fix = "switch the netdev on and give it an address",
      .fires_on = "fault-gid",
      .scope = SCOPE_PORT,
      .needs = GIDS,
      .judge = judge_table },
    { .id = "gid-routable",
      .topic = "gid",
      .healthy = "there is a GID other than link-local",
      .why = "Link-local GIDs don't leave the link, and libraries that look for an IPv4 GID fall back to index 0: \"Connection timed out\", IBV_WC_RETRY_EXC_ERR.",
      .fix = "give the port's netdev an IPv4 or a global IPv6 address",
      .fires_on = "fault-gid",
      .scope = SCOPE_PORT,
      .needs = GIDS,
      .judge = judge_routable },
    { .id = "gid-v2",
      .topic = "gid",
      .healthy = "there is a RoCE v2 GID",
      .why = "RoCE v1 frames aren't IP: no router forwards them, and peers that choose v2 never answer.",
      .fix = "use a driver and firmware that offer RoCE v2 (mlx4: modprobe mlx4_core roce_mode=2, ConnectX-3 Pro)",
      .fires_on = "fault-gid",
      .scope = SCOPE_PORT,
      .needs = GIDS,
      .judge = judge_v2 },
    { .id = "gid-type",
      .topic = "gid",
      .healthy = "each GID says its type",
      .why = "NCCL before 2.26 stops with \"ncclIbRoceGetVersionNum: Invalid argument\", and ibv_devinfo leaves the GID out.",
      .fix = "update the driver; choose the GID by hand meanwhile (roce gids --for nccl)",
      .fires_on = "broken",
      .scope = SCOPE_PORT,
      .needs = GIDS,
      .judge = judge_type },
    { .id = "gid-address",
      .topic = "gid",
      .healthy = "each address of the netdev has its GID",
      .why = "An address without a GID can't be used for RDMA: RDMA_CM finds no device for it.",
      .fix = "register the address anew: delete and add it",
      .fires_on = "fault-address",
      .scope = SCOPE_PORT,
      .needs = GIDS | NEED_ADDRESSES,
      .judge = judge_address },
    { .id = "gid-stale",
      .topic = "gid",
      .healthy = "each GID's address is still on its netdev",
      .why = "Whoever uses such a GID sends from an address that nobody answers to.",
      .fix = "take the netdev down and up when nothing uses it",
      .fires_on = "fault-address",
      .scope = SCOPE_PORT,
      .needs = GIDS | NEED_ADDRESSES,
      .judge = judge_stale },
    { .id = "gid-holes",
      .topic = "gid",
      .healthy = "no empty slot lies before the first usable GID",
      .why = "A hole shows that an address left its slot (a flap while in use) and came back in another: a pinned index now names nothing, and readers that stop at the first hole miss the rest.",
      .fix = "never pin a GID index; let the library choose",
      .fires_on = "fault-gid",
      .scope = SCOPE_PORT,
      .needs = GIDS,
      .judge = judge_holes },
    { .id = "gid-duplicate",
      .topic = "gid",
      .healthy = "no GID stands twice",
      .why = "The same address on two netdevs: which one sends is chance, and the answers come in at the other.",
      .fix = "remove the address from one of the netdevs",
      .fires_on = "fault-gid",
      .scope = SCOPE_PORT,
      .needs = GIDS,
      .judge = judge_duplicate },
    { .id = "gid-index",
      .topic = "gid",
      .healthy = "the first usable GID has the same index on all ports",
      .why = "One NCCL_IB_GID_INDEX for all devices can't fit: on some of them it names another GID or none.",
      .fix = "unset NCCL_IB_GID_INDEX and UCX_IB_GID_INDEX, or choose by address (NCCL_IB_ADDR_RANGE)",
      .fires_on = "fault-gid",
      .scope = SCOPE_HOST,
      .needs = GIDS,
      .judge = judge_index },
    { .id = "gid-namespace",
      .topic = "gid",
      .healthy = "the netdevs of all GIDs are in this network namespace",
      .why = "The table isn't divided by namespace: it shows GIDs of netdevs elsewhere, and using one here fails with ENODEV or sends from the wrong container.",
      .fix = "use a GID whose netdev is here (roce gids), or exclusive RDMA namespaces",
      .fires_on = "fault-gid",
      .scope = SCOPE_PORT,
      .needs = GIDS,
      .judge = judge_namespace },
    { .id = "gid-vlan",
      .topic = "gid",
      .healthy = "GIDs of VLANs have a tag",
      .why = "With VLAN id 0 frames carry a priority but no VLAN: the switch puts them into its native VLAN, where the peer isn't.",
      .fix = "give the VLAN netdev the switch's VLAN id",
      .fires_on = "fault-vlan",
      .scope = SCOPE_PORT,
      .needs = GIDS | NEED_ADDRESSES,
      .judge = judge_vlan },
    { .id = "port-guid",
      .topic = "gid",
      .healthy = "the port GUID isn't zero",
      .why = "The port GUID is the low half of GID 0; tools that hard-code index 0 (and libibumad before rdma-core 50) fail with ENODEV when that slot is empty.",
      .fix = "take the netdev down and up; never hard-code GID index 0",
      .fires_on = "fault-gid",
      .scope = SCOPE_PORT,
      .needs = GIDS,
      .judge = judge_port_guid },
    { .id = "gid-table-full",
      .topic = "gid",
      .healthy = "the GID table has room",
      .why = "Further addresses get no GID, and the kernel doesn't say so.",
      .fix = "remove addresses, VLANs or macvlans that RDMA doesn't need from the port's netdev",
      .fires_on = "fault-gid-full",
      .scope = SCOPE_PORT,
      .needs = GIDS,
      .judge = judge_full },
    { 0 },
};
