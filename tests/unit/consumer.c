/* SPDX-License-Identifier: MIT */
/* Which GID a library takes: the tables of the issues that users filed, and what the libraries' sources say
 * of the rest. A row is a table, the variables, a consumer and what it takes. */
#include "consumer/consumer.h"
#include "consumer/advice.h"

#include <criterion/criterion.h>

#define V1 GID_TYPE_IB_ROCE_V1
#define V2 GID_TYPE_ROCE_V2
#define UNREAD GID_TYPE_UNKNOWN
#define LOCAL "fe80:0000:0000:0000:c670:bdff:feaa:1fc8"
#define LOCAL2 "fe80:0000:0000:0001:c670:bdff:feaa:1fc8" /* of fe80::/10, not of fe80::/64 */
#define SELF_ASSIGNED "0000:0000:0000:0000:0000:ffff:a9fe:0102"
#define IPV4 "0000:0000:0000:0000:0000:ffff:0a16:74dd"   /* 10.22.116.221 */
#define OTHER4 "0000:0000:0000:0000:0000:ffff:c0a8:0107" /* 192.168.1.7 */
#define IPV6 "2001:0db8:0074:0000:0000:0000:0000:00dd"
#define ULA "fd00:0000:0000:0007:0000:0000:0000:00dd"
#define SUBNET "fe80:0000:0000:0000:0002:c903:00aa:1fc8" /* InfiniBand's */
#define ROUTED "fec0:0000:0012:0001:0002:c903:00aa:1fc8" /* with a FLID, 0x12 */
#define MAC "0200:0000:0001:0000:0000:0000:0000:0000"    /* iWARP's */

enum { NONE = -1, UNUSED = -2 };

struct slot {
    uint32_t index;
    enum gid_type type;
    const char *gid;
};

struct table {
    struct slot slots[8];
    uint64_t length; /* 0: 16 */
    enum transport transport;
    bool without_roce, down;
    enum gid_type mode;
};

static const struct table usual = {
    .slots = { { 0, V1, LOCAL }, { 1, V2, LOCAL }, { 2, V1, IPV4 }, { 3, V2, IPV4 } }
};
static const struct table only6 = {
    .slots = { { 0, V1, LOCAL }, { 1, V2, LOCAL }, { 4, V1, IPV6 }, { 5, V2, IPV6 } }
};
static const struct table local = { .slots = { { 0, V1, LOCAL }, { 1, V2, LOCAL } } };
static const struct table both = { .slots = { { 0, V1, LOCAL },
                                              { 1, V2, LOCAL },
                                              { 2, V1, IPV6 },
                                              { 3, V2, IPV6 },
                                              { 4, V1, IPV4 },
                                              { 5, V2, IPV4 } } };
static const struct table v4_first = {
    .slots = { { 0, V1, IPV4 }, { 1, V2, IPV4 }, { 4, V1, IPV6 }, { 5, V2, IPV6 } }
};
static const struct table only4 = { .slots = { { 0, V1, IPV4 }, { 1, V2, IPV4 } } };
static const struct table two4 = { .slots = { { 0, V1, LOCAL },
                                              { 1, V2, LOCAL },
                                              { 2, V1, IPV4 },
                                              { 3, V2, IPV4 },
                                              { 4, V1, OTHER4 },
                                              { 5, V2, OTHER4 } } };
static const struct table two6 = { .slots = { { 0, V1, LOCAL },
                                              { 1, V2, LOCAL },
                                              { 2, V1, IPV6 },
                                              { 3, V2, IPV6 },
                                              { 4, V1, ULA },
                                              { 5, V2, ULA } } };
static const struct table holes = { .slots = { { 7, V1, IPV4 }, { 11, V2, IPV4 } } };
static const struct table holes6 = { .slots = { { 7, V1, IPV6 }, { 11, V2, IPV6 } } };
static const struct table v1_only = { .slots = { { 0, V1, LOCAL }, { 1, V1, IPV4 } } };
static const struct table v2_before_v1 = { .slots = { { 0, V2, LOCAL }, { 1, V2, IPV4 }, { 2, V1, IPV4 } } };
static const struct table self_assigned = { .slots = {
                                                { 0, V2, LOCAL }, { 1, V2, SELF_ASSIGNED }, { 2, V2, IPV6 } } };
