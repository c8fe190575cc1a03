/* SPDX-License-Identifier: MIT */
#include "source/anonymise.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/say.h"
#include "base/text.h"

enum { MOST_SECRET = 20 };

/* Bytes to look for in binary replies, and what stands there afterwards. */
struct secret {
    uint8_t from[MOST_SECRET], to[MOST_SECRET];
    size_t len;
};

struct anonymiser {
    uint64_t key;
    const char *hostname;
    struct secret *secrets;
    size_t nsecrets;
    struct arena *arena;
};

/* splitmix64's finaliser: spreads each bit over all. Enough against a reader; this is no cryptography. */
static uint64_t mix(uint64_t key, uint64_t value)
{
    uint64_t z = value + key * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (z ^ (z >> 31)) + key;
}

/* Three bytes to three others, one to one: four rounds of a Feistel network. Zero stays zero. */
static void map_low(const struct anonymiser *anonymiser, uint8_t bytes[static 3])
{
    uint32_t left = (uint32_t)bytes[0] << 4 | bytes[1] >> 4, right = (uint32_t)(bytes[1] & 15) << 8 | bytes[2];
    if (left == 0 && right == 0)
        return;
    for (uint64_t round = 1; round <= 4; round++) {
        uint32_t next = left ^ (uint32_t)(mix(anonymiser->key, round << 32 | right) & 0xfff);
        left = right;
        right = next;
    }
    bytes[0] = (uint8_t)(left >> 4);
    bytes[1] = (uint8_t)(left << 4 | right >> 8);
    bytes[2] = (uint8_t)right;
}

/* Flips each bit from first on as the bits before it say, so that common prefixes stay common. */
static void map_prefix(const struct anonymiser *anonymiser, uint8_t *bytes, size_t first, size_t end)
{
    uint64_t before = 0;
    for (size_t bit = 0; bit < end; bit++) {
        uint8_t mask = (uint8_t)(0x80 >> bit % 8);
        bool was = bytes[bit / 8] & mask;
        if (bit >= first && (mix(anonymiser->key, before * 64 + bit + UINT64_C(0x5000)) & 1))
            bytes[bit / 8] ^= mask;
        before = mix(before + 1, was);
    }
}

static void map_v4(const struct anonymiser *anonymiser, uint8_t bytes[static 4])
{
    bool special = bytes[0] == 0 || bytes[0] == 127 || bytes[0] >= 224 || (bytes[0] == 169 && bytes[1] == 254);
    if (!special)
        map_prefix(anonymiser, bytes, 8, 32);
}

static void map_v6(const struct anonymiser *anonymiser, uint8_t bytes[static 16])
{
    if (gid_is_v4_mapped(bytes)) {
        map_v4(anonymiser, bytes + 12);
        return;
    }
    bool loopback = bytes[15] == 1;
    for (int i = 0; i < 15; i++)
        loopback = loopback && bytes[i] == 0;
    if (gid_is_zero(bytes) || loopback || bytes[0] == 0xff)
        return;
    if (!gid_is_link_local(bytes))
        map_prefix(anonymiser, bytes, 16, 64);
    map_low(anonymiser, bytes + 13);
}

static void map_mac(const struct anonymiser *anonymiser, uint8_t *bytes, size_t len)
{
    static const uint8_t broadcast[3] = { 0xff, 0xff, 0xff };
    if (memcmp(bytes + len - 3, broadcast, 3) != 0)
        map_low(anonymiser, bytes + len - 3);
}

static void add_secret(struct anonymiser *anonymiser, const uint8_t *from, const uint8_t *to, size_t len)
{
    if (memcmp(from, to, len) == 0)
        return;
    struct secret *secret = ARENA_PUSH(anonymiser->arena, anonymiser->secrets, anonymiser->nsecrets);
    memcpy(secret->from, from, len);
    memcpy(secret->to, to, len);
    secret->len = len;
}

static void add_address(struct anonymiser *anonymiser, int family, const uint8_t *raw)
{
    uint8_t to[16];
    memcpy(to, raw, 16);
    if (family == AF_INET)
        map_v4(anonymiser, to);
    else
        map_v6(anonymiser, to);
    add_secret(anonymiser, raw, to, family == AF_INET ? 4 : 16);
}

/* nldev gives GUIDs as numbers of this machine's byte order. */
static void add_guid(struct anonymiser *anonymiser, struct num guid)
{
    uint64_t from = guid.value, to;
    uint8_t big[8];
    for (int i = 0; i < 8; i++)
        big[i] = (uint8_t)(from >> (56 - 8 * i));
    map_low(anonymiser, big + 5);
    to = 0;
    for (int i = 0; i < 8; i++)
        to = to << 8 | big[i];
    if (guid.known)
        add_secret(anonymiser, (const uint8_t *)&from, (const uint8_t *)&to, 8);
}

