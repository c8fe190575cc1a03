/* SPDX-License-Identifier: MIT */
/* Matrices of real machines, cell by cell against what is published of them: their notes say where. */
#include <criterion/criterion.h>

#include "consumer/gpu.h"
#include "source/source.h"
#include "tree.h"

struct published {
    const char *fixture;
    const char *ports;       /* in the order of the published columns */
    const char *rows[16];    /* of accelerators, in the order of their addresses */
    const char *between[12]; /* of ports */
    const char *takes[16];   /* what NCCL's rule gives; NULL: it can't be told */
    const char *rails;       /* of the ports, by that; NULL: none */
    size_t nodes;            /* cells that are published as SYS, and NODE here: the notes tell why */
};

static const struct published machines[] = {
    { .fixture = "mlx5-roce-train", /* from the tree of lspci -vvv: the functions that have an upstream port in
                                       common */
      .ports = "mlx5_0 mlx5_1 mlx5_2 mlx5_3 mlx5_4 mlx5_5 mlx5_6 mlx5_7 mlx5_8 mlx5_9 mlx5_10 mlx5_11",
      .rows = { "PIX PIX PIX NODE NODE NODE SYS SYS SYS SYS SYS SYS",
                "NODE NODE NODE PIX NODE NODE SYS SYS SYS SYS SYS SYS",
                "NODE NODE NODE NODE PIX NODE SYS SYS SYS SYS SYS SYS",
                "NODE NODE NODE NODE NODE PIX SYS SYS SYS SYS SYS SYS",
                "SYS SYS SYS SYS SYS SYS PIX PIX PIX NODE NODE NODE",
                "SYS SYS SYS SYS SYS SYS NODE NODE NODE PIX NODE NODE",
                "SYS SYS SYS SYS SYS SYS NODE NODE NODE NODE PIX NODE",
                "SYS SYS SYS SYS SYS SYS NODE NODE NODE NODE NODE PIX" },
      .takes = { "mlx5_0", "mlx5_3", "mlx5_4", "mlx5_5", "mlx5_6", "mlx5_9", "mlx5_10", "mlx5_11" },
      .rails = "0 - - 1 2 3 4 - - 5 6 7" },
    { .fixture = "partial-gpus-dgx-a100",
      .ports = "mlx5_0 mlx5_1 mlx5_2 mlx5_3 mlx5_4 mlx5_5 mlx5_6 mlx5_7 mlx5_8 mlx5_9",
      .rows = { "PXB PXB SYS SYS SYS SYS SYS SYS SYS SYS", "PXB PXB SYS SYS SYS SYS SYS SYS SYS SYS",
                "SYS SYS PXB PXB SYS SYS SYS SYS SYS SYS", "SYS SYS PXB PXB SYS SYS SYS SYS SYS SYS",
                "SYS SYS SYS SYS PXB PXB SYS SYS SYS SYS", "SYS SYS SYS SYS PXB PXB SYS SYS SYS SYS",
                "SYS SYS SYS SYS SYS SYS PXB PXB SYS SYS", "SYS SYS SYS SYS SYS SYS PXB PXB SYS SYS" },
      .between = { "X PXB SYS SYS SYS SYS SYS SYS SYS SYS", "PXB X SYS SYS SYS SYS SYS SYS SYS SYS",
                   "SYS SYS X PXB SYS SYS SYS SYS SYS SYS", "SYS SYS PXB X SYS SYS SYS SYS SYS SYS",
                   "SYS SYS SYS SYS X PXB SYS SYS SYS SYS", "SYS SYS SYS SYS PXB X SYS SYS SYS SYS",
                   "SYS SYS SYS SYS SYS SYS X PXB SYS SYS", "SYS SYS SYS SYS SYS SYS PXB X SYS SYS",
                   "SYS SYS SYS SYS SYS SYS SYS SYS X PIX", "SYS SYS SYS SYS SYS SYS SYS SYS PIX X" },
      .takes = { "mlx5_0", "mlx5_1", "mlx5_2", "mlx5_3", "mlx5_4", "mlx5_5", "mlx5_6", "mlx5_7" },
      .rails = "0 1 2 3 4 5 6 7 - -" },
    { .fixture = "partial-gpus-dgx-h100",
      .ports = "mlx5_0 mlx5_1 mlx5_2 mlx5_3 mlx5_4 mlx5_5 mlx5_6 mlx5_7 mlx5_8 mlx5_9 mlx5_10 mlx5_11",
      .rows = { "PXB NODE NODE NODE NODE NODE SYS SYS SYS SYS SYS SYS",
                "NODE NODE NODE PXB NODE NODE SYS SYS SYS SYS SYS SYS",
                "NODE NODE NODE NODE PXB NODE SYS SYS SYS SYS SYS SYS",
                "NODE NODE NODE NODE NODE PXB SYS SYS SYS SYS SYS SYS",
                "SYS SYS SYS SYS SYS SYS PXB NODE NODE NODE NODE NODE",
                "SYS SYS SYS SYS SYS SYS NODE NODE NODE PXB NODE NODE",
                "SYS SYS SYS SYS SYS SYS NODE NODE NODE NODE PXB NODE",
                "SYS SYS SYS SYS SYS SYS NODE NODE NODE NODE NODE PXB" },
      .between = { "X NODE NODE NODE NODE NODE SYS SYS SYS SYS SYS SYS",
                   "NODE X PIX NODE NODE NODE SYS SYS SYS SYS SYS SYS",
                   "NODE PIX X NODE NODE NODE SYS SYS SYS SYS SYS SYS",
                   "NODE NODE NODE X NODE NODE SYS SYS SYS SYS SYS SYS",
                   "NODE NODE NODE NODE X NODE SYS SYS SYS SYS SYS SYS",
                   "NODE NODE NODE NODE NODE X SYS SYS SYS SYS SYS SYS" },
      .takes = { "mlx5_0", "mlx5_3", "mlx5_4", "mlx5_5", "mlx5_6", "mlx5_9", "mlx5_10", "mlx5_11" },
      .rails = "0 - - 1 2 3 4 - - 5 6 7" },
    { .fixture = "partial-gpus-gb200",
      .ports = "mlx5_0 mlx5_1 mlx5_2 mlx5_3 mlx5_4 mlx5_5 mlx5_6 mlx5_7",
      .rows = { "SYS SYS SYS SYS SYS SYS SYS SYS", "SYS SYS SYS SYS SYS SYS SYS SYS",
                "SYS SYS SYS SYS SYS SYS SYS SYS", "SYS SYS SYS SYS SYS SYS SYS SYS" },
      .between = { "X SYS SYS SYS SYS SYS SYS SYS", "SYS X SYS SYS SYS SYS SYS SYS",
                   "SYS SYS X PIX SYS SYS SYS SYS", "SYS SYS PIX X SYS SYS SYS SYS",
                   "SYS SYS SYS SYS X SYS SYS SYS", "SYS SYS SYS SYS SYS X SYS SYS",
                   "SYS SYS SYS SYS SYS SYS X PIX", "SYS SYS SYS SYS SYS SYS PIX X" },
      .nodes = 4 * 4 + 8 * 3 - 4 },     /* of each row those of its CPU, but for the other port of a card */
    { .fixture = "partial-gpus-mi300x", /* NCCL's PHB is NODE: the notes tell */
      .ports = "mlx5_0 mlx5_1 mlx5_2 mlx5_3 mlx5_4 mlx5_5 mlx5_6 mlx5_7",
      .rows = { "PXB NODE NODE NODE SYS SYS SYS SYS", "NODE PXB NODE NODE SYS SYS SYS SYS",
                "NODE NODE PXB NODE SYS SYS SYS SYS", "NODE NODE NODE PXB SYS SYS SYS SYS",
                "SYS SYS SYS SYS PXB NODE NODE NODE", "SYS SYS SYS SYS NODE PXB NODE NODE",
                "SYS SYS SYS SYS NODE NODE PXB NODE", "SYS SYS SYS SYS NODE NODE NODE PXB" },
      .takes = { "mlx5_0", "mlx5_1", "mlx5_2", "mlx5_3", "mlx5_4", "mlx5_5", "mlx5_6", "mlx5_7" },
      .rails = "0 1 2 3 4 5 6 7" },
    { .fixture = "partial-gpus-l40",
      .ports = "mlx5_0 mlx5_1",
      .rows = { "SYS SYS", "SYS SYS", "NODE NODE", "NODE NODE" },
      .between = { "X PIX", "PIX X" } },
    { .fixture = "partial-gpus-gb10",
      .ports = "rocep1s0f0 rocep1s0f1 roceP2p1s0f0 roceP2p1s0f1",
      .rows = { "NODE NODE NODE NODE" },
      .between = { "X PIX NODE NODE", "PIX X NODE NODE", "NODE NODE X PIX", "NODE NODE PIX X" } },
};

