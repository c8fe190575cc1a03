/* SPDX-License-Identifier: MIT */
/* The list of peers that the hosts of a mesh share, and who tests whom in which round. */
#include "fleet/mesh/mesh.h"

#include <arpa/inet.h>

#include "base/hash.h"

enum { WORDS = 5 };

struct wish {
    uint8_t a[16], b[16];
    unsigned line;
};

struct reading {
    struct arena *arena;
    struct peers *peers;
    struct fleet_fault *fault;
    unsigned line;
    unsigned *lines; /* of the peers */
    size_t nlines;
    struct intern hosts, rails, leaves;
    struct wish *wishes;
    size_t nwishes;
};

static int PRINTF_LIKE(3, 4) wrong(struct reading *r, int err, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    r->fault->line = r->line;
    vsnprintf(r->fault->what, sizeof(r->fault->what), format, args);
    va_end(args);
    return err;
}

/* An address that means the same on every host: not link-local, as its link is only known to its own host. */
static int parse_address(struct reading *r, const char *word, uint8_t raw[static 16])
{
    if (!gid_of_text(word, raw))
        return wrong(r, -EINVAL, "'%s' is no IPv4 or IPv6 address", word);
    if (gid_is_link_local(raw))
        return wrong(r, -EINVAL, "'%s' is link-local: other hosts can't tell by it which link is meant", word);
    return 0;
}

static bool is_word(const char *word)
{
    return text_is_clean(word) && !strpbrk(word, "\"'\\`$<>&;|#");
}

static int add_peer(struct reading *r, char **words, size_t count)
{
    struct peers *peers = r->peers;
    uint8_t raw[16];
    if (parse_address(r, words[0], raw) < 0)
        return -EINVAL;
    if (count < 3)
        return wrong(r, -EINVAL, "a line is ADDRESS HOST DEVICE [RAIL [LEAF]], this one has %zu of them",
                     count);
    if (peers->count == PEERS_MOST)
        return wrong(r, -E2BIG, "more than %d peers: a list for each rail is as good ('mesh plan --rails')",
                     PEERS_MOST);
    for (size_t i = 1; i < count; i++)
        if (!is_word(words[i]))
            return wrong(r, -EINVAL, "word %zu has characters that no name has", i + 1);
    struct mesh_peer *peer = ARENA_PUSH_MANY(r->arena, peers->items, peers->count);
    const char *rail = count > 3 ? words[3] : words[2];
    peer->address = arena_strdup(r->arena, words[0]);
    peer->device = arena_strdup(r->arena, words[2]);
    memcpy(peer->raw, raw, sizeof(raw));
    peer->hosts = intern(&r->hosts, words[1], strlen(words[1])) - 1;
    peer->rails = intern(&r->rails, rail, strlen(rail)) - 1;
    peer->leaves = count > 4 ? intern(&r->leaves, words[4], strlen(words[4])) : 0;
    peer->leaf = intern_text(&r->leaves, peer->leaves);
    peer->host = intern_text(&r->hosts, peer->hosts + 1);
    peer->rail = intern_text(&r->rails, peer->rails + 1);
    *ARENA_PUSH_MANY(r->arena, r->lines, r->nlines) = r->line;
    return 0;
}

static int add_pair(struct reading *r, char **words, size_t count)
{
    struct wish wish = { .line = r->line };
    if (count != 3)
        return wrong(r, -EINVAL, "a pair is 'pair ADDRESS ADDRESS'");
    if (parse_address(r, words[1], wish.a) < 0 || parse_address(r, words[2], wish.b) < 0)
        return -EINVAL;
    if (r->nwishes == PEERS_PAIRS_MOST)
        return wrong(r, -E2BIG, "more than %d pairs", PEERS_PAIRS_MOST);
    *ARENA_PUSH_MANY(r->arena, r->wishes, r->nwishes) = wish;
    return 0;
}

static int read_rounds(struct reading *r, char **words, size_t count)
{
    uint64_t rounds = 0;
    if (count != 2 || text_to_u64(words[1], 10, &rounds) < 0 || rounds < 1 || rounds > PEERS_MOST)
        return wrong(r, -EINVAL, "'rounds' is followed by a number from 1 to %d", PEERS_MOST);
    r->peers->rounds = rounds;
    return 0;
}

