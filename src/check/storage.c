/* SPDX-License-Identifier: MIT */
/* Storage over RDMA: mounts, sessions, listeners, and the modules that configured services need. */
#include "check/judge.h"

#include "tables.h"

/* -- NFS mounts ----------------------------------------------------------------------------------------- */

static bool is_rdma(const char *proto)
{
    return text_is(proto, "rdma") || text_is(proto, "rdma6");
}

/* nfs_show_nfs_mount_options() (fs/nfs/super.c) prints the protocol of the mount's transport; mountstats names
 * the transport itself. NULL if neither is known. */
static const char *transport_of(const struct nfs_mount *mount)
{
    return mount->transport ? mount->transport : mount->proto;
}

/* Does from, a host or "host:/export", match the mount's source? */
static bool is_from(const char *from, const struct nfs_mount *mount)
{
    size_t len = strlen(from);
    return strncmp(mount->from, from, len) == 0 && (mount->from[len] == '\0' || mount->from[len] == ':');
}

/* What an automounter's key "*" stands for on this mount; NULL if the mount isn't from it. */
static const char *automounted_key(const char *on, const struct nfs_mount *mount)
{
    size_t len = strlen(on) - strlen("*");
    const char *key = strncmp(mount->on, on, len) == 0 ? mount->on + len : "";
    return *key && !strchr(key, '/') ? key : NULL;
}

/* Does "store:/home/&" match the mount's source, with key replacing "&"? */
static bool is_from_key(const char *from, const char *key, const struct nfs_mount *mount)
{
    const char *at = mount->from;
    for (; *from; from++) {
        if (*from != '&') {
            if (*at++ != *from)
                return false;
        } else if (!text_starts(at, key)) {
            return false;
        } else {
            at += strlen(key);
        }
    }
    return !*at;
}

static bool is_of_mount(const struct service_wish *wish, const struct nfs_mount *mount)
{
    if (wish->kind != SERVICE_NFS_CLIENT)
        return false;
    if (wish->on && text_ends(wish->on, "/*")) {
        const char *key = automounted_key(wish->on, mount);
        return key && (!wish->from || is_from_key(wish->from, key, mount));
    }
    return (!wish->on || strcmp(wish->on, mount->on) == 0) && (!wish->from || is_from(wish->from, mount));
}

/* From a line of fstab, a systemd unit or an automounter. */
static bool is_one_mount(const struct service_wish *wish)
{
    return wish->on && !text_is(wish->file, "/etc/nfsmount.conf");
}

/* What files want of a mount: its own line takes precedence over nfsmount.conf, and there a mount point over a
 * server, over the global section (nfsmount.conf(5)). NULL if nothing. */
static const struct service_wish *wish_of(const struct services *services, const struct nfs_mount *mount)
{
    const struct service_wish *best = NULL;
    int most = -1;
    for (size_t i = 0; services && i < services->nwishes; i++) {
        const struct service_wish *wish = &services->wishes[i];
        int weight = is_one_mount(wish) ? 3 : wish->on ? 2 : wish->from ? 1 : 0;
        if (is_of_mount(wish, mount) && weight > most) {
            best = wish;
            most = weight;
        }
    }
    return best;
}

/* The command that mounts it again: an automounter does so on the next access. */
static const char *mounts_again(const struct service_wish *wish)
{
    if (text_ends(wish->file, ".mount"))
        return "systemctl start";
    return !is_one_mount(wish) || text_is(wish->file, "/etc/fstab") ? "mount" : "ls";
}

static enum verdict mounted_by_tcp(const struct nfs_mount *mount, const struct service_wish *wish,
                                   struct judgement *j)
{
    const char *transport = transport_of(mount);
    if (text_is_shell_word(mount->on))
        judge_interrupting(
            j, "umount %s && %s %s # mounts of the same server by TCP go first: NFS shares their transport",
            mount->on, wish ? mounts_again(wish) : "mount", mount->on);
    if (wish && !is_one_mount(wish))
        return judge_info(j, "%s wants RDMA where a mount doesn't say; %s on %s is by %s", wish->file,
                          mount->from, mount->on, transport);
    return judge_fail(j, "%s on %s: %s wants RDMA, its transport is %s", mount->from, mount->on,
                      wish ? wish->file : "proto=rdma", transport);
}

