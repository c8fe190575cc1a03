/* SPDX-License-Identifier: MIT */
/* The report of a machine: every important listing, on one HTML page. */
#include "view/html.h"

#include "base/clock.h"
#include "base/version.h"
#include "tables.h"

EMBED(report_style, "src/view/report.css");

enum { FEW = 12 }; /* pieces of evidence for one cause that are shown at once */

static void add(struct bytes *out, const char *before, const char *text, const char *after)
{
    bytes_printf(out, "%s", before);
    html_text(out, text);
    bytes_printf(out, "%s", after);
}

/* -- the head ----------------------------------------------------------------------------------------- */

static bool is_same_model(const struct device *a, const struct device *b)
{
    return text_same(a->hca_type, b->hca_type) && text_same(a->driver, b->driver) &&
           text_same(a->fw_ver, b->fw_ver);
}

/* Devices of one type, driver and firmware, told with the first of them. */
static void add_model(struct bytes *out, const struct host *host, size_t at)
{
    const struct device *device = &host->devices[at];
    size_t count = 1;
    for (size_t i = 0; i < at; i++)
        if (is_same_model(&host->devices[i], device))
            return;
    for (size_t i = at + 1; i < host->ndevices; i++)
        count += is_same_model(&host->devices[i], device);
    bytes_printf(out, "<dt>%zu RDMA device%s</dt><dd>", count, count == 1 ? "" : "s");
    add(out, "", device->hca_type ? device->hca_type : "type not known", "");
    if (device->driver)
        add(out, ", driver ", device->driver, "");
    if (device->fw_ver)
        add(out, ", firmware ", device->fw_ver, "");
    bytes_printf(out, "</dd>\n");
}

static void add_system(struct bytes *out, const struct host *host)
{
    bytes_printf(out, "<dl>\n");
    add(out, "<dt>Kernel</dt><dd>", host->system.kernel ? host->system.kernel : "not known", "</dd>\n");
    add(out, "<dt>System</dt><dd>", host->system.os_name ? host->system.os_name : "not known", "</dd>\n");
    for (size_t i = 0; i < host->ndevices; i++)
        add_model(out, host, i);
    bytes_printf(out, "</dl>\n");
}

static void add_head(struct bytes *out, const struct report_page *page)
{
    const struct host *host = page->host;
    const char *name = host->hostname ? host->hostname : "this machine";
    char time[CLOCK_TEXT_SIZE];
    bytes_printf(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
                      "'unsafe-inline'; img-src data:\">\n"
                      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                      "<meta name=\"referrer\" content=\"no-referrer\">\n");
    add(out, "<title>RDMA on ", name, "</title>\n");
    bytes_printf(out, "<style>\n%s</style>\n</head>\n<body>\n", report_style);
    add(out, "<header>\n<h1>RDMA on ", name, "</h1>\n<p class=\"soft\">");
    if (page->from)
        add(out, "Read from the recording ", page->from, "");
    if (page->from && host->recorded_by)
        add(out, ", made by roce ", host->recorded_by, "");
    bytes_printf(out, "%s", page->from ? ". " : "");
    if (host->time_ms.known) {
        clock_utc_text(host->time_ms.value, time);
        bytes_printf(out, "Read at <time datetime=\"%s\">%s</time>. ", time, time);
    }
    add(out, "Written by roce ", roce_version, ".</p>\n");
    add_system(out, host);
}

static void add_chip(struct bytes *out, const char *class, size_t count, const char *one, const char *many)
{
    bytes_printf(out, "<li class=\"%s\"><b>%zu</b><span>%s</span></li>\n", count ? class : "", count,
                 count == 1 ? one : many);
}

static const struct section {
    const char *id, *title, *about;
    void (*add)(struct bytes *out, const struct report_page *page);
} sections[7];

static void add_history(struct bytes *out, const struct report_page *page)
{
    history_html(out, page->history);
}

static bool is_left_out(const struct section *section, const struct report_page *page)
{
    return section->add == add_history && !page->history;
}

