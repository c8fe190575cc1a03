/* SPDX-License-Identifier: MIT */
/* Who may connect, how often, and from where. */
#include "selftest/peer/server.h"

#include <arpa/inet.h>

#include "model/route.h"

/* SPARE: sources remembered after their last connection is gone. */
enum { SPARE = 256, SECOND = 1000000000 };

struct source {
    struct source_key key;
    bool known;
    unsigned callers, clients, strikes;
    double calls;     /* that it may make at once */
    uint64_t counted; /* when that was */
    double cpu;       /* ns that its messages may use at once; < 0: it has to wait */
    uint64_t paid;    /* when that was */
    uint64_t refused_until, struck;
};

struct sources {
    unsigned per_address, size;
    double burst; /* calls that a source may make at once */
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
    static const char *const texts[] = { WORDS_LIMIT };
    return texts[limit];
}

struct sources *sources_new(unsigned per_address, unsigned connections)
{
    struct sources *sources = mem_alloc(1, sizeof(*sources) + (connections + SPARE) * sizeof(struct source));
    sources->per_address = per_address;
    sources->burst = (double)LIMIT_BURST * per_address;
    sources->size = connections + SPARE;
    return sources;
}

static struct source *find_source(struct sources *sources, const struct source_key *key)
{
    for (struct source *s = sources->table; s < sources->table + sources->size; s++)
        if (s->known && memcmp(&s->key, key, sizeof(*key)) == 0)
            return s;
    return NULL;
}

static double cpu_burst(const struct sources *sources)
{
    return (double)LIMIT_CPU_MS * 1000000 * sources->per_address;
}

/* Replaces the source without connections that has been quiet the longest; there are more rows than
 * connections. */
static struct source *add_source(struct sources *sources, const struct source_key *key, uint64_t now)
{
    struct source *oldest = NULL;
    for (struct source *s = sources->table; s < sources->table + sources->size; s++)
        if (s->callers == 0 && s->clients == 0 && (!oldest || s->counted < oldest->counted))
            oldest = s;
    if (oldest)
        *oldest = (struct source){ .key = *key,
                                   .known = true,
                                   .calls = sources->burst,
                                   .counted = now,
                                   .cpu = cpu_burst(sources),
                                   .paid = now };
    return oldest;
}

enum limit sources_call(struct sources *sources, const struct source_key *key, uint64_t now)
{
    struct source *s = find_source(sources, key);
    if (!s)
        s = add_source(sources, key, now);
    if (!s)
        return LIMIT_CALLERS;
    s->calls += (double)(now - s->counted) / SECOND * LIMIT_RATE_S * sources->per_address;
    if (s->calls > sources->burst)
        s->calls = sources->burst;
    s->counted = now;
    if (now < s->refused_until)
        return LIMIT_PENALTY;
    if (s->callers >= 2 * sources->per_address && s->callers >= LIMIT_CALLERS_LEAST)
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

uint64_t sources_pay(struct sources *sources, const struct source_key *key, uint64_t used, uint64_t now)
{
    struct source *s = find_source(sources, key);
    double share = (double)sources->per_address / LIMIT_CPU_SHARE;
    if (!s)
        return 0;
    s->cpu += (double)(now - s->paid) * share;
    if (s->cpu > cpu_burst(sources))
        s->cpu = cpu_burst(sources);
    s->paid = now;
    s->cpu -= (double)used;
    return s->cpu < 0 ? (uint64_t)(-s->cpu / share) : 0;
}

/* One prefix; a single address has all its bits. */
static int parse_one(char *text, uint8_t address[static 16], uint8_t *bits)
{
    enum { V4_BITS = 32, V6_BITS = 128 };
    uint8_t raw[16];
    uint64_t given = 0;
    char *slash = strchr(text, '/');
    if (slash)
        *slash++ = '\0';
    bool v4 = inet_pton(AF_INET, text, raw) == 1;
    uint64_t most = v4 ? V4_BITS : V6_BITS;
    if ((!v4 && inet_pton(AF_INET6, text, raw) != 1) ||
        (slash && (!isdigit((unsigned char)*slash) || text_to_u64(slash, 10, &given) < 0 || given > most)))
        return -EINVAL;
    gid_of_address(v4 ? AF_INET : AF_INET6, raw, address);
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

bool allow_has(const struct allow *allow, const struct sockaddr_storage *address)
{
    uint8_t raw[16];
    address_gid(address, raw);
    bool found = allow->count == 0;
    for (size_t i = 0; i < allow->count; i++)
        found |= prefix_holds(allow->prefixes[i].address, allow->prefixes[i].bits, raw);
    return found;
}