JUDGE(nfs_rdma_mount)
{
    const struct nfs *nfs = &s->system->nfs;
    const struct services *services = s->system->services;
    const struct nfs_mount *by_tcp = NULL;
    size_t by_rdma = 0;
    if (!nfs->mounts_known)
        return judge_unknown(j, "/proc/self/mounts could not be read");
    for (size_t i = 0; i < nfs->nmounts; i++) {
        const struct nfs_mount *mount = &nfs->mounts[i];
        const struct service_wish *wish = wish_of(services, mount);
        bool wanted = wish ? wish->rdma : is_rdma(mount->proto);
        if (!transport_of(mount))
            return judge_unknown(j, "%s on %s: neither mounts nor mountstats names its transport", mount->from,
                                 mount->on);
        if (!is_rdma(transport_of(mount)) && (wanted || is_rdma(mount->proto)))
            return mounted_by_tcp(mount, wanted ? wish : NULL, j);
        by_rdma += is_rdma(transport_of(mount));
        by_tcp = is_rdma(transport_of(mount)) ? by_tcp : mount;
    }
    if (by_tcp && !(services && services->wishes_known))
        return judge_unknown(j, "/etc/fstab is not known: it is unknown whether %s on %s should use RDMA",
                             by_tcp->from, by_tcp->on);
    if (!by_rdma)
        return judge_na(j, nfs->nmounts ? "no NFS mount should use RDMA" : "no NFS is mounted");
    return judge_pass(j, "%zu mount%s by RDMA, as wanted", by_rdma, by_rdma == 1 ? "" : "s");
}

/* -- sessions ------------------------------------------------------------------------------------------- */

static const struct {
    enum service_kind kind;
    const char *state, *meaning;
    enum verdict verdict;
} states[] = { STORAGE_STATES };

static enum verdict state_verdict(const struct service *service, const char **meaning)
{
    for (size_t i = 0; i < ARRAY_SIZE(states); i++)
        if (states[i].kind == service->kind && text_is(service->state, states[i].state)) {
            *meaning = states[i].meaning;
            return states[i].verdict;
        }
    return service->state ? VERDICT_PASS : VERDICT_UNKNOWN;
}

static enum verdict broken_session(const struct service *service, enum verdict verdict, const char *meaning,
                                   struct judgement *j)
{
    if (service->kind == SERVICE_LUSTRE)
        return judge_as(j, verdict, "%s: %s: %s", service_text(service, j->arena), service->state, meaning);
    const char *peer = service->peer ? service->peer : "its target";
    if (service->peer && text_is_shell_word(service->peer))
        judge_advice(j,
                     "ping -c 3 %s # is the target there? does it listen (roce users, there)? do packets of "
                     "RDMA pass (roce ping)?",
                     service->peer);
    return judge_as(j, verdict, "%s: %s, to %s%s%s: %s", service_text(service, j->arena), service->state, peer,
                    service->port.known ? " port " : "",
                    service->port.known ? arena_printf(j->arena, "%" PRIu64, service->port.value) : "",
                    meaning);
}

static bool has_session(const struct service *service)
{
    return service->kind == SERVICE_NVME_HOST || service->kind == SERVICE_ISER_INITIATOR ||
           service->kind == SERVICE_SMB_CLIENT || service->kind == SERVICE_LUSTRE;
}

