/* SPDX-License-Identifier: MIT */
/* Which mutant is awake ($MUTANT), and which places were reached: $MUTANTS_REACHED names the file for their
 * numbers, in the unit tests a directory, with a file for each test. */
#include "mutant.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum { MOST = 1 << 16 };
static unsigned awake = MOST;
static char reached[MOST];
static char name_of_test[256];

/* Criterion's, in the unit tests: what they are called. It is there as long as the test runs. */
struct criterion_test {
    const char *name, *category;
};
extern const struct criterion_test *const criterion_current_test __attribute__((weak));

bool mutant_is(unsigned number)
{
    if (!*name_of_test && &criterion_current_test && criterion_current_test)
        snprintf(name_of_test, sizeof(name_of_test), "/%s,%s", criterion_current_test->category,
                 criterion_current_test->name);
    reached[number % MOST] = 1;
    return number == awake;
}

__attribute__((constructor)) static void wake(void)
{
    const char *text = getenv("MUTANT");
    uint64_t number;
    if (text && text_to_u64(text, 10, &number) == 0)
        awake = (unsigned)number;
}

__attribute__((destructor)) static void note(void)
{
    const char *path = getenv("MUTANTS_REACHED");
    char name[1024];
    if (!path || !memchr(reached, 1, sizeof(reached)))
        return;
    snprintf(name, sizeof(name), "%s%s", path, name_of_test);
    FILE *file = fopen(name, "w");
    for (unsigned i = 0; file && i < MOST; i++)
        if (reached[i])
            fprintf(file, "%u\n", i);
    if (file)
        fclose(file);
}
