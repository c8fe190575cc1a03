/* SPDX-License-Identifier: MIT */
/* roce serve: runs on the other host of roce ping. */
#include <arpa/inet.h>

#include "command/context.h"
#include "command/test_ends.h"
#include "command/trials.h"
#include "view/json.h"

/* A test may take TEST_TIMES as long as the longest silence. */
enum { CLIENTS = 16, PER_ADDRESS = 4, IDLE_MS = 30000, TEST_TIMES = 20, SESSION_MS = 3600000 };

struct serve {
    struct context *context;
    struct server_spec spec;
    struct hosting hosting;
};

static const char *end_text(int end)
{
    return end == 0             ? "done"
           : end == -ETIMEDOUT  ? "silent for too long"
           : end == -ECONNRESET ? "hung up"
           : end == -EINTR      ? "stopped"
           : end == -EPROTO     ? "spoke nonsense"
           : end == -EDQUOT     ? "asked for too much"
                                : "failed";
}

static void log_json(const char *client, const struct session_report *ended)
{
    json_t *line = json_envelope(NULL);
    json_put_text(line, "event", ended ? "end" : "begin");
    json_put_text(line, "client", client);
    if (ended) {
        json_put_text(line, "client_host", ended->name);
        json_put_unsigned(line, "tests", ended->trials);
        json_put_unsigned(line, "failed", ended->failed);
        json_put_text(line, "end", end_text(ended->end));
    }
    json_print_line(line);
}

static void log_session(void *data, const char *client, const struct session_report *ended)
{
    struct serve *serve = data;
    if (serve->context->args->look.json) {
        log_json(client, ended);
    } else if (ended) {
        char *name = text_clean(ended->name, TEXT_ONE_LINE);
        printf("%s (%s): %s, %u tests, %u failed\n", client, name, end_text(ended->end), ended->trials,
               ended->failed);
        free(name);
    }
    fflush(stdout);
}

static int add_address(struct server_spec *spec, const struct sockaddr_storage *address)
{
    if (spec->naddresses == SERVER_ADDRESSES_MOST)
        return -ENOSPC;
    spec->addresses[spec->naddresses++] = *address;
    return 0;
}

/* The addresses of all RoCE GIDs and iWARP ports, each once. */
static void add_roce_addresses(struct serve *serve, uint16_t port)
{
    struct near_gid gids[WIRE_GIDS_MOST];
    size_t count = near_gids(serve->context->host, gids, WIRE_GIDS_MOST);
    for (size_t i = 0; i < count; i++) {
        bool before = false;
        for (size_t j = 0; j < i; j++)
            before |= memcmp(gids[j].gid.raw, gids[i].gid.raw, 16) == 0 && gids[j].ifindex == gids[i].ifindex;
        struct sockaddr_storage address;
        gid_sockaddr(gids[i].gid.raw, port, gids[i].ifindex, &address);
        if (!before && gids[i].active && add_address(&serve->spec, &address) < 0)
            say_warning("more than %d addresses of RoCE and iWARP ports: listening on the first ones only",
                        SERVER_ADDRESSES_MOST);
    }
}

static int choose_addresses(struct serve *serve)
{
    const struct args *args = serve->context->args;
    uint16_t port = (uint16_t)args_number(args, "port", CONNECTION_PORT);
    const char *bind = args_value(args, "bind");
    struct sockaddr_storage address = { 0 };
    serve->spec.found = !bind;
    if (!bind) {
        add_roce_addresses(serve, port);
        if (serve->spec.naddresses == 0) {
            say_error("no active RoCE or iWARP port has an address to listen on; --bind names one");
            return -EADDRNOTAVAIL;
        }
    } else if (strcmp(bind, "any") == 0) {
        address_parse("0.0.0.0", port, &address);
        add_address(&serve->spec, &address);
        address_parse("::", port, &address);
        add_address(&serve->spec, &address);
    } else if (address_parse(bind, port, &address) == 0) {
        add_address(&serve->spec, &address);
    } else {
        return say_invalid(
            "'%s' is not a numeric address for --bind: 10.0.0.1, 2001:db8::1, fe80::1%%eth0 or any", bind);
    }
    return 0;
}

