/* SPDX-License-Identifier: MIT */
/* Words that tell nothing of whose machine it is, for text that anybody could have written: names of modules,
 * programs and distributions, boot parameters, variables. What isn't known becomes another word or is left
 * out. */
#pragma once

#include "model/system.h"
#include "source/anonymise/anonymise.h"

/* Appends a module's, driver's or package's name, as it is or as "moduleNNNNNN". */
void words_put_module(const struct anonymiser *anonymiser, const char *name, size_t len, struct bytes *out);
void words_put_program(const struct anonymiser *anonymiser, const char *name, size_t len, struct bytes *out);
/* "6.1.0-28-amd64", without what somebody has put there. */
void words_put_release(const char *release, struct bytes *out);
/* What os-release says, in quotes or not; without quotes. */
void words_put_distribution(const char *text, size_t len, struct bytes *out);
/* Is it a boot parameter about the IOMMU or PCI, with a value that is a known word or a number? */
bool words_is_parameter(const char *text, size_t len);
/* Is it a number, yes, no or the like? */
bool words_is_plain(const char *text, size_t len);
/* What NFS calls a transport? */
bool words_is_protocol(const char *text, size_t len);
/* Is it a variable whose value roce judges? */
bool words_is_variable(const char *name, size_t len);
/* Its value: names of devices, addresses, numbers and known words, the separators between them kept. */
void words_put_value(const struct anonymiser *anonymiser, const char *value, size_t len, struct bytes *out);
/* "NAME=VALUE\n"; of a variable that isn't judged only whose it is, "NCCL__other=\n", for that shows that the
 * library is used. False: nothing, it is none of theirs. */
struct variable {
    const char *name, *value;
    size_t name_len, value_len;
};
bool words_put_variable(const struct anonymiser *anonymiser, const struct variable *variable,
                        struct bytes *out);
/* Where a user's configuration file lies: "~/.nccl.conf", or "/confNNNNNN". */
void words_put_conf_file(const struct anonymiser *anonymiser, const char *path, struct bytes *out);
/* A table of iptables, with a newline. */
void words_put_table(const char *name, size_t len, struct bytes *out);
/* Is it a line of probe/container? */
bool words_is_mark(const char *line, size_t len);
/* A line of the kernel's log, its age perhaps before it, that means the same pattern, or nothing. */
void words_put_log(const struct anonymiser *anonymiser, const char *line, const struct log_pattern *pattern,
                   struct bytes *out);
