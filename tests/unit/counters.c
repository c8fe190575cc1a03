/* SPDX-License-Identifier: MIT */
/* The counter dictionary: is each table fit for bsearch and for a reader, are rows found, what do two
 * readings say. */
#include <criterion/criterion.h>

#include "model/counter_roles.h"
#include "model/counters.h"
#include "model/host.h"
#include "source/source.h"
#include "tree.h"

static const struct counter_def *hw(const char *driver, const char *name)
{
    return counter_def_find(driver, "hw_counters", name);
}

static const struct counter_def *pma(const char *name)
{
    return counter_def_find("mlx5_core", "counters", name);
}

Test(counters, tables_are_sorted_and_unique)
{
    size_t count = 0;

    while (counter_tables[count].count)
        count++;
    cr_assert_geq(count, 13);
    for (size_t i = 0; counter_tables[i].count; i++) {
        for (size_t j = 1; j < counter_tables[i].count; j++)
            cr_assert_lt(strcmp(counter_tables[i].defs[j - 1].name, counter_tables[i].defs[j].name), 0,
                         "%s: \"%s\" before \"%s\"", counter_tables[i].family,
                         counter_tables[i].defs[j - 1].name, counter_tables[i].defs[j].name);
    }
}

/* A family may have several tables for one directory: then no name may stand in two of them. */
Test(counters, each_row_is_the_one_found)
{
    size_t rows = 0;

    for (size_t i = 0; counter_tables[i].count; i++) {
        for (size_t j = 0; j < counter_tables[i].count; j++, rows++) {
            const struct counter_def *def = &counter_tables[i].defs[j];
            cr_assert_eq(counter_table_find(&counter_tables[i], def->name), def, "%s", def->name);
            cr_assert_eq(counter_def_find(counter_tables[i].family, counter_tables[i].dir, def->name), def,
                         "%s", def->name);
        }
    }
    cr_assert_gt(rows, 500);
}

Test(counters, rows_are_complete)
{

    for (size_t i = 0; counter_tables[i].count; i++) {
        for (size_t j = 0; j < counter_tables[i].count; j++) {
            const struct counter_def *def = &counter_tables[i].defs[j];
            size_t length = strlen(counter_meaning(def));
            cr_assert(length >= 4 && length <= 100, "%s: meaning of %zu characters", def->name, length);
            cr_assert_neq(counter_meaning(def)[length - 1], '.', "%s", def->name);
            cr_assert_geq(def->scale, 1, "%s", def->name);
            cr_assert_leq(def->width, 64, "%s", def->name);
            cr_assert(def->narrow == 0 || def->narrow < def->width, "%s", def->name);
            cr_assert_neq(counter_unit_name(def->unit), NULL, "%s", def->name);
            cr_assert_neq(counter_severity_name(def->severity), NULL, "%s", def->name);
            cr_assert_neq(counter_kind_name(def->kind), NULL, "%s", def->name);
            cr_assert(def->kind == COUNTER_TOTAL || def->severity != COUNTER_ERROR,
                      "%s: a level can't be an error", def->name);
        }
    }
}

/* The same event is as bad on each driver. Discards and packets with an error are of many kinds. */
Test(counters, severity_is_the_same_on_each_driver)
{
    static const enum counter_role roles[] = {
        ROLE_RETRANSMISSIONS,
        ROLE_OUT_OF_SEQUENCE,
        ROLE_RNR_NAKS_RECEIVED,
        ROLE_RNR_NAKS_SENT,
        ROLE_TRANSPORT_RETRIES_EXCEEDED,
        ROLE_RNR_RETRIES_EXCEEDED,
        ROLE_RECEIVE_BUFFER_DROPS,
        ROLE_ICRC_ERRORS,
        ROLE_ECN_MARKED,
        ROLE_CNP_SENT,
        ROLE_CNP_HANDLED,
        ROLE_CNP_IGNORED,
    };
    for (size_t r = 0; r < ARRAY_SIZE(roles); r++) {
        const struct counter_def *first = NULL;
        for (size_t i = 0; counter_tables[i].count; i++)
            for (size_t j = 0; j < counter_tables[i].count; j++) {
                const struct counter_def *def = &counter_tables[i].defs[j];
                if (def->role != roles[r])
                    continue;
                first = first ? first : def;
                cr_expect_eq(def->severity, first->severity, "%s, %s", def->name, first->name);
            }
        cr_expect_neq(first, NULL);
    }
}

