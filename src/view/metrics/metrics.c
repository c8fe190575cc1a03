/* SPDX-License-Identifier: MIT */
/* Which families there are, which of them are wanted, and what they need read. */
#include "view/metrics/metrics.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/qos.h"
#include "view/metrics/family.h"

/* -- which there are -------------------------------------------------------------------------------------- */

/* In the order of printing; the drivers' own counters stand behind those of the ports. */
static const struct family *const lists[] = { families_devices, families_ports, families_netdevs,
                                              families_extra };

static const struct family *family_at(size_t i)
{
    for (size_t l = 0; l < ARRAY_SIZE(lists); l++)
        for (const struct family *family = lists[l]; family->name; family++)
            if (i-- == 0)
                return family;
    return NULL;
}

size_t metrics_count(void)
{
    size_t count = 0;
    while (family_at(count))
        count++;
    return count;
}

const char *metrics_name_at(size_t i, const void *data)
{
    (void)data;
    return family_at(i)->name;
}

static const struct {
    unsigned with;
    const char *option;
} options[] = {
    { WITH_CHECKS, "checks" },       { WITH_GIDS, "gids" },     { WITH_GID_INFO, "gid-info" },
    { WITH_PROCESSES, "processes" }, { WITH_LIMITS, "limits" },
};

static const char *option_of(const struct family *family)
{
    for (size_t i = 0; i < ARRAY_SIZE(options); i++)
        if (family->with == options[i].with)
            return options[i].option;
    return NULL;
}

struct metrics_row *metrics_rows(struct arena *arena, size_t *count)
{
    struct metrics_row *rows = NULL;
    const struct family *family;
    *count = 0;
    for (size_t i = 0; (family = family_at(i)); i++)
        *ARENA_PUSH(arena, rows, *count) = (struct metrics_row){
            .name = arena_printf(arena, PREFIX "%s", family->name),
            .labels = family->labels,
            .help = family->help,
            .type = family->type,
            .option = option_of(family),
            .counters = family->role ? counters_of_role(arena, family->role) : NULL,
        };
    counters_list(arena, &rows, count);
    return rows;
}

/* -- which are wanted ------------------------------------------------------------------------------------- */

static bool is_chosen(const struct metrics_choice *choice, const struct family *family)
{
    return (family->with & choice->with) == family->with && is_wanted(choice, family->name);
}

static bool names_any(const char *pattern)
{
    bool any = counters_may_match(pattern);
    for (size_t i = 0; family_at(i) && !any; i++)
        any = text_matches(pattern, family_at(i)->name);
    return any;
}

bool metrics_list_unknown(const char *list, char word[static 128])
{
    while (list && *list) {
        if (!list_next_word(&list, word))
            continue;
        const char *name = without_prefix(word);
        memmove(word, name, strlen(name) + 1);
        if (!names_any(word))
            return true;
    }
    return false;
}

const char *metrics_list_lacks(const struct metrics_choice *choice, const char *list, char word[static 128])
{
    const struct family *family;
    while (list && *list) {
        if (!list_next_word(&list, word))
            continue;
        for (size_t i = 0; (family = family_at(i)); i++)
            if ((family->with & choice->with) != family->with &&
                strcmp(without_prefix(word), family->name) == 0)
                return option_of(family);
    }
    return NULL;
}

static bool wants_counters(const struct metrics_choice *choice)
{
    char word[128];
    for (const char *list = choice->only; list && *list;)
        if (list_next_word(&list, word) && counters_may_match(without_prefix(word)))
            return true;
    return !choice->only;
}

needs_t metrics_needs(const struct metrics_choice *choice)
{
    needs_t needs = wants_counters(choice) ? NEED_COUNTERS : 0;
    for (size_t i = 0; family_at(i); i++)
        if (is_chosen(choice, family_at(i)))
            needs |= family_at(i)->needs;
    return needs;
}

/* -- what they are about ---------------------------------------------------------------------------------- */

/* Names that are the same once they are clean would give a series twice, and Prometheus refuses the whole of
 * a page that has one: of those only the first is told of. */
