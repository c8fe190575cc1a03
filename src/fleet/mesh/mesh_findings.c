/* SPDX-License-Identifier: MIT */
/* What the cells of a mesh mean: which hosts, pairs and groups fail, or are slower than the others. */
#include "fleet/mesh/mesh.h"

#include <math.h>

/* SIGMAS: this far from the others is odd. LEAST: in a smaller table nobody can be told apart. FEW: with fewer
 * peers chance looks like a pattern. MOST_OF: a sender that fails to this share of its receivers is itself at
 * fault. */
enum { SIGMAS = 6, LEAST = 4, FEW = 6, TRIES_LEAST = 3 };
static const double MOST_OF = 0.75, UPPER = 0.75, CROWD = 0.05;

/* Differences of logarithms below this are no finding: bandwidth 10 and 15 %, latency 30 and 40 %. */
static const double line_floor[MESH_MEASURES] = { 0.105, 0.262 }, cell_floor[MESH_MEASURES] = { 0.163, 0.336 };
static const double few_floor[MESH_MEASURES] = { 0.357, 0.693 };

double mesh_value(const struct mesh_cell *cell, enum mesh_measure measure)
{
    return !cell || cell->state != CELL_GOOD ? 0 : measure == MESH_BANDWIDTH ? cell->gbits : cell->latency;
}

/* What was tried from one place to another. */
struct entry {
    uint32_t from, to;
    bool bad;                     /* not yet explained */
    const struct mesh_cell *cell; /* NULL: explained */
};

/* One table: the peers of a rail, or all of them. */
struct table {
    struct mesh_verdicts *out;
    struct arena *arena;
    const struct peers *peers;
    const double *rates;
    size_t n;
    const uint32_t *members;        /* peers by place */
    struct entry *entries;          /* by from, and then by to */
    struct grid grid;               /* of the entries */
    const struct mesh_heard *heard; /* by peer */
    size_t rounds;                  /* that were to be played */
    bool any;                       /* some host of the list has left results */
};

/* The entries of a sender's row, or of a receiver's column. */
static size_t line_size(const struct table *t, size_t place, bool sends)
{
    const size_t *lines = sends ? t->grid.rows : t->grid.columns;
    return lines[place + 1] - lines[place];
}

static struct entry *line_at(const struct table *t, size_t place, bool sends, size_t i)
{
    return &t->entries[sends ? t->grid.rows[place] + i : t->grid.across[t->grid.columns[place] + i]];
}

/* NULL if it wasn't tried. */
static struct entry *entry_at(const struct table *t, size_t from, size_t to)
{
    struct entry key = { .from = (uint32_t)from, .to = (uint32_t)to };
    size_t size = line_size(t, from, true);
    return size ? bsearch(&key, line_at(t, from, true, 0), size, sizeof(key), ways_compare) : NULL;
}

static bool is_bad(const struct entry *entry)
{
    return entry && entry->bad;
}

static bool was_tried(const struct mesh_cell *cell)
{
    return cell && cell->state != CELL_NONE && cell->state != CELL_SKIPPED;
}

static bool is_failed(const struct mesh_cell *cell)
{
    return cell && (cell->state == CELL_FAILED || cell->state == CELL_UNREACHABLE);
}

/* -- what a finding is about --------------------------------------------------------------------------- */

struct tally {
    size_t tried, bad;
    const struct mesh_cell *cell; /* a bad one */
};

static void count_entry(struct tally *tally, const struct entry *entry)
{
    const struct mesh_cell *cell = entry->cell;
    tally->tried += was_tried(cell);
    if (!entry->bad)
        return;
    tally->bad++;
    if (cell && (!tally->cell || (cell->what && !tally->cell->what)))
        tally->cell = cell;
}

static struct tally tally_line(const struct table *t, size_t place, bool sends)
{
    struct tally tally = { 0 };
    for (size_t i = 0; i < line_size(t, place, sends); i++)
        count_entry(&tally, line_at(t, place, sends, i));
    return tally;
}

static const uint32_t *one_peer(struct table *t, size_t place)
{
    uint32_t *list = arena_alloc(t->arena, 1, sizeof(*list));
    *list = t->members[place];
    return list;
}

