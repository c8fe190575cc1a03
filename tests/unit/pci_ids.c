/* SPDX-License-Identifier: MIT */
/* pci.ids: what is found of it, in whatever pieces it comes, and what a recording keeps. */
#include "source/files/texts.h"

#include <criterion/criterion.h>

#include "source/root/root.h"
#include "source/source.h"
#include "tree.h"

static const char whole[] = "# a comment\n"
                            "\n"
                            "1002  Advanced Micro Devices, Inc. [AMD/ATI]\n"
                            "\t74a1  Aqua Vanjaram [Instinct MI300X]\n"
                            "10de  NVIDIA Corporation\n"
                            "\t1021  another's\n"
                            "\t2330  GH100 [H100 SXM5 80GB]\n"
                            "\t\t10de 16c1  of a subsystem\n"
                            "15B3  Mellanox Technologies\n"
                            "\t1021  MT2910 Family [ConnectX-7]\n"
                            "\t2330  not NVIDIA's\n"
                            "ffff  Illegal Vendor ID\n"
                            "C 03  Display controller\n"
                            "\t02  3D controller\n";

static void put(void *data, uint16_t vendor, const uint16_t *device, const char *name, size_t len)
{
    bytes_printf(data, "%04x%s%04x %.*s\n", vendor, device ? ":" : "", device ? *device : 0, (int)len, name);
}

/* In pieces of at most so many bytes. */
static void expect_found(const char *text, struct pci_id *wanted, size_t nwanted, size_t piece,
                         const char *expected)
{
    struct bytes found = { 0 };
    struct pci_ids ids = { .wanted = wanted, .found = put, .data = &found };
    ids.nwanted = pci_ids_sort(wanted, nwanted);
    bytes_append(&found, "", 0);
    for (size_t from = 0, to = 0; to < strlen(text) && !ids.ended;) {
        to = to + piece < strlen(text) ? to + piece : strlen(text);
        from += pci_ids_read(&ids, text + from, to - from);
    }
    cr_expect_str_eq(found.data, expected, "in pieces of %zu", piece);
    bytes_free(&found);
}

Test(pci_ids, what_is_wanted_is_found_in_any_pieces)
{
    for (size_t piece = 1; piece < sizeof(whole) + 1; piece++) {
        struct pci_id wanted[] = {
            { 0x15b3, 0x1021 }, { 0x10de, 0x2330 }, { 0x15b3, 0x1021 }, { 0x10de, 0x9999 }, { 0x1a03, 0x2000 }
        };
        expect_found(whole, wanted, ARRAY_SIZE(wanted), piece,
                     "10de0000 NVIDIA Corporation\n10de:2330 GH100 [H100 SXM5 80GB]\n"
                     "15b30000 Mellanox Technologies\n15b3:1021 MT2910 Family [ConnectX-7]\n");
    }
}

Test(pci_ids, it_ends_behind_the_last_vendor)
{
    struct pci_id wanted[] = { { 0x1002, 0x74a1 } };
    struct bytes found = { 0 };
    struct pci_ids ids = { .wanted = wanted, .nwanted = 1, .found = put, .data = &found };
    const char *next = strstr(whole, "10de");
    cr_expect_eq(pci_ids_read(&ids, whole, (size_t)(next - whole)), (size_t)(next - whole));
    cr_expect_not(ids.ended);
    pci_ids_read(&ids, next, strlen(next));
    cr_expect(ids.ended);
    cr_expect_str_eq(
        found.data,
        "10020000 Advanced Micro Devices, Inc. [AMD/ATI]\n1002:74a1 Aqua Vanjaram [Instinct MI300X]\n");
    bytes_free(&found);
}

Test(pci_ids, other_lines_are_nobodys)
{
    struct pci_id wanted[] = { { 0x10de, 0x2330 } };
    expect_found("10de NVIDIA with one blank\n10dg  no number\n10de  \n\t2330  of none\n", wanted, 1, 100, "");
    expect_found("10de  NVIDIA\nC 10\n\t2330  of a class\n", wanted, 1, 100, "10de0000 NVIDIA\n");
    expect_found("10de  not whole", wanted, 1, 100, "");
}

/* -- a machine ------------------------------------------------------------------------------------------- */

#define NIC "m/sys/devices/pci0000:16/0000:17:00.0"

