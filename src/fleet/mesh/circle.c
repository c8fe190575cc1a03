/* SPDX-License-Identifier: MIT */
#include "fleet/mesh/circle.h"

size_t circle_rounds(size_t count)
{
    return count < 2 ? 0 : count - 1 + count % 2;
}

/* The last of an even number stands still while the others' numbers add up to the round's; the one that would
 * meet itself meets the last. Of an odd number the last is nobody. */
int circle_partner(size_t count, size_t round, size_t i)
{
    size_t around = circle_rounds(count);
    if (around == 0 || round >= around || i >= count)
        return CIRCLE_NOBODY;
    size_t last = around, other;
    if (i == last)
        other = round * ((around + 1) / 2) % around;
    else
        other = (round + around - i % around) % around;
    if (i != last && other == i)
        other = last;
    return other < count ? (int)other : CIRCLE_NOBODY;
}
