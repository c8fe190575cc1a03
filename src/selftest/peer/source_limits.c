/* SPDX-License-Identifier: MIT */
/* Who may connect, how often, and from where. */
#include "selftest/peer/server.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include "model/gid.h"
#include "selftest/queues/wait.h"

/* SPARE: sources that are remembered when none of their connections is left. */
enum { SPARE = 256, SECOND = 1000000000 };

struct source {
    struct source_key key;
    bool known;
    unsigned callers, clients, strikes;
    double calls;     /* that it may make at once */
    uint64_t counted; /* when that was */
    uint64_t refused_until, struck;
};

struct sources {
    unsigned per_address, size;
    struct source table[];
};

struct source_key source_key(const struct sockaddr_storage *address)
{
    struct source_key key = { 0 };
    address_gid(address, key.address);
    if (gid_is_v4_mapped(key.address))
        return key;
    if (gid_is_link_local(key.address))
        key.scope = ((const struct sockaddr_in6 *)address)->sin6_scope_id;
    else
        memset(key.address + 8, 0, 8);
    return key;
}

const char *limit_text(enum limit limit)
{
    static const char *const texts[] = {
        [LIMIT_NONE] = NULL,
        [LIMIT_PENALTY] = "this host spoke nonsense or fell silent before: it is refused for up to a minute",
        [LIMIT_RATE] = "this host connects too often: it may again in a second",
        [LIMIT_CALLERS] = "too many connections of this host say nothing",
        [LIMIT_PLACES] = "this host has as many clients here as one host may",
    };
    return texts[limit];
}

struct sources *sources_new(unsigned per_address, unsigned connections)
{
    struct sources *sources = calloc(1, sizeof(*sources) + (connections + SPARE) * sizeof(struct source));
    if (sources) {
        sources->per_address = per_address;
        sources->size = connections + SPARE;
    }
    return sources;
}

void sources_free(struct sources *sources)
{
    free(sources);
}

static bool is_same(const struct source *s, const struct source_key *key)
{
    return s->known && s->key.scope == key->scope &&
           memcmp(s->key.address, key->address, sizeof(key->address)) == 0;
}

static struct source *find_source(struct sources *sources, const struct source_key *key)
{
    for (unsigned i = 0; i < sources->size; i++)
        if (is_same(&sources->table[i], key))
            return &sources->table[i];
    return NULL;
}

/* Of those without connections the one that has been quiet for longest makes room; there are more rows than
 * connections. */
static struct source *add_source(struct sources *sources, const struct source_key *key, uint64_t now)
{
    struct source *oldest = NULL;
    for (unsigned i = 0; i < sources->size; i++) {
        struct source *s = &sources->table[i];
        if (s->callers == 0 && s->clients == 0 && (!oldest || s->counted < oldest->counted))
            oldest = s;
    }
    if (oldest)
        *oldest = (struct source){
            .key = *key, .known = true, .calls = (double)LIMIT_BURST * sources->per_address, .counted = now
        };
    return oldest;
}

static void refill(const struct sources *sources, struct source *s, uint64_t now)
{
    double most = (double)LIMIT_BURST * sources->per_address;
    s->calls += (double)(now - s->counted) / SECOND * LIMIT_RATE_S * sources->per_address;
    if (s->calls > most)
        s->calls = most;
    s->counted = now;
}

enum limit sources_call(struct sources *sources, const struct source_key *key, uint64_t now)
{
    struct source *s = find_source(sources, key);
    if (!s)
        s = add_source(sources, key, now);
    if (!s)
        return LIMIT_CALLERS;
    refill(sources, s, now);
    unsigned callers = 2 * sources->per_address;
    if (now < s->refused_until)
        return LIMIT_PENALTY;
    if (s->callers >= (callers < LIMIT_CALLERS_LEAST ? LIMIT_CALLERS_LEAST : callers))
        return LIMIT_CALLERS;
    if (s->calls < 1)
        return LIMIT_RATE;
    s->calls--;
    s->callers++;
    return LIMIT_NONE;
}

