/* SPDX-License-Identifier: MIT */
/* The other end of a run. In loopback it lives in this process, else behind a connection to a server. */
#pragma once

#include "selftest/trial/respond.h"

struct peer {
    /* Gets ready for a trial. */
    int (*arm)(struct peer *peer, const struct trial *trial, struct failure *failure);
    /* The starter has done its part (or failed): what did the other end see? 0 when all was right there. */
    int (*finish)(struct peer *peer, const struct trial *trial, struct failure *failure);
    /* New queue pairs on both ends, after a failure has ended the old ones. *set replaces the starter's. */
    int (*reopen)(struct peer *peer, struct set **set, struct failure *failure);
    struct responder *local; /* loopback: to be stepped by our own loops; NULL: elsewhere */
    int fd;                  /* control connection; -1: none */
};
