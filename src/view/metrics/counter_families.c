/* SPDX-License-Identifier: MIT */
/* Each counter of a driver, under a name derived from its file's. */
#include "view/metrics/family.h"

/* -- names ------------------------------------------------------------------------------------------------ */

enum { NAME_ROOM = 320 };
#define OF_DEVICE "device_"

/* Digits count as lower case. */
static bool is_lower(char c)
{
    return islower((unsigned char)c) || isdigit((unsigned char)c);
}

static bool is_upper(char c)
{
    return isupper((unsigned char)c);
}

/* Does a word begin with this capital: "in|Octets", "rx|VLAN|Errors"? */
static bool begins_word(const char *name, size_t at)
{
    bool after_word = at > 0 && is_lower(name[at - 1]);
    bool after_acronym = at > 0 && is_upper(name[at - 1]) && islower((unsigned char)name[at + 1]);
    return after_word || after_acronym;
}

/* A file's name as metrics spell it: "ip4InOctets" is ip4_in_octets, "SwLinkUp,32" (a 32-bit register)
 * sw_link_up, "Rx atomics" rx_atomics. Empty if it has neither letters nor digits. */
static void snake_case(const char *name, char out[static NAME_ROOM])
{
    size_t len = 0;
    for (size_t i = 0; name[i] && name[i] != ',' && len < 255; i++) {
        bool upper = is_upper(name[i]), plain = is_lower(name[i]);
        if (len && out[len - 1] != '_' && (!(upper || plain) || (upper && begins_word(name, i))))
            out[len++] = '_';
        if (upper || plain)
            out[len++] = (char)tolower((unsigned char)name[i]);
    }
    while (len && out[len - 1] == '_')
        len--;
    out[len] = '\0';
}

/* A name's suffix, from its row; without a row it's taken for a total, as nearly all are. */
static const char *ending_of(const struct counter_def *def, const char *snake)
{
    bool bytes = def && def->unit == COUNTER_BYTES && !text_in_list_fold(snake, '_', "bytes");
    bool total = !def || def->kind == COUNTER_TOTAL;
    return total ? (bytes ? "_bytes_total" : "_total") : (bytes ? "_bytes" : "");
}

static const char *const beginnings[] = { "counters_", "counters_ext_", "hw_counters_",
                                          OF_DEVICE "hw_counters_" };

bool counters_may_match(const char *pattern)
{
    size_t plain = strcspn(pattern, "*?[\\");
    for (size_t i = 0; i < ARRAY_SIZE(beginnings); i++) {
        size_t len = strlen(beginnings[i]);
        bool open = pattern[plain] != '\0';
        if (strncmp(pattern, beginnings[i], plain < len && open ? plain : len) == 0)
            return true;
    }
    return false;
}

/* -- what they mean --------------------------------------------------------------------------------------- */

/* All rows of the dictionary for counters of one name. */
struct meaning {
    const struct counter_def *first;
    size_t rows, wrapping, stopping;
    uint64_t stops_at; /* of the narrowest */
};

static bool is_wrapping(const struct counter_def *def)
{
    return def->kind == COUNTER_TOTAL && def->width && def->width < 64 && !def->saturates;
}

static unsigned stopping_width(const struct counter_def *def)
{
    return !def->saturates ? 0 : def->narrow ? def->narrow : def->width < 64 ? def->width : 0;
}

static void add_row(struct meaning *meaning, const struct counter_def *def)
{
    unsigned width = stopping_width(def);
    meaning->first = meaning->first ? meaning->first : def;
    meaning->rows++;
    meaning->wrapping += is_wrapping(def);
    meaning->stopping += width != 0;
    if (width && (!meaning->stops_at || meaning->stops_at >> width))
        meaning->stops_at = (UINT64_C(1) << width) - 1;
}

/* Could a file's name be this one in snake case? Compares only letters and digits: converting the names of all
 * tables for each family took a fifth of the time of the whole output. */
static bool has_letters_of(const char *name, const char *snake)
{
    for (; *name && *name != ','; name++) {
        if (!is_lower(*name) && !is_upper(*name))
            continue;
        while (*snake == '_')
            snake++;
        if (tolower((unsigned char)*name) != *snake++)
            return false;
    }
    return *snake == '\0';
}

