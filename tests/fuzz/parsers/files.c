/* SPDX-License-Identifier: MIT */
/* Files of the machine, and text of them: any bytes. */
#include "target.h"

#include "model/device.h"
#include "model/num.h"
#include "source/files/files.h"
#include "source/files/texts.h"

/* What PCI functions counted of errors: any text. */

TARGET(aer)
{
    struct arena *arena = arena_new();
    char *text = size ? strndup((const char *)data, size) : strdup(""); /* a read behind it is seen */
    if (!text)
        abort();
    struct aer aer = aer_parse(text, arena);
    for (size_t i = 0; i < aer.nkinds; i++)
        for (enum aer_severity severity = 0; severity < AER_SEVERITIES; severity++)
            if (aer_nature(severity, aer.kinds[i].name) > AER_HARMLESS)
                abort();
    free(text);
    arena_free(arena);
    return 0;
}

/* Files that configure RDMA libraries, and what a recording says of them: any bytes. */

/* Reads each byte, so that the sanitizer sees where it lies. */
static void look(void *data, const struct conf_line *line)
{
    size_t *sum = data;
    for (size_t i = 0; i < line->name_len; i++)
        *sum += (unsigned char)line->name[i];
    for (size_t i = 0; i < line->value_len; i++)
        *sum += (unsigned char)line->value[i];
    if (line->number == 0)
        abort();
}

TARGET(conf)
{
    size_t sum = 0;
    struct setting setting;
    struct arena *arena = arena_new();
    const char *text = (const char *)data;
    nccl_conf_parse(text, size, look, &sum);
    ucx_conf_parse(text, size, look, &sum);
    mpi_conf_parse(text, size, look, &sum);
    if (settings_parse_line(text, size, arena, &setting) && (!setting.file || !setting.name || !setting.value))
        abort();
    arena_free(arena);
    return 0;
}

/* Lists of CPUs: any text. What a list is joined to meets it, and is joined to itself. */

TARGET(cpus)
{
    struct arena *arena = arena_new();
    const char *list = arena_strndup(arena, (const char *)data, size);
    const char *joined = cpus_join(&list, 1, arena);
    if (*joined && !cpus_meet(joined, list))
        abort();
    if (strcmp(cpus_join(&joined, 1, arena), joined) != 0)
        abort();
    arena_free(arena);
    return 0;
}

/* NFS' statistics and mounts, the SMB client's servers, and cgroups' paths: any text, NFS' two files parted by
 * a NUL. */

TARGET(mountstats)
{
    struct arena *arena = arena_new();
    char *text = malloc(size + 1), *mounts = NULL;
    struct service *items = NULL;
    size_t count = 0;
    if (!text)
        abort();
    if (size)
        memcpy(text, data, size);
    text[size] = '\0';
    size_t len = strlen(text);
    if (len < size)
        mounts = strdup(text + len + 1);
    char *stats = strdup(text); /* each exactly as long as it is: a read behind it is seen */
    mountstats_parse(stats, mounts, arena, &items, &count);
    (void)cgroup_words(arena, stats);
    size_t before = count;
    smb_parse(stats, arena, &items, &count);
    for (size_t i = before; i < count; i++)
        if (items[i].kind != SERVICE_SMB_CLIENT)
            abort();
    free(stats);
    char *line = malloc(len ? len : 1); /* that no NUL ends */
    if (!line)
        abort();
    memcpy(line, text, len);
    struct smb_line told = smb_line_parse(line, len);
    if (told.word && (!told.len || told.word < line || told.word + told.len > line + len))
        abort();
    free(line);
    free(mounts);
    free(text);
    arena_free(arena);
    return 0;
}

/* PCI configuration space: any bytes. What is left of it for strangers says the same. */

TARGET(pci_config)
{
    uint16_t control = 0, control_left = 0, ats = 0, ats_left = 0;
    struct pci_express express = { 0 }, express_left = { 0 };
    uint8_t *left = malloc(size + 1);
    if (!left)
        return 0;
    memcpy(left, data, size);
    pci_config_strip(left, size);
    int acs = pci_acs_control(data, size, &control), r = pci_express_read(data, size, &express);
    if (pci_acs_control(left, size, &control_left) != acs || control != control_left)
        abort();
    int translates = pci_ats_control(data, size, &ats);
    if (pci_ats_control(left, size, &ats_left) != translates || ats != ats_left)
        abort();
    if (pci_express_read(left, size, &express_left) != r || express.read_request != express_left.read_request ||
        express.payload != express_left.payload)
        abort();
    free(left);
    return 0;
}

