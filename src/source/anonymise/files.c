/* SPDX-License-Identifier: MIT */
#include "source/anonymise/anonymise.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/text.h"
#include "model/system.h"
#include "model/verbs.h"
#include "source/files/files.h"
#include "source/files/texts.h"
#include "source/recording/lines.h"

/* Of the file that is looked at. */
struct page {
    const struct anonymiser *anonymiser;
    const char *path, *data; /* NUL-terminated behind len */
    size_t len;
    struct bytes *out;
};

/* A line of it, without its newline. */
struct line {
    const char *text;
    size_t len;
};

static bool next_line(const struct page *page, struct line *line)
{
    const char *at = line->text ? line->text + line->len : page->data, *end = page->data + page->len;
    at += line->text && at < end;
    if (at >= end)
        return false;
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    *line = (struct line){ at, (size_t)((newline ? newline : end) - at) };
    return true;
}

static bool line_starts(const struct line *line, const char *word)
{
    return line->len >= strlen(word) && memcmp(line->text, word, strlen(word)) == 0;
}

static struct line trimmed(struct line line)
{
    while (line.len && isspace((unsigned char)*line.text)) {
        line.text++;
        line.len--;
    }
    while (line.len && isspace((unsigned char)line.text[line.len - 1]))
        line.len--;
    return line;
}

/* -- contents --------------------------------------------------------------------------------------------- */

/* What the kernel alone writes, in words of its own. */
static bool put_text(const struct page *page)
{
    anonymise_text(page->anonymiser, page->data, page->len, page->out);
    return true;
}

/* The same where four numbers with dots are a version, no address. */
static bool put_version(const struct page *page)
{
    bytes_append(page->out, page->data, page->len);
    return true;
}

/* Anything else becomes what is no number either, so that it stays a problem. */
static bool put_number(const struct page *page)
{
    static const char no_pma[] = "N/A (no PMA)";
    bool is_number = strspn(page->data, "0123456789abcdefABCDEFx+-,.: \t\n") == page->len;
    if (is_number)
        bytes_append(page->out, page->data, page->len);
    else
        bytes_printf(page->out, "%s\n", text_starts(page->data, no_pma) ? no_pma : "?");
    return true;
}

/* Names of netdevs and devices, blanks and newlines between them. */
static bool put_names(const struct page *page)
{
    bytes_append(page->out, "", 0);
    for (size_t at = 0; at < page->len;) {
        size_t blanks = strspn(page->data + at, " \t\n"), len = strcspn(page->data + at + blanks, " \t\n");
        bytes_append(page->out, page->data + at, blanks);
        if (len)
            anonymise_name(page->anonymiser, page->data + at + blanks, len, page->out);
        at += blanks + len;
        if (blanks + len == 0)
            break; /* a zero byte */
    }
    return true;
}

/* sysfs gives it as digits without colons. */
static bool put_switch_id(const struct page *page)
{
    size_t digits = strspn(page->data, "0123456789abcdef");
    uint8_t bytes[32];
    if (digits < 6 || digits % 2 || digits / 2 > sizeof(bytes))
        return false;
    for (size_t i = 0; i < digits / 2; i++) {
        char pair[3] = { page->data[i * 2], page->data[i * 2 + 1] };
        bytes[i] = (uint8_t)strtoul(pair, NULL, 16);
    }
    anonymise_mac(page->anonymiser, bytes, digits / 2);
    for (size_t i = 0; i < digits / 2; i++)
        bytes_printf(page->out, "%02x", bytes[i]);
    bytes_append(page->out, "\n", 1);
    return true;
}

/* Anybody may write it. The kernel's own is the host's name and the device's. */
static bool put_node_desc(const struct page *page)
{
    const char *end = strrchr(page->path, '/'), *name = end;
    while (name > page->path && name[-1] != '/')
        name--;
    bytes_printf(page->out, "host ");
    anonymise_name(page->anonymiser, name, (size_t)(end - name), page->out);
    bytes_append(page->out, "\n", 1);
    return true;
}

