/* SPDX-License-Identifier: MIT */
/* Chooses the fuzzer by the name that the program is called by. */
#include "target.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct target *targets, *chosen;

void target_add(struct target *target)
{
    target->next = targets;
    targets = target;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    const char *slash = strrchr((*argv)[0], '/'), *name = slash ? slash + 1 : (*argv)[0];
    (void)argc;
    for (chosen = targets; chosen && strcmp(chosen->name, name) != 0;)
        chosen = chosen->next;
    if (!chosen) {
        fprintf(stderr, "no fuzzer '%s'\n", name);
        exit(2);
    }
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return chosen->run(data, size);
}