/* The same for all counters of that name, whichever driver's: a family has one help text. */
static struct meaning meaning_of(const char *dir, const char *snake, const char *ending)
{
    struct meaning meaning = { 0 };
    for (const struct counter_table *table = counter_tables; table->count; table++)
        for (size_t i = 0, of_dir = strcmp(table->dir, dir) == 0; of_dir && i < table->count; i++) {
            char own[NAME_ROOM];
            const struct counter_def *def = &table->defs[i];
            if ((is_lower(*def->name) && *def->name != *snake) || !has_letters_of(def->name, snake))
                continue;
            snake_case(def->name, own);
            if (strcmp(own, snake) == 0 && strcmp(ending_of(def, own), ending) == 0)
                add_row(&meaning, def);
        }
    return meaning;
}

static const char *some_devices(size_t count, const struct meaning *meaning)
{
    return count < meaning->rows || meaning->first->narrow ? " on some devices" : "";
}

/* " (SwLinkUp)", if the name derived from it isn't the file's own. */
static void add_file(struct bytes *help, const char *file, const char *snake)
{
    size_t len = strcspn(file, ",");
    char *name = mem_printf("%.*s", (int)len, file), *clean = text_clean(name, TEXT_ONE_LINE);
    if (strcmp(name, snake) != 0)
        bytes_printf(help, " (%s)", clean);
    free(clean);
    free(name);
}

/* file: a counter's own name; def: its row, which may be a pattern's; NULL: none. */
static char *make_help(const char *dir, const char *snake, const char *ending, const char *file,
                       const struct counter_def *def)
{
    struct bytes help = { 0 };
    struct meaning meaning = meaning_of(dir, snake, ending);
    if (meaning.first)
        file = meaning.first->name;
    else if (def)
        add_row(&meaning, def);
    bytes_printf(&help, "%s",
                 meaning.first ? counter_meaning(meaning.first)
                               : "a counter of the driver that roce doesn't know");
    add_file(&help, file, snake);
    if (meaning.wrapping)
        bytes_printf(&help, "; has 32 bits and starts again from 0%s",
                     some_devices(meaning.wrapping, &meaning));
    if (meaning.stopping)
        bytes_printf(&help, "; stops at %" PRIu64 "%s", meaning.stops_at,
                     some_devices(meaning.stopping, &meaning));
    return help.data;
}

/* -- samples ---------------------------------------------------------------------------------------------- */

struct series {
    const char *name; /* with PREFIX */
    const char *snake, *ending, *labels;
    const struct counter *counter;
    size_t place; /* position among all, before sorting */
};

struct all {
    struct series *items;
    size_t count;
    size_t begun; /* where the series of the port or device being added begin */
    size_t like;  /* the previous one's that may match the next */
};

static void begin_target(struct all *all)
{
    all->like = all->begun;
    all->begun = all->count;
}

/* The previous one's series of the same counter, whose names can be reused: devices are mostly alike. NULL if
 * it has none, or in another position. */
static const struct series *find_like(struct all *all, const struct counter *counter)
{
    if (all->like >= all->begun)
        return NULL;
    const struct series *like = &all->items[all->like++];
    const struct counter *other = like->counter;
    return other->def == counter->def && strcmp(other->name, counter->name) == 0 &&
                   strcmp(other->dir, counter->dir) == 0
               ? like
               : NULL;
}

static void add_counter(struct filling *filling, struct all *all, const struct counter *counter,
                        const char *device, const char *labels)
{
    struct series one = { .counter = counter, .labels = labels, .place = all->count };
    char snake[NAME_ROOM];
    if (!counter->raw.known || (counter->def && counter->def->kind == COUNTER_SETTING))
        return;
    const struct series *like = find_like(all, counter);
    if (like) {
        one.name = like->name;
        one.snake = like->snake;
        one.ending = like->ending;
    } else {
        snake_case(counter->name, snake);
        if (!*snake)
            return;
        one.snake = arena_strdup(filling->arena, snake);
        one.ending = ending_of(counter->def, snake);
        one.name = arena_printf(filling->arena, PREFIX "%s%s_%s%s", device, counter->dir, snake, one.ending);
    }
    *ARENA_PUSH_MANY(filling->arena, all->items, all->count) = one;
}

static int by_name(const void *a, const void *b)
{
    const struct series *x = a, *y = b;
    int order = x->name == y->name ? 0 : strcmp(x->name, y->name);
    return order ? order : (x->place > y->place) - (x->place < y->place);
}

/* All series of one name. Two files of one directory whose names are the same in snake case would produce a
 * series twice: the second is left out. */