/* Parses one line, which it cuts up. len reveals NUL bytes in it. */
static int read_line(struct reading *r, char *line, size_t len)
{
    char *words[WORDS + 1] = { NULL }, *comment = memchr(line, '#', len);
    size_t count = 0;
    len = comment ? (size_t)(comment - line) : len;
    line[len] = '\0';
    if (strlen(line) != len)
        return wrong(r, -EINVAL, "there is a NUL byte in it");
    for (char *word; (word = strsep(&line, " \t\r")) && count <= WORDS;) {
        if (strlen(word) > PEERS_WORD_MOST)
            return wrong(r, -EINVAL, "a word has more than %d bytes", PEERS_WORD_MOST);
        if (*word)
            words[count++] = word;
    }
    if (count == 0)
        return 0;
    if (count > WORDS)
        return wrong(r, -EINVAL, "a line is ADDRESS HOST DEVICE [RAIL [LEAF]], this one has more");
    if (strcmp(words[0], "pair") == 0)
        return add_pair(r, words, count);
    if (strcmp(words[0], "rounds") == 0)
        return read_rounds(r, words, count);
    if (strcmp(words[0], "rails") != 0)
        return add_peer(r, words, count);
    if (count != 2 || strcmp(words[1], "all") != 0)
        return wrong(r, -EINVAL, "'rails' is followed by 'all'");
    r->peers->all_rails = true;
    return 0;
}

/* -- what only the whole list tells -------------------------------------------------------------------- */

static int compare_addresses(const void *one, const void *other, void *data)
{
    const struct reading *r = data;
    const size_t *a = one, *b = other;
    int sign = memcmp(r->peers->items[*a].raw, r->peers->items[*b].raw, 16);
    return sign ? sign : number_order(*a, *b);
}

static int sort_addresses(struct reading *r)
{
    struct peers *peers = r->peers;
    size_t *order = peers->order = arena_alloc(r->arena, peers->count + 1, sizeof(*order));
    for (size_t i = 0; i < peers->count; i++)
        order[i] = i;
    qsort_r(order, peers->count, sizeof(*order), compare_addresses, r);
    for (size_t i = 1; i < peers->count; i++) {
        const struct mesh_peer *a = &peers->items[order[i - 1]], *b = &peers->items[order[i]];
        r->line = r->lines[order[i]];
        if (memcmp(a->raw, b->raw, 16) == 0)
            return wrong(r, -EINVAL, "'%s' is on line %u already", b->address, r->lines[order[i - 1]]);
    }
    return 0;
}

static int find_raw(const struct peers *peers, const uint8_t raw[static 16])
{
    size_t low = 0, high = peers->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int sign = memcmp(peers->items[peers->order[middle]].raw, raw, 16);
        if (sign == 0)
            return (int)peers->order[middle];
        low = sign < 0 ? middle + 1 : low;
        high = sign < 0 ? high : middle;
    }
    return PEERS_NOBODY;
}

int ways_compare(const void *one, const void *other)
{
    const uint32_t *a = one, *b = other;
    int r = number_order(a[0], b[0]);
    return r ? r : number_order(a[1], b[1]);
}

static int settle_pairs(struct reading *r)
{
    struct peers *peers = r->peers;
    peers->pairs = arena_alloc(r->arena, r->nwishes + 1, sizeof(*peers->pairs));
    for (size_t i = 0; i < r->nwishes; i++) {
        int a = find_raw(peers, r->wishes[i].a), b = find_raw(peers, r->wishes[i].b);
        r->line = r->wishes[i].line;
        if (a == PEERS_NOBODY || b == PEERS_NOBODY)
            return wrong(r, -EINVAL, "a pair with an address that no peer in this list has");
        if (peers->items[a].hosts == peers->items[b].hosts)
            return wrong(r, -EINVAL, "both addresses are of '%s'", peers->items[a].host);
        peers->pairs[peers->npairs].a = (uint32_t)(a < b ? a : b);
        peers->pairs[peers->npairs++].b = (uint32_t)(a < b ? b : a);
        peers->all_rails |= peers->items[a].rails != peers->items[b].rails;
    }
    qsort(peers->pairs, peers->npairs, sizeof(*peers->pairs), ways_compare);
    return 0;
}

/* Who can be paired with whom: within a rail, or everyone. */
static void settle_members(struct reading *r)
{
    struct peers *peers = r->peers;
    size_t rails = peers->all_rails ? 1 : r->rails.count;
    uint32_t *counts = arena_alloc(r->arena, rails + 1, sizeof(*counts)), at = 0;
    peers->members = arena_alloc(r->arena, peers->count + 1, sizeof(*peers->members));
    for (size_t i = 0; i < peers->count; i++)
        peers->items[i].place = counts[peers->all_rails ? 0 : peers->items[i].rails]++;
    uint32_t *firsts = arena_alloc(r->arena, rails + 1, sizeof(*firsts));
    for (size_t rail = 0; rail < rails; at += counts[rail++]) {
        firsts[rail] = at;
        size_t rounds = circle_rounds(counts[rail]);
        peers->rounds_of = rounds > peers->rounds_of ? rounds : peers->rounds_of;
    }
    peers->rounds = peers->rounds && peers->rounds < peers->rounds_of ? peers->rounds : peers->rounds_of;
    for (size_t i = 0; i < peers->count; i++) {
        struct mesh_peer *peer = &peers->items[i];
        size_t rail = peers->all_rails ? 0 : peer->rails;
        peer->first = firsts[rail];
        peer->together = counts[rail];
        peers->members[peer->first + peer->place] = (uint32_t)i;
    }
}

