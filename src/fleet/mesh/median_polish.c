/* SPDX-License-Identifier: MIT */
/* Tukey's median polish of a table of which some cells are known. */
#include "fleet/mesh/mesh.h"

#include <math.h>

/* SWEEPS: at most; it converges after a few. CLOSE: smaller changes count as converged. NORMAL: makes the
 * median absolute deviation of a normal distribution its standard deviation. */
enum { SWEEPS = 20 };
static const double CLOSE = 1e-4, NORMAL = 1.4826;

double polish_quantile(double *values, size_t count, double quantile)
{
    enum { FEW = 32 }; /* for which a call for each comparison costs most */
    if (count == 0)
        return NAN;
    if (count > FEW)
        qsort(values, count, sizeof(*values), real_ascending);
    for (size_t i = 1; i < count && count <= FEW; i++) {
        double value = values[i];
        size_t k = i;
        for (; k > 0 && values[k - 1] > value; k--)
            values[k] = values[k - 1];
        values[k] = value;
    }
    double at = quantile * (double)(count - 1);
    size_t below = (size_t)at;
    if (below + 1 >= count)
        return values[count - 1];
    return values[below] + (at - (double)below) * (values[below + 1] - values[below]);
}

static size_t keep_known(const double *values, size_t count, double *kept)
{
    size_t n = 0;
    for (size_t i = 0; i < count; i++)
        if (!isnan(values[i]))
            kept[n++] = values[i];
    return n;
}

double polish_spread(const double *values, size_t count)
{
    double *kept = mem_alloc(count ? count : 1, sizeof(*kept));
    size_t n = keep_known(values, count, kept);
    double spread = 0;
    if (n > 1) {
        double middle = polish_quantile(kept, n, 0.5);
        for (size_t i = 0; i < n; i++)
            kept[i] = fabs(kept[i] - middle);
        spread = NORMAL * polish_quantile(kept, n, 0.5);
    }
    free(kept);
    return spread;
}

/* Moves the quantile of each row, or column, into its effect. Returns the largest change. */
static double sweep(struct polish *p, double quantile, bool across, double *room)
{
    const struct grid *grid = p->grid;
    const size_t *lines = across ? grid->columns : grid->rows;
    double moved = 0, *effects = across ? p->columns : p->rows;
    for (size_t line = 0; line < grid->n; line++) {
        size_t count = 0;
        for (size_t i = lines[line]; i < lines[line + 1]; i++) {
            double residual = p->residuals[across ? grid->across[i] : i];
            if (!isnan(residual))
                room[count++] = residual;
        }
        double by = polish_quantile(room, count, quantile);
        if (isnan(by)) {
            effects[line] = NAN;
            continue;
        }
        effects[line] += by;
        moved = fabs(by) > moved ? fabs(by) : moved;
        for (size_t i = lines[line]; i < lines[line + 1]; i++)
            p->residuals[across ? grid->across[i] : i] -= by;
    }
    return moved;
}

/* Moves what all effects have in common into the overall value. */
static void centre(struct polish *p, double *effects, double *room)
{
    size_t n = p->grid->n;
    double by = polish_quantile(room, keep_known(effects, n, room), 0.5);
    if (isnan(by))
        return;
    p->overall += by;
    for (size_t i = 0; i < n; i++)
        effects[i] -= by;
}

void polish_fit(const double *values, const struct grid *grid, double quantile, struct polish *p)
{
    size_t n = grid->n, count = grid->count;
    double *room = mem_alloc((n > count ? n : count) + 1, sizeof(*room));
    *p = (struct polish){ .grid = grid,
                          .rows = mem_alloc(n + 1, sizeof(double)),
                          .columns = mem_alloc(n + 1, sizeof(double)),
                          .residuals = mem_alloc(count + 1, sizeof(double)) };
    memcpy(p->residuals, values, count * sizeof(*values));
    for (unsigned i = 0; i < SWEEPS; i++) {
        double moved = sweep(p, quantile, false, room);
        double across = sweep(p, quantile, true, room);
        if (moved < CLOSE && across < CLOSE)
            break;
    }
    centre(p, p->rows, room);
    centre(p, p->columns, room);
    /* each effect costs a degree of freedom: in a small table residuals are smaller than the real deviations */
    double known = (double)keep_known(p->residuals, count, room), own = known - 2 * (double)n + 1;
    free(room);
    p->sigma = polish_spread(p->residuals, count) *
               (own >= 1 ? sqrt(known / own) : sqrt(known > 0 ? known : 1));
}

void polish_free(struct polish *p)
{
    free(p->rows);
    free(p->columns);
    free(p->residuals);
    *p = (struct polish){ 0 };
}