static void put_series(struct filling *filling, const struct series *series, size_t count)
{
    const struct counter *first = series->counter;
    char *help = make_help(first->dir, series->snake, series->ending, first->name, first->def);
    put_head(filling, series->name,
             first->def && first->def->kind == COUNTER_GAUGE ? METRIC_GAUGE : METRIC_COUNTER,
             strstr(series->ending, "bytes") ? "bytes" : NULL, help);
    free(help);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || strcmp(series[i].labels, series[i - 1].labels) != 0)
            exposition_sample(filling->to, series->name, series[i].labels,
                              counter_value(series[i].counter->def, series[i].counter->raw.value));
}

static void put_all(struct filling *filling, const struct all *all)
{
    if (all->count)
        qsort(all->items, all->count, sizeof(*all->items), by_name);
    for (size_t i = 0, count; i < all->count; i += count) {
        const struct series *series = &all->items[i];
        for (count = 1; i + count < all->count &&
                        (series[count].name == series->name || strcmp(series[count].name, series->name) == 0);)
            count++;
        if (is_wanted(filling->choice, series->name + strlen(PREFIX)))
            put_series(filling, series, count);
    }
}

/* A counter that alone makes up a neutral family's sample isn't printed again: a seventh of a machine's series
 * would be duplicates. Those who choose families get them. */
static bool is_told(const struct filling *filling, const struct port *port, const struct counter *counter)
{
    char name[64];
    if (filling->choice->only || !port_role_is_one(port, counter))
        return false;
    if (!filling->choice->skip)
        return true;
    snprintf(name, sizeof(name), "port_%s_total", counter_role_name(counter->role));
    return is_wanted(filling->choice, name);
}

void fill_counters(struct filling *filling)
{
    struct all all = { 0 };
    const struct targets *ports = targets_of(filling, OF_PORTS), *devices = targets_of(filling, OF_DEVICES);
    for (size_t i = 0; i < ports->count; i++) {
        const struct target *target = &ports->items[i];
        begin_target(&all);
        for (size_t k = 0; k < target->port->ncounters; k++)
            if (!is_told(filling, target->port, &target->port->counters[k]))
                add_counter(filling, &all, &target->port->counters[k], "", target->labels);
    }
    all.begun = all.count; /* their names differ from those of ports */
    for (size_t i = 0; i < devices->count; i++) {
        const struct target *target = &devices->items[i];
        begin_target(&all);
        for (size_t k = 0; k < target->device->ncounters; k++)
            add_counter(filling, &all, &target->device->counters[k], OF_DEVICE, target->labels);
    }
    put_all(filling, &all);
}

/* -- a list ----------------------------------------------------------------------------------------------- */

const char *counters_of_role(struct arena *arena, enum counter_role role)
{
    struct bytes text = { 0 };
    const char *last = NULL;
    bytes_append(&text, "", 0);
    for (const struct counter_table *table = counter_tables; table->count; table++)
        for (size_t i = 0; i < table->count; i++) {
            const char *driver = table->family ? table->family : table->dir;
            if (table->defs[i].role != role)
                continue;
            if (text_is(last, driver))
                bytes_printf(&text, ", %s", table->defs[i].name);
            else
                bytes_printf(&text, "%s%s: %s", last ? "; " : "", driver, table->defs[i].name);
            last = driver;
        }
    return arena_take(arena, text.data);
}

static int by_row_name(const void *a, const void *b)
{
    return strcmp(((const struct metrics_row *)a)->name, ((const struct metrics_row *)b)->name);
}

void counters_list(struct arena *arena, struct metrics_row **rows, size_t *count)
{
    struct metrics_row *own = NULL;
    size_t nown = 0;
    for (const struct counter_table *table = counter_tables; table->count; table++)
        for (size_t i = 0; i < table->count; i++) {
            const struct counter_def *def = &table->defs[i];
            char snake[NAME_ROOM];
            if (def->kind == COUNTER_SETTING)
                continue;
            snake_case(def->name, snake);
            const char *ending = ending_of(def, snake);
            char *help = make_help(table->dir, snake, ending, def->name, def);
            *ARENA_PUSH_MANY(arena, own, nown) = (struct metrics_row){
                .name = arena_printf(arena, PREFIX "%s_%s%s", table->dir, snake, ending),
                .labels = "device,port",
                .help = arena_strdup(arena, help),
                .type = def->kind == COUNTER_GAUGE ? METRIC_GAUGE : METRIC_COUNTER,
            };
            free(help);
        }
    if (nown)
        qsort(own, nown, sizeof(*own), by_row_name);
    for (size_t i = 0; i < nown; i++)
        if (i == 0 || strcmp(own[i].name, own[i - 1].name) != 0)
            *ARENA_PUSH(arena, *rows, *count) = own[i];
}