static bool put_uevent(const struct page *page)
{
    static const char *const numbers[] = { "IFINDEX=", "DEVTYPE=" };
    for (struct line line = { 0 }; next_line(page, &line);) {
        for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
            if (line_starts(&line, numbers[i]) && line.len < 32)
                bytes_printf(page->out, "%.*s\n", (int)line.len, line.text);
        if (line_starts(&line, "INTERFACE=")) {
            bytes_printf(page->out, "INTERFACE=");
            anonymise_name(page->anonymiser, line.text + 10, line.len - 10, page->out);
            bytes_append(page->out, "\n", 1);
        }
    }
    bytes_append(page->out, "", 0);
    return true;
}

static bool put_pci_config(const struct page *page)
{
    size_t before = page->out->len;
    bytes_append(page->out, page->data, page->len);
    pci_config_strip((uint8_t *)page->out->data + before, page->len);
    return true;
}

static bool put_hostname(const struct page *page)
{
    bytes_printf(page->out, "host\n");
    return true;
}

static bool put_release(const struct page *page)
{
    words_put_release(page->data, page->out);
    return true;
}

/* Whether the driver is the open one; who built it and when is nobody's. */
static bool put_nvidia(const struct page *page)
{
    bool open = memmem(page->data, page->len, "Open Kernel Module", strlen("Open Kernel Module"));
    bytes_printf(page->out, "NVRM version: NVIDIA UNIX %sKernel Module\n", open ? "Open " : "");
    return true;
}

static bool put_distribution(const struct page *page)
{
    static const char *const keys[] = { "ID=", "ID_LIKE=", "PRETTY_NAME=" };
    bytes_append(page->out, "", 0);
    for (struct line line = { 0 }; next_line(page, &line);)
        for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
            if (line_starts(&line, keys[i])) {
                bytes_printf(page->out, "%s\"", keys[i]);
                words_put_distribution(line.text + strlen(keys[i]), line.len - strlen(keys[i]), page->out);
                bytes_printf(page->out, "\"\n");
            }
    return true;
}

static bool put_parameters(const struct page *page)
{
    bytes_append(page->out, "", 0);
    for (const char *at = page->data; *at;) {
        at += strspn(at, " \t\n");
        size_t len = strcspn(at, " \t\n");
        if (words_is_parameter(at, len))
            bytes_printf(page->out, "%s%.*s", page->out->len ? " " : "", (int)len, at);
        at += len;
    }
    bytes_append(page->out, "\n", 1);
    return true;
}

/* "mlx5_ib 397312 0 - Live 0xffffffffc0a6d000": the name, with the kernel's addresses left out. */
static bool put_modules(const struct page *page)
{
    bytes_append(page->out, "", 0);
    for (struct line line = { 0 }; next_line(page, &line);) {
        const char *blank = memchr(line.text, ' ', line.len);
        size_t len = blank ? (size_t)(blank - line.text) : line.len;
        if (len == 0)
            continue;
        words_put_module(page->anonymiser, line.text, len, page->out);
        bytes_printf(page->out, " 0 0 - Live 0x0\n");
    }
    return true;
}

static bool put_configured_modules(const struct page *page)
{
    bytes_append(page->out, "", 0);
    for (struct line line = { 0 }; next_line(page, &line);) {
        struct line word = trimmed(line);
        size_t len = strcspn(word.text, " \t\r\n#;");
        len = len < word.len ? len : word.len;
        if (len) {
            words_put_module(page->anonymiser, word.text, len, page->out);
            bytes_append(page->out, "\n", 1);
        }
    }
    return true;
}

static bool put_provider(const struct page *page)
{
    const char *name = page->data + (text_starts(page->data, "driver ") ? strlen("driver ") : page->len);
    size_t len = strcspn(name, " \t\n");
    bytes_printf(page->out, "driver ");
    if (len)
        words_put_module(page->anonymiser, name, len, page->out);
    bytes_append(page->out, "\n", 1);
    return true;
}

