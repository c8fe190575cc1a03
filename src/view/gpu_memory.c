/* SPDX-License-Identifier: MIT */
/* Whether NICs can reach a GPU's memory, and by which of the kernel's mechanisms. */
#include "view/gpus.h"

#include "view/json.h"
#include "view/page.h"

enum { LABEL = 4 };

const char *gpu_memory_text(const struct gpu_memory *memory)
{
    static const char *const words[] = { [GPU_WAY_DMABUF] = "dma-buf", [GPU_WAY_NONE] = "none" };
    return memory->way == GPU_WAY_MODULE ? memory->module : WORD_AT(words, memory->way);
}

void gpu_memory_print(const struct host *host, enum consumer consumer, const struct gpu_memory *memory,
                      const char *whose, size_t width)
{
    const char *module = gpu_memory_module(host, consumer);
    if (memory->way == GPU_WAY_DMABUF)
        block_printf("", LABEL, width, "registers %s by dma-buf: %s%s%s%s.", whose, memory->why,
                     module ? "; " : "", module ? module : "", module ? " is loaded, but not needed" : "");
    else if (memory->way == GPU_WAY_MODULE)
        block_printf("", LABEL, width, "registers %s by %s: %s.", whose, module, memory->why);
    else if (memory->way == GPU_WAY_NONE)
        block_printf("", LABEL, width,
                     "can't register %s and copies through the host's: %s, and nvidia_peermem isn't loaded.",
                     whose, memory->why);
    else if (module)
        block_printf("", LABEL, width, "registers %s by dma-buf or by %s: %s.", whose, module, memory->why);
    else
        block_printf("", LABEL, width, "by what it registers %s isn't known: %s.", whose, memory->why);
}

static void print_gdrcopy(const struct host *host, enum consumer consumer, size_t width)
{
    const struct peer_memory *peer = &host->system.peer_memory;
    bool used = gpu_copies_by_gdrcopy(host, consumer);
    const struct device_node *node = &peer->gdrdrv_node;
    if (peer->gdrdrv && used && node->tried && node->err)
        block_printf("", LABEL, width, "is set to use GDRCopy by NCCL_GDRCOPY_ENABLE, but %s: %s.", node->path,
                     say_errno(node->err));
    else if (peer->gdrdrv)
        block_printf("", LABEL, width,
                     used ? "uses GDRCopy (gdrdrv %s), as NCCL_GDRCOPY_ENABLE says."
                          : "uses GDRCopy (gdrdrv %s) only where NCCL_GDRCOPY_ENABLE is 1.",
                     peer->gdrdrv);
    else if (used)
        block_printf("", LABEL, width,
                     "is set to use GDRCopy by NCCL_GDRCOPY_ENABLE, but gdrdrv isn't loaded%s.",
                     host->partial ? ", as far as is known" : "");
}

void gpu_copies_print(const struct host *host, enum consumer consumer, size_t width)
{
    struct setting read = consumer_setting(consumer, &host->system, "NCCL_NET_GDR_READ");
    if (read.value && nccl_number(read.value, -2) == 0)
        block_printf("", LABEL, width, "sends through the host's memory all the same: NCCL_NET_GDR_READ is 0.");
    print_gdrcopy(host, consumer, width);
}

void p2pmem_print(const struct host *host, size_t width)
{
    for (size_t i = 0; i < host->npcis; i++) {
        const struct pci *pci = &host->pcis[i];
        if (pci->p2p_size.known)
            block_printf("P2P", LABEL, width, "%s%s lends %s of its memory (P2PDMA), %s not given away%s.",
                         pci->is_nvme ? "the drive " : "", pci->address,
                         value_in_words(host->arena, value_num_as(VALUE_BYTES, pci->p2p_size)),
                         value_in_words(host->arena, value_num_as(VALUE_BYTES, pci->p2p_available)),
                         pci->p2p_published == TRI_NO ? "; to its own driver only" : "");
    }
}

static void put_p2pmem(json_t *array, const struct host *host)
{
    for (size_t i = 0; i < host->npcis; i++) {
        const struct pci *pci = &host->pcis[i];
        if (pci->p2p_size.known) {
            json_t *object = json_push_object(array);
            json_put_text(object, "pci", pci->address);
            json_put_num(object, "size", pci->p2p_size);
            json_put_num(object, "available", pci->p2p_available);
            json_put_tristate(object, "published", pci->p2p_published);
        }
    }
}

static void put_dmabuf(json_t *array, const struct host *host)
{
    for (size_t i = 0; i < host->ndevices; i++) {
        json_t *object = json_push_object(array);
        json_put_text(object, "device", host->devices[i].name);
        json_put_tristate(object, "known", device_knows_dmabuf(&host->devices[i]));
    }
}

json_t *gpu_memory_json(const struct host *host)
{
    const struct peer_memory *peer = &host->system.peer_memory;
    const struct device_node *node = &peer->gdrdrv_node;
    json_t *object = json_object();
    json_put_text(object, "nvidia", peer->nvidia);
    json_put_tristate(object, "open_driver", peer->open_driver);
    json_put_text(object, "nvidia_peermem", peer->nvidia_peermem);
    json_put_text(object, "memory_peer",
                  peer->memory_peer ? arena_printf(host->arena, "/%s", peer->memory_peer) : NULL);
    put_dmabuf(json_add_array(object, "dmabuf"), host);
    json_put_text(object, "gdrdrv", peer->gdrdrv);
    json_put_tristate(object, "gdrdrv_opens", node->tried ? tri_of(node->err == 0) : TRI_UNKNOWN);
    put_p2pmem(json_add_array(object, "p2pmem"), host);
    return object;
}
