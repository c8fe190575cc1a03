/* SPDX-License-Identifier: MIT */
/* roce topo --irqs: which interrupts are near their device, who takes them, and whether irqbalance moves them.
 */
#include <criterion/criterion.h>
#include <criterion/redirect.h>

#include "model/system.h"
#include "view/gpus.h"

enum { DEVICES = 3, VECTORS = 4 };
static struct vector vectors[VECTORS];
static struct pci pcis[DEVICES - 1];
static struct device devices[DEVICES];
static struct daemon daemons[2];
static struct host host;

/* A card of node 1 with five interrupts, of whose first four one's CPUs aren't known; one whose interrupts
 * could not be read; a soft device. */
static void setup(void)
{
    static const char *const cpus[VECTORS] = { "64", "65-66", "3", NULL };
    static const char *const names[DEVICES] = { "mlx5_0", "mlx5_1", "rxe0" };
    static const char *const addresses[] = { "0000:91:00.0", "0000:92:00.0" };
    for (size_t i = 0; i < VECTORS; i++)
        vectors[i] = (struct vector){ .irq = "1", .cpus = cpus[i] };
    for (size_t i = 0; i < DEVICES - 1; i++)
        pcis[i] = (struct pci){ .address = addresses[i], .numa_node = snum_of(1), .local_cpus = "64-127" };
    pcis[0].vectors = vectors;
    pcis[0].nvectors = VECTORS;
    pcis[0].nirqs = VECTORS + 1;
    pcis[1].vectors_err = EACCES;
    for (size_t i = 0; i < DEVICES; i++)
        devices[i] = (struct device){ .name = names[i], .pci = i < DEVICES - 1 ? addresses[i] : NULL };
    daemons[0] = (struct daemon){ .program = "slurmd", .unit = "slurmd.service" };
    daemons[1] = (struct daemon){ .program = "irqbalance", .unit = "irqbalance.service" };
    host = (struct host){
        .arena = arena_new(), .devices = devices, .ndevices = DEVICES, .pcis = pcis, .npcis = DEVICES - 1
    };
    host.system.daemons = daemons;
}

static void teardown(void)
{
    arena_free(host.arena);
}

TestSuite(irqs, .init = setup, .fini = teardown);

static void expect(const struct selection *selection, const char *columns, const char *shown)
{
    struct look look = { .columns = columns, .no_header = true };
    cr_redirect_stdout();
    irqs_print(&host, selection, &look);
    fflush(stdout);
    cr_assert_stdout_eq_str(shown);
}

Test(irqs, near_far_and_those_that_nobody_tells_of)
{
    expect(&(struct selection){ 0 }, "device,interrupts,near,far,on",
           "mlx5_0  5  2  1  3,64-66\n"
           "mlx5_1  -  -  -  -\n"
           "rxe0    -  -  -  -\n");
}

Test(irqs, none_known_is_not_none_near)
{
    for (size_t i = 0; i < VECTORS; i++)
        vectors[i].cpus = NULL;
    const struct device *selected[] = { &devices[0] };
    expect(&(struct selection){ .some = true, .devices = selected, .ndevices = 1 },
           "device,interrupts,near,far", "mlx5_0  5  -  -\n");
}

Test(irqs, irqbalance_isnt_known)
{
    const struct device *selected[] = { &devices[0] };
    expect(&(struct selection){ .some = true, .devices = selected, .ndevices = 1 }, "device,irqbalance",
           "mlx5_0  -\n");
}

Test(irqs, irqbalance_runs)
{
    host.system.daemons_known = true;
    host.system.ndaemons = 2;
    const struct device *selected[] = { &devices[0] };
    expect(&(struct selection){ .some = true, .devices = selected, .ndevices = 1 }, "device,irqbalance",
           "mlx5_0  yes\n");
}

Test(irqs, another_daemon_is_not_irqbalance)
{
    host.system.daemons_known = true;
    host.system.ndaemons = 1;
    const struct device *selected[] = { &devices[0] };
    expect(&(struct selection){ .some = true, .devices = selected, .ndevices = 1 }, "device,irqbalance",
           "mlx5_0  no\n");
}