Test(counters, words)
{
    cr_assert_str_eq(counter_severity_name(COUNTER_INFO), "info");
    cr_assert_str_eq(counter_severity_name(COUNTER_WARNING), "warning");
    cr_assert_str_eq(counter_severity_name(COUNTER_ERROR), "error");
    cr_assert_str_eq(counter_unit_name(COUNTER_BYTES), "bytes");
    cr_assert_str_eq(counter_kind_name(COUNTER_SETTING), "setting");
    cr_assert_str_eq(counter_change_name(COUNTER_WRAPPED), "wrapped");
}

Test(counters, families_of_drivers)
{
    static const struct {
        const char *driver, *family;
    } cases[] = {
        { "mlx5_core", "mlx5" },
        { "mlx5_ib", "mlx5" },
        { "mlx5_bond_0", "mlx5" },
        { "mlx5_core.sf", "mlx5" },
        { "mlx4_core", "mlx4" },
        { "bnxt_en", "bnxt_re" },
        { "bnxt_re0", "bnxt_re" },
        { "ice", "irdma" },
        { "i40e", "irdma" },
        { "i40iw0", "irdma" },
        { "idpf", "irdma" },
        { "irdma1", "irdma" },
        { "hns3", "hns" },
        { "hns_roce_hw_v2", "hns" },
        { "hns_0", "hns" },
        { "efa", "efa" },
        { "erdma_0", "erdma" },
        { "mana_ib", "mana" },
        { "ionic", "ionic" },
        { "ionic_rdma", "ionic" },
        { "ionic_0", "ionic" },
        { "rxe", "rxe" },
        { "rxe_eth0", "rxe" },
        { "rdma_rxe", "rxe" },
        { "hfi1_0", "hfi1" },
        { "cxgb4", "cxgb4" },
        { "iw_cxgb4", "cxgb4" },
        { "iceberg", NULL },
        { "siw", NULL },
        { "qedr", NULL },
        { "", NULL },
        { NULL, NULL },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *family = counter_family(cases[i].driver);
        if (cases[i].family)
            cr_assert(family && strcmp(family, cases[i].family) == 0, "%s: %s", cases[i].driver, family);
        else
            cr_assert_eq(family, NULL, "%s: %s", cases[i].driver, family);
    }
}

Test(counters, port_counters_are_every_drivers)
{
    static const char *const drivers[] = { "mlx5_core", "ocrdma", NULL };

    for (size_t i = 0; i < sizeof drivers / sizeof *drivers; i++) {
        const struct counter_def *def = counter_def_find(drivers[i], "counters", "port_xmit_data");
        cr_assert_neq(def, NULL);
        cr_assert_eq(def->unit, COUNTER_BYTES);
        cr_assert_eq(def->scale, 4);
        cr_assert_neq(counter_def_find(drivers[i], "counters_ext", "port_rcv_data_64"), NULL);
        cr_assert_eq(hw(drivers[i], "lifespan")->kind, COUNTER_SETTING);
    }
    cr_assert_eq(counter_def_find("mlx5_core", "counters_ext", "port_xmit_data"), NULL);
}

