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

/* One table: the peers of a rail, or all of them. */
struct table {
    struct mesh_verdicts *out;
    struct arena *arena;
    const double *rates;
    size_t n;
    uint32_t *members;              /* peers by place */
    const struct mesh_cell **cells; /* n × n; NULL for none */
    bool *bad;                      /* n × n; not yet explained */
    struct mesh_heard *heard;       /* by place */
    size_t rounds;                  /* that were to be played */
};

static const struct mesh_cell *cell_at(const struct table *t, size_t from, size_t to)
{
    return t->cells[from * t->n + to];
}

static bool *bad_at(struct table *t, size_t from, size_t to)
{
    return &t->bad[from * t->n + to];
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

static void count_cell(struct table *t, struct tally *tally, size_t from, size_t to)
{
    const struct mesh_cell *cell = cell_at(t, from, to);
    tally->tried += was_tried(cell);
    if (!*bad_at(t, from, to))
        return;
    tally->bad++;
    if (cell && (!tally->cell || (cell->what && !tally->cell->what)))
        tally->cell = cell;
}

static struct tally tally_line(struct table *t, size_t place, bool sends)
{
    struct tally tally = { 0 };
    for (size_t other = 0; other < t->n; other++)
        count_cell(t, &tally, sends ? place : other, sends ? other : place);
    return tally;
}

static const uint32_t *one_peer(struct table *t, size_t place)
{
    uint32_t *list = arena_alloc(t->arena, 1, sizeof(*list));
    *list = t->members[place];
    return list;
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
    ptrdiff_t peer = (ptrdiff_t)place;
    return add_odd(t, kind, template, kind == ODD_RECEIVER ? NOBODY : peer, kind == ODD_SENDER ? NOBODY : peer,
                   tally);
}

/* It is explained, so other findings are made from the rest. */
static void clear_line(struct table *t, size_t place, bool sends)
{
    for (size_t other = 0; other < t->n; other++) {
        size_t from = sends ? place : other, to = sends ? other : place;
        *bad_at(t, from, to) = false;
        t->cells[from * t->n + to] = NULL;
    }
}

static bool mostly(const struct tally *tally)
{
    return tally->tried >= TRIES_LEAST && (double)tally->bad >= MOST_OF * (double)tally->tried;
}

/* -- groups -------------------------------------------------------------------------------------------- */

static bool bad_between(struct table *t, size_t a, size_t b)
{
    return *bad_at(t, a, b) || *bad_at(t, b, a);
}

static bool same_partners(struct table *t, size_t a, size_t b)
{
    for (size_t other = 0; other < t->n; other++)
        if (other != a && other != b && bad_between(t, a, other) != bad_between(t, b, other))
            return false;
    return !bad_between(t, a, b);
}

/* Finds the peers with the same bad partners as a, and those partners, if each of these is bad with all of
 * them: then two groups have trouble with each other. Returns false if not. */
static bool find_groups(struct table *t, size_t a, bool *near, bool *far)
{
    size_t nnear = 0, nfar = 0;
    for (size_t i = 0; i < t->n; i++) {
        near[i] = i == a || same_partners(t, a, i);
        far[i] = i != a && bad_between(t, a, i);
        nnear += near[i];
        nfar += far[i];
    }
    if (nnear < 2 || nfar < 2)
        return false;
    for (size_t f = 0; f < t->n; f++)
        for (size_t i = 0; far[f] && i < t->n; i++)
            if (i != f && bad_between(t, f, i) != near[i])
                return false;
    return true;
}

static const uint32_t *list_of(struct table *t, const bool *set, size_t *count)
{
    uint32_t *list = arena_alloc(t->arena, t->n, sizeof(*list));
    *count = 0;
    for (size_t i = 0; i < t->n; i++)
        if (set[i])
            list[(*count)++] = t->members[i];
    return list;
}

static void add_groups(struct table *t, const bool *near, const bool *far, const struct mesh_odd *template)
{
    struct tally tally = { 0 };
    for (size_t a = 0; a < t->n; a++)
        for (size_t b = 0; near[a] && b < t->n; b++) {
            if (!far[b])
                continue;
            count_cell(t, &tally, a, b);
            count_cell(t, &tally, b, a);
            *bad_at(t, a, b) = *bad_at(t, b, a) = false;
        }
    struct mesh_odd *odd = add_odd(t, ODD_GROUPS, template, NOBODY, NOBODY, tally);
    odd->both = true;
    odd->from = list_of(t, near, &odd->nfrom);
    odd->to = list_of(t, far, &odd->nto);
}

/* Returns how many there are. */
static size_t judge_groups(struct table *t, const struct mesh_odd *template)
{
    bool *near = mem_alloc(t->n, sizeof(*near)), *far = mem_alloc(t->n, sizeof(*far));
    size_t found = 0;
    for (size_t a = 0; a < t->n; a++)
        if (find_groups(t, a, near, far)) {
            add_groups(t, near, far, template);
            found++;
        }
    free(near);
    free(far);
    return found;
}

/* -- failures ------------------------------------------------------------------------------------------ */

static const struct mesh_odd failing = { .failed = true };

/* Called, and by nobody reached. */
static bool is_dead(struct table *t, size_t i)
{
    bool dead = tally_line(t, i, false).tried > 0;
    for (size_t from = 0; from < t->n; from++)
        dead &= !was_tried(cell_at(t, from, i)) || cell_at(t, from, i)->state == CELL_UNREACHABLE;
    return dead;
}

/* What failed with it is explained, what was measured before stays. */
static void clear_failures(struct table *t, size_t place)
{
    for (size_t other = 0; other < t->n; other++)
        for (int way = 0; way < 2; way++) {
            size_t from = way ? place : other, to = way ? other : place;
            const struct mesh_cell *cell = t->cells[from * t->n + to];
            if (!cell || (cell->state != CELL_FAILED && cell->state != CELL_UNREACHABLE))
                continue;
            *bad_at(t, from, to) = false;
            t->cells[from * t->n + to] = NULL;
        }
}

/* The roster: who left no results, reached by nobody or all the same, and who stopped in the middle. */
static void judge_roster(struct table *t)
{
    bool any = false, finished = false;
    for (size_t i = 0; i < t->n; i++) {
        any |= t->heard[i].told;
        finished |= t->heard[i].finished;
    }
    for (size_t i = 0; any && i < t->n; i++) {
        const struct mesh_heard *heard = &t->heard[i];
        struct mesh_odd left = { .failed = true, .found = (double)heard->last, .expected = (double)t->rounds };
        struct tally tally = tally_line(t, i, false);
        bool dead = !heard->told && is_dead(t, i);
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

/* The one with most failures first: others aren't blamed for what it explains. */
static bool judge_worst_line(struct table *t)
{
    size_t worst = 0, most = 0;
    bool sends = false;
    for (size_t i = 0; i < t->n; i++)
        for (int way = 0; way < 2; way++) {
            struct tally tally = tally_line(t, i, way == 1);
            if (mostly(&tally) && tally.bad > most) {
                worst = i;
                most = tally.bad;
                sends = way == 1;
            }
        }
    if (!most)
        return false;
    struct tally out = tally_line(t, worst, true), in = tally_line(t, worst, false),
                 all = { out.tried + in.tried, out.bad + in.bad, out.cell ? out.cell : in.cell };
    bool both = mostly(&out) && mostly(&in);
    add_line(t,
             both    ? ODD_PEER
             : sends ? ODD_SENDER
                     : ODD_RECEIVER,
             &failing, worst,
             both    ? all
             : sends ? out
                     : in);
    if (both || sends)
        clear_line(t, worst, true);
    if (both || !sends)
        clear_line(t, worst, false);
    return true;
}

static void judge_pairs(struct table *t, const struct mesh_odd *template, const struct polish *polish);

static void judge_failures(struct table *t)
{
    judge_roster(t);
    for (size_t i = 0; i < t->n * t->n; i++)
        t->bad[i] = is_failed(t->cells[i]);
    judge_groups(t, &failing);
    while (judge_worst_line(t))
        ;
    judge_pairs(t, &failing, NULL);
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
    double *values = mem_alloc(t->n, sizeof(*values));
    size_t count = 0;
    for (size_t other = 0; other < t->n; other++) {
        double value = mesh_value(sends ? cell_at(t, place, other) : cell_at(t, other, place), s->measure);
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
           mean = fit->sigma * 1.25 / sqrt((double)n);
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
                                   (struct tally){ cells, cells, cell_at(t, a, b) });
    odd->both = both;
    if (!fit || !odd->cell)
        return;
    double residual = fit->residuals[a * t->n + b];
    odd->found = mesh_value(odd->cell, odd->measure);
    odd->expected = odd->found * exp(odd->measure == MESH_BANDWIDTH ? -residual : residual);
}

static void judge_pairs(struct table *t, const struct mesh_odd *template, const struct polish *fit)
{
    for (size_t a = 0; a < t->n; a++)
        for (size_t b = a + 1; b < t->n; b++) {
            bool there = *bad_at(t, a, b), back = *bad_at(t, b, a);
            if (there || back)
                add_pair(t, template, fit, there ? a : b, there ? b : a, there && back);
        }
}

/* If a group is large, its cells with others may look usual, and those inside stand out upwards: then takes
 * each row's upper cells as usual. Counts only if that reveals groups. */
static bool judge_crowd(struct slow *s, const double *values, const struct mesh_odd *template)
{
    struct table *t = s->table;
    size_t above = 0, known = 0;
    for (size_t i = 0; i < t->n * t->n; i++) {
        known += isnan(s->fit.residuals[i]) ? 0 : 1;
        above += s->fit.residuals[i] > s->cell;
    }
    if ((double)above < CROWD * (double)known || t->n < FEW)
        return false;
    struct polish upper;
    polish_fit(values, t->n, UPPER, &upper);
    for (size_t i = 0; i < t->n * t->n; i++)
        t->bad[i] = upper.residuals[i] < -s->cell;
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
    double *values = mem_alloc(t->n * t->n + 1, sizeof(*values));
    bool shares = measure == MESH_BANDWIDTH;
    size_t known = 0;
    for (size_t i = 0; i < t->n; i++)
        shares &= t->rates[t->members[i]] > 0;
    for (size_t i = 0; i < t->n * t->n; i++) {
        values[i] = log_of(t, t->cells[i], measure, shares);
        known += isnan(values[i]) ? 0 : 1;
    }
    if (t->n >= LEAST && known >= 2 * t->n) {
        struct mesh_odd template = { .measure = measure };
        polish_fit(values, t->n, 0.5, &s.fit);
        s.cell = limit(s.fit.sigma, cell_floor[measure], few_floor[measure], t->n);
        t->out->judged[measure] += known;
        if (!judge_crowd(&s, values, &template)) {
            template.expected = shares ? 0 : median_of(&s);
            for (size_t i = 0; i < t->n * t->n; i++)
                t->bad[i] = s.fit.residuals[i] < -s.cell;
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
    for (size_t i = 0; i < t->n * t->n; i++) {
        const struct mesh_cell *cell = t->cells[i];
        if (cell && cell->bad_paths)
            add_odd(t, ODD_PATHS, &failing, (ptrdiff_t)(i / t->n), (ptrdiff_t)(i % t->n),
                    (struct tally){ cell->paths, cell->bad_paths, cell });
    }
}

/* -- tables -------------------------------------------------------------------------------------------- */

static void judge_table(struct table *t)
{
    const struct mesh_cell **all = mem_alloc(t->n * t->n + 1, sizeof(*all));
    memcpy(all, t->cells, t->n * t->n * sizeof(*all));
    judge_failures(t);
    memcpy(t->cells, all, t->n * t->n * sizeof(*all));
    free(all);
    for (int measure = 0; measure < MESH_MEASURES; measure++)
        judge_slow(t, (enum mesh_measure)measure);
    judge_paths(t);
}

static void judge_members(struct table *t, const struct peers *peers, const struct mesh_cell *cells,
                          size_t count, const struct mesh_heard *heard, const uint32_t *place)
{
    t->cells = mem_alloc(t->n * t->n + 1, sizeof(*t->cells));
    t->bad = mem_alloc(t->n * t->n + 1, sizeof(*t->bad));
    t->heard = mem_alloc(t->n + 1, sizeof(*t->heard));
    uint32_t rail = peers->items[t->members[0]].rails;
    for (size_t i = 0; i < t->n; i++)
        t->heard[i] = heard[t->members[i]];
    for (size_t i = 0; i < count; i++)
        if (peers->all_rails ||
            (peers->items[cells[i].from].rails == rail && peers->items[cells[i].to].rails == rail))
            t->cells[place[cells[i].from] * t->n + place[cells[i].to]] = &cells[i];
    judge_table(t);
    free(t->cells);
    free(t->bad);
    free(t->heard);
}

static int compare_odd(const void *one, const void *other)
{
    const struct mesh_odd *a = one, *b = other;
    if (a->failed != b->failed)
        return a->failed ? -1 : 1;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    uint32_t first = a->nfrom ? a->from[0] : a->to[0], second = b->nfrom ? b->from[0] : b->to[0];
    if (first != second)
        return first < second ? -1 : 1;
    first = a->nto ? a->to[0] : 0;
    second = b->nto ? b->to[0] : 0;
    if (first != second)
        return first < second ? -1 : 1;
    return (int)a->measure - (int)b->measure;
}

/* How many directions in the rounds played were never reported. */
static size_t count_missing(const struct peers *peers, size_t known, size_t rounds)
{
    size_t expected = 0;
    for (size_t i = 0; i < peers->count; i++)
        for (size_t round = 0; round < rounds; round++)
            expected += peers_partner(peers, i, round) != PEERS_NOBODY;
    return expected > known ? expected - known : 0;
}

struct mesh_verdicts mesh_judge(const struct peers *peers, const struct mesh_cell *cells, size_t count,
                                const double *rates, const struct mesh_heard *heard, size_t rounds,
                                struct arena *arena)
{
    struct mesh_verdicts out = { 0 };
    uint32_t *members = mem_alloc(peers->count + 1, sizeof(*members)),
             *place = mem_alloc(peers->count + 1, sizeof(*place));
    size_t tables = peers->all_rails ? 1 : peers->nrails, told_of = 0;
    for (uint32_t rail = 0; rail < tables; rail++) {
        struct table t = { .out = &out, .arena = arena, .rates = rates, .members = members, .rounds = rounds };
        for (uint32_t p = 0; p < peers->count; p++)
            if (peers->all_rails || peers->items[p].rails == rail) {
                place[p] = (uint32_t)t.n;
                members[t.n++] = p;
            }
        if (t.n)
            judge_members(&t, peers, cells, count, heard, place);
    }
    for (size_t i = 0; i < count; i++) {
        out.measured += cells[i].state == CELL_GOOD;
        out.failed += cells[i].state == CELL_FAILED;
        out.unreachable += cells[i].state == CELL_UNREACHABLE;
        out.skipped += cells[i].state == CELL_SKIPPED;
        told_of += cells[i].state != CELL_NONE;
    }
    out.missing = count_missing(peers, told_of, rounds);
    free(members);
    free(place);
    if (out.nodd)
        qsort(out.odd, out.nodd, sizeof(*out.odd), compare_odd);
    return out;
}

static bool in_list(const uint32_t *list, size_t count, uint32_t peer)
{
    for (size_t i = 0; i < count; i++)
        if (list[i] == peer)
            return true;
    return false;
}

bool mesh_odd_is_about(const struct mesh_odd *odd, uint32_t peer)
{
    return in_list(odd->from, odd->nfrom, peer) || in_list(odd->to, odd->nto, peer);
}

bool mesh_odd_has(const struct mesh_odd *odd, uint32_t a, uint32_t b)
{
    if (odd->kind == ODD_PAIR || odd->kind == ODD_GROUPS || odd->kind == ODD_PATHS)
        return (in_list(odd->from, odd->nfrom, a) && in_list(odd->to, odd->nto, b)) ||
               (in_list(odd->from, odd->nfrom, b) && in_list(odd->to, odd->nto, a));
    return mesh_odd_is_about(odd, a) || mesh_odd_is_about(odd, b);
}