static void add_chips(struct bytes *out, const struct report_page *page)
{
    const struct report *report = page->report;
    bytes_printf(out, "<ul class=\"chips\">\n");
    add_chip(out, "bad", report->told[VERDICT_FAIL], "✕ failure", "✕ failures");
    add_chip(out, "warn", report->told[VERDICT_WARN], "▲ warning", "▲ warnings");
    add_chip(out, "", report->told[VERDICT_INFO], "worth knowing", "worth knowing");
    add_chip(out, "good", report->counts[VERDICT_PASS], "✓ passed", "✓ passed");
    add_chip(out, "", report->counts[VERDICT_UNKNOWN], "could not look", "could not look");
    bytes_printf(out, "</ul>\n</header>\n<nav>");
    for (size_t i = 0; i < ARRAY_SIZE(sections); i++)
        if (!is_left_out(&sections[i], page))
            bytes_printf(out, "<a href=\"#%s\">%s</a>\n", sections[i].id, sections[i].title);
    bytes_printf(out, "</nav>\n<main>\n");
}

/* -- findings ------------------------------------------------------------------------------------------ */

static void add_found(struct bytes *out, const struct finding *finding)
{
    char subject[160];
    subject_format(&finding->subject, subject);
    add(out, "<li><code>", subject, "</code> ");
    add(out, "", finding->evidence, "</li>\n");
}

static void add_evidence(struct bytes *out, const struct root_cause *cause)
{
    bytes_printf(out, "<ul>\n");
    for (size_t i = 0; i < cause->count && i < FEW; i++)
        add_found(out, cause->findings[i]);
    bytes_printf(out, "</ul>\n");
    if (cause->count <= FEW)
        return;
    bytes_printf(out, "<details><summary>and %zu more</summary><ul>\n", cause->count - FEW);
    for (size_t i = FEW; i < cause->count; i++)
        add_found(out, cause->findings[i]);
    bytes_printf(out, "</ul></details>\n");
}

static void add_cause(struct bytes *out, const struct root_cause *cause)
{
    static const struct {
        const char *class, *badge;
    } looks[VERDICTS] = { [VERDICT_FAIL] = { "bad", "✕ FAIL" },
                          [VERDICT_WARN] = { "warn", "▲ WARN" },
                          [VERDICT_INFO] = { "info", "i INFO" } };
    const char *class = looks[cause->verdict].class;
    add(out, "<article class=\"", class, "\" data-check=\"");
    add(out, "", cause->check->id, "\" data-verdict=\"");
    add(out, "", verdict_name(cause->verdict), "\"><h3>");
    bytes_printf(out, "<span class=\"badge %s\">%s</span> ", class, looks[cause->verdict].badge);
    add(out, "<code>", cause->check->id, "</code></h3>\n");
    add(out, "<p><span class=\"soft\">Expected:</span> ", packed_line(cause->check->healthy), "</p>\n");
    add_evidence(out, cause);
    add(out, "<p class=\"soft\">", packed_line(cause->check->why), "</p>\n");
    for (size_t i = 0; i < cause->nfixes; i++) {
        add(out, "<pre>", cause->fixes[i].text, "</pre>\n");
        if (cause->fixes[i].same_for)
            add(out, "<p class=\"soft\">The same for ", cause->fixes[i].same_for, ".</p>\n");
    }
    for (size_t i = 0; i < cause->nalso; i++)
        add(out, i ? ", <code>" : "<p class=\"soft\">It explains also <code>", cause->also[i]->id, "</code>");
    bytes_printf(out, "%s</article>\n", cause->nalso ? ".</p>" : "");
}

/* What passed, or could not be checked: one line per check. */
static void add_quiet(struct bytes *out, const struct report *report, enum verdict verdict, const char *title)
{
    if (!report->counts[verdict])
        return;
    bytes_printf(out, "<details><summary>%zu %s</summary><dl>\n", report->counts[verdict], title);
    for (size_t i = 0; i < report->ngroups; i++) {
        const struct check_group *group = &report->groups[i];
        if (group->verdict != verdict)
            continue;
        add(out, "<dt><code>", group->check->id, "</code></dt><dd>");
        add(out, "", verdict == VERDICT_PASS ? packed_line(group->check->healthy) : group->findings[0].evidence,
            "</dd>\n");
    }
    bytes_printf(out, "</dl></details>\n");
}

