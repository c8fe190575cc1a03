/* SPDX-License-Identifier: MIT */
/* roce mesh: tests every pair of many hosts, and finds what is odd. */
#include <sys/stat.h>

#include "command/fleet_input.h"
#include "command/mesh/mesh.h"
#include "fleet/mesh/mesh.h"
#include "source/recording/recording.h"
#include "view/json.h"

/* For each test: the duration of latency and of bandwidth, and the time limit of each step. */
enum { DURATION_MS = 300, TIMEOUT_MS = 5000, WAIT_MS = 30000, SIZE = 65536 };

static const char peers_name[] = "peers", results_end[] = ".mesh.json";

/* -- files --------------------------------------------------------------------------------------------- */

static int read_peers(const char *name, struct arena *arena, struct peers *peers, struct bytes *text)
{
    struct fleet_fault fault;
    int r = file_load(name, PEERS_TEXT_MOST, text);
    if (r < 0) {
        say_error("cannot read the list of peers '%s': %s", name, say_errno(r));
        return r;
    }
    r = peers_parse(text->data, text->len, arena, peers, &fault);
    if (r < 0 && fault.line)
        say_error("'%s', line %u: %s", name, fault.line, fault.what);
    else if (r < 0)
        say_error("'%s': %s", name, fault.what);
    return r;
}

/* -- plan ---------------------------------------------------------------------------------------------- */

/* Facts may contain what a list may not: two hosts with one address. */
static bool is_sound(const struct bytes *text, struct arena *arena, struct peers *peers)
{
    struct fleet_fault fault;
    if (peers_parse(text->data, text->len, arena, peers, &fault) == 0)
        return true;
    say_error("no list can be made of these facts: %s", fault.what);
    const char *line = text->data;
    for (unsigned n = 1; n < fault.line && *line; n++)
        line += strcspn(line, "\n") + 1;
    if (fault.line)
        say_error("it is in what would be the line '%.*s'", (int)strcspn(line, "\n"), line);
    return false;
}

/* --for: how many rounds fit into the time. Between tests of 2 directions in a round hosts find each other. */
static int plan_options(const struct args *args, struct plan_wish *wish, uint32_t *round_ms)
{
    enum { FIND_MS = 250 };
    const char *length = args_value(args, "for");
    uint64_t ms = 0;
    bool one = args_given(args, "latency") != args_given(args, "bandwidth");
    *wish = (struct plan_wish){ .rails = args_value(args, "rails") };
    *round_ms = 2 * (args_milliseconds(args, "duration", DURATION_MS) * (one ? 1 : 2) + FIND_MS);
    if (length && (duration_meant(length, &ms) < 0 || ms < *round_ms))
        return say_invalid("--for: '%s' is no time for a round, which takes about %.1f s; write 10m", length,
                           *round_ms / 1000.0);
    ms /= *round_ms;
    wish->rounds = ms > PEERS_MOST ? PEERS_MOST : ms;
    return 0;
}

/* What a sample covers, and what it doesn't, for people now and in the list; without one, how long all takes if
 * that is long. */
static void tell_cover(const struct peers *peers, struct plan_made *made, uint32_t round_ms, struct bytes *text)
{
    double seconds = (double)peers->rounds * round_ms / 1000;
    struct bytes line = { 0 };
    if (peers->rounds == peers->rounds_of) {
        if (seconds > 3600)
            say_note("all %zu rounds take about %.0f hours; --for 10m plans a sample", peers->rounds_of,
                     seconds / 3600);
        return;
    }
    plan_cover(peers, made);
    bytes_printf(&line, "%zu of %zu rounds, about %.0f s", peers->rounds, peers->rounds_of, seconds);
    if (made->alone)
        bytes_printf(&line, "; %zu ports have no partner", made->alone);
    if (!made->leaves_by)
        bytes_printf(&line, "; which ports share a leaf isn't known: pairs are chosen by chance");
    else if (made->unmet)
        bytes_printf(&line, "; of %zu pairs of leaves (by %s) %zu aren't tested: a longer --for covers them",
                     made->pairs, made->leaves_by, made->unmet);
    else
        bytes_printf(&line, "; each of %zu pairs of leaves (by %s) is tested", made->pairs, made->leaves_by);
    say_note("%s", line.data);
    bytes_printf(text, "# %s\n", line.data);
    bytes_free(&line);
}

