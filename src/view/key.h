/* SPDX-License-Identifier: MIT */
/* Keys that a person presses: bytes, and those that have no byte. */
#pragma once

enum key {
    PRESSED_NONE = -1,
    PRESSED_ENTER = '\n',
    PRESSED_ESCAPE = 27,
    PRESSED_BACKSPACE = 127,
    PRESSED_UP = 0x110000, /* beyond Unicode */
    PRESSED_DOWN,
    PRESSED_PAGE_UP,
    PRESSED_PAGE_DOWN,
    PRESSED_HOME,
    PRESSED_END,
    PRESSED_F1,
    PRESSED_F10,
    PRESSED_RESIZE, /* no key: the terminal has another size */
};
#define PRESSED_CONTROL(letter) ((letter) - '@') /* of a capital */