enum limit sources_greet(struct sources *sources, const struct source_key *key)
{
    struct source *s = find_source(sources, key);
    if (!s || s->clients >= sources->per_address)
        return LIMIT_PLACES;
    s->callers--;
    s->clients++;
    return LIMIT_NONE;
}

static void strike(struct source *s, uint64_t now)
{
    if (s->strikes && now - s->struck > (uint64_t)LIMIT_FORGIVEN_S * SECOND)
        s->strikes = 0;
    uint64_t seconds = (uint64_t)LIMIT_PENALTY_S << s->strikes;
    if (seconds < LIMIT_PENALTY_MOST_S)
        s->strikes++;
    else
        seconds = LIMIT_PENALTY_MOST_S;
    s->struck = now;
    s->refused_until = now + seconds * SECOND;
}

void sources_leave(struct sources *sources, const struct source_key *key, bool client, bool bad, uint64_t now)
{
    struct source *s = find_source(sources, key);
    if (!s)
        return;
    if (client)
        s->clients--;
    else
        s->callers--;
    if (bad)
        strike(s, now);
}

bool early_drop(const struct early_drop *drop, unsigned callers, uint32_t dice)
{
    if (callers < drop->start)
        return false;
    if (callers >= drop->full)
        return true;
    unsigned percent = drop->rate + (100 - drop->rate) * (callers - drop->start) / (drop->full - drop->start);
    return dice % 100 < percent;
}

enum { V4_BITS = 32, V6_BITS = 128 };

static int parse_one(char *text, uint8_t address[static 16], uint8_t *bits)
{
    struct sockaddr_in in = { .sin_family = AF_INET };
    uint64_t given = 0;
    char *slash = strchr(text, '/');
    if (slash) {
        *slash = '\0';
        if (slash[1] < '0' || slash[1] > '9' || text_to_u64(slash + 1, 10, &given) < 0)
            return -EINVAL;
    }
    unsigned most = inet_pton(AF_INET, text, &in.sin_addr) == 1 ? V4_BITS : V6_BITS;
    if (most == V6_BITS && inet_pton(AF_INET6, text, address) != 1)
        return -EINVAL;
    if (most == V4_BITS) {
        struct sockaddr_storage any = { 0 };
        memcpy(&any, &in, sizeof(in));
        address_gid(&any, address);
    }
    if (given > most)
        return -EINVAL;
    *bits = (uint8_t)((slash ? given : most) + V6_BITS - most);
    return 0;
}

int allow_parse(const char *list, struct allow *allow, char bad[static ALLOW_TEXT_SIZE])
{
    allow->count = 0;
    for (const char *at = list;; at++) {
        char one[ALLOW_TEXT_SIZE];
        size_t len = strcspn(at, ",");
        snprintf(bad, ALLOW_TEXT_SIZE, "%.*s", (int)len, at);
        snprintf(one, sizeof(one), "%s", bad);
        if (allow->count == ALLOW_MOST)
            return -E2BIG;
        if (len >= sizeof(one) ||
            parse_one(one, allow->prefixes[allow->count].address, &allow->prefixes[allow->count].bits) < 0)
            return -EINVAL;
        allow->count++;
        at += len;
        if (!*at)
            return 0;
    }
}

static bool covers(const uint8_t prefix[static 16], unsigned bits, const uint8_t address[static 16])
{
    if (memcmp(prefix, address, bits / 8) != 0)
        return false;
    uint8_t mask = (uint8_t)(0xff00 >> bits % 8);
    return bits % 8 == 0 || ((prefix[bits / 8] ^ address[bits / 8]) & mask) == 0;
}

bool allow_has(const struct allow *allow, const struct sockaddr_storage *address)
{
    uint8_t raw[16];
    address_gid(address, raw);
    bool found = allow->count == 0;
    for (size_t i = 0; i < allow->count; i++)
        found |= covers(allow->prefixes[i].address, allow->prefixes[i].bits, raw);
    return found;
}
