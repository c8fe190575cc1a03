/* SPDX-License-Identifier: MIT */
/* Kernel modules, and the drivers of libibverbs. */
#include "check/judge.h"

#include "tables.h"

static enum verdict judge_module(const struct subject *s, struct judgement *j, const char *module)
{
    if (!s->system->modules_known)
        return judge_unknown(j, "/proc/modules could not be read");
    if (system_has_module(s->system, module))
        return judge_pass(j, "/proc/modules: %s", module);
    fix_module(j, s->system, module);
    return judge_fail(j, "/proc/modules has no %s", module);
}

JUDGE(ib_uverbs_module)
{
    if (s->system->has_uverbs_class)
        return judge_pass(j, "/sys/class/infiniband_verbs/abi_version exists");
    if (s->host->partial)
        return judge_unknown(j, "/sys/class/infiniband_verbs is not in this tree");
    if (!s->system->modules_known || system_has_module(s->system, "ib_uverbs"))
        return judge_unknown(j, "/sys/class/infiniband_verbs is not here, and /proc/modules doesn't say why");
    fix_module(j, s->system, "ib_uverbs");
    return judge_fail(j, "/sys/class/infiniband_verbs/abi_version doesn't exist");
}

/* rdma_ucm pulls in rdma_cm; so do the modules of the kernel's own services, which are loaded when a mount or a
 * connection asks for them: configuring such a service doesn't require either to be loaded. */
static enum verdict judge_cm_module(const struct subject *s, struct judgement *j, const char *module)
{
    enum verdict verdict = judge_module(s, j, module);
    if (verdict == VERDICT_FAIL && s->system->rdma_cm.tried && s->system->rdma_cm.err == 0)
        return judge_pass(j, "%s can be opened", s->system->rdma_cm.path);
    if (verdict != VERDICT_FAIL)
        return verdict;
    fix_module(j, s->system, "rdma_ucm");
    return judge_without_cm(j, s->host, j->evidence);
}

JUDGE(rdma_cm_module)
{
    return judge_cm_module(s, j, "rdma_cm");
}

JUDGE(rdma_ucm_module)
{
    enum verdict verdict = judge_cm_module(s, j, "rdma_ucm");
    return verdict == VERDICT_INFO && !system_has_module(s->system, "rdma_cm")
               ? judge_na(j, "rdma_cm is not loaded either: see rdma-cm-module")
               : verdict;
}

/* The fabric is managed from the host: a container's job doesn't need this. */
JUDGE(ib_umad_module)
{
    for (const struct port *port = NULL; (port = host_next_port(s->host, port));)
        if (port->transport == TRANSPORT_INFINIBAND) {
            enum verdict verdict = judge_module(s, j, "ib_umad");
            return verdict == VERDICT_FAIL && system_is_container(s->system) ? VERDICT_INFO : verdict;
        }
    return judge_na(j, "no InfiniBand port");
}

/* Which files of /etc/rdma/modules are read for devices of which kernel drivers: rdma-core's udev rules
 * (75-rdma-description, 90-rdma-ulp-modules). rdma.conf, and what an administrator added, is read for all. */
static const struct {
    const char *file;
    const char *drivers[9]; /* prefixes of their names; NULL-terminated */
} rule_files[] = {
    { "infiniband.conf", { "mlx4", "mlx5", "ib_mthca", "ib_qib" } },
    { "iwarp.conf", { "cxgb4", "iw_cxgb4", "i40" } },
    { "opa.conf", { "hfi1" } },
    { "roce.conf", { "be2net", "ocrdma", "bnxt", "hns", "mlx4", "mlx5", "qed", "vmw_pvrdma", "rxe" } },
};

static bool is_for_driver(const char *const drivers[9], const struct device *device)
{
    for (size_t i = 0; i < 9 && drivers[i]; i++)
        if (device->driver && text_starts(device->driver, drivers[i]))
            return true;
    return false;
}

/* Does anything here cause the rdma service to read this file? */
static bool is_read_here(const char *path, const struct host *host)
{
    const char *file = strrchr(path, '/');
    for (size_t i = 0; file && i < ARRAY_SIZE(rule_files); i++) {
        if (strcmp(file + 1, rule_files[i].file) != 0)
            continue;
        for (size_t d = 0; d < host->ndevices; d++)
            if (is_for_driver(rule_files[i].drivers, &host->devices[d]))
                return true;
        return false;
    }
    return true;
}