static void add_known(struct num *sum, struct num32 more)
{
    if (more.known)
        *sum = num_of(sum->value + more.value);
}

static void add_counted(struct mesh_odd *odd, const struct entry *entry)
{
    if (!entry->cell)
        return;
    add_known(&odd->retransmissions, entry->cell->retransmissions);
    add_known(&odd->cnps, entry->cell->cnps);
}

static void add_counted_line(const struct table *t, struct mesh_odd *odd, size_t place, bool sends)
{
    for (size_t i = 0; i < line_size(t, place, sends); i++)
        add_counted(odd, line_at(t, place, sends, i));
}

/* Adds a finding, copied from the template: for the peer at from, at to, or both (NOBODY: neither), with its
 * tally. */
enum { NOBODY = -1 };

static struct mesh_odd *add_odd(struct table *t, enum odd_kind kind, const struct mesh_odd *template,
                                ptrdiff_t from, ptrdiff_t to, struct tally tally)
{
    struct mesh_odd *odd = ARENA_PUSH_MANY(t->arena, t->out->odd, t->out->nodd);
    *odd = *template;
    odd->kind = kind;
    odd->nfrom = from != NOBODY;
    odd->nto = to != NOBODY;
    odd->from = odd->nfrom ? one_peer(t, (size_t)from) : NULL;
    odd->to = odd->nto ? one_peer(t, (size_t)to) : NULL;
    odd->cells = tally.bad;
    odd->tried = tally.tried;
    odd->cell = tally.cell;
    return odd;
}

/* About one peer: as a sender, a receiver, or both. */
static struct mesh_odd *add_line(struct table *t, enum odd_kind kind, const struct mesh_odd *template,
                                 size_t place, struct tally tally)
{
    ptrdiff_t peer = (ptrdiff_t)place, from = kind == ODD_RECEIVER ? NOBODY : peer,
              to = kind == ODD_SENDER ? NOBODY : peer;
    struct mesh_odd *odd = add_odd(t, kind, template, from, to, tally);
    bool measured = kind == ODD_PEER || kind == ODD_SENDER || kind == ODD_RECEIVER;
    if (measured && odd->nfrom)
        add_counted_line(t, odd, place, true);
    if (measured && odd->nto)
        add_counted_line(t, odd, place, false);
    return odd;
}

/* It is explained, so other findings are made from the rest. */
static void clear_line(struct table *t, size_t place, bool sends)
{
    for (size_t i = 0; i < line_size(t, place, sends); i++) {
        struct entry *entry = line_at(t, place, sends, i);
        entry->bad = false;
        entry->cell = NULL;
    }
}

static bool mostly(const struct tally *tally)
{
    return tally->tried >= TRIES_LEAST && (double)tally->bad >= MOST_OF * (double)tally->tried;
}

/* -- groups -------------------------------------------------------------------------------------------- */

/* By what places are grouped: `of` each place; with each other `lone` groups have trouble, and with nobody
 * else. */
struct groups {
    uint64_t *of;   /* 0: in none */
    size_t *others; /* if lone: with how many each has trouble */
    bool lone;
};

/* An entry by the groups of its ends, the smaller first. */
struct between {
    uint64_t a, b;
    struct entry *entry;
};

static int compare_between(const void *one, const void *other)
{
    const struct between *x = one, *y = other;
    int r = number_order(x->a, y->a);
    return r ? r : number_order(x->b, y->b);
}

static const uint32_t *members_of(struct table *t, const struct groups *g, uint64_t group, size_t *count)
{
    uint32_t *list = arena_alloc(t->arena, t->n, sizeof(*list));
    *count = 0;
    for (size_t i = 0; i < t->n; i++)
        if (g->of[i] == group)
            list[(*count)++] = t->members[i];
    return list;
}