static uint32_t stamp_of(const struct peers *peers)
{
    bool sample = peers->rounds < peers->rounds_of;
    uint32_t hash = hash_number(HASH_BEGIN, peers->all_rails, 1);
    hash = sample ? hash_number(hash, peers->rounds, 4) : hash;
    for (size_t i = 0; i < peers->count; i++) {
        hash = hash_more(hash, peers->items[i].raw, 16);
        hash = hash_text(hash_text(hash, peers->items[i].host), peers->items[i].rail);
    }
    for (size_t i = 0; i < peers->npairs; i++)
        hash = hash_number(hash_number(hash, peers->pairs[i].a, 4), peers->pairs[i].b, 4);
    return hash;
}

static int read_lines(struct reading *r, const char *text, size_t len)
{
    if (len > PEERS_TEXT_MOST)
        return wrong(r, -E2BIG, "more than %d MiB", PEERS_TEXT_MOST >> 20);
    int err = 0;
    for (size_t at = 0; at < len && err == 0;) {
        const char *end = memchr(text + at, '\n', len - at);
        size_t n = end ? (size_t)(end - text) - at : len - at;
        char *line = mem_alloc(n + 1, 1);
        memcpy(line, text + at, n);
        r->line++;
        err = read_line(r, line, n);
        free(line);
        at += n + 1;
    }
    err = err ? err : sort_addresses(r);
    err = err ? err : settle_pairs(r);
    r->line = err ? r->line : 0;
    if (!err)
        settle_members(r);
    return err || r->peers->count ? err : wrong(r, -EINVAL, "there are no peers in it");
}

int peers_parse(const char *text, size_t len, struct arena *arena, struct peers *peers,
                struct fleet_fault *fault)
{
    struct reading r = { .arena = arena, .peers = peers, .fault = fault };
    r.hosts.arena = r.rails.arena = r.leaves.arena = arena;
    *fault = (struct fleet_fault){ 0 };
    *peers = (struct peers){ 0 };
    int err = read_lines(&r, text, len);
    peers->nhosts = r.hosts.count;
    peers->nrails = r.rails.count;
    peers->nleaves = r.leaves.count;
    peers->stamp = err ? 0 : stamp_of(peers);
    intern_free(&r.hosts);
    intern_free(&r.rails);
    intern_free(&r.leaves);
    return err;
}

int peers_find(const struct peers *peers, const char *address)
{
    struct reading ignored = { .fault = &(struct fleet_fault){ 0 } };
    uint8_t raw[16];
    return parse_address(&ignored, address, raw) < 0 ? PEERS_NOBODY : find_raw(peers, raw);
}

/* -- who tries whom ------------------------------------------------------------------------------------ */

bool peers_try(const struct peers *peers, size_t a, size_t b)
{
    const struct mesh_peer *one = &peers->items[a], *other = &peers->items[b];
    if (one->hosts == other->hosts || (!peers->all_rails && one->rails != other->rails))
        return false;
    __typeof__(*peers->pairs) key = { (uint32_t)(a < b ? a : b), (uint32_t)(a < b ? b : a) };
    return peers->npairs == 0 ||
           bsearch(&key, peers->pairs, peers->npairs, sizeof(*peers->pairs), ways_compare) != NULL;
}

int peers_partner(const struct peers *peers, size_t i, size_t round)
{
    const struct mesh_peer *peer = &peers->items[i];
    int other = circle_partner(peer->together, round, peer->place);
    if (other == PEERS_NOBODY)
        return PEERS_NOBODY;
    size_t p = peers->members[peer->first + (uint32_t)other];
    return peers_try(peers, i, p) ? (int)p : PEERS_NOBODY;
}

/* -- writing ------------------------------------------------------------------------------------------- */

void peers_head(struct bytes *out)
{
    bytes_printf(out, "# roce mesh: ADDRESS HOST DEVICE RAIL\n");
}

void peers_line(struct bytes *out, const char *address, const char *host, const char *device, const char *rail,
                const char *leaf)
{
    bytes_printf(out, "%s %s %s %s%s%s\n", address, host, device, rail, leaf ? " " : "", leaf ? leaf : "");
}

size_t circle_rounds(size_t count)
{
    return count < 2 ? 0 : count - 1 + count % 2;
}

/* The last of an even number stays in place, while the others' numbers add up to the round's; the one that
 * would meet itself meets the last. With an odd number the last is nobody. */
int circle_partner(size_t count, size_t round, size_t i)
{
    size_t around = circle_rounds(count);
    if (around == 0 || round >= around || i >= count)
        return PEERS_NOBODY;
    size_t last = around, other;
    if (i == last)
        other = round * ((around + 1) / 2) % around;
    else
        other = (round + around - i % around) % around;
    if (i != last && other == i)
        other = last;
    return other < count ? (int)other : PEERS_NOBODY;
}
