/* SPDX-License-Identifier: MIT */
/* Control-C and its like. */
#pragma once

/* From now on the first interrupt ends tests in an orderly way (see wait_interrupt), a second one the program. */
void interrupts_end_tests(void);
