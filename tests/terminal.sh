#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The shell on a terminal, driven through tmux: prompt, editing, completion, Ctrl-C, end.
. "$(dirname "$0")/tally.sh"
tmux=${TMUX_PROGRAM:-tmux}
command -v "$tmux" >/dev/null || { not_ok 'tmux is missing: apt-get install tmux'; finish; }
export TERM=xterm HOME=$scratch
t() { "$tmux" -S "$scratch/socket" -f /dev/null "$@"; }
trap 't kill-server 2>/dev/null; rm -rf "$scratch"' EXIT

# The text on the screen; waits up to 10 seconds for a part of it.
screen() { t capture-pane -p -t s; }
await() {
	local i
	for i in $(seq 100); do
		case "$(screen)" in *"$1"*) ok; return ;; esac
		sleep 0.1
	done
	not_ok "$2: no '$1' on the screen:"
	screen
}
type_line() { t send-keys -t s -l "$1"; t send-keys -t s Enter; }

t new-session -d -s s -x 100 -y 40 "'$SLABLAB'; echo status \$?; sleep 60"
await 'main>' 'a prompt'
type_line 'echo he''llo'
await $'\nhello' 'a command'
t send-keys -t s -l 'buddyi'; t send-keys -t s Tab
await 'main> buddyinfo' 'completion of a command name'
t send-keys -t s Enter
await 'Node 0, zone   Normal' 'the completed command'
type_line 'no_such'
await 'no_such' 'an unknown command does not end the shell'
t send-keys -t s Up; t send-keys -t s Up; t send-keys -t s Enter
await 'Node 0, zone   Normal' 'history'
type_line 'repeat 1000000000 { a = kmalloc 64; kfree a }'
sleep 1
t send-keys -t s C-c
sleep 0.5
type_line 'lab check; echo still "here"'
await $'\nstill here' 'Ctrl-C ends the command, not the shell'
t send-keys -t s C-c
sleep 0.5
type_line 'echo af''ter'
await $'\nafter' 'Ctrl-C on an empty line'
type_line 'quit'
await 'status 0' 'quit'

t kill-session -t s 2>/dev/null
t new-session -d -s s -x 100 -y 40 "'$SLABLAB'; echo status \$?; sleep 60"
await 'main>' 'a prompt again'
t send-keys -t s C-d
await 'status 0' 'the end of input'
finish
