/* SPDX-License-Identifier: MIT */
#include "base/random.h"

#include <errno.h>
#include <sys/random.h>

int random_bytes(void *bytes, size_t size)
{
    ssize_t n;
    do
        n = getrandom(bytes, size, 0);
    while (n < 0 && errno == EINTR);
    return n < 0 ? -errno : (size_t)n == size ? 0 : -EIO;
}
