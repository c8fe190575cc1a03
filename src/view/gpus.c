/* SPDX-License-Identifier: MIT */
/* GPUs and the NICs near them, and what NCCL or RCCL makes of them. */
#include "view/gpus.h"

#include "view/json.h"
#include "view/listing.h"
#include "view/page.h"
#include "view/rows.h"
#include "view/table.h"

/* -- whether NICs can reach a GPU's memory, and by which of the kernel's mechanisms -------------------------
 */

enum { LABEL = 4 };

/* "dma-buf", "nvidia_peermem", "nv_mem", "amdkfd", "none"; NULL if unknown. */
static const char *gpu_memory_text(const struct gpu_memory *memory)
{
    static const char *const words[] = { [GPU_WAY_DMABUF] = "dma-buf", [GPU_WAY_NONE] = "none" };
    return memory->way == GPU_WAY_MODULE ? memory->module : WORD_AT(words, memory->way);
}

/* What a library uses to register accelerators' memory, one accelerator representing all: a line of a block.
 * whose: "their memory", "the memory of 0000:17:00.0, …". */
static void gpu_memory_print(const struct host *host, enum consumer consumer, const struct gpu_memory *memory,
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

/* What the library's settings and GDRCopy change about it. */
static void gpu_copies_print(const struct host *host, enum consumer consumer, size_t width)
{
    struct setting read = consumer_setting(consumer, &host->system, "NCCL_NET_GDR_READ");
    if (read.value && nccl_number(read.value, -2) == 0)
        block_printf("", LABEL, width, "sends through the host's memory all the same: NCCL_NET_GDR_READ is 0.");
    print_gdrcopy(host, consumer, width);
}

/* The memory of accelerators and drives that P2PDMA lends, one line each; prints nothing if there is none. */
static void p2pmem_print(const struct host *host, size_t width)
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

/* The value of "peer_memory": everything known about it. */
static json_t *gpu_memory_json(const struct host *host)
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

/* -- places in the PCI tree ------------------------------------------------------------------------------- */

/* An accelerator or a port, with its place in the PCI tree. */
struct place_row {
    const struct pci *pci;   /* NULL: a port of a soft device */
    const struct port *port; /* NULL: an accelerator */
    const struct port_row *ports;
    size_t nports;
    const struct gpu_rails *rails;
    struct num numa, rail; /* its NUMA node; of a port: its rail */
    /* for an accelerator: used by several columns */
    struct gpu_nics nics;
    struct gpu_memory memory;
    const struct port **nearest;
    size_t nnearest;
    enum distance nearest_distance;
};

static const struct place_row *place_of(const void *row)
{
    return row;
}

/* "mlx5_0", or "mlx5_0/2" if the device has several ports. */
static const char *port_text(struct arena *arena, const struct port *port)
{
    return port->device->nports > 1 ? arena_printf(arena, "%s/%u", port->device->name, port->number)
                                    : port->device->name;
}

static struct value ports_value(struct arena *arena, const struct port *const *ports, size_t count)
{
    const char **texts = arena_alloc(arena, count + 1, sizeof(*texts));
    for (size_t i = 0; i < count; i++)
        texts[i] = port_text(arena, ports[i]);
    return value_texts(texts, count);
}

static struct value get_vendor(const void *row)
{
    return value_text(accelerator_vendor(place_of(row)->pci));
}

static struct value make_id(const struct cell_context *context, const void *row)
{
    const struct pci *pci = place_of(row)->pci;
    if (!pci->vendor.known || !pci->device.known)
        return NO_VALUE;
    return value_text(
        arena_printf(context->arena, "%04x:%04x", (unsigned)pci->vendor.value, (unsigned)pci->device.value));
}

static struct value make_nearest(const struct cell_context *context, const void *row)
{
    return ports_value(context->arena, place_of(row)->nearest, place_of(row)->nnearest);
}

#define C2C "C2C"

/* nvidia-smi has no word for C2C: programs get its NODE. */
static struct value make_distance(const struct cell_context *context, const void *row)
{
    const struct place_row *place = place_of(row);
    if (!place->nnearest)
        return NO_VALUE;
    bool c2c = context->for_people && gpu_is_over_c2c(context->host, place->pci, place->nearest[0]);
    return value_text(c2c ? C2C : distance_text(place->nearest_distance));
}

/* The bandwidth of the path to the nearest port; red if less than the port's rate. */
static struct value make_mbps(const struct cell_context *context, const void *row)
{
    if (!place_of(row)->nnearest)
        return NO_VALUE;
    const struct port *port = place_of(row)->nearest[0];
    struct pci_path path = pci_path(context->host, place_of(row)->pci,
                                    device_function(context->host, port->device));
    if (path.mbps <= 0)
        return NO_VALUE;
    bool slow = port_is_active(port) && port->rate_mbps.known && path.mbps < (double)port->rate_mbps.value;
    return value_with_tone(value_num_as(VALUE_MBPS, num_of((uint64_t)(path.mbps / 1000) * 1000)),
                           slow ? TONE_WARN : TONE_PLAIN);
}

static struct value get_library(const void *row)
{
    return value_text(consumer_name(gpu_consumer(place_of(row)->pci)));
}

static struct value make_takes(const struct cell_context *context, const void *row)
{
    struct gpu_nics nics = place_of(row)->nics;
    return nics.unclear ? NO_VALUE : ports_value(context->arena, nics.ports, nics.nports);
}

/* The rails of the ports an accelerator takes, each once. */
static struct value make_rails(const struct cell_context *context, const void *row)
{
    const struct place_row *place = place_of(row);
    const char *text = "-";
    json_t *array = json_array();
    for (size_t i = 0; i < place->rails->count; i++) {
        bool taken = false;
        for (size_t k = 0; k < place->nics.nports; k++) {
            struct num rail = gpu_rail_of(place->rails, place->nics.ports[k]);
            taken |= rail.known && rail.value == i;
        }
        if (!taken)
            continue;
        text = json_array_size(array) ? arena_printf(context->arena, "%s, %zu", text, i)
                                      : arena_printf(context->arena, "%zu", i);
        json_array_append_new(array, json_integer((json_int_t)i));
    }
    return value_json(array, text);
}

static struct value get_memory(const void *row)
{
    const struct gpu_memory *memory = &place_of(row)->memory;
    return value_with_tone(value_text(gpu_memory_text(memory)),
                           memory->way == GPU_WAY_NONE ? TONE_WARN : TONE_PLAIN);
}

/* Being near enough isn't sufficient: something must also lend its memory. */
static struct value make_gdr(const struct cell_context *context, const void *row)
{
    const struct place_row *place = place_of(row);
    if (place->nics.unclear || !place->nics.nports)
        return NO_VALUE;
    enum tristate gdr = place->memory.way == GPU_WAY_NONE
                            ? TRI_NO
                            : gpu_reaches(context->host, place->pci, place->nics.ports[0]);
    return value_with_tone(value_tristate(gdr), gdr == TRI_NO ? TONE_WARN : TONE_PLAIN);
}

/* One line of the matrix. */
static struct value make_ports(const struct cell_context *context, const void *row)
{
    const struct place_row *place = place_of(row);
    json_t *array = json_array();
    for (size_t i = 0; i < place->nports; i++) {
        const struct port *port = place->ports[i].port;
        const struct pci *function = device_function(context->host, port->device);
        struct pci_path path = pci_path(context->host, place->pci, function);
        json_t *object = json_push_object(array);
        json_put_text(object, "device", port->device->name);
        json_put_unsigned(object, "port", port->number);
        json_put_text(object, "model", function ? function->model : NULL);
        json_put_text(object, "distance",
                      path.distance == DISTANCE_UNKNOWN ? NULL : distance_text(path.distance));
        if (!place->port)
            json_put_bool(object, "c2c", gpu_is_over_c2c(context->host, place->pci, port));
        json_put_num(object, "path_mbps", num_if(path.mbps > 0, (uint64_t)(path.mbps / 1000) * 1000));
        json_put_text(object, "bottleneck", path.slow ? path.slow->address : NULL);
        json_put_num(object, "rate_mbps", port->rate_mbps);
        json_put_num(object, "rail", gpu_rail_of(place->rails, port));
    }
    return value_json(array, "");
}

const struct column gpu_columns[] = { GPU_COLUMNS };

struct value near_accelerators(const struct cell_context *context, const struct pci *pci)
{
    size_t count;
    const struct pci **accelerators = nearest_accelerators(context->host, pci, context->arena, &count);
    const char **texts = arena_alloc(context->arena, count + 1, sizeof(*texts));
    for (size_t i = 0; i < count; i++)
        texts[i] = accelerators[i]->address;
    return value_texts(texts, count);
}

static struct value make_near_accelerators(const struct cell_context *context, const void *row)
{
    return near_accelerators(context, place_of(row)->pci);
}

const struct column port_path_columns[] = { PORT_PATH_COLUMNS };

static enum tone distance_tone(enum distance distance)
{
    return distance == DISTANCE_PIX || distance == DISTANCE_PXB ? TONE_GOOD
           : distance == DISTANCE_SYS                           ? TONE_WARN
                                                                : TONE_PLAIN;
}

/* Which words the matrix uses: the distances, then C2C. */
enum { USED_C2C = DISTANCES, USED };

static void set_cell(const struct host *host, struct table *table, size_t r, size_t c,
                     const struct place_row *row, bool *used)
{
    const struct port *port = row->ports[c].port;
    enum distance distance = row->port == port
                                 ? DISTANCE_SELF
                                 : pci_distance(host, row->pci, device_function(host, port->device));
    if (distance == DISTANCE_SELF && row->port != port)
        distance = DISTANCE_PIX; /* two ports of one function */
    bool c2c = !row->port && gpu_is_over_c2c(host, row->pci, port);
    used[c2c ? USED_C2C : (int)distance] = true;
    table_set_text(table, r + 1, c + 1, c2c ? C2C : distance_text(distance),
                   c2c ? TONE_GOOD : distance_tone(distance));
}

/* The heading is a row: names keep their case. */
static void print_matrix(const struct host *host, const struct place_row *rows, size_t nrows,
                         const struct look *look, bool *used)
{
    size_t nports = nrows ? rows[0].nports : 0;
    struct table *table = table_new(nports + 1, nrows + 1);
    for (size_t c = 0; c < nports; c++)
        table_set_text(table, 0, c + 1, port_text(host->arena, rows[0].ports[c].port), TONE_BOLD);
    for (size_t r = 0; r < nrows; r++) {
        const char *name = rows[r].port ? port_text(host->arena, rows[r].port) : rows[r].pci->address;
        table_set_text(table, r + 1, 0, name, TONE_BOLD);
        for (size_t c = 0; c < nports; c++)
            set_cell(host, table, r, c, &rows[r], used);
    }
    table_print_matrix(table, look->color, look->width);
    table_free(table);
    putchar('\n');
}

static void print_legend(const bool *used)
{
    putchar('\n');
    for (enum distance distance = DISTANCE_PIX; distance < DISTANCES; distance++)
        if (used[distance])
            printf("%-4s  %s\n", distance_text(distance), distance_meaning(distance));
    if (used[USED_C2C])
        puts(C2C "   NVLink-C2C to its CPU; nvidia-smi says NODE or SYS");
}

static void print_takes(const struct host *host, const struct pci *accelerator, size_t width)
{
    enum consumer consumer = gpu_consumer(accelerator);
    struct gpu_reach reach = gpu_reach(host, consumer);
    block_printf(
        consumer == CONSUMER_RCCL ? "RCCL" : "NCCL", 4, width,
        "takes the ports with the most bandwidth to an accelerator, of those the nearest, and shares them out "
        "among the accelerators that are as near; they reach its memory (GDR) up to %s, %s%s%s.",
        reach.most == DISTANCE_NODE   ? "PHB and NODE"
        : reach.most == DISTANCE_SELF ? "no distance"
                                      : distance_text(reach.most),
        reach.by.value ? "by NCCL_NET_GDR_LEVEL" : "which NCCL_NET_GDR_LEVEL changes",
        consumer == CONSUMER_NCCL && accelerator_has_c2c(accelerator)
            ? ", and over C2C to the ports of its own CPU"
            : "",
        consumer == CONSUMER_RCCL ? "; on EPYC, where both are at the CPU itself, up to PHB" : "");
}

static bool is_same_way(const struct place_row *a, const struct place_row *b)
{
    return gpu_consumer(a->pci) == gpu_consumer(b->pci) && a->memory.way == b->memory.way &&
           a->memory.module == b->memory.module;
}

/* The memory of the accelerators handled like rows[first], unless an earlier one was. */
static void print_way(const struct host *host, const struct place_row *rows, size_t nrows, size_t first,
                      size_t width)
{
    enum consumer consumer = gpu_consumer(rows[first].pci);
    struct bytes whose = { 0 };
    bool all = true, begun = false;
    for (size_t i = 0; i < nrows; i++) {
        if (!is_same_way(&rows[first], &rows[i])) {
            all &= gpu_consumer(rows[i].pci) != consumer;
            continue;
        }
        begun |= i < first;
        bytes_printf(&whose, "%s%s", whose.len ? ", " : "the memory of ", rows[i].pci->address);
    }
    if (!begun && rows[first].memory.why)
        gpu_memory_print(host, consumer, &rows[first].memory, all ? "their memory" : whose.data, width);
    bytes_free(&whose);
}

/* What the libraries do by default or by their settings. */
static void print_rules(const struct host *host, const struct place_row *rows, size_t nrows, size_t width)
{
    bool said[CONSUMERS] = { false };
    for (size_t i = 0; i < nrows; i++) {
        enum consumer consumer = gpu_consumer(rows[i].pci);
        if (said[consumer])
            continue;
        said[consumer] = true;
        print_takes(host, rows[i].pci, width);
        for (size_t k = i; k < nrows; k++)
            if (gpu_consumer(rows[k].pci) == consumer)
                print_way(host, rows, nrows, k, width);
        gpu_copies_print(host, consumer, width);
    }
    p2pmem_print(host, width);
}

/* The selected ports, in the host's memory. */
static struct place_row *find_rows(const struct host *host, const struct selection *selection, bool of_ports,
                                   size_t *count)
{
    size_t nports, naccelerators;
    const struct port_row *ports = port_rows(host, selection, &nports);
    const struct pci *const *accelerators = host_accelerators(host, host->arena, &naccelerators);
    *count = of_ports ? nports : naccelerators;
    struct place_row *rows = arena_alloc(host->arena, *count + 1, sizeof(*rows));
    struct gpu_nics *nics = arena_alloc(host->arena, naccelerators + 1, sizeof(*nics));
    struct gpu_rails *rails = arena_alloc(host->arena, 1, sizeof(*rails));
    for (size_t i = 0; i < naccelerators; i++)
        nics[i] = gpu_nics(host, accelerators, naccelerators, i, host->arena);
    *rails = gpu_rails(nics, naccelerators, host->arena);
    for (size_t i = 0; i < *count; i++) {
        struct place_row *row = &rows[i];
        *row = (struct place_row){ .ports = ports, .nports = nports, .rails = rails };
        row->port = of_ports ? ports[i].port : NULL;
        row->pci = of_ports ? device_function(host, row->port->device) : accelerators[i];
        row->numa = pci_numa(row->pci);
        if (of_ports) {
            row->rail = gpu_rail_of(rails, row->port);
            continue;
        }
        row->nics = nics[i];
        row->nearest = nearest_ports(host, row->pci, CONSUMERS, host->arena, &row->nnearest,
                                     &row->nearest_distance);
        const struct port *port = nics[i].nports && !nics[i].unclear ? nics[i].ports[0]
                                  : row->nnearest                    ? row->nearest[0]
                                                                     : NULL;
        if (port)
            row->memory = gpu_memory(host, row->pci, port, host->arena);
    }
    return rows;
}

void gpus_print(const struct host *host, const struct selection *selection, const struct look *look)
{
    size_t count;
    bool used[USED] = { false };
    const struct place_row *rows = find_rows(host, selection, false, &count);
    const struct listing *listing = LISTING(host, gpu_columns, rows, count);
    bool page = !look_chooses(look) && !look->json && count && rows[0].nports;
    if (page)
        print_matrix(host, rows, count, look, used);
    if (look->json) {
        json_t *top = json_envelope(host);
        json_object_set_new(top, "accelerators", listing_wanted_json(look, listing));
        json_object_set_new(top, "peer_memory", count ? gpu_memory_json(host) : json_null());
        json_add_problems(top, host);
        json_print(top);
        return;
    }
    listing_print(
        look, listing, "accelerators",
        host->ndevices
            ? "no accelerator: no NVIDIA, AMD, Intel or Habana one, nor another's PCI function of that class"
            : no_device_text(host));
    if (!page)
        return;
    print_legend(used);
    putchar('\n');
    print_rules(host, rows, count, look->width);
}

void port_paths_print(const struct host *host, const struct selection *selection, const struct look *look)
{
    size_t count;
    bool used[USED] = { false };
    const struct place_row *rows = find_rows(host, selection, true, &count);
    bool page = !look_chooses(look) && !look->json && count;
    if (page)
        print_matrix(host, rows, count, look, used);
    listing_print(look, LISTING(host, port_path_columns, rows, count), "ports", no_device_text(host));
    if (page)
        print_legend(used);
}

static bool is_among(const struct port *port, const struct port *const *ports, size_t nports)
{
    size_t i = 0;
    while (i < nports && ports[i] != port)
        i++;
    return i < nports;
}

/* Returns false if what it takes is unclear, or includes ports other than these. */
static bool add_rail(json_t *rails, struct bytes *text, const struct pci *accelerator,
                     const struct gpu_nics *nics, const struct port *const *ports, size_t nports)
{
    if (nics->unclear || nics->nports == 0)
        return false;
    json_t *rail = json_push_object(rails);
    json_put_text(rail, "accelerator", accelerator->address);
    json_put_text(rail, "distance", distance_text(nics->distance));
    json_t *names = json_add_array(rail, "port_names");
    bytes_printf(text, "%s%s ", text->len ? ", " : "", accelerator->address);
    for (size_t i = 0; i < nics->nports; i++) {
        char *name = mem_printf("%s:%u", nics->ports[i]->device->name, nics->ports[i]->number);
        json_array_append_new(names, json_text(name));
        bytes_printf(text, "%s%s", i > 0 ? " + " : "", name);
        free(name);
        if (!is_among(nics->ports[i], ports, nports))
            return false;
    }
    bytes_printf(text, " (%s)", distance_text(nics->distance));
    return true;
}

json_t *rails_json(const struct host *host, const struct port *const *ports, size_t nports, struct bytes *text)
{
    size_t count;
    const struct pci **accelerators = host_accelerators(host, host->arena, &count);
    json_t *rails = json_array();
    for (size_t i = 0; i < count; i++) {
        struct gpu_nics nics = gpu_nics(host, accelerators, count, i, host->arena);
        if (add_rail(rails, text, accelerators[i], &nics, ports, nports))
            continue;
        json_array_clear(rails);
        bytes_free(text);
        break;
    }
    return rails;
}