/* Names of a public register, by numbers that are kept as well. */
static bool put_pci_ids(const struct page *page)
{
    uint16_t id;
    bytes_append(page->out, "", 0);
    for (struct line line = { 0 }; next_line(page, &line);) {
        size_t indent = line_starts(&line, "\t");
        if (pci_ids_line(line.text + indent, line.len - indent, &id))
            bytes_printf(page->out, "%.*s\n", (int)line.len, line.text);
    }
    return true;
}

static bool put_limits(const struct page *page)
{
    bytes_append(page->out, "", 0);
    for (struct line line = { 0 }; next_line(page, &line);)
        if (line_starts(&line, "Max locked memory") || line_starts(&line, "Limit "))
            bytes_printf(page->out, "%.*s\n", (int)line.len, line.text);
    return true;
}

static bool put_status(const struct page *page)
{
    size_t before = page->out->len;
    bytes_append(page->out, page->data, page->len);
    page->out->len = before + settle("proc/self/status", page->out->data + before, page->len);
    return true;
}

static bool put_meminfo(const struct page *page)
{
    size_t before = page->out->len;
    bytes_append(page->out, page->data, page->len);
    page->out->len = before + settle("proc/meminfo", page->out->data + before, page->len);
    return true;
}

/* "server:/data /mnt nfs4 rw,proto=rdma,port=20049,addr=10.0.0.1 0 0", of NFS alone: by TCP too, where RDMA
 * may be wanted. */
static bool put_mounts(const struct page *page)
{
    bytes_append(page->out, "", 0);
    for (struct line line = { 0 }; next_line(page, &line);) {
        char from[256], on[256], type[32], options[1024], copy[2048];
        snprintf(copy, sizeof(copy), "%.*s", (int)line.len, line.text);
        if (sscanf(copy, "%255s %255s %31s %1023s", from, on, type, options) != 4 ||
            (strcmp(type, "nfs") != 0 && strcmp(type, "nfs4") != 0))
            continue;
        services_put_mount_source(page->anonymiser, from, strlen(from), page->out);
        bytes_append(page->out, " ", 1);
        services_put_mount_point(page->anonymiser, on, strlen(on), page->out);
        bytes_printf(page->out, " %s ", type);
        for (const char *at = options, *comma = ""; *at; at += strcspn(at, ","), at += *at == ',') {
            size_t before = page->out->len;
            bytes_printf(page->out, "%s", comma);
            if (services_put_mount_option(page->anonymiser, at, strcspn(at, ","), page->out))
                comma = ",";
            else
                page->out->len = before;
        }
        bytes_printf(page->out, " 0 0\n");
    }
    return true;
}

/* What a line becomes, or all of a file of one line. */
typedef void put_line(const struct anonymiser *anonymiser, const char *text, size_t len, struct bytes *out);

static bool put_lines(const struct page *page, put_line *put)
{
    bytes_append(page->out, "", 0);
    for (struct line line = { 0 }; next_line(page, &line);)
        put(page->anonymiser, line.text, line.len, page->out);
    return true;
}

static bool put_mountstats(const struct page *page)
{
    return put_lines(page, services_put_mountstats);
}

static bool put_wishes(const struct page *page)
{
    return put_lines(page, services_put_wish);
}

static bool put_cifs(const struct page *page)
{
    return put_lines(page, services_put_cifs);
}

static bool put_lnet(const struct page *page)
{
    return put_lines(page, services_put_lnet);
}

static bool put_one_line(const struct page *page, put_line *put)
{
    bytes_append(page->out, "", 0);
    size_t before = page->out->len, len = strcspn(page->data, "\n");
    if (len)
        put(page->anonymiser, page->data, len, page->out);
    if (page->out->len == before || page->out->data[page->out->len - 1] != '\n')
        bytes_append(page->out, "\n", 1);
    return true;
}

/* The longest path of those of all hierarchies is the one that is read. */
static bool put_cgroup(const struct page *page)
{
    struct line line = { 0 }, longest = { 0 };
    while (next_line(page, &line))
        if (line.len > longest.len)
            longest = line;
    services_put_cgroup(page->anonymiser, longest.text ? longest.text : "", longest.len, page->out);
    return true;
}

