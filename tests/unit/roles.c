/* SPDX-License-Identifier: MIT */
/* What drivers' counters tell alike: each role is played by some, and what a port's come to is no more and no
 * less than happened. */
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "model/counters/roles.h"
#include "model/host.h"
#include "source/source.h"
#include "tree.h"

static bool is_played(enum counter_role role)
{
    size_t count;
    const struct counter_table *const *tables = counter_tables(&count);
    bool played = false;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < tables[i]->count; k++)
            if (tables[i]->defs[k].role == role) {
                cr_expect_eq(tables[i]->defs[k].kind, COUNTER_TOTAL, "%s", tables[i]->defs[k].name);
                played = true;
            }
    return played;
}

Test(roles, each_has_words_and_is_played)
{
    cr_expect_null(counter_role_name(ROLE_NONE));
    for (enum counter_role role = ROLE_NONE + 1; role < COUNTER_ROLES; role++) {
        cr_assert_not_null(counter_role_name(role));
        cr_expect_eq(strspn(counter_role_name(role), "abcdefghijklmnopqrstuvwxyz_"),
                     strlen(counter_role_name(role)));
        cr_expect_leq(strlen(counter_role_meaning(role)), 100, "%s", counter_role_name(role));
        cr_expect(is_played(role), "%s", counter_role_name(role));
    }
}

/* A counter of bytes doesn't stand for packets. */
Test(roles, units_agree)
{
    size_t count;
    const struct counter_table *const *tables = counter_tables(&count);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < tables[i]->count; k++) {
            const struct counter_def *def = &tables[i]->defs[k];
            if (def->role)
                cr_expect_eq(def->unit == COUNTER_BYTES, counter_role_unit(def->role) == COUNTER_BYTES, "%s",
                             def->name);
        }
}

static struct host *read_fixture(const char *name)
{
    struct source *source;
    struct host *host;
    cr_assert_eq(source_open_recording(tree_fixture(name), &source, NULL), 0);
    cr_assert_eq(host_read(source, NEED_COUNTERS, &host), 0);
    source_close(source);
    return host;
}

Test(roles, what_each_driver_fills)
{
    static const struct {
        const char *fixture;
        size_t least;
    } cases[] = {
        { "mlx5-roce-train", 15 },
        { "mlx4-mixed", 13 },
        { "bnxt-re-vlan", 11 },
        { "irdma-roce", 11 },
        { "mana", 12 },
        { "ionic-pollara", 11 },
        { "rxe-plain", 8 },
        { "hns-roce", 5 },
        { "erdma", 5 },
        { "efa", 5 },
        { "hfi1", 7 },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct host *host = read_fixture(cases[i].fixture);
        size_t filled = 0;
        for (enum counter_role role = ROLE_NONE + 1; role < COUNTER_ROLES; role++)
            filled += port_role_value(&host->devices[0].ports[0], role).sum.known;
        cr_expect_geq(filled, cases[i].least, "%s: %zu", cases[i].fixture, filled);
        host_free(host);
    }
}

/* rxe of Linux 7 has its packets in both directories. */
Test(roles, what_stands_in_two_directories_counts_once)
{
    struct host *host = read_fixture("rxe-dcb");
    struct port *port = &host->devices[0].ports[0];
    size_t seen = 0;
    for (size_t i = 0; i < port->ncounters; i++)
        if (port->counters[i].role == ROLE_TRANSMITTED_PACKETS) {
            port->counters[i].raw = num_of(7);
            seen++;
        }
    cr_assert_eq(seen, 2);
    cr_expect(num_is(port_role_value(port, ROLE_TRANSMITTED_PACKETS).sum, 7));
    host_free(host);
}

static struct counter counters[4];
static struct port port = { .number = 1, .counters = counters, .ncounters = 4 };
static struct device device = { .name = "mlx5_0", .ports = &port, .nports = 1 };

static void put(size_t i, const char *dir, const char *name, struct num raw, int err)
{
    const struct counter_def *def = counter_def_find("mlx5_core", dir, name);
    counters[i] = (struct counter){
        .dir = dir, .name = name, .raw = raw, .err = err, .def = def, .role = counter_role_find(def, dir, name)
    };
    port.ncounters = i + 1;
    port.device = &device;
}

