/* SPDX-License-Identifier: MIT */
/* The flight recorder's lines: what happened when stays, whose machine it is goes. */
#include <jansson.h>

#include "model/frame.h"
#include "source/anonymise/anonymise.h"

void history_put_lines(const char *data, size_t len, struct bytes *out)
{
    (void)data, (void)len, (void)out;
}