static const struct table by_cable = {
    .slots = { { 0, V1, LOCAL }, { 1, V2, LOCAL }, { 2, V1, SELF_ASSIGNED }, { 3, V2, SELF_ASSIGNED } }
};
static const struct table two_locals = { .slots = { { 0, V2, LOCAL }, { 1, V2, LOCAL2 }, { 2, V2, IPV6 } } };
static const struct table unread = { .slots = { { 0, V1, LOCAL }, { 1, UNREAD, IPV4 }, { 2, V2, IPV4 } } };
static const struct table mode1 = { .slots = { { 2, V1, IPV4 }, { 3, V2, IPV4 } }, .mode = V1 };
static const struct table full = { .slots = { { 0, V1, IPV4 }, { 1, V2, IPV4 } }, .length = 2 };
static const struct table empty = { .length = 16 };
static const struct table off = { .without_roce = true };
static const struct table off_down = { .without_roce = true, .down = true };
static const struct table infiniband = { .slots = { { 0, V1, SUBNET } }, .transport = TRANSPORT_INFINIBAND };
static const struct table routed = { .slots = { { 0, V1, SUBNET }, { 1, V1, ROUTED } },
                                     .transport = TRANSPORT_INFINIBAND };
static const struct table iwarp = { .slots = { { 0, V1, MAC } }, .length = 1, .transport = TRANSPORT_IWARP };