Test(roles, a_sum_is_known_when_all_of_it_is)
{
    put(0, "hw_counters", "packet_seq_err", num_of(3), 0);
    put(1, "hw_counters", "local_ack_timeout_err", num_of(4), 0);
    cr_expect(num_is(port_role_value(&port, ROLE_RETRANSMISSIONS).sum, 7));
    put(2, "hw_counters", "implied_nak_seq_err", (struct num){ 0 }, EIO);
    struct role_value value = port_role_value(&port, ROLE_RETRANSMISSIONS);
    cr_expect(value.offered && !value.sum.known);
    cr_expect_not(port_role_value(&port, ROLE_CNP_SENT).offered);
}

/* A driver without a PMA has the files of counters/ all the same. */
Test(roles, refused_files_leave_it_to_the_next_directory)
{
    put(0, "counters", "port_xmit_packets", (struct num){ 0 }, EINVAL);
    put(1, "hw_counters", "tx_packets", num_of(5), 0);
    cr_expect(num_is(port_role_value(&port, ROLE_TRANSMITTED_PACKETS).sum, 5));
    counters[0].err = EIO; /* it is offered: the sum may not jump to another counter and back */
    cr_expect_not(port_role_value(&port, ROLE_TRANSMITTED_PACKETS).sum.known);
}

Test(roles, the_wider_of_two_counters)
{
    put(0, "counters", "port_xmit_data", num_of(UINT32_MAX), 0);
    put(1, "counters_ext", "port_xmit_data_64", num_of(UINT64_C(1) << 33), 0);
    struct role_value value = port_role_value(&port, ROLE_TRANSMITTED_BYTES);
    cr_expect(num_is(value.sum, UINT64_C(1) << 35));
    cr_expect_not(value.saturated);
    port.ncounters = 1;
    value = port_role_value(&port, ROLE_TRANSMITTED_BYTES);
    cr_expect(value.saturated && num_is(value.sum, (uint64_t)UINT32_MAX * 4));
}

Test(roles, the_devices_own_are_its_first_ports)
{
    struct host *host = read_fixture("mlx4-mixed");
    struct device *mlx4 = &host->devices[0];
    cr_assert_geq(mlx4->nports, 2);
    cr_expect(port_role_value(&mlx4->ports[0], ROLE_RETRANSMISSIONS).offered);
    cr_expect_not(port_role_value(&mlx4->ports[1], ROLE_RETRANSMISSIONS).offered);
    cr_expect(port_role_value(&mlx4->ports[1], ROLE_TRANSMITTED_PACKETS).offered);
    host_free(host);
}

Test(roles, all_of_several_roles)
{
    put(0, "hw_counters", "requester_rnr_nak", num_of(1), 0);
    put(1, "hw_counters", "packet_seq_err", num_of(1), 0);
    put(2, "hw_counters", "responder_rnr_nak", num_of(1), 0);
    put(3, "hw_counters", "rnr_nak_retry_err", num_of(1), 0);
    roles_t both = ROLES_OF(ROLE_RNR_NAKS_RECEIVED) | ROLES_OF(ROLE_RNR_NAKS_SENT);
    const struct counter *counter = port_next_in_role(&port, both, NULL);
    cr_expect_eq(counter, &counters[0]);
    counter = port_next_in_role(&port, both, counter);
    cr_expect_eq(counter, &counters[3]);
    counter = port_next_in_role(&port, both, counter);
    cr_expect_eq(counter, &counters[2]);
    cr_expect_null(port_next_in_role(&port, both, counter));
}

Test(roles, a_counter_near_its_end)
{
    const struct counter_def *wraps = counter_def_find("mlx5_core", "hw_counters", "packet_seq_err");
    cr_expect(counter_wraps_soon(wraps, num_of(UINT32_MAX)));
    cr_expect_not(counter_wraps_soon(wraps, num_of(UINT32_MAX / 2)));
    cr_expect_not(counter_wraps_soon(wraps, num_of(UINT64_C(1) << 33))); /* it is wider than the row says */
    cr_expect_not(counter_wraps_soon(wraps, (struct num){ 0 }));
    const struct counter_def *stops = counter_def_find(NULL, "counters", "symbol_error");
    cr_expect_not(counter_wraps_soon(stops, num_of(65535)));
    cr_expect_eq(counter_is_saturated(stops, num_of(65535)), TRI_YES);
    cr_expect_eq(counter_is_saturated(stops, num_of(65534)), TRI_NO);
    cr_expect_eq(counter_is_saturated(NULL, num_of(65535)), TRI_UNKNOWN);
}
