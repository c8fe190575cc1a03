/* SPDX-License-Identifier: MIT */
/* Which PCI functions are accelerators, drives or neither: by class and vendor, as they lie in a tree. */
#include <criterion/criterion.h>

#include "model/topology.h"
#include "source/source.h"
#include "tree.h"

enum kind { NEITHER, ACCELERATOR, NVME, DATA_DIRECT, ADAPTER };

static const struct {
    const char *class_code, *vendor, *device;
    enum kind kind;
    const char *name; /* of its vendor */
} functions[] = {
    { "0x030200", "0x10de", "0x2330", ACCELERATOR, "NVIDIA" }, /* 3D controller: H100 */
    { "0x030000", "0x10de", "0x2684", ACCELERATOR, "NVIDIA" }, /* VGA: a card for desktops */
    { "0x120000", "0x1002", "0x74a1", ACCELERATOR, "AMD" },    /* processing accelerator: MI300X */
    { "0x038000", "0x1002", "0x740f", ACCELERATOR, "AMD" },    /* other display controller: MI210 */
    { "0x038000", "0x8086", "0x0bd5", ACCELERATOR, "Intel" },  /* Data Center GPU Max */
    { "0x120000", "0x1da3", "0x1020", ACCELERATOR, "Habana" }, /* Gaudi 2 */
    { "0x120000", "0x1ed9", "0x0001", ACCELERATOR, NULL },     /* whoever says so */
    { "0x030000", "0x8086", "0x3e98", NEITHER, NULL },         /* in the processor */
    { "0x030000", "0x1a03", "0x2000", NEITHER, NULL },         /* of a management controller */
    { "0x038000", "0x10de", "0x1db1", NEITHER, NULL },
    { "0x068000", "0x10de", "0x22a3", NEITHER, NULL }, /* NVSwitch */
    { "0x010802", "0x144d", "0xa80a", NVME, NULL },
    { "0x010400", "0x1000", "0x10e2", NEITHER, NULL }, /* RAID */
    { "0x088000", "0x15b3", "0x2100", DATA_DIRECT, NULL },
    { "0x088000", "0x15b3", "0x2101", NEITHER, NULL },
    { "0x020000", "0x15b3", "0x101d", ADAPTER, NULL }, /* without a netdev or an RDMA device */
    { "0x020700", "0x15b3", "0x101b", ADAPTER, NULL },
    { "0x020000", "0x1d0f", "0xefa2", ADAPTER, NULL },
    { "0x020000", "0x1d0f", "0xec20", NEITHER, NULL }, /* ENA */
    { "0x020000", "0x14e4", "0x1750", NEITHER, NULL }, /* not all of Broadcom's do RDMA */
    { "0x080100", "0x15b3", "0xc2d3", NEITHER, NULL }, /* a BlueField's management */
};

#define ROOT "m/sys/devices/pci0000:10"

static void make_function(size_t i, const char *class_code, const char *vendor, const char *device)
{
    const struct {
        const char *name, *text;
    } files[] = { { "class", class_code }, { "vendor", vendor }, { "device", device }, { "numa_node", "0" } };
    char path[256], target[256];
    for (size_t k = 0; k < ARRAY_SIZE(files); k++) {
        snprintf(path, sizeof(path), ROOT "/0000:10:%02zx.0/%s", i, files[k].name);
        tree_file(path, files[k].text);
    }
    snprintf(path, sizeof(path), "m/sys/bus/pci/devices/0000:10:%02zx.0", i);
    snprintf(target, sizeof(target), "../../../devices/pci0000:10/0000:10:%02zx.0", i);
    tree_link(path, target);
}

static struct host *read_machine(needs_t needs)
{
    struct source *source = NULL;
    struct host *host = NULL;
    cr_assert_eq(source_open_recording(tree_path("m"), &source, NULL), 0);
    cr_assert_eq(host_read(source, needs, &host), 0);
    source_close(source);
    return host;
}

static void setup(void)
{
    tree_make();
    make_function(0x1f, "0x020000", "0x15b3", "0x1021");
    tree_file(ROOT "/0000:10:1f.0/infiniband/mlx5_0/node_type", "1: CA");
    tree_link("m/sys/class/infiniband/mlx5_0", "../../devices/pci0000:10/0000:10:1f.0/infiniband/mlx5_0");
}

TestSuite(accelerators, .init = setup, .fini = tree_remove);

static enum kind kind_of(const struct pci *pci)
{
    return !pci                  ? NEITHER
           : pci->is_accelerator ? ACCELERATOR
           : pci->is_nvme        ? NVME
           : pci->is_data_direct ? DATA_DIRECT
           : pci->is_adapter     ? ADAPTER
                                 : NEITHER;
}

