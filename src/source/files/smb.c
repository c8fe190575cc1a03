/* SPDX-License-Identifier: MIT */
/* The servers that the SMB client reaches by SMB Direct. */
#include "source/files/texts.h"

struct rest {
    const char *at;
    size_t len;
};

static bool skip(struct rest *rest, const char *prefix)
{
    size_t len = strlen(prefix);
    if (rest->len < len || memcmp(rest->at, prefix, len) != 0)
        return false;
    rest->at += len;
    rest->len -= len;
    return true;
}

static void skip_blanks(struct rest *rest)
{
    while (rest->len && isspace((unsigned char)*rest->at))
        rest->at++, rest->len--;
}

/* "1) " */
static bool skip_number(struct rest *rest)
{
    size_t digits = 0;
    while (digits < rest->len && isdigit((unsigned char)rest->at[digits]))
        digits++;
    rest->at += digits;
    rest->len -= digits;
    return digits && skip(rest, ") ");
}

static struct smb_line with_word(enum smb_line_kind kind, struct rest rest)
{
    size_t len = 0;
    while (len < rest.len && !isspace((unsigned char)rest.at[len]))
        len++;
    return (struct smb_line){ kind, len ? rest.at : NULL, len };
}

static struct smb_line server_line(struct rest rest)
{
    static const char key[] = "Hostname: ";
    const char *name = memmem(rest.at, rest.len, key, strlen(key));
    if (!name)
        return (struct smb_line){ .kind = SMB_LINE_SERVER };
    name += strlen(key);
    return with_word(SMB_LINE_SERVER, (struct rest){ name, rest.len - (size_t)(name - rest.at) });
}

struct smb_line smb_line_parse(const char *line, size_t len)
{
    struct rest rest = { line, len };
    skip_blanks(&rest);
    if (skip(&rest, "SMBDirect "))
        return (struct smb_line){ .kind = SMB_LINE_RDMA };
    if (skip(&rest, "TCP status: "))
        return with_word(SMB_LINE_STATUS, rest);
    if (!skip_number(&rest))
        return (struct smb_line){ 0 };
    if (skip(&rest, "ConnectionId: "))
        return server_line(rest);
    if (skip(&rest, "Address: ") || skip(&rest, "Name: "))
        return with_word(SMB_LINE_SESSION, rest);
    return (struct smb_line){ 0 };
}

/* A server, as far as its lines have been read. */
struct server {
    bool rdma;
    const char *name, *address, *state;
};

static const char *state_of(const struct smb_line *line)
{
    static const char *const states[] = { "new",         "good", "exiting", "need reconnect", "need negotiate",
                                          "in negotiate" };
    if (line->len != 1 || !isdigit((unsigned char)*line->word))
        return NULL;
    size_t number = (size_t)(*line->word - '0');
    return number < ARRAY_SIZE(states) ? states[number] : NULL;
}

static void finish(struct server *server, struct arena *arena, struct service **items, size_t *count)
{
    if (server->rdma)
        *ARENA_PUSH(arena, *items, *count) = (struct service){
            .kind = SERVICE_SMB_CLIENT, .name = server->name, .peer = server->address, .state = server->state
        };
    *server = (struct server){ 0 };
}

void smb_parse(const char *text, struct arena *arena, struct service **items, size_t *count)
{
    struct server server = { 0 };
    for (const char *line = text; *line; line = text_next_line(line)) {
        struct smb_line told = smb_line_parse(line, strcspn(line, "\n"));
        const char *word = told.word ? arena_strndup(arena, told.word, told.len) : NULL;
        /* old kernels have no line that begins a server: whichever comes first does */
        if (told.kind == SMB_LINE_SERVER || (told.kind == SMB_LINE_RDMA && server.address))
            finish(&server, arena, items, count);
        if (told.kind == SMB_LINE_SERVER)
            server.name = word;
        server.rdma |= told.kind == SMB_LINE_RDMA;
        if (told.kind == SMB_LINE_STATUS && !server.state) /* the first is its own, others are its channels' */
            server.state = state_of(&told);
        if (told.kind == SMB_LINE_SESSION && !server.address)
            server.address = word;
    }
    finish(&server, arena, items, count);
}