static int plan_peers(struct context *context)
{
    const struct args *args = context->args;
    struct plan_wish wish;
    uint32_t round_ms;
    if (plan_options(args, &wish, &round_ms) < 0)
        return STATUS_ERROR;
    struct gathered all = { .fleet = fleet_new() };
    struct arena *arena = arena_new();
    struct bytes text = { 0 };
    struct plan_made made = { 0 };
    struct peers peers;
    size_t count;
    for (size_t i = 1; i < args->noperands; i++)
        gather(&all, args->operands[i]);
    const struct fleet_host **hosts = fleet_settle(all.fleet, &count);
    if (count)
        plan_write(all.fleet, hosts, count, &wish, arena, &text, &made);
    bool sound = made.peers && is_sound(&text, arena, &peers);
    if (sound) {
        tell_cover(&peers, &made, round_ms, &text);
        fwrite(text.data, 1, text.len, stdout);
    }
    if (made.ports)
        say_warning("%zu ports have no address that other hosts could reach: they are left out", made.ports);
    if (!made.peers && wish.rails && made.rails)
        say_error("--rails: no port with an address is on '%s'; the rails are %s", wish.rails, made.rails);
    else if (!made.peers)
        say_error("there are no facts of a port with an address: give files that 'roce facts' made");
    bytes_free(&text);
    arena_free(arena);
    fleet_free(all.fleet);
    return !sound || all.nrefused ? STATUS_ERROR : STATUS_OK;
}

/* -- files of results ---------------------------------------------------------------------------------- */

struct directory {
    const char *path;
    struct arena *arena;
    const char **names; /* of its files */
    size_t nnames;
    struct peers peers;
    struct mesh_results results;
    struct gathered facts;
    struct refused *refused;
    size_t nrefused, files;
    bool counting; /* only which list most results are of */
};

static void refuse_file(struct directory *d, const char *name, const char *what)
{
    *ARENA_PUSH_MANY(d->arena, d->refused,
                     d->nrefused) = (struct refused){ .file = arena_strdup(d->arena, name),
                                                      .what = arena_strdup(d->arena, what) };
    if (!d->counting)
        say_warning("'%s/%s': %s", d->path, name, what);
}

static const char *path_of(const struct directory *d, const char *name)
{
    return arena_printf(d->arena, "%s/%s", d->path, name);
}

static void take_results(struct directory *d, const char *name)
{
    struct bytes text = { 0 };
    struct stat st;
    const char *what = NULL, *path = path_of(d, name);
    d->results.file = name;
    int r = stat(path, &st) < 0 ? -errno : S_ISREG(st.st_mode) ? file_load(path, RESULTS_FILE_MOST, &text) : 0;
    if (r < 0)
        refuse_file(d, name, say_errno(r));
    else if (!S_ISREG(st.st_mode))
        refuse_file(d, name, "not a regular file");
    else if (mesh_results_add(&d->results, text.data, text.len, &what) < 0)
        refuse_file(d, name, what);
    else
        d->files++;
    bytes_free(&text);
}

/* "peers", "peers-58cb3747": a list of peers, and no host's results or facts. */
static bool is_list(const char *name)
{
    size_t len = strlen(peers_name);
    return text_starts(name, peers_name) && (!name[len] || (name[len] == '-' && strlen(name + len + 1) == 8 &&
                                                            strspn(name + len + 1, "0123456789abcdef") == 8));
}

static int list_directory(struct directory *d)
{
    int r = directory_names(d->path, d->arena, &d->names, &d->nnames);
    if (r < 0)
        say_error("cannot read '%s': %s", d->path, say_errno(r));
    return r;
}

/* Takes the results of hosts; if facts, all other files are facts. */
static void take_directory(struct directory *d, bool facts)
{
    d->results = mesh_results_new(&d->peers, d->arena);
    d->results.served = facts || d->counting ? NULL : d->results.served; /* only who resumes asks */
    for (size_t i = 0; i < d->nnames; i++)
        if (text_ends(d->names[i], results_end))
            take_results(d, d->names[i]);
        else if (facts && !is_list(d->names[i]))
            gather_found(&d->facts, path_of(d, d->names[i]));
    mesh_results_settle(&d->results);
}

/* -- run ----------------------------------------------------------------------------------------------- */