JUDGE(storage_session)
{
    const struct services *services = s->system->services;
    const struct service *worst = NULL;
    const char *meaning = NULL;
    enum verdict verdict = VERDICT_NA;
    size_t up = 0, elsewhere = 0;
    if (!services)
        return judge_unknown(j, "services were not read");
    for (size_t i = 0; i < services->count; i++) {
        const struct service *service = &services->items[i];
        const char *of_this = NULL;
        if (!has_session(service))
            continue;
        enum verdict state = state_verdict(service, &of_this);
        const struct port *port = service_port(s->host, service);
        if (state >= VERDICT_WARN && port && port->state.known && !port_is_active(port)) {
            elsewhere++;
            continue;
        }
        up += state == VERDICT_PASS;
        if (state > verdict) {
            verdict = state;
            worst = service;
            meaning = of_this;
        }
    }
    if (worst && verdict >= VERDICT_WARN)
        return broken_session(worst, verdict, meaning, j);
    if (verdict == VERDICT_UNKNOWN && worst)
        return judge_unknown(j, "the state of %s could not be read", service_text(worst, j->arena));
    if (up)
        return judge_pass(j, "%zu session%s up", up, up == 1 ? " is" : "s are");
    return judge_na(j, elsewhere ? "their port isn't ACTIVE: see user-port"
                                 : "no NVMe controller, no session of iSCSI, SMB or Lustre by RDMA");
}

/* -- listeners ------------------------------------------------------------------------------------------ */

/* A portal or port that is served. An nvmet port without a subsystem isn't: it has no listener. */
static bool listens_by_address(const struct service *service)
{
    return service->listens && service->local &&
           (service->kind == SERVICE_ISER_TARGET || (service->kind == SERVICE_NVME_TARGET && service->name));
}

static bool is_known(const struct host *host)
{
    for (const struct port *port = NULL; (port = host_next_port(host, port));)
        if (port->gid_table_len.known || port->ngids)
            return true;
    return host->ndevices == 0;
}

static enum verdict no_listener(const struct subject *s, const struct service *service,
                                const uint8_t raw[static 16], struct judgement *j)
{
    const struct netdev *netdev = netdev_with_address(s->host, raw);
    const char *where = netdev ? arena_printf(j->arena, "%s has it, and no RDMA device", netdev->name)
                               : "no netdev here has it";
    if (!netdev && text_is_shell_word(service->local))
        judge_command(j,
                      "ip address add %s/{PREFIX} dev {NETDEV} # one of a RoCE port; or give the target an "
                      "address that roce gids shows",
                      service->local);
    return judge_fail(j, "%s listens on %s port %" PRIu64 ", which is no GID: %s",
                      service_text(service, j->arena), service->local, service->port.value, where);
}

JUDGE(target_address)
{
    const struct services *services = s->system->services;
    size_t fine = 0, elsewhere = 0;
    if (!services)
        return judge_unknown(j, "services were not read");
    for (size_t i = 0; i < services->count; i++) {
        const struct service *service = &services->items[i];
        uint8_t raw[16];
        if (!listens_by_address(service) || !gid_of_scoped(service->local, raw))
            continue;
        if (!is_known(s->host))
            return judge_unknown(j, "no GID table could be read");
        const struct netdev *netdev = netdev_with_address(s->host, raw);
        bool by_device =
            false; /* a netdev of an RDMA port: gid-address covers it, and IPoIB needs no such GID */
        for (const struct port *port = NULL; netdev && (port = host_next_port(s->host, port));) {
            const struct netdev *own = port_netdev(s->host, port);
            by_device |= (own && netdev_is_above(s->host, netdev, own)) || netdev->kind == NETDEV_IPOIB;
        }
        if (gid_is_any(raw) || port_with_gid(s->host, raw))
            fine++;
        else if (by_device)
            elsewhere++;
        else
            return no_listener(s, service, raw, j);
    }
    if (fine)
        return judge_pass(j, "%zu listener%s of targets by RDMA", fine, fine == 1 ? "" : "s");
    return judge_na(j, elsewhere ? "a netdev of an RDMA port has the address: see gid-address"
                                 : "no target listens by RDMA on an address");
}

/* -- modules -------------------------------------------------------------------------------------------- */