/* all: the entries between two groups. Returns whether they are a finding. */
static bool judge_two(struct table *t, const struct groups *g, const struct between *all, size_t count,
                      const struct mesh_odd *template)
{
    enum { FEWEST = 3 };
    struct mesh_odd odd = *template;
    struct tally tally = { 0 };
    for (size_t i = 0; i < count; i++)
        count_entry(&tally, all[i].entry);
    if (tally.bad < FEWEST || (!g->lone && tally.bad < count))
        return false;
    odd.from = members_of(t, g, all->a, &odd.nfrom);
    odd.to = members_of(t, g, all->b, &odd.nto);
    const struct entry *entry = all->entry;
    bool way = g->of[entry->from] == all->a;
    if (odd.nfrom < 2 || odd.nto < 2 ||
        (g->lone && (g->others[way ? entry->from : entry->to] != odd.nto ||
                     g->others[way ? entry->to : entry->from] != odd.nfrom)))
        return false;
    for (size_t i = 0; i < count; i++)
        all[i].entry->bad = false;
    struct mesh_odd *added = add_odd(t, ODD_GROUPS, template, NOBODY, NOBODY, tally);
    added->both = true;
    added->from = odd.from;
    added->to = odd.to;
    added->nfrom = odd.nfrom;
    added->nto = odd.nto;
    return true;
}

/* Returns how many pairs of groups have trouble with each other. */
static size_t judge_between(struct table *t, const struct groups *g, const struct mesh_odd *template)
{
    struct between *all = mem_alloc(t->grid.count + 1, sizeof(*all));
    size_t count = 0, found = 0;
    for (size_t i = 0; i < t->grid.count; i++) {
        struct entry *entry = &t->entries[i];
        uint64_t a = g->of[entry->from], b = g->of[entry->to];
        if (a && b && a != b && was_tried(entry->cell))
            all[count++] = (struct between){ a < b ? a : b, a < b ? b : a, entry };
    }
    qsort(all, count, sizeof(*all), compare_between);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && compare_between(&all[i], &all[end]) == 0;)
            end++;
        found += judge_two(t, g, all + i, end - i, template);
    }
    free(all);
    return found;
}

static uint64_t mark_of(uint64_t place)
{
    place = (place + 1) * UINT64_C(0x9e3779b97f4a7c15);
    return (place ^ place >> 29) * UINT64_C(0xbf58476d1ce4e5b9) | 1;
}

/* Those who have trouble with the same others are a group. */
static size_t judge_lone(struct table *t, const struct mesh_odd *template)
{
    struct groups g = { .of = mem_alloc(t->n + 1, sizeof(*g.of)),
                        .others = mem_alloc(t->n + 1, sizeof(*g.others)),
                        .lone = true };
    for (size_t i = 0; i < t->grid.count; i++) {
        const struct entry *entry = &t->entries[i];
        if (!entry->bad || (entry->from > entry->to && is_bad(entry_at(t, entry->to, entry->from))))
            continue;
        g.of[entry->from] += mark_of(entry->to);
        g.of[entry->to] += mark_of(entry->from);
        g.others[entry->from]++;
        g.others[entry->to]++;
    }
    size_t found = judge_between(t, &g, template);
    free(g.of);
    free(g.others);
    return found;
}

/* The ports of a leaf are a group. */
static size_t judge_leaves(struct table *t, const struct mesh_odd *template)
{
    struct groups g = { .of = mem_alloc(t->n + 1, sizeof(*g.of)) };
    for (size_t i = 0; i < t->n; i++)
        g.of[i] = t->peers->items[t->members[i]].leaves;
    size_t found = judge_between(t, &g, template);
    free(g.of);
    return found;
}

/* In a sample some have trouble with the same others by chance, as those are all that they met. */
static size_t judge_groups(struct table *t, const struct mesh_odd *template)
{
    bool bad = false, sample = t->peers->rounds < t->peers->rounds_of;
    for (size_t i = 0; i < t->grid.count && !bad; i++)
        bad = t->entries[i].bad;
    size_t found = bad && sample ? judge_leaves(t, template) : 0;
    found += bad ? judge_lone(t, template) : 0;
    return found + (bad && !sample ? judge_leaves(t, template) : 0);
}

/* -- failures ------------------------------------------------------------------------------------------ */

static const struct mesh_odd failing = { .failed = true };

/* Called, and by nobody reached. */
static bool is_dead(const struct table *t, size_t place)
{
    bool dead = tally_line(t, place, false).tried > 0;
    for (size_t i = 0; i < line_size(t, place, false); i++) {
        const struct mesh_cell *cell = line_at(t, place, false, i)->cell;
        dead &= !was_tried(cell) || cell->state == CELL_UNREACHABLE;
    }
    return dead;
}