static const struct {
    const char *what;
    const struct table *table;
    enum consumer consumer;
    const char *told; /* "NAME=VALUE NAME=VALUE"; of a file: "nccl:NAME=VALUE" */
    int64_t index;
    bool good;
} cases[] = {
    { "NCCL: IPv4 of v2", &usual, CONSUMER_NCCL, NULL, 3, true },
    { "RCCL: as NCCL", &usual, CONSUMER_RCCL, NULL, 3, true },
    { "NCCL: IPv6 only, and it looks for IPv4", &only6, CONSUMER_NCCL, NULL, 0, false },
    { "NCCL: IPv6 only, told so", &only6, CONSUMER_NCCL, "NCCL_IB_ADDR_FAMILY=AF_INET6", 5, true },
    { "RCCL: reads NCCL's variables", &only6, CONSUMER_RCCL, "NCCL_IB_ADDR_FAMILY=AF_INET6", 5, true },
    { "NCCL: a family in other words is AF_INET", &only6, CONSUMER_NCCL, "NCCL_IB_ADDR_FAMILY=6", 0, false },
    { "NCCL: link-local only", &local, CONSUMER_NCCL, NULL, 0, false },
    { "NCCL: link-local only, IPv6", &local, CONSUMER_NCCL, "NCCL_IB_ADDR_FAMILY=AF_INET6", 0, false },
    { "NCCL: IPv4 behind IPv6", &both, CONSUMER_NCCL, NULL, 5, true },
    { "NCCL: IPv6 before IPv4", &both, CONSUMER_NCCL, "NCCL_IB_ADDR_FAMILY=AF_INET6", 3, true },
    { "NCCL: to IPv6 over an empty slot", &v4_first, CONSUMER_NCCL, "NCCL_IB_ADDR_FAMILY=AF_INET6", 5, true },
    { "NCCL: wants IPv6, ends in an empty slot", &only4, CONSUMER_NCCL, "NCCL_IB_ADDR_FAMILY=AF_INET6", 2,
      false },
    { "NCCL: wants IPv6, none and no empty slot", &full, CONSUMER_NCCL, "NCCL_IB_ADDR_FAMILY=AF_INET6", 0,
      false },
    { "NCCL: from v1 in slot 0 to v2", &only4, CONSUMER_NCCL, NULL, 1, true },
    { "NCCL: the first of two networks", &two4, CONSUMER_NCCL, NULL, 3, true },
    { "NCCL: a range", &two4, CONSUMER_NCCL, "NCCL_IB_ADDR_RANGE=192.168.0.0/16", 5, true },
    { "NCCL: a range of one", &two4, CONSUMER_NCCL, "NCCL_IB_ADDR_RANGE=192.168.1.7/32", 5, true },
    { "NCCL: a range without a GID", &two4, CONSUMER_NCCL, "NCCL_IB_ADDR_RANGE=172.16.0.0/12", 0, false },
    { "NCCL: a range of another family is ignored", &two4, CONSUMER_NCCL, "NCCL_IB_ADDR_RANGE=fd00::/8", 3,
      true },
    { "NCCL: a range without a length is ignored", &two4, CONSUMER_NCCL, "NCCL_IB_ADDR_RANGE=192.168.1.7", 3,
      true },
    { "NCCL: a range too long is ignored", &two4, CONSUMER_NCCL, "NCCL_IB_ADDR_RANGE=192.168.0.0/33", 3, true },
    { "NCCL: a range of length 0 is all", &two4, CONSUMER_NCCL, "NCCL_IB_ADDR_RANGE=192.168.0.0/0", 3, true },
    { "NCCL: nothing is in a negative range", &two4, CONSUMER_NCCL, "NCCL_IB_ADDR_RANGE=10.0.0.0/-1", 0,
      false },
    { "NCCL: an IPv6 range", &two6, CONSUMER_NCCL,
      "NCCL_IB_ADDR_FAMILY=AF_INET6 NCCL_IB_ADDR_RANGE=fd00:0:0:7::/61", 5, true },
    { "NCCL: holes", &holes, CONSUMER_NCCL, NULL, 11, true },
    { "NCCL: holes, IPv6", &holes6, CONSUMER_NCCL, "NCCL_IB_ADDR_FAMILY=AF_INET6", 11, true },
    { "NCCL: holes, IPv6 unasked", &holes6, CONSUMER_NCCL, NULL, 0, false },
    { "NCCL: v1 only: the family counts more", &v1_only, CONSUMER_NCCL, NULL, 1, false },
    { "NCCL: v1 wanted", &usual, CONSUMER_NCCL, "NCCL_IB_ROCE_VERSION_NUM=1", 2, false },
    { "NCCL: v1 wanted, v2 before it", &v2_before_v1, CONSUMER_NCCL, "NCCL_IB_ROCE_VERSION_NUM=1", 2, false },
    { "NCCL: no version that is", &usual, CONSUMER_NCCL, "NCCL_IB_ROCE_VERSION_NUM=3", 2, false },
    { "NCCL: what is no number is 0", &usual, CONSUMER_NCCL, "NCCL_IB_GID_INDEX=auto", 0, false },
    { "NCCL: an empty variable is none", &usual, CONSUMER_NCCL, "NCCL_IB_GID_INDEX=", 3, true },
    { "NCCL: -1 pins nothing", &usual, CONSUMER_NCCL, "NCCL_IB_GID_INDEX=-1", 3, true },
    { "NCCL: pinned", &two4, CONSUMER_NCCL, "NCCL_IB_GID_INDEX=5", 5, true },
    { "NCCL: pinned, hexadecimal", &two4, CONSUMER_NCCL, "NCCL_IB_GID_INDEX=0x5", 5, true },
    { "NCCL: pinned, empty slot", &usual, CONSUMER_NCCL, "NCCL_IB_GID_INDEX=4", 4, false },
    { "NCCL: self-assigned IPv4", &self_assigned, CONSUMER_NCCL, NULL, 1, false },
    { "NCCL: self-assigned IPv4, and no better", &by_cable, CONSUMER_NCCL, NULL, 3, true },
    { "NCCL: fe80::/64 alone is link-local to it", &two_locals, CONSUMER_NCCL, "NCCL_IB_ADDR_FAMILY=AF_INET6",
      1, false },
    { "NCCL: a type that can't be read", &unread, CONSUMER_NCCL, NULL, 2, true },
    { "NCCL: empty table", &empty, CONSUMER_NCCL, NULL, 0, false },
    { "NCCL: RoCE off, yet it takes the port", &off, CONSUMER_NCCL, NULL, NONE, false },
    { "NCCL: RoCE off and down", &off_down, CONSUMER_NCCL, NULL, UNUSED, true },
    { "NCCL: RoCE off and left out", &off, CONSUMER_NCCL, "NCCL_IB_HCA=^mlx5_1", UNUSED, true },
    { "NCCL: InfiniBand", &infiniband, CONSUMER_NCCL, NULL, 0, true },
    { "NCCL: InfiniBand ignores the index", &infiniband, CONSUMER_NCCL, "NCCL_IB_GID_INDEX=3", 0, true },
    { "NCCL: InfiniBand with a FLID", &routed, CONSUMER_NCCL, NULL, 1, true },
    { "NCCL: InfiniBand, another slot for the FLID", &routed, CONSUMER_NCCL,
      "NCCL_IB_ROUTABLE_FLID_GID_INDEX=2", 0, true },
    { "NCCL: iWARP", &iwarp, CONSUMER_NCCL, NULL, NONE, false },
    { "NCCL: UCX' variable isn't its own", &usual, CONSUMER_NCCL, "UCX_IB_GID_INDEX=0", 3, true },

    { "NCCL: a file pins", &two4, CONSUMER_NCCL, "nccl:NCCL_IB_GID_INDEX=5", 5, true },
    { "NCCL: the environment before a file", &two4, CONSUMER_NCCL,
      "nccl:NCCL_IB_GID_INDEX=1 NCCL_IB_GID_INDEX=5", 5, true },
    { "NCCL: an empty variable holds against a file", &two4, CONSUMER_NCCL,
      "NCCL_IB_GID_INDEX= nccl:NCCL_IB_GID_INDEX=1", 3, true },
    { "NCCL: -1 against a file", &two4, CONSUMER_NCCL, "NCCL_IB_GID_INDEX=-1 nccl:NCCL_IB_GID_INDEX=1", 3,
      true },
    { "NCCL: the first line of a name", &two4, CONSUMER_NCCL,
      "nccl:NCCL_IB_GID_INDEX=5 nccl:NCCL_IB_GID_INDEX=1", 5, true },
    { "NCCL: a file asks for IPv6", &only6, CONSUMER_NCCL, "nccl:NCCL_IB_ADDR_FAMILY=AF_INET6", 5, true },
    { "NCCL: a file asks for IPv6, the environment for IPv4", &both, CONSUMER_NCCL,
      "nccl:NCCL_IB_ADDR_FAMILY=AF_INET6 NCCL_IB_ADDR_FAMILY=AF_INET", 5, true },
    { "NCCL: family of a file, range of the environment", &two6, CONSUMER_NCCL,
      "nccl:NCCL_IB_ADDR_FAMILY=AF_INET6 NCCL_IB_ADDR_RANGE=fd00::/8", 5, true },
    { "NCCL: a file leaves the port out", &usual, CONSUMER_NCCL, "nccl:NCCL_IB_HCA=^mlx5_1", UNUSED, true },
    { "NCCL: the environment takes it all the same", &usual, CONSUMER_NCCL,
      "nccl:NCCL_IB_HCA=^mlx5_1 NCCL_IB_HCA=mlx5_1", 3, true },
    { "NCCL: RCCL's file isn't its own", &two4, CONSUMER_NCCL, "rccl:NCCL_IB_GID_INDEX=5", 3, true },
    { "RCCL: its file", &two4, CONSUMER_RCCL, "rccl:NCCL_IB_GID_INDEX=5", 5, true },
    { "RCCL: NCCL's file isn't its own", &two4, CONSUMER_RCCL, "nccl:NCCL_IB_GID_INDEX=5", 3, true },
    { "NCCL: UCX' file isn't its own", &two4, CONSUMER_NCCL, "ucx:NCCL_IB_GID_INDEX=5", 3, true },

    { "UCX: IPv4 of v2", &usual, CONSUMER_UCX, NULL, 3, true },
    { "UCX: a file pins", &two4, CONSUMER_UCX, "ucx:UCX_IB_GID_INDEX=5", 5, true },
    { "UCX: auto against a file", &two4, CONSUMER_UCX, "UCX_IB_GID_INDEX=auto ucx:UCX_IB_GID_INDEX=1", 3,
      true },
    { "UCX: IPv6 in a file's subnets", &both, CONSUMER_UCX, "ucx:UCX_IB_ROCE_SUBNETS=2001:db8::/32", 3, true },
    { "UCX: a file leaves the port out", &usual, CONSUMER_UCX, "ucx:UCX_NET_DEVICES=mlx5_0:1", UNUSED, true },
    { "UCX: the environment takes it all the same", &usual, CONSUMER_UCX,
      "ucx:UCX_NET_DEVICES=mlx5_0:1 UCX_NET_DEVICES=all", 3, true },
    { "Open MPI: UCX' file", &two4, CONSUMER_MPI, "ucx:UCX_IB_GID_INDEX=5", 5, true },
    { "perftest: reads no file", &usual, CONSUMER_PERFTEST, "nccl:NCCL_IB_GID_INDEX=0", 3, true },
    { "Open MPI: as UCX", &usual, CONSUMER_MPI, NULL, 3, true },
    { "UCX: IPv6 of v2", &only6, CONSUMER_UCX, NULL, 5, true },
    { "UCX: global before link-local", &two_locals, CONSUMER_UCX, NULL, 2, true },
    { "UCX: link-local of v2", &local, CONSUMER_UCX, NULL, 1, false },
    { "UCX: v4 before v6", &both, CONSUMER_UCX, NULL, 5, true },
    { "UCX: self-assigned IPv4 is IPv4", &self_assigned, CONSUMER_UCX, NULL, 1, false },
    { "UCX: self-assigned IPv4, and no better", &by_cable, CONSUMER_UCX, NULL, 3, true },
    { "rdma_cm: self-assigned IPv4, and no better", &by_cable, CONSUMER_RDMA_CM, NULL, 3, true },
    { "UCX: v1 IPv4", &v1_only, CONSUMER_UCX, NULL, 1, false },
    { "UCX: a type that can't be read is v1", &unread, CONSUMER_UCX, NULL, 2, true },
    { "UCX: GID 0 empty: leaves the port out", &holes, CONSUMER_UCX, NULL, 11, false },
    { "UCX: GID 0 empty, another one pinned", &holes, CONSUMER_UCX, "UCX_IB_GID_INDEX=11", 11, true },
    { "UCX: pinned", &two4, CONSUMER_UCX, "UCX_IB_GID_INDEX=5", 5, true },
    { "UCX: pinned, empty slot", &usual, CONSUMER_UCX, "UCX_IB_GID_INDEX=9", 9, false },
    { "UCX: auto", &usual, CONSUMER_UCX, "UCX_IB_GID_INDEX=AUTO", 3, true },
    { "UCX: subnets", &two4, CONSUMER_UCX, "UCX_IB_ROCE_SUBNETS=172.16.0.0/12,192.168.0.0/16", 5, true },
    { "UCX: all but subnets", &two4, CONSUMER_UCX, "UCX_IB_ROCE_SUBNETS=^10.0.0.0/8,fe80::/10", 5, true },
    { "UCX: IPv6 subnets", &two6, CONSUMER_UCX, "UCX_IB_ROCE_SUBNETS=fd00::/8", 5, true },
    { "UCX: no GID in the subnets", &two4, CONSUMER_UCX, "UCX_IB_ROCE_SUBNETS=172.16.0.0/12", NONE, false },
    { "UCX: all subnets", &two4, CONSUMER_UCX, "UCX_IB_ROCE_SUBNETS=all", 3, true },
    { "UCX: an index and subnets at a time", &two4, CONSUMER_UCX,
      "UCX_IB_GID_INDEX=5 UCX_IB_ROCE_SUBNETS=192.168.0.0/16", 5, false },
    { "UCX: an index beside all subnets", &two4, CONSUMER_UCX, "UCX_IB_GID_INDEX=5 UCX_IB_ROCE_SUBNETS=all", 5,
      true },
    { "UCX: the local subnet is for peers", &two4, CONSUMER_UCX, "UCX_IB_ROCE_LOCAL_SUBNET=y", 3, true },
    { "UCX: RoCE off", &off, CONSUMER_UCX, NULL, UNUSED, true },
    { "UCX: InfiniBand", &infiniband, CONSUMER_UCX, NULL, 0, true },
    { "UCX: InfiniBand, pinned", &routed, CONSUMER_UCX, "UCX_IB_GID_INDEX=1", 1, true },
    { "UCX: InfiniBand, pinned to an empty slot", &routed, CONSUMER_UCX, "UCX_IB_GID_INDEX=2", 2, false },
    { "UCX: iWARP", &iwarp, CONSUMER_UCX, NULL, UNUSED, true },
    { "UCX: empty table", &empty, CONSUMER_UCX, NULL, 0, false },

    { "perftest: IPv4 of v2", &usual, CONSUMER_PERFTEST, NULL, 3, true },
    { "perftest: IPv6 of v2", &only6, CONSUMER_PERFTEST, NULL, 5, true },
    { "perftest: IPv4 of v1 before IPv6 of v2", &v4_first, CONSUMER_PERFTEST, NULL, 1, true },
    { "perftest: the first of equals", &two4, CONSUMER_PERFTEST, NULL, 3, true },
    { "perftest: self-assigned IPv4 before IPv6", &self_assigned, CONSUMER_PERFTEST, NULL, 1, false },
    { "perftest: fe80::/10 is link-local", &two_locals, CONSUMER_PERFTEST, NULL, 2, true },
    { "perftest: holes", &holes, CONSUMER_PERFTEST, NULL, 11, true },
    { "perftest: reads no variable", &usual, CONSUMER_PERFTEST, "NCCL_IB_GID_INDEX=0", 3, true },
    { "perftest: InfiniBand", &infiniband, CONSUMER_PERFTEST, NULL, 0, true },
    { "perftest: iWARP", &iwarp, CONSUMER_PERFTEST, NULL, NONE, true },
    { "perftest: RoCE off", &off, CONSUMER_PERFTEST, NULL, UNUSED, true },

    { "RDMA_CM: IPv4 of v2", &usual, CONSUMER_RDMA_CM, NULL, 3, true },
    { "RDMA_CM: IPv6 only", &only6, CONSUMER_RDMA_CM, NULL, 5, true },
    { "RDMA_CM: the first address", &both, CONSUMER_RDMA_CM, NULL, 3, true },
    { "RDMA_CM: the port's default is v1", &mode1, CONSUMER_RDMA_CM, NULL, 2, false },
    { "RDMA_CM: a device without v2", &v1_only, CONSUMER_RDMA_CM, NULL, 1, false },
    { "RDMA_CM: iWARP", &iwarp, CONSUMER_RDMA_CM, NULL, NONE, true },
    { "libfabric: as RDMA_CM", &mode1, CONSUMER_LIBFABRIC, NULL, 2, false },
    { "libfabric: IPv6 only", &only6, CONSUMER_LIBFABRIC, NULL, 5, true },
    { "RDMA_CM: empty table", &empty, CONSUMER_RDMA_CM, NULL, NONE, false },
};

