/* SPDX-License-Identifier: MIT */
/* roce serve: whom it admits, what it allows them, each one's session, and which privileges it drops. */
#pragma once

#include <poll.h>

#include "lists.h"
#include "selftest/peer/peer.h"

/* Address prefixes that may connect. Pure. */

enum { ALLOW_MOST = 64, ALLOW_TEXT_SIZE = 80 };

struct allow {
    size_t count; /* 0: everybody may */
    struct {
        uint8_t address[16]; /* IPv4 mapped into IPv6 */
        uint8_t bits;
    } prefixes[ALLOW_MOST];
};

/* "10.0.0.0/8,2001:db8::/32,192.168.1.7". Returns 0; -EINVAL, and bad is the part that isn't a prefix; -E2BIG:
 * too many. */
int allow_parse(const char *list, struct allow *allow, char bad[static ALLOW_TEXT_SIZE]);
bool allow_has(const struct allow *allow, const struct sockaddr_storage *address);

/* Whom a server admits and what it allows them, by source address. Pure but for the table's memory: the caller
 * passes the time (ns, as wait_now()) and the dice. */

/* A source of connections: an IPv4 address, the /64 of an IPv6 one, or a link-local address on its link. */
struct source_key {
    uint8_t address[16];
    uint32_t scope;
};
struct source_key source_key(const struct sockaddr_storage *address);

ENUM_LIMIT;
const char *limit_text(enum limit limit); /* for the rejected client; NULL for NONE */

/* Per place of a source: LIMIT_BURST connections at once, then LIMIT_RATE_S a second. */
enum { LIMIT_BURST = 8, LIMIT_RATE_S = 2, LIMIT_CALLERS_LEAST = 8 };
/* Per place of a source: so much CPU time for its messages at once, then so small a part of a CPU. */
enum { LIMIT_CPU_MS = 250, LIMIT_CPU_SHARE = 20 };
/* The first penalty, and the limit of its doubling. A source that was quiet for LIMIT_FORGIVEN_S starts
 * afresh. */
enum { LIMIT_PENALTY_S = 1, LIMIT_PENALTY_MOST_S = 60, LIMIT_FORGIVEN_S = 300 };

struct sources;
/* per_address: clients per source at a time; connections: of all sources, callers and clients. Free with
 * free(). */
struct sources *sources_new(unsigned per_address, unsigned connections);

/* A new connection. LIMIT_NONE: it counts as a caller from now on. */
enum limit sources_call(struct sources *sources, const struct source_key *key, uint64_t now);
/* The caller has sent HELLO. LIMIT_NONE: it counts as a client from now on; else it stays a caller. */
enum limit sources_greet(struct sources *sources, const struct source_key *key);
/* A caller or a client is gone. bad: it broke the rules, and its source is refused for a while. */
void sources_leave(struct sources *sources, const struct source_key *key, bool client, bool bad, uint64_t now);

/* Messages of its clients have used so much CPU time: how long to wait before answering the next one. Both in
 * ns. */
uint64_t sources_pay(struct sources *sources, const struct source_key *key, uint64_t used, uint64_t now);

/* Connections that haven't sent HELLO yet. They take no place and no thread; whatever one has sent is read
 * before it is dropped as silent. The caller of these functions passes the time (ns, as wait_now()). */

/* CALLERS_MS: how long each may wait. */
enum { CALLERS_MOST = 64, CALLERS_MS = 3000 };

struct callers_host {
    /* It has sent HELLO: fd no longer belongs to the callers. */
    void (*greeted)(void *data, int fd, const struct source_key *source, const struct wire_hello *hello);
    /* It is gone. bad: it broke the rules. */
    void (*gone)(void *data, const struct source_key *source, bool bad);
    void *data;
};

struct callers;
struct callers *callers_new(const struct callers_host *host);
void callers_free(struct callers *callers); /* hangs up on all of them */

/* Takes over fd (non-blocking), and reads what has arrived. If CALLERS_MOST are waiting, a random one is
 * dropped for it. */
void callers_add(struct callers *callers, int fd, const struct source_key *source, uint64_t now);
void callers_watch(const struct callers *callers, struct pollfd fds[static CALLERS_MOST]);
/* After poll(2) on these. */
void callers_hear(struct callers *callers, const struct pollfd fds[static CALLERS_MOST]);
void callers_drop_silent(struct callers *callers, uint64_t now);

/* Says why, if that can be sent at once, and hangs up. */
void callers_turn_away(int fd, int err, const char *why);

/* Privileges that a server drops once it listens. */

/* No new privileges, and of root's capabilities only the one to lock memory; inherited by later threads.
 * Returns 0 or -errno. */
int privilege_drop(void);
/* Root becomes nobody, and keeps its capabilities. Call it before privilege_drop(). -EACCES: it stays root, as
 * only root may open this host's device nodes. Returns 0, or -errno. */
int privilege_leave_root(void);
/* From now on only the system calls that sessions need; the others fail with EPERM. Call it last, after
 * privilege_drop(). -EOPNOTSUPP: there is no filter for this architecture. */
int privilege_confine(void);

