/* SPDX-License-Identifier: MIT */
/* The archives of a newer Debian's rdma-core were compiled against glibc 2.38 and later, where these six names
 * are C23's number parsing. An older glibc has the functions under their plain names only; what C23 adds
 * (0b101) is never read by rdma-core. A newer glibc's own do as well, so these are weak. Linked into the
 * static binary only. */

#define WEAK __attribute__((weak))

WEAK long __isoc23_strtol(const char *text, char **end, int base);
WEAK long long __isoc23_strtoll(const char *text, char **end, int base);
WEAK unsigned long __isoc23_strtoul(const char *text, char **end, int base);
WEAK unsigned long long __isoc23_strtoull(const char *text, char **end, int base);
WEAK int __isoc23_sscanf(const char *text, const char *format, ...) __attribute__((format(scanf, 2, 3)));
WEAK int __isoc23_fscanf(FILE *text, const char *format, ...) __attribute__((format(scanf, 2, 3)));

#define NUMBER(type, scan)                                       \
    type __isoc23_##scan(const char *text, char **end, int base) \
    {                                                            \
        return scan(text, end, base);                            \
    }

NUMBER(long, strtol)
NUMBER(long long, strtoll)
NUMBER(unsigned long, strtoul)
NUMBER(unsigned long long, strtoull)

#define SCANF(name, from, scan)                    \
    int name(from, const char *format, ...)        \
    {                                              \
        va_list arguments;                         \
        va_start(arguments, format);               \
        int items = scan(text, format, arguments); \
        va_end(arguments);                         \
        return items;                              \
    }

SCANF(__isoc23_sscanf, const char *text, vsscanf)
SCANF(__isoc23_fscanf, FILE *text, vfscanf)

#ifdef __powerpc64__
/* Debian's archives for ppc64el use IEEE long double, and its names; they read no long doubles. */
WEAK int __isoc23_sscanfieee128(const char *text, const char *format, ...) __attribute__((format(scanf, 2, 3)));
WEAK int __isoc23_fscanfieee128(FILE *text, const char *format, ...) __attribute__((format(scanf, 2, 3)));
SCANF(__isoc23_sscanfieee128, const char *text, vsscanf)
SCANF(__isoc23_fscanfieee128, FILE *text, vfscanf)
#endif
