/* SPDX-License-Identifier: MIT */
/* Several runs at once, a thread each, whose measurements begin together: what they move adds up. */
#include <pthread.h>

#include "selftest/test_run.h"

struct meeting {
    pthread_mutex_t lock;
    pthread_cond_t begin;
    size_t here, left, round; /* left: runs that haven't ended */
};

struct member {
    struct run *run;
    struct meeting *meeting;
    pthread_t thread;
    int ended;
};

static void begin_if_all_are_here(struct meeting *m)
{
    if (m->here < m->left)
        return;
    m->here = 0;
    m->round++;
    pthread_cond_broadcast(&m->begin);
}

static void meet(void *data)
{
    struct meeting *m = data;
    pthread_mutex_lock(&m->lock);
    size_t round = m->round;
    m->here++;
    begin_if_all_are_here(m);
    while (round == m->round)
        pthread_cond_wait(&m->begin, &m->lock);
    pthread_mutex_unlock(&m->lock);
}

static void *run_member(void *data)
{
    struct member *member = data;
    struct meeting *m = member->meeting;
    member->ended = selftest_run(member->run);
    pthread_mutex_lock(&m->lock);
    m->left--;
    begin_if_all_are_here(m);
    pthread_mutex_unlock(&m->lock);
    return NULL;
}

int selftest_run_together(struct run *const *runs, size_t count)
{
    struct meeting meeting = { .left = count };
    struct member *members = mem_alloc(count + 1, sizeof(*members));
    int r = 0;
    pthread_mutex_init(&meeting.lock, NULL);
    pthread_cond_init(&meeting.begin, NULL);
    for (size_t i = 0; i < count; i++) {
        members[i] = (struct member){ .run = runs[i], .meeting = &meeting };
        runs[i]->meet = meet;
        runs[i]->meet_data = &meeting;
        if (pthread_create(&members[i].thread, NULL, run_member, &members[i]) != 0) {
            members[i].thread = pthread_self();
            run_member(&members[i]); /* after the others, who don't wait for it for long */
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (!pthread_equal(members[i].thread, pthread_self()))
            pthread_join(members[i].thread, NULL);
        r = members[i].ended == -EINTR ? -EINTR : r;
    }
    pthread_cond_destroy(&meeting.begin);
    pthread_mutex_destroy(&meeting.lock);
    free(members);
    return r;
}