/* The unit that loads a file: rdma-load-modules@rdma.service loads rdma.conf. */
static const char *with_unit(struct judgement *j, const char *units, const char *file)
{
    const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
    const char *unit = arena_printf(j->arena, " rdma-load-modules@%.*s.service",
                                    (int)(strlen(name) - strlen(".conf")), name);
    return strstr(units, unit) ? units : arena_printf(j->arena, "%s%s", units, unit);
}

JUDGE(rdma_service_modules)
{
    if (!s->system->nconfigured_modules)
        return judge_na(j, "/etc/rdma/modules names none");
    if (!s->host->ndevices)
        return judge_na(j, "the rdma service loads them when there is an RDMA device");
    if (system_is_container(s->system))
        return judge_na(j, "modules are the host's, /etc/rdma/modules is this container's");
    if (!s->system->modules_known)
        return judge_unknown(j, "/proc/modules could not be read");
    const char *missing = NULL, *units = "";
    size_t count = 0;
    for (size_t i = 0; i < s->system->nconfigured_modules; i++) {
        const struct configured_module *module = &s->system->configured_modules[i];
        if (!is_read_here(module->file, s->host))
            continue;
        count++;
        if (system_has_module(s->system, module->name))
            continue;
        missing = missing ? arena_printf(j->arena, "%s, %s (/%s)", missing, module->name, module->file)
                          : arena_printf(j->arena, "%s (/%s)", module->name, module->file);
        units = with_unit(j, units, module->file);
    }
    if (!missing)
        return judge_pass(j, "all %zu modules that /etc/rdma/modules names for these devices are loaded",
                          count);
    judge_advice(j, "systemctl restart%s # if they are still missing: journalctl -u 'rdma-load-modules@*'",
                 units);
    /* mostly from the distribution's own list; those that are needed have checks of their own */
    return judge_info(j, "not loaded: %s", missing);
}

/* What libibverbs hides: a fault, or, where it shows another device, a part of the devices. */
static enum verdict hidden(const struct subject *s)
{
    for (size_t i = 0; i < s->host->ndevices; i++)
        if (!system_hides(s->system, &s->host->devices[i]))
            return VERDICT_WARN;
    return VERDICT_FAIL;
}

JUDGE(verbs_provider)
{
    const struct provider *provider = device_provider(s->device);
    if (!s->device->uverbs.name)
        return judge_na(j, "the device has no uverbs node");
    if (!provider)
        return judge_unknown(j, "it isn't known which libibverbs provider serves driver %s",
                             s->device->driver ? s->device->driver : "(none)");
    const char *listed = system_provider(s->system, s->device, false);
    if (listed)
        return judge_pass(j, "/etc/libibverbs.d/%s.driver", listed);
    listed = system_provider(s->system, s->device, true);
    if (listed) /* github.com/SoftRoCE/rxe-dev/issues/65: the distribution's library doesn't look there */
        return judge_unknown(j,
                             "/usr/local/etc/libibverbs.d/%s.driver: only programs that load a libibverbs "
                             "built for /usr/local see %s",
                             listed, s->device->name);
    if (!s->system->providers_known)
        return judge_unknown(
            j, "/etc/libibverbs.d doesn't exist: libibverbs is not installed, or keeps its list elsewhere");
    fix_package(j, s->system, "ibverbs-providers", "libibverbs", "libibverbs1");
    if (provider->since && s->system->nproviders) /* the package is installed */
        judge_advice(j,
                     "install the vendor's package of lib%s, or rdma-core %u or newer: the one here has other "
                     "providers and not this one",
                     provider->name, provider->since);
    return judge_as(j, hidden(s), "/etc/libibverbs.d has no %s.driver: libibverbs hides %s", provider->name,
                    s->device->name);
}

JUDGE(verbs_abi)
{
    struct num abi = s->device->uverbs.abi;
    const struct provider *provider = device_provider(s->device);
    if (!s->device->uverbs.name)
        return judge_na(j, "the device has no uverbs node");
    if (!provider)
        return judge_na(j, "no range of versions is known for its driver");
    if (provider->most == 0)
        return judge_na(j, "its provider supports any version");
    const char *path = arena_printf(j->arena, "/sys/class/infiniband_verbs/%s/abi_version",
                                    s->device->uverbs.name);
    if (!abi.known)
        return judge_unknown(j, "%s could not be read", path);
    if (abi.value >= provider->least && abi.value <= provider->most)
        return judge_pass(j, "%s: %" PRIu64, path, abi.value);
    judge_advice(j,
                 "install the user space library that came with this kernel driver (the vendor's lib%s), in "
                 "the container's image too",
                 provider->name);
    return judge_as(j, hidden(s), "%s: %" PRIu64 ", rdma-core's %s supports %u to %u", path, abi.value,
                    provider->name, provider->least, provider->most);
}