/* "aa:bb:…" of 6 or 20 bytes; their number, or 0. */
static size_t parse_mac(const char *text, size_t len, uint8_t bytes[static MOST_SECRET])
{
    size_t count = (len + 1) / 3;
    if ((count != 6 && count != 20) || len != count * 3 - 1)
        return 0;
    for (size_t i = 0; i < count; i++) {
        char pair[3] = { text[i * 3], text[i * 3 + 1] };
        if (!isxdigit((unsigned char)pair[0]) || !isxdigit((unsigned char)pair[1]) ||
            (i + 1 < count && text[i * 3 + 2] != ':'))
            return 0;
        bytes[i] = (uint8_t)strtoul(pair, NULL, 16);
    }
    return count;
}

static void add_mac(struct anonymiser *anonymiser, const char *text)
{
    uint8_t from[MOST_SECRET], to[MOST_SECRET];
    size_t len = text ? parse_mac(text, strlen(text), from) : 0;
    if (!len)
        return;
    memcpy(to, from, len);
    map_mac(anonymiser, to, len);
    add_secret(anonymiser, from, to, len);
}

static void add_netdev(struct anonymiser *anonymiser, const struct netdev *netdev)
{
    add_mac(anonymiser, netdev->mac);
    for (size_t i = 0; i < netdev->naddresses; i++) {
        add_address(anonymiser, netdev->addresses[i].family, netdev->addresses[i].raw);
        add_address(anonymiser, netdev->addresses[i].family, netdev->addresses[i].peer);
    }
}

static void collect_routes(struct anonymiser *anonymiser, const struct host *host)
{
    for (size_t i = 0; i < host->nroutes; i++) {
        add_address(anonymiser, host->routes[i].family, host->routes[i].destination);
        add_address(anonymiser, host->routes[i].family, host->routes[i].gateway);
        add_address(anonymiser, host->routes[i].family, host->routes[i].source);
    }
    for (size_t i = 0; i < host->nneighbours; i++) {
        add_address(anonymiser, host->neighbours[i].family, host->neighbours[i].address);
        add_mac(anonymiser, host->neighbours[i].mac);
    }
    for (size_t i = 0; i < host->nrules; i++) {
        add_address(anonymiser, host->rules[i].family, host->rules[i].source);
        add_address(anonymiser, host->rules[i].family, host->rules[i].destination);
    }
}

static int longest_first(const void *a, const void *b)
{
    size_t x = ((const struct secret *)a)->len, y = ((const struct secret *)b)->len;
    return (x < y) - (x > y);
}

static void collect(struct anonymiser *anonymiser, const struct host *host)
{
    for (size_t d = 0; d < host->ndevices; d++) {
        const struct device *device = &host->devices[d];
        add_guid(anonymiser, device->node_guid);
        add_guid(anonymiser, device->sys_image_guid);
        for (size_t p = 0; p < device->nports; p++)
            for (size_t g = 0; g < device->ports[p].ngids; g++)
                add_address(anonymiser, AF_INET6, device->ports[p].gids[g].raw);
    }
    for (size_t i = 0; i < host->nnetdevs; i++)
        add_netdev(anonymiser, &host->netdevs[i]);
    collect_routes(anonymiser, host);
    if (anonymiser->nsecrets)
        qsort(anonymiser->secrets, anonymiser->nsecrets, sizeof(*anonymiser->secrets), longest_first);
}

struct anonymiser *anonymiser_new(const struct host *host)
{
    struct anonymiser *anonymiser = mem_alloc(1, sizeof(*anonymiser));
    anonymiser->arena = arena_new();
    if (getrandom(&anonymiser->key, sizeof(anonymiser->key), 0) != (ssize_t)sizeof(anonymiser->key))
        say_die("cannot anonymise: the kernel gives no random bytes");
    anonymiser->key |= 1;
    anonymiser->hostname = host->system.hostname ? arena_strdup(anonymiser->arena, host->system.hostname)
                                                 : NULL;
    collect(anonymiser, host);
    return anonymiser;
}

void anonymiser_free(struct anonymiser *anonymiser)
{
    if (!anonymiser)
        return;
    arena_free(anonymiser->arena);
    free(anonymiser);
}

static void print_groups(struct bytes *out, const uint8_t *bytes, size_t len, size_t group)
{
    for (size_t i = 0; i < len; i++)
        bytes_printf(out, "%s%02x", i && i % group == 0 ? ":" : "", bytes[i]);
}

/* Groups of four digits: a GUID has 4, a GID 8. Their bytes, or 0. */
static size_t parse_groups(const char *text, size_t len, uint8_t bytes[static 16])
{
    size_t groups = (len + 1) / 5;
    if ((groups != 4 && groups != 8) || len != groups * 5 - 1)
        return 0;
    for (size_t i = 0; i < groups; i++) {
        char digits[5] = { 0 };
        memcpy(digits, text + i * 5, 4);
        if (strspn(digits, "0123456789abcdefABCDEF") != 4 || (i + 1 < groups && text[i * 5 + 4] != ':'))
            return 0;
        unsigned long value = strtoul(digits, NULL, 16);
        bytes[i * 2] = (uint8_t)(value >> 8);
        bytes[i * 2 + 1] = (uint8_t)value;
    }
    return groups * 2;
}