static void make_machine(const char *ids)
{
    tree_make();
    tree_file(NIC "/vendor", "0x15b3\n");
    tree_file(NIC "/device", "0x1021\n");
    tree_file(NIC "/class", "0x020000\n");
    tree_file(NIC "/infiniband/mlx5_0/node_type", "1: CA\n");
    tree_link("m/sys/class/infiniband/mlx5_0", "../../devices/pci0000:16/0000:17:00.0/infiniband/mlx5_0");
    tree_link("m/sys/bus/pci/devices/0000:17:00.0", "../../../devices/pci0000:16/0000:17:00.0");
    /* several pieces, as the real one is, with a line that is longer than one */
    struct bytes text = { 0 };
    bytes_printf(&text, "# %0*d\n", 70000, 0);
    for (unsigned device = 0; device < 8000; device++)
        bytes_printf(&text, "%s\t%04x  a device of another vendor's\n", device ? "" : "1000  LSI\n", device);
    bytes_append(&text, whole, strlen(whole));
    if (ids)
        tree_bytes(ids, text.data, text.len);
    bytes_free(&text);
}

static struct host *read_machine(const char *name, needs_t needs, struct bytes *recording)
{
    struct source *source = NULL;
    struct host *host = NULL;
    cr_assert_eq(source_open_recording(tree_path(name), &source, NULL), 0);
    if (recording)
        source_record_begin(source);
    cr_assert_eq(host_read(source, needs, &host), 0);
    if (recording)
        cr_assert_eq(source_record_end(source, false, recording), 0);
    source_close(source);
    return host;
}

static const char *model_of(const struct host *host)
{
    cr_assert_eq(host->npcis, 1);
    return host->pcis[0].model ? host->pcis[0].model : "?";
}

TestSuite(pci_names, .fini = tree_remove);

Test(pci_names, of_either_place)
{
    static const char *const places[] = { "m/usr/share/misc/pci.ids", "m/usr/share/hwdata/pci.ids" };
    for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
        make_machine(places[i]);
        struct host *host = read_machine("m", NEED_PCI | NEED_PEERS | NEED_PCI_NAMES, NULL);
        cr_expect_str_eq(model_of(host), "MT2910 Family [ConnectX-7]");
        cr_expect_str_eq(host->pcis[0].vendor_name, "Mellanox Technologies");
        host_free(host);
        host = read_machine("m", NEED_PCI | NEED_PEERS, NULL);
        cr_expect_str_eq(model_of(host), "?", "nobody asked");
        host_free(host);
        tree_remove();
    }
    make_machine(NULL);
    struct host *host = read_machine("m", NEED_ALL, NULL);
    cr_expect_str_eq(model_of(host), "?");
    cr_expect_eq(host->nproblems, 0, "%s", host->nproblems ? host->problems[0].what : "");
    host_free(host);
}

Test(pci_names, a_recording_keeps_the_lines_of_its_functions)
{
    struct bytes text = { 0 };
    make_machine("m/usr/share/hwdata/pci.ids");
    host_free(read_machine("m", NEED_ALL, &text));
    cr_expect(text_ends(text.data, "\nusr/share/hwdata/\n  pci.ids |\n  |15b3  Mellanox Technologies\n"
                                   "  |\\t1021  MT2910 Family [ConnectX-7]\n"),
              "%s", text.data);
    tree_bytes("copy", text.data, text.len);
    struct host *host = read_machine("copy", NEED_ALL, NULL);
    cr_expect_str_eq(model_of(host), "MT2910 Family [ConnectX-7]");
    host_free(host);
    bytes_free(&text);
}

/* One that somebody packed of a whole file, too. */
Test(pci_names, a_recording_of_a_recording_keeps_no_more)
{
    struct bytes text = { 0 }, again = { 0 };
    make_machine(NULL);
    host_free(read_machine("m", NEED_ALL, &text));
    bytes_printf(&text, "\nusr/share/misc/\n  pci.ids |\n");
    bytes_printf(&text, "  |1000  LSI\n  |\\t0001  of another vendor\n");
    bytes_printf(&text, "  |15b3  Mellanox Technologies\n  |\\t1021  MT2910 Family [ConnectX-7]\n");
    tree_bytes("packed", text.data, text.len);
    host_free(read_machine("packed", NEED_ALL, &again));
    cr_expect(text_ends(again.data, "\nusr/share/misc/\n  pci.ids |\n  |15b3  Mellanox Technologies\n"
                                    "  |\\t1021  MT2910 Family [ConnectX-7]\n"),
              "%s", again.data);
    bytes_free(&text);
    bytes_free(&again);
}

Test(pci_names, what_cannot_be_read_is_told)
{
    make_machine("m/usr/share/misc/pci.ids");
    tree_file("m/errors", "usr/share/hwdata/pci.ids\tEIO\n");
    struct host *host = read_machine("m", NEED_ALL, NULL);
    cr_expect_eq(host_problem_of(host, "usr/share/hwdata/pci.ids"), 0, "the first is there");
    host_free(host);
    tree_remove();
    make_machine(NULL);
    tree_file("m/errors", "usr/share/hwdata/pci.ids\tEIO\n");
    host = read_machine("m", NEED_ALL, NULL);
    cr_expect_gt(host_problem_of(host, "usr/share/hwdata/pci.ids"), 0);
    host_free(host);
}
