/* SPDX-License-Identifier: MIT */
/* PCIe errors, as counted by the kernel: model/device.h. */
#include "check/judge.h"
#include "model/topology.h"

/* What a device's function and the bridges above it counted: since the earlier reading, or since boot. */
struct tally {
    size_t functions; /* those examined */
    uint64_t counts[AER_HARMLESS + 1];
    bool many;            /* at one of the functions the link has more errors than a sound link would */
    const char *evidence; /* "0000:17:00.0/aer_dev_correctable: BadTLP 3, Timeout 1"; NULL if none */
    const struct pci *worst, *root; /* where something serious was seen, else where most link errors were */
    uint64_t most;
};

/* PCI Express requires a link to corrupt at most one bit in 1e12 (up to 32 GT/s; at 64 GT/s FEC corrects the
 * excess). The kernel counts simultaneous errors as one: its count is a lower bound. One or two can have any
 * cause. */
enum { LEAST = 3, MANY = 100 };
static const double bit_error_ratio = 1e-12;

static uint64_t most_of_sound_link(const struct subject *s, const struct pci *pci)
{
    double gigabits = giga_transfers(pci->link_speed) *
                      (double)(pci->link_width.known ? pci->link_width.value : 0) * (double)s->interval_ms /
                      1e3;
    double most = gigabits > 0 ? gigabits * 1e9 * bit_error_ratio : MANY;
    return most > LEAST ? (uint64_t)most : LEAST;
}

/* Since boot, an error every hour on average is worth knowing; a few may come from link training. */
enum { FEW_SINCE_BOOT = 10 };

static uint64_t most_since_boot(const struct subject *s)
{
    struct num hours = host_uptime_h(s->host);
    uint64_t most = hours.known ? hours.value : MANY;
    return most > FEW_SINCE_BOOT ? most : FEW_SINCE_BOOT;
}

static void add_kinds(struct tally *tally, struct judgement *j, const struct pci *pci,
                      enum aer_severity severity, const struct pci *before, uint64_t *of_link)
{
    const char *text = NULL;
    for (size_t i = 0; i < pci->aer[severity].nkinds; i++) {
        const struct aer_kind *kind = &pci->aer[severity].kinds[i];
        uint64_t was = before ? aer_count(&before->aer[severity], kind->name) : 0;
        if (kind->count <= was) /* less: the function was removed and rediscovered meanwhile */
            continue;
        uint64_t count = kind->count - was;
        enum aer_nature nature = aer_nature(severity, kind->name);
        tally->counts[nature] += count;
        *of_link += nature == AER_OF_LINK ? count : 0;
        text = arena_printf(j->arena, "%s%s%s %s%" PRIu64, text ? text : "", text ? ", " : "", kind->name,
                            before ? "+" : "", count);
        if (nature == AER_SERIOUS && tally->most < UINT64_MAX) {
            tally->worst = pci;
            tally->most = UINT64_MAX;
        }
    }
    if (text)
        tally->evidence = arena_printf(j->arena, "%s%s%s/%s: %s", tally->evidence ? tally->evidence : "",
                                       tally->evidence ? "; " : "", pci->address, aer_file(severity), text);
}

/* interval: since the earlier reading. */
static struct tally tally_of(const struct subject *s, struct judgement *j, bool interval)
{
    struct tally tally = { 0 };
    for (const struct pci *pci = s->pci; pci; pci = host_find_pci(s->host, pci->upstream)) {
        const struct pci *before = interval ? host_find_pci(s->before, pci->address) : NULL;
        uint64_t of_link = 0;
        tally.root = pci;
        if (!pci->aer[AER_CORRECTABLE].known || (interval && (!before || !before->aer[AER_CORRECTABLE].known)))
            continue;
        tally.functions++;
        for (enum aer_severity severity = 0; severity < AER_SEVERITIES; severity++)
            add_kinds(&tally, j, pci, severity, before, &of_link);
        if (of_link >= tally.most) {
            tally.worst = pci;
            tally.most = of_link;
        }
        tally.many |= of_link >= (interval ? most_of_sound_link(s, pci) : most_since_boot(s));
    }
    return tally;
}

/* The verdict if nothing could be counted; VERDICTS if something could. */
static enum verdict nothing_counts(const struct subject *s, struct judgement *j, const struct tally *tally,
                                   bool interval)
{
    if (!s->pci)
        return judge_na(j, "no PCI function");
    if (!tally->functions && interval && s->pci->aer[AER_CORRECTABLE].known)
        return judge_unknown(j, "/sys/bus/pci/devices/%s/aer_dev_* could not be read twice", s->pci->address);
    if (!tally->functions)
        return judge_na(j, "the kernel counts no errors of %s (it does since Linux 4.19, where there is AER)",
                        s->pci->address);
    return VERDICTS;
}

static void fix_of(struct judgement *j, const struct tally *tally)
{
    if (tally->counts[AER_SERIOUS])
        judge_command(j,
                      "journalctl -k | grep -F %s # what was lost, and whose it was; update BIOS and the "
                      "card's firmware, then reseat the card",
                      fix_name(j, tally->worst->address));
    else
        judge_command(j,
                      "lspci -vvs %s # LnkSta; reseat the card, then try another riser, cable or slot; update "
                      "BIOS and the card's firmware",
                      fix_name(j, tally->worst->address));
}

JUDGE(pcie_aer)
{
    struct tally tally = tally_of(s, j, true);
    enum verdict verdict = nothing_counts(s, j, &tally, true);
    if (verdict != VERDICTS)
        return verdict;
    if (!tally.evidence && !tally.root->aer_here)
        return judge_unknown(j,
                             "nothing was counted, but at %s the kernel doesn't handle AER: the firmware tells "
                             "it what it likes, a hypervisor nothing",
                             tally.root->address);
    if (!tally.evidence)
        return judge_pass(j, "%s and what is above it: 0 errors %s", s->device->pci, interval_text(j, s));
    fix_of(j, &tally);
    verdict = tally.counts[AER_SERIOUS] ? VERDICT_FAIL : tally.many ? VERDICT_WARN : VERDICT_PASS;
    return judge_as(j, verdict, "%s %s%s", tally.evidence, interval_text(j, s),
                    verdict == VERDICT_PASS ? ", which harms nothing" : "");
}

JUDGE(pcie_aer_history)
{
    struct tally tally = tally_of(s, j, false);
    enum verdict verdict = nothing_counts(s, j, &tally, false);
    if (verdict != VERDICTS)
        return verdict;
    if (!tally.evidence)
        return judge_pass(j, "%s and what is above it: no error was counted since boot", s->device->pci);
    fix_of(j, &tally);
    bool tell = tally.counts[AER_SERIOUS] || tally.many;
    return judge_as(j, tell ? VERDICT_INFO : VERDICT_PASS, "%s, since boot%s%s", tally.evidence,
                    uptime_text(j, s->host), tell ? "" : ": few, or harmless");
}
