/* SPDX-License-Identifier: MIT */
/* The client's part of a look at many paths. */
#include <errno.h>
#include <string.h>

#include "selftest/peer/client.h"

static void ask_for(const struct client *c, uint8_t traffic_class, const uint32_t *far_labels,
                    struct wire_message *out)
{
    const struct wire_gid *gid = &c->spec->gids[c->pair.near].gid;
    *out = (struct wire_message){ .type = WIRE_PATHS };
    out->paths = (struct wire_paths){ .gid = (uint32_t)c->pair.far,
                                      .mtu = c->path.mtu,
                                      .traffic_class = traffic_class,
                                      .hop_limit = c->spec->options->hop_limit };
    memcpy(out->paths.raw, gid->raw, sizeof(out->paths.raw));
    bundle_describe(c->bundle, &out->paths.ends);
    memcpy(out->paths.labels, far_labels, out->paths.ends.count * sizeof(*far_labels));
}

int client_open_bundle(struct client *c, uint32_t count, const uint32_t *near_labels,
                       const uint32_t *far_labels, uint8_t traffic_class, struct failure *failure)
{
    struct endpoint_spec end = client_end(c);
    struct wire_message in, out;
    end.size = ENDPOINT_SIZE_LEAST;
    client_close_set(c);
    int r = bundle_open(&end, count, &c->bundle, failure);
    if (r < 0)
        return r;
    ask_for(c, traffic_class, far_labels, &out);
    r = client_ask(c, &out, WIRE_PATHED, c->spec->options->timeout + CLIENT_SLACK_MS, &in, failure);
    if (r < 0)
        return client_refused(r, failure, "look at paths");
    struct path path = path_new(c->path.mtu, traffic_class, c->spec->options->hop_limit,
                                endpoint_reads(c->bundle->end->attr.max_qp_init_rd_atom));
    path.timeout = BUNDLE_TIMEOUT;
    memcpy(path.dgid, c->offer.gids[c->pair.far].raw, sizeof(path.dgid));
    c->far_ports = in.pathed.port_rule;
    return bundle_connect(c->bundle, &path, near_labels, &in.pathed.ends, failure);
}

int client_begin_exchange(struct client *c, const struct exchange_plan *plan, struct exchange *x,
                          struct failure *failure)
{
    struct wire_message in, out = { .type = WIRE_EXCHANGE, .exchange = *plan };
    int r = exchange_begin(x, plan, c->bundle, true, failure);
    return r < 0 ? r
                 : client_ask(c, &out, WIRE_READY, c->spec->options->timeout + CLIENT_SLACK_MS, &in, failure);
}

int client_end_exchange(struct client *c, const struct exchange *x,
                        struct exchange_seen seen[static BUNDLE_MOST], struct failure *failure)
{
    struct wire_message in, out = { .type = WIRE_FINISH };
    int r = client_ask(c, &out, WIRE_EXCHANGED, c->spec->options->timeout + CLIENT_SLACK_MS, &in, failure);
    if (r < 0)
        return r;
    if (in.exchanged.count != (x->plan->datagrams ? 1 : x->plan->count))
        return failure_set(failure, STEP_HANDSHAKE, EPROTO, "the server names other queue pairs");
    memcpy(seen, in.exchanged.seen, sizeof(in.exchanged.seen));
    return 0;
}