/* One client's session, from its HELLO to its BYE. */

struct host;

/* Memory that mem_reserve() must hold for a session to begin or continue: reading this host ends the program if
 * memory runs out. */
enum { SESSION_ROOM = 4 << 20 };
#define SESSION_NO_ROOM "the server has no memory for this session"

/* The GIDs that clients may use, all on active ports. */
struct session_offer {
    char host[WIRE_NAME_SIZE];
    uint32_t count;
    struct near_gid gids[WIRE_GIDS_MOST];
};

/* Provided by the surrounding program. All may be called from several threads at once. */
struct session_host {
    /* What is there now. */
    void (*offer)(void *data, struct session_offer *offer);
    /* A reading of the counters, taken after since (as wait_now()) if possible; the caller gives it back. NULL
     * if there is none. */
    const struct host *(*counters)(void *data, uint64_t since);
    void (*give_back)(void *data, const struct host *reading);
    /* What a GID's port has counted on each priority so far. NULL: nobody counts. */
    void (*priorities)(void *data, const struct near_gid *gid, struct wire_priorities *priorities);
    void *data;
    uint32_t idle_ms;      /* longest silence of a client between tests */
    uint32_t test_ms;      /* longest test, and CPU time of a whole session */
    uint32_t session_ms;   /* longest session */
    uint32_t size_most;    /* bytes of the largest message (its buffer has two); 0: VERIFY_SIZE_MOST */
    struct memory *memory; /* of what clients send and read, except for paths; NULL: the process's own */
    bool any_gid;          /* allows tests of GIDs other than the address that the client connects from */
    bool tells_all;        /* also offers GIDs other than the address that the client connects to */
};

struct session_report {
    char client[ADDRESS_TEXT_SIZE];
    char name[WIRE_NAME_SIZE]; /* what the client calls itself */
    char program[WIRE_NAME_SIZE];
    unsigned trials, failed;
    bool proven; /* its path was: it was a client, not just anybody */
    /* 0: the client said goodbye; else why the session ended: -ETIMEDOUT, -ECONNRESET, -EPROTO, -EINTR, -EDQUOT
     * (it had used up its allowance), -ENOMEM */
    int end;
};

struct session_terms {
    bool yield; /* see struct watch */
    /* A message has used so much CPU time: how long to wait before the next one, as sources_pay(). */
    uint64_t (*pay)(void *data, uint64_t used);
    void *data;
};

/* hello: already received. Does not close connection. */
void session_run(const struct session_host *host, struct connection *connection, const struct wire_hello *hello,
                 const struct session_terms *terms, struct session_report *report);

/* Readings of a host shared by sessions: a client that asks again and again gets the same one. */

struct readings;

/* read: called by one thread at a time; returns NULL on failure. Free with readings_free() once all readings
 * have been given back. */
struct readings *readings_new(struct host *(*read)(void *data), void *data);
void readings_free(struct readings *readings); /* NULL is fine */

/* The last reading, or a new one if it was taken before since (ns, as wait_now()). READINGS_BURST new ones may
 * be made at once, then one per READINGS_MS, and per READINGS_SHARE times its cost. NULL: none could be
 * made. */
enum { READINGS_BURST = 16, READINGS_SHARE = 16, READINGS_MS = 250 };
const struct host *readings_take(struct readings *readings, uint64_t since);
void readings_give_back(struct readings *readings, const struct host *reading); /* NULL is fine */
/* Pure: may another one be made now, if each costs so much time? */
struct account {
    double left;
    uint64_t counted; /* the time of that balance */
};
bool readings_afford(struct account *account, uint64_t cost, uint64_t now);

/* roce serve: listens, and gives every client that speaks the protocol a place and a thread. Connections that
 * send nothing, or nonsense, are dropped before they take a place. For what one source may have, see above. */

enum { SERVER_ADDRESSES_MOST = 64, SERVER_CLIENTS_MOST = 1024 };

struct server_spec {
    struct sockaddr_storage addresses[SERVER_ADDRESSES_MOST];
    size_t naddresses;
    bool found; /* the addresses are those of the host's GIDs, even if still tentative */
    unsigned max_clients, per_address;
    struct allow allow; /* others are disconnected */
    bool once;          /* ends after the first session whose path was proven, or that broke off */
    struct session_host host;
    /* May it have a session now? Returns 0, or the errno to answer with, and why. Called from one thread at a
     * time. NULL: everybody may. */
    int (*admits)(void *data, const struct wire_hello *hello, const char **why);
    /* Called from one thread at a time, as sessions begin (ended NULL) and end. */
    void (*log)(void *data, const char *client, const struct session_report *ended);
    void *data;
};

struct server;

/* Returns 0, or -errno; *failed is then the index of the address that can't be listened on. */
int server_open(const struct server_spec *spec, struct server **server, size_t *failed);
/* Serves until wait_interrupt(), or with spec->once one session. Sessions still running are told and ended.
 * Returns 0, or how the one session ended. */
int server_run(struct server *server);
/* From any thread: makes server_run() return, ending all its sessions. */
void server_stop(struct server *server);
void server_close(struct server *server);