/* pci.ids: any bytes. In pieces it says what it says in one. */

static void put(void *found, uint16_t vendor, const uint16_t *device, const char *name, size_t len)
{
    bytes_printf(found, "%04x %04x ", vendor, device ? *device : 0);
    bytes_append(found, name, len);
}

/* Behind the first two bytes: the numbers that are wanted, and the size of a piece. */
TARGET(pci_ids)
{
    struct pci_id wanted[] = {
        { 0x10de, 0x2330 }, { 0x15b3, 0x1021 }, { 0x15b3, 0x101d }, { 0, 0 }, { 0xffff, 0xffff }
    };
    struct bytes found = { 0 }, again = { 0 };
    if (size < 2)
        return 0;
    size_t piece = (size_t)data[1] + 1, from = 0, to = 0, behind = size - 2;
    char *text = malloc(behind + 1); /* the sanitizer sees its end */
    if (!text)
        return 0;
    memcpy(text, data + 2, behind);
    struct pci_ids ids = { .wanted = wanted, .found = put, .data = &found }, pieces;
    ids.nwanted = pci_ids_sort(wanted, data[0] % (sizeof(wanted) / sizeof(*wanted) + 1));
    pieces = ids;
    pieces.data = &again;
    if (pci_ids_read(&ids, text, behind) > behind)
        abort();
    while (to < behind && !pieces.ended) {
        to = to + piece < behind ? to + piece : behind;
        from += pci_ids_read(&pieces, text + from, to - from);
        if (from > to)
            abort();
    }
    if (found.len != again.len || (found.len && memcmp(found.data, again.data, found.len) != 0))
        abort();
    bytes_free(&found);
    bytes_free(&again);
    free(text);
    return 0;
}

/* The parsers of sysfs text: GIDs, GUIDs, rates, states, numbers; and what makes untrusted text safe to show.
 */

TARGET(text)
{
    char *text = mem_alloc(size + 1, 1);
    memcpy(text, data, size);
    uint8_t raw[16];
    char gid[GID_TEXT_SIZE], guid_text[GUID_TEXT_SIZE], address[GID_ADDRESS_SIZE];
    uint64_t number;
    int64_t integer;
    const char *rest;
    if (gid_parse(text, raw) == 0) {
        uint8_t again[16];
        gid_format(raw, gid);
        gid_address(raw, address);
        if (gid_parse(gid, again) != 0 || memcmp(raw, again, 16) != 0)
            abort(); /* what was printed reads back the same */
    }
    if (guid_parse(text, &number) == 0) {
        uint64_t again = 0;
        guid_format(number, guid_text);
        if (guid_parse(guid_text, &again) != 0 || again != number)
            abort();
    }
    (void)rate_parse(text, &number);
    if (state_parse(text, &number, &rest) == 0 && (rest < text || rest > text + strlen(text)))
        abort();
    (void)text_to_u64(text, 0, &number);
    (void)text_to_i64(text, 10, &integer);
    (void)gid_type_parse(text);
    (void)link_layer_parse(text);
    char *clean = text_clean(text, TEXT_ONE_LINE);
    if (!text_is_clean(clean) || text_prefix(clean, text_width(clean)) != strlen(clean))
        abort();
    free(clean);
    free(text);
    return 0;
}

/* Configuration files of services, and the lines of probe/services: any text. */

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

TARGET(wishes)
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
    (void)json_text_says(text, "transport", "rdma");
    (void)json_text_says(text, "iser", NULL);
    (void)iscsi_record_is_iser(text, arena);
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n')
        wish_parse_line(line, strcspn(line, "\n"), arena, &services);
    for (size_t i = 0; i < services.nblocked; i++)
        if (!services_blocked(&services, services.blocked[i].name))
            abort();
    free(text);
    arena_free(arena);
    return 0;
}