static void say_listening(const struct serve *serve)
{
    for (size_t i = 0; i < serve->spec.naddresses; i++) {
        char text[ADDRESS_TEXT_SIZE];
        address_text(&serve->spec.addresses[i], text);
        if (serve->context->args->look.json) {
            json_t *line = json_envelope(NULL);
            json_put_text(line, "event", "listening");
            json_put_text(line, "address", text);
            json_print_line(line);
        } else {
            printf("listening on %s\n", text);
        }
    }
    fflush(stdout);
}

static void drop_privileges(const struct serve *serve)
{
    int r = privilege_leave_root();
    if (r < 0)
        say_note("serve stays root, without its capabilities: %s",
                 r == -EACCES ? "others may not open the nodes in /dev/infiniband" : say_errno(r));
    r = privilege_drop();
    if (r < 0)
        say_warning("serve keeps its privileges: %s", say_errno(r));
    if (serve->spec.host.memory) {
        say_note("serve may use all system calls: --memory may need them");
        return;
    }
    r = privilege_confine();
    if (r < 0)
        say_note("serve may use all system calls: %s", say_errno(r));
}

static int serve_all(struct serve *serve)
{
    struct server *server;
    size_t failed;
    int r = server_open(&serve->spec, &server, &failed);
    if (r < 0) {
        char text[ADDRESS_TEXT_SIZE];
        address_text(&serve->spec.addresses[failed], text);
        return say_unable("cannot listen on '%s': %s", text, say_errno(r));
    }
    drop_privileges(serve);
    say_listening(serve);
    r = server_run(server);
    server_close(server);
    return r == 0 ? STATUS_OK : STATUS_FOUND;
}

/* size: 0 if it isn't given. */
static int choose_size(const struct args *args, uint64_t *size)
{
    const char *text = args_value(args, "size-most");
    if (text && (text_to_size(text, size) < 0 || *size < ENDPOINT_SIZE_LEAST || *size > TRIAL_SIZE_MOST))
        return say_invalid("'%s' is not a size for --size-most: 64k to 1g", text);
    return 0;
}

static int choose_clients(struct serve *serve)
{
    const struct args *args = serve->context->args;
    char bad[ALLOW_TEXT_SIZE];
    serve->spec.max_clients = (unsigned)args_number(args, "max-clients", CLIENTS);
    serve->spec.per_address = (unsigned)args_number(args, "per-address", PER_ADDRESS);
    const char *list = args_value(args, "allow");
    int r = list ? allow_parse(list, &serve->spec.allow, bad) : 0;
    if (r == -E2BIG)
        say_error("--allow takes at most %d prefixes: '%s' is one more", ALLOW_MOST, bad);
    else if (r < 0)
        say_error("'%s' is not a prefix for --allow: 10.0.0.0/8, 2001:db8::/32 or an address", bad);
    return r;
}

COMMAND(serve)
{
    const struct args *args = context->args;
    struct serve serve = { .context = context };
    uint32_t idle = args_milliseconds(args, "timeout", IDLE_MS);
    if (source_is_recording(context->source))
        return say_unable("a recording can't serve: run serve on the machine itself");
    if (args->noperands)
        return say_unable("serve takes no operand ('%s'): --bind says where to listen", args->operands[0]);
    uint64_t size = 0;
    struct memory *memory = NULL;
    if (choose_size(args, &size) < 0 || memory_choose(args, &memory) < 0 || choose_clients(&serve) < 0 ||
        choose_addresses(&serve) < 0)
        return STATUS_ERROR;
    serve.spec.once = args_given(args, "once");
    serve.spec.log = log_session;
    serve.spec.data = &serve;
    serve.spec.host = hosting_session(&serve.hosting, idle, idle * TEST_TIMES, SESSION_MS);
    serve.spec.host.any_gid = args_given(args, "any-gid");
    serve.spec.host.tells_all = serve.spec.allow.count > 0;
    serve.spec.host.size_most = (uint32_t)size;
    serve.spec.host.memory = memory;
    interrupts_end_cleanly();
    hosting_begin(&serve.hosting, context->source);
    int status = serve_all(&serve);
    hosting_end(&serve.hosting);
    return status;
}
