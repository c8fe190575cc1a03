/* SPDX-License-Identifier: MIT */
/* All checks, and selecting among them. */
#include "check/judge.h"
#include "check/use.h"

const struct check *check_find(const char *id)
{
    const struct check *check = check_all;
    while (check->id && strcmp(check->id, id) != 0)
        check++;
    return check->id ? check : NULL;
}

const char *check_topic_text(const char *name)
{
    const struct topic *topic = check_topics;
    while (topic->name && strcmp(topic->name, name) != 0)
        topic++;
    return topic->text;
}

bool check_list_unknown(const char *list, char word[static 64])
{
    const char *item;
    for (size_t len; (item = text_next_item(&list, ',', &len));) {
        snprintf(word, 64, "%.*s", (int)len, item);
        if (len && !check_topic_text(word) && !check_find(word))
            return true;
    }
    return false;
}

static bool names_check(const char *list, const struct check *check)
{
    return text_in_list(list, check->id) || text_in_list(list, check->topic);
}

bool check_selected(const struct check_selection *selection, const struct check *check)
{
    if (!selection)
        return true;
    if (check->interval ? selection->glance : selection->interval)
        return false;
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
    for (const struct check *check = check_all; check->id; check++)
        if (check_selected(selection, check) && (check->interval || !only_interval))
            needs |= needs_of(check, only_interval);
    return needs;
}

needs_t check_needs(const struct check_selection *selection)
{
    needs_t needs = needs_where(selection, false);
    return selection && selection->glance ? needs & ~(needs_t)(NEED_VERBS | NEED_DMABUF) : needs;
}

needs_t check_interval_needs(const struct check_selection *selection)
{
    return needs_where(selection, true);
}

bool check_wants_interval(const struct check_selection *selection)
{
    for (const struct check *check = check_all; check->id; check++)
        if (check->interval && check_selected(selection, check))
            return true;
    return false;
}