static int play_options(const struct args *args, struct play_spec *spec)
{
    bool latency = args_given(args, "latency"), bandwidth = args_given(args, "bandwidth");
    size_t most = spec->peers->rounds;
    spec->options = (struct test_options){ .latency = latency || !bandwidth,
                                           .bandwidth = bandwidth || !latency,
                                           .operations = 1u << OP_WRITE,
                                           .queues = 1,
                                           .hop_limit = 64,
                                           .duration = args_milliseconds(args, "duration", DURATION_MS),
                                           .timeout = args_milliseconds(args, "timeout", TIMEOUT_MS),
                                           .yield = sysconf(_SC_NPROCESSORS_ONLN) < 2 };
    uint64_t rounds = args_number(args, "rounds", most ? most : 1);
    spec->wait = args_milliseconds(args, "wait", WAIT_MS);
    if (spec->options.timeout < TRIAL_TIMEOUT_LEAST || spec->options.timeout > TRIAL_TIMEOUT_MOST)
        return say_invalid("--timeout must lie between 0.01 and %d seconds", TRIAL_TIMEOUT_MOST / 1000);
    spec->rounds = args_given(args, "quick") ? 1 : rounds < most ? rounds : most;
    spec->paths = (uint32_t)args_number(args, "paths", 0);
    spec->port = (uint16_t)args_number(args, "port", CONNECTION_PORT);
    return 0;
}

static bool is_kept(const char *first, const struct bytes *text)
{
    struct bytes kept = { 0 };
    bool same = file_load(first, PEERS_TEXT_MOST, &kept) == 0 && kept.len == text->len &&
                memcmp(kept.data, text->data, kept.len) == 0;
    bytes_free(&kept);
    return same;
}

/* Was a list there when this one was written, for longer than hosts wait for each other? By the times of the
 * file system that both are on. */
static bool is_of_another_run(const char *first, const char *new, uint32_t wait_ms)
{
    struct stat mine, theirs;
    return lstat(new, &mine) == 0 && lstat(first, &theirs) == 0 &&
           mine.st_mtime - theirs.st_mtime > (time_t)(wait_ms / 1000);
}

/* All hosts write the same contents at about the same time. What another list than the first one has stays
 * beside it, by its stamp, so that the report can go by the one that most have; one of an earlier run is
 * replaced. Each list is whole before it has a name that others read. */
static int keep_peers(const struct directory *d, const struct bytes *text, uint32_t wait_ms)
{
    char *new = mem_printf("%s/.%s.XXXXXX", d->path, peers_name);
    const char *first = path_of(d, peers_name), *own = arena_printf(d->arena, "%s-%08x", first, d->peers.stamp);
    int fd = mkostemp(new, O_CLOEXEC);
    int r = fd < 0 ? -errno : file_write(fd, text->data, text->len);
    if (r == 0 && fchmod(fd, 0644) < 0)
        r = -errno;
    if (fd >= 0 && close(fd) < 0 && r == 0)
        r = -errno;
    if (r == 0 && link(new, first) < 0) {
        bool there = errno == EEXIST, same = there && is_kept(first, text);
        const char *to = there && !is_of_another_run(first, new, wait_ms) ? own : first;
        if (!same && rename(new, to) < 0)
            r = -errno;
    }
    if (fd >= 0)
        unlink(new);
    free(new);
    return r;
}

static int say_outcome(const struct context *context, const struct play_outcome *o)
{
    const size_t *counts = o->counts;
    if (context->args->look.json) {
        json_t *top = json_envelope(context->host), *run = json_add_object(top, "run");
        json_put_text(run, "host", o->host);
        json_put_unsigned(run, "nports", o->peers);
        json_put_unsigned(run, "measured", counts[CELL_GOOD]);
        json_put_unsigned(run, "failed", counts[CELL_FAILED]);
        json_put_unsigned(run, "unreachable", counts[CELL_UNREACHABLE]);
        json_put_unsigned(run, "not_tried", counts[CELL_SKIPPED]);
        json_print(top);
    } else {
        printf("%s: %zu measured, %zu failed, %zu unreachable, %zu not tried\n", o->host, counts[CELL_GOOD],
               counts[CELL_FAILED], counts[CELL_UNREACHABLE], counts[CELL_SKIPPED]);
    }
    return wait_interrupted()                                   ? STATUS_ERROR
           : counts[CELL_FAILED] + counts[CELL_UNREACHABLE] > 0 ? STATUS_FOUND
                                                                : STATUS_OK;
}

