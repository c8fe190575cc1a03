/* SPDX-License-Identifier: MIT */
/* The steps of a client, for client*.c. Each returns 0, or -errno with failure filled. */
#pragma once

#include "selftest/peer/client.h"

/* What the server may take longer than a step's own time. */
enum { CLIENT_SLACK_MS = 2000 };

/* Sends, then waits for an answer of this type. The server's own failure is ours. */
int client_ask(struct client *c, const struct wire_message *question, enum wire_type answer, uint32_t ms,
               struct wire_message *in, struct failure *failure);
/* Its result r: -EOPNOTSUPP, and a failure that says so, where an older server took the question for
 * nonsense. what: it can't. */
int client_refused(int r, struct failure *failure, const char *what);
/* A new connection: HELLO, OFFER. from: its own address; NULL: what routing chooses. */
int client_greet(struct client *c, const struct sockaddr_storage *to, const struct sockaddr_storage *from,
                 socklen_t len, struct failure *failure);
void client_part(struct client *c); /* says goodbye where it can, and hangs up */

/* This end of what is tested. */
struct endpoint_spec client_end(const struct client *c);
/* The pair of GIDs. */
int client_choose(struct client *c, struct failure *failure);
/* The server sends to the address that asks only: where that isn't the GID's, the same again from the GID's address,
 * to the other GID's or else to the one that was asked for. When neither works the server decides. */
int client_come_from_gid(struct client *c, struct failure *failure);
/* Lets the server see that what it sends comes here. */
int client_prove(struct client *c, struct failure *failure);

int client_open_set(struct client *c, struct failure *failure);
void client_close_set(struct client *c); /* fine twice */
