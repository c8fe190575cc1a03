# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2154  # $work is its reader's
# A real terminal, by tmux: what tests/top/run and scenarios type, and what they see. Its files lie in $work.

terminal() { tmux -S "$work/tmux" -u -f /dev/null "$@"; }

# A shell in a terminal of WIDTHxHEIGHT; ENVIRONMENT: NAME=VALUE…, as env(1) has them.
terminal_open() { # SIZE [ENVIRONMENT…]
	local size=$1
	shift
	terminal_close
	terminal new-session -d -x "${size%x*}" -y "${size#*x}" \
		env PS1='$ ' TZ=UTC LANG=C.UTF-8 LC_ALL= NO_COLOR= "PATH=$PATH" "$@" bash --norc --noprofile
	at_prompt
}
# Until the server has gone: the next one has its socket.
terminal_close() {
	terminal kill-server 2>/dev/null || :
	while terminal list-sessions >/dev/null 2>&1; do sleep 0.05; done
	rm -f "$work/tmux"
}
screen() { terminal capture-pane -p; }
keys() { terminal send-keys "$@"; }
# Types a command line.
types() { keys -l "$1" && keys Enter; }

# Waits until the screen has what the extended REGEX says; else shows the screen.
sees() { # REGEX
	local try
	for try in {1..50}; do
		screen >"$work/screen"
		grep -qE "$1" "$work/screen" && return
		sleep 0.1
	done
	echo "after ${try} tries no '$1' in:" && cat "$work/screen"
	return 1
}
# What a program that takes the whole screen changes of a terminal, and puts back.
modes() { terminal display-message -p 'alternate screen #{alternate_on}, cursor #{cursor_flag}, keypad #{keypad_flag}, cursor keys #{keypad_cursor_flag}'; }
# Is the shell waiting for a command?
at_prompt() { sees '^\$ ?$'; }
