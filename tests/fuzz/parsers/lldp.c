/* SPDX-License-Identifier: MIT */
/* Whatever is at the other end of a cable, what systemd-networkd keeps and answers, and cable plans: any bytes.
 */
#include "target.h"

#include "fleet/cables.h"
#include "model/qos.h"
#include "neighbor/lldp_frame.h"
#include "source/anonymise/anonymise.h"
#include "source/files/forms.h"

/* Reads each text, so that the sanitizer sees where it lies. */
static void look(const struct lldp_neighbor *neighbor)
{
    const char *const texts[] = { neighbor->chassis, neighbor->port,    neighbor->port_description,
                                  neighbor->system,  neighbor->address, neighbor->system_description };
    for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
        if (texts[i] && strlen(texts[i]) > LLDP_FRAME_MOST * 2)
            abort();
    const struct qos_dcb *dcb = lldp_dcb(neighbor);
    for (size_t i = 0; dcb && i < dcb->napps; i++)
        if (dcb->apps[i].priority >= PRIORITIES)
            abort();
    if (!neighbor->chassis || !neighbor->port || !lldp_port_name(neighbor) || !lldp_system_name(neighbor))
        abort();
    (void)lldp_is_host(neighbor);
}

/* One that can be parsed can be when it is anonymised, and says the same settings. */
TARGET(lldp)
{
    struct arena *arena = arena_new();
    struct lldp_neighbor neighbor, other;
    struct bytes saved = { 0 }, kept = { 0 };
    const uint8_t *frame;
    size_t at = 0, len;
    uint64_t told = size;
    int r = lldp_parse(data, size, arena, &neighbor);
    bytes_append(&saved, &told, sizeof(told)); /* this machine's order is the file's */
    bytes_append(&saved, data, size);
    lldp_put_saved(saved.data, saved.len, &kept);
    if (r == 0)
        look(&neighbor);
    if (r == 0 &&
        (!networkd_next((const uint8_t *)kept.data, kept.len, &at, &frame, &len) ||
         lldp_parse(frame, len, arena, &other) < 0 || neighbor.ttl_s.value != other.ttl_s.value ||
         neighbor.max_frame.value != other.max_frame.value || !lldp_dcb(&neighbor) != !lldp_dcb(&other)))
        abort();
    bytes_free(&saved);
    bytes_free(&kept);
    arena_free(arena);
    return 0;
}

TARGET(networkd)
{
    struct arena *arena = arena_new();
    struct networkd_answer *answers = NULL;
    struct lldp_neighbor neighbor;
    struct bytes out = { 0 };
    const uint8_t *frame;
    size_t at = 0, len, count = 0;
    while (networkd_next(data, size, &at, &frame, &len))
        if (lldp_parse(frame, len, arena, &neighbor) == 0)
            look(&neighbor);
    if (networkd_answer_parse((const char *)data, size, arena, &answers, &count) == 0)
        for (size_t i = 0; i < count; i++)
            look(&answers[i].neighbor);
    lldp_put_answer((const char *)data, size, &out);
    anonymise_file(FORM_HEARD, "probe/lldp-heard", arena_strndup(arena, (const char *)data, size), size, &out);
    bytes_free(&out);
    arena_free(arena);
    return 0;
}

TARGET(plan)
{
    struct arena *arena = arena_new();
    struct fleet_fault fault = { 0 };
    struct cable *cables = NULL;
    size_t count = 0;
    const char *text = arena_strndup(arena, (const char *)data, size);
    int r = cables_parse_plan(text, arena, &cables, &count, &fault);
    if (r < 0 && !*fault.what)
        abort();
    for (size_t i = 0; r == 0 && i < count; i++)
        if (!*cables[i].host || !*cables[i].nic || !cables[i].system || !cables[i].port || !cables[i].line)
            abort();
    arena_free(arena);
    return 0;
}
