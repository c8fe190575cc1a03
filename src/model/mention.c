/* SPDX-License-Identifier: MIT */
#include "model/mention.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"

struct search {
    const struct host *host;
    struct arena *arena;
    struct mention *found;
    size_t count;
};

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.';
}

static bool is_address(char c)
{
    return (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F') || (c >= '0' && c <= '9') || c == ':' || c == '.';
}

static bool is_same(const struct mention *a, const struct device *device, const struct port *port,
                    const char *text)
{
    return device ? a->device == device && (a->port == port || !port)
                  : !a->device && strcmp(a->text, text) == 0;
}

static void add(struct search *search, const char *text, size_t len, const struct device *device,
                const struct port *port, const struct gid *gid)
{
    char *copy = arena_strndup(search->arena, text, len);
    for (size_t i = 0; i < search->count; i++)
        if (is_same(&search->found[i], device, port, copy)) {
            if (gid)
                search->found[i].gid = gid;
            return;
        }
    if (search->count < MENTIONS_MOST)
        search->found[search->count++] = (struct mention){ copy, device, port, gid };
}

/* The port that ":1" or "/1" behind the name means, which *used then holds, too; else the only one. */
static const struct port *find_port(const struct device *device, const char *word, const char *end,
                                    size_t *used)
{
    uint32_t number = 0;
    const char *at = word + *used;
    if (end - at >= 2 && (*at == ':' || *at == '/'))
        for (at++; at < end && *at >= '0' && *at <= '9' && number < 1000; at++)
            number = number * 10 + (uint32_t)(*at - '0');
    for (size_t p = 0; number && p < device->nports; p++)
        if (device->ports[p].number == number) {
            *used = (size_t)(at - word);
            return &device->ports[p];
        }
    return device->nports == 1 ? &device->ports[0] : NULL;
}

/* A device, a port's netdev. */
static bool find_name(struct search *search, const char *word, size_t len, const char *end)
{
    const struct host *host = search->host;
    for (size_t d = 0; d < host->ndevices; d++) {
        const struct device *device = &host->devices[d];
        if (strlen(device->name) == len && memcmp(device->name, word, len) == 0) {
            size_t used = len;
            const struct port *port = find_port(device, word, end, &used);
            add(search, word, used, device, port, NULL);
            return true;
        }
        for (size_t p = 0; len >= 3 && p < device->nports; p++) {
            const char *netdev = device->ports[p].netdev;
            if (netdev && strlen(netdev) == len && memcmp(netdev, word, len) == 0) {
                add(search, word, len, device, &device->ports[p], NULL);
                return true;
            }
        }
    }
    return false;
}

/* "fe:80:00:…": a GID as sixteen bytes. */
static bool parse_bytes(const char *text, uint8_t raw[static 16])
{
    unsigned bytes[16];
    int used = 0;
    if (strlen(text) != 47 ||
        sscanf(text, "%2x:%2x:%2x:%2x:%2x:%2x:%2x:%2x:%2x:%2x:%2x:%2x:%2x:%2x:%2x:%2x%n", &bytes[0], &bytes[1],
               &bytes[2], &bytes[3], &bytes[4], &bytes[5], &bytes[6], &bytes[7], &bytes[8], &bytes[9],
               &bytes[10], &bytes[11], &bytes[12], &bytes[13], &bytes[14], &bytes[15], &used) != 16 ||
        used != 47)
        return false;
    for (int i = 0; i < 16; i++)
        raw[i] = (uint8_t)bytes[i];
    return true;
}

/* An IPv4 address as the GID that it makes. */
static bool parse_address(const char *text, uint8_t raw[static 16])
{
    memset(raw, 0, 16);
    if (inet_pton(AF_INET, text, raw + 12) == 1) {
        raw[10] = raw[11] = 0xff;
        return true;
    }
    return inet_pton(AF_INET6, text, raw) == 1 || parse_bytes(text, raw);
}

static bool is_nobodys(const uint8_t raw[static 16])
{
    static const uint8_t zero[16], mapped[16] = { [10] = 0xff, [11] = 0xff };
    return memcmp(raw, zero, 15) == 0 || memcmp(raw, mapped, 16) == 0 ||
           (memcmp(raw, mapped, 12) == 0 && raw[12] == 127);
}

static bool has_address(const struct netdev *netdev, const uint8_t raw[static 16])
{
    for (size_t i = 0; netdev && i < netdev->naddresses; i++) {
        const struct address *a = &netdev->addresses[i];
        size_t len = a->family == AF_INET ? 4 : 16;
        bool mapped = len == 16 || (raw[10] == 0xff && raw[11] == 0xff);
        if (mapped && memcmp(a->raw, raw + 16 - len, len) == 0)
            return true;
    }
    return false;
}

/* RoCE v2's of two GIDs with one address: what programs use. */
static void find_gid(struct search *search, const char *text, size_t len, const uint8_t raw[static 16])
{
    const struct host *host = search->host;
    const struct gid *best = NULL;
    const struct port *at = NULL;
    for (size_t d = 0; d < host->ndevices; d++)
        for (size_t p = 0; p < host->devices[d].nports; p++) {
            const struct port *port = &host->devices[d].ports[p];
            for (size_t g = 0; g < port->ngids; g++)
                if (memcmp(port->gids[g].raw, raw, 16) == 0 &&
                    (!best || port->gids[g].type == GID_TYPE_ROCE_V2)) {
                    best = &port->gids[g];
                    at = port;
                }
            if (!at && has_address(port_netdev(host, port), raw))
                at = port;
        }
    add(search, text, len, at ? at->device : NULL, at, best);
}

static bool find_pci(struct search *search, const char *text, size_t len)
{
    const struct host *host = search->host;
    for (size_t d = 0; d < host->ndevices; d++) {
        const struct device *device = &host->devices[d];
        if (device->pci && strlen(device->pci) == len && memcmp(device->pci, text, len) == 0) {
            add(search, text, len, device, device->nports == 1 ? &device->ports[0] : NULL, NULL);
            return true;
        }
    }
    return false;
}

static size_t run_length(const char *text, size_t len, bool (*takes)(char))
{
    size_t n = 0;
    while (n < len && takes(text[n]))
        n++;
    return n;
}

/* An address, perhaps with a port or a full stop behind it. */
static void find_address(struct search *search, const char *text, size_t len)
{
    char copy[64];
    uint8_t raw[16];
    while (len && (text[len - 1] == ':' || text[len - 1] == '.') && !(len >= 2 && text[len - 2] == ':'))
        len--;
    if (len < 3 || len >= sizeof(copy) || find_pci(search, text, len))
        return;
    snprintf(copy, sizeof(copy), "%.*s", (int)len, text);
    char *colon = strrchr(copy, ':');
    bool good = parse_address(copy, raw);
    if (!good && colon && colon == strchr(copy, ':') && strchr(copy, '.')) { /* 10.0.0.1:4420 */
        *colon = '\0';
        good = parse_address(copy, raw);
    }
    if (good && !is_nobodys(raw))
        find_gid(search, text, strlen(copy), raw);
}

size_t mention_find(const struct host *host, const char *text, size_t len, struct arena *arena,
                    struct mention mentions[static MENTIONS_MOST])
{
    struct search search = { host, arena, mentions, 0 };
    for (size_t i = 0; i < len;) {
        bool begins = i == 0 ||
                      (!is_word(text[i - 1]) && text[i - 1] != '@'); /* "10.0.0.2@mlx5_0" is a peer's */
        size_t n = begins ? run_length(text + i, len - i, is_word) : 0;
        while (n && text[i + n - 1] == '.')
            n--;
        if (n && find_name(&search, text + i, n, text + len)) {
            i += n;
            continue;
        }
        /* NCCL writes "remoteGidsfd00::1", so an address may follow a letter that it can't begin with */
        n = i == 0 || !is_address(text[i - 1]) ? run_length(text + i, len - i, is_address) : 0;
        if (n)
            find_address(&search, text + i, n);
        i += n ? n : 1;
    }
    return search.count;
}