/* The word at a place of a text of words. */
static const char *word_at(struct arena *arena, const char *words, size_t place)
{
    for (; place; place--)
        words += strcspn(words, " ") + 1;
    return arena_strndup(arena, words, strcspn(words, " "));
}

static size_t count_words(const char *words)
{
    size_t count = 1;
    for (; (words = strchr(words, ' ')); words++)
        count++;
    return count;
}

static const struct pci *pci_named(const struct host *host, const char *device)
{
    const struct device *found = host_find_device(host, device);
    cr_assert_not_null(found, "%s isn't there", device);
    return host_find_pci(host, found->pci);
}

/* How many of them are nearer than they are published. */
static size_t expect_row(const struct host *host, const struct published *machine, const struct pci *from,
                         const char *words)
{
    size_t nodes = 0;
    cr_assert_eq(count_words(words), count_words(machine->ports));
    for (size_t c = 0; c < count_words(words); c++) {
        const char *port = word_at(host->arena, machine->ports, c), *word = word_at(host->arena, words, c);
        const char *ours = distance_text(pci_distance(host, from, pci_named(host, port)));
        if (machine->nodes && strcmp(word, "SYS") == 0 && strcmp(ours, "NODE") == 0) {
            nodes++;
            continue;
        }
        cr_expect_str_eq(ours, word, "%s: %s to %s is %s, published as %s", machine->fixture, from->address,
                         port, ours, word);
    }
    return nodes;
}