static void add_findings(struct bytes *out, const struct report_page *page)
{
    const struct report *report = page->report;
    if (!report->ncauses)
        bytes_printf(out, "<p>Nothing is wrong, as far as could be seen.</p>\n");
    for (size_t i = 0; i < report->ncauses; i++)
        if (report->causes[i].verdict == VERDICT_FAIL || report->causes[i].verdict == VERDICT_WARN ||
            report->causes[i].verdict == VERDICT_INFO)
            add_cause(out, &report->causes[i]);
    add_quiet(out, report, VERDICT_PASS, "passed");
    add_quiet(out, report, VERDICT_UNKNOWN, "could not be looked at");
}

/* -- the rest ------------------------------------------------------------------------------------------ */

static void add_listing(struct bytes *out, const struct listing *listing, const char *empty)
{
    if (listing->count)
        html_table(out, listing, NULL, true);
    else
        add(out, "<p>", empty, "</p>\n");
}

static void add_ports(struct bytes *out, const struct report_page *page)
{
    add_listing(out, &page->ports, "There is no RDMA device on this machine.");
}

/* The PCI addresses that a text speaks of, comma-separated. */
static void take_addresses(const char *text, struct bytes *list)
{
    enum { LENGTH = sizeof("0000:00:00.0") - 1 };
    unsigned part[4];
    int end = 0;
    for (const char *at = text; (at = strchr(at, ':')); at++)
        if (at - text >= 4 &&
            sscanf(at - 4, "%4x:%2x:%2x.%1x%n", &part[0], &part[1], &part[2], &part[3], &end) == 4 &&
            end == LENGTH)
            bytes_printf(list, "%s%.*s", list->len ? "," : "", LENGTH, at - 4);
}

/* Those of findings: such bridges are drawn. */
static const char *told_addresses(const struct report *report, struct bytes *list)
{
    bytes_append(list, "", 0);
    for (size_t c = 0; c < report->ncauses; c++)
        for (size_t f = 0; f < report->causes[c].count; f++)
            take_addresses(report->causes[c].findings[f]->evidence, list);
    return list->data;
}

static void add_topology(struct bytes *out, const struct report_page *page)
{
    struct bytes told = { 0 };
    if (page->topology->nchildren)
        html_tree(out, page->topology, "root,bridge,gid", told_addresses(page->report, &told));
    else
        bytes_printf(out, "<p>There is nothing to draw.</p>\n");
    bytes_free(&told);
}

static void add_users(struct bytes *out, const struct report_page *page)
{
    add_listing(out, &page->users, page->without_users ? page->without_users : "");
}

static void add_term(struct bytes *out, const char *term, const char *text)
{
    if (!text)
        return;
    add(out, "<dt>", term, "</dt>");
    add(out, "<dd>", text, "</dd>\n");
}

static const char *on_off(enum tristate state)
{
    return state == TRI_YES ? "on" : state == TRI_NO ? "off" : "not known";
}

static void add_facts(struct bytes *out, struct arena *arena, const struct qos_subject *subject)
{
    const struct qos *qos = subject->qos;
    const char *trust = qos_trust_text(qos_trust(qos));
    bytes_printf(out, "<dl>\n");
    if (qos->ethtool.speed_mbps.known)
        add_term(out, "link", value_in_words(arena, value_num_as(VALUE_MBPS, qos->ethtool.speed_mbps)));
    if (!qos->dcb_err)
        add_term(out, "trust",
                 arena_printf(arena, "%s; default priority %u", trust ? trust : "not known",
                              qos_default_priority(qos)));
    if (qos->ethtool.pause_rx != TRI_UNKNOWN)
        add_term(
            out, "pause",
            arena_printf(arena, "rx %s, tx %s", on_off(qos->ethtool.pause_rx), on_off(qos->ethtool.pause_tx)));
    for (size_t i = 0; i < subject->nports; i++)
        if (subject->ports[i].port->cm_tos.known)
            add_term(out, "RDMA_CM TOS",
                     arena_printf(arena, "%u on %s/%u", (unsigned)subject->ports[i].port->cm_tos.value,
                                  subject->ports[i].port->device->name, subject->ports[i].port->number));
    const struct netdev_lldp *lldp = &subject->netdev->lldp;
    for (size_t i = 0; i < lldp->count; i++)
        add_term(out, "switch", neighbor_text(arena, &lldp->neighbors[i], qos->dcb_err ? NULL : &qos->dcb));
    bytes_printf(out, "</dl>\n");
}

