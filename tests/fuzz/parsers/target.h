/* SPDX-License-Identifier: MIT */
/* The fuzzers of parsers are one program, as most of each is the library that it is linked with. The name
 * that it is called by says which one runs. */
#pragma once

struct target {
    const char *name;
    int (*run)(const uint8_t *data, size_t size);
    struct target *next;
};

/* Before main, each in a place of its own. */
void target_add(struct target *target);

/* A fuzzer's function, of any bytes at data: TARGET(name) { … return 0; } */
#define TARGET(target_name)                                                               \
    static int fuzz_##target_name(const uint8_t *data, size_t size);                      \
    __attribute__((constructor)) static void add_##target_name(void)                      \
    {                                                                                     \
        static struct target target = { .name = #target_name, fuzz_##target_name, NULL }; \
        target_add(&target);                                                              \
    }                                                                                     \
    static int fuzz_##target_name(const uint8_t *data, size_t size)