/* What failed is explained, what was measured stays. */
static bool clear_failure(struct entry *entry)
{
    if (!entry || !is_failed(entry->cell))
        return false;
    *entry = (struct entry){ .from = entry->from, .to = entry->to };
    return true;
}

static void clear_failures(struct table *t, size_t place)
{
    for (int way = 0; way < 2; way++)
        for (size_t i = 0; i < line_size(t, place, way); i++)
            clear_failure(line_at(t, place, way, i));
}

/* Who was called in vain in the first rounds, and found its partners past them. */
static void judge_late(struct table *t, size_t place)
{
    size_t first = t->heard[t->members[place]].first, before = first ? first - 1 : 0, bad = 0;
    for (size_t round = 0; round < before; round++) {
        int partner = peers_partner(t->peers, t->members[place], round);
        bad += partner != PEERS_NOBODY && clear_failure(entry_at(t, t->peers->items[partner].place, place));
    }
    const struct mesh_odd late = { .found = (double)before };
    if (bad)
        add_line(t, ODD_LATE, &late, place, (struct tally){ before, bad, NULL });
}

/* The roster: who left no results, reached by nobody or all the same, and who stopped in the middle. */
static void judge_roster(struct table *t)
{
    bool finished = false;
    for (size_t i = 0; i < t->n; i++)
        finished |= t->heard[t->members[i]].finished;
    for (size_t i = 0; t->any && i < t->n; i++) {
        const struct mesh_heard *heard = &t->heard[t->members[i]];
        struct mesh_odd left = { .failed = true, .found = (double)heard->last, .expected = (double)t->rounds };
        struct tally tally = tally_line(t, i, false);
        bool dead = !heard->told && is_dead(t, i);
        if (heard->told)
            judge_late(t, i);
        if (heard->told && (heard->finished || !finished))
            continue;
        add_line(t, dead ? ODD_DEAD : heard->told ? ODD_LEFT : ODD_UNHEARD, &left, i, tally);
        if (dead) {
            clear_line(t, i, true);
            clear_line(t, i, false);
        }
        clear_failures(t, i);
    }
}

/* The one with most failures first: others aren't blamed for what it explains. tallies: of each place, as a
 * receiver and as a sender, which others' findings only make smaller. */
static bool judge_worst_line(struct table *t, struct tally (*tallies)[2])
{
    size_t worst = 0, most = 0;
    bool sends = false;
    for (size_t i = 0; i < t->n; i++)
        for (int way = 0; way < 2; way++) {
            if (tallies[i][way].bad > most)
                tallies[i][way] = tally_line(t, i, way == 1);
            if (mostly(&tallies[i][way]) && tallies[i][way].bad > most) {
                worst = i;
                most = tallies[i][way].bad;
                sends = way == 1;
            }
        }
    if (!most)
        return false;
    struct tally out = tally_line(t, worst, true), in = tally_line(t, worst, false),
                 all = { out.tried + in.tried, out.bad + in.bad, out.cell ? out.cell : in.cell };
    bool both = mostly(&out) && mostly(&in);
    if (both)
        add_line(t, ODD_PEER, &failing, worst, all);
    else
        add_line(t, sends ? ODD_SENDER : ODD_RECEIVER, &failing, worst, sends ? out : in);
    if (both || sends)
        clear_line(t, worst, true);
    if (both || !sends)
        clear_line(t, worst, false);
    return true;
}

static void judge_pairs(struct table *t, const struct mesh_odd *template, const struct polish *polish);

static void judge_failures(struct table *t)
{
    struct tally(*tallies)[2] = mem_alloc(t->n + 1, sizeof(*tallies));
    judge_roster(t);
    for (size_t i = 0; i < t->grid.count; i++)
        t->entries[i].bad = is_failed(t->entries[i].cell);
    judge_groups(t, &failing);
    for (size_t i = 0; i < t->n; i++)
        for (int way = 0; way < 2; way++)
            tallies[i][way] = tally_line(t, i, way == 1);
    while (judge_worst_line(t, tallies))
        ;
    judge_pairs(t, &failing, NULL);
    free(tallies);
}

/* -- what is slow -------------------------------------------------------------------------------------- */

