/* SPDX-License-Identifier: MIT */
/* Configuration files of services, and the lines of probe/services: any text. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "source/files/automounts.h"
#include "source/files/nfs_conf.h"
#include "source/files/wishes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct maps {
    struct arena *arena;
    struct services *services;
    const char *text;
};

/* Each line's map is the text itself. */
static void take_map(void *data, const struct automount *automount)
{
    struct maps *maps = data;
    auto_map_parse(maps->text, automount, maps->arena, maps->services);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena *arena = arena_new();
    struct services services = { 0 };
    char *text = strndup(size ? (const char *)data : "", size); /* a read behind its end is seen */
    if (!text)
        abort();
    fstab_parse(text, arena, &services);
    nfsmount_parse(text, arena, &services);
    nvme_discovery_parse(text, arena, &services);
    modprobe_parse(text, "/etc/modprobe.d/x.conf", arena, &services);
    struct nfs nfs = { 0 };
    nfs_conf_parse(text, "etc/nfs.conf", arena, &nfs);
    nfs_conf_done(arena, &nfs);
    mount_unit_parse(text, "/etc/systemd/system/x.mount", arena, &services);
    struct maps maps = { arena, &services, text };
    auto_master_parse(text, arena, take_map, &maps);
    auto_map_parse(text, &(struct automount){ "/-", "etc/auto.direct", "" }, arena, &services);
    (void)json_text_says(text, "transport", "\"rdma\"");
    (void)json_text_says(text, "iser", "true");
    (void)iscsi_record_is_iser(text);
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n')
        wish_parse_line(line, strcspn(line, "\n"), arena, &services);
    for (size_t i = 0; i < services.nblocked; i++)
        if (!services_blocked(&services, services.blocked[i].name))
            abort();
    free(text);
    arena_free(arena);
    return 0;
}
