/* SPDX-License-Identifier: MIT */
/* Tukey's median polish of a square table: overall + row + column + residual. A row or a column that differs
 * as a whole shows in its effect, a single cell in its residual, and neither spoils the other. Pure. */
#pragma once

#include <stddef.h>

struct polish {
    size_t n;
    double overall;
    double *rows, *columns; /* n each; NAN: nothing is known of it */
    double *residuals;      /* n × n, by row; NAN: there was no value */
    double sigma;           /* of the residuals, from their median absolute deviation */
};

/* values: n × n by row, NAN: none. quantile: 0.5 is the median; higher ones take the upper cells of a row for
 * what is usual. Ended with polish_free(). */
void polish_fit(const double *values, size_t n, double quantile, struct polish *polish);
void polish_free(struct polish *polish);

/* Sorts values (none of them NAN). NAN: there are none. */
double polish_quantile(double *values, size_t count, double quantile);
/* 1.4826 × the median absolute deviation of those that aren't NAN; 0: fewer than two. */
double polish_spread(const double *values, size_t count);
