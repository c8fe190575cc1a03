/* SPDX-License-Identifier: MIT */
/* Cable plans: what there is as a list, a plan from a spreadsheet, and how the two differ. */
#include "fleet/cables.h"

#include "tables.h"

enum { FIELDS_MOST = 64, CABLES_MOST = 1 << 20 };

/* -- what there is ----------------------------------------------------------------------------------------- */

static const char *fact_text(const struct fleet *fleet, const struct fleet_subject *subject, const char *key)
{
    const char *text = fleet_text(fleet, subject->values[fleet_fact(FACT_PORT, key)]);
    return text && *text ? text : NULL;
}

static struct cable cable_of(const struct fleet *fleet, const struct fleet_host *host,
                             const struct fleet_subject *subject)
{
    return (struct cable){ .host = host->name,
                           .nic = subject->name,
                           .netdev = fact_text(fleet, subject, "netdev"),
                           .system = fact_text(fleet, subject, "switch"),
                           .port = fact_text(fleet, subject, "switch_port"),
                           .chassis = fact_text(fleet, subject, "switch_chassis") };
}

struct cable *cables_list(const struct fleet *fleet, const struct fleet_report *report, struct arena *arena,
                          size_t *count)
{
    const struct alignment *alignment = &report->alignment;
    struct cable *cables = arena_alloc(arena, report->nhosts * alignment->nslots + 1, sizeof(*cables));
    *count = 0;
    for (size_t h = 0; h < report->nhosts; h++)
        for (size_t s = 0; s < alignment->nslots; s++) {
            int member = alignment->slots[s].members[h];
            if (member == NO_SUBJECT)
                continue;
            struct cable *cable = &cables[(*count)++];
            *cable = cable_of(fleet, report->hosts[h], &report->hosts[h]->subjects[member]);
            cable->rail = alignment->slots[s].name;
        }
    return cables;
}

/* -- a plan ------------------------------------------------------------------------------------------------ */

enum field { FIELD_HOST, FIELD_NIC, FIELD_SWITCH, FIELD_PORT, FIELDS };

static const char *const headings[FIELDS] = { CABLE_HEADINGS };
static const char *const field_names[FIELDS] = { "host", "nic", "switch", "switch_port" };

/* The next field of a line, in arena; *at moves past it and the separator, *ended: it was the line's last. */
static const char *next_field(const char **at, char separator, bool *ended, struct arena *arena)
{
    struct bytes field = { 0 };
    const char *from = *at + strspn(*at, separator == '\t' ? " " : " \t");
    bool quoted = *from == '"';
    bytes_append(&field, "", 0);
    for (from += quoted; *from && (quoted || (*from != separator && *from != '\n')); from++) {
        if (quoted && *from == '"' && *++from != '"') {
            quoted = false;
            from--;
            continue;
        }
        bytes_append(&field, from, 1);
    }
    *ended = *from != separator;
    *at = *from ? from + 1 : from;
    const char *text = text_trim(arena_strndup(arena, field.data, field.len));
    bytes_free(&field);
    return text;
}

static size_t read_line(const char **at, char separator, struct arena *arena,
                        const char *fields[static FIELDS_MOST])
{
    size_t count = 0;
    for (bool ended = false; !ended;) {
        const char *field = next_field(at, separator, &ended, arena);
        if (count < FIELDS_MOST)
            fields[count++] = field;
    }
    return count;
}

/* "Switch Port" is "switchport". How far down the list it stands; SIZE_MAX: it isn't one. */
static size_t heading_rank(const char *list, const char *heading)
{
    char word[64];
    size_t len = 0, rank = 0;
    for (const char *c = heading; *c && len + 1 < sizeof(word); c++)
        if (isalnum((unsigned char)*c))
            word[len++] = (char)tolower((unsigned char)*c);
    word[len] = '\0';
    const char *at;
    for (size_t size; (at = text_next_item(&list, ',', &size)); rank++)
        if (size == len && memcmp(at, word, len) == 0)
            return rank;
    return SIZE_MAX;
}

/* Which column has which field. Returns 0, or -EINVAL. */
static int read_headings(const char *const *fields, size_t count, size_t columns[static FIELDS],
                         struct fleet_fault *fault)
{
    for (size_t f = 0; f < FIELDS; f++) {
        size_t best = SIZE_MAX;
        columns[f] = SIZE_MAX;
        for (size_t i = 0; i < count; i++) {
            size_t rank = heading_rank(headings[f], fields[i]);
            if (rank < best) {
                best = rank;
                columns[f] = i;
            }
        }
        if (columns[f] == SIZE_MAX) {
            fault->line = 1;
            snprintf(fault->what, sizeof(fault->what),
                     "a cable plan needs a column '%s': its first line names host, nic, switch and switch_port",
                     field_names[f]);
            return -EINVAL;
        }
    }
    return 0;
}

/* What separates the first line's fields. */
static char separator_of(const char *text)
{
    static const char separators[] = { ',', ';', '\t' };
    char best = ',';
    size_t most = 0, len = strcspn(text, "\n");
    for (size_t i = 0; i < ARRAY_SIZE(separators); i++) {
        size_t count = 0;
        for (size_t k = 0; k < len; k++)
            count += text[k] == separators[i];
        if (count > most) {
            most = count;
            best = separators[i];
        }
    }
    return best;
}