/* A machine with one port, made of a table and variables. */
struct machine {
    struct gid gids[8];
    struct port port;
    struct device device;
    struct environment environment[4];
    struct setting settings[4];
    struct host host;
    char text[256];
};

static void set_one(struct machine *machine, char *word)
{
    static const char *const files[] = {
        [LIBRARY_NCCL] = "nccl:", [LIBRARY_RCCL] = "rccl:", [LIBRARY_UCX] = "ucx:"
    };
    struct system *system = &machine->host.system;
    char *value = strchr(word, '=');
    cr_assert_not_null(value, "%s has no value", word);
    if (!value)
        return;
    *value++ = '\0';
    for (enum library library = LIBRARY_NCCL; library < ARRAY_SIZE(files); library++)
        if (text_starts(word, files[library])) {
            machine->settings[system->nsettings++] = (struct setting){ .name = word + strlen(files[library]),
                                                                       .value = value,
                                                                       .file = "/etc/x.conf",
                                                                       .line = 1,
                                                                       .library = library };
            return;
        }
    machine->environment[system->nenvironment++] = (struct environment){ word, value };
}

static void set_variables(struct machine *machine, const char *variables)
{
    snprintf(machine->text, sizeof(machine->text), "%s", variables ? variables : "");
    for (char *at = machine->text; *at;) {
        size_t len = strcspn(at, " ");
        bool last = at[len] == '\0';
        at[len] = '\0';
        set_one(machine, at);
        at += len + !last;
    }
}

