/* SPDX-License-Identifier: MIT */
/* Functions that have a safer replacement here. Included last by a .c file (the Makefile forces it in), so that
 * a use is a compile error. */
#pragma once

#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#pragma GCC poison strcpy strcat sprintf vsprintf strtok gets strncpy strncat
#pragma GCC poison atoi atol atoll popen asctime ctime