int cables_parse_plan(const char *text, struct arena *arena, struct cable **out, size_t *count,
                      struct fleet_fault *fault)
{
    const char *fields[FIELDS_MOST];
    size_t columns[FIELDS], n = 0;
    struct cable *cables = NULL;
    const char *at = text_starts(text, "\xef\xbb\xbf") ? text + 3 : text;
    char separator = separator_of(at);
    int r = read_headings(fields, read_line(&at, separator, arena, fields), columns, fault);
    for (unsigned line = 2; r == 0 && *at && n < CABLES_MOST; line++) {
        size_t found = read_line(&at, separator, arena, fields);
        const char *values[FIELDS];
        for (size_t f = 0; f < FIELDS; f++)
            values[f] = columns[f] < found ? text_clean_copy(arena, fields[columns[f]], SIZE_MAX) : "";
        if (*values[FIELD_HOST] && *values[FIELD_NIC])
            *ARENA_PUSH_MANY(arena, cables, n) = (struct cable){ .host = values[FIELD_HOST],
                                                                 .nic = values[FIELD_NIC],
                                                                 .system = values[FIELD_SWITCH],
                                                                 .port = values[FIELD_PORT],
                                                                 .line = line };
    }
    if (r == 0) {
        *out = cables;
        *count = n;
    }
    return r;
}

/* -- the difference ---------------------------------------------------------------------------------------- */

/* People write names with and without their domain, and in any case. */
static bool is_called(const char *name, const char *wanted)
{
    size_t len = name ? strcspn(name, ".") : 0, size = strcspn(wanted, ".");
    return name && (strcasecmp(name, wanted) == 0 ||
                    (len == size && (!name[len] || !wanted[size]) && strncasecmp(name, wanted, len) == 0));
}

/* A port by device and number, device alone, or netdev. */
static bool is_nic(const struct fleet *fleet, const struct fleet_subject *subject, const char *wanted)
{
    size_t device = strcspn(subject->name, "/");
    const char *netdev = fact_text(fleet, subject, "netdev");
    return strcasecmp(subject->name, wanted) == 0 ||
           (strlen(wanted) == device && strncasecmp(subject->name, wanted, device) == 0) ||
           (netdev && strcasecmp(netdev, wanted) == 0);
}

static void tell(struct findings *findings, const char *key, size_t host, const char *subject, const char *is,
                 const char *should)
{
    struct fleet_group *groups = arena_alloc(findings->arena, 2, sizeof(*groups));
    uint32_t *members = arena_alloc(findings->arena, 1, sizeof(*members));
    *members = (uint32_t)host;
    groups[0] = (struct fleet_group){ .value = should, .hosts = "the plan" };
    groups[1] = (struct fleet_group){ .value = is, .members = members, .count = 1, .odd = true };
    findings_add(findings, fleet_rule(FACT_PORT, key), key, subject, groups, 2, 0);
}

static void judge_cable(struct findings *findings, const struct cable *plan, size_t host)
{
    const struct fleet_host *fleet_host = findings->report->hosts[host];
    const struct fleet_subject *subject = NULL;
    for (size_t i = 0; i < fleet_host->nsubjects && !subject; i++)
        if (is_nic(findings->fleet, &fleet_host->subjects[i], plan->nic))
            subject = &fleet_host->subjects[i];
    const char *should = arena_printf(findings->arena, "%s %s", plan->system, plan->port);
    if (!subject) {
        tell(findings, "cables", host, plan->nic, "no such port", should);
        return;
    }
    const struct cable is = cable_of(findings->fleet, fleet_host, subject);
    findings->report->keys++;
    if (!is.system || !is.port) {
        findings->report->unknown++;
        return;
    }
    bool same = (is_called(is.system, plan->system) || is_called(is.chassis, plan->system)) &&
                (!*plan->port || strcasecmp(is.port, plan->port) == 0);
    if (!same && *plan->system)
        tell(findings, "cables", host, subject->name,
             arena_printf(findings->arena, "%s %s", is.system, is.port), should);
}

static int compare_hosts(const void *one, const void *other)
{
    return strcasecmp((*(const struct cable *const *)one)->host, (*(const struct cable *const *)other)->host);
}

/* The rows of one host in the plan, which is sorted by host. */
static const struct cable *const *find_rows(const struct cable *const *sorted, size_t nplan, const char *host,
                                            size_t *count)
{
    size_t low = 0, high = nplan, len = strcspn(host, ".");
    while (low < high) { /* its short name precedes all of its names */
        size_t middle = low + (high - low) / 2;
        if (strncasecmp(sorted[middle]->host, host, len) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    while (low < nplan && strncasecmp(sorted[low]->host, host, len) == 0 && !is_called(sorted[low]->host, host))
        low++;
    for (*count = 0; low + *count < nplan && is_called(sorted[low + *count]->host, host);)
        ++*count;
    return sorted + low;
}

struct fleet_report cables_against(struct fleet *fleet, const struct cable *plan, size_t nplan,
                                   const struct fleet_host *const *hosts, size_t count,
                                   const struct fleet_wish *wish, struct arena *arena)
{
    struct fleet_report report = { .hosts = hosts, .nhosts = count };
    struct findings findings = { .fleet = fleet, .arena = arena, .report = &report, .wish = wish };
    const struct cable **sorted = mem_alloc(nplan + 1, sizeof(*sorted));
    for (size_t i = 0; i < nplan; i++)
        sorted[i] = &plan[i];
    qsort(sorted, nplan, sizeof(*sorted), compare_hosts);
    for (size_t h = 0; h < count; h++) {
        size_t n;
        const struct cable *const *rows = find_rows(sorted, nplan, hosts[h]->name, &n);
        for (size_t i = 0; i < n; i++)
            judge_cable(&findings, rows[i], h);
        if (!n)
            tell(&findings, "cable_order", h, "host", "here", "doesn't have it");
    }
    free(sorted);
    findings_finish(&findings);
    return report;
}