/* A run of hexadecimal digits, colons and dots: appended as it is unless it is an address. */
static void map_run(const struct anonymiser *anonymiser, const char *run, size_t len, struct bytes *out)
{
    uint8_t bytes[MOST_SECRET];
    char text[64], plain[INET6_ADDRSTRLEN];
    size_t count;
    snprintf(text, sizeof(text), "%.*s", (int)(len < sizeof(text) ? len : sizeof(text) - 1), run);
    if ((count = parse_mac(run, len, bytes))) {
        map_mac(anonymiser, bytes, count);
        print_groups(out, bytes, count, 1);
    } else if ((count = parse_groups(run, len, bytes))) {
        if (count == 8)
            map_low(anonymiser, bytes + 5);
        else
            map_v6(anonymiser, bytes);
        print_groups(out, bytes, count, 2);
    } else if (len < sizeof(text) && inet_pton(AF_INET, text, bytes) == 1) {
        map_v4(anonymiser, bytes);
        bytes_printf(out, "%s", inet_ntop(AF_INET, bytes, plain, sizeof(plain)));
    } else if (len < sizeof(text) && inet_pton(AF_INET6, text, bytes) == 1) {
        map_v6(anonymiser, bytes);
        bytes_printf(out, "%s", inet_ntop(AF_INET6, bytes, plain, sizeof(plain)));
    } else {
        bytes_append(out, run, len);
    }
}

/* udev names USB and other adapters by their MAC: enx and 12 digits. */
static size_t map_name(const struct anonymiser *anonymiser, const char *text, size_t len, struct bytes *out)
{
    enum { PREFIX = 3, DIGITS = 12 };
    uint8_t bytes[6];
    if (len < PREFIX + DIGITS || memcmp(text, "enx", PREFIX) != 0)
        return 0;
    for (size_t i = 0; i < 6; i++) {
        char pair[3] = { text[PREFIX + i * 2], text[PREFIX + i * 2 + 1] };
        if (strspn(pair, "0123456789abcdef") != 2)
            return 0;
        bytes[i] = (uint8_t)strtoul(pair, NULL, 16);
    }
    map_mac(anonymiser, bytes, 6);
    bytes_printf(out, "enx");
    print_groups(out, bytes, 6, 6);
    return PREFIX + DIGITS;
}

static bool is_run_char(char c)
{
    return isxdigit((unsigned char)c) || c == ':' || c == '.';
}

static bool is_word_char(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Four numbers with dots are a firmware version as often as an address. */
static bool is_version_line(const char *text, const char *at)
{
    const char *line = at;
    while (line > text && line[-1] != '\n')
        line--;
    const char *word = memmem(line, (size_t)(at - line), "fw_ver", 6);
    return word != NULL;
}

void anonymise_text(const struct anonymiser *anonymiser, const char *text, size_t len, struct bytes *out)
{
    size_t host_len = anonymiser->hostname ? strlen(anonymiser->hostname) : 0;
    bytes_append(out, "", 0);
    for (size_t i = 0; i < len;) {
        bool starts = i == 0 || !is_word_char(text[i - 1]);
        size_t run = 0, taken;
        while (starts && i + run < len && is_run_char(text[i + run]))
            run++;
        while (run && (text[i + run - 1] == '.' ||
                       (text[i + run - 1] == ':' && (run < 2 || text[i + run - 2] != ':'))))
            run--; /* the punctuation behind an address */
        bool ends = i + run == len || !is_word_char(text[i + run]);
        if (starts && host_len > 2 && i + host_len <= len &&
            memcmp(text + i, anonymiser->hostname, host_len) == 0 &&
            (i + host_len == len || !is_word_char(text[i + host_len]))) {
            bytes_printf(out, "host");
            i += host_len;
        } else if (starts && (taken = map_name(anonymiser, text + i, len - i, out))) {
            i += taken;
        } else if (run > 2 && ends && !is_version_line(text, text + i)) {
            map_run(anonymiser, text + i, run, out);
            i += run;
        } else {
            bytes_append(out, text + i, 1);
            i++;
        }
    }
}

void anonymise_reply(const struct anonymiser *anonymiser, void *data, size_t len)
{
    uint8_t *bytes = data;
    for (size_t at = 0; at < len;) {
        size_t taken = 0;
        for (size_t i = 0; i < anonymiser->nsecrets && !taken; i++) {
            const struct secret *secret = &anonymiser->secrets[i];
            bool aligned = secret->len > 4 || at % 4 == 0; /* attributes are */
            if (aligned && secret->len <= len - at && memcmp(bytes + at, secret->from, secret->len) == 0) {
                memcpy(bytes + at, secret->to, secret->len);
                taken = secret->len;
            }
        }
        at += taken ? taken : 1;
    }
}
