/* SPDX-License-Identifier: MIT */
/* /sys/class/net/NAME/qos, with which MLNX_OFED's drivers for kernels without DSCPs in dcbnl tell what they
 * trust. Where it is, mlnx_qos goes by it instead of the APP table (python/mlnx_qos of mlnx-tools). */
#include <stdlib.h>
#include <string.h>

#include "model/qos.h"
#include "source/files/net.h"

/* A line of words, then "DSCP PRIORITY" lines. */
static void read_map(struct reader *reader, struct qos *qos)
{
    const char *line = read_text(reader, NET_CLASS "/%s/qos/dscp2prio", qos->netdev);
    while (line && (line = strchr(line, '\n'))) {
        char *end, *stop;
        unsigned long dscp = strtoul(++line, &end, 10), priority = strtoul(end, &stop, 10);
        if (end == line || stop == end || dscp >= DSCPS || priority >= PRIORITIES)
            continue;
        *ARENA_PUSH(reader->arena, qos->dcb.apps,
                    qos->dcb.napps) = (struct qos_app){ QOS_APP_DSCP, (uint8_t)priority, (uint16_t)dscp };
    }
}

static void read_trust(struct reader *reader, struct qos *qos)
{
    const char *word = read_text(reader, NET_CLASS "/%s/qos/trust", qos->netdev);
    if (!word)
        return;
    qos->trust_file = strcmp(word, "dscp") == 0  ? TRUST_DSCP
                      : strcmp(word, "pcp") == 0 ? TRUST_PCP
                                                 : TRUST_UNKNOWN;
    if (qos->trust_file == TRUST_DSCP)
        read_map(reader, qos);
}

void read_qos_files(struct reader *reader)
{
    for (size_t i = 0; i < reader->host->nqos; i++)
        read_trust(reader, &reader->host->qos[i]);
}