Test(counters, the_driver_decides)
{
    cr_assert_eq(hw("mlx5_core", "rp_cnp_ignored")->severity, COUNTER_ERROR);
    cr_assert_eq(hw("mlx4_core", "rp_cnp_ignored"), NULL);
    cr_assert_eq(hw(NULL, "rp_cnp_ignored"), NULL);
    cr_assert_eq(hw("mlx5_core", "out_of_buffer")->width, 32);
    cr_assert_eq(hw("bnxt_en", "out_of_buffer")->width, 64);
    cr_assert_str_eq(hw("mlx5_core", "vport_out_of_buffer")->name, "vport_out_of_buffer");
    cr_assert_neq(hw("idpf", "Rcvd Out of order packets"), NULL);
    cr_assert_eq(hw("mlx5_core", "no_such_counter"), NULL);
    cr_assert_eq(hw("mlx5_core", ""), NULL);
}

Test(counters, hfi1_numbers_and_endings)
{
    cr_assert_str_eq(hw("hfi1", "SwLinkUp,32")->name, "SwLinkUp");
    cr_assert_str_eq(hw("hfi1", "TxWaitVL15")->name, "TxWaitVL");
    cr_assert_str_eq(hw("hfi1", "SDMAInt3,32")->name, "SDMAInt");
    cr_assert_str_eq(hw("hfi1", "RcvHdrOvr159,32")->name, "RcvHdrOvr");
    cr_assert_str_eq(hw("hfi1", "SeqDrop0")->name, "SeqDrop");
    cr_assert_str_eq(hw("hfi1", "PcicPostHdQCorErr")->name, "*CorErr");
    cr_assert_eq(hw("hfi1", "CceIntMapUncErr,32")->severity, COUNTER_ERROR);
    cr_assert_str_eq(hw("hfi1", "SDmaMemReadErr")->name, "*Err");
    cr_assert_str_eq(hw("hfi1", "MISC_SBUS_WRITE_FAILED_ERR")->name, "*_ERR");
    cr_assert_str_eq(hw("hfi1", "TxLaunchFifo8UncOrParityErr,32")->name, "*ParityErr");
    cr_assert_eq(hw("hfi1", "IBV_WC_RETRY_EXC_ERR"), NULL);
    cr_assert_eq(hw("hfi1", "SomeErr"), NULL);
    cr_assert_eq(hw("hfi1", "Pio Reserved 31"), NULL);
    cr_assert_eq(hw("hfi1", ",32"), NULL);
    cr_assert_eq(hw("hfi1", "12345"), NULL);
    cr_assert_eq(hw("hfi1", "a name that is far longer than any counter of any driver will ever be, 32"), NULL);
    cr_assert_eq(hw("mlx5_core", "SwLinkUp,32"), NULL);
}

Test(counters, values_in_their_unit)
{
    cr_assert_eq(counter_value(pma("port_rcv_data"), 250), 1000);
    cr_assert_eq(counter_value(pma("link_downed"), 3), 3);
    cr_assert_eq(counter_value(NULL, 7), 7);
    cr_assert_eq(counter_value(pma("port_rcv_data"), UINT64_MAX / 4), UINT64_MAX - 3);
    cr_assert_eq(counter_value(pma("port_rcv_data"), UINT64_MAX / 4 + 1), UINT64_MAX);
}

static void expect(const struct counter_def *def, uint64_t before, uint64_t after, struct counter_delta want)
{
    struct counter_delta got = counter_compare(def, before, after);
    const char *name = def ? def->name : "(unknown)";

    cr_expect_eq(got.change, want.change, "%s %lu -> %lu: %s", name, before, after,
                 counter_change_name(got.change));
    cr_expect_eq(got.delta, want.delta, "%s %lu -> %lu: %lu", name, before, after, got.delta);
}

Test(counters, compare_counts)
{
    expect(hw("mlx5_core", "packet_seq_err"), 10, 10, (struct counter_delta){ COUNTER_COUNTED, 0 });
    expect(hw("mlx5_core", "packet_seq_err"), 10, 15, (struct counter_delta){ COUNTER_COUNTED, 5 });
    expect(pma("port_xmit_data"), 100, 125, (struct counter_delta){ COUNTER_COUNTED, 100 });
    expect(NULL, 0, UINT64_MAX, (struct counter_delta){ COUNTER_COUNTED, UINT64_MAX });
}