static bool put_qualified_name(const struct page *page)
{
    return put_one_line(page, services_put_qualified_name);
}

static bool put_host(const struct page *page)
{
    return put_one_line(page, services_put_host);
}

static bool put_module_name(const struct page *page)
{
    return put_one_line(page, words_put_module);
}

static bool put_transport(const struct page *page)
{
    static const char *const words[] = { "rdma", "tcp", "pcie", "fc", "loop", "apple-nvme" };
    for (size_t i = 0; i < ARRAY_SIZE(words); i++)
        if (text_starts(page->data, words[i]) && strchr("\n", page->data[strlen(words[i])]))
            bytes_printf(page->out, "%s\n", words[i]);
    if (!page->out->len)
        bytes_printf(page->out, "other\n");
    return true;
}

/* A netdev's hardware address, or where an NVMe controller is connected to. */
static bool put_address(const struct page *page)
{
    return strchr(page->data, '=') ? put_one_line(page, services_put_nvme_address) : put_text(page);
}

/* Sections, and what [nfsd] says of RDMA. */
static bool put_nfs_conf(const struct page *page)
{
    bytes_append(page->out, "", 0);
    for (struct line line = { 0 }; next_line(page, &line);) {
        struct line word = trimmed(line);
        const char *equals = memchr(word.text, '=', word.len);
        struct line value = equals ? trimmed((struct line){ equals + 1,
                                                            (size_t)(word.text + word.len - equals - 1) })
                                   : word;
        if (line_starts(&word, "["))
            bytes_printf(page->out, line_starts(&word, "[nfsd]") ? "[nfsd]\n" : "[other]\n");
        else if (line_starts(&word, "rdma-port") && equals && !words_is_plain(value.text, value.len))
            bytes_printf(page->out, "rdma-port=other\n"); /* none is another one */
        else if (line_starts(&word, "rdma") && equals && words_is_plain(value.text, value.len))
            bytes_printf(page->out, "%s=%.*s\n", line_starts(&word, "rdma-port") ? "rdma-port" : "rdma",
                         (int)value.len, value.text);
    }
    return true;
}

static bool put_exports(const struct page *page)
{
    bytes_append(page->out, "", 0);
    for (struct line line = { 0 }; next_line(page, &line);) {
        struct line word = trimmed(line);
        if (line_starts(&word, "/") || line_starts(&word, "\"")) {
            bytes_printf(page->out, "/export\n");
            return true;
        }
    }
    return true;
}

/* "rdma 20049" */
static bool put_listeners(const struct page *page)
{
    bytes_append(page->out, "", 0);
    for (struct line line = { 0 }; next_line(page, &line);) {
        const char *blank = memchr(line.text, ' ', line.len);
        struct line port = { blank ? blank + 1 : line.text,
                             blank ? (size_t)(line.text + line.len - blank - 1) : 0 };
        if (blank && words_is_protocol(line.text, (size_t)(blank - line.text)) &&
            strspn(port.text, "0123456789") >= port.len)
            bytes_printf(page->out, "%.*s\n", (int)line.len, line.text);
    }
    return true;
}

static bool put_comm(const struct page *page)
{
    words_put_program(page->anonymiser, page->data, strcspn(page->data, "\n"), page->out);
    bytes_append(page->out, "\n", 1);
    return true;
}

/* "eth0.7  VID: 7 …", "Device: eth0", " EGRESS priority mappings: 2:3 6:5 " */
static bool put_vlan(const struct page *page)
{
    const char *vid = strstr(page->data, "VID: "), *device = strstr(page->data, "Device: ");
    const char *slash = strrchr(page->path, '/');
    anonymise_name(page->anonymiser, slash + 1, strlen(slash + 1), page->out);
    if (vid)
        bytes_printf(page->out, "  VID: %lu", strtoul(vid + strlen("VID: "), NULL, 10));
    bytes_append(page->out, "\n", 1);
    if (device) {
        device += strlen("Device: ");
        bytes_printf(page->out, "Device: ");
        anonymise_name(page->anonymiser, device, strcspn(device, "\n"), page->out);
        bytes_append(page->out, "\n", 1);
    }
    static const char egress[] = "\n EGRESS priority mappings:";
    const char *map = strstr(page->data, egress);
    if (map)
        bytes_printf(page->out, "%s%.*s\n", egress + 1, (int)strspn(map + strlen(egress), "0123456789: "),
                     map + strlen(egress));
    return true;
}

