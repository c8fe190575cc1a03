/* SPDX-License-Identifier: MIT */
/*
 * lldp_flood NETDEV SECONDS: sends LLDP there as fast as it can, each frame another neighbor's, every third of
 * them damaged. Prints how many.
 */
#include <arpa/inet.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

enum { ETHERTYPE = 0x88cc, HEAD = 14, FRAME_MOST = 1500 };

/* Chassis ID (MAC), port ID (name), TTL; then as many bytes of anything as fit. */
static size_t make(uint8_t *frame, unsigned number)
{
    static const uint8_t begin[] = { 1, 0x80, 0xc2, 0, 0, 0x0e, 2, 0, 0, 0,   0,   1,   0x88, 0xcc, 2, 7,  4,
                                     2, 0,    0,    0, 0, 0,    4, 4, 5, 's', 'w', 'p', 6,    2,    0, 120 };
    size_t len = sizeof(begin) + (size_t)rand() % (FRAME_MOST - sizeof(begin));
    for (size_t i = sizeof(begin); i < len; i++)
        frame[i] = (uint8_t)rand();
    memcpy(frame, begin, sizeof(begin));
    memcpy(frame + 18, &number, sizeof(number));
    if (number % 3 == 0)
        frame[HEAD + (size_t)rand() % (len - HEAD)] ^= 0xff;
    return len;
}

int main(int argc, char **argv)
{
    uint8_t frame[FRAME_MOST];
    struct sockaddr_ll to = { .sll_family = AF_PACKET, .sll_protocol = htons(ETHERTYPE), .sll_halen = 6 };
    int fd = socket(AF_PACKET, SOCK_RAW, 0);
    unsigned sent = 0;
    if (argc != 3 || fd < 0)
        return 2;
    to.sll_ifindex = (int)if_nametoindex(argv[1]);
    for (time_t end = time(NULL) + strtol(argv[2], NULL, 10); time(NULL) < end; sent++) {
        size_t len = make(frame, sent);
        (void)!sendto(fd, frame, len, 0, (struct sockaddr *)&to, sizeof(to));
    }
    printf("%u frames\n", sent);
    return 0;
}