static int start_play(struct context *context, struct directory *d, const struct bytes *text)
{
    struct play_spec spec = { .context = context, .peers = &d->peers, .directory = d->path };
    struct play_outcome outcome;
    if (play_options(context->args, &spec) < 0)
        return STATUS_ERROR;
    if (mkdir(d->path, 0755) < 0 && errno != EEXIST)
        return say_unable("cannot make '%s': %s", d->path, say_errno(errno));
    int r = keep_peers(d, text, spec.wait);
    if (r < 0)
        return say_unable("cannot write '%s/%s': %s", d->path, peers_name, say_errno(r));
    if (args_given(context->args, "resume")) {
        if (list_directory(d) < 0)
            return STATUS_ERROR;
        take_directory(d, false);
        if (d->nrefused)
            return STATUS_ERROR;
        spec.before = &d->results;
    }
    interrupts_end_cleanly();
    return play(&spec, &outcome) < 0 ? STATUS_ERROR : say_outcome(context, &outcome);
}

static int measure(struct context *context)
{
    const struct args *args = context->args;
    struct directory d = { .path = args_value(args, "out") };
    struct bytes text = { 0 };
    int status = STATUS_ERROR;
    if (args->noperands != 2 || !d.path)
        return say_unable("mesh run takes the list of peers, and a directory: 'roce mesh run PEERS --out DIR'");
    if (source_is_recording(context->source))
        return say_unable("a recording can't run a mesh: run it on the machine itself");
    d.arena = arena_new();
    if (read_peers(args->operands[1], d.arena, &d.peers, &text) == 0 &&
        context_read(context, NEAR_NEEDS | NEED_RATE) == 0)
        status = start_play(context, &d, &text);
    bytes_free(&text);
    arena_free(d.arena);
    return status;
}

/* -- report -------------------------------------------------------------------------------------------- */

/* A list to try the findings again. */
struct again {
    const struct peers *peers;
    bool *whole, *used; /* by peer; whole: with all that it meets */
    struct bytes pairs;
    size_t npairs; /* more than a list may have: all with all */
};

static void try_again(struct again *again, size_t a, size_t b)
{
    const struct mesh_peer *peers = again->peers->items;
    again->used[a] = again->used[b] = true;
    if (++again->npairs > PEERS_PAIRS_MOST)
        return;
    bytes_printf(&again->pairs, "pair %s %s\n", peers[a < b ? a : b].address, peers[a < b ? b : a].address);
}

static void try_pairs(struct again *again, const struct mesh_odd *odd)
{
    for (size_t i = 0; i < odd->nfrom; i++)
        for (size_t j = 0; j < odd->nto; j++)
            if (!again->whole[odd->from[i]] && !again->whole[odd->to[j]] &&
                peers_try(again->peers, odd->from[i], odd->to[j]))
                try_again(again, odd->from[i], odd->to[j]);
}

/* The peers in findings, and which pairs of them to try again: the pair itself, or a peer that fails with all,
 * with all. */
static void write_again(const struct directory *d, const struct mesh_verdicts *v, struct bytes *out)
{
    const struct peers *peers = &d->peers;
    struct again again = { .peers = peers,
                           .whole = mem_alloc(peers->count + 1, sizeof(bool)),
                           .used = mem_alloc(peers->count + 1, sizeof(bool)) };
    for (size_t o = 0; o < v->nodd; o++) { /* those of one peer have it as sender, as receiver, or as both */
        const struct mesh_odd *odd = &v->odd[o];
        if (!mesh_odd_is_of_pairs(odd) && odd->kind != ODD_VERSION)
            again.whole[odd->nfrom ? *odd->from : *odd->to] = true;
    }
    for (size_t i = 0; i < peers->count; i++)
        for (size_t round = 0; again.whole[i] && again.npairs <= PEERS_PAIRS_MOST && round < peers->rounds;
             round++) {
            int partner = peers_partner(peers, i, round);
            if (partner != PEERS_NOBODY && (!again.whole[partner] || i < (size_t)partner))
                try_again(&again, i, (size_t)partner);
        }
    for (size_t o = 0; o < v->nodd; o++)
        if (mesh_odd_is_of_pairs(&v->odd[o]))
            try_pairs(&again, &v->odd[o]);
    peers_head(out);
    if (peers->all_rails)
        bytes_printf(out, "rails all\n");
    for (size_t i = 0; i < peers->count; i++)
        if (again.used[i] || again.npairs > PEERS_PAIRS_MOST)
            peers_line(out, peers->items[i].address, peers->items[i].host, peers->items[i].device,
                       peers->items[i].rail, peers->items[i].leaf);
    if (again.npairs && again.npairs <= PEERS_PAIRS_MOST)
        bytes_append(out, again.pairs.data, again.pairs.len);
    bytes_free(&again.pairs);
    free(again.whole);
    free(again.used);
}

