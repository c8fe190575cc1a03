/* SPDX-License-Identifier: MIT */
/* The servers that the SMB client reaches by SMB Direct. */
#include "source/files/texts.h"

struct smb_line smb_line_parse(const char *line, size_t len)
{
    static const struct {
        enum smb_line_kind kind;
        const char *form; /* for sscanf(3): where its word begins and ends */
    } forms[] = {
        { SMB_LINE_SERVER, " %*u)%*1[ ]ConnectionId: %*[^H]Hostname: %n%*s%n" },
        { SMB_LINE_SERVER, " %*u)%*1[ ]ConnectionId: %n" },
        { SMB_LINE_RDMA, " SMBDirect%*1[ ]%n" },
        { SMB_LINE_STATUS, " TCP status: %n%*s%n" },
        { SMB_LINE_SESSION, " %*u)%*1[ ]Address: %n%*s%n" },
        { SMB_LINE_SESSION, " %*u)%*1[ ]Name: %n%*s%n" },
    };
    char copy[512];
    snprintf(copy, sizeof(copy), "%.*s", (int)(len < sizeof(copy) ? len : sizeof(copy)), line);
    for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
        int begin = 0, end = 0;
        (void)sscanf(copy, forms[i].form, &begin, &end);
        if (begin)
            return (struct smb_line){ forms[i].kind, end ? line + begin : NULL,
                                      end ? (size_t)(end - begin) : 0 };
    }
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