/* If both ends' rates are known: as a share of the slower one, so that hosts with faster ports don't set the
 * standard for the others. */
static double log_of(const struct table *t, const struct mesh_cell *cell, enum mesh_measure measure,
                     bool shares)
{
    double value = mesh_value(cell, measure);
    if (!(value > 0) || !isfinite(value))
        return NAN;
    if (measure == MESH_LATENCY)
        return -log(value);
    return log(shares ? value / fmin(t->rates[cell->from], t->rates[cell->to]) : value);
}

struct slow {
    struct table *table;
    enum mesh_measure measure;
    struct polish fit;
    double line, cell; /* thresholds: effects and residuals below -line and -cell are odd */
};

static double limit(double sigma, double least, double few, size_t n)
{
    double floor = n < FEW ? few : least;
    return SIGMAS * sigma > floor ? SIGMAS * sigma : floor;
}

/* Its median, and what it would be without the effect. */
static void say_values(struct slow *s, struct mesh_odd *odd, size_t place, bool sends, double effect)
{
    struct table *t = s->table;
    double *values = mem_alloc(line_size(t, place, sends) + 1, sizeof(*values));
    size_t count = 0;
    for (size_t i = 0; i < line_size(t, place, sends); i++) {
        double value = mesh_value(line_at(t, place, sends, i)->cell, s->measure);
        if (value > 0)
            values[count++] = value;
    }
    odd->tried = odd->cells = count;
    odd->found = polish_quantile(values, count, 0.5);
    odd->expected = odd->found * exp(s->measure == MESH_BANDWIDTH ? -effect : effect);
    free(values);
}

static void add_slow_line(struct slow *s, enum odd_kind kind, size_t place, double effect)
{
    const struct mesh_odd slow = { .measure = s->measure };
    struct mesh_odd *odd = add_line(s->table, kind, &slow, place, (struct tally){ 0 });
    say_values(s, odd, place, kind != ODD_RECEIVER, effect);
}

static void judge_lines(struct slow *s)
{
    const struct polish *fit = &s->fit;
    size_t n = s->table->n;
    double spread_rows = polish_spread(fit->rows, n), spread_columns = polish_spread(fit->columns, n),
           mean = fit->sigma * 1.25 / sqrt((double)fit->grid->count / (double)n + 1);
    double row = limit(fmax(spread_rows, mean), line_floor[s->measure], few_floor[s->measure], n),
           column = limit(fmax(spread_columns, mean), line_floor[s->measure], few_floor[s->measure], n);
    for (size_t i = 0; i < n; i++) {
        bool sends = fit->rows[i] < -row, receives = fit->columns[i] < -column; /* false for NAN */
        if (sends && receives)
            add_slow_line(s, ODD_PEER, i, fit->rows[i]);
        else if (sends || receives)
            add_slow_line(s, sends ? ODD_SENDER : ODD_RECEIVER, i, sends ? fit->rows[i] : fit->columns[i]);
    }
}

static void add_pair(struct table *t, const struct mesh_odd *template, const struct polish *fit, size_t a,
                     size_t b, bool both)
{
    size_t cells = both ? 2 : 1;
    struct mesh_odd *odd = add_odd(t, ODD_PAIR, template, (ptrdiff_t)a, (ptrdiff_t)b,
                                   (struct tally){ cells, cells, entry_at(t, a, b)->cell });
    odd->both = both;
    add_counted(odd, entry_at(t, a, b));
    if (both)
        add_counted(odd, entry_at(t, b, a));
    if (!fit || !odd->cell)
        return;
    double residual = fit->residuals[entry_at(t, a, b) - t->entries];
    odd->found = mesh_value(odd->cell, odd->measure);
    odd->expected = odd->found * exp(odd->measure == MESH_BANDWIDTH ? -residual : residual);
}

static void judge_pairs(struct table *t, const struct mesh_odd *template, const struct polish *fit)
{
    for (size_t i = 0; i < t->grid.count; i++) {
        const struct entry *entry = &t->entries[i];
        bool back = entry->bad && is_bad(entry_at(t, entry->to, entry->from));
        if (entry->bad && !(back && entry->from > entry->to))
            add_pair(t, template, fit, entry->from, entry->to, back);
    }
}

