/* SPDX-License-Identifier: MIT */
/* Tukey's median polish of a square table. */
#include "fleet/mesh/mesh.h"

#include <math.h>

/* SWEEPS: at most; it converges after a few. CLOSE: smaller changes count as converged. NORMAL: makes the
 * median absolute deviation of a normal distribution its standard deviation. */
enum { SWEEPS = 20 };
static const double CLOSE = 1e-6, NORMAL = 1.4826;

static int compare_numbers(const void *one, const void *other)
{
    double a = *(const double *)one, b = *(const double *)other;
    return a < b ? -1 : a > b;
}

double polish_quantile(double *values, size_t count, double quantile)
{
    if (count == 0)
        return NAN;
    qsort(values, count, sizeof(*values), compare_numbers);
    double at = quantile * (double)(count - 1);
    size_t below = (size_t)at;
    if (below + 1 >= count)
        return values[count - 1];
    return values[below] + (at - (double)below) * (values[below + 1] - values[below]);
}

static size_t keep_known(const double *values, size_t count, size_t step, double *kept)
{
    size_t n = 0;
    for (size_t i = 0; i < count; i++)
        if (!isnan(values[i * step]))
            kept[n++] = values[i * step];
    return n;
}

double polish_spread(const double *values, size_t count)
{
    double *kept = mem_alloc(count ? count : 1, sizeof(*kept));
    size_t n = keep_known(values, count, 1, kept);
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

/* Moves each line's quantile into its effect. step: between a line's cells, stride: between lines. Returns the
 * largest change. */
static double sweep(struct polish *p, double quantile, double *effects, size_t step, size_t stride,
                    double *room)
{
    double moved = 0;
    for (size_t line = 0; line < p->n; line++) {
        double *cells = p->residuals + line * stride;
        double by = polish_quantile(room, keep_known(cells, p->n, step, room), quantile);
        if (isnan(by)) {
            effects[line] = NAN;
            continue;
        }
        effects[line] += by;
        moved = fabs(by) > moved ? fabs(by) : moved;
        for (size_t i = 0; i < p->n; i++)
            cells[i * step] -= by;
    }
    return moved;
}

/* Moves what all effects have in common into the overall value. */
static void centre(struct polish *p, double *effects, double *room)
{
    double by = polish_quantile(room, keep_known(effects, p->n, 1, room), 0.5);
    if (isnan(by))
        return;
    p->overall += by;
    for (size_t i = 0; i < p->n; i++)
        effects[i] -= by;
}

void polish_fit(const double *values, size_t n, double quantile, struct polish *p)
{
    double *room = mem_alloc(n ? n : 1, sizeof(*room));
    *p = (struct polish){ .n = n,
                          .rows = mem_alloc(n ? n : 1, sizeof(double)),
                          .columns = mem_alloc(n ? n : 1, sizeof(double)),
                          .residuals = mem_alloc(n ? n * n : 1, sizeof(double)) };
    if (n)
        memcpy(p->residuals, values, n * n * sizeof(*values));
    for (unsigned i = 0; i < SWEEPS; i++) {
        double moved = sweep(p, quantile, p->rows, 1, n, room);
        double across = sweep(p, quantile, p->columns, n, 1, room);
        if (moved < CLOSE && across < CLOSE)
            break;
    }
    centre(p, p->rows, room);
    centre(p, p->columns, room);
    free(room);
    /* each effect costs a degree of freedom: in a small table residuals are smaller than the real deviations */
    double known = 0;
    for (size_t i = 0; i < n * n; i++)
        known += !isnan(p->residuals[i]);
    double own = known - 2 * (double)n + 1;
    p->sigma = polish_spread(p->residuals, n * n) *
               (own >= 1 ? sqrt(known / own) : sqrt(known > 0 ? known : 1));
}

void polish_free(struct polish *p)
{
    free(p->rows);
    free(p->columns);
    free(p->residuals);
    *p = (struct polish){ 0 };
}