static bool put_environment(const struct page *page)
{
    bytes_append(page->out, "", 0);
    for (struct line line = { 0 }; next_line(page, &line);) {
        const char *equals = memchr(line.text, '=', line.len);
        struct variable variable = { .name = line.text };
        if (!equals)
            continue;
        variable.name_len = (size_t)(equals - line.text);
        variable.value = equals + 1;
        variable.value_len = line.len - variable.name_len - 1;
        (void)words_put_variable(page->anonymiser, &variable, page->out);
    }
    return true;
}

/* -- what configuration files tell RDMA libraries */

/* A file's settings, of which the first that doesn't hold for all machines begins a section. */
struct conf_page {
    const struct page *page;
    const char *prefix; /* that names have in the environment */
    bool conditional;
    unsigned sections;
};

static void put_conf_line(void *data, const struct conf_line *line)
{
    struct conf_page *conf = data;
    struct bytes name = { 0 }, text = { 0 };
    bytes_printf(&name, "%s", conf->prefix);
    bytes_append(&name, line->name, line->name_len);
    struct variable variable = { name.data, line->value, name.len, line->value_len };
    if (words_put_variable(conf->page->anonymiser, &variable, &text)) {
        if (line->conditional != conf->conditional)
            bytes_printf(conf->page->out, "[%u]\n%s", ++conf->sections,
                         line->conditional ? "CPU model=other\n" : "");
        conf->conditional = line->conditional;
        bytes_printf(conf->page->out, "%s", text.data + strlen(conf->prefix));
    }
    bytes_free(&name);
    bytes_free(&text);
}

static bool put_nccl_conf(const struct page *page)
{
    struct conf_page conf = { .page = page, .prefix = "" };
    bytes_append(page->out, "", 0);
    nccl_conf_parse(page->data, page->len, put_conf_line, &conf);
    return true;
}

static bool put_ucx_conf(const struct page *page)
{
    struct conf_page conf = { .page = page, .prefix = "" };
    bytes_append(page->out, "", 0);
    ucx_conf_parse(page->data, page->len, put_conf_line, &conf);
    return true;
}

static bool put_mpi_conf(const struct page *page)
{
    struct conf_page conf = { .page = page, .prefix = "OMPI_MCA_" };
    bytes_append(page->out, "", 0);
    mpi_conf_parse(page->data, page->len, put_conf_line, &conf);
    return true;
}

/* "ucx?\t~/ucx.conf:3\tUCX_TLS=rc": settings.c. */
static bool put_settings(const struct page *page)
{
    struct arena *arena = arena_new();
    struct setting setting;
    bytes_append(page->out, "", 0);
    for (struct line line = { 0 }; next_line(page, &line);) {
        if (!settings_parse_line(line.text, line.len, arena, &setting))
            continue;
        struct variable variable = { setting.name, setting.value, strlen(setting.name),
                                     strlen(setting.value) };
        struct bytes text = { 0 };
        if (words_put_variable(page->anonymiser, &variable, &text)) {
            bytes_printf(page->out, "%.*s\t", (int)strcspn(line.text, "\t"), line.text);
            words_put_conf_file(page->anonymiser, setting.file, page->out);
            bytes_printf(page->out, ":%u\t%s", setting.line, text.data);
        }
        bytes_free(&text);
    }
    arena_free(arena);
    return true;
}

static bool put_marks(const struct page *page)
{
    bytes_append(page->out, "", 0);
    for (struct line line = { 0 }; next_line(page, &line);)
        if (words_is_mark(line.text, line.len))
            bytes_printf(page->out, "%.*s\n", (int)line.len, line.text);
    return true;
}