static void make(struct machine *machine, const struct table *table, const char *variables)
{
    enum transport transport = table->transport ? table->transport : TRANSPORT_ROCE;
    *machine = (struct machine){ .device = { .name = "mlx5_1", .transport = transport } };
    machine->port = (struct port){
        .device = &machine->device,
        .number = 1,
        .transport = transport,
        .state = num_of(table->down ? PORT_STATE_DOWN : PORT_STATE_ACTIVE),
        .gid_table_len = num_of(table->without_roce ? 0
                                : table->length     ? table->length
                                                    : 16),
        .gids = machine->gids,
        .cm_mode = { .value = table->mode, .known = table->mode != GID_TYPE_UNKNOWN },
    };
    for (size_t i = 0; i < 8 && table->slots[i].gid; i++) {
        struct gid *gid = &machine->gids[machine->port.ngids++];
        *gid = (struct gid){ .index = table->slots[i].index, .type = table->slots[i].type };
        cr_assert_eq(gid_parse(table->slots[i].gid, gid->raw), 0);
    }
    machine->host.system.environment = machine->environment;
    machine->host.system.settings = machine->settings;
    set_variables(machine, variables);
}

Test(consumer, what_each_takes)
{
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        struct machine machine;
        make(&machine, cases[i].table, cases[i].told);
        struct choice choice = consumer_choose(cases[i].consumer, &machine.host, &machine.port);
        int64_t index = choice.unused ? UNUSED : choice.taken ? (int64_t)choice.index : NONE;
        cr_expect_eq(index, cases[i].index, "%s: takes %d, not %d", cases[i].what, (int)index,
                     (int)cases[i].index);
        cr_expect_eq(!choice.flaw, cases[i].good, "%s: %s", cases[i].what, choice.flaw ? choice.flaw : "good");
        cr_expect_not_null(choice.why, "%s", cases[i].what);
        cr_expect_eq(choice.gid, choice.taken ? port_gid(&machine.port, choice.index) : NULL, "%s",
                     cases[i].what);
    }
}

