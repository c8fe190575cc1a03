/* SPDX-License-Identifier: MIT */
#include "command/interrupt.h"

#include <signal.h>
#include <stddef.h>

#include "selftest/queues/wait.h"

static void on_interrupt(int signal)
{
    (void)signal;
    wait_interrupt();
}

void interrupts_end_tests(void)
{
    struct sigaction action = { .sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND };
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
}