static int keep_again(const struct directory *d, const struct mesh_verdicts *v, const char *path)
{
    struct bytes text = { 0 };
    write_again(d, v, &text);
    int r = file_replace(path, &text);
    if (r < 0)
        say_error("cannot write '%s': %s", path, say_errno(r));
    bytes_free(&text);
    return r;
}

static int judge_directory(struct context *context, struct directory *d)
{
    struct fleet_report facts = { 0 };
    size_t count;
    const struct fleet_host **hosts = fleet_settle(d->facts.fleet, &count);
    const char *again = args_value(context->args, "again");
    struct mesh_verdicts v = mesh_judge(&d->peers, d->results.cells, d->results.ncells, d->results.rates,
                                        d->results.heard, d->results.rounds, d->arena);
    if (count > 1)
        facts = fleet_compare(d->facts.fleet, hosts, count, &(struct fleet_wish){ 0 }, d->arena);
    struct mesh_page page = { .look = &context->args->look,
                              .peers = &d->peers,
                              .results = &d->results,
                              .verdicts = &v,
                              .facts = count > 1 ? &facts : NULL,
                              .refused = d->refused,
                              .nrefused = d->nrefused };
    if (again && keep_again(d, &v, again) < 0)
        return STATUS_ERROR;
    if (args_given(context->args, "html"))
        mesh_print_html(&page);
    else if (context->args->look.json)
        mesh_print_json(&page);
    else
        mesh_print(&page);
    return v.nodd || v.counts[CELL_FAILED] + v.counts[CELL_UNREACHABLE] ? STATUS_FOUND
           : d->nrefused || !v.counts[CELL_GOOD]                        ? STATUS_ERROR
                                                                        : STATUS_OK;
}

/* Nobody else's FIFO is waited for. */
static int read_list(const struct directory *d, const char *list, struct peers *peers, struct bytes *text)
{
    const char *path = path_of(d, list);
    struct stat st;
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
        return say_invalid("'%s': not a regular file", path);
    return read_peers(path, d->arena, peers, text);
}

static size_t count_results(const struct directory *d, const char *list)
{
    struct directory one = *d;
    struct bytes text = { 0 };
    one.counting = true;
    if (read_list(d, list, &one.peers, &text) == 0)
        take_directory(&one, false);
    bytes_free(&text);
    return one.files;
}

/* The list of peers that most results are of: the mesh's own, where no host had another. */
static const char *choose_list(const struct directory *d)
{
    const char *best = peers_name;
    size_t count = 0, most = 0;
    for (size_t i = 0; i < d->nnames; i++)
        count += is_list(d->names[i]);
    for (size_t i = 0; count > 1 && i < d->nnames; i++) {
        size_t files = is_list(d->names[i]) ? count_results(d, d->names[i]) : 0;
        if (files > most || (files == most && strcmp(d->names[i], peers_name) == 0)) {
            most = files;
            best = d->names[i];
        }
    }
    if (count > 1)
        say_warning("'%s' has %zu lists of peers: the results of '%s', which most hosts had, are judged",
                    d->path, count, best);
    return best;
}

static int report_mesh(struct context *context)
{
    const struct args *args = context->args;
    struct directory d = { 0 };
    struct bytes text = { 0 };
    int status = STATUS_ERROR;
    if (args->noperands != 2)
        return say_unable("mesh report takes one directory, what 'mesh run' had for --out");
    if (args_given(args, "html") && args->look.json)
        return say_unable("--html is a format of its own: leave out either it or --json");
    d.path = args->operands[1];
    d.arena = arena_new();
    d.facts.fleet = fleet_new();
    if (list_directory(&d) == 0 && read_list(&d, choose_list(&d), &d.peers, &text) == 0) {
        take_directory(&d, true);
        if (d.files == 0)
            say_error("there are no results in '%s': 'roce mesh run PEERS --out %s' makes them", d.path,
                      d.path);
        else
            status = judge_directory(context, &d);
    }
    bytes_free(&text);
    fleet_free(d.facts.fleet);
    arena_free(d.arena);
    return status;
}

/* -- the command --------------------------------------------------------------------------------------- */

COMMAND(mesh)
{
    const struct args *args = context->args;
    const char *word = args->noperands ? args->operands[0] : "";
    if (strcmp(word, "plan") == 0 && args->noperands > 1)
        return plan_peers(context);
    if (strcmp(word, "run") == 0)
        return measure(context);
    if (strcmp(word, "report") == 0)
        return report_mesh(context);
    return say_unable("mesh takes 'plan FACTS...', 'run PEERS --out DIR' or 'report DIR'");
}
