/* SPDX-License-Identifier: MIT */
/* Tests between ports of one host, for people: a matrix for each measure, and what there is to say of pairs. */
#pragma once

#include "view/results.h"

/* Of the results that have a to_device; the others are left out. */
void port_matrix_print(const struct results_page *page);
