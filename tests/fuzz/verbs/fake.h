/* SPDX-License-Identifier: MIT */
/* An RDMA device that exists in one process only: libibverbs' and librdmacm's functions, as far as the tests
 * call them, with a script that says what fails and what arrives. It counts what is made, so that what isn't
 * freed shows. */
#pragma once

/* Each byte decides one thing; when they are used up all works and nothing arrives. no_ud: the device has none.
 */
void fake_begin(const uint8_t *script, size_t len, bool no_ud, const uint8_t own_gid[16]);
/* After fake_begin(): each byte is what RDMA_CM tells next; when they are used up all goes well. */
void fake_cm(const uint8_t *bytes, size_t len);
void fake_flood(
    void); /* from now on every receive finds a message at once; datagrams come from somebody else */
unsigned fake_alive(void);       /* objects that nobody has freed */
unsigned fake_connections(void); /* that RDMA_CM has told of since the last call */

/* What the program that is tested does with its device; each aborts on what must not be. */
struct fake_watch {
    void (*sends)(uint32_t length);      /* a work request, before it is carried out */
    void (*keys)(uint32_t key);          /* a qkey of ours, or the PSN that we begin with */
    void (*aims)(const uint8_t gid[16]); /* an address handle or a connection to this GID */
    const uint8_t *client;               /* GID that connection requests of RDMA_CM may come from */
    const uint8_t *nonce;                /* NULL, or what the first receive of a probe finds */
};
extern struct fake_watch fake_watch;