Test(accelerators, by_class_and_vendor)
{
    char address[32];
    for (size_t i = 0; i < ARRAY_SIZE(functions); i++)
        make_function(i, functions[i].class_code, functions[i].vendor, functions[i].device);
    tree_file("m/probe/environment", ""); /* roce's own recording: nothing is missing in it by chance */
    struct host *host = read_machine(NEED_PCI | NEED_PEERS);
    for (size_t i = 0; i < ARRAY_SIZE(functions); i++) {
        snprintf(address, sizeof(address), "0000:10:%02zx.0", i);
        const struct pci *pci = host_find_pci(host, address);
        cr_expect_eq(kind_of(pci), functions[i].kind, "%s of %s", functions[i].class_code, functions[i].vendor);
        if (functions[i].name && pci)
            cr_expect_str_eq(accelerator_vendor(pci), functions[i].name);
        else if (pci)
            cr_expect_null(accelerator_vendor(pci));
        if (pci) /* what was looked at before it was added */
            cr_expect(num_is(pci->class_code, strtoul(functions[i].class_code, NULL, 16)) &&
                      num_is(pci->vendor, strtoul(functions[i].vendor, NULL, 16)));
    }
    host_free(host);
}

/* A Ryzen's own display beside the BMC's, as lspci of such boards lists them: 1002:164e has a PSP and USB of
 * vendor 1022 beside it, a card's own functions are all ATI's. */
Test(accelerators, displays_of_the_processor_are_none)
{
    static const struct {
        const char *address, *class_code, *vendor, *device, *lanes;
        bool counts;
    } cases[] = {
        { "0c:00.0", "0x038000", "0x1002", "0x164e", "16", false }, /* Raphael */
        { "0c:00.1", "0x040300", "0x1002", "0x1640", "16", false },
        { "0c:00.2", "0x108000", "0x1022", "0x1649", "16", false }, /* its security processor */
        { "0d:00.0", "0x030000", "0x1002", "0x15bf", "16", false }, /* Phoenix, the only display */
        { "0d:00.3", "0x0c0330", "0x1022", "0x15b9", "16", false },
        { "03:00.0", "0x030000", "0x1002", "0x744c", "16", true }, /* Radeon RX 7900: a card */
        { "03:00.1", "0x040300", "0x1002", "0xab30", "16", false },
        { "00:02.0", "0x038000", "0x8086", "0x4c90", "0", false }, /* of a Xeon E */
        { "05:00.0", "0x038000", "0x8086", "0x56c0", "16", true }, /* Data Center GPU Flex */
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        const char *texts[][2] = { { "class", cases[i].class_code },
                                   { "vendor", cases[i].vendor },
                                   { "device", cases[i].device },
                                   { "max_link_width", cases[i].lanes } };
        char path[256], target[256];
        for (size_t k = 0; k < ARRAY_SIZE(texts); k++) {
            snprintf(path, sizeof(path), "m/sys/devices/pci0000:00/0000:%s/%s", cases[i].address, texts[k][0]);
            tree_file(path, texts[k][1]);
        }
        snprintf(path, sizeof(path), "m/sys/bus/pci/devices/0000:%s", cases[i].address);
        snprintf(target, sizeof(target), "../../../devices/pci0000:00/0000:%s", cases[i].address);
        tree_link(path, target);
    }
    struct host *host = read_machine(NEED_PCI | NEED_PEERS);
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        char address[32];
        snprintf(address, sizeof(address), "0000:%s", cases[i].address);
        const struct pci *pci = host_find_pci(host, address);
        cr_expect_eq(pci && pci->is_accelerator, cases[i].counts, "%s", cases[i].address);
    }
    host_free(host);
}

Test(accelerators, who_lends_their_memory)
{
    make_function(0, "0x030200", "0x10de", "0x2330");
    make_function(1, "0x010802", "0x11f8", "0xf117");
    tree_file(ROOT "/0000:10:01.0/p2pmem/size", "536870912\n");
    tree_file(ROOT "/0000:10:01.0/p2pmem/available", "0\n");
    tree_file(ROOT "/0000:10:01.0/p2pmem/published", "0\n");
    tree_file("m/sys/kernel/mm/memory_peers/nv_mem_nc/version", "1.3\n");
    tree_file("m/sys/module/gdrdrv/version", "2.4\n");
    tree_file("m/probe/environment", "");
    tree_file("m/errors", "dev/gdrdrv\tEACCES\n");
    struct host *host = read_machine(NEED_PCI | NEED_PEERS | NEED_PEER_MEMORY);
    const struct pci *drive = host_find_pci(host, "0000:10:01.0"), *gpu = host_find_pci(host, "0000:10:00.0");
    const struct peer_memory *peer = &host->system.peer_memory;
    cr_expect(num_is(drive->p2p_size, 536870912) && num_is(drive->p2p_available, 0));
    cr_expect_eq(drive->p2p_published, TRI_NO);
    cr_expect_not(gpu->p2p_size.known);
    cr_expect_str_eq(peer->memory_peer, "sys/kernel/mm/memory_peers/nv_mem_nc/version");
    cr_expect_str_eq(peer->gdrdrv, "2.4");
    cr_expect(peer->gdrdrv_node.tried && peer->gdrdrv_node.err == EACCES);
    cr_expect_null(peer->nvidia_peermem);
    cr_expect_eq(peer->open_driver, TRI_UNKNOWN);
    host_free(host);
    host = read_machine(NEED_PCI | NEED_PEERS);
    cr_expect_null(host->system.peer_memory.gdrdrv, "nobody asked");
    host_free(host);
}
