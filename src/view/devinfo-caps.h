/* SPDX-License-Identifier: MIT */
/* The device attributes that ibv_devinfo -v prints. Private to devinfo.c. */
#pragma once

#include "model/verbs.h"

void devinfo_print_caps(const struct verbs_device *verbs);