/* mlx5_1/1 and mlx5_10/2 among what a list takes. */
static const struct {
    enum consumer consumer;
    const char *list;
    bool one, ten;
} lists[] = {
    { CONSUMER_NCCL, "", true, true },
    { CONSUMER_NCCL, "mlx5_1", true, true },
    { CONSUMER_NCCL, "mlx5_10", false, true },
    { CONSUMER_NCCL, "=mlx5_1", true, false },
    { CONSUMER_NCCL, "mlx5_1:1", true, false },
    { CONSUMER_NCCL, "mlx5_1:2", false, true },
    { CONSUMER_NCCL, "=mlx5_1:2", false, false },
    { CONSUMER_NCCL, "=mlx5_1:", true, false },
    { CONSUMER_NCCL, "mlx5_1:-1", true, true },
    { CONSUMER_NCCL, "=mlx5_1:1:0:3", true, false },
    { CONSUMER_NCCL, "=mlx5_1::0", true, false },
    { CONSUMER_NCCL, "=mlx5_3,mlx5_1:1", true, false },
    { CONSUMER_NCCL, "=,mlx5_10,", false, true },
    { CONSUMER_NCCL, "^mlx5_10", true, false },
    { CONSUMER_NCCL, "^mlx5_1", false, false },
    { CONSUMER_NCCL, "^=mlx5_1", false, true },
    { CONSUMER_NCCL, "^=mlx5_1:2", true, true },
    { CONSUMER_NCCL, "=^mlx5_1", false, false },
    { CONSUMER_NCCL, "^", false, false },
    { CONSUMER_NCCL, "=", true, true },
    { CONSUMER_NCCL, "rxe", false, false },
    { CONSUMER_UCX, "all", true, true },
    { CONSUMER_UCX, "mlx5_1:1", true, false },
    { CONSUMER_UCX, "mlx5_1", true, false },
    { CONSUMER_UCX, "mlx5_1:2,mlx5_10:2", false, true },
    { CONSUMER_UCX, "^mlx5_1:1", false, true },
    { CONSUMER_UCX, "mlx5_[0-3]:1", true, false },
    { CONSUMER_UCX, "mlx5_[0-10]", true, true },
    { CONSUMER_UCX, "mlx5_[0-10]:2", false, true },
    { CONSUMER_UCX, "mlx5_[2-9]:1,eth0", false, false },
    { CONSUMER_UCX, "eth0", false, false },
    { CONSUMER_MPI, "mlx5_10", false, true },
};

