/* SPDX-License-Identifier: MIT */
#pragma once

#include "criterion.h"