/* Of those that are known, by names that are roce's own. */
static bool put_daemons(const struct page *page)
{
    struct daemon daemon;
    bytes_append(page->out, "", 0);
    for (struct line line = { 0 }; next_line(page, &line);)
        if (daemon_parse(line.text, line.len, &daemon))
            bytes_printf(page->out, "%s %" PRIu64 " %s\n", daemon.program, daemon.pid, daemon.unit);
    return true;
}

/* iptables' tables, a name a line. */
static bool put_tables(const struct page *page)
{
    bytes_append(page->out, "", 0);
    for (struct line line = { 0 }; next_line(page, &line);)
        words_put_table(line.text, line.len, page->out);
    return true;
}

/* The driver and the PCI function in front, and the words that the line was kept for. */
static bool put_log(const struct page *page)
{
    bytes_append(page->out, "", 0);
    for (struct line line = { 0 }; next_line(page, &line);) {
        char *copy = mem_alloc(line.len + 1, 1);
        memcpy(copy, line.text, line.len);
        const struct log_pattern *pattern = kernel_log_pattern(copy);
        if (pattern)
            words_put_log(page->anonymiser, copy, pattern, page->out);
        free(copy);
    }
    return true;
}

static bool put_verbs(const struct page *page)
{
    struct arena *arena = arena_new();
    struct verbs_device *device = NULL;
    if (verbs_decode(page->data, page->len, arena, &device) < 0) {
        bytes_printf(page->out, "broken\n");
    } else {
        anonymise_guid(page->anonymiser, &device->node_guid);
        anonymise_guid(page->anonymiser, &device->sys_image_guid);
        for (size_t p = 0; p < device->nports; p++)
            for (size_t g = 0; g < device->ports[p].ngids; g++)
                anonymise_v6(page->anonymiser, device->ports[p].gids[g].raw);
        verbs_encode(device, page->out);
    }
    arena_free(arena);
    return true;
}

static bool put_reply(const struct page *page)
{
    return anonymise_reply(page->anonymiser, page->path + strlen("netlink/"), page->data, page->len,
                           page->out);
}

static bool put_nothing(const struct page *page)
{
    bytes_append(page->out, "", 0);
    return true;
}

/* -- which file is what ------------------------------------------------------------------------------------- */

typedef bool put_page(const struct page *page);