static void add_subject(struct bytes *out, const struct host *host, const struct qos_subject *subject,
                        bool open)
{
    add(out, open ? "<details open><summary>" : "<details><summary>", subject->netdev->name, "");
    for (size_t p = 0; p < subject->nports; p++) {
        add(out, p ? ", " : " <span class=\"soft\">", subject->ports[p].port->device->name, "");
        bytes_printf(out, "/%u", subject->ports[p].port->number);
    }
    bytes_printf(out, "%s</summary>\n", subject->nports ? "</span>" : "");
    if (!subject->qos) {
        bytes_printf(out, "<p class=\"soft\">Priorities: %s.</p>\n", qos_absence_text(subject));
    } else {
        add_facts(out, host->arena, subject);
        if (subject->qos->dcb_err) {
            bytes_printf(out, "<p class=\"soft\">Its priorities are not known: the driver offers no DCB, or it "
                              "wasn't recorded.</p>\n");
        } else {
            const struct listing priorities = qos_priorities(host, subject);
            html_table(out, &priorities, qos_priorities_shown, false);
        }
    }
    bytes_printf(out, "</details>\n");
}

static void add_qos(struct bytes *out, const struct report_page *page)
{
    if (!page->qos.count)
        bytes_printf(out, "<p>No port has a netdev here.</p>\n");
    for (size_t i = 0; i < page->qos.count; i++)
        add_subject(out, page->host, &page->qos.items[i], i == 0);
}

static void add_counters(struct bytes *out, const struct report_page *page)
{
    struct listing part = page->counters;
    part.count = page->ntrouble;
    if (part.count)
        html_table(out, &part, "device,port,name,value,severity,meaning", true);
    else
        bytes_printf(out, "<p>No counter that signals trouble is above zero.</p>\n");
    part.count = page->counters.count - page->ntrouble;
    if (part.count) {
        part.rows = (const char *)page->counters.rows + page->ntrouble * part.size;
        bytes_printf(out, "<details><summary>%zu more that are not zero</summary>\n", part.count);
        html_table(out, &part, "device,port,name,value,unit,meaning", true);
        bytes_printf(out, "</details>\n");
    }
}

static void add_problems(struct bytes *out, const struct host *host)
{
    if (!host->nproblems)
        return;
    bytes_printf(out, "<details><summary>%zu things could not be read</summary><ul>\n", host->nproblems);
    for (size_t i = 0; i < host->nproblems; i++) {
        const char *name = strerrorname_np(host->problems[i].err);
        add(out, "<li><code>", host->problems[i].what, "</code>: ");
        add(out, "", name ? name : "unknown", "</li>\n");
    }
    bytes_printf(out, "</ul></details>\n");
}

static const struct section sections[7] = { REPORT_SECTIONS };

void report_page(struct bytes *out, const struct report_page *page)
{
    add_head(out, page);
    add_chips(out, page);
    for (size_t i = 0; i < ARRAY_SIZE(sections); i++) {
        const struct section *section = &sections[i];
        if (is_left_out(section, page))
            continue;
        bytes_printf(out, "<section id=\"%s\">\n<h2>%s</h2>\n", section->id, section->title);
        if (section->about)
            bytes_printf(out, "<p class=\"soft\">%s</p>\n", section->about);
        section->add(out, page);
        bytes_printf(out, "</section>\n");
    }
    add_problems(out, page->host);
    add(out, "</main>\n<footer>Verdicts, columns and counters are those of roce ", roce_version,
        ": <code>roce explain WORD</code> tells more of each.</footer>\n</body>\n</html>\n");
}