/* If a group is large, its cells with others may look usual, and those inside stand out upwards: then takes
 * each row's upper cells as usual. Counts only if that reveals groups. */
static bool judge_crowd(struct slow *s, const double *values, const struct mesh_odd *template)
{
    struct table *t = s->table;
    size_t above = 0, known = 0;
    for (size_t i = 0; i < t->grid.count; i++) {
        known += isnan(s->fit.residuals[i]) ? 0 : 1;
        above += s->fit.residuals[i] > s->cell;
    }
    if ((double)above < CROWD * (double)known || t->n < FEW)
        return false;
    struct polish upper;
    polish_fit(values, &t->grid, UPPER, &upper);
    for (size_t i = 0; i < t->grid.count; i++)
        t->entries[i].bad = upper.residuals[i] < -s->cell;
    size_t found = judge_groups(t, template);
    if (found)
        judge_pairs(t, template, &upper);
    polish_free(&upper);
    return found > 0;
}

static double median_of(const struct slow *s)
{
    return exp(s->measure == MESH_BANDWIDTH ? s->fit.overall : -s->fit.overall);
}

static void judge_slow(struct table *t, enum mesh_measure measure)
{
    struct slow s = { .table = t, .measure = measure };
    double *values = mem_alloc(t->grid.count + 1, sizeof(*values));
    bool shares = measure == MESH_BANDWIDTH;
    size_t known = 0;
    for (size_t i = 0; i < t->n; i++)
        shares &= t->rates[t->members[i]] > 0;
    for (size_t i = 0; i < t->grid.count; i++) {
        values[i] = log_of(t, t->entries[i].cell, measure, shares);
        known += isnan(values[i]) ? 0 : 1;
    }
    if (t->n >= LEAST && known >= 2 * t->n) {
        struct mesh_odd template = { .measure = measure };
        polish_fit(values, &t->grid, 0.5, &s.fit);
        s.cell = limit(s.fit.sigma, cell_floor[measure], few_floor[measure], t->n);
        t->out->judged[measure] += known;
        if (!judge_crowd(&s, values, &template)) {
            template.expected = shares ? 0 : median_of(&s);
            for (size_t i = 0; i < t->grid.count; i++)
                t->entries[i].bad = s.fit.residuals[i] < -s.cell;
            judge_lines(&s);
            judge_groups(t, &template);
            judge_pairs(t, &template, &s.fit);
        }
        polish_free(&s.fit);
    }
    free(values);
}

static void judge_paths(struct table *t)
{
    for (size_t i = 0; i < t->grid.count; i++) {
        const struct entry *entry = &t->entries[i];
        if (entry->cell && entry->cell->bad_paths)
            add_counted(add_odd(t, ODD_PATHS, &failing, entry->from, entry->to,
                                (struct tally){ entry->cell->paths, entry->cell->bad_paths, entry->cell }),
                        entry);
    }
}

/* -- tables -------------------------------------------------------------------------------------------- */

static void judge_table(struct table *t)
{
    struct entry *all = mem_alloc(t->grid.count + 1, sizeof(*all));
    memcpy(all, t->entries, t->grid.count * sizeof(*all));
    judge_failures(t);
    memcpy(t->entries, all, t->grid.count * sizeof(*all));
    free(all);
    for (int measure = 0; measure < MESH_MEASURES; measure++)
        judge_slow(t, (enum mesh_measure)measure);
    judge_paths(t);
}

/* The entries are in order. */
static void make_grid(struct table *t)
{
    struct grid *grid = &t->grid;
    grid->n = t->n;
    grid->rows = mem_alloc(t->n + 2, sizeof(*grid->rows));
    grid->columns = mem_alloc(t->n + 2, sizeof(*grid->columns));
    grid->across = mem_alloc(grid->count + 1, sizeof(*grid->across));
    for (size_t i = 0; i < grid->count; i++) {
        grid->rows[t->entries[i].from + 1]++;
        grid->columns[t->entries[i].to + 2]++;
    }
    for (size_t i = 0; i < t->n; i++) {
        grid->rows[i + 1] += grid->rows[i];
        grid->columns[i + 2] += grid->columns[i + 1];
    }
    for (size_t i = 0; i < grid->count; i++) /* moves each column's begin to where it belongs */
        grid->across[grid->columns[t->entries[i].to + 1]++] = (uint32_t)i;
}