/* A file of sys/ by the directory it is in, or by its own name. */
static const struct {
    const char *name;
    put_page *put;
} sys_directories[] = {
    { "counters", put_number },   { "counters_ext", put_number }, { "hw_counters", put_number },
    { "msi_irqs", put_text },     { "pkeys", put_number },      { "enable", put_number },       { "gids", put_text },
    { "p2pmem", put_number },
    { "types", put_text },        { "ndevs", put_names },         { "statistics", put_number },
}, sys_files[] = {
    { "state", put_text },
    { "phys_state", put_text },
    { "link_layer", put_text },
    { "rate", put_text },
    { "node_type", put_text },
    { "hca_type", put_version },
    { "board_id", put_version },
    { "fw_ver", put_version },
    { "version", put_version }, /* of modules */
    { "hw_rev", put_version },
    { "node_guid", put_text },
    { "sys_image_guid", put_text },
    { "node_desc", put_node_desc },
    { "lid", put_number },
    { "sm_lid", put_number },
    { "sm_sl", put_number },
    { "lid_mask_count", put_number },
    { "cap_mask", put_number },
    { "abi_version", put_number },
    { "ibdev", put_names },
    { "parent", put_names },
    { "traffic_class", put_text },
    { "ttl", put_number },
    { "default_roce_mode", put_text },
    { "default_roce_tos", put_number },
    { "vendor", put_number },
    { "device", put_number },
    { "subsystem_vendor", put_number },
    { "subsystem_device", put_number },
    { "class", put_number },
    { "numa_node", put_number },
    { "local_cpulist", put_number },
    { "current_link_speed", put_text },
    { "max_link_speed", put_text },
    { "current_link_width", put_number },
    { "max_link_width", put_number },
    { "sriov_numvfs", put_number },
    { "sriov_totalvfs", put_number },
    { "config", put_pci_config },
    { "type", put_text },
    { "mtu", put_number },
    { "flags", put_number },
    { "address", put_address },
    { "operstate", put_text },
    { "carrier", put_number },
    { "carrier_changes", put_number },
    { "carrier_down_count", put_number },
    { "ifindex", put_number },
    { "speed", put_number },
    { "duplex", put_text },
    { "dev_port", put_number },
    { "dev_id", put_number },
    { "phys_port_name", put_names },
    { "phys_switch_id", put_switch_id },
    { "uevent", put_uevent },
    { "mode", put_text },
    { "pkey", put_number },
    { "xmit_hash_policy", put_text },
    { "mii_status", put_text },
    { "active_slave", put_names },
    { "primary", put_names },
    { "ad_num_ports", put_number },
    { "ad_aggregator", put_number },
    { "ad_aggregator_id", put_number },
    { "ad_partner_mac", put_text },
    { "link_failure_count", put_number },
    { "online", put_number },
    { "trust", put_text },
    { "dscp2prio", put_text },
    { "aer_dev_correctable", put_text },
    { "aer_dev_nonfatal", put_text },
    { "aer_dev_fatal", put_text },
    { "transport", put_transport },
    { "subsysnqn", put_qualified_name },
    { "targetname", put_qualified_name },
    { "proc_name", put_module_name },
    { "persistent_address", put_host },
    { "persistent_port", put_number },
    { "local_ib_device", put_names },
    { "local_ib_port", put_number },
    { "id_ext", put_qualified_name },
    { "orig_dgid", put_text },
    { "sgid", put_text },
    { "addr_trtype", put_transport },
    { "addr_traddr", put_host },
    { "addr_trsvcid", put_number },
    { "iser", put_number },
    { "nis", put_lnet },
};

/* Outside of sys/: * stands for a component. How it is called elsewhere: anonymise_component(). */
static const struct {
    const char *path;
    put_page *put;
} kept_paths[] = {
    { "dev/infiniband/*", put_nothing },
    { "dev/gdrdrv", put_nothing },
    { "etc/os-release", put_distribution },
    { "usr/lib/os-release", put_distribution },
    { "usr/share/misc/pci.ids", put_pci_ids },
    { "usr/share/hwdata/pci.ids", put_pci_ids },
    { "etc/rdma/modules/*", put_configured_modules },
    { "etc/libibverbs.d/*", put_provider },
    { "etc/nfs.conf", put_nfs_conf },
    { "etc/nfs.conf.d/*", put_nfs_conf },
    { "etc/exports", put_exports },
    { "etc/exports.d/*", put_exports },
    { "run/lldpad.pid", put_number },
    { "proc/cmdline", put_parameters },
    { "proc/driver/nvidia/version", put_nvidia },
    { "proc/meminfo", put_meminfo },
    { "proc/modules", put_modules },
    { "proc/uptime", put_number },
    { "proc/self/limits", put_limits },
    { "proc/*/limits", put_limits },
    { "proc/self/status", put_status },
    { "proc/*/status", put_status },
    { "proc/self/mounts", put_mounts },
    { "proc/self/uid_map", put_number },
    { "proc/self/mountstats", put_mountstats },
    { "proc/fs/nfsd/portlist", put_listeners },
    { "proc/fs/nfsd/threads", put_number },
    { "proc/fs/cifs/DebugData", put_cifs },
    { "proc/*/cgroup", put_cgroup },
    { "proc/net/vlan/*", put_vlan },
    { "proc/sys/kernel/osrelease", put_release },
    { "proc/sys/kernel/hostname", put_hostname },
    { "proc/sys/net/ipv4/ip_local_port_range", put_number },
    { "proc/sys/net/ipv4/ip_local_reserved_ports", put_number },
    { "proc/sys/net/ipv4/conf/*/arp_ignore", put_number },
    { "proc/sys/net/ipv4/conf/*/arp_announce", put_number },
    { "proc/sys/net/ipv4/conf/*/rp_filter", put_number },
    { "proc/sys/net/ipv4/conf/*/accept_local", put_number },
    { "proc/irq/*/effective_affinity_list", put_number },
    { "proc/irq/*/smp_affinity_list", put_number },
    { "proc/*/comm", put_comm },
    { "proc/net/ip_tables_names", put_tables },
    { "proc/net/ip6_tables_names", put_tables },
    { "etc/nccl.conf", put_nccl_conf },
    { "etc/rccl.conf", put_nccl_conf },
    { "etc/ucx/ucx.conf", put_ucx_conf },
    { "etc/openmpi/openmpi-mca-params.conf", put_mpi_conf },
    { "etc/openmpi-x86_64/openmpi-mca-params.conf", put_mpi_conf },
    { "probe/environment", put_environment },
    { "probe/settings", put_settings },
    { "probe/container", put_marks },
    { "probe/services", put_wishes },
    { "probe/mlock", put_number },
    { "probe/daemons", put_daemons },
    { "probe/kernel-log", put_log },
    { "netlink/*", put_reply },
    { "verbs/*", put_verbs },
};

