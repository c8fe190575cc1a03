/* SPDX-License-Identifier: MIT */
/* Collects what is read from a root into a tree, links and the directories on the way included. Private to
 * source/. */
#pragma once

#include "source/recording/filetree.h"
#include "source/root.h"

struct recorder;

struct recorder *recorder_new(struct root *root);
root_tee recorder_tee; /* data is the recorder */
/* Frees the recorder. 0, and the caller frees *tree; or the first errno met. */
int recorder_finish(struct recorder *recorder, struct filetree **tree);
void recorder_abandon(struct recorder *recorder); /* NULL is fine */