static void add(struct filling *filling, struct targets *targets, struct target target, const char *name)
{
    targets->unclean |= !text_is_clean(name);
    for (size_t i = 0; i < targets->count && targets->unclean; i++)
        if (strcmp(targets->items[i].labels, target.labels) == 0)
            return;
    *ARENA_PUSH_MANY(filling->arena, targets->items, targets->count) = target;
}

static void find_ports(struct filling *filling)
{
    const struct selection *selection = filling->metrics->selection;
    const struct host *host = filling->metrics->host;
    for (size_t d = 0; d < host->ndevices; d++) {
        const struct device *device = &host->devices[d];
        if (!selection_has_device(selection, device))
            continue;
        const char *labels = with_label(filling, "", "device", device->name);
        const struct pci *pci = device->pci ? host_find_pci(host, device->pci) : NULL;
        add(filling, &filling->devices, (struct target){ .device = device, .pci = pci, .labels = labels },
            device->name);
        for (size_t p = 0; p < device->nports; p++) {
            const struct port *port = &device->ports[p];
            if (selection_has_port(selection, port))
                add(filling, &filling->ports,
                    (struct target){ .device = device,
                                     .port = port,
                                     .labels = with_number(filling, labels, "port", port->number) },
                    device->name);
        }
    }
}

/* Is it the netdev of a chosen port, or below it (a bond's member), or above it? */
static bool is_of_ports(const struct filling *filling, const struct netdev *netdev)
{
    const struct host *host = filling->metrics->host;
    bool is = !filling->metrics->selection->some;
    for (size_t i = 0; i < filling->ports.count && !is; i++) {
        const struct netdev *own = port_netdev(host, filling->ports.items[i].port);
        is = own && (netdev_is_above(host, own, netdev) || netdev_is_above(host, netdev, own));
    }
    return is;
}

static void find_netdevs_of_ports(struct filling *filling)
{
    const struct host *host = filling->metrics->host;
    for (size_t i = 0; i < host->nqos; i++) {
        const struct netdev *netdev = host_find_netdev(host, host->qos[i].netdev);
        if (netdev && is_of_ports(filling, netdev))
            add(filling, &filling->netdevs,
                (struct target){ .netdev = netdev,
                                 .qos = &host->qos[i],
                                 .labels = with_label(filling, "", "netdev", netdev->name) },
                netdev->name);
    }
}

/* -- filling ---------------------------------------------------------------------------------------------- */

static void fill_numbers(struct filling *filling)
{
    const struct targets *over[] = {
        [OVER_DEVICES] = &filling->devices, [OVER_PORTS] = &filling->ports, [OVER_NETDEVS] = &filling->netdevs
    };
    const struct targets *targets = over[filling->family->over];
    for (size_t i = 0; i < targets->count; i++) {
        struct num value = filling->family->number(&targets->items[i]);
        if (value.known)
            put(filling, targets->items[i].labels, value.value);
    }
}

static void fill_family(struct filling *filling, const struct family *family)
{
    if (!is_chosen(filling->choice, family))
        return;
    snprintf(filling->name, sizeof(filling->name), PREFIX "%s", family->name);
    filling->family = family;
    filling->begun = false;
    if (family->number)
        fill_numbers(filling);
    else if (family->role)
        fill_role(filling);
    else
        family->fill(filling);
}

void metrics_write(const struct metrics *metrics, const struct metrics_choice *choice, struct exposition *to)
{
    struct filling filling = { .metrics = metrics, .choice = choice, .to = to, .arena = arena_new() };
    find_ports(&filling);
    find_netdevs_of_ports(&filling);
    for (size_t l = 0; l < ARRAY_SIZE(lists); l++) {
        for (const struct family *family = lists[l]; family->name; family++)
            fill_family(&filling, family);
        if (lists[l] == families_ports && wants_counters(choice))
            fill_counters(&filling);
    }
    exposition_end(to);
    arena_free(filling.arena);
}

void metrics_write_as_node_exporter(const struct metrics *metrics, struct exposition *to)
{
    struct filling filling = { .metrics = metrics, .to = to, .arena = arena_new() };
    find_ports(&filling);
    fill_as_node_exporter(&filling);
    exposition_end(to);
    arena_free(filling.arena);
}