/* What wants a kind of service, for a person; NULL if nothing. */
static const char *wanted_by(const struct system *system, enum service_kind kind, struct arena *arena)
{
    const struct services *services = system->services;
    if (kind == SERVICE_NFS_SERVER && system->nfs.configured)
        return arena_printf(arena, "/%s", system->nfs.configured_in);
    for (size_t i = 0; i < services->nwishes; i++)
        if (services->wishes[i].kind == kind && services->wishes[i].rdma)
            return services->wishes[i].file;
    for (size_t i = 0; i < services->count; i++)
        if (services->items[i].kind == kind)
            return service_text(&services->items[i], arena);
    return NULL;
}

/* Names the package that would have it: the cloud kernels of Debian and Ubuntu, and Red Hat's small package,
 * have no RDMA. */
static enum verdict absent(const struct blocked_module *line, const char *wanted, const struct system *system,
                           struct judgement *j)
{
    if (line->gone && !system->nmodules)
        return judge_unknown(j, "%s is gone, and it is unknown whether the kernel has %s built in", line->file,
                             line->name);
    if (line->gone) {
        judge_interrupting(j, "systemctl reboot # into a kernel that is installed");
        return judge_fail(j, "%s needs %s, but the modules of the running kernel (%s) are gone", wanted,
                          line->name, line->file);
    }
    enum distribution distribution = system_distribution(system);
    if (text_is(system->os_id, "ubuntu"))
        judge_advice(j, "apt install linux-modules-extra-$(uname -r) && modprobe %s", line->name);
    else if (distribution == DISTRIBUTION_DEBIAN)
        judge_interrupting(j, "apt install linux-image-amd64 && systemctl reboot # cloud kernels have no RDMA");
    else if (distribution == DISTRIBUTION_REDHAT)
        judge_advice(j,
                     "dnf install kernel-modules-$(uname -r) kernel-modules-extra-$(uname -r) && modprobe %s",
                     line->name);
    return judge_fail(j, "%s needs %s, which is not among the modules of the running kernel (%s)", wanted,
                      line->name, line->file);
}

static enum verdict blocked(const struct blocked_module *line, const char *wanted, const struct system *system,
                            struct judgement *j)
{
    const char *word = line->always ? "install" : "blacklist";
    bool loaded = system_has_module(system, line->name);
    if (text_is_shell_word(line->file)) {
        const char *dash = strchr(line->name, '_');
        const char *pattern = dash ? arena_printf(j->arena, "%.*s[-_]%s", (int)(dash - line->name), line->name,
                                                  dash + 1)
                                   : line->name;
        judge_advice(j, "sed -i 's/^ *%s *%s\\b/#&/' %s && modprobe %s # the line becomes a comment", word,
                     pattern, line->file, line->name);
    }
    if (loaded)
        return judge_warn(j, "%s needs %s, which is loaded now; after a boot a line of %s (%s) keeps it out",
                          wanted, line->name, line->file, word);
    return judge_fail(j, "%s needs %s, which a line of %s (%s) keeps out", wanted, line->name, line->file,
                      word);
}

JUDGE(service_module)
{
    size_t needed = 0;
    if (system_is_container(s->system))
        return judge_na(j, "modules are the host's, the configuration is this container's");
    if (!s->system->services || !s->system->services->wishes_known)
        return judge_unknown(j, "what configuration files want of services is not known");
    if (!s->system->modules_known)
        return judge_unknown(j, "/proc/modules could not be read");
    for (int kind = 0; kind < SERVICE_KINDS; kind++) {
        const char *wanted = wanted_by(s->system, (enum service_kind)kind, j->arena);
        const struct blocked_module *line = module_kept_out(s->system, (enum service_kind)kind);
        needed += wanted != NULL;
        if (wanted && line)
            return line->absent ? absent(line, wanted, s->system, j) : blocked(line, wanted, s->system, j);
    }
    if (!needed)
        return judge_na(j, "no storage service is to use RDMA");
    return judge_pass(j, "nothing keeps out what %zu kind%s of service need%s", needed, needed == 1 ? "" : "s",
                      needed == 1 ? "s" : "");
}
