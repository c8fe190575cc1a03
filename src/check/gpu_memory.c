/* SPDX-License-Identifier: MIT */
/* As NCCL 2.30.7 (NVIDIA/nccl 5067397) does it: ncclIbGdrSupport() and ncclIbDmaBufSupport() of
 * src/transport/net_ib/gdr.cc say what a NIC can, dmaBufSupported() of src/init.cc what the accelerator can and
 * NCCL_DMABUF_ENABLE (1) allows; src/transport/net.cc takes dma-buf where all three agree, else the module.
 * RCCL is the same (ROCm/rocm-systems 018c383, projects/rccl/src/misc/rocmwrap.cc, where the kernel's
 * configuration must have DMABUF_MOVE_NOTIFY and PCI_P2PDMA), but that of ROCm 6.3 (ROCm/rccl 0cbce2a, NCCL
 * 2.21.5) has NCCL_DMABUF_ENABLE at 0, and looks for ib_register_peer_memory_client in /proc/kallsyms besides. */
#include "check/gpu_memory.h"

#include <errno.h>
#include <string.h>

#include "base/mem.h"
#include "base/say.h"
#include "base/text.h"
#include "check/gpu_nics.h"
#include "model/verbs.h"

const char *gpu_memory_module(const struct host *host, enum consumer consumer)
{
    static const char *const names[] = { "nv_mem_nc", "nv_mem", "amdkfd" };
    const struct peer_memory *peer = &host->system.peer_memory;
    if (consumer == CONSUMER_NCCL && peer->nvidia_peermem)
        return "nvidia_peermem";
    for (size_t i = 0; peer->memory_peer && i < ARRAY_SIZE(names); i++)
        if (strstr(peer->memory_peer, names[i]))
            return (consumer == CONSUMER_RCCL) == (strcmp(names[i], "amdkfd") == 0) ? names[i] : NULL;
    return NULL;
}

enum tristate device_knows_dmabuf(const struct device *device)
{
    switch (device->verbs ? device->verbs->dmabuf_err : 0) {
    case EBADF:
        return TRI_YES;
    case EOPNOTSUPP:
    case EPROTONOSUPPORT:
        return TRI_NO;
    default:
        return TRI_UNKNOWN;
    }
}

/* What the accelerator's own driver offers. */
static enum tristate driver_knows_dmabuf(const struct host *host, enum consumer consumer)
{
    return consumer == CONSUMER_RCCL ? TRI_YES : host->system.peer_memory.open_driver;
}

static bool has_own_driver(const struct pci *accelerator, enum consumer consumer)
{
    const char *vendor = accelerator_vendor(accelerator);
    return consumer == CONSUMER_RCCL ? text_is(accelerator->driver, "amdgpu")
                                     : text_is(vendor, "NVIDIA") && text_is(accelerator->driver, "nvidia");
}

/* dma-buf is out: is there a module? */
static struct gpu_memory by_module(const struct host *host, enum consumer consumer, const char *why)
{
    const char *module = gpu_memory_module(host, consumer);
    if (module)
        return (struct gpu_memory){ .way = GPU_WAY_MODULE, .module = module, .why = why };
    bool none = consumer == CONSUMER_NCCL && host->system.peer_memory.nvidia;
    return (struct gpu_memory){ .way = none ? GPU_WAY_NONE : GPU_WAY_UNKNOWN, .why = why };
}

static struct gpu_memory unknown(const char *why)
{
    return (struct gpu_memory){ .way = GPU_WAY_UNKNOWN, .why = why };
}

struct gpu_memory gpu_memory(const struct host *host, const struct pci *accelerator, const struct port *port,
                             struct arena *arena)
{
    enum consumer consumer = gpu_consumer(accelerator);
    struct setting setting = consumer_setting(consumer, &host->system, "NCCL_DMABUF_ENABLE");
    enum tristate driver = driver_knows_dmabuf(host, consumer), nic = device_knows_dmabuf(port->device);
    const char *device = port->device->name;
    if (!has_own_driver(accelerator, consumer))
        return unknown(
            accelerator->driver
                ? arena_printf(arena, "%s has the driver %s", accelerator->address, accelerator->driver)
                : arena_printf(arena, "no driver of %s is known", accelerator->address));
    if (nccl_number(setting.value, 1) == 0)
        return by_module(host, consumer, "NCCL_DMABUF_ENABLE is 0");
    if (driver == TRI_NO)
        return by_module(host, consumer, "NVIDIA's driver isn't the open one, which alone offers dma-buf");
    if (nic == TRI_NO)
        return by_module(host, consumer,
                         arena_printf(arena, "ibv_reg_dmabuf_mr() of %s: %s", device,
                                      say_errno(port->device->verbs->dmabuf_err)));
    if (driver == TRI_UNKNOWN)
        return unknown("/proc/driver/nvidia/version could not be read");
    if (nic == TRI_UNKNOWN)
        return unknown(arena_printf(arena, "whether %s knows dma-buf could not be asked", device));
    if (consumer == CONSUMER_RCCL && !setting.value)
        return unknown("up to ROCm 6.3 RCCL takes dma-buf only where NCCL_DMABUF_ENABLE is 1");
    return (struct gpu_memory){ .way = GPU_WAY_DMABUF,
                                .why = arena_printf(arena, "ibv_reg_dmabuf_mr() of %s knows it", device) };
}

/* initGdrCopy() of NCCL's src/init.cc: 1 and nothing else. */
bool gpu_copies_by_gdrcopy(const struct host *host, enum consumer consumer)
{
    struct setting setting = consumer_setting(consumer, &host->system, "NCCL_GDRCOPY_ENABLE");
    return nccl_number(setting.value, 0) == 1;
}