Test(consumer, lists_of_ports)
{
    for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
        struct machine machine;
        make(&machine, &usual, NULL);
        machine.environment[0] = (struct environment){ lists[i].consumer == CONSUMER_NCCL ? "NCCL_IB_HCA"
                                                                                          : "UCX_NET_DEVICES",
                                                       lists[i].list };
        machine.host.system.nenvironment = 1;
        cr_expect_eq(consumer_takes_port(lists[i].consumer, &machine.host.system, &machine.port), lists[i].one,
                     "\"%s\" and mlx5_1/1", lists[i].list);
        machine.device.name = "mlx5_10";
        machine.port.number = 2;
        cr_expect_eq(consumer_takes_port(lists[i].consumer, &machine.host.system, &machine.port), lists[i].ten,
                     "\"%s\" and mlx5_10/2", lists[i].list);
    }
}

Test(consumer, advice_forgets_what_is_set)
{
    struct machine machine;
    make(&machine, &only6, "NCCL_IB_GID_INDEX=0 NCCL_IB_ADDR_RANGE=10.0.0.0/8 NCCL_IB_HCA=rxe");
    cr_assert(consumer_choose(CONSUMER_NCCL, &machine.host, &machine.port).unused);
    cr_assert_not_null(consumer_advise(CONSUMER_NCCL, &machine.host, &machine.port, false).flaw);
    struct choice advised = consumer_advise(CONSUMER_NCCL, &machine.host, &machine.port, true);
    cr_assert_eq(advised.index, 5);
    cr_assert_null(advised.flaw);
}

