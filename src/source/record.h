/* Writes what was read as a recording: the tree of fixtures/README.md. Private to source/. */
#pragma once

#include <stddef.h>

#include "source/root.h"
#include "source/source.h"

struct recorder;

/* dir must not exist or be empty: -EEXIST. Until recorder_finish() the recording is built in a hidden
 * sibling, so a failure leaves nothing that looks whole. */
int recorder_new(struct root *root, const char *dir, const struct record_options *options,
                 struct recorder **recorder);
root_tee recorder_tee; /* data is the recorder */
/* Puts the recording in its place and frees the recorder. 0 or the first errno met; then nothing is left of
 * it. */
int recorder_finish(struct recorder *recorder,
                    const struct host *host);     /* host: what was read, for anonymising */
void recorder_abandon(struct recorder *recorder); /* NULL is fine */