static void expect_takes(const struct host *host, const struct published *machine,
                         const struct pci *const *accelerators, size_t count, size_t index)
{
    struct gpu_nics nics = gpu_nics(host, accelerators, count, index, host->arena);
    const char *expected = machine->takes[index];
    cr_assert_eq(nics.unclear, expected == NULL, "%s: %s", machine->fixture, accelerators[index]->address);
    if (!expected)
        return;
    cr_assert_eq(nics.nports, count_words(expected), "%s: %s", machine->fixture, accelerators[index]->address);
    for (size_t i = 0; i < nics.nports; i++)
        cr_expect_str_eq(nics.ports[i]->device->name, word_at(host->arena, expected, i));
}

static void expect_rails(const struct host *host, const struct published *machine,
                         const struct pci *const *accelerators, size_t count)
{
    struct gpu_nics *nics = arena_alloc(host->arena, count + 1, sizeof(*nics));
    for (size_t i = 0; i < count; i++)
        nics[i] = gpu_nics(host, accelerators, count, i, host->arena);
    struct gpu_rails rails = gpu_rails(nics, count, host->arena);
    for (size_t i = 0; i < count_words(machine->ports); i++) {
        const struct device *device = host_find_device(host, word_at(host->arena, machine->ports, i));
        struct num rail = gpu_rail_of(&rails, &device->ports[0]);
        const char *ours = rail.known ? arena_printf(host->arena, "%u", (unsigned)rail.value) : "-";
        cr_expect_str_eq(ours, machine->rails ? word_at(host->arena, machine->rails, i) : "-", "%s: rail of %s",
                         machine->fixture, device->name);
    }
}

static struct host *read_machine(const char *fixture)
{
    struct source *source = NULL;
    struct host *host = NULL;
    cr_assert_eq(source_open_recording(tree_fixture(fixture), &source, NULL), 0);
    cr_assert_eq(host_read(source, NEED_ALL, &host), 0);
    source_close(source);
    return host;
}

static void expect_machine(const struct published *machine)
{
    struct host *host = read_machine(machine->fixture);
    size_t count, nodes = 0;
    const struct pci **accelerators = host_accelerators(host, host->arena, &count);
    for (size_t i = 0; i < count || machine->rows[i]; i++) {
        cr_assert(i < count && machine->rows[i], "%s: %zu accelerators", machine->fixture, count);
        nodes += expect_row(host, machine, accelerators[i], machine->rows[i]);
        expect_takes(host, machine, accelerators, count, i);
    }
    expect_rails(host, machine, accelerators, count);
    for (size_t i = 0; machine->between[i]; i++)
        nodes += expect_row(host, machine, pci_named(host, word_at(host->arena, machine->ports, i)),
                            machine->between[i]);
    cr_expect_eq(nodes, machine->nodes, "%s: %zu", machine->fixture, nodes);
    host_free(host);
}

Test(topology_published, matrices)
{
    for (size_t i = 0; i < ARRAY_SIZE(machines); i++)
        expect_machine(&machines[i]);
}