/* What a release that is still in use does otherwise stands in the rule, and at the port where it matters. */
Test(consumer, what_older_releases_take_is_told)
{
    static const struct {
        const struct table *table;
        enum consumer consumer;
        const char *why; /* NULL: no version is named */
    } rows[] = {
        { &only6, CONSUMER_UCX, "UCX before 1.21" },
        { &only6, CONSUMER_MPI, "UCX before 1.21" },
        { &only6, CONSUMER_PERFTEST, "perftest before 26.04" },
        { &only6, CONSUMER_RDMA_CM, NULL },
        { &two6, CONSUMER_NCCL, NULL },
        { &usual, CONSUMER_UCX, NULL },
        { &usual, CONSUMER_PERFTEST, NULL },
        { &local, CONSUMER_UCX, NULL },
    };
    struct machine machine;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        make(&machine, rows[i].table, NULL);
        struct choice choice = consumer_choose(rows[i].consumer, &machine.host, &machine.port);
        cr_expect(rows[i].why ? strstr(choice.why, rows[i].why) != NULL : !strstr(choice.why, ": link-local)"),
                  "%zu: %s", i, choice.why);
    }
    cr_expect(strstr(consumer_rule(CONSUMER_NCCL), "before NCCL 2.21"));
    cr_expect(strstr(consumer_rule(CONSUMER_UCX), "before 1.21"));
    cr_expect(strstr(consumer_rule(CONSUMER_PERFTEST), "before 26.04"));
}

Test(consumer, ucx_is_told_the_index_where_gid_0_is_empty)
{
    struct machine machine;
    make(&machine, &holes, NULL);
    cr_assert_not_null(consumer_advise(CONSUMER_UCX, &machine.host, &machine.port, false).flaw);
    struct choice advised = consumer_advise(CONSUMER_UCX, &machine.host, &machine.port, true);
    cr_assert(advised.pinned);
    cr_assert_eq(advised.index, 11);
    cr_assert_null(advised.flaw);
    make(&machine, &usual, NULL);
    cr_assert_not(consumer_advise(CONSUMER_UCX, &machine.host, &machine.port, true).pinned);
}

Test(consumer, a_pin_is_told_by_its_variable)
{
    struct machine machine;
    make(&machine, &usual, "NCCL_IB_GID_INDEX=4");
    struct choice choice = consumer_choose(CONSUMER_NCCL, &machine.host, &machine.port);
    cr_assert(choice.pinned);
    cr_assert_str_eq(choice.why, "NCCL_IB_GID_INDEX");
    cr_assert_null(choice.by.file);
    cr_assert(strstr(choice.flaw, "slot is empty"));
    cr_assert_not(consumer_choose(CONSUMER_UCX, &machine.host, &machine.port).pinned);
}

Test(consumer, a_file_is_told_by_its_line)
{
    struct machine machine;
    make(&machine, &usual, "nccl:NCCL_IB_GID_INDEX=4 ucx:UCX_NET_DEVICES=eth0");
    struct choice choice = consumer_choose(CONSUMER_NCCL, &machine.host, &machine.port);
    cr_assert(choice.pinned);
    cr_assert_str_eq(choice.by.name, "NCCL_IB_GID_INDEX");
    cr_assert_str_eq(choice.by.value, "4");
    cr_assert_str_eq(choice.by.file, "/etc/x.conf");
    cr_assert_eq(choice.by.line, 1);
    choice = consumer_choose(CONSUMER_UCX, &machine.host, &machine.port);
    cr_assert(choice.unused && choice.left_out);
    cr_assert_str_eq(choice.by.value, "eth0");
}

Test(consumer, names)
{
    for (enum consumer consumer = 0; consumer < CONSUMERS; consumer++)
        cr_assert_eq(consumer_parse(consumer_name(consumer)), consumer);
    cr_assert_eq(consumer_parse("mvapich"), CONSUMERS);
}

/* ofiwg/libfabric issue 12673: Intel's NIC of a virtual machine, whose GID 0 is link-local. */
Test(consumer, what_libfabric_does_without_connections_is_told)
{
    cr_assert(strstr(consumer_rule(CONSUMER_LIBFABRIC), "verbs;ofi_rxd"));
    cr_assert(strstr(consumer_rule(CONSUMER_LIBFABRIC), "FI_VERBS_GID_IDX"));
}
