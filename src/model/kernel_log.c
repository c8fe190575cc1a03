/* SPDX-License-Identifier: MIT */
/* Which line of the kernel's log tells of trouble, and with which device. */
#include "model/system.h"

const struct log_pattern *kernel_log_pattern(const char *line)
{
    /* Reading counters of a function that the firmware restricts gives such a line for each of them
     * (github.com/prometheus/node_exporter/issues/3434): who looks causes it. */
    if (strstr(line, "mlx5_cmd_out_err") && strstr(line, "ACCESS_REG"))
        return NULL;
    for (const struct log_pattern *pattern = log_patterns; pattern->words[0]; pattern++) {
        const char *first = strstr(line, pattern->words[0]);
        if (first && (!pattern->words[1] || strstr(first, pattern->words[1])))
            return pattern;
    }
    return NULL;
}

/* A name or address, and not a part of a longer one. */
static bool has_word(const char *line, const char *word)
{
    static const char inside[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    size_t len = word ? strlen(word) : 0;
    for (const char *at = line; len && (at = strstr(at, word)); at++) {
        bool begins = at == line || !strchr(inside, at[-1]);
        bool ends = !at[len] || !strchr(inside, at[len]);
        if (begins && ends)
            return true;
    }
    return false;
}

bool kernel_log_names(const char *line, const char *address)
{
    if (!address)
        return false;
    if (has_word(line, address))
        return true;
    /* Both IOMMUs leave away the first domain: "Request device [17:00.0]", "device=17:00.0". */
    bool short_form = strncmp(address, "0000:", 5) == 0 && (strstr(line, "DMAR:") || strstr(line, "AMD-Vi:"));
    const char *at = short_form ? strstr(line, address + 5) : NULL;
    return at && at > line && (at[-1] == '[' || at[-1] == '=') && has_word(line, address + 5);
}

bool kernel_log_says(const char *line, const char *name)
{
    return has_word(line, name);
}
