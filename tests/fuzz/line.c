/* SPDX-License-Identifier: MIT */
/* Lines of logs: which message one is, what it comes to, and what of a host it names. Any bytes. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/mention.h"
#include "selftest/diagnosis/message.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct gid gids[] = {
    { .index = 1, .raw = { 0xfe, 0x80, [15] = 1 }, .type = GID_TYPE_ROCE_V2 },
    { .index = 3, .raw = { [10] = 0xff, 0xff, 10, 0, 0, 7 }, .type = GID_TYPE_ROCE_V2 }
};
static struct port ports[] = { { .number = 1, .netdev = "ens1", .gids = gids, .ngids = 2 },
                               { .number = 2, .netdev = "ens2" } };
static struct device device = { .name = "mlx5_0", .ports = ports, .nports = 2, .pci = "0000:41:00.0" };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct host host = { .devices = &device, .ndevices = 1 };
    struct mention mentions[MENTIONS_MOST];
    struct reading reading;
    struct answer answer;
    ports[0].device = ports[1].device = &device;
    char *line = malloc(size ? size : 1); /* exactly as long, so that a byte too far is seen */
    if (size)
        memcpy(line, data, size);
    if (line_read(line, size, &reading)) {
        reading_answer(&reading, &answer);
        if (answer.ncauses > MESSAGE_CAUSES || (!answer.means && reading.status < 0))
            abort();
        if (reading.status >= 0 && !wc_name(reading.status))
            abort();
    }
    struct arena *arena = arena_new();
    size_t count = mention_find(&host, line, size, arena, mentions);
    for (size_t i = 0; i < count; i++)
        if (!mentions[i].text || (mentions[i].port && mentions[i].port->device != mentions[i].device))
            abort();
    arena_free(arena);
    free(line);
    return 0;
}
