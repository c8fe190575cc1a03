/* SPDX-License-Identifier: MIT */
/* All checks, and selecting among them. */
#include "check/judge.h"
#include "check/use.h"

static const char *const scope_names[] = {
    [SCOPE_HOST] = "host",
    [SCOPE_DEVICE] = "device",
    [SCOPE_PORT] = "port",
    [SCOPE_NETDEV] = "netdev",
};

enum { MOST_FILES = 6, MOST_CHECKS = 512 };

/* clang-format off */
static const struct {
    const char *topic, *text;
    const struct check *files[MOST_FILES + 1]; /* NULL ends */
} topics[] = {
    { "access", "is there an RDMA device, and may it be used",
      { checks_access, checks_nodes, checks_memlock, checks_memlock_daemons, checks_namespace } },
    { "modules", "kernel modules and user space drivers", { checks_modules } },
    { "link", "ports and their links", { checks_link, checks_netdev, checks_signal, checks_in_use } },
    { "gid", "the GID table", { checks_gid, checks_gid_address, checks_gid_lifetime, checks_gid_slots } },
    { "expectation", "what --expect says of this host", { checks_expectation } },
    { "environment", "what variables and files tell RDMA libraries", { checks_environment, checks_job } },
    { "path", "MTU, ARP, routes and RDMA_CM: the way to the peer",
      { checks_mtu, checks_route, checks_rail, checks_udp, checks_firewall, checks_cm } },
    { "lossless", "flow and congestion control", { checks_lossless, checks_congestion, checks_pauses } },
    { "counters", "what happens while doctor looks", { checks_counters, checks_wire, checks_statistics } },
    { "bond", "bonds, virtual functions, sub-functions and representors", { checks_bond } },
    { "services", "subnet manager, partitions, storage, and who uses RDMA",
      { checks_services, checks_storage, checks_smc, checks_users } },
    { "platform", "PCIe, NUMA, IOMMU, firmware",
      { checks_platform, checks_numa, checks_gpu, checks_health, checks_aer } },
};
/* clang-format on */

const char *check_scope_name(enum check_scope scope)
{
    return scope_names[scope];
}

/* All of them, in the order of the topics. */
static const struct check *all[MOST_CHECKS];
static size_t all_count;

static void collect(void)
{
    for (size_t t = 0; t < ARRAY_SIZE(topics); t++)
        for (size_t f = 0; topics[t].files[f]; f++)
            for (const struct check *check = topics[t].files[f]; check->id; check++) {
                if (all_count == MOST_CHECKS)
                    say_die("more than %d checks", MOST_CHECKS);
                all[all_count++] = check;
            }
}

size_t check_count(void)
{
    if (!all_count)
        collect();
    return all_count;
}

const struct check *check_at(size_t i)
{
    return i < check_count() ? all[i] : NULL;
}

const struct check *check_find(const char *id)
{
    const struct check *check;
    for (size_t i = 0; (check = check_at(i)); i++)
        if (strcmp(check->id, id) == 0)
            return check;
    return NULL;
}

const struct check_words *check_words(const struct check *check)
{
    static const struct check_words none = { .healthy = "", .why = "", .fix = "" };
    static _Thread_local const struct check *asked; /* one is asked about many subjects in a row */
    static _Thread_local const struct check_words *answer;
    if (check == asked)
        return answer;
    asked = check;
    answer = check_words_all;
    while (answer->id && strcmp(answer->id, check->id) != 0)
        answer++;
    return answer = answer->id ? answer : &none;
}

const char *check_topic(size_t i)
{
    return i < ARRAY_SIZE(topics) ? topics[i].topic : NULL;
}

const char *check_topic_of(const struct check *check)
{
    for (size_t t = 0; t < ARRAY_SIZE(topics); t++)
        for (size_t f = 0; topics[t].files[f]; f++)
            for (const struct check *one = topics[t].files[f]; one->id; one++)
                if (one == check)
                    return topics[t].topic;
    return NULL;
}

const char *check_topic_text(const char *topic)
{
    for (size_t i = 0; i < ARRAY_SIZE(topics); i++)
        if (strcmp(topics[i].topic, topic) == 0)
            return topics[i].text;
    return NULL;
}

bool check_list_unknown(const char *list, char word[static 64])
{
    while (list && *list) {
        size_t len = strcspn(list, ",");
        size_t kept = len < 63 ? len : 63;
        memcpy(word, list, kept);
        word[kept] = '\0';
        if (len && !check_topic_text(word) && !check_find(word))
            return true;
        list += len + (list[len] == ',');
    }
    return false;
}

static bool names_check(const char *list, const struct check *check)
{
    return text_in_list(list, check->id) || text_in_list(list, check_topic_of(check));
}

bool check_selected(const struct check_selection *selection, const struct check *check)
{
    if (!selection)
        return true;
    if (selection->only && !names_check(selection->only, check))
        return false;
    return !(selection->skip && names_check(selection->skip, check));
}

/* What distinguishes subjects, and whether they carry traffic: a check run alone must say the same as among all
 * others. */
#define OF_SUBJECTS (NEED_STATE | NEED_GIDS | NEED_NETDEV_ALL | NEED_NLDEV | NEED_PCI)
/* Only for the later reading: whether anybody uses it; and where roce runs, which decides which devices weren't
 * given to it and whether fixes are for somebody else to carry out. */
#define OF_USED_SUBJECTS (OF_SUBJECTS | NEED_USE)
#define OF_ALL NEED_CONTAINER

static needs_t needs_of(const struct check *check, bool only_interval)
{
    needs_t needs = check->needs | (only_interval ? 0 : OF_ALL);
    if (check->scope != SCOPE_HOST)
        needs |= only_interval ? OF_SUBJECTS : OF_USED_SUBJECTS;
    return needs;
}

static needs_t needs_where(const struct check_selection *selection, bool only_interval)
{
    needs_t needs = 0;
    const struct check *check;
    for (size_t i = 0; (check = check_at(i)); i++)
        if (check_selected(selection, check) && (check->interval || !only_interval))
            needs |= needs_of(check, only_interval);
    return needs;
}

needs_t check_needs(const struct check_selection *selection)
{
    return needs_where(selection, false);
}

needs_t check_interval_needs(const struct check_selection *selection)
{
    return needs_where(selection, true);
}

bool check_wants_interval(const struct check_selection *selection)
{
    const struct check *check;
    for (size_t i = 0; (check = check_at(i)); i++)
        if (check->interval && check_selected(selection, check))
            return true;
    return false;
}