Test(counters, compare_saturated)
{
    expect(pma("link_downed"), 255, 255, (struct counter_delta){ COUNTER_SATURATED, 0 });
    expect(pma("link_downed"), 250, 255, (struct counter_delta){ COUNTER_SATURATED, 5 });
    expect(pma("link_downed"), 250, 254, (struct counter_delta){ COUNTER_COUNTED, 4 });
    expect(pma("excessive_buffer_overrun_errors"), 15, 15, (struct counter_delta){ COUNTER_SATURATED, 0 });
    expect(pma("port_xmit_wait"), 1, UINT32_MAX, (struct counter_delta){ COUNTER_SATURATED, UINT32_MAX - 1 });
    expect(hw("mlx5_core", "packet_seq_err"), 1, UINT32_MAX,
           (struct counter_delta){ COUNTER_COUNTED, UINT32_MAX - 1 });
}

/* port_xmit_data: 64 bits, but 32 on devices with the small set. Only standing still there says so. */
Test(counters, compare_saturated_narrow)
{
    const struct counter_def *data = pma("port_xmit_data");

    expect(data, UINT32_MAX, UINT32_MAX, (struct counter_delta){ COUNTER_SATURATED, 0 });
    expect(data, UINT32_MAX - 5, UINT32_MAX, (struct counter_delta){ COUNTER_COUNTED, 20 });
    expect(data, UINT32_MAX, UINT64_C(1) << 32, (struct counter_delta){ COUNTER_COUNTED, 4 });
    expect(data, UINT64_MAX, UINT64_MAX, (struct counter_delta){ COUNTER_SATURATED, 0 });
}

Test(counters, compare_wrapped_or_reset)
{
    const struct counter_def *wraps = hw("mlx5_core", "out_of_sequence");
    const uint64_t quarter = UINT32_MAX / 4;

    expect(wraps, UINT32_MAX, 0, (struct counter_delta){ COUNTER_WRAPPED, 1 });
    expect(wraps, UINT32_MAX - 9, 90, (struct counter_delta){ COUNTER_WRAPPED, 100 });
    expect(wraps, UINT32_MAX - quarter + 1, 0, (struct counter_delta){ COUNTER_WRAPPED, quarter });
    expect(wraps, UINT32_MAX - quarter, 0, (struct counter_delta){ COUNTER_RESET, 0 });
    expect(wraps, 5000, 3, (struct counter_delta){ COUNTER_RESET, 3 });
    expect(wraps, (UINT64_C(1) << 32) + 7, 2, (struct counter_delta){ COUNTER_RESET, 2 });
    expect(pma("link_downed"), 255, 0, (struct counter_delta){ COUNTER_RESET, 0 });
    expect(pma("port_rcv_data"), UINT64_MAX, 10, (struct counter_delta){ COUNTER_RESET, 40 });
    expect(hw("rxe0", "sent_pkts"), UINT64_MAX, 1, (struct counter_delta){ COUNTER_RESET, 1 });
    expect(NULL, 9, 8, (struct counter_delta){ COUNTER_RESET, 8 });
}

Test(counters, compare_levels)
{
    expect(hw("bnxt_en", "active_qps"), 9, 4, (struct counter_delta){ COUNTER_LEVEL, 0 });
    expect(hw("bnxt_en", "lifespan"), 10, 100, (struct counter_delta){ COUNTER_LEVEL, 0 });
}

#define PORT "sys/class/infiniband/mlx5_0/ports/1"