const char *anonymise_path(size_t i)
{
    return i < ARRAY_SIZE(kept_paths) ? kept_paths[i].path : NULL;
}

static put_page *find_in_sys(const char *path)
{
    const char *name = strrchr(path, '/'), *directory = name;
    while (directory > path && directory[-1] != '/')
        directory--;
    for (size_t i = 0; i < ARRAY_SIZE(sys_directories); i++)
        if (strlen(sys_directories[i].name) == (size_t)(name - directory) &&
            memcmp(sys_directories[i].name, directory, (size_t)(name - directory)) == 0)
            return sys_directories[i].put;
    for (size_t i = 0; i < ARRAY_SIZE(sys_files); i++)
        if (strcmp(sys_files[i].name, name + 1) == 0)
            return sys_files[i].put;
    return NULL;
}

bool anonymise_file(const struct anonymiser *anonymiser, const char *path, const char *data, size_t len,
                    struct bytes *out)
{
    struct page page = { anonymiser, path, data, len, out };
    put_page *put = NULL;
    if (text_starts(path, "sys/"))
        put = find_in_sys(path);
    for (size_t i = 0; !put && i < ARRAY_SIZE(kept_paths); i++)
        if (text_path_matches(kept_paths[i].path, path))
            put = kept_paths[i].put;
    return put && put(&page);
}

/* "dcb-ieee.eth0", "nldev-values.mlx5_0.1" */
static void put_answer_name(const struct anonymiser *anonymiser, const char *name, struct bytes *out)
{
    static const char elements[] = "nft-elements.";
    const char *about = strchr(name, '.');
    size_t len = about ? strlen(about + 1) : 0;
    if (text_starts(name, elements)) {
        size_t number = strtoul(name + strlen(elements), NULL, 10);
        bytes_printf(out, "%s%zu", elements, nft_sets_number(anonymiser_sets(anonymiser), number));
        return;
    }
    bytes_printf(out, "%.*s", (int)(about ? about + 1 - name : (long)strlen(name)), name);
    if (len)
        anonymise_name(anonymiser, about + 1, len, out);
}

void anonymise_component(const struct anonymiser *anonymiser, const char *path, struct bytes *out)
{
    static const char *const endings[] = { ".conf", ".driver", ".exports" };
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t len = strlen(name), stem = len;
    if (text_starts(path, "netlink/")) {
        put_answer_name(anonymiser, name, out);
    } else if (text_starts(path, "etc/")) {
        for (size_t i = 0; i < ARRAY_SIZE(endings); i++)
            if (text_ends(name, endings[i]))
                stem = len - strlen(endings[i]);
        words_put_module(anonymiser, name, stem, out);
        bytes_append(out, name + stem, len - stem);
    } else if (text_starts(path, "proc/") && strspn(name, "0123456789") == len) {
        bytes_append(out, name, len);
    } else {
        anonymise_name(anonymiser, name, len, out);
    }
}
