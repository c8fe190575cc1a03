/* What happened to counters between two readings of a host. Pure. */
#pragma once

#include "model/host.h"
#include "selftest/diagnosis.h"
#include "selftest/wire.h"

/* The counters of a port, and of its device, that have grown: errors first, then warnings, then the rest; as
 * many as fit. */
void counters_grown(const struct host *before, const struct host *after, const char *device, uint32_t port,
                    struct wire_counters *grown);
/* Adds what they say about losses to facts. peer: they are the other host's. */
void counters_tell(const struct wire_counters *grown, bool peer, struct facts *facts);