/* A port with three counters, of which the first so many are refused. */
static const struct port *port_refusing(size_t refused, struct source **source, struct host **host)
{
    static const char *const names[] = { "excessive_buffer_overrun_errors", "link_downed", "symbol_error" };
    char path[128], errors[512] = "";

    tree_make();
    tree_file("sys/class/infiniband/mlx5_0/node_type", "1: CA\n");
    tree_file(PORT "/link_layer", "Ethernet\n");
    for (size_t i = 0; i < 3; i++) {
        snprintf(path, sizeof(path), PORT "/counters/%s", names[i]);
        if (i >= refused)
            tree_file(path, "7\n");
        else
            snprintf(errors + strlen(errors), sizeof(errors) - strlen(errors), "%s\tEINVAL\n", path);
    }
    tree_file("errors", errors);
    cr_assert_eq(source_open_recording(tree_top(), source, NULL), 0);
    cr_assert_eq(host_read(*source, NEED_COUNTERS, host), 0);
    cr_assert_eq((*host)->devices[0].ports[0].ncounters, 3);
    return &(*host)->devices[0].ports[0];
}

Test(counters, a_function_that_refuses_the_first_is_not_asked_for_the_rest)
{
    struct source *source;
    struct host *host;
    const struct port *port = port_refusing(2, &source, &host);
    for (size_t i = 0; i < 3; i++) {
        cr_expect_not(port->counters[i].raw.known, "%s", port->counters[i].name);
        cr_expect_eq(port->counters[i].err, EINVAL, "%s", port->counters[i].name);
    }
    host_free(host);
    source_close(source);
    tree_remove();
}

Test(counters, one_that_is_refused_leaves_the_others)
{
    struct source *source;
    struct host *host;
    const struct port *port = port_refusing(1, &source, &host);
    cr_expect_eq(port->counters[0].err, EINVAL);
    cr_expect(num_is(port->counters[1].raw, 7));
    cr_expect(num_is(port->counters[2].raw, 7));
    host_free(host);
    source_close(source);
    tree_remove();
}

/* What drivers' counters tell alike: each role is played by some, and what a port's come to is no more and no
 * less than happened. */

static bool is_played(enum counter_role role)
{
    bool played = false;
    for (size_t i = 0; counter_tables[i].count; i++)
        for (size_t k = 0; k < counter_tables[i].count; k++)
            if (counter_tables[i].defs[k].role == role) {
                cr_expect_eq(counter_tables[i].defs[k].kind, COUNTER_TOTAL, "%s",
                             counter_tables[i].defs[k].name);
                played = true;
            }
    return played;
}

#define ROLE_UNIT(role, name, unit, meaning) [ROLE_##role] = COUNTER_##unit,
#define ROLE_MEANING(role, name, unit, meaning) [ROLE_##role] = meaning,
static const enum counter_unit role_units[COUNTER_ROLES] = { COUNTER_ROLE_LIST(ROLE_UNIT) };
static const char *const role_meanings[COUNTER_ROLES] = { COUNTER_ROLE_LIST(ROLE_MEANING) };

Test(roles, each_has_words_and_is_played)
{
    cr_expect_null(counter_role_name(ROLE_NONE));
    for (enum counter_role role = ROLE_NONE + 1; role < COUNTER_ROLES; role++) {
        cr_assert_not_null(counter_role_name(role));
        cr_expect_eq(strspn(counter_role_name(role), "abcdefghijklmnopqrstuvwxyz_"),
                     strlen(counter_role_name(role)));
        cr_expect_leq(strlen(role_meanings[role]), 100, "%s", counter_role_name(role));
        cr_expect(is_played(role), "%s", counter_role_name(role));
    }
}

/* A counter of bytes doesn't stand for packets. */
Test(roles, units_agree)
{
    for (size_t i = 0; counter_tables[i].count; i++)
        for (size_t k = 0; k < counter_tables[i].count; k++) {
            const struct counter_def *def = &counter_tables[i].defs[k];
            if (def->role)
                cr_expect_eq(def->unit == COUNTER_BYTES, role_units[def->role] == COUNTER_BYTES, "%s",
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