static void judge_members(struct table *t, const struct mesh_cell **cells, size_t count)
{
    const struct mesh_peer *peers = t->peers->items;
    t->entries = mem_alloc(count + 1, sizeof(*t->entries));
    t->grid.count = count;
    for (size_t i = 0; i < count; i++)
        t->entries[i] = (struct entry){ .from = peers[cells[i]->from].place,
                                        .to = peers[cells[i]->to].place,
                                        .cell = cells[i] };
    make_grid(t);
    judge_table(t);
    free(t->grid.rows);
    free(t->grid.columns);
    free(t->grid.across);
    free(t->entries);
}

static int compare_odd(const void *one, const void *other)
{
    const struct mesh_odd *a = one, *b = other;
    if (a->failed != b->failed)
        return a->failed ? -1 : 1;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    uint32_t first = a->nfrom ? a->from[0] : a->to[0], second = b->nfrom ? b->from[0] : b->to[0];
    int r = number_order(first, second);
    r = r ? r : number_order(a->nto ? a->to[0] : 0, b->nto ? b->to[0] : 0);
    return r ? r : number_order(a->measure, b->measure);
}

/* How many directions in the rounds played were never reported. Of a list with more than anybody plays only the
 * first rounds are counted. */
static size_t count_missing(const struct peers *peers, size_t known, size_t rounds)
{
    enum { COUNTED_MOST = 1 << 27 };
    size_t expected = 0, most = COUNTED_MOST / (peers->count + 1);
    for (size_t i = 0; i < peers->count; i++)
        for (size_t round = 0; round < rounds && round < most; round++)
            expected += peers_partner(peers, i, round) != PEERS_NOBODY;
    return expected > known ? expected - known : 0;
}

struct mesh_split mesh_split(const struct peers *peers, const struct mesh_cell *cells, size_t count,
                             struct arena *arena)
{
    struct mesh_split split = { .cells = arena_alloc(arena, count + 1, sizeof(*split.cells)),
                                .starts = arena_alloc(arena, peers->count + 2, sizeof(*split.starts)) };
    for (size_t i = 0; i < count; i++)
        split.starts[peers->items[cells[i].from].first + 2]++;
    for (size_t i = 2; i < peers->count + 2; i++)
        split.starts[i] += split.starts[i - 1];
    for (size_t i = 0; i < count; i++) /* moves each begin to where it belongs */
        split.cells[split.starts[peers->items[cells[i].from].first + 1]++] = &cells[i];
    return split;
}

struct mesh_verdicts mesh_judge(const struct peers *peers, const struct mesh_cell *cells, size_t count,
                                const double *rates, const struct mesh_heard *heard, size_t rounds,
                                struct arena *arena)
{
    struct mesh_verdicts out = { 0 };
    struct mesh_split split = mesh_split(peers, cells, count, arena);
    bool any = false;
    for (size_t p = 0; p < peers->count; p++)
        any |= heard[p].told;
    for (size_t p = 0; p < peers->count; p++) {
        const struct mesh_peer *peer = &peers->items[p];
        const size_t *start = &split.starts[peer->first];
        struct table t = { .out = &out,
                           .arena = arena,
                           .peers = peers,
                           .rates = rates,
                           .heard = heard,
                           .n = peer->together,
                           .members = peers->members + peer->first,
                           .rounds = rounds,
                           .any = any };
        if (peer->place == 0)
            judge_members(&t, split.cells + start[0], start[1] - start[0]);
    }
    for (size_t i = 0; i < count; i++)
        out.counts[cells[i].state]++;
    out.missing = count_missing(peers, count - out.counts[CELL_NONE], rounds);
    mesh_judge_versions(peers, heard, arena, &out);
    if (out.nodd)
        qsort(out.odd, out.nodd, sizeof(*out.odd), compare_odd);
    return out;
}

bool mesh_odd_is_of_pairs(const struct mesh_odd *odd)
{
    return odd->kind == ODD_PAIR || odd->kind == ODD_GROUPS || odd->kind == ODD_PATHS;
}
